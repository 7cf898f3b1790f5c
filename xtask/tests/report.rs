//! `report` through the binary: every form has every method, and `bench` writes the page too.

mod common;

use common::{bench, xtask};
use std::fs;
use tempfile::tempdir;

#[test]
fn every_form_has_every_method() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    let form = |arguments: &[&str]| {
        let done = xtask(dir.path()).args(["report", "out"]).args(arguments).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    for arguments in [&[][..], &["--markdown"], &["--latex"], &["--csv"], &["--json"], &["--html"]] {
        let text = form(arguments);
        assert!(text.contains("futility+razoring") || text.contains("razoring+futility"), "{arguments:?}");
    }
    let csv = form(&["--csv"]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(rows.headers().unwrap().iter().next(), Some("game"));
    assert!(rows.records().all(|row| row.is_ok()));
    assert!(form(&["--html", "--out", "page.html"]).is_empty());
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert_eq!(page, fs::read_to_string(dir.path().join("out/report.html")).unwrap());
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
}

#[test]
fn forms_do_not_mix() {
    let dir = tempdir().unwrap();
    for arguments in
        [["--html", "--csv"], ["--html", "--table2"], ["--markdown", "--json"], ["--pairs", "x.csv"]]
    {
        xtask(dir.path()).args(["report", "out"]).args(arguments).assert().code(2);
    }
}
