//! Othello as a game: what its rules, its evaluation and its texts promise the host.

use super::board::tests::random_boards;
use super::*;
use std::collections::BTreeMap;

#[test]
fn symmetry_and_colour_leave_the_evaluation_alone() {
    let game = Othello::default();
    let mut different = std::collections::BTreeSet::new();
    for board in random_boards(400) {
        let position = Position::new(board, true);
        let score = game.evaluate(&position);
        different.insert(score);
        assert_eq!(game.evaluate(&game.mirror(&position)), score);
        for symmetry in 0..8 {
            assert_eq!(game.evaluate(&game.transformed(&position, symmetry)), score);
        }
    }
    assert!(different.len() > 100, "an evaluation that tells nothing apart");
}

#[test]
fn the_evaluation_is_the_sum_of_its_classes() {
    let game = Othello::default();
    let (sharing, learnt) = (Sharing::get(), game.weights().learnt());
    let mut tried = 0;
    for board in random_boards(2_000) {
        // At a knot nothing is interpolated.
        let (knot, quarters) = knot(board.discs() as usize);
        if board.discs() < 8 || quarters != 0 {
            continue;
        }
        let position = Position::new(board, tried % 2 == 0);
        let weights = &learnt.patterns[knot * sharing.len()..];
        let classes = position.classes(sharing);
        let sum: i32 = classes.iter().map(|&class| i32::from(weights[class as usize])).sum();
        let sum = sum + i32::from(learnt.constant[board.discs() as usize]);
        assert_eq!(game.evaluate(&position), Score(sum.clamp(-LARGEST, LARGEST)), "{board:?}");
        tried += 1;
    }
    assert!(tried > 300);
}

#[test]
fn keys_belong_to_boards_not_to_the_way_there() {
    let game = Othello::new(Arc::new(Weights::elementary()));
    let mut boards = BTreeMap::new();
    for board in random_boards(50_000) {
        let position = Position::new(board, true);
        let discs = (board.player, board.opponent);
        let before = boards.insert(game.key(&position), discs);
        assert!(before.is_none_or(|before| before == discs), "collision");
        assert_eq!(game.key(&position), game.key(&game.mirror(&position)));
        assert_ne!(game.key(&position), game.key(&position.passed()));
        if let Some(square) = squares(board.moves()).next() {
            assert_eq!(game.key_after(&position, square), game.key(&game.play(&position, square)));
        }
        assert_eq!(game.key_after(&position, Square::PASS), game.key(&position.passed()));
    }
}

#[test]
fn the_horizon_is_exact_at_the_end_and_sees_through_a_pass() {
    let game = Othello::default();
    let (mut ends, mut passes) = (0, 0);
    for board in random_boards(20_000) {
        let position = Position::new(board, false);
        let mut moves = Moves::<Othello>::new();
        game.moves(&position, &mut moves);
        let at = |p: &Position| game.horizon(p, Window::FULL, 0, &mut Meter::default());
        if moves.is_empty() {
            ends += 1;
            assert_eq!(at(&position), game.outcome(&position, 0));
        } else if moves[0].mv == Square::PASS {
            passes += 1;
            assert_eq!(at(&position), -at(&game.play(&position, Square::PASS)));
            assert_eq!(game.plies(Square::PASS), 0);
        } else {
            assert_eq!(at(&position), game.evaluate(&position));
        }
    }
    assert!(ends > 100 && passes > 100);
}

#[test]
fn stages_follow_the_disc_count_and_moves_survive_packing() {
    let game = Othello::new(Arc::new(Weights::elementary()));
    for board in random_boards(120) {
        let position = Position::new(board, true);
        let (from, to) = Othello::STAGES[game.stage(&position)][1..].split_once('-').expect("a range");
        let discs = board.discs();
        assert!(from.parse::<u32>().is_ok_and(|from| from <= discs));
        assert!(to.parse::<u32>().is_ok_and(|to| discs <= to));
        assert_eq!(game.label(&position), discs.to_string());
        assert_eq!(game.remaining(&position), Some(64 - discs as i32));
    }
    for index in 0..Square::COUNT {
        let square = Square::new(index);
        assert_ne!(game.pack(square), 0);
        assert_eq!(game.unpack(game.pack(square)), square);
    }
}

#[test]
fn the_table_move_comes_first_at_every_height() {
    let game = Othello::new(Arc::new(Weights::elementary()));
    for depth in 1..=6 {
        let mut moves = Moves::<Othello>::new();
        let position = game.start();
        game.moves(&position, &mut moves);
        let table = moves[2].mv;
        let history = [0; Othello::HISTORY];
        let hints = Hints { depth, table: Some(table), killers: [None; 2], counter: None, history: &history };
        game.order(&position, &hints, &mut moves);
        assert_eq!(moves.iter().max_by_key(|scored| scored.value).map(|s| s.mv), Some(table));
    }
}
