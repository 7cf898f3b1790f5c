//! The manifest of a run that begins here, and the suite that one names: what the manifest itself, which reports read too,
//! cannot know.
//!
//! Solutions of positions, as their author wrote them, are brought to the form of the record: moves as the game writes them. Reading a
//! position file has already refused what is no move.

use crate::error::Error;
use crate::instruments::clock::utc;
use crate::instruments::machine::git;
use crate::matrix::{ArmPlan, Plan};
use crate::setups::games::traits;
use crate::suite::Suite;
use secateur_core::{AnyGame, AnyPosition, Evaluation, Notation, Window};
use secateur_positions::Entry;
use secateur_record::manifest::{BASELINE, FILE, GameEntry, Manifest, Session, Solution};
use secateur_record::record::SCHEMA;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// The manifest of a new run of `plan`.
pub fn of_plan(run: &str, plan: &Plan, argv: Vec<String>, jobs: usize) -> Manifest {
    let promised = |arm: &ArmPlan| {
        let promised = arm.host_arm()?.promised.iter();
        Some((arm.name.clone(), promised.map(|(method, promise)| ((*method).to_owned(), *promise)).collect()))
    };
    let game = plan.games.iter().map(|game| GameEntry {
        name: game.name.clone(),
        arms: game.arms.iter().map(|arm| (arm.name.clone(), arm.params.clone())).collect(),
        made: game.arms.iter().map(|arm| (arm.name.clone(), arm.made.clone())).filter(is_known).collect(),
        baseline: game
            .arms
            .first()
            .map(|arm| arm.name.clone())
            .filter(|name| name != BASELINE && !plan.manner.turns),
        program: game.program.clone(),
        counting: None,
        judge: game.judges.iter().flatten().map(|judge| judge.entry.clone()).collect(),
        evaluation: game.evaluation.clone(),
        host: game.setup.options.clone(),
        traits: traits(&game.name),
        sets: game.sets.clone(),
        skipped: game.skipped.clone(),
        promises: game.arms.iter().filter_map(promised).filter(is_known).collect(),
        solutions: solutions(&game.game, &game.entries, &game.roots),
    });
    Manifest {
        cells: plan.cells_hash(),
        positions: plan.positions_hash(),
        game: game.collect(),
        part: plan.part.clone(),
        suite: plan.document.clone(),
        comparison: plan.comparison.clone(),
        ..begun(run, argv, jobs)
    }
}

/// Whether anything is said of an arm.
fn is_known<V>((_, said): &(String, BTreeMap<String, V>)) -> bool {
    !said.is_empty()
}

/// The manifest of a run that begins now, without what is searched: cells, positions, games, suite.
pub fn begun(run: &str, argv: Vec<String>, jobs: usize) -> Manifest {
    let started = utc(SystemTime::now());
    let session = Session { started: started.clone(), argv, jobs, cores: Vec::new(), git: git() };
    Manifest { run: run.to_owned(), schema: SCHEMA, started, session: vec![session], ..Manifest::default() }
}

/// The suite of the run in `dir`.
///
/// # Errors
/// If it is not one that this build can run.
pub fn suite(manifest: &Manifest, dir: &Path) -> Result<Suite, Error> {
    Suite::parse(&dir.join(FILE), &manifest.suite.to_string())
}

/// Moves with what they are worth, `f4=10, Ne5=7`, if that is all that the text is: a promotion has a sign of its own.
fn graded(text: &str) -> Option<Vec<(&str, u32)>> {
    let grades = text.split(',').map(|item| {
        let (mv, points) = item.rsplit_once('=')?;
        Some((mv.trim(), points.trim().parse().ok().filter(|points| *points <= 1_000_000)?))
    });
    grades.collect()
}

