//! What each method of a program is worth, in nodes, time, moves and games: what searches show of it, what games say to do, a
//! table, sentences.
//!
//! Made of the run of a subject (`bench --subject`) and, where they were played, of matches of the program as it is against the
//! program without a method. What was not measured has no column. Searches and games are never mixed: the words of one rest on
//! no test of the other.

mod figures;
mod games;
pub(crate) mod words;

use self::figures::agreement;
pub use figures::{GROWTH, PAIRS, figures};
pub use games::{block, notes};
pub use words::reason;
pub(crate) use words::{advice_key, key, label};

use crate::evidence::Evidence;
use crate::format::{or_dash, p_words, ratio, ratio_within, share_within, signed_within};
use crate::spending::spending;
use crate::table::{Report, Section, Table};
use crate::{provenance, render};
use secateur_record::manifest::Published;
use secateur_record::play::{Ended, GameRow, MatchSettings};
use secateur_stats::contrast::Estimate;
use secateur_stats::decisions::{Decisions, Matched};
use secateur_stats::forecast::{GAME, play_first};
use secateur_stats::group::Group;
use secateur_stats::inference;
use secateur_stats::interval::Interval;
use secateur_stats::measures::MeasureRow;
use secateur_stats::play::{Sum, match_rows, sums};
use secateur_stats::runs::{Runs, each_once};
use secateur_stats::shared::MethodElo;
use secateur_stats::spent::is_even;
use secateur_stats::worth::{Advice, Finding, Games, Tests, Worth, level};
use words::advised;

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
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.ended.file.settings.is_shared()
    }

    /// What it is called in a table: `lmr x see`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.methods.is_empty() {
            true if self.is_shared() => "shared games".to_owned(),
            true => "null run".to_owned(),
            false => self.methods.join(" x "),
        }
    }

    /// Whom the program met: `without lmr and see`.
    #[must_use]
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

/// Which methods games are worth playing first without, where a study shows that searches order them.
fn first(measured: &Measured<'_>) -> Option<String> {
    let order = play_first(measured.worths)
        .filter(|_| measured.group.game == GAME && measured.group.is_fixed_depth())?;
    Some(format!(
        " Games to play first: without {}, in this order. The model that orders them held in programs that it had not seen, on average, and gives \
         no number (docs/results/forecast.md).",
        order.join(", ")
    ))
}

impl Measured<'_> {
    /// The factor in nodes that the strictest test of the main family would have shown in 80 of 100 such runs.
    #[must_use]
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
    decisions: Option<Decisions>,
    /// Pairs of methods that were played together and one by one.
    sums: Vec<Sum>,
    /// Elo values of others.
    published: Published,
}

