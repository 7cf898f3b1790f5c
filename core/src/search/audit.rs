//! The audit: does a cut keep its promise?
//!
//! While it runs, a search with [`Search::audit_every`] sets aside a sample of what its methods claim, chosen by
//! position hash, and is otherwise the same search node for node. Afterwards a second searcher, without the method in
//! question, decides each claim by searching the node to its full depth. Left out: who pays for a broken promise (the
//! move at the root may be right all the same).

use super::table::Bound;
use super::{Form, Kind, Node, Path, Search};
use crate::game::Game;
use crate::prune::Place;
use crate::score::{Depth, Score, Window};
use secateur_base::hash::mixed;

/// What a method says about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// At least this.
    AtLeast(Score),
    /// At most this.
    AtMost(Score),
}

impl Claim {
    /// The same of the other side's value.
    fn negated(self) -> Claim {
        match self {
            Claim::AtLeast(score) => Claim::AtMost(-score),
            Claim::AtMost(score) => Claim::AtLeast(-score),
        }
    }
}

/// What a claim of ProbCut or MPC rests on: the check depth and the model v = a v' + b + e, e ~ N(0, sigma^2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grounds {
    /// Check depth d', plies.
    pub shallow: Depth,
    /// v', as far as the check's null window told it: a bound of it on the side of the cut.
    pub value: Score,
    /// Slope.
    pub a: f64,
    /// Offset, score units.
    pub b: f64,
    /// Standard deviation of the residual, score units.
    pub sigma: f64,
}

impl Grounds {
    /// How many standard deviations the model's estimate of v lies on the right side of what is claimed, for a check of
    /// value `v'`.
    pub fn distance(&self, value: Score, claim: Claim) -> f64 {
        let estimate = self.a * f64::from(value.0) + self.b;
        match claim {
            Claim::AtLeast(bound) => (estimate - f64::from(bound.0)) / self.sigma,
            Claim::AtMost(bound) => (f64::from(bound.0) - estimate) / self.sigma,
        }
    }
}

/// A claim set aside, and the position that it is about.
#[derive(Clone, Debug)]
pub struct Sample<G: Game> {
    /// What was claimed.
    pub claimed: Claimed,
    /// The position, of which [`Claimed::claim`] speaks.
    pub pos: G::Position,
}

/// All of a claim but the position: with it, enough to search that again, whatever the type of the game.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The method that claimed.
    pub method: &'static str,
    /// Stage of the node.
    pub stage: usize,
    /// Depth of the node, plies.
    pub depth: i32,
    /// What was claimed of the position.
    pub claim: Claim,
    /// Whether the node was expected to turn out as claimed: high at an expected cut node, low at an expected all node.
    pub expected: bool,
    /// Plies from the root.
    pub ply: u32,
    /// The iteration that the claim was made in, plies.
    pub iteration: Depth,
    /// What the claim rests on, if that is a model.
    pub grounds: Option<Grounds>,
    /// What the table knew of the node, at whatever depth: a value, what it is, and its draft. Of a claim about a move, what
    /// it knew of the node of the move.
    pub in_table: Option<(Score, Bound, Depth)>,
    /// Depth to which the search would have gone.
    draft: Depth,
    path: Path,
    keys: Vec<u64>,
    hash: u64,
}

impl Claimed {
    /// Keys of the positions on the line to the claim, the root's first and the claim's own left out. Only of a game that asks for
    /// repetitions ([`crate::Rules::REPETITION`]); empty in others. Positions before the root stand first.
    pub fn line(&self) -> &[u64] {
        &self.keys
    }
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Whether the claim is true.
    pub held: bool,
    /// Nodes of the search that found out: what the cut saved, before its cost.
    pub nodes: u64,
    /// For a claim that rests on a model: how many standard deviations the model's estimate lies on the right side of
    /// the bound, so that it foretells a broken claim with probability 1 - Phi(distance). At least t, but for rounding.
    pub distance: Option<f64>,
}

/// The sampling of one search.
#[derive(Debug)]
pub(super) struct Audit<G: Game> {
    /// One claim in so many, as asked for.
    asked: u64,
    /// The same after what [`ROOM`] made of it.
    every: u64,
    samples: Vec<Sample<G>>,
}

/// Most samples of one search. Where there would be more, every other one is given up and the rate halved, so that the
/// sample stays one by position hash.
const ROOM: usize = 1 << 14;

impl<G: Game> Audit<G> {
    pub(super) fn restart(&mut self) {
        self.every = self.asked;
        self.samples.clear();
    }

    fn keep(&mut self, sample: Sample<G>) {
        self.samples.push(sample);
        if self.samples.len() > ROOM {
            self.every *= 2;
            let every = self.every;
            self.samples.retain(|sample| sample.claimed.hash.is_multiple_of(every));
        }
    }
}

