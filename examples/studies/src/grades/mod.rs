//! Evaluations of graded strength from one trainer, and what pruning is worth on each: the measurements of docs/studies/evaluation.md.
//!
//! Everything counts nodes, so a busy machine changes nothing but the time. A part that is done is a table in the folder
//! ([`kept`]) and is not done again; the same settings give the same tables on any number of threads.
//! Left out: what the numbers show, which [`numbers`] says.

pub mod kept;
pub mod numbers;

use crate::noisy::{Noisy, deviate, wrong_squares};
use kept::{EvaluationRow, FIT, PAIRS, PairRow, SEARCHES, SearchRow};
use secateur_arena::play::drawn_openings;
use secateur_base::Unknown;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Limits, Options, Searcher};
use secateur_core::{Game, Notation, Rules, Score};
use secateur_games::chess::{Chess, EvalParams, Taper};
use secateur_games::othello::{Othello, Weights};
use secateur_lab::fit::{FitError, FitSettings, fit};
use secateur_lab::train::{self, Progress, SelfPlay, TrainError, shared_out};
use secateur_positions::builtin::{builtin, builtins};
use secateur_positions::duplicates::canonicals;
use secateur_positions::wthor::Archive;
use secateur_record::files::replace;
use secateur_record::table;
use secateur_suites::sample::gather::Family;
use secateur_suites::sample::{ChessSettings, OthelloSettings, sample_chess, sample_othello};
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Seed of the positions and the openings, which nothing else has.
const SEED: u64 = 3041;
/// Thresholds of Multi-ProbCut, sigmas, ascending.
pub const THRESHOLDS: [f64; 5] = [0.6, 1.0, 1.4, 1.8, 2.4];
/// The methods that are as they come with the game; full width first.
const METHODS: [&str; 4] = ["none", "null-move", "futility", "lmr"];
/// Kinds of what is added to the full evaluation.
const KINDS: [&str; 2] = ["fresh", "lasting"];
/// A game that one side has decided for so many plies in a row is over.
const DECIDED_PLIES: i32 = 8;
/// A game of more plies is drawn.
const LONGEST: usize = 240;

/// How much is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// A taste: so many positions of each stage, twice as many openings, and a training and fits to go with it. All where there is
    /// nothing.
    pub limit: Option<usize>,
    /// Threads, at least 1; they change no result.
    pub threads: usize,
}

impl Settings {
    /// So many, or as many as a taste has.
    fn at_most(&self, all: usize, a_limit: usize) -> usize {
        self.limit.map_or(all, |limit| all.min((a_limit * limit).max(1)))
    }
}

