//! Fake engines, each a small shell script: one that behaves, and one for each way not to.
//! The last tests are of what UCI engines tell more, what they are asked more, and what a probe finds out about them.

mod campaign;
mod conduct;
mod talk;

use crate::*;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Long for a script that answers at once, on a machine with much to do.
const PATIENCE: Duration = Duration::from_secs(20);
/// Short, for scripts that do not answer.
const SHORT: Duration = Duration::from_millis(150);

const HELLO: &str = "echo 'id name Fake 1'; echo 'option name Hash type spin default 16 min 1 max 64'; \
                     echo 'option name OwnBook type check default true'; echo uciok";
const GO: &str = "echo 'info depth 1 score cp 12 nodes 20 time 1 pv e2e4'; \
                  echo 'info depth 2 seldepth 4 score cp -7 nodes 90 time 3 pv d2d4 d7d5'; \
                  echo 'bestmove d2d4 ponder d7d5'";

/// A script that does these things at `uci` and at `go`, and keeps all it hears in `observed` next to it.
fn script(dir: &Path, uci: &str, go: &str) -> Spec {
    let observed = dir.join("observed");
    let text = format!(
        "while read -r line; do\n echo \"$line\" >> '{}'\n case \"$line\" in\n  uci) {uci} ;;\n  isready) echo \
         readyok ;;\n  go*) {go} ;;\n  quit) exit 0 ;;\n esac\ndone\n",
        observed.display()
    );
    let path = dir.join("engine.sh");
    std::fs::write(&path, text).unwrap();
    Spec {
        name: "fake".to_owned(),
        command: "sh".into(),
        args: vec![path.display().to_string()],
        ..Spec::default()
    }
}

fn observed(dir: &Path) -> String {
    std::fs::read_to_string(dir.join("observed")).unwrap_or_default()
}

fn text(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn ask(go: Go) -> Ask<'static> {
    Ask::new(FEN, go)
}

/// Whether the caller wrote something wrong, rather than the engine.
fn is_input(error: &EngineError) -> bool {
    use Fault::{BadValue, NotFound, Refused, Start, Unable, UnknownOption};
    matches!(error.fault, NotFound(_) | Start { .. } | UnknownOption { .. } | BadValue { .. })
        || matches!(error.fault, Unable { .. } | Refused { .. })
}

/// Starts a well-mannered engine that does this at `go`, and searches once with this patience.
fn searched(go: &str, patience: Duration) -> (Engine, Result<Answer, EngineError>) {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, go), &[], PATIENCE).unwrap();
    let answer = engine.search(&ask(Go::Depth(2)), patience);
    (engine, answer)
}

#[test]
fn a_good_engine_is_set_up_asked_and_understood() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Spec { options: text(&[("hash", "32")]), ..script(dir.path(), HELLO, GO) };
    let defaults = text(&[("OwnBook", "false"), ("Hash", "64"), ("Threads", "1")]);
    let mut engine = Engine::start(&spec, &defaults, PATIENCE).unwrap();
    assert_eq!(engine.id(), "Fake 1");
    assert!(engine.option_default("ownbook").is_some() && engine.option_default("Threads").is_none());
    engine.new_game().unwrap();
    let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
    let clock = Go::Clock {
        time: [Duration::from_secs(2), Duration::from_secs(1)],
        increment: [Duration::from_millis(20), Duration::ZERO],
        moves_to_go: Some(9),
    };
    let answer = engine.search(&Ask::new(FEN, clock).after(&moves), PATIENCE).unwrap();
    assert_eq!((answer.best_move.as_str(), answer.nodes), ("d2d4", 90));
    assert_eq!(answer.infos.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(answer.last().unwrap().score, Some(EngineScore::Cp(-7)));
    assert!(answer.wall > Duration::ZERO && answer.wall < PATIENCE);
    for go in [Go::Nodes(1000), Go::MoveTime(Duration::from_micros(10)), Go::Depth(3)] {
        engine.search(&ask(go), PATIENCE).unwrap();
    }
    let expected = format!(
        "uci\nsetoption name OwnBook value false\nsetoption name Hash value 32\nisready\nucinewgame\nisready\n\
         position fen {FEN} moves e2e4 e7e5\nisready\ngo wtime 2000 btime 1000 winc 20 binc 0 movestogo 9\n\
         position fen {FEN}\nisready\ngo nodes 1000\nposition fen {FEN}\nisready\ngo movetime 1\n\
         position fen {FEN}\nisready\ngo depth 3\n"
    );
    assert_eq!(observed(dir.path()), expected);
}

