//! What a comparison is asked: kept as `comparison` in the manifest of each of its runs, so that it goes on as it began.

use crate::Error;
use crate::setups::arm::Arm;
use crate::setups::setup::Setup;
use crate::speed::defaults;
use secateur_record::archive::unpack;
use secateur_record::manifest::Manifest;
use secateur_record::speed::{Measure, Part};
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edax: Option<PathBuf>,
    /// How often every program searches every position, at least 1.
    pub rounds: u32,
    /// Positions of every measure, of one game: a built-in set or a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<String>,
    /// At most so many positions of each stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Depth of the searches to a depth, plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time in which moves are to be found, nanoseconds.
    pub time: u64,
    /// What this program plays with, instead of what it usually plays with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub methods: Option<String>,
    /// The parameters that it plays with, instead of those of its playing set, and of the usual ones where `methods` are given: a
    /// built-in variant or a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    #[must_use]
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
            let known = defaults::of(&game)?;
            // Said before anything is searched.
            let setup = Setup::chosen(&game, self.params.as_deref())?;
            if let Some(methods) = &self.methods {
                let arm = Arm::parse(methods)?;
                setup.equip(&arm).map_err(|source| Error::Method { game: game.clone(), source })?;
            }
            let wants = |wanted: &[Wanted]| {
                self.measures.is_empty() || wanted.iter().any(|one| self.measures.contains(one))
            };
            let has_solutions = known.solve.is_some() || self.positions.is_some();
            let all = [
                (Measure::FullWidth, known.full_width.is_some(), &[Wanted::Nodes, Wanted::FullWidth][..]),
                (Measure::Depth, known.depth.is_some(), &[Wanted::Depth]),
                (Measure::Judge, known.solve.is_some() && self.positions.is_none(), &[Wanted::Solve]),
                (Measure::Solve, has_solutions && known.solve.is_some(), &[Wanted::Solve]),
                (Measure::Endgame, known.endgame.is_some(), &[Wanted::Endgame]),
            ];
            let here = all.into_iter().filter(|(_, is_measured, wanted)| *is_measured && wants(wanted));
            parts.extend(here.map(|(measure, ..)| (measure, game.clone())));
        }
        if parts.is_empty() && !self.measures.contains(&Wanted::Instructions) {
            return Err(Error::Usage("no game has such a measure".to_owned()));
        }
        Ok(parts)
    }

    /// The games that are asked for; of positions of one game, that game.
    pub(crate) fn games(&self) -> Result<Vec<String>, Error> {
        let own = match &self.positions {
            Some(positions) => secateur_positions::builtin::game_of(positions)?,
            None => None,
        };
        match (own, self.games.as_slice()) {
            (Some(own), games) if games.is_empty() || *games == [own.clone()] => Ok(vec![own]),
            (Some(own), games) => Err(Error::Usage(format!(
                "--positions: found positions of {own}, expected {}",
                games.join(", ")
            ))),
            (None, []) => Ok(defaults::games()),
            (None, games) => {
                games.iter().try_for_each(|game| defaults::of(game).map(drop))?;
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
        match Part::folders(folder).is_ok() && Asked::of(folder)?.is_some_and(|begun| begun != *self) {
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
        Asked::of(folder)?.ok_or_else(|| Error::Usage(format!("{}: {what}", folder.display())))
    }

    /// The same; `None` of other runs.
    fn of(folder: &Path) -> Result<Option<Asked>, Error> {
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
