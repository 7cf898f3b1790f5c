//! What the matches of a program against itself without a method each decide: from rows of games to [`shared`](crate::shared).

use crate::elo::sprt::Decision;
use crate::play::{rests_on_faults, sequential, whole_pairs};
use crate::shared::{Lacking, Margins, MethodElo, PairOfGames, judge};
use crate::worth::Advice;
use secateur_record::play::{GameRow, MatchSettings};
use std::collections::BTreeMap;

/// A match of the program as it is against the program without some methods.
#[derive(Clone, Copy, Debug)]
pub struct Matched<'m> {
    /// The methods that its second player lacks.
    pub methods: &'m [String],
    /// Its settings.
    pub settings: &'m MatchSettings,
    /// Its games, whole pairs or not.
    pub rows: &'m [GameRow],
}

/// What games decide, method by method.
#[derive(Clone, Debug)]
pub struct Decisions(Vec<(String, MethodElo)>);

impl Decisions {
    /// What the matches without one method each say, by the margins of the first that has some; `None` where none has. A match that rests on
    /// faults says nothing.
    #[must_use]
    pub fn of(matches: &[Matched<'_>]) -> Option<Decisions> {
        let [worth_at_least, equal_within] = matches.iter().find_map(|one| one.settings.margins)?;
        let singles: Vec<&Matched<'_>> = matches.iter().filter(|one| one.methods.len() == 1).collect();
        let (mut openings, mut pairs) = (BTreeMap::new(), Vec::new());
        for (number, one) in singles.iter().enumerate().filter(|(_, one)| !rests_on_faults(one.rows)) {
            for (opening, (_, half_points)) in whole_pairs(one.rows) {
                let next = openings.len();
                let opening = *openings.entry(opening).or_insert(next);
                let lacking = [Lacking::default(), [number].into_iter().collect()];
                pairs.push(PairOfGames { opening, lacking, half_points });
            }
        }
        let answer = judge(singles.len(), &pairs, &Margins { worth_at_least, equal_within });
        let names = singles.iter().map(|one| one.methods[0].clone());
        Some(Decisions(names.zip(answer.methods).collect()))
    }

    /// What they say of a method.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&MethodElo> {
        self.0.iter().find(|(method, _)| method == name).map(|(_, elo)| elo)
    }
}

/// Which of some matches of one program are open: one with a sequential test of its own until that is decided, one without a single
/// method until the margins decide the method, others always.
#[must_use]
pub fn open(matches: &[Matched<'_>]) -> Vec<bool> {
    let decisions = Decisions::of(matches);
    let is_open = |one: &Matched<'_>| {
        let advice = match one.methods {
            [method] => decisions.as_ref().and_then(|all| Some(all.method(method)?.advice)),
            _ => None,
        };
        advice.is_none_or(|advice| matches!(advice, Advice::PlayOn(_)))
            && one.settings.sprt.is_none_or(|elo| sequential(one.rows, elo).0 == Decision::Open)
    };
    matches.iter().map(is_open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(more: &str) -> MatchSettings {
        toml::from_str(&format!(
            "game = \"chess\"\ngames = 9\nseed = 1\nlimit = \"tc 1+0.01\"\nmargin-ms = 9\nhash-mib = 1\n{more}\n[adjudication]\n\
             [first]\nkind = \"methods\"\nmethods = \"none\"\n[second]\nkind = \"methods\"\nmethods = \"none\"\n"
        ))
        .unwrap()
    }

    /// Pairs of which the first player wins both games as often as said of ten, the others being halved.
    fn rows(pairs: usize, won_of_ten: usize) -> Vec<GameRow> {
        let points = |pair: usize, game: usize| match pair % 10 < won_of_ten {
            true => 1.0,
            false => (game % 2) as f64,
        };
        let row = |game: usize| GameRow {
            game,
            pair: game.div_ceil(2),
            points: points(game.div_ceil(2), game),
            ..GameRow::default()
        };
        (1..=2 * pairs).map(row).collect()
    }

    #[test]
    fn what_is_decided_leaves_and_what_rests_on_faults_does_not() {
        let (asked, plain) = (settings("margins = [3.0, 5.0]"), settings(""));
        let names = ["a", "b", "a+b"].map(|name| name.split('+').map(str::to_owned).collect::<Vec<_>>());
        let (clear, open_yet) = (rows(120, 5), rows(60, 0));
        let matched = |settings| {
            [(&names[0], &clear), (&names[1], &open_yet), (&names[2], &clear)]
                .map(|(methods, rows)| Matched { methods, settings, rows })
        };
        assert_eq!(open(&matched(&asked)), [false, true, true], "two methods together are no method");
        assert_eq!(open(&matched(&plain)), [true, true, true], "nobody asked for decisions");
        let decisions = Decisions::of(&matched(&asked)).unwrap();
        let (a, b) = (decisions.method("a").unwrap(), decisions.method("b").unwrap());
        assert!(a.advice == Advice::Keep && a.at_all_times.low > 3.0, "{a:?}");
        assert!(matches!(b.advice, Advice::PlayOn(Some(_))) && b.at_all_times.low < 0.0, "{b:?}");
        assert!(a.at_all_times.low < a.elo.low, "it holds at all times and is wider");
        let mut faulty = clear.clone();
        faulty.iter_mut().take(5).for_each(|row| row.reason = "time".to_owned());
        let one = [Matched { methods: &names[0], settings: &asked, rows: &faulty }];
        assert_eq!(open(&one), [true]);
        // A sequential test of a match is its own.
        let tested = settings("sprt = [0.0, 20.0]");
        let one = |rows| [Matched { methods: &names[0], settings: &tested, rows }];
        assert_eq!((open(&one(&clear)), open(&one(&open_yet))), (vec![false], vec![true]));
    }
}
