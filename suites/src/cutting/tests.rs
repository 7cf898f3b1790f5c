//! From a source to a program with switches: small engines of our own in C and Rust, and sources that misbehave.
//!
//! Two hundred trees that misbehave, each changed by chance that is the same every time, go through what the command calls. Most are
//! "built" by `false`, so that they are read, cut, copied and patched without a compiler; every fortieth has its makefile.

use super::*;
use secateur_engines::find;
use std::ffi::OsString;
use std::fs;
use std::process::Command;

/// A folder with a copy of a source in `source`; none where a tool is not here, which is said.
pub(super) fn copied(which: &str, tools: &[&str]) -> Option<tempfile::TempDir> {
    if let Some(tool) = tools.iter().find(|tool| find(Path::new(tool)).is_err()) {
        writeln(&format!("skipped: no {tool} here, which builds the source in {which}"));
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sprouts").join(which);
    Tree::read(&example).unwrap().copy(&dir.path().join("source")).unwrap();
    Some(dir)
}

/// A line for whoever runs the tests.
fn writeln(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}

pub(super) fn order(dir: &Path) -> Order {
    Order {
        source: dir.join("source"),
        subject: dir.join("out/sprout.toml"),
        build: None,
        binary: None,
        args: Vec::new(),
        protocols: vec![Protocol::Uci],
        is_anew: false,
    }
}

/// Every file below a folder with what it contains.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let tree = Tree::read(folder).unwrap();
    tree.files.iter().map(|file| (file.clone(), tree.contents(file).unwrap())).collect()
}

fn names(program: &Program) -> Vec<&str> {
    program.factors.iter().map(|factor| factor.name.as_str()).collect()
}

