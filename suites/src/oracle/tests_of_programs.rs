//! Other programs as oracles, with programs that do what the test needs: what a move loses, how often is searched, and what
//! a judge that dies costs.

use super::Book;
use crate::Experiment;
use crate::error::Error;
use crate::instruments::machine::current;
use crate::manifest::of_plan;
use crate::matrix::Plan;
use crate::run::{Ended, run};
use crate::suite::Suite;
use secateur_games::chess::MATE;
use secateur_record::record::Record;
use secateur_record::store::{Failed, Store};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The program whose moves are judged: it plays what `LMR` or `FUTILITY` says.
const PLAYER: &str = "#!/bin/sh\nm=${LMR:-${FUTILITY:-e2e4}}\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Player'; echo uciok ;;\n \
                      isready) echo readyok ;;\n quit) exit ;;\n \
                      go*) echo \"info depth 2 score cp 15 nodes 9 pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

/// A judge that writes down what it is asked. It likes e2e4 best, with 30; e1f1, asked alone, is worth 50, and all else -20. After a
/// move, when black is to move, the position is worth $AFTER to black; if that is `forced`, it answers without a value there, as many
/// do where one move alone is legal, and with the king on a7 the position behind that is worth 10 to white. While there is a file
/// `broken`, it dies at depth 3.
const JUDGE: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Judge 1'; echo uciok ;;\n isready) echo readyok ;;\n \
                     quit) exit ;;\n position*' b '*) black=1 ;;\n position*' 8/k7'*) black=2 ;;\n position*) black=0 ;;\n \
                     go*) echo \"$black $line\" >> \"$LOG\"; set -- $line; d=6; [ \"$2\" = depth ] && d=$3\n  \
                     [ \"$2 $3\" = 'depth 3' ] && [ -e \"$LOG.broken\" ] && exit 9\n  n=900; [ \"$2\" = nodes ] && n=$3\n  \
                     m=e2e4; s='cp 30'\n  [ \"$4\" = searchmoves ] && [ -z \"$AFTER\" ] && { m=$5; s='cp -20'; [ $m = e1f1 ] && s='cp 50'; }\n  \
                     [ $black = 2 ] && s='cp 10'\n  [ $black = 1 ] && { m=e8e7; s=$AFTER; }\n  \
                     [ \"$s\" = forced ] && { echo bestmove a8a7; continue; }\n  \
                     echo \"info depth $d score $s nodes $n pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

const SUBJECT: &str = "[subject]\ngame = \"chess\"\ncommand = \"./player\"\npatience = \"5s\"\n[factor]\n\
                       lmr = { env = { LMR = \"e1d1\" } }\nfutility = { env = { FUTILITY = \"e1f1\" } }\n";

const SET: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/7p/8/8/8/8/4P3/4K3 w - - id \"two\";\n";

