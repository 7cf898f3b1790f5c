//! What the duels say: cost on one side, accuracy on the other; and one verdict.

use super::measure::{Finding, What, findings, plain_ratio};
use super::{Duel, Match};
use crate::format::ratio_within;
use crate::stats::{LEVEL, Shown, holm, p_words};
use crate::table::{Report, Section, Table};
use secateur_record::record::Record;
use std::collections::BTreeSet;

/// What all duels together say of the second side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Something is shown to be better and nothing worse.
    Better,
    /// Something is shown to be worse and nothing better.
    Worse,
    /// Something is shown to be better and something worse.
    Trade,
    /// Nothing is shown.
    NotShown,
}

/// What a comparison comes to.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Everything, for people.
    pub report: Report,
    /// The verdict in one line.
    pub line: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What the second side is shown to be worse in, in any duel.
    pub worse: BTreeSet<What>,
}

/// A duel with everything that was measured.
struct Judged<'m, 'a> {
    duel: &'m Duel<'a>,
    findings: Vec<Finding>,
}

impl Judged<'_, '_> {
    /// The findings in which the second side is shown to be worse (above) or better (below).
    fn shown(&self, wanted: Shown) -> Vec<String> {
        self.findings.iter().filter(|f| f.worse() == wanted).map(Finding::words).collect()
    }
}

/// The report of a match, its verdict in one line, and what it amounts to.
#[must_use]
pub fn judge(found: &Match<'_>) -> Judgement {
    let measure = |duel| Judged { duel, findings: findings(duel, found.same_run) };
    let mut all: Vec<Judged<'_, '_>> = found.duels.iter().map(measure).collect();
    let p_values: Vec<f64> = all.iter().flat_map(|judged| &judged.findings).map(|f| f.p).collect();
    let mut corrected = holm(&p_values).into_iter();
    for finding in all.iter_mut().flat_map(|judged| &mut judged.findings) {
        finding.p = corrected.next().unwrap_or(f64::NAN);
    }
    let tests = p_values.iter().filter(|p| !p.is_nan()).count();
    let level = LEVEL / tests.max(1) as f64;
    let (line, verdict) = verdict(&all, level);
    let mut report = Report::new(&format!("{} against {}", found.names[1], found.names[0]));
    report.notes.clone_from(&found.notes);
    let text =
        vec![format!("**{line}**"), format!("{tests} tests, corrected together (Holm), level {LEVEL}.")];
    let tables = vec![tests_table(&all, level), duels_table(&all, found.same_machine)];
    report.sections.push(Section { title: "Verdict".to_owned(), text, tables });
    let findings = all.iter().flat_map(|judged| &judged.findings);
    let worse = findings.filter(|f| f.worse() == Shown::Above).map(|f| f.what).collect();
    Judgement { report, line, verdict, worse }
}

fn verdict(all: &[Judged<'_, '_>], level: f64) -> (String, Verdict) {
    let mut said = Vec::new();
    let (mut any_better, mut any_worse) = (false, false);
    for judged in all {
        let [better, worse] = [Shown::Below, Shown::Above].map(|wanted| judged.shown(wanted));
        any_better |= !better.is_empty();
        any_worse |= !worse.is_empty();
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
    match (any_better, any_worse) {
        (true, true) => (format!("Trade: {said}."), Verdict::Trade),
        (true, false) => (format!("{}; nothing is shown to be worse.", head(&said)), Verdict::Better),
        (false, true) => (format!("{}; nothing is shown to be better.", head(&said)), Verdict::Worse),
        (false, false) => (not_shown(all, level), Verdict::NotShown),
    }
}

/// More duels than this have their power in the table alone.
const TOLD: usize = 2;

fn not_shown(all: &[Judged<'_, '_>], level: f64) -> String {
    if all.iter().all(|judged| repeated(judged.duel) == judged.duel.pairs.len()) {
        return "Not shown to differ: every search came out the same, node for node.".to_owned();
    }
    if all.len() > TOLD {
        return "Not shown to differ; what could have been shown stands in the last column.".to_owned();
    }
    let each = all.iter().map(|judged| {
        let tested = judged.findings.iter().filter(|f| !f.p.is_nan());
        let could: Vec<String> =
            tested.map(|f| format!("{} {}", f.what.name(), f.could_have_shown(level))).collect();
        (!could.is_empty()).then(|| format!("{} ({})", could.join(", "), judged.duel.words()))
    });
    let each: Vec<String> = each.flatten().collect();
    format!("Not shown to differ. In 80 of 100 such samples this would have been shown: {}.", each.join("; "))
}

/// Positions on which both sides made the same search.
fn repeated(duel: &Duel<'_>) -> usize {
    let of = |row: &Record| (row.nodes, row.depth, row.score, row.best_move.clone());
    duel.pairs.iter().filter(|pair| of(pair.rows[0]) == of(pair.rows[1])).count()
}

/// Every measure of every duel with its test.
fn tests_table(all: &[Judged<'_, '_>], level: f64) -> Table {
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
    for judged in all {
        for finding in &judged.findings {
            let [first, second] = finding.sides.clone();
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
                finding.change.clone(),
                p_words(Some(finding.p)),
                is.to_owned(),
                if finding.p.is_nan() { "-".to_owned() } else { finding.could_have_shown(level) },
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
            repeated(duel).to_string(),
            compared(|row| row.instructions),
            compared(|row| Some(row.time_ns)),
        ]);
    }
    table
}
