//! `play`: a match between two method sets or installed engines, recorded game by game.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::{Reading, jobs};
use crate::cli::running::{command, interrupt_by, unnamed_folder};
use crate::cli::say::{MATCH, Progress, describe, message, say};
use clap::ArgGroup;
use secateur_arena::play::{
    Adjudication, DrawRule, Ended, GameRow, Job, Judge, Limit, MatchSettings, PlayFile, PlayerSpec, Resign,
    SETTINGS, Together, run_together,
};
use secateur_base::number::{argument, plural};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_record::archive::is_file;
use secateur_reports::play::{brief, report};
use secateur_reports::render::terminal;
use secateur_stats::decisions::OpenMatches;
use secateur_stats::elo::Decision;
use secateur_stats::play::{faults, rests_on_faults, sequential};
use secateur_suites::allowance::Allowance;
use secateur_suites::instruments::clock::{Reserved, games_at_a_time, physical, reserve};
use secateur_suites::instruments::machine::cores;
use secateur_suites::shards::matches;
use secateur_suites::shards::shard::Shard;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Nodes of every search where no limit is given.
const NODES: u64 = 20_000;
/// Columns of the report.
const WIDTH: u16 = 120;

/// Arguments of `play`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} play --first none --second null-move --nodes 20000 --games 200\n  \
                  {me} play --game othello --first none --second mpc --second-params strict\n  \
                  {me} play --game einstein --first chance-probcut --second none --nodes 3000\n  \
                  {me} play --first null-move --second engine:toga2 --second-option 'NullMove Pruning=Never' --tc 2+0.02\n  \
                  {me} play --resume runs/play-20261121T101500Z\n\n\
                  A player is a method set of this program (null-move+mpc, none), engine:NAME, a UCI engine, or subject:FILE, a\n\
                  program with switches (subject:toga2:none). Append @level=N to play such a program at a fixed level\n\
                  of its own: --first mpc --second subject:edax.toml@level=8 --depth 8.\n\
                  Every opening is played twice with colours swapped. With --nodes and --depth the games of two\n\
                  method sets repeat exactly. Ctrl-C leaves a match that can be resumed. Exit code 4 if more than one game\n\
                  in a hundred ended by a fault (a crash, a hang, an illegal move, time): `--retry` plays those again.", me = name()),
    group = ArgGroup::new("limit")
)]
pub struct Flags {
    /// The player whose points are counted: a method set, or engine:NAME
    #[arg(long, required_unless_present = "resume")]
    first: Option<String>,
    /// The opponent: a method set, or engine:NAME
    #[arg(long, required_unless_present = "resume")]
    second: Option<String>,
    /// Name of the game
    #[arg(long, default_value = "chess")]
    game: String,
    /// Use these parameters for the first player: a .toml file or a built-in variant
    #[arg(long)]
    first_params: Option<String>,
    /// Use these parameters for the second player
    #[arg(long)]
    second_params: Option<String>,
    /// Set an option of the first engine, NAME=VALUE; repeatable
    #[arg(long)]
    first_option: Vec<String>,
    /// Set an option of the second engine, NAME=VALUE; repeatable
    #[arg(long)]
    second_option: Vec<String>,
    /// Nodes per search [default: 20,000 if no other limit is given]
    #[arg(long, group = "limit", value_parser = argument::<u64>)]
    nodes: Option<u64>,
    /// Depth per search, plies
    #[arg(long, group = "limit")]
    depth: Option<u32>,
    /// Wall time per search: 100ms
    #[arg(long, group = "limit")]
    movetime: Option<String>,
    /// Clock per game, seconds and increment: 2+0.02
    #[arg(long, group = "limit")]
    tc: Option<String>,
    /// Give the second player this many times the nodes or time of the first
    #[arg(long, value_parser = odds)]
    odds: Option<f64>,
    /// Number of games, even
    #[arg(long, default_value_t = 200, value_parser = argument::<usize>)]
    games: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use these openings: a built-in position set, or an .epd, .fen, .pgn or .obf file
    #[arg(long)]
    openings: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// Table of each player, MiB
    #[arg(long, default_value_t = 64, value_parser = hash)]
    hash: usize,
    /// Accept answers this late, ms
    #[arg(long, default_value_t = 50)]
    time_margin: u64,
    /// End a game as won when both players see one side ahead, MOVES:CENTIPAWNS or off [chess: 3:400]
    #[arg(long)]
    resign: Option<String>,
    /// End a game as drawn when both players see it even, MOVE:MOVES:CENTIPAWNS or off [chess: 40:8:10]
    #[arg(long)]
    draw: Option<String>,
    /// End a game as drawn after so many moves, or off [chess: 300]
    #[arg(long)]
    max_moves: Option<String>,
    /// Stop the match when a sequential test between two normalised Elo differences decides: 0,5
    #[arg(long, allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Games at a time [default: with nodes or depth all cores, and results do not depend on it; with a clock one less than the physical
    /// cores, each game on its own core]
    #[arg(long, visible_alias = "concurrency", value_parser = jobs)]
    jobs: Option<usize>,
    /// Match folder; a match that began there is resumed [default: runs/play-TIME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Play only this shard: whole pairs of games, in runs/play-3-of-20 unless --out is given; `merge` joins
    /// shards (docs/CLUSTER.md)
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Replay games that a fault ended: a crash, a hang, an illegal move, an impossible claim, time
    #[arg(long)]
    retry: bool,
    /// Resume the interrupted match in this folder
    #[arg(long, conflicts_with_all = ["first", "second", "first_params", "second_params", "first_option",
        "second_option", "limit", "odds", "openings", "skip_bad", "every", "resign", "draw", "max_moves", "sprt", "out", "game", "games", "seed", "hash",
        "time_margin", "shard"])]
    resume: Option<PathBuf>,
}

