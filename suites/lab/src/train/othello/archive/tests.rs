//! Labels from an archive are exact near the end; what is forbidden is left out in every guise.

use super::super::selfplay::random_position;
use super::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use secateur_games::othello::{Board, Square, squares};
use std::collections::BTreeSet;

fn minimax(board: Board) -> i32 {
    match board.moves() {
        0 if board.replies() == 0 => board.result(),
        0 => -minimax(board.passed()),
        moves => squares(moves).map(|square| -minimax(board.play(square))).max().unwrap_or(0),
    }
}

fn game(moves: Vec<Square>) -> GameRecord {
    GameRecord {
        moves,
        black_score: 0,
        perfect_score: 0,
        year: 2000,
        tournament: 0,
        players: [0, 0],
        number: 1,
    }
}

/// The moves of a random game up to `empties`.
fn random_moves(seed: u64, empties: u32) -> Vec<Square> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::start();
    let mut moves = Vec::new();
    while position.board().empty().count_ones() > empties {
        let board = position.board();
        if board.moves() == 0 && board.replies() == 0 {
            break;
        }
        let turn = random_position(&mut rng, 6).board().player as usize;
        let choice: Vec<Square> = squares(board.moves()).collect();
        let mv = if choice.is_empty() { Square::PASS } else { choice[turn % 97 % choice.len()] };
        moves.push(mv);
        position = position.play(mv);
    }
    moves
}

fn solver() -> Solver {
    Solver::new(Othello::default(), SOLVER_MIB)
}

/// An archive in a file, of random games with these numbers of empty squares at their ends.
fn archive(ends: &[u32]) -> Archive {
    let mut bytes = vec![20, 24, 1, 1];
    bytes.extend((ends.len() as u32).to_le_bytes());
    bytes.extend([0, 0, 208, 7, 8, 0, 0, 0]);
    for (seed, &end) in (0..).zip(ends) {
        let moves = random_moves(seed, end).into_iter().filter(|mv| *mv != Square::PASS);
        let mut codes: Vec<u8> =
            moves.map(|mv| (10 * (mv.index() / 8 + 1) + mv.index() % 8 + 1) as u8).collect();
        codes.resize(60, 0);
        bytes.extend([0; 8]);
        bytes.extend(codes);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.wtb");
    std::fs::write(&path, bytes).unwrap();
    Archive::read(&[path]).unwrap()
}

#[test]
fn labels_are_exact_near_the_end_and_one_result_before() {
    for seed in 0..6 {
        let labels = label(&mut solver(), &game(random_moves(seed, 0)), 7).unwrap();
        let solved = |label: &&Sample| label.board.empty().count_ones() <= 7;
        for label in labels.iter().filter(solved) {
            assert_eq!(i32::from(label.result), minimax(label.board));
        }
        let sizes: BTreeSet<i8> =
            labels.iter().filter(|label| !solved(label)).map(|label| label.result.abs()).collect();
        assert_eq!(sizes.len(), 1, "one result, seen from either side");
        assert!(labels.len() > 50 && labels.iter().all(|label| label.board.moves() != 0));
    }
}

#[test]
fn a_result_has_the_sign_of_its_side() {
    // Black takes everything with the ninth move.
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let moves = moves.map(|name| Square::read(name).unwrap()).to_vec();
    let labels = label(&mut solver(), &game(moves.clone()), 12).unwrap();
    let results: Vec<i8> = labels.iter().map(|label| label.result).collect();
    assert_eq!(results, [64, -64, 64, -64, 64, -64, 64, -64, 64]);
    assert_eq!(label(&mut solver(), &game(moves[..8].to_vec()), 12), None, "broken off");
}

#[test]
fn the_last_games_validate_and_threads_change_nothing() {
    let mut ends = [0; 40];
    ends[3] = 20;
    ends[4] = 5;
    let archive = archive(&ends);
    let nothing = Forbidden::of([]);
    let mut told = Vec::new();
    let labels = super::labels(&archive, 8, &nothing, 1, &mut |done| told.push(done));
    assert_eq!(told, [40]);
    assert_eq!(labels, super::labels(&archive, 8, &nothing, 3, &mut |_| ()));
    let games: Vec<Vec<Sample>> =
        archive.databases()[0].games.iter().filter_map(|game| label(&mut solver(), game, 8)).collect();
    let free = |games: &[Vec<Sample>]| {
        games.concat().into_iter().filter(|label| !reserved(label.board)).collect::<Vec<_>>()
    };
    assert_eq!(labels.learn, free(&games[..37]));
    assert_eq!(labels.check, free(&games[37..]));
    let source = labels.source.unwrap();
    assert_eq!((source.games, source.broken_off), (39, 1));
    let all = games.concat().len() as u64;
    assert_eq!(source.positions + source.validation + source.left_out, all);
    let reserved = games.concat().iter().filter(|label| reserved(label.board)).count();
    assert!(reserved > 0 && source.left_out == reserved as u64);
    assert_eq!((source.files[0].games, source.files[0].hash.len()), (40, 16));
    assert_eq!(super::labels(&Archive::default(), 8, &nothing, 1, &mut |_| ()), Labels::default());
}

#[test]
fn forbidden_positions_are_left_out_in_every_guise() {
    let archive = archive(&[0; 20]);
    let all = super::labels(&archive, 8, &Forbidden::of([]), 1, &mut |_| ());
    // Late enough to come up in one game only.
    let mut late = all.learn.iter().map(|label| label.board).filter(|board| board.discs() == 30);
    let (one, two) = (late.next().unwrap(), late.next().unwrap());
    let forbidden = Forbidden::of([one.transformed(5), two].map(canonical));
    let rest = super::labels(&archive, 8, &forbidden, 1, &mut |_| ());
    assert!(rest.learn.iter().all(|label| label.board != one && label.board != two));
    assert_eq!(rest.learn.len() + 2, all.learn.len());
    assert_eq!(rest.source.unwrap().left_out, all.source.unwrap().left_out + 2);
}
