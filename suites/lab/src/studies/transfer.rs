//! Which method carries over from one game to another: ranks by the nodes that methods save, and how well the ranks of two games agree.
//!
//! A method's rank in a game is its place by geometric speed-up among the methods that every game has; 1 saves most, and methods that
//! save alike have the mean of their ranks. Two games are compared by Kendall's tau-b of the speed-ups. Intervals are percentile
//! bootstraps over source games, those of each game drawn by themselves. Drawing again scatters the ranks once more than the measurement
//! did, so intervals of tau lie rather too near to nought than too far from it. Sources: Kendall 1945 (tau-b);
//! Efron & Tibshirani 1993 (intervals, and the p-value of a tau of 0 by the share of resamples beyond it).

use secateur_reports::format::{
    fixed, or_dash, p_words, ratio, ratio_within, share_within, signed_within, within,
};
use secateur_reports::page::plots::{Plot, drawn};
use secateur_reports::table::{Section, Table};
use secateur_stats::group::Group;
use secateur_stats::inference::rank::{kendall, kendall_p, ranks};
use secateur_stats::inference::{Shown, SplitMix, Test, judged};
use secateur_stats::interval::{Interval, mean, percentiles};
use secateur_stats::metrics::against_baseline;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2_000;
/// One seed for all games; each has a stream of its own by its number.
const SEED: u64 = 0x5eca_7e19;

/// What a method does in one game.
struct Cell {
    /// Geometric speed-up in nodes.
    saved: Interval,
    /// Place among the methods that every game has, from 1; `None` of any other method.
    rank: Option<Interval>,
    /// How often the move is that of the baseline.
    same_move: Option<Interval>,
}

/// A method over the games, in the order of the groups.
struct Row<'a> {
    /// Its name.
    method: &'a str,
    /// A cell a game; `None` where the game has no such arm.
    cells: Vec<Option<Cell>>,
    /// Mean of its ranks; `None` of a method that some game lacks.
    mean_rank: Option<f64>,
}

/// How alike two games order the methods that both have.
#[derive(Debug)]
struct Agreement<'a> {
    /// The games.
    games: [&'a str; 2],
    /// Methods that every game has.
    methods: usize,
    /// Kendall's tau-b, -1 to 1.
    tau: Interval,
    /// Two-sided p-value of a tau of 0 if other positions were drawn, not corrected.
    p: f64,
    /// The same if other methods were drawn: Kendall's test.
    p_methods: f64,
}

/// What is compared: groups at fixed depth, one a game, and the methods that all of them have.
struct Transfer<'g, 'a> {
    groups: &'g [Group<'a>],
    common: Vec<&'a str>,
    /// Logarithms of speed-ups of the common methods: of all positions, and of every resample. By game.
    saved: Vec<(Vec<f64>, Vec<Vec<f64>>)>,
}

impl<'g, 'a> Transfer<'g, 'a> {
    /// Of groups of different games.
    fn new(groups: &'g [Group<'a>]) -> Transfer<'g, 'a> {
        let everywhere = |method: &&str| groups.iter().all(|group| group.methods.contains(method));
        let first = groups.first().map_or(&[][..], |group| &group.methods[1..]);
        let common: Vec<&str> = first.iter().copied().filter(everywhere).collect();
        let saved =
            groups.iter().zip(0..).map(|(group, number)| logarithms(group, &common, number)).collect();
        Transfer { groups, common, saved }
    }

    /// Every method, those that every game has first, from the best mean rank on.
    fn rows(&self) -> Vec<Row<'a>> {
        let ranks: Vec<Vec<Interval>> = self.saved.iter().map(placed).collect();
        let mut methods = self.common.clone();
        for group in self.groups {
            let others = group.methods[1..].iter().copied();
            let new: Vec<&str> = others.filter(|method| !methods.contains(method)).collect();
            methods.extend(new);
        }
        let row = |method: &'a str| {
            let place = self.common.iter().position(|common| *common == method);
            let cell = |(number, group): (usize, &Group<'a>)| {
                let index = group.methods.iter().position(|other| *other == method)?;
                let compared = against_baseline(group, index, None);
                let rank = place.map(|place| ranks[number][place]);
                Some(Cell { saved: compared.speedup_geometric, rank, same_move: compared.same_move })
            };
            let cells: Vec<Option<Cell>> = self.groups.iter().enumerate().map(cell).collect();
            let places: Vec<f64> =
                cells.iter().flatten().filter_map(|cell| cell.rank).map(|rank| rank.estimate).collect();
            Row { method, mean_rank: place.map(|_| mean(&places)), cells }
        };
        let mut rows: Vec<Row<'a>> = methods.into_iter().map(row).collect();
        let last = |row: &Row<'_>| row.mean_rank.unwrap_or(f64::INFINITY);
        rows.sort_by(|a, b| last(a).total_cmp(&last(b)));
        rows
    }

    /// Every two games; nothing where fewer than four methods are common.
    fn agreements(&self) -> Vec<Agreement<'a>> {
        let mut agreements = Vec::new();
        for (one, group) in self.groups.iter().enumerate() {
            for (other, second) in self.groups.iter().enumerate().skip(one + 1) {
                let Some(estimate) = kendall(&self.saved[one].0, &self.saved[other].0) else { continue };
                let drawn = self.saved[one].1.iter().zip(&self.saved[other].1);
                let taus: Vec<f64> = drawn.filter_map(|(a, b)| kendall(a, b)).collect();
                let (games, methods, p) = ([group.game, second.game], self.common.len(), p_of(&taus));
                let p_methods = kendall_p(&self.saved[one].0, &self.saved[other].0);
                agreements.push(Agreement { games, methods, tau: percentiles(estimate, taus), p, p_methods });
            }
        }
        agreements
    }
}