/// Why nothing is measured.
#[derive(Debug, thiserror::Error)]
pub enum GradesError {
    /// No such game, or one without grades.
    #[error(transparent)]
    Game(#[from] Unknown),
    /// The folder was begun with other settings.
    #[error("{}: found a measurement with {settings}, expected {expected}: choose another folder", folder.display())]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// Its settings.
        settings: String,
        /// Those that were asked for.
        expected: String,
    },
    /// The user ended it.
    #[error("stopped; the same command resumes")]
    Stopped,
    /// An evaluation that the folder has cannot be read.
    #[error("{}: {message}", path.display())]
    Evaluation {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The tables cannot be written or read.
    #[error(transparent)]
    Record(#[from] secateur_record::Error),
    /// No openings.
    #[error(transparent)]
    Openings(#[from] secateur_suites::Error),
    /// The training.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A fit.
    #[error(transparent)]
    Fit(#[from] FitError),
}

type Result<T> = std::result::Result<T, GradesError>;

/// Measures what is not measured yet of a game, in this folder; `tell` hears what is under way.
///
/// # Errors
/// A game without grades, a folder of other settings, what a part of the measurement says; [`GradesError::Stopped`] once `stop` is
/// set: what is done is kept.
pub fn measure(
    game: &str,
    folder: &Path,
    settings: Settings,
    tell: &mut dyn FnMut(&str),
    stop: &AtomicBool,
) -> Result<()> {
    match game {
        Chess::NAME => Study::<Chess>::open(folder, settings, tell, stop)?.run(),
        Othello::NAME => Study::<Othello>::open(folder, settings, tell, stop)?.run(),
        other => {
            Err(Unknown::new("game with graded evaluations", other, &[Chess::NAME, Othello::NAME]).into())
        }
    }
}

/// A game whose evaluation is learnt in grades, and how it is measured.
trait Graded: Game {
    /// The grades, weakest first; the last is all there is to learn.
    const GRADES: [&'static str; 3];
    /// Depth of the searches, plies.
    const DEPTH: i32;
    /// Depth of the games, plies.
    const PLAYED: i32;
    /// Openings.
    const OPENINGS: usize;
    /// Positions of each stage.
    const POSITIONS: usize;
    /// Positions of each stage that a fit draws below.
    const FITTED: usize;
    /// Depth pairs of Multi-ProbCut, as an arm says them.
    const CHECKS: &'static str;
    /// Steps of what is added, in the game's unit.
    const LEVELS: [f64; 3];
    /// A game is decided at this value, score units.
    const DECIDED: i32;

    /// Learns the grades, in their order.
    fn learn(settings: Settings, keep: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Self>>;
    /// An evaluation as a file.
    fn bytes(&self) -> Vec<u8>;
    /// An evaluation from a file.
    fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, String>;
    /// The evaluation with something added that lasts over a line of play: a wrong table of weights of the squares.
    fn lasting(self, deviation: f64) -> Noisy<Self>;
    /// Openings, as text.
    fn openings(count: usize, threads: usize) -> Result<Vec<String>>;
    /// Positions of every stage, as text, none of `taken`.
    fn positions(count: usize, threads: usize, taken: &mut BTreeSet<String>) -> Vec<String>;
}

impl Graded for Chess {
    const GRADES: [&'static str; 3] = ["material", "squares", "full"];
    const DEPTH: i32 = 6;
    const PLAYED: i32 = 3;
    const OPENINGS: usize = 60;
    const POSITIONS: usize = 20;
    const FITTED: usize = 150;
    const CHECKS: &'static str = "[[1,3],[2,4],[1,5],[3,5]]";
    const LEVELS: [f64; 3] = [0.3, 1.0, 3.0];
    const DECIDED: i32 = 1_000;

    fn learn(settings: Settings, keep: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Chess>> {
        let games = settings.at_most(1_500, 20).max(20) as u32;
        let groups: [Option<&[&str]>; 3] = [Some(&["men"]), Some(&["men", "squares"]), None];
        let learn = |groups: Option<&[&str]>| {
            let usual = train::chess::TrainSettings::default();
            let play = SelfPlay { games, threads: settings.threads, ..usual.play };
            let groups = groups.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
            let path = keep.to_owned();
            let settings =
                train::chess::TrainSettings { play, nodes: 1_000, groups, keep: Some(path.clone()), ..usual };
            let learnt = train::chess::train(&settings, progress)?;
            Chess::from_bytes(&learnt.bytes).map_err(|message| GradesError::Evaluation { path, message })
        };
        groups.into_iter().map(learn).collect()
    }

    fn bytes(&self) -> Vec<u8> {
        self.params().to_text().into_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> std::result::Result<Chess, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        EvalParams::parse(text).map(Chess::with_params).map_err(|error| error.to_string())
    }

    /// The weights are numbers of the evaluation, so they count in quiescence too.
    fn lasting(self, deviation: f64) -> Noisy<Chess> {
        // As many men as a middlegame has, so that their sum deviates by so much.
        const MEN: f64 = 24.0;
        let mut params = self.params().clone();
        let table = EvalParams::group("squares").expect("a group of the evaluation").range();
        for (number, value) in params.values_mut()[table].iter_mut().enumerate() {
            let wrong = (deviation / MEN.sqrt() * deviate(number as u64)).round() as i32;
            *value += Taper::new(wrong, wrong);
        }
        Noisy::plain(Chess::with_params(params))
    }

    fn openings(count: usize, threads: usize) -> Result<Vec<String>> {
        let rows = drawn_openings(&Chess::default(), SEED, count, threads)?;
        Ok(rows.into_iter().map(|row| row.position).collect())
    }

    fn positions(count: usize, threads: usize, taken: &mut BTreeSet<String>) -> Vec<String> {
        let settings = ChessSettings { seed: SEED, count, nodes: 2_000, threads, ..ChessSettings::test() };
        let entries = sample_chess(&Chess::default(), Family::Test, &settings, taken, &mut |_, _| ());
        entries.into_iter().map(|entry| entry.position).collect()
    }
}

impl Graded for Othello {
    const GRADES: [&'static str; 3] = ["corner", "inner", "full"];
    const DEPTH: i32 = 9;
    const PLAYED: i32 = 4;
    const OPENINGS: usize = 100;
    const POSITIONS: usize = 32;
    const FITTED: usize = 40;
    const CHECKS: &'static str = "[[1,3],[2,4],[1,5],[2,6],[1,7],[3,7],[2,8],[4,8]]";
    const LEVELS: [f64; 3] = [2.0, 6.0, 18.0];
    const DECIDED: i32 = i32::MAX;

    fn learn(settings: Settings, keep: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Vec<Othello>> {
        let games = settings.at_most(6_000, 20).max(20) as u32;
        // Games follow from the seed alone, so all three learn from the same ones; they are played for each.
        let choices = [Some(vec![2]), Some((2..=10).collect()), None];
        let learn = |shapes| {
            let usual = train::othello::TrainSettings::default();
            let play = SelfPlay { games, generations: 1, threads: settings.threads, ..usual.play };
            let settings = train::othello::TrainSettings { play, depth: 4, shapes, ..usual };
            let learnt = train::othello::train(&settings, &Archive::default(), progress)?;
            let path = keep.to_owned();
            Othello::from_bytes(&learnt.bytes).map_err(|message| GradesError::Evaluation { path, message })
        };
        choices.into_iter().map(learn).collect()
    }

    fn bytes(&self) -> Vec<u8> {
        self.weights().to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> std::result::Result<Othello, String> {
        Weights::from_bytes(bytes)
            .map(|weights| Othello::new(weights.into()))
            .map_err(|error| error.to_string())
    }

    fn lasting(self, deviation: f64) -> Noisy<Othello> {
        Noisy { game: self, noise: wrong_squares, deviation }
    }

    fn openings(count: usize, threads: usize) -> Result<Vec<String>> {
        Ok(sampled(Family::Fit, vec![12], count, threads, &mut BTreeSet::new()))
    }

    fn positions(count: usize, threads: usize, taken: &mut BTreeSet<String>) -> Vec<String> {
        sampled(Family::Test, vec![20, 28, 36], count, threads, taken)
    }
}

/// Othello positions with these numbers of discs. Openings are of the family for fitting, whose games no test position is from.
fn sampled(
    family: Family,
    discs: Vec<u32>,
    count: usize,
    threads: usize,
    taken: &mut BTreeSet<String>,
) -> Vec<String> {
    let settings = OthelloSettings { seed: SEED, discs, count, threads, ..OthelloSettings::test() };
    let entries = sample_othello(&Othello::default(), family, &settings, taken, &mut |_, _| ());
    entries.into_iter().map(|entry| entry.position).collect()
}

/// The measurement of one game.
struct Study<'a, G: Graded> {
    folder: &'a Path,
    settings: Settings,
    tell: &'a mut dyn FnMut(&str),
    stop: &'a AtomicBool,
    setup: Setup,
    /// The grades, in their order.
    grades: Vec<G>,
    /// What is measured, by name; noise is added as its level is found.
    rows: Vec<EvaluationRow>,
}

impl<'a, G: Graded> Study<'a, G> {
    /// The folder with its evaluations, which are learnt if it has none.
    fn open(
        folder: &'a Path,
        settings: Settings,
        tell: &'a mut dyn FnMut(&str),
        stop: &'a AtomicBool,
    ) -> Result<Self> {
        fs::create_dir_all(folder).map_err(secateur_record::Error::io(folder))?;
        let asked = settings.limit.map_or("no limit".to_owned(), |limit| format!("a limit of {limit}"));
        let path = folder.join("settings");
        match fs::read_to_string(&path) {
            Ok(kept) if kept == asked => {}
            Ok(settings) => {
                return Err(GradesError::Differs { folder: folder.to_owned(), settings, expected: asked });
            }
            Err(_) => replace(&path, asked.as_bytes())?,
        }
        let setup = Setup::embedded(G::NAME).map_err(FitError::from)?;
        let options = Options { table_mib: 16, ..setup.options.clone() };
        let setup = Setup { options, evaluation: None, fitted_on: None, ..setup };
        let of_grade = |name: &str| EvaluationRow {
            name: name.to_owned(),
            kind: "grade".to_owned(),
            level: 0.0,
            like: String::new(),
        };
        let rows = G::GRADES.map(of_grade).to_vec();
        let mut study = Study { folder, settings, tell, stop, setup, grades: Vec::new(), rows };
        study.grades = study.learnt()?;
        Ok(study)
    }

    /// The grades: those of the folder, or those that are learnt now.
    fn learnt(&mut self) -> Result<Vec<G>> {
        let paths = G::GRADES.map(|name| self.folder.join(format!("{name}.evaluation")));
        if !paths.iter().all(|path| path.is_file()) {
            (self.tell)(&format!("{}: evaluations are learnt", G::NAME));
            let learnt = G::learn(self.settings, &self.folder.join("games"), &mut |_| {})?;
            for (path, grade) in paths.iter().zip(&learnt) {
                replace(path, &grade.bytes())?;
            }
        }
        let read = |path: &PathBuf| {
            let bytes = fs::read(path).map_err(secateur_record::Error::io(path))?;
            G::from_bytes(&bytes).map_err(|message| GradesError::Evaluation { path: path.clone(), message })
        };
        paths.iter().map(read).collect()
    }

    fn run(mut self) -> Result<()> {
        let [weakest, middle, full] = G::GRADES;
        let openings = self
            .drawn("openings", |settings| G::openings(settings.at_most(G::OPENINGS, 2), settings.threads))?;
        for (one, other) in [(weakest, full), (middle, full), (weakest, middle)] {
            self.play(one, other, &openings)?;
        }
        for kind in KINDS {
            let mut curve = Vec::new();
            for level in G::LEVELS {
                let name = format!("{kind}-{level}");
                self.add(&name, kind, level, "");
                curve.push((level, self.play(&name, full, &openings)?));
            }
            for grade in [weakest, middle] {
                let wanted = self.play(grade, full, &openings)?;
                let name = format!("{kind}-as-{grade}");
                self.add(&name, kind, level_at(&curve, wanted), grade);
                self.play(&name, full, &openings)?;
            }
        }
        kept::put(&self.folder.join(kept::EVALUATIONS), &self.rows)?;
        let positions = self.drawn("positions", |settings| {
            // Positions of other sets are left out; which evaluation reads them makes no difference.
            let game = &self.grades[0];
            let mut taken = BTreeSet::new();
            for set in builtins(game).map_err(FitError::from)? {
                taken.extend(canonicals(game, &set).unwrap_or_default());
            }
            Ok(G::positions(settings.at_most(G::POSITIONS, 1), settings.threads, &mut taken))
        })?;
        let measured =
            self.rows.clone().into_iter().filter(|row| row.kind == "grade" || !row.like.is_empty());
        for row in measured {
            self.search(&row, &positions)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, kind: &str, level: f64, like: &str) {
        let [name, kind, like] = [name, kind, like].map(str::to_owned);
        self.rows.push(EvaluationRow { name, kind, level, like });
    }

    /// Texts that are drawn once, a line each.
    fn drawn(&self, file: &str, draw: impl FnOnce(Settings) -> Result<Vec<String>>) -> Result<Vec<String>> {
        let path = self.folder.join(file);
        if !path.is_file() {
            replace(&path, draw(self.settings)?.join("\n").as_bytes())?;
        }
        let text = fs::read_to_string(&path).map_err(secateur_record::Error::io(&path))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// The game with the evaluation of this name.
    fn game(&self, name: &str) -> Noisy<G> {
        let grade = G::GRADES.iter().position(|grade| *grade == name);
        if let Some(grade) = grade {
            return Noisy::plain(self.grades[grade].clone());
        }
        let full = self.grades[G::GRADES.len() - 1].clone();
        let row = self.rows.iter().find(|row| row.name == name);
        let (kind, level) = row.map_or(("", 0.0), |row| (&*row.kind, row.level));
        let deviation = level * f64::from(G::UNIT.scale);
        if kind == "lasting" { full.lasting(deviation) } else { Noisy { deviation, ..Noisy::plain(full) } }
    }

    /// The points of an evaluation a game against another, 0 to 1.
    fn play(&mut self, one: &str, other: &str, openings: &[String]) -> Result<f64> {
        let path = self.folder.join(format!("{PAIRS}{one}-{other}.csv"));
        if !path.is_file() {
            (self.tell)(&format!("{}: games of {one} against {other}", G::NAME));
            let games = [self.game(one), self.game(other)];
            let options = Options { table_mib: 1, ..self.setup.options.clone() };
            let player = |game: &Noisy<G>| game.clone().searcher(Methods::NONE, options.clone());
            let state = || games.each_ref().map(player);
            let points = shared_out(openings, self.settings.threads, state, |players, opening| {
                (!self.stop.load(Ordering::SeqCst)).then(|| pair::<G>(players, opening))
            });
            let row = |(opening, points): (usize, Option<f64>)| {
                let [evaluation, against] = [one, other].map(str::to_owned);
                Some(PairRow { evaluation, against, opening, points: points? })
            };
            let rows: Option<Vec<PairRow>> = points.into_iter().enumerate().map(row).collect();
            kept::put(&path, &rows.ok_or(GradesError::Stopped)?)?;
        }
        let rows = table::rows::<PairRow>(&path)?;
        Ok(rows.iter().map(|row| row.points / 2.0).sum::<f64>() / rows.len() as f64)
    }

    /// The setup with models of this evaluation.
    fn fitted(&mut self, name: &str) -> Result<Setup> {
        let path = self.folder.join(format!("{name}{FIT}"));
        if !path.is_file() {
            (self.tell)(&format!("{}: models of {name}", G::NAME));
            let game = self.game(name);
            let depth = G::DEPTH - 1;
            let settings = FitSettings {
                limit: Some(self.settings.at_most(G::FITTED, G::FITTED / 4)),
                draws: 1,
                depth_none: depth,
                depth_deeper: depth,
                depth_null_move: 0,
                threads: self.settings.threads,
                ..FitSettings::standard(G::NAME)?
            };
            let set = builtin(&game, &settings.positions).map_err(FitError::from)?;
            let (fitted, _) = fit(&game, &self.setup, &set, &settings, &mut |_, _| {})?;
            replace(&path, fitted.text(G::STAGES).as_bytes())?;
        }
        // What was written, rounded, is what is searched with.
        let baselines = kept::fit(&path)?.baselines;
        Ok(Setup { baselines, ..self.setup.clone() })
    }

    /// Searches the positions with every method on this evaluation.
    fn search(&mut self, row: &EvaluationRow, positions: &[String]) -> Result<()> {
        let path = self.folder.join(format!("{SEARCHES}{}.csv", row.name));
        if path.is_file() {
            return Ok(());
        }
        let setup = self.fitted(&row.name)?;
        (self.tell)(&format!("{}: searches with {}", G::NAME, row.name));
        let game = self.game(&row.name);
        let numbered: Vec<(usize, &String)> = positions.iter().enumerate().collect();
        let plain = METHODS.map(|method| (method.to_owned(), method, 0.0));
        let checked = THRESHOLDS.map(|t| (format!("mpc[pairs={},t={t:.1}]", G::CHECKS), "mpc", t));
        let mut rows = Vec::new();
        for (arm, method, t) in plain.into_iter().chain(checked) {
            let arm = Arm::parse(&arm).expect("an arm of this file");
            let methods = setup.equip(&arm).map_err(FitError::from)?;
            let state = || game.clone().searcher(&methods, setup.options.clone());
            let cells = shared_out(&numbered, self.settings.threads, state, |search, (position, text)| {
                if self.stop.load(Ordering::SeqCst) {
                    return None;
                }
                let pos = search.game().parse(text).expect("a position that was drawn");
                let outcome = search.run(&pos, &Budget::Depth(G::DEPTH));
                let last = outcome.last();
                Some(SearchRow {
                    evaluation: row.name.clone(),
                    method: method.to_owned(),
                    t,
                    position: *position,
                    depth: last.depth,
                    nodes: outcome.tally.nodes,
                    r#move: last.best_move().map_or(String::new(), |mv| search.game().format_move(&pos, mv)),
                })
            });
            rows.extend(cells.into_iter().collect::<Option<Vec<SearchRow>>>().ok_or(GradesError::Stopped)?);
        }
        Ok(kept::put(&path, &rows)?)
    }
}

/// The level at which the score is as wanted, on the broken line through the levels that were played and a half where nothing is
/// added, to a hundredth; the last level where the line does not fall so far.
fn level_at(curve: &[(f64, f64)], wanted: f64) -> f64 {
    let points: Vec<(f64, f64)> = std::iter::once((0.0, 0.5)).chain(curve.iter().copied()).collect();
    let crosses = |two: &&[(f64, f64)]| two[0].1 > two[1].1 && (two[1].1..=two[0].1).contains(&wanted);
    let level = points.windows(2).find(crosses).map(|two| {
        let share = (two[0].1 - wanted) / (two[0].1 - two[1].1);
        two[0].0 + share * (two[1].0 - two[0].0)
    });
    let level = level.unwrap_or(if wanted >= 0.5 { 0.0 } else { points[points.len() - 1].0 });
    (100.0 * level).round() / 100.0
}

/// Points of the first player in two games from an opening, each side once.
fn pair<G: Graded>(players: &mut [Searcher<'_, Noisy<G>>; 2], opening: &str) -> f64 {
    (0..2).map(|first| points::<G>(players, opening, first)).sum()
}

/// Points of the first player in a game that the player with number `first` begins.
fn points<G: Graded>(players: &mut [Searcher<'_, Noisy<G>>; 2], opening: &str, first: usize) -> f64 {
    // A position may carry sums of its evaluation's numbers, so each player has one of its own.
    let parsed =
        |player: &Searcher<'_, Noisy<G>>| player.game().parse(opening).expect("a position that was drawn");
    let mut at = [parsed(&players[0]), parsed(&players[1])];
    players.iter_mut().for_each(|player| player.forget());
    let begins = players[0].game().side(&at[0]);
    let limits = Limits { depth: G::PLAYED, ..Limits::default() };
    let (mut keys, mut seen, mut decided) = (Vec::new(), BTreeMap::<String, usize>::new(), 0);
    for _ in 0..LONGEST {
        let game = players[0].game();
        let times = seen.entry(game.identity(&at[0])).or_default();
        *times += 1;
        let side = game.side(&at[0]);
        let mover = if side == begins { first } else { 1 - first };
        if let Some(end) = game.ending(&at[0], *times) {
            let won = |winner: usize| f64::from(u8::from((winner == side) == (mover == 0)));
            return end.winner.map_or(0.5, won);
        }
        let key = game.key(&at[0]);
        let outcome = players[mover].go(&at[mover], &keys, &limits, &mut |_| ControlFlow::Continue(()));
        let Some(mv) = outcome.last().best_move() else { return 0.5 };
        let Score(value) = outcome.last().score;
        let value = if mover == 0 { value } else { -value };
        decided = match value {
            value if value >= G::DECIDED => decided.max(0) + 1,
            value if value <= -G::DECIDED => decided.min(0) - 1,
            _ => 0,
        };
        if i32::abs(decided) >= DECIDED_PLIES {
            return f64::from(u8::from(decided > 0));
        }
        keys.push(key);
        for (player, pos) in players.iter().zip(&mut at) {
            *pos = player.game().play(pos, mv);
        }
    }
    0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_lies_on_the_line_between_those_that_were_played() {
        let curve = [(1.0, 0.4), (3.0, 0.2), (9.0, 0.25)];
        for (wanted, level) in
            [(0.45, 0.5), (0.4, 1.0), (0.3, 2.0), (0.2, 3.0), (0.1, 9.0), (0.5, 0.0), (0.6, 0.0)]
        {
            assert!(
                (level_at(&curve, wanted) - level).abs() < 1e-9,
                "{wanted}: {}",
                level_at(&curve, wanted)
            );
        }
    }

    fn points_of<G: Graded>(one: Noisy<G>, other: Noisy<G>) -> f64 {
        let options = Options { table_mib: 1, ..Setup::embedded(G::NAME).unwrap().options };
        let mut players = [one, other].map(|game| game.searcher(Methods::NONE, options.clone()));
        let openings = G::openings(3, 1).unwrap();
        openings.iter().map(|opening| pair::<G>(&mut players, opening)).sum::<f64>() / 6.0
    }

    /// Equal players share the points of every pair; one who sees nothing but noise loses, whichever number it has.
    #[test]
    fn points_are_those_of_the_first_player() {
        fn check<G: Graded>(game: &G) {
            let (plain, drowned) =
                (Noisy::plain(game.clone()), Noisy { deviation: 3_000.0, ..Noisy::plain(game.clone()) });
            assert_eq!(points_of(plain.clone(), plain.clone()), 0.5);
            let (won, lost) = (points_of(plain.clone(), drowned.clone()), points_of(drowned, plain));
            assert!(won > 0.8 && lost < 0.2, "{}: {won} {lost}", G::NAME);
        }
        check(&Othello::default());
        check(&Chess::default());
    }

    /// Grades are learnt, noise is made as strong as they are, and all is searched, in three pieces; nothing is done twice, and the
    /// folder takes no other settings.
    #[test]
    fn a_measurement_goes_on_where_it_was_and_takes_no_other_settings() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { limit: Some(1), threads: 2 };
        let mut messages = Vec::new();
        let mut until = |last: &str| {
            let stop = AtomicBool::new(false);
            let mut heard = |news: &str| {
                messages.push(news.to_owned());
                stop.store(news.ends_with(last), Ordering::SeqCst);
            };
            measure("othello", folder.path(), settings, &mut heard, &stop)
        };
        for last in ["games of corner against inner", "searches with inner"] {
            assert!(matches!(until(last), Err(GradesError::Stopped)), "{last}");
        }
        let graded = kept::Graded::read(folder.path()).unwrap();
        assert_eq!(graded.evaluations.len(), 3 + 2 * (3 + 2));
        assert_eq!((graded.pairs.len(), graded.fits.len()), (13 * 2, 2));
        assert_eq!(graded.searches.len(), 9 * 3);
        assert!(graded.searches.iter().all(|row| !row.r#move.is_empty() && row.depth == Othello::DEPTH));
        let times = |part: &str| messages.iter().filter(|news| news.contains(part)).count();
        assert_eq!((times("learnt"), times("games of corner against full")), (1, 1));
        assert_eq!(times("games of corner against inner"), 2, "it was stopped in them");
        let heard = &mut |_: &str| {};
        let stop = AtomicBool::new(false);
        let other = measure("othello", folder.path(), Settings { limit: None, ..settings }, heard, &stop);
        let other = other.unwrap_err().to_string();
        assert!(other.contains("a limit of 1") && other.contains("no limit"), "{other}");
        assert!(measure("go", folder.path(), settings, heard, &stop).is_err());
    }
}
