//! The checks: each is a truth about a healthy method that somebody can break.
//!
//! A check answers whether it caught something; `None` where it has nothing to say of a method. They use the same
//! searches as users do, on positions from random play and on short mates, and no clock. What can be proven of a method in a
//! game that is bent for it stands in `theorems`.

use crate::copies::{Setting, Small};
use crate::games::{Bent, Twist};
use crate::theorems::{Theorem, bounds, learns, sound};
use crate::watch::{Watch, asked};
use secateur_core::game::{Evaluation, Game, Moves, Notation, Rules};
use secateur_core::prune::{Asks, Methods};
use secateur_core::search::{Budget, Iteration, Kind, Options, Path, Search};
use secateur_core::{Depth, Score, Window};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::instruments::pv;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Names of the checks, in the order of the table's columns.
pub(super) const CHECKS: [&str; 10] =
    ["mirror", "never", "again", "sound", "bounds", "guards", "claims", "line", "mates", "passed"];

/// A method as the checks know it.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) theorem: Theorem,
    /// Whether half as many roots do, because the method speaks at so many nodes.
    pub(super) few: bool,
    /// Whether nothing is wrong with it, so that it has to prune where it may.
    pub(super) healthy: bool,
    pub(super) make: Box<dyn Fn(Setting) -> Methods>,
}

impl Subject {
    /// How many roots of `most` are searched.
    pub(super) fn roots(&self, most: usize) -> usize {
        if self.few { most.div_ceil(2) } else { most }
    }
}

/// All checks of one method, in the order of [`CHECKS`].
pub(super) fn row(subject: &Subject) -> Vec<Option<bool>> {
    let (out_of_place, line, mates) = in_chess(subject);
    let (values, claims) = match subject.theorem {
        Theorem::Nothing => (None, None),
        Theorem::Learnt => (None, Some(!learns(subject))),
        theorem => {
            let (values, claims) = sound(subject);
            (Some(values), theorem.claims().then_some(claims))
        }
    };
    let bounds = ["probcut", "mpc"].contains(&subject.name).then(|| bounds(subject));
    vec![
        Some(mirror(subject)),
        Some(never(subject)),
        Some(is_changed_by_another(subject)),
        values,
        bounds,
        Some(out_of_place),
        claims,
        Some(line),
        Some(mates),
        None,
    ]
}

/// The same position with colours exchanged has another value or another tree.
fn mirror(subject: &Subject) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let mut search = Search::new(game.clone(), &method.of::<Bent<Chess>>(), options());
    positions(&game, WILD, [4, 40], subject.roots(5)).iter().any(|pos| {
        let mut values = |pos: &_| -> Vec<_> {
            let iterations = search.run(pos, &Budget::Depth(4)).iterations;
            iterations.iter().map(|iteration| (iteration.score, iteration.nodes)).collect()
        };
        values(pos) != values(&game.mirror(pos))
    })
}

/// With infinite margins and out of reach, something is said, or searched otherwise than by `none`.
fn never(subject: &Subject) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Never));
    let watch = Watch::new(&game, subject.name);
    let watched = watch.over(&method);
    let (roots, budget) = (positions(&game, WILD, [4, 40], 3), Budget::Depth(4));
    let expected = unpruned(&game, &roots, &budget);
    let mut search = Search::new(game.clone(), &asked(&watched), options());
    roots.iter().zip(expected).any(|(pos, expected)| search.run(pos, &budget).iterations != *expected)
        || watch.has_spoken()
}

/// A search that follows another finds otherwise than the first did.
fn is_changed_by_another(subject: &Subject) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let mut search = Search::new(game.clone(), &method.of::<Bent<Chess>>(), options());
    let roots = positions(&game, WILD, [4, 40], 3);
    let mut all =
        || -> Vec<_> { roots.iter().map(|pos| search.run(pos, &Budget::Depth(3)).iterations).collect() };
    all() != all()
}

