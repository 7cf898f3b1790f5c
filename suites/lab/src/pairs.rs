//! `cargo xtask pairs`: the values of a shallow and of a deep search at positions that nothing was trained
//! or fitted on.
//!
//! A fit shows how well a line describes its own pairs. Whether it describes others, and what figures 3 and
//! 4 of Buro 1995 show, needs pairs of a test set. They are drawn as those of a fit are (nodes inside a real
//! search), but all exactly as many plies below their positions: in Othello all then have one disc count. Zero plies below are
//! the positions themselves, which Jiang & Buro 2003 took, with null move on.

use crate::fit::collect::{Job, Row, collect};
use crate::fit::{FitError, Progress, positions_of, settings_in_range};
use secateur_core::Game;
use secateur_core::prune::Methods;
use secateur_core::search::Budget;
use secateur_positions::Set;
use secateur_record::files::replace;
use secateur_record::seal::sealed_with;
use secateur_record::table::of_rows;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

pub use secateur_record::observations::{Origin, PairRow};

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
    progress: Progress<'_>,
) -> Result<Origin, FitError> {
    let game = games::find(game)?;
    check(settings)?;
    let set = secateur_positions::resolve(&game, &settings.positions)?;
    let setup = Setup::embedded(game.name())?;
    let (origin, rows) = pairs(&game, &setup, &set, settings, progress)?;
    write_with_origin(out, "cargo xtask pairs", &origin, &rows)?;
    Ok(origin)
}

