//! What all commands that search have in common: budgets, run folders, Ctrl-C, what was mended, the search of a plan, the count of
//! its instructions, what is to be complained of in a run, and the part of it that `--shard` takes.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::jobs;
use crate::cli::say::{Pace, Progress, RUN, describe, message, phased, say};
use secateur_base::number::{argument, either, plural, whole};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_gate::instructions::{
    Manner, Source, check_own, check_programs, fill, fill_programs, has_programs,
};
use secateur_record::build::Odd;
use secateur_record::manifest::Manifest;
use secateur_record::part::{Part, numbers};
use secateur_record::record::Record;
use secateur_record::store::{Failed, RunRows, Sealed, Store};
use secateur_reports::format::count;
use secateur_suites::allowance::Allowance;
use secateur_suites::experiment::same_trees;
use secateur_suites::instruments::clock::stamp;
use secateur_suites::instruments::machine::{cores, current};
use secateur_suites::manifest::of_plan;
use secateur_suites::matrix::Plan;
use secateur_suites::oracle::{Book, Oracle};
use secateur_suites::program::{Others, Program, ProgramArms};
use secateur_suites::run::{Ended, run, unexpectedly_silent};
use secateur_suites::shards::costs::Costs;
use secateur_suites::shards::pack::{self, Published};
use secateur_suites::shards::shard::{Shard, cut};
use secateur_suites::suite::{Overrides, Suite};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The budget of every search, in place of those of a suite.
#[derive(clap::Args)]
#[group(skip)]
pub struct Spending {
    /// Search to this depth, in plies as a program counts them, instead of the usual budgets
    #[arg(long, group = "budget")]
    depth: Option<i64>,
    /// Search this many nodes per position instead of the usual budgets: 200000, 200_000, 2e5 or 200k
    #[arg(long, group = "budget", value_parser = whole)]
    nodes: Option<i64>,
    /// Search for this time per position (of our own search CPU time) instead of the usual budgets: 500ms or 2s
    #[arg(long, group = "budget")]
    time: Option<String>,
}

impl Spending {
    /// The budget that is asked for.
    pub fn budget(&self) -> Result<Option<Allowance>, Failure> {
        let depth = self.depth.map(|plies| Allowance::depth(plies).map_err(Failure::at("--depth")));
        let nodes = self.nodes.map(|nodes| Allowance::nodes(nodes).map_err(Failure::at("--nodes")));
        let time = self.time.as_deref().map(|text| Allowance::time(text).map_err(Failure::at("--time")));
        depth.or(nodes).or(time).transpose()
    }
}

/// Who judges the moves of a run.
#[derive(clap::Args)]
#[group(skip)]
pub struct Judging {
    /// Judge moves by a deeper search: our own by so many plies (+2) or to a depth (12); the subject with all
    /// of its methods (full+2, full@12, full@nodes=200k); any other subject (stockfish-11@nodes=200k,
    /// toga2:none@10)
    #[arg(long, value_name = "ORACLE", allow_hyphen_values = true)]
    oracle: Option<Oracle>,
    /// Keep the oracle's answers in this file, for all runs
    #[arg(long, default_value = ORACLE_BOOK, value_name = "FILE")]
    pub oracle_book: PathBuf,
}

impl Judging {
    /// The oracle that is asked for, so that a run can be resumed from another folder.
    pub fn oracle(&self) -> Option<Oracle> {
        self.oracle.clone().map(|oracle| oracle.lasting(Path::new("")))
    }
}

/// Arguments of the commands that search positions with methods on and off.
#[derive(clap::Args)]
#[group(skip)]
pub struct Searching {
    /// Search these positions instead of the usual ones: an .epd, .fen, .pgn or .obf file, or a built-in set
    #[arg(long)]
    pub positions: Option<String>,
    /// Maximum positions per stage of each set [default: all]
    #[arg(long, value_parser = argument::<usize>)]
    pub limit: Option<usize>,
    /// Threads [default: all cores]; exact results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Folder; a run that began there is resumed [default: runs/NAME-TIME]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Print every column of the tables, however narrow the terminal
    #[arg(long)]
    pub wide: bool,
    /// Repeat what ended with an error in a run that is resumed
    #[arg(long)]
    pub retry: bool,
}

