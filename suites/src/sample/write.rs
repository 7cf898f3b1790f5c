//! Sampled positions as files: the data file, and the entry in the list of sets.

use super::dice::Family;
use secateur_core::Game;
use secateur_positions::error::{Error, Result};
use secateur_positions::{Entry, Index, Kind, Listing, Operation, Provenance, Set, parse};
use secateur_record::files::replaced;
use std::path::Path;

/// A set that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Name of the set, and of its file without the ending.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// The positions; names are given when they are read.
    pub entries: Vec<Entry>,
    /// Where they come from.
    pub provenance: Provenance,
}

/// The position as an entry without a name of its own.
pub(super) fn entry<G: Game>(game: &G, family: Family, number: u64, pos: &G::Position) -> Entry {
    let cluster = format!("{}/{number:06}", family.name());
    let operands =
        if Kind::Obf.game() == Some(game.name()) { cluster.clone() } else { format!("\"{cluster}\"") };
    Entry {
        id: String::new(),
        position: game.format(pos),
        cluster,
        stage: game.label(pos),
        operations: vec![Operation { code: "cluster".to_owned(), operands }],
        line: 0,
    }
}

/// Makes the folder and tries to write in it, so that minutes of sampling do not end in an error.
///
/// # Errors
/// As [`save`].
pub(super) fn prepare(out: &Path) -> Result<Index> {
    std::fs::create_dir_all(out).map_err(|source| Error::io(out, source))?;
    let probe = out.join("probe.tmp");
    std::fs::write(&probe, "").map_err(|source| Error::io(&probe, source))?;
    std::fs::remove_file(&probe).map_err(|source| Error::io(&probe, source))?;
    let list = out.join("sets.toml");
    match std::fs::read_to_string(&list) {
        Ok(text) => Index::parse(&list, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Index::default()),
        Err(error) => Err(Error::io(&list, error)),
    }
}

/// Writes data files into `out` (made if need be) and brings its `sets.toml` up to date: an entry of the
/// same name is replaced in its place, others are kept. Every file is replaced in one step.
///
/// # Errors
/// [`Error::Io`] if something cannot be read or written; [`Error::Index`] if `sets.toml` is broken; a fault
/// in a line if a draft holds what cannot be read back.
pub fn save<G: Game>(game: &G, out: &Path, drafts: &[Draft]) -> Result<Vec<Listing>> {
    let mut index = prepare(out)?;
    let list = out.join("sets.toml");
    let of_game = |kind: &Kind| kind.game() == Some(game.name());
    let kind = [Kind::Obf, Kind::Epd].into_iter().find(of_game).unwrap_or(Kind::Plain);
    let mut texts = Vec::new();
    for draft in drafts {
        let text = text(draft, kind);
        let file = format!("{}.{}", draft.name, kind.ending());
        let set = parse(game, kind, &draft.name, &out.join(&file), &text, draft.provenance.clone())?;
        texts.push((file.clone(), text));
        put(&mut index, listing(draft, file, set));
    }
    for (file, text) in &texts {
        replace(&out.join(file), text)?;
    }
    let head = "# The built-in position sets: what each is, and where its file comes from.\n\n";
    let body = toml::to_string(&index)
        .map_err(|error| Error::Index { path: list.clone(), message: error.to_string() })?;
    replace(&list, &(head.to_owned() + &body))?;
    let made = |listing: &&Listing| drafts.iter().any(|draft| draft.name == listing.name);
    Ok(index.sets.iter().filter(made).cloned().collect())
}

/// A draft as a set that is kept in no file: its entry in a list, and the text.
///
/// # Errors
/// A fault in a line if the draft holds what cannot be read back.
pub(super) fn kept<G: Game>(game: &G, draft: &Draft) -> Result<(Listing, String)> {
    let (text, file) = (text(draft, Kind::Plain), format!("{}.pos", draft.name));
    let set = parse(game, Kind::Plain, &draft.name, file.as_ref(), &text, draft.provenance.clone())?;
    Ok((listing(draft, file, set), text))
}

/// The data file of a draft.
fn text(draft: &Draft, kind: Kind) -> String {
    let mark = if kind == Kind::Obf { '%' } else { '#' };
    let mut text = format!("{mark} {}. Provenance: sets.toml, {:?}.\n", draft.description, draft.name);
    for entry in &draft.entries {
        text.push_str(&kind.write(entry));
        text.push('\n');
    }
    text
}

fn listing(draft: &Draft, file: String, set: Set) -> Listing {
    Listing {
        name: draft.name.clone(),
        game: set.game,
        file,
        description: draft.description.clone(),
        positions: set.entries.len(),
        hash: set.hash,
        reserved: None,
        provenance: set.provenance,
    }
}

fn put(index: &mut Index, listing: Listing) {
    match index.sets.iter_mut().find(|old| old.name == listing.name) {
        Some(old) => *old = listing,
        None => index.sets.push(listing),
    }
}

/// Writes a file whole or not at all.
fn replace(path: &Path, text: &str) -> Result<()> {
    replaced(path, text.as_bytes()).map_err(|source| Error::io(path, source))
}
