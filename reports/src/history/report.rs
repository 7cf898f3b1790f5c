//! A history for people: the commits at which something stepped, then what has changed since the first, and pictures.

use super::{INSTRUCTIONS, Level, Series, Step};
use crate::chart::plot::{self, Axis, Look, Plot};
use crate::figure::{Figure, csv};
use crate::format::{either, only_if, plural};
use crate::history::folder::Commit;
use crate::svg::{COLOURS, Panel};
use crate::table::{Report, Section, Table};
use secateur_stats::interval::Interval;
use secateur_stats::runs::by_key;

/// Section of the pictures.
const TRENDS: &str = "Trends";
/// Most lines of a picture: more share colours and cannot be told apart.
const LINES: usize = COLOURS.len();

/// The report: steps, newest first. `tolerance` is that of the instructions.
pub fn report(commits: &[Commit], all: &[Series], tolerance: f64) -> Report {
    let mut report = Report::new("History");
    let stepped: usize = all.iter().filter(|series| !series.steps.is_empty()).count();
    let mut sentences = vec![format!(
        "{}, {}.",
        plural(commits.len(), "commit"),
        format!("{} {}", all.len(), either(all.len(), "quantity", "quantities"))
    )];
    sentences.push(match newest(all) {
        None => "**No quantity has stepped.**".to_owned(),
        Some(at) => format!(
            "**{stepped} of {} quantities have stepped, last at {} ({}).**",
            all.len(),
            commits[at].commit,
            commits[at].date
        ),
    });
    sentences.push(format!(
        "Quantities are exact. A step is any change; of instructions, which the layout of code moves, one of more than {:.1} % from the \
         level of the last step.",
        100.0 * tolerance
    ));
    let tables = if stepped > 0 { vec![steps_table(commits, all)] } else { Vec::new() };
    report.sections.push(Section { title: "Steps".to_owned(), text: sentences, tables });
    if stepped > 0 {
        let text = vec!["Every quantity that stepped, from its first commit to its last.".to_owned()];
        report.sections.push(Section {
            title: "From first to last".to_owned(),
            text,
            tables: vec![ends_table(all)],
        });
    }
    report
}

/// The last commit at which anything stepped.
fn newest(all: &[Series]) -> Option<usize> {
    all.iter().flat_map(|series| series.steps.iter().map(|step| step.at)).max()
}

fn steps_table(commits: &[Commit], all: &[Series]) -> Table {
    let mut steps: Vec<(&Series, &Step)> =
        all.iter().flat_map(|series| series.steps.iter().map(move |step| (series, step))).collect();
    steps.sort_by_key(|(_, step)| std::cmp::Reverse(step.at));
    let row = |(series, step): (&Series, &Step)| {
        let commit = &commits[step.at];
        let change = match step.resized {
            Some([before, after]) => format!("{before} -> {after} searches"),
            None => change(step.share()),
        };
        [
            ("<commit", short(&commit.commit).to_owned()),
            ("<date", commit.date.chars().take(10).collect()),
            ("<what", subject(series)),
            ("<measure", measure(series)),
            ("before", number(series, step.from)),
            ("after", number(series, step.to)),
            ("change", change),
        ]
    };
    steps.into_iter().map(row).collect()
}

fn ends_table(all: &[Series]) -> Table {
    let row = |series: &Series| {
        let (first, last) =
            (series.levels[0].point.value, series.levels[series.levels.len() - 1].point.value);
        let step = Step { at: 0, from: first, to: last, resized: None };
        let resized = series.steps.iter().any(|step| step.resized.is_some());
        [
            ("<what", subject(series)),
            ("<measure", measure(series)),
            ("first", number(series, first)),
            ("last", number(series, last)),
            ("change", only_if(!resized, || change(step.share()))),
            ("steps", series.steps.len().to_string()),
        ]
    };
    all.iter().filter(|series| !series.steps.is_empty()).map(row).collect()
}

