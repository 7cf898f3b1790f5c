//! Links of the documents: every file and heading that one names must be there.
//!
//! Headings become anchors as GitHub and mdBook make them. Left out: what other sites have, which only a network could tell;
//! and whether a link that works says what its text promises.

use super::Fault;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use secateur_reports::measures::REPOSITORY;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// The documents by path from the root, with `/`.
pub type Documents<'a> = BTreeMap<&'a str, &'a str>;

/// What is wrong with the links of one document, by line. `exists` says whether a file or folder of the repository is there.
pub fn faults(path: &str, documents: &Documents<'_>, exists: impl Fn(&str) -> bool) -> Vec<Fault> {
    let Some(text) = documents.get(path) else { return Vec::new() };
    let mut all = Vec::new();
    for (at, target) in links(text) {
        if let Err(message) = followed(path, &target, documents, &exists) {
            let message = format!("link to `{target}`, {message}");
            all.push(Fault { line: line_of(text, at), message });
        }
    }
    all
}

/// Targets of links and pictures, with the byte at which each stands.
fn links(text: &str) -> Vec<(usize, String)> {
    let target = |(event, range): (Event<'_>, Range<usize>)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some((range.start, dest_url.into_string()))
        }
        _ => None,
    };
    Parser::new_ext(text, options()).into_offset_iter().filter_map(target).collect()
}

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// Whether a link leads somewhere; the message says what is missing there.
fn followed(
    from: &str,
    target: &str,
    documents: &Documents<'_>,
    exists: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let inside = target.strip_prefix(REPOSITORY);
    if inside.is_none() && target.split(['/', '#']).next().is_some_and(|first| first.contains(':')) {
        return Ok(());
    }
    let (file, anchor) = match inside.unwrap_or(target).split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (inside.unwrap_or(target), None),
    };
    let path = match (file, inside) {
        ("", _) => from.to_owned(),
        (file, Some(_)) => file.to_owned(),
        (file, None) => joined(from, file).ok_or("which is above the repository")?,
    };
    if !documents.contains_key(&*path) && !exists(&path) {
        return Err(format!("expected a file or folder {path}"));
    }
    let Some(anchor) = anchor else { return Ok(()) };
    let Some(text) = documents.get(&*path) else { return Ok(()) };
    match anchors(text).contains(anchor) {
        true => Ok(()),
        false => Err(format!("expected a heading of {path} that makes the anchor `{anchor}`")),
    }
}

/// A relative path from the folder of `from`; nothing if it leaves the repository.
fn joined(from: &str, to: &str) -> Option<String> {
    let mut path: PathBuf = Path::new(from).parent()?.to_owned();
    for part in Path::new(to).components() {
        match part {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    Some(parts.join("/"))
}

/// The anchors that the headings of a document make; a heading that stands there again gets a number.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut times = BTreeMap::<String, usize>::new();
    for (_, heading) in headings(text) {
        let anchor = anchor(&heading);
        let before = times.entry(anchor.clone()).or_default();
        anchors.insert(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    anchors
}

/// The text of every heading with its level.
fn headings(text: &str) -> Vec<(HeadingLevel, String)> {
    let mut all: Vec<(HeadingLevel, String)> = Vec::new();
    let mut within = false;
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                within = true;
                all.push((level, String::new()));
            }
            Event::End(TagEnd::Heading(_)) => within = false,
            Event::Text(text) | Event::Code(text) if within => {
                if let Some((_, heading)) = all.last_mut() {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    all
}

/// A heading as an anchor: small letters, digits, `-` and `_`; a blank becomes `-`, all else goes.
fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    heading.trim().to_lowercase().chars().filter_map(kept).collect()
}

/// Pages under `folder` that its table of contents does not name, and links of the pages that leave the folder, which the book
/// would not have.
pub fn book(folder: &str, documents: &Documents<'_>) -> Vec<(String, Fault)> {
    let summary = format!("{folder}/SUMMARY.md");
    let within = format!("{folder}/");
    let contents = documents.get(&*summary).copied().unwrap_or_default();
    let named: BTreeSet<String> =
        links(contents).into_iter().filter_map(|(_, target)| joined(&summary, &target)).collect();
    let mut all = Vec::new();
    for (path, text) in documents.iter().filter(|(path, _)| path.starts_with(&within)) {
        if **path != summary && !named.contains(*path) {
            let message =
                format!("a page that {summary} does not name, expected it in the contents of the book");
            all.push(((*path).to_owned(), Fault { line: 1, message }));
        }
        for (at, target) in links(text) {
            let file = target.split('#').next().unwrap_or_default();
            let is_own = file.is_empty() || file.split('/').next().is_some_and(|first| first.contains(':'));
            if !is_own && joined(path, file).is_none_or(|to| !to.starts_with(&within)) {
                let message =
                    format!("link to `{target}`, which is not in the book: expected `{REPOSITORY}...`");
                all.push(((*path).to_owned(), Fault { line: line_of(text, at), message }));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A `b` page\n\n[self](#a-b-page) [up](../README.md#use) [file](x.svg)\n\n## Do cuts\n\
                        ## Do cuts\n\n```\n[code](no.md)\n```\n";

    fn broken(text: &str) -> Vec<(usize, String)> {
        let documents = Documents::from([("docs/a.md", text), ("README.md", "# R\n\n## Use\n")]);
        let faults = faults("docs/a.md", &documents, |path| path == "docs/x.svg" || path == "src");
        faults.into_iter().map(|fault| (fault.line, fault.message)).collect()
    }

    #[test]
    fn what_is_there_is_found_and_what_is_not_is_named() {
        assert_eq!(broken(TEXT), []);
        for (link, part) in [
            ("no.md", "expected a file or folder docs/no.md"),
            ("../README.md#no", "a heading of README.md that makes the anchor `no`"),
            ("#do-cuts-2", "a heading of docs/a.md"),
            ("../../x", "above the repository"),
            (concat!("https://github.com/secateur/secateur/blob/main/", "gone"), "a file or folder gone"),
        ] {
            let text = format!("{TEXT}\nnow [a link]({link}).\n");
            let faults = broken(&text);
            assert!(faults.len() == 1 && faults[0].0 == 12 && faults[0].1.contains(part), "{faults:?}");
        }
        for link in ["#do-cuts-1", "https://example.org/x", "mailto:a@example.org", "../src"] {
            assert_eq!(broken(&format!("{TEXT}\n[a link]({link})\n")), [], "{link}");
        }
    }

    #[test]
    fn a_book_names_its_pages_and_stays_within_itself() {
        let summary = "# Summary\n\n- [A](a.md)\n";
        let with = |text: &str, more: &[(&'static str, &'static str)]| {
            let mut documents = Documents::from([("docs/SUMMARY.md", summary), ("docs/a.md", text)]);
            documents.extend(more.iter().copied());
            book("docs", &documents).into_iter().map(|(path, fault)| (path, fault.line)).collect::<Vec<_>>()
        };
        assert_eq!(with("# A\n[x](#a) [y](https://example.org)\n", &[]), []);
        assert_eq!(with("# A\n", &[("docs/b.md", "# B\n")]), [("docs/b.md".to_owned(), 1)]);
        assert_eq!(with("# A\n[x](../README.md)\n", &[("README.md", "")]), [("docs/a.md".to_owned(), 2)]);
    }
}
