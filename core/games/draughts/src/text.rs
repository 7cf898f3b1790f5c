//! Positions and moves as the portable draughts notation (PDN 3.0) writes them, and moves in 16 bits.
//!
//! A position is its FEN tag: who moves, then the squares of white and of black, `K` before those of kings. Squares are
//! numbered 1 to 32 from the side of black, which begins. `:H12` after it is the number of plies without progress, as some
//! programs write it; it is left out where it is 0. A move is `11-15`, or `22x15` from the first square to the last; where
//! two captures share those, all squares between are written too: `22x15x8`. A step is read with either sign, because files of games
//! have `10x14` for one.
//!
//! Left out: ranges of squares and letters of other draughts (`Wa3`).
//!
//! A move in 16 bits needs no board to be read. A jumping piece comes to eight squares only, which nine jumps join. So
//! a capture is its first square and the set of the jumps made, nine bits: where it ends follows, because every other square
//! is left as often as it is reached. Two ways round that take the same pieces are one move, and two captures between the
//! same squares that take others are two.

use crate::board::{Board, CROWNING, HOME, Move, SQUARES, VALID, bit, bits, square, turned};
use crate::position::{NO_PROGRESS, Position};
use crate::{Draughts, MAN};
use secateur_core::game::{Notation, ParseError, Transcript, Unit, refuse};

/// The most pieces of one side.
const MOST: u32 = 12;
/// The most moves of a position; a made-up one of kings may have more.
const MOST_MOVES: usize = 112;

impl Notation for Draughts {
    const UNIT: Unit = Unit { name: "man", scale: MAN, score: "1/100 man" };

    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    /// PDN: English draughts, which black begins, on squares that are numbered.
    fn transcript(&self) -> Transcript {
        Transcript { position: "FEN", tags: &[("GameType", "21,B,8,8,N1,0")] }
    }

    fn start(&self) -> Option<String> {
        Some(self.format(&Draughts::start(self)))
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        let mut parts = text.split(':').map(|part| (part.as_ptr() as usize - text.as_ptr() as usize, part));
        let black_to_move = match parts.next() {
            Some((_, "B")) => true,
            Some((_, "W")) => false,
            other => {
                let side = other.map_or("", |(_, part)| part);
                return refuse(0, format!("found `{side}`, expected the side to move, B or W, and a colon"));
            }
        };
        let mut sides = [None; 2];
        let (mut kings, mut clock) = (0, 0);
        for (at, part) in parts {
            match part.chars().next() {
                Some(side @ ('W' | 'B')) if sides[usize::from(side == 'B')].is_none() => {
                    let taken = sides.iter().flatten().fold(0, |all, set| all | set);
                    let (pieces, crowned) = squares_of(&part[1..], at + 1, taken)?;
                    sides[usize::from(side == 'B')] = Some(pieces);
                    kings |= crowned;
                }
                Some('H') => clock = count(&part[1..], at + 1)?,
                // The number of the move, which means nothing.
                Some('F') => {
                    count(&part[1..], at + 1)?;
                }
                _ => {
                    return refuse(
                        at,
                        format!("found `{part}`, expected one list W and one list B of squares"),
                    );
                }
            }
        }
        let [Some(white), Some(black)] = sides else {
            return refuse(text.len(), "expected a list W and a list B of squares");
        };
        let board = if black_to_move {
            Board { mover: black, other: white, kings }
        } else {
            Board { mover: turned(white), other: turned(black), kings: turned(kings) }
        };
        check(&board)?;
        if clock > NO_PROGRESS.into() {
            return refuse(
                text.len(),
                format!("{clock} plies without progress, expected at most {NO_PROGRESS}"),
            );
        }
        Ok(Position::new(board, black_to_move, clock as u8))
    }

    fn format(&self, pos: &Position) -> String {
        let mut text = placed(pos);
        if pos.clock > 0 {
            text += &format!(":H{}", pos.clock);
        }
        text
    }