impl Searching {
    /// How many threads.
    pub fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(cores)
    }

    /// What is asked for besides the arms of the program.
    pub fn changes(&self, budget: Option<Allowance>) -> Overrides {
        let (positions, limit) = (self.positions.clone(), self.limit);
        Overrides { positions, limit, budget, ..Overrides::default() }
    }

    /// Says what is to know of a plan before it is searched: how positions were read, and how long it may take.
    pub fn announce(&self, program: &Program, plan: &Plan) {
        note(plan);
        if let Some(time) = program.takes(plan, self.jobs()) {
            let seconds = time.as_secs_f64();
            let about = if seconds < 120.0 {
                format!("{seconds:.0} s")
            } else {
                format!("{:.0} minutes", seconds / 60.0)
            };
            message(&format!("about {about} if every search takes as long as the first\n"));
        }
    }

    /// Searches what is missing of a plan in a folder of the command's own, with the oracle's answers in `book`; and what is to be
    /// complained of.
    pub fn search(
        &self,
        plan: &Plan,
        [folder, searches]: [&Path; 2],
        book: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<(RunRows, Outcome), Failure> {
        let command = format!("the same command with `--out {}", shell_path(folder));
        let (jobs, resumption) = (self.jobs(), format!("{command}`"));
        let rows =
            searched(plan, searches, How { jobs, retry: self.retry, book, ..How::new(stop, &resumption) })?;
        let judged = failed(searches, &rows, &format!("{command} --retry`"));
        Ok((rows, judged))
    }
}

/// A command that was stopped, whose results are in this folder.
pub fn stopped(folder: &Path) -> Failure {
    Failure::stopped(format!("stopped; the same command with `--out {}` resumes", shell_path(folder)))
}

/// What is to be complained of in the searches of a folder, which `retry` searches again: a command, or words for one.
pub fn failed(searches: &Path, rows: &RunRows, retry: &str) -> Outcome {
    match rows.failed() {
        0 => Ok(()),
        failed => Err(Failure::incomplete(format!(
            "{failed} of {} failed; see the column `error` of {}; search them again with: {retry}",
            plural(rows.records.len(), "cell"),
            searches.join("records.csv").display()
        ))),
    }
}

/// Says what is to know of how positions were read.
pub fn note(plan: &Plan) {
    for note in plan.games.iter().flat_map(|game| &game.notes) {
        message(&format!("note: {note}\n"));
    }
}

/// Says which arms of another program are made of other things and search the same trees, and, once of all searches, that none was made
/// where one move alone is legal.
pub fn notes(manifest: &Manifest, rows: &RunRows) {
    // One line however many: of a program whose variable is not read, every arm is alike.
    let mut alike: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for same in same_trees(manifest, rows) {
        alike.entry((same.game, same.first)).or_default().push(format!("`{}`", same.second));
    }
    for ((_, first), others) in alike {
        message(&format!(
            "note: `{first}` and {} search the same trees at these positions: the switch between them has no effect there\n",
            others.join(", ")
        ));
    }
    let tells = |row: &&Record| {
        let program = manifest.game(&row.game).and_then(|game| game.program.as_ref());
        program.is_some_and(|program| !program.untold.iter().any(|what| what == "nodes"))
    };
    let unsearched: Vec<&Record> =
        rows.records.iter().filter(tells).filter(|row| row.is_unsearched()).collect();
    let positions: BTreeSet<(&str, &str)> =
        unsearched.iter().map(|row| (row.game.as_str(), row.position.as_str())).collect();
    if !unsearched.is_empty() {
        message(&format!(
            "note: {} had only one legal move and visited no node (positions: {}), which ratios of nodes leave out\n",
            plural(unsearched.len(), "search"),
            count(positions.len() as u64)
        ));
    }
}

/// Opens the folder of a plan that `jobs` threads are to search, new or to go on with, and says what is done there.
pub fn opened(plan: &Plan, folder: &Path, jobs: usize, retry: bool) -> Result<Store, Failure> {
    let name =
        folder.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned());
    let failed = if retry { Failed::Retry } else { Failed::Keep };
    let store = Store::open_with(folder, of_plan(&name, plan, command(), jobs), failed, current())?;
    describe(folder, &RUN)?;
    mended(&store);
    let (cells, threads) = (plural(plan.len(), "cell"), plural(jobs, "thread"));
    message(&format!("{cells}, {threads}, into {}\n", folder.display()));
    Ok(store)
}

/// Searches and counts what is missing of a plan in a folder, new or to go on with, with a bar of progress.
pub fn searched(plan: &Plan, folder: &Path, how: How<'_>) -> Result<RunRows, Failure> {
    search(plan, opened(plan, folder, how.jobs, how.retry)?, how, &mut |_| String::new())
}

