//! What can be proven of a method in a game that is bent for it, and what else only some methods promise: the checks `sound`,
//! `bounds` and `claims`.
//!
//! Left out: what holds for every method in the games as they are, which is among `checks`.

use super::checks::Subject;
use super::copies::Setting;
use super::games::{Bent, Twist};
use super::watch::{Watch, asked};
use crate::checks::{MIDDLE, OTHELLO, PAWNS, ROOKS, WILD, chess, ends, options, othello, plain, positions};
use secateur_core::game::{Game, Rules};
use secateur_core::search::{Budget, Kind, Options, Path, Search};
use secateur_core::{Depth, Score, Window};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

/// What a method's theorem needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theorem {
    /// Futility: the margin exceeds whatever a quiet move can win.
    Margin,
    /// Null move, R = 0: passing is one of the moves.
    FreePass,
    /// ProbCut, razoring: the shallower search already reaches the end of the game.
    Endgame,
    /// Late-move reductions, RankCut, Chinook's cut: at half the depth as well the search reaches the end of the game.
    Reduced,
    /// Enhanced transposition cut-offs, internal iterative deepening: no draw depends on the line, so that a result is one
    /// wherever it was found.
    Known,
    /// Uncertainty cut-offs: likewise; what is claimed of a move is a guess, marked as one for the host.
    Doubted,
    /// Check extension: what is searched deeper the host searches deeper by itself.
    Extended,
    /// Correction history: what was learnt brings evaluations nearer to what searches find.
    Learnt,
    /// Reverse futility, late-move pruning: none. A threat may be real, a late move the best.
    Nothing,
}

impl Theorem {
    /// Whether methods claim something that has to be true.
    pub(super) fn claims(self) -> bool {
        !matches!(self, Theorem::Nothing | Theorem::Doubted | Theorem::Extended)
    }
}

/// Positions, and the depth that each is searched to.
type Roots<G> = Vec<(<Bent<G> as Rules>::Position, i32)>;

/// Where the method is provably right: another value than that of `none`; a claim that a search contradicts.
pub(super) fn sound(subject: &Subject) -> (bool, bool) {
    let empties = |pos: &_| Othello::default().remaining(pos).expect("an end");
    match subject.theorem {
        Theorem::Nothing | Theorem::Learnt => unreachable!("there is nothing to prove"),
        Theorem::Margin | Theorem::Known | Theorem::Doubted | Theorem::Extended => in_material(subject),
        Theorem::FreePass => {
            let game = othello(Twist::FreePass(Othello::default().unpack(65)));
            let roots = positions(&game, OTHELLO, [6, 40], 8).into_iter().map(|pos| (pos, 4)).collect();
            provable(subject, &game, Some("free pass"), &roots)
        }
        Theorem::Reduced => {
            let game = othello(Twist::Endless);
            let roots = positions(&game, OTHELLO, [54, 57], 40).into_iter();
            // A ply off at every move: with 2 n + 1 plies before n moves there are 2 (n - 1) + 1 after each.
            let late = roots.map(|pos| (pos.clone(), 2 * empties(&pos.inner) + 1)).collect();
            provable(subject, &game, Some("reduced"), &late)
        }
        Theorem::Endgame => {
            let game = othello(Twist::Endless);
            let roots = positions(&game, OTHELLO, [53, 57], 160).into_iter();
            let late = roots.map(|pos| (pos.clone(), empties(&pos.inner) + 1)).collect();
            let (values, claims) = provable(subject, &game, Some("endgame"), &late);
            if claims {
                return (values, claims);
            }
            // What is said of a node can be judged where its depth matters, too, if it is about its static value.
            let game = chess(Twist::Material);
            let count = if subject.name == "razoring" { 12 } else { 0 };
            let roots =
                [WILD, PAWNS, MIDDLE].iter().flat_map(|start| positions(&game, start, [4, 60], count));
            let (_, more) = provable(subject, &game, None, &roots.map(|pos| (pos, 4)).collect());
            (values, more)
        }
    }
}

/// The same in chess where material is nearly everything and no draw depends on the line.
fn in_material(subject: &Subject) -> (bool, bool) {
    let game = chess(Twist::Material);
    let random = |start, plies, count, depth| {
        positions(&game, start, plies, count).into_iter().map(move |pos| (pos, depth))
    };
    let (name, roots): (_, Roots<Chess>) = match subject.theorem {
        Theorem::Margin => ("margin", random(WILD, [4, 60], 12, 3).collect()),
        Theorem::Extended => {
            let all = random(WILD, [4, 60], 8, 3).chain(random(ROOKS, [2, 20], 6, 4));
            // The root itself no method extends.
            ("extended", all.filter(|(pos, _)| !game.in_check(pos)).collect())
        }
        // Only a deep search of few men meets the same positions again and again.
        _ => {
            let all = ends(&game).into_iter().chain(random(PAWNS, [2, 20], 1, 6));
            ("known", all.chain(random(WILD, [4, 60], 3, 4)).collect())
        }
    };
    provable(subject, &game, Some(name), &roots)
}

