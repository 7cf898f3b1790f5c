//! What the trainings of all games share: the settings of self-play, its games with a part kept for validation, positions that
//! may not teach, and the text of the provenance.

use super::{Phase, Progress, Ranged, TrainError, in_range, shared_out};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, Options, Searcher};
use secateur_core::{Game, Meter, Score, Window};
use secateur_positions::{Fnv, builtins};
use secateur_suites::setups::setup::Setup;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::{ControlFlow, RangeInclusive};

/// One game in this many is kept for validation and never learnt from.
pub(super) const VALIDATION_SHARE: u32 = 20;

/// Whether a game is kept for validation.
pub(super) fn validates(number: u32) -> bool {
    number.is_multiple_of(VALIDATION_SHARE)
}

/// What provenance says of [`stream`].
pub(super) const STREAMS: &str = "ChaCha8, seeded with the seed, stream generation * 2^32 + game";

/// The random numbers of one game: one stream each, so that no two games share any.
pub(super) fn stream(seed: u64, generation: u32, number: u32) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::from(generation) << 32 | u64::from(number));
    rng
}

/// A number below a bound. The bias of the remainder is below 2^-50 for the small bounds used here.
pub(super) fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    rng.next_u64() % bound
}

/// What self-play is determined by in every game (and `threads`, which changes nothing but the time).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlay {
    /// Games of each generation.
    pub games: u32,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Threads; 0 where provenance is to say nothing of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub threads: usize,
    /// Generations, each with the evaluation that the one before has learnt.
    pub generations: u32,
}

fn is_zero(threads: &usize) -> bool {
    *threads == 0
}

impl SelfPlay {
    /// Rejects what is out of range: of these settings, and of `others` that the game has besides.
    pub(super) fn check<const N: usize>(
        &self,
        games: RangeInclusive<u64>,
        others: [Ranged; N],
    ) -> Result<(), TrainError> {
        let shared = [
            ("games", self.games.into(), games),
            ("threads", self.threads as u64, 1..=1_024),
            ("generations", self.generations.into(), 1..=100),
        ];
        in_range(shared.into_iter().chain(others))
    }

    /// Plays games on the threads, each with random numbers of its own; a `table` is what the games of one thread are played with.
    pub(super) fn play<T: Send, S: Send>(
        &self,
        generation: u32,
        numbers: &[u32],
        table: impl Fn() -> T,
        play: impl Fn(&mut T, u32, &mut ChaCha8Rng) -> S + Sync,
    ) -> Vec<S> {
        shared_out(numbers, self.threads, table, |table, &number| {
            play(table, number, &mut stream(self.seed, generation, number))
        })
    }

    /// The options of the command that makes the same self-play again.
    pub(super) fn options(&self) -> String {
        let SelfPlay { games, seed, generations, .. } = self;
        format!(" --games {games} --seed {seed} --generations {generations}")
    }
}

/// A finished training.
#[derive(Debug)]
pub struct Trained {
    /// The file of the evaluation of the last generation.
    pub bytes: Vec<u8>,
    /// Where it comes from and how good it is, TOML, to be written next to it.
    pub provenance: String,
}

impl Trained {
    /// One whose provenance is what `head` says, the settings and the generations.
    pub(super) fn of(
        bytes: Vec<u8>,
        head: &[(&str, String)],
        settings: impl Serialize,
        generations: impl Serialize,
    ) -> Result<Trained, TrainError> {
        let sections = [section("settings", settings)?, section("generation", generations)?];
        Ok(Trained { bytes, provenance: provenance(head, &sections) })
    }
}

#[cfg(test)]
impl Trained {
    /// The training on one thread, of which the one on more threads must not differ.
    pub(super) fn on_any_threads(train: impl Fn(usize) -> Result<Trained, TrainError>) -> Trained {
        let [one, three] = [1, 3].map(|threads| train(threads).expect("valid settings"));
        assert_eq!(one.bytes, three.bytes);
        assert_eq!(one.provenance.replace("threads = 1", "threads = 3"), three.provenance);
        one
    }

