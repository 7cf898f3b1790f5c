//! A game of unknown type against the same game of its own.

use secateur_core::game::Outcomes;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options};
use secateur_core::{AnyGame, AnyMove, Evaluation, Game, Moves, Notation, Rules};
use secateur_games::chess::Chess;
use secateur_games::einstein::Einstein;
use secateur_games::othello::Othello;

/// The same search, whether the type of the game is known or not.
fn searches_as_itself<G: Game>(game: &G, text: &str, depth: i32) {
    let any = AnyGame::of(game.clone());
    let (known, unknown) = (game.parse(text).unwrap(), any.parse(text).unwrap());
    assert_eq!(any.format(&unknown), game.format(&known));
    let options = Options { table_mib: 1, ..Options::default() };
    let own = game.clone().searcher(Methods::NONE, options.clone()).run(&known, &Budget::Depth(depth));
    let found = any.clone().searcher(Methods::NONE, options).run(&unknown, &Budget::Depth(depth));
    assert_eq!(found.iterations.len(), own.iterations.len());
    for (found, own) in found.iterations.iter().zip(&own.iterations) {
        assert_eq!((found.depth, found.score, found.nodes), (own.depth, own.score, own.nodes));
        let packed: Vec<AnyMove> = own.pv.iter().map(|mv| AnyMove(game.pack(*mv))).collect();
        assert_eq!(found.pv, packed);
    }
    let (mut pos, mut same) = (unknown, known);
    for mv in own.last().pv.clone() {
        (pos, same) = (any.play(&pos, AnyMove(game.pack(mv))), game.play(&same, mv));
        assert_eq!(any.format(&pos), game.format(&same));
        assert_eq!((any.key(&pos), any.evaluate(&pos)), (game.key(&same), game.evaluate(&same)));
    }
    let (mut moves, mut own) = (Moves::<AnyGame>::new(), Moves::<G>::new());
    any.moves(&pos, &mut moves);
    game.moves(&same, &mut own);
    let written: Vec<String> = moves.iter().map(|scored| any.format_move(&pos, scored.mv)).collect();
    assert_eq!(written, own.iter().map(|scored| game.format_move(&same, scored.mv)).collect::<Vec<_>>());
}

#[test]
fn a_game_of_unknown_type_is_the_same_game() {
    let start = "---------------------------OX------XO--------------------------- X";
    searches_as_itself(&Othello::default(), start, 7);
    assert_eq!(AnyGame::of(Othello::default()).start().as_deref(), Some(start));
    searches_as_itself(&Chess::default(), "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 7);
    searches_as_itself(&Einstein::default(), "..CBA/...ED/6...F/45.../123.. b 3", 3);
}

/// What chance may make of a position is the same, whether the type of the game is known or not.
#[test]
fn throws_of_a_game_of_unknown_type_are_the_same() {
    let game = Einstein::default();
    let any = AnyGame::of(game.clone());
    let text = "..C../...E./6..../4..../..3.. r -";
    let (known, unknown) = (game.parse(text).unwrap(), any.parse(text).unwrap());
    let (mut own, mut outcomes) = (Outcomes::<Einstein>::new(), Outcomes::<AnyGame>::new());
    game.outcomes(&known, &mut own);
    any.outcomes(&unknown, &mut outcomes);
    let written: Vec<_> = outcomes.iter().map(|of| (of.weight, any.format(&of.pos))).collect();
    assert_eq!(written, own.iter().map(|of| (of.weight, game.format(&of.pos))).collect::<Vec<_>>());
    assert!(any.chances() && any.awaits(&unknown) && !any.awaits(&outcomes[0].pos));
    assert_eq!(any.unthrown(&outcomes[0].pos), Some(unknown));
    assert!(!AnyGame::of(Othello::default()).chances());
}

#[test]
#[should_panic(expected = "a position of the game that is asked")]
fn positions_of_another_game_are_refused() {
    let start = "---------------------------OX------XO--------------------------- X";
    let pos = AnyGame::of(Othello::default()).parse(start).unwrap();
    let _ = AnyGame::of(Chess::default()).evaluate(&pos);
}
