//! Two runs, or two method sets, position by position: what changed, and whether that is shown.
//!
//! The first side is what there was, the second what is new. Runs that do not measure the same thing are refused with
//! the reason, because a number that compares them would be believed.

mod slices;
mod weigh;

use crate::group::{is_finished, is_proven};
use crate::labels::budget;
use crate::measure::Searched;
use crate::metrics::{Iterations, iterations, same_move, search_depth};
use crate::runs::{Runs, each_once};
use crate::solved::{Solutions, solutions};
use secateur_record::build::Build;
use secateur_record::games::Traits;
use secateur_record::manifest::{GameEntry, Manifest};
use secateur_record::record::{BudgetKind, Record};
use std::collections::{BTreeMap, BTreeSet};

pub use self::weigh::Finding;
pub use slices::{Unsliced, Whole, sliced};
pub use weigh::{Comparison, Weighed, WeighedDuel, corrected, measured, weigh};

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What reports call it.
    pub name: &'a str,
    /// Its records.
    pub runs: &'a Runs,
    /// The method set to compare; all of them, by name, for `None`.
    pub methods: Option<&'a str>,
}

/// What is compared: one method set of each side, in one game under one budget.
#[derive(Clone, Debug)]
pub struct Duel<'a> {
    /// Game.
    pub game: &'a str,
    /// What the budget counts.
    pub budget_kind: BudgetKind,
    /// Plies, nodes or nanoseconds.
    pub budget: u64,
    /// What its scores and stages mean.
    pub traits: Traits,
    /// The method sets of the two sides.
    pub methods: [&'a str; 2],
    /// The positions that both sides finished.
    pub positions: Vec<SharedPosition<'a>>,
    /// Positions that only one side has, or that failed on one.
    pub left_out: usize,
}

/// One position on both sides.
#[derive(Clone, Copy, Debug)]
pub struct SharedPosition<'a> {
    /// The searches of the first and the second side.
    pub sides: [Searched<'a>; 2],
}

/// Everything that the two sides have in common.
#[derive(Clone, Debug)]
pub struct SideBySide<'a> {
    /// Names of the sides.
    pub names: [&'a str; 2],
    /// The duels in the order of the first side's records.
    pub duels: Vec<Duel<'a>>,
    /// What a reader must know: what only one side has, what differs knowingly.
    pub notes: Vec<String>,
    /// Whether times and instructions were measured with the same processor and compiler.
    pub same_machine: bool,
    /// Whether both sides are of one run, so that times were taken in turns and may be judged.
    pub same_run: bool,
}

/// Game, budget and method set: what a duel is about.
type Topic<'a> = (&'a str, BudgetKind, u64, &'a str);
/// The measurements of one side: rows by position within topics.
type Rows<'a> = BTreeMap<Topic<'a>, BTreeMap<&'a str, &'a Record>>;
/// Sets two sides against each other, position by position. `across` lets parameters and evaluations differ, which is then noted.
///
/// # Errors
/// [`Incomparable`] with the first reason why the sides cannot be compared.
pub fn side_by_side<'a>(
    first: Side<'a>,
    second: Side<'a>,
    across: bool,
) -> Result<SideBySide<'a>, Incomparable> {
    let mut notes = differences(&first, &second, across)?;
    let shelves = [Shelf::of(first.runs), Shelf::of(second.runs)];
    let mut duels = Vec::new();
    let mut seen = Vec::new();
    for record in first.runs.records.iter().filter(|record| usable(record)) {
        let is_compared = first.methods.is_none_or(|methods| record.methods == methods);
        let topic: Topic<'_> = (&record.game, record.budget_kind, record.budget, &record.methods);
        if is_compared && !seen.contains(&topic) {
            seen.push(topic);
            let (game, kind, budget, methods) = topic;
            let other = (game, kind, budget, second.methods.unwrap_or(methods));
            match duel(&shelves, [topic, other]) {
                Some(paired) => duels.push(paired),
                None => notes.push(format!(
                    "{} has nothing to compare with {methods} of {} in {game}, {}.",
                    second.name,
                    first.name,
                    crate::labels::budget(kind, budget)
                )),
            }
        }
    }
    if duels.is_empty() {
        return Err(Incomparable::NothingInCommon { first: contents(&first), second: contents(&second) });
    }
    let other = other_machines(first.runs, second.runs);
    let same_machine = other.is_none();
    notes.extend(other.map(|why| format!("{why}; so times and instructions are not compared.")));
    Ok(SideBySide {
        names: [first.name, second.name],
        duels,
        notes,
        same_machine,
        same_run: std::ptr::eq(first.runs, second.runs),
    })
}

