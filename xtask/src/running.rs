//! What all commands that search have in common: budgets, run folders, Ctrl-C, what was mended.

use crate::failure::{Failure, Outcome};
use crate::say::complain;
use secateur_instruments::clock::stamp;
use secateur_suites::store::Store;
use secateur_suites::suite::Allowance;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Says what of a run is searched again because it was not as it was written, or had failed.
pub(crate) fn mended(store: &Store) {
    const SHOWN: usize = 5;
    let wounds = store.wounds();
    wounds.iter().take(SHOWN).for_each(|wound| complain(&format!("{wound}\n")));
    if !wounds.is_empty() {
        let more = wounds.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("and {more} more; ") } else { String::new() };
        complain(&format!(
            "{more}the run was not as it was written: the cells concerned are searched again, the files as they were are \
             kept as *.wounded\n"
        ));
    }
    if store.retried() > 0 {
        complain(&format!("{} failed cells are searched again\n", store.retried()));
    }
}

/// The budget that one of `--depth`, `--nodes` and `--time` gives.
pub(crate) fn budget(
    depth: Option<i64>,
    nodes: Option<i64>,
    time: Option<&str>,
) -> Result<Option<Allowance>, Failure> {
    let depth = depth.map(|plies| Allowance::depth(plies).map_err(|e| format!("--depth: {e}")));
    let nodes = nodes.map(|nodes| Allowance::nodes(nodes).map_err(|e| format!("--nodes: {e}")));
    let time = time.map(|text| Allowance::time(text).map_err(|e| format!("--time: {e}")));
    depth.or(nodes).or(time).transpose().map_err(Failure::input)
}

/// A folder for a new run that is not there yet.
pub(crate) fn fresh_folder(suite: &str) -> PathBuf {
    let name = format!("{suite}-{}", stamp(SystemTime::now()));
    // Two runs may begin in one second.
    let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
    names
        .by_ref()
        .map(|name| Path::new("runs").join(name))
        .find(|path| !path.exists())
        .expect("endless names")
}

/// The command as a person would type it, without the place where this build happens to lie.
pub(crate) fn command() -> Vec<String> {
    // A path need not be text; a record must.
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    ["cargo", "xtask"].map(str::to_owned).into_iter().chain(words).collect()
}

/// What Ctrl-C leads to in a run of searches.
pub(crate) const FINISHING: &str = "finishing the searches under way";

/// A flag that Ctrl-C sets; `what` is then said to happen.
pub(crate) fn interrupt(what: &'static str) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    interrupt_by(&stop, what)?;
    Ok(stop)
}

/// The same for a flag that is there already.
pub(crate) fn interrupt_by(stop: &Arc<AtomicBool>, what: &'static str) -> Outcome {
    let asked = Arc::clone(stop);
    let handler = move || {
        // The second time the user means it: what is written is safe anyway.
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(4);
        }
        complain(&format!("\nstopping: {what} (again to quit at once)\n"));
    };
    ctrlc::set_handler(handler).map_err(Failure::system)
}
