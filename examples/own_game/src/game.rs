//! Connect Four as secateur sees a game: rules, evaluation, outcome, texts.

use crate::board::{Board, COLUMNS, LINES, has_four};
use secateur::{Evaluation, Game, Moves, Notation, ParseError, Rules, Score, Scored, Unit};

/// Connect Four on the usual board of seven columns and six rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

/// A column, 0 on the left.
pub type Column = u8;

/// Worth of an open line by the discs in it: a line is open for a side if the other has nothing there.
const OPEN: [i32; 5] = [0, 2, 15, 100, 0];
/// A won game with the board full; the earlier, the more.
const WON: i32 = 20_000;
/// Squares of the board.
const SQUARES: i32 = 42;
/// Columns from the centre outwards: more lines pass through the centre.
const CENTRE_FIRST: [Column; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

impl ConnectFour {
    fn is_over(board: &Board) -> bool {
        has_four(board.other)
    }
}

impl Rules for ConnectFour {
    type Position = Board;
    type Move = Column;

    fn key(&self, board: &Board) -> u64 {
        // SplitMix64's finish over both sides; two odd factors keep them apart.
        let mut hash = board.mover.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ board.other.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(29)
            ^ u64::from(board.turn) << 63;
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    }
    fn side(&self, board: &Board) -> usize {
        board.turn.into()
    }
    fn remaining(&self, board: &Board) -> Option<i32> {
        Some(SQUARES - board.discs() as i32)
    }
    fn mirror(&self, board: &Board) -> Board {
        Board { turn: 1 - board.turn, ..*board }
    }
    fn moves(&self, board: &Board, moves: &mut Moves<Self>) {
        if !ConnectFour::is_over(board) {
            let open = CENTRE_FIRST.iter().filter(|&&column| board.has_room(column));
            moves.extend(open.map(|&mv| Scored { mv, value: 0 }));
        }
    }
    fn play(&self, board: &Board, column: Column) -> Board {
        board.dropped(column)
    }
    fn pack(&self, column: Column) -> u16 {
        u16::from(column) + 1
    }
    fn unpack(&self, bits: u16) -> Column {
        bits as Column - 1
    }
    fn gives_check(&self, board: &Board, column: Column) -> bool {
        has_four(board.mover | board.landing(column))
    }
    fn null(&self, board: &Board) -> Option<Board> {
        Some(board.passed())
    }
    fn outcome(&self, board: &Board, _: u32) -> Score {
        if ConnectFour::is_over(board) { Score(board.discs() as i32 - SQUARES - WON) } else { Score::ZERO }
    }
}

impl Notation for ConnectFour {
    const UNIT: Unit = Unit { name: "three", scale: 100, score: "1/100 of an open three" };

    fn start(&self) -> Option<String> {
        Some(Board::EMPTY.text())
    }
    fn parse(&self, text: &str) -> Result<Board, ParseError> {
        Board::parse(text).map_err(|(offset, message)| ParseError { offset, message })
    }
    fn format(&self, board: &Board) -> String {
        board.text()
    }
    fn canonical(&self, board: &Board) -> String {
        let board = Board { turn: 0, ..*board };
        board.text().min(board.reflected().text())
    }
    fn parse_move(&self, board: &Board, text: &str) -> Result<Column, ParseError> {
        let column = text.as_bytes().first().map_or(COLUMNS as u8, |letter| letter.wrapping_sub(b'a'));
        let legal = text.len() == 1 && u32::from(column) < COLUMNS && board.has_room(column);
        let message = || format!("found {text:?}, expected a column with room, a to g");
        legal.then_some(column).ok_or_else(|| ParseError { offset: 0, message: message() })
    }
    fn format_move(&self, _: &Board, column: Column) -> String {
        char::from(b'a' + column).to_string()
    }
}

impl Evaluation for ConnectFour {
    const STAGES: &'static [&'static str] = &["0-13", "14-27", "28-42"];
    const DECISIVE: Score = Score(WON);

    fn evaluation_id(&self) -> u64 {
        OPEN.iter().fold(1, |id, &worth| id * 1_009 + worth as u64)
    }
    fn stage(&self, board: &Board) -> usize {
        (board.discs() as usize / 14).min(2)
    }
    fn evaluate(&self, board: &Board) -> Score {
        let worth = |line: &u64| {
            let (mover, other) = (board.mover & line, board.other & line);
            let worth_of = |discs: u64| OPEN[discs.count_ones() as usize];
            if other == 0 {
                worth_of(mover)
            } else if mover == 0 {
                -worth_of(other)
            } else {
                0
            }
        };
        Score(LINES.iter().map(worth).sum())
    }
}

impl Game for ConnectFour {
    const NAME: &'static str = "connect-four";
}
