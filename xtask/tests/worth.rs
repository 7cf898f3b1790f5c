//! `worth` through the binary: its page, games of its own and from elsewhere, shards, ends in the middle, and builds as switches.

#![cfg(unix)]

use crate::common::fake::{SCRIPT, SUBJECT, executable, output_of, set_up};
use crate::common::{file, games_elsewhere, rows, xtask};
use tempfile::tempdir;

#[test]
fn worth_is_one_page_and_goes_on_with_what_is_there() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let flags =
        ["worth", "mine.toml", "--positions", "set.epd", "--depth", "2", "--oracle", "2", "--out", "worth"];
    let text = output_of(&xtask(dir).args(flags).assert().success());
    assert!(text.contains("nodes without it") && text.contains("2.00"), "{text}");
    for name in ["worth.md", "worth.html", "worth.csv"] {
        assert!(dir.join("worth").join(name).is_file(), "{name}");
    }
    let csv = std::fs::read_to_string(dir.join("worth/worth.csv")).unwrap();
    assert!(csv.contains("null-move,all,nodes_without,2,2.0"), "{csv}");
    let before = rows(dir, "worth/searches", "records.csv");
    xtask(dir).args(flags).assert().success();
    assert_eq!(rows(dir, "worth/searches", "records.csv"), before);
    let no_switch = SUBJECT.split("[factor]").next().unwrap();
    file(dir, "bare.toml", no_switch);
    let error = output_of(&xtask(dir).args(["worth", "bare.toml"]).assert().code(2));
    assert!(error.contains("list what switches each off under [factor]"), "{error}");
    // Games by a limit that it ignores would cost the whole patience at every move.
    let games = ["worth", "mine.toml", "--games", "2", "--game-nodes", "20000", "--games-of"];
    let error = output_of(&xtask(dir).args(games).arg("lmr").assert().code(2));
    assert!(error.contains("nodes"), "{error}");
    let error = output_of(&xtask(dir).args(games).arg("lmp").assert().code(2));
    assert!(
        error
            .contains("--games-of: unknown method `lmp`: did you mean `lmr`? expected one of null-move, lmr"),
        "{error}"
    );
}

/// Games that other tools played enter the same estimates, and a name that is nearly a method is refused.
#[test]
fn games_played_elsewhere_stand_on_the_page() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    file(dir, "games.pgn", &games_elsewhere("mine", "lmr", 60));
    let flags = ["worth", "mine.toml", "--positions", "set.epd", "--depth", "2", "--games-from", "games.pgn"];
    let text = output_of(&xtask(dir).args(flags).args(["--out", "worth"]).assert().success());
    assert!(text.contains("games.pgn: 120 games, 120 of them in pairs"), "{text}");
    let json = |out: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(dir.join(out).join("worth.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let of_lmr = |out: &str| {
        let all = json(out);
        all["methods"].as_array().unwrap().iter().find(|one| one["method"] == "lmr").unwrap().clone()
    };
    assert_eq!(
        (&of_lmr("worth")["games_words"], &of_lmr("worth")["games_played"]),
        (&"keep at 8+0.08s".into(), &120.into())
    );
    let page = std::fs::read_to_string(dir.join("worth/worth.md")).unwrap();
    assert!(
        page.contains("Games | N: 120 W: 60 L: 15 D: 45") && page.contains("120 of them in pairs"),
        "{page}"
    );
    // With margins the interval holds at all times.
    let decided = ["--worth-at-least", "3", "--equal-within", "5", "--out", "decided"];
    xtask(dir).args(flags).args(decided).assert().success();
    let low = |out: &str| of_lmr(out)["games_elo"]["low"].as_f64().unwrap();
    assert!(low("decided") < low("worth") && low("decided") > 3.0, "{} {}", low("decided"), low("worth"));
    file(dir, "games.pgn", &games_elsewhere("mine", "lmp", 2));
    let error = output_of(&xtask(dir).args(flags).args(["--out", "none"]).assert().code(2));
    assert!(error.contains("games.pgn:1: Black: unknown method `lmp`: did you mean `lmr`?"), "{error}");
}

