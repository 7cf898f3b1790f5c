//! What switches cut from sources nobody had looked at came to: the tables of `docs/runs/printed/switches*.csv`.

use super::printed::rows;
use secateur::cli::failure::Failure;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A program at one trial.
#[derive(Deserialize)]
struct Trial {
    program: String,
    /// `first`, `fresh`, `later`, `third`, `fourth`: rules that had not seen the program, trial by trial; `second`, `mended`, `third-mended`,
    /// `fourth-mended`: the programs of `first`, `later`, `third` and `fourth` again, with the rules that were fixed on them.
    contact: String,
    /// Methods of the list that the program has, and what came of them.
    methods: u64,
    right: u64,
    wrong: u64,
    missed: u64,
    /// Methods beyond the list that were proposed, and how many of them are something else.
    others: u64,
    others_wrong: u64,
    /// All methods that were proposed, by how sure the rules are.
    sure: u64,
    likely: u64,
    choice: u64,
    /// Whether the patched program was built; searched as the untouched one; came to a page. Empty: not tried.
    built: Option<u64>,
    same: Option<u64>,
    page: Option<u64>,
    /// Switches without which a search crashed.
    crashed: Option<u64>,
    /// CPU seconds of the three commands, with both builds.
    cpu: Option<f64>,
}

impl Trial {
    /// What adds up over programs.
    fn counts(&self) -> [u64; 9] {
        [
            self.methods,
            self.right,
            self.wrong,
            self.missed,
            self.others,
            self.others_wrong,
            self.sure,
            self.likely,
            self.choice,
        ]
    }
}

/// What came of a method of a program, by reading its source.
#[derive(Deserialize)]
struct Judged {
    program: String,
    method: String,
    first: String,
    second: String,
    /// Why it is not right at the last of both; empty where nobody wrote it down.
    why: String,
    /// What the rules said of its name at first contact, of its sites the least: `sure`, `likely` or `choice`; empty if it was missed.
    said: String,
    /// What the rules of the fourth trial, for which sure means more, say on the same evidence: `sure` or `likely`.
    now: String,
}

/// Of the methods of a trial that the rules were sure of at first contact, and of the others that they proposed (`likely`, with choices),
/// how many there were and how many were right; then the same by the rules of the fourth trial.
#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Said {
    /// A trial; `all` sums the rows above it.
    contact: String,
    sure: u64,
    sure_right: u64,
    likely: u64,
    likely_right: u64,
    now_sure: u64,
    now_sure_right: u64,
    now_likely: u64,
    now_likely_right: u64,
}

impl Said {
    fn counts(&self) -> [u64; 8] {
        [
            self.sure,
            self.sure_right,
            self.likely,
            self.likely_right,
            self.now_sure,
            self.now_sure_right,
            self.now_likely,
            self.now_likely_right,
        ]
    }
}

/// A program: where it is from, and what was put in place of what its repository lacks.
#[derive(Deserialize)]
struct Origin {
    program: String,
    repository: String,
    commit: String,
    language: String,
    note: String,
}

/// The tables: trials, how sure the rules were, methods that are not right, programs.
pub(super) fn tables(folder: &Path) -> Result<[String; 4], Failure> {
    let (trials, judged): (Vec<Trial>, Vec<Judged>) =
        (rows(folder, "switches")?, rows(folder, "switches-methods")?);
    counted(&trials, &judged)?;
    let said: Vec<Said> = rows(folder, "switches-said")?;
    said_adds_up(&said, &trials, &judged)?;
    let mut table = Table::new(&[
        "<program", "<contact", "methods", "right", "wrong", "missed", "others", "wrong", "built", "same",
        "page", "crashed", "CPU s",
    ]);
    for trial in &trials {
        let all = trial.program == "all";
        let answer = |value: Option<u64>| match value {
            None => String::new(),
            Some(count) if all => count.to_string(),
            Some(0) => "no".to_owned(),
            Some(_) => "yes".to_owned(),
        };
        let counts = trial.counts();
        let mut cells = vec![trial.program.clone(), trial.contact.clone()];
        cells.extend(counts[..6].iter().map(ToString::to_string));
        cells.extend([trial.built, trial.same, trial.page].map(answer));
        cells.push(trial.crashed.map_or_else(String::new, |count| count.to_string()));
        cells.push(trial.cpu.map_or_else(String::new, |seconds| format!("{seconds:.0}")));
        table.push(cells);
    }
    let mut faults = Table::new(&["<program", "<method", "<first contact", "<after mending", "<why"]);
    for row in judged.iter().filter(|row| row.first != "right" || !matches!(&*row.second, "right" | "")) {
        let cells = [&row.program, &row.method, &row.first, &row.second, &row.why];
        faults.push(cells.map(String::clone).to_vec());
    }
    let mut origins =
        Table::new(&["<program", "<repository", "<commit", "<language", "<what its repository lacks"]);
    for row in rows::<Origin>(folder, "switches-programs")? {
        origins.push(vec![row.program, row.repository, row.commit, row.language, row.note]);
    }
    Ok([table, sureness(&said), faults, origins].map(|table| markdown_table(&table)))
}

/// How often what the rules said was right, trial by trial.
fn sureness(said: &[Said]) -> Table {
    let mut table = Table::new(&[
        "<trial",
        "sure",
        "right",
        "likely",
        "right",
        "sure now",
        "right",
        "likely now",
        "right",
    ]);
    for row in said {
        let shares = row
            .counts()
            .chunks(2)
            .flat_map(|pair| [pair[0].to_string(), percent(pair[1], pair[0])])
            .collect::<Vec<_>>();
        table.push(std::iter::once(row.contact.clone()).chain(shares).collect());
    }
    table
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!("{:.0} %", 100.0 * part as f64 / whole as f64) }
}

