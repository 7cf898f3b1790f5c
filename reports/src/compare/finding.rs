//! The findings of a comparison in words and digits.

use crate::format::{count, fixed, ratio, ratio_within, rounded, signed_within, within};
use secateur_stats::compare::{Change, Finding, Quantity};

/// What was measured on the first and the second side.
pub(super) fn sides(found: &Finding) -> [String; 2] {
    found.sides.map(|x| match found.quantity {
        Quantity::Nodes => rounded(x),
        Quantity::Time => format!("{:.2} ms", x / 1e6),
        Quantity::Moves | Quantity::Values | Quantity::Solved => count(x as u64),
        Quantity::Depth | Quantity::Dv | Quantity::Regret => format!("{} {}", fixed(Some(x)), units(found)),
    })
}

/// What a mean or a difference of means is read in.
fn units(found: &Finding) -> &str {
    if found.quantity == Quantity::Depth { "plies" } else { &found.units }
}

/// The change from the first to the second side.
pub(super) fn change(found: &Finding) -> String {
    match &found.change {
        Change::Ratio { within, .. } => format!("x {}", ratio_within(within)),
        Change::Difference { within, .. } => format!("{} {}", signed_within(within), units(found)),
        Change::Positions { won, lost, within: points, .. } => {
            let percent = |x: f64| format!("{:+.0}", 100.0 * x + 0.0);
            format!("+{won} / -{lost}: {} points", within(points, percent))
        }
    }
}

/// `values 60 -> 49 of 60`: a finding within a sentence.
pub(super) fn told(found: &Finding) -> String {
    let name = found.quantity.name();
    let [first, second] = sides(found);
    match found.change {
        Change::Positions { n, .. } => format!("{name} {first} -> {second} of {n}"),
        _ if found.quantity <= Quantity::Depth => format!("{name} {}", change(found)),
        _ => format!("{name} {first} -> {second}"),
    }
}

/// The difference that tests at `level` would have shown in 80 of 100 such samples.
pub(super) fn could_have_shown(found: &Finding, level: f64) -> String {
    let least = found.detectable(level);
    match found.change {
        Change::Ratio { .. } => format!("x {}", least.map_or("-".to_owned(), ratio)),
        Change::Difference { .. } => format!("{} {}", fixed(least), units(found)),
        Change::Positions { n, .. } => {
            least.map_or("nothing".to_owned(), |k| format!("{k:.0} of {n} one way"))
        }
    }
}
