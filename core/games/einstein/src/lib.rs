//! EinStein würfelt nicht! on five by five squares: a game with a die, an evaluation that was learnt, exact values.
//!
//! [`Einstein`] ties the parts to the [`Game`] seam. A score is the expected result in 1/10,000, a win being 1 and a loss -1: 200 are
//! one per cent of winning probability. Every move is followed by a throw, which is a chance node of the host.
//! Left out: a quiescence search.

mod board;
pub mod evaluation;
mod exact;
mod text;

pub use board::{Position, SQUARES, Step};
pub use evaluation::Weights;

use board::goal;
use secateur_base::hash::folded;
use secateur_core::game::{
    AnyGame, Chance, Ending, Evaluation, Game, Has, Hints, Moves, Outcomes, Rules, Scored,
};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Searcher, searcher};
use secateur_core::{Score, Window};
use std::sync::Arc;

/// Score of a won game.
pub const WIN: i32 = 10_000;
/// The largest evaluation of a game that is not over.
const CERTAIN: i32 = WIN - 1;
/// The setup that games of the position sets begin from, red's the same seen from its own corner.
pub const START: &str = "..CBA/...ED/6...F/45.../123.. b -";

/// EinStein würfelt nicht! with one set of weights.
#[derive(Clone, Debug)]
pub struct Einstein(Arc<Weights>);

impl Einstein {
    /// The game with these weights.
    pub fn new(weights: Arc<Weights>) -> Einstein {
        Einstein(weights)
    }
}

impl Default for Einstein {
    /// The game with the embedded weights.
    fn default() -> Einstein {
        Einstein(Weights::embedded())
    }
}

impl Rules for Einstein {
    type Position = Position;
    type Move = Step;

    const CHANCE: bool = true;

    #[inline]
    fn awaits(&self, pos: &Position) -> bool {
        pos.die == 0 && !pos.is_over()
    }

    fn outcomes(&self, pos: &Position, outcomes: &mut Outcomes<Self>) {
        if self.awaits(pos) {
            outcomes.extend(pos.throws().map(|(die, weight)| Chance { weight, pos: pos.with_die(die) }));
        }
    }

    fn unthrown(&self, pos: &Position) -> Option<Position> {
        (pos.die != 0).then(|| pos.with_die(0))
    }

    /// Numbers that let the same stones move are the same position.
    #[inline]
    fn key(&self, pos: &Position) -> u64 {
        let word =
            |side: usize| pos.squares[side].iter().fold(0, |word, &square| word << 5 | u64::from(square));
        let turn = u64::from(pos.movers()) << 1 | u64::from(pos.side);
        let first = folded(word(0) ^ turn << 32 ^ 0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03);
        folded(first ^ word(1).rotate_left(23), 0xA076_1D64_78BD_642F) ^ first
    }

    #[inline]
    fn side(&self, pos: &Position) -> usize {
        pos.side()
    }

    fn remaining(&self, pos: &Position) -> Option<i32> {
        Some(pos.most_moves())
    }

    fn mirror(&self, pos: &Position) -> Position {
        pos.mirrored()
    }

    fn moves(&self, pos: &Position, moves: &mut Moves<Self>) {
        moves.extend(pos.steps().map(|mv| Scored { mv, value: 0 }));
    }

    #[inline]
    fn play(&self, pos: &Position, mv: Step) -> Position {
        pos.play(mv)
    }

    fn pack(&self, mv: Step) -> u16 {
        u16::from(mv.from) << 5 | u16::from(mv.to) | 1 << 10
    }

    fn unpack(&self, bits: u16) -> Step {
        Step { from: (bits >> 5 & 31) as u8, to: (bits & 31) as u8 }
    }

    /// The other side throws.
    fn null(&self, pos: &Position) -> Option<Position> {
        Some(Position { side: 1 - pos.side, die: 0, ..*pos })
    }

    fn outcome(&self, _: &Position, _: u32) -> Score {
        Score(-WIN)
    }

