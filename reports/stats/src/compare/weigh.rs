//! What the duels show: the tests of all of them corrected together, and what that makes of the second side.
//! Weighed is cost on one side and accuracy on the other, each with its test.

use super::{Duel, SideBySide};
use crate::contrast::{Contrast, Estimate, Mean, contrast};
use crate::inference::{LEVEL, Shown, correct};
use crate::interval::Interval;
use crate::measure::{Budgets, INSTRUCTIONS, MEASURES, Measure, TIME, Unit};
use crate::spent::{Untimed, timed};
use secateur_record::record::BudgetKind;
use std::collections::BTreeSet;

/// What all duels together say of the second side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Something is shown to be better and nothing worse.
    Better,
    /// Something is shown to be worse and nothing better.
    Worse,
    /// Something is shown to be better and something worse.
    Trade,
    /// Nothing is shown.
    NotShown,
}

/// What was measured in a duel; its rows are not needed any more.
#[derive(Clone, Debug)]
pub struct WeighedDuel {
    /// What was compared, in words.
    pub label: String,
    /// Positions that both sides finished.
    pub positions: usize,
    /// Positions that only one side has, or that failed on one.
    pub left_out: usize,
    /// Positions that are left out of [`crate::measure::MOVES`], because the move of a side is undecided.
    pub undecided: usize,
    /// Positions on which both sides made the same search.
    pub repeated: usize,
    /// The second side's instructions over the first's, not tested.
    pub instructions: Option<Interval>,
    /// The same of times, where every search has one.
    pub times: Option<Interval>,
    /// Why there are no times.
    pub untimed: Option<Untimed>,
    /// One for each measure that both sides have, their p-values corrected.
    pub findings: Vec<Finding>,
}

impl WeighedDuel {
    fn of(duel: &Duel<'_>, sides: &SideBySide<'_>) -> WeighedDuel {
        let rows = |side: usize| duel.positions.iter().map(|position| position.rows()[side]).collect();
        let untimed = timed([0, 1].into_iter().map(rows)).err();
        let ratio = |measure: &Measure| {
            contrast_of(duel, measure).whole().filter(|_| sides.same_machine).map(|estimate| estimate.within)
        };
        WeighedDuel {
            label: duel.label(),
            positions: duel.positions.len(),
            left_out: duel.left_out,
            undecided: duel.undecided(),
            repeated: duel.repeated(),
            instructions: ratio(&INSTRUCTIONS),
            times: ratio(&TIME),
            untimed: untimed.filter(|_| sides.same_machine),
            findings: findings(duel, sides.same_run),
        }
    }

    /// The findings in which the second side is shown to be worse (above) or better (below).
    pub fn shown(&self, wanted: Shown) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.worse() == wanted)
    }
}

/// All duels, with their tests corrected for all of them.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// In the order of the first side.
    pub duels: Vec<WeighedDuel>,
    /// Tests that were made.
    pub tests: usize,
}

impl Weighed {
    /// The level of the strictest test.
    pub fn level(&self) -> f64 {
        LEVEL / self.tests.max(1) as f64
    }

    /// What it comes to.
    pub fn comparison(&self) -> Comparison {
        let any = |wanted| self.duels.iter().any(|weighed| weighed.shown(wanted).next().is_some());
        match (any(Shown::Below), any(Shown::Above)) {
            (true, true) => Comparison::Trade,
            (true, false) => Comparison::Better,
            (false, true) => Comparison::Worse,
            (false, false) => Comparison::NotShown,
        }
    }

    /// What the second side is shown to be worse in, in any duel.
    pub fn worse(&self) -> BTreeSet<&'static str> {
        self.duels
            .iter()
            .flat_map(|weighed| weighed.shown(Shown::Above))
            .map(|finding| finding.measure.name)
            .collect()
    }
}

/// Weighs all duels of two sides.
pub fn weigh(sides: &SideBySide<'_>) -> Weighed {
    corrected(measured(sides))
}

/// The duels of two sides, or of a slice of them, their p-values not yet corrected.
pub fn measured(sides: &SideBySide<'_>) -> Vec<WeighedDuel> {
    sides.duels.iter().map(|duel| WeighedDuel::of(duel, sides)).collect()
}

/// All duels of a comparison with their tests corrected together (Holm).
pub fn corrected(mut duels: Vec<WeighedDuel>) -> Weighed {
    let findings = duels.iter_mut().flat_map(|weighed| &mut weighed.findings);
    let tests = correct(findings.map(|finding| &mut finding.estimate.p));
    Weighed { duels, tests }
}

/// One measure of one duel.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was measured.
    pub measure: &'static Measure,
    /// Of the first and the second side: means, or how many positions are right.
    pub sides: [f64; 2],
    /// What means are read in (`discs`, `plies`); empty where they are counts.
    pub units: String,
    /// The second over, or less, the first side.
    pub estimate: Estimate,
}

impl Finding {
    /// Above: the second side is shown to be worse.
    pub fn worse(&self) -> Shown {
        let more = self.estimate.shown();
        if self.measure.more_is_better { more.turned() } else { more }
    }
}

/// The second side of a duel over, or less, the first.
pub(super) fn contrast_of(duel: &Duel<'_>, measure: &Measure) -> Contrast {
    let turned = duel.positions.iter().map(|position| {
        let [first, second] = position.sides;
        (&*first.row.cluster, [second, first])
    });
    contrast(measure, turned)
}

/// Everything that a duel can be judged by. `same_run` says that times were taken in turns.
pub(super) fn findings(duel: &Duel<'_>, same_run: bool) -> Vec<Finding> {
    let by_depth = duel.budget_kind == BudgetKind::Depth;
    let fits = |measure: &&Measure| match measure.budgets {
        Budgets::Depths => by_depth && (same_run || !measure.is_timed()),
        Budgets::Efforts => !by_depth,
        Budgets::All => true,
        Budgets::Asked => false,
    };
    let finding = |measure: &'static Measure| {
        let contrast = contrast_of(duel, measure);
        let estimate = contrast.whole()?;
        let (units, per_unit) = match measure.unit {
            Unit::OfGame => (duel.traits.units(), f64::from(duel.traits.per_unit.max(1))),
            Unit::Plies => ("plies".to_owned(), 1.0),
            _ => (String::new(), 1.0),
        };
        let n = if measure.mean == Mean::Share { 1.0 } else { estimate.n as f64 * per_unit };
        let [second, first] = contrast.sums.map(|sum| sum / n);
        Some(Finding {
            measure,
            sides: [first, second],
            units,
            estimate: estimate.in_units(per_unit).if_any(),
        })
    };
    MEASURES.iter().filter(fits).filter_map(finding).collect()
}
