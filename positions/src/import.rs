//! Positions of real games: from WTHOR archives to an OBF file that every command takes.
//!
//! Sampled like the built-in sets: one position a game and disc count, with a choice of moves, none twice up
//! to symmetry, and none of a built-in set, so that the file may serve to judge and to fit. The order of the
//! games is a shuffle that depends on the seed and on the games alone. Positions that no
//! training has met come first. Nothing is searched, so nothing is known of how balanced a position is.

use crate::builtin::builtins;
use crate::duplicates::canonicals;
use crate::error::{Error, Result};
use crate::hash::Fnv;
use crate::load::{Kind, parse};
use crate::obf;
use crate::set::{Entry, Operation, Provenance, Set};
use crate::wthor::{Archive, GameRecord};
use secateur_base::hash::mixed;
use secateur_base::visible::visible;
use secateur_base::words::shell_path;
use secateur_core::{Evaluation, Notation};
use secateur_games::othello::{Board, Othello, Position};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

/// What is wanted of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Disc counts, 4 to 63; order and repetition do not matter.
    pub discs: Vec<u32>,
    /// Positions of each disc count, at least 1.
    pub count: usize,
    /// Seed of the order of the games.
    pub seed: u64,
}

/// What there is of one disc count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Had {
    /// The disc count.
    pub discs: u32,
    /// Positions.
    pub positions: usize,
    /// Those of them that training may have met.
    pub met: usize,
}

/// Tells the boards, seen by the side to move, that training leaves alone, all images of one alike.
pub type Reserved = fn(Board) -> bool;

/// Positions ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The set as every command will read it.
    pub set: Set,
    /// What was had of each disc count, ascending, none left out.
    pub had: Vec<Had>,
    /// Content of the file.
    pub text: String,
}

/// Samples positions, by ascending disc count, `reserved` ones first; `command` is recorded in the file's head,
/// `out` is its path.
///
/// # Errors
/// [`Error::Extension`] if `out` does not end in `.obf`; [`Error::Nothing`] if no game has a position that
/// would do. A disc count that cannot be filled stays short: see [`Imported::had`].
pub fn import(
    archive: &Archive,
    wish: &Wish,
    reserved: Reserved,
    command: &str,
    out: &Path,
) -> Result<Imported> {
    if Kind::of(out)? != Kind::Obf {
        let ending = out.extension().unwrap_or_default().to_string_lossy().into_owned();
        let ending_text = format!("the ending .{ending} for Othello positions");
        return Err(Error::Extension { path: out.to_owned(), found: ending_text });
    }
    let game = Othello::default();
    let mut taken = built_in(&game)?;
    let discs: BTreeSet<u32> = wish.discs.iter().copied().collect();
    let mut entries = Vec::new();
    let mut had = Vec::new();
    for &discs in &discs {
        let sample = sample_by_discs(archive, discs, wish, reserved, &mut taken);
        let met = sample.iter().filter(|(_, reserved)| !reserved).count();
        had.push(Had { discs, positions: sample.len(), met });
        entries.extend(sample.into_iter().map(|(entry, _)| entry));
    }
    if entries.is_empty() {
        let discs: Vec<String> = discs.iter().map(u32::to_string).collect();
        return Err(Error::Nothing { games: archive.len(), discs: discs.join(", ") });
    }
    let mut text = head(archive, wish, command, &had);
    for entry in &entries {
        text += &obf::write(entry);
        text.push('\n');
    }
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    let provenance = Provenance { source: out.display().to_string(), ..Provenance::default() };
    // Read as it will be read: what is handed out here is no promise but a fact.
    let set = parse(&game, Kind::Obf, &name, out, &text, provenance)?;
    Ok(Imported { set, had, text })
}

/// Canonical forms of all built-in Othello positions.
fn built_in(game: &Othello) -> Result<BTreeSet<String>> {
    let mut taken = BTreeSet::new();
    for set in builtins(game)? {
        taken.extend(canonicals(game, &set).unwrap_or_default());
    }
    Ok(taken)
}

