//! Counts of an experiment in the program that runs it: games and methods of other crates no program of ours has.
//!
//! A program that runs an experiment through [`counted`] is started once more under callgrind with the same arguments, comes to the same
//! experiment, searches the cells that it is asked for, and ends there. Only our host's arms are counted, as ever.

use super::{Counting, Source, callgrind, fill_by, measure, program};
use secateur_suites::matrix::Plan;
use secateur_suites::{Error, Experiment, Runs};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The experiment that is meant, by the hash of its cells, and its cells.
const CELLS: &str = "SECATEUR_CELLS";
/// Where to write what they took.
const ANSWERS: &str = "SECATEUR_ANSWERS";

/// The cells that this program was called again for, if it was and this is the experiment.
fn asked(plan: &Plan) -> Option<(Vec<usize>, PathBuf)> {
    let (cells, answers) = (std::env::var(CELLS).ok()?, std::env::var_os(ANSWERS)?);
    let (experiment, cells) = cells.split_once(':')?;
    let cells = cells.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    (experiment == plan.cells_hash()).then(|| (cells, answers.into()))
}

/// Runs an experiment of this program and counts the instructions of its cells, as far as its blocks ask for them and valgrind
/// is there; without it the column stays empty, and the reason comes along. To be called early: what a program does before, it
/// does again under callgrind.
///
/// # Errors
/// Those of [`Experiment::run`]; a search that could not be counted, or visited other nodes when it was.
pub fn counted(experiment: &Experiment) -> Result<(Runs, Option<String>), Error> {
    let plan = experiment.plan()?;
    if let Some((cells, answers)) = asked(&plan) {
        let mut file = std::fs::File::create(&answers).map_err(Error::io(&answers))?;
        measure(&plan, &cells, None, &mut file).map_err(Error::io(&answers))?;
        std::process::exit(0);
    }
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    // The last folder is the name of the run.
    let dir = folder.path().join(&plan.suite.name);
    let runs = experiment.run_plan(&plan, &dir)?;
    if let Err(reason) = Source::Callgrind.check() {
        return Ok((runs, Some(reason)));
    }
    let program = std::env::current_exe().map_err(|error| Error::Count(format!("where am I: {error}")))?;
    let (binary, experiment) = (program.clone(), plan.cells_hash());
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let count = move |cells: &[usize]| {
        let counts = callgrind::counted(&binary, cells, |command, folder| {
            let (answers, names) = (folder.join("answers"), program::names(cells));
            command.args(&args).env(CELLS, format!("{experiment}:{names}")).env(ANSWERS, &answers);
            program::finished(command)?;
            callgrind::read(&answers)
        });
        counts.map_err(Error::Count)
    };
    let by = || Ok((program, Box::new(count) as Counting));
    let (never, jobs) = (AtomicBool::new(false), secateur_suites::instruments::machine::cores());
    let (rows, _) = fill_by(&plan, (&dir, Source::Callgrind), by, jobs, &never, &mut |_, _| {})?;
    let manifest = secateur_record::manifest::Manifest::read(&dir)?;
    Ok((Runs { manifest, rows }, None))
}
