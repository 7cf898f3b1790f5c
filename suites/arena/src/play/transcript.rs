//! `games.pgn`: the games as text that other programs read.
//!
//! Chess is standard PGN (Edwards 1994) with the opening's position as FEN; after every move a comment has value,
//! depth, time and nodes. Draughts is PDN 3.0 in the same layout, with its game type, and `1-0` where black, which begins, has won, as
//! draughts programs write it. Othello has no such standard: the same layout, with X and O for the sides, the discs as
//! result, and the position as this program writes it. In a game with dice the throw stands before its move.

use super::player::{Choice, Value};
use super::referee::Played;
use secateur_core::Game;
use std::fmt::Write;

/// Length of the longest line, as the standard asks.
const WIDTH: usize = 79;

/// What the head of a transcript says besides the game.
pub(super) struct Head<'a> {
    /// Number of the game, from 1.
    pub(super) number: usize,
    /// Names of the players of side 0 and side 1.
    pub(super) players: [&'a str; 2],
    pub(super) opening: &'a str,
    pub(super) result: &'a str,
    pub(super) limit: &'a str,
    /// Day, `YYYY-MM-DD`.
    pub(super) date: &'a str,
}

/// The transcript of a game, with an empty line at its end.
pub(super) fn transcript<G: Game>(game: &G, head: &Head<'_>, played: &Played<G>) -> String {
    let sides = game.sides().map(|side| {
        let mut letters = side.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let termination = match played.end.detail.as_str() {
        "" => played.end.reason.to_string(),
        detail => format!("{}: {detail}", played.end.reason),
    };
    let round = head.number.to_string();
    let date = head.date.replace('-', ".");
    let start = game.format(&played.start);
    let plies = played.plies.len().to_string();
    let form = game.transcript();
    let tags = [
        ("Event", "secateur match"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &round),
        (&sides[0], head.players[0]),
        (&sides[1], head.players[1]),
        ("Result", head.result),
        ("SetUp", "1"),
        (form.position, &start),
        ("Opening", head.opening),
        ("PlyCount", &plies),
        ("TimeControl", head.limit),
        ("Termination", &termination),
    ];
    let mut text = String::new();
    for (name, value) in tags.into_iter().chain(form.tags.iter().copied()) {
        let value = value.replace(['\\', '"', '\n', '\r'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    text + &wrapped(&moves(game, played), head.result) + "\n"
}

/// The words of the moves: numbers, moves, comments.
fn moves<G: Game>(game: &G, played: &Played<G>) -> Vec<String> {
    let mut number = full_move(game, &played.start);
    let mut tokens = Vec::new();
    for (index, ply) in played.plies.iter().enumerate() {
        let side = game.side(&ply.from);
        if side == 0 {
            tokens.push(format!("{number}."));
        } else if index == 0 || played.plies[index - 1].choice.is_some() {
            // After a comment the number is said again.
            tokens.push(format!("{number}..."));
        }
        tokens.extend(game.dice(&ply.from));
        tokens.push(game.shown(&ply.from, ply.mv));
        tokens.extend(ply.choice.iter().flat_map(comment));
        number += side;
    }
    tokens
}

/// Number of the next move: what the position says (chess), or 1.
fn full_move<G: Game>(game: &G, pos: &G::Position) -> usize {
    game.format(pos).split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// `{+0.34/9 0.123s 20001n}` as words.
fn comment(choice: &Choice) -> [String; 3] {
    let value = match choice.value {
        Some(Value::Score(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        Some(Value::Mate(moves)) if moves < 0 => format!("-M{}", -moves),
        Some(Value::Mate(moves)) => format!("+M{moves}"),
        None => "?".to_owned(),
    };
    [
        format!("{{{value}/{}", choice.depth),
        format!("{:.3}s", choice.wall.as_secs_f64()),
        format!("{}n}}", choice.nodes),
    ]
}

fn wrapped(tokens: &[String], result: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in tokens.iter().map(String::as_str).chain([result]) {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text + "\n"
}
