//! What the benches share: the searches and hot parts that are measured, by name, and a search without hooks.
//!
//! Everything is prepared by [`kernel`]; what it gives back does the work once and says how many units (nodes, positions,
//! probes) that was.
//!
//! `cargo bench` runs those of criterion, `cargo bench -p secateur-benches --features runner --bench icount` counts
//! instructions. A member of its own, because their tools are large and nothing else needs them.

use plain::Plain;
use secateur_core::search::{Bound, Budget, Drafts, Kind, Options, Path, Search, Table};
use secateur_core::{Depth, Game, Meter, Moves, Rules, Score, Window};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_suites::setups::setup::Setup;
use std::hint::black_box;

pub mod plain;

/// Work that can be repeated; the number is how many units it did.
pub type Kernel = Box<dyn FnMut() -> u64>;
/// Work for one position.
type Part<G> = Box<dyn FnMut(&<G as Rules>::Position) -> u64>;

/// Hot parts, measured for both games.
pub const PARTS: &[&str] = &["moves", "evaluate", "horizon", "table", "probe"];
/// Full-width searches: by hand, by the host compiled without methods, by the host with all methods switched off.
pub const HOSTS: &[&str] = &["plain", "static", "none"];
/// Method sets, in the search whose methods are switched at run time.
pub const METHODS: &[&str] =
    &["null-move", "probcut", "mpc", "multi-cut", "futility", "razoring", "lmr", "all"];

/// Positions of each kernel.
pub const POSITIONS: usize = 4;
/// Repetitions of a part, so that it weighs more than the call.
pub const TIMES: usize = 200;

/// The kernel with this name, as `othello mpc` or `chess moves`.
///
/// # Panics
/// For a name that is not in the lists above.
pub fn kernel(name: &str) -> Kernel {
    match name.split_once(' ').expect("a game and a thing") {
        (Othello::NAME, what) => of(Othello::default(), &["othello-20", "othello-36"], 8, what),
        (Chess::NAME, what) => of(Chess::default(), &["bratko-kopec"], 5, what),
        _ => panic!("unknown kernel {name}"),
    }
}

fn of<G: Game>(game: G, sets: &[&str], depth: i32, what: &str) -> Kernel {
    let entries =
        sets.iter().flat_map(|set| secateur_positions::builtin(&game, set).expect("built in").entries);
    let positions: Vec<G::Position> = entries
        .step_by(7)
        .take(POSITIONS)
        .map(|entry| game.parse(&entry.position).expect("built-in positions are legal"))
        .collect();
    match what {
        "plain" => {
            let mut search = Plain::new(game, 16);
            let mut one = move |pos: &G::Position| {
                black_box(search.run(pos, depth));
                search.nodes
            };
            Box::new(move || positions.iter().map(&mut one).sum())
        }
        "static" => {
            let mut search = Search::full_width(game, Options::default());
            Box::new(move || positions.iter().map(|p| search.run(p, &Budget::Depth(depth)).tally.nodes).sum())
        }
        part if PARTS.contains(&part) => hot(game, positions, part),
        methods => hooked(game, positions, depth, methods),
    }
}

fn hooked<G: Game>(game: G, positions: Vec<G::Position>, depth: i32, methods: &str) -> Kernel {
    let setup = Setup::embedded(G::NAME).expect("the embedded setup is valid");
    let set = setup.methods(&methods.parse().expect("a method set")).expect("a valid setup");
    // A kernel lives as long as the program.
    let set = Box::leak(Box::new(set));
    // The hand-written search has no options: against it, the host has the default ones.
    let options = if methods == "none" { Options::default() } else { setup.options };
    let mut search = Search::new(game, &set.of::<G>(), options);
    Box::new(move || positions.iter().map(|pos| search.run(pos, &Budget::Depth(depth)).tally.nodes).sum())
}

/// One hot part, done for every position.
fn hot<G: Game>(game: G, positions: Vec<G::Position>, part: &str) -> Kernel {
    let each = move |mut work: Part<G>| -> Kernel {
        Box::new(move || (0..TIMES).flat_map(|_| &positions).map(|pos| work(black_box(pos))).sum())
    };
    match part {
        "moves" => each(Box::new(move |pos| {
            let mut moves = Moves::<G>::new();
            game.moves(pos, &mut moves);
            black_box(&moves);
            1
        })),
        "evaluate" => each(Box::new(move |pos| {
            black_box(game.evaluate(pos));
            1
        })),
        "horizon" => each(Box::new(move |pos| {
            let mut meter = Meter::default();
            black_box(game.horizon(pos, Window::FULL, 0, &mut meter));
            meter.qnodes.max(1)
        })),
        "table" => {
            let mut table = Table::new(16, Drafts::Exact);
            each(Box::new(move |pos| {
                let key = game.key(pos);
                if black_box(table.probe(key, 4, 0)).value.is_none() {
                    table.store(key, 4, 0, Score(1), Bound::Exact, 1);
                }
                1
            }))
        }
        _ => {
            // A null window that the static evaluation just fails, as a ProbCut check of depth 4 asks it.
            let mut search = Search::full_width(game, Setup::embedded(G::NAME).expect("valid").options);
            let path = Path::ROOT.child(Kind::Cut);
            each(Box::new(move |pos| {
                search.forget();
                let before = search.tally.nodes;
                let bound = search.game.evaluate(pos) + Score(50);
                black_box(search.value(pos, Depth(2), Window::at_least(bound), 1, path));
                search.tally.nodes - before
            }))
        }
    }
}
