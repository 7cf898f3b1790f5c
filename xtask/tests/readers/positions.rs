//! Readers of positions, moves, and files of them; and whether a chess or Othello position can be, told from its text alone and without
//! any of the program's code.
//!
//! Only what is certain is judged: a position that passes may still be out of reach of every game.

use super::{Check, Reaction, Target, refusal, same, text};
use secateur_core::game::random_games;
use secateur_core::{Game, Moves, Notation, Rules};
use secateur_games::{chess::Chess, othello::Othello};
use secateur_positions::{Kind, Provenance, Set, parse, wthor};
use std::path::Path;

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/8/8/3k4/8/3K4/3P4/8 b - - 99 120",
    "4k3/8/8/8/8/8/4r3/4K3 w - -",
];

const FEN_WORDS: &[&str] = &[
    "w", "b", "-", "KQkq", "KQ", "k", "e3", "e6", "a6", "/", "8", "k", "K", "1k6", "1K6", "p", "P", "q",
    "QQ", "N", "rr", "0", "1",
];

const EPD: &[&str] = &[
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\"; c0 \"Qd1=10, Qf6=3\";\n\
     3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5; id \"BK.02\"; cluster \"two\"; acd 12; hmvc 3;\n",
    "# a comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 17 am f3 g4; ce +12; dm 4; pv e4 e5;\n",
    "8/8/8/3k4/8/3K4/3P4/8 w - - am Kc3; id \"a; b\"; c0 \"one\" \"two\";\r\n4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O O-O-O!;\n",
];

const EPD_WORDS: &[&str] = &[
    "bm", "am", "id", "c0", "dm", "cluster", "hmvc", "fmvn", "acd", "ce", "pv", "O-O", "O-O-O", "exd6",
    "a8=Q", "e2e4", "Nbd7+", "0000", "\"", ";", "-", "w", "b", "KQkq", "noop",
];

const START: &str = "---------------------------OX------XO--------------------------- X";

const OBF: &[&str] = &[
    "---------------------------OX------XO--------------------------- X; d3:+0; c4:+0; f5:+0; e6:0; % id=a cluster=b words\n",
    "% comment\n--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; a2:+38; % id=ffo-40\n\
     O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X;\n",
];

const OBF_WORDS: &[&str] = &["X", "O", "-", ";", ":", "pass:", "id=", "cluster=", "%", "--:-127", "d3:+2"];

/// PGN as `play` writes it, and as others do.
const PGN: &[&str] = &[
    "[Event \"x\"]\n[Site \"?\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/9 0.1s} e5 2. Nf3 Nc6 3. Bb5 a6 $1 4. Ba4 (4. Bxc6 dxc6 (4... bxc6)) Nf6 \
     5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 ; rest\n10. d4 Nbd7 1-0\n\n",
    "[Event \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1\"]\n\n1. O-O-O+ Ke7 2. e4 Kf6 3. e5+ Kxe5 4. Rhe1+ Kf4 5. Rd4+ Kg3 *\n",
];

const PGN_WORDS: &[&str] = &[
    "1.", "2...", "e4", "Nf3", "O-O", "exd5", "e8=Q#", "$3", "{", "}", "(", ")", ";", "*", "1-0", "1/2-1/2",
    "[FEN \"", "--", "Z0",
];

/// Chess moves are read against one position with castling, promotions, en passant and twins.
const MOVING: &str = "r3k2r/pP2qpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq c6 0 1";
const MOVES: &[&str] = &[
    "O-O", "O-O-O", "e1g1", "e1h1", "b7b8q", "bxa8=N", "dxc6", "d5c6", "Nxg6", "Bxa6+", "Qxf6!", "0-0", "Nb1",
];