fn hash(text: &str) -> Result<usize, String> {
    let mib = argument::<usize>(text)?;
    if (1..=65_536).contains(&mib) { Ok(mib) } else { Err(format!("found {mib}, expected 1 to 65536 MiB")) }
}

fn odds(text: &str) -> Result<f64, String> {
    let times = text.parse::<f64>().ok().filter(|times| (0.001..=1000.0).contains(times));
    times.ok_or_else(|| format!("found `{text}`, expected a number from 0.001 to 1000"))
}

impl Flags {
    pub fn run(self) -> Outcome {
        let (settings, part) = match &self.resume {
            Some(folder) if !is_file(&folder.join(SETTINGS)) => {
                return Err(Failure::input(format!(
                    "{}: no match was begun there; begin it with --out {0} and its settings",
                    folder.display()
                )));
            }
            Some(folder) => {
                let file = PlayFile::read(folder)?;
                let part = file.shard().cloned();
                (file.settings, part)
            }
            None => {
                let settings = self.settings()?;
                let part = self.shard.map(|shard| matches::cut(&settings, shard)).transpose()?;
                (settings, part)
            }
        };
        let at_once = AtOnce::of(self.jobs, settings.limit);
        let unnamed = || unnamed_folder(self.shard, "play");
        let folder = self.resume.or(self.out).unwrap_or_else(unnamed);
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job {
            settings: &settings,
            dir: &folder,
            argv: command(),
            jobs: at_once.jobs,
            cores: at_once.cores(),
            retry: self.retry,
            part,
            lacking: &[],
            stop: &stop,
        };
        let together = Together { matches: &[job], companion: None, until: None };
        let mut listening = Ok(());
        let begin = &mut |games: usize| {
            // Before the first game nothing is begun, and Ctrl-C ends the program as it ends any.
            listening = interrupt_by(&stop, "the games under way are given up");
            message(&format!("{games} games, {}, into {}\n", at_once.description(), folder.display()));
        };
        let mut ended = play(&together, [(&[][..], &settings)], begin, &|_, rows| brief(rows))?;
        listening?;
        let ended = ended.remove(0);
        for what in &ended.mended {
            message(&format!("repaired: {what}\n"));
        }
        if !ended.rows.is_empty() {
            say(&terminal(&report(&ended), WIDTH));
        }
        let is_decided = |elo| sequential(&ended.rows, elo).0 != Decision::Open;
        if ended.file.complete || settings.sprt.is_some_and(is_decided) {
            return judged(&ended, &folder);
        }
        Err(Failure::stopped(format!(
            "stopped after {} of {} games; resume with: {} play --resume {}",
            ended.rows.len(),
            ended.file.games_here().len(),
            name(),
            shell_path(&folder)
        )))
    }

