//! `docs`: the generated parts of the documents, from the runs that are committed under `docs/runs` and from
//! the committed fit. The mark of a part names the run and the views of it that the page shows ([`views`]).

mod columns;
mod concise;
mod pages;
mod pictures;
mod source;
mod views;

use secateur::cli::facts::Sources;
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::{in_checkout, text_of};
use secateur::cli::say::{message, put, say};
use secateur_lab::prose::fill;
use secateur_lab::prose::marks::Marks;
use secateur_lab::prose::typed::typed;
use std::path::PathBuf;

/// Arguments of `docs`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench table2 --out docs/runs/table2 && cargo xtask docs")]
pub(crate) struct Flags {
    /// Only check that everything is current
    #[arg(long)]
    check: bool,
}

/// The command named in every generated part.
const COMMAND: &str = "cargo xtask docs";
const RUNS: &str = "docs/runs";
/// The page of measures and columns, all of it from the code.
const MEASURES: &str = "docs/MEASURES.md";

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        in_checkout("docs")?;
        let (files, faults) = generated()?;
        put_or_check(files, self.check)?;
        if faults.is_empty() { Ok(()) } else { Err(Failure::gate(faults.join("\n"))) }
    }
}

/// Writes the files that are not current, or only says which these are.
fn put_or_check(files: Vec<File>, check: bool) -> Outcome {
    let mut stale = Vec::new();
    for (path, text) in files {
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        if before == text {
            continue;
        }
        if !check {
            let more = empty_cells(&text).saturating_sub(empty_cells(&before));
            put(&path, text)?;
            say(&format!("written: {}\n", path.display()));
            if more > 0 && !before.is_empty() {
                message(&format!(
                    "{}: {more} more cells are empty; does a run lack a file?\n",
                    path.display()
                ));
            }
        }
        stale.push(path.display().to_string());
    }
    match check && !stale.is_empty() {
        true => Err(Failure::gate(format!("not current: {}; run `{COMMAND}`", stale.join(", ")))),
        false => Ok(()),
    }
}

/// Cells of tables without a number: a run that was archived without a file gives these where there were numbers.
fn empty_cells(text: &str) -> usize {
    let tables = text.lines().filter(|line| line.starts_with('|'));
    tables.flat_map(|line| line.split('|')).filter(|cell| cell.trim() == "-").count()
}

/// A file and what it should hold.
type File = (PathBuf, String);

/// Every generated file with what it should hold, and what is wrong with the prose of the documents.
fn generated() -> Result<(Vec<File>, Vec<String>), Failure> {
    let [unmarked, mut documents] = pages::made()?;
    let (mut sources, (mut marks, lists)) = (Sources::default(), pages::all_marks()?);
    documents.extend(pages::of_papers(&mut sources, &mut marks)?);
    let mut faults = filled(&mut documents, &marks, &mut sources)?;
    let listed = pages::lists_of_marks(&documents, &marks);
    faults.extend(pages::stale_lists(&lists, &listed));
    let mut files = pictures::all()?;
    files.extend(listed);
    files.push(pages::matches_file()?);
    files.push((MEASURES.into(), secateur_reports::measures::page(COMMAND)));
    files.extend(pages::costs_of_papers(&sources)?);
    files.extend(unmarked.into_iter().chain(documents).map(|(path, text)| (path.into(), text)));
    Ok((files, faults))
}

/// Fills the marks in the prose of the documents; what is wrong with them, with file and line.
fn filled(
    documents: &mut [(String, String)],
    marks: &Marks,
    sources: &mut Sources,
) -> Result<Vec<String>, Failure> {
    let facts = sources.facts(&marks.sources())?;
    let mut all = Vec::new();
    for (path, text) in documents {
        let (done, mut faults) = fill(text, marks, facts);
        *text = concise::notes_once(&done);
        faults.extend(typed(text));
        all.extend(faults.iter().map(|fault| format!("{path}:{}: {}", fault.line, fault.message)));
    }
    Ok(all)
}

/// The code of an example, which is compiled and run: the lines between two marks.
fn quoted(file: &str, mark: &str) -> Result<String, Failure> {
    let missing =
        || Failure::input(format!("{file}: expected `// {mark} begins` and, below, `// {mark} ends`"));
    Ok(format!("```rust\n{}\n```", marked(&text_of(file)?, mark).ok_or_else(missing)?))
}

/// The lines between two marks, as far to the left as they go.
fn marked(source: &str, mark: &str) -> Option<String> {
    let is = |line: &&str, end: &str| line.trim() == format!("// {mark} {end}");
    let after = source.lines().skip_while(|line| !is(line, "begins")).skip(1);
    let lines: Vec<&str> = after.clone().take_while(|line| !is(line, "ends")).collect();
    after.clone().find(|line| is(line, "ends"))?;
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let left = lines.iter().filter(|line| !line.is_empty()).map(indent).min()?;
    Some(lines.iter().map(|line| line.get(left..).unwrap_or_default()).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_current_is_told_of_or_written() {
        let dir = tempfile::tempdir().unwrap();
        let [kept, old] = ["kept", "old"].map(|name| dir.path().join(name));
        std::fs::write(&kept, "a").unwrap();
        std::fs::write(&old, "b").unwrap();
        let files = || vec![(kept.clone(), "a".to_owned()), (old.clone(), "c".to_owned())];
        let message = format!("{:?}", put_or_check(files(), true).unwrap_err());
        assert!(message.contains("old; run") && !message.contains("kept"), "{message}");
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "b", "a check writes nothing");
        put_or_check(files(), false).unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "c");
        put_or_check(files(), true).unwrap();
    }

    #[test]
    fn what_stands_between_marks_is_quoted_from_the_left() {
        let source = "a\n    // glue begins\n    b {\n\n        c\n    }\n    // glue ends\nd\n";
        assert_eq!(marked(source, "glue").as_deref(), Some("b {\n\n    c\n}"));
        assert_eq!(marked(source, "method"), None);
        assert_eq!(marked("// glue begins\nb\n", "glue"), None, "a mark without its other end");
    }
}
