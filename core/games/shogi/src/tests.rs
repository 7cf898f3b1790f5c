//! Rules against published counts, sums against sums from scratch, texts there and back.

use super::*;
use crate::order::FAR;
use secateur_core::Score;
use secateur_core::game::{Ending, Evaluation, Moves, Notation, Rules, random_games};
use std::collections::BTreeSet;

fn moves(game: &Shogi, pos: &Position) -> Vec<Move> {
    let mut moves = Moves::<Shogi>::new();
    game.moves(pos, &mut moves);
    moves.iter().map(|scored| scored.mv).collect()
}

fn perft(game: &Shogi, pos: &Position, depth: usize) -> u64 {
    let moves = moves(game, pos);
    match depth {
        1 => moves.len() as u64,
        _ => moves.into_iter().map(|mv| perft(game, &game.play(pos, mv), depth - 1)).sum(),
    }
}

fn at(sfen: &str) -> Position {
    Shogi::default().parse(sfen).expect("a legal position")
}

/// Well-known positions with many drops: one of a professional game ("matsuri"), and the one with most moves.
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// `count` positions from random games of up to 200 plies from varied starts; finished games included.
fn positions(count: usize) -> Vec<Position> {
    random_games(&Shogi::default(), &[text::START, MATSURI, MOST], 200, 1).take(count).collect()
}

fn counts(sfen: &str, counts: &[u64]) {
    let game = Shogi::default();
    let pos = at(sfen);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&game, &pos, depth), count, "{sfen} depth {depth}");
        assert_eq!(perft(&game, &game.mirror(&pos), depth), count, "mirrored {sfen} depth {depth}");
    }
}

/// Counts of the start are on the Chess Programming Wiki ("Shogi"), of the others with the programs YaneuraOu and Apery.
#[test]
fn trees_have_as_many_leaves_as_published() {
    counts(text::START, &[30, 900, 25_470]);
    counts(MATSURI, &[207, 28_684]);
    counts(MOST, &[593, 105_677]);
}

#[test]
#[ignore = "long: twenty million leaves"]
fn deeper_trees_have_as_many_leaves_as_published() {
    counts(text::START, &[30, 900, 25_470, 719_731, 19_861_490]);
    counts(MATSURI, &[207, 28_684, 4_809_015]);
}

#[test]
fn sums_kept_up_to_date_equal_sums_from_scratch() {
    let game = Shogi::default();
    for pos in positions(1500) {
        let fresh = at(&game.format(&pos));
        assert_eq!((fresh.placed, &fresh.board), (pos.placed, &pos.board), "{}", game.format(&pos));
        assert_eq!(fresh.board.hash(), pos.board.hash());
        let mut sum = 0;
        terms(pos.board(), |weight, count| sum += i32::from(game.weights.learnt()[weight]) * count);
        assert_eq!(game.evaluate(&pos).0, sum.clamp(-FAR, FAR), "{}", game.format(&pos));
    }
}

/// Places are shared between left and right, and far from a king is far.
#[test]
fn left_and_right_are_worth_the_same() {
    let game = Shogi::default();
    let mut uneven = 0;
    for pos in positions(600) {
        let text = game.format(&pos);
        let (board, rest) = text.split_once(' ').expect("fields");
        // A promoted piece is two characters, which stay in order.
        let flip = |rank: &str| {
            let pieces: String = rank.chars().rev().collect();
            let marked = pieces.as_bytes().iter().enumerate();
            let is_marked = |at: usize| pieces.as_bytes().get(at + 1) == Some(&b'+');
            let turned = marked.filter(|&(_, &byte)| byte != b'+').map(|(at, &byte)| {
                if is_marked(at) { format!("+{}", byte as char) } else { (byte as char).to_string() }
            });
            turned.collect::<String>()
        };
        let flipped = board.split('/').map(flip).collect::<Vec<_>>().join("/");
        let other = at(&format!("{flipped} {rest}"));
        assert_eq!(game.evaluate(&other), game.evaluate(&pos), "{text}");
        uneven += usize::from(flipped != board);
    }
    assert!(uneven > 500, "{uneven}");
}

