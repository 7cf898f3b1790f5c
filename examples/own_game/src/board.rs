//! Connect Four: discs, lines, texts. No word of secateur.

/// Columns and rows of the board. A column has a bit more than rows, so that no shift runs from one into the next.
pub const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const HEIGHT: u32 = ROWS + 1;

/// A position: the discs of the side to move, those of the other, and which side moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub mover: u64,
    pub other: u64,
    pub turn: u8,
}

/// The lowest square of a column.
fn foot(column: u8) -> u64 {
    1 << (u32::from(column) * HEIGHT)
}

fn square(column: u32, row: u32) -> u64 {
    1 << (column * HEIGHT + row)
}

/// Whether there are four in a row.
pub fn has_four(discs: u64) -> bool {
    [1, HEIGHT - 1, HEIGHT, HEIGHT + 1].iter().any(|&step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The lines of four: 24 level, 21 upright, 24 on a slant.
pub const LINES: [u64; 69] = {
    let mut lines = [0; 69];
    let (mut count, mut from) = (0, 0);
    let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
    while from < 4 * COLUMNS * ROWS {
        let (right, up): (i32, i32) = steps[(from % 4) as usize];
        let (column, row) = ((from / 4 % COLUMNS) as i32, (from / 4 / COLUMNS) as i32);
        let (last, top) = (column + 3 * right, row + 3 * up);
        if last < COLUMNS as i32 && top >= 0 && top < ROWS as i32 {
            let mut at = 0;
            while at < 4 {
                lines[count] |= 1 << ((column + at * right) * HEIGHT as i32 + row + at * up);
                at += 1;
            }
            count += 1;
        }
        from += 1;
    }
    assert!(count == 69);
    lines
};

impl Board {
    pub const EMPTY: Board = Board { mover: 0, other: 0, turn: 0 };

    pub fn discs(&self) -> u32 {
        (self.mover | self.other).count_ones()
    }

    /// Whether a disc can be dropped into the column; not whether the game goes on.
    pub fn has_room(&self, column: u8) -> bool {
        (self.mover | self.other) & foot(column) << (ROWS - 1) == 0
    }

    /// Where a disc dropped into the column comes to lie.
    pub fn landing(&self, column: u8) -> u64 {
        let all = self.mover | self.other;
        (all + foot(column)) & !all & (foot(column) << ROWS).wrapping_sub(foot(column))
    }

    pub fn dropped(&self, column: u8) -> Board {
        Board { mover: self.other, other: self.mover | self.landing(column), turn: 1 - self.turn }
    }

    pub fn passed(&self) -> Board {
        Board { mover: self.other, other: self.mover, turn: 1 - self.turn }
    }

    /// Left and right exchanged.
    pub fn reflected(&self) -> Board {
        let flip = |discs: u64| {
            (0..COLUMNS).fold(0, |flipped, column| {
                let stack = discs >> (column * HEIGHT) & ((1 << HEIGHT) - 1);
                flipped | stack << ((COLUMNS - 1 - column) * HEIGHT)
            })
        };
        Board { mover: flip(self.mover), other: flip(self.other), ..*self }
    }

    /// Rows from the top, `/` between them, then who moves: `x` or `o`.
    pub fn text(&self) -> String {
        let names = if self.turn == 0 { ['x', 'o'] } else { ['o', 'x'] };
        let disc = |column: u32, row: u32| match square(column, row) {
            square if self.mover & square != 0 => names[0],
            square if self.other & square != 0 => names[1],
            _ => '.',
        };
        let row = |row| (0..COLUMNS).map(|column| disc(column, row)).collect::<String>();
        let rows: Vec<String> = (0..ROWS).rev().map(row).collect();
        format!("{} {}", rows.join("/"), names[0])
    }

    /// Reads [`Board::text`].
    ///
    /// # Errors
    /// Byte offset and what is wrong.
    pub fn parse(text: &str) -> Result<Board, (usize, String)> {
        let (rows, mover) =
            text.rsplit_once(' ').ok_or((text.len(), "expected a blank and x or o".to_owned()))?;
        let turn = match mover {
            "x" => 0,
            "o" => 1,
            _ => return Err((rows.len() + 1, format!("found {mover:?}, expected x or o"))),
        };
        let mut discs = [0; 2];
        for (at, mark) in rows.char_indices() {
            let (row, column) = (at as u32 / (COLUMNS + 1), at as u32 % (COLUMNS + 1));
            let side = match mark {
                'x' if column < COLUMNS => 0,
                'o' if column < COLUMNS => 1,
                '.' if column < COLUMNS => continue,
                '/' if column == COLUMNS => continue,
                _ => {
                    return Err((
                        at,
                        format!("found {mark:?}, expected x, o or . in rows of seven and / between"),
                    ));
                }
            };
            discs[side] |= square(column, ROWS.checked_sub(row + 1).ok_or((at, "a seventh row".to_owned()))?);
        }
        if rows.len() != (ROWS * (COLUMNS + 1) - 1) as usize {
            return Err((rows.len(), "expected six rows of seven".to_owned()));
        }
        let all = discs[0] | discs[1];
        let bottom = (0..COLUMNS).fold(0, |row, column| row | square(column, 0));
        if all & !(all << 1 | bottom) != 0 {
            return Err((0, "a disc hangs in the air".to_owned()));
        }
        let board = Board { mover: discs[turn], other: discs[1 - turn], turn: turn as u8 };
        // Whichever side began; a mirrored position is one too.
        if !matches!(board.other.count_ones().wrapping_sub(board.mover.count_ones()), 0 | 1) {
            return Err((0, "numbers of discs that turns cannot make".to_owned()));
        }
        if has_four(board.mover) {
            return Err((0, "the side to move has won already".to_owned()));
        }
        Ok(board)
    }
}
