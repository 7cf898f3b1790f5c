//! Wall time of the hot parts and of the full-width hosts, by criterion, with throughput in nodes or positions.
//!
//! For people, not for a gate: criterion's verdicts follow the weather of the machine.

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use secateur_benches::kernels::{HOSTS, METHODS, PARTS, kernel};
use std::time::Duration;

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

criterion_group!(benches, hot);
criterion_main!(benches);
