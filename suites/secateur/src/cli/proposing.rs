//! `subjects new`: from a program to its subject file.
//!
//! The program is started and asked what it speaks, what it keeps to and which of its options look like switches; what is
//! written is a file that `worth` can begin with, and every switch in it was held to searches first. A program without switches
//! gets the file of a patched one, and is shown the lines that make it so.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::say::{message, put, say};
use crate::cli::subjects;
use secateur_base::number::plural;
use secateur_base::words::{shell_path, shell_word};
use secateur_base::{nearest, program};
use secateur_engines::{
    Engine, EngineError, Fault, Notation, Outcome as Kept, Probe, Protocol, Recognised, Spec, Yielded, call,
    ends_with, find, folders, manners, recognise,
};
use secateur_suites::cutting::Order;
use secateur_suites::experiment::Look;
use secateur_suites::program::Program;
use secateur_suites::program::ablate::{Language, Sources, Spot, builds, language_of_most, lines};
use secateur_suites::program::proposal::{Proposal, of_protocol, proposals};
use secateur_suites::program::tree::Tree;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long each answer of a program is waited for while its protocol is unknown.
const PATIENCE: Duration = Duration::from_secs(4);
/// A switch without which the nodes are fewer than this part may be one that switches on.
const FEWER: f64 = 0.9;

/// Arguments of `subjects new`.
#[derive(clap::Args)]
pub struct New {
    /// The program, with its arguments: "./engine --uci". With --source it need not exist: its name is that of the files, and the program
    /// that the source builds is used
    #[arg(required_unless_present = "source")]
    command: Option<String>,
    /// Its source in C, C++ or Rust: add a switch for each pruning method in a copy, build that and an untouched copy in the folder that
    /// ends with `.switches`, and compare the two. Prints each command before it runs; writes nothing into the source
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// With --source: the command that builds it, run in its folder [default: its makefile, meson, cmake or cargo]: "make -C src
    /// ARCH=native"
    #[arg(long, value_name = "COMMAND", requires = "source", conflicts_with = "builds")]
    build: Option<String>,
    /// With --source: also list the conditions of the search that never get a switch, with reasons
    #[arg(long, requires = "source")]
    all: bool,
    /// Its protocol: uci, usi, cecp, gtp, nboard, edax [default: the first of these that it answers]
    #[arg(long)]
    protocol: Option<Protocol>,
    /// Use one build per method as switches: programs next to this one, such as engine-no-lmr
    #[arg(long)]
    builds: bool,
    /// File to write [default: the name of the program with `.toml`, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing file; with --source also discard edits of its lists
    #[arg(long)]
    force: bool,
}

/// What the file is made of.
struct Draft<'a> {
    about: String,
    spec: &'a Spec,
    /// Whether one process does not repeat itself.
    fresh: bool,
    /// Usual options that it does not take.
    yielded: Vec<Yielded>,
    proposals: Vec<Proposal>,
    /// Methods without which a build lies next to the program.
    built: Vec<String>,
    /// Methods that are to be switched by a variable or by builds, of a program without switches.
    wanted: Vec<String>,
    by_builds: bool,
}

