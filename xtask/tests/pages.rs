//! The pages in a real browser: headless Chromium opens what the program wrote of small real runs and looks at it as a reader
//! would, at the width of a desk and of a phone, light and dark. Skipped with a line where there is no Chromium.

#![cfg(unix)]

use crate::common::{file, from_npm, games_elsewhere, xtask};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::{TempDir, tempdir};

/// Desk and phone.
const WIDTHS: [u32; 2] = [1440, 390];

/// Both games, methods that change moves at small depths.
const SUITE: &str = r#"name = "tiny"
description = "A suite for pages"

[[block]]
game = "othello"
positions = ["othello-28"]
limit = 8
methods = ["none", "null-move", "futility", "mpc+lmr"]
budgets = [{ depth = 5 }]

[[block]]
game = "chess"
positions = ["chess-games"]
limit = 6
methods = ["none", "null-move", "futility", "lmr"]
budgets = [{ depth = 5 }]
"#;

/// What is wrong with a page by its looks, each in words.
const LOOKS: &str = r#"(() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) {
    const far = [...document.querySelectorAll("body *")].filter((one) => one.getClientRects().length &&
      !one.closest(".scroll,.wide,details:not([open])") && one.getBoundingClientRect().right > innerWidth + 1);
    wrong.push(`the page is ${root.scrollWidth} wide: ${far.slice(0, 3).map((one) => one.outerHTML.slice(0, 120))}`);
  }
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const table of document.querySelectorAll("table")) {
    const place = table.closest(".scroll");
    if (!place) wrong.push("a table without a place to scroll in");
    else if (place.getClientRects().length && place.scrollWidth > place.clientWidth + 1 &&
      (!place.classList.contains("wider") || getComputedStyle(place, "::before").content.length < 20))
      wrong.push(`clipped without a word: ${place.getAttribute("aria-label")}`);
  }
  for (const picture of document.querySelectorAll("svg")) {
    const box = picture.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 1 && !picture.closest(".wide") || box.height < 20))
      wrong.push(`a picture of ${box.width} x ${box.height} at ${box.left}`);
  }
  return wrong;
})()"#;

/// Games of the lines of changed positions, and of the boards.
const BOARDS: &str = r#"(() => {
  const boards = (game) => [...document.querySelectorAll(`.boards[data-game="${game}"] .change svg`)].length;
  const games = [...document.querySelectorAll(".boards")].map((one) => one.dataset.game);
  return games.map((game) => [game, boards(game)]);
})()"#;

fn run(dir: &Path, arguments: &[&str]) {
    xtask(dir).args(arguments).assert().success();
}

/// A program with two switches that need not be asked for: nodes and moves by the position and the switches, depth by depth.
const ENGINE: &str = "#!/bin/sh\nbits=${ABLATE:-0}; p=1\nwhile read -r line; do case \"$line\" in\n uci) echo 'id name Toy 1'; echo uciok ;;\n \
    isready) echo readyok ;;\n quit) exit ;;\n position*) p=$(printf %s \"$line\" | cksum | cut -c1-2) ;;\n\
    go*) m=e1d1; [ $((bits & 1)) = 1 ] && [ $((p % 3)) = 0 ] && m=e1f1\n\
    for d in 1 2 3; do n=$(((100 + p) * d * d)); [ $((bits & 1)) = 1 ] && n=$((n * 2 + p))\n\
    [ $((bits & 2)) = 2 ] && n=$((n + n * p / 300)); echo \"info depth $d score cp $p nodes $n time 2 pv $m\"; done\n\
    echo \"bestmove $m\" ;;\nesac; done\n";

const SUBJECT: &str = "[subject]\nabout = \"A toy\"\ngame = \"chess\"\ncommand = \"./toy\"\nmask = \"ABLATE\"\n[factor]\n\
    null-move = { bits = 1 }\nlmr = { bits = 2 }\n";

