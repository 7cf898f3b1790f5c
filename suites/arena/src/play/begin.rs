//! The file of a match that begins here.

use super::PlayFile;
use super::file::SCHEMA;
use super::settings::MatchSettings;
use secateur_suites::instruments::clock::utc;
use secateur_suites::instruments::machine::{compilation, git, machine, search_sources};
use secateur_suites::manifest::Session;
use std::time::SystemTime;

/// The file of a match that begins now; what is known only later is empty.
pub(super) fn begun(
    settings: &MatchSettings,
    evaluation: u64,
    numbers: [String; 2],
    argv: Vec<String>,
    (jobs, cores): (usize, &[usize]),
) -> PlayFile {
    let started = utc(SystemTime::now());
    let [first_numbers, second_numbers] = numbers;
    PlayFile {
        schema: SCHEMA,
        complete: false,
        evaluation: format!("{evaluation:016x}"),
        search: search_sources().to_owned(),
        first_numbers,
        second_numbers,
        cuts: Vec::new(),
        openings: String::new(),
        distinct_openings: 0,
        openings_seal: String::new(),
        throws: String::new(),
        grown: Vec::new(),
        settings: settings.clone(),
        session: vec![Session { started: started.clone(), argv, jobs, cores: cores.to_vec(), git: git() }],
        build: compilation(),
        machine: machine(),
        part: None,
        started,
    }
}
