//! What the duels show: the tests of all of them corrected together, and what that makes of the second side.

use super::finding::{Finding, Quantity, findings};
use super::{Duel, SideBySide};
use crate::inference::{LEVEL, Shown, holm};
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

/// A duel with everything that was measured.
#[derive(Clone, Debug)]
pub struct WeighedDuel<'m, 'a> {
    /// The duel.
    pub duel: &'m Duel<'a>,
    /// One for each measure that both sides have, their p-values corrected.
    pub findings: Vec<Finding>,
}

impl WeighedDuel<'_, '_> {
    /// The findings in which the second side is shown to be worse (above) or better (below).
    pub fn shown(&self, wanted: Shown) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.worse() == wanted)
    }
}

/// All duels, with their tests corrected for all of them.
#[derive(Clone, Debug)]
pub struct Weighed<'m, 'a> {
    /// In the order of the first side.
    pub duels: Vec<WeighedDuel<'m, 'a>>,
    /// Tests that were made.
    pub tests: usize,
}

impl Weighed<'_, '_> {
    /// The level of the strictest test.
    #[must_use]
    pub fn level(&self) -> f64 {
        LEVEL / self.tests.max(1) as f64
    }

    /// What it comes to.
    #[must_use]
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
    #[must_use]
    pub fn worse(&self) -> BTreeSet<Quantity> {
        self.duels
            .iter()
            .flat_map(|weighed| weighed.shown(Shown::Above))
            .map(|finding| finding.quantity)
            .collect()
    }
}

/// Weighs all duels of two sides.
#[must_use]
pub fn weigh<'m, 'a>(found: &'m SideBySide<'a>) -> Weighed<'m, 'a> {
    let measure = |duel| WeighedDuel { duel, findings: findings(duel, found.same_run) };
    let mut duels: Vec<WeighedDuel<'_, '_>> = found.duels.iter().map(measure).collect();
    let p_values: Vec<f64> = duels.iter().flat_map(|weighed| &weighed.findings).map(|f| f.p).collect();
    let mut corrected = holm(&p_values).into_iter();
    for finding in duels.iter_mut().flat_map(|weighed| &mut weighed.findings) {
        finding.p = corrected.next().unwrap_or(f64::NAN);
    }
    let tests = p_values.iter().filter(|p| !p.is_nan()).count();
    Weighed { duels, tests }
}
