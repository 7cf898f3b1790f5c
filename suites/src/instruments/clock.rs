//! CPU time of the searching thread, the date, and cores for games by the clock.
//!
//! Thread CPU time leaves out what other programs take from the core, which wall time does not.
//!
//! Two logical processors of one core share its units, so a game that runs next to another on one core has less time than its clock says.
//! Therefore games at a time are counted in physical cores. Linux says which logical processors belong together and binds a thread;
//! elsewhere every logical processor counts as a core, and nothing is bound.

use super::machine::cores;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// CPU time that the calling thread has used since it started.
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    return shown_by(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(windows)]
    cpu_time::ThreadTime::now().as_duration()
}

/// Time since some moment before the process began, whatever used the core meanwhile.
pub fn wall_time() -> Duration {
    #[cfg(unix)]
    return shown_by(rustix::time::ClockId::Monotonic);
    #[cfg(windows)]
    {
        static FIRST: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        // Differences are all that is asked for, and the first look may be the earlier one of two.
        Duration::from_secs(1) + FIRST.elapsed()
    }
}

/// What a clock of the system shows.
#[cfg(unix)]
fn shown_by(clock: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// A moment in UTC as `2026-11-21T04:36:12Z`.
pub fn utc(moment: SystemTime) -> String {
    let seconds = moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The day alone: `2026-11-21`.
pub fn day(moment: SystemTime) -> String {
    utc(moment).chars().take_while(|&letter| letter != 'T').collect()
}

/// The moment without separators, for names of folders: `20261121T043612Z`.
pub fn stamp(moment: SystemTime) -> String {
    utc(moment).replace(['-', ':'], "")
}

/// Year, month and day of a number of days since 1970. Counts years from March, so that the leap day comes
/// last (Hatcher 1984).
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// The logical processors that the process may use, one for each physical core, in the order of their numbers; empty where the system
/// does not say.
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

/// How many games by the clock are played at a time unless a number is asked for: physical cores less one, which is left to the system and to
/// this program; at least 1. A quota of processor time counts as fewer cores.
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
    fn known_dates() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(4_102_444_799), "2099-12-31T23:59:59Z");
        assert_eq!(stamp(UNIX_EPOCH), "19700101T000000Z");
    }

    #[test]
    fn thread_time_does_not_run_backwards() {
        let before = thread_time();
        assert!(thread_time() >= before);
    }

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
