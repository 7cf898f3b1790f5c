//! The searches of one arm of a program, one after another in a process under callgrind whose counting is begun and ended from outside:
//! from the line that begins a search to its answer.
//!
//! valgrind listens to its own program `vgdb` while what it runs is running or waits for a line. So nothing has to be
//! subtracted: start-up, options, tables and positions are over when the counters are set to zero, and one process counts
//! many searches; what differs between two start-ups, which is more than a short search takes, is in no count. With a symbol
//! callgrind itself counts within that function only, and the lines of the protocol fall away too.
//!
//! Everything that was started is counted, wrappers, children and all threads; each is a file of counts, and their sum is the
//! count. Counting is switched on when start-up is over, which by then has been several times as fast.
//!
//! As in a run the process is told to forget before each search, or made anew where the subject file asks for that or the protocol has
//! no word for it. What a program does instead of answering costs its own searches; valgrind itself not obeying ends all.

use secateur_engines::{Ask, Engine, EngineError, Fault, Spec, find, manners};
use secateur_suites::allowance::Allowance;
use secateur_suites::program::ProgramArm;
use secateur_suites::subject::manners_within;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What valgrind may take to obey: a moment, unless it cannot be reached at all.
const OBEYS: Duration = Duration::from_secs(30);
/// How often it is asked whether it has.
const GLANCE: Duration = Duration::from_millis(5);
/// What the names of its pipes begin with, and what stands before the number of the process in one of them.
const PIPES: (&str, &str) = ("vgdb", "vgdb-to-vgdb-from-");
/// What the names of its files of counts begin with.
const COUNTS: &str = "counts.";

/// Whether valgrind and its `vgdb` are there.
///
/// # Errors
/// How to install them, on one line.
pub(super) fn available() -> Result<(), String> {
    super::super::callgrind::available()?;
    find(Path::new("vgdb")).map(drop).map_err(|_| "vgdb is not there, which comes with valgrind".to_owned())
}

/// The folder of one process under callgrind and of what it starts.
pub(super) struct Window {
    folder: TempDir,
    /// The processes that are counted.
    counted: Vec<u32>,
}

impl Window {
    pub(super) fn new() -> Result<Window, String> {
        Ok(Window { folder: super::super::program::scratch()?, counted: Vec::new() })
    }

    /// What `spec` is under callgrind: the same program, counted in this window.
    pub(super) fn around(&self, spec: &Spec, symbol: &str) -> Spec {
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        let mut args: Vec<String> = [
            "--tool=callgrind",
            "--cache-sim=no",
            "--branch-sim=no",
            "--instr-atstart=no",
            "--trace-children=yes",
            "--child-silent-after-fork=yes",
            // Threads that wait for each other in loops would else wait for their turn.
            "--fair-sched=try",
            "--vgdb=yes",
        ]
        .map(str::to_owned)
        .to_vec();
        args.push(format!("--vgdb-prefix={}", file(PIPES.0)));
        args.push(format!("--callgrind-out-file={}%p", file(COUNTS)));
        if !symbol.is_empty() {
            args.push(format!("--toggle-collect={symbol}"));
        }
        // The folder that it begins in is not the one that its path is of.
        let command = std::path::absolute(&spec.command).ok().filter(|_| spec.folder.is_some());
        args.push(command.as_ref().unwrap_or(&spec.command).display().to_string());
        args.extend(spec.args.iter().cloned());
        Spec { command: PathBuf::from("valgrind"), args, ..spec.clone() }
    }

    /// Switches counting on in everything that runs now.
    pub(super) fn switch_on(&mut self) -> Result<(), String> {
        self.counted = self.running()?;
        if self.counted.is_empty() {
            return Err("callgrind cannot be reached: it made no pipes for vgdb".to_owned());
        }
        self.tell(&["instrumentation", "on"])
    }

    /// Begins to count.
    pub(super) fn open(&self) -> Result<(), String> {
        self.tell(&["zero"])
    }

    /// What was counted since.
    pub(super) fn close(&self) -> Result<u64, String> {
        let now = self.running()?;
        if let Some(new) = now.iter().find(|pid| !self.counted.contains(pid)) {
            return Err(format!("it started a process while it searched ({new}), which was not counted"));
        }
        self.tell(&["dump"])?;
        let mut sum = 0;
        for file in self.files(COUNTS)? {
            let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            sum += total(&text)?;
            // What stays there would be counted again.
            fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        if sum == 0 {
            return Err(
                "callgrind counted nothing: is the symbol in its binary, and called in a search?".to_owned()
            );
        }
        Ok(sum)
    }

    /// The processes that valgrind runs here.
    fn running(&self) -> Result<Vec<u32>, String> {
        let number = |path: PathBuf| -> Option<u32> {
            let name = path.file_name()?.to_str()?.strip_prefix(PIPES.1)?.to_owned();
            name.split('-').next()?.parse().ok()
        };
        let mut all: Vec<u32> = self.files(PIPES.1)?.into_iter().filter_map(number).collect();
        // One that was killed leaves its pipes behind.
        all.retain(|pid| Path::new("/proc").join(pid.to_string()).exists());
        all.sort_unstable();
        Ok(all)
    }

    /// Files whose names begin so.
    fn files(&self, begin: &str) -> Result<Vec<PathBuf>, String> {
        let folder = self.folder.path();
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let named =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begin));
        Ok(entries.flatten().map(|entry| entry.path()).filter(named).collect())
    }

    /// Tells all of its processes one thing.
    fn tell(&self, arguments: &[&str]) -> Result<(), String> {
        for pid in &self.counted {
            let mut command = Command::new("vgdb");
            command.arg(format!("--vgdb-prefix={}", self.folder.path().join(PIPES.0).display()));
            // One that waits for a line is woken at once.
            command.args(["--max-invoke-ms=1", &format!("--pid={pid}")]).args(arguments);
            let output = limited(&mut command)?;
            if !output.status.success() {
                let errors =
                    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
                return Err(format!("vgdb {}: {}: {errors}", arguments.join(" "), output.status));
            }
        }
        Ok(())
    }
}