/// Kings, and a pawn that stands elsewhere each time.
fn set() -> String {
    let line = |at: usize| {
        // Not on the rank from which it would give check.
        let (rank, file) = (1 + at / 8, at % 8);
        let row: String = (0..8).map(|square| if square == file { 'P' } else { '1' }).collect();
        let rows: Vec<&str> = (0..5).map(|each| if each == rank { row.as_str() } else { "8" }).collect();
        format!("4k3/{}/8/4K3 w - - id \"k{at}\";\n", rows.join("/"))
    };
    (0..12).map(line).collect()
}

/// Writes every kind of page into a folder; says which there are.
fn pages(dir: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    file(dir, "tiny.toml", SUITE);
    run(dir, &["bench", "tiny.toml", "--out", "out", "--jobs", "2"]);
    run(
        dir,
        &["bench", "tiny.toml", "--out", "other", "--jobs", "2", "--methods", "none,null-move,futility"],
    );
    let toy = file(dir, "toy", ENGINE);
    fs::set_permissions(toy, PermissionsExt::from_mode(0o755)).unwrap();
    file(dir, "toy.toml", SUBJECT);
    file(dir, "set.epd", &set());
    let games = games_elsewhere("toy", "null-move", 40) + &games_elsewhere("toy", "lmr", 6);
    file(dir, "games.pgn", &games);
    let worth = ["worth", "toy.toml", "--positions", "set.epd", "--depth", "3", "--out", "worth"];
    run(dir, &[&worth[..], &["--games-from", "games.pgn"]].concat());
    run(
        dir,
        &[
            "compare",
            "out",
            "other",
            "--methods",
            "null-move",
            "futility",
            "--allow",
            "nodes",
            "--allow",
            "moves",
            "--allow",
            "values",
            "--allow",
            "dv",
            "--allow",
            "depth",
            "--html",
            "--out",
            "compare.html",
        ],
    );
    for (run_of, commit, date) in
        [("out", "aaaa1111", "2026-01-01T00:00:00Z"), ("other", "bbbb2222", "2026-01-02T00:00:00Z")]
    {
        run(dir, &["history", "add", "kept", run_of, "--commit", commit, "--date", date]);
    }
    let history = xtask(dir).args(["history", "show", "kept", "--html"]).assert().success();
    fs::write(dir.join("history.html"), &history.get_output().stdout).unwrap();
    let mut names = vec!["out/report.html", "worth/worth.html", "compare.html", "history.html"];
    names.extend(lined(dir));
    names.into_iter().map(|name| dir.join(name)).collect()
}

/// The source whose switches are cut for the page of lines.
fn sprout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sprouts/c")
}

/// Writes the page of a search line by line, where there is a compiler.
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
fn lined(dir: &Path) -> Option<&'static str> {
    let is_there =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    if let Some(tool) = ["gcc", "make"].iter().find(|name| !is_there(name)) {
        eprintln!("skipped: no {tool} is installed, so the page of lines was not made");
        return None;
    }
    run(dir, &["subjects", "new", "--source", &sprout().display().to_string(), "--out", "sprout.toml"]);
    run(dir, &["lines", "sprout.toml", "--depth", "4", "--limit", "2", "--out", "lines"]);
    Some("lines/lines.html")
}

fn json(tab: &mut Tab<'_>, script: &str) -> Value {
    tab.evaluate(script)
}

