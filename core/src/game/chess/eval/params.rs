//! Every number of the chess evaluation in one place.
//!
//! A tuner reads and writes the numbers through [`EvalParams::groups`]; the terms that use them are in the
//! sibling files. Piece values and piece-square tables have a source (see `tables`); the others were
//! chosen by hand, as corrections to tables that already carry the average of each term. Together they are
//! worth about 100 Elo at equal nodes; halving or doubling single groups changed nothing that a few hundred
//! games could show, so finer values are a tuner's work. Any change invalidates fitted parameters.

use super::{Taper, tables};

/// The numbers of the evaluation, centipawns, positive = good for the owner of the man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalParams {
    /// Pawn, knight, bishop, rook, queen, king on any square.
    pub men: [Taper; 6],
    /// Placement, by piece and square of a white man (A1 = 0).
    pub squares: [[Taper; 64]; 6],
    /// Mobility of a knight: number of squares it attacks that are neither its own king or pawn nor
    /// guarded by an enemy pawn. The following three likewise.
    pub knight_mobility: [Taper; 9],
    /// Mobility of a bishop.
    pub bishop_mobility: [Taper; 14],
    /// Mobility of a rook.
    pub rook_mobility: [Taper; 15],
    /// Mobility of a queen.
    pub queen_mobility: [Taper; 28],
    /// Two bishops or more.
    pub bishop_pair: Taper,
    /// Rook on a file without own pawns, but with enemy ones; rook on a file without pawns.
    pub rook_file: [Taper; 2],
    /// Pawn with an own pawn in front of it on its file.
    pub doubled: Taper,
    /// Pawn without own pawns on the neighbouring files.
    pub isolated: Taper,
    /// Pawn that no own pawn beside or behind can guard, and whose next square an enemy pawn guards.
    pub backward: Taper,
    /// Pawn with a neighbour on the same rank, or guarded by a pawn; by relative rank.
    pub connected: [Taper; 8],
    /// Passed pawn, by relative rank (2 to 7 are indices 1 to 6).
    pub passed: [Taper; 8],
    /// Added to a passed pawn whose next square is occupied by the enemy, by relative rank.
    pub passed_blocked: [Taper; 8],
    /// For a passed pawn on the fourth rank or beyond: times (rank - 3) times the own king's distance
    /// (at most 5) to the square in front of it; the same with the enemy king.
    pub passed_king: [Taper; 2],
    /// For each own pawn on the two or three squares right before the king; a rank further on.
    pub shield: [Taper; 2],
    /// For each file beside or under the king that has no own pawn.
    pub king_file: Taper,
    /// Weight of an attack on a square of the king's ring, by knight, bishop, rook, queen. The middlegame
    /// half counts; the other is unused.
    pub attack_weight: [Taper; 4],
    /// Danger to a king: the attacks' summed weights, halved, at most 23; counted from two attackers on.
    pub danger: [Taper; 24],
    /// The right to move.
    pub tempo: Taper,
}

impl EvalParams {
    /// The numbers in use.
    pub const DEFAULT: EvalParams = EvalParams {
        men: tables::MEN,
        squares: tables::SQUARES,
        knight_mobility: pairs([
            (-32, -36),
            (-22, -24),
            (-9, -12),
            (-3, -4),
            (2, 2),
            (6, 7),
            (10, 10),
            (13, 12),
            (16, 13),
        ]),
        bishop_mobility: pairs([
            (-28, -34),
            (-18, -24),
            (-9, -14),
            (-4, -7),
            (1, -1),
            (5, 4),
            (8, 8),
            (11, 11),
            (13, 14),
            (15, 16),
            (16, 18),
            (18, 19),
            (20, 20),
            (22, 21),
        ]),
        rook_mobility: pairs([
            (-24, -40),
            (-18, -28),
            (-11, -18),
            (-7, -10),
            (-4, -4),
            (-2, 1),
            (1, 5),
            (3, 8),
            (5, 11),
            (7, 14),
            (9, 16),
            (11, 18),
            (12, 20),
            (13, 21),
            (14, 22),
        ]),
        queen_mobility: ramp((-16, -30), (14, 26)),
        bishop_pair: Taper::new(22, 42),
        rook_file: pairs([(12, 6), (26, 10)]),
        doubled: Taper::new(-6, -16),
        isolated: Taper::new(-9, -10),
        backward: Taper::new(-8, -7),
        connected: pairs([(0, 0), (2, 0), (5, 2), (7, 4), (12, 9), (22, 18), (30, 28), (0, 0)]),
        passed: pairs([(0, 0), (-4, 2), (-6, 4), (-2, 16), (10, 32), (24, 52), (34, 64), (0, 0)]),
        passed_blocked: pairs([
            (0, 0),
            (0, -2),
            (0, -4),
            (-3, -9),
            (-8, -18),
            (-14, -32),
            (-22, -50),
            (0, 0),
        ]),
        passed_king: pairs([(0, -3), (0, 5)]),
        shield: pairs([(9, 0), (4, 0)]),
        king_file: Taper::new(-14, 0),
        attack_weight: pairs([(2, 0), (2, 0), (3, 0), (4, 0)]),
        danger: danger(),
        tempo: Taper::new(14, 8),
    };