impl New {
    pub fn run(self) -> Outcome {
        if let Some(source) = self.source.as_deref().filter(|_| !self.builds) {
            if language_of_most(&Tree::read(source)?.files).is_some() {
                return subjects::run(&self.order(source)?, self.all);
            }
            message("found no file in C, C++ or Rust: the lines for switches are shown instead\n");
        }
        let Some(typed) = &self.command else {
            return Err(Failure::input("expected the program: secateur subjects new ./engine --source DIR"));
        };
        let (command, args) = call(typed);
        let name = command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        find(&command).map_err(|error| absent(&command, &error))?;
        let out = subject_file(self.out.as_deref(), &name)?;
        if out.exists() && !self.force {
            let message =
                format!("{}: it is there already, expected --force or another --out", out.display());
            return Err(Failure::input(message));
        }
        let sources = self.source.as_deref().map(|folder| Sources::read(folder).map_err(unread(folder)));
        let sources = sources.transpose()?;
        let all = self.protocol.map_or(Protocol::ALL.to_vec(), |protocol| vec![protocol]);
        message(&format!("asking {} what it speaks\n", command.display()));
        let Recognised { mut spec, engine } =
            recognise(&command, &args, &all, PATIENCE).map_err(|tried| unknown(typed, &tried))?;
        let mut proposals = proposals(engine.options());
        proposals.extend(of_protocol(spec.protocol));
        let (off, on): (Vec<Proposal>, Vec<Proposal>) = proposals.into_iter().partition(|p| p.ships_off);
        let (id, options) = (engine.id().to_owned(), engine.options().len());
        drop(engine);
        spec.command = written(&command, &out)?;
        // Next to the file, as the command is.
        let parent = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        spec.folder = spec.folder.map(|_| parent(&spec.command));
        let mut built = if self.builds { built(&build_base(&spec.command), &out) } else { Vec::new() };
        built.retain(|method| on.iter().all(|option| option.name != *method));
        let mut wanted = Vec::new();
        if on.is_empty() && built.is_empty() {
            wanted = sources.as_ref().map_or_else(|| Sources::default().to_switch(), Sources::to_switch);
        }
        let mut draft = Draft {
            about: id,
            spec: &spec,
            fresh: false,
            yielded: Vec::new(),
            proposals: on,
            built,
            wanted,
            by_builds: self.builds,
        };
        let mut program = draft.program(&out)?;
        draft.yielded = program.yields(&program.arm("full")?)?;
        program = draft.program(&out)?;
        let probe = program.probe(&program.arm("full")?)?;
        let asked = [&probe.depth, &probe.nodes, &probe.time, &probe.clock, &probe.own_limits];
        if asked.iter().all(|outcome| matches!(outcome, Kept::Failed(_) | Kept::Unable(_))) {
            let failed = asked.iter().find(|outcome| matches!(outcome, Kept::Failed(_)));
            let why = failed.map_or("it can be asked for no search", |outcome| outcome.reason());
            let game = draft.game();
            return Err(Failure::input(format!("{typed}: no search of {game} was answered: {why}")));
        }
        let mut text = format!("{}: speaks {}, {}\n", draft.about, spec.protocol, plural(options, "option"));
        if !spec.args.is_empty() {
            let _ = writeln!(text, "  started with: {}", spec.args.join(" "));
        }
        text.extend(probe.sentences().iter().map(|sentence| format!("  {sentence}\n")));
        text.extend(draft.yielded.iter().map(|option| format!("  {option}.\n")));
        if probe.repeats.is_some_and(|same| !same.nodes) {
            draft.fresh = true;
            program = draft.program(&out)?;
            text += &format!("  {}\n", alone(&program, &probe)?);
        }
        let switches = draft.factors().len();
        let can_look = probe.depth.is_kept() && probe.says.nodes && switches > 0;
        if can_look {
            message(&format!("searching without each of its {}\n", plural(switches, "method")));
        }
        let look = if can_look { Some(program.looked_at()?) } else { None };
        text += &draft.switches(look.as_ref(), &off);
        put(&out, draft.text(look.as_ref(), &off))?;
        text += &draft.next(&probe, &out, typed, sources.as_ref());
        say(&text);
        Ok(())
    }
}

impl New {
    /// What is cut from a source, by what was typed.
    fn order(&self, source: &Path) -> Result<Order, Failure> {
        let (command, args) = self.command.as_deref().map(call).unwrap_or_default();
        let file = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let folder = source.canonicalize().map_err(unread(source))?;
        let stem = command.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem =
            stem.or_else(|| Some(file(&folder)?.to_lowercase())).unwrap_or_else(|| "engine".to_owned());
        Ok(Order {
            source: source.to_owned(),
            subject: subject_file(self.out.as_deref(), &stem)?,
            build: self.build.clone(),
            binary: file(&command),
            args,
            protocols: self.protocol.map_or(Protocol::ALL.to_vec(), |protocol| vec![protocol]),
            is_anew: self.force,
        })
    }
}

/// The file to write.
fn subject_file(out: Option<&Path>, stem: &str) -> Result<PathBuf, Failure> {
    let out = out.map_or_else(|| PathBuf::from(format!("{stem}.toml")), Path::to_owned);
    if out.extension().is_none_or(|ending| ending != "toml") {
        return Err(Failure::input(format!("--out: found `{}`, expected a name.toml", out.display())));
    }
    Ok(out)
}

/// Why a folder was not looked through.
fn unread(folder: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    move |error| Failure::input(format!("--source {}: {error}, expected a folder", folder.display()))
}

