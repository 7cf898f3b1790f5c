//! A full-width search written by hand: what the host is without hooks, options and counters of methods.
//!
//! The host with no method must cost no more than this, or the hooks are not free. It searches the very same tree
//! (the same table, ordering, windows and prefetches, with the options at their defaults) and offers what any search
//! must: a principal variation, the deepest ply reached, and an end when the nodes are used up.

use secateur_core::game::Last;
use secateur_core::prune::pick_in_order;
use secateur_core::search::{Bound, Drafts, Table};
use secateur_core::{Game, Hints, Meter, Moves, Score, Window};

/// Plies that a line can have.
const PLIES: usize = 130;
/// Largest absolute history value.
const HISTORY_LIMIT: i32 = 16_384;
/// No move on the line.
const NOTHING: u16 = u16::MAX;
/// Least depth at which the table is asked and written.
const TABLE_FROM: i32 = 2;

/// The search, with its memory.
pub struct Plain<G: Game> {
    /// Nodes of the last [`Plain::run`].
    pub nodes: u64,
    game: G,
    table: Table,
    killers: Vec<[Option<G::Move>; 2]>,
    history: [Vec<i16>; 2],
    counters: [Vec<Option<G::Move>>; 2],
    line: Vec<u16>,
    keys: Vec<u64>,
    meter: Meter,
    /// Best lines by ply.
    pv: Vec<Vec<G::Move>>,
    most: u64,
    stopped: bool,
}

impl<G: Game> Plain<G> {
    /// A search with a table of `mebibytes` MiB.
    pub fn new(game: G, mebibytes: usize) -> Plain<G> {
        Plain {
            nodes: 0,
            game,
            table: Table::new(mebibytes, Drafts::Exact),
            killers: vec![[None; 2]; PLIES],
            history: [vec![0; G::HISTORY], vec![0; G::HISTORY]],
            counters: [vec![None; G::HISTORY], vec![None; G::HISTORY]],
            line: vec![NOTHING; PLIES],
            keys: Vec::with_capacity(PLIES),
            meter: Meter::default(),
            pv: (0..PLIES).map(|_| Vec::with_capacity(PLIES)).collect(),
            most: u64::MAX,
            stopped: false,
        }
    }

    /// Deepest ply of the last [`Plain::run`], quiescence included.
    pub fn seldepth(&self) -> u32 {
        self.meter.seldepth
    }

    /// Best line of the last [`Plain::run`].
    pub fn line(&self) -> &[G::Move] {
        &self.pv[0]
    }

