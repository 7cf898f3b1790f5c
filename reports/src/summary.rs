//! The report in words: what saves, what it costs, how sure that is.

use crate::format::{ratio_within, share_within};
use crate::metrics::{Comparison, compare};
use crate::pair::Group;
use crate::table::Section;

/// One paragraph for each fixed-depth group.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Section {
    let text = groups
        .iter()
        .filter(|group| group.is_fixed_depth() && group.methods.len() > 1 && !group.blocks.is_empty())
        .map(paragraph)
        .collect();
    Section { title: "In short".to_owned(), text, tables: Vec::new() }
}

fn paragraph(group: &Group<'_>) -> String {
    let mut all: Vec<(&str, Comparison)> =
        (1..group.methods.len()).map(|index| (group.methods[index], compare(group, index, None))).collect();
    all.sort_by(|a, b| b.1.speedup_geometric.estimate.total_cmp(&a.1.speedup_geometric.estimate));
    let mut text =
        format!("**{}, {}** ({} positions).", group.game, group.budget_words(), group.blocks.len());
    let (name, best) = &all[0];
    text += &format!(
        " {name} saves most: the search needs {} times fewer nodes (geometric mean), keeps the move in {} \
         and the value in {} of positions.",
        ratio_within(&best.speedup_geometric),
        share_within(best.same_move),
        share_within(best.same_value)
    );
    // Estimates alone would call any noise a loss of accuracy; the lower end of the interval decides.
    let careful = all.iter().filter(|(_, c)| c.speedup_geometric.low > 1.0).max_by(|a, b| {
        let low = |c: &Comparison| c.same_move.map_or(0.0, |i| i.low);
        low(&a.1)
            .total_cmp(&low(&b.1))
            .then(a.1.speedup_geometric.estimate.total_cmp(&b.1.speedup_geometric.estimate))
    });
    if let Some((safest, c)) = careful.filter(|(safest, _)| safest != name) {
        text += &format!(
            " Of those shown to save nodes, {safest} keeps the move most often: {} at {} times fewer nodes.",
            share_within(c.same_move),
            ratio_within(&c.speedup_geometric)
        );
    }
    text += &named(&all, " Not shown to save or cost nodes:", |c| {
        c.speedup_geometric.low <= 1.0 && c.speedup_geometric.high >= 1.0
    });
    text += &named(&all, " Shown to cost nodes:", |c| c.speedup_geometric.high < 1.0);
    text
}

fn named(all: &[(&str, Comparison)], lead: &str, wanted: impl Fn(&Comparison) -> bool) -> String {
    let names: Vec<&str> = all.iter().filter(|(_, c)| wanted(c)).map(|(name, _)| *name).collect();
    if names.is_empty() { String::new() } else { format!("{lead} {}.", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::groups;
    use crate::pair::tests::row;

    #[test]
    fn noise_is_not_called_a_saving() {
        let mut records = Vec::new();
        for i in 0..10 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1000));
            records.push(row(&position, "28", "mpc", 200 + i));
            records.push(row(&position, "28", "razoring", if i % 2 == 0 { 900 } else { 1110 }));
            records.push(row(&position, "28", "null-move", 1500 + i));
        }
        let text = section(&groups(&records)).text.remove(0);
        assert!(text.contains("mpc saves most"), "{text}");
        assert!(text.contains("Not shown to save or cost nodes: razoring."), "{text}");
        assert!(text.contains("Shown to cost nodes: null-move."), "{text}");
    }
}
