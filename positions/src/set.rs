//! A set of positions and one position of it, with where they come from.
//!
//! Positions are texts here: a set can be listed, hashed and carried around without knowing the rules. It
//! was checked by the rules when it was read ([`crate::load`]).

use crate::error::Fault;
use crate::hash::Fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One operation of a position: an EPD opcode with its operands, or an OBF move with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// `bm`, `am`, `id`, `acd`, any other opcode; in OBF a move (`f5`), or `id`, `cluster` and `c0` from a
    /// trailing comment.
    pub code: String,
    /// The operands as they stand in the file, trimmed, quotes included.
    pub operands: String,
}

/// One position of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Stable name, unique in the set: the file's `id`, else `<set>#0042`, counted from 1.
    pub id: String,
    /// The position as the game writes it and reads it back.
    pub position: String,
    /// Source game or family; positions of one cluster are not independent. The id where none is given.
    pub cluster: String,
    /// What tables group by: disc count, or game phase.
    pub stage: String,
    /// All operations in the file's order.
    pub operations: Vec<Operation>,
    /// Line in the file, from 1.
    pub line: usize,
}

impl Entry {
    /// Operands of the first operation with this code, without quotes.
    #[must_use]
    pub fn operation(&self, code: &str) -> Option<&str> {
        let found = self.operations.iter().find(|operation| operation.code == code)?;
        Some(unquoted(&found.operands))
    }

    /// The best moves that the file gives (`bm`), as text; empty if it gives none.
    pub fn best_moves(&self) -> impl Iterator<Item = &str> {
        moves_of(self.operation("bm").unwrap_or_default())
    }

    /// The moves to avoid that the file gives (`am`), as text; empty if it gives none.
    pub fn avoid_moves(&self) -> impl Iterator<Item = &str> {
        moves_of(self.operation("am").unwrap_or_default())
    }
}

/// The moves of a list: parted by blanks, and by commas where somebody wrote them. A mark of check or praise that stands
/// alone belongs to the move before it.
pub(crate) fn moves_of(operands: &str) -> impl Iterator<Item = &str> {
    operands
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|mv| !mv.trim_matches(['+', '#', '!', '?']).is_empty())
}

/// One quoted string without its quotes; anything else as it is.
pub(crate) fn unquoted(operands: &str) -> &str {
    operands
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .filter(|inner| !inner.contains('"'))
        .unwrap_or(operands)
}

/// Where a set comes from and how to make it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Provenance {
    /// Author, publication, or the program that made it.
    pub source: String,
    /// Terms of use, or why there are none (facts).
    pub licence: String,
    /// The command that made the file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Seed of the random numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Settings of the sampler, `name=value` separated by spaces.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub settings: String,
    /// Day it was made, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// [`secateur_core::Evaluation::evaluation_id`] of the evaluation that played, 16 hex digits.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub evaluation: String,
}

/// Positions of one game with their origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Name of a built-in set, or the file's stem.
    pub name: String,
    /// [`secateur_core::Game::NAME`].
    pub game: String,
    /// The positions in the file's order; never empty.
    pub entries: Vec<Entry>,
    /// Where they come from.
    pub provenance: Provenance,
    /// Hash of the content, 16 hex digits: see [`content_hash`].
    pub hash: String,
    /// So many entries at the end are reserved: something was tuned on them ([`crate::builtin::Reserved`]).
    pub reserved: usize,
    /// Wrong lines of the file that were left out because the caller wished it.
    pub skipped: Vec<Fault>,
    /// What was understood although it is not as it should be, in sentences.
    pub remarks: Vec<String>,
}

impl Set {
    /// A set of these entries; computes the hash.
    #[must_use]
    pub fn new(name: &str, game: &str, entries: Vec<Entry>, provenance: Provenance) -> Set {
        let hash = content_hash(game, &entries);
        let (name, game) = (name.to_owned(), game.to_owned());
        Set { name, game, entries, provenance, hash, reserved: 0, skipped: Vec::new(), remarks: Vec::new() }
    }

