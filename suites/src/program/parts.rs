//! Parts of a subject file: what the absence of a method means (options in one line, or a table of everything else), how instructions are
//! counted (`[instructions]`), and what others measured of the methods in games.
//!
//! A subject file names the source and the Elo of each method that has one, so that a page can put its own numbers next to them. Left
//! out: judging whether those games were like ours; a rank correlation is all that is made of them.

use super::file::{Factor, resolved};
use crate::error::Place;
use secateur_positions::Fault;
use secateur_record::manifest::Published;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// What switches a method off: as many of these as it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Off {
    /// Options and their values.
    pub options: Vec<(String, String)>,
    /// Variables and their values.
    pub env: BTreeMap<String, String>,
    /// Arguments, behind those of the program.
    pub args: Vec<String>,
    /// Bits of [`crate::program::Program::mask`].
    pub bits: u64,
    /// Another binary in place of the program: no two factors with one can be off at once.
    pub command: Option<PathBuf>,
}

/// A factor as a text of options, or as a table of everything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum OffPart {
    Options(String),
    Table(OffTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OffTable {
    #[serde(default)]
    options: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    bits: u64,
    command: Option<String>,
}

/// What a factor says.
///
/// # Errors
/// What was found and expected.
pub(super) fn off(folder: &Path, value: &toml::Value) -> Result<Off, String> {
    let expected = || {
        "expected options `NAME=VALUE; NAME=VALUE`, or a table with `options`, `env`, `args`, `bits` or `command`".to_owned()
    };
    let off = match value.clone().try_into::<OffPart>().map_err(|_| expected())? {
        OffPart::Options(text) => Off { options: options(&text)?, ..Off::default() },
        OffPart::Table(table) => Off {
            options: options(&table.options)?,
            env: table.env,
            args: table.args,
            bits: table.bits,
            command: table.command.map(|command| resolved(folder, &command)),
        },
    };
    if off == Off::default() { Err(format!("no key switches it off: {}", expected())) } else { Ok(off) }
}

/// Options as they are written in one line: `NAME=VALUE; NAME=VALUE`.
///
/// # Errors
/// What was found and expected.
pub fn options(text: &str) -> Result<Vec<(String, String)>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let option = |part: &str| {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("found `{part}`, expected NAME=VALUE"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    parts.map(option).collect()
}

/// `[published]` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    source: String,
    elo: BTreeMap<Spanned<String>, f64>,
}

/// The numbers, each of a method that the file has.
pub(super) fn published(place: &Place<'_>, part: Part, factors: &[Factor]) -> Result<Published, Box<Fault>> {
    for name in part.elo.keys() {
        if !factors.iter().any(|factor| factor.name == *name.get_ref()) {
            let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
            let message =
                format!("found `{}`, expected one of its methods: {}", name.get_ref(), names.join(", "));
            return Err(place.at(name, message));
        }
    }
    let elo = part.elo.into_iter().map(|(name, elo)| (name.into_inner(), elo)).collect();
    Ok(Published { source: part.source, elo })
}
