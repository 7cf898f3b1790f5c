//! The pooled table of one group: every method set against the baseline, all stages together.

use crate::format::{fixed, ratio_within, rounded, share, share_within};
use crate::interval::mean;
use crate::metrics::{
    Comparison, Cost, Iterations, compare, cost, fractional_depth, headline_branching, iterations, same_move,
};
use crate::pair::Group;
use crate::read::Runs;
use crate::table::{Align, Section, Table};

/// The title of the section of a group.
#[must_use]
pub fn title(group: &Group<'_>) -> String {
    format!("{} ({})", group.heading(), group.suite)
}

/// The section of one group.
#[must_use]
pub fn section(group: &Group<'_>, runs: &Runs) -> Section {
    section_with(group, &iterations(&runs.iterations))
}

/// The same for those who have sorted the iterations already.
#[must_use]
pub fn section_with(group: &Group<'_>, cells: &Iterations<'_>) -> Section {
    let mut section = Section { title: title(group), ..Section::default() };
    section.text.push(format!(
        "{} positions; every number compares the same positions.{}",
        group.blocks.len(),
        match group.incomplete {
            0 => String::new(),
            n => format!(" {n} positions were left out because a cell is missing or failed."),
        }
    ));
    let mut table = if group.is_fixed_depth() { by_nodes(group, cells) } else { by_depth(group, cells) };
    table.notes.extend(noise_floor(group));
    table.notes.extend(sign_reversals(group));
    section.tables.push(table);
    section
}

fn by_nodes(group: &Group<'_>, cells: &Iterations<'_>) -> Table {
    let mut table = Table::new(&[
        "<methods",
        "depth",
        "nodes",
        "speed-up (means)",
        "speed-up (geometric)",
        "same move",
        "same value",
        "mean abs. dv",
        "b",
        "b (even span)",
        "in probes",
        "Mnodes/s",
    ]);
    for (index, method) in group.methods.iter().enumerate() {
        let c = compare(group, index, None);
        let base = index == 0;
        let unless_base = |text: String| if base { "-".to_owned() } else { text };
        table.push(vec![
            (*method).to_owned(),
            fixed(Some(c.depth)),
            rounded(c.nodes),
            unless_base(ratio_within(&c.speedup_means)),
            unless_base(ratio_within(&c.speedup_geometric)),
            unless_base(share_within(c.same_move)),
            unless_base(share_within(c.same_value)),
            unless_base(rounded(c.value_difference)),
            fixed(Some(c.branching)),
            fixed(mean_branching(group, index, cells)),
            share(c.probe_share),
            megas(&c),
        ]);
    }
    by_instructions(group, &mut table);
    table.notes.push(
        "Speed-ups count nodes, with 95 % bootstrap intervals over positions; rates have 95 % Wilson \
         intervals; an interval of a speed-up that holds 1 means: not shown to differ."
            .to_owned(),
    );
    table
}

/// Adds what instructions say, where every cell has a count.
fn by_instructions(group: &Group<'_>, table: &mut Table) {
    let costs: Option<Vec<Cost>> = (0..group.methods.len()).map(|index| cost(group, index)).collect();
    let Some(costs) = costs else { return };
    let headings = ["instructions", "per node", "speed-up (instructions, means)"];
    table.columns.extend(headings.map(|heading| (heading.to_owned(), Align::Right)));
    for (index, (row, cost)) in table.rows.iter_mut().zip(&costs).enumerate() {
        let speedup = if index == 0 { "-".to_owned() } else { ratio_within(&cost.speedup) };
        row.extend([rounded(cost.instructions), rounded(cost.per_node), speedup]);
    }
    table.notes.push(
        "Instructions: a single method is searched in a build of its own, a set of several with the switches of all \
         methods. Instructions and nodes save differently where a method makes the nodes dearer."
            .to_owned(),
    );
}

fn by_depth(group: &Group<'_>, cells: &Iterations<'_>) -> Table {
    let mut table = Table::new(&[
        "<methods",
        "depth",
        "fractional depth",
        "gain (plies)",
        "nodes",
        "same move as none",
        "b (even span)",
        "in probes",
        "Mnodes/s",
    ]);
    let base_depth = mean_fraction(group, 0, cells);
    for (index, method) in group.methods.iter().enumerate() {
        let c = compare(group, index, None);
        let depth = mean_fraction(group, index, cells);
        let gain = depth.zip(base_depth).map(|(own, base)| own - base);
        table.push(vec![
            (*method).to_owned(),
            fixed(Some(c.depth)),
            fixed(depth),
            if index == 0 { "-".to_owned() } else { gain.map_or("-".to_owned(), |g| format!("{g:+.2}")) },
            rounded(c.nodes),
            if index == 0 { "-".to_owned() } else { agreement(group, index) },
            fixed(mean_branching(group, index, cells)),
            share(c.probe_share),
            megas(&c),
        ]);
    }
    if group.budget_kind == "time" {
        table
            .notes
            .push("Fixed CPU time of the searching thread: these rows do not repeat exactly.".to_owned());
    }
    table
}

