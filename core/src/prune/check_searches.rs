//! The checks of ProbCut and Multi-ProbCut: shallow searches that predict on which side of a bound the deep one lies.
//!
//! Source: Buro 1995, section 2, and Buro 1997. One pair of depths or several, the model of each with its threshold, the
//! glance at the static evaluation before a check, and nesting; and checks without a model, whose margins are chosen. Which there are
//! is each method's own.

use super::surface::Surface;
use super::{Asks, Calibration, Depths, Guards, Method, Place, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Grounds, Kind, MAX_DEPTH, Node, Path, Search};
use serde::{Deserialize, Serialize};

/// Which of the two bounds a null window has tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// Beta, then alpha, as printed in Buro 1995 and Jiang & Buro 2003.
    #[default]
    Both,
    /// The one nearer to the static evaluation: half the checks, nearly all the cuts (Andersson's Zebra).
    Nearer,
    /// The one that the expected node type speaks for, beta at an expected cut node and alpha at an expected all node:
    /// the audit finds that cuts the other way break their promise (docs/RESULTS.md).
    Expected,
    /// Beta alone, whatever is expected (Scan).
    High,
}

/// Where the sigma of a check is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sigma {
    /// The fit of its pair of depths at its stage, as in Buro 1995 and 1997.
    #[default]
    Pair,
    /// One smooth function of stage and depths, drawn through the sigmas of all fits of depths of one parity (Egaroucid).
    Surface,
}

/// Checks at every depth from one on, of a share of it, with a margin linear in the depth (Scan).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Linear {
    /// Least depth with a check, plies; 0 switches the form off.
    pub from: i32,
    /// Percent of the depth that a check searches, rounded down, 0 to 99.
    pub share: i32,
    /// Score units a ply of the node by which the check must exceed the bound, at least 0.
    pub margin: i32,
}

impl Default for Linear {
    fn default() -> Linear {
        Linear { from: 0, share: 40, margin: 10 }
    }
}

impl Linear {
    /// Whether these checks take the place of pairs.
    pub(super) fn is_on(&self) -> bool {
        self.from != 0
    }
}

/// The width of a glance that leaves no check out.
pub(super) fn everything() -> f64 {
    f64::INFINITY
}

/// A depth pair, and when it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) shallow: i32,
    pub(super) deep: i32,
    /// The first iteration, and the first that is too late.
    pub(super) iterations: (i32, i32),
}

impl Pair {
    /// A pair that is always used.
    pub(super) fn always((shallow, deep): (i32, i32)) -> Pair {
        Pair { shallow, deep, iterations: (i32::MIN, i32::MAX) }
    }
}

/// When checks are made and when they cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) t: f64,
    /// Added to t where the expected node type speaks against the cut.
    pub(super) against: f64,
    /// Taken off t for every ply of height above the lowest pair's.
    pub(super) per_ply: f64,
    pub(super) sigma: Sigma,
    pub(super) sides: Sides,
    pub(super) glance: f64,
    pub(super) nesting: u8,
    pub(super) guards: Guards,
}

/// One check: the shallow depth and the model with its threshold.
#[derive(Clone, Copy, Debug)]
struct Check {
    shallow: i32,
    iterations: (i32, i32),
    a: f64,
    b: f64,
    sigma: f64,
    margin: f64,
    /// Added to the margin where the node type speaks against the cut.
    against: f64,
    glance: Option<Glance>,
    /// Whether the numbers are those of a model, whose word a cut rests on.
    modelled: bool,
}

impl Rules {
    /// Every check of its pair, with one threshold, and none within another.
    pub(super) fn plain(t: f64, sides: Sides, guards: Guards) -> Rules {
        let (sigma, glance) = (Sigma::Pair, everything());
        Rules { t, against: 0.0, per_ply: 0.0, sigma, sides, glance, nesting: 0, guards }
    }

