//! From a source to a program with switches: what is read, what is run, and what is written.
//!
//! The package `secateur-switches` finds the sites and writes the patch; here is everything around it. A tree is read without
//! following links out of it ([`crate::program::tree`]), a [`Recipe`] says how it is built and which files a build compiles, the
//! untouched and the patched copy are built in a folder of their own, never in the source, and [`prove`] holds the one to the
//! other. Whoever calls hears before a command is run. Left out: where sites are and what they are called.

mod build;
pub mod prove;
pub mod recipe;
pub mod subject;
#[cfg(test)]
mod tests;

pub use prove::{Held, Proof, proven};
pub use recipe::Recipe;
pub use subject::Files;

use crate::error::Error;
use crate::program::ablate::language_of_most;
use crate::program::source::{Surveyed, certainty, looked_through, sites_of};
use crate::program::tree::Tree;
use crate::program::{Factor, Off, Origin, Program, Signature, Source, TRIED_WITHIN};
use build::Built;
use recipe::with_included;
use secateur_engines::{EngineError, Protocol, Recognised, Spec, recognise};
use secateur_record::files::replace;
use secateur_record::sites::{FILE, Site, Sites};
use secateur_switches::{Assignment, Finding, Language, OFF_SITES, SourceFile, Survey};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::{Subject, with_methods};

/// How long each answer of a program is waited for while its protocol is unknown.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long its first short searches may take, each.
const SEARCHED_WITHIN: Duration = Duration::from_secs(30);
/// So many programs of one build are asked for their protocol.
const MOST_ASKED: usize = 6;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// The folder of the source.
    pub source: PathBuf,
    /// The subject file to write, with the others next to it.
    pub subject: PathBuf,
    /// The command that builds it, if the source's own is not to be found out.
    pub build: Option<String>,
    /// The name of the program among those that the build makes, if it is known.
    pub binary: Option<String>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// The protocols that it may speak.
    pub protocols: Vec<Protocol>,
    /// Whether the files that are there are forgotten, with what was edited in them.
    pub is_anew: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Cut {
    /// The files that were written.
    pub files: Files,
    /// The program of the subject file.
    pub program: Program,
    /// Its sites with a switch.
    pub sites: Sites,
    /// Methods by name, each with how sure it is and the places of its sites.
    pub methods: Vec<(String, String, Vec<String>)>,
    /// Sites without a switch although one was asked for: the place and the reason.
    pub without: Vec<(String, String)>,
    /// What is never switched: the place, the condition, the reason.
    pub never: Vec<(String, String, String)>,
    /// Places that prune and have no name.
    pub unnamed: usize,
    /// What is to be known of the source.
    pub warnings: Vec<String>,
    /// Sites of an edited file that the source no longer has.
    pub gone: Vec<String>,
    /// Whether a list of sites that was there was kept to.
    pub is_kept: bool,
}

/// A patch that removes a method or a site for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The method, or the site.
    pub name: String,
    /// What is removed.
    pub sites: Vec<Site>,
    /// The patch.
    pub patch: Vec<u8>,
}

