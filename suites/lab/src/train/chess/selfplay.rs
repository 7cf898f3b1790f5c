//! One training game: a known opening, a few random moves, play at fixed nodes, adjudicated end.
//!
//! A game is a function of seed, generation and number alone, so threads may share the games out as they like. The
//! positions that teach are quiet: not in check, nothing to win by captures, no capture or promotion played. What
//! hangs is the search's business and would only blur the evaluation.

use super::TrainSettings;
use crate::train::kept::Sample;
use crate::train::self_play::stream;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, Options, Searcher};
use secateur_core::{Evaluation, Game, Meter, Moves, Notation, Rules, Score, Window};
use secateur_games::chess::{Chess, EvalParams, Position};
use secateur_suites::sample::openings;
use secateur_suites::setups::setup::Setup;
use std::ops::ControlFlow;

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
/// Size of the players' table, MiB: enough for some thousand nodes, and quickly cleared.
const TABLE_MIB: usize = 1;

/// What all players share.
pub(super) struct Players {
    methods: Methods,
    options: Options,
    lines: Vec<Position>,
}

impl Players {
    pub(super) fn new() -> Result<Players, super::TrainError> {
        let setup = Setup::embedded(Chess::NAME)?;
        let methods = setup.methods(&METHODS.parse().expect("names of methods"))?;
        let options = Options { table_mib: TABLE_MIB, ..setup.options };
        let lines = openings::lines(&Chess::with_params(EvalParams::zero()));
        let lines = lines.into_iter().filter_map(|line| line.into_iter().next_back()).collect();
        Ok(Players { methods, options, lines })
    }
}

/// Who plays the games of one thread.
pub(super) struct Table<'a> {
    search: Searcher<'a, Chess>,
    lines: Vec<Position>,
    settings: &'a TrainSettings,
    generation: u32,
}

/// A game under way.
struct Line {
    pos: Position,
    keys: Vec<u64>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        params: &EvalParams,
        players: &'a Players,
        settings: &'a TrainSettings,
        generation: u32,
    ) -> Table<'a> {
        let game = Chess::with_params(params.clone());
        // Positions carry sums of their game's numbers, so they are read again for this one.
        let lines = players.lines.iter().filter_map(|pos| game.parse(&game.format(pos)).ok()).collect();
        let search = game.searcher(&players.methods, players.options.clone());
        Table { search, lines, settings, generation }
    }

    /// Plays one game and returns its teaching positions.
    pub(super) fn play(&mut self, number: u32) -> Vec<Sample> {
        // Chess training has streams of its own, apart from those of Othello.
        let mut rng = stream(self.settings.play.seed, 1 << 31 | self.generation, number);
        let mut line = self.opening(&mut rng);
        let (mut seen, mut decided, mut level) = (Vec::new(), 0, 0);
        let white_wins = loop {
            let pos = &line.pos;
            if self.search.game().drawn(pos, &line.keys) || line.keys.len() >= LONGEST || level >= LEVEL_PLIES
            {
                break 0;
            }
            let Some((mv, value)) = self.best(&line) else {
                break match self.search.game().outcome(pos, 0) {
                    Score::ZERO => 0,
                    _ => -white(pos),
                };
            };
            let game = self.search.game();
            decided = if value.abs().0 >= DECIDED { decided + 1 } else { 0 };
            level = if value == Score::ZERO { level + 1 } else { 0 };
            if decided >= DECIDED_PLIES || value.abs() >= Chess::DECISIVE {
                break value.0.signum() as i8 * white(pos);
            }
            if !game.tactical(pos, mv) && quiet(game, pos) {
                seen.push((pos.clone(), value.0 as i16));
            }
            let next = game.play(pos, mv);
            line.keys.push(game.key(pos));
            line.pos = next;
        };
        let sample = |(pos, value): (Position, i16)| Sample {
            position: self.search.game().format(&pos),
            result: white_wins * white(&pos),
            value,
        };
        seen.into_iter().map(sample).collect()
    }

    /// An opening line and some random moves after which neither side has won yet.
    fn opening(&mut self, rng: &mut ChaCha8Rng) -> Line {
        loop {
            let nth = rng.next_u64() % self.lines.len() as u64;
            let mut line = Line { pos: self.lines[nth as usize].clone(), keys: Vec::new() };
            for _ in 0..RANDOM.0 + rng.next_u64() % (RANDOM.1 - RANDOM.0 + 1) {
                let mut moves = Moves::<Chess>::new();
                self.search.game().moves(&line.pos, &mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[(rng.next_u64() % moves.len() as u64) as usize].mv;
                line.keys.push(self.search.game().key(&line.pos));
                line.pos = self.search.game().play(&line.pos, mv);
            }
            self.search.forget();
            if self.best(&line).is_some_and(|(_, value)| value.abs().0 <= EVEN) {
                return line;
            }
        }
    }

    fn best(&mut self, line: &Line) -> Option<(<Chess as Rules>::Move, Score)> {
        let limits = Limits { nodes: self.settings.nodes, ..Limits::default() };
        let outcome = self.search.go(&line.pos, &line.keys, &limits, &mut |_| ControlFlow::Continue(()));
        let last = outcome.last();
        Some((last.best_move()?, last.score))
    }
}

/// 1 if White is to move, -1 if Black is.
fn white(pos: &Position) -> i8 {
    if pos.board().side_to_move() as usize == 0 { 1 } else { -1 }
}

fn quiet(game: &Chess, pos: &Position) -> bool {
    !game.in_check(pos)
        && pos.board().halfmove_clock() <= STALE
        && game.horizon(pos, Window::FULL, 0, &mut Meter::default()) == game.evaluate(pos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(settings: &TrainSettings, generation: u32, number: u32) -> Vec<Sample> {
        let players = Players::new().expect("embedded parameters");
        Table::new(&EvalParams::default(), &players, settings, generation).play(number)
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
                    assert!(quiet(&game, &pos), "{}", sample.position);
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
