//! From a file, or the text of one, to a [`Set`].
//!
//! The ending tells the format, and the format tells the game. Every line is checked before anything is
//! handed out, so that a run never starts on half a file; all wrong lines are told at once, and a caller may ask to go
//! on without them.

use crate::error::{Error, Line, Result};
use crate::heap::Heap;
use crate::set::{Entry, Provenance, Set, Tally};
use crate::text::{decode, plain};
use crate::{epd, obf, pgn};
use secateur_base::program::name;
use secateur_core::Game;
use std::collections::BTreeMap;
use std::path::Path;

pub use crate::error::ENDINGS;
pub use secateur_base::Reading;

/// Format of a position file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chess, `.epd` or `.fen`: [`crate::epd`].
    Epd,
    /// Othello, `.obf`: [`crate::obf`].
    Obf,
    /// A game of any kind, `.pos`: the position as the game writes it, or a line of UCI (`startpos moves ...`), then `;` and
    /// operations as in EPD.
    Plain,
    /// Shogi, `.sfen`: as `.pos`, in which `sfen` may stand before a position.
    Sfen,
    /// Games of chess, `.pgn`, of which every so many plies give a position: [`crate::pgn`].
    Pgn,
    /// Games of English draughts, `.pdn`, as those of chess: [`crate::pgn`].
    Pdn,
}

/// The formats in their order: the endings of files, the usual one first, and the game that each is for.
const KINDS: [(Kind, &[&str], Option<&str>); 6] = [
    (Kind::Epd, &["epd", "fen"], Some("chess")),
    (Kind::Obf, &["obf"], Some("othello")),
    (Kind::Plain, &["pos"], None),
    (Kind::Sfen, &["sfen"], Some("shogi")),
    (Kind::Pgn, &["pgn"], Some("chess")),
    (Kind::Pdn, &["pdn"], Some("draughts")),
];

impl Kind {
    /// The format that the ending of a path names, in either case.
    ///
    /// # Errors
    /// [`Error::Extension`] for any other ending.
    pub fn of(path: &Path) -> Result<Kind> {
        let fail = |found| Err(Error::Extension { path: path.to_owned(), found });
        let Some(ending) = path.extension() else { return fail("no ending".to_owned()) };
        let ending = ending.to_string_lossy().to_lowercase();
        if let Some((kind, ..)) = KINDS.iter().find(|(_, endings, _)| endings.contains(&&*ending)) {
            return Ok(*kind);
        }
        let hint = hint(&ending).map_or_else(String::new, |hint| format!(" ({hint})"));
        fail(format!("the ending .{ending}{hint}"))
    }

    /// [`Game::NAME`] of the game that the format is for; `None` if it is for any.
    pub fn game(self) -> Option<&'static str> {
        KINDS[self as usize].2
    }

    /// The usual ending of a file of this format.
    pub fn ending(self) -> &'static str {
        KINDS[self as usize].1[0]
    }

    /// Writes one entry as a line, without a line end: an entry of a game of chess as EPD, one of draughts as in `.pos`.
    pub fn write(self, entry: &Entry) -> String {
        match self {
            Kind::Epd | Kind::Pgn => epd::write(entry),
            Kind::Obf => obf::write(entry),
            Kind::Plain | Kind::Sfen | Kind::Pdn => epd::write_plain(entry),
        }
    }
}

/// The usual ending of a packed file, by the bytes that it begins with: no text begins so.
fn packed(bytes: &[u8]) -> Option<&'static str> {
    const FORMS: [(&[u8], &str); 6] = [
        (b"PK\x03\x04", "zip"),
        (b"\x1f\x8b", "gz"),
        (b"\x28\xb5\x2f\xfd", "zst"),
        (b"BZh", "bz2"),
        (b"\xfd7zXZ", "xz"),
        (b"7z\xbc\xaf", "7z"),
    ];
    FORMS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, form)| *form)
}

