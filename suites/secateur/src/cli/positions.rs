//! `positions`: list, check, sample, import.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reading::{Reading, jobs, with_options};
use crate::cli::say::{Progress, message, say};
use clap::{Subcommand, value_parser};
use secateur_base::number::{argument, grouped, plural};
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_positions::error::{listed, some_of};
use secateur_positions::import::{Had, Wish, import, refuse_to_overwrite, save};
use secateur_positions::wthor::Archive;
use secateur_positions::{Error, builtin};
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use secateur_suites::sample::{SampleSettings, reserved, sample};
use secateur_suites::setups::games;
use std::path::PathBuf;
use std::time::SystemTime;

/// Arguments of `positions`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} positions list\n  {me} positions check my.epd\n  {me} positions check games.pgn --every 10 --skip-bad\n  \
                        {me} positions import WTH_2019.wtb --out games.obf", me = name())
)]
pub struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// List the built-in sets and their sources
    List,
    /// Check a file or a built-in set: every line, every move, repeated positions
    Check {
        /// An .epd, .fen, .pgn, .pdn, .obf, .sfen or .pos file, or a built-in set
        set: String,
        /// The game of a .pos file
        #[arg(long)]
        game: Option<String>,
        #[command(flatten)]
        reading: Reading,
    },
    /// Sample test and fitting positions by self-play
    #[command(after_help = format!("Positions of real games: {me} positions import", me = name()))]
    Sample(Sample),
    /// Take positions of real games from WTHOR databases (.wtb)
    Import(Import),
}

#[derive(clap::Args)]
struct Sample {
    /// Name of the game
    game: String,
    /// Folder of the data files and their list
    #[arg(long)]
    out: PathBuf,
    /// Seed of all games
    #[arg(long)]
    seed: Option<u64>,
    /// Positions of each stage for tests
    #[arg(long, value_parser = argument::<usize>)]
    count: Option<usize>,
    /// Positions of each stage for fitting
    #[arg(long, value_parser = argument::<usize>)]
    fit_count: Option<usize>,
    /// Depth of the searches that choose moves, plies [default: 3]; Othello and chess have their own samplers
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..))]
    depth: Option<i32>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        match self.verb {
            Verb::List => list(),
            Verb::Check { set, game, reading } => check(&set, game, reading),
            Verb::Sample(flags) => flags.run(),
            Verb::Import(flags) => flags.run(),
        }
    }
}

fn list() -> Outcome {
    let mut text = String::new();
    for set in secateur_positions::list()? {
        text += &format!(
            "{:<14} {:<8} {:>5} positions  {}\n",
            set.name, set.game, set.positions, set.description
        );
        text += &format!("{:<14} source: {}\n", "", set.provenance.source);
    }
    say(&text);
    Ok(())
}

fn check(name: &str, game: Option<String>, reading: Reading) -> Outcome {
    let game = builtin::game_of(name)?.or(game);
    let game = game.ok_or_else(|| {
        Failure::input(format!("{name}: the file does not say its game: name it with --game"))
    })?;
    let game = games::find(&game).map_err(secateur_suites::Error::from)?;
    let report = secateur_positions::check_as(&game, name, reading.given().unwrap_or_default())?;
    let set = &report.set;
    let positions = plural(set.entries.len(), "position");
    let mut text = format!("{name}: {positions} of {}, hash {}\n", set.game, set.hash);
    for note in set.notes().iter().filter(|note| !note.ends_with(&set.account())) {
        message(&format!("note: {note}\n"));
    }
    text += &format!("  {}\n", set.account());
    for (stage, count) in set.stages() {
        text += &format!("  {stage}: {count}\n");
    }
    say(&text);
    if report.is_clean() {
        return Ok(());
    }
    let pairs: Vec<String> = report.duplicates.iter().map(|(a, b)| format!("{a} and {b}")).collect();
    let mut faults = match pairs.len() {
        0 => Vec::new(),
        1 => vec![format!("{} are the same position", pairs[0])],
        several => {
            vec![format!("{} pairs are each one position: {}", grouped(several as u64), some_of(&pairs))]
        }
    };
    faults.extend(report.listed_hash.map(|hash| format!("the list has hash {hash}, expected {}", set.hash)));
    faults.extend(
        report
            .listed_positions
            .map(|n| format!("the list has {}, not {}", plural(n, "position"), set.entries.len())),
    );
    Err(Failure::input(format!("{name}: {}", faults.join("; "))))
}

