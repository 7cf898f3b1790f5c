//! What the methods are tried with, originals and copies alike: their numbers, and the faults of the copies.

use super::checks::Subject;
use super::copies::{Fault, Futility, NullMove, ProbCut, Razoring, Setting};
use super::games::{Bent, POSITIONAL};
use super::theorems::Theorem;
use secateur_core::prune::{
    Baselines, Behind, Calibration, Fit, MethodValue, Methods, Params, Prune, Reach, Views, equip,
};
use secateur_core::{Evaluation, Score};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setups::setup::Setup;
use std::fmt::Debug;
use std::sync::atomic::AtomicU32;

const INFINITE: i32 = Score::INFINITE.0;

/// Two methods, and what they act through.
pub(super) const HINDSIGHT_PAIR: &str = "hindsight+lmr";
pub(super) const CORRECTION_PAIR: &str = "correction-history+reverse-futility";

pub(super) fn futility(fault: Fault, setting: Setting) -> Futility {
    let margins = match setting {
        Setting::Never => [INFINITE; 2],
        Setting::Sound => [POSITIONAL, INFINITE],
        _ => [300, 550],
    };
    Futility { margins, fault }
}

pub(super) fn razoring(fault: Fault, setting: Setting) -> Razoring {
    let margin = match setting {
        Setting::Never => INFINITE,
        Setting::Sound => POSITIONAL,
        _ => 100,
    };
    Razoring { margin, fault }
}

pub(super) fn null_move(fault: Fault, setting: Setting) -> NullMove {
    let (reduction, min_depth) = match setting {
        Setting::Never => (2, 60),
        Setting::Sound => (0, 1),
        _ => (1, 2),
    };
    let needs_evaluation = fault == Fault::WrongSide;
    NullMove { reduction, min_depth, needs_evaluation, fault, met: AtomicU32::new(0) }
}

pub(super) fn probcut(fault: Fault, setting: Setting) -> ProbCut {
    let (pair, model, margin) = match setting {
        Setting::Never => ((1, 3), (1.0, 0.0), f64::INFINITY),
        Setting::Sound => ((3, 4), (1.0, 0.0), 0.0),
        Setting::Usual => ((1, 3), (1.0, 0.0), 50.0),
        Setting::Fit(a, b, sigma) => ((0, 1), (a, b), sigma),
    };
    ProbCut { pair, model, margin, fault }
}

pub(super) const FUTILITY: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::MarginSign, "margin taken off"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TightClaim, "bound of a move too strong"),
    (Fault::NoFirstMove, "first move left out too"),
];
pub(super) const RAZORING: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TooShort, "two plies taken off"),
];
pub(super) const NULL_MOVE: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::Remembers, "nodes of earlier searches counted too"),
];
pub(super) const PROBCUT: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the check"),
    (Fault::StaticValue, "static value instead of a search"),
];

/// A copy, for the games that it is tried in.
pub(super) trait Copied:
    Prune<Bent<Chess>> + Prune<Bent<Othello>> + Prune<Chess> + Debug + Send + Sync + 'static
{
}

impl<M> Copied for M where
    M: Prune<Bent<Chess>> + Prune<Bent<Othello>> + Prune<Chess> + Debug + Send + Sync + 'static
{
}

/// A copy as methods of a search.
pub(super) fn copied<M: Copied>(copy: M) -> Methods {
    let views = Views::default().with::<Bent<Chess>, M>().with::<Bent<Othello>, M>().with::<Chess, M>();
    [MethodValue::new(copy, views)].into_iter().collect()
}

/// What a method is asked by.
pub(super) fn subject(
    name: &'static str,
    healthy: bool,
    make: impl Fn(Setting) -> Methods + 'static,
) -> Subject {
    Subject { name, theorem: theorem(name), few: few(name), healthy, make: Box::new(make) }
}

/// The theorem of a method.
fn theorem(name: &str) -> Theorem {
    match name {
        "futility" => Theorem::Margin,
        "razoring" | "probcut" | "mpc" | "multi-cut" => Theorem::Endgame,
        "null-move" => Theorem::FreePass,
        "lmr" | "rankcut" | "chinook" => Theorem::Reduced,
        "etc" | "iid" => Theorem::Known,
        "uncertainty" => Theorem::Doubted,
        "check-extension" => Theorem::Extended,
        CORRECTION_PAIR => Theorem::Learnt,
        _ => Theorem::Nothing,
    }
}

/// Whether a method speaks at so many nodes that half as many roots do.
fn few(name: &str) -> bool {
    let often = [
        "etc",
        "iid",
        "check-extension",
        HINDSIGHT_PAIR,
        CORRECTION_PAIR,
        "chinook",
        "uncertainty",
        "quiet-exchange",
        "quiet-count",
    ];
    often.contains(&name)
}

/// A method as it ships, with eager numbers.
pub(super) fn original(name: &'static str) -> Subject {
    subject(name, true, move |setting| {
        let mut params = Setup::embedded("chess").expect("the build's own numbers").params;
        classical(&mut params, setting);
        modern(&mut params, setting);
        below_and_before(&mut params, setting);
        let ProbCut { pair: (shallow, deep), model: (a, b), margin: sigma, .. } =
            probcut(Fault::None, setting);
        let fit = |stage| Fit { stage, shallow, deep, n: 1, a, b, sigma, r: 1.0 };
        let fits = (0..Othello::STAGES.len()).map(fit).collect();
        let baselines = Baselines { none: Calibration { fits, ..Calibration::default() }, null_move: None };
        equip(&name.parse().expect("a method"), &params, &baselines, Othello::STAGES.len()).expect("in range")
    })
}

