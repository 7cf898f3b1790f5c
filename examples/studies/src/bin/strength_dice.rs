//! What the evaluation of EinStein würfelt nicht! is worth: matches against the race that its training begins with, both searching the same
//! number of nodes and then to the same depth.
//!
//! A pair is two games from one layout with one sequence of throws, sides exchanged; full width, no method. A pair is one observation:
//! points per game with an interval of 1.96 standard errors over pairs. Prints CSV. WEIGHTS is a file of `train einstein`,
//! by default the one that is compiled in.
//! `cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength_dice -- PAIRS NODES DEPTH SEED [WEIGHTS]`

use secateur_core::game::{Notation, thrown};
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options};
use secateur_core::{Game, Rules};
use secateur_games::einstein::{Einstein, Position, Step, Weights};
use secateur_suites::sample::gather::{Dice, Family};
use std::sync::Arc;
use studies::mean_within;

/// Chooses a move of a position after its throw.
type Player = Box<dyn FnMut(&Position) -> Option<Step>>;

fn main() {
    let number = |nth: usize, default: u64| {
        std::env::args()
            .nth(nth)
            .map_or(default, |text| text.parse().expect("PAIRS, NODES, DEPTH and SEED are whole numbers"))
    };
    let (pairs, nodes, depth, seed) = (number(1, 500), number(2, 3_000), number(3, 3), number(4, 1));
    let file = std::env::args().nth(5);
    let judge = file.as_ref().map_or_else(Einstein::default, |path| {
        let bytes = std::fs::read(path).expect("WEIGHTS is a file");
        Einstein::new(Arc::new(Weights::read(&bytes).expect("WEIGHTS is what `train einstein` wrote")))
    });
    let race = Einstein::new(Arc::new(Weights::new(Weights::race()).expect("as many as there are terms")));
    let mut text = format!(
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength_dice -- {pairs} {nodes} {depth} {seed}{}\n\
         equal,games,won,lost,pairs_won,pairs_halved,pairs_lost,score,score_low,score_high\n",
        file.map_or(String::new(), |path| format!(" {path}")),
    );
    for (equal, budget) in [("nodes", Budget::Nodes(nodes)), ("depth", Budget::Depth(depth as i32))] {
        let mut players = [&judge, &race].map(|game| player(game.clone(), budget));
        let points: Vec<f64> = (1..=pairs).map(|pair| points(&mut players, seed, pair)).collect();
        text += &format!("{equal},{}\n", row(&points));
    }
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("a working terminal");
}

/// Points of player 0 in both games of a pair, their mean.
fn points(players: &mut [Player; 2], seed: u64, pair: u64) -> f64 {
    let mut lot = Dice::new(seed, Family::Play, pair);
    let game = Einstein::default();
    let layout = game.layout(&mut |sides| lot.below(sides as usize) as u32).expect("layouts");
    let start = game.parse(&layout).expect("a layout is a position");
    let both = [0, 1].map(|first| play(players, &game, start, first, Dice::new(seed, Family::Throws, pair)));
    both.iter().sum::<f64>() / 2.0
}

/// The figures of a match, from the points of its pairs.
fn row(points: &[f64]) -> String {
    let count = points.len() as f64;
    let [mean, low, high] = mean_within(points);
    let with = |wanted: f64| points.iter().filter(|point| **point == wanted).count();
    let won = (2.0 * count * mean).round();
    format!(
        "{},{won},{},{},{},{},{mean:.4},{low:.4},{high:.4}",
        2 * points.len(),
        2.0 * count - won,
        with(1.0),
        with(0.5),
        with(0.0),
    )
}

/// A player by full width.
fn player(game: Einstein, budget: Budget) -> Player {
    let mut search = game.searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    Box::new(move |position| AnySearch::run(search.as_mut(), position, &budget).last().best_move())
}

/// Points of player 0 in a game in which player `first` has blue.
fn play(players: &mut [Player; 2], game: &Einstein, start: Position, first: usize, mut dice: Dice) -> f64 {
    let mut position = start;
    loop {
        if let Some(end) = game.ending(&position, 1) {
            // Side 0 is blue: player 0 has side `first`.
            return end.winner.map_or(0.5, |side| f64::from(u8::from(side == first)));
        }
        let after = thrown(game, &position, |sides| dice.below(sides as usize) as u32);
        let mover = (game.side(&after) + first) % 2;
        let step = players[mover](&after).expect("a position with moves");
        position = game.play(&after, step);
    }
}
