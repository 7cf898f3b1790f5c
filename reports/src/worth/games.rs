//! Games beside nodes: do Elo values add up where methods save the same nodes, and are the methods in the order that others found?

use super::{Elos, Measured, Played};
use crate::format::{ratio_within, signed_within};
use crate::table::{Section, Table};
use secateur_record::manifest::Published;
use secateur_record::play::GameRow;
use secateur_stats::additivity::{Sum, sums};
use secateur_stats::inference::spearman;
use secateur_stats::interval::Interval;
use secateur_stats::worth::Worth;

/// Two methods of a program: what they are worth in games, and in nodes together over one by one.
pub(super) struct Pair {
    program: String,
    sum: Sum,
    nodes: Option<Interval>,
}

/// The pairs of a program that were played.
pub(super) fn pairs(program: &str, measured: &[Measured<'_, '_>], elos: &Elos<'_>) -> Vec<Pair> {
    let known: Vec<(&[String], Interval)> = elos.iter().map(|(methods, (elo, _))| (*methods, *elo)).collect();
    let worths = || measured.iter().flat_map(|measured| &measured.worths);
    let nodes = |[one, other]: &[String; 2]| {
        let partners = &worths().find(|worth| worth.method == *one)?.partners;
        partners.iter().find(|(name, _)| name == other).map(|(_, ratio)| *ratio)
    };
    sums(&known)
        .into_iter()
        .map(|sum| Pair { program: program.to_owned(), nodes: nodes(&sum.pair), sum })
        .collect()
}

/// Plies below which a method has hardly anything to prune.
const SHALLOW: f64 = 3.0;

/// That games were searched to too few plies for their Elo to mean anything, if they were.
pub(super) fn shallow(played: &[Played]) -> Option<String> {
    let depths = played.iter().map(|played| depth(&played.ended.rows));
    let few: Vec<f64> = depths.filter(|depth| *depth < SHALLOW).collect();
    let least = few.iter().copied().min_by(f64::total_cmp)?;
    let matches = if few.len() == 1 { "1 match".to_owned() } else { format!("{} matches", few.len()) };
    Some(format!(
        "In {matches} a move was searched {least:.1} plies deep on average, too few for a method to prune anything: give the games more time."
    ))
}

/// Plies of a search, the mean over all moves of all games.
fn depth(games: &[GameRow]) -> f64 {
    let sum = |of: &dyn Fn(&GameRow) -> u64| games.iter().map(of).sum::<u64>() as f64;
    sum(&|game| game.first_depths + game.second_depths) / sum(&|game| game.first_moves + game.second_moves)
}

/// Whether Elo values add up; `None` where no pair was played.
pub(super) fn section(pairs: &[Pair]) -> Option<Section> {
    let mut table = Table::new(&[
        "<program",
        "<methods",
        "Elo of the first",
        "of the second",
        "of both",
        "beyond their sum",
        "nodes: both over one by one",
    ]);
    for Pair { program, sum, nodes } in pairs {
        let nodes = nodes.as_ref().map_or_else(|| "-".to_owned(), ratio_within);
        let [first, second] = sum.each.map(|elo| signed_within(&elo));
        let (both, excess) = (signed_within(&sum.both), signed_within(&sum.excess));
        table.push(vec![program.clone(), sum.pair.join(", "), first, second, both, excess, nodes]);
    }
    table.notes.push(
        "Elo that the program loses in games against itself without the first, without the second and without both, and what it loses \
         without both beyond the other two; 95 % intervals, each match being games of its own. Nodes at a fixed depth without both, over \
         what they would be if each were missed by itself: above 1 the two save some of the same."
            .to_owned(),
    );
    let title = "Do Elo values add up?".to_owned();
    (!pairs.is_empty()).then(|| Section { title, text: sentences(pairs), tables: vec![table] })
}

