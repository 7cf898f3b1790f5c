//! `bench`: plan a suite, or several programs and method sets next to each other, search what is missing, report; each block of a run
//! is printed as soon as it is complete.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::Reading;
use crate::cli::report::{self, Printed};
use crate::cli::running::{
    GIVEN_UP, How, Judging, Searching, Sharding, Spending, arms_of, failures, interrupt, judged, note, notes,
    opened, search, unnamed_folder,
};
use crate::cli::say::say;
use clap::ArgGroup;
use secateur_base::Unknown;
use secateur_base::number::{argument, plural};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_gate::instructions::Source;
use secateur_record::arm::split;
use secateur_record::manifest::Manifest;
use secateur_record::peers::{self, EngineArm, HASH_MIB, Lineup, OwnArm, PATIENCE, POSITIONS, SUITE};
use secateur_record::record::{BudgetKind, CellKey};
use secateur_record::store::{Sealed, Store};
use secateur_reports::evidence::Evidence;
use secateur_reports::format::count;
use secateur_reports::page::brief;
use secateur_stats::group::Group;
use secateur_stats::read::read;
use secateur_suites::Experiment;
use secateur_suites::allowance::Allowance;
use secateur_suites::lineup::{plan, planned};
use secateur_suites::manifest::suite;
use secateur_suites::matrix::{Plan, Unit};
use secateur_suites::program::{Others, Program, ProgramArms, combinations};
use secateur_suites::setups::arm::Arm;
use secateur_suites::suite::{Overrides, Suite, Sweep, factorial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} bench\n  {me} bench table2 --limit 50 --out runs/buro\n  \
                  {me} bench modern\n  {me} bench --game chess --methods none,null-move+mpc --depth 8\n  \
                  {me} bench --positions my.epd --time 500ms\n  \
                  {me} bench --game othello --methods probcut --sweep probcut.t=1.0,1.5,2.0 --audit 64\n  \
                  {me} bench --game chess --methods 'null-move,null-move[verified]' --depth 7 --oracle +2\n  \
                  {me} bench --subject toga2 --depth 8 --oracle stockfish-11@nodes=200k\n  \
                  {me} bench --subject gtp-rhino --level 3 --positions othello-28 --oracle 8\n  \
                  {me} bench --game chess --factorial null-move,mpc,futility --depth 7\n  \
                  {me} bench --game othello --depth 8 --instructions\n  \
                  {me} bench --subject toga2 --positions bratko-kopec --depth 8\n  \
                  {me} bench --subject toga2 --factorial null-move,lmr,futility --depth 8\n  \
                  {me} bench --subject toga2 --positions bratko-kopec --depth 6 --instructions\n  \
                  {me} bench --subject toga2,glaurung,toga2:none --methods none,null-move --depth 8\n  \
                  {me} bench --subject 'toga2;NullMove Pruning=Never' --methods none --depth 6\n  \
                  {me} bench factorial --shard 3/20 --publish shards\n\n\
                  Ctrl-C gives up the searches under way and leaves a run that can be resumed.", me = name()),
    group = ArgGroup::new("budget")
)]
pub struct Flags {
    /// Built-in suite or a .toml file
    #[arg(default_value = "quick")]
    suite: String,
    /// Search these method sets instead of the suite's: `none,mpc,null-move[verified]+mpc[t=1.2]`
    #[arg(long)]
    methods: Option<String>,
    /// Search with another program instead of our own search: the name or path of a subject file (`subjects
    /// list` prints the names). --methods, --factorial and --sweep then take its switches: full, none,
    /// null-move+lmr, 'full[-lmr]'. Several programs are compared side by side: toga2,mine.toml,toga2:none,
    /// each as it is or with an arm, or UCI engines by command and options, 'toga2;NullMove Pruning=Never'.
    /// --methods then takes arms of our search
    #[arg(long, value_name = "SUBJECTS", conflicts_with = "audit")]
    subject: Vec<String>,
    /// Transposition table of each program side by side, MiB
    #[arg(long, value_name = "MIB", requires = "subject", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: Option<u32>,
    /// Repetitions of every search of programs side by side; tables use the median
    #[arg(long, value_name = "N", requires = "subject", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<u32>,
    /// Keep the subject's methods that no arm names off or on
    #[arg(long, value_name = "OFF|ON", requires = "subject", value_parser = others)]
    others: Option<Others>,
    /// Search every combination of these 2 to 8 arms, one method each, instead of the suite's:
    /// null-move,mpc[t=1.2],futility
    #[arg(long, value_name = "ARMS", conflicts_with = "methods")]
    factorial: Option<String>,
    /// Search every method set with each of these forms of a method: probcut.t=1.0,1.2,1.5 or
    /// null-move=fixed,heinz,verified
    #[arg(long)]
    sweep: Vec<String>,
    /// Audit one cut in N: search it again without its method and record whether it was right; 0 audits none, in a
    /// suite that audits too
    #[arg(long, value_name = "N", value_parser = argument::<u64>)]
    audit: Option<u64>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    spending: Spending,
    /// Search at this level, of a subject that has levels, instead of the suite's budgets
    #[arg(long, group = "budget")]
    level: Option<i64>,
    #[command(flatten)]
    reading: Reading,
    /// Use these parameters and host options: a .toml file with the entries that differ, or a built-in
    /// variant
    #[arg(long)]
    params: Option<String>,
    /// Search only this game
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    searching: Searching,
    /// Resume the interrupted run in this folder
    #[arg(long, conflicts_with_all = ["suite", "methods", "subject", "hash", "repeat", "factorial", "sweep", "audit", "oracle", "budget", "positions", "skip_bad", "every", "game", "limit", "out", "params", "shard", "costs"])]
    resume: Option<PathBuf>,
    /// Count instructions in the whole suite, not only where it asks for it: with callgrind, or with the
    /// processor's counter
    #[arg(long, value_name = "SOURCE", num_args = 0..=1, require_equals = true, default_missing_value = "callgrind")]
    instructions: Option<Source>,
    #[command(flatten)]
    sharding: Sharding,
    /// Print every table at the end, not only the answer and one table per block
    #[arg(long, conflicts_with = "wide")]
    full: bool,
    /// Print what would be searched, and search nothing
    #[arg(long)]
    list: bool,
}

