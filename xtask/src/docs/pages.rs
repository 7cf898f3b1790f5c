//! The documents with generated parts, and the one way into them: a part goes to the page that has its marks, wherever that is, so a part
//! moves from one page to another without a word here.

use super::folder::entries;
use super::{COMMAND, document};
use secateur::cli::failure::{Failure, Outcome};
use secateur_lab::prose::splice;
use std::path::Path;

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
        let page = |path: String| Ok((path.clone(), document(&path)?));
        others.chain(results).map(page).collect::<Result<_, Failure>>().map(Pages)
    }

    /// Puts a generated part into the page that has its marks. A part that no page wants, or two, is an error.
    pub(super) fn put(&mut self, name: &str, text: &str) -> Outcome {
        let mark = format!("<!-- BEGIN: {name} -->");
        let mut wanted = self.0.iter_mut().filter(|(_, page)| page.contains(&mark));
        match (wanted.next(), wanted.next()) {
            (Some((path, page)), None) => {
                *page = splice(page, name, COMMAND, text)
                    .map_err(|error| Failure::input(format!("{path}: {error}")))?;
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
}
