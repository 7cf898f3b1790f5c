//! The games of `worth`: the program as it is against itself without each method, in turn, on all cores, as long as they are needed;
//! or shared games, in which both sides lack a few methods at random, and methods that are decided leave the draw.
//!
//! A round of shared games goes from one look at what games decide to the next. What is drawn in a round depends on the games of earlier
//! rounds alone, so whatever order games end in, and wherever a run is stopped, the same pairs are played.

use crate::cli::failure::Failure;
use crate::cli::play::{AtOnce, Enough, hypotheses};
use crate::cli::reading::jobs;
use crate::cli::running::{Cutting, command, stopped};
use crate::cli::say::{MATCH, Progress, describe, message};
use crate::cli::worth::folder_of;
use secateur_arena::play::{
    Adjudication, Ended, GameRow, Job, Limit, MatchSettings, PlayerSpec, Together, elsewhere, run_together,
};
use secateur_base::number::argument;
use secateur_reports::play::brief;
use secateur_reports::worth::Played;
use secateur_stats::decisions::{Decisions, MOST_METHODS, Matched, OpenMatches, open};
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

    /// What a progress bar calls it.
    fn name(&self) -> String {
        match self.methods.is_empty() {
            true if self.settings.is_shared() => "shared games".to_owned(),
            true => "null run".to_owned(),
            false => self.methods.join("+"),
        }
    }
}

/// Where the games of one command are kept, which part of them is played, and until when.
pub struct GameSettings<'a> {
    /// The folder that has one for every match.
    pub folder: &'a Path,
    /// Which part of every match.
    pub cutting: &'a Cutting,
    /// Whether games that a fault ended are played again.
    pub retry: bool,
    /// Set by Ctrl-C.
    pub stop: &'a Arc<AtomicBool>,
}