/// The methods up to 2000. Those that are copied have the numbers of their copies.
fn classical(params: &mut Params, setting: Setting) {
    let never = setting == Setting::Never;
    let ours = futility(Fault::None, setting).margins;
    params.futility.frontier = Reach::Fixed(ours[0]);
    params.futility.extended = Reach::Fixed(ours[1]);
    params.razoring.margin = Reach::Fixed(razoring(Fault::None, setting).margin);
    let ours = null_move(Fault::None, setting);
    (params.null_move.reduction, params.null_move.min_depth) = (ours.reduction, ours.min_depth);
    let ours = probcut(Fault::None, setting);
    (params.probcut.shallow, params.probcut.deep) = ours.pair;
    params.probcut.t = if ours.margin.is_infinite() { ours.margin } else { 1.0 };
    params.mpc.pairs = vec![ours.pair];
    params.mpc.t = params.probcut.t;
    let multi_cut = &mut params.multi_cut;
    // One probe to the full depth is what the search would do first: C = 1, R = 0 is sound.
    (multi_cut.cuts, multi_cut.moves, multi_cut.reduction, multi_cut.min_depth) = match setting {
        Setting::Never => (3, 2, 2, 4),
        Setting::Sound => (1, 4, 0, 2),
        _ => (2, 4, 1, 3),
    };
    let chinook = &mut params.chinook;
    (chinook.deficit, chinook.compensation, chinook.min_depth) = match setting {
        Setting::Never => (INFINITE, 0, 2),
        Setting::Sound => (0, 0, 2),
        _ => (20, 10, 2),
    };
    (chinook.behind, chinook.reduction, chinook.nesting) = (Behind::Both, 0, false);
    let uncertainty = &mut params.uncertainty;
    (uncertainty.moves, uncertainty.min_depth, uncertainty.everywhere) =
        (if never { 300 } else { 1 }, 1, false);
    params.etc.min_depth = if never { 60 } else { 2 };
    (params.iid.min_depth, params.iid.reduction) = (params.etc.min_depth, 1);
}

/// Those that leave out or reduce moves, and those of newer programs.
fn modern(params: &mut Params, setting: Setting) {
    let never = setting == Setting::Never;
    let theirs = &mut params.reverse_futility;
    (theirs.depth, theirs.margin, theirs.improving) = (2, if never { INFINITE } else { 50 }, 0);
    params.lmp.depth = 2;
    let moves = [if never { 300.0 } else { 6.0 }, 0.0];
    (params.lmp.improving, params.lmp.worsening) = (moves, moves);
    let theirs = &mut params.capture_probcut;
    (theirs.margin, theirs.growth) = (if never { INFINITE } else { 20 }, 0);
    (theirs.reduction, theirs.min_depth) = (1, 2);
    let (theirs, margin) = (&mut params.see_pruning, if never { 30_000 } else { 10 });
    (theirs.depth, theirs.quiet, theirs.capture) = (2, margin, margin);
    (params.history_pruning.depth, params.history_pruning.limit) = (2, if never { 20_000 } else { 0 });
    let theirs = &mut params.small_probcut;
    (theirs.margin, theirs.plies, theirs.min_depth) = (if never { INFINITE } else { 10 }, 2, 2);
    let theirs = &mut params.singular;
    (theirs.min_depth, theirs.margin) = (3, if never { INFINITE } else { 5 });
    (theirs.plies, theirs.multi_cut) = (2, true);
    // Every ply may be searched a ply shallower than the search would be.
    let theirs = &mut params.lmr;
    (theirs.min_depth, theirs.full_moves) = (3, if never { 300 } else { 2 });
    (theirs.base, theirs.divisor) = (1.0, f64::INFINITY);
    (theirs.pv_less, theirs.history) = (0, 0);
    let theirs = &mut params.rankcut;
    theirs.threshold = match setting {
        Setting::Never => 0.0,
        Setting::Sound => 1.0,
        _ => 0.5,
    };
    (theirs.reduction, theirs.min_depth, theirs.seen) = (1, 2, 1);
}

/// Those that change a node before it is searched, or act below the horizon.
fn below_and_before(params: &mut Params, setting: Setting) {
    let never = setting == Setting::Never;
    (params.iir.min_depth, params.iir.plies) = (2, i32::from(!never));
    params.check_extension.plies = i32::from(!never);
    let theirs = &mut params.hindsight;
    (theirs.deeper_after, theirs.shallower_from) = if never { (100, 100) } else { (1, 2) };
    theirs.margin = 0;
    params.correction_history.most = if never { 0 } else { 100 };
    params.delta.margin = if never { INFINITE } else { 20 };
    let theirs = &mut params.quiet_exchange;
    (theirs.least, theirs.behind) = if never { (-INFINITE, INFINITE) } else { (0, 10) };
    params.quiet_count.moves = if never { 300 } else { 1 };
}
