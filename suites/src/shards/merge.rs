//! Puts parts of a run together: any of them, in any order, again and again.
//!
//! Of several copies of a unit one is kept, chosen by a hash of its rows: not by its times, which would make the times of the
//! record too good, and not by where it was named. What comes out is a run like any other, with the bytes of its exact
//! columns those of a run on one machine; where units are missing, it is one that was interrupted. Memory is for one unit of
//! the parts that share it and the row that comes next of each other; manifests are read one after another. Left out: matches,
//! which have a record of their own (`matches.rs`).
//!
//! What a folder holds is looked at first: a run, a match, or several of them under one roof, as `worth` and `speed` leave them.

use super::links::{Copy, Links, agree};
use super::pack::{RUN, Rows, Stage};
use crate::Error;
use secateur_base::Fnv;
use secateur_record::archive::{is_file, lock, names};
use secateur_record::build::Counting;
use secateur_record::files::refuse_foreign;
use secateur_record::manifest::{FILE, Manifest, ProgramEntry, Session};
use secateur_record::part::{Double, Part, Take};
use secateur_record::play::SETTINGS;
use secateur_record::record::{CellsHash, CounterRow, IterationRow, Record};
use secateur_record::rows::header_of;
use secateur_record::seal::seal;
use secateur_record::store::{COUNTERS, ITERATIONS, RECORDS, seal_of};
use secateur_record::stream::{Cell, Columns, Found, Source};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::{Path, PathBuf};

/// What a merge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// What is here and what is not.
    pub part: Part,
    /// Cells that are here.
    pub cells: u64,
    /// Units of which several searches agreed in every exact column.
    pub agreed: usize,
    /// Of these, units whose searches were by different builds.
    pub apart: usize,
    /// Parts that were left out because they are not finished, in words.
    pub unfinished: Vec<String>,
}

/// Merges the parts at `inputs`, run folders or packs, and what `out` has already, into the run folder `out`.
///
/// # Errors
/// The file system; a part that is not as it was written or not of this run; copies of a cell that disagree; programs of which
/// nothing shows that they search the same trees. Then nothing is changed.
pub fn merge(out: &Path, inputs: &[PathBuf]) -> Result<Merged, Error> {
    let _lock = out.is_dir().then(|| lock(out)).transpose()?;
    let (parts, unfinished) = opened(out, inputs)?;
    let mut links = Links::default();
    let mut open = |part: &PathBuf| {
        let run = Found::open(part)?;
        links.know(&run.manifest.build);
        Ok::<Found, Error>(run)
    };
    let mut joined = Joined::new(open(&parts[0])?);
    parts[1..].iter().try_for_each(|part| joined.add(open(part)?))?;
    let (is_ours, doubles) = (joined.is_ours(), std::mem::take(&mut joined.doubles));
    let manifest = joined.manifest(out);
    let stage = Stage::new(out, RUN)?;
    let run = manifest.run.clone();
    let mut merger = Merger {
        run,
        columns: Columns::of_records(),
        links,
        doubles,
        take: Vec::new(),
        cells: CellsHash::default(),
        count: 0,
    };
    let merged =
        merger.rows(&parts, &stage).and_then(|()| if is_ours { merger.links.prove() } else { Ok(()) });
    if let Err(error) = merged {
        stage.discard();
        return Err(error);
    }
    let (manifest, merged) = merger.ended(manifest, unfinished)?;
    stage.file(FILE, manifest.text().as_bytes())?.end()?;
    stage.publish()?;
    Ok(merged)
}

/// The finished parts in an order that does not depend on how they were named, and words on those that are not finished.
fn opened(out: &Path, inputs: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<String>), Error> {
    let (mut parts, unfinished) = finished(out, FILE, inputs, |path| {
        let run = Found::open(path)?;
        Ok(run.is_ready().then(|| (seal(run.text.as_bytes()), path.to_owned())))
    })?;
    // By what they say; of copies it is the same which comes first.
    parts.sort();
    Ok((parts.into_iter().map(|(_, path)| path).collect(), unfinished))
}

/// The parts that `open` finds finished, what `out` has already first, and the paths of the others; `file` says what a folder is.
pub(crate) fn finished<P>(
    out: &Path,
    file: &str,
    inputs: &[PathBuf],
    open: impl Fn(&Path) -> Result<Option<P>, Error>,
) -> Result<(Vec<P>, Vec<String>), Error> {
    let (mut parts, mut unfinished) = (Vec::new(), Vec::new());
    if is_file(&out.join(file)) {
        parts.push(open(out)?.ok_or_else(|| {
            let place = out.display();
            Error::Unfinished(format!(
                "{place}: {file} is of something that another command may resume, expected merged shards or nothing"
            ))
        })?);
    } else {
        refuse_foreign(out)?;
    }
    for path in inputs {
        match open(path)? {
            Some(part) => parts.push(part),
            None => unfinished.push(path.display().to_string()),
        }
    }
    match parts.is_empty() {
        true => Err(Error::Unfinished("found no finished shard, expected at least one".to_owned())),
        false => Ok((parts, unfinished)),
    }
}

