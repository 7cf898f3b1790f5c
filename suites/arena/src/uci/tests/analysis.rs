//! Several lines, some moves only, and mates: held to the search without them and to minimax.

use super::{Talk, field};
use crate::uci::settings::UciSettings;
use secateur_core::prune::{MethodSet, Methods};
use secateur_core::search::{AnySearch, Limits, Options};
use secateur_core::{Depth, Game, Moves, Notation, Rules};
use secateur_games::chess::{Chess, MATE, START};
use std::ops::ControlFlow;

const KAUFMAN: &str = "1rbq1rk1/p1b1nppp/1p2p3/8/1B1pN3/P2B4/1P3PPP/2RQ1R1K w - - 0 1";

fn infos(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(" pv ")).collect()
}

fn number(line: &str, name: &str) -> i64 {
    field(line, name).parse().unwrap_or_else(|_| panic!("{name} of {line}"))
}

fn legal(fen: &str) -> Vec<String> {
    let game = Chess::default();
    let pos = game.parse(fen).expect("a position");
    let mut moves = Moves::<Chess>::new();
    game.moves(&pos, &mut moves);
    moves.iter().map(|scored| game.format_move(&pos, scored.mv)).collect()
}

/// Every line that was told, played from the position.
fn replay(fen: &str, lines: &[String]) {
    let game = Chess::default();
    for line in infos(lines) {
        let mut pos = game.parse(fen).expect("a position");
        for text in line.split(" pv ").nth(1).expect("a line").split(' ') {
            let mv = game.parse_move(&pos, text).unwrap_or_else(|error| panic!("{line}: {error}"));
            pos = game.play(&pos, mv);
        }
    }
}

/// Without any of these questions the lines are those of the search itself.
#[test]
fn one_line_of_all_moves_is_the_search_itself() {
    let talk = Talk::new();
    let mut settings = UciSettings::full_strength::<Chess>().expect("settings");
    settings.setup.options.table_mib = 1;
    let methods = settings.ready::<Chess>().expect("methods");
    let game = Chess::default();
    for fen in [START, KAUFMAN, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        let mut search = Chess::default().searcher(&methods, settings.setup.options.clone());
        let root = game.parse(fen).expect("a position");
        let limits = Limits { depth: 8, ..Limits::default() };
        let run = search.go(&root, &[], &limits, &mut |_| ControlFlow::Continue(()));
        let all = legal(fen).join(" ");
        for go in ["go depth 8".to_owned(), format!("go depth 8 searchmoves {all}")] {
            talk.say("ucinewgame");
            talk.say(&format!("position fen {fen}"));
            let lines = talk.ask(&go, "bestmove");
            let reported: Vec<_> =
                infos(&lines).iter().map(|line| (number(line, "depth"), number(line, "nodes"))).collect();
            let ours: Vec<_> = run.iterations.iter().map(|i| (i64::from(i.depth), i.nodes as i64)).collect();
            assert_eq!(reported, ours, "{fen}");
            assert!(lines.iter().all(|line| !line.contains("multipv")));
            replay(fen, &lines);
        }
    }
    talk.end();
}

#[test]
fn lines_are_the_best_moves_in_order_of_value() {
    let talk = Talk::new();
    talk.say("setoption name Methods value none");
    talk.say("setoption name host.check-extension value false");
    talk.say("setoption name host.drafts value exact");
    talk.say("setoption name host.missing value nothing");
    talk.say(&format!("position fen {KAUFMAN}"));
    let single = talk.ask("go depth 4", "bestmove");
    let mut oracle = Chess::default().searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    let root = oracle.game().parse(KAUFMAN).expect("a position");
    let value = |oracle: &mut dyn AnySearch<Chess>, text: &str, depth| {
        let mv = oracle.game().parse_move(&root, text).expect("a move");
        i64::from(oracle.move_value(&root, mv, Depth(depth)).0.0)
    };
    talk.say("setoption name MultiPV value 224");
    let count = legal(KAUFMAN).len();
    talk.say("ucinewgame");
    let lines = talk.ask("go depth 4", "bestmove");
    let infos = infos(&lines);
    assert_eq!(infos.len(), 4 * count);
    for (depth, told) in (1..).zip(infos.chunks(count)) {
        assert!(told.iter().map(|line| number(line, "multipv")).eq(1..=count as i64));
        assert!(told.is_sorted_by_key(|line| -number(line, "cp")));
        for line in told {
            assert_eq!(number(line, "cp"), value(oracle.as_mut(), &field(line, "pv"), depth), "{line}");
        }
        let alone = single.iter().find(|line| line.starts_with(&format!("info depth {depth} "))).expect("it");
        assert_eq!(field(alone, "cp"), field(told[0], "cp"));
    }
    assert_eq!(field(lines.last().unwrap(), "bestmove"), field(infos[3 * count], "pv"));
    replay(KAUFMAN, &lines);
    talk.end();
}

