//! What each method of a program is worth: the program without it against the program as it is, and the method alone against
//! nothing.
//!
//! With the others on is what its author loses by taking it out; alone is what it would bring to a program that has nothing
//! else. What a method saves alone and not with the others on, others save too: the overlap. It is named by pairs where the run
//! has them. Every difference is paired by position and has a test. Searches say what a method saves ([`Finding`]), games by
//! the clock whether to keep it ([`Advice`]); neither enters the tests of the other ([`correct`]).

use crate::contrast::{Estimate, Mean, Searches};
use crate::elo::Decision;
use crate::group::{Block, Group};
use crate::inference::share::paired_difference;
use crate::inference::{self, LEVEL, Shown, Test};
use crate::interval::{Interval, wilson};
use crate::labels::left_out;
use crate::measure::{INSTRUCTIONS, Measure, NODES, REGRET, TIME};
use crate::metrics::{Iterations, nodes_to, same_move};
use crate::play::{pair_counts, rests_on_faults, sequential};
use crate::solved::Problem;
use crate::spent::{Untimed, timed_arms};
pub use secateur_record::arm::{FULL, without};
use secateur_record::play::{Ended, Limit};
use std::collections::BTreeMap;

/// The arm with none.
pub const NONE: &str = "none";

/// One method of a program under one budget.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Its name.
    pub method: String,
    /// Nodes without it over nodes of all, geometric; `None` unless the budget is a depth.
    pub nodes: Option<Estimate>,
    /// Nodes of none over nodes of it alone, geometric.
    pub alone: Option<Estimate>,
    /// Time without it over time of all, geometric; `None` where a search has none.
    pub time: Option<Estimate>,
    /// Why there is no time.
    pub untimed: Option<Untimed>,
    /// Instructions without it over instructions of all, geometric.
    pub instructions: Option<Estimate>,
    /// What it saves alone over what it saves with the others on; above 1 others save some of the same.
    pub overlap: Option<Estimate>,
    /// Share of positions where its absence leaves the move as it is.
    pub same_move: Option<Interval>,
    /// Mean regret with it less mean regret without it, score units: above 0 its moves lose more. With an oracle.
    pub regret: Option<Estimate>,
    /// Positions solved by all and without it, of those that have a solution, and the difference in shares.
    pub solved: Option<(u64, u64, usize, Interval)>,
    /// With each other method: its name, and the nodes without both over what they would be if each were missed by itself,
    /// geometric; the largest first. Above 1 the two save some of the same.
    pub partners: Vec<(String, Estimate)>,
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
    pub fn of(ended: &Ended) -> Option<Games> {
        if rests_on_faults(&ended.rows) {
            return None;
        }
        let score = pair_counts(&ended.rows).score()?;
        let hypotheses = ended.file.settings.sprt;
        let sequential = hypotheses.map(|elos| {
            let (decision, ratio) = sequential(&ended.rows, elos);
            (decision, ratio, elos)
        });
        let p = score.p().filter(|_| hypotheses.is_none()).unwrap_or(f64::NAN);
        Some(Games { elo: score.elo(), p, sequential })
    }

    /// Above: the methods are shown to win games, by the sequential test where there is one.
    pub fn shown(&self) -> Shown {
        match self.sequential {
            // Its errors are its own, at the level that it was made for.
            Some((Decision::Alternative, _, [elo0, _])) if elo0 >= 0.0 => Shown::Above,
            Some((Decision::Null, _, [_, elo1])) if elo1 <= 0.0 => Shown::Below,
            Some(_) => Shown::No,
            None => Test { effect: self.elo, p: self.p }.shown(),
        }
    }
}

