//! What the trained evaluation of draughts is worth: a match against material alone, both searching the same number of nodes.
//!
//! From each of the first ballots two games, with colours exchanged; full width, no method. A pair is one observation, as the two
//! games share their opening: points per game with an interval of 1.96 standard errors over pairs. Prints CSV.
//! `cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength -- PAIRS NODES`

use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Searcher};
use secateur_core::{Game, Notation, Rules};
use secateur_games::draughts::{Draughts, Position, Weights};
use secateur_positions::builtin;
use std::collections::BTreeMap;
use std::sync::Arc;
use studies::mean_within;

/// Plies after which a game is a draw.
const LONGEST: usize = 250;

fn main() {
    let number = |nth: usize, default: u64| {
        std::env::args()
            .nth(nth)
            .map_or(default, |text| text.parse().expect("PAIRS and NODES are whole numbers"))
    };
    let (pairs, nodes) = (number(1, 150) as usize, number(2, 3_000));
    let game = Draughts::default();
    let ballots = builtin(&game, "draughts-ballots").expect("a built-in set");
    let seat = |game: Draughts| game.searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    let mut players = [seat(game.clone()), seat(Draughts::new(Arc::new(Weights::material())))];
    let mut sums = Vec::new();
    let mut counts = [0; 3];
    for entry in ballots.entries.iter().take(pairs) {
        let opening = game.parse(&entry.position).expect("a position of the set");
        let mut sum = 0.0;
        for first in 0..2 {
            let result = play(&game, &mut players, opening, first, nodes);
            counts[(2.0 * result) as usize] += 1;
            sum += result / 2.0;
        }
        sums.push(sum);
    }
    let [mean, low, high] = mean_within(&sums);
    let [lost, drawn, won] = counts;
    let text = format!(
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength -- {pairs} {nodes}\n\
         against,games,won,drawn,lost,score,score_low,score_high\nmaterial,{},{won},{drawn},{lost},{mean:.4},{low:.4},{high:.4}\n",
        2 * sums.len()
    );
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("a working terminal");
}

/// Points of player 0 in a game; `first` has the side to move.
fn play(
    game: &Draughts,
    players: &mut [Searcher<'static, Draughts>; 2],
    opening: Position,
    first: usize,
    nodes: u64,
) -> f64 {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut position = opening;
    for ply in 0..LONGEST {
        let times = seen.entry(game.identity(&position)).or_insert(0);
        *times += 1;
        if let Some(end) = game.ending(&position, *times) {
            let first_side = game.side(&opening);
            return end.winner.map_or(0.5, |side| f64::from(u8::from((side == first_side) == (first == 0))));
        }
        let mover = (first + ply) % 2;
        let outcome = players[mover].run(&position, &Budget::Nodes(nodes));
        let Some(mv) = outcome.last().best_move() else { return 0.5 };
        position = game.play(&position, mv);
    }
    0.5
}
