//! A patch as `git diff` writes it.

use similar::{Algorithm, TextDiff};

/// The part of a patch for one file: `before` is `None` for a new file.
pub(super) fn patch_of(path: &str, before: Option<&[u8]>, after: &[u8]) -> Vec<u8> {
    let mut patch = format!("diff --git {} {}\n", name("a/", path), name("b/", path)).into_bytes();
    let (old, new) = match before {
        Some(_) => (name("a/", path), name("b/", path)),
        None => {
            patch.extend_from_slice(b"new file mode 100644\n");
            ("/dev/null".to_owned(), name("b/", path))
        }
    };
    let difference =
        TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(before.unwrap_or_default(), after);
    let written = difference.unified_diff().context_radius(3).header(&old, &new).to_writer(&mut patch);
    debug_assert!(written.is_ok(), "a vector takes all that is written to it");
    patch
}

/// A path as git writes it: in quotes where it has what would end it.
fn name(side: &str, path: &str) -> String {
    if path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\') {
        return format!("{side}{path}");
    }
    let mut quoted = format!("\"{side}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted + "\""
}
