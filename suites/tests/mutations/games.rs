//! Games bent for the tests: some make a method provably sound, one makes a mistake that belongs to the game.
//!
//! Everything is the inner game's but for what a [`Twist`] changes. The sound ones are what theorems need: an
//! evaluation that quiet moves hardly change, a pass that is a move like any other, an end that does not stop the
//! methods.

use secateur_core::game::{
    Below, Evaluation, Force, Game, Hints, MAX_MOVES, Meter, Moves, Notation, ParseError, QuietNode, Rules,
    Scored,
};
use secateur_core::{Score, Window};
use std::sync::{Arc, Mutex};

/// Bound of what [`Twist::Material`] leaves of the positional score, score units.
pub(super) const POSITIONAL: i32 = 8;

/// What differs from the inner game.
#[derive(Clone, Debug)]
pub(super) enum Twist<M> {
    /// Nothing.
    None,
    /// Material plus at most [`POSITIONAL`]; captures-only quiescence; no draws by rule (Heinz 1998).
    Material,
    /// Whoever has a move may also pass, which costs a ply: passing is then never better than the best move.
    FreePass(M),
    /// Methods are not told that a search reaches the end of the game, so that they act where it changes nothing.
    Endless,
    /// The first two horizons are written down and fall short of what they are asked.
    Spied(Arc<Mutex<Vec<Window>>>),
    /// A null move leaves the en passant square in the key.
    StaleEnPassant,
}

/// A position, and whether a null move left something behind in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place<P> {
    pub(super) inner: P,
    stale: u64,
}

/// The inner game with a twist.
#[derive(Clone, Debug)]
pub(super) struct Bent<G: Game> {
    pub(super) inner: G,
    pub(super) twist: Twist<G::Move>,
}

impl<G: Game> Bent<G> {
    /// Captures until neither side wants to: standing pat is always allowed.
    fn captures(&self, pos: &G::Position, window: Window) -> Score {
        let mut best = self.static_value(pos);
        let mut alpha = window.alpha.max(best);
        let mut moves = Moves::<G>::new();
        self.inner.moves(pos, &mut moves);
        moves.retain(|scored| self.inner.tactical(pos, scored.mv));
        moves.sort_by_key(|scored| -self.inner.gain(pos, scored.mv).0);
        for scored in &moves {
            if best >= window.beta {
                break;
            }
            let child = self.inner.play(pos, scored.mv);
            best = best.max(-self.captures(&child, -Window { alpha, beta: window.beta }));
            alpha = alpha.max(best);
        }
        best
    }

    fn static_value(&self, pos: &G::Position) -> Score {
        let value = self.inner.evaluate(pos);
        if !matches!(self.twist, Twist::Material) {
            return value;
        }
        let material = self.inner.balance(pos);
        Score(material.0 + (value - material).0.clamp(-POSITIONAL, POSITIONAL))
    }

    fn place(&self, inner: G::Position) -> Place<G::Position> {
        Place { inner, stale: 0 }
    }
}

impl<G: Game> Rules for Bent<G> {
    type Position = Place<G::Position>;
    type Move = G::Move;

    const REPETITION: bool = G::REPETITION;

    fn key(&self, pos: &Self::Position) -> u64 {
        self.inner.key(&pos.inner) ^ pos.stale
    }

    fn side(&self, pos: &Self::Position) -> usize {
        self.inner.side(&pos.inner)
    }

    fn in_check(&self, pos: &Self::Position) -> bool {
        self.inner.in_check(&pos.inner)
    }

    fn remaining(&self, pos: &Self::Position) -> Option<i32> {
        match self.twist {
            Twist::FreePass(_) | Twist::Endless => None,
            _ => self.inner.remaining(&pos.inner),
        }
    }

    fn mirror(&self, pos: &Self::Position) -> Self::Position {
        self.place(self.inner.mirror(&pos.inner))
    }

    fn moves(&self, pos: &Self::Position, moves: &mut Moves<Self>) {
        let mut legal = Moves::<G>::new();
        self.inner.moves(&pos.inner, &mut legal);
        if let Twist::FreePass(pass) = self.twist
            && !legal.is_empty()
            && legal.len() < MAX_MOVES
            && legal.iter().all(|scored| scored.mv != pass)
        {
            legal.push(Scored { mv: pass, value: 0 });
        }
        moves.extend(legal);
    }

    fn play(&self, pos: &Self::Position, mv: G::Move) -> Self::Position {
        match self.twist {
            Twist::FreePass(pass) if mv == pass => self.null(pos).expect("a pass is always possible"),
            _ => self.place(self.inner.play(&pos.inner, mv)),
        }
    }

    fn plies(&self, mv: G::Move) -> i32 {
        if matches!(self.twist, Twist::FreePass(_)) { 1 } else { self.inner.plies(mv) }
    }

    fn pack(&self, mv: G::Move) -> u16 {
        self.inner.pack(mv)
    }

    fn unpack(&self, bits: u16) -> G::Move {
        self.inner.unpack(bits)
    }

    fn gives_check(&self, pos: &Self::Position, mv: G::Move) -> bool {
        self.inner.gives_check(&pos.inner, mv)
    }

