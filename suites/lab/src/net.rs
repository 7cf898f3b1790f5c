//! What a form of a threshold saves beyond what plain thresholds pay for values.
//!
//! A form and a threshold never keep exactly as many values of the full-width search. Plain thresholds show what values cost: a line by
//! least squares through the logarithms of nodes saved by the values kept, a point a threshold. The form's saving is then taken at equal
//! values: less what the difference of values kept is worth on that line. The price is taken as it is, without an error of its own.

use secateur_reports::format::{ratio, ratio_within};
use secateur_reports::table::Table;
use secateur_stats::group::Group;
use secateur_stats::inference::spread::spread;
use secateur_stats::interval::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position at which a form and a threshold were compared, each next to the full-width search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The game.
    pub game: String,
    /// Its id.
    pub position: String,
    /// Source game.
    pub cluster: String,
    /// Nodes of the form.
    pub form_nodes: u64,
    /// Nodes of the threshold.
    pub plain_nodes: u64,
    /// Whether the form has the value of the full-width search.
    pub form_kept: bool,
    /// Whether the threshold has.
    pub plain_kept: bool,
}

/// What a share of one of the values costs: by how much ln(nodes saved) falls with the share of values kept, over the arms of a group
/// that `is_plain` names. `None` for fewer than two of them, or where all keep as much.
pub fn price(group: &Group<'_>, is_plain: impl Fn(&str) -> bool) -> Option<f64> {
    let n = group.blocks.len() as f64;
    let point = |arm: usize| {
        let mut sums = [0.0; 2];
        for block in &group.blocks {
            let (base, row) = (block.base(), block.rows[arm]);
            sums[0] += f64::from(u8::from(base.score == row.score));
            sums[1] += (base.nodes().max(1.0) / row.nodes().max(1.0)).ln();
        }
        sums.map(|sum| sum / n)
    };
    let arms = (1..group.methods.len()).filter(|arm| is_plain(group.methods[*arm]));
    let points: Vec<[f64; 2]> = arms.map(point).collect();
    let middle = points.iter().map(|[kept, _]| kept).sum::<f64>() / points.len() as f64;
    let [above, below] = points.iter().fold([0.0; 2], |[above, below], [kept, saved]| {
        [above + (kept - middle) * saved, below + (kept - middle).powi(2)]
    });
    (below > 0.0).then(|| -above / below)
}

/// Nodes of the threshold over those of the form at equal values, with the interval over source games.
pub fn net(rows: &[Confirmed], price: f64) -> Interval {
    let mut clusters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let kept = |is_kept: bool| f64::from(u8::from(is_kept));
        let saved = (row.plain_nodes.max(1) as f64 / row.form_nodes.max(1) as f64).ln();
        let totals = clusters.entry(&row.cluster).or_insert_with(|| vec![0.0; 2]);
        totals[0] += saved + price * (kept(row.form_kept) - kept(row.plain_kept));
        totals[1] += 1.0;
    }
    spread(&clusters.into_values().collect::<Vec<_>>(), |sums| sums[0] / sums[1]).student().exp()
}

/// What values cost in nodes by the plain thresholds of a run, and what the forms save at equal values on the positions that confirm
/// them.
pub fn table(groups: &[Group<'_>], rows: &[Confirmed]) -> Table {
    let row = |group: &Group<'_>| {
        let of_game: Vec<Confirmed> = rows.iter().filter(|row| row.game == group.game).cloned().collect();
        let price = price(group, |arm| arm.starts_with("mpc[t=") && !arm.contains(','))?;
        (!of_game.is_empty()).then(|| {
            [
                ("<game", group.game.to_owned()),
                ("five points of values, times", ratio((0.05 * price).exp())),
                ("positions", of_game.len().to_string()),
                ("nodes at equal values, times", ratio_within(&net(&of_game, price))),
            ]
        })
    };
    groups.iter().filter_map(row).collect::<Table>().noted(
        "Five points of values, times: by what factor the plain thresholds above save more nodes for each five points of the values that they \
         keep less, a line through their logarithms. Nodes at equal values: of the one threshold over those of the form at the positions of the confirmation, with \
         the difference of values kept taken at that price; 95 % interval over source games, of one test and not corrected, the price without an error of its own.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    /// Thresholds that save twice as much where they keep a quarter less, and a form that is one of them by another name.
    #[test]
    fn a_bolder_threshold_by_another_name_saves_nothing_net() {
        let mut records = Vec::new();
        for at in 0..8 {
            let arm = |methods: &str, nodes: u64, is_kept: bool| Record {
                score: Some(if is_kept { 5 } else { 6 }),
                ..row(&format!("p{at}"), "28", methods, nodes)
            };
            records.extend([arm("none", 8_000, true), arm("t=1", 2_000, at < 6), arm("t=2", 1_000, at < 4)]);
            records.push(arm("form", 500, at < 7));
        }
        let groups = groups(&records);
        let price = price(&groups[0], |arm| arm.starts_with("t=")).unwrap();
        assert!((price - 4.0 * 2_f64.ln()).abs() < 1e-9, "{price}");
        let rows = |kept: u64, nodes: u64| -> Vec<Confirmed> {
            let row = |at: u64| Confirmed {
                game: "othello".to_owned(),
                position: format!("p{at}"),
                cluster: format!("c{at}"),
                form_nodes: nodes,
                plain_nodes: 2_000,
                form_kept: at < kept,
                plain_kept: at < 6,
            };
            (0..8).map(row).collect()
        };
        let bolder = net(&rows(4, 1_000), price);
        assert!((bolder.estimate - 1.0).abs() < 1e-9 && bolder.low < 1.0 && bolder.high > 1.0, "{bolder:?}");
        assert!((net(&rows(6, 1_000), price).estimate - 2.0).abs() < 1e-9);
        assert_eq!(super::price(&groups[0], |arm| arm == "t=1"), None);
    }
}
