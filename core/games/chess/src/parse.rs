//! Reading FEN, and saying precisely what is wrong with it.
//!
//! Four fields (as in EPD) or all six. Every field is checked here first, because a user who mistyped one
//! of a thousand lines needs the place and the reason; cozy-chess then builds the board. Castling rights of Chess960
//! are refused in words: they would not be understood as such in the moves. What no game can reach is refused too, as far
//! as [`super::legal`] tells: such a board is a misprint, and the rules say nothing of it.

use super::legal;
use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square};
use secateur_core::game::ParseError;

/// A field of the text and where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    text: &'a str,
    offset: usize,
}

impl Field<'_> {
    /// An error at byte `at` of the field.
    fn error<T>(self, at: usize, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.offset + at, message))
    }
}

/// Reads a legal position.
pub(super) fn parse(text: &str) -> Result<Board, ParseError> {
    let fields = split(text);
    if !matches!(fields.len(), 4 | 6) {
        // The first field that should not be there, or the end where one is missing.
        let surplus = if fields.len() == 5 { 4 } else { 6 };
        let offset = fields.get(surplus).map_or(text.len(), |field| field.offset);
        let message = format!(
            "found {} fields, expected 4 (men, side, castling, en passant) or 6 (and two move counters)",
            fields.len()
        );
        return Err(ParseError::new(offset, message));
    }
    let mut builder = BoardBuilder::empty();
    men(fields[0], &mut builder)?;
    side(fields[1], &mut builder)?;
    build(&builder, fields[0], fields[1])?;
    castling(fields[2], &mut builder)?;
    en_passant(fields[3], &mut builder)?;
    if let [.., halfmoves, number] = fields[..]
        && fields.len() == 6
    {
        builder.halfmove_clock = counter(halfmoves, "halfmove clock", 0, 100)? as u8;
        builder.fullmove_number = counter(number, "move number", 1, u16::MAX)?;
    }
    let board = builder.build().or_else(|error| match error {
        BoardBuilderError::InvalidCastlingRights => fields[2].error(0, "impossible castling rights"),
        BoardBuilderError::InvalidEnPassant => fields[3]
            .error(0, format!("en passant on {} contradicts the check that is given", fields[3].text)),
        _ => fields[0].error(0, "impossible position"),
    })?;
    match board.en_passant() {
        Some(file) if legal::double_step_ignores_check(&board, file) => fields[3].error(
            0,
            format!("en passant on {} contradicts the check before the double step", fields[3].text),
        ),
        _ => Ok(board),
    }
}

fn split(text: &str) -> Vec<Field<'_>> {
    text.split_ascii_whitespace()
        .map(|field| Field { text: field, offset: field.as_ptr() as usize - text.as_ptr() as usize })
        .collect()
}

/// The men, rank 8 first.
fn men(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    let (mut rank, mut file) = (7_usize, 0_usize);
    for (at, letter) in field.text.char_indices() {
        match letter {
            '/' => {
                if file < 8 {
                    return field.error(at, format!("rank {} has {file} squares, expected 8", rank + 1));
                }
                if rank == 0 {
                    return field.error(at, "found a ninth rank, expected 8");
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            '1'..='8' => file += letter as usize - '0' as usize,
            _ => {
                if file < 8 || matches!(letter, '[' | '~') {
                    let file = File::index(file.min(7));
                    man(field, at, letter, Square::new(file, Rank::index(rank)), builder)?;
                }
                file += 1;
            }
        }
        if file > 8 {
            return field.error(at, format!("rank {} has more than 8 squares", rank + 1));
        }
    }
    if file < 8 {
        let message = format!("rank {} has {file} squares, expected 8", rank + 1);
        return field.error(field.text.len(), message);
    }
    if rank > 0 {
        return field.error(field.text.len(), format!("found {} ranks, expected 8", 8 - rank));
    }
    for color in Color::ALL {
        if count(builder, color, Piece::King) == 0 {
            return field.error(0, format!("found no {} king, expected one", name(color)));
        }
    }
    Ok(())
}

fn man(
    field: Field<'_>,
    at: usize,
    letter: char,
    square: Square,
    builder: &mut BoardBuilder,
) -> Result<(), ParseError> {
    let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) else {
        let message = match letter {
            '[' | '~' => format!(
                "found '{letter}', as Crazyhouse writes men in hand: variants of chess are not supported"
            ),
            _ => format!("found '{letter}', expected a man (PNBRQK, pnbrqk), a digit 1 to 8, or /"),
        };
        return field.error(at, message);
    };
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let name = name(color);
    if piece == Piece::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth) {
        return field.error(at, format!("found a {name} pawn on {square}, where no pawn can stand"));
    }
    builder.board[square as usize] = Some((piece, color));
    if piece == Piece::King && count(builder, color, Piece::King) > 1 {
        return field.error(at, format!("found a second {name} king, expected one"));
    }
    if piece == Piece::Pawn && count(builder, color, Piece::Pawn) > 8 {
        return field.error(at, format!("found a ninth {name} pawn, expected at most 8"));
    }
    if builder.board.iter().flatten().filter(|man| man.1 == color).count() > 16 {
        return field.error(at, format!("found a seventeenth {name} man, expected at most 16"));
    }
    Ok(())
}