impl Flags {
    pub fn run(self) -> Outcome {
        // Wanted when the folder is opened, and found out while positions are read.
        secateur_suites::instruments::machine::prepare();
        let plan = self.sharding.cut(self.plan()?)?;
        if plan.is_empty() {
            return Err(Failure::input("no position to search: --limit is 0, or the suite has no positions"));
        }
        note(&plan);
        if self.list {
            say(&listing(&plan));
            return Ok(());
        }
        // Programs side by side have the machine to themselves.
        let jobs = if plan.manner.turns { 1 } else { self.searching.jobs() };
        let unnamed = || unnamed_folder(self.sharding.cutting.shard, &plan.suite.name);
        let folder = self.resume.as_ref().or(self.searching.out.as_ref()).cloned().unwrap_or_else(unnamed);
        // Before the folder is opened, which says so: who reads that may stop the run.
        let stop = interrupt(GIVEN_UP)?;
        let store = opened(&plan, &folder, jobs, self.searching.retry)?;
        let resume_command = format!("{} bench --resume {}", name(), shell_path(&folder));
        let (source, book) = (self.instructions.unwrap_or(Source::Callgrind), &*self.judging.oracle_book);
        let how = How { jobs, retry: self.searching.retry, source, book, ..How::new(&stop, &resume_command) };
        let columns = report::columns(self.searching.wide);
        let mut blocks = Blocks::new(&plan, &folder, &store, columns);
        let full = self.full || plan.manner.turns;
        let complete_blocks = |cells: &[Sealed]| if full { String::new() } else { blocks.written(cells) };
        let rows = search(&plan, store, how, &mut { complete_blocks })?;
        let printed = if full { Printed::Full } else { Printed::Brief(&blocks.waiting, columns) };
        match &plan.part {
            Some(part) => self.sharding.finish(&folder, part, failures(&plan, &folder, &rows)),
            None => {
                let judged = judged(&plan, &folder, &rows, Flags::is_as_written(&plan));
                notes(&Manifest::read(&folder)?, &rows);
                report::of_rows(&folder, rows, printed)?;
                judged
            }
        }
    }

