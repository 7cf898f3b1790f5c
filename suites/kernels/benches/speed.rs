//! Wall time of the hot parts and of the full-width hosts, with throughput in nodes or positions; and nodes a second by game and
//! method, at fixed depth. By criterion.
//!
//! For people, not for a gate: criterion's verdicts follow the weather of the machine. The nodes are exact and are the
//! throughput, quiescence included.

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use secateur_benches::{HOSTS, METHODS, PARTS, kernel};
use secateur_core::search::Budget;
use secateur_core::{Game, Notation};
use secateur_suites::setups::setup::Setup;
use std::time::Duration;

/// Game, a built-in set of middlegame positions, depth, method sets.
const CASES: [(&str, &str, i32, &[&str]); 4] = [
    ("othello", "othello-28", 8, &["none", "null-move", "mpc", "multi-cut", "futility", "lmr", "modern"]),
    ("chess", "bratko-kopec", 5, &["none", "null-move", "mpc", "multi-cut", "futility", "lmr", "modern"]),
    ("draughts", "draughts-ballots", 9, &["none", "null-move", "mpc", "multi-cut", "futility", "lmr"]),
    ("einstein", "einstein-test", 5, &["none", "null-move", "chance-probcut", "futility"]),
];

fn speed(criterion: &mut Criterion) {
    for (game, set, depth, methods) in CASES {
        let game = secateur_games::named(game).expect("a game here");
        let setup = Setup::embedded(game.name()).expect("the embedded setup is valid");
        let entries = secateur_positions::builtin(&game, set).expect("a built-in set").entries;
        let positions: Vec<_> = entries
            .iter()
            .step_by(entries.len() / 4)
            .map(|entry| game.parse(&entry.position).expect("built-in positions are legal"))
            .collect();
        let mut group = criterion.benchmark_group(format!("{} depth {depth}", game.name()));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        for name in methods {
            let methods =
                setup.methods(&name.parse().expect("a method set")).expect("a method set of this game");
            let mut search = game.clone().searcher(&methods, setup.options.clone());
            let budget = Budget::Depth(depth);
            let mut run = || positions.iter().map(|pos| search.run(pos, &budget).tally.nodes).sum::<u64>();
            group.throughput(Throughput::Elements(run()));
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(&mut run));
        }
        group.finish();
    }
}

fn hot(criterion: &mut Criterion) {
    for game in ["othello", "chess"] {
        let mut group = criterion.benchmark_group(game);
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        for what in PARTS.iter().chain(HOSTS).chain(METHODS) {
            let mut work = kernel(&format!("{game} {what}"));
            group.throughput(Throughput::Elements(work()));
            group.bench_function(BenchmarkId::from_parameter(what), |bencher| bencher.iter(&mut work));
        }
        group.finish();
    }
}

criterion_group!(benches, hot, speed);
criterion_main!(benches);