/// What the table holds may be the move of another position.
#[test]
fn the_legal_moves_are_those_that_are_generated() {
    let game = Shogi::default();
    let mut legal = 0;
    for pos in positions(750).iter().step_by(9) {
        let moves: BTreeSet<u16> = moves(&game, pos).into_iter().map(|mv| game.pack(mv)).collect();
        for bits in 1..1 << 15 {
            let mv = game.unpack(bits);
            if game.pack(mv) == bits {
                let is_legal = game.is_legal(pos, mv);
                assert_eq!(is_legal, moves.contains(&bits), "{mv} in {}", game.format(pos));
                legal += usize::from(is_legal);
            }
        }
        assert_eq!(moves.len(), self::moves(&game, pos).len());
    }
    assert!(legal > 4_000, "{legal}");
}

#[test]
fn a_null_move_changes_the_side_and_nothing_else() {
    let game = Shogi::default();
    let mut pinned = 0;
    for pos in positions(1500) {
        let Some(null) = game.null(&pos) else {
            assert!(game.in_check(&pos));
            continue;
        };
        let text = game.format(&pos);
        let fields: Vec<&str> = text.split(' ').collect();
        let side = if fields[1] == "b" { "w" } else { "b" };
        let number: u32 = fields[3].parse().unwrap();
        let fresh = at(&format!("{} {side} {} {}", fields[0], fields[2], number + 1));
        assert_eq!(null.board, fresh.board, "{text}");
        assert_eq!((null.board.hash(), null.placed), (fresh.board.hash(), fresh.placed));
        pinned += usize::from(!null.board.pinned().is_empty());
    }
    assert!(pinned > 20, "{pinned}");
}

#[test]
fn balance_and_checks_are_known_before_a_move_is_made() {
    let game = Shogi::default();
    let (mut checks, mut tactical) = (0, 0);
    for pos in positions(700) {
        for mv in moves(&game, &pos) {
            let next = game.play(&pos, mv);
            assert_eq!(
                game.balance(&next),
                -(game.balance(&pos) + game.gain(&pos, mv)),
                "{mv} in {}",
                game.format(&pos)
            );
            let check = game.in_check(&next);
            assert_eq!(game.gives_check(&pos, mv), check, "{mv} in {}", game.format(&pos));
            assert!(game.history_index(&pos, mv) < Shogi::HISTORY);
            checks += usize::from(check);
            tactical += usize::from(game.tactical(&pos, mv));
        }
    }
    assert!(checks > 100 && tactical > 1_000, "{checks} {tactical}");
}

#[test]
fn exchanges_come_to_what_they_come_to() {
    let game = Shogi::default();
    for (sfen, mv, won) in [
        // A pawn that is not taken back; one that a gold takes back; a rook for a guarded pawn.
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 210),
        ("4k4/9/4g4/4p4/4P4/9/9/9/4K4 b - 1", "5e5d", 0),
        ("4k4/9/4g4/4p4/4R4/9/9/9/4K4 b - 1", "5e5d", 210 - 1800),
        // A second rook behind the first: gold takes, rook takes the gold.
        ("4k4/9/4g4/4p4/4R4/4R4/9/9/4K4 b - 1", "5e5d", 210 - 1800 + 1030),
        // A promotion without a fight, and one into a fight.
        ("4k4/9/9/9/9/9/9/9/1R2K4 b - 1", "8i8a+", 350),
        ("1n2k4/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+", 400),
        ("4k4/9/9/9/4p4/9/9/9/4K4 b G 1", "G*5f", -1030 - 30),
    ] {
        let pos = at(sfen);
        let mv = game.parse_move(&pos, mv).expect("a legal move");
        assert_eq!(game.exchange(&pos, mv), Score(won), "{mv} in {sfen}");
    }
}

