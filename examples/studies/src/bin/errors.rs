//! Do wrong cuts come alone, or several on the lines of one subtree? Asked of audited cuts.
//!
//! `errors GAME ARM DEPTH LIMIT` searches LIMIT positions of each stage with ARM, has every cut of its ProbCut or MPC searched
//! again without the method, and counts pairs of cuts of one iteration that share the position so many plies above both: of the
//! pairs in which one cut is wrong, how often is the other? If errors were independent, that would be the share of wrong cuts,
//! however near the two are. It prints CSV with 95 % bootstrap intervals over positions: the share of wrong cuts (`any`), the
//! share given a wrong one that hangs on the same position so many plies above, and given one anywhere in the iteration
//! (`search`). A position that is cut more than once in an iteration on the same line counts once. Only games that keep the keys
//! of a line (chess, draughts).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::search::{Budget, Sample};
use secateur_core::{AnyGame, Game, Notation, Rules};
use secateur_positions::builtin;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use secateur_suites::setups::{games, methods};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{Write, stdout};

const SETS: [(&str, &str); 2] = [("chess", "chess-games"), ("draughts", "draughts-test")];
/// Plies to the shared position: its children, its grandchildren and so on; 0 stands for the whole search.
const AT: [usize; 6] = [1, 2, 3, 4, 5, 0];
const RESAMPLES: usize = 2_000;

/// What one search says: cuts, wrong ones, and for each of [`AT`] the pairs with one cut wrong (from either side) and those with both.
#[derive(Clone, Copy, Default)]
struct Counted {
    cuts: u64,
    wrong: u64,
    pairs: [[u64; 2]; AT.len()],
}

/// A cut by its iteration, its line and whether it was wrong.
struct Cut {
    iteration: i32,
    line: Vec<u64>,
    wrong: bool,
}

fn counted(cuts: &[Cut]) -> Counted {
    let wrong = cuts.iter().filter(|cut| cut.wrong).count() as u64;
    let mut counted = Counted { cuts: cuts.len() as u64, wrong, ..Counted::default() };
    for (at, pairs) in AT.iter().zip(&mut counted.pairs) {
        let mut families: BTreeMap<(i32, &[u64]), [u64; 2]> = BTreeMap::new();
        for cut in cuts.iter().filter(|cut| cut.line.len() >= *at) {
            let shared = if *at == 0 { &[][..] } else { &cut.line[..=cut.line.len() - at] };
            let family = families.entry((cut.iteration, shared)).or_default();
            family[0] += 1;
            family[1] += u64::from(cut.wrong);
        }
        for [all, wrong] in families.into_values() {
            // Ordered pairs, the first wrong.
            pairs[0] += wrong * (all - 1);
            pairs[1] += wrong * wrong.saturating_sub(1);
        }
    }
    counted
}

/// Every cut of every position, decided.
fn search(game: &AnyGame, arm: &Arm, depth: i32, limit: usize) -> Result<Vec<Counted>, Box<dyn Error>> {
    let setup = Setup::embedded(game.name())?;
    let with = setup.equip(arm)?;
    let asked = |index: &usize| ["probcut", "mpc"].contains(&methods::name(*index));
    let method = arm.set.indices().find(asked).ok_or("the arm has neither probcut nor mpc")?;
    let without = setup.equip(&arm.without(method))?;
    let mut search = game.clone().searcher(&with, setup.options.clone());
    search.audit_every(1);
    let mut judge = game.clone().searcher(&without, setup.options.clone());
    let (_, set) = SETS.iter().find(|(name, _)| *name == game.name()).ok_or("expected chess or draughts")?;
    let set = builtin(game, set)?;
    let mut of_stage: BTreeMap<&str, usize> = BTreeMap::new();
    let mut positions = Vec::new();
    for entry in &set.entries {
        let taken = of_stage.entry(&entry.stage).or_default();
        *taken += 1;
        if *taken > limit {
            continue;
        }
        search.run(&game.parse(&entry.position)?, &Budget::Depth(depth));
        judge.forget();
        let (samples, every) = search.take_samples();
        assert_eq!(every, 1, "more cuts than an audit has room for: a smaller depth would do");
        let mut seen = BTreeSet::new();
        let mut cuts = Vec::new();
        for Sample { claimed, pos } in &samples {
            let iteration = claimed.iteration.0;
            if claimed.method == methods::name(method)
                && seen.insert((iteration, claimed.line(), game.key(pos)))
            {
                let wrong = !judge.decide(claimed, pos).held;
                cuts.push(Cut { iteration, line: claimed.line().to_vec(), wrong });
            }
        }
        positions.push(counted(&cuts));
    }
    Ok(positions)
}

/// A ratio of sums over positions, and the ends of its interval.
fn share(positions: &[Counted], parts: impl Fn(&Counted) -> [u64; 2]) -> [f64; 3] {
    let ratio = |sum: [u64; 2]| sum[1] as f64 / sum[0] as f64;
    let add = |sum: [u64; 2], one: [u64; 2]| [sum[0] + one[0], sum[1] + one[1]];
    let mut rng = ChaCha8Rng::seed_from_u64(1995);
    let mut draw = || parts(&positions[(rng.next_u64() % positions.len() as u64) as usize]);
    let mut drawn: Vec<f64> =
        (0..RESAMPLES).map(|_| ratio((0..positions.len()).map(|_| draw()).fold([0, 0], add))).collect();
    drawn.retain(|x| x.is_finite());
    drawn.sort_by(f64::total_cmp);
    let at = |q: f64| drawn.get((drawn.len() as f64 * q) as usize).copied().unwrap_or(f64::NAN);
    [ratio(positions.iter().map(&parts).fold([0, 0], add)), at(0.025), at(0.975)]
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, arm, depth, limit] = &args[..] else { return Err("expected GAME ARM DEPTH LIMIT".into()) };
    let game = games::find(game)?;
    let positions = search(&game, &Arm::parse(arm)?, depth.parse()?, limit.parse()?)?;
    writeln!(
        stdout(),
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin errors -- {}",
        args.join(" ")
    )?;
    writeln!(stdout(), "game,at,positions,pairs,wrong,wrong_low,wrong_high")?;
    let row = |at: &str, pairs: u64, share: [f64; 3]| {
        let share = share.map(|x| format!("{x:.5}")).join(",");
        writeln!(stdout(), "{},{at},{},{pairs},{share}", game.name(), positions.len())
    };
    let cuts = positions.iter().map(|one| one.cuts).sum();
    row("any", cuts, share(&positions, |one| [one.cuts, one.wrong]))?;
    for (index, at) in AT.iter().enumerate() {
        let pairs = positions.iter().map(|one| one.pairs[index][0]).sum();
        let at = if *at == 0 { "search".to_owned() } else { format!("{at}-up") };
        row(&at, pairs, share(&positions, |one| one.pairs[index]))?;
    }
    Ok(())
}
