//! The checks: each is a truth about a healthy method that somebody can break.
//!
//! A check answers whether it caught something; `None` where it has nothing to say of a method. They use the same
//! searches as users do, on positions from random play and on short mates, and no clock.

use super::games::{Bent, Twist};
use super::methods::Setting;
use super::small::Small;
use super::watch::Watch;
use secateur_core::game::{Evaluation, Game, Moves, Notation, Rules};
use secateur_core::prune::{Asks, Prune};
use secateur_core::search::{Budget, Iteration, Kind, Options, Path, Search};
use secateur_core::{Depth, Score, Window};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::pv;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Names of the checks, in the order of the table's columns.
pub(super) const CHECKS: [&str; 10] =
    ["mirror", "never", "again", "sound", "bounds", "guards", "claims", "line", "mates", "passed"];

/// What a method's theorem needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theorem {
    /// Futility: the margin exceeds whatever a quiet move can win.
    Margin,
    /// Null move, R = 0: passing is one of the moves.
    FreePass,
    /// ProbCut, razoring: the shallower search already reaches the end of the game.
    Endgame,
    /// Late-move reductions, RankCut: at half the depth as well the search reaches the end of the game.
    Reduced,
    /// Reverse futility, late-move pruning: none. A threat may be real, a late move the best.
    Nothing,
}

/// A method as the checks know it.
pub(super) struct Subject<M> {
    pub(super) name: &'static str,
    pub(super) bit: u32,
    pub(super) theorem: Theorem,
    /// Whether nothing is wrong with it, so that it has to prune where it may.
    pub(super) healthy: bool,
    pub(super) make: Box<dyn Fn(Setting) -> M>,
}

pub(super) const WILD: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const OTHELLO: &str = "---------------------------OX------XO--------------------------- X";
/// Bare enough for pawn endings.
const PAWNS: &str = "8/pp3k2/8/4p3/4P3/8/PP3K2/8 w - - 0 1";
/// Few men, many mates: deep lines are cheap.
const ROOKS: &str = "6k1/5ppp/8/8/8/8/r4PPP/3RR1K1 w - - 0 1";
const LADDER: &str = "8/8/8/3k4/8/8/R7/1R2K3 w - - 0 1";
const CAGE: &str = "7k/7p/7P/8/2B2p2/8/8/R5K1 w - - 0 1";
/// Whatever Black plays, the rook mates on the last rank.
const LOST: &str = "6k1/R7/8/2ppp3/8/8/8/1R4K1 b - - 0 1";
const MIDDLE: &str = "2r3k1/pp3ppp/4p3/3n4/3P4/2R2N2/PP3PPP/6K1 b - - 0 20";
/// Mates in one to three moves that need no zugzwang of a side with pieces, a draw by stalemate, and a depth that sees
/// them.
const ENDS: [(&str, i32); 7] = [
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

fn othello(twist: Twist<<Othello as Rules>::Move>) -> Bent<Othello> {
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

fn options() -> Options {
    Options { table_mib: 1, ..Options::default() }
}

thread_local! {
    /// Values that `none` has found, by what was searched.
    static PLAIN: RefCell<BTreeMap<&'static str, Rc<[Score]>>> = const { RefCell::new(BTreeMap::new()) };
    /// What it found where a method that is out of reach must find the same.
    static UNPRUNED: OnceCell<Vec<Vec<Iteration<<Chess as Rules>::Move>>>> = const { OnceCell::new() };
}

/// The values of `none` at these roots of `name`, which are the same whoever is held against them: searched once.
fn plain<G: Game>(name: &'static str, game: &G, roots: &[(&G::Position, i32)]) -> Rc<[Score]> {
    let known = PLAIN.with_borrow(|known| known.get(name).cloned());
    let values = known.unwrap_or_else(|| {
        let mut search = Search::new(game.clone(), &(), options());
        roots.iter().map(|(pos, depth)| search.run(pos, &Budget::Depth(*depth)).last().score).collect()
    });
    assert_eq!(values.len(), roots.len(), "other roots of {name}");
    PLAIN.with_borrow_mut(|known| known.entry(name).or_insert(values).clone())
}

fn ends<G: Game>(game: &G) -> Vec<(G::Position, i32)> {
    ENDS.iter().map(|(fen, depth)| (game.parse(fen).expect("a legal position"), *depth)).collect()
}

/// All checks of one method, in the order of [`CHECKS`].
pub(super) fn row<M: Prune<Bent<Chess>> + Prune<Bent<Othello>>>(subject: &Subject<M>) -> Vec<Option<bool>> {
    let (out_of_place, line, mates) = in_chess(subject);
    let (values, claims) = match subject.theorem {
        Theorem::Nothing => (None, None),
        _ => {
            let (values, claims) = sound(subject);
            (Some(values), Some(claims))
        }
    };
    let bounds = ["probcut", "mpc"].contains(&subject.name).then(|| bounds(subject));
    vec![
        Some(mirror(subject)),
        Some(never(subject)),
        Some(again(subject)),
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
fn mirror<M: Prune<Bent<Chess>>>(subject: &Subject<M>) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let mut search = Search::new(game.clone(), &method, options());
    positions(&game, WILD, [4, 40], 5).iter().any(|pos| {
        let mut values = |pos: &_| -> Vec<_> {
            let found = search.run(pos, &Budget::Depth(4)).iterations;
            found.iter().map(|iteration| (iteration.score, iteration.nodes)).collect()
        };
        values(pos) != values(&game.mirror(pos))
    })
}

/// With infinite margins and out of reach, something is searched otherwise than by `none`.
fn never<M: Prune<Bent<Chess>>>(subject: &Subject<M>) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Never));
    let (roots, budget) = (positions(&game, WILD, [4, 40], 3), Budget::Depth(4));
    UNPRUNED.with(|known| {
        let expected = known.get_or_init(|| {
            let mut plain = Search::new(game.clone(), &(), options());
            roots.iter().map(|pos| plain.run(pos, &budget).iterations).collect()
        });
        let mut search = Search::new(game.clone(), &method, options());
        roots.iter().zip(expected).any(|(pos, expected)| search.run(pos, &budget).iterations != *expected)
    })
}

