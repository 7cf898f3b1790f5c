//! Runs as reports and documents take them, and matches as documents do: without the positions that something was tuned on.
//!
//! Runs are kept as they were made. Some of them were made before a position was reserved
//! ([`secateur_positions::builtin::Reserved`]), so its rows are left out here, of a match the games that begin from it, and what is
//! left is what the same command searches today. Whether any table still rests on such a position is a test
//! (`xtask/tests/evidence.rs`).
//!
//! A record names positions and does not hold them. The boards of the page come from the sets that come along, and from files that are
//! still what they were ([`positions`]): a set that is not there any more, or another one by now, has no boards, and the page is as good
//! without them.

use crate::cli::failure::Failure;
use secateur_arena::play::{Ended, OpeningRow};
use secateur_base::words::shell_word;
use secateur_core::{AnyGame, Game, Notation};
use secateur_positions::builtin::is_reserved;
use secateur_positions::duplicates::tuned_on;
use secateur_positions::{Reading, resolve_as};
use secateur_record::manifest::Session;
use secateur_reports::page::changes::{Known, Positions};
use secateur_stats::read::read;
use secateur_stats::runs::Runs;
use secateur_suites::setups::games;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Matches that judge tuned numbers, and the openings of the games that tuned them: some were drawn for both.
const TUNED: [(&str, &str); 2] = [
    ("docs/runs/play-tuned", "docs/runs/tune-modern/openings.csv"),
    ("docs/runs/play-tuned-clock", "docs/runs/tune-clock/openings.csv"),
];
/// How the note on what was left out begins.
const LEFT_OUT: &str = "Left out: ";

/// Runs, with a note on what was left out: reports and documents show the same numbers of one run.
pub fn searches(folders: &[PathBuf]) -> Result<Runs, Failure> {
    let mut runs = read(folders)?;
    without_reserved(&mut runs);
    Ok(runs)
}

/// The run in this folder, as [`searches`] takes it.
pub fn searches_in(folder: &Path) -> Result<Runs, Failure> {
    searches(&[folder.to_owned()])
}

/// Takes the rows of reserved positions out, and notes how many positions that were.
pub fn without_reserved(runs: &mut Runs) {
    let positions = runs.records.iter().map(|row| row.position.as_str());
    let reserved: BTreeSet<String> = positions.filter(|id| is_reserved(id)).map(str::to_owned).collect();
    if reserved.is_empty() {
        return;
    }
    runs.records.retain(|row| !reserved.contains(&*row.position));
    runs.iterations.retain(|row| !reserved.contains(&*row.position));
    runs.counters.retain(|row| !reserved.contains(&*row.position));
    runs.notes
        .push(format!("{LEFT_OUT}{} positions of Othello on which thresholds were chosen.", reserved.len()));
}

/// What was left out of a run, as a paragraph; nothing where nothing was.
pub fn left_out(runs: &Runs) -> String {
    let notes = runs.notes.iter().filter(|note| note.starts_with(LEFT_OUT));
    notes.map(|note| format!("{note}\n\n")).collect()
}

/// A match, without the pairs that begin from a position that something was fitted or tuned on.
pub fn committed_match(folder: &Path) -> Result<Ended, Failure> {
    let mut ended = Ended::read(folder)?;
    let game = games::find(&ended.file.settings.game).map_err(Failure::input)?;
    let (tuned, mut played) = (tuned_once(&game)?, BTreeSet::new());
    let openings_of = |path: &Path| secateur_record::rows::read::<OpeningRow>(path);
    if let Some((path, tuned_from)) = TUNED.iter().find(|(path, _)| folder.ends_with(path)) {
        let root = folder.ancestors().nth(Path::new(path).components().count()).unwrap_or(folder);
        let rows = openings_of(&root.join(tuned_from))?;
        played.extend(rows.iter().filter_map(|row| Some(game.canonical(&game.parse(&row.position).ok()?))));
    }
    let openings = openings_of(&folder.join("openings.csv"))?;
    let is_tuned = |row: &&OpeningRow| {
        let form = game.parse(&row.position).map(|pos| game.canonical(&pos));
        form.is_ok_and(|form| tuned.contains(&form) || played.contains(&form))
    };
    let dropped: BTreeSet<String> = openings.iter().filter(is_tuned).map(|row| row.opening.clone()).collect();
    ended.rows.retain(|row| !dropped.contains(&row.opening));
    if !dropped.is_empty() && ended.rows.is_empty() {
        let reason =
            "every game begins from a position that something was fitted or tuned on, and is no test of it";
        return Err(Failure::input(format!("{}: {reason}", folder.display())));
    }
    if !dropped.is_empty() {
        let distinct: BTreeSet<&str> = ended.rows.iter().map(|row| row.opening.as_str()).collect();
        ended.file.distinct_openings = distinct.len();
        ended.file.settings.games = ended.rows.len();
        ended.file.openings += ", without those that something was fitted or tuned on";
    }
    Ok(ended)
}

