//! Schedulers: Slurm (job arrays told by `sbatch`, asked by `squeue` and, where there is accounting, by `sacct`), GNU parallel, and how
//! far the shards of a folder are by what it and they say.
//!
//! An array holds so many tasks as the controller allows. More shards are several arrays: what the tasks of one count from is
//! behind its name.
//!
//! `squeue` says what is under way; `sacct` how what is over has ended, and what is under way where the controller does not
//! answer. Many clusters have no accounting: it is asked for and not needed. What is finished the folder tells alone.

use super::{Folder, LOGS, SCRIPT, Settings};
use crate::Error;
use secateur_base::words::shell_path;
use secateur_record::part::Take;
use secateur_record::store::RECORDS;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::process::Command;

/// Time beyond what a shard would take without any method: slower nodes, a busy disk, an estimate that was a first one.
const SLACK: u64 = 2;
/// Least time limit, minutes.
const LEAST: u64 = 10;
/// Most tasks of a job array where the controller does not say it: indices of Slurm are below its `MaxArraySize`, by default 1001.
pub(super) const ARRAY: u32 = 1000;

/// Most tasks of a job array, as the controller says; what is usual where it does not answer.
pub fn most_tasks() -> u32 {
    let mut command = Command::new("scontrol");
    command.args(["show", "config"]);
    output(command).ok().and_then(|config| tasks_of(&config)).unwrap_or(ARRAY)
}

/// What `scontrol show config` says of arrays: `MaxArraySize            = 1001`.
fn tasks_of(config: &str) -> Option<u32> {
    let value =
        config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize")?.trim().strip_prefix('='))?;
    value.trim().parse::<u32>().ok()?.checked_sub(1).filter(|tasks| *tasks > 0)
}

/// The job arrays of some shards: what the tasks of each count from, and its tasks.
fn arrays(shards: &Take, most: u32) -> BTreeMap<u32, Take> {
    let most = most.max(1);
    let mut tasks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for shard in shards.numbers() {
        let behind = shard.saturating_sub(1) / most * most;
        tasks.entry(behind).or_default().push(shard - behind);
    }
    tasks.into_iter().map(|(behind, tasks)| (behind, Take::of(tasks))).collect()
}

/// What Slurm calls the array whose tasks count from a number.
fn job_name(name: &str, behind: u32) -> String {
    if behind == 0 { name.to_owned() } else { format!("{name}+{behind}") }
}

/// What the tasks of an array of this name count from.
fn behind_of(job_name: &str) -> u32 {
    job_name.rsplit_once('+').and_then(|(_, behind)| behind.parse().ok()).unwrap_or(0)
}

/// The names of all arrays of a folder, as Slurm takes a list.
fn job_names(settings: &Settings) -> String {
    let all = Take::of((1..=settings.shards).collect());
    let names: Vec<String> =
        arrays(&all, settings.array).keys().map(|behind| job_name(&settings.name, *behind)).collect();
    names.join(",")
}

/// Submits the shards of a folder, as one job array or several; the words of `sbatch`, which name the jobs, come back.
///
/// # Errors
/// `sbatch` is not there, or says no; what it took before is named.
pub fn submit(folder: &Folder, settings: &Settings, shards: &Take) -> Result<String, Error> {
    let minutes = LEAST + (settings.seconds / settings.jobs.max(1) as u64 * SLACK).div_ceil(60);
    let mut jobs: Vec<String> = Vec::new();
    for (behind, tasks) in arrays(shards, settings.array) {
        let log = if behind == 0 { "%a.log".to_owned() } else { format!("{behind}+%a.log") };
        let mut command = Command::new("sbatch");
        command
            .arg("--parsable")
            .arg(format!("--job-name={}", job_name(&settings.name, behind)))
            .arg(format!("--array={tasks}"))
            .arg(format!("--cpus-per-task={}", settings.jobs))
            .arg(format!("--time={minutes}"))
            .arg(format!("--output={}", folder.path().join(LOGS).join(log).display()))
            .args(["--open-mode=append", "--requeue"])
            .args(&settings.scheduler_arguments)
            .arg(folder.path().join(SCRIPT));
        if behind > 0 {
            command.args(["--behind", &behind.to_string()]);
        }
        jobs.push(output(command).map_err(|error| match jobs.is_empty() {
            true => error,
            false => Error::Command(format!(
                "{error}; submitted before were {}: `cluster retry` submits the rest",
                jobs.join(", ")
            )),
        })?);
    }
    Ok(jobs.join(", "))
}

