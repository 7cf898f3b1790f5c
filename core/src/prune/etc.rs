//! Enhanced transposition cut-offs: before any move is searched, a child that the table already refutes cuts the node.
//!
//! Source: Schaeffer & Plaat 1996. Sound: what cuts is a stored result of the very depth, so that no value of a full-width
//! search changes. The host's option `etc-min-depth` does the same for all arms of a run.

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError, Verdict};
use crate::game::{Game, Moves};
use crate::search::{Claim, Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of enhanced transposition cut-offs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Least depth, plies, at least 2: the horizon is in no table.
    pub min_depth: i32,
}

/// Cuts by the table's word on a child.
#[derive(Clone, Debug)]
pub struct Etc(Params);

impl Method for Etc {
    const NAME: &'static str = "etc";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        Self::require(
            params.min_depth >= 2,
            format_args!("min-depth {}: expected at least 2", params.min_depth),
        )?;
        Ok(Etc(params.clone()))
    }
}

impl<G: Game> Prune<G> for Etc {
    fn asks(&self) -> Asks {
        Asks { branch: Depths::from(self.0.min_depth), ..Asks::of::<Self>() }
    }

    #[inline]
    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if node.path.kind == Kind::Pv {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let Some((score, _)) = search.refuted_by_child(node, moves) else { return Verdict::Go };
        search.claim(place, node, Claim::AtLeast(node.window.beta));
        Verdict::Cut(score)
    }
}
