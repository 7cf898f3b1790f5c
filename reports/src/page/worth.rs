//! What each method of a program is worth, as the first screens of a page: what games say to do, then what searches show, then what the
//! words mean.

use super::copied;
use super::html::table;
use crate::format::{ratio, share};
use crate::page::plots::{Plot, both};
use crate::spending::spending;
use crate::table::Table;
use crate::worth::words;
use crate::worth::{Judged, Match, Measured, OfMethod, advice_key, block, key, label, reason};
use maud::{Markup, html};
use secateur_stats::contrast::Estimate;
use secateur_stats::group::Group;
use secateur_stats::interval::Interval;
use secateur_stats::labels::count;
use secateur_stats::worth::{Advice, Worth};

/// The first screens: what to do, and for every budget what searches show, a picture and how sure that is.
pub(crate) fn first(judged: &Judged<'_>) -> Markup {
    let said: Vec<Said<'_>> = judged.each.iter().filter_map(|one| Some((one, one.said?))).collect();
    html! {
        div.todo {
            h2 { (words::TITLE) }
            @if !said.is_empty() {
                div.sides {
                    ul.verdicts { @for one in &said { (advised(one)) } }
                    (elo(judged, &said))
                }
                p.note { (words::meaning(judged)) }
            }
            @for words in words::conduct(judged) { p.note { (words) } }
            @if let Some(missing) = judged.measured.first().and_then(|measured| judged.missing(measured)) {
                p.note { strong { (missing) } }
            }
        }
        @for measured in &judged.measured {
            div.answer.whole data-name=(format!("{} ({})", measured.group.heading(), measured.group.suite)) {
                h2 { "What searches show: " (measured.group.heading()) ", " (measured.group.blocks.len()) " positions" }
                ul.verdicts {
                    @for worth in measured.worths { (shown_by_searches(measured, worth)) }
                }
                (picture(measured))
                @for spent in spending(measured.group) { p.note { (spent) } }
                p.note { (judged.sureness(measured)) }
            }
        }
        (glossary())
    }
}

/// A method with what games say to do, and the Elo that the program loses without it.
type Said<'j> = (&'j OfMethod<'j>, (Advice, Interval));

/// What games say of a method.
fn advised((one, (advice, elo)): &Said<'_>) -> Markup {
    let Interval { estimate, low, high } = elo;
    html! {
        li class=(advice_key(*advice)) {
            strong.method { (one.method) }
            div { span.badge { (one.label().unwrap_or_default()) } }
            p {
                (format!("{estimate:+.0}")) " Elo"
                @if elo.has_ends() { (format!(" [{low:+.0}, {high:+.0}]")) }
                " in " (count(one.games as u64)) " games"
            }
        }
    }
}

/// Elo of every method in one picture.
fn elo(judged: &Judged<'_>, said: &[Said<'_>]) -> Markup {
    let names: Vec<String> = said.iter().map(|(one, _)| one.method.clone()).collect();
    let values = said.iter().map(|(_, (_, elo))| Some(*elo)).collect();
    let plot = Plot::new("Elo it is worth", (false, 0.0), values, |x| format!("{x:+.0}"));
    let intervals = if judged.margins().is_some() { "at all times" } else { "after this number of games" };
    html! {
        figure.forest {
            (both("Elo that the program loses without each method", &names, &[plot], "Elo: picture"))
            figcaption { "Right of 0 the program loses games without the method. Lines are 95 % intervals, which hold " (intervals) "." }
        }
    }
}

/// What searches show of a method.
fn shown_by_searches(measured: &Measured<'_>, worth: &Worth) -> Markup {
    let finding = worth.finding();
    html! {
        li class=(key(&finding)) {
            strong.method { (worth.method) }
            div { span.badge { (label(&finding)) } }
            p { (reason(measured, worth, None)) }
        }
    }
}

/// What the words of both screens mean.
fn glossary() -> Markup {
    let entries = [
        (
            "keep, drop",
            "what games by the clock say of a method: the program loses games without it, or does not. Nothing else says so.",
        ),
        ("play on", "games have not decided; behind it is about how many more decide, or give +-10 Elo."),
        (
            "better with it, better without it",
            "the same of games at equal nodes or depth, where time does not count: no reason to keep or drop.",
        ),
        (
            "Elo",
            "what the program loses in games against itself without the method: 10 Elo are 51.4 % of the points.",
        ),
        ("null run", "the program against itself: what chance and the harness make of no difference at all."),
        (
            "saves, spends",
            "without the method the program needs more, or less, nodes or time for the same depth, shown by a test.",
        ),
        (
            "no saving shown beyond what others save",
            "alone the method saves; with the others on no saving is shown.",
        ),
        ("changes nothing", "no search changed its nodes or its move: is the switch read?"),
        (
            "undecided",
            "none of this is shown, which is not the same as nothing: see what the run could have shown.",
        ),
        (
            "with the others on",
            "the program as it is, without this method alone; alone: the program without all others.",
        ),
    ];
    html! {
        details.words {
            summary { "What the words mean" }
            dl { @for (word, meaning) in entries { dt { (word) } dd { (meaning) } } }
        }
    }
}

