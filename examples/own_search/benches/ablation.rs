//! A search of your own: what null move and late-move reductions are worth in it. Run by `cargo bench`.
//!
//! The search (`src/lib.rs`) knows nothing of secateur. The glue tells it what to search and says what it found, by
//! iteration and, for the counters, by method and depth. With that come Table 2, effects and interaction of the two
//! switches, a comparison of two arms position by position, and a gate: a file next to this one with the exact quantities
//! of every arm, which `SECATEUR_BLESS=1 cargo bench` writes anew.

// glue begins
use cozy_chess::Board;
use own_search::{Searcher, Switches, uci};
use secateur::prelude::*;
use std::error::Error;
use std::path::Path;

struct Mine(Switches);

impl Subject for Mine {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let board: Board = task.position.parse().map_err(|error| format!("{error:?}"))?;
        let (mut search, mut result) = (Searcher::new(self.0), task.begin());
        while let Some(depth) = task.next(&result) {
            let (value, line) = search.root(&board, depth);
            result.push(depth, search.nodes, value, &uci(&board, &line));
        }
        for depth in 0..own_search::PLIES {
            let [[tests, cuts, nodes], lmr] = [search.null_move[depth], search.lmr[depth]];
            result.count("null-move", depth as i32, tests, (cuts, 0), nodes);
            result.count("lmr", depth as i32, lmr[0], (0, lmr[1]), lmr[2]);
        }
        Ok(result)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let experiment = Experiment::of("chess").positions("bratko-kopec").limit(6).depth(5);
    let make =
        |on: &[&str]| Mine(Switches { null_move: on.contains(&"null-move"), lmr: on.contains(&"lmr") });
    let runs = experiment.clone().switches(&["null-move", "lmr"], "1", make).run()?;
    println!("{}\n{}", report::table2(&runs), report::factorial(&runs));
    println!("{}", report::compare(&runs, &runs, Some(["null-move", "lmr"]))?.0);
    gate::hold(&runs, &Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ablation.toml"))?;
    // glue ends
    let plain = experiment.subject("none", "1", || Mine(Switches::default())).run()?;
    assert_eq!(runs.trees("none"), plain.trees("none"), "switched off is as if it had no switches");
    for arm in ["null-move", "lmr", "null-move+lmr"] {
        assert!(runs.nodes(arm) < runs.nodes("none"), "{arm} saves nothing");
    }
    let counted = |method: &str| runs.rows.counters.iter().any(|row| row.method == method && row.tries > 0);
    assert!(counted("null-move") && counted("lmr"));
    Ok(())
}
