//! What searches and games say of the methods of one program, their tests corrected.

use super::words::advised;
use crate::evidence::Evidence;
use secateur_record::manifest::Published;
use secateur_record::play::{Ended, GameRow, MatchSettings};
use secateur_stats::decisions::{Decisions, Matched};
use secateur_stats::group::Group;
use secateur_stats::inference;
use secateur_stats::interval::Interval;
use secateur_stats::play::{Sum, sums};
use secateur_stats::runs::Runs;
use secateur_stats::shared::MethodElo;
use secateur_stats::worth::{Advice, Games, Tests, Worth, level};

/// A match of the program as it is against the program without some methods.
#[derive(Clone, Debug)]
pub struct Played {
    /// The methods, one or two; none in the null run, of the program against itself, and in shared games.
    pub methods: Vec<String>,
    /// The match; its first player has them.
    pub ended: Ended,
}

impl Played {
    /// Whether both sides lack methods at random.
    pub fn is_shared(&self) -> bool {
        self.ended.file.settings.is_shared()
    }

    /// What it is called in a table: `lmr x see`.
    pub fn name(&self) -> String {
        match self.methods.is_empty() {
            true if self.is_shared() => "shared games".to_owned(),
            true => "null run".to_owned(),
            false => self.methods.join(" x "),
        }
    }

    /// Whom the program met: `without lmr and see`.
    pub fn opponent(&self) -> String {
        match self.methods.is_empty() {
            true if self.is_shared() => "in which both sides lack methods".to_owned(),
            true => "of the null run".to_owned(),
            false => format!("without {}", self.methods.join(" and ")),
        }
    }

    /// What stands above its result.
    pub(crate) fn heading(&self) -> String {
        match self.methods.is_empty() {
            true => "The program against itself".to_owned(),
            false => format!("With against without {}", self.methods.join(" and ")),
        }
    }

    /// Adds games of the same methods that were played elsewhere, as pairs behind its own.
    ///
    /// # Errors
    /// Games with another limit, in words: they answer another question.
    pub fn join(&mut self, other: Ended) -> Result<(), String> {
        let [limit, other_limit] = [&self.ended, &other].map(|ended| ended.file.settings.limit);
        if limit != other_limit {
            return Err(format!(
                "found games at `{other_limit}` next to games {} at `{limit}`: two questions, expected games of one kind",
                self.opponent()
            ));
        }
        let last = self.ended.rows.iter().map(|row| row.pair).max().unwrap_or(0);
        let behind = |row: GameRow| GameRow { game: row.game + 2 * last, pair: row.pair + last, ..row };
        self.ended.rows.extend(other.rows.into_iter().map(behind));
        self.ended.file.settings.games = self.ended.rows.len();
        Ok(())
    }
}

/// What the methods are worth under one budget.
#[derive(Debug)]
pub struct Measured<'e> {
    /// The searches.
    pub group: &'e Group<'e>,
    /// The methods in the order of the program, their tests corrected.
    pub worths: &'e [Worth],
    /// How many tests each family has.
    pub tests: Tests,
}

impl Measured<'_> {
    /// The factor in nodes that the strictest test of the main family would have shown in 80 of 100 such runs.
    pub fn could_have_shown(&self, worth: &Worth) -> Option<f64> {
        worth.nodes.and_then(|nodes| nodes.could_have_shown(level(self.tests[0])))
    }
}

/// A match with what it says.
#[derive(Debug)]
pub struct Match<'p> {
    /// What was played.
    pub played: &'p Played,
    /// What it says, its test corrected; `None` before the first whole pair, and where it rests on faults.
    pub result: Option<Games>,
}

/// What games say of one method, those of a match of its own or shared ones.
#[derive(Debug)]
pub struct OfMethod<'p> {
    /// The method.
    pub method: String,
    /// The settings of the games.
    pub settings: &'p MatchSettings,
    /// How many were played that bear on the method: all of its match; shared ones that one side played with it and one without.
    pub games: usize,
    /// What they say, the test corrected; `None` before the first whole pair, and where they rest on faults.
    pub result: Option<Games>,
    /// What they say to do, and the Elo that the program loses without the method; `None` where there are none that count.
    pub said: Option<(Advice, Interval)>,
}

impl OfMethod<'_> {
    /// What to do in a few words: `keep at 1+0.01s`; of games of fixed nodes, what is better at equal nodes.
    pub fn label(&self) -> Option<String> {
        Some(advised(self.said?.0, self.settings))
    }

    /// What is said, by the decisions of all methods together where margins were asked for.
    fn saying(&self, decisions: Option<&Decisions>) -> Option<(Advice, Interval)> {
        let (games, limit) = (self.result?, self.settings.limit);
        match decisions {
            Some(decisions) => {
                let decided = decisions.method(&self.method)?;
                Some((decided.advice.at(limit), decided.at_all_times))
            }
            None => Some((games.advice(self.games, limit), games.elo)),
        }
    }
}

