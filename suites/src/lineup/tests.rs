//! Comparisons with fake engines: what they do wrong costs their own cells and nothing else.

use super::*;
use crate::instruments::machine::current;
use crate::manifest::of_plan;
use crate::run::{Ended, run};
use secateur_positions::Reading;
use secateur_record::manifest::Manifest;
use secateur_record::peers::OwnArm;
use secateur_record::record::{Bound, Sanity};
use secateur_record::store::{RunRows, Store};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions at which every fake can move its king or a pawn without looking.
const SET: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/8/8/8/8/8/4P3/4K2R w K - id \"two\";\n\
                   4k3/7p/8/8/8/8/4P3/4K3 w - - id \"three\";\n";

/// A script that answers `go` like this; `$n` counts its searches in each process; the first is to warm it up.
fn fake(dir: &Path, name: &str, go: &str) -> Arm {
    let text = format!(
        "n=0\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name {name} 1.0'; echo 'option name Hash type spin default 1 min 1 max 64'\n\
         echo 'option name Prune type check default true'; echo uciok ;;\n\
         isready) echo readyok ;;\n quit) exit ;;\n go*) n=$((n+1)); {go} ;;\nesac; done\n"
    );
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    let args = vec![path.display().to_string()];
    Arm::Engine(EngineArm { command: "sh".to_owned(), args, ..EngineArm::default() })
}

const GOOD: &str = "echo 'info depth 1 score cp 10 nodes 20 time 1 pv e2e3'; \
                    echo 'info depth 2 seldepth 3 score cp 15 nodes 70 time 2 pv e2e4 e8d8'; \
                    echo 'info nodes 75'; echo 'bestmove e2e4'";

fn lineup(dir: &Path, arms: Vec<Arm>) -> Lineup {
    let set = dir.join("set.epd");
    std::fs::write(&set, SET).unwrap();
    Lineup {
        name: SUITE.to_owned(),
        game: "chess".to_owned(),
        positions: set.display().to_string(),
        limit: None,
        reading: Reading::default(),
        budget_kind: "depth".to_owned(),
        budget: 2,
        repeats: 1,
        hash_mib: 2,
        patience_ms: 20_000,
        params: None,
        arms,
    }
}

fn own_arm(methods: &str) -> Arm {
    Arm::Own(OwnArm { methods: methods.to_owned(), ..OwnArm::default() })
}

fn finished(plan: &Plan, dir: &Path) -> RunRows {
    let store = Store::open(dir, of_plan("r", plan, Vec::new(), 1), current()).unwrap();
    match run(plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| {}).unwrap() {
        Ended::Complete(rows) => rows,
        Ended::Stopped { finished } => panic!("stopped after {finished}"),
    }
}

#[test]
fn every_arm_searches_every_position_and_its_answers_are_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let mut pruned = fake(dir.path(), "good", GOOD);
    if let Arm::Engine(arm) = &mut pruned {
        arm.options.push(("prune".to_owned(), "false".to_owned()));
    }
    let arms = vec![fake(dir.path(), "good", GOOD), pruned, own_arm("none"), own_arm("null-move")];
    let peers = planned(Lineup { repeats: 2, ..lineup(dir.path(), arms) }).unwrap();
    let rows = finished(&peers, &dir.path().join("out"));
    assert_eq!(rows.records.len(), 3 * 4 * 2);
    assert!(rows.records.iter().map(secateur_record::record::Record::key).eq(peers.keys()));
    let names = ["sh", "sh", "sh[prune=false]", "sh[prune=false]", "secateur[none]"];
    assert!(rows.records.iter().zip(names).all(|(row, name)| row.methods == name));
    let first = &rows.records[0];
    assert_eq!((first.depth, first.seldepth, first.nodes, first.score), (Some(2), 3, Some(75), Some(15)));
    assert_eq!((first.best_move.as_str(), &*first.pv), ("e2e4", "e2e4 e8d8"));
    assert_eq!((first.pv_ok, first.bound, &first.error), (Sanity::Ok, Some(Bound::Exact), &None));
    assert!(first.time_ns > 0 && first.suite == SUITE);
    let record_of = |arm: &str| rows.records.iter().find(|row| row.methods == arm).unwrap();
    assert_ne!(record_of("sh").params, record_of("sh[prune=false]").params);
    assert_eq!(record_of("secateur[none]").depth, Some(2));
    let iterations: Vec<_> = rows.iterations.iter().take(2).map(|row| (row.depth, row.nodes)).collect();
    assert_eq!(iterations, [(1, 20), (2, 70)]);
}

