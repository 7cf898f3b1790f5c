//! The documents with generated parts, and the one way into them: a part goes to the page that has its marks, wherever that is, so a part
//! moves from one page to another without a word here. The pages of the papers are a file each.
//!
//! A paragraph that moves to another page takes its lines of marks along: all lists are read as one, and every page's is written anew from
//! the names that the page has.

use super::{COMMAND, File, RUNS};
use secateur::cli::evidence::committed_match;
use secateur::cli::facts::Sources;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::text_of;
use secateur::cli::worth;
use secateur_lab::prose::marks::Marks;
use secateur_lab::prose::paper::{Paper, costs, page};
use secateur_lab::prose::splice;
use secateur_record::archive::names;
use secateur_reports::worth::Played;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the pages that answer questions with our own search and next to other programs.
const RESULTS: &str = "docs/results";
/// The other documents: with prose that has marks, with generated parts, or with both.
const OTHERS: [&str; 14] = [
    "README.md",
    "docs/PROGRAMS.md",
    "docs/SPEED.md",
    "docs/CLUSTER.md",
    "docs/MODERN.md",
    "docs/POSTERIOR.md",
    "docs/DICE.md",
    "docs/DRAUGHTS.md",
    "docs/HOW-MANY.md",
    "docs/READING.md",
    "docs/RESULTS.md",
    "docs/BIAS.md",
    "docs/developers/READERS.md",
    "docs/SHOGI.md",
];
/// Documents with generated parts and without marks in their prose.
const UNMARKED: [&str; 3] = ["docs/STATISTICS.md", "docs/developers/TESTS.md", "docs/ADDING.md"];

/// The pages by path, and what they hold.
pub(super) struct Pages(pub(super) Vec<(String, String)>);

impl Pages {
    pub(super) fn read() -> Result<Pages, Failure> {
        let results = entries(Path::new(RESULTS))?.into_keys().filter(|name| name.ends_with(".md"));
        let results = results.map(|name| format!("{RESULTS}/{name}"));
        let others = OTHERS.into_iter().chain(UNMARKED).map(str::to_owned);
        let page = |path: String| Ok((path.clone(), text_of(&path)?));
        others.chain(results).map(page).collect::<Result<_, Failure>>().map(Pages)
    }

    /// Puts a generated part into the page that has its marks. A part that no page wants, or two, is an error.
    pub(super) fn put(&mut self, name: &str, text: &str) -> Outcome {
        let mark = format!("<!-- BEGIN: {name} -->");
        let mut wanted = self.0.iter_mut().filter(|(_, page)| page.contains(&mark));
        match (wanted.next(), wanted.next()) {
            (Some((path, page)), None) => {
                *page = splice(page, name, COMMAND, text).map_err(Failure::at(path))?;
                Ok(())
            }
            (None, _) => Err(Failure::input(format!("docs: expected a page with `{mark}`"))),
            (Some((first, _)), Some((second, _))) => {
                Err(Failure::input(format!("{first}, {second}: found `{mark}` in both, expected it once")))
            }
        }
    }

    /// The pages without marks in their prose, and the others.
    pub(super) fn parted(self) -> [Vec<(String, String)>; 2] {
        let (unmarked, marked) = self.0.into_iter().partition(|(path, _)| UNMARKED.contains(&path.as_str()));
        [unmarked, marked]
    }
}

/// The matches that `worth` had played into a folder, in the order of their names.
pub(super) fn matches_of_worth(folder: &Path) -> Result<Vec<Played>, Failure> {
    worth::matches(folder, committed_match)
}

/// What is in a folder, by name.
pub(super) fn entries(folder: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let unreadable = |error| Failure::system(format!("{}: {error}", folder.display()));
    let names = names(folder).map_err(unreadable)?.into_iter();
    Ok(names.map(|name| (name.clone(), folder.join(name))).collect())
}

/// The files of the papers, and those among them that are none.
const PAPERS: &str = "suites/lab/papers";
/// The folder of the pages.
pub(super) const OF_PAPERS: &str = "docs/papers";
const COSTS: &str = "costs.toml";
const PUBLISHED: &str = "left-out.toml";

/// The page of every paper with published figures, with its path; what its words say of the record is filled in with all other prose,
/// from `marks`, which gets theirs.
pub(super) fn of_papers(sources: &mut Sources, marks: &mut Marks) -> Result<Vec<(String, String)>, Failure> {
    let mut one = |paper: &Paper| {
        marks.add(paper.marks.clone()).map_err(Failure::at(format!("{PAPERS}/{}.toml", paper.name)))?;
        let facts = sources.facts(&paper.sources())?;
        // A run may stand behind a page elsewhere, and have no figure here.
        let text = page(paper, facts, &|run| facts.has(run) || Path::new(RUNS).join(run).is_dir(), COMMAND)
            .map_err(Failure::input)?;
        Ok((format!("{OF_PAPERS}/{}.md", paper.name), text))
    };
    papers()?.iter().filter(|paper| paper.has_figures()).map(&mut one).collect()
}

