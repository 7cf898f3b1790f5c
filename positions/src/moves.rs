//! Moves as files write them: with praise and blame behind them, which is no part of a move.
//!
//! EPD, PGN, PDN and lines of moves all pass here, so that a move is read alike wherever it stands.

/// Signs that people put behind a move.
const SIGNS: [char; 12] = ['!', '?', '‼', '⁇', '⁉', '⁈', '±', '∓', '□', '∞', '⩲', '⩱'];
/// Annotations that may stand alone.
const REMARKS: [&str; 12] = ["e.p.", "ep", "+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "=", "N"];

/// A move without what is said of it; nothing where a word says something of a move and is none.
pub(crate) fn bare(word: &str) -> Option<&str> {
    // `$` begins a numeric annotation, also where it touches the move.
    let mv = word.split('$').next().unwrap_or_default().trim_end_matches(SIGNS);
    let mv = mv.strip_suffix("e.p.").unwrap_or(mv);
    let is_remark = REMARKS.contains(&mv) || mv.trim_matches(['+', '#']).is_empty();
    (!is_remark).then_some(mv)
}

/// The moves of a list: parted by blanks, and by commas where somebody wrote them.
pub(crate) fn moves_of(operands: &str) -> impl Iterator<Item = &str> {
    operands.split(|c: char| c.is_whitespace() || c == ',').filter_map(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_move_is_no_part_of_it() {
        for (word, mv) in [
            ("e4", "e4"),
            ("Nf3!?", "Nf3"),
            ("Nf3+", "Nf3+"),
            ("e5$1", "e5"),
            ("e8=Q#!$12$3", "e8=Q#"),
            ("exd6e.p.", "exd6"),
            ("11-15!", "11-15"),
            ("8h2b+", "8h2b+"),
            ("Kd2±", "Kd2"),
        ] {
            assert_eq!(bare(word), Some(mv));
        }
        for word in ["", "!?", "$7", "+-", "=", "e.p.", "+", "#", "++", "N"] {
            assert_eq!(bare(word), None, "{word}");
        }
        assert_eq!(moves_of("e4, Nf3 +  d4 !? c4$1").collect::<Vec<_>>(), ["e4", "Nf3", "d4", "c4"]);
    }
}
