//! EPD is read as it is written in the world, and what is wrong is said with its place.

use super::*;
use crate::load::{Kind, parse};
use crate::set::{Provenance, Set};
use proptest::prelude::*;
use secateur_games::chess::Chess;
use std::path::Path;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn load(text: &str) -> Result<Set> {
    parse(&Chess::default(), Kind::Epd, "set", Path::new("set.epd"), text, Provenance::default())
}

#[test]
fn operations_are_kept_as_they_stand() {
    let text = format!(
        "# a comment\n\n{START} bm e4 Nf3!; am a2a3; id \"a; b\"; acd 12;x_9;c0 \"one\" \"two\";cluster \"g7\";\n"
    );
    let set = load(&text).unwrap();
    let entry = &set.entries[0];
    assert_eq!((entry.id.as_str(), entry.cluster.as_str(), entry.line), ("a; b", "g7", 3));
    assert_eq!(entry.best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
    assert_eq!(entry.avoid_moves().collect::<Vec<_>>(), ["a2a3"]);
    let kept: Vec<String> =
        entry.operations.iter().map(|op| format!("{}|{}", op.code, op.operands)).collect();
    assert_eq!(
        kept,
        ["bm|e4 Nf3!", "am|a2a3", "id|\"a; b\"", "acd|12", "x_9|", "c0|\"one\" \"two\"", "cluster|\"g7\""]
    );
    assert_eq!(load(&write(entry)).unwrap().entries[0].operations, entry.operations);
}

/// The shapes of published suites that keep to the letter of the format less than to its meaning.
#[test]
fn suites_are_read_as_they_are_in_the_world() {
    let codes = |rest: &str| -> Vec<String> {
        let set = load(&format!("{START}{rest}\n")).unwrap_or_else(|error| panic!("{rest}: {error}"));
        set.entries[0].operations.iter().map(|op| format!("{}|{}", op.code, op.operands)).collect()
    };
    for (rest, expected) in [
        (" ; bm e4; id \"LCT\";", &["bm|e4", "id|\"LCT\""][..]),
        (" ;; bm e4;;id \"x\";;", &["bm|e4", "id|\"x\""]),
        (" 0 1;", &[]),
        (" bm e4; id \"no end\"", &["bm|e4", "id|\"no end\""]),
        (" bm e4", &["bm|e4"]),
        (" bm e4 id \"zug.1\"", &["bm|e4", "id|\"zug.1\""]),
        (" bm c4 c3 c0 \"id est bm e4\" id zug", &["bm|c4 c3", "c0|\"id est bm e4\"", "id|zug"]),
        (" id \"a\" bm e4, Nf3 ; am a3", &["id|\"a\"", "bm|e4, Nf3", "am|a3"]),
        (" bm Nf3 +; am e4 !?", &["bm|Nf3 +", "am|e4 !?"]),
        (" acd 12 bm e4 dm 3", &["acd|12", "bm|e4", "dm|3"]),
        (" c0 no string, but am here is a word; bm e4;", &["c0|no string, but am here is a word", "bm|e4"]),
        (" c0 \"f4=10, Ne5=7\";\u{1a}\0", &["c0|\"f4=10, Ne5=7\""]),
    ] {
        assert_eq!(codes(rest), expected, "{rest}");
    }
    let set = load(&format!("{START} bm e4, Nf3;")).unwrap();
    assert_eq!(set.entries[0].best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
}

/// A quote within a string, and an annotation that touches a move, as PGN has them too.
#[test]
fn strings_and_moves_are_those_of_pgn() {
    let set = load(&format!("{START} bm e4$1 Nf3!?; id \"a \\\"b; c\\\" d\";\n")).unwrap();
    let entry = &set.entries[0];
    assert_eq!((entry.id.as_str(), entry.operations.len()), ("a \"b; c\" d", 2));
    assert_eq!(entry.best_moves().collect::<Vec<_>>(), ["e4", "Nf3"]);
    assert_eq!(load(&write(entry)).unwrap().hash, set.hash);
}

#[test]
fn fen_lines_are_positions_too() {
    let set =
        load(&format!("{START} 3 17\n{START} 4 18 bm e4;\n  {START}\r\n{START} hmvc 5; fmvn 9;\n")).unwrap();
    let counters: Vec<&str> =
        set.entries.iter().map(|entry| entry.position.strip_prefix(START).unwrap()).collect();
    assert_eq!(counters, [" 3 17", " 4 18", " 0 1", " 5 9"]);
    for entry in &set.entries {
        let back = load(&write(entry)).unwrap();
        assert_eq!(back.entries[0].position, entry.position);
    }
}

#[test]
fn counters_outrank_operations_and_are_written_so() {
    for line in
        [format!("{START} 3 17 fmvn 12;"), format!("{START} 0 1 hmvc 5;"), format!("{START} 3 17 hmvc 3;")]
    {
        let entry = load(&line).unwrap().entries.remove(0);
        let again = load(&write(&entry)).unwrap().entries.remove(0);
        assert_eq!(again.position, entry.position, "{line}");
        // What is written says the counters as operations; from then on nothing changes.
        assert_eq!(write(&again), write(&entry), "{line}");
    }
}

#[test]
fn faults_have_a_place() {
    let at = START.len();
    let cases = [
        ("rnbqkbnr w".to_owned(), 11, "found end of line, expected castling rights"),
        (format!("{START} id \"a\\\";"), at + 5, "found a string without end, expected a closing quote"),
        (format!("{START} id \"x;"), at + 5, "found a string without end, expected a closing quote"),
        (format!("{START} !;"), at + 2, "found \"!;\", expected an operation"),
        (format!("{START} 3"), at + 3, "found end of line, expected the move number"),
        (format!("{START} 3 x"), at + 4, "found \"x\", expected the move number"),
        (format!("{START} 3+3 0 1"), at + 2, "found \"3+3\", as Three-check counts checks"),
        (format!("{START} bm ;"), at + 5, "found no move, expected a move"),
        (format!("{START} acd 1; bm e4  e5;"), at + 16, "e5"),
        (format!("{START} am Ke2;"), at + 5, "Ke2"),
    ];
    for (line, column, message) in cases {
        let error = load(&format!("{START}\n# fine\n{line}\n")).unwrap_err();
        assert_eq!(error.place(), Some((3, column)), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn illegal_positions_are_refused() {
    for (line, column, message) in [
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", 1, "no black king"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - -", 23, "in check"),
        ("4k3/8/8/8/9/8/8/4K3 w - -", 11, "'9'"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", 21, "'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w K -", 23, "'K'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 900 5", 27, "'900'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 900;", 26, "'900'"),
    ] {
        let error = load(&format!("\n  {line}\n")).unwrap_err();
        assert_eq!(error.place(), Some((2, column + 2)), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

proptest! {
    /// Whatever is read is written so that it reads back equal, but for the counters of a FEN line, which are written
    /// as the operations that EPD has for them; nothing panics.
    #[test]
    fn what_is_read_prints_and_reads_back(
        words in proptest::collection::vec(prop_oneof![
            "bm|am|id|c0|dm|pv|acd|hmvc|cluster|x_1|e4|Nf3|c4|;|;;|\"|\"a; b\"|\"f4=10\"|#|[0-9]{1,4}",
            "[ -~]{0,6}",
            "\\PC{0,4}",
        ], 0..12),
        counters in proptest::option::of((0_u32..90, 1_u32..90)),
    ) {
        let fields = counters.map(|(half, full)| format!(" {half} {full}")).unwrap_or_default();
        let text = format!("{START}{fields} {}", words.join(" "));
        if let Ok(set) = load(&text) {
            let entry = &set.entries[0];
            let again = load(&write(entry)).expect(&text);
            let read = &again.entries[0];
            prop_assert_eq!(&read.position, &entry.position, "{}", text);
            let added = read.operations.len() - entry.operations.len();
            prop_assert_eq!(&read.operations[added..], &entry.operations[..], "{}", text);
            prop_assert!(read.operations[..added].iter().all(|operation| {
                matches!(operation.code.as_str(), "hmvc" | "fmvn") && entry.operation(&operation.code).is_none()
            }), "{}", text);
            prop_assert_eq!(again.hash == set.hash, added == 0, "{}", text);
            prop_assert_eq!(write(read), write(entry), "{}", text);
        }
    }
}
