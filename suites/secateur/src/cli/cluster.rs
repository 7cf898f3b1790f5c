//! `cluster`: the shards of a suite under Slurm, GNU parallel or whatever starts a script with a number.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::merge::merged;
use crate::cli::running::{GIVEN_UP, How, interrupt, searched};
use crate::cli::say::{message, say};
use crate::cli::{bench, this_program};
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use secateur_base::number::{either, plural};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_gate::instructions::{Source, cell};
use secateur_record::part::Take;
use secateur_record::record::Record;
use secateur_record::store::RunRows;
use secateur_reports::format::count;
use secateur_suites::instruments::machine::{binary, cores};
use secateur_suites::matrix::Plan;
use secateur_suites::shards::cluster::{
    COSTS, Folder, PACKS, SCRIPT, Scheduler, Settings, State, Status, Told, carry, most_tasks, parallel,
    queue, status, submit,
};
use secateur_suites::shards::costs::{Costs, scout};
use secateur_suites::shards::shard::{Division, Outlook, Shard, UNEVEN, divide, may_divide};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `cluster`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} cluster slurm factorial --shards 200 --dir /shared/f --scheduler=--partition=long\n  \
                  {me} cluster status /shared/f\n  {me} cluster retry /shared/f\n  \
                  {me} cluster fetch /shared/f --out runs/factorial\n  \
                  {me} cluster parallel factorial --shards 20 --dir f -- --limit 20\n\n\
                  The folder must be on a disk that all nodes share, under the same path (docs/CLUSTER.md).", me = name())
)]
pub struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Prepare a folder and submit its shards to Slurm as a job array
    Slurm(Begin),
    /// Prepare a folder and run its shards under GNU parallel
    Parallel(Begin),
    /// Prepare a folder with a job.sh that takes the number of a shard (for Kubernetes see docs/CLUSTER.md)
    Prepare(Begin),
    /// Search one shard of a folder; what job.sh calls on a node
    Shard {
        /// Cluster folder
        dir: PathBuf,
        /// Number of the shard, from 1
        shard: u32,
    },
    /// Print which shards are done, running, waiting, failed or missing
    Status {
        /// Cluster folder
        dir: PathBuf,
    },
    /// Resubmit shards that are missing or failed
    Retry {
        /// Cluster folder
        dir: PathBuf,
    },
    /// Merge the finished shards
    Fetch {
        /// Cluster folder
        dir: PathBuf,
        /// Run folder of the merged record [default: DIR/merged]
        #[arg(long)]
        out: Option<PathBuf>,
        /// First copy finished shards by scp into DIR, from this cluster folder on another host
        #[arg(long, value_name = "HOST:PATH")]
        from: Option<String>,
    },
}

/// What is to be searched, in how many pieces, and where.
#[derive(clap::Args)]
struct Begin {
    /// Built-in suite or a .toml file
    suite: String,
    /// Number of shards
    #[arg(long)]
    shards: u32,
    /// Cluster folder, on a disk that all nodes share
    #[arg(long)]
    dir: PathBuf,
    /// Divide by the costs of an earlier run of the same positions, or by a file of costs [default: an estimate]
    #[arg(long, value_name = "RUN")]
    costs: Option<PathBuf>,
    /// Threads of a shard
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Shards at a time under GNU parallel [default: as many as this machine has cores for]
    #[arg(long)]
    at_once: Option<usize>,
    /// Pass this argument to sbatch or parallel; repeatable: --scheduler=--partition=long
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    scheduler: Vec<String>,
    /// Further options of `bench`, after `--`: --limit 20 --instructions
    #[arg(last = true)]
    bench: Vec<String>,
}

/// The arguments of `bench` alone, as they are read from a list.
#[derive(Parser)]
#[command(name = "bench", no_binary_name = true)]
struct Bench {
    #[command(flatten)]
    flags: bench::Flags,
}

/// What `cluster` says for every shard itself, or what ends before a shard is finished; by their names in `bench`.
const OWN: [&str; 8] = ["jobs", "out", "shard", "costs", "publish", "oracle_book", "list", "resume"];

