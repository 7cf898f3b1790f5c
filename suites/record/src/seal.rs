//! Seals: short hashes by which a file or a row vouches that it is as it was written.
//!
//! A seal finds what disks, editors and half-finished copies do to a file. FNV-1a maps texts of one length that differ in
//! one byte to different hashes always, and others to the same one once in 2^64. It stops no forger: whoever can write a
//! row can write its seal, and the source is open.

use crate::archive;
use crate::error::{Error, from_toml};
use crate::files::replace;
use secateur_base::{Fnv, fault};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What a sealed file begins with.
const HEAD: &str = "seal = \"";

/// The seal of some bytes, 16 hex digits.
pub fn seal(bytes: &[u8]) -> String {
    Fnv::default().bytes(bytes).hex()
}

/// A TOML text with its seal as the first line.
pub fn sealed(text: &str) -> String {
    format!("{HEAD}{}\"\n{text}", seal(text.as_bytes()))
}

/// What to do with a file that an older version wrote.
const OLDER: &str = "a file of an older version is read, and a finished run written anew by `merge NEW OLD --archive`, \
                     with the sources of commit 4e57a3a5";

/// Refuses a file whose layout is another than the one that this version reads.
///
/// # Errors
/// [`Error::Fault`] at the entry `schema`, with what reads an older layout.
pub fn of_layout(path: &Path, text: &str, layout: u32, expected: u32) -> Result<(), Error> {
    if layout == expected {
        return Ok(());
    }
    let offset = text.find("schema = ").unwrap_or(0);
    Err(fault(path, text, offset, format!("found schema {layout}, expected {expected}; {OLDER}")).into())
}

/// The text behind the seal of a file.
///
/// # Errors
/// [`Error::Fault`] at the seal, if there is none or the text is not the one that was sealed.
pub fn unsealed<'t>(path: &Path, text: &'t str) -> Result<&'t str, Error> {
    let Some(rest) = text.strip_prefix(HEAD) else {
        let what = format!("found no seal in the first line: put back the file as it was written; {OLDER}");
        return Err(fault(path, text, 0, what).into());
    };
    let (found, body) = rest.split_once("\"\n").unwrap_or((rest, ""));
    let expected = seal(body.as_bytes());
    match found == expected {
        true => Ok(body),
        false => {
            let message = format!("the file is not as it was written: its seal is `{expected}`");
            Err(fault(path, text, HEAD.len(), message).into())
        }
    }
}

/// The value as TOML, sealed.
pub fn sealed_toml(value: &impl Serialize) -> String {
    sealed(&toml::to_string(value).expect("what is sealed has a TOML form"))
}

/// The value of a sealed TOML text; `path` is for messages.
///
/// # Errors
/// Those of [`unsealed`]; [`Error::Fault`] at the first wrong entry.
pub fn unsealed_toml<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, Error> {
    Ok(from_toml(path, text, unsealed(path, text)?)?)
}

/// The same of a file, with its text.
///
/// # Errors
/// Those of [`unsealed_toml`]; [`Error::Unreadable`].
pub fn read_sealed_toml<T: DeserializeOwned>(path: &Path) -> Result<(T, String), Error> {
    let bytes = archive::read(path).map_err(Error::unreadable(path))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((unsealed_toml(path, &text)?, text))
}

/// Makes a file again that is missing or not the one of this seal; what was done, in words, if anything was.
///
/// # Errors
/// The file system; `remade` fails, or makes another file.
pub fn restored<E: From<Error>>(
    path: &Path,
    expected: &str,
    remade: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<Option<String>, E> {
    if archive::read(path).is_ok_and(|bytes| seal(&bytes) == expected) {
        return Ok(None);
    }
    let (bytes, place) = (remade()?, path.display());
    if seal(&bytes) != expected {
        let what = format!(
            "{place}: missing or not as it was written, and making it again gives another file; put it back"
        );
        return Err(Error::Usage(what).into());
    }
    replace(path, &bytes)?;
    Ok(Some(format!("{place}: missing or not as it was written; made again")))
}

/// What the text next to a table says of the table.
const TABLE: &str = "table-seal = \"";

/// A TOML text that stands next to a table, sealed, with the seal of the table.
pub fn sealed_with(text: &str, table: &[u8]) -> String {
    sealed(&format!("{TABLE}{}\"\n{text}", seal(table)))
}

/// The text behind the seals of a file that stands next to a table.
///
/// # Errors
/// [`Error::Fault`] if a seal is missing, the text is not the one that was sealed, or the table not the one that it was written with.
pub fn unsealed_with<'t>(
    path: &Path,
    text: &'t str,
    table_path: &Path,
    table: &[u8],
) -> Result<&'t str, Error> {
    let body = unsealed(path, text)?;
    match body.strip_prefix(TABLE).and_then(|rest| rest.split_once("\"\n")) {
        None => Err(fault(path, text, text.len() - body.len(), "expected the seal of the table").into()),
        Some((found, rest)) if found == seal(table) => Ok(rest),
        Some((found, _)) => {
            let message =
                format!("the table is not as it was written: {} has its seal, `{found}`", path.display());
            Err(fault(table_path, &String::from_utf8_lossy(table), 0, message).into())
        }
    }
}

