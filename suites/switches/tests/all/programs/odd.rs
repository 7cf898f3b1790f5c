//! A search in Rust with the shapes that are rarer: methods in functions, `match` that returns, depth by the number of moves.

fn quiesce(board: &Board, alpha: i32, beta: i32) -> i32 {
    let value = evaluate(board);
    if value >= beta {
        return value;
    }
    let mut best = value;
    for m in board.captures() {
        if see_pruning_can_be_applied(board, m) {
            continue;
        }
        let score = -quiesce(&board.after(m), -beta, -alpha);
        if score > best {
            best = score;
        }
    }
    best
}

fn search(board: &Board, tt: &Table, alpha: i32, beta: i32, depth: i32) -> i32 {
    if depth < 1 {
        return quiesce(board, alpha, beta);
    }
    if depth < 4 {
        return search_endgame(board, tt, alpha, beta, depth);
    }
    if board.pieces < 6 {
        return search_endgame(board, tt, alpha, beta, depth);
    }
    match tt.probe(board.hash, depth) {
        Probe::Cutoff(value) => return value,
        Probe::Miss => (),
    }
    let value = evaluate(board);
    if razoring_can_be_applied(board, depth, value, alpha) {
        return value;
    }
    let mut best = -30000;
    let mut count = 0;
    for m in board.moves() {
        if lmp_can_be_applied(depth, count) {
            break;
        }
        count += 1;
        let mut next_depth = depth - 1;
        if count > 6 && can_apply_lmr(m) {
            next_depth -= 1;
        }
        if count > 12 {
            next_depth -= 1;
        }
        let score = -search(&board.after(m), tt, -beta, -alpha, next_depth);
        if score > best {
            best = score;
        }
        if best >= beta {
            break;
        }
    }
    best
}

fn search_endgame(board: &Board, tt: &Table, alpha: i32, beta: i32, depth: i32) -> i32 {
    let mut best = -30000;
    for m in board.moves() {
        let score = -search(&board.after(m), tt, -beta, -alpha, depth - 1);
        best = best.max(score);
    }
    best
}
