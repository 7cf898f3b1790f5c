//! What each method of a program is worth: the program without it against the program as it is, and the method alone against
//! nothing.
//!
//! With the others on is what its author loses by taking it out; alone is what it would bring to a program that has nothing
//! else. What a method saves alone and not with the others on, others save too: the overlap. It is named by pairs where the run
//! has them. Every difference is paired by position and has a test; a verdict rests on tests that were corrected together
//! ([`correct`]) and on nothing else.

use crate::arm::left_out;
use crate::elo::Score;
use crate::elo::sprt::Decision;
use crate::group::Group;
use crate::inference::share::paired_difference;
use crate::inference::spread::Spread;
use crate::inference::{LEVEL, Shown, Test, holm, shown, sign_flip};
use crate::interval::{Interval, mean_spread, wilson};
use crate::metrics::{Iterations, same_move};
use crate::play::{pair_counts, rests_on_faults, sequential};
use crate::solved::Problem;
use secateur_record::play::Ended;
use secateur_record::record::Record;
use statrs::distribution::{ContinuousCDF, Normal};

/// The arm with all methods.
pub const FULL: &str = "full";
/// The arm with none.
pub const NONE: &str = "none";

/// A difference between arms at the same positions, with its test.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// The ratio or the difference, with its 95 % interval over source games.
    pub within: Interval,
    /// Two-sided p-value of no difference; `NaN` where nothing differs at all, which is no test. That of one test until
    /// [`correct`] has seen it.
    pub p: f64,
    /// The logarithm of the ratio, or the difference, as the test has it.
    spread: Spread,
    /// Whether a claim needs an interval too: Student's test has none of fewer than three source games.
    is_student: bool,
    /// Positions.
    positions: usize,
}

impl Effect {
    /// A ratio: the exponential of the mean of logarithms, by Student's test.
    fn ratio(group: &Group<'_>, log: impl Fn(usize) -> Option<f64>) -> Option<Effect> {
        let logs: Vec<Option<f64>> = (0..group.blocks.len()).map(log).collect();
        let (spread, positions) = spread(group, &logs)?;
        let p = if logs.iter().flatten().all(|log| *log == 0.0) { f64::NAN } else { spread.p() };
        Some(Effect { within: spread.student().exp(), p, spread, is_student: true, positions })
    }

    /// A mean of differences of losses, by the sign-flip test; `None` unless every position has one.
    fn loss(group: &Group<'_>, difference: impl Fn(usize) -> Option<f64>) -> Option<Effect> {
        let all: Vec<f64> = (0..group.blocks.len()).map(difference).collect::<Option<_>>()?;
        let sums: Vec<f64> =
            group.clusters(None).iter().map(|items| items.iter().map(|&block| all[block]).sum()).collect();
        let (spread, positions) = spread(group, &all.iter().copied().map(Some).collect::<Vec<_>>())?;
        let p = if all.iter().all(|x| *x == 0.0) { f64::NAN } else { sign_flip(&sums) };
        let changed = sums.iter().filter(|sum| **sum != 0.0).count();
        Some(Effect { within: spread.heavy(changed), p, spread, is_student: false, positions })
    }

    /// What its test shows: above, the ratio lies above 1 or the difference above 0.
    #[must_use]
    pub fn shown(&self) -> Shown {
        match self.is_student && !self.within.has_ends() {
            true => Shown::No,
            false => shown(Test { effect: self.spread.estimate, p: self.p }),
        }
    }

    /// Whether not a single position differs.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.p.is_nan() && self.spread.estimate == 0.0
    }

    /// About how many positions like these a test at `level` needs to show an effect of the estimated size in 80 of 100
    /// experiments; `None` where there is no estimate of it, or of its spread.
    #[must_use]
    pub fn needed(&self, level: f64) -> Option<u64> {
        let needed = (self.spread.detectable(level) / self.spread.estimate).powi(2) * self.positions as f64;
        (needed.is_finite() && self.spread.error > 0.0)
            .then(|| (needed.ceil() as u64).max(self.positions as u64 + 1))
    }
}

