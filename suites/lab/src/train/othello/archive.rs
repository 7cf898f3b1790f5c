//! Games of others as training data: every position with the result that it deserves.
//!
//! A position within reach of the solver is labelled exactly, one before that with the result of best play
//! from the first solved position of its game: mistakes at the end, which are many in old games, do not
//! count against the middle. Games that were broken off before have no result and are left out; so are
//! reserved positions and those of the built-in sets.

use super::selfplay::{SOLVER_MIB, Sample};
use super::{OPENING_DISCS, RESERVED_SHARE, reserved};
use crate::train::self_play::Forbidden;
use crate::train::shared_out;
use secateur_games::othello::endgame::Solver;
use secateur_games::othello::{Othello, Position};
use secateur_positions::wthor::{Archive, GameRecord};
use secateur_suites::sample::othello::canonical;
use serde::{Deserialize, Serialize};

/// One game in this many, the last ones, is kept for validation and never learnt from.
pub(super) const VALIDATION_SHARE: usize = 20;
/// Games that are shared out to the threads at a time.
const BLOCK: usize = 256;

/// What an archive gives to learn from and to check with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    pub(super) learn: Vec<Sample>,
    pub(super) check: Vec<Sample>,
    pub(super) source: Option<Source>,
}

/// Games of others, as provenance tells of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Source {
    /// How the games were labelled.
    pub scheme: String,
    /// Games with a result.
    pub games: u64,
    /// Games broken off too early, which were left out.
    pub broken_off: u64,
    /// Positions learnt from.
    pub positions: u64,
    /// Positions for validation.
    pub validation: u64,
    /// Positions left out.
    pub left_out: u64,
    /// Which those are.
    pub kept_apart: String,
    /// The files.
    pub files: Vec<SourceFile>,
}

/// One file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SourceFile {
    /// Its path, as given.
    pub path: String,
    /// FNV-1a of its bytes, 16 hex digits.
    pub hash: String,
    /// Its games.
    pub games: u64,
}

/// Labels all games; `progress` hears games done. The result does not depend on `threads`.
pub(super) fn labels(
    archive: &Archive,
    solve_empties: u32,
    forbidden: &Forbidden<(u64, u64)>,
    threads: usize,
    progress: &mut dyn FnMut(u64),
) -> Labels {
    if archive.databases().is_empty() {
        return Labels::default();
    }
    let games: Vec<&GameRecord> = archive.databases().iter().flat_map(|database| &database.games).collect();
    let validates_from = games.len() - games.len() / VALIDATION_SHARE;
    let mut labels = Labels::default();
    let (scheme, kept_apart) = (scheme(solve_empties), kept_apart(forbidden));
    let mut source = Source { scheme, kept_apart, files: files(archive), ..Source::default() };
    let mut done = 0;
    for block in games.chunks(BLOCK) {
        let solver = || Solver::new(Othello::default(), SOLVER_MIB);
        let labelled = shared_out(block, threads, solver, |solver, game| label(solver, game, solve_empties));
        for (number, game) in (done..).zip(labelled) {
            let Some(game) = game else {
                source.broken_off += 1;
                continue;
            };
            source.games += 1;
            let all = game.len();
            let taught = |sample: &Sample| forbidden.contains(&canonical(sample.board));
            let fresh = |sample: &Sample| !reserved(sample.board) && !taught(sample);
            let into = if number < validates_from { &mut labels.learn } else { &mut labels.check };
            let before = into.len();
            into.extend(game.into_iter().filter(fresh));
            source.left_out += (all - (into.len() - before)) as u64;
        }
        done += block.len();
        progress(done as u64);
    }
    (source.positions, source.validation) = (labels.learn.len() as u64, labels.check.len() as u64);
    Labels { source: Some(source), ..labels }
}

fn scheme(solve_empties: u32) -> String {
    format!(
        "every position with a move; exact from {solve_empties} empties on, before that the result of best play \
         from the first solved position of the game; the last 1 game in {VALIDATION_SHARE} validates"
    )
}

fn kept_apart(forbidden: &Forbidden<(u64, u64)>) -> String {
    let (boards, hash) = forbidden.identity();
    format!(
        "reserved positions (all with {OPENING_DISCS} discs, 1 in {RESERVED_SHARE} of the others), and the {boards} of the built-in sets, up \
         to symmetry, hash {hash}"
    )
}

fn files(archive: &Archive) -> Vec<SourceFile> {
    let file = |database: &secateur_positions::wthor::Database| SourceFile {
        path: database.path.display().to_string(),
        hash: database.hash.clone(),
        games: database.games.len() as u64,
    };
    archive.databases().iter().map(file).collect()
}

/// The labelled positions of a game; `None` if it was broken off with more than `solve_empties` empties.
fn label(solver: &mut Solver, game: &GameRecord, solve_empties: u32) -> Option<Vec<Sample>> {
    let mut positions: Vec<Position> = game.positions().map(|(position, _)| position).collect();
    positions.push(game.moves.iter().fold(Position::start(), |position, &mv| position.play(mv)));
    let is_known = |position: &Position| {
        let board = position.board();
        board.empty().count_ones() <= solve_empties || (board.moves() == 0 && board.replies() == 0)
    };
    let first = positions.iter().position(is_known)?;
    let turn = positions[first];
    let result = solver.exact(turn.board());
    let mut labels = Vec::with_capacity(positions.len());
    for (index, position) in positions.iter().enumerate() {
        let board = position.board();
        if board.moves() == 0 {
            continue;
        }
        let result = match index {
            _ if index > first => solver.exact(board),
            _ if position.x_to_move() == turn.x_to_move() => result,
            _ => -result,
        };
        labels.push(Sample::decided(board, result));
    }
    Some(labels)
}

#[cfg(test)]
mod tests {
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
        let mut reports = Vec::new();
        let labels = super::labels(&archive, 8, &nothing, 1, &mut |done| reports.push(done));
        assert_eq!(reports, [40]);
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
        let labels = super::labels(&archive, 8, &forbidden, 1, &mut |_| ());
        assert!(labels.learn.iter().all(|label| label.board != one && label.board != two));
        assert_eq!(labels.learn.len() + 2, all.learn.len());
        assert_eq!(labels.source.unwrap().left_out, all.source.unwrap().left_out + 2);
    }
}
