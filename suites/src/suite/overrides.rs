//! Changes that the command line makes to a suite.

use super::{Block, Suite};
use crate::allowance::Allowance;
use crate::error::Error;
use crate::oracle::Oracle;
use crate::program::ProgramArms;
use crate::sample::usual_set;
use crate::setups::arm::{Arm, BadArm};
use crate::setups::setup::Setup;
use crate::setups::{games, methods};
use secateur_base::Unknown;
use secateur_positions::{Kind, Reading, builtin};
use secateur_record::arm::split;
use std::path::Path;

/// What replaces the values of every block; absent means: as in the suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Only blocks of this game.
    pub game: Option<String>,
    /// These positions, all of them unless `limit` says otherwise, and only blocks of their game.
    pub positions: Option<String>,
    /// At most this many positions of each stage of each set.
    pub limit: Option<usize>,
    /// These method sets.
    pub methods: Option<Vec<Arm>>,
    /// This program in place of our own search, in blocks of its game.
    pub program: Option<ProgramArms>,
    /// Every arm with the method is replaced by one for each value.
    pub sweeps: Vec<Sweep>,
    /// One cut in so many is audited.
    pub audit: Option<u64>,
    /// What judges the moves of every block.
    pub oracle: Option<Oracle>,
    /// This budget.
    pub budget: Option<Allowance>,
    /// Position files are read so.
    pub reading: Option<Reading>,
    /// This parameter file or built-in variant, for the one game that is left.
    pub params: Option<String>,
}

/// A parameter of a method that takes several values, or a method that takes several forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// Index of the method.
    method: usize,
    /// The changes, each as in brackets: `t=1.2`, `verified`.
    changes: Vec<String>,
}

impl Sweep {
    /// Reads `probcut.t=1.0,1.2,1.5` or `null-move=fixed,heinz,verified`.
    ///
    /// # Errors
    /// What is wrong and what was expected.
    pub fn parse(text: &str) -> Result<Sweep, Error> {
        let wrong = || {
            let message =
                format!("--sweep {text}: expected METHOD.PARAMETER=VALUE,VALUE or METHOD=PRESET,PRESET");
            Error::Usage(message)
        };
        let (what, values) = text.split_once('=').ok_or_else(wrong)?;
        let (method, parameter) = what.split_once('.').map_or((what, None), |(m, p)| (m, Some(p)));
        let index =
            methods::index(method).ok_or_else(|| Unknown::new("method", method, &methods::names()))?;
        let values = split(values, ',').into_iter().map(str::trim).filter(|value| !value.is_empty());
        let changes: Vec<String> = values
            .map(|value| parameter.map_or(value.to_owned(), |name| format!("{name}={value}")))
            .collect();
        if changes.is_empty() { Err(wrong()) } else { Ok(Sweep { method: index, changes }) }
    }

    /// The arms with each that has the method replaced by its variants.
    fn spread(&self, arms: &[Arm]) -> Result<Vec<Arm>, BadArm> {
        let mut spread = Vec::new();
        for arm in arms {
            if arm.set.contains(self.method) {
                for change in &self.changes {
                    spread.push(arm.changed(self.method, change)?);
                }
            } else {
                spread.push(arm.clone());
            }
        }
        Ok(spread)
    }
}

impl Suite {
    /// The suite with these changes. One that searches something else than its file says is named `custom`.
    ///
    /// # Errors
    /// An unknown game or set, positions of another game, or a suite that has nothing for the game.
    pub fn overridden(mut self, changes: &Overrides) -> Result<Suite, Error> {
        if let Some(game) = changes.game.as_deref() {
            games::find(game)?;
        }
        let of_positions = changes.positions.as_deref().map(builtin::game_of).transpose()?.flatten();
        if let Some(lined) = &changes.program {
            let (program_game, name) = (&lined.program.game, &lined.program.name);
            let wanted = changes.game.as_ref().or(of_positions.as_ref());
            if let Some(game) = wanted.filter(|game| *game != program_game) {
                return Err(Error::Usage(format!(
                    "--subject {name}: found a subject of {program_game}, expected {game}"
                )));
            }
            self.description = format!("The methods of a program: {}", lined.program.about);
        }
        let of_positions = of_positions.or(changes.program.as_ref().map(|lined| lined.program.game.clone()));
        if let (Some(game), Some(whose), Some(name)) = (&changes.game, &of_positions, &changes.positions)
            && game != whose
        {
            return Err(Error::Usage(format!("{name}: found a set of {whose} positions, expected {game}")));
        }
        if let Some(game) = of_positions.as_ref().or(changes.game.as_ref()) {
            self.narrow(game, changes)?;
        }
        self.blocks.iter_mut().try_for_each(|block| change(block, changes))?;
        if let Some(params) = &changes.params {
            let game = self.blocks[0].game.clone();
            if self.blocks.iter().any(|block| block.game != game) {
                let params_of = |game: &str| {
                    let names: Vec<&str> = Setup::described(game).iter().map(|(name, _)| *name).collect();
                    format!("{} ({game})", names.join(", "))
                };
                let offered: Vec<String> = games::names().into_iter().map(params_of).collect();
                let message = format!(
                    "--params {params}: parameters belong to one game; say which with --game; there are {}",
                    offered.join(", ")
                );
                return Err(Error::Usage(message));
            }
            self.params.insert(game, absolute_unless(params, !Setup::is_path(params))?);
        }
        self.reading = changes.reading.unwrap_or(self.reading);
        if let Some(every) = changes.audit {
            self.audit = every;
        }
        if changes.positions.is_some()
            || changes.methods.is_some()
            || changes.program.is_some()
            || !changes.sweeps.is_empty()
            || changes.budget.is_some()
            || changes.params.is_some()
        {
            self.name = "custom".to_owned();
        }
        Ok(self)
    }

