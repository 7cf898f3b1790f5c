//! Listens to a method: does it speak where it must not, and does what it claims hold when it is searched again?

use crate::games::Bent;
use crate::setup::{CORRECTION_PAIR, HINDSIGHT_PAIR};
use secateur_core::game::{Evaluation, Game, Moves, QuietNode, Rules};
use secateur_core::prune::{Asks, Methods, Place, Prune, Searched, SkipPlan, Verdict};
use secateur_core::search::{FullWidth, Kind, Node, Options, Path, Quiet, Search};
use secateur_core::{Depth, Score, Window};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32};

/// What was heard of the methods of a subject.
pub(super) struct Watch<G: Game> {
    pub(super) name: &'static str,
    /// Searches claims again, full width.
    judge: Mutex<Search<'static, Bent<G>, FullWidth>>,
    /// First iteration whose claims are judged, all of them.
    pub(super) judged_from: AtomicI32,
    /// How often the method spoke.
    spoken: AtomicU32,
    /// How often it spoke where it must not.
    out_of_place: AtomicU32,
    /// Claims that a search of the same depth contradicts.
    broken: AtomicU32,
    /// By how much corrected evaluations lie nearer to what was found than the others, in sum.
    pub(super) nearer: AtomicI64,
    /// The mark of its probes.
    mark: AtomicU32,
}

/// A method under observation.
pub(super) struct Watched<'m, G: Game> {
    method: &'m dyn Prune<Bent<G>>,
    watch: &'m Watch<G>,
}

/// Methods as a search takes them.
pub(super) fn asked<'m, G: Game>(watched: &'m [Watched<'m, G>]) -> Vec<&'m dyn Prune<Bent<G>>> {
    watched.iter().map(|method| method as &dyn Prune<Bent<G>>).collect()
}

impl<G: Game> Watch<G> {
    /// Judges no claim yet.
    pub(super) fn new(game: &Bent<G>, name: &'static str) -> Self {
        let options = Options { table_mib: 1, ..Options::default() };
        Watch {
            name,
            judge: Mutex::new(Search::full_width(game.clone(), options)),
            judged_from: AtomicI32::new(i32::MAX),
            spoken: AtomicU32::new(0),
            out_of_place: AtomicU32::new(0),
            broken: AtomicU32::new(0),
            nearer: AtomicI64::new(0),
            mark: AtomicU32::new(0),
        }
    }

    /// The methods, watched.
    pub(super) fn over<'m>(&'m self, methods: &'m Methods) -> Vec<Watched<'m, G>> {
        methods.of::<Bent<G>>().into_iter().map(|method| Watched { method, watch: self }).collect()
    }

    /// Whether a method spoke, spoke out of place, claimed what does not hold.
    pub(super) fn has_spoken(&self) -> bool {
        self.spoken.load(Relaxed) > 0
    }
    pub(super) fn is_misplaced(&self) -> bool {
        self.out_of_place.load(Relaxed) > 0
    }
    pub(super) fn is_broken(&self) -> bool {
        self.broken.load(Relaxed) > 0
    }

    /// The mark of probes inside which the method must not speak, once it was asked; 0 for none. Null move's is that of its
    /// verification, inside which it may.
    pub(super) fn mark(&self) -> u32 {
        if self.name == "null-move" { 0 } else { self.mark.load(Relaxed) }
    }

    fn speaks(&self) {
        self.spoken.fetch_add(1, Relaxed);
    }

    /// Notes that the method spoke at `node`, with the bounds that it judged by.
    fn heard(&self, game: &Bent<G>, node: &Node<'_, Bent<G>>, window: Window) {
        self.speaks();
        let proven = |score: Score| score.abs() >= G::DECISIVE && score.abs() < Score::INFINITE;
        if self.repeats() && node.path.kind != Kind::Pv {
            return;
        }
        let passes = self.name == "null-move" && (node.path.after_null || !game.null_plausible(node.pos));
        let inside = node.path.is_inside(self.mark());
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
        self.out_of_place.fetch_add(1, Relaxed);
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
        if self.is_broken() {
            // One is enough.
            return;
        }
        let path = Path::ROOT.child(Kind::Cut);
        let mut search = self.judge.lock().expect("one thread");
        let holds = if score >= window.beta {
            search.value(pos, depth, Window::at_least(score), ply, path) >= score
        } else if score <= window.alpha {
            search.value(pos, depth, Window::at_most(score), ply, path) <= score
        } else {
            false
        };
        self.broken.store(u32::from(!holds), Relaxed);
    }

    fn hear(&self, search: &Search<'_, Bent<G>>, node: &Node<'_, Bent<G>>, verdict: Verdict) -> Verdict {
        let (game, judged) = (&search.game, search.iteration().0 >= self.judged_from.load(Relaxed));
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
                self.broken.fetch_add(1, Relaxed);
            }
            Verdict::Shorten(_) | Verdict::Go => {}
        }
        verdict
    }
}

