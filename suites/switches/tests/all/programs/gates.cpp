// One condition around two methods or around a condition alone, a null move as a constant, a reduction that both arms of an `if` set, a
// search within a flag, and a quiescence search with a limit of its own.
#include <algorithm>

int quiesce(Game& g, int alpha, int beta, int depth);

template <Type type>
int search(Game& g, int alpha, int beta, int depth, Move without = kNoMove) {
    if (depth <= 0)
        return quiesce(g, alpha, beta, 0);
    const bool at_root = type == Type::kRoot;
    const bool checked = g.board.attacked();
    const int guess = checked ? kNoValue : g.evaluate();
    // Speculative methods
    if (type == Type::kZero && beta < kMostStatic && !checked) {
        if (depth <= 6 && guess - 90 * depth >= beta)
            return (guess + beta) / 2;
        if (guess >= beta && depth > 2 && g.board.has_pieces()) {
            g.board.Make(kNullMove);
            const int value = -search<Type::kZero>(g, -beta, -alpha, depth - 4);
            g.board.Take();
            if (value >= beta)
                return value;
        }
    }
    const Entry entry = g.table[g.board.key()];
    if (type != Type::kZero && entry.move == kNoMove) {
        if (depth > 4)
            depth -= 2;
    }
    const int least = entry.value - 2 * depth;
    const bool is_singular = depth > 7 && !without && entry.depth >= depth - 3
        && search<Type::kZero>(g, least - 1, least, depth / 2, entry.move) < least;
    int number = 0;
    for (Move move : g.board.moves()) {
        if (move == without)
            continue;
        int extension = 0;
        if (is_singular && move == entry.move)
            extension = 1;
        int reduction = 0;
        if (number && !checked) {
            // Late Move Reduction
            if (!at_root) {
                reduction = lmr_plies<type>(depth, number, move.is_quiet());
            }
            else if (number > 2) {
                reduction = lmr_plies<type>(depth, number - 2, move.is_quiet());
            }
            // Late moves are pruned.
            if (!at_root && depth < 4 && number >= counts[depth] && move.is_quiet())
                continue;
        }
        g.board.Make(move);
        int value = -search<Type::kZero>(g, -alpha - 1, -alpha, depth - 1 + extension - reduction);
        if (value > alpha && (reduction || type == Type::kOpen))
            value = -search<type>(g, -beta, -alpha, depth - 1 + extension);
        g.board.Take();
        number++;
        if (value >= beta)
            return value;
        alpha = std::max(alpha, value);
    }
    return alpha;
}

int quiesce(Game& g, int alpha, int beta, int depth) {
    const int still = g.evaluate();
    if (still >= beta)
        return still;
    alpha = std::max(alpha, still);
    const bool in_check = g.board.attacked();
    if (!in_check && depth < kMinDepth)
        return still;
    for (Move move : g.board.captures()) {
        g.board.Make(move);
        const int value = -quiesce(g, -beta, -alpha, depth - 1);
        g.board.Take();
        if (value >= beta)
            return value;
        alpha = std::max(alpha, value);
    }
    return alpha;
}