    /// The position as black sees it, whoever moves.
    fn canonical(&self, pos: &Position) -> String {
        placed(&Position { black_to_move: true, ..*pos })
    }

    fn identity(&self, pos: &Position) -> String {
        placed(pos)
    }

    fn parse_move(&self, pos: &Position, text: &str) -> Result<Move, ParseError> {
        let wanted = || ParseError::new(0, format!("found `{text}`, expected a move as 11-15 or 22x15"));
        let mut way = Vec::new();
        for digits in text.split(['-', 'x']) {
            let index = digits.parse::<usize>().ok().filter(|number| (1..=SQUARES).contains(number));
            let index = index.ok_or_else(wanted)?;
            way.push(bit(if pos.black_to_move { index - 1 } else { SQUARES - index }));
        }
        let [from, .., to] = way[..] else { return Err(wanted()) };
        let mut moves = Vec::new();
        pos.board.each_move(|mv| {
            let there = (mv.from, mv.to) == (from, to) && (!mv.is_capture() || text.contains('x'));
            if there && (way.len() == 2 || goes(&way, mv.taken)) {
                moves.push(mv);
            }
        });
        // Both the whole of a short capture and the ends of a long one: then it is the short one.
        if moves.len() > 1 && moves.iter().any(|mv| goes(&way, mv.taken)) {
            moves.retain(|mv| goes(&way, mv.taken));
        }
        match moves[..] {
            [mv] => Ok(mv),
            [] => {
                let mut legal = Vec::new();
                pos.board.each_move(|mv| legal.push(self.format_move(pos, mv)));
                let legal =
                    if legal.is_empty() { "none: the game is over".to_owned() } else { legal.join(" ") };
                refuse(0, format!("found `{text}`, expected a legal move: {legal}"))
            }
            _ => {
                let names: Vec<String> = moves.iter().map(|&mv| self.format_move(pos, mv)).collect();
                refuse(0, format!("found `{text}`, which may be {}", names.join(" or ")))
            }
        }
    }

    fn format_move(&self, pos: &Position, mv: Move) -> String {
        let number = |square_bit| number(square_bit, pos.black_to_move).to_string();
        if !mv.is_capture() {
            return format!("{}-{}", number(mv.from), number(mv.to));
        }
        let mut alike = 0;
        pos.board.each_move(|other| alike += u32::from((other.from, other.to) == (mv.from, mv.to)));
        if alike <= 1 {
            return format!("{}x{}", number(mv.from), number(mv.to));
        }
        let mut way = vec![mv.from];
        find_way(&mut way, mv.taken, mv.to);
        way.into_iter().map(number).collect::<Vec<_>>().join("x")
    }
}

/// The number of a square, given as a bit the mover sees.
pub(crate) fn number(square_bit: u64, black_to_move: bool) -> usize {
    if black_to_move { square(square_bit) + 1 } else { SQUARES - square(square_bit) }
}

/// The position without its clock: what the rules call the same.
pub(crate) fn placed(pos: &Position) -> String {
    let Board { mover, other, kings } = pos.board;
    let seen = |set: u64| if pos.black_to_move { set } else { turned(set) };
    let (white, black) = if pos.black_to_move { (other, mover) } else { (mover, other) };
    let list = |pieces: u64| {
        let names = bits(seen(pieces)).map(|square_bit| {
            let king = if seen(kings) & square_bit != 0 { "K" } else { "" };
            format!("{king}{}", square(square_bit) + 1)
        });
        names.collect::<Vec<_>>().join(",")
    };
    format!("{}:W{}:B{}", if pos.black_to_move { 'B' } else { 'W' }, list(white), list(black))
}