/// Applies a patch to a copy of the source.
fn applies(source: &Path, patch: &Path) {
    let copy = tempfile::tempdir().unwrap();
    Tree::read(source).unwrap().copy(copy.path()).unwrap();
    let mut git = Command::new("git");
    git.arg("apply").arg(patch).current_dir(copy.path()).env("GIT_CEILING_DIRECTORIES", copy.path());
    let output = git.output().unwrap();
    assert!(output.status.success(), "{}: {}", patch.display(), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_source_in_c_gets_switches_that_hold_and_edits_are_kept() {
    let Some(dir) = copied("c", &["gcc", "make", "git"]) else { return };
    let (order, mut heard) = (order(dir.path()), Vec::new());
    let before = contents(&order.source);
    let made = cut(&order, &mut |line| heard.push(line.to_owned())).unwrap();
    assert_eq!(contents(&order.source), before, "nothing is written into the source");
    assert!(heard.iter().any(|line| line.contains("make -n -w")), "{heard:?}");
    assert!(
        heard.iter().any(|line| line.starts_with("builds, in ") && line.ends_with(": make")),
        "{heard:?}"
    );
    for method in ["null-move", "reverse-futility", "lmr", "move-count", "futility"] {
        assert!(names(&made.program).contains(&method), "{method}: {:?}", names(&made.program));
    }
    applies(&order.source, &made.files.patch);
    let (proof, counted) = proven(&made.program, &mut |_| {}).unwrap();
    assert!(proof.holds() && proof.positions > 3, "{:#?}", proof.sentences());
    let changes = proof.methods.iter().filter(|held| !held.is_dead()).count();
    assert!(changes >= 5, "{:#?}", proof.sentences());
    let signed = made.program.clone().installed().unwrap().signed().unwrap().unwrap();
    assert!(signed.holds() && signed.full > 0);
    let null = counted.site.iter().find(|site| site.method == "null-move").unwrap();
    assert!(null.asked.unwrap() > null.entered.unwrap() && null.entered.unwrap() > 0, "{null:?}");

    // One method away, and a line of one's own in the subject file.
    let text = fs::read_to_string(&made.files.sites).unwrap();
    fs::write(&made.files.sites, text.replace("method = \"null-move\"", "method = \"none\"")).unwrap();
    let text = fs::read_to_string(&made.files.subject).unwrap();
    fs::write(&made.files.subject, text.replace("[subject]\n", "[subject]\nhash = 3\n")).unwrap();
    let second = cut(&order, &mut |_| {}).unwrap();
    assert!(second.is_kept && !names(&second.program).contains(&"null-move"));
    assert!(names(&second.program).contains(&"lmr"));
    assert_eq!(second.program.hash_mib, 3);
    let folders = fs::read_dir(&second.files.builds).unwrap().flatten().filter(|entry| entry.path().is_dir());
    assert_eq!(folders.count(), 2, "builds of before are removed");
    // Without the edits.
    let anew = cut(&Order { is_anew: true, ..order }, &mut |_| {}).unwrap();
    assert!(names(&anew.program).contains(&"null-move") && anew.program.hash_mib != 3);
}

#[test]
fn each_method_and_each_line_can_be_taken_out_alone() {
    let Some(dir) = copied("c", &["gcc", "make", "git"]) else { return };
    let order = order(dir.path());
    let made = cut(&order, &mut |_| {}).unwrap();
    let removals = removals(&made.program, true).unwrap();
    let find = |name: &str| removals.iter().find(|removal| removal.name == name);
    for Removal { name, patch, .. } in &removals {
        let path = dir.path().join(format!("{name}.patch"));
        fs::write(&path, patch).unwrap();
        applies(&order.source, &path);
    }
    // The removal, built, searches as the switch does.
    let patch = &find("null-move").unwrap().patch;
    let source = made.program.built_from.clone().unwrap();
    let removed = Source { patches: vec![("removed.patch".to_owned(), patch.clone())], ..source };
    let command = removed.program("removed").unwrap();
    let run = |program: Program, arm: &str| program.handful(&[arm], 5, 1).unwrap().run().unwrap();
    let built =
        Program { command, built_from: None, factors: Vec::new(), mask: None, ..made.program.clone() };
    let off = run(made.program.clone(), "full[-null-move]");
    assert_eq!(run(built, "full").nodes("full"), off.nodes("full[-null-move]"));
    // A site alone is the method where it is its only one.
    let null: Vec<&Site> = made.sites.site.iter().filter(|site| site.method == "null-move").collect();
    let by_site = by_site(&made.program, &made.sites.site);
    if let [only] = null.as_slice() {
        let arm = format!("full[-{}]", only.name);
        assert_eq!(run(by_site, &arm).nodes(&arm), off.nodes("full[-null-move]"));
    }
    assert!(texts(&made.program, &made.sites).unwrap()["src/search.c"].contains("Null move pruning"));
}

#[test]
fn a_source_in_rust_gets_switches_that_hold() {
    let Some(dir) = copied("rust", &["cargo"]) else { return };
    let order = order(dir.path());
    let before = contents(&order.source);
    let made = cut(&order, &mut |_| {}).unwrap();
    assert_eq!(contents(&order.source), before);
    for method in ["null-move", "lmr"] {
        assert!(names(&made.program).contains(&method), "{method}: {:?}", names(&made.program));
    }
    let (proof, _) = proven(&made.program, &mut |_| {}).unwrap();
    assert!(proof.holds(), "{:#?}", proof.sentences());
}

/// A makefile that complains about one line as a compiler does, once there is a switch on it.
#[test]
fn what_does_not_build_with_a_switch_is_left_out_and_named() {
    let Some(dir) = copied("c", &["gcc", "make", "awk"]) else { return };
    let order = order(dir.path());
    let makefile = order.source.join("Makefile");
    let text = fs::read_to_string(&makefile).unwrap();
    let picky = "\t@awk '/SECATEUR/ && /eval - 90/ { print \"src/search.c:\" NR \":1: error: not here\"; bad = 1 } END { exit bad }' \
                 src/search.c\n\t$(CC) $(CFLAGS) -o";
    fs::write(&makefile, text.replacen("\t$(CC) $(CFLAGS) -o", picky, 1)).unwrap();
    let made = cut(&order, &mut |_| {}).unwrap();
    assert!(
        made.without.iter().any(|(place, why)| place.starts_with("src/search.c:") && why == "not here"),
        "{:?}",
        made.without
    );
    assert!(!names(&made.program).contains(&"reverse-futility"), "{:?}", names(&made.program));
    assert!(names(&made.program).contains(&"null-move"));
    // A complaint without a place: halves are tried.
    fs::write(
        &makefile,
        fs::read_to_string(&makefile).unwrap().replace("src/search.c:\" NR \":1: error: ", ""),
    )
    .unwrap();
    let made = cut(&Order { is_anew: true, ..order }, &mut |_| {}).unwrap();
    assert!(!names(&made.program).contains(&"reverse-futility"), "{:?}", names(&made.program));
    assert!(names(&made.program).contains(&"null-move"), "{:?}", made.without);
}

#[test]
fn what_cannot_be_cut_is_refused_with_the_way_out_and_nothing_is_written_elsewhere() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let error = |order: &Order| cut(order, &mut |_| {}).unwrap_err().to_string();
    let good = order(dir.path());
    let inside = Order { subject: good.source.join("sprout.toml"), ..good.clone() };
    assert!(error(&inside).contains("would lie in the source"), "{}", error(&inside));
    let hidden = Order { subject: good.source.join("../source/out/../sprout.toml"), ..good.clone() };
    assert!(error(&hidden).contains("would lie in the source"), "{}", error(&hidden));
    let broken = Order { build: Some("false".to_owned()), ..good.clone() };
    assert!(error(&broken).contains("does not build here"), "{}", error(&broken));
    let silent = Order { build: Some("true".to_owned()), ..good.clone() };
    assert!(error(&silent).contains("left no program"), "{}", error(&silent));
    // A makefile that compiles nothing, and one that is none.
    fs::write(good.source.join("Makefile"), "all:\n\techo nothing\n").unwrap();
    assert!(error(&good).contains("expected --build with a command"), "{}", error(&good));
    fs::write(good.source.join("Makefile"), "all\n\t$(\n").unwrap();
    assert!(error(&good).contains("expected --build with a command"), "{}", error(&good));
    fs::remove_file(good.source.join("src/search.c")).unwrap();
    assert!(error(&good).contains("expected"), "{}", error(&good));
    let above: Vec<_> = fs::read_dir(dir.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(above.len(), 2, "{above:?}: nothing but the source and the output");
    // A subject file that somebody wrote.
    let subject = dir.path().join("out/own.toml");
    fs::write(&subject, "[subject]\ngame = \"chess\"\ncommand = \"./x\"\n").unwrap();
    let order = Order { subject, ..good };
    assert!(error(&order).contains("was not cut from a source"), "{}", error(&order));
}

/// A build that makes a tool too, larger than the engine, which speaks no protocol.
#[test]
fn of_several_programs_the_one_that_answers_is_taken_and_the_others_are_named() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let order = order(dir.path());
    let makefile = order.source.join("Makefile");
    let text = fs::read_to_string(&makefile).unwrap();
    let tool = "\techo 'char pad[1 << 20] = {1}; int main(void) { return pad[0] == 2; }' > pad.c\n\t$(CC) pad.c -o tuner\n";
    fs::write(&makefile, text.replacen("\t$(CC) $(CFLAGS) -o", &format!("{tool}\t$(CC) $(CFLAGS) -o"), 1))
        .unwrap();
    let mut heard = Vec::new();
    let made = cut(&order, &mut |line| heard.push(line.to_owned())).unwrap();
    assert_eq!(made.program.built_from.unwrap().binary, Path::new("sprout"));
    assert!(
        heard.iter().any(|line| line.starts_with("takes sprout,") && line.contains("makes tuner too")),
        "{heard:?}"
    );
    let named = Order { binary: Some("tuner".to_owned()), is_anew: true, ..order };
    let error = cut(&named, &mut |_| {}).unwrap_err().to_string();
    assert!(
        error.contains("found no program of the build that speaks") && error.contains("tuner\n"),
        "{error}"
    );
}

/// A tree whose links lead out of it: what they lead to is neither read nor copied nor built.
#[cfg(unix)]
#[test]
fn links_out_of_a_source_are_named_and_left_out_of_its_copies() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let order = order(dir.path());
    fs::write(dir.path().join("secret.c"), "int secret(void) { return 1; }\n").unwrap();
    std::os::unix::fs::symlink(dir.path().join("secret.c"), order.source.join("src/secret.c")).unwrap();
    std::os::unix::fs::symlink("..", order.source.join("round")).unwrap();
    let mut heard = Vec::new();
    let made = cut(&order, &mut |line| heard.push(line.to_owned())).unwrap();
    assert!(heard.iter().any(|line| line.contains("secret.c (a link out of the folder)")), "{heard:?}");
    assert!(made.sites.files.iter().all(|file| !file.contains("secret")), "{:?}", made.sites.files);
    let copies = fs::read_dir(&made.files.builds).unwrap().flatten().map(|entry| entry.path().join("source"));
    assert!(copies.filter(|copy| copy.is_dir()).all(|copy| !copy.join("src/secret.c").exists()));
}

