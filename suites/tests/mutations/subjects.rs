//! What the copies of methods are set up with, the originals likewise, and the faults that each is tried with.

use super::before::{CheckExtension, CorrectionHistory, Hindsight, Iid};
use super::below::{QuietCount, QuietExchange};
use super::checks::Subject;
use super::games::{Bent, POSITIONAL};
use super::given_up::{Chinook, Uncertainty};
use super::late::{Lmr, RankCut};
use super::methods::{Fault, Futility, NullMove, ProbCut, Razoring, Setting};
use super::modern::{CaptureProbCut, Lmp, ReverseFutility};
use super::tabled::Etc;
use super::theorems::Theorem;
use super::today::{Delta, HistoryPruning, Iir, SeePruning, Singular, SmallProbCut};
use secateur_core::Score;
use secateur_core::prune::{Behind, MethodValue, Methods, Params, Prune, Reach, Views};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

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
    NullMove { reduction, min_depth, needs_evaluation: fault == Fault::WrongSide, fault }
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

pub(super) fn see_pruning(fault: Fault, setting: Setting) -> SeePruning {
    SeePruning { depth: 2, margin: if setting == Setting::Never { 30_000 } else { 10 }, fault }
}

pub(super) fn history_pruning(fault: Fault, setting: Setting) -> HistoryPruning {
    let limit = if setting == Setting::Never { 20_000 } else { 0 };
    HistoryPruning { depth: 2, limit, fault, own: Mutex::default() }
}

pub(super) fn small_probcut(fault: Fault, setting: Setting) -> SmallProbCut {
    SmallProbCut { margin: if setting == Setting::Never { INFINITE } else { 10 }, plies: 2, fault }
}

pub(super) fn iir(fault: Fault, setting: Setting) -> Iir {
    Iir { min_depth: 2, plies: i32::from(setting != Setting::Never), fault }
}

pub(super) fn singular(fault: Fault, setting: Setting) -> Singular {
    Singular { margin: if setting == Setting::Never { INFINITE } else { 5 }, fault }
}

pub(super) fn delta(fault: Fault, setting: Setting) -> Delta {
    Delta { margin: if setting == Setting::Never { INFINITE } else { 20 }, fault }
}

/// Every ply may be searched a ply shallower than the search would be.
pub(super) fn lmr(fault: Fault, setting: Setting) -> Lmr {
    Lmr { full_moves: if setting == Setting::Never { 300 } else { 2 }, fault }
}

pub(super) fn rankcut(fault: Fault, setting: Setting) -> RankCut {
    let threshold = match setting {
        Setting::Never => 0.0,
        Setting::Sound => 1.0,
        _ => 0.5,
    };
    RankCut { threshold, fault, own: Mutex::default() }
}

pub(super) fn etc(fault: Fault, setting: Setting) -> Etc {
    Etc { min_depth: if setting == Setting::Never { 60 } else { 2 }, fault }
}

pub(super) fn iid(fault: Fault, setting: Setting) -> Iid {
    let min_depth = if setting == Setting::Never { 60 } else { 2 };
    Iid { min_depth, reduction: 1, fault, found: Mutex::new(None) }
}

pub(super) fn check_extension(fault: Fault, setting: Setting) -> CheckExtension {
    CheckExtension { plies: i32::from(setting != Setting::Never), fault }
}

/// Next to what reduces: alone it has nothing to look back at.
pub(super) fn hindsight(fault: Fault, setting: Setting) -> (Hindsight, Lmr) {
    let (deeper_after, shallower_from) = if setting == Setting::Never { (100, 100) } else { (1, 2) };
    (Hindsight { deeper_after, shallower_from, margin: 0, fault }, lmr(Fault::None, setting))
}

/// Next to what measures by the evaluation: alone it changes nothing.
pub(super) fn correction(fault: Fault, setting: Setting) -> (CorrectionHistory, ReverseFutility) {
    let most = if setting == Setting::Never { 0 } else { 100 };
    (CorrectionHistory { most, fault, own: Mutex::default() }, reverse_futility(Fault::None, setting))
}

pub(super) fn chinook(fault: Fault, setting: Setting) -> Chinook {
    let (deficit, compensation) = match setting {
        Setting::Never => (INFINITE, 0),
        Setting::Sound => (0, 0),
        _ => (20, 10),
    };
    Chinook { deficit, compensation, min_depth: 2, fault }
}

