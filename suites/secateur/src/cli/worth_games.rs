//! The games of `worth`: the program as it is against itself without each method, in turn, on all cores, as long as they are needed;
//! or shared games, in which both sides lack a few methods at random, and methods that are decided leave the draw.
//!
//! A round of shared games goes from one look at what games decide to the next. What is drawn in a round depends on the games of earlier
//! rounds alone, so whatever order games end in, and wherever a run is stopped, the same pairs are played.

use crate::cli::failure::Failure;
use crate::cli::play::{AtOnce, hypotheses, play};
use crate::cli::reading::jobs;
use crate::cli::running::{Cutting, command, stopped};
use crate::cli::say::message;
use crate::cli::worth::folder_of;
use secateur_arena::play::elsewhere::{self, Elsewhere};
use secateur_arena::play::{Ended, GameRow, Job, Limit, MatchSettings, PlayerSpec, Together};
use secateur_base::number::{argument, plural};
use secateur_reports::play::brief;
use secateur_reports::worth::Played;
use secateur_stats::decisions::{Decisions, MOST_METHODS, Matched, open};
use secateur_stats::shared::{Lacking, draw, next_look};
use secateur_stats::worth::without;
use secateur_suites::program::Program;
use secateur_suites::shards::matches;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Games of each method to begin with, where the time alone says how many.
const BEGIN: usize = 100;
/// One pair in so many is of the program against itself, where a clock decides.
const NULL_SHARE: usize = 10;

/// What is played, how, and until when.
#[derive(clap::Args)]
#[group(skip)]
#[command(group = clap::ArgGroup::new("played").args(["games", "hours", "games_from"]).multiple(true))]
pub struct Flags {
    /// Games per method: the program against itself without the method. An even number. A decided method leaves its games to the others
    #[arg(long, default_value_t = 0, value_parser = argument::<usize>)]
    games: usize,
    /// Begin no game after this many hours; without --games, play until then
    #[arg(long, value_parser = hours)]
    hours: Option<f64>,
    /// Play no more games about a method once it is shown to be worth more than this many Elo [default: 3 with --equal-within]
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, requires = "played")]
    worth_at_least: Option<f64>,
    /// Play no more games about a method once it is shown to be worth less than this many Elo [default: 5 with --worth-at-least]
    #[arg(long, value_name = "ELO", allow_hyphen_values = true, requires = "played")]
    equal_within: Option<f64>,
    /// Games per pair of methods, without both: do Elo values add up?
    #[arg(long, default_value_t = 0, value_parser = argument::<usize>, requires = "played")]
    pair_games: usize,
    /// Let both sides lack a few random methods in every pair of games, so that each game measures several methods, and pairs of them
    #[arg(long, requires = "played", conflicts_with_all = ["sprt", "pair_games"])]
    shared: bool,
    /// Play games about these methods only: null-move,lmr,futility [default: all]
    #[arg(long, value_name = "METHODS", value_delimiter = ',', requires = "played")]
    games_of: Vec<String>,
    /// End a match when a sequential test between two normalised Elo differences decides: 0,5. Its Elo is then biased
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, requires = "played",
        conflicts_with_all = ["worth_at_least", "equal_within"])]
    sprt: Option<String>,
    /// Clock of the games: seconds and increment
    #[arg(long, default_value = "1+0.01")]
    tc: String,
    /// Play with this many nodes per move instead of a clock; the games then repeat exactly
    #[arg(long, conflicts_with = "tc", value_parser = argument::<u64>)]
    game_nodes: Option<u64>,
    /// Read games that other tools played, PGN: a player's name says what it lacks (`Engine no-lmr`, `Engine full[-lmr]`)
    #[arg(long, value_name = "FILE")]
    games_from: Option<PathBuf>,
    /// Games at a time [default: with a clock one less than the physical cores, each game on its own core; else all cores]
    #[arg(long, value_parser = jobs)]
    concurrency: Option<usize>,
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse::<f64>().ok().filter(|hours| *hours > 0.0 && *hours <= 10_000.0);
    hours.ok_or_else(|| format!("found `{text}`, expected hours above 0, as in 0.5"))
}

/// A match that is to be played: the methods that its second player lacks, none of them against the program itself.
struct Line {
    methods: Vec<String>,
    settings: MatchSettings,
    /// In shared games what both sides lack, pair by pair.
    lacking: Vec<[Vec<String>; 2]>,
}

