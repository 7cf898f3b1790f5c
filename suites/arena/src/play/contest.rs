//! One match as its games are played: the players made once, and a game from its opening to its row; and single games without a record.
//!
//! A game depends on its opening, its players, the throws of its pair and nothing else: players forget between games.

use super::folder::{Folder, Head, transcript};
use super::opening::{described, distinct, enough};
use super::player::{External, Player, Searcher, Seat};
use super::record::{GameRow, OpeningRow};
use super::referee::{Played, Referee, Throws, throws_of};
use super::settings::{MatchSettings, PlayerSpec};
use super::{Adjudication, Limit, PlayFile};
use secateur_base::Fnv;
use secateur_base::number::plural;
use secateur_core::Game;
use secateur_core::prune::Methods;
use secateur_core::search::Options;
use secateur_engines::{Spec, call};
use secateur_record::arm::without;
use secateur_record::manifest::Session;
use secateur_record::part::Part;
use secateur_suites::Error;
use secateur_suites::instruments::clock::{day, utc};
use secateur_suites::instruments::machine::{compilation, git, machine, search_sources};
use secateur_suites::program::{Program, Switching};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// What is played; of a folder that has more games, no more than these are played.
    pub settings: &'a MatchSettings,
    /// Folder that holds it, begun or new.
    pub dir: &'a Path,
    /// Command line that is recorded.
    pub argv: Vec<String>,
    /// Games at a time, at least 1.
    pub jobs: usize,
    /// A logical processor for each of them, which it is bound to; empty to bind nothing.
    pub cores: &'a [usize],
    /// Whether games that a fault ended are played again.
    pub retry: bool,
    /// The pairs that are to be played, where that is not all of them.
    pub part: Option<Part>,
    /// In shared games what the first and the second player lack, pair by pair; nothing in other matches.
    pub lacking: &'a [[Vec<String>; 2]],
    /// Ends the match soon after it is set; games under way are dropped and can be played again.
    pub stop: &'a Arc<AtomicBool>,
}

/// A player that is ready to be made, once for each thread.
enum Cast {
    Methods { ready: Box<Methods>, options: Options },
    Engine(Seat),
}

/// The first player, 0, or the second, 1: who it is, what its numbers are, and how its switches came into its source where this program
/// put them there.
fn cast<G: Game>(
    game: &G,
    settings: &MatchSettings,
    player: usize,
) -> Result<(Cast, String, Option<String>), Error> {
    let spec = [&settings.first, &settings.second][player];
    let limit = settings.limits()[player];
    let hash_mib = u32::try_from(settings.hash_mib).unwrap_or(u32::MAX);
    match spec {
        PlayerSpec::Methods { methods, params } => {
            let arm = Arm::parse(methods)?;
            let setup = Setup::chosen(game.name(), params.as_deref())?;
            setup.check(game)?;
            let methods =
                setup.equip(&arm).map_err(|source| Error::Method { game: game.name().to_owned(), source })?;
            let options = Options { table_mib: settings.hash_mib, ..setup.options.clone() };
            Ok((Cast::Methods { ready: Box::new(methods), options }, setup.id(), None))
        }
        PlayerSpec::Subject { subject, .. } if game.chances() => {
            let game = game.name();
            Err(Error::Usage(format!(
                "subject:{subject}: expected a set of methods, since nothing tells a program the throws of {game}"
            )))
        }
        PlayerSpec::Subject { subject, arm, level } => {
            let program = Program::load(subject)?;
            if program.game != game.name() {
                let message = format!("found a subject of {}, expected {}", program.game, game.name());
                return Err(Error::Usage(format!("subject:{subject}: {message}")));
            }
            let arm = program.arm(arm)?;
            let program = program.installed()?;
            let (mut spec, identity) = program.player(&arm)?;
            if let Some(level) = level {
                spec.args.extend(program.level_args(*level)?);
            }
            let program = program.with_table(hash_mib);
            spec.table_is_asked = program.table_is_asked;
            let (seat, id) = Seat::tried(&program, spec, limit, level.is_some())?;
            let switches = switches(&program, &settings.shared)?;
            let cut = program.cut_entry().map(|cut| format!("{}: {cut}", program.name));
            Ok((Cast::Engine(seat), format!("{id} {identity}{switches}"), cut))
        }
        PlayerSpec::Engine { command, .. } if !Setup::embedded(game.name())?.play.uci => {
            let game = game.name();
            Err(Error::Usage(format!(
                "engine:{command}: expected a set of methods, since UCI engines do not play {game}"
            )))
        }
        PlayerSpec::Engine { command, options } => {
            let pair = |text: &String| {
                let wrong = || Error::Usage(format!("option `{text}`: expected NAME=VALUE"));
                let (name, value) = text.split_once('=').ok_or_else(wrong)?;
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            };
            let options = options.iter().map(pair).collect::<Result<Vec<_>, Error>>()?;
            let program = Program::of_command(&spec.to_string(), call(command), &options)?;
            let program = program.with_table(hash_mib);
            let spec = Spec { name: spec.to_string(), ..program.spec(&Switching::full())? };
            let (seat, id) = Seat::tried(&program, spec, limit, false)?;
            Ok((Cast::Engine(seat), id, None))
        }
    }
}

