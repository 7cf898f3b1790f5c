//! Prints positions of random games with all their moves, for another program to judge: SFEN, a tab, moves with blanks between.
//!
//! `cargo run --example rules -p secateur-shogi -- 10000 | python3 core/games/shogi/judge.py`

#![allow(clippy::print_stdout)]

use secateur_core::game::{Moves, Notation, Rules, random_games};
use secateur_shogi::Shogi;

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let game = Shogi::default();
    let start = game.start().expect("shogi has a start");
    for pos in random_games(&game, &[&start], 300, 1).take(count) {
        let mut moves = Moves::<Shogi>::new();
        game.moves(&pos, &mut moves);
        let texts: Vec<String> = moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect();
        println!("{}\t{}", game.format(&pos), texts.join(" "));
    }
}
