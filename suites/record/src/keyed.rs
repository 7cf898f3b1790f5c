//! The layout of schema 2, whose rows repeat the whole key of their cell in every file: read as the rows of today, and written out
//! again only to see whether they are those that were sealed.
//!
//! Left out: schema 1, whose rows have no seals; it has the columns of schema 2.

use crate::record::CellId;
use crate::stream::text::{KEY, Key, push};
use csv::ByteRecord;

/// The column of `records.csv` that it does not have.
const CELL: &str = "cell";

/// The columns that a file had whose columns are these today.
pub(crate) fn columns<'n>(today: &[&'n str]) -> Vec<&'n str> {
    match today {
        [CELL, rest @ ..] => ["schema"].into_iter().chain(KEY).chain(rest.iter().copied()).collect(),
        _ => {
            let old = today.iter().filter(|name| **name != CELL);
            old.map(|name| if *name == "build" { "maker" } else { name }).collect()
        }
    }
}

/// A row of `records.csv` with the name of its cell, which comes before its key.
pub(crate) fn with_name(row: &ByteRecord, key: &Key) -> ByteRecord {
    let name = String::from(CellId::of(key.fields(row)));
    let mut fields: Vec<&[u8]> = row.iter().collect();
    fields.insert(2, name.as_bytes());
    ByteRecord::from(fields)
}

