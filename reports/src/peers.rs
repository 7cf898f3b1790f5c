//! Other programs next to this one: what a run of several programs says, arm by arm.
//!
//! Every ratio is of an arm over its reference on the positions that both finished: below 1 is fewer nodes or
//! less time. Ratios of nodes mean something within one engine only, because each counts in its own way.

use crate::format::{count, fixed, only_if, ratio, ratio_within, rounded, share_within};
use crate::spending::not_reached_by;
use crate::table::{Section, Table};
use secateur_record::manifest::Manifest;
use secateur_record::peers::{Arm, EngineArm, Lineup, SUITE};
use secateur_record::record::Record;
use secateur_stats::interval::mean;
use secateur_stats::peers::ArmResults;
use secateur_stats::runs::Runs;

/// One section for each run of other programs.
pub fn sections(runs: &Runs) -> Vec<Section> {
    let section_of = |manifest: &Manifest| {
        let lineup = manifest.lineup()?;
        let run = &manifest.run;
        let rows: Vec<&Record> =
            runs.records.iter().filter(|row| row.run == *run && row.suite == SUITE).collect();
        Some(section(&lineup, &rows))
    };
    runs.manifests.iter().filter_map(section_of).collect()
}

/// The section of one run.
pub fn section(lineup: &Lineup, rows: &[&Record]) -> Section {
    let arms: Vec<ArmResults<'_>> = lineup.arms.iter().map(|arm| ArmResults::new(arm.name(), rows)).collect();
    let budget = match lineup.budget_kind.as_str() {
        "depth" => format!("depth {}", lineup.budget),
        "nodes" => format!("{} nodes", count(lineup.budget)),
        _ => format!("{} a position", crate::format::duration(lineup.budget)),
    };
    let mut tables = vec![totals(lineup, &arms), ratios(lineup, &arms)];
    tables.extend(options(lineup, &arms));
    let text = format!(
        "{}, {budget}, one thread, {} MiB of hash, every search {}.",
        lineup.positions,
        lineup.hash_mib,
        if lineup.repeats == 1 { "once".to_owned() } else { format!("{} times", lineup.repeats) }
    );
    let failed: Vec<&&Record> = rows.iter().filter(|row| row.error.is_some()).collect();
    let mut warning = Vec::new();
    if !failed.is_empty() {
        let failures_of = |arm: &Arm| {
            let count = failed.iter().filter(|row| row.methods == arm.name()).count();
            (count > 0).then(|| format!("{count} of {}", arm.name()))
        };
        let whose: Vec<String> = lineup.arms.iter().filter_map(failures_of).collect();
        warning.push(format!(
            "{} of {} searches failed: {}. Their positions are in no ratio.",
            count(failed.len() as u64),
            count(rows.len() as u64),
            whose.join(", ")
        ));
    }
    warning.push(text);
    let others = lineup.arms.iter().filter(|arm| arm.engine().is_some()).map(Arm::name);
    warning.extend(not_reached_by(others, lineup.budget, rows));
    let yielded = |arm: &Arm| arm.engine().map(|engine| (arm.name().to_owned(), engine.yielded.join("; ")));
    let yielded = lineup.arms.iter().filter_map(yielded).filter(|(_, notes)| !notes.is_empty());
    warning.extend(yielded.map(|(name, notes)| format!("{name}: {notes}.")));
    Section { title: format!("Peers: {budget}"), text: warning, tables }
}

