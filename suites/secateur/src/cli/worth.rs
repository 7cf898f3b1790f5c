//! `worth`: what each pruning method of a program is worth, on one page.
//!
//! It searches the program as it is, without each of its methods, with each alone and with none, and plays the program against
//! itself without a method where games are asked for. Everything goes into one folder; the same command goes on with what is
//! there.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::instructions::{self, Counting};
use crate::cli::places::positions;
use crate::cli::play::{How, hypotheses, play};
use crate::cli::put::put;
use crate::cli::running::{
    ORACLE_BOOK, Searching, budget, failed, fresh_folder, interrupt, note_same_trees, note_unsearched,
    opened, quick_of, search, stopped,
};
use crate::cli::say::{message, say};
use crate::cli::shard::Cutting;
use clap::ArgGroup;
use secateur_arena::play::{Adjudication, Ended as Match, Limit, MatchSettings, PlayerSpec};
use secateur_base::number::{argument, whole};
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_gate::instructions::Source;
use secateur_record::part::Part;
use secateur_reports::export;
use secateur_reports::page::brief;
use secateur_reports::page::html::{self, Extras};
use secateur_reports::worth::{Played, json, markdown, page, rows};
use secateur_stats::play::rests_on_faults;
use secateur_stats::read::from_rows;
use secateur_stats::worth::without;
use secateur_suites::manifest::Manifest;
use secateur_suites::matrix::Plan;
use secateur_suites::oracle::Oracle;
use secateur_suites::program::{Others, Program, ProgramArms, left_out};
use secateur_suites::run::Ended;
use secateur_suites::shards::matches;
use secateur_suites::store::RunRows;
use secateur_suites::suite::{Overrides, Suite};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most methods whose pairs are taken out too if nobody says so: of more there are too many pairs.
const PAIRED: usize = 4;
/// Most methods whose arms are all searched if nobody says so: a program without all of more searches next to nothing in hours.
const ALL_ARMS: usize = 9;

