//! The one reader of numbers that other programs print, whatever their protocol.
//!
//! A count goes into ratios, where a misread digit is a wrong result that is not seen. So a number is read if only one number can
//! be meant, and otherwise it is [`Unread`]: an error of that search. No later line makes up for it, because the number that
//! is missing may be the last word on an iteration.
//!
//! Read are, before anything else is looked at, [`plain`] lines: without colours, with hard blanks as marks of groups. Then:
//!
//! - a sign: `+`, `-`, `−`;
//! - groups of three digits with one kind of mark: `2,560`, `2_560`, `2'560`, `2’560`, `2.560.000`, and, where a field has one
//!   value by its protocol, `2 560`;
//! - signs of punctuation around it: `2560,`, `(2560)`, `[2560]`, `"2560"`, `2560;`, `2560.`; and between a field and its value:
//!   `nodes: 2560`, `nodes=2560`;
//! - zeros behind the point of a whole number: `2560.0`.
//!
//! Not read are: a fraction of something that comes in wholes (`2560.5`); `2.560` for a whole number and `2,560` for one with a
//! fraction, which could be either; a rounded number (`2.5k`, `12M`, `2.56e+06`, `~2560`); a unit or a share (`12ms`,
//! `12%`); other bases, infinities and no number at all; a count below 0, or one that 64 bits cannot hold.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::time::Duration;

/// A number that a program printed and that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: found {}, expected {expected}", quoted(text))]
pub struct Unread {
    /// The line and the field of it: `info nodes`.
    pub field: &'static str,
    /// What stands there.
    pub text: String,
    /// What should.
    pub expected: &'static str,
}

impl Unread {
    /// For a field with this text.
    pub(super) fn new(field: &'static str, text: &str, expected: &'static str) -> Unread {
        Unread { field, text: shown(text), expected }
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { format!("`{text}`") }
}

/// What a count should look like.
const COUNT: &str = "a whole number such as 2560 or 2,560, not rounded";
/// What a whole number with a sign should look like.
const SIGNED: &str = "a whole number such as -13";
/// What a number with a fraction should look like.
const DECIMAL: &str = "a number such as -0.13";

/// Marks between groups of digits besides the point.
const MARKS: [char; 5] = [',', '_', '\'', '\u{2019}', ' '];
/// Blanks that stand between digits of one number: programs print them by the language of the system.
const HARD_BLANKS: [char; 4] = ['\u{a0}', '\u{2007}', '\u{2009}', '\u{202f}'];

/// A line without the codes of a terminal, and with `'` in place of a hard blank between two digits.
pub fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') && line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let letters: Vec<char> = anstream::adapter::strip_str(line).to_string().chars().collect();
    let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mark = |(at, letter): (usize, &char)| match letter {
        blank if HARD_BLANKS.contains(blank) && at > 0 && is_digit(at - 1) && is_digit(at + 1) => '\'',
        other => *other,
    };
    Cow::Owned(letters.iter().enumerate().map(mark).collect())
}

/// Text of an engine as a message may show it: short, and without control characters.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let clean: String = text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    if clean.len() < text.len() && text.chars().count() > LONGEST { clean + "..." } else { clean }
}

/// A count: a whole number, 0 or more.
///
/// # Errors
/// What was expected, in words.
pub fn count(text: &str) -> Result<u64, &'static str> {
    integer(text).and_then(|value| u64::try_from(value).ok()).ok_or(COUNT)
}

/// A whole number with a sign or without, as large as a value can be; a larger one is brought to that.
pub(super) fn signed(text: &str) -> Result<i64, &'static str> {
    let limited = |value: i128| i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX });
    integer(text).map(limited).ok_or(SIGNED)
}

/// A number with a fraction, if it has one.
pub(super) fn decimal(text: &str) -> Result<f64, &'static str> {
    let number = parts(text).filter(|number| !(number.could_be_grouped && number.mark == Some(',')));
    number.and_then(|number| number.value()).ok_or(DECIMAL)
}

/// The number of a field, by a reader of such.
pub(super) fn read<T>(
    field: &'static str,
    text: &str,
    reader: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<T, Unread> {
    reader(text).map_err(|expected| Unread::new(field, text, expected))
}

/// Whether somebody who wrote this may have meant a number, read or not.
pub(super) fn is_like_one(text: &str) -> bool {
    let text = text.trim_start_matches(OPENING).trim_start_matches(SIGNS);
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

fn integer(text: &str) -> Option<i128> {
    let number = parts(text)?;
    let digits = match (number.could_be_grouped, number.mark) {
        (true, Some('.')) => return None,
        (true, _) => number.whole + number.fraction,
        (false, _) if number.fraction.bytes().all(|digit| digit == b'0') => number.whole,
        (false, _) => return None,
    };
    let value: i128 = digits.parse().ok()?;
    Some(if number.is_negative { -value } else { value })
}

/// A number taken apart.
struct Parts<'a> {
    is_negative: bool,
    /// Digits before the fraction, without marks.
    whole: String,
    /// Digits of the fraction.
    fraction: &'a str,
    /// What stands before the fraction.
    mark: Option<char>,
    /// Whether the fraction could be a group of three digits as well.
    could_be_grouped: bool,
}

impl Parts<'_> {
    fn value(&self) -> Option<f64> {
        let value: f64 = format!("{}.{}0", self.whole, self.fraction).parse().ok()?;
        Some(if self.is_negative { -value } else { value })
    }
}