    /// The one budget that is asked for.
    fn budget(&self) -> Result<Option<Allowance>, Failure> {
        let level = self.level.map(|level| Allowance::level(level).map_err(|e| format!("--level: {e}")));
        match level.transpose().map_err(Failure::input)? {
            Some(level) => Ok(Some(level)),
            None => self.spending.budget(),
        }
    }

    /// The comparison with other programs, if that is what is asked for.
    fn lineup(&self) -> Result<Option<Lineup>, Failure> {
        if self.subject.is_empty() || self.program().is_some() {
            let several = [("--hash", self.hash.is_some()), ("--repeat", self.repeat.is_some())];
            let what = "found one subject, expected several programs";
            return refused(&several, |flag| format!("{flag}: {what}")).map(|()| None);
        }
        self.for_a_lineup()?;
        let budget = self
            .budget()?
            .ok_or_else(|| Failure::input("no budget: expected --depth, --nodes or --time with --subject"))?;
        let (game, arms) = side_by_side(&listed(&self.subject), self.methods.as_deref())?;
        let patience = Allowance::time(PATIENCE).map_err(Failure::input)?;
        Ok(Some(Lineup {
            name: SUITE.to_owned(),
            game,
            positions: self.searching.positions.as_deref().map_or_else(|| POSITIONS.to_owned(), lasting),
            limit: self.searching.limit,
            reading: self.reading.given().unwrap_or_default(),
            budget_kind: budget.kind().to_string(),
            budget: budget.amount(),
            repeats: self.repeat.unwrap_or(1),
            hash_mib: self.hash.unwrap_or(HASH_MIB),
            patience_ms: patience.amount() / 1_000_000,
            params: self.params.as_deref().map(lasting),
            arms,
        }))
    }

    /// The subject file that is asked for.
    fn program(&self) -> Option<&str> {
        let is_one = matches!(listed(&self.subject).as_slice(), [one] if Program::is_subject(one));
        self.subject.first().filter(|_| is_one).map(String::as_str)
    }

    /// Refuses what programs side by side cannot be asked.
    fn for_a_lineup(&self) -> Result<(), Failure> {
        let asked = [
            ("--factorial", self.factorial.is_some()),
            ("--sweep", !self.sweep.is_empty()),
            ("--oracle", self.judging.oracle().is_some()),
            ("--level", self.level.is_some()),
            ("--list", self.list),
            ("--game", self.game.is_some()),
            ("--others", self.others.is_some()),
            ("--instructions", self.instructions.is_some()),
        ];
        let what = "needs one subject file, not several programs or a command";
        refused(&asked, |flag| format!("{flag} {what} (names: {} subjects list)", name()))
    }

    /// The method sets of our own search that are asked for, if any are.
    fn method_sets(&self) -> Result<Option<Vec<Arm>>, Failure> {
        match (&self.factorial, &self.methods) {
            (Some(list), _) => Ok(Some(factorial(list)?)),
            (None, Some(list)) => {
                let arms = split(list, ',').into_iter().map(Arm::parse).collect::<Result<_, _>>();
                arms.map(Some).map_err(Failure::input)
            }
            (None, None) => Ok(None),
        }
    }