/// What every report says of such a program: its source, its sites, and what was proved of them.
#[test]
fn a_run_says_that_its_switches_were_cut_and_what_was_proved() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let made = cut(&order(dir.path()), &mut |_| {}).unwrap();
    let run =
        |program: Program| program.handful(&["full", "full[-lmr]"], 4, 1).unwrap().run().unwrap().manifest;
    let [unproved] = run(made.program.clone()).cuts().try_into().unwrap();
    assert!(
        unproved.starts_with("sprout: its switches were cut from its source automatically (source, files "),
        "{unproved}"
    );
    assert!(unproved.contains("listed in sprout.sites.toml. Nothing was proved of them"), "{unproved}");
    proven(&made.program, &mut |_| {}).unwrap();
    let manifest = run(made.program);
    let [proved] = manifest.cuts().try_into().unwrap();
    assert!(
        proved.contains("Proof: with nothing off the program searches as its untouched source does ("),
        "{proved}"
    );
    // A lineup, where the program is one of several, says it too.
    let text = format!(
        "name = \"peers\"\npositions = \"bratko-kopec\"\nlimit = 1\nbudget-kind = \"depth\"\nbudget = 2\nrepeats = 1\n\
         hash-mib = 1\npatience-ms = 60000\n[[arm]]\nname = \"\"\nid = \"\"\nsubject = {:?}\nswitching = \"full\"\n\
         [[arm]]\nname = \"\"\nmethods = \"none\"\n",
        made.files.subject.display().to_string()
    );
    let plan = crate::lineup::planned(toml::from_str(&text).unwrap()).unwrap();
    assert_eq!(crate::manifest::of_plan("run", &plan, Vec::new(), 1).cuts(), std::slice::from_ref(&proved));
    // So does a comparison of speed, next to the program.
    let peer = made.files.subject.display().to_string();
    let asked =
        crate::speed::Asked { games: vec!["chess".to_owned()], ..crate::speed::tests::asked(&[peer]) };
    let measured = (secateur_record::speed::Measure::Depth, "chess");
    let (part, _) = crate::speed::planned(&asked, measured, dir.path()).unwrap().unwrap();
    let note = &part.contenders[1].note;
    assert!(note.contains(proved.trim_start_matches("sprout: ").trim_end_matches('.')), "{note}");
    let places = format!(" methods at {} places", made.sites.site.len());
    assert!(proved.contains(&places) && !proved.contains(&dir.path().display().to_string()), "{proved}");
}

