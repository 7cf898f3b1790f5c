//! Numbers for people. The only place where digits are dropped.

pub use secateur_base::number::{either, plural};
pub use secateur_stats::labels::{budget, count, duration};

use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::metrics::AgainstBaseline;

/// A mean of counts, rounded.
pub fn rounded(x: f64) -> String {
    if x.is_finite() { count(x.round().max(0.0) as u64) } else { "-".to_owned() }
}

/// A ratio to three significant digits at most: `0.85`, `6.66`, `12.4`.
pub fn ratio(x: f64) -> String {
    match x {
        x if !x.is_finite() => "-".to_owned(),
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

/// A number with its interval, each formatted by `each`: `6.66 [6.1, 7.2]`; the number alone where it has no interval.
pub fn within(interval: &Interval, each: impl Fn(f64) -> String) -> String {
    let estimate = each(interval.estimate);
    if interval.has_ends() {
        format!("{estimate} [{}, {}]", each(interval.low), each(interval.high))
    } else {
        estimate
    }
}

/// How far values are apart, in the game's unit, with the number of positions left out because one of two values is proven.
pub fn distance(group: &Group<'_>, compared: &AgainstBaseline) -> String {
    let apart = within(&group.in_units(&compared.value_difference), |x| fixed(Some(x)));
    match compared.proven {
        0 => apart,
        proven => format!("{apart} ({proven} proven)"),
    }
}

/// A heading of values: `|dv|, discs`.
pub fn in_units(heading: &str, group: &Group<'_>) -> String {
    format!("{heading}, {}", units(group))
}

/// What values of a game are read in: `discs`, `pawns`, `men`.
pub fn units(group: &Group<'_>) -> String {
    group.traits.units()
}

/// A ratio with its interval: `6.66 [6.1, 7.2]`.
pub fn ratio_within(interval: &Interval) -> String {
    within(interval, ratio)
}

/// A difference with its interval and its sign: `+1.78 [+1.70, +1.87]`.
pub fn signed_within(interval: &Interval) -> String {
    // Adding 0 makes a rounded -0 a plain one.
    within(interval, |x| {
        if x.is_finite() { format!("{:+.2}", (100.0 * x).round() / 100.0 + 0.0) } else { "-".to_owned() }
    })
}

/// A share in percent with its interval: `84 % [71, 92]`; `-` if there is no trial.
pub fn share_within(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |i| format!("{:.0} % [{:.0}, {:.0}]", 100.0 * i.estimate, 100.0 * i.low, 100.0 * i.high),
    )
}

/// A share in percent: `4.2 %`.
pub fn share(x: f64) -> String {
    if x.is_finite() { format!("{:.1} %", 100.0 * x) } else { "-".to_owned() }
}

/// Two decimals, or `-`.
pub fn fixed(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"))
}

/// A number with as many decimals as the files of studies keep: four.
pub fn to_four(x: f64) -> f64 {
    (1e4 * x).round() / 1e4
}

/// The same of those numbers that there are.
pub fn keep_four<const N: usize>(numbers: [&mut Option<f64>; N]) {
    numbers.into_iter().flatten().for_each(|x| *x = to_four(*x));
}

/// The cell, or `-` where there is none.
pub fn or_dash(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| "-".to_owned())
}

/// The cell where it says something, else `-`.
pub fn only_if(says_something: bool, cell: impl FnOnce() -> String) -> String {
    or_dash(says_something.then(cell))
}

/// A p-value for people: `0.034`, `<0.001`, `-` where there is none.
pub fn p_words(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        Some(p) if p.is_finite() => format!("{p:.3}"),
        _ => "-".to_owned(),
    }
}

/// `2.38x [2.00, 2.85]`; the number alone where it has no interval, `-` where there is none.
pub(crate) fn times(i: &Interval) -> String {
    match i.estimate.is_finite() {
        false => "-".to_owned(),
        true if i.has_ends() => format!("{}x [{}, {}]", ratio(i.estimate), ratio(i.low), ratio(i.high)),
        true => format!("{}x", ratio(i.estimate)),
    }
}

/// A sentence in lines of at most `width` characters, those after the first set in by `indent`. A word is never broken, and
/// neither is what stands in brackets; a set of methods that is wider than a line is, at its `+`.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let room = width.saturating_sub(indent);
    for word in unbroken(text).into_iter().flat_map(|word| pieces(word, room)) {
        let line = lines.last_mut().expect("never empty");
        if line.is_empty() {
            line.push_str(&word);
        } else if chars(line) + 1 + chars(&word) > width {
            lines.push(format!("{}{word}", " ".repeat(indent)));
        } else {
            line.push(' ');
            line.push_str(&word);
        }
    }
    lines
}

/// A word, or its pieces of at most `room` characters where its `+` allow it.
fn pieces(word: String, room: usize) -> Vec<String> {
    if chars(&word) <= room {
        return vec![word];
    }
    let mut all = vec![String::new()];
    for part in word.split_inclusive('+') {
        match all.last_mut() {
            Some(last) if last.is_empty() || chars(last) + chars(part) <= room => last.push_str(part),
            _ => all.push(part.to_owned()),
        }
    }
    all
}

/// Words; an interval is one, and so is a number with its percent sign.
fn unbroken(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match pieces.last_mut() {
            Some(last) if open(last) || word.starts_with('%') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Whether a bracket of an interval is still open.
fn open(word: &str) -> bool {
    word.matches('[').count() > word.matches(']').count() && word.len() < 40
}

/// A title as an anchor: letters and digits, the rest `-`.
pub(crate) fn anchor(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

pub(crate) fn chars(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_keep_three_digits() {
        assert_eq!([ratio(0.853), ratio(6.664), ratio(12.36), ratio(123.4)], ["0.85", "6.66", "12.4", "123"]);
        assert_eq!(ratio(f64::NAN), "-");
    }
}