/// Mean logarithms of speed-ups of `methods`: of all positions, and of every resample of the source games of the `number`-th game.
fn logarithms(group: &Group<'_>, methods: &[&str], number: u64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let index = |method: &&str| group.methods.iter().position(|other| other == method);
    let columns: Vec<usize> = methods.iter().filter_map(index).collect();
    let totals = |items: &Vec<usize>| {
        let saved = |column: usize, item: &usize| {
            let rows = &group.blocks[*item].rows;
            (rows[0].nodes() / rows[column].nodes()).ln()
        };
        let sums: Vec<f64> =
            columns.iter().map(|&column| items.iter().map(|item| saved(column, item)).sum()).collect();
        (sums, items.len() as f64)
    };
    let clusters: Vec<(Vec<f64>, f64)> = group.clusters(None).iter().map(totals).collect();
    let means = |drawn: &mut dyn Iterator<Item = usize>| {
        let (mut sums, mut count) = (vec![0.0; columns.len()], 0.0);
        for cluster in drawn {
            let (saved, positions) = &clusters[cluster];
            sums.iter_mut().zip(saved).for_each(|(sum, one)| *sum += one);
            count += positions;
        }
        sums.into_iter().map(|sum| sum / count).collect::<Vec<f64>>()
    };
    let mut random = SplitMix(SEED ^ (number << 32));
    let resamples = if clusters.len() < 2 { 0 } else { RESAMPLES };
    let drawn = (0..resamples)
        .map(|_| means(&mut (0..clusters.len()).map(|_| random.below(clusters.len()))))
        .collect();
    (means(&mut (0..clusters.len())), drawn)
}

/// The place of each method, from 1, by speed-up downwards.
fn placed((all, drawn): &(Vec<f64>, Vec<Vec<f64>>)) -> Vec<Interval> {
    let places = |saved: &[f64]| ranks(&saved.iter().map(|saved| -saved).collect::<Vec<_>>());
    let drawn: Vec<Vec<f64>> = drawn.iter().map(|saved| places(saved)).collect();
    let place_of = |(method, place): (usize, f64)| {
        percentiles(place, drawn.iter().map(|places| places[method]).collect())
    };
    places(all).into_iter().enumerate().map(place_of).collect()
}

/// Two-sided p-value of 0 by the lesser share of resampled values on either side of it; `NaN` without any.
fn p_of(values: &[f64]) -> f64 {
    let beyond = |is: fn(f64) -> bool| 1 + values.iter().filter(|value| is(**value)).count();
    let least = beyond(|value| value <= 0.0).min(beyond(|value| value >= 0.0)) as f64;
    if values.is_empty() { f64::NAN } else { (2.0 * least / (values.len() + 1) as f64).min(1.0) }
}

/// The picture of groups at fixed depth, one a game. Dots of methods that not every game has are hollow.
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

