//! Why a command ends badly, and with which exit code.

use crate::cli::say::message;
use secateur_calibrate::fit::FitError;
use secateur_calibrate::grades::GradesError;
use secateur_calibrate::train::TrainError;
use secateur_stats::compare::Incomparable;
use secateur_stats::read::ReadError;
use secateur_suites::error::{Blame, Error};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The result of a verb.
pub type Outcome = Result<(), Failure>;

/// A message for people and an exit code for scripts.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// The tool or the file system failed.
    pub fn system(message: impl ToString) -> Failure {
        Failure { code: 1, message: message.to_string() }
    }

    /// Bad usage or bad input.
    pub fn input(message: impl ToString) -> Failure {
        Failure { code: 2, message: message.to_string() }
    }

    /// A gate was breached.
    pub fn gate(message: impl ToString) -> Failure {
        Failure { code: 3, message: message.to_string() }
    }

    /// Incomplete, or not comparable.
    pub fn incomplete(message: impl ToString) -> Failure {
        Failure { code: 4, message: message.to_string() }
    }

    /// The same with more to say.
    pub fn with(self, more: &str) -> Failure {
        Failure { message: self.message + more, ..self }
    }

    /// The file system failed at `path`.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        move |error| Failure::system(format!("{}: {error}", path.display()))
    }

    /// Says the message and gives the code to the shell.
    pub fn report(&self) -> ExitCode {
        message(&format!("error: {}\n", self.message));
        ExitCode::from(self.code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error.blame() {
            Blame::System => Failure::system(error),
            Blame::Input => Failure::input(error),
            Blame::Incomparable => Failure::incomplete(error),
        }
    }
}

impl From<secateur_suites::shards::Error> for Failure {
    fn from(error: secateur_suites::shards::Error) -> Failure {
        match error.blame() {
            Blame::System => Failure::system(error),
            Blame::Input => Failure::input(error),
            Blame::Incomparable => Failure::incomplete(error),
        }
    }
}

impl From<secateur_record::Error> for Failure {
    fn from(error: secateur_record::Error) -> Failure {
        Error::from(error).into()
    }
}

impl From<secateur_positions::Error> for Failure {
    fn from(error: secateur_positions::Error) -> Failure {
        if error.is_io() { Failure::system(error) } else { Failure::input(error) }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::Conflict { .. } => Failure::incomplete(error),
            // A run that is not there is a wrong argument like any other.
            _ => Failure::input(error),
        }
    }
}

impl From<Incomparable> for Failure {
    fn from(error: Incomparable) -> Failure {
        match error {
            // A name that is not there is bad usage.
            Incomparable::NoSuchMethods { .. } => Failure::input(error),
            _ => Failure::incomplete(format!("not comparable: {error}")),
        }
    }
}

impl From<FitError> for Failure {
    fn from(error: FitError) -> Failure {
        match &error {
            FitError::Io { .. } => Failure::system(error),
            FitError::Positions(source) if source.is_io() => Failure::system(error),
            _ => Failure::input(error),
        }
    }
}

impl From<GradesError> for Failure {
    fn from(error: GradesError) -> Failure {
        match error {
            GradesError::Stopped | GradesError::Differs { .. } => Failure::incomplete(error),
            GradesError::Record(error) => error.into(),
            GradesError::Openings(error) => error.into(),
            GradesError::Train(error) => error.into(),
            GradesError::Fit(error) => error.into(),
            GradesError::Game(_) | GradesError::Evaluation { .. } => Failure::input(error),
        }
    }
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Failure {
        match error {
            TrainError::Setting { .. } | TrainError::Games { .. } => Failure::input(error),
            _ => Failure::system(error),
        }
    }
}
