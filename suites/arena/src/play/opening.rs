//! The openings of a match: one for each pair, drawn by seed.
//!
//! Chess games begin with a known line and a few varied plies, so that there are enough distinct ones, and count only
//! if nothing was fitted to them and a shallow search finds them even: a lost opening gives two games that say nothing.
//! Positions of a set or a file are taken as they are, but those that something was tuned on, in an order drawn by seed. Where
//! the stones are set up before a game, the lot sets them up. No two openings are alike, symmetries included: players whose
//! searches repeat would play the same games again, and whoever counted them would be surer than the games allow. So there may
//! be fewer than pairs were asked for, and a match is refused then.

use super::record::OpeningRow;
use secateur_core::Game;
use secateur_core::search::Budget;
use secateur_positions::duplicates::tuned_on;
use secateur_positions::{Reading, resolve_as};
use secateur_suites::Error;
use secateur_suites::sample::gather::{Dice, Family, Plan, Player};
use secateur_suites::sample::{opening_lines, opening_names, usual_set};
use secateur_suites::setups::setup::Setup;
use std::collections::BTreeSet;

/// Varied plies after a line.
const VARIED: usize = 4;
/// Depth of the searches that draw them, plies.
const VARIED_DEPTH: i32 = 2;
/// How far below the best a varied ply may be, centipawns.
const VARIED_MARGIN: i32 = 40;
/// Nodes of the search that weighs an opening.
const WEIGHED_NODES: u64 = 10_000;
/// Largest value of an opening for either side, centipawns.
const BALANCE: i32 = 70;

/// One opening for each of `pairs` pairs, or as many as there are.
///
/// # Errors
/// A position set that cannot be had, or has no position to play from.
pub fn openings<G: Game>(
    game: &G,
    (set, reading): (Option<&str>, Reading),
    seed: u64,
    pairs: usize,
    threads: usize,
) -> Result<Vec<OpeningRow>, Error> {
    match from(game, set)? {
        From::Set(set) => from_set(game, (&set, reading), seed, pairs),
        From::Lines => drawn(game, seed, pairs, threads),
        From::Layouts => laid_out(game, seed, pairs),
    }
}

/// How the openings came about, in words, and how many of them are no test of what was fitted or tuned.
pub(super) fn described<G: Game>(game: &G, set: Option<&str>, rows: &[OpeningRow]) -> Result<String, Error> {
    Ok(match from(game, set)? {
        From::Set(set) => {
            let tuned = tuned_on(game)?;
            let is_tuned = |row: &&OpeningRow| {
                game.parse(&row.position).is_ok_and(|pos| tuned.contains(&game.canonical(&pos)))
            };
            match rows.iter().filter(is_tuned).count() {
                0 => format!("positions of {set}"),
                count => format!(
                    "positions of {set}, {count} of {} of which something was fitted or tuned on",
                    rows.len()
                ),
            }
        }
        From::Lines => format!(
            "known lines and {VARIED} varied plies, within {BALANCE} centipawns at {WEIGHED_NODES} nodes"
        ),
        From::Layouts => "layouts drawn by lot".to_owned(),
    })
}

/// What games begin from.
enum From {
    /// Positions of a set or a file.
    Set(String),
    /// Known lines with some varied plies.
    Lines,
    /// What the lot sets up.
    Layouts,
}

/// What games begin from: the set that was asked for, or the usual.
fn from<G: Game>(game: &G, set: Option<&str>) -> Result<From, Error> {
    if let Some(set) = set {
        return Ok(From::Set(set.to_owned()));
    }
    let openings = Setup::embedded(game.name())?.play.openings;
    match openings.as_str() {
        "" => usual_set(game).map(From::Set).ok_or_else(|| {
            Error::Usage(format!("{}: no usual openings; name some with --openings", game.name()))
        }),
        "lines" => Ok(From::Lines),
        "layouts" => Ok(From::Layouts),
        _ => Ok(From::Set(openings)),
    }
}

