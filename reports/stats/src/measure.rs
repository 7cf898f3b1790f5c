//! What searches are measured by: each measure is one entry of one table.
//!
//! Whatever compares two configurations (`compare`, factorial experiments, `worth`, growth, `docs/tests.toml`) compares them by one of
//! these, and [`crate::contrast`] makes its estimate and its test. `docs/MEASURES.md` is made from the table.

use crate::inference::mean::Mean;
use crate::metrics::same_move;
use secateur_record::record::Record;

/// What a number is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many times as much: a ratio.
    Times,
    /// A part of a whole, 0 to 1; printed in per cent.
    Share,
    /// What the game's values are read in: discs, pawns, per cent of winning probability.
    OfGame,
    /// Plies.
    Plies,
    /// Nodes.
    Nodes,
    /// Nodes a second.
    NodesASecond,
    /// Nanoseconds.
    Nanoseconds,
    /// A natural logarithm of a ratio.
    Logarithm,
    /// A number of things.
    Count,
    /// Elo.
    Elo,
    /// None of these.
    None,
}

impl Unit {
    /// In words.
    pub fn in_words(self) -> &'static str {
        match self {
            Unit::Times => "times",
            Unit::Share => "share, 0 to 1 (printed in %)",
            Unit::OfGame => "unit of the game (disc, pawn, % of winning probability)",
            Unit::Plies => "plies",
            Unit::Nodes => "nodes",
            Unit::NodesASecond => "nodes a second",
            Unit::Nanoseconds => "ns",
            Unit::Logarithm => "natural logarithm",
            Unit::Count => "count",
            Unit::Elo => "Elo",
            Unit::None => "-",
        }
    }
}

/// One search with all that it is measured by.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// Its row.
    pub row: &'a Record,
    /// The baseline's search of the same position, where the run has one.
    pub base: Option<&'a Record>,
    /// Whether it was asked and stayed open if its move is as good as the baseline's.
    pub is_open: bool,
    /// Whether it finished its position: its value is proven, or it had nothing left to search.
    pub is_finished: bool,
    /// Whether it solved the position, where the solution is known.
    pub solved: Option<bool>,
    /// Whether its value or the baseline's is proven (a mate, a win by a table), and so is no number of pawns.
    pub has_proven: bool,
    /// Fractional depth, where the record has its iterations.
    pub depth: Option<f64>,
}

/// Why a search has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Its position does not count by this measure.
    LeftOut,
    /// It should have one, which the record lacks.
    Missing,
}

/// Budgets at which two configurations can be compared by a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budgets {
    /// Depths: what a search costs, and how near it comes to the baseline's.
    Depths,
    /// Nodes, times and levels: how far a search comes.
    Efforts,
    /// Any.
    All,
    /// Those at which it is asked for by name.
    Asked,
}

impl Budgets {
    /// In words.
    pub fn in_words(self) -> &'static str {
        match self {
            Budgets::Depths => "depth",
            Budgets::Efforts => "nodes, time",
            Budgets::All => "any",
            Budgets::Asked => "where asked for",
        }
    }
}

/// What a search of a position is measured by, and with it how two configurations are compared.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name: of `compare`, its `--allow`, and `docs/tests.toml`.
    pub name: &'static str,
    /// What the value of a search is in.
    pub unit: Unit,
    /// How differences become one number, and by which test.
    pub mean: Mean,
    /// Whether more of it is better.
    pub more_is_better: bool,
    /// Budgets at which two configurations can be compared by it.
    pub budgets: Budgets,
    /// What a factorial experiment divides among methods, in words; empty where it divides another.
    pub divided: &'static str,
    /// What the value of a search is, and which positions count.
    pub definition: &'static str,
    value: fn(&Searched<'_>) -> Result<f64, Absent>,
}

impl PartialEq for Measure {
    /// By name: no two have the same.
    fn eq(&self, other: &Measure) -> bool {
        self.name == other.name
    }
}

impl Measure {
    /// Whether it rests on a clock, so that searches of two machines do not compare by it, and none that took no more than a tick.
    pub fn is_timed(&self) -> bool {
        matches!(self.unit, Unit::Nanoseconds | Unit::NodesASecond)
    }

    /// The value of a search.
    ///
    /// # Errors
    /// Why it has none.
    pub fn value(&self, search: &Searched<'_>) -> Result<f64, Absent> {
        (self.value)(search)
    }

    /// The value as what a factorial experiment divides: of ratios the logarithm, and more is dearer.
    ///
    /// # Errors
    /// Why it has none.
    pub fn cost(&self, search: &Searched<'_>) -> Result<f64, Absent> {
        let value = self.mean.scale(self.value(search)?);
        Ok(if self.more_is_better { -value } else { value })
    }

    /// What the cost is called in CSV.
    pub fn cost_name(&self) -> String {
        match self.mean {
            Mean::Geometric => format!("ln_{}", self.name),
            Mean::Share => format!("{}_changed", self.name),
            Mean::Arithmetic | Mean::Losses => self.name.to_owned(),
        }
    }

