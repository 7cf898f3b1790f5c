//! The findings of a comparison in words and digits.

use crate::format::{count, fixed, ratio, ratio_within, rounded, signed_within, within};
use secateur_stats::compare::Finding;
use secateur_stats::contrast::Mean;
use secateur_stats::measure::TIME;

/// What was measured on the first and the second side.
pub(super) fn sides(finding: &Finding) -> [String; 2] {
    finding.sides.map(|x| match finding.measure.mean {
        Mean::Geometric if *finding.measure == TIME => format!("{:.2} ms", x / 1e6),
        Mean::Geometric => rounded(x),
        Mean::Share => count(x as u64),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", fixed(Some(x)), finding.units),
    })
}

/// The change from the first to the second side.
pub(super) fn change(finding: &Finding) -> String {
    let change = &finding.estimate.within;
    match finding.measure.mean {
        Mean::Geometric => format!("x {}", ratio_within(change)),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", signed_within(change), finding.units),
        Mean::Share => {
            let [won, lost] = finding.estimate.only;
            let percent = |x: f64| format!("{:+.0}", 100.0 * x + 0.0);
            format!("+{won} / -{lost}: {} points", within(change, percent))
        }
    }
}

/// `values 60 -> 49 of 60`: a finding within a sentence.
pub(super) fn told(finding: &Finding) -> String {
    let name = finding.measure.name;
    let [first, second] = sides(finding);
    match finding.measure.mean {
        Mean::Share => format!("{name} {first} -> {second} of {}", finding.estimate.n),
        Mean::Geometric | Mean::Arithmetic => format!("{name} {}", change(finding)),
        Mean::Losses => format!("{name} {first} -> {second}"),
    }
}

/// The difference that tests at `level` would have shown in 80 of 100 such samples.
pub(super) fn could_have_shown(finding: &Finding, level: f64) -> String {
    let least = finding.estimate.detectable(level);
    match finding.measure.mean {
        Mean::Geometric => format!("x {}", least.map_or("-".to_owned(), ratio)),
        Mean::Arithmetic | Mean::Losses => format!("{} {}", fixed(least), finding.units),
        Mean::Share => {
            least.map_or("nothing".to_owned(), |k| format!("{k:.0} of {} one way", finding.estimate.n))
        }
    }
}