/// Measurements of this program; arms of other programs are not method sets.
fn usable(record: &Record) -> bool {
    record.repeat == 0 && record.suite != secateur_record::peers::SUITE
}

/// What one side has, by topic and position.
struct Shelf<'a> {
    runs: &'a Runs,
    rows: Rows<'a>,
    /// Game and budget at which the baseline was asked which moves are as good as its own, and answered for some.
    asked: BTreeSet<(&'a str, BudgetKind, u64)>,
    iterations: Iterations<'a>,
    solutions: Solutions,
}

impl<'a> Shelf<'a> {
    fn of(runs: &'a Runs) -> Shelf<'a> {
        let (mut rows, mut asked) = (Rows::new(), BTreeSet::new());
        for record in runs.records.iter().filter(|record| usable(record)) {
            let topic = (&*record.game, record.budget_kind, record.budget, &*record.methods);
            rows.entry(topic).or_default().insert(&*record.position, record);
            if record.move_tied.is_some() {
                asked.insert((&*record.game, record.budget_kind, record.budget));
            }
        }
        // At a fixed depth it does not matter how deep a search came.
        let by_depth = rows.keys().all(|topic| topic.1 == BudgetKind::Depth);
        let iterations = if by_depth { Iterations::new() } else { iterations(&runs.iterations) };
        Shelf { runs, rows, asked, iterations, solutions: solutions(runs) }
    }

    /// A search that did not fail, with what it is measured by.
    fn search(&self, topic: Topic<'a>, row: &'a Record, game: (&Traits, bool)) -> Option<Searched<'a>> {
        let (name, kind, budget, _) = topic;
        let base = self.rows.get(&(name, kind, budget, self.runs.baseline(name)));
        let base = base.and_then(|rows| rows.get(&*row.position).copied()).filter(|row| row.error.is_none());
        let solution = self.solutions.get(&(row.run, row.game, row.position));
        row.error.is_none().then(|| Searched {
            row,
            base,
            is_open: base.is_some_and(|base| row.is_undecided(base))
                && self.asked.contains(&(name, kind, budget)),
            is_finished: is_finished(game.0, game.1, row),
            solved: solution.map(|solution| solution.solves(&row.best_move, row.score)),
            has_proven: base.into_iter().chain([row]).any(|row| is_proven(game.0, row)),
            depth: search_depth(row, &self.iterations),
        })
    }
}

