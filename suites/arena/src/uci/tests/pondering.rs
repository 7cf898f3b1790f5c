//! Searches on the other side's time, and what is said of a search while it goes on.

use super::{Talk, field};
use std::time::{Duration, Instant};

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
