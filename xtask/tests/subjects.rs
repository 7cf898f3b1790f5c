//! Programs with switches through the binary: `subjects`, `bench --subject`, `worth`, `gate --suite`.

#![cfg(unix)]

use crate::common::{file, games_elsewhere, rows, xtask};
use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::tempdir;

/// A program whose nodes are 100, times 2 for every method that is off; `hang` at the position whose white king stands on h1.
const SCRIPT: &str = "#!/bin/sh\nn=100; hang=0\nbits=${ABLATE:-0}\n[ $((bits & 1)) = 1 ] && n=$((n*2))\n\
    [ $((bits & 2)) = 2 ] && n=$((n*2))\n[ \"$1\" = bench ] && echo \"Nodes searched: $n\" && exit\n\
    while read -r line; do case \"$line\" in\n uci) echo 'id name Fake 1'; \
    echo 'option name Margin type spin default 3 min 1 max 9'; echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n\
    position*7K*) hang=1 ;;\n position*) hang=0 ;;\n\
    go*) [ $hang = 1 ] && sleep 1000\n echo \"info depth 2 score cp 15 nodes $n time 2 pv e2e4\"\n\
    echo 'info string count lmr tries 10 cuts 4'; echo 'bestmove e2e4' ;;\nesac; done\n";

const SUBJECT: &str = "[subject]\nabout = \"A fake\"\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\n\
    patience = \"4s\"\n[signature]\nargs = [\"bench\"]\nline = \"Nodes searched\"\nnodes = 100\n\
    [factor]\nnull-move = { bits = 1 }\nlmr = { bits = 2 }\n";

const SET: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/7p/8/8/8/8/4P3/4K3 w - - id \"two\";\n";

fn set_up(dir: &Path) {
    let program = file(dir, "fake", SCRIPT);
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    file(dir, "mine.toml", SUBJECT);
    file(dir, "set.epd", SET);
}

fn output_of(run: &assert_cmd::assert::Assert) -> String {
    let output = run.get_output();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The gate of the program, with nothing but its subject file.
fn gate(dir: &Path) -> assert_cmd::assert::Assert {
    let mut command = xtask(dir);
    command.args(["gate", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2"]);
    command.args(["--baseline", "blessed.toml"]).assert()
}

/// A subject file is all that a gate needs; given in place of a suite, it is refused with the right option.
#[test]
fn a_gate_of_a_program_needs_no_suite() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    gate(dir).success();
    gate(dir).success();
    file(dir, "fake", &SCRIPT.replace("bits=${ABLATE:-0}", "bits=$((${ABLATE:-0} | 1))"));
    let dead = output_of(&gate(dir).code(3));
    assert!(
        dead.contains("`full` now equals the baseline's `full[-null-move]`: null-move is dead"),
        "{dead}"
    );
    let refusal = output_of(
        &xtask(dir).args(["gate", "--suite", "mine.toml", "--baseline", "b.toml"]).assert().code(2),
    );
    assert!(
        refusal.contains("found a subject file, expected a suite; `--subject mine.toml` takes it"),
        "{refusal}"
    );
}

/// A program that does not repeat itself is not held to its trees without a word.
#[test]
fn a_gate_says_what_does_not_repeat_itself() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    // Another number of nodes for every process.
    let counting = "n=$((100 + $(wc -l < starts))); echo 1 >> starts";
    file(dir, "starts", "");
    file(
        dir,
        "fake",
        &SCRIPT.replacen("n=100", counting, 1).replace("#!/bin/sh", "#!/bin/sh\ncd \"$(dirname \"$0\")\""),
    );
    file(
        dir,
        "mine.toml",
        &SUBJECT.replace("[signature]\nargs = [\"bench\"]\nline = \"Nodes searched\"\nnodes = 100\n", ""),
    );
    let first = output_of(&gate(dir).success());
    assert!(first.contains("note: `full` does not repeat itself"), "{first}");
    let second = output_of(&gate(dir).code(3));
    assert!(
        second.contains("`full` does not repeat itself") && second.contains("says nothing about a change"),
        "{second}"
    );
}

/// A judge: every move asked alone is worth 5 less than the best, unless it is the best.
const JUDGE: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Judge 1'; echo uciok ;;\n \
    isready) echo readyok ;;\n quit) exit ;;\n go*) set -- $line; m=e1d1; s=12; d=6; [ \"$2\" = depth ] && d=$3\n \
    [ \"$4\" = searchmoves ] && { m=$5; s=7; }\n echo \"info depth $d score cp $s nodes 9 pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

#[test]
fn another_subject_judges_and_reports_name_it() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let program = file(dir, "judge", JUDGE);
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    file(dir, "judge.toml", "[subject]\ngame = \"chess\"\ncommand = \"./judge\"\n");
    let flags = ["bench", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2", "--out", "run"];
    let judged = [&flags[..], &["--oracle", "judge.toml@3", "--jobs", "2"]].concat();
    let first = output_of(&xtask(dir).args(&judged).assert().success());
    let joined = first.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        joined.contains("regret by Judge 1 (3 plies; full), the value of a move by a search of it alone"),
        "{first}"
    );
    assert!(first.contains("oracle: 4 values searched"), "{first}");
    assert!(rows(dir, "run", "records.csv").iter().all(|row| row["regret"] == "5"));
    // A run knows its judge, from wherever it is gone on with.
    let resumed = output_of(&xtask(dir).args(["bench", "--resume", "run"]).assert().success());
    assert!(resumed.contains("Judge 1 (3 plies; full)"), "{resumed}");
    for (oracle, part) in [
        ("judges.toml@3", "judges.toml"),
        ("toga3@3", "did you mean `toga2`?"),
        ("gtp-rhino@3", "found a subject of othello, expected chess"),
        ("full@", "`full+2`"),
    ] {
        let refused = output_of(&xtask(dir).args(flags).args(["--oracle", oracle]).assert().code(2));
        assert!(refused.contains(part), "{refused}");
    }
}