/// What is saved, alone and with the others on, next to what it costs in moves and in regret.
fn picture(measured: &Measured<'_>) -> Markup {
    let Measured { group, worths, .. } = measured;
    let each = |of: &dyn Fn(&Worth) -> Option<Interval>| worths.iter().map(of).collect::<Vec<_>>();
    let within = |effect: &Option<Estimate>| effect.as_ref().map(|effect| effect.within);
    let times: fn(f64) -> String = |x| format!("{}x", ratio(x));
    let mut plots = Vec::new();
    let alone = each(&|worth| within(&worth.alone));
    if worths.iter().any(|worth| worth.nodes.is_some()) {
        let mut plot =
            Plot::new("nodes saved, times", (true, 1.0), each(&|worth| within(&worth.nodes)), times);
        if alone.iter().any(Option::is_some) {
            (plot.also, plot.series) = (alone.clone(), ["with the others on", "alone"]);
        }
        plots.push(plot);
    }
    let moves = each(&|worth| worth.same_move.map(|same| same.turned(|x| 1.0 - x)));
    plots.push(Plot::new("moves changed", (false, 0.0), moves, |x| share(x).replace(".0 %", " %")));
    let regret = each(&|worth| worth.regret.as_ref().map(|regret| group.in_units(&regret.within)));
    if regret.iter().any(Option::is_some) {
        let heading = format!("regret it adds, {}s", group.traits.unit);
        plots.push(Plot::new(heading, (false, 0.0), regret, |x| {
            format!("{:+.2}", (100.0 * x).round() / 100.0 + 0.0)
        }));
    }
    let names: Vec<String> = worths.iter().map(|worth| worth.method.clone()).collect();
    let title = format!("{}: what each method saves and costs", group.heading());
    let label = format!("{} ({}): picture", group.heading(), group.suite);
    html! {
        figure.forest {
            (both(&title, &names, &plots, &label))
            figcaption {
                "What the program saves by each method with all others on (blue dots)"
                @if alone.iter().any(Option::is_some) { ", what the method saves alone (orange rings)" }
                ", and what that costs: how often the move is another one, and what moves lose beyond those of the program without it. \
                 Lines are 95 % intervals."
            }
        }
    }
}

/// Time and instructions without each method; nothing where neither was measured.
pub(crate) fn costs(judged: &Judged<'_>) -> Option<Markup> {
    type Cost = fn(&Worth) -> Option<Interval>;
    let costs: [(&str, Cost); 2] = [
        ("time without it, times", |worth| worth.time.map(|time| time.within)),
        ("instructions without it, times", |worth| worth.instructions.map(|count| count.within)),
    ];
    let picture_of = |measured: &Measured<'_>| {
        let plot = |(heading, cost): &(&str, Cost)| {
            let values: Vec<Option<Interval>> = measured.worths.iter().map(cost).collect();
            let is_known = values.iter().any(Option::is_some);
            is_known.then(|| Plot::new(*heading, (true, 1.0), values, |x| format!("{}x", ratio(x))))
        };
        let plots: Vec<Plot> = costs.iter().filter_map(plot).collect();
        let names: Vec<String> = measured.worths.iter().map(|worth| worth.method.clone()).collect();
        let title = format!("{}: time and instructions", measured.group.heading());
        (!plots.is_empty()).then(|| html! { figure.forest { (both(&title, &names, &plots, &title)) } })
    };
    let all: Vec<Markup> = judged.measured.iter().filter_map(picture_of).collect();
    (!all.is_empty()).then(|| {
        html! {
            p { "Right of the line the program needs more without the method. Time is that of the processor, searches in turns." }
            @for picture in &all { (picture) }
        }
    })
}

/// The matches as OpenBench writes them, to be pasted into a pull request; nothing without a match.
pub(crate) fn games(judged: &Judged<'_>) -> Option<Markup> {
    let one = |one: &Match<'_>| {
        html! {
            article.match {
                h3 { (one.played.heading()) }
                (copied(block(one.played).trim_end()))
            }
        }
    };
    (!judged.matches.is_empty()).then(|| {
        html! {
            p { "The program as it is against itself without the method, as OpenBench writes a result." }
            div.matches { @for of in judged.matches.iter().chain(&judged.null) { (one(of)) } }
        }
    })
}

/// The arms of a group, what stands for what each is made of, and its nodes.
fn arms_of(judged: &Judged<'_>, group: &Group<'_>) -> Table {
    let entry = judged.runs.manifests.iter().find_map(|manifest| manifest.game(group.game));
    let row = |(index, arm): (usize, &&str)| {
        let nodes = group.blocks.iter().filter_map(|block| block.rows[index].nodes).sum();
        [
            ("<arm", (*arm).to_owned()),
            ("<identity", entry.and_then(|entry| entry.arms.get(*arm)).cloned().unwrap_or_default()),
            ("nodes, all positions", count(nodes)),
        ]
    };
    group.methods.iter().enumerate().map(row).collect()
}

/// What the arms were: their names, what stands for what they are made of, and their nodes.
pub(crate) fn arms(judged: &Judged<'_>) -> Markup {
    html! {
        p {
            "An arm is the program with some of its methods off: full has them all, full[-x] all but x, x alone none but x, none not one. "
            "The subject file says which option, variable or build switches a method; the identity stands for all of it, down to the hash of \
             the program."
        }
        @for measured in &judged.measured {
            (table(&arms_of(judged, measured.group), &format!("arms, {}", measured.group.heading())))
        }
    }
}
