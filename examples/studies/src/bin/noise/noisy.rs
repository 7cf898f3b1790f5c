//! A game of somebody else with something added to its evaluation. Rules, order of moves and ends of games stay as they are.
//!
//! With nothing added it is the game itself, node for node, which `main` holds it to. Left out: dice, quiescence with methods
//! in it, and exact values, which nobody asks for here.

use secateur_core::game::{
    Ending, Evaluation, Force, Hints, Last, Meter, Moves, Notation, ParseError, Rules, Unit,
};
use secateur_core::{Game, Score, Window};

/// What is added to a position's evaluation, in standard deviations.
pub(crate) type Noise<G> = fn(&G, &<G as Rules>::Position) -> f64;

/// A game with something added to its evaluation; its rules and its order of moves as they are.
#[derive(Clone)]
pub(crate) struct Noisy<G: Game> {
    pub(crate) game: G,
    pub(crate) noise: Noise<G>,
    /// Standard deviation of what is added, score units.
    pub(crate) deviation: f64,
}

impl<G: Game> Noisy<G> {
    /// What is added to the evaluation of a position.
    pub(crate) fn added(&self, pos: &G::Position) -> Score {
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
    fn balance(&self, pos: &G::Position) -> Score {
        self.with(self.game.balance(pos), pos)
    }
    /// The end of a game is worth what it is.
    fn horizon(&self, pos: &G::Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        let score = self.game.horizon(pos, window, ply, meter);
        if self.deviation == 0.0 || self.game.ending(pos, 0).is_some() {
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
    fn force(&self, pos: &G::Position, own: bool) -> Force {
        self.game.force(pos, own)
    }
    fn order(&self, pos: &G::Position, hints: &Hints<'_, G::Move>, moves: &mut Moves<Self>) {
        self.game.order(pos, hints, moves);
    }
    fn history_index(&self, pos: &G::Position, mv: G::Move) -> usize {
        self.game.history_index(pos, mv)
    }
}

impl<G: Game> Game for Noisy<G> {
    const NAME: &'static str = G::NAME;
}
