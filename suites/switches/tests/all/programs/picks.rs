//! A search in Rust whose quiescence has a picker of its own that ends with the captures that win.

impl Moves {
    fn next_capture(&mut self) -> Option<Move> {
        if self.stage == Stage::First {
            self.generate();
        }
        if self.at < self.list.len() {
            if self.list[self.at].score < WINNING {
                return None;
            }
        }
        self.list.pop()
    }
}

impl Searcher {
    fn quiet(&mut self, mut alpha: i32, beta: i32) -> i32 {
        let eval = self.board.evaluate();
        if eval >= beta {
            return eval;
        }
        let mut moves = Moves::new(&self.board);
        while let Some(mv) = moves.next_capture() {
            self.board.make(mv);
            let score = -self.quiet(-beta, -alpha);
            self.board.unmake();
            if score >= beta {
                return score;
            }
            alpha = alpha.max(score);
        }
        alpha
    }

    fn inner(&mut self, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        if depth <= 0 {
            return self.quiet(alpha, beta);
        }
        for mv in self.board.legal() {
            self.board.make(mv);
            let score = -self.inner(-beta, -alpha, depth - 1);
            self.board.unmake();
            if score >= beta {
                return score;
            }
            alpha = alpha.max(score);
        }
        alpha
    }
}