impl Line {
    fn is_null_run(&self) -> bool {
        self.methods.is_empty() && !self.settings.is_shared()
    }

    fn matched<'l>(&'l self, rows: &'l [GameRow]) -> Matched<'l> {
        Matched { methods: &self.methods, settings: &self.settings, rows }
    }

    /// What a progress bar calls it.
    fn name(&self) -> String {
        match self.methods.is_empty() {
            true if self.settings.is_shared() => "shared games".to_owned(),
            true => "null run".to_owned(),
            false => self.methods.join("+"),
        }
    }
}

impl Flags {
    /// Whether any games are asked for.
    pub fn is_asked(&self) -> bool {
        self.games > 0 || self.hours.is_some()
    }

    /// What both players of every game may spend.
    pub fn limit(&self) -> Result<Limit, Failure> {
        let clock = || Limit::clock(&self.tc).map_err(|error| Failure::input(format!("--tc {error}")));
        self.game_nodes.map(Limit::Nodes).map_or_else(clock, Ok)
    }

    /// Elo above which a method is kept and below which it is dropped, where that ends its games.
    fn margins(&self) -> Option<[f64; 2]> {
        let is_asked = self.worth_at_least.is_some() || self.equal_within.is_some();
        is_asked.then(|| [self.worth_at_least.unwrap_or(3.0), self.equal_within.unwrap_or(5.0)])
    }
}

/// The games that are asked for of a program, about these methods, and which part of every match is played.
pub struct Games<'a> {
    flags: &'a Flags,
    program: &'a Program,
    cutting: &'a Cutting,
    names: Vec<&'a str>,
}

/// What the first and the second side of a pair lack.
type Sides = [Vec<String>; 2];

