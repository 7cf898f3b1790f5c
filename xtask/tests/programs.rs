//! `bench` of programs with switches through the binary: judges, factorials, positions that hang, instructions, and what the record says of
//! arms.

#![cfg(unix)]

use crate::common::fake::{SCRIPT, SET, SUBJECT, executable, output_of, set_up};
use crate::common::{file, rows, xtask};
use std::io::Write;
use std::path::Path;
use tempfile::tempdir;

/// A judge: every move asked alone is worth 5 less than the best, unless it is the best.
const JUDGE: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Judge 1'; echo uciok ;;\n \
    isready) echo readyok ;;\n quit) exit ;;\n go*) set -- $line; m=e1d1; s=12; d=6; [ \"$2\" = depth ] && d=$3\n \
    [ \"$4\" = searchmoves ] && { m=$5; s=7; }\n echo \"info depth $d score cp $s nodes 9 pv $m\"; echo \"bestmove $m\" ;;\nesac; done\n";

#[test]
fn another_subject_judges_and_reports_name_it() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    set_up(dir);
    executable(dir, "judge", JUDGE);
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
    assert!(text.contains("of 1 search counted twice the counts differ by"), "{text}");
    let counted = rows(dir, "out", "records.csv");
    assert!(counted.iter().all(|row| row["instructions"].parse::<u64>().is_ok_and(|count| count > 1_000)));
    // Counted once; the same command finds everything done.
    let before = std::fs::read_to_string(dir.join("out/run.toml")).unwrap();
    assert_eq!(before.matches("[[game.counting.again]]").count(), 1, "{before}");
    xtask(dir).args(flags).args(count).assert().success();
    assert_eq!(rows(dir, "out", "records.csv"), counted);
    // Under valgrind it searches one node more, by a wrapper that starts another process.
    let strays = SCRIPT.replace("n=100;", "n=100; case \"$LD_PRELOAD\" in *vgpreload*) n=101;; esac;");
    executable(dir, "inner", &strays);
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
