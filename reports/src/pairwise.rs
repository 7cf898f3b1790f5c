//! Method sets against each other in words and a table: which differences are shown, after correction for looking at all
//! of them. What is not shown is not said to be equal.
//!
//! Forms of one method stand next to each other in a table of their own: the nodes of each over those of the form that the run names first.

use crate::format::{either, or_dash, p_words, plural, ratio_within, share};
use crate::table::{Section, Table};
use secateur_record::record::Record;
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::labels::{members, name};
use secateur_stats::measure::NODES;
use secateur_stats::pairwise::{MOST, Pair, between, pairs, sum_ratio};
use std::collections::BTreeMap;

/// The section of all fixed-depth groups; none where no group has two method sets next to the baseline.
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let (pairs, tests) = pairs(groups);
    if pairs.is_empty() {
        return None;
    }
    let mut section = Section { title: "Which differences are shown?".to_owned(), ..Section::default() };
    section.text.push(format!(
        "{} of method sets, {tests} tests, corrected together (Holm): a p below is the least chance \
         of a false alarm anywhere in the report at which this difference would be shown. What is missing here is not shown to differ; that is not to say that it is equal.",
        plural(pairs.len(), "pair")
    ));
    for (index, group) in groups.iter().enumerate() {
        let of_group: Vec<&Pair> = pairs.iter().filter(|pair| pair.group == index).collect();
        if !of_group.is_empty() {
            section.text.push(sentence(group, &of_group));
            section.tables.extend(table(group, &of_group));
        }
    }
    Some(section)
}

fn sentence(group: &Group<'_>, pairs: &[&Pair]) -> String {
    let count = |measure: fn(&Pair) -> Shown| pairs.iter().filter(|pair| measure(pair).any()).count();
    format!(
        "**{}, {}**: of {}{}, {} {} shown to differ in nodes and {} in how often they keep the move.",
        group.game,
        group.budget_label(),
        plural(pairs.len(), "pair"),
        match group.methods.len() > MOST {
            true => either(pairs.len(), " that differs in one method", " that differ in one method"),
            false => "",
        },
        count(Pair::in_nodes),
        either(count(Pair::in_nodes), "is", "are"),
        count(Pair::in_moves),
    )
}

/// The pairs shown to differ in their moves: differences in nodes are the rule and stand in the table of the group.
fn table(group: &Group<'_>, pairs: &[&Pair]) -> Option<Table> {
    let row = |pair: &&Pair| {
        let moves = pair.moves?;
        let [first, second] = moves.only;
        let (better, worse, only) = match moves.shown() {
            Shown::Above => (pair.first, pair.second, [first, second]),
            Shown::Below => (pair.second, pair.first, [second, first]),
            Shown::No => return None,
        };
        let regrets = |n: u64| format!("{n} ({})", share(n as f64 / group.blocks.len() as f64));
        Some([
            ("<keeps the move more often", group.methods[better].to_owned()),
            ("<than", group.methods[worse].to_owned()),
            ("only the first", regrets(only[0])),
            ("only the second", regrets(only[1])),
            ("p (McNemar, Holm)", p_words(Some(moves.p))),
            (
                "nodes: first over second",
                or_dash(between(group, &NODES, better, worse).as_ref().map(ratio_within)),
            ),
            ("p (paired, Holm)", p_words(Some(pair.nodes.p))),
        ])
    };
    pairs.iter().filter_map(row).collect::<Table>().unless_empty()
}

