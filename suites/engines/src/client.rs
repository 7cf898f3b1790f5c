//! The seam between what all programs share and what is said in one protocol.
//!
//! [`Engine`](super::Engine) starts and ends processes, waits, measures and judges; a client knows the words. Whatever a
//! program does instead of answering is met in one place, so a client has nothing to do with it: its waits come back with
//! an error, which it hands on. Rules of games are left out here too.

use super::info::Act;
use super::observed::Observed;
use super::options::Advertised;
pub(super) use super::options::Wishes;
use super::process::Process;
use super::{Abilities, Ask, EngineError, Go};
use std::fmt;

/// The words of one protocol, and what one program said of itself in it.
pub(super) trait Client: fmt::Debug + Send {
    /// Arguments that the program gets after those of its user.
    ///
    /// # Errors
    /// A wish that cannot be granted.
    fn arguments(&self, wishes: &Wishes<'_>) -> Result<Vec<String>, EngineError> {
        let _ = wishes;
        Ok(Vec::new())
    }

    /// Brings a program that was just started to where it can be asked, with its options set.
    ///
    /// # Errors
    /// A wish that cannot be granted, before any is; what the program did instead of answering.
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Result<(), EngineError>;

    /// What the program calls itself, once it was greeted.
    fn id(&self) -> Option<&str>;

    /// What it can be asked, once it was greeted.
    fn abilities(&self) -> Abilities;

    /// Its options.
    fn options(&self) -> Option<&Advertised> {
        None
    }

    /// Has it forget what it searched.
    ///
    /// # Errors
    /// What the program did instead of answering.
    fn new_game(&mut self, process: &mut Process) -> Result<(), EngineError>;

    /// Brings it to the position of a question and to its budget, so that [`Client::go`] is all that is left to say. What it
    /// still had to say of an earlier question is observed here, as far as the protocol allows.
    ///
    /// # Errors
    /// A position or a budget that it refuses; what it did instead of answering.
    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>) -> Result<(), EngineError>;

    /// The line at which the search begins. The time is counted from here.
    fn go(&self, ask: &Ask<'_>) -> String;

    /// What a line of a search means: something of the search, for `observed`, or its end.
    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said>;

    /// The line that ends a search early.
    fn stop(&self) -> Option<&'static str> {
        None
    }

    /// Whether it has given the game up since its last move, on the time of the other player.
    fn gave_up(&self) -> bool {
        false
    }

    /// After a search: whatever it takes that the program waits.
    ///
    /// # Errors
    /// The process cannot be talked to.
    fn decide(&mut self, process: &mut Process) -> Result<(), EngineError> {
        let _ = process;
        Ok(())
    }

    /// The deepest iteration that such a question allows, plies.
    fn deepest(&self, ask: &Ask<'_>) -> Option<u32> {
        if let Go::Depth(plies) = ask.go { Some(plies) } else { None }
    }

    /// What the end of a search is called, and a move as it should look.
    fn answer(&self) -> (&'static str, &'static str);
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// With this move.
    Move(String),
    /// Without a move, with this in place of one.
    Instead(Act),
    /// Without a move, and without a word for why.
    Nothing,
    /// With this, which is no move.
    Nonsense(String),
    /// With these words against the question.
    Refused(String),
}

impl Said {
    /// What `text` means where a move was asked for: `mv`, if it is one, else what is said in place of a move. The words are the
    /// same in every protocol, because programs carry them from one to the next.
    pub(super) fn of(text: &str, mv: Option<String>) -> Said {
        let text = text.trim();
        match (mv, text.to_ascii_lowercase().as_str()) {
            (Some(mv), _) => Said::Move(mv),
            (None, "resign" | "resigns") => Said::Instead(Act::Resigns),
            (None, "win") => Said::Instead(Act::ClaimsWin),
            (None, "" | "(none)" | "0000" | "null") => Said::Nothing,
            (None, _) => Said::Nonsense(text.to_owned()),
        }
    }
}
