//! What a comparison is asked, kept as `comparison` in the manifest of each of its runs, so that it resumes as it began; what is measured
//! in a game by default, and with which programs it is compared (`data/speed/games.toml`).

use crate::Error;
use crate::program::Program;
use crate::setups::arm::Arm;
use crate::setups::setup::Setup;
use crate::subject::Isolation;
use secateur_base::Unknown;
use secateur_engines::find;
use secateur_record::archive::unpack;
use secateur_record::error::listed;
use secateur_record::manifest::Manifest;
use secateur_record::speed::{Measure, Missing, Part};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A measure as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Nodes a second, of the searches at full width.
    Nodes,
    /// Time to a depth at full width.
    FullWidth,
    /// Time to a depth with everything on.
    Depth,
    /// Time until the right move stays.
    Solve,
    /// Time to the exact value of endgames.
    Endgame,
    /// Instructions to a depth at full width, in no part but in runs of their own: exact on a busy computer too.
    Instructions,
}

impl Wanted {
    /// All measures, each with the word that asks for it and what it is.
    pub const ALL: [(&'static str, &'static str, Wanted); 6] = [
        ("nodes", "Nodes a second at full width", Wanted::Nodes),
        ("full-width", "Time to a depth at full width", Wanted::FullWidth),
        ("depth", "Time to a depth with everything on", Wanted::Depth),
        ("solve", "Time until the right move stays", Wanted::Solve),
        ("endgame", "Time to the exact value of endgames", Wanted::Endgame),
        (
            "instructions",
            "Instructions to the full-width depth by callgrind, and nothing by the clock",
            Wanted::Instructions,
        ),
    ];
}

/// A comparison as it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Asked {
    /// What is measured; everything if there is nothing.
    pub measures: Vec<Wanted>,
    /// The games; all if there is none.
    pub games: Vec<String>,
    /// Names or subject files of the peers; all that are known if there is none.
    pub peers: Vec<String>,
    /// The binary of Edax.
    pub edax: Option<PathBuf>,
    /// How often every program searches every position, at least 1.
    pub rounds: u32,
    /// Positions of every measure, of one game: a built-in set or a file.
    pub positions: Option<String>,
    /// At most so many positions of each stage.
    pub limit: Option<usize>,
    /// Depth of the searches to a depth, plies.
    pub depth: Option<u32>,
    /// Time in which moves are to be found, nanoseconds.
    pub time: u64,
    /// What this program plays with, instead of what it usually plays with.
    pub methods: Option<String>,
    /// The parameters that it plays with, instead of those of its playing set, and of the usual ones where `methods` are given: a
    /// built-in variant or a file.
    pub params: Option<String>,
    /// Transposition table of every program, MiB.
    pub hash_mib: u32,
    /// Whether instructions to a full-width depth are counted too.
    pub instructions: bool,
    /// Whether only as much is searched as shows that everything works.
    pub smoke: bool,
}

impl Asked {
    /// Whether instructions are counted: next to other measures, or as one by itself.
    pub fn is_counted(&self) -> bool {
        self.instructions || self.measures.contains(&Wanted::Instructions)
    }

    /// The parts that are asked for, as measure and game, in the order in which they are to be searched; none where only
    /// instructions are.
    ///
    /// # Errors
    /// A game of which nothing is measured, or nothing that is; methods or parameters that are not there.
    pub fn parts(&self) -> Result<Vec<(Measure, String)>, Error> {
        let mut parts = Vec::new();
        for game in self.games()? {
            let usual = defaults_of(&game)?;
            // Said before anything is searched.
            let setup = Setup::chosen(&game, self.params.as_deref())?;
            if let Some(methods) = &self.methods {
                let arm = Arm::parse(methods)?;
                setup.equip(&arm).map_err(|source| Error::Method { game: game.clone(), source })?;
            }
            let wants = |wanted: &[Wanted]| {
                self.measures.is_empty() || wanted.iter().any(|one| self.measures.contains(one))
            };
            let has_solutions = usual.solve.is_some() || self.positions.is_some();
            let all = [
                (Measure::FullWidth, usual.full_width.is_some(), &[Wanted::Nodes, Wanted::FullWidth][..]),
                (Measure::Depth, usual.depth.is_some(), &[Wanted::Depth]),
                (Measure::Judge, usual.solve.is_some() && self.positions.is_none(), &[Wanted::Solve]),
                (Measure::Solve, has_solutions && usual.solve.is_some(), &[Wanted::Solve]),
                (Measure::Endgame, usual.endgame.is_some(), &[Wanted::Endgame]),
            ];
            let measured = all.into_iter().filter(|(_, is_measured, wanted)| *is_measured && wants(wanted));
            parts.extend(measured.map(|(measure, ..)| (measure, game.clone())));
        }
        if parts.is_empty() && !self.measures.contains(&Wanted::Instructions) {
            return Err(Error::Usage("no game has such a measure".to_owned()));
        }
        Ok(parts)
    }

    /// The games that are asked for; of positions of one game, that game.
    pub(crate) fn games(&self) -> Result<Vec<String>, Error> {
        let of_positions = match &self.positions {
            Some(positions) => secateur_positions::builtin::game_of(positions)?,
            None => None,
        };
        match (of_positions, self.games.as_slice()) {
            (Some(game), games) if games.is_empty() || *games == [game.clone()] => Ok(vec![game]),
            (Some(game), games) => Err(Error::Usage(format!(
                "--positions: found positions of {game}, expected {}",
                games.join(", ")
            ))),
            (None, []) => Ok(games()),
            (None, games) => {
                games.iter().try_for_each(|game| defaults_of(game).map(drop))?;
                Ok(games.to_vec())
            }
        }
    }

