//! The pages of the papers, a file each under `docs/papers`, and what their runs cost.

use super::folder::entries;
use super::{COMMAND, File, RUNS, document};
use crate::facts::facts;
use crate::failure::Failure;
use secateur_arena::play::Ended;
use secateur_prose::paper::{Paper, costs, page};
use secateur_stats::read::read;
use std::collections::BTreeMap;
use std::path::Path;

/// The files of the papers, and the one among them that is none.
const FOLDER: &str = "reports/prose/papers";
const COSTS: &str = "costs.toml";

/// Every page with its path; what its words say of the record is filled in with all other prose.
pub(super) fn pages() -> Result<Vec<(String, String)>, Failure> {
    let one = |paper: &Paper| {
        let facts = facts(&paper.sources())?;
        // A run may stand behind a page elsewhere, and have no figure here.
        let text = page(paper, &facts, &|run| facts.has(run) || Path::new(RUNS).join(run).is_dir(), COMMAND)
            .map_err(Failure::input)?;
        Ok((format!("docs/papers/{}.md", paper.name), text))
    };
    papers()?.iter().map(one).collect()
}

/// The papers of this checkout; none in one that has no such folder.
fn papers() -> Result<Vec<Paper>, Failure> {
    if !Path::new(FOLDER).is_dir() {
        return Ok(Vec::new());
    }
    let names = entries(Path::new(FOLDER))?.into_keys();
    let names = names.filter(|name| name.ends_with(".toml") && name != COSTS);
    let read = |name: String| {
        let path = format!("{FOLDER}/{name}");
        Paper::read(&document(&path)?).map_err(|error| Failure::input(format!("{path}: {error}")))
    };
    names.map(read).collect()
}

/// The file of costs: CPU seconds of every committed run and match that a paper names.
pub(super) fn prices() -> Result<Option<File>, Failure> {
    let papers = papers()?;
    let mut seconds = BTreeMap::new();
    for run in papers.iter().flat_map(Paper::runs) {
        if let Some(cost) = spent(&Path::new(RUNS).join(&run.name))? {
            seconds.insert(run.name.clone(), cost);
        }
    }
    let file = || (Path::new(FOLDER).join(COSTS), costs(&seconds, COMMAND));
    Ok((!papers.is_empty()).then(file))
}

/// The CPU seconds of searches, or of the players of a match. Nothing for a folder that is neither.
fn spent(folder: &Path) -> Result<Option<f64>, Failure> {
    let nanoseconds: u64 = if folder.join("play.toml").is_file() {
        Ended::read(folder)?.rows.iter().map(|row| row.first_time_ns + row.second_time_ns).sum()
    } else if folder.join("run.toml").is_file() {
        read(&[folder.to_owned()])?.records.iter().map(|record| record.time_ns).sum()
    } else {
        return Ok(None);
    };
    Ok(Some(nanoseconds as f64 / 1e9))
}
