//! What the duels say: nodes or depth, accuracy, time; and one verdict.

use super::{Duel, Match, Pair};
use crate::format::{fixed, ratio, ratio_within};
use crate::interval::{Interval, bootstrap_totals};
use crate::metrics::same_move;
use crate::stats::{LEVEL, holm, mcnemar, p_words, paired};
use crate::table::{Report, Section, Table};
use secateur_suites::record::Record;

/// What all duels together say of the second side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Something is shown to be better and nothing worse.
    Better,
    /// Nothing is shown.
    NotShown,
    /// Something is shown to be worse.
    Worse,
}

/// One measure of one duel with its test. Effects above 0 are worse.
struct Finding {
    what: &'static str,
    effect: f64,
    p: f64,
}

/// A duel with everything that was measured.
struct Judged<'m, 'a> {
    duel: &'m Duel<'a>,
    /// Nodes at fixed depth (second over first), else depth (second less first).
    main: Interval,
    /// Positions on which only the first, and only the second, keeps its baseline's move.
    only: [u64; 2],
    /// Mean regret, second less first.
    regret: Option<Interval>,
    findings: Vec<Finding>,
}

/// The report of a match, its verdict in one line, and what it amounts to.
#[must_use]
pub fn judge(found: &Match<'_>) -> (Report, String, Verdict) {
    let mut all: Vec<Judged<'_, '_>> = found.duels.iter().map(measure).collect();
    let p_values: Vec<f64> = all.iter().flat_map(|judged| &judged.findings).map(|f| f.p).collect();
    let mut corrected = holm(&p_values).into_iter();
    for finding in all.iter_mut().flat_map(|judged| &mut judged.findings) {
        finding.p = corrected.next().unwrap_or(f64::NAN);
    }
    let (line, verdict) = verdict(&all);
    let mut report = Report::new(&format!("{} against {}", found.names[1], found.names[0]));
    report.notes.clone_from(&found.notes);
    let tests = p_values.iter().filter(|p| !p.is_nan()).count();
    let text =
        vec![format!("**{line}**"), format!("{tests} tests, corrected together (Holm), level {LEVEL}.")];
    let mut section = Section { title: "Verdict".to_owned(), text, tables: Vec::new() };
    for fixed_depth in [true, false] {
        let own: Vec<_> = all.iter().filter(|j| (j.duel.budget_kind == "depth") == fixed_depth).collect();
        if !own.is_empty() {
            section.tables.push(table(&own, fixed_depth, found.same_machine));
        }
    }
    report.sections.push(section);
    (report, line, verdict)
}

fn measure<'m, 'a>(duel: &'m Duel<'a>) -> Judged<'m, 'a> {
    let fixed_depth = duel.budget_kind == "depth";
    let nodes = |pair: &Pair<'_>| log_ratio(pair, |row| Some(row.nodes));
    let depth = |pair: &Pair<'_>| Some(f64::from(pair.rows[0].depth) - f64::from(pair.rows[1].depth));
    let (what, (mut main, p)) =
        if fixed_depth { ("nodes", of(duel, nodes)) } else { ("depth", of(duel, depth)) };
    let mut findings = vec![Finding { what, effect: main.estimate, p }];
    main = if fixed_depth {
        main.exp()
    } else {
        Interval { estimate: -main.estimate, low: -main.high, high: -main.low }
    };
    let mut only = [0, 0];
    for pair in &duel.pairs {
        let kept = [0, 1].map(|side| pair.bases[side].map(|base| same_move(base, pair.rows[side])));
        if let [Some(first), Some(second)] = kept {
            only[0] += u64::from(first && !second);
            only[1] += u64::from(second && !first);
        }
    }
    // At equal cost a deeper search may rightly choose another move.
    if fixed_depth && only != [0, 0] {
        let effect = only[0] as f64 - only[1] as f64;
        findings.push(Finding { what: "moves kept", effect, p: mcnemar(only[0], only[1]) });
    }
    let has_regret = duel.pairs.iter().all(|pair| pair.rows.iter().all(|row| row.regret.is_some()));
    let regret = has_regret.then(|| {
        let loss = |pair: &Pair<'_>| Some(f64::from(pair.rows[1].regret? - pair.rows[0].regret?));
        let (interval, p) = of(duel, loss);
        findings.push(Finding { what: "regret", effect: interval.estimate, p });
        interval
    });
    Judged { duel, main, only, regret, findings }
}

/// ln(second / first) of a count.
fn log_ratio(pair: &Pair<'_>, field: impl Fn(&Record) -> Option<u64>) -> Option<f64> {
    let [first, second] = pair.rows;
    Some((field(second)?.max(1) as f64 / field(first)?.max(1) as f64).ln())
}