/// What to say of a program that is not there: where one of its name is, or what is nearest to it.
fn absent(command: &Path, error: &EngineError) -> Failure {
    let typed = command.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if typed.is_empty() || command.exists() && command.components().count() > 1 {
        return Failure::input(error);
    }
    let in_folder = |folder: &Path| -> Vec<String> {
        let named = |entry: std::io::Result<std::fs::DirEntry>| {
            let name = entry.ok()?.file_name().to_string_lossy().into_owned();
            find(&folder.join(&name)).is_ok().then_some(name)
        };
        std::fs::read_dir(folder).into_iter().flatten().filter_map(named).collect()
    };
    let near = |folders: &[PathBuf]| {
        let names: Vec<String> = folders.iter().flat_map(|folder| in_folder(folder)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        nearest(&typed, &names).map(str::to_owned)
    };
    // A bare name is looked for in `PATH`; whoever types one may mean a program that lies here.
    let bare = || near(&folders());
    let parent = command.parent().filter(|folder| !folder.as_os_str().is_empty());
    let near = match parent {
        Some(folder) => near(&[folder.to_owned()]).map(|name| folder.join(name).display().to_string()),
        None => near(&[PathBuf::from(".")]).map(|name| format!("./{name}")).or_else(bare),
    };
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Failure::input(format!("{error}{near}"))
}

/// What to say of a program that could not be asked.
fn unknown(command: &str, tried: &[(String, EngineError)]) -> Failure {
    if let [(_, error)] = tried {
        return Failure::input(error);
    }
    let mut text =
        format!("{command}: found no protocol that it speaks, expected one of {}\n", Protocol::names());
    // A program that never gets as far as to listen ends in the same way whatever the protocol.
    let ended = |error: &EngineError| match &error.fault {
        Fault::Died { status, observed, error, .. } => {
            Some((status.clone(), observed.clone(), error.clone()))
        }
        _ => None,
    };
    match tried.first().and_then(|(_, error)| ended(error)) {
        Some(first) if tried.iter().all(|(_, error)| ended(error).as_ref() == Some(&first)) => {
            let (status, observed, error) = first;
            let ending = match (error, observed) {
                (Some(line), _) => ends_with(&line),
                (None, Some(line)) => format!("says `{line}` last"),
                (None, None) => "says nothing".to_owned(),
            };
            let _ = writeln!(text, "  it ends at once ({status}) whatever command it gets, and {ending}");
            text += "  does it miss a file, which it looks for where it is started?\n";
        }
        _ => tried.iter().for_each(|(protocol, error)| {
            let _ = writeln!(text, "  {protocol}: {error}");
        }),
    }
    let _ = write!(
        text,
        "if it needs arguments: {} subjects new \"./engine --its-arguments\"; one with a protocol of its own: docs/ADDING.md, \
         A protocol of your own",
        program::name()
    );
    Failure::input(text)
}

/// The program as its file names it: a bare name as it is, what lies next to the file by its name, else the whole path. Only
/// its folder is followed to where it is: a program may go by its name, and a link may lead to another build tomorrow.
fn written(command: &Path, out: &Path) -> Result<PathBuf, Failure> {
    if command.components().count() < 2 {
        return Ok(command.to_owned());
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = |path: &Path| path.canonicalize().map_err(Failure::io(path));
    let place = command.parent().filter(|place| !place.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, place) = (whole(folder)?, whole(place)?);
    let command = place.join(command.file_name().unwrap_or_default());
    Ok(command.strip_prefix(&folder).map_or(command.clone(), |inner| Path::new(".").join(inner)))
}

/// Whether a program that does not repeat itself in one process does so in two.
fn alone(program: &Program, probe: &Probe) -> Result<String, Failure> {
    let spec = program.spec(&program.arm("full")?)?;
    let trial = secateur_engines::Trial::usual(spec.protocol.notation(), PATIENCE * 4);
    let go = secateur_engines::Go::Depth(trial.depth);
    if !probe.depth.is_kept() {
        return Ok("Each search has a process of its own in the file.".to_owned());
    }
    let nodes = || -> Result<u64, Failure> {
        let engine = Engine::start(&spec, &manners(program.hash_mib as usize), PATIENCE);
        let mut engine = engine.map_err(Failure::input)?;
        let ask = secateur_engines::Ask::new(trial.position, go);
        Ok(engine.search(&ask, PATIENCE * 4).map_err(Failure::input)?.nodes)
    };
    let same = nodes()? == nodes()?;
    Ok(match same {
        true => "In a process of its own each search repeats: the file says so (isolation).".to_owned(),
        false => "In a process of its own it differs too: it searches by chance or by the clock, and no count of it is exact."
            .to_owned(),
    })
}

impl Draft<'_> {
    /// The program of the file as it would be.
    fn program(&self, out: &Path) -> Result<Program, Failure> {
        let path = std::path::absolute(out).map_err(Failure::io(out))?;
        Ok(Program::parse(&path, &self.text(None, &[]))?)
    }

    /// The game of its protocol.
    fn game(&self) -> &'static str {
        match self.spec.protocol.notation() {
            Notation::Fen => "chess",
            Notation::Sfen => "shogi",
            Notation::Discs => "othello",
        }
    }

    /// The file, with what was found of each switch.
    fn text(&self, look: Option<&Look>, off: &[Proposal]) -> String {
        let mut text = String::from("[subject]\n");
        let _ = writeln!(text, "about = {}\ngame = \"{}\"", quoted(&self.about), self.game());
        if self.spec.protocol != Protocol::default() {
            let _ = writeln!(text, "protocol = \"{}\"", self.spec.protocol);
        }
        let _ = writeln!(text, "command = {}", quoted(&self.spec.command.display().to_string()));
        if !self.spec.args.is_empty() {
            let args: Vec<String> = self.spec.args.iter().map(|word| quoted(word)).collect();
            let _ = writeln!(text, "args = [{}]", args.join(", "));
        }
        if let Some(folder) = &self.spec.folder {
            let folder = folder.display().to_string();
            let _ = writeln!(
                text,
                "# Where its files are.\nfolder = {}",
                quoted(if folder.is_empty() { "." } else { &folder })
            );
        }
        for option in &self.yielded {
            let _ = writeln!(text, "# {option}.");
            let used = option.used.as_ref().filter(|_| option.is_table()).and_then(|used| used.parse().ok());
            if let Some(mib) = used.filter(|mib: &u32| (1..=65_536).contains(mib)) {
                let _ = writeln!(text, "hash = {mib}");
            }
        }
        if self.fresh {
            text += "# The same search after a new game differed.\nisolation = \"cell\"\n";
        }
        if !self.wanted.is_empty() && !self.by_builds {
            text += "mask = \"ABLATE\"\n";
        }
        text += "\n[factor]\n";
        for (name, _, value) in self.factors() {
            if let Some(note) = look.and_then(|look| note_of(&name, look)) {
                let _ = writeln!(text, "# {note}");
            }
            let _ = writeln!(text, "{name} = {value}");
        }
        for (bit, method) in self.wanted.iter().enumerate() {
            let _ = match self.by_builds {
                true => writeln!(text, "{method} = {}", self.build_as_factor(method)),
                false => writeln!(text, "{method} = {{ bits = {} }}", 1_u64 << bit),
            };
        }
        for proposal in off {
            let _ = writeln!(
                text,
                "# Off in this program: to measure it, switch it on in `options` of [subject].\n# {} = {}",
                proposal.name,
                quoted(&proposal.settings())
            );
        }
        text
    }

    /// The switches that are there: a name, what it is in words, and as the file writes it.
    fn factors(&self) -> Vec<(String, String, String)> {
        let option = |p: &Proposal| (p.name.clone(), p.settings(), quoted(&p.settings()));
        let build = |method: &String| (method.clone(), self.build_of(method), self.build_as_factor(method));
        self.proposals.iter().map(option).chain(self.built.iter().map(build)).collect()
    }

    /// The binary without a method, as the file names it.
    fn build_of(&self, method: &str) -> String {
        format!("{}{method}", build_base(&self.spec.command))
    }

    fn build_as_factor(&self, method: &str) -> String {
        format!("{{ command = {} }}", quoted(&self.build_of(method)))
    }

    /// The switches in words.
    fn switches(&self, look: Option<&Look>, off: &[Proposal]) -> String {
        let mut text = String::new();
        if let Some(failed) = look.and_then(|look| look.failed.as_ref()) {
            text += &format!("a search failed, so no switch was compared with searches: {failed}\n");
        }
        let factors = self.factors();
        if !factors.is_empty() {
            text += if self.built.is_empty() { "switches among its options:\n" } else { "switches:\n" };
        }
        for (name, settings, _) in factors {
            let effect = look.and_then(|look| {
                let (full, without) = look.nodes.get(&format!("full[-{name}]")).filter(|n| n.0 > 0)?;
                let factor = format!("without it {:.2}x the nodes", *without as f64 / *full as f64);
                Some(note_of(&name, look).map_or(factor.clone(), |note| format!("{factor}: {note}")))
            });
            let _ = writeln!(text, "  {name}: {settings}");
            text.extend(effect.map(|effect| format!("    {effect}\n")));
        }
        for proposal in off {
            let _ = writeln!(
                text,
                "  {}: {} is how it is shipped: off anyway",
                proposal.name,
                proposal.settings()
            );
        }
        text
    }

    /// What is to be done next.
    fn next(&self, probe: &Probe, out: &Path, typed: &str, sources: Option<&Sources>) -> String {
        let mut text = String::new();
        let (file, typed_file) = (out.display(), shell_path(out));
        if !self.wanted.is_empty() {
            text += "found no option that switches a method off: it takes some lines in its source.\n";
            if let Some(sources) = sources {
                let place = |(method, spot): (&String, &Spot)| {
                    format!("  {method}: {}:{}: {}\n", spot.file.display(), spot.line, spot.text)
                };
                text.extend(
                    sources.methods.iter().filter(|(method, _)| self.wanted.contains(method)).map(place),
                );
            }
            if sources.is_none() {
                text += "with --source DIR, its source, this lists the places, with lines in its language.\n";
            }
            let language = sources.and_then(|sources| sources.language).unwrap_or(Language::Cpp);
            text.push('\n');
            text += &match self.by_builds {
                true => {
                    let place = |path: &str| out.with_file_name("").join(path.trim_start_matches("./"));
                    let program = place(&self.spec.command.display().to_string());
                    let target = |method: &str| place(&self.build_of(method));
                    format!(
                        "#ifndef NO_METHOD around each method that you ask about, and a build for each:\n\n{}",
                        builds(sources, &program, target, &self.wanted)
                    )
                }
                false => lines(language, &self.wanted),
            };
            text.push('\n');
        }
        let _ = writeln!(text, "written: {file}");
        let budget = match (&probe.depth, &probe.nodes, &probe.time) {
            // Programs of Othello do not prune below 11 plies or so, and are there in no time.
            (Kept::Kept(_), ..) if self.spec.protocol.notation() == Notation::Discs => "--depth 12",
            // No arm of builds lacks more than one method, so none is slow.
            (Kept::Kept(_), ..) if !self.built.is_empty() => "--depth 10",
            (Kept::Kept(_), ..) => "--depth 8",
            (_, Kept::Kept(_), _) => "--nodes 100k",
            (.., Kept::Kept(_)) => "--time 1s",
            _ => "",
        };
        let (me, command) = (program::name(), self.spec.command.display());
        // Searches cannot be asked by a clock, games can.
        let worth = match (&probe.clock, budget) {
            (Kept::Kept(_), "") => {
                let first = shell_word(&format!("subject:{file}"));
                format!("{me} play --first {first} --second none --tc 10+0.1")
            }
            _ => format!("{me} worth {typed_file} {budget}"),
        };
        let first = match (self.wanted.is_empty(), self.by_builds) {
            (true, _) => "next:".to_owned(),
            // What is not built is not in the file then.
            (false, true) => {
                let typed = shell_word(typed);
                format!(
                    "when some are built:\n  {me} subjects new {typed} --builds --out {typed_file} --force"
                )
            }
            (false, false) => format!(
                "when `command` of this file, now {command}, is a build with these lines:\n  {me} subjects check {typed_file}"
            ),
        };
        let _ = writeln!(text, "{first}\n  {}", worth.trim_end());
        text
    }
}