    /// The same for the manifest of a run.
    pub(crate) fn table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("what is asked has a TOML form")
    }

    /// Makes the folder of a comparison ready to be searched in, which holds nothing yet or began with this.
    ///
    /// # Errors
    /// The file system; a folder of a comparison with other settings.
    pub fn opens(&self, folder: &Path) -> Result<(), Error> {
        unpack(folder)?;
        match Part::folders(folder).is_ok() && Asked::begun_in(folder)?.is_some_and(|begun| begun != *self) {
            false => Ok(()),
            true => Err(Error::Usage(format!(
                "{}: contains a comparison with other settings; resume it with --resume, or choose another folder",
                folder.display()
            ))),
        }
    }

    /// What was asked in this folder.
    ///
    /// # Errors
    /// A folder that is none of a comparison, or a manifest that is not as it was written.
    pub fn read(folder: &Path) -> Result<Asked, Error> {
        let what = "found runs of no comparison, expected those of `speed`";
        Asked::begun_in(folder)?.ok_or_else(|| Error::Usage(format!("{}: {what}", folder.display())))
    }

    /// The same; `None` of other runs.
    fn begun_in(folder: &Path) -> Result<Option<Asked>, Error> {
        for run in Part::folders(folder)? {
            let run = folder.join(run);
            if let Some(comparison) = Manifest::read(&run)?.comparison {
                let wrong = |error: toml::de::Error| {
                    Error::Usage(format!("{}: comparison: {}", run.display(), error.message()))
                };
                return comparison.try_into().map(Some).map_err(wrong);
            }
        }
        Ok(None)
    }
}

/// The file.
const TEXT: &str = include_str!("../../data/speed/games.toml");

/// One game.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Defaults {
    /// Its name.
    pub(crate) name: String,
    /// The programs that it is compared with, the strongest first.
    pub(crate) subjects: Vec<String>,
    /// Variant of the parameters that this program plays with; empty for the usual.
    pub(crate) params: String,
    /// The methods that it plays with.
    pub(crate) methods: String,
    pub(crate) full_width: Option<ToDepth>,
    pub(crate) depth: Option<ToDepth>,
    pub(crate) solve: Option<Solve>,
    pub(crate) endgame: Option<Endgame>,
}

/// Positions to be searched to a depth.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToDepth {
    /// A built-in set.
    pub(crate) positions: String,
    /// At most so many of each stage.
    pub(crate) limit: usize,
    /// Plies.
    pub(crate) depth: u32,
    /// Plies of a smoke test.
    pub(crate) smoke: u32,
}

/// Positions with a right move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    /// A built-in set with published solutions.
    pub(crate) positions: String,
    /// One of which a judge says the right moves.
    pub(crate) judged: String,
    /// At most so many of each stage of that.
    pub(crate) limit: usize,
    /// Nodes of the judge.
    pub(crate) nodes: u64,
    /// Nodes of the judge in a smoke test.
    pub(crate) smoke: u64,
}

/// Positions to be searched to the end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Endgame {
    /// A built-in set.
    pub(crate) positions: String,
    /// Number of the first, from 1.
    pub(crate) first: usize,
    /// Number of the last.
    pub(crate) last: usize,
    /// First and last of a smoke test.
    pub(crate) smoke: [usize; 2],
}

/// All games of which something is measured.
fn all() -> Vec<Defaults> {
    listed(TEXT, "game")
}

/// The names of all games.
pub(crate) fn games() -> Vec<String> {
    all().into_iter().map(|game| game.name).collect()
}

/// What is measured in the game of this name.
///
/// # Errors
/// A game of which nothing is.
pub(crate) fn defaults_of(name: &str) -> Result<Defaults, Error> {
    let all = all();
    let names: Vec<&str> = all.iter().map(|game| &*game.name).collect();
    let unknown = Unknown::new("game to compare", name, &names);
    Ok(all.into_iter().find(|game| game.name == name).ok_or(unknown)?)
}

/// The program that `--edax` names.
const EDAX: &str = "edax";

/// The programs of a game that are asked for, and those that cannot be had.
///
/// # Errors
/// A name that is none.
pub(crate) fn peers_of(asked: &Asked, game: &str) -> Result<(Vec<Program>, Vec<Missing>), Error> {
    let wanted = if asked.peers.is_empty() { defaults_of(game)?.subjects } else { asked.peers.clone() };
    let (mut programs, mut missing) = (Vec::new(), Vec::new());
    for name in &wanted {
        let program = Program::load(name)?;
        if program.game != game || programs.iter().any(|one: &Program| one.name == program.name) {
            continue;
        }
        let name = program.name.clone();
        match here(program, asked) {
            Ok(program) => programs.push(program),
            Err(why) => missing.push(Missing { name, why }),
        }
    }
    Ok((programs, missing))
}

/// The same program, none of whose searches knows what another one left in its caches: our own are emptied before each.
pub(crate) fn cold(peer: &Program) -> Program {
    let isolation = if peer.isolation.prepares() { Isolation::Cold } else { peer.isolation };
    Program { isolation, ..peer.clone() }
}

/// The program at the binary that is asked for, or installed, built if need be, with what lies next to it; why it is not here.
fn here(program: Program, asked: &Asked) -> Result<Program, String> {
    let program = match asked.edax.as_ref().filter(|_| program.source == EDAX) {
        Some(path) => program.at(path),
        None => program.installed().map_err(|error| error.to_string())?,
    };
    match find(&program.command) {
        Ok(_) => Ok(program),
        Err(error) => Err(format!("{error}; to get it: {}", program.get)),
    }
}
