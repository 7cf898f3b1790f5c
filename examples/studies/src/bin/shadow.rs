//! Which cuts of one method would another have made? Asked at the node, and not of the size of trees.
//!
//! `shadow GAME DEPTH LIMIT EVERY` searches LIMIT positions of each test set with one method alone, and at one test in EVERY (by
//! the hash of the position) asks each of the other methods in a shadow: a searcher of its own with that method alone, which
//! takes line, iteration and ordering memory from the real search and leaves it as it is. The tree of every position is
//! compared with that of the method without shadows, and the program ends where they differ. Methods that cut a node are asked
//! about nodes, those that leave out moves about moves. The method itself is asked too, as a control: all that differs then is
//! what the tables know. And they are asked where the method tested and let pass, because a method that cuts anywhere overlaps
//! with all. It prints CSV: of the cuts of the first method at beta (`high`), at alpha or of moves (`low`), or of what it let pass
//! (`passed`), the share at which the second tests, makes the same cut (where the first let pass: one at beta, or of a move), and makes it
//! where it tests, with 95 % bootstrap intervals over positions, and how many times it would cut on the other side. Left out:
//! razoring, which shortens a depth and does not cut.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::game::Moves;
use secateur_core::prune::{Asks, Methods, Place, Prune, Verdict};
use secateur_core::search::{Budget, Node, Options, Search};
use secateur_core::{Game, Score};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::builtin::{builtin, is_reserved};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::error::Error;
use std::io::{Write, stdout};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that cut nodes and those that leave out moves, by game; chess's ProbCut and MPC with pairs low enough for these depths.
const CHESS: [&[&str]; 2] = [
    &[
        "null-move",
        "reverse-futility",
        "multi-cut",
        "probcut[shallow=2,deep=4]",
        "mpc[pairs=[[2,4],[3,5],[2,6],[3,7]]]",
    ],
    &["futility", "lmp", "lmr"],
];
const OTHELLO: [&[&str]; 2] = [
    &["null-move", "reverse-futility", "multi-cut", "probcut[shallow=2,deep=6]", "mpc"],
    &["futility", "lmp", "lmr"],
];
const SETS: [(&str, &[&str]); 2] = [
    ("chess", &["chess-games"]),
    ("othello", &["othello-12", "othello-20", "othello-28", "othello-36", "othello-44"]),
];
const RESAMPLES: usize = 2_000;

/// The name of a method without what stands in brackets.
fn plain(arm: &str) -> &str {
    arm.split('[').next().unwrap_or(arm)
}

/// What is asked of a game, the same for all its methods.
struct Study<'a, G> {
    game: &'a G,
    setup: &'a Setup,
    depth: i32,
    every: u64,
}

