// A search in C++ as the family of Stockfish writes it: a template, a gate around the reduced search, flags as expressions.
#include <algorithm>
#include "position.h"

namespace {

template <bool Pv>
Value qsearch(Position& pos, Stack* ss, Value alpha, Value beta, Depth depth) {
    bool ttHit;
    Value bestValue, value, futilityBase;
    TTEntry* tte = TT.probe(pos.key(), ttHit);
    Value ttValue = ttHit ? tte->value() : VALUE_NONE;
    int moveCount = 0;

    if (pos.is_draw(ss->ply) || ss->ply >= MAX_PLY)
        return VALUE_DRAW;
    if (!Pv && ttHit && tte->depth() >= depth && ttValue != VALUE_NONE)
        return ttValue;
    bestValue = ss->staticEval = evaluate(pos);
    if (bestValue >= beta)
        return bestValue;
    futilityBase = bestValue + 128;
    MovePicker mp(pos);
    for (Move move; (move = mp.next_move()) != MOVE_NONE;) {
        moveCount++;
        if (futilityBase + gain(move) <= alpha)
            continue;
        bool evasionPrunable = moveCount > 2 && pos.checkers();
        if ((!pos.checkers() || evasionPrunable) && !pos.see_ge(move))
            continue;
        pos.do_move(move);
        value = -qsearch<Pv>(pos, ss + 1, -beta, -alpha, depth - 1);
        pos.undo_move(move);
        if (value > bestValue) {
            bestValue = value;
            if (value >= beta)
                break;
        }
    }
    return bestValue;
}

template <bool Pv>
Value search(Position& pos, Stack* ss, Value alpha, Value beta, Depth depth, bool cutNode) {
    const bool rootNode = Pv && ss->ply == 0;
    if (depth <= 0)
        return qsearch<Pv>(pos, ss, alpha, beta, 0);
    if (Threads.stop.load() || pos.is_draw(ss->ply))
        return VALUE_DRAW;
    bool ttHit, moveCountPruning, givesCheck;
    TTEntry* tte = TT.probe(pos.key(), ttHit);
    Value ttValue = tte->value(), eval = evaluate(pos), value, bestValue = -VALUE_INFINITE, nullValue, probCutBeta;
    Move ttMove = tte->move(), excludedMove = ss->excludedMove;
    Depth extension, newDepth;
    int moveCount = 0, r;

    // Use what the table says where that is deep enough
    if (!Pv && ttHit && tte->depth() >= depth && (ttValue >= beta ? (tte->bound() & BOUND_LOWER) : (tte->bound() & BOUND_UPPER))) {
        if (ttMove)
            update_stats(pos, ttMove, depth);
        return ttValue;
    }
    if (!rootNode && TB::Cardinality) {
        if (TB::probe_wdl(pos) != 0)
            return VALUE_TB;
    }
    // Step 7. Razoring (~2 Elo)
    if (eval < alpha - 400 * depth)
        return qsearch<false>(pos, ss, alpha - 1, alpha, 0);
    // Step 8. Futility pruning: child node (~30 Elo)
    if (!ss->inCheck && depth < 9 && eval - futility_margin(depth) >= beta)
        return eval;
    // Step 9. Null move search
    if (!Pv && eval >= beta && ss->staticEval >= beta - 20 * depth) {
        pos.do_null_move();
        nullValue = -search<false>(pos, ss + 1, -beta, -beta + 1, depth - 4, !cutNode);
        pos.undo_null_move();
        if (nullValue >= beta) {
            if (depth < 14)
                return nullValue;
            Value v = search<false>(pos, ss, beta - 1, beta, depth - 4, false);
            if (v >= beta)
                return nullValue;
        }
    }
    probCutBeta = beta + 200;
    if (!Pv && depth > 4 && abs(beta) < VALUE_MATE) {
        MovePicker mp(pos, ttMove);
        Move move;
        while ((move = mp.next_move()) != MOVE_NONE)
            if (move != excludedMove && pos.legal(move)) {
                pos.do_move(move);
                value = -search<false>(pos, ss + 1, -probCutBeta, -probCutBeta + 1, depth - 4, !cutNode);
                pos.undo_move(move);
                if (value >= probCutBeta)
                    return value;
            }
    }
    // A good bound of the table stands for it
    if (ss->inCheck && ttHit && tte->depth() >= depth - 3 && ttValue >= probCutBeta)
        return probCutBeta;
    if (Pv && depth >= 6 && !ttMove)
        depth -= 2;
    if (cutNode && depth >= 9 && (ss - 1)->reduction > 1)
        depth--;
    if (depth >= 7 && !ttMove) {
        search<Pv>(pos, ss, alpha, beta, depth - 7, cutNode);
        ttMove = TT.probe(pos.key(), ttHit)->move();
    }
    MovePicker mp(pos, ttMove);
    for (Move move; (move = mp.next_move(moveCountPruning)) != MOVE_NONE;) {
        if (move == excludedMove)
            continue;
        if (rootNode && !listed(move))
            continue;
        if (!pos.legal(move))
            continue;
        ss->moveCount = ++moveCount;
        extension = 0;
        givesCheck = pos.gives_check(move);
        if (!rootNode && bestValue > VALUE_LOSS) {
            moveCountPruning = moveCount >= futility_move_count(depth);
            if (!capture(move)) {
                int lmrDepth = std::max(depth - reduction(depth, moveCount), 0);
                if (lmrDepth < 4 && history_of(move) < -3000 * depth)
                    continue;
                if (lmrDepth < 6 && ss->staticEval + 200 * lmrDepth <= alpha)
                    continue;
                if (!pos.see_ge(move, Value(-30 * lmrDepth)))
                    continue;
            } else if (!pos.see_ge(move, Value(-200) * depth))
                continue;
        }
        if (depth >= 6 && move == ttMove && !rootNode && !excludedMove && tte->depth() >= depth - 3) {
            Value singularBeta = ttValue - 2 * depth;
            ss->excludedMove = move;
            value = search<false>(pos, ss, singularBeta - 1, singularBeta, depth / 2, cutNode);
            ss->excludedMove = MOVE_NONE;
            if (value < singularBeta)
                extension = 1;
            else if (singularBeta >= beta)
                return singularBeta;
        } else if (givesCheck && pos.see_ge(move))
            extension = 1;
        // Castling extension
        if (type_of(move) == CASTLING)
            extension = 1;
        newDepth = depth - 1 + extension;
        pos.do_move(move);
        if (depth >= 3 && moveCount > 1 + rootNode && !capture(move)) {
            r = reduction(depth, moveCount);
            if (cutNode)
                r += 2;
            r -= statScore(move) / 16384;
            Depth d = std::max(newDepth - r, 1);
            value = -search<false>(pos, ss + 1, -(alpha + 1), -alpha, d, true);
            if (value > alpha && d != newDepth)
                value = -search<false>(pos, ss + 1, -(alpha + 1), -alpha, newDepth, !cutNode);
        } else if (!Pv || moveCount > 1)
            value = -search<false>(pos, ss + 1, -(alpha + 1), -alpha, newDepth, !cutNode);
        if (Pv && (moveCount == 1 || value > alpha))
            value = -search<true>(pos, ss + 1, -beta, -alpha, newDepth, false);
        pos.undo_move(move);
        if (Threads.stop.load())
            return VALUE_ZERO;
        if (value > bestValue) {
            bestValue = value;
            if (value > alpha) {
                if (value >= beta)
                    break;
                alpha = value;
            }
        }
    }
    return bestValue;
}

} // namespace