/// A search that follows another finds otherwise than the first did.
fn again<M: Prune<Bent<Chess>>>(subject: &Subject<M>) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let mut search = Search::new(game.clone(), &method, options());
    let roots = positions(&game, WILD, [4, 40], 3);
    let mut all =
        || -> Vec<_> { roots.iter().map(|pos| search.run(pos, &Budget::Depth(3)).iterations).collect() };
    all() != all()
}

/// Where the method is provably right: another value than that of `none`; a claim that a search contradicts.
fn sound<M: Prune<Bent<Chess>> + Prune<Bent<Othello>>>(subject: &Subject<M>) -> (bool, bool) {
    match subject.theorem {
        Theorem::Nothing => unreachable!("there is nothing to prove"),
        Theorem::Margin => {
            let game = chess(Twist::Material);
            let roots = positions(&game, WILD, [4, 60], 12);
            provable(subject, &game, Some("margin"), &roots.iter().map(|pos| (pos, 3)).collect::<Vec<_>>())
        }
        Theorem::FreePass => {
            let game = othello(Twist::FreePass(Othello::default().unpack(65)));
            let roots = positions(&game, OTHELLO, [6, 40], 8);
            provable(subject, &game, Some("free pass"), &roots.iter().map(|pos| (pos, 4)).collect::<Vec<_>>())
        }
        Theorem::Reduced => {
            let game = othello(Twist::Endless);
            let empties = |pos: &_| Othello::default().remaining(pos).expect("an end");
            let roots = positions(&game, OTHELLO, [54, 57], 40);
            // A ply off at every move: with 2 n + 1 plies before n moves there are 2 (n - 1) + 1 after each.
            let late: Vec<_> = roots.iter().map(|pos| (pos, 2 * empties(&pos.inner) + 1)).collect();
            provable(subject, &game, Some("reduced"), &late)
        }
        Theorem::Endgame => {
            let game = othello(Twist::Endless);
            let empties = |pos: &_| Othello::default().remaining(pos).expect("an end");
            let roots = positions(&game, OTHELLO, [53, 57], 160);
            let late: Vec<_> = roots.iter().map(|pos| (pos, empties(&pos.inner) + 1)).collect();
            let (values, claims) = provable(subject, &game, Some("endgame"), &late);
            // What is said of a node can be judged where its depth matters, too, if it is about its static value.
            let game = chess(Twist::Material);
            let count = if subject.name == "razoring" { 12 } else { 0 };
            let roots: Vec<_> = [WILD, PAWNS, MIDDLE]
                .iter()
                .flat_map(|start| positions(&game, start, [4, 60], count))
                .collect();
            let (_, more) =
                provable(subject, &game, None, &roots.iter().map(|pos| (pos, 4)).collect::<Vec<_>>());
            (values, claims || more)
        }
    }
}