/// Cuts the switches of a source, builds it with and without them, and writes the files. `announce` hears what is done before it is.
///
/// # Errors
/// A source without a language, a build or a search that is known; files that are there already; a build that fails; a program that
/// does not answer.
pub fn cut(order: &Order, announce: &mut dyn FnMut(&str)) -> Result<Cut, Error> {
    let files = Files::of(&order.subject);
    let tree = Tree::read(&order.source)?;
    for path in [&files.subject, &files.builds] {
        if tree.holds(path) {
            return Err(Error::Usage(format!(
                "{}: it would lie in the source, where nothing is written: expected --out with a file elsewhere, such as --out ../{}",
                path.display(),
                files.subject.file_name().unwrap_or_default().to_string_lossy()
            )));
        }
    }
    for (file, why) in &tree.left_out {
        announce(&format!("left out of the copies: {} ({why})", file.display()));
    }
    let language = language_of_most(&tree.files).ok_or_else(|| {
        Error::Usage(format!("{}: found no file in C, C++ or Rust", order.source.display()))
    })?;
    let old = match files.subject.is_file() && !order.is_anew {
        true => Some(Program::load(&files.subject.display().to_string())?),
        false => None,
    };
    if let Some(old) = old.as_ref().filter(|old| old.cut.as_os_str().is_empty()) {
        return Err(Error::Usage(format!(
            "{}: it is there already and was not cut from a source: expected --force or another --out",
            old.source
        )));
    }
    std::fs::create_dir_all(&files.builds).map_err(Error::io(&files.builds))?;
    let command = order.build.clone().or_else(|| Some(old.as_ref()?.built_from.as_ref()?.build.clone()));
    let (recipe, units) = recipe_of(&tree, language, command.as_deref(), &files.builds, announce)?;
    let looked = looked_through(tree, units.as_ref())?;
    let (mut assignment, gone, is_kept) = assigned(&files, &looked.survey, order.is_anew)?;
    assignment.files = looked.files.iter().map(|file| file.path.clone()).collect();
    if assignment.sites.is_empty() {
        return Err(nothing(&looked.survey, &order.source));
    }
    announce(&format!("builds, in {}: {}", files.builds.display(), recipe.build));
    let name = files.subject.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = Source {
        origin: Origin::Folder(looked.tree.root.clone()),
        patches: Vec::new(),
        to_cut: None,
        build: recipe.build,
        binary: PathBuf::new(),
        cache: files.builds.clone(),
    };
    let Built { rewritten, source, untouched, patched, mut without } =
        build::both(&looked, &assignment, source, &name, announce)?;
    let wanted = old.as_ref().and_then(|old| old.built_from.as_ref()).map(|source| source.binary.clone());
    let (binary, speaker) = match wanted.filter(|binary| untouched.join(binary).is_file()) {
        Some(binary) => (binary, None),
        None => {
            let wanted = order.binary.as_deref();
            let programs = build::binaries(&looked.tree, &untouched, wanted, &source.build)?;
            let (binary, speaker) = speaking(order, &programs, &patched, announce)?;
            (binary, Some(speaker))
        }
    };
    let source = Source { binary, ..source };
    let sites = sites_of(&looked, &rewritten);
    replace(&files.patch, &rewritten.patch)?;
    replace(&files.sites, assignment.to_toml(&looked.survey).as_bytes())?;
    sites.write(&source.folder(&name)?.join(FILE))?;
    let switched = (&rewritten, &looked.survey);
    let text = match speaker.filter(|_| old.is_none()) {
        None => {
            let text = std::fs::read_to_string(&files.subject).map_err(Error::unreadable(&files.subject))?;
            with_methods(&text, &files, switched)?
        }
        Some(speaker) => described(&speaker, &files, &source, switched, announce)?,
    };
    replace(&files.subject, text.as_bytes())?;
    build::sweep(&files.builds, &name, [&untouched, &patched]);
    let mut program = Program::load(&files.subject.display().to_string())?;
    if old.is_none() {
        // With everything else written: a program that takes no such argument may do anything.
        program = with_signature(program, &files, &untouched.join(&source.binary), &text, announce)?;
    }
    without.extend(rewritten.without.iter().map(|(site, why)| (place(&looked.survey, *site), why.clone())));
    let methods = rewritten.methods.iter().map(|method| {
        // A method is as sure as the least sure of its sites: by the alphabet `choose ..`, `likely`, `sure`.
        let sure = method.sites.iter().map(|&site| certainty(&looked.survey.sites[site].finding)).min();
        let places = method.sites.iter().map(|&site| place(&looked.survey, site)).collect();
        (method.name.clone(), sure.unwrap_or_default(), places)
    });
    Ok(Cut {
        program,
        methods: methods.collect(),
        without,
        never: never(&looked.survey),
        unnamed: looked.survey.sites.iter().filter(|site| site.finding == Finding::Unnamed).count(),
        warnings: looked.survey.warnings.clone(),
        gone,
        is_kept,
        sites,
        files,
    })
}

