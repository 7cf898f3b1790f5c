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

mod watched;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::Game;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Search};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::builtin::{builtin, is_reserved};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::error::Error;
use std::io::{Write, stdout};
use std::sync::Mutex;
use watched::{Came, Said, Shadow, Watched};

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
    fn of(
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
                let answers = self.of(real, *usual, arms, roots)?;
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
