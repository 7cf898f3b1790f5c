//! What a scope may ask of a root, held to what is known without one: the same search where it asks for nothing, minimax of
//! each move where it asks for lines.

use crate::common::*;
use secateur_core::prune::Methods;
use secateur_core::search::{
    AnySearch, Budget, Limits, MAX_DEPTH, Missing, News, Options, Outcome, Scope, minimax,
};
use secateur_core::{AnyGame, AnyMove, Depth, Game, Notation, Rules, Score, Window};
use secateur_games::chess::{Chess, MATE};
use secateur_games::othello::Othello;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";

/// A line as it was told: depth, place, value, moves.
type Line<M> = (i32, usize, Score, Vec<M>);

fn depth(depth: i32) -> Limits {
    Limits { depth, ..Limits::default() }
}

/// All lines of an analysis.
fn lines_of<G: Game>(
    search: &mut dyn AnySearch<G>,
    root: &G::Position,
    limits: &Limits,
    scope: &Scope<G::Move>,
) -> (Vec<Line<G::Move>>, Outcome<G::Move>) {
    let mut lines = Vec::new();
    let outcome = search.analyse(root, &[], limits, scope, &mut |news| {
        if let News::Line { iteration, line, .. } = news {
            lines.push((iteration.depth, line, iteration.score, iteration.pv.clone()));
        }
        ControlFlow::Continue(())
    });
    (lines, outcome)
}

fn all_moves<G: Game>(game: &G, pos: &G::Position) -> Vec<G::Move> {
    moves_of(game, pos).iter().map(|scored| scored.mv).collect()
}

/// Asking for nothing, or for all moves by name, is asking for no scope: the same values, lines and nodes, whatever the methods
/// and host options, and with a memory of earlier searches too.
fn nothing_asked_changes_nothing<G: Game>(game: &G, start: &str, plies: i32) {
    let (none, all) = (methods_of::<G>("none", &eager()), methods_of::<G>("all", &eager()));
    let variants = [
        small_table(),
        Options { aspiration: 10, check_extension: true, ..small_table() },
        Options { missing: Missing::Deepen, missing_from: 2, etc_min_depth: 2, ..small_table() },
        Options { missing: Missing::Shorten, missing_from: 2, table_min_depth: 3, ..small_table() },
    ];
    for (methods, options) in [&none, &all].iter().flat_map(|r| variants.iter().map(move |o| (*r, o.clone())))
    {
        let make = || game.clone().searcher(methods, options.clone());
        let (mut plain, mut empty, mut named) = (make(), make(), make());
        for pos in random_positions(game, start, 4, 71) {
            let expected = plain.go(&pos, &[], &depth(plies), &mut |_| ControlFlow::Continue(()));
            let everything = Scope { moves: all_moves(game, &pos), ..Scope::default() };
            for (search, scope) in [(&mut empty, Scope::default()), (&mut named, everything)] {
                let (_, outcome) = lines_of(search.as_mut(), &pos, &depth(plies), &scope);
                assert_eq!(outcome.iterations, expected.iterations, "{}", game.format(&pos));
                assert_eq!(outcome.tally.nodes, expected.tally.nodes);
            }
        }
    }
}

