//! What the program `cell` does: searches cells one after another, each from a cleared state, and says how many
//! nodes that took.
//!
//! The counted part is one function that is never inlined, entered once a cell; making the searcher, reading the
//! position and dropping the result are outside.
//!
//! The processor's own counter of retired instructions, which most have and Linux gives to programs (perf_event_open), runs at the speed of
//! the search, counts user mode of the searching thread alone, and wobbles by some hundreds; it is absent in many virtual machines and
//! forbidden in many containers.

use super::callgrind::start_instrumentation;
use super::{Count, program};
use secateur_core::Game;
use secateur_core::search::{AnySearch, Limits, Outcome};
use secateur_suites::instruments::clock::thread_time;
use secateur_suites::matrix::{GamePlan, Plan, Unit};
use std::hint::black_box;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// The one function that is counted; callgrind knows it by this name.
///
/// Not generic, so that there is one of it. What it adds is the call through the pointer.
#[inline(never)]
pub(crate) fn measured_search(search: &mut dyn FnMut()) {
    search();
    // Something to do after the call: a jump instead of a return would hide the end of the function.
    black_box(());
}

/// Searches the cells with these indices in the order of [`Plan::keys`] and writes a line for each: index, nodes,
/// and with a `counter` the instructions.
///
/// # Errors
/// An index beyond the plan, a position that cannot be read, or `out`.
pub fn measure(
    plan: &Plan,
    cells: &[usize],
    mut counter: Option<Counter>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let all: Vec<(&Unit, usize)> =
        plan.units.iter().flat_map(|unit| unit.cells().map(move |(methods, _)| (unit, methods))).collect();
    start_instrumentation();
    let mut left = cells;
    while let Some(&first) = left.first() {
        let game = all.get(first).ok_or_else(|| io::Error::other(format!("no cell {first}")))?.0.game;
        let same = |&&cell: &&usize| all.get(cell).is_some_and(|(unit, _)| unit.game == game);
        let (here, next) = left.split_at(left.iter().take_while(same).count());
        let plan = &plan.games[game];
        Cells { plan, all: &all, here, counter: counter.as_mut(), out }.count()?;
        left = next;
    }
    Ok(())
}

/// Cells of one game that follow each other.
struct Cells<'a> {
    plan: &'a GamePlan,
    all: &'a [(&'a Unit, usize)],
    here: &'a [usize],
    counter: Option<&'a mut Counter>,
    out: &'a mut dyn Write,
}

impl Cells<'_> {
    fn count(mut self) -> io::Result<()> {
        let game = &self.plan.game;
        for &index in self.here {
            let (unit, methods) = self.all[index];
            let root = &self.plan.roots[unit.entry];
            let arm = self.plan.arms[methods].host_arm();
            let arm =
                arm.ok_or_else(|| io::Error::other("only our own search is counted in this program"))?;
            let mut search = game.clone().searcher(&arm.ready, self.plan.setup.options.clone());
            let budget = unit.allowance.budget(thread_time);
            let limits = (&budget.ok_or_else(|| io::Error::other("our own search has no levels"))?).into();
            let (nodes, instructions) = counted(search.as_mut(), root, &limits, self.counter.as_deref_mut())?;
            match instructions {
                None => writeln!(self.out, "{index} {nodes}")?,
                Some(count) => writeln!(self.out, "{index} {nodes} {count}")?,
            }
        }
        Ok(())
    }
}

/// One search: nodes, and instructions where they are counted here.
fn counted<G: Game>(
    search: &mut dyn AnySearch<G>,
    root: &G::Position,
    limits: &Limits,
    counter: Option<&mut Counter>,
) -> io::Result<(u64, Option<u64>)> {
    let mut outcome: Option<Outcome<G::Move>> = None;
    let mut work = || outcome = Some(search.go(root, &[], limits, &mut |_| ControlFlow::Continue(())));
    let instructions = match counter {
        None => {
            measured_search(&mut work);
            None
        }
        Some(counter) => Some(counter.around(|| measured_search(&mut work))?),
    };
    let outcome = outcome.ok_or_else(|| io::Error::other("nothing was searched"))?;
    Ok((outcome.tally.nodes, instructions))
}

/// An open counter of the calling thread.
pub struct Counter(
    #[cfg(target_os = "linux")] perf_event::Counter,
    /// There is none: this type has no value.
    #[cfg(not(target_os = "linux"))]
    std::convert::Infallible,
);

impl Counter {
    /// Opens the counter.
    ///
    /// # Errors
    /// Why there is none, on one line.
    #[cfg(not(target_os = "linux"))]
    pub fn open() -> Result<Counter, String> {
        Err("the processor's instruction counter is read on Linux only".to_owned())
    }

