//! One by one next to shared games: what both ways say of the same methods of one program.

use super::{Judged, OfMethod, Played};
use crate::format::signed_within;
use crate::table::{Section, Table};
use secateur_stats::inference::{Shown, Test, shown};
use secateur_stats::interval::{Interval, z95};
use secateur_stats::labels::count;
use secateur_stats::runs::Runs;

/// The table of both ways and what it says; `None` where games were not played in both.
pub(super) fn agreement(judged: &Judged<'_, '_, '_>) -> Option<Section> {
    if judged.shared.is_empty() || judged.matches.is_empty() {
        return None;
    }
    let (shared, alone): (Vec<Played>, Vec<Played>) =
        judged.all_played().cloned().partition(|one| one.is_shared());
    let runs = Runs::default();
    let [alone_said, shared_said] = [&alone, &shared].map(|way| Judged::of(&[], &runs, way));
    let mut table = Table::default();
    let (mut apart, mut errors) = (Vec::new(), [Vec::new(), Vec::new()]);
    for one in &alone_said.each {
        let Some(other) = shared_said.played(&one.method) else { continue };
        let (Some(first), Some(second)) = (elo(one), elo(other)) else { continue };
        let both = [first, second].map(error);
        let difference = (first.estimate - second.estimate) / both[0].hypot(both[1]);
        apart.push(difference);
        both.into_iter().zip(&mut errors).for_each(|(error, all)| all.push(error));
        table.row([
            ("<method", one.method.clone()),
            ("Elo one by one", signed_within(&first)),
            ("games", count(one.games as u64)),
            ("Elo in shared games", signed_within(&second)),
            ("games with it on one side", count(other.games as u64)),
            ("difference, standard errors", format!("{difference:+.1}")),
        ]);
    }
    let largest = apart.iter().map(|apart| apart.abs()).max_by(f64::total_cmp)?;
    let games = |played: &[Played]| {
        let rows = |one: &Played| one.ended.rows.len();
        count(played.iter().filter(|one| one.methods.len() < 2).map(rows).sum::<usize>() as u64)
    };
    let mean =
        |errors: &[f64]| (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
    let sums = shared_said.sums();
    let pairs: Vec<f64> = sums.iter().map(|sum| error(sum.excess)).collect();
    let is_shown = |p: f64, effect: f64| shown(Test { effect, p }) != Shown::No;
    let text = vec![format!(
        "One by one, {} games give standard errors of {:.0} Elo; shared, {} games give {:.0} Elo and besides {} pairs of methods with {:.0} Elo, of \
         which {} are shown to differ from their sum. The two ways differ by at most {largest:.1} standard errors.",
        games(&alone),
        mean(&errors[0]),
        games(&shared),
        mean(&errors[1]),
        pairs.len(),
        mean(&pairs),
        sums.iter().filter(|sum| is_shown(sum.p, sum.excess.estimate)).count(),
    )];
    table
        .notes
        .push("Left-out Elo with 95 % intervals for a number of games that was fixed before.".to_owned());
    Some(Section { title: "One by one and shared".to_owned(), text, tables: vec![table] })
}

/// Elo with an interval, where games gave one.
fn elo(one: &OfMethod<'_>) -> Option<Interval> {
    one.result.map(|games| games.elo).filter(|elo| elo.estimate.is_finite() && elo.has_ends())
}

/// The standard error that a 95 % interval stands for.
fn error(elo: Interval) -> f64 {
    (elo.high - elo.low) / (2.0 * z95())
}
