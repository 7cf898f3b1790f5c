//! The record: three CSV files that hold everything a report may say.
//!
//! Integers in base units, schema number first, one row per finished thing. Derived numbers (ratios, rates,
//! intervals) are never stored: they are recomputed from these rows. docs/RECORD.md describes each column.

use crate::label::Label;
use secateur_base::Fnv;
use secateur_base::hash::mixed;
use std::fmt;

pub use crate::columns::{Bound, BudgetKind, Failure, Sanity, Text};

/// Version of the column layout; raised when a column changes its meaning, name or place.
pub const SCHEMA: u32 = 3;

/// What names one cell of the matrix: one search of one position by one method set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellKey {
    /// Game: `othello` or `chess`.
    pub game: Label,
    /// Suite: `quick`, `table2`.
    pub suite: Label,
    /// Identifier of the position: set name and number, or a hash.
    pub position: Label,
    /// Method set in canonical order: `none`, `null-move+mpc`.
    pub methods: Label,
    /// Identity of the arm (`Setup::arm_id` of the suites), 16 hex digits.
    pub params: Label,
    /// `depth`, `nodes`, `time` or `level`.
    pub budget_kind: BudgetKind,
    /// Plies, nodes, nanoseconds of thread CPU time (of wall time in a run of programs side by side), or the level.
    pub budget: u64,
    /// 0 for the measurement; 1 and up for repetitions (the A/A rows).
    pub repeat: u32,
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellKey { game, position, methods, budget_kind, budget, repeat, .. } = self;
        write!(f, "{game} {position} {methods} {budget_kind} {budget}")?;
        if *repeat > 0 { write!(f, " repeat {repeat}") } else { Ok(()) }
    }
}

impl CellKey {
    /// Its short name.
    pub fn id(&self) -> CellId {
        let CellKey { game, suite, position, methods, params, budget_kind, budget, repeat } = self;
        let (budget, repeat) = (budget.to_string(), repeat.to_string());
        CellId::of(
            [game, suite, position, methods, params, budget_kind.name(), &budget, &repeat].map(str::as_bytes),
        )
    }
}

/// The short name of a cell, by which the rows of all files name it: a hash of its key, so that it is the same in every part of a
/// run and in every order of its rows.
///
/// Eleven characters of which the first is a letter, so that no program takes a column of them for numbers. It has 54 bits: of a
/// million cells two have the same name once in forty thousand runs, which is found as a damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u64);

/// The digits of names: no letter that looks like another one or like a figure. The last sixteen are letters.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The value of each digit; every row that is read has eleven to be looked up.
const VALUES: [Option<u64>; 256] = {
    let mut values = [None; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = Some(value as u64);
        value += 1;
    }
    values
};

impl CellId {
    /// Of the fields of a key, in the order of [`CellKey`].
    pub fn of(key: [&[u8]; 8]) -> CellId {
        let mut fnv = Fnv::default();
        for field in key {
            fnv.bytes(field).bytes(&[0xff]);
        }
        // Mixed, any 54 bits depend on all. The highest bit tells it from no name.
        CellId((mixed(fnv.value()) >> 10) | (1 << 54))
    }

    /// Whether a row has none: one that was made and is not yet placed.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from(*self))
    }
}

impl From<CellId> for String {
    fn from(id: CellId) -> String {
        // The first digit stands for the highest five bits, of which the first is set: it is a letter.
        let digit = |place: u32| char::from(DIGITS[((id.0 >> (5 * place)) & 31) as usize]);
        if id.is_none() { String::new() } else { (0..11).rev().map(digit).collect() }
    }
}

impl TryFrom<&str> for CellId {
    type Error = String;

    fn try_from(text: &str) -> Result<CellId, String> {
        let value = |number: u64, digit: u8| Some((number << 5) | VALUES[usize::from(digit)]?);
        let number = text.bytes().try_fold(0, value).filter(|number| text.is_empty() || number >> 54 == 1);
        let wrong =
            || format!("found `{text}`, expected the name of a cell: a letter and ten letters or digits");
        number.filter(|_| text.is_empty() || text.len() == 11).map(CellId).ok_or_else(wrong)
    }
}

