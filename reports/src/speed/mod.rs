//! How fast this program is next to others: what a run of `cargo xtask speed` says, a section for each game.
//!
//! Ratios are of this program over the other. Absolute figures stand in a table of their own, and only next to the loop of known
//! work that took its turn among the programs: without it they say more of the computer than of a program.

mod counted;

use self::counted::{counted_games, counted_table};
use crate::format::{count, or_dash, p_words, ratio, ratio_within};
use crate::provenance;
use crate::spending::not_reached_by;
use crate::table::{Report, Section, Table};
use secateur_record::record::Record;
use secateur_record::speed::{LOOP, Measure, OURS, Part};
use secateur_stats::runs::{Runs, each_once};
use secateur_stats::solved::{self, searches};
use secateur_stats::speed::{
    Over, Quantity, Values, accuracy, in_common, measured, over, over_in_sum, over_itself, penalised, tally,
    times_to_solution,
};
use std::collections::BTreeMap;

/// Folders of a comparison by name, with what was recorded in each.
pub type Folders = BTreeMap<String, Runs>;

/// Everything: ratios, absolute figures next to the loop, and what made them.
pub fn report(folders: &Folders) -> Report {
    let mut report = Report::new("Speed against other programs");
    report.notes.extend(folders.values().flat_map(|runs| runs.notes.iter().cloned()));
    report.sections = ratios(folders);
    let mut table = Table::default();
    for (part, runs) in parts(folders) {
        let names: Vec<&str> = part.contenders.iter().map(|contender| contender.name.as_str()).collect();
        let shared = in_common(&rows(runs), &names);
        let rate = |name: &str| {
            let (nodes, time) = sums(&shared, name);
            (nodes / time * 1e3, time / 1e9)
        };
        for contender in part.contenders.iter().filter(|contender| contender.name != LOOP) {
            let (nodes, seconds) = rate(&contender.name);
            table.row([
                ("<what", headed(&part)),
                ("<program", contender.name.clone()),
                ("Mnodes/s", ratio(nodes)),
                ("time (s)", format!("{seconds:.3}")),
                ("the loop, Mrounds/s", ratio(rate(LOOP).0)),
            ]);
        }
    }
    table.notes.push(
        "CPU time of all searches that every program made. A node of one program is not one of another."
            .to_owned(),
    );
    report.sections.push(Section {
        title: "Next to the loop".to_owned(),
        tables: vec![table],
        ..Section::default()
    });
    report.sections.extend(made(folders));
    report
}

/// What made the part that was begun first, and with it the comparison.
pub fn made(folders: &Folders) -> Option<Section> {
    let started = |runs: &&Runs| runs.manifests.first().map(|manifest| manifest.started.clone());
    folders.values().min_by_key(started).map(provenance::section)
}

/// The ratios alone, game by game.
pub fn ratios(folders: &Folders) -> Vec<Section> {
    let all: Vec<(Part, &Runs)> = parts(folders).collect();
    let games = all.iter().map(|(part, _)| part.game.as_str()).chain(counted_games(folders));
    each_once(games).into_iter().map(|game| section(game, &all, folders)).collect()
}

/// The parts in the order of what is measured, without those of judges.
fn parts(folders: &Folders) -> impl Iterator<Item = (Part, &Runs)> {
    let part_of = |runs: &Runs| runs.manifests.first().and_then(Part::of);
    let mut all: Vec<(Part, &Runs)> =
        folders.values().filter_map(|runs| Some((part_of(runs)?, runs))).collect();
    all.retain(|(part, _)| part.measure != Measure::Judge);
    all.sort_by(|one, other| (&one.0.game, one.0.measure).cmp(&(&other.0.game, other.0.measure)));
    all.into_iter()
}