/// Without methods the lines are the moves in order of their minimax values, and the first is the value of the root.
fn lines_are_minimax_of_each_move<G: Game>(game: &G, start: &str, count: usize, plies: i32) {
    let mut search = game.clone().searcher(Methods::NONE, Options { aspiration: 10, ..small_table() });
    for pos in random_positions(game, start, count, 73) {
        let value = |mv, depth| {
            // From the child; what is proven counts plies from the root.
            let value = -minimax(game, &game.play(&pos, mv), Depth(depth - game.plies(mv)));
            let proven = value.abs() >= game.decisive();
            Score(value.0 - if proven { value.0.signum() } else { 0 })
        };
        let moves = all_moves(game, &pos);
        search.forget();
        let (lines, outcome) =
            lines_of(search.as_mut(), &pos, &depth(plies), &Scope { lines: 999, ..Scope::default() });
        assert_eq!(outcome.iterations.last().map(|one| one.depth), lines.last().map(|line| line.0));
        for iteration in &outcome.iterations {
            let now: Vec<_> = lines.iter().filter(|line| line.0 == iteration.depth).collect();
            assert!(now.iter().map(|line| line.1).eq(1..=moves.len()), "one line a move");
            let values: Vec<_> = moves.iter().map(|&mv| (mv, value(mv, iteration.depth))).collect();
            let mut expected: Vec<Score> = values.iter().map(|(_, value)| *value).collect();
            expected.sort();
            expected.reverse();
            assert_eq!(now.iter().map(|line| line.2).collect::<Vec<_>>(), expected, "{}", game.format(&pos));
            assert!(now.iter().all(|line| values.contains(&(line.3[0], line.2))), "each is its move's");
            assert_eq!((iteration.score, &iteration.pv), (now[0].2, &now[0].3));
            assert!(moves.iter().all(|mv| now.iter().filter(|line| line.3[0] == *mv).count() == 1));
        }
    }
}

/// One move alone has the value that the oracle gives it; some moves have that of the best of them; and the memory does
/// not take either for the value of the position.
fn some_moves_are_worth_the_best_of_them<G: Game>(game: &G, start: &str, plies: i32) {
    let mut oracle = game.clone().searcher(Methods::NONE, small_table());
    let options = Options { table_min_depth: 1, ..small_table() };
    let mut search = game.clone().searcher(Methods::NONE, options);
    for pos in random_positions(game, start, 4, 79) {
        let expected = oracle.run(&pos, &Budget::Depth(plies));
        let mut values = Vec::new();
        for mv in all_moves(game, &pos) {
            let scope = Scope { moves: vec![mv], ..Scope::default() };
            let (lines, _) = lines_of(search.as_mut(), &pos, &depth(plies), &scope);
            let last = lines.last().expect("a line");
            assert_eq!((last.2, last.3[0]), (oracle.move_value(&pos, mv, Depth(last.0)).0, mv));
            values.push((mv, last.2));
        }
        let half: Vec<_> = values.iter().step_by(2).collect();
        let scope = Scope { moves: half.iter().map(|(mv, _)| *mv).collect(), ..Scope::default() };
        let (lines, _) = lines_of(search.as_mut(), &pos, &depth(plies), &scope);
        assert_eq!(lines.last().map(|line| line.2), half.iter().map(|(_, value)| *value).max());
        // Two plies on, where it is the same side's turn: a value too low there makes a move look bad, and it is not searched again.
        for mv in all_moves(game, &pos) {
            let child = game.play(&pos, mv);
            for reply in all_moves(game, &child) {
                let below = game.play(&child, reply);
                let first = all_moves(game, &below).into_iter().take(1).collect();
                let left = plies - game.plies(mv) - game.plies(reply);
                lines_of(search.as_mut(), &below, &depth(left), &Scope { moves: first, ..Scope::default() });
            }
        }
        let whole = search.go(&pos, &[], &depth(plies), &mut |_| ControlFlow::Continue(()));
        assert_eq!(whole.last().score, expected.last().score, "{}", game.format(&pos));
    }
}