/// The solutions of the positions of a game that have one, by the position's id; `roots` are the positions as the game
/// has them, parallel to `entries`. Reading a position file has
/// already refused moves that are not legal.
pub fn solutions(game: &AnyGame, entries: &[Entry], roots: &[AnyPosition]) -> BTreeMap<String, Solution> {
    let mut solutions = BTreeMap::new();
    for (entry, pos) in entries.iter().zip(roots) {
        let written = |text: &str| Some(game.format_move(pos, game.parse_move(pos, text).ok()?));
        let remark = entry.operation("c0").unwrap_or_default();
        let points = graded(&remark).unwrap_or_default();
        let points: Option<BTreeMap<String, u32>> =
            points.into_iter().map(|(mv, points)| Some((written(mv)?, points))).collect();
        let mut solution = Solution {
            best: entry.best_moves().filter_map(written).collect(),
            avoid: entry.avoid_moves().filter_map(written).collect(),
            mate_in: entry
                .operation("dm")
                .filter(|_| game.attainable(0) != Window::FULL)
                .and_then(|moves| moves.parse().ok())
                .filter(|moves| (1..=1000).contains(moves)),
            points: points.unwrap_or_default(),
        };
        if let Some(most) = solution.points.values().copied().max().filter(|_| solution.best.is_empty()) {
            let best = solution.points.iter().filter(|(_, points)| **points == most);
            solution.best = best.map(|(mv, _)| mv.clone()).collect();
        }
        if solution != Solution::default() {
            solutions.insert(entry.id.clone(), solution);
        }
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::chess::{Chess, MATE};
    use secateur_positions::{Kind, Provenance, builtin, parse};
    use secateur_record::Error;

    fn plan(depth: u32) -> Plan {
        let text = format!(
            "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
             methods = [\"null-move\"]\nbudgets = [{{ depth = {depth} }}]\nlimit = 2\n"
        );
        Plan::new(Suite::parse(Path::new("t.toml"), &text).unwrap()).unwrap()
    }

    #[test]
    fn a_manifest_is_read_as_written_and_holds_its_suite() {
        let plan = plan(3);
        let manifest = of_plan("r", &plan, vec!["bench".to_owned()], 2);
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), manifest.text()).unwrap();
        let back = Manifest::read(dir.path()).unwrap();
        assert_eq!(back, manifest);
        assert_eq!(suite(&back, dir.path()).unwrap(), plan.suite);
        assert!(back.same_as(&manifest, dir.path()).is_ok());
    }

    /// A run begun when the oracle stood at the head goes on with the same one in its blocks, and with no other.
    #[test]
    fn an_oracle_at_the_head_is_the_same_in_the_blocks() {
        let judged = |oracle: &str| {
            let mut plan = plan(3);
            plan.suite.blocks[0].oracle = Some(oracle.parse().unwrap());
            plan.document = toml::Table::try_from(&plan.suite).unwrap();
            of_plan("r", &plan, Vec::new(), 1)
        };
        let new = judged("+2");
        let block = new.suite["block"].as_array().unwrap()[0].as_table().unwrap();
        assert_eq!(block["oracle"].as_str(), Some("+2"));
        let mut old = of_plan("r", &plan(3), Vec::new(), 1);
        old.suite.insert("oracle".to_owned(), "+2".into());
        assert!(old.same_as(&new, Path::new("d")).is_ok());
        assert!(old.same_as(&judged("+3"), Path::new("d")).is_err());
    }

    #[test]
    fn runs_of_different_things_are_told_apart() {
        let old = of_plan("r", &plan(3), Vec::new(), 1);
        let error = old.same_as(&of_plan("r", &plan(4), Vec::new(), 1), Path::new("d")).unwrap_err();
        assert!(matches!(error, Error::Differs { what: "cells", .. }));
        let mut new = old.clone();
        new.suite.insert("audit".to_owned(), toml::Value::Integer(2));
        let error = old.same_as(&new, Path::new("d")).unwrap_err();
        assert!(matches!(error, Error::Differs { what: "audit", .. }));
        for oracle in ["+2", "+3"] {
            new = old.clone();
            new.suite.insert("oracle".to_owned(), oracle.into());
            let error = old.same_as(&new, Path::new("d")).unwrap_err();
            assert!(matches!(error, Error::Differs { what: "oracle", .. }), "{error}");
            assert!(
                error.to_string().contains(&format!("oracle none, but this one has oracle \"{oracle}\""))
            );
        }
        let mut new = old.clone();
        *new.game[0].arms.get_mut("null-move").unwrap() = "0".repeat(16);
        let error = old.same_as(&new, Path::new("d")).unwrap_err();
        assert!(matches!(error, Error::Differs { what: "parameters", .. }));
        let mut new = old.clone();
        new.game[0].solutions.pop_first().expect("Bratko-Kopec positions have solutions");
        let error = old.same_as(&new, Path::new("d")).unwrap_err();
        assert!(matches!(error, Error::Differs { what: "solutions", .. }));
    }

    fn solutions_of(entries: &[Entry]) -> BTreeMap<String, Solution> {
        let game = AnyGame::from(Chess::default());
        let roots: Vec<_> = entries.iter().map(|entry| game.parse(&entry.position).unwrap()).collect();
        solutions(&game, entries, &roots)
    }

    #[test]
    fn moves_are_written_as_records_write_them() {
        let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O Rxa8+; am Kd1; id \"a\";\n\
                    4k3/8/8/8/8/8/8/4K2R w K - am O-O; id \"b\";\n\
                    4k3/8/8/8/8/8/8/R3K3 w Q - id \"c\";\n";
        let game = Chess::default();
        let set = parse(&game, Kind::Epd, "s", "s.epd".as_ref(), text, Provenance::default()).unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.keys().collect::<Vec<_>>(), ["a", "b"]);
        let verdicts = |id: &str| ["e1g1", "a1a8", "e1d1", "h1h2"].map(|mv| solutions[id].accepts(mv));
        assert_eq!(verdicts("a"), [true, true, false, false]);
        assert_eq!(verdicts("b"), [false, true, true, true]);
    }

    #[test]
    fn mates_are_announced_and_moves_have_points() {
        let text = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 1; id \"m\";\n\
                    4k3/P7/8/8/8/8/8/4K3 w - - c0 \"a8=Q=10, a8=R+=7, Kd2 = 2\"; id \"p\";\n\
                    4k3/8/8/8/8/8/8/4K3 w - - c0 \"e=mc2\"; id \"n\";\n\
                    4k3/8/8/8/8/8/8/4K3 w - - c0 \"Qh5=3\"; dm x; id \"i\";\n";
        let game = Chess::default();
        let set = parse(&game, Kind::Epd, "s", "s.epd".as_ref(), text, Provenance::default()).unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.keys().collect::<Vec<_>>(), ["m", "p"], "what cannot be meant so is a remark");
        let mate = |score| solutions["m"].solves("a1b1", Some(score));
        assert!(mate(MATE - 1) && !mate(MATE - 2) && !mate(900) && !mate(-MATE) && !mate(i32::MAX));
        assert!(Solution { mate_in: Some(3), ..Solution::default() }.solves("", Some(MATE - 5)));
        let points = ["a7a8q", "a7a8r", "e1d2", "e1f1"].map(|mv| solutions["p"].points(mv));
        assert_eq!(points, [Some((10, 10)), Some((7, 10)), Some((2, 10)), Some((0, 10))]);
        assert_eq!(
            (solutions["p"].best.as_slice(), solutions["m"].points("a1b1")),
            (&["a7a8q".to_owned()][..], None)
        );
        assert!(solutions["p"].solves("a7a8q", None) && !solutions["p"].solves("a7a8r", None));
    }

    #[test]
    fn every_bratko_kopec_position_has_a_solution() {
        let set = builtin(&Chess::default(), "bratko-kopec").unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.len(), 24);
        assert!(solutions.values().all(|solution| !solution.best.is_empty()));
        let moves = |entry: &Entry| entry.best_moves().count();
        assert!(set.entries.iter().all(|entry| solutions[&entry.id].best.len() == moves(entry)));
    }
}