fn change(share: f64) -> String {
    if share.is_finite() { format!("{:+.2} %", 100.0 * share) } else { "from 0".to_owned() }
}

/// Suite, game, budget and method set.
fn subject(series: &Series) -> String {
    format!("{}: {}", block(series), series.levels[0].point.methods)
}

/// Suite, game and budget.
fn block(series: &Series) -> String {
    let point = &series.levels[0].point;
    let budget = if point.budget.is_empty() { String::new() } else { format!(", {}", point.budget) };
    format!("{}{budget} ({})", point.game, point.suite)
}

fn measure(series: &Series) -> String {
    let point = &series.levels[0].point;
    match point.toolchain.as_str() {
        "" => point.measure.clone(),
        toolchain => format!("{} ({toolchain})", point.measure),
    }
}

fn number(series: &Series, x: f64) -> String {
    match series.levels[0].point.measure.as_str() {
        "nodes" | INSTRUCTIONS => crate::format::count(x as u64),
        "same_move" | "same_value" => format!("{:.1} %", 100.0 * x),
        _ => format!("{x:.3}"),
    }
}

/// A picture for each suite, game, budget and measure; where there are more method sets than lines, those that moved most.
pub fn figures(commits: &[Commit], all: &[Series]) -> Vec<Figure> {
    let titled = |series| (format!("{}: {}", block(series), measure(series)), series);
    let mut made = Vec::new();
    for (index, (title, mut lines)) in by_key(all.iter().map(titled)).into_iter().enumerate() {
        let count = lines.len();
        let moved = |series: &Series| series.steps.iter().map(|step| step.share().abs()).fold(0.0, f64::max);
        lines.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        lines.truncate(LINES);
        let relative = ["nodes", INSTRUCTIONS].contains(&&*lines[0].levels[0].point.measure);
        let mut caption =
            format!("{title}, {}.", if relative { "as a part of the first commit's" } else { "by commit" });
        caption += " A ring is a step; bars are 95 % intervals over positions.";
        if count > LINES {
            caption += &format!(" The {LINES} of {count} method sets that moved most.");
        }
        made.push(Figure {
            section: TRENDS.to_owned(),
            caption,
            svg: drawn(&title, &lines, relative, commits),
            file: format!("trend-{}.csv", index + 1),
            csv: data(commits, &lines),
        });
    }
    made
}

/// A commit as it is named for people.
fn short(commit: &str) -> &str {
    commit.get(..8).unwrap_or(commit)
}

/// A line a method set, with intervals where there are some and a ring at every step.
fn drawn(title: &str, lines: &[&Series], relative: bool, commits: &[Commit]) -> String {
    let line = |series: &&Series| {
        let first = series.levels[0].point.value;
        let by = if relative && first != 0.0 { first } else { 1.0 };
        let methods = &series.levels[0].point.methods;
        let point = |Level { at, point }: &Level| plot::Point {
            title: format!("{methods}: {} {}", short(&commits[*at].commit), point.value),
            is_ring: series.steps.iter().any(|step| step.at == *at),
            ..plot::Point::new(*at as u32, Interval::of(point.value, point.low.zip(point.high)).in_units(by))
        };
        plot::Series { name: methods.clone(), points: series.levels.iter().map(point).collect() }
    };
    let described = |series: &&Series| {
        let steps: Vec<&str> = series.steps.iter().map(|step| short(&commits[step.at].commit)).collect();
        let steps =
            if steps.is_empty() { "no step".to_owned() } else { format!("steps at {}", steps.join(", ")) };
        format!("{}: {steps}", series.levels[0].point.methods)
    };
    let stride = commits.len().div_ceil(7).max(1);
    let marks = commits.iter().enumerate().step_by(stride);
    let marks = marks.map(|(at, commit)| (at as f64, short(&commit.commit).to_owned())).collect();
    let series: Vec<plot::Series> = lines.iter().map(line).collect();
    let points = series.iter().flat_map(|series| &series.points);
    let values = points.flat_map(|point| [point.y.estimate, point.y.low, point.y.high]);
    let plot = Plot {
        panel: Panel { width: 720.0, height: 260.0 },
        heading: title,
        across: Axis::marked("commit", (commits.len().max(2) - 1) as f64, marks),
        upwards: Axis::linear(if relative { "of the first commit's" } else { "value" }, values),
        look: Look::Joined,
        guides: Vec::new(),
        series,
    };
    plot.svg(title, &lines.iter().map(described).collect::<Vec<_>>().join("; "))
}

