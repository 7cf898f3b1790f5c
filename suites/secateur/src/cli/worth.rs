//! `worth`: what each pruning method of a program is worth, on one page.
//!
//! It searches the program as it is, without each of its methods, with each alone and with none, and plays the program against
//! itself without a method where games are asked for. Everything goes into one folder; the same command goes on with what is
//! there, and [`matches`] reads it again.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::report::{Form, worth_in};
use crate::cli::running::{
    Cutting, Judging, Searching, Spending, arms_of, interrupt, notes, quick_of, unnamed_folder,
};
use crate::cli::say::{message, put, say};
use crate::cli::worth_games;
use crate::cli::worth_games::{Games, every_two};
use clap::ArgGroup;
use secateur_arena::play::Ended;
use secateur_base::program::name;
use secateur_base::words::{shell_path, shell_word};
use secateur_record::archive::{is_file, names};
use secateur_record::manifest;
use secateur_record::manifest::Manifest;
use secateur_record::store::RunRows;
use secateur_reports::evidence::Evidence;
use secateur_reports::worth::Played;
use secateur_stats::play::rests_on_faults;
use secateur_stats::read::from_rows;
use secateur_stats::worth::without;
use secateur_suites::matrix::Plan;
use secateur_suites::program::{Others, Program, ProgramArms, left_out};
use secateur_suites::suite::{Overrides, Suite};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most methods whose pairs are taken out without `--pairs`: of more there are too many pairs.
const PAIRED: usize = 4;
/// Most methods whose arms are all searched without `--all-arms`: a program without all of more searches next to nothing in hours.
const ALL_ARMS: usize = 9;

/// Arguments of `worth`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} worth toga2\n  {me} worth my-engine.toml --positions kaufman --depth 10 --oracle 8\n  \
                  {me} worth glaurung --depth 8 --games 200 --tc 1+0.01 --out runs/glaurung\n  \
                  {me} worth glaurung --depth 8 --hours 8 --worth-at-least 3 --equal-within 5\n  \
                  {me} worth toga2 --depth 8 --games 200 --shared\n  \
                  {me} worth glaurung --depth 6 --instructions\n\n\
                  A subject file says what switches each method off: {me} subjects show toga2 is an example.\n\
                  Without games the page names the methods to play first, where a study says in which order (docs/results/forecast.md).\n\
                  With --out the same command resumes a run. --shard divides positions and pairs of games; merge joins searches and\n\
                  matches.", me = name()),
    group = ArgGroup::new("budget")
)]
pub struct Flags {
    /// Name or path of a subject file
    subject: String,
    #[command(flatten)]
    spending: Spending,
    #[command(flatten)]
    judging: Judging,
    /// Also take out every two methods together; always on for at most four methods
    #[arg(long)]
    pairs: bool,
    /// Skip `none` and each method alone: without its methods a modern program searches only a few plies deep
    #[arg(long, alias = "in-company")]
    with_others: bool,
    /// Also search `none` and each method alone if the program has more than nine methods
    #[arg(long, conflicts_with = "with_others")]
    all_arms: bool,
    /// Also count instructions with callgrind, those of the program as it is twice
    #[arg(long)]
    instructions: bool,
    #[command(flatten)]
    games: worth_games::Flags,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    cutting: Cutting,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let program = Program::load(&self.subject)?;
        if program.factors.is_empty() {
            return Err(Failure::input(format!(
                "{}: no method to switch off: list what switches each off under [factor] ({} subjects show toga2 is an example)",
                self.subject,
                name()
            )));
        }
        let games = Games::new(&self.games, &program, &self.cutting)?;
        let elsewhere = games.elsewhere()?;
        let unsearched = self.unsearched(&program);
        let plan = self.cutting.cut(Plan::new(self.suite(program.clone())?)?)?;
        self.searching.announce(&program, &plan);
        let unnamed = || unnamed_folder(self.cutting.shard, "worth");
        let folder = self.searching.out.clone().unwrap_or_else(unnamed);
        let searches = folder.join(SEARCHES);
        let stop = interrupt("what is under way is given up")?;
        let (rows, judged) =
            self.searching.search(&plan, [&folder, &searches], &self.judging.oracle_book, &stop)?;
        let mut played = games.play(&folder, self.searching.retry, &stop)?;
        let account = elsewhere.map(|elsewhere| games.join(elsewhere, &mut played)).transpose()?;
        match self.cutting.shard {
            Some(shard) => {
                let next_step = "when all are: merge them into a folder, and the same command without --shard, with `--out` and that \
                             folder, writes the page";
                message(&format!("shard {shard} is finished in {}; {next_step}\n", folder.display()));
                judged
            }
            None => {
                report(&folder, &searches, rows, (&played, account), self.searching.wide)?;
                unsearched.into_iter().for_each(|unsearched| message(&unsearched));
                judged.and_then(|()| rested(&folder, &played))
            }
        }
    }

    /// Whether `none` and each method alone are left out.
    fn leaves_out(&self, program: &Program) -> bool {
        self.with_others || !self.all_arms && program.factors.len() > ALL_ARMS
    }

    /// What was not searched although no flag left it out, and the command for it.
    fn unsearched(&self, program: &Program) -> Option<String> {
        let is_chosen = self.leaves_out(program) && !self.with_others;
        is_chosen.then(|| {
            format!(
                "not searched: `none` and each method alone, of a program with {} methods; for those too: {} worth {} --all-arms\n",
                program.factors.len(),
                name(),
                shell_word(&self.subject)
            )
        })
    }

    /// What is searched: a depth of the suite `quick` in the game of the program, unless more is said.
    fn suite(&self, program: Program) -> Result<Suite, Failure> {
        let mut arms = ProgramArms::usual(&program);
        if self.leaves_out(&program) {
            arms.retain(|arm| arm.starts_with("full"));
        }
        let names: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        if self.pairs || names.len() <= PAIRED {
            let both = every_two(&names).map(|pair| without(&pair)).filter(|_| names.len() > 2);
            let (both, left) = program.possible(both.collect());
            let left = left_out(left.iter().map(|(arm, why)| (arm, why)));
            left.iter().for_each(|left| message(&format!("note: {left}\n")));
            arms.extend(both);
        }
        let lined = arms_of(program, Others::Off, &arms)?;
        if self.games.is_asked() {
            lined.keeps_to(self.games.limit()?.into())?;
        }
        let oracle = self.judging.oracle();
        let changes = Overrides { oracle, ..self.searching.changes(self.spending.budget()?) };
        let suite = quick_of(lined, changes)?;
        Ok(if self.instructions { suite.counted() } else { suite })
    }
}

