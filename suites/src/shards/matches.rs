//! Matches in pieces: which pairs of games a shard plays, and the match that shards are together: any of them, in any order, again and
//! again.
//!
//! The atom is the pair: one opening with both colours. Pairs cost alike, so they are dealt round.
//!
//! Of several copies of a pair a merge keeps one, chosen by its seals and not by its times, after all were checked against each other:
//! every column that no clock decides, and every move. What comes out is a match like any other; where pairs are missing, it is one that
//! was interrupted. Left out: streaming. A match is in memory, some kilobytes a game.

use super::links::{differs, rows};
use super::merge::{Doubles, Merged, finished, listed};
use super::pack::{MATCH, Stage};
use super::shard::{EVERY, Shard};
use crate::Error;
use secateur_base::Fnv;
use secateur_base::hash::mixed;
use secateur_record::archive;
use secateur_record::archive::lock;
use secateur_record::build::Machine;
use secateur_record::part::{Double, Part, Take};
use secateur_record::play::file::{GAMES, OPENINGS, PlayFile, SETTINGS, TRANSCRIPTS};
use secateur_record::play::record::{self, Game};
use secateur_record::play::{GameRow, MatchSettings, PlayerSpec};
use secateur_record::rows::{csv, header};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The pairs of a match that a shard plays.
///
/// # Errors
/// A match with a sequential test, or with fewer pairs than shards.
pub fn cut(settings: &MatchSettings, shard: Shard) -> Result<Part, Error> {
    if settings.sprt.is_some() {
        return Err(Error::Usage(
            "--shard with --sprt: a sequential test ends a match by the games so far and cannot be cut; play a fixed number of \
             games in shards, or the test in one piece"
                .to_owned(),
        ));
    }
    let pairs = u32::try_from(settings.games / 2).unwrap_or(u32::MAX);
    if shard.of > pairs {
        return Err(Error::Usage(format!(
            "found {} shards of {pairs} pairs of games, expected no more shards than pairs",
            shard.of
        )));
    }
    let mut order: Vec<(u64, u32)> = (1..=pairs).map(|pair| (mixed(u64::from(pair)), pair)).collect();
    order.sort_unstable();
    let repeats = settings.limit.repeats()
        && [&settings.first, &settings.second]
            .iter()
            .all(|player| matches!(player, PlayerSpec::Methods { .. }));
    let shard_index = shard.number - 1;
    let take = (0..).zip(&order).filter_map(|(at, (hash, pair))| {
        let is_double = repeats && shard.of > 1 && hash % EVERY == 0;
        let is_mine = at % shard.of == shard_index || is_double && (at + 1) % shard.of == shard_index;
        is_mine.then_some(*pair)
    });
    Ok(Part {
        shard: shard.to_string(),
        units: pairs,
        cells: u64::from(pairs) * 2,
        take: Take::of(take.collect()),
        ..Part::default()
    })
}

/// A finished part of a match.
struct Given {
    path: PathBuf,
    file: PlayFile,
    /// The games of its pairs, whole pairs only, with their lines in the file and their transcripts.
    pairs: BTreeMap<u32, Vec<Game>>,
    openings: Vec<u8>,
}

/// Merges the matches at `inputs`, and what `out` has already, into the folder `out`.
///
/// # Errors
/// The file system; a part that is not as it was written or not of this match; two games of one number that disagree. Then
/// nothing is changed.
pub fn merge(out: &Path, inputs: &[PathBuf]) -> Result<Merged, Error> {
    let _lock = out.is_dir().then(|| lock(out)).transpose()?;
    let (parts, unfinished) = opened(out, inputs)?;
    parts[1..].iter().try_for_each(|other| same(&parts[0], other))?;
    let (kept, double) = chosen(&parts)?;
    let file = joined(&parts, Take::of(kept.keys().copied().collect()), double);
    let part = file.part.clone().unwrap_or_default();
    let games: Vec<&Game> = kept.into_values().flatten().collect();
    let rows: Vec<GameRow> = games.iter().map(|game| game.row.clone()).collect();
    let texts: String = games.iter().filter_map(|game| game.transcript.as_deref()).collect();
    let stage = Stage::new(out, MATCH)?;
    for (name, text) in [
        (GAMES, record::table(&rows).as_bytes()),
        (TRANSCRIPTS, texts.as_bytes()),
        (OPENINGS, parts[0].openings.as_slice()),
        (SETTINGS, file.text().as_bytes()),
    ] {
        stage.file(name, text)?.end()?;
    }
    stage.publish()?;
    let agreed = part.double.len();
    Ok(Merged { part, cells: rows.len() as u64, agreed, apart: 0, unfinished })
}