    /// Keeps the blocks of a game. One that the suite has nothing for is searched all the same if positions are named, or if the
    /// suite is the one that is searched by default: then on a few of its positions, and not deep unless a budget is given.
    fn narrow(&mut self, game: &str, changes: &Overrides) -> Result<(), Error> {
        let mut games: Vec<String> = self.blocks.iter().map(|block| block.game.clone()).collect();
        self.blocks.retain(|block| block.game == *game);
        if !self.blocks.is_empty() {
            return Ok(());
        }
        let mut block = block_of(game, changes.budget.unwrap_or(USUAL_BUDGET))?;
        if changes.positions.is_none() {
            let usual = if self.name == USUAL { usual_set(&games::find(game)?) } else { None };
            let Some(set) = usual else {
                games.dedup();
                return Err(Error::Usage(format!(
                    "suite `{}` has nothing for {game}, only for {}; name --positions",
                    self.name,
                    games.join(", ")
                )));
            };
            (block.positions, block.limit) = (vec![set], Some(USUAL_LIMIT));
        }
        self.name = "custom".to_owned();
        self.blocks.push(block);
        Ok(())
    }
}

/// The suite that is searched where none is named.
const USUAL: &str = "quick";
/// Budget of a game that a suite has nothing for, and positions of each of its stages.
const USUAL_BUDGET: Allowance = Allowance::Depth(5);
const USUAL_LIMIT: usize = 8;

