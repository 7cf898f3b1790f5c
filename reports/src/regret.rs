//! Oracle regret: what the moves of each method set lose by the judgement of a deeper, or exact, full-width search.
//!
//! Same move counts every other move alike; regret says what it costs, and calls two moves of equal worth equal. It has a
//! long tail, so the mean stands beside the median, the 95th percentile and the share of blunders.

use crate::chart::regret as picture;
use crate::figure::{Figure, csv, ends};
use crate::format::{ratio_within, share_within};
use crate::interval::{Interval, mean_loss, wilson};
use crate::metrics::compare;
use crate::pair::Group;
use crate::stats::{Shown, Test, holm, p_words, shown, sign_flip};
use crate::table::{Section, Table};
use secateur_record::games;

/// Title of the section.
pub const TITLE: &str = "What do changed moves cost?";
/// A move that loses more than this, a disc or a pawn, is a blunder.
const BLUNDER: i32 = 100;

/// The regret of one method set in one group, in the unit of scores.
#[derive(Clone, Debug)]
pub struct Regret {
    /// Mean with its interval over source games, where there is one.
    pub mean: Interval,
    /// Mean less that of the baseline.
    pub excess: f64,
    /// p-value of the excess being 0, by the sign-flip test over source games; not corrected.
    pub p: f64,
    /// Median.
    pub median: i32,
    /// 95th percentile.
    pub tail: i32,
    /// Share of positions on which more than a disc or a pawn is lost.
    pub blunders: Option<Interval>,
}

/// The regret of method set `method` (an index) over the blocks of a group; `None` if a position has none, or there are
/// no positions.
#[must_use]
pub fn regret(group: &Group<'_>, method: usize) -> Option<Regret> {
    let at = |index: usize| group.blocks[index].rows[method].regret;
    let mut sorted: Vec<i32> = (0..group.blocks.len()).map(at).collect::<Option<_>>()?;
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let total = |items: &[usize], method: usize| -> Option<f64> {
        items.iter().map(|&i| group.blocks[i].rows[method].regret.map(f64::from)).sum()
    };
    let clusters = group.clusters(None);
    let own = clusters.iter().map(|items| Some([total(items, method)?, items.len() as f64]));
    let mean = mean_loss(&own.collect::<Option<Vec<_>>>()?);
    let more = clusters.iter().map(|items| Some(total(items, method)? - total(items, 0)?));
    let more = more.collect::<Option<Vec<f64>>>()?;
    let (excess, p) = (more.iter().sum::<f64>() / sorted.len() as f64, sign_flip(&more));
    let quantile = |q: f64| sorted[(q * last as f64).round() as usize];
    let blunders = wilson(sorted.iter().filter(|regret| **regret > BLUNDER).count(), sorted.len());
    Some(Regret { mean, excess, p, median: quantile(0.5), tail: quantile(0.95), blunders })
}

