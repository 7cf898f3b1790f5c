//! `train`: an evaluation from self-play or from games of others, written next to its provenance.

use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::reading::jobs;
use secateur::cli::say::{Progress, put, say};
use secateur_base::number::argument;
use secateur_engines::find;
use secateur_games::othello::Othello;
use secateur_lab::train::othello::{EdaxSettings, TrainSettings, carried_over, train};
use secateur_lab::train::{
    Phase, Progress as Step, SelfPlay, TrainError, Trained, chess, draughts, einstein, shogi,
};
use secateur_positions::wthor::Archive;
use secateur_suites::instruments::machine::cores;
use secateur_suites::program::Program;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Arguments of `train`.
#[derive(clap::Args)]
#[command(
    // The games stand in the usage, so that a wrong name is answered with the right ones.
    override_usage = "train <othello|chess|draughts|einstein|shogi> [OPTIONS]",
    after_help = "Examples:\n  cargo xtask train othello\n  cargo xtask train chess --out try"
)]
pub(crate) struct Flags {
    #[command(subcommand)]
    game: Trainable,
}

/// The games that learn their evaluation.
#[derive(clap::Subcommand)]
enum Trainable {
    /// Othello: the weights of patterns, from self-play, games of others or both
    Othello(OthelloFlags),
    /// Chess: every number of the evaluation, from self-play
    #[command(after_help = "Examples:\n  cargo xtask train chess --games 12000 --seed 1\n  \
                            cargo xtask train chess --games 200 --nodes 1000 --out try\n\n\
                            After a training: cargo xtask fit chess, and sample the position sets again if the\n\
                            recorded ones are to be reproducible.")]
    Chess(SelfPlayFlags<ChessFlags>),
    /// Draughts: the weights of patterns, from self-play
    #[command(after_help = "Examples:\n  cargo xtask train draughts --games 20000 --seed 1\n\n\
                            After a training: cargo xtask fit draughts, and sample the position sets again if the\n\
                            recorded ones are to be reproducible.")]
    Draughts(SelfPlayFlags<DraughtsFlags>),
    /// EinStein würfelt nicht!: the weights of stones and cells, from self-play
    #[command(after_help = "Example:\n  cargo xtask train einstein --games 10000 --seed 1\n\n\
                            After a training: cargo xtask fit einstein, and sample the position sets again if the\n\
                            recorded ones are to be reproducible.")]
    Einstein(SelfPlayFlags<EinsteinFlags>),
    /// Shogi: the worth of pieces on the board and in hand and of where they stand, from self-play
    #[command(after_help = "Example:\n  cargo xtask train shogi --games 24000 --seed 1\n\n\
                            After a training: cargo xtask fit shogi, and sample the position sets again if the\n\
                            recorded ones are to be reproducible.")]
    Shogi(SelfPlayFlags<ShogiFlags>),
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        match self.game {
            Trainable::Othello(flags) => flags.run(),
            Trainable::Chess(flags) => flags.run(),
            Trainable::Draughts(flags) => flags.run(),
            Trainable::Einstein(flags) => flags.run(),
            Trainable::Shogi(flags) => flags.run(),
        }
    }
}

/// Arguments of `train othello`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask train othello --games 80000 --seed 1\n  \
                        cargo xtask train othello --games WTH_2019.wtb --games WTH_2020.wtb\n  \
                        cargo xtask train othello --edax ~/edax/bin/data\n  \
                        cargo xtask train othello --edax edax-4.6\n\n\
                        After a training: cargo xtask fit othello, and sample the position sets again if the\n\
                        recorded ones are to be reproducible.")]
