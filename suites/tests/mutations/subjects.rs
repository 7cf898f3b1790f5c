//! What the copies of methods of today are set up with, the originals likewise, and the faults that each is tried with.

use super::late::{Lmr, RankCut};
use super::methods::{Fault, Setting};
use super::modern::{CaptureProbCut, Lmp, ReverseFutility};
use super::theorems::{Subject, Theorem};
use super::today::{Delta, HistoryPruning, Iir, SeePruning, Singular, SmallProbCut};
use secateur_core::Score;
use secateur_core::prune::Params;
use std::cell::RefCell;

const INFINITE: i32 = Score::INFINITE.0;

pub(super) fn see_pruning(fault: Fault, setting: Setting) -> SeePruning {
    SeePruning { depth: 2, margin: if setting == Setting::Never { 30_000 } else { 10 }, fault }
}

pub(super) fn history_pruning(fault: Fault, setting: Setting) -> HistoryPruning {
    let limit = if setting == Setting::Never { 20_000 } else { 0 };
    HistoryPruning { depth: 2, limit, fault, own: RefCell::default() }
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
    RankCut { threshold, fault, own: RefCell::default() }
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

/// The theorem of a method of today.
pub(super) fn theorem(name: &str) -> Theorem {
    match name {
        "lmr" | "rankcut" => Theorem::Reduced,
        _ => Theorem::Nothing,
    }
}

/// A method of today.
pub(super) fn subject<M: 'static>(
    name: &'static str,
    bit: u32,
    fault: Fault,
    make: fn(Fault, Setting) -> M,
) -> Subject<M> {
    let make = Box::new(move |setting| make(fault, setting));
    Subject { name, bit, theorem: theorem(name), healthy: fault == Fault::None, make }
}

/// Gives the originals the numbers of the copies.
pub(super) fn originals(params: &mut Params, setting: Setting) {
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
}

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
