//! Listens to a method: does it speak where it must not, and does what it claims hold when it is searched again?

use super::due::Before;
use super::games::Bent;
use secateur_core::game::{Evaluation, Game, Moves, QuietNode, Rules};
use secateur_core::prune::{Asks, Prune, Searched, Verdict};
use secateur_core::search::{Kind, Node, Options, Path, Quiet, Search};
use secateur_core::{Depth, Score, Window};
use std::cell::{Cell, RefCell};

/// A method under observation.
pub(super) struct Watch<'m, G: Game, M> {
    method: &'m M,
    /// Name and probe bit of the method.
    pub(super) name: &'static str,
    bit: u32,
    /// Searches claims again, full width.
    judge: RefCell<Search<'static, Bent<G>, ()>>,
    /// First iteration whose claims are judged, all of them.
    pub(super) judged_from: Cell<i32>,
    /// How often the method spoke.
    pub(super) spoken: Cell<u32>,
    /// How often it spoke where it must not.
    pub(super) out_of_place: Cell<u32>,
    /// Claims that a search of the same depth contradicts.
    pub(super) broken: Cell<u32>,
    /// By how much corrected evaluations lie nearer to what was found than the others, in sum.
    pub(super) nearer: Cell<i64>,
}

impl<'m, G: Game, M: Prune<Bent<G>>> Watch<'m, G, M> {
    /// Judges no claim yet.
    pub(super) fn new(game: &Bent<G>, method: &'m M, name: &'static str, bit: u32) -> Self {
        let options = Options { table_mib: 1, ..Options::default() };
        Watch {
            method,
            name,
            bit,
            judge: RefCell::new(Search::new(game.clone(), &(), options)),
            judged_from: Cell::new(i32::MAX),
            spoken: Cell::new(0),
            out_of_place: Cell::new(0),
            broken: Cell::new(0),
            nearer: Cell::new(0),
        }
    }

    /// Notes that the method spoke at `node`, with the bounds that it judged by.
    fn heard(&self, game: &Bent<G>, node: &Node<'_, Bent<G>>, window: Window) {
        self.spoken.set(self.spoken.get() + 1);
        let proven = |score: Score| score.abs() >= G::DECISIVE && score.abs() < Score::INFINITE;
        if self.repeats() && node.path.kind != Kind::Pv {
            return;
        }
        let passes = self.name == "null-move" && (node.path.after_null || !game.null_plausible(node.pos));
        let inside = self.bit != 0 && node.path.is_inside(self.bit);
        // Late-move reductions are for the principal variation as well, and where a mate is found: what is better after all is
        // searched in full. Only where being mated is all that is known would everything be reduced.
        let reduces = self.name.ends_with("lmr");
        let open = node.path.kind == Kind::Pv && !reduces;
        let won = reduces && window.alpha >= G::DECISIVE;
        if node.in_check || open || passes || inside || (proven(window.alpha) && !won) || proven(window.beta)
        {
            self.misplaced();
        }
    }

    /// Whether the method only says what a search of the very depth has found, which holds in check and for mates too.
    fn repeats(&self) -> bool {
        self.name == "etc"
    }

    /// Whether what the method says of a move is put off rather than claimed.
    fn defers(&self) -> bool {
        self.name == "uncertainty"
    }

    fn misplaced(&self) {
        self.out_of_place.set(self.out_of_place.get() + 1);
    }

    /// Judges the claim that `pos` at `depth` is worth `score` or beyond, on the side of `window` that it lies on.
    fn judge(
        &self,
        pos: &<Bent<G> as Rules>::Position,
        depth: Depth,
        window: Window,
        score: Score,
        ply: u32,
    ) {
        if self.broken.get() > 0 {
            // One is enough.
            return;
        }
        let path = Path::ROOT.child(Kind::Cut);
        let mut search = self.judge.borrow_mut();
        let holds = if score >= window.beta {
            search.value(pos, depth, Window::at_least(score), ply, path) >= score
        } else if score <= window.alpha {
            search.value(pos, depth, Window::at_most(score), ply, path) <= score
        } else {
            false
        };
        self.broken.set(u32::from(!holds));
    }

