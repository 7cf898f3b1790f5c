//! What a program may do in place of a move, and how a game is sent, in every protocol.

use super::talk::{TALKS, Talk};
use super::*;

/// What a program of this protocol says where its search ends with `word`.
pub(super) fn ends_with(protocol: Protocol, word: &str) -> String {
    match protocol {
        Protocol::Uci | Protocol::Usi => format!("echo 'bestmove {word}'"),
        Protocol::Cecp => format!("echo '{word}'"),
        Protocol::Gtp => format!("printf '= {word}\\n\\n'"),
        Protocol::NBoard => format!("echo '=== {word}'"),
        Protocol::Edax => format!("echo 'Edax plays {word}'"),
    }
}

#[test]
fn an_answer_of_gtp_goes_up_to_the_empty_line() {
    let talk = TALKS.into_iter().find(|talk| talk.protocol == Protocol::Gtp).unwrap();
    for (deed, mv) in [("printf '=\\nE3\\n\\n'", Some("e3")), ("printf '=\\n\\n'", None)] {
        let dir = tempfile::tempdir().unwrap();
        let (mut engine, answer) = talk.searched(dir.path(), deed, PATIENCE);
        match mv {
            Some(mv) => assert_eq!(answer.unwrap().best_move, mv),
            None => assert!(matches!(answer, Err(EngineError { fault: Fault::NoMove(_), .. })), "{answer:?}"),
        }
        assert!(engine.new_game().is_ok());
    }
}

#[test]
fn to_give_up_is_an_answer_in_every_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let deed = ends_with(talk.protocol, "resign");
        let (mut engine, answer) = talk.searched(dir.path(), &deed, PATIENCE);
        assert_eq!(answer.unwrap().act, Act::Resigns, "{}", talk.protocol);
        assert!(engine.is_alive() && engine.new_game().is_ok(), "{}", talk.protocol);
    }
}