/// The method sets of a group with their regrets; none unless all of them have one.
fn all<'a>(group: &Group<'a>) -> Option<Vec<(&'a str, Regret)>> {
    let of = |(index, methods): (usize, &&'a str)| Some((*methods, regret(group, index)?));
    group.methods.iter().enumerate().map(of).collect()
}

/// The section of all groups that an oracle judged; none without one.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let mut section = Section { title: TITLE.to_owned(), ..Section::default() };
    let judged: Vec<_> = groups.iter().filter_map(|group| Some((group, all(group)?))).collect();
    let p_values: Vec<f64> =
        judged.iter().flat_map(|(_, found)| found.iter().skip(1).map(|f| f.1.p)).collect();
    let mut corrected = holm(&p_values).into_iter();
    for (group, found) in &judged {
        let tests = found.iter().skip(1).map(|(methods, regret)| {
            let p = corrected.next().unwrap_or(f64::NAN);
            (*methods, p, shown(Test { effect: regret.excess, p }))
        });
        let tests: Vec<(&str, f64, Shown)> = tests.collect();
        section.text.extend((!tests.is_empty()).then(|| words(group, &tests, p_values.len())));
        let mut table = Table::new(&[
            "<methods",
            "mean regret",
            "more than none",
            "p (Holm)",
            "median",
            "95th percentile",
            "more than 1.00",
            "speed-up",
        ]);
        table.columns[0].0 = format!("{}: methods", group.heading());
        for (index, (methods, regret)) in found.iter().enumerate() {
            let speedup = match index {
                0 => "-".to_owned(),
                _ => ratio_within(&compare(group, index, None).speedup_geometric),
            };
            table.push(vec![
                (*methods).to_owned(),
                ratio_within(&regret.mean),
                if index == 0 { "-".to_owned() } else { format!("{:+.2}", regret.excess + 0.0) },
                p_words(index.checked_sub(1).map(|test| tests[test].1)),
                regret.median.to_string(),
                regret.tail.to_string(),
                share_within(regret.blunders),
                if group.is_fixed_depth() { speedup } else { "-".to_owned() },
            ]);
        }
        table.notes.push(format!(
            "Regret: the oracle's value of its own move less its value of the move chosen, in {}, by an \
             oracle that is the same for all; the baseline has regret too, because the oracle sees further. The mean has a 95 % \
             interval over source games where 30 or more, and 10 with a loss, allow one. p: sign-flip test against the \
             baseline, corrected for all tests of this section.",
            games::words(|game| &game.score).join(" or ")
        ));
        section.tables.push(table);
    }
    (!section.tables.is_empty()).then_some(section)
}

/// Which method sets are shown to lose more, or less, than the baseline.
fn words(group: &Group<'_>, tests: &[(&str, f64, Shown)], all: usize) -> String {
    let of = |wanted: Shown| {
        let names: Vec<&str> = tests.iter().filter(|test| test.2 == wanted).map(|test| test.0).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    format!(
        "**{}**: shown to lose more than {} (sign-flip test, Holm over {all} tests): {}; shown to lose less: {}; not shown \
         to differ: {}.",
        group.heading(),
        group.methods[0],
        of(Shown::Above),
        of(Shown::Below),
        of(Shown::No)
    )
}

/// The picture of one fixed-depth group: speed-up against mean regret.
#[must_use]
pub fn figure(group: &Group<'_>) -> Option<Figure> {
    let found = all(group).filter(|found| found.len() > 1 && group.is_fixed_depth())?;
    let points: Vec<picture::Point<'_>> = found
        .iter()
        .enumerate()
        .skip(1)
        .map(|(index, (methods, regret))| picture::Point {
            methods,
            speedup: compare(group, index, None).speedup_geometric,
            regret: regret.mean,
        })
        .collect();
    let rows = points.iter().map(|point| {
        let ([a, b, c], [d, e, f]) = (ends(&point.speedup), ends(&point.regret));
        [point.methods.to_owned(), a, b, c, d, e, f]
    });
    let heading = group.heading();
    Some(Figure {
        section: TITLE.to_owned(),
        caption: "What is saved against what the moves lose, with 95 % intervals; lower right is better."
            .to_owned(),
        csv: csv(["methods", "speedup", "low", "high", "regret", "regret_low", "regret_high"], rows),
        svg: picture::draw(&heading, found[0].1.mean.estimate, &points),
        file: format!("regret-{}-{}.csv", group.game, group.budget),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::groups;
    use crate::pair::tests::row;
    use secateur_record::record::Record;

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
        let found = regret(&groups[0], 1).unwrap();
        assert!((found.mean.estimate - (4.0 * 500.0 + 36.0 * 10.0) / 40.0).abs() < 1e-9);
        assert!(found.mean.low < found.mean.estimate && found.mean.estimate < found.mean.high);
        assert_eq!((found.median, found.tail), (10, 500));
        assert_eq!(found.blunders.unwrap().estimate, 0.1);
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
        let found = regret(&groups[0], 1).unwrap();
        assert!(!found.mean.has_ends() && found.p == 1.0);
        assert!(section(&groups).unwrap().text[0].ends_with("not shown to differ: a<b."));
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
