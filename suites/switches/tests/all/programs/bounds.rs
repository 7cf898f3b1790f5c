//! A search in Rust whose window is one value, with its pruning, its reductions and its extensions in functions of their own.

struct Bounds {
    alpha: i32,
    beta: i32,
}

impl Searcher {
    fn search(&mut self, board: &Board, mut depth: i32, ply: i32, mut bounds: Bounds) -> Result<i32, Stopped> {
        if depth <= 0 {
            return self.quiet(board, ply, bounds);
        }
        let tt_move = match self.tt.probe(board.key(), depth, bounds) {
            Probed::Cut(entry) => {
                if !self.pv {
                    return Ok(entry.score);
                }
                entry.best
            }
            Probed::Hit(entry) => entry.best,
            Probed::Miss => None,
        };
        if tt_move.is_none() && depth > 4 {
            depth -= 1;
        }
        if let Some(score) = self.pruned(board, depth, ply, bounds)? {
            return Ok(score);
        }
        let mut best = -30_000;
        for (count, mv) in board.moves().iter().enumerate() {
            let next = board.after(*mv);
            let new_depth = depth - 1 + self.extension_of(&next);
            let score = if let Some(reduction) = self.reduction(depth, &next, count) {
                -self.search(&next, new_depth - reduction, ply + 1, -bounds.narrow())?
            } else {
                -self.search(&next, new_depth, ply + 1, -bounds)?
            };
            best = best.max(score);
            if score >= bounds.beta {
                break;
            }
            bounds.alpha = bounds.alpha.max(score);
        }
        Ok(best)
    }

    fn pruned(&mut self, board: &Board, depth: i32, ply: i32, bounds: Bounds) -> Result<Option<i32>, Stopped> {
        if self.pv || board.in_check() {
            return Ok(None);
        }
        let eval = board.eval();
        if depth < 3 && eval + 300 * depth < bounds.alpha {
            let score = self.quiet(board, ply, bounds.narrow())?;
            if score < bounds.alpha {
                return Ok(Some(score));
            }
        }
        if depth < 8 && eval - 80 * depth >= bounds.beta {
            return Ok(Some(eval));
        }
        if depth > 2 && board.has_pieces() {
            let passed = board.with_null_move_made();
            let score = -self.search(&passed, depth - 3, ply + 1, -bounds.narrow())?;
            if score >= bounds.beta {
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    fn quiet(&mut self, board: &Board, ply: i32, mut bounds: Bounds) -> Result<i32, Stopped> {
        let mut best = board.eval();
        if best >= bounds.beta {
            return Ok(best);
        }
        for mv in board.captures() {
            let score = -self.quiet(&board.after(mv), ply + 1, -bounds)?;
            best = best.max(score);
            if score >= bounds.beta {
                break;
            }
            bounds.alpha = bounds.alpha.max(score);
        }
        Ok(best)
    }

    fn reduction(&self, depth: i32, board: &Board, count: usize) -> Option<i32> {
        (depth > 2 && count > 3).then(|| self.reductions[depth as usize] - board.in_check() as i32)
    }

    fn extension_of(&self, board: &Board) -> i32 {
        let mut extension = 0;
        if board.in_check() {
            extension += self.more_in_check;
        }
        extension
    }
}
