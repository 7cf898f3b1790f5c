//! A program that is built from its source: unpacked, patched, compiled, kept.
//!
//! What came out stands in a cache by the hash of everything that went in (source, patches, command, compiler), so that it is
//! built once, and a change of any of them is another program. A build happens in a folder of its own and is put in its place
//! when it is finished: one that was killed leaves nothing that could be taken for a program. Left out: dependencies of the
//! source, which are its author's affair.
//!
//! The sites of a source that is to get switches are looked for in its tree, and are written as records know them. Switches are
//! cut in two places. `subjects new` writes a patch, which a subject file then names like any other. A subject file that names
//! sites and no such patch has it made when the program is built: the source, the sites and this program say what it is, so that
//! no patch has to be kept in step with them.

use super::file::Program;
use super::tree::Tree;
use crate::error::Error;
use crate::instruments::machine::hash_of_file;
use crate::shell::LEADING;
use secateur_positions::Fnv;
use secateur_record::sites::{CutEntry, FILE, Site, Sites};
use secateur_switches::{
    Assignment, Confidence, Finding, Rewritten, Rules, SourceFile, Survey, rewrite, survey,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fmt, fs};

/// The variable that names the folder of the cache, if it is not to be that of the user.
const CACHE: &str = "SECATEUR_CACHE";
/// What the compiler said stands in this file next to the tree.
const LOG: &str = "build.log";
/// Lines of it that are shown if the build fails.
const TOLD: usize = 8;
/// What a line says that complains.
const COMPLAINTS: [&str; 7] =
    ["error:", "Error:", "error[", "***", "not found", "cannot find", "No such file"];
/// As many lines that complain.
const COMPLAINED: usize = 4;

/// Where a source comes from, and how a program is made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The source.
    pub origin: Origin,
    /// Patches in their order, each with the name of its file.
    pub patches: Vec<(String, Vec<u8>)>,
    /// The switches that are cut behind them, where no patch has them.
    pub to_cut: Option<ToCut>,
    /// The command that builds it, for a shell, in the folder of the source.
    pub build: String,
    /// The program, relative to that folder.
    pub binary: PathBuf,
    /// The folder of all programs that were built.
    pub cache: PathBuf,
}

/// Where a source comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A packed tree, which `tar` unpacks; if all of it is in one folder, that is the folder of the source.
    Archive(PathBuf),
    /// A folder, which is copied.
    Folder(PathBuf),
    /// A git repository, by path or address, at a branch, tag or commit.
    Git(String, String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Archive(path) | Origin::Folder(path) => write!(f, "{}", path.display()),
            Origin::Git(repository, at) => write!(f, "{repository} at {at}"),
        }
    }
}

/// Where it comes from and what is done to it: where it was built says nothing.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        let names = self.patches.iter().map(|(name, _)| name);
        names.chain(self.to_cut.iter().map(|cut| &cut.name)).try_for_each(|name| write!(f, ", {name}"))
    }
}

impl Source {
    /// The same without its switches: what is cut at its build, or where nothing is, its patches.
    pub fn unpatched(&self) -> Source {
        let patches = if self.to_cut.is_some() { self.patches.clone() } else { Vec::new() };
        Source { patches, to_cut: None, ..self.clone() }
    }

    /// Whether something of it is not as its authors made it.
    pub fn is_patched(&self) -> bool {
        !self.patches.is_empty() || self.to_cut.is_some()
    }

    /// The folder of its build, whether or not it was built. `name` begins its name.
    ///
    /// # Errors
    /// A source that cannot be read or asked for.
    pub fn folder(&self, name: &str) -> Result<PathBuf, Error> {
        Ok(self.cache.join(format!("{name}-{}", self.key()?)))
    }

    /// The program, built now if it is not in the cache. `name` is for the folder in it.
    ///
    /// # Errors
    /// A source that cannot be had, a patch that does not fit, a command that fails or leaves no program.
    pub fn program(&self, name: &str) -> Result<PathBuf, Error> {
        self.in_tree(&self.built(name)?)
    }

    /// The program in a tree that was built.
    fn in_tree(&self, tree: &Path) -> Result<PathBuf, Error> {
        let binary = tree.join(&self.binary);
        match binary.is_file() {
            true => Ok(binary),
            false => Err(Error::Usage(format!(
                "`{}` was built and left no {}: found no such file in its folder, expected the program",
                self.build,
                self.binary.display()
            ))),
        }
    }

