//! What this machine can measure, and how to mend what it cannot.
//!
//! Facts read from the system, none of them needed for a result: nodes, values and moves are exact everywhere.

use crate::instructions::Source;
use secateur_base::number::plural;
use secateur_record::build::Compilation;
use secateur_suites::instruments::machine::{compilation, machine};
use std::path::Path;
use std::process::Command;

/// How well a thing can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Fine.
    Good,
    /// Can be measured with a reserve.
    Doubtful,
    /// Cannot be measured.
    Absent,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub what: &'static str,
    /// What was found.
    pub found: String,
    /// How good that is.
    pub state: State,
    /// What it means and how to mend it; empty where nothing needs mending.
    pub advice: String,
}

impl Finding {
    fn new(what: &'static str, found: impl Into<String>, state: State, advice: &str) -> Finding {
        Finding { what, found: found.into(), state, advice: advice.to_owned() }
    }
}

/// Looks at everything.
pub fn findings() -> Vec<Finding> {
    let machine = machine();
    let build = compilation();
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).unwrap_or_default();
    let cpu = if machine.cpu.is_empty() { "unknown".to_owned() } else { machine.cpu.clone() };
    vec![
        Finding::new("processor", format!("{cpu}, {}", plural(machine.cores, "core")), State::Good, ""),
        profile(&build),
        target(&build),
        governor(&read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
        load(&read("/proc/loadavg"), machine.cores),
        memory(&read("/proc/meminfo"), machine.cores),
        counts(Source::Callgrind, "callgrind", &machine.valgrind),
        counts(Source::Hardware, "instruction counter", "there"),
        tool("git", "the commit of a run is not recorded"),
    ]
}

fn profile(build: &Compilation) -> Finding {
    match build.profile.as_str() {
        "release" => Finding::new("build", "release", State::Good, ""),
        other => Finding::new("build", other, State::Absent, "time and instructions need --release"),
    }
}

fn target(build: &Compilation) -> Finding {
    let replaced = "times and instructions do not compare with others: RUSTFLAGS replaces .cargo/config.toml";
    let (found, state, advice) = match build.target_cpu.as_str() {
        cpu @ "x86-64-v3" => (cpu, State::Good, ""),
        "" => ("the baseline", State::Doubtful, replaced),
        cpu => (cpu, State::Doubtful, "times and instructions compare within it only"),
    };
    Finding::new("target-cpu", found, state, advice)
}

fn governor(text: &str) -> Finding {
    let (found, state, advice) = match text.trim() {
        governor @ "performance" => (governor, State::Good, ""),
        "" => ("not told", State::Doubtful, "a virtual machine, or no such control: times may wander"),
        other => (other, State::Doubtful, "steadier: cpupower frequency-set -g performance"),
    };
    Finding::new("frequency governor", found, state, advice)
}

/// The load of the last minute from `/proc/loadavg`, this program's own share included.
fn load(text: &str, cores: usize) -> Finding {
    let Some(load) = text.split(' ').next().and_then(|word| word.parse::<f64>().ok()) else {
        return Finding::new("load", "not told", State::Doubtful, "");
    };
    let found = format!("{load:.2} in the last minute");
    if load < 0.3 * cores as f64 {
        return Finding::new("load", found, State::Good, "");
    }
    let advice = "others use the processor: times wander, nodes and instructions do not";
    Finding::new("load", found, State::Doubtful, advice)
}

/// Free memory from `/proc/meminfo`: a searching thread takes about 0.3 GiB for its tables.
fn memory(text: &str, cores: usize) -> Finding {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    let Some(gib) = kib.map(|kib| kib / f64::from(1 << 20)) else {
        return Finding::new("free memory", "not told", State::Doubtful, "");
    };
    let found = format!("{gib:.1} GiB");
    match gib >= 0.3 * cores as f64 {
        true => Finding::new("free memory", found, State::Good, ""),
        false => Finding::new("free memory", found, State::Doubtful, "fewer threads: --jobs 1"),
    }
}

fn counts(source: Source, what: &'static str, found: &str) -> Finding {
    match source.check() {
        Ok(()) => Finding::new(what, found, State::Good, ""),
        Err(reason) => Finding::new(what, "absent", State::Absent, &reason),
    }
}

fn tool(name: &'static str, without: &str) -> Finding {
    match Command::new(name).arg("--version").output() {
        Ok(output) if output.status.success() => {
            Finding::new(name, String::from_utf8_lossy(&output.stdout).trim(), State::Good, "")
        }
        _ => Finding::new(name, "absent", State::Doubtful, without),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        assert_eq!(load("0.10 0.5 0.9 1/99 7\n", 2).state, State::Good);
        assert_eq!(load("1.90 0.5 0.9 1/99 7\n", 2).state, State::Doubtful);
        assert_eq!(load("", 2).found, "not told");
        let meminfo = |kib: u64| format!("MemTotal: 9 kB\nMemAvailable:   {kib} kB\n");
        assert_eq!(memory(&meminfo(8 << 20), 2), Finding::new("free memory", "8.0 GiB", State::Good, ""));
        assert_eq!(memory(&meminfo(1 << 18), 2).state, State::Doubtful);
        assert_eq!(governor("performance\n").state, State::Good);
        assert_eq!(governor("powersave\n").state, State::Doubtful);
    }

    #[test]
    fn everything_is_looked_at_and_what_is_wrong_comes_with_advice() {
        let all = findings();
        assert!(all.len() >= 9);
        assert!(all.iter().all(|finding| finding.state != State::Absent || !finding.advice.is_empty()));
        assert!(all.iter().all(|finding| !finding.found.contains('\n')));
    }
}
