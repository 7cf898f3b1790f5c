//! What draughts programs prune by, side by side: nodes, moves and what the moves lose, as CSV.
//!
//! `cargo run --release -p secateur-draughts --example rules > docs/runs/printed/rules.csv`
//!
//! The arms, positions and depths of the suite `rules`, with the host options and parameters of draughts, so that nodes and moves
//! are those of a run of it, in minutes and without building the bench. On endings regret is exact, and a move that gives up a
//! win or a draw is counted; elsewhere a full-width search two plies deeper judges. Left out: intervals and tests, which the run
//! of the suite has.

use secateur_core::game::{Evaluation, Game, Notation, Rules};
use secateur_core::prune::{Baselines, Methods, Params, equip};
use secateur_core::search::{Budget, Options};
use secateur_core::{Depth, Score};
use secateur_draughts::{Draughts, Position};
use serde::Deserialize;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use toml::{Table, Value};

/// The first is the baseline.
const ARMS: [&str; 5] = ["none", "chinook", "probcut[scan]", "chinook[guicheckers]", "razoring[cake]"];
/// Positions of games: the set, how many of each stage, plies. Then the endings.
const GAMES: (&str, usize, i32) = ("draughts-test.pos", 6, 13);
const ENDINGS: (&str, usize, i32) = ("draughts-endings.pos", usize::MAX, 7);
/// Plies by which the judge looks further where nothing is exact.
const FURTHER: i32 = 2;

type Failure = Box<dyn Error>;

fn read(path: &str) -> Result<String, Failure> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The methods of an arm: at most one, with at most one preset.
fn methods(arm: &str, defaults: &Table, presets: &Table) -> Result<Methods, Failure> {
    let (name, preset) = arm.trim_end_matches(']').split_once('[').unwrap_or((arm, ""));
    let mut numbers = defaults.clone();
    if !preset.is_empty() {
        let all = presets["preset"].as_array().ok_or("expected presets")?;
        let is_it =
            |entry: &&Value| (entry["method"].as_str(), entry["name"].as_str()) == (Some(name), Some(preset));
        let set = all.iter().find(is_it).and_then(|entry| entry["set"].as_table()).ok_or("no such preset")?;
        for (key, value) in set {
            let mut at = numbers.get_mut(name).and_then(Value::as_table_mut).ok_or("no such method")?;
            let mut path: Vec<&str> = key.split('.').collect();
            let last = path.pop().ok_or("an empty name")?;
            for part in path {
                let below = at.entry(part).or_insert_with(|| Value::Table(Table::new()));
                at = below.as_table_mut().ok_or("expected a table")?;
            }
            at.insert(last.to_owned(), value.clone());
        }
    }
    let params = Params::deserialize(Value::Table(numbers))?;
    Ok(equip(&name.parse()?, &params, &Baselines::default(), Draughts::STAGES.len())?)
}

/// The first so many positions of each stage of a set.
fn positions(game: &Draughts, (set, limit, _): (&str, usize, i32)) -> Result<Vec<Position>, Failure> {
    let mut taken = vec![0; Draughts::STAGES.len()];
    let mut positions = Vec::new();
    for line in read(&format!("positions/data/{set}"))?.lines().filter(|line| !line.starts_with('#')) {
        let text = line.split(';').next().unwrap_or_default();
        let pos = game.parse(text).map_err(|error| format!("{set}: {text}: {error}"))?;
        let stage = &mut taken[game.stage(&pos)];
        if *stage < limit {
            *stage += 1;
            positions.push(pos);
        }
    }
    Ok(positions)
}

/// What the best move is worth more than this one.
fn regret(
    game: &Draughts,
    options: &Options,
    pos: &Position,
    mv: secateur_draughts::Move,
    depth: i32,
) -> i32 {
    if let Some(best) = game.solved(pos) {
        // A move that takes the last piece leaves nothing to look up, and wins.
        return best.0 + game.solved(&game.play(pos, mv)).map_or(-best.0, |score| score.0);
    }
    let mut judge = game.clone().searcher(Methods::NONE, options.clone());
    let best = judge.run(pos, &Budget::Depth(depth)).last().score;
    best.0 - judge.move_value(pos, mv, Depth(depth)).0.0
}

fn main() -> Result<(), Failure> {
    let game = Draughts::default();
    let params: Table = read("suites/params/draughts.toml")?.parse()?;
    let presets: Table = read("suites/params/presets.toml")?.parse()?;
    let options = Options::deserialize(params["host"].clone())?;
    let numbers = params["methods"].as_table().ok_or("expected parameters of methods")?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "positions,depth,count,methods,nodes,saved,same_moves,regret,thrown")?;
    for block in [GAMES, ENDINGS] {
        let (set, _, depth) = block;
        let all = positions(&game, block)?;
        let mut baseline = Vec::new();
        for arm in ARMS {
            let methods = methods(arm, numbers, &presets)?;
            let (mut nodes, mut ratio, mut same, mut lost, mut thrown) = (0, 0.0, 0, 0, 0);
            for (index, pos) in all.iter().enumerate() {
                let mut search = game.clone().searcher(&methods, options.clone());
                let run = search.run(pos, &Budget::Depth(depth));
                let (visited, mv) = (run.tally.nodes, run.last().pv.first().copied().ok_or("no move")?);
                if arm == ARMS[0] {
                    baseline.push((visited, mv));
                }
                let (full, first) = baseline[index];
                nodes += visited;
                ratio += (full as f64 / visited as f64).ln();
                same += usize::from(mv == first);
                let regret = regret(&game, &options, pos, mv, depth + FURTHER);
                lost += i64::from(regret);
                thrown += usize::from(Score(regret) >= Draughts::DECISIVE);
            }
            let count = all.len() as f64;
            let (mean, saved) = (nodes as f64 / count, (ratio / count).exp());
            let (same, lost) = (100.0 * same as f64 / count, lost as f64 / count);
            writeln!(
                stdout,
                "{},{depth},{count},{arm},{mean:.0},{saved:.2},{same:.0},{lost:.2},{thrown}",
                &set[..set.len() - 4]
            )?;
            stdout.flush()?;
        }
    }
    Ok(())
}
