//! What the manifests of parts say together, or why they are not of one run.

use crate::error::Error;
use secateur_record::counting::Counting;
use secateur_record::manifest::{Manifest, ProgramEntry, Session};
use secateur_record::part::{self, Part};
use secateur_record::stream::Found;
use std::collections::BTreeMap;
use std::path::Path;

/// The manifest of what is merged of `parts`, at least one: without makers, and without what only its rows tell.
pub(super) fn joined(out: &Path, parts: &[Found]) -> Result<Manifest, Error> {
    let first = &parts[0];
    parts[1..].iter().try_for_each(|other| same(first, other))?;
    let mut session: Vec<Session> = parts.iter().flat_map(|part| part.manifest.session.clone()).collect();
    session.sort_by(|a, b| (&a.started, &a.argv).cmp(&(&b.started, &b.argv)));
    session.dedup();
    let all = |what: fn(&Manifest) -> &String| parts.iter().map(move |part| what(&part.manifest));
    let told = |what| all(what).find(|text| !text.is_empty()).cloned().unwrap_or_default();
    let mut game = first.manifest.game.clone();
    for (at, game) in game.iter_mut().enumerate() {
        game.counting =
            counting(parts.iter().filter_map(|part| part.manifest.game.get(at)?.counting.as_ref()));
    }
    Ok(Manifest {
        run: out.file_name().map_or_else(|| "merged".to_owned(), |name| name.to_string_lossy().into_owned()),
        started: all(|manifest| &manifest.started).min().cloned().unwrap_or_default(),
        complete: false,
        cells: first.whole().to_owned(),
        instructions: told(|manifest| &manifest.instructions),
        counted_binary: told(|manifest| &manifest.counted_binary),
        session,
        game,
        part: Some(division(parts)),
        ..first.manifest.clone()
    })
}

/// The units of the whole run and the shards that are here.
fn division(parts: &[Found]) -> Part {
    let known = parts.iter().find_map(|part| part.manifest.part.as_ref());
    let mut shards: Vec<(u32, u32)> = Vec::new();
    for part in parts.iter().filter_map(|part| part.manifest.part.as_ref()) {
        let all = part.shards.iter().chain([&part.shard]);
        shards.extend(all.filter_map(|text| part::numbers(text)));
    }
    shards.sort_by_key(|(number, of)| (*of, *number));
    shards.dedup();
    Part {
        whole: parts[0].whole().to_owned(),
        units: known.map_or(0, |part| part.units),
        cells: known.map_or(0, |part| part.cells),
        shards: shards.iter().map(|(number, of)| format!("{number}/{of}")).collect(),
        ..Part::default()
    }
}

/// The copies of units that were merged before.
pub(super) fn doubles(parts: &[Found]) -> BTreeMap<u32, Vec<String>> {
    let mut all: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for double in parts.iter().filter_map(|part| part.manifest.part.as_ref()).flat_map(|part| &part.double) {
        let copies = all.entry(double.unit).or_default();
        copies.extend(double.copies.iter().cloned());
        copies.sort();
        copies.dedup();
    }
    all
}

/// How the instructions of a program were counted in several parts.
fn counting<'c>(all: impl Iterator<Item = &'c Counting>) -> Option<Counting> {
    let mut all = all.cloned();
    let mut first = all.next()?;
    for other in all {
        first.again.extend(other.again);
        first.odd.extend(other.odd);
    }
    first.again.sort_by_key(|again| (again.position.clone(), again.methods.clone(), again.budget));
    first.odd.sort_by_key(|odd| (odd.position.clone(), odd.methods.clone(), odd.budget, odd.repeat));
    first.again.dedup();
    first.odd.dedup();
    Some(first)
}

/// Refuses parts of two runs, with the place where they differ.
fn same(one: &Found, other: &Found) -> Result<(), Error> {
    let foreign = |texts: [&str; 2], what: String| {
        Err(Error::Foreign { one: one.place(texts[0]), other: other.place(texts[1]), what })
    };
    let (a, b) = (&one.manifest, &other.manifest);
    for (game, theirs) in a.game.iter().zip(&b.game) {
        let both = game.arms.iter().filter_map(|(arm, id)| Some((arm, id, theirs.arms.get(arm)?)));
        if let Some((arm, id, found)) = both.into_iter().find(|(_, id, found)| id != found) {
            let what =
                format!("`{arm}` of {} has the parameters {id} in one and {found} in the other", game.name);
            return foreign([id, found], what);
        }
        let programs = |game: &secateur_record::manifest::GameEntry| {
            let judges = game.judge.iter().map(|judge| program(&judge.program));
            game.program.iter().map(program).chain(judges).collect::<Vec<_>>().join("; ")
        };
        let (here, there) = (programs(game), programs(theirs));
        if here != there {
            return foreign(
                ["", ""],
                format!("the programs of {} are {here} in one and {there} in the other", game.name),
            );
        }
    }
    if let Some((what, here, there)) = a.difference(b, true) {
        return foreign([&here, &there], format!("{what} {here} in one and {there} in the other"));
    }
    let counted = |one: &str, other: &str| one.is_empty() || other.is_empty() || one == other;
    let mut pairs = vec![("cells of the whole", one.whole(), other.whole())];
    if !counted(&a.instructions, &b.instructions) {
        pairs.push(("instructions counted by", &a.instructions, &b.instructions));
    }
    if !counted(&a.counted_binary, &b.counted_binary) {
        pairs.push(("instructions of the binary", &a.counted_binary, &b.counted_binary));
    }
    match pairs.into_iter().find(|(_, here, there)| here != there) {
        Some((what, here, there)) => {
            foreign([here, there], format!("{what} {here} in one and {there} in the other"))
        }
        None if a.dropped != b.dropped => {
            foreign(["dropped", "dropped"], "files were left out of one".to_owned())
        }
        None => Ok(()),
    }
}

/// A program of somebody else in words, wherever it lies.
fn program(entry: &ProgramEntry) -> String {
    format!("{} {} {}", entry.name, entry.id, entry.binary)
}