/// A program of moves only, where it is installed: its rows say so little, and are judged all the same.
#[test]
#[allow(clippy::print_stderr)]
fn a_program_of_moves_only_is_measured_and_judged() {
    if secateur_engines::find(Path::new("gtp-rhino")).is_err() {
        eprintln!("skipped: gtp-rhino is not installed");
        return;
    }
    let dir = tempdir().unwrap();
    let flags =
        ["bench", "--subject", "gtp-rhino", "--positions", "othello-44", "--limit", "2", "--out", "run"];
    let level = ["--level", "1", "--oracle", "4"];
    let report = output_of(&xtask(dir.path()).args(flags).args(level).assert().success());
    assert!(
        report.contains("discs a move on average, by our own full-width search\n  (4 plies)"),
        "{report}"
    );
    let full = output_of(&xtask(dir.path()).args(["report", "run", "--full"]).assert().success());
    assert!(full.contains("says nothing of: depth, nodes, value"), "{full}");
    assert!(report.contains("level 1") && !report.contains("NaN"), "{report}");
    for row in rows(dir.path(), "run", "records.csv") {
        assert!(["depth", "nodes", "score", "bound"].iter().all(|column| row[*column].is_empty()), "{row:?}");
        assert!(
            !row["best_move"].is_empty() && !row["regret"].is_empty() && row["error"].is_empty(),
            "{row:?}"
        );
    }
    let refused = output_of(&xtask(dir.path()).args(flags).args(["--depth", "3"]).assert().code(2));
    assert!(refused.contains("cannot be asked for a depth"), "{refused}");
}

#[test]
fn subjects_are_listed_shown_and_checked() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let list = output_of(&xtask(dir).args(["subjects", "list"]).assert().success());
    assert!(
        list.contains("toga2 (chess)") && list.contains("methods: null-move, lmr, futility, delta"),
        "{list}"
    );
    assert_eq!(output_of(&xtask(dir).args(["subjects", "show", "mine.toml"]).assert().success()), SUBJECT);
    let checked = output_of(&xtask(dir).args(["subjects", "check", "mine.toml"]).assert().success());
    assert!(checked.contains("mine full (uci)") && checked.contains("Fake 1 says of a search"), "{checked}");
    assert!(checked.contains("signature: 100"), "{checked}");
    file(dir, "mine.toml", &SUBJECT.replace("nodes = 100", "nodes = 99"));
    let breach = output_of(&xtask(dir).args(["subjects", "check", "mine.toml"]).assert().code(3));
    assert!(breach.contains("has another signature than its file says"), "{breach}");
    let unknown = output_of(&xtask(dir).args(["subjects", "check", "toga"]).assert().code(2));
    assert!(unknown.contains("did you mean `toga2`?"), "{unknown}");
}

#[test]
fn a_factorial_of_a_program_is_a_run_like_any_other() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let common = ["bench", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2"];
    let run =
        xtask(dir).args(common).args(["--factorial", "null-move,lmr", "--full", "--out", "crossed"]).assert();
    let text = output_of(&run.success());
    assert!(text.contains("mine: Fake 1, A fake"), "{text}");
    assert!(!text.contains("never fired"), "{text}");
    let records = rows(dir, "crossed", "records.csv");
    let nodes: Vec<(&str, &str)> =
        records.iter().take(4).map(|row| (row["methods"].as_str(), row["nodes"].as_str())).collect();
    assert_eq!(nodes, [("none", "400"), ("null-move", "200"), ("lmr", "200"), ("null-move+lmr", "100")]);
    let counts = rows(dir, "crossed", "counters.csv");
    assert!(
        counts.iter().all(|row| row["method"] == "lmr" && row["tries"] == "10" && row["cuts_high"] == "4")
    );
    // The same command finds everything done; another build of the program is another thing.
    let repeated = ["--factorial", "null-move,lmr", "--out", "crossed", "--jobs", "2"];
    xtask(dir).args(common).args(repeated).assert().success();
    assert_eq!(rows(dir, "crossed", "records.csv"), records);
    file(dir, "fake", &SCRIPT.replace("n=100", "n=101"));
    let other = output_of(&xtask(dir).args(common).args(repeated).assert().code(4));
    assert!(other.contains("choose another folder"), "{other}");
    for (flags, part) in [
        (["--factorial", "null-move,lmp"], "did you mean `lmr`?"),
        (["--methods", "full,none+"], "unknown method"),
        (["--game", "othello"], "found a subject of chess, expected othello"),
        (["--sweep", "Margin=10"], "from 1 to 9"),
        (["--sweep", "Margn=2"], "did you mean `Margin`?"),
    ] {
        let error = output_of(&xtask(dir).args(common).args(flags).args(["--out", "none"]).assert().code(2));
        assert!(error.contains(part), "{flags:?}: {error}");
        assert!(!dir.join("none").exists());
    }
}