#[test]
fn an_engine_that_fails_costs_its_own_cells() {
    let dir = tempfile::tempdir().unwrap();
    let crash = format!(
        "[ -e '{0}/fallen' ] || {{ [ $n = 3 ] && touch '{0}/fallen' && exit 9; }}; {GOOD}",
        dir.path().display()
    );
    let arms = vec![
        fake(dir.path(), "good", GOOD),
        fake(dir.path(), "crash", &crash),
        fake(dir.path(), "hang", "sleep 1000"),
        fake(dir.path(), "illegal", "echo 'info depth 2 score cp 1 nodes 3'; echo 'bestmove e2e5'"),
        fake(dir.path(), "book", "echo 'bestmove e2e4'"),
    ];
    let peers = planned(Lineup { patience_ms: 2_000, ..lineup(dir.path(), arms) }).unwrap();
    let rows = finished(&peers, &dir.path().join("out"));
    let errors = |arm: &str| -> Vec<String> {
        let records = rows.records.iter().filter(|row| row.methods == arm);
        records.map(|row| row.error.as_ref().map_or(String::new(), ToString::to_string)).collect()
    };
    assert_eq!(errors("sh good"), ["", "", ""]);
    let crashed = errors("sh crash");
    assert!(
        crashed[0].is_empty() && crashed[2].is_empty() && crashed[1].contains("status: 9"),
        "{crashed:?}"
    );
    assert!(errors("sh hang").iter().all(|error| error.contains("hangs: no bestmove within 2.000 s")));
    assert!(errors("sh illegal").iter().all(|error| error == "illegal move e2e5"));
    assert!(errors("sh book").iter().all(|error| error.contains("without a depth")));
}

#[test]
fn a_hung_engine_and_a_long_search_are_given_up_when_it_is_said_to_stop() {
    let dir = tempfile::tempdir().unwrap();
    let asked = dir.path().join("asked");
    let hang = format!("[ $n = 1 ] && {{ {GOOD}; }} || {{ touch '{}'; sleep 1000; }}", asked.display());
    let hung = vec![fake(dir.path(), "hang", &hang)];
    let deep = Lineup { budget: 60, ..lineup(dir.path(), vec![own_arm("none")]) };
    let patient = Lineup { patience_ms: 1_000_000, ..lineup(dir.path(), hung) };
    for (name, asking) in [("hung", patient), ("deep", deep)] {
        let peers = planned(asking).unwrap();
        let store =
            Store::open(&dir.path().join(name), of_plan("r", &peers, Vec::new(), 1), current()).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let ended = std::thread::scope(|scope| {
            let running = scope.spawn(|| run(&peers, store, 1, None, &stop, &mut |_| {}).unwrap());
            while name == "hung" && !asked.exists() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            stop.store(true, Ordering::SeqCst);
            running.join().unwrap()
        });
        assert_eq!(ended, Ended::Stopped { finished: 0 });
    }
}

#[test]
fn a_claim_beyond_what_was_asked_costs_its_cell() {
    let dir = tempfile::tempdir().unwrap();
    let go = "echo 'info depth 512 score cp 1 nodes 3 pv e2e4'; echo 'bestmove e2e4'";
    let peers = planned(lineup(dir.path(), vec![fake(dir.path(), "boast", go)])).unwrap();
    let rows = finished(&peers, &dir.path().join("out"));
    assert!(
        rows.records.iter().all(|row| row
            .error
            .as_ref()
            .is_some_and(|error| error.reason().contains("depth 512 where 2 was asked"))),
        "{rows:?}"
    );
}

#[test]
fn a_stopped_run_goes_on_to_the_same_cells() {
    let dir = tempfile::tempdir().unwrap();
    // Slow enough that there is something left to do when it is said to stop.
    let slow = format!("sleep 0.1; {GOOD}");
    let arms = || vec![fake(dir.path(), "good", &slow), own_arm("none")];
    let peers = planned(lineup(dir.path(), arms())).unwrap();
    let whole = finished(&peers, &dir.path().join("whole"));
    let torn = dir.path().join("torn");
    let stop = Arc::new(AtomicBool::new(false));
    let store = Store::open(&torn, of_plan("r", &peers, Vec::new(), 1), current()).unwrap();
    let ended =
        run(&peers, store, 1, None, &stop, &mut |p| stop.store(p.finished >= 2, Ordering::Relaxed)).unwrap();
    assert!(matches!(ended, Ended::Stopped { finished: 2..6 }), "{ended:?}");
    let manifest = Manifest::read(&torn).unwrap();
    let kept = manifest.lineup().unwrap();
    assert_eq!(toml::Table::try_from(&kept).unwrap(), peers.document);
    let resumed = finished(&planned(kept).unwrap(), &torn);
    let timeless = |rows: &RunRows| -> Vec<_> {
        rows.records
            .iter()
            .cloned()
            .map(|row| secateur_record::record::Record { time_ns: 0, seal: "".into(), ..row })
            .collect()
    };
    assert_eq!(timeless(&resumed), timeless(&whole));
    let other = planned(Lineup { hash_mib: 4, ..lineup(dir.path(), arms()) }).unwrap();
    assert!(
        Store::open(&torn, of_plan("r", &other, Vec::new(), 1), current()).is_err(),
        "another table, another run"
    );
}