/// What a file of another ending may be, and the way from it to a file that is read.
fn hint(ending: &str) -> Option<String> {
    Some(match ending {
        "wtb" => format!("a database of WTHOR: `{} positions import` makes an .obf file of it", name()),
        "gz" | "bz2" | "xz" | "zst" | "zip" | "7z" | "rar" => "packed: unpack it first".to_owned(),
        "kif" | "kifu" | "ki2" | "csa" => {
            "games of shogi in a form that is not read: write their moves as lines of USI into an .sfen file"
                .to_owned()
        }
        "bin" | "abk" | "ctg" => {
            "a book in binary form, which is not read: games as .pgn or positions as .epd are".to_owned()
        }
        "sgf" | "ggf" => "games in a form that is not read: positions of Othello as .obf are".to_owned(),
        "csv" => "a table: positions with their game's ending are read, one a line".to_owned(),
        _ => return None,
    })
}

/// Reads a file.
///
/// # Errors
/// [`Error::Extension`], [`Error::WrongGame`], [`Error::Unreadable`], and whatever [`parse`] finds.
pub fn file<G: Game>(game: &G, path: &Path) -> Result<Set> {
    Ok(loaded_file(game, path, Reading::default())?.set)
}

/// A set, and its positions as the game has them.
#[derive(Clone, Debug)]
pub struct Loaded<G: Game> {
    /// The set.
    pub set: Set,
    /// The positions, parallel to [`Set::entries`].
    pub positions: Vec<G::Position>,
}

