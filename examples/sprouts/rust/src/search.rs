//! Alpha-beta with the usual pruning.

use crate::board::{Board, Move, VALUE};

const MATE: i32 = 30_000;
const MAX_PLY: usize = 64;

pub struct Search {
    pub nodes: u64,
    line: Vec<Vec<Move>>,
}

impl Search {
    pub fn new() -> Search {
        Search { nodes: 0, line: vec![Vec::new(); MAX_PLY + 1] }
    }

    pub fn think(&mut self, board: &Board, depth: i32) -> Move {
        for iteration in 1..=depth {
            let value = self.search(board, -MATE, MATE, iteration, 0, false);
            let line: Vec<String> = self.line[0].iter().map(|mv| mv.text()).collect();
            println!("info depth {iteration} score cp {value} nodes {} pv {}", self.nodes, line.join(" "));
        }
        self.line[0].first().copied().unwrap_or_default()
    }

    fn ordered(&self, board: &Board, captures_only: bool) -> Vec<Move> {
        let mut moves = board.moves(captures_only);
        moves.sort_by_key(|mv| -10 * VALUE[mv.taken as usize] + VALUE[board.square[mv.from as usize].unsigned_abs() as usize]);
        moves
    }

    fn quiescence(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.nodes += 1;
        self.line[ply].clear();
        let mut best = board.evaluate();
        if ply >= MAX_PLY - 1 || best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let eval = best;
        for mv in self.ordered(board, true) {
            // Delta pruning: even the captured piece does not raise alpha.
            if eval + VALUE[mv.taken as usize] + 150 <= alpha {
                continue;
            }
            let Some(next) = board.after(mv) else { continue };
            let value = -self.quiescence(&next, -beta, -alpha, ply + 1);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    fn search(&mut self, board: &Board, mut alpha: i32, beta: i32, mut depth: i32, ply: usize, can_null: bool) -> i32 {
        let pv_node = beta - alpha > 1;
        if depth <= 0 {
            return self.quiescence(board, alpha, beta, ply);
        }
        self.nodes += 1;
        self.line[ply].clear();
        if ply >= MAX_PLY - 1 {
            return board.evaluate();
        }
        let in_check = board.in_check();
        let eval = board.evaluate();

        // Reverse futility pruning: the evaluation less a margin is above beta.
        if !pv_node && !in_check && depth <= 4 && eval - 90 * depth >= beta {
            return eval;
        }

        // Null move pruning: the other side moves twice and still does not reach beta.
        if !pv_node && !in_check && can_null && depth >= 3 && eval >= beta {
            let mut next = board.clone();
            next.white = !next.white;
            let value = -self.search(&next, -beta, -beta + 1, depth - 1 - 2, ply + 1, false);
            if value >= beta {
                return beta;
            }
        }

        // Check extension.
        if in_check {
            depth += 1;
        }

        let (mut best, mut tried, mut quiets) = (-MATE, 0, 0);
        for mv in self.ordered(board, false) {
            let quiet = mv.taken == 0 && !mv.promotes;
            let Some(next) = board.after(mv) else { continue };
            let gives_check = next.in_check();

            // Late move pruning: enough quiet moves were tried.
            if !pv_node && quiet && !in_check && depth <= 3 && quiets >= 4 + 3 * depth * depth {
                continue;
            }

            let mut reduction = 0;
            // Late move reductions.
            if depth >= 3 && tried > 3 && quiet && !in_check && !gives_check {
                reduction = 1;
                if tried > 12 {
                    reduction += 1;
                }
            }
            let mut value;
            if tried == 0 {
                value = -self.search(&next, -beta, -alpha, depth - 1, ply + 1, true);
            } else {
                value = -self.search(&next, -alpha - 1, -alpha, depth - 1 - reduction, ply + 1, true);
                if value > alpha && reduction > 0 {
                    value = -self.search(&next, -alpha - 1, -alpha, depth - 1, ply + 1, true);
                }
                if value > alpha && value < beta {
                    value = -self.search(&next, -beta, -alpha, depth - 1, ply + 1, true);
                }
            }
            tried += 1;
            quiets += i32::from(quiet);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    let mut line = vec![mv];
                    line.extend_from_slice(&self.line[ply + 1]);
                    self.line[ply] = line;
                }
                if value >= beta {
                    break;
                }
            }
        }
        if tried == 0 {
            return if in_check { -MATE + ply as i32 } else { 0 };
        }
        best
    }
}