/// The papers of this checkout; none in one that has no such folder.
fn papers() -> Result<Vec<Paper>, Failure> {
    if !Path::new(PAPERS).is_dir() {
        return Ok(Vec::new());
    }
    let names = entries(Path::new(PAPERS))?.into_keys();
    let names = names.filter(|name| name.ends_with(".toml") && name != COSTS && name != PUBLISHED);
    let read = |name: String| {
        let path = format!("{PAPERS}/{name}");
        Paper::read(&text_of(&path)?).map_err(Failure::at(path))
    };
    names.map(read).collect()
}

/// The file of costs: CPU seconds of every committed run and match that a paper names.
pub(super) fn costs_of_papers(sources: &Sources) -> Result<Option<File>, Failure> {
    let papers = papers()?;
    let mut seconds = BTreeMap::new();
    for run in papers.iter().flat_map(Paper::runs) {
        if let Some(cost) = sources.seconds(&run.name)? {
            seconds.insert(run.name.clone(), cost);
        }
    }
    let file = || (Path::new(PAPERS).join(COSTS), costs(&seconds, COMMAND));
    Ok((!papers.is_empty()).then(file))
}

const MARKS: &str = "docs/marks";

/// The marks of all pages but those of papers, and the lists that they were read from.
pub(super) fn all_marks() -> Result<(Marks, Vec<PathBuf>), Failure> {
    let (mut marks, mut lists) = (Marks::default(), Vec::new());
    let mut folders = vec![PathBuf::from(MARKS)];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)?.into_values() {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.display().to_string();
            let added = Marks::read(&text_of(&name)?).and_then(|list| marks.add(list));
            added.map_err(Failure::at(name))?;
            lists.push(path);
        }
    }
    Ok((marks, lists))
}

/// The list of every page that has marks.
pub(super) fn lists_of_marks(documents: &[(String, String)], marks: &Marks) -> Vec<File> {
    // A paper's marks are in its own file.
    let pages = documents.iter().filter(|(path, _)| !path.starts_with(OF_PAPERS));
    pages.filter_map(|(path, text)| Some((list_of(path), marks.list(path, text)?))).collect()
}

/// `docs/results/growth.md` has `docs/marks/results/growth.toml`, `README.md` has `docs/marks/README.toml`.
fn list_of(page: &str) -> PathBuf {
    Path::new(MARKS).join(page.strip_prefix("docs/").unwrap_or(page)).with_extension("toml")
}

/// Lists that no page has any more.
pub(super) fn stale_lists(before: &[PathBuf], now: &[File]) -> Vec<String> {
    let gone = before.iter().filter(|list| now.iter().all(|(path, _)| path != *list));
    gone.map(|list| format!("{}: no page has its marks; delete it", list.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_goes_to_the_one_page_that_wants_it() {
        let marks = "# A\n<!-- BEGIN: t -->\n<!-- END: t -->\n";
        let page = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let mut pages = Pages(vec![page("a", marks), page("b", "# B\n")]);
        pages.put("t", "| x |").unwrap();
        assert!(pages.0[0].1.contains("| x |") && pages.0[1].1 == "# B\n");
        assert!(pages.put("u", "").is_err(), "nobody wants it");
        pages.0[1].1 = marks.to_owned();
        assert!(pages.put("t", "").is_err(), "two want it");
    }

    #[test]
    fn a_paragraph_takes_its_lines_to_another_page() {
        let marks = Marks::read("a1.is = \"run: x\"\na2.is = \"run: y\"\n").unwrap();
        let pages = |first: &str, second: &str| {
            [("README.md", first), ("docs/results/b.md", second), ("docs/papers/c.md", "<!--=a1-->1<!--/-->")]
                .map(|(path, text)| (path.to_owned(), text.to_owned()))
        };
        let [one, two] = ["a <!--=a1-->1<!--/-->", "b <!--=a2-->2<!--/-->"];
        let before = lists_of_marks(&pages(one, two), &marks);
        let paths: Vec<PathBuf> = before.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(paths, ["docs/marks/README.toml", "docs/marks/results/b.toml"].map(PathBuf::from));
        let moved = lists_of_marks(&pages("", &format!("{one} {two}")), &marks);
        assert!(
            moved.len() == 1 && moved[0].1.contains("a1.is") && moved[0].1.contains("a2.is"),
            "{moved:?}"
        );
        assert_eq!(stale_lists(&paths, &moved), ["docs/marks/README.toml: no page has its marks; delete it"]);
        assert!(stale_lists(&paths, &before).is_empty());
    }
}
