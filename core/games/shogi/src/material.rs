//! What pieces are worth, and what exchanging them on one square comes to.
//!
//! A piece that is taken changes sides: it is lost on the board and won in hand. The numbers are near those that programs of the
//! 1990s used; the evaluation has learnt its own ([`super::Weights`]).

use haitaka::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_lance_moves, get_rook_moves,
    gold_attacks, king_attacks, knight_attacks, pawn_attacks, silver_attacks,
};

/// Worth on the board by kind, 1/100 pawn; kings are not counted.
pub(crate) const BOARD: [i32; 14] = [100, 300, 320, 450, 700, 850, 500, 0, 500, 480, 480, 480, 1000, 1200];
/// Worth in hand by kind.
pub(crate) const IN_HAND: [i32; 14] = [110, 330, 350, 480, 780, 950, 530, 0, 0, 0, 0, 0, 0, 0];
/// What a king counts where pieces are exchanged: more than all others.
const KING: i32 = 20_000;

/// What taking a piece wins: it is gone there and in hand here.
#[inline]
pub(crate) fn taken(piece: Piece) -> i32 {
    if piece == Piece::King { KING } else { BOARD[piece as usize] + IN_HAND[piece.unpromote() as usize] }
}

/// What the mover has more than the other, on the board and in hand.
pub(crate) fn balance(board: &Board) -> i32 {
    let material = |color: Color| -> i32 {
        let placed =
            Piece::ALL.map(|piece| board.colored_pieces(color, piece).len() as i32 * BOARD[piece as usize]);
        let held = board.hand(color).iter().zip(IN_HAND).map(|(&count, worth)| i32::from(count) * worth);
        placed.iter().sum::<i32>() + held.sum::<i32>()
    };
    let us = board.side_to_move();
    material(us) - material(!us)
}

/// What a move changes in the balance at once.
pub(crate) fn gain(board: &Board, mv: Move) -> i32 {
    match mv {
        Move::Drop { piece, .. } => BOARD[piece as usize] - IN_HAND[piece as usize],
        Move::BoardMove { from, to, promotion } => {
            board.piece_on(to).map_or(0, taken) + if promotion { promoted(board, from) } else { 0 }
        }
    }
}

fn promoted(board: &Board, from: Square) -> i32 {
    board.piece_on(from).map_or(0, |piece| BOARD[piece.promote() as usize] - BOARD[piece as usize])
}

/// Everything of either side that attacks a square over these occupied ones.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    use Piece::{Bishop, King, Knight, Lance, PBishop, PRook, Pawn, Rook, Silver};
    let mut attackers = BitBoard::EMPTY;
    let dragons = board.pieces(PRook);
    let horses = board.pieces(PBishop);
    let golds = board.pseudo_tokins();
    for color in [Color::White, Color::Black] {
        // Whoever a piece of the other side would attack from here attacks this.
        let from_here = (pawn_attacks(!color, square) & board.pieces(Pawn))
            | (knight_attacks(!color, square) & board.pieces(Knight))
            | (silver_attacks(!color, square) & board.pieces(Silver))
            | (gold_attacks(!color, square) & golds)
            | (get_lance_moves(!color, square, occupied) & board.pieces(Lance));
        attackers |= from_here & board.colors(color);
    }
    attackers |= king_attacks(Color::Black, square) & (board.pieces(King) | dragons | horses);
    attackers |= get_rook_moves(Color::Black, square, occupied) & (board.pieces(Rook) | dragons);
    attackers |= get_bishop_moves(Color::Black, square, occupied) & (board.pieces(Bishop) | horses);
    attackers & occupied
}

/// The order in which pieces take: the cheapest to lose first.
const CHEAPEST: [Piece; 14] = [
    Piece::Pawn,
    Piece::Lance,
    Piece::Knight,
    Piece::Tokin,
    Piece::PLance,
    Piece::PKnight,
    Piece::Silver,
    Piece::PSilver,
    Piece::Gold,
    Piece::Bishop,
    Piece::Rook,
    Piece::PBishop,
    Piece::PRook,
    Piece::King,
];

/// What a move wins once both sides have taken on its square as long as it pays; negative if it loses. Pins and promotions of those
/// who take back are not seen.
pub(crate) fn exchange(board: &Board, mv: Move) -> i32 {
    let us = board.side_to_move();
    let (to, mut occupied, stands) = match mv {
        Move::Drop { piece, to } => (to, board.occupied() | to.bitboard(), piece),
        Move::BoardMove { from, to, promotion } => {
            let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
            let stands = if promotion { piece.promote() } else { piece };
            (to, board.occupied().rm(from) | to.bitboard(), stands)
        }
    };
    // What each side has won when it is its turn to take or to stop.
    let mut swaps = [0; 40];
    swaps[0] = gain(board, mv);
    let (mut depth, mut victim, mut side) = (0, stands, !us);
    loop {
        let takers = attackers(board, to, occupied) & occupied.rm(to) & board.colors(side);
        let Some((piece, from)) = cheapest(board, takers) else { break };
        depth += 1;
        swaps[depth] = taken(victim) - swaps[depth - 1];
        occupied = occupied.rm(from);
        (victim, side) = (piece, !side);
    }
    while depth > 0 {
        swaps[depth - 1] = -swaps[depth].max(-swaps[depth - 1]);
        depth -= 1;
    }
    swaps[0]
}

fn cheapest(board: &Board, takers: BitBoard) -> Option<(Piece, Square)> {
    if takers.is_empty() {
        return None;
    }
    CHEAPEST
        .into_iter()
        .find_map(|piece| (takers & board.pieces(piece)).next_square().map(|from| (piece, from)))
}

/// Whether a move gives check.
pub(crate) fn gives_check(board: &Board, mv: Move) -> bool {
    let us = board.side_to_move();
    let Some(king) = board.colored_pieces(!us, Piece::King).next_square() else { return false };
    let (from, to, piece) = match mv {
        Move::Drop { piece, to } => (BitBoard::EMPTY, to, piece),
        Move::BoardMove { from, to, promotion } => {
            let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
            (from.bitboard(), to, if promotion { piece.promote() } else { piece })
        }
    };
    let at = to.bitboard();
    let occupied = (board.occupied() & !from) | at;
    let near = match piece {
        Piece::Pawn => pawn_attacks(!us, king),
        Piece::Knight => knight_attacks(!us, king),
        Piece::Silver => silver_attacks(!us, king),
        Piece::Lance | Piece::Bishop | Piece::Rook | Piece::King => BitBoard::EMPTY,
        Piece::PBishop | Piece::PRook => king_attacks(!us, king),
        _ => gold_attacks(!us, king),
    };
    if near.has(to) {
        return true;
    }
    let ours = |kinds: BitBoard, stands: bool| {
        let placed = kinds & board.colors(us) & !from;
        if stands { placed | at } else { placed }
    };
    let rooks = ours(
        board.pieces(Piece::Rook) | board.pieces(Piece::PRook),
        matches!(piece, Piece::Rook | Piece::PRook),
    );
    let bishops = ours(
        board.pieces(Piece::Bishop) | board.pieces(Piece::PBishop),
        matches!(piece, Piece::Bishop | Piece::PBishop),
    );
    let lances = ours(board.pieces(Piece::Lance), piece == Piece::Lance);
    !(get_rook_moves(us, king, occupied) & rooks).is_empty()
        || !(get_bishop_moves(us, king, occupied) & bishops).is_empty()
        || !(get_lance_moves(!us, king, occupied) & lances).is_empty()
}
