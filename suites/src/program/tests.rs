//! Subject files: what they say, what they are refused for, and a program that does what its switches say.

use super::*;
use crate::Experiment;
use crate::suite::Suite;
use std::collections::BTreeSet;
use std::path::Path;

const FILE: &str = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\n[factor]\n\
                    null-move = { bits = 1 }\nlmr = \"Late Moves=100; Other=false\"\nfutility = { bits = 4, args = [\"-f\"] }\n";

fn program() -> Program {
    Program::parse(Path::new("some/fake.toml"), FILE).unwrap()
}

fn names(lined: &ProgramArms) -> Vec<&str> {
    lined.arms.iter().map(|arm| arm.name.as_str()).collect()
}

#[test]
fn built_in_subjects_are_read() {
    assert!(Program::names().contains(&"glaurung"));
    for name in Program::names() {
        let program = Program::load(name).unwrap();
        assert_eq!((program.name.as_str(), program.source.as_str()), (name, name));
        assert!(!program.about.is_empty() && !program.get.is_empty(), "{name}");
    }
    let error = Program::load("glaurun").unwrap_err().to_string();
    assert!(error.contains("did you mean `glaurung`?") && error.contains("or a .toml file"), "{error}");
}

/// What lies next to a binary are its options, and a binary without selectivity its arm at full width.
#[test]
fn the_full_width_is_switched_shallow_or_refused() {
    let full_width = |name: &str, depth| Program::load(name).unwrap().full_width_to(depth);
    assert_eq!(full_width("toga2", 30), Ok("none"));
    assert_eq!(full_width("glaurung", 1), Err("not at full width: its null move has no switch".to_owned()));
    assert!(full_width("crafty", 1).unwrap_err().contains("no [factor]"));
    assert_eq!(full_width("edax", 10), Ok("full"));
    assert!(full_width("edax", 11).unwrap_err().contains("build it without ProbCut"));
    let dir = tempfile::tempdir().unwrap();
    let binary = dir.path().join("my-edax");
    std::fs::create_dir(dir.path().join("data")).unwrap();
    for file in ["my-edax", "my-edax-full", "data/eval.dat"] {
        std::fs::write(dir.path().join(file), "").unwrap();
    }
    assert_eq!(Program::lasting("edax-4.6", dir.path()), "edax-4.6", "a name, though it has a dot");
    assert_eq!(Path::new(&Program::lasting("my.toml", dir.path())), dir.path().join("my.toml"));
    let program = Program::load("edax").unwrap().at(&binary);
    assert_eq!(program.full_width_to(30), Ok("none"));
    let weights = dir.path().join("data/eval.dat").display().to_string();
    let options: Vec<_> =
        program.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(options, [("level", "1"), ("eval-file", weights.as_str())], "there is no book");
    let installed = program.clone().installed().unwrap();
    assert_eq!(
        (installed.options, installed.factors.len()),
        (program.options.clone(), program.factors.len()),
        "found once"
    );
    let mut with_eval_file = Program::load("edax").unwrap();
    with_eval_file.options = vec![("eval-file".to_owned(), "mine.dat".to_owned())];
    assert_eq!(with_eval_file.clone().at(&binary).options, with_eval_file.options, "what is said stays");
    let full = program.spec(&program.arm("none").unwrap()).unwrap().command;
    assert_eq!(full, dir.path().join("my-edax-full"));
    assert_eq!(program.spec(&program.arm("full").unwrap()).unwrap().command, binary);
}