    /// Refuses numbers that are out of range, also among those that are added to t by stage.
    fn check<M: Method>(&self, by_stage: &[f64], stages: usize) -> Result<(), SetupError> {
        let Rules { t, against, per_ply, glance, nesting, .. } = *self;
        M::require(
            glance >= 0.0,
            format_args!("glance = {glance}: expected standard deviations of at least 0 (or inf)"),
        )?;
        M::require(t >= 0.0, format_args!("t = {t}: expected a threshold of at least 0 (or inf)"))?;
        let count = by_stage.len();
        M::require(
            count <= stages,
            format_args!("by-stage: found {count} numbers, expected at most {stages} stages"),
        )?;
        let terms = [("against", against), ("per-ply", per_ply)].into_iter();
        for (name, value) in terms.chain(by_stage.iter().map(|value| ("by-stage", *value))) {
            M::require(
                value.is_finite(),
                format_args!("{name} = {value}: expected a finite number of standard deviations"),
            )?;
        }
        M::require(nesting <= 1, format_args!("nesting = {nesting}: expected 0 or 1"))
    }
}

/// What the static evaluation v0 says of a check's value: v' = a v0 + b, give or take `reach`.
#[derive(Clone, Copy, Debug)]
struct Glance {
    a: f64,
    b: f64,
    reach: f64,
}

impl Glance {
    /// From the fit of (0, d'); without one every check is made.
    fn new(calibration: &Calibration, stage: usize, shallow: i32, width: f64) -> Option<Glance> {
        let fit = calibration.fit(stage, 0, shallow).filter(|_| width.is_finite())?;
        Some(Glance { a: fit.a, b: fit.b, reach: width * fit.sigma })
    }
}

impl Check {
    /// Says what a cut is about to rest on, if that is a model.
    fn say_grounds<G: Game>(&self, search: &mut Search<'_, G>, value: Score) {
        let Check { a, b, sigma, .. } = *self;
        if self.modelled {
            search.on_grounds(Grounds { shallow: Depth(self.shallow), value, a, b, sigma });
        }
    }

    /// The margin of a cut that a node of this type speaks for if it is `for_it`.
    fn margin(&self, kind: Kind, for_it: Kind) -> f64 {
        if kind == for_it { self.margin } else { self.margin + self.against }
    }

    /// v' at or above this promises v >= beta. Rounded to nearest, as in the paper.
    fn high(&self, beta: Score, kind: Kind) -> f64 {
        ((self.margin(kind, Kind::Cut) + f64::from(beta.0) - self.b) / self.a).round()
    }

    /// v' at or below this promises v <= alpha.
    fn low(&self, alpha: Score, kind: Kind) -> f64 {
        ((-self.margin(kind, Kind::All) + f64::from(alpha.0) - self.b) / self.a).round()
    }

    /// Whether v' may come to `bound` from the static evaluation; `sign` is 1 for upwards, -1 for downwards.
    fn hopeful<G: Game>(&self, bound: f64, sign: f64, node: &Node<'_, G>, game: &G) -> bool {
        self.glance.is_none_or(|glance| {
            let foretold = glance.a * f64::from(node.evaluation(game).0) + glance.b;
            sign * (bound - foretold) <= glance.reach
        })
    }
}

/// All checks by stage and height: what ProbCut (one pair) and MPC (several) have in common.
#[derive(Clone, Debug)]
pub(super) struct Checks {
    /// `by_stage[stage][height]`, in order of increasing check depth.
    by_stage: Vec<Vec<Vec<Check>>>,
    /// Least height with a check.
    pub(super) lowest: Depth,
    rules: Rules,
}

