//! Tables of rows by the columns that `xtask/data/columns.toml` gives them: a heading, and what a cell below it is made of.

use secateur::cli::failure::Failure;
use secateur::cli::reading::text_of;
use secateur_base::unknown::Unknown;
use secateur_reports::format::count;
use secateur_reports::table::Table;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::str::FromStr;

/// The tables, and the language in which their cells are written.
const FILE: &str = "xtask/data/columns.toml";

/// Cells by the names of their columns.
pub(super) type Row = BTreeMap<String, String>;

/// A heading, what a cell is made of and, if there is one, the condition under which it is a dash.
type Column = Vec<String>;

/// What a table shows of its rows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    columns: Vec<Column>,
    across: Option<Column>,
    #[serde(default)]
    hide: Vec<String>,
    sum: Option<[String; 2]>,
    #[serde(default)]
    words: BTreeMap<String, String>,
    note: Option<String>,
}

/// The table of this name, of rows that are those of `source`.
pub(super) fn table(name: &str, source: &str, rows: Vec<Row>) -> Result<Table, Failure> {
    let layouts: BTreeMap<String, Layout> = toml::from_str(&text_of(FILE)?).map_err(Failure::at(FILE))?;
    let layout = layouts.get(name).ok_or_else(|| unknown("table", name, layouts.keys()));
    let layout = layout.map_err(Failure::at(FILE))?;
    layout.table(rows).map_err(Failure::at(format!("{FILE}: {name}, of {source}")))
}

impl Layout {
    fn table(&self, mut rows: Vec<Row>) -> Result<Table, String> {
        if let Some([column, label]) = &self.sum {
            rows.push(sum(&rows, column, label)?);
        }
        let mut leads = Vec::new();
        for row in &rows {
            if self.hides(row)? {
                continue;
            }
            let cells = self.columns.iter().map(|column| self.cell(row, column));
            leads.push((row, cells.collect::<Result<Vec<_>, _>>()?));
        }
        let table: Table = match &self.across {
            None => leads.into_iter().map(|(_, lead)| lead).collect(),
            Some(across) => {
                let crossed = leads.into_iter().map(|(row, lead)| {
                    let (heading, cell) = self.cell(row, across)?;
                    Ok((lead, (self.filled(row, heading)?, cell)))
                });
                Table::crossed(crossed.collect::<Result<Vec<_>, String>>()?)
            }
        };
        Ok(match &self.note {
            Some(note) => table.noted(note),
            None => table,
        })
    }

    /// Whether one of the conditions for rows that are left out is true.
    fn hides(&self, row: &Row) -> Result<bool, String> {
        for condition in &self.hide {
            if holds(row, condition)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The heading of a column and its cell in this row.
    fn cell<'c>(&self, row: &Row, column: &'c Column) -> Result<(&'c str, String), String> {
        let (heading, cell, dash) = match &column[..] {
            [heading, cell] => (heading, cell, None),
            [heading, cell, dash] => (heading, cell, Some(dash)),
            other => {
                return Err(format!(
                    "found the column {other:?}, expected a heading, a cell and perhaps a condition"
                ));
            }
        };
        let is_dash = dash.map(|condition| holds(row, condition)).transpose()?.unwrap_or_default();
        let text = if is_dash { "-".to_owned() } else { self.filled(row, cell)? };
        Ok((heading, text))
    }

    /// The text with what its braces name.
    fn filled(&self, row: &Row, text: &str) -> Result<String, String> {
        let mut pieces = text.split('{');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (named, rest) =
                piece.split_once('}').ok_or_else(|| format!("found `{{{piece}`, expected `}}`"))?;
            let (named, is_shown) = if let Some((named, condition)) = named.split_once(" unless ") {
                (named, !holds(row, condition)?)
            } else if let Some((named, condition)) = named.split_once(" if ") {
                (named, holds(row, condition)?)
            } else {
                (named, true)
            };
            if is_shown {
                let (column, form) = named.split_once(':').unwrap_or((named, ""));
                filled += &self.formed(row, column, form)?;
            }
            filled += rest;
        }
        Ok(filled)
    }

