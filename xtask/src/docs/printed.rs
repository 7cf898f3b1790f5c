//! Tables of what studies and trials printed: CSV under `docs/runs/printed`, some with the commands in first lines that begin with `#`.
//!
//! A table is a list of columns: a heading, and what a cell below it is made of.

use super::pages::Pages;
use super::{File, RUNS, switches};
use secateur::cli::evidence::committed_match;
use secateur::cli::failure::{Failure, Outcome};
use secateur_record::archive::is_file;
use secateur_record::table::of_rows;
use secateur_reports::format::count;
use secateur_reports::render::markdown_table;
use secateur_reports::table::Table;
use secateur_stats::elo::Pentanomial;
use secateur_stats::numbers::NODES_SAVED;
use secateur_stats::play::pair_counts;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The rows of the file of this name (without its ending).
pub(super) fn rows<T: DeserializeOwned>(name: &str) -> Result<Vec<T>, Failure> {
    let file = Path::new(RUNS).join("printed").join(name).with_extension("csv");
    Ok(secateur_record::table::rows(&file)?)
}

/// A row of the file of this name, by the names of its columns.
pub(super) struct Row {
    file: String,
    cells: BTreeMap<String, String>,
}

pub(super) type Cell = Result<String, Failure>;

/// A heading, and what is below it.
pub(super) type Column = (&'static str, fn(&Row) -> Cell);

impl Row {
    /// A row of a file as columns and cells.
    pub(super) fn new<C: Into<String>>(file: &str, cells: impl IntoIterator<Item = (C, C)>) -> Row {
        let cells = cells.into_iter().map(|(column, text)| (column.into(), text.into())).collect();
        Row { file: file.to_owned(), cells }
    }

    pub(super) fn text(&self, column: &str) -> Cell {
        let missing = || Failure::input(format!("{}.csv: found no column `{column}`", self.file));
        self.cells.get(column).cloned().ok_or_else(missing)
    }

    pub(super) fn number<N: FromStr>(&self, column: &str) -> Result<N, Failure> {
        let (file, text) = (&self.file, self.text(column)?);
        let what = || Failure::input(format!("{file}.csv: `{column}`: found `{text}`, expected a number"));
        text.parse().map_err(|_| what())
    }

    /// The numbers of several columns.
    pub(super) fn numbers<N: FromStr>(&self, columns: &[&str]) -> Result<Vec<N>, Failure> {
        columns.iter().map(|column| self.number(column)).collect()
    }

    pub(super) fn count(&self, column: &str) -> Cell {
        self.number(column).map(count)
    }

    pub(super) fn fixed(&self, column: &str, digits: usize) -> Cell {
        Ok(format!("{:.digits$}", self.number::<f64>(column)?))
    }

    /// The number with the interval that has two columns of its own.
    fn interval(&self, column: &str) -> Result<[f64; 3], Failure> {
        let [low, high] = ["low", "high"].map(|end| self.number(&format!("{column}_{end}")));
        Ok([self.number(column)?, low?, high?])
    }

    fn within(&self, column: &str, digits: usize) -> Cell {
        // No sign before what is printed as nought.
        let least = 0.5 / 10f64.powi(digits as i32);
        let [x, low, high] = self.interval(column)?.map(|x| if x.abs() < least { 0.0 } else { x });
        Ok(format!("{x:.digits$} [{low:.digits$}, {high:.digits$}]"))
    }

    /// A share with its interval, as in `12.5 % [10.1, 15.0]`.
    fn share(&self, column: &str) -> Cell {
        let [x, low, high] = self.interval(column)?;
        Ok(format!("{:.1} % [{:.1}, {:.1}]", 100.0 * x, 100.0 * low.max(0.0), 100.0 * high))
    }

    /// A dash where nothing can differ: of the search without methods.
    fn unless_full(&self, cell: fn(&Self) -> Cell) -> Cell {
        if self.text("method")? == "none" { Ok("-".to_owned()) } else { cell(self) }
    }
}

/// All rows of a file.
pub(super) fn read(file: &str) -> Result<Vec<Row>, Failure> {
    let cells: Vec<BTreeMap<String, String>> = rows(file)?;
    Ok(cells.into_iter().map(|cells| Row::new(file, cells)).collect())
}

/// The table of all rows of a file.
pub(super) fn table(file: &str, columns: &[Column]) -> Result<String, Failure> {
    view(&read(file)?, columns)
}

/// The table of some rows.
pub(super) fn view<'r>(
    rows: impl IntoIterator<Item = &'r Row>,
    columns: &[Column],
) -> Result<String, Failure> {
    let cells = |row: &Row| -> Result<Vec<(&str, String)>, Failure> {
        columns.iter().map(|(heading, cell)| Ok((*heading, cell(row)?))).collect()
    };
    let table: Table = rows.into_iter().map(cells).collect::<Result<_, _>>()?;
    Ok(markdown_table(&table))
}

