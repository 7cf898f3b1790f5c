//! Which programs are shown to search the same trees: those built from the same sources, and those that agreed about a unit
//! that both searched.
//!
//! Rows of two programs that nothing links are not put into one record. Left out: programs of others, whose binaries the
//! manifests name and hold to.
//!
//! Two searches of one unit agree if they do in everything that no clock, no machine and no name decides: times are left out, and so are
//! searches with a budget of time, counted instructions, which belong to a binary, and cells that failed, which are searched again.

use crate::Error;
use csv::ByteRecord;
use secateur_record::build::Build;
use secateur_record::record::{CounterRow, IterationRow, Record};
use secateur_record::rows::Row;
use secateur_record::store::{COUNTERS, ITERATIONS};
use secateur_record::stream::row::in_words;
use secateur_record::stream::{Cell, Columns};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The builds of the rows, and what links them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    builds: BTreeMap<String, Build>,
    /// Of each build another one of its class, or itself.
    class: BTreeMap<String, String>,
    used: BTreeSet<String>,
}

impl Links {
    /// Adds builds that a manifest names.
    pub(crate) fn know(&mut self, builds: &[Build]) {
        for build in builds {
            self.class.entry(build.id.clone()).or_insert_with(|| build.id.clone());
            let source = &build.compiled.source;
            let akin = |other: &&Build| {
                (!source.is_empty() && other.compiled.source == *source)
                    || (!build.binary.is_empty() && other.binary == build.binary)
            };
            let akin: Vec<String> = self.builds.values().filter(akin).map(|other| other.id.clone()).collect();
            akin.iter().for_each(|other| self.link(&build.id, other));
            self.builds.insert(build.id.clone(), build.clone());
        }
    }

    /// A build made rows that are merged.
    pub(crate) fn uses(&mut self, id: &str) {
        if !self.used.contains(id) {
            self.used.insert(id.to_owned());
        }
    }

    /// Two builds agreed.
    pub(crate) fn link(&mut self, one: &str, other: &str) {
        let (one, other) = (self.root(one), self.root(other));
        self.class.insert(one, other);
    }

    fn root(&self, id: &str) -> String {
        let mut at = id;
        while let Some(next) = self.class.get(at).filter(|next| *next != at) {
            at = next;
        }
        at.to_owned()
    }

    /// All builds, by id.
    pub(crate) fn builds(&self) -> Vec<Build> {
        self.builds.values().cloned().collect()
    }

    /// A build in words: its program and its computer.
    pub(crate) fn described(&self, id: &str) -> String {
        let build = self.builds.get(id);
        build
            .map_or("unknown".to_owned(), |build| format!("{} on {}", build.program(), build.machine_class()))
    }

    /// Whether all who made rows are linked.
    ///
    /// # Errors
    /// The first two that are not.
    pub(crate) fn prove(&self) -> Result<(), Error> {
        let mut used = self.used.iter();
        let Some(first) = used.next() else { return Ok(()) };
        match used.find(|other| self.root(other) != self.root(first)) {
            None => Ok(()),
            Some(other) => {
                let build_words = |id: &str| format!("{id}, {}", self.described(id));
                Err(Error::Unproven { one: build_words(first), other: build_words(other) })
            }
        }
    }
}

/// Columns of any file that two good searches of one cell may differ in.
pub(crate) const LOOSE: [&str; 8] =
    ["run", "time_ns", "instructions", "build", "seal", "first_time_ns", "second_time_ns", "transcript"];

/// One copy of a unit, and where it is from.
#[derive(Clone, Copy)]
pub(crate) struct Copy<'c> {
    /// The folder or the pack.
    pub(crate) path: &'c Path,
    /// Its cells.
    pub(crate) cells: &'c [Cell],
}

