//! The table of docs/CLUSTER.md of what runs cost, from a committed run.

use secateur_reports::format::count;
use secateur_stats::runs::Runs;
use secateur_suites::shards::price::Price;

/// Sizes that are asked for.
const CELLS: [u64; 2] = [100_000, 10_000_000];
/// Cores that somebody may have.
const CORES: [u64; 3] = [1, 20, 200];

/// What the run of this suite cost, and what larger ones like it would.
pub(crate) fn price_of(suite: &str, runs: &Runs) -> String {
    let price = Price::of(&runs.records);
    let mut text = format!(
        "The suite `{suite}` is {} cells in {} units. A unit takes {:.1} s in the median, one in a hundred more than {:.0} s, the dearest \
         {:.0} s.\n\n| cells | CPU hours | on 20 cores | on 200 cores |\n| ---: | ---: | ---: | ---: |\n",
        count(price.cells),
        count(price.units),
        price.median,
        price.p99,
        price.most
    );
    for cells in [price.cells].into_iter().chain(CELLS) {
        let hours = CORES.map(|cores| time(price.hours(cells) / cores as f64, price.most));
        text += &format!("| {} | {} |\n", count(cells), hours.join(" | "));
    }
    text
}

/// Hours in words; less than the dearest unit nothing takes.
fn time(hours: f64, least: f64) -> String {
    let seconds = (hours * 3600.0).max(least);
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
