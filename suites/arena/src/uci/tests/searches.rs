//! What searches say: moves, scores, counts, and what they remember.

use super::{MATED, Talk, field};
use std::time::{Duration, Instant};

#[test]
fn every_form_of_go_ends_in_a_legal_move() {
    let talk = Talk::new();
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6");
    for go in [
        "go depth 3",
        "go depth 0",
        "go nodes 3000",
        "go nodes 0",
        "go movetime 20",
        "go movetime 0",
        "go wtime 1000 btime 1000",
        "go wtime 100 btime 1000 winc 10 binc 10 movestogo 1",
        "go wtime 0 btime 0",
        "go wtime -50 btime 1000",
        "go btime 300",
        "go depth 4 nodes 100000 movetime 5000",
        "go mate 2",
        "go searchmoves e1g1 depth 2",
    ] {
        let lines = talk.ask(go, "bestmove");
        let info = lines.iter().rfind(|line| line.starts_with("info depth")).expect(go);
        let best = &field(lines.last().unwrap(), "bestmove");
        // A clock may end the search within an iteration that has found a better move and has no line yet.
        if go.contains("depth") || go.contains("mate") {
            assert_eq!(&field(info, "pv"), best, "{go}");
        }
        talk.say(&format!("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 {best}"));
        assert!(
            talk.answer("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 g8f6").is_empty(),
            "{go}: {best}"
        );
    }
    talk.end();
}

#[test]
fn info_lines_count_up_and_hold_every_field() {
    let talk = Talk::new();
    let lines = talk.ask("go depth 5", "bestmove");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    let numbers = |name| infos.iter().map(|line| field(line, name).parse().unwrap()).collect::<Vec<u64>>();
    assert_eq!(numbers("depth"), [1, 2, 3, 4, 5]);
    assert!(numbers("nodes").is_sorted() && numbers("time").is_sorted());
    assert!(numbers("seldepth").iter().zip(numbers("depth")).all(|(deepest, depth)| *deepest >= depth));
    assert!(infos.iter().all(|line| ["cp", "mate"].contains(&field(line, "score").as_str())));
    talk.end();
}

#[test]
fn castling_is_king_to_its_goal() {
    let talk = Talk::new();
    assert!(talk.answer("position fen 4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1 moves e1c1 e8g8").is_empty());
    assert!(
        talk.answer("position fen r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1 moves e1g1 e8c8 g1h1 d8d1").is_empty()
    );
    assert_eq!(talk.best("go depth 3"), "bestmove f1d1", "the rook came to f1 with the king");
    talk.end();
}

#[test]
fn memory_is_kept_until_it_is_cleared() {
    let talk = Talk::new();
    let nodes = |talk: &Talk| {
        let lines = talk.ask("go depth 6", "bestmove");
        field(&lines[lines.len() - 2], "nodes").parse::<u64>().unwrap()
    };
    let first = nodes(&talk);
    assert!(nodes(&talk) < first, "the second search knows the first");
    for forget in ["ucinewgame", "setoption name Clear Hash"] {
        talk.say(forget);
        assert_eq!(nodes(&talk), first, "{forget}");
    }
    talk.end();
}

#[test]
fn a_bench_repeats_and_can_be_stopped() {
    let talk = Talk::new();
    let bench = || talk.ask("bench 3", "info string bench BK.24");
    let signature = |lines: &[String]| (lines.to_vec(), talk.until("").pop().unwrap());
    let total = |line: &str| line.split(' ').next().unwrap().parse::<u64>().unwrap();
    let (lines, last) = signature(&bench());
    talk.best("go depth 4");
    let (again, again_last) = signature(&bench());
    assert_eq!((lines.len(), &lines), (24, &again), "the same whatever was searched before");
    assert_eq!(total(&last), total(&again_last));
    assert_eq!(
        total(&last),
        lines.iter().map(|line| field(line, "nodes").parse::<u64>().unwrap()).sum::<u64>()
    );
    talk.say("bench 64");
    assert_eq!(talk.ask("isready", "readyok").pop().unwrap(), "readyok");
    talk.ask("stop", "info string bench stopped");
    talk.end();
}

#[test]
fn mates_are_told_in_moves_and_a_finished_game_has_no_move() {
    let talk = Talk::new();
    talk.say("position fen 6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1");
    let lines = talk.ask("go depth 3", "bestmove");
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove e1e8");
    // The rooks mate in two: one to the seventh rank, the other to the eighth; Black to move is mated in one.
    talk.say("position fen 6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    let lines = talk.ask("go depth 5", "bestmove");
    assert!(lines[lines.len() - 2].contains("score mate 2 "), "{lines:?}");
    talk.say("position fen 6k1/R7/8/8/8/8/8/1R4K1 b - - 0 1");
    let lines = talk.ask("go depth 5", "bestmove");
    assert!(lines[lines.len() - 2].contains("score mate -1 "), "{lines:?}");
    talk.say(MATED);
    assert_eq!(talk.ask("go depth 5", "bestmove"), ["info depth 0 score mate 0", "bestmove 0000"]);
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(talk.ask("go movetime 50", "bestmove"), ["info depth 0 score cp 0", "bestmove 0000"]);
    talk.end();
}

#[test]
fn the_game_so_far_counts_for_repetitions() {
    // White is a rook behind and gives check from e5 and e8 in turn. The check on e5 has been given before, so it
    // draws at once; who sees the position alone sees no repetition within three plies.
    let talk = Talk::new();
    let score = |place: &str| {
        talk.say("ucinewgame");
        talk.say(place);
        let lines = talk.ask("go depth 3", "bestmove");
        (
            field(&lines[lines.len() - 2], "cp").parse::<i32>().unwrap(),
            field(lines.last().unwrap(), "bestmove"),
        )
    };
    let start = "position fen 7k/8/8/4Q3/8/q7/r7/7K b - - 0 1";
    let (alone, _) = score("position fen 4Q3/6k1/8/8/8/q7/r7/7K w - - 7 4");
    let (value, best) = score(&format!("{start} moves h8g8 e5e8 g8g7 e8e5 g7g8 e5e8 g8g7"));
    assert_eq!((value, best.as_str()), (0, "e8e5"));
    assert!(alone < -100, "{alone}");
    talk.end();
}

#[test]
fn a_search_that_is_hit_answers_by_itself_in_its_time() {
    let talk = Talk::new();
    for (go, most) in [
        ("go ponder movetime 200", 200),
        ("go ponder wtime 3000 btime 3000", 3000),
        ("go wtime 500 btime 500 movestogo 1 ponder", 500),
    ] {
        talk.say("ucinewgame");
        talk.ask(go, "info depth 3");
        let lines = talk.ask("isready", "readyok");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "no clock runs yet");
        let begun = Instant::now();
        let best = talk.ask("ponderhit", "bestmove").pop().expect("a line");
        // The clock is kept but for what a busy computer adds.
        assert!(begun.elapsed() < Duration::from_millis(most + 2000), "{go}: {:?}", begun.elapsed());
        assert!(talk.answer(&format!("position startpos moves {}", field(&best, "bestmove"))).is_empty());
        talk.say("position startpos");
    }
    talk.end();
}

