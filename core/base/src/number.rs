//! Whole numbers as people write them, on the command line and in files alike: `200000`, `200_000`, `2e5`, `200k`.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// What was expected, in words.
const FORM: &str = "a whole number such as 200000, 200_000, 2e5 or 200k";

/// Reads a whole number: digits, parted by `_` or not, with an exponent or with k, M or G behind them.
///
/// # Errors
/// What was found and expected.
pub fn whole(text: &str) -> Result<i64, String> {
    let wrong = || format!("found `{}`, expected {FORM}", crate::visible::visible(text));
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (digits, zeros) = match rest.as_bytes() {
        [.., b'k' | b'K'] => (&rest[..rest.len() - 1], 3),
        [.., b'M'] => (&rest[..rest.len() - 1], 6),
        [.., b'G'] => (&rest[..rest.len() - 1], 9),
        _ => match rest.split_once(['e', 'E']) {
            Some((digits, power)) => {
                let power = power.strip_prefix('+').unwrap_or(power);
                let plain = !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit());
                (digits, power.parse::<usize>().ok().filter(|power| plain && *power <= 18).ok_or_else(wrong)?)
            }
            None => (rest, 0),
        },
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let ends = |part: &str| part.starts_with('_') || part.ends_with('_');
    if before.is_empty()
        || ends(before)
        || (digits.contains('.') && (after.is_empty() || zeros == 0))
        || ends(after)
    {
        return Err(wrong());
    }
    // What stands behind the point must be used up by the power.
    let after = after.trim_end_matches('0');
    let zeros = zeros.checked_sub(after.len()).ok_or_else(wrong)?;
    let mut number = 0_i64;
    for byte in before
        .bytes()
        .chain(after.bytes())
        .filter(|byte| *byte != b'_')
        .chain(std::iter::repeat_n(b'0', zeros))
    {
        if !byte.is_ascii_digit() {
            return Err(wrong());
        }
        let next = number.checked_mul(10).and_then(|number| number.checked_add(i64::from(byte - b'0')));
        number = next.ok_or_else(|| format!("found `{text}`, expected at most {}", i64::MAX))?;
    }
    Ok(if negative { -number } else { number })
}

/// A number with its thousands set off: 1234567 as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The word for one thing, or the one for so many.
pub fn either<'w>(n: usize, one: &'w str, more: &'w str) -> &'w str {
    if n == 1 { one } else { more }
}

/// A number with its word: `1 position`, `2 searches`, `1,000 positions`.
pub fn plural(n: usize, word: &str) -> String {
    let more = if word.ends_with("ch") { "es" } else { "s" };
    format!("{} {word}{}", grouped(n as u64), either(n, "", more))
}

/// [`whole`] for a command line: a number that the option can hold.
///
/// # Errors
/// What was found and expected.
pub fn argument<T: TryFrom<i64>>(text: &str) -> Result<T, String> {
    let number = whole(text)?;
    T::try_from(number).map_err(|_| match number < 0 {
        true => format!("found {number}, expected at least 0"),
        false => format!("found {number}, which is too large"),
    })
}

/// A whole number of a file: an integer, a float that is whole, or a text that [`whole`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole(pub i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

struct Written;

impl Visitor<'_> for Written {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole, E> {
        Ok(Whole(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole, E> {
        // Beyond 2^53 a float no longer says which number was meant.
        match number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            true => Ok(Whole(number as i64)),
            false => Err(E::custom(format!("found {number}, expected {FORM}"))),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Whole, E> {
        whole(text).map(Whole).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn thousands_are_set_off() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (11_013_030, "11,013,030")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 1_000].map(|n| plural(n, "unit")), ["0 units", "1 unit", "1,000 units"]);
        assert_eq!([1, 2].map(|n| plural(n, "search")), ["1 search", "2 searches"]);
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("0", 0),
            ("200000", 200_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1.5e6", 1_500_000),
            ("2E+3", 2_000),
            ("200k", 200_000),
            ("2M", 2_000_000),
            ("1.25G", 1_250_000_000),
            ("-3", -3),
            ("9223372036854775807", i64::MAX),
        ] {
            assert_eq!(whole(text), Ok(number), "{text}");
        }
        for text in [
            "", "-", "k", "1.5", "1.", ".5k", "1e", "1e-3", "1e99", "1.2345k", "_1", "1_", "1kk", "0x1",
            "1 0", "+1", "½",
        ] {
            assert!(whole(text).is_err_and(|error| error.contains("expected")), "{text}");
        }
        assert!(whole("1e18").is_ok() && whole("10e18").is_err() && whole("9223372036854775808").is_err());
        assert!(argument::<u32>("5G").is_err() && argument::<usize>("-1").is_err());
        assert_eq!(argument::<u32>("1k"), Ok(1000));
    }

    #[test]
    fn files_have_the_same_numbers() {
        #[derive(serde::Deserialize)]
        struct File {
            n: Whole,
        }
        let read = |text: &str| toml::from_str::<File>(&format!("n = {text}")).map(|file| file.n.0).ok();
        for (text, number) in [("1_000", 1000), ("1e6", 1_000_000), ("\"200k\"", 200_000), ("2.0", 2)] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in ["1.5", "nan", "inf", "true", "\"x\"", "1e300"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(number in any::<i64>().prop_map(|n| n.max(-i64::MAX)), text in "\\PC{0,12}") {
            prop_assert_eq!(whole(&number.to_string()), Ok(number));
            let _ = whole(&text);
        }
    }
}
