//! What may stand behind a mark: numbers of the record, arithmetic from left to right, comparisons, and a format.
//!
//! `A / B - 1 as +.1 %` is a number; `A < B and A low > 1` a statement. An operand is a number, or the name of a source with
//! a colon and the words of one of its facts; `low` and `high` after the words are the ends of its interval. All operators
//! stand between blanks. Formats: a sign (`+`), decimals (`.2`), `%`, `count` (thousands set off), `within` (with the
//! interval), `number` (three digits, where a table printed more). Without a format a fact of a table is as it was printed.
//!
//! No statement about two arms of a run can rest on the ends of their intervals: both arms searched the same positions, so the
//! intervals say nothing about the difference. What does is a test of `docs/tests.toml`, which is a source like any other. And
//! nothing at all is said by two intervals that overlap.

use crate::prose::facts::Facts;
use secateur_reports::format::{count, ratio};
use std::collections::BTreeSet;

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// A number, in words.
    Text(String),
    /// Whether a statement is true, and the numbers it was judged by.
    Truth(bool, String),
}

/// A number with what is known about it.
#[derive(Clone, Debug, PartialEq)]
struct Value {
    number: f64,
    within: Option<(f64, f64)>,
    printed: Option<String>,
    /// The facts that it is made of.
    from: Vec<Named>,
}

/// A fact that an expression names.
#[derive(Clone, Debug, PartialEq)]
struct Named {
    source: String,
    names: Vec<String>,
    what: String,
    stage: Option<String>,
    /// `low` or `high`, where an end of its interval is meant.
    end: Option<&'static str>,
}

impl Named {
    /// Whether two facts are about the same arm under the same budget, whatever was measured.
    fn is_about(&self, other: &Named) -> bool {
        let subject = |named: &Named| -> BTreeSet<String> {
            named.names.iter().filter(|word| **word != named.what).cloned().collect()
        };
        self.source == other.source && subject(self) == subject(other)
    }
}

const COMPARISONS: [&str; 4] = ["<", ">", "<=", ">="];
const OPERATORS: [&str; 4] = ["+", "-", "*", "/"];

/// The sources that an expression names.
pub fn sources(text: &str) -> BTreeSet<String> {
    text.split_whitespace().filter_map(|word| word.strip_suffix(':').map(str::to_owned)).collect()
}

/// What the text of a mark says.
///
/// # Errors
/// What cannot be read, a fact that is not there or not the only one, a number that is none.
pub fn evaluate(text: &str, facts: &Facts) -> Result<Found, String> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let wrong = |message: String| format!("`{}`: {message}", tokens.join(" "));
    if tokens.iter().any(|word| COMPARISONS.contains(word)) {
        let mut why = Vec::new();
        let mut truth = true;
        for part in tokens.split(|word| *word == "and") {
            let (holds, judged) = compared(part, facts).map_err(wrong)?;
            truth &= holds;
            why.push(judged);
        }
        return Ok(Found::Truth(truth, why.join(", ")));
    }
    measured(text, facts).map(|measured| Found::Text(measured.written))
}

/// A number with its 95 % interval, if it has one, and both as the format of the expression writes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The number.
    pub number: f64,
    /// Its interval.
    pub within: Option<(f64, f64)>,
    /// In words.
    pub written: String,
}

/// The number that an expression says.
///
/// # Errors
/// As of [`evaluate`]; a comparison.
pub fn measured(text: &str, facts: &Facts) -> Result<Measured, String> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let wrong = |message: String| format!("`{}`: {message}", tokens.join(" "));
    let at = tokens.iter().position(|word| *word == "as").unwrap_or(tokens.len());
    let value = number(&tokens[..at], facts).map_err(wrong)?;
    let written = written(&value, tokens.get(at + 1..).unwrap_or_default()).map_err(wrong)?;
    Ok(Measured { number: value.number, within: value.within, written })
}

fn compared(tokens: &[&str], facts: &Facts) -> Result<(bool, String), String> {
    let at = tokens.iter().position(|word| COMPARISONS.contains(word)).ok_or("expected a comparison")?;
    let (left, right) = (number(&tokens[..at], facts)?, number(&tokens[at + 1..], facts)?);
    refuse_unpaired(&left.from, tokens[at], &right.from, facts)?;
    let (left, right) = (left.number, right.number);
    let holds = match tokens[at] {
        "<" => left < right,
        ">" => left > right,
        "<=" => left <= right,
        _ => left >= right,
    };
    Ok((holds, format!("{left:.4} {} {right:.4}", tokens[at])))
}

