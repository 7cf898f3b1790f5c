//! Two runs, or two method sets, side by side: the form of what [`secateur_stats::compare`] found.
//! What it comes to is one line, a table of the tests and one of the duels.

use crate::format::{
    count, fixed, only_if, or_dash, p_words, plural, ratio, ratio_within, rounded, signed_within, within,
};
use crate::table::{Report, Section, Table};
use secateur_stats::compare::{Comparison, Finding, SideBySide, Weighed, WeighedDuel, Whole, weigh};
use secateur_stats::contrast::Mean;
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
    pub worse: BTreeSet<&'static str>,
}

/// The report on two sides, what it comes to in one line, and as a value.
pub fn conclude(sides: &SideBySide<'_>) -> Conclusion {
    concluded(sides.names, &sides.notes, &weigh(sides))
}

/// The same of a comparison whose rows are gone.
pub fn conclude_whole(names: [&str; 2], whole: &Whole) -> Conclusion {
    concluded(names, &whole.notes, &whole.weighed)
}

fn concluded(names: [&str; 2], notes: &[String], weighed: &Weighed) -> Conclusion {
    let comparison = weighed.comparison();
    let line = line(weighed, comparison);
    let mut report = Report::new(&format!("{} against {}", names[1], names[0]));
    report.notes.extend_from_slice(notes);
    let tests = weighed.tests;
    let text =
        vec![format!("**{line}**"), format!("{tests} tests, corrected together (Holm), level {LEVEL}.")];
    let tables = vec![tests_table(weighed), duels_table(&weighed.duels)];
    report.sections.push(Section { title: "Verdict".to_owned(), text, tables });
    Conclusion { report, line, comparison, worse: weighed.worse() }
}

fn line(weighed: &Weighed, comparison: Comparison) -> String {
    let mut differences = Vec::new();
    for weighed in &weighed.duels {
        let [better, worse] = [Shown::Below, Shown::Above]
            .map(|wanted| weighed.shown(wanted).map(in_words).collect::<Vec<_>>());
        let what = match (better.is_empty(), worse.is_empty()) {
            (true, true) => continue,
            (false, true) => format!("better in {}", better.join(" and ")),
            (true, false) => format!("worse in {}", worse.join(" and ")),
            (false, false) => format!("better in {} for worse {}", better.join(" and "), worse.join(" and ")),
        };
        differences.push(format!("{what} ({})", weighed.label));
    }
    let differences = differences.join("; ");
    // The first word stands at the head of a sentence.
    let head = |text: &str| text[..1].to_uppercase() + &text[1..];
    match comparison {
        Comparison::Trade => format!("Trade: {differences}."),
        Comparison::Better => format!("{}; nothing is shown to be worse.", head(&differences)),
        Comparison::Worse => format!("{}; nothing is shown to be better.", head(&differences)),
        Comparison::NotShown => not_shown(weighed),
    }
}

/// More duels than this have their power in the table alone.
const TOLD: usize = 2;

fn not_shown(weighed: &Weighed) -> String {
    let (all, level) = (&weighed.duels, weighed.level());
    if all.iter().all(|weighed| weighed.repeated == weighed.positions) {
        return "Not shown to differ: every search came out the same, node for node.".to_owned();
    }
    if all.len() > TOLD {
        return "Not shown to differ; the last column has what could have been shown.".to_owned();
    }
    let each = all.iter().map(|weighed| {
        let tested = weighed.findings.iter().filter(|f| !f.estimate.p.is_nan());
        let could: Vec<String> =
            tested.map(|f| format!("{} {}", f.measure.name, could_have_shown(f, level))).collect();
        (!could.is_empty()).then(|| format!("{} ({})", could.join(", "), weighed.label))
    });
    let each: Vec<String> = each.flatten().collect();
    format!("Not shown to differ. In 80 of 100 such samples this would have been shown: {}.", each.join("; "))
}

