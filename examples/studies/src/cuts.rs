//! The cuts of a check that were searched again, one by one, with what was known when they were made.
//!
//! The audit of a run says how many cuts break. Whether something that a method could know beforehand predicts which of them
//! takes the cuts themselves: drawn by the hash of their positions, as in a run, and searched again by the arm without the
//! method. What follows from them is computed by `secateur-lab` (`posterior`). Methods that rest on no model are left out:
//! their cuts have no distance.

use secateur_core::search::{AnySearch, Bound, Budget, Claim, Claimed, Sample, Searcher};
use secateur_core::{AnyGame, Evaluation, Game, Score};
use secateur_lab::fit::{FitError, positions_of, settings_in_range};
use secateur_lab::pairs::write_with_origin;
use secateur_lab::train::shared_out;
use secateur_positions::{Entry, Set};
use secateur_record::observations::{CutRow, CutsOrigin};
use secateur_reports::format::to_four;
use secateur_suites::matrix::limited;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use secateur_suites::setups::{games, methods};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program.
pub const COMMAND: &str = "cargo run --release --manifest-path examples/studies/Cargo.toml --bin cuts --";

/// Which cuts are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct CutsSettings {
    /// Name of a built-in set, or a path.
    pub positions: String,
    /// At most so many positions of each stage of it, evenly spread; without it all.
    pub limit: Option<usize>,
    /// The method set, with ProbCut or MPC in it; where both are, the cuts of both are taken.
    pub methods: String,
    /// Depth of the searches, plies, 1 to 64.
    pub depth: i32,
    /// One cut in so many is searched again, at least 1.
    pub every: u64,
    /// Cuts at nodes of a lesser height are left out, plies.
    pub height: i32,
    /// Cuts whose model's estimate lies this far beyond the bound are left out, standard deviations, more than 0: hardly any
    /// of them breaks.
    pub within: f64,
    /// Threads; they do not change the result.
    pub threads: usize,
    /// The command line, for the provenance.
    pub command: String,
    /// The day, `YYYY-MM-DD`, for the provenance.
    pub date: String,
}