#[test]
fn every_page_is_whole_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let axe = axe(dir);
    for page in pages(dir) {
        for (width, dark) in [(WIDTHS[0], false), (WIDTHS[0], true), (WIDTHS[1], false), (WIDTHS[1], true)] {
            let name = format!("{} at {width}, dark: {dark}", page.display());
            let mut tab = browser.open(&page, "", width, dark);
            assert_eq!(json(&mut tab, LOOKS), serde_json::json!([]), "{name}");
            assert_eq!(tab.complaints(), Vec::<String>::new(), "{name}");
            if let Some(axe) = &axe {
                tab.evaluate(&format!("{axe};0"));
                let violations = tab.evaluate("axe.run().then((found) => found.violations.map((one) => `${one.id}: ${one.nodes[0].html}`))");
                assert_eq!(violations, serde_json::json!([]), "{name}");
            }
        }
    }
    bench_page(&mut browser, dir);
    worth_page(&mut browser, dir);
    if dir.join("lines/lines.html").exists() {
        lines_page(&mut browser, dir);
    }
    let mut compared = browser.open(&dir.join("compare.html"), "", WIDTHS[0], false);
    let blocks = json(
        &mut compared,
        "[...document.querySelectorAll('label.filters option')].map((one) => one.textContent)",
    );
    assert!(blocks.as_array().unwrap().iter().all(|name| !name.as_str().unwrap().is_empty()), "{blocks}");
    assert!(!blocks.as_array().unwrap().is_empty());
    let title = json(&mut compared, "document.querySelector('h1').textContent");
    assert!(!title.as_str().unwrap().contains(&*dir.to_string_lossy()), "{title}");
}

/// Filters, sorting and the place stand in the address and come back from it; what is downloaded is the record.
fn bench_page(browser: &mut Browser, dir: &Path) {
    let page = dir.join("out/report.html");
    let mut tab = browser.open(&page, "", WIDTHS[0], false);
    let boards = json(&mut tab, BOARDS);
    let games: Vec<&str> = boards.as_array().unwrap().iter().map(|one| one[0].as_str().unwrap()).collect();
    assert!(games.contains(&"othello") && games.contains(&"chess"), "{boards}");
    assert!(boards.as_array().unwrap().iter().all(|one| one[1].as_u64().unwrap() > 0), "{boards}");
    let chosen = json(
        &mut tab,
        r##"(() => {
          const table = document.querySelector('table[data-filter="matrix"]');
          const game = [...document.querySelectorAll(".filters select")].find((one) => [...one.options].some((o) => o.value === "chess"));
          game.value = "chess"; game.dispatchEvent(new Event("input"));
          [...table.tHead.querySelectorAll("button")].find((one) => one.textContent === "nodes saved").click();
          document.querySelector('a[href^="#change-"]').click();
          return location.hash;
        })()"##,
    );
    let hash = chosen.as_str().unwrap().to_owned();
    assert!(hash.contains("sort-matrix=") && hash.contains("at=change-") && hash.contains("chess"), "{hash}");
    let state = r#"(() => {
      const table = document.querySelector('table[data-filter="matrix"]');
      const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      const saved = rows.map((row) => Number(row.cells[5].dataset.v)).filter((x) => !Number.isNaN(x));
      return [rows.every((row) => row.cells[1].textContent === "chess"), rows.length, saved,
        document.querySelector(".here")?.id ?? ""];
    })()"#;
    drop(tab);
    let mut reopened = browser.open(&page, &hash, WIDTHS[0], false);
    let shown = json(&mut reopened, state);
    assert!(shown[0] == true && shown[1].as_u64().unwrap() > 0, "{shown}");
    let saved: Vec<f64> = shown[2].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(saved.len() > 1 && saved.is_sorted_by(|one, other| one >= other), "{saved:?}");
    assert!(shown[3].as_str().unwrap().starts_with("change-"), "{shown}");
    let data = json(
        &mut reopened,
        r#"decodeURIComponent(document.querySelector('a[download="report.csv"]').href.split(",").slice(1).join(","))"#,
    );
    let csv = xtask(dir).args(["report", "out", "--csv"]).assert().success();
    assert_eq!(data.as_str().unwrap(), String::from_utf8_lossy(&csv.get_output().stdout));
    let copied = json(
        &mut reopened,
        "(async () => { const one = document.querySelector('.change [data-copy]'); one.click(); \
        await new Promise((done) => setTimeout(done, 100)); return [one.textContent, one.parentElement.querySelector('code').textContent]; })()",
    );
    assert_eq!(copied[0], "copied");
    repeats(dir, copied[1].as_str().unwrap(), "out");
}

