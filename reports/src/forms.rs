//! Forms of one method next to each other: the nodes of each over those of the form that the run names first.

use crate::format::ratio_within;
use crate::table::{Section, Table};
use secateur_record::record::Record;
use secateur_stats::arm::{members, name};
use secateur_stats::group::Group;
use secateur_stats::pairwise::sum_ratio;
use std::collections::BTreeMap;

/// The section of all fixed-depth groups; none where no method is alone in two forms.
#[must_use]
pub fn section(groups: &[&Group<'_>]) -> Option<Section> {
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
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

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
        let tables = section(&groups.iter().collect::<Vec<_>>()).unwrap().tables;
        assert_eq!(tables[0].rows.len(), 1);
        assert_eq!(tables[0].rows[0][..2], ["null-move[verified]", "null-move[fixed]"]);
        assert_eq!(tables[0].rows[0][3], "0.75 [0.75, 0.75]");
    }
}
