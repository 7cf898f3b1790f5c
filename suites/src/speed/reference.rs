//! A loop of known work that takes its turn among the programs: what a computer does at that minute, in a unit of its own.
//!
//! A round multiplies, rotates, looks into a table that the first-level cache holds, and branches on what it finds, each step
//! needing the one before, so that neither wide vectors nor a clever compiler shorten it. Left out: memory, which programs
//! share with what else runs.

use crate::subject::{Found, Step, Subject, Task};
use secateur_core::{AnyGame, Moves, Notation, Rules};
use secateur_record::record::Sanity;
use std::hint::black_box;

/// Rounds of a search.
pub(crate) const ROUNDS: u64 = 4_000_000;
/// What stands for the loop in records: another loop is another thing.
pub(crate) const VERSION: &str = "1";
/// Numbers of the table, 16 KiB.
const TABLE: usize = 2048;

/// The loop as one who searches: its nodes are its rounds, and its move is the first.
pub(crate) struct Reference {
    game: AnyGame,
    table: Vec<u64>,
}

impl Reference {
    pub(crate) fn new(game: AnyGame) -> Reference {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let table = (0..TABLE).map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        });
        Reference { game, table: table.collect() }
    }
}

impl Subject for Reference {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let mut moves = Moves::<AnyGame>::new();
        self.game.moves(task.root, &mut moves);
        let first = moves.first().ok_or("there are no moves")?;
        let mv = self.game.format_move(task.root, first.mv);
        let mut found = task.begin();
        let begun = (task.clock)();
        black_box(work(&self.table, black_box(ROUNDS)));
        let time = (task.clock)().saturating_sub(begun);
        found.iterations.push(Step {
            depth: 1,
            nodes: ROUNDS,
            best_move: mv.clone(),
            line: mv,
            time,
            ..Step::default()
        });
        found.time = Some(time);
        found.sanity = Some(Sanity::Unasked);
        Ok(found)
    }
}

/// So many rounds; what comes out depends on every one of them.
pub(crate) fn work(table: &[u64], rounds: u64) -> u64 {
    let mut state = 1_u64;
    for _ in 0..rounds {
        let found = table[state as usize % table.len()];
        state = (state ^ found).wrapping_mul(0xd129_42a9_4a3b_5c75).rotate_left(29);
        if found & 1 == 1 {
            state ^= found >> 3;
        }
    }
    state
}