/// The section of all fixed-depth groups; none where no method is alone in two forms.
pub fn forms(groups: &[&Group<'_>]) -> Option<Section> {
    let mut table = Table::default();
    for group in groups.iter().filter(|group| group.is_fixed_depth() && group.blocks.len() > 1) {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, methods) in group.methods.iter().enumerate() {
            let [form] = members(methods)[..] else { continue };
            let base = *first.entry(name(form)).or_insert(index);
            if base != index {
                table.row([
                    ("<form", form.to_owned()),
                    ("<over", group.methods[base].to_owned()),
                    ("<depth", group.budget.to_string()),
                    ("times its nodes", ratio_within(&sum_ratio(group, index, base, Record::nodes))),
                ]);
            }
        }
    }
    let text = vec!["Ratios of sums, so that large searches decide; 95 % intervals.".to_owned()];
    Section::of_table("Forms of one method", text, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    /// `mpc` keeps every move, `razoring` all but `lost` of 20; nodes as given.
    fn records(lost: usize, nodes: impl Fn(usize) -> u64) -> Vec<Record> {
        let mut records = Vec::new();
        for i in 0..20 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1_000));
            records.push(row(&position, "28", "mpc", 100));
            let best_move = if i < lost { "a1" } else { "d3" };
            let record = row(&position, "28", "razoring", nodes(i));
            records.push(Record { best_move: best_move.into(), move_tied: Some(false), ..record });
        }
        records
    }

    #[test]
    fn a_clear_difference_is_shown_with_its_direction() {
        let records = records(12, |i| 400 + i as u64);
        let section = section(&groups(&records)).unwrap();
        let row = &section.tables[0].rows[0];
        assert_eq!(row[..4], ["mpc", "razoring", "12 (60.0 %)", "0 (0.0 %)"]);
        // 2 / 2^12 = 0.00049, the second smallest of two tests or the smallest: less than 0.001 either way.
        assert_eq!(row[4], "<0.001");
        assert!(section.text[1].contains("of 1 pair, 1 is shown to differ in nodes and 1 in how often"));
    }

    #[test]
    fn noise_is_not_shown_to_differ_and_never_called_equal() {
        let records = records(3, |i| if i % 2 == 0 { 90 } else { 111 });
        let section = section(&groups(&records)).unwrap();
        assert!(section.tables.is_empty());
        assert!(section.text[1].contains("0 are shown to differ in nodes and 0 in how often"));
        assert!(section.text[0].contains("not shown to differ"));
    }

    #[test]
    fn of_many_method_sets_only_neighbours_are_compared() {
        let names = ["a", "b", "c", "d"];
        let mut records = Vec::new();
        for position in ["p", "q"] {
            for bits in 0..16 {
                let set: Vec<&str> = (0..4).filter(|i| bits >> i & 1 == 1).map(|i| names[i]).collect();
                let methods = if bits == 0 { "none".to_owned() } else { set.join("+") };
                records.push(row(position, "28", &methods, 100 + bits));
            }
        }
        // An edge of the cube of four dimensions for each contrast, but for the four at the baseline.
        let text = section(&groups(&records)).unwrap().text;
        assert!(text[1].contains("of 28 pairs that differ in one method"), "{text:?}");
    }

    #[test]
    fn correction_is_for_the_whole_report() {
        // Six lost moves alone: p = 2 / 2^6 = 0.031; next to a test of nodes it is doubled.
        let records = records(6, |i| if i % 2 == 0 { 90 } else { 111 });
        assert!(section(&groups(&records)).unwrap().tables.is_empty());
        let baseline_only: Vec<Record> = records.into_iter().filter(|row| row.methods == "none").collect();
        assert!(section(&groups(&baseline_only)).is_none());
    }

    #[test]
    fn forms_are_laid_against_the_first_and_other_methods_against_none() {
        let sets = [
            ("none", 900),
            ("null-move[fixed]", 400),
            ("null-move[verified]", 300),
            ("null-move[r3]+mpc", 1),
        ];
        let records: Vec<Record> = ["a", "b", "c"]
            .iter()
            .flat_map(|p| sets.map(|(methods, nodes)| row(p, "opening", methods, nodes)))
            .collect();
        let groups = groups(&records);
        let tables = forms(&groups.iter().collect::<Vec<_>>()).unwrap().tables;
        assert_eq!(tables[0].rows.len(), 1);
        assert_eq!(tables[0].rows[0][..2], ["null-move[verified]", "null-move[fixed]"]);
        assert_eq!(tables[0].rows[0][3], "0.75 [0.75, 0.75]");
    }
}
