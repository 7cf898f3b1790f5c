//! The sites of a source that is to get switches: looked for in a tree, and as records know them.
//!
//! Switches are cut in two places. `subjects new` writes a patch, which a subject file then names like any other. A subject file that
//! names sites and no such patch has it made when the program is built: the source, the sites and this program say what it is, so
//! that no patch has to be kept in step with them. Left out: how a source is built, and whether the switches hold.

use super::file::Program;
use super::source::Build;
use super::tree::Tree;
use crate::error::Error;
use secateur_record::sites::{CutEntry, FILE, Site, Sites};
use secateur_switches::{
    Assignment, Confidence, Finding, Rewritten, Rules, SourceFile, Survey, rewrite, survey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Bytes of a file of the source that are looked through, at most.
const LONGEST: u64 = 4 << 20;

/// A source that was looked through.
pub struct Surveyed {
    /// Its files.
    pub tree: Tree,
    /// Those that were looked through.
    pub files: Vec<SourceFile>,
    /// What was found.
    pub survey: Survey,
}

/// What was proved of the switches of a build, in the folder of the build: a line.
pub(crate) const PROOF: &str = "proof.txt";

impl Program {
    /// How its switches came into its source, of a program that is [installed](Program::installed); `None` where this program did not
    /// put them there.
    #[must_use]
    pub fn cut_entry(&self) -> Option<CutEntry> {
        let Build { folder, source } = self.build.as_ref()?;
        let sites = Sites::read(&folder.join(FILE)).unwrap_or_default().site;
        let methods: BTreeSet<&str> =
            sites.iter().map(|site| site.method.as_str()).filter(|method| !method.is_empty()).collect();
        let proof = std::fs::read_to_string(folder.join(PROOF)).unwrap_or_default();
        Some(CutEntry {
            source: source.clone(),
            file: self.cut.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            methods: methods.len(),
            sites: sites.len(),
            proof: proof.trim().to_owned(),
        })
    }
}

/// The switches that are cut when a program is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToCut {
    /// The name of the file that says which.
    pub name: String,
    /// The sites, each with its method, and the files that they are looked for in.
    pub assignment: Assignment,
    /// The text of the file.
    pub text: String,
    /// The bits of the methods, as the subject file has them.
    pub bits: BTreeMap<String, u64>,
}

impl ToCut {
    /// The patch for a source, and what records know of its sites.
    ///
    /// # Errors
    /// A source that cannot be read, or that has not every site of a method; methods with other bits than the subject file says.
    pub(super) fn cut(&self, root: &Path) -> Result<(Vec<u8>, Sites), Error> {
        let units = self.assignment.files.iter().map(PathBuf::from).collect();
        let looked = looked_through(Tree::read(root)?, Some(&units))?;
        let rewritten = rewrite(&looked.files, &looked.survey, &self.assignment);
        let has_switch = |key: &str| {
            rewritten
                .methods
                .iter()
                .flat_map(|method| &method.sites)
                .any(|&id| looked.survey.sites[id].key == key)
        };
        let is_of_method = |method: &str| !["", "none"].contains(&method);
        let lost =
            self.assignment.sites.iter().find(|site| is_of_method(&site.method) && !has_switch(&site.key));
        if let Some(lost) = lost {
            return Err(Error::Usage(format!(
                "{}: found no place for a switch of {} at {} in the source, expected the site {}",
                self.name, lost.method, lost.at, lost.key
            )));
        }
        let bits: BTreeMap<String, u64> =
            rewritten.methods.iter().map(|method| (method.name.clone(), method.bit)).collect();
        if bits != self.bits {
            let as_toml = |bits: &BTreeMap<String, u64>| {
                bits.iter()
                    .map(|(name, bit)| format!("{name} = {{ bits = {bit} }}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            return Err(Error::Usage(format!(
                "{}: found in [factor] {}; expected {}",
                self.name,
                as_toml(&self.bits),
                as_toml(&bits)
            )));
        }
        let sites = sites_of(&looked, &rewritten);
        Ok((rewritten.patch, sites))
    }
}

