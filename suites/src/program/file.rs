//! The subject file: how a program is started, and what switches its methods off.
//!
//! ```toml
//! [subject]
//! about = "Toga II 3.0"
//! game = "chess"
//! command = "toga2"
//! [factor]
//! null-move = "NullMove Pruning=Never"
//! ```
//!
//! Built-in ones stand in `suites/subjects`; a path to any such file is as good as a name. Whether the program is there, and
//! has these options, is asked when an arm is made ready, not here.
//!
//! What the absence of a method means is options in one line, or a table of everything else. A file may name what others measured
//! of the methods in games, so that a page can put its own numbers next to them. Left out: judging whether those games were like
//! ours; a rank correlation is all that is made of them.

use super::clash::Base;
use super::source::{Origin, Source, ToCut, cache};
use super::{Counted, Signature};
use crate::allowance::Allowance;
use crate::error::{Error, Place};
use crate::subject::Isolation;
use secateur_base::Unknown;
use secateur_engines::{Protocol, find};
use secateur_positions::Fault;
use secateur_record::error::text_of;
use secateur_record::manifest::Published;
use secateur_switches::Assignment;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;

/// What a binary next to it that searches the full width lacks: the name of that factor.
const SELECTIVITY: &str = "selectivity";

/// The subject files of this package, and their patches and sites, by name.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/subjects.rs"));

/// A program with its switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What it is called: the name of its file.
    pub name: String,
    /// Where its file is: the name of a built-in one, or a full path.
    pub source: String,
    /// What it is, one sentence.
    pub about: String,
    /// The game that it plays.
    pub game: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// The program: a path, or a name that is looked for in `PATH` and `/usr/games`; empty if it is still to be
    /// [installed](Program::installed).
    pub command: PathBuf,
    /// What it is built from, if it is not installed.
    pub built_from: Option<Source>,
    /// What it must answer if it is what it is said to be.
    pub signature: Option<Signature>,
    /// How its instructions are counted, where they are.
    pub counted: Counted,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment besides that of this program.
    pub env: BTreeMap<String, String>,
    /// The folder that it is started in, if not in that of this program.
    pub folder: Option<PathBuf>,
    /// Whether that is the folder of the program, wherever it lies.
    pub in_place: bool,
    /// Options of every arm, next to those that all programs get.
    pub options: Vec<(String, String)>,
    /// Transposition table, MiB.
    pub hash_mib: u32,
    /// Whether somebody wrote how large it is: then a program that does not take it is refused.
    pub table_is_asked: bool,
    /// Arguments with which it says how it was compiled, and ends.
    pub compiled: Vec<String>,
    /// What it may take for a search besides a budget of time, before it counts as hanging.
    pub patience: Duration,
    /// What its searches share.
    pub isolation: Isolation,
    /// The variable whose bits switch factors off, if there is one.
    pub mask: Option<String>,
    /// The file that says what each site is, where the switches were cut from the source by this program; empty where they were not.
    pub cut: PathBuf,
    /// Its build, once it is [installed](Program::installed), where its switches were cut.
    pub build: Option<super::source::Build>,
    /// How one comes by the program, for people: `apt-get install toga2`.
    pub get: String,
    /// Arguments that say a level, behind the others, with `{}` for its number; none if it has no levels.
    pub level: Vec<String>,
    /// Its methods, in the order of the file.
    pub factors: Vec<Factor>,
    /// What others measured of them in games.
    pub published: Published,
    /// Options that name files, by the places of these next to the binary: [`Program::at`].
    pub nearby: BTreeMap<String, String>,
    /// How it searches the full width.
    pub full_width: FullWidth,
}

/// How a program searches without selectivity: as the arm `none`, if it has factors and nothing else is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FullWidth {
    /// The depth up to which it does so as it is, plies.
    pub to: u32,
    /// What the name of a binary without selectivity ends with, which lies next to its own.
    pub binary: String,
    /// Why it does not with all of its factors off; empty if it does.
    pub why_not: String,
}

