//! Chess: rules from cozy-chess, everything a search needs next to them written here.
//!
//! Scores are centipawns; mate in `n` plies from the root is [`MATE`] - n. Copying a [`Chess`] copies its
//! evaluation and pawn cache; the cache changes speed only. Left out: Chess960, threefold repetition before
//! the root, opening books, tablebases.

mod check;
mod draw;
mod eval;
mod legal;
mod notation;
mod order;
mod parse;
mod position;
mod quiescence;
mod rules;
mod see;
mod slides;

#[cfg(test)]
mod testing;

pub use eval::{EvalError, EvalParams, Group, Taper, Trace};
pub use position::Position;
pub use secateur_base::MATE;

use check::Checks;
use cozy_chess::{Board, Color, Move, Piece};
use eval::Evaluator;
use secateur_core::game::{AnyGame, Below, Evaluation, Force, Game, Hints, Meter, Moves, Scored};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, quiesce, searcher};
use secateur_core::{Score, Window};

/// The position that games begin from, as FEN.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Chess with one evaluation.
#[derive(Clone, Debug)]
pub struct Chess {
    evaluation: Evaluator,
    targets: order::Targets,
    checks: Checks,
}

impl Chess {
    /// Chess with the evaluation of these numbers. Positions carry sums of them, so a position belongs to
    /// games with equal numbers only.
    pub fn with_params(params: EvalParams) -> Chess {
        check::read_keys();
        let evaluation = Evaluator::new(params);
        Chess { targets: order::Targets::new(&evaluation), evaluation, checks: Checks::default() }
    }

    /// Hash by which the rules call two positions the same: [`secateur_core::Rules::key`] less the clock of the fifty-move rule.
    pub fn repetition_key(&self, pos: &Position) -> u64 {
        draw::identity(&pos.board)
    }

    /// The numbers of the evaluation.
    pub fn params(&self) -> &EvalParams {
        &self.evaluation.params
    }

    /// What the evaluation of a position is made of: a row of a regression on the numbers.
    pub fn trace(&self, pos: &Position) -> Trace {
        self.evaluation.trace(&pos.board, pos.phase)
    }

    /// Where the pawns of both sides stand, as their owner sees the board (A1 = 0): what a scale of 100 a pawn is
    /// measured on.
    pub fn pawn_squares(&self, pos: &Position) -> impl Iterator<Item = usize> {
        let board = &pos.board;
        let seen = move |color: Color, flip: usize| {
            let pawns = board.colored_pieces(color, Piece::Pawn);
            pawns.into_iter().map(move |square| square as usize ^ flip)
        };
        seen(Color::White, 0).chain(seen(Color::Black, 56))
    }

    fn position(&self, board: Board) -> Position {
        Position::new(board, &self.evaluation)
    }
}

impl Default for Chess {
    fn default() -> Chess {
        Chess::with_params(EvalParams::default())
    }
}

