//! The documents with generated parts, each of which is made from its own mark, wherever that is, so a part moves from one page to another
//! without a word here. The pages of the papers are a file each.
//!
//! A paragraph that moves to another page takes its lines of marks along: all lists are read as one, and every page's is written anew from
//! the names that the page has.

use super::source::MATCH;
use super::{COMMAND, File, RUNS, views};
use secateur::cli::evidence::committed_match;
use secateur::cli::facts::Sources;
use secateur::cli::failure::Failure;
use secateur::cli::reading::text_of;
use secateur_lab::prose::marks::Marks;
use secateur_lab::prose::paper::{Paper, costs, page};
use secateur_lab::prose::splice;
use secateur_record::archive::{is_file, names};
use secateur_record::table::of_rows;
use secateur_stats::elo::Pentanomial;
use secateur_stats::play::pair_counts;
use serde::Serialize;
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

/// The pages by path, with their generated parts: those without marks in their prose, and the others.
pub(super) fn made() -> Result<[Vec<(String, String)>; 2], Failure> {
    let results = entries(Path::new(RESULTS))?.into_keys().filter(|name| name.ends_with(".md"));
    let results = results.map(|name| format!("{RESULTS}/{name}"));
    let [unmarked, others] =
        [&UNMARKED[..], &OTHERS].map(|paths| paths.iter().map(|path| (*path).to_owned()));
    let mut faults = Vec::new();
    let mut page = |path: String| match text_of(&path).and_then(|page| with_parts(&path, &page)) {
        Ok(text) => Some((path, text)),
        Err(failure) => {
            faults.push(failure.message().to_owned());
            None
        }
    };
    let pages =
        [unmarked.filter_map(&mut page).collect(), others.chain(results).filter_map(&mut page).collect()];
    if faults.is_empty() { Ok(pages) } else { Err(Failure::input(faults.join("\n"))) }
}

/// The page with what its marks ask for.
fn with_parts(path: &str, page: &str) -> Result<String, Failure> {
    let made =
        splice(page, COMMAND, |mark| views::part(mark).map_err(|failure| failure.message().to_owned()));
    made.map_err(|fault| Failure::input(format!("{path}:{}: {}", fault.line, fault.message)))
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

/// The table.
const MATCHES: &str = "docs/runs/printed/matches.csv";
/// A match.
#[derive(Debug, Serialize)]
struct MatchRow {
    /// Its folder.
    folder: String,
    /// The first player, whose points are counted.
    first: String,
    /// The other.
    second: String,
    /// What each of them was given.
    limit: String,
    /// The seed of the openings.
    seed: u64,
    /// Pairs that count, one an opening.
    pairs: u64,
    /// The pairs by points.
    pentanomial: Option<Pentanomial>,
}

/// The pairs of every committed match by their points, five numbers a match, as documents take the match: all that is said of strength
/// follows from them, whatever becomes of the games. In shared games no two players are the same throughout.
pub(super) fn matches_file() -> Result<File, Failure> {
    let folders = folders_of_matches(Path::new(RUNS))?;
    let rows = folders.iter().filter_map(|folder| match_row(folder).transpose());
    let rows = rows.collect::<Result<Vec<MatchRow>, _>>()?;
    Ok((MATCHES.into(), format!("# cargo xtask docs\n{}", of_rows(&rows))))
}

/// The folders of matches below this one, in order.
fn folders_of_matches(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut matches = Vec::new();
    for path in entries(folder)?.into_values().filter(|path| !is_file(path)) {
        match is_file(&path.join(MATCH)) {
            true => matches.push(path),
            false => matches.extend(folders_of_matches(&path)?),
        }
    }
    Ok(matches)
}

fn match_row(folder: &Path) -> Result<Option<MatchRow>, Failure> {
    let ended = committed_match(folder)?;
    let settings = &ended.file.settings;
    if settings.is_shared() {
        return Ok(None);
    }
    let counts = pair_counts(&ended.rows);
    let [first, second] = settings.names().map(|name| name.to_string());
    Ok(Some(MatchRow {
        folder: folder.strip_prefix(RUNS).unwrap_or(folder).display().to_string(),
        first,
        second,
        limit: settings.limit.to_string(),
        seed: settings.seed,
        pairs: counts.pairs(),
        pentanomial: Some(counts),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_asks_for_what_is_not_there_is_named_with_its_line() {
        let fault = |mark: &str| {
            let page = format!("# A\n<!-- BEGIN: {mark} -->\n<!-- END -->\n");
            with_parts("a.md", &page).unwrap_err().message().to_owned()
        };
        std::env::set_current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
        for (mark, message) in [
            ("quik: methods", "unknown run `quik`: did you mean `quick`?"),
            ("quick: method", "unknown view `method`: did you mean `methods`?"),
            ("quick: methods chess depht=8", "unknown word `depht=8`: did you mean `depth`?"),
            ("quick: methods chess depth=8x", "unknown word `depth=8x`"),
            (
                "quick: methods depth=99",
                "quick: methods depth=99: found no group that is wanted, expected one of",
            ),
            (
                "trial: table columns=trail",
                "xtask/data/columns.toml: unknown table `trail`: did you mean `trial`?",
            ),
            (
                "scale: table columns=trial",
                "xtask/data/columns.toml: trial, of scale: unknown column `number`: expected one of",
            ),
            ("methods", "found `methods`, expected `RUN: VIEW`"),
            ("trial: code", "found no `of=`"),
        ] {
            let found = fault(mark);
            assert!(found.starts_with("a.md:2: ") && found.contains(message), "{mark}: {found}");
        }
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
