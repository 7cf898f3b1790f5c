//! Training of the chess evaluation by self-play: games, logistic regression, provenance.
//!
//! Texel's method (Österlund 2014): the numbers that make the logistic function of the static value predict best
//! how games end, on positions where nothing hangs. The first generation plays with numbers chosen by hand
//! ([`EvalParams::start`]), each further one with those just found. The value is linear in its numbers, so the
//! regression is convex and solved by Newton's method.

mod regress;
mod selfplay;

use self::regress::Design;
use super::kept::{Kept, Sample};
use super::logistic::{cross_entropy, slope};
use super::self_play::{
    Forbidden, Players, SelfPlay, Trained, VALIDATION_SHARE, passes, play_all, provenance, section,
};
use super::{Progress, TrainError, rounded, shared_out};
use secateur_core::{Evaluation, Notation};
use secateur_games::chess::{Chess, EvalParams};
use selfplay::{METHODS, Table, beginnings};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Games between two reports of progress.
const BLOCK: u32 = 64;
/// Value of an average pawn after training, centipawns.
const PAWN: f64 = 100.0;

/// What a training run is determined by (and `threads` and `keep`, which change nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainSettings {
    /// Generations play with the numbers of the one before, the first with [`EvalParams::start`].
    #[serde(flatten)]
    pub play: SelfPlay,
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// Share of the game's result in what is learnt, per cent; the rest is the win expectancy of the search.
    pub trust: u32,
    /// How strongly a number is drawn to its start, in sightings.
    pub prior: u32,
    /// Only these groups of numbers are learnt, and the rest is nothing: evaluations of graded strength from the same games. All
    /// groups where there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// Folder where positions are kept and found again, so that a run can be taken up and another regression tried.
    #[serde(skip)]
    pub keep: Option<PathBuf>,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        let play = SelfPlay { games: 12_000, seed: 1, threads: 1, generations: 1 };
        TrainSettings { play, nodes: 2_000, trust: 50, prior: 300, groups: None, keep: None }
    }
}

impl TrainSettings {
    fn check(&self) -> Result<(), TrainError> {
        let (trust, prior) = (self.trust.into(), self.prior.into());
        self.play.check(
            20..=100_000_000,
            [
                ("nodes", self.nodes, 1..=1_000_000_000),
                ("prior", prior, 1..=1_000_000),
                ("trust", trust, 0..=100),
            ],
        )?;
        let unknown = self.groups.iter().flatten().find(|name| EvalParams::group(name).is_none());
        if let Some(name) = unknown {
            let names: Vec<&str> = EvalParams::groups().iter().map(|group| group.name).collect();
            return Err(TrainError::Group { found: name.clone(), names: names.join(", ") });
        }
        Ok(())
    }

    /// The numbers with those that are not learnt at nothing; what chooses or scales is never learnt and stays.
    fn masked(&self, params: &EvalParams) -> EvalParams {
        let mut masked = EvalParams::zero();
        for (index, value) in masked.values_mut().iter_mut().enumerate() {
            if self.learns(index) || EvalParams::steers(index) {
                *value = params.values()[index];
            }
        }
        masked
    }

    /// Whether the number of this index is learnt.
    fn learns(&self, index: usize) -> bool {
        let has = |name: &String| EvalParams::group(name).is_some_and(|group| group.range().contains(&index));
        self.groups.as_ref().is_none_or(|groups| groups.iter().any(has))
    }
}

