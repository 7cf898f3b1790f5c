//! Numbers with names: measures of runs, fits, small CSV files and the cells of tables that a report prints, as prose refers to them.
//!
//! A fact is a number with the words that name it. Words have no order: whoever refers to a fact gives as many as tell it
//! from the others of its source. A blank within a word becomes `_`. Cells are read back with their intervals, named by row and heading.

use regex_lite::Regex;
use secateur_record::fitted::Fitted;
use secateur_reports::table::{Align, Section, Table};
use secateur_stats::interval::Interval;
use secateur_stats::measures::MeasureRow;
use secateur_stats::numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// What names it.
    pub names: Vec<String>,
    /// The word among these that says what was measured: a measure, or the heading of a column.
    pub what: String,
    /// The number; `None` where the record has none.
    pub number: Option<f64>,
    /// Its 95 % interval.
    pub within: Option<(f64, f64)>,
    /// How a table prints it.
    pub printed: Option<String>,
    /// The stage that it is about, `all` for the whole; `None` where the record does not say. The whole is preferred where words name it and its
    /// parts; different stages are different positions.
    pub stage: Option<String>,
}

const WHOLE: &str = "all";

/// A word without blanks.
pub fn word(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

impl Fact {
    /// A number without an interval.
    pub fn number<const N: usize>(names: [&str; N], number: f64) -> Fact {
        Fact::of(names.into_iter().map(word).collect(), Some(number), None)
    }

    /// A number with its interval.
    pub fn within<const N: usize>(names: [&str; N], interval: Interval) -> Fact {
        Fact { within: Some((interval.low, interval.high)), ..Fact::number(names, interval.estimate) }
    }

    /// A number as a table prints it.
    pub fn printed(names: Vec<String>, number: f64, within: Option<(f64, f64)>, text: &str) -> Fact {
        Fact { printed: Some(text.to_owned()), ..Fact::of(names, Some(number), within) }
    }

    /// A fact of which the last word says what was measured.
    fn of(names: Vec<String>, number: Option<f64>, within: Option<(f64, f64)>) -> Fact {
        let what = names.last().cloned().unwrap_or_default();
        Fact { names, what, number, within, printed: None, stage: None }
    }

    /// Whether two facts say the same.
    fn agrees(&self, other: &Fact) -> bool {
        (self.number, self.within, &self.printed) == (other.number, other.within, &other.printed)
    }
}

/// All facts by source.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    sources: BTreeMap<String, Vec<Fact>>,
    /// The sources that are runs: their arms searched the same positions.
    runs: BTreeSet<String>,
}

impl Facts {
    /// Adds facts to a source.
    pub fn add(&mut self, source: &str, facts: Vec<Fact>) {
        self.sources.entry(source.to_owned()).or_default().extend(facts);
    }

    /// Adds the facts of a run.
    pub fn add_run(&mut self, run: &str, facts: Vec<Fact>) {
        self.runs.insert(run.to_owned());
        self.add(run, facts);
    }

    /// Whether a source is a run, in which arms are paired by position.
    pub fn is_run(&self, source: &str) -> bool {
        self.runs.contains(source)
    }

    /// Whether anything is known of a source.
    pub fn has(&self, source: &str) -> bool {
        self.sources.contains_key(source)
    }

    /// The one fact of `source` that has all of `names`.
    ///
    /// # Errors
    /// An unknown source, no such fact, or several that differ; in words.
    pub fn find(&self, source: &str, names: &[&str]) -> Result<&Fact, String> {
        let facts = self.sources.get(source).ok_or_else(|| {
            let sources: Vec<&str> = self.sources.keys().map(String::as_str).collect();
            format!("unknown source `{source}`: expected one of {}", sources.join(", "))
        })?;
        if let Some(unknown) = names.iter().find(|word| !facts.iter().any(|fact| has(fact, word))) {
            return Err(format!("`{source}` has nothing named `{unknown}`"));
        }
        let mut matching: Vec<&Fact> =
            facts.iter().filter(|fact| names.iter().all(|word| has(fact, word))).collect();
        let is_whole = |fact: &&Fact| fact.stage.as_deref() == Some(WHOLE);
        if matching.iter().any(is_whole) {
            matching.retain(is_whole);
        }
        let Some(first) = matching.first() else {
            return Err(format!("nothing in `{source}` has all of these names"));
        };
        let Some(other) = matching.iter().find(|fact| !fact.agrees(first)) else { return Ok(first) };
        let (first, other) = (first.names.join(" "), other.names.join(" "));
        let count = matching.len();
        Err(format!("{count} numbers of `{source}` have these names, as `{first}` and `{other}`"))
    }
}

