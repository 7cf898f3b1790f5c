//! Numbers for people. The only place where digits are dropped.

use crate::interval::Interval;
use secateur_record::record::BudgetKind;

/// 1234567 as `1,234,567`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean of counts, rounded.
#[must_use]
pub fn rounded(x: f64) -> String {
    if x.is_finite() { count(x.round().max(0.0) as u64) } else { "-".to_owned() }
}

/// A ratio to three significant digits at most: `0.85`, `6.66`, `12.4`.
#[must_use]
pub fn ratio(x: f64) -> String {
    match x {
        x if !x.is_finite() => "-".to_owned(),
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

/// A number with its interval, each formatted by `each`: `6.66 [6.1, 7.2]`; the number alone where it has no interval.
#[must_use]
pub fn within(interval: &Interval, each: impl Fn(f64) -> String) -> String {
    let estimate = each(interval.estimate);
    if interval.has_ends() {
        format!("{estimate} [{}, {}]", each(interval.low), each(interval.high))
    } else {
        estimate
    }
}

/// A ratio with its interval: `6.66 [6.1, 7.2]`.
#[must_use]
pub fn ratio_within(interval: &Interval) -> String {
    within(interval, ratio)
}

/// A difference with its interval and its sign: `+1.78 [+1.70, +1.87]`.
#[must_use]
pub fn signed_within(interval: &Interval) -> String {
    // Adding 0 makes a rounded -0 a plain one.
    within(interval, |x| {
        if x.is_finite() { format!("{:+.2}", (100.0 * x).round() / 100.0 + 0.0) } else { "-".to_owned() }
    })
}

/// A share in percent with its interval: `84 % [71, 92]`; `-` if there is no trial.
#[must_use]
pub fn share_within(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |i| format!("{:.0} % [{:.0}, {:.0}]", 100.0 * i.estimate, 100.0 * i.low, 100.0 * i.high),
    )
}

/// A share in percent: `4.2 %`.
#[must_use]
pub fn share(x: f64) -> String {
    if x.is_finite() { format!("{:.1} %", 100.0 * x) } else { "-".to_owned() }
}

/// Two decimals, or `-`.
#[must_use]
pub fn fixed(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"))
}

/// Nanoseconds of a time budget: `50 ms`, `1.5 s`.
#[must_use]
pub fn duration(ns: u64) -> String {
    if ns < 1_000_000_000 { format!("{} ms", ns as f64 / 1e6) } else { format!("{} s", ns as f64 / 1e9) }
}

/// A budget of the record: `depth 8`, `2,000,000 nodes`, `50 ms a position`.
#[must_use]
pub fn budget(kind: BudgetKind, amount: u64) -> String {
    match kind {
        BudgetKind::Depth => format!("depth {amount}"),
        BudgetKind::Nodes => format!("{} nodes", count(amount)),
        BudgetKind::Time => format!("{} a position", duration(amount)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_off() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(11_013_030), "11,013,030");
    }

    #[test]
    fn ratios_keep_three_digits() {
        assert_eq!([ratio(0.853), ratio(6.664), ratio(12.36), ratio(123.4)], ["0.85", "6.66", "12.4", "123"]);
        assert_eq!(ratio(f64::NAN), "-");
    }
}