/// What the methods of one program are worth.
#[derive(Debug)]
pub struct Judged<'e> {
    /// Its runs.
    pub runs: &'e Runs,
    /// What the program calls itself; empty where no run says.
    pub program: String,
    /// Its searches, a budget each.
    pub measured: Vec<Measured<'e>>,
    /// Its matches against itself without methods.
    pub matches: Vec<Match<'e>>,
    /// Its games in which both sides lack methods.
    pub shared: Vec<&'e Played>,
    /// Its games against itself.
    pub null: Option<Match<'e>>,
    /// What games say of each method.
    pub each: Vec<OfMethod<'e>>,
    /// What games say of the methods together, where margins were asked for or games were shared.
    pub(super) decisions: Option<Decisions>,
    /// Pairs of methods that were played together and one by one.
    pub(super) sums: Vec<Sum>,
    /// Elo values of others.
    pub(super) published: Published,
}

impl<'e> Judged<'e> {
    /// Of searches and matches; without a budget in `measured` where no group has an arm `full` and one without a method.
    pub fn of(evidence: &'e Evidence<'_>, played: &'e [Played]) -> Judged<'e> {
        let (shared, others): (Vec<&Played>, Vec<&Played>) = played.iter().partition(|one| one.is_shared());
        let with_results =
            others.into_iter().map(|played| Match { played, result: Games::of(&played.ended) });
        let (mut matches, null): (Vec<Match<'_>>, Vec<Match<'_>>) =
            with_results.partition(|one| !one.played.methods.is_empty());
        let matched = matches.iter().map(|one| one.played).chain(shared.iter().copied()).map(|one| Matched {
            methods: &one.methods,
            settings: &one.ended.file.settings,
            rows: &one.ended.rows,
        });
        let decisions = Decisions::of(&matched.collect::<Vec<_>>());
        let elos: Vec<(&[String], Interval)> =
            matches.iter().filter_map(|one| Some((&*one.played.methods, one.result?.elo))).collect();
        let mut sums = sums(&elos);
        for sum in decisions.iter().flat_map(Decisions::sums) {
            if sums.iter().all(|other| other.pair != sum.pair) {
                sums.push(sum);
            }
        }
        let mut of_shared = decisions.as_ref().map_or_else(Vec::new, |all| of_shared(all, &shared));
        let results = matches.iter_mut().map(|one| &mut one.result);
        let results = results.chain(of_shared.iter_mut().map(|one| &mut one.result));
        inference::correct(results.flatten().map(|games| &mut games.p));
        inference::correct(sums.iter_mut().map(|sum| &mut sum.excess.p));
        let singles = matches.iter().filter_map(|one| {
            let [method] = &one.played.methods[..] else { return None };
            let Ended { file, rows, .. } = &one.played.ended;
            let (method, settings) = (method.clone(), &file.settings);
            Some(OfMethod { method, settings, games: rows.len(), result: one.result, said: None })
        });
        let each = if of_shared.is_empty() { singles.collect() } else { of_shared };
        let groups = evidence.groups.iter().zip(evidence.worths());
        let measured = groups.map(|(group, (worths, tests))| Measured { group, worths, tests: *tests });
        let measured: Vec<Measured<'_>> = measured.filter(|one| !one.worths.is_empty()).collect();
        let program = measured.iter().find_map(|measured| evidence.runs.program(measured.group.game));
        let mut judged = Judged {
            runs: evidence.runs,
            program: program.map_or_else(String::new, |program| program.id.clone()),
            published: program.map_or_else(Published::default, |program| program.published.clone()),
            measured,
            matches,
            shared,
            null: null.into_iter().next(),
            each,
            decisions,
            sums,
        };
        let decisions = judged.margins().and(judged.decisions.as_ref());
        judged.each.iter_mut().for_each(|one| one.said = one.saying(decisions));
        judged
    }

    /// What games say of a method.
    pub fn games(&self, method: &str) -> Option<&Games> {
        self.played(method)?.result.as_ref()
    }

    /// The games that were played about a method.
    pub fn played(&self, method: &str) -> Option<&OfMethod<'e>> {
        self.each.iter().find(|one| one.method == method)
    }

    /// All matches: those without methods, shared games, the program against itself.
    pub fn all_played(&self) -> impl Iterator<Item = &'e Played> {
        let matches = self.matches.iter().map(|one| one.played).chain(self.shared.iter().copied());
        matches.chain(self.null.iter().map(|one| one.played))
    }

    /// What every two methods are worth, one by one and together, where games were played without both.
    pub fn sums(&self) -> &[Sum] {
        &self.sums
    }

    /// Elo above which a method is kept and below which it is dropped, where that ended its games.
    pub fn margins(&self) -> Option<[f64; 2]> {
        self.all_played().find_map(|one| one.ended.file.settings.margins)
    }
}

/// What shared games, and all others that enter the same regression, say of each method.
fn of_shared<'p>(decisions: &Decisions, shared: &[&'p Played]) -> Vec<OfMethod<'p>> {
    let Some(settings) = shared.first().map(|one| &one.ended.file.settings) else { return Vec::new() };
    let one = |(method, estimate): (&str, &MethodElo)| OfMethod {
        method: method.to_owned(),
        settings,
        games: 2 * estimate.pairs,
        result: (estimate.pairs > 0).then_some(Games { elo: estimate.elo, p: estimate.p, sequential: None }),
        said: None,
    };
    decisions.methods().map(one).collect()
}
