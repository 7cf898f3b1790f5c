//! What can go wrong with an engine, one kind for each.

use super::number::Unread;
pub(super) use super::number::shown;
use std::time::Duration;

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
#[error("engine `{engine}`: {fault}")]
pub struct EngineError {
    /// What messages call it; its command if there is no such program or none that can be started.
    pub engine: String,
    /// What happened.
    pub fault: Fault,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no such program; where it was looked for, in words.
    #[error("not found {0}")]
    NotFound(&'static str),
    /// The system cannot start the program.
    #[error("cannot be started: {source}{}", hint(source))]
    Start {
        /// What the system said.
        source: std::io::Error,
    },
    /// The engine has no such option.
    #[error("no option `{option}`; {instead}")]
    UnknownOption {
        /// The option that was asked for.
        option: String,
        /// The option that looks most like it, or those that exist, in words.
        instead: String,
    },
    /// The option does not take such a value.
    #[error("option `{option}`: found `{value}`, expected {expected}")]
    BadValue {
        /// The option.
        option: String,
        /// The value that was asked for.
        value: String,
        /// The values that it takes, in words.
        expected: String,
    },
    /// No answer in time, not even to `stop`; the process was ended.
    #[error("hangs: no {expected} within {}{}", seconds(*patience), last(observed))]
    Hung {
        /// What should have come.
        expected: &'static str,
        /// How long it was waited for, not counting the wait after `stop`.
        patience: Duration,
        /// The last line that came, if any.
        observed: Option<String>,
    },
    /// Not ready in time, for a reason that is known of such programs; the process was ended.
    #[error("not ready within {}: {why}", seconds(*patience))]
    Unready {
        /// How long it was waited for.
        patience: Duration,
        /// What it may have been at, and what helps.
        why: &'static str,
    },
    /// The search had to be stopped, and was. The engine can be asked again.
    #[error("late: no {expected} within {}, but after stop", seconds(*patience))]
    Late {
        /// What should have come.
        expected: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// The process ended by itself.
    #[error("died ({status}) before {expected}{}", last_words(observed, error))]
    Died {
        /// How it ended.
        status: String,
        /// What should have come.
        expected: &'static str,
        /// The last line that came, if any.
        observed: Option<String>,
        /// The last line of its standard error, if any.
        error: Option<String>,
    },
    /// More output than any answer needs; the process was ended.
    #[error("floods: {what} before {expected}")]
    Flood {
        /// How much.
        what: String,
        /// What should have come.
        expected: &'static str,
    },
    /// An answer without a move; this is what comes with one. The engine can be asked again.
    #[error("{0} without a move")]
    NoMove(&'static str),
    /// An answer with something that cannot be a move. The engine can be asked again.
    #[error("{expected} `{text}`: expected a move such as {such}")]
    BadMove {
        /// What comes with a move.
        expected: &'static str,
        /// What it said.
        text: String,
        /// How a move looks.
        such: &'static str,
    },
    /// Its protocol has no words for the question, or it says that it does not know them. The engine can be asked again.
    #[error("cannot be asked for {what}: {why}")]
    Unable {
        /// What was to be asked, in words.
        what: String,
        /// Why it cannot be.
        why: String,
    },
    /// What was asked makes no sense to the engine, or cannot be written for it. The engine can be asked again.
    #[error("found {what} `{text}`, expected {expected}")]
    Refused {
        /// What was refused, in words.
        what: &'static str,
        /// The text of it, or what the engine said to it.
        text: String,
        /// What can be asked.
        expected: &'static str,
    },
    /// What it says of its search cannot be true. The engine can be asked again.
    #[error("claims what cannot be: {0}")]
    Claim(String),
    /// It said a number of its search that cannot be read. The engine can be asked again.
    #[error("{0}")]
    Unread(Unread),
    /// The wait was given up because somebody wants this program to end; the process was ended.
    #[error("not waited for any longer")]
    Stopped,
    /// The engine ended earlier and was asked again.
    #[error("has ended already")]
    Ended,
}

/// What a program did, or what it did instead.
pub(super) type Done<T = ()> = Result<T, Fault>;

impl Fault {
    /// The error of an engine that is called so.
    pub(super) fn of(self, engine: &str) -> EngineError {
        EngineError { engine: engine.to_owned(), fault: self }
    }

    /// Whether the engine is still there to be asked again.
    pub fn is_survived(&self) -> bool {
        use Fault::{BadMove, Claim, Late, NoMove, Refused, Unable, Unread};
        matches!(self, Late { .. } | NoMove(_) | BadMove { .. } | Claim(_) | Unread(_))
            || matches!(self, Unable { .. } | Refused { .. })
    }
}

/// What the system may mean by it: it calls a file without an interpreter a file that is not there.
fn hint(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::NotFound;
    match source.kind() {
        NotFound => {
            "; the interpreter in its first line, its loader, or the folder that it starts in is not there"
        }
        // ENOEXEC, which has no kind of its own.
        _ if source.raw_os_error() == Some(8) => {
            "; expected a program for this system, or a script with `#!/bin/sh` or another interpreter in its first line"
        }
        _ => "",
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn last_words(observed: &Option<String>, error: &Option<String>) -> String {
    match error {
        Some(line) => format!("; {}", ends_with(line)),
        None => last(observed),
    }
}

/// What a program wrote last to its standard error, in words.
pub fn ends_with(line: &str) -> String {
    format!("its standard error ends with `{line}`")
}

fn last(observed: &Option<String>) -> String {
    observed
        .as_ref()
        .map_or_else(|| "; it said nothing".to_owned(), |line| format!("; it said `{line}` last"))
}
