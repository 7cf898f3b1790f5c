//! The engine as a program: pipes, exit codes and the closed end of a pipe, which a session in memory lacks; and in shared games, where in
//! every pair both sides lack methods of their own, and what they lacked is in the record, however it was played.

use secateur_arena::play::{Adjudication, Ended, GameRow, Job, Limit, MatchSettings, PlayerSpec, run};
use secateur_engines::{Answer, Ask, Engine, Go, Probe, Says, Spec, Trial, manners};
use secateur_suites::Error;
use secateur_suites::shards::matches::{cut, merge};
use secateur_suites::shards::shard::Shard;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::tempdir;

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_secateur-uci"))
}

fn start() -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = engine()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine");
    let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    (child, stdin, BufReader::new(stdout))
}

fn until(from: &mut BufReader<ChildStdout>, word: &str) -> String {
    from.lines().map_while(Result::ok).find(|line| line.starts_with(word)).expect(word)
}

/// Whether the program ended well, and what it wrote to standard error.
fn end(mut child: Child) -> (bool, String) {
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("text");
    (child.wait().expect("an end").success(), stderr)
}

#[test]
fn a_game_of_two_moves() {
    let (child, mut to, mut from) = start();
    writeln!(to, "uci").expect("a reader");
    until(&mut from, "uciok");
    writeln!(to, "setoption name Hash value 1\nucinewgame\nisready").expect("a reader");
    until(&mut from, "readyok");
    let mut moves = String::new();
    for clock in ["wtime 500 btime 500", "wtime 450 btime 500 movestogo 5"] {
        writeln!(to, "position startpos moves e2e4 e7e5{moves}\ngo {clock}").expect("a reader");
        let best = until(&mut from, "bestmove");
        moves += &format!(" {} a7a6", best.split(' ').nth(1).expect("a move"));
    }
    writeln!(to, "go infinite").expect("a reader");
    until(&mut from, "info depth 2");
    writeln!(to, "quit").expect("a reader");
    assert_eq!(end(child), (true, String::new()));
}

#[test]
fn what_is_pondered_on_is_answered_when_it_is_hit() {
    let (child, mut to, mut from) = start();
    writeln!(to, "setoption name Hash value 1\ngo ponder wtime 300 btime 300").expect("a reader");
    until(&mut from, "info depth 2");
    writeln!(to, "isready").expect("a reader");
    until(&mut from, "readyok");
    // Nothing more is sent before the answer: only the clock can end the search.
    writeln!(to, "ponderhit").expect("a reader");
    until(&mut from, "bestmove");
    writeln!(to, "quit").expect("a reader");
    assert_eq!(end(child), (true, String::new()));
}

/// The client of this project takes it for what it is.
#[test]
fn our_own_client_finds_that_everything_is_kept_to() {
    const PATIENCE: Duration = Duration::from_secs(60);
    let spec = Spec {
        name: "uci".to_owned(),
        command: env!("CARGO_BIN_EXE_secateur-uci").into(),
        ..Spec::default()
    };
    let mut moves = Vec::new();
    let trial = Trial::usual(spec.protocol.notation(), &mut moves, PATIENCE);
    let probe = Probe::of(&spec, &manners(1), &trial, PATIENCE).expect("an engine");
    let report = probe.sentences().join("\n");
    for outcome in [&probe.depth, &probe.nodes, &probe.time, &probe.root_moves] {
        assert!(outcome.is_kept(), "{report}");
    }
    assert_eq!(probe.says, Says::ALL, "{report}");
    assert!(probe.abilities.lines && probe.abilities.root_moves, "{report}");
    assert!(probe.repeats.is_some_and(|same| same.nodes && same.best_move && same.score), "{report}");

    // Of several lines it hears the best, and it hears all nodes.
    let find = |options: &[(&str, &str)], go| -> Answer {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut engine =
            Engine::start(&Spec { options, ..spec.clone() }, &manners(1), PATIENCE).expect("an engine");
        engine.search(&Ask::new(trial.position, go), PATIENCE).expect("an answer")
    };
    let (one, several) = (find(&[], Go::Depth(6)), find(&[("MultiPV", "4")], Go::Depth(6)));
    assert_eq!(one.infos.len(), several.infos.len());
    assert!(several.nodes > one.nodes && several.last().is_some_and(|info| info.pv[0] == several.best_move));
    assert!((20_000..20_500).contains(&find(&[], Go::Nodes(20_000)).nodes));
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let (child, mut to, mut from) = start();
    writeln!(to, "go infinite").expect("a reader");
    until(&mut from, "info depth 2");
    drop(from);
    // The input stays open: it is the closed output that must end the program.
    let _ = writeln!(to, "isready");
    assert_eq!(end(child), (true, String::new()));
}

#[test]
fn a_bench_from_the_command_line_repeats() {
    let bench = || {
        let done = engine().args(["bench", "2"]).output().expect("the engine");
        assert!(done.status.success());
        let text = String::from_utf8(done.stdout).expect("UTF-8");
        let last = text.lines().last().expect("a line").to_owned();
        assert!(last.ends_with(" nps"), "{last}");
        last.split(' ').next().expect("a number").parse::<u64>().expect("a number")
    };
    let nodes = bench();
    assert!(nodes > 1000);
    assert_eq!(bench(), nodes);
}

#[test]
fn bad_usage_is_said_and_has_its_code() {
    for args in [&["bench", "0"][..], &["bench", "x"], &["bench", "1", "2"], &["play"]] {
        let done = engine().args(args).output().expect("the engine");
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(done.stdout.is_empty());
        assert!(String::from_utf8_lossy(&done.stderr).contains("usage: secateur-uci"));
    }
    assert!(engine().arg("--help").output().expect("the engine").status.success());
}

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
        game: "chess".to_owned(),
        games: 2 * pairs,
        seed: 1,
        limit: Limit::Nodes(200),
        odds: None,
        margin_ms: 1_000,
        hash_mib: 1,
        openings: None,
        reading: Default::default(),
        sprt: None,
        margins: None,
        shared: METHODS.map(str::to_owned).to_vec(),
        adjudication: Adjudication { max_moves: Some(6), ..Adjudication::default() },
        first: player(),
        second: player(),
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
    assert!(error.contains("what sides lack in 1 pairs, expected 2"), "{error}");
    let methods = PlayerSpec::read("null-move", None, &[]).unwrap();
    let alone = MatchSettings { first: methods.clone(), second: methods, ..asked };
    let error = play(&alone, &dir.path().join("o"), &lacking[..2], (1, ALL), None).unwrap_err().to_string();
    assert!(error.contains("expected a subject file"), "{error}");
}
