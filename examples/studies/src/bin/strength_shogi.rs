//! What the evaluation of shogi is worth: matches against evaluations of pieces alone, at equal nodes and at equal time.
//!
//! The others are the worth of pieces that training begins with (`material`); what the evaluation was before it knew where pieces
//! stand (`before`); and what is in the file WEIGHTS, by default what pieces alone have learnt from the games that the evaluation
//! has learnt from (`pieces`). OURS is what is judged, by default the evaluation that is compiled in. From each of as many
//! distinct openings, drawn move by move and even to a search by material, two games with colours exchanged, null move and
//! late-move reductions on both sides. A pair is one observation: points per game with an interval of 1.96 standard errors over
//! pairs. Time is CPU time of the thread. Prints CSV. `cargo run --release --manifest-path examples/studies/Cargo.toml --bin
//! strength_shogi -- PAIRS NODES MICROSECONDS SEED [WEIGHTS [OURS]]`

use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Searcher};
use secateur_core::{Game, Moves, Notation, Rules};
use secateur_games::shogi::{Position, Shogi, WEIGHTS, Weights};
use secateur_suites::instruments::clock::thread_time;
use secateur_suites::sample::gather::{Dice, Family};
use secateur_suites::setups::setup::Setup;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use studies::mean_within;

/// Where the weights of pieces alone are.
const PIECES: &str = "core/games/shogi/data/pieces/shogi.weights";
/// The evaluation before it knew where pieces stand, learnt from 600 games of two plies: the turn; pawn, lance, knight, silver, bishop,
/// rook and gold in hand; then on the board, with the king and the promoted ones in the order of the unpromoted.
const BEFORE: [i16; 22] = [
    -165, 215, 542, 380, 356, 1143, 1604, 483, 32, 409, 129, 583, 349, 304, 561, 0, 387, 356, 23, 47, 767,
    995,
];
/// Fewest and most plies of an opening.
const OPENING: (usize, usize) = (4, 12);
/// An opening is worth at most this to either side, 1/100 pawn, by a search of material of [`DEPTH`] plies.
const EVEN: i32 = 150;
/// See [`EVEN`].
const DEPTH: i32 = 3;
/// Plies after which a game is a draw.
const LONGEST: usize = 300;

/// One who plays: a search and the game with its weights.
struct Player<'m> {
    search: Searcher<'m, Shogi>,
    budget: Budget,
}

fn main() {
    let number = |nth: usize, default: u64| {
        let read =
            |text: String| text.parse().expect("PAIRS, NODES, MICROSECONDS and SEED are whole numbers");
        std::env::args().nth(nth).map_or(default, read)
    };
    let (pairs, nodes, time, seed) =
        (number(1, 300) as usize, number(2, 1_500), number(3, 3_000), number(4, 1));
    let files: Vec<String> = std::env::args().skip(5).collect();
    let read = |path: &str| {
        let bytes = std::fs::read(path).expect("WEIGHTS and OURS are files");
        Shogi::new(Arc::new(
            Weights::from_bytes(&bytes).expect("WEIGHTS and OURS are what `train shogi` wrote"),
        ))
    };
    let setup = Setup::embedded(Shogi::NAME).expect("embedded parameters");
    let methods =
        setup.methods(&"null-move+lmr".parse().expect("names of methods")).expect("methods of the setup");
    let learnt_game = |learnt: Vec<i16>| Shogi::new(Arc::new(Weights::new(learnt).expect("few and small")));
    let mut before = BEFORE.to_vec();
    before.resize(WEIGHTS, 0);
    let pieces = read(files.first().map_or(PIECES, String::as_str));
    let ours = files.get(1).map_or_else(Shogi::default, |path| read(path));
    let material = Shogi::new(Arc::new(Weights::material()));
    let openings = openings(&material, pairs, seed);
    let others = [("material", material), ("before", learnt_game(before)), ("pieces", pieces)];
    let mut text = format!(
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin strength_shogi -- {pairs} {nodes} {time} {seed}{}\n\
         against,equal,games,won,drawn,lost,score,score_low,score_high\n",
        files.iter().map(|path| format!(" {path}")).collect::<String>(),
    );
    let limit = Duration::from_micros(time);
    for (equal, budget) in
        [("nodes", Budget::Nodes(nodes)), ("time", Budget::Time { limit, clock: thread_time })]
    {
        for (name, other) in &others {
            let player = |game: &Shogi| Player { search: searcher(game, &methods), budget };
            let mut players = [player(&ours), player(other)];
            text += &format!("{name},{equal},{}\n", row(&openings, &mut players));
        }
    }
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()).expect("a working terminal");
}

fn searcher<'m>(game: &Shogi, methods: &'m Methods) -> Searcher<'m, Shogi> {
    game.clone().searcher(methods, Options { table_mib: 1, ..Options::default() })
}

/// So many openings that differ by more than colours, as texts.
fn openings(material: &Shogi, count: usize, seed: u64) -> Vec<String> {
    let mut search = searcher(material, Methods::NONE);
    let (mut openings, mut seen) = (Vec::new(), BTreeSet::new());
    for drawn in 1.. {
        if openings.len() == count {
            break;
        }
        let mut dice = Dice::new(seed, Family::Play, drawn);
        let mut position = material.parse(&material.start().expect("a start")).expect("a position");
        for _ in 0..OPENING.0 + dice.below(OPENING.1 - OPENING.0 + 1) {
            let mut moves = Moves::<Shogi>::new();
            material.moves(&position, &mut moves);
            let Some(scored) = moves.get(dice.below(moves.len().max(1))) else { break };
            position = material.play(&position, scored.mv);
        }
        let outcome = search.run(&position, &Budget::Depth(DEPTH));
        let even = outcome.last().best_move().is_some() && outcome.last().score.abs().0 <= EVEN;
        if even && seen.insert(material.canonical(&position)) {
            openings.push(material.format(&position));
        }
    }
    openings
}

/// The figures of a match.
fn row(openings: &[String], players: &mut [Player<'_>; 2]) -> String {
    let mut counts = [0; 3];
    let points: Vec<f64> = openings
        .iter()
        .map(|opening| {
            let both = [0, 1].map(|first| play(players, opening, first));
            both.iter().for_each(|result| counts[(2.0 * result) as usize] += 1);
            both.iter().sum::<f64>() / 2.0
        })
        .collect();
    let [mean, low, high] = mean_within(&points);
    let [lost, drawn, won] = counts;
    format!("{},{won},{drawn},{lost},{mean:.4},{low:.4},{high:.4}", 2 * points.len())
}

/// Points of player 0 in a game that player `first` begins.
fn play(players: &mut [Player<'_>; 2], opening: &str, first: usize) -> f64 {
    // Positions carry sums of their own game's weights.
    let mut positions: [Position; 2] =
        std::array::from_fn(|at| players[at].search.game().parse(opening).expect("a position"));
    let mut seen = BTreeMap::<u64, usize>::new();
    for ply in 0..LONGEST {
        let mover = (first + ply) % 2;
        let Player { search, budget } = &mut players[mover];
        let position = &positions[mover];
        let times = seen.entry(search.game().key(position)).or_insert(0);
        *times += 1;
        if let Some(end) = search.game().ending(position, *times) {
            // Whose turn it is has the side of this number.
            let to_move = search.game().side(position);
            return end.winner.map_or(0.5, |side| f64::from(u8::from((side == to_move) == (mover == 0))));
        }
        let Some(mv) = search.run(position, budget).last().best_move() else { return 0.5 };
        for (position, player) in positions.iter_mut().zip(&*players) {
            *position = player.search.game().play(position, mv);
        }
    }
    0.5
}