/// One method of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// Its name in records: letters, digits and `-`.
    pub name: String,
    /// What its absence means.
    pub off: Off,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    subject: SubjectPart,
    source: Option<Spanned<SourcePart>>,
    signature: Option<Signature>,
    published: Option<PublishedPart>,
    #[serde(default, rename = "full-width")]
    full_width: FullWidth,
    #[serde(default)]
    instructions: Counted,
    #[serde(default)]
    factor: BTreeMap<Spanned<String>, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SubjectPart {
    #[serde(default)]
    about: String,
    game: Spanned<String>,
    #[serde(default)]
    protocol: Protocol,
    command: Option<Spanned<String>>,
    #[serde(default)]
    args: Vec<String>,
    /// Where it is started, from the folder of the file.
    folder: Option<PathBuf>,
    /// Whether it is started where it lies, wherever that is.
    #[serde(default)]
    in_place: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    hash: Option<Spanned<u32>>,
    patience: Option<Spanned<String>>,
    #[serde(default)]
    isolation: Isolation,
    #[serde(default)]
    compiled: Vec<String>,
    mask: Option<Spanned<String>>,
    /// Arguments that the program takes several times, so that two factors may each have one.
    #[serde(default)]
    repeatable: Vec<String>,
    level: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    nearby: BTreeMap<String, String>,
    #[serde(default)]
    get: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourcePart {
    archive: Option<String>,
    folder: Option<String>,
    git: Option<Spanned<String>>,
    #[serde(default = "head")]
    at: Spanned<String>,
    #[serde(default)]
    patch: Vec<Spanned<String>>,
    build: String,
    binary: PathBuf,
    /// Where it is built, from the folder of the file; that of the user otherwise.
    cache: Option<PathBuf>,
    /// The file that says what was cut from the source into a patch, from the folder of the file.
    cut: Option<PathBuf>,
    /// The file that says what is to be cut when it is built.
    switches: Option<Spanned<String>>,
}

fn head() -> Spanned<String> {
    Spanned::new(0..0, "HEAD".to_owned())
}

impl Program {
    /// Names of the built-in subject files.
    pub fn names() -> Vec<&'static str> {
        let stems = FILES.iter().filter_map(|(file, _)| file.strip_suffix(".toml"));
        let mut names: Vec<&str> = stems.filter(|stem| !stem.ends_with(".sites")).collect();
        // A program comes before its versions.
        names.sort_unstable();
        names
    }

    /// The text of a built-in subject file.
    pub fn text(name: &str) -> Option<&'static str> {
        FILES.iter().find(|(file, _)| file.strip_suffix(".toml") == Some(name)).map(|(_, text)| *text)
    }

    /// Whether [`Program::load`] takes this for a subject file rather than a command.
    pub fn is_subject(name_or_path: &str) -> bool {
        Path::new(name_or_path).extension().is_some_and(|ending| ending == "toml")
            || Program::names().contains(&name_or_path)
    }

    /// What [`Program::load`] takes, good from any folder: a name as it is (`edax-4.6` has a dot and is none the less one), a file,
    /// written relative to `folder`, by its full path.
    pub fn lasting(name_or_path: &str, folder: &Path) -> String {
        let path = folder.join(name_or_path);
        match path.extension().filter(|&ending| ending == "toml").map(|_| std::path::absolute(&path)) {
            Some(Ok(path)) => path.display().to_string(),
            _ => name_or_path.to_owned(),
        }
    }

    /// The built-in subject of this name, or the one in this `.toml` file.
    ///
    /// # Errors
    /// An unknown name, an unreadable file, or the first wrong place in it.
    pub fn load(name_or_path: &str) -> Result<Program, Error> {
        if let Some(text) = Program::text(name_or_path) {
            let read = Program::parse(Path::new(&format!("{name_or_path}.toml")), text)?;
            return Ok(Program { source: name_or_path.to_owned(), ..read });
        }
        let path = Path::new(name_or_path);
        if path.extension().is_none_or(|ending| ending != "toml") {
            let mut error = Unknown::new("subject", name_or_path, &Program::names());
            error.names.push_str(", or a .toml file");
            return Err(error.into());
        }
        let path = std::path::absolute(path).map_err(Error::io(path))?;
        let text = text_of(&path)?;
        Program::parse(&path, &text)
    }

    /// The program where it is installed, with what lies next to it there; as it is if it asks for nothing of the kind or is not
    /// installed.
    pub(super) fn with_nearby(self) -> Program {
        if self.nearby.is_empty() {
            return self;
        }
        match find(&self.command) {
            Ok(path) => self.at(&path),
            Err(_) => self,
        }
    }

    /// The program at this path: files that lie next to it are its options, where those are not set, and a binary there that lacks
    /// selectivity is what switches that off. The same if it is there already.
    pub fn at(mut self, path: &Path) -> Program {
        path.clone_into(&mut self.command);
        for (option, file) in &self.nearby {
            let file = path.with_file_name(file);
            if file.is_file() && !self.options.iter().any(|(name, _)| name == option) {
                self.options.push((option.clone(), file.display().to_string()));
            }
        }
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let full = path.with_file_name(name + &self.full_width.binary);
        let is_known = self.factors.iter().any(|factor| factor.name == SELECTIVITY);
        if !self.full_width.binary.is_empty() && full.is_file() && !is_known {
            let off = Off { command: Some(full), ..Off::default() };
            self.factors.push(Factor { name: SELECTIVITY.to_owned(), off });
        }
        self
    }

    /// The arm that searches the full width to this depth.
    ///
    /// # Errors
    /// Why there is none.
    pub fn full_width_to(&self, depth: u32) -> Result<&'static str, String> {
        let FullWidth { to, binary, why_not } = &self.full_width;
        let is_switched = !self.factors.is_empty() && (why_not.is_empty() || !binary.is_empty());
        match is_switched {
            true => Ok("none"),
            false if depth <= *to => Ok("full"),
            false if why_not.is_empty() => {
                Err("not at full width: its subject file has no [factor] to switch off".to_owned())
            }
            false => Err(format!("not at full width: {why_not}")),
        }
    }

    /// Reads the text of a subject file. Paths with a `/` are taken relative to its folder.
    ///
    /// # Errors
    /// The first wrong place.
    pub fn parse(path: &Path, text: &str) -> Result<Program, Error> {
        Ok(read(path, text)?)
    }

    /// The same with the table of a comparison in which all programs get one; the usual size counts as not asked for.
    pub fn with_table(self, hash_mib: u32) -> Program {
        Program { hash_mib, table_is_asked: hash_mib != secateur_record::peers::HASH_MIB, ..self }
    }

    /// Index of a factor.
    ///
    /// # Errors
    /// A name that none has.
    pub fn factor(&self, name: &str) -> Result<usize, Unknown> {
        let names: Vec<&str> = self.factors.iter().map(|factor| factor.name.as_str()).collect();
        let index = names.iter().position(|factor| *factor == name);
        index.ok_or_else(|| Unknown::new("method", name, &names))
    }
}

