//! Shards and their merge: what is put together is the run in one piece, and what does not belong together is refused.

use secateur_record::build::Build;
use secateur_record::label::Label;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::record::{CounterRow, IterationRow, Record};
use secateur_record::rows::write_all;
use secateur_record::store::{RECORDS, RunRows, Store, seal_all};
use secateur_suites::instruments::machine::current;
use secateur_suites::manifest::of_plan;
use secateur_suites::matrix::Plan;
use secateur_suites::run::{Ended, run};
use secateur_suites::shards::costs::Costs;
use secateur_suites::shards::shard::{Shard, cut};
use secateur_suites::suite::Suite;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

mod merge;
mod refused;

/// Both games and two budgets that read no clock: 14 units.
pub(crate) fn plan() -> Plan {
    let text = "name = \"t\"\ndescription = \"d\"\n\
                [[block]]\ngame = \"othello\"\npositions = [\"othello-28\"]\nlimit = 5\nrepeats = 1\n\
                methods = [\"none\", \"futility\"]\nbudgets = [{ depth = 4 }, { nodes = 2000 }]\n\
                [[block]]\ngame = \"chess\"\npositions = [\"chess-games\"]\nlimit = 2\n\
                methods = [\"null-move\"]\nbudgets = [{ depth = 3 }]\n";
    planned(text)
}

/// The plan of the text of a suite.
pub(crate) fn planned(text: &str) -> Plan {
    Plan::new(Suite::parse(Path::new("t.toml"), text).unwrap()).unwrap()
}

/// Searches a plan in a folder, to the end.
pub(crate) fn searched(plan: &Plan, dir: &Path) -> RunRows {
    let name = dir.file_name().unwrap().to_string_lossy().into_owned();
    let store = Store::open(dir, of_plan(&name, plan, vec!["bench".to_owned()], 1), current()).unwrap();
    match run(plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| ()).unwrap() {
        Ended::Complete(rows) => rows,
        Ended::Stopped { .. } => panic!("it was not stopped"),
    }
}

/// The part of the plan that is this shard.
pub(crate) fn part(plan: &Plan, number: u32, of: u32) -> Plan {
    cut(plan.clone(), Shard { number, of }, &Costs::default()).unwrap()
}

/// Searches all shards of a plan, in folders of their own.
pub(crate) fn shards(plan: &Plan, dir: &Path, of: u32) -> Vec<PathBuf> {
    let shard = |number| {
        let folder = dir.join(format!("{number}-of-{of}"));
        searched(&part(plan, number, of), &folder);
        folder
    };
    (1..=of).map(shard).collect()
}

/// The rows without what differs between two searches of the same cell.
pub(crate) fn exact(rows: RunRows) -> RunRows {
    let bare =
        |row| Record { run: Label::default(), time_ns: 0, seal: "".into(), build: Label::default(), ..row };
    RunRows {
        records: rows.records.into_iter().map(bare).collect(),
        iterations: rows
            .iterations
            .into_iter()
            .map(|row| IterationRow { time_ns: 0, ..row })
            .collect::<Vec<_>>(),
        counters: rows.counters.into_iter().collect::<Vec<CounterRow>>(),
    }
}

/// The rows of a folder, which is as it was written.
pub(crate) fn rows(dir: &Path) -> RunRows {
    RunRows::read(dir).unwrap().0
}

/// Rewrites a folder with other rows, sealed again, as another program would have written it.
pub(crate) fn forged(dir: &Path, change: impl Fn(&mut RunRows), build: impl Fn(&mut Build)) {
    let (mut rows, mut manifest, _) = RunRows::read(dir).unwrap();
    build(&mut manifest.build[0]);
    rows.records.iter_mut().for_each(|row| row.build = (&manifest.build[0].id).into());
    change(&mut rows);
    seal_all(&mut rows);
    write_all(&dir.join(RECORDS), &rows.records).unwrap();
    write_all(&dir.join("iterations.csv"), &rows.iterations).unwrap();
    rewritten(dir, |old| *old = manifest.clone());
}

/// Rewrites a manifest.
pub(crate) fn rewritten(dir: &Path, change: impl Fn(&mut Manifest)) {
    let mut manifest = Manifest::read(dir).unwrap();
    change(&mut manifest);
    std::fs::write(dir.join(FILE), manifest.text()).unwrap();
}
