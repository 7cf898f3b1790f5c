//! What engines of xboard write: features with options, thinking, moves.
//!
//! Moves come as squares (`g8f6`), with both squares and a piece (`Ng8-f6`) or in SAN (`Nf6`). The first two mean the same in
//! every position and are brought to squares; SAN needs the rules, so it is handed on as it stands.

use super::super::number::{self, Unread, is_like_one, may_be_one, read};
use super::super::observed::hundredths;
use super::super::options::{Kind, ranged};
use crate::observed::{Bound, EngineScore, Info, is_move_text};
use std::time::Duration;

/// From here on a value is a mate in as many moves as it is larger.
const MATE: i64 = 100_000;
/// Longest mate that is read so: older engines have other large values, each for itself.
const LONGEST_MATE: i64 = 1_000;

/// The features of a line: names with their values, quoted or not.
pub(super) fn features(line: &str) -> Vec<(&str, &str)> {
    let Some(mut rest) = line.trim_start().strip_prefix("feature ") else { return Vec::new() };
    let mut all = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        all.push((name.trim(), value));
        rest = after;
    }
    all
}

/// The option of `feature option="NAME -KIND ARGUMENTS"`.
pub(super) fn option(text: &str) -> Option<(&str, Kind, Option<String>)> {
    // Arguments may have ` -` in them too, as a range that goes below 0 and a choice `-check`.
    let (name, rest) = text
        .match_indices(" -")
        .map(|(at, _)| (&text[..at], &text[at + 2..]))
        .find(|(_, rest)| kind(rest).is_some())?;
    Some((name, kind(rest)?, default(rest)))
}

/// What an option has if it is not set.
fn default(text: &str) -> Option<String> {
    let (word, rest) = text.split_once(' ')?;
    let value = match word {
        "check" => ["false", "true"][usize::from(rest.trim() == "1")],
        "spin" | "slider" => rest.split_whitespace().next()?,
        "combo" => rest.split("///").map(str::trim).find_map(|one| one.strip_prefix('*'))?,
        "string" | "file" | "path" => rest.trim(),
        _ => return None,
    };
    Some(value.to_owned())
}

fn kind(text: &str) -> Option<Kind> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word {
        "check" => Some(Kind::Check),
        "spin" | "slider" => {
            let bounds: Vec<&str> = rest.split_whitespace().skip(1).collect();
            let bound = |field, at: usize, without| {
                bounds.get(at).map_or(Ok(without), |text| read(field, text, number::signed))
            };
            Some(ranged(bound("option min", 0, i64::MIN), bound("option max", 1, i64::MAX)))
        }
        "combo" => Some(Kind::Combo(
            rest.split("///").map(|one| one.trim().trim_start_matches('*').to_owned()).collect(),
        )),
        "string" | "file" | "path" => Some(Kind::Text),
        "button" | "reset" | "save" => Some(Kind::Button),
        _ => None,
    }
}

/// A line of thinking: `ply value centiseconds nodes line`, with numbers of a newer kind between nodes and a tab. What begins with
/// a ply and has two numbers more in the next three columns is meant as one, and so is what begins with three numbers and
/// something like a ply.
pub(super) fn thinking(line: &str) -> Result<Option<Info>, Unread> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let [ply, value, time, nodes, rest @ ..] = columns.as_slice() else { return Ok(None) };
    let like_numbers = [value, time, nodes].into_iter().filter(|word| is_like_one(word)).count();
    let depth = match number::depth(ply.trim_end_matches(|mark: char| ".+-&*<>".contains(mark))) {
        _ if like_numbers < 2 => return Ok(None),
        Ok(depth) => depth,
        Err(expected) if is_like_one(ply) && like_numbers == 3 => {
            return Err(Unread::new("thinking, ply", ply, expected));
        }
        Err(_) => return Ok(None),
    };
    let after_tab = line.rsplit_once('\t').map(|(_, text)| text.split_whitespace().count());
    let (newer, pv) = rest.split_at(rest.len().saturating_sub(after_tab.unwrap_or(rest.len())));
    let is_whole = |word: &str| word.bytes().all(|letter| letter.is_ascii_digit());
    let are_groups = may_be_one(value.trim_start_matches(['+', '-']), time) || may_be_one(time, nodes);
    // Without a tab, a number behind the columns is that of a move, unless it is too long for one or there may be a column too many.
    let spills = |next: &&&str| after_tab.is_none() && is_whole(next) && (next.len() > 2 || are_groups);
    if let Some(next) = rest.first().filter(|next| may_be_one(nodes, next) || spills(next)) {
        let text = format!("{value} {time} {nodes} {next}");
        return Err(Unread::new("thinking, value to nodes", &text, "three numbers without blanks in them"));
    }
    let value = read("thinking, value", value, number::signed)?;
    let time = read("thinking, time", time, number::count)?;
    let nodes = read("thinking, nodes", nodes, number::count)?;
    let seldepth = newer.first().map_or(Ok(0), |text| read("thinking, deepest ply", text, number::depth))?;
    let bound = match pv.last() {
        Some(last) if last.ends_with('!') => Bound::Lower,
        Some(last) if last.ends_with('?') => Bound::Upper,
        _ => Bound::Exact,
    };
    let time = Duration::from_millis(time.saturating_mul(10));
    Ok(Some(Info { depth, seldepth, nodes, time, score: Some(score(value)), bound, pv: moves(pv) }))
}

