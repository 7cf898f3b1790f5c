//! What is sampled from an archive depends on seed and games alone, and is read back as it was written.

use super::*;
use crate::wthor::tests::archive;
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
    for note in ["% Command: the command\n".to_owned(), format!(", FNV-1a {hash}, 30 games, year 1999\n")] {
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
    let rest = sample_without(&archive, 20, 1, 7, BTreeSet::from([form]));
    assert_ne!(rest[0].position, first.position);
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