impl Bench {
    /// What `bench` is asked behind `--`, without what is not for there to say.
    fn asked(arguments: &[String]) -> Result<Bench, Failure> {
        let refused = |error: clap::Error| Failure::input(error.to_string().trim_end());
        let matches = Bench::command().try_get_matches_from(arguments).map_err(refused)?;
        let is_given = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some(id) = OWN.iter().find(is_given) {
            let flag = id.replace('_', "-");
            let advice = match *id {
                "jobs" | "costs" => format!(", expected `cluster ... --{flag}`, before the two dashes"),
                _ => String::new(),
            };
            return Err(Failure::input(format!(
                "behind `--`: found --{flag}, which `cluster` decides for every shard{advice}"
            )));
        }
        Bench::from_arg_matches(&matches).map_err(refused)
    }
}

impl Flags {
    pub fn run(self) -> Outcome {
        match self.verb {
            Verb::Slurm(begin) => {
                let (folder, settings) = begin.prepare(Scheduler::Slurm)?;
                send(&folder, &settings, &Take::of((1..=settings.shards).collect()))
            }
            Verb::Parallel(begin) => {
                let (folder, settings) = begin.prepare(Scheduler::Parallel)?;
                here(&folder, &settings, begin.at_once)
            }
            Verb::Prepare(begin) => begin.prepare(Scheduler::Other).map(|_| ()),
            Verb::Shard { dir, shard } => search_shard(&Folder::new(&dir)?, shard),
            Verb::Status { dir } => {
                let folder = Folder::new(&dir)?;
                let (all, queue) = stated(&folder, &folder.settings()?)?;
                say(&status_text(&all, &queue));
                Ok(())
            }
            Verb::Retry { dir } => resend_lost(&Folder::new(&dir)?),
            Verb::Fetch { dir, out, from } => {
                let folder = Folder::new(&dir)?;
                if let Some(from) = from {
                    let new = carry(&from, &folder, "scp")?;
                    let were = either(new, "was", "were");
                    message(&format!("{} {were} brought from {from}\n", plural(new, "shard")));
                }
                fetched(&folder, out)
            }
        }
    }
}

impl Begin {
    /// Estimates costs, copies the program and writes what the shards need.
    fn prepare(&self, scheduler: Scheduler) -> Result<(Folder, Settings), Failure> {
        let arguments: Vec<String> = std::iter::once(&self.suite).chain(&self.bench).cloned().collect();
        let bench = Bench::asked(&arguments)?;
        let plan = bench.flags.whole()?;
        may_divide(&plan, self.shards)?;
        let folder = Folder::new(&self.dir)?;
        let program = this_program()?;
        let mut settings = Settings {
            scheduler,
            shards: self.shards,
            jobs: self.jobs.max(1),
            bench: arguments,
            from: std::env::current_dir().map_err(Failure::system)?,
            binary: binary().to_owned(),
            valgrind: plan.units.iter().any(|unit| unit.instructions),
            seconds: 0,
            array: most_tasks(),
            scheduler_arguments: self.scheduler.clone(),
            name: folder.name(),
        };
        // Before anything in it is written over.
        folder.may_hold(&settings)?;
        let counter = settings.valgrind.then(cell).transpose()?;
        folder.install(&program, counter.as_deref())?;
        let rate = match &self.costs {
            Some(costs) => known_costs(&plan, &folder, costs)?,
            None => estimate(&plan, &folder)?,
        };
        let costs = Costs::read(&folder.path().join(COSTS))?;
        let division = divide(&plan, &costs, self.shards)?;
        settings.seconds = (division.loads.iter().max().copied().unwrap_or_default() as f64 / rate) as u64;
        folder.prepare(&settings)?;
        let all: u64 = division.loads.iter().sum();
        message(&format!(
            "{}: {} of {}, {} of them in two; if no method saved anything, {} in all and {} for the \
             dearest shard\n",
            folder.path().display(),
            plural(settings.shards as usize, "shard"),
            plural(plan.units.len(), "unit"),
            division.doubles.len(),
            plural((all as f64 / rate) as usize, "CPU second"),
            count(settings.seconds)
        ));
        message(&balance(&plan, &costs, &division, rate));
        Ok((folder, settings))
    }
}

