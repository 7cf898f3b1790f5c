//! The cells of tables that a report prints, as facts: numbers read back with their intervals, named by row and heading.

use crate::prose::facts::{Fact, word};
use regex_lite::Regex;
use secateur_reports::table::{Align, Section, Table};
use std::sync::LazyLock;

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
#[must_use]
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
#[must_use]
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
    use crate::prose::facts::Facts;

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
