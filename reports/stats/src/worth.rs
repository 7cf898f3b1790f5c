//! What each method of a program is worth: the program without it against the program as it is, and the method alone against
//! nothing.
//!
//! In company is what its author loses by taking it out; alone is what it would bring to a program that has nothing else. What
//! a method saves alone and not in company, others save too: the overlap. It is named by pairs where the run has them.

use crate::group::Group;
use crate::inference::share::paired_difference;
use crate::interval::{Interval, wilson};
use crate::metrics::same_move;
use crate::pairwise::{count_ratio, sum_ratio, together};
use crate::regret::regret;
use crate::solved::Problem;
use secateur_record::record::Record;

/// The arm with all methods.
pub const FULL: &str = "full";
/// The arm with none.
pub const NONE: &str = "none";

/// One method of a program under one budget.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Its name.
    pub method: String,
    /// Nodes without it over nodes of all, geometric; `None` unless the budget is a depth.
    pub nodes_in_company: Option<Interval>,
    /// Nodes of none over nodes of it alone.
    pub nodes_alone: Option<Interval>,
    /// Time without it over time of all, each in sum.
    pub time_in_company: Option<Interval>,
    /// Instructions without it over instructions of all.
    pub instructions_in_company: Option<Interval>,
    /// Share of positions where its absence leaves the move as it is.
    pub same_move: Option<Interval>,
    /// Mean regret without it less mean regret of all, score units, and the p-value of no difference; with an oracle.
    pub regret_without: Option<(f64, f64)>,
    /// Positions solved by all and without it, of those that have a solution, and the difference in shares.
    pub solved: Option<(u64, u64, usize, Interval)>,
    /// ln of what it saves alone and not in company; above 0 others save some of the same.
    pub overlap: Option<f64>,
    /// With each other method: its name, and the nodes without both over what they would be if each were missed by itself,
    /// geometric; the largest first. Above 1 the two save some of the same.
    pub partners: Vec<(String, Interval)>,
}

/// The arm of all methods but these.
#[must_use]
pub fn without(methods: &[&str]) -> String {
    let left: Vec<String> = methods.iter().map(|method| format!("-{method}")).collect();
    format!("{FULL}[{}]", left.join(","))
}

/// The methods of a group that has the arm of all and, for at least one method, the arm without it; in their order.
#[must_use]
pub fn methods<'a>(group: &Group<'a>) -> Vec<&'a str> {
    let one = |arm: &&'a str| {
        let left = arm.strip_prefix(FULL)?.strip_prefix("[-")?.strip_suffix(']')?;
        (!left.contains([',', '='])).then_some(left)
    };
    if index(group, FULL).is_none() { Vec::new() } else { group.methods.iter().filter_map(one).collect() }
}

/// What the methods of a group are worth; `problems` are its positions with a solution.
#[must_use]
pub fn worths(group: &Group<'_>, problems: &[Problem<'_>]) -> Vec<Worth> {
    let names = methods(group);
    names.iter().filter_map(|method| worth(group, problems, method, &names)).collect()
}

fn index(group: &Group<'_>, arm: &str) -> Option<usize> {
    group.methods.iter().position(|known| *known == arm)
}

fn worth(group: &Group<'_>, problems: &[Problem<'_>], method: &str, all: &[&str]) -> Option<Worth> {
    let (full, less) = (index(group, FULL)?, index(group, &without(&[method]))?);
    let nodes = |row: &Record| row.nodes;
    let of = |first, second, what: &dyn Fn(&Record) -> Option<u64>| {
        if group.is_fixed_depth() { count_ratio(group, first, second, what) } else { None }
    };
    let alone = index(group, NONE).zip(index(group, method)).and_then(|(none, own)| of(none, own, &nodes));
    let company = of(less, full, &nodes);
    let kept = group.blocks.iter().filter(|block| same_move(block.rows[full], block.rows[less])).count();
    let decided = group.blocks.len() - group.undecided(less);
    let partners = all.iter().filter(|other| **other != method);
    let mut partners: Vec<(String, Interval)> =
        partners.filter_map(|other| Some(((*other).to_owned(), pair(group, method, other)?))).collect();
    partners.sort_by(|a, b| b.1.estimate.total_cmp(&a.1.estimate));
    Some(Worth {
        method: method.to_owned(),
        overlap: alone.zip(company).map(|(alone, company)| (alone.estimate / company.estimate).ln()),
        nodes_in_company: company,
        nodes_alone: alone,
        // In sum: clocks are too coarse for single positions.
        time_in_company: group
            .is_fixed_depth()
            .then(|| sum_ratio(group, less, full, |row| row.time_ns as f64)),
        instructions_in_company: of(less, full, &|row| row.instructions),
        same_move: wilson(kept, decided),
        regret_without: lost(group, full, less),
        solved: solved(problems, full, less),
        partners,
    })
}