fn section(game: &str, all: &[(Part, &Runs)], folders: &Folders) -> Section {
    let (mut table, mut looped, mut solved) = (Table::default(), Table::default(), None);
    let mut text = Vec::new();
    for (part, runs) in all.iter().filter(|(part, _)| part.game == game) {
        text.push(sentence(part));
        let rows = rows(runs);
        let programs = part.peers().map(|peer| peer.name.as_str());
        text.extend(rows.first().and_then(|row| not_reached_by(programs, row.budget, &rows)));
        if part.measure == Measure::Solve {
            solved = Some(solutions(part, runs, &mut table));
            continue;
        }
        let quantities: &[(&str, Quantity)] = match part.measure {
            Measure::FullWidth | Measure::Endgame => {
                &[("nodes/s", Quantity::Rate), ("time", Quantity::Time), ("nodes", Quantity::Nodes)]
            }
            _ => &[("time", Quantity::Time), ("nodes/s", Quantity::Rate)],
        };
        for (words, quantity) in quantities {
            for peer in part.peers() {
                let names = [OURS, peer.name.as_str()];
                let shared = in_common(&rows, &names);
                let both = |quantity: Quantity| names.map(|name| measured(&shared, name, quantity));
                let in_sum = |quantity: Quantity| {
                    let [ours, theirs] = both(quantity);
                    over_in_sum(&ours, &theirs)
                };
                let sum = match quantity {
                    Quantity::Rate => in_sum(Quantity::Nodes) / in_sum(Quantity::Time),
                    _ => in_sum(*quantity),
                };
                let what = format!("{words}, {}", headed(part));
                add_compared(&mut table, &what, &peer.name, &both(*quantity), sum);
            }
        }
        let looping = in_common(&rows, &[OURS, LOOP]);
        let rates_of = |name: &str| measured(&looping, name, Quantity::Rate);
        let (our_rates, loop_rates) = (rates_of(OURS), rates_of(LOOP));
        let loop_rate = over(&our_rates, &loop_rates).ratio;
        looped.row([
            ("<what", headed(part)),
            ("nodes for 1,000 rounds", crate::format::within(&loop_rate, |x| ratio(1e3 * x))),
            ("over itself", noise(&loop_rates)),
        ]);
    }
    text.extend(beginning(game, all));
    text.extend(missing(game, all));
    table.notes.push(
        "Ours over theirs: geometric means over positions of the middle round, with 95 % intervals over source games; below 1 is less \
         time or fewer nodes, above 1 more nodes a second. In sum: of all positions together, where the longest searches weigh most. \
         Over itself: the odd rounds of a program over its even ones, which took \
         turns like two programs; what lies within that is noise. A node or a depth of one program is not one of another."
            .to_owned(),
    );
    looped
        .notes
        .push("Our nodes next to the rounds of a loop of known work, which took its turn.".to_owned());
    let accurate = accuracies(game, all);
    let mut tables: Vec<Table> =
        std::iter::once(table).chain(accurate).chain(solved).chain([looped]).collect();
    tables.retain(|table| !table.rows.is_empty());
    if let Some((words, table)) = counted_table(game, folders) {
        text.extend(words);
        tables.push(table);
    }
    Section { title: capital(game), text, tables }
}

/// How near each program's searches with everything on come to its own at full width, where both went to one depth.
fn accuracies(game: &str, all: &[(Part, &Runs)]) -> Option<Table> {
    let part_of =
        |measure: Measure| all.iter().find(|(part, _)| part.game == game && part.measure == measure);
    let ((part, selective), (full_part, full)) = (part_of(Measure::Depth)?, part_of(Measure::FullWidth)?);
    if part.budget != full_part.budget {
        return None;
    }
    let names: Vec<&str> = part.contenders.iter().map(|contender| contender.name.as_str()).collect();
    let [selective, full] = [selective, full].map(|runs| in_common(&rows(runs), &names));
    let row = |name: &&str| {
        let accurate = accuracy(&selective, &full, name);
        let [one, other] = [&selective, &full].map(|rows| measured(rows, name, Quantity::Time));
        let share = |part: u64, whole: u64| format!("{} of {}", count(part), count(whole));
        [
            ("<program", (*name).to_owned()),
            ("positions", count(accurate.positions)),
            ("same move", share(accurate.same_move, accurate.positions)),
            ("same value", share(accurate.same_value, accurate.valued)),
            ("mean |dv|", ratio(accurate.off_by / 100.0)),
            ("time", ratio_within(&over(&one, &other).ratio)),
        ]
    };
    let table: Table = names.iter().filter(|name| **name != LOOP).map(row).collect();
    Some(table.noted(format!(
        "Accuracy and price of what each leaves out: its searches to {} with everything on against its own at full width, moves, values \
         (the difference in discs or pawns) and time.",
        part.budget
    )))
}