/// A block of a game that no suite has: every method that can be set up for it, each alone.
fn block_of(game: &str, budget: Allowance) -> Result<Block, Error> {
    let setup = Setup::embedded(game)?;
    let names = methods::names();
    let arms = names.iter().map(|name| Arm::parse(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(Block {
        game: game.to_owned(),
        methods: arms.into_iter().filter(|arm| setup.equip(arm).is_ok()).collect(),
        budgets: vec![budget],
        // It is not known yet which of them have something to do.
        expect_silent: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Block::default()
    })
}

/// The changes that concern a block.
fn change(block: &mut Block, changes: &Overrides) -> Result<(), Error> {
    if let Some(positions) = &changes.positions {
        block.positions = vec![findable(positions)?];
        block.limit = None;
    }
    block.limit = changes.limit.or(block.limit);
    if let Some(methods) = &changes.methods {
        block.methods.clone_from(methods);
        block.baseline = None;
    }
    if let Some(lined) = &changes.program {
        block.program = Some(lined.clone());
        block.baseline = None;
        (block.methods, block.expect_silent, block.instructions) = (Vec::new(), Vec::new(), false);
    }
    for sweep in &changes.sweeps {
        let before = block.methods.len();
        block.methods = sweep.spread(&block.methods)?;
        let has = block.methods.iter().any(|arm| arm.set.contains(sweep.method));
        if before == block.methods.len() && !has {
            let name = methods::name(sweep.method);
            return Err(Error::Usage(format!("--sweep: no method set of {} has {name}", block.game)));
        }
    }
    if let Some(budget) = changes.budget {
        block.budgets = vec![budget];
        // The suite counts where it knows that callgrind, slow as it is, comes to an end.
        block.instructions = false;
    }
    block.oracle = changes.oracle.clone().or_else(|| block.oracle.take());
    Ok(())
}

impl Suite {
    /// The same suite with the paths of its files made absolute: its run keeps it, and is gone on with, and has its instructions counted,
    /// from other folders than that of the suite.
    pub(super) fn lasting(mut self) -> Result<Suite, Error> {
        for name in self.blocks.iter_mut().flat_map(|block| &mut block.positions) {
            *name = findable(name)?;
        }
        for params in self.params.values_mut() {
            *params = absolute_unless(params, !Setup::is_path(params))?;
        }
        Ok(self)
    }
}

/// A set's name as it is, a file's path made absolute, so that a resumed run finds it from any folder.
fn findable(name_or_path: &str) -> Result<String, Error> {
    let path = Path::new(name_or_path);
    absolute_unless(name_or_path, Kind::of(path).is_err())
}

fn absolute_unless(name_or_path: &str, is_name: bool) -> Result<String, Error> {
    if is_name {
        return Ok(name_or_path.to_owned());
    }
    let path = Path::new(name_or_path);
    let path = std::path::absolute(path).map_err(Error::io(path))?;
    Ok(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick(changes: &Overrides) -> Result<Suite, Error> {
        Suite::load("quick").unwrap().overridden(changes)
    }

    #[test]
    fn nothing_changes_nothing() {
        assert_eq!(quick(&Overrides::default()).unwrap(), Suite::load("quick").unwrap());
    }

    #[test]
    fn a_sweep_spreads_the_arms_that_have_the_method() {
        let sweep = |text: &str| Sweep::parse(text).unwrap();
        let methods = Some(["null-move+mpc", "futility"].map(|text| Arm::parse(text).unwrap()).to_vec());
        let sweeps = vec![sweep("mpc.t=1.0,93.3%"), sweep("null-move=fixed,verified")];
        let suite = quick(&Overrides { methods, sweeps, ..Overrides::default() }).unwrap();
        let names: Vec<String> = suite.blocks[0].methods.iter().map(ToString::to_string).collect();
        let expected = [
            "null-move[fixed]+mpc[t=1.0]",
            "null-move[verified]+mpc[t=1.0]",
            "null-move[fixed]+mpc[t=93.3%]",
            "null-move[verified]+mpc[t=93.3%]",
            "futility",
        ];
        assert_eq!(names, expected);
        assert_eq!(suite.name, "custom");
        let pairs = sweep("mpc.pairs=[[1,3],[2,4]],[[1,3]]");
        assert_eq!(pairs.changes, ["pairs=[[1,3],[2,4]]", "pairs=[[1,3]]"]);
        for wrong in ["mpc", "mcp.t=1", "mpc.t=", "mpc.t=,"] {
            assert!(Sweep::parse(wrong).is_err(), "{wrong}");
        }
        let absent = Overrides {
            methods: Some(vec![Arm::default()]),
            sweeps: vec![sweep("mpc.t=1")],
            ..Overrides::default()
        };
        assert!(quick(&absent).unwrap_err().to_string().contains("has mpc"));
    }

    #[test]
    fn positions_choose_the_game() {
        let changes = Overrides { positions: Some("bratko-kopec".to_owned()), ..Overrides::default() };
        let suite = quick(&changes).unwrap();
        assert_eq!(suite.name, "custom");
        assert!(suite.blocks.iter().all(|block| block.game == "chess" && block.limit.is_none()));
        let changes = Overrides { game: Some("othello".to_owned()), ..changes };
        assert!(quick(&changes).unwrap_err().to_string().contains("expected othello"));
        let changes = Overrides { game: Some("go".to_owned()), ..Overrides::default() };
        assert!(quick(&changes).unwrap_err().to_string().contains("othello, chess"));
        let changes = Overrides { game: Some("chess".to_owned()), ..Overrides::default() };
        let error = Suite::load("table2").unwrap().overridden(&changes).unwrap_err();
        assert!(error.to_string().contains("only for othello"));
    }

    #[test]
    fn budget_and_methods_are_replaced() {
        let changes = Overrides {
            budget: Some(Allowance::Depth(3)),
            methods: Some(vec![Arm::default()]),
            limit: Some(2),
            oracle: Some("+1".parse().unwrap()),
            ..Overrides::default()
        };
        for block in quick(&changes).unwrap().blocks {
            assert_eq!(block.budgets, [Allowance::Depth(3)]);
            assert!(!block.instructions, "another budget is counted if that is asked for");
            assert_eq!(block.methods, [Arm::default()]);
            assert_eq!((block.limit, block.oracle.clone()), (Some(2), Some("+1".parse().unwrap())));
        }
    }
}
