//! The interactions of a factorial experiment as a heat map.

use crate::factorial::{Design, Effects};
use crate::figure::{Figure, csv};
use crate::svg::{document, escape};
use std::fmt::Write;

const CELL: f64 = 84.0;
const HEIGHT: f64 = 46.0;
const LEFT: f64 = 120.0;
const TOP: f64 = 58.0;

/// The picture of one design: a square for each pair, coloured by its interaction, with the number in it. On the diagonal
/// what each method saves alone.
#[must_use]
pub(crate) fn figure(design: &Design<'_, '_>, nodes: &Effects, section: &str) -> Figure {
    let count = design.factors.len();
    let mut body = String::new();
    let heading = format!("{}, {}", design.group.game, design.group.budget_words());
    let _ = writeln!(body, "<text x=\"8\" y=\"20\" font-weight=\"bold\">{}</text>", escape(&heading));
    for (index, name) in design.factors.iter().enumerate() {
        let (x, y) = (LEFT + CELL * (index as f64 + 0.5), TOP + HEIGHT * (index as f64 + 0.5));
        let _ = writeln!(
            body,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>",
            TOP - 8.0,
            LEFT - 8.0,
            y + 4.0,
            name = escape(name)
        );
        let speedup = nodes.factors[index].alone.estimate.exp();
        cell(&mut body, (index, index), "fill:none", &format!("x {}", crate::format::ratio(speedup)), None);
    }
    let most = nodes.interactions.iter().map(|i| i.alone.estimate.abs()).fold(0.1, f64::max);
    for found in &nodes.interactions {
        let i = found.alone;
        let style = format!("fill:{}", tint(i.estimate / most));
        let within = format!("[{:+.2}, {:+.2}]", i.low, i.high);
        for place in [(found.first, found.second), (found.second, found.first)] {
            cell(&mut body, place, &style, &format!("{:+.2}", i.estimate), Some(&within));
        }
    }
    let size = (LEFT + CELL * count as f64 + 8.0, TOP + HEIGHT * count as f64 + 8.0);
    let title = format!("{heading}: interactions of {count} methods");
    Figure {
        section: section.to_owned(),
        caption: "Interactions in ln nodes, with 95 % intervals: above 0 (orange) both prune the same nodes in part, below 0 \
                  (blue) they help each other. On the diagonal the speed-up of each method alone."
            .to_owned(),
        svg: document(size.0, size.1, &title, &description(design, nodes), &body),
        file: format!("interactions-{}-{}.csv", design.group.game, design.group.budget),
        csv: data(design, nodes),
    }
}

/// The colour of a share from -1 (blue) by 0 (white) to 1 (orange). Light and opaque, so that dark letters can be read on
/// it whatever the page behind it is.
fn tint(share: f64) -> String {
    let full: [f64; 3] = if share > 0.0 { [213.0, 94.0, 0.0] } else { [0.0, 114.0, 178.0] };
    let depth = 0.75 * share.abs().min(1.0);
    let [r, g, b] = full.map(|channel| (255.0 - depth * (255.0 - channel)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// One square at (column, row); with an interval it is coloured, and its letters are dark on any page.
fn cell(svg: &mut String, place: (usize, usize), style: &str, number: &str, within: Option<&str>) {
    let (x, y) = (LEFT + CELL * place.0 as f64, TOP + HEIGHT * place.1 as f64);
    let middle = x + CELL / 2.0;
    let ink = if within.is_some() { " style=\"fill:#1b1f24\"" } else { "" };
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{HEIGHT}\" style=\"{style}\"/>\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\"{ink}>{number}</text>",
        y + if within.is_some() { 20.0 } else { 27.0 }
    );
    if let Some(within) = within {
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\"{ink}>{within}</text>",
            y + 35.0
        );
    }
    svg.push('\n');
}

fn description(design: &Design<'_, '_>, nodes: &Effects) -> String {
    let each: Vec<String> = nodes
        .interactions
        .iter()
        .map(|i| {
            let [first, second] = [i.first, i.second].map(|factor| design.factors[factor]);
            format!("{first} and {second} {:+.2}", i.alone.estimate)
        })
        .collect();
    format!("Interactions in ln nodes: {}.", each.join("; "))
}

fn data(design: &Design<'_, '_>, nodes: &Effects) -> String {
    let rows = nodes.interactions.iter().map(|i| {
        let numbers = [i.alone.estimate, i.alone.low, i.alone.high].map(|x| x.to_string());
        let [estimate, low, high] = numbers;
        [design.factors[i.first].to_owned(), design.factors[i.second].to_owned(), estimate, low, high]
    });
    csv(["first", "second", "interaction", "low", "high"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of WCAG 2.1, from 0 to 1.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    /// The ratio that WCAG 2.1 asks of text.
    #[test]
    fn letters_can_be_read_on_every_cell() {
        for step in -10..=10 {
            let ratio = (luminance(&tint(f64::from(step) / 10.0)) + 0.05) / (luminance("#1b1f24") + 0.05);
            assert!(ratio >= 4.5, "{step}: {ratio}");
        }
        assert_eq!(tint(0.0), "#ffffff");
    }
}
