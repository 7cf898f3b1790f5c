//! The second pass of commands that search: instruction counts, where the suite asks for them and the machine can count.

use crate::cli::failure::Failure;
use crate::cli::how::How;
use crate::cli::progress::Progress;
use crate::cli::say::message;
use secateur_gate::instructions::{
    Manner, Source, check_own, check_programs, fill as count, fill_programs, has_programs,
};
use secateur_record::counting::Odd;
use secateur_record::manifest::Manifest;
use secateur_suites::matrix::Plan;
use secateur_suites::store::RunRows;
use std::path::Path;

/// How many searches without a count are named.
const NAMED: usize = 3;

/// Fills the column `instructions` of a finished run. Where nobody can count, it stays empty and one line says why.
pub fn fill(plan: &Plan, folder: &Path, how: How<'_>, rows: RunRows) -> Result<RunRows, Failure> {
    if plan.units.iter().all(|unit| !unit.instructions) {
        return Ok(rows);
    }
    let is_foreign = has_programs(plan);
    if is_foreign && how.source == Source::Hardware {
        return Err(Failure::input(
            "--instructions=hardware counts only our own search: use --instructions for other programs",
        ));
    }
    let has_own = plan.units.iter().any(|unit| unit.instructions && plan.games[unit.game].program.is_none());
    let check = how.source.check();
    let check = check.and_then(|()| if has_own { check_own() } else { Ok(()) });
    let check = check.and_then(|()| if is_foreign { check_programs() } else { Ok(()) });
    if let Err(reason) = check {
        message(&format!("instructions were not counted, the column stays empty: {reason}\n"));
        return Ok(rows);
    }
    let (mut rows, complete) = passed(|bar| count(plan, folder, how.source, how.jobs, how.stop, bar))?;
    let mut complete = complete;
    if is_foreign && complete {
        let manner = Manner { jobs: how.jobs, stop: how.stop, retry: how.retry };
        (rows, complete) = passed(|bar| fill_programs(plan, folder, manner, bar))?;
        unsure(folder)?;
    }
    match complete {
        true => Ok(rows),
        false => {
            Err(Failure::stopped(format!("stopped while counting instructions; resume with: {}", how.again)))
        }
    }
}

/// One pass with its bar.
fn passed<T>(
    pass: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T, secateur_suites::Error>,
) -> Result<T, Failure> {
    let mut bar: Option<Progress> = None;
    Ok(pass(&mut |counted, total| {
        let bar = bar.get_or_insert_with(|| Progress::new(total as u64, 0));
        bar.set(counted as u64, "counting instructions");
    })?)
}

/// Says which searches have no count, or one of other nodes.
fn unsure(folder: &Path) -> Result<(), Failure> {
    let manifest = Manifest::read(folder)?;
    let all = manifest.game.iter().filter_map(|game| game.counting.as_ref());
    let odd: Vec<&Odd> = all.flat_map(|counting| &counting.odd).collect();
    for odd in odd.iter().take(NAMED) {
        let count = if odd.entered { "its count was entered" } else { "no count" };
        message(&format!("{} {}: {}: {count}\n", odd.position, odd.methods, odd.why));
    }
    if !odd.is_empty() {
        message(&format!(
            "{} searches could not be counted as they were recorded (run.toml names them); a program that keeps something \
             from one search to the next may repeat its nodes with isolation = \"cell\" in its subject file\n",
            odd.len()
        ));
    }
    Ok(())
}