/// The patch of each method that removes it for good, and its sites; or of each site of the program, where that is asked for.
///
/// # Errors
/// A program whose switches were not cut; a source that is no longer what they were cut from.
pub fn removals(program: &Program, each_site: bool) -> Result<Vec<Removal>, Error> {
    let (sites, looked) = surveyed(program)?;
    let id = |site: &Site| {
        let same = |other: &&secateur_switches::Site| {
            other.file == site.file && other.line == site.line as usize && other.condition == site.condition
        };
        looked.survey.sites.iter().find(same).map(|site| site.id).ok_or_else(|| changed(program))
    };
    let of_method = |name: &String| sites.site.iter().filter(|site| site.method == *name).cloned().collect();
    let methods = program.factors.iter().map(|factor| (factor.name.clone(), of_method(&factor.name)));
    let single = sites.site.iter().filter(|_| each_site).map(|site| (site.name.clone(), vec![site.clone()]));
    let mut all = Vec::new();
    for (name, sites) in methods.chain(single) {
        let ids = sites.iter().map(id).collect::<Result<Vec<_>, _>>()?;
        let removed = secateur_switches::removal(&looked.files, &looked.survey, &ids);
        if !sites.is_empty() && removed.without.is_empty() {
            all.push(Removal { name, sites, patch: removed.patch });
        }
    }
    Ok(all)
}

/// The sites of a program as they were cut.
///
/// # Errors
/// A program whose switches were not cut, or whose builds are gone.
pub fn sites(program: &Program) -> Result<Sites, Error> {
    let source = program.built_from.as_ref().filter(|_| !program.cut.as_os_str().is_empty());
    let source = source.ok_or_else(|| {
        Error::Usage(format!(
            "{}: its switches were not cut from a source, expected a subject file by `subjects new --source DIR`",
            program.name
        ))
    })?;
    // Made by the build where the subject file has no patch with them.
    source.program(&program.name)?;
    Ok(Sites::read(&source.folder(&program.name)?.join(FILE))?)
}

/// The source of a program once more, with its sites.
fn surveyed(program: &Program) -> Result<(Sites, Surveyed), Error> {
    let sites = sites(program)?;
    let folder = match program.built_from.as_ref().map(|source| &source.origin) {
        Some(Origin::Folder(folder)) => folder.clone(),
        _ => program.untouched()?.tree,
    };
    let units = sites.files.iter().map(PathBuf::from).collect();
    Ok((sites, looked_through(Tree::read(&folder)?, Some(&units))?))
}

fn changed(program: &Program) -> Error {
    Error::Usage(format!(
        "{}: its source has changed since its switches were cut: cut them again with `subjects new --source`",
        program.name
    ))
}

/// How the source is built, and the files that a build compiles, those that they include among them; `None` where nothing says it.
fn recipe_of(
    tree: &Tree,
    language: Language,
    chosen: Option<&str>,
    builds: &Path,
    announce: &mut dyn FnMut(&str),
) -> Result<(Recipe, Option<BTreeSet<PathBuf>>), Error> {
    let mut recipes = Recipe::offered(tree, language);
    if let Some(command) = chosen {
        recipes.retain(|recipe| recipe.build == command);
        recipes.truncate(1);
        if recipes.is_empty() {
            recipes.push(Recipe::of_user(command));
        }
    }
    let scratch = tempfile::Builder::new().prefix(".look-").tempdir_in(builds).map_err(Error::io(builds))?;
    let mut failed = Vec::new();
    if recipes.iter().any(|recipe| recipe.listing.is_some()) {
        tree.copy(scratch.path())?;
    }
    for recipe in recipes {
        if let Some(listing) = &recipe.listing {
            announce(&format!("lists the files that are compiled, in a copy: {listing}"));
        }
        match recipe.units(tree, scratch.path()) {
            Ok((recipe, None)) => return Ok((recipe, None)),
            Ok((recipe, Some(units))) => return Ok((recipe, Some(with_included(tree, units)?))),
            Err(why) => failed.push(format!("{}: {why}", recipe.listing.unwrap_or(recipe.build))),
        }
    }
    let tried = if failed.is_empty() {
        "found no Cargo.toml, makefile, meson.build or CMakeLists.txt".to_owned()
    } else {
        failed.join("\n  ")
    };
    Err(Error::Usage(format!(
        "{}: no way to build it was found:\n  {tried}\nexpected --build with a command that builds it in its folder, such as --build 'cc -O2 \
         -o engine *.c -lm'",
        tree.root.display()
    )))
}

