//! Copies of four methods with a place for the faults in each that no change of a few characters of the original makes: made
//! from their published descriptions through the public trait alone. Without a fault a copy searches the very tree of the
//! original, which a test of its own asserts.

use secateur_core::game::{Game, Meter, Moves};
use secateur_core::prune::{Asks, Depths, Place, Prune, Verdict};
use secateur_core::search::{Iteration, Kind, Node, Search};
use secateur_core::{Depth, Score, Window};
use std::sync::atomic::{AtomicU32, Ordering};

/// What is wrong with a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing.
    None,
    /// The value as White sees it, whoever is to move.
    WrongSide,
    /// The static value decides, or is returned, instead of a search or a bound.
    StaticValue,
    /// The static value is claimed as the bound of a move: too strong by gain and margin.
    TightClaim,
    /// The first move is left out like any other.
    NoFirstMove,
    /// The margin is taken off instead of added.
    MarginSign,
    /// One ply more is taken off.
    TooShort,
    /// What was counted in earlier searches still counts.
    Remembers,
}

/// Numbers of the copies, as the checks want them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Setting {
    /// As a suite might have them, but eager.
    Usual,
    /// Nothing can be pruned.
    Never,
    /// Whatever is pruned is provably right, in the game that belongs to it.
    Sound,
    /// ProbCut with this a, b and sigma, t = 1, checked at height 1 by the static value.
    Fit(f64, f64, f64),
}

fn barred<G: Game>(node: &Node<'_, G>, game: &G) -> bool {
    node.path.kind == Kind::Pv || node.in_check || node.is_decisive() || node.is_solved_by_depth(game)
}

/// `value` as the fault sees it.
fn seen<G: Game>(fault: Fault, value: Score, node: &Node<'_, G>, game: &G) -> Score {
    if fault == Fault::WrongSide && game.side(node.pos) == 1 { -value } else { value }
}

/// Futility at depths 1 and 2.
#[derive(Debug)]
pub(super) struct Futility {
    pub(super) margins: [i32; 2],
    pub(super) fault: Fault,
}

impl Futility {
    fn claim<G: Game>(&self, game: &G, node: &Node<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let depth = node.depth.0 as usize;
        if depth > 2
            || node.path.kind == Kind::Pv
            || alpha.abs() >= G::DECISIVE
            || node.is_solved_by_depth(game)
            || node.in_check
        {
            return None;
        }
        let margin = self.margins[depth - 1];
        let margin = if self.fault == Fault::MarginSign { -margin } else { margin };
        if margin >= Score::INFINITE.0 {
            return None;
        }
        let base = seen(self.fault, node.balance(game), node, game).0 + margin;
        let claim = Score(base + game.gain(node.pos, mv).0);
        if base > alpha.0 || claim > alpha || game.gives_check(node.pos, mv) {
            return None;
        }
        Some(if self.fault == Fault::TightClaim { node.balance(game) } else { claim }.min(alpha))
    }
}

impl<G: Game> Prune<G> for Futility {
    fn asks(&self) -> Asks {
        let all = Depths::ALL;
        Asks { name: "futility", enter: all, branch: all, skip: all, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        if self.fault == Fault::StaticValue && node.depth.0 <= 2 && !barred(node, &search.game) {
            let value = node.evaluation(&search.game);
            if value.0 + self.margins[node.depth.0 as usize - 1] <= node.window.alpha.0 {
                return Verdict::Cut(value);
            }
        }
        Verdict::Go
    }

    fn branch(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        if self.fault == Fault::NoFirstMove {
            let (game, alpha) = (&search.game, node.window.alpha);
            moves.retain(|scored| self.claim(game, node, alpha, scored.mv).is_none());
        }
        Verdict::Go
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        _: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        self.claim(&search.game, node, alpha, mv)
    }
}

/// Limited razoring.
#[derive(Debug)]
pub(super) struct Razoring {
    pub(super) margin: i32,
    pub(super) fault: Fault,
}

impl<G: Game> Prune<G> for Razoring {
    fn asks(&self) -> Asks {
        Asks { name: "razoring", enter: Depths::ALL, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        let game = &search.game;
        if node.depth.0 != 3 || barred(node, game) || self.margin >= Score::INFINITE.0 {
            return Verdict::Go;
        }
        if seen(self.fault, node.balance(game), node, game).0 + self.margin > node.window.alpha.0 {
            return Verdict::Go;
        }
        match self.fault {
            Fault::StaticValue => Verdict::Cut(node.evaluation(game).min(node.window.alpha)),
            Fault::TooShort => Verdict::Shorten(Depth(1)),
            _ => Verdict::Shorten(Depth(2)),
        }
    }
}

/// Nodes that a null move lets pass first, where it counts them over all searches.
const FIRST: u32 = 20;

/// Null move with a fixed reduction.
#[derive(Debug)]
pub(super) struct NullMove {
    pub(super) reduction: i32,
    pub(super) min_depth: i32,
    pub(super) needs_evaluation: bool,
    pub(super) fault: Fault,
    /// Nodes of all searches, for a fault that does not begin anew with each.
    pub(super) met: AtomicU32,
}

impl<G: Game> Prune<G> for NullMove {
    fn asks(&self) -> Asks {
        let sensitive = Depths::from(self.min_depth);
        Asks { name: "null-move", enter: Depths::ALL, sensitive, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        if node.depth.0 < self.min_depth
            || node.path.after_null
            || barred(node, &search.game)
            || !search.game.null_plausible(node.pos)
        {
            return Verdict::Go;
        }
        let beta = node.window.beta;
        let (evaluation, game) = (node.evaluation(&search.game), &search.game);
        if self.fault == Fault::StaticValue && evaluation >= beta {
            return Verdict::Cut(evaluation);
        }
        if self.fault == Fault::Remembers && self.met.fetch_add(1, Ordering::Relaxed) < FIRST {
            return Verdict::Go;
        }
        if self.needs_evaluation && seen(self.fault, evaluation, node, game) < beta {
            return Verdict::Go;
        }
        let Some(passed) = game.null(node.pos) else { return Verdict::Go };
        let depth = node.depth - 1 - self.reduction;
        let window = -Window::at_least(beta);
        match search.probe_child(place, node, None, &passed, depth, window, node.path.null()) {
            _ if search.is_stopped() => Verdict::Go,
            value if value >= G::DECISIVE => Verdict::Cut(beta),
            value if value >= beta => Verdict::Cut(value),
            _ => Verdict::Go,
        }
    }
}

/// ProbCut with one pair and one model for all stages.
#[derive(Debug)]
pub(super) struct ProbCut {
    pub(super) pair: (i32, i32),
    pub(super) model: (f64, f64),
    /// t sigma; infinite never checks.
    pub(super) margin: f64,
    pub(super) fault: Fault,
}

impl ProbCut {
    fn threshold(&self, bound: Score, sign: f64) -> f64 {
        let (a, b) = self.model;
        ((sign * self.margin + f64::from(bound.0) - b) / a).round()
    }

