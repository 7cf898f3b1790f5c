//! The section on oracle regret: a table of each group that an oracle judged, which losses are shown, and the picture.

use crate::chart::plot::short;
use crate::figure::Figure;
use crate::format::{
    fixed, in_units, only_if, p_words, ratio_within, share_within, signed_within, units, within,
};
use crate::svg::step;
use crate::table::{Section, Table};
use crate::trade_off::{Cost, Point, TradeOff};
use secateur_stats::group::Group;
use secateur_stats::inference::{Shown, Test, judged};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::against_baseline;
use secateur_stats::numbers;
use secateur_stats::regret::{Regret, regrets};

/// Title of the section.
pub const TITLE: &str = "What do changed moves cost?";
/// What the column of results says.
const THROWN: &str = "Result thrown away: positions on which the move chosen gives up a win, or a draw that another move keeps, by \
                      what the judge has proven: by exact values where the game has them, else by a win that its search found. \
                      There is no such column where no method set did so.";
/// Up to how many method sets that are not shown to differ are named.
const NAMED: usize = 4;
/// The section of all groups that an oracle judged; none without one.
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let mut section = Section { title: TITLE.to_owned(), ..Section::default() };
    let all: Vec<_> = groups.iter().filter_map(|group| Some((group, regrets(group)?))).collect();
    let others = all.iter().flat_map(|(_, regrets)| regrets.iter().skip(1));
    let family = judged(others.map(|(_, regret)| regret.excess.test()).collect());
    let mut corrected = family.iter().copied();
    for (group, regrets) in &all {
        let tests: Vec<(&str, Test)> =
            regrets.iter().skip(1).map(|(methods, _)| *methods).zip(corrected.by_ref()).collect();
        section.text.extend((!tests.is_empty()).then(|| sentence(group, &tests, family.len())));
        let methods_of = format!("<{}: methods", group.heading());
        let excess = format!("regret over {}", group.methods[0]);
        let mean = in_units(numbers::REGRET.name, group);
        let thrown = regrets.iter().any(|(_, regret)| regret.thrown.is_some());
        let (unit, hundredths) = (group.in_units(&Interval::none(1.0)).estimate, |x| fixed(Some(x)));
        let row = |(index, (methods, regret)): (usize, &(&str, Regret))| {
            let speedup = || ratio_within(&against_baseline(group, index, None).speedup_geometric);
            let over_baseline = || signed_within(&group.in_units(&regret.excess.within));
            let lost = [
                (methods_of.as_str(), (*methods).to_owned()),
                (mean.as_str(), within(&group.in_units(&regret.mean), hundredths)),
                (excess.as_str(), only_if(index > 0, over_baseline)),
                ("p (Holm)", p_words(index.checked_sub(1).map(|test| tests[test].1.p))),
                ("median", hundredths(unit * f64::from(regret.median))),
                ("95th percentile", hundredths(unit * f64::from(regret.tail))),
                ("more than 1.00", share_within(regret.blunders)),
            ];
            let thrown = thrown.then(|| ("result thrown away", share_within(regret.thrown)));
            let saved = (numbers::NODES_SAVED.name, only_if(index > 0 && group.is_fixed_depth(), speedup));
            lost.into_iter().chain(thrown).chain([saved]).collect::<Vec<_>>()
        };
        let mut table: Table = regrets.iter().enumerate().map(row).collect();
        if thrown {
            table.notes.push(THROWN.to_owned());
        }
        table.notes.push(format!(
            "Regret: the oracle's value of its own move less its value of the move chosen, in {}, by {}, \
             the same for all; the baseline has regret too, because the oracle sees further. The mean has a 95 % \
             interval over source games where 30 or more, and 10 with a loss, allow one. p: sign-flip test against the \
             baseline, corrected for all tests of this section.",
            units(group),
            if group.judge.is_empty() { "an oracle" } else { &group.judge }
        ));
        section.tables.push(table);
    }
    (!section.tables.is_empty()).then_some(section)
}

