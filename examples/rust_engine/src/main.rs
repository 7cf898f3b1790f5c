//! Somebody else's engine as a crate: what null move and the transposition table are worth in Little Wing.
//!
//! Little Wing 0.8 (Vincent Ollivier, MIT; about 2100 Elo on the CCRL list, says its README) is a library as well as a
//! program. Not a line of it changes: a root without the right to a null move hands that on to every position below it, and
//! a table of one entry remembers nothing worth asking for. Its other methods (reverse futility, futility, late-move
//! reductions, delta pruning) are constants and stay on. It prints its line and does not return it, so a line here is its move.
//! Run by `cargo run`.

// glue begins
use littlewing::chess::{FEN, Game, Search};
use secateur::{Allowance, prelude::*};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any search: the engine looks at the clock at every depth.
const FOREVER: u64 = 1 << 40;

/// It recurses with large frames, bytes.
const STACK: usize = 64 << 20;

struct LittleWing {
    null_move: bool,
    table: bool,
}

impl Subject for LittleWing {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        // The search is given a thread of its own, so what counts is not the time of this one.
        let task = Task { clock: wall, ..*task };
        let mut result = task.begin();
        while let Some(next) = task.next(&result) {
            // Every call begins at depth 1 and clears what was before, so a fixed depth takes one.
            let depth = if let Allowance::Depth(depth) = task.allowance { depth as i32 } else { next };
            let (nodes, value, mv) = self.searched(task.position, depth as i8)?;
            result.push(depth, nodes, value.into(), &mv);
        }
        Ok(result)
    }
}

impl LittleWing {
    /// Nodes, value for the side to move and move of a search to a depth in plies.
    fn searched(&self, position: &str, depth: i8) -> Result<(u64, i16, String), String> {
        let search = || {
            let mut game = Game::from_fen(position)?;
            game.tt_resize(if self.table { 16 << 20 } else { 0 });
            game.clock.set_time(FOREVER);
            if !self.null_move {
                game.positions.disable_null_move();
            }
            let mv = game.search(1..depth + 1).ok_or("no legal move")?;
            let entry = game.tt.get(game.positions.top().hash).ok_or("the root is not in the table")?;
            Ok((game.nodes_count, entry.score(), mv.to_lan()))
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
            thread.map_err(|error| error.to_string())?.join().map_err(|_| "the engine panicked".to_owned())?
        })
    }
}

fn wall() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let experiment = Experiment::of("chess").positions("bratko-kopec").limit(6).depth(7);
    let make =
        |on: &[&str]| LittleWing { null_move: on.contains(&"null-move"), table: on.contains(&"table") };
    let runs = experiment.switches(&["null-move", "table"], "0.8", make).run()?;
    println!("{}\n{}", report::table2(&runs), report::factorial(&runs));
    println!("{}", report::compare(&runs, &runs, Some(["table", "null-move+table"]))?.0);
    // glue ends
    assert!(runs.rows.records.iter().all(|row| row.error.is_none()), "every position is searched");
    for (arm, without) in [("null-move", "none"), ("table", "none"), ("null-move+table", "table")] {
        assert!(runs.nodes(arm) < runs.nodes(without), "{arm} saves nothing");
    }
    Ok(())
}
