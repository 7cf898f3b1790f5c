//! What a comparison with other programs is asked, made ready: engines that are started, a budget that can be searched with.

use crate::error::Error;
use crate::suite::Allowance;
use secateur_engines::Spec;

pub use secateur_record::peers::{Arm, EngineArm, HASH_MIB, Lineup, OwnArm, PATIENCE, POSITIONS, SUITE};

/// What is needed to start the engine of an arm.
pub(super) fn spec(arm: &EngineArm) -> Spec {
    Spec {
        name: arm.name.clone(),
        command: arm.command.clone().into(),
        args: arm.args.clone(),
        options: arm.options.clone(),
        ..Spec::default()
    }
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
