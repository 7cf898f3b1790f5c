//! `site`: the documents as a book with example pages in it, in one folder that can be published as it is.
//!
//! The book is made by mdBook, which is run and not linked; without it the folder has the example pages and a page that lists
//! them. The pages are those of recorded runs, by the commands that everybody has.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::{in_checkout, text_of};
use secateur::cli::say::{message, put};
use secateur::cli::this_program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Example pages: file, words, and the command that makes it from recorded runs.
const PAGES: [(&str, &str, &str); 3] = [
    (
        "worth.html",
        "What each method of Toga II is worth: one verdict per method, pictures, boards",
        "report docs/runs/worth-toga2/searches --html",
    ),
    ("bench.html", "Every method in chess and Othello: the suite quick", "report docs/runs/quick --html"),
    (
        "compare.html",
        "Two method sets compared, position by position: null move, and null move with MPC",
        "compare docs/runs/quick docs/runs/quick --methods null-move null-move+mpc --html",
    ),
];

/// Folders of documents that are no pages: mdBook would copy them as they are.
const DATA: [&str; 2] = ["runs", "marks"];

/// Arguments of `site`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask site && python3 -m http.server --directory target/site")]
pub(crate) struct Flags {
    /// Where the site is written; what was there is replaced if a site was
    #[arg(long, default_value = "target/site")]
    out: PathBuf,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        in_checkout("site")?;
        let scratch = tempfile::tempdir().map_err(Failure::system)?;
        let docs = scratch.path().join("docs");
        copy(Path::new("docs"), &docs)?;
        let examples = docs.join("examples");
        fs::create_dir_all(&examples).map_err(Failure::io(&examples))?;
        for (file, _, command) in PAGES {
            let out = examples.join(file);
            let done = Command::new(this_program()?).args(command.split(' ')).arg("--out").arg(&out).output();
            let done = done.map_err(Failure::system)?;
            // A comparison that finds something worse ends with 3, and its page is there all the same.
            if !out.is_file() {
                let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
                return Err(Failure::system(format!("{command}: no page: {stderr}")));
            }
        }
        replaceable(&self.out)?;
        let links: String =
            PAGES.iter().map(|(file, title, _)| format!("- [{title}](examples/{file})\n")).collect();
        match has_mdbook() {
            true => book(scratch.path(), &links, &self.out)?,
            false => {
                message(
                    "site: mdbook is not installed, so the book is left out (cargo install mdbook --locked)\n",
                );
                bare(&examples, &self.out)?;
            }
        }
        put(&self.out.join(MARK), "")?;
        message(&format!("site: {}\n", self.out.join("index.html").display()));
        Ok(())
    }
}

/// What says that a folder was written by this command; GitHub takes it for "publish as it is".
const MARK: &str = ".nojekyll";

/// Takes away what stands at a place if it is a site.
fn replaceable(out: &Path) -> Outcome {
    let Ok(mut entries) = fs::read_dir(out) else { return Ok(()) };
    if entries.next().is_none() || out.join(MARK).is_file() {
        return fs::remove_dir_all(out).map_err(Failure::io(out));
    }
    Err(Failure::input(format!("--out {}: found a folder that is no site, expected none", out.display())))
}

fn has_mdbook() -> bool {
    Command::new("mdbook").arg("--version").output().is_ok_and(|done| done.status.success())
}

/// Builds the book with a chapter that links the example pages, which are copied with it.
fn book(scratch: &Path, links: &str, out: &Path) -> Outcome {
    let (summary, chapter) = (scratch.join("docs/SUMMARY.md"), scratch.join("docs/EXAMPLES.md"));
    let first = "# Summary\n\n";
    let text = text_of(&summary)?.replacen(first, &format!("{first}- [Example pages](EXAMPLES.md)\n"), 1);
    put(&summary, text)?;
    let page = format!("# Example pages\n\nPages as the program writes them, of recorded runs:\n\n{links}");
    put(&chapter, page)?;
    let config = scratch.join("book.toml");
    fs::copy("book.toml", &config).map_err(Failure::io(&config))?;
    let out = std::path::absolute(out).map_err(Failure::io(out))?;
    let done = Command::new("mdbook").arg("build").arg(scratch).arg("--dest-dir").arg(&out).output();
    let done = done.map_err(Failure::system)?;
    if done.status.success() {
        return Ok(());
    }
    Err(Failure::system(format!("mdbook: {}", String::from_utf8_lossy(&done.stderr))))
}

/// The example pages and a page that lists them.
fn bare(examples: &Path, out: &Path) -> Outcome {
    copy(examples, &out.join("examples"))?;
    let item =
        |(file, title, _): &(&str, &str, &str)| format!("<li><a href=\"examples/{file}\">{title}</a></li>\n");
    let list: String = PAGES.iter().map(item).collect();
    let text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>secateur: example pages</title>\n\
         <h1>Example pages</h1>\n<ul>\n{list}</ul>\n</html>\n"
    );
    put(&out.join("index.html"), text)
}

/// Copies a folder without what is no page.
fn copy(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(Failure::io(to))?;
    for entry in fs::read_dir(from).map_err(Failure::io(from))? {
        let path = entry.map_err(Failure::io(from))?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && DATA.iter().all(|data| name != *data) {
            copy(&path, &to.join(name))?;
        } else if path.is_file() {
            fs::copy(&path, to.join(name)).map_err(Failure::io(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex_lite::Regex;

    /// Text files of the repository that a reader may take an address from, with their paths.
    fn texts(folder: &Path, all: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if name != "target" && name != ".git" && DATA.iter().all(|data| name != *data) => {
                    texts(&path, all)
                }
                false if [".md", ".toml", ".yml", ".cff", ".rs"].iter().any(|end| name.ends_with(end)) => {
                    all.push((path.clone(), fs::read_to_string(&path).unwrap()));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_address_of_this_project_is_the_one_of_its_manifest() {
        let ours = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").unwrap();
        let address = Regex::new(r"(?:github\.com/|uses: )([A-Za-z0-9_-]+/secateur)\b").unwrap();
        let mut all = Vec::new();
        texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut all);
        let mut named = std::collections::BTreeSet::new();
        for (path, text) in &all {
            for link in address.captures_iter(text) {
                assert_eq!(&link[1], ours, "{}", path.display());
                named.insert(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
        for file in ["CITATION.cff", "Cargo.toml", "book.toml", "ablation.yml"] {
            assert!(named.contains(file), "{file} has no address: {named:?}");
        }
    }
}