fn sentences(pairs: &[Pair]) -> Vec<String> {
    let count = |is: &dyn Fn(&Interval) -> bool| pairs.iter().filter(|pair| is(&pair.sum.excess)).count();
    let (more, less) = (count(&|excess| excess.low > 0.0), count(&|excess| excess.high < 0.0));
    let mut text = vec![format!(
        "Shown to be worth more together than in sum, because each stands in for the other: {more} of {} pairs; shown to be worth less: \
         {less}; of the rest nothing is shown.",
        pairs.len()
    )];
    let known: Vec<[f64; 2]> =
        pairs.iter().filter_map(|pair| Some([pair.nodes?.estimate, pair.sum.excess.estimate])).collect();
    if let Some(rho) = spearman(&known) {
        let verdict = match rho {
            Interval { low, .. } if low > 0.0 => {
                "what two methods save twice in nodes predicts what their Elo values miss"
            }
            Interval { high, .. } if high < 0.0 => {
                "what two methods save twice in nodes predicts the opposite"
            }
            _ => "that what two methods save twice in nodes predicts what their Elo values miss is not shown",
        };
        text.push(format!(
            "Rank correlation of the last two columns (Spearman, {} pairs): {}; {verdict}.",
            known.len(),
            signed_within(&rho)
        ));
    }
    text
}

/// What is measured of a method, where it is.
type Measure<'m> = dyn Fn(&Worth) -> Option<f64> + 'm;

/// Whether the methods come in the order of the published values, by every measure that there is; `None` without such values.
pub(super) fn order(published: &Published, worths: &[Worth], elos: &Elos<'_>) -> Option<Section> {
    let ours = |worth: &Worth| Some(elos.get(std::slice::from_ref(&worth.method))?.0.estimate);
    let measures: [(&str, &Measure<'_>); 6] = [
        ("nodes without it", &|worth| Some(worth.nodes_in_company?.estimate)),
        ("time without it", &|worth| Some(worth.time_in_company?.estimate)),
        ("instructions without it", &|worth| Some(worth.instructions_in_company?.estimate)),
        ("moves changed", &|worth| Some(1.0 - worth.same_move?.estimate)),
        ("regret without it", &|worth| Some(worth.regret_without?.0)),
        ("Elo in our games", &ours),
    ];
    let mut table = Table::new(&["<measure", "methods", "rank correlation with the published Elo"]);
    for (name, measure) in measures {
        let pair = |worth: &Worth| Some([*published.elo.get(&worth.method)?, measure(worth)?]);
        let pairs: Vec<[f64; 2]> = worths.iter().filter_map(pair).collect();
        if let Some(rho) = spearman(&pairs) {
            table.push(vec![name.to_owned(), pairs.len().to_string(), signed_within(&rho)]);
        }
    }
    table.notes.push(
        "Spearman's rho with a 95 % interval (Bonett and Wright), which is wide because methods are few; in perfect order there is none."
            .to_owned(),
    );
    let text = vec![format!("Published: {}.", published.source)];
    let title = "Are the methods in the published order?".to_owned();
    (!table.rows.is_empty()).then(|| Section { title, text, tables: vec![table] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(estimate: f64) -> Interval {
        Interval { estimate, low: estimate - 5.0, high: estimate + 5.0 }
    }

    /// What two methods save together in nodes goes here with what they are worth beyond their sum.
    #[test]
    fn pairs_that_save_the_same_are_worth_more_together() {
        let pair = |excess: f64, nodes: f64| Pair {
            program: "Engine 1".to_owned(),
            sum: Sum {
                pair: ["a".to_owned(), "b".to_owned()],
                each: [elo(20.0), elo(30.0)],
                both: elo(50.0 + excess),
                excess: elo(excess),
            },
            nodes: Some(Interval::none(nodes)),
        };
        let pairs = [pair(60.0, 1.6), pair(-40.0, 0.9), pair(0.0, 1.1), pair(8.0, 1.05), pair(30.0, 1.3)];
        let found = section(&pairs).unwrap();
        assert!(
            found.text[0].contains(": 3 of 5 pairs;") && found.text[0].contains("less: 1;"),
            "{:?}",
            found.text
        );
        assert!(found.text[1].contains("+0.90"), "{:?}", found.text);
        assert_eq!(found.tables[0].rows.len(), 5);
        assert_eq!(section(&[]), None);
    }

    /// All moves count alike, whoever made them.
    #[test]
    fn the_depth_of_games_is_that_of_their_moves() {
        let game = |moves: [u64; 2], depths: [u64; 2]| GameRow {
            first_moves: moves[0],
            first_depths: depths[0],
            second_moves: moves[1],
            second_depths: depths[1],
            ..GameRow::default()
        };
        assert_eq!(depth(&[game([10, 10], [10, 30]), game([20, 20], [100, 100])]), 4.0);
        assert!(shallow(&[]).is_none());
    }
}
