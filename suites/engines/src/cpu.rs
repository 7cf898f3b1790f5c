//! How much processor time a program has used, with all that it started.
//!
//! Asked for every process of the program's group: of its own time the clock that the kernel has of a process, exact and with the
//! threads that ended; of its children whose end it has noticed what `/proc` tells, in ticks of 10 ms. Where a process has no
//! such clock its own time is in ticks too. So a program is measured exactly whatever its threads do, and one that ends
//! processes during a search to a tick each. Linux only; elsewhere, and of a program that has ended, nothing is said. What left the
//! group is not seen.

use std::collections::BTreeMap;
use std::time::Duration;

/// What the kernel calls a tick in `/proc`, on every architecture that Rust supports.
#[cfg(any(test, target_os = "linux"))]
const TICK: Duration = Duration::from_millis(10);

/// Processor time so far, by process.
#[derive(Clone, Debug, Default)]
pub(super) struct Used(BTreeMap<u32, OfProcess>);

/// Processor time so far of one process.
#[derive(Clone, Copy, Debug, Default)]
struct OfProcess {
    /// What it used itself, with all of its threads.
    own_time: Duration,
    /// What its children used whose end it has noticed, to a tick.
    children: Duration,
}

impl Used {
    /// What was used since an earlier look at the same program.
    pub(super) fn since(&self, before: &Used) -> Duration {
        let none = OfProcess::default();
        self.0.iter().map(|(pid, now)| now.since(before.0.get(pid).unwrap_or(&none))).sum()
    }
}

impl OfProcess {
    fn since(&self, before: &OfProcess) -> Duration {
        self.own_time.saturating_sub(before.own_time) + self.children.saturating_sub(before.children)
    }
}

/// Processor time so far of the process with this number and of those in its group; none if it has ended.
#[cfg(target_os = "linux")]
pub(super) fn used(leader: u32) -> Option<Used> {
    // What has ended may not have handed its time on: then nothing is certain.
    stat(leader).filter(|stat| !stat.has_ended)?;
    let folder = std::fs::read_dir("/proc").ok()?;
    let all = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // Reading `/proc` of a process takes much longer than asking for its group, and there may be hundreds.
    let times = all.filter(|pid| group(*pid) == Some(leader)).filter_map(|pid| {
        let stat = stat(pid).filter(|stat| stat.group == leader)?;
        Some((pid, OfProcess { own_time: clock(pid).unwrap_or(stat.own_time), children: stat.children }))
    });
    Some(Used(times.collect()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn used(_: u32) -> Option<Used> {
    None
}

/// What `/proc/PID/stat` says.
#[cfg(any(test, target_os = "linux"))]
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) has_ended: bool,
    group: u32,
    own_time: Duration,
    children: Duration,
}

#[cfg(target_os = "linux")]
pub(super) fn stat(pid: u32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads the line. The second field is the name in brackets, which may have anything in it.
#[cfg(any(test, target_os = "linux"))]
fn parse(line: &str) -> Option<Stat> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| Some(TICK * fields.get(at)?.parse::<u32>().ok()?);
    Some(Stat {
        has_ended: matches!(*fields.first()?, "Z" | "X"),
        group: fields.get(2)?.parse().ok()?,
        own_time: ticks(11)? + ticks(12)?,
        children: ticks(13)? + ticks(14)?,
    })
}

/// The group of a process; none if it has ended.
#[cfg(target_os = "linux")]
fn group(pid: u32) -> Option<u32> {
    use nix::unistd::{Pid, getpgid};
    let group = getpgid(Some(Pid::from_raw(i32::try_from(pid).ok()?))).ok()?;
    u32::try_from(group.as_raw()).ok()
}

/// What the clock of a process shows; none where it has none that may be read.
#[cfg(target_os = "linux")]
fn clock(pid: u32) -> Option<Duration> {
    use nix::time::{clock_getcpuclockid, clock_gettime};
    use nix::unistd::Pid;
    let clock = clock_getcpuclockid(Pid::from_raw(i32::try_from(pid).ok()?)).ok()?;
    clock_gettime(clock).ok().map(Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_anything() {
        let line = "77 (a) Z (b c) S 1 70 70 0 -1 4194560 3107 5 0 0 120 30 7 3 20 0 1 0 33";
        let own_time = Duration::from_millis(1500);
        let children = Duration::from_millis(100);
        assert_eq!(parse(line), Some(Stat { has_ended: false, group: 70, own_time, children }));
        assert_eq!(parse("77 (a"), None);
        assert_eq!(parse("77 (a) S 1"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn work_is_counted_and_sleep_is_not() {
        use std::os::unix::process::CommandExt;
        let text = "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done; echo done; sleep 1000";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", text]).process_group(0).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut word = [0; 4];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut word).unwrap();
        let worked = used(child.id()).unwrap();
        assert!(worked.since(&Used::default()) > Duration::from_millis(5), "{worked:?}");
        std::thread::sleep(Duration::from_millis(50));
        let slept = used(child.id()).unwrap().since(&worked);
        assert!(slept < Duration::from_millis(30), "{slept:?}");
        // What it started is of its group; this very program, which is in another, is not.
        while used(child.id()).unwrap().0.len() < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let members: Vec<u32> = used(child.id()).unwrap().0.into_keys().collect();
        assert!(members.len() == 2 && members.contains(&child.id()), "{members:?}");
        rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&child),
            rustix::process::Signal::KILL,
        )
        .unwrap();
        while used(child.id()).is_some() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.wait().unwrap();
        assert!(used(child.id()).is_none());
    }

    /// What the clock shows grows with the work, in steps far below a tick.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_clock_of_a_process_is_finer_than_a_tick() {
        let pid = std::process::id();
        let begun = clock(pid).unwrap();
        let mut steps = std::collections::BTreeSet::new();
        while steps.len() < 20 {
            steps.insert(clock(pid).unwrap());
        }
        assert!(*steps.last().unwrap() - begun < TICK * 20 && steps.iter().all(|time| *time >= begun));
        assert_eq!(clock(u32::MAX), None);
    }

    #[test]
    fn what_was_used_between_two_looks_is_summed_over_processes() {
        let ms = Duration::from_millis;
        let used_by = |list: &[(u32, u64, u64)]| {
            let each = |&(pid, own_ms, children): &(u32, u64, u64)| {
                (pid, OfProcess { own_time: ms(own_ms), children: ms(children) })
            };
            Used(list.iter().map(each).collect())
        };
        let before = used_by(&[(7, 500, 0), (8, 10, 0)]);
        assert_eq!(
            used_by(&[(7, 540, 20), (9, 5, 0)]).since(&before),
            ms(65),
            "a child that ended, and a new process"
        );
    }
}