fn duel<'a>(shelves: &[Shelf<'a>; 2], topics: [Topic<'a>; 2]) -> Option<Duel<'a>> {
    let (game, budget_kind, budget, _) = topics[0];
    let (traits, is_ours) =
        (shelves[0].runs.traits(game), shelves.iter().all(|shelf| shelf.runs.is_ours(game)));
    let [first, second] = [0, 1].map(|side| shelves[side].rows.get(&topics[side]));
    let (first, second) = (first?, second?);
    let shared = first.iter().filter_map(|(position, row)| {
        let search = |side: usize, row| shelves[side].search(topics[side], row, (&traits, is_ours));
        Some(SharedPosition { sides: [search(0, row)?, search(1, second.get(position)?)?] })
    });
    let positions: Vec<SharedPosition<'_>> = shared.collect();
    let both = first.keys().filter(|position| second.contains_key(*position)).count();
    let all = first.len() + second.len() - both;
    let methods = topics.map(|topic| topic.3);
    let left_out = all - positions.len();
    (!positions.is_empty()).then_some(Duel {
        game,
        budget_kind,
        budget,
        traits,
        methods,
        positions,
        left_out,
    })
}

impl<'a> SharedPosition<'a> {
    /// The rows of the first and the second side.
    pub fn rows(&self) -> [&'a Record; 2] {
        self.sides.map(|side| side.row)
    }

    /// Whether the second side plays another move than the first, and not two that one baseline values like its own; `None` if that
    /// hangs on an undecided move.
    pub fn is_moved(&self) -> Option<bool> {
        let [first, second] = self.rows();
        let [Some(base), Some(other)] = self.sides.map(|side| side.base) else {
            return Some(first.best_move != second.best_move);
        };
        if first.best_move == second.best_move || base.best_move != other.best_move {
            return Some(first.best_move != second.best_move);
        }
        let keeps = [same_move(base, first), same_move(other, second)];
        // Two moves one of which is known to be no equal of the baseline's are different, whatever the other is.
        if (0..2).any(|side| !keeps[side] && !self.sides[side].is_open) {
            return Some(true);
        }
        if keeps == [true; 2] { Some(false) } else { None }
    }
}

impl Duel<'_> {
    /// Positions that are left out of what is said of moves kept, because the move of a side is undecided.
    pub fn undecided(&self) -> usize {
        self.positions.iter().filter(|position| position.sides.iter().any(|side| side.is_open)).count()
    }

    /// What is compared, in words.
    pub fn label(&self) -> String {
        let budget = budget(self.budget_kind, self.budget);
        let [first, second] = self.methods;
        let methods = if first == second { first.to_owned() } else { format!("{second} against {first}") };
        format!("{}, {budget}: {methods}", self.game)
    }

    /// Positions on which both sides made the same search.
    pub fn repeated(&self) -> usize {
        let result = |row: &Record| (row.nodes, row.depth, row.score, row.best_move);
        let same = |position: &&SharedPosition<'_>| {
            let [first, second] = position.rows();
            result(first) == result(second)
        };
        self.positions.iter().filter(same).count()
    }
}

/// Why two sides cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// The cells that finish last are not a random sample.
    #[error("{run} is not complete: the cells that are missing are not a random sample; resume it first")]
    Incomplete {
        /// The side.
        run: String,
    },
    /// A position set of one name has two contents.
    #[error("the positions differ: {set} has the hash {first} in the first run and {second} in the second")]
    Positions {
        /// Name of the set.
        set: String,
        /// Hash on the first side.
        first: String,
        /// Hash on the second side.
        second: String,
    },
    /// Parameters or evaluations differ, without leave to.
    #[error(
        "the {what} of {game} differ: {first} in the first run and {second} in the second; --across compares \
         nevertheless"
    )]
    Setup {
        /// `parameters` or `evaluations`.
        what: &'static str,
        /// The game.
        game: String,
        /// Hash on the first side.
        first: String,
        /// Hash on the second side.
        second: String,
    },
    /// A method set was asked for that a side does not have.
    #[error("{run} has no records of `{methods}`; it has {known}")]
    NoSuchMethods {
        /// The side.
        run: String,
        /// What was asked for.
        methods: String,
        /// What there is.
        known: String,
    },
    /// No position was searched on both sides in a game, under a budget, with a method set.
    #[error(
        "nothing in common: no position was searched by the same method set under the same budget in both; the first has {first}; the second has {second}"
    )]
    NothingInCommon {
        /// What the first side has.
        first: String,
        /// What the second side has.
        second: String,
    },
}

