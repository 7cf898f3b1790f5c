//! Sources in, sites and patches out.

mod frozen;
mod hostile;
mod patch;
mod runtime;

use std::path::Path;

use secateur_switches::{Confidence, Finding, Language, Rules, Site, SourceFile, Survey, survey};

/// A file of source.
fn file(path: &str, text: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.into(),
        language: Language::of_path(path).expect("a path of a source"),
    }
}

/// A file of `tests/all/programs`.
fn frozen_file(name: &str) -> SourceFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/programs").join(name);
    file(name, std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn survey_of(files: &[SourceFile]) -> Survey {
    survey(files, &Rules::standard())
}

/// What is found, in a few words.
fn outcome(site: &Site) -> String {
    match &site.finding {
        Finding::Method { name, confidence: Confidence::Sure } => format!("{name} sure"),
        Finding::Method { name, confidence: Confidence::Likely } => format!("{name} likely"),
        Finding::Method { confidence: Confidence::OneOf(names), .. } => format!("one of {}", names.join(" ")),
        Finding::Part { method } => format!("part of {}", method.as_deref().unwrap_or("what is around it")),
        Finding::Unnamed => "unnamed".to_owned(),
        Finding::Holds(methods) => format!("holds {}", methods.join(" ")).trim_end().to_owned(),
        Finding::Never { reason } => format!("never: {reason}"),
    }
}
