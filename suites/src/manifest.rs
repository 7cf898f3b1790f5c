//! The manifest of a run that begins here, and the suite that one names: what the manifest itself, which reports read too,
//! cannot know.

use crate::error::Error;
use crate::instruments::clock::utc;
use crate::instruments::machine::git;
use crate::matrix::Plan;
use crate::setups::games::traits;
use crate::solution::solutions;
use crate::suite::Suite;
use secateur_record::record::SCHEMA;
use std::path::Path;
use std::time::SystemTime;

pub use secateur_record::manifest::*;

/// The manifest of a new run of `plan`.
#[must_use]
pub fn of_plan(run: &str, plan: &Plan, argv: Vec<String>, jobs: usize) -> Manifest {
    let game = plan.games.iter().map(|game| GameEntry {
        name: game.name.clone(),
        arms: game.identities(),
        made: game.made(),
        baseline: game
            .arms
            .first()
            .map(|arm| arm.name.clone())
            .filter(|name| name != BASELINE && !plan.manner.turns),
        program: game.program.clone(),
        counting: None,
        judge: game.judges.iter().filter_map(|judge| judge.entry().cloned()).collect(),
        evaluation: game.evaluation.clone(),
        host: game.setup.options.clone(),
        traits: traits(&game.name),
        sets: game.sets.clone(),
        skipped: game.skipped.clone(),
        promises: game.promises(),
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

/// The manifest of a run that begins now, without what is searched: cells, positions, games, suite.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;
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
}