#[test]
fn texts_are_read_as_they_were_written_and_bad_ones_are_refused() {
    let game = Shogi::default();
    for pos in positions(300) {
        for mv in moves(&game, &pos) {
            assert_eq!(game.parse_move(&pos, &game.format_move(&pos, mv)), Ok(mv));
        }
        let mirrored = game.mirror(&pos);
        assert_eq!(game.canonical(&mirrored), game.canonical(&pos));
        assert_eq!(
            (game.stage(&mirrored), game.evaluate(&mirrored)),
            (game.stage(&pos), game.evaluate(&pos))
        );
        assert_eq!(game.structure(&mirrored), game.structure(&pos));
    }
    for (bad, offset, message) in [
        ("", 0, "1 fields, expected board, side, hands and the number of the move"),
        ("9/9/9/9/9/9/9/9/9 x - 1", 18, "found the side \"x\", expected b or w"),
        ("4k4/9/9/9/9/9/9/9/4K3 b - 1", 18, "8 squares in the rank \"4K3\", expected 9"),
        ("4k4/9/9/9/9/9/9/9/3+K5 b - 1", 20, "found 'K', expected a piece that promotes"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 99P 1", 25, "a number in hand, expected 1 to 18 before a piece"),
        ("4k4/9/9/9/9/9/9/9/4K4 b K 1", 24, "found 'K' in hand, expected a piece or a number"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 0", 26, "found the move number \"0\", expected 1 to 10000"),
    ] {
        let error = game.parse(bad).unwrap_err();
        assert_eq!((error.offset, error.message.as_str()), (offset, message), "{bad}");
    }
    for bad in ["9/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1", "4k4/4R4/9/9/9/9/9/9/4K4 b - 1"]
    {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
    let pos = at(text::START);
    assert_eq!(game.parse_move(&pos, "7g7e").unwrap_err().message, "7g7e is not legal here");
    assert!(game.parse_move(&pos, "hello").is_err());
}

/// Plays moves; the end of the game after the last, if it is one.
fn play(sfen: &str, line: &str) -> (Position, Option<Ending>) {
    let game = Shogi::default();
    let mut pos = at(sfen);
    let mut seen = vec![game.identity(&pos)];
    let mut ending = None;
    for text in line.split_whitespace() {
        assert_eq!(ending, None, "over before {text}");
        pos = game.play(&pos, game.parse_move(&pos, text).expect("a legal move"));
        seen.push(game.identity(&pos));
        let times = seen.iter().filter(|&text| text == seen.last().unwrap()).count();
        ending = game.ending(&pos, times);
    }
    (pos, ending)
}

#[test]
fn the_fourth_occurrence_is_a_draw_unless_checks_led_to_it() {
    let waits = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let (_, ending) = play("4k4/9/9/9/9/9/9/9/4K4 b - 1", &waits);
    assert_eq!(ending, Some(Ending { winner: None, why: "repetition" }));
    // The rook checks from two squares, the king goes to and fro.
    let checks = "9b9a+ 5a5b 9a9b 5b5a ".repeat(3);
    let (_, ending) = play("4k4/R8/9/9/9/9/9/9/4K4 b - 1", checks.replacen('+', "", 3).as_str());
    assert_eq!(ending, Some(Ending { winner: Some(1), why: "repetition" }), "black gave the checks");
}

#[test]
fn a_repetition_is_a_draw_in_a_search_but_for_perpetual_check() {
    let game = Shogi::default();
    let keys = |sfen: &str, line: &str| {
        let mut pos = at(sfen);
        let mut keys = Vec::new();
        for text in line.split_whitespace() {
            keys.push(game.key(&pos));
            pos = game.play(&pos, game.parse_move(&pos, text).expect("a legal move"));
        }
        game.drawn(&pos, &keys)
    };
    assert!(keys("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5h 5a5b 5h5i 5b5a"));
    assert!(!keys("4k4/9/9/9/9/9/9/9/4K4 b - 1", "5i5h 5a5b 5h5i 5b4a"));
    assert!(!keys("4k4/R8/9/9/9/9/9/9/4K4 b - 1", "9b9a 5a5b 9a9b 5b5a"));
}

#[test]
fn a_king_that_has_entered_with_enough_wins() {
    let game = Shogi::default();
    let entered = "K1+P+P+P+P+P2/+R+B+R+B+P+P+P+P+P/9/9/9/9/9/9/4k4 b 2G 1";
    assert!(at(entered).may_declare());
    assert_eq!(game.ending(&at(entered), 1), Some(Ending { winner: Some(0), why: "declared" }));
    // 4 great pieces are 20, 10 pawns 10: without the hand still enough; with 2 great pieces less not.
    assert!(!at("K1+P+P+P+P+P2/+R3+P+P+P+P+P/9/9/9/9/9/9/4k4 b 2G 1").may_declare());
    assert!(!at("9/+R+B+R+B+P+P+P+P+P/2+P+P+P+P+P2/K8/9/9/9/9/4k4 b 2G 1").may_declare(), "not entered");
}

#[test]
fn mates_are_found_and_a_pawn_must_not_mate() {
    let game = Shogi::default();
    let mate = |sfen: &str, most| mate::shortest(&game, &at(sfen), most, 1_000_000);
    let proof = mate("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 3).expect("a mate");
    assert_eq!((proof.plies, proof.keys.len()), (1, 1));
    assert_eq!(proof.keys[0].to_string(), "G*5b");
    assert_eq!(mate("4k4/9/4P4/9/9/9/9/9/4K4 b - 1", 5), None);
    // Kings hemmed in by their knights; in the last, a pawn in between stops a check of a rook that is pinned and cannot take it.
    for (sfen, pawn) in [
        ("7nk/9/8S/9/9/9/9/9/4K4 b P 1", "P*1b"),
        ("kn7/9/S8/9/9/9/9/9/4K4 b P 1", "P*9b"),
        ("3nkn3/3r3K1/4S4/1B7/9/9/9/9/9 b P 1", "P*5b"),
    ] {
        let pos = at(sfen);
        let moves = moves(&game, &pos);
        assert!(moves.len() > 1 && !moves.iter().any(|mv| mv.to_string() == pawn), "{sfen}");
        assert!(game.parse_move(&pos, pawn).is_err(), "{sfen}");
        // It mates: the other side has no move against it.
        let mv = Move::Drop { piece: haitaka::Piece::Pawn, to: pawn[2..].parse().expect("a square") };
        let mated = game.play(&pos, mv);
        assert!(game.in_check(&mated) && self::moves(&game, &mated).is_empty(), "{sfen}");
    }
}

#[test]
fn mirrored_positions_are_searched_alike() {
    use secateur_core::search::{Budget, Options, Search};
    let game = Shogi::default();
    let mut search = Search::full_width(game.clone(), Options { table_mib: 4, ..Options::default() });
    for pos in positions(500).iter().step_by(23) {
        let mut run = |pos: &Position| {
            let outcome = search.run(pos, &Budget::Depth(2));
            outcome
                .iterations
                .iter()
                .map(|iteration| (iteration.score, iteration.nodes, iteration.qnodes))
                .collect::<Vec<_>>()
        };
        assert_eq!(run(pos), run(&game.mirror(pos)), "{}", game.format(pos));
    }
}

/// A mate in one with the king of the defender alone: black's, and white's where colours are exchanged.
const PROBLEM: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

#[test]
fn problems_need_the_king_of_the_defender_alone() {
    let game = Shogi::default();
    let pos = at(PROBLEM);
    // What stands nowhere else is in the defender's hand.
    assert_eq!(game.format(&pos), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    let mate = mate::shortest(&game, &pos, 3, 10_000).expect("a mate");
    assert_eq!((mate.plies, mate.keys.len(), mate.keys[0].to_string().as_str()), (1, 1, "G*5b"));
    let mirrored = game.mirror(&pos);
    assert!(game.format(&mirrored).starts_with("9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G4S4N4L17Pg"));
    assert_eq!(game.canonical(&pos), game.canonical(&mirrored));
    assert_eq!(perft(&game, &pos, 2), perft(&game, &mirrored, 2));
    for one in [&pos, &mirrored] {
        assert!(game.null(one).is_none() && !one.may_declare() && game.forced(one).is_none());
        for mv in moves(&game, one) {
            let next = game.play(one, mv);
            let fresh = at(&game.format(&next));
            assert_eq!((fresh.placed, &fresh.board), (next.placed, &next.board), "{mv}");
            assert_eq!(game.gives_check(one, mv), game.in_check(&next), "{mv}");
            assert_eq!(game.evaluate(&game.mirror(&next)), game.evaluate(&next), "{mv}");
            if let Some(mv) = moves(&game, &next).first() {
                let text = game.format(&game.play(&next, *mv));
                assert_eq!(game.format(&at(&text)), text);
            }
        }
    }
    for (text, why) in [
        ("9/9/4P4/9/9/9/9/9/9 b G 1", "no king"),
        ("4k4/9/4P4/9/9/9/9/9/9 b Gp 1", "a part of the rest"),
        ("4k4/4P4/9/9/9/9/9/9/9 b G 1", "the defender in check, not to move"),
        ("4k1k2/9/4P4/9/9/9/9/9/9 b G 1", "two kings of one side"),
    ] {
        let error = game.parse(text).expect_err(why);
        assert!(error.message.contains("that of the defender alone"), "{error}");
    }
}