/// Writes the rows to `path` and their origin next to it; `command` is what did. Folders on the way are made.
///
/// # Errors
/// A folder that cannot be made, a file that cannot be written.
pub fn write_with_origin(
    path: &Path,
    command: &str,
    origin: &impl Serialize,
    rows: &[impl Serialize],
) -> Result<(), FitError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(secateur_record::Error::io(folder))?;
    }
    let table = of_rows(rows);
    replace(path, table.as_bytes())?;
    let sidecar = path.with_extension("toml");
    // Plain names and numbers, the one table last.
    let text = toml::to_string(origin).expect("plain values");
    let text = format!("# Written by `{command}`; not to be changed by hand.\n\n{text}");
    Ok(replace(&sidecar, sealed_with(&text, table.as_bytes()).as_bytes())?)
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
    progress: Progress<'_>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::prune::MethodSet;
    use secateur_core::{Evaluation, Moves, Notation, Rules};
    use secateur_games::othello::{Othello, Position};
    use secateur_positions::{Entry, Provenance};
    use secateur_suites::setups::setup::SetupFileError;

    /// Positions with 16 discs or, where somebody had to pass, a few less.
    fn positions(game: &Othello, count: usize) -> Vec<Position> {
        (0..count)
            .map(|line| {
                (0..12).fold(game.start(), |pos, ply| {
                    let mut moves = Moves::<Othello>::new();
                    game.moves(&pos, &mut moves);
                    let index = (line / (1 + ply) + 3 * line + ply) % moves.len().max(1);
                    moves.get(index).map_or(pos, |scored| game.play(&pos, scored.mv))
                })
            })
            .collect()
    }

    fn set(game: &Othello, count: usize) -> Set {
        let entry = |(index, position): (usize, &Position)| Entry {
            id: format!("t#{index}"),
            position: game.format(position),
            cluster: format!("game/{}", index / 2),
            stage: game.label(position),
            operations: Vec::new(),
            line: index + 1,
        };
        let entries = positions(game, count).iter().enumerate().map(entry).collect();
        Set::new("tiny", Othello::NAME, entries, Provenance::default())
    }

    fn tiny() -> PairsSettings {
        PairsSettings {
            positions: "tiny".to_owned(),
            play_on: 0,
            plies: 3,
            methods: "none".to_owned(),
            range: None,
            shallow: 1,
            deep: 3,
            count: 40,
            seed: 7,
            threads: 1,
            command: "the command".to_owned(),
            date: "2000-01-01".to_owned(),
        }
    }

    fn drawn(settings: &PairsSettings) -> (Origin, Vec<PairRow>) {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        pairs(&game, &setup, &set(&game, 12), settings, &mut |_, _| {}).expect("pairs")
    }

    #[test]
    fn all_nodes_are_as_far_below_as_was_asked() {
        let game = Othello::default();
        let set = set(&game, 12);
        for (play_on, plies) in [(0, 1), (0, 4), (1, 2), (3, 1)] {
            let (origin, rows) = drawn(&PairsSettings { play_on, plies, ..tiny() });
            assert_eq!(origin.pairs, rows.len());
            assert!(rows.len() >= 20, "{origin:?}");
            for row in &rows {
                let entry = set.entries.iter().find(|entry| entry.id == row.source).expect("a source");
                assert_eq!(row.cluster, entry.cluster);
                let discs = |stage: &str| stage.parse::<u32>().expect("a disc count");
                assert_eq!(discs(&row.stage), discs(&entry.stage) + play_on + plies);
            }
        }
    }

    /// Zero plies below a position is the position itself: each counts once, its values are those of the search asked for, and a
    /// range leaves out what lies beyond it and nothing else.
    #[test]
    fn no_plies_below_are_the_positions_themselves() {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        let set = set(&game, 12);
        let settings = PairsSettings { plies: 0, methods: "null-move".to_owned(), ..tiny() };
        let (origin, all) = drawn(&settings);
        assert_eq!(all.len() + origin.repeated + origin.decisive + origin.ended, 12);
        let methods = setup.equip(&Arm::parse("null-move").expect("an arm")).expect("methods");
        for row in &all {
            let entry = set.entries.iter().find(|entry| entry.id == row.source).expect("a source");
            let pos = game.parse(&entry.position).expect("a position");
            let mut search = game.clone().searcher(&methods, setup.options.clone());
            let iterations = search.run(&pos, &Budget::Depth(3)).iterations;
            assert_eq!((iterations[0].score.0, iterations[2].score.0), (row.shallow, row.deep));
        }
        let mut sizes: Vec<i32> = all.iter().map(|row| row.shallow.abs()).collect();
        sizes.sort_unstable();
        let range = sizes[sizes.len() / 2];
        let (origin, near) = drawn(&PairsSettings { range: Some(range), ..settings });
        assert!(origin.out_of_range > 0, "{sizes:?}");
        assert_eq!(near, all.into_iter().filter(|row| row.shallow.abs() <= range).collect::<Vec<_>>());
    }

    #[test]
    fn threads_change_nothing_and_the_seed_does() {
        let one = drawn(&tiny());
        assert_eq!(drawn(&PairsSettings { threads: 2, ..tiny() }), one);
        assert_ne!(drawn(&PairsSettings { seed: 8, ..tiny() }).1, one.1);
        // More of the same: the pairs begin alike.
        let more = drawn(&PairsSettings { count: 45, ..tiny() }).1;
        assert_eq!(more[..one.1.len().min(more.len())], one.1[..one.1.len().min(more.len())]);
    }

    #[test]
    fn values_are_those_of_full_width_searches() {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        let (positions, settings) = (positions(&game, 12), tiny());
        let plain = setup.methods(&MethodSet::NONE).expect("none");
        let job = Job {
            positions: &positions,
            draws: 45,
            walk: 3..=3,
            seed: settings.seed,
            threads: 1,
            baselines: &[(plain, 3)],
            deeper: None,
            options: &setup.options,
            unthrown: false,
        };
        let nodes = collect(&game, &job, &mut |_, _| {});
        let (_, rows) = drawn(&settings);
        let value = |position: &str, depth| {
            let pos = game.parse(position).expect("a position");
            let mut search = game.clone().searcher(Methods::NONE, secateur_core::search::Options::default());
            search.run(&pos, &Budget::Depth(depth)).last().score.0
        };
        for row in &rows {
            let belongs = nodes.iter().any(|node| {
                (node.values[0][1], node.values[0][3]) == (row.shallow, row.deep)
                    && (value(&node.position, 1), value(&node.position, 3)) == (row.shallow, row.deep)
            });
            assert!(belongs, "{row:?} belongs to no node");
        }
    }

    #[test]
    fn good_moves_play_a_position_on() {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        for from in positions(&game, 6) {
            assert_eq!(played_on(&game, from, 0, &setup), from);
            let one = played_on(&game, from, 1, &setup);
            let search = |pos: &Position, depth| {
                let mut search = game.clone().searcher(Methods::NONE, setup.options.clone());
                search.run(pos, &Budget::Depth(depth)).last().score
            };
            // What it reaches is worth, seen from the other side, what the position was.
            assert_eq!(search(&one, PLAYER_DEPTH - 1).0, -search(&from, PLAYER_DEPTH).0);
            assert_eq!(played_on(&game, one, 2, &setup), played_on(&game, from, 3, &setup));
        }
    }

    #[test]
    fn no_position_counts_twice() {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        // One ply below one position there are at most as many nodes as moves.
        let settings = PairsSettings { plies: 1, count: 200, ..tiny() };
        let set = set(&game, 1);
        let mut moves = Moves::<Othello>::new();
        game.moves(&game.parse(&set.entries[0].position).expect("a position"), &mut moves);
        match pairs(&game, &setup, &set, &settings, &mut |_, _| {}) {
            Ok((origin, rows)) => {
                assert!(rows.len() <= moves.len());
                assert!(origin.repeated > 100, "{origin:?}");
            }
            Err(error) => assert!(matches!(error, FitError::TooFew { count, .. } if count <= moves.len())),
        }
    }

    #[test]
    fn what_was_fitted_on_is_refused() {
        let game = Othello::default();
        let set = set(&game, 12);
        let setup = Setup::embedded("othello").expect("embedded");
        let setup = Setup { fitted_on: Some(set.hash.clone()), ..setup };
        let result = pairs(&game, &setup, &set, &tiny(), &mut |_, _| {});
        assert!(matches!(result, Err(FitError::Setup(SetupFileError::FittedOn { .. }))));
    }

    #[test]
    fn bad_settings_are_refused() {
        let game = Othello::default();
        let setup = Setup::embedded("othello").expect("embedded");
        for settings in [
            PairsSettings { play_on: 21, ..tiny() },
            PairsSettings { range: Some(0), ..tiny() },
            PairsSettings { methods: "nosuch".to_owned(), ..tiny() },
            PairsSettings { plies: 21, ..tiny() },
            PairsSettings { shallow: -1, ..tiny() },
            PairsSettings { shallow: 3, ..tiny() },
            PairsSettings { deep: 65, ..tiny() },
            PairsSettings { count: 2, ..tiny() },
        ] {
            let result = pairs(&game, &setup, &set(&game, 12), &settings, &mut |_, _| {});
            assert!(matches!(result, Err(FitError::Setting { .. })), "{settings:?}");
        }
        assert!(matches!(run("go", &tiny(), Path::new("x"), &mut |_, _| {}), Err(FitError::Game(_))));
    }
}
