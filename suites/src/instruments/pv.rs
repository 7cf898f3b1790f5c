//! Whether a principal variation can be true: legal moves, as long as the search was deep, or short for a reason, and
//! a last position that is worth what the root is said to be worth.
//!
//! The host never prunes, and never answers from the table, on an open window. So the line of a completed iteration
//! leads to the very leaf that gave the root its value, whatever the methods did elsewhere: there is no "table cut"
//! to excuse. What an external engine does is not known; its lines are only replayed ([`verdict`]).

use secateur_core::prune::Asks;
use secateur_core::search::{Iteration, Missing, Options, horizon_with};
use secateur_core::{Game, Moves, Score};
use secateur_record::record::Sanity;

/// Times the depth that a line may be long where methods extend.
const LONGEST: i32 = 2;

/// What a replay of an iteration's line found, in the words of the record.
///
/// Flags of sane lines: `ok`, as long as the depth (check extensions counted); `ok:terminal`, `ok:repetition`, shorter
/// because the game, or a rule of the game, ends it; `ok:chance`, because it ends before a throw, whose value is a mean over
/// lines and can be checked by none; `ok:shortened`, shorter by no more than [`Missing::Shorten`] may
/// take off, or than a method that changes depths (`asks`) likes; with such a method a line may also be longer, up to twice the
/// depth. Faults: `illegal`, a move that does not exist, be it one of the wrong side; `short`, for no reason;
/// `long`, beyond the horizon or the end of the game; `leaf`, another value at its end than `found.score`.
pub fn sanity<G: Game>(
    game: &G,
    root: &G::Position,
    iteration: &Iteration<G::Move>,
    options: &Options,
    asks: Asks,
) -> Sanity {
    let shortens = options.missing == Missing::Shorten && options.missing_from > 0;
    let mut at = Replay::start(root);
    // Plies to the horizon, as few and as many as there may be.
    let (mut least, mut most) = (iteration.depth, iteration.depth);
    if asks.varies_depth() {
        (least, most) = (i32::from(iteration.depth > 0), LONGEST * iteration.depth);
    }
    for &mv in &iteration.pv {
        if !at.is_legal(game, mv) {
            return Sanity::Illegal;
        }
        if most <= 0 || at.is_drawn(game) {
            return Sanity::Long;
        }
        let extension = i32::from(options.check_extension && game.in_check(&at.pos));
        least += extension;
        most += extension;
        least -= i32::from(shortens && least >= options.missing_from);
        least -= game.plies(mv);
        most -= game.plies(mv);
        at.play(game, mv);
    }
    let flag = match at.ending(game) {
        _ if most <= 0 => Sanity::Ok,
        Some(Sanity::Chance) => return Sanity::Chance,
        Some(flag) => flag,
        None if least <= 0 => Sanity::Shortened,
        None => return Sanity::Short,
    };
    // What methods leave out below the horizon, a replay does not know.
    if asks.quiet || at.value(game, options) == iteration.score { flag } else { Sanity::Leaf }
}

/// What a replay of an engine's line found: `ok`, at least `depth` plies long, or `ok:terminal`, `ok:repetition`, `ok:chance`,
/// `illegal`, `short` as in [`sanity`].
pub fn verdict<G: Game>(game: &G, root: &G::Position, line: &[G::Move], depth: i32) -> Sanity {
    let mut at = Replay::start(root);
    let mut plies = 0;
    for &mv in line {
        if !at.is_legal(game, mv) {
            return Sanity::Illegal;
        }
        plies += game.plies(mv);
        at.play(game, mv);
    }
    if plies >= depth { Sanity::Ok } else { at.ending(game).unwrap_or(Sanity::Short) }
}

/// A position on a line, and the keys of those before it.
struct Replay<G: Game> {
    pos: G::Position,
    keys: Vec<u64>,
}

impl<G: Game> Replay<G> {
    fn start(root: &G::Position) -> Replay<G> {
        Replay { pos: root.clone(), keys: Vec::new() }
    }

    fn is_legal(&self, game: &G, mv: G::Move) -> bool {
        legal(game, &self.pos).iter().any(|scored| scored.mv == mv)
    }

    fn play(&mut self, game: &G, mv: G::Move) {
        self.keys.push(game.key(&self.pos));
        self.pos = game.play(&self.pos, mv);
    }

