//! A look at every switch of a program: whether it switches anything at a handful of positions.

use crate::allowance::Allowance;
use crate::error::Error;
use crate::experiment::Experiment;
use crate::matrix::Plan;
use crate::program::{Others, Program, ProgramArms};
use crate::subject::EngineSubject;
use crate::suite::{Overrides, Suite};
use secateur_engines::{Ask, Notation};
use secateur_record::arm::{SameTrees, same_trees_of};
use secateur_record::manifest::Manifest;
use secateur_record::store::RunRows;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

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
#[must_use]
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
            let nodes = |arm: &str| {
                let rows = runs.rows.records.iter().filter(|row| row.methods == arm);
                rows.map(|row| row.nodes.unwrap_or_default()).sum::<u64>()
            };
            for arm in &arms {
                look.nodes.insert(arm.clone(), (nodes("full"), nodes(arm)));
            }
            arms.retain(|arm| look.idle.iter().any(|same| same.second == *arm));
            if begun.elapsed() > LONG {
                break;
            }
        }
        Ok(look)
    }

    /// About how long a plan of its arms takes on so many threads, by one search of the program as it is; `None` where that fails.
    #[must_use]
    pub fn takes(&self, plan: &Plan, jobs: usize) -> Option<Duration> {
        let unit = plan.units.first()?;
        let position = &plan.games.get(unit.game)?.entries.get(unit.entry)?.position;
        let program = self.clone().installed().ok()?;
        let arm = ProgramArms::new(program.clone(), Others::Off, &["full"]).ok()?.arms.pop()?;
        let spec = program.spec(&arm).ok()?;
        let mut engine = EngineSubject::start(&spec, program.hash_mib, program.patience, None).ok()?;
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
