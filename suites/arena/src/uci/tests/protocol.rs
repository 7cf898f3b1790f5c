//! What is answered to what, and when: lines, errors, settings, and the ways to end.

use super::{MATED, Talk, field, *};
use secateur_core::Notation;
use secateur_games::shogi::Shogi;
use std::io::Write;

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let talk = Talk::new();
    let lines = talk.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name secateur"));
    for option in [
        "option name Hash type spin default",
        "option name Clear Hash type button",
        "option name null-move type check default true",
        "option name multi-cut type check default",
        "option name null-move.reduction type spin default",
        "option name mpc.t type string default",
        "option name host.check-extension type check default",
        "option name MultiPV type spin default 1 min 1 max",
        "option name Ponder type check default false",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(option)), "{option} in {lines:#?}");
    }
    assert!(!lines.iter().any(|line| line.contains("table-mib")), "the table has one option");
    assert!(!lines.iter().any(|line| line.contains("Chess960")), "what is refused is not offered");
    assert!(talk.answer("ucinewgame").is_empty());
    talk.say("quit");
    assert!(talk.end().is_empty());
}

#[test]
fn an_infinite_search_answers_but_holds_its_move_until_stop() {
    for (place, go, release) in [
        ("position startpos", "go infinite", "stop"),
        ("position startpos", "go", "stop"),
        ("position startpos", "go ponder wtime 10 btime 10", "ponderhit"),
        ("position startpos", "go ponder depth 2", "ponderhit"),
        ("position startpos", "go ponder nodes 100", "stop"),
        ("position startpos", "go mate 32 infinite", "stop"),
        (MATED, "go ponder movetime 10", "ponderhit"),
        // A mate in one ends by itself at some depth, and a finished game at once; both must wait all the same.
        ("position fen 8/8/8/8/8/1k6/8/K6r w - - 0 1", "go infinite", "stop"),
        (MATED, "go infinite", "stop"),
    ] {
        let talk = Talk::new();
        talk.say(place);
        talk.ask(go, "info depth");
        for _ in 0..3 {
            let lines = talk.ask("isready", "readyok");
            assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        }
        assert_eq!(talk.ask(release, "bestmove").iter().filter(|line| line.starts_with("best")).count(), 1);
        talk.say("stop");
        assert!(talk.answer("ponderhit").is_empty(), "a stop with nothing to stop");
        talk.end();
    }
}

#[test]
fn a_second_go_ends_the_first_and_both_answer() {
    let talk = Talk::new();
    talk.ask("go infinite", "info depth 2");
    talk.say("go depth 2");
    talk.until("bestmove");
    let lines = talk.until("bestmove");
    assert_eq!(field(&lines[lines.len() - 2], "depth"), "2");
    talk.end();
}

#[test]
fn a_wrong_position_is_an_error_and_nothing_is_searched_until_a_right_one() {
    let talk = Talk::new();
    talk.say("position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    for wrong in [
        "position fen 9/8/8/8/8/8/8/8 w - - 0 1",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e7e8q",
        // Castling of Chess960, in both spellings.
        "position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        "position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    ] {
        let lines = talk.answer(wrong);
        assert_eq!(lines.len(), 1, "{wrong}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        for go in ["go depth 3", "go infinite", "go"] {
            let lines = talk.ask(go, "bestmove");
            assert!(lines[0].starts_with("info string error: go: "), "{lines:?}");
            assert_eq!(lines[1..], ["bestmove 0000"]);
        }
    }
    talk.say("position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6");
    assert_eq!(talk.best("go depth 3"), "bestmove h5f7");
    talk.end();
}

/// Users leave counters out, and send positions in which a draw could be claimed: all of them want a move.
#[test]
fn positions_with_few_fields_or_a_full_clock_get_a_move() {
    let talk = Talk::new();
    for counters in ["", " 0", " 17", " 0 1", " 100 80", " 120 80", " 133"] {
        let wrong = talk.answer(&format!("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - -{counters}"));
        assert!(wrong.is_empty(), "{counters}: {wrong:?}");
        assert_eq!(talk.best("go depth 3"), "bestmove a1a8", "{counters}");
    }
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 120 80 moves a1b1 g8f8");
    assert_ne!(talk.best("go depth 2"), "bestmove 0000");
    talk.end();
}

