//! What the games of a program against itself without methods say and decide: from rows of games to [`shared`](crate::shared).

use crate::elo::{Decision, Hypotheses, Pentanomial};
use crate::play::{Sum, TOLERATED, beyond_sum, rests_on_faults, whole_pairs};
use crate::runs::each_once;
use crate::shared::{Answer, Lacking, Margins, MethodElo, PairOfGames, decide, judge};
use crate::worth::Advice;
use secateur_record::play::{GameRow, MatchSettings};
use std::collections::{BTreeMap, BTreeSet};

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

impl Matched<'_> {
    /// By pair what either side of it lacks, as numbers of these names; one name that is not among them is left out.
    fn lacking(&self, names: &[String]) -> BTreeMap<usize, [Lacking; 2]> {
        let side = |methods: &[String]| {
            let number = |method: &String| names.iter().position(|name| name == method);
            methods.iter().filter_map(number).collect::<Lacking>()
        };
        let lacking_sides = |row: &GameRow| match self.settings.is_shared() {
            true => row.lacking.each_ref().map(|methods| side(methods)),
            false => [Lacking::default(), side(self.methods)],
        };
        self.rows.iter().map(|row| (row.pair, lacking_sides(row))).collect()
    }
}

/// What games say of the methods together, and decide where margins were asked for.
#[derive(Clone, Debug)]
pub struct Decisions {
    names: Vec<String>,
    answer: Answer,
}

/// Most methods of which games speak together.
pub const MOST_METHODS: usize = 64;

impl Decisions {
    /// What the matches without one method each and shared games say, by the margins of the first that has some. `None` where
    /// there are neither margins nor shared games. A match that rests on faults says nothing.
    ///
    /// # Panics
    /// With more than [`MOST_METHODS`] methods.
    pub fn of(matches: &[Matched<'_>]) -> Option<Decisions> {
        let margins = matches.iter().find_map(|one| one.settings.margins);
        let has_shared = matches.iter().any(|one| one.settings.is_shared());
        if margins.is_none() && !has_shared {
            return None;
        }
        let is_one = |one: &&Matched<'_>| one.methods.len() == 1 || one.settings.is_shared();
        let named =
            matches.iter().filter(is_one).flat_map(|one| one.methods.iter().chain(&one.settings.shared));
        let names: Vec<String> = each_once(named).into_iter().cloned().collect();
        let (mut openings, mut pairs) = (BTreeMap::new(), Vec::new());
        for one in matches.iter().filter(is_one).filter(|one| !rests_on_faults(one.rows)) {
            let lacking = one.lacking(&names);
            for (opening, (pair, half_points)) in whole_pairs(one.rows) {
                let next = openings.len();
                let opening = *openings.entry(opening).or_insert(next);
                pairs.push(PairOfGames { opening, lacking: lacking[&pair], half_points });
            }
        }
        let margins = margins.map_or_else(Margins::default, |[worth_at_least, equal_within]| Margins {
            worth_at_least,
            equal_within,
        });
        Some(Decisions { answer: judge(names.len(), &pairs, &margins), names })
    }

    /// What they say of each method.
    pub fn methods(&self) -> impl Iterator<Item = (&str, &MethodElo)> {
        self.names.iter().map(String::as_str).zip(&self.answer.methods)
    }

    /// What they say of a method.
    pub fn method(&self, name: &str) -> Option<&MethodElo> {
        self.methods().find(|(method, _)| *method == name).map(|(_, elo)| elo)
    }

    /// The methods that are not decided.
    pub fn undecided(&self) -> impl Iterator<Item = &str> {
        let is_open = |elo: &MethodElo| matches!(elo.advice, Advice::PlayOn(_));
        self.methods().filter(move |(_, elo)| is_open(elo)).map(|(name, _)| name)
    }

    /// Every two methods that a side lacked at once, with what each and both are worth; not corrected.
    pub fn sums(&self) -> impl Iterator<Item = Sum> {
        self.answer.together.iter().map(|estimate| {
            let [one, other] = estimate.methods;
            let pair = estimate.methods.map(|method| self.names[method].clone());
            let each = [one, other].map(|method| self.answer.methods[method].elo);
            Sum { pair, each, both: estimate.both, excess: beyond_sum(estimate.beyond_sum) }
        })
    }

    /// Standard deviation, about their mean, of what two methods are worth beyond their sum, Elo; `None` one by one.
    pub fn scale(&self) -> Option<f64> {
        self.answer.scale
    }
}

/// Which of some matches of one program are open, as their games are heard: one with a sequential test of its own until that is decided,
/// one without a single method until the margins decide the method, others always. A look costs the same however many games were heard.
#[derive(Clone, Debug)]
pub struct OpenMatches<'m>(Vec<Heard<'m>>);

/// A match as far as it was heard.
#[derive(Clone, Debug)]
struct Heard<'m> {
    methods: &'m [String],
    settings: &'m MatchSettings,
    openings: BTreeSet<String>,
    cells: [u64; 5],
    games: usize,
    faults: usize,
}