/// One row of `records.csv`: what one search gave.
///
/// The fields of [`CellKey`] are among them, because they are columns of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Run that made the row.
    pub run: Label,
    /// See [`CellId`]; that of the key that follows.
    pub cell: CellId,
    /// See [`CellKey::game`].
    pub game: Label,
    /// See [`CellKey::suite`].
    pub suite: Label,
    /// See [`CellKey::position`].
    pub position: Label,
    /// Source game or family of the position: rows of one cluster are not independent.
    pub cluster: Label,
    /// What tables group by: disc count (`28`), `opening`, `middlegame`, `endgame`.
    pub stage: Label,
    /// See [`CellKey::methods`].
    pub methods: Label,
    /// See [`CellKey::params`].
    pub params: Label,
    /// See [`CellKey::budget_kind`].
    pub budget_kind: BudgetKind,
    /// See [`CellKey::budget`].
    pub budget: u64,
    /// See [`CellKey::repeat`].
    pub repeat: u32,
    /// Last completed iteration, in plies; absent where the protocol of a program has no words for it.
    pub depth: Option<u32>,
    /// Deepest ply reached, quiescence included.
    pub seldepth: u32,
    /// All nodes: interior, horizon, quiescence, probes, re-searches; absent where a program does not say.
    pub nodes: Option<u64>,
    /// Of these, quiescence nodes.
    pub qnodes: u64,
    /// Of these, nodes inside probes (null-move, ProbCut check, Multi-Cut searches).
    pub probe_nodes: u64,
    /// Nodes answered by the transposition table.
    pub tt_hits: u64,
    /// Value of the last completed iteration, side to move, in the game's unit (1/100 disc, centipawn); absent where a
    /// program does not say.
    pub score: Option<i32>,
    /// `exact`, `lower` or `upper`; empty where there is no result.
    pub bound: Option<Bound>,
    /// Best move of the last completed iteration.
    pub best_move: Label,
    /// `1` if the baseline at the same depth values this row's move like its own best (ties count as same
    /// move), `0` if not; empty for the baseline, for the same move, and where no search decided it.
    pub move_tied: Option<bool>,
    /// Principal variation, moves separated by spaces.
    pub pv: Text,
    /// `ok`, or why the principal variation is not sane: `illegal`, `short`, `long`, `leaf`; a flag after `ok:` says why
    /// another one is right: `ok:terminal`, `ok:repetition`, `ok:chance`, `ok:shortened`, `ok:pruned` (docs/RECORD.md).
    pub pv_ok: Sanity,
    /// Thread CPU time of the search, nanoseconds; wall time in a run of programs side by side.
    pub time_ns: u64,
    /// Instructions counted by callgrind; empty where they were not counted.
    pub instructions: Option<u64>,
    /// Oracle regret in the unit of `score`; empty where there was no oracle.
    pub regret: Option<i32>,
    /// Why there is no result; empty for a good row. The numbers of a row with an error mean nothing.
    pub error: Option<Failure>,
    /// Which program on which computer made the row: the id of a `[[build]]` of run.toml.
    pub build: Label,
    /// Seal over this row and all rows of its cell in the other two files ([`crate::store`]), 16 hex digits.
    pub seal: Text,
}

impl Record {
    /// Whether this row has another move than that of the baseline at the same depth, and it is open whether the two are
    /// tied.
    pub fn is_undecided(&self, best: &Record) -> bool {
        let comparable = self.budget_kind == BudgetKind::Depth && self.depth == best.depth;
        let is_other = self.best_move != best.best_move && self.move_tied.is_none();
        comparable && is_other && self.error.is_none() && best.error.is_none()
    }

    /// Whether the row has a move and nothing of a search: of a program that says no more, or that answered at once because one
    /// move alone was legal.
    pub fn is_unsearched(&self) -> bool {
        let says = self.depth.is_some() || self.nodes.is_some() || self.score.is_some();
        self.error.is_none() && !says
    }

    /// All nodes as a number to reckon with; NaN where the program does not say, so that nothing can be made of it.
    pub fn nodes(&self) -> f64 {
        self.nodes.map_or(f64::NAN, |nodes| nodes as f64)
    }

    /// The same, at least 1: for ratios, which a search of no nodes must not bring to 0.
    pub fn some_nodes(&self) -> f64 {
        self.nodes.map_or(f64::NAN, |nodes| nodes.max(1) as f64)
    }