/// One opening for each of `pairs` pairs of a match.
///
/// # Errors
/// As of [`openings`]; fewer openings than pairs.
pub(super) fn enough<G: Game>(
    game: &G,
    (set, reading): (Option<&str>, Reading),
    seed: u64,
    pairs: usize,
    threads: usize,
) -> Result<Vec<OpeningRow>, Error> {
    let rows = openings(game, (set, reading), seed, pairs, threads)?;
    if rows.len() < pairs {
        let count = rows.len();
        return Err(Error::Usage(format!(
            "openings: found {count} that differ ({}), expected {pairs}, one for each pair of games: ask for at most {} games, \
             or for other openings",
            described(game, set, &[])?,
            2 * count
        )));
    }
    Ok(rows)
}

/// Draws that may find a layout again before it is given up to look for another.
const REPEATS: usize = 1_000;

/// A layout for each pair, drawn by its number; one that was drawn before is left out.
fn laid_out<G: Game>(game: &G, seed: u64, pairs: usize) -> Result<Vec<OpeningRow>, Error> {
    let layout = |number: u64| {
        let mut dice = Dice::new(seed, Family::Play, number);
        game.layout(&mut |sides| dice.below(sides as usize) as u32)
    };
    let (mut taken, mut rows, mut repeats) = (BTreeSet::new(), Vec::new(), 0);
    for number in 1.. {
        if rows.len() == pairs || repeats == REPEATS {
            break;
        }
        let position = layout(number)
            .ok_or_else(|| Error::Usage(format!("{}: this game has no openings to set up", game.name())))?;
        let form = game.parse(&position).map_err(|error| Error::Usage(error.to_string()))?;
        match taken.insert(game.canonical(&form)) {
            true => {
                rows.push(OpeningRow::new(format!("layout /{number}"), position));
                repeats = 0;
            }
            false => repeats += 1,
        }
    }
    Ok(rows)
}

/// Distinct positions among openings, up to symmetry.
pub(super) fn distinct<G: Game>(game: &G, openings: &[OpeningRow]) -> usize {
    let forms = openings.iter().filter_map(|row| game.parse(&row.position).ok());
    forms.map(|pos| game.canonical(&pos)).collect::<BTreeSet<_>>().len()
}

fn from_set<G: Game>(
    game: &G,
    (set, reading): (&str, Reading),
    seed: u64,
    pairs: usize,
) -> Result<Vec<OpeningRow>, Error> {
    let set = resolve_as(game, set, reading)?;
    let playable = |position: &str| game.parse(position).is_ok_and(|pos| game.ending(&pos, 1).is_none());
    let reserved = set.reserved_ids();
    let mut rows: Vec<OpeningRow> = set
        .entries
        .iter()
        .filter(|entry| playable(&entry.position))
        .map(|entry| OpeningRow::new(entry.id.clone(), entry.position.clone()))
        .collect();
    if rows.iter().all(|row| reserved.contains(row.opening.as_str())) {
        return Err(Error::Usage(format!("{}: no position to play from", set.name)));
    }
    let mut dice = Dice::new(seed, Family::Play, 0);
    for last in (1..rows.len()).rev() {
        rows.swap(last, dice.below(last + 1));
    }
    // After the draw, so that the others come in the order of matches that had these, too.
    rows.retain(|row| !reserved.contains(row.opening.as_str()));
    let mut taken = BTreeSet::new();
    rows.retain(|row| game.parse(&row.position).is_ok_and(|pos| taken.insert(game.canonical(&pos))));
    rows.truncate(pairs);
    Ok(rows)
}