    /// The tree after its build, whatever the build left in it; built now if it is not in the cache.
    ///
    /// # Errors
    /// A source that cannot be had, a patch that does not fit, a command that fails.
    pub fn built(&self, name: &str) -> Result<PathBuf, Error> {
        self.tried(name).map_err(|(error, _)| error)
    }

    /// The same with all that the commands said where one fails.
    ///
    /// # Errors
    /// Those of [`Source::built`].
    pub fn tried(&self, name: &str) -> Result<PathBuf, (Error, String)> {
        let silent = |error| (error, String::new());
        let cache = &self.cache;
        fs::create_dir_all(cache).map_err(Error::io(cache)).map_err(silent)?;
        let folder = self.folder(name).map_err(silent)?;
        if !folder.exists() {
            let scratch = tempfile::Builder::new().prefix(".build-").tempdir_in(cache);
            let scratch = scratch.map_err(Error::io(cache)).map_err(silent)?;
            self.make(scratch.path()).map_err(|error| {
                let log = fs::read(scratch.path().join(LOG)).unwrap_or_default();
                (error, String::from_utf8_lossy(&log).into_owned())
            })?;
            // Somebody else may have been faster; then his is as good.
            if let Err(error) = fs::rename(scratch.path(), &folder)
                && !folder.exists()
            {
                return Err(silent(Error::io(&folder)(error)));
            }
        }
        root(&folder.join("source")).map_err(silent)
    }

    /// Hash of everything that goes into the program, 16 hex digits.
    fn key(&self) -> Result<String, Error> {
        let mut fnv = Fnv::default();
        match &self.origin {
            Origin::Archive(path) => {
                fs::metadata(path).map_err(Error::unreadable(path))?;
                fnv.field("archive").field(&hash_of_file(path));
            }
            Origin::Folder(path) => {
                fnv.field("folder");
                hash_of_folder(path, &mut fnv)?;
            }
            Origin::Git(repository, at) => {
                fnv.field("git").field(repository).field(&self.commit(repository, at)?);
            }
        }
        for (_, text) in &self.patches {
            fnv.field(&String::from_utf8_lossy(text));
        }
        if let Some(cut) = &self.to_cut {
            fnv.field("cut").field(&cut.text);
            secateur_switches::MADE_BY.iter().for_each(|text| {
                fnv.field(text);
            });
        }
        let compiler = Command::new("cc").arg("--version").stdin(Stdio::null()).output();
        let compiler = compiler.map_or_else(|_| Vec::new(), |output| output.stdout);
        fnv.field(&String::from_utf8_lossy(&compiler)).field(&self.build);
        Ok(fnv.hex())
    }