#[test]
fn wrong_settings_are_refused_before_any_is_made() {
    let dir = tempfile::tempdir().unwrap();
    for (name, value, message) in [("Hsh", "8", "did you mean `Hash`?"), ("Hash", "65", "from 1 to 64")] {
        let options = text(&[("OwnBook", "false"), (name, value)]);
        let spec = Spec { options, ..script(dir.path(), HELLO, GO) };
        let error = Engine::start(&spec, &[], PATIENCE).unwrap_err();
        assert!(is_input(&error) && error.to_string().contains(message), "{error}");
    }
    assert!(!observed(dir.path()).contains("setoption"));
    let spec = Spec { command: "no-such-engine".into(), ..script(dir.path(), HELLO, GO) };
    assert!(matches!(
        Engine::start(&spec, &[], PATIENCE),
        Err(EngineError { fault: Fault::NotFound(_), .. })
    ));
}

#[test]
fn one_that_hangs_is_ended_in_time_with_all_it_started() {
    let begun = Instant::now();
    let (mut engine, answer) = searched("sleep 1000", SHORT);
    assert!(
        matches!(answer, Err(EngineError { fault: Fault::Hung { expected: "bestmove", .. }, .. })),
        "{answer:?}"
    );
    assert!(begun.elapsed() < PATIENCE && !engine.is_alive());
    assert!(matches!(engine.new_game(), Err(EngineError { fault: Fault::Ended, .. })));
    let dir = tempfile::tempdir().unwrap();
    let error = Engine::start(&script(dir.path(), "echo hello", GO), &[], SHORT).unwrap_err();
    assert!(matches!(error.fault, Fault::Hung { expected: "uciok", .. }));
    assert!(error.to_string().contains("it said `hello` last"), "{error}");
}

#[test]
fn one_that_obeys_stop_is_late_and_can_be_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    // Thinks for ever the first time, until the next line, which is `stop`.
    let go = "if [ -e \"$0.once\" ]; then echo 'bestmove a2a3'; else touch \"$0.once\"; read -r stop; \
              echo 'bestmove e2e4'; fi";
    let mut engine = Engine::start(&script(dir.path(), HELLO, go), &[], PATIENCE).unwrap();
    let error = engine.search(&ask(Go::Depth(2)), SHORT).unwrap_err();
    assert!(matches!(error.fault, Fault::Late { .. }) && error.fault.is_survived(), "{error}");
    assert_eq!(engine.search(&ask(Go::Depth(2)), PATIENCE).unwrap().best_move, "a2a3");
}

#[test]
fn one_that_dies_is_told_apart_by_how_it_ended() {
    let (engine, answer) = searched("echo 'info depth 1 score cp 1'; exit 7", PATIENCE);
    let error = answer.unwrap_err().to_string();
    assert!(error.contains("died (exit status: 7) before bestmove"), "{error}");
    assert!(error.contains("it said `info depth 1 score cp 1` last") && !engine.is_alive(), "{error}");
    let (_, answer) = searched("kill -9 $$", PATIENCE);
    assert!(answer.unwrap_err().to_string().contains("signal: 9"));
    let dir = tempfile::tempdir().unwrap();
    let error = Engine::start(&script(dir.path(), "exit 3", GO), &[], PATIENCE).unwrap_err();
    assert!(error.to_string().contains("died (exit status: 3) before uciok"), "{error}");
}

#[test]
fn one_that_closes_its_output_but_lives_is_ended() {
    let (engine, answer) = searched("exec >&-; sleep 1000", PATIENCE);
    assert!(answer.unwrap_err().to_string().contains("it closed its output") && !engine.is_alive());
}

#[test]
fn one_that_floods_is_ended() {
    let begun = Instant::now();
    let (_, answer) = searched("yes 'info string flood'", PATIENCE * 10);
    assert!(matches!(answer, Err(EngineError { fault: Fault::Flood { .. }, .. })), "{answer:?}");
    let (engine, answer) = searched("cat /dev/zero", PATIENCE * 10);
    assert!(answer.unwrap_err().to_string().contains("a line of more than 65536 bytes"));
    assert!(begun.elapsed() < PATIENCE * 10 && !engine.is_alive());
}