#[test]
fn a_position_that_it_hangs_at_costs_its_own_cells() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    file(dir, "set.epd", &format!("{SET}4k3/8/8/8/8/8/4P3/7K w - - id \"three\";\n"));
    let flags =
        ["--subject", "mine.toml", "--positions", "set.epd", "--depth", "2", "--jobs", "2", "--out", "out"];
    xtask(dir).args(["bench", "--methods", "full"]).args(flags).assert().code(4);
    for row in rows(dir, "out", "records.csv") {
        assert_eq!(row["position"] == "three", row["error"].contains("hangs"), "{row:?}");
    }
    // Nothing of it is left running.
    let left = std::process::Command::new("pgrep").arg("-f").arg(dir.join("fake")).output();
    assert!(left.map_or(true, |left| left.stdout.is_empty()));
}

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

/// Whether valgrind is here; says so if it is not.
fn can_count() -> bool {
    let is_there = |name: &str| std::process::Command::new(name).arg("--version").output().is_ok();
    if !is_there("valgrind") || !is_there("vgdb") {
        let _ = writeln!(std::io::stderr(), "skipped: needs valgrind with vgdb");
        return false;
    }
    true
}

#[test]
fn instructions_of_a_program_stand_in_its_rows_and_what_strays_has_none() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    // Each start under callgrind takes a second.
    file(dir, "set.epd", SET.lines().next().unwrap());
    let flags = [
        "bench",
        "--subject",
        "mine.toml",
        "--positions",
        "set.epd",
        "--depth",
        "2",
        "--methods",
        "full,none",
    ];
    let hardware = ["--instructions=hardware", "--out", "hardware"];
    let error = output_of(&xtask(dir).args(flags).args(hardware).assert().code(2));
    assert!(error.contains("counts only our own search"), "{error}");
    if !can_count() {
        return;
    }
    let count = ["--instructions", "--full", "--out", "out"];
    let text = output_of(&xtask(dir).args(flags).args(count).assert().success());
    assert!(text.contains("of 1 searches counted twice the counts differ by"), "{text}");
    let counted = rows(dir, "out", "records.csv");
    assert!(counted.iter().all(|row| row["instructions"].parse::<u64>().is_ok_and(|count| count > 1_000)));
    // Counted once; the same command finds everything done.
    let before = std::fs::read_to_string(dir.join("out/run.toml")).unwrap();
    assert_eq!(before.matches("[[game.counting.again]]").count(), 1, "{before}");
    xtask(dir).args(flags).args(count).assert().success();
    assert_eq!(rows(dir, "out", "records.csv"), counted);
    // Under valgrind it searches one node more, by a wrapper that starts another process.
    let strays = SCRIPT.replace("n=100;", "n=100; case \"$LD_PRELOAD\" in *vgpreload*) n=101;; esac;");
    let inner = file(dir, "inner", &strays);
    std::fs::set_permissions(inner, PermissionsExt::from_mode(0o755)).unwrap();
    file(dir, "fake", "#!/bin/sh\n./inner \"$@\"\n");
    let strays = ["--instructions", "--full", "--out", "strays"];
    let text = output_of(&xtask(dir).args(flags).args(strays).assert().success());
    assert!(text.contains("the counted search visited 101 nodes, the recorded one 100"), "{text}");
    assert!(rows(dir, "strays", "records.csv").iter().all(|row| row["instructions"].is_empty()));
    let resumed = output_of(&xtask(dir).args(flags).args(strays).assert().success());
    assert!(resumed.contains("could not be counted as they were recorded"), "{resumed}");
    file(dir, "mine.toml", &SUBJECT.replace("[signature]", "[instructions]\nwithin = 0.02\n[signature]"));
    let text = output_of(
        &xtask(dir)
            .args(flags)
            .args(["--instructions", "--full", "--out", "strays", "--retry"])
            .assert()
            .success(),
    );
    assert!(text.contains("searches have the count of a search of other nodes"), "{text}");
    assert!(rows(dir, "strays", "records.csv").iter().all(|row| !row["instructions"].is_empty()));
}

