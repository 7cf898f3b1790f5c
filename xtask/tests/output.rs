//! What leaves the program: names of others in it, standard output that fails, and children, which end with their parent.

use crate::common::{bench, file, xtask};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Names that begin formulas, clear screens and turn lines round. An EPD name ends at a quote.
const NAMES: [&str; 6] = [
    "=HYPERLINK(1,2)",
    "@SUM(1+1)*cmd",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd",
    "a\u{1b}]0;title\u{7}\u{1b}[2Jb",
    "abc\u{202e}cba\u{200b}\u{2066}x",
];
const BOARDS: [&str; 6] = [
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - -",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - -",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq -",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - -",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - -",
];

fn hides(c: char) -> bool {
    (c.is_control() && !"\n\t".contains(c))
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// Nothing in a text hides.
fn assert_plain(text: &str, what: &str) {
    let at = text.find(hides).map(|at| text[..at].lines().last().unwrap_or_default().to_owned());
    assert_eq!(at, None, "{what}");
}

/// No cell of a table is a formula, and every row has every column.
fn assert_table(text: &str, what: &str) -> usize {
    assert_plain(text, what);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    for cell in rows.iter().flatten() {
        let is_formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
        assert!(!is_formula, "{what}: {cell}");
    }
    rows.len()
}

/// The tables that a page has for download, with their names.
fn downloads(page: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for part in page.split("download=\"").skip(1) {
        let (name, rest) = part.split_once('"').unwrap();
        let (_, rest) = rest.split_once("charset=utf-8,").unwrap();
        let (text, _) = rest.split_once('"').unwrap();
        let mut bytes = Vec::new();
        let mut pieces = text.split('%');
        bytes.extend(pieces.next().unwrap_or_default().bytes());
        for piece in pieces {
            bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
            bytes.extend(piece[2..].bytes());
        }
        all.push((name.to_owned(), String::from_utf8(bytes).unwrap()));
    }
    all
}

#[test]
fn no_name_leaves_the_program_as_a_formula_or_a_control_character() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let lines = BOARDS.iter().zip(NAMES).map(|(board, name)| format!("{board} id \"{name}\";\n"));
    file(dir, "evil.epd", &lines.collect::<String>());
    let out = |arguments: &[&str]| {
        let done = xtask(dir).args(arguments).output().unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        assert_plain(&error, &format!("{arguments:?}"));
        let text = String::from_utf8(done.stdout).unwrap();
        assert!(!text.is_empty(), "{arguments:?}: {error}");
        assert_plain(&text, &format!("{arguments:?}"));
        text
    };
    let run =
        ["bench", "--positions", "evil.epd", "--methods", "none,razoring+futility,lmp+lmr", "--depth", "5"];
    out(&[&run[..], &["--out", "run", "--full"]].concat());
    for form in [&[][..], &["--full"], &["--markdown"], &["--latex"], &["--table2"], &["--pruning"]] {
        out(&[&["report", "run"], form].concat());
    }
    for form in [&[][..], &["--markdown"], &["--html"]] {
        out(&[&["compare", "run", "--methods", "none", "razoring+futility"], form].concat());
    }
    assert!(assert_table(&out(&["report", "run", "--csv"]), "--csv") > 10);
    let changed = out(&["report", "run", "--changed"]);
    assert!(assert_table(&changed, "--changed") > 1 && changed.contains(",'@SUM"), "{changed}");
    // JSON says the names themselves, as it writes such characters.
    let json: serde_json::Value = serde_json::from_str(&out(&["report", "run", "--json"])).unwrap();
    assert!(json["sections"].as_array().is_some_and(|sections| !sections.is_empty()));
    let page = fs::read_to_string(dir.join("run/report.html")).unwrap();
    assert_plain(&page, "report.html");
    assert_plain(&fs::read_to_string(dir.join("run/report.md")).unwrap(), "report.md");
    let tables = downloads(&page);
    assert!(tables.iter().any(|(name, _)| name == "changed.csv"), "{:?}", tables.len());
    assert!(tables.iter().any(|(name, _)| name.starts_with("speedups-")));
    for (name, text) in downloads(&page) {
        assert_table(&text, &name);
    }
    // What `solve` keeps is found again under the same names.
    let solve = ["solve", "evil.epd", "--depth", "1", "--out", "solved.csv"];
    let (first, again) = (out(&solve), out(&solve));
    let places = |text: &str| text.lines().filter(|line| line.contains("HYPERLINK")).count();
    assert_eq!((places(&first), places(&again)), (1, 1));
    let solved = fs::read_to_string(dir.join("solved.csv")).unwrap();
    assert_eq!(assert_table(&solved, "solved.csv"), 1 + NAMES.len());
    out(&["analyse", "evil.epd:5", "--depth", "2"]);
    out(&["positions", "check", "evil.epd"]);
    let at = ["--commit", "c0ffee", "--date", "2026-01-01T00:00:00Z"];
    xtask(dir).args(["history", "add", "kept", "run"]).args(at).assert().success();
    assert_table(&out(&["history", "show", "kept", "--csv"]), "history --csv");
    out(&["history", "show", "kept", "--html"]);
}

