//! Whole matches with small budgets: what must be the same however they are played, and who must lose.

use super::*;
use secateur_core::Game;
use secateur_engines::{Protocol, find};
use secateur_games::{chess::Chess, othello::Othello};
use secateur_positions::Reading;
use secateur_suites::Error;
use secateur_suites::cutting::{Order, cut};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::tempdir;

pub(super) fn settings(game: &str, first: &str, second: &str, games: usize) -> MatchSettings {
    MatchSettings {
        game: game.to_owned(),
        games,
        seed: 1,
        limit: Limit::Nodes(300),
        odds: None,
        margin_ms: 1_000,
        hash_mib: 1,
        openings: None,
        reading: Reading::default(),
        sprt: None,
        margins: None,
        shared: Vec::new(),
        adjudication: if game == "chess" { Adjudication::openbench() } else { Adjudication::default() },
        first: PlayerSpec::read(first, None, &[]).unwrap(),
        second: PlayerSpec::read(second, None, &[]).unwrap(),
    }
}

/// All that is missing of a match, one game at a time.
pub(super) fn job<'a>(settings: &'a MatchSettings, dir: &'a Path, stop: &'a Arc<AtomicBool>) -> Job<'a> {
    Job { settings, dir, argv: Vec::new(), jobs: 1, cores: &[], retry: false, part: None, lacking: &[], stop }
}

/// Plays, stopping after so many games.
fn play_until(settings: &MatchSettings, dir: &Path, jobs: usize, games: usize) -> Result<Ended, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let job = Job { jobs, ..job(settings, dir, &stop) };
    run(&job, &mut |rows| {
        if rows.len() >= games {
            stop.store(true, Ordering::SeqCst);
        }
    })
}

pub(super) fn play(settings: &MatchSettings, dir: &Path, jobs: usize) -> Ended {
    play_until(settings, dir, jobs, usize::MAX).unwrap()
}

/// The rows without their clocks.
pub(super) fn timeless(rows: &[GameRow]) -> Vec<GameRow> {
    rows.iter()
        .map(|row| GameRow {
            first_time_ns: 0,
            second_time_ns: 0,
            transcript: String::new(),
            seal: String::new(),
            ..row.clone()
        })
        .collect()
}

/// The transcripts without the times of their moves, on one line.
pub(super) fn transcripts(dir: &Path) -> String {
    let text = std::fs::read_to_string(dir.join("games.pgn")).unwrap();
    let timed = |word: &&str| word.strip_suffix('s').is_none_or(|word| word.parse::<f64>().is_err());
    text.split_whitespace().filter(timed).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_player_against_itself_halves_every_pair() {
    for (game, opening) in [("chess", "white"), ("othello", "x"), ("einstein", "blue")] {
        let dir = tempdir().unwrap();
        let ended = play(&settings(game, "null-move", "null-move", 6), &dir.path().join("m"), 2);
        assert!(ended.file.complete && ended.rows.len() == 6);
        assert_eq!(ended.file.distinct_openings, 3);
        for pair in ended.rows.chunks(2) {
            let [one, two] = pair else { panic!("an odd number of games") };
            assert_eq!((one.pair, &one.opening), (two.pair, &two.opening));
            assert_eq!(one.first_side, opening);
            assert_ne!(one.first_side, two.first_side);
            // The same moves by the other player: the points add up to one.
            assert_eq!(one.half_points() + two.half_points(), 2);
            assert_eq!((&one.result, one.plies), (&two.result, two.plies));
            assert_eq!((one.first_nodes, one.second_depths), (two.second_nodes, two.first_depths), "{one:?}");
        }
    }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    for game in ["chess", "othello", "einstein"] {
        let settings = settings(game, "none", "null-move+futility", 6);
        let dir = tempdir().unwrap();
        let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
        let one = play(&settings, &whole, 1);
        let stopped = play_until(&settings, &cut, 3, 2).unwrap();
        assert!(!stopped.file.complete && stopped.rows.len() < 6);
        // As after a crash: a transcript without its row, and half a row.
        let pgn = std::fs::read_to_string(whole.join("games.pgn")).unwrap();
        append(&cut.join("games.pgn"), &pgn[pgn.rfind("[Event ").unwrap()..][..200]);
        append(&cut.join("games.csv"), "6,3,x");
        let resumed = play(&settings, &cut, 2);
        assert!(resumed.file.complete && resumed.file.session.len() == 2);
        assert_eq!(timeless(&one.rows), timeless(&resumed.rows));
        assert_eq!(transcripts(&whole), transcripts(&cut));
        // A complete match is left as it is.
        let replayed = play(&settings, &cut, 1);
        assert_eq!(replayed.rows, resumed.rows);
    }
}

#[test]
fn odds_give_the_second_player_more_in_both_games_of_a_pair() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let even = settings("othello", "mpc", "mpc", 4);
    let odds = MatchSettings { odds: Some(3.0), ..even.clone() };
    for row in &play(&odds, &dir.join("odds"), 2).rows {
        let mean = |nodes: u64, moves: u64| nodes as f64 / moves as f64;
        let [first, second] =
            [mean(row.first_nodes, row.first_moves), mean(row.second_nodes, row.second_moves)];
        assert!(first <= 310.0 && second > 1.5 * first, "{first} {second}");
    }
    let one = MatchSettings { odds: Some(1.0), ..even.clone() };
    let [one, even] = [(&one, "one"), (&even, "even")].map(|(asked, name)| play(asked, &dir.join(name), 1));
    assert_eq!(timeless(&one.rows), timeless(&even.rows), "odds of 1 are none");
    let deep = MatchSettings { limit: Limit::Depth(2), ..odds };
    assert!(matches!(play_until(&deep, &dir.join("deep"), 1, 9), Err(Error::Usage(_))));
}

