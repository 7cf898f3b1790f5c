//! What a patched program does: built with the compiler of this machine, where it has one.

use std::path::Path;
use std::process::Command;

use secateur_switches::{Assignment, COUNTS, OFF, OFF_SITES, Rewritten, SourceFile, entries, rewrite};

use super::{file, frozen_file, survey_of};

/// The patched files in a folder.
fn written(files: &[SourceFile], rewritten: &Rewritten) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in files.iter().chain(&rewritten.files) {
        let path = folder.path().join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, &file.text).expect("a file");
    }
    folder
}

fn output(program: &Path, variables: &[(&str, &str)]) -> String {
    let run = Command::new(program).envs(variables.iter().copied()).output().expect("it runs");
    assert!(run.status.success(), "{run:?}");
    String::from_utf8(run.stdout).expect("text")
}

/// Holds a patched program to the untouched one, and its switches to what they say.
fn check(plain: &Path, patched: &Path, rewritten: &Rewritten, counts: &Path) {
    let untouched = output(plain, &[]);
    assert_eq!(output(patched, &[]), untouched, "nothing off");
    assert_eq!(output(patched, &[(OFF, "no-such-method")]), untouched, "a name that is none");
    let mut seen = std::collections::BTreeSet::from([untouched]);
    for method in &rewritten.methods {
        let by_name = output(patched, &[(OFF, &method.name)]);
        assert_eq!(
            by_name,
            output(patched, &[(OFF, &method.bit.to_string())]),
            "{}: by name and by bit",
            method.name
        );
        assert!(seen.insert(by_name), "{} changes nothing", method.name);
        let numbers: Vec<String> = rewritten
            .switches
            .iter()
            .filter(|switch| method.sites.contains(&switch.site))
            .map(|switch| switch.number.to_string())
            .collect();
        assert!(
            !seen.insert(output(patched, &[(OFF_SITES, &numbers.join(","))])),
            "{}: by its sites",
            method.name
        );
    }
    let all: Vec<&str> = rewritten.methods.iter().map(|method| method.name.as_str()).collect();
    assert_eq!(
        output(patched, &[(OFF, &all.join(","))]),
        output(
            patched,
            &[(OFF, &rewritten.methods.iter().map(|method| method.bit).sum::<u64>().to_string())]
        )
    );
    let path = counts.to_str().expect("a path");
    assert_eq!(output(patched, &[(COUNTS, path)]), output(plain, &[]), "counting changes nothing");
    let counted = entries(&std::fs::read_to_string(counts).expect("counts")).expect("counts");
    assert_eq!(counted.len(), rewritten.switches.len());
    assert!(counted.iter().all(|site| site.asked >= site.hit && site.hit > 0), "{counted:?}");
}

#[test]
#[expect(clippy::print_stderr, reason = "the test says what it skips")]
fn switches_of_a_program_in_c() {
    for (compiler, name) in [("cc", "toy.c"), ("c++", "toy.cpp")] {
        let files = [SourceFile { path: name.to_owned(), ..file(name, frozen_file("toy.c").text) }];
        let survey = survey_of(&files);
        let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
        assert_eq!(
            rewritten.methods.iter().map(|method| method.name.as_str()).collect::<Vec<_>>(),
            ["reverse-futility", "null-move", "move-count", "lmr"]
        );
        let folder = written(&files, &rewritten);
        let untouched = written(&files, &Rewritten::default());
        for folder in [&folder, &untouched] {
            let Ok(built) = Command::new(compiler)
                .args(["-O1", "-Wall", "-Werror", name, "-o", "toy"])
                .current_dir(folder)
                .status()
            else {
                eprintln!("skipped: no {compiler}");
                return;
            };
            assert!(built.success(), "{compiler}");
        }
        check(
            &untouched.path().join("toy"),
            &folder.path().join("toy"),
            &rewritten,
            &folder.path().join("counts"),
        );
    }
}

#[test]
fn switches_of_a_program_in_rust() {
    let manifest = file("Cargo.toml", "[package]\nname = \"toy\"\nedition = \"2024\"\n");
    let files = [manifest, SourceFile { path: "src/main.rs".to_owned(), ..frozen_file("toy.rs") }];
    let survey = survey_of(&files);
    let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
    assert_eq!(
        rewritten.methods.iter().map(|method| method.name.as_str()).collect::<Vec<_>>(),
        ["reverse-futility", "null-move", "move-count", "lmr"]
    );
    let folder = written(&files, &rewritten);
    let untouched = written(&files, &Rewritten::default());
    for folder in [&folder, &untouched] {
        let built = Command::new(std::env::var("RUSTC").unwrap_or("rustc".to_owned()))
            .args(["--edition", "2024", "-Dwarnings", "-Dunused_results", "-Dmissing_debug_implementations"])
            .args(["-Dtrivial_numeric_casts", "src/main.rs", "-o", "toy"])
            .current_dir(folder)
            .status();
        assert!(built.expect("a compiler of Rust").success());
    }
    check(
        &untouched.path().join("toy"),
        &folder.path().join("toy"),
        &rewritten,
        &folder.path().join("counts"),
    );
}
