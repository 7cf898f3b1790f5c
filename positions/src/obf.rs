//! OBF, the line format of Othello test suites: 64 squares, the side to move, then `move:score;` fields.
//!
//! A line starting with `%` is a comment, and so is what follows a `%` behind a position. There, words
//! `id=NAME` and `cluster=NAME` name the position and its source game; anything else is kept as `c0`.
//! Format: described in the manual of Edax (Delorme); scores are final disc differences for the side to move.

use crate::epd::Read;
use crate::error::{Line, Result};
use crate::set::{Entry, Operation};
use secateur_core::Game;

/// Reads one line; `None` for a blank one or a comment.
pub(crate) fn read<G: Game>(game: &G, line: Line<'_>) -> Result<Option<Read<G>>> {
    let (body, comment) = line.text.split_once('%').unwrap_or((line.text, ""));
    if body.trim().is_empty() {
        return Ok(None);
    }
    let start = body.len() - body.trim_start().len();
    let end = body.find(';').unwrap_or(body.len());
    let board = body[start..end].trim_end();
    let position = game.parse(board).map_err(|error| line.fault(start + error.offset, error.message))?;
    let mut operations = Vec::new();
    let mut at = (end + 1).min(body.len());
    while !body[at..].trim().is_empty() {
        at += body[at..].len() - body[at..].trim_start().len();
        let Some(length) = body[at..].find(';') else {
            return Err(line.expected(body.trim_end().len(), "end of line", "\";\" after move and score"));
        };
        operations.extend(field(game, &position, line, at, &body[at..at + length])?);
        at += length + 1;
    }
    remarks(comment, &mut operations);
    Ok(Some(Read { position, operations }))
}

/// One `move:score`; the score is a disc difference. Nothing for an empty field and for the filler that some files have
/// where no further move is known, `--:-127`.
fn field<G: Game>(
    game: &G,
    position: &G::Position,
    line: Line<'_>,
    at: usize,
    text: &str,
) -> Result<Option<Operation>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let Some((mv, score)) = text.split_once(':') else {
        return Err(line.expected(
            at,
            &format!("{:?}", text.trim()),
            "a move and a score such as \"f5:+12\"",
        ));
    };
    let (code, score) = (mv.trim().to_lowercase(), score.trim());
    if matches!(code.as_str(), "--" | "-")
        && score.parse::<i32>().is_ok_and(|score| score.unsigned_abs() > 64)
    {
        return Ok(None);
    }
    let code = if code == "ps" || code == "pa" { "pass".to_owned() } else { code };
    game.parse_move(position, &code).map_err(|error| line.fault(at + error.offset, error.message))?;
    if !score.parse::<i32>().is_ok_and(|discs| discs.unsigned_abs() <= 64) {
        let offset = at + mv.len() + 1;
        let actual = if score.is_empty() { "no score".to_owned() } else { format!("{score:?}") };
        return Err(line.expected(offset, &actual, "a disc difference from -64 to +64"));
    }
    Ok(Some(Operation { code, operands: score.to_owned() }))
}

/// What a trailing comment says.
fn remarks(comment: &str, operations: &mut Vec<Operation>) {
    let mut unnamed = Vec::new();
    for word in comment.split_whitespace() {
        match word.split_once('=') {
            Some((key @ ("id" | "cluster"), value)) if !value.is_empty() => {
                operations.push(Operation { code: key.to_owned(), operands: value.to_owned() });
            }
            _ => unnamed.push(word),
        }
    }
    if !unnamed.is_empty() {
        operations.push(Operation { code: "c0".to_owned(), operands: unnamed.join(" ") });
    }
}

