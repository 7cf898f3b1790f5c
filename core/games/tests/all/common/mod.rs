//! Random positions and ready-made searches for the identity tests.

pub(crate) mod identities;

use secateur_core::game::{Game, Moves, Rules};
use secateur_core::prune::{Baselines, Calibration, Fit, METHODS, Margin, MethodSet, Methods, Params, equip};
use secateur_core::search::{Budget, Options, Outcome};

/// `count` unfinished positions from random games that start at `start`, at varied distances.
pub(crate) fn random_positions<G: Game>(game: &G, start: &str, count: usize, seed: u64) -> Vec<G::Position> {
    secateur_core::game::random_positions(game, start, (4, 50), count, seed)
}

pub(crate) fn moves_of<G: Game>(game: &G, pos: &G::Position) -> Moves<G> {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves
}

/// Parameters under which every method is eager: low heights, small margins.
pub(crate) fn eager() -> Params {
    params_from(
        "[razoring]\nmargin = 50\n\
         [null-move]\nreduction = 1\nmin-depth = 2\nneeds-evaluation = false\n\
         [probcut]\nshallow = 1\ndeep = 3\nt = 0.5\n\
         [mpc]\npairs = [[1, 3], [2, 4]]\nt = 0.5\n\
         [multi-cut]\ncuts = 2\nmoves = 4\nreduction = 1\nmin-depth = 3\n\
         [futility]\nfrontier = 50\nextended = 100\nreverse-depth = 2\nreverse-margin = 50\n\
         [chinook]\ndeficit = 50\ncompensation = 20\nmin-depth = 2\n\
         [capture-probcut]\nmargin = 20\nreduction = 2\nmin-depth = 3\n\
         [lmr]\nmin-depth = 2\nfull-moves = 1\nbase = 1.0\ndivisor = 1.5\npv-less = 0\nhistory = 4096\n\
         drop-depth = 1\ndrop-after = [4, 1]\n\
         [correction-history]\nmost = 100\n\
         [check-extension]\nplies = 1\n\
         [hindsight]\ndeeper-after = 1\nshallower-from = 2\nmargin = 0\n\
         [iid]\nmin-depth = 2\nreduction = 1\n\
         [iir]\nmin-depth = 2\nplies = 1\n\
         [reverse-futility]\ndepth = 2\nmargin = 50\nimproving = 1\n\
         [small-probcut]\nmargin = 10\nplies = 2\nmin-depth = 2\n\
         [etc]\nmin-depth = 2\n\
         [singular]\nmin-depth = 3\nmargin = 5\nplies = 2\nmulti-cut = true\n\
         [uncertainty]\nmoves = 1\nmin-depth = 1\neverywhere = true\n\
         [lmp]\ndepth = 2\nimproving = [3.0, 1.0]\nworsening = [2.0, 0.5]\n\
         [history-pruning]\ndepth = 2\nlimit = 0\n\
         [see-pruning]\ndepth = 2\nquiet = 10\ncapture = 10\n\
         [rankcut]\nthreshold = 0.3\nreduction = 1\nmin-depth = 2\nseen = 5\n\
         [delta]\nmargin = 20\n\
         [quiet-exchange]\nleast = 0\nbehind = 10\n\
         [quiet-count]\nmoves = 1\n\
         [chance-probcut]\npairs = [[1, 3]]\nt = 0.5\n",
    )
}

pub(crate) fn params_from(text: &str) -> Params {
    toml::from_str(text).expect("test parameters")
}

/// A made-up but usable calibration: v = v' with a residual of `sigma`, all stages, all small pairs.
pub(crate) fn identity_baselines(stages: usize, sigma: f64) -> Baselines {
    let mut fits = Vec::new();
    let mut margins = Vec::new();
    for stage in 0..stages {
        for deep in 1..=10 {
            for shallow in 0..deep {
                fits.push(Fit { stage, shallow, deep, n: 1, a: 1.0, b: 0.0, sigma, r: 1.0 });
            }
            margins.push(Margin { stage, depth: deep, n: 1, q50: 10, q90: 50, q95: 60, q99: 90 });
        }
    }
    let chance = fits.clone();
    Baselines { none: Calibration { fits, margins, chance }, null_move: None }
}

pub(crate) fn set(name: &str) -> MethodSet {
    name.parse().expect("a method set")
}

pub(crate) fn methods_of<G: Game>(name: &str, params: &Params) -> Methods {
    let stages = G::STAGES.len();
    equip(&set(name), params, &identity_baselines(stages, 100.0), stages).expect("parameters in range")
}

pub(crate) fn search<G: Game>(
    game: &G,
    methods: &Methods,
    pos: &G::Position,
    depth: i32,
) -> Outcome<G::Move> {
    game.clone().searcher(methods, small_table()).run(pos, &Budget::Depth(depth))
}

pub(crate) fn small_table() -> Options {
    Options { table_mib: 1, ..Options::default() }
}
