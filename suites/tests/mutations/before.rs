//! Copies of the methods that speak before a node is searched, with a place for a fault in each: internal iterative
//! deepening, the check extension, hindsight and correction history.

use super::methods::{Fault, Setting, locked, seen};
use super::subjects::{correction, iid};
use secateur_core::game::Game;
use secateur_core::prune::{Asks, Calibration, Depths, Method, Place, Prune, Searched, SetupError, Verdict};
use secateur_core::search::{Kind, Node, Search};
use secateur_core::{Score, Window};
use std::sync::Mutex;

/// Internal iterative deepening.
#[derive(Debug)]
pub(super) struct Iid {
    pub(super) min_depth: i32,
    pub(super) reduction: i32,
    pub(super) fault: Fault,
    /// What the last search for a move found, for a fault.
    pub(super) found: Mutex<Option<Score>>,
}

impl Method for Iid {
    const NAME: &'static str = "iid";
    type Params = ();

    fn new((): &(), _: &Calibration, _: usize) -> Result<Iid, SetupError> {
        Ok(iid(Fault::None, Setting::Usual))
    }
}

impl<G: Game> Prune<G> for Iid {
    fn asks(&self) -> Asks {
        Asks { approach: Depths::ALL, enter: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, hint: bool) {
        let fault = self.fault;
        *locked(&self.found) = None;
        if (hint && fault != Fault::KnownMove)
            || node.depth.0 < self.min_depth
            || !(search.needs_first_move(node) || fault == Fault::WrongSide)
        {
            return;
        }
        let depth = node.depth - self.reduction;
        let value = search.probe_here(place, node, depth, node.window, node.path);
        match fault {
            Fault::Believed => *locked(&self.found) = Some(value),
            Fault::TooShort => node.depth = depth,
            _ => {}
        }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        let Window { alpha, beta } = node.window;
        let found = locked(&self.found).take();
        match found {
            Some(value) if (value <= alpha || value >= beta) && !search.is_stopped() => Verdict::Cut(value),
            _ => Verdict::Go,
        }
    }
}

/// The check extension.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckExtension {
    pub(super) plies: i32,
    pub(super) fault: Fault,
}

impl<G: Game> Prune<G> for CheckExtension {
    fn asks(&self) -> Asks {
        Asks { name: "check-extension", approach: Depths::ALL.when(self.plies > 0), ..Asks::default() }
    }

    fn approach(&self, search: &mut Search<'_, G>, _: Place, node: &mut Node<'_, G>, _: bool) {
        let forgotten = match self.fault {
            Fault::WrongSide => search.game.side(node.pos) == 1,
            Fault::OffByOne => node.ply == 1,
            Fault::OpenWindow => node.path.kind == Kind::Pv,
            _ => false,
        };
        if node.in_check && !forgotten {
            node.depth = node.depth + if self.fault == Fault::WrongSign { -self.plies } else { self.plies };
        }
    }
}

/// Hindsight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hindsight {
    pub(super) deeper_after: i32,
    pub(super) shallower_from: i32,
    pub(super) margin: i32,
    pub(super) fault: Fault,
}

impl<G: Game> Prune<G> for Hindsight {
    fn asks(&self) -> Asks {
        Asks { name: "hindsight", approach: Depths::ALL, evaluations: true, ..Asks::default() }
    }

    fn approach(&self, search: &mut Search<'_, G>, _: Place, node: &mut Node<'_, G>, _: bool) {
        let fault = self.fault;
        // Next to the root alone, or the tree would grow by a multiple.
        let every = fault == Fault::Everywhere && node.ply == 1;
        let reduced = if every { 1 } else { search.reduced(node) };
        if reduced < 1 || node.in_check {
            return;
        }
        let Some(before) = search.evaluation_before(node) else { return };
        let sum = seen(fault, node.evaluation(&search.game), node, &search.game) + before;
        let least = if fault == Fault::TooShort { 1 } else { self.shallower_from };
        if reduced >= self.deeper_after && sum <= Score::ZERO {
            node.depth = node.depth + if fault == Fault::OffByOne && node.ply == 1 { 2 } else { 1 };
        } else if node.depth.0 >= least && sum.0 > self.margin {
            node.depth = node.depth - 1;
        }
    }
}

/// Parts of a score unit that a cell counts in, the most that an observation weighs, and cells.
const GRAIN: i32 = 256;
const MOST_WEIGHT: i32 = 16;
const CELLS: usize = 1 << 14;

/// Correction history; with a fault that learns in itself, where nobody makes it forget.
#[derive(Debug)]
pub(super) struct CorrectionHistory {
    pub(super) most: i32,
    pub(super) fault: Fault,
    pub(super) own: Mutex<Vec<i32>>,
}

impl Method for CorrectionHistory {
    const NAME: &'static str = "correction-history";
    const CELLS: usize = CELLS;
    type Params = ();

    fn new((): &(), _: &Calibration, _: usize) -> Result<CorrectionHistory, SetupError> {
        Ok(correction(Fault::None, Setting::Usual).0)
    }
}

impl CorrectionHistory {
    /// Does something with the cell of a node's structure, if it has one.
    fn learnt<G: Game, T>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        act: impl FnOnce(&mut i32) -> T,
    ) -> Option<T> {
        let cell = search.game.structure(node.pos).map(|hash| (hash >> 32) as usize & (CELLS - 1))?;
        if self.fault != Fault::Remembers {
            return Some(act(&mut search.learnt(place)[cell]));
        }
        let mut own = locked(&self.own);
        own.resize(CELLS, 0);
        Some(act(&mut own[cell]))
    }

    /// The largest correction.
    fn most(&self) -> i32 {
        if self.fault == Fault::NoLimit { 1000 } else { self.most }
    }
}

impl<G: Game> Prune<G> for CorrectionHistory {
    fn asks(&self) -> Asks {
        let depths = Depths::ALL.when(self.most() > 0);
        Asks { approach: depths, leave: depths, ..Asks::of::<Self>() }
    }

    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        if (node.in_check && self.fault != Fault::InCheck) || self.most() == 0 {
            return;
        }
        let Some(cell) = self.learnt(search, place, node, |cell| *cell) else { return };
        let correction = seen(self.fault, Score(cell / GRAIN), node, &search.game);
        if correction != Score::ZERO {
            search.correct(node, correction);
        }
    }

    fn leave(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, found: &Searched<G::Move>) {
        let score = found.score;
        if node.ply == 0 || node.in_check || score.abs() >= G::DECISIVE {
            return;
        }
        let evaluation = node.evaluation(&search.game);
        let taught = match found.best {
            Some((mv, _)) => {
                !search.game.tactical(node.pos, mv) && (score < node.window.beta || score > evaluation)
            }
            None => score < evaluation,
        };
        if !taught {
            return;
        }
        let weight = (node.depth.0 + 1).min(MOST_WEIGHT);
        let (most, fine) = (self.most(), self.most() * GRAIN);
        self.learnt(search, place, node, |cell| {
            let seen = ((score - evaluation).0.clamp(-most, most) * GRAIN + *cell).clamp(-fine, fine);
            *cell = ((*cell * (256 - weight) + seen * weight) / 256).clamp(-fine, fine);
        });
    }
}