#[test]
fn a_suite_with_a_program_is_held_to_a_file() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let suite = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
                 subject = \"mine.toml\"\nbudgets = [{ depth = 2 }]\n";
    file(dir, "own.toml", suite);
    let gate = ["gate", "--suite", "own.toml", "--baseline", "blessed.toml"];
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("baseline written: blessed.toml"));
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("6 checks: 6 ok."));
    file(dir, "fake", &SCRIPT.replace("n=100", "n=110"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(breach.contains("(+10.00 %)") && breach.contains("REGRESSION"), "{breach}");
    file(dir, "own.toml", &suite.replace("{ depth = 2 }", "{ time = \"1ms\" }"));
    assert!(output_of(&xtask(dir).args(gate).assert().code(2)).contains("found a budget of time"));
}

/// A program whose switch `a` is its default, and whose switch `b` does nothing.
const IDLE: &str = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\npatience = \"4s\"\n[factor]\n\
    off = \"Margin=3\"\nidle = { bits = 4 }\nlmr = { bits = 2 }\n";

#[test]
fn switches_that_switch_nothing_are_named_and_enter_no_baseline_unnoticed() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    file(dir, "mine.toml", IDLE);
    // It answers at every position, with a move that is legal at those of the set only.
    let checked = output_of(&xtask(dir).args(["subjects", "check", "mine.toml"]).assert().success());
    assert!(checked.contains("`off` is already off in this program"), "{checked}");
    let idle = "`full` and `full[-idle]` search the same trees";
    let common = ["mine.toml", "--positions", "set.epd", "--depth", "2"];
    for (verb, out) in [(&["worth"][..], "worth"), (&["bench", "--subject"], "bench")] {
        let text = output_of(&xtask(dir).args(verb).args(common).args(["--out", out]).assert().success());
        assert!(text.contains("note: `off` is already off in mine"), "{text}");
        // All of them in one line.
        let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("note: `full` and ")).collect();
        assert!(notes.len() == 1 && notes[0].contains("search the same trees"), "{text}");
        assert!(notes[0].contains("`full[-off]`") && notes[0].contains("`full[-idle]`"), "{text}");
        assert!(!notes[0].contains("full[-lmr]`"), "{text}");
    }
    let page = std::fs::read_to_string(dir.join("worth/worth.md")).unwrap();
    assert!(page.contains("variable ABLATE: 4") && page.contains("option Margin: 3"), "{page}");
    file(
        dir,
        "own.toml",
        "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
         subject = \"mine.toml\"\nbudgets = [{ depth = 2 }]\narms = [\"full\", \"full[-idle]\", \"full[-lmr]\"]\n",
    );
    let gate = ["gate", "--suite", "own.toml", "--baseline", "blessed.toml"];
    let refused = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(refused.contains(idle) && !dir.join("blessed.toml").exists(), "{refused}");
    xtask(dir).args(gate).args(["--same", "full[-idle]"]).assert().success();
    assert!(std::fs::read_to_string(dir.join("blessed.toml")).unwrap().contains("same-as = \"full\""));
    xtask(dir).args(gate).assert().success();
    // One that has begun to switch nothing is a breach, and is no blessing either.
    file(dir, "fake", &SCRIPT.replace("$((bits & 2)) = 2", "$((bits & 2)) = 9"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    assert!(breach.contains("searches the trees of `full`"), "{breach}");
    let joined = breach.split_whitespace().collect::<Vec<_>>().join(" ");
    let stuck = "`full[-lmr]` now equals the baseline's `full`: lmr is switched off without effect.";
    assert!(joined.contains(stuck), "{joined}");
    // One that prunes nothing in any arm is dead.
    let dead = SCRIPT.replace("n=100", "n=200").replace("$((bits & 2)) = 2", "$((bits & 2)) = 9");
    file(dir, "fake", &dead.replace("cuts 4", "cuts 0"));
    let breach = output_of(&xtask(dir).args(gate).assert().code(3));
    let joined = breach.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("`full` now equals the baseline's `full[-lmr]`: lmr is dead."), "{joined}");
    assert!(joined.contains("Counts in `full`: lmr 20 tries and 8 cuts, now 20 and 0."), "{joined}");
    let before = std::fs::read_to_string(dir.join("blessed.toml")).unwrap();
    xtask(dir).args(gate).arg("--update-baseline").assert().code(3);
    assert_eq!(std::fs::read_to_string(dir.join("blessed.toml")).unwrap(), before);
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
        let program = file(dir, name, &SCRIPT.replace("n=100", &format!("n={nodes}")));
        std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
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
    let gate = ["gate", "--suite", "own.toml", "--baseline", "blessed.toml"];
    assert!(output_of(&xtask(dir).args(gate).assert().success()).contains("are left out"));
}