/// Searches with a game's built-in evaluation and embedded parameters, and writes `out` (CSV) and its provenance next to it
/// (the same name with `.toml`). `progress` hears positions done.
///
/// # Errors
/// An unknown game, a bad position set, settings out of range, methods that cannot be set up, no cut at all, a file that
/// cannot be written.
pub fn run(
    game: &str,
    settings: &CutsSettings,
    out: &Path,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<CutsOrigin, FitError> {
    let game = games::find(game)?;
    let set = secateur_positions::resolve(&game, &settings.positions)?;
    let setup = Setup::embedded(game.name())?;
    let (origin, rows) = cuts(&game, &setup, &set, settings, progress)?;
    write_with_origin(out, COMMAND, &origin, &rows)?;
    Ok(origin)
}

/// The cuts of searches of the positions of `set`, in the order of the set, and how to make them again.
///
/// # Errors
/// [`FitError::Setting`], [`FitError::Position`], [`FitError::Method`]; [`FitError::TooFew`] where nothing was cut.
pub fn cuts(
    game: &AnyGame,
    setup: &Setup,
    set: &Set,
    settings: &CutsSettings,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(CutsOrigin, Vec<CutRow>), FitError> {
    let CutsSettings { depth, every, .. } = *settings;
    settings_in_range(&[
        (!(1..=64).contains(&depth), "depth", "1 to 64"),
        (every < 1, "every", "at least 1"),
        (settings.limit == Some(0), "limit", "at least 1"),
        (settings.within.is_nan() || settings.within <= 0.0, "within", "more than 0"),
    ])?;
    let unknown =
        FitError::Setting { name: "methods", expected: "a method set with probcut or mpc, as `mpc[t=1.0]`" };
    let arm = Arm::parse(&settings.methods).map_err(|_| unknown)?;
    let with = setup.equip(&arm)?;
    let without =
        arm.set.indices().map(|method| setup.equip(&arm.without(method))).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&'static str> = arm.set.indices().map(methods::name).collect();
    let entries: Vec<&Entry> =
        limited(set, settings.limit).into_iter().map(|index| &set.entries[index]).collect();
    let positions = positions_of(game, set, entries.iter().copied())?;
    let items: Vec<(&Entry, _)> = entries.into_iter().zip(&positions).collect();
    let done = AtomicUsize::new(0);
    let made = |ready| game.clone().searcher(ready, setup.options.clone());
    let state = || {
        let mut search = made(&with);
        search.audit_every(every);
        (search, names.iter().copied().zip(without.iter().map(made)).collect::<Vec<_>>())
    };
    let by_position = shared_out(&items, settings.threads, state, |(search, auditors), (entry, root)| {
        let rows = of_position(game, entry, root, settings, search.as_mut(), auditors);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, items.len());
        rows
    });
    let rows: Vec<CutRow> = by_position.into_iter().flatten().collect();
    if rows.is_empty() {
        return Err(FitError::TooFew { count: 0, expected: 1 });
    }
    let origin = CutsOrigin {
        game: game.name().to_owned(),
        evaluation: format!("{:016x}", game.evaluation_id()),
        command: settings.command.clone(),
        date: settings.date.clone(),
        positions: set.name.clone(),
        positions_hash: set.hash.clone(),
        positions_count: items.len(),
        methods: settings.methods.clone(),
        params: setup.arm_id(&arm)?,
        depth,
        every,
        height: settings.height,
        within: settings.within,
        cuts: rows.len(),
        host: setup.options.clone(),
    };
    Ok((origin, rows))
}

/// A search of one position, and its cuts searched again.
fn of_position<G: Game>(
    game: &G,
    entry: &Entry,
    root: &G::Position,
    settings: &CutsSettings,
    search: &mut (dyn AnySearch<G> + Send + '_),
    auditors: &mut [(&'static str, Searcher<'_, G>)],
) -> Vec<CutRow> {
    let outcome = search.run(root, &Budget::Depth(settings.depth));
    let values: Vec<Score> = outcome.iterations.iter().map(|iteration| iteration.score).collect();
    let (mut samples, every) = search.take_samples();
    samples.sort_by_key(|sample| sample.claimed.method);
    let mut rows = Vec::new();
    for (method, auditor) in auditors {
        auditor.forget();
        let is_wanted =
            |sample: &&Sample<G>| sample.claimed.method == *method && sample.claimed.depth >= settings.height;
        for sample in samples.iter().filter(is_wanted) {
            let last = usize::try_from(sample.claimed.iteration.0 - 2)
                .ok()
                .and_then(|index| values.get(index).copied());
            let last =
                last.map(|value| if game.side(&sample.pos) == game.side(root) { value } else { -value });
            let row = row(game, entry, every, sample, last, auditor);
            rows.extend(row.filter(|row| row.distance < settings.within));
        }
    }
    rows
}

/// A cut that rests on a model, searched again. `last` is the last iteration's value as the node's side sees it.
fn row<G: Game>(
    game: &G,
    entry: &Entry,
    every: u64,
    Sample { claimed, pos }: &Sample<G>,
    last: Option<Score>,
    auditor: &mut Searcher<'_, G>,
) -> Option<CutRow> {
    let grounds = claimed.grounds?;
    let decided = auditor.decide(claimed, pos);
    let (bound, sign) = match claimed.claim {
        Claim::AtLeast(bound) => (bound, 1.0),
        Claim::AtMost(bound) => (bound, -1.0),
    };
    let beyond = |value: Score| to_four(sign * f64::from(value.0 - bound.0) / grounds.sigma);
    Some(CutRow {
        source: entry.id.clone(),
        cluster: entry.cluster.clone(),
        stage: game.stages()[claimed.stage].to_owned(),
        every,
        iteration: claimed.iteration.0,
        ply: claimed.ply,
        height: claimed.depth,
        high: matches!(claimed.claim, Claim::AtLeast(_)),
        expected: claimed.expected,
        distance: to_four(decided.distance?),
        shown: to_four(grounds.distance(grounds.value, claimed.claim)),
        evaluation: beyond(game.evaluate(pos)),
        last: last.map(beyond),
        table: says(claimed),
        table_lag: claimed.in_table.map(|(_, _, draft)| claimed.depth - draft.0),
        nodes: decided.nodes,
        broken: !decided.held,
    })
}

/// 1 if the table agrees with a cut, -1 if it contradicts it, 0 if it says neither or knows nothing.
fn says(claimed: &Claimed) -> i32 {
    let Some((score, kind, _)) = claimed.in_table else { return 0 };
    let (is_lower, is_upper) = (kind != Bound::Upper, kind != Bound::Lower);
    let (agrees, contradicts) = match claimed.claim {
        Claim::AtLeast(bound) => (is_lower && score >= bound, is_upper && score < bound),
        Claim::AtMost(bound) => (is_upper && score <= bound, is_lower && score > bound),
    };
    i32::from(agrees) - i32::from(contradicts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_positions::Provenance;

    fn settings() -> CutsSettings {
        CutsSettings {
            positions: "othello-28".to_owned(),
            limit: Some(4),
            methods: "mpc[t=0.8]".to_owned(),
            depth: 8,
            every: 2,
            height: 0,
            within: f64::INFINITY,
            threads: 1,
            command: "the command".to_owned(),
            date: "2000-01-01".to_owned(),
        }
    }

    fn drawn(settings: &CutsSettings) -> Result<(CutsOrigin, Vec<CutRow>), FitError> {
        let game = games::find("othello").expect("built in");
        let setup = Setup::embedded("othello").expect("embedded");
        let set = secateur_positions::resolve(&game, &settings.positions).expect("built in");
        cuts(&game, &setup, &set, settings, &|_, _| {})
    }

    #[test]
    fn cuts_say_what_was_known_and_do_not_depend_on_threads() {
        let (origin, rows) = drawn(&settings()).expect("cuts");
        assert_eq!((origin.cuts, origin.positions_count), (rows.len(), 3));
        assert_eq!(drawn(&CutsSettings { threads: 2, ..settings() }).expect("cuts").1, rows);
        // Rounding the bound of the check takes at most half a unit from its distance, which is far less than this.
        assert!(
            rows.iter().all(|row| row.shown > 0.75 && row.distance > 0.75),
            "cuts lie beyond the threshold"
        );
        assert!(
            rows.iter().all(|row| row.distance >= row.shown - 1e-3),
            "the check is worth at least what it showed"
        );
        let either = |is: fn(&CutRow) -> bool| rows.iter().any(is) && !rows.iter().all(is);
        assert!(either(|row| row.expected) && either(|row| row.high) && either(|row| row.table == 1));
        // The search that decides them remembers what it saw, so that they cost less or more when others are left out.
        let alike = |row: &CutRow| CutRow { nodes: 0, ..row.clone() };
        let (_, few) = drawn(&CutsSettings { height: 5, within: 2.0, ..settings() }).expect("cuts");
        let wanted = rows.iter().filter(|row| row.height >= 5 && row.distance < 2.0).map(alike);
        assert!(!few.is_empty() && few.len() < rows.len() && few.iter().map(alike).eq(wanted));
        assert!(rows.iter().all(|row| row.last.is_some() == (row.iteration > 1) && row.nodes > 0));
    }

    #[test]
    fn as_many_cuts_as_the_counters_say() {
        let (_, rows) = drawn(&CutsSettings { every: 1, ..settings() }).expect("cuts");
        let game = games::find("othello").expect("built in");
        let setup = Setup::embedded("othello").expect("embedded");
        let ready = setup.equip(&Arm::parse("mpc[t=0.8]").expect("known")).expect("fitted");
        let set = secateur_positions::resolve(&game, "othello-28").expect("built in");
        let mut search = game.clone().searcher(&ready, setup.options.clone());
        let drawn = limited(&set, settings().limit).into_iter().map(|index| &set.entries[index]);
        for entry in drawn.filter(|entry| !secateur_positions::builtin::is_reserved(&entry.id)) {
            let root = positions_of(&game, &set, [entry]).expect("positions").remove(0);
            let counted: u64 = search
                .run(&root, &Budget::Depth(8))
                .tally
                .active()
                .map(|(.., c)| c.cuts_high + c.cuts_low)
                .sum();
            assert_eq!(rows.iter().filter(|row| row.source == entry.id).count() as u64, counted);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (settings, word) in [
            (CutsSettings { depth: 0, ..settings() }, "depth"),
            (CutsSettings { every: 0, ..settings() }, "every"),
            (CutsSettings { within: f64::NAN, ..settings() }, "within"),
            (CutsSettings { limit: Some(0), ..settings() }, "limit"),
            (CutsSettings { methods: "mcp".to_owned(), ..settings() }, "methods"),
            // Its cuts rest on no model.
            (CutsSettings { methods: "null-move".to_owned(), ..settings() }, "found 0"),
        ] {
            let error = drawn(&settings).expect_err(word).to_string();
            assert!(error.contains(word) || error.starts_with("0 "), "{error}");
        }
        let empty = Set::new("none", "othello", Vec::new(), Provenance::default());
        let game = games::find("othello").expect("built in");
        let setup = Setup::embedded("othello").expect("embedded");
        assert!(matches!(cuts(&game, &setup, &empty, &settings(), &|_, _| {}), Err(FitError::TooFew { .. })));
    }
}