impl Sample {
    fn run(self) -> Outcome {
        let (game, out) = (shell_word(&self.game), shell_path(&self.out));
        let options = [
            ("--seed", self.seed.map(|n| n.to_string())),
            ("--count", self.count.map(|n| n.to_string())),
            ("--fit-count", self.fit_count.map(|n| n.to_string())),
            ("--depth", self.depth.map(|n| n.to_string())),
        ];
        let command = with_options(format!("cargo xtask positions sample {game} --out {out}"), options);
        let settings = SampleSettings {
            seed: self.seed,
            count: self.count,
            fit_count: self.fit_count,
            depth: self.depth,
            threads: self.jobs.unwrap_or_else(cores),
            command,
            date: day(SystemTime::now()),
        };
        let mut bar = Progress::new(0, 0);
        let sets = sample(&self.game, &settings, &self.out, &mut |name, had, wanted| {
            bar.phase(had as u64, wanted as u64, name);
        })?;
        drop(bar);
        let lines: Vec<String> = sets
            .iter()
            .map(|set| format!("{}: {}, hash {}\n", set.name, plural(set.positions, "position"), set.hash))
            .collect();
        say(&lines.concat());
        Ok(())
    }
}

/// Arguments of `positions import`: positions of real games, from WTHOR databases to an OBF file.
#[derive(clap::Args)]
#[command(after_help = format!("Examples:\n  \
    {me} positions import WTH_2019.wtb WTH_2020.wtb --out games.obf\n  \
    {me} bench --positions games.obf\n\n\
    Takes one position per game and disc count, with at least two moves, none twice up to symmetry and none of\n\
    a built-in set. Positions that no training learns from (reserved, about one in eight) come first:\n\
    given some ten times as many games as positions are wanted, the evaluation has met none of them.\n\n\
    Nothing is written if a file is truncated, of another format or board, or has an illegal move (--skip-bad\n\
    goes on without wrong games); the exit code is 2 then, and 1 if a file cannot be written.", me = name()))]
pub struct Import {
    /// WTHOR databases (.wtb)
    #[arg(required = true, value_name = "FILE.wtb")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE.obf")]
    out: PathBuf,
    /// Disc counts
    #[arg(long, value_delimiter = ',', default_value = "12,20,28,36,44",
          value_parser = value_parser!(u32).range(4..64))]
    discs: Vec<u32>,
    /// Positions of each disc count
    #[arg(long, default_value_t = 500, value_parser = value_parser!(u32).range(1..))]
    count: u32,
    /// Seed of the draw from all games of all files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Skip games with an illegal move, and an incomplete last game of a file; the record has their number
    #[arg(long)]
    skip_bad: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

impl Import {
    pub fn run(self) -> Outcome {
        refuse_to_overwrite(&self.out, self.force).map_err(hinted)?;
        let archive = Archive::read_as(&self.files, self.skip_bad)?;
        for database in archive.databases().iter().filter(|database| !database.skipped.is_empty()) {
            let (path, games) = (database.path.display(), plural(database.games.len(), "game"));
            message(&format!(
                "note: {path}: took {games}; left out:\n{}\n",
                listed(&database.skipped, |fault| &fault.message)
            ));
        }
        let wish = Wish { discs: self.discs.clone(), count: self.count as usize, seed: self.seed };
        let made = import(&archive, &wish, reserved, &self.command(), &self.out)?;
        save(&self.out, &made.text, self.force).map_err(hinted)?;
        let mut text = format!(
            "{}: {} of {}, hash {}\n",
            self.out.display(),
            plural(made.set.entries.len(), "position"),
            plural(archive.len(), "game"),
            made.set.hash
        );
        for Had { discs, positions, met } in made.had {
            text += &format!("  {discs}: {positions}, {} of them reserved\n", positions - met);
            if positions < wish.count {
                message(&format!(
                    "note: {discs} discs: found {positions} of {} in no built-in set\n",
                    plural(wish.count, "position")
                ));
            }
        }
        say(&text);
        Ok(())
    }

    /// The command that makes the same file again. Where it goes is left out: the content must not depend
    /// on that.
    fn command(&self) -> String {
        let files: Vec<String> = self.files.iter().map(|path| shell_path(path)).collect();
        let discs: Vec<String> = self.discs.iter().map(u32::to_string).collect();
        format!(
            "cargo xtask positions import {} --discs {} --count {} --seed {}{} --out FILE.obf",
            files.join(" "),
            discs.join(","),
            self.count,
            self.seed,
            if self.skip_bad { " --skip-bad" } else { "" }
        )
    }
}

/// Says how to overwrite a file, if that is what is in the way.
fn hinted(error: Error) -> Failure {
    match error {
        Error::Exists { .. } => Failure::input(format!("{error}; --force replaces it")),
        other => other.into(),
    }
}