    fn check<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        window: Window,
        kind: Kind,
    ) -> Score {
        if self.fault == Fault::StaticValue {
            return node.evaluation(&search.game);
        }
        let path = node.path.probe(place.mark, kind);
        let value = search.probe_here(place, node, Depth(self.pair.0), window, path);
        seen(self.fault, value, node, &search.game)
    }
}

impl<G: Game> Prune<G> for ProbCut {
    fn asks(&self) -> Asks {
        let sensitive = Depths::from(self.pair.1).when(!self.margin.is_infinite());
        Asks { name: "probcut", marks: 1, enter: Depths::ALL, sensitive, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        if node.depth.0 != self.pair.1
            || node.path.is_inside(place.mark)
            || barred(node, &search.game)
            || self.margin.is_infinite()
        {
            return Verdict::Go;
        }
        let high = self.threshold(node.window.beta, 1.0);
        if high < f64::from(G::DECISIVE.0) {
            let bound = Score(high as i32);
            let value = self.check(search, place, node, Window::at_least(bound), Kind::Cut);
            if value >= bound && !search.is_stopped() {
                return Verdict::Cut(node.window.beta);
            }
        }
        let low = self.threshold(node.window.alpha, -1.0);
        if low > -f64::from(G::DECISIVE.0) {
            let bound = Score(low as i32);
            let value = self.check(search, place, node, Window::at_most(bound), Kind::All);
            if value <= bound && !search.is_stopped() {
                return Verdict::Cut(node.window.alpha);
            }
        }
        Verdict::Go
    }
}

/// Plain fail-soft alpha-beta.
pub(super) struct Small<'g, G: Game> {
    pub(super) game: &'g G,
    /// Whether a node's row is cleared before anything else, rather than once it is known that the game goes on.
    pub(super) resets: bool,
    pub(super) rows: Vec<Vec<G::Move>>,
}

impl<G: Game> Small<'_, G> {
    /// Searches to one depth.
    pub(super) fn run(&mut self, root: &G::Position, depth: i32) -> Iteration<G::Move> {
        self.rows = vec![Vec::new(); 2 * depth as usize + 2];
        let score = self.value(root, depth, Window::FULL, &mut Vec::new());
        Iteration { depth, score, pv: self.rows[0].clone(), nodes: 0, qnodes: 0, seldepth: 0 }
    }

    fn value(&mut self, pos: &G::Position, depth: i32, window: Window, keys: &mut Vec<u64>) -> Score {
        let (game, ply) = (self.game, keys.len());
        if self.resets {
            self.rows[ply].clear();
        }
        if ply > 0 && G::REPETITION && game.drawn(pos, keys) {
            return Score::ZERO;
        }
        let mut moves = Moves::<G>::new();
        game.moves(pos, &mut moves);
        if moves.is_empty() {
            return game.outcome(pos, ply as u32);
        }
        if depth <= 0 {
            return game.horizon(pos, window, ply as u32, &mut Meter::default());
        }
        self.rows[ply].clear();
        let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
        keys.push(game.key(pos));
        for scored in &moves {
            let child = game.play(pos, scored.mv);
            let below = -Window { alpha, beta: window.beta };
            let score = -self.value(&child, depth - game.plies(scored.mv), below, keys);
            best = best.max(score);
            if score > alpha {
                alpha = score;
                let line = self.rows[ply + 1].clone();
                self.rows[ply] = std::iter::once(scored.mv).chain(line).collect();
            }
            if best >= window.beta {
                break;
            }
        }
        keys.pop();
        best
    }
}
