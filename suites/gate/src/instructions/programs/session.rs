//! The searches of one arm of a program, one after another in a process under callgrind.
//!
//! As in a run the process is told to forget before each, or made anew where the subject file asks for that or the protocol has
//! no word for it. What a program does instead of answering costs its own searches; valgrind itself not obeying ends all.

use super::window::Window;
use secateur_engines::{Ask, Engine, EngineError, Go, manners};
use secateur_suites::program::ProgramArm;
use secateur_suites::subject::manners_within;
use secateur_suites::suite::Allowance;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// By how much longer a program may take for everything but a search, as it runs under valgrind.
const SLOWER: u32 = 10;
/// What it may take under valgrind for a search, as a multiple of what it took without. callgrind is 20 to 100 times slower,
/// and threads take turns.
const SEARCHES_SLOWER: u32 = 300;

/// One search to be counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'a> {
    /// The position as the game writes it.
    pub(super) position: &'a str,
    /// What it may spend: a depth or nodes.
    pub(super) allowance: Allowance,
    /// What the recorded search took.
    pub(super) time: Duration,
}

/// What came of one search: nodes and instructions, or why there are none.
pub(super) type Counted = Result<(u64, u64), String>;

/// Why no more searches were counted.
#[derive(Debug)]
pub(super) enum Halt {
    /// Somebody wants it to end.
    Stopped,
    /// valgrind does not do what it must.
    Tool(String),
}

/// Counts searches of an arm, in order.
pub(super) fn count(
    arm: &ProgramArm,
    searches: &[Search<'_>],
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Counted>, Halt> {
    let mut session = Session { arm, stop, running: None, window: None };
    searches.iter().map(|search| session.count(search)).collect()
}

struct Session<'a> {
    arm: &'a ProgramArm,
    stop: &'a Arc<AtomicBool>,
    running: Option<Engine>,
    window: Option<Window>,
}

impl Session<'_> {
    fn count(&mut self, search: &Search<'_>) -> Result<Counted, Halt> {
        let running = self.running.take().filter(|_| self.arm.isolation.keeps());
        let engine = match Engine::renewed(running, || self.start(search)) {
            Ok(engine) => self.running.insert(engine),
            Err(Failed::Halt(halt)) => return Err(halt),
            Err(Failed::Program(error)) => {
                return told(error).map(|error| Err(format!("under valgrind: {error}")));
            }
        };
        let Some(window) = &mut self.window else { return Ok(Err(String::new())) };
        let go = match search.allowance {
            Allowance::Depth(_) | Allowance::Nodes(_) => search.allowance.go(),
            Allowance::Time(_) => return Ok(Err("a search by time is not counted".to_owned())),
            Allowance::Level(_) => return Ok(Err("a search by level is not counted".to_owned())),
        };
        let patience = self.arm.patience * SLOWER + search.time * SEARCHES_SLOWER;
        let mut opened = Ok(());
        let answer =
            engine.search_from(&Ask::new(search.position, go), patience, &mut || opened = window.open());
        opened.map_err(Halt::Tool)?;
        match answer {
            Ok(answer) => Ok(window.close().map(|instructions| (answer.nodes, instructions))),
            Err(error) => told(error).map(|error| Err(format!("under valgrind: {error}"))),
        }
    }

    /// A process that has searched once, as in a run: some make their tables only when they are first asked. One that is made
    /// for a single search, or cannot forget, has searched nothing, so that what it makes ready then is counted.
    fn start(&mut self, search: &Search<'_>) -> Result<Engine, Failed> {
        let mut window = Window::new().map_err(Halt::Tool)?;
        let spec = window.around(&self.arm.spec, &self.arm.counted.symbol);
        let options = manners(self.arm.hash_mib as usize);
        let patience = manners_within(self.arm.patience) * SLOWER;
        let mut engine = Engine::start_until(&spec, &options, patience, Some(Arc::clone(self.stop)))?;
        if self.arm.isolation.prepares() && engine.abilities().forgets {
            match engine.search(&Ask::new(search.position, Go::Depth(1)), self.arm.patience * SLOWER) {
                // What it says of this search is asked by nobody, nor whether it could be asked.
                Ok(_)
                | Err(EngineError::Claim { .. } | EngineError::Unread { .. } | EngineError::Unable { .. }) => {
                }
                Err(error) => return Err(error.into()),
            }
        }
        window.switch_on().map_err(Halt::Tool)?;
        self.window = Some(window);
        Ok(engine)
    }
}

/// Why there is no process.
enum Failed {
    Program(EngineError),
    Halt(Halt),
}

impl From<EngineError> for Failed {
    fn from(error: EngineError) -> Failed {
        Failed::Program(error)
    }
}

impl From<Halt> for Failed {
    fn from(halt: Halt) -> Failed {
        Failed::Halt(halt)
    }
}

/// What a program did instead of answering, in words, unless it was told to end.
fn told(error: EngineError) -> Result<String, Halt> {
    if matches!(error, EngineError::Stopped { .. }) { Err(Halt::Stopped) } else { Ok(error.to_string()) }
}