/// What each site is a switch of: as the file says that is there, else as is proposed.
fn assigned(files: &Files, survey: &Survey, is_anew: bool) -> Result<(Assignment, Vec<String>, bool), Error> {
    if is_anew || !files.sites.is_file() {
        return Ok((Assignment::proposed(survey), Vec::new(), false));
    }
    let text = std::fs::read_to_string(&files.sites).map_err(Error::unreadable(&files.sites))?;
    let edited = Assignment::from_toml(&text)
        .map_err(|error| Error::Usage(format!("{}: {error}", files.sites.display())))?;
    let (assignment, gone) = edited.brought_up_to(survey);
    Ok((assignment, gone, true))
}

/// Why there is nothing to switch.
fn nothing(survey: &Survey, source: &Path) -> Error {
    let names: Vec<String> =
        survey.functions.iter().map(|f| format!("{} ({}:{})", f.name, f.file, f.line)).collect();
    let functions = match names.as_slice() {
        [] => "no function that calls itself with a smaller depth".to_owned(),
        names => format!("no place that prunes in {}", names.join(", ")),
    };
    Error::Usage(format!(
        "{}: found {functions}: is this the folder of the whole source? `subjects new` without --source shows the lines for switches by \
         hand",
        source.display()
    ))
}

/// How a program that answered was started, and what it calls itself.
type Speaker = (Spec, String);

/// The first of these programs that answers in one of the protocols. Tools and trainers that a source has besides do not.
fn speaking(
    order: &Order,
    programs: &[PathBuf],
    patched: &Path,
    announce: &mut dyn FnMut(&str),
) -> Result<(PathBuf, Speaker), Error> {
    let asked = &programs[..programs.len().min(MOST_ASKED)];
    let mut silent = Vec::new();
    for (at, binary) in asked.iter().enumerate() {
        announce(&format!("looks for the protocol of {}", binary.display()));
        match recognise(&patched.join(binary), &order.args, &order.protocols, PATIENCE) {
            Ok(Recognised { spec, engine }) => {
                let others = programs.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<String> = others.map(|(_, other)| other.display().to_string()).collect();
                if !others.is_empty() {
                    announce(&format!(
                        "takes {}, the first that answers; the build makes {} too: to take another, name it, as in `subjects new ./NAME \
                         --source ..`",
                        binary.display(),
                        others.join(", ")
                    ));
                }
                return Ok((binary.clone(), (spec, engine.id().to_owned())));
            }
            Err(tried) => silent.push((patched.join(binary), tried)),
        }
    }
    Err(unanswered(&silent, programs))
}

/// The text of a new subject file, of a program that is started for it.
fn described(
    (spec, id): &Speaker,
    files: &Files,
    source: &Source,
    methods: subject::Methods<'_>,
    announce: &mut dyn FnMut(&str),
) -> Result<String, Error> {
    let mut subject = Subject { id, spec, is_fresh: false, source };
    let path = std::path::absolute(&files.subject).map_err(Error::io(&files.subject))?;
    let text = subject.text(files, methods);
    let command = spec.command.clone();
    let program =
        Program { command, built_from: None, patience: SEARCHED_WITHIN, ..Program::parse(&path, &text)? };
    announce("tries its limits, and whether a search repeats");
    let probe = program.probe(&program.arm("full")?)?;
    subject.is_fresh = probe.repeats.is_some_and(|same| !same.nodes);
    Ok(subject.text(files, methods))
}

