//! Late-move reductions: moves that come late in the order are searched shallower first, and to full depth only
//! if they turn out better than expected.
//!
//! Sources: Fruit 2.1 (Letouzey 2005, "history pruning"); Glaurung (Romstad, "An introduction to late move
//! reductions", 2006); the logarithmic table of Stockfish (Romstad, Costalba & Kiiski 2009). As an option, late moves near the
//! horizon are not searched at all (late-move pruning, the "history pruning" of Toga II and the move counts of
//! Glaurung). Spared: captures, promotions, checks, nodes in check, lines on which only being mated is known.

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError, SkipPlan};
use crate::game::Game;
use crate::score::{Score, Window};
use crate::search::{Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Depths and move numbers that the table of reductions tells apart; beyond, the last row goes on.
const ROWS: usize = 64;
/// Plies that a reduced search keeps.
const KEPT: i32 = 1;

/// Parameters of late-move reductions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Least depth of a node whose moves are reduced, plies, at least 2.
    pub min_depth: i32,
    /// Moves that are searched to full depth first, at least 1.
    pub full_moves: usize,
    /// Plies that every reduction begins with, before rounding down.
    pub base: f64,
    /// The reduction is base + ln(depth) ln(move number) / divisor plies, rounded down; infinite: `base` alone.
    pub divisor: f64,
    /// Plies less on the principal variation.
    pub pv_less: i32,
    /// History value that is worth one ply, up to two either way; 0 leaves history out.
    pub history: i32,
    /// Plies before the move whose moves it is paired with, 0 to 2: the histories of these pairs ([`Search::merit_of_pairs`]) are
    /// added to its own.
    #[serde(default)]
    pub pairs: u32,
    /// Greatest depth at which late moves are dropped without a search; 0 is never.
    #[serde(default)]
    pub drop_depth: i32,
    /// Moves tried at depth d before others are dropped: the first number plus d² times the second.
    #[serde(default)]
    pub drop_after: [usize; 2],
}

/// Late-move reductions by a table.
#[derive(Clone, Debug)]
pub struct Lmr {
    params: Params,
    /// Plies by depth and move number, before what the node adds.
    plies: Box<[[i8; ROWS]; ROWS]>,
}

impl Method for Lmr {
    const NAME: &'static str = "lmr";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { min_depth, full_moves, base, divisor, history, pairs, drop_depth, .. } = *params;
        let sound = base.is_finite() && divisor > 0.0 && history >= 0 && pairs <= 2 && drop_depth >= 0;
        Self::require(
            min_depth >= 2 && full_moves >= 1 && sound,
            format_args!(
                "min-depth {min_depth}, full-moves {full_moves}, base {base}, divisor {divisor}, history {history}, \
                 pairs {pairs}, drop-depth {drop_depth}: expected min-depth >= 2, full-moves >= 1, base finite, \
                 divisor > 0, history and drop-depth >= 0, pairs 0 to 2"
            ),
        )?;
        let mut plies = Box::new([[0; ROWS]; ROWS]);
        for (depth, row) in plies.iter_mut().enumerate().skip(1) {
            for (number, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *cell = (base + product / divisor).clamp(0.0, f64::from(i8::MAX)) as i8;
            }
        }
        Ok(Lmr { params: params.clone(), plies })
    }
}

impl Lmr {
    /// Plies by which the move at `index` of the order is searched shallower, or less than 1.
    #[inline]
    fn reduction<G: Game>(
        &self,
        search: &Search<'_, G>,
        node: &Node<'_, G>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        let depth = (node.depth.0 as usize).min(ROWS - 1);
        let mut plies = i32::from(self.plies[depth][(index + 1).min(ROWS - 1)]);
        if node.path.kind == Kind::Pv {
            plies -= self.params.pv_less;
        }
        if self.params.history > 0 {
            let merit = search.merit(node, mv) + search.merit_of_pairs(node, mv, self.params.pairs);
            plies -= (merit / self.params.history).clamp(-2, 2);
        }
        plies.min(node.depth.0 - 1 - KEPT)
    }