impl<G: Game> Study<'_, G> {
    fn methods(&self, arm: &str) -> Result<Methods, Box<dyn Error>> {
        Ok(self.setup.equip(&Arm::parse(arm)?)?)
    }

    /// What each of `arms` said at the cuts of the first of them, by arm and position.
    fn answers(
        &self,
        real: &str,
        usual: Came,
        arms: &[&str],
        roots: &[G::Position],
    ) -> Result<Vec<Vec<[Said; 3]>>, Box<dyn Error>> {
        let options = Options { table_mib: 16, ..self.setup.options.clone() };
        let method = self.methods(real)?;
        let method = method.of::<G>();
        let others = arms.iter().map(|arm| self.methods(arm)).collect::<Result<Vec<_>, _>>()?;
        let shadows = arms.iter().zip(&others).map(|(arm, other)| Shadow {
            method: plain(arm),
            search: Search::new(self.game.clone(), &other.of::<G>(), options.clone()),
            answers: Default::default(),
        });
        let watched = Watched {
            real: method[0],
            method: plain(real),
            usual,
            every: self.every,
            shadows: Mutex::new(shadows.collect()),
        };
        let mut alone = Search::new(self.game.clone(), &method, options.clone());
        let mut search = Search::new(self.game.clone(), &[&watched], options.clone());
        let mut answers = vec![Vec::new(); arms.len()];
        for root in roots {
            let wanted = alone.run(root, &Budget::Depth(self.depth));
            let outcome = search.run(root, &Budget::Depth(self.depth));
            // A shadow leaves the tree as it is, or what it says is about another tree.
            assert_eq!(outcome.tally.nodes, wanted.tally.nodes, "{real}: {}", self.game.format(root));
            assert_eq!(outcome.iterations, wanted.iterations, "{real}: {}", self.game.format(root));
            for (shadow, answers) in watched.shadows().iter_mut().zip(&mut answers) {
                answers.push(std::mem::take(&mut shadow.answers));
                shadow.search.forget();
            }
        }
        Ok(answers)
    }

    fn all(&self, levels: [&[&str]; 2], roots: &[G::Position]) -> Result<(), Box<dyn Error>> {
        for ((level, usual), arms) in [("node", Came::High), ("move", Came::Low)].iter().zip(levels) {
            for real in arms {
                let answers = self.answers(real, *usual, arms, roots)?;
                for (second, by_position) in arms.iter().zip(&answers) {
                    for (side, name) in ["high", "low", "passed"].iter().enumerate() {
                        let second = format!("would-{}", plain(second));
                        let names = [self.game.name(), level, plain(real), name, &second].join(",");
                        print(&names, &by_position.iter().map(|answers| answers[side]).collect::<Vec<_>>())?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A row, if anything was cut.
fn print(names: &str, answers: &[Said]) -> Result<(), Box<dyn Error>> {
    let sum = |part: fn(&Said) -> u64| answers.iter().map(part).sum::<u64>();
    if sum(|answer| answer.cuts) == 0 {
        return Ok(());
    }
    let shares = [
        share(answers, |answer| (answer.tests, answer.cuts)),
        share(answers, |answer| (answer.made, answer.cuts)),
        share(answers, |answer| (answer.made, answer.tests)),
    ];
    let shares: Vec<String> =
        shares.iter().flatten().map(|x| x.map_or(String::new(), |x| format!("{x:.4}"))).collect();
    let (cuts, contrary) = (sum(|answer| answer.cuts), sum(|answer| answer.contrary));
    writeln!(stdout(), "{names},{},{cuts},{},{contrary}", answers.len(), shares.join(","))?;
    Ok(())
}

/// A ratio of sums over positions with its 95 % interval, percentiles of a bootstrap over positions; nothing of nothing.
fn share(answers: &[Said], parts: fn(&Said) -> (u64, u64)) -> [Option<f64>; 3] {
    let ratio = |chosen: &mut dyn Iterator<Item = &Said>| {
        let (part, whole) = chosen.map(parts).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (whole > 0).then(|| part as f64 / whole as f64)
    };
    let mut rng = ChaCha8Rng::seed_from_u64(1995);
    let mut draw = || &answers[(rng.next_u64() % answers.len() as u64) as usize];
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| ratio(&mut (0..answers.len()).map(|_| draw()).collect::<Vec<_>>().into_iter()))
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at =
        |q: f64| drawn.get(((drawn.len() as f64 * q) as usize).min(drawn.len().saturating_sub(1))).copied();
    [ratio(&mut answers.iter()), at(0.025), at(0.975)]
}

fn roots<G: Game>(game: &G, limit: usize) -> Result<Vec<G::Position>, Box<dyn Error>> {
    let mut roots = Vec::new();
    for set in SETS.iter().find(|(name, _)| *name == game.name()).map_or(&[][..], |(_, sets)| *sets) {
        let set = builtin(game, set)?;
        let step = (set.entries.len() / limit).max(1);
        for entry in set.entries.iter().step_by(step).take(limit).filter(|entry| !is_reserved(&entry.id)) {
            roots.push(game.parse(&entry.position)?);
        }
    }
    Ok(roots)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, depth, limit, every] = &args[..] else {
        return Err("expected GAME DEPTH LIMIT EVERY".into());
    };
    let (depth, limit, every) = (depth.parse()?, limit.parse()?, every.parse()?);
    writeln!(
        stdout(),
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin shadow -- {}",
        args.join(" ")
    )?;
    writeln!(
        stdout(),
        "game,level,first,side,second,positions,cuts,tests,tests_low,tests_high,made,made_low,made_high,\
         of_tests,of_tests_low,of_tests_high,contrary"
    )?;
    let setup = &Setup::embedded(game)?;
    match game.as_str() {
        "othello" => {
            let game = &Othello::default();
            Study { game, setup, depth, every }.all(OTHELLO, &roots(game, limit)?)
        }
        "chess" => {
            let game = &Chess::default();
            Study { game, setup, depth, every }.all(CHESS, &roots(game, limit)?)
        }
        other => Err(format!("found the game `{other}`, expected othello or chess").into()),
    }
}

/// What came of a test: a cut at beta, one at alpha or a move left out, or nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    High,
    Low,
    Passed,
}

/// What one shadow said where one thing came of the real method's tests.
#[derive(Clone, Copy, Default)]
struct Said {
    pub(crate) cuts: u64,
    pub(crate) tests: u64,
    pub(crate) made: u64,
    pub(crate) contrary: u64,
}

/// A searcher that is asked and does nothing.
struct Shadow<'a, G: Game> {
    pub(crate) method: &'a str,
    pub(crate) search: Search<'a, G>,
    /// By what came of the real method's test.
    pub(crate) answers: [Said; 3],
}

/// The real method, with its shadows.
struct Watched<'a, G: Game> {
    pub(crate) real: &'a dyn Prune<G>,
    pub(crate) method: &'a str,
    /// How these methods mostly cut.
    pub(crate) usual: Came,
    pub(crate) every: u64,
    pub(crate) shadows: Mutex<Vec<Shadow<'a, G>>>,
}

