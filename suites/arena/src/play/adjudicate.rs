//! Games ended before their end, where both players have agreed on it for long enough.
//!
//! The counts are of moves in a row after the opening: a score for the same side that both players see as decisive,
//! or a score near zero. Off for a rule that is not there.

use super::player::Value;
use super::rules::{End, Reason};

pub use secateur_record::play::{Adjudication, DrawRule, Resign};

/// The watch over one game.
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
    pub(super) fn hear(&mut self, side: usize, value: Option<Value>) -> Option<End> {
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
            let even = matches!(value, Some(Value::Score(score)) if score.abs() <= rule.score);
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
fn reaches(value: Value, is_own: bool, least: i32) -> bool {
    let value = match value {
        Value::Score(score) => score,
        Value::Mate(moves) if moves > 0 => i32::MAX,
        Value::Mate(_) => -i32::MAX,
    };
    if is_own { value >= least } else { -value >= least }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hears scores of both sides in turn and gives the ply of the end, counted from 1.
    fn ended(rules: Adjudication, values: &[Value]) -> Option<(usize, End)> {
        let mut watch = Watch::new(rules);
        let mut heard = values.iter().enumerate();
        heard.find_map(|(ply, value)| watch.hear(ply % 2, Some(*value)).map(|end| (ply + 1, end)))
    }

    #[test]
    fn a_win_needs_both_players_for_long_enough() {
        let rules = Adjudication { resign: Some(Resign { moves: 2, score: 400 }), ..Adjudication::default() };
        let (high, low) = (Value::Score(450), Value::Score(-400));
        assert_eq!(ended(rules, &[high, low, high, low]), Some((4, End::new(Some(0), Reason::Resign))));
        assert_eq!(ended(rules, &[low, high, low, high]), Some((4, End::new(Some(1), Reason::Resign))));
        assert_eq!(ended(rules, &[high, Value::Score(-399), high, low, high]), None);
        assert_eq!(ended(rules, &[high, high, high, high, high, high]), None, "each sees itself win");
        let mates = [Value::Mate(5), Value::Mate(-4), Value::Mate(3), Value::Mate(-2)];
        assert_eq!(ended(rules, &mates).map(|(ply, _)| ply), Some(4));
    }

    #[test]
    fn a_draw_waits_for_its_move_and_starts_anew_after_a_bigger_score() {
        let draw = DrawRule { after: 3, moves: 2, score: 10 };
        let rules = Adjudication { draw: Some(draw), ..Adjudication::default() };
        let even = Value::Score(-10);
        assert_eq!(ended(rules, &[even; 9]), Some((6, End::new(None, Reason::DrawAgreed))));
        let mut values = [even; 9];
        values[4] = Value::Score(11);
        assert_eq!(ended(rules, &values).map(|(ply, _)| ply), Some(9));
    }

    #[test]
    fn nothing_ends_without_a_rule_and_a_long_game_ends_by_its_own() {
        assert_eq!(ended(Adjudication::default(), &[Value::Score(0); 900]), None);
        let rules = Adjudication { max_moves: Some(5), ..Adjudication::default() };
        assert_eq!(ended(rules, &[Value::Score(0); 900]), Some((10, End::new(None, Reason::MaxMoves))));
    }
}
