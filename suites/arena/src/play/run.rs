//! Plays the games that are missing of a match, or of several among one another, on several threads.
//!
//! With limits that read no clock the number of threads changes nothing, and neither does an interruption: a game depends on nothing but
//! its match and its number, and which pair of games comes next on no clock ([`Deal`]). Games by the clock have a core each where the
//! system binds them.

use super::Ended;
use super::contest::{Contest, Job};
use super::folder::Folder;
use super::record::GameRow;
use secateur_core::Game;
use secateur_suites::Error;
use secateur_suites::instruments::clock::bind;
use secateur_suites::setups::games;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Instant;

/// Matches of one game that share the threads and go round. Threads, cores and `stop` are those of the first.
#[derive(Clone, Copy)]
pub struct Together<'a> {
    /// The matches.
    pub matches: &'a [Job<'a>],
    /// The match, by its place, that keeps step with the others and ends with them.
    pub companion: Option<usize>,
    /// When no further pair is begun; those under way are finished.
    pub until: Option<Instant>,
}

/// Plays what is missing of a match. `progress` hears all games so far, in the order in which they ended, first those
/// of earlier sessions.
///
/// # Errors
/// Names that nothing has, positions or numbers that cannot be had, a folder of another match, the file system.
pub fn run(job: &Job<'_>, progress: &mut dyn FnMut(&[GameRow])) -> Result<Ended, Error> {
    let matches = std::slice::from_ref(job);
    let together = Together { matches, companion: None, until: None };
    let mut ended = run_together(&together, &mut ToTheEnd(1), &mut |_, rows| progress(rows))?;
    Ok(ended.remove(0))
}

/// Plays what is missing of all of them, pairs in turn. `progress` hears the place of a match and all of its games so far, first of
/// every match those of earlier sessions. `judge` is asked after every pair of all open matches, and of those of earlier sessions too,
/// which matches are still open. One that is not gets no more games, and what was begun of it meanwhile is dropped.
///
/// # Errors
/// As of [`run`]; matches of several games, or none.
pub fn run_together(
    together: &Together<'_>,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<Vec<Ended>, Error> {
    let mut names: Vec<&str> = together.matches.iter().map(|job| job.settings.game.as_str()).collect();
    names.dedup();
    let [name] = names[..] else {
        return Err(Error::Usage(format!("found matches of {} games, expected one", names.len())));
    };
    played(&games::find(name)?, together, judge, progress)
}