/// Which method sets are shown to lose more, or less, than the baseline.
fn sentence(group: &Group<'_>, tests: &[(&str, Test)], all: usize) -> String {
    let names_of = |wanted: Shown| {
        let names: Vec<&str> =
            tests.iter().filter(|test| test.1.shown() == wanted).map(|test| test.0).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let open = tests.iter().filter(|test| test.1.shown() == Shown::No).count();
    // A list of many names says less than their number; the table has every p.
    let open = if open > NAMED { format!("the other {open}") } else { names_of(Shown::No) };
    format!(
        "**{}**: shown to lose more than {} (sign-flip test, Holm over {all} tests): {}; shown to lose less: {}; not shown \
         to differ: {open}.",
        group.heading(),
        group.methods[0],
        names_of(Shown::Above),
        names_of(Shown::Below),
    )
}

/// The picture of one fixed-depth group: speed-up against mean regret.
pub fn figure(group: &Group<'_>) -> Option<Figure> {
    let regrets = regrets(group).filter(|regrets| regrets.len() > 1 && group.is_fixed_depth())?;
    let others = regrets.iter().enumerate().skip(1).map(|(index, (methods, regret))| {
        let saved = against_baseline(group, index, None).speedup_geometric;
        Point { methods, saved, cost: regret.mean }
    });
    let points: Vec<Point<'_>> = others.collect();
    let base = regrets[0].1.mean.estimate;
    let highest = points.iter().map(|point| point.cost.high).filter(|high| high.is_finite());
    let most = highest.fold(base.max(1.0), f64::max) * 1.05;
    let by = step(most, 5);
    let cost = Cost {
        names: ["mean regret", "regret"],
        least: 0.0,
        most,
        ticks: (0..=(most / by) as u32).map(|tick| f64::from(tick) * by).collect(),
        label: short,
        more_is_better: false,
    };
    let caption = "What is saved against what the moves lose, with 95 % intervals; lower right is better. On the dashed line no other method \
                   set saves more and loses less.";
    Some(TradeOff { group, points, cost, baseline: Some(base) }.figure(TITLE, caption, "regret"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;
    use secateur_stats::regret::regret;

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for i in 0..40 {
            let position = format!("p{i}");
            for (methods, nodes, regret) in [("none", 1000, 0), ("a<b", 100, if i < 4 { 500 } else { 10 })] {
                records.push(Record { regret: Some(regret), ..row(&position, "28", methods, nodes) });
            }
        }
        records
    }

    #[test]
    fn the_tail_is_told_from_the_mean() {
        let records = records();
        let groups = groups(&records);
        let regret = regret(&groups[0], 1).unwrap();
        assert!((regret.mean.estimate - (4.0 * 500.0 + 36.0 * 10.0) / 40.0).abs() < 1e-9);
        assert!(regret.mean.low < regret.mean.estimate && regret.mean.estimate < regret.mean.high);
        assert_eq!((regret.median, regret.tail), (10, 500));
        assert_eq!(regret.blunders.unwrap().estimate, 0.1);
        let section = section(&groups).unwrap();
        assert!(section.text[0].contains("lose more than none (sign-flip test, Holm over 1 tests): a<b;"));
        let table = &section.tables[0];
        assert!(table.rows[0][1].starts_with("0.00") && table.rows[1][6].starts_with("10 %"));
    }

    /// 935 centipawns at one position of forty, and nothing elsewhere.
    #[test]
    fn one_blunder_is_not_shown_to_be_a_loss() {
        let mut records = records();
        for (index, record) in records.iter_mut().enumerate() {
            record.regret = Some(if index == 1 { 935 } else { 0 });
        }
        let groups = groups(&records);
        let regret = regret(&groups[0], 1).unwrap();
        assert!(!regret.mean.has_ends() && regret.excess.p == 1.0);
        assert!(section(&groups).unwrap().text[0].ends_with("not shown to differ: a<b."));
    }

    #[test]
    fn many_sets_that_are_not_shown_to_differ_are_counted() {
        let all = ["none", "a", "b", "c", "d", "e"];
        let records_of = |position: usize| {
            let position = format!("p{position}");
            all.map(|methods| Record { regret: Some(0), ..row(&position, "28", methods, 100) })
        };
        let records: Vec<Record> = (0..40).flat_map(records_of).collect();
        let text = section(&groups(&records)).unwrap().text.remove(0);
        assert!(text.ends_with("not shown to differ: the other 5."), "{text}");
    }

    /// Two wins and a draw thrown away on forty positions, in a game whose scores are proven from a size on.
    #[test]
    fn results_thrown_away_are_counted_where_somebody_does_so() {
        let mut records = records();
        records.iter_mut().for_each(|record| record.game = "draughts".into());
        let text = |records: &[Record]| section(&groups(records)).unwrap().tables.remove(0);
        assert!(!text(&records).columns.iter().any(|column| column.0.contains("thrown")));
        for (index, regret) in [(1, 29_000), (3, 58_000), (5, 28_900), (7, 3_000)] {
            records[index].regret = Some(regret);
        }
        let grouped = groups(&records);
        assert_eq!(regret(&grouped[0], 0).unwrap().thrown.unwrap().estimate, 0.0);
        assert_eq!(regret(&grouped[0], 1).unwrap().thrown.unwrap().estimate, 3.0 / 40.0);
        let table = text(&records);
        assert_eq!(table.columns[7].0, "result thrown away");
        assert!(
            table.rows[0][7].starts_with("0 %") && table.rows[1][7].starts_with("8 %"),
            "{:?}",
            table.rows
        );
        // Discs have no such size.
        records.iter_mut().for_each(|record| record.game = "go".into());
        assert!(regret(&groups(&records)[0], 1).unwrap().thrown.is_none());
    }

    #[test]
    fn a_hole_means_no_table_rather_than_a_wrong_one() {
        let mut records = records();
        records[7].regret = None;
        assert!(section(&groups(&records)).is_none() && figure(&groups(&records)[0]).is_none());
    }

    #[test]
    fn the_picture_has_words_and_nothing_breaks_out() {
        let records = records();
        let figure = figure(&groups(&records)[0]).unwrap();
        assert!(figure.svg.contains("a&lt;b") && !figure.svg.contains("a<b") && !figure.svg.contains("NaN"));
        assert!(figure.svg.contains("<desc>") && figure.csv.lines().count() == 2);
    }
}