impl<'a> Games<'a> {
    /// Refuses what cannot be played, before anything is searched.
    pub fn new(flags: &'a Flags, program: &'a Program, cutting: &'a Cutting) -> Result<Games<'a>, Failure> {
        if !flags.games.is_multiple_of(2) || !flags.pair_games.is_multiple_of(2) {
            return Err(Failure::input(
                "--games, --pair-games: expected even numbers, since every opening is played with both colours",
            ));
        }
        if cutting.shard.is_some() && flags.hours.is_some() {
            return Err(Failure::input(
                "--hours with --shard: a shard plays a fixed number of games; say it with --games",
            ));
        }
        for method in &flags.games_of {
            program.factor(method).map_err(Failure::at("--games-of"))?;
        }
        let mut names: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        names.retain(|name| flags.games_of.is_empty() || flags.games_of.iter().any(|one| one == name));
        let games = Games { flags, program, cutting, names };
        games.check_together()?;
        let lines = match flags.shared && flags.is_asked() {
            true => {
                let (mut lacking, all) = (Vec::new(), Lacking::first(games.names.len()));
                drawn(&mut lacking, &games.names, all, flags.games / 2 * games.names.len());
                games.shared_lines(&lacking)?
            }
            false => games.lines(&[])?,
        };
        for line in lines {
            cutting.shard.map(|shard| matches::cut(&line.settings, shard)).transpose()?;
        }
        Ok(games)
    }

    /// Refuses more methods than games can speak of together, and shared games of a program that cannot lack two methods at once.
    fn check_together(&self) -> Result<(), Failure> {
        let Games { flags, names, .. } = self;
        if (flags.shared || flags.margins().is_some()) && names.len() > MOST_METHODS {
            return Err(Failure::input(format!(
                "found {} methods, expected at most {MOST_METHODS} where games decide about all of them together: name some with \
                 --games-of",
                names.len()
            )));
        }
        if !flags.shared {
            return Ok(());
        }
        if names.len() < 2 {
            return Err(Failure::input(
                "--shared: a single method has no other to share games with; leave out --shared",
            ));
        }
        let both = every_two(names).map(|two| without(&two)).collect();
        match self.program.possible(both).1.first() {
            None => Ok(()),
            Some((arm, why)) => Err(Failure::input(format!(
                "--shared: sides lack several methods at once, and `{arm}` cannot exist: {why}"
            ))),
        }
    }

    /// The matches that are asked for: those of single methods, of so many pairs of games as `pairs` says of each; of two; and the
    /// program against itself, where a clock decides and it could be anything but even.
    fn lines(&self, pairs: &[usize]) -> Result<Vec<Line>, Failure> {
        let Games { flags, names, .. } = self;
        if !flags.is_asked() {
            return Ok(Vec::new());
        }
        let first = if flags.games > 0 { flags.games / 2 } else { BEGIN / 2 };
        let single =
            names.iter().enumerate().map(|(at, name)| (pairs.get(at).copied().unwrap_or(first), vec![*name]));
        let mut wanted: Vec<(usize, Vec<&str>)> = single.collect();
        if flags.pair_games > 0 {
            let can = |two: &[&str; 2]| self.program.possible(vec![without(two)]).1.is_empty();
            wanted.extend(every_two(names).filter(can).map(|two| (flags.pair_games / 2, two.to_vec())));
        }
        let all: usize = wanted.iter().map(|(pairs, _)| pairs).sum();
        let null_run = self.null_run(all)?.map(Ok);
        wanted.into_iter().map(|(pairs, methods)| self.line(pairs, &methods)).chain(null_run).collect()
    }

    /// The program against itself next to so many pairs of games, where a clock decides and it could be anything but even.
    fn null_run(&self, pairs: usize) -> Result<Option<Line>, Failure> {
        if self.flags.limit()?.repeats() {
            return Ok(None);
        }
        let least = self.cutting.shard.map_or(1, |shard| shard.of as usize);
        self.line(pairs.div_ceil(NULL_SHARE).max(least), &[]).map(Some)
    }

    /// Shared games with these sides, and the program against itself where a clock decides.
    fn shared_lines(&self, lacking: &[Sides]) -> Result<Vec<Line>, Failure> {
        let mut shared = Line { lacking: lacking.to_vec(), ..self.line(lacking.len(), &[])? };
        shared.settings.shared = self.names.iter().copied().map(str::to_owned).collect();
        Ok(std::iter::once(shared).chain(self.null_run(lacking.len())?).collect())
    }

    /// A match of so many pairs of the program as it is against the program without some methods.
    fn line(&self, pairs: usize, methods: &[&str]) -> Result<Line, Failure> {
        let Games { flags, program, .. } = self;
        let (source, limit) = (&program.source, flags.limit()?);
        let players = [PlayerSpec::lacking::<&str>(source, &[]), PlayerSpec::lacking(source, methods)];
        let sprt = flags.sprt.as_deref().filter(|_| !methods.is_empty());
        let settings = MatchSettings {
            seed: 1,
            margin_ms: 50,
            hash_mib: table_mib(limit, program.hash_mib as usize),
            sprt: sprt.map(hypotheses).transpose().map_err(Failure::input)?,
            margins: flags.margins(),
            ..MatchSettings::between(players, &program.game, 2 * pairs, limit)
        };
        let methods = methods.iter().copied().map(str::to_owned).collect();
        Ok(Line { methods, settings, lacking: Vec::new() })
    }

    /// Plays what is asked for and missing, in a folder that has one for every match; with `retry` games that a fault ended are played
    /// again. Ctrl-C sets `stop`.
    pub fn play(&self, folder: &Path, retry: bool, stop: &Arc<AtomicBool>) -> Result<Vec<Played>, Failure> {
        let flags = self.flags;
        if !flags.is_asked() {
            return Ok(Vec::new());
        }
        let until = flags.hours.map(|hours| Instant::now() + Duration::from_secs_f64(3600.0 * hours));
        let at_once = AtOnce::of(flags.concurrency, flags.limit()?);
        if self.cutting.shard.is_some() && flags.margins().is_some() {
            message(
                "note: a shard plays all of its games; what they decide is said when shards are merged\n",
            );
        }
        let rounds = Rounds { games: self, folder, retry, stop, at_once, until };
        if flags.shared { rounds.shared() } else { rounds.in_turn() }
    }

    /// The games that were played elsewhere.
    pub fn elsewhere(&self) -> Result<Option<Elsewhere>, Failure> {
        let Some(path) = &self.flags.games_from else { return Ok(None) };
        let bytes = std::fs::read(path).map_err(Failure::at(path.display()))?;
        Ok(Some(elsewhere::read(path, &String::from_utf8_lossy(&bytes), self.program)?))
    }

    /// Adds them; says what was read of them, which stands on the page too.
    pub fn join(&self, elsewhere: Elsewhere, played: &mut Vec<Played>) -> Result<String, Failure> {
        for (methods, mut ended) in elsewhere.matches {
            ended.file.settings.margins = self.flags.margins();
            match played.iter_mut().find(|one| one.methods == methods && !one.is_shared()) {
                Some(joined) => joined.join(ended).map_err(Failure::input)?,
                None => played.push(Played { methods, ended }),
            }
        }
        message(&format!("{}\n", elsewhere.account));
        Ok(elsewhere.account)
    }

    /// How many pairs each single method is to have, if there is more to play: what decided methods left of the budget goes to the
    /// others; where the time alone ends the games, twice as many.
    fn more(&self, lines: &[Line], ended: &[Ended]) -> Option<Vec<usize>> {
        let flags = self.flags;
        if self.cutting.shard.is_some() || flags.games > 0 && flags.margins().is_none() {
            return None;
        }
        // One with a sequential test of its own is open until that is decided; those of single methods until games decide the method,
        // where margins were asked for; others always.
        let matched = lines.iter().zip(ended).map(|(line, ended)| line.matched(&ended.rows));
        let open = open(&matched.collect::<Vec<_>>());
        let singles: Vec<usize> = (0..lines.len()).filter(|place| lines[*place].methods.len() == 1).collect();
        let undecided = singles.iter().filter(|place| open[**place]).count();
        let had = |place: usize| lines[place].settings.games / 2;
        let most = singles.iter().map(|place| had(*place)).max()?;
        let spent: usize = singles.iter().map(|place| ended[*place].rows.len() / 2).sum();
        let more = match flags.games / 2 {
            0 => most,
            pairs => (pairs * singles.len()).saturating_sub(spent).checked_div(undecided)?,
        };
        let grown = singles.iter().map(|place| if open[*place] { had(*place) + more } else { had(*place) });
        (undecided > 0 && more > 0).then(|| grown.collect())
    }

    /// The methods that the first so many pairs leave undecided: all of them where no decisions are asked for.
    fn undecided(&self, line: &Line, ended: &Ended, pairs: usize) -> Lacking {
        let all = Lacking::first(self.names.len());
        if self.flags.margins().is_none() {
            return all;
        }
        let rows: Vec<GameRow> = ended.rows.iter().filter(|row| row.pair <= pairs).cloned().collect();
        let place = |name: &str| self.names.iter().position(|one| *one == name);
        Decisions::of(&[line.matched(&rows)])
            .map_or(all, |decisions| decisions.undecided().filter_map(place).collect())
    }
}

/// Where games are kept, how they are played, and until when.
struct Rounds<'a> {
    games: &'a Games<'a>,
    folder: &'a Path,
    retry: bool,
    stop: &'a Arc<AtomicBool>,
    at_once: AtOnce,
    until: Option<Instant>,
}

