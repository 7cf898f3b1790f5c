//! The tables of one group against the baseline: the pooled one, all stages together, and one by stage of each method set.

use crate::format::{
    distance, either, fixed, in_units, only_if, p_words, plural, ratio, ratio_within, rounded, share,
    share_within, signed_within,
};
use crate::provenance::counts_in_words;
use crate::spending::spending;
use crate::table::{Align, Section, Table};
use secateur_record::games;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::depth::{Reached, reached};
use secateur_stats::group::Group;
use secateur_stats::inference::{Shown, Test, judged};
use secateur_stats::metrics::{
    AgainstBaseline, InstructionCost, Iterations, against_baseline, instruction_cost, iterations,
};
use secateur_stats::numbers;
use secateur_stats::runs::Runs;
use secateur_stats::spent::timed;
use std::collections::BTreeMap;

/// What a table of depths says of the positions that it leaves out.
const FINISHED: &str = "Finished: positions left out of depths, gains and b because this method set or the baseline found a forced mate or had \
     nothing left to search; there the depth runs on to the last iteration. Gains have 95 % intervals over source games \
     (Student's, transformed for skewness), none for fewer than 5.";

/// The title of the section of a group.
pub fn title(group: &Group<'_>) -> String {
    format!("{} ({})", group.heading(), group.suite)
}

/// The section of one group.
pub fn section(group: &Group<'_>, runs: &Runs) -> Section {
    section_with(group, runs, &iterations(&runs.iterations))
}

/// The same for those who have sorted the iterations already.
pub fn section_with(group: &Group<'_>, runs: &Runs, cells: &Iterations<'_>) -> Section {
    let mut section = Section { title: title(group), ..Section::default() };
    section.text.push(format!(
        "{}; every number compares the same positions.{}",
        plural(group.blocks.len(), "position"),
        match group.incomplete {
            0 => String::new(),
            n => format!(
                " {n} {} left out because a cell is missing or failed.",
                either(n, "position was", "positions were")
            ),
        }
    ));
    section.text.extend(unsearched(group));
    section.text.extend(spending(group));
    let mut table =
        if group.is_fixed_depth() { by_nodes(group, runs, cells) } else { by_depth(group, cells) };
    table.notes.extend(untold(group));
    table.notes.extend(undecided(group));
    table.notes.extend(noise_floor(group));
    table.notes.extend(sign_reversals(group));
    section.tables.push(table);
    section
}

fn by_nodes(group: &Group<'_>, runs: &Runs, cells: &Iterations<'_>) -> Table {
    let distance_of = in_units(numbers::VALUE_DIFFERENCE.name, group);
    let row = |(index, method): (usize, &&str)| {
        let c = against_baseline(group, index, None);
        let unless_base = |text: String| only_if(index > 0, || text);
        [
            ("<methods", (*method).to_owned()),
            (numbers::DEPTH.name, fixed(Some(c.depth))),
            (numbers::NODES.name, rounded(c.nodes)),
            (numbers::NODES_SAVED_MEANS.name, unless_base(ratio_within(&c.speedup_means))),
            (numbers::NODES_SAVED.name, unless_base(ratio_within(&c.speedup_geometric))),
            (numbers::SAME_MOVE.name, unless_base(share_within(c.same_move))),
            (numbers::SAME_VALUE.name, unless_base(share_within(c.same_value))),
            (distance_of.as_str(), unless_base(distance(group, &c))),
            (numbers::BRANCHING.name, fixed(Some(c.branching))),
            ("b (even span)", fixed(reached(group, index, 0, cells).branching)),
            (numbers::PROBE_SHARE.name, share(c.probe_share)),
            ("Mnodes/s", megas(&c)),
        ]
    };
    let mut table: Table = group.methods.iter().enumerate().map(row).collect();
    by_instructions(group, counts_in_words(runs, group.game), &mut table);
    table.noted(
        "Nodes saved: the factor by which nodes are cut against the baseline, as a ratio of means and as geometric mean over positions, with 95 % intervals over \
         source games, none for fewer than 3; rates have 95 % Wilson intervals; |dv| is the mean distance of values, without positions at \
         which one is proven, and has an interval where 30 games or more, and 10 with a difference, allow it. Each interval is for itself: \
         what is shown after looking at all of them stands in the sentences.",
    )
}

