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
    let all: Vec<(&str, Comparison)> =
        (1..group.methods.len()).map(|index| (group.methods[index], compare(group, index, None))).collect();
    let mut text = format!("**{}** ({} positions).", group.heading(), group.blocks.len());
    let front = front(&all);
    if front.is_empty() {
        text += " No method is shown to save nodes.";
    } else {
        text += " Worth a choice, from the most careful to the boldest (no other method saves more and keeps the \
                 move as often):";
        let each: Vec<String> = front
            .iter()
            .map(|(name, c)| {
                format!(
                    " {name}, {} times fewer nodes, same move {}, same value {}",
                    ratio_within(&c.speedup_geometric),
                    share_within(c.same_move),
                    share_within(c.same_value)
                )
            })
            .collect();
        text += &(each.join(";") + ".");
    }
    text += &named(&all, " Likely to change the move in more than one position of four:", |c| {
        c.same_move.is_some_and(|i| i.high < 0.75)
    });
    text += &named(&all, " Not shown to save or cost nodes:", |c| {
        c.speedup_geometric.low <= 1.0 && c.speedup_geometric.high >= 1.0
    });
    text += &named(&all, " Shown to cost nodes:", |c| c.speedup_geometric.high < 1.0);
    text
}

/// The methods shown to save nodes that no other beats in both saving and same-move rate, by falling rate.
fn front<'a, 'b>(all: &'b [(&'a str, Comparison)]) -> Vec<&'b (&'a str, Comparison)> {
    let worth = |c: &Comparison| (c.same_move.map_or(0.0, |i| i.estimate), c.speedup_geometric.estimate);
    let beaten = |c: &Comparison| {
        let (kept, saved) = worth(c);
        all.iter()
            .map(|(_, other)| worth(other))
            .any(|(k, s)| k >= kept && s >= saved && (k, s) != (kept, saved))
    };
    let mut front: Vec<_> = all.iter().filter(|(_, c)| c.speedup_geometric.low > 1.0 && !beaten(c)).collect();
    front.sort_by(|a, b| worth(&b.1).0.total_cmp(&worth(&a.1).0));
    front
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
        assert!(
            text.contains("boldest (no other method saves more and keeps the move as often): mpc, "),
            "{text}"
        );
        assert!(!text.contains("; razoring"), "{text}");
        assert!(text.contains("Not shown to save or cost nodes: razoring."), "{text}");
        assert!(text.contains("Shown to cost nodes: null-move."), "{text}");
    }
}
