//! What methods save together, in tables, sentences and heat maps; the numbers are those of [`secateur_stats::factorial`].
//!
//! The sentences are for a programmer who has one method and thinks of adding another.

use crate::figure::{Figure, csv, ends};
use crate::format::{
    only_if, or_dash, p_words, plural, ratio, ratio_within, rounded, signed_within as signed, times,
};
use crate::svg::{document, escape};
use crate::table::{Section, Table};
use secateur_record::games;
use secateur_stats::contrast::Mean;
use secateur_stats::factorial::{
    Design, Effects, Factor, Interaction, designs, effects, standing_for, untimed,
};
use secateur_stats::group::Group;
use secateur_stats::inference::{Shown, Test};
use secateur_stats::interval::Interval;
use secateur_stats::labels::name;
use secateur_stats::measure::{MOVES, Measure, NODES, REGRET, TIME, divided};
use std::fmt::Write;

/// Title of the section.
pub const TITLE: &str = "What do methods save together?";

/// The section of all fixed-depth groups that hold every combination of two methods or more; none without such a group.
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    let mut whole = Section { title: TITLE.to_owned(), ..Section::default() };
    let parts = parts(groups);
    let has_parts = !parts.is_empty();
    for part in parts {
        whole.text.extend(part.text);
        whole.tables.extend(part.tables);
    }
    has_parts.then_some(whole)
}

