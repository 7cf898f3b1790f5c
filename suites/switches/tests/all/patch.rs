//! Patches, keys and assignments.

use std::process::Command;

use secateur_switches::{Assignment, AssignmentError, Language, SourceFile, removal, rewrite};

use super::{file, frozen_file, survey_of};

/// A source of all languages whose Rust has a root.
fn mixed() -> Vec<SourceFile> {
    let mut rust = frozen_file("values.rs");
    rust.path = "crates/a/src/values.rs".to_owned();
    let mut c = frozen_file("chess.c");
    c.path = "src/chess.c".to_owned();
    vec![
        file("crates/a/Cargo.toml", "[package]\nname = \"a\"\nedition = \"2021\"\n"),
        file("crates/a/src/main.rs", "mod values;\nfn main() {}"),
        rust,
        c,
    ]
}

/// Writes files, applies a patch with git, and returns what the files are then. `None` without git.
fn applied(files: &[SourceFile], patch: &[u8], expected: &[SourceFile]) -> Option<()> {
    let folder = tempfile::tempdir().expect("a folder");
    for file in files {
        let path = folder.path().join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, &file.text).expect("a file");
    }
    std::fs::write(folder.path().join("x.patch"), patch).expect("the patch");
    let status = Command::new("git")
        .args(["-c", "core.autocrlf=false", "apply", "x.patch"])
        .current_dir(&folder)
        .env("GIT_CEILING_DIRECTORIES", folder.path())
        .status()
        .ok()?;
    assert!(status.success(), "git apply");
    for file in expected {
        assert_eq!(
            std::fs::read(folder.path().join(&file.path)).expect("a file"),
            file.text,
            "{}",
            file.path
        );
    }
    Some(())
}

#[test]
#[expect(clippy::print_stderr, reason = "the test says what it skips")]
fn git_applies_the_patch() {
    let mut files = mixed();
    // Ends of lines of another system, no end of the last line, and letters that are no UTF-8.
    let text = String::from_utf8(files[3].text.clone()).expect("text").replace('\n', "\r\n");
    files[3].text = [b"// caf\xe9\r\n", text.trim_end().as_bytes()].concat();
    files[3].path = "src/with space.c".to_owned();
    let survey = survey_of(&files);
    let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
    let names: Vec<&str> = rewritten.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        names,
        [
            "crates/a/src/main.rs",
            "crates/a/src/values.rs",
            "src/with space.c",
            "secateur_switches.h",
            "crates/a/src/secateur.rs"
        ]
    );
    if applied(&files, &rewritten.patch, &rewritten.files).is_none() {
        eprintln!("skipped: no git");
    }
    let methods: Vec<usize> =
        survey.sites.iter().filter(|site| site.method() == Some("null-move")).map(|site| site.id).collect();
    let removed = removal(&files, &survey, &methods);
    assert_eq!(
        removed.files.len(),
        2,
        "a null move in C and one in Rust, and nothing that reads an environment"
    );
    assert!(
        applied(&files, &removed.patch, &removed.files).is_some()
            || Command::new("git").arg("--version").status().is_err()
    );
}

#[test]
fn conditions_are_wrapped_and_nothing_else() {
    let files = mixed();
    let survey = survey_of(&files);
    let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
    let text = |path: &str| {
        String::from_utf8(rewritten.files.iter().find(|file| file.path == path).expect("a file").text.clone())
            .expect("text")
    };
    let c = text("src/chess.c");
    assert!(c.contains("if (SECATEUR_ON(null_move_2) && !pvNode && !inCheck && eval >= beta && depth >= 3 && SECATEUR_HIT(null_move_2)) {"), "{c}");
    assert!(c.contains("#include \"board.h\"\n#include \"../secateur_switches.h\"\n"));
    assert!(
        c.contains(
            "reduction -= (SECATEUR_ON(lmr_part_2) && SECATEUR_HIT(lmr_part_2) ? (history / 8000) : 0);"
        ),
        "{c}"
    );
    let rust = text("crates/a/src/values.rs");
    assert!(rust.contains("if crate::secateur::IIR_1.on() && tt_move.is_none() && depth > 4 && crate::secateur::IIR_1.hit() {"), "{rust}");
    assert!(text("crates/a/src/main.rs").ends_with("fn main() {}\nmod secateur;\n"));
}

#[test]
fn a_user_moves_sites_and_the_patch_follows() {
    let files = mixed();
    let survey = survey_of(&files);
    let mut edited =
        Assignment::from_toml(&Assignment::proposed(&survey).to_toml(&survey)).expect("what is written");
    for site in &mut edited.sites {
        site.method = match site.method.as_str() {
            "futility" | "history" => "quiet-pruning".to_owned(),
            "null-move" => "none".to_owned(),
            other => other.to_owned(),
        };
    }
    let rewritten = rewrite(&files, &survey, &edited);
    let names: Vec<&str> = rewritten.methods.iter().map(|method| method.name.as_str()).collect();
    assert!(
        names.contains(&"quiet-pruning") && !names.contains(&"futility") && !names.contains(&"null-move"),
        "{names:?}"
    );
    let bits: Vec<u64> = rewritten.methods.iter().map(|method| method.bit).collect();
    assert_eq!(bits, (0..bits.len()).map(|bit| 1 << bit).collect::<Vec<u64>>());
    // A line in front changes no key; a changed condition makes a new site of the same place.
    let mut changed = files.clone();
    let text = String::from_utf8(changed[3].text.clone())
        .expect("text")
        .replace("depth < 7 && eval - 80", "depth < 9 && eval - 80");
    changed[3].text = format!("/* moved */\n{text}").into_bytes();
    let (brought, gone) = edited.brought_up_to(&survey_of(&changed));
    assert_eq!(gone.len(), 1, "{gone:?}");
    assert_eq!(
        brought.sites.iter().filter(|site| site.method == "quiet-pruning").count(),
        edited.sites.iter().filter(|site| site.method == "quiet-pruning").count()
    );
}