/// Writes one line, without a line end.
pub fn write(entry: &Entry) -> String {
    let mut line = format!("{};", entry.position);
    let mut comment = String::new();
    for Operation { code, operands } in &entry.operations {
        match code.as_str() {
            "id" | "cluster" => comment.push_str(&format!(" {code}={operands}")),
            "c0" => comment.push_str(&format!(" {operands}")),
            _ => line.push_str(&format!(" {code}:{operands};")),
        }
    }
    if !comment.is_empty() {
        line.push_str(" %");
        line.push_str(&comment);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Kind, parse};
    use crate::set::{Provenance, Set};
    use proptest::prelude::*;
    use secateur_games::othello::Othello;
    use std::path::Path;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn load(text: &str) -> Result<Set> {
        parse(&Othello::default(), Kind::Obf, "set", Path::new("set.obf"), text, Provenance::default())
    }

    #[test]
    fn lines_are_read_and_written_back() {
        let text = format!(
            "% a comment\n\n{START}; D3:+2; c4:-12; % cluster=g7 by hand id=first\n  {START};\r\n{START}\n"
        );
        let set = load(&text).unwrap();
        let ids: Vec<&str> = set.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["first", "set#0002", "set#0003"]);
        let first = &set.entries[0];
        assert_eq!((first.line, first.stage.as_str(), first.cluster.as_str()), (3, "4", "g7"));
        assert_eq!(
            (first.operation("d3").as_deref(), first.operation("c4").as_deref()),
            (Some("+2"), Some("-12"))
        );
        assert_eq!(first.operation("c0").as_deref(), Some("by hand"));
        assert_eq!(set.entries[1].cluster, "set#0002");
        let rewritten: String = set.entries.iter().map(|entry| write(entry) + "\n").collect();
        let back = load(&rewritten).unwrap();
        assert_eq!(back.hash, set.hash);
        assert_eq!(back.entries.iter().map(write).collect::<Vec<_>>().join("\n") + "\n", rewritten);
    }

    #[test]
    fn fillers_and_empty_fields_say_nothing() {
        let set = load(&format!("{START}; d3:+2; --:-127; --:-127;;\n")).unwrap();
        assert_eq!(write(&set.entries[0]), format!("{START}; d3:+2;"));
        assert!(load(&format!("{START}; --:-12;\n")).is_err(), "a pass that is no move here");
    }

    proptest! {
        /// Whatever is read is written so that it reads back equal; nothing panics.
        #[test]
        fn what_is_read_prints_and_reads_back(
            words in proptest::collection::vec(prop_oneof![
                "d3:\\+2;|C4:-1;|--:-127;|;|:|%|id=a|cluster=b|id=|=|d3|[0-9]{1,3}",
                "[ -~]{0,6}",
                "\\PC{0,4}",
            ], 0..10),
        ) {
            let text = format!("{START}; {}", words.join(" "));
            if let Ok(set) = load(&text) {
                let reread = load(&write(&set.entries[0])).expect(&text);
                prop_assert_eq!(&reread.entries[0].operations, &set.entries[0].operations, "{}", text);
                prop_assert_eq!(&reread.hash, &set.hash);
            }
        }
    }

    #[test]
    fn faults_have_a_place() {
        let cases = [
            (format!("{START}; d3:+2"), 74, "found end of line, expected \";\""),
            (format!("{START}; d3;"), 69, "found \"d3\", expected a move and a score"),
            (format!("{START}; a1:+2;"), 69, "a1 is illegal"),
            (format!("{START};  d3:+2; c4:+66;"), 80, "found \"+66\", expected a disc difference"),
            (format!("{START}; d3:;"), 72, "found no score"),
            (format!("  {}Z X;", &START[..63]), 66, "found 'Z'"),
            (START[..64].to_owned(), 65, "expected `X` or `O`"),
            (format!("{START}{START}"), 67, "expected"),
        ];
        for (line, column, message) in cases {
            let error = load(&format!("{START};\n\n{line}\n")).unwrap_err();
            assert_eq!(error.place(), Some((3, column)), "{error}");
            assert!(error.to_string().contains(message), "{error}");
            assert!(error.to_string().starts_with(&format!("set.obf:3:{column}: ")), "{error}");
        }
    }

    #[test]
    fn a_finished_game_cannot_be_searched() {
        let error = load(&format!("{} X;", "X".repeat(64))).unwrap_err();
        assert_eq!(error.place(), Some((1, 1)));
        assert!(error.to_string().contains("found a finished game"), "{error}");
    }
}