fn count(builder: &BoardBuilder, color: Color, piece: Piece) -> usize {
    builder.board.iter().filter(|&&man| man == Some((piece, color))).count()
}

fn name(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

fn side(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    builder.side_to_move = match field.text {
        "w" => Color::White,
        "b" => Color::Black,
        other => return field.error(0, format!("found side to move '{other}', expected w or b")),
    };
    Ok(())
}

/// Checks what only the whole board shows: checks that could not have come about.
fn build(builder: &BoardBuilder, men: Field<'_>, side: Field<'_>) -> Result<(), ParseError> {
    let Ok(board) = builder.build() else {
        let name = name(!builder.side_to_move);
        return side.error(0, format!("the {name} king is in check, but it is not its turn"));
    };
    if board.checkers().len() > 2 {
        return men.error(0, format!("{} men give check, expected at most 2", board.checkers().len()));
    }
    if legal::kings_touch(&board) {
        let kings = Color::ALL.map(|color| board.king(color));
        return men.error(0, format!("found kings side by side on {} and {}", kings[0], kings[1]));
    }
    for color in Color::ALL {
        let pawns = board.colored_pieces(color, Piece::Pawn).len();
        let promoted = legal::promotions(&board, color);
        if pawns + promoted > 8 {
            let name = name(color);
            let message = format!(
                "found {pawns} {name} pawns and {name} men that need {promoted} promotions, expected at most 8 together"
            );
            return men.error(0, message);
        }
    }
    if board.checkers().len() == 2 && !legal::double_check_is_possible(&board) {
        return men.error(0, "found a double check that no last move can have given");
    }
    Ok(())
}

/// What to do about castling rights of Chess960.
const CHESS960: &str =
    "Chess960 is not supported, expected some of KQkq, or - to read the position as one without castling";

/// Whether a right would be one of Chess960: king and rook stand on the first rank, the rook on its side of the king.
fn is_shuffled(builder: &BoardBuilder, color: Color, short: bool) -> bool {
    let on = |piece: Piece, file: &File| {
        builder.square(Square::new(*file, Rank::First.relative_to(color))) == Some((piece, color))
    };
    File::ALL.iter().filter(|file| on(Piece::King, file)).any(|king| {
        File::ALL.iter().any(|rook| on(Piece::Rook, rook) && rook != king && (rook > king) == short)
    })
}

fn castling(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    if field.text == "-" {
        return Ok(());
    }
    for (at, letter) in field.text.char_indices() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (short, rook) = match letter.to_ascii_lowercase() {
            'k' => (true, File::H),
            'q' => (false, File::A),
            'a'..='h' => {
                let message = format!("found '{letter}', a right of Chess960: {CHESS960}");
                return field.error(at, message);
            }
            _ => return field.error(at, format!("found '{letter}', expected some of KQkq, or -")),
        };
        let rank = Rank::First.relative_to(color);
        let (king, corner) = (Square::new(File::E, rank), Square::new(rook, rank));
        if builder.square(king) != Some((Piece::King, color))
            || builder.square(corner) != Some((Piece::Rook, color))
        {
            let why = if is_shuffled(builder, color, short) {
                format!("; elsewhere it is a right of Chess960: {CHESS960}")
            } else {
                String::new()
            };
            let name = name(color);
            let message =
                format!("right '{letter}' needs a {name} king on {king} and a rook on {corner}{why}");
            return field.error(at, message);
        }
        let rights = builder.castle_rights_mut(color);
        let right = if short { &mut rights.short } else { &mut rights.long };
        if right.replace(rook).is_some() {
            return field.error(at, format!("found '{letter}' twice"));
        }
    }
    Ok(())
}

