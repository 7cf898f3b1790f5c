//! What a better evaluation changes: the tables and the picture of docs/results/evaluation.md.

use secateur_reports::chart::{Words, by_depth};
use secateur_reports::format::{only_if, or_dash, p_words};
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::elo::Pentanomial;
use secateur_stats::interval::Interval;
use serde::{Deserialize, Serialize};

/// The full evaluation's name.
pub const FULL: &str = "full";
/// What stands in the place of the other evaluation where there is none, with the full one.
pub const ITSELF: &str = "itself";
/// The kind of an evaluation to which nothing is added.
pub const GRADE: &str = "grade";
/// The share of moves kept at which thresholds are compared.
pub const KEPT: f64 = 0.95;
/// The threshold at which checks are as sure of themselves on every evaluation, sigmas.
pub const NOMINAL: f64 = 1.0;
/// Multi-ProbCut at [`NOMINAL`].
pub const CHECKED: &str = "mpc";
/// Multi-ProbCut where [`KEPT`] of the moves are kept.
pub const EQUAL: &str = "mpc-equal";

/// A match between two evaluations, and what was fitted for the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The game.
    pub game: String,
    /// The evaluation.
    pub evaluation: String,
    /// `grade`, `fresh` or `lasting`.
    pub kind: String,
    /// Standard deviation of what is added, in the game's unit.
    pub level: f64,
    /// Whom it played; [`ITSELF`] of the full evaluation, which need not.
    pub against: String,
    /// Pairs of games.
    pub pairs: u64,
    /// The pairs by points; `None` of matches of which only the score and its interval are kept.
    #[serde(default)]
    pub pentanomial: Option<Pentanomial>,
    /// Its points a game, 0 to 1.
    pub score: f64,
    /// The 95 % interval over pairs.
    pub score_low: Option<f64>,
    /// Its other end.
    pub score_high: Option<f64>,
    /// Two-sided p-value of even strength, corrected for all matches of all games.
    pub score_p: Option<f64>,
    /// The pair of depths that was fitted: d'.
    pub shallow: Option<i32>,
    /// And d.
    pub deep: Option<i32>,
    /// Standard deviation of what the shallow value leaves open, in the game's unit, mean over draws.
    pub sigma: Option<f64>,
    /// Slope of the line.
    pub slope: Option<f64>,
    /// Correlation of both values.
    pub r: Option<f64>,
}

/// What a method saves on an evaluation, and on another next to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// The game.
    pub game: String,
    /// The evaluation.
    pub evaluation: String,
    /// The method: its name, or [`EQUAL`].
    pub method: String,
    /// The evaluation that it is compared with; [`ITSELF`] of the full one.
    pub against: String,
    /// Positions.
    pub positions: usize,
    /// Times fewer nodes than full width with the same evaluation, geometric mean.
    pub saved: f64,
    /// The 95 % interval.
    pub saved_low: f64,
    /// Its other end.
    pub saved_high: f64,
    /// Share of positions at which it keeps the move of full width with the same evaluation.
    pub kept: f64,
    /// The 95 % interval (Wilson's); none of [`EQUAL`], where the share is given.
    pub kept_low: Option<f64>,
    /// Its other end.
    pub kept_high: Option<f64>,
    /// What it saves here over what it saves with the other, paired by position.
    pub ratio: Option<f64>,
    /// The 95 % interval.
    pub ratio_low: Option<f64>,
    /// Its other end.
    pub ratio_high: Option<f64>,
    /// Two-sided p-value of the ratio being 1, corrected for all comparisons of all games.
    pub ratio_p: Option<f64>,
}

/// Whether noise that is as strong as a grade stands for it, by one method: nothing to be shown, and as much within a tenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// No difference is shown, and the interval lies within a tenth.
    Yes,
    /// A difference is shown.
    No,
    /// Neither.
    Open,
}

impl Worth {
    /// Whether the comparison is shown to be one of unequal worth.
    pub fn is_shown(&self) -> bool {
        self.ratio_p.is_some_and(|p| p <= secateur_stats::inference::LEVEL)
    }

    /// Whether this stands for what it is compared with.
    pub fn stands(&self) -> Stands {
        const TENTH: f64 = 1.1;
        let (low, high) = (self.ratio_low.unwrap_or(0.0), self.ratio_high.unwrap_or(f64::INFINITY));
        match self.is_shown() {
            true => Stands::No,
            false if low >= 1.0 / TENTH && high <= TENTH => Stands::Yes,
            false => Stands::Open,
        }
    }
}

