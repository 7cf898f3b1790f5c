//! The sites of small programs, each of which writes a search in its own way, as they were checked by eye. `X.sites` is the list of `X`:
//! a line a site. SECATEUR_FREEZE=1 writes the lists anew, to be read in the diff.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use super::{frozen_file, outcome, survey_of};

const PROGRAMS: [&str; 16] = [
    "chess.c",
    "family.cpp",
    "values.rs",
    "odd.c",
    "odd.cpp",
    "odd.rs",
    "loops.cpp",
    "bounds.rs",
    "kinds.cpp",
    "kinds.rs",
    "scout.cpp",
    "plies.cpp",
    "moves.cpp",
    "picks.cpp",
    "picks.rs",
    "drops.cpp",
];

#[test]
fn the_sites_are_those_that_were_checked() {
    for name in PROGRAMS {
        let mut list = String::new();
        for site in survey_of(&[frozen_file(name)]).sites {
            let _ = writeln!(list, "{}:{} {} {}", site.line, site.column, site.kind.name(), outcome(&site));
        }
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/programs").join(format!("{name}.sites"));
        if std::env::var_os("SECATEUR_FREEZE").is_some() {
            std::fs::write(&path, &list).expect("the list is written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        for (line, (actual, expected)) in list.lines().zip(expected.lines()).enumerate() {
            assert_eq!(actual, expected, "{name}.sites:{}", line + 1);
        }
        assert_eq!(list.lines().count(), expected.lines().count(), "{name}");
    }
}

#[test]
fn every_rule_is_used_by_a_program_here() {
    let rules: toml::Table = include_str!("../../data/rules.toml").parse().expect("the rules are TOML");
    let texts = |table: &str, key: &str| -> BTreeSet<String> {
        let rows = rules[table].as_array().expect("rows");
        rows.iter()
            .filter(|row| row.get("holds").is_none())
            .filter_map(|row| Some(row.get(key)?.as_str()?.to_owned()))
            .collect()
    };
    let (mut used, mut methods) = (BTreeSet::new(), BTreeSet::new());
    for name in PROGRAMS {
        for site in survey_of(&[frozen_file(name)]).sites {
            used.extend(site.evidence.iter().cloned());
            used.insert(outcome(&site).trim_start_matches("never: ").to_owned());
            methods.extend(site.method().map(str::to_owned));
        }
    }
    let unused =
        |rules: BTreeSet<String>| rules.into_iter().filter(|rule| !used.contains(rule)).collect::<Vec<_>>();
    assert_eq!(
        unused(texts("shape", "because")),
        ["the value as it is"],
        "shapes: that of stand pat is told as a reason"
    );
    assert_eq!(unused(texts("never", "because")), Vec::<String>::new(), "what is never switched");
    let named =
        texts("method", "name").into_iter().filter(|method| !methods.contains(method)).collect::<Vec<_>>();
    assert_eq!(named, ["stand-pat"], "methods");
}
