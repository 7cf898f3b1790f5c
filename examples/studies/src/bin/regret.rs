//! Whose move is better where two method sets of a chess run disagree? Asked of a search with ten times the budget.
//!
//! `regret RUN FIRST SECOND NODES [PARAMS]` reads the records of RUN. The judge is null-move search, the method that both sets share;
//! it gives NODES to the position after each of the two moves, and the deepest iteration that both finish counts. Prints as CSV
//! the mean loss of FIRST against SECOND in centipawns (positive: FIRST chose worse) over all positions, agreement counted as 0.

use secateur_core::search::{Budget, Search};
use secateur_core::{Game, Notation, Rules};
use secateur_games::chess::Chess;
use secateur_positions::builtin;
use secateur_record::record::Record;
use secateur_record::store::RunRows;
use secateur_suites::setups::setup::Setup;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A score beyond this is a matter of taste: won is won.
const DECIDED: i32 = 1000;

/// Loss of the first move against the second, centipawns.
fn loss(judge: &mut Search<'_, Chess>, fen: &str, moves: &[String; 2], nodes: u64) -> i32 {
    let game = judge.game.clone();
    let root = game.parse(fen).expect("a position of a set");
    let values = moves.each_ref().map(|text| {
        let mv = game.parse_move(&root, text).expect("a move of a record");
        let outcome = judge.run(&game.play(&root, mv), &Budget::Nodes(nodes));
        outcome.iterations.iter().map(|one| -one.score.0.clamp(-DECIDED, DECIDED)).collect::<Vec<_>>()
    });
    let common = values[0].len().min(values[1].len()) - 1;
    values[1][common] - values[0][common]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, first, second, nodes, rest @ ..] = arguments.as_slice() else {
        return Err("usage: regret RUN FIRST SECOND NODES [PARAMS]".into());
    };
    let nodes: u64 = nodes.parse()?;
    let game = Chess::default();
    let mut rows: BTreeMap<String, BTreeMap<String, Record>> = BTreeMap::new();
    let (searches, ..) = RunRows::read(Path::new(run))?;
    for row in searches.records {
        rows.entry(row.position.to_string()).or_default().insert(row.methods.to_string(), row);
    }
    let set = builtin(&game, "chess-games")?;
    let mut disputed = Vec::new();
    let mut agreed = 0;
    for entry in &set.entries {
        let Some((one, two)) = rows.get(&entry.id).and_then(|row| row.get(first).zip(row.get(second))) else {
            continue;
        };
        if one.best_move == two.best_move {
            agreed += 1;
        } else {
            disputed.push((entry.position.clone(), [one.best_move.to_string(), two.best_move.to_string()]));
        }
    }
    let setup = Setup::chosen(Chess::NAME, rest.first().map(String::as_str))?;
    let methods = setup.methods(&"null-move".parse()?)?;
    let (next, losses) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..secateur_suites::instruments::machine::cores() {
            scope.spawn(|| {
                let mut judge = Search::new(Chess::default(), &methods.of::<Chess>(), setup.options.clone());
                while let Some((fen, moves)) = disputed.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let loss = loss(&mut judge, fen, moves, nodes);
                    losses.lock().expect("no thread panics").push(f64::from(loss));
                }
            });
        }
    });
    let losses = losses.into_inner()?;
    let n = (agreed + losses.len()) as f64;
    let mean = losses.iter().sum::<f64>() / n;
    let variance = (losses.iter().map(|x| x * x).sum::<f64>() / n - mean * mean) / (n - 1.0);
    let count = |test: fn(&f64) -> bool| losses.iter().filter(|x| test(x)).count();
    writeln!(
        stdout(),
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin regret -- {}",
        arguments.join(" ")
    )?;
    let mut out = csv::Writer::from_writer(stdout());
    let headings = ["first", "second", "positions", "agreed", "loss", "loss_low", "loss_high"];
    out.write_record(headings.iter().chain(&["worse", "equal", "better", "lost_50", "won_50"]))?;
    let half = 1.96 * variance.sqrt();
    out.serialize((
        (first, second, n as usize, agreed, mean, mean - half, mean + half),
        (count(|x| *x > 0.0), count(|x| *x == 0.0), count(|x| *x < 0.0)),
        (count(|x| *x >= 50.0), count(|x| *x <= -50.0)),
    ))?;
    Ok(out.flush()?)
}
