//! `list`: every name that a command takes, with what it stands for.
//!
//! The names are those that the commands look up; nothing is listed that is not known, and nothing known is left out.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::report::narrow;
use crate::cli::say::say;
use clap::ValueEnum;
use secateur_base::number::plural;
use secateur_base::program::name;
use secateur_reports::page::brief::entry;
use secateur_suites::program::Program;
use secateur_suites::setups::arm::presets;
use secateur_suites::setups::methods::about;
use secateur_suites::setups::setup::Setup;
use secateur_suites::setups::{games, methods};
use secateur_suites::suite::{Block, Suite};

/// Arguments of `list`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} list\n  {me} list suites\n  {me} list presets null-move\n  \
                  {me} list methods --names", me = name())
)]
pub struct Flags {
    /// What to list [default: the kinds of names]
    what: Option<Kind>,
    /// Print only names that contain this, or that belong to this method or game
    of: Option<String>,
    /// Print only the names, one per line
    #[arg(long, requires = "what")]
    names: bool,
}

/// Kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// What `bench` runs
    Suites,
    /// What `--methods` takes
    Methods,
    /// Published forms of the methods, `null-move[verified]`
    Presets,
    /// What `--params` takes
    Params,
    /// What `--game` takes
    Games,
    /// What `--subject` takes
    Subjects,
    /// What `--positions` takes
    Positions,
}

/// A name, what it belongs to, and what it is.
struct Named {
    name: String,
    owner: String,
    about: String,
}

impl Named {
    fn new(name: &str, owner: &str, about: impl Into<String>) -> Named {
        Named { name: name.to_owned(), owner: owner.to_owned(), about: about.into() }
    }
}

impl Flags {
    pub fn run(self) -> Outcome {
        let Some(kind) = self.what else {
            say(&kinds());
            return Ok(());
        };
        let part = self.of.as_deref().unwrap_or_default();
        let mut all = all(kind)?;
        let names: Vec<String> = all.iter().map(|named| named.name.clone()).collect();
        all.retain(|named| named.name.contains(part) || named.owner == part);
        if all.is_empty() {
            let names = names.join(", ");
            return Err(Failure::input(format!("no name contains `{part}`: expected one of {names}")));
        }
        if self.names {
            let names: Vec<String> = all.iter().map(|named| format!("{}\n", named.name)).collect();
            say(&names.concat());
            return Ok(());
        }
        let lines = all.iter().map(|named| {
            let belongs = if named.owner.is_empty() { String::new() } else { format!("{}: ", named.owner) };
            entry(&named.name, &format!("{belongs}{}", named.about), narrow())
        });
        say(&lines.collect::<String>());
        Ok(())
    }
}

fn kinds() -> String {
    let kinds = Kind::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let line = |kind: clap::builder::PossibleValue| {
        let help = kind.get_help().map(ToString::to_string).unwrap_or_default();
        entry(&format!("list {}", kind.get_name()), &help, narrow())
    };
    kinds.map(line).collect()
}

fn all(kind: Kind) -> Result<Vec<Named>, Failure> {
    Ok(match kind {
        Kind::Suites => Suite::names().into_iter().map(suite).collect::<Result<_, _>>()?,
        Kind::Methods => ["none"].into_iter().chain(methods::names()).map(method).collect(),
        Kind::Presets => presets()
            .iter()
            .map(|preset| {
                Named::new(&format!("{}[{}]", preset.method, preset.name), &preset.method, &preset.about)
            })
            .collect(),
        Kind::Params => {
            let params_of = |game| {
                Setup::described(game).into_iter().map(move |(name, about)| Named::new(name, game, about))
            };
            games::names().into_iter().flat_map(params_of).collect()
        }
        Kind::Games => games::names().into_iter().map(game).collect::<Result<_, _>>()?,
        Kind::Subjects => Program::names().into_iter().map(subject).collect::<Result<_, _>>()?,
        Kind::Positions => {
            let set = |set: secateur_positions::builtin::Listing| {
                Named::new(
                    &set.name,
                    &set.game,
                    format!("{}; {}", set.description, plural(set.positions, "position")),
                )
            };
            secateur_positions::list()?.into_iter().map(set).collect()
        }
    })
}

fn suite(name: &str) -> Result<Named, Failure> {
    let suite = Suite::load(name)?;
    let block = |block: &Block| {
        let budgets: Vec<String> = block
            .budgets
            .iter()
            .map(|budget| secateur_reports::format::budget(budget.kind(), budget.amount()))
            .collect();
        format!("{} {}", block.game, budgets.join(", "))
    };
    let blocks: Vec<String> = suite.blocks.iter().map(block).collect();
    let description = suite.description.trim_end_matches('.');
    Ok(Named::new(name, "", format!("{description} ({})", blocks.join("; "))))
}

fn method(name: &str) -> Named {
    let forms: Vec<&str> = presets()
        .iter()
        .filter(|preset| preset.method == name && !preset.name.ends_with("-guard"))
        .map(|preset| preset.name.as_str())
        .collect();
    let about = about(name).unwrap_or("described where it was written");
    let forms = if forms.is_empty() { String::new() } else { format!("; forms: {}", forms.join(", ")) };
    Named::new(name, "", format!("{about}{forms}"))
}

fn game(name: &str) -> Result<Named, Failure> {
    let sets = secateur_positions::list()?.into_iter().filter(|set| set.game == name).count();
    let unit = games::traits(name).map_or_else(String::new, |traits| format!("values in {}s; ", traits.unit));
    Ok(Named::new(name, "", format!("{unit}{}", plural(sets, "position set"))))
}

fn subject(name: &str) -> Result<Named, Failure> {
    let program = Program::load(name)?;
    let place = match program.place() {
        Some(path) => format!("here: {}", path.display()),
        None => "not here".to_owned(),
    };
    Ok(Named::new(name, &program.game, format!("{} ({place})", program.about)))
}