#[test]
fn a_long_line_is_read_to_its_end() {
    let go =
        "printf 'info depth 2 nodes 7 refutation %20000s score cp 1 nodes 2560\\n' x; echo bestmove e2e4";
    let (_, answer) = searched(go, PATIENCE);
    assert_eq!(answer.unwrap().nodes, 2560);
}

#[test]
fn options_without_end_are_cut_off() {
    let begun = Instant::now();
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(3_000);
    let uci = format!("yes 'option name {long} type check default true'");
    let error = Engine::start(&script(dir.path(), &uci, GO), &[], PATIENCE * 10).unwrap_err();
    assert!(matches!(error.fault, Fault::Flood { expected: "uciok", .. }), "{error}");
    assert!(begun.elapsed() < PATIENCE * 10);
}

#[test]
fn a_claim_that_cannot_be_true_is_refused_and_the_engine_goes_on() {
    for (line, claim) in [
        ("info depth 512 score cp 1 nodes 20", "depth 512 where 2 was asked"),
        ("info depth 2 score cp 1 nodes 18446744073709551615", "18446744073709551615 nodes in"),
        ("info depth 1 seldepth 4294967295 score cp 1", "seldepth 4294967295"),
        ("info depth 1 score mate -2147483648", "mate in 2147483648"),
    ] {
        let (engine, answer) = searched(&format!("echo '{line}'; echo bestmove e2e4"), PATIENCE);
        let error = answer.unwrap_err();
        assert!(
            error.to_string().contains(claim) && error.fault.is_survived() && engine.is_alive(),
            "{error}"
        );
    }
}

#[test]
fn nobody_waits_once_it_is_said_to_stop() {
    let dir = tempfile::tempdir().unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let spec = script(dir.path(), HELLO, "sleep 1000");
    let mut engine = Engine::start_until(&spec, &[], PATIENCE, Some(Arc::clone(&stop))).unwrap();
    let answer = std::thread::scope(|scope| {
        let answer = scope.spawn(|| engine.search(&ask(Go::Depth(2)), PATIENCE * 100));
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        answer.join().unwrap()
    });
    assert!(matches!(answer, Err(EngineError { fault: Fault::Stopped, .. })) && !engine.is_alive());
}

/// What a script does at `go` to leave its group: two forks and a session of its own, and the number of the process that
/// is then left, in `pid` next to it.
#[cfg(target_os = "linux")]
const RUNAWAY: &str =
    "(setsid sh -c 'echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 1000' \"$0.pid\" &); sleep 1000";

/// Waits for the number of a process that a script wrote.
#[cfg(target_os = "linux")]
fn runaway(dir: &Path) -> u32 {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Ok(text) = std::fs::read_to_string(dir.join("engine.sh.pid")) {
            return text.trim().parse().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no process was started");
}

#[cfg(target_os = "linux")]
fn runs(pid: u32) -> bool {
    crate::cpu::stat(pid).is_some_and(|stat| !stat.has_ended)
}

#[test]
#[cfg(target_os = "linux")]
fn what_leaves_the_group_of_an_engine_ends_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, RUNAWAY), &[], PATIENCE).unwrap();
    std::thread::scope(|scope| {
        let runaway_pid = scope.spawn(|| runaway(dir.path()));
        let answer = engine.search(&ask(Go::Depth(2)), Duration::from_secs(2));
        assert!(matches!(answer, Err(EngineError { fault: Fault::Hung { .. }, .. })));
        assert!(!runs(runaway_pid.join().unwrap()));
    });
}