impl<'e> Judged<'e> {
    /// Of searches and matches; without a budget in `measured` where no group has an arm `full` and one without a method.
    #[must_use]
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
        inference::correct(sums.iter_mut().map(|sum| &mut sum.p));
        let singles = matches.iter().filter_map(|one| {
            let [method] = &one.played.methods[..] else { return None };
            let Ended { file, rows, .. } = &one.played.ended;
            let (method, settings) = (method.clone(), &file.settings);
            Some(OfMethod { method, settings, games: rows.len(), result: one.result })
        });
        let each = if of_shared.is_empty() { singles.collect() } else { of_shared };
        let groups = evidence.groups.iter().zip(evidence.worths());
        let measured = groups.map(|(group, (worths, tests))| Measured { group, worths, tests: *tests });
        let measured: Vec<Measured<'_>> = measured.filter(|one| !one.worths.is_empty()).collect();
        let program = measured.iter().find_map(|measured| evidence.runs.program(measured.group.game));
        Judged {
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
        }
    }

    /// What games say of a method.
    #[must_use]
    pub fn games(&self, method: &str) -> Option<&Games> {
        self.played(method)?.result.as_ref()
    }

    /// The games that were played about a method.
    #[must_use]
    pub fn played(&self, method: &str) -> Option<&OfMethod<'e>> {
        self.each.iter().find(|one| one.method == method)
    }

    /// All matches: those without methods, shared games, the program against itself.
    pub fn all_played(&self) -> impl Iterator<Item = &'e Played> {
        let matches = self.matches.iter().map(|one| one.played).chain(self.shared.iter().copied());
        matches.chain(self.null.iter().map(|one| one.played))
    }

    /// What every two methods are worth, one by one and together, where games were played without both.
    #[must_use]
    pub fn sums(&self) -> &[Sum] {
        &self.sums
    }

    /// Elo that the program loses without a method, with its interval, as far as games that count say.
    #[must_use]
    pub fn elo(&self, method: &str) -> Option<Interval> {
        let games = self.games(method)?;
        match self.margins().and(self.decisions.as_ref()) {
            Some(decisions) => Some(decisions.method(method)?.at_all_times),
            None => Some(games.elo),
        }
    }

    /// Elo above which a method is kept and below which it is dropped, where that ended its games.
    #[must_use]
    pub fn margins(&self) -> Option<[f64; 2]> {
        self.all_played().find_map(|one| one.ended.file.settings.margins)
    }

    /// What games say to do with a method; `None` where there are none that count.
    #[must_use]
    pub fn advice(&self, method: &str) -> Option<Advice> {
        let one = self.played(method)?;
        let (games, limit) = (one.result.as_ref()?, one.settings.limit);
        match self.margins().and(self.decisions.as_ref()) {
            Some(decisions) => Some(decisions.method(method)?.advice.at(limit)),
            None => Some(games.advice(one.games, limit)),
        }
    }

    /// The same in a few words: `keep at 1+0.01s`; of games of fixed nodes, what is better at equal nodes.
    #[must_use]
    pub fn advice_label(&self, method: &str) -> Option<String> {
        Some(advised(self.advice(method)?, self.played(method)?.settings))
    }

    /// What the searches cannot say, and what would add it; nothing where games say of every method what it is worth.
    #[must_use]
    pub fn missing(&self, measured: &Measured<'_>) -> Option<String> {
        let worths = measured.worths;
        let unplayed: Vec<&str> =
            worths.iter().map(|worth| &*worth.method).filter(|method| self.games(method).is_none()).collect();
        let games = match unplayed.len() {
            0 => return None,
            left if left < worths.len() => {
                format!("no game that counts was played without {}", unplayed.join(", "))
            }
            _ if self.each.is_empty() => "no game was played".to_owned(),
            _ => "no game that counts was played".to_owned(),
        };
        let judged = worths.iter().any(|worth| worth.regret.is_some());
        let (by_depth, even) = (measured.group.is_fixed_depth(), is_even(measured.group));
        let searches = match (by_depth, judged) {
            (true, _) if !even => {
                "Not all searches reached this depth, so their nodes say little of savings at one depth"
            }
            (true, false) => "Searches say what a method saves at one depth, not whether to keep it",
            (true, true) => {
                "Searches say what a method saves at one depth and what its moves lose, not whether to keep it"
            }
            (false, true) => "Searches say what moves lose, not whether to keep a method",
            (false, false) if !even => {
                "At this budget the arms do not spend the same, so searches say nothing of savings (--depth 8 compares nodes)"
            }
            (false, false) => {
                "At this budget every arm spends the same, so searches say nothing of savings (--depth 8 compares nodes)"
            }
        };
        let has_word = judged || by_depth && !even;
        let unjudged = if has_word { "" } else { ", and the moves that changed were not judged" };
        let judge = if judged { "" } else { ", --oracle full+2 what those moves lose" };
        let first = if self.each.is_empty() { first(measured) } else { None };
        let first = first.unwrap_or_default();
        Some(format!("{searches}: {games}{unjudged}. --games 200 adds Elo{judge}.{first}"))
    }

    /// How sure all this is, in a few sentences.
    #[must_use]
    pub fn sureness(&self, measured: &Measured<'_>) -> String {
        let group = measured.group;
        let games = group.clusters(None).len();
        let from =
            if games == group.blocks.len() { String::new() } else { format!(" of {games} source games") };
        let [nodes, costs, alone, overlaps] = measured.tests;
        let families = [
            (nodes, "nodes without each method"),
            (costs, "time, instructions and regret"),
            (alone, "each method alone"),
            (overlaps, "overlaps"),
        ];
        let families: Vec<String> = families
            .into_iter()
            .filter(|(tests, _)| *tests > 0)
            .map(|(tests, family)| format!("{family} ({tests} tests)"))
            .collect();
        let corrected = match families.is_empty() {
            true => String::new(),
            false => format!(
                " Tests are corrected for their number (Holm) within each family: {}.",
                families.join("; ")
            ),
        };
        format!(
            "Every difference is paired by position ({} positions{from}) and has a test.{corrected} Games enter none of these. \
             Undecided is not the same as nothing: see what the run could have shown.",
            group.blocks.len(),
        )
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
    };
    decisions.methods().map(one).collect()
}