    /// The last of the tables of a name in the provenance.
    pub(super) fn last<T: serde::de::DeserializeOwned>(&self, tables: &str) -> T {
        let provenance: toml::Table = self.provenance.parse().expect("TOML");
        let last = provenance[tables].as_array().and_then(|tables| tables.last()).expect("tables");
        last.clone().try_into().expect("as it was written")
    }
}

/// What all players at fixed nodes share: their pruning methods, and a host with a table of 1 MiB, which is enough for some thousand nodes
/// and quickly cleared.
pub(super) struct Players {
    methods: Methods,
    options: Options,
}

impl Players {
    /// Those of a game, with methods of these names.
    pub(super) fn of<G: Game>(methods: &str) -> Result<Players, TrainError> {
        let setup = Setup::embedded(G::NAME)?;
        let methods = setup.methods(&methods.parse().expect("names of methods"))?;
        Ok(Players { methods, options: Options { table_mib: 1, ..setup.options } })
    }

    /// One of them, who searches so many nodes for each move.
    pub(super) fn player<G: Game>(&self, game: &G, nodes: u64) -> NodesPlayer<'_, G> {
        let search = game.clone().searcher(&self.methods, self.options.clone());
        NodesPlayer { search, limits: Limits { nodes, ..Limits::default() } }
    }
}

/// A player at fixed nodes.
pub(super) struct NodesPlayer<'a, G: Game> {
    search: Searcher<'a, G>,
    limits: Limits,
}

impl<G: Game> NodesPlayer<'_, G> {
    /// The game that it plays.
    pub(super) fn game(&self) -> &G {
        self.search.game()
    }

    /// Forgets the game before.
    pub(super) fn forget(&mut self) {
        self.search.forget();
    }

    /// Best move and its value behind the positions of these keys; `None` at the end of a game.
    pub(super) fn best(&mut self, position: &G::Position, keys: &[u64]) -> Option<(G::Move, Score)> {
        let outcome = self.search.go(position, keys, &self.limits, &mut |_| ControlFlow::Continue(()));
        let last = outcome.last();
        Some((last.best_move()?, last.score))
    }
}

/// Whether a side not in check finds nothing better than standing still beyond the horizon.
pub(super) fn quiet<G: Game>(game: &G, position: &G::Position) -> bool {
    !game.in_check(position)
        && game.horizon(position, Window::FULL, 0, &mut Meter::default()) == game.evaluate(position)
}

/// Labelled positions of a generation.
pub(super) struct Played<S> {
    /// To learn from.
    pub(super) learn: Vec<S>,
    /// Of the validation games.
    pub(super) check: Vec<S>,
}

/// The positions of a generation that `teaches` says yes to. `play` plays a block of games, of which each depends on its number alone.
///
/// # Errors
/// Those of `play`.
pub(super) fn play_all<S>(
    settings: &SelfPlay,
    (generation, block): (u32, u32),
    progress: &mut dyn FnMut(Progress),
    teaches: impl Fn(&S) -> bool,
    mut play: impl FnMut(&[u32]) -> Result<Vec<Vec<S>>, TrainError>,
) -> Result<Played<S>, TrainError> {
    let mut played = Played { learn: Vec::new(), check: Vec::new() };
    for first in (0..settings.games).step_by(block as usize) {
        let last = settings.games.min(first + block);
        let numbers: Vec<u32> = (first..last).collect();
        for (&number, samples) in numbers.iter().zip(play(&numbers)?) {
            let into = if validates(number) { &mut played.check } else { &mut played.learn };
            into.extend(samples.into_iter().filter(&teaches));
        }
        let (done, total) = (last.into(), settings.games.into());
        progress(Progress { generation, phase: Phase::Games, done, total });
    }
    Ok(played)
}

/// Reports the passes of a regression that are done, of `total`.
pub(super) fn passes(generation: u32, total: usize, progress: &mut dyn FnMut(Progress)) -> impl FnMut(usize) {
    move |done| {
        let (done, total) = (done as u64, total as u64);
        progress(Progress { generation, phase: Phase::Passes, done, total });
    }
}

