//! Which pair of games is played next where several matches share the threads.
//!
//! The match that has been dealt the fewest pairs comes next, so they go round and grow alike. Whether games are enough is
//! asked after equally many pairs of every match that is open, in the order of their numbers and not of the clock: so what counts does not
//! depend on how many games are played at a time. A match that has enough gets no more. A companion, the program against itself, keeps
//! step with the others and ends with them.

use super::record::GameRow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A pair that is dealt: the match, by its place in the list, and the games that it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) place: usize,
    pub(super) games: Vec<usize>,
}

/// One of the matches.
pub(super) struct Line {
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
    pub(super) fn new(games: &[usize], rows: &[GameRow], is_companion: bool) -> Line {
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

    /// Its games of the first so many pairs that nobody heard yet; none later than what decided it.
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
pub(super) struct ToTheEnd(pub(super) usize);

impl Judge for ToTheEnd {
    fn hear(&mut self, _: usize, _: &[GameRow]) {}

    fn are_open(&mut self) -> Vec<bool> {
        vec![true; self.0]
    }
}

/// All matches.
pub(super) struct Deal<'a> {
    lines: Vec<Line>,
    /// Pairs of each open match that were judged.
    judged: usize,
    judge: &'a mut dyn Judge,
}

impl<'a> Deal<'a> {
    pub(super) fn new(lines: Vec<Line>, judge: &'a mut dyn Judge) -> Deal<'a> {
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
    pub(super) fn next(&mut self) -> Option<Task> {
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
    pub(super) fn hear(&mut self, place: usize, row: &GameRow) {
        let line = &mut self.lines[place];
        line.waiting.entry(row.pair).or_default().push(row.clone());
        line.grow();
        self.judge();
    }

    /// The pair after which the games of a match were enough.
    pub(super) fn decided(&self, place: usize) -> Option<usize> {
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