#[test]
fn the_first_wrong_place_is_pointed_at() {
    let cases = [
        ("game = \"chess\"", "game = \"ches\"", (2, 8), "did you mean `chess`?"),
        ("command = \"./fake\"", "command = \"\"", (3, 11), "expected a program"),
        ("command = \"./fake\"\n", "", (1, 1), "missing field `command` of [subject], or a [source]"),
        ("mask", "mass", (4, 1), "unknown field `mass`"),
        ("mask = \"ABLATE\"\n", "", (5, 1), "expected the variable that they are of"),
        ("null-move = { bits = 1 }", "null-move = { }", (6, 1), "no key switches it off"),
        ("{ bits = 1 }", "{ bit = 1 }", (6, 1), "expected options `NAME=VALUE"),
        ("Late Moves=100", "Late Moves", (7, 1), "found `Late Moves`, expected NAME=VALUE"),
        (
            "mask = \"ABLATE\"\n",
            "mask = \"ABLATE\"\nlevel = [\"-l\"]\n",
            (5, 9),
            "expected `{}` for the level",
        ),
        ("lmr =", "full =", (7, 1), "neither `none` nor `full`"),
        ("lmr =", "\"l+r\" =", (7, 1), "expected letters, digits"),
    ];
    for (from, to, place, message) in cases {
        let error =
            Program::parse(Path::new("fake.toml"), &FILE.replacen(from, to, 1)).expect_err(to).to_string();
        let (line, column) = place;
        assert!(error.contains(&format!(":{line}:{column}")), "{to}: {error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn an_arm_says_what_is_off() {
    let all = ["full", "none", "lmr", "lmr+null-move", "full[-lmr]", "full[X Y=3]", "none[-lmr, X=1]"];
    let lined = ProgramArms::new(program(), Others::Off, &all).unwrap();
    // Names are in the order of the file, however they are asked for.
    let expected = ["full", "none", "lmr", "null-move+lmr", "full[-lmr]", "full[X Y=3]", "none[X=1]"];
    assert_eq!(names(&lined), expected);
    let off: Vec<Vec<usize>> = lined.arms.iter().map(|arm| arm.off.iter().copied().collect()).collect();
    assert_eq!(off, [vec![], vec![0, 1, 2], vec![0, 2], vec![2], vec![1], vec![], vec![0, 1, 2]]);
    for (texts, at, hint) in [
        (["full", "lmp"], 1, "did you mean `lmr`?"),
        (["full[-nul-move]", "full"], 0, "did you mean `null-move`?"),
        (["null-move+lmr", "lmr+null-move"], 1, "found `null-move+lmr` again"),
        (["full[X]", "full"], 0, "found `X`, expected NAME=VALUE, or -FACTOR"),
        (["full[X=1", "full"], 0, "expected `]`"),
    ] {
        let (place, message) = ProgramArms::new(program(), Others::Off, &texts).unwrap_err();
        assert_eq!(place, at, "{message}");
        assert!(message.contains(hint), "{message}");
    }
}

#[test]
fn methods_that_no_arm_names_stay_on_if_that_is_asked() {
    let crossed = combinations(&["null-move".to_owned(), "lmr".to_owned()]).unwrap();
    assert_eq!(crossed, ["none", "null-move", "lmr", "null-move+lmr"]);
    let off = |others| -> Vec<BTreeSet<usize>> {
        let lined = ProgramArms::new(program(), others, &crossed).unwrap();
        assert_eq!(names(&lined), crossed);
        lined.arms.into_iter().map(|arm| arm.off).collect()
    };
    assert_eq!(
        off(Others::On),
        [BTreeSet::from([0, 1]), BTreeSet::from([1]), BTreeSet::from([0]), BTreeSet::new()]
    );
    assert!(off(Others::Off).iter().all(|off| off.contains(&2)));
    assert!(combinations(&["lmr".to_owned()]).unwrap_err().contains("expected 2 to 8"));
    assert!(combinations(&["lmr".to_owned(), "lmr".to_owned()]).unwrap_err().contains("found `lmr` again"));
}

#[test]
fn the_usual_arms_are_all_leave_one_out_none_and_each_alone() {
    let usual = ProgramArms::usual(&program());
    let expected =
        ["full", "full[-null-move]", "full[-lmr]", "full[-futility]", "none", "null-move", "lmr", "futility"];
    assert_eq!(usual, expected);
    let swept = ProgramArms::swept(&["full".to_owned(), "full[-lmr]".to_owned()], "Margin=1, 2").unwrap();
    let expected = [
        "full",
        "full[Margin=1]",
        "full[Margin=2]",
        "full[-lmr]",
        "full[-lmr,Margin=1]",
        "full[-lmr,Margin=2]",
    ];
    assert_eq!(swept, expected);
    assert!(ProgramArms::swept(&swept, "Margin=").is_err() && ProgramArms::swept(&swept, "Margin").is_err());
}

#[test]
fn what_is_off_becomes_options_bits_and_arguments() {
    let program = program();
    let spec = |arm: &str| program.spec(&program.arm(arm).unwrap()).unwrap();
    let full = spec("full");
    assert_eq!((full.command.as_path(), full.name.as_str()), (Path::new("some/./fake"), "fake full"));
    assert!(full.args.is_empty() && full.env.is_empty() && full.options.is_empty());
    let none = spec("none[Third=true]");
    assert_eq!(none.env, [("ABLATE".to_owned(), "5".to_owned())]);
    assert_eq!(none.args, ["-f"]);
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        none.options,
        [option("Late Moves", "100"), option("Other", "false"), option("Third", "true")]
    );
    // What an arm says itself would switch a method on again that it lacks.
    for (arm, message) in
        [("none[other=true]", "is what switches `lmr` off"), ("full[X=1,x=2]", "found `x=1` and `x=2`")]
    {
        let error = program.arm(arm).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let text = FILE
        .replace("{ bits = 1 }", "{ command = \"./a\" }")
        .replace("{ bits = 4, args", "{ command = \"./b\", args");
    let builds = Program::parse(Path::new("fake.toml"), &text).unwrap();
    let spec = |arm: &str| builds.spec(&builds.arm(arm).unwrap());
    assert_eq!(spec("full[-null-move]").unwrap().command, Path::new("./a"));
    let error = spec("none").unwrap_err().to_string();
    assert!(error.contains("`null-move` and `futility` are each another binary"), "{error}");
}

/// A program whose nodes are what its switches say: 100, and 10 more for every method that is off.
const SCRIPT: &str = "#!/bin/sh\nn=100\n[ $((${ABLATE:-0} & 1)) = 1 ] && n=$((n+10))\n[ \"$1\" = -f ] && n=$((n+10))\n\
                      while read -r line; do case \"$line\" in\n uci) echo 'id name Fake'; \
                      echo 'option name Late Moves type spin default 3 min 1 max 100'; \
                      echo 'option name Other type check default true'; echo uciok ;;\n isready) echo readyok ;;\n \
                      *'Late Moves value 100') n=$((n+10)) ;;\n quit) exit ;;\n \
                      go*) echo \"info depth 2 score cp 15 nodes $n time 2 pv e2e4\"; echo 'bestmove e2e4' ;;\nesac; done\n";

#[test]
fn a_suite_file_has_a_program_searched_and_reads_what_it_writes() {
    let dir = tempfile::tempdir().unwrap();
    // A path with a blank in it.
    let folder = dir.path().join("a folder");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("fake.toml"), FILE.replace("./fake", "./fa ke")).unwrap();
    std::fs::write(folder.join("fa ke"), SCRIPT).unwrap();
    let set = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/7p/8/8/8/8/4P3/4K3 w - - id \"two\";\n";
    std::fs::write(folder.join("set.epd"), set).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.join("fa ke"), executable).unwrap();
    let head = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"set.epd\"]\n\
                budgets = [{ depth = 2 }]\nrepeats = 1\nsubject = \"fake.toml\"\n";
    for (isolation, more) in [("run", ""), ("cell", "factorial = [\"null-move\", \"lmr\", \"futility\"]\n")] {
        let file = FILE.replace("./fake\"", &format!("./fa ke\"\nisolation = \"{isolation}\""));
        std::fs::write(folder.join("fake.toml"), file).unwrap();
        let path = folder.join("own.toml");
        let suite = Suite::parse(&path, &format!("{head}{more}")).unwrap();
        let text = toml::to_string(&suite).unwrap();
        assert_eq!(Suite::parse(Path::new("again.toml"), &text).unwrap(), suite, "{text}");
        let runs = Experiment::from(suite).jobs(2).run().unwrap();
        assert!(runs.rows.records.iter().all(|row| row.error.is_none()), "{:?}", runs.rows.records);
        assert_eq!(runs.nodes("none"), 2 * 130 * if more.is_empty() { 1 } else { 2 });
        assert_eq!(runs.nodes("null-move"), 2 * 120);
        if more.is_empty() {
            assert_eq!(runs.manifest.game[0].baseline.as_deref(), Some("full"));
            // The baseline is searched again.
            assert_eq!(runs.nodes("full"), 2 * 2 * 100);
            assert_eq!(runs.nodes("full[-lmr]"), 2 * 110);
        } else {
            assert_eq!(runs.manifest.game[0].baseline, None);
            assert_eq!(runs.nodes("null-move+lmr+futility"), 2 * 100);
        }
    }
    for (key, message) in [
        ("methods = [\"none\"]", "found `methods` next to `subject`"),
        ("arms = [\"full\", \"lmp\"]", "did you mean `lmr`?"),
        ("arms = [\"full\"]\nfactorial = [\"lmr\", \"futility\"]", "found `factorial` next to `arms`"),
        ("factorial = [\"lmr\", \"lmp\"]", "did you mean `lmr`?"),
    ] {
        let error =
            Suite::parse(&folder.join("own.toml"), &format!("{head}{key}\n")).expect_err(key).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_program_that_is_not_there_says_how_to_get_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gone.toml");
    let text = "[subject]\ngame = \"chess\"\ncommand = \"no-such-engine\"\nget = \"apt-get install it\"\n";
    std::fs::write(&path, text).unwrap();
    let head = "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"chess\"\npositions = [\"bratko-kopec\"]\n\
                budgets = [{ depth = 2 }]\nsubject = \"gone.toml\"\n";
    let suite = Suite::parse(&dir.path().join("own.toml"), head).unwrap();
    let error = Experiment::from(suite).plan().unwrap_err();
    assert_eq!(error.blame(), secateur_record::Blame::Input);
    assert!(error.to_string().contains("to get it: apt-get install it"), "{error}");
}

/// A program of discs that says nothing but its move, and writes down how it is called.
const MUTE: &str = "#!/bin/sh\necho \"$@\" >> calls\nwhile read -r line; do case \"$line\" in\n \
                    list_commands) printf '= setboard\\nreg_genmove\\n\\n' ;;\n name) printf '= Mute\\n\\n' ;;\n version) printf '= 1\\n\\n' ;;\n \
                    reg_genmove*) printf '= D6\\n\\n' ;;\n quit) exit ;;\n *) printf '=\\n\\n' ;;\nesac; done\n";

#[test]
fn a_program_that_says_its_moves_only_has_rows_without_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let calls = dir.path().join("calls").display().to_string();
    std::fs::write(dir.path().join("mute"), MUTE.replace(">> calls", &format!(">> '{calls}'"))).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(dir.path().join("mute"), executable).unwrap();
    let subject =
        "[subject]\ngame = \"othello\"\nprotocol = \"gtp\"\ncommand = \"./mute\"\nlevel = [\"--level={}\"]\n";
    std::fs::write(dir.path().join("mute.toml"), subject).unwrap();
    let set = "---------------------------OX------XOX------OX------X----------- O;\n";
    std::fs::write(dir.path().join("set.obf"), set).unwrap();
    let suite = |budget: &str| {
        let text = format!(
            "name = \"own\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"set.obf\"]\n\
             budgets = [{budget}]\nsubject = \"mute.toml\"\noracle = 3\n"
        );
        Suite::parse(&dir.path().join("own.toml"), &text).unwrap()
    };
    let runs = Experiment::from(suite("{ level = 2 }, { level = 5 }")).jobs(1).run().unwrap();
    assert_eq!(runs.rows.records.len(), 2);
    for row in &runs.rows.records {
        assert_eq!((row.depth, row.nodes, row.score, row.bound), (None, None, None, None), "{row:?}");
        assert_eq!((row.best_move.as_str(), &row.error, &*row.pv), ("d6", &None, ""));
        assert!(row.regret.is_some() && row.time_ns > 0);
    }
    assert!(runs.rows.iterations.is_empty());
    let program = runs.manifest.game[0].program.as_ref().unwrap();
    assert_eq!(program.untold, ["depth", "nodes", "value", "line"]);
    let calls = std::fs::read_to_string(dir.path().join("calls")).unwrap();
    assert!(calls.contains("--level=2\n") && calls.contains("--level=5\n"), "{calls}");
    for (budget, message) in [("{ depth = 2 }", "a depth"), ("{ nodes = 9 }", "a number of nodes")] {
        let error = Experiment::from(suite(budget)).plan().unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let error = Experiment::of("othello").positions("othello-28").limit(1).level(3).plan().unwrap_err();
    assert!(error.to_string().contains("our own search has no levels"), "{error}");
}

/// A program whose table has one size, as test harnesses want the option of programs without a table.
const TABLELESS: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n \
                         uci) echo 'option name Hash type spin default 1 min 1 max 1'; echo uciok ;;\n isready) echo readyok ;;\n \
                         quit) exit ;;\nesac; done\n";

