//! One fixed search and nothing else: what a profiler or an instruction counter is pointed at.
//!
//! `profile [game] [set] [index] [depth] [methods]`; without arguments a full-width search of 10 plies at 28
//! discs of Othello. Prints score and nodes, so that instructions divide by nodes and a changed tree shows.

use secateur_core::Game;
use secateur_core::search::Budget;
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setups::setup::Setup;
use std::error::Error;
use std::io::{Write, stdout};

fn search<G: Game>(game: &G, [set, index, depth, methods]: [&str; 4]) -> Result<(), Box<dyn Error>> {
    let setup = Setup::embedded(G::NAME)?;
    let entries = secateur_positions::builtin(game, set)?.entries;
    let entry = entries.get(index.parse::<usize>()?).ok_or("no such position in the set")?;
    let pos = game.parse(&entry.position)?;
    let methods = setup.methods(&methods.parse()?)?;
    let mut search = game.clone().searcher(&methods, setup.options.clone());
    let outcome = search.run(&pos, &Budget::Depth(depth.parse()?));
    let (last, nodes) = (outcome.last(), outcome.tally.nodes);
    writeln!(stdout(), "{}\ndepth {} score {} nodes {nodes}", entry.position, last.depth, last.score.0)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let or = |index: usize, default: &'static str| arguments.get(index).map_or(default, String::as_str);
    match or(0, Othello::NAME) {
        Othello::NAME => {
            search(&Othello::default(), [or(1, "othello-28"), or(2, "0"), or(3, "10"), or(4, "none")])
        }
        Chess::NAME => {
            search(&Chess::default(), [or(1, "bratko-kopec"), or(2, "0"), or(3, "5"), or(4, "none")])
        }
        other => Err(format!("no game `{other}`").into()),
    }
}
