//! Committed tables that people count (`docs/runs/printed`): each count is that of the rows that it is of, and each sum that of its rows.

use crate::common::printed::root;
use secateur_record::table;
use std::collections::BTreeMap;

/// A row of a table by the names of its columns.
#[derive(Clone)]
struct Row(BTreeMap<String, String>);

impl Row {
    fn new<C: Into<String>>(cells: impl IntoIterator<Item = (C, C)>) -> Row {
        Row(cells.into_iter().map(|(column, text)| (column.into(), text.into())).collect())
    }

    fn text(&self, column: &str) -> &str {
        &self.0[column]
    }

    fn numbers(&self, columns: &[&str]) -> Vec<u64> {
        columns.iter().map(|column| self.text(column).parse().unwrap()).collect()
    }
}

fn read(name: &str) -> Vec<Row> {
    let file = root().join("docs/runs/printed").join(name).with_extension("csv");
    let rows: Vec<BTreeMap<String, String>> = table::rows(&file).unwrap();
    rows.into_iter().map(Row).collect()
}

/// A mutant counts where it is caught first.
#[test]
fn every_mutant_is_counted_once() {
    for row in read("mutants") {
        let counts = row.numbers(&["tried", "unit", "checks", "trees", "identities", "equivalent", "missed"]);
        assert_eq!(counts[1..].iter().sum::<u64>(), counts[0], "{}", row.text("file"));
    }
}

#[test]
fn the_trials_of_switches_are_counted_from_their_methods() {
    let (trials, judged, verdicts) = (read("switches"), read("switches-methods"), read("switches-said"));
    counted(&trials, &judged).unwrap();
    said_adds_up(&verdicts, &trials, &judged).unwrap();
}

/// What adds up over programs: besides what the table shows, all methods that were proposed by how sure the rules are.
const COUNTS: [&str; 9] =
    ["methods", "right", "wrong", "missed", "others", "others_wrong", "sure", "likely", "choice"];

const SAID_COUNTS: [&str; 8] = [
    "sure",
    "sure_right",
    "likely",
    "likely_right",
    "now_sure",
    "now_sure_right",
    "now_likely",
    "now_likely_right",
];