/// The rows of our time until the right move stays, and the table of who solves what.
fn solutions(part: &Part, runs: &Runs, table: &mut Table) -> Table {
    let mut solved = Table::default();
    let entry = runs.manifests.first().and_then(|manifest| manifest.game(&part.game));
    let Some(entry) = entry else { return solved };
    let (rows, steps) = (rows(runs), searches(runs, &solved::solutions(runs)));
    let allowed = rows.first().map_or(f64::NAN, |row| row.budget as f64);
    let times_of = |name: &str, rows: &[&Record], judge: bool| {
        let mut values = times_to_solution(rows, &steps, &entry.solutions, name);
        values.retain(|position, _| !judge || !part.judged.contains(position));
        values
    };
    for peer in part.peers() {
        // No program is measured by its own judgement.
        let judge = peer.name == part.judge;
        let shared = in_common(&rows, &[OURS, peer.name.as_str()]);
        let (own, other) = (times_of(OURS, &shared, judge), times_of(&peer.name, &shared, judge));
        let what = format!("time until the right move stays, {}", headed(part));
        let (solvers, sum) = (tally(&own, &other), over_in_sum(&own, &other));
        solved.row([
            ("<over", peer.name.clone()),
            ("both solve", count(solvers.both)),
            ("we alone", count(solvers.alone[0])),
            ("they alone", count(solvers.alone[1])),
            ("neither", count(solvers.neither)),
            ("we sooner", count(solvers.sooner[0])),
            ("they sooner", count(solvers.sooner[1])),
            ("p", p_words(Some(solvers.p))),
            ("PAR2", ratio_within(&penalised(&own, &other, allowed))),
        ]);
        add_compared(table, &what, &peer.name, &[own, other], sum);
    }
    solved.notes.push(format!(
        "The ratio of times is of the positions that both solve. Sooner: all positions, one that only one solves going to that one; p \
         of a sign test. PAR2: mean time of ours over theirs, all positions, one that is not solved counting as twice the time that it had.{}",
        match part.judge.as_str() {
            "" => String::new(),
            judge => format!(" What {judge} judged is not counted of {judge}."),
        }
    ));
    solved
}

fn add_compared(table: &mut Table, what: &str, peer: &str, [ours, theirs]: &[Values; 2], sum: f64) {
    let Over { positions, ratio } = over(ours, theirs);
    table.row([
        ("<what", what.to_owned()),
        ("<over", peer.to_owned()),
        ("positions", count(positions as u64)),
        ("ours over theirs", ratio_within(&ratio)),
        ("in sum", crate::format::ratio(sum)),
        ("ours over itself", noise(ours)),
        ("theirs over itself", noise(theirs)),
    ]);
}

fn noise(values: &Values) -> String {
    or_dash(over_itself(values).map(|over| ratio_within(&over.ratio)))
}

fn rows(runs: &Runs) -> Vec<&Record> {
    runs.records.iter().collect()
}

/// Nodes and nanoseconds of all searches of an arm that ended well.
fn sums(rows: &[&Record], arm: &str) -> (f64, f64) {
    let good = rows.iter().filter(|row| row.methods == arm && row.error.is_none());
    good.fold((0.0, 0.0), |(nodes, time), row| (nodes + row.some_nodes(), time + row.time_ns as f64))
}

/// What a part measures, in words.
fn headed(part: &Part) -> String {
    match part.measure {
        Measure::FullWidth => format!("full width to {}", part.budget),
        Measure::Depth => format!("{} with everything on", part.budget),
        Measure::Judge | Measure::Solve => format!("{} a move", part.budget),
        Measure::Endgame => "exact endgames".to_owned(),
    }
}

/// Who searched what.
fn sentence(part: &Part) -> String {
    let who: Vec<String> = part
        .contenders
        .iter()
        .filter(|contender| contender.name != LOOP)
        .map(|contender| match contender.program.as_str() {
            "" if part.measure == Measure::Endgame => format!("this program by {}", contender.arm),
            "" => format!("this program with `{}`", contender.arm),
            program if contender.note.is_empty() => format!("{program} with `{}`", contender.arm),
            program => format!("{program} ({}) with `{}`", contender.note, contender.arm),
        })
        .collect();
    let failed = match part.rounds {
        1 => "once".to_owned(),
        rounds => format!("in {rounds} rounds"),
    };
    format!(
        "{}: {}, {failed}, {} MiB of table; {}.",
        capital(&headed(part)),
        part.positions,
        part.hash_mib,
        who.join(", ")
    )
}

