//! Chess positions by self-play from known openings, one a game, taken anywhere in the wanted phase.
//!
//! An opening line and a few varied plies make games differ; after that a search with the set `all` less MPC, which would need a
//! fit that is only made on these positions, plays its best move. The position is drawn evenly from those of the phase that are
//! quiet enough to be judged: not in check, more than one legal move, not yet decided.

use super::gather::{Dice, Family, Plan, Player};
use super::opening_lines;
use crate::setups::setup::Setup;
use secateur_core::Game;
use secateur_core::prune::{MethodSet, Methods};
use secateur_core::search::{Budget, Options};
use secateur_positions::Entry;
use std::collections::BTreeSet;

/// Depth of the searches that draw the varied plies.
const VARIED_DEPTH: i32 = 2;
/// The methods that the players use, with the numbers of a built-in variant.
const METHODS: (&str, &str) = ("razoring+null-move+futility+lmr", "strong");
/// Size of a player's table, MiB.
const TABLE: usize = 2;
/// Plies after which a game is given up.
const LONGEST: usize = 300;

/// Settings of the sampler; the result is a function of them and of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessSettings {
    /// Seed of the games.
    pub seed: u64,
    /// Positions wanted in each of the game's stages.
    pub count: usize,
    /// Fewest and most varied plies after the opening line.
    pub varied: (usize, usize),
    /// How far below the best a varied ply may be, centipawns.
    pub margin: i32,
    /// Nodes of the search for every further move.
    pub nodes: u64,
    /// Positions worth more than this for either side are not taken, centipawns.
    pub limit: i32,
    /// Games worth more than this for either side are over, centipawns.
    pub decided: i32,
    /// Positions looked at in the phase before the game is stopped, so that long endgames do not outweigh.
    pub window: usize,
    /// Threads; they do not change the result.
    pub threads: usize,
}

impl ChessSettings {
    /// The test set: 350 positions of each phase.
    pub fn test() -> ChessSettings {
        ChessSettings {
            seed: 1982,
            count: 350,
            varied: (2, 4),
            margin: 40,
            nodes: 8_000,
            limit: 500,
            decided: 1_000,
            window: 40,
            threads: 1,
        }
    }

    /// The fitting positions: 900 of each phase.
    pub fn fit() -> ChessSettings {
        ChessSettings { count: 900, ..ChessSettings::test() }
    }

    /// What decides the result besides seed and evaluation, as one line.
    pub fn describe(&self) -> String {
        let (methods, params) = METHODS;
        let ChessSettings { count, varied: (fewest, most), margin, nodes, limit, decided, window, .. } = self;
        format!(
            "methods={methods} params={params} count={count} varied={fewest}-{most} margin={margin} nodes={nodes} limit={limit} \
             decided={decided} window={window}"
        )
    }
}

