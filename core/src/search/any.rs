//! Searchers whose form is no part of their type, and searchers whose game is none either.
//!
//! A [`Search`] is compiled for its game. Games make their searchers themselves ([`Game::searcher`]), so those of the games
//! that come along are compiled once, with their crate; what is called through the pointer is whole searches, never a node.
//! The searcher of a game of unknown type is that of the game itself, with roots and answers carried over.

use super::shadow::{Choose, draw};
use super::{
    Budget, Claimed, Form, Iteration, Limits, News, Observer, Options, Outcome, Sample, Scope, Search, Table,
    Verdict, minimax_with,
};
use crate::game::{AnyGame, AnyMove, AnyPosition, Game};
use crate::prune::{Asks, Methods};
use crate::score::{Depth, Score};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Called for every completed iteration of a search; may ask for no further one.
pub type Watch<'w, M> = &'w mut dyn FnMut(&Iteration<M>) -> ControlFlow<()>;

/// A [`Search`] with methods that are no part of the type. The functions are those of [`Search`].
pub trait AnySearch<G: Game> {
    /// The game with its evaluation.
    fn game(&self) -> &G;
    /// [`Search::run`].
    fn run(&mut self, root: &G::Position, budget: &Budget) -> Outcome<G::Move>;
    /// [`Search::go`].
    fn go(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        watch: Watch<'_, G::Move>,
    ) -> Outcome<G::Move>;
    /// [`Search::analyse`].
    fn analyse(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        scope: &Scope<G::Move>,
        observe: Observer<'_, G::Move>,
    ) -> Outcome<G::Move>;
    /// [`Search::heed`].
    fn heed(&mut self, stop: Option<Arc<AtomicBool>>);
    /// [`Search::move_reaches`].
    fn move_reaches(&mut self, root: &G::Position, mv: G::Move, depth: Depth, bound: Score) -> bool;
    /// [`Search::move_value`], and the nodes that it took.
    fn move_value(&mut self, root: &G::Position, mv: G::Move, depth: Depth) -> (Score, u64);
    /// [`Search::asks`].
    fn asks(&self) -> Asks;
    /// [`Search::options`].
    fn options(&self) -> &Options;
    /// [`Search::forget`].
    fn forget(&mut self);
    /// [`Search::swap_table`].
    fn swap_table(&mut self, other: &mut Table);
    /// [`Search::count_methods`].
    fn count_methods(&mut self, counted: bool);
    /// [`Search::audit_every`].
    fn audit_every(&mut self, every: u64);
    /// [`Search::take_samples`].
    fn take_samples(&mut self) -> (Vec<Sample<G>>, u64);
    /// [`Search::decide`].
    fn decide(&mut self, claimed: &Claimed, pos: &G::Position) -> Verdict;
    /// One of the nodes `ply` plies below `root` and `height` plies above the horizon of a full-width search with a table
    /// of 1 MiB, as `choose` has it; none where the game ends too soon. Nothing that this searcher knows is used.
    fn draw(&self, root: &G::Position, ply: u32, height: Depth, choose: Choose<'_>) -> Option<G::Position>;
    /// [`minimax_with`] the game and the options of this searcher.
    fn minimax(&self, root: &G::Position, depth: Depth) -> Score;
}

/// A searcher of a game with any methods.
pub type Searcher<'p, G> = Box<dyn AnySearch<G> + Send + 'p>;

impl<G: Game, F: Form<G>> AnySearch<G> for Search<'_, G, F> {
    fn game(&self) -> &G {
        &self.game
    }
    fn run(&mut self, root: &G::Position, budget: &Budget) -> Outcome<G::Move> {
        Search::run(self, root, budget)
    }
    fn go(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        watch: Watch<'_, G::Move>,
    ) -> Outcome<G::Move> {
        Search::go(self, root, before, limits, watch)
    }
    fn analyse(
        &mut self,
        root: &G::Position,
        before: &[u64],
        limits: &Limits,
        scope: &Scope<G::Move>,
        observe: Observer<'_, G::Move>,
    ) -> Outcome<G::Move> {
        Search::analyse(self, root, before, limits, scope, observe)
    }
    fn heed(&mut self, stop: Option<Arc<AtomicBool>>) {
        Search::heed(self, stop);
    }
    fn move_reaches(&mut self, root: &G::Position, mv: G::Move, depth: Depth, bound: Score) -> bool {
        Search::move_reaches(self, root, mv, depth, bound)
    }
    fn move_value(&mut self, root: &G::Position, mv: G::Move, depth: Depth) -> (Score, u64) {
        let value = Search::move_value(self, root, mv, depth);
        (value, self.tally.nodes)
    }
    fn asks(&self) -> Asks {
        Search::asks(self)
    }
    fn options(&self) -> &Options {
        Search::options(self)
    }
    fn forget(&mut self) {
        Search::forget(self);
    }
    fn swap_table(&mut self, other: &mut Table) {
        Search::swap_table(self, other);
    }
    fn count_methods(&mut self, counted: bool) {
        Search::count_methods(self, counted);
    }
    fn audit_every(&mut self, every: u64) {
        Search::audit_every(self, every);
    }
    fn take_samples(&mut self) -> (Vec<Sample<G>>, u64) {
        Search::take_samples(self)
    }
    fn decide(&mut self, claimed: &Claimed, pos: &G::Position) -> Verdict {
        Search::decide(self, claimed, pos)
    }
    fn draw(&self, root: &G::Position, ply: u32, height: Depth, choose: Choose<'_>) -> Option<G::Position> {
        draw(self.game.clone(), root, ply, height, choose)
    }
    fn minimax(&self, root: &G::Position, depth: Depth) -> Score {
        minimax_with(&self.game, &self.options, root, depth)
    }
}

