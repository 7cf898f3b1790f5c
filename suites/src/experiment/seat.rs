//! The arms of a program made ready for a plan: each is started once, so that a run cannot begin on something that is not there.

use crate::allowance::Allowance;
use crate::engine::{Probe, Spec, Trial, manners};
use crate::error::Error;
use crate::machine::hash_of_file;
use crate::matrix::{ArmPlan, ProgramArm, Source};
use crate::program::{Program, ProgramArms, Switching};
use crate::subject::{EngineSubject, MANNERS};
use secateur_record::manifest::ProgramEntry;
use std::time::Duration;

/// What the searches of a trial may take together.
const TRIED: Duration = Duration::from_secs(40);

impl ProgramArms {
    /// The arms, each started once, so that a run cannot begin on something that does not exist, and the program as records
    /// name it. `mate` is the value of a mate on the board, score units. Budgets other than a depth are
    /// tried once, so that one that the program ignores does not cost the whole patience at every position.
    ///
    /// # Errors
    /// A program or an option that does not exist, or a program that does not answer.
    pub(crate) fn seated(
        &self,
        mate: i32,
        budgets: &[Allowance],
    ) -> Result<(Vec<ArmPlan>, ProgramEntry), Error> {
        let program = self.program.clone().installed()?;
        if let Some(first) = self.arms.first() {
            program.keeps_to(first, budgets)?;
        }
        let (mut arms, mut entry) = (Vec::new(), None);
        for arm in &self.arms {
            let (made, found) = program.seated(arm, mate)?;
            arms.push(made);
            entry.get_or_insert(found);
        }
        Ok((arms, entry.unwrap_or_default()))
    }
}

impl Program {
    /// Tries what it makes of the kinds of budget that it will be asked.
    fn keeps_to(&self, arm: &Switching, budgets: &[Allowance]) -> Result<(), Error> {
        if budgets.iter().all(|budget| matches!(budget, Allowance::Depth(_))) {
            return Ok(());
        }
        let probe = self.probe(arm)?;
        for budget in budgets {
            let (what, outcome) = match budget {
                Allowance::Depth(_) => ("a depth", &probe.depth),
                Allowance::Nodes(_) => ("a number of nodes", &probe.nodes),
                Allowance::Time(_) => ("a time", &probe.time),
            };
            if !outcome.is_answered() {
                let (name, why) = (&self.name, outcome.reason());
                return Err(Error::Usage(format!("{name} cannot be asked for a search of {what}: {why}")));
            }
        }
        Ok(())
    }

    /// What it makes of everything that it could be asked, tried at one position, once it is [installed](Program::installed).
    ///
    /// # Errors
    /// A program that is not there or does not start.
    pub fn probe(&self, arm: &Switching) -> Result<Probe, Error> {
        let spec = self.spec(arm)?;
        self.found(&spec)?;
        let mut moves = Vec::new();
        let trial = Trial::usual(spec.protocol.notation(), &mut moves, TRIED);
        let probe = Probe::of(&spec, &manners(self.hash_mib as usize), &trial, MANNERS);
        probe.map_err(|error| Error::Usage(error.to_string()))
    }

    /// Starts it once as an arm, with all of its options, once it is [installed](Program::installed).
    ///
    /// # Errors
    /// What keeps it from starting.
    pub fn starts(&self, arm: &Switching) -> Result<(), Error> {
        self.seated(arm, 0).map(|_| ())
    }

    fn seated(&self, arm: &Switching, mate: i32) -> Result<(ArmPlan, ProgramEntry), Error> {
        let spec = self.spec(arm)?;
        let path = self.found(&spec)?;
        let engine = EngineSubject::start(&spec, self.hash_mib, None);
        let id = engine.map_err(|error| Error::Usage(error.to_string()))?.id().to_owned();
        let entry = ProgramEntry {
            name: self.name.clone(),
            about: self.about.clone(),
            id,
            binary: hash_of_file(&path),
            published: self.published.clone(),
            path: self.built_from.as_ref().map_or_else(|| path.display().to_string(), ToString::to_string),
        };
        let params = self.identity(&spec, &entry.binary);
        let source = Source::Program(Box::new(ProgramArm {
            spec: Spec { command: path, ..spec },
            hash_mib: self.hash_mib,
            patience: self.patience,
            mate,
            fresh: self.fresh,
            counted: self.counted.clone(),
        }));
        Ok((ArmPlan { name: arm.name.clone(), params, source }, entry))
    }
}
