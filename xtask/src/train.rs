//! `train`: an evaluation from self-play, written beside its provenance.

use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::say::say;
use secateur_suites::machine::cores;
use secateur_suites::train::{Phase, Settings, train};
use std::path::PathBuf;

/// Arguments of `train`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask train othello --games 80000 --seed 1\n\n\
                        After a training: cargo xtask fit othello, and sample the position sets again if the\n\
                        recorded ones are to be reproducible.")]
pub(crate) struct Flags {
    /// The game; only Othello learns its evaluation
    #[arg(value_parser = ["othello"])]
    game: String,
    /// Games of each generation
    #[arg(long, default_value_t = Settings::default().games)]
    games: u32,
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

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let settings = Settings {
            games: self.games,
            seed: self.seed,
            threads: self.jobs.unwrap_or_else(cores),
            generations: self.generations,
            depth: self.depth,
            solve_empties: self.solve_empties,
            trust: self.trust,
        };
        std::fs::create_dir_all(&self.out).map_err(Failure::io(&self.out))?;
        let mut bar = Progress::new(0, 0);
        let trained = train(&settings, &mut |p| {
            let phase = match p.phase {
                Phase::Games => "games",
                Phase::Passes => "passes of the regression",
            };
            bar.restart(p.total);
            bar.set(p.done, &format!("generation {}: {phase}", p.generation));
        })?;
        bar.finish();
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
