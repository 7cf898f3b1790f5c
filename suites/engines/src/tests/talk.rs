//! Fake programs that speak each protocol, and each thing that may go wrong, with every one of them.
//! Real programs come last where they are installed; they are skipped aloud where they are not.

use super::*;
use crate::discs::tests::TEXT;

/// How a script of a protocol talks: what it says to the usual lines, the line at which it searches, and what it says then
/// if it is good, if it lies, and if it answers with nonsense.
pub(super) struct Talk {
    pub(super) protocol: Protocol,
    pub(super) cases: &'static str,
    pub(super) go: &'static str,
    pub(super) good: &'static str,
    /// Absent where there is nothing to lie about.
    pub(super) lie: Option<&'static str>,
    pub(super) nonsense: &'static str,
}

pub(super) const TALKS: [Talk; 6] = [
    Talk {
        protocol: Protocol::Uci,
        cases: "uci) echo 'id name Fake'; echo uciok ;; isready) echo readyok ;;",
        go: "go*",
        good: "echo 'info depth 1 score cp 5 nodes 20 pv e2e4'; echo 'info depth 2 score cp -7 nodes 90 pv d2d4 d7d5'; \
               echo 'bestmove d2d4'",
        lie: Some("echo 'info depth 99 score cp 5 nodes 20 pv e2e4'; echo 'bestmove e2e4'"),
        nonsense: "echo 'bestmove z9z9'",
    },
    Talk {
        protocol: Protocol::Cecp,
        cases: "protover*) echo 'feature myname=\"Fake\" setboard=1 ping=1 memory=1 done=0'; \
                echo 'feature option=\"Style -combo calm /// *wild\" option=\"Prune -check 1\" done=1' ;; \
                ping*) echo \"pong ${line#ping }\" ;;",
        go: "go",
        good: "echo ' 1 5 0 20 e2e4'; echo ' 2 -7 1 90 d2d4 Nf6'; echo 'move d2d4'",
        lie: Some("echo ' 99 5 0 20 e2e4'; echo 'move e2e4'"),
        nonsense: "echo 'move sideways'",
    },
    Talk {
        protocol: Protocol::Gtp,
        cases: "list_commands) printf '= name\\nsetboard\\nreg_genmove\\ntime_settings\\n\\n' ;; name) printf '= Fake\\n\\n' ;; \
                version) printf '=\\n\\n' ;; boardsize*|clear_board|setboard*|play*|time_settings*) printf '=\\n\\n' ;;",
        go: "reg_genmove*",
        good: "printf '= E3\\n\\n'",
        lie: None,
        nonsense: "printf '= Z9\\n\\n'",
    },
    Talk {
        protocol: Protocol::NBoard,
        cases: "set\\ depth*) echo \"set myname Fake${line#set depth }\" ;; ping*) echo \"pong ${line#ping }\" ;;",
        go: "go",
        good: "echo 'status Thinking'; echo 'search E3f4 +0.05 0 1 x'; echo 'search E3F4-C5 -0.07 0 2'; \
               echo 'nodestats 90 0.01'; echo '=== E3/-0.07/0.01'",
        lie: Some("echo 'search E3 +0.05 0 61'; echo '=== E3'"),
        nonsense: "echo '=== Z9/1/1'",
    },
    Talk {
        protocol: Protocol::Edax,
        cases: "move-time*) time=${line#move-time } ;; options) echo ' search level: 2'; echo \" search alloted time: 0:0$time\" ;;",
        go: "go",
        good: "echo '> depth|score| time | nodes (N) | N/s | principal variation'; \
               echo ' 1@73%  +05        0:00.000            20            e3'; \
               echo '    2   <-07        0:00.001            90      90000 e3 F4 c5'; echo; echo 'Edax plays E3'",
        lie: Some("echo '   61    +05        0:00.000            20            e3'; echo 'Edax plays E3'"),
        nonsense: "echo 'Edax plays ??'",
    },
    Talk {
        protocol: Protocol::Usi,
        cases: "usi) echo 'id name Fake'; echo 'option name Eval type filename default nn.bin'; echo usiok ;; \
                isready) echo readyok ;;",
        go: "go*",
        good: "echo 'info depth 1 score cp 5 nodes 20 pv 7g7f'; \
               echo 'info depth 2 score cp -7 nodes 90 pv 2g2f 3c3d'; echo 'bestmove 2g2f ponder 3c3d'",
        lie: Some("echo 'info depth 99 score cp 5 nodes 20 pv 7g7f'; echo 'bestmove 7g7f'"),
        nonsense: "echo 'bestmove e2e4'",
    },
];

