//! One game: throws the dice where there are some, asks the players in turn, checks every move by the rules, and says how
//! it ended: by the rules of the game, by what a player did, or because both players have agreed on it for long enough.
//!
//! Nothing that a player does stops the match: whoever breaks the rules, dies, hangs or oversteps its time loses.

use super::player::{Choice, Lapse, Player, Turn};
use super::record::Effort;
use super::settings::Limit;
use secateur_base::hash::Fnv;
use secateur_core::game::thrown;
use secateur_core::{Game, Moves};
use secateur_engines::{Act, EngineScore};
use secateur_suites::sample::gather::{Dice, Family};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) use secateur_record::play::{Adjudication, Reason};

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
            .find_map(|(side, player)| player.begin().err().map(|lapse| self.lost(side, lapse)));
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
            Err(lapse) => return Some(self.lost(side, lapse)),
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
    fn lost(&self, side: usize, lapse: Lapse) -> End {
        // Who is late where no clock runs has only not answered.
        let is_timed = !self.limits[side].repeats();
        let reason = if lapse.reason == Reason::Time && !is_timed { Reason::Hang } else { lapse.reason };
        End { winner: Some(1 - side), reason, detail: lapse.detail }
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

/// The watch over one game, which ends it before its end.
///
/// The counts are of moves in a row after the opening: a score for the same side that both players see as decisive,
/// or a score near zero. Off for a rule that is not there.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    rules: Adjudication,
    plies: u32,
    /// Plies in a row with a decisive score for this side.
    winning: [u32; 2],
    even: u32,
}

impl Watch {
    pub(super) fn new(rules: Adjudication) -> Watch {
        Watch { rules, plies: 0, winning: [0; 2], even: 0 }
    }

    /// Hears what `side` thought of the move it played, and says whether that is the end.
    pub(super) fn hear(&mut self, side: usize, value: Option<EngineScore>) -> Option<End> {
        self.plies += 1;
        if let Some(rule) = self.rules.resign {
            for (winner, count) in self.winning.iter_mut().enumerate() {
                let decisive = value.is_some_and(|value| reaches(value, winner == side, rule.score));
                *count = if decisive { *count + 1 } else { 0 };
                if *count >= 2 * rule.moves {
                    return Some(End::new(Some(winner), Reason::Resign));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let even = matches!(value, Some(EngineScore::Cp(score)) if score.abs() <= rule.score);
            self.even = if even { self.even + 1 } else { 0 };
            if self.plies >= 2 * rule.after && self.even >= 2 * rule.moves {
                return Some(End::new(None, Reason::DrawAgreed));
            }
        }
        let longest = self.rules.max_moves.is_some_and(|moves| self.plies >= 2 * moves);
        longest.then(|| End::new(None, Reason::MaxMoves))
    }
}

/// Whether a value is at least `least` for the player itself (`is_own`), or for its opponent.
fn reaches(value: EngineScore, is_own: bool, least: i32) -> bool {
    let value = match value {
        EngineScore::Cp(score) => score,
        EngineScore::Mate(moves) if moves > 0 => i32::MAX,
        EngineScore::Mate(_) => -i32::MAX,
    };
    if is_own { value >= least } else { -value >= least }
}

/// How a game ended: by its rules ([`secateur_core::Rules::ending`]), or by what a player did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Side that won; `None` for a draw.
    pub(super) winner: Option<usize>,
    /// Why.
    pub(super) reason: Reason,
    /// What a player said or did, where that is the reason.
    pub(super) detail: String,
}

impl End {
    /// An end that needs no further words.
    pub(super) fn new(winner: Option<usize>, reason: Reason) -> End {
        End { winner, reason, detail: String::new() }
    }

    /// The end of a game by its rules, if `pos`, which has occurred `seen` times, is it.
    ///
    /// # Panics
    /// For a game that gives a reason which no record knows.
    pub(super) fn by_rules<G: Game>(game: &G, pos: &G::Position, seen: usize) -> Option<End> {
        let ending = game.ending(pos, seen)?;
        let reason =
            Reason::try_from(ending.why).unwrap_or_else(|unknown| panic!("{}: {unknown}", game.name()));
        Some(End::new(ending.winner, reason))
    }
}

/// The generator in words, for the record.
const GENERATOR: &str = "by the referee, ChaCha8 with the match's seed and a stream a pair, the k-th number of it for the \
                         k-th throw of either game";

/// The throws of the referee in a game with dice, the same in both games of a pair.
///
/// The k-th throw of a game is a function of the match's seed, the number of the pair and k. So whoever has the better throws in
/// one game of a pair has the worse ones in the other, as far as the moves go alike, and what is left of luck is what differs
/// between the players. Nobody sees a throw before it is made. Left out: dice that players bring along.
pub(super) struct Throws(Dice);

impl Throws {
    /// The throws of a game of this pair, from the first.
    pub(super) fn new(seed: u64, pair: usize) -> Throws {
        Throws(Dice::new(seed, Family::Throws, pair as u64))
    }

