//! Setting up a position for an engine without `setboard`, piece by piece.
//!
//! `edit` knows no side to move, no rights to castle and no pawn that may be taken in passing. The side is told, as xboard
//! does, by a move made before; a position whose rights do not follow from where kings and rooks stand, or where a pawn has
//! just gone two squares, cannot be told at all, and is refused rather than searched as another.

/// The commands after `new` and `force` that lead to a position, or why none do. `prefix` stands before moves.
pub(super) fn commands(fen: &str, prefix: &str) -> Result<Vec<String>, &'static str> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [board, side, castling, passing, ..] = fields[..] else { return Err("it is no FEN") };
    let pieces = pieces(board).ok_or("it is no FEN")?;
    let at = |piece: char, square: &str| pieces.iter().any(|(p, s)| *p == piece && s == square);
    let rights = [('K', 'R', "h1"), ('Q', 'R', "a1"), ('k', 'r', "h8"), ('q', 'r', "a8")];
    let differs = rights.iter().any(|(right, rook, corner)| {
        let (king, home) = if right.is_ascii_uppercase() { ('K', "e1") } else { ('k', "e8") };
        (at(king, home) && at(*rook, corner)) != castling.contains(*right)
    });
    if differs {
        return Err("its rights to castle cannot be told without `setboard`");
    }
    if passing != "-" {
        return Err("a pawn that can be taken in passing cannot be told without `setboard`");
    }
    let mut all = Vec::new();
    if side == "b" {
        all.push(format!("{prefix}a2a3"));
    }
    all.extend(["edit", "#"].map(str::to_owned));
    let pieces_of = |white: bool| {
        let same_color = pieces.iter().filter(move |(piece, _)| piece.is_ascii_uppercase() == white);
        same_color.map(|(piece, square)| format!("{}{square}", piece.to_ascii_uppercase()))
    };
    all.extend(pieces_of(true));
    all.push("c".to_owned());
    all.extend(pieces_of(false));
    all.push(".".to_owned());
    Ok(all)
}

/// Pieces with their squares, as the first field of a FEN has them.
fn pieces(board: &str) -> Option<Vec<(char, String)>> {
    let mut all = Vec::new();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return None;
    }
    for (row, rank) in rows.iter().zip((1..=8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as u8 - b'0',
                _ if "KQRBNPkqrbnp".contains(letter) => {
                    all.push((letter, format!("{}{rank}", char::from(b'a' + file))));
                    file += 1;
                }
                _ => return None,
            }
            if file > 8 {
                return None;
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_told_piece_by_piece_or_refused() {
        let told = commands("4k3/7p/8/8/8/8/4P3/4K2R b K - 0 1", "").unwrap();
        assert_eq!(told, ["a2a3", "edit", "#", "Pe2", "Ke1", "Rh1", "c", "Ke8", "Ph7", "."]);
        for (fen, why) in [
            ("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", "castle"),
            ("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", "castle"),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "passing"),
            ("4k3/8 w - - 0 1", "no FEN"),
            ("9/8/8/8/8/8/8/8 w - - 0 1", "no FEN"),
            ("4k3", "no FEN"),
        ] {
            assert!(commands(fen, "").unwrap_err().contains(why), "{fen}");
        }
    }
}
