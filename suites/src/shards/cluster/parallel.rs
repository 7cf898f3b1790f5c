//! GNU parallel: the shards of a folder as its jobs, those that failed or were killed again.

use super::folder::{Folder, Settings};
use crate::shards::error::Error;
use secateur_base::words::shell_path;
use std::process::Command;

/// Runs what is missing of a folder, so many shards at a time, until all have ended. How many failed comes back.
///
/// The log of jobs is `joblog` in the folder; a shard that is finished there or has its pack is not begun again.
///
/// # Errors
/// `parallel` is not there, or was killed.
pub fn parallel(folder: &Folder, settings: &Settings, at_once: usize) -> Result<u32, Error> {
    let mut command = Command::new("parallel");
    command
        .arg(format!("--jobs={at_once}"))
        .arg("--joblog")
        .arg(folder.path().join("joblog"))
        // Those that were under way when it was killed are in no log: `--resume-failed` runs them too.
        .args(["--resume-failed", "--will-cite", "--line-buffer"])
        .args(&settings.scheduler_arguments)
        // It gives what it runs to a shell.
        .args(["sh", &shell_path(&folder.script()), "{}", ":::"])
        .args((1..=settings.shards).map(|shard| shard.to_string()));
    let status = command.status().map_err(|error| Error::Command(format!("parallel: {error}")))?;
    match status.code() {
        Some(0) => Ok(0),
        // Its exit code is the number of jobs that failed, up to 101.
        Some(failed @ 1..=101) => Ok(failed as u32),
        _ => Err(Error::Command(format!("parallel: {status}"))),
    }
}