/// Runs a program to its end, or kills it when it takes longer than it may.
fn limited(command: &mut Command) -> Result<Output, String> {
    let fail = |error: std::io::Error| format!("vgdb: {error}");
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(fail)?;
    let begun = Instant::now();
    while child.try_wait().map_err(fail)?.is_none() {
        if begun.elapsed() > OBEYS {
            // It may have ended in this moment.
            let _ = child.kill();
            let _ = child.wait();
            let why = "may this process trace others (ptrace)? A container needs the capability SYS_PTRACE";
            return Err(format!("callgrind did not obey vgdb within {} s: {why}", OBEYS.as_secs()));
        }
        std::thread::sleep(GLANCE);
    }
    child.wait_with_output().map_err(fail)
}

/// The sum of a file of counts; one that valgrind began with the process has none.
fn total(text: &str) -> Result<u64, String> {
    let totals = text.lines().filter_map(|line| line.strip_prefix("totals:"));
    let read = |total: &str| {
        let number = total.trim().parse::<u64>();
        number.map_err(|_| format!("callgrind: found `totals:{total}`, expected a number"))
    };
    totals.map(read).sum()
}

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

/// Why a search was not counted; all but the first kind end those after it too.
#[derive(Debug)]
pub(super) enum Halt {
    /// For this reason, which is its own.
    Search(String),
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
        match self.counted(search) {
            Ok(counts) => Ok(Ok(counts)),
            Err(Halt::Search(why)) => Ok(Err(why)),
            Err(halt) => Err(halt),
        }
    }

    fn counted(&mut self, search: &Search<'_>) -> Result<(u64, u64), Halt> {
        let running = self.running.take().filter(|_| self.arm.isolation.keeps());
        let engine = Engine::renewed(running, || self.start(search))?;
        let engine = self.running.insert(engine);
        let window = self.window.as_mut().ok_or_else(|| Halt::Search(String::new()))?;
        let go = match search.allowance {
            Allowance::Depth(_) | Allowance::Nodes(_) => search.allowance.go(),
            Allowance::Time(_) => return Err(Halt::Search("a search by time is not counted".to_owned())),
            Allowance::Level(_) => return Err(Halt::Search("a search by level is not counted".to_owned())),
        };
        let patience = self.arm.patience * SLOWER + search.time * SEARCHES_SLOWER;
        let mut opened = Ok(());
        let answer =
            engine.search_from(&Ask::new(search.position, go), patience, &mut || opened = window.open());
        opened.map_err(Halt::Tool)?;
        Ok((answer?.nodes, window.close().map_err(Halt::Search)?))
    }

    /// A process that has searched once, as in a run: some make their tables only when they are first asked. One that is made
    /// for a single search, or cannot forget, has searched nothing, so that what it makes ready then is counted.
    fn start(&mut self, search: &Search<'_>) -> Result<Engine, Halt> {
        let mut window = Window::new().map_err(Halt::Tool)?;
        let spec = window.around(&self.arm.spec, &self.arm.counted.symbol);
        let options = manners(self.arm.hash_mib as usize);
        let patience = manners_within(self.arm.patience) * SLOWER;
        let mut engine = Engine::start_until(&spec, &options, patience, Some(Arc::clone(self.stop)))?;
        if self.arm.isolation.prepares() {
            engine.warm(search.position, self.arm.patience * SLOWER)?;
        }
        window.switch_on().map_err(Halt::Tool)?;
        self.window = Some(window);
        Ok(engine)
    }
}

impl From<EngineError> for Halt {
    /// What a program did instead of answering costs this search, unless it was told to end.
    fn from(error: EngineError) -> Halt {
        match error.fault {
            Fault::Stopped => Halt::Stopped,
            _ => Halt::Search(format!("under valgrind: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_stands_behind_valgrind_with_its_arguments() {
        let window = Window::new().unwrap();
        let spec = Spec { command: "/games/a b".into(), args: vec!["-x".to_owned()], ..Spec::default() };
        let under = window.around(&spec, "search*");
        assert_eq!(under.command, PathBuf::from("valgrind"));
        assert_eq!(under.args[under.args.len() - 2..], ["/games/a b", "-x"]);
        assert!(under.args.contains(&"--toggle-collect=search*".to_owned()));
        assert!(!window.around(&spec, "").args.iter().any(|arg| arg.contains("toggle")));
    }

    #[test]
    fn counts_are_summed_and_what_is_none_is_refused() {
        assert_eq!(total("events: Ir\n\ntotals: 12\nsummary: 11\ntotals: 3\n").unwrap(), 15);
        assert_eq!(total("").unwrap(), 0);
        assert!(total("totals: x").unwrap_err().contains("expected a number"));
        let window = Window::new().unwrap();
        assert!(window.close().unwrap_err().contains("counted nothing"));
        fs::write(window.folder.path().join("counts.7.1"), "totals: 9\n").unwrap();
        assert_eq!(window.close().unwrap(), 9);
        assert!(window.close().is_err(), "a count is counted once");
    }
}
