//! Which pruning transfers from game to game: a table of methods by games, and how far the games agree on their order.
//!
//! The numbers are those of `secateur-stats`; here they get their form. Left out: games of which a run has no group at a fixed depth.

use crate::studies::transfer::{Agreement, Cell, Row, Transfer};
use secateur_reports::format::{fixed, or_dash, p_words, ratio_within, share_within, signed_within, within};
use secateur_reports::table::{Section, Table};
use secateur_stats::group::Group;
use secateur_stats::inference::{Judged, Shown, Test, judged};

/// The tables of groups at fixed depth, one a game; nothing for fewer than two.
#[must_use]
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    if groups.len() < 2 {
        return None;
    }
    let transfer = Transfer::new(groups);
    let agreements = transfer.agreements();
    let text = agreements.first().map(|first| words(&agreements, first.methods)).into_iter().collect();
    let tables = vec![by_game(groups, &transfer.rows()), agreement(&agreements)];
    Some(Section { title: "Which pruning transfers?".to_owned(), text, tables })
}

/// Of which games it is shown that they order the methods alike, or the other way round.
fn words(agreements: &[Agreement<'_>], methods: usize) -> String {
    let named = |judged: &[Judged]| {
        [Shown::Above, Shown::Below, Shown::No].map(|wanted| {
            let matching = agreements.iter().zip(judged).filter(|(_, judged)| judged.shown == wanted);
            let names: Vec<String> = matching.map(|(one, _)| one.games.join(" and ")).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        })
    };
    let [positions, others] = judged_together(agreements).map(|judged| named(&judged));
    format!(
        "Of {methods} methods that every game has, shown to be ordered alike on other positions too (bootstrap, Holm over {pairs} pairs \
         of games): {}; the other way round: {}; not shown: {}. That other methods would be, too (Kendall's test over the methods, Holm \
         over {pairs}), is shown for {}; the other way round for {}; not shown for {}.",
        positions[0],
        positions[1],
        positions[2],
        others[0],
        others[1],
        others[2],
        pairs = agreements.len(),
    )
}

/// The tests of all pairs of games over positions, and those over methods, each corrected together.
fn judged_together(agreements: &[Agreement<'_>]) -> [Vec<Judged>; 2] {
    let ps: [fn(&Agreement<'_>) -> f64; 2] = [|one| one.p, |one| one.p_methods];
    ps.map(|p| {
        let test = |one: &Agreement<'_>| Test { effect: one.tau.estimate, p: p(one) };
        judged(&agreements.iter().map(test).collect::<Vec<_>>())
    })
}

/// A row a method, three columns a game.
fn by_game(groups: &[Group<'_>], rows: &[Row<'_>]) -> Table {
    let of_game = |(group, cell): (&Group<'_>, &Option<Cell>)| {
        let cell = cell.as_ref();
        [
            ("nodes saved, times", or_dash(cell.map(|cell| ratio_within(&cell.saved)))),
            ("rank", or_dash(cell.and_then(|cell| Some(within(cell.rank.as_ref()?, place))))),
            ("same move", share_within(cell.and_then(|cell| cell.same_move))),
        ]
        .map(|(what, cell)| (format!("{}: {what}", group.game), cell))
    };
    let of_method = |row: &Row<'_>| {
        let mut cells = vec![("<method".to_owned(), row.method.to_owned())];
        cells.extend(groups.iter().zip(&row.cells).flat_map(of_game));
        cells.push(("mean rank".to_owned(), fixed(row.mean_rank)));
        cells
    };
    let budgets: Vec<String> = groups
        .iter()
        .map(|group| format!("{} ({} positions)", group.heading(), group.blocks.len()))
        .collect();
    rows.iter().map(of_method).collect::<Table>().noted(format!(
        "{}. Geometric speed-ups in nodes with 95 % intervals over source games; rates with 95 % Wilson intervals. Ranks are \
         places by that speed-up among the methods that every game has, 1 saving most, with 95 % percentile bootstrap intervals over \
         source games. Each interval is for itself.",
        budgets.join("; ")
    ))
}

/// A rank without a fraction where it has none.
fn place(rank: f64) -> String {
    if rank.fract().abs() < 1e-9 { format!("{rank:.0}") } else { format!("{rank:.1}") }
}

/// A row two games.
fn agreement(agreements: &[Agreement<'_>]) -> Table {
    let [positions, others] = judged_together(agreements);
    let row = |((agreement, of_positions), of_methods): ((&Agreement<'_>, Judged), Judged)| {
        [
            ("<games", agreement.games.join(", ")),
            ("methods", agreement.methods.to_string()),
            ("Kendall's tau-b", signed_within(&agreement.tau)),
            ("p (Holm)", p_words(Some(of_positions.p))),
            ("p over methods (Holm)", p_words(Some(of_methods.p))),
        ]
    };
    agreements.iter().zip(positions).zip(others).map(row).collect::<Table>().noted(
        "Percentile bootstrap over source games, those of either game drawn by themselves: it asks how far other positions would change the \
         order, and drawing again scatters the ranks once more, which pulls tau towards 0. p over methods: Kendall's test, exact, which \
         takes the methods for drawn from others.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::interval::Interval;

    /// Intervals that do not hold 0 for three of six pairs, of which the family shows one.
    #[test]
    fn games_are_shown_to_agree_as_a_family() {
        let made = |games, estimate: f64, p| {
            let tau = Interval { estimate, low: estimate - 0.2, high: estimate + 0.2 };
            Agreement { games, methods: 7, tau, p, p_methods: 4.0 * p }
        };
        let all = [
            made(["chess", "othello"], 0.6, 0.001),
            made(["chess", "draughts"], 0.3, 0.02),
            made(["chess", "einstein"], -0.3, 0.03),
            made(["othello", "draughts"], 0.1, 0.4),
            made(["othello", "einstein"], 0.1, 0.5),
            made(["draughts", "einstein"], 0.0, 1.0),
        ];
        let text = words(&all, 7);
        assert!(
            text.contains("Holm over 6 pairs of games): chess and othello; the other way round: none;"),
            "{text}"
        );
        assert!(text.contains("is shown for chess and othello; the other way round for none;"), "{text}");
        assert_eq!(agreement(&all).rows[1][3], "0.100");
    }
}