/// A row of another file with the name of its cell in the place of the key; of the last columns so many are empty where they are 0.
pub(crate) fn named<'r>(row: &'r ByteRecord, key: &Key, blank: usize) -> ByteRecord {
    let name = String::from(CellId::of(key.fields(row)));
    let last = row.len().saturating_sub(blank);
    let rest = row.iter().enumerate().skip(1 + KEY.len());
    let field = |(at, field): (usize, &'r [u8])| if at >= last && field == b"0" { b"" } else { field };
    ByteRecord::from([name.as_bytes()].into_iter().chain(rest.map(field)).collect::<Vec<_>>())
}

/// A row of `records.csv`, as those of today are, as it was sealed.
pub(crate) fn sealed_record(row: &ByteRecord) -> Vec<u8> {
    let mut text = Vec::new();
    push(row.iter().enumerate().filter(|(at, _)| *at != 2).map(|(_, field)| field), &mut text);
    text
}

/// Rows of another file, as those of today are, as they were sealed: with the key of their record.
pub(crate) fn sealed_rows(key: [&[u8]; KEY.len()], rows: &[u8], blank: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
    // A text that was made of rows has rows.
    for row in reader.byte_records().filter_map(Result::ok) {
        let last = row.len().saturating_sub(blank);
        let field = |(at, field): (usize, _)| if at >= last && field == b"" { b"0" as &[u8] } else { field };
        push(
            [b"2" as &[u8]].into_iter().chain(key).chain(row.iter().enumerate().skip(1).map(field)),
            &mut text,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::build::Build;
    use crate::manifest::{FILE, Manifest};
    use crate::record::SCHEMA;
    use crate::store::{COUNTERS, ITERATIONS, RECORDS, RunRows, Store};
    use crate::stream::{Found, Source, names};
    use std::fs;
    use std::path::Path;

    /// A run that the version before this layout wrote.
    const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/schema-2");
    const FILES: [&str; 4] = [FILE, RECORDS, ITERATIONS, COUNTERS];

    fn read(dir: &Path) -> RunRows {
        RunRows::read(dir).unwrap().0
    }

    /// The old folder and the same in the layout of today.
    fn both() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
        let dir = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| dir.path().join(name));
        fs::create_dir(&old).unwrap();
        for name in FILES {
            fs::copy(Path::new(OLD).join(name), old.join(name)).unwrap();
        }
        let (rows, manifest, _) = RunRows::read(&old).unwrap();
        rows.write(&new, &manifest).unwrap();
        (dir, [old, new])
    }

    #[test]
    fn an_old_run_is_read_as_one_of_today() {
        let (_dir, [old, new]) = both();
        let rows = read(&old);
        assert_eq!((rows.records.len(), rows.iterations.len(), rows.counters.len()), (15, 75, 25));
        assert!(rows.records.iter().all(|row| row.schema == SCHEMA && row.cell == row.key().id()));
        assert!(rows.iterations.iter().all(|row| row.game == "othello" && row.cell == row.key().id()));
        assert!(
            rows.counters.iter().any(|row| row.audited > 0) && rows.counters.iter().any(|row| row.near == 0)
        );
        assert_eq!(read(&new), rows);
        assert_eq!(Manifest::read(&old).unwrap(), Manifest::read(&new).unwrap());
        let size = |dir: &Path, name| fs::metadata(dir.join(name)).unwrap().len();
        assert!(2 * size(&new, ITERATIONS) < size(&old, ITERATIONS));
        assert!(fs::read_to_string(new.join(FILE)).unwrap().contains("[[build]]"));
    }

    #[test]
    fn a_stream_of_an_old_run_is_that_of_one_of_today() {
        let (_dir, [old, new]) = both();
        let cells = |dir: &Path| {
            let mut source = Source::open(Found::open(dir).unwrap()).unwrap();
            let mut all = Vec::new();
            while source.next().unwrap().is_some() {
                all.extend(source.unit().unwrap());
                // What is read ahead stays what it is.
                source.rest();
            }
            let rows = all.into_iter().map(|cell| {
                let mut record = cell.record(&names(), dir).unwrap();
                record.seal.clear();
                (record, cell.iterations, cell.counters)
            });
            rows.collect::<Vec<_>>()
        };
        assert_eq!(cells(&old).len(), 15);
        assert!(cells(&old) == cells(&new));
    }

    /// Reading refuses a damage, or gives the identical rows.
    #[test]
    fn no_damage_of_an_old_run_is_accepted() {
        let (_dir, [old, _]) = both();
        let rows = read(&old);
        let mut refused = 0;
        for name in FILES {
            let path = old.join(name);
            let text = fs::read(&path).unwrap();
            for at in (0..text.len()).step_by(17) {
                let mut bytes = text.clone();
                bytes[at] ^= 1 << (at % 7);
                fs::write(&path, &bytes).unwrap();
                match RunRows::read(&old) {
                    Ok((found, ..)) => assert!(found == rows, "{name}: byte {at}"),
                    Err(_) => refused += 1,
                }
            }
            fs::write(&path, &text).unwrap();
        }
        assert!(refused > 400, "{refused}");
    }

    /// What a kill leaves of a folder that is brought to the layout of today: any file may be old or new.
    #[test]
    fn files_of_both_layouts_are_read_together() {
        let (dir, [old, new]) = both();
        let rows = read(&old);
        for mix in 0..16 {
            let mixed = dir.path().join(format!("mixed-{mix}"));
            fs::create_dir(&mixed).unwrap();
            for (at, name) in FILES.iter().enumerate() {
                let from = if mix >> at & 1 == 0 { &old } else { &new };
                fs::copy(from.join(name), mixed.join(name)).unwrap();
            }
            assert!(read(&mixed) == rows, "{mix:04b}");
        }
    }

    #[test]
    fn an_old_run_is_gone_on_with() {
        let (_dir, [old, new]) = both();
        let rows = read(&old);
        let store = Store::open(&old, Manifest::read(&new).unwrap(), Build::default()).unwrap();
        assert_eq!((store.finished().len(), store.damages()), (rows.records.len(), &[][..]));
        store.complete(rows.records.iter().map(crate::record::Record::key)).unwrap();
        assert_eq!(read(&old), rows);
        for name in &FILES[1..] {
            assert_eq!(fs::read(old.join(name)).unwrap(), fs::read(new.join(name)).unwrap(), "{name}");
        }
    }
}
