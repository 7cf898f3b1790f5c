//! Switches that switch nothing: arms that are made of other things and search the same trees.
//!
//! A switch may be misspelt in the program, be its default, or be about a method that a shallow search never comes to. What is
//! said here is what the searches show, and no more.

use super::file::Program;
use super::switching::{Others, ProgramArms};
use crate::error::Error;
use crate::experiment::Experiment;
use crate::suite::Suite;
use secateur_record::manifest::Manifest;
use secateur_record::record::{BudgetKind, Record};
use secateur_record::store::RunRows;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Its depths, plies: a switch that does something at the first is not looked at again.
const DEPTHS: [u32; 3] = [5, 7, 9];
/// No deeper look is begun when one took longer.
const LONG: Duration = Duration::from_secs(4);

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

/// Arms of other programs that searched the trees of `full` or of `none` at every position, although they are not made of the same
/// things. Two other arms may well be alike by chance: what is between them is more than one switch. Searches by time say nothing, and neither do programs that do not tell their nodes.
#[must_use]
pub fn same_trees(manifest: &Manifest, rows: &RunRows) -> Vec<SameTrees> {
    let mut found = Vec::new();
    for game in manifest.game.iter().filter(|game| game.program.is_some()) {
        let mut arms: Vec<(&str, Tree<'_>)> = Vec::new();
        let is_exact =
            |row: &&Record| row.game == game.name && row.repeat == 0 && row.budget_kind != BudgetKind::Time;
        for row in rows.records.iter().filter(is_exact) {
            let at = arms.iter().position(|(name, _)| *name == row.methods).unwrap_or_else(|| {
                arms.push((&row.methods, Tree::new()));
                arms.len() - 1
            });
            let told = row.nodes.filter(|_| row.error.is_none());
            arms[at].1.insert(
                (&row.position, row.budget_kind, row.budget),
                (told, row.depth, row.score, &row.best_move, Vec::new()),
            );
        }
        for row in rows.iterations.iter().filter(|row| row.game == game.name && row.repeat == 0) {
            let arm = arms.iter_mut().find(|(name, _)| *name == row.methods);
            let cell = arm.and_then(|(_, tree)| tree.get_mut(&(&*row.position, row.budget_kind, row.budget)));
            if let Some(cell) = cell {
                cell.4.push((row.depth, row.nodes));
            }
        }
        arms.retain(|(_, tree)| tree.values().all(|cell| cell.0.is_some()));
        for (at, (second, tree)) in arms.iter().enumerate() {
            let is_one = |first: &str| first == "full" || first == "none" && !second.starts_with("full[");
            let is_other = |first: &str| is_one(first) && game.arms.get(first) != game.arms.get(*second);
            let like = arms[..at].iter().find(|(first, other)| is_other(first) && other == tree);
            found.extend(like.map(|(first, _)| SameTrees {
                game: game.name.clone(),
                first: (*first).to_owned(),
                second: (*second).to_owned(),
            }));
        }
    }
    found
}

/// What an arm searched: by position and budget its nodes, depth, value, move, and the nodes of its iterations.
type Tree<'a> = BTreeMap<(&'a str, BudgetKind, u64), Cell<'a>>;
type Cell<'a> = (Option<u64>, Option<u32>, Option<i32>, &'a str, Vec<(u32, u64)>);

impl Program {
    /// Looks at every switch at a handful of positions, deeper where it does nothing yet; those without which the program still
    /// searches the same trees, and the plies that were looked at. Nothing of a program that cannot be asked for a depth or does
    /// not tell its nodes.
    ///
    /// # Errors
    /// A program that does not start; no positions of its game.
    pub fn idle(&self) -> Result<(Vec<SameTrees>, u32), Error> {
        let mut arms: Vec<String> =
            self.factors.iter().map(|factor| format!("full[-{}]", factor.name)).collect();
        let (mut found, mut looked) = (Vec::new(), 0);
        for depth in DEPTHS {
            if arms.is_empty() {
                break;
            }
            let begun = Instant::now();
            let lined: Vec<String> = std::iter::once("full".to_owned()).chain(arms.clone()).collect();
            let lined = ProgramArms::new(self.clone(), Others::Off, &lined)
                .map_err(|(_, message)| Error::Usage(message))?;
            let runs = Experiment::from(self.handful(lined, depth)?).run()?;
            (found, looked) = (same_trees(&runs.manifest, &runs.rows), depth);
            arms.retain(|arm| found.iter().any(|same| same.second == *arm));
            if begun.elapsed() > LONG {
                break;
            }
        }
        Ok((found, looked))
    }

    /// A suite of these arms at a few positions of the suite `quick`.
    fn handful(&self, lined: ProgramArms, depth: u32) -> Result<Suite, Error> {
        let mut suite = Suite::load("quick")?;
        suite.blocks.retain(|block| block.game == self.game);
        suite.blocks.truncate(1);
        for block in &mut suite.blocks {
            block.program = Some(lined.clone());
            block.methods.clear();
            block.budgets = vec![crate::suite::Allowance::Depth(depth)];
            (block.limit, block.repeats, block.oracle) = (Some(1), 0, None);
        }
        Ok(suite)
    }
}
