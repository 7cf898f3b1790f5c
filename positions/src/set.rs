//! A set of positions and one position of it, with where they come from.
//!
//! Positions are texts here: a set can be listed, hashed and carried around without knowing the rules. It
//! was checked by the rules when it was read ([`crate::load`]).

use crate::error::Fault;
use crate::hash::Fnv;
use crate::text::{moves_of, unquoted};
use secateur_base::number::{grouped, plural};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One operation of a position: an EPD opcode with its operands, or an OBF move with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// `bm`, `am`, `id`, `acd`, any other opcode; in OBF a move (`f5`), or `id`, `cluster` and `c0` from a
    /// trailing comment.
    pub code: String,
    /// The operands as in the file, trimmed, quotes included.
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
    /// Operands of the first operation with this code, without quotes and what escapes a quote.
    pub fn operation(&self, code: &str) -> Option<Cow<'_, str>> {
        Some(unquoted(self.operands(code)?))
    }

    /// The same as in the file.
    fn operands(&self, code: &str) -> Option<&str> {
        let first = self.operations.iter().find(|operation| operation.code == code)?;
        Some(&first.operands)
    }

    /// The best moves that the file gives (`bm`), as text; empty if it gives none.
    pub fn best_moves(&self) -> impl Iterator<Item = &str> {
        moves_of(self.operands("bm").unwrap_or_default())
    }

    /// The moves to avoid that the file gives (`am`), as text; empty if it gives none.
    pub fn avoid_moves(&self) -> impl Iterator<Item = &str> {
        moves_of(self.operands("am").unwrap_or_default())
    }
}

/// What a reader took of a text, and what it left out although nothing is wrong with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines of the text.
    pub lines: usize,
    /// Games of the text, wrong ones too; 0 in a format whose lines are positions.
    pub games: usize,
    /// Positions of games that were there before.
    pub repeated: usize,
    /// Games of fewer plies than there are from one position to the next.
    pub short: usize,
    /// Plies of the longest game.
    pub longest: usize,
    /// Plies from one position of a game to the next.
    pub every: usize,
}

impl Tally {
    /// Why a text gives no position although nothing in it is wrong, and what to do about it.
    pub(crate) fn why_nothing(&self) -> String {
        let Tally { games, longest, every, .. } = self;
        match games {
            0 => "found end of file, expected at least one position".to_owned(),
            _ if longest == &0 => format!("found {games} games without a move, expected at least one move"),
            _ if longest < every => format!(
                "found no game of {every} plies, after which its first position is taken; the longest has {longest}: --every \
                 {longest} takes that"
            ),
            _ => format!(
                "found {games} games that are over before ply {every}, expected a position with a legal move"
            ),
        }
    }
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
    /// Wrong lines of the file, or wrong games, that were left out because the caller wished it.
    pub skipped: Vec<Fault>,
    /// How much was read, and left out for other reasons; nothing for a set that was read from no text.
    pub tally: Tally,
    /// What was understood although it is not as it should be, in sentences.
    pub remarks: Vec<String>,
}

impl Set {
    /// A set of these entries; computes the hash.
    pub fn new(name: &str, game: &str, entries: Vec<Entry>, provenance: Provenance) -> Set {
        let hash = content_hash(game, &entries);
        let (name, game) = (name.to_owned(), game.to_owned());
        let (skipped, remarks, tally) = (Vec::new(), Vec::new(), Tally::default());
        Set { name, game, entries, provenance, hash, reserved: 0, skipped, tally, remarks }
    }

    /// Whether something was tuned on the entry at this index.
    pub fn is_reserved(&self, index: usize) -> bool {
        index + self.reserved >= self.entries.len()
    }

    /// Ids of the entries that something was tuned on.
    pub fn reserved_ids(&self) -> BTreeSet<&str> {
        self.entries[self.entries.len() - self.reserved..].iter().map(|entry| entry.id.as_str()).collect()
    }

    /// What a reader of results must know of how the file was read, in sentences: lines left out, how many games it has, and
    /// [`Set::remarks`].
    pub fn notes(&self) -> Vec<String> {
        let what = if self.tally.games > 0 { "game" } else { "line" };
        let left = match self.skipped.as_slice() {
            [] => None,
            [one] => Some(format!("a wrong {what} left out: {one}")),
            [first, ..] => Some(format!(
                "{} wrong {what}s left out, the first: {first}",
                grouped(self.skipped.len() as u64)
            )),
        };
        let games = (self.tally.games > 0).then(|| self.account());
        let notes = left.into_iter().chain(games).chain(self.remarks.iter().cloned());
        notes.map(|note| format!("{}: {note}", self.name)).collect()
    }

    /// How much was read and how much of it left out, in a sentence: lines, games and positions.
    pub fn account(&self) -> String {
        let Tally { lines, games, repeated, short, every, .. } = self.tally;
        let (skipped, positions) = (self.skipped.len(), self.entries.len());
        let unless_none = |count: usize, text: String| if count == 0 { String::new() } else { text };
        let left_out = |what: &str| unless_none(skipped, format!(", left out {}", plural(skipped, what)));
        let took = plural(positions, "position");
        if games == 0 {
            let silent = lines.saturating_sub(positions + skipped);
            let silent = unless_none(silent, format!(", {} without a position", grouped(silent as u64)));
            return format!("read {}{}{silent}; took {took}", plural(lines, "line"), left_out("wrong line"));
        }
        let repeated = unless_none(
            repeated,
            format!(", left out {} that earlier moves had given", grouped(repeated as u64)),
        );
        let short = unless_none(
            short,
            format!("; {} of fewer than {every} plies (--every takes fewer)", plural(short, "game")),
        );
        let (games, lines) = (plural(games, "game"), plural(lines, "line"));
        format!("read {games} in {lines}{}; took {took}{repeated}{short}", left_out("wrong game"))
    }

    /// Stage labels with the number of positions, in order of appearance.
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
        let operation =
            |code: &str, operands: &str| entry("a", code, operands).operation(code).map(Cow::into_owned);
        assert_eq!(operation("id", "\"x y\"").as_deref(), Some("x y"));
        assert_eq!(operation("id", r#""x \" y""#).as_deref(), Some("x \" y"));
        assert_eq!(operation("c0", "\"x\" \"y\"").as_deref(), Some("\"x\" \"y\""));
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