/// What Slurm says of a folder's shards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Those that are not over: which of them run, and which wait.
    pub queued: BTreeMap<u32, State>,
    /// How the last job of a shard ended, in the words of `sacct`: `TIMEOUT`; empty without accounting.
    pub ended: BTreeMap<u32, String>,
    /// Who was asked and what came of it, in words.
    pub by: String,
}

/// Asks Slurm for the shards of a folder.
///
/// # Errors
/// Neither `squeue` nor `sacct` answers.
pub fn queue(settings: &Settings) -> Result<Told, Error> {
    let mut command = Command::new("squeue");
    command
        .args(["--noheader", "--array", "--format=%K %T %j"])
        .arg(format!("--name={}", job_names(settings)));
    let live = output(command);
    let mut command = Command::new("sacct");
    command
        .args(["--noheader", "--parsable2", "--allocations", "--starttime=now-30days"])
        .args(["--format=JobID,State,JobName"])
        .arg(format!("--name={}", job_names(settings)));
    combined(live, output(command))
}

/// What both say, or one of them.
fn combined(live: Result<String, Error>, accounts: Result<String, Error>) -> Result<Told, Error> {
    let (queued, ended, by) = match (live, accounts) {
        (Ok(live), Ok(accounts)) => (queued(&live), accounted(&accounts).1, "squeue and sacct".to_owned()),
        (Ok(live), Err(no)) => (queued(&live), BTreeMap::new(), format!("squeue; no accounting ({no})")),
        (Err(no), Ok(accounts)) => {
            let (queued, ended) = accounted(&accounts);
            (queued, ended, format!("sacct alone, which may be late ({no})"))
        }
        (Err(error), Err(_)) => return Err(error),
    };
    Ok(Told { queued, ended, by })
}

/// Whether a job in this state waits or runs; `None` where it is over.
fn state(word: &str) -> Option<State> {
    match word {
        "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" => Some(State::Pending),
        // Over, though the controller still knows it.
        "BOOT_FAIL" | "CANCELLED" | "COMPLETED" | "DEADLINE" | "FAILED" | "NODE_FAIL" | "OUT_OF_MEMORY"
        | "PREEMPTED" | "TIMEOUT" => None,
        _ => Some(State::Running),
    }
}

/// The lines of `squeue`: number of the task, state, name of the job.
fn queued(text: &str) -> BTreeMap<u32, State> {
    let line = |line: &str| {
        let mut columns = line.split_whitespace();
        let (task, word) = (columns.next()?.parse::<u32>().ok()?, columns.next()?);
        Some((task + behind_of(columns.next().unwrap_or_default()), state(word)?))
    };
    text.lines().filter_map(line).collect()
}

/// The lines of `sacct`, `12_3|CANCELLED by 0|name`: what is not over and what is. Of a shard that was submitted again the last
/// job counts; what waits together stands in one line, `12_[4-7,9%2]`.
fn accounted(text: &str) -> (BTreeMap<u32, State>, BTreeMap<u32, String>) {
    let mut last: BTreeMap<u32, (u64, &str)> = BTreeMap::new();
    for line in text.lines() {
        let Some((id, state_and_name)) = line.trim().split_once('|') else { continue };
        let Some((job, tasks)) = id.split_once('_') else { continue };
        let tasks = tasks.trim_matches(['[', ']']).split('%').next().unwrap_or_default();
        let (Ok(job), Ok(tasks)) = (job.parse::<u64>(), tasks.parse::<Take>()) else { continue };
        // `CANCELLED by 0`
        let (word, name) = state_and_name.split_once('|').unwrap_or((state_and_name, ""));
        let word = word.split_whitespace().next().unwrap_or_default();
        for &task in tasks.numbers() {
            let latest = last.entry(task + behind_of(name)).or_insert((job, word));
            if latest.0 <= job {
                *latest = (job, word);
            }
        }
    }
    let live = last.iter().filter_map(|(task, (_, word))| Some((*task, state(word)?))).collect();
    let over = last.iter().filter(|(_, (_, word))| state(word).is_none());
    (live, over.map(|(task, (_, word))| (*task, (*word).to_owned())).collect())
}