/// The same in an open folder, with a result to print of what was written just now, if there is one.
pub fn search(
    plan: &Plan,
    store: Store,
    how: How<'_>,
    result_of: &mut dyn FnMut(&[Sealed]) -> String,
) -> Result<RunRows, Failure> {
    let folder = store.dir().to_owned();
    let book = plan.is_judged().then(|| Book::open(how.book));
    let book = book.as_ref();
    let mut bar: Option<Progress> = None;
    let finished = store.finished();
    let mut costs = Pace::of(plan.keys().filter(|cell| !finished.contains_key(cell)));
    let ended = run(plan, store, how.jobs, book, how.stop, &mut |p| {
        let bar = bar.get_or_insert_with(|| {
            Progress::of_searches(p.total as u64, p.resumed as u64, std::mem::take(&mut costs))
        });
        p.written.iter().for_each(|cell| bar.searched(cell.record()));
        let last = p.written.last().map(Sealed::record);
        let what = last.map_or(String::new(), |r| format!("{} {} {}", r.game, r.position, r.methods));
        bar.set(p.finished as u64, &what);
        let result = result_of(p.written);
        if !result.is_empty() {
            bar.suspended(|| say(&result));
        }
    })?;
    drop(bar);
    if let Some(trouble) = book.and_then(Book::trouble) {
        message(&format!("{trouble}\n"));
    }
    if let Some((reused, searched)) = book.map(Book::used) {
        let searched = plural(searched as usize, "value");
        message(&format!("oracle: {searched} searched, {} from its book\n", count(reused)));
    }
    match ended {
        Ended::Complete(rows) => count_instructions(plan, &folder, how, rows),
        Ended::Stopped { finished } => {
            let (all, resumption) = (plural(plan.len(), "cell"), how.resumption);
            Err(Failure::stopped(format!("stopped after {finished} of {all}; resume with: {resumption}")))
        }
    }
}

/// Says what of a run is searched again because it was not as it was written, or had failed.
fn mended(store: &Store) {
    const SHOWN: usize = 5;
    let damages = store.damages();
    damages.iter().take(SHOWN).for_each(|damage| message(&format!("{damage}\n")));
    if !damages.is_empty() {
        let more = damages.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("and {more} more; ") } else { String::new() };
        message(&format!(
            "{more}the run was not as it was written: the cells concerned are searched again, the files as they were are \
             kept as *.damaged\n"
        ));
    }
    if store.retried() > 0 {
        let were = either(store.retried(), "cell that failed or was", "cells that failed or were");
        let are = either(store.retried(), "is", "are");
        message(&format!("{} {were} not decided {are} repeated\n", store.retried()));
    }
}

/// Arms of a program by their texts.
pub fn arms_of(program: Program, others: Others, arms: &[String]) -> Result<ProgramArms, Failure> {
    ProgramArms::new(program, others, arms).map_err(|(_, message)| Failure::input(message))
}

/// The suite `quick` in the game of a program, searched by arms of that program; `changes` say the rest.
pub fn quick_of(lined: ProgramArms, changes: Overrides) -> Result<Suite, Failure> {
    let mut quick = Suite::load("quick")?;
    quick.blocks.retain(|block| block.game == lined.program.game);
    quick.blocks.truncate(1);
    let game = Some(lined.program.game.clone());
    Ok(quick.overridden(&Overrides { game, program: Some(lined), ..changes })?)
}

/// The folder of a run without `--out`: one that is not there yet, or that of a shard.
pub fn unnamed_folder(shard: Option<Shard>, suite: &str) -> PathBuf {
    if let Some(Shard { number, of }) = shard {
        return PathBuf::from(format!("runs/{suite}-{number}-of-{of}"));
    }
    let name = format!("{suite}-{}", stamp(SystemTime::now()));
    // Two runs may begin in one second.
    let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
    names
        .by_ref()
        .map(|name| Path::new("runs").join(name))
        .find(|path| !path.exists())
        .expect("endless names")
}

/// The command as a person would type it, without the place where this build happens to lie.
pub fn command() -> Vec<String> {
    // A path need not be text; a record must.
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    name().split(' ').map(str::to_owned).chain(arguments).collect()
}

/// What Ctrl-C leads to in a run of searches.
pub const GIVEN_UP: &str = "the searches under way are given up";