fn data(commits: &[Commit], lines: &[&Series]) -> String {
    let rows = lines.iter().flat_map(|series| {
        series.levels.iter().map(|level| {
            [commits[level.at].commit.clone(), level.point.methods.clone(), level.point.value.to_string()]
        })
    });
    csv(["commit", "methods", "value"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Point, series};
    use crate::render::markdown;

    /// Twelve commits of nine method sets; at the eighth null move finds its bug, and instructions drift below the tolerance.
    fn made() -> Vec<Commit> {
        let point = |methods: String, measure: &str, value: f64| Point {
            suite: "gate".into(),
            game: "chess".into(),
            methods,
            measure: measure.into(),
            n: 10,
            value,
            ..Point::default()
        };
        let commit = |at: usize| {
            let mut points: Vec<Point> =
                (0..8).map(|arm| point(format!("arm-{arm}"), "nodes", 1_000.0 * (arm + 1) as f64)).collect();
            points.push(point("null-move".into(), "nodes", if at < 7 { 500.0 } else { 450.0 }));
            points.push(point("null-move".into(), INSTRUCTIONS, 1e9 + 1e5 * at as f64));
            let shares =
                Point { low: Some(0.7), high: Some(0.95), ..point("null-move".into(), "same_move", 0.9) };
            points.push(shares);
            Commit {
                commit: format!("{at:02x}beef0000"),
                date: format!("2026-02-{:02}T00:00:00Z", at + 1),
                points,
            }
        };
        (0..12).map(commit).collect()
    }

    #[test]
    fn the_one_step_is_named_with_its_commit_and_size() {
        let commits = made();
        let all = series(&commits, 0.005);
        let text = markdown(&report(&commits, &all, 0.005));
        assert!(text.contains("1 of 11 quantities have stepped, last at 07beef0000"), "{text}");
        assert!(
            text.contains(
                "| 07beef00 | 2026-02-08 | chess (gate): null-move | nodes | 500 | 450 | -10.00 % |"
            ),
            "{text}"
        );
        assert!(!text.contains("instructions |"), "{text}");
        let calm = &commits[..7];
        assert!(markdown(&report(calm, &series(calm, 0.005), 0.005)).contains("No quantity has stepped"));
    }

    #[test]
    fn pictures_have_a_ring_at_the_step_intervals_and_room_for_names() {
        let commits = made();
        let all = series(&commits, 0.005);
        let made = figures(&commits, &all);
        assert_eq!(made.len(), 3, "nodes, instructions, moves");
        assert!(made[0].caption.contains(&format!("{LINES} of 9")), "{}", made[0].caption);
        assert_eq!(made[0].svg.matches("r=\"5.5\"").count(), 1);
        assert_eq!(made[0].svg.matches("<polyline").count(), LINES);
        assert!(made[0].svg.contains("null-move: steps at 07beef00"));
        assert_eq!(made[2].svg.matches("stroke-opacity:.5\"").count(), 12, "an interval a commit");
        assert!(made.iter().all(|figure| !figure.svg.contains("NaN") && figure.csv.lines().count() > 1));
        // One commit is a picture too.
        assert!(figures(&commits[..1], &series(&commits[..1], 0.0)).iter().all(|f| !f.svg.contains("NaN")));
    }
}
