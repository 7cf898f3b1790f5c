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
    let (typed, unknown) = (game.parse(text).unwrap(), any.parse(text).unwrap());
    assert_eq!(any.format(&unknown), game.format(&typed));
    let options = Options { table_mib: 1, ..Options::default() };
    let plain = game.clone().searcher(Methods::NONE, options.clone()).run(&typed, &Budget::Depth(depth));
    let erased = any.clone().searcher(Methods::NONE, options).run(&unknown, &Budget::Depth(depth));
    assert_eq!(erased.iterations.len(), plain.iterations.len());
    for (erased, typed) in erased.iterations.iter().zip(&plain.iterations) {
        assert_eq!((erased.depth, erased.score, erased.nodes), (typed.depth, typed.score, typed.nodes));
        let packed: Vec<AnyMove> = typed.pv.iter().map(|mv| AnyMove(game.pack(*mv))).collect();
        assert_eq!(erased.pv, packed);
    }
    let (mut pos, mut same) = (unknown, typed);
    for mv in plain.last().pv.clone() {
        (pos, same) = (any.play(&pos, AnyMove(game.pack(mv))), game.play(&same, mv));
        assert_eq!(any.format(&pos), game.format(&same));
        assert_eq!((any.key(&pos), any.evaluate(&pos)), (game.key(&same), game.evaluate(&same)));
    }
    let (mut moves, mut legal) = (Moves::<AnyGame>::new(), Moves::<G>::new());
    any.moves(&pos, &mut moves);
    game.moves(&same, &mut legal);
    let written: Vec<String> = moves.iter().map(|scored| any.format_move(&pos, scored.mv)).collect();
    assert_eq!(written, legal.iter().map(|scored| game.format_move(&same, scored.mv)).collect::<Vec<_>>());
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
    let (typed, unknown) = (game.parse(text).unwrap(), any.parse(text).unwrap());
    let (mut thrown, mut outcomes) = (Outcomes::<Einstein>::new(), Outcomes::<AnyGame>::new());
    game.outcomes(&typed, &mut thrown);
    any.outcomes(&unknown, &mut outcomes);
    let written: Vec<_> = outcomes.iter().map(|one| (one.weight, any.format(&one.pos))).collect();
    assert_eq!(written, thrown.iter().map(|one| (one.weight, game.format(&one.pos))).collect::<Vec<_>>());
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
