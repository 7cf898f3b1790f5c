//! Copies of the methods that search late moves shallower first, with a place for a fault in each.

use super::methods::{Fault, Setting, locked, stands_for};
use super::subjects::rankcut;
use super::today::barred_move;
use secateur_core::game::Game;
use secateur_core::prune::{Asks, Calibration, Depths, Method, Place, Prune, Searched, SetupError};
use secateur_core::search::{Kind, Node, Search};
use secateur_core::{Depth, Score, Window};
use std::sync::Mutex;

/// A null-window search of a move that is `plies` shallower: what it claims if it does not say that the move is better.
fn shallower<G: Game>(
    (fault, plies): (Fault, i32),
    search: &mut Search<'_, G>,
    place: Place,
    node: &Node<'_, G>,
    alpha: Score,
    mv: G::Move,
) -> Option<Score> {
    let child = search.game.play(node.pos, mv);
    let path = node.path.child(node.path.kind.child());
    let window = Window::at_most(alpha);
    let window = if fault == Fault::WrongSign { window } else { -window };
    let depth = if fault == Fault::TooShort { Depth(0) } else { node.depth - 1 - plies };
    let value = search.probe_child(place, node, Some(mv), &child, depth, window, path);
    match fault {
        _ if search.is_stopped() => None,
        Fault::NoSearchAgain => Some(value.min(alpha)),
        _ => (value <= alpha).then_some(value),
    }
}

/// Late-move reductions by one ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lmr {
    pub(super) full_moves: usize,
    pub(super) fault: Fault,
}
stands_for!(Lmr, "lmr", 0);

impl<G: Game> Prune<G> for Lmr {
    fn asks(&self) -> Asks {
        Asks { skip: Depths::ALL, ..Asks::of::<Self>() }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let (fault, game) = (self.fault, &search.game);
        if node.depth.0 < 3
            || index < self.full_moves
            || (node.in_check && fault != Fault::InCheck)
            || (alpha <= -G::DECISIVE && fault != Fault::UnprovenMate)
            || node.is_solved_by_depth(game)
            || game.tactical(node.pos, mv)
            || (game.gives_check(node.pos, mv) && fault != Fault::NoChecksSpared)
        {
            return None;
        }
        shallower((fault, 1), search, place, node, alpha, mv)
    }
}

/// Depths, places and types that are told apart.
const DEPTHS: usize = 16;
const PLACES: usize = 24;
const KINDS: usize = 3;

/// `RankCut`; with a fault that counts in itself, where nobody makes it forget.
#[derive(Debug)]
pub(super) struct RankCut {
    pub(super) threshold: f64,
    pub(super) fault: Fault,
    pub(super) own: Mutex<Vec<i32>>,
}

impl Method for RankCut {
    const NAME: &'static str = "rankcut";
    const CELLS: usize = 2 * DEPTHS * PLACES * KINDS;
    type Params = ();

    fn new((): &(), _: &Calibration, _: usize) -> Result<RankCut, SetupError> {
        Ok(rankcut(Fault::None, Setting::Usual))
    }
}

impl RankCut {
    fn cell<G: Game>(node: &Node<'_, G>, index: usize) -> usize {
        let depth = (node.depth.0.max(0) as usize).min(DEPTHS - 1);
        let kind = match node.path.kind {
            Kind::Pv => 0,
            Kind::Cut => 1,
            Kind::All => 2,
        };
        2 * ((depth * PLACES + index.min(PLACES - 1)) * KINDS + kind)
    }

    /// Does something with what was counted.
    fn counted<G: Game, T>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        act: impl FnOnce(&mut [i32]) -> T,
    ) -> T {
        if self.fault != Fault::Remembers {
            return act(search.learnt(place));
        }
        let mut own = locked(&self.own);
        own.resize(RankCut::CELLS, 0);
        act(&mut own)
    }
}

impl<G: Game> Prune<G> for RankCut {
    fn asks(&self) -> Asks {
        Asks { skip: Depths::ALL, leave: Depths::ALL.when(self.threshold > 0.0), ..Asks::of::<Self>() }
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let (fault, cell) = (self.fault, RankCut::cell(node, index));
        let (seen, better) = self.counted(search, place, |cells| (cells[cell], cells[cell + 1]));
        let game = &search.game;
        if node.depth.0 < 2
            || seen < 1
            || f64::from(better) >= self.threshold * f64::from(seen)
            || barred_move(fault, node, alpha, game)
            || game.tactical(node.pos, mv)
            || (game.gives_check(node.pos, mv) && fault != Fault::NoChecksSpared)
        {
            return None;
        }
        shallower((fault, 1), search, place, node, alpha, mv)
    }

    fn leave(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, found: &Searched<G::Move>) {
        let best = found.best.map_or(0, |(_, index)| index);
        self.counted(search, place, |cells| {
            for index in 1..found.tried.min(PLACES) {
                let cell = RankCut::cell(node, index);
                cells[cell] += 1;
                cells[cell + 1] += i32::from(index <= best);
                if cells[cell] >= 1 << 16 {
                    cells[cell] /= 2;
                    cells[cell + 1] /= 2;
                }
            }
        });
    }
}