    /// The first move that is not searched at all.
    #[inline]
    fn drops_from<G: Game>(&self, node: &Node<'_, G>) -> usize {
        let [first, more] = self.params.drop_after;
        let depth = node.depth.0;
        let drops = depth <= self.params.drop_depth && node.path.kind != Kind::Pv;
        if drops { first + more * (depth * depth) as usize } else { usize::MAX }
    }
}

/// The search of a move that many plies shallower: its value, if that is no better than `alpha`.
#[inline(always)]
pub(super) fn shallower<G: Game>(
    search: &mut Search<'_, G>,
    place: Place,
    node: &Node<'_, G>,
    alpha: Score,
    mv: G::Move,
    plies: i32,
) -> Option<Score> {
    let child = search.game.play(node.pos, mv);
    let path = node.path.child(node.path.kind.child());
    let (depth, window) = (node.depth - 1 - plies, -Window::at_most(alpha));
    let value = search.probe_child(place, node, Some(mv), &child, depth, window, path);
    (value <= alpha && !search.is_stopped()).then_some(value)
}

impl<G: Game> Prune<G> for Lmr {
    fn asks(&self) -> Asks {
        let Params { min_depth, history, pairs, drop_depth, .. } = self.params;
        Asks {
            skip: Depths::from(if drop_depth > 0 { 1 } else { min_depth }),
            // Without history they are not looked at.
            pairs: if history > 0 { pairs } else { 0 },
            ..Asks::of::<Self>()
        }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, _: Score) -> SkipPlan {
        if node.in_check || node.is_solved_by_depth(&search.game) {
            return SkipPlan::NONE;
        }
        let reduces = if node.depth.0 >= self.params.min_depth { self.params.full_moves } else { usize::MAX };
        SkipPlan::from(reduces.min(self.drops_from(node)).max(1))
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
        if alpha <= -G::DECISIVE || search.game.tactical(node.pos, mv) {
            return None;
        }
        let drops = index >= self.drops_from(node);
        let plies = if drops { 0 } else { self.reduction(search, node, mv, index) };
        if (plies < 1 && !drops) || search.game.gives_check(node.pos, mv) {
            return None;
        }
        search.count(place, node).tries += 1;
        let value = if drops { alpha } else { shallower(search, place, node, alpha, mv, plies)? };
        search.claim_move(place, node, mv, alpha);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: Params = Params {
        min_depth: 3,
        full_moves: 3,
        base: 0.5,
        divisor: 2.0,
        pv_less: 1,
        history: 0,
        pairs: 0,
        drop_depth: 0,
        drop_after: [0, 0],
    };

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let lmr = Lmr::new(&PARAMS, &Calibration::default(), 1).unwrap();
        // 0.5 + ln 8 ln 20 / 2 = 3.61
        assert_eq!(lmr.plies[8][20], 3);
        for depth in 1..ROWS {
            assert!(lmr.plies[depth][1..].is_sorted());
            assert!(depth == 1 || (1..ROWS).all(|n| lmr.plies[depth][n] >= lmr.plies[depth - 1][n]));
        }
        let flat = Params { divisor: f64::INFINITY, ..PARAMS };
        let flat = Lmr::new(&flat, &Calibration::default(), 1).unwrap();
        assert!(flat.plies.iter().flatten().all(|&plies| plies == 0), "half a ply is none");
    }

    #[test]
    fn bad_parameters_are_refused() {
        for params in [
            Params { min_depth: 1, ..PARAMS },
            Params { full_moves: 0, ..PARAMS },
            Params { divisor: 0.0, ..PARAMS },
            Params { divisor: f64::NAN, ..PARAMS },
            Params { base: f64::INFINITY, ..PARAMS },
            Params { pairs: 3, ..PARAMS },
        ] {
            let error = Lmr::new(&params, &Calibration::default(), 1).unwrap_err();
            assert!(error.to_string().starts_with("lmr: "), "{error}");
        }
    }
}
