//! Shared games: in every pair both sides lack methods of their own, and what they lacked is in the record, however it was played.

use secateur_arena::play::{Adjudication, Ended, GameRow, Job, Limit, MatchSettings, PlayerSpec, run};
use secateur_suites::Error;
use secateur_suites::shards::matches::{cut, merge};
use secateur_suites::shards::shard::Shard;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::tempdir;

const METHODS: [&str; 4] = ["null-move", "lmr", "futility", "reverse-futility"];

/// What both sides lack, pair by pair, by the first letters of methods.
const LACKING: [[&str; 2]; 6] = [["n", ""], ["", "ln"], ["f", "l"], ["rl", "f"], ["", "r"], ["nlfr", ""]];

/// A subject file of our own engine, whose methods the bits of a variable switch off.
fn subject(dir: &Path) -> String {
    let program = dir.join("masked");
    let cases: Vec<String> =
        METHODS.iter().enumerate().map(|(at, name)| format!("{}:{name}", 1 << at)).collect();
    let script = format!(
        "#!/bin/sh\nbits=${{ABLATE:-0}}; all=\nfor one in {}; do [ $((bits & ${{one%%:*}})) = 0 ] && all=$all+${{one#*:}}; done\n\
         all=${{all#+}}\n{{ echo \"setoption name Methods value ${{all:-none}}\"; cat; }} | {}\n",
        cases.join(" "),
        env!("CARGO_BIN_EXE_secateur-uci")
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let factors: Vec<String> =
        METHODS.iter().enumerate().map(|(at, name)| format!("{name} = {{ bits = {} }}\n", 1 << at)).collect();
    let text = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"./masked\"\nmask = \"ABLATE\"\n[factor]\n{}",
        factors.concat()
    );
    let path = dir.join("masked.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn settings(subject: &str, pairs: usize) -> MatchSettings {
    let player = || PlayerSpec::lacking::<&str>(subject, &[]);
    MatchSettings {
        seed: 1,
        margin_ms: 1_000,
        hash_mib: 1,
        shared: METHODS.map(str::to_owned).to_vec(),
        adjudication: Adjudication { max_moves: Some(6), ..Adjudication::default() },
        ..MatchSettings::between([player(), player()], "chess", 2 * pairs, Limit::Nodes(200))
    }
}

fn lacking() -> Vec<[Vec<String>; 2]> {
    let method = |letter: char| METHODS.into_iter().find(|name| name.starts_with(letter)).unwrap().to_owned();
    LACKING.iter().map(|sides| sides.map(|side| side.chars().map(method).collect())).collect()
}

/// Plays with so many games at a time until so many have ended; a shard of them, where one is given.
fn play(
    settings: &MatchSettings,
    dir: &Path,
    lacking: &[[Vec<String>; 2]],
    (jobs, games): (usize, usize),
    shard: Option<Shard>,
) -> Result<Ended, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let part = shard.map(|shard| cut(settings, shard).unwrap());
    let job =
        Job { settings, dir, argv: Vec::new(), jobs, cores: &[], retry: false, part, lacking, stop: &stop };
    run(&job, &mut |rows| stop.store(rows.len() >= games, Ordering::SeqCst))
}

const ALL: usize = usize::MAX;

/// The rows without their clocks and seals.
fn timeless(rows: &[GameRow]) -> Vec<GameRow> {
    let without_times = |row: &GameRow| GameRow {
        first_time_ns: 0,
        second_time_ns: 0,
        transcript: String::new(),
        seal: String::new(),
        ..row.clone()
    };
    rows.iter().map(without_times).collect()
}

#[test]
fn shared_games_are_the_same_however_they_are_played() {
    let dir = tempdir().unwrap();
    let at = |name: &str| -> PathBuf { dir.path().join(name) };
    let (asked, lacking) = (settings(&subject(dir.path()), 6), lacking());
    let whole = play(&asked, &at("whole"), &lacking, (1, ALL), None).unwrap();
    assert!(whole.file.complete && whole.rows.len() == 12);
    assert!(whole.rows.iter().all(|row| row.reason == "max-moves"), "{:?}", whole.rows);
    // Who lacks everything searches as no other does.
    assert!(whole.rows.iter().all(|row| row.lacking == lacking[row.pair - 1]));
    assert_eq!(Ended::read(&at("whole")).unwrap().rows, whole.rows);
    let transcripts = std::fs::read_to_string(at("whole").join("games.pgn")).unwrap();
    for name in ["\"masked full[-null-move]\"", "\"masked full\"", "\"masked full[-lmr,-null-move]\""] {
        assert!(transcripts.contains(name), "{name}");
    }
    // Stopped, and gone on with another number at a time.
    let stopped = play(&asked, &at("cut"), &lacking, (3, 3), None).unwrap();
    assert!(!stopped.file.complete && stopped.rows.len() < 7);
    let resumed = play(&asked, &at("cut"), &lacking, (2, ALL), None).unwrap();
    assert_eq!(timeless(&resumed.rows), timeless(&whole.rows));
    let openings = |name: &str| std::fs::read(at(name).join("openings.csv")).unwrap();
    assert_eq!(openings("cut"), openings("whole"));
    // A few pairs first, and further ones behind.
    let few = settings(&subject(dir.path()), 2);
    play(&few, &at("grown"), &lacking[..2], (1, ALL), None).unwrap();
    let grown = play(&asked, &at("grown"), &lacking, (2, ALL), None).unwrap();
    assert_eq!(timeless(&grown.rows), timeless(&whole.rows));
    assert_eq!(openings("grown"), openings("whole"));
    // In two shards.
    let shards: Vec<PathBuf> = [1, 2].map(|number| at(&format!("shard-{number}"))).to_vec();
    for (number, folder) in (1..).zip(&shards) {
        let shard = Some(Shard { number, of: 2 });
        assert!(play(&asked, folder, &lacking, (1, ALL), shard).unwrap().file.complete);
    }
    assert_eq!(merge(&at("merged"), &shards).unwrap().part.lacks(), None);
    assert_eq!(timeless(&Ended::read(&at("merged")).unwrap().rows), timeless(&whole.rows));
}

#[test]
fn other_sides_than_those_of_the_folder_are_refused() {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("m");
    let (asked, mut lacking) = (settings(&subject(dir.path()), 2), lacking());
    play(&asked, &folder, &lacking[..2], (1, 2), None).unwrap();
    lacking[1][1].pop();
    let error = play(&asked, &folder, &lacking[..2], (1, ALL), None).unwrap_err().to_string();
    assert!(error.contains("arms of a pair of shared games") && error.contains("in pair 2"), "{error}");
    // The same players without sides are another match.
    let other = MatchSettings { shared: Vec::new(), ..asked.clone() };
    let error = play(&other, &folder, &[], (1, ALL), None).unwrap_err().to_string();
    assert!(error.contains("second player"), "{error}");
    // What sides lack must be known of every pair, and only a subject file says how they lack it.
    let error = play(&asked, &dir.path().join("n"), &lacking[..1], (1, ALL), None).unwrap_err().to_string();
    assert!(error.contains("what sides lack in 1 pair, expected 2"), "{error}");
    let methods = PlayerSpec::read("null-move", None, &[]).unwrap();
    let alone = MatchSettings { first: methods.clone(), second: methods, ..asked };
    let error = play(&alone, &dir.path().join("o"), &lacking[..2], (1, ALL), None).unwrap_err().to_string();
    assert!(error.contains("expected a subject file"), "{error}");
}