fn append(path: &Path, text: &str) {
    let old = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, old + text).unwrap();
}

#[test]
fn a_folder_goes_on_with_its_own_match_only() {
    let dir = tempdir().unwrap();
    let old = settings("othello", "none", "null-move", 2);
    play(&old, dir.path(), 1);
    for (what, new) in [
        ("limit", MatchSettings { limit: Limit::Nodes(301), ..old.clone() }),
        ("seed", MatchSettings { seed: 2, ..old.clone() }),
        (
            "second player",
            MatchSettings { second: PlayerSpec::read("mpc", None, &[]).unwrap(), ..old.clone() },
        ),
    ] {
        let error = play_until(&new, dir.path(), 1, 9).unwrap_err();
        assert!(
            matches!(error, Error::Record(secateur_record::Error::Differs { what: found, .. }) if found == what),
            "{error}"
        );
    }
    assert_eq!(PlayFile::read(dir.path()).unwrap().settings, old);
}

/// Every transcript, played again by the rules, ends where the record says.
#[test]
fn transcripts_can_be_played_again() {
    fn check<G: Game>(game: &G, tag: &str, text: &str) {
        let (head, moves) = text.split_once("\n\n").unwrap();
        let start = head.lines().find_map(|line| line.strip_prefix(&format!("[{tag} \""))).unwrap();
        let mut pos = game.parse(start.trim_end_matches("\"]")).unwrap();
        let mut comment = false;
        let (mut plies, mut last) = (0, "");
        for word in moves.split_whitespace() {
            comment |= word.starts_with('{');
            if !comment && !word.ends_with('.') {
                last = word;
                if let Ok(mv) = game.parse_move(&pos, word) {
                    pos = game.play(&pos, mv);
                    plies += 1;
                }
            }
            comment &= !word.ends_with('}');
        }
        assert!(head.contains(&format!("[PlyCount \"{plies}\"]")), "{text}");
        assert!(head.contains(&format!("[Result \"{last}\"]")), "{text}");
    }
    for name in ["chess", "othello"] {
        let dir = tempdir().unwrap();
        play(&settings(name, "none", "razoring", 4), dir.path(), 2);
        let text = std::fs::read_to_string(dir.path().join("games.pgn")).unwrap();
        let games: Vec<&str> = text.split("[Event ").skip(1).collect();
        assert_eq!(games.len(), 4);
        for game in games {
            assert!(game.lines().all(|line| line.len() < 80 || line.starts_with('[')));
            if name == "chess" {
                check(&Chess::default(), "FEN", game);
            } else {
                check(&Othello::default(), "Position", game);
            }
        }
    }
}

#[test]
fn othello_games_give_out_all_discs() {
    let dir = tempdir().unwrap();
    let ended = play(&settings("othello", "mpc", "futility", 4), dir.path(), 2);
    for row in &ended.rows {
        let (x, o) = row.result.split_once('-').unwrap();
        let (x, o): (i32, i32) = (x.parse().unwrap(), o.parse().unwrap());
        assert_eq!(x + o, 64);
        let margin = if row.first_side == "x" { x - o } else { o - x };
        assert_eq!(row.margin, Some(margin));
        assert_eq!(margin.signum() + 1, row.half_points() as i32);
        assert_eq!(row.reason, "discs");
    }
}

/// A program that speaks UCI up to `go` and then does `deed`.
fn engine(dir: &Path, name: &str, deed: &str) -> String {
    let path = dir.join(name);
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
         quit) exit;;\ngo*) {deed};;\nesac; done\n"
    );
    program(&path, &script);
    format!("engine:{}", path.display())
}

