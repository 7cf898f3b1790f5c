//! What a better evaluation changes: the strength of graded evaluations, how well a shallow search predicts a deep one with each, and
//! what methods save on each, compared position by position.
//!
//! The analysis of docs/studies/evaluation.md. A grade is compared with the full evaluation, the full one with something added with the
//! grade whose strength it was given. Intervals are Student's over positions, each of which is from a game of its own; all tests
//! of all games are one family (Holm).

use super::kept::{EvaluationRow, Graded, PairRow, SearchRow};
use secateur_lab::studies::evaluation::{
    CHECKED, EQUAL, FULL, GRADE, ITSELF, KEPT, NOMINAL, Strength, Worth,
};
use secateur_reports::format::{keep_four, to_four};
use secateur_stats::elo::Pentanomial;
use secateur_stats::inference::holm;
use secateur_stats::inference::spread::{Spread, spread};
use secateur_stats::interval::{Interval, mean_spread, wilson};
use std::collections::BTreeMap;

/// What a game is measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    /// Score units of a pawn or a disc.
    pub unit: f64,
    /// The pair of depths whose fit is shown.
    pub pair: (i32, i32),
}

/// What the games that are measured count in: score units of a pawn or a disc, and the pair of depths whose fit is shown.
fn scale(game: &str) -> Scale {
    Scale { unit: 100.0, pair: if game == "chess" { (3, 5) } else { (4, 8) } }
}

/// The matches and the worths of some games, rounded as they are kept.
pub fn measured(games: Vec<(String, Graded)>) -> (Vec<Strength>, Vec<Worth>) {
    let games: Vec<(String, Scale, Graded)> =
        games.into_iter().map(|(game, graded)| (game.clone(), scale(&game), graded)).collect();
    let (mut strengths, mut worths) = (strengths(&games), worths(&games));
    for row in &mut strengths {
        row.score = to_four(row.score);
        keep_four([&mut row.score_low, &mut row.score_high, &mut row.sigma, &mut row.slope, &mut row.r]);
    }
    for Worth {
        saved, saved_low, saved_high, kept, kept_low, kept_high, ratio, ratio_low, ratio_high, ..
    } in &mut worths
    {
        [saved, saved_low, saved_high, kept].into_iter().for_each(|x| *x = to_four(*x));
        keep_four([kept_low, kept_high, ratio, ratio_low, ratio_high]);
    }
    (strengths, worths)
}

/// Every match of some games, the full evaluation of each game first.
fn strengths(games: &[(String, Scale, Graded)]) -> Vec<Strength> {
    let mut all: Vec<Strength> = Vec::new();
    for (game, scale, graded) in games {
        all.push(Strength { score: 0.5, ..strength(game, *scale, graded, FULL, ITSELF) });
        let order = |name: &str| graded.evaluations.iter().position(|row| row.name == name);
        let mut matches = BTreeMap::<_, [u64; 5]>::new();
        for PairRow { evaluation, against, points, .. } in &graded.pairs {
            let of_match = matches.entry((order(evaluation), order(against), &**evaluation, &**against));
            of_match.or_default()[(2.0 * points).round().clamp(0.0, 4.0) as usize] += 1;
        }
        for ((.., evaluation, against), counts) in matches {
            let counts = Pentanomial(counts);
            let Some(score) = counts.score() else { continue };
            let (score_low, score_high) = score.mean().ends().unzip();
            all.push(Strength {
                pairs: score.trials,
                pentanomial: Some(counts),
                score: score.mean,
                score_low,
                score_high,
                score_p: score.p(),
                ..strength(game, *scale, graded, evaluation, against)
            });
        }
    }
    corrected(&mut all, |row| &mut row.score_p);
    all
}