/// The command under a board makes the rows of the record again: nodes, value and move.
fn repeats(dir: &Path, command: &str, run: &str) {
    let args: Vec<String> = command.split_whitespace().map(|word| word.replace('\'', "")).collect();
    let at = args.iter().position(|word| word == "bench").unwrap_or_else(|| panic!("{command}"));
    xtask(dir).args(&args[at..]).args(["--out", "again"]).assert().success();
    let rows = |run: &str| crate::common::rows(dir, run, "records.csv");
    let repeated = rows("again");
    assert!(repeated.len() > 1, "{command}");
    for row in repeated {
        let same = |other: &&std::collections::BTreeMap<String, String>| {
            ["game", "position", "methods", "budget", "budget_kind", "repeat"]
                .iter()
                .all(|column| other[*column] == row[*column])
        };
        let before =
            rows(run).into_iter().find(|other| same(&other)).unwrap_or_else(|| panic!("{command}: {row:?}"));
        for column in ["nodes", "score", "best_move", "depth"] {
            assert_eq!(before[column], row[column], "{command}");
        }
    }
}

/// A verdict for each method above the first picture; boards and commands where the method changes the move.
fn worth_page(browser: &mut Browser, dir: &Path) {
    let mut tab = browser.open(&dir.join("worth/worth.html"), "", WIDTHS[0], false);
    let mut verdicts = |place: &str| {
        json(
            &mut tab,
            &format!("[...document.querySelectorAll('{place} .verdicts li')].map((one) => one.innerText)"),
        )
    };
    let (to_do, searches) = (verdicts(".todo"), verdicts(".answer"));
    assert_eq!(
        (to_do.as_array().unwrap().len(), searches.as_array().unwrap().len()),
        (2, 2),
        "{to_do} {searches}"
    );
    assert!(searches[0].as_str().unwrap().contains("saves"), "{searches}");
    let (lmr, null) = (to_do[0].as_str().unwrap(), to_do[1].as_str().unwrap());
    assert!(null.contains("keep at 8+0.08s") && null.contains(" Elo [") && lmr.contains("lmr"), "{to_do}");
    let screen = json(
        &mut tab,
        "(({top, bottom, right}) => [top > 0, bottom < innerHeight, right < innerWidth])(document.querySelector('.todo figure').getBoundingClientRect())",
    );
    assert_eq!(
        screen,
        serde_json::json!([true, true, true]),
        "what to do and its picture are on the first screen"
    );
    let side = json(
        &mut tab,
        "document.querySelector('.todo figure').getBoundingClientRect().left > document.querySelector('.todo .verdicts').getBoundingClientRect().right",
    );
    assert_eq!(side, true, "next to each other where there is room");
    let boards = json(&mut tab, BOARDS);
    assert!(boards[0][0] == "chess" && boards[0][1].as_u64().unwrap() > 0, "{boards}");
    let command = json(
        &mut tab,
        "document.querySelector('.change code:last-of-type, .change .copy code').closest('.change').querySelector('.copy code').textContent",
    );
    assert!(
        command.as_str().unwrap().contains("--subject toy.toml")
            && command.as_str().unwrap().contains("full[-null-move]"),
        "{command}"
    );
    fs::remove_dir_all(dir.join("again")).unwrap();
    repeats(dir, command.as_str().unwrap(), "worth/searches");
}

