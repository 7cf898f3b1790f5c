//! Games next to nodes: do Elo values add up where methods save the same nodes, and are the methods in the order that others found?

use super::{Judged, Played};
use crate::format::{only_if, or_dash, ratio_within, signed_within};
use crate::play::warned;
use crate::table::{Section, Table};
use secateur_base::number::plural;
use secateur_record::play::{GameRow, Limit, MatchSettings};
use secateur_stats::elo::bounds;
use secateur_stats::inference::{self, Shown, spearman};
use secateur_stats::interval::Interval;
use secateur_stats::play::{Sum, beyond_sum, game_counts, mean_depth, pair_counts};
use secateur_stats::worth::{Games, Worth};

/// Two methods of a program: what they are worth in games, and in nodes together over one by one.
#[derive(Clone)]
pub(super) struct Pair {
    program: String,
    sum: Sum,
    nodes: Option<Interval>,
}

/// A match as OpenBench writes it, for a pull request.
pub fn block(played: &Played) -> String {
    let (settings, rows) = (&played.ended.file.settings, &played.ended.rows);
    let [lost, drawn, won] = game_counts(rows);
    let games = Games::of(&played.ended);
    let half = |elo: Interval| only_if(elo.has_ends(), || format!("{:.2}", (elo.high - elo.low) / 2.0));
    let elo = or_dash(games.map(|games| format!("{:.2} +- {} (95%)", games.elo.estimate, half(games.elo))));
    let limit = limit(settings);
    let mut text = format!("Elo   | {elo}\n");
    let conditions = format!("{limit} Threads=1 Hash={}MB", settings.hash_mib);
    match games.and_then(|games| games.sequential) {
        Some((_, ratio, [elo0, elo1])) => {
            let (low, high) = bounds();
            text += &format!(
                "SPRT  | {conditions}\nLLR   | {ratio:.2} ({low:.2}, {high:.2}) [{elo0:.2}, {elo1:.2}]\n"
            );
        }
        None => text += &format!("Conf  | {conditions}\n"),
    }
    let penta: Vec<String> = pair_counts(rows).0.iter().map(u64::to_string).collect();
    text + &format!(
        "Games | N: {} W: {won} L: {lost} D: {drawn}\nPenta | [{}]\n",
        rows.len(),
        penta.join(", ")
    )
}

/// What a search of a match may take, as OpenBench writes it: `8+0.08s`, `N=20000`.
pub(super) fn limit(settings: &MatchSettings) -> String {
    match settings.limit {
        Limit::Nodes(nodes) => format!("N={nodes}"),
        Limit::Clock { base, increment } => format!("{}+{}s", base.as_secs_f64(), increment.as_secs_f64()),
        _ => settings.budget(),
    }
}

/// The pairs of a program that were played.
pub(super) fn pairs(judged: &Judged<'_>) -> Vec<Pair> {
    let worths = || judged.measured.iter().flat_map(|measured| measured.worths);
    let nodes = |[one, other]: &[String; 2]| {
        let partners = &worths().find(|worth| worth.method == *one)?.partners;
        partners.iter().find(|(name, _)| name == other).map(|(_, shared)| shared.within)
    };
    let pair =
        |sum: &Sum| Pair { program: judged.program.clone(), nodes: nodes(&sum.pair), sum: sum.clone() };
    judged.sums.iter().map(pair).collect()
}

/// Corrects the tests of pairs of several programs for one another: they are one table. Each was corrected for the page of its own
/// program, whose number of tests is left out of it.
pub(super) fn correct(pairs: &mut [Pair]) {
    for pair in pairs.iter_mut() {
        pair.sum.excess = beyond_sum(pair.sum.excess.effect);
    }
    inference::correct(pairs.iter_mut().map(|pair| &mut pair.sum.excess.p));
}

/// Plies below which a method has hardly anything to prune.
const SHALLOW: f64 = 3.0;

/// What is to be known of games before any of their numbers: that they ended by faults, and that they were searched to too few
/// plies for their Elo to mean anything.
pub fn notes(judged: &Judged<'_>) -> Vec<String> {
    let faulty = |one: &Played| {
        let warning = warned(&one.ended)?;
        Some(format!("Games {}: {warning}", one.opponent()))
    };
    let pruned = judged.matches.iter().map(|one| one.played).chain(judged.shared.iter().copied());
    judged.all_played().filter_map(faulty).chain(shallow(pruned)).collect()
}

fn shallow<'p>(matches: impl Iterator<Item = &'p Played>) -> Option<String> {
    let depths = matches.map(|one| depth(&one.ended.rows));
    let few: Vec<f64> = depths.filter(|depth| *depth < SHALLOW).collect();
    let least = few.iter().copied().min_by(f64::total_cmp)?;
    let matches = plural(few.len(), "match");
    Some(format!(
        "In {matches} a move was searched {least:.1} plies deep on average, too few for a method to prune anything: give the games more time."
    ))
}

