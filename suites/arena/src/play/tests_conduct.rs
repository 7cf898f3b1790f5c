//! What programs may do in place of a move, in whole matches: no program is blamed for what its protocol allows.

use super::referee::Throws;
use super::tests::{job, play, program, settings, timeless};
use super::*;
use secateur_core::game::{Notation, Rules, thrown};
use secateur_games::einstein::Einstein;
use secateur_suites::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::tempdir;

/// A match of the program of a subject file in `dir`, which does `deed` when it is to move.
fn match_of(dir: &Path, game: &str, protocol: &str, deed: &str) -> MatchSettings {
    let cases = match protocol {
        "cecp" => {
            "protover*) echo 'feature setboard=1 ping=1 usermove=1 FEATURES done=1' ;; ping*) echo \"pong ${line#ping }\" ;;\ngo)"
        }
        "gtp" => {
            "list_commands) printf '= setboard\\nreg_genmove\\n\\n' ;;\nlevel*|name|version|board*|clear*|set*|play*) printf '=\\n\\n' ;;\nreg_*)"
        }
        "nboard" => "ping*) echo \"pong ${line#ping }\" ;;\ngo)",
        "edax" => "options) echo ' search level: 2' ;;\ngo)",
        _ => "u*i) echo ${line}ok ;;\nisready) echo readyok ;;\ngo*)",
    };
    let script = format!(
        "#!/bin/sh\necho called >> '{}'\nwhile read -r line; do case \"$line\" in\n{cases} {deed} ;;\nquit) exit ;;\nesac; done\n",
        dir.join("calls").display()
    );
    let script = script.replace("FEATURES", if deed.contains("reuse=0") { "reuse=0" } else { "" });
    program(&dir.join("fake"), &script);
    let file = dir.join("fake.toml");
    let text = format!(
        "[subject]\ngame = \"{game}\"\nprotocol = \"{protocol}\"\ncommand = \"./fake\"\nfolder = \".\"\nlevel = [\"{{}}\"]\n"
    );
    std::fs::write(&file, text).unwrap();
    let level = if protocol == "gtp" { "@level=1" } else { "" };
    let subject = format!("subject:{}{level}", file.display());
    MatchSettings { limit: Limit::Depth(1), ..settings(game, &subject, "none", 2) }
}

fn reasons(ended: &Ended) -> Vec<(&str, f64, Option<usize>)> {
    ended.rows.iter().map(|row| (row.reason.as_str(), row.points, row.at_fault())).collect()
}

#[test]
fn who_gives_up_has_lost_and_is_not_at_fault_in_any_protocol() {
    for (game, protocol, deed) in [
        ("chess", "uci", "echo 'info depth 1 score mate -1 pv a2a3'; echo 'bestmove (none)'"),
        ("chess", "cecp", "echo resign"),
        ("shogi", "usi", "echo 'bestmove resign'"),
        ("othello", "gtp", "printf '= resign\\n\\n'"),
        ("othello", "nboard", "echo '=== resign'"),
        ("othello", "edax", "echo 'Edax plays resign'"),
    ] {
        let dir = tempdir().unwrap();
        let (asked, out) = (match_of(dir.path(), game, protocol, deed), dir.path().join("m"));
        let ended = play(&asked, &out, 1);
        assert_eq!(reasons(&ended), [("resigned", 0.0, None); 2], "{protocol}: {:?}", ended.rows);
        // Nothing is played again that no fault ended.
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job { retry: true, ..job(&asked, &out, &stop) };
        let retried: Result<Ended, Error> = run(&job, &mut |_| ());
        let retried = retried.unwrap();
        assert!(retried.rows == ended.rows && retried.mended.is_empty(), "{protocol}: {:?}", retried.mended);
    }
}

