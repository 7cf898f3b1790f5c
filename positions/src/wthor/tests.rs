//! Archives made here are read back; truncated, foreign and illegal ones are refused where they are wrong.

use super::*;
use secateur_base::random::SplitMix;

const YEAR: u16 = 1999;

/// A game of random legal moves, as a file and as a replay should have it.
pub(crate) fn random_game(seed: u64) -> (Vec<u8>, Vec<Square>, i32) {
    let mut random = SplitMix(seed);
    let (mut codes, mut moves) = (Vec::new(), Vec::new());
    let mut position = Position::start();
    loop {
        let choice: Vec<Square> =
            (0..64).map(Square::new).filter(|s| position.board().moves() & s.bit() != 0).collect();
        if choice.is_empty() && position.board().replies() == 0 {
            break;
        }
        let square = if choice.is_empty() { Square::PASS } else { choice[random.below(choice.len())] };
        if square != Square::PASS {
            codes.push((10 * (square.index() / 8 + 1) + square.index() % 8 + 1) as u8);
        }
        moves.push(square);
        position = position.play(square);
    }
    codes.resize(MOVES, 0);
    let result = position.board().result();
    (codes, moves, if position.x_to_move() { result } else { -result })
}

pub(crate) fn header(games: u32) -> Vec<u8> {
    let mut bytes = vec![20, 26, 2, 18];
    bytes.extend(games.to_le_bytes());
    bytes.extend([0, 0]);
    bytes.extend(YEAR.to_le_bytes());
    bytes.extend([8, 0, 24, 0]);
    bytes
}

/// A file of `count` games; game `i` has tournament 1000 + i and players 2000 + i and 3000 + i.
pub(crate) fn archive(count: u16) -> Vec<u8> {
    let mut bytes = header(u32::from(count));
    for index in 0..count {
        let (codes, _, score) = random_game(u64::from(index));
        for number in [1000, 2000, 3000] {
            bytes.extend((number + index).to_le_bytes());
        }
        bytes.extend([((score + 64) / 2) as u8, 31]);
        bytes.extend(codes);
    }
    bytes
}

fn load(bytes: &[u8]) -> Result<Database> {
    File { path: Path::new("a.wtb"), bytes }.database(false)
}

fn message(bytes: &[u8]) -> String {
    let error = load(bytes).unwrap_err();
    assert!(!error.is_io());
    error.to_string()
}

#[test]
fn games_are_read_back_with_their_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("WTH_1999.wtb");
    std::fs::write(&path, archive(60)).unwrap();
    let database = read(&path).unwrap();
    assert_eq!((database.year, database.perfect_from, &database.path), (YEAR, 24, &path));
    let games = &database.games;
    assert_eq!(games.len(), 60);
    for (index, game) in games.iter().enumerate() {
        let (_, moves, score) = random_game(index as u64);
        assert_eq!((&game.moves, game.black_score), (&moves, score));
        assert_eq!((game.perfect_score, game.year, game.number), (-2, YEAR, index + 1));
        assert_eq!(game.tournament, 1000 + index as u16);
        assert_eq!(game.players, [2000 + index as u16, 3000 + index as u16]);
        assert_eq!(game.positions().count(), moves.len());
    }
    assert!(games.iter().any(|game| game.moves.contains(&Square::PASS)));
    assert!(matches!(read(&folder.path().join("none.wtb")), Err(Error::Unreadable { .. })));
}

#[test]
fn a_broken_off_game_keeps_its_recorded_score() {
    let mut bytes = archive(1);
    bytes[HEADER + GAME_HEAD + 10..].fill(0);
    bytes[HEADER + 6] = 64;
    let games = load(&bytes).unwrap().games;
    assert_eq!((games[0].moves.len(), games[0].black_score), (10, 64));
}