#[test]
fn positions_moves_and_files_of_them() {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let target = |name, corpus, tokens: &[&'static str], check: fn() -> Check| Target {
        name,
        corpus,
        tokens: tokens.to_vec(),
        check: check(),
    };
    let all = vec![
        target("fen", texts(FENS), FEN_WORDS, || {
            let game = Chess::default();
            Box::new(move |input| position(&game, input, judge_chess))
        }),
        target(
            "othello",
            texts(&[START, "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXXXXXXXXXXXXXXXXXXXX- O;"]),
            &["X", "O", "-", "*", "."],
            || {
                let game = Othello::default();
                Box::new(move |input| position(&game, input, judge_othello))
            },
        ),
        target("chess-move", texts(MOVES), &["O-O", "x", "=", "q", "e8", "+", "N", "B"], || {
            let game = Chess::default();
            let root = game.parse(MOVING).expect("a legal position");
            Box::new(move |input| moves(&game, &root, input))
        }),
        target("othello-move", texts(&["d3", "C4", "f5"]), &["pass", "--", "pa", "e6"], || {
            let game = Othello::default();
            let root = game.parse(START).expect("the start position");
            Box::new(move |input| moves(&game, &root, input))
        }),
        target("epd", texts(EPD), EPD_WORDS, || {
            let game = Chess::default();
            Box::new(move |input| file(&game, Kind::Epd, input, judge_chess))
        }),
        target("obf", texts(OBF), OBF_WORDS, || {
            let game = Othello::default();
            Box::new(move |input| file(&game, Kind::Obf, input, judge_othello))
        }),
        target("wthor", vec![archive(3), archive(0)], &["\u{8}", "\0", "\u{38}", "\u{42}"], || {
            let room = super::scratch();
            let path = room.path().join("fuzz.wtb");
            Box::new(move |input| {
                let _kept = &room;
                std::fs::write(&path, input).map_err(|error| error.to_string())?;
                games(&path)
            })
        }),
        target("pgn", texts(PGN), PGN_WORDS, || {
            let game = Chess::default();
            let kind = Kind::of(Path::new("x.pgn")).expect("a kind of file");
            Box::new(move |input| file(&game, kind, input, judge_chess))
        }),
    ];
    all.into_iter().for_each(Target::watch);
}

/// One position: what is taken in can be, and prints as it reads.
fn position<G: Game>(game: &G, input: &[u8], judge: fn(&str) -> Option<&'static str>) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let pos = match game.parse(text) {
        Ok(pos) => pos,
        Err(error) if error.offset > text.len() => {
            return Err(format!("a fault at byte {} of {}", error.offset, text.len()));
        }
        Err(_) => return Ok(false),
    };
    let printed = game.format(&pos);
    if let Some(why) = judge(&printed) {
        return Err(format!("took in {why}: `{printed}`"));
    }
    let reread = game
        .parse(&printed)
        .map_err(|error| format!("prints what it does not read: `{printed}`, {error}"))?;
    same("position", &pos, &reread)?;
    same("text", &printed, &game.format(&reread))?;
    // Whatever is taken in must be fit to be searched.
    let mut moves = Moves::<G>::new();
    game.moves(&pos, &mut moves);
    for scored in &moves {
        let text = game.format_move(&pos, scored.mv);
        let mv =
            game.parse_move(&pos, &text).map_err(|error| format!("a move is not read: `{text}`, {error}"))?;
        same("move", &scored.mv, &mv)?;
        let _ = game.play(&pos, mv);
    }
    let _ = (game.canonical(&pos), game.stage(&pos), game.label(&pos), game.key(&pos));
    Ok(true)
}

fn moves<G: Game>(game: &G, root: &G::Position, input: &[u8]) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let Ok(mv) = game.parse_move(root, text) else { return Ok(false) };
    let mut legal = Moves::<G>::new();
    game.moves(root, &mut legal);
    if !legal.iter().any(|scored| scored.mv == mv) {
        return Err(format!("took in an illegal move: `{mv:?}`"));
    }
    let printed = game.format_move(root, mv);
    let reread = game
        .parse_move(root, &printed)
        .map_err(|error| format!("prints what it does not read: `{printed}`, {error}"))?;
    same("move", &mv, &reread)?;
    Ok(true)
}

/// A file of positions: its lines print as they read.
fn file<G: Game>(game: &G, kind: Kind, input: &[u8], judge: fn(&str) -> Option<&'static str>) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let read =
        |kind: Kind, text: &str| parse(game, kind, "fuzz", Path::new("fuzz"), text, Provenance::default());
    let set = match read(kind, text) {
        Ok(set) => set,
        Err(error) => return refusal(&error),
    };
    for entry in &set.entries {
        if let Some(why) = judge(&entry.position) {
            return Err(format!("took in {why}: `{}`", entry.position));
        }
    }
    let lines: String = set.entries.iter().map(|entry| kind.write(entry) + "\n").collect();
    let written = if kind == Kind::Obf { Kind::Obf } else { Kind::Epd };
    let reread =
        read(written, &lines).map_err(|error| format!("prints what it does not read: `{lines}`, {error}"))?;
    let content = |set: &Set| -> Vec<_> {
        let entry = |entry: &secateur_positions::Entry| {
            (entry.position.clone(), entry.stage.clone(), entry.operations.clone())
        };
        set.entries.iter().map(entry).collect()
    };
    if kind == written {
        // Move counters may become operations: what was read twice must stay the same.
        let lines: String = reread.entries.iter().map(|entry| kind.write(entry) + "\n").collect();
        let third = read(written, &lines)
            .map_err(|error| format!("prints what it does not read: `{lines}`, {error}"))?;
        same("content", &content(&reread), &content(&third))?;
    }
    let positions = |set: &Set| set.entries.iter().map(|entry| entry.position.clone()).collect::<Vec<_>>();
    same("positions", &positions(&set), &positions(&reread))?;
    Ok(true)
}

