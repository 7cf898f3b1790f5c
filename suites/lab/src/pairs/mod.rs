//! `cargo xtask pairs`: the values of a shallow and of a deep search at positions that nothing was trained
//! or fitted on.
//!
//! A fit shows how well a line describes its own pairs. Whether it describes others, and what figures 3 and
//! 4 of Buro 1995 show, needs pairs of a test set. They are drawn as those of a fit are (nodes inside a real
//! search), but all exactly as many plies below their positions: in Othello all then have one disc count. Zero plies below are
//! the positions themselves, which Jiang & Buro 2003 took, with null move on.

#[cfg(test)]
mod tests;

pub use secateur_record::pairs::{Origin, PairRow};

use crate::fit::collect::{Job, Row, collect};
use crate::fit::{FitError, positions_of, settings_in_range};
use crate::sidecar;
use secateur_core::Game;
use secateur_core::prune::Methods;
use secateur_core::search::Budget;
use secateur_positions::Set;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use std::collections::BTreeSet;
use std::path::Path;

/// Fewer pairs than this have no line with a spread.
const LEAST: usize = 3;
/// Of so many wanted pairs one more node is drawn, because some are repeated or at the end of the game.
const RESERVE: usize = 8;

/// Which pairs are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairsSettings {
    /// Name of a built-in set, or a path: the positions to draw below. Not the set that was fitted on.
    pub positions: String,
    /// Plies that each position is first played on by good moves, 0 to 20: from the disc counts of a set to
    /// those that the nodes are wanted below.
    pub play_on: u32,
    /// Plies between the position then reached and a node drawn below it, 0 to 20; at 0 every position counts once itself.
    /// Buro 1995 took 6. The more, the more bad moves are on the way, and the farther apart are the values.
    pub plies: u32,
    /// The method set of both searches, as `bench --methods` takes one.
    pub methods: String,
    /// Most that v' may be away from 0, score units; without it all pairs count.
    pub range: Option<i32>,
    /// Depth of the shallow search, plies, at least 0 (the evaluation at the horizon).
    pub shallow: i32,
    /// Depth of the deep search, plies, more than `shallow`.
    pub deep: i32,
    /// Pairs wanted, at least 3.
    pub count: usize,
    /// Seed of the draws.
    pub seed: u64,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// The command line, for the provenance.
    pub command: String,
    /// The day, `YYYY-MM-DD`, for the provenance.
    pub date: String,
}

/// Depth of the searches whose best moves play a position on, plies.
const PLAYER_DEPTH: i32 = 6;

