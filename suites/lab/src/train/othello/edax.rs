//! Our evaluation carried over into the weight file of Edax 4.6, `eval.dat`, so that two searches can be compared with one evaluation.
//!
//! What both have (edge with X squares, corner of nine squares, second to fourth row, all diagonals, the constant) is copied disc count by
//! disc count. Our corner block of two rows is none of Edax's patterns: what it adds to our values is regressed ply by ply onto all that
//! Edax has, two other patterns among them, by normalised least mean squares. The positions are those of games in which the best move by
//! our evaluation, one ply deep, is played after a random opening and between random moves; everything follows from the settings. Layout of
//! the file: `src/eval.c` of Edax 4.6 (R. Delorme), `eval_open`.

use super::super::self_play::{Trained, VALIDATION_SHARE, below, stream, validates};
use super::super::{Phase, Progress, TrainError, in_range, rounded};
use super::selfplay::{OPENING_LEAST, OPENING_MOST, random_move, random_position};
use crate::train::shared_out;
use secateur_core::game::Evaluation;
use secateur_games::othello::{Board, Learnt, Othello, Position, Sharing, knot, squares};
use serde::{Deserialize, Serialize};

/// Plies of a file: 60 less the empty squares of a position, 0 to 60.
const PLIES: usize = 61;
/// `EDAX` and `EVAL` as Edax compares them, then version, release and build.
const HEADER: [u32; 5] = [0x4544_4158, 0x4556_414c, 3, 2, 5];
/// Patterns on the board, and the constant behind them.
const INSTANCES: usize = 47;
/// A weight is in 1/128 disc, ours in 1/100.
const SCALE: f32 = 128.0;
/// One move in so many is random.
const ERROR_SHARE: u64 = 8;
/// How much of the error at a position the first pass takes away; later ones take less.
const RATE: f32 = 0.5;

/// The shapes in the order of the file: an instance a line, the square that counts most first, as `EVAL_F2X` has them.
#[rustfmt::skip]
const SHAPES: [&[&str]; 12] = [
    &["a1b1a2b2c1a3c2b3c3", "h1g1h2g2f1h3f2g3f3", "a8a7b8b7a6c8b6c7c6", "h8h7g8g7h6f8g6f7f6"],
    &["a5a4a3a2a1b2b1c1d1e1", "h5h4h3h2h1g2g1f1e1d1", "a4a5a6a7a8b7b8c8d8e8", "h4h5h6h7h8g7g8f8e8d8"],
    &["b2a1b1c1d1e1f1g1h1g2", "b7a8b8c8d8e8f8g8h8g7", "b2a1a2a3a4a5a6a7a8b7", "g2h1h2h3h4h5h6h7h8g7"],
    &["a1c1d1c2d2e2f2e1f1h1", "a8c8d8c7d7e7f7e8f8h8", "a1a3a4b3b4b5b6a5a6a8", "h1h3h4g3g4g5g6h5h6h8"],
    &["a2b2c2d2e2f2g2h2", "a7b7c7d7e7f7g7h7", "b1b2b3b4b5b6b7b8", "g1g2g3g4g5g6g7g8"],
    &["a3b3c3d3e3f3g3h3", "a6b6c6d6e6f6g6h6", "c1c2c3c4c5c6c7c8", "f1f2f3f4f5f6f7f8"],
    &["a4b4c4d4e4f4g4h4", "a5b5c5d5e5f5g5h5", "d1d2d3d4d5d6d7d8", "e1e2e3e4e5e6e7e8"],
    &["a1b2c3d4e5f6g7h8", "a8b7c6d5e4f3g2h1"],
    &["b1c2d3e4f5g6h7", "h2g3f4e5d6c7b8", "a2b3c4d5e6f7g8", "g1f2e3d4c5b6a7"],
    &["c1d2e3f4g5h6", "a3b4c5d6e7f8", "f1e2d3c4b5a6", "h3g4f5e6d7c8"],
    &["d1e2f3g4h5", "a4b5c6d7e8", "e1d2c3b4a5", "h4g5f6e7d8"],
    &["d1c2b3a4", "a5b6c7d8", "e1f2g3h4", "h5g6f7e8"],
];