/// Signs of punctuation that may stand before a number and behind it.
const OPENING: [char; 8] = ['(', '[', '{', '"', '\'', '`', '=', ':'];
/// See there.
const CLOSING: [char; 10] = [')', ']', '}', '"', '\'', '`', ',', ';', ':', '.'];
/// Signs of a number.
const SIGNS: [char; 3] = ['+', '-', '\u{2212}'];

fn parts(text: &str) -> Option<Parts<'_>> {
    let text = text.trim().trim_start_matches(OPENING).trim_end_matches(CLOSING);
    let unsigned = text.strip_prefix(SIGNS);
    let is_negative = unsigned.is_some() && !text.starts_with('+');
    let text = unsigned.unwrap_or(text);
    let groups: Vec<&str> = text.split(|letter: char| !letter.is_ascii_digit()).collect();
    let marks: Vec<char> = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let is_grouped = |groups: &[&str]| match groups {
        [first, rest @ ..] => {
            (1..=3).contains(&first.len())
                && !first.starts_with('0')
                && rest.iter().all(|group| group.len() == 3)
        }
        [] => false,
    };
    let same = |marks: &[char]| marks.windows(2).all(|two| two[0] == two[1]);
    let is_mark = |mark: &char| *mark == '.' || MARKS.contains(mark);
    if groups.iter().any(|group| group.is_empty()) || !marks.iter().all(is_mark) {
        return None;
    }
    let number = |whole: &[&str], fraction, mark, could_be_grouped| {
        Some(Parts { is_negative, whole: whole.concat(), fraction, mark, could_be_grouped })
    };
    match (marks.as_slice(), groups.as_slice()) {
        ([], digits) => number(digits, "", None, false),
        ([mark @ ('.' | ',')], [whole, fraction]) => {
            number(&[whole], fraction, Some(*mark), is_grouped(&groups))
        }
        (marks, groups) if same(marks) && is_grouped(groups) => number(groups, "", None, false),
        ([marks @ .., last @ ('.' | ',')], [groups @ .., fraction])
            if same(marks) && !marks.contains(last) && is_grouped(groups) =>
        {
            number(groups, fraction, Some(*last), false)
        }
        _ => None,
    }
}

/// The words of a line that names its fields, each with a value behind its name, in any order.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    tokens: Peekable<SplitWhitespace<'a>>,
    /// The value that stands in one word with its field.
    attached: Option<&'a str>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(line: &'a str) -> Fields<'a> {
        Fields { tokens: line.split_whitespace().peekable(), attached: None }
    }

    /// The next word as the name of a field: `nodes` of `nodes`, `nodes:` and `nodes=2560`.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        let word = self.tokens.next()?;
        let (name, value) = word.split_once([':', '=']).unwrap_or((word, ""));
        self.attached = Some(value).filter(|value| !value.is_empty());
        Some(name.trim_end_matches([',', ';']))
    }

    /// The next word, which is left where it is; empty at the end of the line.
    pub(super) fn peek(&mut self) -> &'a str {
        self.attached.or_else(|| self.tokens.peek().copied()).unwrap_or_default()
    }

    /// The text of a value: one word, with whatever groups of digits stand behind it.
    fn text(&mut self) -> Cow<'a, str> {
        let Some(first) = self.attached.take().or_else(|| self.tokens.next()) else {
            return Cow::Borrowed("");
        };
        let mut text = Cow::Borrowed(first);
        while let Some(group) = self.tokens.next_if(|word| is_like_one(first) && is_group(word)) {
            text.to_mut().push(' ');
            text.to_mut().push_str(group);
        }
        text
    }

    /// The value of a field as this reader reads it.
    pub(super) fn read<T>(
        &mut self,
        field: &'static str,
        reader: impl Fn(&str) -> Result<T, &'static str>,
    ) -> Result<T, Unread> {
        read(field, &self.text(), reader)
    }

    /// The same of a field that may have been read `before` in this line: two values of one field are none.
    pub(super) fn once<T: PartialEq>(
        &mut self,
        field: &'static str,
        before: Option<T>,
        reader: impl Fn(&str) -> Result<T, &'static str>,
    ) -> Result<T, Unread> {
        let text = self.text();
        let value = read(field, &text, reader)?;
        match before {
            Some(before) if before != value => {
                Err(Unread::new(field, &text, "one value in a line, not a second"))
            }
            _ => Ok(value),
        }
    }

    /// All words up to the first that is no move: that one is the name of the next field.
    pub(super) fn moves(&mut self, mv: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let mut moves: Vec<String> = self.attached.take().and_then(&mv).into_iter().collect();
        moves.extend(std::iter::from_fn(|| {
            let mv = mv(self.tokens.peek()?)?;
            self.tokens.next();
            Some(mv)
        }));
        moves
    }
}