/// Adds what instructions say of the positions at which every arm has a count; `foreign` is what is to know of the counts of a
/// program of somebody else.
fn by_instructions(group: &Group<'_>, foreign: Option<String>, table: &mut Table) {
    let costs: Option<Vec<InstructionCost>> =
        (0..group.methods.len()).map(|index| instruction_cost(group, index)).collect();
    let Some(costs) = costs else { return };
    let headings = ["instructions", "per node", "instructions saved (means)"];
    table.columns.extend(headings.map(|heading| (heading.to_owned(), Align::Right)));
    for (index, (row, cost)) in table.rows.iter_mut().zip(&costs).enumerate() {
        let speedup = only_if(index > 0, || ratio_within(&cost.speedup));
        row.extend([rounded(cost.instructions), rounded(cost.per_node), speedup]);
    }
    let counted = group.counted().len();
    if counted < group.blocks.len() {
        let all = group.blocks.len();
        table.notes.push(format!(
            "Instructions are of the {counted} of {all} positions at which every arm has a count."
        ));
    }
    table.notes.push(foreign.unwrap_or_else(|| {
        "Instructions and nodes save differently where a method makes nodes more expensive.".to_owned()
    }));
}

/// The table at a budget of nodes or time. At equal cost a deeper search may rightly choose another move, so the share of same moves
/// is no accuracy here.
fn by_depth(group: &Group<'_>, cells: &Iterations<'_>) -> Table {
    let row = |(index, method): (usize, &&str)| {
        let c = against_baseline(group, index, None);
        let Reached { finished, depth, fraction, gain, branching } = reached(group, index, 0, cells);
        let unless_base = |text: String| only_if(index > 0, || text);
        [
            ("<methods", (*method).to_owned()),
            ("finished", finished.to_string()),
            ("depth", fixed(Some(depth))),
            ("fractional depth", fixed(fraction)),
            (numbers::PLIES_GAINED.name, unless_base(signed_within(&gain))),
            (numbers::NODES.name, rounded(c.nodes)),
            (numbers::SAME_MOVE.name, unless_base(share_within(c.same_move))),
            ("b (even span)", fixed(branching)),
            (numbers::PROBE_SHARE.name, share(c.probe_share)),
            ("Mnodes/s", megas(&c)),
        ]
    };
    let table = group.methods.iter().enumerate().map(row).collect::<Table>().noted(FINISHED);
    match group.budget_kind {
        BudgetKind::Time => {
            table.noted("Fixed CPU time of the searching thread: these rows do not repeat exactly.")
        }
        _ => table,
    }
}

fn megas(c: &AgainstBaseline) -> String {
    fixed(Some(c.nodes_per_second / 1e6))
}

/// How many moves are left out of what is said of moves, because they are undecided.
fn undecided(group: &Group<'_>) -> Option<String> {
    let open = |method: &usize| group.undecided(*method) > 0;
    let undecided_of = |method: usize| format!("{} of {}", group.undecided(method), group.methods[method]);
    let all: Vec<String> = (1..group.methods.len()).filter(open).map(undecided_of).collect();
    (!all.is_empty()).then(|| {
        format!(
            "Left out of `same move`, because no search decided whether another move is as good: {}.",
            all.join(", ")
        )
    })
}

/// That positions are left out at which nothing was searched.
pub(crate) fn unsearched(group: &Group<'_>) -> Option<String> {
    let n = group.unsearched;
    let positions = plural(n, "position");
    (n > 0).then(|| {
        format!("Left out: {positions} with one legal move, which the program answered without a search.")
    })
}

/// What rows do not say because a program does not: a dash is no fault.
fn untold(group: &Group<'_>) -> Option<String> {
    let some =
        |lacks: fn(&Record) -> bool| group.blocks.iter().any(|block| block.rows.iter().any(|row| lacks(row)));
    let (depth, nodes) = (some(|row| row.depth.is_none()), some(|row| row.nodes.is_none()));
    let parts = [(depth, "depth"), (nodes, "nodes"), (some(|row| row.score.is_none()), "value")];
    let missing: Vec<&str> = parts.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    let list = missing.join(", ");
    (!missing.is_empty())
        .then(|| format!("A program says nothing of: {list}. Columns that need it show a dash."))
}

