//! What methods did in a search, as a program may say it line by line.
//!
//! `info string count METHOD tries N cuts N`, with `cuts_high N`, `cuts_low N` and `probes N` where they are known, in any
//! order. Every protocol may carry such lines, after `#` too, which is how comments of CECP begin. The last line of a method
//! counts; one that cannot be read counts as free text.

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

/// Takes in a line if it counts.
pub(super) fn observe(line: &str, counts: &mut Vec<Count>) {
    let Some(count) = parse(line) else { return };
    match counts.iter().position(|other| other.method == count.method) {
        Some(at) => counts[at] = count,
        None if counts.len() < MOST => counts.push(count),
        None => {}
    }
}

fn parse(line: &str) -> Option<Count> {
    let line = line.trim_start().trim_start_matches('#').trim_start();
    let mut words = line.strip_prefix("info string count ")?.split_whitespace();
    let plain = |name: &&str| name.len() <= LONGEST && name.bytes().all(|letter| letter.is_ascii_graphic());
    let method = words.next().filter(plain)?;
    let (mut tries, mut cuts, mut count) = (None, None, Count::default());
    while let Some(word) = words.next() {
        let number = Some(words.next()?.parse::<u64>().ok()?);
        match word {
            "tries" => tries = number,
            "cuts" => cuts = number,
            "cuts_high" => count.cuts_high = number,
            "cuts_low" => count.cuts_low = number,
            "probes" => count.probes = number,
            _ => return None,
        }
    }
    Some(Count { method: method.to_owned(), tries: tries?, cuts: cuts?, ..count })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_method_counts_and_what_is_malformed_does_not() {
        let mut counts = Vec::new();
        for line in [
            "info string count null-move tries 10 cuts 3",
            "info string count lmr tries 5 cuts 1 cuts_low 1",
            "# info string count null-move cuts_high 7 tries 20 cuts 7 probes 900",
            "info string count null-move tries 99",
            "info string count null-move tries x cuts 3",
            "info string count null-move tries 1 cuts -3",
            "info string count null-move tries 1 cuts 3 more 4",
            "info string count null-move tries 1 cuts",
            "info string count",
            "info string count \u{1b}[31m tries 1 cuts 3",
            "info string counting tries 1 cuts 3",
        ] {
            observe(line, &mut counts);
        }
        let null = Count {
            method: "null-move".to_owned(),
            tries: 20,
            cuts: 7,
            cuts_high: Some(7),
            cuts_low: None,
            probes: Some(900),
        };
        let lmr =
            Count { method: "lmr".to_owned(), tries: 5, cuts: 1, cuts_low: Some(1), ..Count::default() };
        assert_eq!(counts, [null, lmr]);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut counts = Vec::new();
        (0..1_000).for_each(|n| observe(&format!("info string count m{n} tries 1 cuts 1"), &mut counts));
        assert_eq!(counts.len(), MOST);
        let name = "x".repeat(LONGEST + 1);
        assert_eq!(parse(&format!("info string count {name} tries 1 cuts 1")), None);
    }
}