impl Flags {
    /// Whether any games are asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.games > 0 || self.hours.is_some()
    }

    /// What both players of every game may spend.
    pub fn limit(&self) -> Result<Limit, Failure> {
        let clock = || Limit::clock(&self.tc).map_err(|error| Failure::input(format!("--tc {error}")));
        self.game_nodes.map(Limit::Nodes).map_or_else(clock, Ok)
    }

    /// Refuses what cannot be played, before anything is searched.
    pub fn check(&self, program: &Program, cutting: &Cutting) -> Result<(), Failure> {
        if !self.games.is_multiple_of(2) || !self.pair_games.is_multiple_of(2) {
            return Err(Failure::input(
                "--games, --pair-games: expected even numbers, since every opening is played with both colours",
            ));
        }
        if cutting.shard.is_some() && self.hours.is_some() {
            return Err(Failure::input(
                "--hours with --shard: a shard plays a fixed number of games; say it with --games",
            ));
        }
        self.check_together(program)?;
        let lines = match self.shared && self.is_asked() {
            true => self.shared_lines(program, cutting, &self.lacking(program, self.games / 2)?)?,
            false => self.lines(program, cutting, &[])?,
        };
        for line in lines {
            cutting.shard.map(|shard| matches::cut(&line.settings, shard)).transpose()?;
        }
        Ok(())
    }

    /// Elo above which a method is kept and below which it is dropped, where that ends its games.
    fn margins(&self) -> Option<[f64; 2]> {
        let is_asked = self.worth_at_least.is_some() || self.equal_within.is_some();
        is_asked.then(|| [self.worth_at_least.unwrap_or(3.0), self.equal_within.unwrap_or(5.0)])
    }

    /// The matches that are asked for: those of single methods, of so many pairs of games as `pairs` says of each; of two; and the
    /// program against itself, where a clock decides and it could be anything but even.
    fn lines(&self, program: &Program, cutting: &Cutting, pairs: &[usize]) -> Result<Vec<Line>, Failure> {
        if !self.is_asked() {
            return Ok(Vec::new());
        }
        let names = self.names(program)?;
        let first = if self.games > 0 { self.games / 2 } else { BEGIN / 2 };
        let single =
            names.iter().enumerate().map(|(at, name)| (pairs.get(at).copied().unwrap_or(first), vec![*name]));
        let mut wanted: Vec<(usize, Vec<&str>)> = single.collect();
        if self.pair_games > 0 {
            let can = |two: &[&str; 2]| program.possible(vec![without(two)]).1.is_empty();
            let twos = every_two(&names).filter(can).map(|two| (self.pair_games / 2, two.to_vec()));
            wanted.extend(twos.collect::<Vec<_>>());
        }
        let limit = self.limit()?;
        let all: usize = wanted.iter().map(|(pairs, _)| pairs).sum();
        let line = |(pairs, methods): (usize, Vec<&str>)| {
            let settings = self.settings(program, 2 * pairs, (limit, &methods))?;
            let methods = methods.into_iter().map(str::to_owned).collect();
            Ok(Line { methods, settings, lacking: Vec::new() })
        };
        let null_run = self.null_run(program, cutting, all)?.map(Ok);
        wanted.into_iter().map(line).chain(null_run).collect()
    }

    /// The program against itself next to so many pairs of games, where a clock decides and it could be anything but even.
    fn null_run(&self, program: &Program, cutting: &Cutting, pairs: usize) -> Result<Option<Line>, Failure> {
        let limit = self.limit()?;
        if limit.repeats() {
            return Ok(None);
        }
        let least = cutting.shard.map_or(1, |shard| shard.of as usize);
        let settings = self.settings(program, 2 * pairs.div_ceil(NULL_SHARE).max(least), (limit, &[]))?;
        Ok(Some(Line { methods: Vec::new(), settings, lacking: Vec::new() }))
    }

    /// The methods about which games are asked for.
    fn names<'p>(&self, program: &'p Program) -> Result<Vec<&'p str>, Failure> {
        for method in &self.games_of {
            program.factor(method).map_err(|error| Failure::input(format!("--games-of: {error}")))?;
        }
        let mut names: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        names.retain(|name| self.games_of.is_empty() || self.games_of.iter().any(|one| one == name));
        Ok(names)
    }

    /// A match of the program as it is against the program without some methods.
    fn settings(
        &self,
        program: &Program,
        games: usize,
        (limit, less): (Limit, &[&str]),
    ) -> Result<MatchSettings, Failure> {
        let sprt = self.sprt.as_deref().filter(|_| !less.is_empty());
        Ok(MatchSettings {
            game: program.game.clone(),
            games,
            seed: 1,
            limit,
            odds: None,
            margin_ms: 50,
            hash_mib: table_mib(limit, program.hash_mib as usize),
            openings: None,
            reading: Default::default(),
            sprt: sprt.map(hypotheses).transpose().map_err(Failure::input)?,
            margins: self.margins(),
            shared: Vec::new(),
            adjudication: Adjudication::default(),
            first: PlayerSpec::lacking::<&str>(&program.source, &[]),
            second: PlayerSpec::lacking(&program.source, less),
        })
    }

    /// Plays what is asked for and missing.
    pub fn play(&self, program: &Program, games: &GameSettings<'_>) -> Result<Vec<Played>, Failure> {
        if !self.is_asked() {
            return Ok(Vec::new());
        }
        let until = self.hours.map(|hours| Instant::now() + Duration::from_secs_f64(3600.0 * hours));
        let at_once = AtOnce::of(self.concurrency, self.limit()?);
        if games.cutting.shard.is_some() && self.margins().is_some() {
            message(
                "note: a shard plays all of its games; what they decide is said when shards are merged\n",
            );
        }
        if self.shared {
            return self.play_shared(program, games, &at_once, until);
        }
        let mut lines = self.lines(program, games.cutting, &[])?;
        let mut ended = round(&lines, games, &at_once, until)?;
        while let Some(pairs) = self.more(&lines, &ended, games.cutting)
            && until.is_none_or(|until| Instant::now() < until)
        {
            let next = self.lines(program, games.cutting, &pairs)?;
            match further(&next, games, &at_once, until)? {
                Some(more) => (lines, ended) = (next, more),
                None => break,
            }
        }
        Ok(played(lines, ended))
    }

    /// Adds the games that were played elsewhere; says what was read of them, which stands on the page too.
    pub fn with_elsewhere(
        &self,
        program: &Program,
        played: &mut Vec<Played>,
    ) -> Result<Option<String>, Failure> {
        let Some(path) = &self.games_from else { return Ok(None) };
        let bytes =
            std::fs::read(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        let elsewhere = elsewhere::read(path, &String::from_utf8_lossy(&bytes), program)?;
        for (methods, mut ended) in elsewhere.matches {
            ended.file.settings.margins = self.margins();
            match played.iter_mut().find(|one| one.methods == methods && !one.is_shared()) {
                Some(joined) => joined.join(ended).map_err(Failure::input)?,
                None => played.push(Played { methods, ended }),
            }
        }
        message(&format!("{}\n", elsewhere.account));
        Ok(Some(elsewhere.account))
    }

    /// How many pairs each single method is to have, if there is more to play: what decided methods left of the budget goes to the
    /// others; where the time alone ends the games, twice as many.
    fn more(&self, lines: &[Line], ended: &[Ended], cutting: &Cutting) -> Option<Vec<usize>> {
        if cutting.shard.is_some() || self.games > 0 && self.margins().is_none() {
            return None;
        }
        let rows: Vec<&[GameRow]> = ended.iter().map(|ended| &*ended.rows).collect();
        let open = are_open(lines, &rows);
        let singles: Vec<usize> = (0..lines.len()).filter(|place| lines[*place].methods.len() == 1).collect();
        let undecided = singles.iter().filter(|place| open[**place]).count();
        let had = |place: usize| lines[place].settings.games / 2;
        let most = singles.iter().map(|place| had(*place)).max()?;
        let spent: usize = singles.iter().map(|place| ended[*place].rows.len() / 2).sum();
        let more = match self.games / 2 {
            0 => most,
            pairs => (pairs * singles.len()).saturating_sub(spent).checked_div(undecided)?,
        };
        let grown = singles.iter().map(|place| if open[*place] { had(*place) + more } else { had(*place) });
        (undecided > 0 && more > 0).then(|| grown.collect())
    }
}

