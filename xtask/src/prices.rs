//! Tables of what things cost: runs, from a committed run, and merges and reports as they were measured.

use secateur::cli::failure::Failure;
use secateur_record::store::read;
use secateur_reports::format::count;
use secateur_stats::runs::Runs;
use secateur_suites::shards::price::Price;
use serde::Deserialize;
use std::path::Path;

/// Sizes that are asked for.
const CELLS: [u64; 2] = [100_000, 10_000_000];
/// Cores that somebody may have.
const CORES: [u64; 3] = [1, 20, 200];

/// What the run of this suite cost, and what larger ones like it would.
pub(crate) fn prices(suite: &str, runs: &Runs) -> String {
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

/// A measurement as it was printed.
#[derive(Deserialize)]
struct Measured {
    what: String,
    rows: u64,
    cpu_s: f64,
    mib: u64,
}

/// A quantity as it was printed, text as it stands.
#[derive(Deserialize)]
struct Found {
    what: String,
    number: String,
}

/// What a trial came to, as it printed it.
pub(crate) fn found(path: &Path) -> Result<String, Failure> {
    let mut text = "| what | number |\n| --- | ---: |\n".to_owned();
    for Found { what, number } in read(path)? {
        let number = number.parse().map_or(number, |whole: u64| count(whole));
        text += &format!("| {what} | {number} |\n");
    }
    Ok(text)
}

/// What was measured with synthetic records: a line a command, a column a size.
pub(crate) fn measured(path: &Path) -> Result<String, Failure> {
    let all: Vec<Measured> = read(path)?;
    let of_command = |what: &str| all.iter().filter(|one| one.what == what).collect::<Vec<_>>();
    let mut commands: Vec<&str> = all.iter().map(|one| one.what.as_str()).collect();
    commands.truncate(all.iter().take_while(|one| one.rows == all[0].rows).count());
    let sizes = of_command(commands.first().unwrap_or(&""));
    let mut text = "| |".to_owned();
    sizes.iter().for_each(|one| text += &format!(" {} rows |", count(one.rows)));
    text += &format!("\n| --- |{}\n", " ---: |".repeat(sizes.len()));
    for what in commands {
        text += &format!("| {what} |");
        for Measured { cpu_s, mib, .. } in of_command(what) {
            text += &format!(" {cpu_s:.1} s, {} MiB |", count(*mib));
        }
        text.push('\n');
    }
    Ok(text)
}