/// What the searches of a game by the clock began with.
fn beginning(game: &str, all: &[(Part, &Runs)]) -> Option<String> {
    let colds: Vec<bool> =
        all.iter().filter(|(part, _)| part.game == game).map(|(part, _)| part.cold).collect();
    let sentence = match (colds.contains(&true), colds.contains(&false)) {
        (false, false) => return None,
        (true, false) => {
            "Every search began cold: our caches were emptied with the table, and every other program searched each position in a \
             process of its own."
        }
        (false, true) => {
            "The searches began warm: tables were cleared, but evaluations and pawn structures that a program had cached at a \
             position in an earlier round were kept, by this program and by others."
        }
        (true, true) => {
            "Some parts were searched cold and some warm, with what a program had cached at a position in an earlier round: search \
             them again to compare them."
        }
    };
    Some(sentence.to_owned())
}

/// Who was not there, each once with its reason.
fn missing(game: &str, all: &[(Part, &Runs)]) -> Vec<String> {
    let of_game = all.iter().filter(|(part, _)| part.game == game).flat_map(|(part, _)| &part.missing);
    let reasons = each_once(of_game.map(|missing| format!("{}: {}", missing.name, missing.why)));
    if reasons.is_empty() { Vec::new() } else { vec![format!("Not compared with: {}.", reasons.join("; "))] }
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::manifest::Manifest;
    use secateur_record::record::Record;
    use secateur_stats::fixtures::row;

    /// Three positions at which this program takes half the time of the other.
    fn folders() -> Folders {
        let part = "name = \"speed\"\nmeasure = \"depth\"\ngame = \"othello\"\npositions = \"p\"\nbudget = \"depth 9\"\nrounds = 2\n\
                    hash-mib = 1\n[[contender]]\nname = \"secateur\"\narm = \"mpc\"\n[[contender]]\nname = \"x\"\nprogram = \"X 1\"\n\
                    arm = \"full\"\n[[contender]]\nname = \"loop\"\n[[missing]]\nname = \"y\"\nwhy = \"not here\"\n";
        let manifest = Manifest { suite: toml::from_str(part).unwrap(), ..Manifest::default() };
        let time = |name: &str, at: u64| at * if name == "x" { 2_000_000 } else { 1_000_000 };
        let cell = |position: &str, at: u64, name: &str, repeat: u32| Record {
            repeat,
            time_ns: time(name, at),
            ..row(position, "s", name, 1000)
        };
        let mut records = Vec::new();
        for (at, position) in (1..).zip(["a", "b", "c"]) {
            for name in [OURS, "x", LOOP] {
                records.extend([0, 1].map(|repeat| cell(position, at, name, repeat)));
            }
        }
        let runs = Runs { manifests: vec![manifest], records, ..Runs::default() };
        Folders::from([("othello-depth".to_owned(), runs)])
    }

    /// At half its nodes and time a program loses one move and value of three; other depths say nothing of that.
    #[test]
    fn accuracy_stands_next_to_time_where_both_went_to_one_depth() {
        let mut folders = folders();
        let mut full = folders["othello-depth"].clone();
        for row in &mut full.records {
            row.time_ns *= 2;
            row.best_move = if row.position == "c" { "c4" } else { row.best_move.as_str() }.into();
            row.score = row.score.map(|score| score + if row.position == "c" { 300 } else { 0 });
        }
        let measure = |measure: &str| toml::Value::String(measure.to_owned());
        full.manifests[0].suite.insert("measure".to_owned(), measure("full-width"));
        folders.insert("othello-full-width".to_owned(), full);
        let named = |folders: &Folders| {
            let tables = &ratios(folders)[0].tables;
            tables.iter().find(|table| table.notes.iter().any(|note| note.starts_with("Accuracy"))).cloned()
        };
        let cells = |row: &[String]| row[1..].join("; ");
        let table = named(&folders).unwrap();
        assert_eq!(cells(&table.rows[0]), "3; 2 of 3; 2 of 3; 1.00; 0.50 [0.50, 0.50]");
        assert_eq!(table.rows.len(), 2);
        let part = folders.get_mut("othello-full-width").unwrap();
        part.manifests[0].suite.insert("budget".to_owned(), measure("depth 8"));
        assert!(named(&folders).is_none());
    }

    /// The run was stopped before the other program had searched the last position: no figure includes it.
    #[test]
    fn a_run_that_was_stopped_has_no_figure_of_what_only_some_searched() {
        let mut folders = folders();
        let runs = folders.get_mut("othello-depth").unwrap();
        runs.records.retain(|row| row.methods != "x" || row.position != "c");
        let report = report(&folders);
        let row = &report.sections[0].tables[0].rows[0];
        assert_eq!((row[1].as_str(), row[2].as_str()), ("x", "2"));
        let absolute = report.sections.iter().find(|section| section.title == "Next to the loop").unwrap();
        // Two rounds of 1 and 2 ms, not of 3.
        assert_eq!(absolute.tables[0].rows[0][3], "0.006");
    }

    #[test]
    fn what_the_searches_began_with_and_how_a_program_was_compiled_is_said() {
        let mut folders = folders();
        let text = |folders: &Folders| ratios(folders)[0].text.join(" ");
        assert!(text(&folders).contains("The searches began warm"), "{}", text(&folders));
        let suite = &mut folders.get_mut("othello-depth").unwrap().manifests[0].suite;
        suite.insert("cold".to_owned(), toml::Value::Boolean(true));
        let peer = &mut suite["contender"].as_array_mut().unwrap()[1].as_table_mut().unwrap();
        peer.insert("note".to_owned(), toml::Value::String("settings: 64bit SSE2".to_owned()));
        let sentences = text(&folders);
        assert!(sentences.contains("Every search began cold") && !sentences.contains("warm"), "{sentences}");
        assert!(sentences.contains("X 1 (settings: 64bit SSE2) with `full`"), "{sentences}");
    }

    #[test]
    fn every_ratio_has_its_noise_beside_it() {
        let folders = folders();
        let section = &ratios(&folders)[0];
        assert!(
            section.text.iter().any(|words| words == "Not compared with: y: not here."),
            "{:?}",
            section.text
        );
        let row = &section.tables[0].rows[0];
        let expected = ["time, depth 9 with everything on", "x", "3", "0.50 [0.50, 0.50]"];
        assert_eq!((row[..4].to_vec(), &row[5]), (expected.map(str::to_owned).to_vec(), &row[6]));
        assert_eq!((row[4].as_str(), row[5].as_str()), ("0.50", "1.00 [1.00, 1.00]"));
        let rate = &section.tables[0].rows[1];
        assert_eq!((rate[3].as_str(), rate[4].as_str()), ("2.00 [2.00, 2.00]", "2.00"));
        assert_eq!(section.tables[1].rows[0][1], "1000 [1000, 1000]");
        let absolute =
            report(&folders).sections.into_iter().find(|section| section.title == "Next to the loop");
        assert_eq!(
            absolute.unwrap().tables[0].rows.len(),
            2,
            "the loop stands next to, in no row of its own"
        );
    }

    /// This program has half the nodes of the other at a fifth of the instructions of each; one position was not counted.
    fn counted_folders() -> Folders {
        let runs = |arm: &str, nodes: u64, each: u64| {
            let cell = |(at, position): (u64, &str)| Record {
                instructions: Some(at * nodes * each).filter(|_| position != "d" || arm == "none"),
                ..row(position, "s", arm, at * nodes)
            };
            let records = (1..).zip(["a", "b", "c", "d"]).map(cell).collect();
            Runs { records, ..Runs::default() }
        };
        Folders::from([
            ("othello-instructions-secateur".to_owned(), runs("none", 100, 25)),
            ("othello-instructions-x".to_owned(), runs("full", 200, 125)),
        ])
    }

    #[test]
    fn counts_have_a_section_without_any_part_by_the_clock() {
        let folders = counted_folders();
        let sections = ratios(&folders);
        let [section] = sections.as_slice() else { panic!("{sections:?}") };
        assert_eq!((section.title.as_str(), section.tables.len()), ("Othello", 1));
        assert!(section.text[0].contains("`none`, x with `full`."), "{:?}", section.text);
        let rows: Vec<&[String]> = section.tables[0].rows.iter().map(Vec::as_slice).collect();
        let cells: Vec<(&str, &str)> = rows.iter().map(|row| (row[2].as_str(), row[5].as_str())).collect();
        let expected = [("3", "0.10 [0.10, 0.10]"), ("3", "0.50 [0.50, 0.50]"), ("3", "0.20 [0.20, 0.20]")];
        assert_eq!(cells, expected, "the position without a count is in no ratio");
        assert_eq!((rows[2][3].as_str(), rows[2][4].as_str()), ("25", "125"));
    }

    #[test]
    fn alone_there_is_nothing_to_tell() {
        let mut folders = counted_folders();
        folders.remove("othello-instructions-x");
        assert!(counted_table("othello", &folders).is_none() && counted_table("chess", &folders).is_none());
    }
}
