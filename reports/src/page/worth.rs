//! What each method of a program is worth, as the first screen of a page: what searches show and games say of each, a picture, how sure.

use crate::format::{ratio, share};
use crate::page::html::copied;
use crate::page::plots::{Plot, both};
use crate::spending::spending;
use crate::worth::{Judged, Match, Measured, block, class, in_units, label, reason};
use maud::{Markup, html};
use secateur_stats::interval::Interval;
use secateur_stats::runs::Runs;
use secateur_stats::worth::{Effect, Worth};

/// The first screen: for every budget the verdicts, the picture and how sure they are.
pub(crate) fn first(judged: &Judged<'_, '_, '_>) -> Markup {
    html! {
        @for measured in &judged.measured {
            div.answer.whole data-name=(format!("{} ({})", measured.group.heading(), measured.group.suite)) {
                h2 { (measured.group.heading()) ", " (measured.group.blocks.len()) " positions" }
                ul.verdicts {
                    @for worth in &measured.worths { (verdict(judged, measured, worth)) }
                }
                (picture(judged, measured))
                @if let Some(missing) = judged.missing(measured) { p.note { strong { (missing) } } }
                @for spent in spending(measured.group) { p.note { (spent) } }
                p.note { (judged.sureness(measured)) }
            }
        }
    }
}

fn verdict(judged: &Judged<'_, '_, '_>, measured: &Measured<'_, '_>, worth: &Worth) -> Markup {
    let finding = worth.finding();
    html! {
        li class=(class(judged, worth)) {
            strong.method { (worth.method) }
            div {
                @if let Some(games) = judged.advice_label(&worth.method) { span.badge.games { (games) } }
                span.badge { (label(&finding)) }
            }
            p { (reason(measured, worth, judged.played(&worth.method))) }
        }
    }
}

/// What is saved, alone and with the others on, next to what it costs in moves, in regret and in games.
fn picture(judged: &Judged<'_, '_, '_>, measured: &Measured<'_, '_>) -> Markup {
    let Measured { group, worths, .. } = measured;
    let each = |of: &dyn Fn(&Worth) -> Option<Interval>| worths.iter().map(of).collect::<Vec<_>>();
    let within = |effect: &Option<Effect>| effect.as_ref().map(|effect| effect.within);
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
    let changed = |i: Interval| Interval { estimate: 1.0 - i.estimate, low: 1.0 - i.high, high: 1.0 - i.low };
    let moves = each(&|worth| worth.same_move.map(changed));
    plots.push(Plot::new("moves changed", (false, 0.0), moves, |x| share(x).replace(".0 %", " %")));
    let regret = each(&|worth| worth.regret.as_ref().map(|regret| in_units(group, &regret.within)));
    if regret.iter().any(Option::is_some) {
        let heading = format!("regret it adds, {}s", group.traits.unit);
        plots.push(Plot::new(heading, (false, 0.0), regret, |x| {
            format!("{:+.2}", (100.0 * x).round() / 100.0 + 0.0)
        }));
    }
    let elo = each(&|worth| judged.games(&worth.method).map(|games| games.elo));
    if elo.iter().any(Option::is_some) {
        plots.push(Plot::new("Elo", (false, 0.0), elo, |x| format!("{x:+.0}")));
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
pub(crate) fn costs(judged: &Judged<'_, '_, '_>) -> Option<Markup> {
    type Cost = fn(&Worth) -> Option<Interval>;
    let costs: [(&str, Cost); 2] = [
        ("time without it, times", |worth| worth.time.map(|time| time.within)),
        ("instructions without it, times", |worth| worth.instructions.map(|count| count.within)),
    ];
    let of = |measured: &Measured<'_, '_>| {
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
    let all: Vec<Markup> = judged.measured.iter().filter_map(of).collect();
    (!all.is_empty()).then(|| {
        html! {
            p { "Right of the line the program needs more without the method. Time is that of the processor, searches in turns." }
            @for picture in &all { (picture) }
        }
    })
}

/// The matches as OpenBench writes them, to be pasted into a pull request; nothing without a match.
pub(crate) fn games(judged: &Judged<'_, '_, '_>) -> Option<Markup> {
    let one = |one: &Match<'_>| {
        html! {
            article.match {
                h3 { "With against without " (one.played.methods.join(" and ")) }
                (copied(block(one.played).trim_end()))
            }
        }
    };
    (!judged.matches.is_empty()).then(|| {
        html! {
            p { "The program as it is against itself without the method, as OpenBench writes a result." }
            div.matches { @for of in &judged.matches { (one(of)) } }
        }
    })
}

/// What the arms were: their names, what stands for what they are made of, and their nodes.
pub(crate) fn arms(judged: &Judged<'_, '_, '_>, runs: &Runs) -> Markup {
    html! {
        p {
            "An arm is the program with some of its methods off: full has them all, full[-x] all but x, x alone none but x, none not one. "
            "The subject file says which option, variable or build switches a method; the identity stands for all of it, down to the hash of \
             the program."
        }
        @for measured in &judged.measured {
            @let group = measured.group;
            @let entry = runs.manifests.iter().find_map(|manifest| manifest.game(group.game));
            div.scroll tabindex="0" role="region" aria-label=(format!("arms, {}", group.heading())) {
                table {
                    thead { tr {
                        th.left scope="col" { button type="button" { "arm" } }
                        th.left scope="col" { button type="button" { "identity" } }
                        th scope="col" { button type="button" { "nodes, all positions" } }
                    } }
                    tbody {
                        @for (index, arm) in group.methods.iter().enumerate() {
                            @let nodes: u64 = group.blocks.iter().filter_map(|block| block.rows[index].nodes).sum();
                            tr {
                                th.left scope="row" { (arm) }
                                td.left { (entry.and_then(|entry| entry.arms.get(*arm)).map_or("", String::as_str)) }
                                td data-v=(nodes) { (crate::format::count(nodes)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