fn read(path: &Path, text: &str) -> Result<Program, Box<Fault>> {
    let place = Place { path, text };
    let file: Whole = place.read()?;
    let part = file.subject;
    let game = place.game(&part.game)?;
    let command = command(&place, &part, file.source.is_some())?;
    let part_cut = file.source.as_ref().map(Spanned::get_ref);
    let cut = part_cut
        .and_then(|part| part.cut.clone().or_else(|| Some(PathBuf::from(part.switches.as_ref()?.get_ref()))));
    let cut = cut.map_or_else(PathBuf::new, |cut| place.folder().join(cut));
    let mut built_from = file.source.map(|part| source(&place, part)).transpose()?;
    let (patience, hash_mib) = (patience(&place, &part)?, hash(&place, &part)?);
    let mut written: Vec<(Spanned<String>, toml::Value)> = file.factor.into_iter().collect();
    written.sort_by_key(|(name, _)| name.span().start);
    let base = Base {
        options: &part.options,
        env: &part.env,
        args: &part.args,
        mask: part.mask.as_ref().map(|mask| mask.get_ref().as_str()),
        repeatable: &part.repeatable,
    };
    base.check().map_err(|message| match &part.mask {
        Some(mask) if part.env.contains_key(mask.get_ref()) => place.at(mask, message),
        _ => place.whole(message),
    })?;
    let mut factors: Vec<Factor> = Vec::new();
    for (name, value) in written {
        let factor = factor(&place, &part, &name, &value)?;
        let before: Vec<(&str, &Off)> =
            factors.iter().map(|earlier| (earlier.name.as_str(), &earlier.off)).collect();
        base.fits(&factor.name, &factor.off, &before)
            .map_err(|message| place.at(&name, format!("method `{}`: {message}", factor.name)))?;
        factors.push(factor);
    }
    if let Some(to_cut) = built_from.as_mut().and_then(|source| source.to_cut.as_mut()) {
        to_cut.bits = factors.iter().map(|factor| (factor.name.clone(), factor.off.bits)).collect();
    }
    let published = file.published.map(|part| published(&place, part, &factors)).transpose()?;
    let level = level(&place, &part)?;
    Ok(Program {
        name: path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        source: path.display().to_string(),
        about: part.about,
        game: game.clone(),
        protocol: part.protocol,
        command,
        built_from,
        signature: file.signature,
        counted: file.instructions,
        args: part.args,
        folder: part.folder.map(|folder| place.folder().join(folder)),
        in_place: part.in_place,
        env: part.env,
        options: part.options.into_iter().collect(),
        hash_mib,
        table_is_asked: part.hash.is_some(),
        patience,
        isolation: part.isolation,
        compiled: part.compiled,
        mask: part.mask.map(Spanned::into_inner),
        cut,
        build: None,
        get: part.get,
        level,
        factors,
        published: published.unwrap_or_default(),
        nearby: part.nearby,
        full_width: file.full_width,
    })
}