/// Refuses what no game can come to.
fn check(board: &Board) -> Result<(), ParseError> {
    for side in [board.mover, board.other] {
        if side.count_ones() > MOST {
            return refuse(0, format!("{} pieces of a side, expected at most {MOST}", side.count_ones()));
        }
    }
    if board.other == 0 {
        return refuse(0, "the side that has just moved has no piece");
    }
    let men = !board.kings;
    if board.mover & men & CROWNING | board.other & men & HOME != 0 {
        return refuse(0, "a man stands where it would have been crowned");
    }
    let mut moves = 0;
    board.each_move(|_| moves += 1);
    if moves > MOST_MOVES {
        return refuse(0, format!("{moves} moves, expected at most {MOST_MOVES}"));
    }
    Ok(())
}

/// The squares and the kings of a list; `taken` are those of the other list.
fn squares_of(list: &str, at: usize, taken: u64) -> Result<(u64, u64), ParseError> {
    let (mut pieces, mut kings, mut offset) = (0, 0, at);
    let list = list.strip_suffix('.').unwrap_or(list);
    for name in list.split(',').filter(|_| !list.is_empty()) {
        let (king, digits) = name.strip_prefix('K').map_or((false, name), |digits| (true, digits));
        // Squares in a row may be a range, as in `W21-32`.
        let (first, last) = digits.split_once('-').unwrap_or((digits, digits));
        let number = |digits: &str| {
            let number = digits.parse::<usize>().ok();
            let why = match number {
                Some(33..=50) => ": boards of 10 x 10 are not supported",
                _ => "",
            };
            let is_square = number.filter(|number| (1..=SQUARES).contains(number));
            is_square.ok_or_else(|| {
                ParseError::new(offset, format!("found `{name}`, expected a square, 1 to 32{why}"))
            })
        };
        for index in number(first)?..=number(last)? {
            let square_bit = bit(index - 1);
            if (pieces | taken) & square_bit != 0 {
                return refuse(offset, format!("square {index} appears twice"));
            }
            pieces |= square_bit;
            kings |= if king { square_bit } else { 0 };
        }
        offset += name.len() + 1;
    }
    Ok((pieces, kings))
}

fn count(digits: &str, at: usize) -> Result<u32, ParseError> {
    digits.parse().map_err(|_| ParseError::new(at, format!("found `{digits}`, expected a number")))
}

/// Goes on from the last square of a way over all that is left to take; whether it comes to `to`.
fn find_way(way: &mut Vec<u64>, left: u64, to: u64) -> bool {
    let at = *way.last().expect("a way begins somewhere");
    if left == 0 {
        return at == to;
    }
    for (over, next) in [(at << 4, at << 8), (at << 5, at << 10), (at >> 4, at >> 8), (at >> 5, at >> 10)] {
        if over & left != 0 && next & VALID != 0 {
            way.push(next);
            if find_way(way, left & !over, to) {
                return true;
            }
            way.pop();
        }
    }
    false
}

/// Whether a way takes exactly these pieces.
fn goes(way: &[u64], taken: u64) -> bool {
    let over = |step: &[u64]| {
        let (low, high) = (step[0].min(step[1]), step[0].max(step[1]));
        if low << 8 == high {
            low << 4
        } else if low << 10 == high {
            low << 5
        } else {
            0
        }
    };
    let jumps = way.windows(2).map(over);
    jumps.clone().all(|over| over & taken != 0) && jumps.fold(0, |all, over| all | over) == taken
}

/// Marks a step.
const STEP: u16 = 1 << 15;
/// Squares joined by jumps, and jumps between them.
const JUMPS: usize = 9;
/// Kinds of squares: those of even and of odd rows, and of these every other.
const KINDS: usize = 4;

/// What is jumped over in each jump of a kind, as bits, and the two ends.
struct Jump {
    over: u64,
    ends: [u64; 2],
}

/// Which of the four families of squares that jumps join a square belongs to.
const fn kind(index: usize) -> usize {
    let row = index / 4;
    // Rows are shifted against each other by a square: within one parity of rows, files two apart alternate.
    row % 2 * 2 + (index % 4 + row / 2) % 2
}

