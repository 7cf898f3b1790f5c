//! The engine as a program: pipes, exit codes and the closed end of a pipe, which a session in memory lacks.

use secateur_engines::{Answer, Ask, Engine, Go, Probe, Says, Spec, Trial, manners};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

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
    let trial = Trial::usual(spec.protocol.notation(), PATIENCE);
    let probe = Probe::of(&spec, &manners(1), &trial, PATIENCE).expect("an engine");
    let report = probe.sentences().join("\n");
    for outcome in [&probe.depth, &probe.nodes, &probe.time, &probe.root_moves] {
        assert!(outcome.is_kept(), "{report}");
    }
    assert_eq!(probe.says, Says::ALL, "{report}");
    assert!(probe.abilities.root_moves, "{report}");
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
