//! Searchers whose methods are no part of their type.
//!
//! A [`Search`] is compiled for its game and its methods, which is what makes it fast, and what made every crate that
//! searches compile it again. Games make their searchers themselves ([`Game::searcher`]), so those of the games that
//! come along are compiled once, with their crate; what is called through the pointer is whole searches, never a node.
//! Left out: how a method talks to the search, which stays static.

use super::draw::{Choose, draw};
use super::{
    Budget, Claimed, Hear, Iteration, Limits, Options, Outcome, Sample, Scope, Search, Settled, Table,
    minimax_with,
};
use crate::game::Game;
use crate::prune::{Asks, Prune, Roster, WithMethods, narrowest};
use crate::score::{Depth, Score};
use std::any::Any;
use std::ops::ControlFlow;

/// Which methods a searcher has.
#[derive(Clone, Copy, Debug)]
pub enum Methods<'p> {
    /// None.
    None,
    /// Those of a roster, behind switches: what a run compares, because all sets then cost the same.
    Switched(&'p Roster),
    /// Those of a roster with no switch that could be spared: what a method costs by itself.
    Narrowest(&'p Roster),
    /// Those of this crate and others, as [`crate::game::AnyGame::hosting`] was told.
    Joined(&'p (dyn Any + Send + Sync)),
}

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
        hear: Hear<'_, G::Move>,
    ) -> Outcome<G::Move>;
    /// [`Search::move_reaches`].
    fn move_reaches(&mut self, root: &G::Position, mv: G::Move, depth: Depth, bound: Score) -> bool;
    /// [`Search::move_value`], and the nodes that it took.
    fn move_value(&mut self, root: &G::Position, mv: G::Move, depth: Depth) -> (Score, u64);
    /// [`Search::cuts_open_windows`].
    fn cuts_open_windows(&self) -> bool;
    /// [`Search::asks`].
    fn asks(&self) -> Asks;
    /// [`Search::options`].
    fn options(&self) -> &Options;
    /// [`Search::forget`].
    fn forget(&mut self);
    /// [`Search::swap_table`].
    fn swap_table(&mut self, other: &mut Table);
    /// [`Search::audit_every`].
    fn audit_every(&mut self, every: u64);
    /// [`Search::take_samples`].
    fn take_samples(&mut self) -> (Vec<Sample<G>>, u64);
    /// [`Search::settle`].
    fn settle(&mut self, claimed: &Claimed, pos: &G::Position) -> Settled;
    /// One of the nodes `ply` plies below `root` and `height` plies above the horizon of a full-width search with a table
    /// of 1 MiB, as `choose` has it; none where the game ends too soon. Nothing that this searcher knows is used.
    fn draw(&self, root: &G::Position, ply: u32, height: Depth, choose: Choose<'_>) -> Option<G::Position>;
    /// [`minimax_with`] the game and the options of this searcher.
    fn minimax(&self, root: &G::Position, depth: Depth) -> Score;
}

/// A searcher of a game with any methods.
pub type Searcher<'p, G> = Box<dyn AnySearch<G> + Send + 'p>;

impl<G: Game, P: Prune<G>> AnySearch<G> for Search<'_, G, P> {
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
        hear: Hear<'_, G::Move>,
    ) -> Outcome<G::Move> {
        Search::analyse(self, root, before, limits, scope, hear)
    }
    fn move_reaches(&mut self, root: &G::Position, mv: G::Move, depth: Depth, bound: Score) -> bool {
        Search::move_reaches(self, root, mv, depth, bound)
    }
    fn move_value(&mut self, root: &G::Position, mv: G::Move, depth: Depth) -> (Score, u64) {
        let value = Search::move_value(self, root, mv, depth);
        (value, self.tally.nodes)
    }
    fn cuts_open_windows(&self) -> bool {
        Search::cuts_open_windows(self)
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
    fn audit_every(&mut self, every: u64) {
        Search::audit_every(self, every);
    }
    fn take_samples(&mut self) -> (Vec<Sample<G>>, u64) {
        Search::take_samples(self)
    }
    fn settle(&mut self, claimed: &Claimed, pos: &G::Position) -> Settled {
        Search::settle(self, claimed, pos)
    }
    fn draw(&self, root: &G::Position, ply: u32, height: Depth, choose: Choose<'_>) -> Option<G::Position> {
        draw(self.game.clone(), root, ply, height, choose)
    }
    fn minimax(&self, root: &G::Position, depth: Depth) -> Score {
        minimax_with(&self.game, &self.options, root, depth)
    }
}

/// A searcher, compiled wherever this is called: what [`Game::searcher`] is made of.
#[must_use]
pub fn searcher<'p, G: Game>(game: G, methods: Methods<'p>, options: Options) -> Searcher<'p, G> {
    match methods {
        Methods::Narrowest(roster) => narrowest(roster, Boxed(game, options)),
        methods => switched(game, methods, options),
    }
}

/// A searcher in fewer forms: methods are behind switches however they are asked for. Its trees are those of [`searcher`], and it takes
/// a fraction of the time to compile: for a game whose costs nobody counts.
#[must_use]
pub fn switched<'p, G: Game>(game: G, methods: Methods<'p>, options: Options) -> Searcher<'p, G> {
    match methods {
        Methods::None => Box::new(Search::new(game, &(), options)),
        Methods::Switched(roster) | Methods::Narrowest(roster) => {
            Box::new(Search::new(game, roster, options))
        }
        Methods::Joined(_) => panic!("methods of other crates are searched by the game that hosts them"),
    }
}

/// Puts a search into a box, whatever its methods are.
struct Boxed<G>(G, Options);

impl<'p, G: Game> WithMethods<'p, G> for Boxed<G> {
    type Output = Searcher<'p, G>;
    fn with<P: Prune<G> + Sync>(self, prune: &'p P) -> Self::Output {
        Box::new(Search::new(self.0, prune, self.1))
    }
}