/// The title of a page.
#[must_use]
pub fn title(judged: &Judged<'_>) -> String {
    let within = if judged.program.is_empty() { String::new() } else { format!(" in {}", judged.program) };
    format!("What each method is worth{within}")
}

/// The report; without a section on methods if no group has an arm `full` and one without a method.
#[must_use]
pub fn page(evidence: &Evidence<'_>, played: &[Played]) -> Report {
    let (judged, runs) = (Judged::of(evidence, played), evidence.runs);
    let mut report = Report::new(&title(&judged));
    report.notes.extend(runs.notes.iter().cloned());
    report.sections = sections(&judged);
    report.sections.push(provenance::section(runs));
    report.notes.extend(notes(&judged));
    report
}

/// What there is to say in a sentence of a group that compares a program with itself without its methods; `None` of another.
pub(crate) fn in_short(worths: &[Worth]) -> Option<String> {
    let each = worths.iter().map(|worth| format!("{}: {}", worth.method, label(&worth.finding())));
    let each = each.collect::<Vec<_>>().join("; ");
    (!worths.is_empty()).then(|| format!("Each method taken out of the program as it is: {each}."))
}

/// The sections of the report but for provenance.
#[must_use]
pub fn sections(judged: &Judged<'_>) -> Vec<Section> {
    let mut sections: Vec<Section> = words::section(judged).into_iter().collect();
    for measured in &judged.measured {
        let mut section = section(judged, measured);
        section.text.extend(counted(measured, judged.runs));
        sections.push(section);
        sections.extend(games::order(judged, measured.worths));
    }
    sections.extend(games::section(&games::pairs(judged)));
    sections.extend(agreement(judged));
    sections
}

/// The report as Markdown for a pull request: the searches as one table, the games as OpenBench writes them.
#[must_use]
pub fn markdown(report: &Report, played: &[Played]) -> String {
    let mut text = render::markdown(report);
    if played.iter().all(Played::is_shared) {
        return text;
    }
    let mut blocks = String::from("\n## Games\n");
    for one in played.iter().filter(|one| !one.is_shared()) {
        blocks += &format!("\n{}:\n\n```\n{}```\n", one.heading(), block(one));
    }
    let at = text.find(&format!("\n## {}\n", provenance::TITLE)).unwrap_or(text.len());
    text.insert_str(at, &blocks);
    text
}

/// Version of the layout of [`json`]; raised when a member changes its meaning, name or place.
pub const LAYOUT: u32 = 3;

