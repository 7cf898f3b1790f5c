//! The positions of runs as texts, for the boards of the page: those of the sets that come along, and of files that are
//! still what they were.
//!
//! A record names positions and does not hold them. A set that is not there any more, or another one by now, has no boards,
//! and the page is as good without them. With a position goes the command that searches it again.

use secateur_base::words::shell_word;
use secateur_positions::{Reading, resolve_as};
use secateur_record::manifest::Manifest;
use secateur_record::manifest::Session;
use secateur_reports::page::changes::{Known, Positions};
use secateur_stats::runs::Runs;
use secateur_suites::setups::games;

/// What is still there of the positions of all runs.
pub fn positions(runs: &Runs) -> Positions {
    let mut all = Positions::new();
    for manifest in &runs.manifests {
        add(manifest, &mut all);
    }
    all
}

fn add(manifest: &Manifest, all: &mut Positions) {
    for game in &manifest.game {
        let Ok(game_rules) = games::find(&game.name) else { continue };
        for (name, hash) in &game.sets {
            // Wrong lines that were left out then are left out now.
            let reading = Reading { skip_bad: true, ..Reading::default() };
            let Ok(set) = resolve_as(&game_rules, name, reading) else { continue };
            if set.hash == *hash {
                let again = manifest.session.first().and_then(again);
                for entry in set.entries {
                    // What is one position already is named as it was.
                    let place = if name.ends_with(&format!(":{}", entry.id)) {
                        name.clone()
                    } else {
                        format!("{name}:{}", entry.id)
                    };
                    let again = again.as_ref().map_or_else(String::new, |again| {
                        format!("{again} --game {} --positions {}", game.name, shell_word(&place))
                    });
                    all.insert((game.name.clone(), entry.id), Known { position: entry.position, again });
                }
            }
        }
    }
}

/// What decides what is searched, besides positions, arms and the budget: flags of `bench` and `worth` with a value of their own.
const DECIDING: [&str; 3] = ["--subject", "--others", "--params"];

/// The command that searches as a session did, but for positions, arms and the budget; nothing for sessions of other commands, whose
/// suites nobody can name.
fn again(session: &Session) -> Option<String> {
    let at = session.argv.iter().position(|word| word == "bench" || word == "worth")?;
    let mut command: Vec<String> = session.argv[..at].to_vec();
    command.push("bench".to_owned());
    let rest = &session.argv[at + 1..];
    // Both have one argument without a name: the one that is neither a flag nor behind one.
    let is_named = |at: usize| rest[at].starts_with('-') || at > 0 && rest[at - 1].starts_with("--");
    match (0..rest.len()).find(|&at| !is_named(at)).map(|at| &rest[at]) {
        Some(subject) if session.argv[at] == "worth" => {
            command.extend(["--subject".to_owned(), shell_word(subject)])
        }
        Some(suite) => command.push(shell_word(suite)),
        None if session.argv[at] == "worth" => return None,
        None => {}
    }
    for (at, word) in rest.iter().enumerate() {
        if DECIDING.contains(&word.as_str()) {
            command.extend([word.clone(), shell_word(rest.get(at + 1)?)]);
        } else if DECIDING.iter().any(|flag| word.starts_with(&format!("{flag}="))) {
            command.push(shell_word(word));
        }
    }
    Some(command.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_a_search_stays_and_the_rest_goes() {
        let repeated = |text: &str| {
            let argv = text.split(' ').map(str::to_owned).collect();
            again(&Session {
                started: String::new(),
                argv,
                jobs: 1,
                cores: Vec::new(),
                git: Default::default(),
            })
        };
        for (typed, repeated_command) in [
            (
                "cargo xtask bench tiny.toml --out o --params fast --depth 3",
                "cargo xtask bench tiny.toml --params fast",
            ),
            ("secateur worth toga2 --depth 8 --oracle 2", "secateur bench --subject toga2"),
            (
                "secateur bench --subject mine.toml --jobs 2 --others=on",
                "secateur bench --subject mine.toml --others=on",
            ),
        ] {
            assert_eq!(repeated(typed).as_deref(), Some(repeated_command));
        }
        assert_eq!(repeated("cargo xtask paper buro-1995"), None);
    }
}
