//! `merge`: shards of runs and matches put together, with what doubled units say about the machines.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::say;
use crate::cli::say::message;
use secateur_base::number::{either, plural};
use secateur_base::program::name;
use secateur_reports::format::count;
use secateur_suites::shards::matches;
use secateur_suites::shards::merge::{Kind, Merged, kind, merge};
use secateur_suites::shards::pack::archive;
use std::path::{Path, PathBuf};

/// Arguments of `merge`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} merge runs/factorial shards/*.tar\n  {me} merge runs/factorial \
                  runs/factorial-*-of-20\n  {me} merge archive/factorial runs/factorial --without counters.csv\n  \
                  {me} merge archive/quick runs/quick --archive\n\n\
                  Takes any shards of a suite, a match, `worth` or `speed`, in any order, repeatedly. Exit code 4: some shards are missing, and the others \
                  were merged; or two rows of one cell disagree, and nothing was merged.", me = name())
)]
pub struct Flags {
    /// Run folder of the merged record; keeps rows of the same run that it has
    out: PathBuf,
    /// Shards: folders of runs, matches, `worth` or `speed`, packs, or merged records
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Copy one finished run, or a folder of runs, matches and tables, with all files but run.toml in one
    /// archive (rows.zip)
    #[arg(long)]
    archive: bool,
    /// Leave these files out of the copy: iterations.csv, counters.csv
    #[arg(long, value_name = "FILES", value_delimiter = ',')]
    without: Vec<String>,
}

impl Flags {
    pub fn run(self) -> Outcome {
        match &self.shards[..] {
            shards if !self.archive && self.without.is_empty() => merged(&self.out, shards),
            [run] => {
                let cells = archive(&self.out, run, &self.without)?;
                let what = cells.map_or("archived".to_owned(), |cells| plural(cells, "cell"));
                let without = if self.without.is_empty() {
                    String::new()
                } else {
                    format!(", without {}", self.without.join(", "))
                };
                message(&format!("{}: {what}{without}\n", self.out.display()));
                Ok(())
            }
            _ => {
                Err(Failure::input("--archive: expected one finished run or folder; merge the shards first"))
            }
        }
    }
}

/// Merges and says what came of it.
pub fn merged(out: &Path, shards: &[PathBuf]) -> Outcome {
    let (merged, names, tables) = match kind(shards)? {
        Kind::Run => (merge(out, shards)?, RUN, &say::RUN[..]),
        Kind::Match => (matches::merge(out, shards)?, MATCH, &say::MATCH[..]),
        Kind::Several(all) => {
            // What is missing of one is said, and the others are merged all the same.
            let each = all.iter().map(|(name, parts)| merged(&out.join(name), parts)).collect::<Vec<_>>();
            return each.into_iter().collect();
        }
    };
    say::describe(out, tables)?;
    message(&account(out, &merged, names));
    match merged.part.lacks() {
        None => Ok(()),
        Some(lacks) => Err(Failure::incomplete(format!("{}: not complete: {lacks}", out.display()))),
    }
}

/// What cells and units are called.
type Names = [&'static str; 2];
const RUN: Names = ["cell", "unit"];
const MATCH: Names = ["game", "pair"];

fn account(out: &Path, merged: &Merged, names: Names) -> String {
    let Merged { part, cells, agreed, apart, unfinished } = merged;
    let mut text = String::new();
    for path in unfinished {
        text += &format!("{path}: not finished, left out\n");
    }
    let [cell, unit] = names;
    text += &format!(
        "{}: {} of {} in {} of {}\n",
        out.display(),
        count(*cells),
        plural(part.cells as usize, cell),
        count(part.take.numbers().len() as u64),
        plural(part.units as usize, unit)
    );
    let (doubles, agree) = (plural(*agreed, unit), either(*agreed, "agrees", "agree"));
    let was = either(*agreed, "was", "were");
    text + &match (agreed, apart) {
        // Its rows do not say who played them.
        _ if names == MATCH => format!("{doubles} {was} played twice and {agree}\n"),
        (0, _) => "no unit was searched twice: nothing shows that the machines agree\n".to_owned(),
        (_, 0) => {
            format!("{doubles} {was} searched twice, by one program on one kind of machine, and {agree}\n")
        }
        (1, _) => format!("{doubles} {was} searched twice, by different builds, and {agree}\n"),
        _ => format!("{doubles} {was} searched twice, {apart} of them by different builds, and {agree}\n"),
    }
}
