//! A chess search that knows nothing of secateur: alpha-beta over `cozy-chess`, with two switches.
//!
//! Material and mobility at the leaves, captures in quiescence, captures first by victim and attacker, killers. No table,
//! so that it is short. [`Switches`] turn null move and late-move reductions on.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, Color, GameStatus, Move, Piece};

/// What may be turned on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Donninger 1993: pass, search three plies less, and believe a value of at least beta.
    pub null_move: bool,
    /// Quiet moves behind the third are first searched a ply less.
    pub lmr: bool,
}

/// Tests made, successful ones, and nodes spent on tests.
pub type Count = [u64; 3];

/// Plies that are counted apart.
pub const PLIES: usize = 32;
const MATE: i32 = 31_000;
const KILLERS: usize = 128;

/// A search with its counts.
#[derive(Clone, Debug)]
pub struct Searcher {
    switches: Switches,
    /// All nodes, quiescence included.
    pub nodes: u64,
    /// What null move did, by depth.
    pub null_move: [Count; PLIES],
    /// What late-move reductions did, by depth.
    pub lmr: [Count; PLIES],
    killers: [Option<Move>; KILLERS],
}

fn worth(piece: Piece) -> i32 {
    [100, 320, 330, 500, 900, 0][piece as usize]
}

fn material(board: &Board, side: Color) -> i32 {
    Piece::ALL.iter().map(|&piece| worth(piece) * board.colored_pieces(side, piece).len() as i32).sum()
}

fn mobility(board: &Board) -> i32 {
    let mut count = 0;
    board.generate_moves(|moves| {
        count += moves.len() as i32;
        false
    });
    count
}

fn evaluate(board: &Board) -> i32 {
    let side = board.side_to_move();
    let answer = board.null_move().map_or(0, |board| mobility(&board));
    material(board, side) - material(board, !side) + 3 * (mobility(board) - answer)
}

fn captured(board: &Board, mv: Move) -> Option<Piece> {
    // Castling is a king that takes its own rook.
    board.piece_on(mv.to).filter(|_| !board.colors(board.side_to_move()).has(mv.to))
}

fn played(board: &Board, mv: Move) -> Board {
    let mut board = board.clone();
    board.play_unchecked(mv);
    board
}

impl Searcher {
    /// A search with these switches.
    pub fn new(switches: Switches) -> Searcher {
        let counts = [[0; 3]; PLIES];
        Searcher { switches, nodes: 0, null_move: counts, lmr: counts, killers: [None; KILLERS] }
    }

    /// Value and line of an iteration.
    pub fn root(&mut self, board: &Board, depth: i32) -> (i32, Vec<Move>) {
        let mut line = Vec::new();
        (self.search(board, depth, 0, -MATE, MATE, true, &mut line), line)
    }

    fn moves(&self, board: &Board, ply: usize, noisy: bool) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        board.generate_moves(|some| {
            moves.extend(
                some.into_iter().filter(|&mv| {
                    !noisy || captured(board, mv).is_some() || mv.promotion == Some(Piece::Queen)
                }),
            );
            false
        });
        moves.sort_by_cached_key(|&mv| match captured(board, mv) {
            Some(victim) => worth(board.piece_on(mv.from).unwrap_or(Piece::Pawn)) - 100 * worth(victim),
            None if self.killers[ply % KILLERS] == Some(mv) => -1,
            None => 0,
        });
        moves
    }

    fn quiescence(&mut self, board: &Board, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let mut best = evaluate(board);
        for mv in self.moves(board, ply, true) {
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
            best = best.max(-self.quiescence(&played(board, mv), ply + 1, -beta, -alpha));
        }
        best
    }

    /// Null move: at least beta even if the side to move passes, where it has pieces.
    fn refuted_by_nothing(&mut self, board: &Board, depth: i32, ply: usize, beta: i32) -> Option<i32> {
        let pieces =
            board.colors(board.side_to_move()) - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
        let passed = board.null_move().filter(|_| !pieces.is_empty())?;
        let before = self.nodes;
        let value = -self.search(&passed, depth - 3, ply + 1, -beta, 1 - beta, false, &mut Vec::new());
        count(&mut self.null_move[(depth as usize).min(PLIES - 1)], value >= beta, self.nodes - before);
        (value >= beta).then_some(value)
    }

    #[allow(clippy::too_many_arguments)]
    fn search(
        &mut self,
        board: &Board,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
        may_pass: bool,
        line: &mut Vec<Move>,
    ) -> i32 {
        match board.status() {
            GameStatus::Won => return ply as i32 - MATE,
            GameStatus::Drawn => return 0,
            GameStatus::Ongoing if depth <= 0 => return self.quiescence(board, ply, alpha, beta),
            GameStatus::Ongoing => self.nodes += 1,
        }
        let (in_check, at) = (!board.checkers().is_empty(), (depth as usize).min(PLIES - 1));
        if self.switches.null_move
            && may_pass
            && ply > 0
            && depth >= 3
            && let Some(value) = self.refuted_by_nothing(board, depth, ply, beta)
        {
            return value;
        }
        let mut best = -MATE;
        for (index, mv) in self.moves(board, ply, false).into_iter().enumerate() {
            let (child, mut below) = (played(board, mv), Vec::new());
            let quiet = captured(board, mv).is_none() && mv.promotion.is_none();
            if self.switches.lmr
                && ply > 0
                && index > 2
                && depth >= 3
                && quiet
                && !in_check
                && child.checkers().is_empty()
            {
                let before = self.nodes;
                let value =
                    -self.search(&child, depth - 2, ply + 1, -alpha - 1, -alpha, true, &mut Vec::new());
                count(&mut self.lmr[at], value <= alpha, self.nodes - before);
                if value <= alpha {
                    best = best.max(value);
                    continue;
                }
            }
            let value = -self.search(&child, depth - 1, ply + 1, -beta, -alpha, true, &mut below);
            if value > best {
                best = value;
                if value > alpha || line.is_empty() {
                    *line = [vec![mv], below].concat();
                }
            }
            alpha = alpha.max(best);
            if best >= beta {
                if quiet {
                    self.killers[ply % KILLERS] = Some(mv);
                }
                break;
            }
        }
        best
    }
}

fn count(count: &mut Count, cut: bool, nodes: u64) {
    let [tests, cuts, spent] = *count;
    *count = [tests + 1, cuts + u64::from(cut), spent + nodes];
}

/// A line as UCI writes it.
pub fn uci(board: &Board, line: &[Move]) -> String {
    let mut board = board.clone();
    let mut moves = Vec::new();
    for &mv in line {
        moves.push(display_uci_move(&board, mv).to_string());
        board.play_unchecked(mv);
    }
    moves.join(" ")
}
