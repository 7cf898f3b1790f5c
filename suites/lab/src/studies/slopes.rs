//! How what methods do changes with depth, time or releases: the slopes of all arms of some runs, corrected together.

use secateur_record::manifest::ProgramEntry;
use secateur_record::record::BudgetKind;
use secateur_reports::chart::{self, DEPTHS, by_depth};
use secateur_reports::format::{or_dash, p_words, to_four, within};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::{Followed, LEFT_OUT, Slope, along, along_releases, slopes};
use secateur_stats::inference::{LEVEL, correct};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::iterations;
use secateur_stats::runs::Runs;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::collections::{BTreeMap, BTreeSet};

/// A slope as it is kept and told; p-values are corrected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    game: String,
    /// The program, if it is another than this.
    #[serde(default)]
    program: String,
    method: String,
    from: u32,
    to: u32,
    positions: usize,
    slope: f64,
    slope_low: Option<f64>,
    slope_high: Option<f64>,
    slope_p: f64,
    first: f64,
    first_low: Option<f64>,
    first_high: Option<f64>,
    first_p: f64,
    last: f64,
    last_low: Option<f64>,
    last_high: Option<f64>,
    last_p: f64,
}

/// The slopes of every run, corrected for all of them together: of nodes, of the deepest fixed-depth groups from half their depth
/// on; of what else is followed, over all budgets of a game, or over the releases of a program.
pub fn rows(runs: &[Runs], followed: Followed) -> Vec<Row> {
    let of_run = |runs: &Runs| -> Vec<(String, Slope)> {
        if followed != Followed::Nodes {
            return over_budgets(runs, followed);
        }
        let groups: Vec<Group<'_>> = groups_of(runs).into_iter().filter(Group::is_fixed_depth).collect();
        let cells = iterations(&runs.iterations);
        let is_deepest = |group: &&Group<'_>| {
            !groups.iter().any(|other| other.game == group.game && other.budget > group.budget)
        };
        let deepest = groups.iter().filter(is_deepest);
        let of_group = |group: &Group<'_>| {
            let program = runs.program(group.game).map_or_else(String::new, |program| program.name.clone());
            slopes(group, &cells, group.budget as u32 / 2)
                .into_iter()
                .map(move |slope| (program.clone(), slope))
        };
        deepest.flat_map(of_group).collect()
    };
    corrected(match followed {
        Followed::Releases => over_releases(runs),
        _ => runs.iter().flat_map(of_run).collect(),
    })
}

/// Slopes with the programs that they are of, corrected for all of them together.
pub fn corrected(mut all: Vec<(String, Slope)>) -> Vec<Row> {
    let tests = all.iter_mut().flat_map(|(_, line)| [&mut line.slope, &mut line.first, &mut line.last]);
    correct(tests.map(|test| &mut test.p));
    all.into_iter().map(|(program, slope)| Row { program, ..row(slope) }).collect()
}

/// The fixed-depth groups of some runs with their programs and releases, in this order; without those of other programs.
pub(crate) fn in_order<'a>(
    groups: &'a [(&'a Runs, Vec<Group<'a>>)],
) -> Vec<(&'a str, u32, &'a ProgramEntry, &'a Group<'a>)> {
    let of_run = |(runs, groups): &'a (&'a Runs, Vec<Group<'a>>)| {
        let group = groups.iter().find(|group| group.is_fixed_depth())?;
        let entry = runs.program(group.game)?;
        let (name, release) = entry.name.rsplit_once('-')?;
        Some((name, release.parse().ok()?, entry, group))
    };
    let mut releases: Vec<_> = groups.iter().filter_map(of_run).collect();
    releases.sort_by_key(|(name, release, ..)| (*name, *release));
    releases
}

pub(crate) fn grouped(runs: &[Runs]) -> Vec<(&Runs, Vec<Group<'_>>)> {
    runs.iter().map(|runs| (runs, groups_of(runs))).collect()
}