/// The position that games of shogi begin from.
const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

impl Talk {
    pub(super) fn spec(&self, dir: &Path, action: &str) -> Spec {
        let observed = dir.join("observed");
        let text = format!(
            "while read -r line; do\n echo \"$line\" >> '{}'\n case \"$line\" in\n {} {}) {action} ;;\n quit) exit ;;\n \
             esac\ndone\n",
            observed.display(),
            self.cases,
            self.go
        );
        let path = dir.join("engine.sh");
        std::fs::write(&path, text).unwrap();
        let args = vec![path.display().to_string()];
        Spec {
            name: "fake".to_owned(),
            protocol: self.protocol,
            command: "sh".into(),
            args,
            ..Spec::default()
        }
    }

    pub(super) fn ask(&self) -> Ask<'static> {
        let position = match self.protocol.notation() {
            Notation::Fen => FEN,
            Notation::Sfen => SFEN,
            Notation::Discs => TEXT,
        };
        Ask::new(position, if self.protocol == Protocol::Gtp { Go::Own } else { Go::Depth(2) })
    }

    /// One search of a program that does this, with the program.
    pub(super) fn searched(
        &self,
        dir: &Path,
        action: &str,
        patience: Duration,
    ) -> (Engine, Result<Answer, EngineError>) {
        let mut engine = Engine::start(&self.spec(dir, action), &manners(16), PATIENCE).unwrap();
        let answer = engine.search(&self.ask(), patience);
        (engine, answer)
    }
}

#[test]
fn a_good_program_is_understood_in_every_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let (mut engine, answer) = talk.searched(dir.path(), talk.good, PATIENCE);
        let answer = answer.unwrap();
        let name = talk.protocol;
        assert_eq!(engine.id(), if name == Protocol::Edax { "fake" } else { "Fake" }, "{name}");
        assert!(answer.cpu.is_some_and(|cpu| cpu < PATIENCE) || cfg!(not(target_os = "linux")), "{name}");
        if name == Protocol::Gtp {
            assert_eq!((answer.best_move.as_str(), answer.says()), ("e3", Says::default()));
        } else {
            let mv = match name.notation() {
                Notation::Fen => "d2d4",
                Notation::Sfen => "2g2f",
                Notation::Discs => "e3",
            };
            assert_eq!(
                (answer.best_move.as_str(), answer.nodes, answer.says()),
                (mv, 90, Says::ALL),
                "{name}"
            );
            let last = answer.last().unwrap();
            let value = if name == Protocol::Edax { -700 } else { -7 };
            assert_eq!(
                (last.depth, last.score, last.pv[0].as_str()),
                (2, Some(EngineScore::Cp(value)), mv),
                "{name}"
            );
        }
        assert!(engine.new_game().is_ok() && engine.search(&talk.ask(), PATIENCE).is_ok(), "{name}");
    }
}

#[test]
fn one_that_hangs_is_ended_with_what_it_started_in_every_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let hang = "sh -c 'echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 1000' \"$0.pid\"";
        let (engine, answer) = talk.searched(dir.path(), hang, Duration::from_millis(500));
        assert!(
            matches!(answer, Err(EngineError { fault: Fault::Hung { .. }, .. })),
            "{}: {answer:?}",
            talk.protocol
        );
        assert!(!engine.is_alive());
        #[cfg(target_os = "linux")]
        assert!(!runs(runaway(dir.path())), "{}", talk.protocol);
    }
}

#[test]
fn one_that_dies_or_floods_is_told_apart_in_every_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let (engine, answer) = talk.searched(dir.path(), "exit 7", PATIENCE);
        let error = answer.unwrap_err().to_string();
        assert!(error.contains("died (exit status: 7)") && !engine.is_alive(), "{}: {error}", talk.protocol);
        let (engine, answer) = talk.searched(dir.path(), "yes 'info string flood'", PATIENCE * 10);
        assert!(
            matches!(answer, Err(EngineError { fault: Fault::Flood { .. }, .. })),
            "{}: {answer:?}",
            talk.protocol
        );
        assert!(!engine.is_alive());
    }
}