    /// The arms of a subject file as they are asked for.
    fn program_arms(&self, name_or_path: &str) -> Result<ProgramArms, Failure> {
        let program = Program::load(name_or_path)?;
        let listed = |list: &String, mark| -> Vec<String> {
            split(list, mark).into_iter().map(|text| text.trim().to_owned()).collect()
        };
        let mut arms = match (&self.methods, &self.factorial) {
            (Some(list), _) => listed(list, ','),
            (None, Some(list)) => {
                combinations(&listed(list, ',')).map_err(Failure::at(format!("--factorial {list}")))?
            }
            (None, None) if self.sweep.is_empty() => ProgramArms::usual(&program),
            (None, None) => vec!["full".to_owned()],
        };
        for sweep in &self.sweep {
            arms = ProgramArms::swept(&arms, sweep).map_err(Failure::at("--sweep"))?;
        }
        arms_of(program, self.others.unwrap_or_default(), &arms)
    }

    /// All that is asked for, of which no part was cut yet.
    pub fn whole(&self) -> Result<Plan, Failure> {
        match self.lineup()? {
            Some(lineup) => Ok(planned(lineup)?),
            None if self.list => Ok(Experiment::from(self.suite()?).shown()?),
            None => Ok(Plan::new(self.suite()?)?),
        }
    }

    /// All that is asked for, or the part of it that the folder was begun with.
    fn plan(&self) -> Result<Plan, Failure> {
        let Some(folder) = &self.resume else { return self.whole() };
        let manifest = Manifest::read(folder)?;
        if self.list {
            if manifest.lineup().is_some() {
                return Err(Failure::input("--list: found programs side by side, expected a run of a suite"));
            }
            let shown = Experiment::from(self.counted(suite(&manifest, folder)?)).shown()?;
            let part = manifest.part.as_ref().filter(|part| !part.shard.is_empty());
            return Ok(match part {
                Some(part) => shown.taken(&part.shard, part.take.clone()),
                None => shown,
            });
        }
        Ok(plan(&manifest, folder, |suite| self.counted(suite))?)
    }

    fn suite(&self) -> Result<Suite, Failure> {
        let mut changes = Overrides {
            game: self.game.clone(),
            audit: self.audit,
            oracle: self.judging.oracle(),
            reading: self.reading.given(),
            params: self.params.clone(),
            ..self.searching.changes(self.budget()?)
        };
        match self.program() {
            Some(name) => changes.program = Some(self.program_arms(name)?),
            None => {
                changes.methods = self.method_sets()?;
                changes.sweeps =
                    self.sweep.iter().map(|text| Sweep::parse(text)).collect::<Result<_, _>>()?;
            }
        }
        Ok(self.counted(Suite::load(&self.suite)?.overridden(&changes)?))
    }

    /// Whether built-in blocks are searched as they stand.
    fn is_as_written(plan: &Plan) -> bool {
        let Suite { name, blocks, .. } = &plan.suite;
        let built_in = Suite::names().contains(&&**name).then(|| Suite::load(name));
        built_in.is_some_and(|suite| {
            suite.is_ok_and(|suite| blocks.iter().all(|block| suite.blocks.contains(block)))
        })
    }

    fn counted(&self, suite: Suite) -> Suite {
        if self.instructions.is_some() { suite.counted() } else { suite }
    }
}

/// Refuses the first of these flags that is given.
fn refused(flags: &[(&str, bool)], why: impl Fn(&str) -> String) -> Outcome {
    match flags.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::input(why(flag))),
        None => Ok(()),
    }
}

fn others(text: &str) -> Result<Others, String> {
    match text {
        "off" => Ok(Others::Off),
        "on" => Ok(Others::On),
        _ => Err("expected off or on".to_owned()),
    }
}

