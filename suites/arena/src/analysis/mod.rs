//! Positions by themselves: what is in one (`analyse`), and how they end (`solve`).
//!
//! Nothing here is measured: a run of the bench is what measures. Left out: how a value is written for people.

mod analyse;
mod solve;
#[cfg(test)]
mod tests;

use secateur_base::{MATE, nearest};
use secateur_core::{AnyGame, AnyPosition, Evaluation, Game, Notation, Window};
use secateur_positions::builtin::{game_of, loaded, names};
use secateur_positions::{Entry, Kind, Provenance, Reading, parse};
use secateur_suites::Error;
use secateur_suites::setups::games;
use std::path::Path;

pub use analyse::{Analysis, Analyst, Did, Line, each_alone};
pub use secateur_core::search::Limits;
pub use solve::{Row, Solving, Verdict, solve};

/// The longest mate of which a value tells, plies.
const LONGEST: i32 = 1000;

/// In how many plies a value is a forced win (above 0) or loss (below 0) that ends the game early, in a game that has such
/// ends; `None` of all other values.
pub fn forced(game: &AnyGame, value: i32) -> Option<i32> {
    let has_mates = game.attainable(0) != Window::FULL;
    let plies = MATE - value.abs();
    (has_mates && (0..LONGEST).contains(&plies)).then(|| plies * value.signum())
}

/// What stands for the position that games begin from.
const START: &str = "start";
/// What messages call a position that is typed.
const TYPED: &str = "position";

/// A position with where it is from.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its game.
    pub game: AnyGame,
    /// As its file has it, with what that says of it.
    pub entry: Entry,
    /// As the game has it.
    pub root: AnyPosition,
}

/// The positions that a text means: `start`, a line as in a file (FEN, EPD, OBF), `SET:ID`, `SET:NUMBER`, `FILE:LINE`, or all of
/// a set or a file. `game` says which game is meant where the text does not.
///
/// # Errors
/// A text that means none, with the place that is wrong; a file that cannot be read.
pub fn places(text: &str, game: Option<&str>) -> Result<Vec<Place>, Error> {
    let text = text.trim();
    if text == START {
        let name = game.ok_or_else(|| usage("found `start`, expected a game with it: --game GAME"))?;
        let game = games::find(name)?;
        let start = game.start().ok_or_else(|| usage("the game has no one position to begin from"))?;
        return typed(&game, None, &start);
    }
    if is_set(text) {
        return all(text, game);
    }
    match text.rsplit_once(':') {
        Some((set, which)) if is_set(set) => one(all(set, game)?, set, which.trim()),
        _ => {
            let (game, kind) = guessed(text, game)?;
            typed(&game, kind, text)
        }
    }
}

/// Whether a text names a built-in set or a file that is there.
fn is_set(text: &str) -> bool {
    names().is_ok_and(|names| names.iter().any(|name| name == text)) || Path::new(text).is_file()
}

/// All positions of a set or a file.
fn all(set: &str, game: Option<&str>) -> Result<Vec<Place>, Error> {
    let name = match (game_of(set)?, game) {
        (Some(set_game), Some(asked)) if set_game != asked => {
            return Err(Error::Usage(format!("{set}: found positions of {set_game}, expected {asked}")));
        }
        (Some(set_game), _) => set_game,
        (None, Some(asked)) => asked.to_owned(),
        (None, None) => return Err(Error::Usage(format!("{set}: may be of any game, expected --game GAME"))),
    };
    let game = games::find(&name)?;
    let loaded_set = loaded(&game, set, Reading::default())?;
    let both = loaded_set.set.entries.into_iter().zip(loaded_set.positions);
    Ok(both.map(|(entry, root)| Place { game: game.clone(), entry, root }).collect())
}

/// The one position of a set that is meant, by its id, its number or its line.
fn one(all: Vec<Place>, set: &str, which: &str) -> Result<Vec<Place>, Error> {
    let count = all.len();
    let is_file = Path::new(set).is_file();
    let number: Option<usize> = which.parse().ok();
    let is_meant = |at: usize, place: &Place| match number {
        _ if place.entry.id == which => true,
        Some(line) if is_file => place.entry.line == line,
        Some(number) => at + 1 == number,
        None => false,
    };
    let place = all.into_iter().enumerate().find(|(at, place)| is_meant(*at, place));
    place.map(|(_, place)| vec![place]).ok_or_else(|| {
        let expected = if is_file { "the line of a position".to_owned() } else { format!("1 to {count}") };
        Error::Usage(format!("{set}: found `{which}`, expected {expected}, or an id of it"))
    })
}

