//! What does a better evaluation change? The measurements of docs/studies/evaluation.md.
//!
//! `evaluation FOLDER [LIMIT]` learns evaluations of graded strength in chess and Othello, plays, fits and searches with each, and keeps every
//! part in FOLDER: after Ctrl-C the same command resumes. LIMIT is a taste: so many positions of each stage, twice as many openings, and
//! a training and fits to go with it. Then FOLDER has the matches and fits, `evaluation-games.csv`, and the worth of every method,
//! `evaluation.csv`, from which `cargo xtask docs` makes its tables and pictures.

use secateur_lab::studies::evaluation::markdown;
use secateur_record::files::replace;
use secateur_record::table::of_rows;
use secateur_suites::instruments::machine::cores;
use serde::Serialize;
use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use studies::grades::kept::Graded;
use studies::grades::numbers::measured;
use studies::grades::{Settings, measure};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, limit) = match &args[..] {
        [folder] => (Path::new(folder), None),
        [folder, limit] => (Path::new(folder), Some(limit.parse()?)),
        _ => return Err("expected FOLDER [LIMIT]".into()),
    };
    let settings = Settings { limit, threads: cores() };
    let mut tell = |line: &str| drop(writeln!(stderr(), "{line}"));
    let mut games = Vec::new();
    for game in ["chess", "othello"] {
        let of_game = folder.join(game);
        measure(game, &of_game, settings, &mut tell, &AtomicBool::new(false))?;
        games.push((game.to_owned(), Graded::read(&of_game)?));
    }
    let (strengths, worths) = measured(games);
    put(&folder.join("evaluation-games.csv"), &strengths)?;
    put(&folder.join("evaluation.csv"), &worths)?;
    Ok(writeln!(stdout(), "{}", markdown(&strengths, &worths))?)
}

/// Writes a table with the command that makes it.
fn put(path: &Path, rows: &[impl Serialize]) -> Result<(), Box<dyn Error>> {
    let command = "cargo run --release --manifest-path examples/studies/Cargo.toml --bin evaluation";
    let args: Vec<String> = std::env::args().skip(1).collect();
    Ok(replace(path, format!("# {command} -- {}\n{}", args.join(" "), of_rows(rows)).as_bytes())?)
}