impl Checks {
    /// Looks up the fits of all `pairs` (d', d) for every stage that has them. A stage without a fit (the
    /// first and last discs of an Othello game) is not checked; a pair without any fit is an error. `by_stage` is added to t
    /// at each stage.
    pub(super) fn new<M: Method>(
        mut pairs: Vec<Pair>,
        rules: &Rules,
        by_stage: &[f64],
        calibration: &Calibration,
        stages: usize,
    ) -> Result<Checks, SetupError> {
        rules.check::<M>(by_stage, stages)?;
        let Rules { t, against, per_ply, glance, .. } = *rules;
        pairs.sort_unstable();
        let least = pairs.iter().map(|pair| pair.deep).min().unwrap_or(0);
        let mut checks =
            Checks { by_stage: vec![Vec::new(); stages], lowest: Depth(i32::MAX), rules: *rules };
        if t.is_infinite() {
            return Ok(checks);
        }
        let surface = (rules.sigma == Sigma::Surface).then(|| Surface::through(&calibration.fits, stages));
        for Pair { shallow, deep, iterations } in pairs {
            let is_pair = (0..deep).contains(&shallow);
            M::require(is_pair, format_args!("pair ({shallow}, {deep}): expected 0 <= shallow < deep"))?;
            let mut any_fit = false;
            for (stage, heights) in checks.by_stage.iter_mut().enumerate() {
                // A model with a <= 0 has no threshold; it would also mean that searching misleads.
                let Some(fit) = calibration.fit(stage, shallow, deep).filter(|fit| fit.a > 0.0) else {
                    continue;
                };
                let sigma = surface.map_or(fit.sigma, |surface| surface.sigma(stage, shallow, deep).max(0.0));
                any_fit = true;
                let height = deep as usize;
                heights.resize(heights.len().max(height + 1), Vec::new());
                let glance = Glance::new(calibration, stage, shallow, glance);
                let (a, b) = (fit.a, fit.b);
                let more = by_stage.get(stage).copied().unwrap_or(0.0);
                let t = (t + more - per_ply * f64::from(deep - least)).max(0.0);
                let (margin, against) = (t * sigma, (t + against).max(0.0) * sigma - t * sigma);
                let check =
                    Check { shallow, iterations, a, b, sigma, margin, against, glance, modelled: true };
                heights[height].push(check);
            }
            let name = secateur_base::program::name();
            M::require(
                any_fit,
                format_args!("pair ({shallow}, {deep}) has no fit in any stage: run `{name} fit`"),
            )?;
            checks.lowest = checks.lowest.min(Depth(deep));
        }
        Ok(checks)
    }

    /// Checks without a model at every stage: a deep value is held to be that of the check, give or take the margin. An infinite t
    /// switches them off too.
    pub(super) fn linear<M: Method>(
        linear: Linear,
        rules: &Rules,
        stages: usize,
    ) -> Result<Checks, SetupError> {
        let Linear { from, share, margin } = linear;
        M::require(
            from >= 0 && (0..100).contains(&share) && margin >= 0,
            format_args!(
                "linear from {from}, share {share}, margin {margin}: expected from >= 0, share 0 to 99 and margin >= 0"
            ),
        )?;
        let never = rules.t.is_infinite();
        let check = |height: i32| Check {
            shallow: height * share / 100,
            iterations: (i32::MIN, i32::MAX),
            a: 1.0,
            b: 0.0,
            sigma: 0.0,
            margin: f64::from(margin) * f64::from(height),
            against: 0.0,
            glance: None,
            modelled: false,
        };
        let at = |height: i32| if height < from || never { Vec::new() } else { vec![check(height)] };
        let heights: Vec<Vec<Check>> = (0..=2 * MAX_DEPTH).map(at).collect();
        let lowest = Depth(if never { i32::MAX } else { from });
        Ok(Checks { by_stage: vec![heights; stages], lowest, rules: *rules })
    }

    /// What the method of these checks asks for.
    pub(super) fn asks(&self, asks: Asks) -> Asks {
        let Guards { last, pv, .. } = self.rules.guards;
        Asks { last, cuts_open_windows: !pv, sensitive: Depths::from(self.lowest.0), ..asks }
    }