#[test]
fn a_table_that_nobody_asked_for_yields_and_records_say_so() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("engine"), TABLELESS).unwrap();
    let program = |hash: &str| {
        let text = format!(
            "[subject]\ngame = \"chess\"\ncommand = \"sh\"\nargs = [\"engine\"]\nfolder = \".\"\n{hash}"
        );
        Program::parse(&dir.path().join("s.toml"), &text).unwrap()
    };
    let arm = program("").arm("full").unwrap();
    let ready = |program: Program| program.ready(&arm);
    for program in [program(""), program("").with_table(64)] {
        let (plan, entry) = ready(program).unwrap();
        let yielded = "`Hash` is 1, the nearest value that the program takes to the usual 64";
        assert_eq!(plan.made.get("table").map(String::as_str), Some(yielded));
        assert_eq!(entry.yielded, [format!("{yielded}; `hash = N` in its subject file sets another, MiB")]);
    }
    let (plan, entry) = ready(program("hash = 1")).unwrap();
    assert_eq!((plan.made["table"].as_str(), entry.yielded.len()), ("1 MiB", 0));
    for program in [program("hash = 64"), program("").with_table(32)] {
        let error = ready(program).unwrap_err().to_string();
        assert!(error.contains("option `Hash`: found `") && error.contains("from 1 to 1"), "{error}");
    }
}