#[test]
fn lies_and_nonsense_cost_one_search_in_every_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        if let Some(lie) = talk.lie {
            let (engine, answer) = talk.searched(dir.path(), lie, PATIENCE);
            assert!(
                matches!(answer, Err(EngineError { fault: Fault::Claim(_), .. })),
                "{}: {answer:?}",
                talk.protocol
            );
            assert!(engine.is_alive());
        }
        let (mut engine, answer) = talk.searched(dir.path(), talk.nonsense, PATIENCE);
        assert!(
            matches!(answer, Err(EngineError { fault: Fault::BadMove { .. }, .. })),
            "{}: {answer:?}",
            talk.protocol
        );
        assert!(engine.is_alive() && engine.new_game().is_ok());
    }
}

#[test]
fn one_that_can_be_stopped_is_late_and_goes_on() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let once = format!("[ -e \"$0.once\" ] || {{ touch \"$0.once\"; read -r stop; }}; {}", talk.good);
        let (mut engine, answer) = talk.searched(dir.path(), &once, SHORT);
        // No word of GTP ends a search.
        if talk.protocol != Protocol::Gtp {
            assert!(
                matches!(answer, Err(EngineError { fault: Fault::Late { .. }, .. })),
                "{}: {answer:?}",
                talk.protocol
            );
            assert!(engine.search(&talk.ask(), PATIENCE).is_ok(), "{}", talk.protocol);
        } else {
            assert!(
                matches!(answer, Err(EngineError { fault: Fault::Hung { .. }, .. })),
                "{}: {answer:?}",
                talk.protocol
            );
        }
    }
}

#[test]
fn nobody_waits_once_it_is_said_to_stop_in_any_protocol() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let spec = talk.spec(dir.path(), "sleep 1000");
        let mut engine = Engine::start_until(&spec, &[], PATIENCE, Some(Arc::clone(&stop))).unwrap();
        let answer = std::thread::scope(|scope| {
            let answer = scope.spawn(|| engine.search(&talk.ask(), PATIENCE * 100));
            std::thread::sleep(SHORT);
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
            answer.join().unwrap()
        });
        assert!(
            matches!(answer, Err(EngineError { fault: Fault::Stopped, .. })) && !engine.is_alive(),
            "{}",
            talk.protocol
        );
    }
}

#[test]
fn what_a_protocol_has_no_words_for_is_refused_and_nothing_is_said() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
        let before = observed(dir.path());
        let (able, position) = (engine.abilities(), talk.ask().position);
        let moves = ["e2e4".to_owned()];
        let asks = [
            (able.depth, Ask::new(position, Go::Depth(2))),
            (able.nodes, Ask::new(position, Go::Nodes(2))),
            (able.time, Ask::new(position, Go::MoveTime(Duration::from_secs(1)))),
            (able.own_limits, Ask::new(position, Go::Own)),
            (able.root_moves && able.depth, Ask::new(position, Go::Depth(2)).only(&moves)),
        ];
        for (is_able, ask) in asks.iter().filter(|(is_able, _)| !is_able) {
            let error = engine.search(ask, PATIENCE).unwrap_err();
            assert!(!is_able && matches!(error.fault, Fault::Unable { .. }), "{error}");
            assert!(error.fault.is_survived() && is_input(&error) && engine.is_alive(), "{error}");
        }
        if able.time && able.time_step > Duration::from_millis(1) {
            let error = engine.search(&Ask::new(position, Go::MoveTime(SHORT)), PATIENCE).unwrap_err();
            assert!(error.to_string().contains("steps of 1 s"), "{error}");
        }
        assert_eq!(observed(dir.path()), before, "{}", talk.protocol);
        for (_, ask) in asks.iter().filter(|(is_able, _)| *is_able) {
            assert!(engine.search(ask, PATIENCE).is_ok(), "{}: {ask:?}", talk.protocol);
        }
    }
}