/// Whether a word is digits and signs behind them only: what may go on with the number before it, rightly or not.
fn is_group(word: &str) -> bool {
    let digits = word.trim_end_matches(CLOSING);
    !digits.is_empty() && digits.bytes().all(|letter| letter.is_ascii_digit())
}

/// Whether two columns next to each other may be two groups of one number, with a blank between them.
pub fn may_be_one(first: &str, second: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    digits(first) && digits(second) && (1..=3).contains(&first.len()) && second.len() == 3
}

/// Milliseconds as a time.
pub(super) fn milliseconds(text: &str) -> Result<Duration, &'static str> {
    count(text).map(Duration::from_millis)
}

/// A count as a depth: larger ones than can be held are as impossible as the largest.
pub(super) fn depth(text: &str) -> Result<u32, &'static str> {
    count(text).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_read_in_every_form_that_means_one_number() {
        for text in [
            "2560",
            "+2560",
            "2,560",
            "2_560",
            "2'560",
            "2\u{2019}560",
            "2 560",
            "2560.0",
            "2560.000",
            "2560,",
            "(2560)",
            "[2,560]",
            "\"2560\"",
            "2560;",
            "2560.",
            "=2560",
            ":2560",
            "002560",
            " 2560 ",
        ] {
            assert_eq!(count(text), Ok(2560), "{text}");
        }
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("2.560.000", 2_560_000),
            ("12,345,678", 12_345_678),
            ("12 345 678,", 12_345_678),
            ("1.234,00", 1234),
            ("1,234.0", 1234),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_may_mean_two_numbers_or_none_is_not_read() {
        for text in [
            "",
            "-",
            "x",
            ",",
            ".",
            "2.560",
            "256.000",
            "2560.5",
            "2,5",
            "2,56",
            "2,5600",
            "0,560",
            "25,60,000",
            "2,560'000",
            "2,560 000",
            "12 34",
            "1234 567",
            "2..560",
            "2,,560",
            "2.5k",
            "2k",
            "12M",
            "2.56e+06",
            "1e6",
            "~2560",
            ">2560",
            "12%",
            "12ms",
            "2560n",
            "0x9c4",
            "inf",
            "nan",
            "-1",
            "--1",
            "18446744073709551616",
            "\u{b2}",
            "\u{0664}",
            "2560\u{1b}[0m",
            "1/2",
        ] {
            assert_eq!(count(text), Err(COUNT), "{text}");
        }
        assert!(
            signed("13.5").is_err()
                && signed("cp").is_err()
                && decimal("nan").is_err()
                && decimal("inf").is_err()
        );
    }

    #[test]
    fn values_have_signs_and_fractions_where_their_fields_have_them() {
        assert_eq!((signed("-13"), signed("\u{2212}1,300"), signed("+0")), (Ok(-13), Ok(-1300), Ok(0)));
        assert_eq!(signed(&"9".repeat(30)), Ok(i64::MAX));
        for (text, value) in [
            ("-0.07", -0.07),
            ("+12", 12.0),
            ("-01", -1.0),
            ("0,25", 0.25),
            ("00,120", 0.12),
            ("1.234", 1.234),
            ("1'234.5", 1234.5),
        ] {
            assert_eq!(decimal(text), Ok(value), "{text}");
        }
        assert!(decimal("1,234").is_err() && decimal("1.2.3").is_err());
    }

    #[test]
    fn colours_and_hard_blanks_are_no_part_of_a_number() {
        let line = "\u{1b}[1;32minfo\u{1b}[0m nodes 2\u{202f}560 time\u{a0}7";
        assert_eq!(plain(line), "info nodes 2'560 time\u{a0}7");
        assert!(matches!(plain("info nodes 2560"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_field_has_one_value_and_the_next_word_is_the_next_field() {
        let mut fields = Fields::new("nodes: 2 560 time=7, pv e2e4 d7d5 score");
        assert_eq!((fields.name(), fields.read("nodes", count)), (Some("nodes"), Ok(2560)));
        assert_eq!((fields.name(), fields.read("time", count)), (Some("time"), Ok(7)));
        assert_eq!(fields.name(), Some("pv"));
        assert_eq!(fields.moves(crate::observed::move_text), ["e2e4", "d7d5"]);
        assert_eq!(fields.name(), Some("score"));
        assert_eq!(
            fields.read("info cp", count).unwrap_err().to_string(),
            format!("info cp: found nothing, expected {COUNT}")
        );
        let error = Fields::new("12 34").read("info nodes", count).unwrap_err();
        assert_eq!(error.to_string(), format!("info nodes: found `12 34`, expected {COUNT}"));
    }
}
