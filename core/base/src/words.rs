//! Commands as people write them on one line.

/// The words of a line, parted by blanks but for those between quotation marks of either kind. A mark without its fellow, and
/// one within a word, is a letter.
#[must_use]
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while !rest.is_empty() {
        let quoted = ['"', '\''].iter().find_map(|mark| rest.strip_prefix(*mark)?.split_once(*mark));
        let (word, after) = quoted.or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, ""));
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn blanks_between_marks_part_nothing() {
        assert_eq!(words(" a  'b c' \"d 'e'\" f"), ["a", "b c", "d 'e'", "f"]);
        assert_eq!(words("it's 'torn"), ["it's", "'torn"]);
        assert_eq!(words("''"), [""]);
        assert!(words(" \t").is_empty());
    }
}