/// A subject file is an arm as a command is, with the arms that its switches make, next to ours.
#[test]
fn subjects_commands_and_method_sets_are_arms_of_one_lineup() {
    let dir = tempfile::tempdir().unwrap();
    let Arm::Engine(command) = fake(dir.path(), "good", GOOD) else { panic!("an engine") };
    let path = dir.path().join("mine.toml");
    let file = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"sh\"\nargs = [{:?}]\n[factor]\nprune = \"Prune=false\"\n",
        command.args[0]
    );
    std::fs::write(&path, file).unwrap();
    let arm = |switching: &str| {
        let (subject, switching) = (path.display().to_string(), switching.to_owned());
        Arm::Engine(EngineArm { subject, switching, ..EngineArm::default() })
    };
    let arms = vec![arm("full"), arm("none"), Arm::Engine(command), own_arm("none")];
    let plan = planned(lineup(dir.path(), arms)).unwrap();
    let rows = finished(&plan, &dir.path().join("out"));
    let names: Vec<&str> = rows.records.iter().take(4).map(|row| row.methods.as_str()).collect();
    assert_eq!(names, ["mine", "mine:none", "sh", "secateur[none]"]);
    assert!(rows.records.iter().all(|row| row.error.is_none() && row.depth == Some(2)), "{rows:?}");
    let kept = Manifest::read(&dir.path().join("out")).unwrap().lineup().unwrap();
    assert!(matches!(&kept.arms[1], Arm::Engine(arm) if arm.id == "good 1.0" && arm.switching == "none"));
    assert!(planned(Lineup { game: "othello".to_owned(), ..lineup(dir.path(), vec![arm("full")]) }).is_err());
}

/// A run folder of before, whose arms have no subject and whose lineup names no game.
#[test]
fn lineups_that_name_no_subject_are_read() {
    let text = "name = \"peers\"\npositions = \"bratko-kopec\"\nbudget-kind = \"depth\"\nbudget = 10\nrepeats = 3\nhash-mib = 64\n\
                patience-ms = 120000\n[[arm]]\nname = \"toga2\"\nid = \"Toga II\"\ncommand = \"toga2\"\nargs = []\noptions = []\n\
                [[arm]]\nname = \"secateur[all]\"\nmethods = \"all\"\n";
    let read: Lineup = toml::from_str(text).unwrap();
    assert_eq!(read.game, "chess");
    assert!(matches!(&read.arms[..], [Arm::Engine(_), Arm::Own(_)]));
}

#[test]
fn what_does_not_exist_is_refused_before_anything_is_searched() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut Lineup)| {
        let mut asked = lineup(dir.path(), vec![fake(dir.path(), "good", GOOD)]);
        change(&mut asked);
        let error = planned(asked).unwrap_err();
        assert_eq!(error.blame(), secateur_record::Blame::Input);
        error.to_string()
    };
    let option = |name: &str, value: &str| {
        let set = (name.to_owned(), value.to_owned());
        refused(&|l| {
            if let Arm::Engine(arm) = &mut l.arms[0] {
                arm.options.push(set.clone());
            }
        })
    };
    assert!(option("Prun", "false").contains("did you mean `Prune`?"));
    assert!(option("Hash", "65").contains("from 1 to 64"));
    assert!(refused(&|l| l.hash_mib = 65).contains("from 1 to 64"));
    let none = EngineArm { command: "no-such-engine".to_owned(), ..EngineArm::default() };
    assert!(refused(&|l| l.arms.push(Arm::Engine(none.clone()))).contains("`no-such-engine`: not found"));
    assert!(refused(&|l| l.arms.push(own_arm("nul-move"))).contains("did you mean `null-move`?"));
    assert!(refused(&|l| l.arms = vec![own_arm("none"), own_arm("none")]).contains("two arms"));
    assert!(refused(&|l| l.arms.clear()).contains("no arms"));
    assert!(refused(&|l| l.budget = 0).contains("depth 0"));
}

/// A program that is not ready without a file next to it gets that file's name.
#[cfg(unix)]
#[test]
fn a_subject_gets_the_files_next_to_its_binary() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
        uci) echo 'id name fake'; echo 'option name Hash type spin default 1 min 1 max 64'\n\
        echo 'option name Weights type string default none'; echo uciok ;;\n\
        setoption*Weights*weights.dat) ready=1 ;;\n isready) [ \"$ready\" ] || exit 1; echo readyok ;;\n\
        quit) exit ;;\nesac; done\n";
    let binary = dir.path().join("fake");
    std::fs::write(&binary, script).unwrap();
    std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).unwrap();
    let file = dir.path().join("fake.toml");
    let text = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nnearby = { Weights = \"weights.dat\" }\n";
    std::fs::write(&file, text).unwrap();
    let subject = file.display().to_string();
    let planned = || {
        let (subject, switching) = (subject.clone(), "full".to_owned());
        let arm = EngineArm { subject, switching, ..EngineArm::default() };
        planned(lineup(dir.path(), vec![Arm::Engine(arm)]))
    };
    assert!(planned().is_err(), "there is no such file yet");
    std::fs::write(dir.path().join("weights.dat"), "").unwrap();
    planned().unwrap();
}