#[test]
fn shards_of_worth_are_merged_and_give_the_page_of_one_run() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    // What it answers is illegal in most openings: games are over at once, by a fault, and what they say is none.
    let flags =
        ["worth", "mine.toml", "--positions", "set.epd", "--depth", "2", "--games", "4", "--tc", "9+9"];
    let flags = [&flags[..], &["--games-of", "lmr"]].concat();
    let faulty = output_of(&xtask(dir).args(&flags).args(["--out", "whole"]).assert().code(4));
    assert!(
        faulty.contains("Games without lmr: 4 of 4 games ended by faults") && faulty.contains("--retry"),
        "{faulty}"
    );
    assert!(faulty.contains("whole/games-lmr"), "{faulty}");
    assert!(std::fs::read_to_string(dir.join("whole/worth.md")).unwrap().contains("\nElo   | -\n"));
    for shard in ["1/2", "2/2"] {
        let text = output_of(&xtask(dir).args(&flags).args(["--shard", shard]).assert().success());
        assert!(text.contains(&format!("shard {shard} is finished")), "{text}");
    }
    let one = output_of(&xtask(dir).args(["merge", "merged", "runs/worth-1-of-2"]).assert().code(4));
    assert!(one.contains("2 of 4 games in 1 of 2 pairs") && one.contains("cells in 1 of 2 units"), "{one}");
    let shards = ["runs/worth-2-of-2", "runs/worth-1-of-2"];
    xtask(dir).args(["merge", "merged"]).args(shards).assert().success();
    xtask(dir).args(&flags).args(["--out", "merged"]).assert().code(4);
    let line = |out: &str| {
        let text = std::fs::read_to_string(dir.join(out).join("worth.csv")).unwrap();
        text.lines().find(|line| line.contains("nodes_without")).map(str::to_owned)
    };
    assert!(line("whole").is_some() && line("merged") == line("whole"));
    let records = |out: &str| rows(dir, &format!("{out}/searches"), "records.csv");
    assert_eq!(records("merged"), records("whole"));
    let games = |out: &str| rows(dir, &format!("{out}/games-lmr"), "games.csv").len();
    assert_eq!((games("merged"), games("whole")), (4, 4));
    let games_of = |out: &str| rows(dir, &format!("{out}/games-full"), "games.csv").len();
    // The null run stands next to them, by the clock alone, and the folder can be read again.
    assert_eq!((games_of("merged"), games_of("whole")), (4, 2));
    let read = output_of(&xtask(dir).args(["report", "whole", "--json"]).assert().success());
    assert!(read.contains("\"null_run\": {") && read.contains("\"lost_on_time\": 0"), "{read}");
    let sprt = ["--shard", "1/2", "--sprt=0,5", "--out", "none"];
    let error = output_of(&xtask(dir).args(&flags).args(sprt).assert().code(2));
    assert!(error.contains("a sequential test ends a match") && !dir.join("none").exists(), "{error}");
}

/// One build a method: arms that lack two of them cannot exist.
const BUILDS: &str = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\npatience = \"4s\"\n[factor]\n\
    null-move = { command = \"./no-null\" }\nlmr = { command = \"./no-lmr\" }\nfutility = { command = \"./no-fut\" }\n";

#[test]
fn one_build_a_method_is_measured_without_the_arms_that_cannot_exist() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    for (name, nodes) in [("no-null", "200"), ("no-lmr", "150"), ("no-fut", "120")] {
        executable(dir, name, &SCRIPT.replace("n=100", &format!("n={nodes}")));
    }
    file(dir, "mine.toml", BUILDS);
    let checked = output_of(&xtask(dir).args(["subjects", "check", "mine.toml"]).assert().success());
    assert!(
        checked.contains("none: left out: `null-move` and `lmr` and `futility` are each another binary"),
        "{checked}"
    );
    let common = ["mine.toml", "--positions", "set.epd", "--depth", "2"];
    let worth =
        output_of(&xtask(dir).args(["worth"]).args(common).args(["--out", "worth"]).assert().success());
    // However many arms cannot exist, each list of them is one line.
    let notes: Vec<&str> = worth.lines().filter(|line| line.contains("left out")).collect();
    assert!(
        notes.len() == 2 && notes[0].contains("`full[-null-move,-lmr]`, `full[-null-move,-futility]`"),
        "{worth}"
    );
    assert!(notes[1].contains("`none`") && notes[1].contains("each another binary"), "{worth}");
    let csv = std::fs::read_to_string(dir.join("worth/worth.csv")).unwrap();
    assert!(csv.contains("null-move,all,nodes_without,2,2.0"), "{csv}");
    let bench = ["bench", "--subject"];
    let text = output_of(&xtask(dir).args(bench).args(common).args(["--out", "bench"]).assert().success());
    assert!(text.contains("`none`") && text.contains("are left out"), "{text}");
    let arms: std::collections::BTreeSet<String> =
        rows(dir, "bench", "records.csv").into_iter().map(|row| row["methods"].clone()).collect();
    let expected = ["full", "full[-futility]", "full[-lmr]", "full[-null-move]"].map(str::to_owned);
    assert_eq!(arms, expected.into());
    let asked = ["--factorial", "null-move,lmr", "--out", "none"];
    let refused = output_of(&xtask(dir).args(bench).args(common).args(asked).assert().code(2));
    assert!(refused.contains("found `none`, which cannot exist") && !dir.join("none").exists(), "{refused}");
    let suite = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
                 subject = \"mine.toml\"\nbudgets = [{ depth = 2 }]\n";
    file(dir, "own.toml", suite);
    let gate = ["gate", "--suite", "own.toml", "--baseline", "baseline.toml"];
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("are left out"));
}