/// Arguments of `worth`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} worth toga2\n  {me} worth my-engine.toml --positions kaufman --depth 10 --oracle 8\n  \
                  {me} worth glaurung --depth 8 --games 200 --tc 1+0.01 --out runs/glaurung\n  \
                  {me} worth glaurung --depth 6 --instructions\n\n\
                  A subject file says what switches each method off: {me} subjects show toga2 is an example.\n\
                  With --out the same command resumes a run. Of a shard the positions and the pairs of games of every\n\
                  match are cut; merge puts searches and matches together.", me = name()),
    group = ArgGroup::new("budget")
)]
pub struct Flags {
    /// Name or path of a subject file
    subject: String,
    /// Fixed depth in plies, as the program counts them, instead of that of the suite `quick`
    #[arg(long, group = "budget")]
    depth: Option<i64>,
    /// Search this many nodes per position instead
    #[arg(long, group = "budget", value_parser = whole)]
    nodes: Option<i64>,
    /// Search for this time per position instead
    #[arg(long, group = "budget")]
    time: Option<String>,
    /// Judge moves by our own full-width search at this depth (8) or so many plies deeper (+1); by the program itself with all of
    /// its methods (full+2, full@nodes=200k); by another subject (stockfish-11@nodes=200k)
    #[arg(long, value_name = "ORACLE", allow_hyphen_values = true)]
    oracle: Option<Oracle>,
    /// Keep the oracle's answers in this file, for all runs
    #[arg(long, default_value = ORACLE_BOOK, value_name = "FILE")]
    oracle_book: PathBuf,
    /// Take out every two methods together too; so it is done anyway where there are at most four
    #[arg(long)]
    pairs: bool,
    /// Leave out `none` and each method alone: a modern program without all of its methods searches no further than a few plies
    #[arg(long, alias = "in-company")]
    with_others: bool,
    /// Search `none` and each method alone too, of a program with more than nine methods, which leaves them out otherwise
    #[arg(long, conflicts_with = "with_others")]
    all_arms: bool,
    /// Count instructions with callgrind too, the program as it is twice
    #[arg(long)]
    instructions: bool,
    /// Games of the program against itself without each method, an even number; with a clock they are played one at a time
    #[arg(long, default_value_t = 0, value_parser = argument::<usize>)]
    games: usize,
    /// The same without each two methods: whether Elo values add up
    #[arg(long, default_value_t = 0, value_parser = argument::<usize>, requires = "games")]
    pair_games: usize,
    /// Play games about these methods only: null-move,lmr,futility
    #[arg(long, value_name = "METHODS", value_delimiter = ',', requires = "games")]
    games_of: Vec<String>,
    /// End a match when a sequential test between two normalised Elo differences is decided, e.g. 0,5; then its Elo has a bias
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, requires = "games")]
    sprt: Option<String>,
    /// Clock of the games, seconds and increment
    #[arg(long, default_value = "1+0.01")]
    tc: String,
    /// Fixed nodes of every search in the games instead: whatever else the computer does, they repeat
    #[arg(long, conflicts_with = "tc", value_parser = argument::<u64>)]
    game_nodes: Option<u64>,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    cutting: Cutting,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let program = Program::load(&self.subject)?;
        if program.factors.is_empty() {
            return Err(Failure::input(format!(
                "{}: found no [factor], expected the methods to switch",
                self.subject
            )));
        }
        let settings = self.matches(&program)?;
        let parts =
            settings.iter().map(|(_, settings)| self.part(settings)).collect::<Result<Vec<_>, _>>()?;
        let rest = self.rest(&program);
        let plan = self.cutting.cut(Plan::new(self.suite(program.clone())?)?)?;
        self.searching.announce(&program, &plan);
        let unnamed = || self.cutting.folder("worth").unwrap_or_else(|| fresh_folder("worth"));
        let folder = self.searching.out.clone().unwrap_or_else(unnamed);
        let stop = interrupt("what is under way is given up")?;
        let searches = folder.join("searches");
        let rows = self.searched(&plan, &searches, &stop)?;
        let mut played = Vec::new();
        for ((methods, settings), part) in settings.into_iter().zip(parts) {
            let games = folder.join(format!("games-{}", methods.join("+")));
            let ended = self.played(&settings, part, &games, &stop)?;
            played.push(Played { methods, ended });
        }
        match self.cutting.shard {
            Some(shard) => {
                let again = "when all are: merge them into a folder, and the same command without --shard, with `--out` and that \
                             folder, writes the page";
                message(&format!("shard {shard} is finished in {}; {again}\n", folder.display()));
                failed(&searches, &rows)
            }
            None => {
                let reported = report(&folder, &searches, rows, &played, self.searching.wide);
                rest.into_iter().for_each(|rest| message(&rest));
                reported
            }
        }
    }

    /// Whether `none` and each method alone are left out.
    fn leaves_out(&self, program: &Program) -> bool {
        self.with_others || !self.all_arms && program.factors.len() > ALL_ARMS
    }

    /// What was not searched although nobody said so, and the command for it.
    fn rest(&self, program: &Program) -> Option<String> {
        let is_chosen = self.leaves_out(program) && !self.with_others;
        is_chosen.then(|| {
            format!(
                "not searched: `none` and each method alone, of a program with {} methods; for those too: {} worth {} --all-arms\n",
                program.factors.len(),
                name(),
                shell_word(&self.subject)
            )
        })
    }

    /// The pairs of games of a match that are asked for, where that is not all of them.
    fn part(&self, settings: &MatchSettings) -> Result<Option<Part>, Failure> {
        Ok(self.cutting.shard.map(|shard| matches::cut(settings, shard)).transpose()?)
    }

    /// What is searched: a depth of the suite `quick` in the game of the program, unless more is said.
    fn suite(&self, program: Program) -> Result<Suite, Failure> {
        let mut arms = ProgramArms::usual(&program);
        if self.leaves_out(&program) {
            arms.retain(|arm| arm.starts_with("full"));
        }
        let names: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        if self.pairs || names.len() <= PAIRED {
            let both = pairs(&names).map(|pair| without(&pair)).filter(|_| names.len() > 2);
            let (both, left) = program.possible(both.collect());
            let left = left_out(left.iter().map(|(arm, why)| (arm, why)));
            left.iter().for_each(|left| message(&format!("note: {left}\n")));
            arms.extend(both);
        }
        let lined =
            ProgramArms::new(program, Others::Off, &arms).map_err(|(_, message)| Failure::input(message))?;
        if self.games > 0 {
            lined.keeps_to(self.game_limit()?.into())?;
        }
        let changes = Overrides {
            positions: self.searching.positions.clone(),
            limit: self.searching.limit,
            oracle: self.oracle.clone().map(|oracle| oracle.lasting(Path::new(""))),
            budget: budget(self.depth, self.nodes, self.time.as_deref())?,
            ..Overrides::default()
        };
        let suite = quick_of(lined, changes)?;
        Ok(if self.instructions { suite.counted() } else { suite })
    }

    fn searched(&self, plan: &Plan, folder: &Path, stop: &Arc<AtomicBool>) -> Result<RunRows, Failure> {
        let jobs = self.searching.jobs();
        let store = opened(plan, folder, jobs, self.searching.retry)?;
        match search(plan, store, jobs, &self.oracle_book, stop)? {
            Ended::Complete(rows) => {
                let out = shell_path(folder.parent().unwrap_or(folder));
                let again = format!("the same command with `--out {out}`");
                let source = Source::Callgrind;
                let how = Counting { source, jobs, retry: self.searching.retry, stop, again: &again };
                instructions::fill(plan, folder, how, rows)
            }
            Ended::Stopped { .. } => Err(stopped_below(folder)),
        }
    }

    /// The matches that are asked for, each with the methods that the second player lacks.
    fn matches(&self, program: &Program) -> Result<Vec<(Vec<String>, MatchSettings)>, Failure> {
        for method in &self.games_of {
            program.factor(method).map_err(|error| Failure::input(format!("--games-of: {error}")))?;
        }
        let mut names: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        names.retain(|name| self.games_of.is_empty() || self.games_of.iter().any(|of| of == name));
        let can = |pair: &[&str; 2]| program.possible(vec![without(pair)]).1.is_empty();
        let paired = pairs(&names).filter(can).map(|pair| (self.pair_games, pair.to_vec()));
        let wanted = names.iter().map(|name| (self.games, vec![*name])).chain(paired);
        let wanted = wanted.filter(|(games, _)| *games > 0);
        wanted
            .map(|(games, less)| {
                let settings = self.settings(program, games, &less)?;
                Ok((less.into_iter().map(str::to_owned).collect(), settings))
            })
            .collect()
    }

    /// What both players of every game may spend.
    fn game_limit(&self) -> Result<Limit, Failure> {
        let clock = || Limit::clock(&self.tc).map_err(|error| Failure::input(format!("--tc {error}")));
        self.game_nodes.map(Limit::Nodes).map_or_else(clock, Ok)
    }

    /// A match of the program as it is against the program without some methods.
    fn settings(&self, program: &Program, games: usize, less: &[&str]) -> Result<MatchSettings, Failure> {
        let player = |arm: String| PlayerSpec::Subject { subject: program.source.clone(), arm, level: None };
        Ok(MatchSettings {
            game: program.game.clone(),
            games,
            seed: 1,
            limit: self.game_limit()?,
            odds: None,
            margin_ms: 50,
            hash_mib: program.hash_mib as usize,
            openings: None,
            reading: Default::default(),
            sprt: self.sprt.as_deref().map(hypotheses).transpose().map_err(Failure::input)?,
            adjudication: Adjudication::default(),
            first: player("full".to_owned()),
            second: player(without(less)),
        })
    }

    fn played(
        &self,
        settings: &MatchSettings,
        part: Option<Part>,
        folder: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<Match, Failure> {
        let jobs = if settings.limit.repeats() { self.searching.jobs() } else { 1 };
        let how = How { part, jobs, retry: self.searching.retry };
        let (ended, decided) = play(settings, folder, how, stop, || Ok(()))?;
        if decided {
            // The match is over; the next one is not.
            stop.store(false, Ordering::SeqCst);
        }
        if stop.load(Ordering::SeqCst) { Err(stopped_below(folder)) } else { Ok(ended) }
    }
}