/// Trains the numbers, from [`EvalParams::start`].
///
/// # Errors
/// [`TrainError::Setting`] before anything is played if a setting is out of range; [`TrainError::Kept`] if the folder
/// of kept positions cannot be used.
pub fn train(settings: &TrainSettings, progress: &mut dyn FnMut(Progress)) -> Result<Trained, TrainError> {
    settings.check()?;
    let SelfPlay { games, threads, generations: count, .. } = settings.play;
    let (players, game) = (Players::of::<Chess>(METHODS)?, Chess::default());
    let lines = beginnings();
    let forbidden = forbidden(&game)?;
    let mut params = EvalParams::start().clone();
    let mut generations = Vec::new();
    let mut before = Vec::new();
    for generation in 0..count {
        let (folder, seed, nodes) = (settings.keep.as_deref(), settings.play.seed, settings.nodes);
        let kept = Kept { folder, generation, seed, nodes, evaluation: params.id() };
        let teaches = |sample: &Sample| !is_forbidden(&forbidden, &game, sample);
        let played = play_all(&settings.play, (generation, BLOCK), progress, teaches, |numbers| {
            let game = Chess::with_params(params.clone());
            let table = || Table::new(&game, &players, settings.nodes, &lines);
            // Chess training has streams of its own, apart from those of Othello.
            let streams = 1 << 31 | generation;
            let play = || settings.play.play(streams, numbers, table, |table, _, rng| table.play(rng));
            kept.or_played(numbers, play)
        })?;
        let k = slope(played.learn.iter().map(|s| (f64::from(s.value), s.outcome())));
        let used: Vec<Sample> = played.learn.iter().chain(&before).cloned().collect();
        let trust = f64::from(settings.trust) / 100.0;
        let start = settings.masked(&params);
        let learns: Vec<bool> = (0..EvalParams::COUNT).map(|index| settings.learns(index)).collect();
        let mut design = Design::new(&start, &learns, &used, (k, trust), threads);
        let mut report = passes(generation, regress::PASSES, progress);
        let start = regress::numbers(&start);
        let mut numbers = regress::fit(&design, &start, &start, (k, settings.prior), threads, &mut report);
        // Scales multiply what the regression finds, so it finds it again, from where it was.
        design.choose_scales(&mut numbers, k);
        let numbers = regress::fit(&design, &start, &numbers, (k, settings.prior), threads, &mut report);
        let numbers = design.scaled(&numbers, PAWN);
        generations.push(Generation {
            evaluation: format!("{:016x}", params.id()),
            games,
            positions: design.len() as u64,
            validation: played.check.len() as u64,
            slope: rounded(k * 1e3),
            loss_before: rounded(loss(&params, &played.check, threads)),
            loss: rounded(loss(&numbers, &played.check, threads)),
        });
        params = numbers;
        before = played.learn;
    }
    let provenance = provenance_text(settings, &params, &forbidden, &generations)?;
    Ok(Trained { bytes: format!("{HEAD}{}", params.to_text()).into_bytes(), provenance })
}

/// Comment at the top of a trained evaluation.
const HEAD: &str = "# Numbers of the chess evaluation, made by `cargo xtask train chess` (see chess.provenance.toml). \
                    Group, then\n# middlegame/endgame pairs in centipawns; what they mean: \
                    core/games/chess/src/eval/params.rs.\n";

/// Mean cross-entropy of the results given the static values, in nats, with the slope that suits them best.
fn loss(params: &EvalParams, samples: &[Sample], threads: usize) -> f64 {
    let values = shared_out(
        samples,
        threads,
        || Chess::with_params(params.clone()),
        |game, sample| game.parse(&sample.position).map_or(0.0, |pos| f64::from(game.evaluate(&pos).0)),
    );
    let pairs = || values.iter().copied().zip(samples.iter().map(Sample::outcome));
    let k = slope(pairs());
    let sum: f64 = pairs().map(|(value, outcome)| cross_entropy(k * value, outcome)).sum();
    sum / samples.len().max(1) as f64
}

/// Which positions teach nothing: those of the built-in sets, up to colours.
fn forbidden(game: &Chess) -> Result<Forbidden<String>, TrainError> {
    Forbidden::built_in(game, |pos| game.canonical(pos))
}

/// Whether a sample's position is one of them.
fn is_forbidden(forbidden: &Forbidden<String>, game: &Chess, sample: &Sample) -> bool {
    game.parse(&sample.position).is_ok_and(|pos| forbidden.contains(&game.canonical(&pos)))
}

/// One generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generation {
    /// The id of the numbers that played.
    pub evaluation: String,
    /// Games played.
    pub games: u32,
    /// Positions learnt from: of this generation and the one before.
    pub positions: u64,
    /// Positions of the validation games.
    pub validation: u64,
    /// Slope of the logistic function that the players' search values suit best, per 1,000 centipawns.
    pub slope: f64,
    /// Mean cross-entropy of the validation games' results given the players' static values, in nats.
    pub loss_before: f64,
    /// The same with the numbers found.
    pub loss: f64,
}

/// What is written next to the numbers. The command makes the same ones again with the same version of search and parameters.
fn provenance_text(
    settings: &TrainSettings,
    params: &EvalParams,
    forbidden: &Forbidden<String>,
    generations: &[Generation],
) -> Result<String, TrainError> {
    let TrainSettings { play, nodes, trust, prior, .. } = settings;
    let options = play.options();
    let groups =
        settings.groups.as_ref().map(|groups| format!(" --groups {}", groups.join(","))).unwrap_or_default();
    let (positions, hash) = forbidden.identity();
    let regression = format!(
        "cross-entropy of {trust} % of the result and the rest of the win expectancy of the search, at the slope that suits the \
         search values; Newton's method, {} passes; every number drawn to its start by {prior} sightings; twice, with the \
         endgame scales chosen in between",
        regress::PASSES
    );
    let head = [
        (
            "command",
            format!(
                "cargo xtask train chess{options} --nodes {nodes} --trust {trust} --prior {prior}{groups}"
            ),
        ),
        ("evaluation", format!("{:016x}", params.id())),
        // What the first generation started from.
        ("start", format!("{:016x}", EvalParams::start().id())),
        ("scheme", scheme(settings)),
        ("streams", "ChaCha8, seeded with the seed, stream 2^63 + generation * 2^32 + game".to_owned()),
        ("regression", regression),
        // What 100 means.
        (
            "scale",
            format!(
                "a pawn with its placement is worth {PAWN} on average over all pawns of all positions learnt from"
            ),
        ),
        ("forbidden", format!("{positions} positions of built-in sets, FNV-1a {hash}")),
    ];
    let settings = TrainSettings { play: SelfPlay { threads: 0, ..play.clone() }, ..settings.clone() };
    Ok(provenance(&head, &[section("settings", settings)?, section("generations", generations)?]))
}

