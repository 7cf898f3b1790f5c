//! Where having to move hurts: plain null move fails, its verified form and the full width do not.

use secateur_core::search::{Budget, Search};
use secateur_core::{Game, Notation};
use secateur_games::chess::Chess;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;

/// Positions of the set with their best moves, on which a search of [`DEPTH`] plies shows the difference.
const CASES: [(&str, &str); 3] = [
    // Morphy's problem: mate in two by a quiet move that only leaves Black to move.
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"),
    ("8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1", "f4d5"),
    ("8/8/8/8/2R5/1k2K3/4n3/8 w - - 0 1", "e3d3"),
];
const DEPTH: i32 = 10;

fn solved(arm: &str) -> [bool; 3] {
    let setup = Setup::embedded(Chess::NAME).unwrap();
    let methods = setup.equip(&Arm::parse(arm).unwrap()).unwrap();
    let mut search = Search::new(Chess::default(), &methods.of::<Chess>(), setup.options.clone());
    CASES.map(|(fen, best)| {
        let root = search.game.parse(fen).unwrap();
        let outcome = search.run(&root, &Budget::Depth(DEPTH));
        outcome.last().best_move().map(|mv| search.game.format_move(&root, mv)).as_deref() == Some(best)
    })
}

#[test]
fn null_move_fails_in_zugzwang_and_verification_mends_it() {
    assert_eq!(solved("none"), [true; 3]);
    assert_eq!(solved("null-move"), [false; 3]);
    assert_eq!(solved("null-move[verified]"), [true; 3]);
}
