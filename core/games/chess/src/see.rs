//! Static exchange evaluation: what a capture is worth once both sides have retaken on its square.
//!
//! The swap algorithm: attackers take in order of value, lines that open behind them are added, and either
//! side may stop. Pins are ignored; a king takes only what is not guarded, and last; a pawn that takes on the
//! last rank becomes a queen. The order of value is nearly
//! always the best one; a man that stands before an enemy slider, or a promotion, can make another better.

use super::position::{captured, takes_en_passant};
use super::slides::{get_bishop_moves, get_rook_moves};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_king_moves, get_knight_moves, get_pawn_attacks,
};

/// Classical values for exchanges and balances, pawn to king, centipawns. Bishop and knight are equal, so
/// that exchanging one for the other loses nothing.
pub(super) const VALUE: [i32; 6] = [100, 320, 320, 500, 950, 20_000];

/// What becoming a queen adds to a pawn.
const PROMOTED: i32 = VALUE[Piece::Queen as usize] - VALUE[Piece::Pawn as usize];

#[inline]
pub(super) fn value(piece: Piece) -> i32 {
    VALUE[piece as usize]
}

/// What the mover's men are worth beyond the other side's, in the values of exchanges.
pub(super) fn balance(board: &Board) -> i32 {
    let material = |color: Color| -> i32 {
        let men = &Piece::ALL[..5];
        men.iter().map(|&piece| value(piece) * board.colored_pieces(color, piece).len() as i32).sum()
    };
    let us = board.side_to_move();
    material(us) - material(!us)
}

/// What a move takes and gains by promotion, before any reply.
#[inline]
pub(super) fn gain(board: &Board, mv: Move) -> i32 {
    let victim = captured(board, mv).map_or(0, |(piece, _)| value(piece));
    victim + promoted(mv)
}

/// The same for a capture or promotion by `mover` with `victim` on the target square: none there means that
/// a pawn leaving its file takes en passant.
#[inline]
pub(super) fn gain_of(mv: Move, victim: Option<Piece>, mover: Piece) -> i32 {
    let passing = mover == Piece::Pawn && mv.from.file() != mv.to.file();
    promoted(mv) + victim.map_or(if passing { value(Piece::Pawn) } else { 0 }, value)
}

#[inline]
fn promoted(mv: Move) -> i32 {
    mv.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn))
}

/// Whether a capture or promotion by `mover` loses material on its target square, where `victim` stands.
/// Cheaper than the exchange where the victim is worth the mover and no pawn can retake with promotion.
#[inline]
pub(super) fn loses(board: &Board, mv: Move, mover: Piece, victim: Option<Piece>) -> bool {
    if let Some(victim) = victim
        && value(victim) >= value(mover)
        && mv.promotion.is_none()
        && mv.to.rank() != Rank::First.relative_to(board.side_to_move())
    {
        return false;
    }
    let gain = gain_of(mv, victim, mover);
    // On the last rank a pawn that takes again wins more than the retaker.
    if mv.to.rank() != Rank::Eighth.relative_to(board.side_to_move())
        && let Some(retaker) = guard(board, mv)
        && gain + value(retaker) < value(mover)
    {
        return true;
    }
    !exchange_reaches(board, mv, mover, gain, 0)
}

/// A pawn, knight or bishop of the other side that retakes on the target square, if it is plain to see. Whatever retakes it
/// wins no more than its value, so with the capture that may already be too little; a cheaper guard would make it less.
#[inline]
fn guard(board: &Board, mv: Move) -> Option<Piece> {
    let us = board.side_to_move();
    let enemy = board.colors(!us);
    let stands = |squares: BitBoard, piece| !(squares & enemy & board.pieces(piece)).is_empty();
    if stands(get_pawn_attacks(mv.to, us), Piece::Pawn) {
        Some(Piece::Pawn)
    } else if stands(get_knight_moves(mv.to), Piece::Knight) {
        Some(Piece::Knight)
    } else if stands(get_bishop_moves(mv.to, board.occupied() ^ mv.from.bitboard()), Piece::Bishop) {
        Some(Piece::Bishop)
    } else {
        None
    }
}

