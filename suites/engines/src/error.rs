//! What can go wrong with an engine, one kind for each, and whose fault it is.

use super::number::Unread;
pub(super) use super::number::shown;
use std::path::PathBuf;
use std::time::Duration;

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no such program.
    #[error("engine `{}`: not found {looked}", command.display())]
    NotFound {
        /// What was to be started.
        command: PathBuf,
        /// Where it was looked for, in words.
        looked: &'static str,
    },
    /// The system cannot start the program.
    #[error("engine `{}`: cannot be started: {source}{}", command.display(), hint(source))]
    Start {
        /// The program.
        command: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The engine has no such option.
    #[error(
        "engine `{name}`: no option `{option}`{}",
        match hint { Some(near) => format!("; did you mean `{near}`?"), None => format!("; it has: {existing}") }
    )]
    UnknownOption {
        /// The engine.
        name: String,
        /// The option that was asked for.
        option: String,
        /// The options that exist, in words.
        existing: String,
        /// The option that looks most like it, if one does.
        hint: Option<String>,
    },
    /// The option does not take such a value.
    #[error("engine `{name}`: option `{option}`: found `{value}`, expected {expected}")]
    BadValue {
        /// The engine.
        name: String,
        /// The option.
        option: String,
        /// The value that was asked for.
        value: String,
        /// The values that it takes, in words.
        expected: String,
    },
    /// No answer in time, not even to `stop`; the process was ended.
    #[error("engine `{name}`: hangs: no {expected} within {}{}", seconds(*patience), last(observed))]
    Hung {
        /// The engine.
        name: String,
        /// What should have come.
        expected: &'static str,
        /// How long it was waited for, not counting the wait after `stop`.
        patience: Duration,
        /// The last line that came, if any.
        observed: Option<String>,
    },
    /// Not ready in time, for a reason that is known of such programs; the process was ended.
    #[error("engine `{name}`: not ready within {}: {why}", seconds(*patience))]
    Unready {
        /// The engine.
        name: String,
        /// How long it was waited for.
        patience: Duration,
        /// What it may have been at, and what helps.
        why: &'static str,
    },
    /// The search had to be stopped, and was. The engine can be asked again.
    #[error("engine `{name}`: late: no {expected} within {}, but after stop", seconds(*patience))]
    Late {
        /// The engine.
        name: String,
        /// What should have come.
        expected: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// The process ended by itself.
    #[error("engine `{name}`: died ({status}) before {expected}{}", last_words(observed, error))]
    Died {
        /// The engine.
        name: String,
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
    #[error("engine `{name}`: floods: {what} before {expected}")]
    Flood {
        /// The engine.
        name: String,
        /// How much.
        what: String,
        /// What should have come.
        expected: &'static str,
    },
    /// An answer without a move. The engine can be asked again.
    #[error("engine `{name}`: {expected} without a move")]
    NoMove {
        /// The engine.
        name: String,
        /// What comes with a move.
        expected: &'static str,
    },
    /// An answer with something that cannot be a move. The engine can be asked again.
    #[error("engine `{name}`: {expected} `{text}`: expected a move such as {such}")]
    BadMove {
        /// The engine.
        name: String,
        /// What comes with a move.
        expected: &'static str,
        /// What it said.
        text: String,
        /// How a move looks.
        such: &'static str,
    },
    /// Its protocol has no words for the question, or it says that it does not know them. The engine can be asked again.
    #[error("engine `{name}`: cannot be asked for {what}: {why}")]
    Unable {
        /// The engine.
        name: String,
        /// What was to be asked, in words.
        what: String,
        /// Why it cannot be.
        why: String,
    },
    /// What was asked makes no sense to the engine, or cannot be written for it. The engine can be asked again.
    #[error("engine `{name}`: found {what} `{text}`, expected {expected}")]
    Refused {
        /// The engine.
        name: String,
        /// What was refused, in words.
        what: &'static str,
        /// The text of it, or what the engine said to it.
        text: String,
        /// What can be asked.
        expected: &'static str,
    },
    /// What it says of its search cannot be true. The engine can be asked again.
    #[error("engine `{name}`: claims what cannot be: {what}")]
    Claim {
        /// The engine.
        name: String,
        /// The claim.
        what: String,
    },
    /// It said a number of its search that cannot be read. The engine can be asked again.
    #[error("engine `{name}`: {unread}")]
    Unread {
        /// The engine.
        name: String,
        /// The number, and where it stands.
        unread: Unread,
    },
    /// The wait was given up because somebody wants this program to end; the process was ended.
    #[error("engine `{name}`: not waited for any longer")]
    Stopped {
        /// The engine.
        name: String,
    },
    /// The engine ended earlier and was asked again.
    #[error("engine `{name}`: has ended already")]
    Ended {
        /// The engine.
        name: String,
    },
}

impl EngineError {
    /// Whether the caller wrote something wrong, rather than the engine.
    pub fn is_input(&self) -> bool {
        use EngineError::{BadValue, NotFound, Refused, Start, Unable, UnknownOption};
        matches!(self, NotFound { .. } | Start { .. } | UnknownOption { .. } | BadValue { .. })
            || matches!(self, Unable { .. } | Refused { .. })
    }

    /// Whether the engine is still there to be asked again.
    pub fn is_survived(&self) -> bool {
        use EngineError::{BadMove, Claim, Late, NoMove, Refused, Unable, Unread};
        matches!(self, Late { .. } | NoMove { .. } | BadMove { .. } | Claim { .. } | Unread { .. })
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
