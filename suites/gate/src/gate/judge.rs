//! The comparison: what was found against what must be and what was blessed, one row a question.

use super::baseline::{Baseline, Blessed, Compiler};
use super::{Found, Measured, TOLERANCE};
use secateur_core::prune::METHODS;
use secateur_suites::setups::arm::{name, split};

pub use secateur_record::gate::{Answer, Question};

/// Asks every question, in the order in which an answer explains the ones after it.
#[must_use]
pub fn judge(measured: &Measured, baseline: &Baseline, compiler: &Compiler) -> Vec<Question> {
    let mut checks = signatures(measured, baseline);
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
    checks.extend(instructions(measured, baseline, compiler));
    checks.extend(accuracy(measured, baseline));
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

fn signatures(measured: &Measured, baseline: &Baseline) -> Vec<Question> {
    let words = |arm: &Blessed| format!("{} nodes, {}", arm.nodes, arm.signature);
    let arms = measured.arms();
    let mut checks = Vec::new();
    for (game, arms) in &arms {
        for (methods, arm) in arms {
            let subject = format!("{game} {methods}");
            let blessed = baseline.arms.get(game).and_then(|arms| arms.get(methods));
            let same = blessed.is_some_and(|old| (old.nodes, &old.signature) == (arm.nodes, &arm.signature));
            let expected = blessed.map_or("not in the baseline".to_owned(), words);
            let mut check = Question::new("signature", &subject, expected, words(arm), same);
            if blessed.is_none() {
                check.verdict = Answer::NotInBaseline;
            }
            checks.push(check);
        }
    }
    for (game, old) in &baseline.arms {
        let gone =
            old.iter().filter(|(methods, _)| !arms.get(game).is_some_and(|now| now.contains_key(*methods)));
        for (methods, arm) in gone {
            let subject = format!("{game} {methods}");
            checks.push(Question::new("signature", &subject, words(arm), "not measured".to_owned(), false));
        }
    }
    checks
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

fn instructions(measured: &Measured, baseline: &Baseline, compiler: &Compiler) -> Vec<Question> {
    let one = |expected: &str, found: String, verdict| {
        let (subject, expected) = ("all".to_owned(), expected.to_owned());
        vec![Question { what: "instructions", subject, expected, found, verdict }]
    };
    let Some(counts) = &measured.instructions else {
        let reason = measured.uncounted.clone().unwrap_or_default();
        return one("counts", format!("not counted: {reason}"), Answer::Skipped);
    };
    if baseline.instructions.is_empty() {
        return one("not in the baseline", "counted".to_owned(), Answer::NotInBaseline);
    }
    let Some(blessed) = baseline.counts(compiler) else {
        let known: Vec<String> =
            baseline.instructions.iter().map(|counts| counts.compiler.to_string()).collect();
        let found =
            format!("{compiler}: the baseline has no counts of this compiler, so nothing was compared");
        return one(&known.join(" or "), found, Answer::NotInBaseline);
    };
    let mut checks = Vec::new();
    for (game, arms) in counts {
        for (methods, &count) in arms {
            let old = blessed.count.get(game).and_then(|arms| arms.get(methods)).copied();
            let change = old.map(|old| count as f64 / old as f64 - 1.0);
            let found = match change {
                Some(change) => format!("{count} ({:+.3} %)", 100.0 * change),
                None => count.to_string(),
            };
            let within = change.is_some_and(|change| change.abs() <= TOLERANCE);
            let expected = old.map_or("not in the baseline".to_owned(), |old| format!("{old} within 0.5 %"));
            let mut check =
                Question::new("instructions", &format!("{game} {methods}"), expected, found, within);
            if old.is_none() {
                check.verdict = Answer::NotInBaseline;
            }
            checks.push(check);
        }
    }
    checks
}

/// Same move, same value and error against `none`: no worse than blessed.
fn accuracy(measured: &Measured, baseline: &Baseline) -> Vec<Question> {
    let words = |arm: &Blessed| {
        let of = arm.searches;
        format!("move {}/{of}, value {}/{of}, error {}", arm.same_move, arm.same_value, arm.error)
    };
    let mut checks = Vec::new();
    for (game, arms) in measured.arms() {
        for (methods, arm) in arms.iter().filter(|(methods, _)| *methods != "none") {
            let Some(old) = baseline.arms.get(&game).and_then(|arms| arms.get(methods)) else { continue };
            let fine = arm.searches == old.searches
                && arm.same_move >= old.same_move
                && arm.same_value >= old.same_value
                && arm.error <= old.error;
            let expected = format!("no worse than {}", words(old));
            checks.push(Question::new("accuracy", &format!("{game} {methods}"), expected, words(arm), fine));
        }
    }
    checks
}