fn score(value: i64) -> EngineScore {
    match i32::try_from(value.saturating_abs() - MATE) {
        Ok(moves @ 0..) if i64::from(moves) <= LONGEST_MATE => {
            EngineScore::Mate(if value < 0 { -moves } else { moves })
        }
        _ => hundredths(value as f64),
    }
}

/// The moves of a line, up to the first word that is neither a move nor usual next to moves.
fn moves(tokens: &[&str]) -> Vec<String> {
    let mut line = Vec::new();
    for word in tokens {
        let word = without_number(word).trim_matches(['!', '?']);
        // `...`, `(-)` and the like; what was found in the table.
        if word.is_empty() || word.starts_with(['(', '{', '<', '[', '.']) {
            continue;
        }
        match mv(word) {
            Some(mv) => line.push(mv),
            None => break,
        }
    }
    line
}

/// `12.e4` and `12...e5` without their numbers.
fn without_number(word: &str) -> &str {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let dots = digits.trim_start_matches('.');
    if dots.len() < digits.len() && digits.len() < word.len() { dots } else { word }
}

/// A move as squares where its letters tell them, else as it stands, if it looks like SAN.
pub(super) fn mv(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    if is_move_text(&lower) {
        return Some(lower);
    }
    let plain = word.trim_end_matches(['+', '#']);
    let squares = plain.trim_start_matches(['K', 'Q', 'R', 'B', 'N', 'P']);
    let squares: String = squares.chars().filter(|letter| !"-x=".contains(*letter)).collect();
    let squares = squares.to_ascii_lowercase();
    if is_move_text(&squares) {
        return Some(squares);
    }
    let is_castling = matches!(plain, "O-O" | "O-O-O" | "0-0" | "0-0-0");
    let is_san = (2..=8).contains(&plain.len())
        && plain.starts_with(|letter: char| "KQRBNabcdefgh".contains(letter))
        && plain.chars().all(|letter| "KQRBNabcdefgh12345678x=".contains(letter))
        && plain.contains(|letter: char| letter.is_ascii_digit());
    (is_castling || is_san).then(|| plain.replace('0', "O"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_of_real_engines_is_read() {
        let read = |line: &str| thinking(line).unwrap().unwrap();
        let fairymax = read(" 5     16        1      13747 f2f4 d7d5 b1c3 c7c5 g1f3");
        assert_eq!((fairymax.depth, fairymax.score, fairymax.nodes), (5, Some(EngineScore::Cp(16)), 13_747));
        assert_eq!((fairymax.time, fairymax.pv.len()), (Duration::from_millis(10), 5));
        let phalanx = read(" 13    -19     95  1287333  Bf8-c5  O-O  e4xd5 !       ");
        assert_eq!((phalanx.pv.join(" "), phalanx.bound), ("f8c5 O-O e4d5".to_owned(), Bound::Lower));
        let hoichess = read("4 -18 0 5981 (-) 3. ... Nf6 4. Nc3 Bd6 5. Nxe5 Nxe5 6. Bxf7+");
        assert_eq!(hoichess.pv, ["Nf6", "Nc3", "Bd6", "Nxe5", "Nxe5", "Bxf7"]);
        let newer = read("9 100003 20 900 14 5000 0\t1.e4 e5 2.Qh5 {tail}");
        assert_eq!((newer.score, newer.seldepth), (Some(EngineScore::Mate(3)), 14));
        assert_eq!(newer.pv.join(" "), "e4 e5 Qh5");
        assert_eq!(read("9\t3\t20\t900\te4 e5").pv, ["e4", "e5"]);
        assert_eq!(read("3+ -100002 1 7 a7a8q").score, Some(EngineScore::Mate(-2)));
        assert_eq!(read("3+ 999994 1 7 a7a8q").score, Some(EngineScore::Cp(999_994)));
        assert_eq!(read("3 -9223372036854775808 1 7 a7a8q").score, Some(EngineScore::Cp(-10_000_000)));
        for line in [
            "",
            "move e2e4",
            "1-0 {White mates}",
            "# 1 2 3 4",
            "8 |    |    |",
            "1. e4 e5",
            "1. e4 e5 2. d4",
            "8  r n b q k b n r",
            "3 e2e4 12 legal moves",
        ] {
            assert_eq!(thinking(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn a_line_of_thinking_is_read_whole_or_not_at_all() {
        let nodes = |line: &str| thinking(line).unwrap().map(|info| info.nodes);
        assert_eq!(nodes(" 5 +16 1 1,287,333 e2e4"), Some(1_287_333));
        assert_eq!(nodes("5 16 1 2'560 e2e4 1 e5"), Some(2_560));
        assert_eq!(nodes("5\t16\t1\t2560\t14 5000 0\te2e4"), Some(2_560));
        for (line, field, text) in [
            ("4/7 16 1 2560 e2e4", "thinking, ply", "4/7"),
            ("3 x 1 7 e2e4", "thinking, value", "x"),
            ("3 0.25 1 7 e2e4", "thinking, value", "0.25"),
            ("3 16 0.01 7 e2e4", "thinking, time", "0.01"),
            ("3 16 1 -7 e2e4", "thinking, nodes", "-7"),
            ("3 16 1 2.5k e2e4", "thinking, nodes", "2.5k"),
            ("3 16 1 e2e4 e7e5", "thinking, nodes", "e2e4"),
            ("3 16 1 2 560 e2e4", "thinking, value to nodes", "16 1 2 560"),
            ("3 16 1 234 2560 e2e4", "thinking, value to nodes", "16 1 234 2560"),
            ("3 -1 300 1 20 e2e4", "thinking, value to nodes", "-1 300 1 20"),
            ("3 16 1 2 560\te2e4", "thinking, value to nodes", "16 1 2 560"),
            ("3 16 1 2560 x\te2e4", "thinking, deepest ply", "x"),
        ] {
            let unread = thinking(line).unwrap_err();
            assert_eq!((unread.field, unread.text.as_str()), (field, text), "{line}");
        }
    }

    #[test]
    fn moves_are_brought_to_squares_where_they_name_them() {
        for (text, expected) in
            [("e7e8Q", "e7e8q"), ("Ng8-f6", "g8f6"), ("e7xd8=Q+", "e7d8q"), ("0-0", "O-O")]
        {
            assert_eq!(mv(text).as_deref(), Some(expected));
        }
        assert_eq!(mv("Nbd2+").as_deref(), Some("Nbd2"));
        for text in ["", "e9e4", "hello", "{e4}", "12", "resign", "Nf6Nf6Nf6", "\u{e9}4"] {
            assert_eq!(mv(text), None, "{text}");
        }
    }

    #[test]
    fn features_and_options_are_read_as_they_come() {
        let line = "feature myname=\"Phalanx XXV\" setboard=1 option=\"Speed -spin 5 -10 50\" done=1";
        let all = features(line);
        assert_eq!(
            all,
            [("myname", "Phalanx XXV"), ("setboard", "1"), ("option", "Speed -spin 5 -10 50"), ("done", "1")]
        );
        assert_eq!(features("feature myname=\"torn"), [("myname", "torn")]);
        assert!(features("features a=1").is_empty() && features("feature").is_empty());
        assert_eq!(option(all[2].1), Some(("Speed", Kind::Spin { min: -10, max: 50 }, Some("5".to_owned()))));
        assert_eq!(
            option("Randomizer (0-50) -slider 0 0 50"),
            Some(("Randomizer (0-50)", Kind::Spin { min: 0, max: 50 }, Some("0".to_owned())))
        );
        let combo = option("Style -combo calm /// *wild").unwrap();
        let style = Kind::Combo(vec!["calm".to_owned(), "wild".to_owned()]);
        assert_eq!(combo, ("Style", style, Some("wild".to_owned())));
        assert_eq!(option("Null -check 1").unwrap().2.as_deref(), Some("true"));
        assert_eq!(option("Clear Hash -button"), Some(("Clear Hash", Kind::Button, None)));
        assert_eq!(option("Odd -wheel 3"), None);
        let (name, kind, default) = option("-check -combo a /// *b -check /// -spin 1").unwrap();
        let values = ["a", "b -check", "-spin 1"].map(str::to_owned).to_vec();
        assert_eq!((name, kind, default.as_deref()), ("-check", Kind::Combo(values), Some("b -check")));
        assert_eq!(option("Big -spin 5 1 1,024").unwrap().1, Kind::Spin { min: 1, max: 1024 });
        assert!(matches!(option("Odd -spin 5 1 10k").unwrap().1, Kind::Unread(_)));
    }
}
