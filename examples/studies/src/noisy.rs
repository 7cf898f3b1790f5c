//! A game of somebody else with something added to its evaluation. Rules, order of moves and ends of games stay as they are.
//!
//! With nothing added it is the game itself, node for node, which a test holds it to. In a game with quiescence what is added counts at
//! the horizon node, once, and not at the nodes below; material stays what it is. Left out: dice, quiescence with methods
//! in it, and exact values, which no search here needs.

use secateur_base::hash::SplitMix;
use secateur_core::game::{
    Ending, Evaluation, Force, Has, Hints, Last, Meter, Moves, Notation, ParseError, Rules, Scored, Unit,
};
use secateur_core::prune::Methods;
use secateur_core::search::{Options, Search, Searcher};
use secateur_core::{Game, Score, Window};
use secateur_games::othello::{Othello, Position, squares};
use std::sync::LazyLock;

/// What is added to a position's evaluation, in standard deviations.
pub type Noise<G> = fn(&G, &<G as Rules>::Position) -> f64;

/// A game with something added to its evaluation; its rules and its order of moves as they are.
#[derive(Clone, Debug)]
pub struct Noisy<G: Game> {
    /// The game as it is.
    pub game: G,
    /// What is added, in standard deviations.
    pub noise: Noise<G>,
    /// Standard deviation of what is added, score units.
    pub deviation: f64,
}

/// A number of mean 0 and standard deviation 1, the same for the same seed: the sum of four uniform numbers, scaled.
pub fn deviate(seed: u64) -> f64 {
    let word = SplitMix(seed).word();
    let sum: u64 = (0..4).map(|part| word >> (16 * part) & 0xFFFF).sum();
    (sum as f64 / 65_536.0 - 2.0) * 3.0_f64.sqrt()
}

/// Noise that is drawn anew at every position, and is the same whenever it comes up.
pub fn fresh<G: Game>(game: &G, pos: &G::Position) -> f64 {
    deviate(game.key(pos))
}

/// Noise of Othello that lasts over a line of play: a wrong table of weights of the squares.
pub fn wrong_squares(_: &Othello, pos: &Position) -> f64 {
    static WEIGHTS: LazyLock<[f64; 64]> =
        LazyLock::new(|| std::array::from_fn(|square| deviate(square as u64)));
    let sum = |discs: u64| squares(discs).map(|square| WEIGHTS[square.index()]).sum::<f64>();
    let board = pos.board();
    (sum(board.player) - sum(board.opponent)) / f64::from(board.discs()).sqrt()
}

impl<G: Game> Noisy<G> {
    /// The game as it is.
    pub fn plain(game: G) -> Noisy<G> {
        Noisy { game, noise: fresh, deviation: 0.0 }
    }

    /// What is added to the evaluation of a position.
    pub fn added(&self, pos: &G::Position) -> Score {
        if self.deviation == 0.0 {
            return Score::ZERO;
        }
        Score((self.deviation * (self.noise)(&self.game, pos)).round() as i32)
    }

    fn with(&self, score: Score, pos: &G::Position) -> Score {
        let most = G::DECISIVE.0 - 1;
        Score((score.0 + self.added(pos).0).clamp(-most, most))
    }
}

impl<G: Game> Rules for Noisy<G> {
    type Position = G::Position;
    type Move = G::Move;
    const REPETITION: bool = G::REPETITION;

    fn key(&self, pos: &G::Position) -> u64 {
        self.game.key(pos)
    }
    fn side(&self, pos: &G::Position) -> usize {
        self.game.side(pos)
    }
    fn in_check(&self, pos: &G::Position) -> bool {
        self.game.in_check(pos)
    }
    fn remaining(&self, pos: &G::Position) -> Option<i32> {
        self.game.remaining(pos)
    }
    fn mirror(&self, pos: &G::Position) -> G::Position {
        self.game.mirror(pos)
    }
    fn moves(&self, pos: &G::Position, moves: &mut Moves<Self>) {
        self.game.moves(pos, moves);
    }
    fn play(&self, pos: &G::Position, mv: G::Move) -> G::Position {
        self.game.play(pos, mv)
    }
    fn key_after(&self, pos: &G::Position, mv: G::Move) -> u64 {
        self.game.key_after(pos, mv)
    }
    fn plies(&self, mv: G::Move) -> i32 {
        self.game.plies(mv)
    }
    fn pack(&self, mv: G::Move) -> u16 {
        self.game.pack(mv)
    }
    fn unpack(&self, bits: u16) -> G::Move {
        self.game.unpack(bits)
    }
    fn is_legal(&self, pos: &G::Position, mv: G::Move) -> bool {
        self.game.is_legal(pos, mv)
    }
    fn forced(&self, pos: &G::Position) -> Option<G::Move> {
        self.game.forced(pos)
    }
    fn gives_check(&self, pos: &G::Position, mv: G::Move) -> bool {
        self.game.gives_check(pos, mv)
    }
    fn null(&self, pos: &G::Position) -> Option<G::Position> {
        self.game.null(pos)
    }
    fn outcome(&self, pos: &G::Position, ply: u32) -> Score {
        self.game.outcome(pos, ply)
    }
    fn drawn(&self, pos: &G::Position, keys: &[u64]) -> bool {
        self.game.drawn(pos, keys)
    }
    fn ending(&self, pos: &G::Position, seen: usize) -> Option<Ending> {
        self.game.ending(pos, seen)
    }
}