/// Distinct openings of chess, drawn by seed: a known line and a few varied plies each, found even by a shallow search.
///
/// # Errors
/// A fault in the built-in sets; no opening that is even.
pub fn drawn<G: Game>(game: &G, seed: u64, pairs: usize, threads: usize) -> Result<Vec<OpeningRow>, Error> {
    let (lines, names) = (opening_lines(game), opening_names());
    let plan = Plan { slots: vec![pairs], threads };
    // A position that numbers of the players were fitted to is no test of them.
    let (mut taken, mut rows) = (tuned_on(game)?, Vec::new());
    plan.gather(
        || Player::new(game),
        |player, number, _| {
            let mut dice = Dice::new(seed, Family::Play, number);
            let line = dice.below(lines.len());
            let mut pos = lines[line].last()?.clone();
            for _ in 0..VARIED {
                let mv = player.near_best(&pos, VARIED_DEPTH, VARIED_MARGIN, &mut dice)?;
                pos = player.game().play(&pos, mv);
            }
            let (_, value) = player.best(&pos, &Budget::Nodes(WEIGHED_NODES))?;
            (value.abs().0 <= BALANCE).then_some((line, pos))
        },
        |number, _, (line, pos)| {
            let fresh = taken.insert(game.canonical(&pos));
            if fresh {
                let name = format!("{} /{number}", names[line]);
                rows.push(OpeningRow::new(name, game.format(&pos)));
            }
            fresh
        },
        &mut |_, _| (),
    );
    if rows.is_empty() {
        return Err(Error::Usage("no balanced opening was found".to_owned()));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::{chess::Chess, othello::Othello};

    const USUAL: Reading = Reading { skip_bad: false, every: Reading::EVERY };

    #[test]
    fn drawn_openings_are_distinct_even_and_the_same_on_any_threads() {
        let game = Chess::default();
        let one = openings(&game, (None, USUAL), 7, 12, 1).unwrap();
        assert_eq!((one.len(), distinct(&game, &one)), (12, 12));
        assert_eq!(one, openings(&game, (None, USUAL), 7, 12, 2).unwrap());
        assert_eq!(
            one[..5],
            openings(&game, (None, USUAL), 7, 5, 1).unwrap(),
            "fewer pairs play the first of them"
        );
        assert_ne!(one, openings(&game, (None, USUAL), 8, 12, 1).unwrap());
        let mut player = Player::new(&game);
        for row in &one {
            let pos = game.parse(&row.position).unwrap();
            let (_, value) = player.best(&pos, &Budget::Nodes(WEIGHED_NODES)).unwrap();
            assert!(value.abs().0 <= BALANCE, "{row:?}");
        }
    }

    #[test]
    fn positions_of_a_set_come_in_an_order_of_the_seed_and_never_again() {
        let game = Othello::default();
        let rows = openings(&game, (None, USUAL), 1, 501, 1).unwrap();
        // All of a set but those that thresholds were chosen on.
        assert_eq!((rows.len(), distinct(&game, &rows)), (470, 470));
        assert_eq!(enough(&game, (None, USUAL), 1, 470, 1).unwrap(), rows);
        let error = enough(&game, (None, USUAL), 1, 501, 1).unwrap_err().to_string();
        assert!(error.contains("found 470 that differ") && error.contains("at most 940 games"), "{error}");
        assert_ne!(rows[..10], openings(&game, (None, USUAL), 2, 10, 1).unwrap());
        assert!(openings(&game, (Some("bratko-kopec"), USUAL), 1, 1, 1).is_err());
    }

    #[test]
    fn what_something_was_fitted_on_is_said_of_openings() {
        let game = Othello::default();
        let description = |set: &str| {
            let rows = openings(&game, (Some(set), USUAL), 1, 8, 1).unwrap();
            described(&game, Some(set), &rows).unwrap()
        };
        assert_eq!(description("othello-12"), "positions of othello-12");
        let fitted = "positions of othello-fit, 8 of 8 of which something was fitted or tuned on";
        assert_eq!(description("othello-fit"), fitted);
    }

    /// The same position twice, and a reflection of it.
    #[test]
    fn positions_that_are_alike_are_one_opening() {
        let game = Othello::default();
        let set = tempfile::NamedTempFile::with_suffix(".obf").unwrap();
        let start = "---------------------------OX------XO---------------------------";
        let mirrored = "---------------------------XO------OX---------------------------";
        std::fs::write(set.path(), format!("{start} X;\n{start} X;\n{mirrored} O;\n{mirrored} X;\n"))
            .unwrap();
        let path = set.path().to_str();
        let rows = openings(&game, (path, USUAL), 1, 4, 1).unwrap();
        assert_eq!(rows.len(), distinct(&game, &rows));
        assert!(rows.len() < 4, "{rows:?}");
    }
}