/// What searches show and games say, and every number, unrounded, for a tool; an end of an interval that is not finite is null.
#[must_use]
pub fn json(evidence: &Evidence<'_>, played: &[Played]) -> String {
    let judged = Judged::of(evidence, played);
    let mut methods = Vec::new();
    for measured in &judged.measured {
        for worth in measured.worths {
            let finding = worth.finding();
            let partner = if let Finding::Covered(partner) = &finding { partner.clone() } else { None };
            let advice = judged.advice(&worth.method);
            let games = advice.map(advice_key);
            let more = if let Some(Advice::PlayOn(more)) = advice { more } else { None };
            methods.push(serde_json::json!({
                "game": measured.group.game, "suite": measured.group.suite,
                "budget_kind": measured.group.budget_kind.to_string(), "budget": measured.group.budget,
                "positions": measured.group.blocks.len(), "method": worth.method, "searches": key(&finding), "covered_by": partner,
                "could_have_shown": measured.could_have_shown(worth), "games": games, "games_more": more,
                "games_elo": judged.elo(&worth.method),
                "games_played": judged.played(&worth.method).map(|one| one.games),
                "games_words": judged.advice_label(&worth.method), "words": label(&finding),
                "reason": reason(measured, worth, judged.played(&worth.method)),
            }));
        }
    }
    let families = judged.measured.iter().map(|measured| {
        let [nodes, costs, alone, overlaps] = measured.tests;
        serde_json::json!({
            "budget": measured.group.budget, "suite": measured.group.suite, "nodes": nodes, "costs": costs, "alone": alone,
            "overlaps": overlaps,
        })
    });
    let all = serde_json::json!({
        "layout": LAYOUT, "title": title(&judged), "program": judged.program, "notes": evidence.runs.notes,
        "tests": families.collect::<Vec<_>>(), "games": of_games(&judged), "methods": methods, "measures": rows_of(&judged),
    });
    format!("{all:#}\n")
}

/// How the games went, for a tool; null where none was played.
fn of_games(judged: &Judged<'_>) -> Option<serde_json::Value> {
    let itself = judged.null.as_ref().map(|one| {
        let result = one.result.as_ref();
        serde_json::json!({
            "games": one.played.ended.rows.len(), "elo": result.map(|games| games.elo), "p": result.map(|games| games.p),
        })
    });
    let rows = judged.all_played().flat_map(|one| &one.ended.rows);
    let pair = |sum: &Sum| {
        serde_json::json!({
            "methods": sum.pair, "elo_of_both": sum.both, "beyond_their_sum": sum.excess, "p": sum.p,
        })
    };
    let shared = judged.decisions.as_ref().filter(|_| !judged.shared.is_empty()).map(|decisions| {
        let games = judged.shared.iter().map(|one| one.ended.rows.len()).sum::<usize>();
        serde_json::json!({ "games": games, "scale_of_pairs": decisions.scale() })
    });
    judged.all_played().next().map(|_| {
        serde_json::json!({
            "shared": shared, "pairs": judged.sums.iter().map(pair).collect::<Vec<_>>(), "lost_on_time": words::forfeits(rows), "null_run": itself, "margins": judged.margins(), "words": words::conduct(judged),
        })
    })
}

/// Whether Elo values add up, in several programs: the same runs and matches as of their pages.
#[must_use]
pub fn study(programs: &[(Runs, Vec<Played>)]) -> Option<Section> {
    let evidence: Vec<Evidence<'_>> = programs.iter().map(|(runs, _)| Evidence::of(runs)).collect();
    let judged = evidence.iter().zip(programs).map(|(evidence, (_, played))| Judged::of(evidence, played));
    let judged: Vec<Judged<'_>> = judged.collect();
    let mut pairs: Vec<games::Pair> = judged.iter().flat_map(games::pairs).collect();
    games::correct(&mut pairs);
    games::section(&pairs)
}

/// The numbers of the page, unrounded, one to a row.
#[must_use]
pub fn rows(evidence: &Evidence<'_>, played: &[Played]) -> Vec<MeasureRow> {
    rows_of(&Judged::of(evidence, played))
}