/// The searches that were repeated and their repetitions, by arm.
fn searches_by_arm<'r>(group: &Group<'r>) -> BTreeMap<&'r str, Vec<&'r Record>> {
    let mut arms = BTreeMap::<&str, Vec<&Record>>::new();
    for (first, again) in &group.repeats {
        arms.entry(&first.methods).or_default().extend([*first, *again]);
    }
    arms
}

/// The A/A comparison: what differs between a search and its repetition is noise.
fn noise_floor(group: &Group<'_>) -> Option<String> {
    let n = group.repeats.len();
    if n == 0 {
        return None;
    }
    let spread = |field: fn(&Record) -> f64| {
        let logs = group.repeats.iter().map(|(a, b)| (field(a) / field(b)).ln().abs());
        100.0 * (logs.sum::<f64>() / n as f64).exp_m1()
    };
    let percent = |x: f64| only_if(x.is_finite(), || format!("{x:.1} %"));
    let time = match timed(searches_by_arm(group).into_values()) {
        Ok(()) => format!("time by {}", percent(spread(|r| r.time_ns as f64))),
        Err(untimed) => format!("of time nothing can be said: {untimed}"),
    };
    Some(format!(
        "Noise floor, {n} searches repeated: nodes differ by {} on average, {}.",
        percent(spread(Record::some_nodes)),
        time
    ))
}

/// Pooling can hide that a method helps in one stage and hurts in another: says so where a stage is shown to lie on the
/// other side of 1 than the pooled estimate, corrected for the number of stages and method sets looked at.
fn sign_reversals(group: &Group<'_>) -> Vec<String> {
    let stages = group.stages();
    if !group.is_fixed_depth() || stages.len() < 2 {
        return Vec::new();
    }
    let all: Vec<(usize, &str)> =
        (1..group.methods.len()).flat_map(|index| stages.iter().map(move |stage| (index, *stage))).collect();
    let test = |&(index, stage): &(usize, &str)| {
        let compared = against_baseline(group, index, Some(stage));
        Test::of(compared.speedup_geometric.estimate.ln(), compared.p_nodes)
    };
    let family = judged(all.iter().map(test).collect());
    let mut warnings = Vec::new();
    for ((index, stage), test) in all.iter().copied().zip(&family) {
        let pooled = against_baseline(group, index, None).speedup_geometric.estimate;
        let of_stage = against_baseline(group, index, Some(stage)).speedup_geometric;
        let other_side = match test.shown() {
            Shown::Above => pooled < 1.0,
            Shown::Below => pooled > 1.0,
            Shown::No => false,
        };
        if other_side {
            warnings.push(format!(
                "Pooling hides a reversal: {} has a speed-up of {} in all, but {} in stage {stage} (p {}, Holm, {} tests).",
                group.methods[index],
                ratio(pooled),
                ratio_within(&of_stage),
                p_words(Some(test.p)),
                family.len()
            ));
        }
    }
    warnings
}

/// The section of one fixed-depth group: one table for each method set.
pub fn by_stage(group: &Group<'_>) -> Section {
    let methods = group.methods.iter().enumerate().skip(1);
    Section {
        title: format!("{} by stage, {} ({})", group.game, group.budget_label(), group.suite),
        tables: methods.map(|(index, method)| stage_table(group, index, method)).collect(),
        ..Section::default()
    }
}

