//! Positions at which a method set plays another move than the baseline, or gives another value: which they are, what both
//! say, and what the oracle says of it.
//!
//! Only searches of one depth are compared, or moves that an oracle judged: at an equal budget a deeper search may rightly
//! choose another move. The worst stand on the page with their boards, all of them in its data.

use crate::board::board;
use maud::{Markup, PreEscaped, html};
use secateur_base::sets::shortened;
use secateur_record::games::Traits;
use secateur_record::record::Record;
use secateur_reports::figure::csv;
use secateur_reports::format::{count, ratio};
use secateur_stats::group::Group;
use secateur_stats::metrics::same_move;
use std::collections::BTreeMap;

/// Positions that are shown with their boards.
const SHOWN: usize = 20;
/// Lines of the table; the rest is in the data.
const LISTED: usize = 400;
/// Rows of the data, because a page must stay small; whatever there is stands in the records of the run.
const KEPT: usize = 1_000;
/// A difference of values that counts for more than any other: one of them is proven.
const PROVEN: f64 = 1e6;

/// Positions as their games write them, by game and identifier of the position.
pub type Positions = BTreeMap<(String, String), String>;

/// One changed position.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// Game and budget in words.
    pub heading: String,
    /// The row of the baseline.
    pub base: &'a Record,
    /// The row of the method set.
    pub row: &'a Record,
    /// Whether the move is another one, and not one that the baseline values alike.
    pub moved: bool,
    /// What is lost, in what people read values in: regret beyond the baseline's where an oracle judged both moves, else how
    /// far the values are apart.
    pub lost: f64,
    /// Whether an oracle says so.
    pub judged: bool,
    traits: Traits,
}

/// All changed positions of all groups, the worst first.
#[must_use]
pub fn changes<'a>(groups: &[Group<'a>]) -> Vec<Change<'a>> {
    let mut all: Vec<Change<'a>> = groups.iter().flat_map(of_group).collect();
    // Among equals those whose move changed, then as they were recorded.
    all.sort_by(|a, b| {
        (b.lost, b.moved).partial_cmp(&(a.lost, a.moved)).unwrap_or(std::cmp::Ordering::Equal)
    });
    all
}

fn of_group<'a>(group: &Group<'a>) -> Vec<Change<'a>> {
    let mut found = Vec::new();
    for block in &group.blocks {
        let base = block.base();
        for &row in &block.rows[1..] {
            let judged = base.regret.zip(row.regret);
            let (moved, revalued) = (!same_move(base, row), base.score != row.score);
            if !(moved || revalued && group.is_fixed_depth()) || !(group.is_fixed_depth() || judged.is_some())
            {
                continue;
            }
            let per_unit = f64::from(group.traits.per_unit.max(1));
            let lost = match judged {
                Some((before, after)) => f64::from(after) - f64::from(before),
                None if is_settled_apart(&group.traits, base, row) => PROVEN * per_unit,
                None => Some(base.value_distance(row)).filter(|x| x.is_finite()).unwrap_or(0.0),
            };
            let heading = group.heading();
            let (lost, judged) = (lost / per_unit, judged.is_some());
            found.push(Change { heading, base, row, moved, lost, judged, traits: group.traits.clone() });
        }
    }
    found
}

/// Whether one of two values is proven and the other is not.
fn is_settled_apart(traits: &Traits, base: &Record, row: &Record) -> bool {
    let proven = |row: &Record| row.score.is_some_and(|score| traits.is_proven(score));
    proven(base) != proven(row)
}

impl Change<'_> {
    /// Whether it is of this group.
    pub(crate) fn is_of(&self, group: &Group<'_>) -> bool {
        (&*self.row.game, &*self.row.suite, self.row.budget_kind, self.row.budget)
            == (group.game, group.suite, group.budget_kind, group.budget)
    }

    /// Whether both show the same: position, budget and move.
    fn looks_like(&self, other: &Change<'_>) -> bool {
        let of = |row: &Record| (row.game.clone(), row.position.clone(), row.best_move.clone());
        self.heading == other.heading && of(self.row) == of(other.row)
    }

    fn value(&self, score: Option<i32>) -> String {
        match score {
            None => "-".to_owned(),
            Some(score) if self.traits.is_proven(score) => if score > 0 { "won" } else { "lost" }.to_owned(),
            Some(score) => format!("{:+.2}", f64::from(score) / f64::from(self.traits.per_unit.max(1))),
        }
    }

    fn lost_words(&self) -> String {
        if self.lost >= PROVEN {
            "a proven value".to_owned()
        } else {
            format!("{:.2} {}s", self.lost, self.traits.unit)
        }
    }

    fn saved(&self) -> String {
        format!("{}x", ratio(self.base.some_nodes() / self.row.some_nodes()))
    }
}