#[test]
fn a_number_that_cannot_be_read_loses_no_game_and_is_told() {
    for (game, protocol, deed) in [
        (
            "chess",
            "uci",
            "echo 'info depth 1 score mate -1 pv a2a3'; echo 'info nodes 2.5k'; echo 'bestmove (none)'",
        ),
        ("chess", "cecp", "echo ' 1 0 0 2.5k e2e4'; echo resign"),
        ("shogi", "usi", "echo 'info depth 1 nodes 2.5k'; echo 'bestmove resign'"),
        ("othello", "nboard", "echo 'nodestats 2.5k 0.1'; echo '=== resign'"),
        ("othello", "edax", "echo '  1  +02  0:00.001  2.5k D3'; echo 'Edax plays resign'"),
    ] {
        let dir = tempdir().unwrap();
        let (asked, out) = (match_of(dir.path(), game, protocol, deed), dir.path().join("m"));
        let ended = play(&asked, &out, 1);
        assert_eq!(reasons(&ended), [("resigned", 0.0, None); 2], "{protocol}: {:?}", ended.rows);
        for row in &ended.rows {
            let why = row.left_out().unwrap_or_default();
            assert!(why.contains("2.5k") && why.contains("expected a whole number"), "{protocol}: {row:?}");
            assert_eq!((row.first_moves, row.first_depths, row.first_nodes), (1, 0, 0), "{protocol}");
        }
    }
}

#[test]
fn a_claim_holds_where_the_rules_give_it_and_a_wrong_one_loses() {
    let cases = [
        // The king takes the last pawn; the same for the other side.
        ("k7/8/8/8/8/8/3p4/3K4 w - - 0 1", "1/2-1/2 {no material}", ("material", 0.5, None)),
        ("k7/8/8/8/8/8/3p4/3K4 w - - 0 1", "1-0 {a win}", ("illegal-move", 0.0, Some(0))),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "1-0 {mate}", ("checkmate", 1.0, None)),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "1/2-1/2 {three times}", ("stalemate", 0.5, None)),
        ("7k/8/5KR1/8/8/8/8/8 b - - 0 1", "1/2-1/2 {three times}", ("illegal-move", 0.0, Some(0))),
    ];
    for (position, claim, expected) in cases {
        let dir = tempdir().unwrap();
        let set = dir.path().join("set.epd");
        std::fs::write(&set, format!("{position}\n")).unwrap();
        let openings = Some(set.display().to_string());
        let asked = match_of(dir.path(), "chess", "cecp", &format!("echo '{claim}'"));
        let asked = MatchSettings { openings, adjudication: Adjudication::default(), ..asked };
        let ended = play(&asked, &dir.path().join("m"), 1);
        let first = usize::from(ended.rows[0].plies > 0);
        assert_eq!(reasons(&ended)[first], expected, "{claim}: {:?}", ended.rows);
    }
}

#[test]
fn one_that_cannot_be_reused_has_a_process_for_each_game() {
    let dir = tempdir().unwrap();
    // Ends at a second `new`.
    let deed = ": reuse=0; echo 'move a1a1' ;; new) news=x$news; [ $news = xx ] && exit 9";
    let asked = match_of(dir.path(), "chess", "cecp", deed);
    let ended = play(&asked, &dir.path().join("m"), 1);
    assert_eq!(reasons(&ended), [("illegal-move", 0.0, Some(0)); 2], "{:?}", ended.rows);
    let calls = std::fs::read_to_string(dir.path().join("calls")).unwrap();
    // The trial, the introduction, and two games.
    assert_eq!(calls.lines().count(), 4);
}

#[test]
fn the_patience_of_the_file_holds_in_games() {
    let dir = tempdir().unwrap();
    let asked = match_of(dir.path(), "chess", "uci", "sleep 1000");
    let file = dir.path().join("fake.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + "patience = \"1.5s\"\n").unwrap();
    let begun = std::time::Instant::now();
    let ended = play(&asked, &dir.path().join("m"), 2);
    assert!(begun.elapsed() < std::time::Duration::from_secs(30));
    for row in &ended.rows {
        assert!(row.reason == "hang" && row.detail.contains("within 1.500 s"), "{row:?}");
    }
}