impl Rounds<'_> {
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Plays matches until there is no more to play.
    fn in_turn(&self) -> Result<Vec<Played>, Failure> {
        let mut lines = self.games.lines(&[])?;
        let mut ended = self.round(&lines)?;
        while let Some(pairs) = self.games.more(&lines, &ended)
            && !self.is_late()
        {
            let next = self.games.lines(&pairs)?;
            match self.further(&next)? {
                Some(more) => (lines, ended) = (next, more),
                None => break,
            }
        }
        Ok(played(lines, ended))
    }

    /// Plays shared games: round by round where games decide, until all methods are decided or the budget is spent.
    fn shared(&self) -> Result<Vec<Played>, Failure> {
        let Games { flags, cutting, names, .. } = self.games;
        let budget = if flags.games > 0 { flags.games / 2 * names.len() } else { usize::MAX };
        let in_rounds = cutting.shard.is_none() && (flags.margins().is_some() || budget == usize::MAX);
        let (mut lacking, mut undecided) = (Vec::new(), Lacking::first(names.len()));
        let mut last: Vec<Played> = Vec::new();
        loop {
            let pairs = if in_rounds { next_look(lacking.len()).min(budget) } else { budget };
            drawn(&mut lacking, names, undecided, pairs);
            let lines = self.games.shared_lines(&lacking)?;
            let ended = match last.is_empty() {
                true => Some(self.round(&lines)?),
                false => self.further(&lines)?,
            };
            let Some(ended) = ended else { return Ok(last) };
            let is_over = pairs == budget || self.is_late();
            undecided = self.games.undecided(&lines[0], &ended[0], pairs);
            last = played(lines, ended);
            if is_over || undecided.is_empty() {
                return Ok(last);
            }
        }
    }

    /// The same matches grown; `None` where they cannot grow: openings may run out, and what was played says what it says.
    fn further(&self, lines: &[Line]) -> Result<Option<Vec<Ended>>, Failure> {
        match self.round(lines) {
            Ok(more) => Ok(Some(more)),
            Err(failure) if self.stop.load(Ordering::SeqCst) => Err(failure),
            Err(failure) => {
                message(&format!("note: no more games: {}\n", failure.message()));
                Ok(None)
            }
        }
    }

    /// Plays what is missing of these matches, in turn.
    fn round(&self, lines: &[Line]) -> Result<Vec<Ended>, Failure> {
        let Rounds { folder, retry, stop, at_once, until, .. } = self;
        let path = |line: &Line| folder.join(folder_of(&line.methods, line.settings.is_shared()));
        let folders: Vec<PathBuf> = lines.iter().map(path).collect();
        let (jobs, cores, shard) = (at_once.jobs, at_once.cores(), self.games.cutting.shard);
        let mut matches = Vec::new();
        for (Line { settings, lacking, .. }, dir) in lines.iter().zip(&folders) {
            let part = shard.map(|shard| matches::cut(settings, shard)).transpose()?;
            matches.push(Job {
                settings,
                dir,
                argv: command(),
                jobs,
                cores,
                retry: *retry,
                part,
                lacking,
                stop,
            });
        }
        // A shard plays all of its games, whatever they decide.
        let free: Vec<MatchSettings> = lines.iter().map(|line| line.settings.without_end()).collect();
        let judged = lines.iter().zip(&free).map(|(line, free)| {
            let settings = if shard.is_some() { free } else { &line.settings };
            (&*line.methods, settings)
        });
        let companion = lines.iter().position(Line::is_null_run);
        let together = Together { matches: &matches, companion, until: *until };
        let begin = &mut |games: usize| {
            let (matches, how) = (plural(lines.len(), "match"), at_once.description());
            message(&format!("{games} games of {matches}, {how}, into {}\n", folder.display()));
        };
        let shown = |place: usize, rows: &[GameRow]| format!("{} {}", lines[place].name(), brief(rows));
        let ended = play(&together, judged, begin, &shown)?;
        match stop.load(Ordering::SeqCst) {
            true => Err(stopped(folder)),
            false => Ok(ended),
        }
    }
}