    #[inline]
    pub(super) fn enter<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
    ) -> Verdict {
        if node.path.is_inside(if self.rules.nesting == 0 { place.mark } else { place.inner_mark() })
            || self.rules.guards.bar(node, &search.game)
        {
            return Verdict::Go;
        }
        let stage = node.stage(&search.game);
        match self.by_stage[stage].get(node.depth.0 as usize) {
            Some(checks) if !checks.is_empty() => self.ask(checks, search, place, node),
            _ => Verdict::Go,
        }
    }

    /// The path of a check: marked once, and once more inside another check.
    fn inside(&self, place: Place, path: Path, kind: Kind) -> Path {
        let inner = self.rules.nesting > 0 && path.is_inside(place.mark);
        path.probe(if inner { place.inner_mark() } else { place.mark }, kind)
    }

    #[inline(never)]
    fn ask<G: Game>(
        &self,
        checks: &[Check],
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
    ) -> Verdict {
        let guards = &self.rules.guards;
        let (ask_high, ask_low) = match self.rules.sides {
            Sides::Both => (true, true),
            Sides::Nearer => {
                let high = node.evaluation(&search.game) >= node.window.beta;
                (high, !high)
            }
            Sides::Expected => (node.path.kind == Kind::Cut, node.path.kind == Kind::All),
            Sides::High => (true, false),
        };
        let iteration = search.iteration().0;
        for check in checks {
            let (from, until) = check.iterations;
            if iteration < from || iteration >= until {
                continue;
            }
            let depth = Depth(check.shallow);
            let high = check.high(node.window.beta, node.path.kind);
            let open = !Guards::bounded_above(node.window);
            if ask_high
                && !open
                && high < f64::from(G::DECISIVE.0)
                && check.hopeful(high, 1.0, node, &search.game)
            {
                let bound = Score(high as i32);
                let path = self.inside(place, node.path, Kind::Cut);
                search.count(place, node).tries += 1;
                let value = search.probe_here(place, node, depth, Window::at_least(bound), path);
                if value >= bound && !search.is_stopped() {
                    let beta = node.window.beta;
                    check.say_grounds(search, value);
                    return guards.cut(search, place, node, Claim::AtLeast(beta), beta);
                }
            }
            let low = check.low(node.window.alpha, node.path.kind);
            let open = !Guards::bounded_below(node.window);
            if ask_low
                && !open
                && low > -f64::from(G::DECISIVE.0)
                && check.hopeful(low, -1.0, node, &search.game)
            {
                let bound = Score(low as i32);
                let path = self.inside(place, node.path, Kind::All);
                search.count(place, node).tries += 1;
                let value = search.probe_here(place, node, depth, Window::at_most(bound), path);
                if value <= bound && !search.is_stopped() {
                    let alpha = node.window.alpha;
                    check.say_grounds(search, value);
                    return guards.cut(search, place, node, Claim::AtMost(alpha), alpha);
                }
            }
        }
        Verdict::Go
    }
}