#[test]
fn a_limit_that_a_player_ignores_is_refused_before_the_first_game() {
    let stop = Arc::new(AtomicBool::new(false));
    for (limit, word) in [
        (Limit::Nodes(500), "a number of nodes: 40960 nodes, where 500 were asked"),
        (Limit::MoveTime(std::time::Duration::from_millis(20)), "a time for a move: "),
    ] {
        let dir = tempdir().unwrap();
        let deed = "case \"$line\" in *movetime*) sleep 1 ;; esac; echo 'info depth 6 score cp 13 nodes 40960 pv a2a3'; echo bestmove a2a3";
        let asked = MatchSettings { limit, ..match_of(dir.path(), "chess", "uci", deed) };
        // Its switches, as a command by itself, and on the other side of the board.
        let command =
            PlayerSpec::read(&format!("engine:{}", dir.path().join("fake").display()), None, &[]).unwrap();
        let other = MatchSettings { second: command, first: asked.second.clone(), ..asked.clone() };
        for settings in [&asked, &other] {
            let out = dir.path().join("m");
            let job = job(settings, &out, &stop);
            let error = run(&job, &mut |_| ()).unwrap_err().to_string();
            assert!(
                error.contains("fake cannot be asked for a search of") && error.contains(word),
                "{error}"
            );
            assert!(!out.exists());
        }
    }
}

/// Two matches of fixed nodes.
fn two(games: usize) -> [MatchSettings; 2] {
    [settings("othello", "none", "null-move", games), settings("othello", "none", "futility", games)]
}

/// The first match is decided after three pairs, the second never: by the pairs of the first.
struct ThreePairs(usize);

impl Judge for ThreePairs {
    fn hear(&mut self, place: usize, _: &[GameRow]) {
        self.0 += usize::from(place == 0);
    }

    fn are_open(&mut self) -> Vec<bool> {
        vec![self.0 < 3, true]
    }
}

/// Plays both until so many games have ended.
fn together(matches: &[MatchSettings], dir: &Path, jobs: usize, games: usize) -> Result<Vec<Ended>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let folders: Vec<PathBuf> = (0..matches.len()).map(|place| dir.join(place.to_string())).collect();
    let job = |(settings, dir)| Job { jobs, ..job(settings, dir, &stop) };
    let jobs: Vec<Job<'_>> = matches.iter().zip(folders.iter().map(PathBuf::as_path)).map(job).collect();
    let mut counts = vec![0; matches.len()];
    let mut hear = |place: usize, rows: &[GameRow]| {
        counts[place] = rows.len();
        if counts.iter().sum::<usize>() >= games {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let all = Together { matches: &jobs, companion: None, until: None };
    run_together(&all, &mut ThreePairs(0), &mut hear)
}

fn rows(ended: &[Ended]) -> Vec<Vec<GameRow>> {
    ended.iter().map(|ended| timeless(&ended.rows)).collect()
}

#[test]
fn matches_share_threads_and_have_the_same_rows_whatever_their_number() {
    let dir = tempdir().unwrap();
    let matches = two(12);
    let one = together(&matches, &dir.path().join("one"), 1, usize::MAX).unwrap();
    assert_eq!(one.iter().map(|ended| ended.rows.len()).collect::<Vec<_>>(), [6, 12]);
    assert_eq!(one.iter().map(|ended| ended.file.complete).collect::<Vec<_>>(), [false, true]);
    // By itself a match has the same games.
    let alone = play(&matches[0], &dir.path().join("alone"), 1);
    assert_eq!(timeless(&alone.rows)[..6], rows(&one)[0]);
    for jobs in [2, 5] {
        let cut = dir.path().join(jobs.to_string());
        let stopped = together(&matches, &cut, jobs, 5).unwrap();
        assert!(stopped.iter().map(|ended| ended.rows.len()).sum::<usize>() < 5 + 2 * jobs);
        let resumed = together(&matches, &cut, jobs, usize::MAX).unwrap();
        assert_eq!(rows(&resumed), rows(&one), "{jobs} at a time");
        // What is decided and what is complete is left alone.
        let untouched = together(&matches, &cut, 1, usize::MAX).unwrap();
        assert_eq!(
            untouched.iter().map(|ended| &ended.rows).collect::<Vec<_>>(),
            resumed.iter().map(|ended| &ended.rows).collect::<Vec<_>>()
        );
    }
    // A complete match keeps games beyond what would have been enough.
    let (whole, kept) = (dir.path().join("whole"), dir.path().join("whole/0"));
    play(&matches[0], &kept, 2);
    assert_eq!(together(&matches, &whole, 2, usize::MAX).unwrap()[0].rows.len(), 12);
}

#[test]
fn a_match_goes_on_to_more_games_with_the_rows_that_it_has() {
    let dir = tempdir().unwrap();
    let dir = dir.path().join("m");
    let [few, _] = two(4);
    let [many, _] = two(8);
    let first = play(&few, &dir, 2);
    let then = play(&many, &dir, 2);
    assert_eq!((then.rows.len(), then.file.settings.games, then.file.complete), (8, 8, true));
    assert_eq!(then.rows[..4], first.rows[..], "as they were written");
    let new = tempdir().unwrap();
    assert_eq!(timeless(&play(&many, &new.path().join("m"), 1).rows), timeless(&then.rows));
    // Fewer are there already, and what is read is believed.
    assert_eq!(play(&few, &dir, 1).rows, then.rows);
    assert_eq!(Ended::read(&dir).unwrap().rows, then.rows);
    // Rows of another match are of another one still.
    let other = new.path().join("other");
    play(&MatchSettings { seed: 7, ..few.clone() }, &other, 1);
    std::fs::copy(other.join("games.csv"), dir.join("games.csv")).unwrap();
    assert!(Ended::read(&dir).unwrap_err().to_string().contains("of another folder"));
    // Openings that are not the first of the new ones are refused.
    let set = new.path().join("set.epd");
    let written = |ranks: &[&str]| {
        let line = |ranks: &&str| format!("4k3/8/8/8/8/8/{ranks} w - -\n");
        std::fs::write(&set, ranks.iter().map(line).collect::<String>()).unwrap();
    };
    let openings = Some(set.display().to_string());
    let asked =
        |games| MatchSettings { openings: openings.clone(), ..settings("chess", "none", "null-move", games) };
    written(&["8/Q3K3", "8/1Q2K3"]);
    play(&asked(4), &new.path().join("set"), 1);
    written(&["8/2Q1K3", "8/3QK3", "Q7/4K3", "1Q6/4K3", "8/Q3K3", "8/1Q2K3"]);
    let stop = Arc::new(AtomicBool::new(false));
    let (settings, dir) = (asked(12), new.path().join("set"));
    let job = job(&settings, &dir, &stop);
    let error = run(&job, &mut |_| ());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("do not begin with the 2 that are here; ask for 4 games"), "{error}");
}

