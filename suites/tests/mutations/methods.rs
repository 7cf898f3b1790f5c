//! Copies of the methods with a place for a fault in each, made from their published descriptions through the public
//! trait alone. Without a fault a copy searches the very tree of the original, which a test of its own asserts.

use secateur_core::game::{Game, Moves};
use secateur_core::prune::{Asks, Calibration, Depths, Method, Place, Prune, SetupError, Verdict};
use secateur_core::search::{Kind, Node, Search};
use secateur_core::{Depth, Score, Window};
use std::sync::{Mutex, MutexGuard};

/// What is wrong with a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing.
    None,
    /// A value with the sign turned.
    WrongSign,
    /// The value as White sees it, whoever is to move.
    WrongSide,
    /// The static value decides, or is returned, instead of a search or a bound.
    StaticValue,
    /// The static value is claimed as the bound of a move: too strong by gain and margin.
    TightClaim,
    /// The first move is left out like any other.
    NoFirstMove,
    /// Moves that give check are left out too.
    NoChecksSpared,
    /// A bound missed by one counts as reached.
    OffByOne,
    /// Nodes in check are treated like others.
    InCheck,
    /// Open windows are treated like others.
    OpenWindow,
    /// A mate found on a line that is not proven is returned.
    UnprovenMate,
    /// A null move may follow a null move.
    TwiceInARow,
    /// A null move is made with pawns only.
    Zugzwang,
    /// One ply more is taken off.
    TooShort,
    /// The regression's offset has the wrong sign.
    OffsetSign,
    /// The lower bound is raised by the margin instead of lowered.
    LowSide,
    /// The margin is taken off instead of added.
    MarginSign,
    /// What was learnt at another node, or in another search, is still believed.
    Remembers,
    /// A node is reduced although a first move is known.
    KnownMove,
    /// A move that a shallower search finds better is left out all the same.
    NoSearchAgain,
    /// A table entry of any depth is believed.
    Shallow,
    /// A bound of the table is taken for the opposite one.
    WrongBound,
    /// What is only a guess, or found by a lesser search, is taken for the value.
    Believed,
    /// Nodes are treated like those that the method is for.
    Everywhere,
    /// A limit of what may be learnt is not looked at.
    NoLimit,
}

/// Numbers of the copies, as the checks want them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Setting {
    /// As a suite might have them, but eager.
    Usual,
    /// Nothing can be pruned.
    Never,
    /// Whatever is pruned is provably right, in the game that belongs to it.
    Sound,
    /// ProbCut with this a, b and sigma, t = 1, checked at height 1 by the static value.
    Fit(f64, f64, f64),
}

pub(super) fn barred<G: Game>(fault: Fault, node: &Node<'_, G>, game: &G) -> bool {
    let open = node.window.alpha == -Score::INFINITE || node.window.beta == Score::INFINITE;
    let window = if fault == Fault::OpenWindow { node.is_decisive() && !open } else { node.is_decisive() };
    (node.path.kind == Kind::Pv && fault != Fault::OpenWindow)
        || (node.in_check && fault != Fault::InCheck)
        || window
        || node.is_solved_by_depth(game)
}

/// `value` as the fault sees it.
pub(super) fn seen<G: Game>(fault: Fault, value: Score, node: &Node<'_, G>, game: &G) -> Score {
    match fault {
        Fault::WrongSign => -value,
        Fault::WrongSide if game.side(node.pos) == 1 => -value,
        _ => value,
    }
}

/// What a copy has learnt in itself. A search is one thread.
pub(super) fn locked<T>(own: &Mutex<T>) -> MutexGuard<'_, T> {
    own.lock().expect("one thread")
}

macro_rules! stands_for {
    ($method:ident, $name:literal, $marks:literal) => {
        impl Method for $method {
            const NAME: &'static str = $name;
            const MARKS: u32 = $marks;
            type Params = $method;

            fn new(params: &$method, _: &Calibration, _: usize) -> Result<$method, SetupError> {
                Ok(*params)
            }
        }
    };
}

pub(super) use stands_for;

/// Futility at depths 1 and 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Futility {
    pub(super) margins: [i32; 2],
    pub(super) fault: Fault,
}
stands_for!(Futility, "futility", 0);

impl Futility {
    fn claim<G: Game>(&self, game: &G, node: &Node<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let depth = node.depth.0 as usize;
        if depth > 2
            || node.path.kind == Kind::Pv
            || alpha.abs() >= G::DECISIVE
            || node.is_solved_by_depth(game)
        {
            return None;
        }
        let margin = self.margins[depth - 1];
        let margin = if self.fault == Fault::MarginSign { -margin } else { margin };
        if margin >= Score::INFINITE.0 || (node.in_check && self.fault != Fault::InCheck) {
            return None;
        }
        let base = seen(self.fault, node.balance(game), node, game).0 + margin;
        let near = Score(alpha.0 + i32::from(self.fault == Fault::OffByOne));
        let claim = Score(base + game.gain(node.pos, mv).0);
        let spared = self.fault != Fault::NoChecksSpared && game.gives_check(node.pos, mv);
        if base > near.0 || claim > near || spared {
            return None;
        }
        Some(if self.fault == Fault::TightClaim { node.balance(game) } else { claim }.min(alpha))
    }
}