/// The provenance: `head` says by what command and how, sections hold the settings and the figures.
pub(super) fn provenance(head: &[(&str, String)], sections: &[String]) -> String {
    let mut text = String::new();
    for (key, value) in head {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{key} = {}", toml::Value::from(value.as_str()));
    }
    for section in sections {
        let _ = write!(text, "\n{section}");
    }
    text
}

/// A table of the provenance, or an array of tables.
///
/// # Errors
/// The value is none: a mistake in the trainer.
pub(super) fn section(name: &str, value: impl Serialize) -> Result<String, TrainError> {
    Ok(toml::to_string(&BTreeMap::from([(name, value)]))?)
}

/// What of a position is compared: the same for all positions that teach the same.
pub(super) trait Form: Ord {
    /// Adds it to a hash.
    fn add_to(&self, hash: &mut Fnv);
}

impl Form for String {
    fn add_to(&self, hash: &mut Fnv) {
        hash.bytes(self.as_bytes()).bytes(b"\n");
    }
}

/// The stones of both sides.
impl Form for (u64, u64) {
    fn add_to(&self, hash: &mut Fnv) {
        hash.bytes(&self.0.to_le_bytes()).bytes(&self.1.to_le_bytes());
    }
}

/// Positions that training may not teach, in such a form: those of every built-in set of the game, as a position on which methods
/// are judged or fitted must be new to the evaluation. In Othello, sets of our own keep to the reserved positions
/// ([`super::reserved`]), so that its self-play does without this list, lest weights depend on sets that were sampled with them;
/// but others published theirs without knowing of that rule, from just such games as an archive holds.
pub(super) struct Forbidden<F>(BTreeSet<F>);

impl<F: Form> Forbidden<F> {
    /// All positions of the built-in test and fitting sets.
    ///
    /// # Errors
    /// Those of the built-in sets, which their own tests rule out.
    pub(super) fn built_in<G: Game>(
        game: &G,
        form: impl Fn(&G::Position) -> F,
    ) -> Result<Forbidden<F>, TrainError> {
        let entries = builtins(game)?.into_iter().flat_map(|set| set.entries);
        // An entry of a loaded set is a position of the game.
        Ok(Forbidden::of(entries.filter_map(|entry| Some(form(&game.parse(&entry.position).ok()?)))))
    }

    /// These.
    pub(super) fn of(forms: impl IntoIterator<Item = F>) -> Forbidden<F> {
        Forbidden(forms.into_iter().collect())
    }

    /// Whether a position in this form is one of them.
    pub(super) fn contains(&self, form: &F) -> bool {
        self.0.contains(form)
    }

    /// Number of positions, and a hash of them, for the provenance: with other sets the same games teach something else.
    pub(super) fn identity(&self) -> (usize, String) {
        let mut hash = Fnv::default();
        self.0.iter().for_each(|form| form.add_to(&mut hash));
        (self.0.len(), hash.hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::othello::{Board, Othello, squares};
    use secateur_positions::builtin;
    use secateur_positions::duplicates::canonicals;
    use secateur_suites::sample::othello::canonical;

    #[test]
    fn built_in_positions_are_forbidden_in_every_guise_and_their_children_are_not() {
        let game = Othello::default();
        let forbidden = Forbidden::built_in(&game, |position| canonical(position.board())).unwrap();
        let forbids = |board: Board| forbidden.contains(&canonical(board));
        let (mut texts, mut kept) = (BTreeSet::new(), 0);
        for name in ["ffo", "othello-28", "othello-44", "othello-fit"] {
            let set = builtin(&game, name).unwrap();
            texts.extend(canonicals(&game, &set).unwrap());
            for entry in set.entries {
                let position = game.parse(&entry.position).unwrap();
                for symmetry in 0..8 {
                    assert!(forbids(position.board().transformed(symmetry)));
                }
                assert!(forbids(position.mirrored().board()), "colours are no difference");
                let child = squares(position.board().moves()).map(|square| position.board().play(square));
                kept += child.filter(|child| !forbids(*child)).count();
            }
        }
        assert!(texts.len() <= forbidden.identity().0 && kept > 0);
        assert!(!forbids(Board::START));
    }
}