/// What switches off each of the methods that players of shared games lack, as one hash: rows of other switches are of another match.
fn switches(program: &Program, methods: &[String]) -> Result<String, Error> {
    let mut fnv = Fnv::default();
    for method in methods {
        fnv.field(&program.player(&program.arm(&without(&[method]))?)?.1);
    }
    Ok(if methods.is_empty() { String::new() } else { format!(" {}", fnv.hex()) })
}

/// The players of shared games that lack something, by their arms: the program that plays with all, started otherwise.
fn lacking(settings: &MatchSettings, whole: &Cast, openings: &[OpeningRow]) -> Result<Seats, Error> {
    let mut seats = Seats::new();
    if !settings.is_shared() {
        return Ok(seats);
    }
    let (PlayerSpec::Subject { subject, .. }, Cast::Engine(whole)) = (&settings.first, whole) else {
        return Err(Error::Usage(format!("{}: expected a subject file, for shared games", settings.first)));
    };
    let program = Program::load(subject)?.installed()?;
    for arm in openings.iter().flat_map(|row| [&row.first, &row.second]).flatten() {
        if !seats.contains_key(arm) {
            seats.insert(arm.clone(), whole.started_with(program.spec(&program.arm(arm)?)?));
        }
    }
    Ok(seats)
}

/// Seats by the arms of who has them.
type Seats = BTreeMap<String, Seat>;

/// Everything that the games of a match share.
pub(super) struct Contest<'a> {
    settings: &'a MatchSettings,
    casts: [Cast; 2],
    /// Of shared games, who plays a pair.
    seats: Seats,
    names: [String; 2],
    openings: Vec<OpeningRow>,
    date: String,
    stop: &'a Arc<AtomicBool>,
}

impl<'a> Contest<'a> {
    /// Makes the players of a match and opens its folder.
    ///
    /// # Errors
    /// Settings that no match can have, names that nothing has, positions that cannot be had, a folder of another match.
    pub(super) fn open<G: Game>(game: &G, job: &Job<'a>) -> Result<(Contest<'a>, Folder), Error> {
        let settings = job.settings;
        check(settings)?;
        let (first, first_numbers, first_cut) = cast(game, settings, 0)?;
        let (second, second_numbers, second_cut) = cast(game, settings, 1)?;
        let cuts: BTreeSet<String> = first_cut.into_iter().chain(second_cut).collect();
        let started = utc(SystemTime::now());
        let session = Session {
            started: started.clone(),
            argv: job.argv.clone(),
            jobs: job.jobs,
            cores: job.cores.to_vec(),
            git: git(),
        };
        let file = PlayFile {
            started,
            complete: false,
            evaluation: format!("{:016x}", game.evaluation_id()),
            search: search_sources().to_owned(),
            first_numbers,
            second_numbers,
            cuts: cuts.into_iter().collect(),
            throws: throws_of(game),
            session: vec![session],
            build: compilation(),
            machine: machine(),
            part: job.part.clone(),
            ..PlayFile::of(settings.clone())
        };
        let mut folder = Folder::open(job.dir, file, job.retry, |games| {
            let set = settings.openings.as_deref();
            let mut rows = enough(game, (set, settings.reading), settings.seed, games / 2, job.jobs)?;
            let distinct = distinct(game, &rows);
            let description = described(game, set, &rows)?;
            if settings.is_shared() {
                if job.lacking.len() < rows.len() {
                    let pairs = plural(job.lacking.len(), "pair");
                    return Err(Error::Usage(format!(
                        "found what sides lack in {pairs}, expected {}: it depends on the games before",
                        rows.len()
                    )));
                }
                let with_lacking = |(row, lacking): (OpeningRow, _)| row.with_lacking(lacking);
                rows = rows.into_iter().zip(job.lacking).map(with_lacking).collect();
            }
            Ok((rows, distinct, description))
        })?;
        let openings = std::mem::take(&mut folder.openings);
        for (pair, (row, expected)) in (1..).zip(openings.iter().zip(job.lacking)) {
            let lacked = row.lacking();
            if lacked != *expected {
                let listed =
                    |lacking: &[Vec<String>; 2]| lacking.each_ref().map(|side| without(side)).join(", ");
                return Err(secateur_record::Error::Differs {
                    dir: job.dir.to_owned(),
                    what: "arms of a pair of shared games",
                    found: format!("{} in pair {pair}", listed(&lacked)),
                    expected: listed(expected),
                }
                .into());
            }
        }
        let contest = Contest {
            names: settings.names(),
            seats: lacking(settings, &first, &openings)?,
            openings,
            date: day(SystemTime::now()),
            casts: [first, second],
            stop: job.stop,
            settings,
        };
        Ok((contest, folder))
    }

