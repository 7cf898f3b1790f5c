//! The checks: each is a truth about a healthy method that somebody can break.
//!
//! A check answers whether it caught something; `None` where it has nothing to say of a method. They use the same
//! searches as users do, on positions from random play and on short mates, and no clock. What can be proven of a method in a
//! game that is bent for it stands in `theorems`.

use super::copies::Setting;
use super::games::{Bent, Twist};
use super::roots::{
    CAGE, LADDER, LOST, MIDDLE, PAWNS, ROOKS, WILD, chess, ends, options, plain, positions, unpruned,
};
use super::small::Small;
use super::theorems::{Theorem, bounds, learns, sound};
use super::watch::{Watch, asked};
use secateur_core::game::{Evaluation, Moves, Notation, Rules};
use secateur_core::prune::{Asks, Methods};
use secateur_core::search::{Budget, Kind, Path, Search};
use secateur_core::{Depth, Score, Window};
use secateur_games::chess::Chess;
use secateur_suites::instruments::pv;

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
fn mirror(subject: &Subject) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let mut search = Search::new(game.clone(), &method.of::<Bent<Chess>>(), options());
    positions(&game, WILD, [4, 40], subject.roots(5)).iter().any(|pos| {
        let mut values = |pos: &_| -> Vec<_> {
            let found = search.run(pos, &Budget::Depth(4)).iterations;
            found.iter().map(|iteration| (iteration.score, iteration.nodes)).collect()
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
fn again(subject: &Subject) -> bool {
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
        let found = positions(&game, start, plies, subject.roots(count));
        roots.extend(found.into_iter().map(|pos| (pos, depth)));
    }
    let (mut insane, mut other) = (false, false);
    let ends = ends(&game);
    let expected = plain("ends", &game, options(), &ends);
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
    let mut plain = Search::full_width(game.clone(), options());
    let mut search = Small { game: &game, resets, rows: Vec::new() };
    let (mut values, mut insane) = (false, false);
    for (pos, depth) in ends(&game) {
        let found = search.run(&pos, depth);
        values |= found.score != plain.run(&pos, &Budget::Depth(depth)).last().score;
        insane |= !pv::sanity(&game, &pos, &found, &options(), Asks::default()).is_sane();
    }
    vec![None, None, None, Some(values), None, None, None, Some(insane), Some(values), None]
}
