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
        let colour = if i.estimate > 0.0 { "#d55e00" } else { "#0072b2" };
        let style =
            format!("fill:{colour};fill-opacity:{:.2}", 0.75 * (i.estimate.abs() / most).clamp(0.0, 1.0));
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

/// One square at (column, row).
fn cell(svg: &mut String, place: (usize, usize), style: &str, number: &str, within: Option<&str>) {
    let (x, y) = (LEFT + CELL * place.0 as f64, TOP + HEIGHT * place.1 as f64);
    let middle = x + CELL / 2.0;
    let _ = write!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{HEIGHT}\" style=\"{style}\"/>\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{number}</text>",
        y + if within.is_some() { 20.0 } else { 27.0 }
    );
    if let Some(within) = within {
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{within}</text>",
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
