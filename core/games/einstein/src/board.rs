//! The board: five by five squares, six numbered stones a side, and a die that says which of them may move.
//!
//! Rules: Ingo Althöfer, EinStein würfelt nicht! (2004). Blue starts in the corner a1 and goes right, up or both; red starts
//! at e5 and goes the other way. The stone with the number thrown moves; if it is gone, the next lower or the next higher
//! one that is left. Whatever stands on the target is taken, of either side. Who reaches the opposite corner, or
//! takes the last stone of the other, has won. Each sets up its stones in its corner as it likes; here the lot does.

/// Squares of the board, a1, b1, .. e5.
pub const SQUARES: u8 = 25;
/// Files, and ranks.
const EDGE: u8 = 5;
/// The square of a stone that was taken.
pub(crate) const GONE: u8 = SQUARES;
/// Stones of a side, and sides of the die.
pub(crate) const STONES: usize = 6;

/// A position, before or after the throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Squares of blue's stones 1 to 6 and of red's; [`GONE`] if taken.
    pub(crate) squares: [[u8; STONES]; 2],
    /// 0 if blue is to throw or to move, 1 if red is.
    pub(crate) side: u8,
    /// What was thrown, 1 to 6; 0 before the throw.
    pub(crate) die: u8,
}

/// A move: from a square to one next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The square that is left, 0 to 24.
    pub from: u8,
    /// The square that is reached, 0 to 24.
    pub to: u8,
}

/// The corner that a side wants to reach.
pub(crate) const fn goal(side: usize) -> u8 {
    if side == 0 { SQUARES - 1 } else { 0 }
}

/// How far a square of the board is from a side's goal: along the files, along the ranks.
pub(crate) const fn way(side: usize, square: u8) -> (u8, u8) {
    let (file, rank) = (square % EDGE, square / EDGE);
    if side == 0 { (EDGE - 1 - file, EDGE - 1 - rank) } else { (file, rank) }
}

/// The squares that a stone may go to: along its rank, along its file, and both.
pub(crate) fn targets(side: usize, square: u8) -> impl Iterator<Item = u8> {
    let (files, ranks) = way(side, square);
    let reach = [(files > 0, 1), (ranks > 0, EDGE), (files > 0 && ranks > 0, EDGE + 1)];
    let steps = reach.into_iter().filter_map(|(free, step)| free.then_some(step));
    steps.map(move |step| if side == 0 { square + step } else { square - step })
}

/// The stones (0 to 5) that a throw lets move, as bits: the one thrown, or the next ones of those left.
pub(crate) fn choice(squares: &[u8; STONES], die: u8) -> u8 {
    let thrown = usize::from(die - 1);
    let left = |stone: &usize| squares[*stone] != GONE;
    if left(&thrown) {
        return 1 << thrown;
    }
    let lower = (0..thrown).rev().find(left).map_or(0, |stone| 1 << stone);
    let higher = (thrown + 1..STONES).find(left).map_or(0, |stone| 1 << stone);
    lower | higher
}

/// Squares that blue's stones are set up on; red's are these turned.
const CORNER: [u8; STONES] = [0, 1, 2, EDGE, EDGE + 1, 2 * EDGE];

impl Position {
    /// A start with the stones of either side set up by lot, blue to throw: `below(n)` gives a number below n.
    pub(crate) fn drawn(below: &mut dyn FnMut(u32) -> u32) -> Position {
        let mut corner = || {
            let mut squares = CORNER;
            (1..STONES).rev().for_each(|last| squares.swap(last, below(last as u32 + 1) as usize));
            squares
        };
        let squares = [corner(), corner().map(|square| SQUARES - 1 - square)];
        Position { squares, side: 0, die: 0 }
    }

    /// Number of the side to throw or to move.
    pub fn side(&self) -> usize {
        self.side.into()
    }

    /// Stones of both sides.
    pub fn stones(&self) -> usize {
        self.squares.iter().flatten().filter(|&&square| square != GONE).count()
    }

    /// Whether a side has won.
    pub(crate) fn has_won(&self, side: usize) -> bool {
        self.squares[side].contains(&goal(side)) || self.squares[1 - side] == [GONE; STONES]
    }

    /// Whether the game is over: the last move has won it.
    pub fn is_over(&self) -> bool {
        self.has_won(1 - self.side())
    }

    /// Stones that may move now, as bits; none before the throw.
    pub(crate) fn movers(&self) -> u8 {
        if self.die == 0 { 0 } else { choice(&self.squares[self.side()], self.die) }
    }

    /// The legal moves, by stone. None before the throw and at the end of the game.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        let (side, movers) = (self.side(), if self.is_over() { 0 } else { self.movers() });
        let squares = self.squares[side];
        let stones =
            (0..STONES).filter(move |stone| movers >> stone & 1 == 1).map(move |stone| squares[stone]);
        stones.flat_map(move |from| targets(side, from).map(move |to| Step { from, to }))
    }

    /// The position after a move, before the other's throw.
    pub fn play(&self, step: Step) -> Position {
        let mut next = Position { side: 1 - self.side, die: 0, ..*self };
        for square in next.squares.iter_mut().flatten() {
            if *square == step.to {
                *square = GONE;
            } else if *square == step.from {
                *square = step.to;
            }
        }
        next
    }

    /// The position with this number thrown.
    pub fn with_die(&self, die: u8) -> Position {
        Position { die, ..*self }
    }

    /// The numbers that make a difference: the least of those that let the same stones move, and how many they are.
    pub(crate) fn throws(&self) -> impl Iterator<Item = (u8, u32)> {
        let choices: [u8; STONES] =
            std::array::from_fn(|index| choice(&self.squares[self.side()], index as u8 + 1));
        let first = move |index: &usize| *index == 0 || choices[*index] != choices[*index - 1];
        (0..STONES).filter(first).map(move |index| {
            let alike = choices[index..].iter().take_while(|other| **other == choices[index]).count();
            (index as u8 + 1, alike as u32)
        })
    }

    /// The least number that lets the same stones move as the one thrown.
    pub(crate) fn plain_die(&self) -> u8 {
        let movers = self.movers();
        (1..self.die).find(|&die| choice(&self.squares[self.side()], die) == movers).unwrap_or(self.die)
    }

    /// Sides exchanged and the board turned: the same game.
    pub fn mirrored(&self) -> Position {
        let turned = |square: u8| if square == GONE { GONE } else { SQUARES - 1 - square };
        let [blue, red] = self.squares.map(|stones| stones.map(turned));
        Position { squares: [red, blue], side: 1 - self.side, die: self.die }
    }

    /// Files and ranks exchanged: the same game.
    pub(crate) fn reflected(&self) -> Position {
        let reflect = |square: u8| if square == GONE { GONE } else { square % EDGE * EDGE + square / EDGE };
        Position { squares: self.squares.map(|stones| stones.map(reflect)), ..*self }
    }

    /// Most moves that are left: every move brings its stone nearer to its goal.
    pub(crate) fn most_moves(&self) -> i32 {
        let moves_of = |side: usize| {
            let stones = self.squares[side].iter().filter(|&&square| square != GONE);
            stones
                .map(move |&square| {
                    let (files, ranks) = way(side, square);
                    i32::from(files + ranks)
                })
                .sum::<i32>()
        };
        if self.is_over() { 0 } else { moves_of(0) + moves_of(1) }
    }
}