fn has(fact: &Fact, word: &str) -> bool {
    fact.names.iter().any(|name| name == word)
}

/// The measures of a run, named as in its CSV: game, suite, `depth=8`, method set, stage (`all` unless given), measure; and
/// with `.n` after the measure its number of positions. A measure is known by its former name, too.
pub fn of_rows(rows: &[MeasureRow]) -> Vec<Fact> {
    let fact = |row: &MeasureRow| {
        let budget = format!("{}={}", row.budget_kind, row.budget);
        let named = |measure: &str, number: Option<f64>, within| {
            let names =
                [&row.game, &row.suite, &budget, &row.methods, &row.stage, measure].map(word).to_vec();
            Fact { stage: Some(word(&row.stage)), ..Fact::of(names, number, within) }
        };
        let facts = |measure: &str| {
            [
                named(measure, row.estimate, row.low.zip(row.high)),
                named(&format!("{measure}.n"), Some(row.n as f64), None),
            ]
        };
        let former = numbers::named(&row.measure).map(|measure| measure.former);
        let former = former.filter(|name| !name.is_empty()).map(facts);
        facts(&row.measure).into_iter().chain(former.into_iter().flatten()).collect::<Vec<_>>()
    };
    rows.iter().flat_map(fact).collect()
}

/// The numbers of a fit, named by baseline (`none`, `null-move`), stage, `(4,8)` and one of `a`, `b`, `sigma`, `r`, `n`.
pub fn of_fit(fitted: &Fitted, stages: &[&str]) -> Vec<Fact> {
    let baselines =
        [("none", Some(&fitted.baselines.none)), ("null-move", fitted.baselines.null_move.as_ref())];
    let mut facts = Vec::new();
    for (name, calibration) in baselines {
        for fit in calibration.into_iter().flat_map(|calibration| &calibration.fits) {
            let pair = format!("({},{})", fit.shallow, fit.deep);
            let stage = stages.get(fit.stage).copied().unwrap_or_default();
            let numbers =
                [("a", fit.a), ("b", fit.b), ("sigma", fit.sigma), ("r", fit.r), ("n", f64::from(fit.n))];
            facts
                .extend(numbers.map(|(measure, number)| Fact::number([name, stage, &pair, measure], number)));
        }
    }
    facts
}

/// The numbers of a CSV file, in which a line that starts with `#` is a remark. A fact is named by its column, by the texts
/// of its row, and by `column=number` of the numbers next to it. `x_low` and `x_high` are the interval of `x`.
///
/// # Errors
/// A row that is not one, with its line.
pub fn of_csv(text: &str) -> Result<Vec<Fact>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let headings: Vec<String> = reader.headers()?.iter().map(word).collect();
    let mut facts = Vec::new();
    for row in reader.records() {
        let row: Vec<String> = row?.iter().map(str::to_owned).collect();
        let number = |name: &str| row[headings.iter().position(|other| other == name)?].parse::<f64>().ok();
        let names: Vec<String> = headings
            .iter()
            .zip(&row)
            .map(
                |(heading, cell)| {
                    if number(heading).is_some() { format!("{heading}={cell}") } else { word(cell) }
                },
            )
            .collect();
        for (index, heading) in headings.iter().enumerate() {
            let Some(value) = number(heading) else { continue };
            let mut labels = names.clone();
            heading.clone_into(&mut labels[index]);
            let ends = number(&format!("{heading}_low")).zip(number(&format!("{heading}_high")));
            facts.push(Fact { what: heading.clone(), ..Fact::of(labels, Some(value), ends) });
        }
    }
    Ok(facts)
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| super::pattern(r"[-+]?\d[\d,]*(?:\.\d+)?"));

/// The first number of a cell with its interval: `84 % [71, 92]` is 0.84 within 0.71 and 0.92.
pub(crate) fn parsed(cell: &str) -> Option<(f64, Option<(f64, f64)>)> {
    let unit = if cell.contains('%') { 0.01 } else { 1.0 };
    let all = |text: &str| -> Vec<f64> {
        let numbers = NUMBER.find_iter(text).map(|number| number.as_str().replace([',', '+'], ""));
        numbers.filter_map(|text| Some(unit * text.parse::<f64>().ok()?)).collect()
    };
    let within = cell.split_once('[').and_then(|(_, ends)| match all(ends).as_slice() {
        [low, high, ..] => Some((*low, *high)),
        _ => None,
    });
    Some((*all(cell).first()?, within))
}