    fn null(&self, pos: &Self::Position) -> Option<Self::Position> {
        let mut passed = self.place(self.inner.null(&pos.inner)?);
        if matches!(self.twist, Twist::StaleEnPassant) {
            let text = self.inner.format(&pos.inner);
            let square = text.split(' ').nth(3).unwrap_or("-");
            passed.stale =
                square.bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte)) * u64::from(square != "-");
        }
        Some(passed)
    }

    fn outcome(&self, pos: &Self::Position, ply: u32) -> Score {
        self.inner.outcome(&pos.inner, ply)
    }

    fn drawn(&self, pos: &Self::Position, keys: &[u64]) -> bool {
        !matches!(self.twist, Twist::Material) && self.inner.drawn(&pos.inner, keys)
    }
}

impl<G: Game> Notation for Bent<G> {
    fn parse(&self, text: &str) -> Result<Self::Position, ParseError> {
        self.inner.parse(text).map(|pos| self.place(pos))
    }

    fn format(&self, pos: &Self::Position) -> String {
        self.inner.format(&pos.inner)
    }

    fn canonical(&self, pos: &Self::Position) -> String {
        self.inner.canonical(&pos.inner)
    }

    fn parse_move(&self, pos: &Self::Position, text: &str) -> Result<G::Move, ParseError> {
        self.inner.parse_move(&pos.inner, text)
    }

    fn format_move(&self, pos: &Self::Position, mv: G::Move) -> String {
        self.inner.format_move(&pos.inner, mv)
    }
}

impl<G: Game> Evaluation for Bent<G> {
    const STAGES: &'static [&'static str] = G::STAGES;
    const DECISIVE: Score = G::DECISIVE;
    const HISTORY: usize = G::HISTORY;
    const COUNTERS: bool = G::COUNTERS;
    const STEADY: bool = G::STEADY;
    const LAST_PLIES: i32 = G::LAST_PLIES;

    fn evaluation_id(&self) -> u64 {
        self.inner.evaluation_id()
    }

    fn stage(&self, pos: &Self::Position) -> usize {
        self.inner.stage(&pos.inner)
    }

    fn label(&self, pos: &Self::Position) -> String {
        self.inner.label(&pos.inner)
    }

    fn evaluate(&self, pos: &Self::Position) -> Score {
        self.static_value(&pos.inner)
    }

    fn balance(&self, pos: &Self::Position) -> Score {
        self.inner.balance(&pos.inner)
    }

    fn horizon(&self, pos: &Self::Position, window: Window, ply: u32, meter: &mut Meter) -> Score {
        if let Twist::Spied(seen) = &self.twist {
            let mut seen = seen.lock().expect("one thread");
            seen.push(window);
            return if seen.len() == 1 { window.alpha } else { window.beta };
        }
        match self.twist {
            Twist::Material => self.captures(&pos.inner, window),
            _ => self.inner.horizon(&pos.inner, window, ply, meter),
        }
    }

    fn quiesce(
        &self,
        pos: &Self::Position,
        window: Window,
        ply: u32,
        meter: &mut Meter,
        below: &mut impl Below<Self>,
    ) -> Score {
        match self.twist {
            Twist::Material | Twist::Spied(_) => self.horizon(pos, window, ply, meter),
            _ => self.inner.quiesce(&pos.inner, window, ply, meter, &mut Through { game: self, below }),
        }
    }

    fn attainable(&self, ply: u32) -> Window {
        self.inner.attainable(ply)
    }

    fn null_plausible(&self, pos: &Self::Position) -> bool {
        self.inner.null_plausible(&pos.inner)
    }

    fn force(&self, pos: &Self::Position, of_mover: bool) -> Force {
        self.inner.force(&pos.inner, of_mover)
    }

    fn order(&self, pos: &Self::Position, hints: &Hints<'_, G::Move>, moves: &mut Moves<Self>) {
        if !matches!(self.twist, Twist::FreePass(_)) {
            self.inner.order(&pos.inner, hints, moves);
        }
    }

    fn tactical(&self, pos: &Self::Position, mv: G::Move) -> bool {
        self.inner.tactical(&pos.inner, mv)
    }

    fn gain(&self, pos: &Self::Position, mv: G::Move) -> Score {
        self.inner.gain(&pos.inner, mv)
    }

    fn exchange(&self, pos: &Self::Position, mv: G::Move) -> Score {
        self.inner.exchange(&pos.inner, mv)
    }

    fn structure(&self, pos: &Self::Position) -> Option<u64> {
        self.inner.structure(&pos.inner)
    }

    fn history_index(&self, pos: &Self::Position, mv: G::Move) -> usize {
        self.inner.history_index(&pos.inner, mv)
    }
}

impl<G: Game> Game for Bent<G> {
    const NAME: &'static str = G::NAME;
}

/// Whoever is asked below the horizon of the bent game, as the inner one sees it.
struct Through<'b, G: Game, B> {
    game: &'b Bent<G>,
    below: &'b mut B,
}

impl<G: Game, B: Below<Bent<G>>> Below<G> for Through<'_, G, B> {
    fn losing(&self) -> bool {
        self.below.losing()
    }

    fn skip(&mut self, _: &G, node: &QuietNode<'_, G>, alpha: Score, mv: G::Move) -> Option<Score> {
        let pos = self.game.place(node.pos.clone());
        let mut outer = QuietNode::new(&pos, node.ply, node.beyond, node.stand);
        outer.tried = node.tried;
        self.below.skip(self.game, &outer, alpha, mv)
    }
}
