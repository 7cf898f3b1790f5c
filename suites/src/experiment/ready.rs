//! The arms of a program made ready for a plan: each is started once, so that a run cannot begin on something that is not there.
//!
//! A look at every switch of a program says whether it switches anything at a handful of positions.

use super::Experiment;
use crate::allowance::Allowance;
use crate::error::Error;
use crate::instruments::machine::hash_of_file;
use crate::matrix::{ArmPlan, Plan, Source};
use crate::oracle::ProgramJudge;
use crate::program::{Factor, Off, Others, Program, ProgramArm, ProgramArms, Switching};
use crate::setups::games;
use crate::subject::{EngineSubject, manners_within};
use crate::suite::{Overrides, Suite};
use secateur_core::Evaluation;
use secateur_engines::{
    Ask, Engine, EngineError, Go, Notation, Outcome, Probe, Spec, Trial, Yielded, manners,
};
use secateur_record::arm::{SameTrees, same_trees_of};
use secateur_record::manifest::{JudgeEntry, Manifest, ProgramEntry};
use secateur_record::store::RunRows;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What the searches of a trial may take together.
const TRIED: Duration = Duration::from_secs(50);

impl ProgramArms {
    /// The arms, each started once, so that a run cannot begin on something that does not exist, and the program as records
    /// name it. Budgets other than a depth are tried once, so that one that the program ignores does not cost the whole patience at every position.
    ///
    /// # Errors
    /// A program or an option that does not exist, or a program that does not answer.
    pub(crate) fn ready(&self, budgets: &[Allowance]) -> Result<(Vec<ArmPlan>, ProgramEntry), Error> {
        let program = self.program.clone().installed()?;
        if let Some(first) = self.arms.first() {
            program.keeps_to(first, budgets)?;
        }
        let ready = self.arms.iter().map(|arm| program.ready(arm)).collect::<Result<Vec<_>, _>>()?;
        let (arms, entries): (Vec<ArmPlan>, Vec<ProgramEntry>) = ready.into_iter().unzip();
        let left_out = self.left_out().into_iter().collect();
        Ok((arms, ProgramEntry { left_out, ..entries.into_iter().next().unwrap_or_default() }))
    }

    /// The arms as their file has them, of a program that is neither looked for nor started: to be shown, not to be run.
    ///
    /// # Errors
    /// Factors that cannot be off at once.
    pub(crate) fn unstarted(&self) -> Result<(Vec<ArmPlan>, ProgramEntry), Error> {
        let program = &self.program;
        let arm = |arm: &Switching| {
            let spec = program.spec(arm)?;
            let params = program.identity(&spec, "");
            Ok(ArmPlan {
                name: arm.name.clone(),
                params,
                source: Source::Program(Box::new(program.arm_of(spec)?)),
                made: BTreeMap::new(),
            })
        };
        let arms = self.arms.iter().map(arm).collect::<Result<_, Error>>()?;
        let left_out = self.left_out().into_iter().collect();
        Ok((arms, ProgramEntry { name: program.name.clone(), left_out, ..ProgramEntry::default() }))
    }

    /// Tries the first arm with a limit that is asked for outside of a plan: that of games.
    ///
    /// # Errors
    /// A program that does not start, or a limit that it ignores.
    pub fn keeps_to(&self, go: Go) -> Result<(), Error> {
        let program = self.program.clone().installed()?;
        self.arms.first().map_or(Ok(()), |arm| program.keeps_to_limit(&program.spec(arm)?, go))
    }
}

impl Program {
    /// Tries what it makes of the kinds of budget that it will be asked, the smallest of each kind.
    ///
    /// # Errors
    /// As [`Program::keeps_to_limit`].
    pub(crate) fn keeps_to(&self, arm: &Switching, budgets: &[Allowance]) -> Result<(), Error> {
        let mut smallest = budgets.to_vec();
        smallest.sort_unstable();
        smallest.dedup_by_key(|budget| budget.kind());
        for budget in smallest {
            let (mut spec, go) = (self.spec(arm)?, budget.go());
            if let Allowance::Level(level) = budget {
                spec.args.extend(self.level_args(level)?);
            }
            self.keeps_to_limit(&spec, go)?;
        }
        Ok(())
    }

