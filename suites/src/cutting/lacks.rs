//! What a build that failed lacks, read from what its compilers said: the way out in words, and headers that a source forgot.
//!
//! Sources are older than compilers: one that took `<string>` from another header no longer builds when that header stops to include it.
//! GCC names the header, so it is given to every file. Left out: everything that only its author can mend.

use regex_lite::Regex;
use secateur_base::words::shell_path;
use std::collections::BTreeSet;
use std::path::Path;

/// What a compiler says of a header that a file uses and does not include.
const FORGOTTEN: [&str; 2] =
    [r"is defined in header [^<]*<([\w./+-]+)>", r"include [^<]*<([\w./+-]+)>[^ ]* or provide a declaration"];

/// What a line of a failed build says, with a name in it, and what to do about it. The first that fits speaks for its line.
const WAYS: [(&str, &str); 10] = [
    (
        r"(?:\b|[^\w./])([\w./+-]+\.(?:nnue|net|nn|weights)(?:\.\w+)?)\b.*(?:not found|[Nn]o such file)",
        "it needs the network {}, which is not in the source: put the file there (authors publish networks next to their releases), or \
         take a commit that needs none",
    ),
    (
        r"(?:not found: |No rule to make target .?|couldn't read `?)([\w./+-]+\.(?:nnue|net|nn|weights|bin)(?:\.\w+)?)\b",
        "it needs the network {}, which is not in the source: put the file there (authors publish networks next to their releases), or \
         take a commit that needs none",
    ),
    (
        r"(?i)could not resolve host(?:name)?:? '?([\w.-]+)|unable to resolve host address .([\w.-]+)|failed to (?:connect to|resolve address for) ([\w.-]+)",
        "it downloads from {} while it is built: put what it downloads into the source where it expects it, or name a target without by \
         --build",
    ),
    (
        r"fatal error: ['‘]?([\w./+-]+)['’]?: No such file|fatal error: '([\w./+-]+)' file not found|No rule to make target .([\w./+-]+)",
        "it needs {}, which is not here: a file of a submodule comes by `git submodule update --init --recursive`, one of a library with \
         the package of the library for development",
    ),
    (r"cannot find -l([\w+.-]+)", "it links the library {}: install its package for development"),
    (
        r"invalid linker name in argument .?-fuse-ld=(\w+)|cannot find '(ld[\w.]*)'",
        "it links with {}: install that, or leave the option out by --build",
    ),
    (
        r"sh: (?:line )?(?:\d+: )?([\w+.-]+): (?:command )?not found|make(?:\[\d+\])?: ([\w+.-]+): No such file",
        "it runs {}, which is not here: install it, or name another by --build, such as 'make CXX=g++'",
    ),
    (
        r"toolchain '([^']+)' is not installed|requires (rustc [\w.-]+)|E0554.*(release channel)",
        "it wants another Rust than this one ({}): install that toolchain, which `rustup` does by the file rust-toolchain of the source",
    ),
    (
        r"failed to (?:get|select a version for|load source for dependency) [`']([\w-]+)|no matching package named [`']([\w-]+)",
        "it needs the crate {}, which cargo could not get: run `cargo fetch` in the source where there is a network",
    ),
    (r"#error (.+)", "its source says: {}"),
];

/// The ways out of a failed build, each once, in the order in which its log names what is lacking.
pub(super) fn ways_out(log: &str) -> Vec<String> {
    let ways: Vec<(Regex, &str)> = WAYS.iter().map(|(pattern, way)| (regex(pattern), *way)).collect();
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

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this file")
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
