//! The rules, but for castling and en passant, on a board of 16 columns of which 8 count.

pub const PAWN: i8 = 1;
pub const KNIGHT: i8 = 2;
pub const QUEEN: i8 = 5;
pub const KING: i8 = 6;
pub const VALUE: [i32; 7] = [0, 100, 320, 330, 500, 900, 0];

const JUMPS: [i32; 8] = [33, 31, 18, 14, -33, -31, -18, -14];
const DIAGONAL: [i32; 4] = [17, 15, -17, -15];
const STRAIGHT: [i32; 4] = [16, 1, -16, -1];
const ALL: [i32; 8] = [17, 15, -17, -15, 16, 1, -16, -1];

fn steps(piece: i8) -> &'static [i32] {
    match piece {
        2 => &JUMPS,
        3 => &DIAGONAL,
        4 => &STRAIGHT,
        _ => &ALL,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub taken: i8,
    pub promotes: bool,
}

impl Move {
    pub fn text(self) -> String {
        let name = |square: u8| format!("{}{}", (b'a' + (square & 7)) as char, (b'1' + (square >> 4)) as char);
        format!("{}{}{}", name(self.from), name(self.to), if self.promotes { "q" } else { "" })
    }
}

#[derive(Clone)]
pub struct Board {
    pub square: [i8; 128],
    pub white: bool,
    king: [usize; 2],
}

fn on(square: i32) -> bool {
    square & 0x88 == 0
}

impl Board {
    pub fn read(fen: &str) -> Board {
        let mut board = Board { square: [0; 128], white: true, king: [0; 2] };
        let mut fields = fen.split_whitespace();
        let mut at = 112_i32;
        for letter in fields.next().unwrap_or_default().chars() {
            match letter {
                '/' => at -= 24,
                '1'..='8' => at += letter as i32 - '0' as i32,
                _ => {
                    let piece = " pnbrqk".find(letter.to_ascii_lowercase()).unwrap_or(0) as i8;
                    let white = letter.is_ascii_uppercase();
                    board.square[at as usize] = if white { piece } else { -piece };
                    if piece == KING {
                        board.king[usize::from(!white)] = at as usize;
                    }
                    at += 1;
                }
            }
        }
        board.white = fields.next() != Some("b");
        board
    }

    fn side(&self) -> i8 {
        if self.white { 1 } else { -1 }
    }

    fn attacked(&self, square: usize, by_white: bool) -> bool {
        let side: i8 = if by_white { 1 } else { -1 };
        for piece in KNIGHT..=KING {
            for step in steps(piece) {
                let mut to = square as i32 + step;
                while on(to) {
                    let there = self.square[to as usize];
                    if there == side * piece {
                        return true;
                    }
                    if there != 0 || piece == KNIGHT || piece == KING {
                        break;
                    }
                    to += step;
                }
            }
        }
        [15, 17].iter().any(|step| {
            let from = square as i32 - i32::from(side) * step;
            on(from) && self.square[from as usize] == side * PAWN
        })
    }

    pub fn in_check(&self) -> bool {
        self.attacked(self.king[usize::from(!self.white)], !self.white)
    }

    pub fn moves(&self, captures_only: bool) -> Vec<Move> {
        let (mut moves, side) = (Vec::new(), self.side());
        let mut add = |from: usize, to: i32| {
            let last = self.square[from].abs() == PAWN && (to >> 4 == 7 || to >> 4 == 0);
            moves.push(Move { from: from as u8, to: to as u8, taken: self.square[to as usize].abs(), promotes: last });
        };
        for from in (0..128).filter(|from| from & 0x88 == 0 && self.square[*from] * side > 0) {
            let piece = self.square[from] * side;
            let forward = i32::from(side);
            if piece == PAWN {
                for step in [15, 17] {
                    let to = from as i32 + forward * step;
                    if on(to) && self.square[to as usize] * side < 0 {
                        add(from, to);
                    }
                }
                let to = from as i32 + forward * 16;
                if captures_only || !on(to) || self.square[to as usize] != 0 {
                    continue;
                }
                add(from, to);
                let second = if self.white { 1 } else { 6 };
                if from >> 4 == second && self.square[(to + forward * 16) as usize] == 0 {
                    add(from, to + forward * 16);
                }
                continue;
            }
            for step in steps(piece) {
                let mut to = from as i32 + step;
                while on(to) {
                    let there = self.square[to as usize];
                    if there * side > 0 {
                        break;
                    }
                    if there != 0 || !captures_only {
                        add(from, to);
                    }
                    if there != 0 || piece == KNIGHT || piece == KING {
                        break;
                    }
                    to += step;
                }
            }
        }
        moves
    }

    /// The board after a move; none if it is not legal.
    pub fn after(&self, mv: Move) -> Option<Board> {
        let (mut next, side) = (self.clone(), self.side());
        let piece = if mv.promotes { side * QUEEN } else { self.square[mv.from as usize] };
        next.square[mv.to as usize] = piece;
        next.square[mv.from as usize] = 0;
        if piece == side * KING {
            next.king[usize::from(!self.white)] = mv.to as usize;
        }
        next.white = !self.white;
        let is_legal = !next.attacked(next.king[usize::from(!self.white)], next.white);
        is_legal.then_some(next)
    }

    pub fn evaluate(&self) -> i32 {
        let mut sum = 0;
        for square in (0..128_i32).filter(|square| on(*square)) {
            let piece = self.square[square as usize];
            if piece == 0 {
                continue;
            }
            let (file, rank) = (square & 7, square >> 4);
            let centre = 6 - (2 * file - 7).abs() / 2 - (2 * rank - 7).abs() / 2;
            let worth = VALUE[piece.unsigned_abs() as usize] + if piece.abs() == KING { -centre } else { 3 * centre };
            sum += if piece > 0 { worth } else { -worth };
        }
        if self.white { sum } else { -sum }
    }
}