    /// Whether something was tuned on the entry at this index.
    #[must_use]
    pub fn is_reserved(&self, index: usize) -> bool {
        index + self.reserved >= self.entries.len()
    }

    /// Ids of the entries that something was tuned on.
    #[must_use]
    pub fn reserved_ids(&self) -> BTreeSet<&str> {
        self.entries[self.entries.len() - self.reserved..].iter().map(|entry| entry.id.as_str()).collect()
    }

    /// What a reader of results must know of how the file was read, in sentences: lines left out, and [`Set::remarks`].
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let left = match self.skipped.as_slice() {
            [] => None,
            [one] => Some(format!("{}: a wrong line left out: {one}", self.name)),
            [first, ..] => Some(format!(
                "{}: {} wrong lines left out, the first: {first}",
                self.name,
                self.skipped.len()
            )),
        };
        left.into_iter().chain(self.remarks.iter().map(|remark| format!("{}: {remark}", self.name))).collect()
    }

    /// Stage labels with the number of positions, in order of appearance.
    #[must_use]
    pub fn stages(&self) -> Vec<(&str, usize)> {
        let mut stages: Vec<(&str, usize)> = Vec::new();
        for entry in &self.entries {
            match stages.iter_mut().find(|(stage, _)| *stage == entry.stage) {
                Some((_, count)) => *count += 1,
                None => stages.push((&entry.stage, 1)),
            }
        }
        stages
    }
}

/// Hash of what the positions are, in order: game, position, stage and operations of each.
///
/// Names of sets, line numbers, comments and spacing do not count, so a copied or reformatted file keeps its
/// hash, and one with a changed best move does not. Ids and clusters count where the file gives them, as
/// operations; the others follow from the order. So do the counters of chess: a FEN line and the EPD line of the same
/// position with `hmvc` and `fmvn` differ.
#[must_use]
pub fn content_hash(game: &str, entries: &[Entry]) -> String {
    let mut fnv = Fnv::default();
    fnv.field(game);
    for entry in entries {
        fnv.field(&entry.position).field(&entry.stage);
        for operation in &entry.operations {
            fnv.field(&operation.code).field(&operation.operands);
        }
        fnv.bytes(b"\n");
    }
    fnv.hex()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, code: &str, operands: &str) -> Entry {
        let operation = Operation { code: code.into(), operands: operands.into() };
        Entry {
            id: id.into(),
            position: "board".into(),
            cluster: id.into(),
            stage: "28".into(),
            operations: vec![operation],
            line: 1,
        }
    }

    #[test]
    fn operands_lose_only_their_own_quotes() {
        assert_eq!(entry("a", "id", "\"x y\"").operation("id"), Some("x y"));
        assert_eq!(entry("a", "c0", "\"x\" \"y\"").operation("c0"), Some("\"x\" \"y\""));
        assert_eq!(entry("a", "bm", "Nd5 a4").best_moves().collect::<Vec<_>>(), ["Nd5", "a4"]);
        assert_eq!(entry("a", "bm", "Nd5").avoid_moves().count(), 0);
    }

    #[test]
    fn the_hash_is_of_the_content() {
        let hash = |entries: &[Entry]| content_hash("othello", entries);
        let (mut a, b) = (entry("s#0001", "f5", "+2"), entry("t#0001", "f5", "+2"));
        let of_b = hash(std::slice::from_ref(&b));
        assert_eq!(hash(&[a.clone()]), of_b, "the set's name is not content");
        a.line = 9;
        assert_eq!(hash(&[a.clone()]), of_b, "nor is the line");
        assert_ne!(hash(&[a.clone()]), hash(&[entry("s#0001", "f5", "+4")]), "a score is");
        a.stage = "32".into();
        assert_ne!(hash(&[a]), of_b, "a stage is");
        let c = entry("u", "e6", "-2");
        assert_ne!(hash(&[b.clone(), c.clone()]), hash(&[c, b]), "the order is");
    }
}