/// Meson and cmake say which files they compile; a second copy of the search that they do not compile has no switch.
#[test]
fn a_source_is_built_by_meson_and_by_cmake() {
    let meson = "project('sprout', 'c', default_options: ['buildtype=release'])\nexecutable('sprout', 'src/board.c', 'src/search.c', \
                 'src/main.c')\n";
    let cmake = "cmake_minimum_required(VERSION 3.5)\nproject(sprout C)\nadd_executable(sprout src/board.c src/search.c src/main.c)\n";
    for (tools, file, text, asked) in [
        (&["gcc", "meson", "ninja"][..], "meson.build", meson, "meson setup build ."),
        (&["gcc", "cmake", "make"], "CMakeLists.txt", cmake, "cmake -S . -B build"),
    ] {
        let Some(dir) = copied("c", tools) else { continue };
        let order = order(dir.path());
        fs::remove_file(order.source.join("Makefile")).unwrap();
        fs::write(order.source.join(file), text).unwrap();
        fs::copy(order.source.join("src/search.c"), order.source.join("src/old_search.c")).unwrap();
        let before = contents(&order.source);
        let mut heard = Vec::new();
        let made = cut(&order, &mut |line| heard.push(line.to_owned())).unwrap();
        assert!(heard.iter().any(|line| line.contains("in a copy") && line.contains(asked)), "{heard:?}");
        assert_eq!(contents(&order.source), before, "{file}");
        assert!(names(&made.program).contains(&"null-move"), "{file}: {:?}", names(&made.program));
        let files = &made.sites.files;
        assert!(files.iter().any(|name| name == "src/search.c"), "{file}: {files:?}");
        assert!(files.iter().all(|name| name != "src/old_search.c"), "{file}: {files:?}");
        let (proof, _) = proven(&made.program, &mut |_| {}).unwrap();
        assert!(proof.holds(), "{file}: {:#?}", proof.sentences());
    }
}