/// The mean of values over positions that have one, by source game, and how many have.
fn spread(group: &Group<'_>, values: &[Option<f64>]) -> Option<(Spread, usize)> {
    let known =
        |items: Vec<usize>| -> Vec<f64> { items.into_iter().filter_map(|block| values[block]).collect() };
    let clusters = group.clusters(None).into_iter().map(known).filter(|values| !values.is_empty());
    let totals: Vec<[f64; 2]> = clusters.map(|values| [values.iter().sum(), values.len() as f64]).collect();
    (!totals.is_empty()).then(|| (mean_spread(&totals), values.iter().flatten().count()))
}

/// One method of a program under one budget.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Its name.
    pub method: String,
    /// Nodes without it over nodes of all, geometric; `None` unless the budget is a depth.
    pub nodes: Option<Effect>,
    /// Nodes of none over nodes of it alone, geometric.
    pub alone: Option<Effect>,
    /// Time without it over time of all, geometric; `None` where a clock told none.
    pub time: Option<Effect>,
    /// Instructions without it over instructions of all, geometric.
    pub instructions: Option<Effect>,
    /// What it saves alone over what it saves with the others on; above 1 others save some of the same.
    pub overlap: Option<Effect>,
    /// Share of positions where its absence leaves the move as it is.
    pub same_move: Option<Interval>,
    /// Mean regret with it less mean regret without it, score units: above 0 its moves lose more. With an oracle.
    pub regret: Option<Effect>,
    /// Positions solved by all and without it, of those that have a solution, and the difference in shares.
    pub solved: Option<(u64, u64, usize, Interval)>,
    /// With each other method: its name, and the nodes without both over what they would be if each were missed by itself,
    /// geometric; the largest first. Above 1 the two save some of the same.
    pub partners: Vec<(String, Effect)>,
}

/// A match of the program as it is against the program without some methods.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// Elo that the methods are worth, with its interval.
    pub elo: Interval,
    /// Two-sided p-value of 0; `NaN` where all pairs ended alike or a sequential test chose when to stop. That of one test
    /// until [`correct`] has seen it.
    pub p: f64,
    /// What the sequential test says, its log-likelihood ratio, and its two hypotheses in normalised Elo; where one was asked
    /// for.
    pub sequential: Option<(Decision, f64, [f64; 2])>,
}

impl Games {
    /// What a match says; `None` before the first whole pair, and of one whose games ended by faults.
    #[must_use]
    pub fn of(ended: &Ended) -> Option<Games> {
        if rests_on_faults(&ended.rows) {
            return None;
        }
        let score = pair_counts(&ended.rows).score()?;
        let elo = score.elo();
        let (low, high) = elo.ends.unwrap_or((f64::NAN, f64::NAN));
        let hypotheses = ended.file.settings.sprt;
        let sequential = hypotheses.map(|elos| {
            let (decision, ratio) = sequential(&ended.rows, elos);
            (decision, ratio, elos)
        });
        let p = if hypotheses.is_some() { f64::NAN } else { p_of(&score) };
        Some(Games { elo: Interval { estimate: elo.estimate, low, high }, p, sequential })
    }

    /// Above: the methods are shown to win games, by the sequential test where there is one.
    #[must_use]
    pub fn shown(&self) -> Shown {
        match self.sequential {
            // Its errors are its own, at the level that it was made for.
            Some((Decision::Alternative, _, [elo0, _])) if elo0 >= 0.0 => Shown::Above,
            Some((Decision::Null, _, [_, elo1])) if elo1 <= 0.0 => Shown::Below,
            Some(_) => Shown::No,
            None => shown(Test { effect: self.elo.estimate, p: self.p }),
        }
    }
}

/// Two-sided p-value of a score being a half, by the normal distribution.
fn p_of(score: &Score) -> f64 {
    score.error().map_or(f64::NAN, |error| 2.0 * Normal::standard().sf((score.mean - 0.5).abs() / error))
}

/// What there is to say of a method, by tests alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Taking it out is shown to cost nodes, time, better moves or games.
    Keep,
    /// It is shown to save nodes and to choose moves that lose more, or the reverse of both: games decide.
    Trade,
    /// It is shown to save alone and to save less with the others on, and by its interval it may save nothing there and saves at most
    /// half of that, logarithmically: which method saves the same, where a pair shows it.
    Redundant(Option<String>),
    /// The program is shown to need fewer nodes or less time without it, to choose better moves, or to win.
    Costs,
    /// The program is shown to need fewer nodes without it and not to choose worse moves: an extension or a verification spends nodes for
    /// better moves, which the tests may be too few to show.
    SpendsNodes,
    /// The same of time, where nodes show nothing.
    SpendsTime,
    /// Nothing is shown; about how many positions a difference of the estimated size needs.
    NotShown(Option<u64>),
    /// Neither in the program nor alone did it change the nodes or the move of a single search.
    Idle,
}