/// The same as a section for each group, titled `chess, depth 8`.
pub fn parts(groups: &[Group<'_>]) -> Vec<Section> {
    let designs = designs(groups);
    let main = standing_for(&designs);
    let mut nodes: Vec<Effects> = designs.iter().filter_map(|design| effects(design, &NODES)).collect();
    // What is not told is not tested either.
    let explained = nodes.iter_mut().enumerate().filter(|(at, _)| main[*at] == *at);
    Effects::correct(explained.map(|(_, nodes)| nodes));
    let mut parts = Vec::new();
    for (at, (design, nodes)) in designs.iter().zip(&nodes).enumerate() {
        let mut part = Section { title: design.group.heading(), ..Section::default() };
        if main[at] == at {
            part.text.push(introduction(design, nodes));
            part.text.extend(nodes.interactions.iter().map(|term| sentence(design, term)));
            part.tables = of_main(design, nodes);
        } else {
            part.text.push(aside(design, nodes, &designs[main[at]]));
            part.tables = of_aside(design, nodes);
        }
        parts.push(part);
    }
    parts
}

/// The interactions as heat maps, one for each group whose interactions are reported.
pub fn figures(groups: &[Group<'_>]) -> Vec<Figure> {
    let designs = designs(groups);
    let main = standing_for(&designs);
    let explained = designs.iter().enumerate().filter(|(at, _)| main[*at] == *at);
    explained.filter_map(|(_, design)| Some(figure(design, &effects(design, &NODES)?, TITLE))).collect()
}

/// All tables of one design; the p-values of its nodes are corrected.
fn of_main(design: &Design<'_, '_>, nodes: &Effects) -> Vec<Table> {
    let others = others(design);
    let mut tables = vec![adds(design, nodes, &others), interactions(design, nodes)];
    tables.extend(others.iter().filter(|(m, _)| m.is_difference()).map(|(m, e)| costs(design, m, e)));
    tables
}

/// What a design has that the one with the interactions may lack: shares, and what the moves lose.
fn of_aside(design: &Design<'_, '_>, nodes: &Effects) -> Vec<Table> {
    let others = others(design);
    // What the columns mean stands below the table of the main group.
    let mut tables = vec![Table { notes: Vec::new(), ..adds(design, nodes, &others) }];
    let regret = others.iter().filter(|(measure, _)| **measure == REGRET);
    tables.extend(regret.map(|(measure, effects)| costs(design, measure, effects)));
    tables
}

/// What else every row of the design has.
fn others(design: &Design<'_, '_>) -> Vec<(&'static Measure, Effects)> {
    let others = divided().filter(|measure| **measure != NODES);
    others.filter_map(|measure| Some((measure, effects(design, measure)?))).collect()
}

/// Savings as speed-ups, and shares of every measure.
fn adds(design: &Design<'_, '_>, nodes: &Effects, others: &[(&Measure, Effects)]) -> Table {
    let mut table =
        Table::new(&["<method", "alone", "main effect", "last (left out of all)", "share of node saving"]);
    table.columns[0].0 = heading(design, "method");
    let untimed = untimed(design);
    for (measure, _) in others {
        let saving = if measure.is_difference() { "" } else { " saving" };
        table.columns.push((format!("of {}{saving}", measure.cost_heading()), crate::table::Align::Right));
    }
    if untimed.is_some() {
        table.columns.push((format!("of {} saving", TIME.name), crate::table::Align::Right));
    }
    for (index, name) in design.factors.iter().enumerate() {
        let factor = &nodes.factors[index];
        let mut row = vec![(*name).to_owned()];
        row.extend([factor.alone, factor.main, factor.last.effect].map(|saving| ratio_within(&saving.exp())));
        row.push(share(&factor.share, nodes));
        row.extend(others.iter().map(|(_, effects)| share(&effects.factors[index].share, effects)));
        row.extend(untimed.map(|_| or_dash(None)));
        table.push(row);
    }
    let mut row = vec!["all together".to_owned(), ratio_within(&nodes.whole.effect.exp())];
    row.extend([or_dash(None), or_dash(None)]);
    let wholes = std::iter::once(nodes).chain(others.iter().map(|(_, effects)| effects));
    row.extend(wholes.map(|effects| only_if(effects.saves(), || "100 %".to_owned())));
    row.extend(untimed.map(|untimed| untimed.to_string()));
    table.push(row);
    table.notes.push(
        "Speed-ups in nodes (geometric): of the method alone over none, as the mean over all combinations of the others, and \
         of all over all but the method. Shares are Shapley's and add up to the whole; one below 0 means that the method \
         works against the rest. A dash means that the whole is not shown to be other than 0. Intervals are 95 %, \
         over source games (jackknife); moves and regret have one where 30 games or more, and 10 that all together change, \
         allow it."
            .to_owned(),
    );
    if others.iter().any(|(measure, _)| **measure == MOVES) {
        let left_out = left_out(design);
        table
            .notes
            .extend((!left_out.is_empty()).then(|| format!("Of moves changed:{}", left_out.to_lowercase())));
    }
    table
}

fn heading(design: &Design<'_, '_>, what: &str) -> String {
    let positions = plural(design.group.blocks.len(), "position");
    format!("{} ({positions}): {what}", design.group.heading())
}

fn interactions(design: &Design<'_, '_>, nodes: &Effects) -> Table {
    let pair = format!("<{}", heading(design, "pair"));
    let row = |term: &Interaction| {
        let [first, second, both] = term.savings;
        [
            (pair.as_str(), format!("{} x {}", design.factors[term.first], design.factors[term.second])),
            ("first alone", ratio(first.exp())),
            ("with the second on", ratio_within(&term.with_other[0].effect.exp())),
            ("second alone", ratio(second.exp())),
            ("with the first on", ratio_within(&term.with_other[1].effect.exp())),
            ("together", ratio(both.exp())),
            ("I", signed(&term.alone.effect)),
            ("p (Holm)", p_words(Some(term.alone.p))),
            ("I, mean over the others", signed(&term.mean.effect)),
            (
                "overlap",
                or_dash(term.overlap().map(|part| match part {
                    part if part > 1.0 => "over 100 %".to_owned(),
                    part => format!("{:.0} %", 100.0 * part),
                })),
            ),
        ]
    };
    nodes.interactions.iter().map(row).collect::<Table>().noted(
        "Speed-ups in nodes (geometric). I = ln N(both) - ln N(first) - ln N(second) + ln N(neither): above 0 both prune the \
         same nodes in part, below 0 each helps the other. Overlap: I over the lesser of the two savings, the part of it that \
         the other method makes anyway; over 100 %: with the other on it makes the tree larger.",
    )
}

/// What each method costs in accuracy, alone and last.
fn costs(design: &Design<'_, '_>, measure: &Measure, effects: &Effects) -> Table {
    let mut table = Table::new(&["<method", "alone", "main effect", "last", "part (Shapley)"]);
    table.columns[0].0 = heading(design, &format!("{} by", measure.cost_heading()));
    let scale = if measure.mean == Mean::Share { 100.0 } else { 1.0 };
    // Effects are savings; here more is worse.
    let cell = |i: Interval| signed(&i.turned(|x| -scale * x));
    for (name, factor) in design.factors.iter().zip(&effects.factors) {
        let mut row = vec![(*name).to_owned()];
        row.extend([factor.alone, factor.main, factor.last.effect, factor.part].map(cell));
        table.push(row);
    }
    let whole = cell(effects.whole.effect);
    let row = ["all together".to_owned(), whole.clone(), "-".to_owned(), "-".to_owned(), whole].to_vec();
    table.push(row);
    table.notes.push(match measure.mean {
        Mean::Share => {
            "Percentage points of positions whose move is no longer the baseline's.".to_owned()
                + &left_out(design)
        }
        _ => format!("In the unit of scores: {}.", games::of_each_game(|game| &game.score).join(", ")),
    });
    table
}

/// How many positions are left out of what is said of moves, if any are.
fn left_out(design: &Design<'_, '_>) -> String {
    match design.undecided() {
        0 => String::new(),
        n => format!(
            " Left out, because no search decided whether another move is as good: {} of {}.",
            n,
            plural(design.group.blocks.len(), "position")
        ),
    }
}

/// A share of a whole that is shown to be other than 0.
fn share(share: &Interval, effects: &Effects) -> String {
    if !effects.saves() {
        return "-".to_owned();
    }
    // Adding 0 makes a rounded -0 a plain one.
    let percent = |x: f64| format!("{:.0}", (100.0 * x).round() + 0.0);
    let ends = |i: &Interval| format!(" [{}, {}]", percent(i.low), percent(i.high));
    let ends = if share.has_ends() { ends(share) } else { String::new() };
    format!("{} %{ends}", percent(share.estimate))
}

const CELL: f64 = 96.0;
const HEIGHT: f64 = 46.0;
const TOP: f64 = 58.0;
/// Letters on coloured cells, on any page.
const INK: &str = "#1b1f24";

/// The picture of one design: a square for each pair, coloured by its interaction, with the number in it. On the diagonal
/// what each method saves alone.
pub(crate) fn figure(design: &Design<'_, '_>, nodes: &Effects, section: &str) -> Figure {
    let diagonal = |factor: &Factor| times(&Interval::none(factor.alone.estimate.exp()));
    let pair = |term: &Interaction| ([term.first, term.second], term.alone.effect);
    let grid = Grid {
        group: design.group,
        title: &format!("interactions of {} methods", design.factors.len()),
        names: &design.factors,
        diagonal: &nodes.factors.iter().map(diagonal).collect::<Vec<_>>(),
        pairs: &nodes.interactions.iter().map(pair).collect::<Vec<_>>(),
        // An interaction is in ln nodes: what both need beyond the product.
        factor: |ln| (-ln).exp(),
        what: "Saved together",
        kind: "interactions",
        column: "interaction",
    };
    grid.figure(
        section,
        "In a cell, what two methods save together, as a factor of the product of what each saves alone, with its 95 % interval. Below 1 \
         (orange) they prune some of the same nodes; above 1 (blue) each makes the other worth more. On the diagonal, the nodes without any \
         method as a factor of those with this one alone.",
    )
}

/// A square for each pair of methods, coloured by its number in ln nodes, with the factor in it; on the diagonal texts.
pub(crate) struct Grid<'g> {
    pub(crate) group: &'g Group<'g>,
    pub(crate) title: &'g str,
    pub(crate) names: &'g [&'g str],
    pub(crate) diagonal: &'g [String],
    pub(crate) pairs: &'g [([usize; 2], Interval)],
    /// What a number is as a factor.
    pub(crate) factor: fn(f64) -> f64,
    /// What the factors are, for those who cannot see them.
    pub(crate) what: &'static str,
    /// What the name of its file begins with.
    pub(crate) kind: &'static str,
    /// The column of the numbers.
    pub(crate) column: &'static str,
}