/// A folder with both programs; the judge says `after` of a position after a move, and keeps to moves only without.
fn set_up(after: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("asked").display().to_string();
    let judge = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"./judge\"\npatience = \"5s\"\nenv = {{ LOG = '{log}', AFTER = '{after}' }}\n"
    );
    for (name, text) in [("player", PLAYER), ("judge", JUDGE), ("set.epd", SET)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    for (name, text) in [("player.toml", SUBJECT), ("judge.toml", &judge)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    for name in ["player", "judge"] {
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(dir.path().join(name), executable).unwrap();
    }
    dir
}

fn suite(dir: &Path, budgets: &str, oracle: &str) -> Suite {
    let text = format!(
        "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\nbudgets = [{budgets}]\n\
         subject = \"player.toml\"\narms = [\"full\", \"full[-lmr]\", \"full[-futility]\"]\noracle = \"{oracle}\"\n"
    );
    Suite::parse(&dir.join("own.toml"), &text).unwrap()
}

/// What every move loses, by arm in the order of the suite, the same at both positions; and the rows.
fn judged(dir: &Path, oracle: &str) -> (Vec<i32>, Vec<Record>) {
    let experiment =
        Experiment::from(suite(dir, "{ depth = 2 }", oracle)).jobs(2).book(&dir.join("book.csv"));
    let rows = experiment.run().unwrap().rows.records;
    assert!(rows.iter().all(|row| row.error.is_none()), "{rows:?}");
    let all: Vec<i32> = rows.iter().map(|row| row.regret.unwrap()).collect();
    assert_eq!(all[..3], all[3..]);
    (all[..3].to_vec(), rows)
}

/// The searches of the judge that contain this.
fn asked(dir: &Path, what: &str) -> usize {
    let text = std::fs::read_to_string(dir.join("asked")).unwrap();
    text.lines().filter(|line| line.contains(what)).count()
}

#[test]
fn a_judge_is_asked_for_moves_alone_and_never_twice() {
    let dir = set_up("");
    let (lost, _) = judged(dir.path(), "judge.toml+1");
    // Its own move loses nothing, and neither does one that it finds better when asked.
    assert_eq!(lost, [0, 50, 0]);
    assert_eq!((asked(dir.path(), "0 go depth 3"), asked(dir.path(), "depth 3 searchmoves")), (6, 4));
    assert_eq!(judged(dir.path(), "judge.toml@3").0, lost);
    assert_eq!(asked(dir.path(), "0 go depth 3"), 6, "another spelling is the same judge");
    assert_eq!(judged(dir.path(), "judge.toml@nodes=700").0, lost);
    assert_eq!((asked(dir.path(), "0 go depth 3"), asked(dir.path(), "0 go nodes 700")), (6, 6));
}

#[test]
fn where_moves_cannot_be_asked_for_the_positions_after_them_are() {
    let dir = set_up("cp 20");
    assert_eq!(judged(dir.path(), "judge.toml@3").0, [0, 50, 50]);
    assert_eq!((asked(dir.path(), "0 go depth 3"), asked(dir.path(), "1 go depth 2")), (2, 4));
    assert_eq!(judged(dir.path(), "judge.toml@nodes=500").0, [0, 50, 50]);
    assert_eq!(asked(dir.path(), "1 go nodes 500"), 4);
    let dir = set_up("mate 1");
    // Mate in one after the move is one ply further away from the root.
    assert_eq!(judged(dir.path(), "judge.toml@3").0[1], 30 + MATE - 2);
    let error = Experiment::from(suite(dir.path(), "{ depth = 2 }", "judge.toml@1")).plan().unwrap_err();
    assert!(error.to_string().contains("found depth 1, expected 2 or more"), "{error}");
}

/// A judge that answers a forced reply at once, without a value, is asked for the position after it.
#[test]
fn a_forced_reply_without_a_value_is_played_and_searched_on() {
    let dir = set_up("forced");
    let set = "k7/8/8/8/8/8/1R2P3/4K3 w - - id \"one\";\nk7/8/8/8/8/8/1R2P2P/4K3 w - - id \"two\";\n";
    std::fs::write(dir.path().join("set.epd"), set).unwrap();
    assert_eq!(judged(dir.path(), "judge.toml@3").0, [0, 20, 20]);
    assert_eq!((asked(dir.path(), "1 go depth 2"), asked(dir.path(), "2 go depth 1")), (4, 4));
}

#[test]
fn the_program_itself_judges_deeper_and_who_cannot_is_refused() {
    let dir = set_up("");
    // The player knows no depth but 2, which the trial finds out.
    let plan = |oracle: &str| Experiment::from(suite(dir.path(), "{ time = \"100ms\" }", oracle)).plan();
    let error_of = |oracle: &str| plan(oracle).unwrap_err().to_string();
    let error = error_of("full@3");
    assert!(error.contains("oracle full@3") && error.contains("a depth"), "{error}");
    assert!(error_of("judge.toml+1").contains("no depth to be deeper than"));
    assert!(error_of("judge.toml:lmr@3").contains("lmr"));
    assert!(error_of("gtp-rhino@3").contains("found a subject of othello, expected chess"));
    let ours = Experiment::of("chess").positions("bratko-kopec").limit(1).depth(1).oracle("full+1").plan();
    assert!(ours.unwrap_err().to_string().contains("no subject whose `full` could judge"));
    let twice = Experiment::of("chess").positions("bratko-kopec").limit(1).depth(1).oracle("2");
    let judge = dir.path().join("judge.toml").display().to_string() + "@3";
    let twice = twice.then("chess").positions("bratko-kopec").limit(1).depth(1).oracle(&judge).plan();
    assert!(twice.unwrap_err().to_string().contains("two oracles for one search"));
}

#[test]
fn a_judge_that_dies_costs_its_rows_until_they_are_retried() {
    let dir = set_up("");
    let broken = dir.path().join("asked.broken");
    std::fs::write(&broken, "").unwrap();
    let plan = Experiment::from(suite(dir.path(), "{ depth = 2 }", "judge.toml@3")).plan().unwrap();
    let book = Book::open(&dir.path().join("book.csv"));
    let finish = |plan: &Plan, failed| {
        let manifest = of_plan("r", plan, Vec::new(), 2);
        let store = Store::open_with(&dir.path().join("r"), manifest, failed, current())?;
        match run(plan, store, 2, Some(&book), &Arc::new(AtomicBool::new(false)), &mut |_| ())? {
            Ended::Complete(rows) => Ok::<_, Error>(rows.records),
            Ended::Stopped { .. } => panic!("it was not stopped"),
        }
    };
    let rows = finish(&plan, Failed::Keep).unwrap();
    for row in &rows {
        let error = row.error.as_ref().unwrap().reason();
        assert!(error.starts_with("oracle: ") && error.contains("died") && row.regret.is_none(), "{error}");
    }
    std::fs::remove_file(&broken).unwrap();
    let rows = finish(&plan, Failed::Retry).unwrap();
    let lost: Vec<Option<i32>> = rows.iter().map(|row| row.regret).collect();
    assert_eq!(lost[..3], [Some(0), Some(50), Some(0)]);
    let game = of_plan("r", &plan, Vec::new(), 1).game[0].clone();
    let [judge] = &game.judge[..] else { panic!("one judge") };
    assert_eq!((judge.program.id.as_str(), judge.moves.as_str()), ("Judge 1", "alone"));
    // Another judge of the same name is another run.
    let text = std::fs::read_to_string(dir.path().join("judge")).unwrap() + "# newer\n";
    std::fs::write(dir.path().join("judge"), text).unwrap();
    let newer = Experiment::from(suite(dir.path(), "{ depth = 2 }", "judge.toml@3")).plan().unwrap();
    let error = finish(&newer, Failed::Keep).unwrap_err().to_string();
    assert!(error.contains("judges"), "{error}");
}