impl Evaluation for Chess {
    const STAGES: &'static [&'static str] = position::STAGES;
    const DECISIVE: Score = Score(29_000);
    const HISTORY: usize = 6 * 64;
    const COUNTERS: bool = true;
    const OPENS: bool = true;

    fn evaluation_id(&self) -> u64 {
        self.evaluation.id
    }

    fn stage(&self, pos: &Position) -> usize {
        position::stage(&pos.board)
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        self.evaluation.evaluate(&pos.board, pos.placed, pos.phase)
    }

    fn balance(&self, pos: &Position) -> Score {
        Score(see::balance(&pos.board))
    }

    #[inline]
    fn horizon(&self, pos: &Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        quiesce(self, pos, window, ply, meter, &mut ())
    }

    fn quiesce(
        &self,
        pos: &Position,
        window: Window,
        ply: u32,
        meter: &mut Meter,
        below: &mut impl Below<Chess>,
    ) -> Score {
        quiesce(self, pos, window, ply, meter, below)
    }

    #[inline]
    fn attainable(&self, ply: u32) -> Window {
        Window::between_mates(MATE, ply)
    }

    #[inline]
    fn null_plausible(&self, pos: &Position) -> bool {
        let board = &pos.board;
        let helpless = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        !(board.colors(board.side_to_move()) & !helpless).is_empty()
    }

    fn force(&self, pos: &Position, of_mover: bool) -> Force {
        let board = &pos.board;
        let side = if of_mover { board.side_to_move() } else { !board.side_to_move() };
        let pieces = board.colors(side) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
        Force { count: pieces.len(), worth: eval::points(board, side) }
    }

    #[inline]
    fn order(&self, pos: &Position, hints: &Hints<'_, Move>, moves: &mut Moves<Chess>) {
        order::order(self, pos, hints, moves);
    }

    fn opening(&self, pos: &Position, moves: &mut Moves<Chess>) {
        order::opening(&pos.board, moves);
    }

    #[inline]
    fn tactical(&self, pos: &Position, mv: Move) -> bool {
        let board = &pos.board;
        mv.promotion.is_some()
            || board.colors(!board.side_to_move()).has(mv.to)
            || position::takes_en_passant(board, mv)
    }

    fn calm(&self, pos: &Position, moves: &[Scored<Move>]) -> usize {
        let board = &pos.board;
        let (marked, screens) = self.checks.marks(board);
        let marked = marked | board.colors(!board.side_to_move());
        let ends = |&Scored { mv, .. }: &Scored<Move>| {
            (mv.promotion.is_some() || marked.has(mv.to) || screens.has(mv.from)) && !self.is_calm(pos, mv)
        };
        moves.iter().position(ends).unwrap_or(moves.len())
    }

    #[inline]
    fn gain(&self, pos: &Position, mv: Move) -> Score {
        Score(see::gain(&pos.board, mv))
    }

    fn exchange(&self, pos: &Position, mv: Move) -> Score {
        Score(see::see(&pos.board, mv))
    }

    fn exchange_reaches(&self, pos: &Position, mv: Move, least: Score) -> bool {
        see::reaches(&pos.board, mv, least.0)
    }

    /// The pawns of both sides, by what the mover sees of them, so that mirrored positions have mirrored structures.
    fn structure(&self, pos: &Position) -> Option<u64> {
        let board = &pos.board;
        let us = board.side_to_move();
        let seen = |color: Color| {
            let pawns = board.colored_pieces(color, Piece::Pawn).0;
            if us == Color::White { pawns } else { pawns.swap_bytes() }
        };
        let mixed =
            seen(us).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seen(!us).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        Some((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    #[inline]
    fn history_index(&self, pos: &Position, mv: Move) -> usize {
        let piece = pos.board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        order::history_index(piece, mv.to)
    }
}

impl Game for Chess {
    const NAME: &'static str = "chess";

    fn forget(&mut self) {
        self.evaluation.forget();
        self.checks = Checks::default();
    }

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

impl From<Chess> for AnyGame {
    #[inline(never)]
    fn from(game: Chess) -> AnyGame {
        AnyGame::of(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::{Notation, Rules};

    /// Work is nodes, values that no cache knows, and pawn structures that none knows.
    #[test]
    fn a_search_is_as_much_work_again_after_forgetting() {
        use secateur_core::search::{Budget, Limits, Options, Search};
        use std::ops::ControlFlow;
        let mut search = Search::full_width(Chess::default(), Options { table_mib: 1, ..Options::default() });
        for pos in testing::positions(400).iter().step_by(40) {
            let limits: Limits = (&Budget::Depth(4)).into();
            let mut work = |forgets: bool| {
                if forgets {
                    search.forget();
                }
                let before = search.game.evaluation.misses();
                let outcome = search.go(pos, &[], &limits, |_| ControlFlow::Continue(()));
                let after = search.game.evaluation.misses();
                (outcome.tally.nodes, [0, 1].map(|cache| after[cache] - before[cache]))
            };
            let (first, warm, again) = (work(true), work(false), work(true));
            assert_eq!(first, again, "{pos:?}");
            assert!(warm.1[0] < first.1[0], "a warm cache spares work: {warm:?}, {first:?}");
        }
    }

    #[test]
    fn balance_changes_by_the_gain_of_each_move() {
        let game = Chess::default();
        let mut gains = std::collections::BTreeSet::new();
        for pos in testing::positions(2000) {
            for mv in testing::moves(&game, &pos) {
                let gain = game.gain(&pos, mv);
                assert_eq!(game.balance(&game.play(&pos, mv)), -(game.balance(&pos) + gain));
                assert_eq!(gain.0 != 0, game.tactical(&pos, mv));
                assert!(game.history_index(&pos, mv) < Chess::HISTORY);
                gains.insert(gain);
            }
        }
        assert!(gains.len() > 10);
    }

    /// What the table holds may be the move of another position.
    #[test]
    fn the_legal_moves_are_those_that_are_generated() {
        let game = Chess::default();
        let mut legal = 0;
        for pos in testing::positions(400).iter().step_by(5) {
            let moves = testing::moves(&game, pos);
            for bits in 1..=u16::MAX {
                let mv = game.unpack(bits);
                if game.pack(mv) == bits {
                    let is_legal = game.is_legal(pos, mv);
                    assert_eq!(is_legal, moves.contains(&mv), "{mv} in {}", game.format(pos));
                    legal += usize::from(is_legal);
                }
            }
        }
        assert!(legal > 1000, "{legal}");
    }

    #[test]
    fn a_null_move_needs_pieces_and_no_check() {
        let game = Chess::default();
        for (fen, plausible, possible) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false, true),
            ("4k3/8/8/8/8/8/4N3/4K3 w - - 0 1", true, true),
            ("4k3/4r3/8/8/8/8/4N3/4K3 b - - 0 1", true, true),
            ("4k3/4r3/8/8/8/8/3N4/4K3 w - - 0 1", true, false),
        ] {
            let pos = game.parse(fen).expect("a legal position");
            assert_eq!(game.null_plausible(&pos), plausible, "{fen}");
            assert_eq!(game.null(&pos).is_some(), possible, "{fen}");
        }
    }
    #[test]
    fn mirrored_positions_are_searched_alike() {
        use secateur_core::search::{Budget, Options, Search};
        let game = Chess::default();
        let mut search = Search::full_width(game.clone(), Options { table_mib: 4, ..Options::default() });
        for pos in testing::positions(400).iter().step_by(7) {
            let mut run = |pos: &Position| {
                let outcome = search.run(pos, &Budget::Depth(4));
                outcome
                    .iterations
                    .iter()
                    .map(|iteration| (iteration.score, iteration.nodes, iteration.qnodes))
                    .collect::<Vec<_>>()
            };
            assert_eq!(run(pos), run(&game.mirror(pos)), "{}", game.format(pos));
        }
    }
}
