//! The report in words: what saves, what it costs, how sure that is.

use crate::evidence::{Evidence, Judged, KEPT, kept};
use crate::format::{plural, ratio_within, share_within};
use crate::table::Section;
use crate::worth::in_short;
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::interval::Interval;
use secateur_stats::worth::Worth;
use std::fmt::Write as _;

/// Title of the section.
pub const TITLE: &str = "In short";

/// One paragraph for each fixed-depth group. Of a program that is compared with itself without its methods it says what they are worth:
/// there the baseline has them all, and who needs more nodes than it is missed.
pub fn section(evidence: &Evidence<'_>) -> Section {
    let groups = evidence.groups.iter().zip(evidence.judged()).zip(evidence.worths());
    let text_of = |((group, all), (worths, _)): ((&Group<'_>, &Vec<Judged<'_>>), &(Vec<Worth>, _))| {
        let head = format!("**{}** ({}).", group.heading(), plural(group.blocks.len(), "position"));
        match in_short(worths) {
            Some(sentence) => format!("{head} {sentence}"),
            None => head + &paragraph(all),
        }
    };
    let text = groups.filter(|((_, all), _)| !all.is_empty()).map(text_of).collect();
    Section { title: TITLE.to_owned(), text, tables: Vec::new() }
}

/// The share of values that it must keep, where there are values.
const KEPT_VALUES: f64 = 0.25;
/// Both in words.
pub const BOUND: &str = "three moves of four and one value of four";

fn paragraph(all: &[Judged<'_>]) -> String {
    let mut text = String::new();
    let front = front(all);
    if front.is_empty() {
        text += &format!(" No {}.", why_none(all));
    } else {
        let _ = write!(
            text,
            " On the frontier (of the methods that keep {BOUND} no other saves more and keeps the move as often), from the one that \
             keeps most:"
        );
        let each: Vec<String> = front
            .iter()
            .map(|Judged { name, effects, .. }| {
                format!(
                    " {name} cuts nodes by a factor of {}, same move {}, same value {}",
                    ratio_within(&effects.speedup_geometric),
                    share_within(effects.same_move),
                    share_within(effects.same_value)
                )
            })
            .collect();
        text += &(each.join(";") + ".");
    }
    text += &left_out(all);
    text += &named(all, " Shown to change the move in more than one position of four:", |j| {
        j.keeps == Shown::Below
    });
    text += &named(all, " Not shown to save or cost nodes:", |j| j.saves == Shown::No);
    text += &named(all, " Shown to cost nodes:", |j| j.saves == Shown::Below);
    text
}

/// Whether a method set keeps enough to be a choice ([`BOUND`]): one that changes most moves saves any number of nodes.
fn is_choice(judged: &Judged<'_>) -> bool {
    let keeps = |share: Option<Interval>, least: f64| share.is_none_or(|share| share.estimate >= least);
    keeps(judged.effects.same_move, KEPT) && keeps(judged.effects.same_value, KEPT_VALUES)
}

/// What no method is where none is a choice, behind the word no.
pub fn why_none(all: &[Judged<'_>]) -> String {
    match all.iter().any(|judged| judged.saves == Shown::Above) {
        true => format!("method that is shown to save nodes keeps {BOUND}"),
        false => "method is shown to save nodes".to_owned(),
    }
}

/// The methods that are shown to save nodes and keep too little to be a choice, in a sentence; empty if there is none.
pub fn left_out(all: &[Judged<'_>]) -> String {
    let lead = format!(" Saving nodes, but keeping less than {BOUND}:");
    named(all, &lead, |judged| judged.saves == Shown::Above && !is_choice(judged))
}

/// The methods shown to save nodes that keep enough ([`BOUND`]) and that no other such method beats in both saving and same-move rate,
/// by falling rate.
pub fn front<'a, 'b>(all: &'b [Judged<'a>]) -> Vec<&'b Judged<'a>> {
    let all: Vec<&Judged<'_>> = all.iter().filter(|judged| is_choice(judged)).collect();
    let worth = |j: &Judged<'_>| (kept(&j.effects), j.effects.speedup_geometric.estimate);
    let beaten = |j: &Judged<'_>| {
        let (kept, saved) = worth(j);
        all.iter().copied().map(worth).any(|(k, s)| k >= kept && s >= saved && (k, s) != (kept, saved))
    };
    let mut front: Vec<_> = all.iter().copied().filter(|j| j.saves == Shown::Above && !beaten(j)).collect();
    front.sort_by(|a, b| worth(b).0.total_cmp(&worth(a).0));
    front
}

fn named(all: &[Judged<'_>], lead: &str, wanted: impl Fn(&Judged<'_>) -> bool) -> String {
    let names: Vec<&str> = all.iter().filter(|j| wanted(j)).map(|j| j.name).collect();
    if names.is_empty() { String::new() } else { format!("{lead} {}.", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::runs::Runs;

    fn text_of(records: &[Record]) -> String {
        let runs = Runs { records: records.to_vec(), ..Runs::default() };
        section(&Evidence::of(&runs)).text.remove(0)
    }

    /// Nodes cut 10x at 60 % of the moves, or at 20 % of the values, make no choice; less saved and more kept does.
    #[test]
    fn what_changes_most_moves_or_values_is_no_choice() {
        let mut records = Vec::new();
        for i in 0..20 {
            let cell = |name: &str, nodes: u64, moved: bool, off: bool| Record {
                best_move: if moved { "a1" } else { "d3" }.into(),
                move_tied: moved.then_some(false),
                score: Some(if off { 300 } else { 0 }),
                ..row(&format!("p{i}"), "28", name, nodes + i)
            };
            let saving = [cell("wild", 100, i < 8, false), cell("loose", 150, false, i < 16)];
            records.extend([cell("none", 1000, false, false), cell("mpc", 500, i < 5, i < 15)]);
            records.extend(saving);
        }
        let text = text_of(&records);
        assert!(text.contains("from the one that keeps most: mpc cuts "), "{text}");
        let sentence =
            "Saving nodes, but keeping less than three moves of four and one value of four: wild, loose.";
        assert!(text.contains(sentence), "{text}");
        records.retain(|row| row.methods != "mpc");
        let text = text_of(&records);
        assert!(text.contains("No method that is shown to save nodes keeps three moves of four"), "{text}");
    }

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
        let text = text_of(&records);
        assert!(text.contains("keeps the move as often), from the one that keeps most: mpc cuts "), "{text}");
        assert!(!text.contains("; razoring"), "{text}");
        assert!(text.contains("Not shown to save or cost nodes: razoring."), "{text}");
        assert!(text.contains("Shown to cost nodes: null-move."), "{text}");
    }
}