const TABLE: [[Jump; JUMPS]; KINDS] = {
    const NONE: Jump = Jump { over: 0, ends: [0; 2] };
    let mut table = [const { [NONE; JUMPS] }; KINDS];
    let mut counts = [0; KINDS];
    let mut index = 0;
    while index < SQUARES {
        let mut step = 4;
        while step <= 5 {
            let (from, over, to) = (bit(index), bit(index) << step, bit(index) << (2 * step));
            if over & crate::board::VALID != 0 && to & crate::board::VALID != 0 {
                let kind = kind(index);
                table[kind][counts[kind]] = Jump { over, ends: [from, to] };
                counts[kind] += 1;
            }
            step += 1;
        }
        index += 1;
    }
    let mut kind = 0;
    while kind < KINDS {
        assert!(counts[kind] == JUMPS);
        kind += 1;
    }
    table
};

/// A move in 16 bits, never 0.
pub(crate) fn pack(mv: Move) -> u16 {
    let from = square(mv.from) as u16;
    if mv.taken == 0 {
        return STEP | from << 2 | direction(mv);
    }
    let jumps = TABLE[kind(square(mv.from))].iter().enumerate();
    let made = jumps.fold(0, |set, (at, jump)| set | u16::from(jump.over & mv.taken != 0) << at);
    from << JUMPS | made
}

/// The move of [`pack`]. Bits that no move has give a move that is legal nowhere.
pub(crate) fn unpack(bits: u16) -> Move {
    if bits & STEP != 0 {
        let from = bit(usize::from(bits >> 2) % SQUARES);
        let to = match bits & 3 {
            0 => from << 4,
            1 => from << 5,
            2 => from >> 4,
            _ => from >> 5,
        };
        return Move { from, to, taken: 0 };
    }
    let index = usize::from(bits >> JUMPS) % SQUARES;
    let (mut taken, mut ends) = (0, bit(index));
    for (at, jump) in TABLE[kind(index)].iter().enumerate() {
        if bits >> at & 1 != 0 {
            taken |= jump.over;
            ends ^= jump.ends[0] ^ jump.ends[1];
        }
    }
    Move { from: bit(index), to: ends, taken }
}