fn played(lines: Vec<Line>, ended: Vec<Ended>) -> Vec<Played> {
    let pairs = lines.into_iter().zip(ended);
    pairs.map(|(line, ended)| Played { methods: line.methods, ended }).collect()
}

/// Every two, in their order.
pub fn every_two<'n>(names: &[&'n str]) -> impl Iterator<Item = [&'n str; 2]> {
    names.iter().enumerate().flat_map(|(at, one)| names[at + 1..].iter().map(|other| [*one, *other]))
}

/// Bytes of an entry in a table, at most, and searches of a game in which a side fills it.
const ENTRY: u64 = 32;
const SEARCHES: u64 = 200;

/// The table of games, MiB, of a program whose searches have `most`: at fixed nodes no more than a game can fill. Every game begins with an
/// empty table, and emptying 64 MiB takes longer than a game of a thousand nodes a move.
fn table_mib(limit: Limit, most: usize) -> usize {
    let Limit::Nodes(nodes) = limit else { return most };
    let filled = nodes.saturating_mul(ENTRY * SEARCHES).div_ceil(1 << 20).max(1);
    filled.checked_next_power_of_two().map_or(most, |mib| most.min(mib as usize))
}

/// Draws further pairs until there are so many.
fn drawn(lacking: &mut Vec<Sides>, names: &[&str], undecided: Lacking, pairs: usize) {
    let side = |side: Lacking| side.methods().map(|method| names[method].to_owned()).collect();
    // The seed is that of the match.
    lacking.extend((lacking.len()..pairs).map(|pair| draw(1, pair as u64, undecided).map(side)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_games_is_no_larger_than_a_game_fills() {
        let nodes = |nodes| table_mib(Limit::Nodes(nodes), 64);
        assert_eq!([1, 1_000, 5_000, 20_000, u64::MAX].map(nodes), [1, 8, 32, 64, 64]);
        assert_eq!(table_mib(Limit::Nodes(1_000), 4), 4);
        assert_eq!(table_mib(Limit::Depth(8), 64), 64);
    }
}