/// Sums and means of every arm by itself.
fn totals(lineup: &Lineup, arms: &[ArmResults<'_>]) -> Table {
    let mut table = Table::default();
    for (arm, cells) in lineup.arms.iter().zip(arms) {
        let nodes = cells.each(Record::nodes).sum::<f64>();
        let time = cells.each(|row| row.time_ns as f64).sum::<f64>();
        let depths: Vec<f64> = cells.each(Record::depth).collect();
        let program = arm.engine().map_or("this program", |engine| engine.id.as_str());
        table.row([
            ("<arm", arm.name().to_owned()),
            ("<program", program.to_owned()),
            ("positions", count(cells.good.len() as u64)),
            ("errors", count(cells.failed as u64)),
            ("depth", fixed(Some(mean(&depths)))),
            ("nodes", rounded(nodes)),
            ("time (s)", only_if(!cells.good.is_empty(), || format!("{:.3}", time / 1e9))),
            ("Mnodes/s", fixed(Some(nodes / time * 1e3))),
        ]);
        for (error, times) in &cells.errors {
            table.notes.push(format!("{}: {error} ({} of its searches)", arm.name(), count(*times)));
        }
    }
    table.noted("Wall times. Every engine counts nodes and depth in its own way.")
}

/// Every arm over the first.
fn ratios(lineup: &Lineup, arms: &[ArmResults<'_>]) -> Table {
    let first = lineup.arms.first().map_or("", Arm::name);
    let others = lineup.arms.iter().zip(arms).skip(1);
    others.map(|(arm, results)| compared(arm.name(), first, results, &arms[0])).collect::<Table>().noted(
        "Ratios of the arm over its reference on the positions that both finished, below 1 is less; of sums, \
         and as geometric mean over positions (geo.); 95 % intervals over positions, Wilson's for \
         the rate.",
    )
}

/// Every engine with options over the same engine without, unless that is the first arm anyway.
fn options(lineup: &Lineup, arms: &[ArmResults<'_>]) -> Option<Table> {
    let row = |(arm, results): (&Arm, &ArmResults<'_>)| {
        let engine = arm.engine().filter(|engine| !engine.options.is_empty())?;
        let is_default = |other: &EngineArm| {
            other.subject.is_empty()
                && other.options.is_empty()
                && (&other.command, &other.args) == (&engine.command, &engine.args)
        };
        let plain = lineup.arms.iter().position(|other| other.engine().is_some_and(is_default));
        let plain = plain.filter(|plain| *plain > 0)?;
        Some(compared(arm.name(), lineup.arms[plain].name(), results, &arms[plain]))
    };
    lineup.arms.iter().zip(arms).filter_map(row).collect::<Table>().unless_empty()
}

/// One row of ratios.
fn compared(
    arm: &str,
    over: &str,
    results: &ArmResults<'_>,
    base: &ArmResults<'_>,
) -> [(&'static str, String); 9] {
    let ratios = secateur_stats::peers::ratios(results, base);
    [
        ("<arm", arm.to_owned()),
        ("<over", over.to_owned()),
        ("positions", count(ratios.positions as u64)),
        ("nodes", ratio_within(&ratios.nodes)),
        ("nodes, geo.", ratio_within(&ratios.nodes_geometric)),
        ("time", ratio_within(&ratios.time)),
        ("time, geo.", ratio_within(&ratios.time_geometric)),
        ("nodes/s", ratio(ratios.nodes.estimate / ratios.time.estimate)),
        ("same move", share_within(ratios.same_move)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::peers::OwnArm;
    use secateur_record::record::Failure;
    use secateur_stats::fixtures::row;

    fn engine(name: &str, options: &[(&str, &str)]) -> Arm {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let (name, command) = (name.to_owned(), "fake".to_owned());
        Arm::Engine(EngineArm { name, command, options: options.collect(), ..EngineArm::default() })
    }

    fn lineup() -> Lineup {
        let ours = Arm::Own(OwnArm { name: "secateur[none]".to_owned(), methods: "none".to_owned() });
        Lineup {
            name: SUITE.to_owned(),
            game: "chess".to_owned(),
            positions: "p".to_owned(),
            limit: None,
            reading: Default::default(),
            budget_kind: "depth".to_owned(),
            budget: 12,
            repeats: 1,
            hash_mib: 64,
            patience_ms: 1000,
            params: None,
            arms: vec![ours, engine("fake", &[]), engine("fake[x=1]", &[("x", "1")])],
        }
    }

    fn rows() -> Vec<Record> {
        let cell = |position: &str, arm: &str, nodes: u64, time_ns: u64| Record {
            suite: SUITE.into(),
            run: "r".into(),
            time_ns,
            ..row(position, "opening", arm, nodes)
        };
        let mut rows = vec![
            cell("a", "secateur[none]", 100, 1_000),
            cell("a", "fake", 200, 500),
            cell("a", "fake[x=1]", 300, 900),
            cell("b", "secateur[none]", 900, 9_000),
            cell("b", "fake", 300, 9_500),
            cell("b", "fake[x=1]", 0, 0),
        ];
        rows[5].error = Some(Failure::new("died"));
        rows[4].best_move = "c4".into();
        rows
    }

    #[test]
    fn ratios_are_over_the_first_arm_and_over_the_engine_without_options() {
        let rows = rows();
        let section = section(&lineup(), &rows.iter().collect::<Vec<_>>());
        assert!(section.text[0].starts_with("1 of 6 searches failed: 1 of fake[x=1]."), "{:?}", section.text);
        let [totals, first, by_options] = &section.tables[..] else { panic!("{section:?}") };
        let cell = |table: &Table, row: usize, heading: &str| {
            let column = table.columns.iter().position(|(name, _)| name == heading).unwrap();
            table.rows[row][column].clone()
        };
        assert_eq!([cell(totals, 2, "positions"), cell(totals, 2, "errors")], ["1", "1"]);
        assert!(totals.notes[0].contains("fake[x=1]: died (1 of its searches)"), "{:?}", totals.notes);
        assert_eq!(cell(first, 0, "nodes"), "0.50", "500 over 1,000");
        assert_eq!(cell(first, 0, "nodes, geo."), "0.82", "the root of 2 x 1/3");
        assert_eq!(cell(first, 0, "time"), "1.00");
        assert!(cell(first, 0, "same move").starts_with("50 %"));
        assert_eq!(cell(first, 1, "positions"), "1", "only where both finished");
        assert_eq!(by_options.rows.len(), 1);
        assert_eq!([cell(by_options, 0, "over"), cell(by_options, 0, "nodes/s")], ["fake", "0.83"]);
        assert_eq!(cell(by_options, 0, "nodes"), "1.50");
    }

    #[test]
    fn only_runs_of_peers_have_a_section() {
        let manifest = |suite: toml::Table| Manifest { run: "r".to_owned(), suite, ..Manifest::default() };
        let other = toml::Table::from_iter([("name".to_owned(), "quick".into())]);
        let peers = toml::Table::try_from(lineup()).unwrap();
        let manifests = vec![manifest(peers), manifest(other), Manifest::default()];
        let runs = Runs { manifests, records: rows(), ..Runs::default() };
        let sections = sections(&runs);
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].tables[0].rows.len(), 3);
    }
}