/// What searches show of a method, by corrected tests alone. It never says whether to keep the method: games do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Its absence changes the nodes or the time: above, the program needs more without it. At least one of the two is shown.
    Shown {
        /// Of nodes.
        nodes: Shown,
        /// Of time.
        time: Shown,
    },
    /// It saves nodes alone and saves less of them with the others on, and no saving beyond theirs is shown: the method that saves
    /// the same, where a pair shows it.
    Covered(Option<String>),
    /// Neither in the program nor alone did it change the nodes or the move of a single search.
    ChangesNothing,
    /// Nothing of this is shown.
    Undecided,
}

/// What games say of a method, by a test that no search enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// By the clock the program loses games without it.
    Keep,
    /// By the clock the program wins games without it.
    Drop,
    /// At an equal depth or number of nodes the program loses games without it, which is another question than whether to keep it.
    BetterWith,
    /// The same, and it wins games without it.
    BetterWithout,
    /// Not decided: about how many games more give an interval of [`PLAY_ON_TO`] Elo on either side.
    PlayOn(Option<u64>),
}

impl Advice {
    /// The same of games with this limit: those at equal nodes or depth never say whether to keep a method.
    pub fn at(self, limit: Limit) -> Advice {
        match self {
            Advice::Keep if limit.repeats() => Advice::BetterWith,
            Advice::Drop if limit.repeats() => Advice::BetterWithout,
            advice => advice,
        }
    }
}

/// Elo on either side of an estimate, which undecided games are to be played on to.
pub const PLAY_ON_TO: f64 = 10.0;

impl Games {
    /// What to do, as far as the games say; `games` were played with this limit.
    pub fn advice(&self, games: usize, limit: Limit) -> Advice {
        match self.shown() {
            Shown::Above => Advice::Keep.at(limit),
            Shown::Below => Advice::Drop.at(limit),
            Shown::No => {
                let half = (self.elo.high - self.elo.low) / 2.0;
                let more = games as f64 * ((half / PLAY_ON_TO).powi(2) - 1.0);
                Advice::PlayOn((more.is_finite() && more >= 1.0).then_some(more.ceil() as u64))
            }
        }
    }
}

impl Worth {
    /// What the searches show.
    pub fn finding(&self) -> Finding {
        let shown_of = |effect: &Option<Estimate>| effect.as_ref().map_or(Shown::No, Estimate::shown);
        let nothing = |effect: &Option<Estimate>| effect.is_none_or(|effect| effect.is_nothing());
        if nothing(&self.nodes) && nothing(&self.alone) && self.same_move.is_some_and(|i| i.estimate == 1.0) {
            return Finding::ChangesNothing;
        }
        match (shown_of(&self.nodes), shown_of(&self.time)) {
            (Shown::No, Shown::No)
                if [&self.alone, &self.overlap].iter().all(|e| shown_of(e) == Shown::Above) =>
            {
                Finding::Covered(self.partner().map(str::to_owned))
            }
            (Shown::No, Shown::No) => Finding::Undecided,
            (nodes, time) => Finding::Shown { nodes, time },
        }
    }

    /// The method with which it is shown to save most of the same.
    pub fn partner(&self) -> Option<&str> {
        let shared = self.partners.iter().find(|(_, shared)| shared.shown() == Shown::Above);
        shared.map(|(name, _)| name.as_str())
    }
}

/// How many tests each family has. A family are tests of one budget that answer one question, corrected together (Holm): nodes without
/// each method, the question of the page, which nothing that is asked besides can weaken; time, instructions and regret without each;
/// nodes of each alone; and what methods save twice, each with all others and every two.
pub type Tests = [usize; 4];

/// Corrects the tests of the methods of one budget, each family for itself, and says how many tests each has.
pub fn correct(worths: &mut [Worth]) -> Tests {
    let mut families: [Vec<&mut f64>; 4] = Default::default();
    for worth in worths.iter_mut() {
        let Worth { nodes, time, instructions, regret, alone, overlap, partners, .. } = worth;
        let effects = [vec![nodes], vec![time, instructions, regret], vec![alone], vec![overlap]];
        for (family, effects) in families.iter_mut().zip(effects) {
            family.extend(effects.into_iter().flatten().map(|effect| &mut effect.p));
        }
        // A pair has one test, which stands with the first of the two by name.
        let first = partners.iter_mut().filter(|(name, _)| *name > worth.method);
        families[3].extend(first.map(|(_, shared)| &mut shared.p));
    }
    let tests = families.map(inference::correct);
    mirror(worths);
    tests
}

