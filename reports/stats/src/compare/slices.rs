//! Two large runs compared some arms at a time, so that never more than a slice of their rows is in memory.
//!
//! A duel needs the rows of its arm and of the baseline, and what it comes to is a few numbers. So both runs are read once a
//! slice, held against their seals the first time, and the tests of all slices are corrected together: the outcome is that of all
//! rows in memory. Left out: runs of one arm that is larger than the memory; and whether a run asked which moves are as good as
//! the baseline's shows in the arms of a slice alone.

use super::{Incomparable, Side, Weighed, WeighedDuel, corrected, measured, side_by_side};
use crate::read::{ReadError, Topic, Wanted, read_arms, topics};
use crate::runs::each_once;
use secateur_record::label::Label;
use secateur_record::manifest::{BASELINE, Manifest};
use secateur_record::record::BudgetKind;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Rows of a side that are in memory at once: some 120 MB.
const ROWS: u64 = 500_000;
/// How many times as much a row takes with the last iterations of its search, which a budget of nodes or time needs.
const WITH_ITERATIONS: u64 = 3;

/// What a comparison came to whose rows are gone.
#[derive(Clone, Debug)]
pub struct Whole {
    /// All duels, in the order of the first run's records.
    pub weighed: Weighed,
    /// What a reader must know.
    pub notes: Vec<String>,
}

/// Why large runs were not compared.
#[derive(Debug, thiserror::Error)]
pub enum Unsliced {
    /// A run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// They do not measure the same thing.
    #[error(transparent)]
    Incomparable(#[from] Incomparable),
}

/// Compares the run in the first folder with that in the last, or two method sets of one run, as
/// [`side_by_side`](super::side_by_side) does.
///
/// # Errors
/// Runs that cannot be read or compared.
pub fn sliced(folders: &[PathBuf], methods: [Option<&str>; 2], across: bool) -> Result<Whole, Unsliced> {
    sliced_by(ROWS, folders, methods, across)
}

fn sliced_by(
    rows: u64,
    folders: &[PathBuf],
    methods: [Option<&str>; 2],
    across: bool,
) -> Result<Whole, Unsliced> {
    let names: Vec<String> = folders.iter().map(|run| run.display().to_string()).collect();
    let (last, mut baselines) = (folders.len().saturating_sub(1), BTreeSet::from([BASELINE.to_owned()]));
    for folder in folders {
        let manifest = Manifest::read(folder).map_err(ReadError::from)?;
        baselines.extend(manifest.game.into_iter().filter_map(|game| game.baseline));
    }
    let (topics, all) = topics(&folders[0])?;
    let is_by_depth = topics.iter().all(|(_, kind, ..)| *kind == BudgetKind::Depth);
    let rows = if is_by_depth { rows } else { rows / WITH_ITERATIONS };
    let (mut duels, mut notes, mut nothing) = (Vec::<(usize, WeighedDuel)>::new(), Vec::new(), None);
    for (nth, slice) in slices(&topics, &baselines, methods[0], all, rows).into_iter().enumerate() {
        let wanted = |run: usize| {
            let sides = [0, last].into_iter().zip(methods).filter(|(side, _)| *side == run);
            let arms = sides.flat_map(|(_, methods)| {
                methods.map_or_else(|| slice.clone(), |methods| BTreeSet::from([methods.to_owned()]))
            });
            arms.chain(baselines.clone()).collect::<BTreeSet<String>>()
        };
        let read = |run: usize| {
            // The first was read for its topics.
            let is_read_before = run == 0 || nth > 0;
            read_arms(
                &folders[run],
                Wanted { arms: &wanted(run), with_iterations: !is_by_depth, is_read_before },
            )
        };
        let runs: Vec<_> = (0..folders.len()).map(read).collect::<Result<_, _>>()?;
        let side =
            |run: usize, side: usize| Side { name: &names[run], runs: &runs[run], methods: methods[side] };
        let mut compared = match side_by_side(side(0, 0), side(last, 1), across) {
            Err(error @ Incomparable::NothingInCommon { .. }) => {
                nothing = Some(error);
                continue;
            }
            found => found?,
        };
        compared.duels.retain(|duel| slice.contains(duel.methods[0]));
        let place = |duel: &super::Duel<'_>| {
            let is_it = |topic: &Topic| {
                (topic.0.as_str(), topic.1, topic.2, topic.3.as_str())
                    == (duel.game, duel.budget_kind, duel.budget, duel.methods[0])
            };
            topics.iter().position(is_it).unwrap_or(topics.len())
        };
        let places: Vec<usize> = compared.duels.iter().map(place).collect();
        duels.extend(places.into_iter().zip(measured(&compared)));
        notes.extend(compared.notes);
    }
    match (duels.is_empty(), nothing) {
        (true, Some(error)) => Err(error.into()),
        _ => {
            duels.sort_by_key(|(place, _)| *place);
            let weighed = corrected(duels.into_iter().map(|(_, duel)| duel).collect());
            Ok(Whole { weighed, notes: each_once(notes) })
        }
    }
}

