//! Blocks of a run that are printed as soon as they are complete, while the rest is searched.
//!
//! What is printed is read from the files of the run, so that it is what a report of them says. Left out: the last block,
//! with which the run is complete, blocks whose instructions are counted after all searches, and the one with the most positions,
//! which stands right above the answer.

use secateur_record::record::{BudgetKind, CellKey};
use secateur_reports::page::brief;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::read::read;
use secateur_suites::matrix::Plan;
use secateur_suites::store::{Sealed, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A block as reports have it: a game under a budget.
pub type Block = (String, BudgetKind, u64);

/// The block of a group of records.
pub fn block_of(group: &Group<'_>) -> Block {
    (group.game.to_owned(), group.budget_kind, group.budget)
}

/// The blocks of a run under way.
pub struct Blocks {
    folder: PathBuf,
    /// Columns of the terminal.
    width: u16,
    /// Cells that are still to be searched, by block.
    left: BTreeMap<Block, usize>,
    /// Blocks that are printed with the end.
    pub waiting: BTreeSet<Block>,
}

impl Blocks {
    /// The blocks of a plan of which `store` may have some cells already, for a terminal of `width` columns.
    pub fn new(plan: &Plan, folder: &Path, store: &Store, width: u16) -> Blocks {
        let done = store.finished();
        let mut left: BTreeMap<Block, usize> = BTreeMap::new();
        for key in plan.keys() {
            let is_done = done.contains_key(&key);
            *left.entry(block(key)).or_default() += usize::from(!is_done);
        }
        let waiting = left.keys().cloned().collect();
        if let Some(weightiest) = weightiest(plan) {
            left.remove(&weightiest);
        }
        let counted = plan.units.iter().filter(|unit| unit.instructions);
        for unit in counted {
            let name = plan.games[unit.game].name.clone();
            left.remove(&(name, unit.allowance.kind(), unit.allowance.amount()));
        }
        left.retain(|_, cells| *cells > 0);
        Blocks { folder: folder.to_owned(), width, left, waiting }
    }

    /// The tables of the blocks that these cells complete; nothing of the last, and nothing where the files cannot be read,
    /// which whoever reads them at the end will say.
    pub fn written(&mut self, cells: &[Sealed]) -> String {
        let mut complete = Vec::new();
        for cell in cells {
            let block_key = block(cell.record().key());
            let Some(left) = self.left.get_mut(&block_key) else { continue };
            *left -= 1;
            if *left == 0 {
                self.left.remove(&block_key);
                complete.push(block_key);
            }
        }
        if complete.is_empty() || self.waiting.len() == complete.len() {
            return String::new();
        }
        let Ok(runs) = read(std::slice::from_ref(&self.folder)) else { return String::new() };
        let sources = brief::Found::of(&runs);
        let groups = groups_of(&runs);
        let mut text = String::new();
        for group in groups.iter().filter(|group| complete.contains(&block_of(group))) {
            self.waiting.remove(&block_of(group));
            text += &brief::block(group, &sources, self.width);
        }
        text
    }
}

/// The block that is printed last, as [`brief::weightiest_last`] has it.
fn weightiest(plan: &Plan) -> Option<Block> {
    let mut positions: BTreeMap<Block, usize> = BTreeMap::new();
    for unit in &plan.units {
        let name = plan.games[unit.game].name.clone();
        *positions.entry((name, unit.allowance.kind(), unit.allowance.amount())).or_default() += 1;
    }
    let weight = |(block, count): &(Block, usize)| {
        let (game, kind, budget) = block.clone();
        (kind == BudgetKind::Depth, *count, budget, game)
    };
    positions.into_iter().max_by_key(weight).map(|(block, _)| block)
}

fn block(key: CellKey) -> Block {
    (key.game.to_string(), key.budget_kind, key.budget)
}
