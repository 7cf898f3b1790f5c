//! Several matches among one another: the same rows however many games are played at a time, enough is enough, a match goes on to more
//! games, and the program against itself by the clock.

use super::tests::{job, play, program, settings, timeless};
use super::*;
use secateur_suites::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::tempdir;

/// Two matches of fixed nodes.
fn two(games: usize) -> [MatchSettings; 2] {
    [settings("othello", "none", "null-move", games), settings("othello", "none", "futility", games)]
}

/// The first match is decided after three pairs, the second never: by the pairs of the first.
struct ThreePairs(usize);

impl Judge for ThreePairs {
    fn hear(&mut self, place: usize, _: &[GameRow]) {
        self.0 += usize::from(place == 0);
    }

    fn are_open(&mut self) -> Vec<bool> {
        vec![self.0 < 3, true]
    }
}

/// Plays both until so many games have ended.
fn together(matches: &[MatchSettings], dir: &Path, jobs: usize, games: usize) -> Result<Vec<Ended>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let folders: Vec<PathBuf> = (0..matches.len()).map(|place| dir.join(place.to_string())).collect();
    let job = |(settings, dir)| Job { jobs, ..job(settings, dir, &stop) };
    let jobs: Vec<Job<'_>> = matches.iter().zip(folders.iter().map(PathBuf::as_path)).map(job).collect();
    let mut counts = vec![0; matches.len()];
    let mut hear = |place: usize, rows: &[GameRow]| {
        counts[place] = rows.len();
        if counts.iter().sum::<usize>() >= games {
            stop.store(true, Ordering::SeqCst);
        }
    };
    let all = Together { matches: &jobs, companion: None, until: None };
    run_together(&all, &mut ThreePairs(0), &mut hear)
}

fn rows(ended: &[Ended]) -> Vec<Vec<GameRow>> {
    ended.iter().map(|ended| timeless(&ended.rows)).collect()
}

#[test]
fn matches_share_threads_and_have_the_same_rows_whatever_their_number() {
    let dir = tempdir().unwrap();
    let matches = two(12);
    let one = together(&matches, &dir.path().join("one"), 1, usize::MAX).unwrap();
    assert_eq!(one.iter().map(|ended| ended.rows.len()).collect::<Vec<_>>(), [6, 12]);
    assert_eq!(one.iter().map(|ended| ended.file.complete).collect::<Vec<_>>(), [false, true]);
    // By itself a match has the same games.
    let alone = play(&matches[0], &dir.path().join("alone"), 1);
    assert_eq!(timeless(&alone.rows)[..6], rows(&one)[0]);
    for jobs in [2, 5] {
        let cut = dir.path().join(jobs.to_string());
        let stopped = together(&matches, &cut, jobs, 5).unwrap();
        assert!(stopped.iter().map(|ended| ended.rows.len()).sum::<usize>() < 5 + 2 * jobs);
        let resumed = together(&matches, &cut, jobs, usize::MAX).unwrap();
        assert_eq!(rows(&resumed), rows(&one), "{jobs} at a time");
        // What is decided and what is complete is left alone.
        let again = together(&matches, &cut, 1, usize::MAX).unwrap();
        assert_eq!(
            again.iter().map(|ended| &ended.rows).collect::<Vec<_>>(),
            resumed.iter().map(|ended| &ended.rows).collect::<Vec<_>>()
        );
    }
    // A complete match keeps games beyond what would have been enough.
    let (whole, kept) = (dir.path().join("whole"), dir.path().join("whole/0"));
    play(&matches[0], &kept, 2);
    assert_eq!(together(&matches, &whole, 2, usize::MAX).unwrap()[0].rows.len(), 12);
}

