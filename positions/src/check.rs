//! What `positions check` reports about a set: sizes, hash, repeated positions.

use crate::builtin::{listing, names, resolve_as};
use crate::duplicates::duplicates;
use crate::error::Result;
use crate::load::Reading;
use crate::set::Set;
use secateur_core::Game;

/// The state of one set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The set; its entries are all legal, or there would be an error instead of a report.
    pub set: Set,
    /// Pairs of ids of positions that are the same up to symmetry.
    pub duplicates: Vec<(String, String)>,
    /// For a built-in set: the hash in the list, if the content has another one.
    pub listed_hash: Option<String>,
    /// For a built-in set: the number of positions in the list, if there are not as many.
    pub listed_positions: Option<usize>,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.duplicates.is_empty() && self.listed_hash.is_none() && self.listed_positions.is_none()
    }
}

/// Checks a built-in set or a file: every line, every best move, repeated positions, listed hash.
///
/// # Errors
/// What keeps the set from being loaded: every wrong line of a file.
pub fn check<G: Game>(game: &G, name_or_path: &str) -> Result<Report> {
    check_as(game, name_or_path, Reading::default())
}

/// [`check`], a file read as `reading` says.
///
/// # Errors
/// As [`check`].
pub fn check_as<G: Game>(game: &G, name_or_path: &str, reading: Reading) -> Result<Report> {
    let set = resolve_as(game, name_or_path, reading)?;
    let duplicates = duplicates(game, &set).unwrap_or_default();
    let listing = match names()?.iter().any(|name| name == name_or_path) {
        true => Some(listing(name_or_path)?),
        false => None,
    };
    Ok(Report {
        duplicates,
        listed_hash: listing.as_ref().map(|l| l.hash.clone()).filter(|hash| *hash != set.hash),
        listed_positions: listing.map(|l| l.positions).filter(|&count| count != set.entries.len()),
        set,
    })
}