/// A flag that Ctrl-C sets; `what` is then said to happen.
pub fn interrupt(what: &'static str) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    interrupt_by(&stop, what)?;
    Ok(stop)
}

/// The same for a flag that is there already.
pub fn interrupt_by(stop: &Arc<AtomicBool>, what: &'static str) -> Outcome {
    let asked = Arc::clone(stop);
    let handler = move || {
        // The second time the user means it: what is written is safe anyway.
        if asked.swap(true, Ordering::SeqCst) {
            std::process::exit(4);
        }
        message(&format!("\nstopping: {what} (again to quit at once)\n"));
    };
    ctrlc::set_handler(handler).map_err(Failure::system)
}

/// The file that keeps what the oracle said, unless another is given.
pub const ORACLE_BOOK: &str = "runs/oracle.csv";

/// How the searches of a command are made and counted.
#[derive(Clone, Copy)]
pub struct How<'a> {
    /// Searches at a time, and processes that count.
    pub jobs: usize,
    /// Whether what ended with an error is searched and counted again.
    pub retry: bool,
    /// Who counts instructions of our own search; programs of others are counted by callgrind.
    pub source: Source,
    /// The file of the oracle's answers.
    pub book: &'a Path,
    /// Set by Ctrl-C.
    pub stop: &'a Arc<AtomicBool>,
    /// What goes on with a run that was stopped, in words.
    pub resumption: &'a str,
}

impl<'a> How<'a> {
    /// One search at a time, each once.
    pub fn new(stop: &'a Arc<AtomicBool>, resumption: &'a str) -> How<'a> {
        let book = Path::new(ORACLE_BOOK);
        How { jobs: 1, retry: false, source: Source::Callgrind, book, stop, resumption }
    }
}

/// What the second pass does.
const COUNTING: &str = "counting instructions";
/// How many searches without a count are named.
const NAMED: usize = 3;

/// The second pass: fills the column `instructions` of a finished run, where the suite asks for it. Where counting is impossible, it
/// stays empty and one line says why.
pub fn count_instructions(
    plan: &Plan,
    folder: &Path,
    how: How<'_>,
    rows: RunRows,
) -> Result<RunRows, Failure> {
    if plan.units.iter().all(|unit| !unit.instructions) {
        return Ok(rows);
    }
    let is_foreign = has_programs(plan);
    if is_foreign && how.source == Source::Hardware {
        return Err(Failure::input(
            "--instructions=hardware counts only our own search: use --instructions for other programs",
        ));
    }
    let has_own = plan.units.iter().any(|unit| unit.instructions && plan.games[unit.game].program.is_none());
    let check = how.source.check();
    let check = check.and_then(|()| if has_own { check_own() } else { Ok(()) });
    let check = check.and_then(|()| if is_foreign { check_programs() } else { Ok(()) });
    if let Err(reason) = check {
        message(&format!("instructions were not counted, the column stays empty: {reason}\n"));
        return Ok(rows);
    }
    let (mut rows, mut complete) =
        phased(COUNTING, |bar| fill(plan, folder, how.source, how.jobs, how.stop, bar))?;
    if is_foreign && complete {
        let manner = Manner { jobs: how.jobs, stop: how.stop, retry: how.retry };
        (rows, complete) = phased(COUNTING, |bar| fill_programs(plan, folder, manner, bar))?;
        unsure(folder)?;
    }
    match complete {
        true => Ok(rows),
        false => Err(Failure::stopped(format!(
            "stopped while counting instructions; resume with: {}",
            how.resumption
        ))),
    }
}

/// Says which searches have no count, or one of other nodes.
fn unsure(folder: &Path) -> Result<(), Failure> {
    let manifest = Manifest::read(folder)?;
    let all = manifest.game.iter().filter_map(|game| game.counting.as_ref());
    let odd: Vec<&Odd> = all.flat_map(|counting| &counting.odd).collect();
    for odd in odd.iter().take(NAMED) {
        let count = if odd.entered { "its count was entered" } else { "no count" };
        message(&format!("{} {}: {}: {count}\n", odd.position, odd.methods, odd.why));
    }
    if !odd.is_empty() {
        message(&format!(
            "{} could not be counted as {} recorded (run.toml names {}); a program that keeps something \
             from one search to the next may repeat its nodes with isolation = \"cell\" in its subject file\n",
            plural(odd.len(), "search"),
            either(odd.len(), "it was", "they were"),
            either(odd.len(), "it", "them")
        ));
    }
    Ok(())
}

