//! Which positions are the same up to symmetry, within a set and between sets, and what `positions check` reports.
//!
//! Duplicates make samples look larger than they are, and a parameter must not be judged on the positions
//! that fitted it: both are found by comparing canonical forms ([`secateur_core::Notation::canonical`]).

use crate::builtin::{builtins, listing, names, resolve_as};
use crate::error::Result;
use crate::load::Reading;
use crate::set::{Entry, Set};
use secateur_core::{Game, ParseError};
use std::collections::{BTreeMap, BTreeSet};

/// Canonical form of an entry's position.
///
/// # Errors
/// If the text is no position of the game, which is impossible for an entry of a loaded set.
pub fn canonical<G: Game>(game: &G, entry: &Entry) -> std::result::Result<String, ParseError> {
    Ok(game.canonical(&game.parse(&entry.position)?))
}

/// Canonical forms of all positions of a set.
///
/// # Errors
/// As [`canonical`].
pub fn canonicals<G: Game>(game: &G, set: &Set) -> std::result::Result<BTreeSet<String>, ParseError> {
    set.entries.iter().map(|entry| canonical(game, entry)).collect()
}

/// How the names of the sets end that parameters are fitted to.
const FITTING: &str = "-fit";

/// Canonical forms of the positions of built-in sets that anything was fitted or tuned on: all sets for fitting, and what is
/// reserved in others.
///
/// # Errors
/// A fault in the data, which the tests rule out.
pub fn tuned_on<G: Game>(game: &G) -> Result<BTreeSet<String>> {
    let mut forms = BTreeSet::new();
    for set in builtins(game)? {
        let is_fit = set.name.ends_with(FITTING);
        let tuned = set.entries.iter().enumerate().filter(|(at, _)| is_fit || set.is_reserved(*at));
        forms.extend(tuned.filter_map(|(_, entry)| canonical(game, entry).ok()));
    }
    Ok(forms)
}

/// Pairs of ids of the same position, the earlier one first, in the order of the later ones.
///
/// # Errors
/// As [`canonical`].
pub fn duplicates<G: Game>(game: &G, set: &Set) -> std::result::Result<Vec<(String, String)>, ParseError> {
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut pairs = Vec::new();
    for entry in &set.entries {
        let form = canonical(game, entry)?;
        match first.get(&form) {
            Some(earlier) => pairs.push(((*earlier).to_owned(), entry.id.clone())),
            None => drop(first.insert(form, &entry.id)),
        }
    }
    Ok(pairs)
}

/// Ids of the positions of `a` that are in `b` too.
///
/// # Errors
/// As [`canonical`].
pub fn overlap<G: Game>(game: &G, a: &Set, b: &Set) -> std::result::Result<Vec<String>, ParseError> {
    let others = canonicals(game, b)?;
    let mut shared = Vec::new();
    for entry in &a.entries {
        if others.contains(&canonical(game, entry)?) {
            shared.push(entry.id.clone());
        }
    }
    Ok(shared)
}

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
    let is_listed = names()?.iter().any(|name| name == name_or_path);
    let listing = is_listed.then(|| listing(name_or_path)).transpose()?;
    Ok(Report {
        duplicates,
        listed_hash: listing.as_ref().map(|l| l.hash.clone()).filter(|hash| *hash != set.hash),
        listed_positions: listing.map(|l| l.positions).filter(|&count| count != set.entries.len()),
        set,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Provenance;
    use secateur_core::{Moves, Notation, Rules};
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;

    fn set<G: Game>(game: &G, positions: &[G::Position]) -> Set {
        let entries = positions.iter().enumerate().map(|(index, position)| Entry {
            id: format!("#{index}"),
            position: game.format(position),
            cluster: String::new(),
            stage: game.label(position),
            operations: Vec::new(),
            line: index + 1,
        });
        Set::new("test", G::NAME, entries.collect(), Provenance::default())
    }

    /// Some position a few plies from the start, without symmetry of its own.
    fn walk<G: Game>(game: &G, start: G::Position, plies: usize) -> G::Position {
        (0..plies).fold(start, |position, ply| {
            let mut moves = Moves::<G>::new();
            game.moves(&position, &mut moves);
            game.play(&position, moves[(3 * ply + 1) % moves.len()].mv)
        })
    }

    #[test]
    fn all_symmetries_of_a_board_are_one_position() {
        let game = Othello::default();
        let one = walk(&game, game.start(), 9);
        let mut all: Vec<_> = (0..8).map(|symmetry| game.transformed(&one, symmetry)).collect();
        all.push(game.mirror(&one));
        let distinct: BTreeSet<String> = all.iter().map(|position| game.format(position)).collect();
        assert_eq!(distinct.len(), 9, "the position must not be symmetric itself");
        let set = set(&game, &all);
        assert_eq!(canonicals(&game, &set).unwrap().len(), 1);
        let pairs = duplicates(&game, &set).unwrap();
        assert_eq!(pairs.len(), 8);
        assert!(pairs.iter().all(|(first, _)| first == "#0"));
    }

    #[test]
    fn colours_exchanged_are_one_position() {
        let game = Chess::default();
        let start = game.parse("r3k2r/pp1bppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/2KR1B1R b kq - 0 1").unwrap();
        let one = walk(&game, start, 4);
        let two = walk(&game, one.clone(), 1);
        let a = set(&game, &[one.clone(), two]);
        assert!(duplicates(&game, &a).unwrap().is_empty());
        let b = set(&game, &[game.mirror(&one)]);
        assert_eq!(overlap(&game, &a, &b).unwrap(), ["#0"]);
        assert_eq!(overlap(&game, &b, &a).unwrap(), ["#0"]);
    }
}
