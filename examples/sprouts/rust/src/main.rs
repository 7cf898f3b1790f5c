//! UCI, as much of it as a test needs.

mod board;
mod search;

use board::Board;
use search::Search;
use std::io::{BufRead, Write};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

fn main() {
    if std::env::args().nth(1).as_deref() == Some("bench") {
        let mut search = Search::new();
        search.think(&Board::read("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"), 4);
        println!("{} nodes", search.nodes);
        return;
    }
    let mut board = Board::read(START);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        match tokens.as_slice() {
            ["uci", ..] => println!("id name Sprout in Rust\nid author a test\nuciok"),
            ["isready", ..] => println!("readyok"),
            ["quit", ..] => return,
            ["position", kind, rest @ ..] => {
                let moves = rest.iter().position(|word| *word == "moves");
                let fen = rest[..moves.unwrap_or(rest.len())].join(" ");
                board = Board::read(if *kind == "fen" { &fen } else { START });
                for text in moves.map_or(&[][..], |at| &rest[at + 1..]) {
                    let wanted = board.moves(false).into_iter().find(|mv| mv.text() == *text);
                    board = wanted.and_then(|mv| board.after(mv)).unwrap_or(board);
                }
            }
            ["go", rest @ ..] => {
                let at = rest.iter().position(|word| *word == "depth");
                let depth = at.and_then(|at| rest.get(at + 1)?.parse().ok()).unwrap_or(4);
                println!("bestmove {}", Search::new().think(&board, depth).text());
            }
            _ => {}
        }
        let _ = std::io::stdout().flush();
    }
}