/// A subject file may name sites in place of a patch: the same program, with the patch made when it is built.
#[test]
fn switches_are_cut_when_a_program_is_built() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let made = cut(&order(dir.path()), &mut |_| {}).unwrap();
    let text = fs::read_to_string(&made.files.subject).unwrap();
    let at_build = text.replace("patch = [\"sprout.patch\"]\n", "").replace("cut = ", "switches = ");
    let load = |name: &str, text: &str| {
        let path = made.files.subject.with_file_name(name);
        fs::write(&path, text).unwrap();
        Program::load(&path.display().to_string()).unwrap()
    };
    let arms: Vec<String> = names(&made.program).iter().map(|name| format!("full[-{name}]")).collect();
    let run = |program: Program| program.handful(&arms, 5, 1).unwrap().run().unwrap();
    let (patched, built) = (run(made.program.clone()), run(load("built.toml", &at_build)));
    for arm in &arms {
        assert_eq!(patched.trees(arm), built.trees(arm), "{arm}");
    }
    assert!(built.manifest.cuts()[0].contains("listed in sprout.sites.toml"), "{:?}", built.manifest.cuts());
    let program = load("built.toml", &at_build);
    assert_eq!(sites(&program).unwrap().site, sites(&made.program).unwrap().site);
    assert!(proven(&program, &mut |_| {}).unwrap().0.holds());
    assert!(removals(&program, false).unwrap().iter().any(|removal| removal.name == "null-move"));
    // A patch by hand is no switch: the switches are held to the source with it.
    let source = program.built_from.clone().unwrap();
    let patches = vec![("own.patch".to_owned(), b"text".to_vec())];
    let unpatched = Source { patches: patches.clone(), ..source }.unpatched();
    assert!(unpatched.to_cut.is_none() && unpatched.patches == patches);
    // Bits that are not those of the switches, and a site that the source has not.
    let bit = program.factors.iter().find(|factor| factor.name == "lmr").unwrap().off.bits;
    let other = at_build.replace(&format!("lmr = {{ bits = {bit} }}"), "lmr = { bits = 1024 }");
    let error = load("other.toml", &other).installed().unwrap_err().to_string();
    assert!(error.contains(&format!("lmr = {{ bits = {bit} }}")), "{error}");
    let listed = fs::read_to_string(&made.files.sites).unwrap();
    let first = listed.lines().find(|line| line.starts_with("key = ")).unwrap();
    fs::write(&made.files.sites, listed.replace(first, "key = \"src/search.c:search:0\"")).unwrap();
    let error = load("lost.toml", &at_build).installed().unwrap_err().to_string();
    assert!(
        error.contains("found no place for a switch of") && error.contains("src/search.c:search:0"),
        "{error}"
    );
}

