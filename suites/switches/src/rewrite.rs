//! The fourth step: switches in the text, the header or module that reads the environment, and the patch.

use crate::assignment::{Assignment, Switch};
use crate::site::{Finding, Place, Site, Survey};
use crate::{Language, SourceFile};
use similar::{Algorithm, TextDiff};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The environment variable of methods that are off: names or a sum of bits ([`Method::bit`]), with commas between them.
pub const OFF: &str = "SECATEUR_OFF";
/// The environment variable of single sites that are off: their numbers ([`NumberedSite::number`]), with commas between them.
pub const OFF_SITES: &str = "SECATEUR_OFF_SITES";
/// The environment variable that names a file to which a program writes [`Entries`] when it ends.
pub const COUNTS: &str = "SECATEUR_COUNTS";

/// A method that has a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its bit in [`OFF`]: a power of two.
    pub bit: u64,
    /// Its sites, by [`Site::id`](crate::Site::id).
    pub sites: Vec<usize>,
}

/// A site that has a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedSite {
    /// [`Site::id`](crate::Site::id).
    pub site: usize,
    /// Its number in [`OFF_SITES`] and [`Entries`], from 0.
    pub number: usize,
}

/// A source with switches.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The files that changed and the files that are new, as they are now.
    pub files: Vec<SourceFile>,
    /// The same as a patch for `git apply`, with paths relative to the root of the source. Bytes, for a source may be in any encoding.
    pub patch: Vec<u8>,
    /// The methods, in the order of their bits.
    pub methods: Vec<Method>,
    /// The sites with a switch, in the order of their numbers.
    pub switches: Vec<NumberedSite>,
    /// The sites that were asked for and got no switch, by their id, with the reason.
    pub without: Vec<(usize, String)>,
}

/// How often a site was asked and was true, as a program counted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Entries {
    /// How often its condition was about to be asked.
    pub asked: u64,
    /// How often its condition was true, so that its body was entered.
    pub hit: u64,
}

/// Reads what a program wrote to the file of [`COUNTS`]: by number of the site. `None` if it is no such text, or is cut off.
pub fn entries(text: &str) -> Option<Vec<Entries>> {
    let line = |(number, line): (usize, &str)| {
        let mut fields = line.split(' ').map(|field| field.parse::<u64>().ok());
        let (site, asked, hit) = (fields.next()??, fields.next()??, fields.next()??);
        (site == number as u64 && fields.next().is_none()).then_some(Entries { asked, hit })
    };
    text.ends_with('\n').then(|| text.lines().enumerate().map(line).collect())?
}

/// The name of the header that C and C++ get, at the root of the source.
const HEADER: &str = "secateur_switches.h";

/// Gives the sites of an assignment their switches. `survey` must be of the same files.
pub fn rewrite(files: &[SourceFile], survey: &Survey, assignment: &Assignment) -> Rewritten {
    let mut rewritten = Rewritten::default();
    let mut by_method = BTreeMap::<&str, Vec<usize>>::new();
    let mut chosen = Vec::new();
    let keys = assignment.switches();
    for site in survey.sites.iter().filter(|site| site.is_switchable()) {
        let method = match keys.get(site.key.as_str()) {
            None | Some(Switch::None) => continue,
            Some(Switch::Alone) => None,
            Some(Switch::Method(name)) => Some(*name),
        };
        if let Err(reason) = can_be_written(files, survey, site) {
            rewritten.without.push((site.id, reason));
            continue;
        }
        if let Some(name) = method {
            by_method.entry(name).or_default().push(site.id);
        }
        chosen.push(site.id);
    }
    let place = |name: &str| survey.order.iter().position(|method| method == name).unwrap_or(usize::MAX);
    let mut ordered: Vec<_> = by_method.into_iter().collect();
    ordered.sort_by_key(|(name, _)| (place(name), (*name).to_owned()));
    for (name, sites) in ordered.split_off(ordered.len().min(64)) {
        rewritten.without.extend(sites.iter().map(|&site| {
            (site, format!("{name} is the 65th method or a later one, and a mask has 64 bits"))
        }));
        chosen.retain(|site| !sites.contains(site));
    }
    for (bit, (name, sites)) in ordered.into_iter().enumerate() {
        rewritten.methods.push(Method { name: name.to_owned(), bit: 1 << bit, sites });
    }
    rewritten.switches =
        chosen.iter().enumerate().map(|(number, &site)| NumberedSite { site, number }).collect();
    let entries = runtime_entries(survey, &rewritten);
    let ask = |language, number: usize| Questions::of(language, &entries[number].identifier);
    let mut edited = edited_files(files, survey, &chosen, &ask);
    let new = add_runtime(files, survey, &mut edited, &entries, &rewritten.methods);
    finish(files, edited, new, &mut rewritten);
    rewritten
}

