//! What the learnt evaluation of EinStein würfelt nicht! is worth: a match against the race alone, both searching the same number of
//! nodes.
//!
//! A pair is two games from one layout with one sequence of throws, sides exchanged; full width, no method. A pair is one observation:
//! points per game with an interval of 1.96 standard errors over pairs. Prints CSV. WEIGHTS is a file of `train einstein`,
//! by default the one that is compiled in.
//! `cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength_dice -- PAIRS NODES SEED [WEIGHTS]`

use secateur_core::game::{Notation, thrown};
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options};
use secateur_core::{Game, Rules};
use secateur_games::einstein::{Einstein, Learnt, Position, Step, Weights};
use secateur_suites::sample::dice::{Dice, Family};
use std::sync::Arc;

/// Chooses a move of a position after its throw.
type Player = Box<dyn FnMut(&Position) -> Option<Step>>;

fn main() {
    let number = |nth: usize, default: u64| {
        std::env::args()
            .nth(nth)
            .map_or(default, |text| text.parse().expect("PAIRS, NODES and SEED are whole numbers"))
    };
    let (pairs, nodes, seed) = (number(1, 500), number(2, 3_000), number(3, 1));
    let file = std::env::args().nth(4);
    let learnt = file.as_ref().map_or_else(Learnt::embedded, |path| {
        let bytes = std::fs::read(path).expect("WEIGHTS is a file");
        Learnt::with(Arc::new(Weights::read(&bytes).expect("WEIGHTS is what `train einstein` wrote")))
    });
    let mut players = [player(learnt, nodes), player(Einstein, nodes)];
    let mut sums = Vec::new();
    for pair in 1..=pairs {
        let mut lot = Dice::new(seed, Family::Play, pair);
        let layout = Einstein.layout(&mut |sides| lot.below(sides as usize) as u32).expect("layouts");
        let start = Einstein.parse(&layout).expect("a layout is a position");
        let points =
            [0, 1].map(|first| play(&mut players, start, first, Dice::new(seed, Family::Throws, pair)));
        sums.push(points.iter().sum::<f64>() / 2.0);
    }
    let count = sums.len() as f64;
    let mean = sums.iter().sum::<f64>() / count;
    let variance = sums.iter().map(|sum| (sum - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let half = 1.96 * (variance / count).sqrt();
    let with = |points: f64| sums.iter().filter(|sum| **sum == points).count();
    let won = (2.0 * sums.iter().sum::<f64>()).round();
    let text = format!(
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength_dice -- {pairs} {nodes} {seed}{}\n\
         against,games,won,lost,pairs_won,pairs_halved,pairs_lost,score,score_low,score_high\n\
         race,{},{won},{},{},{},{},{mean:.4},{:.4},{:.4}\n",
        file.map_or(String::new(), |path| format!(" {path}")),
        2 * pairs,
        2.0 * count - won,
        with(1.0),
        with(0.5),
        with(0.0),
        mean - half,
        mean + half
    );
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("a working terminal");
}

/// A player by full width, whatever judges its horizon.
fn player<G: Game<Position = Position, Move = Step>>(game: G, nodes: u64) -> Player {
    let mut search = game.searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    Box::new(move |position| {
        AnySearch::run(search.as_mut(), position, &Budget::Nodes(nodes)).last().best_move()
    })
}

/// Points of player 0 in a game in which player `first` has blue.
fn play(players: &mut [Player; 2], start: Position, first: usize, mut dice: Dice) -> f64 {
    let mut position = start;
    loop {
        if let Some(end) = Einstein.ending(&position, 1) {
            // Side 0 is blue: player 0 has side `first`.
            return end.winner.map_or(0.5, |side| f64::from(u8::from(side == first)));
        }
        let after = thrown(&Einstein, &position, |sides| dice.below(sides as usize) as u32);
        let mover = (Einstein.side(&after) + first) % 2;
        let step = players[mover](&after).expect("a position with moves");
        position = Einstein.play(&after, step);
    }
}