#[test]
fn no_move_in_a_lost_position_gives_up_and_in_another_names_none() {
    let cases = [
        (Protocol::Uci, "mate -2", Some(Act::Resigns)),
        (Protocol::Uci, "mate 0", Some(Act::Resigns)),
        (Protocol::Uci, "cp -1000", Some(Act::Resigns)),
        (Protocol::Uci, "cp -999", None),
        (Protocol::Uci, "mate 2", None),
        (Protocol::Usi, "mate -", Some(Act::Resigns)),
        (Protocol::Usi, "cp 5", None),
    ];
    for (protocol, score, act) in cases {
        let talk = TALKS.into_iter().find(|talk| talk.protocol == protocol).unwrap();
        for word in ["(none)", "0000", ""] {
            let dir = tempfile::tempdir().unwrap();
            let deed =
                format!("echo 'info depth 1 score {score} nodes 9'; {}", ends_with(talk.protocol, word));
            let (_, answer) = talk.searched(dir.path(), &deed, PATIENCE);
            match act {
                Some(act) => assert_eq!(answer.unwrap().act, act, "{score} {word}"),
                None => {
                    assert!(
                        matches!(answer, Err(EngineError { fault: Fault::NoMove(_), .. })),
                        "{score} {word}: {answer:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_claim_is_told_from_a_resignation_by_who_is_to_move() {
    let [_, cecp, ..] = TALKS;
    let black = FEN.replace(" w ", " b ");
    for (word, position, act) in [
        ("0-1 {White resigns}", FEN, Act::Resigns),
        ("1-0 {White mates}", FEN, Act::ClaimsWin),
        ("1-0 {Black resigns}", &black, Act::Resigns),
        ("0-1 {Black mates}", &black, Act::ClaimsWin),
        ("1/2-1/2 {Draw by repetition}", FEN, Act::ClaimsDraw),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let spec = cecp.spec(dir.path(), &format!("echo 'offer draw'; {}", ends_with(cecp.protocol, word)));
        let mut engine = Engine::start(&spec, &manners(16), PATIENCE).unwrap();
        let answer = engine.search(&Ask::new(position, Go::Depth(2)), PATIENCE).unwrap();
        assert_eq!((answer.act, answer.best_move.as_str()), (act, ""), "{word}");
        if act != Act::Resigns {
            let spec =
                cecp.spec(dir.path(), &format!("{}; echo 'move e7e5'", ends_with(cecp.protocol, word)));
            let mut engine = Engine::start(&spec, &manners(16), PATIENCE).unwrap();
            let answer = engine.search(&Ask::new(position, Go::Depth(2)), PATIENCE).unwrap();
            assert_eq!((answer.act, answer.best_move.as_str()), (Act::Moves, "e7e5"), "{word}");
        }
    }
    let usi = TALKS.into_iter().find(|talk| talk.protocol == Protocol::Usi).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (_, answer) = usi.searched(dir.path(), &ends_with(usi.protocol, "win"), PATIENCE);
    assert_eq!(answer.unwrap().act, Act::ClaimsWin);
}

/// xboard lets a program give up at any time: what it says after its move ends the game at its next turn, and no other game.
#[test]
fn who_gives_up_after_its_move_has_given_up() {
    let [_, cecp, ..] = TALKS;
    let moves = ["e2e4", "e7e5"].map(str::to_owned);
    let ask = Ask::new(FEN, Go::Depth(2));
    for word in ["resign", "0-1 {White resigns}"] {
        let dir = tempfile::tempdir().unwrap();
        let spec = cecp.spec(dir.path(), &format!("echo 'move e2e4'; echo '{word}'"));
        let mut engine = Engine::start(&spec, &manners(16), PATIENCE).unwrap();
        for _ in 0..2 {
            engine.new_game().unwrap();
            assert_eq!(engine.search(&ask, PATIENCE).unwrap().act, Act::Moves, "{word}");
            assert_eq!(engine.search(&ask.after(&moves), PATIENCE).unwrap().act, Act::Resigns, "{word}");
        }
        // Another position without a word of a new game is one, too.
        let other = Ask::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Go::Depth(2));
        assert_eq!(engine.search(&other, PATIENCE).unwrap().act, Act::Moves, "{word}");
    }
}

/// What a program hears of a game in which it moves, is answered and moves again, and then of another game.
fn heard(talk: &Talk, go: Go, moves: [&str; 2]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
    let ask = Ask::new(talk.ask().position, go);
    engine.new_game().unwrap();
    let before = observed(dir.path()).len();
    engine.search(&ask, PATIENCE).unwrap();
    let moves = moves.map(str::to_owned);
    engine.search(&ask.after(&moves), PATIENCE).unwrap();
    engine.new_game().unwrap();
    engine.search(&ask, PATIENCE).unwrap();
    drop(engine);
    observed(dir.path())[before..].to_owned()
}

#[test]
fn a_position_is_set_up_once_a_game_and_then_only_new_moves_are_told() {
    let clock = Go::Clock {
        time: [Duration::from_secs(5), Duration::from_secs(4)],
        increment: [Duration::from_secs(1); 2],
        moves_to_go: None,
    };
    let with = |protocol, cases: &'static str| {
        let talk = TALKS.into_iter().find(|talk| talk.protocol == protocol).unwrap();
        if cases.is_empty() { talk } else { Talk { cases, ..talk } }
    };
    let cecp = heard(&with(Protocol::Cecp, ""), clock, ["d2d4", "d7d5"]);
    let game = format!("setboard {FEN}\nlevel 0 0:05 1\ntime 500\notim 400\nping 3\ngo\nforce\n");
    let expected = format!(
        "{game}d7d5\ntime 500\notim 400\nping 4\ngo\nforce\nnew\nforce\neasy\npost\nping 5\n{}",
        game.replace("ping 3", "ping 6")
    );
    // It may end before it hears the last word.
    assert_eq!(cecp.trim_end_matches("force\n"), expected.trim_end_matches("force\n"));

    let gtp = with(Protocol::Gtp, "");
    let set = format!("setboard {}\n", crate::discs::tests::TEXT);
    let lines = heard(&gtp, Go::Own, ["e3", "d3"]);
    let expected = format!(
        "{set}reg_genmove white\nplay white e3\nplay black d3\nreg_genmove white\nclear_board\n{set}reg_genmove white\n"
    );
    assert_eq!(lines, expected);
    // The other command makes its move on the board.
    let playing = Talk { go: "genmove*", cases: gtp.cases.replace("reg_genmove", "genmove").leak(), ..gtp };
    let lines = heard(&playing, Go::Own, ["e3", "d3"]);
    let expected =
        format!("{set}genmove white\nplay black d3\ngenmove white\nclear_board\n{set}genmove white\n");
    assert_eq!(lines, expected);

    let lines = heard(&with(Protocol::NBoard, ""), Go::Depth(2), ["e3", "pass"]);
    assert_eq!(lines.matches("set game").count(), 2, "{lines}");
    assert!(lines.contains("go\nmove E3\nmove PA\nping"), "{lines}");

    let lines = heard(&with(Protocol::Edax, ""), Go::Depth(2), ["e3", "pass"]);
    assert_eq!(lines.matches("setboard").count(), 2, "{lines}");
    assert!(lines.contains("go\nplay PS\nlevel 2\noptions\ngo\ninit"), "{lines}");

    // These two protocols have no other words than the whole game.
    let lines = heard(&with(Protocol::Uci, ""), Go::Depth(2), ["d2d4", "d7d5"]);
    assert!(lines.contains(&format!("position fen {FEN} moves d2d4 d7d5\n")), "{lines}");
}

#[test]
fn a_position_that_does_not_go_on_stands_behind_a_new_game() {
    let [_, cecp, ..] = TALKS;
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&cecp.spec(dir.path(), cecp.good), &[], PATIENCE).unwrap();
    let other = FEN.replace("RNBQKBNR", "RNBQKBN1").replace("KQkq", "Qkq");
    for position in [FEN, &other] {
        engine.search(&Ask::new(position, Go::Depth(2)), PATIENCE).unwrap();
    }
    // Another move than the one that it made.
    engine
        .search(&Ask::new(&other, Go::Depth(2)).after(&["a2a3", "a7a6"].map(str::to_owned)), PATIENCE)
        .unwrap();
    drop(engine);
    let observed = observed(dir.path());
    let starts: Vec<&str> =
        observed.lines().filter(|line| *line == "new" || line.starts_with("setb")).collect();
    let set = |position: &str| format!("setboard {position}");
    assert_eq!(starts, ["new", &set(FEN), "new", &set(&other), "new", &set(&other)]);
}