impl<'m> OpenMatches<'m> {
    /// Matches by the methods that their second players lack, and their settings.
    pub fn new(matches: impl IntoIterator<Item = (&'m [String], &'m MatchSettings)>) -> OpenMatches<'m> {
        let heard = |(methods, settings)| {
            let (openings, cells) = (BTreeSet::new(), [0; 5]);
            Heard { methods, settings, openings, cells, games: 0, faults: 0 }
        };
        OpenMatches(matches.into_iter().map(heard).collect())
    }

    /// Hears the next pair of the match at a place; one that begins as an earlier pair did counts for nothing.
    pub fn hear(&mut self, place: usize, pair: &[GameRow]) {
        let one = &mut self.0[place];
        one.games += pair.len();
        one.faults += pair.iter().filter(|row| row.at_fault().is_some()).count();
        let [first, second] = pair else { return };
        if first.opening.is_empty() || one.openings.insert(first.opening.clone()) {
            one.cells[first.half_points() + second.half_points()] += 1;
        }
    }

    /// Whether each is open.
    pub fn are_open(&self) -> Vec<bool> {
        let is_single = |one: &&Heard<'_>| one.methods.len() == 1;
        let margins = self.0.iter().filter(is_single).find_map(|one| one.settings.margins);
        let mut advice = margins.map_or_else(Vec::new, |[worth_at_least, equal_within]| {
            let rests = |one: &Heard<'_>| one.faults as f64 > TOLERATED * one.games as f64;
            let cells = |one: &Heard<'_>| if rests(one) { [0; 5] } else { one.cells };
            let matches: Vec<[u64; 5]> = self.0.iter().filter(is_single).map(cells).collect();
            decide(&matches, &Margins { worth_at_least, equal_within })
        });
        advice.reverse();
        let is_open = |one: &Heard<'_>| {
            let advice = if is_single(&one) { advice.pop() } else { None };
            let ratio = |[elo0, elo1]: [f64; 2]| Hypotheses { elo0, elo1 }.ratio(Pentanomial(one.cells));
            advice.is_none_or(|advice| matches!(advice, Advice::PlayOn(_)))
                && one.settings.sprt.is_none_or(|elo| Hypotheses::decide(ratio(elo)) == Decision::Open)
        };
        self.0.iter().map(is_open).collect()
    }
}

/// The same of matches as they are.
pub fn open(matches: &[Matched<'_>]) -> Vec<bool> {
    let mut all = OpenMatches::new(matches.iter().map(|one| (one.methods, one.settings)));
    for (place, one) in matches.iter().enumerate() {
        let mut rows: Vec<GameRow> = one.rows.to_vec();
        rows.sort_by_key(|row| row.game);
        rows.chunk_by(|a, b| a.pair == b.pair).for_each(|pair| all.hear(place, pair));
    }
    all.are_open()
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

    /// Pair by pair the same is decided as by all pairs so far, and shared games give every method and every two of them.
    #[test]
    fn what_is_heard_pair_by_pair_is_what_all_rows_say() {
        let asked = settings("margins = [3.0, 5.0]");
        let names = ["a", "b"].map(|name| vec![name.to_owned()]);
        let all = [rows(130, 4), rows(130, 2)];
        let mut heard = OpenMatches::new(names.iter().map(|methods| (&**methods, &asked)));
        let mut closed = 0;
        for end in (2..=260).step_by(2) {
            (0..2).for_each(|place| heard.hear(place, &all[place][end - 2..end]));
            let matched =
                |place: usize| Matched { methods: &names[place], settings: &asked, rows: &all[place][..end] };
            let decisions = Decisions::of(&[matched(0), matched(1)]).unwrap();
            let undecided: Vec<&str> = decisions.undecided().collect();
            let open = ["a", "b"].map(|name| undecided.contains(&name));
            assert_eq!(heard.are_open(), open, "{end}");
            closed += usize::from(!open[0]);
        }
        assert!(closed > 10, "{closed}");
    }

    /// The first side lacks `a`, the second `b`, or one side both; what wins is known.
    #[test]
    fn shared_games_say_what_every_method_and_every_two_are_worth() {
        let shared = settings("shared = [\"a\", \"b\"]");
        let sides: [[&[&str]; 2]; 4] = [[&["a"], &[]], [&[], &["a"]], [&["b"], &[]], [&["a", "b"], &[]]];
        let mut games = Vec::new();
        for pair in 1..=400 {
            let lacking = sides[pair % 4].map(|side| side.iter().map(|name| (*name).to_owned()).collect());
            // Without `a` a pair is lost to a draw and a loss every second time; without `b` nothing happens.
            let lost = if (pair / 4) % 2 == 0 && pair % 4 != 2 { 1.0 } else { 0.5 };
            let points = if pair % 4 == 1 { lost } else { 1.0 - lost };
            for (game, points) in [(2 * pair - 1, points), (2 * pair, 0.5)] {
                games.push(GameRow { game, pair, points, lacking: lacking.clone(), ..GameRow::default() });
            }
        }
        let one = |rows| Matched { methods: &[], settings: &shared, rows };
        let decisions = Decisions::of(&[one(&games)]).unwrap();
        let [a, b] = ["a", "b"].map(|name| *decisions.method(name).unwrap());
        assert!(a.elo.low > 20.0 && a.p < 0.001 && a.pairs == 300, "{a:?}");
        assert!(b.elo.low < 0.0 && b.elo.high > 0.0 && b.p > 0.05 && b.pairs == 200, "{b:?}");
        let sums: Vec<Sum> = decisions.sums().collect();
        assert_eq!((sums.len(), &sums[0].pair), (1, &["a".to_owned(), "b".to_owned()]));
        assert!(
            sums[0].excess.effect.low < 0.0 && sums[0].excess.effect.high > 0.0 && sums[0].both.low > 0.0,
            "{sums:?}"
        );
        assert!(decisions.scale().is_some() && open(&[one(&games)]) == [true]);
        // Numbers off on the two sides are never equal by rule, and no pair lacks nothing.
        let all = Lacking::first(9);
        let drawn: Vec<[usize; 2]> =
            (0..500).map(|pair| crate::shared::draw(1, pair, all).map(Lacking::len)).collect();
        let apart = drawn.iter().filter(|[one, other]| one != other).count();
        assert!((200..450).contains(&apart) && !drawn.contains(&[0, 0]), "{apart}");
    }
}