/// Which matches are open: one with a sequential test of its own until that is decided; those of single methods until games decide
/// the method, where margins were asked for; others always.
fn are_open(lines: &[Line], games: &[&[GameRow]]) -> Vec<bool> {
    let matched = lines.iter().zip(games).map(|(line, rows)| Matched {
        methods: &line.methods,
        settings: &line.settings,
        rows,
    });
    open(&matched.collect::<Vec<_>>())
}

fn played(lines: Vec<Line>, ended: Vec<Ended>) -> Vec<Played> {
    let pairs = lines.into_iter().zip(ended);
    pairs.map(|(line, ended)| Played { methods: line.methods, ended }).collect()
}

/// The same matches grown; `None` where they cannot grow: openings may run out, and what was played says what it says.
fn further(
    lines: &[Line],
    games: &GameSettings<'_>,
    at_once: &AtOnce,
    until: Option<Instant>,
) -> Result<Option<Vec<Ended>>, Failure> {
    match round(lines, games, at_once, until) {
        Ok(more) => Ok(Some(more)),
        Err(failure) if games.stop.load(Ordering::SeqCst) => Err(failure),
        Err(failure) => {
            message(&format!("note: no more games: {}\n", failure.message()));
            Ok(None)
        }
    }
}

/// Plays what is missing of these matches, in turn.
fn round(
    lines: &[Line],
    games: &GameSettings<'_>,
    at_once: &AtOnce,
    until: Option<Instant>,
) -> Result<Vec<Ended>, Failure> {
    let folder = |line: &Line| games.folder.join(folder_of(&line.methods, line.settings.is_shared()));
    let folders: Vec<PathBuf> = lines.iter().map(folder).collect();
    let (jobs, cores, retry, stop) = (at_once.jobs, at_once.cores(), games.retry, games.stop);
    let mut matches = Vec::new();
    for (Line { settings, lacking, .. }, dir) in lines.iter().zip(&folders) {
        let part = games.cutting.shard.map(|shard| matches::cut(settings, shard)).transpose()?;
        matches.push(Job { settings, dir, argv: command(), jobs, cores, retry, part, lacking, stop });
    }
    let games_of =
        |job: &Job<'_>| job.part.as_ref().map_or(job.settings.games, |part| 2 * part.take.numbers().len());
    let total: usize = matches.iter().map(games_of).sum();
    // A shard plays all of its games, whatever they decide.
    let free: Vec<MatchSettings> = lines.iter().map(|line| line.settings.without_end()).collect();
    let is_shard = games.cutting.shard.is_some();
    let judged = lines
        .iter()
        .zip(&free)
        .map(|(line, free)| (&*line.methods, if is_shard { free } else { &line.settings }));
    let mut enough = Enough(OpenMatches::new(judged));
    let companion = lines.iter().position(Line::is_null_run);
    let together = Together { matches: &matches, companion, until };
    let mut bar: Option<Progress> = None;
    let mut counts = vec![0; lines.len()];
    let ended = run_together(&together, &mut enough, &mut |place, rows| {
        counts[place] = rows.len();
        let done = counts.iter().sum::<usize>() as u64;
        let bar = bar.get_or_insert_with(|| {
            let into = games.folder.display();
            message(&format!(
                "{total} games of {} matches, {}, into {into}\n",
                lines.len(),
                at_once.description()
            ));
            Progress::new(total as u64, 0)
        });
        bar.set(done, &format!("{} {}", lines[place].name(), brief(rows)));
    })?;
    for folder in &folders {
        describe(folder, &MATCH)?;
    }
    drop(bar);
    if stop.load(Ordering::SeqCst) {
        return Err(stopped(games.folder));
    }
    Ok(ended)
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

/// What the first and the second side of a pair lack.
type Sides = [Vec<String>; 2];

impl Flags {
    /// Refuses more methods than games can speak of together, and shared games of a program that cannot lack two methods at once.
    fn check_together(&self, program: &Program) -> Result<(), Failure> {
        let names = self.names(program)?;
        if (self.shared || self.margins().is_some()) && names.len() > MOST_METHODS {
            return Err(Failure::input(format!(
                "found {} methods, expected at most {MOST_METHODS} where games decide about all of them together: name some with \
                 --games-of",
                names.len()
            )));
        }
        if !self.shared {
            return Ok(());
        }
        if names.len() < 2 {
            return Err(Failure::input(
                "--shared: one method has nobody to share its games with; leave out --shared",
            ));
        }
        let both = every_two(&names).map(|two| without(&two)).collect();
        match program.possible(both).1.first() {
            None => Ok(()),
            Some((arm, why)) => Err(Failure::input(format!(
                "--shared: sides lack several methods at once, and `{arm}` cannot exist: {why}"
            ))),
        }
    }

    /// What both sides of the first so many pairs lack, all methods being undecided.
    fn lacking(&self, program: &Program, pairs_a_method: usize) -> Result<Vec<Sides>, Failure> {
        let names = self.names(program)?;
        let mut lacking = Vec::new();
        drawn(&mut lacking, &names, Lacking::first(names.len()), pairs_a_method * names.len());
        Ok(lacking)
    }

    /// Shared games with these sides, and the program against itself where a clock decides.
    fn shared_lines(
        &self,
        program: &Program,
        cutting: &Cutting,
        lacking: &[Sides],
    ) -> Result<Vec<Line>, Failure> {
        let (limit, pairs) = (self.limit()?, lacking.len());
        let mut settings = self.settings(program, 2 * pairs, (limit, &[]))?;
        settings.shared = self.names(program)?.into_iter().map(str::to_owned).collect();
        let shared = Line { methods: Vec::new(), settings, lacking: lacking.to_vec() };
        Ok(std::iter::once(shared).chain(self.null_run(program, cutting, pairs)?).collect())
    }

    /// Plays what is asked for and missing: round by round where games decide, until all methods are decided or the budget is spent.
    fn play_shared(
        &self,
        program: &Program,
        games: &GameSettings<'_>,
        at_once: &AtOnce,
        until: Option<Instant>,
    ) -> Result<Vec<Played>, Failure> {
        let names = self.names(program)?;
        let budget = if self.games > 0 { self.games / 2 * names.len() } else { usize::MAX };
        let in_rounds = games.cutting.shard.is_none() && (self.margins().is_some() || budget == usize::MAX);
        let (mut lacking, mut undecided) = (Vec::new(), Lacking::first(names.len()));
        let mut last: Vec<Played> = Vec::new();
        loop {
            let pairs = if in_rounds { next_look(lacking.len()).min(budget) } else { budget };
            drawn(&mut lacking, &names, undecided, pairs);
            let lines = self.shared_lines(program, games.cutting, &lacking)?;
            let ended = match last.is_empty() {
                true => Some(round(&lines, games, at_once, until)?),
                false => further(&lines, games, at_once, until)?,
            };
            let Some(ended) = ended else { return Ok(last) };
            let is_over = pairs == budget || until.is_some_and(|until| Instant::now() >= until);
            undecided = self.undecided(&names, &lines[0], &ended[0], pairs);
            last = played(lines, ended);
            if is_over || undecided.is_empty() {
                return Ok(last);
            }
        }
    }

    /// The methods that the first so many pairs leave undecided: all of them where no decisions are asked for.
    fn undecided(&self, names: &[&str], line: &Line, ended: &Ended, pairs: usize) -> Lacking {
        let all = Lacking::first(names.len());
        if self.margins().is_none() {
            return all;
        }
        let rows: Vec<GameRow> = ended.rows.iter().filter(|row| row.pair <= pairs).cloned().collect();
        let matched = Matched { methods: &[], settings: &line.settings, rows: &rows };
        let place = |name: &str| names.iter().position(|one| *one == name);
        Decisions::of(&[matched]).map_or(all, |decisions| decisions.undecided().filter_map(place).collect())
    }
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
