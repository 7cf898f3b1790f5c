//! `speed`: how fast this program is next to others that are installed, in one run.
//!
//! Each part of a comparison is a run in a folder of its own; one that was stopped goes on.

use crate::cli::bench::lasting;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::report::width;
use crate::cli::running::{GIVEN_UP, How, interrupt, note, searched, unnamed_folder};
use crate::cli::say::{message, put, say};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use secateur_base::number::{argument, plural};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_record::manifest::Manifest;
use secateur_record::speed::{Part, SUITE};
use secateur_reports::render;
use secateur_reports::speed::{Folders, report};
use secateur_stats::read::read;
use secateur_suites::allowance::Allowance;
use secateur_suites::program::Program;
use secateur_suites::shards::shard::Shard;
use secateur_suites::speed::{Asked, Wanted, begun_as, countings, planned, sharded};
use std::path::{Path, PathBuf};

/// Arguments of `speed`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} speed\n  {me} speed --edax ~/edax/bin/edax --measure endgame --rounds 6\n  \
                  {me} speed --measure full-width --subject toga2 --depth 5 --limit 2\n  {me} speed --smoke\n  {me} speed --measure instructions --edax PATH\n  \
                  {me} speed --shard 3/8\n  {me} report runs/speed-TIME --markdown\n\n\
                  Missing programs are listed, and the others compared. Ratios are of this program over the other; next to each is \
                  the noise: the same program over itself. docs/SPEED.md says how to build Edax.\n\
                  Exit code 2 for impossible arguments; 4 if a program failed in some searches, or the run was stopped.", me = name())
)]
pub struct Flags {
    /// Compare only this game
    #[arg(long)]
    game: Option<String>,
    /// Compare with these programs, by name or subject file (`subjects list` prints the names): stockfish,
    /// toga2, edax, my-engine.toml
    #[arg(long, alias = "peers", value_name = "SUBJECTS", value_delimiter = ',')]
    subject: Vec<String>,
    /// The binary of Edax; `data/eval.dat` is looked for next to it, and a build without ProbCut as NAME-full
    #[arg(long, value_name = "PATH")]
    edax: Option<PathBuf>,
    /// What to measure [default: everything]
    #[arg(long, value_parser = measure(), value_delimiter = ',')]
    measure: Vec<Wanted>,
    /// Searches of every position by every program; two or more show the noise
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Use these positions for every measure: a built-in set, or a file
    #[arg(long)]
    positions: Option<String>,
    /// Maximum positions per stage of each set [default: all]
    #[arg(long, value_parser = argument::<usize>)]
    limit: Option<usize>,
    /// Depth of the searches to a depth, plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Time to find right moves
    #[arg(long, default_value = "2s")]
    time: String,
    /// Methods of this program, with the usual parameters, instead of its playing set
    #[arg(long)]
    methods: Option<String>,
    /// Parameters of this program instead of those of its playing set: a built-in variant or a .toml file
    #[arg(long)]
    params: Option<String>,
    /// Transposition table of each program, MiB
    #[arg(long, default_value_t = secateur_record::peers::HASH_MIB, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Count instructions to the full-width depth with callgrind as well
    #[arg(long)]
    instructions: bool,
    /// Search only enough to show that everything works
    #[arg(long)]
    smoke: bool,
    /// Search only this shard of the positions, in runs/speed-3-of-20 unless --out is given; `merge` joins
    /// shards. The judge of `solve` judges all positions in every shard
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Folder; a comparison that began there is resumed [default: runs/speed-TIME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Resume the comparison in this folder with its settings
    #[arg(long, conflicts_with_all = [
        "game", "subject", "measure", "positions", "limit", "depth", "methods", "params", "instructions", "smoke", "shard", "out",
        "edax",
    ])]
    resume: Option<PathBuf>,
    /// Repeat cells that ended with an error
    #[arg(long)]
    retry: bool,
}

/// Reads a measure by its word.
fn measure() -> impl TypedValueParser<Value = Wanted> {
    let values = Wanted::ALL.map(|(word, what, _)| PossibleValue::new(word).help(what));
    let all = Wanted::ALL.into_iter();
    PossibleValuesParser::new(values).try_map(move |word| {
        all.clone().find(|measure| measure.0 == word).map(|measure| measure.2).ok_or("no measure")
    })
}

