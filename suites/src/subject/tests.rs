//! Searches of another program as the record needs them: from a state that nothing was searched in, with ties that are decided
//! whatever process is there.

use crate::instruments::machine::current;
use crate::matrix::Plan;
use crate::run::{Ended, run};
use crate::subject::EngineSubject;
use crate::suite::Suite;
use crate::{Experiment, manifest::of_plan};
use secateur_engines::{Fault, Spec};
use secateur_record::record::{Failure, Record, Rows};
use secateur_record::store::{Failed, RunRows, Store};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// With all of its methods it plays e2e3 for 10 points, without one another move: e2e4, which is worth as much, or e1d1, which
/// is not. After white's move it is asked for black's. Everything that it hears stands in `heard`, with its process.
const SCRIPT: &str = "#!/bin/sh\nb=0; t=IGNORES\nwhile read -r line; do echo \"$$ $line\" >> 'HEARD'; case \"$line\" in\n\
    uci) echo 'id name Fake'; echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n\
    position*' w '*) b=0 ;;\n position*4P3/8*' b '*) b=1 ;;\n position*) b=2 ;;\n\
    go*) m=e2e3; s=10; [ \"$ABLATE\" = 1 ] && { m=e2e4; s=12; }; [ \"$ABLATE\" = 2 ] && { m=e1d1; s=11; }\n\
    [ $t = 0 ] && case \"$line\" in *searchmoves*e2e4) m=e2e4; s=10 ;; *searchmoves*e1d1) m=e1d1; s=3 ;; esac\n\
    [ $b = 1 ] && { m=e8d8; s=-10; }; [ $b = 2 ] && { m=e8d8; s=-3; }\n\
    set -- $line; echo \"info depth $3 score cp $s nodes 9 pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

/// A program with two switches in `dir`; whether it ignores `searchmoves`.
fn plan(dir: &Path, isolation: &str, ignores: bool) -> Plan {
    std::fs::create_dir_all(dir).unwrap();
    let heard = dir.join("heard").display().to_string();
    let script = SCRIPT.replace("HEARD", &heard).replace("IGNORES", if ignores { "1" } else { "0" });
    std::fs::write(dir.join("fake"), script).unwrap();
    std::fs::set_permissions(dir.join("fake"), PermissionsExt::from_mode(0o755)).unwrap();
    let file = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\nisolation = \"{isolation}\"\n[factor]\n\
         tied = {{ bits = 1 }}\nother = {{ bits = 2 }}\n"
    );
    std::fs::write(dir.join("fake.toml"), file).unwrap();
    std::fs::write(dir.join("set.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n").unwrap();
    let suite = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
                 budgets = [{ depth = 3 }]\nsubject = \"fake.toml\"\narms = [\"full\", \"full[-tied]\", \"full[-other]\"]\n";
    Experiment::from(Suite::parse(&dir.join("own.toml"), suite).unwrap()).plan().unwrap()
}

fn finished(plan: &Plan, run_dir: &Path, failed: Failed) -> RunRows {
    let store = Store::open_with(run_dir, of_plan("r", plan, Vec::new(), 1), failed, current()).unwrap();
    match run(plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| {}).unwrap() {
        Ended::Complete(rows) => rows,
        Ended::Stopped { .. } => panic!("it was not stopped"),
    }
}

/// A folder in which some cells of a run are finished, as an interruption leaves them.
fn begun(plan: &Plan, run_dir: &Path, records: &[Record]) {
    let manifest = of_plan("r", plan, Vec::new(), 1);
    let mut store = Store::open_with(run_dir, manifest, Failed::Keep, current()).unwrap();
    let sealer = store.sealer();
    let rows = records.iter().map(|record| sealer.seal(Rows { record: record.clone(), ..Rows::default() }));
    store.append(&rows.collect::<Vec<_>>()).unwrap();
}

fn ties(rows: &RunRows) -> Vec<(&str, Option<bool>)> {
    rows.records.iter().map(|row| (row.methods.as_str(), row.move_tied)).collect()
}

const EXPECTED: [(&str, Option<bool>); 3] =
    [("full", None), ("full[-tied]", Some(true)), ("full[-other]", Some(false))];

