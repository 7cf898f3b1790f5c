//! What others measured of a program's methods in games, so that a page can lay its own numbers next to them.
//!
//! A subject file names the source and the Elo of each method that has one. Left out: judging whether those games were
//! like ours; a rank correlation is all that is made of them.

use super::file::Factor;
use crate::place::Place;
use secateur_positions::Fault;
use secateur_record::manifest::Published;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

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