/// The arms of each slice, so many that with the baseline they have about `most` rows of `all`; baselines are in the first.
fn slices(
    topics: &[Topic],
    baselines: &BTreeSet<String>,
    methods: Option<&str>,
    all: u64,
    most: u64,
) -> Vec<BTreeSet<String>> {
    if let Some(methods) = methods {
        return vec![BTreeSet::from([methods.to_owned()])];
    }
    let arms = each_once(topics.iter().map(|topic| topic.3));
    let each = (all / arms.len().max(1) as u64).max(1);
    let (bases, others): (Vec<Label>, Vec<Label>) =
        arms.into_iter().partition(|arm| baselines.contains(arm.as_str()));
    let room = (most / each).saturating_sub(bases.len() as u64).max(1) as usize;
    let mut slices: Vec<BTreeSet<String>> =
        others.chunks(room).map(|arms| arms.iter().map(Label::to_string).collect()).collect();
    if slices.is_empty() {
        slices.push(BTreeSet::new());
    }
    slices[0].extend(bases.iter().map(Label::to_string));
    slices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::weigh;
    use crate::fixtures::row;
    use crate::read::read;
    use secateur_record::build::Build;
    use secateur_record::manifest::GameEntry;
    use secateur_record::record::{CellKey, IterationRow, Record, SCHEMA, cells_hash};
    use secateur_record::store::RunRows;
    use std::path::Path;
    use std::slice::from_ref;

    /// Twelve positions of four arms, of which the costs are multiplied.
    fn written(dir: &Path, kind: BudgetKind, times: u64, arms: &[&str]) -> PathBuf {
        let build = Build { id: "me".to_owned(), ..Build::default() };
        let record = |position: usize, arm: usize, methods: &str| Record {
            build: "me".into(),
            schema: SCHEMA,
            budget_kind: kind,
            ..row(
                &format!("p{position:02}"),
                "28",
                methods,
                (1000 + position as u64 * 7) / (1 + arm as u64) * times,
            )
        };
        let records: Vec<Record> = (0..12)
            .flat_map(|position| {
                arms.iter().enumerate().map(move |(arm, methods)| record(position, arm, methods))
            })
            .collect();
        let cells = cells_hash(records.iter().map(Record::key).collect::<Vec<CellKey>>().into_iter());
        let game = vec![GameEntry { name: "othello".to_owned(), ..GameEntry::default() }];
        let manifest = Manifest {
            schema: SCHEMA,
            complete: true,
            cells,
            build: vec![build],
            game,
            ..Manifest::default()
        };
        let step = |row: &Record, depth: u32| {
            let nodes = row.nodes.unwrap() >> (8 - depth);
            IterationRow { depth, nodes, ..IterationRow::of(&row.key()) }
        };
        let iterations = records.iter().flat_map(|row| (1..=7).map(move |depth| step(row, depth))).collect();
        RunRows { records, iterations, ..RunRows::default() }.write(dir, &manifest).unwrap();
        dir.to_owned()
    }

    #[test]
    fn slices_come_to_what_all_rows_together_come_to() {
        for kind in [BudgetKind::Depth, BudgetKind::Nodes] {
            slices_of(kind);
        }
    }

    fn slices_of(kind: BudgetKind) {
        let dir = tempfile::tempdir().unwrap();
        let old = written(&dir.path().join("old"), kind, 3, &["none", "mpc", "futility", "razoring"]);
        let new = written(&dir.path().join("new"), kind, 2, &["none", "mpc", "razoring", "null-move"]);
        let both = [old.clone(), new.clone()];
        let sides = both.each_ref().map(|run| read(from_ref(run)).unwrap());
        let names = both.each_ref().map(|run| run.display().to_string());
        for methods in [[None, None], [Some("mpc"), Some("null-move")]] {
            let side = |at: usize| Side { name: &names[at], runs: &sides[at], methods: methods[at] };
            let plain = side_by_side(side(0), side(1), false).unwrap();
            for rows in [1, 30, 1000] {
                let whole = sliced_by(rows, &both, methods, false).unwrap();
                assert_eq!(format!("{:?}", whole.weighed), format!("{:?}", weigh(&plain)), "{rows}");
                // The same notes; those of a slice come with it.
                let all = |notes: &[String]| notes.iter().cloned().collect::<BTreeSet<_>>();
                assert_eq!((all(&whole.notes), whole.notes.len()), (all(&plain.notes), plain.notes.len()));
            }
        }
        let one = sliced_by(1, from_ref(&old), [Some("none"), Some("mpc")], false).unwrap();
        assert_eq!(one.weighed.duels.len(), 1);
        let error = sliced_by(1, &both, [Some("futility"), Some("futility")], false).unwrap_err().to_string();
        assert!(error.contains("no records of `futility`"), "{error}");
        // Rows are held against their seals once, and that is before anything is said of them.
        let path = new.join("iterations.csv");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen(",1,", ",2,", 1)).unwrap();
        let error = sliced_by(1, &both, [None, None], false).unwrap_err().to_string();
        assert!(error.contains("not those that were sealed"), "{error}");
    }
}