/// The same for those who have judged already.
#[must_use]
pub fn rows_of(judged: &Judged<'_>) -> Vec<MeasureRow> {
    let mut rows: Vec<MeasureRow> = judged.measured.iter().flat_map(rows_of_group).collect();
    for one in judged.all_played() {
        let named = |row| MeasureRow { methods: one.name(), ..row };
        let counted = match_rows(&one.ended).into_iter().map(named);
        if one.is_shared() {
            // Which side wins says nothing; what methods are worth does.
            let (points, counts): (Vec<MeasureRow>, Vec<MeasureRow>) =
                counted.partition(|row| ["score", "elo", "normalised_elo"].contains(&&*row.measure));
            rows.extend(counts);
            let elo = points.into_iter().filter(|row| row.measure == "elo");
            rows.extend(elo.flat_map(|row| judged.each.iter().filter_map(move |each| of_each(&row, each))));
        } else {
            rows.extend(counted);
        }
    }
    rows
}

/// Elo of a method in shared games, in the form of a row of the match.
fn of_each(row: &MeasureRow, each: &OfMethod<'_>) -> Option<MeasureRow> {
    let of_method = MeasureRow { methods: each.method.clone(), n: each.games / 2, ..row.clone() };
    Some(of_method.with(Some(each.result?.elo)))
}

/// A cell of a method: its heading, what that means if it does not say so itself, and what there is to say.
type Cell<'h> = (&'h str, &'static str, Option<String>);

/// What several columns mean.
const WITHOUT: &str = "Without it: the program without the method over the program as it is, geometric means with 95 % intervals over source games.";

/// What the words of the searches mean.
const SHOWS: &str = "Searches show: saves, the program needs more without the method; spends, it needs less; no saving beyond what \
                     others save, the method saves alone and less with the others on, and nothing beyond theirs is shown; changes nothing; \
                     undecided. They never say whether to keep it.";

/// All cells of a method; `regret` is the heading of what it adds.
fn cells<'h>(judged: &Judged<'_>, measured: &Measured<'_>, worth: &Worth, regret: &'h str) -> [Cell<'h>; 11] {
    let within = |effect: &Option<Estimate>| effect.as_ref().map(|effect| ratio_within(&effect.within));
    let added = worth.regret.map(|added| {
        let added_regret = signed_within(&measured.group.in_units(&added.within));
        format!("{added_regret} (p {})", p_words(Some(added.p)))
    });
    [
        ("<searches show", SHOWS, Some(label(&worth.finding()))),
        ("nodes without it", WITHOUT, within(&worth.nodes)),
        (
            "could have shown",
            "Could have shown: the factor in nodes that the strictest test of nodes would have shown in 80 of 100 such runs.",
            measured.could_have_shown(worth).map(|factor| format!("{}x", ratio(factor))),
        ),
        ("alone it saves", "Alone: nodes of none over those of the method alone.", within(&worth.alone)),
        ("time without it", WITHOUT, within(&worth.time).or_else(|| Some(worth.untimed?.to_string()))),
        ("instructions without it", WITHOUT, within(&worth.instructions)),
        (
            "saves the same as",
            "Saves the same as: of every two methods, the one with which it overlaps most, and by what factor both together save less \
             than one by one within the program.",
            partner(worth),
        ),
        (
            "same move",
            "Same move: how often its absence leaves the move.",
            Some(share_within(worth.same_move)),
        ),
        (
            regret,
            "Regret it adds: what the moves of the program as it is lose on average beyond those of the program without it; below 0 \
             the method finds better moves; p after correction.",
            added,
        ),
        (
            "solved with, without",
            "",
            worth.solved.map(|(with, less, total, _)| format!("{with}, {less} of {total}")),
        ),
        ("published Elo", "", judged.published.elo.get(&worth.method).map(ToString::to_string)),
    ]
}