/// A number with its interval, if it has one.
fn within(x: f64, low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or(format!("{x:.2}"), |(low, high)| format!("{x:.2} [{low:.2}, {high:.2}]"))
}

/// The table of the matches, and of what was fitted.
pub fn strength_table(rows: &[Strength]) -> Table {
    let cells = |row: &Strength| {
        let number = |x: Option<f64>, digits: usize| or_dash(x.map(|x| format!("{x:.digits$}")));
        let played = row.pairs > 0;
        [
            ("<game", row.game.clone()),
            ("<evaluation", row.evaluation.clone()),
            ("added", only_if(row.kind != GRADE, || format!("{:.2}", row.level))),
            ("<against", only_if(played, || row.against.clone())),
            ("pairs", row.pairs.to_string()),
            ("points a game", only_if(played, || within(row.score, row.score_low, row.score_high))),
            ("p (Holm)", p_words(row.score_p)),
            ("<depths", or_dash(row.shallow.zip(row.deep).map(|(d, e)| format!("({d}, {e})")))),
            ("sigma", number(row.sigma, 2)),
            ("slope", number(row.slope, 3)),
            ("r", number(row.r, 3)),
        ]
    };
    rows.iter().map(cells).collect::<Table>().noted(
        "Points: 95 % interval over pairs of games. Added and sigma are in pawns or discs; sigma, slope and correlation are means over stages, by \
         their draws. p is corrected for all matches of the table (Holm).",
    )
}

/// What is shown of a worth next to the other, in words.
fn verdict(row: &Worth) -> &'static str {
    let Some(ratio) = row.ratio else { return "-" };
    match (&*row.against, row.is_shown()) {
        (FULL, true) if ratio > 1.0 => "more",
        (FULL, true) => "less",
        (FULL, false) => "no difference shown",
        _ => match row.stands() {
            Stands::Yes => "stands for it",
            Stands::No => "does not",
            Stands::Open => "open",
        },
    }
}

/// The table of what methods are worth.
pub fn worth_table(rows: &[Worth]) -> Table {
    let cells = |row: &Worth| {
        [
            ("<game", row.game.clone()),
            ("<evaluation", row.evaluation.clone()),
            ("<method", row.method.clone()),
            ("n", row.positions.to_string()),
            ("saved, times", within(row.saved, Some(row.saved_low), Some(row.saved_high))),
            ("same move", within(row.kept, row.kept_low, row.kept_high)),
            ("<compared with", only_if(row.ratio.is_some(), || row.against.clone())),
            (
                "its worth over the other's",
                or_dash(row.ratio.map(|ratio| within(ratio, row.ratio_low, row.ratio_high))),
            ),
            ("p (Holm)", p_words(row.ratio_p)),
            ("<verdict", verdict(row).to_owned()),
        ]
    };
    let tests = rows.iter().filter(|row| row.ratio_p.is_some()).count();
    rows.iter().map(cells).collect::<Table>().noted(format!(
        "Saved: nodes of full width with the same evaluation over nodes with the method, geometric mean; same move: share of moves of that \
         full width. `{CHECKED}` has a threshold of {NOMINAL} sigma, `{EQUAL}` that at which {:.0} % of the moves are kept. The ratio is paired by \
         position, 95 % interval; p and verdicts are corrected for all {tests} comparisons of the table (Holm).",
        100.0 * KEPT
    ))
}

/// Both tables in Markdown; that of what methods are worth where anything was searched.
pub fn markdown(strengths: &[Strength], worths: &[Worth]) -> String {
    let searched = (!worths.is_empty()).then(|| format!("\n{}", markdown_table(&worth_table(worths))));
    markdown_table(&strength_table(strengths)) + &searched.unwrap_or_default()
}

/// What the picture is read by, below it.
pub const CAPTION: &str = "Nodes of full width, as a factor of the nodes with the method, both with the same evaluation; 95 % intervals over \
    positions. Each place across is one evaluation: further right it scores more points in games against the full evaluation, whose place is 50.";

