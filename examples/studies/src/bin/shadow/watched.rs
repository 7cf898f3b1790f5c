//! A method that searches as it would alone, and the shadows that are asked next to it.
//!
//! Left out: what is done with what they say.

use secateur_core::game::Moves;
use secateur_core::prune::{Asks, Place, Prune, Verdict};
use secateur_core::search::{Node, Search};
use secateur_core::{Game, Score};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What came of a test: a cut at beta, one at alpha or a move left out, or nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    High,
    Low,
    Passed,
}

/// What one shadow said where one thing came of the real method's tests.
#[derive(Clone, Copy, Default)]
pub(crate) struct Said {
    pub(crate) cuts: u64,
    pub(crate) tests: u64,
    pub(crate) made: u64,
    pub(crate) contrary: u64,
}

/// A searcher that is asked and does nothing.
pub(crate) struct Shadow<'a, G: Game> {
    pub(crate) method: &'a str,
    pub(crate) search: Search<'a, G>,
    /// By what came of the real method's test.
    pub(crate) answers: [Said; 3],
}

/// The real method, with its shadows.
pub(crate) struct Watched<'a, G: Game> {
    pub(crate) real: &'a dyn Prune<G>,
    pub(crate) method: &'a str,
    /// How these methods mostly cut.
    pub(crate) usual: Came,
    pub(crate) every: u64,
    pub(crate) shadows: Mutex<Vec<Shadow<'a, G>>>,
}

impl<'a, G: Game> Watched<'a, G> {
    pub(crate) fn shadows(&self) -> MutexGuard<'_, Vec<Shadow<'a, G>>> {
        self.shadows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a position is one of those at which shadows are asked.
    fn is_drawn(&self, game: &G, pos: &G::Position) -> bool {
        game.key(pos).rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15).is_multiple_of(self.every)
    }

    /// Asks the shadows where the real method has just spoken.
    fn ask(&self, came: Came, mut would: impl FnMut(&mut Search<'_, G>) -> Option<Came>) {
        for shadow in self.shadows().iter_mut() {
            let before = shadow.search.tally.total(shadow.method).tries;
            let verdict = would(&mut shadow.search);
            let tested = shadow.search.tally.total(shadow.method).tries > before;
            // What a method that let a node pass might have done is cut it where most cuts are.
            let same = if came == Came::Passed { self.usual } else { came };
            let answer = &mut shadow.answers[came as usize];
            answer.cuts += 1;
            answer.tests += u64::from(tested);
            answer.made += u64::from(verdict == Some(same));
            answer.contrary += u64::from(verdict.is_some_and(|verdict| verdict != same));
        }
    }

    /// Has the real method speak of a node, and then its shadows, if it tested or cut there.
    fn node(
        &self,
        search: &mut Search<'_, G>,
        node: &Node<'_, G>,
        real: impl FnOnce(&mut Search<'_, G>) -> Verdict,
    ) -> Verdict {
        if !self.is_drawn(&search.game, node.pos) {
            return real(search);
        }
        let before = search.tally.total(self.method).tries;
        let verdict = real(search);
        let tested = search.tally.total(self.method).tries > before;
        let came = |verdict: Verdict| match verdict {
            Verdict::Cut(score) => Some(if score < node.window.beta { Came::Low } else { Came::High }),
            _ => None,
        };
        if let Some(came_of) = came(verdict).or(tested.then_some(Came::Passed)) {
            self.ask(came_of, |shadow| came(shadow.would(search, node)));
        }
        verdict
    }
}

impl<G: Game> Prune<G> for Watched<'_, G> {
    /// The line is kept for the shadows, whether the real method looks back or not.
    fn asks(&self) -> Asks {
        Asks { line: true, evaluations: true, ..self.real.asks() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        self.node(search, node, |search| self.real.enter(search, place, node))
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.node(search, node, |search| self.real.branch(search, place, node, moves))
    }

    /// About every move, because those that pass by the real method's plan are tested as well.
    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let plan = self.real.plan(search, place, node, alpha);
        if index < plan.from {
            return None;
        }
        let before = search.tally.total(self.method).tries;
        let claim = if plan.passes(alpha, || search.merit(node, mv)) {
            search.count(place, node).tries += u64::from(plan.counted);
            None
        } else {
            self.real.skip(search, place, node, alpha, mv, index)
        };
        if !self.is_drawn(&search.game, node.pos) {
            return claim;
        }
        let tested = search.tally.total(self.method).tries > before;
        if let Some(came) = claim.map(|_| Came::Low).or(tested.then_some(Came::Passed)) {
            self.ask(came, |shadow| shadow.would_skip(search, node, alpha, mv, index).then_some(Came::Low));
        }
        claim
    }
}