    /// Where it comes from, for pages that anybody may read: no folder of this computer but its name.
    fn in_words(&self) -> Result<String, Error> {
        let (path, hash) = match &self.origin {
            Origin::Git(..) => return Ok(self.origin.to_string()),
            Origin::Archive(path) => (path, hash_of_file(path)),
            Origin::Folder(path) => {
                let mut fnv = Fnv::default();
                hash_of_folder(path, &mut fnv)?;
                (path, fnv.hex())
            }
        };
        let whole = path.canonicalize().map_err(Error::unreadable(path))?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy();
        let commit = git().arg("-C").arg(path).args(["rev-parse", "HEAD"]).output();
        let commit = commit.ok().filter(|done| done.status.success() && path.join(".git").exists());
        let commit = commit.map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned());
        let at = commit.map_or_else(String::new, |commit| format!(" at commit {commit}"));
        Ok(format!("{name}{at}, files {hash}"))
    }

    /// Has the program made in a folder that is there.
    fn make(&self, folder: &Path) -> Result<(), Error> {
        let (tree, log) = (folder.join("source"), folder.join(LOG));
        fs::create_dir(&tree).map_err(Error::io(&tree))?;
        let step = |what: &str, command: &mut Command| run(what, command, &log);
        match &self.origin {
            Origin::Archive(path) => {
                step("unpack it", Command::new("tar").arg("-xf").arg(path).arg("-C").arg(&tree))?;
            }
            Origin::Folder(path) => Tree::read(path)?.copy(&tree)?,
            Origin::Git(repository, at) => {
                step("clone it", git().args(["clone", "--quiet", "--", repository]).arg(&tree))?;
                let mut checkout = git();
                step("check it out", checkout.arg("-C").arg(&tree).args(["checkout", "--quiet", at, "--"]))?;
            }
        }
        let root = root(&tree)?;
        let patched = |name: &str, text: &[u8]| {
            let patch = folder.join("patch");
            fs::write(&patch, text).map_err(Error::io(&patch))?;
            let input = fs::File::open(&patch).map_err(Error::io(&patch))?;
            let mut command = Command::new("patch");
            command
                .args(["-p1", "--batch", "--forward", "--fuzz=0", "--binary"])
                .current_dir(&root)
                .stdin(input);
            step(&format!("patch it with {name}"), &mut command)
        };
        self.patches.iter().try_for_each(|(name, text)| patched(name, text))?;
        if let Some(cut) = &self.to_cut {
            let (patch, sites) = cut.cut(&root)?;
            patched(&cut.name, &patch)?;
            sites.write(&folder.join(FILE))?;
        }
        let mut build = Command::new("sh");
        build.arg("-c").arg(&self.build).current_dir(&root).stdin(Stdio::null());
        // What would have whoever calls this build elsewhere, or wait for its own build.
        for name in LEADING {
            build.env_remove(name);
        }
        step("build it", &mut build)?;
        // Which program a build leaves is not known before the first; one that is known must be there, or nothing is kept.
        if self.binary.as_os_str().is_empty() { Ok(()) } else { self.in_tree(&root).map(drop) }
    }
}

/// A build of a program whose switches were cut from its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// Its folder, which holds what is known of its sites and what was proved of them.
    pub folder: PathBuf,
    /// Its source in words: the commit, or the name of its folder and a hash of its files.
    pub source: String,
}

impl Program {
    /// Where the program is, found or built from its source before; nothing is built for the answer.
    pub fn place(&self) -> Option<PathBuf> {
        match &self.built_from {
            Some(source) => source.kept(&self.name),
            None => secateur_engines::find(&self.command).ok(),
        }
    }

    /// The program as it can be started: if it has a source, its command is what was built of that, and what lies next to it is
    /// given to it. Whether the source is still
    /// what was built takes a look at all of it, or at its repository, so it is asked once and not for every arm.
    ///
    /// # Errors
    /// Those of [`Source::program`], with how to get the source.
    pub fn installed(self) -> Result<Program, Error> {
        let Some(source) = &self.built_from else { return Ok(self.with_nearby()) };
        let command = source.program(&self.name).map_err(|error| match self.get.as_str() {
            "" => Error::Usage(format!("{}: {error}", self.name)),
            get => Error::Usage(format!("{}: {error}; to get the source: {get}", self.name)),
        })?;
        let build = match self.cut.as_os_str().is_empty() {
            true => None,
            false => Some(Build { folder: source.folder(&self.name)?, source: source.in_words()? }),
        };
        Ok(Program { command, build, ..self }.with_nearby())
    }
}

/// Adds the names and contents of the files of a folder.
fn hash_of_folder(path: &Path, fnv: &mut Fnv) -> Result<(), Error> {
    for file in &Tree::read(path)?.files {
        fnv.field(&file.display().to_string()).field(&hash_of_file(&path.join(file)));
    }
    Ok(())
}

/// The folder of all programs that were built, unless another is chosen.
pub(super) fn cache() -> PathBuf {
    let chosen = std::env::var_os(CACHE).map(PathBuf::from);
    let of_user = || std::env::var_os("XDG_CACHE_HOME").map(|dir| PathBuf::from(dir).join("secateur"));
    let at_home = || std::env::var_os("HOME").map(|dir| PathBuf::from(dir).join(".cache/secateur"));
    chosen.or_else(of_user).or_else(at_home).unwrap_or_else(|| std::env::temp_dir().join("secateur"))
}

/// The folder itself, or the one folder that is all there is in it.
fn root(tree: &Path) -> Result<PathBuf, Error> {
    let mut entries = fs::read_dir(tree).map_err(Error::io(tree))?.flatten();
    match (entries.next(), entries.next()) {
        (Some(only), None) if only.path().is_dir() => Ok(only.path()),
        _ => Ok(tree.to_owned()),
    }
}

