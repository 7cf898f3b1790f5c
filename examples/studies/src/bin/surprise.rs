//! Why are ProbCut's cuts broken less often than its model predicts? Asked of the nodes where it checks.
//!
//! `surprise GAME ARM DEPTH LIMIT` searches LIMIT positions a stage with ARM, audits every cut of its ProbCut or MPC, and
//! counts the broken ones by how far the check came beyond the bound, separately for cuts that the node's type let expect
//! (high at an expected cut node, low at an expected all node) and for the others; it prints CSV. The model knows nothing of the bound: it
//! takes every bound for as likely as any other, while a search asks mostly where one answer is likely beforehand.

use secateur_core::search::{Budget, Sample};
use secateur_core::{AnyGame, Game, Notation};
use secateur_positions::builtin::{builtin, is_reserved};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use secateur_suites::setups::{games, methods};
use statrs::distribution::{ContinuousCDF, Normal};
use std::error::Error;
use std::io::{Write, stdout};

/// Test sets by game.
const SETS: [(&str, &[&str]); 2] = [
    ("othello", &["othello-12", "othello-20", "othello-28", "othello-36", "othello-44"]),
    ("chess", &["chess-games"]),
];
/// Width of a class of distances, standard deviations, and the classes.
const WIDTH: f64 = 0.25;
const CLASSES: usize = 8;

struct Ask<'a> {
    arm: &'a Arm,
    depth: i32,
    limit: usize,
}

impl Ask<'_> {
    fn all(&self, game: &AnyGame) -> Result<(), Box<dyn Error>> {
        let setup = Setup::embedded(game.name())?;
        let with = setup.equip(self.arm)?;
        let asked = |index: &usize| ["probcut", "mpc"].contains(&methods::name(*index));
        let method = self.arm.set.indices().find(asked).ok_or("the arm has neither probcut nor mpc")?;
        let without = setup.equip(&self.arm.without(method))?;
        let mut search = game.clone().searcher(&with, setup.options.clone());
        search.audit_every(1);
        let mut judge = game.clone().searcher(&without, setup.options.clone());
        // By class of distance: cuts, broken ones and predicted ones, for expected claims and for the others.
        let mut counts = [[[0.0_f64; 3]; CLASSES]; 2];
        let sets = SETS.iter().find(|(name, _)| *name == game.name()).map_or(&[][..], |(_, sets)| *sets);
        for set in sets {
            let set = builtin(game, set)?;
            let step = (set.entries.len() / self.limit).max(1);
            for entry in set.entries.iter().step_by(step).filter(|entry| !is_reserved(&entry.id)) {
                search.run(&game.parse(&entry.position)?, &Budget::Depth(self.depth));
                judge.forget();
                let (samples, _) = search.take_samples();
                for Sample { claimed, pos } in
                    samples.iter().filter(|sample| sample.claimed.method == methods::name(method))
                {
                    let decided = judge.decide(claimed, pos);
                    let Some(distance) = decided.distance else { continue };
                    let class = ((distance / WIDTH).max(0.0) as usize).min(CLASSES - 1);
                    let count = &mut counts[usize::from(!claimed.expected)][class];
                    count[0] += 1.0;
                    count[1] += f64::from(u8::from(!decided.held));
                    count[2] += Normal::standard().sf(distance);
                }
            }
        }
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        writeln!(
            stdout(),
            "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin surprise -- {}",
            arguments.join(" ")
        )?;
        let mut out = csv::Writer::from_writer(stdout());
        out.write_record(["game", "claim", "from", "cuts", "broken", "predicted"])?;
        for (name, classes) in ["expected", "unexpected"].iter().zip(&counts) {
            for (class, [cuts, broken, predicted]) in classes.iter().enumerate().filter(|(_, c)| c[0] > 0.0) {
                let from = class as f64 * WIDTH;
                out.serialize((game.name(), name, from, *cuts as u64, broken / cuts, predicted / cuts))?;
            }
        }
        Ok(out.flush()?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, arm, depth, limit] = arguments.as_slice() else {
        return Err("usage: surprise GAME ARM DEPTH LIMIT".into());
    };
    let ask = Ask { arm: &Arm::parse(arm)?, depth: depth.parse()?, limit: limit.parse()? };
    ask.all(&games::find(game)?)
}
