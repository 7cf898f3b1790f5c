//! The endgame solver against results that others published.

use secateur_core::Notation;
use secateur_games::othello::Othello;
use secateur_games::othello::endgame::{Discs, Solver};
use secateur_positions::{Entry, builtin};

/// The score that the set gives for its best moves.
fn published(entry: &Entry) -> i32 {
    entry.operations[0].operands.parse().unwrap()
}

/// All positions of some sets.
fn entries(names: &[&str]) -> Vec<Entry> {
    names.iter().flat_map(|name| builtin(&Othello::default(), name).unwrap().entries).collect()
}

/// All positions of the FFO test.
const FFO: &[&str] = &["ffo", "ffo-late"];

/// Solves positions `from..=to` of the FFO test; gives back all nodes.
fn solve(from: usize, to: usize) -> u64 {
    solve_all(&entries(FFO)[from - 1..to])
}

/// Solves positions and holds value and move against what is published; gives back all nodes.
fn solve_all(entries: &[Entry]) -> u64 {
    let game = Othello::default();
    let mut solver = Solver::new(game.clone(), 64);
    let mut nodes = 0;
    for entry in entries {
        let position = game.parse(&entry.position).unwrap();
        let solved = solver.solve(&position, Discs::FULL);
        assert_eq!(solved.score_discs, published(entry), "{}", entry.id);
        let best = game.format_move(&position, solved.best);
        assert!(entry.operation(&best).is_some(), "{}: {best}", entry.id);
        nodes += solved.nodes;
    }
    nodes
}

#[test]
fn entries_are_numbered_and_their_best_moves_agree() {
    let entries = entries(FFO);
    assert_eq!(entries.len(), 59);
    for (index, entry) in entries.iter().enumerate() {
        assert_eq!(entry.id, format!("ffo-{:02}", index + 1));
        let scores = entry.operations.iter().filter(|operation| operation.code != "id");
        assert!(scores.into_iter().all(|operation| operation.operands == entry.operations[0].operands));
    }
}

#[test]
fn positions_of_up_to_19_empty_squares_have_their_published_results() {
    assert!(solve(1, 23) < 10_000_000);
}

/// The usual yardstick of endgame solvers: five positions of 20 to 23 empty squares.
#[test]
#[cfg(not(debug_assertions))]
fn positions_40_to_44_have_their_published_results_within_300_million_nodes() {
    assert!(solve(40, 44) < 300_000_000);
}

/// `cargo test --release -p secateur-positions late_positions -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn late_positions_have_their_published_results() {
    solve(24, 39);
    solve(45, 59);
}

#[test]
fn hard_positions_have_the_results_of_edax() {
    solve_all(&entries(&["hard-20"])[..3]);
}

/// `cargo test --release -p secateur-positions hard_positions -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn all_hard_positions_have_the_results_of_edax() {
    solve_all(&entries(&["hard-20", "hard-25"]));
}