/// Material won by any move and the exchange that follows, negative if it loses.
pub(super) fn see(board: &Board, mv: Move) -> i32 {
    match board.piece_on(mv.from) {
        Some(mover) if !board.colors(board.side_to_move()).has(mv.to) => {
            exchange(board, mv, mover, gain(board, mv))
        }
        _ => 0,
    }
}

/// Whether [`see`] is at least `least`. What the move wins at once is the most that it wins, and losing the man that moved the
/// worst that happens, but on the first rank, where a pawn that retakes becomes a queen.
pub(super) fn reaches(board: &Board, mv: Move, least: i32) -> bool {
    let us = board.side_to_move();
    let mover = match board.piece_on(mv.from) {
        Some(mover) if !board.colors(us).has(mv.to) => mover,
        _ => return least <= 0,
    };
    let gain = gain(board, mv);
    if gain < least {
        return false;
    }
    let at_most = value(mv.promotion.unwrap_or(mover));
    if gain - at_most >= least && mv.to.rank() != Rank::First.relative_to(us) {
        return true;
    }
    exchange_reaches(board, mv, mover, gain, least)
}

/// The exchange begun by a move of `mover` that gains `gain` at once; not for castling.
fn exchange(board: &Board, mv: Move, mover: Piece, gain: i32) -> i32 {
    let mut exchange = Exchange::after(board, mv, mover);
    let mut gains = [0; 32];
    gains[0] = gain;
    let mut standing = value(mv.promotion.unwrap_or(mover));
    let mut side = !board.side_to_move();
    let mut last = 0;
    while let Some(piece) = exchange.take(side) {
        let bonus = exchange.bonus(piece);
        last += 1;
        gains[last] = standing + bonus - gains[last - 1];
        standing = value(piece) + bonus;
        side = !side;
    }
    // Either side stops before the exchange turns against it.
    for i in (1..=last).rev() {
        gains[i - 1] = -gains[i].max(-gains[i - 1]);
    }
    gains[0]
}

/// Whether [`exchange`] is at least `least`. Each side takes with the same men, but only as long as the answer is open.
fn exchange_reaches(board: &Board, mv: Move, mover: Piece, gain: i32, least: i32) -> bool {
    // What the other side may win by retaking.
    let mut spare = gain - least;
    if spare < 0 {
        return false;
    }
    let mut exchange = Exchange::after(board, mv, mover);
    let mut standing = value(mv.promotion.unwrap_or(mover));
    let us = board.side_to_move();
    loop {
        let Some(piece) = exchange.take(!us) else { return true };
        let bonus = exchange.bonus(piece);
        let needed = standing + bonus - spare;
        if needed <= 0 {
            return true;
        }
        standing = value(piece) + bonus;
        let Some(piece) = exchange.take(us) else { return false };
        let bonus = exchange.bonus(piece);
        spare = standing + bonus - needed;
        if spare < 0 {
            return false;
        }
        standing = value(piece) + bonus;
    }
}

struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    occupied: BitBoard,
    attackers: BitBoard,
}

