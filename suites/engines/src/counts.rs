//! What methods did in a search, as a program may say it line by line.
//!
//! `info string count METHOD tries N cuts N`, with `cuts_high N`, `cuts_low N` and `probes N` where they are known, in any
//! order. Every protocol may carry such lines, after `#` too, which is how comments of CECP begin. The last line of a method
//! counts. A line is one of these if one of the five names stands behind the method; then all of it must be read.

use super::number::{Fields, Unread, count as number};

/// What one method did in a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The method, in the words of the program.
    pub method: String,
    /// How often it was tried.
    pub tries: u64,
    /// How often it cut.
    pub cuts: u64,
    /// Cuts that say the value is at least beta.
    pub cuts_high: Option<u64>,
    /// Cuts that say the value is at most alpha.
    pub cuts_low: Option<u64>,
    /// Nodes of its own searches.
    pub probes: Option<u64>,
}

/// Methods that are kept apart, and letters of a name: a broken engine must not fill the memory with them.
const MOST: usize = 256;
/// See there.
const LONGEST: usize = 64;

/// What stands behind a method, each with its number.
const NAMES: [&str; 5] = ["tries", "cuts", "cuts_high", "cuts_low", "probes"];

/// Takes in a line if it counts.
///
/// # Errors
/// A line that counts and cannot be read, or one of too many methods.
pub(super) fn observe(line: &str, counts: &mut Vec<Count>) -> Result<(), Unread> {
    let Some(count) = parse(line)? else { return Ok(()) };
    match counts.iter().position(|other| other.method == count.method) {
        Some(at) => counts[at] = count,
        None if counts.len() < MOST => counts.push(count),
        None => return Err(Unread::new("count", &count.method, "at most 256 methods")),
    }
    Ok(())
}

fn parse(line: &str) -> Result<Option<Count>, Unread> {
    let line = line.trim_start().trim_start_matches('#').trim_start();
    let Some((method, rest)) = line
        .strip_prefix("info string count ")
        .and_then(|text| text.trim_start().split_once(char::is_whitespace))
    else {
        return Ok(None);
    };
    let mut fields = Fields::new(rest);
    let (mut tries, mut cuts, mut count) = (None, None, Count::default());
    let mut is_first = true;
    while let Some(name) = fields.name() {
        let Some(name) = NAMES.into_iter().find(|listed| *listed == name) else {
            // Free text that begins like a count.
            return if is_first {
                Ok(None)
            } else {
                Err(Unread::new("count", name, "tries, cuts, cuts_high, cuts_low or probes"))
            };
        };
        is_first = false;
        let value = Some(fields.read("count", number)?);
        match name {
            "tries" => tries = value,
            "cuts" => cuts = value,
            "cuts_high" => count.cuts_high = value,
            "cuts_low" => count.cuts_low = value,
            _ => count.probes = value,
        }
    }
    if method.len() > LONGEST || !method.bytes().all(|letter| letter.is_ascii_graphic()) {
        return Err(Unread::new("count", method, "the name of a method, at most 64 letters"));
    }
    let missing = || Unread::new("count", method, "its tries and its cuts");
    let (tries, cuts) = (tries.ok_or_else(missing)?, cuts.ok_or_else(missing)?);
    Ok(Some(Count { method: method.to_owned(), tries, cuts, ..count }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_method_counts_and_free_text_does_not() {
        let mut counts = Vec::new();
        for line in [
            "info string count null-move tries 10 cuts 3",
            "info string count lmr tries: 5, cuts=1 cuts_low 1",
            "# info string count null-move cuts_high 7 tries 20 cuts 7 probes 9'000",
            "info string count",
            "info string count of moves: 20",
            "info string counting tries 1 cuts 3",
        ] {
            assert_eq!(observe(line, &mut counts), Ok(()), "{line}");
        }
        let null = Count {
            method: "null-move".to_owned(),
            tries: 20,
            cuts: 7,
            cuts_high: Some(7),
            cuts_low: None,
            probes: Some(9_000),
        };
        let lmr =
            Count { method: "lmr".to_owned(), tries: 5, cuts: 1, cuts_low: Some(1), ..Count::default() };
        assert_eq!(counts, [null, lmr]);
    }

    #[test]
    fn a_count_that_cannot_be_read_is_no_free_text() {
        for (line, message) in [
            ("info string count null-move tries 99", "found `null-move`, expected its tries and its cuts"),
            ("info string count null-move tries x cuts 3", "found `x`"),
            ("info string count null-move tries 1 cuts -3", "found `-3`"),
            ("info string count null-move tries 1.5k cuts 3", "found `1.5k`"),
            ("info string count null-move tries 1 cuts 3 more 4", "found `more`"),
            ("info string count null-move tries 1 cuts", "found nothing"),
            ("info string count \u{1b}[31m tries 1 cuts 3", "expected the name of a method"),
        ] {
            let error = observe(line, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut counts = Vec::new();
        let mut observe = |n| observe(&format!("info string count m{n} tries 1 cuts 1"), &mut counts);
        assert_eq!((0..1_000).filter(|n| observe(*n).is_err()).count(), 1_000 - MOST);
        let name = "x".repeat(LONGEST + 1);
        assert!(parse(&format!("info string count {name} tries 1 cuts 1")).is_err());
    }
}
