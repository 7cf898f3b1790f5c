//! Who judged the moves of a run, in words.

use crate::labels::count;
use secateur_record::manifest::{JudgeEntry, Manifest};

/// The judges of the moves of a game in a run, each once: nothing where nobody judged, or where the manifest does not say.
#[must_use]
pub fn judges(manifest: &Manifest, game: &str) -> Vec<String> {
    let head = manifest.suite.get("oracle");
    let blocks = manifest.suite.get("block").and_then(toml::Value::as_array);
    let judges = manifest.game(game).map_or(&[][..], |entry| &entry.judge);
    let mut all = Vec::new();
    for block in blocks.into_iter().flatten() {
        if block.get("game").and_then(toml::Value::as_str) == Some(game)
            && let Some(oracle) = block.get("oracle").or(head)
        {
            // A depth alone is a number in older suites.
            let text = oracle.as_str().map_or_else(|| oracle.to_string(), str::to_owned);
            let sentence = words(&text, judges);
            if !all.contains(&sentence) {
                all.push(sentence);
            }
        }
    }
    all
}

/// An oracle as a suite writes it, in words.
fn words(oracle: &str, judges: &[JudgeEntry]) -> String {
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
