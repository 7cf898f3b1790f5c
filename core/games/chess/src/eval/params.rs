//! The numbers of the chess evaluation: named groups in one list, and their text.
//!
//! The terms that use the numbers are in the sibling files; the values are data (`core/games/chess/data/chess.eval`), made
//! by `cargo xtask train chess` from a start chosen by hand. One list, so that a tuner, the identity and the file
//! see the same numbers. Any change of a number invalidates fitted parameters.
//!
//! As text: a group's name, then its numbers as
//! middlegame/endgame pairs in centipawns, in lines of any length; `#` starts a comment. Every group comes exactly once, in
//! the order of [`EvalParams::groups`], so that a file says all and two files compare line by line.

use super::Taper;
use secateur_base::Fnv;
use std::fmt::Write;
use std::sync::LazyLock;

/// A named run of numbers in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name in the file.
    pub name: &'static str,
    /// Index of its first number in the list.
    pub at: usize,
    /// Count of its numbers.
    pub len: usize,
}

impl Group {
    /// The indices of its numbers.
    pub fn range(self) -> std::ops::Range<usize> {
        self.at..self.at + self.len
    }
}

/// Groups one behind the other, each a constant and in [`GROUPS`].
macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident: $name:literal, $len:expr;)+) => {
        /// The place of each group in the list of groups.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the groups")]
        enum Place { $($group),+ }

        $($(#[$doc])* pub(super) const $group: Group = GROUPS[Place::$group as usize];)+

        /// All groups, in the order of the list and of the file.
        const GROUPS: [Group; [$($len),+].len()] = {
            let mut groups = [$(Group { name: $name, at: 0, len: $len }),+];
            let mut next = 1;
            while next < groups.len() {
                groups[next].at = groups[next - 1].at + groups[next - 1].len;
                next += 1;
            }
            groups
        };
    };
}

groups! {
    /// Pawn, knight, bishop, rook, queen, king on any square.
    MEN: "men", 6;
    /// Placement, by piece and square of a white man (A1 = 0).
    SQUARES: "squares", 6 * 64;
    /// Mobility of a knight: number of squares it attacks that are neither its own king or pawn nor guarded by an
    /// enemy pawn. The following three likewise.
    KNIGHT_MOBILITY: "knight-mobility", 9;
    /// Mobility of a bishop.
    BISHOP_MOBILITY: "bishop-mobility", 14;
    /// Mobility of a rook.
    ROOK_MOBILITY: "rook-mobility", 15;
    /// Mobility of a queen.
    QUEEN_MOBILITY: "queen-mobility", 28;
    /// Two bishops or more.
    BISHOP_PAIR: "bishop-pair", 1;
    /// Rook on a file without own pawns, but with enemy ones; rook on a file without pawns.
    ROOK_FILE: "rook-file", 2;
    /// Pawn with an own pawn in front of it on its file.
    DOUBLED: "doubled", 1;
    /// Pawn without own pawns on the neighbouring files.
    ISOLATED: "isolated", 1;
    /// Pawn that no own pawn next to or behind can guard, and whose next square an enemy pawn guards.
    BACKWARD: "backward", 1;
    /// Pawn with a neighbour on the same rank, or guarded by a pawn; by relative rank.
    CONNECTED: "connected", 8;
    /// Passed pawn, by relative rank (2 to 7 are indices 1 to 6).
    PASSED: "passed", 8;
    /// Added to a passed pawn whose next square is occupied by the enemy, by relative rank.
    PASSED_BLOCKED: "passed-blocked", 8;
    /// For a passed pawn on the fourth rank or beyond: times (rank - 3) times the own king's distance (at most 5) to
    /// the square in front of it; the same with the enemy king.
    PASSED_KING: "passed-king", 2;
    /// For each own pawn on the two or three squares right before the king; a rank further on.
    SHIELD: "shield", 2;
    /// For each file next to or under the king that has no own pawn.
    KING_FILE: "king-file", 1;
    /// Weight of an attack on a square of the king's ring, by knight, bishop, rook, queen. The middlegame half counts;
    /// the other is unused. Chosen by hand: the value is not linear in it.
    ATTACK_WEIGHT: "attack-weight", 4;
    /// Danger to a king: the attacks' summed weights, halved, at most 23; counted from two attackers on.
    DANGER: "danger", 24;
    /// The right to move.
    TEMPO: "tempo", 1;
    /// Enemy knight, bishop, rook, queen that a pawn attacks.
    THREAT_PAWN: "threat-pawn", 4;
    /// Enemy pawn to queen that a knight or bishop attacks: pawns only where no pawn and no majority guards them.
    THREAT_MINOR: "threat-minor", 5;
    /// Enemy pawn to queen that a rook attacks, the queen aside only where no pawn and no majority guards it.
    THREAT_ROOK: "threat-rook", 5;
    /// The king attacks a man that no pawn and no majority guards.
    THREAT_KING: "threat-king", 1;
    /// Enemy man that is attacked and not guarded at all.
    HANGING: "hanging", 1;
    /// Enemy piece that a pawn could attack by a step to a square that is not lost.
    THREAT_PUSH: "threat-push", 1;
    /// A knight, bishop, rook, queen can give check from a square that the enemy does not guard.
    SAFE_CHECK: "safe-check", 4;
    /// Attacked square of the enemy king's ring that nothing but king and queen guards.
    WEAK_RING: "weak-ring", 1;
    /// Passed pawn on the fourth rank or beyond whose next square is empty and not attacked by the enemy, by relative
    /// rank. The following three are for such pawns, too.
    PASSED_STEP: "passed-step", 8;
    /// Passed pawn all of whose squares to promotion are so, by relative rank.
    PASSED_PATH: "passed-path", 8;
    /// Passed pawn whose next square its side attacks, by relative rank.
    PASSED_HELPED: "passed-helped", 8;
    /// Rook behind an own passed pawn, behind an enemy's.
    ROOK_BEHIND: "rook-behind", 2;
    /// Knight, bishop on the fourth to sixth rank, guarded by a pawn, where no enemy pawn can ever attack it.
    OUTPOST: "outpost", 2;
    /// Knight or bishop right behind a pawn of either side.
    MINOR_SHIELDED: "minor-shielded", 1;
    /// Own pawn on a square of a bishop's colour.
    BISHOP_PAWNS: "bishop-pawns", 1;
    /// Rook on the seventh rank with enemy pawns there or the king behind it.
    ROOK_SEVENTH: "rook-seventh", 1;
    /// Square of the files c to f, second to fourth rank, that holds no own pawn and that no enemy pawn attacks.
    SPACE: "space", 1;
    /// Enemy pawn on a file of the king or next to it, by rank as the king's side sees it.
    STORM: "storm", 8;
    /// Isolated, backward pawn on a file without enemy pawns.
    WEAK_OPEN: "weak-open", 2;
    /// 64ths of the endgame half that count: bishops of opposite colours and pawns alone; such bishops with other
    /// pieces; a side without pawns that is ahead by a minor piece at most. The middlegame half of each pair; the other
    /// is unused.
    SCALE: "scale", 3;
}

const COUNT: usize = GROUPS[GROUPS.len() - 1].at + GROUPS[GROUPS.len() - 1].len;

/// The numbers of the evaluation, centipawns, positive = good for the owner of the man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalParams(Box<[Taper; COUNT]>);

impl EvalParams {
    /// Count of the numbers; each is a pair.
    pub const COUNT: usize = COUNT;

    /// All groups, in the order of the list.
    pub fn groups() -> &'static [Group] {
        &GROUPS
    }

    /// The group of this name.
    pub fn group(name: &str) -> Option<Group> {
        GROUPS.into_iter().find(|group| group.name == name)
    }

    /// All zero: no evaluation at all.
    pub fn zero() -> EvalParams {
        EvalParams(Box::new([Taper::ZERO; COUNT]))
    }

    /// Whether a number chooses or scales instead of being added: a regression leaves it alone.
    pub fn steers(index: usize) -> bool {
        ATTACK_WEIGHT.range().contains(&index) || SCALE.range().contains(&index)
    }

    /// The numbers chosen by hand that training starts from (`core/games/chess/data/chess.start.eval`): piece values and
    /// piece-square tables of "PeSTO's Evaluation Function" (Ronald Friederich, RofChade; Chess Programming
    /// Wiki), which were tuned by Texel's method to be the whole of an evaluation, and corrections to them.
    pub fn start() -> &'static EvalParams {
        static START: LazyLock<EvalParams> =
            LazyLock::new(|| embedded(include_str!("../../data/chess.start.eval")));
        &START
    }

    /// The list.
    #[inline]
    pub fn values(&self) -> &[Taper; COUNT] {
        &self.0
    }

    /// The list for writing.
    pub fn values_mut(&mut self) -> &mut [Taper; COUNT] {
        &mut self.0
    }

    /// One number of a group.
    #[inline]
    pub(super) fn get(&self, group: Group, index: usize) -> Taper {
        self.0[group.at + index]
    }

    /// Stable hash of all numbers (FNV-1a over names and values), the same on every machine.
    pub fn id(&self) -> u64 {
        let mut hash = Fnv::default();
        for group in GROUPS {
            hash.bytes(group.name.as_bytes());
            for value in &self.0[group.range()] {
                hash.bytes(&value.middlegame().to_le_bytes()).bytes(&value.endgame().to_le_bytes());
            }
        }
        hash.value()
    }
}