/// What a plan would search, by game and budget.
fn listing(plan: &Plan) -> String {
    let mut groups = BTreeMap::new();
    for unit in &plan.units {
        let game = &plan.games[unit.game];
        let methods: Vec<String> = unit.methods.iter().map(|&index| game.arms[index].name.clone()).collect();
        let key = (&game.name, unit.allowance.kind(), unit.allowance.amount(), methods, unit.repeats);
        let stages: &mut BTreeMap<&str, usize> = groups.entry(key).or_default();
        *stages.entry(&game.entries[unit.entry].stage).or_default() += 1;
    }
    let mut text = format!("suite {}: {}\n", plan.suite.name, plan.suite.description);
    for ((game, kind, amount, methods, repeats), stages) in groups {
        let positions: usize = stages.values().sum();
        let unit = match kind {
            BudgetKind::Time => secateur_reports::format::duration(amount),
            BudgetKind::Depth | BudgetKind::Nodes | BudgetKind::Level => count(amount),
        };
        let stages: Vec<String> = stages.iter().map(|(stage, n)| format!("{stage}: {n}")).collect();
        text +=
            &format!("{game}, {kind} {unit}: {} ({})\n", plural(positions, "position"), stages.join(", "));
        text += &format!("  methods: {}; baseline repeated: {repeats}\n", methods.join(", "));
    }
    text + &plural(plan.len(), "cell") + "\n"
}

/// A block as reports have it: a game under a budget.
pub type Block = (String, BudgetKind, u64);

/// The block of a group of records.
pub fn block_of(group: &Group<'_>) -> Block {
    (group.game.to_owned(), group.budget_kind, group.budget)
}

fn block_of_unit(plan: &Plan, unit: &Unit) -> Block {
    (plan.games[unit.game].name.clone(), unit.allowance.kind(), unit.allowance.amount())
}

/// The blocks of a run under way, each printed as soon as it is complete, while the rest is searched.
///
/// What is printed is read from the files of the run, so that it is what a report of them says. Left out: the last block,
/// with which the run is complete, blocks whose instructions are counted after all searches, and the one with the most positions,
/// which stands right above the answer.
struct Blocks {
    folder: PathBuf,
    /// Columns of the terminal.
    width: u16,
    /// Cells that are still to be searched, by block.
    left: BTreeMap<Block, usize>,
    /// Blocks that are printed with the end.
    waiting: BTreeSet<Block>,
}

impl Blocks {
    /// The blocks of a plan of which `store` may have some cells already, for a terminal of `width` columns.
    fn new(plan: &Plan, folder: &Path, store: &Store, width: u16) -> Blocks {
        let done = store.finished();
        let mut left: BTreeMap<Block, usize> = BTreeMap::new();
        for key in plan.keys() {
            *left.entry(block(key)).or_default() += usize::from(!done.contains_key(&key));
        }
        let waiting = left.keys().cloned().collect();
        let counted = plan.units.iter().filter(|unit| unit.instructions);
        for block in weightiest(plan).into_iter().chain(counted.map(|unit| block_of_unit(plan, unit))) {
            left.remove(&block);
        }
        left.retain(|_, cells| *cells > 0);
        Blocks { folder: folder.to_owned(), width, left, waiting }
    }

    /// The tables of the blocks that these cells complete; nothing of the last, and nothing where the files cannot be read,
    /// which whoever reads them at the end will say.
    fn written(&mut self, cells: &[Sealed]) -> String {
        let mut complete = Vec::new();
        for cell in cells {
            let block_key = block(cell.record().key());
            let Some(left) = self.left.get_mut(&block_key) else { continue };
            *left -= 1;
            if *left == 0 {
                self.left.remove(&block_key);
                complete.push(block_key);
            }
        }
        if complete.is_empty() || self.waiting.len() == complete.len() {
            return String::new();
        }
        let Ok(runs) = read(std::slice::from_ref(&self.folder)) else { return String::new() };
        let evidence = Evidence::of(&runs);
        let mut text = String::new();
        for group in evidence.groups.iter().filter(|group| complete.contains(&block_of(group))) {
            self.waiting.remove(&block_of(group));
            text += &brief::block(group, &evidence, self.width);
        }
        text
    }
}

