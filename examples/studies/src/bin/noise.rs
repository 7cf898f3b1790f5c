//! Is it the quality of the evaluation that decides what ProbCut gains, or how well a shallow search predicts a deep one?
//!
//! `noise KIND DEPTH LIMIT DRAWS` makes Othello's evaluation worse in steps and searches LIMIT positions of each test set to
//! DEPTH with it: without methods, with ProbCut and with Multi-ProbCut, whose linear models are fitted anew for every step
//! (`fit`, on DRAWS positions of a stage). What is added has a standard deviation of so many times the sigma of the usual fit's
//! pair (4, 8), is the same whenever a position comes up, and is of two kinds: `fresh` is drawn by the hash of the position, so
//! that two positions in a line have nothing in common; `lasting` is a wrong table of weights of the squares, which changes as
//! slowly as the discs do. Both make moves worse; only the first should make a deep search hard to predict. It prints CSV: what
//! the fit says of (4, 8), how many times fewer nodes a method needs than full width with the same evaluation, how often it keeps
//! that search's move, and what its move loses by a full-width search two plies deeper with the evaluation as it is, in discs; 95
//! % bootstrap intervals over positions. Left out: other draws of the weights.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::game::Notation;
use secateur_core::prune::{Fit, Methods};
use secateur_core::search::{Budget, Searcher};
use secateur_core::{Depth, Game, Score};
use secateur_games::othello::{Othello, Position, Square};
use secateur_lab::fit::{FitSettings, fit};
use secateur_positions::builtin::{builtin, is_reserved};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::error::Error;
use std::io::{Write, stdout};
use studies::noisy::{Noise, Noisy, fresh, wrong_squares};

/// Standard deviations of what is added, in sigmas of the pair.
const LEVELS: [f64; 5] = [0.0, 0.25, 0.5, 1.0, 2.0];
const PAIR: (i32, i32) = (4, 8);
/// Test sets, and the stages whose fits their searches ask for most.
const SETS: [&str; 3] = ["othello-20", "othello-28", "othello-36"];
const STAGES: std::ops::RangeInclusive<usize> = 4..=10;
const METHODS: [&str; 3] =
    ["none", "probcut", "mpc[pairs=[[1,3],[2,4],[1,5],[2,6],[1,7],[3,7],[2,8],[4,8],[1,9],[3,9]]]"];
const RESAMPLES: usize = 2_000;

/// A position with what the evaluation as it is says of its moves.
struct Judged {
    pos: Position,
    best: Score,
    worth: Vec<(Square, Score)>,
}

impl Judged {
    /// What a move loses, discs.
    fn loss(&mut self, mv: Square, oracle: &mut Searcher<'_, Othello>, depth: i32) -> f64 {
        let judged = self.worth.iter().find(|(other, _)| *other == mv).map(|(_, worth)| *worth);
        let worth = judged.unwrap_or_else(|| {
            let (worth, _) = oracle.move_value(&self.pos, mv, Depth(depth));
            self.worth.push((mv, worth));
            worth
        });
        f64::from(self.best.0 - worth.0) / f64::from(Othello::UNIT.scale)
    }
}

/// What a method did on a position: nodes over the full-width search's (logarithm), the same move or not, and what its move loses.
type Found = [f64; 3];

struct Study<'p> {
    setup: Setup,
    /// Full width with the evaluation as it is, this many plies deep.
    oracle: Searcher<'p, Othello>,
    judged_at: i32,
    depth: i32,
    draws: usize,
    sigma: f64,
}

/// Mean sigma and correlation of the pair over the stages.
fn of_pair(fits: &[Fit]) -> [f64; 2] {
    let wanted = |fit: &&Fit| (fit.shallow, fit.deep) == PAIR && STAGES.contains(&fit.stage);
    let fits: Vec<&Fit> = fits.iter().filter(wanted).collect();
    let mean = |value: fn(&Fit) -> f64| fits.iter().map(|fit| value(fit)).sum::<f64>() / fits.len() as f64;
    [mean(|fit| fit.sigma), mean(|fit| fit.r)]
}