impl<'a, G: Game> Watched<'a, G> {
    pub(crate) fn shadows(&self) -> MutexGuard<'_, Vec<Shadow<'a, G>>> {
        self.shadows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a position is one of those at which shadows are asked.
    fn is_drawn(&self, game: &G, pos: &G::Position) -> bool {
        game.key(pos).rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15).is_multiple_of(self.every)
    }

    /// Asks the shadows where the real method has just spoken.
    fn ask(&self, came: Came, mut would: impl FnMut(&mut Search<'_, G>) -> Option<Came>) {
        for shadow in self.shadows().iter_mut() {
            let before = shadow.search.tally.total(shadow.method).tries;
            let verdict = would(&mut shadow.search);
            let tested = shadow.search.tally.total(shadow.method).tries > before;
            // What a method that let a node pass might have done is cut it where most cuts are.
            let same = if came == Came::Passed { self.usual } else { came };
            let answer = &mut shadow.answers[came as usize];
            answer.cuts += 1;
            answer.tests += u64::from(tested);
            answer.made += u64::from(verdict == Some(same));
            answer.contrary += u64::from(verdict.is_some_and(|verdict| verdict != same));
        }
    }

    /// Has the real method speak of a node, and then its shadows, if it tested or cut there.
    fn node(
        &self,
        search: &mut Search<'_, G>,
        node: &Node<'_, G>,
        real: impl FnOnce(&mut Search<'_, G>) -> Verdict,
    ) -> Verdict {
        if !self.is_drawn(&search.game, node.pos) {
            return real(search);
        }
        let before = search.tally.total(self.method).tries;
        let verdict = real(search);
        let tested = search.tally.total(self.method).tries > before;
        let came = |verdict: Verdict| match verdict {
            Verdict::Cut(score) => Some(if score < node.window.beta { Came::Low } else { Came::High }),
            _ => None,
        };
        if let Some(came_of) = came(verdict).or(tested.then_some(Came::Passed)) {
            self.ask(came_of, |shadow| came(shadow.would(search, node)));
        }
        verdict
    }
}

impl<G: Game> Prune<G> for Watched<'_, G> {
    /// The line is kept for the shadows, whether the real method looks back or not.
    fn asks(&self) -> Asks {
        Asks { line: true, evaluations: true, ..self.real.asks() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        self.node(search, node, |search| self.real.enter(search, place, node))
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.node(search, node, |search| self.real.branch(search, place, node, moves))
    }

    /// About every move, because those that pass by the real method's plan are tested as well.
    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let plan = self.real.plan(search, place, node, alpha);
        if index < plan.from {
            return None;
        }
        let before = search.tally.total(self.method).tries;
        let claim = if plan.passes(alpha, || search.merit(node, mv)) {
            search.count(place, node).tries += u64::from(plan.counted);
            None
        } else {
            self.real.skip(search, place, node, alpha, mv, index)
        };
        if !self.is_drawn(&search.game, node.pos) {
            return claim;
        }
        let tested = search.tally.total(self.method).tries > before;
        if let Some(came) = claim.map(|_| Came::Low).or(tested.then_some(Came::Passed)) {
            self.ask(came, |shadow| shadow.would_skip(search, node, alpha, mv, index).then_some(Came::Low));
        }
        claim
    }
}
