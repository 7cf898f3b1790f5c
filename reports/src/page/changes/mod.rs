//! Positions at which a method set plays another move than the baseline, or a second run another one than a first: which they
//! are, what both say, what they cost, and what the oracle says of it.
//!
//! Only searches of one depth are compared, or moves that an oracle judged: at an equal budget a deeper search may rightly
//! choose another move. A pawn is not a disc: what is lost is ranked in standard deviations of what the baseline's values are in
//! that game. The worst of every game stand on the page with their boards, all of them in its data.

mod section;

use crate::figure::{Column, by_columns};
use crate::format::{count, ratio};
use secateur_record::games::Traits;
use secateur_record::label::Label;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::compare::{Duel, SharedPosition};
use secateur_stats::group::Group;
use secateur_stats::interval::sd;
use secateur_stats::labels;
use secateur_stats::metrics::same_move;
use std::collections::BTreeMap;

pub(crate) use section::{Boards, KEPT, section, sentence};

/// A difference of values that counts for more than any other: one of them is proven.
const PROVEN: f64 = 1e6;

/// Positions by game and identifier.
pub type Positions = BTreeMap<(String, String), Known>;

/// What is known of a position besides its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// As its game writes it.
    pub position: String,
    /// The command that searches it again but for arms and budget, and what stands between `--positions` and them is it; empty where
    /// there is none.
    pub again: String,
}

/// What the two searches of a change are called where a reader meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// The baseline and a method set of one run.
    Methods,
    /// A program as it is, and without a method.
    Without,
    /// The same, or two, method sets of a first and a second run.
    Runs,
}

/// One changed position.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// The row of the baseline, or of the first run.
    pub base: &'a Record,
    /// The row of the method set, or of the second run.
    pub row: &'a Record,
    /// Whether the move is another one, and not one that the baseline values alike; an undecided one is none.
    pub moved: bool,
    /// [`Change::lost`] in standard deviations of what the baseline's values are in that game.
    pub severity: f64,
    /// Its place among all as they were recorded.
    order: u32,
    traits: &'a Traits,
}

/// All changed positions of all groups, the worst first.
pub fn changes<'a>(groups: &'a [Group<'a>]) -> Vec<Change<'a>> {
    let values =
        groups.iter().flat_map(|group| group.blocks.iter().map(|block| (block.base(), &group.traits)));
    ranked(groups.iter().flat_map(of_group).collect(), &spreads(values))
}

/// Of the changes of a program without each of its methods: those whose move changed first, and the largest difference before a smaller
/// one, whichever side loses.
pub(crate) fn by_size(all: &mut [Change<'_>]) {
    all.sort_by(|a, b| b.moved.cmp(&a.moved).then(b.severity.abs().total_cmp(&a.severity.abs())));
}

/// All positions at which the second side of a duel plays another move or gives another value than the first, the worst first.
pub fn between<'a>(duels: &'a [Duel<'a>]) -> Vec<Change<'a>> {
    let rows = duels
        .iter()
        .flat_map(|duel| duel.positions.iter().map(|position| (position.rows()[0], &duel.traits)));
    ranked(duels.iter().flat_map(of_duel).collect(), &spreads(rows))
}

/// The worst first; among equals those whose move changed, then as they were recorded.
fn ranked<'a>(mut all: Vec<Change<'a>>, spreads: &BTreeMap<Label, f64>) -> Vec<Change<'a>> {
    for (change, order) in all.iter_mut().zip(0..) {
        change.severity = change.lost() / spreads.get(&change.row.game).copied().unwrap_or(1.0);
        change.order = order;
    }
    // A stable sort needs half as much memory again, of changes that may be a million.
    let worst =
        |a: &Change<'_>, b: &Change<'_>| b.severity.total_cmp(&a.severity).then(b.moved.cmp(&a.moved));
    all.sort_unstable_by(|a, b| worst(a, b).then(a.order.cmp(&b.order)));
    all
}

/// By game, the standard deviation of the values of these rows, in what people read values in; proven ones are left out. A game
/// of fewer than two values, or of equal ones, has none.
fn spreads<'r>(rows: impl Iterator<Item = (&'r Record, &'r Traits)>) -> BTreeMap<Label, f64> {
    let mut values: BTreeMap<Label, Vec<f64>> = BTreeMap::new();
    for (row, traits) in rows {
        if let Some(score) = row.score.filter(|score| !traits.is_proven(*score)) {
            values.entry(row.game).or_default().push(f64::from(score) / f64::from(traits.per_unit.max(1)));
        }
    }
    values.into_iter().map(|(game, values)| (game, sd(&values))).filter(|(_, spread)| *spread > 0.0).collect()
}

fn of_group<'a>(group: &'a Group<'a>) -> impl Iterator<Item = Change<'a>> {
    let (is_open, is_depth) = (group.is_open(), group.is_fixed_depth());
    let searches =
        group.blocks.iter().flat_map(|block| (1..block.rows.len()).map(move |method| (block, method)));
    searches.filter_map(move |(block, method)| {
        let rows = [block.base(), block.rows[method]];
        let moved = !same_move(rows[0], rows[1]) && !is_open(block, method);
        change(rows, moved, is_depth, &group.traits)
    })
}