/// Runs the program with standard output as a shell arranges it; code and error.
#[cfg(target_os = "linux")]
fn under(dir: &Path, arguments: &str, redirection: &str) -> (Option<i32>, String) {
    let program = assert_cmd::cargo::cargo_bin!("xtask").display().to_string();
    let script = format!("exec '{program}' {arguments} {redirection}");
    let done = Command::new("sh").args(["-c", &script]).current_dir(dir).output().unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn lost_output_is_no_success_and_a_reader_that_had_enough_is() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    bench(dir, "out", "2");
    for arguments in [
        "report out",
        "report out --csv",
        "report out --json",
        "report out --html",
        "report --json-schema",
        "compare out out",
        "list",
        "positions list",
        "subjects show toga2",
        "completions bash",
        "bench tiny.toml --list",
        "--help",
        "report --help",
        "--version",
    ] {
        for (redirection, why) in [(">/dev/full", "No space left"), (">&-", "closed")] {
            let (code, error) = under(dir, arguments, redirection);
            assert_eq!(code, Some(1), "{arguments} {redirection}: {error}");
            assert!(
                error.contains("error: standard output: ") && error.contains(why),
                "{arguments}: {error}"
            );
        }
        let (code, error) = under(dir, arguments, ">/dev/null");
        assert!(code == Some(0) && !error.contains("standard output"), "{arguments}: {error}");
        // A reader that is gone before anything is written.
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
            .args(arguments.split(' '))
            .current_dir(dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success() && !error.contains("error"), "{arguments}: {error}");
    }
    // What writes nothing there has lost nothing.
    assert_eq!(under(dir, "report out --csv --out r.csv", ">&-").0, Some(0));
    assert!(dir.join("r.csv").is_file());
}

/// The children that somebody started for a folder, by their command lines.
#[cfg(target_os = "linux")]
fn at_work(dir: &Path) -> Vec<u32> {
    let name = dir.join("papers").display().to_string();
    let all = fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        // A process that has ended and was not waited for has no line.
        String::from_utf8_lossy(&line).contains(&name)
    })
    .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn the_run_of_a_paper_ends_with_it() {
    for signal in ["INT", "TERM", "KILL"] {
        let dir = tempdir().unwrap();
        let dir = dir.path();
        let paper = "name = \"x\"\ntitle = \"t\"\nabout = \"a\"\n[[experiment]]\nname = \"e\"\ntitle = \"t\"\ntheirs = \"t\"\n\
                     ours = \"o\"\nfound = \"f\"\n[[experiment.run]]\nname = \"r\"\n\
                     command = \"bench --game othello --methods none --depth 11 --limit 40 --jobs 1\"\n";
        file(dir, "x.toml", paper);
        let out = dir.join("papers").display().to_string();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
            .args(["paper", "x.toml", "--out", &out])
            .current_dir(dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let waited = Instant::now();
        while !dir.join("papers/r/records.csv").is_file() {
            assert!(waited.elapsed() < Duration::from_secs(60), "nothing was begun");
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(at_work(dir).len(), 2, "itself and its run");
        Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        let waited = Instant::now();
        let mut is_over = false;
        while !is_over && waited.elapsed() < Duration::from_secs(120) {
            let _ = child.try_wait();
            is_over = at_work(dir).is_empty();
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_over, "{signal}: {:?} go on", at_work(dir));
        child.wait().unwrap();
    }
}

/// A run that fails leaves what was asked of those before it.
#[test]
fn a_study_tells_what_is_there_where_a_run_fails() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let run = |name: &str, command: &str| {
        format!(
            "[[experiment.run]]\nname = \"{name}\"\ncommand = \"bench {command} --depth 4 --limit 2 --jobs 1\"\n"
        )
    };
    let paper = "name = \"x\"\ntitle = \"t\"\nabout = \"a\"\n[[experiment]]\nname = \"e\"\ntitle = \"t\"\ntheirs = \"t\"\n\
                 ours = \"o\"\nfound = \"f\"\nslopes = \"followed\"\n";
    let runs =
        run("r", "--game othello --methods none,null-move") + &run("s", "--game chess --methods unknown");
    file(dir, "x.toml", &(paper.to_owned() + &runs));
    let done = Command::new(assert_cmd::cargo::cargo_bin!("xtask"))
        .args(["paper", "x.toml", "--out", "papers"])
        .current_dir(dir)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(2), "{error}");
    let table = fs::read_to_string(dir.join("papers/followed.csv")).expect(&error);
    assert!(table.contains("othello,,null-move,2,4,"), "{table}");
}