/// What the page says of the switches, and the source with a number next to each line that was off, which a reader sees is that line.
fn lines_page(browser: &mut Browser, dir: &Path) {
    let mut tab = browser.open(&dir.join("lines/lines.html"), "", WIDTHS[0], false);
    let notes = json(&mut tab, "[...document.querySelectorAll('p.warning')].map((one) => one.innerText)");
    let note = notes[0].as_str().unwrap();
    assert!(
        note.contains("cut from its source automatically") && note.contains("Proof: with nothing off"),
        "{note}"
    );
    let marked = json(
        &mut tab,
        "[...document.querySelectorAll('table.source tr.marked')].map((row) => [row.cells[0].innerText.trim(), row.cells[1].innerText.trim(), \
         Number(row.cells[2].innerText), row.cells[3].textContent, row.cells[0].querySelector('span').title])",
    );
    let source = fs::read_to_string(sprout().join("src/search.c")).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    let marked = marked.as_array().unwrap();
    assert!(marked.len() >= 8, "{marked:?}");
    for row in marked {
        let (number, text) = (row[2].as_u64().unwrap() as usize, row[3].as_str().unwrap());
        assert_eq!(lines[number - 1], text);
        let nodes = row[0].as_str().unwrap();
        assert!(nodes.split_whitespace().all(|one| one.ends_with('x') && one.len() > 4), "{row}");
        assert!(row[4].as_str().unwrap().contains('['), "the interval of {row}");
    }
    let of_null = marked.iter().find(|row| row[1] == "null-move").expect("null move");
    assert!(of_null[3].as_str().unwrap().contains("can_null"), "{of_null}");
    // The table is sorted by what a line saves, and a click sorts it by another column.
    let sorted = json(
        &mut tab,
        r#"(() => {
          const table = [...document.querySelectorAll("table")].find((one) => one.tHead?.innerText.includes("nodes when off") && !one.matches(".source"));
          const numbers = () => [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[2].innerText)).filter((x) => x === x);
          const before = numbers();
          [...table.tHead.querySelectorAll("button")].find((one) => one.textContent === "nodes when off").click();
          return [before, numbers()];
        })()"#,
    );
    let numbers =
        |at: usize| sorted[at].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    assert!(numbers(0).len() >= 8 && numbers(0).is_sorted_by(|one, other| one >= other), "{sorted}");
    assert!(numbers(1).is_sorted() || numbers(1).is_sorted_by(|one, other| one >= other), "{sorted}");
}

/// Files that a page of the site links to, with the anchors in them; nothing of other hosts.
const LINKS: &str = r#"[...document.querySelectorAll("a[href], img[src], link[rel=stylesheet], script[src]")]
  .map((one) => one.href || one.src).filter((url) => url.startsWith("file:")).map(decodeURI)"#;

/// Every page of the site is reached from the first, and no link leads nowhere.
#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
fn no_link_of_the_site_is_dead() {
    let Some(mut browser) = Browser::start() else { return };
    let dir = tempdir().unwrap();
    let site = dir.path().canonicalize().unwrap().join("site");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let made = xtask(&root).args(["site", "--out"]).arg(&site).assert().success();
    let has_book = !String::from_utf8_lossy(&made.get_output().stderr).contains("the book is left out");
    if !has_book {
        eprintln!("skipped: mdbook is not installed, so only the example pages were walked");
    }
    let (mut seen, mut open) = (std::collections::BTreeSet::new(), vec![site.join("index.html")]);
    let mut dead = Vec::new();
    while let Some(page) = open.pop() {
        if !seen.insert(page.clone()) {
            continue;
        }
        let mut tab = browser.open(&page, "", WIDTHS[0], false);
        let links = json(&mut tab, LINKS);
        for link in links.as_array().unwrap().iter().map(|link| link.as_str().unwrap()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = PathBuf::from(path.trim_start_matches("file://").split('?').next().unwrap());
            let is_page = path.extension().is_some_and(|ending| ending == "html");
            if !path.starts_with(&site) || !path.is_file() {
                dead.push(format!("{}: {link}", page.display()));
                continue;
            }
            let names = |text: &str| {
                [format!("id=\"{anchor}\""), format!("name=\"{anchor}\"")]
                    .iter()
                    .any(|one| text.contains(one))
            };
            if is_page && !anchor.is_empty() && !names(&fs::read_to_string(&path).unwrap()) {
                dead.push(format!("{}: {link}: no such place", page.display()));
            }
            if is_page {
                open.push(path);
            }
        }
    }
    dead.sort();
    dead.dedup();
    assert!(dead.is_empty(), "{} dead: {}", dead.len(), dead[..dead.len().min(20)].join("\n"));
    for name in ["worth", "bench", "compare"] {
        assert!(seen.contains(&site.join(format!("examples/{name}.html"))), "{name}: {seen:?}");
    }
    assert!(seen.len() > if has_book { 40 } else { 3 }, "{seen:?}");
    // What was no site stays.
    fs::write(dir.path().join("mine"), "").unwrap();
    xtask(&root).args(["site", "--out"]).arg(dir.path()).assert().code(2);
}

