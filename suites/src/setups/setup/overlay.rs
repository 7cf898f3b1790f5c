//! A user's parameter file over the embedded numbers: it holds only what differs.
//!
//! The entries are put in one by one, so that the first that does not fit can be shown at its place in the
//! file; reading the merged whole could only say that something is wrong.

use super::{Chosen, SetupFileError};
use crate::setups::numbers::put;
use serde::Deserialize;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// `base` with the entries of `text` in place of its own, and the value of a `fit` entry at the top.
pub(super) fn apply(
    path: &Path,
    text: &str,
    base: &Chosen,
) -> Result<(Chosen, Option<String>), SetupFileError> {
    let spans =
        DeTable::parse(text).map_err(|error| SetupFileError::content(path, error.to_string().trim_end()))?;
    let mut fit = None;
    let mut merged = toml::Value::try_from(base).expect("numbers have a TOML form");
    let mut chosen = base.clone();
    for (names, start, entry) in leaves(spans.get_ref(), text) {
        let fail = |message: &str| {
            let (line, column) = place(text, start);
            let message = format!("line {line}, column {column}: `{}`: {message}", names.join("."));
            SetupFileError::content(path, &message)
        };
        let entry = entry.map_err(|fault| fail(&fault))?;
        if names == ["fit"] {
            fit = Some(entry.as_str().ok_or_else(|| fail("expected the name of a file"))?.to_owned());
            continue;
        }
        put(&mut merged, &names, entry).map_err(|fault| fail(&fault))?;
        chosen = Chosen::deserialize(merged.clone())
            .map_err(|error| fail(error.message().lines().next().unwrap_or("not understood")))?;
    }
    Ok((chosen, fit))
}

/// Every entry that is no table, with its names from the top and where it stands, in the file's order.
fn leaves(table: &DeTable<'_>, text: &str) -> Vec<(Vec<String>, usize, Result<toml::Value, String>)> {
    let mut entries = Vec::new();
    let mut open = vec![(Vec::new(), table)];
    while let Some((names, table)) = open.pop() {
        for (key, value) in table {
            let mut names: Vec<String> = names.clone();
            names.push(key.get_ref().to_string());
            match value.get_ref() {
                DeValue::Table(inner) => open.push((names, inner)),
                _ => {
                    let plain = plain(text.get(value.span()).unwrap_or_default());
                    entries.push((names, key.span().start, plain));
                }
            }
        }
    }
    entries.sort_by_key(|(_, start, _)| *start);
    entries
}

/// The value that a piece of TOML stands for. It was parsed a moment ago as part of the file, but a number may be larger
/// than any value can hold, and an array of tables (`[[x]]`) is none.
fn plain(text: &str) -> Result<toml::Value, String> {
    let table = toml::from_str::<toml::Table>(&format!("value = {text}")).ok();
    table.and_then(|mut table| table.remove("value")).ok_or_else(|| {
        let first_line = text.lines().next().unwrap_or_default();
        format!("found {first_line}, expected a number, a text, true, false or a list of numbers")
    })
}

/// Line and column (in characters), both from 1, of a byte of the text.
fn place(text: &str, start: usize) -> (usize, usize) {
    let before = &text[..start];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