/// Plies of a search, the mean over all moves of all games of the players that said their depths.
fn depth(games: &[GameRow]) -> f64 {
    mean_depth(games.iter().flat_map(|game| [game.effort(0), game.effort(1)]))
}

/// Whether Elo values add up; `None` where no pair was played.
pub(super) fn section(pairs: &[Pair]) -> Option<Section> {
    let row = |Pair { program, sum, nodes }: &Pair| {
        let [first, second] = sum.each.map(|elo| signed_within(&elo));
        [
            ("<program", program.clone()),
            ("<methods", sum.pair.join(", ")),
            ("Elo of the first", first),
            ("of the second", second),
            ("of both", signed_within(&sum.both)),
            ("beyond their sum", signed_within(&sum.excess.effect)),
            ("nodes: both over one by one", or_dash(nodes.as_ref().map(ratio_within))),
        ]
    };
    let table = pairs.iter().map(row).collect::<Table>().noted(
        "Elo that the program loses in games against itself without the first, without the second and without both, and what it loses \
         without both beyond the other two; 95 % intervals. Matches are games of their own; shared games are one regression, which \
         draws what few games say of two methods to the mean of all pairs. Nodes at a fixed depth without both, over \
         what they would be if each were missed by itself: above 1 the two save some of the same.",
    );
    Section::of_table("Do Elo values add up?", sentences(pairs), table)
}

fn sentences(pairs: &[Pair]) -> Vec<String> {
    let count = |wanted: Shown| pairs.iter().filter(|pair| pair.sum.excess.shown() == wanted).count();
    let mut text = vec![format!(
        "Shown to be worth more together than in sum, because each stands in for the other: {} of {} pairs; shown to be worth less: \
         {}; of the rest nothing is shown, after correction for all of them (Holm).",
        count(Shown::Above),
        pairs.len(),
        count(Shown::Below)
    )];
    let points: Vec<[f64; 2]> = pairs
        .iter()
        .filter_map(|pair| Some([pair.nodes?.estimate, pair.sum.excess.effect.estimate]))
        .collect();
    if let Some(rho) = spearman(&points) {
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
            points.len(),
            signed_within(&rho)
        ));
    }
    text
}

/// What is measured of a method, where it is.
type Measure<'m> = dyn Fn(&Worth) -> Option<f64> + 'm;

/// Whether the methods come in the order of the published values, by every measure that there is; `None` without such values.
pub(super) fn order(judged: &Judged<'_>, worths: &[Worth]) -> Option<Section> {
    let published = &judged.published;
    let measures: [(&str, &Measure<'_>); 6] = [
        ("nodes without it", &|worth| Some(worth.nodes?.within.estimate)),
        ("time without it", &|worth| Some(worth.time?.within.estimate)),
        ("instructions without it", &|worth| Some(worth.instructions?.within.estimate)),
        ("moves changed", &|worth| Some(1.0 - worth.same_move?.estimate)),
        ("regret without it", &|worth| Some(-worth.regret?.within.estimate)),
        ("Elo in our games", &|worth| Some(judged.games(&worth.method)?.elo.estimate)),
    ];
    let row = |(name, measure): (&str, &Measure<'_>)| {
        let pair = |worth: &Worth| Some([*published.elo.get(&worth.method)?, measure(worth)?]);
        let pairs: Vec<[f64; 2]> = worths.iter().filter_map(pair).collect();
        let rho = signed_within(&spearman(&pairs)?);
        let methods = ("methods", pairs.len().to_string());
        Some([("<measure", name.to_owned()), methods, ("rank correlation with the published Elo", rho)])
    };
    let table = measures.into_iter().filter_map(row).collect::<Table>().noted(
        "Spearman's rho with a 95 % interval (Bonett and Wright), which is wide because methods are few; in perfect order there is none.",
    );
    let text = vec![format!("Published: {}.", published.source)];
    Section::of_table("Are the methods in the published order?", text, table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_stats::inference::Test;

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
                // Five Elo are two standard errors.
                excess: Test { effect: elo(excess), p: if excess.abs() > 5.0 { 0.001 } else { 0.3 } },
            },
            nodes: Some(Interval::none(nodes)),
        };
        let pairs = [pair(60.0, 1.6), pair(-40.0, 0.9), pair(0.0, 1.1), pair(8.0, 1.05), pair(30.0, 1.3)];
        let pair_section = section(&pairs).unwrap();
        assert!(
            pair_section.text[0].contains(": 3 of 5 pairs;") && pair_section.text[0].contains("less: 1;"),
            "{:?}",
            pair_section.text
        );
        assert!(pair_section.text[1].contains("+0.90"), "{:?}", pair_section.text);
        assert_eq!(pair_section.tables[0].rows.len(), 5);
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
        assert!(shallow(std::iter::empty()).is_none());
    }
}