#[test]
fn what_is_only_shown_builds_fetches_and_starts_nothing() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    std::fs::create_dir(dir.join("source")).unwrap();
    file(dir, "source/fake", SCRIPT);
    let built = "[subject]\ngame = \"chess\"\nmask = \"ABLATE\"\n[source]\nfolder = \"source\"\n\
                 build = \"touch ../../../../built; chmod +x fake\"\nbinary = \"fake\"\n[factor]\nlmr = { bits = 2 }\n";
    file(dir, "mine.toml", built);
    file(dir, "judge.toml", "[subject]\ngame = \"chess\"\ncommand = \"./no-such-program\"\n");
    let flags = ["bench", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2"];
    let shown = |more: &[&str]| {
        let cache = dir.join("cache");
        output_of(
            &xtask(dir).env("SECATEUR_CACHE", &cache).args(flags).args(more).arg("--list").assert().success(),
        )
    };
    for more in [&[][..], &["--oracle", "judge.toml@3"]] {
        let text = shown(more);
        assert!(text.contains("methods: full, full[-lmr], none") && text.contains("8 cells"), "{text}");
        assert!(!dir.join("cache").exists(), "{text}");
    }
    // What git would take for an option is refused where it stands.
    let git = |from: &str, at: &str| {
        let text = format!(
            "[subject]\ngame = \"chess\"\n[source]\ngit = \"{from}\"\nat = \"{at}\"\nbuild = \"true\"\nbinary = \"x\"\n"
        );
        file(dir, "git.toml", &text);
        output_of(&xtask(dir).args(["subjects", "check", "git.toml"]).assert().code(2))
    };
    let upload = format!("--upload-pack=touch {}/pwned", dir.display());
    let refused = git(&upload, "main");
    assert!(refused.contains("git.toml:4:7") && refused.contains("expected a repository"), "{refused}");
    assert!(git("source", "--orphan").contains("git.toml:5:6"));
    assert!(!dir.join("pwned").exists());
}

#[test]
fn a_run_says_what_its_arms_were_and_another_meaning_is_told_in_words() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    let subject = |margin: u32| {
        file(dir, "mine.toml", &SUBJECT.replace("lmr = { bits = 2 }", &format!("lmr = \"Margin={margin}\"")))
    };
    let bench = |out| {
        xtask(dir)
            .args(["bench", "--subject", "mine.toml", "--positions", "set.epd", "--depth", "2", "--out", out])
            .assert()
    };
    subject(4);
    bench("one").success();
    let run = std::fs::read_to_string(dir.join("one/run.toml")).unwrap();
    for line in [
        "\"option Margin\" = \"4\"",
        "\"variable ABLATE\" = \"1\"",
        "isolation = \"a process for many searches",
    ] {
        assert!(run.contains(line), "{line}: {run}");
    }
    subject(5);
    let other = output_of(&bench("one").code(4));
    assert!(
        other.contains("`full[-lmr]` with option Margin: 4") && other.contains("option Margin: 5"),
        "{other}"
    );
    bench("two").success();
    let compared =
        output_of(&xtask(dir).args(["compare", "one", "two", "--methods", "full", "full"]).assert().code(4));
    assert!(compared.contains("option Margin: 4") && compared.contains("option Margin: 5"), "{compared}");
}

/// A program whose options switch, with a legal move at the positions that switches are looked at: `LMR` doubles its nodes when
/// off, `NMP` does nothing, `Lazy Pruning` is off anyway.
const OPTIONS: &str = "#!/bin/sh\nn=100; m=e2e4\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Fresh 1'; \
    echo 'option name UseLMR type check default true'; echo 'option name NMP Margin type spin default 3 min 1 max 9'; \
    echo 'option name Lazy Pruning type check default false'; echo 'option name RFPDepth type spin default 4 min 0 max 9'; echo uciok ;;\n \
    'setoption name UseLMR value false') n=$((n*2)) ;;\n 'setoption name RFPDepth value 0') n=$((n/2)) ;;\n \
    position*rnbqk2r*) m=e8g8 ;;\n position*3r2k1/1p3pp1*) m=d6c7 ;;\n position*8/1p1R3p*) m=d7h7 ;;\n position*) m=e2e4 ;;\n \
    isready) echo readyok ;;\n quit) exit ;;\n go*) set -- $line; d=2; [ \"$2\" = depth ] && d=$3\n \
    echo \"info depth $d score cp 15 nodes $n time 2 pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

/// A program that goes by its name, under a link whose name and folder need quotes: the name stays, and what is printed can be
/// pasted.
#[test]
fn a_link_keeps_its_name_and_a_printed_command_can_be_pasted() {
    let dir = tempdir().unwrap();
    let dir = dir.path().join("it's a folder");
    std::fs::create_dir(&dir).unwrap();
    let checked =
        OPTIONS.replacen('\n', "\ncase \"$0\" in *engine) ;; *) echo call me engine >&2; exit 1;; esac\n", 1);
    let program = file(&dir, "real.sh", &checked);
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("real.sh", dir.join("engine")).unwrap();
    file(&dir, "set.epd", SET);
    let new = ["subjects", "new", "./engine", "--out", "my engine.toml"];
    let text = output_of(&xtask(&dir).args(new).assert().success());
    let toml = std::fs::read_to_string(dir.join("my engine.toml")).unwrap();
    assert!(toml.contains("command = \"./engine\"\n"), "{toml}");
    let printed = text.lines().find_map(|line| line.trim().split_once("worth ")).expect(&text).1;
    let command = format!(
        "\"$XTASK\" worth {} --positions set.epd --depth 2 --out 'a b'",
        printed.replace(" --depth 8", "")
    );
    let paste = |command: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.env("XTASK", assert_cmd::cargo::cargo_bin!("xtask")).current_dir(&dir);
        shell.args(["-c", command]).output().unwrap()
    };
    let worth = paste(&command);
    assert!(worth.status.success(), "{command}: {}", String::from_utf8_lossy(&worth.stderr));
    let report = output_of(&xtask(&dir).args(["report", "a b/searches", "--wide"]).assert().success());
    let printed = report.lines().find_map(|line| line.split_once("all tables: ")).expect(&report).1;
    let (_, arguments) = printed.split_once("report ").expect(printed);
    let pasted = paste(&format!("\"$XTASK\" report {arguments}"));
    assert!(pasted.status.success(), "{arguments}: {}", String::from_utf8_lossy(&pasted.stderr));
}

