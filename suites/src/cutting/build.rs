//! The untouched and the patched copy of a source, built side by side.
//!
//! Where the patched copy does not build as a whole, the sites that the compiler complains about lose their switches, and where it
//! names none of them, halves of the sites are tried. What was left out comes back with the reason.

use super::lacks::{forgotten_headers, ways_out, with_headers, write_headers};
use super::recipe::makefile;
use crate::error::Error;
use crate::program::{Source, Surveyed};
use secateur_switches::{Assignment, Rewritten, rewrite};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Builds of the patched copy, at most.
const BUILDS: usize = 16;
/// A complaint of a compiler is about a site that begins at most so many lines away from it.
const NEAR: usize = 4;
/// So many of the ways out of a failed build are shown.
const WAYS_SHOWN: usize = 4;
/// The method of a site that gets no switch.
const NO_SWITCH: &str = "none";

/// Both copies.
pub(super) struct Built {
    /// The patch, and what it switches.
    pub(super) rewritten: Rewritten,
    /// The source with the patch.
    pub(super) source: Source,
    /// The folder of the untouched copy.
    pub(super) untouched: PathBuf,
    /// The folder of the patched copy.
    pub(super) patched: PathBuf,
    /// Sites that lost their switches: the place and the reason.
    pub(super) without: Vec<(String, String)>,
}

/// Builds both copies; `source` has no patch yet, `name` begins the names of their folders.
///
/// # Errors
/// An untouched copy that does not build; a patched one that does not with a single switch.
pub(super) fn both(
    looked: &Surveyed,
    assignment: &Assignment,
    mut source: Source,
    name: &str,
    told: &mut dyn FnMut(&str),
) -> Result<Built, Error> {
    told("building the untouched copy and the patched one");
    let (commands, mut headers) = (source.build.clone(), BTreeSet::new());
    let (rewritten, untouched, tried) = loop {
        let (rewritten, patched) = patched_by(looked, assignment, &source, name);
        let (untouched, tried) = std::thread::scope(|scope| {
            let untouched = scope.spawn(|| source.tried(&format!("{name}-unpatched")));
            let tried = patched.tried(name);
            let panicked = || Error::Usage("the build of the untouched copy ended in a panic".to_owned());
            (untouched.join().unwrap_or_else(|_| Err((panicked(), String::new()))), tried)
        });
        let (error, log) = match untouched {
            Ok(untouched) => break (rewritten, untouched, tried),
            Err(failed) => failed,
        };
        let headers_before = headers.len();
        headers.extend(forgotten_headers(&log));
        source.build = match with_headers(&commands, &headers).filter(|_| headers.len() > headers_before) {
            Some(build) => build,
            None => {
                let makefile = makefile(&commands, &looked.tree.root);
                let ways = ways_out(&log)
                    .into_iter()
                    .chain(makefile.and_then(|file| write_headers(&file, &headers)));
                return Err(does_not_build(&error, ways.take(WAYS_SHOWN)));
            }
        };
        told(&format!("the source forgets headers that it uses; building with them: {}", source.build));
    };
    let patched_by = |assignment: &Assignment| patched_by(looked, assignment, &source, name);
    let keys: Vec<String> =
        rewritten.switches.iter().map(|switch| looked.survey.sites[switch.site].key.clone()).collect();
    // What builds so far, and the groups that are still to be tried with it.
    let (mut good, mut open, mut without) = (Vec::new(), vec![keys], Vec::new());
    let (mut whole, mut last) = (Some(tried), String::new());
    for builds in 0.. {
        let Some(group) = open.pop() else { break };
        let with: Vec<String> = good.iter().chain(&group).cloned().collect();
        if builds >= BUILDS {
            without.extend(
                group.iter().map(|key| (place(looked, key), "not tried: too much does not build".to_owned())),
            );
            continue;
        }
        let tried = whole.take().unwrap_or_else(|| patched_by(&only(assignment, &with)).1.tried(name));
        let (error, log) = match tried {
            Ok(_) => {
                good = with;
                continue;
            }
            Err(failed) => failed,
        };
        last = error.to_string();
        let blamed = blamed(&log, looked, &group);
        for (key, why) in &blamed {
            told(&format!(
                "does not build with the switch at {}: {why}; building without it",
                place(looked, key)
            ));
            without.push((place(looked, key), why.clone()));
        }
        let rest: Vec<String> =
            group.into_iter().filter(|key| blamed.iter().all(|(bad, _)| bad != key)).collect();
        match rest.as_slice() {
            [] => {}
            rest if !blamed.is_empty() => open.push(rest.to_vec()),
            [key] => without.push((place(looked, key), "it does not build with this switch".to_owned())),
            rest => {
                told(&format!("does not build with all switches: building with {} of them", rest.len() / 2));
                let (first, second) = rest.split_at(rest.len() / 2);
                open.extend([second.to_vec(), first.to_vec()]);
            }
        }
    }
    if good.is_empty() {
        return Err(Error::Usage(format!("the patched source does not build with a single switch: {last}")));
    }
    let (rewritten, patched) = patched_by(&only(assignment, &good));
    let folder = patched.built(name)?;
    Ok(Built { rewritten, source: patched, untouched, patched: folder, without })
}