/// What a command says on its standard output.
fn output(mut command: Command) -> Result<String, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| Error::Command(format!("{name}: {error}")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(Error::Command(format!("{name}: {}: {}", output.status, text(&output.stderr)))),
    }
}

/// Runs what is missing of a folder, so many shards at a time, until all have ended. How many failed comes back.
///
/// The log of jobs is `joblog` in the folder; a shard that is finished there or has its pack is not begun again.
///
/// # Errors
/// `parallel` is not there, or was killed.
pub fn parallel(folder: &Folder, settings: &Settings, at_once: usize) -> Result<u32, Error> {
    let mut command = Command::new("parallel");
    command
        .arg(format!("--jobs={at_once}"))
        .arg("--joblog")
        .arg(folder.path().join("joblog"))
        // Those that were under way when it was killed are in no log: `--resume-failed` runs them too.
        .args(["--resume-failed", "--will-cite", "--line-buffer"])
        .args(&settings.scheduler_arguments)
        // It gives what it runs to a shell.
        .args(["sh", &shell_path(&folder.path().join(SCRIPT)), "{}", ":::"])
        .args((1..=settings.shards).map(|shard| shard.to_string()));
    let status = command.status().map_err(|error| Error::Command(format!("parallel: {error}")))?;
    match status.code() {
        Some(0) => Ok(0),
        // Its exit code is the number of jobs that failed, up to 101.
        Some(failed @ 1..=101) => Ok(failed as u32),
        _ => Err(Error::Command(format!("parallel: {status}"))),
    }
}

/// Where a shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is published.
    Done,
    /// The scheduler says that it is being searched.
    Running,
    /// The scheduler says that it waits.
    Pending,
    /// It was begun, and is neither running nor waiting.
    Failed,
    /// It was never begun, and does not wait.
    Missing,
}

/// A shard and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its number.
    pub shard: u32,
    /// Where it is.
    pub state: State,
    /// Cells in its run folder that are finished; 0 where it is published.
    pub cells: u64,
}

impl Status {
    /// The shards that are neither finished, running nor waiting.
    pub fn lost(all: &[Status]) -> Take {
        let lost = all.iter().filter(|status| matches!(status.state, State::Failed | State::Missing));
        Take::of(lost.map(|status| status.shard).collect())
    }
}

/// Every shard, with what its scheduler has `queued`.
pub fn status(folder: &Folder, settings: &Settings, queued: &BTreeMap<u32, State>) -> Vec<Status> {
    let done = folder.done(settings.shards);
    let status_of = |shard| {
        let state = match (done.binary_search(&shard).is_ok(), queued.get(&shard)) {
            (true, _) => State::Done,
            (_, Some(queued)) => *queued,
            (_, None) if folder.run(shard).exists() => State::Failed,
            (_, None) => State::Missing,
        };
        let cells = if state == State::Done { 0 } else { rows(folder, shard) };
        Status { shard, state, cells }
    };
    (1..=settings.shards).map(status_of).collect()
}