/// Compares two copies of a unit; `build` puts the id of a build in words.
///
/// # Errors
/// The first difference, with both rows and their builds.
pub(crate) fn agree(one: Copy<'_>, other: Copy<'_>, build: &dyn Fn(&str) -> String) -> Result<(), Error> {
    let columns = Columns::of_records();
    let side = |copy: Copy<'_>, cell: &Cell, value: &str| {
        let id = String::from_utf8_lossy(&cell.record[columns.build]).into_owned();
        let file = copy.path.join("records.csv");
        format!("{}:{}: `{value}` by {id}, {}", file.display(), cell.line, build(&id))
    };
    if one.cells.len() != other.cells.len() {
        let name = |copy: Copy<'_>| format!("{} with {} cells", copy.path.display(), copy.cells.len());
        let what = "one unit has other cells".to_owned();
        return Err(Error::Foreign { one: name(one), other: name(other), what });
    }
    for (a, b) in one.cells.iter().zip(other.cells) {
        if let Some((column, [x, y])) = difference(&columns, a, b) {
            let cell = in_words(columns.key.fields(&a.record));
            let rows = [side(one, a, &x), side(other, b, &y)].join("\n  ");
            return Err(Error::Disagree { cell, column, rows });
        }
    }
    Ok(())
}

/// The first column in which two rows of a cell differ that must not, and both values.
fn difference(columns: &Columns, one: &Cell, other: &Cell) -> Option<(String, [String; 2])> {
    let failed = |cell: &Cell| !cell.record[columns.error].is_empty();
    let is_timed = columns.key.fields(&one.record)[5] == b"time";
    if failed(one) || failed(other) || is_timed {
        return None;
    }
    let row = |cell: &Cell| vec![cell.record.iter().collect::<ByteRecord>()];
    let of_iterations = || [&one.iterations, &other.iterations].map(|text| rows(text));
    let of_counters = || [&one.counters, &other.counters].map(|text| rows(text));
    differs("", Record::COLUMNS, [row(one), row(other)])
        .or_else(|| differs(ITERATIONS, IterationRow::COLUMNS, of_iterations()))
        .or_else(|| differs(COUNTERS, CounterRow::COLUMNS, of_counters()))
}

pub(crate) fn rows(text: &[u8]) -> Vec<ByteRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    // A text that was made of rows has rows.
    reader.byte_records().filter_map(Result::ok).collect()
}

/// The first exact column in which rows of a file differ, and both values.
pub(crate) fn differs(
    file: &str,
    columns: &[&str],
    [one, other]: [Vec<ByteRecord>; 2],
) -> Option<(String, [String; 2])> {
    let at = if file.is_empty() { String::new() } else { format!(" of {file}") };
    if one.len() != other.len() {
        return Some((format!("the number of rows{at}"), [one, other].map(|rows| rows.len().to_string())));
    }
    for (a, b) in one.iter().zip(&other) {
        let columns = columns.iter().zip(a.iter().zip(b));
        let mut exact = columns.filter(|(name, _)| !LOOSE.contains(*name));
        if let Some((name, (x, y))) = exact.find(|(_, (x, y))| x != y) {
            let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
            return Some((format!("`{name}`{at}"), [text(x), text(y)]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::build::Compilation;

    fn build(id: &str, source: &str, binary: &str) -> Build {
        let compiled = Compilation { source: source.to_owned(), ..Compilation::default() };
        Build { id: id.to_owned(), binary: binary.to_owned(), compiled, ..Build::default() }
    }

    #[test]
    fn builds_are_linked_by_sources_binaries_and_agreement_and_by_nothing_else() {
        let mut links = Links::default();
        links.know(&[
            build("d", "one", "x"),
            build("b", "one", "y"),
            build("c", "two", "z"),
            build("a", "", ""),
        ]);
        links.uses("b");
        links.uses("d");
        links.prove().unwrap();
        links.uses("c");
        let error = links.prove().unwrap_err().to_string();
        assert!(error.contains("b, ") && error.contains("c, "), "{error}");
        links.link("c", "d");
        links.prove().unwrap();
        links.uses("a");
        assert!(links.prove().is_err(), "it is not known what it is");
        links.link("a", "c");
        links.prove().unwrap();
    }
}