    /// Tries what it makes of a limit when it is started with `spec`, once it is [installed](Program::installed): the one trial
    /// before searches, games and comparisons.
    ///
    /// # Errors
    /// A program that is not there or does not start; a limit that it has no words for, ignores or does not answer.
    pub fn keeps_to_limit(&self, spec: &Spec, go: Go) -> Result<(), Error> {
        self.located(spec)?;
        let trial = self.trial(spec);
        let (hash_mib, start) = (self.hash_mib as usize, manners_within(self.patience));
        let outcome = Probe::of_limit(spec, &manners(hash_mib), &trial, start, go)?;
        if outcome.is_refused() { Err(self.refused(&outcome, go)) } else { Ok(()) }
    }

    fn refused(&self, outcome: &Outcome, go: Go) -> Error {
        let (name, what, why) = (&self.name, go.in_words(), outcome.reason());
        Error::Usage(format!("{name} cannot be asked for a search of {what}: {why}"))
    }

    /// The usual trial of a program that is started with `spec`.
    fn trial(&self, spec: &Spec) -> Trial<'static> {
        Trial::usual(spec.protocol.notation(), TRIED.min(self.patience.saturating_mul(8)))
    }

    /// An arm of it as the oracle `oracle`, tried once: whether it keeps to budgets, names values, and can be asked for the
    /// value of some moves only.
    ///
    /// # Errors
    /// A program that is not there, or cannot judge, with the reason.
    pub(crate) fn judge(
        &self,
        oracle: &str,
        arm: &str,
        budgets: &[Allowance],
    ) -> Result<ProgramJudge, Error> {
        let named = |error: Error| Error::Usage(format!("oracle {oracle}: {error}"));
        let program = self.clone().installed()?;
        let arm = program.arm(arm).map_err(named)?;
        let probe = program.probe(&arm)?;
        let unanswered =
            budgets.iter().map(|budget| budget.go()).find(|go| !probe.outcome(*go).is_answered());
        if let Some(go) = unanswered {
            return Err(named(program.refused(probe.outcome(go), go)));
        }
        if !probe.says.score {
            let message = format!("{} names no value of a search, and cannot judge", self.name);
            return Err(named(Error::Usage(message)));
        }
        let root_moves = probe.root_moves.is_kept();
        // A position one ply on is searched one ply less deep.
        if !root_moves && budgets.contains(&Allowance::Depth(1)) {
            let message = "found depth 1, expected 2 or more: moves are judged by the positions after them";
            return Err(named(Error::Usage(message.to_owned())));
        }
        let (made, params, facts, program) = program.begun(&arm)?;
        let moves = if root_moves { "alone" } else { "after" };
        let (oracle, moves) = (oracle.to_owned(), moves.to_owned());
        let entry = JudgeEntry { oracle, arm: arm.name, params, moves, made: facts, program };
        Ok(ProgramJudge { arm: made, root_moves, entry })
    }

    /// What it makes of everything that it could be asked, tried at one position, once it is [installed](Program::installed).
    ///
    /// # Errors
    /// A program that is not there or does not start.
    pub fn probe(&self, arm: &Switching) -> Result<Probe, Error> {
        let spec = self.spec(arm)?;
        self.located(&spec)?;
        let trial = self.trial(&spec);
        let manners = manners(self.hash_mib as usize);
        Ok(Probe::of(&spec, &manners, &trial, manners_within(self.patience))?)
    }

    /// A process of it that was started with `spec`.
    pub(crate) fn start(&self, spec: &Spec) -> Result<Engine, EngineError> {
        EngineSubject::start(spec, self.hash_mib, self.patience, None)
    }

    /// Usual options that it does not take as an arm, and what it has instead.
    ///
    /// # Errors
    /// What keeps it from starting.
    pub fn yields(&self, arm: &Switching) -> Result<Vec<Yielded>, Error> {
        Ok(self.start(&self.spec(arm)?)?.yielded().to_vec())
    }

    /// An arm of it for a plan, started once, and the program as records name it, once it is [installed](Program::installed).
    ///
    /// # Errors
    /// What keeps it from starting.
    pub fn ready(&self, arm: &Switching) -> Result<(ArmPlan, ProgramEntry), Error> {
        let (arm_of_program, params, made, entry) = self.begun(arm)?;
        let source = Source::Program(Box::new(arm_of_program));
        Ok((ArmPlan { name: arm.name.clone(), params, source, made }, entry))
    }

    /// The same next to other programs of a game: with a table of their size, and tried with the budget before.
    pub(crate) fn lined_up(
        self,
        arm: &Switching,
        hash_mib: u32,
        allowance: Allowance,
    ) -> Result<(ArmPlan, ProgramEntry), Error> {
        let program = self.with_table(hash_mib);
        program.keeps_to(arm, &[allowance])?;
        program.ready(arm)
    }

    /// Its methods whose switch sets nothing but options, to what an arm with all methods has too: by the word of `engine`, which
    /// runs, those that are off anyway.
    fn already_off(&self, engine: &Engine) -> Vec<String> {
        let holds = |(name, value): &(String, String)| {
            let base = self.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
            let now = base.map(|(_, value)| value.as_str()).or_else(|| engine.option_default(name));
            now.is_some_and(|now| now.trim().eq_ignore_ascii_case(value.trim()))
        };
        let is_off = |factor: &&Factor| {
            let only = Off { options: Vec::new(), ..factor.off.clone() } == Off::default();
            only && factor.off.options.iter().all(holds)
        };
        self.factors.iter().filter(is_off).map(|factor| factor.name.clone()).collect()
    }

    /// An arm that is started with `spec`.
    fn arm_of(&self, spec: Spec) -> Result<ProgramArm, Error> {
        Ok(ProgramArm {
            spec,
            hash_mib: self.hash_mib,
            patience: self.patience,
            // The best that can be at the root is to win with the first ply.
            mate: games::find(&self.game)?.attainable(0).beta.0 + 1,
            isolation: self.isolation,
            level: self.level.clone(),
            counted: self.counted.clone(),
            counts_cpu: true,
        })
    }

    /// An arm once it has been started, its identity, the same in words, and the program as records name it.
    fn begun(&self, arm: &Switching) -> Result<Begun, Error> {
        let spec = self.spec(arm)?;
        let path = self.located(&spec)?;
        let engine = self.start(&spec)?;
        let (id, says) = (engine.id().to_owned(), engine.abilities().says);
        let parts =
            [(says.depth, "depth"), (says.nodes, "nodes"), (says.score, "value"), (says.line, "line")];
        let untold = parts.iter().filter(|(is, _)| !is).map(|(_, name)| (*name).to_owned()).collect();
        let entry = ProgramEntry {
            name: self.name.clone(),
            about: self.about.clone(),
            id,
            binary: hash_of_file(&path),
            untold,
            published: self.published.clone(),
            path: self.built_from.as_ref().map_or_else(|| path.display().to_string(), ToString::to_string),
            already_off: self.already_off(&engine),
            yielded: engine.yielded().iter().map(yielded).collect(),
            left_out: BTreeMap::new(),
            cut: self.cut_entry(),
        };
        let params = self.identity(&spec, &entry.binary);
        let mut facts = self.made(&spec, &path, &entry.binary);
        for option in engine.yielded() {
            let what = if option.is_table() { "table".to_owned() } else { format!("option {}", option.name) };
            facts.insert(what, option.to_string());
        }
        let made = self.arm_of(Spec { command: path, ..spec })?;
        Ok((made, params, facts, entry))
    }
}

