//! Depth at a budget: how deep a search came, and by how much deeper than another.
//!
//! A search that found a forced mate, or that had nothing left to search, runs on to the deepest iteration that there is, at
//! next to no cost. Its depth says that the position is finished, not how deep the budget reaches. So a position counts only
//! where neither of the two searches compared is finished. Leaves out nodes ([`crate::metrics`]).

use crate::contrast::Searches;
use crate::group::Group;
use crate::interval::{Interval, mean};
use crate::measure::DEPTH;
use crate::metrics::{Iterations, depths, headline_branching, search_depth};

/// Blocks of a group in which neither of two method sets finished the position.
pub fn unsettled(group: &Group<'_>, method: usize, other: usize) -> Vec<usize> {
    let finished = |block: usize, method: usize| group.is_finished(group.blocks[block].rows[method]);
    (0..group.blocks.len()).filter(|&block| !finished(block, method) && !finished(block, other)).collect()
}

/// What one method set reaches at a budget, compared with another on the positions that neither finished.
#[derive(Clone, Debug)]
pub struct Reached {
    /// Positions left out because one of the two finished them.
    pub finished: usize,
    /// Mean depth of the last completed iteration.
    pub depth: f64,
    /// Mean fractional depth.
    pub fraction: Option<f64>,
    /// Mean gain in fractional depth over the other.
    pub gain: Interval,
    /// Geometric mean of the headline branching factor.
    pub branching: Option<f64>,
}

/// What `method` reaches, and what it gains over `other`.
pub fn reached(group: &Group<'_>, method: usize, other: usize, cells: &Iterations<'_>) -> Reached {
    let open = unsettled(group, method, other);
    let mean_of = |values: Vec<f64>| (!values.is_empty()).then(|| mean(&values));
    let fractions = open.iter().filter_map(|&block| search_depth(group.blocks[block].rows[method], cells));
    let growth =
        |&block: &usize| Some(headline_branching(depths(group.blocks[block].rows[method], cells)?)?.ln());
    Reached {
        finished: group.blocks.len() - open.len(),
        depth: mean(&open.iter().map(|&b| group.blocks[b].rows[method].depth()).collect::<Vec<_>>()),
        fraction: mean_of(fractions.collect()),
        gain: Searches::of(group)
            .with_iterations(cells)
            .contrast(&DEPTH, method, other)
            .estimate
            .map_or(Interval::none(f64::NAN), |gain| gain.within),
        branching: mean_of(open.iter().filter_map(growth).collect()).map(f64::exp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use crate::group::groups;
    use crate::metrics::iterations;
    use secateur_record::games::traits;
    use secateur_record::label::Label;
    use secateur_record::record::{BudgetKind, IterationRow, Record};

    fn is_finished(row: &Record) -> bool {
        crate::group::is_finished(&traits(&row.game).cloned().unwrap_or_default(), true, row)
    }

    fn at(game: &str, score: i32, depth: u32, nodes: u64) -> Record {
        let record = row("p", "28", "none", nodes);
        Record {
            game: game.into(),
            score: Some(score),
            depth: Some(depth),
            budget_kind: BudgetKind::Nodes,
            budget: 1_000,
            ..record
        }
    }

    #[test]
    fn mates_and_exhausted_games_are_settled_and_nothing_else_is() {
        assert!(
            is_finished(&at("chess", 29_995, 14, 1_000)) && is_finished(&at("chess", -29_996, 14, 1_000))
        );
        assert!(!is_finished(&at("chess", 28_000, 14, 1_000)) && !is_finished(&at("chess", 0, 63, 1_001)));
        assert!(is_finished(&at("othello", 6_400, 10, 999)), "budget was left, so the game was at its end");
        assert!(!is_finished(&at("othello", 6_400, 10, 1_000)) && is_finished(&at("othello", 0, 64, 1_000)));
        assert!(!is_finished(&at("a game of another build", 30_000, 10, 1_000)));
        assert!(!is_finished(&row("p", "28", "none", 7)), "a depth that was reached is spent");
        assert!(
            is_finished(&Record { depth: Some(9), ..row("p", "28", "none", 7) }),
            "nine plies were left of 12"
        );
        let of_others = |row| crate::group::is_finished(&traits("chess").unwrap().clone(), false, &row);
        assert!(!of_others(at("chess", 0, 10, 999)), "another program keeps some of its budget");
        assert!(
            of_others(at("chess", 29_995, 10, 999))
                && of_others(Record { depth: Some(9), ..row("p", "28", "none", 7) })
        );
    }

    /// Eight positions that double a ply; a mate found by either side must change neither depths nor gains.
    #[test]
    fn finished_positions_enter_neither_depths_nor_gains() {
        let mut records = Vec::new();
        for i in 0..8_u32 {
            for (methods, deeper) in [("none", 0), ("mpc", 2)] {
                let position = Label::from(format!("p{i}"));
                let mate = (methods, i) == ("none", 0) || (methods, i) == ("mpc", 1);
                let (score, depth) = if mate { (29_995, 60) } else { (10, 6 + i % 2 + deeper) };
                let record = at("chess", score, depth, 1_024);
                records.push(Record { position, cluster: position, methods: methods.into(), ..record });
            }
        }
        let iterations_of = |row: &Record| {
            let (deepest, key) = (row.depth.unwrap(), row.key());
            (1..=deepest).map(move |depth| {
                let nodes = (1_024_u64 >> (deepest - depth).min(10)).max(1);
                IterationRow { depth, nodes, ..IterationRow::of(&key) }
            })
        };
        let rows: Vec<IterationRow> = records.iter().flat_map(iterations_of).collect();
        let (groups, cells) = (groups(&records), iterations(&rows));
        let depths = reached(&groups[0], 1, 0, &cells);
        assert_eq!((depths.finished, depths.depth, depths.fraction), (2, 8.5, Some(8.5)));
        assert!((depths.gain.estimate - 2.0).abs() < 1e-9 && depths.gain.has_ends());
        assert!((depths.branching.unwrap() - 2.0).abs() < 1e-9);
        let base = reached(&groups[0], 0, 0, &cells);
        assert_eq!((base.finished, base.gain.estimate), (1, 0.0), "its own mate alone");
    }
}
