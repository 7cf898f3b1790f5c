//! `pairs`: values of shallow and deep searches at positions that nothing was trained or fitted on.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::jobs;
use crate::cli::say::{phased, say};
use secateur_base::number::{argument, plural};
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_lab::pairs::{PairsSettings, run};
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments of `pairs`.
#[derive(clap::Args)]
#[command(after_help = format!("Examples, the pairs of docs/scatter.svg:\n  \
                        {me} pairs othello --positions othello-20 --play-on 2 --out docs/runs/scatter/othello-28.csv\n  \
                        {me} pairs othello --positions othello-36 --play-on 2 --out docs/runs/scatter/othello-44.csv\n\
                        The positions themselves, as Jiang & Buro 2003 took them:\n  \
                        {me} pairs chess --positions chess-games --plies 0 --methods 'null-move[crafty]' --range 300 \
                        --pair 4,8 --out docs/runs/pairs/chess-4-8.csv", me = name()))]
pub struct Flags {
    /// Name of the game
    game: String,
    /// Positions below which to draw: an .epd, .fen, .pgn or .obf file, or a built-in set that no fit used
    #[arg(long)]
    positions: String,
    /// Plies of good moves to play first from each position
    #[arg(long, default_value_t = 0)]
    play_on: u32,
    /// Plies from there to the nodes drawn below; 0 takes the positions themselves
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// Method set of both searches; `none` is full width
    #[arg(long, default_value = "none")]
    methods: String,
    /// Leave out pairs whose shallow value is farther from 0 than this, score units
    #[arg(long, value_name = "UNITS")]
    range: Option<i32>,
    /// Depths of the shallow and of the deep search, plies
    #[arg(long, default_value = "4,8", value_parser = pair)]
    pair: (i32, i32),
    /// Number of pairs
    #[arg(long, default_value_t = 2000, value_parser = argument::<usize>)]
    count: usize,
    /// Seed of the draw of nodes
    #[arg(long, default_value_t = 1995)]
    seed: u64,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// CSV file to write; the origin of the pairs is written next to it as .toml
    #[arg(long)]
    out: PathBuf,
}

fn pair(text: &str) -> Result<(i32, i32), String> {
    let (shallow, deep) = text.split_once(',').ok_or("expected two depths, as in 4,8")?;
    let depth = |text: &str| text.trim().parse().map_err(|_| format!("`{text}`: expected a depth in plies"));
    Ok((depth(shallow)?, depth(deep)?))
}

impl Flags {
    pub fn run(self) -> Outcome {
        if self.out.extension().is_none_or(|extension| extension != "csv") {
            return Err(Failure::input(format!("--out {}: expected a .csv file", self.out.display())));
        }
        let settings = PairsSettings {
            command: self.command(),
            methods: self.methods,
            range: self.range,
            positions: self.positions,
            play_on: self.play_on,
            plies: self.plies,
            shallow: self.pair.0,
            deep: self.pair.1,
            count: self.count,
            seed: self.seed,
            threads: self.jobs.unwrap_or_else(cores),
            date: day(SystemTime::now()),
        };
        let origin = phased("nodes drawn", |bar| run(&self.game, &settings, &self.out, bar))?;
        let asked =
            if origin.pairs < self.count { format!(" of {} asked for", self.count) } else { String::new() };
        say(&format!(
            "{}{asked} from {} of {}; left out: {} repeated, {} decisive, {} at the end of \
             the game, {} out of range\nwritten: {}\n",
            plural(origin.pairs, "pair"),
            plural(origin.positions_count, "position"),
            origin.positions,
            origin.repeated,
            origin.decisive,
            origin.ended,
            origin.out_of_range,
            self.out.display()
        ));
        Ok(())
    }

    /// The command with everything that the result depends on.
    fn command(&self) -> String {
        let methods = if self.methods == "none" {
            String::new()
        } else {
            format!(" --methods {}", shell_word(&self.methods))
        };
        let range = self.range.map_or(String::new(), |range| format!(" --range {range}"));
        format!(
            "cargo xtask pairs {} --positions {} --play-on {} --plies {}{methods}{range} --pair {},{} --count {} --seed {} \
             --out {}",
            self.game,
            shell_word(&self.positions),
            self.play_on,
            self.plies,
            self.pair.0,
            self.pair.1,
            self.count,
            self.seed,
            shell_path(&self.out)
        )
    }
}