/// At equal cost a deeper search may rightly choose another move; agreement is not accuracy here.
fn agreement(group: &Group<'_>, index: usize) -> String {
    let same = group.blocks.iter().filter(|b| same_move(b.base(), b.rows[index])).count();
    share_within(crate::interval::wilson(same, group.blocks.len()))
}

fn megas(c: &Comparison) -> String {
    fixed(Some(c.nodes_per_second / 1e6))
}

/// Iterations of every block's cell of a method set.
fn each<'a>(
    group: &'a Group<'_>,
    index: usize,
    cells: &'a Iterations<'_>,
) -> impl Iterator<Item = (u64, &'a [(u32, u64)])> {
    group.blocks.iter().filter_map(move |block| {
        let row = block.rows[index];
        let key = (&*row.game, &*row.position, &*row.methods, &*row.budget_kind, row.budget);
        Some((row.nodes, &**cells.get(&key)?))
    })
}

fn mean_branching(group: &Group<'_>, index: usize, cells: &Iterations<'_>) -> Option<f64> {
    let logs: Vec<f64> =
        each(group, index, cells).filter_map(|(_, depths)| Some(headline_branching(depths)?.ln())).collect();
    (!logs.is_empty()).then(|| mean(&logs).exp())
}

pub(crate) fn mean_fraction(group: &Group<'_>, index: usize, cells: &Iterations<'_>) -> Option<f64> {
    let depths: Vec<f64> =
        each(group, index, cells).filter_map(|(nodes, depths)| fractional_depth(depths, nodes)).collect();
    (!depths.is_empty()).then(|| mean(&depths))
}

/// The A/A comparison: what differs between a search and its repetition is noise.
fn noise_floor(group: &Group<'_>) -> Option<String> {
    let n = group.repeats.len();
    if n == 0 {
        return None;
    }
    let spread = |field: fn(&secateur_suites::record::Record) -> u64| {
        let logs = group.repeats.iter().map(|(a, b)| (field(a) as f64 / field(b) as f64).ln().abs());
        100.0 * (logs.sum::<f64>() / n as f64).exp_m1()
    };
    Some(format!(
        "Noise floor, {n} searches repeated: nodes differ by {:.1} % on average, time by {:.1} %.",
        spread(|r| r.nodes.max(1)),
        spread(|r| r.time_ns.max(1))
    ))
}

/// Pooling can hide that a method helps in one stage and hurts in another: says so where the interval of a
/// stage lies on the other side of 1 than the pooled estimate.
fn sign_reversals(group: &Group<'_>) -> Vec<String> {
    let stages = group.stages();
    if !group.is_fixed_depth() || stages.len() < 2 {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    for (index, method) in group.methods.iter().enumerate().skip(1) {
        let pooled = compare(group, index, None).speedup_geometric.estimate;
        for stage in &stages {
            let own = compare(group, index, Some(stage)).speedup_geometric;
            if (pooled > 1.0 && own.high < 1.0) || (pooled < 1.0 && own.low > 1.0) {
                warnings.push(format!(
                    "Pooling hides a reversal: {method} has a speed-up of {} in all, but {} in stage {stage}.",
                    crate::format::ratio(pooled),
                    ratio_within(&own)
                ));
            }
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::groups;
    use crate::pair::tests::row;

    #[test]
    fn a_reversal_is_reported() {
        let mut records = Vec::new();
        for i in 0..8 {
            records.push(row(&format!("a{i}"), "12", "none", 1000 + i));
            records.push(row(&format!("a{i}"), "12", "mpc", 100 + i));
            records.push(row(&format!("b{i}"), "44", "none", 1000 + i));
            records.push(row(&format!("b{i}"), "44", "mpc", 2000 + i));
        }
        let warnings = sign_reversals(&groups(&records)[0]);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("stage 44"), "{warnings:?}");
    }

    #[test]
    fn instructions_are_shown_where_every_cell_has_them() {
        let counted = |position: &str, method: &str, nodes: u64, instructions: u64| {
            let mut row = row(position, "28", method, nodes);
            row.instructions = Some(instructions);
            row
        };
        let mut records = vec![
            counted("a", "none", 100, 10_000),
            counted("a", "mpc", 10, 2_000),
            counted("b", "none", 300, 30_000),
            counted("b", "mpc", 30, 6_000),
        ];
        let mut table = Table::new(&["<methods"]);
        table.rows = vec![vec!["none".into()], vec!["mpc".into()]];
        let mut shown = table.clone();
        by_instructions(&groups(&records)[0], &mut shown);
        assert_eq!(shown.rows[0], ["none", "20,000", "100", "-"]);
        assert_eq!(shown.rows[1][..3], ["mpc", "4,000", "200"]);
        assert!(shown.rows[1][3].starts_with("5.00"), "{:?}", shown.rows);
        records[3].instructions = None;
        let mut hidden = table.clone();
        by_instructions(&groups(&records)[0], &mut hidden);
        assert_eq!(hidden, table);
    }

    #[test]
    fn the_noise_floor_is_zero_for_equal_rows() {
        let mut again = row("a", "28", "none", 20);
        again.repeat = 1;
        let records = [row("a", "28", "none", 20), again];
        let note = noise_floor(&groups(&records)[0]).unwrap();
        assert!(note.contains("nodes differ by 0.0 %"), "{note}");
    }
}