/// The method that most of its nodes are saved by too, and by what factor the two together save less than one by one.
fn partner(worth: &Worth) -> Option<String> {
    let (name, shared) = worth.partners.first()?;
    let within = &shared.within;
    Some(if within.estimate > 1.0 { format!("{name} ({})", ratio_within(within)) } else { "none".to_owned() })
}

fn section(judged: &Judged<'_>, measured: &Measured<'_>) -> Section {
    let Measured { group, worths, .. } = measured;
    let regret = format!("regret it adds, {}s", group.traits.unit);
    let all: Vec<_> = worths.iter().map(|worth| cells(judged, measured, worth, &regret)).collect();
    let is_filled = |heading: &str| all.iter().flatten().any(|cell| cell.0 == heading && cell.2.is_some());
    let row = |(worth, cells): (&Worth, &[Cell<'_>; 11])| {
        let filled = cells.iter().filter(|(heading, ..)| is_filled(heading));
        let filled = filled.map(|(heading, _, cell)| ((*heading).to_owned(), or_dash(cell.clone())));
        std::iter::once(("<method".to_owned(), worth.method.clone())).chain(filled).collect::<Vec<_>>()
    };
    let table: Table = worths.iter().zip(&all).map(row).collect();
    let filled = all.iter().take(1).flatten().filter(|(heading, ..)| is_filled(heading));
    let table = table.noted(legend(filled.map(|cell| cell.1)));
    let title = format!("{}, {} positions", group.heading(), group.blocks.len());
    let mut text = words::sentences(worths);
    text.extend(judged.missing(measured));
    text.extend(spending(group));
    if !group.judge.is_empty() {
        text.push(format!("What moves lose is regret by {}.", group.judge));
    }
    text.push(judged.sureness(measured));
    Section { title, text, tables: vec![table] }
}

/// What the columns mean that are there, each once.
fn legend(columns: impl Iterator<Item = &'static str>) -> String {
    let meanings = each_once(columns.filter(|meant| !meant.is_empty())).join(" ");
    format!("{meanings} A depth of one program is not the work of another: only rows of one program compare.")
}

/// What is to know of the instructions, where they were counted.
fn counted(measured: &Measured<'_>, runs: &Runs) -> Option<String> {
    let (group, counted) = (measured.group, measured.group.counted().len());
    let counting = provenance::counts_in_words(runs, group.game)?;
    Some(format!("{counting} Every arm has a count at {counted} of {} positions.", group.blocks.len()))
}

fn rows_of_group(measured: &Measured<'_>) -> Vec<MeasureRow> {
    let Measured { group, worths, .. } = measured;
    let row = |methods: &str, measure: &str, interval: Interval| {
        MeasureRow::of(group, methods, "all", measure, group.blocks.len()).with(Some(interval))
    };
    let within = |effect: &Option<Estimate>| effect.as_ref().map(|effect| effect.within);
    let mut rows = Vec::new();
    for worth in *worths {
        let intervals = [
            ("nodes_without", within(&worth.nodes)),
            ("nodes_alone", within(&worth.alone)),
            ("time_without", within(&worth.time)),
            ("instructions_without", within(&worth.instructions)),
            ("same_move", worth.same_move),
            ("regret_without", within(&worth.regret).map(|regret| regret.turned(|x| 0.0 - x))),
            ("solved_without", worth.solved.map(|(.., difference)| difference)),
            ("ln_overlap", within(&worth.overlap).map(|overlap| overlap.ln())),
        ];
        rows.extend(
            intervals.into_iter().filter_map(|(name, interval)| Some(row(&worth.method, name, interval?))),
        );
        for (partner, shared) in &worth.partners {
            let methods = format!("{} x {partner}", worth.method);
            rows.push(row(&methods, "nodes_without_both", shared.within));
        }
    }
    rows
}

#[cfg(test)]
pub(crate) mod tests;