/// Lines of the records of a shard but for the header, without reading what they say.
fn rows(folder: &Folder, shard: u32) -> u64 {
    let Ok(mut file) = File::open(folder.run(shard).join(RECORDS)) else { return 0 };
    let (mut lines, mut buffer) = (0_u64, vec![0; 1 << 16]);
    while let Ok(read @ 1..) = file.read(&mut buffer) {
        lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    lines.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_over_is_not_queued() {
        let jobs = queued(
            "3 RUNNING\n4 PENDING\n5 COMPLETED\n6 COMPLETING\n  7 CONFIGURING\nN/A RUNNING\n8 NODE_FAIL\n",
        );
        let expected = [(3, State::Running), (4, State::Pending), (6, State::Running), (7, State::Running)];
        assert_eq!(jobs, BTreeMap::from(expected));
    }

    /// Shards beyond the limit of the controller are arrays of their own, whose tasks are told apart by their names.
    #[test]
    fn more_shards_than_an_array_takes_are_several_arrays() {
        let texts = |shards: Vec<u32>, most: u32| -> Vec<(u32, String)> {
            arrays(&Take::of(shards), most)
                .into_iter()
                .map(|(behind, tasks)| (behind, tasks.to_string()))
                .collect()
        };
        let whole = |behind: u32, tasks: &str| (behind, tasks.to_owned());
        assert_eq!(texts((1..=1000).collect(), 1000), [whole(0, "1-1000")]);
        assert_eq!(
            texts((1..=2200).collect(), 1000),
            [whole(0, "1-1000"), whole(1000, "1-1000"), whole(2000, "1-200")]
        );
        assert_eq!(
            texts(vec![3, 1000, 1001, 2999], 1000),
            [whole(0, "3,1000"), whole(1000, "1"), whole(2000, "999")]
        );
        assert_eq!(texts(vec![1, 2], 0), [whole(0, "1"), whole(1, "1")]);
        let settings = Settings { shards: 2001, array: 1000, name: "n".to_owned(), ..Settings::default() };
        assert_eq!(job_names(&settings), "n,n+1000,n+2000");
        let live = queued("3 RUNNING n\n3 PENDING n+1000\n1 PENDING n+2000\n");
        assert_eq!(live.keys().copied().collect::<Vec<_>>(), [3, 1003, 2001]);
        let (_, over) = accounted("7_3|TIMEOUT|n\n8_[3-4]|FAILED|n+1000\n");
        assert_eq!(over.keys().copied().collect::<Vec<_>>(), [3, 1003, 1004]);
        assert_eq!(
            tasks_of("Licenses = (null)\nMaxArraySize            = 1001\nMaxBatchRequeue = 5"),
            Some(1000)
        );
        assert_eq!(tasks_of("MaxArraySize = 1"), None);
        assert_eq!(tasks_of("slurm_load_ctl_conf error"), None);
    }

    #[test]
    fn accounts_say_how_it_ended_and_stand_in_for_a_controller_that_is_down() {
        let accounts = "7_1|COMPLETED\n7_2|TIMEOUT\n7_3|CANCELLED by 0\n9_2|FAILED\n8_2|RUNNING\n9_3|RUNNING\n\
                        9_[4-6,8%2]|PENDING\n7_5|NODE_FAIL\n12|COMPLETED\nnonsense\n";
        let (live, over) = accounted(accounts);
        let waits = [4, 5, 6, 8].map(|task| (task, State::Pending));
        assert_eq!(live, waits.into_iter().chain([(3, State::Running)]).collect());
        assert_eq!(
            over,
            [(1, "COMPLETED"), (2, "FAILED")].map(|(task, word)| (task, word.to_owned())).into()
        );
        let no = |program: &str| Err(Error::Command(format!("{program}: not there")));
        let all = [
            (Ok("3 PENDING".to_owned()), Ok(accounts.to_owned()), "squeue and sacct", 1, 2),
            (Ok("3 PENDING".to_owned()), no("sacct"), "squeue; no accounting (sacct: not there)", 1, 0),
            (
                no("squeue"),
                Ok(accounts.to_owned()),
                "sacct alone, which may be late (squeue: not there)",
                5,
                2,
            ),
        ];
        for (live, accounts, by, queued, ended) in all {
            let answer = combined(live, accounts).unwrap();
            assert_eq!((answer.by.as_str(), answer.queued.len(), answer.ended.len()), (by, queued, ended));
        }
        assert!(combined(no("squeue"), no("sacct")).unwrap_err().to_string().starts_with("squeue"));
    }

    #[test]
    fn the_folder_says_what_is_done_and_the_scheduler_what_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path()).unwrap();
        fs::create_dir_all(folder.path().join(super::super::PACKS)).unwrap();
        fs::write(folder.pack(1, 6), "").unwrap();
        for shard in [2, 3, 5] {
            fs::create_dir_all(folder.run(shard)).unwrap();
        }
        fs::write(folder.run(3).join(RECORDS), "head\none\ntwo\nhal").unwrap();
        let queued = BTreeMap::from([(1, State::Running), (2, State::Running), (4, State::Pending)]);
        let settings = Settings { shards: 6, ..Settings::default() };
        let statuses = status(&folder, &settings, &queued);
        let states: Vec<State> = statuses.iter().map(|status| status.state).collect();
        use State::{Done, Failed, Missing, Pending, Running};
        assert_eq!(states, [Done, Running, Failed, Pending, Failed, Missing]);
        assert_eq!(statuses[2].cells, 2);
        assert_eq!(Status::lost(&statuses).to_string(), "3,5-6");
    }
}