impl Flags {
    pub fn run(self) -> Outcome {
        let (asked, folder) = match &self.resume {
            Some(folder) => (Asked::read(folder)?, folder.clone()),
            None => {
                let unnamed = || unnamed_folder(self.shard, SUITE);
                (self.asked()?, self.out.clone().unwrap_or_else(unnamed))
            }
        };
        let parts = asked.parts()?;
        let (counted, left) = if asked.is_counted() { countings(&asked)? } else { (Vec::new(), Vec::new()) };
        for missing in left {
            message(&format!("instructions of {}: {}\n", missing.name, missing.why));
        }
        if parts.is_empty() && counted.is_empty() {
            return Err(Failure::input(
                "no program to count instructions of next to ours: name one that can search at full width with --subject",
            ));
        }
        asked.opens(&folder)?;
        let shard = match self.resume {
            Some(_) => begun_as(&folder)?,
            None => self.shard,
        };
        let taken = |plan, measure| match shard {
            Some(shard) => sharded(plan, measure, shard),
            None => Ok(plan),
        };
        let stop = interrupt(GIVEN_UP)?;
        let resume_command = format!("{} speed --resume {}", name(), shell_path(&folder));
        let how = How { retry: self.retry, ..How::new(&stop, &resume_command) };
        let mut failed = 0;
        let mut lines = Vec::new();
        for (measure, game) in &parts {
            let Some((part, plan)) = planned(&asked, (*measure, game), &folder)? else { continue };
            for missing in &part.missing {
                let line = format!("{}: {}\n", missing.name, missing.why);
                if !lines.contains(&line) {
                    message(&line);
                    lines.push(line);
                }
            }
            let plan = taken(plan, Some(*measure))?;
            note(&plan);
            failed += searched(&plan, &folder.join(part.folder()), how)?.failed();
        }
        for counting in counted {
            let plan = taken(counting.plan, None)?;
            note(&plan);
            failed += searched(&plan, &folder.join(&counting.folder), how)?.failed();
        }
        match shard {
            Some(shard) => message(&format!(
                "shard {shard} is finished in {}; when all are: {me} merge FOLDER SHARDS, then {me} report FOLDER\n",
                folder.display(),
                me = name()
            )),
            None => {
                let report = report(&folders(&folder)?);
                put(&folder.join("report.md"), render::markdown(&report))?;
                say(&render::terminal(&report, width()));
            }
        }
        match failed {
            0 => Ok(()),
            failed => Err(Failure::incomplete(format!(
                "{} failed; see the column `error` of records.csv in the folders of {}; --retry searches them again",
                plural(failed, "search"),
                folder.display()
            ))),
        }
    }

    fn asked(&self) -> Result<Asked, Failure> {
        let time = Allowance::time(&self.time).map_err(Failure::at("--time"))?;
        let absolute = |path: &PathBuf| std::path::absolute(path).map_err(Failure::at("--edax"));
        for peer in &self.subject {
            Program::load(peer)?;
        }
        Ok(Asked {
            measures: self.measure.clone(),
            games: self.game.iter().cloned().collect(),
            peers: self.subject.iter().map(|peer| Program::lasting(peer, Path::new(""))).collect(),
            edax: self.edax.as_ref().map(absolute).transpose()?,
            rounds: if self.smoke { self.rounds.min(2) } else { self.rounds },
            positions: self.positions.as_deref().map(lasting),
            limit: self.limit,
            depth: self.depth,
            time: if self.smoke { time.amount().min(SMOKE) } else { time.amount() },
            methods: self.methods.clone(),
            params: self.params.as_deref().map(lasting),
            hash_mib: self.hash,
            instructions: self.instructions,
            smoke: self.smoke,
        })
    }
}

/// What a smoke test takes to find a move at most, nanoseconds.
const SMOKE: u64 = 50_000_000;

/// Whether this is the folder of a comparison.
pub fn is_comparison(path: &Path) -> bool {
    let is_part =
        |part: &String| Manifest::read(&path.join(part)).is_ok_and(|manifest| manifest.comparison.is_some());
    Part::folders(path).is_ok_and(|parts| parts.iter().any(is_part))
}

/// What was recorded in each folder of a comparison.
pub fn folders(folder: &Path) -> Result<Folders, Failure> {
    let runs_of = |name: String| Ok((name.clone(), read(&[folder.join(name)])?));
    Part::folders(folder)?.into_iter().map(runs_of).collect()
}
