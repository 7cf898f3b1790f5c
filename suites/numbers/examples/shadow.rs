//! Which cuts of one method would another have made? Asked at the node, and not of the size of trees.
//!
//! `shadow GAME DEPTH LIMIT EVERY` searches LIMIT positions of each test set with one method alone, and at one cut in EVERY (by
//! the hash of the position) asks each of the other methods in a shadow: a searcher of its own with that method alone, which
//! takes line, iteration and ordering memory from the real search and leaves it as it is. The tree of every position is
//! compared with that of the method without shadows, and the program ends where they differ. Methods that cut a node are asked
//! about nodes, those that leave out moves about moves. The method itself is asked too, as a control: all that differs then is
//! what the tables know. It prints CSV: of the cuts of the first method on one side of the window, the share at which the second
//! tests, makes the same cut, and makes it where it tests, with 95 % bootstrap intervals over positions, and how many times it
//! would cut on the other side. Left out: razoring, which shortens a depth and does not cut.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::game::{Moves, QuietNode};
use secateur_core::prune::{
    Asks, Baselines, Calibration, Futility, Lmp, Lmr, METHODS, Method, Mpc, MultiCut, NullMove, ProbCut,
    Prune, ReverseFutility, Roll, Searched, SetupError, Switched, Verdict,
};
use secateur_core::search::{Budget, Node, Options, Quiet, Search};
use secateur_core::{Depth, Game, Score};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::builtin;
use secateur_suites::arm::Arm;
use secateur_suites::setup::Setup;
use std::cell::RefCell;
use std::error::Error;
use std::io::{Write, stdout};

/// The methods that are compared; one compiled search, so that a mark means the same in all.
type Few = (
    Switched<ReverseFutility>,
    (
        Switched<NullMove>,
        (
            Switched<ProbCut>,
            (Switched<Mpc>, (Switched<MultiCut>, (Switched<Lmp>, (Switched<Futility>, Switched<Lmr>)))),
        ),
    ),
);

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

fn on<M: Method>(
    arm: &Arm,
    params: &M::Params,
    calibration: &Calibration,
    stages: usize,
) -> Result<Switched<M>, SetupError> {
    let index = METHODS.iter().position(|name| *name == M::NAME);
    let is_on = index.is_some_and(|index| arm.set.contains(index));
    let method = is_on.then(|| M::new(params, calibration, stages)).transpose()?;
    Ok(Switched { method, guards: M::guards(params) })
}

fn few(text: &str, setup: &Setup, stages: usize) -> Result<Few, Box<dyn Error>> {
    let arm = &Arm::parse(text)?;
    let params = arm.params(&setup.params)?;
    let Baselines { none, .. } = &setup.baselines;
    let null_move = setup.baselines.choose(text.starts_with("null-move"));
    Ok((
        on(arm, &params.reverse_futility, none, stages)?,
        (
            on(arm, &params.null_move, null_move, stages)?,
            (
                on(arm, &params.probcut, none, stages)?,
                (
                    on(arm, &params.mpc, none, stages)?,
                    (
                        on(arm, &params.multi_cut, none, stages)?,
                        (
                            on(arm, &params.lmp, none, stages)?,
                            (on(arm, &params.futility, none, stages)?, on(arm, &params.lmr, none, stages)?),
                        ),
                    ),
                ),
            ),
        ),
    ))
}

/// The name of a method without what stands in brackets.
fn plain(arm: &str) -> &str {
    arm.split('[').next().unwrap_or(arm)
}

/// What one shadow said at the cuts of one side.
#[derive(Clone, Copy, Default)]
struct Said {
    cuts: u64,
    tests: u64,
    made: u64,
    contrary: u64,
}

/// A searcher that is asked and does nothing.
struct Shadow<'a, G: Game> {
    method: &'a str,
    search: Search<'a, G, Few>,
    /// At cuts that claim at least beta, and at those that claim at most alpha.
    said: [Said; 2],
}

/// The real method, with its shadows.
struct Watched<'a, G: Game> {
    real: &'a Few,
    every: u64,
    shadows: RefCell<Vec<Shadow<'a, G>>>,
}