/// A searcher, compiled wherever this is called, in two forms: what [`Game::searcher`] is made of.
pub fn searcher<G: Game>(game: G, methods: &Methods, options: Options) -> Searcher<'_, G> {
    if methods.is_empty() {
        Box::new(Search::full_width(game, options))
    } else {
        Box::new(Search::new(game, &methods.of::<G>(), options))
    }
}

/// A searcher of `game`, seen as one of `any`, which is the same game.
pub(crate) fn erased<G: Game>(
    game: G,
    any: AnyGame,
    methods: &Methods,
    options: Options,
) -> Searcher<'_, AnyGame> {
    let inner = game.searcher(methods, options);
    let game = inner.game().clone();
    Box::new(Carrier { inner, any, game })
}

struct Carrier<'p, G: Game> {
    inner: Searcher<'p, G>,
    any: AnyGame,
    /// For packing moves while the searcher is at work: a copy once, because a game may hold large tables.
    game: G,
}

fn packed<G: Game>(game: &G, iteration: &Iteration<G::Move>) -> Iteration<AnyMove> {
    Iteration {
        depth: iteration.depth,
        score: iteration.score,
        pv: iteration.pv.iter().map(|mv| AnyMove(game.pack(*mv))).collect(),
        nodes: iteration.nodes,
        qnodes: iteration.qnodes,
        seldepth: iteration.seldepth,
    }
}

impl<G: Game> Carrier<'_, G> {
    fn carried(&self, outcome: Outcome<G::Move>) -> Outcome<AnyMove> {
        let game = self.inner.game();
        Outcome {
            iterations: outcome.iterations.iter().map(|iteration| packed(game, iteration)).collect(),
            partial: outcome.partial.map(|mv| AnyMove(game.pack(mv))),
            tally: outcome.tally,
            meter: outcome.meter,
        }
    }

    fn unpacked(&self, mv: AnyMove) -> G::Move {
        self.inner.game().unpack(mv.0)
    }
}

impl<G: Game> AnySearch<AnyGame> for Carrier<'_, G> {
    fn game(&self) -> &AnyGame {
        &self.any
    }
    fn run(&mut self, root: &AnyPosition, budget: &Budget) -> Outcome<AnyMove> {
        let outcome = self.inner.run(root.of(), budget);
        self.carried(outcome)
    }
    fn go(
        &mut self,
        root: &AnyPosition,
        before: &[u64],
        limits: &Limits,
        watch: Watch<'_, AnyMove>,
    ) -> Outcome<AnyMove> {
        let game = &self.game;
        let mut carry = |iteration: &Iteration<G::Move>| watch(&packed(game, iteration));
        let outcome = self.inner.go(root.of(), before, limits, &mut carry);
        self.carried(outcome)
    }
    fn analyse(
        &mut self,
        root: &AnyPosition,
        before: &[u64],
        limits: &Limits,
        scope: &Scope<AnyMove>,
        observe: Observer<'_, AnyMove>,
    ) -> Outcome<AnyMove> {
        let game = &self.game;
        let moves = scope.moves.iter().map(|mv| game.unpack(mv.0)).collect();
        let scope = Scope { moves, lines: scope.lines, window: scope.window };
        let mut carry = |news: News<'_, G::Move>| match news {
            News::Turn { depth, mv, number } => {
                observe(News::Turn { depth, mv: AnyMove(game.pack(mv)), number })
            }
            News::Line { iteration, line, fill } => {
                observe(News::Line { iteration: &packed(game, iteration), line, fill })
            }
        };
        let outcome = self.inner.analyse(root.of(), before, limits, &scope, &mut carry);
        self.carried(outcome)
    }
    fn heed(&mut self, stop: Option<Arc<AtomicBool>>) {
        self.inner.heed(stop);
    }
    fn move_reaches(&mut self, root: &AnyPosition, mv: AnyMove, depth: Depth, bound: Score) -> bool {
        let mv = self.unpacked(mv);
        self.inner.move_reaches(root.of(), mv, depth, bound)
    }
    fn move_value(&mut self, root: &AnyPosition, mv: AnyMove, depth: Depth) -> (Score, u64) {
        let mv = self.unpacked(mv);
        self.inner.move_value(root.of(), mv, depth)
    }
    fn asks(&self) -> Asks {
        self.inner.asks()
    }
    fn options(&self) -> &Options {
        self.inner.options()
    }
    fn forget(&mut self) {
        self.inner.forget();
    }
    fn swap_table(&mut self, other: &mut Table) {
        self.inner.swap_table(other);
    }
    fn count_methods(&mut self, counted: bool) {
        self.inner.count_methods(counted);
    }
    fn audit_every(&mut self, every: u64) {
        self.inner.audit_every(every);
    }
    fn take_samples(&mut self) -> (Vec<Sample<AnyGame>>, u64) {
        let (samples, every) = self.inner.take_samples();
        let carried =
            |sample: Sample<G>| Sample { claimed: sample.claimed, pos: AnyPosition::new(sample.pos) };
        (samples.into_iter().map(carried).collect(), every)
    }
    fn decide(&mut self, claimed: &Claimed, pos: &AnyPosition) -> Verdict {
        self.inner.decide(claimed, pos.of())
    }
    fn draw(&self, root: &AnyPosition, ply: u32, height: Depth, choose: Choose<'_>) -> Option<AnyPosition> {
        self.inner.draw(root.of(), ply, height, choose).map(AnyPosition::new)
    }
    fn minimax(&self, root: &AnyPosition, depth: Depth) -> Score {
        self.inner.minimax(root.of(), depth)
    }
}