/// What a carrying over is determined by, and `threads`, which changes nothing but the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EdaxSettings {
    /// Games whose positions are valued.
    pub games: u32,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Passes over the positions of each ply.
    pub passes: u32,
    /// Threads that play.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for EdaxSettings {
    fn default() -> EdaxSettings {
        EdaxSettings { games: 60_000, seed: 1, passes: 12, threads: 1 }
    }
}

/// Where the weights come from, and how far off they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EdaxProvenance {
    /// Hash of the weights of ours, as evaluations have it.
    pub evaluation: String,
    /// What it is determined by.
    pub settings: EdaxSettings,
    /// Positions learnt from.
    pub positions: u64,
    /// Those of games that were not learnt from.
    pub validation_positions: u64,
    /// Root of the mean squared difference of the values at these, discs.
    pub error: f64,
    /// The same where nothing is carried over: of our values themselves.
    pub spread: f64,
}

/// A position with our value of it, discs.
type Valued = (Board, f32);

/// Carries the evaluation of a game over: the bytes of `eval.dat`, and where they come from.
///
/// # Errors
/// A setting out of range.
pub fn carried_over(
    game: &Othello,
    settings: &EdaxSettings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Trained, TrainError> {
    let least = u64::from(VALIDATION_SHARE);
    let (games, passes) = (settings.games.into(), settings.passes.into());
    in_range([("games", games, least..=10_000_000), ("passes", passes, 1..=1_000)])?;
    let numbers: Vec<u32> = (0..settings.games).collect();
    let (mut learnt, mut kept) = (vec![Vec::new(); PLIES], vec![Vec::new(); PLIES]);
    for block in numbers.chunks(4_096) {
        let games =
            shared_out(block, settings.threads, || (), |(), &number| played(game, settings.seed, number));
        for (number, positions) in block.iter().zip(games) {
            let plies = if validates(*number) { &mut kept } else { &mut learnt };
            positions.into_iter().for_each(|(ply, valued)| plies[ply].push(valued));
        }
        let (done, total) = (u64::from(block[0]) + block.len() as u64, u64::from(settings.games));
        progress(Progress { generation: 0, phase: Phase::Games, done, total });
    }
    let packing = Packing::new();
    // What is added to the copied weights.
    let mut weights = vec![0.0; packing.len()];
    let copied: Vec<Vec<f32>> =
        (0..PLIES).map(|ply| packing.copied(game.weights().learnt(), ply + 4)).collect();
    let mut bytes = header();
    let (mut squares_off, mut squares, mut validated) = (0.0, 0.0, 0_u64);
    for ply in 0..PLIES {
        // A ply has the weights of the one before to begin with, so that what it never saw is not nothing, and learns from its
        // neighbours, too.
        let near = ply.saturating_sub(1)..=(ply + 1).min(PLIES - 1);
        let left = |near: usize| {
            let (packing, copied) = (&packing, &copied[near]);
            learnt[near].iter().map(move |valued| {
                let (places, value) = packing.design(valued);
                (places, value - places.iter().map(|&at| copied[at as usize]).sum::<f32>())
            })
        };
        let near: Vec<Design> = near.flat_map(left).collect();
        regress(&mut weights, &near, settings.passes);
        let both = weights.iter().zip(&copied[ply]);
        let packed: Vec<i16> =
            both.map(|(added, copied)| ((added + copied) * SCALE).round() as i16).collect();
        bytes.extend(packed.iter().flat_map(|weight| weight.to_le_bytes()));
        for (places, value) in kept[ply].iter().map(|valued| packing.design(valued)) {
            let predicted =
                places.iter().map(|&at| f64::from(packed[at as usize])).sum::<f64>() / f64::from(SCALE);
            squares_off += (predicted - f64::from(value)).powi(2);
            squares += f64::from(value).powi(2);
            validated += 1;
        }
        progress(Progress { generation: 0, phase: Phase::Passes, done: ply as u64 + 1, total: PLIES as u64 });
    }
    let root = |sum: f64| rounded((sum / validated.max(1) as f64).sqrt());
    let provenance = EdaxProvenance {
        evaluation: format!("{:016x}", game.evaluation_id()),
        settings: *settings,
        positions: learnt.iter().map(|ply| ply.len() as u64).sum(),
        validation_positions: validated,
        error: root(squares_off),
        spread: root(squares),
    };
    Ok(Trained { bytes, provenance: toml::to_string(&provenance)? })
}

/// What comes before the weights: the date is none, so that the same settings give the same bytes.
fn header() -> Vec<u8> {
    let words = HEADER.iter().flat_map(|word| word.to_le_bytes());
    words.chain(0.0_f64.to_le_bytes()).collect()
}

/// The positions of a game in which a move is possible, each with its ply.
fn played(game: &Othello, seed: u64, number: u32) -> Vec<(usize, Valued)> {
    let mut rng = stream(seed, u32::MAX, number);
    let opening = below(&mut rng, OPENING_MOST - OPENING_LEAST + 1) + OPENING_LEAST;
    // One in eight from its first move on, for the plies of the opening.
    let mut position = random_position(&mut rng, if number % 8 == 1 { 0 } else { opening });
    let mut positions = Vec::with_capacity(60);
    loop {
        if position.board().moves() == 0 {
            position = position.passed();
        }
        let moves = position.board().moves();
        if moves == 0 {
            return positions;
        }
        let ply = 60 - (position.board().empty().count_ones() as usize).min(60);
        positions.push((ply, (position.board(), game.evaluate(&position).0 as f32 / 100.0)));
        let chosen = match below(&mut rng, ERROR_SHARE) {
            0 => random_move(&mut rng, moves),
            _ => {
                let after = |square| game.evaluate(&position.play(square)).0;
                squares(moves).min_by_key(|&square| after(square)).expect("there is a move")
            }
        };
        position = position.play(chosen);
    }
}

/// The weights of a position's instances, and its value.
type Design = ([u32; INSTANCES], f32);

/// Takes away a share of each position's error, the same from each of its weights, position by position and less each pass.
fn regress(weights: &mut [f32], positions: &[Design], passes: u32) {
    for pass in 0..passes {
        let rate = RATE / (1.0 + pass as f32 / 2.0) / INSTANCES as f32;
        for (places, value) in positions {
            let predicted: f32 = places.iter().map(|&at| weights[at as usize]).sum();
            let step = rate * (value - predicted);
            places.iter().for_each(|&at| weights[at as usize] += step);
        }
    }
}

/// Which weight of the file each configuration of a shape has: those that a mirror image of the shape makes alike share one.
struct Packing {
    /// By shape, and by configuration.
    weights: Vec<Vec<u32>>,
    /// Squares by shape and instance.
    squares: Vec<Vec<Vec<u32>>>,
    constant: u32,
    /// The weight of ours that each is, if it is one.
    ours: Vec<Option<u32>>,
}

impl Packing {
    fn new() -> Packing {
        let (mut next, mut weights, mut squares) = (0, Vec::new(), Vec::new());
        let mut ours = Vec::new();
        for (shape, instances) in SHAPES.iter().enumerate() {
            let length = instances[0].len() / 2;
            let first = numbered(instances[0]);
            let lane = lane(&first);
            let mut of_shape: Vec<u32> = Vec::new();
            for configuration in 0..3_usize.pow(length as u32) {
                let mirrored = mirrored(shape, length, configuration);
                of_shape.push(match of_shape.get(mirrored).filter(|_| mirrored < configuration) {
                    Some(&weight) => weight,
                    None => {
                        ours.push(lane.map(|lane| classes(&first, configuration)[lane]));
                        next += 1;
                        next - 1
                    }
                });
            }
            weights.push(of_shape);
            squares.push(instances.iter().map(|names| numbered(names)).collect());
        }
        Packing { weights, squares, constant: next, ours }
    }

    /// Our own weights as far as they are Edax's, for so many discs on the board, in discs.
    fn copied(&self, learnt: &Learnt, discs: usize) -> Vec<f32> {
        let (lower, quarters) = knot(discs);
        let (from, to) = (lower * Sharing::get().len(), (lower + 1) * Sharing::get().len());
        let mixed = |class: u32| {
            let [a, b] = [from, to].map(|knot| f32::from(learnt.patterns[knot + class as usize]));
            (a * (4 - quarters) as f32 + b * quarters as f32) / 400.0
        };
        let patterns = self.ours.iter().map(|class| class.map_or(0.0, mixed));
        patterns.chain([f32::from(learnt.constant[discs]) / 100.0]).collect()
    }

    /// Weights of a ply.
    fn len(&self) -> usize {
        self.constant as usize + 1
    }

    fn design(&self, &(board, value): &Valued) -> Design {
        let mut places = [self.constant; INSTANCES];
        let instances = self.squares.iter().zip(&self.weights).flat_map(|(instances, weights)| {
            instances.iter().map(move |squares| weights[configuration(board, squares)])
        });
        places.iter_mut().zip(instances).for_each(|(place, weight)| *place = weight);
        (places, value)
    }
}

/// Our weights of a board with nothing on it but this configuration.
fn classes(squares: &[u32], configuration: usize) -> [u32; secateur_games::othello::INSTANCES] {
    let (mut board, mut remainder) = (Board { player: 0, opponent: 0 }, configuration);
    for square in squares.iter().rev() {
        match remainder % 3 {
            0 => board.player |= 1 << square,
            1 => board.opponent |= 1 << square,
            _ => {}
        }
        remainder /= 3;
    }
    Position::new(board, true).classes(Sharing::get())
}

/// Which of our instances is of these squares; `None` if none is.
fn lane(squares: &[u32]) -> Option<usize> {
    let empty = classes(&[], 0);
    let discs: Vec<_> = (0..64).map(|square| classes(&[square], 0)).collect();
    let seen = |lane: usize| {
        (0..64)
            .filter(|&square| discs[square][lane] != empty[lane])
            .fold(0, |set, square| set | 1_u64 << square)
    };
    let wanted = squares.iter().fold(0_u64, |set, square| set | 1 << square);
    (0..empty.len()).find(|&lane| seen(lane) == wanted)
}

/// A configuration in ternary, the first square counting most: 0 for the mover's disc, 1 for the other side's, 2 for none.
fn configuration(board: Board, squares: &[u32]) -> usize {
    squares.iter().fold(0, |number, &square| {
        let digit =
            if board.player >> square & 1 == 1 { 0 } else { 2 - (board.opponent >> square & 1) as usize };
        3 * number + digit
    })
}

/// The configuration that is the same by symmetry. The corner of nine squares is mirrored on its diagonal, the angle on its, all
/// else end for end.
fn mirrored(shape: usize, length: usize, configuration: usize) -> usize {
    const CORNER: [usize; 9] = [0, 2, 1, 4, 3, 5, 7, 6, 8];
    const ANGLE: [usize; 10] = [9, 8, 7, 6, 4, 5, 3, 2, 1, 0];
    let from = |digit: usize| match shape {
        0 => CORNER[digit],
        1 => ANGLE[digit],
        _ => length - 1 - digit,
    };
    let power = |digit: usize| 3_usize.pow(digit as u32);
    (0..length).map(|digit| configuration / power(from(digit)) % 3 * power(digit)).sum()
}

/// Squares by their names, from 0 for a1.
fn numbered(names: &str) -> Vec<u32> {
    let (pairs, _) = names.as_bytes().as_chunks::<2>();
    pairs.iter().map(|[file, rank]| u32::from(file - b'a') + 8 * u32::from(rank - b'1')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// The numbers of `eval_open`: configurations of each shape as they are, and as they are packed.
    const SIZE: [usize; 13] =
        [19_683, 59_049, 59_049, 59_049, 6_561, 6_561, 6_561, 6_561, 2_187, 729, 243, 81, 1];
    const PACKED: [usize; 13] =
        [10_206, 29_889, 29_646, 29_646, 3_321, 3_321, 3_321, 3_321, 1_134, 378, 135, 45, 1];
    const SYMMETRIES: [&[usize]; 12] = [
        &[0, 2, 1, 4, 3, 5, 7, 6, 8],
        &[9, 8, 7, 6, 4, 5, 3, 2, 1, 0],
        &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[7, 6, 5, 4, 3, 2, 1, 0],
        &[6, 5, 4, 3, 2, 1, 0],
        &[5, 4, 3, 2, 1, 0],
        &[4, 3, 2, 1, 0],
        &[3, 2, 1, 0],
    ];

    /// What Edax makes of a position before it rounds, 1/128 disc, from the bytes of the file and written as its reader is.
    fn read(bytes: &[u8], board: Board) -> i32 {
        let ply = 60 - board.empty().count_ones() as usize;
        let weight = |at: usize| {
            let from = 28 + 2 * (ply * PACKED.iter().sum::<usize>() + at);
            i32::from(i16::from_le_bytes([bytes[from], bytes[from + 1]]))
        };
        let (mut offset, mut sum) = (0, 0);
        for (shape, symmetry) in SYMMETRIES.iter().enumerate() {
            let mut unpacked = vec![0; SIZE[shape]];
            let mut next = 0;
            for i in 0..SIZE[shape] {
                let digit = |n: usize| i / 3_usize.pow(symmetry[n] as u32) % 3;
                let j: usize = (0..symmetry.len()).map(|n| digit(n) * 3_usize.pow(n as u32)).sum();
                unpacked[i] = if j < i { unpacked[j] } else { next };
                next += usize::from(j >= i);
            }
            assert_eq!(next, PACKED[shape], "shape {shape}");
            for names in SHAPES[shape] {
                let colour = |square: u32| match (board.player >> square & 1, board.opponent >> square & 1) {
                    (1, _) => 0,
                    (_, 1) => 1,
                    _ => 2,
                };
                let feature =
                    numbered(names).into_iter().fold(0, |feature, square| feature * 3 + colour(square));
                sum += weight(offset + unpacked[feature]);
            }
            offset += PACKED[shape];
        }
        sum + weight(offset)
    }

    #[test]
    fn the_file_is_read_as_edax_reads_it_and_says_nearly_what_we_say() {
        let game = Othello::default();
        let settings = EdaxSettings { games: 800, passes: 6, ..EdaxSettings::default() };
        let carried = carried_over(&game, &settings, &mut |_| {}).unwrap();
        assert_eq!(carried.bytes.len(), 13_952_436, "28 bytes and 61 times 114,364 weights");
        assert_eq!(&carried.bytes[..8], b"XADELAVE");
        let provenance: EdaxProvenance = toml::from_str(&carried.provenance).expect("as it was written");
        let EdaxProvenance { error, spread, positions, validation_positions, .. } = provenance;
        assert!(positions > 20_000 && validation_positions > 1_000);
        assert!(error < 0.25 * spread, "{error} of {spread}");
        // Positions that it knows nothing of, by a reader of its own.
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut off, mut all) = (0.0, 0.0);
        for plies in 10..50 {
            let position: Position = random_position(&mut rng, plies);
            let ours = f64::from(game.evaluate(&position).0) / 100.0;
            off += (f64::from(read(&carried.bytes, position.board())) / 128.0 - ours).powi(2);
            all += ours.powi(2);
        }
        assert!(off < 0.25 * all, "{off} of {all}");
        let with_threads =
            carried_over(&game, &EdaxSettings { threads: 3, ..settings }, &mut |_| {}).unwrap();
        assert!(with_threads.bytes == carried.bytes, "whatever the threads");
        assert!(carried_over(&game, &EdaxSettings { games: 3, ..settings }, &mut |_| {}).is_err());
    }

    /// All weights are copied but those of the two patterns that we have not.
    #[test]
    fn patterns_that_both_have_are_copied() {
        let missing = |ours: &[Option<u32>]| ours.iter().filter(|class| class.is_none()).count();
        assert_eq!(missing(&Packing::new().ours), PACKED[1] + PACKED[3]);
    }

    /// Symmetric images of a board have one value.
    #[test]
    fn images_of_a_board_have_the_same_weights() {
        let packing = Packing::new();
        assert_eq!(packing.len(), PACKED.iter().sum::<usize>());
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for plies in 5..45 {
            let board = random_position(&mut rng, plies).board();
            let sorted = |board: Board| {
                let (mut places, _) = packing.design(&(board, 0.0));
                places.sort_unstable();
                places
            };
            assert!((1..8).all(|symmetry| sorted(board.transformed(symmetry)) == sorted(board)));
        }
    }
}