impl<'a> Exchange<'a> {
    /// What is left to be exchanged after a move of `mover`.
    #[inline]
    fn after(board: &'a Board, mv: Move, mover: Piece) -> Exchange<'a> {
        let mut occupied = board.occupied() ^ mv.from.bitboard();
        if mover == Piece::Pawn && takes_en_passant(board, mv) {
            occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
        }
        Exchange { board, target: mv.to, occupied, attackers: attackers(board, mv.to, occupied) }
    }

    /// What a man that takes wins besides.
    #[inline]
    fn bonus(&self, piece: Piece) -> i32 {
        if piece == Piece::Pawn && self.promotes() { PROMOTED } else { 0 }
    }

    /// Takes with the least valuable man of `side`; none if there is none that may.
    #[inline]
    fn take(&mut self, side: Color) -> Option<Piece> {
        let own_attackers = self.attackers & self.board.colors(side);
        if own_attackers.is_empty() {
            return None;
        }
        for piece in Piece::ALL {
            let Some(square) = (own_attackers & self.board.pieces(piece)).next_square() else { continue };
            self.occupied ^= square.bitboard();
            self.attackers |= self.behind(piece);
            self.attackers &= self.occupied;
            let guarded = !(self.attackers & self.board.colors(!side)).is_empty();
            return (piece != Piece::King || !guarded).then_some(piece);
        }
        None
    }

    fn promotes(&self) -> bool {
        matches!(self.target.rank(), Rank::First | Rank::Eighth)
    }

    /// Sliders that see the target now that a man in front of them is gone.
    #[inline]
    fn behind(&self, gone: Piece) -> BitBoard {
        match gone {
            Piece::Knight => BitBoard::EMPTY,
            Piece::Pawn | Piece::Bishop => self.diagonal(),
            Piece::Rook => self.straight(),
            Piece::Queen | Piece::King => self.diagonal() | self.straight(),
        }
    }

    fn diagonal(&self) -> BitBoard {
        diagonal(self.board, self.target, self.occupied)
    }

    fn straight(&self) -> BitBoard {
        straight(self.board, self.target, self.occupied)
    }
}

#[inline]
fn diagonal(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let sliders = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    get_bishop_moves(square, occupied) & sliders
}

#[inline]
fn straight(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let sliders = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    get_rook_moves(square, occupied) & sliders
}

/// The men of either side among `occupied` that attack a square.
#[inline]
pub(super) fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let pawns = |color: Color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    let attackers = diagonal(board, square, occupied)
        | straight(board, square, occupied)
        | (get_knight_moves(square) & board.pieces(Piece::Knight))
        | (get_king_moves(square) & board.pieces(Piece::King))
        | pawns(Color::White)
        | pawns(Color::Black);
    attackers & occupied
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use super::*;

    type Men = [Option<(Color, Piece)>; 64];

    fn men(board: &Board) -> Men {
        Square::ALL.map(|square| board.color_on(square).zip(board.piece_on(square)))
    }

    /// Squares from which `color` attacks `target`, found by walking.
    fn attackers(men: &Men, target: usize, color: Color) -> Vec<usize> {
        let up = if color == Color::White { 1 } else { -1 };
        (0..64)
            .filter(|&from| {
                let Some((owner, piece)) = men[from] else { return false };
                let (df, dr) = ((target % 8) as i32 - (from % 8) as i32, target as i32 / 8 - from as i32 / 8);
                let (far, near) = (df.abs().max(dr.abs()), df.abs().min(dr.abs()));
                let clear = || {
                    (1..far).all(|step| {
                        let file = (from % 8) as i32 + df.signum() * step;
                        let rank = (from / 8) as i32 + dr.signum() * step;
                        men[(rank * 8 + file) as usize].is_none()
                    })
                };
                owner == color
                    && far > 0
                    && match piece {
                        Piece::Pawn => df.abs() == 1 && dr == up,
                        Piece::Knight => (far, near) == (2, 1),
                        Piece::Bishop => far == near && clear(),
                        Piece::Rook => near == 0 && clear(),
                        Piece::Queen => (near == 0 || far == near) && clear(),
                        Piece::King => far == 1,
                    }
            })
            .collect()
    }

    fn quick(board: &Board, mv: Move) -> bool {
        let mover = board.piece_on(mv.from).expect("a move has a mover");
        loses(board, mv, mover, board.piece_on(mv.to))
    }

