//! Whether a chess or Othello position can be, told from its text alone and without any of the program's code.
//!
//! Only what is certain is judged: a position that passes may still be out of reach of every game.

/// Pieces by square, a1 first; `0` is empty.
type Board = [u8; 64];

/// Why a FEN is no position that a game could have; `None` if nothing speaks against it.
pub(super) fn chess(fen: &str) -> Option<&'static str> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let [men, side, castling, passant, ..] = fields[..] else { return Some("fields are missing") };
    let Some(board) = board(men) else { return Some("no board of 64 squares") };
    let white = match side {
        "w" => true,
        "b" => false,
        _ => return Some("no side to move"),
    };
    let kings = [b'K', b'k'].map(|king| squares(&board, king));
    let ([one], [two]) = (&kings[0][..], &kings[1][..]) else { return Some("not one king each") };
    if distance(*one, *two) <= 1 {
        return Some("kings on neighbouring squares");
    }
    let (mover, other) = if white { (*one, *two) } else { (*two, *one) };
    if !attackers(&board, other, white).is_empty() {
        return Some("the side that has moved is in check");
    }
    if attackers(&board, mover, !white).len() > 2 {
        return Some("more than two men give check");
    }
    if board.iter().enumerate().any(|(at, man)| man.eq_ignore_ascii_case(&b'p') && matches!(at / 8, 0 | 7)) {
        return Some("a pawn on the first or last rank");
    }
    if [u8::is_ascii_uppercase, u8::is_ascii_lowercase].into_iter().any(|is_side| too_many(&board, is_side)) {
        return Some("more men than promotions allow");
    }
    if castling != "-" && !castling.chars().all(|right| may_castle(&board, right)) {
        return Some("castling without king and rook at home");
    }
    if passant != "-" && !may_be_passed(&board, passant, white) {
        return Some("no pawn can have passed the en passant square");
    }
    None
}

/// Why a text is no Othello position.
pub(super) fn othello(text: &str) -> Option<&'static str> {
    let marks: Vec<char> = text.chars().filter(|mark| !mark.is_whitespace()).collect();
    if marks.len() != 65 || !marks.iter().all(|mark| "XO-".contains(*mark)) || marks[64] == '-' {
        return Some("not 64 squares and a side");
    }
    // A disc is never taken off, and the four of the centre are there from the start.
    if [27, 28, 35, 36].iter().any(|&centre| marks[centre] == '-') {
        return Some("an empty square in the centre");
    }
    None
}

fn board(men: &str) -> Option<Board> {
    let mut board = [0; 64];
    let ranks: Vec<&str> = men.split('/').collect();
    for (down, rank) in ranks.iter().enumerate() {
        let mut file = 0;
        for man in rank.bytes() {
            match man {
                b'1'..=b'8' => file += usize::from(man - b'0'),
                _ if b"PNBRQKpnbrqk".contains(&man) => {
                    *board.get_mut(((7_usize.checked_sub(down)?) * 8) + file).filter(|_| file < 8)? = man;
                    file += 1;
                }
                _ => return None,
            }
        }
        if file != 8 {
            return None;
        }
    }
    (ranks.len() == 8).then_some(board)
}

fn squares(board: &Board, man: u8) -> Vec<usize> {
    (0..64).filter(|&at| board[at] == man).collect()
}

fn distance(one: usize, two: usize) -> usize {
    (one % 8).abs_diff(two % 8).max((one / 8).abs_diff(two / 8))
}

/// The square so far from another, if it is on the board.
fn step(from: usize, file: i32, rank: i32) -> Option<usize> {
    let (file, rank) = ((from % 8) as i32 + file, (from / 8) as i32 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTING: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Where men of a colour attack a square from, other kings aside.
fn attackers(board: &Board, target: usize, white: bool) -> Vec<usize> {
    let is = |at: usize, men: &[u8; 2]| {
        let man = board[at];
        man.is_ascii_uppercase() == white && man != 0 && men.contains(&man.to_ascii_lowercase())
    };
    let mut from: Vec<usize> =
        LEAPS.iter().filter_map(|&(f, r)| step(target, f, r)).filter(|&at| is(at, b"nn")).collect();
    // A pawn attacks forwards: it stands one rank behind its target.
    let behind = if white { -1 } else { 1 };
    from.extend([-1, 1].iter().filter_map(|&file| step(target, file, behind)).filter(|&at| is(at, b"pp")));
    for (rays, men) in [(STRAIGHT, b"rq"), (SLANTING, b"bq")] {
        for (file, rank) in rays {
            let mut at = step(target, file, rank);
            while at.is_some_and(|at| board[at] == 0) {
                at = at.and_then(|at| step(at, file, rank));
            }
            from.extend(at.filter(|&at| is(at, men)));
        }
    }
    from
}

/// More pawns and promoted men than eight pawns can become.
fn too_many(board: &Board, is_side: fn(&u8) -> bool) -> bool {
    let count = |man: u8| board.iter().filter(|at| is_side(at) && at.to_ascii_lowercase() == man).count();
    let surplus = [(b'n', 2), (b'r', 2), (b'q', 1)].map(|(man, usual)| count(man).saturating_sub(usual));
    // Bishops are two of different colours.
    let shades = [0, 1].map(|shade| {
        let on = |at: &usize| is_side(&board[*at]) && board[*at].eq_ignore_ascii_case(&b'b');
        (0..64).filter(on).filter(|at| (at % 8 + at / 8) % 2 == shade).count().saturating_sub(1)
    });
    count(b'p') + surplus.iter().sum::<usize>() + shades.iter().sum::<usize>() > 8
}

fn may_castle(board: &Board, right: char) -> bool {
    let rank = if right.is_ascii_uppercase() { 0 } else { 56 };
    let (king, rook) = if rank == 0 { (b'K', b'R') } else { (b'k', b'r') };
    let corner = match right.to_ascii_lowercase() {
        'k' => 7,
        'q' => 0,
        _ => return false,
    };
    board[rank + 4] == king && board[rank + corner] == rook
}

fn may_be_passed(board: &Board, square: &str, white: bool) -> bool {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *square.as_bytes() else { return false };
    let at = usize::from(rank - b'1') * 8 + usize::from(file - b'a');
    // The other side has just moved: its pawn stands one step further on.
    let (home, row, pawn, on) =
        if white { (at + 8, 5, b'p', at.wrapping_sub(8)) } else { (at.wrapping_sub(8), 2, b'P', at + 8) };
    at / 8 == row && board[at] == 0 && board[home] == 0 && board[on] == pawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;

    #[test]
    fn positions_of_games_pass() {
        // cozy-chess plays: the judge must not object to anything that can be reached.
        let game = secateur_games::chess::Chess::default();
        let start = secateur_games::chess::START;
        for pos in secateur_core::game::random_games(&game, &[start], 120, 1).take(60 * 120) {
            let fen = game.format(&pos);
            assert_eq!(chess(&fen), None, "{fen}");
        }
    }

    #[test]
    fn impossible_positions_do_not() {
        for fen in [
            "8/8/8/3kK3/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/3n4/4K2n b - - 0 1 ",
            "4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1",
            "4k3/pppppppp/8/8/8/2QQ4/PPPPPPPP/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        ] {
            let judged = chess(fen);
            // The third: a knight on d2 does not attack e1, so that one is fine.
            assert_eq!(judged.is_none(), fen.ends_with("0 1 "), "{fen}: {judged:?}");
        }
        let start = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
        assert_eq!(othello(&start), None);
        assert!(othello(&start.replace("OX", "-X")).is_some() && othello(&start[1..]).is_some());
    }
}