impl Worth {
    /// The verdict; `level` is that of the strictest test of the page.
    #[must_use]
    pub fn verdict(&self, games: Option<&Games>, level: f64) -> Verdict {
        let of = |effect: &Option<Effect>| effect.as_ref().map_or(Shown::No, Effect::shown);
        // Games are what the rest stands for.
        match games.map_or(Shown::No, Games::shown) {
            Shown::Above => return Verdict::Keep,
            Shown::Below => return Verdict::Costs,
            Shown::No => {}
        }
        let nothing = |effect: &Option<Effect>| effect.is_none_or(|effect| effect.is_nothing());
        if nothing(&self.nodes) && nothing(&self.alone) && self.same_move.is_some_and(|i| i.estimate == 1.0) {
            return Verdict::Idle;
        }
        match (of(&self.nodes), of(&self.time), of(&self.regret)) {
            (Shown::Above, Shown::Below, _) => Verdict::Costs,
            (Shown::Above, _, Shown::Above) | (Shown::Below, _, Shown::Below) => Verdict::Trade,
            (Shown::Above, ..) => Verdict::Keep,
            (Shown::Below, _, Shown::No) => Verdict::SpendsNodes,
            (Shown::No, Shown::Below, Shown::No) => Verdict::SpendsTime,
            (Shown::Below, ..) => Verdict::Costs,
            (Shown::No, Shown::Below, _) | (Shown::No, Shown::No, Shown::Above) => Verdict::Costs,
            (Shown::No, Shown::Above, Shown::Above) => Verdict::Trade,
            (Shown::No, Shown::Above, _) | (Shown::No, Shown::No, Shown::Below) => Verdict::Keep,
            (Shown::No, Shown::No, Shown::No) => self.unshown(level),
        }
    }

    /// What is to say where its absence is not shown to change anything.
    fn unshown(&self, level: f64) -> Verdict {
        let above = |effect: &Option<Effect>| effect.is_some_and(|effect| effect.shown() == Shown::Above);
        if above(&self.alone) && above(&self.overlap) && self.saves_little() {
            return Verdict::Redundant(self.partner().map(str::to_owned));
        }
        let main = self.nodes.as_ref().or(self.regret.as_ref());
        Verdict::NotShown(main.and_then(|effect| effect.needed(level)))
    }

    /// Whether, by its interval, what it saves with the others on may be nothing and is at most half, logarithmically, of what it
    /// saves alone. A wide interval around nothing says nothing.
    fn saves_little(&self) -> bool {
        let (Some(within), Some(alone)) = (self.nodes, self.alone) else { return false };
        within.within.low <= 1.0 && within.within.high <= alone.within.estimate.sqrt()
    }

    /// The method with which it is shown to save most of the same.
    #[must_use]
    pub fn partner(&self) -> Option<&str> {
        let shared = self.partners.iter().find(|(_, shared)| shared.shown() == Shown::Above);
        shared.map(|(name, _)| name.as_str())
    }

    /// Its tests. A pair has one test, which stands with the first of the two by name.
    fn tests(&mut self) -> impl Iterator<Item = &mut f64> {
        let single = [
            &mut self.nodes,
            &mut self.alone,
            &mut self.time,
            &mut self.instructions,
            &mut self.overlap,
            &mut self.regret,
        ];
        let own = single.into_iter().flatten().map(|effect| &mut effect.p);
        let method = &self.method;
        own.chain(
            self.partners.iter_mut().filter(move |(name, _)| name > method).map(|(_, shared)| &mut shared.p),
        )
    }
}