#[test]
fn some_moves_only() {
    let talk = Talk::new();
    talk.say(&format!("position fen {KAUFMAN}"));
    for (go, allowed) in [
        ("go searchmoves a3a4 h2h3 depth 5", &["a3a4", "h2h3"][..]),
        ("go depth 5 searchmoves h1g1", &["h1g1"]),
        ("go nodes 3000 searchmoves h1g1 h1g1 a3a4", &["a3a4", "h1g1"]),
        ("go wtime 1000 btime 1000 searchmoves h1g1", &["h1g1"]),
        ("go mate 2 searchmoves h1g1", &["h1g1"]),
    ] {
        for count in [1, 3] {
            talk.say(&format!("setoption name MultiPV value {count}"));
            let lines = talk.ask(go, "bestmove");
            assert!(allowed.contains(&field(lines.last().unwrap(), "bestmove").as_str()), "{go}");
            assert!(infos(&lines).iter().all(|line| allowed.contains(&field(line, "pv").as_str())));
            if count > 1 && go.contains("depth") {
                let most = infos(&lines).iter().map(|line| number(line, "multipv")).max();
                assert_eq!(most, Some(allowed.len() as i64));
            }
            replay(KAUFMAN, &lines);
        }
    }
    let lines = talk.ask("go depth 2 searchmoves a3a4 a3a5 e9 h2h3", "bestmove");
    assert!(lines[0].starts_with("info string error: go searchmoves: found a3a5 e9,"), "{lines:?}");
    assert!(["a3a4", "h2h3"].contains(&field(lines.last().unwrap(), "bestmove").as_str()));
    for go in ["go depth 2 searchmoves a3a5", "go infinite searchmoves a3a5"] {
        let lines = talk.ask(go, "bestmove");
        assert!(lines[0].starts_with("info string error: go searchmoves: ") && lines.len() == 2, "{lines:?}");
        assert_eq!(lines[1], "bestmove 0000");
    }
    talk.end();
}

#[test]
fn mates_are_found_in_the_fewest_moves_and_proven() {
    let talk = Talk::new();
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", 1),
        ("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
        // Morphy, 1858; a queen given for a mate.
        ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", 2),
        // Philidor's legacy.
        ("5r1k/6pp/7N/8/8/1Q6/5PPP/6K1 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        // The first move gives no check.
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("8/8/8/8/8/1k6/7q/K7 b - - 0 1", 1),
    ] {
        for within in [moves, moves + 1] {
            talk.say("ucinewgame");
            talk.say(&format!("position fen {fen}"));
            let lines = talk.ask(&format!("go mate {within}"), "bestmove");
            let line = lines.iter().rfind(|line| line.contains(" pv ")).expect("a line");
            assert!(line.contains(&format!("score mate {moves} ")), "{fen}: {line}");
            assert_eq!(field(line, "pv"), field(lines.last().unwrap(), "bestmove"));
            assert!(lines.iter().all(|line| !line.contains("no mate")));
            replay(fen, &lines);
        }
        if moves > 1 {
            let lines = talk.ask(&format!("go mate {}", moves - 1), "bestmove");
            let note = format!("info string no mate in {}", moves - 1);
            assert!(lines.contains(&note), "{fen}: {lines:?}");
            assert!(legal(fen).contains(&field(lines.last().unwrap(), "bestmove")), "a move all the same");
        }
    }
    talk.end();
}

/// A mate is claimed where minimax says so and nowhere else, with whatever methods.
#[test]
fn no_mate_is_claimed_that_is_none() {
    let talk = Talk::new();
    let game = Chess::default();
    let oracle = Chess::default().searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    assert!(UciSettings::full_strength::<Chess>().is_ok_and(|settings| settings.methods != MethodSet::NONE));
    // A king chased by a queen and a rook, everywhere that leaves the position legal.
    let (mut yes, mut no) = (0, 0);
    for square in 0..64 {
        let mut men = [["1"; 8]; 8];
        (men[0][6], men[3][2], men[6][1]) = ("k", "K", "R");
        if men[square / 8][square % 8] != "1" {
            continue;
        }
        men[square / 8][square % 8] = "Q";
        let fen = format!("{} w - - 0 1", men.map(|rank| rank.concat()).join("/"));
        let Ok(root) = game.parse(&fen) else { continue };
        talk.say("ucinewgame");
        talk.say(&format!("position fen {fen}"));
        let lines = talk.ask("go mate 2", "bestmove");
        let mate = oracle.minimax(&root, Depth(3)).0 >= MATE - 3;
        assert_eq!(lines.contains(&"info string no mate in 2".to_owned()), !mate, "{fen}");
        let claimed =
            lines.iter().any(|line| line.contains("score mate 1 ") || line.contains("score mate 2 "));
        assert_eq!(claimed, mate, "{fen}: {lines:?}");
        *(if mate { &mut yes } else { &mut no }) += 1;
    }
    assert!(yes >= 5 && no >= 5, "{yes} {no}");
    talk.end();
}