/// The worst of them as CSV, values in the unit of the record.
#[must_use]
pub fn data(all: &[Change<'_>]) -> String {
    let text = |value: Option<i32>| value.map_or_else(String::new, |value| value.to_string());
    let nodes = |row: &Record| row.nodes.map_or_else(String::new, |nodes| nodes.to_string());
    let header = [
        "game",
        "suite",
        "position",
        "stage",
        "budget_kind",
        "budget",
        "methods",
        "moved",
        "base_move",
        "move",
        "base_score",
        "score",
        "base_regret",
        "regret",
        "base_nodes",
        "nodes",
        "base_pv",
        "pv",
    ];
    let rows = all.iter().take(KEPT).map(|Change { base, row, moved, .. }| {
        [
            row.game.clone(),
            row.suite.clone(),
            row.position.clone(),
            row.stage.clone(),
            row.budget_kind.to_string(),
            row.budget.to_string(),
            row.methods.clone(),
            u8::from(*moved).to_string(),
            base.best_move.clone(),
            row.best_move.clone(),
            text(base.score),
            text(row.score),
            text(base.regret),
            text(row.regret),
            nodes(base),
            nodes(row),
            base.pv.clone(),
            row.pv.clone(),
        ]
    });
    csv(header, rows)
}

/// Changes that play the same move in the same position under the same budget share a board: the worst boards, each with its
/// changes.
struct Boards<'c, 'a>(Vec<Vec<&'c Change<'a>>>);

impl<'c, 'a> Boards<'c, 'a> {
    fn of(all: &'c [Change<'a>]) -> Boards<'c, 'a> {
        let mut boards: Vec<Vec<&Change<'a>>> = Vec::new();
        for change in all {
            match boards.iter().position(|board| board[0].looks_like(change)) {
                Some(at) => boards[at].push(change),
                None if boards.len() < SHOWN => boards.push(vec![change]),
                None => {}
            }
        }
        Boards(boards)
    }

    /// The anchor of the board that a change is on, if it is among the worst.
    fn anchor(&self, change: &Change<'_>) -> Option<String> {
        let at = self.0.iter().position(|board| board[0].looks_like(change))?;
        Some(format!("change-{}", at + 1))
    }
}

