//! One block of an experiment, and how it enters a plan.
//!
//! Positions, arms and budgets are crossed here and nowhere else. Blocks that ask for the same position with the same budget
//! share its unit, and an arm that two blocks have is searched once.

use crate::allowance::Allowance;
use crate::error::Error;
use crate::matrix::{ArmPlan, GamePlan, Judged, Plan, Unit};
use crate::oracle::{Oracle, ProgramJudge, Who};
use crate::program::{Program, ProgramArms, left_out};
use crate::setups::arm::Arm;
use crate::setups::methods::index;
use crate::suite::{Block, Suite, factorial};
use secateur_record::manifest::ProgramEntry;

/// An arm that is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// A method set of our own search as it is written.
    Methods(String),
    /// The same, read already, under another name if there is one.
    Host(Arm, Option<String>),
    /// Every combination of these.
    Factorial(String),
    /// A program with its switches.
    Program(Box<ProgramArms>),
    /// Anybody else.
    Other(ArmPlan),
}

/// Positions of one game x arms x budgets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossed {
    /// Game, positions, budgets and the rest, but for the arms.
    pub(crate) block: Block,
    /// The baseline first; `none` of our own search where there is nothing.
    pub(crate) arms: Vec<Wanted>,
    /// Whether all arms are repeated, and not the baseline alone.
    pub(crate) all: bool,
    /// The first that was asked for and cannot be.
    pub(crate) wrong: Option<String>,
}

impl Crossed {
    /// A block of this game with nothing in it.
    pub(crate) fn of(game: &str) -> Crossed {
        Crossed { block: Block { game: game.to_owned(), ..Block::default() }, ..Crossed::default() }
    }

    /// What was asked for, if it can be; else it is what is wrong with the block, unless something was before.
    pub(super) fn kept<T>(&mut self, asked: Result<T, String>) -> Option<T> {
        asked.map_err(|wrong| self.wrong = self.wrong.take().or(Some(wrong))).ok()
    }

    /// Adds everything that the block asks for.
    pub(super) fn add(&self, plan: &mut Plan, table_mib: Option<usize>) -> Result<(), Error> {
        let Block { positions, limit, reserved, budgets, repeats, oracle, instructions, .. } = &self.block;
        let usage = |message: &str| Err(Error::Usage(message.to_owned()));
        if positions.is_empty() {
            return usage("an experiment without positions");
        }
        if let Some(wrong) = &self.wrong {
            return usage(wrong);
        }
        if budgets.is_empty() {
            return usage("an experiment without a budget: expected a depth, nodes or a time");
        }
        let judged: Vec<Option<Allowance>> = budgets
            .iter()
            .map(|allowance| oracle.as_ref().map(|oracle| oracle.allowance(*allowance)).transpose())
            .collect::<Result<_, _>>()?;
        let game = plan.game(&self.block.game, table_mib)?;
        let arms = self.arms(plan, game, budgets)?;
        let judge = oracle.as_ref().map(|oracle| self.judge(plan, game, oracle, &judged)).transpose()?;
        let of_game = &mut plan.games[game];
        of_game.silent.extend(self.block.expect_silent.iter().filter_map(|name| index(name)));
        let is_ours = arms.iter().any(|&arm| of_game.arms[arm].host_arm().is_some());
        let reading = plan.suite.reading;
        for entry in of_game.add_positions(positions, *limit, reading, (is_ours, *reserved))? {
            for (&allowance, judged) in budgets.iter().zip(&judged) {
                let oracle = judge.zip(*judged).map(|(judge, allowance)| Judged { judge, allowance });
                let (repeats, all, instructions) = (*repeats, self.all, *instructions);
                let unit = Unit::new(game, entry, allowance, arms.clone());
                plan.add_unit(Unit { repeats, all, oracle, instructions, ..unit })?;
            }
        }
        Ok(())
    }

    /// Index of the judge that an oracle is, which is made ready if it is new.
    fn judge(
        &self,
        plan: &mut Plan,
        game: usize,
        oracle: &Oracle,
        budgets: &[Option<Allowance>],
    ) -> Result<usize, Error> {
        let shown_only = plan.manner.shown_only;
        let of_game = &mut plan.games[game];
        let name = oracle.to_string();
        let is_same_judge = |judge: &Option<Box<ProgramJudge>>| match judge {
            None => oracle.who == Who::Own,
            Some(judge) => judge.entry.oracle == name,
        };
        if let Some(index) = of_game.judges.iter().position(is_same_judge) {
            return Ok(index);
        }
        let asked = match &oracle.who {
            Who::Own => None,
            Who::Full => Some((self.own_program(oracle)?, "full")),
            Who::Subject { subject, arm } => Some((Program::load(subject)?, arm.as_str())),
        };
        let judge = match asked {
            None => None,
            Some((program, arm)) if shown_only => {
                // Who would judge is not asked: one place stands for everybody.
                program.arm(arm)?;
                of_game.judges.clear();
                None
            }
            Some((program, _)) if program.game != of_game.name => {
                let (game, expected) = (&program.game, &of_game.name);
                return Err(Error::Usage(format!(
                    "oracle {name}: found a subject of {game}, expected {expected}"
                )));
            }
            Some((program, arm)) => {
                let budgets: Vec<Allowance> = budgets.iter().flatten().copied().collect();
                Some(Box::new(program.judge(&name, arm, &budgets)?))
            }
        };
        of_game.judges.push(judge);
        Ok(of_game.judges.len() - 1)
    }

