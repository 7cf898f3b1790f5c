//! Solves positions of an Othello set exactly and tells nodes and time: how fast the endgame solver is.
//!
//! `cargo run --release --manifest-path examples/studies/Cargo.toml --bin endgame -- ffo 40 44`, or a file of OBF lines in
//! place of a set's name. First and last position are counted from 1.
#![allow(clippy::print_stdout)]

use secateur_core::Notation;
use secateur_games::othello::Othello;
use secateur_games::othello::endgame::{Discs, Solver};
use secateur_positions::resolve;
use std::error::Error;
use std::time::Instant;

/// Size of the solver's table, MiB.
const TABLE_MIB: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("ffo", String::as_str);
    let number = |at: usize, default: usize| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let game = Othello::default();
    let set = resolve(&game, name)?;
    let (first, last) = (number(1, 40)?, number(2, 44)?);
    let mut solver = Solver::new(game.clone(), TABLE_MIB);
    let (mut nodes, mut seconds, mut wrong) = (0, 0.0, 0);
    println!(
        "{:<8} {:>3} {:>5} {:>5} {:>13} {:>8} {:>9}",
        "id", "n", "found", "given", "nodes", "s", "Mnodes/s"
    );
    for entry in set.entries.iter().take(last).skip(first.saturating_sub(1)) {
        let position = game.parse(&entry.position).map_err(|error| error.message)?;
        let expected = entry.operations.iter().find_map(|operation| operation.operands.parse::<i32>().ok());
        let start = Instant::now();
        let solved = solver.solve(&position, Discs::FULL);
        let took = start.elapsed().as_secs_f64();
        println!(
            "{:<8} {:>3} {:>+5} {:>5} {:>13} {:>8.3} {:>9.1}  {} {}",
            entry.id,
            position.board().empty().count_ones(),
            solved.score_discs,
            expected.map_or("?".to_owned(), |score| format!("{score:+}")),
            solved.nodes,
            took,
            solved.nodes as f64 / took / 1e6,
            solved.best,
            if expected.is_some_and(|score| score != solved.score_discs) { "WRONG" } else { "" },
        );
        wrong += usize::from(expected.is_some_and(|score| score != solved.score_discs));
        nodes += solved.nodes;
        seconds += took;
    }
    println!("{nodes} nodes, {seconds:.2} s, {:.1} M nodes/s, {wrong} wrong", nodes as f64 / seconds / 1e6);
    Ok(())
}
