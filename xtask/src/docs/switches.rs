//! What came of switches cut from sources that were new to the finder: the tables of `docs/runs/printed/switches*.csv`.

use super::printed::{self, Cell, Column, Row, read, view};
use secateur::cli::failure::Failure;
use std::collections::BTreeMap;

/// A program at one trial. Methods of the list that the program has, and what came of them; methods beyond the list that were proposed, and
/// how many of them are something else; whether the patched program was built, searched as the untouched one, and came to a page; switches
/// without which a search crashed; CPU seconds of the three commands, with both builds.
///
/// Contacts: `first`, `fresh`, `later`, `third`, `fourth`, `fifth` are rules that had not seen the program, trial by trial; `second`,
/// `fresh-mended`, `mended`, `third-mended`, `fourth-mended` are the programs of the first five of these again, with the rules of now.
const TRIALS: [Column; 13] = [
    ("<program", |row| row.text("program")),
    ("<contact", |row| row.text("contact")),
    ("methods", |row| row.text("methods")),
    ("right", |row| row.text("right")),
    ("wrong", |row| row.text("wrong")),
    ("missed", |row| row.text("missed")),
    ("others", |row| row.text("others")),
    ("wrong", |row| row.text("others_wrong")),
    ("built", |row| answer(row, "built")),
    ("same", |row| answer(row, "same")),
    ("page", |row| answer(row, "page")),
    ("crashed", |row| row.text("crashed")),
    ("CPU s", |row| if row.text("cpu")?.is_empty() { row.text("cpu") } else { row.fixed("cpu", 0) }),
];

/// What adds up over programs: besides what the table shows, all methods that were proposed by how sure the rules are.
const COUNTS: [&str; 9] =
    ["methods", "right", "wrong", "missed", "others", "others_wrong", "sure", "likely", "choice"];

/// What came of a method of a program, by reading its source, and why it is not right at the last of both; empty where no
/// reason was written down.
const JUDGED: [Column; 5] = [
    ("<program", |row| row.text("program")),
    ("<method", |row| row.text("method")),
    ("<first contact", |row| row.text("first")),
    ("<after mending", |row| row.text("second")),
    ("<why", |row| row.text("why")),
];

/// Of the methods of a trial that the rules were sure of at first contact, and of the others that they proposed (`likely`, with
/// choices), how many there were and how many were right; then the same by the rules of the fourth trial, for which sure means
/// more. `all` sums the rows above it.
const SAID: [Column; 9] = [
    ("<trial", |row| row.text("contact")),
    ("sure", |row| row.text("sure")),
    ("right", |row| right(row, "sure")),
    ("likely", |row| row.text("likely")),
    ("right", |row| right(row, "likely")),
    ("sure now", |row| row.text("now_sure")),
    ("right", |row| right(row, "now_sure")),
    ("likely now", |row| row.text("now_likely")),
    ("right", |row| right(row, "now_likely")),
];
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

/// Where a program is from, and what was put in place of what its repository lacks.
const ORIGINS: [Column; 5] = [
    ("<program", |row| row.text("program")),
    ("<repository", |row| row.text("repository")),
    ("<commit", |row| row.text("commit")),
    ("<language", |row| row.text("language")),
    ("<what its repository lacks", |row| row.text("note")),
];

/// The tables by the names of their files: trials, how sure the rules were, methods that are not right, programs.
pub(super) fn tables() -> Result<Vec<(&'static str, String)>, Failure> {
    const FILES: [&str; 4] = ["switches", "switches-methods", "switches-said", "switches-programs"];
    let (trials, judged, verdicts) = (read(FILES[0])?, read(FILES[1])?, read(FILES[2])?);
    counted(&trials, &judged)?;
    said_adds_up(&verdicts, &trials, &judged)?;
    let is = |row: &&Row, column: &str, wanted: &[&str]| {
        row.text(column).is_ok_and(|text| wanted.contains(&&*text))
    };
    let faults =
        judged.iter().filter(|row| !is(row, "first", &["right"]) || !is(row, "second", &["right", ""]));
    let tables = [
        view(&trials, &TRIALS)?,
        view(faults, &JUDGED)?,
        view(&verdicts, &SAID)?,
        printed::table(FILES[3], &ORIGINS)?,
    ];
    Ok(FILES.into_iter().zip(tables).collect())
}

/// How many of those in the column are right, in per cent.
fn right(row: &Row, column: &str) -> Cell {
    let (right, all): (f64, f64) = (row.number(&format!("{column}_right"))?, row.number(column)?);
    Ok(if all == 0.0 { String::new() } else { format!("{:.0} %", 100.0 * right / all) })
}

