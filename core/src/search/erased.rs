//! The searcher of a game of unknown type: that of the game itself, with roots and answers carried over.

use super::{
    AnySearch, Budget, Choose, Claimed, Iteration, Limits, News, Observer, Options, Outcome, Sample, Scope,
    Searcher, Table, Verdict, Watch,
};
use crate::game::{AnyGame, AnyMove, AnyPosition, Game};
use crate::prune::{Asks, Methods};
use crate::score::{Depth, Score};

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
