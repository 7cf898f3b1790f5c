//! The second pass of `bench`: instruction counts, where the suite asks for them and the machine can count.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::say::complain;
use secateur_gate::instructions::{Source, fill as count};
use secateur_suites::matrix::Plan;
use secateur_suites::store::RunRows;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Fills the column `instructions` of a finished run. Where nobody can count, it stays empty and one line says why.
pub(crate) fn fill(
    plan: &Plan,
    folder: &Path,
    source: Source,
    jobs: usize,
    stop: &AtomicBool,
    rows: RunRows,
) -> Result<RunRows, Failure> {
    if plan.units.iter().all(|unit| !unit.instructions) {
        return Ok(rows);
    }
    if let Err(reason) = source.check() {
        complain(&format!("instructions were not counted, the column stays empty: {reason}\n"));
        return Ok(rows);
    }
    let mut bar: Option<Progress> = None;
    let (rows, complete) = count(plan, folder, source, jobs, stop, &mut |counted, total| {
        let bar = bar.get_or_insert_with(|| Progress::new(total as u64, 0));
        bar.set(counted as u64, "counting instructions");
    })?;
    if let Some(bar) = bar {
        bar.finish();
    }
    match complete {
        true => Ok(rows),
        false => Err(Failure::incomplete(format!(
            "stopped while counting instructions; go on with: cargo xtask bench --resume {}",
            folder.display()
        ))),
    }
}
