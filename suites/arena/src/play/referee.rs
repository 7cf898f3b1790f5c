//! One game: throws the dice where there are some, asks the players in turn, checks every move by the rules, and says how
//! it ended.
//!
//! Nothing that a player does stops the match: whoever breaks the rules, dies, hangs or oversteps its time loses.

use super::adjudicate::{Adjudication, Watch};
use super::limit::Limit;
use super::player::{Choice, Lapse, Player, Turn};
use super::record::Effort;
use super::rules::{End, Reason};
use secateur_core::game::thrown;
use secateur_core::{Game, Moves};
use secateur_engines::Act;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One move of a game.
#[derive(Clone, Debug)]
pub(super) struct Ply<G: Game> {
    /// The position that it was made in, the dice thrown.
    pub(super) from: G::Position,
    pub(super) mv: G::Move,
    /// What its player said; nothing for a forced pass.
    pub(super) choice: Option<Choice>,
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub(super) struct Played<G: Game> {
    pub(super) start: G::Position,
    pub(super) plies: Vec<Ply<G>>,
    pub(super) last: G::Position,
    pub(super) end: End,
    /// What each side spent; neither depths nor nodes where some of them are not known.
    pub(super) efforts: [Effort; 2],
    /// The first thing that is wrong with the numbers of each side, if anything is.
    pub(super) wrong: [Option<String>; 2],
}

/// What holds for every game of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Referee<'a> {
    /// What side 0 and side 1 may spend.
    pub(super) limits: [Limit; 2],
    pub(super) margin: Duration,
    pub(super) adjudication: Adjudication,
    pub(super) stop: &'a AtomicBool,
}

/// The state of a game under way.
struct Board<G: Game> {
    start: G::Position,
    position: G::Position,
    plies: Vec<Ply<G>>,
    played: Vec<G::Move>,
    keys: Vec<u64>,
    seen: BTreeMap<String, usize>,
    left: [Duration; 2],
    efforts: [Effort; 2],
    wrong: [Option<String>; 2],
}

impl Referee<'_> {
    /// Plays a game from `start`; `players` are those of side 0 and side 1, and `below(n)` gives a number below n, one for
    /// each throw. `None` if the match was stopped.
    pub(super) fn play<G: Game>(
        &self,
        game: &G,
        start: G::Position,
        mut players: [&mut dyn Player<G>; 2],
        below: &mut dyn FnMut(u32) -> u32,
    ) -> Option<Played<G>> {
        let left = self.limits.map(|limit| match limit {
            Limit::Clock { base, .. } => base,
            Limit::Depth(_) | Limit::Nodes(_) | Limit::MoveTime(_) => Duration::ZERO,
        });
        let mut board = Board::<G> {
            position: start.clone(),
            start,
            plies: Vec::new(),
            played: Vec::new(),
            keys: Vec::new(),
            seen: BTreeMap::new(),
            left,
            efforts: [Effort::default(); 2],
            wrong: [None, None],
        };
        let mut watch = Watch::new(self.adjudication);
        let begun = players
            .iter_mut()
            .enumerate()
            .find_map(|(side, player)| player.begin().err().map(|lapse| self.lost(side, &lapse)));
        if self.stop.load(Ordering::SeqCst) {
            return None;
        }
        let end = match begun {
            Some(end) => end,
            None => loop {
                if let Some(end) = board.end(game) {
                    break end;
                }
                board.position = thrown(game, &board.position, &mut *below);
                if let Some(pass) = game.forced(&board.position) {
                    board.push(game, pass, None);
                    continue;
                }
                let side = game.side(&board.position);
                let ended = self.turn(game, &mut board, side, players[side], &mut watch);
                if self.stop.load(Ordering::SeqCst) {
                    return None;
                }
                if let Some(end) = ended {
                    break board.end(game).filter(|_| is_verdict(&end)).unwrap_or(end);
                }
            },
        };
        let Board { start, position: last, plies, mut efforts, wrong, .. } = board;
        // A sum without some of its parts is none.
        for (effort, _) in efforts.iter_mut().zip(&wrong).filter(|(_, wrong)| wrong.is_some()) {
            (effort.depths, effort.nodes) = (0, 0);
        }
        Some(Played { start, plies, last, end, efforts, wrong })
    }

    /// One move of `side`; an end that comes of it other than by the rules of the game.
    fn turn<G: Game>(
        &self,
        game: &G,
        board: &mut Board<G>,
        side: usize,
        player: &mut dyn Player<G>,
        watch: &mut Watch,
    ) -> Option<End> {
        let turn = Turn {
            start: &board.start,
            played: &board.played,
            position: &board.position,
            keys: &board.keys,
            limit: self.limits[side],
            left: board.left,
        };
        let choice = match player.choose(&turn) {
            Ok(choice) => choice,
            Err(lapse) => return Some(self.lost(side, &lapse)),
        };
        let effort = &mut board.efforts[side];
        effort.moves += 1;
        effort.depths += u64::from(choice.depth);
        effort.nodes = effort.nodes.saturating_add(choice.nodes);
        effort.time = effort.time.saturating_add(choice.wall);
        if let Some(wrong) = &choice.wrong {
            board.wrong[side].get_or_insert_with(|| wrong.clone());
        }
        if let Some(end) = self.clock(&mut board.left[side], side, choice.wall) {
            return Some(end);
        }
        if let Some(end) = board.ended_by(game, side, &choice) {
            return Some(end);
        }
        let Ok(mv) = game.parse_move(&board.position, &choice.text) else {
            let detail = format!("{} in {}", choice.text, game.format(&board.position));
            return Some(End { winner: Some(1 - side), reason: Reason::IllegalMove, detail });
        };
        let value = choice.value;
        board.push(game, mv, Some(choice));
        watch.hear(side, value)
    }

    /// Takes the time of a move from the clock; an end if there was less.
    fn clock(&self, left: &mut Duration, side: usize, wall: Duration) -> Option<End> {
        let allowed = match self.limits[side] {
            Limit::Depth(_) | Limit::Nodes(_) => return None,
            Limit::MoveTime(time) => time,
            Limit::Clock { .. } => *left,
        };
        if wall > allowed + self.margin {
            let detail = format!("{} ms used of {} ms", wall.as_millis(), allowed.as_millis());
            return Some(End { winner: Some(1 - side), reason: Reason::Time, detail });
        }
        if let Limit::Clock { increment, .. } = self.limits[side] {
            *left = left.saturating_sub(wall) + increment;
        }
        None
    }

    /// The end of a game in which the player of `side` gave no move.
    fn lost(&self, side: usize, lapse: &Lapse) -> End {
        let (reason, detail) = match lapse {
            Lapse::Crash(detail) => (Reason::Crash, detail),
            Lapse::Illegal(detail) => (Reason::IllegalMove, detail),
            Lapse::Claim(detail) => (Reason::Claim, detail),
            Lapse::Late(detail) if !self.limits[side].repeats() => (Reason::Time, detail),
            Lapse::Hang(detail) | Lapse::Late(detail) => (Reason::Hang, detail),
        };
        End { winner: Some(1 - side), reason, detail: detail.clone() }
    }
}