    fn ending(&self, pos: &Position, _: usize) -> Option<Ending> {
        let winner = 1 - pos.side();
        let why = if pos.squares[winner].contains(&goal(winner)) { "corner" } else { "stones" };
        pos.is_over().then_some(Ending { winner: Some(winner), why })
    }
}

impl Evaluation for Einstein {
    const HAS: Has = Has::NOTHING;
    const STAGES: &'static [&'static str] = &["s11-12", "s09-10", "s07-08", "s05-06", "s02-04"];
    /// Out of reach: a mean of wins and losses is a score like any other.
    const DECISIVE: Score = Score(20_000);
    const HISTORY: usize = 1 << 10;
    const STEADY: bool = true;

    fn evaluation_id(&self) -> u64 {
        self.0.id()
    }

    fn stage(&self, pos: &Position) -> usize {
        (12 - pos.stones()).min(8) / 2
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        self.0.evaluate(pos)
    }

    #[inline]
    fn attainable(&self, _: u32) -> Window {
        Window { alpha: Score(-WIN), beta: Score(WIN) }
    }

    fn is_solvable(&self, pos: &Position) -> bool {
        exact::is_small(pos)
    }

    fn solved(&self, pos: &Position) -> Option<Score> {
        exact::value(pos)
    }

    /// The table's move, one that arrives, and the others by what the evaluation says of the position after them; without looking,
    /// by history.
    fn order(&self, pos: &Position, hints: &Hints<'_, Step>, moves: &mut Moves<Self>) {
        for scored in moves {
            let mv = scored.mv;
            scored.value = if hints.table == Some(mv) {
                2 * WIN
            } else if mv.to == goal(pos.side()) {
                WIN
            } else if hints.depth > 0 {
                let child = pos.play(mv);
                if child.is_over() { WIN } else { -self.evaluate(&child).0 }
            } else {
                hints
                    .history
                    .get(self.history_index(pos, mv))
                    .copied()
                    .map_or(0, |value| i32::from(value) / 2)
            };
        }
    }

    /// Whether a move takes a stone of the other side, or arrives.
    fn tactical(&self, pos: &Position, mv: Step) -> bool {
        mv.to == goal(pos.side()) || pos.squares[1 - pos.side()].contains(&mv.to)
    }
}

impl Game for Einstein {
    const NAME: &'static str = "einstein";

    #[inline(never)]
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        searcher(self, methods, options)
    }
}

impl From<Einstein> for AnyGame {
    #[inline(never)]
    fn from(game: Einstein) -> AnyGame {
        AnyGame::of(game)
    }
}