/// A patch that removes sites for good: their conditions are false, and nothing reads an environment. For a test of a method's removal in
/// games by others. Also the sites that cannot be removed, with the reason.
pub fn removal(files: &[SourceFile], survey: &Survey, sites: &[usize]) -> Rewritten {
    let mut rewritten = Rewritten::default();
    let mut chosen = Vec::new();
    for site in sites.iter().filter_map(|&id| survey.sites.get(id)) {
        match can_be_written(files, survey, site) {
            Ok(()) => chosen.push(site.id),
            Err(reason) => rewritten.without.push((site.id, reason)),
        }
    }
    chosen.sort_unstable();
    let edited = edited_files(files, survey, &chosen, &|language, _| Questions::never(language));
    finish(files, edited, Vec::new(), &mut rewritten);
    rewritten
}

/// Whether a site's switch can be written into its file.
fn can_be_written(files: &[SourceFile], survey: &Survey, site: &Site) -> Result<(), String> {
    let file = files
        .iter()
        .find(|file| file.path == site.file)
        .ok_or_else(|| format!("{} is not among the files", site.file))?;
    let ask = Questions::never(file.language);
    insertions(&site.place, file.language, &ask).map_err(str::to_owned)?;
    if file.language == Language::Rust
        && survey.layouts.get(&site.file).is_none_or(|layout| layout.crate_roots.is_empty())
    {
        return Err("the root of its crate is not among the files: a Cargo.toml and the file with its `mod`"
            .to_owned());
    }
    Ok(())
}

/// What the runtime knows of each site, in the order of their numbers. A site is called by its method and a number.
fn runtime_entries(survey: &Survey, rewritten: &Rewritten) -> Vec<Entry> {
    let mut count = BTreeMap::<String, usize>::new();
    let entry = |switch: &NumberedSite| {
        let site = &survey.sites[switch.site];
        let method = rewritten.methods.iter().find(|method| method.sites.contains(&switch.site));
        let base = match (method, &site.finding) {
            (Some(method), _) => method.name.clone(),
            (None, Finding::Part { method: Some(name) }) => format!("{name}-part"),
            (None, _) => "unnamed".to_owned(),
        };
        let number = count.entry(base.clone()).or_default();
        *number += 1;
        Entry {
            identifier: format!("{}_{number}", base.replace('-', "_")),
            bits: method.map_or(0, |method| method.bit),
            at: format!("{}:{}", site.file, site.line),
        }
    };
    rewritten.switches.iter().map(entry).collect()
}

/// The texts of the files that the sites are in, with the switches. `ask` is given the language and the place of a site in `chosen`.
fn edited_files(
    files: &[SourceFile],
    survey: &Survey,
    chosen: &[usize],
    ask: &dyn Fn(Language, usize) -> Questions,
) -> BTreeMap<String, Vec<Insertion>> {
    let languages: BTreeMap<&str, Language> =
        files.iter().map(|file| (file.path.as_str(), file.language)).collect();
    let mut edited = BTreeMap::<String, Vec<Insertion>>::new();
    for (number, &id) in chosen.iter().enumerate() {
        let site = &survey.sites[id];
        let language = languages[site.file.as_str()];
        let insertions = insertions(&site.place, language, &ask(language, number)).unwrap_or_default();
        edited.entry(site.file.clone()).or_default().extend(insertions);
    }
    edited
}

