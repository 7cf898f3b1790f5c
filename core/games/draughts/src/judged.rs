//! Moves as another program has them: the table that `judge.py` made with pydraughts, or one named by `JUDGED`.

use super::Draughts;
use secateur_base::Fnv;
use secateur_core::game::{Notation, Rules};
use std::collections::BTreeSet;

static TABLE: &str = include_str!("../data/judged.txt");

/// The different positions after one move, as they are written without the clock.
fn after(game: &Draughts, fen: &str) -> BTreeSet<String> {
    let pos = game.parse(fen).expect("a position");
    let mut moves = secateur_core::game::Moves::<Draughts>::new();
    game.moves(&pos, &mut moves);
    let found: BTreeSet<String> =
        moves.iter().map(|scored| game.identity(&game.play(&pos, scored.mv))).collect();
    assert_eq!(found.len(), moves.len(), "two moves with one result: {fen}");
    found
}

#[test]
fn moves_are_those_of_another_program() {
    let game = Draughts::default();
    let given = std::env::var_os("JUDGED");
    let text = given.map(|path| std::fs::read_to_string(path).expect("a table"));
    let mut kinds = BTreeSet::new();
    for line in text.as_deref().unwrap_or(TABLE).lines() {
        let [fen, moves, hash, plies, leaves] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("found {line:?}, expected five columns");
        };
        let found = after(&game, fen);
        let mut fnv = Fnv::default();
        found.iter().for_each(|fen| {
            fnv.bytes(fen.as_bytes()).bytes(b"\n");
        });
        assert_eq!(
            (found.len().to_string().as_str(), fnv.hex().as_str()),
            (moves, hash),
            "{line}: {found:?}"
        );
        let pos = game.parse(fen).expect("a position");
        let plies: u32 = plies.parse().expect("a number");
        assert_eq!(pos.board().perft(plies).to_string(), leaves, "{line}");
        kinds.insert((
            pos.board().must_take(),
            pos.board().kings != 0,
            pos.black_to_move(),
            found.is_empty(),
        ));
    }
    // Captures and none, kings and none, either side, and the end of games.
    assert!(kinds.len() >= 9, "{kinds:?}");
}