impl Default for EvalParams {
    /// The numbers in use (`core/games/chess/data/chess.eval`).
    fn default() -> EvalParams {
        static TRAINED: LazyLock<EvalParams> =
            LazyLock::new(|| embedded(include_str!("../../data/chess.eval")));
        TRAINED.clone()
    }
}

fn embedded(text: &str) -> EvalParams {
    // The tests read the embedded files: a broken one never leaves the build.
    EvalParams::parse(text).expect("the embedded evaluation is well formed")
}

/// Numbers stay within this, so that sums of packed pairs cannot overflow.
const LIMIT: i32 = 4_000;

/// Why a text is no evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {text}, expected {expected}")]
pub struct EvalError {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// The offending text.
    pub text: String,
    /// What would have been right.
    pub expected: String,
}

/// A word and where it stands.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

impl Word<'_> {
    fn error(self, expected: impl Into<String>) -> EvalError {
        let text =
            if self.text.is_empty() { "the end of the text".into() } else { format!("`{}`", self.text) };
        EvalError { line: self.line, column: self.column, text, expected: expected.into() }
    }
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.lines().enumerate().flat_map(|(number, whole)| {
        let code = whole.split('#').next().unwrap_or_default();
        code.split_whitespace().map(move |text| {
            // A word is a part of its line: the distance of their beginnings is its column.
            let column = text.as_ptr() as usize - whole.as_ptr() as usize + 1;
            Word { line: number + 1, column, text }
        })
    })
}