    /// The pair that has players of its own, where a game of that number is of shared games.
    pub(super) fn own_players(&self, number: usize) -> Option<usize> {
        self.settings.is_shared().then(|| number.div_ceil(2))
    }

    /// Both players of a pair, ready to be asked; another program starts with its first game.
    pub(super) fn players<G: Game>(&self, game: &G, pair: Option<usize>) -> [Box<dyn Player<G> + '_>; 2] {
        let row = pair.map(|pair| &self.openings[pair - 1]);
        let arms = row.map_or([None, None], |row| [row.first.as_ref(), row.second.as_ref()]);
        [0, 1].map(|player| -> Box<dyn Player<G> + '_> {
            let game = game.clone();
            if let Some(seat) = arms[player].and_then(|arm| self.seats.get(arm)) {
                return Box::new(External::new(game, seat.clone(), Arc::clone(self.stop)));
            }
            match &self.casts[player] {
                Cast::Methods { ready, options } => {
                    Box::new(Searcher::new(game, ready, options.clone(), Arc::clone(self.stop)))
                }
                Cast::Engine(seat) => Box::new(External::new(game, seat.clone(), Arc::clone(self.stop))),
            }
        })
    }

    /// Plays one game; `None` if the match was stopped.
    pub(super) fn one<G: Game>(
        &self,
        game: &G,
        number: usize,
        players: &mut [Box<dyn Player<G> + '_>; 2],
    ) -> Option<Result<(GameRow, String), Error>> {
        if self.stop.load(Ordering::SeqCst) {
            return None;
        }
        let opening = &self.openings[(number - 1) / 2];
        let start = match game.parse(&opening.position) {
            Ok(start) => start,
            Err(error) => return Some(Err(Error::Usage(format!("{}: {error}", opening.opening)))),
        };
        // The first player has side 0 in the first game of a pair and side 1 in the second.
        let first = (number - 1) % 2;
        let [one, two] = players;
        let mut limits = self.settings.limits();
        let mut players: [&mut dyn Player<G>; 2] = [one.as_mut(), two.as_mut()];
        if first == 1 {
            players.swap(0, 1);
            limits.swap(0, 1);
        }
        let referee = Referee {
            limits,
            margin: Duration::from_millis(self.settings.margin_ms),
            adjudication: self.settings.adjudication,
            stop: self.stop,
        };
        let mut throws = Throws::new(self.settings.seed, number.div_ceil(2));
        let played = referee.play(game, start, players, &mut |sides| throws.below(sides))?;
        Some(Ok(self.recorded(game, number, first, opening, &played)))
    }

    /// The row and the transcript of a game in which the first player had side `first`.
    fn recorded<G: Game>(
        &self,
        game: &G,
        number: usize,
        first: usize,
        opening: &OpeningRow,
        played: &Played<G>,
    ) -> (GameRow, String) {
        let end = &played.end;
        let points = game.points(&played.last);
        let margin = points.map(|[one, other]| one - other);
        let result = match (points, end.winner) {
            (Some([one, other]), _) => format!("{one}-{other}"),
            (None, Some(0)) => "1-0".to_owned(),
            (None, Some(_)) => "0-1".to_owned(),
            (None, None) => "1/2-1/2".to_owned(),
        };
        let mut row = GameRow {
            game: number,
            pair: number.div_ceil(2),
            opening: opening.opening.clone(),
            first_side: game.sides()[first].to_owned(),
            points: end.winner.map_or(0.5, |winner| if winner == first { 1.0 } else { 0.0 }),
            result,
            reason: end.reason.to_string(),
            plies: played.plies.len(),
            margin: margin.map(|margin| if first == 0 { margin } else { -margin }),
            detail: end.detail.clone(),
            lacking: opening.lacking(),
            ..GameRow::default()
        };
        row.set_effort(played.efforts[first], played.efforts[1 - first]);
        let arms = [&opening.first, &opening.second].map(Option::as_deref);
        let names: [String; 2] = match (&self.settings.first, arms) {
            (PlayerSpec::Subject { subject, .. }, [Some(_), Some(_)]) => {
                row.lacking.each_ref().map(|lacking| PlayerSpec::lacking(subject, lacking).to_string())
            }
            _ => self.names.clone(),
        };
        played.wrong.iter().flatten().for_each(|why| row.leave_out(why));
        let head = Head {
            number,
            players: [&names[first], &names[1 - first]],
            opening: &opening.opening,
            result: &row.result,
            limit: &self.settings.budget(),
            date: &self.date,
        };
        let text = transcript(game, &head, played);
        (row, text)
    }
}