impl Source {
    /// The commit that a branch, tag or commit of a repository is. A commit is itself, and a tag is what it was when it was
    /// first asked for, which the cache remembers: neither moves, so that what was built is found without a network. A branch
    /// is asked for every time.
    fn commit(&self, repository: &str, at: &str) -> Result<String, Error> {
        if let Some(commit) = self.noted(repository, at) {
            return Ok(commit);
        }
        let (commit, is_tag) = asked(repository, at)?;
        if is_tag {
            // What cannot be noted is asked for again.
            let _ = secateur_record::files::replace(&self.note(repository, at), commit.as_bytes());
        }
        Ok(commit)
    }

    /// The same without a network; nothing where that does not say it.
    fn noted(&self, repository: &str, at: &str) -> Option<String> {
        let is_hash = |text: &str| text.len() == 40 && text.bytes().all(|letter| letter.is_ascii_hexdigit());
        if is_hash(at) {
            return Some(at.to_owned());
        }
        let text = fs::read_to_string(self.note(repository, at)).ok()?;
        is_hash(text.trim()).then(|| text.trim().to_owned())
    }

    /// The file that says what a tag is.
    fn note(&self, repository: &str, at: &str) -> PathBuf {
        self.cache.join(format!("tag-{}", Fnv::default().field(repository).field(at).hex()))
    }

    /// The program, if it is built already; nothing is built, and no network is asked.
    fn kept(&self, name: &str) -> Option<PathBuf> {
        if let Origin::Git(repository, at) = &self.origin {
            self.noted(repository, at)?;
        }
        let folder = self.folder(name).ok().filter(|folder| folder.exists())?;
        self.in_tree(&root(&folder.join("source")).ok()?).ok()
    }
}

/// The commit that a repository says a branch or tag is, and whether it is a tag; `at` itself if it does not know it.
fn asked(repository: &str, at: &str) -> Result<(String, bool), Error> {
    let output = git().args(["ls-remote", "--", repository, at]).output();
    let output = output.map_err(|error| Error::Usage(format!("git: {error}")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        return Err(Error::Usage(format!("{repository}: {text}")));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut columns = text.split_whitespace();
    let commit = columns.next().unwrap_or(at).to_owned();
    Ok((commit, columns.next().is_some_and(|name| name.starts_with("refs/tags/"))))
}

/// Git without a question for a password: a private repository is an error, and no wait.
fn git() -> Command {
    let mut git = Command::new("git");
    git.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    git
}

/// Runs a command whose words go to the log.
fn run(what: &str, command: &mut Command, log: &Path) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let file = fs::OpenOptions::new().create(true).append(true).open(log).map_err(Error::io(log))?;
    let both = file.try_clone().map_err(Error::io(log))?;
    let status = command.stdout(file).stderr(both).status();
    let status = status.map_err(|error| Error::Usage(format!("cannot {what}: {name}: {error}")))?;
    if status.success() {
        return Ok(());
    }
    let text = fs::read(log).map_err(Error::io(log))?;
    Err(Error::Usage(format!(
        "cannot {what} ({status}): {}",
        complaints(&String::from_utf8_lossy(&text)).join(" | ")
    )))
}

/// What a failed command said: its first complaints, for several compilers at once bury them; else its last lines.
fn complaints(text: &str) -> Vec<&str> {
    let complains = |line: &&str| COMPLAINTS.iter().any(|word| line.contains(word));
    let first: Vec<&str> = text.lines().map(str::trim).filter(complains).take(COMPLAINED).collect();
    if !first.is_empty() {
        return first;
    }
    let last: Vec<&str> = text.lines().rev().take(TOLD).collect();
    last.into_iter().rev().map(str::trim).collect()
}

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
    fn the_first_complaint_is_told_and_not_what_other_compilers_said_behind_it() {
        let log = format!("a.c:1:1: error: first\n{}make: *** [a.o] Error 1\n", "gcc -c b.c\n".repeat(20));
        assert_eq!(complaints(&log), ["a.c:1:1: error: first", "make: *** [a.o] Error 1"]);
        assert_eq!(complaints(&"said\n".repeat(20)).len(), super::TOLD);
    }

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