/// Corrects the p-values of all rows that have one, together.
fn corrected<R>(rows: &mut [R], p: impl Fn(&mut R) -> &mut Option<f64>) {
    let raw: Vec<f64> = rows.iter_mut().map(|row| p(row).unwrap_or(f64::NAN)).collect();
    for (row, corrected) in rows.iter_mut().zip(holm(&raw)) {
        *p(row) = Some(corrected).filter(|p| !p.is_nan());
    }
}

/// An evaluation without its games; what was fitted stands with its games against the full one.
fn strength(game: &str, scale: Scale, graded: &Graded, evaluation: &str, against: &str) -> Strength {
    let row = graded.evaluations.iter().find(|row| row.name == evaluation);
    let (shallow, deep) = scale.pair;
    let fits = graded.fits.get(evaluation).map(|fitted| &*fitted.baselines.none.fits).unwrap_or_default();
    let fits: Vec<_> = fits.iter().filter(|fit| (fit.shallow, fit.deep) == scale.pair).collect();
    let has_fit = !fits.is_empty() && [ITSELF, FULL].contains(&against);
    let draws: f64 = fits.iter().map(|fit| f64::from(fit.n)).sum();
    let mean = |term: fn(&secateur_base::Fit) -> f64| {
        has_fit.then(|| fits.iter().map(|fit| f64::from(fit.n) * term(fit)).sum::<f64>() / draws)
    };
    Strength {
        game: game.to_owned(),
        evaluation: evaluation.to_owned(),
        kind: row.map_or(GRADE.to_owned(), |row| row.kind.clone()),
        level: row.map_or(0.0, |row| row.level),
        against: against.to_owned(),
        score: f64::NAN,
        shallow: has_fit.then_some(shallow),
        deep: has_fit.then_some(deep),
        sigma: mean(|fit| fit.sigma).map(|sigma| sigma / scale.unit),
        slope: mean(|fit| fit.a),
        r: mean(|fit| fit.r),
        ..Strength::default()
    }
}