/// Ends of intervals may be held against a constant, or against those of other positions; never against another arm of the same
/// run, and never to say that two intervals overlap.
fn refuse_unpaired(left: &[Named], sign: &str, right: &[Named], facts: &Facts) -> Result<(), String> {
    // Where this end of the left, or that of the right, is what the statement is made with, it says that intervals overlap.
    let (of_left, of_right) = if sign.starts_with('<') { ("low", "high") } else { ("high", "low") };
    for (one, other) in left.iter().flat_map(|one| right.iter().map(move |other| (one, other))) {
        let other_positions = one.stage != other.stage && one.stage.is_some() && other.stage.is_some();
        let apart = one.source != other.source || !facts.is_run(&one.source) || other_positions;
        let ends = one.end.is_some() || other.end.is_some();
        let overlap = one.end == Some(of_left) || other.end == Some(of_right);
        if ends && !apart && !one.is_about(other) {
            return Err(format!(
                "intervals of two arms of `{}`, which searched the same positions, say nothing about their difference: name a paired \
                 test in docs/tests.toml",
                one.source
            ));
        }
        if overlap && !one.is_about(other) {
            return Err("intervals that overlap show nothing, neither a difference nor that there is none: name a test in \
                        docs/tests.toml"
                .to_owned());
        }
    }
    Ok(())
}

/// Arithmetic from left to right; the interval and the printed form of an operand that stands alone.
fn number(tokens: &[&str], facts: &Facts) -> Result<Value, String> {
    let mut operands = tokens.split(|word| OPERATORS.contains(word));
    let mut value = operand(operands.next().unwrap_or_default(), facts)?;
    let operators = tokens.iter().filter(|word| OPERATORS.contains(word));
    for (operator, tokens) in operators.zip(operands) {
        let Value { number: other, from, .. } = operand(tokens, facts)?;
        value.from.extend(from);
        value.number = match *operator {
            "+" => value.number + other,
            "-" => value.number - other,
            "*" => value.number * other,
            _ => value.number / other,
        };
        (value.within, value.printed) = (None, None);
    }
    if value.number.is_finite() { Ok(value) } else { Err("no number comes out".to_owned()) }
}

fn operand(tokens: &[&str], facts: &Facts) -> Result<Value, String> {
    match tokens {
        [] => Err("expected a number or `SOURCE: words`".to_owned()),
        [one] if one.parse::<f64>().is_ok() => {
            let number = one.parse().unwrap_or(f64::NAN);
            Ok(Value { number, within: None, printed: None, from: Vec::new() })
        }
        [source, tokens @ ..] => {
            let source =
                source.strip_suffix(':').ok_or_else(|| format!("`{source}`: expected `SOURCE: words`"))?;
            let (end, tokens) = match tokens {
                [tokens @ .., end @ ("low" | "high")] => (Some(*end), tokens),
                _ => (None, tokens),
            };
            let fact = facts.find(source, tokens)?;
            let number = fact.number.ok_or_else(|| format!("`{}` holds no number", tokens.join(" ")))?;
            let ends = || fact.within.ok_or_else(|| format!("`{}` has no interval", tokens.join(" ")));
            let named = |end| {
                let (names, stage) = (fact.names.clone(), fact.stage.clone());
                vec![Named { source: source.to_owned(), names, what: fact.what.clone(), stage, end }]
            };
            let bare = |number, end| Value { number, within: None, printed: None, from: named(end) };
            Ok(match end {
                Some("low") => bare(ends()?.0, Some("low")),
                Some(_) => bare(ends()?.1, Some("high")),
                None => Value { within: fact.within, printed: fact.printed.clone(), ..bare(number, None) },
            })
        }
    }
}

