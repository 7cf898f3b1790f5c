//! Reading of position files, each of twice the size of the one before: bytes a second stay what they are, because the time of
//! every reader grows as the file does.
//!
//! That it does is a test of what readers look at (`positions/src/games.rs`); this is what it costs.

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use secateur_core::{AnyGame, Moves, Notation, Rules};

use secateur_positions::{Kind, Provenance, Reading, parse_as};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Games of the smallest file, and how often it is doubled.
const GAMES: usize = 250;
const DOUBLINGS: u32 = 4;
/// Plies of a game, and from one of its positions to the next.
const PLIES: usize = 40;
const EVERY: usize = 8;

/// Games in text with tags, comments and variations, no two alike for long; as lines of positions where the format has them.
fn text(game: &AnyGame, kind: Kind, games: usize) -> String {
    let start = game.start().expect("games of a notation begin somewhere");
    let mut text = String::new();
    for number in 0..games {
        let mut position = game.parse(&start).expect("a position");
        let is_record = matches!(kind, Kind::Pgn | Kind::Pdn);
        if is_record {
            let _ = writeln!(text, "[Event \"{number}\"]\n[Result \"*\"]\n");
        }
        for ply in 0..PLIES {
            let mut moves = Moves::<AnyGame>::new();
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[(number / (ply + 1) + ply * 7 + number % 5) % moves.len()].mv;
            if is_record {
                let word = game.format_move(&position, mv);
                let _ = write!(text, "{}. {word} {{a comment}} ({word} (x) y) ", ply / 2 + 1);
            } else if ply % EVERY == 0 {
                let _ = writeln!(text, "{}", game.format(&position));
            }
            position = game.play(&position, mv);
        }
        if is_record {
            text.push_str("*\n\n");
        }
    }
    text
}

fn readers(criterion: &mut Criterion) {
    let kinds = [
        ("chess", Kind::Pgn),
        ("draughts", Kind::Pdn),
        ("chess", Kind::Epd),
        ("othello", Kind::Obf),
        ("shogi", Kind::Sfen),
    ];
    for (game, kind) in kinds {
        let game = secateur_games::named(game).expect("a game here");
        let mut group = criterion.benchmark_group(format!("reading .{}", kind.ending()));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        for games in (0..DOUBLINGS).map(|doubling| GAMES << doubling) {
            let text = text(&game, kind, games);
            let reading = Reading { every: EVERY, ..Reading::default() };
            let path = Path::new("bench");
            let read = || {
                let set = parse_as(&game, kind, "bench", path, &text, Provenance::default(), reading);
                set.expect("positions").entries.len()
            };
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(BenchmarkId::from_parameter(games), |bencher| bencher.iter(read));
        }
        group.finish();
    }
}

criterion_group!(benches, readers);
criterion_main!(benches);