struct OthelloFlags {
    /// Self-play games of each generation, or a WTHOR database (.wtb) to learn from instead; may be repeated,
    /// and with a number and databases both are learnt from
    #[arg(long, value_name = "N|FILE.wtb", value_parser = games, num_args = 1..,
          default_value = NUMBER.as_str())]
    games: Vec<Games>,
    /// Seed of all random numbers
    #[arg(long, default_value_t = TrainSettings::default().play.seed)]
    seed: u64,
    /// Generations of self-play
    #[arg(long, default_value_t = TrainSettings::default().play.generations)]
    generations: u32,
    /// Search depth of the last generation, plies
    #[arg(long, default_value_t = TrainSettings::default().depth)]
    depth: i32,
    /// Empty squares from which games are solved exactly
    #[arg(long, default_value_t = TrainSettings::default().solve_empties)]
    solve_empties: u32,
    /// How far a label trusts what came later over the search at hand, per cent; 100 learns results alone
    #[arg(long, default_value_t = TrainSettings::default().trust)]
    trust: u32,
    /// Learn these shapes of patterns only, by their number; the rest is nothing
    #[arg(long, value_delimiter = ',')]
    shapes: Option<Vec<usize>>,
    /// Threads; all cores by default. The result does not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Folder of the weights and their provenance
    #[arg(long, default_value = "core/games/othello/data")]
    out: PathBuf,
    /// Train nothing: carry the evaluation over into the weight file of Edax 4.6, eval.dat in this folder, or in `data` next to the
    /// binary of this subject, which is built if need be; by regression on its values at the positions of games of its own
    #[arg(long, value_name = "DIR|SUBJECT", conflicts_with_all = ["generations", "depth", "solve_empties", "trust", "out"])]
    edax: Option<PathBuf>,
}

/// The default of `--games`, as text.
static NUMBER: LazyLock<String> = LazyLock::new(|| TrainSettings::default().play.games.to_string());

/// What `--games` says.
#[derive(Clone, Debug)]
enum Games {
    /// So many games of self-play.
    Number(u32),
    /// The games of a database.
    File(PathBuf),
}

/// Reads a value of `--games`. A file of digits alone must be given with its folder.
fn games(text: &str) -> Result<Games, String> {
    if let Ok(number) = argument(text) {
        return Ok(Games::Number(number));
    }
    let path = PathBuf::from(text);
    let pathlike = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if pathlike { Ok(Games::File(path)) } else { Err("expected a number or a .wtb file".to_owned()) }
}

impl OthelloFlags {
    /// The number of self-play games, 0 with databases alone, and the databases.
    fn sources(&self) -> Result<(u32, Archive), Failure> {
        let (mut numbers, mut files) = (Vec::new(), Vec::new());
        for games in &self.games {
            match games {
                Games::Number(number) => numbers.push(*number),
                Games::File(path) => files.push(path.clone()),
            }
        }
        if numbers.len() > 1 {
            return Err(Failure::input("--games: found two numbers, expected at most one"));
        }
        let archive = Archive::read(&files)?;
        Ok((numbers.first().copied().unwrap_or(0), archive))
    }

    /// Our evaluation as Edax reads one.
    fn carried_over(&self, folder: &Path) -> Outcome {
        let usual = EdaxSettings::default();
        let games = match self.games.as_slice() {
            [Games::Number(games)] if *games != TrainSettings::default().play.games => *games,
            [Games::Number(_)] => usual.games,
            _ => {
                return Err(Failure::input(
                    "--games: found a database with --edax, expected a number of games",
                ));
            }
        };
        let settings =
            EdaxSettings { games, seed: self.seed, threads: self.jobs.unwrap_or_else(cores), ..usual };
        let carried = watched(folder, |progress| carried_over(&Othello::default(), &settings, progress))?;
        write(folder, "eval.dat", &carried.bytes, carried.provenance)
    }

    fn run(self) -> Outcome {
        if let Some(named) = &self.edax {
            return self.carried_over(&weights_of(named)?);
        }
        let (games, archive) = self.sources()?;
        let OthelloFlags { seed, generations, depth, solve_empties, trust, shapes, jobs, out, .. } = self;
        let play = SelfPlay { games, seed, generations, threads: jobs.unwrap_or_else(cores) };
        let settings = TrainSettings { play, depth, solve_empties, trust, shapes };
        let trained = watched(&out, |progress| train(&settings, &archive, progress))?;
        write(&out, "othello.weights", &trained.bytes, trained.provenance)
    }
}

/// The folder of this name, or that in which an Edax of this name looks for its weights.
fn weights_of(named: &Path) -> Result<PathBuf, Failure> {
    let subject = named.to_str().filter(|name| !named.is_dir() && Program::is_subject(name));
    let Some(subject) = subject else { return Ok(named.to_owned()) };
    let command = find(&Program::load(subject)?.installed()?.command).map_err(Failure::input)?;
    Ok(command.with_file_name("data"))
}