/// The block that is printed last, as [`brief::weightiest_last`] has it.
fn weightiest(plan: &Plan) -> Option<Block> {
    let mut positions: BTreeMap<Block, usize> = BTreeMap::new();
    for unit in &plan.units {
        *positions.entry(block_of_unit(plan, unit)).or_default() += 1;
    }
    let weight = |((game, kind, budget), count): &(Block, usize)| {
        (*kind == BudgetKind::Depth, *count, *budget, game.clone())
    };
    positions.into_iter().max_by_key(weight).map(|(block, _)| block)
}

fn block(key: CellKey) -> Block {
    (key.game.to_string(), key.budget_kind, key.budget)
}

/// The game and the arms of these subjects and commands, with method sets of ours behind them.
fn side_by_side(subjects: &[String], methods: Option<&str>) -> Result<(String, Vec<peers::Arm>), Failure> {
    let mut arms = Vec::new();
    let mut first: Option<String> = None;
    for text in subjects {
        let (arm, game) = engine(text)?;
        let other = first.get_or_insert_with(|| game.clone());
        if *other != game {
            return Err(Failure::input(format!(
                "--subject {text}: found a subject of {game} next to one of {other}, expected one game at a time"
            )));
        }
        arms.push(peers::Arm::Engine(arm));
    }
    let own_arm =
        |methods: &str| peers::Arm::Own(OwnArm { methods: methods.to_owned(), ..OwnArm::default() });
    arms.extend(methods.into_iter().flat_map(|list| split(list, ',')).map(own_arm));
    Ok((first.unwrap_or_else(|| CHESS.to_owned()), arms))
}

/// The game of commands.
const CHESS: &str = "chess";

/// The subjects of a list: `toga2,mine.toml:none`. A command with options is one by itself: it may hold commas.
fn listed(texts: &[String]) -> Vec<String> {
    let entries = |text: &String| match text.contains(';') {
        true => vec![text.clone()],
        false => split(text, ',').into_iter().map(|word| word.trim().to_owned()).collect(),
    };
    texts.iter().flat_map(entries).collect()
}

/// A subject file and one of its arms, `toga2:none`, or a command with its options, `toga2;NullMove Pruning=Never`; with its game.
fn engine(text: &str) -> Result<(EngineArm, String), Failure> {
    let (subject, switching) = text.split_once(':').unwrap_or((text, "full"));
    if Program::is_subject(subject) {
        let program = Program::load(subject)?;
        let switching = program.arm(switching)?.name;
        let arm = EngineArm {
            subject: Program::lasting(subject, Path::new("")),
            switching,
            ..EngineArm::default()
        };
        return Ok((arm, program.game));
    }
    let mut parts = split(text, ';').into_iter();
    let mut arguments = parts.next().unwrap_or_default().split_whitespace().map(str::to_owned);
    let command = arguments.next().ok_or_else(|| {
        Failure::input(format!(
            "--subject needs a program: a subject file, a name that `{} list subjects` prints, or a command",
            name()
        ))
    })?;
    let meant = Unknown::new("subject", &command, &Program::names());
    if meant.hint.is_some() && secateur_engines::find(Path::new(&command)).is_err() {
        return Err(Failure::input(meant));
    }
    let command = match std::path::absolute(&command) {
        Ok(path) if command.contains('/') => path.display().to_string(),
        _ => command,
    };
    let mut options = Vec::new();
    for option in parts {
        let Some((name, value)) = option.split_once('=') else {
            return Err(Failure::input(format!("--subject {text}: found `{option}`, expected NAME=VALUE")));
        };
        options.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    Ok((EngineArm { command, args: arguments.collect(), options, ..EngineArm::default() }, CHESS.to_owned()))
}

/// A file by its full path, so that a run can be resumed from another folder; a name as it is.
pub fn lasting(name_or_path: &str) -> String {
    let path = std::path::Path::new(name_or_path);
    match path.extension().map(|_| std::path::absolute(path)) {
        Some(Ok(path)) => path.display().to_string(),
        _ => name_or_path.to_owned(),
    }
}