/// How even the shards are expected to be, and what one block alone takes.
fn balance(plan: &Plan, costs: &Costs, division: &Division, rate: f64) -> String {
    let Outlook { dearest, alone, uneven, useful } = division.outlook(plan, costs);
    let Some(unit) = plan.units.get(dearest as usize) else { return String::new() };
    let game = &plan.games[unit.game];
    let (kind, amount) = (unit.allowance.kind(), unit.allowance.amount());
    let block = format!("{} {} under {kind} {amount}", game.name, game.entries[unit.entry].id);
    let seconds = plural((alone as f64 / rate).ceil() as usize, "CPU second");
    let mut text = format!(
        "the dearest shard is {uneven:.1} times the one in the middle; block {block} alone takes {seconds}\n"
    );
    if division.shards.len() > useful as usize {
        text += &format!(
            "a block is never split: with more than {} this one outlasts the others by more than {UNEVEN} times\n",
            plural(useful as usize, "shard")
        );
    }
    text
}

/// Writes what units are expected to cost by an earlier run or a file; how many nodes that run searched in a second comes back.
fn known_costs(plan: &Plan, folder: &Folder, source: &Path) -> Result<f64, Failure> {
    let costs = Costs::read(source)?;
    costs.write(plan, &folder.path().join(COSTS))?;
    if !source.is_dir() {
        return Ok(USUAL);
    }
    Ok(rate_of(&RunRows::read(source)?.0.records))
}

/// Nodes a second where nothing was searched: the order of magnitude.
const USUAL: f64 = 3e6;

/// Nodes that a run searched in a second of CPU time.
fn rate_of(rows: &[Record]) -> f64 {
    let nodes: u64 = rows.iter().filter_map(|row| row.nodes).sum();
    let time: u64 = rows.iter().map(|row| row.time_ns).sum();
    if time == 0 { USUAL } else { (nodes as f64 / time as f64 * 1e9).max(1.0) }
}

/// Scouts a plan and writes what its units are expected to cost; how many nodes this machine searches in a second comes back.
fn estimate(plan: &Plan, folder: &Folder) -> Result<f64, Failure> {
    let scouts = scout(plan)?;
    let dir = folder.path().join("estimate");
    let mut costs = Costs::default();
    let mut rate = USUAL;
    if !scouts.is_empty() {
        let (stop, book) = (interrupt(GIVEN_UP)?, folder.path().join("books/0.csv"));
        let how = How { jobs: cores(), book: &book, ..How::new(&stop, "the same command") };
        rate = rate_of(&searched(&scouts, &dir, how)?.records);
        costs = Costs::read(&dir)?;
    }
    costs.write(plan, &folder.path().join(COSTS))?;
    Ok(rate)
}

/// Submits shards.
fn send(folder: &Folder, settings: &Settings, shards: &Take) -> Outcome {
    let job = submit(folder, settings, shards)?;
    message(&format!("submitted as job {job}: {} cluster status {}\n", name(), shell_path(folder.path())));
    Ok(())
}

/// Runs what is missing under GNU parallel, and says what is missing still.
fn here(folder: &Folder, settings: &Settings, at_once: Option<usize>) -> Outcome {
    let at_once = at_once.unwrap_or_else(|| (cores() / settings.jobs).max(1));
    let failed = parallel(folder, settings, at_once)?;
    let lost = Status::lost(&stated(folder, settings)?.0);
    match lost.numbers().is_empty() {
        true => Ok(()),
        false => Err(Failure::incomplete(format!(
            "{} failed, missing: {lost}; again with: {} cluster retry {}",
            plural(failed as usize, "shard"),
            name(),
            shell_path(folder.path())
        ))),
    }
}

/// The states of all shards, and what the scheduler says of them.
fn stated(folder: &Folder, settings: &Settings) -> Result<(Vec<Status>, Told), Failure> {
    let from_queue = match settings.scheduler {
        Scheduler::Slurm => queue(settings)?,
        Scheduler::Parallel | Scheduler::Other => Told::default(),
    };
    Ok((status(folder, settings, &from_queue.queued), from_queue))
}

fn status_text(all: &[Status], from_queue: &Told) -> String {
    let mut text = String::new();
    let names = [
        (State::Done, "done"),
        (State::Running, "running"),
        (State::Pending, "waiting"),
        (State::Failed, "failed"),
        (State::Missing, "missing"),
    ];
    for (state, name) in names {
        let part: Vec<&Status> = all.iter().filter(|status| status.state == state).collect();
        if !part.is_empty() {
            let cells: u64 = part.iter().map(|status| status.cells).sum();
            let cells = if cells > 0 {
                format!(", {} finished", plural(cells as usize, "cell"))
            } else {
                String::new()
            };
            let shards = Take::of(part.iter().map(|status| status.shard).collect());
            text += &format!(
                "{name}: {} of {} ({shards}){cells}{}\n",
                part.len(),
                all.len(),
                ends(&part, from_queue)
            );
        }
    }
    let by = if from_queue.by.is_empty() { String::new() } else { format!(", {}", from_queue.by) };
    text + &format!("by the folder{by}\n")
}

