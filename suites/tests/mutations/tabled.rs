//! A copy of enhanced transposition cut-offs with a place for a fault: it reads the table of the search by itself.

use super::methods::Fault;
use secateur_core::game::{Game, Moves};
use secateur_core::prune::{Asks, Depths, Place, Prune, Verdict};
use secateur_core::search::{Bound, Drafts, Kind, Node, Search, Table};
use secateur_core::{Depth, Score};

/// Enhanced transposition cut-offs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Etc {
    pub(super) min_depth: i32,
    pub(super) fault: Fault,
}

impl Etc {
    /// What the table says of a child, as the node sees it, if that is a bound from below.
    fn told<G: Game>(&self, table: &Table, game: &G, node: &Node<'_, G>, mv: G::Move) -> Option<Score> {
        let (key, depth) = (game.key_after(node.pos, mv), node.depth - game.plies(mv));
        let (score, bound) = match self.fault {
            Fault::Shallow => table.deepest(key, 0).map(|(score, bound, ..)| (score, bound)),
            _ => table.probe(key, depth.0, 0).value,
        }?;
        let lower = bound == Bound::Lower;
        if bound != Bound::Exact && lower != (self.fault == Fault::WrongBound) {
            return None;
        }
        // Mates count plies from the root, and in the table from the node.
        let plies = node.ply as i32 + 1;
        let score = match score.0 {
            won if won >= G::DECISIVE.0 => Score(won - plies),
            lost if lost <= -G::DECISIVE.0 => Score(lost + plies),
            _ => score,
        };
        Some(if self.fault == Fault::WrongSign { score } else { -score })
    }
}

impl<G: Game> Prune<G> for Etc {
    fn asks(&self) -> Asks {
        Asks { name: "etc", branch: Depths::ALL, ..Asks::default() }
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let open = node.path.kind == Kind::Pv && self.fault != Fault::OpenWindow;
        if node.depth < Depth(self.min_depth) || open {
            return Verdict::Go;
        }
        let mut table = Table::new(0, Drafts::Exact);
        search.swap_table(&mut table);
        let near = Score(node.window.beta.0 - i32::from(self.fault == Fault::OffByOne));
        let mut told = moves.iter().filter_map(|scored| self.told(&table, &search.game, node, scored.mv));
        let cut = told.find(|&score| score >= near);
        drop(told);
        search.swap_table(&mut table);
        cut.map_or(Verdict::Go, Verdict::Cut)
    }
}
