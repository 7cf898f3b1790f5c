//! Slurm: a job array a folder, told by `sbatch`, asked by `squeue`.
//!
//! Left out: accounting (`sacct`), which many clusters do not have: what is finished the folder tells, and what is neither
//! finished nor queued is missing, whatever became of it.

use super::folder::{Folder, Settings};
use crate::error::Error;
use secateur_record::part::Take;
use std::collections::BTreeMap;
use std::process::Command;

/// Time beyond what a shard would take without any method: slower nodes, a busy disk, an estimate that was a first one.
const SLACK: u64 = 2;
/// Least time limit, minutes.
const LEAST: u64 = 10;

/// What a scheduler says of a shard that it has not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It is being searched.
    Running,
    /// It waits.
    Pending,
}

/// Submits the shards of a folder as one job array; the words of `sbatch`, which name the job, come back.
///
/// # Errors
/// `sbatch` is not there, or says no.
pub fn submit(folder: &Folder, settings: &Settings, shards: &Take) -> Result<String, Error> {
    let minutes = LEAST + (settings.seconds / settings.jobs.max(1) as u64 * SLACK).div_ceil(60);
    let mut command = Command::new("sbatch");
    command
        .arg("--parsable")
        .arg(format!("--job-name={}", settings.name))
        .arg(format!("--array={shards}"))
        .arg(format!("--cpus-per-task={}", settings.jobs))
        .arg(format!("--time={minutes}"))
        .arg(format!("--output={}", folder.logs().join("%a.log").display()))
        .args(["--open-mode=append", "--requeue"])
        .args(&settings.scheduler_arguments)
        .arg(folder.script());
    said(command)
}

/// What Slurm has of a folder's shards that is not over.
///
/// # Errors
/// `squeue` is not there, or says no.
pub fn queue(settings: &Settings) -> Result<BTreeMap<u32, Queued>, Error> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--array", "--format=%K %T"]).arg(format!("--name={}", settings.name));
    Ok(queued(&said(command)?))
}

/// The lines of `squeue`: number of the task, state.
fn queued(text: &str) -> BTreeMap<u32, Queued> {
    let line = |line: &str| {
        let (task, state) = line.trim().split_once(' ')?;
        let state = match state {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" => Queued::Pending,
            // Over, though the controller still knows it.
            "BOOT_FAIL" | "CANCELLED" | "COMPLETED" | "DEADLINE" | "FAILED" | "NODE_FAIL"
            | "OUT_OF_MEMORY" | "PREEMPTED" | "TIMEOUT" => return None,
            _ => Queued::Running,
        };
        Some((task.parse().ok()?, state))
    };
    text.lines().filter_map(line).collect()
}

/// What a command says on its standard output.
fn said(mut command: Command) -> Result<String, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| Error::Command(format!("{name}: {error}")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(Error::Command(format!("{name}: {}: {}", output.status, text(&output.stderr)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_is_not_queued() {
        let found = queued(
            "3 RUNNING\n4 PENDING\n5 COMPLETED\n6 COMPLETING\n  7 CONFIGURING\nN/A RUNNING\n8 NODE_FAIL\n",
        );
        let expected =
            [(3, Queued::Running), (4, Queued::Pending), (6, Queued::Running), (7, Queued::Running)];
        assert_eq!(found, BTreeMap::from(expected));
    }
}