fn games(path: &Path) -> Reaction {
    let Ok(database) = wthor::read(path) else { return Ok(false) };
    for game in &database.games {
        if game.black_score.abs() > 64 || game.perfect_score.abs() > 64 {
            return Err(format!("took in the score `{}`", game.black_score));
        }
        // Replays every move.
        let positions = game.positions().count();
        same("moves", &game.moves.len(), &positions)?;
    }
    Ok(true)
}

/// A file of random games, without the optional date.
fn archive(games: u64) -> Vec<u8> {
    let othello = Othello::default();
    let mut bytes = vec![20, 26, 11, 22];
    bytes.extend(u32::try_from(games).unwrap_or_default().to_le_bytes());
    bytes.extend([0, 0, 0xE6, 0x07, 8, 0, 24, 0]);
    for seed in 0..games {
        let mut codes = Vec::new();
        let line: Vec<_> = random_games(&othello, &[START], 61, seed).take(61).collect();
        for pair in line.windows(2) {
            let mut moves = Moves::<Othello>::new();
            othello.moves(&pair[0], &mut moves);
            let played = moves.iter().find(|scored| othello.play(&pair[0], scored.mv) == pair[1]);
            let Some(played) = played else { break };
            // A pass has no code.
            if let [file, rank] = *othello.format_move(&pair[0], played.mv).as_bytes()
                && rank.is_ascii_digit()
            {
                codes.push(10 * (rank - b'0') + (file - b'a' + 1));
            }
        }
        codes.resize(60, 0);
        bytes.extend([0, 0, 1, 0, 2, 0, 32, 32]);
        bytes.extend(codes);
    }
    bytes
}

/// Pieces by square, a1 first; `0` is empty.
type Board = [u8; 64];

/// Why a FEN is no position that a game could have; `None` if nothing speaks against it.
pub(super) fn judge_chess(fen: &str) -> Option<&'static str> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let [men, side, castling, passant, ..] = fields[..] else { return Some("fields are missing") };
    let Some(board) = board(men) else { return Some("no board of 64 squares") };
    let white = match side {
        "w" => true,
        "b" => false,
        _ => return Some("no side to move"),
    };
    let kings = [b'K', b'k'].map(|king| squares(&board, king));
    let ([one], [two]) = (&kings[0][..], &kings[1][..]) else { return Some("not one king each") };
    if distance(*one, *two) <= 1 {
        return Some("kings on neighbouring squares");
    }
    let (mover, other) = if white { (*one, *two) } else { (*two, *one) };
    if !attackers(&board, other, white).is_empty() {
        return Some("the side that has moved is in check");
    }
    if attackers(&board, mover, !white).len() > 2 {
        return Some("more than two men give check");
    }
    if board.iter().enumerate().any(|(at, man)| man.eq_ignore_ascii_case(&b'p') && matches!(at / 8, 0 | 7)) {
        return Some("a pawn on the first or last rank");
    }
    if [u8::is_ascii_uppercase, u8::is_ascii_lowercase].into_iter().any(|is_side| too_many(&board, is_side)) {
        return Some("more men than promotions allow");
    }
    if castling != "-" && !castling.chars().all(|right| may_castle(&board, right)) {
        return Some("castling without king and rook at home");
    }
    if passant != "-" && !may_be_passed(&board, passant, white) {
        return Some("no pawn can have passed the en passant square");
    }
    None
}

/// Why a text is no Othello position.
pub(super) fn judge_othello(text: &str) -> Option<&'static str> {
    let marks: Vec<char> = text.chars().filter(|mark| !mark.is_whitespace()).collect();
    if marks.len() != 65 || !marks.iter().all(|mark| "XO-".contains(*mark)) || marks[64] == '-' {
        return Some("not 64 squares and a side");
    }
    // A disc is never taken off, and the four of the centre are there from the start.
    if [27, 28, 35, 36].iter().any(|&centre| marks[centre] == '-') {
        return Some("an empty square in the centre");
    }
    None
}

fn board(men: &str) -> Option<Board> {
    let mut board = [0; 64];
    let ranks: Vec<&str> = men.split('/').collect();
    for (down, rank) in ranks.iter().enumerate() {
        let mut file = 0;
        for man in rank.bytes() {
            match man {
                b'1'..=b'8' => file += usize::from(man - b'0'),
                _ if b"PNBRQKpnbrqk".contains(&man) => {
                    *board.get_mut(((7_usize.checked_sub(down)?) * 8) + file).filter(|_| file < 8)? = man;
                    file += 1;
                }
                _ => return None,
            }
        }
        if file != 8 {
            return None;
        }
    }
    (ranks.len() == 8).then_some(board)
}