impl<G: Game> Watched<'_, G> {
    /// Asks the shadows about something that the real method has just cut, on the side `low`, at a position.
    fn ask(
        &self,
        game: &G,
        pos: &G::Position,
        low: bool,
        mut would: impl FnMut(&mut Search<'_, G, Few>) -> Option<bool>,
    ) {
        if !game.key(pos).rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15).is_multiple_of(self.every) {
            return;
        }
        for shadow in self.shadows.borrow_mut().iter_mut() {
            let before = shadow.search.tally.total(shadow.method).tries;
            let verdict = would(&mut shadow.search);
            let tested = shadow.search.tally.total(shadow.method).tries > before;
            let said = &mut shadow.said[usize::from(low)];
            said.cuts += 1;
            said.tests += u64::from(tested);
            said.made += u64::from(verdict == Some(low));
            said.contrary += u64::from(verdict == Some(!low));
        }
    }

    fn ask_node<P: Prune<G>>(
        &self,
        search: &Search<'_, G, P>,
        node: &Node<'_, G>,
        verdict: Verdict,
    ) -> Verdict {
        let is_low = |score: Score| score < node.window.beta;
        if let Verdict::Cut(score) = verdict {
            self.ask(&search.game, node.pos, is_low(score), |shadow| match shadow.would(search, node) {
                Verdict::Cut(score) => Some(is_low(score)),
                _ => None,
            });
        }
        verdict
    }
}

impl<G: Game> Prune<G> for Watched<'_, G> {
    const ROLL: &'static Roll = <Few as Prune<G>>::ROLL;

    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        let verdict = self.real.enter(search, node);
        self.ask_node(search, node, verdict)
    }

    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let verdict = self.real.branch(search, node, moves);
        self.ask_node(search, node, verdict)
    }

    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let claim = self.real.skip(search, node, alpha, mv, index);
        if claim.is_some() {
            let search = &*search;
            self.ask(&search.game, node.pos, true, |shadow| {
                shadow.would_skip(search, node, alpha, mv, index).then_some(true)
            });
        }
        claim
    }

    fn quiet<P: Prune<G>>(
        &self,
        search: &mut Quiet<'_, G, P>,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        self.real.quiet(search, node, alpha, mv)
    }

    fn leave<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        found: &Searched<G::Move>,
    ) {
        self.real.leave(search, node, found);
    }

    /// The line is kept for the shadows, whether the real method looks back or not.
    fn asks(&self) -> Asks {
        Prune::<G>::asks(self.real).or(Asks { line: true, evaluations: true, ..Asks::default() })
    }

    fn learns(&self, cells: &mut Vec<usize>) {
        Prune::<G>::learns(self.real, cells);
    }

    fn sensitive_from(&self) -> Depth {
        Prune::<G>::sensitive_from(self.real)
    }

    fn acts_from(&self) -> Depth {
        Prune::<G>::acts_from(self.real)
    }

    fn branches(&self) -> bool {
        Prune::<G>::branches(self.real)
    }

    fn has_last(&self) -> bool {
        Prune::<G>::has_last(self.real)
    }

    fn cuts_open_windows(&self) -> bool {
        Prune::<G>::cuts_open_windows(self.real)
    }

    fn doubts_bounds(&self) -> bool {
        Prune::<G>::doubts_bounds(self.real)
    }
}

/// What is asked of a game, the same for all its methods.
struct Study<'a, G> {
    game: &'a G,
    setup: &'a Setup,
    depth: i32,
    every: u64,
}