#[test]
fn edax_takes_fractions_of_a_second_and_no_less_than_it_spends() {
    let talk = TALKS.iter().find(|talk| talk.protocol == Protocol::Edax).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
    let ask = |millis| Ask::new(talk.ask().position, Go::MoveTime(Duration::from_millis(millis)));
    engine.search(&ask(300), PATIENCE).unwrap();
    engine.search(&ask(2_050), PATIENCE).unwrap();
    let before = observed(dir.path());
    assert!(before.contains("move-time 0.300\n") && before.contains("move-time 2.050\n"), "{before}");
    let error = engine.search(&ask(100), PATIENCE).unwrap_err();
    assert!(is_input(&error) && error.to_string().contains("a time is at least 0.11 s"), "{error}");
    assert_eq!(observed(dir.path()), before);
}

#[test]
fn an_edax_that_takes_longer_than_it_is_told_is_not_played_with() {
    let talk = TALKS.iter().find(|talk| talk.protocol == Protocol::Edax).unwrap();
    // As its author left it: a second at least, whatever it is allowed.
    let slow =
        Talk { cases: "options) echo ' search level: 2'; echo ' search alloted time: 0:01.000' ;;", ..*talk };
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&slow.spec(dir.path(), slow.good), &[], PATIENCE).unwrap();
    let ask = |millis| Ask::new(slow.ask().position, Go::MoveTime(Duration::from_millis(millis)));
    let error = engine.search(&ask(999), PATIENCE).unwrap_err();
    assert!(is_input(&error) && error.to_string().contains("this Edax takes 1 s; the subjects"), "{error}");
    assert!(!observed(dir.path()).contains("go\n"));
    engine.search(&ask(1_000), PATIENCE).unwrap();
}

#[test]
fn an_edax_that_makes_its_book_is_not_said_to_hang() {
    let spec = Spec {
        protocol: Protocol::Edax,
        args: vec!["-c".to_owned(), "sleep 100".to_owned()],
        command: "sh".into(),
        ..Spec::default()
    };
    let error = Engine::start(&spec, &[], SHORT).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error.fault, Fault::Unready { .. }) && message.contains("book save"), "{message}");
    assert!(!message.contains("hangs"), "{message}");
}

#[test]
fn the_defaults_of_options_are_known_as_far_as_they_are_said() {
    let [_, cecp, ..] = TALKS;
    let dir = tempfile::tempdir().unwrap();
    let engine = Engine::start(&cecp.spec(dir.path(), cecp.good), &[], PATIENCE).unwrap();
    assert_eq!(
        (engine.option_default("STYLE"), engine.option_default("Prune")),
        (Some("wild"), Some("true"))
    );
    assert_eq!((engine.option_default("Hash"), engine.option_default("no such")), (None, None));
}

#[test]
fn options_are_refused_where_there_are_none_and_set_where_there_are() {
    for talk in TALKS {
        let dir = tempfile::tempdir().unwrap();
        let options = text(&[("Styl", "wild")]);
        let spec = Spec { options, ..talk.spec(dir.path(), talk.good) };
        let started = Engine::start(&spec, &[], PATIENCE);
        if talk.protocol == Protocol::Edax {
            // Its options are arguments, which it refuses itself.
            assert!(started.is_ok());
        } else {
            let error = started.unwrap_err();
            assert!(is_input(&error) && error.to_string().contains("no option `Styl`"), "{error}");
        }
    }
    let [_, cecp, ..] = TALKS;
    let dir = tempfile::tempdir().unwrap();
    let options = text(&[("style", "WILD"), ("Prune", "false")]);
    let spec = Spec { options, ..cecp.spec(dir.path(), cecp.good) };
    Engine::start(&spec, &manners(64), PATIENCE).unwrap();
    let observed = observed(dir.path());
    for line in ["memory 64\n", "option Style=wild\n", "option Prune=0\n", "accepted setboard\n", "\nnew\n"] {
        assert!(observed.contains(line), "{line}: {observed}");
    }
}

