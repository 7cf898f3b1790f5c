//! The engine as a program: pipes, exit codes and the closed end of a pipe, which a session in memory lacks.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

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

/// Whether the program ended well, and what it complained about.
fn end(mut child: Child) -> (bool, String) {
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    (child.wait().expect("an end").success(), said)
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
        moves += &format!(" {} a7a6", best.strip_prefix("bestmove ").expect("a move"));
    }
    writeln!(to, "go infinite").expect("a reader");
    until(&mut from, "info depth 2");
    writeln!(to, "quit").expect("a reader");
    assert_eq!(end(child), (true, String::new()));
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
