//! Check extension: a node in check is searched one ply deeper.
//!
//! Source: Truscott 1979 and every chess program since ("extend in check"); as an arm so that it can be crossed with what
//! prunes. The host's option of the same name ([`crate::search::Options::check_extension`]) extends the root as well. Left out:
//! extending only where the exchange on the checking square does not lose.

use super::{Asks, Calibration, Depths, Method, Place, Prune, SetupError};
use crate::game::Game;
use crate::search::{Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of the check extension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Plies by which a node in check is searched deeper, 0 to 2; 0 is never.
    pub plies: i32,
}

/// One ply more in check.
#[derive(Clone, Debug)]
pub struct CheckExtension(i32);

impl Method for CheckExtension {
    const NAME: &'static str = "check-extension";
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        Self::require(
            (0..=2).contains(&params.plies),
            format_args!("plies {}: expected 0 to 2", params.plies),
        )?;
        Ok(CheckExtension(params.plies))
    }
}

impl<G: Game> Prune<G> for CheckExtension {
    fn asks(&self) -> Asks {
        Asks { approach: Depths::from(1).when(self.0 > 0 && G::HAS.checks), ..Asks::of::<Self>() }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        if node.in_check && self.0 > 0 {
            search.count(place, node).cuts_high += 1;
            node.depth = node.depth + self.0;
        }
    }
}