/// Refuses settings that no match can have.
fn check(settings: &MatchSettings) -> Result<(), Error> {
    if settings.games == 0 || !settings.games.is_multiple_of(2) {
        return Err(Error::Usage(format!(
            "{}: expected an even number, since every opening is played with both colours",
            plural(settings.games, "game")
        )));
    }
    if let (Some(odds), Limit::Depth(_)) = (settings.odds, settings.limit) {
        return Err(Error::Usage(format!(
            "odds of {odds}: found a match to a depth, expected one with nodes or time"
        )));
    }
    Ok(())
}

/// How late a move by the clock may come: both players are this program, so what makes them late is the machine.
const LATE: Duration = Duration::from_secs(2);

/// What holds for every single game of whoever plays many between players that change from game to game: a tuner. The searchers,
/// the referee and the openings are those of matches. Left out: other programs, transcripts.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What each player may spend.
    pub limit: Limit,
    /// Where the throws of games with dice come from: with the opening, so that both games of a pair have the same.
    pub seed: u64,
    /// What ends games early.
    pub adjudication: Adjudication,
    /// Gives up the games under way soon after it is set.
    pub stop: Arc<AtomicBool>,
}

impl Bout {
    /// The points (1, 0.5 or 0) of the first of two players, which has side `first`, in the game from `opening`; `None` if
    /// games are given up. Without a clock it depends on nothing else, and repeats exactly.
    ///
    /// # Errors
    /// An opening that the game cannot read; a game that a fault ended, which is an error of this program.
    pub fn points<G: Game>(
        &self,
        game: &G,
        opening: &OpeningRow,
        first: usize,
        players: [(&Methods, &Options); 2],
    ) -> Result<Option<f64>, Error> {
        let wrong = |what: &str| Error::Usage(format!("{}: {what}", opening.opening));
        let start = game.parse(&opening.position).map_err(|error| wrong(&error.to_string()))?;
        let [mut one, mut two] = players.map(|(ready, options)| {
            Searcher::new(game.clone(), ready, options.clone(), Arc::clone(&self.stop))
        });
        let mut players: [&mut dyn Player<G>; 2] = [&mut one, &mut two];
        players.rotate_left(first);
        let referee = Referee {
            limits: [self.limit; 2],
            margin: LATE,
            adjudication: self.adjudication,
            stop: &self.stop,
        };
        let mut throws = Throws::of_opening(self.seed, &opening.position);
        let played = referee.play(game, start, players, &mut |sides| throws.below(sides));
        let Some(played) = played else { return Ok(None) };
        if played.end.reason.is_fault() {
            return Err(wrong(&format!("{}: {}", played.end.reason, played.end.detail)));
        }
        Ok(Some(played.end.winner.map_or(0.5, |winner| if winner == first { 1.0 } else { 0.0 })))
    }
}
