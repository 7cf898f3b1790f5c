//! What decides how many instructions a program of somebody else takes besides its source: its compiler, its C library, and
//! valgrind.
//!
//! Compilers leave their name in the section `.comment` of what they make. Where it was taken out, as Debian does, the subject
//! file may say it; if neither does, the binary stands for itself, and another one is another toolchain. Left out: the
//! processor, which decides which of its own copies of a function the C library takes.

use object::{Object, ObjectSection};
use secateur_suites::instruments::machine::hash_of_file;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the binary at `path` was compiled with: `told` if that says anything, or else what the binary says.
pub(super) fn compiler(path: &Path, told: &str) -> String {
    if !told.is_empty() {
        return told.to_owned();
    }
    let said = std::fs::read(path).ok().and_then(|bytes| comment(&bytes));
    said.unwrap_or_else(|| {
        let hash = hash_of_file(path);
        format!("binary {}", hash.get(..16).unwrap_or("unknown"))
    })
}

/// The words of `.comment`, each once, in order.
fn comment(bytes: &[u8]) -> Option<String> {
    let file = object::File::parse(bytes).ok()?;
    let section = file.section_by_name(".comment")?;
    let text = String::from_utf8_lossy(section.data().ok()?).into_owned();
    let words: BTreeSet<&str> = text.split('\0').map(str::trim).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.into_iter().collect::<Vec<_>>().join("; "))
}

/// The C library of this system: `glibc 2.36`; empty where it does not say.
pub(super) fn library() -> String {
    line(Command::new("getconf").arg("GNU_LIBC_VERSION")).unwrap_or_default()
}

/// `valgrind --version`; empty where it is not installed.
pub(super) fn tool() -> String {
    line(Command::new("valgrind").arg("--version")).unwrap_or_default()
}

fn line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_says_its_compiler_or_stands_for_itself() {
        let own = std::env::current_exe().unwrap();
        let said = compiler(&own, "");
        assert!(said.contains("rustc version") || said.starts_with("binary "), "{said}");
        assert_eq!(compiler(&own, "clang 19"), "clang 19");
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let one = compiler(&script, "");
        assert!(one.starts_with("binary ") && one.len() > 16, "{one}");
        std::fs::write(&script, "#!/bin/sh\nexit\n").unwrap();
        assert_ne!(compiler(&script, ""), one);
        assert_eq!(line(&mut Command::new("no-such-program")), None);
    }
}