#[test]
fn truncated_and_foreign_files_are_refused() {
    let whole = archive(3);
    assert_eq!(message(&whole[..9]), "a.wtb: byte 9: found 9 bytes, expected a WTHOR header of 16 bytes");
    for cut in [HEADER, HEADER + 1, whole.len() - 1] {
        let expected = format!(
            "a.wtb: byte {cut}: found {cut} bytes, expected 220 for the 3 games of the header: the file is \
             truncated"
        );
        assert_eq!(message(&whole[..cut]), expected);
    }
    let mut long = whole.clone();
    long.push(0);
    assert!(
        message(&long)
            .ends_with("found 221 bytes, expected 220 for the 3 games of the header: something follows")
    );
    let picture = message(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    assert!(picture.starts_with("a.wtb: byte 0: found \"\\x89PNG\", expected the date"), "{picture}");
    let mut players = header(0);
    players[8] = 2;
    players.extend([b'x'; 40]);
    assert!(message(&players).contains("found a list of players or tournaments"));
    for (at, value, reason) in [
        (12, 10, "byte 12: found board size 10, expected 8"),
        (13, 1, "byte 13: found file type 1, expected 0"),
        (HEADER + GAME + 6, 65, "byte 90: game 2: found 65 discs of black, expected 0 to 64"),
        (HEADER + GAME + 7, 99, "byte 91: game 2: found 99 discs of black, expected 0 to 64"),
    ] {
        let mut bytes = whole.clone();
        bytes[at] = value;
        assert_eq!(message(&bytes).split_once(reason).map(|(before, _)| before), Some("a.wtb: "), "{reason}");
    }
    let mut old = whole;
    old[12] = 0;
    old[..4].fill(0);
    assert!(load(&old).is_ok(), "neither the board nor the date has always been written");
}

#[test]
fn an_illegal_move_is_found_where_it_stands() {
    let third = HEADER + 2 * GAME + GAME_HEAD;
    for (number, value, reason) in [
        (0, 11, "found a1, which is illegal for X, expected one of d3 c4 f5 e6"),
        (4, 44, "found d4, which is illegal for X, expected one of "),
        (5, 89, "found 89, expected a square"),
        (6, 10, "found 10, expected a square"),
        (7, 255, "found 255, expected a square"),
    ] {
        let mut bytes = archive(3);
        bytes[third + number] = value;
        let place = format!("a.wtb: byte {}: game 3, move {}: {reason}", third + number, number + 1);
        assert!(message(&bytes).starts_with(&place), "{}", message(&bytes));
    }
    let mut bytes = archive(3);
    bytes[third + 8] = 0;
    let error = message(&bytes);
    assert!(error.contains("game 3, move 10: found ") && error.contains(" after the end of the game"));
}

/// As in every other reader, all wrong games are told at once and can be left out.
#[test]
fn wrong_games_are_left_out_if_wished() {
    let path = Path::new("a.wtb");
    let mut bytes = archive(6);
    bytes[HEADER + GAME + GAME_HEAD] = 11;
    bytes[HEADER + 4 * GAME + 6] = 65;
    let told = message(&bytes);
    assert!(told.contains("game 2, move 1: found a1") && told.contains("game 5: found 65 discs"), "{told}");
    let database = parse(path, &bytes, true).unwrap();
    let numbers: Vec<usize> = database.games.iter().map(|game| game.number).collect();
    assert_eq!((numbers, database.skipped.len()), (vec![1, 3, 4, 6], 2), "games keep their numbers");
    // The whole games of a file that ends too early, or has something behind them.
    let whole = archive(3);
    let cut = parse(path, &whole[..whole.len() - 1], true).unwrap();
    assert_eq!(cut.games, load(&whole).unwrap().games[..2]);
    assert!(cut.skipped[0].to_string().ends_with("the file is truncated"), "{:?}", cut.skipped);
    let long = parse(path, &[&whole[..], &[0; 70]].concat(), true).unwrap();
    assert_eq!((long.games.len(), long.skipped.len()), (3, 1), "what follows is no game of the header");
    // Where nothing is left, and of a file of another kind, there is nothing to go on with.
    bytes = archive(1);
    bytes[HEADER + 6] = 65;
    assert!(parse(path, &bytes, true).is_err() && parse(path, &header(0)[..9], true).is_err());
    bytes[12] = 10;
    assert!(parse(path, &bytes, true).unwrap_err().to_string().contains("board size 10"));
}

#[test]
fn a_move_after_the_end_is_no_move() {
    // The shortest game there is: after nine moves white has no disc left.
    let mut bytes = header(1);
    bytes.extend([0; GAME_HEAD]);
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5", "a1"];
    let codes = moves.map(|name| Square::read(name).unwrap().index());
    bytes.extend(codes.map(|index| (10 * (index / 8 + 1) + index % 8 + 1) as u8));
    bytes.resize(HEADER + GAME, 0);
    assert_eq!(
        message(&bytes),
        "a.wtb: byte 33: game 1, move 10: found a1 after the end of the game, expected 0"
    );
    bytes[HEADER + GAME_HEAD + 9] = 0;
    assert_eq!(load(&bytes).unwrap().games[0].black_score, 64);
}

#[test]
fn files_of_one_year_have_names_of_their_own_and_none_comes_twice() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut later = archive(2);
    later[10] += 1;
    let (one, two) = (write("a.wtb", &archive(3)), write("b.wtb", &archive(4)));
    let (three, again) = (write("c.wtb", &later), write("d.wtb", &archive(3)));
    let names = |paths: &[PathBuf]| {
        let archive = Archive::read(paths).unwrap();
        archive.databases().iter().map(|database| archive.name(database)).collect::<Vec<_>>()
    };
    assert_eq!(names(&[one.clone(), three.clone()]), ["wthor-1999", "wthor-2000"]);
    let all = names(&[one.clone(), two.clone(), three.clone()]);
    assert!(all[0].starts_with("wthor-1999-") && all[1].starts_with("wthor-1999-") && all[0] != all[1]);
    assert_eq!(names(&[two, three, one.clone()]), [&all[1], &all[2], &all[0]].map(String::clone));
    let error = Archive::read(&[one.clone(), again.clone()]).unwrap_err();
    assert!(matches!(&error, Error::Repeated { path, first } if *path == again && *first == one), "{error}");
}
