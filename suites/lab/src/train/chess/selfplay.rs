//! One training game: a known opening, a few random moves, play at fixed nodes, adjudicated end.
//!
//! A game is a function of seed, generation and number alone, so threads may share the games out as they like. The
//! positions that teach are quiet: not in check, nothing to win by captures, no capture or promotion played. What
//! hangs is the search's business and would only blur the evaluation.

use crate::train::kept::Sample;
use crate::train::self_play::{NodesPlayer, Players, below, quiet};
use rand_chacha::ChaCha8Rng;
use secateur_core::{Evaluation, Moves, Notation, Rules, Score};
use secateur_games::chess::{Chess, EvalParams, Position};
use secateur_suites::sample::opening_lines;

/// Pruning methods of the players.
pub(super) const METHODS: &str = "null-move+futility+razoring";
/// Fewest and most random plies after the opening line.
pub(super) const RANDOM: (u64, u64) = (1, 6);
/// A game starts from a position that the search finds no further from even than this, centipawns.
pub(super) const EVEN: i32 = 300;
/// A game worth this for one side at [`DECIDED_PLIES`] plies in a row is won, centipawns.
pub(super) const DECIDED: i32 = 1_200;
/// See [`DECIDED`].
pub(super) const DECIDED_PLIES: u32 = 6;
/// A game worth nothing to either at this many plies in a row is drawn.
pub(super) const LEVEL_PLIES: u32 = 24;
/// A game of this many plies is drawn.
pub(super) const LONGEST: usize = 300;
/// Positions later than this on the fifty-move clock teach nothing new.
pub(super) const STALE: u8 = 30;

/// Who plays the games of one thread.
pub(super) struct Table<'a> {
    player: NodesPlayer<'a, Chess>,
    lines: Vec<Position>,
}

/// A game under way.
struct Line {
    pos: Position,
    keys: Vec<u64>,
}

/// Where games may begin: the ends of the sampler's opening lines.
pub(super) fn beginnings() -> Vec<Position> {
    let lines = opening_lines(&Chess::with_params(EvalParams::zero()));
    lines.into_iter().filter_map(|line| line.into_iter().next_back()).collect()
}

impl<'a> Table<'a> {
    pub(super) fn new(game: &Chess, players: &'a Players, nodes: u64, lines: &[Position]) -> Table<'a> {
        // Positions carry sums of their game's numbers, so they are read again for this one.
        let lines = lines.iter().filter_map(|pos| game.parse(&game.format(pos)).ok()).collect();
        Table { player: players.player(game, nodes), lines }
    }

    /// Plays one game and returns its teaching positions.
    pub(super) fn play(&mut self, rng: &mut ChaCha8Rng) -> Vec<Sample> {
        let mut line = self.opening(rng);
        let (mut seen, mut decided, mut level) = (Vec::new(), 0, 0);
        let white_wins = loop {
            let pos = &line.pos;
            if self.player.game().drawn(pos, &line.keys) || line.keys.len() >= LONGEST || level >= LEVEL_PLIES
            {
                break 0;
            }
            let Some((mv, value)) = self.player.best(&line.pos, &line.keys) else {
                break match self.player.game().outcome(pos, 0) {
                    Score::ZERO => 0,
                    _ => -white(pos),
                };
            };
            let game = self.player.game();
            decided = if value.abs().0 >= DECIDED { decided + 1 } else { 0 };
            level = if value == Score::ZERO { level + 1 } else { 0 };
            if decided >= DECIDED_PLIES || value.abs() >= Chess::DECISIVE {
                break value.0.signum() as i8 * white(pos);
            }
            if !game.tactical(pos, mv) && teaches(game, pos) {
                seen.push((pos.clone(), value.0 as i16));
            }
            let next = game.play(pos, mv);
            line.keys.push(game.key(pos));
            line.pos = next;
        };
        let sample = |(pos, value): (Position, i16)| Sample {
            position: self.player.game().format(&pos),
            result: white_wins * white(&pos),
            value,
        };
        seen.into_iter().map(sample).collect()
    }

    /// An opening line and some random moves after which neither side has won yet.
    fn opening(&mut self, rng: &mut ChaCha8Rng) -> Line {
        loop {
            let nth = below(rng, self.lines.len() as u64);
            let mut line = Line { pos: self.lines[nth as usize].clone(), keys: Vec::new() };
            for _ in 0..RANDOM.0 + below(rng, RANDOM.1 - RANDOM.0 + 1) {
                let mut moves = Moves::<Chess>::new();
                self.player.game().moves(&line.pos, &mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[below(rng, moves.len() as u64) as usize].mv;
                line.keys.push(self.player.game().key(&line.pos));
                line.pos = self.player.game().play(&line.pos, mv);
            }
            self.player.forget();
            if self.player.best(&line.pos, &line.keys).is_some_and(|(_, value)| value.abs().0 <= EVEN) {
                return line;
            }
        }
    }
}

/// 1 if White is to move, -1 if Black is.
fn white(pos: &Position) -> i8 {
    if pos.board().side_to_move() as usize == 0 { 1 } else { -1 }
}

fn teaches(game: &Chess, pos: &Position) -> bool {
    pos.board().halfmove_clock() <= STALE && quiet(game, pos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::chess::TrainSettings;
    use crate::train::self_play::stream;

    fn played(settings: &TrainSettings, generation: u32, number: u32) -> Vec<Sample> {
        let players = Players::of::<Chess>(METHODS).expect("embedded parameters");
        let game = Chess::with_params(EvalParams::default());
        let mut table = Table::new(&game, &players, settings.nodes, &beginnings());
        table.play(&mut stream(settings.play.seed, generation, number))
    }

    #[test]
    fn a_game_depends_on_its_number_alone_and_teaches_by_quiet_positions() {
        let settings = TrainSettings { nodes: 300, ..TrainSettings::default() };
        let samples = played(&settings, 1, 7);
        assert_eq!(samples, played(&settings, 1, 7));
        assert_ne!(samples, played(&settings, 1, 8));
        assert_ne!(samples, played(&settings, 0, 7));
        let game = Chess::default();
        let mut results = std::collections::BTreeSet::new();
        for number in 0..12 {
            let samples = played(&settings, 1, number);
            let white_wins: std::collections::BTreeSet<i8> = samples
                .iter()
                .map(|sample| {
                    let pos = game.parse(&sample.position).unwrap();
                    assert!(teaches(&game, &pos), "{}", sample.position);
                    assert!(i32::from(sample.value).abs() < 29_000);
                    sample.result * white(&pos)
                })
                .collect();
            assert!(white_wins.len() <= 1, "one result, seen from either side");
            results.extend(white_wins);
        }
        assert!(results.len() > 1, "some games are won");
    }
}
