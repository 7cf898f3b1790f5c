//! Multi-Cut: several moves that fail high at reduced depth make it likely that one does at full depth.
//!
//! Source: Björnsson & Marsland 1998/2001. At an expected cut node the first M moves are searched to
//! depth - 1 - R; if C of them fail high the node is cut. Not applied inside its own probes. Enhanced forward pruning
//! (Winands, van den Herik, Uiterwijk & van der Werf 2003) does the same at expected all nodes and has the host doubt
//! values that equal a bound ([`Asks::doubts_bounds`]). Triggered by the table (Eiriksson 2011), it is tried only where
//! an earlier, shallower search of the node failed high. Left out: the cut of singular extensions.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict, pick_in_order};
use crate::game::{Game, Moves};
use crate::score::Window;
use crate::search::{Claim, Kind, Node, Search};
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
    /// Expected types of the nodes that are tried.
    #[serde(default)]
    pub nodes: Nodes,
    /// What a node needs to be tried.
    #[serde(default)]
    pub trigger: Trigger,
    /// Whether the method is applied inside its own probes.
    #[serde(default)]
    pub nesting: bool,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// Where Multi-Cut is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
    /// At expected cut nodes.
    #[default]
    Cut,
    /// At expected all nodes too (enhanced forward pruning).
    CutAndAll,
}

/// What makes Multi-Cut try a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trigger {
    /// Nothing more.
    #[default]
    Always,
    /// The table holds a search of the node, of whatever depth, that failed high.
    Table,
}

/// Multi-Cut at expected cut nodes.
#[derive(Clone, Debug)]
pub struct MultiCut(Params);

impl Method for MultiCut {
    const NAME: &'static str = "multi-cut";
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { cuts, reduction, min_depth, .. } = *params;
        Self::require(
            cuts >= 1 && reduction >= 0 && min_depth > reduction + 1,
            format_args!(
                "cuts {cuts}, reduction {reduction}, min-depth {min_depth}: \
                 expected cuts >= 1, reduction >= 0 and min-depth > reduction + 1"
            ),
        )?;
        params.guards.refuse_last::<Self>()?;
        Ok(MultiCut(params.clone()))
    }
}

impl<G: Game> Prune<G> for MultiCut {
    fn asks(&self) -> Asks {
        let Params { min_depth, nodes, guards, .. } = &self.0;
        let acts = self.0.moves >= self.0.cuts;
        Asks {
            branch: Depths::from(*min_depth).when(acts),
            sensitive: Depths::from(*min_depth).when(acts),
            doubts_bounds: *nodes == Nodes::CutAndAll && acts,
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let params = &self.0;
        let wanted = match node.path.kind {
            Kind::Cut => true,
            Kind::All => params.nodes == Nodes::CutAndAll,
            Kind::Pv => !params.guards.pv && Guards::bounded_above(node.window),
        };
        if !wanted
            || (!params.nesting && node.path.is_inside(place.mark))
            || moves.len() < params.cuts
            || params.guards.bar(node, &search.game)
            || (params.trigger == Trigger::Table && !search.foretells(node, node.window.beta))
        {
            return Verdict::Go;
        }
        self.count_refutations(search, place, node, moves)
    }
}

impl MultiCut {
    #[inline(never)]
    fn count_refutations<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        search.count(place, node).tries += 1;
        let beta = node.window.beta;
        let depth = node.depth - 1 - self.0.reduction;
        let path = node.path.probe(place.mark, node.path.kind.child());
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
                search.probe_child(place, node, Some(mv), &child, depth, -Window::at_least(beta), path);
            if search.is_stopped() {
                return Verdict::Go;
            }
            refutations += usize::from(value >= beta);
            if refutations == self.0.cuts {
                return self.0.guards.cut(search, place, node, Claim::AtLeast(beta), beta);
            }
        }
        Verdict::Go
    }
}