/// Mean of a difference over positions with its interval, and the p-value that it is 0.
fn of(duel: &Duel<'_>, difference: impl Fn(&Pair<'_>) -> Option<f64>) -> (Interval, f64) {
    let clusters: Vec<Vec<f64>> =
        duel.clusters().iter().map(|pairs| pairs.iter().filter_map(&difference).collect()).collect();
    let totals: Vec<Vec<f64>> =
        clusters.iter().map(|values| vec![values.iter().sum(), values.len() as f64]).collect();
    let mean = bootstrap_totals(&totals, |sums| vec![sums[0] / sums[1]]);
    let none = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    (mean.first().copied().unwrap_or(none), paired(&clusters).unwrap_or(f64::NAN))
}

fn verdict(all: &[Judged<'_, '_>]) -> (String, Verdict) {
    let shown = |worse: bool| {
        let mut words = Vec::new();
        for judged in all {
            let found = judged.findings.iter().filter(|f| f.p <= LEVEL && (f.effect > 0.0) == worse);
            let what: Vec<&str> = found.map(|f| f.what).collect();
            if !what.is_empty() {
                words.push(format!("{} ({})", what.join(" and "), judged.duel.words()));
            }
        }
        words
    };
    let (worse, better) = (shown(true), shown(false));
    if !worse.is_empty() {
        let but =
            if better.is_empty() { String::new() } else { format!("; better in {}", better.join(", ")) };
        return (format!("Worse in {}{but}.", worse.join(", ")), Verdict::Worse);
    }
    if !better.is_empty() {
        return (format!("Better in {}; nothing is shown to be worse.", better.join(", ")), Verdict::Better);
    }
    let line = if all.iter().all(|judged| repeated(judged.duel) == judged.duel.pairs.len()) {
        "Not shown to differ: every search came out the same, node for node."
    } else {
        "Not shown to differ."
    };
    (line.to_owned(), Verdict::NotShown)
}

/// Positions on which both sides made the same search.
fn repeated(duel: &Duel<'_>) -> usize {
    let of = |row: &Record| (row.nodes, row.depth, row.score, row.best_move.clone());
    duel.pairs.iter().filter(|pair| of(pair.rows[0]) == of(pair.rows[1])).count()
}

fn table(all: &[&Judged<'_, '_>], fixed_depth: bool, same_machine: bool) -> Table {
    let main = if fixed_depth { "nodes (ratio)" } else { "depth (difference)" };
    let mut table = Table::new(&[
        "<what",
        "positions",
        "left out",
        "same search",
        main,
        "p",
        "move kept: only first",
        "only second",
        "p",
        "regret (difference)",
        "instructions (ratio)",
        "time (ratio)",
        "<second is",
    ]);
    for judged in all {
        let duel = judged.duel;
        let p = |what: &str| p_words(judged.findings.iter().find(|f| f.what == what).map(|f| f.p));
        let compared = |field: fn(&Record) -> Option<u64>| {
            let mean = of(duel, |pair| log_ratio(pair, field)).0.estimate.exp();
            let whole = duel.pairs.iter().all(|pair| pair.rows.iter().all(|row| field(row).is_some()));
            if same_machine && whole { ratio(mean) } else { "-".to_owned() }
        };
        table.push(vec![
            duel.words(),
            duel.pairs.len().to_string(),
            duel.left_out.to_string(),
            repeated(duel).to_string(),
            if fixed_depth { ratio_within(&judged.main) } else { plies(&judged.main) },
            p(if fixed_depth { "nodes" } else { "depth" }),
            judged.only[0].to_string(),
            judged.only[1].to_string(),
            p("moves kept"),
            judged.regret.map_or("-".to_owned(), |i| plies(&i)),
            compared(|row| row.instructions),
            compared(|row| Some(row.time_ns)),
            one(judged),
        ]);
    }
    table.notes.push(
        "Ratios are of the second over the first side, geometric means over the positions that both finished, with 95 % \
         bootstrap intervals over source games. A move is kept if it is that of the side's own baseline."
            .to_owned(),
    );
    table
}

fn plies(i: &Interval) -> String {
    if i.estimate.is_finite() {
        format!("{:+.2} [{}, {}]", i.estimate, fixed(Some(i.low)), fixed(Some(i.high)))
    } else {
        "-".to_owned()
    }
}

/// The last column: the verdict on one duel.
fn one(judged: &Judged<'_, '_>) -> String {
    let say = |worse: bool, word: &str| {
        let found = judged.findings.iter().filter(|f| f.p <= LEVEL && (f.effect > 0.0) == worse);
        let what: Vec<&str> = found.map(|f| f.what).collect();
        (!what.is_empty()).then(|| format!("{word}: {}", what.join(", ")))
    };
    let words: Vec<String> = [say(true, "worse"), say(false, "better")].into_iter().flatten().collect();
    if words.is_empty() { "not shown to differ".to_owned() } else { words.join("; ") }
}
