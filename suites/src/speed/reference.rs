//! A loop of known work that takes its turn among the programs: what a computer does at that minute, in a unit of its own.
//!
//! A round multiplies, rotates, looks into a table that the first-level cache holds, and branches on what it finds, each step
//! needing the one before, so that neither wide vectors nor a clever compiler shorten it. Left out: memory, which programs
//! share with what else runs.
//!
//! Our own search under a limit of wall time is measured by CPU time, as other programs are. A computer that does something else besides
//! gives a program less of its time; then it must give us as little, or we would solve what others had no time for. Iterations get the
//! share of CPU time that the whole search had, as those of other programs do.

use crate::Error;
use crate::instruments::clock::{thread_time, wall_time};
use crate::matrix::ArmPlan;
use crate::setups::arm::Arm;
use crate::setups::games;
use crate::setups::setup::Setup;
use crate::subject::{Found, Step, Subject, Task, searched};
use secateur_core::prune::Methods;
use secateur_core::search::Table;
use secateur_core::{AnyGame, Moves, Notation, Rules};
use secateur_record::record::Sanity;
use std::hint::black_box;
use std::sync::Arc;

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
        let mut searched = task.begin();
        let begun = (task.clock)();
        black_box(work(&self.table, black_box(ROUNDS)));
        let time = (task.clock)().saturating_sub(begun);
        searched.iterations.push(Step {
            depth: 1,
            nodes: ROUNDS,
            best_move: mv.clone(),
            line: mv,
            time,
            ..Step::default()
        });
        searched.time = Some(time);
        searched.sanity = Some(Sanity::Unasked);
        Ok(searched)
    }
}

/// So many rounds; what comes out depends on every one of them.
pub(crate) fn work(table: &[u64], rounds: u64) -> u64 {
    let mut state = 1_u64;
    for _ in 0..rounds {
        let number = table[state as usize % table.len()];
        state = (state ^ number).wrapping_mul(0xd129_42a9_4a3b_5c75).rotate_left(29);
        if number & 1 == 1 {
            state ^= number >> 3;
        }
    }
    state
}

struct Walled {
    game: AnyGame,
    setup: Arc<Setup>,
    ready: Arc<Methods>,
    /// The table of all its searches, each of which forgets what the one before it left: to write to all of its memory for each
    /// search takes longer than a short search does.
    table: Table,
}

/// A method set of our own search as such an arm, with a table of so many MiB.
///
/// # Errors
/// Parameters or methods that do not fit the game.
pub(crate) fn walled(
    game: &str,
    params: Option<&str>,
    arm: &Arm,
    name: &str,
    table_mib: usize,
) -> Result<ArmPlan, Error> {
    let rules = games::find(game)?;
    let mut setup = Setup::chosen(game, params)?;
    setup.options.table_mib = table_mib;
    setup.check(&rules)?;
    let refused = |source| Error::Method { game: game.to_owned(), source };
    let (ready, identity) = (setup.equip(arm).map_err(refused)?, setup.arm_id(arm).map_err(refused)?);
    let (setup, ready) = (Arc::new(setup), Arc::new(ready));
    Ok(ArmPlan::other(name, &identity, move || {
        let (setup, ready) = (Arc::clone(&setup), Arc::clone(&ready));
        let table = Table::warmed(setup.options.table_mib, setup.options.drafts);
        Box::new(Walled { game: rules.clone(), setup, ready, table })
    }))
}

impl Subject for Walled {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        use secateur_core::Game;
        let options = &self.setup.options;
        let mut search = self.game.clone().searcher(&self.ready, options.clone());
        // The table's memory is the search's, but the time to get it is not.
        search.swap_table(&mut self.table);
        let begun = (wall_time(), thread_time());
        let result = searched(search.as_mut(), &Task { clock: wall_time, ..*task });
        let wall = wall_time().saturating_sub(begun.0).as_secs_f64();
        let cpu = thread_time().saturating_sub(begun.1);
        search.swap_table(&mut self.table);
        let mut searched = result?;
        let share = (cpu.as_secs_f64() / wall.max(1e-9)).min(1.0);
        for step in &mut searched.iterations {
            step.time = step.time.mul_f64(share);
        }
        searched.time = Some(cpu);
        Ok(searched)
    }
}
