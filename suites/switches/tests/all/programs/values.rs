//! A search in Rust: `if` as a value, options, methods in functions of their own.

impl Searcher {
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if self.should_stop() {
            return 0;
        }
        if let Some(entry) = self.tt.probe(self.board.hash()) {
            match entry.bound {
                Bound::Exact => return entry.score,
                Bound::Lower if entry.score >= beta => return entry.score,
                _ => (),
            }
        }
        let stand_pat = self.evaluate();
        if stand_pat >= beta {
            return stand_pat;
        }
        let mut best = stand_pat;
        let mut picker = MovePicker::captures(&self.board);
        while let Some(m) = picker.next(&self.board) {
            if !self.board.see(m, 0) {
                continue;
            }
            if stand_pat + self.gain(m) + 100 <= alpha {
                continue;
            }
            self.board.make_move(m);
            let score = -self.quiescence(-beta, -alpha, ply + 1);
            self.board.unmake_move();
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    fn negamax(&mut self, mut alpha: i32, mut beta: i32, mut depth: i32, ply: usize) -> i32 {
        let in_check = self.board.in_check();
        let root = ply == 0;
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply);
        }
        if !root {
            if self.board.is_repetition() {
                return 0;
            }
            alpha = alpha.max(-MATE + ply as i32);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        if in_check && depth < 60 {
            depth += 1;
        }
        let entry = self.tt.probe(self.board.hash());
        let tt_move = entry.map(|e| e.mv);
        if let Some(e) = entry {
            if e.depth >= depth && e.bound == Bound::Exact {
                return e.score;
            }
        }
        let eval = self.evaluate();
        if let Some(score) = self.reverse_futility_pruning(depth, beta, eval) {
            return score;
        }
        // Null Move Pruning (NMP)
        if !in_check && depth >= 3 && eval >= beta {
            self.board.make_null_move();
            let score = -self.negamax(-beta, -beta + 1, depth - 3, ply + 1);
            self.board.unmake_null_move();
            if score >= beta {
                return score;
            }
        }
        if tt_move.is_none() && depth > 4 {
            depth -= 1;
        }
        let mut best = -INFINITE;
        let mut moves_played = 0;
        let mut picker = MovePicker::all(&self.board, tt_move);
        while let Some(m) = picker.next(&self.board) {
            let quiet = !m.is_capture();
            if quiet && depth < 6 && eval + 100 * depth + 50 <= alpha {
                picker.skip_quiets();
            }
            if quiet && moves_played > 3 + depth * depth {
                continue;
            }
            if Some(m) == self.stack[ply].excluded {
                continue;
            }
            let mut extension = 0;
            if depth >= 8 && Some(m) == tt_move && !root {
                self.stack[ply].excluded = Some(m);
                let score = self.negamax(alpha - 1, alpha, depth / 2, ply);
                self.stack[ply].excluded = None;
                if score < alpha {
                    extension = 1;
                }
            }
            self.board.make_move(m);
            moves_played += 1;
            let new_depth = depth - 1 + extension;
            let r = if depth > 2 && moves_played > 3 && quiet { self.lmr[depth as usize] } else { 0 };
            let mut score = -self.negamax(-alpha - 1, -alpha, new_depth - r, ply + 1);
            if score > alpha && r > 0 {
                score = -self.negamax(-beta, -alpha, new_depth, ply + 1);
            }
            self.board.unmake_move();
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        if moves_played == 0 {
            return 0;
        }
        best
    }
}