/// Sources that keep their buffers between units: with more of them, none does.
const AWAKE: usize = 32;

/// The copies that there were of a unit, by its number.
pub(crate) type Doubles = BTreeMap<u32, BTreeSet<String>>;

/// The same as records have them.
pub(crate) fn listed(doubles: Doubles) -> Vec<Double> {
    let double =
        |(unit, copies): (u32, BTreeSet<String>)| Double { unit, copies: copies.into_iter().collect() };
    doubles.into_iter().map(double).collect()
}

/// A merge under way.
struct Merger {
    run: String,
    columns: Columns,
    links: Links,
    doubles: Doubles,
    take: Vec<u32>,
    cells: CellsHash,
    count: u64,
}

/// One copy of a unit.
struct Candidate {
    source: usize,
    cells: Vec<Cell>,
    /// Cells that failed, then build and hash of the rows: the smallest is kept.
    rank: (usize, String, String),
}

impl Merger {
    /// Writes the rows of all parts, unit by unit.
    fn rows(&mut self, parts: &[PathBuf], stage: &Stage) -> Result<(), Error> {
        let mut files = [
            stage.file(RECORDS, header_of::<Record>().as_bytes())?,
            stage.file(ITERATIONS, header_of::<IterationRow>().as_bytes())?,
            stage.file(COUNTERS, header_of::<CounterRow>().as_bytes())?,
        ];
        let is_many = parts.len() > AWAKE;
        let open = |part: &PathBuf| {
            let mut source = Source::open(Found::open(part)?)?;
            if is_many {
                source.rest();
            }
            Ok::<Source, Error>(source)
        };
        let mut sources = parts.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let mut heap = BinaryHeap::new();
        for (index, source) in sources.iter().enumerate() {
            heap.extend(source.next()?.map(|unit| Reverse((unit, index))));
        }
        while let Some(&Reverse((unit, _))) = heap.peek() {
            let mut copies = Vec::new();
            while let Some(&Reverse((next, index))) = heap.peek()
                && next == unit
            {
                heap.pop();
                let source = &mut sources[index];
                copies.push((index, source.unit()?));
                heap.extend(source.next()?.map(|unit| Reverse((unit, index))));
                if is_many {
                    source.rest();
                }
            }
            let kept = self.chosen(unit, copies, &sources)?;
            self.write(&kept, &mut files)?;
            self.take.push(unit);
        }
        files.into_iter().try_for_each(Rows::end)
    }

    /// The copy that is kept of a unit, after all were held against each other.
    fn chosen(
        &mut self,
        unit: u32,
        copies: Vec<(usize, Vec<Cell>)>,
        sources: &[Source],
    ) -> Result<Vec<Cell>, Error> {
        if let [_] = copies.as_slice() {
            return Ok(copies.into_iter().flat_map(|(_, cells)| cells).collect());
        }
        let ranked =
            |(source, cells): (usize, Vec<Cell>)| Candidate { source, rank: self.rank(&cells), cells };
        let mut copies: Vec<Candidate> = copies.into_iter().map(ranked).collect();
        copies.sort_by(|one, other| one.rank.cmp(&other.rank));
        // The same rows from two places are one search.
        copies.dedup_by(|one, other| one.rank == other.rank);
        let mut copies = copies.into_iter();
        let Some(first) = copies.next() else { return Ok(Vec::new()) };
        let copy = |candidate: &Candidate| format!("{}:{}", candidate.rank.2, candidate.rank.1);
        let label = copy(&first);
        for other in copies {
            let path_of = |candidate: &'_ Candidate| sources[candidate.source].path.clone();
            let (here, there) = (path_of(&first), path_of(&other));
            let one = Copy { path: &here, cells: &first.cells };
            agree(one, Copy { path: &there, cells: &other.cells }, &|id| self.links.described(id))?;
            for (a, b) in first.cells.iter().zip(&other.cells) {
                let build =
                    |cell: &Cell| String::from_utf8_lossy(&cell.record[self.columns.build]).into_owned();
                let (a, b) = (build(a), build(b));
                self.links.link(&a, &b);
            }
            self.doubles.entry(unit).or_default().insert(copy(&other));
        }
        if let Some(copies) = self.doubles.get_mut(&unit) {
            copies.insert(label);
        }
        Ok(first.cells)
    }