/// Puts in all tables that are told by these files alone; the parts have the names of the files, but for a study of one game.
pub(super) fn put(pages: &mut Pages) -> Outcome {
    for (name, columns) in [
        ("injected", &INJECTED[..]),
        ("noise", &NOISE),
        ("rules", &RULES),
        ("endgames", &ENDGAMES),
        ("trial", &TRIAL),
        ("overhead", &TRIAL),
    ] {
        pages.put(name, &table(name, columns)?)?;
    }
    for (name, table) in switches::tables()? {
        pages.put(name, &table)?;
    }
    pages.put("scale", &grown()?)?;
    pages.put("errors", &errors()?)?;
    pages.put("shadow", &shadow()?)?;
    pages.put("mutants", &mutants()?)
}

/// Where one wrong cut reaches the root: lies of one type and ply a row, of the study `injected`.
const INJECTED: [Column; 7] = [
    ("<game", |row| row.text("game")),
    ("<expected type", |row| row.text("type")),
    ("ply", |row| row.text("ply")),
    ("wrong cuts", |row| row.count("lies")),
    ("root's move changed", |row| row.share("move")),
    ("value changed", |row| row.share("value")),
    ("loss of the move", |row| row.within("loss", 3)),
];

/// A worse evaluation in steps: an evaluation and a method a row, of the study `noise`.
const NOISE: [Column; 8] = [
    ("<added", |row| row.text("kind")),
    ("in sigmas", |row| row.fixed("level", 2)),
    ("sigma of (4, 8), discs", |row| row.fixed("sigma", 2)),
    ("r", |row| row.fixed("r", 3)),
    ("<method", |row| row.text("method")),
    ("nodes saved", |row| row.unless_full(|row| row.within("saved", 2))),
    ("same move", |row| row.unless_full(|row| row.share("move"))),
    ("loss of its moves, discs", |row| row.within("loss", 2)),
];

/// Whether wrong cuts come alone: all cuts, or pairs of which one is wrong by what they share, of the study `errors`.
fn errors() -> Result<String, Failure> {
    const COLUMNS: [Column; 4] = [
        ("<game", |row| row.text("game")),
        ("<given a wrong cut", |row| {
            Ok(match row.text("at")?.trim_end_matches("-up") {
                "any" => "none: all cuts".to_owned(),
                "search" => "anywhere in the iteration".to_owned(),
                "1" => "on a line from the same position 1 ply above".to_owned(),
                plies => format!("on a line from the same position {plies} plies above"),
            })
        }),
        ("cuts or pairs", |row| row.count("pairs")),
        ("wrong", |row| row.share("wrong")),
    ];
    // What is rarer is left out.
    let is_shown = |row: &Row| row.number::<u64>("pairs").map_or(true, |pairs| pairs >= 100);
    view(read("errors-chess")?.iter().filter(|row| is_shown(row)), &COLUMNS)
}

/// What the rules of draughts programs save, change and throw away: an arm on a set of positions a row.
const RULES: [Column; 9] = [
    ("<positions", |row| row.text("positions")),
    ("depth", |row| row.count("depth")),
    ("positions searched", |row| row.count("count")),
    ("<methods", |row| row.text("methods")),
    ("nodes", |row| row.count("nodes")),
    (NODES_SAVED.name, |row| row.fixed("saved", 2)),
    ("same move", |row| Ok(format!("{} %", row.text("same_moves")?))),
    ("mean regret", |row| row.fixed("regret", 2)),
    ("results thrown away", |row| {
        let [thrown, all] = ["thrown", "count"].map(|column| row.number::<f64>(column));
        let thrown = thrown?;
        Ok(format!("{thrown} ({:.0} %)", 100.0 * thrown / all?.max(1.0)))
    }),
];