    /// The depth as a number to reckon with, plies; NaN where the program does not say.
    pub fn depth(&self) -> f64 {
        self.depth.map_or(f64::NAN, f64::from)
    }

    /// How far the values of two rows are apart, score units; NaN where one of them has none.
    pub fn value_distance(&self, other: &Record) -> f64 {
        self.score.zip(other.score).map_or(f64::NAN, |(one, two)| f64::from(one.abs_diff(two)))
    }
}

/// One row of `iterations.csv`: the state after each completed iteration of the cell.
///
/// The file names the cell, whose key stands in `records.csv`; whoever reads a run has the key in the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationRow {
    /// See [`CellId`].
    pub cell: CellId,
    /// See [`CellKey::game`].
    pub game: Label,
    /// See [`CellKey::suite`].
    pub suite: Label,
    /// See [`CellKey::position`].
    pub position: Label,
    /// See [`CellKey::methods`].
    pub methods: Label,
    /// See [`CellKey::params`].
    pub params: Label,
    /// See [`CellKey::budget_kind`].
    pub budget_kind: BudgetKind,
    /// See [`CellKey::budget`].
    pub budget: u64,
    /// See [`CellKey::repeat`].
    pub repeat: u32,
    /// Depth of the iteration.
    pub depth: u32,
    /// Nodes since the start of the search, cumulative.
    pub nodes: u64,
    /// Quiescence nodes among them, cumulative.
    pub qnodes: u64,
    /// Value of the iteration.
    pub score: i32,
    /// Best move of the iteration.
    pub best_move: Label,
    /// Thread CPU time since the start of the search, cumulative, nanoseconds; the engine's own clock in a run of programs side by side.
    pub time_ns: u64,
}

/// One row of `counters.csv`: what one method did at one depth and stage, summed over one cell. Named as an [`IterationRow`] is.
///
/// The last seven columns are empty where they are 0, which they mostly are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterRow {
    /// See [`CellId`].
    pub cell: CellId,
    /// See [`CellKey::game`].
    pub game: Label,
    /// See [`CellKey::suite`].
    pub suite: Label,
    /// See [`CellKey::position`].
    pub position: Label,
    /// See [`CellKey::methods`].
    pub methods: Label,
    /// See [`CellKey::params`].
    pub params: Label,
    /// See [`CellKey::budget_kind`].
    pub budget_kind: BudgetKind,
    /// See [`CellKey::budget`].
    pub budget: u64,
    /// See [`CellKey::repeat`].
    pub repeat: u32,
    /// The method that was asked.
    pub method: Label,
    /// Depth (height) of the nodes.
    pub depth: u32,
    /// Stage of the nodes, the name in the game's `STAGES`.
    pub stage: Label,
    /// Nodes (for futility and lmr: moves) at which the method's guards held and it did its test.
    pub tries: u64,
    /// Cuts that claim value >= beta; for razoring and lmr always 0, for futility those of its reverse form.
    pub cuts_high: u64,
    /// Cuts that claim value <= alpha; futility: moves skipped; razoring: depths shortened; lmr: moves that a shallower
    /// search left at or below alpha.
    pub cuts_low: u64,
    /// Nodes spent in the method's own searches.
    pub probe_nodes: u64,
    /// Cuts searched again without the method (the audit).
    pub audited: u64,
    /// Audited cuts whose claim was false.
    pub broken: u64,
    /// One cut in this many was audited, chosen by position hash; 0 without an audit.
    pub audit_every: u64,
    /// Nodes of the searches that decided the audited claims: what the cuts saved, before `probe_nodes`.
    pub audit_nodes: u64,
    /// For ProbCut and MPC: broken claims that the fitted model predicts for the audited cuts, in millionths of one.
    pub foretold_ppm: u64,
    /// For ProbCut and MPC: audited cuts whose check came within a quarter of a standard deviation of its threshold,
    /// where the promise itself is tested.
    pub near: u64,
    /// The broken ones among them.
    pub near_broken: u64,
}

/// The rows of one finished cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The row of `records.csv`.
    pub record: Record,
    /// The rows of `iterations.csv`, by depth.
    pub iterations: Vec<IterationRow>,
    /// The rows of `counters.csv`, by method, stage and depth.
    pub counters: Vec<CounterRow>,
}