/// A tag that was built is found without its repository, and so is a commit; a branch may have moved.
#[test]
fn what_is_pinned_is_built_once_and_needs_no_repository_then() {
    let dir = tempfile::tempdir().unwrap();
    let repository = dir.path().join("repository");
    std::fs::create_dir(&repository).unwrap();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]);
        let output = command.args(arguments).current_dir(&repository).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    std::fs::write(repository.join("engine.sh"), SCRIPT).unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    git(&["tag", "one"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let program = |at: &str| {
        let text = format!(
            "[subject]\ngame = \"chess\"\n[source]\ngit = '{}'\nat = \"{at}\"\nbuild = \"cp engine.sh engine\"\n\
             binary = \"engine\"\n",
            repository.display()
        );
        let mut program = Program::parse(Path::new("pinned.toml"), &text).unwrap();
        program.built_from.as_mut().unwrap().cache = dir.path().join("cache");
        program
    };
    for at in ["one", &commit, "main"] {
        assert_eq!(program(at).place(), None, "{at}: to say where it is builds nothing");
    }
    let built: Vec<_> = ["one", &commit, "main"].map(|at| program(at).installed().unwrap().command).into();
    assert!(built.iter().all(|path| *path == built[0] && path.is_file()), "{built:?}");
    std::fs::rename(&repository, dir.path().join("elsewhere")).unwrap();
    for at in ["one", &commit] {
        assert_eq!(program(at).installed().unwrap().command, built[0], "{at}");
        assert_eq!(program(at).place().as_ref(), Some(&built[0]), "{at}");
    }
    assert_eq!(program("main").place(), None, "a branch may have moved");
    assert!(program("main").installed().unwrap_err().to_string().contains("repository"));
}

/// The engine of a source is its script with what a patch changes in it.
#[test]
fn a_source_is_patched_built_kept_and_signed() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("source");
    std::fs::create_dir(&source).unwrap();
    let bench = SCRIPT.replacen(
        "while read",
        "[ \"$1\" = bench ] && echo \"Nodes searched: $n\" && exit\nwhile read",
        1,
    );
    std::fs::write(source.join("engine.sh"), &bench).unwrap();
    std::fs::write(source.join("build.sh"), "echo built >> ../built; cp engine.sh engine; chmod +x engine\n")
        .unwrap();
    // It reads its switches from another variable than the unpatched one, which has none that is set.
    let patch = "--- a/engine.sh\n+++ b/engine.sh\n@@ -3 +3 @@\n-[ $((${ABLATE:-0} & 1)) = 1 ] && n=$((n+10))\n\
                 +[ $((${SWITCHES:-0} & 1)) = 1 ] && n=$((n+10))\n";
    std::fs::write(dir.path().join("switches.patch"), patch).unwrap();
    let file = |name: &str, more: &str| {
        let text = format!(
            "[subject]\ngame = \"chess\"\nmask = \"SWITCHES\"\n[source]\nfolder = \"source\"\n\
             build = \"sh build.sh\"\nbinary = \"engine\"\n{more}\n[signature]\nargs = [\"bench\"]\n\
             line = \"Nodes searched\"\n[factor]\nnull-move = {{ bits = 1 }}\nlmr = {{ bits = 2 }}\n"
        );
        std::fs::write(dir.path().join(name), &text).unwrap();
        let mut program = Program::load(&dir.path().join(name).display().to_string()).unwrap();
        program.built_from.as_mut().unwrap().cache = dir.path().join("cache");
        program
    };
    let program = file("patched.toml", "patch = [\"switches.patch\"]").installed().unwrap();
    let cache = dir.path().join("cache");
    let signed = program.signed().unwrap().unwrap();
    let expected = Signed { full: 100, unpatched: Some(100), expected: None, idle: vec!["lmr".to_owned()] };
    assert_eq!(signed, expected);
    assert!(signed.holds() && !Signed { expected: Some(99), ..signed }.holds());
    let spec = || program.spec(&program.arm("none").unwrap()).unwrap();
    assert_eq!((spec().env, spec().command.is_file()), (vec![("SWITCHES".to_owned(), "3".to_owned())], true));
    let kept = || std::fs::read_dir(&cache).unwrap().count();
    assert_eq!(kept(), 2, "the patched and the unpatched program, each built once");
    for (more, message) in
        [("patch = [\"bad.patch\"]", "cannot patch it with bad.patch"), ("", "left no engine2")]
    {
        std::fs::write(dir.path().join("bad.patch"), patch.replace("ABLATE", "OTHER")).unwrap();
        let mut wrong = file("wrong.toml", more);
        if let Some(source) = wrong.built_from.as_mut().filter(|_| more.is_empty()) {
            source.binary = "engine2".into();
        }
        let error = wrong.installed().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(kept(), 2, "what failed leaves nothing");
    }
}