impl Grid<'_> {
    /// The picture with its data.
    pub(crate) fn figure(&self, section: &str, caption: &str) -> Figure {
        let Grid { group, names, pairs, kind, .. } = self;
        let each = pairs.iter().map(|([one, other], i)| {
            format!("{} and {} {}", names[*one], names[*other], self.times(i.estimate))
        });
        let each = each.collect::<Vec<_>>().join("; ");
        let rows = pairs.iter().map(|([one, other], i)| {
            let [estimate, low, high] = ends(i);
            [names[*one].to_owned(), names[*other].to_owned(), estimate, low, high]
        });
        Figure {
            section: section.to_owned(),
            caption: caption.to_owned(),
            svg: self.svg(&format!("{}, as a factor of the product: {each}.", self.what)),
            file: format!("{kind}-{}-{}.csv", group.game, group.budget),
            csv: csv(["first", "second", self.column, "low", "high"], rows),
        }
    }

    /// A number as a factor.
    fn times(&self, ln: f64) -> String {
        times(&Interval::none((self.factor)(ln)))
    }

    fn svg(&self, description: &str) -> String {
        let (heading, names, mut body) = (self.group.heading(), short_names(self.names), String::new());
        let _ = writeln!(body, "<text x=\"8\" y=\"20\" font-weight=\"bold\">{}</text>", escape(&heading));
        let left = 16.0 + 7.0 * names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        for (index, (name, number)) in names.iter().zip(self.diagonal).enumerate() {
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
        let most = self.pairs.iter().map(|(_, i)| i.estimate.abs()).fold(0.1, f64::max);
        for ([first, second], i) in self.pairs {
            let style = format!("fill:{}", tint(i.estimate / most));
            let ends = [i.low, i.high].map(self.factor);
            let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])].map(ratio);
            let within = i.has_ends().then(|| format!("[{low}, {high}]"));
            for place in [(*first, *second), (*second, *first)] {
                cell(&mut body, left, place, &style, &self.times(i.estimate), within.as_deref());
            }
        }
        let (count, title) = (names.len() as f64, format!("{heading}: {}", self.title));
        document(left + CELL * count + 8.0, TOP + HEIGHT * count + 8.0, &title, description, &body)
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