#[test]
fn every_protocol_is_told_position_moves_and_budget() {
    let cases: [(usize, &[&str], Go, &[&str]); 6] = [
        (0, &["e2e4"], Go::Nodes(5), &["position fen", " moves e2e4", "go nodes 5"]),
        (1, &["e2e4"], Go::MoveTime(Duration::from_secs(3)), &["setboard rnbq", "e2e4", "st 3", "go"]),
        (
            2,
            &["c5", "pass"],
            Go::MoveTime(Duration::from_secs(3)),
            &[
                "setboard ---------------------------OX------XOX------OX------X----------- O",
                "play white c5",
                "play black pass",
                "time_settings 0 3 1",
                "reg_genmove white",
            ],
        ),
        (3, &["c5", "pass"], Go::Depth(7), &["nboard 2", "set depth 7", "BO[8 ---", " O]W[C5]B[PA];)", "go"]),
        (4, &["c5", "pass"], Go::Depth(7), &["setboard ---", "play c5PS", "level 7", "go"]),
        (
            5,
            &["7g7f", "3c3d"],
            Go::MoveTime(Duration::from_secs(3)),
            &["usi\n", "isready", "position sfen lnsg", " b - 1 moves 7g7f 3c3d\n", "go movetime 3000"],
        ),
    ];
    for (at, moves, go, expected) in cases {
        let talk = &TALKS[at];
        let dir = tempfile::tempdir().unwrap();
        let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
        let moves: Vec<String> = moves.iter().map(|mv| (*mv).to_owned()).collect();
        let ask = Ask::new(talk.ask().position, go).after(&moves);
        engine.search(&ask, PATIENCE).unwrap();
        drop(engine);
        let observed = observed(dir.path());
        let mut unread = observed.as_str();
        for part in expected {
            let place = unread.find(part);
            assert!(place.is_some(), "{}: no `{part}` in: {observed}", talk.protocol);
            unread = &unread[place.unwrap_or_default() + part.len()..];
        }
    }
}

#[test]
fn a_program_of_usi_is_told_its_table_unasked_and_byoyomi_where_that_is_wanted() {
    let usi = TALKS.into_iter().find(|talk| talk.protocol == Protocol::Usi).unwrap();
    let asked = |cases: &'static str, byoyomi: &str| {
        let dir = tempfile::tempdir().unwrap();
        let talk = Talk { cases, ..usi };
        let options = text(&[("byoyomi", byoyomi)]);
        let spec = Spec { options, ..talk.spec(dir.path(), talk.good) };
        let mut engine = Engine::start(&spec, &manners(64), PATIENCE).unwrap();
        // What it need not name, and the client's own switch, are set as options and are none of its own.
        let named = engine.options().len();
        assert_eq!(named, cases.matches("option name").count());
        assert!(named > 0 && engine.option_default("byoyomi").is_some());
        engine.new_game().unwrap();
        engine.search(&Ask::new(SFEN, Go::MoveTime(SHORT)), PATIENCE).unwrap();
        drop(engine);
        observed(dir.path())
    };
    let lines = asked(usi.cases, "true");
    let expected = format!(
        "usi\nsetoption name USI_Hash value 64\nsetoption name USI_Ponder value false\nisready\nusinewgame\nisready\n\
         position sfen {SFEN}\ngo btime 0 wtime 0 byoyomi 150\n"
    );
    assert_eq!(lines, expected);
    assert!(asked(usi.cases, "false").ends_with("go movetime 150\n"));
    // One with a table by another name, and an option of the name that is the client's otherwise.
    let renamed = usi.cases.replace(
        "echo usiok",
        "echo 'option name Hash type spin default 16 min 1 max 99'; echo 'option name Byoyomi type check default true'; \
         echo usiok",
    );
    let lines = asked(renamed.leak(), "true");
    assert!(lines.contains("name Hash value 64\n") && lines.contains("name Byoyomi value true\n"), "{lines}");
    assert!(!lines.contains("USI_Hash") && lines.ends_with("go movetime 150\n"), "{lines}");
}

#[test]
fn a_position_of_another_game_is_refused() {
    for talk in TALKS.iter().filter(|talk| talk.protocol.notation() == Notation::Discs) {
        let dir = tempfile::tempdir().unwrap();
        let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
        let error = engine.search(&Ask { position: FEN, ..talk.ask() }, PATIENCE).unwrap_err();
        assert!(
            is_input(&error) && error.fault.is_survived() && error.to_string().contains("64 squares"),
            "{error}"
        );
        assert!(engine.search(&talk.ask(), PATIENCE).is_ok());
    }
}

