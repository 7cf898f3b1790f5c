//! How what methods save changes with depth: the slopes of all arms of some runs, corrected together.

use crate::chart::lines::{DEPTHS, Words, by_depth};
use crate::format::p_words;
use crate::render::markdown_table;
use crate::table::Table;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::growth::{LEFT_OUT, Slope, slopes};
use secateur_stats::inference::{LEVEL, holm};
use secateur_stats::interval::Interval;
use secateur_stats::metrics::iterations;
use secateur_stats::runs::Runs;
use serde::{Deserialize, Serialize};

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
    slope_low: f64,
    slope_high: f64,
    slope_p: f64,
    first: f64,
    first_low: f64,
    first_high: f64,
    first_p: f64,
    last: f64,
    last_low: f64,
    last_high: f64,
    last_p: f64,
}

/// The slopes of the deepest fixed-depth groups of every run, from half their depth on, corrected for all of them together.
#[must_use]
pub fn rows(runs: &[Runs]) -> Vec<Row> {
    let of_run = |runs: &Runs| -> Vec<(String, Slope)> {
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
    let all: Vec<(String, Slope)> = runs.iter().flat_map(of_run).collect();
    let p_values = holm(&all.iter().flat_map(|(_, slope)| slope.p).collect::<Vec<_>>());
    let corrected = all.into_iter().zip(p_values.as_chunks::<3>().0);
    corrected.map(|((program, slope), p)| Row { program, ..row(slope, *p) }).collect()
}

fn row(slope: Slope, [slope_p, first_p, last_p]: [f64; 3]) -> Row {
    let ends = |i: &Interval| [i.estimate, i.low, i.high].map(|x| (1e4 * x).round() / 1e4);
    let [of_slope, of_first, of_last] = [&slope.slope, &slope.first, &slope.last].map(ends);
    Row {
        game: slope.game,
        program: String::new(),
        method: slope.method,
        from: slope.depths.0,
        to: slope.depths.1,
        positions: slope.positions,
        slope: of_slope[0],
        slope_low: of_slope[1],
        slope_high: of_slope[2],
        slope_p,
        first: of_first[0],
        first_low: of_first[1],
        first_high: of_first[2],
        first_p,
        last: of_last[0],
        last_low: of_last[1],
        last_high: of_last[2],
        last_p,
    }
}

impl Row {
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

/// The table of some slopes.
#[must_use]
pub fn table(rows: &[Row]) -> Table {
    let of_programs = rows.iter().any(|row| !row.program.is_empty());
    let mut table = Table::new(&[
        if of_programs { "<program" } else { "<game" },
        "<method",
        "plies",
        "n",
        "slope a ply",
        "p (Holm)",
        "saved at the least depth",
        "at the greatest",
        "<verdict",
    ]);
    for row in rows {
        let times = |x: f64, low: f64, high: f64| format!("{x:.2} [{low:.2}, {high:.2}]");
        table.push(vec![
            if of_programs { row.program.clone() } else { row.game.clone() },
            row.method.clone(),
            format!("{} to {}", row.from, row.to),
            row.positions.to_string(),
            format!("{:+.3} [{:+.3}, {:+.3}]", row.slope, row.slope_low, row.slope_high),
            p_words(Some(row.slope_p)),
            times(row.first, row.first_low, row.first_high),
            times(row.last, row.last_low, row.last_high),
            row.verdict().to_owned(),
        ]);
    }
    table.notes.push(format!(
        "Slope: change of ln(nodes saved, times) a ply, mean of the lines of all positions, 95 % interval over source games. Without a \
         method: it is left out of the set, and what is saved is what the set needs more without it. p and verdicts are corrected for all {} tests \
         of the table (Holm): three an arm.",
        3 * rows.len()
    ));
    table
}

/// The same in Markdown.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    markdown_table(&table(rows))
}

/// What the set of a game needs more without each of its members, at the least and the greatest depth; none where nothing was left out.
#[must_use]
pub fn picture(rows: &[Row], game: &str) -> Option<String> {
    let interval = |estimate, low, high| Interval { estimate, low, high };
    let left_out = rows.iter().filter(|row| row.game == game && row.method.starts_with(LEFT_OUT));
    let curves: Vec<(&str, Vec<(u32, Interval)>)> = left_out
        .map(|row| {
            let first = (row.from, interval(row.first, row.first_low, row.first_high));
            (&*row.method, vec![first, (row.to, interval(row.last, row.last_low, row.last_high))])
        })
        .collect();
    let words = Words {
        heading: game,
        across: DEPTHS.0,
        at: DEPTHS.1,
        upwards: "nodes without it, times those of the set",
        title: "What a set needs more without each of its members",
        what: "nodes without it over nodes of the set",
    };
    by_depth(&words, &curves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_gets_no_direction() {
        let interval = |estimate: f64| Interval { estimate, low: estimate - 0.1, high: estimate + 0.1 };
        let slope = Slope {
            game: "chess".to_owned(),
            method: "lmr".to_owned(),
            depths: (4, 8),
            positions: 20,
            slope: interval(0.3),
            first: interval(1.0),
            last: interval(3.0),
            p: [0.0; 3],
        };
        let verdict = |p: [f64; 3]| row(slope.clone(), p).verdict();
        assert_eq!(verdict([0.01, 0.01, 0.01]), "grows");
        assert_eq!(verdict([0.06, 0.01, 0.01]), "no change shown");
        assert_eq!(verdict([0.06, 0.06, 0.01]), "begins");
        assert_eq!(verdict([0.01, 0.01, 0.06]), "gone");
        assert!(
            markdown(&[row(slope.clone(), [0.01; 3])])
                .contains("| chess | lmr | 4 to 8 | 20 | +0.300 [+0.200, +0.400] |")
        );
    }

    /// What is kept is read again as it was, and a method that was left out begins no formula, which the writer of tables marks.
    #[test]
    fn what_was_left_out_is_a_cell_like_any_other_and_stands_in_the_picture() {
        let interval = |estimate: f64| Interval { estimate, low: estimate - 0.1, high: estimate + 0.1 };
        let slope = |method: &str| Slope {
            game: "chess".to_owned(),
            method: method.to_owned(),
            depths: (4, 8),
            positions: 20,
            slope: interval(0.3),
            first: interval(1.0),
            last: interval(3.0),
            p: [0.0; 3],
        };
        let kept: Vec<Row> =
            [slope("mpc"), slope(&format!("{LEFT_OUT}lmr"))].map(|slope| row(slope, [0.01; 3])).into();
        let text = secateur_record::table::of_rows(&kept);
        let again: Result<Vec<Row>, _> =
            csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect();
        assert_eq!(again.unwrap(), kept);
        let svg = picture(&kept, "chess").unwrap();
        assert!(svg.contains("without lmr") && !svg.contains("mpc"), "{svg}");
    }
}