/// Every measure of every duel with its test.
fn tests_table(weighed: &Weighed) -> Table {
    let mut table = Table::default();
    let level = weighed.level();
    for weighed in &weighed.duels {
        for finding in &weighed.findings {
            let [first, second] = sides(finding);
            let is_tested = !finding.estimate.p.is_nan();
            let shown = finding.worse().choose("worse", "better", "not shown to differ");
            table.row([
                ("<what", weighed.label.clone()),
                ("<measure", finding.measure.name.to_owned()),
                ("first", first),
                ("second", second),
                ("change", change(finding)),
                ("p (Holm)", p_words(Some(finding.estimate.p))),
                ("<second is", if is_tested { shown } else { "not tested" }.to_owned()),
                ("could have shown (80 %)", only_if(is_tested, || could_have_shown(finding, level))),
            ]);
        }
    }
    table.notes.push(
        "Nodes and time: ratios of the second over the first side, geometric means, Student's test over source games. Depth: \
         fractional plies, of the positions that neither side finished. Moves and values: positions that agree with the side's own \
         baseline, won / lost by the second, McNemar's test; so solved. dv (mean distance from the baseline's value, without positions at which a value is proven) and \
         regret: means, sign-flip test. Not tested: the sides do not differ at any position, or there are too few."
            .to_owned(),
    );
    let open: Vec<String> = (weighed.duels.iter().filter(|duel| duel.undecided > 0))
        .map(|duel| format!("{} ({})", plural(duel.undecided, "position"), duel.label))
        .collect();
    if !open.is_empty() {
        table.notes.push(format!(
            "Left out of `moves`, because no search decided whether another move is as good: {}.",
            open.join(", ")
        ));
    }
    table
}

/// What was paired, and what is shown without being tested.
fn duels_table(all: &[WeighedDuel]) -> Table {
    let row = |duel: &WeighedDuel| {
        let compared = |ratio: &Option<_>| or_dash(ratio.as_ref().map(ratio_within));
        [
            ("<what", duel.label.clone()),
            ("positions", duel.positions.to_string()),
            ("left out", duel.left_out.to_string()),
            ("same search", duel.repeated.to_string()),
            ("instructions (ratio)", compared(&duel.instructions)),
            (
                "time (ratio)",
                duel.untimed.map_or_else(|| compared(&duel.times), |untimed| untimed.to_string()),
            ),
        ]
    };
    all.iter().map(row).collect()
}

/// What was measured on the first and the second side.
fn sides(finding: &Finding) -> [String; 2] {
    finding.sides.map(|x| match finding.measure.mean {
        Mean::Geometric if finding.measure.is_timed() => format!("{:.2} ms", x / 1e6),
        Mean::Geometric => rounded(x),
        Mean::Share => count(x as u64),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", fixed(Some(x)), finding.units),
    })
}

/// The change from the first to the second side.
fn change(finding: &Finding) -> String {
    let change = &finding.estimate.within;
    match finding.measure.mean {
        Mean::Geometric => format!("x {}", ratio_within(change)),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", signed_within(change), finding.units),
        Mean::Share => {
            let [won, lost] = finding.estimate.only;
            let percent = |x: f64| format!("{:+.0}", 100.0 * x + 0.0);
            format!("+{won} / -{lost}: {} points", within(change, percent))
        }
    }
}

/// `values 60 -> 49 of 60`: a finding within a sentence.
fn in_words(finding: &Finding) -> String {
    let name = finding.measure.name;
    let [first, second] = sides(finding);
    match finding.measure.mean {
        Mean::Share => format!("{name} {first} -> {second} of {}", finding.estimate.n),
        Mean::Geometric | Mean::Arithmetic => format!("{name} {}", change(finding)),
        Mean::Losses => format!("{name} {first} -> {second}"),
    }
}

/// The difference that tests at `level` would have shown in 80 of 100 such samples.
fn could_have_shown(finding: &Finding, level: f64) -> String {
    let least = finding.estimate.detectable(level);
    match finding.measure.mean {
        Mean::Geometric => format!("x {}", least.map_or("-".to_owned(), ratio)),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", fixed(least), finding.units),
        Mean::Share => {
            least.map_or("nothing".to_owned(), |k| format!("{k:.0} of {} one way", finding.estimate.n))
        }
    }
}

#[cfg(test)]
mod tests;