    /// Best result of taking on `target` or not. With `any`, over all attackers in any order, the king
    /// last; otherwise with the least valuable one.
    fn best_capture(men: &Men, target: usize, color: Color, any: bool) -> i32 {
        let taken = men[target].map_or(0, |(_, piece)| value(piece));
        let mut from = attackers(men, target, color);
        let worth = |from: usize| men[from].map_or(0, |(_, piece)| value(piece));
        from.sort_by_key(|&from| worth(from));
        if any {
            let alone = from.len() == 1;
            from.retain(|&square| alone || worth(square) < value(Piece::King));
        } else {
            from.truncate(1);
        }
        let mut best = 0;
        for from in from {
            let mut next = *men;
            next[target] = next[from].take();
            let king = matches!(next[target], Some((_, Piece::King)));
            if king && !attackers(&next, target, !color).is_empty() {
                continue;
            }
            let promotes = matches!(next[target], Some((_, Piece::Pawn))) && matches!(target / 8, 0 | 7);
            if promotes {
                next[target] = Some((color, Piece::Queen));
            }
            let gain = taken + if promotes { PROMOTED } else { 0 };
            best = best.max(gain - best_capture(&next, target, !color, any));
        }
        best
    }

    #[test]
    fn the_exchange_equals_a_search_of_the_captures_on_the_square() {
        let game = Chess::default();
        let (mut checked, mut losing, mut promoting, mut other_order) = (0, 0, 0, 0);
        for pos in testing::positions(4000) {
            let board = &pos.board;
            for mv in testing::moves(&game, &pos) {
                if board.colors(board.side_to_move()).has(mv.to) {
                    continue;
                }
                let mut after = men(board);
                let mover = after[mv.from as usize].take();
                after[mv.to as usize] = mover.map(|(color, piece)| (color, mv.promotion.unwrap_or(piece)));
                if takes_en_passant(board, mv) {
                    after[Square::new(mv.to.file(), mv.from.rank()) as usize] = None;
                }
                let reply = |any| best_capture(&after, mv.to as usize, !board.side_to_move(), any);
                let value = see(board, mv);
                assert_eq!(value, gain(board, mv) - reply(false), "{mv} in {board}");
                assert_eq!(quick(board, mv), value < 0, "{mv} in {board}");
                for least in [-951, -500, -220, -100, 0, 1, 100, value, value + 1] {
                    assert_eq!(reaches(board, mv, least), value >= least, "{mv} in {board}: {least}");
                }
                if matches!(mv.to.rank(), Rank::First | Rank::Eighth) {
                    promoting += 1;
                } else {
                    other_order += u32::from(value != gain(board, mv) - reply(true));
                }
                checked += 1;
                losing += i32::from(value < 0);
            }
        }
        assert!(checked > 50_000 && losing > 5_000 && promoting > 5_000, "{checked} {losing} {promoting}");
        // A man that shields an enemy line had better not take first; the swap algorithm does not see it.
        assert!(other_order * 500 < checked, "{other_order} of {checked}");
    }

    #[test]
    fn exchanges_counted_by_hand() {
        for (fen, mv, expected) in [
            // A pawn that nothing guards.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            // Knight takes pawn, and loses the knight for it: the rest of the exchange is even.
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
            // Rook takes guarded pawn.
            ("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500),
            // The second rook behind the first makes the capture good.
            ("4r1k1/8/8/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100),
            // Queen in front of the rook: the queen must not be first.
            ("4r1k1/8/8/4p3/8/8/4Q3/K3R3 w - - 0 1", "e2e5", 100 - 950 + 500),
            // En passant, unguarded and guarded.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // Promotion on a free and on a guarded square.
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850 - 950),
            // A king may retake only what is not guarded.
            ("8/8/8/3k4/4p3/8/5N2/4K3 w - - 0 1", "f2e4", 100 - 320),
            ("8/8/8/3k4/4p3/8/5N2/4R1K1 w - - 0 1", "f2e4", 100),
            // Rook takes queen, and a pawn retakes and becomes a queen itself.
            ("4k3/8/8/8/8/2K5/6p1/3R3q w - - 0 1", "d1h1", 950 - 500 - 850),
        ] {
            let board: Board = fen.parse().expect("a legal position");
            let mv: Move = mv.parse().expect("a move");
            assert!(board.is_legal(mv), "{mv} in {fen}");
            assert_eq!(see(&board, mv), expected, "{mv} in {fen}");
        }
    }
}