/// The part of the test below that is killed.
#[test]
#[ignore = "started by another test"]
#[cfg(target_os = "linux")]
fn holds_an_engine_until_it_is_killed() {
    let Some(dir) = std::env::var_os("SECATEUR_TEST_DIR") else { return };
    let mut engine = Engine::start(&script(Path::new(&dir), HELLO, RUNAWAY), &[], PATIENCE).unwrap();
    let _ = engine.search(&ask(Go::Depth(2)), PATIENCE * 10);
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_of_an_engine_whose_owner_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut owner = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::holds_an_engine_until_it_is_killed", "--ignored"])
        .env("SECATEUR_TEST_DIR", dir.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let pid = runaway(dir.path());
    assert!(runs(pid));
    owner.kill().unwrap();
    owner.wait().unwrap();
    let begun = Instant::now();
    while runs(pid) {
        assert!(begun.elapsed() < PATIENCE, "process {pid} outlives its owner");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn nonsense_around_an_answer_is_left_out_and_in_its_place_named() {
    let (_, answer) = searched(
        "printf '\\377\\376 \\033[0m\\r\\n\\n'; echo 'info depth 1 score'; echo 'bestmove e2e4'",
        PATIENCE,
    );
    assert_eq!(answer.unwrap().best_move, "e2e4");
    let (mut engine, answer) = searched("echo 'bestmove O-O-O'", PATIENCE);
    let error = answer.unwrap_err();
    assert!(matches!(&error.fault, Fault::BadMove { text, .. } if text == "O-O-O"), "{error}");
    assert!(engine.is_alive() && engine.new_game().is_ok());
    for nothing in ["bestmove", "bestmove (none)", "bestmove 0000"] {
        let (engine, answer) = searched(&format!("echo '{nothing}'"), PATIENCE);
        assert!(
            matches!(answer, Err(EngineError { fault: Fault::NoMove(_), .. })) && engine.is_alive(),
            "{nothing}"
        );
    }
}

/// On a terminal the second text stands where the first one stood.
#[test]
fn what_a_carriage_return_writes_over_is_not_read() {
    let go = "printf 'info depth 1 nodes 9999999\\rinfo depth 2 nodes 40 score cp 5 pv e2e4\\r\\n'; echo 'bestmove e2e4'";
    let answer = searched(go, PATIENCE).1.unwrap();
    assert_eq!((answer.infos.len(), answer.last().unwrap().depth, answer.nodes), (1, 2, 40));
}

#[test]
fn an_answer_that_comes_twice_is_taken_once() {
    let dir = tempfile::tempdir().unwrap();
    let go = "if [ -e \"$0.once\" ]; then echo 'bestmove a2a3'; else touch \"$0.once\"; \
              echo 'bestmove e2e4'; echo 'bestmove e2e4'; fi";
    let mut engine = Engine::start(&script(dir.path(), HELLO, go), &[], PATIENCE).unwrap();
    assert_eq!(engine.search(&ask(Go::Depth(1)), PATIENCE).unwrap().best_move, "e2e4");
    assert_eq!(engine.search(&ask(Go::Depth(1)), PATIENCE).unwrap().best_move, "a2a3");
}

#[test]
fn a_position_cannot_smuggle_in_a_command() {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, GO), &[], PATIENCE).unwrap();
    let fen = "8/8/8/8/8/8/8/8 w - -\nquit";
    assert!(engine.search(&Ask::new(fen, Go::Depth(2)), PATIENCE).is_ok());
}

/// A good script that counts.
const COUNTING: &str = "echo 'info string count null-move tries 10 cuts 3'; \
                        echo 'info string count null-move tries 40 cuts 9 probes 200'; \
                        echo 'info string count nothing'; echo 'info depth 2 score cp 1 nodes 90 pv d2d4'; \
                        echo 'bestmove d2d4'";

#[test]
fn methods_are_counted() {
    let (_, answer) = searched(COUNTING, PATIENCE);
    let counts = answer.unwrap().counts;
    assert_eq!(counts.len(), 1);
    assert_eq!((counts[0].method.as_str(), counts[0].tries, counts[0].cuts), ("null-move", 40, 9));
    assert_eq!((counts[0].probes, counts[0].cuts_high), (Some(200), None));
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_that_of_the_search_and_its_children() {
    let work = "n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done";
    let (_, idle) = searched(&format!("sleep 0.3; {GO}"), PATIENCE);
    let (_, busy) = searched(&format!("{work}; {GO}"), PATIENCE);
    let (_, child) = searched(&format!("sh -c '{work}'; {GO}"), PATIENCE);
    let idle = idle.unwrap();
    assert!(idle.cpu.unwrap() < Duration::from_millis(100) && idle.wall >= Duration::from_millis(300));
    for answer in [busy.unwrap(), child.unwrap()] {
        let cpu = answer.cpu.unwrap();
        assert!(cpu >= Duration::from_millis(10), "{cpu:?}");
        assert!(cpu <= answer.wall + Duration::from_millis(30), "{cpu:?} {:?}", answer.wall);
    }
    // Where only the wall clock counts there is no look.
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, GO), &[], PATIENCE).unwrap();
    assert_eq!(engine.search(&ask(Go::Depth(2)).untimed(), PATIENCE).unwrap().cpu, None);
    // What has ended is not measured, and its answer counts all the same.
    let (_, answer) = searched(&format!("{GO}; exit 0"), PATIENCE);
    assert_eq!(answer.unwrap().best_move, "d2d4");
}