/// Corrects the tests of everything that stands on one page together (Holm): of methods and their pairs, and `more`, the p-values of
/// matches. Says how many tests these were.
pub fn correct(all: &mut [Vec<Worth>], more: Vec<&mut f64>) -> usize {
    let mut places: Vec<&mut f64> = all.iter_mut().flatten().flat_map(Worth::tests).chain(more).collect();
    let found: Vec<f64> = places.iter().map(|p| **p).collect();
    for (place, corrected) in places.iter_mut().zip(holm(&found)) {
        **place = corrected;
    }
    all.iter_mut().for_each(|worths| mirror(worths));
    found.iter().filter(|p| !p.is_nan()).count()
}

/// Gives the second of every pair the corrected test of the first.
fn mirror(worths: &mut [Worth]) {
    let mut known = Vec::new();
    for worth in worths.iter() {
        for (name, shared) in worth.partners.iter().filter(|(name, _)| *name > worth.method) {
            known.push((name.clone(), worth.method.clone(), shared.p));
        }
    }
    for worth in worths {
        for (name, shared) in &mut worth.partners {
            let is_it =
                |(second, first, _): &&(String, String, f64)| *second == worth.method && first == name;
            if let Some((.., p)) = known.iter().find(is_it) {
                shared.p = *p;
            }
        }
    }
}

/// The level of the strictest of so many tests.
#[must_use]
pub fn level(tests: usize) -> f64 {
    LEVEL / tests.max(1) as f64
}

/// The arm of all methods but these.
#[must_use]
pub fn without(methods: &[&str]) -> String {
    let left: Vec<String> = methods.iter().map(|method| format!("-{method}")).collect();
    format!("{FULL}[{}]", left.join(","))
}

/// The method that an arm of all methods but one lacks: the reverse of [`without`] one.
#[must_use]
pub fn lacking(arm: &str) -> Option<&str> {
    left_out(FULL, arm)
}

/// The methods of a group that has the arm of all and, for at least one method, the arm without it; in their order.
#[must_use]
pub fn methods<'a>(group: &Group<'a>) -> Vec<&'a str> {
    let arms = group.methods.iter().copied();
    if index(group, FULL).is_none() { Vec::new() } else { arms.filter_map(lacking).collect() }
}

/// What the methods of a group are worth, their tests not yet corrected; `problems` are its positions with a solution.
#[must_use]
pub fn worths(group: &Group<'_>, problems: &[Problem<'_>]) -> Vec<Worth> {
    let names = methods(group);
    names.iter().filter_map(|method| worth(group, problems, method, &names)).collect()
}

fn index(group: &Group<'_>, arm: &str) -> Option<usize> {
    group.methods.iter().position(|known| *known == arm)
}

fn worth(group: &Group<'_>, problems: &[Problem<'_>], method: &str, all: &[&str]) -> Option<Worth> {
    let (full, less) = (index(group, FULL)?, index(group, &without(&[method]))?);
    let alone = index(group, NONE).zip(index(group, method));
    let kept = group.blocks.iter().filter(|block| same_move(block.rows[full], block.rows[less])).count();
    let decided = group.blocks.len() - group.undecided(less);
    let partners = all.iter().filter(|other| **other != method);
    let mut partners: Vec<(String, Effect)> =
        partners.filter_map(|other| Some(((*other).to_owned(), pair(group, method, other)?))).collect();
    partners.sort_by(|a, b| b.1.within.estimate.total_cmp(&a.1.within.estimate));
    let regret = |block: usize, arm: usize| group.blocks[block].rows[arm].regret.map(f64::from);
    let added = |block: usize| Some(regret(block, full)? - regret(block, less)?);
    Some(Worth {
        method: method.to_owned(),
        nodes: ratio(group, less, full, nodes),
        alone: alone.and_then(|(none, own)| ratio(group, none, own, nodes)),
        time: ratio(group, less, full, |row| Some(row.time_ns).filter(|time| *time > 0))
            .filter(|time| time.positions == group.blocks.len()),
        instructions: ratio(group, less, full, |row| row.instructions),
        overlap: alone.and_then(|(none, own)| {
            let log = |block, first, second| log_ratio(group, block, (first, second), nodes);
            at_depth(group, |block| Some(log(block, none, own)? - log(block, less, full)?))
        }),
        same_move: wilson(kept, decided),
        regret: Effect::loss(group, added),
        solved: solved(problems, full, less),
        partners,
    })
}

fn nodes(row: &Record) -> Option<u64> {
    row.nodes
}

