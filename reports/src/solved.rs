//! Solved positions: where the authors of a set say which move is best or wrong, how many each method set finds,
//! and how soon.
//!
//! The solutions stand in the manifests of the runs ([`secateur_record::manifest::Solution`]). A run whose positions have
//! none, or that is older than this, has no table here.
//!
//! Which method sets are shown to solve more positions than others: McNemar's test of every pair, corrected for all of them.

use crate::evidence::Evidence;
use crate::format::{count, fixed, only_if, p_words, rounded, share_within};
use crate::table::{Align, Section, Table};
use secateur_stats::group::Group;
use secateur_stats::inference::Shown;
use secateur_stats::interval::{Interval, mean, mean_spread, sums_by_game, wilson};
use secateur_stats::solved::{Disagreement, Problem, Solved, SolvedMatrix, disagreements};
use secateur_stats::spent::{Untimed, tick};

/// Most positions that are listed one by one.
const LISTED: usize = 40;

/// The section of all groups; `None` if no position has a solution.
pub fn section(evidence: &Evidence<'_>) -> Option<Section> {
    let mut section = Section { title: "Solved".to_owned(), ..Section::default() };
    let mut compared: Vec<(&[&str], SolvedMatrix)> = Vec::new();
    for group in &evidence.groups {
        let problems = evidence.problems(group);
        if !problems.is_empty() {
            section.text.push(format!(
                "Table {}: {}, {} ({}), {} positions with a known solution.",
                section.tables.len() + 1,
                group.game,
                group.budget_label(),
                group.suite,
                problems.len()
            ));
            let mut counted = counts(group, &problems);
            add_points(&mut counted, group, &problems);
            section.tables.push(counted);
            let right = |method: usize| problems.iter().map(|p| p.outcomes[method].0).collect();
            compared.push((&group.methods, (0..group.methods.len()).map(right).collect()));
            if problems.len() <= LISTED {
                section.tables.push(list(group, &problems));
            }
        }
    }
    for (index, (sentence, table)) in difference_tables(&compared).into_iter().enumerate() {
        section.text[index] += &format!(" {sentence}");
        section.tables.extend(table);
    }
    (!section.tables.is_empty()).then_some(section)
}

/// How many each method set solves, and how soon those that all of them solve.
fn counts(group: &Group<'_>, problems: &[Problem<'_>]) -> Table {
    let mut table = Table::default();
    let common: Vec<&Problem<'_>> =
        problems.iter().filter(|problem| problem.outcomes.iter().all(|(_, at)| at.is_some())).collect();
    let n = problems.len();
    for (index, method) in group.methods.iter().enumerate() {
        let right = |problem: &&Problem<'_>| problem.outcomes[index].0;
        let solved = problems.iter().filter(right).count();
        let gained = problems.iter().filter(|p| p.outcomes[index].0 && !p.outcomes[0].0).count();
        let lost = problems.iter().filter(|p| !p.outcomes[index].0 && p.outcomes[0].0).count();
        let at: Vec<Solved> = common.iter().filter_map(|problem| problem.outcomes[index].1).collect();
        let mean_of = |value: fn(&Solved) -> f64| mean(&at.iter().map(value).collect::<Vec<_>>());
        table.row([
            ("<methods", (*method).to_owned()),
            ("solved", format!("{solved} of {n}")),
            ("share", share_within(wilson(solved, n))),
            ("gained / lost", only_if(index > 0, || format!("+{gained} / -{lost}"))),
            ("depth", fixed(Some(mean_of(|at| f64::from(at.depth))))),
            ("nodes (geom.)", rounded(mean_of(|at| (at.nodes.max(1) as f64).ln()).exp())),
            ("seconds (geom.)", clock_time(&at)),
        ]);
    }
    table.notes.push(format!(
        "Solved: the last completed iteration plays a best move and none to avoid, or announces a mate in as many moves \
         as the authors know one, or fewer; shares have 95 % Wilson \
         intervals; gained and lost are against {}. Depth, nodes and CPU time are those of the first iteration \
         from which the move stayed right, over the {} positions that every method set solves.",
        group.methods[0],
        common.len()
    ));
    table
}

/// The geometric mean of times, or how many of them are none.
fn clock_time(at: &[Solved]) -> String {
    let tick = tick(at.iter().map(|at| at.time_ns));
    let below = at.iter().filter(|at| at.time_ns <= tick).count();
    if below > 0 {
        return Untimed { below, rows: at.len() }.to_string();
    }
    seconds(mean(&at.iter().map(|at| (at.time_ns as f64).ln()).collect::<Vec<_>>()).exp())
}

