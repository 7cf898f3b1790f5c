//! What the manifests of parts say together, or why they are not of one run.

use crate::shards::error::Error;
use secateur_record::counting::Counting;
use secateur_record::manifest::{Manifest, ProgramEntry, Session};
use secateur_record::part::{self, Part};
use secateur_record::stream::Found;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the manifests of parts say together, one after another: of each no more is kept than goes into the whole.
pub(super) struct Joined {
    first: Found,
    session: Vec<Session>,
    /// Of each game of the first.
    counting: Vec<Option<Counting>>,
    /// Units and cells of the whole run, where a part says so.
    whole: Option<(u32, u64)>,
    /// Shards that are here, as (of, number).
    shards: BTreeSet<(u32, u32)>,
    /// The copies of units that were merged before.
    pub(super) doubles: BTreeMap<u32, Vec<String>>,
}

impl Joined {
    /// Begins with a part.
    pub(super) fn new(first: Found) -> Joined {
        let mut joined = Joined {
            session: Vec::new(),
            counting: vec![None; first.manifest.game.len()],
            whole: None,
            shards: BTreeSet::new(),
            doubles: BTreeMap::new(),
            first: first.clone(),
        };
        joined.take(first.manifest);
        joined
    }

    /// Adds a part.
    ///
    /// # Errors
    /// It is of another run.
    pub(super) fn add(&mut self, part: Found) -> Result<(), Error> {
        same(&self.first, &part)?;
        self.take(part.manifest);
        Ok(())
    }

    fn take(&mut self, part: Manifest) {
        let first = &mut self.first.manifest;
        if part.started < first.started {
            first.started = part.started;
        }
        for (here, told) in
            [(&mut first.instructions, part.instructions), (&mut first.counted_binary, part.counted_binary)]
        {
            if here.is_empty() {
                *here = told;
            }
        }
        for session in part.session {
            if !self.session.contains(&session) {
                self.session.push(session);
            }
        }
        for (all, game) in self.counting.iter_mut().zip(part.game) {
            match (all, game.counting) {
                (Some(all), Some(more)) => {
                    all.again.extend(more.again);
                    all.odd.extend(more.odd);
                }
                (all, more) => *all = all.take().or(more),
            }
        }
        let Some(part) = part.part else { return };
        self.whole = self.whole.or(Some((part.units, part.cells)));
        let shards = part.shards.iter().chain([&part.shard]).filter_map(|text| part::numbers(text));
        self.shards.extend(shards.map(|(number, count)| (count, number)));
        for double in part.double {
            let copies = self.doubles.entry(double.unit).or_default();
            copies.extend(double.copies);
            copies.sort();
            copies.dedup();
        }
    }

    /// Whether rows of this program are in it.
    pub(super) fn is_ours(&self) -> bool {
        self.first.manifest.game.iter().any(|game| game.program.is_none())
    }

    /// The manifest of what is merged: without builds, and without what only its rows tell.
    pub(super) fn manifest(self, out: &Path) -> Manifest {
        let Joined { first, mut session, counting, whole, shards, .. } = self;
        session.sort_by(|a, b| (&a.started, &a.argv).cmp(&(&b.started, &b.argv)));
        let cells = first.whole().to_owned();
        let (units, all) = whole.unwrap_or_default();
        let shards = shards.into_iter().map(|(count, number)| format!("{number}/{count}")).collect();
        let part = Part { whole: cells.clone(), units, cells: all, shards, ..Part::default() };
        let mut game = first.manifest.game.clone();
        for (game, counting) in game.iter_mut().zip(counting) {
            game.counting = counting.map(sorted);
        }
        let name =
            out.file_name().map_or_else(|| "merged".to_owned(), |name| name.to_string_lossy().into_owned());
        Manifest { run: name, complete: false, cells, session, game, part: Some(part), ..first.manifest }
    }
}

/// How the instructions of a program were counted, each count once.
fn sorted(mut counting: Counting) -> Counting {
    counting.again.sort_by_key(|again| (again.position.clone(), again.methods.clone(), again.budget));
    counting.odd.sort_by_key(|odd| (odd.position.clone(), odd.methods.clone(), odd.budget, odd.repeat));
    counting.again.dedup();
    counting.odd.dedup();
    counting
}

/// Refuses parts of two runs, with the place where they differ.
fn same(one: &Found, other: &Found) -> Result<(), Error> {
    let foreign = |texts: [&str; 2], what: String| {
        Err(Error::Foreign { one: one.place(texts[0]), other: other.place(texts[1]), what })
    };
    let (a, b) = (&one.manifest, &other.manifest);
    for (game, theirs) in a.game.iter().zip(&b.game) {
        let both = game.arms.iter().filter_map(|(arm, id)| Some((arm, id, theirs.arms.get(arm)?)));
        if let Some((arm, id, there)) = both.into_iter().find(|(_, id, there)| id != there) {
            let what =
                format!("`{arm}` of {} has the parameters {id} in one and {there} in the other", game.name);
            return foreign([id, there], what);
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
