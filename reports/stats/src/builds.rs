//! What several builds measured, told apart: times belong to a class of machines, instructions to a binary.
//!
//! Exact columns are the same whoever made them, so they stay. A time is only ever compared with another of the same unit
//! (position and budget); where a resumed run has units whose rows were searched on two classes of machines, no time of the
//! report means anything, and all are left out. So are the rows of such units that had a budget of time.

use crate::runs::Runs;
use secateur_base::number::either;
use secateur_record::label::Label;
use secateur_record::manifest::Manifest;
use secateur_record::record::{BudgetKind, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Who stands behind the rows: by name of the run and id of the build.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    classes: BTreeMap<String, BTreeMap<String, String>>,
    counted: BTreeMap<String, String>,
}

impl Origins {
    /// Adds the builds of a run.
    pub(crate) fn add(&mut self, manifest: &Manifest) {
        let classes = manifest.build.iter().map(|build| (build.id.clone(), build.machine_class()));
        self.classes.entry(manifest.run.clone()).or_default().extend(classes);
        self.counted.insert(manifest.run.clone(), manifest.counted_binary.clone());
    }

    fn class(&self, row: &Record) -> &str {
        self.classes.get(&*row.run).and_then(|classes| classes.get(&*row.build)).map_or("", String::as_str)
    }

    fn binary(&self, row: &Record) -> &str {
        self.counted.get(&*row.run).map_or("", String::as_str)
    }
}

type Unit = (Label, Label, Label, BudgetKind, u64);

fn unit(row: &Record) -> Unit {
    (row.game, row.suite, row.position, row.budget_kind, row.budget)
}

/// Units whose rows have several values of `what`, and how many values there are in all.
fn mixed<'r>(
    rows: impl Iterator<Item = &'r Record> + Clone,
    what: impl Fn(&'r Record) -> &'r str,
) -> (BTreeSet<Unit>, usize) {
    let (mut first, mut torn) = (BTreeMap::<Unit, &str>::new(), BTreeSet::new());
    let mut all: BTreeSet<&str> = BTreeSet::new();
    // A collected set would have all rows in memory before it drops the equal ones.
    all.extend(rows.clone().map(&what));
    if all.len() < 2 {
        // One build made most runs, and then nothing is noted of their units.
        return (torn, all.len());
    }
    for row in rows {
        let value = what(row);
        if *first.entry(unit(row)).or_insert(value) != value {
            torn.insert(unit(row));
        }
    }
    (torn, all.len())
}

/// Leaves out what cannot be compared and says so in the notes.
pub(crate) fn separate(runs: &mut Runs, origins: &Origins) {
    let (torn, classes) = mixed(runs.records.iter(), |row| origins.class(row));
    if classes > 1 && torn.is_empty() {
        runs.notes.push(format!(
            "Times are of {classes} classes of machines; every unit was searched on one, so ratios hold and rates are of all."
        ));
    }
    if !torn.is_empty() {
        let before = runs.records.len();
        runs.records.retain(|row| row.budget_kind != BudgetKind::Time || !torn.contains(&unit(row)));
        runs.records.iter_mut().for_each(|row| row.time_ns = 0);
        runs.iterations.iter_mut().for_each(|row| row.time_ns = 0);
        let mut note = format!(
            "{} {} searched on two classes of machines: times are left out of this report",
            torn.len(),
            either(torn.len(), "unit was", "units were")
        );
        if before > runs.records.len() {
            let rows = before - runs.records.len();
            note += &format!(
                ", and so {} with a budget of time",
                either(rows, "is 1 row", &format!("are {rows} rows"))
            );
        }
        runs.notes.push(note + ".");
    }
    let counted = runs.records.iter().filter(|row| row.instructions.is_some());
    let (torn, binaries) = mixed(counted, |row| origins.binary(row));
    if !torn.is_empty() {
        runs.records.iter_mut().for_each(|row| row.instructions = None);
        runs.notes.push(format!("Instructions of {binaries} binaries stand in one unit: they are left out."));
    } else if binaries > 1 {
        runs.notes.push(format!("Instructions are of {binaries} binaries; every unit was counted with one."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;

    fn by(build: &str, position: &str, kind: BudgetKind, instructions: u64) -> Record {
        Record {
            run: "r".into(),
            build: build.into(),
            budget_kind: kind,
            instructions: Some(instructions),
            ..row(position, "28", if build == "a" { "none" } else { "mpc" }, 7)
        }
    }

    fn origins() -> Origins {
        let class = |build: &str, class: &str| (build.to_owned(), class.to_owned());
        let classes = [class("a", "fast"), class("b", "slow"), class("c", "fast")].into();
        Origins { classes: [("r".to_owned(), classes)].into(), counted: BTreeMap::new() }
    }

    #[test]
    fn times_of_two_classes_in_one_unit_are_left_out() {
        let records = vec![
            by("a", "p", BudgetKind::Depth, 1),
            by("b", "p", BudgetKind::Depth, 2),
            by("a", "q", BudgetKind::Time, 3),
            by("b", "q", BudgetKind::Time, 4),
        ];
        let mut runs = Runs { records, ..Runs::default() };
        separate(&mut runs, &origins());
        assert_eq!(runs.records.len(), 2);
        assert!(runs.records.iter().all(|row| row.time_ns == 0 && row.nodes == Some(7)));
        assert!(runs.notes[0].contains("2 units") && runs.notes[0].contains("2 rows"), "{:?}", runs.notes);
    }

    #[test]
    fn one_class_a_unit_is_kept_and_said() {
        let mut runs = Runs {
            records: vec![by("a", "p", BudgetKind::Depth, 1), by("b", "q", BudgetKind::Depth, 2)],
            ..Runs::default()
        };
        separate(&mut runs, &origins());
        assert!(runs.records.iter().all(|row| row.time_ns > 0) && runs.notes[0].contains("2 classes"));
        let mut runs = Runs {
            records: vec![by("a", "p", BudgetKind::Depth, 1), by("c", "p", BudgetKind::Depth, 2)],
            ..Runs::default()
        };
        separate(&mut runs, &origins());
        assert!(runs.notes.is_empty(), "{:?}", runs.notes);
    }
}
