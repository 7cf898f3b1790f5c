//! An arm of a program made ready: all that it takes to have it search, whether it is measured, counted or judges.
//!
//! Left out: its name and identity in a record, which a plan gives it.

use super::Counted;
use crate::subject::{EngineSubject, Isolation};
use secateur_engines::Spec;
use std::time::Duration;

/// An arm of another program, ready to be started.
#[derive(Clone, Debug)]
pub struct ProgramArm {
    /// What it is started with.
    pub spec: Spec,
    /// Transposition table, MiB.
    pub hash_mib: u32,
    /// What it may take for a search besides a budget of time.
    pub patience: Duration,
    /// The value of a mate on the board, score units.
    pub mate: i32,
    /// What its searches share.
    pub isolation: Isolation,
    /// Arguments that say a level, as of [`crate::program::Program::level`].
    pub level: Vec<String>,
    /// How its instructions are counted.
    pub counted: Counted,
}

impl ProgramArm {
    /// Who searches for it, with times of the processor.
    #[must_use]
    pub fn subject(&self) -> EngineSubject {
        self.by_wall_time().by_cpu()
    }

    /// The same with wall times.
    #[must_use]
    pub fn by_wall_time(&self) -> EngineSubject {
        let subject = EngineSubject::new(self.spec.clone(), self.hash_mib, self.patience, self.mate);
        subject.isolated(self.isolation).levelled(&self.level)
    }
}