pub(super) fn uncertainty(fault: Fault, setting: Setting) -> Uncertainty {
    Uncertainty { moves: if setting == Setting::Never { 300 } else { 1 }, min_depth: 1, fault }
}

pub(super) fn quiet_exchange(fault: Fault, setting: Setting) -> QuietExchange {
    let (least, behind) = if setting == Setting::Never { (-INFINITE, INFINITE) } else { (0, 10) };
    QuietExchange { least, behind, fault }
}

pub(super) fn quiet_count(fault: Fault, setting: Setting) -> QuietCount {
    QuietCount { moves: if setting == Setting::Never { 300 } else { 1 }, fault, tried: AtomicUsize::new(0) }
}

pub(super) fn reverse_futility(fault: Fault, setting: Setting) -> ReverseFutility {
    ReverseFutility { depth: 2, margin: if setting == Setting::Never { INFINITE } else { 50 }, fault }
}

pub(super) fn lmp(fault: Fault, setting: Setting) -> Lmp {
    Lmp { depth: 2, count: if setting == Setting::Never { 300 } else { 6 }, fault }
}

pub(super) fn capture_probcut(fault: Fault, setting: Setting) -> CaptureProbCut {
    let margin = if setting == Setting::Never { INFINITE } else { 20 };
    CaptureProbCut { margin, reduction: 1, min_depth: 2, fault }
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

/// A copy, for the games that it is tried in.
pub(super) trait Copied:
    Prune<Bent<Chess>> + Prune<Bent<Othello>> + Prune<Chess> + Debug + Send + Sync + 'static
{
}

impl<M> Copied for M where
    M: Prune<Bent<Chess>> + Prune<Bent<Othello>> + Prune<Chess> + Debug + Send + Sync + 'static
{
}

fn value<M: Copied>(copy: M) -> MethodValue {
    MethodValue::new(
        copy,
        Views::default().with::<Bent<Chess>, M>().with::<Bent<Othello>, M>().with::<Chess, M>(),
    )
}

/// What makes a copy as methods of a search.
pub(super) fn one<M: Copied>(make: fn(Fault, Setting) -> M) -> impl Fn(Fault, Setting) -> Methods + Copy {
    move |fault, setting| [value(make(fault, setting))].into_iter().collect()
}

/// The same of two methods.
pub(super) fn two<A: Copied, B: Copied>(
    make: fn(Fault, Setting) -> (A, B),
) -> impl Fn(Fault, Setting) -> Methods + Copy {
    move |fault, setting| {
        let (first, second) = make(fault, setting);
        [value(first), value(second)].into_iter().collect()
    }
}

/// A method with a fault.
pub(super) fn subject(
    name: &'static str,
    fault: Fault,
    make: impl Fn(Fault, Setting) -> Methods + 'static,
) -> Subject {
    let make = Box::new(move |setting| make(fault, setting));
    Subject { name, theorem: theorem(name), few: few(name), healthy: fault == Fault::None, make }
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

/// Gives the originals the numbers of the copies.
pub(super) fn originals(params: &mut Params, setting: Setting) {
    let ours = futility(Fault::None, setting).margins;
    params.futility.frontier = Reach::Fixed(ours[0]);
    params.futility.extended = Reach::Fixed(ours[1]);
    params.razoring.margin = Reach::Fixed(razoring(Fault::None, setting).margin);
    let ours = null_move(Fault::None, setting);
    params.null_move.reduction = ours.reduction;
    params.null_move.min_depth = ours.min_depth;
    let ours = reverse_futility(Fault::None, setting);
    let theirs = &mut params.reverse_futility;
    (theirs.depth, theirs.margin, theirs.improving) = (ours.depth, ours.margin, 0);
    let ours = lmp(Fault::None, setting);
    params.lmp.depth = ours.depth;
    (params.lmp.improving, params.lmp.worsening) = ([ours.count as f64, 0.0], [ours.count as f64, 0.0]);
    let ours = capture_probcut(Fault::None, setting);
    let theirs = &mut params.capture_probcut;
    (theirs.margin, theirs.growth) = (ours.margin, 0);
    (theirs.reduction, theirs.min_depth) = (ours.reduction, ours.min_depth);
    let ours = see_pruning(Fault::None, setting);
    let theirs = &mut params.see_pruning;
    (theirs.depth, theirs.quiet, theirs.capture) = (ours.depth, ours.margin, ours.margin);
    let ours = history_pruning(Fault::None, setting);
    (params.history_pruning.depth, params.history_pruning.limit) = (ours.depth, ours.limit);
    let ours = small_probcut(Fault::None, setting);
    let theirs = &mut params.small_probcut;
    (theirs.margin, theirs.plies, theirs.min_depth) = (ours.margin, ours.plies, 2);
    let ours = iir(Fault::None, setting);
    (params.iir.min_depth, params.iir.plies) = (ours.min_depth, ours.plies);
    let ours = singular(Fault::None, setting);
    let theirs = &mut params.singular;
    (theirs.min_depth, theirs.margin, theirs.plies, theirs.multi_cut) = (3, ours.margin, 2, true);
    params.delta.margin = delta(Fault::None, setting).margin;
    let theirs = &mut params.lmr;
    (theirs.min_depth, theirs.full_moves) = (3, lmr(Fault::None, setting).full_moves);
    (theirs.base, theirs.divisor) = (1.0, f64::INFINITY);
    (theirs.pv_less, theirs.history) = (0, 0);
    let theirs = &mut params.rankcut;
    theirs.threshold = rankcut(Fault::None, setting).threshold;
    (theirs.reduction, theirs.min_depth, theirs.seen) = (1, 2, 1);
    more_originals(params, setting);
}

fn more_originals(params: &mut Params, setting: Setting) {
    params.etc.min_depth = etc(Fault::None, setting).min_depth;
    let ours = iid(Fault::None, setting);
    (params.iid.min_depth, params.iid.reduction) = (ours.min_depth, ours.reduction);
    params.check_extension.plies = check_extension(Fault::None, setting).plies;
    let (ours, _) = hindsight(Fault::None, setting);
    let theirs = &mut params.hindsight;
    (theirs.deeper_after, theirs.shallower_from) = (ours.deeper_after, ours.shallower_from);
    theirs.margin = ours.margin;
    params.correction_history.most = correction(Fault::None, setting).0.most;
    let (ours, theirs) = (chinook(Fault::None, setting), &mut params.chinook);
    (theirs.deficit, theirs.compensation, theirs.min_depth) =
        (ours.deficit, ours.compensation, ours.min_depth);
    (theirs.behind, theirs.reduction, theirs.nesting) = (Behind::Both, 0, false);
    let (ours, theirs) = (uncertainty(Fault::None, setting), &mut params.uncertainty);
    (theirs.moves, theirs.min_depth, theirs.everywhere) = (ours.moves, ours.min_depth, false);
    let ours = quiet_exchange(Fault::None, setting);
    (params.quiet_exchange.least, params.quiet_exchange.behind) = (ours.least, ours.behind);
    params.quiet_count.moves = quiet_count(Fault::None, setting).moves;
}

pub(super) const FUTILITY: &[(Fault, &str)] = &[
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::MarginSign, "margin taken off"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TightClaim, "bound of a move too strong"),
    (Fault::NoFirstMove, "first move left out too"),
    (Fault::NoChecksSpared, "moves that give check left out too"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::InCheck, "in check"),
];
pub(super) const RAZORING: &[(Fault, &str)] = &[
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the balance"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::TooShort, "two plies taken off"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const NULL_MOVE: &[(Fault, &str)] = &[
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::StaticValue, "node returns its static value"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::UnprovenMate, "unproven mate returned"),
    (Fault::TwiceInARow, "twice in a row"),
    (Fault::Zugzwang, "with pawns only"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const PROBCUT: &[(Fault, &str)] = &[
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongSide, "White's view of the check"),
    (Fault::StaticValue, "static value instead of a search"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::OffsetSign, "wrong sign of the offset b"),
    (Fault::LowSide, "wrong side of the margin at alpha"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const REVERSE_FUTILITY: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const LMP: &[(Fault, &str)] = &[
    (Fault::NoFirstMove, "first move left out too"),
    (Fault::NoChecksSpared, "moves that give check left out too"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const CAPTURE_PROBCUT: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::TwiceInARow, "within its own probe"),
    (Fault::UnprovenMate, "unproven mate returned"),
];
pub(super) const SEE_PRUNING: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the exchange"),
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
    (Fault::UnprovenMate, "where being mated is all that is known"),
];
pub(super) const HISTORY_PRUNING: &[(Fault, &str)] = &[
    (Fault::NoFirstMove, "first move left out too"),
    (Fault::NoChecksSpared, "moves that give check left out too"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
    (Fault::UnprovenMate, "where being mated is all that is known"),
    (Fault::Remembers, "history of earlier searches kept"),
];
pub(super) const SMALL_PROBCUT: &[(Fault, &str)] = &[
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::UnprovenMate, "stored mate returned"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const IIR: &[(Fault, &str)] = &[
    (Fault::KnownMove, "where a first move is known"),
    (Fault::WrongSide, "where no move is expected to be first"),
    (Fault::WrongSign, "a ply deeper instead, next to the root"),
    (Fault::TooShort, "nothing left to search"),
];
pub(super) const SINGULAR: &[(Fault, &str)] = &[
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::TwiceInARow, "within its own probe"),
    (Fault::Remembers, "what was singular elsewhere extended"),
    (Fault::InCheck, "cut in check"),
    (Fault::OpenWindow, "cut in an open window"),
];
pub(super) const LMR: &[(Fault, &str)] = &[
    (Fault::WrongSign, "window not turned round"),
    (Fault::NoSearchAgain, "not searched again if better than alpha"),
    (Fault::TooShort, "nothing left to search"),
    (Fault::NoChecksSpared, "moves that give check reduced too"),
    (Fault::InCheck, "in check"),
    (Fault::UnprovenMate, "where being mated is all that is known"),
];
pub(super) const RANKCUT: &[(Fault, &str)] = &[
    (Fault::NoSearchAgain, "not searched again if better than alpha"),
    (Fault::NoChecksSpared, "moves that give check reduced too"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
    (Fault::Remembers, "counts of earlier searches kept"),
];
pub(super) const DELTA: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of standing pat"),
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::UnprovenMate, "where a mate is the bound"),
];
pub(super) const ETC: &[(Fault, &str)] = &[
    (Fault::WrongSign, "wrong sign"),
    (Fault::WrongBound, "lower bound taken for an upper one"),
    (Fault::Shallow, "entry of another depth believed"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const IID: &[(Fault, &str)] = &[
    (Fault::Believed, "value of the shallower search returned"),
    (Fault::TooShort, "depth of the shallower search kept"),
    (Fault::KnownMove, "where a first move is known"),
    (Fault::WrongSide, "where no move is expected to be first"),
];
pub(super) const CHECK_EXTENSION: &[(Fault, &str)] = &[
    (Fault::WrongSign, "a ply shallower instead"),
    (Fault::WrongSide, "White's checks forgotten"),
    (Fault::OffByOne, "not next to the root"),
    (Fault::OpenWindow, "not in an open window"),
];
pub(super) const HINDSIGHT: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::WrongSign, "difference instead of the sum"),
    (Fault::Everywhere, "moves that nobody reduced, next to the root"),
    (Fault::OffByOne, "two plies deeper, next to the root"),
    (Fault::TooShort, "nothing left to search"),
];
pub(super) const CORRECTION: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the correction"),
    (Fault::WrongSign, "correction taken off"),
    (Fault::NoLimit, "largest correction not looked at"),
    (Fault::InCheck, "in check"),
    (Fault::Remembers, "corrections of earlier searches kept"),
];
pub(super) const CHINOOK: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of the evaluation"),
    (Fault::MarginSign, "wrong side of the deficit"),
    (Fault::StaticValue, "static value instead of a search"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::TwiceInARow, "within its own probe"),
    (Fault::InCheck, "in check"),
    (Fault::OpenWindow, "in an open window"),
];
pub(super) const UNCERTAINTY: &[(Fault, &str)] = &[
    (Fault::Everywhere, "at all expected cut nodes"),
    (Fault::Believed, "guesses relied on"),
    (Fault::OffByOne, "less than the bound claimed"),
    (Fault::OpenWindow, "in an open window"),
    (Fault::InCheck, "in check"),
    (Fault::UnprovenMate, "where a mate is the bound"),
];
pub(super) const QUIET_EXCHANGE: &[(Fault, &str)] = &[
    (Fault::WrongSide, "White's view of standing pat"),
    (Fault::WrongSign, "wrong sign of the exchange"),
    (Fault::MarginSign, "wrong side of the margin"),
    (Fault::OffByOne, "bound off by one"),
    (Fault::UnprovenMate, "where a mate is the bound"),
];
pub(super) const QUIET_COUNT: &[(Fault, &str)] = &[
    (Fault::NoFirstMove, "first capture left out too"),
    (Fault::Remembers, "captures of other nodes counted too"),
    (Fault::NoChecksSpared, "captures that give check left out too"),
    (Fault::UnprovenMate, "where a mate is the bound"),
];