    /// The throws of a game from this opening, for games that have no numbers.
    pub(super) fn of_opening(seed: u64, position: &str) -> Throws {
        Throws(Dice::new(seed, Family::Throws, Fnv::default().field(position).value()))
    }

    /// The next throw: a number below `sides`.
    pub(super) fn below(&mut self, sides: u32) -> u32 {
        // Below a number of 32 bits.
        self.0.below(sides as usize) as u32
    }
}

/// How dice are thrown in matches of a game, in words; empty in a game without.
pub(super) fn throws_of<G: Game>(game: &G) -> String {
    if game.chances() { GENERATOR.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::{Notation, Rules};
    use secateur_games::chess::Chess;
    use secateur_record::play::{DrawRule, Resign};
    use std::collections::BTreeMap;

    /// Hears scores of both sides in turn and gives the ply of the end, counted from 1.
    fn ended(rules: Adjudication, values: &[EngineScore]) -> Option<(usize, End)> {
        let mut watch = Watch::new(rules);
        let mut heard = values.iter().enumerate();
        heard.find_map(|(ply, value)| watch.hear(ply % 2, Some(*value)).map(|end| (ply + 1, end)))
    }

    #[test]
    fn a_win_needs_both_players_for_long_enough() {
        let rules = Adjudication { resign: Some(Resign { moves: 2, score: 400 }), ..Adjudication::default() };
        let (high, low) = (EngineScore::Cp(450), EngineScore::Cp(-400));
        assert_eq!(ended(rules, &[high, low, high, low]), Some((4, End::new(Some(0), Reason::Resign))));
        assert_eq!(ended(rules, &[low, high, low, high]), Some((4, End::new(Some(1), Reason::Resign))));
        assert_eq!(ended(rules, &[high, EngineScore::Cp(-399), high, low, high]), None);
        assert_eq!(ended(rules, &[high, high, high, high, high, high]), None, "each sees itself win");
        let mates =
            [EngineScore::Mate(5), EngineScore::Mate(-4), EngineScore::Mate(3), EngineScore::Mate(-2)];
        assert_eq!(ended(rules, &mates).map(|(ply, _)| ply), Some(4));
    }

    #[test]
    fn a_draw_waits_for_its_move_and_starts_anew_after_a_bigger_score() {
        let draw = DrawRule { after: 3, moves: 2, score: 10 };
        let rules = Adjudication { draw: Some(draw), ..Adjudication::default() };
        let even = EngineScore::Cp(-10);
        assert_eq!(ended(rules, &[even; 9]), Some((6, End::new(None, Reason::DrawAgreed))));
        let mut values = [even; 9];
        values[4] = EngineScore::Cp(11);
        assert_eq!(ended(rules, &values).map(|(ply, _)| ply), Some(9));
    }

    #[test]
    fn nothing_ends_without_a_rule_and_a_long_game_ends_by_its_own() {
        assert_eq!(ended(Adjudication::default(), &[EngineScore::Cp(0); 900]), None);
        let rules = Adjudication { max_moves: Some(5), ..Adjudication::default() };
        assert_eq!(ended(rules, &[EngineScore::Cp(0); 900]), Some((10, End::new(None, Reason::MaxMoves))));
    }

    /// Plays moves and gives the end of the game after each.
    fn line(fen: &str, moves: &str) -> Vec<Option<Reason>> {
        let game = Chess::default();
        let mut pos = game.parse(fen).unwrap();
        let mut seen = BTreeMap::from([(game.identity(&pos), 1)]);
        moves
            .split(' ')
            .map(|text| {
                pos = game.play(&pos, game.parse_move(&pos, text).unwrap());
                let seen = seen.entry(game.identity(&pos)).or_default();
                *seen += 1;
                End::by_rules(&game, &pos, *seen).map(|end| end.reason)
            })
            .collect()
    }

    #[test]
    fn the_third_occurrence_ends_a_game_and_the_second_does_not() {
        for clock in [0, 70, 79, 85] {
            let fen = format!("6k1/8/8/8/8/8/4R3/6K1 w - - {clock} 90");
            let ends = line(&fen, "e2e3 g8f8 e3e2 f8g8 e2e3 g8f8 e3e2 f8g8");
            assert_eq!(ends.iter().position(Option::is_some), Some(7), "{clock}");
            assert_eq!(ends[7], Some(Reason::Repetition));
        }
    }

    #[test]
    fn every_end_of_a_chess_game_has_its_name() {
        let at = |fen: &str, moves: &str| line(fen, moves).pop().unwrap();
        assert_eq!(at("6k1/5ppp/8/8/8/8/4R3/6K1 w - - 99 90", "e2e8"), Some(Reason::Checkmate));
        assert_eq!(at("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6"), Some(Reason::Stalemate));
        assert_eq!(at("6k1/8/8/8/8/8/4R3/6K1 w - - 99 90", "e2e3"), Some(Reason::FiftyMoves));
        assert_eq!(at("6k1/8/8/8/8/8/4r3/5K2 w - - 3 90", "f1e2"), Some(Reason::Material));
        assert_eq!(at("6k1/8/8/8/8/8/4R3/6K1 w - - 3 90", "e2e3"), None);
    }
}
