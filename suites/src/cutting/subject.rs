//! The subject file of a program whose switches were cut from its source: written once, its methods anew at every cut.

use crate::error::Error;
use crate::program::source::certainty;
use crate::program::{Signature, Source};
use secateur_base::fault;
use secateur_engines::{Notation, Protocol, Spec};
use secateur_switches::{Method, OFF, Rewritten, Survey};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// The lines between which methods stand; what is outside of them is whoever edits the file's.
const BEGIN: &str = "# BEGIN: methods, made from";
const END: &str = "# END: methods";

/// What a subject file of cut switches says besides its methods.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// What the program calls itself.
    pub id: &'a str,
    /// How it was started.
    pub spec: &'a Spec,
    /// Whether one process does not repeat itself.
    pub is_fresh: bool,
    /// What it is built from.
    pub source: &'a Source,
}

/// The files of one subject, by the path of its subject file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The subject file: `engine.toml`.
    pub subject: PathBuf,
    /// The patch: `engine.patch`.
    pub patch: PathBuf,
    /// The sites: `engine.sites.toml`.
    pub sites: PathBuf,
    /// Where it is built: `engine.switches`.
    pub builds: PathBuf,
    /// One patch a method: `engine.patches`.
    pub patches: PathBuf,
}

impl Files {
    /// Those next to a subject file.
    pub fn of(subject: &Path) -> Files {
        let named = |end: &str| subject.with_extension(end);
        Files {
            subject: subject.to_owned(),
            patch: named("patch"),
            sites: named("sites.toml"),
            builds: named("switches"),
            patches: named("patches"),
        }
    }
}

/// What was cut from a source: the methods, and the sites that they have.
pub type Methods<'a> = (&'a Rewritten, &'a Survey);

impl Subject<'_> {
    /// The text of the file.
    pub fn text(&self, files: &Files, methods: Methods<'_>) -> String {
        let name = |path: &Path| quoted(&path.file_name().unwrap_or_default().to_string_lossy());
        let mut text = format!(
            "# Its switches were cut from its source automatically: {} says where each is and what speaks for it. Numbers of this \
             program\n# are as good as those names: read the list, edit it, and call `secateur subjects new` again.\n[subject]\n",
            files.sites.file_name().unwrap_or_default().to_string_lossy()
        );
        let game = match self.spec.protocol.notation() {
            Notation::Fen => "chess",
            Notation::Sfen => "shogi",
            Notation::Discs => "othello",
        };
        let about = format!("{}, switches cut automatically from its source", self.id);
        let _ = writeln!(text, "about = {}\ngame = \"{game}\"", quoted(&about));
        if self.spec.protocol != Protocol::default() {
            let _ = writeln!(text, "protocol = \"{}\"", self.spec.protocol);
        }
        if !self.spec.args.is_empty() {
            let args: Vec<String> = self.spec.args.iter().map(|word| quoted(word)).collect();
            let _ = writeln!(text, "args = [{}]", args.join(", "));
        }
        if self.spec.folder.is_some() {
            text += "# It looks for its files where it lies.\nin-place = true\n";
        }
        if self.is_fresh {
            text += "# The same search after a new game differed.\nisolation = \"cell\"\n";
        }
        let _ = writeln!(text, "mask = \"{OFF}\"\n");
        let above = files.subject.parent().unwrap_or(Path::new(""));
        let folder = relative(&source_folder(self.source), above);
        let _ = writeln!(text, "[source]\nfolder = {}", quoted(&folder.display().to_string()));
        let _ = writeln!(text, "patch = [{}]", name(&files.patch));
        let _ = writeln!(text, "build = {}", quoted(&self.source.build));
        let _ = writeln!(text, "binary = {}", quoted(&self.source.binary.display().to_string()));
        let _ = writeln!(text, "cache = {}\ncut = {}\n", name(&files.builds), name(&files.sites));
        text + &part(files, methods)
    }
}

/// The folder of a source that is one.
fn source_folder(source: &Source) -> PathBuf {
    match &source.origin {
        crate::program::Origin::Folder(path) | crate::program::Origin::Archive(path) => path.clone(),
        crate::program::Origin::Git(repository, _) => PathBuf::from(repository),
    }
}

/// The file with other methods; all else stays.
///
/// # Errors
/// A file without the lines between which they stand.
pub fn with_methods(text: &str, files: &Files, methods: Methods<'_>) -> Result<String, Error> {
    let (begin, end) = (text.find(BEGIN), text.find(END));
    match (begin, end) {
        (Some(begin), Some(end)) if begin < end => {
            let below = text[end..].split_once('\n').map_or("", |(_, below)| below);
            Ok(format!("{}{}{below}", &text[..begin], part(files, methods)))
        }
        _ => Err(fault(
            &files.subject,
            text,
            0,
            format!("found no lines `{BEGIN} ..` and `{END}`, expected the methods between them; --force writes the file anew"),
        )
        .into()),
    }
}

/// The file with how the program is asked for its signature, before the methods.
pub fn with_signature(text: &str, Signature { args, line, .. }: &Signature) -> String {
    let args: Vec<String> = args.iter().map(|word| quoted(word)).collect();
    let part = format!("[signature]\nargs = [{}]\nline = {}\n\n", args.join(", "), quoted(line));
    let (before, methods) = text.split_at(text.find(BEGIN).unwrap_or(text.len()));
    format!("{before}{part}{methods}")
}

/// The methods, each with its sites in a comment.
fn part(files: &Files, (rewritten, survey): Methods<'_>) -> String {
    let name = files.sites.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("{BEGIN} {name}\n[factor]\n");
    for Method { name, bit, sites, .. } in &rewritten.methods {
        text.extend(sites.iter().map(|&site| {
            let site = &survey.sites[site];
            let certainty = certainty(&site.finding);
            let words = format!("{}:{} {} ({certainty})", site.file, site.line, site.condition);
            format!("# {}\n", shortened(&words))
        }));
        let _ = writeln!(text, "{name} = {{ bits = {bit} }}");
    }
    text + END + "\n"
}

/// As much of a site as fits on a line.
fn shortened(site: &str) -> String {
    const FITS: usize = 120;
    let line: String = site.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(FITS) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line,
    }
}

/// A path as it is written in a file in `folder`; both without links in them.
pub fn relative(path: &Path, folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (Ok(path), Ok(folder)) = (path.canonicalize(), folder.canonicalize()) else { return path.to_owned() };
    let shared = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    // Nothing shared but the root: as far apart as two places are.
    if shared < 2 {
        return path;
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let written: PathBuf = up.chain(path.components().skip(shared)).collect();
    if written.as_os_str().is_empty() { PathBuf::from(".") } else { written }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