    /// What decides which copy is kept: cells that failed, a hash of everything but names of runs, and the first build.
    fn rank(&self, cells: &[Cell]) -> (usize, String, String) {
        let Columns { run, error, build, seal, .. } = self.columns;
        let mut fnv = Fnv::default();
        let mut text = Vec::new();
        for cell in cells {
            cell.record.with(&[(run, b""), (seal, b"")], &mut text);
            fnv.bytes(&text).bytes(&cell.iterations).bytes(&cell.counters);
        }
        let failed = cells.iter().filter(|cell| !cell.record[error].is_empty()).count();
        let build = cells
            .first()
            .map_or(String::new(), |cell| String::from_utf8_lossy(&cell.record[build]).into_owned());
        (failed, fnv.hex(), build)
    }

    /// Writes a unit, in the name of this run and sealed anew.
    fn write(&mut self, cells: &[Cell], [records, sides @ ..]: &mut [Rows; 3]) -> Result<(), Error> {
        let Columns { run, build, seal, key, .. } = self.columns;
        let mut bare = Vec::new();
        for Cell { record, iterations, counters, .. } in cells {
            record.with(&[(run, self.run.as_bytes()), (seal, b"")], &mut bare);
            let sealed = seal_of(&bare, iterations, counters);
            // The seal is the last column: it stands before the end of the line.
            bare.pop();
            bare.extend_from_slice(sealed.as_bytes());
            bare.push(b'\n');
            records.add(&bare)?;
            for (file, text) in sides.iter_mut().zip([iterations, counters]) {
                file.add(text)?;
            }
            let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
            self.links.uses(&text(&record[build]));
            // They were texts and numbers when they were read.
            let fields = key.fields(record).map(text);
            let [game, suite, position, methods, _, kind, budget, repeat] =
                fields.each_ref().map(String::as_str);
            let number = |text: &str| text.parse::<u64>().unwrap_or_default();
            self.cells.add([game, suite, position, methods, kind], number(budget), number(repeat) as u32);
            self.count += 1;
        }
        Ok(())
    }

    /// The manifest of what was written, and what it came to.
    fn ended(self, manifest: Manifest, unfinished: Vec<String>) -> Result<(Manifest, Merged), Error> {
        let is_apart = |copies: &&BTreeSet<String>| {
            let mut builds = copies.iter().map(|copy| copy.split(':').next());
            let first = builds.next();
            builds.any(|build| Some(build) != first)
        };
        let (agreed, apart) = (self.doubles.len(), self.doubles.values().filter(is_apart).count());
        let double = listed(self.doubles);
        let mut part = manifest.part.clone().unwrap_or_default();
        if part.units == 0 {
            // Of a whole run that was not cut: its units are those that were counted.
            (part.units, part.cells) = (self.take.len() as u32, self.count);
        }
        part = Part { take: Take::of(self.take), double, ..part };
        let complete = part.missing() == 0;
        if complete && self.cells.hex() != part.whole {
            let what = "the cells that were merged are not those of the whole run".to_owned();
            return Err(secateur_record::Error::Place { place: manifest.run, what }.into());
        }
        let merged = Merged { part: part.clone(), cells: self.count, agreed, apart, unfinished };
        let build = self.links.builds();
        Ok((Manifest { complete, build, part: Some(part), ..manifest }, merged))
    }
}

/// What the manifests of parts say together, one after another: of each no more is kept than goes into the whole.
struct Joined {
    first: Found,
    session: Vec<Session>,
    /// Of each game of the first.
    counting: Vec<Option<Counting>>,
    /// Units and cells of the whole run, where a part says so.
    whole: Option<(u32, u64)>,
    /// Shards that are here, as (of, number).
    shards: BTreeSet<(u32, u32)>,
    /// The copies of units that were merged before.
    doubles: Doubles,
}

impl Joined {
    /// Begins with a part.
    fn new(first: Found) -> Joined {
        let mut joined = Joined {
            session: Vec::new(),
            counting: vec![None; first.manifest.game.len()],
            whole: None,
            shards: BTreeSet::new(),
            doubles: Doubles::new(),
            first: first.clone(),
        };
        joined.take(first.manifest);
        joined
    }

    /// Adds a part.
    ///
    /// # Errors
    /// It is of another run.
    fn add(&mut self, part: Found) -> Result<(), Error> {
        same(&self.first, &part)?;
        self.take(part.manifest);
        Ok(())
    }