/// Draws and searches with a game's built-in evaluation, and writes `out` (CSV) and its provenance next to it
/// (the same name with `.toml`). `progress` hears draws done and draws wanted.
///
/// # Errors
/// An unknown game, a bad position set or the one fitted on, settings out of range, fewer than three pairs,
/// a file that cannot be written.
pub fn run(
    game: &str,
    settings: &PairsSettings,
    out: &Path,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Origin, FitError> {
    let game = games::find(game)?;
    check(settings)?;
    let set = secateur_positions::resolve(&game, &settings.positions)?;
    let setup = Setup::embedded(game.name())?;
    let (origin, rows) = pairs(&game, &setup, &set, settings, progress)?;
    sidecar::write(out, "pairs", &origin, &rows)?;
    Ok(origin)
}

/// Draws nodes below the positions of `set` and searches them: where the pairs come from,
/// and the pairs in the order of the draws.
///
/// # Errors
/// [`FitError::Setting`], [`FitError::Position`], [`FitError::TooFew`]; [`FitError::Setup`] for the
/// positions that the fit of `setup` rests on.
pub fn pairs<G: Game>(
    game: &G,
    setup: &Setup,
    set: &Set,
    settings: &PairsSettings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(Origin, Vec<PairRow>), FitError> {
    check(settings)?;
    setup.check_positions(set)?;
    let positions: Vec<G::Position> = positions_of(game, set, &set.entries)?
        .into_iter()
        .map(|pos| played_on(game, pos, settings.play_on, setup))
        .collect();
    let unknown = FitError::Setting { name: "methods", expected: "a method set, as `null-move[crafty]`" };
    let arm = Arm::parse(&settings.methods).map_err(|_| unknown)?;
    let equipped = setup.equip(&arm)?;
    let job = Job {
        positions: &positions,
        draws: match (positions.len(), settings.plies) {
            (0, _) => 0,
            (all, 0) => all.min(settings.count),
            _ => settings.count + settings.count.div_ceil(RESERVE),
        },
        walk: settings.plies..=settings.plies,
        seed: settings.seed,
        threads: settings.threads,
        baselines: &[(equipped, settings.deep)],
        deeper: None,
        options: &setup.options,
        unthrown: false,
    };
    let nodes = collect(game, &job, progress);
    let reserved = set.reserved_ids();
    let mut left_out = LeftOut::default();
    let mut rows: Vec<PairRow> =
        nodes.iter().filter_map(|node| left_out.row(game, set, settings, node)).collect();
    rows.retain(|row| !reserved.contains(row.source.as_str()));
    rows.truncate(settings.count);
    if rows.len() < LEAST {
        return Err(FitError::TooFew { count: rows.len(), expected: LEAST });
    }
    let origin = Origin {
        game: game.name().to_owned(),
        evaluation: format!("{:016x}", game.evaluation_id()),
        command: settings.command.clone(),
        date: settings.date.clone(),
        seed: settings.seed,
        positions: set.name.clone(),
        positions_hash: set.hash.clone(),
        positions_count: positions.len(),
        play_on: settings.play_on,
        plies: settings.plies,
        methods: settings.methods.clone(),
        range: settings.range,
        shallow: settings.shallow,
        deep: settings.deep,
        pairs: rows.len(),
        repeated: left_out.repeated,
        decisive: left_out.decisive,
        ended: left_out.ended,
        out_of_range: left_out.out_of_range,
        host: setup.options.clone(),
    };
    Ok((origin, rows))
}

/// The position that a full-width search of [`PLAYER_DEPTH`] plies reaches in `plies` plies of good play; a
/// forced pass is none.
fn played_on<G: Game>(game: &G, from: G::Position, plies: u32, setup: &Setup) -> G::Position {
    let (mut pos, mut left) = (from, plies as i32);
    let mut search = game.clone().searcher(Methods::NONE, setup.options.clone());
    while left > 0 {
        let Some(mv) = search.run(&pos, &Budget::Depth(PLAYER_DEPTH)).last().best_move() else { break };
        pos = game.play(&pos, mv);
        left -= game.plies(mv);
    }
    pos
}

/// Nodes that give no pair, by reason.
#[derive(Default)]
struct LeftOut {
    had: BTreeSet<String>,
    repeated: usize,
    decisive: usize,
    ended: usize,
    out_of_range: usize,
}

impl LeftOut {
    /// The pair of a node, unless it was there already, is proven, or the deep search sees the end.
    fn row<G: Game>(&mut self, game: &G, set: &Set, settings: &PairsSettings, node: &Row) -> Option<PairRow> {
        let Ok(pos) = game.parse(&node.position) else { return None };
        let at = |depth: i32| node.values[0].get(depth as usize).copied();
        let (Some(shallow), Some(deep)) = (at(settings.shallow), at(settings.deep)) else {
            self.ended += 1;
            return None;
        };
        if shallow.abs() >= game.decisive().0 || deep.abs() >= game.decisive().0 {
            self.decisive += 1;
            return None;
        }
        if settings.range.is_some_and(|range| shallow.abs() > range) {
            self.out_of_range += 1;
            return None;
        }
        if !self.had.insert(game.canonical(&pos)) {
            self.repeated += 1;
            return None;
        }
        let entry = &set.entries[node.source];
        let (source, cluster) = (entry.id.clone(), entry.cluster.clone());
        Some(PairRow { source, cluster, stage: game.label(&pos), shallow, deep })
    }
}

fn check(settings: &PairsSettings) -> Result<(), FitError> {
    let PairsSettings { play_on, plies, shallow, deep, count, range, .. } = *settings;
    settings_in_range(&[
        (play_on > 20, "play-on", "0 to 20"),
        (plies > 20, "plies", "0 to 20"),
        (shallow < 0, "pair", "a shallow depth of at least 0"),
        (deep <= shallow, "pair", "a deep depth beyond the shallow one"),
        (deep > 64, "pair", "depths of at most 64"),
        (count < LEAST, "count", "at least 3"),
        (range.is_some_and(|range| range <= 0), "range", "more than 0"),
    ])
}
