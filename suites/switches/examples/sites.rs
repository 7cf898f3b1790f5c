//! The sites of a source folder, and its patch: `cargo run -p secateur-switches --example sites -- FOLDER [PATCH]`.
#![expect(clippy::print_stdout, reason = "a program for a terminal")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use secateur_switches::{Assignment, Finding, Language, Rules, SourceFile, rewrite, survey};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = PathBuf::from(arguments.next().ok_or("expected the folder of a source")?);
    let rules = Rules::standard();
    let mut files = Vec::new();
    read(&root, &root, &rules, &mut files)?;
    let survey = survey(&files, &rules);
    for warning in &survey.warnings {
        println!("warning: {warning}");
    }
    for function in &survey.functions {
        println!(
            "{}:{} {}{}",
            function.file,
            function.line,
            function.name,
            if function.quiescence { " (quiescence)" } else { "" }
        );
    }
    for site in &survey.sites {
        let verdict = match &site.finding {
            Finding::Method { name, confidence } => format!("{name} {confidence:?}"),
            Finding::Part { method } => format!("(part of {})", method.as_deref().unwrap_or("?")),
            Finding::Unnamed => "?".to_owned(),
            Finding::Holds(methods) => format!("holds {}", methods.join(" ")),
            Finding::Never { reason } => format!("never: {reason}"),
        };
        let condition: String = site.condition.chars().take(80).collect();
        println!(
            "{}:{} {} {:10} {verdict:30} {condition} # {}",
            site.file,
            site.line,
            site.function,
            site.kind.name(),
            site.evidence.join("; ")
        );
    }
    if let Some(patch) = arguments.next() {
        let rewritten = rewrite(&files, &survey, &Assignment::proposed(&survey));
        for method in &rewritten.methods {
            println!("{:6} {} ({} sites)", method.bit, method.name, method.sites.len());
        }
        for (site, reason) in &rewritten.without {
            println!("{}:{} has no switch: {reason}", survey.sites[*site].file, survey.sites[*site].line);
        }
        fs::write(patch, rewritten.patch)?;
    }
    Ok(())
}

fn read(
    root: &Path,
    folder: &Path,
    rules: &Rules,
    files: &mut Vec<SourceFile>,
) -> Result<(), Box<dyn Error>> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        if kind.is_dir() && !name.starts_with('.') && !rules.skipped_folders.contains(&name) {
            read(root, &path, rules, files)?;
        }
        let relative = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        if let Some(language) = Language::of_path(&relative).filter(|_| kind.is_file()) {
            files.push(SourceFile { path: relative, text: fs::read(&path)?, language });
        }
    }
    Ok(())
}