/// Of a step: 0 and 1 upwards, 2 and 3 downwards.
pub(crate) fn direction(mv: Move) -> u16 {
    if mv.to > mv.from { u16::from(mv.to == mv.from << 5) } else { 2 + u16::from(mv.to == mv.from >> 5) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use std::collections::BTreeSet;

    fn game() -> Draughts {
        Draughts::default()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut written = std::collections::BTreeSet::new();
        let boards = testing::boards(1_000).into_iter().chain(testing::scattered(5_000));
        for (index, board) in boards.enumerate() {
            for black_to_move in [true, false] {
                let pos = Position::new(board, black_to_move, (index % 80) as u8);
                assert_eq!(game().parse(&game().format(&pos)), Ok(pos));
                for mv in testing::moves(&board) {
                    let text = game().format_move(&pos, mv);
                    assert_eq!(game().parse_move(&pos, &text), Ok(mv), "{} {text}", game().format(&pos));
                    written.insert(text.matches('x').count());
                }
            }
        }
        assert!(written.contains(&0) && written.len() >= 3, "{written:?}");
    }

    #[test]
    fn the_start_is_that_of_the_notation() {
        let text = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        let start = Position::new(Board::START, true, 0);
        assert_eq!(game().format(&start), text);
        let mut moves = Vec::new();
        start.board.each_move(|mv| moves.push(game().format_move(&start, mv)));
        moves.sort();
        assert_eq!(moves, ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]);
        let kings = game().parse("W:B1,2:WK5,21,22:H3:F12").expect("lists in either order");
        assert_eq!(game().format(&kings), "W:WK5,21,22:B1,2:H3");
    }

    #[test]
    fn a_long_capture_may_be_written_in_short_or_in_full() {
        let pos = game().parse("W:W22:B18,11").expect("a position");
        for text in ["22x8", "22x15x8"] {
            assert_eq!(game().parse_move(&pos, text).map(|mv| mv.size()), Ok(2), "{text}");
        }
        // Round either way, or over other pieces between the same squares.
        let round = game().parse("B:W9,10,17,18:BK6").expect("a position");
        for text in ["6x6", "6x13x22x15x6", "6x15x22x13x6"] {
            assert_eq!(game().parse_move(&round, text).map(|mv| mv.size()), Ok(4), "{text}");
        }
        let two = game().parse("B:W9,10,17,18:B6").expect("a position");
        assert_eq!(
            game().parse_move(&two, "6x22").unwrap_err().message,
            "found `6x22`, which may be 6x13x22 or 6x15x22"
        );
    }

    #[test]
    fn squares_in_a_row_may_be_a_range() {
        let all = |squares: std::ops::RangeInclusive<u32>| {
            squares.map(|square| square.to_string()).collect::<Vec<_>>().join(",")
        };
        assert_eq!(
            game().parse("B:W21-32:B1-12"),
            game().parse(&format!("B:W{}:B{}", all(21..=32), all(1..=12)))
        );
        assert!(game().parse("B:W21-32:B1-12").is_ok());
        assert_eq!(game().parse("W:WK5-7,30:B1-2").unwrap(), game().parse("W:WK5,K6,K7,30:B1,2").unwrap());
    }

    #[test]
    fn nonsense_is_refused_at_its_place() {
        for (text, offset, message) in [
            ("", 0, "found ``, expected the side to move, B or W, and a colon"),
            ("X:W1:B2", 0, "found `X`, expected the side to move, B or W, and a colon"),
            ("B:W21", 5, "expected a list W and a list B of squares"),
            ("B:W33:B1", 3, "found `33`, expected a square, 1 to 32: boards of 10 x 10 are not supported"),
            (
                "W:W31-50:B1-20",
                3,
                "found `31-50`, expected a square, 1 to 32: boards of 10 x 10 are not supported",
            ),
            ("B:W21:B1-x", 7, "found `1-x`, expected a square, 1 to 32"),
            ("B:W21-23,22:B1", 9, "square 22 appears twice"),
            ("B:W21,x:B1", 6, "found `x`, expected a square, 1 to 32"),
            ("B:W21:B1,21", 9, "square 21 appears twice"),
            ("B:W21:W22", 6, "found `W22`, expected one list W and one list B of squares"),
            ("B:W4:B1", 0, "a man stands where it would have been crowned"),
            ("B:W:B1", 0, "the side that has just moved has no piece"),
            ("B:W21:B1:Hx", 10, "found `x`, expected a number"),
        ] {
            let refused = game().parse(text).expect_err(text);
            assert_eq!((refused.offset, refused.message.as_str()), (offset, message), "{text}");
        }
        let start = Position::new(Board::START, true, 0);
        let refused = game().parse_move(&start, "11-17").expect_err("no step").message;
        assert!(refused.starts_with("found `11-17`, expected a legal move: 9-13"), "{refused}");
        assert!(game().parse_move(&start, "d3").is_err() && game().parse_move(&start, "11").is_err());
    }

    #[test]
    fn moves_of_a_position_are_told_apart_and_read_back() {
        let (mut alike, mut longest) = (0, 0);
        for board in testing::boards(2_000).into_iter().chain(testing::scattered(20_000)) {
            let mut packed = BTreeSet::new();
            let mut ends = BTreeSet::new();
            let mut moves = 0;
            board.each_move(|mv| {
                assert_eq!(unpack(pack(mv)), mv, "{board:?}");
                assert_ne!(pack(mv), 0);
                packed.insert(pack(mv));
                alike += usize::from(!ends.insert((mv.from, mv.to)));
                longest = longest.max(mv.size());
                moves += 1;
            });
            assert_eq!(packed.len(), moves);
        }
        assert!(alike > 0 && longest >= 4, "{alike} ambiguous, {longest} taken at most");
    }

    #[test]
    fn any_bits_are_some_move() {
        for bits in 0..=u16::MAX {
            let _ = unpack(bits);
        }
    }
}
