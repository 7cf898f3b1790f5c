//! `subjects` through the binary: lists, checks, and subject files that are made of programs, of builds and of sources.

#![cfg(unix)]

use crate::common::fake::{SCRIPT, SET, SHOGI, SUBJECT, executable, output_of, set_up};
use crate::common::{file, rows, xtask};
use tempfile::tempdir;

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
    assert!(list.contains("no switches: it is searched as it is") && !list.contains("methods: \n"), "{list}");
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
    executable(&dir, "real.sh", &checked);
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
        executable(dir, name, text);
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
    executable(dir, "games/reversi", text);
    let new = |args: &[&str]| xtask(dir).args(["subjects", "new", "games/reversi"]).args(args).assert();
    let text = output_of(&new(&["--protocol", "nboard", "--out", "known.toml"]).success());
    assert!(text.contains("speaks nboard"), "{text}");
    let toml = std::fs::read_to_string(dir.join("known.toml")).unwrap();
    assert!(toml.contains("/games\"\n") && toml.contains("game = \"othello\""), "{toml}");
    let chess = output_of(&new(&["--protocol", "cecp"]).code(2));
    assert!(chess.contains("P@d3"), "{chess}");
}

/// A program that ends at every greeting but that of USI.
#[test]
fn a_program_of_shogi_is_found_and_measured() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let text = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n usi) echo 'id name Hisha'; echo usiok ;;\n \
                isready) echo readyok ;;\n setoption*|usinewgame) ;;\n position\\ sfen*) ;;\n \
                go*) set -- $line; d=2; [ \"$2\" = depth ] && d=$3\n \
                echo \"info depth $d score mate 5 nodes 90 pv 7g7f 3c3d 8h2b+\"; echo 'bestmove 7g7f' ;;\n *) exit 3 ;;\nesac; done\n";
    executable(dir, "hisha", text);
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
        executable(dir, name, &bare.replace("n=100", &format!("n={nodes}")));
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
        executable(dir, name, &text);
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