#[test]
fn the_usual_parameters_have_a_name() {
    let talk = Talk::new();
    for name in ["usual", "<empty>", "modern"] {
        assert!(talk.answer(&format!("setoption name Params value {name}")).is_empty(), "{name}");
    }
    talk.end();
}

#[test]
fn chess960_is_refused_and_what_changes_nothing_is_taken() {
    let talk = Talk::new();
    let lines = talk.answer("setoption name UCI_Chess960 value true");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("info string error: UCI_Chess960: "), "{lines:?}");
    for silent in ["UCI_Chess960 value false", "UCI_AnalyseMode value true", "Ponder value true"] {
        assert!(talk.answer(&format!("setoption name {silent}")).is_empty(), "{silent}");
    }
    for wrong in ["UCI_Chess960 value 1", "UCI_AnalyseMode value", "MultiPV value 0", "MultiPV value 999"] {
        let lines = talk.answer(&format!("setoption name {wrong}"));
        assert!(lines.len() == 1 && lines[0].contains("error: found "), "{lines:?}");
    }
    talk.end();
}

#[test]
fn unknown_lines_are_passed_over() {
    let talk = Talk::new();
    assert!(talk.answer("hello world").is_empty());
    assert!(talk.answer("").is_empty());
    assert!(talk.answer("register later").is_empty());
    assert!(talk.answer("setoption").iter().all(|line| line.starts_with("info string error")));
    talk.to.as_ref().unwrap().write_all(b"\xff\xfe garbage\r\n").unwrap();
    talk.say("debug on");
    assert_eq!(talk.answer("hello world"), ["info string not understood: hello world"]);
    talk.say("debug off");
    assert!(talk.answer("hello world").is_empty());
    assert_eq!(talk.best("go depth 1\r"), talk.best("go depth 1"), "both line ends are read");
    talk.end();
}

#[test]
fn options_change_the_search_and_bad_ones_do_not() {
    let talk = Talk::new();
    talk.say("debug on");
    let nodes = |talk: &Talk| {
        talk.say("ucinewgame");
        let lines = talk.ask("go depth 6", "bestmove");
        field(&lines[lines.len() - 2], "nodes").parse::<u64>().unwrap()
    };
    let first = nodes(&talk);
    assert_eq!(nodes(&talk), first);
    let id = talk.answer("setoption name null-move.reduction value 1");
    assert!(id[0].starts_with("info string null-move.reduction = 1; params "), "{id:?}");
    let reduced = nodes(&talk);
    assert_ne!(reduced, first);
    assert!(talk.answer("setoption name null-move.reduction value -3")[0].contains("error"));
    assert_eq!(nodes(&talk), reduced, "the last good setting stays");
    talk.answer("setoption name null-move value false");
    let without = nodes(&talk);
    assert!(without != first && without != reduced);
    assert_eq!(talk.answer("setoption name Methods value none").len(), 1);
    assert!(nodes(&talk) > without);
    assert!(talk.answer("setoption name null-move value true")[0].contains("null-move = true"));
    assert!(talk.answer("setoption name nothing value 1")[0].contains("error: unknown option"));
    assert!(talk.answer("setoption name MoveOverhead value 30")[0].contains("MoveOverhead = 30"));
    assert!(talk.answer("setoption name Clear Hash").is_empty());
    talk.end();
}

#[test]
fn quit_and_the_end_of_input_end_a_search() {
    for go in ["go infinite", "go depth 60", "bench 60"] {
        let talk = Talk::new();
        talk.say(go);
        talk.ask("isready", "readyok");
        talk.say("quit");
        talk.end();
        let talk = Talk::new();
        talk.say(go);
        talk.end();
    }
}

#[test]
fn a_reader_that_leaves_ends_the_session() {
    let mut talk = Talk::new();
    talk.ask("go infinite", "info depth");
    talk.from = None;
    // The next iteration, or the answer here, meets the closed end.
    let _ = talk.to.as_ref().unwrap().write_all(b"isready\n");
    talk.session.join().expect("no panic");
}

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