fn of_duel<'a>(duel: &'a Duel<'a>) -> impl Iterator<Item = Change<'a>> {
    let is_depth = duel.budget_kind == BudgetKind::Depth;
    let moved = |position: &SharedPosition<'a>| position.is_moved() == Some(true);
    duel.positions
        .iter()
        .filter_map(move |position| change(position.rows(), moved(position), is_depth, &duel.traits))
}

/// What changed between two searches of one position under one budget, if anything did that may be compared.
fn change<'a>(
    [base, row]: [&'a Record; 2],
    moved: bool,
    is_depth: bool,
    traits: &'a Traits,
) -> Option<Change<'a>> {
    let change = Change { base, row, moved, severity: 0.0, order: 0, traits };
    let differs = moved || base.score != row.score && is_depth;
    (differs && (is_depth || change.is_judged())).then_some(change)
}

impl Change<'_> {
    /// What is lost, in what people read values in: regret beyond the baseline's where an oracle judged both moves, else how
    /// far the values are apart.
    pub fn lost(&self) -> f64 {
        let is_proven = |row: &Record| row.score.is_some_and(|score| self.traits.is_proven(score));
        let lost = match self.base.regret.zip(self.row.regret) {
            Some((before, after)) => f64::from(after) - f64::from(before),
            None if is_proven(self.base) != is_proven(self.row) => return PROVEN,
            None => Some(self.base.value_distance(self.row)).filter(|x| x.is_finite()).unwrap_or(0.0),
        };
        lost / f64::from(self.traits.per_unit.max(1))
    }

    /// Whether an oracle says so.
    fn is_judged(&self) -> bool {
        self.base.regret.and(self.row.regret).is_some()
    }

    /// Game and budget in words.
    fn heading(&self) -> String {
        format!("{}, {}", self.row.game, labels::budget(self.row.budget_kind, self.row.budget))
    }

    /// Whether it is of this group.
    pub(crate) fn is_of(&self, group: &Group<'_>) -> bool {
        (&*self.row.game, &*self.row.suite, self.row.budget_kind, self.row.budget)
            == (group.game, group.suite, group.budget_kind, group.budget)
    }

    /// Whether both show the same: position, budget and moves.
    fn looks_like(&self, other: &Change<'_>) -> bool {
        let seen = |row: &Record| (row.game, row.budget_kind, row.budget, row.position, row.best_move);
        // Another position is mostly all that there is to see, and a large run asks this millions of times.
        self.row.position == other.row.position
            && seen(self.row) == seen(other.row)
            && seen(self.base) == seen(other.base)
    }

    fn value(&self, score: Option<i32>) -> String {
        match score {
            None => "-".to_owned(),
            Some(score) if self.traits.is_proven(score) => if score > 0 { "won" } else { "lost" }.to_owned(),
            Some(score) => format!("{:+.2}", self.in_units(score)),
        }
    }

    /// What the oracle says that a move loses.
    fn regret(&self, row: &Record) -> Option<String> {
        row.regret.map(|regret| format!("{:.2}", self.in_units(regret)))
    }

    fn in_units(&self, value: i32) -> f64 {
        f64::from(value) / f64::from(self.traits.per_unit.max(1))
    }

    fn lost_words(&self) -> String {
        if self.lost() >= PROVEN {
            "a proven value".to_owned()
        } else {
            format!("{:.2} {}s", self.lost(), self.traits.unit)
        }
    }

    fn severity_words(&self) -> String {
        if self.lost() >= PROVEN { "proven".to_owned() } else { format!("{:.1}", self.severity) }
    }

    fn saved(&self) -> String {
        format!("{}x", ratio(self.base.some_nodes() / self.row.some_nodes()))
    }
}

/// Nodes of a search as people read them.
fn nodes(row: &Record) -> String {
    row.nodes.map_or_else(|| "-".to_owned(), count)
}

/// The columns of the data.
fn columns<'c>() -> [Column<&'c Change<'c>>; 21] {
    [
        ("game", |change| change.row.game.to_string()),
        ("suite", |change| change.row.suite.to_string()),
        ("position", |change| change.row.position.to_string()),
        ("stage", |change| change.row.stage.to_string()),
        ("budget_kind", |change| change.row.budget_kind.to_string()),
        ("budget", |change| change.row.budget.to_string()),
        ("base_methods", |change| change.base.methods.to_string()),
        ("methods", |change| change.row.methods.to_string()),
        ("moved", |change| u8::from(change.moved).to_string()),
        ("lost", |change| format!("{:.2}", change.lost())),
        ("lost_sd", |change| format!("{:.3}", change.severity)),
        ("base_move", |change| change.base.best_move.to_string()),
        ("move", |change| change.row.best_move.to_string()),
        ("base_score", |change| or_empty(change.base.score)),
        ("score", |change| or_empty(change.row.score)),
        ("base_regret", |change| or_empty(change.base.regret)),
        ("regret", |change| or_empty(change.row.regret)),
        ("base_nodes", |change| or_empty(change.base.nodes)),
        ("nodes", |change| or_empty(change.row.nodes)),
        ("base_pv", |change| change.base.pv.to_string()),
        ("pv", |change| change.row.pv.to_string()),
    ]
}

fn or_empty<N: ToString>(number: Option<N>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// Changes as CSV. `lost` is in what people read values in (discs, pawns), `lost_sd` in standard deviations of the baseline's values in
/// that game; scores and regrets are in the unit of the record.
pub fn data(all: &[Change<'_>]) -> String {
    by_columns(columns(), all)
}

#[cfg(test)]
mod tests;