/// The table of one method set against the baseline.
fn stage_table(group: &Group<'_>, index: usize, method: &str) -> Table {
    let stages = group.stages();
    let all = (stages.len() > 1).then_some(None);
    let (stage_of, distance_of) =
        (format!("<{method}: stage"), in_units(numbers::VALUE_DIFFERENCE.name, group));
    let row = |stage: Option<&str>| {
        let [base, compared] = [0, index].map(|arm| against_baseline(group, arm, stage));
        [
            (stage_of.as_str(), stage.unwrap_or("all").to_owned()),
            ("n", compared.n.to_string()),
            (numbers::DEPTH.name, fixed(Some(compared.depth))),
            ("none: nodes", rounded(base.nodes)),
            (numbers::NODES_SD.name, rounded(base.nodes_sd)),
            (numbers::BRANCHING.name, fixed(Some(base.branching))),
            (numbers::NODES.name, rounded(compared.nodes)),
            (numbers::NODES_SD.name, rounded(compared.nodes_sd)),
            (numbers::BRANCHING.name, fixed(Some(compared.branching))),
            (numbers::NODES_SAVED_MEANS.name, ratio_within(&compared.speedup_means)),
            (numbers::SAME_MOVE.name, share_within(compared.same_move)),
            (numbers::SAME_VALUE.name, share_within(compared.same_value)),
            (numbers::SAME_WHOLE.name, share_within(compared.same_whole)),
            (distance_of.as_str(), distance(group, &compared)),
        ]
    };
    stages.into_iter().map(Some).chain(all).map(row).collect::<Table>().noted(format!(
        "Nodes saved is the ratio of mean nodes with a 95 % interval over source games (jackknife, none for fewer than 3); \
         b = nodes^(1/depth); same to 1.00: the same value to the nearest {}; rates have 95 % Wilson intervals; |dv| is the mean distance of \
         values, without positions at which one is proven, and has an interval where 30 games or more, and 10 with a difference, allow it.",
        games::of_each_game(|game| &game.unit).join(" or ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::{row, row as record};
    use secateur_stats::group::groups;

    /// Of a program that says its moves only, and of our own search at depths, with the same words around them.
    #[test]
    fn what_a_program_does_not_say_is_a_dash_and_is_said() {
        let mut records = Vec::new();
        for n in 0..40 {
            for arm in ["none", "a"] {
                let record = row(&format!("p{n}"), "28", arm, 10 + n);
                let mute = Record { depth: None, nodes: None, score: None, bound: None, ..record };
                records.extend([BudgetKind::Level, BudgetKind::Depth].map(|budget_kind| Record {
                    budget_kind,
                    budget: 3,
                    ..mute.clone()
                }));
            }
        }
        let groups = groups(&records);
        assert_eq!(groups.len(), 2);
        for group in &groups {
            let section = section(group, &Runs::default());
            let text = crate::render::markdown_table(&section.tables[0]);
            assert!(text.contains("says nothing of: depth, nodes, value"), "{text}");
            assert!(text.contains("100 %") && !text.contains("NaN"), "{text}");
        }
        let report = crate::full(&Runs { records: records.clone(), ..Runs::default() });
        let page = crate::render::markdown(&report);
        assert!(!page.contains("NaN") && page.contains("level 3"), "{page}");
    }

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
    fn instructions_are_shown_of_positions_where_every_arm_has_them() {
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
        by_instructions(&groups(&records)[0], None, &mut shown);
        assert_eq!(shown.rows[0], ["none", "20,000", "100", "-"]);
        assert_eq!(shown.rows[1][..3], ["mpc", "4,000", "200"]);
        assert!(shown.rows[1][3].starts_with("5.00"), "{:?}", shown.rows);
        records[3].instructions = None;
        let mut some = table.clone();
        by_instructions(&groups(&records)[0], Some("counted so".to_owned()), &mut some);
        assert_eq!(some.rows[1][..3], ["mpc", "2,000", "200"]);
        assert!(
            some.notes[0].contains("1 of 2 positions") && some.notes[1] == "counted so",
            "{:?}",
            some.notes
        );
        records[1].instructions = None;
        let mut hidden = table.clone();
        by_instructions(&groups(&records)[0], None, &mut hidden);
        assert_eq!(hidden, table);
    }

    #[test]
    fn the_noise_floor_is_zero_for_equal_rows() {
        let mut repetition = row("a", "28", "none", 20);
        repetition.repeat = 1;
        let records = [row("a", "28", "none", 20), repetition];
        let note = noise_floor(&groups(&records)[0]).unwrap();
        assert!(note.contains("nodes differ by 0.0 %"), "{note}");
    }

    /// The value to the unit, and to the whole one.
    #[test]
    fn values_are_compared_at_two_resolutions() {
        let score = |score: i32, record: Record| Record { score: Some(score), ..record };
        let cells = |value: i32| {
            let records =
                [score(140, record("a", "28", "none", 100)), score(value, record("a", "28", "mpc", 10))];
            let rows = stage_table(&groups(&records)[0], 1, "mpc").rows;
            [rows[0][11].clone(), rows[0][12].clone()]
        };
        assert!(cells(140).iter().all(|cell| cell.starts_with("100 %")));
        assert!(cells(60)[0].starts_with("0 %") && cells(60)[1].starts_with("100 %"));
        assert!(cells(40).iter().all(|cell| cell.starts_with("0 %")));
    }
}