/// Ended in the middle of its games, by a signal that it hears and by those that end it at once: the same command goes on to the same page.
#[test]
fn worth_that_is_ended_in_its_games_goes_on_to_the_same_page() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let slow = SCRIPT.replace("go*) [", "go*) case \"$line\" in *wtime*) sleep 0.2 ;; esac; [");
    assert_ne!(slow, SCRIPT);
    file(dir, "fake", &slow);
    let flags = [
        "worth",
        "mine.toml",
        "--positions",
        "set.epd",
        "--depth",
        "2",
        "--games",
        "8",
        "--tc",
        "9+9",
        "--out",
    ];
    // Its moves are none in most openings, so that the page says no Elo.
    xtask(dir).args(flags).arg("whole").assert().code(4);
    // Times are of this run, and so is the last column: when it began.
    let page = |out: &str| -> Vec<String> {
        let text = std::fs::read_to_string(dir.join(out).join("worth.csv")).unwrap();
        let kept = text.lines().filter(|line| !line.contains(",time_"));
        kept.map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
    };
    assert!(page("whole").len() > 8);
    for (signal, code) in [("INT", Some(4)), ("TERM", None), ("KILL", None)] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("xtask"));
        let mut child = command.current_dir(dir).args(flags).arg(signal).spawn().unwrap();
        let games =
            || std::fs::read_to_string(dir.join(signal).join("games-lmr/games.csv")).unwrap_or_default();
        let begun = std::time::Instant::now();
        while games().lines().count() < 4 {
            assert!(child.try_wait().unwrap().is_none() && begun.elapsed().as_secs() < 60, "{}", games());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), code);
        assert!(!dir.join(signal).join("worth.csv").exists() && games().lines().count() < 9, "{}", games());
        xtask(dir).args(flags).arg(signal).assert().code(4);
        assert_eq!(page(signal), page("whole"), "{signal}");
    }
}

/// The draw of shared games is in their record and on the page, and a program that cannot lack two methods at once is refused.
#[test]
fn worth_plays_shared_games() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let flags = ["worth", "mine.toml", "--positions", "set.epd", "--depth", "2", "--games", "4", "--shared"];
    let nodes = ["--game-nodes", "500", "--concurrency", "2"];
    // Its moves are none in most openings.
    let text = output_of(&xtask(dir).args(flags).args(nodes).args(["--out", "w"]).assert().code(4));
    assert!(text.contains("games.csv in w/games-shared"), "{text}");
    let openings = std::fs::read_to_string(dir.join("w/games-shared/openings.csv")).unwrap();
    assert!(
        openings.starts_with("opening,position,first,second\n") && openings.lines().count() == 5,
        "{openings}"
    );
    assert!(openings.contains("full[-lmr]") && openings.contains("full[-null-move]"), "{openings}");
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("w/worth.json")).unwrap()).unwrap();
    assert_eq!(json["games"]["shared"]["games"], 8);
    let page = std::fs::read_to_string(dir.join("w/worth.md")).unwrap();
    assert!(page.contains("Shared games: in 8 games each side lacked"), "{page}");
    // The same command finds everything there.
    let resumed = output_of(&xtask(dir).args(flags).args(nodes).args(["--out", "w"]).assert().code(4));
    assert!(resumed.contains("w/games-shared"), "{resumed}");
    // Merged of shards it is the same match.
    for shard in ["1/2", "2/2"] {
        let out = ["--shard", shard, "--out", &shard.replace('/', "-of-")];
        xtask(dir).args(flags).args(nodes).args(out).assert().success();
    }
    xtask(dir).args(["merge", "merged", "1-of-2", "2-of-2"]).assert().success();
    let merged = std::fs::read_to_string(dir.join("merged/games-shared/openings.csv")).unwrap();
    assert_eq!(merged, openings);
    let builds = SUBJECT
        .replace("{ bits = 1 }", "{ command = \"./one\" }")
        .replace("{ bits = 2 }", "{ command = \"./two\" }");
    file(dir, "builds.toml", &builds);
    let flags = [&["worth", "builds.toml"], &flags[2..]].concat();
    let error = output_of(&xtask(dir).args(flags).args(nodes).assert().code(2));
    assert!(
        error.contains("--shared: sides lack several methods at once")
            && error.contains("cannot be off together"),
        "{error}"
    );
}