impl<G: Game> Notation for Noisy<G> {
    const UNIT: Unit = G::UNIT;

    fn parse(&self, text: &str) -> Result<G::Position, ParseError> {
        self.game.parse(text)
    }
    fn format(&self, pos: &G::Position) -> String {
        self.game.format(pos)
    }
    fn canonical(&self, pos: &G::Position) -> String {
        self.game.canonical(pos)
    }
    fn identity(&self, pos: &G::Position) -> String {
        self.game.identity(pos)
    }
    fn parse_move(&self, pos: &G::Position, text: &str) -> Result<G::Move, ParseError> {
        self.game.parse_move(pos, text)
    }
    fn format_move(&self, pos: &G::Position, mv: G::Move) -> String {
        self.game.format_move(pos, mv)
    }
}

impl<G: Game> Evaluation for Noisy<G> {
    const STAGES: &'static [&'static str] = G::STAGES;
    const DECISIVE: Score = G::DECISIVE;
    const HISTORY: usize = G::HISTORY;
    const COUNTERS: bool = G::COUNTERS;
    const STEADY: bool = G::STEADY;
    const OPENS: bool = G::OPENS;
    const HAS: Has = G::HAS;
    const LAST_PLIES: i32 = G::LAST_PLIES;

    fn evaluation_id(&self) -> u64 {
        self.game.evaluation_id() ^ self.deviation.to_bits()
    }
    fn stage(&self, pos: &G::Position) -> usize {
        self.game.stage(pos)
    }
    fn label(&self, pos: &G::Position) -> String {
        self.game.label(pos)
    }
    fn evaluate(&self, pos: &G::Position) -> Score {
        self.with(self.game.evaluate(pos), pos)
    }
    /// A game with quiescence counts material, to which nothing is added.
    fn balance(&self, pos: &G::Position) -> Score {
        let balance = self.game.balance(pos);
        if G::HAS.quiescence { balance } else { self.with(balance, pos) }
    }
    /// The end of a game is worth what it is, and so is what is proven.
    fn horizon(&self, pos: &G::Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        let added = self.added(pos);
        if added == Score::ZERO {
            return self.game.horizon(pos, window, ply, meter);
        }
        let least = |bound: Score| (bound - added).clamp(Window::FULL.alpha, Window::FULL.beta);
        let asked = Window { alpha: least(window.alpha), beta: least(window.beta) };
        let score = self.game.horizon(pos, asked, ply, meter);
        if score.abs() >= G::DECISIVE || self.game.ending(pos, 0).is_some() {
            score
        } else {
            self.with(score, pos)
        }
    }
    /// The game's own search of the last plies knows the evaluation as it is.
    fn last_plies(
        &self,
        pos: &G::Position,
        last: Last<G::Move>,
        nodes: &mut u64,
        meter: &mut Meter,
    ) -> Option<(Score, Option<G::Move>)> {
        if self.deviation == 0.0 { self.game.last_plies(pos, last, nodes, meter) } else { None }
    }
    fn attainable(&self, ply: u32) -> Window {
        self.game.attainable(ply)
    }
    fn null_plausible(&self, pos: &G::Position) -> bool {
        self.game.null_plausible(pos)
    }
    fn force(&self, pos: &G::Position, of_mover: bool) -> Force {
        self.game.force(pos, of_mover)
    }
    fn order(&self, pos: &G::Position, hints: &Hints<'_, G::Move>, moves: &mut Moves<Self>) {
        self.game.order(pos, hints, moves);
    }
    fn opening(&self, pos: &G::Position, moves: &mut Moves<Self>) {
        self.game.opening(pos, moves);
    }
    fn tactical(&self, pos: &G::Position, mv: G::Move) -> bool {
        self.game.tactical(pos, mv)
    }
    fn calm(&self, pos: &G::Position, moves: &[Scored<G::Move>]) -> usize {
        self.game.calm(pos, moves)
    }
    fn gain(&self, pos: &G::Position, mv: G::Move) -> Score {
        self.game.gain(pos, mv)
    }
    fn exchange(&self, pos: &G::Position, mv: G::Move) -> Score {
        self.game.exchange(pos, mv)
    }
    fn exchange_reaches(&self, pos: &G::Position, mv: G::Move, least: Score) -> bool {
        self.game.exchange_reaches(pos, mv, least)
    }
    fn structure(&self, pos: &G::Position) -> Option<u64> {
        self.game.structure(pos)
    }
    fn history_index(&self, pos: &G::Position, mv: G::Move) -> usize {
        self.game.history_index(pos, mv)
    }
}