/// Whatever the methods and wherever a limit falls: lines replay, begin with allowed moves, no two with the same, and the move
/// to play is allowed.
fn every_line_is_legal_and_allowed<G: Game>(game: &G, start: &str, nodes: &[u64]) {
    let methods = methods_of::<G>("all", &eager());
    let options = Options { aspiration: 10, missing: Missing::Deepen, missing_from: 2, ..small_table() };
    let mut search = game.clone().searcher(&methods, options);
    for pos in random_positions(game, start, 6, 83) {
        let allowed: Vec<_> = all_moves(game, &pos).into_iter().skip(1).step_by(2).collect();
        for &nodes in nodes {
            let limits = Limits { depth: 6, nodes, ..Limits::default() };
            let scope = Scope { moves: allowed.clone(), lines: 3, ..Scope::default() };
            let (lines, outcome) = lines_of(search.as_mut(), &pos, &limits, &scope);
            let legal = all_moves(game, &pos);
            let choice = outcome.choice().expect("a move");
            assert!(legal.contains(&choice) && (allowed.is_empty() || allowed.contains(&choice)));
            let best = outcome.last().best_move();
            let count = if allowed.is_empty() { legal.len() } else { allowed.len() }.min(3);
            assert!(
                lines.last().is_some_and(|line| line.1 == count) || best == Some(choice),
                "no second best"
            );
            for (depth, line, _, pv) in &lines {
                assert!(allowed.is_empty() || allowed.contains(&pv[0]), "{}", game.format(&pos));
                let twice = lines.iter().filter(|other| other.0 == *depth && other.3[0] == pv[0]).count();
                assert_eq!((twice, *line <= 3), (1, true));
                let mut reached = pos.clone();
                for mv in pv {
                    assert!(all_moves(game, &reached).contains(mv), "{}", game.format(&pos));
                    reached = game.play(&reached, *mv);
                }
            }
        }
    }
}

/// Every move of the root has its turn, in the order of its number.
fn every_move_has_its_turn<G: Game>(game: &G, start: &str) {
    let mut search = game.clone().searcher(Methods::NONE, small_table());
    for pos in random_positions(game, start, 6, 89) {
        let mut turns = Vec::new();
        search.analyse(&pos, &[], &depth(3), &Scope::default(), &mut |news| {
            match news {
                News::Turn { depth, mv, number } => turns.push((depth, mv, number)),
                News::Line { iteration, fill, .. } => {
                    assert!(fill <= 1000);
                    let (depth, all) = (iteration.depth, all_moves(game, &pos));
                    assert!(turns.iter().map(|turn| turn.2).eq(1..=all.len()));
                    assert!(all.iter().all(|mv| turns.contains(&(depth, *mv, place(&turns, *mv)))));
                    turns.clear();
                }
            }
            ControlFlow::Continue(())
        });
    }
}

fn place<M: PartialEq + Copy>(turns: &[(i32, M, usize)], mv: M) -> usize {
    turns.iter().find(|turn| turn.1 == mv).map_or(0, |turn| turn.2)
}

fn holds_for<G: Game>(game: &G, start: &str, plies: i32) {
    nothing_asked_changes_nothing(game, start, plies);
    some_moves_are_worth_the_best_of_them(game, start, plies - 1);
    every_line_is_legal_and_allowed(game, start, &[0, 1, 50, 200, 1_000, 5_000]);
    every_move_has_its_turn(game, start);
}