#[test]
fn a_program_becomes_a_subject_file_whose_switches_were_searched() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let program = |name: &str, text: &str| {
        let program = file(dir, name, text);
        std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    };
    program("fresh", OPTIONS);
    file(dir, "set.epd", SET);
    let new = |args: &[&str]| xtask(dir).args(["subjects", "new"]).args(args).assert();
    let text = output_of(&new(&["./fresh"]).success());
    assert!(text.contains("Fresh 1: speaks uci, 4 options"), "{text}");
    assert!(text.contains("lmr: UseLMR=false") && text.contains("without it 2.00x the nodes"), "{text}");
    assert!(text.contains("null-move: NMP Margin=9") && text.contains("it may switch nothing"), "{text}");
    assert!(
        text.contains("reverse-futility: RFPDepth=0") && text.contains("fewer nodes without it"),
        "{text}"
    );
    assert!(text.contains("lazy-pruning: Lazy Pruning=false is how it is shipped"), "{text}");
    assert!(text.contains("worth fresh.toml --depth 8"), "{text}");
    let toml = std::fs::read_to_string(dir.join("fresh.toml")).unwrap();
    assert!(toml.contains("command = \"./fresh\"\n") && toml.contains("\n# lazy-pruning ="), "{toml}");
    // The next command is one that works, without a line written.
    let worth = ["worth", "fresh.toml", "--positions", "set.epd", "--depth", "2", "--out", "worth"];
    xtask(dir).args(worth).assert().success();
    let csv = std::fs::read_to_string(dir.join("worth/worth.csv")).unwrap();
    assert!(csv.contains("lmr,all,nodes_without,2,2.0"), "{csv}");
    // A file is not written over, and one that is no program is said to be none.
    let refused = output_of(&new(&["./fresh"]).code(2));
    assert!(refused.contains("fresh.toml: it is there already") && refused.contains("--force"), "{refused}");
    let near = output_of(&new(&["./frsh"]).code(2));
    assert!(near.contains("did you mean `./fresh`?"), "{near}");
    let elsewhere = tempdir().unwrap();
    let typed = xtask(elsewhere.path()).args(["subjects", "new", "frsh"]).env("PATH", dir).assert().code(2);
    assert!(output_of(&typed).contains("did you mean `fresh`?"), "{}", output_of(&typed));
    program("mute", "#!/bin/sh\nexit 1\n");
    // What it answers is no move of these positions: said, and no number is made of it.
    program("wrong", &OPTIONS.replace("m=e8g8", "m=a1a8"));
    let wrong = output_of(&new(&["./wrong"]).success());
    assert!(wrong.contains("a1a8") && wrong.contains("no switch was compared with searches"), "{wrong}");
    let mute = output_of(&new(&["./mute"]).code(2));
    assert!(mute.contains("found no protocol that it speaks") && mute.contains("ends at once"), "{mute}");
    assert!(!dir.join("mute.toml").exists());
    // What it wants is on its standard error, and why it cannot be started is said once.
    program("missing", "#!/bin/sh\necho 'cannot open net.bin' >&2\nexit 1\n");
    let missing = output_of(&new(&["./missing"]).code(2));
    assert!(missing.contains("standard error ends with `cannot open net.bin`"), "{missing}");
    program("nobody", "#!/no/such/shell\n");
    let nobody = output_of(&new(&["./nobody"]).code(2));
    assert!(nobody.contains("interpreter") && nobody.matches("cannot be started").count() == 1, "{nobody}");
    file(dir, "closed", OPTIONS);
    let closed = output_of(&new(&["./closed"]).code(2));
    assert!(closed.contains("chmod +x") && !closed.contains("did you mean"), "{closed}");
}

