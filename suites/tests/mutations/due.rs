//! Where the methods may speak that change a node before it is searched, or a move below the horizon: each of these has a
//! place of its own.
//!
//! Left out: what all methods that cut have in common, which the watch itself knows.

use super::games::Bent;
use super::setup::{CORRECTION_PAIR, HINDSIGHT_PAIR};
use super::watch::Watch;
use secateur_core::Score;
use secateur_core::game::{Evaluation, Game, QuietNode, Rules};
use secateur_core::prune::Searched;
use secateur_core::search::{Node, Search};
use std::sync::atomic::Ordering::Relaxed;

/// What a method may change before a node is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Before {
    depth: i32,
    /// Nodes searched so far.
    nodes: u64,
    /// The static evaluation, if anybody corrects it.
    evaluation: Option<Score>,
}

impl Before {
    pub(super) fn of<G: Game>(
        search: &Search<'_, Bent<G>>,
        node: &Node<'_, Bent<G>>,
        corrects: bool,
    ) -> Before {
        let evaluation = corrects.then(|| node.evaluation(&search.game));
        Before { depth: node.depth.0, nodes: search.tally.nodes, evaluation }
    }
}

impl<G: Game> Watch<G> {
    /// Whether the method corrects static evaluations.
    pub(super) fn corrects(&self) -> bool {
        self.name == CORRECTION_PAIR
    }

    /// Whether what the method did before a node is what it is for. It did something.
    pub(super) fn is_due(
        &self,
        search: &Search<'_, Bent<G>>,
        node: &Node<'_, Bent<G>>,
        before: &Before,
        hint: bool,
    ) -> bool {
        let deeper = node.depth.0 - before.depth;
        let searched = search.tally.nodes != before.nodes;
        // Only where nobody knows a first move and one is wanted.
        let blind = !hint && search.needs_first_move(node);
        match self.name {
            "iid" => blind && deeper == 0,
            "iir" => blind && deeper < 0 && node.depth.0 >= 1 && !searched,
            "check-extension" => node.in_check && deeper > 0 && !searched,
            HINDSIGHT_PAIR => !searched && is_hindsight(search, node, deeper),
            _ if self.corrects() => !node.in_check && deeper == 0 && !searched,
            _ => false,
        }
    }

    /// Whether a move below the horizon is one that the method is about.
    pub(super) fn may_drop(&self, game: &Bent<G>, node: &QuietNode<'_, Bent<G>>, mv: G::Move) -> bool {
        match self.name {
            // Whatever the mover lacks, a capture that wins may be what it lacks.
            "quiet-exchange" => game.exchange(node.pos, mv) <= Score::ZERO,
            "quiet-count" => node.tried > 0 && !game.gives_check(node.pos, mv),
            _ => true,
        }
    }

    /// Adds by how much the corrected evaluation of a node lies nearer to what was found there. A bound says how far off an
    /// evaluation is only from beyond it.
    pub(super) fn weigh(&self, game: &Bent<G>, node: &Node<'_, Bent<G>>, found: &Searched<G::Move>) {
        let (plain, corrected) = (game.evaluate(node.pos), node.evaluation(game));
        let score = found.score;
        let beyond = match found.best {
            Some(_) => score < node.window.beta || score > plain.max(corrected),
            None => score < plain.min(corrected),
        };
        if plain != corrected && beyond && score.abs() < G::DECISIVE {
            let off = |evaluation: Score| i64::from((score.0 - evaluation.0).abs());
            self.nearer.fetch_add(off(plain) - off(corrected), Relaxed);
        }
    }
}

/// Whether a node that its parent reduced is rightly searched so much deeper: a ply, if the two sides do not both think that
/// they stand well, and a ply less if they do and something is left to search. The margin between is none here.
fn is_hindsight<G: Game>(search: &Search<'_, Bent<G>>, node: &Node<'_, Bent<G>>, deeper: i32) -> bool {
    let Some(before) = search.evaluation_before(node) else { return false };
    let both = node.evaluation(&search.game) + before;
    let due = if both <= Score::ZERO { 1 } else { -1 };
    !node.in_check && search.reduced(node) >= 1 && deeper == due && node.depth.0 >= 1
}