/// What is to be complained of in any part of a run.
pub fn failures(plan: &Plan, folder: &Path, rows: &RunRows) -> Outcome {
    // In turns there are other programs among the arms.
    let is_ours = |game: &str| {
        !plan.manner.turns && plan.games.iter().any(|entry| entry.name == game && entry.program.is_none())
    };
    let retry = format!("{} bench --resume {} --retry", name(), shell_path(folder));
    failed(folder, rows, &retry).map_err(|failure| {
        // What another program fails in is no fault of this one.
        match rows.records.iter().any(|row| row.error.is_some() && is_ours(&row.game)) {
            true => Failure::system(failure.message()),
            false => failure,
        }
    })?;
    let insane: Vec<&str> = rows
        .records
        .iter()
        // Of others the column `pv_ok` says it: many cut their lines short, and none is held to our rules for them.
        .filter(|record| !record.pv_ok.is_sane() && is_ours(&record.game))
        .map(|record| record.position.as_str())
        .collect();
    if let Some(first) = insane.first() {
        let message = format!(
            "{} {} not sane, the first for {first}",
            insane.len(),
            either(insane.len(), "principal variation is", "principal variations are")
        );
        return Err(Failure::gate(message));
    }
    Ok(())
}

/// What is to be complained of in a complete run. `whole` says that a built-in suite was searched as it stands.
///
/// Those say which methods may be silent (`expect-silent`), so there a method that never fired is a breach. Where somebody asked for a
/// suite, methods, positions or a budget of their own it is a note: on few positions a method may have nothing to cut, and the numbers
/// are right.
pub fn judged(plan: &Plan, folder: &Path, rows: &RunRows, whole: bool) -> Outcome {
    failures(plan, folder, rows)?;
    let silent = unexpectedly_silent(plan, &rows.counters);
    if silent.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = silent.iter().map(|(game, method)| format!("{method} in {game}")).collect();
    let names = names.join(", ");
    if whole {
        return Err(Failure::gate(format!(
            "never fired: {names}; a suite that expects this says so with `expect-silent`"
        )));
    }
    message(&format!("note: never fired on these positions at this budget: {names}\n"));
    Ok(())
}

/// Which part of a suite, a comparison or a match is asked for; it has a folder of its own.
#[derive(clap::Args)]
pub struct Cutting {
    /// Search only this shard: whole position blocks, or pairs of games, in runs/SUITE-3-of-20 unless --out
    /// is given; `merge` joins shards (docs/CLUSTER.md)
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Divide by what units are expected to cost: a file of `cluster`, or an earlier run. The same for all
    /// shards
    #[arg(long, value_name = "FILE", requires = "shard")]
    costs: Option<PathBuf>,
}

/// What is asked of a shard.
#[derive(clap::Args)]
pub struct Sharding {
    #[command(flatten)]
    pub cutting: Cutting,
    /// Write the finished shard into this folder as one file, in one step
    #[arg(long, value_name = "FOLDER")]
    publish: Option<PathBuf>,
}

impl Cutting {
    /// The part that is asked for.
    pub fn cut(&self, plan: Plan) -> Result<Plan, Failure> {
        let Some(shard) = self.shard else { return Ok(plan) };
        let costs = self.costs.as_deref().map(Costs::read).transpose()?.unwrap_or_default();
        Ok(cut(plan, shard, &costs)?)
    }
}

impl Sharding {
    /// The part that is asked for.
    pub fn cut(&self, plan: Plan) -> Result<Plan, Failure> {
        if self.publish.is_some() && self.cutting.shard.is_none() && plan.part.is_none() {
            return Err(Failure::input("--publish needs --shard: it publishes a finished shard"));
        }
        self.cutting.cut(plan)
    }

    /// Publishes a finished shard under its final name, if that is asked for and nothing is wrong with it, and says what it is.
    pub fn finish(&self, folder: &Path, part: &Part, failures: Outcome) -> Outcome {
        let units = plural(part.take.numbers().len(), "unit");
        message(&format!("shard {}: {units}, finished in {}\n", part.shard, folder.display()));
        failures?;
        let Some(target) = &self.publish else { return Ok(()) };
        let Some(shard) = numbers(&part.shard) else { return Ok(()) };
        let target = target.join(pack::name(shard));
        let what = match pack::publish(folder, &target)? {
            Published::New => "published as",
            Published::Same => "another search of it is there and agrees in every exact column:",
        };
        message(&format!("{what} {}\n", target.display()));
        Ok(())
    }
}
