//! The game with dice: the models that checks before a throw rest on next to those of nodes after it, their errors by plies, and what
//! moves lose by exact tables.

use secateur_core::prune::Fit;
use secateur_core::{Evaluation, Notation, Rules};
use secateur_positions::builtin;
use secateur_record::record::Record;
use secateur_reports::format::{only_if, p_words, ratio_within, share_within, within};
use secateur_reports::table::Table;
use secateur_stats::group::groups_of;
use secateur_stats::inference::judged;
use secateur_stats::metrics::against_baseline;
use secateur_stats::regret::regrets;
use secateur_stats::runs::Runs;
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use std::collections::BTreeSet;

/// Whether a game of this name has dice.
fn with_dice(name: &&str) -> bool {
    games::find(name).is_ok_and(|game| game.chances())
}

/// Every model that was fitted before a throw, next to that of the same depths after it.
///
/// # Errors
/// A game's committed files that cannot be read.
pub fn models() -> Result<Table, String> {
    let mut table = Table::default();
    for name in games::names().into_iter().filter(with_dice) {
        let game = games::find(name).map_err(|unknown| unknown.to_string())?;
        let setup = Setup::embedded(name).map_err(|error| error.to_string())?;
        let fitted = &setup.baselines.none;
        for before in fitted.chance.iter().filter(|fit| fit.deep - fit.shallow == 2 && fit.shallow > 0) {
            let Fit { stage, shallow, deep, .. } = *before;
            let Some(after) = fitted.fit(stage, shallow, deep) else { continue };
            table.row([
                ("<stage", game.stages()[stage].to_owned()),
                ("<depths", format!("{shallow}, {deep}")),
                ("r before", format!("{:.3}", before.r)),
                ("sigma before", format!("{:.0}", before.sigma)),
                ("r after", format!("{:.3}", after.r)),
                ("sigma after", format!("{:.0}", after.sigma)),
                ("ratio of sigmas", format!("{:.2}", before.sigma / after.sigma)),
            ]);
        }
    }
    Ok(table)
}

/// The depth that the models of the table predict from, plies.
const FROM: i32 = 1;
/// Most plies between the depths of a model: beyond, few positions have one.
const MOST: i32 = 5;

/// The scatter of models by plies between their depths, all stages together: in games with dice before a throw and after it, in others as
/// it is. A multiple of what it is at one ply.
///
/// # Errors
/// A game's committed files that cannot be read.
pub fn growth() -> Result<Table, String> {
    let mut cells = Vec::new();
    for name in games::names() {
        let setup = Setup::embedded(name).map_err(|error| error.to_string())?;
        let fitted = &setup.baselines.none;
        let mut add = |title: String, fits: &[Fit]| {
            let pooled: Option<Vec<f64>> = (1..=MOST).map(|plies| scatter(fits, plies)).collect();
            let pooled = pooled.unwrap_or_default();
            for (plies, sigma) in (1..).zip(&pooled) {
                let cell = format!("{:.2}", sigma / pooled[0]);
                cells.push(([("<plies between", i32::to_string(&plies))], (title.clone(), cell)));
            }
        };
        if with_dice(&name) {
            add(format!("{name}, before a throw"), &fitted.chance);
            add(format!("{name}, after it"), &fitted.fits);
        } else {
            add(name.to_owned(), &fitted.fits);
        }
    }
    Ok(Table::crossed(cells).noted(format!(
        "Sigma of the committed models (`fit`) that predict from {FROM} ply, stages weighted by their pairs, as a multiple of what it is at one \
         ply between. Of games with dice a ply is a move with the throw before it."
    )))
}

/// Root of the mean square scatter of the models with so many plies between.
fn scatter(fits: &[Fit], plies: i32) -> Option<f64> {
    let wanted = fits.iter().filter(|fit| fit.shallow == FROM && fit.deep == FROM + plies);
    let (mut squares, mut pairs) = (0.0, 0.0);
    for fit in wanted {
        squares += fit.n as f64 * fit.sigma * fit.sigma;
        pairs += fit.n as f64;
    }
    (pairs > 0.0).then(|| (squares / pairs).sqrt())
}

/// What moves lose at the positions that exact tables judge: a table for each depth of the run.
///
/// # Errors
/// A game or a set that is none.
pub fn exact(mut runs: Runs) -> Result<Vec<Table>, String> {
    let mut small = BTreeSet::new();
    for (game, set) in sets(&runs.records) {
        let game = games::find(&game).map_err(|unknown| unknown.to_string())?;
        let set = builtin(&game, &set).map_err(|error| error.to_string())?;
        let judged = |text: &str| game.parse(text).is_ok_and(|pos| game.is_solvable(&pos));
        small
            .extend(set.entries.iter().filter(|entry| judged(&entry.position)).map(|entry| entry.id.clone()));
    }
    runs.records.retain(|record| small.contains(&*record.position));
    let groups = groups_of(&runs);
    let by_group: Vec<_> = groups.iter().filter_map(|group| Some((group, regrets(group)?))).collect();
    let others = by_group.iter().flat_map(|(_, arms)| arms.iter().skip(1));
    let family = judged(others.map(|(_, regret)| regret.excess.test()).collect());
    let mut corrected = family.iter().map(|test| test.p);
    let mut tables = Vec::new();
    for (group, arms) in &by_group {
        // A score of this is one per cent.
        let unit = f64::from(group.traits.per_unit.max(1));
        let excess = format!("more than {}", group.methods[0]);
        let mut table = Table::default();
        let methods_of = format!("<{}: methods", group.heading());
        for (index, (methods, regret)) in arms.iter().enumerate() {
            let against = against_baseline(group, index, None);
            let p = if index == 0 { None } else { corrected.next() };
            let other = |text: String| only_if(index > 0, || text);
            table.row([
                (&methods_of, (*methods).to_owned()),
                ("nodes saved, times", other(ratio_within(&against.speedup_geometric))),
                ("same move", other(share_within(against.same_move))),
                ("regret, per cent", within(&regret.mean.in_units(unit), |x| format!("{x:.3}"))),
                (&excess, other(format!("{:+.3}", regret.excess.within.estimate / unit + 0.0))),
                ("p (Holm)", p_words(p)),
            ]);
        }
        table.notes.push(format!(
            "The {} positions of the run that exact tables judge. Regret: what the move chosen loses of the exact value, in per cents of \
             winning probability, the mean over positions with a 95 % interval over source games where one is known to hold. p: sign-flip \
             test against {}, corrected for {} tests.",
            group.blocks.len(),
            group.methods[0],
            family.len()
        ));
        tables.push(table);
    }
    Ok(tables)
}

/// The games and the sets that records are of.
fn sets(records: &[Record]) -> BTreeSet<(String, String)> {
    let set_of = |record: &Record| {
        let (set, _) = record.position.split_once('#')?;
        Some((record.game.to_string(), set.to_owned()))
    };
    records.iter().filter_map(set_of).collect()
}