#[test]
fn a_search_may_be_of_some_moves() {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, GO), &[], PATIENCE).unwrap();
    let moves = text(&[("e2e4", ""), ("d2d4", "")]).into_iter().map(|(mv, _)| mv).collect::<Vec<_>>();
    engine.search(&ask(Go::Depth(2)).only(&moves), PATIENCE).unwrap();
    assert!(observed(dir.path()).ends_with("go depth 2 searchmoves e2e4 d2d4\n"));
}

#[test]
fn programs_with_blanks_in_their_paths_are_started() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("my engines (new)");
    std::fs::create_dir(&folder).unwrap();
    let spec = script(&folder, HELLO, GO);
    let path = folder.join("fake engine");
    std::fs::write(&path, format!("#!/bin/sh\nexec sh '{}'\n", spec.args[0])).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let spec = Spec { command: path.clone(), args: Vec::new(), ..spec };
    assert_eq!(Engine::start(&spec, &[], PATIENCE).unwrap().id(), "Fake 1");
    let text = path.display().to_string();
    assert_eq!(call(&text), (path.clone(), Vec::new()));
    assert_eq!(
        call(&format!("'{text}' -x \"a b\" c")),
        (path, ["-x", "a b", "c"].map(str::to_owned).to_vec())
    );
    assert_eq!(call(" sh  -c exit "), ("sh".into(), vec!["-c".to_owned(), "exit".to_owned()]));
}

/// What a probe finds out about an engine that does this at `go`.
fn probed(go: &str) -> Probe {
    let dir = tempfile::tempdir().unwrap();
    let spec = script(dir.path(), HELLO, go);
    let moves = ["a2a3".to_owned(), "d2d4".to_owned()];
    let patience = SHORT * 10;
    let time = Duration::from_millis(50);
    let clock = Duration::from_secs(1);
    let trial = Trial { position: FEN, moves: moves.to_vec(), depth: 2, nodes: 100, time, clock, patience };
    let begun = Instant::now();
    let probe = Probe::of(&spec, &[], &trial, PATIENCE).unwrap();
    assert!(begun.elapsed() < PATIENCE);
    probe
}

#[test]
fn a_probe_tells_what_an_engine_keeps_to() {
    let good = probed(&format!("case \"$line\" in *searchmoves*) echo bestmove a2a3 ;; *) {GO} ;; esac"));
    assert!(good.depth.is_kept() && good.nodes.is_kept() && good.root_moves.is_kept(), "{good:?}");
    assert_eq!(good.repeats, Some(Repeats { nodes: true, best_move: true, score: true }));
    assert!(matches!(good.own_limits, Outcome::Unable(_)) && good.says == Says::ALL);
    let report = good.sentences().join("\n");
    assert!(
        report.contains("nodes: kept (90 nodes, where 100 were asked).") && report.contains("is the same."),
        "{report}"
    );
    assert!(!report.contains("own limits"), "UCI has no such search: {report}");
}

#[test]
fn a_probe_tells_what_an_engine_ignores() {
    let deaf = "case \"$line\" in *nodes*) sleep 1000 ;; *movetime*) exit 3 ;; *) echo $$ >> \"$0.runs\"; \
         echo \"info depth 1 score cp $(wc -l < \"$0.runs\") nodes 7 pv d2d4\"; echo bestmove d2d4 ;; esac";
    let probe = probed(deaf);
    assert!(
        matches!(&probe.depth, Outcome::Ignored(why) if why.contains("depth 1, where 2")),
        "{:?}",
        probe.depth
    );
    assert!(matches!(&probe.nodes, Outcome::Ignored(why) if why.contains("hangs")), "{:?}", probe.nodes);
    assert!(matches!(&probe.time, Outcome::Failed(why) if why.contains("status: 3")), "{:?}", probe.time);
    assert!(
        matches!(&probe.root_moves, Outcome::Ignored(why) if why.contains("asked for a2a3")),
        "{:?}",
        probe.root_moves
    );
    assert_eq!(probe.repeats, Some(Repeats { nodes: true, best_move: true, score: false }));
    assert!(probe.sentences().join(" ").contains("differs in: value."));
    let book = probed("echo bestmove d2d4");
    assert!(matches!(book.depth, Outcome::Unseen(_)) && book.says == Says::default(), "{book:?}");
}

