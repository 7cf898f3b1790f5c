//! Everything that was recorded in one or several runs, as reports have it, and who judged their moves, in words.

use crate::labels::count;
use secateur_record::build::Build;
use secateur_record::games::{self, Traits};
use secateur_record::manifest::{BASELINE, JudgeEntry, Manifest, ProgramEntry};
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
    pub fn baseline(&self, game: &str) -> &str {
        let named = self.manifests.iter().find_map(|manifest| manifest.game(game)?.baseline.as_deref());
        named.unwrap_or(BASELINE)
    }

    /// The program that the arms of a game are of, if it is another than this.
    pub fn program(&self, game: &str) -> Option<&ProgramEntry> {
        self.manifests.iter().find_map(|manifest| manifest.game(game)?.program.as_ref())
    }

    /// Whether the arms of a game are method sets of this program, so that every method tells what it did.
    pub fn is_ours(&self, game: &str) -> bool {
        self.program(game).is_none()
    }

    /// Who judged the moves of a game, in words; empty where they were not judged.
    pub fn judge(&self, game: &str) -> String {
        each_once(self.manifests.iter().flat_map(|manifest| judges(manifest, game))).join("; ")
    }

    /// What the scores and stages of a game mean: as a manifest says, or else the table of games.
    pub fn traits(&self, game: &str) -> Traits {
        let recorded = |manifest: &Manifest| manifest.game(game)?.traits.clone();
        let published = || games::traits(game).cloned();
        self.manifests.iter().find_map(recorded).or_else(published).unwrap_or_default()
    }
}

/// The judges of the moves of a game in a run, each once: nothing where moves were not judged, or where the manifest does not say.
pub fn judges(manifest: &Manifest, game: &str) -> Vec<String> {
    let head = manifest.suite.get("oracle");
    let blocks = manifest.suite.get("block").and_then(toml::Value::as_array);
    let judges = manifest.game(game).map_or(&[][..], |entry| &entry.judge);
    let of_game = |block: &&toml::Value| block.get("game").and_then(toml::Value::as_str) == Some(game);
    let oracles = blocks.into_iter().flatten().filter(of_game);
    let oracles = oracles.filter_map(|block| block.get("oracle").or(head));
    // A depth alone is a number in older suites.
    let text = |oracle: &toml::Value| oracle.as_str().map_or_else(|| oracle.to_string(), str::to_owned);
    each_once(oracles.map(|oracle| oracle_in_words(&text(oracle), judges)))
}

/// What there is of each key, the keys in the order in which they come.
pub fn by_key<K: PartialEq, T>(all: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut lists: Vec<(K, Vec<T>)> = Vec::new();
    for (key, one) in all {
        match lists.iter_mut().find(|(other, _)| *other == key) {
            Some((_, list)) => list.push(one),
            None => lists.push((key, vec![one])),
        }
    }
    lists
}

/// Things in the order in which they come, each once.
pub fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// An oracle as a suite writes it, in words.
fn oracle_in_words(oracle: &str, judges: &[JudgeEntry]) -> String {
    if let Some(judge) = judges.iter().find(|judge| judge.oracle == oracle) {
        let moves = if judge.moves == "alone" {
            "a search of it alone"
        } else {
            "the position after it, one ply less deep or with the same nodes"
        };
        return format!(
            "{} ({}; {}), the value of a move by {moves}",
            judge.program.id,
            budget(oracle),
            judge.arm
        );
    }
    format!("our own full-width search ({})", budget(oracle))
}

/// The budget of an oracle in words.
fn budget(oracle: &str) -> String {
    if let Some((_, nodes)) = oracle.rsplit_once("@nodes=") {
        return format!("{} nodes", nodes.parse().map_or_else(|_| nodes.to_owned(), count));
    }
    let last = oracle.rsplit(['@', '+']).next().unwrap_or(oracle);
    let plies = if last == "1" { "ply" } else { "plies" };
    let is_deeper = oracle[..oracle.len() - last.len()].ends_with('+');
    format!("{last} {plies}{}", if is_deeper { " deeper" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::manifest::ProgramEntry;

    #[test]
    fn every_judge_is_named_once() {
        let text = "oracle = \"+2\"\n[[block]]\ngame = \"chess\"\n[[block]]\ngame = \"chess\"\noracle = 12\n\
                    [[block]]\ngame = \"othello\"\noracle = \"x@nodes=200000\"\n[[block]]\ngame = \"chess\"\n";
        let program = ProgramEntry { id: "X 1".to_owned(), ..ProgramEntry::default() };
        let entry = JudgeEntry {
            oracle: "x@nodes=200000".to_owned(),
            arm: "full".to_owned(),
            moves: "after".to_owned(),
            program,
            ..JudgeEntry::default()
        };
        let mut manifest = crate::fixtures::manifest("[[game]]\nname = \"othello\"\n");
        manifest.game[0].judge = vec![entry];
        manifest.suite = text.parse().unwrap();
        let ours = ["our own full-width search (2 plies deeper)", "our own full-width search (12 plies)"];
        assert_eq!(judges(&manifest, "chess"), ours);
        let [one] = &judges(&manifest, "othello")[..] else { panic!("one judge") };
        assert!(
            one.starts_with("X 1 (200,000 nodes; full), the value of a move by the position after"),
            "{one}"
        );
        assert!(judges(&manifest, "go").is_empty());
        assert_eq!(budget("a/b+c.toml+1"), "1 ply deeper");
    }
}