/// Names of the methods, without what is in brackets where they differ without it.
fn short_names<'a>(factors: &[&'a str]) -> Vec<&'a str> {
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

/// A smaller interaction is not noticed: the tree is within 5 % of what independence gives.
const HARDLY: f64 = 0.05;

/// What was crossed, on what.
fn crossed(design: &Design<'_, '_>) -> String {
    format!(
        "**{}, {}**: all {} combinations of {}",
        design.group.heading(),
        plural(design.group.blocks.len(), "position"),
        design.sets.len(),
        listed(&design.factors),
    )
}

/// What all together save, and what each is worth to the rest.
fn introduction(design: &Design<'_, '_>, nodes: &Effects) -> String {
    let product = nodes.factors.iter().map(|factor| factor.alone.estimate).sum::<f64>().exp();
    let mut text = format!(
        "{}. All together have a speed-up of {}; their speed-ups alone, multiplied, would make it {}.",
        crossed(design),
        ratio_within(&nodes.whole.effect.exp()),
        if product < 1000.0 { ratio(product) } else { rounded(product) },
    );
    let factors = design.factors.iter().zip(&nodes.factors);
    let mut last: Vec<(&str, Test)> = factors.map(|(name, factor)| (*name, factor.last)).collect();
    last.sort_by(|a, b| b.1.effect.estimate.total_cmp(&a.1.effect.estimate));
    let named_with = |wanted: Shown| {
        let chosen = last.iter().filter(|(_, last)| last.shown() == wanted);
        let names: Vec<String> =
            chosen.map(|(name, last)| format!("{name} ({})", ratio_within(&last.effect.exp()))).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let lists = [
        ("What each adds to all the others", named_with(Shown::Above)),
        ("Not shown to add anything", named_with(Shown::No)),
        ("The tree is smaller without", named_with(Shown::Below)),
    ];
    for (what, names) in lists {
        text.extend(names.map(|names| format!(" {what}: {names}.")));
    }
    text
}

/// What stands for a group whose interactions are reported at another depth.
fn aside(design: &Design<'_, '_>, nodes: &Effects, main: &Design<'_, '_>) -> String {
    format!(
        "{}. All together have a speed-up of {}. Here are shares and costs only; for the interactions see {}.",
        crossed(design),
        ratio_within(&nodes.whole.effect.exp()),
        main.group.budget_label(),
    )
}

/// What one interaction means.
fn sentence(design: &Design<'_, '_>, term: &Interaction) -> String {
    let names = [design.factors[term.first], design.factors[term.second]];
    let [one, two, both] = term.savings;
    let silent = [(names[0], one), (names[1], two)].into_iter().find(|(_, saving)| *saving == 0.0);
    let [first, second] = names;
    if let Some((silent, _)) = silent.filter(|_| (one + two - both).abs() < 1e-12) {
        return format!(
            "**{first} and {second}**: nothing to say, because {silent} leaves the number of nodes as it is."
        );
    }
    let together = format!(
        "{} together, {} if each saved what it saves alone",
        ratio(both.exp()),
        ratio((one + two).exp())
    );
    let relation = if !term.alone.shown().any() {
        format!("are not shown to interact: {together}")
    } else if term.alone.effect.estimate.abs() < HARDLY {
        format!("hardly interact: {together}")
    } else if term.alone.effect.estimate > 0.0 {
        format!("overlap: {}", overlapping(names, term))
    } else {
        format!("help each other: {}", helping(names, term))
    };
    format!("**{first} and {second}** {relation} (I = {}).{}", signed(&term.alone.effect), turned(term))
}

/// What is left of the lesser method next to the greater.
fn overlapping(names: [&str; 2], term: &Interaction) -> String {
    let [one, two, _] = term.savings;
    let (greater, lesser) = if one >= two { (0, 1) } else { (1, 0) };
    let (alone, left) = (term.savings[lesser], term.with_other[lesser]);
    let (greater, lesser) = (names[greater], names[lesser]);
    let (was, is) = (ratio(alone.exp()), ratio_within(&left.effect.exp()));
    if alone <= 0.0 {
        format!("{lesser} makes the tree larger, with a speed-up of {was} alone and {is} with {greater} on")
    } else if left.shown() == Shown::Below {
        format!("with {greater} on, {lesser} makes the tree larger, with a speed-up of {is}, alone {was}")
    } else if let Some(part) = term.overlap().filter(|_| left.shown() == Shown::Above) {
        format!(
            "{:.0} % of what {lesser} saves, {greater} saves too; with {greater} on, {lesser} still has a speed-up of {is}, \
             alone {was}",
            100.0 * part
        )
    } else {
        format!(
            "with {greater} on, {lesser} is not shown to save anything, with a speed-up of {is}, alone {was}"
        )
    }
}

/// What each gains from the other.
fn helping(names: [&str; 2], term: &Interaction) -> String {
    let gain = |gaining: usize| {
        format!(
            "{} has a speed-up of {} with {} on, alone {}",
            names[gaining],
            ratio_within(&term.with_other[gaining].effect.exp()),
            names[1 - gaining],
            ratio(term.savings[gaining].exp())
        )
    };
    [gain(0), gain(1)].join("; ")
}

/// A warning where the company of the other methods turns the sign.
fn turned(term: &Interaction) -> String {
    let mean = &term.mean.effect;
    let turned = matches!(
        (term.alone.shown(), term.mean.shown()),
        (Shown::Above, Shown::Below) | (Shown::Below, Shown::Above)
    );
    if !turned || mean.estimate.abs() < HARDLY {
        return String::new();
    }
    let what = if mean.estimate < 0.0 { "they help each other" } else { "they overlap" };
    format!(
        " With the others on it turns: on average over all combinations of the other methods {what} (I = {}).",
        signed(mean)
    )
}

fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests;