/// How what the methods of each program save changes from release to release.
fn over_releases(runs: &[Runs]) -> Vec<(String, Slope)> {
    let groups = grouped(runs);
    let mut programs = BTreeMap::<&str, Vec<(u32, &Group<'_>)>>::new();
    for (program, release, _, group) in in_order(&groups) {
        programs.entry(program).or_default().push((release, group));
    }
    let of_program = |(program, releases): (&str, Vec<(u32, &Group<'_>)>)| {
        along_releases(&releases).into_iter().map(|slope| (program.to_owned(), slope)).collect::<Vec<_>>()
    };
    programs.into_iter().flat_map(of_program).collect()
}

/// The slopes of each game along its budgets, and the program that searched it if it is another.
fn over_budgets(runs: &Runs, followed: Followed) -> Vec<(String, Slope)> {
    let wanted = if followed == Followed::Depth { BudgetKind::Time } else { BudgetKind::Depth };
    let mut groups: Vec<Group<'_>> =
        groups_of(runs).into_iter().filter(|group| group.budget_kind == wanted).collect();
    groups.sort_by_key(|group| group.budget);
    let cells = iterations(&runs.iterations);
    let games: BTreeSet<&str> = groups.iter().map(|group| group.game).collect();
    let of_game = |game: &str| {
        let matching: Vec<&Group<'_>> = groups.iter().filter(|group| group.game == game).collect();
        let program = runs.program(game).map_or_else(String::new, |program| program.name.clone());
        along(&matching, followed, &cells).into_iter().map(move |slope| (program.clone(), slope))
    };
    games.into_iter().flat_map(of_game).collect()
}

/// The ends of an interval as they are kept, if it has any.
pub(crate) fn ends(i: &Interval) -> (Option<f64>, Option<f64>) {
    i.has_ends().then(|| (to_four(i.low), to_four(i.high))).unzip()
}

fn row(slope: Slope) -> Row {
    let tests = [&slope.slope, &slope.first, &slope.last];
    let [of_slope, of_first, of_last] = tests.map(|test| to_four(test.effect.estimate));
    let [slope_ends, first_ends, last_ends] = tests.map(|test| ends(&test.effect));
    let [slope_p, first_p, last_p] = tests.map(|test| test.p);
    Row {
        game: slope.game,
        program: String::new(),
        method: slope.method,
        from: slope.range.0,
        to: slope.range.1,
        positions: slope.positions,
        slope: of_slope,
        slope_low: slope_ends.0,
        slope_high: slope_ends.1,
        slope_p,
        first: of_first,
        first_low: first_ends.0,
        first_high: first_ends.1,
        first_p,
        last: of_last,
        last_low: last_ends.0,
        last_high: last_ends.1,
        last_p,
    }
}

impl Row {
    /// Whether any of its tests shows something.
    fn is_shown(&self) -> bool {
        [self.slope_p, self.first_p, self.last_p].iter().any(|p| *p <= LEVEL)
    }

    /// The slope that would be shown with this spread between source games if no other of so many tests were.
    fn needed(&self, tests: usize) -> Option<f64> {
        needed(self.slope_low.zip(self.slope_high), self.positions, tests)
    }

    /// What is shown of it, in words.
    fn verdict(&self) -> &'static str {
        let [grows, first, last] = [self.slope_p, self.first_p, self.last_p].map(|p| p <= LEVEL);
        match (first, last) {
            (true, false) => "gone",
            (false, true) => "begins",
            _ if !grows => "no change shown",
            _ if self.slope > 0.0 => "grows",
            _ => "fades",
        }
    }
}

/// What a mean of so many would have to be, in either direction, to be shown if no other of so many tests were, as far as its 95 % interval
/// tells the spread; `None` without one.
pub(crate) fn needed(ends: Option<(f64, f64)>, n: usize, tests: usize) -> Option<f64> {
    let (low, high) = ends?;
    let law = StudentsT::new(0.0, 1.0, n as f64 - 1.0).ok()?;
    let point = |level: f64| law.inverse_cdf(1.0 - level / 2.0);
    Some((high - low) / 2.0 / point(0.05) * point(LEVEL / tests as f64))
}

/// The table of some slopes. `post_hoc`: their test was chosen after they were seen.
pub fn table(rows: &[Row], followed: Followed, post_hoc: bool) -> Table {
    let tests = 3 * rows.len();
    let of_programs = rows.iter().any(|row| !row.program.is_empty());
    let Headings { places, slope, first, last, of_slope, of_value, is_signed, what } = headings(followed);
    let number = |x: f64, digits: usize, is_signed: bool| {
        if is_signed { format!("{x:+.digits$}") } else { format!("{x:.digits$}") }
    };
    let interval = |x: f64, [low, high]: [Option<f64>; 2], digits: usize, is_signed: bool| {
        within(&Interval::of(x, low.zip(high)), |x| number(x, digits, is_signed))
    };
    let cells = |row: &Row| {
        let after = if post_hoc && row.is_shown() { ", post hoc" } else { "" };
        [
            if of_programs { ("<program", row.program.clone()) } else { ("<game", row.game.clone()) },
            ("<method", row.method.clone()),
            (places, format!("{} to {}", row.from, row.to)),
            ("n", row.positions.to_string()),
            (slope, interval(row.slope, [row.slope_low, row.slope_high], of_slope, true)),
            ("p (Holm)", p_words(Some(row.slope_p))),
            ("shown from", or_dash(row.needed(tests).map(|needed| number(needed, of_slope, false)))),
            (first, interval(row.first, [row.first_low, row.first_high], of_value, is_signed)),
            (last, interval(row.last, [row.last_low, row.last_high], of_value, is_signed)),
            ("<verdict", format!("{}{after}", row.verdict())),
        ]
    };
    let mut table: Table = rows.iter().map(cells).collect();
    let could = match followed {
        Followed::Regret => format!(
            "What could be shown: flipping signs gives no p below 2 / 2^n where n games differ, so nothing is shown of fewer than {} games that differ.",
            differing(tests)
        ),
        _ => {
            "Shown from: the slope, in either direction, that would be shown with this spread between games."
                .to_owned()
        }
    };
    table.notes.push(format!(
        "{what} p and verdicts are corrected for all {tests} tests of the table (Holm): three an arm. {could}"
    ));
    if post_hoc {
        let note = "Post hoc: the test was chosen after these numbers were seen, so what it shows is a finding to be confirmed.";
        table.notes.push(note.to_owned());
    }
    table
}

/// How the table of what is followed is written: headings, digits, and what it says.
struct Headings {
    places: &'static str,
    slope: &'static str,
    /// The value at the first place.
    first: &'static str,
    /// And at the last.
    last: &'static str,
    /// Digits of a slope.
    of_slope: usize,
    /// Digits of a value.
    of_value: usize,
    /// Whether values have their sign.
    is_signed: bool,
    what: &'static str,
}

fn headings(followed: Followed) -> Headings {
    let nodes = Headings {
        places: "plies",
        slope: "slope a ply",
        first: "saved at the least depth",
        last: "at the greatest",
        of_slope: 3,
        of_value: 2,
        is_signed: false,
        what: "Slope: change of ln(nodes saved, times) a ply, mean of the lines of all positions, 95 % interval over source games. Without a \
             method: it is left out of the set, and what is saved is what the set needs more without it.",
    };
    let releases = Headings {
        places: "releases",
        slope: "slope a release",
        first: "saved in the first",
        last: "in the last",
        what: "Slope: change of ln(nodes without the method / nodes with all) a release, mean of the lines of all positions, 95 % interval over \
             source games. Saved: nodes without the method over nodes with all, in the first and the last release that has it.",
        ..nodes
    };
    match followed {
        Followed::Nodes => nodes,
        Followed::Releases => releases,
        Followed::Scores => Headings {
            first: "score above one half in the first",
            is_signed: true,
            what: "Score, 0 to 1, of the program with all methods against itself without one. Slope: change a release, mean of the lines of all openings, \
             95 % interval and Student's test over openings. In the first and the last release: the score less one half.",
            ..releases
        },
        Followed::Regret => Headings {
            first: "regret more at the least depth",
            of_slope: 1,
            of_value: 1,
            is_signed: true,
            what: "Regret less that of `none` at the same depth, in score units, 1/100 pawn or disc. Slope: change a ply, mean of the lines of all \
             positions, 95 % interval over source games, where enough of them differ; tests by flipping the signs of source games.",
            ..nodes
        },
        Followed::Depth => Headings {
            places: "ms",
            slope: "slope a tenfold time",
            first: "plies gained at the least time",
            of_slope: 2,
            is_signed: true,
            what: "Fractional depth reached less that of `none` in the same CPU time; of a method left out of a set, what the set reaches less without it. Slope: change for ten times the time, mean of the lines of all \
             positions, 95 % interval over source games, tested by Student's law. Positions that a search finished are left out.",
            ..nodes
        },
    }
}

/// Source games that must differ before flipping their signs can show anything in a family of so many tests.
fn differing(tests: usize) -> usize {
    (1..).find(|games| 2.0 / 2_f64.powi(*games) * tests as f64 <= LEVEL).unwrap_or(0) as usize
}

/// The same in Markdown.
pub fn markdown(rows: &[Row], followed: Followed, post_hoc: bool) -> String {
    markdown_table(&table(rows, followed, post_hoc))
}

/// What the picture is read by, below it.
pub const CAPTION: &str = "Nodes that the set of modern methods needs without one of its members, as a factor of the nodes of the whole set, at the least \
    and the greatest depth that was searched; 95 % intervals over source games. Above 1 the method saves nodes; a rising line saves more the \
    deeper the search is. Lines are set apart sideways so that no interval hides another.";

/// What the set of a game needs more without each of its members, at the least and the greatest depth; none where nothing was left out.
pub fn picture(rows: &[Row], game: &str) -> Option<String> {
    let left_out = rows.iter().filter(|row| row.game == game && row.method.starts_with(LEFT_OUT));
    let curves: Vec<(&str, Vec<(u32, Interval)>)> = left_out
        .map(|row| {
            let first = Interval::of(row.first, row.first_low.zip(row.first_high));
            let last = Interval::of(row.last, row.last_low.zip(row.last_high));
            (&*row.method, vec![(row.from, first), (row.to, last)])
        })
        .collect();
    let labels = chart::Words {
        heading: &format!("{game}: what a set needs without each of its members"),
        across: DEPTHS.0,
        at: DEPTHS.1,
        upwards: "nodes without the method, as a factor of the set's",
        title: "What a set needs without each of its members",
        what: "nodes without it over nodes of the set",
    };
    by_depth(&labels, &curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::releases;
    use secateur_stats::inference::Test;

    /// A method of chess whose nodes saved change so much a ply, all intervals a tenth on either side.
    fn slope(method: &str, change: f64) -> Slope {
        let interval = |estimate: f64| Test { effect: Interval::around(estimate, 0.1), p: 0.0 };
        Slope {
            game: "chess".to_owned(),
            method: method.to_owned(),
            range: (4, 8),
            positions: 20,
            slope: interval(change),
            first: interval(1.0),
            last: interval(3.0),
            whole: interval(2.0),
        }
    }

    /// The same with these p-values.
    fn with(slope: &Slope, [p, first, last]: [f64; 3]) -> Slope {
        let mut slope = slope.clone();
        (slope.slope.p, slope.first.p, slope.last.p) = (p, first, last);
        slope
    }

    #[test]
    fn what_is_not_shown_gets_no_direction() {
        let slope = slope("lmr", 0.3);
        let verdict = |p: [f64; 3]| row(with(&slope, p)).verdict();
        assert_eq!(verdict([0.01, 0.01, 0.01]), "grows");
        assert_eq!(verdict([0.06, 0.01, 0.01]), "no change shown");
        assert_eq!(verdict([0.06, 0.06, 0.01]), "begins");
        assert_eq!(verdict([0.01, 0.01, 0.06]), "gone");
        assert!(
            markdown(&[row(with(&slope, [0.01; 3]))], Followed::Nodes, false)
                .contains("| chess | lmr | 4 to 8 | 20 | +0.300 [+0.200, +0.400] |")
        );
    }

    /// Where nothing is shown the table says what would be, and where a test was chosen after looking each verdict says so.
    #[test]
    fn a_table_says_what_it_could_show_and_what_was_tested_after_looking() {
        let slope = slope("lmr", 0.05);
        let hidden = row(with(&slope, [0.5; 3]));
        let shown = row(with(&slope, [0.01; 3]));
        // With 19 degrees of freedom 2.093 standard errors are half the interval, and 2.625 what three tests ask for.
        assert!((hidden.needed(3).unwrap() - 0.1 / 2.093 * 2.625).abs() < 1e-3, "{:?}", hidden.needed(3));
        let text = markdown(&[hidden.clone(), shown], Followed::Nodes, true);
        assert!(text.contains("| no change shown |") && text.contains("| grows, post hoc |"), "{text}");
        // 2 / 2^12 of 99 tests is 0.048.
        assert_eq!(differing(99), 12);
        let of_regret = markdown(&vec![hidden; 33], Followed::Regret, false);
        assert!(of_regret.contains("fewer than 12 games"), "{of_regret}");
    }

    /// What is kept is read again as it was, and a method that was left out begins no formula, which the writer of tables marks.
    #[test]
    fn what_was_left_out_is_a_cell_like_any_other_and_stands_in_the_picture() {
        let kept = ["mpc".to_owned(), format!("{LEFT_OUT}lmr")];
        let kept: Vec<Row> = kept.map(|method| row(with(&slope(&method, 0.3), [0.01; 3]))).into();
        let text = secateur_record::table::of_rows(&kept);
        let read_back: Result<Vec<Row>, _> =
            csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect();
        assert_eq!(read_back.unwrap(), kept);
        let svg = picture(&kept, "chess").unwrap();
        assert!(svg.contains("without lmr") && !svg.contains("mpc"), "{svg}");
    }
    /// Five releases in which a method saves a fifth more each time and another always the same, and one that four of them have.
    #[test]
    fn slopes_through_releases_are_corrected_together_and_a_method_that_few_have_has_none() {
        let of_release = |number: u32| {
            let grown = 2.0 * 1.2_f64.powi(number as i32 - 8);
            let mut factors = vec![("lmr", grown), ("see", 1.1), ("iir", 1.0)];
            factors.truncate(if number == 10 { 2 } else { 3 });
            crate::studies::releases::tests::release(number, &factors)
        };
        let runs: Vec<Runs> = [12, 8, 10, 9, 11].map(of_release).into();
        let rows = rows(&runs, Followed::Releases);
        let names: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.program, &*row.method)).collect();
        assert_eq!(names, [("stockfish", "without lmr"), ("stockfish", "without see")]);
        let [lmr, see] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!((lmr.from, lmr.to, lmr.positions), (8, 12, 8));
        assert!((lmr.slope - 1.2_f64.ln()).abs() < 0.01 && lmr.verdict() == "grows", "{lmr:?}");
        assert!((lmr.last / lmr.first - 1.2_f64.powi(4)).abs() < 0.1, "{lmr:?}");
        assert!(see.slope.abs() < 0.01 && see.verdict() == "no change shown", "{see:?}");
        // By hand: the least of six p-values times six, the next times five, and none below one before it.
        let mut tests: Vec<(f64, f64)> = over_releases(&runs)
            .iter()
            .zip(&rows)
            .flat_map(|((_, slope), row)| {
                let corrected = [row.slope_p, row.first_p, row.last_p];
                let alone = [slope.slope, slope.first, slope.last].map(|test| test.p);
                std::iter::zip(alone, corrected).collect::<Vec<_>>()
            })
            .collect();
        tests.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut least = 0.0_f64;
        for (rank, (p, corrected)) in tests.iter().enumerate() {
            least = least.max((p * (6 - rank) as f64).min(1.0));
            assert!((corrected - least).abs() < 1e-12, "{tests:?}");
        }
        assert!(super::rows(&runs[..4], Followed::Releases).is_empty(), "four releases make no line");
        let text = markdown(&rows, Followed::Releases, false);
        assert!(text.contains("| stockfish | without lmr | 8 to 12 | 8 | +0.18"), "{text}");
    }

    /// A method without which a program scores a pair less in each of five releases, and one that is worth the same in all.
    #[test]
    fn scores_through_releases_are_followed_by_opening() {
        let matches = (0..5).flat_map(|at| {
            [("lmr", 4 - at), ("see", 2)]
                .map(|(method, won)| releases::tests::games(8 + at as u32, method, won))
        });
        let all = releases::scores(&matches.collect::<Vec<_>>());
        let [(program, lmr), (_, see)] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(
            (&**program, &*lmr.method, lmr.range, lmr.positions),
            ("stockfish", "without lmr", (8, 12), 4)
        );
        // A pair of four that is won scores one half more at its opening.
        assert!(
            (lmr.first.effect.estimate - 0.5).abs() < 1e-9 && lmr.last.effect.estimate.abs() < 1e-9,
            "{lmr:?}"
        );
        assert!(
            (lmr.slope.effect.estimate + 0.125).abs() < 1e-9 && see.slope.effect.estimate.abs() < 1e-9,
            "{lmr:?} {see:?}"
        );
        // Over all releases one half, three eighths and so on to nothing.
        let [lmr, see] = releases::overall(&all).try_into().unwrap();
        let text = markdown_table(&releases::overall_table(&[lmr, see]));
        assert!(text.contains("| lmr | 8 to 12 | 4 | +0.250 ["), "{text}");
        assert!(text.contains("| see | 8 to 12 | 4 | +0.250 [") && !text.contains("NaN"), "{text}");
        let text = markdown(&corrected(all), Followed::Scores, false);
        assert!(text.contains("| stockfish | without lmr | 8 to 12 | 4 | -0.125 ["), "{text}");
    }
}
