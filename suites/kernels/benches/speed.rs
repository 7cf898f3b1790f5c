//! Nodes per second of the host: full-width and with a method, both games, fixed depth.
//!
//! For people, not for a gate: criterion's verdicts follow the weather of the machine. Node counts are exact
//! and printed as throughput, so the figure is nodes/s (quiescence included).

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use secateur_core::Game;
use secateur_core::search::Budget;
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setups::setup::Setup;

/// Balanced midgame positions of 28 and 20 discs, from the built-in sets.
const OTHELLO_SETS: [&str; 2] = ["othello-20", "othello-28"];
const CHESS_SETS: [&str; 1] = ["bratko-kopec"];

fn bench<G: Game>(criterion: &mut Criterion, game: &G, sets: &[&str], depth: i32, methods: &[&str]) {
    let setup = Setup::embedded(G::NAME).expect("the embedded setup is valid");
    let positions: Vec<G::Position> = sets
        .iter()
        .flat_map(|set| secateur_positions::builtin(game, set).expect("a built-in set").entries)
        .step_by(8)
        .take(6)
        .map(|entry| game.parse(&entry.position).expect("built-in positions are legal"))
        .collect();
    let mut group = criterion.benchmark_group(format!("{} depth {depth}", G::NAME));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for name in methods {
        let methods = setup.methods(&name.parse().expect("a method set")).expect("a valid setup");
        let mut search = game.clone().searcher(&methods, setup.options.clone());
        let budget = Budget::Depth(depth);
        let nodes: u64 = positions.iter().map(|pos| search.run(pos, &budget).tally.nodes).sum();
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| positions.iter().map(|pos| search.run(pos, &budget).tally.nodes).sum::<u64>());
        });
    }
    group.finish();
}

fn speed(criterion: &mut Criterion) {
    bench(criterion, &Othello::default(), &OTHELLO_SETS, 9, &["none", "mpc"]);
    bench(criterion, &Chess::default(), &CHESS_SETS, 5, &["none", "null-move"]);
}

criterion_group!(benches, speed);
criterion_main!(benches);