/// Gives the second of every pair the corrected test of the first.
fn mirror(worths: &mut [Worth]) {
    let of_worth = |worth: &Worth| {
        let pair = |(name, shared): &(String, Estimate)| ([worth.method.clone(), name.clone()], shared.p);
        worth.partners.iter().map(pair).collect::<Vec<_>>()
    };
    let tested: BTreeMap<[String; 2], f64> = worths.iter().flat_map(of_worth).collect();
    for Worth { method, partners, .. } in worths {
        for (name, shared) in partners.iter_mut().filter(|(name, _)| *name < *method) {
            shared.p = tested.get(&[name.clone(), method.clone()]).copied().unwrap_or(shared.p);
        }
    }
}

/// The level of the strictest of so many tests.
pub fn level(tests: usize) -> f64 {
    LEVEL / tests.max(1) as f64
}

/// The method that an arm of all methods but one lacks: the reverse of [`without`] one.
pub fn lacking(arm: &str) -> Option<&str> {
    left_out(FULL, arm)
}

/// The methods of a group that has the arm of all and, for at least one method, the arm without it; in their order.
pub fn methods<'a>(group: &Group<'a>) -> Vec<&'a str> {
    let arms = group.methods.iter().copied();
    if index(group, FULL).is_none() { Vec::new() } else { arms.filter_map(lacking).collect() }
}

/// What the methods of a group are worth, their tests not yet corrected; `problems` are its positions with a solution.
pub fn worths(group: &Group<'_>, problems: &[Problem<'_>]) -> Vec<Worth> {
    let names = methods(group);
    names.iter().filter_map(|method| worth(group, problems, method, &names)).collect()
}

fn index(group: &Group<'_>, arm: &str) -> Option<usize> {
    group.methods.iter().position(|other| *other == arm)
}

fn worth(group: &Group<'_>, problems: &[Problem<'_>], method: &str, all: &[&str]) -> Option<Worth> {
    let (full, less) = (index(group, FULL)?, index(group, &without(&[method]))?);
    let alone = index(group, NONE).zip(index(group, method));
    let kept = group.blocks.iter().filter(|block| same_move(block.rows[full], block.rows[less])).count();
    let decided = group.blocks.len() - group.undecided(less);
    let partners = all.iter().filter(|other| **other != method);
    let mut partners: Vec<(String, Estimate)> =
        partners.filter_map(|other| Some(((*other).to_owned(), pair(group, method, other)?))).collect();
    partners.sort_by(|a, b| b.1.within.estimate.total_cmp(&a.1.within.estimate));
    let untimed = timed_arms(group, [less, full].into_iter()).err();
    let at_depth = |measure, first, second| at_depth(group, &measure, first, second);
    Some(Worth {
        method: method.to_owned(),
        nodes: at_depth(NODES, less, full),
        alone: alone.and_then(|(none, only)| at_depth(NODES, none, only)),
        time: at_depth(TIME, less, full),
        untimed,
        instructions: at_depth(INSTRUCTIONS, less, full),
        overlap: alone.and_then(|(none, only)| beyond(group, [none, only], [less, full])),
        same_move: wilson(kept, decided),
        regret: Searches::of(group).contrast(&REGRET, full, less).whole().map(Estimate::if_any),
        solved: solved(problems, full, less),
        partners,
    })
}

/// One arm (an index) against another at the same positions; `None` but at a fixed depth.
fn at_depth(group: &Group<'_>, measure: &Measure, first: usize, second: usize) -> Option<Estimate> {
    let estimate = Searches::of(group).contrast(measure, first, second).estimate.map(Estimate::if_any);
    estimate.filter(|_| group.is_fixed_depth())
}

