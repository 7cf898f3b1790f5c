//! The untouched and the patched copy of a source, built side by side.
//!
//! Where the patched copy does not build as a whole, the sites that the compiler complains about lose their switches, and where it
//! names none of them, halves of the sites are tried. What was left out comes back with the reason.
//!
//! Sources are older than compilers: one that took `<string>` from another header no longer builds when that header stops to include it.
//! GCC names the header, so it is given to every file. Left out: everything that only its author can fix.

use super::recipe::makefile;
use crate::error::Error;
use crate::program::tree::Tree;
use crate::program::{Source, Surveyed};
use regex_lite::Regex;
use secateur_base::words::shell_path;
use secateur_record::error::listed;
use secateur_switches::{Assignment, Rewritten, rewrite};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
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
    announce: &mut dyn FnMut(&str),
) -> Result<Built, Error> {
    announce("building the untouched copy and the patched one");
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
        announce(&format!("the source forgets headers that it uses; building with them: {}", source.build));
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
            announce(&format!(
                "does not build with the switch at {}: {why}; building without it",
                place(looked, key)
            ));
            without.push((place(looked, key), why.clone()));
        }
        let others: Vec<String> =
            group.into_iter().filter(|key| blamed.iter().all(|(bad, _)| bad != key)).collect();
        match others.as_slice() {
            [] => {}
            others if !blamed.is_empty() => open.push(others.to_vec()),
            [key] => without.push((place(looked, key), "it does not build with this switch".to_owned())),
            others => {
                announce(&format!(
                    "does not build with all switches: building with {} of them",
                    others.len() / 2
                ));
                let (first, second) = others.split_at(others.len() / 2);
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
        let behind_name = folder.strip_prefix(name).and_then(|behind_name| behind_name.strip_prefix('-'));
        let key =
            behind_name.map(|behind_name| behind_name.strip_prefix("unpatched-").unwrap_or(behind_name));
        let path = entry.path();
        if key.is_some_and(is_key) && !kept.iter().any(|kept| kept.starts_with(&path)) {
            // What cannot be removed does no harm but to the disk.
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// Where cargo puts what it builds for use.
const OF_CARGO: &str = "target/release";
/// What the first bytes of a program may be: of Linux, of macOS, of Windows.
const PROGRAMS: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
/// What the name of a file ends with that begins as programs do and is none.
const PARTS: [&str; 7] = ["o", "so", "a", "dylib", "dll", "obj", "rlib"];

/// The programs in a tree that was built, from its folder, the likeliest first: those that are named as the source, then the
/// larger ones. Of one with the name `wanted` it is that alone. What the source itself holds is none.
///
/// # Errors
/// A build that left no program.
pub(super) fn binaries(
    source: &Tree,
    built: &Path,
    wanted: Option<&str>,
    build: &str,
) -> Result<Vec<PathBuf>, Error> {
    let tree = Tree::read(built)?;
    let of_cargo = built.join(OF_CARGO);
    let in_release = fs::read_dir(&of_cargo).into_iter().flatten().flatten();
    let in_release = in_release.map(|entry| Path::new(OF_CARGO).join(entry.file_name()));
    let is_new = |file: &PathBuf| {
        source.files.binary_search(file).is_err()
            || fs::read(source.root.join(file)).ok() != fs::read(built.join(file)).ok()
    };
    let mut programs: Vec<PathBuf> = tree
        .files
        .into_iter()
        .chain(in_release)
        .filter(|file| is_program(&built.join(file)) && is_new(file))
        .collect();
    let folder = source.root.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name_of = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(named) = programs.iter().find(|file| wanted == Some(&*name_of(file))) {
        return Ok(vec![named.clone()]);
    }
    let rank = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_alike = !stem.is_empty() && (folder.starts_with(&stem) || stem.starts_with(&folder));
        let size = fs::metadata(built.join(file)).map_or(0, |data| data.len());
        (stem == folder, is_alike, size)
    };
    programs.sort_by_cached_key(|file| std::cmp::Reverse(rank(file)));
    if programs.is_empty() {
        return Err(Error::Usage(format!(
            "`{build}` ended well and left no program in {}: expected one; name a command that builds it: --build",
            built.display()
        )));
    }
    Ok(programs)
}

fn is_program(path: &Path) -> bool {
    let is_part = path.extension().is_some_and(|end| PARTS.iter().any(|part| end == *part));
    let Ok(data) = path.symlink_metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    let mut first = [0; 4];
    let begins = || {
        fs::File::open(path).is_ok_and(|mut file| {
            file.read_exact(&mut first).is_ok() && PROGRAMS.iter().any(|magic| first.starts_with(magic))
        })
    };
    data.is_file() && runs && !is_part && { begins }()
}

/// What a compiler says of a header that a file uses and does not include.
const FORGOTTEN: [&str; 2] =
    [r"is defined in header [^<]*<([\w./+-]+)>", r"include [^<]*<([\w./+-]+)>[^ ]* or provide a declaration"];

/// What a line of a failed build says, with a name in it, and what to do about it. The first that fits speaks for its line.
#[derive(Deserialize)]
struct Way {
    line: String,
    advice: String,
}

/// The ways out of a failed build, each once, in the order in which its log names what is lacking.
pub(super) fn ways_out(log: &str) -> Vec<String> {
    let ways: Vec<Way> = listed(include_str!("../../data/cutting/ways.toml"), "way");
    let ways: Vec<(Regex, &str)> = ways.iter().map(|way| (regex(&way.line), &*way.advice)).collect();
    let mut all = Vec::new();
    for line in log.lines() {
        let way = ways.iter().find_map(|(pattern, way)| {
            let captures = pattern.captures(line)?;
            let name = (1..captures.len()).find_map(|group| captures.get(group))?;
            Some(way.replace("{}", name.as_str().trim()))
        });
        all.extend(way.filter(|way| !all.contains(way)));
    }
    all
}

/// The headers that a compiler misses although they are there.
pub(super) fn forgotten_headers(log: &str) -> BTreeSet<String> {
    let named_by = |pattern: &str| -> Vec<String> {
        regex(pattern).captures_iter(log).map(|captures| captures[1].to_owned()).collect()
    };
    FORGOTTEN.iter().flat_map(|pattern| named_by(pattern)).collect()
}

/// A command that builds with these headers in every file; `None` of one that takes no such word.
pub(super) fn with_headers(build: &str, headers: &BTreeSet<String>) -> Option<String> {
    // The names of C end in `.h`; those of C++ do not.
    let flags = |is_c: bool| -> String {
        let some = headers.iter().filter(|header| header.ends_with(".h") == is_c);
        some.map(|header| format!(" -include {header}")).collect()
    };
    let sides = [("CC", "gcc", "CFLAGS", flags(true)), ("CXX", "g++", "CXXFLAGS", flags(false))];
    let sides = sides.into_iter().filter(|(.., flags)| !flags.is_empty());
    match build.split_whitespace().next()? {
        "make" => Some(sides.fold(build.to_owned(), |build, (variable, usual, _, flags)| {
            let build = build.replace(&format!(" {variable}={usual}"), "");
            format!("{build} {variable}='{usual}{flags}'")
        })),
        "cmake" | "meson" => Some(sides.fold(build.to_owned(), |build, (_, _, variable, flags)| {
            format!("{variable}='{}' {build}", flags.trim_start())
        })),
        _ => None,
    }
}

/// What to do about headers that a source forgot and that its makefile does not give to the compiler by a variable.
pub(super) fn write_headers(makefile: &Path, headers: &BTreeSet<String>) -> Option<String> {
    let flags: String = headers.iter().map(|header| format!(" -include {header}")).collect();
    let names: Vec<&str> = headers.iter().map(String::as_str).collect();
    let file = shell_path(makefile);
    let folder = makefile.parent().filter(|folder| !folder.as_os_str().is_empty());
    let make = folder.map_or_else(|| "make".to_owned(), |folder| format!("make -C {}", shell_path(folder)));
    (!names.is_empty()).then(|| {
        format!(
            "it forgets {}, and {file} names its compiler itself: write them there, in the copy that is built, by --build \"sed -i -E \
             's#(g\\+\\+|gcc)#&{flags}#' {file} && {make}\"",
            names.join(", ")
        )
    })
}

pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this package")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_lacks_is_named_with_the_way_out() {
        for (line, name) in [
            ("/tmp/ccV.s:9: Error: file not found: src/ida.nnue", "network src/ida.nnue"),
            (
                "error: couldn't read `src/../net.bin`: No such file or directory (os error 2)",
                "network src/../net.bin",
            ),
            ("numa.h:7:10: fatal error: numa.h: No such file or directory", "needs numa.h"),
            ("a.cpp:1:10: fatal error: 'tbprobe.h' file not found", "needs tbprobe.h"),
            (
                "make: *** No rule to make target 'Fathom/src/tbprobe.c', needed by 'x'.  Stop.",
                "needs Fathom/src/tbprobe.c",
            ),
            ("make: *** No rule to make target 'nn-1.nnue', needed by 'x'.  Stop.", "network nn-1.nnue"),
            ("curl: (6) Could not resolve host: github.com", "downloads from github.com"),
            (
                "  failed to resolve address for github.com: Name or service not known",
                "downloads from github.com",
            ),
            (
                "wget: unable to resolve host address ‘data.stockfishchess.org’",
                "downloads from data.stockfishchess.org",
            ),
            ("/usr/bin/ld: cannot find -lnuma: No such file or directory", "library numa"),
            ("clang: error: invalid linker name in argument '-fuse-ld=lld'", "links with lld"),
            ("/bin/sh: 1: clang++: not found", "runs clang++"),
            ("make: clang++: No such file or directory", "runs clang++"),
            ("error: toolchain 'nightly-x86_64-unknown-linux-gnu' is not installed", "(nightly-x86_64"),
            (
                "error[E0554]: `#![feature]` may not be used on the stable release channel",
                "(release channel)",
            ),
            ("error: failed to get `arrayvec` as a dependency of package `x`", "crate arrayvec"),
            ("x.h:1:2: error: #error \"no AVX2\"", "says: \"no AVX2\""),
        ] {
            let ways = ways_out(&format!("g++ -c a.cpp\n{line}\n{line}\n"));
            assert!(ways.len() == 1 && ways[0].contains(name), "{line}: {ways:?}");
        }
        assert_eq!(ways_out("a.cpp:3:1: error: expected ';' after struct\n"), Vec::<String>::new());
    }

    #[test]
    fn a_header_that_a_source_forgot_is_given_to_every_file() {
        let log = "a.h:5:1: note: ‘std::string’ is defined in header ‘<string>’; did you forget to ‘#include <string>’?\n\
                   b.h:5:1: note: 'uint64_t' is defined in header '<cstdint>'; this is probably fixable by adding '#include <cstdint>'\n\
                   c.c:1:1: note: include ‘<string.h>’ or provide a declaration of ‘strcmp’\n";
        let headers = forgotten_headers(log);
        assert_eq!(headers.iter().map(String::as_str).collect::<Vec<_>>(), ["cstdint", "string", "string.h"]);
        let with = |build| with_headers(build, &headers);
        assert_eq!(
            with("make -C src CXX=g++ all").as_deref(),
            Some("make -C src all CC='gcc -include string.h' CXX='g++ -include cstdint -include string'")
        );
        assert_eq!(
            with("cmake -S . -B build && cmake --build build").as_deref(),
            Some(
                "CXXFLAGS='-include cstdint -include string' CFLAGS='-include string.h' cmake -S . -B build && cmake --build build"
            )
        );
        assert_eq!(with("cargo build --release"), None);
        let way = write_headers(Path::new("src/makefile"), &BTreeSet::from(["cstdint".to_owned()])).unwrap();
        assert!(
            way.ends_with(
                r#"--build "sed -i -E 's#(g\+\+|gcc)#& -include cstdint#' src/makefile && make -C src""#
            ),
            "{way}"
        );
        assert_eq!(write_headers(Path::new("makefile"), &BTreeSet::new()), None);
    }
}
