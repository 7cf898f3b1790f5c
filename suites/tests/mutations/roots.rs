//! What the checks search: positions of random games and short mates, and what `none` finds in them, which is searched once.
//!
//! Left out: what is asked of these searches, which is for the checks to say.

use super::games::{Bent, Twist};
use secateur_core::Score;
use secateur_core::game::{Game, Moves, Rules};
use secateur_core::search::{Budget, Iteration, Options, Search};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(super) const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
pub(super) const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";
/// Bare enough for pawn endings.
pub(super) const PAWNS: &str = "8/pp3k2/8/4p3/4P3/8/PP3K2/8 w - - 0 1";
/// Few men, many mates: deep lines are cheap.
pub(super) const ROOKS: &str = "6k1/5ppp/8/8/8/8/r4PPP/3RR1K1 w - - 0 1";
pub(super) const LADDER: &str = "8/8/8/3k4/8/8/R7/1R2K3 w - - 0 1";
pub(super) const CAGE: &str = "7k/7p/7P/8/2B2p2/8/8/R5K1 w - - 0 1";
/// Whatever Black plays, the rook mates on the last rank.
pub(super) const LOST: &str = "6k1/R7/8/2ppp3/8/8/8/1R4K1 b - - 0 1";
pub(super) const MIDDLE: &str = "2r3k1/pp3ppp/4p3/3n4/3P4/2R2N2/PP3PPP/6K1 b - - 0 20";
/// Mates in one to three moves that need no zugzwang of a side with pieces, a draw by stalemate, and a depth that sees
/// them.
pub(super) const ENDS: [(&str, i32); 7] = [
    ("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", 4),
    ("5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1", 4),
    ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 4),
    ("1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", 4),
    ("7k/7P/8/6K1/8/8/8/8 w - - 0 1", 5),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 5),
    ("8/8/8/8/8/1k6/8/K2q4 w - - 0 1", 4),
];

pub(super) fn chess(twist: Twist<<Chess as Rules>::Move>) -> Bent<Chess> {
    Bent { inner: Chess::default(), twist }
}

pub(super) fn othello(twist: Twist<<Othello as Rules>::Move>) -> Bent<Othello> {
    Bent { inner: Othello::default(), twist }
}

/// Unfinished positions of random games.
pub(super) fn positions<G: Game>(game: &G, start: &str, plies: [usize; 2], count: usize) -> Vec<G::Position> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let mut found = Vec::new();
    while found.len() < count {
        let mut pos = game.parse(start).expect("a legal position");
        let mut moves = Moves::<G>::new();
        for _ in 0..plies[0] + below(plies[1] - plies[0]) {
            moves.clear();
            game.moves(&pos, &mut moves);
            if moves.is_empty() {
                break;
            }
            pos = game.play(&pos, moves[below(moves.len())].mv);
        }
        moves.clear();
        game.moves(&pos, &mut moves);
        if !moves.is_empty() {
            found.push(pos);
        }
    }
    found
}

pub(super) fn options() -> Options {
    Options { table_mib: 1, ..Options::default() }
}

/// Values that `none` has found, by what was searched.
static PLAIN: Mutex<BTreeMap<&'static str, Arc<[Score]>>> = Mutex::new(BTreeMap::new());

/// The values of `none` at these roots of `name`, which are the same whoever is held against them: searched once.
pub(super) fn plain<G: Game>(
    name: &'static str,
    game: &G,
    host: Options,
    roots: &[(G::Position, i32)],
) -> Arc<[Score]> {
    // Whoever asks meanwhile would search the same.
    let mut known = PLAIN.lock().unwrap_or_else(PoisonError::into_inner);
    let values = known.entry(name).or_insert_with(|| {
        let mut search = Search::full_width(game.clone(), host);
        roots.iter().map(|(pos, depth)| search.run(pos, &Budget::Depth(*depth)).last().score).collect()
    });
    assert_eq!(values.len(), roots.len(), "other roots of {name}");
    values.clone()
}

/// What `none` finds where a method that is out of reach must find the same.
pub(super) fn unpruned(
    game: &Bent<Chess>,
    roots: &[<Bent<Chess> as Rules>::Position],
    budget: &Budget,
) -> &'static [Vec<Iteration<<Chess as Rules>::Move>>] {
    static FOUND: OnceLock<Vec<Vec<Iteration<<Chess as Rules>::Move>>>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut plain = Search::full_width(game.clone(), options());
        roots.iter().map(|pos| plain.run(pos, budget).iterations).collect()
    })
}

pub(super) fn ends<G: Game>(game: &G) -> Vec<(G::Position, i32)> {
    ENDS.iter().map(|(fen, depth)| (game.parse(fen).expect("a legal position"), *depth)).collect()
}
