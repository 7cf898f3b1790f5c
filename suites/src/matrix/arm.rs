//! An arm of a plan: who searches, under which name.

use crate::program::ProgramArm;
use crate::setups::arm::Arm;
use crate::setups::methods::{self, promises};
use crate::setups::setup::Setup;
use crate::subject::{EngineSubject, Subject};
use secateur_core::prune::{Methods, SetupError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// One arm of a game.
#[derive(Clone, Debug)]
pub struct ArmPlan {
    /// Its name, the column `methods` of the record.
    pub name: String,
    /// What it is made of, the column `params`: another version or setting is another thing.
    pub params: String,
    /// Who searches.
    pub source: Source,
    /// The same as `params` in words, by what it is, where that is known.
    pub made: BTreeMap<String, String>,
}

/// Who searches for an arm.
#[derive(Clone, Debug)]
pub enum Source {
    /// Our own search with a method set.
    Host(Box<HostArm>),
    /// Another program with its switches.
    Program(Box<ProgramArm>),
    /// Anybody else.
    Other(Make),
}

/// A method set of our own search, set up.
#[derive(Clone, Debug)]
pub struct HostArm {
    /// The methods.
    pub arm: Arm,
    /// The same, set up.
    pub ready: Methods,
    /// The probabilities that methods promise.
    pub promised: BTreeMap<&'static str, f64>,
    /// What decides the claims of a method (the audit, in `suites/src/subject/host.rs`): the arm without it. Empty without an audit.
    pub without: BTreeMap<&'static str, Methods>,
}

/// Makes a subject, once for each thread.
#[derive(Clone)]
pub struct Make(pub Arc<dyn Fn() -> Box<dyn Subject> + Send + Sync>);

impl fmt::Debug for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Make")
    }
}

impl ArmPlan {
    /// A method set of our own search, under its own name.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method says that cannot be set up.
    pub fn host(setup: &Setup, arm: &Arm, audited: bool) -> Result<ArmPlan, SetupError> {
        let (numbers, ready) = setup.equipped(arm)?;
        let mut without = BTreeMap::new();
        for method in arm.set.indices().filter(|_| audited) {
            without.insert(methods::name(method), setup.equip(&arm.without(method))?);
        }
        let promised = promises(&arm.set, &numbers).into_iter().collect();
        let (name, params) = (arm.to_string(), setup.identity(&arm.set, &numbers, &ready));
        let source = Source::Host(Box::new(HostArm { arm: arm.clone(), ready, promised, without }));
        Ok(ArmPlan { name, params, source, made: BTreeMap::new() })
    }

    /// Anybody else. `params` stands for everything that decides what the subject searches: version, settings.
    #[must_use]
    pub fn other(
        name: &str,
        params: &str,
        make: impl Fn() -> Box<dyn Subject> + Send + Sync + 'static,
    ) -> ArmPlan {
        let source = Source::Other(Make(Arc::new(make)));
        ArmPlan { name: name.to_owned(), params: params.to_owned(), source, made: BTreeMap::new() }
    }

    /// The same arm with wall times, if it is one of another program: for comparisons of several programs, of which one may not
    /// tell what the processor took.
    #[must_use]
    pub(crate) fn by_wall_time(self) -> ArmPlan {
        match self.source {
            Source::Program(arm) => {
                let source =
                    Source::Other(Make(Arc::new(move || Box::new(EngineSubject::new((*arm).clone())))));
                ArmPlan { source, ..self }
            }
            _ => self,
        }
    }

    /// The method set, if the arm is our own search.
    #[must_use]
    pub fn host_arm(&self) -> Option<&HostArm> {
        match &self.source {
            Source::Host(host_arm) => Some(host_arm),
            Source::Program(_) | Source::Other(_) => None,
        }
    }

    /// The program, if the arm is one of another program with switches.
    #[must_use]
    pub fn program(&self) -> Option<&ProgramArm> {
        match &self.source {
            Source::Program(program) => Some(program),
            Source::Host(_) | Source::Other(_) => None,
        }
    }
}