/// A value in a format.
fn written(value: &Value, format: &[&str]) -> Result<String, String> {
    let (mut sign, mut decimals, mut percent, mut thousands, mut within) = (false, None, false, false, false);
    for word in format {
        let unsigned = word.strip_prefix('+').unwrap_or(word);
        sign |= unsigned.len() < word.len();
        match unsigned {
            "" | "number" => {}
            "%" => percent = true,
            "count" => thousands = true,
            "within" => within = true,
            other => {
                let digits = other.strip_prefix('.').and_then(|digits| digits.parse::<usize>().ok());
                decimals = Some(digits.ok_or_else(|| format!("unknown format `{word}`"))?);
            }
        }
    }
    if let (Some(printed), []) = (&value.printed, format) {
        return Ok(printed.clone());
    }
    let one = |x: f64| {
        let plus = if sign && x >= 0.0 { "+" } else { "" };
        let x = if percent { 100.0 * x } else { x };
        let digits = match decimals {
            Some(decimals) => format!("{x:.decimals$}"),
            None if percent => format!("{x:.0}"),
            None if thousands => count(x.round().max(0.0) as u64),
            None if x < 0.0 => format!("-{}", ratio(-x)),
            None => ratio(x),
        };
        format!("{plus}{digits}")
    };
    let unit = if percent { " %" } else { "" };
    let ends = match (within, value.within) {
        (false, _) => String::new(),
        (true, Some((low, high))) => format!(" [{}, {}]", one(low), one(high)),
        (true, None) => return Err("the number has no interval".to_owned()),
    };
    Ok(format!("{}{unit}{ends}", one(value.number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prose::facts::Fact;
    use secateur_stats::interval::Interval;

    fn facts() -> Facts {
        let mut facts = Facts::default();
        let within = Interval { estimate: 0.84, low: 0.71, high: 0.92 };
        facts.add("r", vec![Fact::within(["a", "kept"], within), Fact::number(["a", "nodes"], 1234.0)]);
        facts
    }

    fn text(expression: &str) -> String {
        match evaluate(expression, &facts()) {
            Ok(Found::Text(text)) => text,
            other => panic!("{expression}: {other:?}"),
        }
    }

    #[test]
    fn numbers_are_written_as_asked() {
        assert_eq!(text("r: a kept"), "0.84");
        assert_eq!(text("r: a kept as %"), "84 %");
        assert_eq!(text("r: a kept as % within"), "84 % [71, 92]");
        assert_eq!(text("r: a kept low as .3"), "0.710");
        assert_eq!(text("r: a nodes as count"), "1,234");
        assert_eq!(text("1 - r: a kept as +.1 %"), "+16.0 %");
        assert_eq!(text("r: a kept - 1 as .2"), "-0.16");
        assert_eq!(text("2 + 3 * 4"), "20.0", "from left to right");
    }

    #[test]
    fn statements_are_judged() {
        let truth = |text: &str| match evaluate(text, &facts()) {
            Ok(Found::Truth(truth, _)) => truth,
            other => panic!("{text}: {other:?}"),
        };
        assert!(truth("r: a kept > 0.8") && truth("0.7 < r: a kept low and 1000 <= r: a nodes"));
        assert!(!truth("0.7 < r: a kept low and r: a nodes < 5") && !truth("r: a kept high >= 1"));
    }

    /// Arms of one run were paired by position; stages of a run, and other runs, were not.
    #[test]
    fn statements_that_rest_on_unpaired_intervals_are_refused() {
        let mut facts = facts();
        let arm = |names, low| Fact::within(names, Interval { estimate: low + 0.1, low, high: low + 0.2 });
        let stage = |fact: Fact, stage: &str| Fact { stage: Some(stage.to_owned()), ..fact };
        let arms = [
            stage(arm(["mpc", "kept"], 0.5), "all"),
            stage(arm(["lmr", "kept"], 0.2), "all"),
            stage(Fact::within(["mpc", "28", "kept"], Interval { estimate: 0.6, low: 0.5, high: 0.7 }), "28"),
            stage(Fact::within(["mpc", "44", "kept"], Interval { estimate: 0.3, low: 0.2, high: 0.4 }), "44"),
        ];
        facts.add_run("run", arms.to_vec());
        let result = |text: &str| evaluate(text, &facts);
        for text in [
            "run: mpc kept low > run: lmr kept high",
            "run: mpc kept low > run: lmr kept",
            "run: lmr kept high < run: mpc kept low",
            "run: lmr kept < run: mpc kept low + 0.1",
        ] {
            assert!(result(text).unwrap_err().contains("paired test in docs/tests.toml"), "{text}");
        }
        for text in [
            "run: mpc kept low < r: a kept high",
            "r: a kept high > run: mpc kept low",
            "r: a kept high >= run: mpc kept",
            "run: mpc kept low < r: a kept",
        ] {
            assert!(result(text).unwrap_err().contains("overlap"), "{text}");
        }
        for text in [
            "run: mpc 28 kept low > run: mpc 44 kept high",
            "run: mpc kept low > 0.4",
            "run: mpc kept > run: lmr kept",
            "r: a kept low > run: lmr kept high",
            "run: mpc kept low < run: mpc kept high",
        ] {
            assert_eq!(result(text).map(|one| matches!(one, Found::Truth(true, _))), Ok(true), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (expression, says) in [
            ("r a kept", "expected `SOURCE: words`"),
            ("r: a kept +", "expected a number"),
            ("r: a nodes low", "no interval"),
            ("r: a kept as big", "unknown format `big`"),
            ("r: a nodes as within", "no interval"),
            ("1 / 0", "no number"),
            ("", "expected a number"),
        ] {
            let message = evaluate(expression, &facts()).expect_err(expression);
            assert!(message.contains(says), "{expression}: {message}");
        }
    }
}