/// A column with the points of each method set, where moves are graded.
fn add_points(table: &mut Table, group: &Group<'_>, problems: &[Problem<'_>]) {
    let points_of = |problem: &Problem<'_>, method: usize| {
        let (points, most) = problem.solution.points(&problem.block.rows[method].best_move)?;
        Some((f64::from(points), f64::from(most)))
    };
    let graded: Vec<&Problem<'_>> = problems.iter().filter(|p| points_of(p, 0).is_some()).collect();
    if graded.is_empty() {
        return;
    }
    table.columns.push(("points".to_owned(), Align::Right));
    for (method, row) in table.rows.iter_mut().enumerate() {
        let points =
            graded.iter().map(|p| (p.block.cluster, points_of(p, method).unwrap_or_default().into()));
        let clusters = sums_by_game(points);
        let [points, most] = [0, 1].map(|at| clusters.iter().map(|sums| sums[at]).sum::<f64>());
        // What is had of the most is a mean over positions, skewed towards its end.
        let share = mean_spread(&clusters).skewed();
        row.push(format!("{points} of {most}, {}", share_within(Some(share).filter(Interval::has_ends))));
    }
    table.notes.push(format!(
        "Points: what the authors give for the move of the last completed iteration, over the positions with graded moves ({}); the \
         share of the most that could be had has a 95 % interval (jackknife over clusters, Hall's transformation).",
        graded.len()
    ));
    debug_assert_eq!(table.rows.len(), group.methods.len());
}

/// Every position with the depth and time at which each method set solved it.
fn list(group: &Group<'_>, problems: &[Problem<'_>]) -> Table {
    let row = |Problem { block, solution, outcomes }: &Problem<'_>| {
        let avoid = solution.avoid.iter().map(|mv| format!("not {mv}"));
        let mate = solution.mate_in.map(|moves| format!("mate in {moves}"));
        let moves: Vec<String> = solution.best.iter().cloned().chain(avoid).chain(mate).collect();
        let cells = outcomes.iter().zip(&block.rows).map(|(outcome, record)| match outcome {
            (_, Some(at)) => format!("d{} {}", at.depth, seconds(at.time_ns as f64)),
            (true, None) => "yes".to_owned(),
            (false, _) => format!("({})", record.best_move),
        });
        let lead = [("<position", block.base().position.to_string()), ("<solution", moves.join(" "))];
        lead.into_iter().chain(group.methods.iter().copied().zip(cells)).collect::<Vec<_>>()
    };
    problems.iter().map(row).collect::<Table>().noted(
        "Depth (plies) and CPU time (s) of the solution; in brackets the move of a method set that did not solve \
         the position.",
    )
}

/// Nanoseconds as seconds.
fn seconds(ns: f64) -> String {
    only_if(ns.is_finite(), || format!("{:.3}", ns / 1e9))
}

