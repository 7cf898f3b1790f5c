//! Copies of six more modern methods with a place for a fault in each.

use super::methods::{Fault, Setting, barred, locked, seen, stands_for};
use super::subjects::history_pruning;
use secateur_core::game::{Game, Moves, QuietNode};
use secateur_core::prune::{Asks, Calibration, Depths, Method, Place, Prune, Searched, SetupError, Verdict};
use secateur_core::search::{Bound, Kind, MAX_DEPTH, Node, Quiet, Search};
use secateur_core::{Depth, Score, Window};
use std::collections::BTreeMap;
use std::sync::Mutex;

const INFINITE: i32 = Score::INFINITE.0;

/// Whether a method that leaves out single moves is forbidden a node, as the fault sees it.
pub(super) fn barred_move<G: Game>(fault: Fault, node: &Node<'_, G>, alpha: Score, game: &G) -> bool {
    (node.path.kind == Kind::Pv && fault != Fault::OpenWindow)
        || (node.in_check && fault != Fault::InCheck)
        || (alpha.abs() >= G::DECISIVE && fault != Fault::UnprovenMate)
        || node.is_solved_by_depth(game)
}

/// Pruning by exchange, with one margin a ply for all moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeePruning {
    pub(super) depth: i32,
    pub(super) margin: i32,
    pub(super) fault: Fault,
}
stands_for!(SeePruning, "see-pruning", 0);

impl<G: Game> Prune<G> for SeePruning {
    fn asks(&self) -> Asks {
        Asks { skip: Depths::ALL, ..Asks::of::<Self>() }
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
        let (fault, plies, game) = (self.fault, node.depth.0, &search.game);
        if plies > self.depth || barred_move(fault, node, alpha, game) {
            return None;
        }
        let plies = if game.tactical(node.pos, mv) { plies * plies } else { plies };
        let margin = if fault == Fault::MarginSign { -self.margin } else { self.margin };
        let won = seen(fault, game.exchange(node.pos, mv), node, game);
        (won.0 < -margin * plies).then_some(alpha)
    }
}

/// Pruning by history; with a fault that learns in itself, where nobody makes it forget.
#[derive(Debug)]
pub(super) struct HistoryPruning {
    pub(super) depth: i32,
    pub(super) limit: i32,
    pub(super) fault: Fault,
    pub(super) own: Mutex<BTreeMap<(usize, usize), i32>>,
}

impl Method for HistoryPruning {
    const NAME: &'static str = "history-pruning";
    type Params = ();

    fn new((): &(), _: &Calibration, _: usize) -> Result<HistoryPruning, SetupError> {
        Ok(history_pruning(Fault::None, Setting::Usual))
    }
}

impl HistoryPruning {
    fn merit<G: Game>(&self, search: &Search<'_, G>, node: &Node<'_, G>, mv: G::Move) -> i32 {
        if self.fault != Fault::Remembers {
            return search.merit(node, mv);
        }
        let key = (search.game.side(node.pos), search.game.history_index(node.pos, mv));
        *locked(&self.own).entry(key).and_modify(|merit| *merit -= 1).or_default()
    }

    fn drops<G: Game>(&self, search: &Search<'_, G>, node: &Node<'_, G>, alpha: Score, mv: G::Move) -> bool {
        let (fault, game) = (self.fault, &search.game);
        node.depth.0 <= self.depth
            && !barred_move(fault, node, alpha, game)
            && self.merit(search, node, mv) < -self.limit * node.depth.0
            && !game.tactical(node.pos, mv)
            && (!game.gives_check(node.pos, mv) || fault == Fault::NoChecksSpared)
    }
}

impl<G: Game> Prune<G> for HistoryPruning {
    fn asks(&self) -> Asks {
        let leave = Depths::ALL.when(self.fault == Fault::Remembers);
        Asks { branch: Depths::ALL, skip: Depths::ALL, leave, ..Asks::of::<Self>() }
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if self.fault == Fault::NoFirstMove {
            moves.retain(|scored| !self.drops(search, node, node.window.alpha, scored.mv));
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
        self.drops(search, node, alpha, mv).then_some(alpha)
    }

    fn leave(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, found: &Searched<G::Move>) {
        if let Some((mv, _)) = found.best {
            let key = (search.game.side(node.pos), search.game.history_index(node.pos, mv));
            *locked(&self.own).entry(key).or_default() += node.depth.0;
        }
    }
}

/// Small ProbCut.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallProbCut {
    pub(super) margin: i32,
    pub(super) plies: i32,
    pub(super) fault: Fault,
}
stands_for!(SmallProbCut, "small-probcut", 0);

impl<G: Game> Prune<G> for SmallProbCut {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        let (fault, beta) = (self.fault, node.window.beta);
        let margin = if fault == Fault::MarginSign { -self.margin } else { self.margin };
        let raised = Score(beta.0.saturating_add(margin));
        if node.depth.0 < 2 || raised >= G::DECISIVE || barred(fault, node, &search.game) {
            return Verdict::Go;
        }
        let Some(entry) = search.entry(node) else { return Verdict::Go };
        let mate = entry.score >= G::DECISIVE;
        if entry.bound == Bound::Upper
            || entry.draft < node.depth - self.plies
            || entry.score < raised
            || (mate && fault != Fault::UnprovenMate)
        {
            return Verdict::Go;
        }
        Verdict::Cut(if fault == Fault::UnprovenMate { entry.score } else { beta })
    }
}