/// Whether values differ from those of `none`, if these roots have a name to remember them by, and whether claims are broken.
fn provable<G: Game, M: Prune<Bent<G>>>(
    subject: &Subject<M>,
    game: &Bent<G>,
    name: Option<&'static str>,
    roots: &[(&<Bent<G> as Rules>::Position, i32)],
) -> (bool, bool) {
    let method = (subject.make)(Setting::Sound);
    let watch = Watch::new(game, &method, subject.name, subject.bit);
    let expected = name.map(|name| plain(name, game, roots));
    let mut search = Search::new(game.clone(), &watch, options());
    let mut differs = false;
    for (at, (pos, depth)) in roots.iter().enumerate() {
        // Only the last iteration reaches the end of an ending, where everything is provable.
        watch.judged_from.set(*depth);
        let found = search.run(pos, &Budget::Depth(*depth)).last().score;
        differs |= expected.as_ref().is_some_and(|expected| expected[at] != found);
        if (differs || expected.is_none()) && watch.broken.get() > 0 {
            // Whatever can be caught is.
            break;
        }
    }
    assert!(
        !subject.healthy || roots.is_empty() || watch.spoken.get() > 0,
        "{} was never heard",
        subject.name
    );
    (differs, watch.broken.get() > 0)
}

/// The thresholds of ProbCut are not asked for, not dual to each other, or do not keep the promise that defines them.
fn bounds<M: Prune<Bent<Othello>>>(subject: &Subject<M>) -> bool {
    let asked = |a: f64, b: f64, sigma: f64, window: Window| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let game = othello(Twist::Spied(Arc::clone(&seen)));
        let pos = positions(&game, OTHELLO, [10, 11], 1).remove(0);
        let method = (subject.make)(Setting::Fit(a, b, sigma));
        let mut search = Search::new(game, &method, options());
        // Growing pairs ask for the iteration; the root itself is never pruned.
        search.run(&pos, &Budget::Depth(1));
        seen.lock().expect("one thread").clear();
        search.value(&pos, Depth(1), window, 1, Path::ROOT.child(Kind::Cut));
        let seen = seen.lock().expect("one thread");
        Some((f64::from(seen.first()?.beta.0), f64::from(seen.get(1)?.alpha.0)))
    };
    let (a, b, sigma) = (1.02, 42.36, 82.0);
    let healthy = |bound: i32| {
        let (own, _) = asked(a, b, sigma, Window::at_least(Score(bound)))?;
        let (_, low) = asked(a, b, sigma, Window::at_most(Score(bound)))?;
        let (high, _) = asked(a, -b, sigma, Window::at_least(Score(-bound)))?;
        // Shallow values at the thresholds promise the bound itself, t sigma off, but for rounding.
        let off = |value: f64, sign: f64| (a * value + b - sign * sigma - f64::from(bound)).abs();
        Some(low == -high && off(own, 1.0) <= a / 2.0 + 1e-9 && off(low, -1.0) <= a / 2.0 + 1e-9)
    };
    (-300..300).step_by(7).any(|bound| healthy(bound) != Some(true))
}

