//! What programs may do in place of a move, in whole matches: nobody is blamed for what its protocol allows.

use super::tests::{job, play, program, settings};
use super::*;
use secateur_suites::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
        let again: Result<Ended, Error> = run(&job, &mut |_| ());
        let again = again.unwrap();
        assert!(again.rows == ended.rows && again.mended.is_empty(), "{protocol}: {:?}", again.mended);
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