/// Nodes of one arm over nodes of another at the same positions.
pub fn nodes_between(group: &Group<'_>, first: &str, second: &str) -> Option<Estimate> {
    at_depth(group, &NODES, index(group, first)?, index(group, second)?)
}

/// Nodes of the first of two arms over the second's, over the same of two others, at a fixed depth.
fn beyond(group: &Group<'_>, arms: [usize; 2], others: [usize; 2]) -> Option<Estimate> {
    let searches = Searches::of(group);
    let log = |block: &'_ Block<'_>, [first, second]: [usize; 2]| {
        let nodes = |arm: usize| block.rows[arm].nodes.map(|nodes| nodes.max(1) as f64);
        Some((nodes(first)? / nodes(second)?).ln())
    };
    let estimate =
        || searches.estimate(Mean::Geometric, |block| Some(log(block, arms)? - log(block, others)?));
    group.is_fixed_depth().then(estimate).flatten().map(Estimate::if_any)
}

/// How much more nodes it takes without two methods than one by one; above 1 they save some of the same.
fn pair(group: &Group<'_>, method: &str, other: &str) -> Option<Estimate> {
    let both =
        index(group, &without(&[method, other])).or_else(|| index(group, &without(&[other, method])))?;
    let full = index(group, FULL)?;
    let (without_method, others) = (index(group, &without(&[method]))?, index(group, &without(&[other]))?);
    beyond(group, [both, without_method], [others, full])
}

