//! Prints positions of random games with all their moves, for another program to judge: SFEN, a tab, moves with blanks between.
//!
//! `cargo run --example rules -p secateur-shogi -- 10000 | python3 core/games/shogi/judge.py`

#![allow(clippy::print_stdout)]

use secateur_core::game::{Moves, Notation, Rules};
use secateur_shogi::Shogi;

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let game = Shogi::default();
    let start = game.start().and_then(|text| game.parse(&text).ok()).expect("shogi has a start");
    let (mut state, mut pos, mut ply) = (0x2545_f491_4f6c_dd1d_u64, start.clone(), 0);
    for _ in 0..count {
        let mut moves = Moves::<Shogi>::new();
        game.moves(&pos, &mut moves);
        let texts: Vec<String> = moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect();
        println!("{}\t{}", game.format(&pos), texts.join(" "));
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ply += 1;
        if moves.is_empty() || ply == 300 {
            (pos, ply) = (start.clone(), 0);
        } else {
            pos = game.play(&pos, moves[(state >> 33) as usize % moves.len()].mv);
        }
    }
}