#[test]
fn ties_are_decided_whatever_process_of_the_baseline_is_there() {
    let dir = tempfile::tempdir().unwrap();
    for (name, isolation, ignores) in
        [("run", "run", false), ("cell", "cell", false), ("after", "run", true), ("cell-after", "cell", true)]
    {
        let dir = dir.path().join(name);
        let plan = plan(&dir, isolation, ignores);
        let whole = finished(&plan, &dir.join("whole"), Failed::Keep);
        assert_eq!(ties(&whole), EXPECTED, "{name}");
        // Gone on with where the baseline was searched before, by a process that is no more.
        let resumed = dir.join("resumed");
        begun(&plan, &resumed, &whole.records[..1]);
        assert_eq!(ties(&finished(&plan, &resumed, Failed::Keep)), EXPECTED, "{name}, resumed");
        // The baseline failed, so that nothing could be compared with it, and is searched again.
        let retried = dir.join("retried");
        let mut records = whole.records.clone();
        records[0] = Record { error: Some(Failure::new("hangs")), ..Record::of(&records[0].key()) };
        records.iter_mut().for_each(|row| row.move_tied = None);
        begun(&plan, &retried, &records);
        assert_eq!(ties(&finished(&plan, &retried, Failed::Retry)), EXPECTED, "{name}, retried");
        // An undecided row is searched again too, and no other.
        let open = dir.join("open");
        let mut records = whole.records.clone();
        records[2].move_tied = None;
        begun(&plan, &open, &records);
        let store =
            Store::open_with(&open, of_plan("r", &plan, Vec::new(), 1), Failed::Retry, current()).unwrap();
        assert_eq!((store.retried(), store.finished().len()), (1, 2), "{name}");
    }
}

#[test]
fn a_run_that_is_stopped_while_a_tie_is_decided_keeps_no_row_without_an_answer() {
    let dir = tempfile::tempdir().unwrap();
    let plan = plan(dir.path(), "run", false);
    let script = std::fs::read_to_string(dir.path().join("fake")).unwrap();
    let asked = dir.path().join("asked");
    let hangs = format!("*searchmoves*e2e4) touch '{}'; sleep 100 ;;", asked.display());
    std::fs::write(dir.path().join("fake"), script.replace("*searchmoves*e2e4) m=e2e4; s=10 ;;", &hangs))
        .unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let run_dir = dir.path().join("run");
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            let begun = Instant::now();
            while !asked.exists() && begun.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::SeqCst);
        });
        let store = Store::open(&run_dir, of_plan("r", &plan, Vec::new(), 1), current()).unwrap();
        run(&plan, store, 1, None, &stop, &mut |_| {}).unwrap()
    });
    assert_eq!(ended, Ended::Stopped { finished: 1 });
    std::fs::write(dir.path().join("fake"), script).unwrap();
    assert_eq!(ties(&finished(&plan, &run_dir, Failed::Keep)), EXPECTED);
}

/// The searches that a program heard, by process.
fn heard(dir: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(dir.join("heard")).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    let searches = lines.filter(|(_, line)| line.starts_with("go"));
    searches.map(|(process, line)| (process.to_owned(), line.to_owned())).collect()
}

#[test]
fn a_process_for_each_cell_searches_the_cell_and_nothing_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let cell = plan(&dir.path().join("cell"), "cell", false);
    finished(&cell, &dir.path().join("cell/run"), Failed::Keep);
    let all = heard(&dir.path().join("cell"));
    let processes: std::collections::BTreeSet<&str> =
        all.iter().map(|(process, _)| process.as_str()).collect();
    assert_eq!((all.len(), processes.len()), (3 + 2, 3 + 2), "{all:?}");
    assert!(all.iter().all(|(_, line)| line.starts_with("go depth 3")), "{all:?}");
    // A cold one searches a ply of the position first, and forgets it.
    let cold = plan(&dir.path().join("cold"), "cold", false);
    finished(&cold, &dir.path().join("cold/run"), Failed::Keep);
    let text = std::fs::read_to_string(dir.path().join("cold/heard")).unwrap();
    let begins_search = |line: &&str| ["go", "ucinewgame"].iter().any(|word| line.contains(word));
    let mut each = std::collections::BTreeMap::<&str, Vec<&str>>::new();
    for (process, line) in text.lines().filter(begins_search).filter_map(|line| line.split_once(' ')) {
        each.entry(process).or_default().push(line.split(" searchmoves").next().unwrap_or(line));
    }
    assert!(
        each.len() == 3 + 2
            && each.values().all(|lines| *lines == ["go depth 1", "ucinewgame", "go depth 3"]),
        "{each:?}"
    );
    // One that is kept makes its tables by a search that is no cell.
    let kept = plan(&dir.path().join("run"), "run", false);
    finished(&kept, &dir.path().join("run/run"), Failed::Keep);
    let all = heard(&dir.path().join("run"));
    assert_eq!(all.iter().filter(|(_, line)| line == "go depth 1").count(), 3, "{all:?}");
}

#[test]
fn a_program_that_says_nothing_when_it_is_started_costs_its_patience_and_no_more() {
    let spec =
        Spec { command: "sh".into(), args: vec!["-c".to_owned(), "sleep 100".to_owned()], ..Spec::default() };
    let begun = Instant::now();
    let error = EngineSubject::start(&spec, 16, Duration::from_millis(200), None).unwrap_err();
    assert!(matches!(error.fault, Fault::Hung { .. }) && begun.elapsed() < Duration::from_secs(5), "{error}");
}