impl EvalParams {
    /// Reads the format of [`EvalParams::to_text`].
    ///
    /// # Errors
    /// [`EvalError`] at the first word that is out of place.
    pub fn parse(text: &str) -> Result<EvalParams, EvalError> {
        let mut params = EvalParams::zero();
        let end = Word { line: text.lines().count() + 1, column: 1, text: "" };
        let mut tokens = words(text);
        for group in EvalParams::groups() {
            let name = tokens.next().unwrap_or(end);
            if name.text != group.name {
                return Err(name.error(format!("the group `{}`", group.name)));
            }
            for (nth, value) in params.values_mut()[group.range()].iter_mut().enumerate() {
                let word = tokens.next().unwrap_or(end);
                *value = pair(word.text).ok_or_else(|| word.error(expected(*group, nth)))?;
            }
        }
        match tokens.next() {
            Some(word) => Err(word.error("the end of the text")),
            None => Ok(params),
        }
    }

    /// The numbers as text, without comments.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for group in EvalParams::groups() {
            text += group.name;
            let values = &self.values()[group.range()];
            for (nth, value) in values.iter().enumerate() {
                // Boards have a line for each rank.
                text += if values.len() > 6 && nth % 8 == 0 { "\n  " } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(text, "{}/{}", value.middlegame(), value.endgame());
            }
            text.push('\n');
        }
        text
    }
}

fn pair(text: &str) -> Option<Taper> {
    let (middlegame, endgame) = text.split_once('/')?;
    let half = |text: &str| text.parse::<i32>().ok().filter(|value| value.abs() <= LIMIT);
    Some(Taper::new(half(middlegame)?, half(endgame)?))
}

fn expected(group: Group, nth: usize) -> String {
    format!(
        "number {} of {} of `{}` as middlegame/endgame, each within ±{LIMIT}",
        nth + 1,
        group.len,
        group.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_changes_the_identity() {
        let mut params = EvalParams::default();
        let id = params.id();
        for index in 0..COUNT {
            for step in [Taper::new(1, 0), Taper::new(0, 1)] {
                params.values_mut()[index] += step;
                assert_ne!(params.id(), id);
                params.values_mut()[index] -= step;
            }
        }
        assert_eq!(params.id(), id);
    }

    #[test]
    fn groups_follow_each_other_without_gaps() {
        let mut next = 0;
        for group in GROUPS {
            assert_eq!(group.at, next, "{}", group.name);
            assert_eq!(EvalParams::group(group.name), Some(group));
            next += group.len;
        }
        assert_eq!(next, EvalParams::COUNT);
        assert_eq!(EvalParams::group("nonsense"), None);
    }

    #[test]
    fn text_and_numbers_are_the_same_thing() {
        for params in [EvalParams::default(), EvalParams::start().clone(), EvalParams::zero()] {
            let text = params.to_text();
            assert_eq!(EvalParams::parse(&text), Ok(params));
            let commented = format!("# first\n{}", text.replace("tempo", "tempo # last\n"));
            assert_eq!(EvalParams::parse(&commented).map(|read| read.to_text()), Ok(text));
        }
    }

    #[test]
    fn what_is_out_of_place_is_named_with_its_place() {
        let good = EvalParams::start().to_text();
        let error = |text: &str| EvalParams::parse(text).expect_err("broken").to_string();
        assert_eq!(error(""), "line 1, column 1: found the end of the text, expected the group `men`");
        let name = error(&good.replace("bishop-pair", "bishop-pear"));
        assert!(name.ends_with("found `bishop-pear`, expected the group `bishop-pair`"), "{name}");
        for wrong in ["82", "82/x", "82/5000", "/"] {
            let first = error(&good.replacen("men 82/94", &format!("men {wrong}"), 1));
            assert_eq!(
                first,
                format!(
                    "line 1, column 5: found `{wrong}`, expected number 1 of 6 of `men` as middlegame/endgame, \
                     each within ±4000"
                )
            );
        }
        let long = error(&format!("{good}7/7"));
        assert!(long.ends_with("found `7/7`, expected the end of the text"), "{long}");
    }
}