impl<G: Game> Prune<Bent<G>> for Watched<'_, G> {
    fn asks(&self) -> Asks {
        self.method.asks()
    }

    fn enter(&self, search: &mut Search<'_, Bent<G>>, place: Place, node: &Node<'_, Bent<G>>) -> Verdict {
        self.watch.mark.store(place.mark, Relaxed);
        let verdict = self.method.enter(search, place, node);
        if search.is_stopped() { verdict } else { self.watch.hear(search, node, verdict) }
    }

    fn branch(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &Node<'_, Bent<G>>,
        moves: &mut Moves<Bent<G>>,
    ) -> Verdict {
        self.watch.mark.store(place.mark, Relaxed);
        let before = moves.len();
        let verdict = self.method.branch(search, place, node, moves);
        if moves.len() < before && moves.is_empty() {
            // A node of which no move is left has no value.
            self.watch.misplaced();
        }
        self.watch.hear(search, node, verdict)
    }

    fn plan(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &Node<'_, Bent<G>>,
        alpha: Score,
    ) -> SkipPlan {
        // What a plan closes is not asked about; here every move is, so that what is said of it is heard.
        SkipPlan { closes: false, ..self.method.plan(search, place, node, alpha) }
    }

    fn skip(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &Node<'_, Bent<G>>,
        alpha: Score,
        mv: G::Move,
        index: usize,
    ) -> Option<Score> {
        let claim = self.method.skip(search, place, node, alpha, mv, index)?;
        let watch = self.watch;
        watch.heard(&search.game, node, Window { alpha, beta: Score::INFINITE });
        let child = search.game.play(node.pos, mv);
        // Exchanges count for moves that give check as for any other, and nothing is said of a move that is put off.
        let spares = watch.name != "see-pruning" && !watch.defers();
        if search.game.in_check(&child) && spares {
            watch.misplaced();
        }
        // What is put off is searched again only where the parent has an open window.
        if watch.defers() && (node.path.kind != Kind::Cut || search.parent_kind(node) != Kind::Pv) {
            watch.misplaced();
        }
        if claim > alpha {
            watch.misplaced();
        }
        let depth = node.depth - search.game.plies(mv);
        if search.iteration().0 >= watch.judged_from.load(Relaxed) && !watch.defers() {
            watch.judge(&child, depth, -Window::at_most(alpha), -claim, node.ply + 1);
        }
        Some(claim)
    }

    fn approach(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &mut Node<'_, Bent<G>>,
        hint: bool,
    ) {
        let watch = self.watch;
        let before = Before::of(search, node, watch.corrects());
        self.method.approach(search, place, node, hint);
        if before != Before::of(search, node, watch.corrects()) {
            watch.speaks();
            if !watch.is_due(search, node, &before, hint) {
                watch.misplaced();
            }
        }
    }

    fn extend(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &Node<'_, Bent<G>>,
        mv: G::Move,
        index: usize,
    ) -> i32 {
        let plies = self.method.extend(search, place, node, mv, index);
        if plies != 0 {
            self.watch.speaks();
            // It is the table's move of this very node that is singular, and nothing within a probe.
            let tabled = search.entry(node).and_then(|entry| entry.mv) == Some(mv);
            if !tabled || node.path.is_inside(place.mark) {
                self.watch.misplaced();
            }
        }
        plies
    }

    fn leave(
        &self,
        search: &mut Search<'_, Bent<G>>,
        place: Place,
        node: &Node<'_, Bent<G>>,
        searched: &Searched<G::Move>,
    ) {
        if self.watch.corrects() {
            self.watch.weigh(&search.game, node, searched);
        }
        self.method.leave(search, place, node, searched);
    }

    fn quiet(
        &self,
        search: &mut Quiet<'_, '_, Bent<G>>,
        place: Place,
        node: &QuietNode<'_, Bent<G>>,
        alpha: Score,
        mv: G::Move,
    ) -> Option<Score> {
        let claim = self.method.quiet(search, place, node, alpha, mv)?;
        self.watch.speaks();
        if alpha.abs() >= G::DECISIVE || claim > alpha || !self.watch.may_drop(search.game(), node, mv) {
            self.watch.misplaced();
        }
        Some(claim)
    }
}

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
        // Only where no first move is known and one is wanted.
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
    pub(super) fn weigh(&self, game: &Bent<G>, node: &Node<'_, Bent<G>>, searched: &Searched<G::Move>) {
        let (plain, corrected) = (game.evaluate(node.pos), node.evaluation(game));
        let score = searched.score;
        let beyond = match searched.best {
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