/// Arguments of a training by self-play alone.
#[derive(clap::Args)]
struct SelfPlayFlags<O: Own> {
    /// Self-play games of each generation
    #[arg(long, default_value = text(O::usual().games), value_parser = argument::<u32>)]
    games: u32,
    /// Seed of all random numbers
    #[arg(long, default_value = text(O::usual().seed))]
    seed: u64,
    /// Generations of self-play
    #[arg(long, default_value = text(O::usual().generations))]
    generations: u32,
    #[command(flatten)]
    own_flags: O,
    /// Threads; all cores by default. The result does not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Folder of the evaluation and its provenance
    #[arg(long, default_value = text(format!("core/games/{}/data", stem(O::FILE))))]
    out: PathBuf,
}

impl<O: Own> SelfPlayFlags<O> {
    fn run(self) -> Outcome {
        let SelfPlayFlags { games, seed, generations, own_flags, jobs, out } = self;
        let play = SelfPlay { games, seed, generations, threads: jobs.unwrap_or_else(cores) };
        let trained = watched(&out, |progress| own_flags.train(play, progress))?;
        write(&out, O::FILE, &trained.bytes, trained.provenance)
    }
}

/// A default as clap keeps it. Its own way from a value to text has one place for all games, so all would have the defaults of
/// the first.
fn text(value: impl ToString) -> &'static str {
    value.to_string().leak()
}

/// The arguments that only one game has.
trait Own: clap::Args {
    /// Name of the file of the evaluation: that of the game, with an ending.
    const FILE: &'static str;

    /// The usual self-play.
    fn usual() -> SelfPlay;

    /// Trains.
    fn train(self, play: SelfPlay, progress: &mut dyn FnMut(Step)) -> Result<Trained, TrainError>;
}

/// Arguments of `train chess` alone.
#[derive(clap::Args)]
struct ChessFlags {
    /// Nodes of the search for each move
    #[arg(long, default_value_t = chess::TrainSettings::default().nodes, value_parser = argument::<u64>)]
    nodes: u64,
    /// Share of the result in what is learnt, per cent; the rest is what the search expects
    #[arg(long, default_value_t = chess::TrainSettings::default().trust)]
    trust: u32,
    /// How strongly a number is drawn to its start, in sightings
    #[arg(long, default_value_t = chess::TrainSettings::default().prior)]
    prior: u32,
    /// Learn these groups of numbers only, as `data/chess.eval` names them; the rest is nothing
    #[arg(long, value_delimiter = ',')]
    groups: Option<Vec<String>>,
    /// Folder where positions are kept and found again, to take up a training or to repeat the regression
    #[arg(long)]
    keep: Option<PathBuf>,
}

impl Own for ChessFlags {
    const FILE: &'static str = "chess.eval";

    fn usual() -> SelfPlay {
        chess::TrainSettings::default().play
    }

    fn train(self, play: SelfPlay, progress: &mut dyn FnMut(Step)) -> Result<Trained, TrainError> {
        let ChessFlags { nodes, trust, prior, groups, keep } = self;
        chess::train(&chess::TrainSettings { play, nodes, trust, prior, groups, keep }, progress)
    }
}

/// Arguments of `train draughts` alone.
#[derive(clap::Args)]
struct DraughtsFlags {
    /// Search depth of the games, plies
    #[arg(long, default_value_t = draughts::TrainSettings::default().depth)]
    depth: i32,
    /// Pieces from which on results are exact
    #[arg(long, default_value_t = draughts::TrainSettings::default().pieces)]
    pieces: usize,
}

impl Own for DraughtsFlags {
    const FILE: &'static str = "draughts.weights";

    fn usual() -> SelfPlay {
        draughts::TrainSettings::default().play
    }

    fn train(self, play: SelfPlay, progress: &mut dyn FnMut(Step)) -> Result<Trained, TrainError> {
        let DraughtsFlags { depth, pieces } = self;
        draughts::train(&draughts::TrainSettings { play, depth, pieces }, progress)
    }
}

