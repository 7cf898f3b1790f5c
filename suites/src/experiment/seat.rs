//! The arms of a program made ready for a plan: each is started once, so that a run cannot begin on something that is not there.

use crate::error::Error;
use crate::machine::hash_of_file;
use crate::matrix::ArmPlan;
use crate::program::{Lined, Program, Switching};
use crate::subject::{EngineSubject, Subject};
use secateur_record::manifest::ProgramEntry;

impl Lined {
    /// The arms, each started once, so that a run cannot begin on something that does not exist, and the program as records
    /// name it. `mate` is the value of a mate on the board, score units.
    ///
    /// # Errors
    /// A program or an option that does not exist, or a program that does not answer.
    pub(crate) fn seated(&self, mate: i32) -> Result<(Vec<ArmPlan>, ProgramEntry), Error> {
        let (mut arms, mut entry) = (Vec::new(), None);
        for arm in &self.arms {
            let (made, found) = self.program.seated(arm, mate)?;
            arms.push(made);
            entry.get_or_insert(found);
        }
        Ok((arms, entry.unwrap_or_default()))
    }
}

impl Program {
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
            path: path.display().to_string(),
        };
        let params = self.identity(&spec, &entry.binary);
        let (hash_mib, patience, fresh) = (self.hash_mib, self.patience, self.fresh);
        let make = move || -> Box<dyn Subject> {
            Box::new(EngineSubject::new(spec.clone(), hash_mib, patience, mate).fresh(fresh))
        };
        Ok((ArmPlan::other(&arm.name, &params, make), entry))
    }
}
