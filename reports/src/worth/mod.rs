//! The page on a program: what is each of its methods worth, in nodes, time, moves and games?
//!
//! Made of the run of a subject (`bench --subject`) and, where they were played, of matches of the program as it is against the
//! program without a method. What nobody measured has no column.

mod games;

use crate::counting::words;
use crate::format::{p_words, ratio_within, share_within, signed_within};
use crate::provenance;
use crate::table::{Report, Section, Table};
use secateur_record::manifest::Published;
use secateur_record::play::Ended;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::interval::Interval;
use secateur_stats::measures::MeasureRow;
use secateur_stats::play::match_rows;
use secateur_stats::runs::Runs;
use secateur_stats::solved::{problems, searches, solutions};
use secateur_stats::worth::{Worth, worths};
use std::collections::BTreeMap;

/// A match of the program as it is against the program without some methods.
#[derive(Clone, Debug)]
pub struct Played {
    /// The methods, one or two.
    pub methods: Vec<String>,
    /// The match; its first player has them.
    pub ended: Ended,
}

/// What the methods are worth under one budget.
struct Measured<'g, 'a> {
    group: &'g Group<'a>,
    worths: Vec<Worth>,
}

/// The Elo of methods, its interval, and the games it rests on.
type Elos<'m> = BTreeMap<&'m [String], (Interval, usize)>;

/// The page; without a section if no group has an arm `full` and one without a method.
#[must_use]
pub fn page(runs: &Runs, played: &[Played]) -> Report {
    let groups = groups_of(runs);
    let (elos, mut report) = (elos(played), Report::new("What each method is worth"));
    let program = groups.iter().find_map(|group| runs.program(group.game));
    if let Some(program) = program {
        report.title = format!("What each method is worth in {}", program.id);
    }
    report.notes.extend(runs.notes.iter().cloned());
    report.notes.extend(games::shallow(played));
    let none = Published::default();
    let published = program.map_or(&none, |program| &program.published);
    let measured = measured(&groups, runs);
    for measured in &measured {
        let mut section = section(measured, &elos, published);
        section.text.extend(counted(measured, runs));
        report.sections.push(section);
        report.sections.extend(games::order(published, &measured.worths, &elos));
    }
    let id = program.map_or("", |program| &program.id);
    report.sections.extend(games::section(&games::pairs(id, &measured, &elos)));
    report.sections.push(provenance::section(runs));
    report
}

/// Whether Elo values add up, in several programs: the same runs and matches as of their pages.
#[must_use]
pub fn study(programs: &[(Runs, Vec<Played>)]) -> Option<Section> {
    let pairs = |(runs, played): &(Runs, Vec<Played>)| {
        let groups = groups_of(runs);
        let id = groups.iter().find_map(|group| runs.program(group.game)).map_or("", |program| &program.id);
        games::pairs(id, &measured(&groups, runs), &elos(played))
    };
    games::section(&programs.iter().flat_map(pairs).collect::<Vec<_>>())
}

/// The numbers of the page, unrounded, one to a row.
#[must_use]
pub fn rows(runs: &Runs, played: &[Played]) -> Vec<MeasureRow> {
    let groups = groups_of(runs);
    let mut rows: Vec<MeasureRow> = measured(&groups, runs).iter().flat_map(rows_of).collect();
    for Played { methods, ended } in played {
        let named = |row| MeasureRow { methods: methods.join(" x "), ..row };
        rows.extend(match_rows(ended).into_iter().map(named));
    }
    rows
}

fn measured<'g, 'a>(groups: &'g [Group<'a>], runs: &Runs) -> Vec<Measured<'g, 'a>> {
    let (solutions, searches) = (solutions(runs), searches(runs));
    let of = |group| {
        let problems = problems(group, &solutions, &searches);
        Measured { group, worths: worths(group, &problems) }
    };
    groups.iter().map(of).filter(|measured| !measured.worths.is_empty()).collect()
}

fn elos(played: &[Played]) -> Elos<'_> {
    let of = |played: &'_ Played| {
        let rows = match_rows(&played.ended);
        let row = rows.iter().find(|row| row.measure == "elo")?;
        let interval = Interval {
            estimate: row.estimate?,
            low: row.low.unwrap_or(f64::NAN),
            high: row.high.unwrap_or(f64::NAN),
        };
        Some((interval, played.ended.rows.len()))
    };
    played.iter().filter_map(|played| Some((&*played.methods, of(played)?))).collect()
}

/// A column: its heading, and the cell of a method.
type Column<'c> = (&'static str, Box<dyn Fn(&Worth) -> Option<String> + 'c>);

fn columns<'c>(elos: &'c Elos<'_>, published: &'c Published) -> Vec<Column<'c>> {
    let ratio = |interval: &Option<Interval>| interval.as_ref().map(ratio_within);
    vec![
        ("nodes without it", Box::new(move |worth| ratio(&worth.nodes_in_company))),
        ("alone it saves", Box::new(move |worth| ratio(&worth.nodes_alone))),
        ("time without it", Box::new(move |worth| ratio(&worth.time_in_company))),
        ("instructions without it", Box::new(move |worth| ratio(&worth.instructions_in_company))),
        ("saves the same as", Box::new(partner)),
        ("same move", Box::new(|worth| Some(share_within(worth.same_move)))),
        (
            "regret without it",
            Box::new(|worth| {
                let (excess, p) = worth.regret_without?;
                Some(format!("{:+.1} (p {})", excess + 0.0, p_words(Some(p))))
            }),
        ),
        (
            "solved with, without",
            Box::new(|worth| {
                let (with, less, of, _) = worth.solved?;
                Some(format!("{with}, {less} of {of}"))
            }),
        ),
        (
            "Elo",
            Box::new(|worth| {
                let (elo, games) = elos.get(std::slice::from_ref(&worth.method))?;
                Some(format!("{} ({games} games)", signed_within(elo)))
            }),
        ),
        ("published Elo", Box::new(|worth| published.elo.get(&worth.method).map(ToString::to_string))),
    ]
}

