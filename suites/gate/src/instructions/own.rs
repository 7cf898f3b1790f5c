//! Instructions of games and methods of other crates: no program of ours has them, so the program that has is called again.
//!
//! A program that runs an experiment through [`counted`] is started once more under callgrind with the same arguments, comes
//! to the same experiment, searches the cells it is told to, and ends there. Only our host's arms are counted, as ever.

use super::callgrind::count_again;
use super::{Counting, Source, fill_by, measure};
use secateur_suites::matrix::Plan;
use secateur_suites::{Error, Experiment, Runs};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The experiment that is meant, by the hash of its cells, and its cells.
const CELLS: &str = "SECATEUR_CELLS";
/// Where to write what they took.
const TOLD: &str = "SECATEUR_TOLD";

/// This program, to be called again.
pub(super) struct Again {
    /// Its binary.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<OsString>,
    /// Hash of the cells of its experiment.
    experiment: String,
}

impl Again {
    fn of(plan: &Plan) -> Result<Again, Error> {
        let program =
            std::env::current_exe().map_err(|error| Error::Count(format!("where am I: {error}")))?;
        Ok(Again { program, args: std::env::args_os().skip(1).collect(), experiment: plan.cells_hash() })
    }

    /// What tells it which cells to search.
    pub(super) fn variables(&self, cells: &[usize], told: &Path) -> [(&'static str, OsString); 2] {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        [(CELLS, format!("{}:{}", self.experiment, cells.join(",")).into()), (TOLD, told.into())]
    }
}

/// The cells that this program was called again for, if it was and this is the experiment.
fn asked(plan: &Plan) -> Option<(Vec<usize>, PathBuf)> {
    let (cells, told) = (std::env::var(CELLS).ok()?, std::env::var_os(TOLD)?);
    let (experiment, cells) = cells.split_once(':')?;
    let cells = cells.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    (experiment == plan.cells_hash()).then(|| (cells, told.into()))
}

/// Runs an experiment of this program and counts the instructions of its cells, as far as its blocks ask for them and valgrind
/// is there; without it the column stays empty, and the reason comes along. To be called early: what a program does before, it
/// does again under callgrind.
///
/// # Errors
/// Those of [`Experiment::run`]; a search that could not be counted, or visited other nodes when it was.
pub fn counted(experiment: &Experiment) -> Result<(Runs, Option<String>), Error> {
    let plan = experiment.plan()?;
    if let Some((cells, told)) = asked(&plan) {
        let mut file = std::fs::File::create(&told).map_err(Error::io(&told))?;
        measure(&plan, &cells, None, &mut file).map_err(Error::io(&told))?;
        std::process::exit(0);
    }
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    // The last folder is the name of the run.
    let dir = folder.path().join(&plan.suite.name);
    let runs = experiment.run_plan(&plan, &dir)?;
    if let Err(reason) = Source::Callgrind.check() {
        return Ok((runs, Some(reason)));
    }
    let again = Again::of(&plan)?;
    let by = move || {
        let program = again.program.clone();
        let count = move |cells: &[usize]| count_again(&again, cells).map_err(Error::Count);
        Ok((program, Box::new(count) as Counting))
    };
    let (never, jobs) = (AtomicBool::new(false), secateur_suites::instruments::machine::cores());
    let (rows, _) = fill_by(&plan, (&dir, Source::Callgrind), by, jobs, &never, &mut |_, _| {})?;
    let manifest = secateur_record::manifest::Manifest::read(&dir)?;
    Ok((Runs { manifest, rows }, None))
}