/// The finished parts in an order that does not depend on how they were named, and words on those that are not finished.
fn opened(out: &Path, inputs: &[PathBuf]) -> Result<(Vec<Given>, Vec<String>), Error> {
    let (mut parts, unfinished) = finished(out, SETTINGS, inputs, |path| {
        let file = PlayFile::read(path)?;
        let is_merged = file.part.as_ref().is_some_and(|part| part.shard.is_empty());
        if file.complete || is_merged { given(path, file).map(Some) } else { Ok(None) }
    })?;
    parts.sort_by_key(|part| part.file.text());
    Ok((parts, unfinished))
}

fn given(path: &Path, file: PlayFile) -> Result<Given, Error> {
    // Refuses what is not as it was written.
    file.games(path)?;
    let mut pairs: BTreeMap<u32, Vec<Game>> = BTreeMap::new();
    for game in record::read(path, &file.identities())?.games {
        if game.transcript.is_none() {
            let what = format!("the transcript of game {} is missing", game.row.game);
            return Err(secateur_record::Error::place(&path.join(TRANSCRIPTS), what).into());
        }
        pairs.entry(game.row.pair as u32).or_default().push(game);
    }
    pairs.retain(|_, games| games.len() == 2);
    pairs.values_mut().for_each(|games| games.sort_by_key(|game| game.row.game));
    let openings = path.join(OPENINGS);
    let openings = archive::read(&openings).map_err(Error::io(&openings))?;
    Ok(Given { path: path.to_owned(), file, pairs, openings })
}

/// Refuses parts of two matches, with what differs.
fn same(one: &Given, other: &Given) -> Result<(), Error> {
    let mut all = one.file.differences(&other.file);
    let seal = |part: &Given| part.file.openings_seal.clone();
    all.push(("seal of the openings", seal(one), seal(other)));
    let Some((what, here, there)) = all.into_iter().find(|(_, here, there)| here != there) else {
        return Ok(());
    };
    let place = |part: &Given| part.path.join(SETTINGS).display().to_string();
    let what = format!("{what} {here} in one and {there} in the other");
    Err(Error::Foreign { one: place(one), other: place(other), what })
}

type Kept<'p> = (BTreeMap<u32, &'p [Game]>, Vec<Double>);

/// One copy of every pair, after all copies were held against each other, and the pairs that have several.
fn chosen(parts: &[Given]) -> Result<Kept<'_>, Error> {
    let mut doubles = Doubles::new();
    for double in parts.iter().filter_map(|part| part.file.part.as_ref()).flat_map(|part| &part.double) {
        doubles.entry(double.unit).or_default().extend(double.copies.iter().cloned());
    }
    let pairs: BTreeSet<u32> = parts.iter().flat_map(|part| part.pairs.keys().copied()).collect();
    let mut kept = BTreeMap::new();
    for pair in pairs {
        let copies = parts.iter().filter_map(|part| Some((part, part.pairs.get(&pair)?.as_slice())));
        let mut copies: Vec<(&Given, &[Game])> = copies.collect();
        copies.sort_by_key(|(_, games)| (faults(games), label(games)));
        copies.dedup_by_key(|(_, games)| label(games));
        let first = copies[0];
        copies[1..].iter().try_for_each(|other| agree(first, *other))?;
        if copies.len() > 1 || doubles.contains_key(&pair) {
            doubles.entry(pair).or_default().extend(copies.iter().map(|(_, games)| label(games)));
        }
        kept.insert(pair, first.1);
    }
    Ok((kept, listed(doubles)))
}

fn faults(games: &[Game]) -> usize {
    games.iter().filter(|game| game.row.at_fault().is_some()).count()
}

/// What a copy of a pair is known by: its seals.
fn label(games: &[Game]) -> String {
    let mut fnv = Fnv::default();
    games.iter().for_each(|game| {
        fnv.field(&game.row.seal);
    });
    fnv.hex()
}

