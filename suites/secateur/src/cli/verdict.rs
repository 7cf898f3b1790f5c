//! What is to be complained of in a finished run, and with which exit code it ends.
//!
//! A method that never fired is a breach where a built-in suite was searched as it stands, because those say which methods
//! may be silent (`expect-silent`). Where somebody asked for a suite, methods, positions or a budget of their own it is a note: on few
//! positions a method may have nothing to cut, and the numbers are right.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::running::failed;
use crate::cli::say::message;
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_suites::matrix::Plan;
use secateur_suites::run::unexpectedly_silent;
use secateur_suites::store::RunRows;
use std::path::Path;

/// What is to be complained of in any part of a run.
pub fn failures(plan: &Plan, folder: &Path, rows: &RunRows) -> Outcome {
    // In turns there are other programs among the arms.
    let is_ours = |game: &str| {
        !plan.manner.turns && plan.games.iter().any(|entry| entry.name == game && entry.program.is_none())
    };
    let again = format!("{} bench --resume {} --retry", name(), shell_path(folder));
    failed(folder, rows, &again).map_err(|failure| {
        // What another program fails in is no fault of this one.
        match rows.records.iter().any(|row| row.error.is_some() && is_ours(&row.game)) {
            true => Failure::system(failure.words()),
            false => failure,
        }
    })?;
    let insane: Vec<&str> = rows
        .records
        .iter()
        // Of others the column `pv_ok` says it: many cut their lines short, and none is held to our rules for them.
        .filter(|record| !record.pv_ok.is_sane() && is_ours(&record.game))
        .map(|record| record.position.as_str())
        .collect();
    if let Some(first) = insane.first() {
        let message = format!("{} principal variations are not sane, the first for {first}", insane.len());
        return Err(Failure::gate(message));
    }
    Ok(())
}

/// What is to be complained of in a complete run. `whole` says that a suite was searched as it stands.
pub fn judged(plan: &Plan, folder: &Path, rows: &RunRows, whole: bool) -> Outcome {
    failures(plan, folder, rows)?;
    let silent = unexpectedly_silent(plan, &rows.counters);
    if silent.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = silent.iter().map(|(game, method)| format!("{method} in {game}")).collect();
    let names = names.join(", ");
    if whole {
        let what = "a suite that expects this says so with `expect-silent`";
        return Err(Failure::gate(format!("never fired: {names}; {what}")));
    }
    message(&format!("note: never fired on these positions at this budget: {names}\n"));
    Ok(())
}