impl<G: Game> Study<'_, G> {
    fn few(&self, arm: &str) -> Result<Few, Box<dyn Error>> {
        few(arm, self.setup, self.game.stages().len())
    }

    /// What each of `arms` said at the cuts of the first of them, by arm and position.
    fn of(
        &self,
        real: &str,
        arms: &[&str],
        roots: &[G::Position],
    ) -> Result<Vec<Vec<[Said; 2]>>, Box<dyn Error>> {
        let options = Options { table_mib: 16, ..self.setup.options.clone() };
        let method = self.few(real)?;
        let others = arms.iter().map(|arm| self.few(arm)).collect::<Result<Vec<_>, _>>()?;
        let shadows = arms.iter().zip(&others).map(|(arm, other)| Shadow {
            method: plain(arm),
            search: Search::new(self.game.clone(), other, options.clone()),
            said: Default::default(),
        });
        let watched = Watched { real: &method, every: self.every, shadows: RefCell::new(shadows.collect()) };
        let mut alone = Search::new(self.game.clone(), &method, options.clone());
        let mut search = Search::new(self.game.clone(), &watched, options.clone());
        let mut said = vec![Vec::new(); arms.len()];
        for root in roots {
            let wanted = alone.run(root, &Budget::Depth(self.depth));
            let found = search.run(root, &Budget::Depth(self.depth));
            // A shadow leaves the tree as it is, or what it says is about another tree.
            assert_eq!(found.tally.nodes, wanted.tally.nodes, "{real}: {}", self.game.format(root));
            assert_eq!(found.iterations, wanted.iterations, "{real}: {}", self.game.format(root));
            for (shadow, said) in watched.shadows.borrow_mut().iter_mut().zip(&mut said) {
                said.push(std::mem::take(&mut shadow.said));
                shadow.search.forget();
            }
        }
        Ok(said)
    }

    fn all(&self, levels: [&[&str]; 2], roots: &[G::Position]) -> Result<(), Box<dyn Error>> {
        for (level, arms) in ["node", "move"].iter().zip(levels) {
            for real in arms {
                let said = self.of(real, arms, roots)?;
                for (second, by_position) in arms.iter().zip(&said) {
                    for (side, name) in ["high", "low"].iter().enumerate() {
                        let names = [self.game.name(), level, plain(real), name, plain(second)].join(",");
                        let of_side: Vec<Said> = by_position.iter().map(|said| said[side]).collect();
                        print(&names, &of_side)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A row, if anything was cut.
fn print(names: &str, said: &[Said]) -> Result<(), Box<dyn Error>> {
    let sum = |of: fn(&Said) -> u64| said.iter().map(of).sum::<u64>();
    if sum(|said| said.cuts) == 0 {
        return Ok(());
    }
    let shares = [
        share(said, |said| (said.tests, said.cuts)),
        share(said, |said| (said.made, said.cuts)),
        share(said, |said| (said.made, said.tests)),
    ];
    let shares: Vec<String> =
        shares.iter().flatten().map(|x| x.map_or(String::new(), |x| format!("{x:.4}"))).collect();
    let (cuts, contrary) = (sum(|said| said.cuts), sum(|said| said.contrary));
    writeln!(stdout(), "{names},{},{cuts},{},{contrary}", said.len(), shares.join(","))?;
    Ok(())
}

/// A ratio of sums over positions with its 95 % interval, percentiles of a bootstrap over positions; nothing of nothing.
fn share(said: &[Said], of: fn(&Said) -> (u64, u64)) -> [Option<f64>; 3] {
    let ratio = |chosen: &mut dyn Iterator<Item = &Said>| {
        let (part, whole) = chosen.map(of).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (whole > 0).then(|| part as f64 / whole as f64)
    };
    let mut rng = ChaCha8Rng::seed_from_u64(1995);
    let mut draw = || &said[(rng.next_u64() % said.len() as u64) as usize];
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| ratio(&mut (0..said.len()).map(|_| draw()).collect::<Vec<_>>().into_iter()))
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at =
        |q: f64| drawn.get(((drawn.len() as f64 * q) as usize).min(drawn.len().saturating_sub(1))).copied();
    [ratio(&mut said.iter()), at(0.025), at(0.975)]
}

fn roots<G: Game>(game: &G, limit: usize) -> Result<Vec<G::Position>, Box<dyn Error>> {
    let mut roots = Vec::new();
    for set in SETS.iter().find(|(name, _)| *name == game.name()).map_or(&[][..], |(_, sets)| *sets) {
        let set = builtin(game, set)?;
        let step = (set.entries.len() / limit).max(1);
        for entry in set.entries.iter().step_by(step).take(limit) {
            roots.push(game.parse(&entry.position)?);
        }
    }
    Ok(roots)
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, depth, limit, every] = &words[..] else {
        return Err("expected GAME DEPTH LIMIT EVERY".into());
    };
    let (depth, limit, every) = (depth.parse()?, limit.parse()?, every.parse()?);
    writeln!(stdout(), "# cargo run --release -p secateur-numbers --example shadow -- {}", words.join(" "))?;
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
