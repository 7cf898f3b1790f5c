//! A merge holds one unit in memory, however many shards there are: the most memory of this process, which merges nothing else.
#![cfg(target_os = "linux")]

#[path = "../../examples/studies/src/bin/synthetic.rs"]
#[allow(dead_code, unreachable_pub, reason = "the program around it")]
mod synthetic;

use secateur_suites::shards::merge::merge;
use std::fs;
use std::path::PathBuf;
use tempfile::tempdir;

/// What the process has, or had at most (`VmRSS`, `VmHWM`), KiB.
fn memory(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
}

/// The most memory that a merge of so many shards takes beyond what the process has, KiB.
fn peak(shards: u32) -> u64 {
    let dir = tempdir().unwrap();
    // Two units of eight rows a shard, with four iterations and a counter each.
    synthetic::made(dir.path(), shards, 16 * shards, true).unwrap();
    let parts: Vec<PathBuf> =
        (1..=shards).map(|shard| dir.path().join(format!("{shard}-of-{shards}"))).collect();
    // From here on the most is what the process has now (proc(5)).
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = memory("VmRSS:");
    let merged = merge(&dir.path().join("out"), &parts).unwrap();
    assert_eq!(merged.cells, u64::from(16 * shards));
    memory("VmHWM:").saturating_sub(before)
}

/// With buffers of every part, and all manifests, 1,000 shards took 228 MiB.
#[test]
fn a_thousand_shards_take_a_few_mebibytes() {
    let [few, many] = [50, 1_000].map(peak);
    assert!(many < 32 << 10, "{many} KiB");
    assert!(many.saturating_sub(few) < 20 * 950, "{few} KiB for 50 shards, {many} KiB for 1,000");
}
