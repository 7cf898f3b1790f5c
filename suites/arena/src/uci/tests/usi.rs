//! Sessions that begin with `usi`: shogi.

use super::*;
use secateur_core::Notation;
use secateur_games::shogi::Shogi;

/// A gold dropped in front of the king mates, next to a pawn.
const MATES: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

fn greeted() -> Talk {
    let talk = Talk::begun("usi");
    let lines = talk.until("usiok");
    assert!(lines[0].starts_with("id name secateur"), "{lines:?}");
    assert!(lines.contains(&"option name Methods type string default null-move+lmr".to_owned()), "{lines:?}");
    // Set unasked, as boards do.
    assert_eq!(talk.answer("setoption name USI_Hash value 1"), Vec::<String>::new());
    assert_eq!(talk.answer("setoption name USI_Ponder value false"), Vec::<String>::new());
    talk
}

#[test]
fn a_session_of_shogi_answers_with_moves_of_shogi() {
    let talk = greeted();
    talk.say("usinewgame");
    talk.say("position startpos moves 7g7f 3c3d");
    let best = talk.best("go depth 2").replace("bestmove ", "");
    let game = Shogi::default();
    let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    let pos = game.parse(sfen).expect("the position after these moves");
    assert!(game.parse_move(&pos, &best).is_ok(), "{best}");
    talk.say(&format!("position sfen {sfen} moves {best}"));
    assert!(talk.best("go nodes 500").len() >= "bestmove 7g7f".len());
    assert!(talk.answer("position sfen 9/9 b - 1")[0].starts_with("info string error: position"));
    assert_eq!(talk.best("go depth 1"), "bestmove resign");
    talk.say("quit");
    talk.end();
}

#[test]
fn a_mate_is_told_in_plies_and_who_is_mated_resigns() {
    let talk = greeted();
    talk.say(MATES);
    let lines = talk.ask("go depth 3", "bestmove");
    assert!(
        lines.iter().any(|line| line.contains(" score mate 1 ") && line.ends_with("pv G*5b")),
        "{lines:?}"
    );
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove G*5b")), "{lines:?}");
    talk.say(&format!("{MATES} moves G*5b"));
    assert_eq!(talk.ask("go depth 3", "bestmove"), ["info depth 0 score mate 0", "bestmove resign"]);
    talk.say(MATES);
    assert_eq!(talk.ask("go mate 10000", "checkmate"), ["checkmate notimplemented"]);
    talk.end();
}

#[test]
fn byoyomi_is_time_for_the_move() {
    let talk = greeted();
    let begun = std::time::Instant::now();
    assert!(talk.best("go btime 0 wtime 0 byoyomi 80").starts_with("bestmove "));
    // No iteration is begun for which there is no time, so the move may come before that; it must not come without a limit.
    assert!(begun.elapsed() < PATIENCE);
    talk.end();
}