/// What the names of the builds without a method begin with, as a file names them that names the program so.
fn build_base(command: &Path) -> String {
    let command = command.display().to_string();
    let inner = if command.contains('/') { command } else { format!("./{command}") };
    format!("{inner}-no-")
}

/// The methods without which a build lies there, from the folder of the file.
fn built(base: &str, out: &Path) -> Vec<String> {
    let base = out.with_file_name("").join(base);
    let (folder, stem) = (base.with_file_name(""), base.file_name().unwrap_or_default().to_string_lossy());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let method = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.ok()?.path();
        let method = path.file_name()?.to_str()?.strip_prefix(&*stem)?.to_owned();
        let is_name = !method.is_empty() && method.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        (is_name && find(&path).is_ok()).then_some(method)
    };
    let mut methods: Vec<String> =
        std::fs::read_dir(folder).into_iter().flatten().filter_map(method).collect();
    methods.sort();
    methods
}

/// What a search says against a switch.
fn note_of(name: &str, look: &Look) -> Option<String> {
    let arm = format!("full[-{name}]");
    if look.idle.iter().any(|same| same.second == arm) {
        return Some(format!(
            "the same nodes to {} plies at a few positions: it may switch nothing",
            look.plies
        ));
    }
    let (full, without) = look.nodes.get(&arm)?;
    let fewer = (*without as f64) < FEWER * *full as f64;
    fewer.then(|| "fewer nodes without it: is this the value that switches it off?".to_owned())
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