/// Prints the page and writes it into the folder: for a browser, for a pull request, and for tools.
fn report(
    folder: &Path,
    searches: &Path,
    searched: RunRows,
    (played, account): (&[Played], Option<String>),
    wide: bool,
) -> Outcome {
    let manifest = Manifest::read(searches)?;
    notes(&manifest, &searched);
    let mut runs = from_rows(searches, searched, manifest)?;
    runs.notes.extend(account);
    let evidence = Evidence::of(&runs);
    let text = |form: Form| worth_in(form, &evidence, &runs, played, wide);
    let none = Form::default();
    for (name, form) in [
        ("worth.md", Form { markdown: true, ..none }),
        ("worth.html", Form { html: true, ..none }),
        ("worth.csv", Form { csv: true, ..none }),
        ("worth.json", Form { json: true, ..none }),
    ] {
        put(&folder.join(name), text(form))?;
    }
    say(&text(none));
    message(&format!("\npage: {}\n", folder.join("worth.html").display()));
    Ok(())
}

/// A result that rests on faults is none.
fn rested(folder: &Path, played: &[Played]) -> Outcome {
    let faulty: Vec<String> = played
        .iter()
        .filter(|one| rests_on_faults(&one.ended.rows))
        .map(|one| folder_of(&one.methods, one.is_shared()))
        .collect();
    if faulty.is_empty() {
        return Ok(());
    }
    let (out, games) = (shell_path(folder), folder.display());
    Err(Failure::incomplete(format!(
        "games ended by faults, so their result is none: see the columns `reason` and `detail` of games.csv in {games}/{}; --retry and \
         --out {out} play them again",
        faulty.join(", ")
    )))
}

/// The folder of the searches, in the folder that `worth` writes.
pub const SEARCHES: &str = "searches";
/// What stands before the methods in the name of the folder of a match.
const GAMES: &str = "games-";
/// What stands in their place where the program meets itself; no method is called so.
const ITSELF: &str = "full";
/// What stands in their place in shared games.
const SHARED: &str = "shared";

/// Whether a folder is one that `worth` wrote.
pub fn is_worth(folder: &Path) -> bool {
    is_file(&folder.join(SEARCHES).join(manifest::FILE))
}

/// The folder of the match in which the second player lacks these methods, or of shared games.
pub fn folder_of(methods: &[String], is_shared: bool) -> String {
    match methods {
        [] if is_shared => format!("{GAMES}{SHARED}"),
        [] => format!("{GAMES}{ITSELF}"),
        methods => format!("{GAMES}{}", methods.join("+")),
    }
}

/// The matches of a folder, in the order of their names, each read by `read`.
pub fn matches(
    folder: &Path,
    read: impl Fn(&Path) -> Result<Ended, Failure>,
) -> Result<Vec<Played>, Failure> {
    let unreadable = |error| Failure::system(format!("{}: {error}", folder.display()));
    let mut played: BTreeMap<Vec<String>, PathBuf> = BTreeMap::new();
    for name in names(folder).map_err(unreadable)? {
        if let Some(methods) = name.strip_prefix(GAMES) {
            let methods = methods.split('+').filter(|_| methods != ITSELF).map(str::to_owned).collect();
            played.insert(methods, folder.join(&name));
        }
    }
    let played_at = |(mut methods, path): (Vec<String>, PathBuf)| {
        let ended = read(&path)?;
        if ended.file.settings.is_shared() {
            methods.clear();
        }
        Ok(Played { methods, ended })
    };
    played.into_iter().map(played_at).collect()
}
