//! A method that searches as it would alone, and the shadows that are asked beside it.
//!
//! Left out: what is done with what they say.

use secateur_core::game::{Moves, QuietNode};
use secateur_core::prune::{
    Asks, Calibration, Futility, Lmp, Lmr, METHODS, Method, Mpc, MultiCut, NullMove, ProbCut, Prune,
    ReverseFutility, Roll, Searched, SetupError, Switched, Verdict,
};
use secateur_core::search::{Node, Quiet, Search};
use secateur_core::{Depth, Game, Score};
use secateur_suites::arm::Arm;
use secateur_suites::setup::Setup;
use std::cell::RefCell;
use std::error::Error;

/// The methods that are compared; one compiled search, so that a mark means the same in all.
pub(crate) type Few = (
    Switched<ReverseFutility>,
    (
        Switched<NullMove>,
        (
            Switched<ProbCut>,
            (Switched<Mpc>, (Switched<MultiCut>, (Switched<Lmp>, (Switched<Futility>, Switched<Lmr>)))),
        ),
    ),
);

fn on<M: Method>(
    arm: &Arm,
    params: &M::Params,
    calibration: &Calibration,
    stages: usize,
) -> Result<Switched<M>, SetupError> {
    let index = METHODS.iter().position(|name| *name == M::NAME);
    let is_on = index.is_some_and(|index| arm.set.contains(index));
    let method = is_on.then(|| M::new(params, calibration, stages)).transpose()?;
    Ok(Switched { method, guards: M::guards(params) })
}

/// The methods with those of an arm switched on.
pub(crate) fn few(text: &str, setup: &Setup, stages: usize) -> Result<Few, Box<dyn Error>> {
    let arm = &Arm::parse(text)?;
    let params = arm.params(&setup.params)?;
    let none = &setup.baselines.none;
    let null_move = setup.baselines.choose(text.starts_with("null-move"));
    Ok((
        on(arm, &params.reverse_futility, none, stages)?,
        (
            on(arm, &params.null_move, null_move, stages)?,
            (
                on(arm, &params.probcut, none, stages)?,
                (
                    on(arm, &params.mpc, none, stages)?,
                    (
                        on(arm, &params.multi_cut, none, stages)?,
                        (
                            on(arm, &params.lmp, none, stages)?,
                            (on(arm, &params.futility, none, stages)?, on(arm, &params.lmr, none, stages)?),
                        ),
                    ),
                ),
            ),
        ),
    ))
}

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
    pub(crate) search: Search<'a, G, Few>,
    /// By what came of the real method's test.
    pub(crate) said: [Said; 3],
}

/// The real method, with its shadows.
pub(crate) struct Watched<'a, G: Game> {
    pub(crate) real: &'a Few,
    pub(crate) method: &'a str,
    /// How these methods mostly cut.
    pub(crate) usual: Came,
    pub(crate) every: u64,
    pub(crate) shadows: RefCell<Vec<Shadow<'a, G>>>,
}

impl<G: Game> Watched<'_, G> {
    /// Whether a position is one of those at which shadows are asked.
    fn is_drawn(&self, game: &G, pos: &G::Position) -> bool {
        game.key(pos).rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15).is_multiple_of(self.every)
    }

    /// Asks the shadows where the real method has just spoken.
    fn ask(&self, came: Came, mut would: impl FnMut(&mut Search<'_, G, Few>) -> Option<Came>) {
        for shadow in self.shadows.borrow_mut().iter_mut() {
            let before = shadow.search.tally.total(shadow.method).tries;
            let verdict = would(&mut shadow.search);
            let tested = shadow.search.tally.total(shadow.method).tries > before;
            // What a method that let a node pass might have done is cut it where most cuts are.
            let same = if came == Came::Passed { self.usual } else { came };
            let said = &mut shadow.said[came as usize];
            said.cuts += 1;
            said.tests += u64::from(tested);
            said.made += u64::from(verdict == Some(same));
            said.contrary += u64::from(verdict.is_some_and(|verdict| verdict != same));
        }
    }

    /// Has the real method speak of a node, and then its shadows, if it tested or cut there.
    fn node<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        real: impl FnOnce(&mut Search<'_, G, P>) -> Verdict,
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
    const ROLL: &'static Roll = <Few as Prune<G>>::ROLL;

    fn enter<P: Prune<G>>(&self, search: &mut Search<'_, G, P>, node: &Node<'_, G>) -> Verdict {
        self.node(search, node, |search| self.real.enter(search, node))
    }

    fn branch<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        self.node(search, node, |search| self.real.branch(search, node, moves))
    }

    fn skip<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        if !self.is_drawn(&search.game, node.pos) {
            return self.real.skip(search, node, alpha, mv, index);
        }
        let before = search.tally.total(self.method).tries;
        let claim = self.real.skip(search, node, alpha, mv, index);
        let tested = search.tally.total(self.method).tries > before;
        if let Some(came) = claim.map(|_| Came::Low).or(tested.then_some(Came::Passed)) {
            self.ask(came, |shadow| shadow.would_skip(search, node, alpha, mv, index).then_some(Came::Low));
        }
        claim
    }

    fn quiet<P: Prune<G>>(
        &self,
        search: &mut Quiet<'_, G, P>,
        node: &QuietNode<'_, G>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        self.real.quiet(search, node, alpha, mv)
    }

    fn leave<P: Prune<G>>(
        &self,
        search: &mut Search<'_, G, P>,
        node: &Node<'_, G>,
        found: &Searched<G::Move>,
    ) {
        self.real.leave(search, node, found);
    }

    /// The line is kept for the shadows, whether the real method looks back or not.
    fn asks(&self) -> Asks {
        Prune::<G>::asks(self.real).or(Asks { line: true, evaluations: true, ..Asks::default() })
    }

    fn learns(&self, cells: &mut Vec<usize>) {
        Prune::<G>::learns(self.real, cells);
    }

    fn sensitive_from(&self) -> Depth {
        Prune::<G>::sensitive_from(self.real)
    }

    fn acts_from(&self) -> Depth {
        Prune::<G>::acts_from(self.real)
    }

    fn branches(&self) -> bool {
        Prune::<G>::branches(self.real)
    }

    fn has_last(&self) -> bool {
        Prune::<G>::has_last(self.real)
    }

    fn cuts_open_windows(&self) -> bool {
        Prune::<G>::cuts_open_windows(self.real)
    }

    fn doubts_bounds(&self) -> bool {
        Prune::<G>::doubts_bounds(self.real)
    }
}