fn played<G: Game>(
    game: &G,
    together: &Together<'_>,
    judge: &mut dyn Judge,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<Vec<Ended>, Error> {
    let opened: Result<Vec<_>, Error> = together.matches.iter().map(|job| Contest::open(game, job)).collect();
    let (contests, mut folders): (Vec<Contest<'_>>, Vec<Folder>) = opened?.into_iter().unzip();
    let wanted = |place: usize| -> Vec<usize> {
        let games = folders[place].file.games_here().into_iter();
        games.filter(|game| *game <= together.matches[place].settings.games).collect()
    };
    let line =
        |place: usize| Line::new(&wanted(place), &folders[place].rows, together.companion == Some(place));
    let mut deal = Deal::new((0..folders.len()).map(line).collect(), judge);
    let before: Vec<BTreeSet<usize>> = folders.iter().map(Folder::lasting).collect();
    (0..folders.len()).for_each(|place| progress(place, &folders[place].rows));
    play(game, together, &contests, &mut folders, &mut deal, progress)?;
    let close = |(place, mut folder): (usize, Folder)| {
        let mended = std::mem::take(&mut folder.mended);
        let counts = |row: &GameRow| {
            deal.decided(place).is_none_or(|last| row.pair <= last || before[place].contains(&row.game))
        };
        let (file, rows) = folder.close(&counts)?;
        Ok(Ended { file, rows, mended })
    };
    folders.into_iter().enumerate().map(close).collect()
}

/// What a thread says.
enum Event {
    /// It wants a pair.
    Idle,
    /// A game of the match at a place has ended.
    Ended(usize, Box<Result<(GameRow, String), Error>>),
}

/// Plays pairs as they are dealt and stores each game when it ends.
fn play<G: Game>(
    game: &G,
    together: &Together<'_>,
    contests: &[Contest<'_>],
    folders: &mut [Folder],
    deal: &mut Deal<'_>,
    progress: &mut dyn FnMut(usize, &[GameRow]),
) -> Result<(), Error> {
    let first = &together.matches[0];
    std::thread::scope(|scope| {
        // Nobody runs ahead of what is stored: a match that is stopped loses one game a thread at most.
        let (sender, events) = mpsc::sync_channel(0);
        let mut threads = Vec::new();
        for thread in 0..first.jobs.max(1) {
            let (tasks, given) = mpsc::sync_channel::<Task>(1);
            threads.push(Some(tasks));
            let sender = sender.clone();
            let core = first.cores.get(thread).copied();
            // A game may hold caches, so every thread has its own.
            let game = game.clone();
            scope.spawn(move || {
                // One that is not bound plays all the same.
                core.map(bind);
                attend(&game, thread, contests, &sender, &given);
            });
        }
        drop(sender);
        for (thread, event) in events {
            match event {
                Event::Idle => {
                    let is_over = together.until.is_some_and(|until| Instant::now() >= until);
                    let next = if is_over { None } else { deal.next() };
                    match next.zip(threads[thread].as_ref()) {
                        // A thread that waits takes it.
                        Some((task, tasks)) => drop(tasks.send(task)),
                        None => threads[thread] = None,
                    }
                }
                Event::Ended(place, done) => {
                    let stored = (*done).and_then(|(row, text)| folders[place].add(row, &text));
                    if let Err(error) = stored {
                        first.stop.store(true, Ordering::SeqCst);
                        return Err(error);
                    }
                    folders[place].rows.last().into_iter().for_each(|row| deal.hear(place, row));
                    progress(place, &folders[place].rows);
                }
            }
        }
        Ok(())
    })
}

/// A thread: asks for pairs and plays them until there are none, or the match is stopped.
fn attend<G: Game>(
    game: &G,
    thread: usize,
    contests: &[Contest<'_>],
    sender: &SyncSender<(usize, Event)>,
    tasks: &Receiver<Task>,
) {
    // The players of one match at a time: programs that wait would hold their tables.
    let mut seats = None;
    while sender.send((thread, Event::Idle)).is_ok() {
        let Ok(Task { place, games }) = tasks.recv() else { return };
        let pair = games.first().and_then(|number| contests[place].own_players(*number));
        if seats.as_ref().is_none_or(|(seated, _)| *seated != (place, pair)) {
            drop(seats.take());
        }
        let (_, players) = seats.get_or_insert_with(|| ((place, pair), contests[place].players(game, pair)));
        for number in games {
            let Some(done) = contests[place].one(game, number, players) else { return };
            if sender.send((thread, Event::Ended(place, Box::new(done)))).is_err() {
                return;
            }
        }
    }
}

/// A pair that is dealt: the match, by its place in the list, and the games that it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    place: usize,
    games: Vec<usize>,
}

/// One of the matches.
struct Line {
    /// Pairs that lack a game, with those games, the next first.
    missing: VecDeque<Vec<usize>>,
    /// Pairs in all.
    pairs: usize,
    /// Pairs that were whole at the beginning, and those dealt since.
    dealt: usize,
    is_companion: bool,
    /// Numbers of the pairs behind `whole`, in order.
    ahead: VecDeque<usize>,
    /// Games of pairs ahead.
    waiting: BTreeMap<usize, Vec<GameRow>>,
    /// The games up to the first pair that is not whole, in order.
    whole: Vec<GameRow>,
    /// How many of those the judge has heard.
    heard: usize,
    /// The pair after which enough was played.
    decided: Option<usize>,
}

impl Line {
    /// A match that is to have these games, in order, and has these rows.
    fn new(games: &[usize], rows: &[GameRow], is_companion: bool) -> Line {
        let had: BTreeSet<usize> = rows.iter().map(|row| row.game).collect();
        let mut pairs: Vec<(usize, Vec<usize>)> = Vec::new();
        for &game in games {
            let pair = game.div_ceil(2);
            if pairs.last().is_none_or(|(last, _)| *last != pair) {
                pairs.push((pair, Vec::new()));
            }
            pairs
                .last_mut()
                .into_iter()
                .filter(|_| !had.contains(&game))
                .for_each(|(_, games)| games.push(game));
        }
        let ahead: VecDeque<usize> = pairs.iter().map(|(pair, _)| *pair).collect();
        let missing: VecDeque<Vec<usize>> =
            pairs.into_iter().map(|(_, games)| games).filter(|games| !games.is_empty()).collect();
        let (pairs, dealt) = (ahead.len(), ahead.len() - missing.len());
        let mut waiting: BTreeMap<usize, Vec<GameRow>> = BTreeMap::new();
        rows.iter().for_each(|row| waiting.entry(row.pair).or_default().push(row.clone()));
        Line {
            missing,
            pairs,
            dealt,
            is_companion,
            ahead,
            waiting,
            whole: Vec::new(),
            heard: 0,
            decided: None,
        }
    }

    /// The part of its pairs that was dealt.
    fn part(&self) -> f64 {
        self.dealt as f64 / self.pairs.max(1) as f64
    }

    fn is_wanted(&self) -> bool {
        self.decided.is_none() && !self.missing.is_empty()
    }

    /// Takes the pairs that have become whole.
    fn grow(&mut self) {
        while let Some(pair) = self.ahead.front()
            && self.waiting.get(pair).is_some_and(|games| games.len() == 2)
        {
            let mut games = self.waiting.remove(pair).unwrap_or_default();
            games.sort_by_key(|row| row.game);
            self.whole.append(&mut games);
            self.ahead.pop_front();
        }
    }

    /// Whether there are so many whole pairs, or no more will come.
    fn reaches(&self, pairs: usize) -> bool {
        !self.is_open() || self.whole.len() >= 2 * pairs || self.ahead.is_empty()
    }

    /// Whether more games may decide it.
    fn is_open(&self) -> bool {
        self.decided.is_none() && !self.is_companion
    }

    /// Its games of the first so many pairs that the judge has not heard yet; none later than what decided it.
    fn unheard(&mut self, pairs: usize) -> &[GameRow] {
        let decided = self.decided.unwrap_or(usize::MAX);
        let end = self.whole.partition_point(|row| row.pair <= decided).min(2 * pairs);
        let from = self.heard;
        self.heard = end.max(from);
        &self.whole[from..self.heard]
    }
}

/// Says which matches need more games. It hears whole pairs of every match in their order, of all that are open equally many, and each
/// once: what it costs does not grow with the games before.
pub trait Judge {
    /// Hears the next whole pair of the match at a place.
    fn hear(&mut self, place: usize, pair: &[GameRow]);

    /// Of every match, by its place, whether the games so far leave it open.
    fn are_open(&mut self) -> Vec<bool>;
}

/// So many matches that are played to their end.
struct ToTheEnd(usize);

impl Judge for ToTheEnd {
    fn hear(&mut self, _: usize, _: &[GameRow]) {}

    fn are_open(&mut self) -> Vec<bool> {
        vec![true; self.0]
    }
}

/// All matches, and which pair of games is played next where they share the threads.
///
/// The match that has been dealt the fewest pairs comes next, so they go round and grow alike. Whether games are enough is
/// asked after equally many pairs of every match that is open, in the order of their numbers and not of the clock: so what counts does not
/// depend on how many games are played at a time. A match that has enough gets no more. A companion, the program against itself, keeps
/// step with the others and ends with them.
struct Deal<'a> {
    lines: Vec<Line>,
    /// Pairs of each open match that were judged.
    judged: usize,
    judge: &'a mut dyn Judge,
}

impl<'a> Deal<'a> {
    fn new(lines: Vec<Line>, judge: &'a mut dyn Judge) -> Deal<'a> {
        let mut deal = Deal { lines, judged: 0, judge };
        deal.lines.iter_mut().for_each(Line::grow);
        deal.judge();
        deal
    }

    /// Judges as many pairs of all open matches as there are, one more of each at a time.
    fn judge(&mut self) {
        let has = |line: &Line, pairs: usize| line.is_open() && line.whole.len() >= 2 * pairs;
        while self.lines.iter().any(|line| has(line, self.judged + 1))
            && self.lines.iter().all(|line| line.reaches(self.judged + 1))
        {
            self.judged += 1;
            for (place, line) in self.lines.iter_mut().enumerate() {
                line.unheard(self.judged).chunks(2).for_each(|pair| self.judge.hear(place, pair));
            }
            for (line, open) in self.lines.iter_mut().zip(self.judge.are_open()) {
                if line.is_open() && !open {
                    line.decided = line.heard.checked_sub(1).map(|last| line.whole[last].pair);
                }
            }
        }
    }

    /// The next pair; `None` for good where nothing is wanted any longer.
    fn next(&mut self) -> Option<Task> {
        let others = || self.lines.iter().filter(|line| !line.is_companion);
        let sum = |count: fn(&Line) -> usize| others().map(count).sum::<usize>() as f64;
        let part = sum(|line| line.dealt) / sum(|line| line.pairs).max(1.0);
        let (mut next, mut least) = (None, usize::MAX);
        for (place, line) in self.lines.iter().enumerate().filter(|(_, line)| line.is_wanted()) {
            if line.is_companion && line.part() < part {
                (next, least) = (Some(place), 0);
            } else if !line.is_companion && line.dealt < least {
                (next, least) = (Some(place), line.dealt);
            }
        }
        let place = next?;
        let line = &mut self.lines[place];
        line.dealt += 1;
        Some(Task { place, games: line.missing.pop_front()? })
    }

    /// Hears a game that has ended.
    fn hear(&mut self, place: usize, row: &GameRow) {
        let line = &mut self.lines[place];
        line.waiting.entry(row.pair).or_default().push(row.clone());
        line.grow();
        self.judge();
    }

    /// The pair after which the games of a match were enough.
    fn decided(&self, place: usize) -> Option<usize> {
        self.lines[place].decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hears games by counting them, and asks a function of the numbers of games.
    struct Counting<F> {
        games: Vec<usize>,
        is_open: F,
    }

    impl<F: Fn(&[usize]) -> Vec<bool>> Judge for Counting<F> {
        fn hear(&mut self, place: usize, pair: &[GameRow]) {
            self.games[place] += pair.len();
        }

        fn are_open(&mut self) -> Vec<bool> {
            (self.is_open)(&self.games)
        }
    }

    fn counting<F: Fn(&[usize]) -> Vec<bool>>(matches: usize, is_open: F) -> Counting<F> {
        Counting { games: vec![0; matches], is_open }
    }

    fn row(game: usize) -> GameRow {
        GameRow { game, pair: game.div_ceil(2), ..GameRow::default() }
    }

    fn line(pairs: usize, is_companion: bool) -> Line {
        Line::new(&(1..=2 * pairs).collect::<Vec<_>>(), &[], is_companion)
    }

    /// Plays what is dealt with so many pairs in the air, which end in an order that `late` chooses among them; gives the places.
    fn played(deal: &mut Deal<'_>, at_a_time: usize, late: usize) -> Vec<usize> {
        let (mut air, mut places) = (Vec::new(), Vec::new());
        loop {
            while air.len() < at_a_time
                && let Some(task) = deal.next()
            {
                places.push(task.place);
                air.push(task);
            }
            if air.is_empty() {
                return places;
            }
            let task = air.remove(late % air.len());
            task.games.iter().for_each(|game| deal.hear(task.place, &row(*game)));
        }
    }

    #[test]
    fn matches_go_round_and_a_companion_keeps_step() {
        let lines = || vec![line(6, false), line(6, false), line(2, true)];
        let mut to_the_end = ToTheEnd(3);
        let mut deal = Deal::new(lines(), &mut to_the_end);
        let places = played(&mut deal, 1, 0);
        assert_eq!(places, [0, 2, 1, 0, 1, 0, 1, 0, 2, 1, 0, 1, 0, 1]);
        // Where the others are decided early, it ends with them.
        let mut judge = counting(3, |games| games.iter().map(|games| *games < 4).collect());
        let mut deal = Deal::new(lines(), &mut judge);
        assert_eq!(played(&mut deal, 1, 0), [0, 2, 1, 0, 1]);
    }

    /// What decides a match may depend on all others, and depends on no order in which games end.
    #[test]
    fn what_counts_is_the_same_however_many_are_played_at_a_time() {
        for (at_a_time, late) in [(1, 0), (2, 1), (3, 2), (5, 3), (8, 7)] {
            let lines = vec![line(20, false), line(8, false), line(20, false)];
            let mut judge = counting(3, |games| vec![games[0] < 10, true, games[1] < 14]);
            let mut deal = Deal::new(lines, &mut judge);
            let places = played(&mut deal, at_a_time, late);
            let decided: Vec<Option<usize>> = (0..3).map(|place| deal.decided(place)).collect();
            assert_eq!(decided, [Some(5), None, Some(7)], "{at_a_time} at a time");
            let count = |wanted: usize| places.iter().filter(|place| **place == wanted).count();
            assert_eq!(count(1), 8);
            // One at a time nothing is played in vain.
            assert!(at_a_time > 1 || (count(0), count(2)) == (5, 7), "{places:?}");
        }
    }

    #[test]
    fn what_is_there_is_not_dealt_again_and_counts() {
        let rows: Vec<GameRow> = [1, 2, 3, 6].map(row).into();
        let games: Vec<usize> = (1..=8).collect();
        let mut judge = counting(1, |games| vec![games[0] < 6]);
        let mut deal = Deal::new(vec![Line::new(&games, &rows, false)], &mut judge);
        let tasks: Vec<Task> = std::iter::from_fn(|| deal.next()).collect();
        assert_eq!(tasks.iter().flat_map(|task| task.games.clone()).collect::<Vec<_>>(), [4, 5, 7, 8]);
        deal.hear(0, &row(4));
        assert_eq!(deal.decided(0), None);
        deal.hear(0, &row(5));
        assert_eq!(deal.decided(0), Some(3));
        // A shard has the pairs that it has.
        let mut to_the_end = ToTheEnd(1);
        let mut deal = Deal::new(vec![Line::new(&[3, 4, 9, 10], &[], false)], &mut to_the_end);
        assert_eq!(deal.next().map(|task| task.games), Some(vec![3, 4]));
    }

    /// A long match, resumed and gone on with: every game is judged once, and what is decided is heard no further.
    #[test]
    fn every_game_is_heard_once() {
        let games: Vec<usize> = (1..=2_000).collect();
        let there: Vec<GameRow> = (1..=1_000).map(row).collect();
        let mut judge = counting(2, |games| vec![true, games[1] < 600]);
        let lines = vec![Line::new(&games, &there, false), Line::new(&games, &there, false)];
        let mut deal = Deal::new(lines, &mut judge);
        played(&mut deal, 3, 1);
        assert_eq!(deal.decided(1), Some(300));
        assert_eq!(judge.games, [2_000, 600]);
    }
}