/// Arguments of `train einstein` alone.
#[derive(clap::Args)]
struct EinsteinFlags {
    /// Search depth of the games, moves
    #[arg(long, default_value_t = einstein::TrainSettings::default().depth)]
    depth: i32,
    /// How far a label trusts what came later over the search at hand, per cent; 100 learns results alone
    #[arg(long, default_value_t = einstein::TrainSettings::default().trust)]
    trust: u32,
}

impl Own for EinsteinFlags {
    const FILE: &'static str = "einstein.weights";

    fn usual() -> SelfPlay {
        einstein::TrainSettings::default().play
    }

    fn train(self, play: SelfPlay, progress: &mut dyn FnMut(Step)) -> Result<Trained, TrainError> {
        let EinsteinFlags { depth, trust } = self;
        einstein::train(&einstein::TrainSettings { play, depth, trust }, progress)
    }
}

/// Arguments of `train shogi` alone.
#[derive(clap::Args)]
struct ShogiFlags {
    /// Nodes of the search for each move
    #[arg(long, default_value_t = shogi::TrainSettings::default().nodes, value_parser = argument::<u64>)]
    nodes: u64,
    /// Share of the result in what is learnt, per cent; the rest is what the search expects
    #[arg(long, default_value_t = shogi::TrainSettings::default().trust)]
    trust: u32,
    /// Learn what pieces are worth wherever they stand, and no more
    #[arg(long)]
    pieces: bool,
    /// Folder where positions are kept and found again, to take up a training or to repeat the regression
    #[arg(long)]
    keep: Option<PathBuf>,
}

impl Own for ShogiFlags {
    const FILE: &'static str = "shogi.weights";

    fn usual() -> SelfPlay {
        shogi::TrainSettings::default().play
    }

    fn train(self, play: SelfPlay, progress: &mut dyn FnMut(Step)) -> Result<Trained, TrainError> {
        let ShogiFlags { nodes, trust, pieces, keep } = self;
        shogi::train(&shogi::TrainSettings { play, nodes, trust, pieces, keep }, progress)
    }
}

/// Trains with a progress bar, once the folder of the results exists.
fn watched<T>(
    out: &Path,
    train: impl FnOnce(&mut dyn FnMut(Step)) -> Result<T, TrainError>,
) -> Result<T, Failure> {
    // Now, so that hours of training do not end in an error; gone again if there is nothing to write.
    let made = !out.exists();
    std::fs::create_dir_all(out).map_err(Failure::io(out))?;
    let mut bar = Progress::new(0, 0);
    let trained = train(&mut |p| {
        let phase = match p.phase {
            Phase::Archive => "ends solved",
            Phase::Games => "games",
            Phase::Passes => "passes of the regression",
        };
        bar.phase(p.done, p.total, &format!("generation {}: {phase}", p.generation));
    });
    drop(bar);
    trained.map_err(|error| {
        if made {
            let _ = std::fs::remove_dir(out);
        }
        error.into()
    })
}

/// The name of a file without its ending.
fn stem(file: &str) -> &str {
    file.split('.').next().unwrap_or(file)
}

/// Writes what was trained and where it comes from, and says the latter.
fn write(out: &Path, name: &str, bytes: &[u8], provenance: String) -> Outcome {
    put(&out.join(name), bytes)?;
    put(&out.join(stem(name)).with_extension("provenance.toml"), &provenance)?;
    say(&provenance);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    #[test]
    fn every_game_has_its_own_defaults() {
        fn usual<O: Own>(flags: &SelfPlayFlags<O>) {
            let SelfPlay { games, seed, generations, .. } = O::usual();
            assert_eq!(
                (flags.games, flags.seed, flags.generations),
                (games, seed, generations),
                "{}",
                O::FILE
            );
        }
        for game in ["othello", "chess", "draughts", "einstein", "shogi"] {
            match Line::parse_from(["line", game]).flags.game {
                Trainable::Othello(flags) => assert_eq!(flags.seed, TrainSettings::default().play.seed),
                Trainable::Chess(flags) => usual(&flags),
                Trainable::Draughts(flags) => usual(&flags),
                Trainable::Einstein(flags) => usual(&flags),
                Trainable::Shogi(flags) => usual(&flags),
            }
        }
    }
}