/// The program of a file that builds none.
fn command(place: &Place<'_>, part: &SubjectPart, is_built: bool) -> Result<PathBuf, Box<Fault>> {
    match &part.command {
        Some(command) if is_built => {
            let message =
                "found a command next to [source], expected one of them: what is built has its `binary`";
            Err(place.at(command, message))
        }
        Some(command) if command.get_ref().is_empty() => {
            Err(place.at(command, "found no command, expected a program"))
        }
        Some(command) => Ok(resolved(place.folder(), command.get_ref())),
        None if is_built => Ok(PathBuf::new()),
        None => Err(place.whole("missing field `command` of [subject], or a [source] to build")),
    }
}

fn patience(place: &Place<'_>, part: &SubjectPart) -> Result<Duration, Box<Fault>> {
    let Some(text) = &part.patience else { return Ok(Duration::from_secs(120)) };
    let time = Allowance::time(text.get_ref()).map_err(|message| place.at(text, message))?;
    Ok(Duration::from_nanos(time.amount()))
}

/// The arguments that say a level.
fn level(place: &Place<'_>, part: &SubjectPart) -> Result<Vec<String>, Box<Fault>> {
    let Some(level) = &part.level else { return Ok(Vec::new()) };
    if level.get_ref().iter().any(|word| word.contains("{}")) {
        return Ok(level.get_ref().clone());
    }
    Err(place.at(level, "found arguments without a number, expected `{}` for the level: [\"--level={}\"]"))
}

fn hash(place: &Place<'_>, part: &SubjectPart) -> Result<u32, Box<Fault>> {
    match &part.hash {
        None => Ok(secateur_record::peers::HASH_MIB),
        Some(mib) if (1..=65_536).contains(mib.get_ref()) => Ok(*mib.get_ref()),
        Some(mib) => Err(place.at(mib, format!("found {} MiB of hash, expected 1 to 65536", mib.get_ref()))),
    }
}

fn source(place: &Place<'_>, part: Spanned<SourcePart>) -> Result<Source, Box<Fault>> {
    let several = || place.at(&part, "expected one of `archive`, `folder` and `git` in [source]");
    let (folder, written) = (place.folder(), part.get_ref());
    let origin = match (&written.archive, &written.folder, &written.git) {
        (Some(archive), None, None) => Origin::Archive(folder.join(archive)),
        (None, Some(tree), None) => Origin::Folder(folder.join(tree)),
        (None, None, Some(repository)) => Origin::Git(
            plain(place, "a repository", repository)?,
            plain(place, "a branch, tag or commit", &written.at)?,
        ),
        _ => return Err(several()),
    };
    let patches = written.patch.iter().map(|name| beside(place, name)).collect::<Result<_, _>>()?;
    let to_cut = written.switches.as_ref().map(|name| to_cut(place, name)).transpose()?;
    Ok(Source {
        origin,
        patches,
        to_cut,
        build: written.build.clone(),
        binary: written.binary.clone(),
        cache: written.cache.as_ref().map_or_else(cache, |path| folder.join(path)),
    })
}

/// A word for git that it cannot take for an option.
fn plain(place: &Place<'_>, what: &str, word: &Spanned<String>) -> Result<String, Box<Fault>> {
    match word.get_ref().starts_with('-') {
        true => Err(place
            .at(word, format!("found `{}`, expected {what}: git takes it for an option", word.get_ref()))),
        false => Ok(word.get_ref().clone()),
    }
}

/// The sites of switches that are cut at every build.
fn to_cut(place: &Place<'_>, name: &Spanned<String>) -> Result<ToCut, Box<Fault>> {
    let (name_of_file, text) = beside(place, name)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let assignment =
        Assignment::from_toml(&text).map_err(|error| place.at(name, format!("{name_of_file}: {error}")))?;
    Ok(ToCut { name: name_of_file, assignment, text, bits: BTreeMap::new() })
}

