//! Everything that was recorded in one or several runs, as reports have it.

use crate::judge::judges;
use secateur_record::build::Build;
use secateur_record::games::{self, Traits};
use secateur_record::manifest::{BASELINE, Manifest, ProgramEntry};
use secateur_record::record::{CounterRow, IterationRow, Record};

/// Everything that was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// The `run.toml` of every folder.
    pub manifests: Vec<Manifest>,
    /// Who made the rows, each once.
    pub builds: Vec<Build>,
    /// Rows of `records.csv`, in file order.
    pub records: Vec<Record>,
    /// Rows of `iterations.csv`.
    pub iterations: Vec<IterationRow>,
    /// Rows of `counters.csv`.
    pub counters: Vec<CounterRow>,
    /// What a reader of the report must know.
    pub notes: Vec<String>,
}

impl Runs {
    /// The arm of a game that all others are compared with.
    #[must_use]
    pub fn baseline(&self, game: &str) -> &str {
        let told = self.manifests.iter().find_map(|manifest| manifest.game(game)?.baseline.as_deref());
        told.unwrap_or(BASELINE)
    }

    /// The program that the arms of a game are of, if it is another than this.
    #[must_use]
    pub fn program(&self, game: &str) -> Option<&ProgramEntry> {
        self.manifests.iter().find_map(|manifest| manifest.game(game)?.program.as_ref())
    }

    /// Whether the arms of a game are method sets of this program, so that every method tells what it did.
    #[must_use]
    pub fn is_ours(&self, game: &str) -> bool {
        self.program(game).is_none()
    }

    /// Who judged the moves of a game, in words; empty where nobody did.
    #[must_use]
    pub fn judge(&self, game: &str) -> String {
        let mut all: Vec<String> = Vec::new();
        for judge in self.manifests.iter().flat_map(|manifest| judges(manifest, game)) {
            if !all.contains(&judge) {
                all.push(judge);
            }
        }
        all.join("; ")
    }

    /// What the scores and stages of a game mean: as a manifest says, or else the table of games.
    #[must_use]
    pub fn traits(&self, game: &str) -> Traits {
        let told = |manifest: &Manifest| manifest.game(game)?.traits.clone();
        let published = || games::traits(game).cloned();
        self.manifests.iter().find_map(told).or_else(published).unwrap_or_default()
    }
}
