//! The comparison: what was found against what must be and what was blessed, one row a question.

use super::{Found, Measured};
use crate::exact::{self, Baseline, TOLERANCE};
use secateur_core::prune::METHODS;
use secateur_suites::setups::arm::{name, split};

pub use secateur_record::gate::{Answer, Question};

/// Asks every question, in the order in which an answer explains the ones after it.
#[must_use]
pub fn judge(measured: &Measured, blessed: &Baseline) -> Vec<Question> {
    let mut checks = Vec::new();
    for (game, (positions, different)) in &measured.minimax {
        let found = listed(different, "all equal");
        checks.push(Question::new(
            "none = minimax",
            game,
            format!("{positions} positions"),
            found,
            different.is_empty(),
        ));
    }
    for found in &measured.found {
        let differs = &found.silent_differs;
        let expected = format!("{} searches alike", found.cells.len());
        checks.push(Question::new(
            "off = absent",
            &subject(found),
            expected,
            listed(differs, "alike"),
            differs.is_empty(),
        ));
    }
    checks.extend(firing(measured));
    checks.extend(measured.found.iter().map(sane));
    checks.extend(exact::judge(&measured.exact(), blessed, TOLERANCE, measured.uncounted.as_deref()));
    checks
}

fn subject(found: &Found) -> String {
    format!("{} {}", found.game, found.methods)
}

/// The first of what is wrong, with how many there are.
fn listed(wrong: &[String], fine: &str) -> String {
    match wrong {
        [] => fine.to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Every method that a method set names must cut somewhere in its game, unless the suite expects silence.
fn firing(measured: &Measured) -> Vec<Question> {
    let mut checks = Vec::new();
    for game in measured.minimax.keys() {
        for (index, method) in METHODS.iter().enumerate() {
            let arms = measured.found.iter().filter(|found| found.game == *game);
            let alone: Vec<&Found> = arms.filter(|found| names(&found.methods).eq([*method])).collect();
            let cuts: u64 = alone.iter().filter_map(|found| found.cuts.get(index)).sum();
            let silent = measured.silent.iter().any(|(of, name)| of == game && name == method);
            let expected = if silent { "may be silent" } else { "at least 1 cut" };
            let found = if alone.is_empty() { "not measured".to_owned() } else { format!("{cuts} cuts") };
            let subject = format!("{game} {method}");
            checks.push(Question::new("fires", &subject, expected.to_owned(), found, cuts > 0 || silent));
        }
    }
    checks
}

/// Names of the methods of a set, without what stands in brackets behind them.
fn names(methods: &str) -> impl Iterator<Item = &str> {
    split(methods, '+').into_iter().map(name)
}

fn sane(found: &Found) -> Question {
    let insane = found.cells.iter().filter(|cell| !cell.pv.starts_with("ok"));
    let insane: Vec<String> = insane.map(|cell| format!("{}: {}", cell.name, cell.pv)).collect();
    let expected = format!("{} lines sane", found.cells.len());
    Question::new("pv", &subject(found), expected, listed(&insane, "all sane"), insane.is_empty())
}
