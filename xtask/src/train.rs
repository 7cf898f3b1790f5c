//! `train`: an evaluation from self-play or from games of others, written beside its provenance.

use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::say::say;
use secateur_positions::wthor::Archive;
use secateur_suites::machine::cores;
use secateur_suites::train::{Phase, Settings, train};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Arguments of `train`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask train othello --games 80000 --seed 1\n  \
                        cargo xtask train othello --games WTH_2019.wtb --games WTH_2020.wtb\n\n\
                        After a training: cargo xtask fit othello, and sample the position sets again if the\n\
                        recorded ones are to be reproducible.")]
pub(crate) struct Flags {
    /// The game; only Othello learns its evaluation
    #[arg(value_parser = ["othello"])]
    game: String,
    /// Self-play games of each generation, or a WTHOR database (.wtb) to learn from instead; may be repeated,
    /// and with a number and databases both are learnt from
    #[arg(long, value_name = "N|FILE.wtb", value_parser = games, num_args = 1..,
          default_value = NUMBER.as_str())]
    games: Vec<Games>,
    /// Seed of all random numbers
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Generations of self-play
    #[arg(long, default_value_t = Settings::default().generations)]
    generations: u32,
    /// Search depth of the last generation, plies
    #[arg(long, default_value_t = Settings::default().depth)]
    depth: i32,
    /// Empty squares from which games are solved exactly
    #[arg(long, default_value_t = Settings::default().solve_empties)]
    solve_empties: u32,
    /// How far a label trusts what came later over the search at hand, per cent; 100 learns results alone
    #[arg(long, default_value_t = Settings::default().trust)]
    trust: u32,
    /// Threads; all cores by default. The result does not depend on it
    #[arg(long)]
    jobs: Option<usize>,
    /// Folder of the weights and their provenance
    #[arg(long, default_value = "core/data")]
    out: PathBuf,
}

/// The default of `--games`, as text.
static NUMBER: LazyLock<String> = LazyLock::new(|| Settings::default().games.to_string());

/// What `--games` says.
#[derive(Clone, Debug)]
enum Games {
    /// So many games of self-play.
    Number(u32),
    /// The games of a database.
    File(PathBuf),
}

/// Reads a value of `--games`. A file of digits alone must be given with its folder.
fn games(text: &str) -> Result<Games, String> {
    if let Ok(number) = text.parse() {
        return Ok(Games::Number(number));
    }
    let path = PathBuf::from(text);
    let pathlike = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if pathlike { Ok(Games::File(path)) } else { Err("expected a number or a .wtb file".to_owned()) }
}

impl Flags {
    /// The number of self-play games, 0 with databases alone, and the databases.
    fn sources(&self) -> Result<(u32, Archive), Failure> {
        let numbers = self.games.iter().filter_map(|games| match games {
            Games::Number(number) => Some(*number),
            Games::File(_) => None,
        });
        let numbers: Vec<u32> = numbers.collect();
        if numbers.len() > 1 {
            return Err(Failure::input("--games: found two numbers, expected at most one"));
        }
        let files = self.games.iter().filter_map(|games| match games {
            Games::Number(_) => None,
            Games::File(path) => Some(path.clone()),
        });
        let archive = Archive::read(&files.collect::<Vec<_>>())?;
        Ok((numbers.first().copied().unwrap_or(0), archive))
    }

    pub(crate) fn run(self) -> Outcome {
        let (games, archive) = self.sources()?;
        let settings = Settings {
            games,
            seed: self.seed,
            threads: self.jobs.unwrap_or_else(cores),
            generations: self.generations,
            depth: self.depth,
            solve_empties: self.solve_empties,
            trust: self.trust,
        };
        // Now, so that hours of training do not end in an error; gone again if there is nothing to write.
        let made = !self.out.exists();
        std::fs::create_dir_all(&self.out).map_err(Failure::io(&self.out))?;
        let mut bar = Progress::new(0, 0);
        let trained = train(&settings, &archive, &mut |p| {
            let phase = match p.phase {
                Phase::Archive => "games solved",
                Phase::Games => "games",
                Phase::Passes => "passes of the regression",
            };
            bar.phase(p.done, p.total, &format!("generation {}: {phase}", p.generation));
        });
        bar.finish();
        let trained = trained.inspect_err(|_| {
            if made {
                let _ = std::fs::remove_dir(&self.out);
            }
        })?;
        let provenance = toml::to_string(&trained.provenance).map_err(Failure::system)?;
        for (name, bytes) in [
            (format!("{}.weights", self.game), trained.weights.to_bytes()),
            (format!("{}.provenance.toml", self.game), provenance.clone().into_bytes()),
        ] {
            let path = self.out.join(name);
            std::fs::write(&path, bytes).map_err(Failure::io(&path))?;
        }
        say(&provenance);
        Ok(())
    }
}