/// A script as a program.
pub(super) fn program(path: &Path, script: &str) {
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn engines_that_break_lose_and_the_match_goes_on() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let repeated = Limit::Depth(1);
    let timed = Limit::MoveTime(Duration::from_millis(20));
    for (name, deed, limit, reason, detail) in [
        ("illegal", "echo bestmove a1a1", repeated, "illegal-move", "a1a1 in "),
        ("babble", "echo bestmove castle", repeated, "illegal-move", "castle"),
        ("crash", "exit 3", repeated, "crash", "3"),
        ("hang", "sleep 60", timed, "hang", ""),
        ("late", "sleep 1; echo bestmove a2a3", timed, "time", ""),
        ("boast", "echo 'info depth 512 score cp 1'; echo bestmove a2a3", repeated, "claim", "depth 512"),
        ("none", "echo bestmove", repeated, "illegal-move", "without a move"),
    ] {
        // Before the first game a time is tried, by two searches that are answered.
        let tried = dir.join(format!("{name}-tried")).display().to_string();
        let well = format!(
            "echo >> '{tried}'; [ $(wc -l < '{tried}') -le 2 ] && {{ echo bestmove f2g3; continue; }}; "
        );
        let engine = engine(dir, name, &if limit == timed { well + deed } else { deed.to_owned() });
        let settings = MatchSettings { limit, margin_ms: 500, ..settings("chess", &engine, "none", 2) };
        let ended = play(&settings, &dir.join(format!("{name}-match")), 1);
        assert!(ended.file.complete);
        for row in &ended.rows {
            assert_eq!((row.points, row.reason.as_str()), (0.0, reason), "{row:?}");
            assert_eq!(row.at_fault(), Some(0), "{row:?}");
            assert!(row.detail.contains(detail), "{row:?}");
        }
    }
}

#[test]
fn games_that_a_fault_ended_are_played_again_if_that_is_asked() {
    let dir = tempdir().unwrap();
    let fallen = dir.path().join("fallen");
    // Crashes in the first game only.
    let deed = format!("[ -e '{0}' ] || {{ touch '{0}'; exit 3; }}; echo bestmove", fallen.display());
    let engine = engine(dir.path(), "once", &deed);
    let asked = MatchSettings { limit: Limit::Depth(1), ..settings("chess", &engine, "none", 2) };
    let out = dir.path().join("m");
    let first = play(&asked, &out, 1);
    assert_eq!(
        first.rows.iter().map(|row| row.reason.as_str()).collect::<Vec<_>>(),
        ["crash", "illegal-move"]
    );
    assert_eq!(play(&asked, &out, 1).rows, first.rows, "not by itself");
    let stop = Arc::new(AtomicBool::new(false));
    let job = Job { retry: true, ..job(&asked, &out, &stop) };
    let retried = run(&job, &mut |_| ()).unwrap();
    assert!(retried.file.complete && retried.rows.iter().all(|row| row.reason == "illegal-move"));
    assert!(retried.mended[0].contains("2 games that a fault ended"), "{:?}", retried.mended);
}

#[test]
fn a_hung_engine_is_given_up_when_it_is_said_to_stop() {
    let dir = tempdir().unwrap();
    let asked = dir.path().join("asked");
    let engine = engine(dir.path(), "hang", &format!("touch '{}'; sleep 1000", asked.display()));
    let settings = MatchSettings { limit: Limit::Depth(1), ..settings("chess", &engine, "none", 2) };
    let stop = Arc::new(AtomicBool::new(false));
    let out = dir.path().join("m");
    let job = Job { jobs: 2, ..job(&settings, &out, &stop) };
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&job, &mut |_| ()).unwrap());
        while !asked.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::SeqCst);
        running.join().unwrap()
    });
    assert!(!ended.file.complete && ended.rows.is_empty(), "a game that was given up is no loss");
}

/// A program of discs that says nothing but its move, which is legal nowhere, and writes down how it is called and asked.
const MUTE: &str = "#!/bin/sh\necho \"called $@\" >> 'HEARD'\nwhile read -r line; do echo \"$line\" >> 'HEARD'; case \"$line\" in\n \
                    list_commands) printf '= setboard\\nreg_genmove\\ntime_settings\\n\\n' ;;\n \
                    reg_genmove*) printf '= A1\\n\\n' ;;\n quit) exit ;;\n *) printf '=\\n\\n' ;;\nesac; done\n";

