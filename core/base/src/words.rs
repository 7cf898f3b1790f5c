//! Commands as people write them on one line, and as they can paste one.

use std::path::Path;

/// The words of a line, parted by blanks but for those between quotation marks of either kind. A mark without its fellow, and
/// one within a word, is a letter.
pub fn words(line: &str) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), line.trim_start());
    while !rest.is_empty() {
        let quoted = ['"', '\''].iter().find_map(|mark| rest.strip_prefix(*mark)?.split_once(*mark));
        let (word, after) = quoted.or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, ""));
        parts.push(word.to_owned());
        rest = after.trim_start();
    }
    parts
}

/// A word of a command as a shell reads it: in quotes if it has more than plain characters.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A path as a word of a command: every path in a command that people may paste passes here. A name that begins like an
/// option gets its folder.
pub fn shell_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    shell_word(&if text.starts_with('-') { format!("./{text}") } else { text.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_meant() {
        for (word, expected) in [
            ("runs/a-1,2", "runs/a-1,2"),
            ("my games.pgn", "'my games.pgn'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("~/a", "'~/a'"),
            ("a\"b$(c)`d`\\", "'a\"b$(c)`d`\\'"),
            ("a\nb", "'a\nb'"),
        ] {
            assert_eq!(shell_word(word), expected);
        }
        assert_eq!(shell_path("runs/a-1".as_ref()), "runs/a-1");
        assert_eq!(shell_path("-o".as_ref()), "./-o");
    }

    #[test]
    fn blanks_between_marks_part_nothing() {
        assert_eq!(words(" a  'b c' \"d 'e'\" f"), ["a", "b c", "d 'e'", "f"]);
        assert_eq!(words("it's 'torn"), ["it's", "'torn"]);
        assert_eq!(words("''"), [""]);
        assert!(words(" \t").is_empty());
    }
}