/// What the rules said of a trial's methods is counted from the methods.
fn said_adds_up(verdicts: &[Row], trials: &[Row], judged: &[Row]) -> Result<(), Failure> {
    let mut sum = vec![0; SAID_COUNTS.len()];
    for row in verdicts {
        let contact = row.text("contact")?;
        let counts: Vec<u64> = row.numbers(&SAID_COUNTS)?;
        let expected = if contact == "all" { sum.clone() } else { said_of(&contact, trials, judged)? };
        if counts != expected {
            return Err(Failure::input(format!(
                "switches-said.csv: {contact}: found {counts:?}, expected {expected:?} by switches-methods.csv"
            )));
        }
        sum.iter_mut().zip(expected).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}

fn said_of(contact: &str, trials: &[Row], judged: &[Row]) -> Result<Vec<u64>, Failure> {
    let mut programs = Vec::new();
    for trial in trials {
        if trial.text("contact")? == contact {
            programs.push(trial.text("program")?);
        }
    }
    let mut counts = vec![0; SAID_COUNTS.len()];
    for row in judged {
        if !programs.contains(&row.text("program")?) {
            continue;
        }
        for (at, column) in [(0, "said"), (4, "now")] {
            let place = match row.text(column)?.as_str() {
                "" => continue,
                "sure" => at,
                _ => at + 2,
            };
            counts[place] += 1;
            counts[place + 1] += u64::from(row.text("first")? == "right");
        }
    }
    Ok(counts)
}

/// Whether it was so; of all programs how often. Empty: not tried.
fn answer(row: &Row, column: &str) -> Cell {
    let text = row.text(column)?;
    Ok(match text.as_str() {
        "" => text,
        _ if row.text("program")? == "all" => text,
        "0" => "no".to_owned(),
        _ => "yes".to_owned(),
    })
}

/// Each count of the trials is that of the methods, and each sum that of its rows.
fn counted(trials: &[Row], judged: &[Row]) -> Result<(), Failure> {
    let mut sums = BTreeMap::<String, Vec<u64>>::new();
    for trial in trials {
        let (program, contact) = (trial.text("program")?, trial.text("contact")?);
        let fault = |what: &str| {
            Err(Failure::input(format!("switches.csv: {program} ({contact}): {what} do not add up")))
        };
        let counts: Vec<u64> = trial.numbers(&COUNTS)?;
        if counts[1..4].iter().sum::<u64>() != counts[0] {
            return fault("right, wrong and missed");
        }
        if program == "all" {
            if sums.get(&contact) != Some(&counts) {
                return fault("the rows of this contact");
            }
            continue;
        }
        let is_mended = contact == "second" || contact.ends_with("mended");
        let verdict_in = if is_mended { "second" } else { "first" };
        for (verdict, count) in COUNTS[1..4].iter().zip(&counts[1..4]) {
            let mut matching = 0;
            for row in judged {
                matching += u64::from(row.text("program")? == program && row.text(verdict_in)? == *verdict);
            }
            if matching != *count {
                return fault(&format!("methods that are {verdict}"));
            }
        }
        let sum = sums.entry(contact).or_insert_with(|| vec![0; COUNTS.len()]);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(program: &str, right: u64, wrong: u64) -> Row {
        trial_with(program, right, wrong, &[])
    }

    fn trial_with(program: &str, right: u64, wrong: u64, other: &[(&str, &str)]) -> Row {
        let counts = [("methods", right + wrong), ("right", right), ("wrong", wrong), ("missed", 0)];
        let other_counts = [("others", 1), ("others_wrong", 0), ("sure", 1), ("likely", 0), ("choice", 0)];
        let counts =
            counts.into_iter().chain(other_counts).map(|(column, count)| (column, count.to_string()));
        let texts = [("program", program), ("contact", "first")].into_iter().chain(other.iter().copied());
        let cells = counts.chain(texts.map(|(column, text)| (column, text.to_owned())));
        Row::new("switches", cells.map(|(column, text)| (column.to_owned(), text)))
    }

    fn judged(method: &str, first: &str) -> Row {
        let verdicts = [("first", first), ("second", "right"), ("said", "sure"), ("now", "likely")];
        Row::new("switches-methods", [("program", "a"), ("method", method)].into_iter().chain(verdicts))
    }

    #[test]
    fn counts_that_are_not_those_of_the_methods_are_an_error() {
        let methods = [judged("lmr", "right"), judged("see", "wrong")];
        let all = || trial("all", 1, 1);
        assert!(counted(&[trial("a", 1, 1), all()], &methods).is_ok());
        assert!(
            counted(&[trial("a", 2, 0), all()], &methods).is_err(),
            "a method that is wrong counts as right"
        );
        let others = trial_with("all", 1, 1, &[("others", "2")]);
        assert!(counted(&[trial("a", 1, 1), others], &methods).is_err(), "a wrong sum");
        let more = trial_with("a", 1, 1, &[("methods", "3")]);
        assert!(counted(&[more, all()], &methods).is_err(), "a method without a verdict");
        let mended = |right, wrong| trial_with("a", right, wrong, &[("contact", "mended")]);
        assert!(counted(&[mended(2, 0)], &methods).is_ok(), "both are right after mending");
        assert!(
            counted(&[mended(1, 1)], &methods).is_err(),
            "what it was at first contact counts after mending"
        );
    }

    #[test]
    fn of_all_programs_it_is_said_how_often() {
        let built = |program: &str, count: &str| {
            answer(&trial_with(program, 1, 0, &[("built", count)]), "built").unwrap()
        };
        let cells = [built("a", "1"), built("a", "0"), built("a", ""), built("all", "7"), built("all", "")];
        assert_eq!(cells, ["yes", "no", "", "7", ""]);
    }

    #[test]
    fn what_the_rules_said_is_counted_from_the_methods() {
        let (trials, methods) = ([trial("a", 1, 1)], [judged("lmr", "right"), judged("see", "wrong")]);
        let row = |contact: &str, sure_right: &str| {
            let counts = SAID_COUNTS.into_iter().zip(["2", sure_right, "0", "0", "0", "0", "2", "1"]);
            Row::new("switches-said", counts.chain([("contact", contact)]))
        };
        assert!(said_adds_up(&[row("first", "1"), row("all", "1")], &trials, &methods).is_ok());
        assert!(said_adds_up(&[row("first", "2")], &trials, &methods).is_err(), "one of two is right");
        assert!(
            said_adds_up(&[row("first", "1"), row("all", "2")], &trials, &methods).is_err(),
            "a wrong sum"
        );
    }
}
