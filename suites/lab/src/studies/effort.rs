//! What as many settings of every method save at best, for equal demands on the moves.

use secateur_reports::format::ratio;
use secateur_reports::table::Table;
use secateur_stats::group::Group;
use secateur_stats::measures::{MeasureRow, measure_rows};
use secateur_stats::metrics::Iterations;

/// Least share of moves kept that is asked for, a column each.
const KEPT: [f64; 4] = [0.98, 0.95, 0.9, 0.8];

/// The best setting of every method in the groups of a run.
pub fn table(groups: &[Group<'_>], cells: &Iterations<'_>) -> Table {
    let measures = measure_rows(groups, cells);
    best(&measures.iter().filter(|row| row.stage == "all").collect::<Vec<_>>())
}

/// For every game and method the setting that saves most among those that keep enough moves.
fn best(rows: &[&MeasureRow]) -> Table {
    let mut methods: Vec<(&str, &str)> = Vec::new();
    for row in rows.iter().filter(|row| row.methods != "none" && row.measure == "nodes_saved") {
        let key = (row.game.as_str(), name(&row.methods));
        if !methods.contains(&key) {
            methods.push(key);
        }
    }
    let row = |(game, method): (&str, &str)| {
        let arms: Vec<&MeasureRow> =
            rows.iter().copied().filter(|row| row.game == game && name(&row.methods) == method).collect();
        let full = cell(rows, game, "none", "regret");
        let settings = arms.iter().filter(|row| row.measure == "nodes_saved");
        let kept = KEPT.map(|least| {
            let best = best_of(&arms, |arm| cell(&arms, game, arm, "same_move").is_some_and(|x| x >= least));
            (format!("{:.0} % of the moves", 100.0 * least), best)
        });
        let no_loss = best_of(&arms, |arm| cell(&arms, game, arm, "regret") <= full && full.is_some());
        let lead = [("<game", game), ("<method", method), ("settings", &settings.count().to_string())];
        let lead = lead.map(|(heading, cell)| (heading.to_owned(), cell.to_owned()));
        let last = ("loses no more than none".to_owned(), no_loss);
        lead.into_iter().chain(kept).chain([last]).collect::<Vec<_>>()
    };
    methods.into_iter().map(row).collect()
}

/// The name of an arm's method without its setting.
fn name(arm: &str) -> &str {
    arm.split('[').next().unwrap_or(arm)
}

/// A number of an arm.
fn cell(rows: &[&MeasureRow], game: &str, arm: &str, measure: &str) -> Option<f64> {
    let wanted = |row: &&&MeasureRow| row.game == game && row.methods == arm && row.measure == measure;
    rows.iter().find(wanted).and_then(|row| row.estimate)
}

/// The setting with the largest speed-up among those allowed, with that speed-up.
fn best_of(rows: &[&MeasureRow], allowed: impl Fn(&str) -> bool) -> String {
    let speedups = rows.iter().filter(|row| row.measure == "nodes_saved" && allowed(&row.methods));
    let best = speedups.filter_map(|row| Some((row.estimate?, *row))).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or("-".to_owned(), |(speedup, row)| {
        let setting = row.methods.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
        // The pairs are the same in every setting.
        let setting = setting.rsplit_once("]],").map_or(setting, |(_, last)| last);
        format!("{} ({setting})", ratio(speedup))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_reports::render::markdown_table;

    fn row(methods: &str, measure: &str, estimate: f64) -> MeasureRow {
        MeasureRow {
            game: "chess".into(),
            suite: "effort".into(),
            budget_kind: "depth".into(),
            budget: 7,
            methods: methods.into(),
            stage: "all".into(),
            measure: measure.into(),
            n: 60,
            estimate: Some(estimate),
            low: None,
            high: None,
            run: "effort".into(),
        }
    }

    /// The fastest is taken only where its moves are good enough, by either measure.
    #[test]
    fn what_saves_most_must_keep_enough() {
        let mut rows = vec![row("none", "regret", 2.0)];
        for (arm, speedup, kept, regret) in
            [("mpc[pairs=[[2,4]],t=0.5]", 9.0, 0.85, 3.0), ("mpc[pairs=[[2,4]],t=1.0]", 4.0, 0.96, 2.0)]
        {
            rows.push(row(arm, "nodes_saved", speedup));
            rows.push(row(arm, "same_move", kept));
            rows.push(row(arm, "regret", regret));
        }
        let text = markdown_table(&best(&rows.iter().collect::<Vec<_>>()));
        let wanted = "| chess | mpc | 2 | - | 4.00 (t=1.0) | 4.00 (t=1.0) | 9.00 (t=0.5) | 4.00 (t=1.0) |";
        assert!(text.contains(wanted), "{text}");
    }
}
