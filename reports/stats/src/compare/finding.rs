//! What is weighed: cost on one side, accuracy on the other, each with its test.

use super::Duel;
use crate::contrast::{Contrast, Estimate, Mean, contrast};
use crate::inference::Shown;
use crate::measure::{Budgets, MEASURES, Measure, TIME, Unit};
use secateur_record::record::BudgetKind;

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
    #[must_use]
    pub fn worse(&self) -> Shown {
        let more = self.estimate.shown();
        if self.measure.more_is_better { more.turned() } else { more }
    }
}

/// The second side of a duel over, or less, the first.
#[must_use]
pub(super) fn contrast_of(duel: &Duel<'_>, measure: &Measure) -> Contrast {
    let turned = duel.positions.iter().map(|position| {
        let [first, second] = position.sides;
        (&*first.row.cluster, [second, first])
    });
    contrast(measure, turned)
}

/// Everything that a duel can be judged by. `same_run` says that times were taken in turns.
#[must_use]
pub(super) fn findings(duel: &Duel<'_>, same_run: bool) -> Vec<Finding> {
    let by_depth = duel.budget_kind == BudgetKind::Depth;
    let fits = |measure: &&Measure| match measure.budgets {
        Budgets::Depths => by_depth && (same_run || **measure != TIME),
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
