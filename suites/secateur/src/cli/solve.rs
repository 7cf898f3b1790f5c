//! `solve`: the exact values of positions, searched to the end, and whether they are what their file says.

use crate::cli::analyse::{WIDE, value};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::jobs;
use crate::cli::running::interrupt;
use crate::cli::say::{Progress, say};
use secateur_arena::analysis::{Place, Row, Solving, Verdict, places, solve};
use secateur_base::number::{either, plural};
use secateur_base::program::name;
use secateur_reports::format::count;
use secateur_reports::render::terminal;
use secateur_reports::table::{Report, Table};
use secateur_suites::instruments::machine::cores;
use std::path::PathBuf;

/// Arguments of `solve`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} solve ffo:40\n  {me} solve endgames.obf --jobs 2 --out solved.csv\n  {me} solve \
                  mates.epd --depth 7\n\n\
                  A game that counts its moves to the end is solved, as discs are. Of any other only a mate, a forced win or loss that \
                  ends the game within --depth plies is found, and a position without one is reported as open.\n\
                  Exit code 2 for an invalid position, with its place; 3 if a value differs from the file's; 4 if a position is open or the \
                  command was stopped: with --out the same command resumes.", me = name())
)]
pub struct Flags {
    /// A file or a set, one position of it (FILE:LINE, SET:ID), or a position as a line of a file
    #[arg(allow_hyphen_values = true)]
    positions: String,
    /// The game, if the file does not show it
    #[arg(long)]
    game: Option<String>,
    /// Depth to which forced ends are searched in a game that does not count its moves, plies
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Print all best moves, not only one
    #[arg(long)]
    all_best: bool,
    /// Positions at a time [default: all cores]
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Keep solutions in this CSV file; positions that are in it are not solved again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let places = places(&self.positions, self.game.as_deref())?;
        let stop = interrupt("the positions under way are given up")?;
        let jobs = self.jobs.unwrap_or_else(cores);
        let how = Solving {
            depth: self.depth,
            all_best: self.all_best,
            jobs,
            keep: self.out.as_deref(),
            stop: &stop,
        };
        let mut bar = Progress::new(places.len() as u64, 0);
        let mut done = 0;
        let rows = solve(&places, &how, &mut |_, row| {
            done += 1;
            bar.set(done, &row.id);
        })?;
        drop(bar);
        say(&shown(&places, &rows));
        let all = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        let (wrong, open) = (all(Verdict::Wrong), all(Verdict::Open));
        if wrong > 0 {
            return Err(Failure::gate(format!(
                "{wrong} of {} {} from what the file says",
                plural(rows.len(), "value"),
                either(wrong, "differs", "differ")
            )));
        }
        if rows.len() < places.len() {
            let hint = self.out.map_or(String::new(), |_| "; the same command resumes".to_owned());
            return Err(Failure::stopped(format!("stopped after {} of {}{hint}", rows.len(), places.len())));
        }
        match open {
            0 => Ok(()),
            open => Err(Failure::incomplete(format!(
                "{open} of {} {} open: no forced end within {} {}",
                plural(rows.len(), "position"),
                either(open, "is", "are"),
                self.depth,
                either(self.depth as usize, "ply", "plies")
            ))),
        }
    }
}

fn shown(places: &[Place], rows: &[Row]) -> String {
    let Some(game) = places.first().map(|place| &place.game) else { return String::new() };
    let cells = |row: &Row| {
        let value_text = |score: Option<i32>| score.map_or_else(String::new, |score| value(game, score));
        let verdict = match row.verdict {
            Verdict::Open => "open".to_owned(),
            Verdict::Wrong => format!("{} (!)", value_text(row.value)),
            _ => value_text(row.value),
        };
        [
            ("<position", row.id.clone()),
            ("value", verdict),
            ("file", value_text(row.expected)),
            ("<best", row.best.clone()),
            ("<line", row.line.clone()),
            ("nodes", count(row.nodes)),
            ("time (s)", format!("{:.3}", row.time_ns as f64 / 1e9)),
        ]
    };
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let checked = rows.iter().filter(|row| row.expected.is_some()).count();
    let right = rows.iter().filter(|row| row.verdict == Verdict::Right).count();
    let table = rows.iter().map(cells).collect::<Table>().noted(format!(
        "Positions: {}; nodes: {}; {right} of {checked} as the file says.",
        rows.len(),
        count(nodes)
    ));
    terminal(&Report::of_table("Solved", Vec::new(), table), WIDE)
}
