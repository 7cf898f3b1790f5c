//! Games of others as training data: every position with the result that it deserves.
//!
//! A position within reach of the solver is labelled exactly, one before that with the result of best play
//! from the first solved position of its game: mistakes at the end, which are many in old games, do not
//! count against the middle. Games that were broken off before have no result and are left out; so are
//! reserved positions and those of the built-in sets.

use super::super::forbidden::Forbidden;
use super::super::threads::shared_out;
use super::selfplay::{SOLVER_MIB, Sample};
use super::{OPENING_DISCS, RESERVED_SHARE, reserved};
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
mod tests;
