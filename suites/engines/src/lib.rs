//! A chess engine of somebody else as a child process that speaks UCI (Huber & Meyer-Kahlen, 2000).
//!
//! Nothing that such a program does may stop a run: it may hang, die, flood, or talk nonsense, and each of
//! these is an [`EngineError`] of its own kind, within the patience that the caller gives. Whether a move is
//! legal is not asked here: only the caller has the rules at hand. Pondering and analysis of several lines
//! are left out.

mod claim;
mod error;
mod find;
mod info;
mod leash;
mod options;
mod process;
pub mod replay;
#[cfg(test)]
mod tests;

pub use error::EngineError;
pub use find::find;
pub use info::{Answer, Bound, EngineScore, Info, is_move_text};

use options::Advertised;
use process::Process;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How to start an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// What messages and tables call it.
    pub name: String,
    /// Program: a path, or a bare name that [`find`] looks for.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables of its environment besides those of this program.
    pub env: Vec<(String, String)>,
    /// UCI options by name (case does not matter) and value, set in this order.
    pub options: Vec<(String, String)>,
}

/// What every engine gets, as far as it has the option: one thread, this table, no book, no thinking while others think.
#[must_use]
pub fn manners(hash_mib: usize) -> Vec<(String, String)> {
    let hash = hash_mib.to_string();
    [
        ("Hash", hash.as_str()),
        ("Threads", "1"),
        ("Number of Threads", "1"),
        ("OwnBook", "false"),
        ("Ponder", "false"),
        ("MultiPV", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}

/// What one search is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Position at which the moves begin, as FEN.
    pub fen: &'a str,
    /// Moves played since, in UCI form (`e2e4`, `e7e8q`).
    pub moves: &'a [String],
    /// When to answer.
    pub go: Go,
}

/// When a search is to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// After this many plies.
    Depth(u32),
    /// After about this many nodes, as the engine counts them.
    Nodes(u64),
    /// After this time.
    MoveTime(Duration),
    /// In time for a clock.
    Clock {
        /// What white and black have left.
        time: [Duration; 2],
        /// What white and black get for each move.
        increment: [Duration; 2],
        /// Moves to the next time control; absent if the time is for the whole game.
        moves_to_go: Option<u32>,
    },
}

impl Go {
    fn text(&self) -> String {
        // An engine may take a time of 0 for no limit at all.
        let millis = |time: Duration| time.as_millis().max(1);
        match self {
            Go::Depth(plies) => format!("go depth {plies}"),
            Go::Nodes(nodes) => format!("go nodes {nodes}"),
            Go::MoveTime(time) => format!("go movetime {}", millis(*time)),
            Go::Clock { time: [white, black], increment: [winc, binc], moves_to_go } => {
                let (white, black) = (millis(*white), millis(*black));
                let mut text = format!("go wtime {white} btime {black}");
                text += &format!(" winc {} binc {}", winc.as_millis(), binc.as_millis());
                if let Some(moves) = moves_to_go {
                    text += &format!(" movestogo {moves}");
                }
                text
            }
        }
    }
}

/// A running engine. Dropping it ends the process and everything that the process started.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    id: String,
    advertised: Advertised,
    patience: Duration,
}

impl Engine {
    /// Starts the engine and brings it to `readyok` with its options set. `defaults` are set only where the
    /// engine advertises them and `spec` does not set them itself. Every answer to `uci` and `isready`, now
    /// and later, may take `patience`.
    ///
    /// # Errors
    /// [`EngineError::NotFound`] and [`EngineError::Start`]; [`EngineError::UnknownOption`] and
    /// [`EngineError::BadValue`] before anything is set; otherwise what the engine did instead of answering.
    pub fn start(
        spec: &Spec,
        defaults: &[(String, String)],
        patience: Duration,
    ) -> Result<Engine, EngineError> {
        Engine::start_until(spec, defaults, patience, None)
    }

    /// The same for an engine that is not waited for any longer once `stop` is set: whatever it was asked is then
    /// answered by [`EngineError::Stopped`], and the process is ended.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start_until(
        spec: &Spec,
        defaults: &[(String, String)],
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Engine, EngineError> {
        let mut process = Process::start(spec, stop)?;
        process.send("uci", "uciok")?;
        let (mut id, mut advertised) = (spec.name.clone(), Advertised::default());
        process.wait("uciok", patience, |_, line| {
            if let Some(name) = line.strip_prefix("id name ") {
                id = error::shown(name.trim());
            }
            advertised.hear(line);
            is(line, "uciok").then_some(())
        })?;
        let mut engine = Engine { process, id, advertised, patience };
        for line in engine.advertised.settings(&spec.name, &spec.options, defaults)? {
            engine.process.send(&line, "readyok")?;
        }
        engine.ready()?;
        Ok(engine)
    }

    /// What the engine calls itself (`id name`); the name of its [`Spec`] if it does not say.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the engine has an option of this name; case does not matter.
    #[must_use]
    pub fn has_option(&self, name: &str) -> bool {
        self.advertised.find(name).is_some()
    }

    /// Whether the process can still be talked to. After an error of a search that left it so, the next
    /// search begins as if nothing had happened.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.process.is_alive()
    }

    /// Tells the engine that the next position belongs to another game: it forgets what it searched.
    ///
    /// # Errors
    /// What the engine did instead of answering.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.process.send("ucinewgame", "readyok")?;
        self.ready()
    }

    /// Asks for one search and waits for at most `patience`, then says `stop`, and soon after ends the
    /// process. The time of the answer is counted from `go`, when the engine has the position already.
    ///
    /// # Errors
    /// [`EngineError::Late`], [`EngineError::NoMove`], [`EngineError::BadMove`] and [`EngineError::Claim`] leave an
    /// engine that can be asked again; all others leave none.
    pub fn search(&mut self, ask: &Ask<'_>, patience: Duration) -> Result<Answer, EngineError> {
        let mut position = format!("position fen {}", ask.fen);
        if !ask.moves.is_empty() {
            position += &format!(" moves {}", ask.moves.join(" "));
        }
        self.process.send(&position, "readyok")?;
        // An answer to an earlier question must not be taken for the answer to this one.
        self.ready()?;
        let begun = self.process.send(&ask.go.text(), "bestmove")?;
        let mut heard = info::Heard::default();
        let mut late = false;
        let answer = self.process.wait_or_stop(patience, &mut late, |moment, line| {
            heard.hear(line);
            let said = line.trim_start().strip_prefix("bestmove")?;
            Some((said.split_whitespace().next().unwrap_or("").to_owned(), moment))
        });
        let (said, moment) = answer?;
        let name = self.process.name();
        match said.as_str() {
            _ if late => Err(EngineError::Late { name, patience }),
            "" | "(none)" | "0000" | "NULL" => Err(EngineError::NoMove { name }),
            _ if !is_move_text(&said) => Err(EngineError::BadMove { name, found: error::shown(&said) }),
            _ => {
                let answer = heard.answer(said, moment.saturating_duration_since(begun));
                match claim::impossible(&answer, &ask.go) {
                    Some(what) => Err(EngineError::Claim { name, what }),
                    None => Ok(answer),
                }
            }
        }
    }

    fn ready(&mut self) -> Result<(), EngineError> {
        self.process.send("isready", "readyok")?;
        self.process.wait("readyok", self.patience, |_, line| is(line, "readyok").then_some(()))
    }
}

/// Whether a line is this one word.
fn is(line: &str, word: &str) -> bool {
    line.trim() == word
}
