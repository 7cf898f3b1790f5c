//! What UCI engines tell more, what they are asked more, and what a probe finds out about them.

use super::*;

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
    // Where only the wall clock counts nobody looks.
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
    let trial = Trial { position: FEN, moves: &moves, depth: 2, nodes: 100, time, clock, patience };
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
        let mut moves = Vec::new();
        let trial = Trial::usual(Notation::Fen, &mut moves, PATIENCE * 10);
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
    let mut moves = Vec::new();
    let trial = Trial::usual(Notation::Fen, &mut moves, SHORT * 20);
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
