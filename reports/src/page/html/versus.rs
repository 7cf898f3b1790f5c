//! Two runs, or two method sets, on one page: the verdict, a picture of paired differences, every test, and what changed position
//! by position.
//!
//! It looks as the page of one run does, and like it changes no number: the tests are those of `compare`. Left out: what either
//! side says by itself, which is its own page.

use super::{CHANGED, Special, changed_positions, document};
use crate::compare::Conclusion;
use crate::figure::{Column, by_columns};
use crate::format::{count, plural, ratio};
use crate::page::changes::{Boards, Positions, Sides, between};
use crate::page::plots::{Plot, both};
use maud::{Markup, html};
use secateur_base::sets::shortened;
use secateur_record::record::BudgetKind;
use secateur_stats::compare::{Duel, Finding, SideBySide, weigh};
use secateur_stats::contrast::Mean;
use secateur_stats::inference::Shown;
use secateur_stats::interval::Interval;
use secateur_stats::labels;
use secateur_stats::measure::{DEPTH, DISTANCE, MOVES, Measure, NODES, REGRET};
use secateur_stats::runs::by_key;

/// Most rows of a picture; the table of tests has all.
const ROWS: usize = 24;

/// The page of two sides. `positions` gives the boards; those that are not in it have none.
pub fn page(found: &SideBySide<'_>, concluded: &Conclusion, positions: &Positions) -> String {
    let weighed = weigh(found);
    let tested: Vec<Tested<'_>> = found
        .duels
        .iter()
        .zip(&weighed.duels)
        .map(|(duel, weighed)| Tested { duel, findings: &weighed.findings })
        .collect();
    let changed = between(&found.duels);
    let shared: usize = found.duels.iter().map(|duel| duel.positions.len()).sum();
    let repeated: usize = found.duels.iter().map(|duel| duel.repeated()).sum();
    let moved = changed.iter().filter(|change| change.moved).count();
    let searches = found.duels.iter().flat_map(|duel| &duel.positions);
    let undecided = searches.filter(|position| position.is_moved().is_none()).count();
    let grouped = |n: usize| count(n as u64);
    let first = html! {
        p { "First: " strong { (side(found, 0)) } "; second: " strong { (side(found, 1)) } "." }
        p.verdict { strong { (concluded.line) } }
        p {
            (grouped(repeated)) " of " (grouped(shared)) " searches are the same in nodes, depth, move and value. "
            @if found.duels.iter().any(|duel| duel.budget_kind == BudgetKind::Depth) || !changed.is_empty() {
                "The move changed in " (grouped(moved))
                @if undecided > 0 { " (" (plural(undecided, "other move")) " left out, undecided)" }
                ", the value or the move in "
                @if changed.is_empty() { "none." } @else { a href="#changed-positions" { (grouped(changed.len())) } "." }
            }
        }
        @for (title, duels) in families(&tested) {
            div.answer.whole data-name=(title) {
                h2 { (title) }
                figure.forest {
                    (picture(&title, &duels))
                    figcaption {
                        "Second against first on the same positions, with 95 % intervals. A filled dot is shown to differ after "
                        "correction for all tests of this page, a ring is not."
                        @if duels.len() > ROWS { " Of " (duels.len()) " rows the " (ROWS) " that differ most; the table below has all." }
                    }
                }
            }
        }
    };
    let mut sections = Vec::new();
    if !changed.is_empty() {
        sections.push((CHANGED, changed_positions(&changed, &Boards::of(&changed), positions, Sides::Runs)));
    }
    let special = Special { first, sections, folded: None };
    document(&concluded.report, &[], &data(&tested), &special)
}

/// A duel with what was found of it.
#[derive(Clone, Copy)]
struct Tested<'a> {
    duel: &'a Duel<'a>,
    findings: &'a [Finding],
}

/// A side by its name, and by its method set where only one is compared with another one.
fn side(found: &SideBySide<'_>, at: usize) -> String {
    match found.duels.first().map(|duel| duel.methods) {
        Some(methods) if methods[0] != methods[1] => {
            format!("{}, {}", found.names[at], shortened(methods[at]))
        }
        _ => found.names[at].to_owned(),
    }
}

/// Duels that share a picture: one game, and depths or other budgets, because their costs are measured in other things.
fn families<'t>(tested: &'t [Tested<'t>]) -> Vec<(String, Vec<&'t Tested<'t>>)> {
    let titled = |duel: &'t Tested<'t>| {
        let what = if is_depth(duel) { "equal depth" } else { "equal budget" };
        (format!("{}, {what}: second against first", duel.duel.game), duel)
    };
    by_key(tested.iter().map(titled))
}