#[test]
fn who_spends_the_same_whatever_is_asked_keeps_to_no_number_of_nodes() {
    let at = |nodes: u64, fewer: &str| {
        let few = format!("*nodes\\ 500) echo 'info depth 1 score cp 1 nodes {fewer} pv d2d4' ;;");
        let any = format!("*) echo 'info depth 1 score cp 1 nodes {nodes} pv d2d4' ;;");
        let dir = tempfile::tempdir().unwrap();
        let spec =
            script(dir.path(), HELLO, &format!("case \"$line\" in {few} {any} esac; echo bestmove d2d4"));
        let trial = Trial::usual(Notation::Fen, PATIENCE * 10);
        Probe::of(&spec, &[], &trial, PATIENCE).unwrap().nodes
    };
    // One that looks at its counter every 4,096 nodes, and two that never do.
    assert!(at(20_480, "4096").is_kept());
    let deaf = at(40_960, "40960");
    assert!(matches!(&deaf, Outcome::Ignored(why) if why.contains("40960 where 500")), "{deaf:?}");
    assert!(matches!(at(44_097, "500"), Outcome::Ignored(_)));
    assert!(at(3_000, "3000").is_kept(), "so few may pass between two looks");
}

#[test]
fn a_limit_is_tried_with_its_own_amount_and_in_its_own_kind() {
    let dir = tempfile::tempdir().unwrap();
    let go = "case \"$line\" in *nodes\\ 3000000) sleep 100 ;; *wtime*) echo bestmove d2d4 ;; *nodes*) \
              echo 'info depth 1 score cp 1 nodes 40960 pv d2d4'; echo bestmove d2d4 ;; *) sleep 100 ;; esac";
    let spec = script(dir.path(), HELLO, go);
    let trial = Trial::usual(Notation::Fen, SHORT * 20);
    let tried = |limit: Go| Probe::of_limit(&spec, &[], &trial, PATIENCE, limit).unwrap();
    assert!(tried(Go::Nodes(500)).is_refused());
    assert!(tried(Go::Nodes(3_000_000)).is_kept(), "a trial is short: it is asked for 20,000");
    let clock = Go::Clock { time: [PATIENCE; 2], increment: [SHORT; 2], moves_to_go: None };
    assert!(tried(clock).is_kept());
    assert!(observed(dir.path()).contains("go wtime 2000 btime 2000 winc 150 binc 150\n"));
    assert!(tried(Go::MoveTime(SHORT)).is_refused());
    // What it fails by is no word on the limit.
    let spec = script(dir.path(), HELLO, "exit 3");
    let failed = Probe::of_limit(&spec, &[], &trial, PATIENCE, Go::Nodes(500)).unwrap();
    assert!(!failed.is_refused() && !failed.is_answered(), "{failed:?}");
}

#[test]
fn one_that_knows_only_a_clock_is_recognised_and_driven_by_one() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let go = "case \"$line\" in *wtime*) echo 'info depth 5 score cp 13 nodes 999 pv e2e4'; echo bestmove e2e4 ;; *) sleep 100 ;; esac";
    let spec = script(dir.path(), HELLO, go);
    let path = dir.path().join("clocked");
    std::fs::write(&path, format!("#!/bin/sh\nexec sh '{}'\n", spec.args[0])).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let recognised = recognise(&path, &[], &[Protocol::Uci], Duration::from_secs(1)).unwrap();
    assert_eq!(recognised.spec.protocol, Protocol::Uci);
    let probe = probed(go);
    assert!(probe.clock.is_kept() && probe.says == Says { line: false, ..Says::ALL }, "{probe:?}");
    for outcome in [&probe.depth, &probe.nodes, &probe.time] {
        assert!(matches!(outcome, Outcome::Ignored(_)), "{probe:?}");
    }
    assert!(probe.sentences().iter().any(|sentence| sentence.starts_with("clock: kept")), "{probe:?}");
}
