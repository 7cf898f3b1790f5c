//! Why a command ends badly, and with which exit code.

use crate::cli::say::message;
use secateur_lab::fit::FitError;
use secateur_lab::train::TrainError;
use secateur_record::Blame;
use secateur_stats::compare::Incomparable;
use secateur_stats::read::ReadError;
use secateur_suites::error::Error;
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
    /// Whether something went wrong: a verdict is a result, and a run that was stopped was asked to stop.
    is_error: bool,
}

impl Failure {
    /// The tool or the file system failed.
    pub fn system(message: impl ToString) -> Failure {
        Failure { code: 1, message: message.to_string(), is_error: true }
    }

    /// Bad usage or bad input.
    pub fn input(message: impl ToString) -> Failure {
        Failure { code: 2, message: message.to_string(), is_error: true }
    }

    /// A verdict: a check found a difference, or something is worse.
    pub fn gate(message: impl ToString) -> Failure {
        Failure { code: 3, message: message.to_string(), is_error: false }
    }

    /// Incomplete, or not comparable.
    pub fn incomplete(message: impl ToString) -> Failure {
        Failure { code: 4, message: message.to_string(), is_error: true }
    }

    /// Incomplete, because the user stopped it.
    pub fn stopped(message: impl ToString) -> Failure {
        Failure { is_error: false, ..Failure::incomplete(message) }
    }

    fn blamed(blame: Blame, error: impl ToString) -> Failure {
        match blame {
            Blame::System => Failure::system(error),
            Blame::Input => Failure::input(error),
            Blame::Incomparable => Failure::incomplete(error),
        }
    }

    /// The same with more to say.
    pub fn with(self, more: &str) -> Failure {
        Failure { message: self.message + more, ..self }
    }

    /// The file system failed at `path`; a file that is not there is a wrong argument like any other.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        move |error| {
            let message = format!("{}: {error}", path.display());
            match error.kind() {
                io::ErrorKind::NotFound => Failure::input(message),
                _ => Failure::system(message),
            }
        }
    }

    /// Bad input at a place: in a file, an option, a name.
    pub fn at<E: ToString>(place: impl std::fmt::Display) -> impl FnOnce(E) -> Failure {
        move |error| Failure::input(format!("{place}: {}", error.to_string()))
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says the message and gives the code to the shell.
    pub fn report(&self) -> ExitCode {
        message(&format!("{}{}\n", if self.is_error { "error: " } else { "" }, self.message));
        ExitCode::from(self.code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::blamed(error.blame(), error)
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
        match error {
            FitError::Record(error) => error.into(),
            FitError::Positions(error) => error.into(),
            _ => Failure::input(error),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_a_wrong_argument_and_a_verdict_is_no_error() {
        let at = Path::new("gone.toml");
        let ended = |kind: io::ErrorKind| Failure::io(at)(kind.into());
        assert_eq!(ended(io::ErrorKind::NotFound).code, 2);
        assert_eq!(ended(io::ErrorKind::PermissionDenied).code, 1);
        let kinds =
            [Failure::gate("worse"), Failure::stopped("stopped"), Failure::incomplete("cells failed")];
        assert_eq!(
            kinds.map(|failure| (failure.code, failure.is_error)),
            [(3, false), (4, false), (4, true)]
        );
    }
}