/// Numbers that look random and are always the same (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// What is below a folder: every file, folder and link by its path, with its size and age or what it leads to.
fn below(folder: &Path) -> BTreeMap<PathBuf, String> {
    let (mut all, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = open.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let kind = path.symlink_metadata().unwrap().file_type();
            let what = if kind.is_symlink() {
                fs::read_link(&path).unwrap().display().to_string()
            } else {
                if kind.is_dir() {
                    open.push(path.clone());
                }
                let data = path.symlink_metadata().unwrap();
                format!("{} {:?}", data.len(), data.modified().unwrap())
            };
            all.insert(path, what);
        }
    }
    all
}

/// A name that a shell, a patch or a makefile could take for something else.
fn odd_name(numbers: &mut Numbers) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    let names: [&[u8]; 9] = [
        b"-rf.c",
        b"--help.c",
        b"a b.c",
        b"a\"b'.c",
        b"$(touch escaped).c",
        b"new\nline.c",
        b"\xff\xfe.c",
        b"a\\b.c",
        b"* ?.c",
    ];
    OsString::from_vec(names[numbers.below(names.len())].to_vec())
}

/// Changes one thing of a source; `outside` is a folder that it may lead to.
fn mutate(source: &Path, outside: &Path, numbers: &mut Numbers) {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let search = source.join("src/search.c");
    let text = fs::read(&search).unwrap_or_default();
    // What an earlier change forbids is left as it is.
    let allow = |path: &Path, mode| drop(fs::set_permissions(path, fs::Permissions::from_mode(mode)));
    let write = |path: &Path, bytes: &[u8]| drop(fs::write(path, bytes));
    let some = |numbers: &mut Numbers| {
        ["src/search.c", "src/board.c", "src/main.c", "src/sprout.h"][numbers.below(4)]
    };
    match numbers.below(18) {
        0 => write(&search, &text[..numbers.below(text.len())]),
        1 => {
            let (from, long) = (numbers.below(text.len()), numbers.below(600));
            let noise = text.iter().enumerate().map(|(at, byte)| match (from..from + long).contains(&at) {
                true => byte.rotate_left(3),
                false => *byte,
            });
            write(&search, &noise.collect::<Vec<u8>>());
        }
        2 => drop(fs::File::create(source.join("src/huge.c")).and_then(|file| file.set_len(8 << 20))),
        3 => {
            let nested = "#define IF(x) if (x) {\n#if A\n#if B\n".repeat(400) + &"IF((((x)\n".repeat(400);
            write(&search, &[nested.as_bytes(), &text].concat());
        }
        4 => drop(symlink(outside.join("victim.c"), source.join("src/link.c"))),
        5 => drop(symlink(outside, source.join("src/folder"))),
        6 => drop(symlink("..", source.join("src/round"))),
        7 => {
            // A file of the source that is a link out of it, to where a patch would write.
            let _ = fs::remove_file(&search);
            drop(symlink(outside.join("victim.c"), &search));
        }
        8 => allow(&source.join(some(numbers)), 0o000),
        9 => {
            let text = String::from_utf8_lossy(&text).replace('\n', "\r\n");
            write(&search, text.as_bytes());
        }
        10 => {
            let wide: Vec<u8> =
                String::from_utf8_lossy(&text).encode_utf16().flat_map(u16::to_le_bytes).collect();
            write(&search, &[&[0xff, 0xfe][..], &wide].concat());
        }
        11 => {
            let at = numbers.below(text.len());
            write(&search, &[&text[..at], &[0; 40], &text[at..]].concat());
        }
        12 => {
            let name = odd_name(numbers);
            write(&source.join("src").join(name), &text);
        }
        13 => allow(&source.join("src"), 0o555),
        14 => {
            let deep = (0..90).fold(source.to_owned(), |folder, _| folder.join("d"));
            let _ = fs::create_dir_all(&deep);
            write(&deep.join("deep.c"), &text);
        }
        15 => drop(fs::remove_file(source.join(some(numbers)))),
        16 => {
            // What the patch adds is there already, as a link out of the source.
            drop(symlink(outside.join("victim.c"), source.join("secateur_switches.h")));
        }
        _ => {
            let name = std::ffi::CString::new(source.join("src/pipe.c").display().to_string()).unwrap();
            let _ = std::process::Command::new("mkfifo").arg(name.to_str().unwrap()).status();
        }
    }
}

