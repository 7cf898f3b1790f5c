//! From a file, or the text of one, to a [`Set`].
//!
//! The ending tells the format, and the format tells the game. Every line is checked before anything is
//! handed out, so that a run never starts on half a file.

use crate::error::{Error, Line, Result};
use crate::set::{Entry, Operation, Provenance, Set, unquoted};
use crate::{epd, obf};
use secateur_core::Game;
use std::collections::BTreeMap;
use std::path::Path;

/// Format of a position file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chess, `.epd`: [`crate::epd`].
    Epd,
    /// Othello, `.obf`: [`crate::obf`].
    Obf,
}

impl Kind {
    /// The format that the ending of a path names, in either case.
    ///
    /// # Errors
    /// [`Error::Extension`] for any other ending.
    pub fn of(path: &Path) -> Result<Kind> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("epd") => Ok(Kind::Epd),
            Some("obf") => Ok(Kind::Obf),
            other => Err(Error::Extension {
                path: path.to_owned(),
                found: other.map_or("no ending".to_owned(), |ending| format!("the ending .{ending}")),
            }),
        }
    }

    /// [`Game::NAME`] of the game that the format is for.
    #[must_use]
    pub fn game(self) -> &'static str {
        match self {
            Kind::Epd => "chess",
            Kind::Obf => "othello",
        }
    }

    /// Writes one entry as a line of this format, without a line end.
    #[must_use]
    pub fn write(self, entry: &Entry) -> String {
        match self {
            Kind::Epd => epd::write(entry),
            Kind::Obf => obf::write(entry),
        }
    }
}

/// Reads a file.
///
/// # Errors
/// [`Error::Extension`], [`Error::WrongGame`], [`Error::Io`], and whatever [`parse`] finds.
pub fn file<G: Game>(game: &G, path: &Path) -> Result<Set> {
    let kind = Kind::of(path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    check_game::<G>(&path.display().to_string(), kind.game())?;
    let bytes = std::fs::read(path).map_err(|source| Error::io(path, source))?;
    let text = utf8(path, &bytes)?;
    let provenance = Provenance { source: path.display().to_string(), ..Provenance::default() };
    parse(game, kind, &name, path, text, provenance)
}

/// Refuses a set of another game.
pub(crate) fn check_game<G: Game>(set: &str, found: &str) -> Result<()> {
    if found == G::NAME {
        return Ok(());
    }
    Err(Error::WrongGame { set: set.to_owned(), found: found.to_owned(), expected: G::NAME.to_owned() })
}

/// The bytes as text; a fault at the first byte that is none.
fn utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let begin = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let number = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let text = String::from_utf8_lossy(&good[begin..]).into_owned();
        let found = format!("the byte 0x{:02x}", bytes[error.valid_up_to()]);
        Line { path, number, text: &text }.expected(text.len(), &found, "UTF-8 text")
    })
}

/// Reads the text of a file; `path` is for messages, `name` for ids.
///
/// # Errors
/// [`Error::Line`] for the first wrong line, an id that is there twice, or a text without positions.
pub fn parse<G: Game>(
    game: &G,
    kind: Kind,
    name: &str,
    path: &Path,
    text: &str,
    provenance: Provenance,
) -> Result<Set> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, text) in text.lines().enumerate() {
        let line = Line { path, number: index + 1, text };
        let read = match kind {
            Kind::Epd => epd::read(game, line)?,
            Kind::Obf => obf::read(game, line)?,
        };
        let Some(read) = read else { continue };
        let start = text.len() - text.trim_start().len();
        let mut moves = secateur_core::Moves::<G>::new();
        game.moves(&read.position, &mut moves);
        if moves.is_empty() {
            return Err(line.expected(start, "a finished game", "a position with a legal move"));
        }
        let id = named(&read.operations, "id").unwrap_or_else(|| format!("{name}#{:04}", entries.len() + 1));
        if let Some(first) = ids.insert(id.clone(), line.number) {
            let at = text.rfind(id.as_str()).unwrap_or(start);
            let expected = format!("an id other than that of line {first}");
            return Err(line.expected(at, &format!("the id {id:?} again"), &expected));
        }
        entries.push(Entry {
            position: game.format(&read.position),
            cluster: named(&read.operations, "cluster").unwrap_or_else(|| id.clone()),
            stage: game.label(&read.position),
            id,
            operations: read.operations,
            line: line.number,
        });
    }
    if entries.is_empty() {
        let number = text.lines().count().max(1);
        let line = Line { path, number, text: "" };
        return Err(line.expected(0, "end of file", "at least one position"));
    }
    Ok(Set::new(name, G::NAME, entries, provenance))
}

/// The operand of a naming operation, if it is there and not empty.
fn named(operations: &[Operation], code: &str) -> Option<String> {
    let operation = operations.iter().find(|operation| operation.code == code)?;
    Some(unquoted(&operation.operands).to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::chess::Chess;
    use secateur_core::game::othello::Othello;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn folder_with(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
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
        assert!(error.is_io() && error.to_string().starts_with("there/is/no.obf: "), "{error}");
        for path in ["a.pgn", "a"] {
            let error = file(&Othello::default(), Path::new(path)).unwrap_err();
            assert!(matches!(error, Error::Extension { .. }) && !error.is_io());
        }
    }

    #[test]
    fn a_file_without_positions_is_refused() {
        for (text, line) in [("", 1), ("% nothing\n\n", 2)] {
            let (_folder, path) = folder_with("empty.obf", text.as_bytes());
            let error = file(&Othello::default(), &path).unwrap_err();
            assert_eq!(error.place(), Some((line, 1)));
            let words = "found end of file, expected at least one position";
            assert_eq!(error.to_string(), format!("{}:{line}:1: {words}", path.display()));
        }
    }

    #[test]
    fn an_id_is_there_once() {
        let text = format!("{START}; % id=one\n{START}; % id=two\n{START}; % id=one\n");
        let (_folder, path) = folder_with("twice.obf", text.as_bytes());
        let error = file(&Othello::default(), &path).unwrap_err();
        assert_eq!(error.place(), Some((3, 74)), "{error}");
        assert!(
            error.to_string().contains("\"one\" again, expected an id other than that of line 1"),
            "{error}"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_placed() {
        let (_folder, path) = folder_with("bytes.obf", b"% fine\nab\xffc\n");
        let error = file(&Othello::default(), &path).unwrap_err();
        assert_eq!(error.place(), Some((2, 3)));
        assert!(error.to_string().contains("found the byte 0xff, expected UTF-8 text"), "{error}");
    }
}