/// Whether an end is the referee's opinion, which a real end of the game overrides.
fn is_verdict(end: &End) -> bool {
    matches!(end.reason, Reason::Resign | Reason::DrawAgreed | Reason::MaxMoves)
}

impl<G: Game> Board<G> {
    fn push(&mut self, game: &G, mv: G::Move, choice: Option<Choice>) {
        self.keys.push(game.key(&self.position));
        *self.seen.entry(game.identity(&self.position)).or_default() += 1;
        let next = game.play(&self.position, mv);
        let from = std::mem::replace(&mut self.position, next);
        self.played.push(mv);
        self.plies.push(Ply { from, mv, choice });
    }

    fn end(&self, game: &G) -> Option<End> {
        self.end_at(game, &self.position)
    }

    /// The end by the rules that the game has in a position that is reached next.
    fn end_at(&self, game: &G, position: &G::Position) -> Option<End> {
        let before = self.seen.get(&game.identity(position)).copied().unwrap_or(0);
        End::by_rules(game, position, before + 1)
    }

    /// What comes of a player of `side` who did something else than to move. A claim holds where the rules give it with the move
    /// that the player is about to make: of what they give before, the referee needs no word. A wrong claim loses.
    fn ended_by(&self, game: &G, side: usize, choice: &Choice) -> Option<End> {
        let (winner, claim) = match choice.act {
            Act::Moves => return None,
            Act::Resigns => return Some(End::new(Some(1 - side), Reason::Resigned)),
            Act::ClaimsWin => (Some(side), "a win"),
            Act::ClaimsDraw => (None, "a draw"),
        };
        let mut moves = Moves::<G>::new();
        game.moves(&self.position, &mut moves);
        let mut ends = moves.iter().filter_map(|one| self.end_at(game, &game.play(&self.position, one.mv)));
        let holds = ends.find(|end| end.winner == winner);
        Some(holds.unwrap_or_else(|| End {
            winner: Some(1 - side),
            reason: Reason::IllegalMove,
            detail: format!("claims {claim} that the rules do not give in {}", game.format(&self.position)),
        }))
    }
}
