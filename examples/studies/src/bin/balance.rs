//! How likely the side to move wins an Othello opening that a search values at v: what the balance of the sampled
//! openings rests on.
//!
//! Random openings of 12 discs within 6 discs of even by a 10-ply search are played out by 6-ply searches on both
//! sides and solved from 14 empty squares on; P(win) = 1 / (1 + exp(-k v)) is fitted to the results. No constant
//! term: which side has to move is no part of the question. `cargo run --release --manifest-path examples/studies/Cargo.toml --bin
//! balance -- GAMES SEED`

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::search::{Budget, FullWidth, Options, Search};
use secateur_games::othello::endgame::Solver;
use secateur_games::othello::{Othello, Position, squares};

const OPENING_DISCS: u32 = 12;
const WIDEST: f64 = 6.0;
const SOLVED: u32 = 14;

fn main() {
    let number = |nth: usize, default: u64| {
        std::env::args()
            .nth(nth)
            .map_or(default, |text| text.parse().expect("GAMES and SEED are whole numbers"))
    };
    let (games, seed) = (number(1, 1_000), number(2, 1));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut player = Search::full_width(Othello::default(), Options { table_mib: 1, ..Options::default() });
    let mut solver = Solver::new(Othello::default(), 4);
    let mut results = Vec::new();
    while results.len() < games as usize {
        let Some(opening) = random_opening(&mut rng) else { continue };
        let value = f64::from(player.run(&opening, &Budget::Depth(10)).last().score.0) / 100.0;
        if value.abs() <= WIDEST {
            results.push((value, played_out(&mut player, &mut solver, opening)));
        }
    }
    let (k, error) = slope(&results);
    let limit = (0.55f64 / 0.45).ln() / k;
    let text = format!(
        "{games} games: k = {k:.3} +- {error:.3} a disc; a win is {:.3} a disc likelier; 0.45 to 0.55 is {limit:.2} discs",
        k / 4.0
    );
    std::io::Write::write_all(&mut std::io::stdout(), (text + "\n").as_bytes()).expect("a working terminal");
}

fn random_opening(rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = Position::start();
    while position.board().discs() < OPENING_DISCS {
        let moves: Vec<_> = squares(position.board().moves()).collect();
        if moves.is_empty() {
            return None;
        }
        position = position.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
    }
    (position.board().moves() != 0).then_some(position)
}

/// 1 if the side to move wins, 0 if it loses.
fn played_out(player: &mut Search<'_, Othello, FullWidth>, solver: &mut Solver, opening: Position) -> f64 {
    let mut position = opening;
    while position.board().empty().count_ones() > SOLVED {
        let Some(mv) = player.run(&position, &Budget::Depth(6)).last().best_move() else { break };
        position = position.play(mv);
    }
    let result = solver.exact(position.board());
    let score = if position.x_to_move() == opening.x_to_move() { result } else { -result };
    f64::from(score.signum() + 1) / 2.0
}

/// Logistic regression through the origin by Newton's method, and its standard error.
fn slope(results: &[(f64, f64)]) -> (f64, f64) {
    let mut k = 0.1;
    let mut curvature = 0.0;
    for _ in 0..50 {
        let mut gradient = 0.0;
        curvature = 0.0;
        for (value, result) in results {
            let likely = 1.0 / (1.0 + (-k * value).exp());
            gradient += value * (result - likely);
            curvature += value * value * likely * (1.0 - likely);
        }
        k += gradient / curvature;
    }
    (k, curvature.sqrt().recip())
}