impl Study<'_> {
    /// The setup with models of this evaluation.
    fn fitted(&self, game: &Noisy<Othello>) -> Result<Setup, Box<dyn Error>> {
        let depth_none = self.depth - 1;
        let standard = FitSettings::standard(Othello::NAME)?;
        let settings = FitSettings {
            limit: Some(self.draws),
            draws: 1,
            depth_none,
            depth_deeper: depth_none,
            ..standard
        };
        let set = builtin(game, &settings.positions)?;
        let (fitted, _) = fit(game, &self.setup, &set, &settings, &mut |_, _| {})?;
        Ok(Setup { baselines: fitted.baselines, evaluation: None, fitted_on: None, ..self.setup.clone() })
    }

    fn step(
        &mut self,
        kind: &str,
        noise: Noise<Othello>,
        level: f64,
        judged: &mut [Judged],
    ) -> Result<(), Box<dyn Error>> {
        let game = Noisy { game: Othello::default(), noise, deviation: level * self.sigma };
        let setup = self.fitted(&game)?;
        let [sigma, r] = of_pair(&setup.baselines.none.fits);
        let added = deviation(judged.iter().map(|one| f64::from(game.added(&one.pos).0)).collect());
        let [sigma, added] = [sigma, added].map(|score| score / f64::from(Othello::UNIT.scale));
        let mut plain = Vec::new();
        for method in METHODS {
            let ready = setup.equip(&Arm::parse(method)?)?;
            let mut search = game.clone().searcher(&ready, setup.options.clone());
            let mut rows: Vec<Found> = Vec::new();
            for (index, one) in judged.iter_mut().enumerate() {
                let outcome = search.run(&one.pos, &Budget::Depth(self.depth));
                let (nodes, mv) =
                    (outcome.tally.nodes, outcome.last().best_move().ok_or("a position without moves")?);
                if method == METHODS[0] {
                    self.check(&game, &one.pos, nodes);
                    plain.push((nodes, mv));
                }
                let (full, move_of_full) = plain[index];
                let saved = (full as f64 / nodes as f64).ln();
                rows.push([
                    saved,
                    f64::from(u8::from(mv == move_of_full)),
                    one.loss(mv, &mut self.oracle, self.judged_at),
                ]);
            }
            let method = method.split('[').next().unwrap_or(method);
            print(&format!("{kind},{level},{added:.3},{sigma:.3},{r:.4},{method},{}", rows.len()), &rows)?;
        }
        Ok(())
    }

    /// Nothing added is the game itself, node for node; otherwise the steps could not be compared with it.
    fn check(&self, game: &Noisy<Othello>, pos: &Position, nodes: u64) {
        if game.deviation == 0.0 {
            let mut search = game.game.clone().searcher(Methods::NONE, self.setup.options.clone());
            assert_eq!(search.run(pos, &Budget::Depth(self.depth)).tally.nodes, nodes);
        }
    }
}

fn deviation(sample: Vec<f64>) -> f64 {
    (sample.iter().map(|x| x * x).sum::<f64>() / sample.len() as f64).sqrt()
}

fn print(names: &str, rows: &[Found]) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1995);
    let mean = |chosen: &[&Found], part: usize| {
        chosen.iter().map(|position| position[part]).sum::<f64>() / chosen.len() as f64
    };
    let all: Vec<&Found> = rows.iter().collect();
    let mut drawn: [Vec<f64>; 3] = Default::default();
    for _ in 0..RESAMPLES {
        let mut draw = || &rows[(rng.next_u64() % rows.len() as u64) as usize];
        let chosen: Vec<&Found> = (0..rows.len()).map(|_| draw()).collect();
        drawn.iter_mut().enumerate().for_each(|(part, means)| means.push(mean(&chosen, part)));
    }
    let mut numbers = Vec::new();
    for (part, means) in drawn.iter_mut().enumerate() {
        means.sort_by(f64::total_cmp);
        let ends = [0.025, 0.975].map(|q| means[(RESAMPLES as f64 * q) as usize]);
        let put = |x: f64| if part == 0 { x.exp() } else { x };
        numbers.extend([mean(&all, part), ends[0], ends[1]].map(|x| format!("{:.4}", put(x))));
    }
    writeln!(stdout(), "{names},{}", numbers.join(","))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, depth, limit, draws] = &args[..] else {
        return Err("expected KIND DEPTH LIMIT DRAWS".into());
    };
    let noise: Noise<Othello> = match kind.as_str() {
        "fresh" => fresh,
        "lasting" => wrong_squares,
        other => return Err(format!("found the kind `{other}`, expected fresh or lasting").into()),
    };
    let (depth, limit, draws): (i32, usize, usize) = (depth.parse()?, limit.parse()?, draws.parse()?);
    let setup = Setup::embedded(Othello::NAME)?;
    let game = Othello::default();
    let judged_at = depth + 2;
    let mut oracle = game.clone().searcher(Methods::NONE, setup.options.clone());
    let mut judged = Vec::new();
    for set in SETS {
        let set = builtin(&game, set)?;
        let step = (set.entries.len() / limit).max(1);
        for entry in set.entries.iter().step_by(step).take(limit).filter(|entry| !is_reserved(&entry.id)) {
            let pos = game.parse(&entry.position)?;
            let outcome = oracle.run(&pos, &Budget::Depth(judged_at));
            let (best, mv) = (outcome.last().score, outcome.last().best_move());
            judged.push(Judged { pos, best, worth: mv.map(|mv| (mv, best)).into_iter().collect() });
        }
    }
    let sigma = of_pair(&setup.baselines.none.fits)[0];
    let mut study = Study { setup, oracle, judged_at, depth, draws, sigma };
    writeln!(
        stdout(),
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin noise -- {}",
        args.join(" ")
    )?;
    writeln!(
        stdout(),
        "kind,level,added,sigma,r,method,positions,saved,saved_low,saved_high,move,move_low,move_high,loss,loss_low,loss_high"
    )?;
    for level in LEVELS {
        study.step(kind, noise, level, &mut judged)?;
    }
    Ok(())
}