/// An Othello program that speaks CECP too, where its moves are none of chess, and looks for its file where it begins.
#[test]
fn a_program_is_started_in_its_folder_and_taken_for_the_game_that_it_plays() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    std::fs::create_dir_all(dir.join("games/data")).unwrap();
    file(dir, "games/data/net", "");
    let text = "#!/bin/sh\n[ -f data/net ] || { echo 'no data/net' >&2; exit 1; }\nwhile read -r line; do case \"$line\" in\n \
                protover*) echo 'feature setboard=1 ping=1 done=1' ;;\n ping*) echo \"pong ${line#ping }\" ;;\n \
                'set depth'*) echo 'set myname Reversi' ;;\n quit) exit ;;\n \
                go) echo 'nodestats 90 0.01'; echo 'move P@d3'; echo '=== D3/1/0' ;;\nesac; done\n";
    let program = file(dir, "games/reversi", text);
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    let new = |args: &[&str]| xtask(dir).args(["subjects", "new", "games/reversi"]).args(args).assert();
    let text = output_of(&new(&["--protocol", "nboard", "--out", "known.toml"]).success());
    assert!(text.contains("speaks nboard"), "{text}");
    let toml = std::fs::read_to_string(dir.join("known.toml")).unwrap();
    assert!(toml.contains("/games\"\n") && toml.contains("game = \"othello\""), "{toml}");
    let chess = output_of(&new(&["--protocol", "cecp"]).code(2));
    assert!(chess.contains("P@d3"), "{chess}");
}

/// Two positions of shogi in which 7g7f can be played.
const SHOGI: &str = "lnsgkgsnl/1r5b1/1ppppppp1/p7p/9/P7P/1PPPPPPP1/1B5R1/LNSGKGSNL b - 5; id \"edges\";\n\
    lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3; id \"rooks\";\n";

/// A program that ends at every greeting but that of USI.
#[test]
fn a_program_of_shogi_is_found_and_measured() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let text = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n usi) echo 'id name Hisha'; echo usiok ;;\n \
                isready) echo readyok ;;\n setoption*|usinewgame) ;;\n position\\ sfen*) ;;\n \
                go*) set -- $line; d=2; [ \"$2\" = depth ] && d=$3\n \
                echo \"info depth $d score mate 5 nodes 90 pv 7g7f 3c3d 8h2b+\"; echo 'bestmove 7g7f' ;;\n *) exit 3 ;;\nesac; done\n";
    let program = file(dir, "hisha", text);
    std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    file(dir, "set.pos", SHOGI);
    let out = output_of(&xtask(dir).args(["subjects", "new", "./hisha"]).assert().success());
    assert!(out.contains("Hisha: speaks usi") && out.contains("depth: kept"), "{out}");
    let toml = std::fs::read_to_string(dir.join("hisha.toml")).unwrap();
    assert!(toml.contains("game = \"shogi\"\nprotocol = \"usi\"\n"), "{toml}");
    let bench =
        ["bench", "--subject", "hisha.toml", "--positions", "set.pos", "--depth", "2", "--out", "run"];
    xtask(dir).args(bench).assert().success();
    let rows = rows(dir, "run", "records.csv");
    assert_eq!(rows.iter().filter(|row| row["methods"] == "full").count(), 2);
    for row in rows {
        let cells = ["game", "nodes", "best_move", "score", "error"].map(|column| row[column].as_str());
        assert_eq!(cells, ["shogi", "90", "7g7f", "29995", ""]);
    }
}

/// A program of somebody else, where it is installed, plays ours, and both take the moves of the other for legal.
#[test]
#[allow(clippy::print_stderr)]
fn a_program_of_shogi_plays_a_match() {
    if secateur_engines::find(Path::new("fairy-stockfish")).is_err() {
        eprintln!("skipped: fairy-stockfish is not installed");
        return;
    }
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.pos", SHOGI);
    let players = ["play", "--game", "shogi", "--first", "none", "--second", "subject:fairy-stockfish"];
    let games =
        ["--nodes", "400", "--games", "4", "--openings", "set.pos", "--max-moves", "10", "--out", "m"];
    let report = output_of(&xtask(dir).args(players).args(games).assert().success());
    assert!(report.contains("fairy-stockfish full"), "{report}");
    let games = rows(dir, "m", "games.csv");
    let ended =
        |game: &BTreeMap<String, String>| ["max-moves", "checkmate"].contains(&game["reason"].as_str());
    assert!(games.len() == 4 && games.iter().all(ended), "{games:?}");
}