/// A usual option that a program does not take, in a sentence with the way to another value.
fn yielded(option: &Yielded) -> String {
    match option.is_table() {
        true => format!("{option}; `hash = N` in its subject file sets another, MiB"),
        false => option.to_string(),
    }
}

type Begun = (ProgramArm, String, BTreeMap<String, String>, ProgramEntry);

/// What a look at the switches of a program found.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Arms that still search the same trees as another.
    pub idle: Vec<SameTrees>,
    /// The depth that was looked at last, plies.
    pub plies: u32,
    /// Why a search failed, if one did: then nothing is said of the switches.
    pub failed: Option<String>,
    /// Nodes of `full` and of each arm without a method, at the depth at which it was looked at last.
    pub nodes: BTreeMap<String, (u64, u64)>,
}

/// Its depths, plies: a switch that does something at the first is not looked at again.
const DEPTHS: [u32; 3] = [5, 7, 9];
/// And one more for programs of discs, which prune later: Edax not below 11.
const LATER: u32 = 12;
/// No deeper look is begun when one took longer.
const LONG: Duration = Duration::from_secs(4);

/// Arms of other programs in a run that searched the same trees ([`same_trees_of`]).
pub fn same_trees(manifest: &Manifest, rows: &RunRows) -> Vec<SameTrees> {
    let trees_of = |game| same_trees_of(game, &rows.records, &rows.iterations);
    manifest.game.iter().flat_map(trees_of).collect()
}