/// What methods save on evaluations of growing strength, by their points a game against the full one; noise next to it.
pub fn picture(strengths: &[Strength], worths: &[Worth], game: &str) -> Option<String> {
    let points = |evaluation: &str| {
        let is_own = |row: &&Strength| row.game == game && row.evaluation == evaluation;
        let row = strengths.iter().filter(is_own).find(|row| [ITSELF, FULL].contains(&&*row.against))?;
        Some(((100.0 * row.score).round().clamp(0.0, 100.0) as u32, &*row.kind))
    };
    let mut curves: Vec<(String, Vec<(u32, Interval)>)> = Vec::new();
    for row in worths.iter().filter(|row| row.game == game && row.method != EQUAL) {
        let Some((at, kind)) = points(&row.evaluation) else { continue };
        let name = match kind {
            GRADE => row.method.clone(),
            // More lines cannot be told apart.
            kind if row.method == CHECKED => format!("{CHECKED}, {kind} noise"),
            _ => continue,
        };
        let point = (at, Interval { estimate: row.saved, low: row.saved_low, high: row.saved_high });
        match curves.iter_mut().find(|(other, _)| *other == name) {
            Some((_, points)) => points.push(point),
            None => curves.push((name, vec![point])),
        }
    }
    curves.iter_mut().for_each(|(_, points)| points.sort_by_key(|point| point.0));
    let curves: Vec<(&str, Vec<(u32, Interval)>)> =
        curves.iter().map(|(name, points)| (&**name, points.clone())).collect();
    let labels = Words {
        heading: &format!("{game}: what methods save, by the strength of the evaluation"),
        across: "points against the full evaluation (%)",
        at: "points of",
        upwards: "nodes cut against full width, x",
        title: &format!("{game}: what methods save on evaluations of growing strength"),
        what: "Factor by which nodes are cut, against full width with the same evaluation",
    };
    by_depth(&labels, &curves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(evaluation: &str, method: &str, against: &str, ratio: f64, p: f64) -> Worth {
        Worth {
            game: "chess".to_owned(),
            evaluation: evaluation.to_owned(),
            method: method.to_owned(),
            against: against.to_owned(),
            positions: 40,
            saved: 2.0 * ratio,
            saved_low: 1.9 * ratio,
            saved_high: 2.1 * ratio,
            kept: 0.9,
            kept_low: Some(0.8),
            kept_high: Some(0.95),
            ratio: (against != ITSELF).then_some(ratio),
            ratio_low: Some(ratio / 1.05),
            ratio_high: Some(ratio * 1.05),
            ratio_p: (against != ITSELF).then_some(p),
        }
    }

    #[test]
    fn what_is_not_shown_gets_no_direction_and_noise_only_stands_where_it_is_near() {
        let judged = |against: &str, ratio: f64, p: f64| verdict(&worth("x", CHECKED, against, ratio, p));
        assert_eq!(
            (judged(FULL, 2.0, 0.01), judged(FULL, 0.5, 0.01), judged(FULL, 0.5, 0.06)),
            ("more", "less", "no difference shown")
        );
        assert_eq!(
            (judged("squares", 1.0, 0.5), judged("squares", 1.2, 0.5), judged("squares", 1.0, 0.01)),
            ("stands for it", "open", "does not")
        );
        assert_eq!(judged(ITSELF, 1.0, 0.5), "-");
    }

    #[test]
    fn the_picture_has_a_line_for_each_method_over_the_strength_of_the_grades() {
        let strength = |evaluation: &str, kind: &str, against: &str, score: f64| Strength {
            game: "chess".to_owned(),
            evaluation: evaluation.to_owned(),
            kind: kind.to_owned(),
            against: against.to_owned(),
            pairs: 20,
            score,
            ..Strength::default()
        };
        let strengths = [
            strength(FULL, GRADE, ITSELF, 0.5),
            strength("squares", GRADE, FULL, 0.2),
            strength("fresh-as-squares", "fresh", FULL, 0.21),
        ];
        let worths = [
            worth(FULL, CHECKED, ITSELF, 1.0, 1.0),
            worth("squares", CHECKED, FULL, 0.8, 0.01),
            worth("fresh-as-squares", CHECKED, "squares", 0.5, 0.01),
            worth("fresh-as-squares", "lmr", "squares", 0.5, 0.01),
        ];
        let svg = picture(&strengths, &worths, "chess").unwrap();
        assert!(svg.contains("mpc 2.00 at points of 50; mpc, fresh noise 1.00 at points of 21"), "{svg}");
        assert!(!svg.contains("lmr") && picture(&strengths, &worths, "othello").is_none());
        assert!(!markdown(&strengths, &[]).contains("| method |"), "nothing was searched");
        let table = markdown(&strengths, &worths);
        assert!(
            table.contains("| chess | squares | mpc | 40 | 1.60 [1.52, 1.68] | 0.90 [0.80, 0.95] | full |"),
            "{table}"
        );
    }
}
