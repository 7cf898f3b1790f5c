//! The lists of marks: read from all pages, written for each.
//!
//! A paragraph that moves to another page takes its lines along: all lists are read as one, and every page's is written anew from the
//! names that the page has.

use super::{File, document, folder::entries, papers};
use secateur::cli::failure::Failure;
use secateur_lab::prose::marks::Marks;
use std::path::{Path, PathBuf};

const FOLDER: &str = "docs/marks";

/// The marks of all pages but those of papers, and the lists that they were read from.
pub(super) fn all() -> Result<(Marks, Vec<PathBuf>), Failure> {
    let (mut marks, mut lists) = (Marks::default(), Vec::new());
    let mut folders = vec![PathBuf::from(FOLDER)];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)?.into_values() {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.display().to_string();
            let added = Marks::read(&document(&name)?).and_then(|list| marks.add(list));
            added.map_err(|error| Failure::input(format!("{name}: {error}")))?;
            lists.push(path);
        }
    }
    Ok((marks, lists))
}

/// The list of every page that has marks.
pub(super) fn lists(documents: &[(String, String)], marks: &Marks) -> Vec<File> {
    // A paper's marks are in its own file.
    let pages = documents.iter().filter(|(path, _)| !path.starts_with(papers::PAGES));
    pages.filter_map(|(path, text)| Some((list_of(path), marks.list(path, text)?))).collect()
}

/// `docs/results/growth.md` has `docs/marks/results/growth.toml`, `README.md` has `docs/marks/README.toml`.
fn list_of(page: &str) -> PathBuf {
    Path::new(FOLDER).join(page.strip_prefix("docs/").unwrap_or(page)).with_extension("toml")
}

/// Lists that no page has any more.
pub(super) fn stale(before: &[PathBuf], now: &[File]) -> Vec<String> {
    let gone = before.iter().filter(|list| now.iter().all(|(path, _)| path != *list));
    gone.map(|list| format!("{}: no page has its marks; delete it", list.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_takes_its_lines_to_another_page() {
        let marks = Marks::read("a1.is = \"run: x\"\na2.is = \"run: y\"\n").unwrap();
        let pages = |first: &str, second: &str| {
            [("README.md", first), ("docs/results/b.md", second), ("docs/papers/c.md", "<!--=a1-->1<!--/-->")]
                .map(|(path, text)| (path.to_owned(), text.to_owned()))
        };
        let [one, two] = ["a <!--=a1-->1<!--/-->", "b <!--=a2-->2<!--/-->"];
        let before = lists(&pages(one, two), &marks);
        let paths: Vec<PathBuf> = before.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(paths, ["docs/marks/README.toml", "docs/marks/results/b.toml"].map(PathBuf::from));
        let moved = lists(&pages("", &format!("{one} {two}")), &marks);
        assert!(
            moved.len() == 1 && moved[0].1.contains("a1.is") && moved[0].1.contains("a2.is"),
            "{moved:?}"
        );
        assert_eq!(stale(&paths, &moved), ["docs/marks/README.toml: no page has its marks; delete it"]);
        assert!(stale(&paths, &before).is_empty());
    }
}