impl<G: Game> Game for Noisy<G> {
    const NAME: &'static str = G::NAME;

    /// In one form, with and without methods: compiling both for every game took half of the time that this package takes.
    fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, Self> {
        Box::new(Search::new(self, &methods.of::<Self>(), options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::search::Budget;
    use secateur_games::chess::Chess;
    use secateur_positions::builtin;
    use secateur_suites::setups::arm::Arm;
    use secateur_suites::setups::setup::Setup;

    /// Nodes and values of a few positions at every depth, with these methods.
    fn searched<G: Game>(game: &G, set: &str, depth: i32, methods: &Methods) -> Vec<(Score, u64)> {
        let options = Setup::embedded(G::NAME).unwrap().options;
        let mut search = game.clone().searcher(methods, options);
        let entries = builtin(game, set).unwrap().entries;
        let texts = entries.iter().step_by(entries.len() / 4).map(|entry| &entry.position);
        let searches =
            texts.flat_map(|text| search.run(&game.parse(text).unwrap(), &Budget::Depth(depth)).iterations);
        searches.map(|one| (one.score, one.nodes)).collect()
    }

    fn nothing_added_changes_nothing<G: Game>(game: G, set: &str, depth: i32) {
        let setup = Setup::embedded(G::NAME).unwrap();
        for arm in ["none", "null-move+futility+lmr+mpc"] {
            let methods = setup.equip(&Arm::parse(arm).unwrap()).unwrap();
            let plain = searched(&game, set, depth, &methods);
            assert_eq!(plain, searched(&Noisy::plain(game.clone()), set, depth, &methods), "{arm}");
            let noisy = Noisy { deviation: 100.0, ..Noisy::plain(game.clone()) };
            assert_ne!(plain, searched(&noisy, set, depth, &methods), "{arm}");
        }
    }

    #[test]
    fn a_game_with_nothing_added_is_searched_node_for_node() {
        nothing_added_changes_nothing(Chess::default(), "chess-games", 4);
        nothing_added_changes_nothing(Othello::default(), "othello-28", 6);
    }

    /// The horizon with noise is the value with noise, whatever was asked: bounds move with it.
    #[test]
    fn the_window_of_the_horizon_moves_with_what_is_added() {
        let plain = Chess::default();
        let game = Noisy { deviation: 150.0, ..Noisy::plain(plain.clone()) };
        let mut outside = [0; 2];
        for entry in builtin(&plain, "chess-games").unwrap().entries.iter().step_by(20) {
            let pos = game.parse(&entry.position).unwrap();
            let value = |window| game.horizon(&pos, window, 0, &mut Meter::default());
            let exact = value(Window::FULL);
            assert_eq!(exact, plain.horizon(&pos, Window::FULL, 0, &mut Meter::default()) + game.added(&pos));
            let score = value(Window { alpha: Score(-20), beta: Score(20) });
            if exact >= Score(20) {
                assert!(score >= Score(20));
                outside[0] += 1;
            } else if exact <= Score(-20) {
                assert!(score <= Score(-20));
                outside[1] += 1;
            } else {
                assert_eq!(score, exact);
            }
        }
        assert!(outside[0] > 5 && outside[1] > 5, "{outside:?}");
    }
}