/// ln of a count of the first arm over the second's at a position.
fn log_ratio(
    group: &Group<'_>,
    block: usize,
    (first, second): (usize, usize),
    count: impl Fn(&Record) -> Option<u64>,
) -> Option<f64> {
    let of = |arm: usize| Some(count(group.blocks[block].rows[arm])?.max(1) as f64);
    Some((of(first)? / of(second)?).ln())
}

/// A ratio of counts at a fixed depth.
fn ratio(
    group: &Group<'_>,
    first: usize,
    second: usize,
    count: impl Fn(&Record) -> Option<u64>,
) -> Option<Effect> {
    at_depth(group, |block| log_ratio(group, block, (first, second), &count))
}

/// A ratio, unless the budget is another one than a depth.
fn at_depth(group: &Group<'_>, log: impl Fn(usize) -> Option<f64>) -> Option<Effect> {
    if group.is_fixed_depth() { Effect::ratio(group, log) } else { None }
}

/// How much more nodes it takes without two methods than one by one; above 1 they save some of the same.
fn pair(group: &Group<'_>, method: &str, other: &str) -> Option<Effect> {
    let both =
        index(group, &without(&[method, other])).or_else(|| index(group, &without(&[other, method])))?;
    let full = index(group, FULL)?;
    let (own, others) = (index(group, &without(&[method]))?, index(group, &without(&[other]))?);
    let log = |block, first, second| log_ratio(group, block, (first, second), nodes);
    at_depth(group, |block| Some(log(block, both, own)? - log(block, others, full)?))
}