/// A hash of position and method whose residues are as good as its bits.
fn hash(key: u64, method: usize, depth: i32) -> u64 {
    mixed(key ^ ((method as u64) << 32 | depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl<G: Game> Search<'_, G> {
    /// Tells the audit what the next claim rests on.
    #[inline]
    pub fn on_grounds(&mut self, grounds: Grounds) {
        if self.audit.is_some() {
            self.grounds = Some(grounds);
        }
    }

    /// The method at `place` claims something of `node` to its full depth; counted as a cut.
    #[inline]
    pub fn claim(&mut self, place: Place, node: &Node<'_, G>, claim: Claim) {
        let counter = self.count(place, node);
        match claim {
            Claim::AtLeast(_) => counter.cuts_high += 1,
            Claim::AtMost(_) => counter.cuts_low += 1,
        }
        if self.audit.is_some() {
            self.set_aside(place, node, node.pos, node.depth, node.path, claim, 0);
        }
    }

    /// The method at `place` claims that a move of `node` is worth at most `bound`, which it hands back; counted as a cut.
    #[inline(always)]
    pub fn claim_move(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        mv: G::Move,
        bound: Score,
    ) -> Option<Score> {
        self.count(place, node).cuts_low += 1;
        if self.audit.is_some() {
            let child = self.game.play(node.pos, mv);
            let depth = node.depth - self.game.plies(mv);
            let path = node.path.child(Kind::Cut);
            self.set_aside(place, node, &child, depth, path, Claim::AtMost(bound).negated(), 1);
        }
        Some(bound)
    }

    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "a place, and what a search of that kind takes")]
    fn set_aside(
        &mut self,
        place: Place,
        node: &Node<'_, G>,
        pos: &G::Position,
        draft: Depth,
        path: Path,
        claim: Claim,
        plies: u32,
    ) {
        let grounds = self.grounds.take();
        let Some(audit) = &self.audit else { return };
        let super::moments::Member { name: method, number, .. } = self.moments.members[place.index as usize];
        let hash = hash(self.game.key(pos), number, node.depth.0);
        if !hash.is_multiple_of(audit.every) {
            return;
        }
        let mut keys = self.keys.clone();
        if G::REPETITION && plies > 0 {
            keys.push(node.key);
        }
        let stage = node.stage(&self.game);
        let (depth, ply) = (node.depth.0, node.ply + plies);
        let expected = match claim {
            Claim::AtLeast(_) => path.kind == Kind::Cut,
            Claim::AtMost(_) => path.kind == Kind::All,
        };
        let iteration = self.iteration;
        let in_table = self.entry(node).map(|entry| (entry.score, entry.bound, entry.draft));
        let claimed = Claimed {
            method,
            stage,
            depth,
            claim,
            expected,
            ply,
            iteration,
            grounds,
            in_table,
            draft,
            path,
            keys,
            hash,
        };
        let Some(audit) = &mut self.audit else { return };
        audit.keep(Sample { claimed, pos: pos.clone() });
    }
}

impl<G: Game, F: Form<G>> Search<'_, G, F> {
    /// Sets aside one claim in `every`; 0 ends it.
    pub fn audit_every(&mut self, every: u64) {
        self.audit = (every > 0).then(|| Audit { asked: every, every, samples: Vec::new() });
    }

    /// The claims of the last search, and of how many one was set aside.
    pub fn take_samples(&mut self) -> (Vec<Sample<G>>, u64) {
        let Some(audit) = &mut self.audit else { return (Vec::new(), 0) };
        (std::mem::take(&mut audit.samples), audit.every)
    }

    /// Searches the position of a claim to its full depth. To be asked of a searcher without the method, which keeps
    /// what it knows from one claim to the next ([`Search::forget`] ends that).
    pub fn decide(&mut self, claimed: &Claimed, pos: &G::Position) -> Verdict {
        self.keys.clear();
        self.keys.extend_from_slice(&claimed.keys);
        (self.limit, self.stopped, self.iteration) = (self.unlimited(), false, claimed.iteration);
        self.throws = 0;
        let before = self.tally.nodes;
        let (window, kind) = match claimed.claim {
            Claim::AtLeast(bound) => (Window::at_least(bound), Kind::Cut),
            Claim::AtMost(bound) => (Window::at_most(bound), Kind::All),
        };
        let path = Path { kind, ..claimed.path };
        let value = self.value(pos, claimed.draft, window, claimed.ply, path);
        let held = match claimed.claim {
            Claim::AtLeast(bound) => value >= bound,
            Claim::AtMost(bound) => value <= bound,
        };
        let nodes = self.tally.nodes - before;
        let distance = claimed.grounds.map(|grounds| {
            let path = Path { kind: Kind::Pv, ..claimed.path };
            let check = self.value(pos, grounds.shallow, Window::FULL, claimed.ply, path);
            grounds.distance(check, claimed.claim)
        });
        Verdict { held, nodes, distance }
    }
}
