//! How much processor time a program has used, with all that it started.
//!
//! Read from `/proc` for every process of the program's group: what it used itself, and what those of its children used
//! whose end it has noticed. The kernel tells that in ticks of 10 ms; for threads that still run it also tells nanoseconds.
//! Where no thread of a process ended between two looks, what lies between them is told by the nanoseconds alone; else by
//! whichever says more. So a program that keeps its threads during a search is measured exactly, whatever it did before, and one
//! that ends threads or processes to a tick each. Linux only; elsewhere, and of a program that has ended, nothing is said. What
//! left the group is not seen.

use std::collections::BTreeMap;
use std::time::Duration;

/// What the kernel calls a tick in `/proc`, on every architecture that Rust supports.
const TICK: Duration = Duration::from_millis(10);

/// Processor time so far, by process.
#[derive(Clone, Debug, Default)]
pub(super) struct Used(BTreeMap<u32, OfProcess>);

/// Processor time so far of one process.
#[derive(Clone, Debug, Default)]
struct OfProcess {
    /// What it used itself, to a tick.
    own: Duration,
    /// What its children used whose end it has noticed, to a tick.
    children: Duration,
    /// What its threads used that still run, exactly.
    threads: BTreeMap<u32, Duration>,
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
        let exactly = |(thread, now): (&u32, &Duration)| {
            now.saturating_sub(before.threads.get(thread).copied().unwrap_or_default())
        };
        let exact: Duration = self.threads.iter().map(exactly).sum();
        let ticks = self.own.saturating_sub(before.own);
        let all_run = before.threads.keys().all(|thread| self.threads.contains_key(thread));
        let own = if all_run && !self.threads.is_empty() { exact } else { exact.max(ticks) };
        own + self.children.saturating_sub(before.children)
    }
}

/// Processor time so far of the process with this number and of those in its group; none if it has ended.
#[cfg(target_os = "linux")]
pub(super) fn used(leader: u32) -> Option<Used> {
    // What has ended may have handed its time on to nobody: then nothing is certain.
    stat(leader).filter(|stat| !stat.has_ended)?;
    let folder = std::fs::read_dir("/proc").ok()?;
    let members = folder.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let times = members.filter_map(|pid| {
        let stat = stat(pid).filter(|stat| stat.group == leader)?;
        Some((pid, OfProcess { own: stat.own, children: stat.children, threads: threads(pid) }))
    });
    Some(Used(times.collect()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn used(_: u32) -> Option<Used> {
    None
}

/// What `/proc/PID/stat` says.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    has_ended: bool,
    group: u32,
    own: Duration,
    children: Duration,
}

fn stat(pid: u32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads the line. The second field is the name in brackets, which may have anything in it.
fn parse(line: &str) -> Option<Stat> {
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| Some(TICK * fields.get(at)?.parse::<u32>().ok()?);
    Some(Stat {
        has_ended: matches!(*fields.first()?, "Z" | "X"),
        group: fields.get(2)?.parse().ok()?,
        own: ticks(11)? + ticks(12)?,
        children: ticks(13)? + ticks(14)?,
    })
}

/// Time of each thread of a process that has not ended, exactly; empty where the kernel does not tell.
fn threads(pid: u32) -> BTreeMap<u32, Duration> {
    let Ok(folder) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return BTreeMap::new() };
    let times = folder.flatten().filter_map(|task| {
        let thread = task.file_name().to_str()?.parse().ok()?;
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        let nanos = text.split_whitespace().next()?.parse::<u64>().ok()?;
        Some((thread, Duration::from_nanos(nanos)))
    });
    times.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_anything() {
        let line = "77 (a) Z (b c) S 1 70 70 0 -1 4194560 3107 5 0 0 120 30 7 3 20 0 1 0 33";
        let own = Duration::from_millis(1500);
        let children = Duration::from_millis(100);
        assert_eq!(parse(line), Some(Stat { has_ended: false, group: 70, own, children }));
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

    /// Ticks of threads that ended before the first look are in neither difference.
    #[test]
    fn nanoseconds_tell_where_all_threads_still_run() {
        let ms = Duration::from_millis;
        let of = |own: u64, children: u64, threads: &[(u32, u64)]| {
            let threads = threads.iter().map(|&(thread, used)| (thread, ms(used))).collect();
            Used(BTreeMap::from([(7, OfProcess { own: ms(own), children: ms(children), threads })]))
        };
        let before = of(500, 0, &[(7, 3), (8, 10)]);
        assert_eq!(of(540, 0, &[(7, 3), (8, 43)]).since(&before), ms(33));
        assert_eq!(
            of(540, 20, &[(7, 4), (8, 43), (9, 5)]).since(&before),
            ms(59),
            "a new thread and a child"
        );
        assert_eq!(of(540, 0, &[(7, 5)]).since(&before), ms(40), "one ended: a tick more or less");
        assert_eq!(of(540, 0, &[]).since(&of(500, 0, &[])), ms(40), "a kernel that tells ticks only");
    }
}