impl Program {
    /// Looks at every switch at a handful of positions, deeper where it does nothing yet. Nothing of a program that cannot be asked
    /// for a depth or does not tell its nodes.
    ///
    /// # Errors
    /// A program that does not start; no positions of its game.
    pub fn looked_at(&self) -> Result<Look, Error> {
        let mut arms: Vec<String> =
            self.factors.iter().map(|factor| format!("full[-{}]", factor.name)).collect();
        let mut look = Look::default();
        let later = self.protocol.notation() == Notation::Discs;
        for depth in DEPTHS.into_iter().chain(later.then_some(LATER)) {
            if arms.is_empty() {
                break;
            }
            let begun = Instant::now();
            let lined: Vec<String> = std::iter::once("full".to_owned()).chain(arms.clone()).collect();
            let runs = self.handful(&lined, depth, 1)?.run()?;
            let failed = runs.rows.records.iter().find_map(|row| Some((row, row.error.as_ref()?)));
            if let Some((row, error)) = failed {
                let at = format!("{} {}: {}", row.position, row.methods, error.reason());
                return Ok(Look { failed: Some(at), ..Look::default() });
            }
            (look.idle, look.plies) = (same_trees(&runs.manifest, &runs.rows), depth);
            for arm in &arms {
                look.nodes.insert(arm.clone(), (runs.nodes("full"), runs.nodes(arm)));
            }
            arms.retain(|arm| look.idle.iter().any(|same| same.second == *arm));
            if begun.elapsed() > LONG {
                break;
            }
        }
        Ok(look)
    }

    /// About how long a plan of its arms takes on so many threads, by one search of the program as it is; `None` where that fails.
    pub fn takes(&self, plan: &Plan, jobs: usize) -> Option<Duration> {
        let unit = plan.units.first()?;
        let position = &plan.games.get(unit.game)?.entries.get(unit.entry)?.position;
        let program = self.clone().installed().ok()?;
        let mut engine = program.start(&program.spec(&Switching::full()).ok()?).ok()?;
        let one = match unit.allowance {
            Allowance::Time(nanos) => Duration::from_nanos(nanos),
            Allowance::Level(_) => return None,
            other => engine.search(&Ask::new(position, other.go()), program.patience).ok()?.wall,
        };
        Some(one.mul_f64(plan.len() as f64 / jobs.max(1) as f64))
    }

    /// These arms at a few positions of the suite `quick`, or of the usual set of a game that it has nothing for.
    pub(crate) fn handful<T: AsRef<str>>(
        &self,
        arms: &[T],
        depth: u32,
        each_stage: usize,
    ) -> Result<Experiment, Error> {
        let lined = ProgramArms::new(self.clone(), Others::Off, arms);
        let lined = lined.map_err(|(_, message)| Error::Usage(message))?;
        let changes = Overrides {
            game: Some(self.game.clone()),
            limit: Some(each_stage),
            budget: Some(Allowance::Depth(depth)),
            program: Some(lined),
            ..Overrides::default()
        };
        let mut suite = Suite::load("quick")?.overridden(&changes)?;
        suite.blocks.truncate(1);
        for block in &mut suite.blocks {
            (block.repeats, block.oracle) = (0, None);
        }
        Ok(suite.into())
    }
}