/// Adds the header or module, and what makes it seen by the files that use it.
fn add_runtime(
    files: &[SourceFile],
    survey: &Survey,
    edited: &mut BTreeMap<String, Vec<Insertion>>,
    entries: &[Entry],
    methods: &[Method],
) -> Vec<SourceFile> {
    let (mut new, mut roots) = (Vec::new(), BTreeSet::new());
    for (path, insertions) in edited.iter_mut() {
        let layout = survey.layouts.get(path).cloned().unwrap_or_default();
        if !layout.crate_roots.is_empty() {
            roots.extend(layout.crate_roots);
            continue;
        }
        let up = "../".repeat(path.matches('/').count());
        let line = format!("#include \"{up}{HEADER}\"\n");
        insertions.insert(0, Insertion { at: layout.include_at, text: line, closes: false });
        if new.is_empty() {
            let text = header(entries, methods).into_bytes();
            new.push(SourceFile { path: HEADER.to_owned(), text, language: Language::C });
        }
    }
    for root in roots {
        let folder = root.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let text = module(entries, methods).into_bytes();
        new.push(SourceFile { path: format!("{folder}secateur.rs"), text, language: Language::Rust });
        if let Some(file) = files.iter().find(|file| file.path == root) {
            // At the end: in front of another `mod` the attributes of that one would be taken for this one's.
            let line = if file.text.ends_with(b"\n") { "mod secateur;\n" } else { "\nmod secateur;\n" };
            let insertion = Insertion { at: file.text.len(), text: line.to_owned(), closes: false };
            edited.entry(root).or_default().push(insertion);
        }
    }
    new
}

/// The new texts and the patch.
fn finish(
    files: &[SourceFile],
    edited: BTreeMap<String, Vec<Insertion>>,
    new: Vec<SourceFile>,
    rewritten: &mut Rewritten,
) {
    for (path, insertions) in edited {
        let Some(file) = files.iter().find(|file| file.path == path) else { continue };
        let text = inserted(&file.text, &insertions);
        rewritten.patch.extend(patch_of(&path, Some(&file.text), &text));
        rewritten.files.push(SourceFile { path, text, language: file.language });
    }
    for file in new {
        rewritten.patch.extend(patch_of(&file.path, None, &file.text));
        rewritten.files.push(file);
    }
}

/// What the runtime knows of a site.
struct Entry {
    /// As code calls it, in small letters.
    identifier: String,
    /// The bits of its method, or 0.
    bits: u64,
    /// File and line.
    at: String,
}

/// The header, once for the whole source.
fn header(entries: &[Entry], methods: &[Method]) -> String {
    let site = |(_, entry): (usize, &Entry)| {
        format!("    SECATEUR_{}, /* {} */", entry.identifier, comment(&entry.at))
    };
    let bits = |entry: &Entry| format!("    {}ull, /* {} */", entry.bits, entry.identifier);
    let method = |method: &Method| format!("    {{ \"{}\", {}ull }},\n", method.name, method.bit);
    runtime(include_str!("../data/secateur_switches.h"), (entries, methods), site, bits, method)
}

/// The module, once for each crate.
fn module(entries: &[Entry], methods: &[Method]) -> String {
    let site = |(number, entry): (usize, &Entry)| {
        let constant = entry.identifier.to_ascii_uppercase();
        format!("/// {}\npub const {constant}: Site = Site({number});", comment(&entry.at))
    };
    let bits = |entry: &Entry| format!("    {}, // {}", entry.bits, entry.identifier);
    let method = |method: &Method| format!("    (\"{}\", {}),\n", method.name, method.bit);
    runtime(include_str!("../data/secateur.rs.txt"), (entries, methods), site, bits, method)
}

/// A template with what a runtime of these sites and methods has in it.
fn runtime(
    template: &str,
    (entries, methods): (&[Entry], &[Method]),
    site: impl Fn((usize, &Entry)) -> String,
    bits: impl Fn(&Entry) -> String,
    method: impl Fn(&Method) -> String,
) -> String {
    let marks = [
        ("{sites}", entries.iter().enumerate().map(site).collect::<Vec<_>>().join("\n")),
        ("{count}", entries.len().to_string()),
        ("{bits}", entries.iter().map(bits).collect::<Vec<_>>().join("\n")),
        ("{methods}", methods.iter().map(method).collect()),
        ("{OFF}", OFF.to_owned()),
        ("{OFF_SITES}", OFF_SITES.to_owned()),
        ("{COUNTS}", COUNTS.to_owned()),
    ];
    marks.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

/// A path within a comment, which it must not end.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The part of a patch for one file: `before` is `None` for a new file.
fn patch_of(path: &str, before: Option<&[u8]>, after: &[u8]) -> Vec<u8> {
    let mut patch = format!("diff --git {} {}\n", name("a/", path), name("b/", path)).into_bytes();
    let (old, new) = match before {
        Some(_) => (name("a/", path), name("b/", path)),
        None => {
            patch.extend_from_slice(b"new file mode 100644\n");
            ("/dev/null".to_owned(), name("b/", path))
        }
    };
    let difference =
        TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(before.unwrap_or_default(), after);
    let written = difference.unified_diff().context_radius(3).header(&old, &new).to_writer(&mut patch);
    debug_assert!(written.is_ok(), "a vector takes all that is written to it");
    patch
}

/// A path as git writes it: in quotes where it has what would end it.
fn name(side: &str, path: &str) -> String {
    if path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\') {
        return format!("{side}{path}");
    }
    let mut quoted = format!("\"{side}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted + "\""
}

/// A text to be put in.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Insertion {
    at: usize,
    text: String,
    /// Whether it ends what another began, so that it comes in front of what begins at the same place.
    closes: bool,
}

