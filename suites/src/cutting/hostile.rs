//! Sources that misbehave: two hundred trees, each changed by chance that is the same every time, go through what the command calls.
//!
//! Most are "built" by `false`, so that they are read, cut, copied and patched without a compiler; every fortieth has its makefile.

use super::tests::{copied, order};
use super::*;
use std::ffi::OsString;
use std::fs;

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