/// Whether values differ from those of `none`, if these roots have a name to remember them by, and whether claims are broken.
fn provable<G: Game>(
    subject: &Subject,
    game: &Bent<G>,
    name: Option<&'static str>,
    roots: &Roots<G>,
) -> (bool, bool) {
    let method = (subject.make)(Setting::Sound);
    let watch = Watch::new(game, subject.name);
    let watched = watch.over(&method);
    // What believes the table has to be told something by it.
    let tabled = matches!(subject.theorem, Theorem::Known | Theorem::Doubted);
    let host = Options { table_min_depth: if tabled { 1 } else { options().table_min_depth }, ..options() };
    let expected = name.map(|name| {
        let extended = subject.theorem == Theorem::Extended;
        plain(name, game, Options { check_extension: extended, ..host.clone() }, roots)
    });
    let mut search = Search::new(game.clone(), &asked(&watched), host);
    let mut differs = false;
    for (at, (pos, depth)) in roots.iter().enumerate() {
        // Only the last iteration reaches the end of an ending, where everything is provable.
        watch.judged_from.store(*depth, Relaxed);
        let score = search.run(pos, &Budget::Depth(*depth)).last().score;
        differs |= expected.as_ref().is_some_and(|expected| expected[at] != score);
        differs |= tabled && !keeps(&mut search, pos, Depth(*depth), score);
        if (differs || expected.is_none()) && (!subject.theorem.claims() || watch.is_broken()) {
            // Whatever can be caught is.
            break;
        }
    }
    assert!(!subject.healthy || roots.is_empty() || watch.has_spoken(), "{} was never heard", subject.name);
    (differs, watch.is_broken())
}

/// Whether bounds from high to low, and a narrow open window, are answered as the value that was found demands: what the table
/// knows from one question must not mislead the next.
fn keeps<G: Game>(
    search: &mut Search<'_, Bent<G>>,
    pos: &<Bent<G> as Rules>::Position,
    depth: Depth,
    value: Score,
) -> bool {
    let around = Window { alpha: value - Score(1), beta: value + Score(1) };
    search.forget();
    let agrees = search.value(pos, depth, around, 0, Path::ROOT) == value;
    search.forget();
    agrees
        && [400, 100, 20, 1, 0, -20].iter().all(|above| {
            let bound = Score(value.0 + above);
            let bounded = search.value(pos, depth, Window::at_least(bound), 0, Path::ROOT.child(Kind::All));
            if bounded >= bound { bounded <= value } else { bounded >= value }
        })
}

/// Whether corrected evaluations lie nearer to what searches find than uncorrected ones, over all.
pub(super) fn learns(subject: &Subject) -> bool {
    let (game, method) = (chess(Twist::None), (subject.make)(Setting::Usual));
    let watch = Watch::new(&game, subject.name);
    let watched = watch.over(&method);
    let mut search = Search::new(game.clone(), &asked(&watched), options());
    for pos in positions(&game, WILD, [4, 40], 6) {
        search.run(&pos, &Budget::Depth(4));
    }
    watch.nearer.load(Relaxed) > 0
}

/// The thresholds of ProbCut are not asked for, not dual to each other, or do not keep the promise that defines them.
pub(super) fn bounds(subject: &Subject) -> bool {
    let asked = |a: f64, b: f64, sigma: f64, window: Window| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let game = othello(Twist::Spied(Arc::clone(&seen)));
        let pos = positions(&game, OTHELLO, [10, 11], 1).remove(0);
        let method = (subject.make)(Setting::Fit(a, b, sigma));
        let mut search = Search::new(game, &method.of::<Bent<Othello>>(), options());
        // Growing pairs ask for the iteration; the root itself is never pruned.
        search.run(&pos, &Budget::Depth(1));
        seen.lock().expect("one thread").clear();
        search.value(&pos, Depth(1), window, 1, Path::ROOT.child(Kind::Cut));
        let seen = seen.lock().expect("one thread");
        Some((f64::from(seen.first()?.beta.0), f64::from(seen.get(1)?.alpha.0)))
    };
    let (a, b, sigma) = (1.02, 42.36, 82.0);
    let healthy = |bound: i32| {
        let (value_line, _) = asked(a, b, sigma, Window::at_least(Score(bound)))?;
        let (_, low) = asked(a, b, sigma, Window::at_most(Score(bound)))?;
        let (high, _) = asked(a, -b, sigma, Window::at_least(Score(-bound)))?;
        // Shallow values at the thresholds promise the bound itself, t sigma off, but for rounding.
        let off = |value: f64, sign: f64| (a * value + b - sign * sigma - f64::from(bound)).abs();
        Some(low == -high && off(value_line, 1.0) <= a / 2.0 + 1e-9 && off(low, -1.0) <= a / 2.0 + 1e-9)
    };
    (-300..300).step_by(7).any(|bound| healthy(bound) != Some(true))
}