/// The cells of a table as they are printed, named by the words of their row (its first cell and all left-aligned ones) and
/// by their heading.
pub fn of_table(table: &Table) -> Vec<Fact> {
    let is_name = |index: usize| index == 0 || table.columns[index].1 == Align::Left;
    let mut facts = Vec::new();
    for row in &table.rows {
        let names: Vec<String> = (0..row.len()).filter(|i| is_name(*i)).map(|i| word(&row[i])).collect();
        for (index, cell) in row.iter().enumerate().skip(1) {
            let Some((number, within)) = parsed(cell) else { continue };
            let labels = names.iter().cloned().chain([word(&table.columns[index].0)]).collect();
            facts.push(Fact::printed(labels, number, within, cell));
        }
    }
    facts
}

/// The cells of all tables of sections, named by the parts of their section's title, too (`chess`, `depth_8`), and by
/// `table=1`, the number of a table in its section.
pub fn of_sections(sections: &[Section]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for section in sections {
        let title: Vec<String> = section.title.split([',', ':', '(', ')']).map(word).collect();
        for (index, table) in section.tables.iter().enumerate() {
            facts.extend(of_table(table).into_iter().map(|mut fact| {
                fact.names.extend(title.iter().filter(|part| !part.is_empty()).cloned());
                fact.names.push(format!("table={}", index + 1));
                fact
            }));
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(methods: &str, stage: &str, estimate: f64) -> MeasureRow {
        MeasureRow {
            game: "chess".into(),
            suite: "quick".into(),
            budget_kind: "depth".into(),
            budget: 8,
            methods: methods.into(),
            stage: stage.into(),
            measure: "same_move".into(),
            n: 18,
            estimate: Some(estimate),
            low: None,
            high: None,
            run: "quick".into(),
        }
    }

    #[test]
    fn words_tell_a_fact_from_the_others_and_a_whole_from_its_parts() {
        let mut facts = Facts::default();
        let rows = [row("none", "28", 0.1), row("none", "all", 0.2), row("null-move x mpc", "all", 0.3)];
        facts.add("quick", of_rows(&rows));
        let find = |names: &[&str]| facts.find("quick", names).map(|fact| fact.number);
        assert_eq!(find(&["none", "same_move", "depth=8"]), Ok(Some(0.2)));
        assert_eq!(find(&["none", "same_move", "28"]), Ok(Some(0.1)));
        assert_eq!(find(&["null-move_x_mpc", "same_move"]), Ok(Some(0.3)));
        assert_eq!(find(&["none", "same_move.n"]), Ok(Some(18.0)));
        assert!(find(&["same_move"]).unwrap_err().contains("2 numbers"));
        assert!(find(&["none", "nosuch"]).unwrap_err().contains("`nosuch`"));
        assert!(find(&["null-move_x_mpc", "28"]).unwrap_err().contains("all of these"));
        assert!(facts.find("slow", &[]).unwrap_err().contains("expected one of quick"));
    }

    #[test]
    fn csv_files_name_their_numbers_by_row_and_column() {
        let text =
            "# the command\ndepth,arm,ratio,ratio_low,ratio_high\n8,\"mpc[a,b]\",0.5,0.4,0.6\n9,x y,2,,\n";
        let mut facts = Facts::default();
        facts.add("c", of_csv(text).unwrap());
        let fact = facts.find("c", &["depth=8", "mpc[a,b]", "ratio"]).unwrap();
        assert_eq!((fact.number, fact.within), (Some(0.5), Some((0.4, 0.6))));
        assert_eq!(facts.find("c", &["x_y", "ratio"]).unwrap().within, None);
        assert!(of_csv("a,b\n1\n").is_err());
    }

    #[test]
    fn cells_of_tables_are_read_with_their_intervals() {
        let mut table = Table::new(&["stage", "<by", "same move", "nodes"]);
        table.push(["12", "Buro 1995", "84 % [71, 92]", "5,012,649"].map(str::to_owned).to_vec());
        table.push(["12", "ours", "-", "-7.5 of 9"].map(str::to_owned).to_vec());
        let facts = of_table(&table);
        assert_eq!(facts.len(), 4, "a name with a number, and three cells: {facts:?}");
        let mut all = Facts::default();
        all.add("t", facts);
        let kept = all.find("t", &["12", "Buro_1995", "same_move"]).unwrap();
        assert_eq!((kept.number, kept.within), (Some(0.84), Some((0.71, 0.92))));
        assert_eq!(kept.printed.as_deref(), Some("84 % [71, 92]"));
        assert_eq!(all.find("t", &["Buro_1995", "nodes"]).unwrap().number, Some(5_012_649.0));
        assert_eq!(all.find("t", &["ours", "nodes"]).unwrap().number, Some(-7.5));
    }
}