/// The last column of a sealed table.
const COLUMN: &str = "seal";

/// A table (CSV with a header) with one column more, which has in every row the seal of all of it and of what its `owner`: a row
/// that is changed, gone or from another table is found, whichever it is.
pub fn sealed_table(owner: &str, table: &[u8]) -> Vec<u8> {
    let seal = table_seal(owner, table);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(table);
    for (at, row) in rows.byte_records().enumerate() {
        let mut row = row.expect("as the caller has just written it");
        row.push_field(if at == 0 { COLUMN.as_bytes() } else { seal.as_bytes() });
        writer.write_byte_record(&row).expect("memory takes everything");
    }
    writer.into_inner().expect("memory takes everything")
}

/// The table without that column, and whether it had one: a table that somebody wrote by hand has none.
///
/// # Errors
/// The line, from 1, and what is wrong: it is no table, or a row is not as it was written.
pub fn unsealed_table(owner: &str, sealed: &[u8]) -> Result<(String, bool), (usize, String)> {
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(sealed);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (mut is_sealed, mut seals) = (false, Vec::new());
    for (at, row) in rows.byte_records().enumerate() {
        let line_of = |at: Option<&csv::Position>| at.map_or(1, |at| at.line() as usize);
        let row = row.map_err(|error| (line_of(error.position()), error.to_string()))?;
        let last = row.iter().next_back().unwrap_or_default();
        if at == 0 {
            is_sealed = last == COLUMN.as_bytes();
        } else {
            seals.push((line_of(row.position()), last.to_vec()));
        }
        let kept = row.len() - usize::from(is_sealed);
        writer.write_record(row.iter().take(kept)).expect("memory takes rows of one width");
    }
    let table = writer.into_inner().expect("memory takes everything");
    let expected = table_seal(owner, &table);
    match seals.iter().find(|(_, seal)| is_sealed && *seal != expected.as_bytes()) {
        Some((line, _)) => {
            Err((*line, format!("the file is not as it was written: its seal is `{expected}`; put it back")))
        }
        None => Ok((String::from_utf8_lossy(&table).into_owned(), is_sealed)),
    }
}

fn table_seal(owner: &str, table: &[u8]) -> String {
    seal(&[owner.as_bytes(), b"\n", table].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{damages, flips};

    #[test]
    fn whatever_happens_to_a_sealed_text_is_found() {
        let path = Path::new("x.toml");
        let text = sealed("a = 1\nb = \"two\"\n");
        assert_eq!(unsealed(path, &text).unwrap(), "a = 1\nb = \"two\"\n");
        for damaged in damages(text.as_bytes()).filter_map(|bytes| String::from_utf8(bytes).ok()) {
            assert!(unsealed(path, &damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_file_of_an_older_version_is_refused_with_what_reads_it() {
        let path = Path::new("x.toml");
        assert!(of_layout(path, "schema = 3\n", 3, 3).is_ok());
        let layout = of_layout(path, "run = \"r\"\nschema = 2\n", 2, 3).unwrap_err().to_string();
        assert!(layout.contains("x.toml:2:1") && layout.contains("found schema 2, expected 3"), "{layout}");
        let bare = unsealed(path, "schema = 1\n").unwrap_err().to_string();
        assert!(bare.contains("x.toml:1:1") && bare.contains("found no seal"), "{bare}");
        assert!([layout, bare].iter().all(|error| error.contains("of commit")));
    }

    #[test]
    fn no_damage_of_a_text_or_of_its_table_is_believed() {
        let (path, table_path) = (Path::new("x.toml"), Path::new("x.csv"));
        let (body, table) = ("# by hand\n\na = 1\n", b"a,b\n1,2\n3,4\n".as_slice());
        let text = sealed_with(body, table);
        let read = |text: &str, table: &[u8]| unsealed_with(path, text, table_path, table).map(str::to_owned);
        assert_eq!(read(&text, table).unwrap(), body);
        for damaged in damages(table) {
            let error = read(&text, &damaged).unwrap_err().to_string();
            assert!(error.contains("x.csv:1:") && error.contains("x.toml has its seal"), "{error}");
        }
        for damaged in flips(text.as_bytes()).filter_map(|bytes| String::from_utf8(bytes).ok()) {
            assert!(read(&damaged, table).is_err(), "{damaged}");
        }
        // The text of another table that is sealed by itself alone.
        assert!(read(&sealed(body), table).is_err());
        assert!(read(body, b"").is_err());
    }
}
