//! `positions import`: positions of real games, from WTHOR databases to an OBF file.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::say::{message, say};
use clap::value_parser;
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_positions::Error;
use secateur_positions::error::listed;
use secateur_positions::import::{Had, Wish, import, refuse_to_overwrite, save};
use secateur_positions::wthor::Archive;
use secateur_suites::sample::reserved;
use std::path::PathBuf;

/// Arguments of `positions import`.
#[derive(clap::Args)]
#[command(after_help = format!("Examples:\n  \
    {me} positions import WTH_2019.wtb WTH_2020.wtb --out games.obf\n  \
    {me} bench --positions games.obf\n\n\
    Takes one position per game and disc count, with at least two moves, none twice up to symmetry and none of\n\
    a built-in set. Positions that no training learns from (reserved, about one in eight) come first:\n\
    given some ten times as many games as positions are wanted, the evaluation has met none of them.\n\n\
    Nothing is written if a file is truncated, of another format or board, or has an illegal move (--skip-bad\n\
    goes on without wrong games); the exit code is 2 then, and 1 if a file cannot be written.", me = name()))]
pub struct Flags {
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

impl Flags {
    pub fn run(self) -> Outcome {
        refuse_to_overwrite(&self.out, self.force).map_err(hinted)?;
        let archive = Archive::read_as(&self.files, self.skip_bad)?;
        for database in archive.databases().iter().filter(|database| !database.skipped.is_empty()) {
            let (path, games) = (database.path.display(), database.games.len());
            message(&format!("note: {path}: took {games} games; left out:\n{}\n", listed(&database.skipped)));
        }
        let wish = Wish { discs: self.discs.clone(), count: self.count as usize, seed: self.seed };
        let made = import(&archive, &wish, reserved, &self.command(), &self.out)?;
        save(&self.out, &made.text, self.force).map_err(hinted)?;
        let mut text = format!(
            "{}: {} positions of {} games, hash {}\n",
            self.out.display(),
            made.set.entries.len(),
            archive.len(),
            made.set.hash
        );
        for Had { discs, positions, met } in made.had {
            text += &format!("  {discs}: {positions}, {} of them reserved\n", positions - met);
            if positions < wish.count {
                message(&format!(
                    "note: {discs} discs: {positions} of {} positions found that are in no built-in set\n",
                    wish.count
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