    /// Value of `root` searched to `depth` plies, by iterations from 1 on and from a cleared memory.
    pub fn run(&mut self, root: &G::Position, depth: i32) -> Score {
        self.table.clear();
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|table| table.fill(0));
        self.counters.iter_mut().for_each(|table| table.fill(None));
        self.line.fill(NOTHING);
        self.keys.clear();
        (self.nodes, self.meter, self.stopped) = (0, Meter::default(), false);
        self.table.grow_older();
        let mut score = Score::ZERO;
        let exact = self.game.remaining(root).map_or(depth, |plies| plies.max(1));
        for depth in 1..=depth.min(exact) {
            score = self.value(root, depth, Window::FULL, 0, true);
        }
        score
    }

    #[inline(always)]
    fn value(&mut self, pos: &G::Position, depth: i32, window: Window, ply: u32, pv: bool) -> Score {
        if pv {
            self.pv[ply as usize].clear();
        }
        if depth > 0 {
            return self.above(pos, depth, window, ply, pv);
        }
        if G::REPETITION && ply > 0 && self.game.drawn(pos, &self.keys) {
            self.nodes += 1;
            return Score::ZERO;
        }
        let before = self.meter.qnodes;
        let score = self.game.horizon(pos, window, ply, &mut self.meter);
        self.meter.seldepth = self.meter.seldepth.max(ply);
        self.nodes += (self.meter.qnodes - before).max(1);
        score
    }

    #[inline(never)]
    fn above(&mut self, pos: &G::Position, depth: i32, window: Window, ply: u32, pv: bool) -> Score {
        self.nodes += 1;
        if self.nodes >= self.most {
            self.stopped = true;
            return Score::ZERO;
        }
        if G::REPETITION && ply > 0 && self.game.drawn(pos, &self.keys) {
            return Score::ZERO;
        }
        let attainable = self.game.attainable(ply);
        if window.alpha >= attainable.beta {
            return attainable.beta;
        }
        if window.beta <= attainable.alpha {
            return attainable.alpha;
        }
        let tabled = depth >= TABLE_FROM;
        let key = if tabled || G::REPETITION { self.game.key(pos) } else { 0 };
        let mut hint = 0;
        if tabled {
            let entry = self.table.probe(key, depth, 0);
            hint = entry.mv;
            if let (Some((score, bound)), false) = (entry.value, pv) {
                let score = shifted::<G>(score, -(ply as i32));
                if bound.decides(score, window) {
                    return score;
                }
            }
        }
        let (score, mv) = self.moves(pos, depth, window, ply, pv, key, hint);
        if tabled && !self.stopped {
            let bound = Bound::of(score, window);
            let bits = mv.map_or(0, |mv| self.game.pack(mv));
            self.table.store(key, depth, 0, shifted::<G>(score, ply as i32), bound, bits);
        }
        score
    }

    #[inline]
    #[expect(
        clippy::too_many_arguments,
        reason = "plain values in registers are what a hand-written search passes"
    )]
    fn moves(
        &mut self,
        pos: &G::Position,
        depth: i32,
        window: Window,
        ply: u32,
        pv: bool,
        key: u64,
        hint: u16,
    ) -> (Score, Option<G::Move>) {
        if depth <= G::LAST_PLIES && !pv && window.beta.0 - window.alpha.0 == 1 {
            let last =
                Last { depth, ply, alpha: window.alpha, table: (hint != 0).then(|| self.game.unpack(hint)) };
            if let Some(score) = self.game.last_plies(pos, last, &mut self.nodes, &mut self.meter) {
                return score;
            }
        }
        let mut moves = Moves::<G>::new();
        self.game.moves(pos, &mut moves);
        if moves.is_empty() {
            return (self.game.outcome(pos, ply), None);
        }
        let ahead = depth > TABLE_FROM;
        let mut late = false;
        if hint != 0 && (ahead || G::STEADY) {
            let mv = self.game.unpack(hint);
            if let Some(scored) = moves.iter_mut().find(|scored| scored.mv == mv) {
                late = G::STEADY && !pv;
                scored.value = i32::MAX;
                if ahead {
                    self.foresee(pos, mv);
                }
            }
        }
        if !late {
            self.order(pos, depth, ply, hint, &mut moves);
        }
        let Window { mut alpha, beta } = window;
        let (mut best, mut best_move) = (-Score::INFINITE, None);
        for index in 0..moves.len() {
            if late && index == 1 {
                self.order(pos, depth, ply, hint, &mut moves);
            }
            let mv = pick_in_order::<G>(&mut moves, index);
            if ahead && (index > 0 || !late) && index + 1 < moves.len() {
                let next = pick_in_order::<G>(&mut moves, index + 1);
                self.foresee(pos, next);
            }
            let child = self.game.play(pos, mv);
            let next = depth - self.game.plies(mv);
            if G::REPETITION {
                self.keys.push(key);
            }
            if G::COUNTERS {
                self.line[ply as usize] = self.game.history_index(pos, mv) as u16;
            }
            let whole = Window { alpha, beta };
            let asked = if index == 0 { whole } else { Window::at_most(alpha) };
            let mut score = -self.value(&child, next, -asked, ply + 1, pv && index == 0);
            if index > 0 && score > alpha && score < beta && !self.stopped {
                score = -self.value(&child, next, -whole, ply + 1, true);
            }
            if G::REPETITION {
                self.keys.pop();
            }
            if self.stopped {
                return (Score::ZERO, None);
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if pv {
                        self.lengthen(mv, ply as usize);
                    }
                    if score >= beta {
                        self.reward(pos, depth, ply, &moves, index);
                        break;
                    }
                }
            }
        }
        (best, best_move)
    }

    fn order(&self, pos: &G::Position, depth: i32, ply: u32, hint: u16, moves: &mut Moves<G>) {
        if moves.len() < 2 {
            return;
        }
        let side = self.game.side(pos);
        let previous = if ply == 0 { NOTHING } else { self.line[ply as usize - 1] };
        let counter = if previous == NOTHING { None } else { self.counters[side][usize::from(previous)] };
        let hints = Hints {
            depth,
            table: (hint != 0).then(|| self.game.unpack(hint)),
            killers: self.killers[ply as usize],
            counter: if G::COUNTERS { counter } else { None },
            history: &self.history[side],
        };
        self.game.order(pos, &hints, moves);
    }

    /// Makes `mv`, followed by the child's line, the line at `ply`.
    fn lengthen(&mut self, mv: G::Move, ply: usize) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    #[inline(never)]
    fn foresee(&self, pos: &G::Position, mv: G::Move) {
        self.table.prefetch(self.game.key_after(pos, mv));
    }

    fn reward(&mut self, pos: &G::Position, depth: i32, ply: u32, moves: &Moves<G>, cut: usize) {
        let mv = moves[cut].mv;
        if depth <= G::LAST_PLIES || self.game.tactical(pos, mv) {
            return;
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let side = self.game.side(pos);
        let previous = if ply == 0 { NOTHING } else { self.line[ply as usize - 1] };
        if G::COUNTERS && previous != NOTHING {
            self.counters[side][usize::from(previous)] = Some(mv);
        }
        let bonus = (depth * depth).min(400);
        for (index, earlier) in moves[..=cut].iter().enumerate() {
            if !self.game.tactical(pos, earlier.mv) {
                let bonus = if index == cut { bonus } else { -bonus };
                let entry = &mut self.history[side][self.game.history_index(pos, earlier.mv)];
                let old = i32::from(*entry);
                *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
            }
        }
    }
}

/// A proven score counts plies; `plies` moves it between the root's and the node's count.
fn shifted<G: Game>(score: Score, plies: i32) -> Score {
    if score >= G::DECISIVE {
        Score(score.0 + plies)
    } else if score <= -G::DECISIVE {
        Score(score.0 - plies)
    } else {
        score
    }
}