pub(crate) fn loaded_file<G: Game>(game: &G, path: &Path, reading: Reading) -> Result<Loaded<G>> {
    let kind = Kind::of(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(game_of_kind) = kind.game() {
        check_game(game, &path.display().to_string(), game_of_kind)?;
    }
    let bytes = std::fs::read(path).map_err(|source| Error::unreadable(path, source))?;
    if let Some(form) = packed(&bytes) {
        let content = format!(
            "the content of a .{form} file under the ending .{} (packed: unpack it first)",
            kind.ending()
        );
        return Err(Error::Extension { path: path.to_owned(), found: content });
    }
    let provenance = Provenance { source: path.display().to_string(), ..Provenance::default() };
    loaded_text(game, (kind, &name, path), &decode(&bytes), provenance, reading)
}

/// Refuses a set of another game.
pub(crate) fn check_game<G: Game>(game: &G, set: &str, actual: &str) -> Result<()> {
    if actual == game.name() {
        return Ok(());
    }
    Err(Error::WrongGame { set: set.to_owned(), found: actual.to_owned(), expected: game.name().to_owned() })
}

/// Reads the text of a file; `path` is for messages, `name` for ids.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] with what is wrong; a text without positions.
pub fn parse<G: Game>(
    game: &G,
    kind: Kind,
    name: &str,
    path: &Path,
    text: &str,
    provenance: Provenance,
) -> Result<Set> {
    parse_as(game, kind, name, path, text, provenance, Reading::default())
}

/// [`parse`], read as `reading` says.
///
/// # Errors
/// As [`parse`]; with [`Reading::skip_bad`] only if no position is left.
pub fn parse_as<G: Game>(
    game: &G,
    kind: Kind,
    name: &str,
    path: &Path,
    text: &str,
    provenance: Provenance,
    reading: Reading,
) -> Result<Set> {
    Ok(loaded_text(game, (kind, name, path), text, provenance, reading)?.set)
}

pub(crate) fn loaded_text<G: Game>(
    game: &G,
    (kind, name, path): (Kind, &str, &Path),
    text: &str,
    provenance: Provenance,
    reading: Reading,
) -> Result<Loaded<G>> {
    let text = plain(text);
    let mut heap = Heap {
        game,
        name,
        path,
        entries: Vec::new(),
        positions: Vec::new(),
        ids: BTreeMap::new(),
        again: None,
        tally: Tally { lines: text.lines().count(), every: reading.every.max(1), ..Tally::default() },
        faults: Vec::new(),
    };
    match kind {
        Kind::Pgn => pgn::read(&mut heap, &text, pgn::PGN),
        Kind::Pdn => pgn::read(&mut heap, &text, pgn::PDN),
        Kind::Epd => heap.read_lines(&text, epd::read)?,
        Kind::Obf => heap.read_lines(&text, obf::read)?,
        Kind::Plain | Kind::Sfen => heap.read_lines(&text, epd::read_plain)?,
    }
    let Heap { entries, positions, again, faults, tally, .. } = heap;
    if !faults.is_empty() && (!reading.skip_bad || entries.is_empty()) {
        return Err(Error::faults(faults));
    }
    if entries.is_empty() {
        let line = Line { path, number: tally.lines.max(1), text: "" };
        return Err(line.fault(0, tally.why_nothing()));
    }
    let mut set = Set::new(name, game.name(), entries, provenance);
    (set.skipped, set.tally) = (faults, tally);
    set.remarks.extend(again.map(|(count, first, now)| {
        format!("{count} ids were there already and have a number behind them now: {first:?} is {now:?}")
    }));
    Ok(Loaded { set, positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;
    use secateur_games::shogi::Shogi;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn folder_with(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_packed_file_is_told_so_whatever_its_ending() {
        for (bytes, form) in
            [(&b"PK\x03\x04x"[..], "zip"), (b"\x1f\x8bx", "gz"), (b"\x28\xb5\x2f\xfdx", "zst")]
        {
            let (_folder, path) = folder_with("book.pgn", bytes);
            let error = file(&Chess::default(), &path).unwrap_err().to_string();
            assert!(error.contains(&format!(".{form} file")) && error.contains("unpack it first"), "{error}");
        }
    }

    #[test]
    fn a_file_names_its_set_and_its_origin() {
        let (_folder, path) = folder_with("mine.OBF", format!("\u{feff}{START};\n").as_bytes());
        let set = file(&Othello::default(), &path).unwrap();
        assert_eq!((set.name.as_str(), set.game.as_str()), ("mine", "othello"));
        assert_eq!(set.entries[0].id, "mine#0001");
        assert_eq!(set.provenance.source, path.display().to_string());
    }

    #[test]
    fn the_ending_tells_the_game() {
        let path = Path::new("there/is/no.obf");
        assert!(matches!(file(&Chess::default(), path), Err(Error::WrongGame { .. })));
        let error = file(&Othello::default(), path).unwrap_err();
        assert!(!error.is_io() && error.to_string().starts_with("there/is/no.obf: "), "{error}");
        for (path, message) in [
            ("a.txt", "found the ending .txt, expected"),
            ("a", "found no ending"),
            ("a.wtb", "positions import"),
            ("a.EPD.gz", "unpack it first"),
            ("a.kif", "lines of USI"),
            ("a.bin", ".pgn"),
        ] {
            let error = file(&Othello::default(), Path::new(path)).unwrap_err();
            assert!(matches!(error, Error::Extension { .. }) && !error.is_io());
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn a_file_without_positions_is_refused() {
        for (text, line) in [("", 1), ("% nothing\n\n", 2)] {
            let (_folder, path) = folder_with("empty.obf", text.as_bytes());
            let error = file(&Othello::default(), &path).unwrap_err();
            assert_eq!(error.place(), Some((line, 1)));
            let message = "found end of file, expected at least one position";
            assert_eq!(error.to_string(), format!("{}:{line}:1: {message}", path.display()));
        }
    }

    /// Positions of any game as programs are told them, and of shogi as its collections have them.
    #[test]
    fn lines_of_protocols_are_positions() {
        let read = |name: &str, text: &str| {
            let (_folder, path) = folder_with(name, text.as_bytes());
            match name.ends_with("sfen") {
                true => file(&Shogi::default(), &path),
                false => file(&Chess::default(), &path),
            }
        };
        let start = Shogi::default().start().unwrap();
        let text = format!(
            "{start}\nsfen {start}\nposition sfen {start} moves 7g7f 3c3d\nstartpos moves 7g7f 3c3d; id \"own\";\n\
             position startpos\n"
        );
        let set = read("book.sfen", &text).unwrap();
        let after = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
        let positions: Vec<&str> = set.entries.iter().map(|entry| entry.position.as_str()).collect();
        assert_eq!(positions, [start.as_str(), &start, after, after, &start]);
        assert_eq!((set.entries[3].id.as_str(), set.game.as_str()), ("own", "shogi"));
        let error = read("book.sfen", "startpos moves 7g7f 7g7f\n").unwrap_err();
        assert_eq!(error.place(), Some((1, 21)), "{error}");
        let error = read("book.sfen", "position sfen 9/9 b - 1\n").unwrap_err();
        assert_eq!(error.place(), Some((1, 15)), "{error}");
        let set =
            read("a.pos", "position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves e1c1\nstartpos moves e2e4\n")
                .unwrap();
        assert_eq!(set.entries[0].position, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
        assert!(set.entries[1].position.contains("4P3"));
        assert_eq!(set.account(), "read 2 lines; took 2 positions");
        assert_eq!(
            read("b.pos", "# a\n\nstartpos\n").unwrap().account(),
            "read 3 lines, 2 without a position; took 1 position"
        );
    }

    #[test]
    fn an_id_that_is_there_again_gets_a_number() {
        let text = ["one", "two", "one", "one#2", "one"].map(|id| format!("{START}; % id={id}\n")).concat();
        let (_folder, path) = folder_with("twice.obf", text.as_bytes());
        let set = file(&Othello::default(), &path).unwrap();
        let ids: Vec<&str> = set.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["one", "two", "one#2", "one#2#2", "one#3"]);
        assert_eq!(set.remarks.len(), 1);
        assert!(set.remarks[0].starts_with("3 ids") && set.remarks[0].contains("\"one\" is \"one#2\""));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_latin_1() {
        let (_folder, path) = folder_with("bytes.obf", format!("% fine\n{START}; % id=caf").as_bytes());
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend(b"\xe9\0\r\n\0\x1a");
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(file(&Othello::default(), &path).unwrap().entries[0].id, "café");
    }

    #[test]
    fn all_wrong_lines_are_told_at_once_and_can_be_left_out() {
        let text = format!("bad\n{START};\nworse\n{START}; d3\n");
        let read = |skip_bad, text: &str| {
            let (game, reading) = (Othello::default(), Reading { skip_bad, ..Reading::default() });
            parse_as(&game, Kind::Obf, "s", "s.obf".as_ref(), text, Provenance::default(), reading)
        };
        let error = read(false, &text).unwrap_err();
        assert_eq!(error.place(), Some((1, 1)));
        let message = error.to_string();
        assert!(
            message.contains("s.obf:1:1: ")
                && message.contains("s.obf:3:1: ")
                && message.contains("s.obf:4:"),
            "{message}"
        );
        let set = read(true, &text).unwrap();
        assert_eq!((set.entries.len(), set.skipped.len()), (1, 3));
        assert_eq!(set.hash, read(false, &format!("{START};")).unwrap().hash);
        assert!(read(true, "bad").is_err(), "nothing is left");
        let many = read(false, &"bad\n".repeat(100)).unwrap_err().to_string();
        assert!(many.ends_with("and 97 more") && !many.contains("s.obf:4:"), "one kind: {many}");
        let kinds: Vec<String> =
            (b'a'..=b'z').map(|letter| char::from(letter).to_string().repeat(9)).collect();
        let many = read(false, &kinds.concat()).unwrap_err().to_string();
        assert!(many.lines().count() < 70, "{many}");
    }
}