/// The game and the format of a line that is typed: those that its first word looks like, unless they are given.
fn guessed(text: &str, game: Option<&str>) -> Result<(AnyGame, Option<Kind>), Error> {
    let kinds = [Kind::Epd, Kind::Obf].into_iter().filter_map(|kind| Some((kind.game()?, kind)));
    let kinds: Vec<(&str, Kind)> = kinds.collect();
    if let Some(name) = game {
        let kind = kinds.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind);
        return Ok((games::find(name)?, kind));
    }
    // Ranks have strokes between them; a board in one word has none, and marks for empty squares.
    let first = text.split_whitespace().next().unwrap_or_default();
    let kind = match first.contains('/') {
        true => Kind::Epd,
        false if first.contains(['-', '.']) && first.len() > 8 => Kind::Obf,
        false => {
            let set = text.rsplit_once(':').map_or(text, |(set, _)| set);
            let names = names()?;
            let near = nearest(set, &names.iter().map(String::as_str).collect::<Vec<_>>()).map(str::to_owned);
            let near = near.map_or_else(String::new, |near| format!(": did you mean the set `{near}`?"));
            return Err(Error::Usage(format!(
                "found `{text}`{near}, expected a position (FEN, or 64 squares and a side), `{START}` with --game, FILE, FILE:LINE, SET or \
                 SET:ID"
            )));
        }
    };
    let name = kind.game().unwrap_or_default();
    Ok((games::find(name)?, Some(kind)))
}

/// A position that is typed, as a line of a file of this kind or as its game writes it.
fn typed(game: &AnyGame, kind: Option<Kind>, text: &str) -> Result<Vec<Place>, Error> {
    let kind = kind.unwrap_or(Kind::Plain);
    let set = parse(game, kind, TYPED, Path::new(TYPED), text, Provenance::default())?;
    let placed = |mut entry: Entry| {
        let named = entry.operation("id").is_some();
        if !named {
            entry.id = TYPED.to_owned();
        }
        let root = game.parse(&entry.position).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(Place { game: game.clone(), entry, root })
    };
    set.entries.into_iter().map(placed).collect()
}

fn usage(message: &str) -> Error {
    Error::Usage(message.to_owned())
}

impl Place {
    /// The name of its game.
    pub fn game_name(&self) -> &'static str {
        self.game.name()
    }

    /// The board as rows of squares from the top, as far as the text of the position shows one: ranks with numbers for empty
    /// squares, ranks with a `.` for each of them, in which digits are stones, or all squares in one word. Empty squares are `.`.
    pub fn board(&self) -> Vec<Vec<char>> {
        let text = self.game.format(&self.root);
        let first = text.split_whitespace().next().unwrap_or_default();
        let empty = |square: char| if square == '-' { '.' } else { square };
        if first.contains('/') {
            if first.contains('.') {
                return first.split('/').map(|rank| rank.chars().collect()).collect();
            }
            let wide = |square: char| match square.to_digit(10) {
                Some(count) => vec!['.'; count as usize],
                None => vec![square],
            };
            return first.split('/').map(|rank| rank.chars().flat_map(wide).collect()).collect();
        }
        let side = (1..=26).find(|side| side * side == first.len());
        let squares: Vec<char> = first.chars().map(empty).collect();
        side.map_or_else(Vec::new, |side| squares.chunks(side).map(<[char]>::to_vec).collect())
    }

    /// What its file says of the value, score units, and of the moves that have it: from moves with scores, as OBF has them.
    pub fn expected(&self) -> Option<(i32, Vec<String>)> {
        let scale = self.game.unit().scale;
        let scored = self.entry.operations.iter().filter_map(|operation| {
            let mv = self.game.parse_move(&self.root, &operation.code).ok()?;
            let points: i32 = operation.operands.trim().parse().ok()?;
            Some((points * scale, self.game.format_move(&self.root, mv)))
        });
        let scored: Vec<(i32, String)> = scored.collect();
        let best = scored.iter().map(|(points, _)| *points).max()?;
        Some((best, scored.into_iter().filter(|(points, _)| *points == best).map(|(_, mv)| mv).collect()))
    }
}