#[test]
fn a_clock_that_does_not_run_ends_nothing() {
    // A clock of nothing at all: only the hit makes it run.
    let talk = Talk::new();
    talk.say("go ponder wtime 0 btime 0 movestogo 1");
    talk.until("info depth 9");
    assert_eq!(talk.ask("ponderhit", "bestmove").iter().filter(|line| line.starts_with("best")).count(), 1);
    talk.end();
}

#[test]
fn hits_and_stops_in_any_order_never_hang_nor_answer_twice() {
    for lines in [
        &["ponderhit", "ponderhit", "stop"][..],
        &["ponderhit", "stop", "ponderhit"],
        &["stop", "ponderhit", "stop"],
        &["setoption name Hash value 2", "ponderhit", "stop"],
        &["go depth 1"],
        &["position startpos moves e2e4", "ponderhit", "stop", "go depth 1"],
        &["ponderhit", "quit"],
        &["quit"],
    ] {
        for go in
            ["go ponder wtime 60000 btime 60000", "go ponder", "go ponder infinite", "go ponder depth 1"]
        {
            let talk = Talk::new();
            talk.ask(go, "info depth 1");
            lines.iter().for_each(|line| talk.say(line));
            if lines.contains(&"quit") {
                talk.end();
                continue;
            }
            let searches = 1 + lines.iter().filter(|line| line.starts_with("go")).count();
            for _ in 0..searches {
                talk.until("bestmove");
            }
            assert!(talk.answer("ponderhit").is_empty(), "{go}, {lines:?}");
            talk.end();
        }
    }
}

#[test]
fn the_reply_that_is_expected_is_the_second_move_of_the_line() {
    let talk = Talk::new();
    let lines = talk.ask("go depth 4", "bestmove");
    let info = &lines[lines.len() - 2];
    let line: Vec<&str> = info.split(" pv ").nth(1).expect("a line").split(' ').collect();
    let best = lines.last().unwrap();
    assert_eq!(*best, format!("bestmove {} ponder {}", line[0], line[1]));
    assert!(!talk.ask("go depth 1", "bestmove").last().unwrap().contains("ponder"), "no reply is known");
    talk.end();
}

#[test]
fn a_long_search_tells_of_moves_and_a_short_one_does_not() {
    let talk = Talk::new();
    assert!(talk.ask("go depth 6", "bestmove").iter().all(|line| !line.contains("currmove")));
    talk.say("go infinite");
    let lines = talk.until_holding("currmove");
    let line = lines.last().unwrap();
    assert!(field(line, "currmovenumber").parse::<usize>().unwrap() >= 1);
    let mv = field(line, "currmove");
    assert!(talk.answer(&format!("position startpos moves {mv}")).iter().all(|line| !line.contains("error")));
    talk.ask("stop", "bestmove");
    talk.end();
}

#[test]
fn the_last_line_has_all_nodes() {
    let talk = Talk::new();
    let all = |lines: &[String]| {
        let infos: Vec<_> = lines.iter().filter(|line| line.contains(" nodes ")).collect();
        let nodes: Vec<u64> = infos.iter().map(|line| field(line, "nodes").parse().unwrap()).collect();
        assert!(nodes.is_sorted(), "{nodes:?}");
        (*nodes.last().unwrap(), *nodes.iter().rev().find(|&&n| n < *nodes.last().unwrap()).unwrap_or(&0))
    };
    for nodes in [20_000, 50_000] {
        talk.say("ucinewgame");
        let lines = talk.ask(&format!("go nodes {nodes}"), "bestmove");
        let (last, before) = all(&lines);
        // The last node may be one of quiescence, which are counted when their search is done.
        assert!((nodes..nodes + 500).contains(&last) && before < nodes, "{last}");
        assert!(lines[lines.len() - 2].starts_with("info nodes "), "{lines:?}");
        assert!(lines.iter().filter(|line| line.contains(" pv ")).all(|line| line.contains(" hashfull ")));
    }
    let mut lines = talk.ask("go infinite", "info depth 8");
    lines.extend(talk.ask("stop", "bestmove"));
    assert!(all(&lines).0 > 0);
    // A search that ends with an iteration has said it all.
    let lines = talk.ask("go depth 3", "bestmove");
    assert!(lines[lines.len() - 2].starts_with("info depth 3 "));
    talk.end();
}