/// In chess as it is: spoke out of place; a line that cannot be; another mate or draw than `none` finds.
fn in_chess(subject: &Subject) -> (bool, bool, bool) {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let watch = Watch::new(&game, subject.name);
    let watched = watch.over(&method);
    let mut search = Search::new(game.clone(), &asked(&watched), options());
    let wild = positions(&game, WILD, [4, 40], subject.roots(8));
    let mut roots: Vec<_> = wild.into_iter().map(|pos| (pos, 4)).collect();
    // A ply less for the many methods without a theorem: their faults show there too, in less than half the time.
    let few =
        if matches!(subject.theorem, Theorem::Margin | Theorem::FreePass | Theorem::Endgame) { 6 } else { 5 };
    for (start, plies, count, depth) in
        [(ROOKS, [2, 20], 5, few), (LADDER, [1, 8], 2, few), (MIDDLE, [2, 20], 4, 5), (PAWNS, [2, 20], 6, 5)]
    {
        let of_start = positions(&game, start, plies, subject.roots(count));
        roots.extend(of_start.into_iter().map(|pos| (pos, depth)));
    }
    let (mut insane, mut other) = (false, false);
    let ends = ends(&game);
    let expected = plain("ends", &game, options(), &ends);
    for (index, (pos, depth)) in ends.iter().chain(&roots).enumerate() {
        let outcome = search.run(pos, &Budget::Depth(*depth));
        insane |= outcome
            .iterations
            .iter()
            .any(|line| !pv::sanity(&game, pos, line, &options(), search.asks()).is_sane());
        if let Some(&expected) = expected.get(index) {
            assert!(
                expected == Score::ZERO || expected.abs() >= Chess::DECISIVE,
                "{expected:?}: {}",
                game.format(pos)
            );
            other |= outcome.last().score != expected;
        }
    }
    aside(&game, &mut search, watch.mark());
    assert!(!subject.healthy || watch.has_spoken(), "{} was never heard", subject.name);
    (watch.is_misplaced(), insane, other)
}

/// Nodes of a kind that a search of its own seldom meets, or only where it is deep.
fn aside(game: &Bent<Chess>, search: &mut Search<'_, Bent<Chess>>, mark: u32) {
    let parse = |text| game.parse(text).expect("a legal position");
    let cut = Path::ROOT.child(Kind::Cut);
    // A mate that even a pass does not prevent: found behind a null move, it must not be returned.
    search.value(&parse(CAGE), Depth(4), Window::at_least(Score(5000)), 1, cut);
    // A node whose best value is that of being mated.
    search.value(&parse(LOST), Depth(4), Window::FULL, 1, Path::ROOT);
    // Each search finds what the shallower ones before it have stored. Far outside an open window:
    let pos = parse(PAWNS);
    for (alpha, beta, depth) in [(-2500, -2000, 2), (-2500, -2000, 3), (2000, 2500, 3)] {
        let window = Window { alpha: Score(alpha), beta: Score(beta) };
        search.value(&pos, Depth(depth), window, 1, Path::ROOT);
    }
    // The same depth again, where the table can answer for each move.
    let window = Window { alpha: Score(-2500), beta: Score(-2000) };
    search.value(&pos, Depth(4), Window::at_least(window.beta), 1, cut);
    search.value(&pos, Depth(4), window, 1, Path::ROOT);
    if mark == 0 {
        return;
    }
    // Inside a probe of the method.
    let pos = parse(MIDDLE);
    for beta in [-300, 0, 300] {
        for depth in 1..=4 {
            search.value(&pos, Depth(depth), Window::at_least(Score(beta)), 1, cut.probe(mark, Kind::Cut));
        }
    }
}

/// A null move leads to another position than the one with the other side to move.
pub(super) fn passed(twist: Twist<<Chess as Rules>::Move>) -> bool {
    let game = chess(twist);
    let list = |pos: &_| {
        let mut moves = Moves::<Bent<Chess>>::new();
        game.moves(pos, &mut moves);
        moves
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    positions(&game, start, [1, 12], 60).iter().any(|pos| {
        let Some(passed) = game.null(pos) else { return false };
        let text = game.format(pos);
        let mut fields: Vec<&str> = text.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        let set = game.parse(&fields.join(" ")).expect("no side is in check");
        game.key(&set) != game.key(&passed)
            || list(&set) != list(&passed)
            || game.evaluate(&set) != game.evaluate(&passed)
    })
}

/// The row of the small searcher, as far as it has one.
pub(super) fn small(resets: bool) -> Vec<Option<bool>> {
    let game = Chess::default();
    let mut plain = Search::full_width(game.clone(), options());
    let mut search = Small { game: &game, resets, rows: Vec::new() };
    let (mut values, mut insane) = (false, false);
    for (pos, depth) in ends(&game) {
        let last = search.run(&pos, depth);
        values |= last.score != plain.run(&pos, &Budget::Depth(depth)).last().score;
        insane |= !pv::sanity(&game, &pos, &last, &options(), Asks::default()).is_sane();
    }
    vec![None, None, None, Some(values), None, None, None, Some(insane), Some(values), None]
}

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
    let mut unfinished = Vec::new();
    while unfinished.len() < count {
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
            unfinished.push(pos);
        }
    }
    unfinished
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
    let mut plain_values = PLAIN.lock().unwrap_or_else(PoisonError::into_inner);
    let values = plain_values.entry(name).or_insert_with(|| {
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