    /// Opens the counter.
    ///
    /// # Errors
    /// Why there is none, on one line.
    #[cfg(target_os = "linux")]
    pub fn open() -> Result<Counter, String> {
        use perf_event::events::Hardware;
        let counter = perf_event::Builder::new(Hardware::INSTRUCTIONS).build();
        counter.map(Counter).map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::PermissionDenied => "forbidden; try: sysctl kernel.perf_event_paranoid=2",
                _ => "virtual machines often have none; use --instructions=callgrind",
            };
            format!("the processor's instruction counter is not available ({error}): {hint}")
        })
    }

    /// Instructions of `work`.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn around(&mut self, _: impl FnOnce()) -> io::Result<u64> {
        match self.0 {}
    }

    /// Instructions of `work`.
    #[cfg(target_os = "linux")]
    pub(super) fn around(&mut self, work: impl FnOnce()) -> io::Result<u64> {
        self.0.reset()?;
        self.0.enable()?;
        work();
        self.0.disable()?;
        self.0.read()
    }
}

/// Whether the counter can be opened.
///
/// # Errors
/// Why not, on one line.
pub(super) fn available() -> Result<(), String> {
    Counter::open().map(drop)
}

/// Counts the instructions of cells in one process.
pub(super) fn count(program: &Path, suite: &str, cells: &[usize]) -> Result<Vec<Count>, String> {
    let mut command = Command::new(program);
    command.arg("--hardware").arg(suite).arg(program::names(cells));
    let lines = program::counts(&program::finished(&mut command)?)?;
    let count = |(&cell, count): (&usize, &Count)| match count.instructions {
        1.. if count.cell == cell => Ok(*count),
        found => Err(format!("the processor counted {found} instructions for cell {cell}")),
    };
    if lines.len() != cells.len() {
        return Err(format!("found {} counts for {} cells", lines.len(), cells.len()));
    }
    cells.iter().zip(&lines).map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_suites::cell::{Cell as Native, run_cell};
    use secateur_suites::subject::{Host, Task};
    use secateur_suites::suite::Suite;
    use std::path::Path;

    /// Searches a cell as `bench` does.
    fn switched(plan: &Plan, unit: &Unit, methods: usize) -> u64 {
        let game_plan = &plan.games[unit.game];
        let (own, none) = (game_plan.arms[methods].host_arm().unwrap(), std::collections::BTreeMap::new());
        let mut search =
            Host::new((&game_plan.game, &game_plan.setup.options), &own.ready, 0, &none, &own.promised);
        let key = plan.key(unit, (methods, 0));
        let entry = &game_plan.entries[unit.entry];
        let cell = Native { run: "r", key: &key, entry };
        let root = &game_plan.roots[unit.entry];
        let allowance = unit.allowance;
        let task = Task { position: &entry.position, root, allowance, clock: thread_time, stop: None };
        run_cell(&mut search, &game_plan.game, &cell, &task).record.nodes.unwrap_or(0)
    }

    #[test]
    fn the_counted_search_visits_the_nodes_of_the_recorded_one() {
        let block = |game: &str, set: &str, depth: u32| {
            format!(
                "[[block]]\ngame = \"{game}\"\npositions = [\"{set}\"]\nlimit = 1\nmethods = [\"none\", \
                 \"null-move\", \"mpc\", \"futility\", \"lmr\", \"all\"]\n\
                 budgets = [{{ depth = {depth} }}, {{ nodes = 2000 }}]\nrepeats = 1\n"
            )
        };
        let text = format!(
            "name = \"t\"\ndescription = \"\"\n{}{}",
            block("othello", "othello-28", 6),
            block("chess", "bratko-kopec", 4)
        );
        let plan = Plan::new(Suite::parse(Path::new("t.toml"), &text).unwrap()).unwrap();
        let cells: Vec<usize> = (0..plan.len()).collect();
        let mut out = Vec::new();
        measure(&plan, &cells, None, &mut out).unwrap();
        let all = plan.units.iter().flat_map(|unit| unit.cells().map(move |(methods, _)| (unit, methods)));
        let expected: Vec<String> = all
            .enumerate()
            .map(|(index, (unit, methods))| format!("{index} {}", switched(&plan, unit, methods)))
            .collect();
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), expected);
        assert!(measure(&plan, &[plan.len()], None, &mut Vec::new()).is_err());
    }

    #[test]
    fn the_counter_counts_or_says_why_not() {
        match Counter::open() {
            Err(reason) => assert!(reason.contains("not available") && !reason.contains('\n'), "{reason}"),
            Ok(mut counter) => {
                let mut sum = |n: u64| {
                    counter.around(|| {
                        std::hint::black_box((0..n).map(std::hint::black_box).sum::<u64>());
                    })
                };
                let (few, many) = (sum(1_000).unwrap(), sum(100_000).unwrap());
                assert!(many > 50 * few && few > 1_000, "{few}, {many}");
            }
        }
    }
}
