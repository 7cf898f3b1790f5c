//! What each method of a program is worth, in nodes, time, moves and games: what searches show of it, what games say to do, a
//! table, sentences.
//!
//! Made of the run of a subject (`bench --subject`) and, where they were played, of matches of the program as it is against the
//! program without a method. What was not measured has no column. Searches and games are never mixed: the words of one rest on
//! no test of the other.

mod figures;
mod games;
mod judged;
mod numbers;
pub(crate) mod words;

use self::figures::agreement;
pub use figures::{GROWTH, PAIRS, figures};
pub use games::{block, notes};
pub use judged::{Judged, Match, Measured, OfMethod, Played};
pub use numbers::{LAYOUT, json, rows, rows_of};
pub use words::reason;
pub(crate) use words::{advice_key, key, label};

use crate::evidence::Evidence;
use crate::format::{or_dash, p_words, plural, ratio, ratio_within, share_within, signed_within};
use crate::spending::spending;
use crate::table::{Report, Section, Table};
use crate::{provenance, render};
use secateur_stats::contrast::Estimate;
use secateur_stats::runs::{Runs, each_once};
use secateur_stats::worth::Worth;

/// The title of a page.
pub fn title(judged: &Judged<'_>) -> String {
    let within = if judged.program.is_empty() { String::new() } else { format!(" in {}", judged.program) };
    format!("What each method is worth{within}")
}

/// The report; without a section on methods if no group has an arm `full` and one without a method.
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

/// Whether Elo values add up, in several programs: the same runs and matches as of their pages.
pub fn study(programs: &[(&Runs, Vec<Played>)]) -> Option<Section> {
    let evidence: Vec<Evidence<'_>> = programs.iter().map(|(runs, _)| Evidence::of(runs)).collect();
    let judged = evidence.iter().zip(programs).map(|(evidence, (_, played))| Judged::of(evidence, played));
    let judged: Vec<Judged<'_>> = judged.collect();
    let mut pairs: Vec<games::Pair> = judged.iter().flat_map(games::pairs).collect();
    games::correct(&mut pairs);
    games::section(&pairs)
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
    let title = format!("{}, {}", group.heading(), plural(group.blocks.len(), "position"));
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
    let all = group.blocks.len();
    Some(format!("{counting} Every arm has a count at {counted} of {}.", plural(all, "position")))
}

#[cfg(test)]
pub(crate) mod tests;