#[test]
fn matches_of_two_games_do_not_mix() {
    let dir = tempdir().unwrap();
    let matches = [settings("othello", "none", "none", 2), settings("chess", "none", "none", 2)];
    let error = together(&matches, dir.path(), 1, 9).unwrap_err().to_string();
    assert!(error.contains("found matches of 2 games, expected one"), "{error}");
}

/// An engine that loses on time in every third game by the clock: games at a time are counted as any, and so are forfeits.
#[test]
fn games_by_the_clock_are_played_at_a_time_and_forfeits_are_counted() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let path = dir.join("slow");
    // The first move of a game is legal in no position of chess, unless the clock has run out before.
    let script = "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
                  ucinewgame) n=$((n+1));;\nquit) exit;;\ngo*) [ $((n % 3)) = 2 ] && sleep 2.2; echo bestmove a1a1;;\nesac; done\n";
    program(&path, script);
    let limit = Limit::Clock { base: Duration::from_millis(1_500), increment: Duration::ZERO };
    let engine = format!("engine:{}", path.display());
    let asked = MatchSettings { limit, margin_ms: 100, ..settings("chess", &engine, "none", 12) };
    let ended = play(&asked, &dir.join("m"), 3);
    assert!(ended.file.complete && ended.file.session[0].jobs == 3);
    let reasons: Vec<&str> = ended.rows.iter().map(|row| row.reason.as_str()).collect();
    let forfeits = reasons.iter().filter(|reason| **reason == "time").count();
    assert!((2..=6).contains(&forfeits), "{reasons:?}");
    assert!(ended.rows.iter().all(|row| row.at_fault() == Some(0)), "{reasons:?}");
    let games: Vec<usize> = ended.rows.iter().map(|row| row.game).collect();
    assert_eq!(games, (1..=12).collect::<Vec<_>>());
}

