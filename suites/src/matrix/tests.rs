//! Tests of the matrix: what is crossed with what, and what is refused.

use super::*;
use std::path::Path;

fn plan(blocks: &str) -> Result<Plan, Error> {
    let text = format!("name = \"t\"\ndescription = \"\"\n{blocks}");
    Plan::new(Suite::parse(Path::new("t.toml"), &text)?)
}

fn block(methods: &str, more: &str) -> String {
    format!("[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\nmethods = {methods}\n{more}\n")
}

#[test]
fn every_cell_is_there_once_and_the_baseline_comes_first() {
    let text =
        block("[\"null-move\", \"futility\"]", "budgets = [{ depth = 3 }, { nodes = 9 }]\nrepeats = 2");
    let plan = plan(&text).unwrap();
    assert_eq!(plan.len(), 24 * 2 * (3 + 2));
    let keys: Vec<CellKey> = plan.keys().collect();
    assert_eq!(keys.len(), plan.len());
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    for unit in keys.chunks(5) {
        let names: Vec<_> = unit.iter().map(|key| (key.methods.as_str(), key.repeat)).collect();
        assert_eq!(names, [("none", 0), ("null-move", 0), ("futility", 0), ("none", 1), ("none", 2)]);
        assert!(unit.iter().all(|key| key.position == unit[0].position && key.budget == unit[0].budget));
    }
}

#[test]
fn blocks_that_overlap_share_their_units() {
    let one = block("[\"null-move\"]", "budgets = [{ depth = 3 }]");
    let two = block("[\"futility\", \"none\"]", "budgets = [{ depth = 3 }, { depth = 4 }]\nlimit = 1");
    let plan = plan(&(one + &two)).unwrap();
    let keys: BTreeSet<CellKey> = plan.keys().collect();
    assert_eq!(keys.len(), plan.len());
    let both = plan.units.iter().filter(|unit| unit.methods == [0, 1, 2]).count();
    let stages = plan.games[0].entries.iter().map(|entry| &entry.stage).collect::<BTreeSet<_>>().len();
    assert_eq!(both, stages);
}

/// Rows of one cell cannot have two regrets: the oracle that sees further gives it.
#[test]
fn of_several_oracles_the_deeper_judges() {
    let judging = |oracles: [&str; 2]| {
        let blocks = oracles.map(|oracle| {
            block("[\"null-move\"]", &format!("budgets = [{{ depth = 3 }}, {{ nodes = 9 }}]\n{oracle}"))
        });
        let plan = plan(&blocks.concat())?;
        let allowances: BTreeSet<Option<Allowance>> =
            plan.units.iter().map(|unit| unit.oracle.map(|judged| judged.allowance)).collect();
        assert_eq!(plan.is_judged(), allowances != BTreeSet::from([None]));
        Ok::<_, Error>(allowances)
    };
    assert_eq!(judging(["", ""]).unwrap(), BTreeSet::from([None]));
    for pair in [["oracle = 5", "oracle = 7"], ["oracle = 7", "oracle = 5"], ["", "oracle = 7"]] {
        assert_eq!(judging(pair).unwrap(), BTreeSet::from([Some(Allowance::Depth(7))]), "{pair:?}");
    }
    let error = judging(["", "oracle = \"+2\""]).unwrap_err().to_string();
    assert!(error.contains("no depth to be deeper than"), "{error}");
}

#[test]
fn a_limit_counts_for_each_stage_and_spreads() {
    let entry = |index: usize| Entry {
        id: index.to_string(),
        position: String::new(),
        cluster: String::new(),
        stage: ["a", "b"][index / 70].to_owned(),
        operations: Vec::new(),
        line: 1,
    };
    let entries = (0..100).map(entry).collect();
    let set = Set::new("s", "chess", entries, secateur_positions::Provenance::default());
    for limit in [1, 3, 7, 29, 30, 69, 70, 71] {
        let taken: Vec<&Entry> =
            limited(&set, Some(limit)).into_iter().map(|index| &set.entries[index]).collect();
        let count_of = |stage: &str| taken.iter().filter(|entry| entry.stage == stage).count();
        assert_eq!((count_of("a"), count_of("b")), (limit.min(70), limit.min(30)));
        let lines: Vec<usize> =
            taken.iter().filter(|e| e.stage == "a").map(|e| e.id.parse().unwrap()).collect();
        let gaps = lines.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.clone().max().unwrap_or(0) - gaps.min().unwrap_or(0) <= 1);
    }
    assert_eq!(limited(&set, None).len(), 100);
}

#[test]
fn nothing_is_judged_on_the_positions_that_fitted_it() {
    let text = block("[\"none\"]", "budgets = [{ depth = 3 }]").replace("bratko-kopec", "chess-fit");
    let error = plan(&text).unwrap_err().to_string();
    assert!(error.contains("fitted"), "{error}");
}

#[test]
fn hashes_tell_suites_and_positions_apart() {
    let one = plan(&block("[\"none\"]", "budgets = [{ depth = 3 }]")).unwrap();
    let two = plan(&block("[\"none\"]", "budgets = [{ depth = 4 }]")).unwrap();
    let few = plan(&block("[\"none\"]", "budgets = [{ depth = 3 }]\nlimit = 2")).unwrap();
    assert_ne!(one.cells_hash(), two.cells_hash());
    assert_eq!(one.positions_hash(), two.positions_hash());
    assert_ne!(one.positions_hash(), few.positions_hash());
}