/// The sentence and the table of each group; no table where nothing is shown.
pub(crate) fn difference_tables(groups: &[(&[&str], SolvedMatrix)]) -> Vec<(String, Option<Table>)> {
    let rights: Vec<&SolvedMatrix> = groups.iter().map(|(_, right)| right).collect();
    let tests = disagreements(&rights);
    let all = tests.iter().flatten().count();
    let mut tables = Vec::new();
    for ((names, _), pairs) in groups.iter().zip(&tests) {
        let mut table =
            Table::new(&["<solves more", "<than", "only the first", "only the second", "p (McNemar, Holm)"]);
        for pair in pairs {
            let Disagreement { first, second, only, p } = pair;
            let (more, less, only) = match pair.shown() {
                Shown::Above => (first, second, *only),
                Shown::Below => (second, first, [only[1], only[0]]),
                Shown::No => continue,
            };
            let [more, less] = [more, less].map(|&method| names[method].to_owned());
            table.push(vec![more, less, count(only[0]), count(only[1]), p_words(Some(*p))]);
        }
        let text = format!(
            "Of {} pairs of method sets, {} are shown to differ in how many they solve ({} tests, corrected together).",
            pairs.len(),
            table.rows.len(),
            all
        );
        tables.push((text, (!table.rows.is_empty()).then_some(table)));
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::record::{IterationRow, Record};
    use secateur_stats::fixtures::{manifest, row};
    use secateur_stats::runs::Runs;

    fn iteration(record: &Record, depth: u32, best_move: &str) -> IterationRow {
        IterationRow {
            game: record.game,
            suite: record.suite,
            position: record.position,
            methods: record.methods,
            params: record.params,
            budget_kind: record.budget_kind,
            budget: record.budget,
            depth,
            nodes: 100 * u64::from(depth),
            time_ns: 1_000_000 * u64::from(depth),
            best_move: best_move.into(),
            ..IterationRow::default()
        }
    }

    /// A run of Othello rows; each cell is position, method set and the moves of its iterations.
    fn runs(cells: &[(&str, &str, &[&str])], solutions: &str) -> Runs {
        let mut runs = Runs::default();
        let text = format!("run = \"r\"\n[[game]]\nname = \"othello\"\n{solutions}");
        runs.manifests.push(manifest(&text));
        for (position, methods, moves) in cells {
            let mut record = row(position, "28", methods, 1);
            record.run = "r".into();
            record.best_move = (*moves.last().unwrap()).into();
            // Rows may come in any order.
            for (index, mv) in moves.iter().enumerate().rev() {
                runs.iterations.push(iteration(&record, index as u32 + 1, mv));
            }
            runs.records.push(record);
        }
        runs
    }

    const TWO: &str = "[game.solutions.a]\nbest = [\"d3\", \"c4\"]\n[game.solutions.b]\navoid = [\"e6\"]\n";

    #[test]
    fn method_sets_are_counted_over_the_positions_with_a_solution() {
        let runs = runs(
            &[
                ("a", "none", &["f5", "d3"]),
                ("a", "mpc", &["c4", "c4"]),
                ("b", "none", &["e6", "f4"]),
                ("b", "mpc", &["f4", "e6"]),
                ("c", "none", &["d3"]),
                ("c", "mpc", &["d3"]),
            ],
            TWO,
        );
        let section = section(&Evidence::of(&runs)).unwrap();
        let counts = &section.tables[0].rows;
        assert_eq!(counts[0][..2], ["none", "2 of 2"]);
        assert_eq!(counts[1][..2], ["mpc", "1 of 2"]);
        assert_eq!(counts[1][3], "+0 / -1");
        // Only `a` is solved by both: at depth 2 and 1.
        assert_eq!((counts[0][4].as_str(), counts[1][4].as_str()), ("2.00", "1.00"));
        assert_eq!((counts[0][5].as_str(), counts[1][6].as_str()), ("200", "0.001"));
        let list = &section.tables[1].rows;
        assert_eq!(list[0], ["a", "d3 c4", "d2 0.002", "d1 0.001"]);
        assert_eq!(list[1], ["b", "not e6", "d2 0.002", "(e6)"]);
    }

    #[test]
    fn mates_count_when_announced_and_graded_moves_in_points() {
        let solutions = "[game.solutions.a]\nbest = [\"d3\"]\npoints = { d3 = 10, c4 = 4 }\n\
                         [game.solutions.b]\nmate-in = 2\n";
        let mut runs = runs(
            &[("a", "none", &["c4"]), ("a", "mpc", &["d3"]), ("b", "none", &["e6"]), ("b", "mpc", &["e6"])],
            solutions,
        );
        for (record, score) in runs.records.iter_mut().zip([0, 0, 29_997, 29_995]) {
            record.score = Some(score);
        }
        for iteration in &mut runs.iterations {
            let searched = runs.records.iter().find(|record| record.key() == iteration.key());
            iteration.score = searched.and_then(|record| record.score).expect("its record");
        }
        let section = section(&Evidence::of(&runs)).unwrap();
        let (counts, list) = (&section.tables[0].rows, &section.tables[1].rows);
        assert_eq!((counts[0][1].as_str(), counts[1][1].as_str()), ("1 of 2", "1 of 2"));
        assert!(
            counts[0][7].starts_with("4 of 10, ") && counts[1][7].starts_with("10 of 10, "),
            "{counts:?}"
        );
        assert_eq!((list[1][1].as_str(), list[1][3].as_str()), ("mate in 2", "(e6)"));
    }

    #[test]
    fn runs_without_solutions_or_iterations_say_no_more_than_they_know() {
        let mut runs = runs(&[("a", "none", &["d3"]), ("a", "mpc", &["f5"])], TWO);
        runs.iterations.clear();
        let tables = section(&Evidence::of(&runs)).unwrap().tables;
        assert_eq!(tables[0].rows[0][1], "1 of 1");
        assert_eq!(tables[0].rows[0][4..], ["-", "-", "-"]);
        assert_eq!(tables[1].rows[0][2..], ["yes", "(f5)"]);
        runs.manifests = vec![manifest("run = \"r\"\n[[game]]\nname = \"othello\"\n")];
        assert_eq!(section(&Evidence::of(&runs)), None);
        runs.manifests = vec![manifest(&format!("run = \"s\"\n[[game]]\nname = \"othello\"\n{TWO}"))];
        assert_eq!(section(&Evidence::of(&runs)), None, "the solutions are another run's");
    }

    /// Of 30 positions `a` solves 20, `b` 11 of those 20, `c` as many as `a` but one other.
    #[test]
    fn only_what_survives_the_correction_is_shown() {
        let solves = |wanted: fn(usize) -> bool| (0..30).map(wanted).collect::<Vec<bool>>();
        let right = vec![solves(|i| i < 20), solves(|i| i < 9), solves(|i| i != 0 && i < 21)];
        let tables = difference_tables(&[(&["a", "b", "c"], right)]);
        assert!(tables[0].0.contains("Of 3 pairs of method sets, 2 are shown"), "{}", tables[0].0);
        let rows = &tables[0].1.as_ref().unwrap().rows;
        // 2 / 2^11 three times; 13 of 14 against one, twice.
        assert_eq!(rows[0], ["a", "b", "11", "0", "0.003"]);
        assert_eq!(rows[1][..4], ["c", "b", "12", "1"]);
        assert!(difference_tables(&[(&["a"], vec![vec![true]])])[0].1.is_none());
    }
}