/// The command was stopped at what goes into this folder of its own.
fn stopped_below(folder: &Path) -> Failure {
    stopped(folder.parent().unwrap_or(folder))
}

/// Every two methods, in their order.
fn pairs<'n>(names: &[&'n str]) -> impl Iterator<Item = [&'n str; 2]> {
    names.iter().enumerate().flat_map(|(at, one)| names[at + 1..].iter().map(|other| [*one, *other]))
}

/// Prints the page and writes it into the folder: for a browser, for a pull request, and for tools.
fn report(folder: &Path, searches: &Path, found: RunRows, played: &[Played], wide: bool) -> Outcome {
    let judged = failed(searches, &found);
    let manifest = Manifest::read(searches)?;
    note_same_trees(&manifest, &found);
    note_unsearched(&manifest, &found);
    let runs = from_rows(searches, found, manifest)?;
    let page = page(&runs, played);
    let extras = Extras { positions: positions(&runs), played: played.to_vec(), ..Extras::default() };
    for (name, text) in [
        ("worth.md", markdown(&page, played)),
        ("worth.html", html::page(&runs, extras)),
        ("worth.csv", export::csv(&rows(&runs, played))),
        ("worth.json", json(&runs, played)),
    ] {
        put(&folder.join(name), text)?;
    }
    let columns = if wide { brief::WIDE } else { crate::cli::report::width() };
    say(&brief::of_worth(&runs, played, columns).unwrap_or_default());
    message(&format!("\npage: {}\n", folder.join("worth.html").display()));
    judged.and_then(|()| rested(folder, played))
}

/// A result that rests on faults is none.
fn rested(folder: &Path, played: &[Played]) -> Outcome {
    let faulty: Vec<String> = played
        .iter()
        .filter(|one| rests_on_faults(&one.ended.rows))
        .map(|one| format!("games-{}", one.methods.join("+")))
        .collect();
    if faulty.is_empty() {
        return Ok(());
    }
    let (out, games) = (shell_path(folder), folder.display());
    Err(Failure::incomplete(format!(
        "games ended by faults, so their result is none: see the columns `reason` and `detail` of games.csv in {games}/{}; --retry and \
         --out {out} play them again",
        faulty.join(", ")
    )))
}
