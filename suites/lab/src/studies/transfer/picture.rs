//! The picture of what methods save in several games: a row a method, a plot a game, each with its intervals.
//!
//! Left out: a game's own scale of depth; each game is searched to one depth, and its plot has an axis of its own.

use crate::studies::transfer::Transfer;
use secateur_reports::format::ratio;
use secateur_reports::page::plots::{Plot, drawn};
use secateur_stats::group::Group;

/// The picture of groups at fixed depth, one a game. Dots of methods that not every game has are hollow.
#[must_use]
pub fn picture(groups: &[Group<'_>]) -> String {
    let rows = Transfer::new(groups).rows();
    let names: Vec<String> = rows.iter().map(|row| row.method.to_owned()).collect();
    let plot = |(number, group): (usize, &Group<'_>)| {
        let values = rows.iter().map(|row| row.cells[number].as_ref().map(|cell| cell.saved)).collect();
        let firm = rows.iter().map(|row| row.mean_rank.is_some()).collect();
        Plot { firm, ..Plot::new(group.heading(), (true, 1.0), values, |x| format!("{}x", ratio(x))) }
    };
    let plots: Vec<Plot> = groups.iter().enumerate().map(plot).collect();
    drawn("Nodes saved by each method in each game, times", &names, &plots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;

    #[test]
    fn a_game_has_a_plot_and_a_method_a_row_in_each_that_has_it() {
        let rows = |game: &str, methods: &[(&str, u64)]| {
            let each = |position: usize| {
                let name = format!("{game}{position}");
                let made = move |(method, nodes): &(&str, u64)| Record {
                    game: game.into(),
                    ..row(&name, "28", method, nodes + position as u64)
                };
                methods.iter().map(made).collect::<Vec<_>>()
            };
            (0..6).flat_map(each).collect::<Vec<_>>()
        };
        let mut records = rows("chess", &[("none", 900), ("lmr", 90), ("etc", 800)]);
        records.extend(rows("othello", &[("none", 900), ("lmr", 300), ("etc", 850), ("mpc", 100)]));
        let svg = picture(&groups(&records));
        assert_eq!(svg.matches("font-weight=\"bold\"").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 5);
        assert_eq!(svg.matches("fill:none;stroke:#0072b2").count(), 1, "one game alone has mpc");
    }
}