/// The comment at the head of the file: what would make it again, and from what.
fn head(archive: &Archive, wish: &Wish, command: &str, had: &[Had]) -> String {
    let mut text =
        "% Positions of real games: one a game and disc count, none twice up to symmetry, none of a \
                    built-in set.\n"
            .to_owned();
    text += &format!("% Command: {}\n", visible(command));
    for database in archive.databases() {
        let path = visible(&shell_path(&database.path)).into_owned();
        let (hash, count, year) = (&database.hash, database.games.len(), database.year);
        let left_out = match database.skipped.len() {
            0 => String::new(),
            wrong => format!(", {wrong} wrong left out"),
        };
        text += &format!("% Source: {path}, FNV-1a {hash}, {count} games{left_out}, year {year}\n");
    }
    for Had { discs, positions, met } in had {
        if *positions < wish.count {
            text += &format!("% Short: {positions} of {} positions with {discs} discs\n", wish.count);
        }
        if *met > 0 {
            text += &format!("% Not reserved: {met} of {positions} positions with {discs} discs\n");
        }
    }
    text
}

/// Writes a file in one step: a reader never sees half of it. Makes its folder if need be.
///
/// # Errors
/// [`Error::Exists`] if it is there and `force` is off; [`Error::Io`].
pub fn save(path: &Path, text: &str, force: bool) -> Result<()> {
    refuse_to_overwrite(path, force)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
    }
    let temporary = path.with_extension("obf.tmp");
    let written = std::fs::write(&temporary, text).map_err(|source| Error::io(&temporary, source));
    let moved =
        written.and_then(|()| std::fs::rename(&temporary, path).map_err(|source| Error::io(path, source)));
    if moved.is_err() {
        // Nothing half done stays behind; if even that fails, the first error is the one to tell.
        let _ = std::fs::remove_file(&temporary);
    }
    moved
}

/// Asks early what [`save`] asks late, before any work is done.
///
/// # Errors
/// [`Error::Exists`] if there is a file and `force` is off.
pub fn refuse_to_overwrite(path: &Path, force: bool) -> Result<()> {
    if !force && path.exists() {
        return Err(Error::Exists { path: path.to_owned() });
    }
    Ok(())
}

/// Positions with `discs` discs and a choice of moves, and whether each is reserved: at most one of a game and
/// none of `taken` (canonical forms), to which they are added; at most as many as wished. The first of an order
/// of all games of all files, reserved positions before others, that depends on seed, `discs` and the games
/// themselves alone.
///
/// Ids are `wthor-<year>-<game>-<discs>`, the game is the cluster, its number the line.
pub fn sample_by_discs(
    archive: &Archive,
    discs: u32,
    wish: &Wish,
    reserved: Reserved,
    taken: &mut BTreeSet<String>,
) -> Vec<(Entry, bool)> {
    let mut candidates: Vec<Candidate<'_>> = Vec::with_capacity(archive.len());
    for database in archive.databases() {
        let name: Rc<str> = archive.name(database).into();
        candidates.extend(database.games.iter().filter_map(|game| {
            let position = choice(game, discs)?;
            let met = !reserved(position.board());
            Some(Candidate { met, place: place(game, discs, wish.seed), name: name.clone(), game, position })
        }));
    }
    candidates.sort_by_cached_key(|one| (one.met, one.place, Rc::clone(&one.name), one.game.number));
    let othello = Othello::default();
    candidates
        .into_iter()
        .filter(|candidate| taken.insert(othello.canonical(&candidate.position)))
        .take(wish.count)
        .map(|candidate| {
            (entry(&othello, &candidate.name, candidate.game, &candidate.position), !candidate.met)
        })
        .collect()
}

/// A position that may be taken.
struct Candidate<'a> {
    met: bool,
    place: u64,
    name: Rc<str>,
    game: &'a GameRecord,
    position: Position,
}

/// The position of a game with `discs` discs and at least two moves.
fn choice(game: &GameRecord, discs: u32) -> Option<Position> {
    let wanted =
        |position: &Position| position.board().discs() == discs && position.board().moves().count_ones() > 1;
    game.positions().map(|(position, _)| position).find(wanted)
}