    /// What is in the column, in this form.
    fn formed(&self, row: &Row, column: &str, form: &str) -> Result<String, String> {
        Ok(match form.split_once(' ').unwrap_or((form, "")) {
            ("", _) => text(row, column)?.to_owned(),
            ("count", _) => count(number(row, column)?),
            ("number", _) => {
                number(row, column).map_or_else(|_| text(row, column).map(str::to_owned), |n| Ok(count(n)))?
            }
            ("share", _) => {
                let [x, low, high] = interval(row, column)?;
                format!("{:.1} % [{:.1}, {:.1}]", 100.0 * x, 100.0 * low.max(0.0), 100.0 * high)
            }
            ("%", _) => match column.split_once('/') {
                Some((_, all)) if number::<f64>(row, all)? == 0.0 => String::new(),
                Some((part, all)) => {
                    format!("{:.0} %", 100.0 * number::<f64>(row, part)? / number::<f64>(row, all)?)
                }
                None => format!("{:.0} %", 100.0 * number::<f64>(row, column)?),
            },
            ("within", digits) => {
                let digits = decimals(digits)?;
                // No sign before what is printed as nought.
                let least = 0.5 / 10f64.powi(digits as i32);
                let [x, low, high] = interval(row, column)?.map(|x| if x.abs() < least { 0.0 } else { x });
                format!("{x:.digits$} [{low:.digits$}, {high:.digits$}]")
            }
            ("words", _) => {
                let key = text(row, column)?;
                self.words.get(key).ok_or_else(|| unknown("word", key, self.words.keys()))?.clone()
            }
            ("without", prefix) => text(row, column)?.trim_start_matches(prefix).to_owned(),
            (digits, _) => {
                let digits = decimals(digits)?;
                format!("{:.digits$}", number::<f64>(row, column)?)
            }
        })
    }
}

fn unknown<'n>(kind: &'static str, name: &str, names: impl Iterator<Item = &'n String>) -> String {
    Unknown::new(kind, name, &names.map(String::as_str).collect::<Vec<_>>()).to_string()
}

/// `.2` is two decimals.
fn decimals(text: &str) -> Result<usize, String> {
    let digits = text.strip_prefix('.').and_then(|digits| digits.parse().ok());
    digits.ok_or_else(|| format!("found the form `{text}`, expected one of those at the top of the file"))
}

fn text<'r>(row: &'r Row, column: &str) -> Result<&'r str, String> {
    row.get(column).map(String::as_str).ok_or_else(|| unknown("column", column, row.keys()))
}

fn number<N: FromStr>(row: &Row, column: &str) -> Result<N, String> {
    let text = text(row, column)?;
    text.parse().map_err(|_| format!("`{column}`: found `{text}`, expected a number"))
}

/// The number with the interval that has two columns of its own.
fn interval(row: &Row, column: &str) -> Result<[f64; 3], String> {
    let end = |end: &str| number(row, &format!("{column}_{end}"));
    Ok([number(row, column)?, end("low")?, end("high")?])
}