    fn take(&mut self, part: Manifest) {
        let first = &mut self.first.manifest;
        if part.started < first.started {
            first.started = part.started;
        }
        for (here, new) in
            [(&mut first.instructions, part.instructions), (&mut first.counted_binary, part.counted_binary)]
        {
            if here.is_empty() {
                *here = new;
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
        self.shards.extend(part.held());
        for double in part.double {
            self.doubles.entry(double.unit).or_default().extend(double.copies);
        }
    }

    /// Whether rows of this program are in it.
    fn is_ours(&self) -> bool {
        self.first.manifest.game.iter().any(|game| game.program.is_none())
    }

    /// The manifest of what is merged: without builds, and without what only its rows tell.
    fn manifest(self, out: &Path) -> Manifest {
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
    counting.again.sort_by_key(|count| (count.position.clone(), count.methods.clone(), count.budget));
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
    fn counted<'m>(one: &'m str, other: &'m str) -> (&'m str, &'m str) {
        if one.is_empty() || other.is_empty() { ("", "") } else { (one, other) }
    }
    let pairs = [
        ("cells of the whole", (one.whole(), other.whole())),
        ("instructions counted by", counted(&a.instructions, &b.instructions)),
        ("instructions of the binary", counted(&a.counted_binary, &b.counted_binary)),
    ];
    if let Some((what, (here, there))) = pairs.into_iter().find(|(_, (here, there))| here != there) {
        return foreign([here, there], format!("{what} {here} in one and {there} in the other"));
    }
    match a.dropped == b.dropped {
        true => Ok(()),
        false => foreign(["dropped", "dropped"], "files were left out of one".to_owned()),
    }
}

/// A program of somebody else in words, wherever it lies.
fn program(entry: &ProgramEntry) -> String {
    format!("{} {} {}", entry.name, entry.id, entry.binary)
}

/// What is merged with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Runs, as folders or packs.
    Run,
    /// Matches.
    Match,
    /// Folders with runs and matches in them: the parts of each by its name, which the merged one has too.
    Several(BTreeMap<String, Vec<PathBuf>>),
}

/// What these inputs are.
///
/// # Errors
/// Inputs of several kinds.
pub fn kind(inputs: &[PathBuf]) -> Result<Kind, Error> {
    let is_match = |path: &PathBuf| is_file(&path.join(SETTINGS));
    let is_run = |path: &PathBuf| path.is_file() || is_file(&path.join(FILE));
    if inputs.iter().all(is_match) && !inputs.is_empty() {
        return Ok(Kind::Match);
    }
    let mut several: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut others = inputs.iter().filter(|path| !is_match(path) && !is_run(path)).peekable();
    if others.peek().is_none() {
        if let Some(odd) = inputs.iter().find(|path| is_match(path)) {
            return Err(Error::Usage(format!(
                "{}: found a match among runs, expected either",
                odd.display()
            )));
        }
        return Ok(Kind::Run);
    }
    for path in inputs {
        let inside = folders(path).into_iter().filter(|folder| is_match(folder) || is_run(folder));
        let inside: Vec<PathBuf> = inside.collect();
        if inside.is_empty() {
            // Whoever reads runs says what is wrong with it.
            return Ok(Kind::Run);
        }
        for folder in inside {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            several.entry(name).or_default().push(folder);
        }
    }
    Ok(Kind::Several(several))
}

fn folders(path: &Path) -> Vec<PathBuf> {
    names(path).into_iter().flatten().map(|name| path.join(name)).filter(|path| !is_file(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn runs_matches_and_both_under_one_roof_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (folder, file) in [
            ("run", FILE),
            ("match", SETTINGS),
            ("1/searches", FILE),
            ("1/games-x", SETTINGS),
            ("2/searches", FILE),
            ("odd/else", "else"),
        ] {
            fs::create_dir_all(at(folder)).unwrap();
            fs::write(at(folder).join(file), "").unwrap();
        }
        fs::write(at("1-of-2.tar"), "").unwrap();
        assert_eq!(kind(&[at("run"), at("1-of-2.tar")]).unwrap(), Kind::Run);
        assert_eq!(kind(&[at("match")]).unwrap(), Kind::Match);
        assert!(kind(&[at("run"), at("match")]).unwrap_err().to_string().contains("match: found a match"));
        let expected = [
            ("games-x".to_owned(), vec![at("1/games-x")]),
            ("searches".to_owned(), vec![at("1/searches"), at("2/searches")]),
        ];
        assert_eq!(kind(&[at("1"), at("2")]).unwrap(), Kind::Several(expected.into()));
        assert_eq!(kind(&[at("odd")]).unwrap(), Kind::Run);
    }
}