/// The program with its signature, if it says one, which its file then says how to ask for.
fn with_signature(
    program: Program,
    files: &Files,
    untouched: &Path,
    text: &str,
    announce: &mut dyn FnMut(&str),
) -> Result<Program, Error> {
    let name = untouched.file_name().unwrap_or_default().to_string_lossy();
    announce(&format!("runs its signature: {name} bench, for {} s at most", TRIED_WITHIN.as_secs()));
    match Signature::usual(untouched, &program.args) {
        Ok(signature) => {
            replace(&files.subject, subject::with_signature(text, &signature).as_bytes())?;
            Ok(Program { signature: Some(signature), ..program })
        }
        Err(why) => {
            announce(&format!(
                "no signature: {why} ([signature] in {} takes another way)",
                files.subject.display()
            ));
            Ok(program)
        }
    }
}

/// What to say where no program of a build could be asked.
fn unanswered(silent: &[(PathBuf, Vec<(String, EngineError)>)], programs: &[PathBuf]) -> Error {
    let mut lines = Vec::new();
    for (command, tried) in silent {
        lines.push(command.display().to_string());
        lines.extend(tried.iter().map(|(protocol, error)| format!("  {protocol}: {error}")));
    }
    let unasked: Vec<String> =
        programs.iter().skip(silent.len()).map(|path| path.display().to_string()).collect();
    if !unasked.is_empty() {
        lines.push(format!("not asked: {}", unasked.join(", ")));
    }
    Error::Usage(format!(
        "found no program of the build that speaks one of {}\n  {}\nif another program is meant, or it wants arguments, name it: secateur \
         subjects new \"./engine --its-arguments\" --source ..",
        Protocol::names(),
        lines.join("\n  ")
    ))
}

/// What is never switched, with the reason.
fn never(survey: &Survey) -> Vec<(String, String, String)> {
    let why = |finding: &Finding| match finding {
        Finding::Never { reason } => Some(reason.clone()),
        Finding::Holds(methods) => Some(format!("holds {}", methods.join(", "))),
        _ => None,
    };
    let never_searched = |site: &secateur_switches::Site| {
        Some((place(survey, site.id), site.condition.clone(), why(&site.finding)?))
    };
    survey.sites.iter().filter_map(never_searched).collect()
}

fn place(survey: &Survey, site: usize) -> String {
    survey.sites.get(site).map_or_else(String::new, |site| format!("{}:{}", site.file, site.line))
}

/// The program with a switch for each of these sites in place of its methods.
pub fn by_site(program: &Program, sites: &[Site]) -> Program {
    let factor = |site: &Site| {
        let env = BTreeMap::from([(OFF_SITES.to_owned(), site.number.to_string())]);
        Factor { name: site.name.clone(), off: Off { env, ..Off::default() } }
    };
    Program { factors: sites.iter().map(factor).collect(), mask: None, ..program.clone() }
}

/// The texts of the files that have sites, by their paths. What cannot be read is left out.
///
/// # Errors
/// A source that is no folder, or cannot be read.
pub fn texts(program: &Program, sites: &Sites) -> Result<BTreeMap<String, String>, Error> {
    let (_, looked) = surveyed(program)?;
    let has_sites = |file: &&SourceFile| sites.site.iter().any(|site| site.file == file.path);
    let text = |file: &SourceFile| (file.path.clone(), String::from_utf8_lossy(&file.text).into_owned());
    Ok(looked.files.iter().filter(has_sites).map(text).collect())
}