/// Holds two copies of a pair against each other. What a fault ended is played again, and shows nothing.
fn agree(one: (&Given, &[Game]), other: (&Given, &[Game])) -> Result<(), Error> {
    if faults(one.1) + faults(other.1) > 0 || !one.0.file.settings.limit.repeats() {
        return Ok(());
    }
    let place_and_value = |part: &Given, game: &Game, value: &str| {
        let Machine { cpu, system, .. } = &part.file.machine;
        format!("{}:{}: `{value}` on {cpu}, {system}", part.path.join(GAMES).display(), game.line)
    };
    let header = header::<GameRow>();
    let columns: Vec<&str> = header.trim_end().split(',').collect();
    for (a, b) in one.1.iter().zip(other.1) {
        let row = |game: &Game| rows(&csv(&[&game.row], false));
        let apart = differs("", &columns, [row(a), row(b)]).or_else(|| {
            let moves = [a, b].map(|game| moves(game.transcript.as_deref().unwrap_or_default()));
            (moves[0] != moves[1]).then(|| (format!("the moves of {TRANSCRIPTS}"), moves))
        });
        if let Some((column, [x, y])) = apart {
            let cell = format!("game {}", a.row.game);
            let rows = [place_and_value(one.0, a, &x), place_and_value(other.0, b, &y)].join("\n  ");
            return Err(Error::Disagree { cell, column, rows });
        }
    }
    Ok(())
}

/// The words of a transcript without its head, whose date may differ, and without comments, which have times.
fn moves(transcript: &str) -> String {
    let body = transcript.split_once("\n\n").map_or(transcript, |(_, body)| body);
    let bare = body.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    bare.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// What the files of all parts say together. Machine and build are those of the part that was begun first.
fn joined(parts: &[Given], take: Take, double: Vec<Double>) -> PlayFile {
    let files = || parts.iter().map(|part| &part.file);
    let origin = |file: &&PlayFile| (file.started.clone(), format!("{:?} {:?}", file.build, file.machine));
    // There is at least one.
    let first = files().min_by_key(origin).unwrap_or(&parts[0].file);
    let mut session: Vec<_> = files().flat_map(|file| file.session.clone()).collect();
    session.sort_by(|a, b| (&a.started, &a.argv).cmp(&(&b.started, &b.argv)));
    session.dedup();
    let shards: BTreeSet<(u32, u32)> =
        files().filter_map(|file| file.part.as_ref()).flat_map(Part::held).collect();
    let pairs = first.settings.games / 2;
    let part = Part {
        shard: String::new(),
        whole: first.openings_seal.clone(),
        units: pairs as u32,
        cells: 2 * pairs as u64,
        take,
        shards: shards.iter().map(|(count, number)| format!("{number}/{count}")).collect(),
        double,
    };
    PlayFile { complete: part.missing() == 0, session, part: Some(part), ..first.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(games: usize, first: &str) -> MatchSettings {
        let text = format!(
            "game = \"othello\"\ngames = {games}\nseed = 1\nlimit = \"depth 2\"\nmargin-ms = 9\nhash-mib = 1\n[adjudication]\n\
             [first]\n{first}\n[second]\nkind = \"methods\"\nmethods = \"none\"\n"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn pairs_are_dealt_once_and_planted_doubles_twice() {
        let repeatable = settings(2000, "kind = \"methods\"\nmethods = \"mpc\"");
        let mut planted = Vec::new();
        for shards in [2, 7, 1000] {
            let mut times = vec![0; 1001];
            let parts: Vec<Part> =
                (1..=shards).map(|number| cut(&repeatable, Shard { number, of: shards }).unwrap()).collect();
            parts.iter().flat_map(|part| part.take.numbers()).for_each(|pair| times[*pair as usize] += 1);
            assert!(times[0] == 0 && times[1..].iter().all(|times| (1..=2).contains(times)));
            planted.push((1..=1000).filter(|pair| times[*pair] == 2).collect::<Vec<_>>());
            let sizes = parts.iter().map(|part| part.take.numbers().len());
            assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1000 / EVERY as usize + 1);
        }
        assert!(planted.windows(2).all(|two| two[0] == two[1]), "which pairs does not depend on the shards");
        assert!((8..=24).contains(&planted[0].len()), "{} of 1,000", planted[0].len());
        let other = settings(2000, "kind = \"engine\"\ncommand = \"x\"");
        let parts = (1..=2).map(|number| cut(&other, Shard { number, of: 2 }).unwrap());
        assert_eq!(parts.map(|part| part.take.numbers().len()).sum::<usize>(), 1000, "they are not repeated");
    }

    #[test]
    fn a_sequential_test_and_too_many_shards_are_refused() {
        let shard = Shard { number: 1, of: 2 };
        let two_games = settings(2, "kind = \"methods\"\nmethods = \"mpc\"");
        assert!(cut(&two_games, shard).unwrap_err().to_string().contains("no more shards than pairs"));
        let test = MatchSettings { games: 20, sprt: Some([0.0, 5.0]), ..two_games };
        assert!(cut(&test, shard).unwrap_err().to_string().contains("a sequential test"));
    }
}
