//! Whatever the bytes are, a survey returns, and nothing is written but to the files that were given and the runtime next to them.

use std::collections::BTreeSet;

use secateur_switches::{Assignment, Language, Rules, SourceFile, rewrite, survey};

use super::{file, frozen_file};

/// Numbers that look random and are always the same (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// One mutation of a text: a piece cut out, doubled, moved, made noise, or the rest of it cut off.
fn mutate(text: &mut Vec<u8>, numbers: &mut Numbers) {
    let from = numbers.below(text.len());
    let to = (from + numbers.below(400)).min(text.len());
    let piece = text[from..to].to_vec();
    let at = numbers.below(text.len() - piece.len().min(text.len()));
    match numbers.below(7) {
        0 => text.truncate(from),
        1 => drop(text.drain(from..to)),
        2 => drop(text.splice(at..at, piece)),
        3 => text[from..to].iter_mut().for_each(|byte| *byte = byte.rotate_left(3)),
        4 => drop(text.splice(from..from, b"((((if (x) {{{{".iter().copied())),
        5 => drop(text.splice(from..from, b"\n#if A\n#else\n".iter().copied())),
        _ => drop(text.splice(from..from, [0, 0xff, b'"', b'\'', b'/', b'*'])),
    }
}

fn all_steps(files: &[SourceFile]) {
    let survey = survey(files, &Rules::standard());
    let assignment = Assignment::proposed(&survey);
    let read_back = Assignment::from_toml(&assignment.to_toml(&survey)).expect("what is written is read");
    assert_eq!(read_back, assignment);
    let rewritten = rewrite(files, &survey, &assignment);
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for file in &rewritten.files {
        assert!(
            paths.contains(file.path.as_str())
                || matches!(file.path.as_str(), "secateur_switches.h" | "src/secateur.rs"),
            "{}",
            file.path
        );
    }
    // Every byte of the source is still there, in its order.
    for new in &rewritten.files {
        let Some(old) = files.iter().find(|old| old.path == new.path) else { continue };
        let mut bytes = new.text.iter();
        assert!(old.text.iter().all(|byte| bytes.any(|other| other == byte)), "{}", new.path);
    }
}

#[test]
fn two_hundred_mutated_trees() {
    let sources = [
        frozen_file("chess.c"),
        frozen_file("family.cpp"),
        frozen_file("values.rs"),
        frozen_file("odd.c"),
        frozen_file("odd.rs"),
    ];
    for seed in 1..=200_u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut files = vec![
            file("Cargo.toml", "[package]\nname = \"x\"\nedition = \"2021\"\n"),
            file("src/main.rs", "mod values;\n"),
        ];
        let mut source = sources[numbers.below(sources.len())].clone();
        source.path = format!("src/{}", source.path);
        for _ in 0..=numbers.below(6) {
            mutate(&mut source.text, &mut numbers);
        }
        files.push(source);
        all_steps(&files);
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = |open: &str, close: &str, depth: usize| {
        let body = format!("{}x = 1;{}", open.repeat(depth), close.repeat(depth));
        format!(
            "int search(int depth, int alpha, int beta) {{ while (m) {{ {body} v = -search(depth - 1, -beta, -alpha); }} return v; }}"
        )
    };
    let chain = format!(
        "int search(int depth, int alpha, int beta) {{ if ({} depth) return 1; return -search(depth - 1, -beta, -alpha); }}",
        "a && ".repeat(20_000)
    );
    for text in [
        deep("{", "}", 20_000),
        deep("if (a) {", "}", 2_000),
        deep("x = (", ");", 20_000),
        deep("if (a) b; else ", "", 2_000),
        chain,
    ] {
        all_steps(&[file("search.c", text)]);
    }
}

#[test]
fn a_file_that_is_too_long_is_left_out_with_a_warning() {
    let rules = Rules::standard();
    let long = SourceFile {
        path: "net.c".to_owned(),
        text: vec![b' '; rules.longest_file + 1],
        language: Language::C,
    };
    let survey = survey(&[long, frozen_file("chess.c")], &rules);
    assert!(
        survey.warnings.iter().any(|warning| warning.starts_with("net.c: left out")),
        "{:?}",
        survey.warnings
    );
    assert!(!survey.sites.is_empty());
}

#[test]
fn files_without_a_search_say_so() {
    let survey = survey(
        &[file("a.c", "int main(void) { return 0; }"), file("b.rs", ""), file("c.cpp", "\u{0}")],
        &Rules::standard(),
    );
    assert!(survey.sites.is_empty());
    assert!(
        survey.warnings.iter().any(|warning| warning.contains("no function was found")),
        "{:?}",
        survey.warnings
    );
}