fn solved(problems: &[Problem<'_>], full: usize, arm: usize) -> Option<(u64, u64, usize, Interval)> {
    let right = |arm: usize| problems.iter().filter(|problem| problem.found[arm].0).count() as u64;
    let only = |one: usize, other: usize| {
        problems.iter().filter(|problem| problem.found[one].0 && !problem.found[other].0).count() as u64
    };
    let difference = paired_difference(only(full, arm), only(arm, full), problems.len());
    (!problems.is_empty()).then(|| (right(full), right(arm), problems.len(), difference))
}

/// What a method saves with the others on, iteration by iteration: the depth, and nodes without it over nodes of all up to there,
/// geometric, over the positions at which both finished that iteration. Depths that fewer than half of the positions have are
/// left out.
#[must_use]
pub fn by_depth(group: &Group<'_>, cells: &Iterations<'_>, method: &str) -> Vec<(u32, Interval)> {
    let Some((full, less)) = index(group, FULL).zip(index(group, &without(&[method]))) else {
        return Vec::new();
    };
    let at = |block: usize, arm: usize, depth: u32| {
        let row = group.blocks[block].rows[arm];
        let own = cells.get(&(&*row.game, &*row.position, &*row.methods, row.budget_kind, row.budget))?;
        own.iter().find(|(known, _)| *known == depth).map(|(_, nodes)| (*nodes).max(1) as f64)
    };
    let deepest = cells.values().flatten().map(|(depth, _)| *depth).max().unwrap_or(0);
    let of = |depth: u32| {
        let log = |block: usize| Some((at(block, less, depth)? / at(block, full, depth)?).ln());
        let logs: Vec<Option<f64>> = (0..group.blocks.len()).map(log).collect();
        let (found, known) = spread(group, &logs)?;
        (2 * known >= group.blocks.len()).then(|| (depth, found.student().exp()))
    };
    if group.is_fixed_depth() { (1..=deepest).filter_map(of).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{manifest, row};
    use crate::group::groups_of;
    use crate::runs::Runs;

    /// Of methods `a` and `b`: nodes with both, without `a`, without `b`, with neither; the same at every position.
    fn runs([both, b, a, none]: [u64; 4], positions: usize) -> Runs {
        let mut records = Vec::new();
        for position in 0..positions {
            let arms = [
                ("full", both),
                ("full[-a]", b),
                ("full[-b]", a),
                ("full[-a,-b]", none),
                ("none", none),
                ("a", a),
                ("b", b),
                ("full[Margin=3]", both),
            ];
            for (arm, nodes) in arms {
                let mut own = row(&position.to_string(), "28", arm, nodes * (position as u64 + 1));
                own.regret = Some(if arm == "full[-a]" { 10 } else { 0 });
                if arm == "full[-b]" && position == 0 {
                    own.best_move = "c5".to_owned();
                }
                records.push(own);
            }
        }
        let manifest = manifest("[[game]]\nname = \"othello\"\nbaseline = \"full\"\n");
        Runs { records, manifests: vec![manifest], ..Runs::default() }
    }

    fn found(runs: &Runs) -> Vec<Worth> {
        let mut all = [worths(&groups_of(runs)[0], &[])];
        correct(&mut all, Vec::new());
        let [worths] = all;
        worths
    }

    fn near(effect: Option<Effect>, value: f64) -> bool {
        (effect.unwrap().within.estimate - value).abs() < 1e-9
    }

    #[test]
    fn what_two_methods_save_alone_and_together_is_told_apart() {
        // Alone a saves 4 and b saves 2; together they save 4, so b saves nothing that a does not.
        let runs = runs([100, 200, 100, 400], 4);
        assert_eq!(methods(&groups_of(&runs)[0]), ["a", "b"]);
        let [a, b] = &found(&runs)[..] else { panic!("two methods") };
        assert!(near(a.nodes, 2.0) && near(a.alone, 4.0), "{a:?}");
        assert!(near(b.nodes, 1.0) && near(b.alone, 2.0), "{b:?}");
        assert!(near(a.overlap, 2.0) && near(b.overlap, 2.0));
        // The pair: 400/100 together, 2 and 1 by themselves.
        assert_eq!(a.partners.len(), 1);
        assert!(a.partners[0].0 == "b" && near(Some(a.partners[0].1), 2.0), "{:?}", a.partners);
        assert_eq!(a.partners[0].1.p, b.partners[0].1.p, "one test");
        assert_eq!([a, b].map(|worth| worth.same_move.unwrap().estimate), [1.0, 0.75]);
        // Without a moves lose 10 more: with it 10 less.
        assert!(near(a.regret, -10.0) && near(b.regret, 0.0));
        assert!(a.solved.is_none() && a.instructions.is_none());
        assert_eq!(a.verdict(None, 0.05), Verdict::Keep);
        assert_eq!(b.verdict(None, 0.05), Verdict::Redundant(Some("a".to_owned())), "its move changed once");
    }

    /// That a saving with the others on is not shown is no word on its being nothing.
    #[test]
    fn a_wide_interval_is_not_called_redundant() {
        // Alone b saves 4; with a on it saves nothing on average.
        let of = |factor: u64| {
            let mut runs = runs([100, 400, 100, 1600], 24);
            for row in runs.records.iter_mut().filter(|row| row.methods == "full[-b]") {
                let odd = row.position.parse::<u64>().unwrap() % 2 == 1;
                row.nodes = row.nodes.map(|nodes| if odd { nodes * factor } else { nodes / factor });
            }
            let [_, b] = &found(&runs)[..] else { panic!("two methods") };
            assert!(b.overlap.unwrap().shown() == Shown::Above && b.nodes.unwrap().shown() == Shown::No);
            b.verdict(None, 0.05)
        };
        assert_eq!(of(1), Verdict::Redundant(Some("a".to_owned())));
        assert!(matches!(of(6), Verdict::NotShown(Some(_))));
    }

    #[test]
    fn independent_methods_do_not_overlap_and_other_budgets_have_no_nodes() {
        let mut runs = runs([100, 200, 300, 600], 3);
        let [a, b] = &found(&runs)[..] else { panic!("two methods") };
        assert!(near(a.overlap, 1.0) && near(b.overlap, 1.0) && near(Some(a.partners[0].1), 1.0));
        assert_eq!(a.partner(), None);
        for row in &mut runs.records {
            row.budget_kind = secateur_record::record::BudgetKind::Nodes;
        }
        let found = found(&runs);
        assert!(
            found
                .iter()
                .all(|worth| worth.nodes.is_none() && worth.partners.is_empty() && worth.same_move.is_some())
        );
    }

    #[test]
    fn nothing_is_said_of_a_difference_without_an_interval() {
        // Two positions: every ratio is the same at both, which is no doubt to Student and no interval either.
        let [a, _] = &found(&runs([100, 200, 100, 400], 2))[..] else { panic!("two methods") };
        assert!(near(a.nodes, 2.0) && !a.nodes.unwrap().within.has_ends());
        assert_eq!(a.nodes.unwrap().shown(), Shown::No);
        assert_eq!(a.verdict(None, 0.05), Verdict::NotShown(None));
    }

    /// Nodes without `a` that differ by as much up as down.
    fn noisy(positions: usize) -> Runs {
        let mut runs = runs([100, 100, 100, 100], positions);
        for row in runs.records.iter_mut().filter(|row| row.methods == "full[-a]") {
            let even = row.position.parse::<u64>().unwrap().is_multiple_of(2);
            row.nodes = row.nodes.map(|nodes| if even { nodes * 2 } else { nodes * 6 / 10 });
            row.regret = Some(0);
        }
        runs
    }

    #[test]
    fn noise_is_not_shown_and_says_what_would_show_it() {
        let [a, b] = &found(&noisy(12))[..] else { panic!("two methods") };
        let Verdict::NotShown(Some(needed)) = a.verdict(None, 0.05) else {
            panic!("{:?}", a.verdict(None, 0.05))
        };
        // ln 2 and ln .6 have a mean of .09 and a spread of .6: (.6 * 3.0 / .09)^2 is some 400.
        assert!((250..700).contains(&needed), "{needed}");
        assert!(a.nodes.unwrap().needed(0.005).unwrap() > needed);
        assert_eq!(b.verdict(None, 0.05), Verdict::NotShown(None), "its move changed once, its nodes never");
    }

    #[test]
    fn a_switch_that_does_nothing_is_idle_and_games_go_before_nodes() {
        let mut runs = runs([100, 200, 100, 400], 6);
        for row in &mut runs.records {
            row.best_move = "d3".to_owned();
            if row.methods == "b" {
                row.nodes = row.nodes.map(|nodes| 2 * nodes);
            }
        }
        let [a, b] = &found(&runs)[..] else { panic!("two methods") };
        assert_eq!(b.verdict(None, 0.05), Verdict::Idle);
        let lost = Games { elo: Interval::none(-30.0), p: 0.001, sequential: None };
        assert_eq!(a.verdict(Some(&lost), 0.05), Verdict::Costs);
        let open = Games { p: 0.2, ..lost };
        assert_eq!(a.verdict(Some(&open), 0.05), Verdict::Keep);
        let decided = Games { sequential: Some((Decision::Alternative, 3.0, [0.0, 5.0])), ..open };
        assert_eq!(b.verdict(Some(&decided), 0.05), Verdict::Keep);
    }

    #[test]
    fn saved_nodes_that_cost_moves_are_a_trade() {
        let mut runs = runs([100, 200, 150, 400], 12);
        for row in &mut runs.records {
            row.regret = Some(if row.methods == "full[-a]" { 0 } else { 30 });
        }
        let [a, _] = &found(&runs)[..] else { panic!("two methods") };
        assert!(near(a.regret, 30.0));
        assert_eq!(a.verdict(None, 0.05), Verdict::Trade);
        // And where the time says the reverse of the nodes, the nodes are not worth it.
        for row in &mut runs.records {
            row.regret = None;
            row.time_ns = if row.methods == "full[-a]" { 900 } else { 1_000 };
        }
        assert_eq!(found(&runs)[0].verdict(None, 0.05), Verdict::Costs);
    }

    /// All tests of a page are one family: what one of them shows is not shown among many.
    #[test]
    fn every_test_is_corrected_for_all() {
        let (mut first, mut second) = (0.03, f64::NAN);
        let mut all = [worths(&groups_of(&noisy(12))[0], &[])];
        let before = all[0][0].nodes.unwrap().p;
        let tests = correct(&mut all, vec![&mut first, &mut second]);
        assert!(tests > 3 && first > 0.06 && second.is_nan(), "{tests} {first}");
        assert!(all[0][0].nodes.unwrap().p >= before);
    }

    #[test]
    fn a_run_without_the_arm_of_all_has_no_worth() {
        let mut runs = runs([1, 2, 2, 4], 2);
        runs.manifests.clear();
        runs.records.retain(|row| row.methods != "full");
        assert!(groups_of(&runs).iter().all(|group| worths(group, &[]).is_empty()));
    }
}