/// How the last jobs of shards ended that are not finished.
fn ends(statuses: &[&Status], from_queue: &Told) -> String {
    let mut all: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for status in statuses.iter().filter(|status| status.state != State::Done) {
        if let Some(word) = from_queue.ended.get(&status.shard) {
            all.entry(word).or_default().push(status.shard);
        }
    }
    all.into_iter().map(|(word, shards)| format!("; {word}: {}", Take::of(shards))).collect()
}

fn resend_lost(folder: &Folder) -> Outcome {
    let settings = folder.settings()?;
    let lost = Status::lost(&stated(folder, &settings)?.0);
    if lost.numbers().is_empty() {
        message("no shard is missing\n");
        return Ok(());
    }
    match settings.scheduler {
        Scheduler::Slurm => send(folder, &settings, &lost),
        Scheduler::Parallel => here(folder, &settings, None),
        Scheduler::Other => {
            let script = folder.path().join(SCRIPT);
            Err(Failure::incomplete(format!("missing: {lost}; start {} with each", shell_path(&script))))
        }
    }
}

fn fetched(folder: &Folder, out: Option<PathBuf>) -> Outcome {
    let shards = folder.settings()?.shards;
    let packs: Vec<PathBuf> =
        folder.done(shards).into_iter().map(|shard| folder.pack(shard, shards)).collect();
    if packs.is_empty() {
        return Err(Failure::incomplete(format!("{}: no shard is finished", folder.path().display())));
    }
    merged(&out.unwrap_or_else(|| folder.path().join("merged")), &packs)
}

/// Searches a shard by the program that the folder names, and no other; its exit code is that of this process.
fn search_shard(folder: &Folder, number: u32) -> Outcome {
    let settings = folder.settings()?;
    let shard = Shard { number, of: settings.shards };
    if number == 0 || number > settings.shards {
        return Err(Failure::input(format!("found shard {number}, expected 1 to {}", settings.shards)));
    }
    if folder.pack(number, shard.of).is_file() {
        message(&format!("shard {shard} is finished\n"));
        return Ok(());
    }
    if binary() != settings.binary {
        let (hash, expected) = (binary(), &settings.binary);
        return Err(Failure::incomplete(format!("this program has the hash {hash}, expected {expected}")));
    }
    if settings.valgrind {
        Source::Callgrind.check().map_err(Failure::system)?;
    }
    let mut command = Command::new(this_program()?);
    command.arg("bench").args(&settings.bench);
    command.args(["--shard", &shard.to_string(), "--jobs", &settings.jobs.to_string()]);
    for (flag, path) in [
        ("--costs", folder.path().join(COSTS)),
        ("--out", folder.run(number)),
        ("--publish", folder.path().join(PACKS)),
        ("--oracle-book", folder.path().join(format!("books/{number}.csv"))),
    ] {
        command.arg(flag).arg(path);
    }
    // What called us on the machine that submitted has nothing to build on a node.
    command.env_remove("CARGO");
    // In place of this process: what the scheduler sends reaches who searches.
    Err(Failure::system(std::os::unix::process::CommandExt::exec(&mut command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_cluster_to_say_is_refused_behind_the_dashes() {
        let asked = |text: &str| {
            let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            Bench::asked(&arguments).map(|_| ()).map_err(|error| format!("{error:?}"))
        };
        for (text, flag) in [
            ("quick --jobs 1", "--jobs"),
            ("quick --out x", "--out"),
            ("quick --shard 1/2", "--shard"),
            ("quick --publish x", "--publish"),
            ("quick --oracle-book x", "--oracle-book"),
            ("quick --list", "--list"),
            ("quick --shard 1/2 --costs x", "--shard"),
            ("quick --resume x", "--resume"),
            ("--resume x", "--resume"),
        ] {
            let error = asked(text).unwrap_err();
            assert!(error.contains(flag) && error.contains("code: 2"), "{text}: {error}");
        }
        asked("quick --limit 20 --instructions --retry --depth 5").unwrap();
    }
}