/// Hash of which cells there are, in their order, 16 hex digits.
pub fn cells_hash(keys: impl Iterator<Item = CellKey>) -> String {
    let mut hash = CellsHash::default();
    for key in keys {
        let texts = [&key.game, &key.suite, &key.position, &key.methods, key.budget_kind.name()];
        hash.add(texts, key.budget, key.repeat);
    }
    hash.hex()
}

/// The same, fed cell by cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct CellsHash(Fnv);

impl CellsHash {
    /// Adds a cell: its game, suite, position, methods and kind of budget, then budget and repeat.
    pub fn add(&mut self, texts: [&str; 5], budget: u64, repeat: u32) {
        for text in texts {
            self.0.field(text);
        }
        self.0.bytes(&budget.to_le_bytes()).bytes(&repeat.to_le_bytes());
    }

    /// The hash so far, 16 hex digits.
    pub fn hex(&self) -> String {
        self.0.hex()
    }
}

macro_rules! has_key {
    ($($row:ty { $($field:ident: $value:expr)? }),+) => {$(
        impl $row {
            /// The cell that the row belongs to.
            pub fn key(&self) -> CellKey {
                CellKey {
                    game: self.game,
                    suite: self.suite,
                    position: self.position,
                    methods: self.methods,
                    params: self.params,
                    budget_kind: self.budget_kind,
                    budget: self.budget,
                    repeat: self.repeat,
                }
            }

            /// The short name of that cell.
            pub(crate) fn id(&self) -> CellId {
                self.key().id()
            }

            /// The row as one of this cell.
            #[must_use]
            pub fn at(self, key: &CellKey) -> Self {
                self.named(key, key.id())
            }

            /// The same where the name of the cell is known.
            #[must_use]
            pub(crate) fn named(self, key: &CellKey, cell: CellId) -> Self {
                Self {
                    $($field: $value,)?
                    cell,
                    game: key.game,
                    suite: key.suite,
                    position: key.position,
                    methods: key.methods,
                    params: key.params,
                    budget_kind: key.budget_kind,
                    budget: key.budget,
                    repeat: key.repeat,
                    ..self
                }
            }

            /// A row of this cell with nothing in it yet.
            pub fn of(key: &CellKey) -> Self {
                Self::default().at(key)
            }
        }
    )+};
}
has_key!(Record { schema: SCHEMA }, IterationRow {}, CounterRow {});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_a_name_of_its_own_that_is_read_back() {
        let key = |repeat, methods: &str| CellKey {
            game: "chess".into(),
            suite: "s".into(),
            position: "p".into(),
            methods: methods.into(),
            params: "0".into(),
            budget_kind: BudgetKind::Depth,
            budget: 8,
            repeat,
        };
        let mut all: Vec<CellId> = (0..100_000).map(|repeat| key(repeat, "none").id()).collect();
        all.push(key(0, "nonE").id());
        for id in &all {
            let text = String::from(*id);
            assert!(text.len() == 11 && text.as_bytes()[0].is_ascii_lowercase(), "{text}");
            assert_eq!(CellId::try_from(text.as_str()), Ok(*id));
        }
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(CellId::try_from(""), Ok(CellId::default()));
        for wrong in ["0123456789a", "g0123", "g012345678i", "g01234567890", "z\u{e9}"] {
            assert!(CellId::try_from(wrong).is_err(), "{wrong}");
        }
    }

    /// What a report holds for each row: a million rows of records in a quarter of a gigabyte, their texts included.
    #[test]
    fn rows_are_small() {
        let bytes = [size_of::<Record>(), size_of::<IterationRow>(), size_of::<CounterRow>()];
        assert!(bytes[0] <= 184 && bytes[1] <= 80 && bytes[2] <= 144, "{bytes:?}");
    }

    /// What is written today stays readable: the name is in files.
    #[test]
    fn names_do_not_change() {
        let key = CellKey {
            game: "othello".into(),
            suite: "quick".into(),
            position: "othello-12#0125".into(),
            methods: "none".into(),
            params: "042aaaac8d463e2d".into(),
            budget_kind: BudgetKind::Depth,
            budget: 12,
            repeat: 0,
        };
        assert_eq!(key.id().to_string(), "qgbab9dwth8");
    }
}
