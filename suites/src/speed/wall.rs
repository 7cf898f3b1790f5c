//! Our own search under a limit of wall time, measured by CPU time: what other programs have when they are told a time.
//!
//! A computer that does something else besides gives a program less of its time; then it must give us as little, or we would solve
//! what others had no time for. Iterations get the share of CPU time that the whole search had, as those of other programs do.

use crate::Error;
use crate::instruments::clock::{thread_time, wall_time};
use crate::matrix::ArmPlan;
use crate::setups::arm::Arm;
use crate::setups::games;
use crate::setups::setup::Setup;
use crate::subject::{Found, Subject, Task, searched};
use secateur_core::AnyGame;
use secateur_core::prune::Methods;
use secateur_core::search::Table;
use std::sync::Arc;

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
    let known = games::find(game)?;
    let mut setup = Setup::chosen(game, params)?;
    setup.options.table_mib = table_mib;
    setup.check(&known)?;
    let refused = |source| Error::Method { game: game.to_owned(), source };
    let (ready, identity) = (setup.equip(arm).map_err(refused)?, setup.arm_id(arm).map_err(refused)?);
    let (setup, ready) = (Arc::new(setup), Arc::new(ready));
    Ok(ArmPlan::other(name, &identity, move || {
        let (setup, ready) = (Arc::clone(&setup), Arc::clone(&ready));
        let table = Table::warmed(setup.options.table_mib, setup.options.drafts);
        Box::new(Walled { game: known.clone(), setup, ready, table })
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
        let found = searched(search.as_mut(), &Task { clock: wall_time, ..*task });
        let wall = wall_time().saturating_sub(begun.0).as_secs_f64();
        let cpu = thread_time().saturating_sub(begun.1);
        search.swap_table(&mut self.table);
        let mut found = found?;
        let share = (cpu.as_secs_f64() / wall.max(1e-9)).min(1.0);
        for step in &mut found.iterations {
            step.time = step.time.mul_f64(share);
        }
        found.time = Some(cpu);
        Ok(found)
    }
}
