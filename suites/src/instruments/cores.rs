//! Cores for games by the clock: which of them a process may use, and how a thread and what it starts stay on one.
//!
//! Two logical processors of one core share its units, so a game that runs next to another on one core has less time than its clock
//! says. Therefore games at a time are counted in physical cores. Linux says which logical processors belong together and binds a
//! thread; elsewhere every logical processor counts as a core, and nothing is bound.

use super::machine::cores;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};

/// The logical processors that the process may use, one for each physical core, in the order of their numbers; empty where the system
/// does not say.
#[must_use]
pub fn physical() -> Vec<usize> {
    one_per_core(usable(), |processor| {
        let path = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
        std::fs::read_to_string(path).ok().map(|siblings| siblings.trim().to_owned())
    })
}

/// The first of those that have the same siblings; one of which nothing is known is a core of its own.
fn one_per_core(usable: Vec<usize>, siblings: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let mut first = BTreeMap::new();
    for processor in usable {
        first.entry(siblings(processor).unwrap_or_else(|| processor.to_string())).or_insert(processor);
    }
    let mut all: Vec<usize> = first.into_values().collect();
    all.sort_unstable();
    all
}

/// How many games by the clock are played at a time if nobody says so: physical cores less one, which is left to the system and to
/// this program; at least 1. A quota of processor time counts as fewer cores.
#[must_use]
pub fn games_at_a_time() -> usize {
    let physical = physical().len();
    let usable = if physical == 0 { cores() } else { physical.min(cores()) };
    usable.saturating_sub(1).max(1)
}

/// Cores that this process has to itself among all runs of secateur on this computer. Dropping it gives them up.
#[derive(Debug)]
pub struct Reserved {
    /// A logical processor of each.
    pub processors: Vec<usize>,
    /// Held, not used: a file for each core.
    _locks: Vec<File>,
}

/// Reserves so many physical cores; `None` where the system binds nothing, has fewer, or other runs hold them. The last are taken
/// first, since systems put their own work on the first.
#[must_use]
pub fn reserve(count: usize) -> Option<Reserved> {
    let free = physical().into_iter().rev().filter_map(|processor| Some((processor, taken(processor)?)));
    let (processors, locks): (Vec<usize>, Vec<File>) = free.take(count).unzip();
    (processors.len() == count && count > 0).then_some(Reserved { processors, _locks: locks })
}

/// The file that stands for a core, if no other run holds it.
fn taken(processor: usize) -> Option<File> {
    let path = std::env::temp_dir().join(format!("secateur-core-{processor}.lock"));
    // That of another user can be read, and that is enough to hold it.
    let created = || OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = File::open(&path).or_else(|_| created()).ok()?;
    file.try_lock().ok().map(|()| file)
}

/// Binds this thread, and the programs that it starts from now on, to a logical processor; says whether the system did.
#[cfg(target_os = "linux")]
pub fn bind(processor: usize) -> bool {
    use rustix::thread::{CpuSet, sched_setaffinity};
    if processor >= CpuSet::MAX_CPU {
        return false;
    }
    let mut one = CpuSet::new();
    one.set(processor);
    sched_setaffinity(None, &one).is_ok()
}

/// Nothing is bound here.
#[cfg(not(target_os = "linux"))]
pub fn bind(_processor: usize) -> bool {
    false
}

/// The logical processors that this thread may use.
#[cfg(target_os = "linux")]
fn usable() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None);
    set.map_or_else(|_| Vec::new(), |set| (0..CpuSet::MAX_CPU).filter(|one| set.is_set(*one)).collect())
}

#[cfg(not(target_os = "linux"))]
fn usable() -> Vec<usize> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_one_core() {
        let siblings =
            |processor: usize| (processor < 6).then(|| format!("{},{}", processor % 3, processor % 3 + 3));
        assert_eq!(one_per_core((0..8).collect(), siblings), [0, 1, 2, 6, 7]);
        assert_eq!(one_per_core(vec![4, 5], siblings), [4, 5], "the process may use the second half only");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_bound_thread_and_its_children_stay_on_their_core() {
        let core = *physical().last().unwrap();
        let seen = std::thread::spawn(move || {
            assert!(bind(core));
            let status = ["-c", "grep Cpus_allowed_list /proc/self/status"];
            let child = std::process::Command::new("sh").args(status).output().unwrap();
            (usable(), String::from_utf8_lossy(&child.stdout).trim().to_owned())
        });
        let (bound, child) = seen.join().unwrap();
        assert_eq!(bound, [core]);
        assert_eq!(child.rsplit('\t').next(), Some(&*core.to_string()));
        assert!(!physical().is_empty() && games_at_a_time() >= 1);
        assert!(reserve(physical().len() + 1).is_none(), "there are no more than there are");
    }
}