    /// The program whose arms these are.
    fn own_program(&self, oracle: &Oracle) -> Result<Program, Error> {
        let program = self.arms.iter().find_map(|wanted| match wanted {
            Wanted::Program(lined) => Some(lined.program.clone()),
            _ => None,
        });
        program.ok_or_else(|| {
            Error::Usage(format!(
                "oracle {oracle}: found no subject whose `full` could judge, expected one, or our own search (`+2`, `12`)"
            ))
        })
    }

    /// The arms in order, as indices of those of the game, each made ready.
    fn arms(&self, plan: &mut Plan, game: usize, budgets: &[Allowance]) -> Result<Vec<usize>, Error> {
        let audited = plan.suite.audit > 0;
        let shown_only = plan.manner.shown_only;
        let of_game = &mut plan.games[game];
        let level = budgets.iter().find(|budget| matches!(budget, Allowance::Level(_)));
        let mut indices = Vec::new();
        let none = [Wanted::Host(Arm::default(), None)];
        for wanted in if self.arms.is_empty() { &none } else { self.arms.as_slice() } {
            let (made, program) = wanted.made(of_game, budgets, (audited, shown_only))?;
            if of_game.program.as_ref().map(|before| &before.name) != program.as_ref().map(|new| &new.name)
                && !of_game.arms.is_empty()
            {
                let message = "expected the arms of one program, or of none, for each game";
                return Err(Error::Usage(format!("{}: found arms of two programs, {message}", of_game.name)));
            }
            let notes: Vec<String> = program.iter().flat_map(switches_noted).collect();
            let new = notes.into_iter().filter(|note| !of_game.notes.contains(note)).collect::<Vec<_>>();
            of_game.notes.extend(new);
            of_game.program = program;
            for arm in made {
                if let (Some(level), Some(_)) = (level, arm.host_arm()) {
                    let name = &arm.name;
                    return Err(Error::Usage(format!(
                        "{name}: found the budget {level}, expected depth, nodes or time: our own search has no levels"
                    )));
                }
                let index = of_game.add_arm(arm)?;
                if indices.contains(&index) {
                    let name = &of_game.arms[index].name;
                    return Err(Error::Usage(format!("two arms are `{name}`: expected each arm once")));
                }
                indices.push(index);
            }
        }
        Ok(indices)
    }
}

impl Wanted {
    /// The arms that this is, and the program that they are of if it has switches.
    fn made(
        &self,
        game: &GamePlan,
        budgets: &[Allowance],
        (audited, shown_only): (bool, bool),
    ) -> Result<(Vec<ArmPlan>, Option<ProgramEntry>), Error> {
        let setup = &game.setup;
        let host_arm = |arm: &Arm| {
            ArmPlan::host(setup, arm, audited)
                .map_err(|source| Error::Method { game: setup.game.clone(), source })
        };
        let arms = match self {
            Wanted::Methods(text) => vec![host_arm(&Arm::parse(text)?)?],
            Wanted::Host(arm, None) => vec![host_arm(arm)?],
            Wanted::Host(arm, Some(name)) => vec![ArmPlan { name: name.clone(), ..host_arm(arm)? }],
            Wanted::Factorial(list) => factorial(list)?.iter().map(host_arm).collect::<Result<_, _>>()?,
            Wanted::Program(lined) => {
                let made = if shown_only { lined.unstarted() } else { lined.ready(budgets) };
                return made.map(|(arms, program)| (arms, Some(program)));
            }
            Wanted::Other(arm) => vec![arm.clone()],
        };
        Ok((arms, None))
    }
}

/// What to know of a program's switches, in sentences.
fn switches_noted(program: &ProgramEntry) -> Vec<String> {
    let off = program.already_off.iter().map(|method| {
        format!("`{method}` is already off in {}: its switch is what holds anyway", program.name)
    });
    let yielded = program.yielded.iter().map(|notice| format!("{}: {notice}", program.name));
    off.chain(yielded).chain(left_out(&program.left_out)).collect()
}

impl From<&Block> for Crossed {
    fn from(block: &Block) -> Crossed {
        let arms = match &block.program {
            Some(lined) => vec![Wanted::Program(Box::new(lined.clone()))],
            None => hosted(block.baseline.clone().unwrap_or_default(), &block.methods),
        };
        Crossed { arms, block: block.clone(), ..Crossed::default() }
    }
}

/// Method sets of our own search, each once, behind the baseline.
fn hosted(baseline: Arm, methods: &[Arm]) -> Vec<Wanted> {
    let mut arms = vec![baseline];
    for arm in methods {
        if !arms.contains(arm) {
            arms.push(arm.clone());
        }
    }
    arms.into_iter().map(|arm| Wanted::Host(arm, None)).collect()
}

/// What a manifest keeps of an experiment that no file describes.
pub(super) fn summary(suite: &Suite, blocks: &[Crossed]) -> toml::Table {
    let block = |Crossed { block, .. }: &Crossed| {
        let game = ("game".to_owned(), block.game.clone().into());
        let positions = ("positions".to_owned(), block.positions.clone().into());
        let oracle = block.oracle.as_ref().map(|oracle| ("oracle".to_owned(), oracle.to_string().into()));
        toml::Value::Table([game, positions].into_iter().chain(oracle).collect())
    };
    let name = ("name".to_owned(), suite.name.clone().into());
    let audit = (suite.audit > 0).then(|| ("audit".to_owned(), (suite.audit as i64).into()));
    let written = ("block".to_owned(), blocks.iter().map(block).collect::<Vec<_>>().into());
    [name, written].into_iter().chain(audit).collect()
}