/// Checks both sides; what may differ but should be known comes out as notes.
fn differences(first: &Side<'_>, second: &Side<'_>, across: bool) -> Result<Vec<String>, Incomparable> {
    for side in [first, second] {
        if side.runs.manifests.iter().any(|manifest| !manifest.complete) {
            return Err(Incomparable::Incomplete { run: side.name.to_owned() });
        }
        let methods_in_run: BTreeSet<&str> =
            side.runs.records.iter().filter(|r| usable(r)).map(|r| &*r.methods).collect();
        if let Some(methods) = side.methods.filter(|methods| !methods_in_run.contains(methods)) {
            let methods_in_run = methods_in_run.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Incomparable::NoSuchMethods {
                run: side.name.to_owned(),
                methods: methods.to_owned(),
                known: methods_in_run,
            });
        }
    }
    let manifests = first.runs.manifests.iter().chain(&second.runs.manifests);
    let mut notes: Vec<String> = manifests.flat_map(Manifest::cuts).collect();
    for one in games(first.runs) {
        for other in games(second.runs).filter(|other| other.name == one.name) {
            positions_agree(one, other)?;
            for (what, [a, b]) in unlike(one, other) {
                let game = one.name.clone();
                if !across {
                    return Err(Incomparable::Setup { what, game, first: a, second: b });
                }
                notes.push(format!("The {what} of {game} differ: {a} and {b}."));
            }
        }
    }
    notes.sort();
    notes.dedup();
    Ok(notes)
}

/// What decides the searches of both sides and is not the same: the evaluation, and the identity of every arm that both
/// have.
fn unlike(one: &GameEntry, other: &GameEntry) -> Vec<(&'static str, [String; 2])> {
    let or_unknown = |text: &String| if text.is_empty() { "unknown".to_owned() } else { text.clone() };
    let mut pairs = vec![("evaluations", [one, other].map(|game| or_unknown(&game.evaluation)))];
    let both = one.arms.keys().filter_map(|arm| Some((arm, one.arm_differs(other, arm)?)));
    pairs.extend(both.map(|(arm, differ)| ("parameters", differ.map(|value| format!("{value} of `{arm}`")))));
    pairs.retain(|(_, [a, b])| a != b);
    pairs
}

fn positions_agree(one: &GameEntry, other: &GameEntry) -> Result<(), Incomparable> {
    for (set, hash) in &one.sets {
        if let Some(other_hash) = other.sets.get(set).filter(|other_hash| *other_hash != hash) {
            let (first, second) = (hash.clone(), other_hash.clone());
            return Err(Incomparable::Positions { set: set.clone(), first, second });
        }
    }
    Ok(())
}

fn games(runs: &Runs) -> impl Iterator<Item = &GameEntry> {
    runs.manifests.iter().flat_map(|manifest| &manifest.game)
}

/// Why times and instructions of both sides cannot be compared: what differs between their builds; nothing if all were one
/// class of machines, one compiler and one set of flags.
fn other_machines(first: &Runs, second: &Runs) -> Option<String> {
    let all = || first.builds.iter().chain(&second.builds);
    if all().next().is_none() || all().any(|build| build.compiled.rustc.is_empty()) {
        return Some("Not every run says what it was made on".to_owned());
    }
    let differs = |fact: &dyn Fn(&Build) -> String| all().map(fact).collect::<BTreeSet<_>>().len() > 1;
    let facts: [(&str, bool); 6] = [
        ("processors", differs(&|build| build.machine.cpu.clone())),
        ("numbers of cores", differs(&|build| build.machine.cores.to_string())),
        ("systems", differs(&|build| build.machine.system.clone())),
        ("compilers", differs(&|build| build.compiled.rustc.clone())),
        ("compiler flags", differs(&|build| build.compiled.rustflags.clone())),
        ("build profiles", differs(&|build| build.compiled.profile.clone())),
    ];
    let names: Vec<&str> = facts.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    (!names.is_empty()).then(|| format!("What differs: {}", names.join(", ")))
}

/// What a side has, for those who must find out why nothing fits.
fn contents(side: &Side<'_>) -> String {
    let records = side.runs.records.iter().filter(|record| usable(record));
    let topics = each_once(records.map(|record| (record.game, record.budget_kind, record.budget)));
    let topic_in_words = |(game, kind, amount)| format!("{game} at {}", budget(kind, amount));
    let topics: Vec<String> = topics.into_iter().map(topic_in_words).collect();
    if topics.is_empty() { "no measurements of this program".to_owned() } else { topics.join(", ") }
}

#[cfg(test)]
mod tests;