/// What the rules said of a trial's methods is counted from the methods.
fn said_adds_up(verdicts: &[Row], trials: &[Row], judged: &[Row]) -> Result<(), String> {
    let mut sum = vec![0; SAID_COUNTS.len()];
    for row in verdicts {
        let contact = row.text("contact");
        let counts = row.numbers(&SAID_COUNTS);
        let expected = if contact == "all" { sum.clone() } else { said_of(contact, trials, judged) };
        if counts != expected {
            return Err(format!(
                "switches-said.csv: {contact}: found {counts:?}, expected {expected:?} by switches-methods.csv"
            ));
        }
        sum.iter_mut().zip(expected).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}

fn said_of(contact: &str, trials: &[Row], judged: &[Row]) -> Vec<u64> {
    let trials = trials.iter().filter(|trial| trial.text("contact") == contact);
    let programs: Vec<&str> = trials.map(|trial| trial.text("program")).collect();
    let mut counts = vec![0; SAID_COUNTS.len()];
    for row in judged.iter().filter(|row| programs.contains(&row.text("program"))) {
        for (at, column) in [(0, "said"), (4, "now")] {
            let place = match row.text(column) {
                "" => continue,
                "sure" => at,
                _ => at + 2,
            };
            counts[place] += 1;
            counts[place + 1] += u64::from(row.text("first") == "right");
        }
    }
    counts
}

/// Each count of the trials is that of the methods, and each sum that of its rows.
fn counted(trials: &[Row], judged: &[Row]) -> Result<(), String> {
    let mut sums = BTreeMap::<&str, Vec<u64>>::new();
    for trial in trials {
        let (program, contact) = (trial.text("program"), trial.text("contact"));
        let fault = |what: &str| Err(format!("switches.csv: {program} ({contact}): {what} do not add up"));
        let counts = trial.numbers(&COUNTS);
        if counts[1..4].iter().sum::<u64>() != counts[0] {
            return fault("right, wrong and missed");
        }
        if program == "all" {
            if sums.get(contact) != Some(&counts) {
                return fault("the rows of this contact");
            }
            continue;
        }
        let is_mended = contact == "second" || contact.ends_with("mended");
        let verdict_in = if is_mended { "second" } else { "first" };
        for (verdict, count) in COUNTS[1..4].iter().zip(&counts[1..4]) {
            let of_program = judged.iter().filter(|row| row.text("program") == program);
            if of_program.filter(|row| row.text(verdict_in) == *verdict).count() as u64 != *count {
                return fault(&format!("methods that are {verdict}"));
            }
        }
        let sum = sums.entry(contact).or_insert_with(|| vec![0; COUNTS.len()]);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}

fn trial(program: &str, right: u64, wrong: u64) -> Row {
    trial_with(program, right, wrong, &[])
}

fn trial_with(program: &str, right: u64, wrong: u64, other: &[(&str, &str)]) -> Row {
    let counts = [("methods", right + wrong), ("right", right), ("wrong", wrong), ("missed", 0)];
    let other_counts = [("others", 1), ("others_wrong", 0), ("sure", 1), ("likely", 0), ("choice", 0)];
    let counts = counts.into_iter().chain(other_counts).map(|(column, count)| (column, count.to_string()));
    let texts = [("program", program), ("contact", "first")].into_iter().chain(other.iter().copied());
    let cells = counts.chain(texts.map(|(column, text)| (column, text.to_owned())));
    Row::new(cells.map(|(column, text)| (column.to_owned(), text)))
}

fn judged(method: &str, first: &str) -> Row {
    let verdicts = [("first", first), ("second", "right"), ("said", "sure"), ("now", "likely")];
    Row::new([("program", "a"), ("method", method)].into_iter().chain(verdicts))
}

#[test]
fn counts_that_are_not_those_of_the_methods_are_an_error() {
    let methods = [judged("lmr", "right"), judged("see", "wrong")];
    let all = || trial("all", 1, 1);
    assert!(counted(&[trial("a", 1, 1), all()], &methods).is_ok());
    assert!(counted(&[trial("a", 2, 0), all()], &methods).is_err(), "a method that is wrong counts as right");
    let others = trial_with("all", 1, 1, &[("others", "2")]);
    assert!(counted(&[trial("a", 1, 1), others], &methods).is_err(), "a wrong sum");
    let more = trial_with("a", 1, 1, &[("methods", "3")]);
    assert!(counted(&[more, all()], &methods).is_err(), "a method without a verdict");
    let mended = |right, wrong| trial_with("a", right, wrong, &[("contact", "mended")]);
    assert!(counted(&[mended(2, 0)], &methods).is_ok(), "both are right after mending");
    assert!(counted(&[mended(1, 1)], &methods).is_err(), "what it was at first contact counts after mending");
}

#[test]
fn what_the_rules_said_is_counted_from_the_methods() {
    let (trials, methods) = ([trial("a", 1, 1)], [judged("lmr", "right"), judged("see", "wrong")]);
    let row = |contact: &str, sure_right: &str| {
        let counts = SAID_COUNTS.into_iter().zip(["2", sure_right, "0", "0", "0", "0", "2", "1"]);
        Row::new(counts.chain([("contact", contact)]))
    };
    assert!(said_adds_up(&[row("first", "1"), row("all", "1")], &trials, &methods).is_ok());
    assert!(said_adds_up(&[row("first", "2")], &trials, &methods).is_err(), "one of two is right");
    assert!(said_adds_up(&[row("first", "1"), row("all", "2")], &trials, &methods).is_err(), "a wrong sum");
}