fn is_depth(weighed: &Tested<'_>) -> bool {
    weighed.duel.budget_kind == BudgetKind::Depth
}

/// What one row of one plot shows: its interval, and whether a difference is shown.
fn change_of(weighed: &Tested<'_>, measure: &Measure) -> Option<(Interval, bool)> {
    let finding = weighed.findings.iter().find(|finding| finding.measure == measure)?;
    let points = if measure.mean == Mean::Share { 0.01 } else { 1.0 };
    Some((finding.estimate.within.in_units(points), finding.worse() != Shown::No))
}

/// A row a duel, those that differ most in cost first where not all have room.
fn picture(title: &str, duels: &[&Tested<'_>]) -> Markup {
    let by_depth = duels.first().is_some_and(|duel| is_depth(duel));
    let cost = if by_depth { NODES } else { DEPTH };
    let mut rows = duels.to_vec();
    if rows.len() > ROWS {
        let size = |duel: &Tested<'_>| {
            let change = change_of(duel, &cost).map_or(0.0, |(within, _)| within.estimate);
            (if by_depth { change.ln() } else { change }).abs()
        };
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
        rows.truncate(ROWS);
    }
    let names: Vec<String> = rows.iter().map(|weighed| name(weighed)).collect();
    let judged = rows.iter().any(|duel| change_of(duel, &REGRET).is_some());
    let units = rows.first().map_or_else(|| "units".to_owned(), |duel| duel.duel.traits.units());
    let loss = if judged { (REGRET, "regret") } else { (DISTANCE, "|dv|") };
    let ratios: fn(f64) -> String = |x| format!("x {}", ratio(x));
    let plies: fn(f64) -> String = |x| format!("{x:+.2}");
    let points: fn(f64) -> String = |x| format!("{x:+.0}");
    let (heading, words) = if by_depth { ("nodes, ratio", ratios) } else { ("depth, plies", plies) };
    let columns = [
        (cost, heading.to_owned(), by_depth, words),
        (MOVES, "moves kept, points".to_owned(), false, points),
        (loss.0, format!("{}, {units}", loss.1), false, plies),
    ];
    let plots = columns.into_iter().filter_map(|(measure, heading, log, words)| {
        let row_changes: Vec<Option<(Interval, bool)>> =
            rows.iter().map(|duel| change_of(duel, &measure)).collect();
        let values = row_changes.iter().map(|change| change.map(|(within, _)| within)).collect();
        let firm = row_changes.iter().map(|change| change.is_some_and(|(_, firm)| firm)).collect();
        let plot = Plot { firm, ..Plot::new(heading, (log, if log { 1.0 } else { 0.0 }), values, words) };
        row_changes.iter().any(Option::is_some).then_some(plot)
    });
    both(title, &names, &plots.collect::<Vec<_>>(), &format!("{title}: picture"))
}

/// Budget and method sets of a row; the game stands above the picture.
fn name(weighed: &Tested<'_>) -> String {
    let duel = weighed.duel;
    let [first, second] = duel.methods.map(shortened);
    let methods = if first == second { first } else { format!("{second} / {first}") };
    format!("{methods}, {}", labels::budget(duel.budget_kind, duel.budget))
}