/// What an assignment makes of the source, and the source with that.
fn patched_by(
    looked: &Surveyed,
    assignment: &Assignment,
    source: &Source,
    name: &str,
) -> (Rewritten, Source) {
    let rewritten = rewrite(&looked.files, &looked.survey, assignment);
    let patch = (format!("{name}.patch"), rewritten.patch.clone());
    (rewritten, Source { patches: vec![patch], ..source.clone() })
}

/// Why the untouched source does not build, with what it lacks and the way out.
fn does_not_build(error: &Error, ways: impl Iterator<Item = String>) -> Error {
    let ways: String = ways.map(|way| format!("\n  {way}")).collect();
    Error::Usage(format!(
        "the untouched source does not build here: {error}{ways}\nexpected a source that builds, or a command that builds it: --build COMMAND"
    ))
}

/// The assignment with switches at these sites alone.
fn only(assignment: &Assignment, keys: &[String]) -> Assignment {
    let mut some = assignment.clone();
    for site in some.sites.iter_mut().filter(|site| !keys.contains(&site.key)) {
        NO_SWITCH.clone_into(&mut site.method);
    }
    some
}

/// Where a site is.
fn place(looked: &Surveyed, key: &str) -> String {
    let site = looked.survey.sites.iter().find(|site| site.key == key);
    site.map_or_else(String::new, |site| format!("{}:{}", site.file, site.line))
}

/// The sites of a group that a compiler complains about, each with what it says: the nearest to each error.
fn blamed(log: &str, looked: &Surveyed, group: &[String]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let lines: Vec<&str> = log.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some((file, number, why)) = complaint(line, at.checked_sub(1).map(|at| lines[at])) else {
            continue;
        };
        let near = looked.survey.sites.iter().filter(|site| group.contains(&site.key)).filter_map(|site| {
            let is_file = Path::new(&site.file).ends_with(Path::new(&file).file_name().unwrap_or_default());
            let far = site.line.abs_diff(number);
            let is_known = all.iter().any(|(blamed_key, _)| *blamed_key == site.key);
            (is_file && far <= NEAR && !is_known).then(|| (far, site.key.clone()))
        });
        if let Some((_, key)) = near.min() {
            all.push((key, why));
        }
    }
    all
}

/// File, line and words of an error: `search.c:12:5: error: ..` or, of rustc, `error: ..` and `--> src/search.rs:12:5`.
fn complaint(line: &str, before: Option<&str>) -> Option<(String, usize, String)> {
    let line = line.trim();
    let (place, why) = match line.strip_prefix("--> ") {
        Some(place) => {
            (place, before.filter(|before| before.trim_start().starts_with("error"))?.trim().to_owned())
        }
        None => {
            let (place, why) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
            (place, why.trim().to_owned())
        }
    };
    let mut parts = place.split(':');
    let file = parts.next()?.to_owned();
    let number = parts.next()?.parse().ok()?;
    Some((file, number, why))
}

/// Removes what other cuts of the same subject left among the builds, but for these folders, and nothing that is named otherwise.
pub(super) fn sweep(builds: &Path, name: &str, kept: [&Path; 2]) {
    let is_key = |text: &str| text.len() == 16 && text.bytes().all(|letter| letter.is_ascii_hexdigit());
    for entry in std::fs::read_dir(builds).into_iter().flatten().flatten() {
        let folder = entry.file_name().to_string_lossy().into_owned();
        let rest = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
        let key = rest.map(|rest| rest.strip_prefix("unpatched-").unwrap_or(rest));
        let path = entry.path();
        if key.is_some_and(is_key) && !kept.iter().any(|kept| kept.starts_with(&path)) {
            // What cannot be removed does no harm but to the disk.
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}
