//! Changed positions for people: a table to filter, and the worst with their boards.
//!
//! What has a board is linked from its line to the board; every line and board is a place of its own, so that a reader can send a
//! link to any of them. Under each board stands the command that searches the position again.

use super::{Change, Known, PROVEN, Positions, Sides, nodes};
use crate::format::{count, plural};
use crate::page::board::board;
use crate::page::copied;
use maud::{Markup, PreEscaped, html};
use secateur_base::sets::shortened;
use secateur_record::label::Label;
use secateur_record::record::{BudgetKind, Record};
use secateur_stats::group::Group;
use secateur_stats::runs::each_once;
use secateur_stats::worth::lacking;

/// Positions that are shown with their boards, shared by all games.
const SHOWN: usize = 24;
/// Lines of the table; the rest is in the data.
const LISTED: usize = 400;
/// Rows of the data within a page, which must stay small; `report --changed` writes all.
pub(crate) const KEPT: usize = 1_000;

/// Changes that play the same moves in the same position under the same budget share a board: the worst boards of every game, each
/// with its changes.
pub(crate) struct Boards<'c, 'a>(Vec<Vec<&'c Change<'a>>>);

impl<'c, 'a> Boards<'c, 'a> {
    pub(crate) fn of(all: &'c [Change<'a>]) -> Boards<'c, 'a> {
        let games = games(all);
        let each = SHOWN / games.len().max(1);
        let mut boards: Vec<Vec<&Change<'a>>> = Vec::new();
        for game in games {
            let first = boards.len();
            for change in all.iter().filter(|change| change.row.game == game) {
                match boards[first..].iter().position(|board| board[0].looks_like(change)) {
                    Some(at) => boards[first + at].push(change),
                    None if boards.len() < first + each.max(1) => boards.push(vec![change]),
                    None => {}
                }
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

/// The games of changes, that of the worst first.
fn games(all: &[Change<'_>]) -> Vec<Label> {
    each_once(all.iter().map(|change| change.row.game))
}

impl Sides {
    /// Whose the move, value or node count is.
    fn owners(self) -> [&'static str; 2] {
        match self {
            Sides::Methods => ["baseline's", "its"],
            Sides::Without => ["with it:", "without it:"],
            Sides::Runs => ["first's", "second's"],
        }
    }

    /// What the section begins with.
    fn introduction(self) -> &'static str {
        match self {
            Sides::Methods => {
                "Every search of one depth, or judged by an oracle, whose move or value is not the baseline's. Lost is regret \
                 beyond the baseline's where an oracle judged both moves, else how far the values are apart; the worst come first, in \
                 standard deviations of the baseline's values in that game (SD). On the boards the baseline's move is blue and whole, the \
                 other orange and broken."
            }
            Sides::Without => {
                "Positions at which the program without a method plays another move, these first, or gives another value; the largest \
                 differences stand on top: in what a judge says that the moves lose, where one was asked for, else in how far the values are \
                 apart (SD: in standard deviations of the program's values). On the boards the move of the program as it is is blue and \
                 whole, that without the method orange and broken."
            }
            Sides::Runs => {
                "Every search of one depth, or judged by an oracle, whose move or value the second side changed. Lost is the \
                 second's regret beyond the first's where an oracle judged both moves (negative: won back), else how far the \
                 values are apart; the worst come first, in standard deviations of the first's values in that game (SD). On the boards \
                 the first's move is blue and whole, the second's orange and broken."
            }
        }
    }

    /// Who searched a row, on a card.
    fn name(self, side: usize, row: &Record) -> String {
        let methods = shortened(&row.methods);
        match self {
            Sides::Methods => methods,
            Sides::Without if side == 0 => "as it is".to_owned(),
            Sides::Without => lacks(&methods),
            Sides::Runs => format!("{} ({methods})", ["first", "second"][side.min(1)]),
        }
    }
}

/// What an arm lacks, in words: `full[-lmr]` is the program without lmr.
fn lacks(arm: &str) -> String {
    lacking(arm).map_or_else(|| arm.to_owned(), |method| format!("without {method}"))
}

/// What stands above everything: how many of the searches of a group changed, and the worst.
pub(crate) fn sentence(all: &[Change<'_>], group: &Group<'_>, boards: &Boards<'_, '_>) -> Option<Markup> {
    let searches = group.blocks.len() * (group.methods.len() - 1);
    let undecided: usize = (1..group.methods.len()).map(|method| group.undecided(method)).sum();
    let changes_of_group = || all.iter().filter(|change| change.is_of(group));
    let own_of = |wanted: fn(&Change<'_>) -> bool| {
        count(changes_of_group().filter(|change| wanted(change)).count() as u64)
    };
    let worst = changes_of_group().next()?;
    let anchor = boards.anchor(worst);
    Some(html! {
        p {
            "The move changed in " (own_of(|change| change.moved)) " of " (count(searches as u64)) " searches"
            @if undecided > 0 { " (" (plural(undecided, "other move")) " left out, undecided)" }
            ", the value in "
            (own_of(|change| change.base.score != change.row.score)) ". The worst: " (shortened(&worst.row.methods)) " at "
            @if let Some(anchor) = anchor { a href=(format!("#{anchor}")) { (worst.row.position) } }
            @else { (worst.row.position) }
            @if worst.is_judged() { ", which loses " (worst.lost_words()) " by the oracle." }
            @else { ", whose value is off by " (worst.lost_words()) "." }
        }
    })
}

/// The worst with their boards, and the table of all.
pub(crate) fn section(
    all: &[Change<'_>],
    boards: &Boards<'_, '_>,
    positions: &Positions,
    sides: Sides,
) -> Markup {
    let judged = all.iter().any(|change| change.is_judged());
    html! {
        p { (sides.introduction()) }
        @if all.len() > LISTED {
            p.note {
                "The worst " (LISTED) " of " (count(all.len() as u64)) " are listed; "
                @if all.len() > KEPT { "the data below has the worst " (count(KEPT as u64)) ", and " code { "--changed" } " in place of "
                    code { "--html" } " writes all." }
                @else { "the data below has all." }
            }
        }
        @let games = games(all);
        @for game in &games {
            @if games.len() > 1 { h3 { (game) ": the worst" } }
            div.boards data-game=(game) {
                @for (index, board) in boards.0.iter().enumerate().filter(|(_, board)| board[0].row.game == *game) {
                    (card(board, index, positions, sides))
                }
            }
        }
        details {
            summary { (count(all.len() as u64)) " changed positions as a table, to sort and filter" }
            div.scroll tabindex="0" role="region" aria-label="changed positions" {
                table data-filter="changed" {
                    (head(sides, judged))
                    tbody {
                        @for (index, change) in all.iter().take(LISTED).enumerate() {
                            (line(change, (boards.anchor(change), index), judged))
                        }
                    }
                }
            }
        }
    }
}

/// The command that searches a position again as both sides did; `None` where it is not known.
fn command_again(known: &Known, changes: &[&Change<'_>], sides: Sides) -> Option<String> {
    let (base, row) = (changes[0].base, changes[0].row);
    let budget = match row.budget_kind {
        BudgetKind::Depth => format!("--depth {}", row.budget),
        BudgetKind::Nodes => format!("--nodes {}", row.budget),
        BudgetKind::Time => format!("--time {}us", row.budget as f64 / 1e3),
        BudgetKind::Level => format!("--level {}", row.budget),
    };
    let shown = if sides == Sides::Runs { &changes[..1] } else { changes };
    let rows = std::iter::once(base).chain(shown.iter().map(|change| change.row));
    let arms = each_once(rows.map(|row| row.methods.as_str())).join(",");
    (!known.again.is_empty()).then(|| format!("{} --methods '{arms}' {budget}", known.again))
}

fn head(sides: Sides, judged: bool) -> Markup {
    let [first, second] = sides.owners();
    let column = |of: &str, what: &str| format!("{of} {what}");
    html! {
        thead { tr {
            th.left scope="col" data-pick="search" { button type="button" { "position" } }
            th.left scope="col" data-pick="search" { button type="button" { "block" } }
            th.left scope="col" data-pick="stage" { button type="button" { "stage" } }
            th.left scope="col" data-pick="method" { button type="button" { "method" } }
            @for of in [first, second] { th.left scope="col" { button type="button" { (column(of, "move")) } } }
            th.left scope="col" data-pick="changed" { button type="button" { "changed" } }
            @for of in [first, second] { th scope="col" { button type="button" { (column(of, "value")) } } }
            @if judged {
                @for of in [first, second] { th scope="col" { button type="button" { (column(of, "regret")) } } }
            }
            th scope="col" data-least="lost more than" { button type="button" { "lost" } }
            th scope="col" data-least="SD more than" { button type="button" { "SD" } }
            @for of in [first, second] { th scope="col" { button type="button" { (column(of, "nodes")) } } }
            th scope="col" { button type="button" { "nodes saved" } }
        } }
    }
}

fn line(change: &Change<'_>, (anchor, index): (Option<String>, usize), judged: bool) -> Markup {
    let Change { base, row, .. } = change;
    let row_id = format!("changed-{}", index + 1);
    let both = [*base, *row];
    html! {
        tr id=(row_id) {
            th.left scope="row" {
                @if let Some(anchor) = anchor { a href=(format!("#{anchor}")) { (row.position) } } @else { (row.position) }
            }
            td.left { (change.heading()) }
            td.left { (row.stage) }
            td.left { (shortened(&row.methods)) }
            @for row in both { td.left { (row.best_move) } }
            td.left { @if change.moved { "move" } @else { "value" } }
            @for row in both { td { (change.value(row.score)) } }
            @if judged { @for row in both { td { (change.regret(row).unwrap_or_else(|| "-".to_owned())) } } }
            td data-v=(format!("{:.4}", change.lost())) { (change.lost_words()) }
            td data-v=(format!("{:.4}", change.severity)) { (change.severity_words()) }
            @for row in both { td data-v=[row.nodes] { (nodes(row)) } }
            td data-v=(format!("{:.4}", base.some_nodes() / row.some_nodes())) { (change.saved()) }
        }
    }
}

/// How far the two sides are apart, in words.
fn difference(change: &Change<'_>, sides: Sides) -> String {
    let within =
        if change.lost() < PROVEN { format!(" ({} SD)", change.severity_words()) } else { String::new() };
    let arm = shortened(&change.row.methods);
    match (sides, change.is_judged()) {
        (Sides::Without, true) if change.lost() == 0.0 => format!("{} the move loses as much", lacks(&arm)),
        (Sides::Without, true) => {
            let more = if change.lost() > 0.0 { "more" } else { "less" };
            format!(
                "{} the move loses {:.2} {}s {more}",
                lacks(&arm),
                change.lost().abs(),
                change.traits.unit
            )
        }
        (Sides::Without, false) => {
            format!("{} the value is off by {}{within}", lacks(&arm), change.lost_words())
        }
        (_, true) => format!("{arm} loses {}{within}", change.lost_words()),
        (_, false) => format!("{arm} is off by {}{within}", change.lost_words()),
    }
}

fn card(changes: &[&Change<'_>], index: usize, positions: &Positions, sides: Sides) -> Markup {
    let change = changes[0];
    let Change { base, row, .. } = change;
    let position = positions.get(&(row.game.to_string(), row.position.to_string()));
    let text = position.map(|position| position.position.as_str());
    let title = format!("{}: {} and {}", row.position, base.best_move, row.best_move);
    let picture = text.and_then(|text| board(text, [&base.best_move, &row.best_move], &title));
    let oracle = |row: &Record| change.regret(row).map(|lost| format!("; the oracle: loses {lost}"));
    let rows = [(0, *base)].into_iter().chain(changes.iter().map(|change| (1, change.row)));
    html! {
        article.change id=(format!("change-{}", index + 1)) {
            h3 { (index + 1) ". " (row.position) ": " (base.best_move)
                @if base.best_move == row.best_move { ", of another value" } @else { " or " (row.best_move) } }
            p.note { (change.heading()) "; " (difference(change, sides)) }
            @if let Some(picture) = picture { (PreEscaped(picture)) }
            @if let Some(text) = text { p.note { code { (text) } } }
            dl {
                @for (side, row) in rows {
                    dt { (sides.name(side, row)) ": " strong { (row.best_move) } ", " (change.value(row.score)) (oracle(row).unwrap_or_default()) }
                    dd { (nodes(row)) " nodes; " code { (&*row.pv) } }
                }
            }
            @if let Some(command) = position.and_then(|position| command_again(position, changes, sides)) { (copied(&command)) }
        }
    }
}
