//! Multi-Cut: several moves that fail high at reduced depth make it likely that one does at full depth.
//!
//! Source: Björnsson & Marsland 1998/2001. At an expected cut node the first M moves are searched to
//! depth - 1 - R; if C of them fail high the node is cut. Not applied inside its own probes. Left out: use at
//! expected all nodes (Winands et al. 2003), triggering by the table (Eiriksson 2011).

use super::{Calibration, Method, Prune, SetupError, Verdict, pick_in_order};
use crate::game::{Game, Moves};
use crate::score::{Depth, Window};
use crate::search::{Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of Multi-Cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Fail-highs that make a cut (C), at least 1.
    pub cuts: usize,
    /// Moves tried (M); 0 or fewer than `cuts` never cuts.
    pub moves: usize,
    /// Depth reduction R, plies.
    pub reduction: i32,
    /// Least depth, plies; more than R + 1, so that a probe is a search.
    pub min_depth: i32,
}

/// Multi-Cut at expected cut nodes.
#[derive(Clone, Debug)]
pub struct MultiCut(Params);

impl Method for MultiCut {
    const NAME: &'static str = "multi-cut";
    const BIT: u8 = 4;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { cuts, reduction, min_depth, .. } = *params;
        if cuts < 1 || reduction < 0 || min_depth <= reduction + 1 {
            let message = format!(
                "cuts {cuts}, reduction {reduction}, min-depth {min_depth}: \
                 expected cuts >= 1, reduction >= 0 and min-depth > reduction + 1"
            );
            return Err(SetupError { method: Self::NAME, message });
        }
        Ok(MultiCut(params.clone()))
    }
}

impl MultiCut {
    /// Whether any node can be cut at all.
    fn is_idle(&self) -> bool {
        self.0.moves < self.0.cuts
    }
}

impl<G: Game> Prune<G> for MultiCut {
    #[inline]
    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if node.depth.0 < self.0.min_depth
            || node.path.kind != Kind::Cut
            || node.path.is_inside(Self::BIT)
            || self.is_idle()
            || moves.len() < self.0.cuts
            || node.is_barred(&search.game)
        {
            return Verdict::Go;
        }
        self.count_refutations(search, node, moves)
    }

    fn sensitive_from(&self) -> Depth {
        Depth(if self.is_idle() { i32::MAX } else { self.0.min_depth })
    }
}

impl MultiCut {
    #[inline(never)]
    fn count_refutations<G: Game, P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        search.count::<Self>(node).tries += 1;
        let beta = node.window.beta;
        let depth = node.depth - 1 - self.0.reduction;
        let path = node.path.probe(Self::BIT, Kind::All);
        let mut refutations = 0;
        let tried = self.0.moves.min(moves.len());
        for index in 0..tried {
            // Too few moves are left to reach C.
            if refutations + (tried - index) < self.0.cuts {
                break;
            }
            let mv = pick_in_order::<G>(moves, index);
            let child = search.game.play(node.pos, mv);
            let value =
                search.probe_child::<Self>(node, Some(mv), &child, depth, -Window::at_least(beta), path);
            if search.is_stopped() {
                return Verdict::Go;
            }
            refutations += usize::from(value >= beta);
            if refutations == self.0.cuts {
                search.count::<Self>(node).cuts_high += 1;
                return Verdict::Cut(beta);
            }
        }
        Verdict::Go
    }
}