    fn hear<P>(&self, search: &Search<'_, Bent<G>, P>, node: &Node<'_, Bent<G>>, verdict: Verdict) -> Verdict
    where
        P: Prune<Bent<G>>,
    {
        let (game, judged) = (&search.game, search.iteration().0 >= self.judged_from.get());
        if verdict != Verdict::Go {
            self.heard(game, node, node.window);
        }
        match verdict {
            Verdict::Cut(score) => {
                if score.abs() >= G::DECISIVE && !self.repeats() {
                    self.misplaced();
                }
                if judged {
                    self.judge(node.pos, node.depth, node.window, score, node.ply);
                }
            }
            // Only a node that its own static value does not save may be given less depth.
            Verdict::Shorten(_) if judged && node.evaluation(game) > node.window.alpha => {
                self.broken.set(self.broken.get() + 1);
            }
            Verdict::Shorten(_) | Verdict::Go => {}
        }
        verdict
    }
}

impl<G: Game, M: Prune<Bent<G>>> Prune<Bent<G>> for Watch<'_, G, M> {
    fn enter<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &Node<'_, Bent<G>>,
    ) -> Verdict {
        let verdict = self.method.enter(search, node);
        if search.is_stopped() { verdict } else { self.hear(search, node, verdict) }
    }

    fn branch<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &Node<'_, Bent<G>>,
        moves: &mut Moves<Bent<G>>,
    ) -> Verdict {
        let before = moves.len();
        let verdict = self.method.branch(search, node, moves);
        if moves.len() < before && moves.is_empty() {
            // A node of which no move is left has no value.
            self.misplaced();
        }
        self.hear(search, node, verdict)
    }

    fn skip<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &Node<'_, Bent<G>>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let claim = self.method.skip(search, node, alpha, mv, index)?;
        self.heard(&search.game, node, Window { alpha, beta: Score::INFINITE });
        let child = search.game.play(node.pos, mv);
        // Exchanges count for moves that give check as for any other, and nothing is said of a move that is put off.
        let spares = self.name != "see-pruning" && !self.defers();
        if search.game.in_check(&child) && spares {
            self.misplaced();
        }
        // What is put off is searched again only where the parent has an open window.
        if self.defers() && (node.path.kind != Kind::Cut || search.parent_kind(node) != Kind::Pv) {
            self.misplaced();
        }
        if claim > alpha {
            self.misplaced();
        }
        let depth = node.depth - search.game.plies(mv);
        if search.iteration().0 >= self.judged_from.get() && !self.defers() {
            self.judge(&child, depth, -Window::at_most(alpha), -claim, node.ply + 1);
        }
        Some(claim)
    }

    fn approach<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &mut Node<'_, Bent<G>>,
        hint: bool,
    ) {
        let before = Before::of(search, node, self.corrects());
        self.method.approach(search, node, hint);
        if before != Before::of(search, node, self.corrects()) {
            self.spoken.set(self.spoken.get() + 1);
            if !self.is_due(search, node, &before, hint) {
                self.misplaced();
            }
        }
    }

    fn extend<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &Node<'_, Bent<G>>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        let plies = self.method.extend(search, node, mv, index);
        if plies != 0 {
            self.spoken.set(self.spoken.get() + 1);
            // It is the table's move of this very node that is singular, and nothing within a probe.
            let tabled = search.entry(node).and_then(|entry| entry.mv) == Some(mv);
            if !tabled || node.path.is_inside(self.bit) {
                self.misplaced();
            }
        }
        plies
    }

    fn leave<P: Prune<Bent<G>>>(
        &self,
        search: &mut Search<'_, Bent<G>, P>,
        node: &Node<'_, Bent<G>>,
        found: &Searched<G::Move>,
    ) {
        if self.corrects() {
            self.weigh(&search.game, node, found);
        }
        self.method.leave(search, node, found);
    }

    fn quiet<P: Prune<Bent<G>>>(
        &self,
        search: &mut Quiet<'_, Bent<G>, P>,
        node: &QuietNode<'_, Bent<G>>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let claim = self.method.quiet(search, node, alpha, mv)?;
        self.spoken.set(self.spoken.get() + 1);
        if alpha.abs() >= G::DECISIVE || claim > alpha || !self.may_drop(search.game(), node, mv) {
            self.misplaced();
        }
        Some(claim)
    }

    fn doubts_bounds(&self) -> bool {
        self.method.doubts_bounds()
    }

    fn asks(&self) -> Asks {
        self.method.asks()
    }

    fn learns(&self, cells: &mut Vec<usize>) {
        // The method may be one of a whole roster, and whoever asks has the first place here.
        let mut theirs = Vec::new();
        self.method.learns(&mut theirs);
        cells.push(theirs.into_iter().max().unwrap_or(0));
    }

    fn sensitive_from(&self) -> Depth {
        self.method.sensitive_from()
    }
}