    fn settings(&self) -> Result<MatchSettings, Failure> {
        let player = |text: &Option<String>, params: &Option<String>, options: &[String], side: &str| {
            let text = text.as_deref().unwrap_or_default();
            if text.starts_with("engine:") && params.is_some() {
                return Err(Failure::input(format!("--{side}-params: {text} takes --{side}-option instead")));
            }
            if !text.starts_with("engine:") && !options.is_empty() {
                return Err(Failure::input(format!("--{side}-option: expected engine:NAME, found `{text}`")));
            }
            PlayerSpec::read(text, params.as_deref(), options)
                .map_err(|message| Failure::input(format!("--{side} {message}")))
        };
        let limit = self.limit().map_err(Failure::input)?;
        let sprt = self.sprt.as_deref().map(hypotheses).transpose().map_err(Failure::input)?;
        let adjudication = self.adjudication().map_err(Failure::input)?;
        let players = [
            player(&self.first, &self.first_params, &self.first_option, "first")?,
            player(&self.second, &self.second_params, &self.second_option, "second")?,
        ];
        Ok(MatchSettings {
            seed: self.seed,
            odds: self.odds,
            margin_ms: self.time_margin,
            hash_mib: self.hash,
            openings: self.openings.clone(),
            reading: self.reading.given().unwrap_or_default(),
            sprt,
            adjudication,
            ..MatchSettings::between(players, &self.game, self.games, limit)
        })
    }

    fn limit(&self) -> Result<Limit, String> {
        match (self.nodes, self.depth, &self.movetime, &self.tc) {
            (Some(0), ..) => Err("--nodes 0: expected at least 1".to_owned()),
            (_, Some(0), ..) => Err("--depth 0: expected at least 1".to_owned()),
            (Some(nodes), ..) => Ok(Limit::Nodes(nodes)),
            (_, Some(plies), ..) => Ok(Limit::Depth(plies)),
            (_, _, Some(text), _) => {
                let time = Allowance::time(text).map_err(|error| format!("--movetime: {error}"))?;
                Ok(Limit::MoveTime(Duration::from_nanos(time.amount())))
            }
            (.., Some(text)) => Limit::clock(text).map_err(|error| format!("--tc {error}")),
            _ => Ok(Limit::Nodes(NODES)),
        }
    }

    fn adjudication(&self) -> Result<Adjudication, String> {
        let mut rules =
            if self.game == "chess" { Adjudication::openbench() } else { Adjudication::default() };
        if let Some(text) = &self.resign {
            let rule = numbers::<2>(text).map_err(|fault| format!("--resign {fault}, as in 3:400"))?;
            rules.resign = rule.map(|[moves, score]| Resign { moves, score: score.cast_signed() });
        }
        if let Some(text) = &self.draw {
            let rule = numbers::<3>(text).map_err(|fault| format!("--draw {fault}, as in 40:8:10"))?;
            rules.draw =
                rule.map(|[after, moves, score]| DrawRule { after, moves, score: score.cast_signed() });
        }
        if let Some(text) = &self.max_moves {
            let rule = numbers::<1>(text).map_err(|fault| format!("--max-moves {fault}, as in 300"))?;
            rules.max_moves = rule.map(|[moves]| moves);
        }
        Ok(rules)
    }
}

/// A result that rests on faults is none.
fn judged(ended: &Ended, folder: &Path) -> Outcome {
    if !rests_on_faults(&ended.rows) {
        return Ok(());
    }
    let faults: usize = faults(&ended.rows).iter().sum();
    let games = plural(ended.rows.len(), "game");
    Err(Failure::incomplete(format!(
        "{faults} of {games} ended by faults; see the columns `reason` and `detail` of games.csv, and \
         play them again with: {} play --retry --resume {}",
        name(),
        shell_path(folder)
    )))
}