/// The formulas of checks, with and without a model, against numbers worked out by hand.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::prune::Fit;

    const CHECK: Check = Check {
        shallow: 4,
        iterations: (1, 99),
        a: 1.02,
        b: 2.36,
        sigma: 82.0,
        margin: 82.0,
        against: 0.0,
        glance: None,
        modelled: true,
    };

    const RULES: Rules = Rules {
        t: 1.0,
        against: 0.0,
        per_ply: 0.0,
        sigma: Sigma::Pair,
        sides: Sides::High,
        glance: f64::INFINITY,
        nesting: 0,
        guards: Guards { pv: true, check: true, mate: true, solved: true, store: true, last: false },
    };

    #[test]
    fn a_number_out_of_range_is_named_and_those_at_its_ends_are_taken() {
        let fault = |rules: Rules, by_stage: &[f64]| {
            let refused = rules.check::<super::super::Mpc>(by_stage, 2);
            refused.map_or_else(|error| error.message, |()| String::new())
        };
        for value in [0.0, f64::INFINITY] {
            assert_eq!(fault(Rules { t: value, glance: value, nesting: 1, ..RULES }, &[-1.0, 1.0]), "");
        }
        for value in [-0.1, f64::NEG_INFINITY, f64::NAN] {
            assert!(fault(Rules { t: value, ..RULES }, &[]).starts_with(&format!("t = {value}: ")));
            assert!(fault(Rules { glance: value, ..RULES }, &[]).starts_with(&format!("glance = {value}: ")));
        }
        for value in [f64::INFINITY, f64::NAN] {
            assert!(fault(Rules { against: value, ..RULES }, &[]).starts_with("against = "));
            assert!(fault(Rules { per_ply: value, ..RULES }, &[]).starts_with("per-ply = "));
            assert!(fault(RULES, &[0.0, value]).starts_with("by-stage = "));
        }
        assert_eq!(fault(RULES, &[0.0; 3]), "by-stage: found 3 numbers, expected at most 2 stages");
        assert_eq!(fault(Rules { nesting: 2, ..RULES }, &[]), "nesting = 2: expected 0 or 1");
    }

    #[test]
    fn a_linear_check_is_a_share_of_the_depth_with_a_margin_a_ply() {
        let scan = Linear { from: 3, share: 40, margin: 10 };
        let checks = Checks::linear::<super::super::probcut::ProbCut>(scan, &RULES, 2).unwrap();
        let listed: Vec<(usize, i32, f64)> = checks.by_stage[1][..11]
            .iter()
            .enumerate()
            .flat_map(|(height, checks)| {
                checks.iter().map(move |check| (height, check.shallow, check.high(Score(7), Kind::All)))
            })
            .collect();
        let expected = [(3, 1), (4, 1), (5, 2), (6, 2), (7, 2), (8, 3), (9, 3), (10, 4)];
        assert_eq!(listed, expected.map(|(height, shallow)| (height, shallow, 7.0 + 10.0 * height as f64)));
    }

    #[test]
    fn the_two_bounds_are_dual() {
        let mirrored = Check { b: -CHECK.b, ..CHECK };
        for alpha in -300..300 {
            assert_eq!(CHECK.low(Score(alpha), Kind::All), -mirrored.high(Score(-alpha), Kind::Cut));
        }
    }

    #[test]
    fn a_type_that_speaks_against_a_cut_asks_for_more() {
        let check = Check { against: 41.0, ..CHECK };
        for (kind, high, low) in
            [(Kind::Cut, 176.0, -25.0), (Kind::All, 216.0, 15.0), (Kind::Pv, 216.0, -25.0)]
        {
            assert_eq!((check.high(Score(100), kind), check.low(Score(100), kind)), (high, low), "{kind:?}");
        }
    }

    #[test]
    fn buros_formula_with_jiangs_numbers() {
        // (82 + 100 - 2.36) / 1.02 = 176.1; (-82 + 100 - 2.36) / 1.02 = 15.3
        assert_eq!(CHECK.high(Score(100), Kind::Cut), 176.0);
        assert_eq!(CHECK.low(Score(100), Kind::All), 15.0);
    }

    /// A pair whose own sigma is larger than all others asks for less where one sigma is drawn through all.
    #[test]
    fn one_sigma_for_all_takes_the_place_of_each() {
        let fit = |stage, shallow, deep| {
            let sigma = if (stage, shallow, deep) == (3, 4, 8) { 200.0 } else { 100.0 };
            Fit { stage, shallow, deep, n: 100, a: 1.0, b: 0.0, sigma, r: 0.9 }
        };
        let pairs = || (1..=10).flat_map(|deep| (0..deep).map(move |shallow| (shallow, deep)));
        let fits = (0..8).flat_map(|stage| pairs().map(move |(shallow, deep)| fit(stage, shallow, deep)));
        let calibration = Calibration { fits: fits.collect(), ..Calibration::default() };
        let margin = |sigma| {
            let rules = Rules { sigma, ..RULES };
            let pairs = vec![Pair::always((4, 8))];
            let checks = Checks::new::<super::super::mpc::Mpc>(pairs, &rules, &[], &calibration, 8).unwrap();
            checks.by_stage[3][8][0].margin
        };
        assert_eq!(margin(Sigma::Pair), 200.0);
        let smooth = margin(Sigma::Surface);
        assert!((100.1..150.0).contains(&smooth), "{smooth}");
    }
}