#[test]
fn a_program_plays_at_a_level_of_its_own_whatever_the_match_allows() {
    let dir = tempdir().unwrap();
    let heard = dir.path().join("heard");
    let program = dir.path().join("mute");
    self::program(&program, &MUTE.replace("HEARD", &heard.display().to_string()));
    let file = |name: &str, more: &str| {
        let path = dir.path().join(name);
        let text = format!("[subject]\ngame = \"othello\"\nprotocol = \"gtp\"\ncommand = \"./mute\"\n{more}");
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let levels = file("levels.toml", "level = [\"--level={}\"]\n");
    let at = |subject: &str| {
        let second = PlayerSpec::read(&format!("subject:{subject}"), None, &[]).unwrap();
        MatchSettings { limit: Limit::Depth(2), second, ..settings("othello", "none", "none", 2) }
    };
    // Without a level it is held to the match, and its protocol has no words for a depth.
    let held = play_until(&at(&levels), &dir.path().join("held"), 1, 9).unwrap_err().to_string();
    assert!(held.contains("levels cannot be asked for a search of a depth: over `gtp`"), "{held}");
    assert!(!dir.path().join("held").exists());
    std::fs::remove_file(&heard).unwrap();
    let own_level = play(&at(&format!("{levels}@level=7")), &dir.path().join("own"), 1);
    assert!(own_level.rows.iter().all(|row| row.reason == "illegal-move"), "{:?}", own_level.rows);
    assert_eq!(own_level.file.settings.names()[1], "levels full level 7");
    let heard = std::fs::read_to_string(&heard).unwrap();
    assert!(heard.contains("called --level=7\n") && !heard.contains("time_settings"), "{heard}");
    for (subject, message) in [
        (format!("{}@level=7", file("none.toml", "")), "none has no levels"),
        ("toga2@level=7".to_owned(), "found a subject of chess"),
    ] {
        let error = play_until(&at(&subject), &dir.path().join("none"), 1, 9).unwrap_err().to_string();
        assert!(error.contains(message) && !dir.path().join("none").exists(), "{error}");
    }
    assert!(PlayerSpec::read("subject:toga2@level=x", None, &[]).unwrap_err().contains("expected a number"));
}

#[test]
fn wrong_names_are_refused_before_anything_is_written() {
    let dir = tempdir().unwrap();
    let base = settings("chess", "none", "none", 2);
    let player = |text: &str| PlayerSpec::read(text, None, &[]).unwrap();
    let openings = |name: &str| MatchSettings { openings: Some(name.to_owned()), ..base.clone() };
    let wrong = BTreeMap::from([
        ("nul-move", MatchSettings { first: player("nul-move"), ..base.clone() }),
        ("no-such-engine", MatchSettings { second: player("engine:no-such-engine"), ..base.clone() }),
        ("UCI", MatchSettings { game: "othello".to_owned(), first: player("engine:sh"), ..base.clone() }),
        ("bratko-kopek", openings("bratko-kopek")),
        ("missing.epd", openings("missing.epd")),
        ("othello-12", openings("othello-12")),
        ("3 games", MatchSettings { games: 3, ..base.clone() }),
        ("ches", MatchSettings { game: "ches".to_owned(), ..base.clone() }),
    ]);
    for (word, settings) in wrong {
        let error = play_until(&settings, &dir.path().join("m"), 1, 9).unwrap_err().to_string();
        assert!(error.contains(word), "{word}: {error}");
        assert!(!dir.path().join("m").exists(), "{word}");
    }
}

/// A match says of a player that its switches were cut from its source, once, and of others nothing.
#[test]
#[expect(clippy::print_stderr, reason = "what is skipped is said")]
fn a_match_says_whose_switches_were_cut() {
    if let Some(tool) = ["gcc", "make"].iter().find(|tool| find(Path::new(tool)).is_err()) {
        eprintln!("skipped: no {tool} here, which builds a program with switches");
        return;
    }
    let dir = tempdir().unwrap();
    let order = Order {
        source: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/sprouts/c"),
        subject: dir.path().join("sprout.toml"),
        build: None,
        binary: None,
        args: Vec::new(),
        protocols: vec![Protocol::Uci],
        is_anew: false,
    };
    cut(&order, &mut |_| {}).unwrap();
    let subject = format!("subject:{}", order.subject.display());
    let play_against = |second: &str, folder: &str| {
        let asked = MatchSettings { limit: Limit::Depth(1), ..settings("chess", &subject, second, 2) };
        play(&asked, &dir.path().join(folder), 1).file.cuts
    };
    let cuts = play_against(&subject, "itself");
    assert_eq!(cuts.len(), 1, "{cuts:?}");
    assert!(cuts[0].starts_with("sprout: its switches were cut from its source automatically"), "{cuts:?}");
    assert_eq!(PlayFile::read(&dir.path().join("itself")).unwrap().cuts, cuts);
    assert_eq!(play_against("none", "ours"), cuts);
    assert!(play(&settings("chess", "none", "none", 2), &dir.path().join("own"), 1).file.cuts.is_empty());
}