fn en_passant(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    if field.text == "-" {
        return Ok(());
    }
    let mover = !builder.side_to_move;
    let rank = Rank::Third.relative_to(mover);
    let Some(square) = field.text.parse::<Square>().ok().filter(|square| square.rank() == rank) else {
        let expected = if mover == Color::White { "a3 to h3" } else { "a6 to h6" };
        return field.error(0, format!("found en passant '{}', expected {expected}, or -", field.text));
    };
    let on = |rank: Rank| builder.square(Square::new(square.file(), rank.relative_to(mover)));
    if on(Rank::Second).is_some()
        || on(Rank::Third).is_some()
        || on(Rank::Fourth) != Some((Piece::Pawn, mover))
    {
        let name = name(mover);
        return field.error(0, format!("no {name} pawn can just have passed {square}"));
    }
    builder.en_passant = Some(square);
    Ok(())
}

fn counter(field: Field<'_>, what: &str, least: u16, most: u16) -> Result<u16, ParseError> {
    match field.text.parse::<u16>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => field.error(0, format!("found {what} '{}', expected {least} to {most}", field.text)),
    }
}

/// The first four fields, with the en passant square only if a pawn may take there: equal for positions
/// that the rules call equal.
pub(super) fn four_fields(board: &Board) -> String {
    let text = board.to_string();
    let mut fields: Vec<&str> = text.split(' ').take(4).collect();
    if !super::draw::can_take_en_passant(board) {
        fields[3] = "-";
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, testing};
    use proptest::prelude::*;
    use secateur_core::game::{Notation, Rules};

    #[test]
    fn formatted_positions_are_read_back() {
        let game = Chess::default();
        for pos in testing::positions(2000) {
            let text = game.format(&pos);
            let reread = game.parse(&text).expect("a formatted position");
            assert_eq!(reread, pos);
            assert_eq!(game.format(&reread), text);
            let four: Vec<&str> = text.split(' ').take(4).collect();
            let short = game.parse(&four.join("  ")).expect("four fields are enough");
            assert!(short.board.same_position(&pos.board) && short.board.halfmove_clock() == 0);
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (text, offset, part) in [
            ("", 0, "0 fields"),
            ("8/8/8/8/8/8/8/8", 15, "1 fields"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0", 26, "5 fields"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm", 30, "7 fields"),
            ("4k3/8/8/9/8/8/8/4K3 w - -", 8, "'9'"),
            ("4k3/8/8/44p/8/8/8/4K3 w - -", 10, "rank 5 has more than 8"),
            ("4k3/8/7/8/8/8/8/4K3 w - -", 7, "rank 6 has 7"),
            ("4k3/8/8/8/8/8/8/4K2 w - -", 19, "rank 1 has 7"),
            ("4k3/8/8/8/8/8/4K3 w - -", 17, "7 ranks"),
            ("4k3/8/8/8/8/8/8/4K3/8 w - -", 19, "ninth rank"),
            ("4k3/8/8/8/8/8/7x/4K3 w - -", 15, "'x'"),
            ("4k3/8/8/8/8/8/7é/4K3 w - -", 15, "'é'"),
            ("4k3/8/8/8/8/8/8/4K3[] w - -", 19, "Crazyhouse"),
            ("4k3/8/8/8/8/8/7Q~/4K3 w - -", 16, "Crazyhouse"),
            ("4k3/8/8/8/8/8/8/8 w - -", 0, "no white king"),
            ("8/8/8/8/8/8/8/4K3 w - -", 0, "no black king"),
            ("4k2k/8/8/8/8/8/8/4K3 w - -", 3, "second black king"),
            ("4k2P/8/8/8/8/8/8/4K3 w - -", 3, "white pawn on h8"),
            ("4k3/pppppppp/p7/8/8/8/8/4K3 w - -", 13, "ninth black pawn"),
            ("4k3/8/8/8/8/8/8/4K3 x - -", 20, "'x'"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - -", 22, "black king is in check"),
            ("4k3/8/3N1N2/8/8/8/4R3/4K3 b - -", 0, "3 men give check"),
            ("8/8/8/3kK3/8/8/8/8 w - -", 0, "kings side by side on e5 and d5"),
            ("4k3/8/3N1N2/8/8/8/8/4K3 b - -", 0, "no last move"),
            ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - -", 0, "8 white pawns and white men that need 1"),
            ("4k3/8/8/8/8/8/8/4K2R w Kx -", 24, "'x'"),
            ("4k3/8/8/8/8/8/8/4K2R w Q -", 23, "rook on a1"),
            ("4k3/8/8/8/8/8/8/4K2R w KK -", 24, "twice"),
            ("4k3/8/8/8/8/8/8/2K2R2 w K -", 24, "rook on h1; elsewhere it is a right of Chess960"),
            (
                "bbqnnrkr/8/8/8/8/8/8/BBQNNRKR w HFhf -",
                32,
                "'H', a right of Chess960: Chess960 is not supported",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - e3", 24, "a6 to h6"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", 24, "no black pawn"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", 26, "'x'"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 101 1", 26, "0 to 100"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", 28, "1 to"),
            ("  4k3/8/8/8/8/8/8/4K3 w - - 0 -1", 30, "'-1'"),
            ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", 29, "contradicts"),
            ("8/8/8/8/R2P3k/8/8/4K3 b - d3 0 1", 26, "before the double step"),
        ] {
            let error = Chess::default().parse(text).expect_err(text);
            assert_eq!(error.offset, offset, "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn canonical_texts_forget_colours_and_counters() {
        let game = Chess::default();
        for pos in testing::positions(500) {
            assert_eq!(game.canonical(&pos), game.canonical(&game.mirror(&pos)));
            let text = game.canonical(&pos);
            let reread = game.parse(&text).expect("a canonical text is a position");
            assert_eq!(game.canonical(&reread), text);
        }
        let canonical = |text| game.canonical(&game.parse(text).expect("a legal position"));
        let idle = canonical("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        assert_eq!(idle, canonical("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 4 9"));
    }

    proptest! {
        /// Whatever is read as a position prints, reads back equal, and can be searched; nothing panics.
        #[test]
        fn what_is_read_prints_and_reads_back(
            men in "[1-8pnbrqkPNBRQK/]{8,40}",
            places in proptest::collection::vec((0..64_usize, 0..12_usize), 0..8),
            kings in (0..64_usize, 0..64_usize),
            rest in "( [wb] (-|[KQkq]{1,4}) (-|[a-h][36])( [0-9]{1,3} [0-9]{1,5})?|[ -~]{0,12})",
        ) {
            let game = Chess::default();
            for men in [men, placed(&places, kings)] {
                let text = format!("{men}{rest}");
                let Ok(pos) = game.parse(&text) else { continue };
                let written = game.format(&pos);
                let reread = game.parse(&written);
                prop_assert_eq!(reread.as_ref(), Ok(&pos), "{}", text);
                for mv in testing::moves(&game, &pos) {
                    game.play(&pos, mv);
                    prop_assert_eq!(game.parse_move(&pos, &game.format_move(&pos, mv)), Ok(mv), "{}", text);
                }
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,60}") {
            let _ = Chess::default().parse(&text);
            let game = Chess::default();
            let _ = game.parse_move(&game.parse(testing::FENS[0]).expect("a legal position"), &text);
        }
    }

    /// The first field of a board with these men and kings.
    fn placed(places: &[(usize, usize)], kings: (usize, usize)) -> String {
        let mut squares = ['1'; 64];
        for &(square, man) in places {
            squares[square] = b"PNBRQPpnbrqp"[man].into();
        }
        (squares[kings.0], squares[kings.1]) = ('K', 'k');
        squares.chunks(8).map(String::from_iter).collect::<Vec<_>>().join("/")
    }
}