/// N numbers with colons between them; `None` for `off`.
fn numbers<const N: usize>(text: &str) -> Result<Option<[u32; N]>, String> {
    if text == "off" {
        return Ok(None);
    }
    let read = |part: &str| part.parse().ok().filter(|&n: &u32| n <= 1_000_000);
    let values: Option<Vec<u32>> = text.split(':').map(read).collect();
    let values = values.and_then(|values| <[u32; N]>::try_from(values).ok());
    // Nothing lasts for no moves at all.
    let values = values.filter(|values| values.iter().rev().skip(usize::from(N > 1)).all(|&n| n > 0));
    values.map(Some).ok_or_else(|| match N {
        1 => format!("{text}: expected off or a whole number from 1 on"),
        _ => format!("{text}: expected off or {N} numbers with colons between them"),
    })
}

/// Reads the two normalised Elo differences of a sequential test.
pub fn hypotheses(text: &str) -> Result<[f64; 2], String> {
    let wrong =
        || format!("--sprt {text}: expected two normalised Elo differences, the smaller first, as in 0,5");
    let (low, high) = text.split_once(',').ok_or_else(wrong)?;
    let read = |part: &str| part.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1_000.0);
    match (read(low), read(high)) {
        (Some(low), Some(high)) if low < high => Ok([low, high]),
        _ => Err(wrong()),
    }
}

/// Plays what is missing of matches until they are stopped or decided, as [`OpenMatches`] of `judged` says; `begin` hears how many games
/// there are when players, openings and folders are there, and the bar shows what `shown` makes of a match and its rows.
pub fn play<'m>(
    together: &Together<'_>,
    judged: impl IntoIterator<Item = (&'m [String], &'m MatchSettings)>,
    begin: &mut dyn FnMut(usize),
    shown: &dyn Fn(usize, &[GameRow]) -> String,
) -> Result<Vec<Ended>, Failure> {
    let games_of =
        |job: &Job<'_>| job.part.as_ref().map_or(job.settings.games, |part| 2 * part.take.numbers().len());
    let games: usize = together.matches.iter().map(games_of).sum();
    let mut played = vec![0; together.matches.len()];
    let mut bar: Option<Progress> = None;
    let ended = run_together(together, &mut Enough(OpenMatches::new(judged)), &mut |place, rows| {
        played[place] = rows.len();
        let done = played.iter().sum::<usize>() as u64;
        let bar = bar.get_or_insert_with(|| {
            begin(games);
            Progress::new(games as u64, done)
        });
        bar.set(done, &shown(place, rows));
    })?;
    together.matches.iter().try_for_each(|job| describe(job.dir, &MATCH))?;
    Ok(ended)
}

/// How many games are played at a time, and whether each has a core of its own.
pub struct AtOnce {
    /// How many, at least 1.
    pub jobs: usize,
    reserved: Option<Reserved>,
    by_clock: bool,
}

impl AtOnce {
    /// As many as asked for; else all cores for games that no clock decides, and all physical cores but one for others, which then
    /// have a core each where the system binds them.
    pub fn of(asked: Option<usize>, limit: Limit) -> AtOnce {
        let by_clock = !limit.repeats();
        let jobs = asked.unwrap_or_else(|| if by_clock { games_at_a_time() } else { cores() });
        let reserved = if by_clock { reserve(jobs) } else { None };
        AtOnce { jobs, reserved, by_clock }
    }

    /// A logical processor for each game; none where they are not bound.
    pub fn cores(&self) -> &[usize] {
        self.reserved.as_ref().map_or(&[], |reserved| &reserved.processors)
    }

    /// `3 at a time, each on a core of its own`.
    pub fn description(&self) -> String {
        let count = format!("{} at a time", self.jobs);
        if !self.by_clock {
            return count;
        }
        let physical = physical().len();
        match &self.reserved {
            Some(_) => format!("{count}, each on a core of its own"),
            None if physical == 0 => format!("{count}, on no core of their own: this system binds none"),
            None if self.jobs > physical => {
                format!(
                    "{count}, on {physical} physical cores: games wait for each other while their clocks run"
                )
            }
            None => format!("{count}, on no core of their own: another run has it"),
        }
    }
}

/// Which matches need more games, as the statistics hear them.
struct Enough<'m>(OpenMatches<'m>);

impl Judge for Enough<'_> {
    fn hear(&mut self, place: usize, pair: &[GameRow]) {
        self.0.hear(place, pair);
    }

    fn are_open(&mut self) -> Vec<bool> {
        self.0.are_open()
    }
}