/// Internal iterative reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iir {
    pub(super) min_depth: i32,
    pub(super) plies: i32,
    pub(super) fault: Fault,
}
stands_for!(Iir, "iir", 0);

impl<G: Game> Prune<G> for Iir {
    fn asks(&self) -> Asks {
        Asks { approach: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn approach(&self, search: &mut Search<'_, G>, _: Place, node: &mut Node<'_, G>, hint: bool) {
        let fault = self.fault;
        if (hint && fault != Fault::KnownMove)
            || (self.plies == 0 && fault != Fault::TooShort)
            || node.depth.0 < self.min_depth
            || !(search.needs_first_move(node) || fault == Fault::WrongSide)
        {
            return;
        }
        let plies = match fault {
            Fault::TooShort => node.depth.0,
            // Next to the root alone, or the tree would grow by a multiple.
            Fault::WrongSign if node.ply == 1 => -self.plies,
            Fault::WrongSign => 0,
            _ => self.plies,
        };
        node.depth = node.depth - plies;
    }
}

/// Singular extension with its cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Singular {
    pub(super) margin: i32,
    pub(super) fault: Fault,
}

impl Method for Singular {
    const NAME: &'static str = "singular";
    const MARKS: u32 = 1;
    const CELLS: usize = 2 * MAX_DEPTH as usize + 2;
    type Params = Singular;

    fn new(params: &Singular, _: &Calibration, _: usize) -> Result<Singular, SetupError> {
        Ok(*params)
    }
}

impl Singular {
    fn acts<G: Game>(&self, node: &Node<'_, G>, game: &G) -> bool {
        node.depth.0 >= 3
            && (self.margin < INFINITE || self.fault == Fault::MarginSign)
            && !node.is_solved_by_depth(game)
    }
}

impl<G: Game> Prune<G> for Singular {
    fn asks(&self) -> Asks {
        let sensitive = if self.margin >= INFINITE { i32::MAX } else { 3 };
        Asks {
            branch: Depths::ALL,
            extend: Depths::ALL,
            sensitive_from: Depth(sensitive),
            ..Asks::of::<Self>()
        }
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        _: &mut Moves<G>,
    ) -> Verdict {
        let fault = self.fault;
        if !self.acts(node, &search.game) {
            return Verdict::Go;
        }
        // What was singular at another node of this ply.
        if fault != Fault::Remembers {
            search.learnt(place)[node.ply as usize] = 0;
        }
        let inside = node.path.is_inside(place.mark) && fault != Fault::TwiceInARow;
        if inside || node.partial {
            return Verdict::Go;
        }
        let Some(entry) = search.entry(node) else { return Verdict::Go };
        let Some(mv) = entry.mv else { return Verdict::Go };
        let mate = entry.score.abs() >= G::DECISIVE;
        if entry.bound == Bound::Upper || entry.draft < node.depth - 2 || mate {
            return Verdict::Go;
        }
        let margin = self.margin.saturating_mul(node.depth.0);
        let margin = if fault == Fault::MarginSign { -margin } else { margin };
        let bound = Score(entry.score.0.saturating_sub(margin)).clamped();
        if bound.0 <= -G::DECISIVE.0 {
            return Verdict::Go;
        }
        let depth = Depth((node.depth.0 - 1) / 2);
        let value = search.probe_without(place, node, mv, depth, Window::at_least(bound));
        if search.is_stopped() {
            return Verdict::Go;
        }
        if value.is_none_or(|value| value < bound) {
            search.learnt(place)[node.ply as usize] = i32::from(search.game.pack(mv));
        } else if bound >= node.window.beta && !barred(fault, node, &search.game) {
            return Verdict::Cut(bound);
        }
        Verdict::Go
    }

    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        _: usize,
    ) -> i32 {
        if !self.acts(node, &search.game) || node.partial {
            return 0;
        }
        let packed = i32::from(search.game.pack(mv));
        i32::from(search.learnt(place)[node.ply as usize] == packed)
    }
}

/// Delta pruning below the horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delta {
    pub(super) margin: i32,
    pub(super) fault: Fault,
}
stands_for!(Delta, "delta", 0);

impl<G: Game> Prune<G> for Delta {
    fn asks(&self) -> Asks {
        Asks { quiet: true, ..Asks::of::<Self>() }
    }

    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, G>,
        _: Place,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let (fault, game) = (self.fault, search.game());
        if alpha.abs() >= G::DECISIVE && fault != Fault::UnprovenMate {
            return None;
        }
        let stand = match fault {
            Fault::WrongSide if game.side(node.pos) == 1 => -node.stand,
            _ => node.stand,
        };
        let margin = if fault == Fault::MarginSign { -self.margin } else { self.margin };
        let claim = Score(stand.0 + game.gain(node.pos, mv).0 + margin);
        let near = Score(alpha.0 + i32::from(fault == Fault::OffByOne));
        (claim <= near).then_some(claim)
    }
}
