//! A search in Rust whose depths are made by `match`, whose moves pass a sieve before they are searched, and whose window is one value.

impl Searcher {
    fn search(&mut self, board: &Board, mut depth: i32, ply: i32, mut window: Window) -> Option<i32> {
        if depth == 0 {
            if is_check(board) {
                depth += 1;
            } else {
                return self.quiet(board, ply, window);
            }
        }
        let old_entry = self.tt.get(board);
        let (mut best_move, eval) = (Move::default(), board.eval());
        if let Some(entry) = old_entry {
            best_move = entry.mov;
            if entry.depth >= depth && window.fail_high(entry.lower_bound) {
                return Some(entry.score);
            }
        }
        if depth <= RFP_MAX_DEPTH {
            let narrow = Window::null(window.lb() + margin(depth));
            if narrow.fail_high(eval) {
                return Some(eval);
            }
        }
        if depth > 7 && eval >= window.beta + 100 {
            let score = self.search(board, depth - 4, ply, Window::null(window.beta - 1))?;
            if score >= window.beta {
                depth -= 1;
            }
        }
        if !self.pv && depth >= MCP_DEPTH {
            let mut cut_count = 0;
            for mov in board.first_moves() {
                let score = -self.search(&board.after(mov), depth - 4, ply + 1, -window)?;
                if score >= window.beta {
                    cut_count += 1;
                    if cut_count >= 3 {
                        return Some(window.beta);
                    }
                }
            }
        }
        let mut best = -30_000;
        for (count, mov) in board.moves().iter().enumerate() {
            let new_pos = board.after(*mov);
            let mut child_depth = depth - 1;
            if let Some(e) = old_entry && depth >= 6 && *mov == best_move && e.depth >= depth - 3 && !self.singular {
                let bound = e.score - 2 * depth;
                let reduced_depth = child_depth / 2;
                let score = self.search(board, reduced_depth, ply, Window::null(bound))?;
                if score < bound {
                    child_depth += 1;
                }
            }
            let extension = match () {
                _ if !new_pos.checkers().is_empty() => 1,
                _ => 0,
            };
            let reduction = match () {
                _ if extension > 0 => -extension,
                _ if board.is_capture(*mov) => 0,
                _ => reduction_of(depth, count),
            };
            let mut score = -self.search(&new_pos, child_depth - reduction, ply + 1, -Window::null(window.lb()))?;
            if reduction > 0 {
                score = -self.search(&new_pos, child_depth, ply + 1, -Window::null(window.lb()))?;
            }
            best = best.max(score);
            if window.fail_high(score) {
                break;
            }
            window.alpha = window.alpha.max(score);
        }
        Some(best)
    }

    fn quiet(&mut self, board: &Board, ply: i32, orig_window: Window) -> Option<i32> {
        let (mut alpha, beta) = (orig_window.alpha, orig_window.beta);
        let static_eval = board.eval();
        if static_eval >= beta {
            return Some(static_eval);
        }
        alpha = alpha.max(static_eval);
        let mut kept = Vec::new();
        for mov in board.captures() {
            if mov == self.hash_mov {
                continue;
            }
            if static_eval + board.gain(mov) + DELTA_MARGIN < alpha {
                continue;
            }
            let see_score = see(board, mov);
            if see_score < EQUAL_EXCHANGE {
                continue;
            }
            kept.push((see_score, mov));
        }
        for (_, mov) in kept {
            let score = -self.quiet(&board.after(mov), ply + 1, -orig_window)?;
            if score >= beta {
                return Some(score);
            }
            alpha = alpha.max(score);
        }
        Some(alpha)
    }
}
