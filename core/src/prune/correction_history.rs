//! Correction history: what the search found beyond the static evaluation, learnt by pawn structure, corrects the next
//! evaluation of a position with the same pawns.
//!
//! Source: Caissa (Witczak 2023), Stockfish since 2023. It prunes nothing; the margins of the methods next to it are measured
//! against a better evaluation. Left out: evaluations at the horizon, which stay as they are, and other keys than pawns.

use super::{Asks, Calibration, Depths, Method, Place, Prune, Searched, SetupError};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parts of a score unit that a cell counts in.
const GRAIN: i32 = 256;
/// Share of a new observation: depth + 1, at most this, in 256.
const MOST_WEIGHT: i32 = 16;
/// Cells, a power of two.
const CELLS: usize = 1 << 14;

/// Parameters of correction history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Largest correction, score units; 0 corrects nothing.
    pub most: i32,
}

/// Corrections of the static evaluation.
#[derive(Clone, Debug)]
pub struct CorrectionHistory {
    most: i32,
}

impl Method for CorrectionHistory {
    const NAME: &'static str = "correction-history";
    const CELLS: usize = CELLS;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let most = params.most;
        Self::require((0..=1000).contains(&most), format_args!("most {most}: expected 0 to 1000"))?;
        Ok(CorrectionHistory { most })
    }
}

impl CorrectionHistory {
    fn cell<G: Game>(game: &G, node: &Node<'_, G>) -> Option<usize> {
        game.structure(node.pos).map(|hash| (hash >> 32) as usize & (CELLS - 1))
    }
}

impl<G: Game> Prune<G> for CorrectionHistory {
    fn asks(&self) -> Asks {
        let depths = Depths::ALL.when(self.most > 0 && G::HAS.structure);
        Asks { approach: depths, leave: depths, ..Asks::of::<Self>() }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        if node.in_check {
            return;
        }
        let Some(cell) = Self::cell(&search.game, node) else { return };
        let correction = search.learnt(place)[cell] / GRAIN;
        search.count(place, node).tries += 1;
        if correction != 0 {
            search.count(place, node).cuts_high += 1;
            search.correct(node, Score(correction));
        }
    }

    #[inline]
    fn leave(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, moves: &Searched<G::Move>) {
        let score = moves.score;
        if node.ply == 0 || node.in_check || score.abs() >= G::DECISIVE {
            return;
        }
        let evaluation = node.evaluation(&search.game);
        // A bound teaches only if it lies on the far side of the evaluation.
        let taught = match moves.best {
            Some((mv, _)) => {
                !search.game.tactical(node.pos, mv) && (score < node.window.beta || score > evaluation)
            }
            None => score < evaluation,
        };
        let Some(cell) = Self::cell(&search.game, node).filter(|_| taught) else { return };
        let weight = (node.depth.0 + 1).min(MOST_WEIGHT);
        let most = self.most * GRAIN;
        let entry = &mut search.learnt(place)[cell];
        let seen = (score.0 - evaluation.0).clamp(-self.most, self.most) * GRAIN + *entry;
        *entry = ((*entry * (256 - weight) + seen.clamp(-most, most) * weight) / 256).clamp(-most, most);
    }
}