fn squares(board: &Board, man: u8) -> Vec<usize> {
    (0..64).filter(|&at| board[at] == man).collect()
}

fn distance(one: usize, two: usize) -> usize {
    (one % 8).abs_diff(two % 8).max((one / 8).abs_diff(two / 8))
}

/// The square so far from another, if it is on the board.
fn step(from: usize, file: i32, rank: i32) -> Option<usize> {
    let (file, rank) = ((from % 8) as i32 + file, (from / 8) as i32 + rank);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTING: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Where men of a colour attack a square from, other kings aside.
fn attackers(board: &Board, target: usize, white: bool) -> Vec<usize> {
    let is = |at: usize, men: &[u8; 2]| {
        let man = board[at];
        man.is_ascii_uppercase() == white && man != 0 && men.contains(&man.to_ascii_lowercase())
    };
    let mut from: Vec<usize> =
        LEAPS.iter().filter_map(|&(f, r)| step(target, f, r)).filter(|&at| is(at, b"nn")).collect();
    // A pawn attacks forwards: it stands one rank behind its target.
    let behind = if white { -1 } else { 1 };
    from.extend([-1, 1].iter().filter_map(|&file| step(target, file, behind)).filter(|&at| is(at, b"pp")));
    for (rays, men) in [(STRAIGHT, b"rq"), (SLANTING, b"bq")] {
        for (file, rank) in rays {
            let mut at = step(target, file, rank);
            while at.is_some_and(|at| board[at] == 0) {
                at = at.and_then(|at| step(at, file, rank));
            }
            from.extend(at.filter(|&at| is(at, men)));
        }
    }
    from
}

/// More pawns and promoted men than eight pawns can become.
fn too_many(board: &Board, is_side: fn(&u8) -> bool) -> bool {
    let count = |man: u8| board.iter().filter(|at| is_side(at) && at.to_ascii_lowercase() == man).count();
    let surplus = [(b'n', 2), (b'r', 2), (b'q', 1)].map(|(man, usual)| count(man).saturating_sub(usual));
    // Bishops are two of different colours.
    let shades = [0, 1].map(|shade| {
        let on = |at: &usize| is_side(&board[*at]) && board[*at].eq_ignore_ascii_case(&b'b');
        (0..64).filter(on).filter(|at| (at % 8 + at / 8) % 2 == shade).count().saturating_sub(1)
    });
    count(b'p') + surplus.iter().sum::<usize>() + shades.iter().sum::<usize>() > 8
}

fn may_castle(board: &Board, right: char) -> bool {
    let rank = if right.is_ascii_uppercase() { 0 } else { 56 };
    let (king, rook) = if rank == 0 { (b'K', b'R') } else { (b'k', b'r') };
    let corner = match right.to_ascii_lowercase() {
        'k' => 7,
        'q' => 0,
        _ => return false,
    };
    board[rank + 4] == king && board[rank + corner] == rook
}

fn may_be_passed(board: &Board, square: &str, white: bool) -> bool {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *square.as_bytes() else { return false };
    let at = usize::from(rank - b'1') * 8 + usize::from(file - b'a');
    // The other side has just moved: its pawn stands one step further on.
    let (home, row, pawn, on) =
        if white { (at + 8, 5, b'p', at.wrapping_sub(8)) } else { (at.wrapping_sub(8), 2, b'P', at + 8) };
    at / 8 == row && board[at] == 0 && board[home] == 0 && board[on] == pawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_games_pass() {
        // cozy-chess plays: the judge must not object to anything that can be reached.
        let game = secateur_games::chess::Chess::default();
        let start = secateur_games::chess::START;
        for pos in secateur_core::game::random_games(&game, &[start], 120, 1).take(60 * 120) {
            let fen = game.format(&pos);
            assert_eq!(judge_chess(&fen), None, "{fen}");
        }
    }

    #[test]
    fn impossible_positions_do_not() {
        for fen in [
            "8/8/8/3kK3/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/3n4/4K2n b - - 0 1 ",
            "4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1",
            "4k3/pppppppp/8/8/8/2QQ4/PPPPPPPP/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        ] {
            let judged = judge_chess(fen);
            // The third: a knight on d2 does not attack e1, so that one is fine.
            assert_eq!(judged.is_none(), fen.ends_with("0 1 "), "{fen}: {judged:?}");
        }
        let start = format!("{}OX------XO{} X", "-".repeat(27), "-".repeat(27));
        assert_eq!(judge_othello(&start), None);
        assert!(judge_othello(&start.replace("OX", "-X")).is_some() && judge_othello(&start[1..]).is_some());
    }
}