/// How a site's two questions are written: whether it is on, and (always true) that its condition was.
struct Questions {
    on: String,
    hit: String,
}

impl Questions {
    fn of(language: Language, identifier: &str) -> Questions {
        if language == Language::Rust {
            let constant = identifier.to_ascii_uppercase();
            return Questions {
                on: format!("crate::secateur::{constant}.on()"),
                hit: format!("crate::secateur::{constant}.hit()"),
            };
        }
        Questions { on: format!("SECATEUR_ON({identifier})"), hit: format!("SECATEUR_HIT({identifier})") }
    }

    /// For a site that is gone for good, without anything that reads the environment.
    fn never(language: Language) -> Questions {
        let (on, hit) = if language == Language::Rust { ("false", "true") } else { ("0", "1") };
        Questions { on: on.to_owned(), hit: hit.to_owned() }
    }
}

/// The insertions of a place; an error is why there are none.
fn insertions(place: &Place, language: Language, ask: &Questions) -> Result<Vec<Insertion>, &'static str> {
    let Questions { on, hit } = ask;
    let rust = language == Language::Rust;
    let open = |at: usize, text: String| Insertion { at, text, closes: false };
    let close = |at: usize, text: String| Insertion { at, text, closes: true };
    let around = |span: &Range<usize>, left: String, right: String| {
        vec![open(span.start, left), close(span.end, right)]
    };
    Ok(match place {
        Place::Condition { span, brackets, first } => {
            let (left, right) = if *brackets { ("(", ")") } else { ("", "") };
            if *first && *brackets {
                around(span, left.to_owned(), format!("{right} && {on} && {hit}"))
            } else if *first {
                vec![close(span.end, format!(" && {on} && {hit}"))]
            } else {
                around(span, format!("{on} && {left}"), format!("{right} && {hit}"))
            }
        }
        Place::Body { span, block } if rust => {
            let (left, right) = if *block { ("", "") } else { ("{ ", " }") };
            around(span, format!("{{ if {on} && {hit} {left}"), format!("{right} }}"))
        }
        Place::Body { span, .. } => vec![open(span.start, format!("if ({on} && {hit}) "))],
        Place::Option { span } => around(span, "(".to_owned(), format!(").filter(|_| {on} && {hit})")),
        Place::Otherwise { span } => around(span, format!("(!({on} && {hit}) || ("), "))".to_owned()),
        Place::Value { span, neutral } if rust => {
            around(span, format!("if {on} && {hit} {{ "), format!(" }} else {{ {neutral} }}"))
        }
        Place::Value { span, neutral } => {
            around(span, format!("({on} && {hit} ? ("), format!(") : {neutral})"))
        }
        Place::Case { at } => vec![open(*at, format!("if (!({on} && {hit})) break; "))],
        Place::Guard { at } => vec![close(*at, format!(" if {on} && {hit}"))],
        Place::None { reason } => return Err(reason),
    })
}

/// A text with insertions, which are in the order of their sites: what is outside comes before what is inside.
fn inserted(text: &[u8], insertions: &[Insertion]) -> Vec<u8> {
    let mut order: Vec<usize> = (0..insertions.len()).collect();
    // At one place: first what closes, the innermost first, then what opens, the outermost first.
    order.sort_by_key(|&index| {
        let insertion = &insertions[index];
        let nested = if insertion.closes { usize::MAX - index } else { index };
        (insertion.at, !insertion.closes, nested)
    });
    let (mut new, mut end) = (Vec::with_capacity(text.len() + insertions.len() * 40), 0);
    for index in order {
        let insertion = &insertions[index];
        let at = insertion.at.min(text.len());
        new.extend_from_slice(&text[end.min(at)..at]);
        new.extend_from_slice(insertion.text.as_bytes());
        end = at;
    }
    new.extend_from_slice(&text[end..]);
    new
}