/// The rules against counts found in another way, and exact values against searches to the end of the game.
#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Depth;
    use secateur_core::game::Notation;
    use secateur_core::search::{Budget, Star, minimax};

    fn game() -> Einstein {
        Einstein::default()
    }

    /// Leaves after so many moves, every number of the die counted by itself.
    fn perft(pos: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut outcomes = Outcomes::<Einstein>::new();
        game().outcomes(pos, &mut outcomes);
        let leaves = |pos: &Position| pos.steps().map(|step| perft(&pos.play(step), depth - 1)).sum::<u64>();
        outcomes.iter().map(|outcome| u64::from(outcome.weight) * leaves(&outcome.pos)).sum()
    }

    /// The counts were found twice: here, and by a program of thirty lines that keeps a board of characters and walks through all
    /// six numbers of every throw.
    #[test]
    fn perft_is_as_counted_elsewhere() {
        let start = game().parse(START).unwrap();
        for (depth, leaves) in (1..).zip([18, 324, 6_162, 117_369]) {
            assert_eq!(perft(&start, depth), leaves, "depth {depth}");
            assert_eq!(perft(&start.mirrored(), depth), leaves, "mirrored, depth {depth}");
            assert_eq!(perft(&start.reflected(), depth), leaves, "reflected, depth {depth}");
        }
    }

    /// The lot sets up every stone in its corner, in every order that there is, and the usual start is one of them.
    #[test]
    fn layouts_are_starts_of_games() {
        let start = game().parse(START).unwrap();
        let (mut state, mut seen) = (1_u64, std::collections::BTreeSet::new());
        let mut below = |n: u32| {
            state = folded(state ^ 0x9E37_79B9_7F4A_7C15, 0xA076_1D64_78BD_642F);
            ((state >> 32) % u64::from(n)) as u32
        };
        for _ in 0..20_000 {
            let pos = game().parse(&game().layout(&mut below).unwrap()).unwrap();
            assert!(game().awaits(&pos) && pos.side() == 0);
            for side in 0..2 {
                let sorted = |pos: &Position| {
                    let mut squares = pos.squares[side];
                    squares.sort_unstable();
                    squares
                };
                assert_eq!(sorted(&pos), sorted(&start));
                seen.insert((side, pos.squares[side]));
            }
        }
        assert_eq!(seen.len(), 2 * 720, "every order of six stones, on either side");
    }

    #[test]
    fn what_was_thrown_is_told_as_the_least_that_does_the_same() {
        let pos = game().parse("...../...../...../25.../....A b -").unwrap();
        let thrown = |die: u8| game().dice(&pos.with_die(die));
        assert_eq!([0, 2, 4, 6].map(thrown), [None, Some("1".into()), Some("3".into()), Some("5".into())]);
    }

    #[test]
    fn weights_of_a_throw_are_those_of_the_die() {
        // Stones 2 and 5 are left: 1 and 2 move stone 2, 3 and 4 either, 5 and 6 stone 5.
        let pos = game().parse("...../...../...../25.../....A b -").unwrap();
        assert_eq!(pos.throws().collect::<Vec<_>>(), [(1, 2), (3, 2), (5, 2)]);
        let steps = |die: u8| {
            pos.with_die(die).steps().map(|step| game().format_move(&pos, step)).collect::<Vec<_>>()
        };
        assert_eq!(steps(2), ["a2b2", "a2a3", "a2b3"]);
        assert_eq!(steps(4).len(), 6);
        assert_eq!(game().key(&pos.with_die(3)), game().key(&pos.with_die(4)));
        assert_ne!(game().key(&pos.with_die(2)), game().key(&pos.with_die(3)));
        assert_eq!(game().canonical(&pos.with_die(4)), game().canonical(&pos.with_die(3).mirrored()));
    }

    #[test]
    fn games_end_in_the_corner_or_without_stones() {
        let after = |text: &str, mv: &str| {
            let pos = game().parse(text).unwrap();
            let next = pos.play(game().parse_move(&pos, mv).unwrap());
            assert!(!game().awaits(&next) && next.steps().next().is_none());
            game().ending(&next, 1).unwrap()
        };
        let corner = after("...../...1./...../.A.../..... b 3", "d4e5");
        assert_eq!(corner, Ending { winner: Some(0), why: "corner" });
        let stones = after("...../...A./..1../...../..... r 3", "d4c3");
        assert_eq!(stones, Ending { winner: Some(1), why: "stones" });
    }

    /// Exact values are those of searches to the end of the game, by either star and by plain expectiminimax.
    #[test]
    fn exact_values_are_those_of_whole_searches() {
        let mut solved = 0;
        for text in [
            "...../...../..1../.A.../..... b 3",
            "...../..1../.2B../.A.../..... r -",
            "...A./..1../...2./.B.../..... b 6",
            "..1../...3./..B../.A.../..... r 1",
        ] {
            let pos = game().parse(text).unwrap();
            let exact = game().solved(&pos).unwrap();
            let depth = pos.most_moves();
            for star in [Star::One, Star::Two] {
                let options = Options { table_mib: 1, star, ..Options::default() };
                let outcome = game().searcher(Methods::NONE, options).run(&pos, &Budget::Depth(depth));
                assert_eq!(outcome.last().score, exact, "{text}");
            }
            if depth <= 9 {
                assert_eq!(minimax(&game(), &pos, Depth(depth)), exact, "{text}");
                solved += 1;
            }
            assert_eq!(game().solved(&pos.mirrored()), Some(exact));
            assert_eq!(game().solved(&pos.reflected()), Some(exact));
        }
        assert!(solved > 0, "nothing was searched plainly");
        assert_eq!(game().solved(&game().parse(START).unwrap()), None);
    }
}