#[test]
fn two_hundred_mutated_trees() {
    let Some(pattern) = copied("c", &["gcc", "make", "patch", "mkfifo"]) else { return };
    let (mut cuts, mut errors) = (0, BTreeSet::new());
    for seed in 1..=200_u64 {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let dir = tempfile::tempdir().unwrap();
        let (source, outside) = (dir.path().join("source"), dir.path().join("outside"));
        Tree::read(&pattern.path().join("source")).unwrap().copy(&source).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("victim.c"), "int victim;\n").unwrap();
        for _ in 0..=numbers.below(3) {
            mutate(&source, &outside, &mut numbers);
        }
        let order =
            Order { build: (seed % 40 != 0).then(|| "touch built; false".to_owned()), ..order(dir.path()) };
        let before = below(dir.path());
        let mut is_said = false;
        let made =
            cut(&order, &mut |line| is_said |= line.contains("builds, in ") || line.contains("make -n"));
        let output = dir.path().join("out");
        let mut after = below(dir.path());
        let is_built = after.keys().any(|path| path.ends_with("built") || path.ends_with("sprout"));
        assert!(is_said || !is_built, "{seed}: built without a word");
        after.retain(|path, _| !path.starts_with(&output));
        assert_eq!(after, before, "{seed}: something outside the output has changed");
        match made {
            Ok(_) => cuts += 1,
            Err(error) => {
                let text = error.to_string();
                assert!(
                    text.contains("found") || text.contains("expected") || text.contains(": "),
                    "{seed}: {text}"
                );
                // The first words after a path, to see that trees fail for more than one reason.
                errors
                    .insert(text.split(": ").nth(1).unwrap_or_default().chars().take(24).collect::<String>());
            }
        }
        // What is removed with the folder must be writable.
        let _ = std::process::Command::new("chmod").arg("-R").arg("u+rwX").arg(&source).status();
    }
    assert!(cuts > 0, "no tree was cut: {errors:?}");
    assert!(errors.len() > 1, "{errors:?}");
}

/// What a makefile does while it is asked what it compiles is its author's affair; that it is asked is said before.
#[test]
fn a_makefile_runs_nothing_before_it_is_said() {
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let order = order(dir.path());
    let makefile = order.source.join("Makefile");
    let text = fs::read_to_string(&makefile).unwrap();
    let spy = dir.path().join("spy");
    fs::write(&makefile, format!("SPIED := $(shell touch {})\n{text}", spy.display())).unwrap();
    let mut heard = Vec::new();
    cut(&order, &mut |line| heard.push((line.to_owned(), spy.exists()))).unwrap();
    let asked = heard.iter().position(|(line, _)| line.contains("make -n -w")).unwrap();
    assert!(heard[..=asked].iter().all(|(_, spied)| !spied), "{heard:?}");
    assert!(heard[asked + 1..].iter().all(|(_, spied)| *spied), "{heard:?}");
}

/// A source in a folder that cannot be written to is cut all the same, since nothing is written there.
#[test]
fn a_source_that_is_read_only_is_cut() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(dir) = copied("c", &["gcc", "make"]) else { return };
    let order = order(dir.path());
    let allow = |mode| {
        for folder in [order.source.clone(), order.source.join("src")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    allow(0o555);
    let made = cut(&order, &mut |_| {});
    allow(0o755);
    assert!(made.unwrap().sites.site.iter().any(|site| site.method == "null-move"));
}