/// Layout, throws with their moves, and result of a game.
type Written = (String, Vec<(String, String)>, String);

/// Every game as the transcripts have it.
fn written(dir: &Path) -> Vec<Written> {
    let text = std::fs::read_to_string(dir.join("games.pgn")).unwrap();
    let read = |game: &str| {
        let (head, body) = game.split_once("\n\n").unwrap();
        let start = head.lines().find_map(|line| line.strip_prefix("[Position \"")).unwrap();
        let bare: String =
            body.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
        let mut tokens: Vec<&str> = bare.split_whitespace().filter(|word| !word.ends_with('.')).collect();
        let result = tokens.pop().unwrap().to_owned();
        let moves = tokens.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect();
        (start.trim_end_matches("\"]").to_owned(), moves, result)
    };
    text.split("[Event ").skip(1).map(read).collect()
}

/// Every game, played again with the throws of its pair: the same numbers, legal moves, and the end that the record has. Both games of
/// a pair begin from one layout with one sequence of throws.
#[test]
fn both_games_of_a_pair_have_the_same_layout_and_the_same_throws() {
    let dir = tempdir().unwrap();
    let asked = settings("einstein", "none", "null-move+reverse-futility", 20);
    let ended = play(&asked, dir.path(), 2);
    let games = written(dir.path());
    assert!(ended.file.complete && games.len() == 20);
    assert!(ended.file.throws.contains("ChaCha8"), "{}", ended.file.throws);
    assert_eq!(ended.file.distinct_openings, 10);
    let (mut firsts, mut parted) = (std::collections::BTreeSet::new(), 0);
    for (row, (start, moves, result)) in ended.rows.iter().zip(&games) {
        let (game, mut throws) = (Einstein::default(), Throws::new(asked.seed, row.pair));
        let mut pos = game.parse(start).unwrap();
        assert!(game.awaits(&pos), "a game begins with a throw");
        for (die, mv) in moves {
            pos = thrown(&game, &pos, |sides| throws.below(sides));
            assert_eq!(game.dice(&pos).as_ref(), Some(die), "{row:?}");
            pos = game.play(&pos, game.parse_move(&pos, mv).unwrap());
        }
        let end = game.ending(&pos, 1).expect("played to the end");
        assert_eq!((end.why, moves.len()), (row.reason.as_str(), row.plies));
        assert_eq!(
            (result, result.as_str()),
            (&row.result, if end.winner == Some(0) { "1-0" } else { "0-1" })
        );
    }
    for pair in games.chunks(2) {
        assert_eq!((&pair[0].0, &pair[0].1[0].0), (&pair[1].0, &pair[1].1[0].0));
        firsts.insert(pair[0].1[0].0.clone());
        parted += usize::from(pair[0].1 != pair[1].1);
    }
    assert!(firsts.len() > 1, "pairs have throws of their own");
    assert!(parted > 0, "other players, and no game goes another way");
}

/// To a fixed depth too, and with the seed all is other.
#[test]
fn depth_repeats_and_the_seed_decides() {
    let dir = tempdir().unwrap();
    let asked = MatchSettings { limit: Limit::Depth(2), ..settings("einstein", "lmr", "none", 8) };
    let [one, again] =
        [("one", 1), ("again", 3)].map(|(name, jobs)| play(&asked, &dir.path().join(name), jobs));
    assert_eq!(timeless(&one.rows), timeless(&again.rows));
    let other = play(&MatchSettings { seed: 2, ..asked }, &dir.path().join("other"), 2);
    assert_ne!(timeless(&one.rows), timeless(&other.rows));
    let throws = |seed: u64, pair: usize| {
        let mut throws = Throws::new(seed, pair);
        (0..64).map(|_| throws.below(6)).collect::<Vec<_>>()
    };
    assert_eq!(throws(1, 3), throws(1, 3));
    assert!(throws(1, 3) != throws(1, 4) && throws(1, 3) != throws(2, 3));
    assert!((0..6).all(|number| throws(1, 3).contains(&number)));
}
