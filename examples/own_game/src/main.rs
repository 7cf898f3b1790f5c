//! A game of your own: Connect Four, measured with every method.
//!
//! `game.rs` is all that secateur must know of a game, `board.rs` what any program for it needs. The glue is what
//! stands between the two lines below that say so: the game and its positions get names, a fit gives ProbCut and
//! MPC what they need, and an experiment searches `none` and every method, each alone. Before that, `main` counts the
//! nodes of the game tree against published numbers and holds the game to what the search host relies on.

mod board;
mod game;

use board::Board;
use game::ConnectFour;
use secateur::prelude::*;
use std::error::Error;

/// Leaves of the game tree after 1 to 8 plies; a won game has no successors.
const PERFT: [u64; 8] = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];

fn perft(board: &Board, plies: usize) -> u64 {
    let mut moves = Moves::<ConnectFour>::new();
    ConnectFour.moves(board, &mut moves);
    if plies == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|scored| perft(&board.dropped(scored.mv), plies - 1)).sum()
}

/// Positions after so many random plies where the game goes on and no move wins at once, one a line.
fn scattered(count: usize, plies: u32, mut seed: u64) -> String {
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut board = Board::EMPTY;
        while board.discs() < plies {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut moves = Moves::<ConnectFour>::new();
            ConnectFour.moves(&board, &mut moves);
            moves.retain(|scored| !ConnectFour.gives_check(&board, scored.mv));
            let Some(scored) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
            board = board.dropped(scored.mv);
        }
        let mut moves = Moves::<ConnectFour>::new();
        ConnectFour.moves(&board, &mut moves);
        if board.discs() == plies && !moves.iter().any(|scored| ConnectFour.gives_check(&board, scored.mv)) {
            lines.push(board.text());
        }
    }
    lines.sort();
    lines.dedup();
    lines.join("\n")
}

fn main() -> Result<(), Box<dyn Error>> {
    for (plies, leaves) in (1..).zip(PERFT) {
        assert_eq!(perft(&Board::EMPTY, plies), leaves, "perft {plies}");
    }
    let roots = [8, 16, 28].map(|plies| scattered(8, plies, 1)).join("\n");
    let fitting = [6, 14, 24].map(|plies| scattered(40, plies, 2)).join("\n");
    secateur::check::game(&ConnectFour, &roots, 5)?;

    // glue begins
    let entry = Entry::new(ConnectFour).positions("mixed", &roots)?;
    entry.positions("fitting", &fitting)?.register();
    secateur::fit("connect-four", "fitting", 10)?;
    let experiment = Experiment::of("connect-four").positions("mixed").depth(10);
    let runs = experiment.arm("none").arms(METHODS).run()?;
    println!("{}", report::table2(&runs));
    // glue ends

    for method in ["null-move", "probcut", "mpc", "futility", "lmr"] {
        assert!(runs.nodes(method) < runs.nodes("none"), "{method} saves nothing");
    }
    Ok(())
}
