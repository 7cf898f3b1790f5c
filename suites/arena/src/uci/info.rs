//! Search results as the protocol writes them.

use secateur_core::search::Iteration;
use secateur_core::{Evaluation, Notation, Rules, Score};
use secateur_games::chess::{Chess, MATE, Position};
use std::fmt::Write;
use std::time::Duration;

type Move = <Chess as Rules>::Move;

/// A score: `cp N`, or `mate N` in moves of the winner, negative where the side to move is mated.
pub(super) fn score(score: Score) -> String {
    let plies = MATE - score.0.abs();
    if score.abs() < Chess::DECISIVE {
        format!("cp {}", score.0)
    } else if score.0 > 0 {
        format!("mate {}", (plies + 1) / 2)
    } else {
        format!("mate {}", -(plies / 2))
    }
}

/// Nodes a second; 0 for no time at all.
pub(super) fn rate(nodes: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

/// The line of one completed iteration.
pub(super) fn line(game: &Chess, root: &Position, found: &Iteration<Move>, time: Duration) -> String {
    let mut line = format!(
        "info depth {} seldepth {} score {} nodes {} nps {} time {} pv",
        found.depth,
        found.seldepth.max(found.depth.unsigned_abs()),
        score(found.score),
        found.nodes,
        rate(found.nodes, time),
        time.as_millis(),
    );
    let mut pos = root.clone();
    for &mv in &found.pv {
        let _ = write!(line, " {}", game.format_move(&pos, mv));
        pos = game.play(&pos, mv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_moves_with_a_sign() {
        for (value, text) in [
            (12, "cp 12"),
            (-28_999, "cp -28999"),
            (MATE - 1, "mate 1"),
            (MATE - 2, "mate 1"),
            (MATE - 3, "mate 2"),
            (-MATE, "mate 0"),
            (2 - MATE, "mate -1"),
            (4 - MATE, "mate -2"),
            (5 - MATE, "mate -2"),
        ] {
            assert_eq!(score(Score(value)), text);
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate(1000, Duration::from_millis(500)), 2000);
        assert_eq!(rate(0, Duration::ZERO), 0);
    }
}
