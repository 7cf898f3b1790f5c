//! The interactions of a factorial experiment as a heat map.

use crate::figure::{Figure, csv, ends};
use crate::format::{ratio, times};
use crate::svg::{document, escape};
use secateur_stats::arm::name;
use secateur_stats::factorial::{Design, Effects};
use secateur_stats::interval::Interval;
use std::fmt::Write;

const CELL: f64 = 96.0;
const HEIGHT: f64 = 46.0;
const TOP: f64 = 58.0;
/// Letters on coloured cells, on any page.
const INK: &str = "#1b1f24";

/// The picture of one design: a square for each pair, coloured by its interaction, with the number in it. On the diagonal
/// what each method saves alone.
#[must_use]
pub(crate) fn figure(design: &Design<'_, '_>, nodes: &Effects, section: &str) -> Figure {
    let heading = design.group.heading();
    let diagonal: Vec<String> =
        nodes.factors.iter().map(|factor| times(&Interval::none(factor.alone.estimate.exp()))).collect();
    let pairs: Vec<([usize; 2], Interval)> =
        nodes.interactions.iter().map(|term| ([term.first, term.second], term.alone)).collect();
    let names = names(&design.factors);
    let title = format!("{heading}: interactions of {} methods", names.len());
    Figure {
        section: section.to_owned(),
        caption: "In a cell, what two methods save together, as a factor of the product of what each saves alone, with its 95 % interval. Below 1 \
                  (orange) they prune some of the same nodes; above 1 (blue) each makes the other worth more. On the diagonal, the nodes without any \
                  method as a factor of those with this one alone."
            .to_owned(),
        // An interaction is in ln nodes: what both need beyond the product.
        svg: grid(&heading, (&title, &description(design, nodes)), &names, &diagonal, &pairs, |ln| (-ln).exp()),
        file: format!("interactions-{}-{}.csv", design.group.game, design.group.budget),
        csv: data(design, nodes),
    }
}

/// A square for each pair of names, coloured by its number in ln nodes, with the factor in it that `factor` makes of the number; on the
/// diagonal texts.
pub(crate) fn grid(
    heading: &str,
    (title, description): (&str, &str),
    names: &[&str],
    diagonal: &[String],
    pairs: &[([usize; 2], Interval)],
    factor: impl Fn(f64) -> f64,
) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<text x=\"8\" y=\"20\" font-weight=\"bold\">{}</text>", escape(heading));
    let left = 16.0 + 7.0 * names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
    for (index, (name, number)) in names.iter().zip(diagonal).enumerate() {
        let (x, y) = (left + CELL * (index as f64 + 0.5), TOP + HEIGHT * (index as f64 + 0.5));
        let _ = writeln!(
            body,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{name}</text>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>",
            TOP - 8.0,
            left - 8.0,
            y + 4.0,
            name = escape(name)
        );
        cell(&mut body, left, (index, index), "fill:none", number, None);
    }
    let most = pairs.iter().map(|(_, i)| i.estimate.abs()).fold(0.1, f64::max);
    for ([first, second], i) in pairs {
        let style = format!("fill:{}", tint(i.estimate / most));
        let ends = [factor(i.low), factor(i.high)];
        let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])].map(ratio);
        let within = i.has_ends().then(|| format!("[{low}, {high}]"));
        for place in [(*first, *second), (*second, *first)] {
            cell(
                &mut body,
                left,
                place,
                &style,
                &times(&Interval::none(factor(i.estimate))),
                within.as_deref(),
            );
        }
    }
    let count = names.len() as f64;
    document(left + CELL * count + 8.0, TOP + HEIGHT * count + 8.0, title, description, &body)
}

/// The colour of a share from -1 (blue) by 0 (white) to 1 (orange). Light and opaque, so that dark letters can be read on
/// it whatever the page behind it is.
fn tint(share: f64) -> String {
    let full: [f64; 3] = if share > 0.0 { [213.0, 94.0, 0.0] } else { [0.0, 114.0, 178.0] };
    let depth = 0.75 * share.abs().min(1.0);
    let [r, g, b] = full.map(|channel| (255.0 - depth * (255.0 - channel)).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Names of the methods, without what is in brackets where they are told apart without it.
fn names<'a>(factors: &[&'a str]) -> Vec<&'a str> {
    let short: Vec<&str> = factors.iter().map(|factor| name(factor)).collect();
    let twice = |name: &str| short.iter().filter(|other| **other == name).count() > 1;
    if short.iter().any(|name| twice(name)) { factors.to_vec() } else { short }
}

/// One square at (column, row) of a table that begins at `left`; with an interval it is coloured, and its letters are dark
/// on any page.
fn cell(svg: &mut String, left: f64, place: (usize, usize), style: &str, number: &str, within: Option<&str>) {
    let (x, y) = (left + CELL * place.0 as f64, TOP + HEIGHT * place.1 as f64);
    let middle = x + CELL / 2.0;
    let ink = if within.is_some() { format!(" style=\"fill:{INK}\"") } else { String::new() };
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
            format!("{first} and {second} {}", times(&Interval::none((-i.alone.estimate).exp())))
        })
        .collect();
    format!("Saved together, as a factor of the product: {}.", each.join("; "))
}

fn data(design: &Design<'_, '_>, nodes: &Effects) -> String {
    let rows = nodes.interactions.iter().map(|i| {
        let [estimate, low, high] = ends(&i.alone);
        [design.factors[i.first].to_owned(), design.factors[i.second].to_owned(), estimate, low, high]
    });
    csv(["first", "second", "interaction", "low", "high"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tests::{channels, contrast};

    /// The ratio that WCAG 2.1 asks of text.
    #[test]
    fn letters_can_be_read_on_every_cell() {
        for step in -10..=10 {
            let cell = tint(f64::from(step) / 10.0);
            assert!(contrast(channels(&cell), channels(INK)) >= 4.5, "{cell}");
        }
        assert_eq!(tint(0.0), "#ffffff");
    }
}