/// Samples positions, one a game, ordered by phase and then by game; none of `taken` (canonical forms), to
/// which the new ones are added. `progress` hears positions had and positions wanted.
pub fn sample_chess<G: Game>(
    game: &G,
    family: Family,
    settings: &ChessSettings,
    taken: &mut BTreeSet<String>,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Entry> {
    let lines = opening_lines(game);
    let (methods, options) = players(game.name());
    let plan = Plan { slots: vec![settings.count; G::STAGES.len()], threads: settings.threads };
    plan.sample(
        (game, family),
        || Player::with(game, &methods, options.clone()),
        |player, number, slot| {
            let mut dice = Dice::new(settings.seed, family, number);
            let line = &lines[dice.below(lines.len())];
            play(player, line.clone(), settings, &mut dice, slot)
        },
        taken,
        progress,
    )
}

/// What plays the games.
///
/// # Panics
/// If the build's own numbers are broken, which tests rule out.
fn players(game: &str) -> (Methods, Options) {
    let (methods, variant) = METHODS;
    let setup = Setup::load(game, variant).expect("a built-in variant");
    let set: MethodSet = methods.parse().expect("names of methods");
    let methods = setup.methods(&set).expect("methods without fits");
    (methods, Options { table_mib: TABLE, ..setup.options })
}

/// One game through the wanted stage, and a position drawn from that stage.
fn play<G: Game>(
    player: &mut Player<'_, G>,
    line: Vec<G::Position>,
    settings: &ChessSettings,
    dice: &mut Dice,
    stage: usize,
) -> Option<G::Position> {
    let mut keys: Vec<u64> = line.iter().map(|pos| player.game().key(pos)).collect();
    keys.pop();
    let mut pos = line.into_iter().next_back()?;
    let (fewest, most) = settings.varied;
    for _ in 0..fewest + dice.below(most - fewest + 1) {
        let mv = player.near_best(&pos, VARIED_DEPTH, settings.margin, dice)?;
        keys.push(player.game().key(&pos));
        pos = player.game().play(&pos, mv);
    }
    let (mut drawn, mut seen) = (None, 0);
    while keys.len() < LONGEST && seen < settings.window {
        let now = player.game().stage(&pos);
        if now > stage || player.game().drawn(&pos, &keys) {
            break;
        }
        let Some((mv, value)) = player.best(&pos, &Budget::Nodes(settings.nodes)) else { break };
        if value.abs().0 > settings.decided {
            break;
        }
        if now == stage && value.abs().0 <= settings.limit && is_quiet(player, &pos) {
            seen += 1;
            // The n-th position replaces the one held with probability 1/n: all are equally likely.
            if dice.below(seen) == 0 {
                drawn = Some(pos.clone());
            }
        }
        keys.push(player.game().key(&pos));
        pos = player.game().play(&pos, mv);
    }
    drawn
}

fn is_quiet<G: Game>(player: &Player<'_, G>, pos: &G::Position) -> bool {
    !player.game().in_check(pos) && player.moves(pos).len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::{Evaluation, Notation};
    use secateur_games::chess::Chess;
    use std::collections::BTreeSet;

    fn small(threads: usize) -> ChessSettings {
        ChessSettings { count: 3, nodes: 400, threads, ..ChessSettings::test() }
    }

    fn sampled(settings: &ChessSettings, family: Family, taken: &mut BTreeSet<String>) -> Vec<Entry> {
        sample_chess(&Chess::default(), family, settings, taken, &mut |_, _| ())
    }

    #[test]
    fn the_same_settings_give_the_same_positions_on_any_threads() {
        let one = sampled(&small(1), Family::Test, &mut BTreeSet::new());
        assert_eq!(one.len(), 3 * Chess::STAGES.len());
        assert_eq!(one, sampled(&small(3), Family::Test, &mut BTreeSet::new()));
        let other = ChessSettings { seed: 2, ..small(1) };
        assert_ne!(one, sampled(&other, Family::Test, &mut BTreeSet::new()));
    }

    #[test]
    fn positions_are_new_quiet_and_of_their_phase() {
        let mut taken = BTreeSet::new();
        let test = sampled(&small(1), Family::Test, &mut taken);
        let fit = sampled(&small(1), Family::Fit, &mut taken);
        assert_eq!(taken.len(), test.len() + fit.len(), "a position was taken twice");
        let game = Chess::default();
        let player = Player::new(&game);
        for (index, entry) in test.iter().chain(&fit).enumerate() {
            let pos = game.parse(&entry.position).unwrap();
            assert_eq!(game.stage(&pos), index / 3 % Chess::STAGES.len());
            assert!(is_quiet(&player, &pos));
        }
    }

    #[test]
    fn lines_are_legal_distinct_and_short() {
        let game = Chess::default();
        let lines = opening_lines(&game);
        assert!(lines.len() >= 60);
        let ends: BTreeSet<String> = lines.iter().map(|line| game.canonical(&line[line.len() - 1])).collect();
        assert_eq!(ends.len(), lines.len(), "two lines lead to one position");
        assert!(lines.iter().all(|line| (7..=13).contains(&line.len())));
    }
}
