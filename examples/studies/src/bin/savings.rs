//! Nodes of method sets against the first of them, at depths where a full-width search would take hours.
//!
//! `savings GAME SET LIMIT FROM-TO ARM ARM...` searches about LIMIT positions of the built-in SET to the depths FROM to TO with
//! every arm, and prints as CSV, for each depth and arm, the nodes, their ratio to the first arm's, the geometric mean of the
//! ratios by position, and how many positions keep the first arm's move. `bench` always has `none` next to what it measures; here
//! the baseline is what a program would have, as in Heinz 1998 and Tabibi & Netanyahu 2002.

use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Searcher};
use secateur_core::{AnyGame, Game, Notation};
use secateur_positions::builtin;
use secateur_suites::instruments::machine::cores;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use std::error::Error;
use std::io::{Write, stdout};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Ask<'a> {
    set: &'a str,
    limit: usize,
    depths: (i32, i32),
    arms: &'a [String],
}

/// Nodes and move of one position, by arm and by depth from the first asked for.
type Found = Vec<Vec<(u64, String)>>;

impl Ask<'_> {
    fn search(&self, searchers: &mut [Searcher<'_, AnyGame>], text: &str) -> Found {
        let (from, to) = self.depths;
        let searched = |search: &mut Searcher<'_, AnyGame>| {
            let root = search.game().parse(text).expect("a position of a set");
            let outcome = search.run(&root, &Budget::Depth(to));
            let asked = outcome.iterations.iter().filter(|one| one.depth >= from);
            let best = |mv| search.game().format_move(&root, mv);
            asked.map(|one| (one.nodes, one.best_move().map_or(String::new(), best))).collect()
        };
        searchers.iter_mut().map(searched).collect()
    }

    fn print(&self, all: &[Found]) -> Result<(), Box<dyn Error>> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        writeln!(
            stdout(),
            "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin savings -- {}",
            arguments.join(" ")
        )?;
        let mut out = csv::Writer::from_writer(stdout());
        out.write_record(["depth", "arm", "nodes", "ratio", "geometric", "kept", "positions"])?;
        for depth in self.depths.0..=self.depths.1 {
            let at = (depth - self.depths.0) as usize;
            // A game that ends early has no such iteration.
            let whole: Vec<&Found> =
                all.iter().filter(|position| position.iter().all(|arm| arm.len() > at)).collect();
            for (index, arm) in self.arms.iter().enumerate() {
                let total = |arm: usize| whole.iter().map(|position| position[arm][at].0 as f64).sum::<f64>();
                let log = |position: &&Found| (position[index][at].0 as f64 / position[0][at].0 as f64).ln();
                let mean = (whole.iter().map(log).sum::<f64>() / whole.len() as f64).exp();
                let same = whole.iter().filter(|position| position[index][at].1 == position[0][at].1).count();
                let nodes = total(index);
                let row = (depth, arm, nodes as u64, nodes / total(0), mean, same, whole.len());
                out.serialize(row)?;
            }
        }
        Ok(out.flush()?)
    }

    fn all(&self, game: &AnyGame) -> Result<(), Box<dyn Error>> {
        let setup = Setup::embedded(game.name())?;
        let sets: Vec<Methods> = self
            .arms
            .iter()
            .map(|arm| Ok(setup.equip(&Arm::parse(arm)?)?))
            .collect::<Result<_, Box<dyn Error>>>()?;
        let set = builtin(game, self.set)?;
        let entries: Vec<&str> = set
            .entries
            .iter()
            .step_by((set.entries.len() / self.limit).max(1))
            .map(|entry| entry.position.as_str())
            .collect();
        let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..cores() {
                scope.spawn(|| {
                    let mut searchers: Vec<_> = sets
                        .iter()
                        .map(|methods| game.clone().searcher(methods, setup.options.clone()))
                        .collect();
                    while let Some(text) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let searched = self.search(&mut searchers, text);
                        all.lock().expect("no thread panics").push(searched);
                    }
                });
            }
        });
        self.print(&all.into_inner()?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, set, limit, depths, arms @ ..] = arguments.as_slice() else {
        return Err("usage: savings GAME SET LIMIT FROM-TO ARM ARM...".into());
    };
    let (from, to) = depths.split_once('-').ok_or("expected depths FROM-TO")?;
    let ask = Ask { set, limit: limit.parse()?, depths: (from.parse()?, to.parse()?), arms };
    ask.all(&games::find(game)?)
}