/// What the rules said of a trial's methods is counted from the methods.
fn said_adds_up(said: &[Said], trials: &[Trial], judged: &[Judged]) -> Result<(), Failure> {
    let mut sum = [0; 8];
    for row in said {
        let expected = if row.contact == "all" { sum } else { said_of(&row.contact, trials, judged) };
        if row.counts() != expected {
            return Err(Failure::input(format!(
                "switches-said.csv: {}: found {:?}, expected {expected:?} by switches-methods.csv",
                row.contact,
                row.counts()
            )));
        }
        sum.iter_mut().zip(expected).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}

fn said_of(contact: &str, trials: &[Trial], judged: &[Judged]) -> [u64; 8] {
    let of_trial =
        |row: &&Judged| trials.iter().any(|trial| trial.contact == contact && trial.program == row.program);
    let mut counts = [0; 8];
    for row in judged.iter().filter(of_trial) {
        for (at, word) in [(0, &row.said), (4, &row.now)] {
            let place = match &**word {
                "" => continue,
                "sure" => at,
                _ => at + 2,
            };
            counts[place] += 1;
            counts[place + 1] += u64::from(row.first == "right");
        }
    }
    counts
}

/// Each count of the trials is that of the methods, and each sum that of its rows.
fn counted(trials: &[Trial], judged: &[Judged]) -> Result<(), Failure> {
    let fault = |trial: &Trial, what: &str| {
        Failure::input(format!("switches.csv: {} ({}): {what} do not add up", trial.program, trial.contact))
    };
    let mut sums = BTreeMap::<&str, [u64; 9]>::new();
    for trial in trials {
        let counts = trial.counts();
        if trial.right + trial.wrong + trial.missed != trial.methods {
            return Err(fault(trial, "right, wrong and missed"));
        }
        if trial.program == "all" {
            if sums.get(&*trial.contact) != Some(&counts) {
                return Err(fault(trial, "the rows of this contact"));
            }
            continue;
        }
        let sum = sums.entry(&trial.contact).or_default();
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let is_mended = trial.contact == "second" || trial.contact.ends_with("mended");
        let came_to = |row: &Judged| if is_mended { row.second.clone() } else { row.first.clone() };
        for (verdict, count) in [("right", trial.right), ("wrong", trial.wrong), ("missed", trial.missed)] {
            let of_program =
                judged.iter().filter(|row| row.program == trial.program && came_to(row) == verdict);
            if of_program.count() as u64 != count {
                return Err(fault(trial, &format!("methods that are {verdict}")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(program: &str, right: u64, wrong: u64) -> Trial {
        Trial {
            program: program.to_owned(),
            contact: "first".to_owned(),
            methods: right + wrong,
            right,
            wrong,
            missed: 0,
            others: 1,
            others_wrong: 0,
            sure: 1,
            likely: 0,
            choice: 0,
            built: Some(1),
            same: None,
            page: Some(0),
            crashed: Some(0),
            cpu: None,
        }
    }

    fn judged(method: &str, first: &str) -> Judged {
        let text = str::to_owned;
        let (program, second, why) = (text("a"), text("right"), String::new());
        let (said, now) = (text("sure"), text("likely"));
        Judged { program, method: text(method), first: text(first), second, why, said, now }
    }

    #[test]
    fn counts_that_are_not_those_of_the_methods_are_an_error() {
        let methods = [judged("lmr", "right"), judged("see", "wrong")];
        let all = || Trial { others: 1, ..trial("all", 1, 1) };
        assert!(counted(&[trial("a", 1, 1), all()], &methods).is_ok());
        assert!(
            counted(&[trial("a", 2, 0), all()], &methods).is_err(),
            "a method that is wrong counts as right"
        );
        assert!(counted(&[trial("a", 1, 1), Trial { others: 2, ..all() }], &methods).is_err(), "a wrong sum");
        assert!(
            counted(&[Trial { methods: 3, ..trial("a", 1, 1) }], &methods).is_err(),
            "a method without a verdict"
        );
        let mended = |right, wrong| Trial { contact: "mended".to_owned(), ..trial("a", right, wrong) };
        assert!(counted(&[mended(2, 0)], &methods).is_ok(), "both are right after mending");
        assert!(
            counted(&[mended(1, 1)], &methods).is_err(),
            "what it was at first contact counts after mending"
        );
    }

    #[test]
    fn what_the_rules_said_is_counted_from_the_methods() {
        let (trials, methods) = ([trial("a", 1, 1)], [judged("lmr", "right"), judged("see", "wrong")]);
        let said = |contact: &str, sure_right| Said {
            contact: contact.to_owned(),
            sure: 2,
            sure_right,
            likely: 0,
            likely_right: 0,
            now_sure: 0,
            now_sure_right: 0,
            now_likely: 2,
            now_likely_right: 1,
        };
        assert!(said_adds_up(&[said("first", 1), said("all", 1)], &trials, &methods).is_ok());
        assert!(said_adds_up(&[said("first", 2)], &trials, &methods).is_err(), "one of two is right");
        assert!(said_adds_up(&[said("first", 1), said("all", 2)], &trials, &methods).is_err(), "a wrong sum");
    }
}