/// How games begin and end, and which of their positions teach.
fn scheme(settings: &TrainSettings) -> String {
    use selfplay::{DECIDED, DECIDED_PLIES, EVEN, LEVEL_PLIES, LONGEST, METHODS, RANDOM, STALE};
    format!(
        "opening lines of the sampler and {} to {} random plies, taken again unless worth at most {EVEN}; both sides \
         {METHODS} at {} nodes a move; won at {DECIDED} for {DECIDED_PLIES} plies or a mate found, drawn at 0 for \
         {LEVEL_PLIES} plies or after {LONGEST}; positions not in check whose static value is their quiescence value \
         and whose move is no capture or promotion, up to {STALE} plies on the fifty-move clock; 1 game in \
         {VALIDATION_SHARE} validates",
        RANDOM.0, RANDOM.1, settings.nodes
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Rules;

    fn small(threads: usize) -> TrainSettings {
        let play = SelfPlay { games: 24, seed: 5, threads, generations: 2 };
        TrainSettings { play, nodes: 150, ..TrainSettings::default() }
    }

    #[test]
    fn threads_and_keeping_change_nothing_and_seeds_do() {
        let mut reports = 0;
        let one = train(&small(1), &mut |_| reports += 1).expect("valid settings");
        let folder = tempfile::tempdir().expect("a folder");
        let kept = TrainSettings { keep: Some(folder.path().join("kept")), ..small(3) };
        let three = train(&kept, &mut |_| {}).expect("valid settings");
        assert_eq!(one.bytes, three.bytes);
        assert_eq!(one.provenance, three.provenance);
        assert!(reports > 2);
        // Taken up from what was kept, and after half of it was lost.
        for share in [1, 2] {
            let file = folder.path().join("kept/generation-1-0.samples");
            let text = std::fs::read_to_string(&file).expect("kept positions");
            std::fs::write(&file, &text[..text.len() / share]).expect("a writable folder");
            assert_eq!(train(&kept, &mut |_| {}).expect("valid settings").bytes, one.bytes);
        }
        let mut other = small(1);
        other.play.seed = 6;
        assert_ne!(train(&other, &mut |_| {}).expect("valid settings").bytes, one.bytes);
        other.keep = kept.keep;
        let error = train(&other, &mut |_| {}).expect_err("kept for another seed");
        assert!(error.to_string().contains("generation-0-0.samples"), "{error}");
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let mut few = small(1);
        few.play.games = 3;
        let error = train(&few, &mut |_| {}).expect_err("too few games");
        assert_eq!(error.to_string(), "games is 3, expected 20 to 100,000,000");
        assert!(train(&TrainSettings { trust: 101, ..small(1) }, &mut |_| {}).is_err());
    }

    #[test]
    fn built_in_positions_are_forbidden_and_their_children_are_not() {
        let game = Chess::default();
        let forbidden = forbidden(&game).unwrap();
        let forbids = |position| is_forbidden(&forbidden, &game, &Sample { position, result: 0, value: 0 });
        let mut kept = 0;
        for entry in secateur_positions::builtin(&game, "chess-fit").unwrap().entries {
            let pos = game.parse(&entry.position).unwrap();
            assert!(forbids(game.format(&pos)));
            assert!(forbids(game.format(&game.mirror(&pos))));
            kept += usize::from(game.null(&pos).is_some_and(|other| !forbids(game.format(&other))));
        }
        assert!(kept > 100);
    }

    /// An evaluation of material alone knows no squares.
    #[test]
    fn groups_that_are_left_out_are_nothing() {
        let groups = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let trained = train(&TrainSettings { groups: groups(&["men"]), ..small(2) }, &mut |_| {})
            .expect("valid settings");
        let params =
            EvalParams::parse(std::str::from_utf8(&trained.bytes).expect("text")).expect("an evaluation");
        let men = EvalParams::group("men").expect("a group").range();
        for (index, value) in params.values().iter().enumerate() {
            let is_nothing = (value.middlegame(), value.endgame()) == (0, 0);
            assert!(men.contains(&index) || EvalParams::steers(index) || is_nothing, "{index}");
        }
        assert!(trained.provenance.contains("--groups men"));
        let wrong = TrainSettings { groups: groups(&["pawns"]), ..small(1) };
        assert!(
            train(&wrong, &mut |_| {})
                .expect_err("no such group")
                .to_string()
                .contains("found the group `pawns`")
        );
    }
}