#[test]
fn what_an_engine_of_xboard_complains_of_is_not_asked_again() {
    let [_, cecp, ..] = TALKS;
    let dir = tempfile::tempdir().unwrap();
    let cases = format!("sd*) echo \"Illegal move: $line\" ;; {}", cecp.cases).leak();
    let talk = Talk { cases, ..cecp };
    let (mut engine, answer) = talk.searched(dir.path(), talk.good, PATIENCE);
    let error = answer.unwrap_err();
    assert!(error.to_string().contains("it does not know `sd`") && error.fault.is_survived(), "{error}");
    assert!(!engine.abilities().depth && engine.abilities().time);
    assert!(engine.search(&Ask::new(FEN, Go::MoveTime(Duration::from_secs(1))), PATIENCE).is_ok());
    let cases = format!("setboard*) echo 'tellusererror Illegal position' ;; {}", talk.cases).leak();
    let talk = Talk { cases, ..talk };
    let (_, answer) = talk.searched(dir.path(), talk.good, PATIENCE);
    assert!(
        matches!(answer, Err(EngineError { fault: Fault::Refused { what: "position", .. }, .. })),
        "{answer:?}"
    );
}

#[test]
fn without_setboard_a_position_is_edited_and_without_a_command_none_is_set_up() {
    let [_, cecp, gtp, ..] = TALKS;
    let dir = tempfile::tempdir().unwrap();
    let talk = Talk { cases: cecp.cases.replace("setboard=1", "usermove=1").leak(), ..cecp };
    let mut engine = Engine::start(&talk.spec(dir.path(), talk.good), &[], PATIENCE).unwrap();
    let black = "4k3/7p/8/8/8/8/4P3/4K3 b - - 0 1";
    engine.search(&Ask::new(black, Go::Depth(2)), PATIENCE).unwrap();
    assert!(observed(dir.path()).contains("usermove a2a3\nedit\n#\nPe2\nKe1\nc\nKe8\nPh7\n.\n"));
    let error =
        engine.search(&Ask::new("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", Go::Depth(2)), PATIENCE).unwrap_err();
    assert!(error.to_string().contains("in passing") && error.fault.is_survived(), "{error}");
    let talk = Talk { cases: gtp.cases.replace("setboard", "showboard").leak(), ..gtp };
    let (_, answer) = talk.searched(dir.path(), talk.good, PATIENCE);
    let error = answer.unwrap_err().to_string();
    assert!(error.contains("cannot be asked for a position"), "{error}");
}

/// Programs with what is known of them: arguments, whether they know depth, nodes and time.
const PROGRAMS: [(Protocol, &str, &[&str], [bool; 3]); 9] = [
    (Protocol::Uci, "toga2", &[], [true, false, true]),
    (Protocol::Uci, "glaurung", &[], [true, true, true]),
    (Protocol::Uci, "gnuchess", &["--uci"], [true, false, true]),
    (Protocol::Usi, "fairy-stockfish", &[], [true, true, true]),
    (Protocol::Cecp, "fairymax", &[], [true, false, false]),
    (Protocol::Cecp, "phalanx", &[], [false, false, true]),
    (Protocol::Cecp, "sjeng", &[], [true, false, true]),
    (Protocol::Cecp, "hoichess", &["--xboard"], [true, false, true]),
    (Protocol::Gtp, "gtp-rhino", &["-l", "1"], [false, false, false]),
];

#[test]
#[allow(clippy::print_stderr)]
fn real_programs_are_as_they_are_known() {
    for (protocol, program, args, [depth, nodes, time]) in PROGRAMS {
        if find(Path::new(program)).is_err() {
            eprintln!("skipped: {program} is not installed");
            continue;
        }
        let spec = Spec {
            name: program.to_owned(),
            protocol,
            command: program.into(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            ..Spec::default()
        };
        let trial = Trial::usual(protocol.notation(), PATIENCE);
        let probe = Probe::of(&spec, &manners(16), &trial, PATIENCE).unwrap();
        let report = probe.sentences().join("\n");
        assert_eq!(probe.depth.is_kept(), depth, "{program}: {report}");
        assert_eq!(probe.nodes.is_kept(), nodes, "{program}: {report}");
        assert!(probe.time.is_answered() && (!time || probe.time.is_kept()), "{program}: {report}");
        assert!(protocol == Protocol::Gtp || probe.says == Says::ALL, "{program}: {report}");
    }
}