#[test]
fn scopes_keep_what_they_promise_in_chess() {
    holds_for(&Chess::default(), WILD, 4);
    lines_are_minimax_of_each_move(&Chess::default(), WILD, 4, 2);
    lines_are_minimax_of_each_move(&Chess::default(), "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 4, 3);
}

#[test]
fn scopes_keep_what_they_promise_in_othello() {
    holds_for(&Othello::default(), OTHELLO, 5);
    lines_are_minimax_of_each_move(&Othello::default(), OTHELLO, 6, 4);
}

#[test]
fn scopes_keep_what_they_promise_where_the_type_of_the_game_is_not_known() {
    let (othello, game) = (Othello::default(), AnyGame::of(Othello::default()));
    some_moves_are_worth_the_best_of_them(&game, OTHELLO, 3);
    every_move_has_its_turn(&game, OTHELLO);
    let mut typed = othello.clone().searcher(Methods::NONE, small_table());
    let mut carried = game.clone().searcher(Methods::NONE, small_table());
    for pos in random_positions(&othello, OTHELLO, 4, 97) {
        let moves: Vec<_> = all_moves(&othello, &pos).into_iter().skip(1).collect();
        let packed = moves.iter().map(|mv| AnyMove(othello.pack(*mv))).collect();
        let unknown = game.parse(&othello.format(&pos)).expect("the same position");
        let scope = Scope { moves: packed, lines: 3, ..Scope::default() };
        let (lines, _) = lines_of(carried.as_mut(), &unknown, &depth(4), &scope);
        let (expected, _) =
            lines_of(typed.as_mut(), &pos, &depth(4), &Scope { moves, lines: 3, ..Scope::default() });
        let packed = |pv: &[_]| pv.iter().map(|mv| AnyMove(othello.pack(*mv))).collect::<Vec<_>>();
        assert!(expected.iter().map(|line| (line.0, line.1, line.2, packed(&line.3))).eq(lines));
    }
}

#[test]
fn a_window_for_mates_finds_the_shortest_and_nothing_else() {
    let game = Chess::default();
    let mut search = game.clone().searcher(Methods::NONE, small_table());
    let mut find = |fen: &str, moves: i32| {
        let pos = game.parse(fen).expect("a position");
        let scope = Scope {
            lines: 5,
            window: Window { alpha: Score(MATE - 2 * moves), ..Window::FULL },
            ..Scope::default()
        };
        search.forget();
        let (lines, _) = lines_of(search.as_mut(), &pos, &depth(2 * moves - 1), &scope);
        assert!(lines.iter().all(|line| line.1 == 1), "a window has one line");
        let (_, _, score, pv) = lines.into_iter().next_back().expect("a line");
        (MATE - score.0, pv)
    };
    let mate_in_two = "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";
    let (plies, line) = find(mate_in_two, 2);
    assert_eq!((plies, line.len(), find(mate_in_two, 3).0), (3, 3, 3));
    let key = line[0];
    let (plies, line) = find(mate_in_two, 1);
    assert!(plies > 1 && line.is_empty(), "no mate in one, and no line for what is not found");
    // What a shallower search of all moves finds, for the sake of the order, is no line of some of them.
    let options = Options { missing: Missing::Deepen, missing_from: 1, ..small_table() };
    let mut search = game.clone().searcher(Methods::NONE, options);
    let pos = game.parse(mate_in_two).expect("a position");
    let moves = all_moves(&game, &pos).into_iter().filter(|mv| *mv != key).take(1).collect();
    let scope = Scope { moves, lines: 1, window: Window { alpha: Score(MATE - 6), ..Window::FULL } };
    let (lines, _) = lines_of(search.as_mut(), &pos, &depth(5), &scope);
    assert!(lines.iter().all(|line| line.3.first() != Some(&key)), "{lines:?}");
}

#[test]
fn moves_that_a_root_has_not_are_passed_over() {
    let game = Chess::default();
    let mut search = game.clone().searcher(Methods::NONE, small_table());
    let pos = game.parse(WILD).expect("a position");
    let other = game.parse("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1").expect("a position");
    let moves = all_moves(&game, &other);
    let expected = search.run(&pos, &Budget::Depth(2));
    search.forget();
    let (_, outcome) = lines_of(search.as_mut(), &pos, &depth(2), &Scope { moves, ..Scope::default() });
    assert_eq!(outcome.iterations, expected.iterations);
    let mated = game.parse("4R1k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1").expect("a position");
    let (lines, _) =
        lines_of(search.as_mut(), &mated, &depth(MAX_DEPTH), &Scope { lines: 3, ..Scope::default() });
    assert!(lines.iter().all(|line| line.1 == 1 && line.3.is_empty() && line.2 == Score(-MATE)));
}

/// What has no limits of its own heeds a flag; without it these would outlast any test.
#[test]
fn a_flag_ends_what_has_no_limits() {
    let game = Chess::default();
    let root = game.parse(WILD).expect("a position");
    let mut search = game.clone().searcher(Methods::NONE, small_table());
    search.heed(Some(Arc::new(AtomicBool::new(true))));
    assert_eq!(search.run(&root, &Budget::Depth(MAX_DEPTH)).last().depth, 1);
    let mv = all_moves(&game, &root)[0];
    search.move_value(&root, mv, Depth(MAX_DEPTH));
    search.move_reaches(&root, mv, Depth(MAX_DEPTH), Score(0));
    search.heed(None);
    let value = search.move_value(&root, mv, Depth(3));
    assert_eq!(value.0, -minimax(&game, &game.play(&root, mv), Depth(2)));
}