/// How much more nodes it takes without two methods than one by one; above 1 they save some of the same.
fn pair(group: &Group<'_>, method: &str, other: &str) -> Option<Interval> {
    let full = index(group, FULL).filter(|_| group.is_fixed_depth())?;
    let both =
        index(group, &without(&[method, other])).or_else(|| index(group, &without(&[other, method])))?;
    let (own, others) = (index(group, &without(&[method]))?, index(group, &without(&[other]))?);
    Some(together(group, [full, own, others, both]))
}

/// Mean regret of an arm less that of all, and the p-value of no difference. The baseline of the group must be all.
fn lost(group: &Group<'_>, full: usize, arm: usize) -> Option<(f64, f64)> {
    let found = if full == 0 { regret(group, arm)? } else { return None };
    Some((found.excess, found.p))
}

fn solved(problems: &[Problem<'_>], full: usize, arm: usize) -> Option<(u64, u64, usize, Interval)> {
    let right = |arm: usize| problems.iter().filter(|problem| problem.found[arm].0).count() as u64;
    let only = |one: usize, other: usize| {
        problems.iter().filter(|problem| problem.found[one].0 && !problem.found[other].0).count() as u64
    };
    let difference = paired_difference(only(full, arm), only(arm, full), problems.len());
    (!problems.is_empty()).then(|| (right(full), right(arm), problems.len(), difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{manifest, row};
    use crate::group::groups_of;
    use crate::runs::Runs;

    /// Of methods `a` and `b`: nodes with both, without `a`, without `b`, with neither; the same at every position.
    fn runs([both, b, a, none]: [u64; 4], positions: usize) -> Runs {
        let mut records = Vec::new();
        for position in 0..positions {
            let arms = [
                ("full", both),
                ("full[-a]", b),
                ("full[-b]", a),
                ("full[-a,-b]", none),
                ("none", none),
                ("a", a),
                ("b", b),
                ("full[Margin=3]", both),
            ];
            for (arm, nodes) in arms {
                let mut own = row(&position.to_string(), "28", arm, nodes * (position as u64 + 1));
                own.regret = Some(if arm == "full[-a]" { 10 } else { 0 });
                if arm == "full[-b]" && position == 0 {
                    own.best_move = "c5".to_owned();
                }
                records.push(own);
            }
        }
        let manifest = manifest("[[game]]\nname = \"othello\"\nbaseline = \"full\"\n");
        Runs { records, manifests: vec![manifest], ..Runs::default() }
    }

    #[test]
    fn what_two_methods_save_alone_and_together_is_told_apart() {
        // Alone a saves 4 and b saves 2; together they save 4, so b saves nothing that a does not.
        let runs = runs([100, 200, 100, 400], 4);
        let groups = groups_of(&runs);
        assert_eq!(methods(&groups[0]), ["a", "b"]);
        let [a, b] = &worths(&groups[0], &[])[..] else { panic!("two methods") };
        let near = |interval: Option<Interval>, value: f64| (interval.unwrap().estimate - value).abs() < 1e-9;
        assert!(near(a.nodes_in_company, 2.0) && near(a.nodes_alone, 4.0), "{a:?}");
        assert!(near(b.nodes_in_company, 1.0) && near(b.nodes_alone, 2.0), "{b:?}");
        assert!(
            (a.overlap.unwrap() - 2f64.ln()).abs() < 1e-9 && (b.overlap.unwrap() - 2f64.ln()).abs() < 1e-9
        );
        // The pair: 400/100 together, 2 and 1 by themselves.
        assert_eq!(a.partners.len(), 1);
        assert!(a.partners[0].0 == "b" && (a.partners[0].1.estimate - 2.0).abs() < 1e-9, "{:?}", a.partners);
        assert_eq!(a.partners[0].1, b.partners[0].1);
        assert!(near(a.same_move, 1.0) && near(b.same_move, 0.75));
        assert_eq!(a.regret_without.map(|(excess, _)| excess), Some(10.0));
        assert_eq!(b.regret_without.map(|(excess, _)| excess), Some(0.0));
        assert!(a.solved.is_none() && a.instructions_in_company.is_none());
    }

    #[test]
    fn independent_methods_do_not_overlap_and_other_budgets_have_no_nodes() {
        let mut runs = runs([100, 200, 300, 600], 3);
        let [a, b] = &worths(&groups_of(&runs)[0], &[])[..] else { panic!("two methods") };
        assert!(a.overlap.unwrap().abs() < 1e-9 && b.overlap.unwrap().abs() < 1e-9);
        assert!((a.partners[0].1.estimate - 1.0).abs() < 1e-9);
        for row in &mut runs.records {
            row.budget_kind = secateur_record::record::BudgetKind::Nodes;
        }
        let found = worths(&groups_of(&runs)[0], &[]);
        assert!(found.iter().all(|worth| worth.nodes_in_company.is_none()
            && worth.partners.is_empty()
            && worth.same_move.is_some()));
    }

    #[test]
    fn a_run_without_the_arm_of_all_has_no_worth() {
        let mut runs = runs([1, 2, 2, 4], 2);
        runs.manifests.clear();
        runs.records.retain(|row| row.methods != "full");
        assert!(groups_of(&runs).iter().all(|group| worths(group, &[]).is_empty()));
    }
}