    /// All numbers, named, in a fixed order.
    #[must_use]
    pub fn groups(&self) -> [(&'static str, &[Taper]); 20] {
        use std::slice::from_ref;
        [
            ("men", &self.men),
            ("squares", self.squares.as_flattened()),
            ("knight-mobility", &self.knight_mobility),
            ("bishop-mobility", &self.bishop_mobility),
            ("rook-mobility", &self.rook_mobility),
            ("queen-mobility", &self.queen_mobility),
            ("bishop-pair", from_ref(&self.bishop_pair)),
            ("rook-file", &self.rook_file),
            ("doubled", from_ref(&self.doubled)),
            ("isolated", from_ref(&self.isolated)),
            ("backward", from_ref(&self.backward)),
            ("connected", &self.connected),
            ("passed", &self.passed),
            ("passed-blocked", &self.passed_blocked),
            ("passed-king", &self.passed_king),
            ("shield", &self.shield),
            ("king-file", from_ref(&self.king_file)),
            ("attack-weight", &self.attack_weight),
            ("danger", &self.danger),
            ("tempo", from_ref(&self.tempo)),
        ]
    }

    /// The numbers of [`EvalParams::groups`] for writing, in the same order.
    pub fn groups_mut(&mut self) -> [&mut [Taper]; 20] {
        use std::slice::from_mut;
        [
            &mut self.men,
            self.squares.as_flattened_mut(),
            &mut self.knight_mobility,
            &mut self.bishop_mobility,
            &mut self.rook_mobility,
            &mut self.queen_mobility,
            from_mut(&mut self.bishop_pair),
            &mut self.rook_file,
            from_mut(&mut self.doubled),
            from_mut(&mut self.isolated),
            from_mut(&mut self.backward),
            &mut self.connected,
            &mut self.passed,
            &mut self.passed_blocked,
            &mut self.passed_king,
            &mut self.shield,
            from_mut(&mut self.king_file),
            &mut self.attack_weight,
            &mut self.danger,
            from_mut(&mut self.tempo),
        ]
    }

    /// Stable hash of all numbers (FNV-1a over names and values), the same on every machine.
    #[must_use]
    pub fn id(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut feed = |bytes: &[u8]| {
            for &byte in bytes {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        for (name, values) in self.groups() {
            feed(name.as_bytes());
            for value in values {
                feed(&value.middlegame().to_le_bytes());
                feed(&value.endgame().to_le_bytes());
            }
        }
        hash
    }
}

impl Default for EvalParams {
    fn default() -> EvalParams {
        EvalParams::DEFAULT
    }
}

const fn pairs<const N: usize>(values: [(i32, i32); N]) -> [Taper; N] {
    let mut list = [Taper::ZERO; N];
    let mut i = 0;
    while i < N {
        list[i] = Taper::new(values[i].0, values[i].1);
        i += 1;
    }
    list
}

const fn ramp<const N: usize>(from: (i32, i32), to: (i32, i32)) -> [Taper; N] {
    let mut list = [Taper::ZERO; N];
    let last = N as i32 - 1;
    let mut i = 0;
    while i < N {
        let step = i as i32;
        list[i] = Taper::new(from.0 + (to.0 - from.0) * step / last, from.1 + (to.1 - from.1) * step / last);
        i += 1;
    }
    list
}

/// Danger grows with the square of the attack: the second attacker makes the first one worse.
const fn danger() -> [Taper; 24] {
    let mut list = [Taper::ZERO; 24];
    let mut i = 0;
    while i < 24 {
        let square = (i * i) as i32;
        list[i] = Taper::new(-square * 3 / 5, -square / 12);
        i += 1;
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_changes_the_identity() {
        let id = EvalParams::DEFAULT.id();
        let mut params = EvalParams::DEFAULT;
        let sizes: Vec<usize> = params.groups().iter().map(|(_, values)| values.len()).collect();
        for (group, size) in sizes.into_iter().enumerate() {
            assert_eq!(params.groups_mut()[group].len(), size, "group {group} differs when written");
            for index in 0..size {
                for step in [Taper::new(1, 0), Taper::new(0, 1)] {
                    params.groups_mut()[group][index] += step;
                    assert_ne!(params.id(), id);
                    params.groups_mut()[group][index] -= step;
                }
            }
        }
        assert_eq!(params.id(), id);
    }
}