/// Every test unrounded.
fn data(tested: &[Tested<'_>]) -> String {
    let rows = tested.iter().flat_map(|Tested { duel, findings }| {
        findings.iter().map(move |finding| {
            let Interval { estimate, low, high } = finding.estimate.within;
            let numbers = [finding.sides[0], finding.sides[1], estimate, low, high, finding.estimate.p];
            let numbers = numbers.map(|x: f64| if x.is_finite() { x.to_string() } else { String::new() });
            (*duel, finding, numbers)
        })
    });
    let columns: [Column<(&Duel<'_>, &Finding, [String; 6])>; 14] = [
        ("game", |row| row.0.game.to_owned()),
        ("budget_kind", |row| row.0.budget_kind.to_string()),
        ("budget", |row| row.0.budget.to_string()),
        ("first_methods", |row| row.0.methods[0].to_owned()),
        ("second_methods", |row| row.0.methods[1].to_owned()),
        ("positions", |row| row.0.positions.len().to_string()),
        ("measure", |row| row.1.measure.name.to_owned()),
        ("first", |row| row.2[0].clone()),
        ("second", |row| row.2[1].clone()),
        ("change", |row| row.2[2].clone()),
        ("low", |row| row.2[3].clone()),
        ("high", |row| row.2[4].clone()),
        ("p_holm", |row| row.2[5].clone()),
        ("second_is", |row| row.1.worse().choose("worse", "better", "not shown to differ").to_owned()),
    ];
    by_columns(columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::conclude;
    use secateur_record::manifest::Manifest;
    use secateur_record::record::Record;
    use secateur_stats::compare::{Side, side_by_side};
    use secateur_stats::fixtures::{manifest, row};
    use secateur_stats::runs::Runs;

    fn game() -> Manifest {
        manifest(
            "run = \"r\"\ncomplete = true\n[[game]]\nname = \"othello\"\nparams = \"p\"\nevaluation = \"e\"\n\
             [game.sets]\nothello-28 = \"h\"\n",
        )
    }

    /// Twelve positions; the first `lost` of `mpc` play another move, worth three discs less.
    fn run(nodes: u64, lost: u64) -> Runs {
        let mut records = Vec::new();
        for i in 0..12 {
            let position = format!("p{i}");
            records.push(row(&position, "28", "none", 1_000 + i));
            let record = row(&position, "28", "mpc", nodes + i);
            let worse = Record {
                best_move: "a1".into(),
                score: Some(-300),
                move_tied: Some(false),
                ..record.clone()
            };
            records.push(if i < lost { worse } else { record });
        }
        Runs { manifests: vec![game()], records, ..Runs::default() }
    }

    fn made(first: &Runs, second: &Runs, name: &str) -> String {
        let side = |name, runs| Side { name, runs, methods: None };
        let sides = side_by_side(side("before", first), side(name, second), false).expect("comparable");
        page(&sides, &conclude(&sides), &Positions::new())
    }

    #[test]
    fn the_verdict_the_differences_and_the_positions_stand_on_it() {
        let text = made(&run(100, 0), &run(50, 10), "after");
        for words in [
            "Trade: better in nodes",
            "nodes, ratio",
            "moves kept, points",
            "second's move",
            "lost more than",
        ] {
            assert!(text.contains(words), "{words}");
        }
        // Ten moves changed, all alike: ten boards' cards, linked from ten lines.
        assert_eq!(text.matches("<article").count(), 10);
        assert_eq!(text.matches("href=\"#change-").count(), 10);
        assert!(text.contains("10</a>"), "the sentence leads to them");
        // `none` repeats and is a ring; the nodes of `mpc` are shown to differ and have a filled dot.
        assert!(text.contains("style=\"fill:none;stroke:#0072b2") && text.contains("style=\"fill:#0072b2\""));
        assert!(!text.contains("NaN"), "{text}");
    }

    /// A move that was not compared with the baseline's may be as good; where the first side's is known to
    /// be worse, it is another one in any case.
    #[test]
    fn undecided_moves_are_no_changed_ones_and_are_counted() {
        let mut second = run(50, 10);
        for row in second.records.iter_mut().filter(|row| row.methods == "mpc" && row.best_move == "a1") {
            row.best_move = "b2".into();
            let open = ["p0", "p1", "p2"].contains(&row.position.as_str());
            (row.move_tied, row.score) = (Some(false).filter(|_| !open), Some(0));
        }
        let text = made(&run(100, 1), &second, "after");
        let sentence = "The move changed in 8 (2 other moves left out, undecided), the value or the move in ";
        assert!(text.contains(sentence), "{text}");
        assert_eq!(text.matches("<article").count(), 8);
        let note = "no search decided whether another move is as good: 3 positions (othello, depth 12: mpc).";
        assert!(text.contains(note), "{text}");
    }

    #[test]
    fn a_run_against_itself_has_no_changed_position() {
        let one = run(100, 2);
        let text = made(&one, &one.clone(), "after");
        assert!(text.contains("Not shown to differ") && !text.contains("<article"), "{text}");
        assert!(text.contains("24 of 24 searches are the same"), "{text}");
    }

    /// Every picture has its name for the menu of the page.
    #[test]
    fn pictures_are_named() {
        let text = made(&run(100, 0), &run(50, 3), "after");
        let pictures = text.matches("class=\"answer whole\"").count();
        assert!(
            pictures > 0 && text.matches("data-name=\"othello, equal depth").count() == pictures,
            "{text}"
        );
    }

    #[test]
    fn names_of_runs_are_text() {
        let text = made(&run(100, 0), &run(50, 3), "</script><script>alert(1)</script>");
        assert_eq!(text.matches("<script").count(), 1, "only ours");
    }
}