#[test]
fn a_match_goes_on_to_more_games_with_the_rows_that_it_has() {
    let dir = tempdir().unwrap();
    let dir = dir.path().join("m");
    let [few, _] = two(4);
    let [many, _] = two(8);
    let first = play(&few, &dir, 2);
    let then = play(&many, &dir, 2);
    assert_eq!((then.rows.len(), then.file.settings.games, then.file.complete), (8, 8, true));
    assert_eq!(then.rows[..4], first.rows[..], "as they were written");
    let new = tempdir().unwrap();
    assert_eq!(timeless(&play(&many, &new.path().join("m"), 1).rows), timeless(&then.rows));
    // Fewer are there already, and what is read is believed.
    assert_eq!(play(&few, &dir, 1).rows, then.rows);
    assert_eq!(Ended::read(&dir).unwrap().rows, then.rows);
    // Rows of another match are of another one still.
    let other = new.path().join("other");
    play(&MatchSettings { seed: 7, ..few.clone() }, &other, 1);
    std::fs::copy(other.join("games.csv"), dir.join("games.csv")).unwrap();
    assert!(Ended::read(&dir).unwrap_err().to_string().contains("of another folder"));
    // Openings that are not the first of the new ones are refused.
    let set = new.path().join("set.epd");
    let written = |ranks: &[&str]| {
        let line = |ranks: &&str| format!("4k3/8/8/8/8/8/{ranks} w - -\n");
        std::fs::write(&set, ranks.iter().map(line).collect::<String>()).unwrap();
    };
    let openings = Some(set.display().to_string());
    let asked =
        |games| MatchSettings { openings: openings.clone(), ..settings("chess", "none", "null-move", games) };
    written(&["8/Q3K3", "8/1Q2K3"]);
    play(&asked(4), &new.path().join("set"), 1);
    written(&["8/2Q1K3", "8/3QK3", "Q7/4K3", "1Q6/4K3", "8/Q3K3", "8/1Q2K3"]);
    let stop = Arc::new(AtomicBool::new(false));
    let (settings, dir) = (asked(12), new.path().join("set"));
    let job = job(&settings, &dir, &stop);
    let error = run(&job, &mut |_| ());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("do not begin with the 2 that are here; ask for 4 games"), "{error}");
}

#[test]
fn matches_of_two_games_do_not_mix() {
    let dir = tempdir().unwrap();
    let matches = [settings("othello", "none", "none", 2), settings("chess", "none", "none", 2)];
    let error = together(&matches, dir.path(), 1, 9).unwrap_err().to_string();
    assert!(error.contains("found matches of 2 games, expected one"), "{error}");
}

/// An engine that loses on time in every third game by the clock: games at a time are counted as any, and so are forfeits.
#[test]
fn games_by_the_clock_are_played_at_a_time_and_forfeits_are_counted() {
    let dir = tempdir().unwrap();
    let dir = dir.path();
    let path = dir.join("slow");
    // The first move of a game is legal in no position of chess, unless the clock has run out before.
    let script = "#!/bin/sh\nn=0\nwhile read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
                  ucinewgame) n=$((n+1));;\nquit) exit;;\ngo*) [ $((n % 3)) = 2 ] && sleep 2.2; echo bestmove a1a1;;\nesac; done\n";
    program(&path, script);
    let limit = Limit::Clock { base: Duration::from_millis(1_500), increment: Duration::ZERO };
    let engine = format!("engine:{}", path.display());
    let asked = MatchSettings { limit, margin_ms: 100, ..settings("chess", &engine, "none", 12) };
    let ended = play(&asked, &dir.join("m"), 3);
    assert!(ended.file.complete && ended.file.session[0].jobs == 3);
    let reasons: Vec<&str> = ended.rows.iter().map(|row| row.reason.as_str()).collect();
    let forfeits = reasons.iter().filter(|reason| **reason == "time").count();
    assert!((2..=6).contains(&forfeits), "{reasons:?}");
    assert!(ended.rows.iter().all(|row| row.at_fault() == Some(0)), "{reasons:?}");
    let games: Vec<usize> = ended.rows.iter().map(|row| row.game).collect();
    assert_eq!(games, (1..=12).collect::<Vec<_>>());
}