fn solved(problems: &[Problem<'_>], full: usize, arm: usize) -> Option<(u64, u64, usize, Interval)> {
    let right = |arm: usize| problems.iter().filter(|problem| problem.outcomes[arm].0).count() as u64;
    let only = |one: usize, other: usize| {
        problems.iter().filter(|problem| problem.outcomes[one].0 && !problem.outcomes[other].0).count() as u64
    };
    let difference = paired_difference(only(full, arm), only(arm, full), problems.len());
    (!problems.is_empty()).then(|| (right(full), right(arm), problems.len(), difference))
}

/// What a method saves with the others on, iteration by iteration: the depth, and nodes without it over nodes of all up to there,
/// geometric, over the positions at which both finished that iteration. Depths that fewer than half of the positions have are
/// left out.
pub fn by_depth(group: &Group<'_>, cells: &Iterations<'_>, method: &str) -> Vec<(u32, Interval)> {
    let Some((full, less)) = index(group, FULL).zip(index(group, &without(&[method]))) else {
        return Vec::new();
    };
    let deepest = cells.values().flatten().map(|(depth, _)| *depth).max().unwrap_or(0);
    let at_cost_of = |depth: u32| {
        let at = |block: &Block<'_>, arm: usize| nodes_to(block.rows[arm], cells, depth);
        let log = |block: &Block<'_>| Some((at(block, less)? / at(block, full)?).ln());
        let estimate = Searches::of(group).estimate(Mean::Geometric, log)?;
        (2 * estimate.n >= group.blocks.len()).then_some((depth, estimate.within))
    };
    if group.is_fixed_depth() { (1..=deepest).filter_map(at_cost_of).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{manifest, row};
    use crate::group::groups_of;
    use crate::runs::Runs;
    use std::time::Duration;

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
                let mut record = row(&position.to_string(), "28", arm, nodes * (position as u64 + 1));
                record.regret = Some(if arm == "full[-a]" { 10 } else { 0 });
                if arm == "full[-b]" && position == 0 {
                    record.best_move = "c5".into();
                }
                records.push(record);
            }
        }
        let manifest = manifest("[[game]]\nname = \"othello\"\nbaseline = \"full\"\n");
        Runs { records, manifests: vec![manifest], ..Runs::default() }
    }

    fn corrected_worths(runs: &Runs) -> Vec<Worth> {
        let mut worths = worths(&groups_of(runs)[0], &[]);
        correct(&mut worths);
        worths
    }

    fn near(effect: Option<Estimate>, value: f64) -> bool {
        (effect.unwrap().within.estimate - value).abs() < 1e-9
    }

    #[test]
    fn what_two_methods_save_alone_and_together_is_told_apart() {
        // Alone a saves 4 and b saves 2; together they save 4, so b saves nothing that a does not.
        let runs = runs([100, 200, 100, 400], 4);
        assert_eq!(methods(&groups_of(&runs)[0]), ["a", "b"]);
        let [a, b] = &corrected_worths(&runs)[..] else { panic!("two methods") };
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
        assert_eq!(a.finding(), Finding::Shown { nodes: Shown::Above, time: Shown::No });
        assert_eq!(b.finding(), Finding::Covered(Some("a".to_owned())), "its move changed once");
    }

    /// What is covered by others is so within what the run could have shown, which a wide interval says by a large factor.
    #[test]
    fn a_covered_method_comes_with_what_could_have_been_shown() {
        // Alone b saves 4; with a on it saves nothing on average.
        let factor_of = |noise: u64| {
            let mut runs = runs([100, 400, 100, 1600], 24);
            for row in runs.records.iter_mut().filter(|row| row.methods == "full[-b]") {
                let odd = row.position.parse::<u64>().unwrap() % 2 == 1;
                row.nodes = row.nodes.map(|nodes| if odd { nodes * noise } else { nodes / noise });
            }
            let [_, b] = &corrected_worths(&runs)[..] else { panic!("two methods") };
            assert_eq!(b.finding(), Finding::Covered(Some("a".to_owned())));
            b.nodes.unwrap().could_have_shown(0.05).unwrap()
        };
        assert!((factor_of(1) - 1.0).abs() < 1e-9);
        // ln 2 is the spread, 24 games: exp((2.07 + .86) * .708 / 4.9).
        assert!((1.4..1.7).contains(&factor_of(2)), "{}", factor_of(2));
    }

    #[test]
    fn independent_methods_do_not_overlap_and_other_budgets_have_no_nodes() {
        let mut runs = runs([100, 200, 300, 600], 3);
        let [a, b] = &corrected_worths(&runs)[..] else { panic!("two methods") };
        assert!(near(a.overlap, 1.0) && near(b.overlap, 1.0) && near(Some(a.partners[0].1), 1.0));
        assert_eq!(a.partner(), None);
        for row in &mut runs.records {
            row.budget_kind = secateur_record::record::BudgetKind::Nodes;
        }
        let measured = corrected_worths(&runs);
        assert!(
            measured
                .iter()
                .all(|worth| worth.nodes.is_none() && worth.partners.is_empty() && worth.same_move.is_some())
        );
    }

    #[test]
    fn nothing_is_said_of_a_difference_without_an_interval() {
        // Two positions: every ratio is the same at both, which is no doubt to Student and no interval either.
        let [a, _] = &corrected_worths(&runs([100, 200, 100, 400], 2))[..] else { panic!("two methods") };
        assert!(near(a.nodes, 2.0) && !a.nodes.unwrap().within.has_ends());
        assert_eq!(a.nodes.unwrap().shown(), Shown::No);
        assert_eq!(a.finding(), Finding::Undecided);
        assert_eq!(a.nodes.unwrap().could_have_shown(0.05), None);
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
    fn noise_is_undecided_and_says_what_would_have_been_shown() {
        let [a, b] = &corrected_worths(&noisy(12))[..] else { panic!("two methods") };
        assert_eq!(
            [a.finding(), b.finding()],
            [Finding::Undecided, Finding::Undecided],
            "b changes one move"
        );
        let factor = |level| a.nodes.unwrap().could_have_shown(level).unwrap();
        // ln 2 and ln .6 have a spread of .63 (n - 1): exp((2.2 + .88) * .63 / 3.46).
        assert!((1.7..1.8).contains(&factor(0.05)) && factor(0.005) > factor(0.05), "{}", factor(0.05));
    }

    #[test]
    fn a_switch_that_does_nothing_is_said_so_and_games_are_another_question() {
        let mut runs = runs([100, 200, 100, 400], 6);
        for row in &mut runs.records {
            row.best_move = "d3".into();
            if row.methods == "b" {
                row.nodes = row.nodes.map(|nodes| 2 * nodes);
            }
        }
        let [_, b] = &corrected_worths(&runs)[..] else { panic!("two methods") };
        assert_eq!(b.finding(), Finding::ChangesNothing);
        let elo = Interval { estimate: -30.0, low: -50.0, high: -10.0 };
        let lost = Games { elo, p: 0.001, sequential: None };
        let clock = Limit::MoveTime(Duration::from_millis(100));
        assert_eq!(lost.advice(100, clock), Advice::Drop);
        for fixed in [Limit::Nodes(5_000), Limit::Depth(6)] {
            assert_eq!(lost.advice(100, fixed), Advice::BetterWithout, "{fixed}: nobody says to drop it");
        }
        let open = Games { p: 0.2, ..lost };
        assert_eq!(
            open.advice(100, clock),
            Advice::PlayOn(Some(300)),
            "half the width takes four times the games"
        );
        let decided = Games { sequential: Some((Decision::Alternative, 3.0, [0.0, 5.0])), ..open };
        assert_eq!(decided.advice(100, clock), Advice::Keep);
        assert_eq!(decided.advice(100, Limit::Nodes(5_000)), Advice::BetterWith);
    }

    /// Regret has no part in the word: with time shown to be spent, moves may be better or worse.
    #[test]
    fn nodes_and_time_are_told_apart() {
        let mut runs = runs([100, 200, 150, 400], 12);
        for row in &mut runs.records {
            row.regret = Some(if row.methods == "full[-a]" { 0 } else { 30 });
            row.time_ns = if row.methods == "full[-a]" { 900 } else { 1_000 };
        }
        let [a, _] = &corrected_worths(&runs)[..] else { panic!("two methods") };
        assert!(near(a.regret, 30.0));
        assert_eq!(a.finding(), Finding::Shown { nodes: Shown::Above, time: Shown::Below });
        for row in runs.records.iter_mut().filter(|row| row.methods == "full[-a]") {
            row.nodes = Some(100 * (row.position.parse::<u64>().unwrap() + 1));
            row.regret = Some(60);
        }
        let [a, _] = &corrected_worths(&runs)[..] else { panic!("two methods") };
        assert_eq!(
            a.finding(),
            Finding::Shown { nodes: Shown::No, time: Shown::Below },
            "and its moves lose less"
        );
        assert!(a.regret.unwrap().shown() == Shown::Below);
    }

    /// What is asked besides cannot weaken the main question.
    #[test]
    fn every_family_is_corrected_for_itself() {
        let mut all = worths(&groups_of(&noisy(12))[0], &[]);
        let before = all[0].nodes.unwrap().p;
        let mut more = all.clone();
        more.iter_mut().for_each(|worth| {
            (worth.alone, worth.overlap, worth.time, worth.regret) = (None, None, None, None)
        });
        more.iter_mut().for_each(|worth| worth.partners.clear());
        assert_eq!(correct(&mut more)[1..], [0, 0, 0]);
        let tests = correct(&mut all);
        assert!(tests[0] == 1 && tests[3] > 1, "one method changes nodes: {tests:?}");
        assert_eq!(all[0].nodes.unwrap().p, before);
        assert_eq!(more[0].nodes.unwrap().p, before);
    }

    #[test]
    fn a_run_without_the_arm_of_all_has_no_worth() {
        let mut runs = runs([1, 2, 2, 4], 2);
        runs.manifests.clear();
        runs.records.retain(|row| row.methods != "full");
        assert!(groups_of(&runs).iter().all(|group| worths(group, &[]).is_empty()));
    }
}