/// What a method did at a position: ln of how many times fewer nodes than full width, and whether the move is the same.
type Judged = (f64, bool);
/// By method and threshold, in their order: the searches.
type Arms<'a> = Vec<(&'a str, f64, Vec<&'a SearchRow>)>;
/// By evaluation, and by method and threshold in their order: what was found at every position.
type Table<'a> = BTreeMap<&'a str, Vec<(&'a str, f64, Vec<Judged>)>>;

/// The searches of a game; positions at which any search ended early are left out, for all alike.
fn table(graded: &Graded) -> Table<'_> {
    let deepest = graded.searches.iter().map(|row| row.depth).max().unwrap_or(0);
    let early: Vec<usize> =
        graded.searches.iter().filter(|row| row.depth < deepest).map(|row| row.position).collect();
    let mut by_arm: BTreeMap<&str, Arms<'_>> = BTreeMap::new();
    for row in graded.searches.iter().filter(|row| !early.contains(&row.position)) {
        let arms = by_arm.entry(&row.evaluation).or_default();
        match arms.iter_mut().find(|(method, t, _)| *method == row.method && *t == row.t) {
            Some((_, _, rows)) => rows.push(row),
            None => arms.push((&row.method, row.t, vec![row])),
        }
    }
    let mut table = Table::new();
    for (evaluation, arms) in by_arm {
        let Some((_, _, full)) = arms.iter().find(|(method, ..)| *method == "none") else { continue };
        let done = |row: &SearchRow| -> Option<Judged> {
            let full = full.iter().find(|full| full.position == row.position)?;
            let saved = (full.nodes.max(1) as f64 / row.nodes.max(1) as f64).ln();
            Some((saved, full.r#move == row.r#move))
        };
        let arms = arms.iter().filter(|(method, ..)| *method != "none").map(|(method, t, rows)| {
            let mut rows = rows.clone();
            rows.sort_by_key(|row| row.position);
            (*method, *t, rows.iter().filter_map(|row| done(row)).collect())
        });
        table.insert(evaluation, arms.collect());
    }
    table
}

/// What every method is worth on every evaluation that was searched.
fn worths(games: &[(String, Scale, Graded)]) -> Vec<Worth> {
    let mut all: Vec<Worth> = Vec::new();
    for (game, _, graded) in games {
        let table = table(graded);
        let searched = |row: &&EvaluationRow| table.contains_key(&*row.name);
        for row in graded.evaluations.iter().filter(searched) {
            let against = match (&*row.name, &*row.kind) {
                (FULL, _) => ITSELF,
                (_, GRADE) => FULL,
                _ => &row.like,
            };
            let searches = &table[&*row.name];
            let other = table.get(against);
            let once = searches.iter().filter(|(method, t, _)| *method != CHECKED || *t == NOMINAL);
            for (method, t, cells) in once {
                let others = other
                    .and_then(|arms| arms.iter().find(|(name, at, _)| name == method && at == t))
                    .map(|(.., others)| others);
                all.push(worth((game, &row.name, method, against), cells, others));
            }
            let checks = |arms: &'_ [(&str, f64, Vec<Judged>)]| -> Vec<Vec<Judged>> {
                let of_checks = arms.iter().filter(|(method, ..)| *method == CHECKED);
                of_checks.map(|(_, _, cells)| cells.clone()).collect()
            };
            let others = other.map(|arms| checks(arms));
            all.extend(equal((game, &row.name, against), &checks(searches), others.as_deref()));
        }
    }
    corrected(&mut all, |row| &mut row.ratio_p);
    all
}

/// A method as it is.
fn worth(
    (game, evaluation, method, against): (&str, &str, &str, &str),
    cells: &[Judged],
    others: Option<&Vec<Judged>>,
) -> Worth {
    let saved = mean_spread(&cells.iter().map(|cell| [cell.0, 1.0]).collect::<Vec<_>>()).student().exp();
    let kept = cells.iter().filter(|cell| cell.1).count();
    let share = wilson(kept, cells.len());
    let ratio = others.filter(|others| others.len() == cells.len()).map(|others| {
        let differences = cells.iter().zip(others).map(|(cell, other)| [cell.0 - other.0, 1.0]);
        mean_spread(&differences.collect::<Vec<_>>())
    });
    Worth {
        kept: share.map_or(f64::NAN, |share| share.estimate),
        kept_low: share.map(|share| share.low),
        kept_high: share.map(|share| share.high),
        ..worth_of([game, evaluation, method, against], cells.len(), saved, ratio)
    }
}

/// Multi-ProbCut at equal accuracy; the thresholds are in their order, the least first. `None` without any.
fn equal(
    (game, evaluation, against): (&str, &str, &str),
    arms: &[Vec<Judged>],
    others: Option<&[Vec<Judged>]>,
) -> Option<Worth> {
    let positions = arms.first()?.len();
    // Per position, the count and for each threshold what it saves and whether the move is kept: what sums are made of.
    let totals = |arms: &[Vec<Judged>], position: usize| -> Vec<f64> {
        arms.iter().flat_map(|arm| [arm[position].0, f64::from(u8::from(arm[position].1))]).collect()
    };
    let saved_of = |sums: &[f64], count: f64| {
        let points: Vec<(f64, f64)> =
            sums.as_chunks::<2>().0.iter().map(|[a, b]| (a / count, b / count)).collect();
        saved_at(&points, KEPT)
    };
    let clusters: Vec<Vec<f64>> =
        (0..positions).map(|at| std::iter::once(1.0).chain(totals(arms, at)).collect()).collect();
    let saved = spread(&clusters, |sums| saved_of(&sums[1..], sums[0])).student().exp();
    let others =
        others.filter(|others| others.len() == arms.len() && others.iter().all(|arm| arm.len() == positions));
    let ratio = others.map(|others| {
        let both =
            |at: usize| std::iter::once(1.0).chain(totals(arms, at)).chain(totals(others, at)).collect();
        let clusters: Vec<Vec<f64>> = (0..positions).map(both).collect();
        let middle = 1 + 2 * arms.len();
        spread(&clusters, |sums| saved_of(&sums[1..middle], sums[0]) - saved_of(&sums[middle..], sums[0]))
    });
    Some(worth_of([game, evaluation, EQUAL, against], positions, saved, ratio))
}

/// What is saved, ln, where this share of the moves is kept: on the broken line through what thresholds save and keep, the least first,
/// and full width, which saves nothing and keeps all. Where one keeps more than the next, both keep their mean.
fn saved_at(points: &[(f64, f64)], kept: f64) -> f64 {
    // Each with its weight: pool adjacent violators.
    let mut pools: Vec<(f64, f64, f64)> = Vec::new();
    for &(saved, share) in points.iter().chain(&[(0.0, 1.0)]) {
        pools.push((saved, share, 1.0));
        while let [.., (s1, k1, w1), (s2, k2, w2)] = pools[..]
            && k1 > k2
        {
            let weight = w1 + w2;
            let mean = |a: f64, b: f64| (w1 * a + w2 * b) / weight;
            pools.truncate(pools.len() - 2);
            pools.push((mean(s1, s2), mean(k1, k2), weight));
        }
    }
    let at = pools.iter().position(|pool| pool.1 >= kept).unwrap_or(pools.len() - 1);
    let Some(lower) = at.checked_sub(1).map(|before| pools[before]) else { return pools[at].0 };
    let share = (kept - lower.1) / (pools[at].1 - lower.1);
    lower.0 + share * (pools[at].0 - lower.0)
}

/// Of a method by what it saves and the logarithm of its ratio, where [`KEPT`] of the moves are kept.
fn worth_of(
    [game, evaluation, method, against]: [&str; 4],
    positions: usize,
    saved: Interval,
    ratio: Option<Spread>,
) -> Worth {
    let times = ratio.map(|ratio| ratio.student().exp());
    Worth {
        game: game.to_owned(),
        evaluation: evaluation.to_owned(),
        method: method.to_owned(),
        against: against.to_owned(),
        positions,
        saved: saved.estimate,
        saved_low: saved.low,
        saved_high: saved.high,
        kept: KEPT,
        kept_low: None,
        kept_high: None,
        ratio: times.map(|times| times.estimate),
        ratio_low: times.map(|times| times.low),
        ratio_high: times.map(|times| times.high),
        ratio_p: ratio.map(|ratio| ratio.p()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_lab::studies::evaluation::Stands;

    #[test]
    fn what_is_saved_at_a_share_lies_between_the_thresholds_that_keep_less_and_more() {
        let points = [(2.0, 0.8), (1.0, 0.9), (0.5, 0.96)];
        assert!((saved_at(&points, 0.85) - 1.5).abs() < 1e-12);
        assert!((saved_at(&points, 0.93) - 0.75).abs() < 1e-12);
        assert!((saved_at(&points, 0.98) - 0.25).abs() < 1e-12, "full width keeps all");
        assert!((saved_at(&points, 0.7) - 2.0).abs() < 1e-12, "below the least that was searched");
        // The least keeps more than the next: both count as (1.5, 0.9).
        let crossed = [(2.0, 0.92), (1.0, 0.88), (0.5, 0.98)];
        assert!((saved_at(&crossed, 0.94) - 1.0).abs() < 1e-12, "{}", saved_at(&crossed, 0.94));
        assert!((saved_at(&crossed, 0.9) - 1.5).abs() < 1e-12);
    }

    const SCALE: Scale = Scale { unit: 100.0, pair: (2, 4) };

    /// `weak` halves what Multi-ProbCut saves at every threshold and keeps as many moves; null move saves as much on both.
    fn made(noise: f64) -> (String, Scale, Graded) {
        let mut graded = Graded::default();
        for (name, kind, like) in [("weak", GRADE, ""), (FULL, GRADE, ""), ("fresh-as-weak", "fresh", "weak")]
        {
            let [name, kind, like] = [name, kind, like].map(str::to_owned);
            graded.evaluations.push(EvaluationRow { name, kind, level: 0.0, like });
        }
        for (evaluation, of_mpc) in [("weak", 0.5), (FULL, 1.0), ("fresh-as-weak", 0.5 * noise)] {
            for position in 0..40_usize {
                let wobble = 1.0 + 0.01 * ((position * 7 + evaluation.len()) % 5) as f64;
                let mut search = |method: &str, t: f64, saved: f64, is_kept: bool| {
                    graded.searches.push(SearchRow {
                        evaluation: evaluation.to_owned(),
                        method: method.to_owned(),
                        t,
                        position,
                        depth: 6 - i32::from(position == 39),
                        nodes: (1e6 * wobble / saved) as u64,
                        r#move: if is_kept { "a" } else { "b" }.to_owned(),
                    });
                };
                search("none", 0.0, wobble, true);
                search("null-move", 0.0, 4.0, position % 4 != 0);
                search("mpc", 0.6, 8.0 * of_mpc, position % 5 != 0);
                search("mpc", 1.0, 4.0 * of_mpc, position % 13 != 0);
                search("mpc", 1.4, 2.0 * of_mpc, true);
            }
        }
        for opening in 0..20 {
            let points = [0.0, 0.5, 0.5, 1.0][opening % 4];
            graded.pairs.push(PairRow { evaluation: "weak".into(), against: FULL.into(), opening, points });
        }
        ("chess".to_owned(), SCALE, graded)
    }

    #[test]
    fn a_grade_is_compared_with_the_full_one_and_noise_with_the_grade() {
        let rows = worths(&[made(1.0)]);
        let row = |evaluation: &str, method: &str| {
            rows.iter().find(|row| row.evaluation == evaluation && row.method == method).unwrap()
        };
        assert_eq!(rows.len(), 3 * 3);
        assert!(rows.iter().all(|row| row.positions == 39), "one position ended early");
        let full = row(FULL, CHECKED);
        assert!((full.saved / 4.0 - 1.0).abs() < 0.02 && full.ratio.is_none(), "{full:?}");
        for method in [CHECKED, EQUAL] {
            let weak = row("weak", method);
            assert!((weak.ratio.unwrap() - 0.5).abs() < 0.01 && weak.is_shown(), "{weak:?}");
            let noise = row("fresh-as-weak", method);
            assert_eq!((&*noise.against, noise.stands()), ("weak", Stands::Yes), "{noise:?}");
        }
        assert!(!row("weak", "null-move").is_shown());
        let bold = row("fresh-as-weak", "null-move");
        assert!(bold.kept_low.unwrap() < bold.kept && bold.kept < bold.kept_high.unwrap());
        let rows = worths(&[made(1.5)]);
        let noise =
            rows.iter().find(|row| row.evaluation == "fresh-as-weak" && row.method == CHECKED).unwrap();
        assert_eq!(noise.stands(), Stands::No, "it saves half as much again");
        let wide = Worth { ratio_p: Some(0.2), ratio_high: Some(1.3), ..noise.clone() };
        assert_eq!(wide.stands(), Stands::Open);
    }

    #[test]
    fn the_pair_is_the_observation_of_strength() {
        let rows = strengths(&[made(1.0)]);
        assert_eq!(rows.len(), 2);
        assert_eq!((&*rows[0].evaluation, rows[0].score, rows[0].pairs), (FULL, 0.5, 0));
        // Five pairs each of 0, 1/4, 1/4 and 1/2 a game.
        assert_eq!((rows[1].score, rows[1].pairs), (0.25, 20));
        let half = rows[1].score_high.unwrap() - 0.25;
        assert!((half - 1.96 * (0.03125_f64 / 20.0).sqrt()).abs() < 1e-3, "{half}");
        assert!(rows[1].score_p.unwrap() < 0.001);
    }
}