#[test]
fn a_wrong_file_of_sites_is_told() {
    let twice = "[[site]]\nkey = \"a\"\nmethod = \"\"\n[[site]]\nkey = \"a\"\nmethod = \"\"\n";
    assert!(matches!(Assignment::from_toml(twice), Err(AssignmentError::Twice(key)) if key == "a"));
    assert!(matches!(
        Assignment::from_toml("[[site]]\nkey = \"a\"\nmethod = \"Null Move\"\n"),
        Err(AssignmentError::Name { .. })
    ));
    assert!(matches!(Assignment::from_toml("[[site]]\nmethod = \"x\"\n"), Err(AssignmentError::Form(_))));
}

#[test]
fn more_methods_than_a_mask_has_bits_are_told() {
    let tests: String = (0..70)
        .map(|number| format!("if (depth < {number} && eval - {number} >= beta) return eval;\n"))
        .collect();
    let text = format!(
        "int search(int depth, int alpha, int beta) {{ int eval = evaluate();\n{tests} while (next()) v = -search(depth - 1, -beta, -alpha); return v; }}"
    );
    let files = [SourceFile { path: "s.c".to_owned(), text: text.into_bytes(), language: Language::C }];
    let survey = survey_of(&files);
    let mut assignment = Assignment::proposed(&survey);
    assert_eq!(assignment.sites.len(), 70);
    for (number, site) in assignment.sites.iter_mut().enumerate() {
        site.method = format!("method-{number}");
    }
    let rewritten = rewrite(&files, &survey, &assignment);
    assert_eq!((rewritten.methods.len(), rewritten.without.len(), rewritten.switches.len()), (64, 6, 64));
}

#[test]
fn an_option_that_has_an_else_is_emptied_where_a_condition_cannot_be_wrapped() {
    let mut bounds = frozen_file("bounds.rs");
    bounds.path = "src/bounds.rs".to_owned();
    let manifest =
        |edition: &str| file("Cargo.toml", format!("[package]\nname = \"a\"\nedition = \"{edition}\"\n"));
    let root = file("src/main.rs", "mod bounds;\nfn main() {}");
    let lines = |edition: &str| {
        let files = vec![manifest(edition), root.clone(), bounds.clone()];
        let survey = survey_of(&files);
        let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
        assert!(rewritten.without.is_empty(), "{:?}", rewritten.without);
        let patched = rewritten.files.into_iter().find(|file| file.path == bounds.path).expect("the file");
        String::from_utf8(patched.text).expect("text")
    };
    let emptied = "(self.reduction(depth, &next, count)).filter(|_| crate::secateur::LMR_1.on() && crate::secateur::LMR_1.hit()) {";
    assert!(lines("2021").contains(emptied), "{}", lines("2021"));
    let wrapped = "if crate::secateur::LMR_1.on() && let Some(reduction) = self.reduction(depth, &next, count) && crate::secateur::LMR_1.hit() {";
    assert!(lines("2024").contains(wrapped), "{}", lines("2024"));
}

#[test]
fn a_reason_of_a_condition_and_what_keeps_a_move_have_their_own_switches() {
    let files = [frozen_file("picks.cpp")];
    let survey = survey_of(&files);
    let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
    assert!(rewritten.without.is_empty(), "{:?}", rewritten.without);
    let text = String::from_utf8(rewritten.files[0].text.clone()).expect("text");
    for line in [
        "if (SECATEUR_ON(futility_1) && hopeless && SECATEUR_HIT(futility_1) || (SECATEUR_ON(history_1) && depth <= 1 && order < 0 && SECATEUR_HIT(history_1)))",
        "if (!move.isCapture() && (SECATEUR_ON(move_count_1) && count > 3 + depth * depth && SECATEUR_HIT(move_count_1) || SECATEUR_ON(futility_2) && eval + 90 * depth <= alpha && SECATEUR_HIT(futility_2)))",
        // Off, every capture is kept.
        "if (at != list.end() && (!(SECATEUR_ON(qs_see_1) && SECATEUR_HIT(qs_see_1)) || (at->score >= 0))) {",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(text.matches("at->score >= 0").count(), 2, "the picker of all searches has no switch");
}

#[test]
fn a_mark_of_the_encoding_stays_in_front_of_what_is_put_in() {
    let text = "int search(int depth, int alpha, int beta) { int eval = evaluate(); if (depth < 3 && eval - 90 >= beta) return eval;\n\
                while (next()) v = -search(depth - 1, -beta, -alpha); return v; }";
    let files = [file("s.c", format!("\u{feff}{text}"))];
    let survey = survey_of(&files);
    let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
    let patched = String::from_utf8(rewritten.files[0].text.clone()).expect("text");
    assert!(patched.starts_with("\u{feff}#include \"secateur_switches.h\"\n"), "{patched}");
}
