//! The pages of the papers, a file each under `docs/papers`, and what their runs cost.

use super::folder::entries;
use super::{COMMAND, File, RUNS, document};
use secateur::cli::facts::Sources;
use secateur::cli::failure::Failure;
use secateur_lab::prose::marks::Marks;
use secateur_lab::prose::paper::{Paper, costs, page};
use std::collections::BTreeMap;
use std::path::Path;

/// The files of the papers, and those among them that are none.
const FOLDER: &str = "suites/lab/papers";
/// The folder of the pages.
pub(super) const PAGES: &str = "docs/papers";
const COSTS: &str = "costs.toml";
const LEFT_OUT: &str = "left-out.toml";

/// The page of every paper with published figures, with its path; what its words say of the record is filled in with all other prose,
/// from `marks`, which gets theirs.
pub(super) fn pages(sources: &mut Sources, marks: &mut Marks) -> Result<Vec<(String, String)>, Failure> {
    let mut one = |paper: &Paper| {
        marks
            .add(paper.marks.clone())
            .map_err(|error| Failure::input(format!("{FOLDER}/{}.toml: {error}", paper.name)))?;
        let facts = sources.facts(&paper.sources())?;
        // A run may stand behind a page elsewhere, and have no figure here.
        let text = page(paper, facts, &|run| facts.has(run) || Path::new(RUNS).join(run).is_dir(), COMMAND)
            .map_err(Failure::input)?;
        Ok((format!("{PAGES}/{}.md", paper.name), text))
    };
    papers()?.iter().filter(|paper| paper.has_figures()).map(&mut one).collect()
}

/// The papers of this checkout; none in one that has no such folder.
fn papers() -> Result<Vec<Paper>, Failure> {
    if !Path::new(FOLDER).is_dir() {
        return Ok(Vec::new());
    }
    let names = entries(Path::new(FOLDER))?.into_keys();
    let names = names.filter(|name| name.ends_with(".toml") && name != COSTS && name != LEFT_OUT);
    let read = |name: String| {
        let path = format!("{FOLDER}/{name}");
        Paper::read(&document(&path)?).map_err(|error| Failure::input(format!("{path}: {error}")))
    };
    names.map(read).collect()
}

/// The file of costs: CPU seconds of every committed run and match that a paper names.
pub(super) fn prices(sources: &Sources) -> Result<Option<File>, Failure> {
    let papers = papers()?;
    let mut seconds = BTreeMap::new();
    for run in papers.iter().flat_map(Paper::runs) {
        if let Some(cost) = sources.seconds(&run.name)? {
            seconds.insert(run.name.clone(), cost);
        }
    }
    let file = || (Path::new(FOLDER).join(COSTS), costs(&seconds, COMMAND));
    Ok((!papers.is_empty()).then(file))
}