/// A file next to the subject file, by its name, or else a built-in one; a built-in subject, which has no folder, takes that first.
fn beside(place: &Place<'_>, name: &Spanned<String>) -> Result<(String, Vec<u8>), Box<Fault>> {
    let file = place.folder().join(name.get_ref());
    let built_in = FILES.iter().find(|(file_name, _)| file_name == name.get_ref());
    let built_in = built_in.map(|(_, text)| text.as_bytes().to_vec());
    let adjacent = || std::fs::read(&file).ok();
    let is_built_in = place.folder().as_os_str().is_empty();
    let text = if is_built_in { built_in.or_else(adjacent) } else { adjacent().or(built_in) };
    let text = text.ok_or_else(|| place.at(name, format!("{}: no such file", file.display())))?;
    Ok((name.get_ref().clone(), text))
}

fn factor(
    place: &Place<'_>,
    part: &SubjectPart,
    name: &Spanned<String>,
    value: &toml::Value,
) -> Result<Factor, Box<Fault>> {
    let text = name.get_ref();
    let off = off(place.folder(), value)
        .map_err(|message| place.at(name, format!("method `{text}`: {message}")))?;
    if off.bits > 0 && part.mask.is_none() {
        let expected = "expected the variable that they are of: `mask` of [subject]";
        return Err(place.at(name, format!("method `{text}` has bits, {expected}")));
    }
    if !is_name(text) {
        let expected = "expected letters, digits and `-`, neither `none` nor `full`";
        return Err(place.at(name, format!("found the method `{text}`, {expected}")));
    }
    Ok(Factor { name: text.clone(), off })
}

fn is_name(name: &str) -> bool {
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    !name.is_empty() && fits && !["none", "full"].contains(&name)
}

/// A path relative to the folder of the file; a bare name as it is.
pub(super) fn resolved(folder: &Path, command: &str) -> PathBuf {
    if command.contains('/') { folder.join(command) } else { PathBuf::from(command) }
}

/// What switches a method off: as many of these as it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Off {
    /// Options and their values.
    pub options: Vec<(String, String)>,
    /// Variables and their values.
    pub env: BTreeMap<String, String>,
    /// Arguments, behind those of the program.
    pub args: Vec<String>,
    /// Bits of [`super::Program::mask`].
    pub bits: u64,
    /// Another binary in place of the program: no two factors with one can be off at once.
    pub command: Option<PathBuf>,
}

/// A factor as a text of options, or as a table of everything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum OffPart {
    Options(String),
    Table(OffTable),
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OffTable {
    options: String,
    env: BTreeMap<String, String>,
    args: Vec<String>,
    bits: u64,
    command: Option<String>,
}

/// What a factor says.
///
/// # Errors
/// What was found and expected.
pub(super) fn off(folder: &Path, value: &toml::Value) -> Result<Off, String> {
    let expected = || {
        "expected options `NAME=VALUE; NAME=VALUE`, or a table with `options`, `env`, `args`, `bits` or `command`".to_owned()
    };
    let off = match value.clone().try_into::<OffPart>().map_err(|_| expected())? {
        OffPart::Options(text) => Off { options: options(&text)?, ..Off::default() },
        OffPart::Table(table) => Off {
            options: options(&table.options)?,
            env: table.env,
            args: table.args,
            bits: table.bits,
            command: table.command.map(|command| resolved(folder, &command)),
        },
    };
    if off == Off::default() { Err(format!("no key switches it off: {}", expected())) } else { Ok(off) }
}

/// Options as they are written in one line: `NAME=VALUE; NAME=VALUE`.
///
/// # Errors
/// What was found and expected.
pub fn options(text: &str) -> Result<Vec<(String, String)>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let option = |part: &str| {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("found `{part}`, expected NAME=VALUE"))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    parts.map(option).collect()
}

/// `[published]` as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedPart {
    source: String,
    elo: BTreeMap<Spanned<String>, f64>,
}

/// The numbers, each of a method that the file has.
fn published(place: &Place<'_>, part: PublishedPart, factors: &[Factor]) -> Result<Published, Box<Fault>> {
    for name in part.elo.keys() {
        if !factors.iter().any(|factor| factor.name == *name.get_ref()) {
            let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
            let message =
                format!("found `{}`, expected one of its methods: {}", name.get_ref(), names.join(", "));
            return Err(place.at(name, message));
        }
    }
    let elo = part.elo.into_iter().map(|(name, elo)| (name.into_inner(), elo)).collect();
    Ok(Published { source: part.source, elo })
}