/// The tables of groups at fixed depth, one a game; nothing for fewer than two.
pub fn section(groups: &[Group<'_>]) -> Option<Section> {
    if groups.len() < 2 {
        return None;
    }
    let transfer = Transfer::new(groups);
    let agreements = transfer.agreements();
    let text = agreements.first().map(|first| sentence(&agreements, first.methods)).into_iter().collect();
    let tables = vec![by_game(groups, &transfer.rows()), agreement(&agreements)];
    Some(Section { title: "Which pruning transfers?".to_owned(), text, tables })
}

/// Of which games it is shown that they order the methods alike, or the other way round.
fn sentence(agreements: &[Agreement<'_>], methods: usize) -> String {
    let named = |judged: &[Test]| {
        [Shown::Above, Shown::Below, Shown::No].map(|wanted| {
            let matching = agreements.iter().zip(judged).filter(|(_, judged)| judged.shown() == wanted);
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
fn judged_together(agreements: &[Agreement<'_>]) -> [Vec<Test>; 2] {
    let ps: [fn(&Agreement<'_>) -> f64; 2] = [|one| one.p, |one| one.p_methods];
    ps.map(|p| {
        let test = |one: &Agreement<'_>| Test { effect: one.tau, p: p(one) };
        judged(agreements.iter().map(test).collect())
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
    let row = |((agreement, of_positions), of_methods): ((&Agreement<'_>, Test), Test)| {
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
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;
    use secateur_stats::group::groups;
    use secateur_stats::interval::Interval;

    /// Three methods and one that only the second game has; nodes of each at a few positions.
    fn records(game: &str, nodes: &[(&str, u64)]) -> Vec<Record> {
        let at = |position: u64| {
            let name = format!("{game}-{position}");
            let row = move |(method, nodes): &(&str, u64)| Record {
                game: game.into(),
                cluster: (&name).into(),
                ..row(&name, "28", method, nodes * (10 + position % 3))
            };
            nodes.iter().map(row).collect::<Vec<_>>()
        };
        (0..12).flat_map(at).collect()
    }

    #[test]
    fn games_that_order_alike_agree_and_those_that_do_not_do_not() {
        let one = [("none", 1000), ("a", 100), ("b", 200), ("c", 400), ("d", 800)];
        let like = [("none", 900), ("a", 300), ("b", 400), ("c", 500), ("d", 600), ("e", 10)];
        let unlike = [("none", 900), ("a", 800), ("b", 700), ("c", 600), ("d", 500)];
        let all: Vec<Record> = [("x", &one[..]), ("y", &like[..]), ("z", &unlike[..])]
            .iter()
            .flat_map(|(game, nodes)| records(game, nodes))
            .collect();
        let groups = groups(&all);
        let transfer = Transfer::new(&groups);
        let agreements = transfer.agreements();
        assert_eq!(agreements.iter().map(|one| one.tau.estimate).collect::<Vec<_>>(), [1.0, -1.0, -1.0]);
        // Every position says the same, so no resample says anything else.
        assert!(agreements.iter().all(|one| one.tau.low == one.tau.high && one.methods == 4));
        assert!(agreements.iter().all(|one| one.p < 0.01), "{agreements:?}");
        assert!(p_of(&[-0.1, 0.2, 0.0, 0.1]) == 1.0 && p_of(&[]).is_nan());
        let rows = transfer.rows();
        assert_eq!(rows.iter().map(|row| row.method).collect::<Vec<_>>().last(), Some(&"e"));
        let a = rows.iter().find(|row| row.method == "a").unwrap();
        let places: Vec<f64> = a.cells.iter().flatten().map(|cell| cell.rank.unwrap().estimate).collect();
        assert_eq!((places.as_slice(), a.mean_rank), (&[1.0, 1.0, 4.0][..], Some(2.0)));
        let e = rows.last().unwrap();
        assert!(e.mean_rank.is_none() && e.cells[0].is_none() && e.cells[1].as_ref().unwrap().rank.is_none());
    }

    /// Where positions disagree the interval has a width, and holds the estimate.
    #[test]
    fn positions_that_disagree_widen_the_interval() {
        let mut all = Vec::new();
        for position in 0..20_u64 {
            for game in ["x", "y"] {
                let name = format!("{game}-{position}");
                let swing = |method: u64| 100 + (position * 37 + method * 53) % 90;
                for (method, nodes) in
                    [("none", 1000), ("a", swing(1)), ("b", swing(2)), ("c", swing(3)), ("d", swing(4))]
                {
                    let row = row(&name, "28", method, nodes);
                    all.push(Record { game: game.into(), cluster: (&name).into(), ..row });
                }
            }
        }
        let groups = groups(&all);
        let agreements = Transfer::new(&groups).agreements();
        assert_eq!(agreements[0].tau.estimate, 1.0, "both games are the same");
        assert!(agreements[0].tau.low < 1.0 && agreements[0].tau.high <= 1.0, "{:?}", agreements[0].tau);
    }

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
        let text = sentence(&all, 7);
        assert!(
            text.contains("Holm over 6 pairs of games): chess and othello; the other way round: none;"),
            "{text}"
        );
        assert!(text.contains("is shown for chess and othello; the other way round for none;"), "{text}");
        assert_eq!(agreement(&all).rows[1][3], "0.100");
    }
}
