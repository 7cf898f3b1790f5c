//! Moves as another program has them: the table that `judge.py` made with pydraughts, one named by `JUDGED`, and positions that it
//! judges while the tests run, where it can.

#![expect(
    clippy::print_stdout,
    reason = "a test that was skipped says so, and one that was not how much it saw"
)]

use super::Draughts;
use secateur_base::Fnv;
use secateur_core::game::{Notation, Rules};
use std::collections::BTreeSet;
use std::process::Command;

static TABLE: &str = include_str!("../data/judged.txt");
/// Positions that are judged while the tests run, unless `JUDGE` says how many.
const ASKED: usize = 100;

/// The different positions after one move, as they are written without the clock.
fn after(game: &Draughts, fen: &str) -> BTreeSet<String> {
    let pos = game.parse(fen).expect("a position");
    let mut moves = secateur_core::game::Moves::<Draughts>::new();
    game.moves(&pos, &mut moves);
    let positions: BTreeSet<String> =
        moves.iter().map(|scored| game.identity(&game.play(&pos, scored.mv))).collect();
    assert_eq!(positions.len(), moves.len(), "two moves with one result: {fen}");
    positions
}

/// Holds every line of a table against the moves here; how many lines there are, and how many kinds of positions.
fn hold(table: &str) -> (usize, usize) {
    let game = Draughts::default();
    let mut kinds = BTreeSet::new();
    for line in table.lines() {
        let [fen, moves, hash, plies, leaves] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("found {line:?}, expected five columns");
        };
        let positions = after(&game, fen);
        let mut fnv = Fnv::default();
        positions.iter().for_each(|fen| {
            fnv.bytes(fen.as_bytes()).bytes(b"\n");
        });
        assert_eq!(
            (positions.len().to_string().as_str(), fnv.hex().as_str()),
            (moves, hash),
            "{line}: {positions:?}"
        );
        let pos = game.parse(fen).expect("a position");
        let plies: u32 = plies.parse().expect("a number");
        assert_eq!(pos.board().perft(plies).to_string(), leaves, "{line}");
        kinds.insert((
            pos.board().must_take(),
            pos.board().kings != 0,
            pos.black_to_move(),
            positions.is_empty(),
        ));
    }
    (table.lines().count(), kinds.len())
}

#[test]
fn moves_are_those_of_another_program() {
    let path = std::env::var_os("JUDGED");
    let text = path.map(|path| std::fs::read_to_string(path).expect("a table"));
    let (lines, kinds) = hold(text.as_deref().unwrap_or(TABLE));
    println!("{lines} positions have the same moves");
    // Captures and none, kings and none, either side, and the end of games.
    assert!(kinds >= 9, "{kinds} kinds of positions");
}

/// The same with positions that the other program judges now.
#[test]
fn moves_are_those_of_another_program_that_is_asked() {
    let wanted =
        std::env::var("JUDGE").map_or(ASKED, |count| count.parse().expect("JUDGE: a number of positions"));
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/judge.py");
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import draughts"]).is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 has no module `draughts` (pip install pydraughts==0.6.7)");
        return;
    }
    let output = python(&[judge, &wanted.to_string(), "0", "all"]).expect("it was there a moment ago");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).expect("text");
    let (lines, _) = hold(&table);
    println!("{lines} positions have the same moves");
    assert_eq!(lines, wanted);
}