/// Programs that are Chromium, by the names of distributions.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// It needs no network, no processor of pictures and no rights of its own.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A real browser, asked through the DevTools protocol over two pipes: no driver and no socket. It ends with this value.
struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// What it said without being asked.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts it; says so where there is none.
    #[allow(clippy::print_stderr, reason = "what is skipped is said")]
    fn start() -> Option<Browser> {
        let is_there =
            |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
        let Some(name) = NAMES.iter().find(is_there) else {
            eprintln!("skipped: no Chromium is installed, so no page was opened");
            return None;
        };
        let profile = tempfile::tempdir().expect("a folder");
        // It reads commands from descriptor 3 and answers on 4.
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", name]).args(FLAGS);
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Some(Browser {
            child,
            to,
            from: BufReader::new(from),
            next: 0,
            events: Vec::new(),
            _profile: profile,
        })
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut text = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = session {
            text["sessionId"] = session.into();
        }
        write!(self.to, "{text}\0").expect("it listens");
        loop {
            let message = self.hear();
            if message["id"] == self.next {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).expect("it speaks");
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        serde_json::from_slice(&bytes).expect("it speaks JSON")
    }

    /// Opens a file in a window of this width, with what stands behind its `#`, and waits until all of it is there.
    fn open(&mut self, page: &Path, hash: &str, width: u32, dark: bool) -> Tab<'_> {
        let target =
            self.ask(None, "Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached =
            self.ask(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        let mut tab = Tab { browser: self, session, target };
        for domain in ["Page", "Runtime", "Log"] {
            tab.ask(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        tab.ask("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        tab.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        tab.browser.events.clear();
        tab.ask("Page.navigate", json!({ "url": format!("file://{}{hash}", page.display()) }));
        while !tab.browser.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = tab.browser.hear();
            tab.browser.events.push(event);
        }
        tab
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = json!({ "id": 0, "method": "Browser.close" });
        let _ = write!(self.to, "{close}\0");
        let _ = self.child.wait();
    }
}

/// An open page; closed with this value.
struct Tab<'b> {
    browser: &'b mut Browser,
    session: String,
    target: Value,
}

impl Tab<'_> {
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let session = self.session.clone();
        self.browser.ask(Some(&session), method, params)
    }

    /// What a script comes to.
    fn evaluate(&mut self, script: &str) -> Value {
        let params =
            json!({ "expression": script, "returnByValue": true, "awaitPromise": true, "userGesture": true });
        let result = self.ask("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{script}: {result}");
        result["result"]["value"].clone()
    }

    /// Errors and warnings of the page so far: uncaught, on its console, or the browser's own of it.
    fn complaints(&mut self) -> Vec<String> {
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => {
                event["params"]["type"] == "error" || event["params"]["type"] == "warning"
            }
            Some("Log.entryAdded") => event["params"]["entry"]["level"] != "info",
            _ => false,
        };
        self.browser.events.iter().filter(is_bad).map(ToString::to_string).collect()
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let target = self.target.clone();
        self.browser.ask(None, "Target.closeTarget", json!({ "targetId": target }));
    }
}

/// The text of axe-core, which finds what those cannot use who do not see or have no mouse: from npm, where there is one; says so where
/// there is none.
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
fn axe(dir: &Path) -> Option<String> {
    let text = from_npm(dir, "axe-core", "4.10.3")
        .and_then(|folder| std::fs::read_to_string(folder.join("axe.min.js")).ok());
    if text.is_none() {
        eprintln!(
            "skipped: axe-core is not to be had from npm, so no page was checked for what cannot be used"
        );
    }
    text
}