/// How many endgame positions there are, and what they are worth to the side to move: one number of pieces a row.
const ENDGAMES: [Column; 7] = [
    ("pieces", |row| row.count("pieces")),
    ("positions (Chinook's count)", |row| row.count("positions")),
    ("of one side alone", |row| row.count("one_sided")),
    ("won", |row| row.count("won")),
    ("drawn", |row| row.count("drawn")),
    ("lost", |row| row.count("lost")),
    ("not the best over their moves", |row| row.count("wrong")),
];

/// What merges and reports took with synthetic records: a row a command, a column a size.
fn grown() -> Result<String, Failure> {
    let cell = |row: &Row| {
        let took = format!("{} s, {} MiB", row.fixed("cpu_s", 1)?, row.count("mib")?);
        Ok(([("<what", row.text("what")?)], (format!("{} rows", row.count("rows")?), took)))
    };
    let cells = read("scale")?.iter().map(cell).collect::<Result<Vec<_>, Failure>>()?;
    Ok(markdown_table(&Table::crossed(cells)))
}

/// What a trial came to, numbers that are not whole as they stand.
const TRIAL: [Column; 2] = [
    ("<what", |row| row.text("what")),
    ("number", |row| row.count("number").or_else(|_| row.text("number"))),
];

/// Which cuts of one method another would have made, of the study `shadow`: nodes that were cut at beta, and moves that were left out.
fn shadow() -> Result<String, Failure> {
    let rows = read("shadow")?;
    let tables = [shadowed(&rows, ["node", "high"], "tests")?, shadowed(&rows, ["move", "low"], "moves")?];
    Ok(tables.map(|table| markdown_table(&table)).join("\n"))
}

/// A row for each game, first method and what came of its tests, a column for each second method: of those tests that the second makes
/// too, the share that it cuts.
fn shadowed(rows: &[Row], [level, side]: [&str; 2], what: &str) -> Result<Table, Failure> {
    let mut cells = Vec::new();
    for row in rows {
        let came = match row.text("side")?.as_str() {
            "passed" => "lets pass",
            cut if cut == side => "cuts",
            _ => continue,
        };
        if row.text("level")? != level {
            continue;
        }
        let tested = 100.0 * row.number::<f64>("tests")?;
        let is_told = !row.text("of_tests")?.is_empty();
        let would =
            if is_told { format!("{} of {tested:.0} %", row.share("of_tests")?) } else { "-".to_owned() };
        let first = format!("{} {came}", row.text("first")?);
        let second = format!("{} would cut", row.text("second")?.trim_start_matches("would-"));
        let lead = [("<game", row.text("game")?), ("<where", first), (what, row.count("cuts")?)];
        cells.push((lead, (second, would)));
    }
    Ok(Table::crossed(cells))
}