/// [`tuned_on`], which reads all sets of a game, once a game: documents take dozens of matches.
fn tuned_once(game: &AnyGame) -> Result<Arc<BTreeSet<String>>, Failure> {
    static FORMS: Mutex<BTreeMap<&str, Arc<BTreeSet<String>>>> = Mutex::new(BTreeMap::new());
    let mut forms = FORMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tuned_forms) = forms.get(game.name()) {
        return Ok(Arc::clone(tuned_forms));
    }
    let tuned_forms = Arc::new(tuned_on(game)?);
    forms.insert(game.name(), Arc::clone(&tuned_forms));
    Ok(tuned_forms)
}

/// What is still there of the positions of all runs, each with the command that searches it again.
pub fn positions(runs: &Runs) -> Positions {
    let mut all = Positions::new();
    let games = runs.manifests.iter().flat_map(|one| one.game.iter().map(move |game| (one, game)));
    // The tables of a game are large, and a run that names no set has no use for them.
    for (manifest, game) in games.filter(|(_, game)| !game.sets.is_empty()) {
        let Ok(game_rules) = games::find(&game.name) else { continue };
        for (name, hash) in &game.sets {
            // Wrong lines that were left out then are left out now.
            let reading = Reading { skip_bad: true, ..Reading::default() };
            let Ok(set) = resolve_as(&game_rules, name, reading) else { continue };
            if set.hash != *hash {
                continue;
            }
            let command = manifest.session.first().and_then(bench_command);
            for entry in set.entries {
                // What is one position already is named as it was.
                let is_one = name.ends_with(&format!(":{}", entry.id));
                let place = if is_one { name.clone() } else { format!("{name}:{}", entry.id) };
                let command = command.as_ref().map_or_else(String::new, |command| {
                    format!("{command} --game {} --positions {}", game.name, shell_word(&place))
                });
                all.insert((game.name.clone(), entry.id), Known { position: entry.position, again: command });
            }
        }
    }
    all
}

/// What decides what is searched, besides positions, arms and the budget: flags of `bench` and `worth` with a value of their own.
const DECIDING: [&str; 3] = ["--subject", "--others", "--params"];

/// The command that searches as a session did, but for positions, arms and the budget; nothing for sessions of other commands, whose
/// suites have no name.
fn bench_command(session: &Session) -> Option<String> {
    let at = session.argv.iter().position(|word| word == "bench" || word == "worth")?;
    let mut command: Vec<String> = session.argv[..at].to_vec();
    command.push("bench".to_owned());
    let arguments = &session.argv[at + 1..];
    // Both have one argument without a name: the one that is neither a flag nor behind one.
    let is_named =
        |at: usize| arguments[at].starts_with('-') || at > 0 && arguments[at - 1].starts_with("--");
    match (0..arguments.len()).find(|&at| !is_named(at)).map(|at| &arguments[at]) {
        Some(subject) if session.argv[at] == "worth" => {
            command.extend(["--subject".to_owned(), shell_word(subject)])
        }
        Some(suite) => command.push(shell_word(suite)),
        None if session.argv[at] == "worth" => return None,
        None => {}
    }
    for (at, word) in arguments.iter().enumerate() {
        if DECIDING.contains(&word.as_str()) {
            command.extend([word.clone(), shell_word(arguments.get(at + 1)?)]);
        } else if DECIDING.iter().any(|flag| word.starts_with(&format!("{flag}="))) {
            command.push(shell_word(word));
        }
    }
    Some(command.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."))
    }

    /// Runs and matches of before, without what thresholds were chosen on; of a match both games of a pair go.
    #[test]
    fn documents_leave_out_what_something_was_tuned_on() {
        let runs = searches_in(&root().join("docs/runs/regret")).unwrap();
        assert!(runs.records.iter().all(|row| !is_reserved(&row.position)));
        assert!(left_out(&runs).starts_with("Left out: 15 positions"), "{:?}", runs.notes);
        let ended = committed_match(&root().join("docs/runs/buro-t/1.50")).unwrap();
        assert!(ended.rows.iter().all(|row| !is_reserved(&row.opening)));
        assert!(
            (100..140).contains(&ended.rows.len()) && ended.rows.len() == 2 * ended.file.distinct_openings
        );
    }

    /// The tuner's openings are not those by which what it found is judged.
    #[test]
    fn what_was_tuned_is_judged_from_other_openings() {
        let game = games::find("chess").unwrap();
        let form = |row: &OpeningRow| game.canonical(&game.parse(&row.position).unwrap());
        let read = |path: &str| secateur_record::rows::read::<OpeningRow>(&root().join(path)).unwrap();
        for (match_folder, tuned_from) in TUNED {
            let tuned: BTreeSet<String> = read(tuned_from).iter().map(form).collect();
            let judged = read(&format!("{match_folder}/openings.csv"));
            let ended = committed_match(&root().join(match_folder)).unwrap();
            let kept: BTreeSet<&str> = ended.rows.iter().map(|row| row.opening.as_str()).collect();
            let shared: Vec<&OpeningRow> = judged.iter().filter(|row| tuned.contains(&form(row))).collect();
            assert!(
                !shared.is_empty() && shared.iter().all(|row| !kept.contains(row.opening.as_str())),
                "{shared:?}"
            );
        }
    }

    #[test]
    fn what_decides_a_search_stays_and_the_rest_goes() {
        let repeated = |text: &str| {
            let argv = text.split(' ').map(str::to_owned).collect();
            bench_command(&Session {
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