    /// At the root the game goes on, whatever came before it.
    fn is_drawn(&self, game: &G) -> bool {
        game.repeats() && !self.keys.is_empty() && game.drawn(&self.pos, &self.keys)
    }

    /// The flag of a line that need not go on.
    fn ending(&self, game: &G) -> Option<Sanity> {
        if game.awaits(&self.pos) {
            Some(Sanity::Chance)
        } else if legal(game, &self.pos).is_empty() {
            Some(Sanity::Terminal)
        } else if self.is_drawn(game) {
            Some(Sanity::Repetition)
        } else {
            None
        }
    }

    /// Value for the root's side of the position reached, if the search ended in it.
    fn value(&self, game: &G, options: &Options) -> Score {
        let ply = self.keys.len() as u32;
        let value = if self.is_drawn(game) {
            Score::ZERO
        } else if !game.awaits(&self.pos) && legal(game, &self.pos).is_empty() {
            game.outcome(&self.pos, ply)
        } else {
            horizon_with(game, options, &self.pos, ply)
        };
        if ply.is_multiple_of(2) { value } else { -value }
    }
}

fn legal<G: Game>(game: &G, pos: &G::Position) -> Moves<G> {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::setup::Setup;
    use secateur_core::game::random_positions;
    use secateur_core::search::{Budget, Search};
    use secateur_core::{Notation, Rules};
    use secateur_games::chess::{Chess, START};
    use secateur_games::einstein::Einstein;
    use secateur_games::othello::Othello;
    use std::collections::BTreeSet;

    const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";
    const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// Mates and draws are near.
    const BARE: &str = "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1";

    fn chess(fen: &str, moves: &str, depth: i32) -> &'static str {
        let game = Chess::default();
        let root = game.parse(fen).unwrap();
        let mut pos = root.clone();
        let mut line = Vec::new();
        for text in moves.split_whitespace() {
            line.push(game.parse_move(&pos, text).unwrap());
            pos = game.play(&pos, *line.last().unwrap());
        }
        verdict(&game, &root, &line, depth).name()
    }

    #[test]
    fn lines_are_long_enough_or_end_for_a_reason() {
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 3), "ok");
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 2), "ok", "an extension makes lines longer");
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 4), "short");
        assert_eq!(chess(START, "", 1), "short");
        assert_eq!(chess(START, "f2f3 e7e5 g2g4 d8h4", 6), "ok:terminal");
        assert_eq!(chess(START, "g1f3 g8f6 f3g1 f6g8", 6), "ok:repetition");
        assert_eq!(chess("8/8/8/8/8/5k2/R7/5K2 w - - 99 90", "a2a3", 3), "ok:repetition");
    }

    #[test]
    fn moves_of_another_position_are_illegal() {
        let game = Chess::default();
        let root = game.parse(START).unwrap();
        let mv = game.parse_move(&root, "e2e4").unwrap();
        assert_eq!(verdict(&game, &root, &[mv, mv], 2), Sanity::Illegal);
    }

    #[test]
    fn a_forced_pass_is_no_ply() {
        let game = Othello::default();
        // White has no move: black's disc row leaves it nothing to flip until black moves again.
        let root = game.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- X").unwrap();
        let moves = legal(&game, &root);
        assert_eq!(moves.len(), 1);
        let mv = moves[0].mv;
        assert_eq!(verdict(&game, &root, &[mv], 1), Sanity::Ok);
    }

    /// Every method set of the suite `quick`.
    const SETS: [&str; 10] = [
        "none",
        "null-move",
        "probcut",
        "mpc",
        "multi-cut",
        "futility",
        "razoring",
        "lmr",
        "null-move+mpc",
        "all",
    ];

    /// Flags met in searches of every iteration to `depth`; panics at a line that is not sane.
    fn flags<G: Game>(game: &G, start: &str, setup: &Setup, depth: i32, count: usize) -> BTreeSet<Sanity> {
        let options = Options { table_mib: setup.options.table_mib.min(1), ..setup.options.clone() };
        let mut flags = BTreeSet::new();
        for methods in SETS {
            let set = setup.methods(&methods.parse().unwrap()).unwrap();
            let mut search = game.clone().searcher(&set, options.clone());
            for pos in random_positions(game, start, (4, 50), count, 1) {
                for iteration in search.run(&pos, &Budget::Depth(depth)).iterations {
                    let flag = sanity(game, &pos, &iteration, &options, search.asks());
                    assert!(flag.is_sane(), "{flag}: {methods}, {iteration:?} of {}", game.format(&pos));
                    flags.insert(flag);
                    let other = Iteration { score: iteration.score + Score(1), ..iteration };
                    let other_flag = sanity(game, &pos, &other, &options, search.asks());
                    assert!(other_flag == Sanity::Leaf || search.asks().quiet);
                }
            }
        }
        flags
    }

    #[test]
    fn every_line_of_every_method_ends_in_the_value_of_the_root() {
        let usual = |game| Setup::embedded(game).unwrap();
        let seen = flags(&Othello::default(), OTHELLO, &usual("othello"), 7, 10);
        assert!(seen.contains(&Sanity::Ok), "{seen:?}");
        let seen = flags(&Chess::default(), WILD, &usual("chess"), 4, 10);
        assert!(seen.contains(&Sanity::Ok), "{seen:?}");
        let seen = flags(&Chess::default(), BARE, &usual("chess"), 4, 12);
        assert!(seen.contains(&Sanity::Terminal), "{seen:?}");
    }

    #[test]
    fn host_options_leave_the_value_at_the_end_of_the_line() {
        let mut strong = Setup::load("chess", "strong").unwrap();
        // With hardly a table there is hardly a table move.
        strong.options.table_mib = 0;
        let seen = flags(&Chess::default(), WILD, &strong, 5, 6);
        assert!(seen.contains(&Sanity::Ok) && seen.contains(&Sanity::Shortened), "{seen:?}");
        let mut deepened = Setup::embedded("othello").unwrap();
        deepened.options =
            Options { missing: Missing::Deepen, missing_from: 3, aspiration: 10, ..deepened.options };
        flags(&Othello::default(), OTHELLO, &deepened, 6, 8);
    }

    #[test]
    fn a_line_neither_goes_on_nor_stops_as_it_likes() {
        let game = Chess::default();
        let root = game.parse(START).unwrap();
        let options = Options::default();
        let outcome = Search::full_width(game.clone(), options.clone()).run(&root, &Budget::Depth(3));
        let last = outcome.last().clone();
        let judged = |depth, pv: &[_]| {
            let changed = Iteration { depth, pv: pv.to_vec(), ..last.clone() };
            sanity(&game, &root, &changed, &options, Asks::default())
        };
        assert_eq!(judged(3, &last.pv), Sanity::Ok);
        assert_eq!(judged(2, &last.pv), Sanity::Long);
        assert_eq!(judged(4, &last.pv), Sanity::Short);
        assert_eq!(judged(3, &last.pv[..2]), Sanity::Short);
        assert_eq!(judged(3, &[last.pv[1], last.pv[0], last.pv[2]]), Sanity::Illegal);
    }

    /// What follows a throw is no line: it is not asked for, and one that goes on is not believed.
    #[test]
    fn a_line_ends_before_a_throw() {
        let (game, options) = (Einstein::default(), Options::default());
        for die in 1..=6 {
            let root = game.parse(&format!("..CBA/...ED/6...F/45.../123.. b {die}")).unwrap();
            let outcome = Search::full_width(game.clone(), options.clone()).run(&root, &Budget::Depth(3));
            let flag = |iteration: &Iteration<_>| sanity(&game, &root, iteration, &options, Asks::default());
            let flags: Vec<Sanity> = outcome.iterations.iter().map(flag).collect();
            assert_eq!(
                flags,
                [Sanity::Ok, Sanity::Chance, Sanity::Chance],
                "after one move there is a value"
            );
            let last = outcome.last();
            assert_eq!(verdict(&game, &root, &last.pv, 3), Sanity::Chance);
            let longer = Iteration { pv: [&last.pv[..], &last.pv[..]].concat(), ..last.clone() };
            assert_eq!(flag(&longer), Sanity::Illegal);
            let first = &outcome.iterations[0];
            assert_eq!(flag(&Iteration { score: first.score + Score(1), ..first.clone() }), Sanity::Leaf);
        }
    }
}