/// What stands above everything: how many of the searches of a group changed, and the worst.
pub(crate) fn sentence(own: &[&Change<'_>], searches: usize, all: &[Change<'_>]) -> Option<Markup> {
    let own_of =
        |wanted: fn(&Change<'_>) -> bool| count(own.iter().filter(|change| wanted(change)).count() as u64);
    let worst = own.first()?;
    let anchor = Boards::of(all).anchor(worst);
    Some(html! {
        p {
            "The move changed in " (own_of(|change| change.moved)) " of " (count(searches as u64)) " searches, the value in "
            (own_of(|change| change.base.score != change.row.score)) ". The worst: " (shortened(&worst.row.methods)) " at "
            @if let Some(anchor) = anchor { a href=(format!("#{anchor}")) { (worst.row.position) } }
            @else { (worst.row.position) }
            @if worst.judged { ", which loses " (worst.lost_words()) " by the oracle." }
            @else { ", whose value is off by " (worst.lost_words()) "." }
        }
    })
}

/// The table, and the worst with their boards.
pub(crate) fn section(all: &[Change<'_>], positions: &Positions) -> Markup {
    let boards = Boards::of(all);
    html! {
        p {
            "Every search of one depth, or judged by an oracle, whose move or value is not the baseline's. Lost is regret "
            "beyond the baseline's where an oracle judged both moves, else how far the values are apart. On the boards the "
            "baseline's move is blue and whole, the other orange and broken."
        }
        @if all.len() > LISTED {
            p.note {
                "The worst " (LISTED) " of " (count(all.len() as u64)) " are listed; "
                @if all.len() > KEPT { "the data has the worst " (count(KEPT as u64)) ", records.csv of the run all." }
                @else { "the data has all." }
            }
        }
        div.scroll tabindex="0" role="region" aria-label="changed positions" {
            table data-filter="changed" {
                thead { tr {
                    th.left scope="col" { button type="button" { "position" } }
                    th.left scope="col" data-pick="search" { button type="button" { "block" } }
                    th.left scope="col" data-pick="stage" { button type="button" { "stage" } }
                    th.left scope="col" data-pick="method" { button type="button" { "method" } }
                    th.left scope="col" { button type="button" { "baseline's move" } }
                    th.left scope="col" { button type="button" { "its move" } }
                    th.left scope="col" data-pick="changed" { button type="button" { "changed" } }
                    th scope="col" { button type="button" { "baseline's value" } }
                    th scope="col" { button type="button" { "its value" } }
                    th scope="col" data-least="lost more than" { button type="button" { "lost" } }
                    th scope="col" { button type="button" { "nodes saved" } }
                } }
                tbody {
                    @for change in all.iter().take(LISTED) { (line(change, boards.anchor(change))) }
                }
            }
        }
        div.boards {
            @for (index, board) in boards.0.iter().enumerate() { (card(board, index, positions)) }
        }
    }
}

fn line(change: &Change<'_>, anchor: Option<String>) -> Markup {
    let Change { base, row, .. } = change;
    html! {
        tr {
            th.left scope="row" {
                @if let Some(anchor) = anchor { a href=(format!("#{anchor}")) { (row.position) } }
                @else { (row.position) }
            }
            td.left { (change.heading) }
            td.left { (row.stage) }
            td.left { (shortened(&row.methods)) }
            td.left { (base.best_move) }
            td.left { (row.best_move) }
            td.left { @if change.moved { "move" } @else { "value" } }
            td { (change.value(base.score)) }
            td { (change.value(row.score)) }
            td data-v=(format!("{:.4}", change.lost)) { (change.lost_words()) }
            td data-v=(format!("{:.4}", base.some_nodes() / row.some_nodes())) { (change.saved()) }
        }
    }
}

fn card(changes: &[&Change<'_>], index: usize, positions: &Positions) -> Markup {
    let change = changes[0];
    let Change { base, row, .. } = change;
    let text = positions.get(&(row.game.clone(), row.position.clone()));
    let title = format!("{}: {} and {}", row.position, base.best_move, row.best_move);
    let picture = text.and_then(|text| board(text, [&base.best_move, &row.best_move], &title));
    let regret = |row: &Record| match row.regret {
        Some(_) => format!(", regret {}", change.value(row.regret).trim_start_matches('+')),
        None => String::new(),
    };
    let nodes = |row: &Record| row.nodes.map_or_else(|| "-".to_owned(), count);
    html! {
        article.change id=(format!("change-{}", index + 1)) {
            h3 { (index + 1) ". " (row.position) ": " (base.best_move) " or " (row.best_move) }
            p.note { (change.heading) "; " (shortened(&row.methods))
                @if change.judged { " loses " } @else { " is off by " } (change.lost_words()) }
            @if let Some(picture) = picture { (PreEscaped(picture)) }
            @if let Some(text) = text { p.note { code { (text) } } }
            dl {
                @for row in [*base].into_iter().chain(changes.iter().map(|change| change.row)) {
                    dt { (shortened(&row.methods)) ": " strong { (row.best_move) } ", " (change.value(row.score)) (regret(row)) }
                    dd { (nodes(row)) " nodes; " code { (row.pv) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::BudgetKind;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    /// One position for each way of being changed, and one that is not.
    fn records() -> Vec<Record> {
        let moved = |record: Record, mv: &str, score: i32| Record {
            best_move: mv.into(),
            score: Some(score),
            move_tied: Some(false),
            ..record
        };
        vec![
            row("same", "28", "none", 100),
            row("same", "28", "mpc", 10),
            row("moved", "28", "none", 100),
            moved(row("moved", "28", "mpc", 10), "c4", 250),
            row("tied", "28", "none", 100),
            Record { move_tied: Some(true), ..moved(row("tied", "28", "mpc", 10), "c4", 0) },
            row("valued", "28", "none", 100),
            Record { score: Some(-900), ..row("valued", "28", "mpc", 50) },
        ]
    }

    #[test]
    fn what_changed_is_found_and_the_worst_comes_first() {
        let records = records();
        let groups = groups(&records);
        let all = changes(&groups);
        let found: Vec<(&str, bool, f64)> =
            all.iter().map(|c| (c.row.position.as_str(), c.moved, c.lost)).collect();
        assert_eq!(found, [("valued", false, 9.0), ("moved", true, 2.5)]);
        assert_eq!(all[1].saved(), "10.0x");
        assert_eq!(data(&all).lines().count(), 3);
    }

    #[test]
    fn an_oracle_goes_before_values_and_proofs_before_all() {
        let mut records = records();
        for record in &mut records {
            record.regret =
                Some(if record.position == "moved" && record.methods == "mpc" { 1_000 } else { 300 });
        }
        let judged = groups(&records);
        let all = changes(&judged);
        assert_eq!((all[0].row.position.as_str(), all[0].lost, all[0].judged), ("moved", 7.0, true));
        let mut records = self::records();
        records[3].score = Some(1_000_000);
        let groups = groups(&records);
        let all = changes(&groups);
        let decisive = secateur_record::games::traits("othello").unwrap().decisive.is_some();
        assert_eq!(all[0].lost_words() == "a proven value", decisive);
    }

    #[test]
    fn at_equal_budgets_another_move_is_no_change_unless_it_is_judged() {
        let mut records = records();
        for record in &mut records {
            record.budget_kind = BudgetKind::Nodes;
        }
        assert!(changes(&groups(&records)).is_empty());
        for record in &mut records {
            record.regret = Some(i32::from(record.best_move == "c4"));
        }
        let groups = groups(&records);
        let found: Vec<&str> = changes(&groups).iter().map(|c| c.row.position.as_str()).collect();
        assert_eq!(found, ["moved"]);
    }

    #[test]
    fn the_worst_have_boards_where_the_position_is_known() {
        let records = records();
        let groups = groups(&records);
        let all = changes(&groups);
        let text = format!("{}XO{} X;", "-".repeat(27), "-".repeat(35));
        let positions = Positions::from([(("othello".to_owned(), "moved".to_owned()), text)]);
        let page = section(&all, &positions).into_string();
        assert_eq!(page.matches("<svg").count(), 1);
        assert_eq!(page.matches("<article").count(), 2);
        assert!(page.contains("href=\"#change-1\"") && page.contains("id=\"change-1\""), "{page}");
        assert!(page.contains("+2.50") && page.contains("-9.00"), "{page}");
    }
}