    /// What the cost is called in headings, as a cost in the units of the measure.
    pub fn cost_heading(&self) -> String {
        if self.mean == Mean::Share { format!("{} changed", self.name) } else { self.name.to_owned() }
    }

    /// Whether it is one of accuracy or depth, on a scale of its own rather than a ratio.
    pub fn is_difference(&self) -> bool {
        self.mean != Mean::Geometric
    }
}

macro_rules! measured {
    ($($constant:ident = {
        $name:literal, $unit:ident, $mean:ident, $more:literal, $budgets:ident, $divided:literal, $definition:literal, $value:expr
    };)+) => {
        $(
            #[doc = $definition]
            pub const $constant: Measure = Measure {
                name: $name,
                unit: Unit::$unit,
                mean: Mean::$mean,
                more_is_better: $more,
                budgets: Budgets::$budgets,
                divided: $divided,
                definition: $definition,
                value: $value,
            };
        )+
        /// All measures by which two configurations are compared, in the order of tables.
        pub const MEASURES: &[Measure] = &[$($constant),+];
    };
}

measured! {
    // name, unit, mean, whether more is better, budgets, what a factorial experiment divides, definition, value
    NODES = {
        "nodes", Nodes, Geometric, false, Depths, "the logarithm of nodes",
        "Nodes of a search, quiescence, probes and re-searches included.",
        |search| search.row.nodes.map(at_least_one).ok_or(Absent::Missing)
    };
    INSTRUCTIONS = {
        "instructions", Count, Geometric, false, Asked, "the logarithm of instructions",
        "Instructions of a search, where they are counted.",
        |search| search.row.instructions.map(at_least_one).ok_or(Absent::Missing)
    };
    TIME = {
        "time", Nanoseconds, Geometric, false, Depths, "the logarithm of CPU time",
        "CPU time of a search; compared within one run, and where every search took more than a tick of its clock.",
        |search| Ok(at_least_one(search.row.time_ns))
    };
    NODES_SAVED = {
        "nodes_saved", Times, Geometric, true, Asked, "",
        "Nodes of its baseline over nodes of a search: for arms at different depths, whose nodes cannot be compared.",
        |search| {
            let base = search.base.and_then(|base| base.nodes).map(at_least_one);
            Ok(base.ok_or(Absent::Missing)? / NODES.value(search)?)
        }
    };
    DEPTH = {
        "depth", Plies, Arithmetic, true, Efforts, "",
        "Fractional depth that a search reaches; without positions that either of two searches finished.",
        |search| match search.is_finished {
            true => Err(Absent::LeftOut),
            false => search.depth.ok_or(Absent::Missing),
        }
    };
    MOVES = {
        "moves", Share, Share, true, Depths, "the share of moves that are not the baseline's",
        "Whether a search has its baseline's move, or one that the baseline values alike; without positions at which that is undecided.",
        |search| match search.is_open {
            true => Err(Absent::LeftOut),
            false => search.base.map(|base| one_if(same_move(base, search.row))).ok_or(Absent::Missing),
        }
    };
    VALUES = {
        "values", Share, Share, true, Depths, "",
        "Whether a search has its baseline's value.",
        |search| {
            let both = search.base.and_then(|base| base.score).zip(search.row.score);
            both.map(|(base, score)| one_if(base == score)).ok_or(Absent::Missing)
        }
    };
    DISTANCE = {
        "dv", OfGame, Losses, false, Depths, "",
        "Distance of the value from the baseline's; without positions at which one of the values is proven (a mate, a win by a table).",
        |search| {
            let distance = || search.base.map(|base| base.value_distance(search.row)).filter(|apart| apart.is_finite());
            if search.has_proven { Err(Absent::LeftOut) } else { distance().ok_or(Absent::Missing) }
        }
    };
    REGRET = {
        "regret", OfGame, Losses, false, All, "mean regret",
        "Loss of the move by the oracle: its value of its own move less its value of the move chosen.",
        |search| search.row.regret.map(f64::from).ok_or(Absent::Missing)
    };
    SOLVED = {
        "solved", Share, Share, true, All, "",
        "Whether a search solves the position; of positions with a solution.",
        |search| search.solved.map(one_if).ok_or(Absent::LeftOut)
    };
}

fn at_least_one(count: u64) -> f64 {
    count.max(1) as f64
}

fn one_if(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// The measures that a factorial experiment divides among methods.
pub fn divided() -> impl Iterator<Item = &'static Measure> {
    MEASURES.iter().filter(|measure| !measure.divided.is_empty())
}

/// The measure of this name.
///
/// # Errors
/// The names that there are.
pub fn named(name: &str) -> Result<&'static Measure, String> {
    let names = || MEASURES.iter().map(|measure| measure.name).collect::<Vec<_>>().join(", ");
    MEASURES
        .iter()
        .find(|measure| measure.name == name)
        .ok_or_else(|| format!("measure `{name}`: expected one of {}", names()))
}