/// The method that most of its nodes are saved by too, and by what factor the two together save less than one by one.
fn partner(worth: &Worth) -> Option<String> {
    let (name, shared) = worth.partners.first()?;
    Some(if shared.estimate > 1.0 { format!("{name} ({})", ratio_within(shared)) } else { "none".to_owned() })
}

fn section(measured: &Measured<'_, '_>, elos: &Elos<'_>, published: &Published) -> Section {
    let Measured { group, worths } = measured;
    let columns = columns(elos, published);
    let cells: Vec<Vec<Option<String>>> =
        worths.iter().map(|worth| columns.iter().map(|(_, cell)| cell(worth)).collect()).collect();
    let known: Vec<usize> =
        (0..columns.len()).filter(|&at| cells.iter().any(|row| row[at].is_some())).collect();
    let headings: Vec<&str> =
        std::iter::once("<method").chain(known.iter().map(|&at| columns[at].0)).collect();
    let mut table = Table::new(&headings);
    for (worth, row) in worths.iter().zip(&cells) {
        let cell = |&at: &usize| row[at].clone().unwrap_or_else(|| "-".to_owned());
        table.push(std::iter::once(worth.method.clone()).chain(known.iter().map(cell)).collect());
    }
    table.notes.push(
        "Without it: the program without the method over the program as it is; nodes and instructions as geometric means, time in \
         sum; 95 % intervals over source games. Alone: none over the method alone. Saves the same as: of every two methods, the one with which it overlaps \
         most, and by what factor both together save less than one by one within the program. Same move: how often its absence leaves the \
         move. Regret without it: what moves lose more on average than those of the program as it is, score units, p uncorrected. \
         A depth of one program is not the work of another: only rows of one program compare."
            .to_owned(),
    );
    let title = format!("{}, {} positions", group.heading(), group.blocks.len());
    Section { title, text: sentences(worths), tables: vec![table] }
}

/// What is to know of the instructions, where they were counted.
fn counted(measured: &Measured<'_, '_>, runs: &Runs) -> Option<String> {
    let (group, counted) = (measured.group, measured.group.counted().len());
    let words = words(runs, group.game)?;
    Some(format!("{words} Every arm has a count at {counted} of {} positions.", group.blocks.len()))
}

/// The largest, and who saves the same.
fn sentences(worths: &[Worth]) -> Vec<String> {
    let mut text = Vec::new();
    let known = worths.iter().filter_map(|worth| Some((worth, worth.nodes_in_company?)));
    if let Some((worth, most)) = known.max_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate)) {
        text.push(format!(
            "Most nodes are saved by `{}`: without it the program needs {} times as many.",
            worth.method,
            ratio_within(&most)
        ));
    }
    for worth in worths {
        let (Some(company), Some(alone), Some(overlap)) =
            (worth.nodes_in_company, worth.nodes_alone, worth.overlap)
        else {
            continue;
        };
        // Less than a twentieth is nothing to speak of.
        if overlap.abs() < 0.05 {
            continue;
        }
        let more = if overlap > 0.0 { "less" } else { "more" };
        let mut sentence = format!(
            "`{}` saves {more} in company ({:.2} times) than alone ({:.2})",
            worth.method, company.estimate, alone.estimate
        );
        if let Some((partner, shared)) =
            worth.partners.first().filter(|(_, shared)| overlap > 0.0 && shared.estimate > 1.05)
        {
            sentence += &format!(
                "; most of what is saved twice it shares with `{partner}` (a factor of {:.2})",
                shared.estimate
            );
        }
        text.push(sentence + ".");
    }
    text
}

fn rows_of(measured: &Measured<'_, '_>) -> Vec<MeasureRow> {
    let Measured { group, worths } = measured;
    let row = |worth: &Worth, measure: &str, interval: Interval| MeasureRow {
        game: group.game.to_owned(),
        suite: group.suite.to_owned(),
        budget_kind: group.budget_kind.to_string(),
        budget: group.budget,
        methods: worth.method.clone(),
        stage: "all".to_owned(),
        measure: measure.to_owned(),
        n: group.blocks.len(),
        estimate: Some(interval.estimate),
        low: Some(interval.low).filter(|low| low.is_finite()),
        high: Some(interval.high).filter(|high| high.is_finite()),
        run: group.runs(),
    };
    let mut rows = Vec::new();
    for worth in worths {
        let intervals = [
            ("nodes_without", worth.nodes_in_company),
            ("nodes_alone", worth.nodes_alone),
            ("time_without", worth.time_in_company),
            ("instructions_without", worth.instructions_in_company),
            ("same_move", worth.same_move),
            ("regret_without", worth.regret_without.map(|(excess, _)| Interval::none(excess))),
            ("solved_without", worth.solved.map(|(.., difference)| difference)),
            ("ln_overlap", worth.overlap.map(Interval::none)),
        ];
        rows.extend(intervals.into_iter().filter_map(|(name, found)| Some(row(worth, name, found?))));
        for (partner, shared) in &worth.partners {
            let pair = row(worth, "nodes_without_both", *shared);
            rows.push(MeasureRow { methods: format!("{} x {partner}", worth.method), ..pair });
        }
    }
    rows
}