/// Finds the sites of a tree in these files, or in all that are in a language that is known. Books, tools and tests that a build
/// compiles too may hold another search; they are left out where the rest has one.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn looked_through(tree: Tree, units: Option<&BTreeSet<PathBuf>>) -> Result<Surveyed, Error> {
    let mut files = Vec::new();
    for file in &tree.files {
        let path =
            file.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let Some(language) = secateur_switches::Language::of_path(&path) else { continue };
        let is_unit = units.as_ref().is_none_or(|units| units.contains(file));
        let is_short = std::fs::metadata(tree.root.join(file)).is_ok_and(|data| data.len() <= LONGEST);
        if is_short && (is_unit || language == secateur_switches::Language::Cargo) {
            files.push(SourceFile { path, text: tree.contents(file)?, language });
        }
    }
    let rules = Rules::standard();
    let is_aside = |file: &SourceFile| {
        let folders = file.path.rsplit_once('/').map_or("", |(folders, _)| folders).to_lowercase();
        folders.split('/').any(|folder| rules.skipped_folders.contains(folder))
    };
    let of_engine: Vec<SourceFile> = files.iter().filter(|file| !is_aside(file)).cloned().collect();
    let engine_survey = survey(&of_engine, &rules);
    if !engine_survey.functions.is_empty() {
        return Ok(Surveyed { tree, files: of_engine, survey: engine_survey });
    }
    let survey = survey(&files, &rules);
    Ok(Surveyed { tree, files, survey })
}

/// What records know of the sites that have a switch.
pub(crate) fn sites_of(looked: &Surveyed, rewritten: &Rewritten) -> Sites {
    let survey = &looked.survey;
    let number = |id: usize| rewritten.switches.iter().find(|s| s.site == id).map(|s| s.number as u32);
    let mut counts = BTreeMap::<String, usize>::new();
    let site = |numbered: &secateur_switches::NumberedSite| {
        let site = &survey.sites[numbered.site];
        let method = rewritten.methods.iter().find(|method| method.sites.contains(&numbered.site));
        let method = method.map_or_else(String::new, |method| method.name.clone());
        let part_of = match &site.finding {
            Finding::Part { method } => method.clone().unwrap_or_default(),
            _ => String::new(),
        };
        // Named by its place: the only name that a reader of the source knows.
        let file = site.file.rsplit('/').next().unwrap_or_default();
        let stem: String = file
            .split('.')
            .next()
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let place = format!("{stem}-{}", site.line);
        let count = counts.entry(place.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { place } else { format!("{place}-{count}") };
        let mut around = site.parent;
        while let Some(id) = around.filter(|&id| number(id).is_none()) {
            around = survey.sites[id].parent;
        }
        Site {
            name,
            number: numbered.number as u32,
            method,
            part_of,
            certainty: certainty(&site.finding),
            kind: site.kind.name().to_owned(),
            file: site.file.clone(),
            line: site.line as u32,
            function: site.function.clone(),
            condition: site.condition.clone(),
            within: around.and_then(number),
            asked: None,
            entered: None,
        }
    };
    let files = looked.files.iter().map(|file| file.path.clone()).collect();
    Sites { files, site: rewritten.switches.iter().map(site).collect() }
}

/// How sure a finding is, in words.
pub(crate) fn certainty(finding: &Finding) -> String {
    match finding {
        Finding::Method { confidence: Confidence::Sure, .. } => "sure".to_owned(),
        Finding::Method { confidence: Confidence::Likely, .. } => "likely".to_owned(),
        Finding::Method { confidence: Confidence::OneOf(names), .. } => {
            format!("choose one of {}", names.join(", "))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_of_a_tool_is_none_of_the_program_that_has_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let places = || -> Vec<String> {
            let looked = looked_through(Tree::read(dir.path()).unwrap(), None).unwrap();
            looked
                .survey
                .sites
                .iter()
                .filter(|site| site.method().is_some())
                .map(|site| site.file.clone())
                .collect()
        };
        let search = |arguments: &str, deeper: &str| {
            format!(
                "int search({arguments}) {{ int eval = evaluate(); if (depth < 3 && eval - 90 >= beta) return eval;\n\
                 while (next()) v = -search({deeper}); return v; }}"
            )
        };
        write("book/make.c", &search("int alpha, int beta, int depth", "-beta, -alpha, depth - 1"));
        assert_eq!(places(), ["book/make.c"]);
        write("src/search.c", &search("int depth, int alpha, int beta", "depth - 1, -beta, -alpha"));
        assert_eq!(places(), ["src/search.c"]);
    }
}
