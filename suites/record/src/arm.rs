//! The text of an arm, taken apart, and arms that are made of other things and search the same trees.
//!
//! What the parts of the text mean, the suites know. A switch that switches nothing may be misspelt in the program, be its default, or be
//! about a method that a shallow search never comes to: what is said here is what the searches show, and no more.

use crate::manifest::GameEntry;
use crate::record::{BudgetKind, IterationRow, Record};
use std::collections::BTreeMap;

/// The arm with all methods.
pub const FULL: &str = "full";

/// The arm of all methods but these; of all of them without any.
pub fn without<T: AsRef<str>>(methods: &[T]) -> String {
    if methods.is_empty() {
        return FULL.to_owned();
    }
    let left: Vec<String> = methods.iter().map(|method| format!("-{}", method.as_ref())).collect();
    format!("{FULL}[{}]", left.join(","))
}

/// The methods that an arm of [`without`] lacks.
pub fn left_out_of(arm: &str) -> Vec<String> {
    let inside = arm.strip_prefix(FULL).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    let names = inside.into_iter().flat_map(|inside| inside.split(','));
    names.map(|name| name.trim_start_matches('-').to_owned()).collect()
}

/// Splits at a mark that stands outside all brackets.
pub fn split(text: &str, mark: char) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |c: char| {
        depth = match c {
            '[' => depth + 1,
            ']' => depth.saturating_sub(1),
            _ => depth,
        };
        c == mark && depth == 0
    };
    text.split(outside).collect()
}

/// The method that a member of an arm is a form of: what stands before its bracket.
pub fn name(member: &str) -> &str {
    member.split_once('[').map_or(member, |(name, _)| name)
}

/// Two arms of one game that searched the same trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameTrees {
    /// The game.
    pub game: String,
    /// The one that stands first.
    pub first: String,
    /// The other.
    pub second: String,
}

impl std::fmt::Display for SameTrees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` and `{}` search the same trees", self.first, self.second)
    }
}

/// Arms of another program that searched the trees of `full` or of `none` at every position, although they are not made of the same
/// things. Two other arms may well be alike by chance: what is between them is more than one switch. Searches by time say nothing,
/// and neither do programs that do not tell their nodes.
pub fn same_trees_of(game: &GameEntry, records: &[Record], iterations: &[IterationRow]) -> Vec<SameTrees> {
    if game.program.is_none() {
        return Vec::new();
    }
    let mut arms: Vec<(&str, Tree<'_>)> = Vec::new();
    let is_exact =
        |row: &&Record| row.game == game.name && row.repeat == 0 && row.budget_kind != BudgetKind::Time;
    for row in records.iter().filter(is_exact) {
        let at = arms.iter().position(|(name, _)| *name == row.methods).unwrap_or_else(|| {
            arms.push((&row.methods, Tree::new()));
            arms.len() - 1
        });
        let nodes = row.nodes.filter(|_| row.error.is_none());
        arms[at].1.insert(
            (&row.position, row.budget_kind, row.budget),
            (nodes, row.depth, row.score, &row.best_move, Vec::new()),
        );
    }
    for row in iterations.iter().filter(|row| row.game == game.name && row.repeat == 0) {
        let arm = arms.iter_mut().find(|(name, _)| *name == row.methods);
        let cell = arm.and_then(|(_, tree)| tree.get_mut(&(&*row.position, row.budget_kind, row.budget)));
        if let Some(cell) = cell {
            cell.4.push((row.depth, row.nodes));
        }
    }
    arms.retain(|(_, tree)| tree.values().all(|cell| cell.0.is_some()));
    let mut same_trees = Vec::new();
    for (at, (second, tree)) in arms.iter().enumerate() {
        let is_one = |first: &str| first == "full" || first == "none" && !second.starts_with("full[");
        // A build that lacks nothing, byte for byte the program, is no other thing, and it was to be one.
        let was_to_be = |first: &str| first == "full" && second.starts_with("full[-");
        let is_other = |first: &str| {
            is_one(first) && (was_to_be(first) || game.arms.get(first) != game.arms.get(*second))
        };
        let like = arms[..at].iter().find(|(first, other)| is_other(first) && other == tree);
        same_trees.extend(like.map(|(first, _)| SameTrees {
            game: game.name.clone(),
            first: (*first).to_owned(),
            second: (*second).to_owned(),
        }));
    }
    same_trees
}

/// What an arm searched: by position and budget its nodes, depth, value, move, and the nodes of its iterations.
type Tree<'a> = BTreeMap<(&'a str, BudgetKind, u64), Cell<'a>>;
type Cell<'a> = (Option<u64>, Option<u32>, Option<i32>, &'a str, Vec<(u32, u64)>);