/// Where a game comes in the shuffle: a hash of the game alone, so that other games do not move it. Other
/// disc counts have another order, lest all positions come from the same few games.
fn place(game: &GameRecord, discs: u32, seed: u64) -> u64 {
    let mut hash = Fnv::default();
    for number in [seed, u64::from(discs), u64::from(game.year), game.number as u64] {
        hash.bytes(&number.to_le_bytes());
    }
    for mv in &game.moves {
        hash.bytes(&[mv.index() as u8]);
    }
    // FNV leaves differences of the last byte in the low bits, and neighbours in a file often share their first moves.
    mixed(hash.value())
}

fn entry(othello: &Othello, name: &str, game: &GameRecord, position: &Position) -> Entry {
    let cluster = format!("{name}-{}", game.number);
    let stage = othello.label(position);
    let id = format!("{cluster}-{stage}");
    let named = |code: &str, name: &str| Operation { code: code.to_owned(), operands: name.to_owned() };
    Entry {
        position: othello.format(position),
        operations: vec![named("id", &id), named("cluster", &cluster)],
        id,
        cluster,
        stage,
        line: game.number,
    }
}

/// What is sampled from an archive depends on seed and games alone, and is read back as it was written.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::wthor::archive;
    use std::path::PathBuf;

    /// Files of these many games, each of a year of its own.
    fn written(sizes: &[u16]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        let paths = (0u8..).zip(sizes).map(|(year, &size)| {
            let path = folder.path().join(format!("{year}.wtb"));
            let mut bytes = archive(size);
            bytes[10] += year;
            std::fs::write(&path, bytes).unwrap();
            path
        });
        let paths = paths.collect();
        (folder, paths)
    }

    fn sample(archive: &Archive, discs: u32, limit: usize, seed: u64) -> Vec<Entry> {
        sample_without(archive, discs, limit, seed, BTreeSet::new())
    }

    fn sample_without(
        archive: &Archive,
        discs: u32,
        count: usize,
        seed: u64,
        mut taken: BTreeSet<String>,
    ) -> Vec<Entry> {
        let wish = Wish { discs: Vec::new(), count, seed };
        let sample = sample_by_discs(archive, discs, &wish, |_| true, &mut taken);
        sample.into_iter().map(|(entry, _)| entry).collect()
    }

    fn had(discs: u32, positions: usize) -> Had {
        Had { discs, positions, met: 0 }
    }

    #[test]
    fn samples_are_single_distinct_and_depend_on_seed_and_games_only() {
        // The games of the second file are the first of the first one, in another year.
        let (_folder, mut paths) = written(&[80, 30]);
        let both = Archive::read(&paths).unwrap();
        let all = sample(&both, 20, usize::MAX, 1);
        let clusters: BTreeSet<&str> = all.iter().map(|entry| entry.cluster.as_str()).collect();
        assert_eq!(clusters.len(), all.len(), "one position a game");
        assert!((60..=80).contains(&all.len()), "{}: the same game twice gives one position", all.len());
        let few = sample(&both, 20, 10, 1);
        assert_eq!(few[..], all[..10]);
        assert_ne!(sample(&both, 20, 10, 2), few);
        paths.reverse();
        assert_eq!(sample(&Archive::read(&paths).unwrap(), 20, 10, 1), few);
        let game = Othello::default();
        for entry in &all {
            let position = game.parse(&entry.position).unwrap();
            assert!(position.board().discs() == 20 && position.board().moves().count_ones() > 1);
        }
        assert!(sample(&both, 3, 9, 1).is_empty());
        assert_eq!(sample(&both, 5, 9, 1).len(), 1, "all first moves are one up to symmetry");
    }

    #[test]
    fn positions_come_from_all_games_and_not_from_the_same_at_every_disc_count() {
        let (_folder, paths) = written(&[100]);
        let archive = Archive::read(&paths).unwrap();
        let lines = |discs| sample(&archive, discs, 20, 1).iter().map(|entry| entry.line).collect::<Vec<_>>();
        let (twenty, thirty) = (lines(20), lines(30));
        assert!(twenty.iter().any(|&line| line <= 34) && twenty.iter().any(|&line| line > 67), "{twenty:?}");
        assert!(twenty.iter().filter(|line| thirty.contains(line)).count() < 15);
    }

    #[test]
    fn what_is_written_is_read_back_with_its_names() {
        let (folder, paths) = written(&[30]);
        let archive = Archive::read(&paths).unwrap();
        let wish = Wish { discs: vec![28, 12, 28], count: 10, seed: 7 };
        let out = folder.path().join("new/games.obf");
        let made = import(&archive, &wish, |_| true, "the command", &out).unwrap();
        assert_eq!(made.had, [had(12, 10), had(28, 10)]);
        save(&out, &made.text, false).unwrap();
        let back = crate::load::file(&Othello::default(), &out).unwrap();
        assert_eq!(back, made.set);
        assert_eq!(back.stages(), [("12", 10), ("28", 10)]);
        let first = &back.entries[0];
        assert_eq!(first.id, format!("{}-12", first.cluster));
        assert!(first.cluster.starts_with("wthor-1999-"));
        let hash = &archive.databases()[0].hash;
        for note in ["% Command: the command\n".to_owned(), format!(", FNV-1a {hash}, 30 games, year 1999\n")]
        {
            assert!(made.text.contains(&note), "{}", made.text);
        }
        assert!(!made.text.contains("Short") && !made.text.contains("Not reserved"));
        assert!(matches!(save(&out, "", false), Err(Error::Exists { .. })));
        save(&out, "x", true).unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "x");
    }

    #[test]
    fn what_falls_short_is_said() {
        let (_folder, paths) = written(&[30]);
        let archive = Archive::read(&paths).unwrap();
        let wish = |discs: u32| Wish { discs: vec![discs, 20], count: 9, seed: 7 };
        let made = import(&archive, &wish(5), |_| true, "", Path::new("a.obf")).unwrap();
        assert_eq!(made.had, [had(5, 1), had(20, 9)]);
        assert!(made.text.contains("% Short: 1 of 9 positions with 5 discs\n"), "{}", made.text);
        let nothing = Wish { discs: vec![3], ..wish(3) };
        assert!(matches!(
            import(&archive, &nothing, |_| true, "", Path::new("a.obf")),
            Err(Error::Nothing { .. })
        ));
        assert!(matches!(
            import(&archive, &wish(5), |_| true, "", Path::new("a.epd")),
            Err(Error::Extension { .. })
        ));
    }

    #[test]
    fn positions_of_the_built_in_sets_are_left_out() {
        let (_folder, paths) = written(&[10]);
        let archive = Archive::read(&paths).unwrap();
        let game = Othello::default();
        let first = sample(&archive, 20, 1, 7).remove(0);
        let form = game.canonical(&game.parse(&first.position).unwrap());
        let others = sample_without(&archive, 20, 1, 7, BTreeSet::from([form]));
        assert_ne!(others[0].position, first.position);
        let forms = built_in(&game).unwrap();
        for name in ["ffo", "othello-12", "othello-fit"] {
            assert!(
                canonicals(&game, &crate::builtin(&game, name).unwrap()).unwrap().is_subset(&forms),
                "{name}"
            );
        }
    }

    #[test]
    fn reserved_positions_come_first_and_others_are_counted() {
        let (_folder, paths) = written(&[60]);
        let archive = Archive::read(&paths).unwrap();
        // Any property of a board that its images share will do.
        let reserved = |board: Board| board.moves().count_ones().is_multiple_of(3);
        let all = Wish { discs: vec![30], count: usize::MAX, seed: 7 };
        let sample = sample_by_discs(&archive, 30, &all, reserved, &mut BTreeSet::new());
        let first = sample.iter().take_while(|(_, reserved)| *reserved).count();
        assert!(first > 5 && first < sample.len());
        assert!(sample[first..].iter().all(|(_, reserved)| !reserved));
        let game = Othello::default();
        for (entry, is_reserved) in &sample {
            assert_eq!(reserved(game.parse(&entry.position).unwrap().board()), *is_reserved);
        }
        let wish = Wish { count: first + 2, ..all };
        let made = import(&archive, &wish, reserved, "", Path::new("a.obf")).unwrap();
        assert_eq!(made.had, [Had { discs: 30, positions: first + 2, met: 2 }]);
        assert!(made.text.contains(&format!("% Not reserved: 2 of {} positions with 30 discs\n", first + 2)));
    }
}