/// In chess as it is: spoke out of place; a line that cannot be; another mate or draw than `none` finds.
fn in_chess<M: Prune<Bent<Chess>>>(subject: &Subject<M>) -> (bool, bool, bool) {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let watch = Watch::new(&game, &method, subject.name, subject.bit);
    let mut search = Search::new(game.clone(), &watch, options());
    let mut roots: Vec<_> = positions(&game, WILD, [4, 40], 8).into_iter().map(|pos| (pos, 4)).collect();
    // A ply less for the many methods without a theorem: their faults show there too, in less than half the time.
    let few = if matches!(subject.theorem, Theorem::Nothing | Theorem::Reduced) { 5 } else { 6 };
    for (start, plies, count, depth) in
        [(ROOKS, [2, 20], 5, few), (LADDER, [1, 8], 2, few), (MIDDLE, [2, 20], 4, 5), (PAWNS, [2, 20], 6, 5)]
    {
        roots.extend(positions(&game, start, plies, count).into_iter().map(|pos| (pos, depth)));
    }
    let (mut insane, mut other) = (false, false);
    let ends = ends(&game);
    let expected = plain("ends", &game, &ends.iter().map(|(pos, depth)| (pos, *depth)).collect::<Vec<_>>());
    for (index, (pos, depth)) in ends.iter().chain(&roots).enumerate() {
        let found = search.run(pos, &Budget::Depth(*depth));
        insane |= found
            .iterations
            .iter()
            .any(|line| !pv::sanity(&game, pos, line, &options(), search.asks()).is_sane());
        if let Some(&expected) = expected.get(index) {
            assert!(
                expected == Score::ZERO || expected.abs() >= Chess::DECISIVE,
                "{expected:?}: {}",
                game.format(pos)
            );
            other |= found.last().score != expected;
        }
    }
    aside(&game, &mut search, subject.bit);
    assert!(!subject.healthy || watch.spoken.get() > 0, "{} was never heard", subject.name);
    (watch.out_of_place.get() > 0, insane, other)
}

/// Nodes of a kind that a search of its own seldom meets, or only where it is deep.
fn aside<P: Prune<Bent<Chess>>>(game: &Bent<Chess>, search: &mut Search<'_, Bent<Chess>, P>, bit: u32) {
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
    if bit == 0 {
        return;
    }
    // Inside a probe of the method.
    let pos = parse(MIDDLE);
    for beta in [-300, 0, 300] {
        for depth in 1..=4 {
            search.value(&pos, Depth(depth), Window::at_least(Score(beta)), 1, cut.probe(bit, Kind::Cut));
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
        let mut words: Vec<&str> = text.split(' ').collect();
        words[1] = if words[1] == "w" { "b" } else { "w" };
        words[3] = "-";
        let set = game.parse(&words.join(" ")).expect("nobody is in check");
        game.key(&set) != game.key(&passed)
            || list(&set) != list(&passed)
            || game.evaluate(&set) != game.evaluate(&passed)
    })
}

/// The row of the small searcher, as far as it has one.
pub(super) fn small(resets: bool) -> Vec<Option<bool>> {
    let game = Chess::default();
    let mut plain = Search::new(game.clone(), &(), options());
    let mut search = Small { game: &game, resets, rows: Vec::new() };
    let (mut values, mut insane) = (false, false);
    for (pos, depth) in ends(&game) {
        let found = search.run(&pos, depth);
        values |= found.score != plain.run(&pos, &Budget::Depth(depth)).last().score;
        insane |= !pv::sanity(&game, &pos, &found, &options(), Asks::default()).is_sane();
    }
    vec![None, None, None, Some(values), None, None, None, Some(insane), Some(values), None]
}
