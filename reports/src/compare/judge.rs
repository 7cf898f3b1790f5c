//! What a comparison of two runs comes to: one line, a table of the tests and one of the duels.

use super::words::{change, could_have_shown, sides, told};
use crate::format::{p_words, ratio_within};
use crate::table::{Report, Section, Table};
use secateur_record::record::Record;
use secateur_stats::compare::{Comparison, Judged, Judgement, Match, What, judge, plain_ratio};
use secateur_stats::inference::{LEVEL, Shown};
use std::collections::BTreeSet;

/// What a comparison comes to.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// Everything, for people.
    pub report: Report,
    /// What it comes to in one line.
    pub line: String,
    /// The same as a value.
    pub comparison: Comparison,
    /// What the second side is shown to be worse in, in any duel.
    pub worse: BTreeSet<What>,
}

/// The report of a match, what it comes to in one line, and as a value.
#[must_use]
pub fn conclude(found: &Match<'_>) -> Conclusion {
    let judged = judge(found);
    let comparison = judged.comparison();
    let line = line(&judged, comparison);
    let mut report = Report::new(&format!("{} against {}", found.names[1], found.names[0]));
    report.notes.clone_from(&found.notes);
    let tests = judged.tests;
    let text =
        vec![format!("**{line}**"), format!("{tests} tests, corrected together (Holm), level {LEVEL}.")];
    let tables = vec![tests_table(&judged), duels_table(&judged.duels, found.same_machine)];
    report.sections.push(Section { title: "Verdict".to_owned(), text, tables });
    Conclusion { report, line, comparison, worse: judged.worse() }
}

fn line(judged: &Judgement<'_, '_>, comparison: Comparison) -> String {
    let mut said = Vec::new();
    for judged in &judged.duels {
        let [better, worse] =
            [Shown::Below, Shown::Above].map(|wanted| judged.shown(wanted).map(told).collect::<Vec<_>>());
        let what = match (better.is_empty(), worse.is_empty()) {
            (true, true) => continue,
            (false, true) => format!("better in {}", better.join(" and ")),
            (true, false) => format!("worse in {}", worse.join(" and ")),
            (false, false) => format!("better in {} for worse {}", better.join(" and "), worse.join(" and ")),
        };
        said.push(format!("{what} ({})", judged.duel.words()));
    }
    let said = said.join("; ");
    // The first word stands at the head of a sentence.
    let head = |words: &str| words[..1].to_uppercase() + &words[1..];
    match comparison {
        Comparison::Trade => format!("Trade: {said}."),
        Comparison::Better => format!("{}; nothing is shown to be worse.", head(&said)),
        Comparison::Worse => format!("{}; nothing is shown to be better.", head(&said)),
        Comparison::NotShown => not_shown(judged),
    }
}

/// More duels than this have their power in the table alone.
const TOLD: usize = 2;

fn not_shown(judged: &Judgement<'_, '_>) -> String {
    let (all, level) = (&judged.duels, judged.level());
    if all.iter().all(|judged| judged.duel.repeated() == judged.duel.pairs.len()) {
        return "Not shown to differ: every search came out the same, node for node.".to_owned();
    }
    if all.len() > TOLD {
        return "Not shown to differ; what could have been shown stands in the last column.".to_owned();
    }
    let each = all.iter().map(|judged| {
        let tested = judged.findings.iter().filter(|f| !f.p.is_nan());
        let could: Vec<String> =
            tested.map(|f| format!("{} {}", f.what.name(), could_have_shown(f, level))).collect();
        (!could.is_empty()).then(|| format!("{} ({})", could.join(", "), judged.duel.words()))
    });
    let each: Vec<String> = each.flatten().collect();
    format!("Not shown to differ. In 80 of 100 such samples this would have been shown: {}.", each.join("; "))
}

/// Every measure of every duel with its test.
fn tests_table(judged: &Judgement<'_, '_>) -> Table {
    let mut table = Table::new(&[
        "<what",
        "<measure",
        "first",
        "second",
        "change",
        "p (Holm)",
        "<second is",
        "could have shown (80 %)",
    ]);
    let level = judged.level();
    for judged in &judged.duels {
        for finding in &judged.findings {
            let [first, second] = sides(finding);
            let is = if finding.p.is_nan() {
                "not tested"
            } else {
                finding.worse().words("worse", "better", "not shown to differ")
            };
            table.push(vec![
                judged.duel.words(),
                finding.what.name().to_owned(),
                first,
                second,
                change(finding),
                p_words(Some(finding.p)),
                is.to_owned(),
                if finding.p.is_nan() { "-".to_owned() } else { could_have_shown(finding, level) },
            ]);
        }
    }
    table.notes.push(
        "Nodes and time: ratios of the second over the first side, geometric means, Student's test over source games. Depth: \
         plies, of the positions that neither side settled. Moves and values: positions that agree with the side's own \
         baseline, won / lost by the second, McNemar's test; so solved. dv (mean abs. difference from the baseline's value) and \
         regret: means, sign-flip test. Not tested: the sides do not differ at any position, or there are too few."
            .to_owned(),
    );
    table
}

/// What was paired, and what is shown without being judged.
fn duels_table(all: &[Judged<'_, '_>], same_machine: bool) -> Table {
    let mut table = Table::new(&[
        "<what",
        "positions",
        "left out",
        "same search",
        "instructions (ratio)",
        "time (ratio)",
    ]);
    for Judged { duel, .. } in all {
        let compared = |field: fn(&Record) -> Option<u64>| {
            let found = plain_ratio(duel, field).filter(|_| same_machine);
            found.map_or("-".to_owned(), |i| ratio_within(&i))
        };
        table.push(vec![
            duel.words(),
            duel.pairs.len().to_string(),
            duel.left_out.to_string(),
            duel.repeated().to_string(),
            compared(|row| row.instructions),
            compared(|row| Some(row.time_ns)),
        ]);
    }
    table
}