/// Whether all parts of a condition are true of a row.
fn holds(row: &Row, condition: &str) -> Result<bool, String> {
    for part in condition.split(" and ") {
        let is_true = if let Some((column, wanted)) = part.split_once('=') {
            text(row, column)? == wanted
        } else if let Some((column, most)) = part.split_once('<') {
            let most = most.parse().map_err(|_| format!("found `{part}`, expected a number behind `<`"))?;
            number::<f64>(row, column)? < most
        } else {
            return Err(format!("found `{part}`, expected `column=text` or `column<number`"));
        };
        if !is_true {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The sum of all rows in every column but the one that has the label.
fn sum(rows: &[Row], labelled: &str, label: &str) -> Result<Row, String> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        for column in row.keys().filter(|column| *column != labelled) {
            *sums.entry(column).or_default() += number::<u64>(row, column)?;
        }
    }
    let sums = sums.into_iter().map(|(column, sum)| (column.to_owned(), sum.to_string()));
    Ok(sums.chain([(labelled.to_owned(), label.to_owned())]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_reports::render::markdown_table;

    fn row(cells: &[(&str, &str)]) -> Row {
        cells.iter().map(|(column, text)| ((*column).to_owned(), (*text).to_owned())).collect()
    }

    fn layout(name: &str) -> Layout {
        let text = include_str!("../../data/columns.toml");
        toml::from_str::<BTreeMap<String, Layout>>(text).unwrap().remove(name).unwrap()
    }

    #[test]
    fn cells_are_made_of_columns_and_what_is_none_is_named() {
        let row = row(&[
            ("n", "12345"),
            ("x", "0.25"),
            ("x_low", "-0.0004"),
            ("x_high", "0.5"),
            ("method", "none"),
            ("z", "0"),
        ]);
        let shown = |text: &str| Layout::default().filled(&row, text).unwrap_or_else(|error| error);
        assert_eq!(shown("{n:count} of {n}"), "12,345 of 12345");
        assert_eq!(shown("{n:number}, {x:number}"), "12,345, 0.25");
        assert_eq!(shown("{x:within .3}"), "0.250 [0.000, 0.500]");
        assert_eq!(shown("{x:share}"), "25.0 % [0.0, 50.0]");
        assert_eq!([shown("{x/n:%}"), shown("{x:%}"), shown("{x/z:%}")], ["0 %", "25 %", ""]);
        assert_eq!(shown("{x:.1 unless method=none}{n if method=none and x<0.3}"), "12345");
        assert!(
            shown("{elsewhere}").starts_with("unknown column `elsewhere`: expected one of method, n"),
            "{}",
            shown("{elsewhere}")
        );
        assert!(shown("{x:count}").contains("`x`: found `0.25`, expected a number"));
        assert!(shown("{x:raw}").contains("found the form `raw`"));
        assert!(shown("{x").contains("expected `}`"));
        let dashed = ["x", "{n}", "method=none"].map(str::to_owned).to_vec();
        assert_eq!(Layout::default().cell(&row, &dashed).unwrap(), ("x", "-".to_owned()));
    }

    #[test]
    fn a_column_that_the_rows_lack_is_named_with_those_that_they_have() {
        let error = layout("trial").table(vec![row(&[("what", "shards")])]).unwrap_err();
        assert!(error.contains("unknown column `number`: expected one of what"), "{error}");
    }

    #[test]
    fn a_cell_says_what_a_second_method_makes_of_what_it_tests() {
        let of = |second: &str, side: &str, tests: &str, [of_tests, low, high]: [&str; 3]| {
            row(&[
                ("game", "chess"),
                ("level", "node"),
                ("first", "null-move"),
                ("cuts", "1000"),
                ("second", second),
                ("side", side),
                ("tests", tests),
                ("of_tests", of_tests),
                ("of_tests_low", low),
                ("of_tests_high", high),
            ])
        };
        let rows = vec![
            of("would-mpc", "high", "0.4", ["0.5", "0.4", "0.6"]),
            of("would-mpc", "low", "0.4", ["0.9", "0.9", "0.9"]),
            of("would-mpc", "passed", "1.0", ["0.2", "0.1", "0.3"]),
            of("would-lmp", "high", "0.0", [""; 3]),
        ];
        let text = markdown_table(&layout("shadow-nodes").table(rows).unwrap());
        for wanted in [
            "| game | where | tests | mpc would cut | lmp would cut |",
            "| chess | null-move cuts | 1,000 | 50.0 % [40.0, 60.0] of 40 % | - |",
            "| chess | null-move lets pass | 1,000 | 20.0 % [10.0, 30.0] of 100 % | - |",
        ] {
            assert!(text.contains(wanted), "{text}");
        }
        assert_eq!(text.lines().count(), 4, "neither another side nor another level: {text}");
    }

    #[test]
    fn of_all_programs_it_is_said_how_often() {
        let layout = layout("switches");
        let built = |program: &str, count: &str| {
            let column = layout.columns.iter().find(|column| column[0] == "built").unwrap();
            layout.cell(&row(&[("program", program), ("built", count)]), column).unwrap().1
        };
        let cells = [built("a", "1"), built("a", "0"), built("a", ""), built("all", "7"), built("all", "")];
        assert_eq!(cells, ["yes", "no", "", "7", ""]);
    }
}