/// Which layer of tests catches the mutants of each file of the methods, a row a file, and all together in the last. A mutant counts
/// where it is caught first.
fn mutants() -> Result<String, Failure> {
    const COLUMNS: [Column; 8] = [
        ("<file", |row| row.text("file")),
        ("mutants", |row| row.count("tried")),
        ("unit tests", |row| row.count("unit")),
        ("checks", |row| row.count("checks")),
        ("trees", |row| row.count("trees")),
        ("identities", |row| row.count("identities")),
        ("equivalent", |row| row.count("equivalent")),
        ("missed", |row| row.count("missed")),
    ];
    const COUNTS: [&str; 7] = ["tried", "unit", "checks", "trees", "identities", "equivalent", "missed"];
    let mut rows = read("mutants")?;
    let mut sums = [0; COUNTS.len()];
    for row in &rows {
        let counts: Vec<u64> = row.numbers(&COUNTS)?;
        if counts[1..].iter().sum::<u64>() != counts[0] {
            let file = row.text("file")?;
            return Err(Failure::input(format!("mutants.csv: the counts of {file} do not add up")));
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let sums = COUNTS.iter().zip(sums).map(|(column, sum)| ((*column).to_owned(), sum.to_string()));
    rows.push(Row::new("mutants", sums.chain([("file".to_owned(), "all".to_owned())])));
    view(&rows, &COLUMNS)
}

/// The table.
const MATCHES: &str = "docs/runs/printed/matches.csv";
/// The file by which a folder is known to be a match.
const MATCH: &str = "play.toml";

/// A match.
#[derive(Debug, Serialize)]
struct MatchRow {
    /// Its folder.
    folder: String,
    /// The first player, whose points are counted.
    first: String,
    /// The other.
    second: String,
    /// What each of them was given.
    limit: String,
    /// The seed of the openings.
    seed: u64,
    /// Pairs that count, one an opening.
    pairs: u64,
    /// The pairs by points.
    pentanomial: Option<Pentanomial>,
}

/// The pairs of every committed match by their points, five numbers a match, as documents take the match: all that is said of strength
/// follows from them, whatever becomes of the games. In shared games no two players are the same throughout.
pub(super) fn matches_file() -> Result<File, Failure> {
    let folders = folders_of_matches(Path::new(RUNS))?;
    let rows = folders.iter().filter_map(|folder| match_row(folder).transpose());
    let rows = rows.collect::<Result<Vec<MatchRow>, _>>()?;
    Ok((MATCHES.into(), format!("# cargo xtask docs\n{}", of_rows(&rows))))
}

/// The folders of matches below this one, in order.
fn folders_of_matches(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut matches = Vec::new();
    for path in super::pages::entries(folder)?.into_values().filter(|path| !is_file(path)) {
        match is_file(&path.join(MATCH)) {
            true => matches.push(path),
            false => matches.extend(folders_of_matches(&path)?),
        }
    }
    Ok(matches)
}

fn match_row(folder: &Path) -> Result<Option<MatchRow>, Failure> {
    let ended = committed_match(folder)?;
    let settings = &ended.file.settings;
    if settings.is_shared() {
        return Ok(None);
    }
    let counts = pair_counts(&ended.rows);
    let [first, second] = settings.names().map(|name| name.to_string());
    Ok(Some(MatchRow {
        folder: folder.strip_prefix(RUNS).unwrap_or(folder).display().to_string(),
        first,
        second,
        limit: settings.limit.to_string(),
        seed: settings.seed,
        pairs: counts.pairs(),
        pentanomial: Some(counts),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_made_of_columns_and_what_is_none_is_named() {
        let cells =
            [("n", "12345"), ("x", "0.25"), ("x_low", "-0.0004"), ("x_high", "0.5"), ("method", "none")];
        let row = Row::new("f", cells);
        let shown = |cell: Cell| cell.unwrap_or_else(|error| format!("{error:?}"));
        assert_eq!(shown(row.count("n")), "12,345");
        assert_eq!(shown(row.within("x", 3)), "0.250 [0.000, 0.500]");
        assert_eq!(shown(row.share("x")), "25.0 % [0.0, 50.0]");
        assert_eq!(shown(row.unless_full(|row| row.text("n"))), "-");
        assert!(shown(row.text("y")).contains("f.csv: found no column `y`"));
        assert!(shown(row.count("x")).contains("`x`: found `0.25`, expected a number"));
    }
    #[test]
    fn a_cell_says_what_a_second_method_makes_of_what_it_tests() {
        let row = |second: &str, side: &str, tests: &str, made: [&str; 3]| {
            let [of_tests, low, high] = made;
            let cells = [("game", "chess"), ("level", "node"), ("first", "null-move"), ("cuts", "1000")];
            let made = [("of_tests", of_tests), ("of_tests_low", low), ("of_tests_high", high)];
            let named = [("second", second), ("side", side), ("tests", tests)];
            Row::new("shadow", cells.into_iter().chain(named).chain(made))
        };
        let rows = [
            row("would-mpc", "high", "0.4", ["0.5", "0.4", "0.6"]),
            row("would-mpc", "low", "0.4", ["0.9", "0.9", "0.9"]),
            row("would-mpc", "passed", "1.0", ["0.2", "0.1", "0.3"]),
            row("would-lmp", "high", "0.0", [""; 3]),
        ];
        let text = markdown_table(&shadowed(&rows, ["node", "high"], "tests").unwrap());
        for wanted in [
            "| game | where | tests | mpc would cut | lmp would cut |",
            "| chess | null-move cuts | 1,000 | 50.0 % [40.0, 60.0] of 40 % | - |",
            "| chess | null-move lets pass | 1,000 | 20.0 % [10.0, 30.0] of 100 % | - |",
        ] {
            assert!(text.contains(wanted), "{text}");
        }
        assert_eq!(text.lines().count(), 4, "neither another side nor another level: {text}");
    }
}
