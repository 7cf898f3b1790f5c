//! What a comparison with other programs is asked, made ready: engines that are started, a budget that can be searched with.

use crate::engine::{Engine, EngineError, Spec, manners};
use crate::error::Error;
use crate::suite::Allowance;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use secateur_record::peers::{Arm, EngineArm, Lineup, OwnArm, SUITE};

/// How long an engine may take to start, to set its options and to forget a game.
const MANNERS: Duration = Duration::from_secs(30);

/// What is needed to start the engine of an arm.
pub(super) fn spec(arm: &EngineArm) -> Spec {
    Spec {
        name: arm.name.clone(),
        command: arm.command.clone().into(),
        args: arm.args.clone(),
        options: arm.options.clone(),
    }
}

/// Starts the engine of an arm with what all engines get; it is not waited for once `stop` is set.
pub(super) fn start(
    arm: &EngineArm,
    hash_mib: u32,
    stop: Option<Arc<AtomicBool>>,
) -> Result<Engine, EngineError> {
    Engine::start_until(&spec(arm), &manners(hash_mib as usize), MANNERS, stop)
}

/// The budget of every search.
///
/// # Errors
/// [`Error::Usage`] with what was found and expected.
pub(super) fn allowance(lineup: &Lineup) -> Result<Allowance, Error> {
    let amount = i64::try_from(lineup.budget).unwrap_or(i64::MAX);
    let made = match lineup.budget_kind.as_str() {
        "depth" => Allowance::depth(amount),
        "nodes" => Allowance::nodes(amount),
        "time" if amount > 0 => Ok(Allowance::Time(lineup.budget)),
        other => Err(format!("found budget `{other}` {amount}, expected depth, nodes or time above 0")),
    };
    made.map_err(Error::Usage)
}