#[test]
fn a_program_without_switches_is_shown_the_lines_that_add_them() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    std::fs::create_dir(dir.join("src")).unwrap();
    // Pascal is no language in which switches are cut.
    file(dir, "src/search.pas", "function Search: Integer;\nbegin\n  if DoNullMove then Exit(1);\nend;\n");
    let new = |args: &[&str]| {
        output_of(&xtask(dir).args(["subjects", "new", "./fake"]).args(args).assert().success())
    };
    let text = new(&["--source", "src"]);
    assert!(
        text.contains("found no file in C, C++ or Rust: the lines for switches are shown instead"),
        "{text}"
    );
    assert!(text.contains("ABLATE_LMR = ") && text.contains("getenv(\"ABLATE\")"), "{text}");
    let toml = std::fs::read_to_string(dir.join("fake.toml")).unwrap();
    assert!(toml.contains("mask = \"ABLATE\"") && toml.contains("null-move = { bits = "), "{toml}");
    // The file is one of a program that has these lines, as this one does.
    let checked = output_of(&xtask(dir).args(["subjects", "check", "fake.toml"]).assert().success());
    assert!(!checked.contains("may do nothing"), "{checked}");
    std::fs::remove_file(dir.join("src/search.pas")).unwrap();
    file(dir, "src/search.c", "int search(void) {\n  if (do_null_move) return 1;\n  int lmr_depth = 3;\n}\n");
    let text = new(&["--source", "src", "--builds", "--out", "builds.toml"]);
    assert!(
        text.contains("null-move: search.c:2: if (do_null_move)") && text.contains("lmr: search.c:3"),
        "{text}"
    );
    assert!(text.contains("no makefile is there") && text.contains("-DNO_LMR: fake-no-lmr"), "{text}");
    file(dir, "src/Makefile", "all:\n\tcc $(EXTRA) -o $(EXE) search.c\n");
    let text = new(&["--source", "src", "--builds", "--out", "builds.toml", "--force"]);
    assert!(
        text.contains("make -B -C src EXE=fake-no-lmr EXTRA=-DNO_LMR && mv src/fake-no-lmr fake-no-lmr"),
        "{text}"
    );
    let command = "subjects new ./fake --builds --out builds.toml --force\n";
    assert!(text.contains(command), "{text}");
    let toml = std::fs::read_to_string(dir.join("builds.toml")).unwrap();
    assert!(toml.contains("lmr = { command = \"./fake-no-lmr\" }"), "{toml}");
}

/// What was built is what is asked about, and each build is held to searches as an option is: one by a makefile that does not know the
/// flag is the program itself.
#[test]
fn builds_that_are_there_become_the_switches_of_a_program() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    file(dir, "set.epd", SET);
    let (before, options) = OPTIONS.split_once("echo 'option").unwrap();
    let bare = format!("{before}echo uciok{}", options.split_once("echo uciok").unwrap().1);
    for (name, nodes) in [
        ("plain", 100),
        ("plain-no-lmr", 200),
        ("plain-no-null-move", 100),
        ("plain-no-", 1),
        ("other-no-see", 9),
    ] {
        let program = file(dir, name, &bare.replace("n=100", &format!("n={nodes}")));
        std::fs::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    }
    file(dir, "plain-no-probcut", "no program");
    let new = |args: &[&str]| {
        output_of(&xtask(dir).args(["subjects", "new", "./plain"]).args(args).assert().success())
    };
    let without = new(&["--out", "mask.toml"]);
    assert!(without.contains("found no option that switches a method off"), "{without}");
    let text = new(&["--builds"]);
    assert!(text.contains("lmr: ./plain-no-lmr\n    without it 2.00x the nodes\n"), "{text}");
    assert!(
        text.contains("null-move: ./plain-no-null-move\n    without it 1.00x the nodes: the same nodes"),
        "{text}"
    );
    assert!(text.contains("next:\n  ") && !text.contains("EXTRA") && !text.contains("probcut"), "{text}");
    let toml = std::fs::read_to_string(dir.join("plain.toml")).unwrap();
    assert!(toml.contains("\nlmr = { command = \"./plain-no-lmr\" }\n") && !toml.contains("mask"), "{toml}");
    let worth = ["worth", "plain.toml", "--positions", "set.epd", "--depth", "2", "--out", "worth"];
    xtask(dir).args(worth).assert().success();
    let csv = std::fs::read_to_string(dir.join("worth/worth.csv")).unwrap();
    assert!(csv.contains("lmr,all,nodes_without,2,2.0"), "{csv}");
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

/// Programs of CECP that learn only when they are asked what they cannot be asked, or play another game: as Phalanx and MaxQi do.
#[test]
fn what_a_program_cannot_be_asked_is_found_out_and_another_game_is_none() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let program = |name: &str, refuses: &str, answer: &str| {
        let text = format!(
            "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\n protover*) echo 'feature setboard=1 ping=1 done=1' ;;\n \
             ping*) echo \"pong ${{line#ping }}\" ;;\n '{refuses}'*) echo \"Illegal move: $line\" ;;\n quit) exit ;;\n \
             go) n=$((n+1)); echo '3 15 1 90 e2e4'; echo \"move {answer}\" ;;\nesac; done\n"
        );
        let path = file(dir, name, &text);
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    };
    program("timed", "sd ", "e2e4");
    let text = output_of(&xtask(dir).args(["subjects", "new", "./timed"]).assert().success());
    assert!(text.contains("speaks cecp") && text.contains("depth: cannot be asked"), "{text}");
    // Its first answer is one of chess too.
    program("xiangqi", "none", "$([ $n = 1 ] && [ ! -e once ] && touch once && echo c1e1 || echo c1i1)");
    let text = output_of(&xtask(dir).args(["subjects", "new", "./xiangqi"]).assert().code(2));
    assert!(text.contains("no search of chess was answered") && text.contains("c1i1"), "{text}");
    assert!(!dir.join("xiangqi.toml").exists());
}