impl<G: Game> Prune<G> for Futility {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, branch: Depths::ALL, skip: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        if self.fault == Fault::StaticValue && node.depth.0 <= 2 && !barred(self.fault, node, &search.game) {
            let value = node.evaluation(&search.game);
            if value.0 + self.margins[node.depth.0 as usize - 1] <= node.window.alpha.0 {
                return Verdict::Cut(value);
            }
        }
        Verdict::Go
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if self.fault == Fault::NoFirstMove {
            let (game, alpha) = (&search.game, node.window.alpha);
            moves.retain(|scored| self.claim(game, node, alpha, scored.mv).is_none());
        }
        Verdict::Go
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        self.claim(&search.game, node, alpha, mv)
    }
}

/// Limited razoring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Razoring {
    pub(super) margin: i32,
    pub(super) fault: Fault,
}
stands_for!(Razoring, "razoring", 0);

impl<G: Game> Prune<G> for Razoring {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        let game = &search.game;
        if node.depth.0 != 3 || barred(self.fault, node, game) || self.margin >= Score::INFINITE.0 {
            return Verdict::Go;
        }
        let near = node.window.alpha.0 + i32::from(self.fault == Fault::OffByOne);
        if seen(self.fault, node.balance(game), node, game).0 + self.margin > near {
            return Verdict::Go;
        }
        match self.fault {
            Fault::StaticValue => Verdict::Cut(node.evaluation(game).min(node.window.alpha)),
            Fault::TooShort => Verdict::Shorten(Depth(1)),
            _ => Verdict::Shorten(Depth(2)),
        }
    }
}

/// Null move with a fixed reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullMove {
    pub(super) reduction: i32,
    pub(super) min_depth: i32,
    pub(super) needs_evaluation: bool,
    pub(super) fault: Fault,
}
stands_for!(NullMove, "null-move", 0);

impl<G: Game> Prune<G> for NullMove {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, sensitive_from: Depth(self.min_depth), ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let fault = self.fault;
        if node.depth.0 < self.min_depth
            || (node.path.after_null && fault != Fault::TwiceInARow)
            || barred(fault, node, &search.game)
            || (!search.game.null_plausible(node.pos) && fault != Fault::Zugzwang)
        {
            return Verdict::Go;
        }
        let beta = node.window.beta;
        let (evaluation, game) = (node.evaluation(&search.game), &search.game);
        if fault == Fault::StaticValue && evaluation >= beta {
            return Verdict::Cut(evaluation);
        }
        let regarded =
            if fault == Fault::WrongSide { seen(fault, evaluation, node, game) } else { evaluation };
        if self.needs_evaluation && regarded < beta {
            return Verdict::Go;
        }
        let Some(passed) = game.null(node.pos) else { return Verdict::Go };
        let depth = node.depth - 1 - self.reduction;
        let window = -Window::at_least(beta);
        let mut value = search.probe_child(place, node, None, &passed, depth, window, node.path.null());
        if fault == Fault::WrongSign {
            value = -value;
        }
        match value {
            _ if search.is_stopped() => Verdict::Go,
            value if value >= G::DECISIVE && fault != Fault::UnprovenMate => Verdict::Cut(beta),
            value if value >= beta => Verdict::Cut(value),
            value if fault == Fault::OffByOne && value.0 >= beta.0 - 1 => Verdict::Cut(beta),
            _ => Verdict::Go,
        }
    }
}

/// ProbCut with one pair and one model for all stages.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbCut {
    pub(super) pair: (i32, i32),
    pub(super) model: (f64, f64),
    /// t sigma; infinite never checks.
    pub(super) margin: f64,
    pub(super) fault: Fault,
}
stands_for!(ProbCut, "probcut", 1);

impl ProbCut {
    fn threshold(&self, bound: Score, sign: f64) -> f64 {
        let (a, b) = self.model;
        let b = if self.fault == Fault::OffsetSign { -b } else { b };
        let sign = if self.fault == Fault::LowSide { 1.0 } else { sign };
        ((sign * self.margin + f64::from(bound.0) - b) / a).round()
    }

    fn check<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        window: Window,
        kind: Kind,
    ) -> Score {
        let path = node.path.probe(place.mark, kind);
        match self.fault {
            Fault::StaticValue => node.evaluation(&search.game),
            fault => {
                let value = search.probe_here(place, node, Depth(self.pair.0), window, path);
                if fault == Fault::WrongSide { seen(fault, value, node, &search.game) } else { value }
            }
        }
    }
}

impl<G: Game> Prune<G> for ProbCut {
    fn asks(&self) -> Asks {
        let sensitive = if self.margin.is_infinite() { i32::MAX } else { self.pair.1 };
        Asks { enter: Depths::ALL, sensitive_from: Depth(sensitive), ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let inside = node.path.is_inside(place.mark);
        if node.depth.0 != self.pair.1
            || inside
            || barred(self.fault, node, &search.game)
            || self.margin.is_infinite()
        {
            return Verdict::Go;
        }
        let slack = i32::from(self.fault == Fault::OffByOne);
        let sign = if self.fault == Fault::WrongSign { -1 } else { 1 };
        let high = self.threshold(node.window.beta, 1.0);
        if high < f64::from(G::DECISIVE.0) {
            let bound = Score(high as i32);
            let value = self.check(search, place, node, Window::at_least(bound), Kind::Cut).0 * sign;
            if value + slack >= bound.0 && !search.is_stopped() {
                return Verdict::Cut(node.window.beta);
            }
        }
        let low = self.threshold(node.window.alpha, -1.0);
        if low > -f64::from(G::DECISIVE.0) {
            let bound = Score(low as i32);
            let value = self.check(search, place, node, Window::at_most(bound), Kind::All).0 * sign;
            if value - slack <= bound.0 && !search.is_stopped() {
                return Verdict::Cut(node.window.alpha);
            }
        }
        Verdict::Go
    }
}
