//! Places within places: what is part of a method is no switch of it, and what holds several methods is none. And where no condition holds
//! late-move reductions: the assignments of what is subtracted from the depth of searches.

use super::{Named, Verdict, around};
use crate::find::{Candidate, Comments, Facts, Place, Program, Role, Searching, flat, is_constant, plain};
use crate::parse::{Id, Syntax};
use crate::site::Kind;
use std::collections::BTreeSet;

/// Methods that a condition around sites of others may still be a switch of, because its own search is seen.
const SEARCHING: [&str; 6] = ["null-move", "probcut", "razoring", "singular", "iir", "lmr"];

/// Two methods in one condition: each of its reasons is a switch. Reasons of one method are none.
pub(super) fn reasons(places: &mut [Named]) {
    for index in 0..places.len() {
        let (search, node) = (places[index].place.search, places[index].place.candidate.node);
        let its_reasons: Vec<usize> = (index + 1..places.len())
            .take_while(|other| places[*other].place.search == search)
            .filter(|other| places[*other].place.candidate.reason.is_some_and(|reason| reason.whole == node))
            .collect();
        let methods: BTreeSet<&str> = its_reasons
            .iter()
            .filter(|reason| places[**reason].verdict == Verdict::Site)
            .map(|reason| places[*reason].method.as_str())
            .collect();
        if methods.len() > 1 && matches!(places[index].verdict, Verdict::Site | Verdict::Unnamed) {
            places[index].decide(Verdict::Holds, "", "");
        } else {
            its_reasons.into_iter().for_each(|reason| places[reason].decide(Verdict::Nothing, "", ""));
        }
    }
}

/// What a picker does besides leaving moves out is no pruning.
pub(super) fn pickers(program: &Program<'_>, places: &mut [Named]) {
    for place in places {
        if program.searching[place.place.search].role == Role::Picker && place.verdict != Verdict::Site {
            place.decide(Verdict::Nothing, "", "");
        }
    }
}

/// A condition in which a reduction is set, around sites of other methods, is no switch of reductions.
pub(super) fn reductions_around_others(places: &mut [Named]) {
    for index in 0..places.len() {
        if places[index].is_site_of("lmr") && places[index].place.candidate.kind == Kind::Depth {
            let mut inner = methods_within(places, index);
            inner.retain(|method| !matches!(method.as_str(), "lmr" | "check-extension" | "extension"));
            if !inner.is_empty() {
                places[index].decide(Verdict::Holds, "", "");
            }
        }
    }
}

/// A condition that words alone name, around one that its shape names the same, holds it.
pub(super) fn words_around_shapes(places: &mut [Named]) {
    for index in 0..places.len() {
        let outer = &places[index];
        let by_words =
            outer.verdict == Verdict::Site && outer.place.candidate.kind == Kind::Gate && !outer.shaped;
        let holds = |inner: usize| {
            let site = &places[inner];
            site.is_site_of(&outer.method)
                && (site.shaped || site.place.candidate.kind == Kind::Depth)
                && around(places, inner).any(|outer| outer == index)
        };
        if by_words && (0..places.len()).any(holds) {
            places[index].decide(Verdict::Holds, "", "");
        }
    }
}

/// The methods of the sites within a place.
pub(super) fn methods_within(places: &[Named], outer: usize) -> BTreeSet<String> {
    let inner = (outer + 1..places.len())
        .take_while(|inner| places[*inner].place.search == places[outer].place.search);
    let sites = inner.filter(|inner| {
        places[*inner].verdict == Verdict::Site && around(places, *inner).any(|place| place == outer)
    });
    sites.map(|inner| places[inner].method.clone()).collect()
}

/// What is within a site is part of it; what is within what must not be switched must not be either.
pub(super) fn nested(places: &mut [Named]) {
    for index in 0..places.len() {
        let chain: Vec<usize> = around(places, index).collect();
        if matches!(places[index].verdict, Verdict::Site | Verdict::Unnamed)
            && let Some(&outer) = chain.iter().find(|outer| places[**outer].verdict == Verdict::Site)
        {
            let method = places[outer].method.clone();
            let returns = places[index].place.candidate.deep.contains("return");
            let reduces = matches!(
                places[index].place.candidate.kind,
                Kind::Depth | Kind::Term | Kind::Choice | Kind::Gate
            );
            let place = &mut places[index];
            let part_of = match method.as_str() {
                "null-move" | "probcut" | "razoring" | "iir" => Some(method),
                "lmr" if reduces => Some(method),
                "singular" if returns => Some("multi-cut".to_owned()),
                "singular" => Some(if place.method == "multi-cut" { "multi-cut".to_owned() } else { method }),
                _ if method == place.method || place.verdict == Verdict::Unnamed => Some(method),
                _ => None,
            };
            if let Some(method) = part_of {
                (place.verdict, place.method) = (Verdict::Part, method);
            }
        }
        if let Some(outer) = chain.iter().find(|outer| places[**outer].verdict == Verdict::Never) {
            let reason = places[*outer].evidence.first().cloned().unwrap_or_default();
            let reason = reason.strip_prefix("within what is never switched: ").unwrap_or(&reason).to_owned();
            if !matches!(places[index].verdict, Verdict::Never | Verdict::Nothing) {
                places[index].decide(Verdict::Never, "", format!("within what is never switched: {reason}"));
            }
        }
    }
}

/// The cuts by the table: its returns, with the conditions around them that do nothing else.
pub(super) fn table_cuts(program: &Program<'_>, places: &mut [Named]) {
    for method in ["tt-cutoff", "qs-tt-cutoff"] {
        let cuts: Vec<usize> = (0..places.len())
            .filter(|index| {
                places[*index].method == method
                    && matches!(places[*index].verdict, Verdict::Site | Verdict::Part)
            })
            .collect();
        let holds_other_cut =
            |index: usize| cuts.iter().any(|inner| around(places, *inner).any(|outer| outer == index));
        let mut tops = BTreeSet::new();
        for &cut in &cuts {
            if !places[cut].place.candidate.direct.contains("return") {
                if !holds_other_cut(cut) {
                    tops.insert(cut);
                }
                continue;
            }
            let mut top = cut;
            while let Some(outer) = places[top]
                .place
                .around
                .filter(|outer| cuts.contains(outer) && only_decides(program, &places[*outer]))
            {
                top = outer;
            }
            tops.insert(top);
        }
        for cut in cuts {
            let within = around(places, cut).any(|outer| tops.contains(&outer));
            if tops.contains(&cut) && !within {
                places[cut].verdict = Verdict::Site;
            } else if within {
                places[cut].verdict = Verdict::Part;
            } else {
                places[cut].decide(Verdict::Holds, "", "");
            }
        }
    }
}

/// Whether there is nothing in a body but conditions, returns, and the window drawn in. What takes the table's move does more.
fn only_decides(program: &Program<'_>, place: &Named) -> bool {
    let tree = program.searching[place.place.search].tree;
    let statements = tree.statements(place.place.candidate.body);
    let decides = |statement: &Id| {
        matches!(tree.syntax(tree.bare(*statement)), Syntax::If | Syntax::Return | Syntax::Switch)
    };
    let prepares = |statement: &Id| {
        let statement = tree.bare(*statement);
        let is_move = |target: &str| ["move", "mov", "mv"].iter().any(|end| flat(target).ends_with(end));
        tree.is(statement, Syntax::Declaration)
            || tree
                .assigned(statement)
                .is_some_and(|assigned| assigned.operator == "init" || !is_move(&assigned.target))
    };
    let narrows = place.place.facts.set.contains("narrows-window");
    statements.len() == 1 && statements.iter().all(decides)
        || narrows && statements.iter().all(|statement| decides(statement) || prepares(statement))
}

/// A condition around sites of other methods is no site, unless its own search is seen.
pub(super) fn gates_around_others(places: &mut [Named]) {
    for index in 0..places.len() {
        let place = &places[index];
        let searches = place.shaped && SEARCHING.contains(&place.method.as_str());
        if place.verdict == Verdict::Site && place.place.candidate.kind == Kind::Gate && !searches {
            let mut inner = methods_within(places, index);
            inner.remove(&places[index].method);
            if !inner.is_empty() {
                places[index].decide(Verdict::Holds, "", "");
            }
        }
    }
}

/// Several reductions that exclude each other, with nothing but depths around them: the condition around them all is the switch.
pub(super) fn gates_of_reductions(places: &mut [Named]) {
    for index in 0..places.len() {
        let gate = &places[index];
        let only_depths = gate.place.candidate.deep == BTreeSet::from(["depth"]);
        if gate.verdict != Verdict::Holds || gate.place.candidate.kind != Kind::Gate || !only_depths {
            continue;
        }
        let inner: Vec<usize> = (index + 1..places.len())
            .filter(|inner| places[*inner].place.around == Some(index) && places[*inner].is_site_of("lmr"))
            .collect();
        if inner.len() > 1 {
            let first = &places[inner[0]];
            let (points, evidence, worded) = (first.points.clone(), first.evidence.clone(), first.worded);
            let gate = &mut places[index];
            (gate.verdict, gate.method, gate.shaped) = (Verdict::Site, "lmr".to_owned(), true);
            (gate.points, gate.evidence, gate.worded) = (points, evidence, worded);
            inner.into_iter().for_each(|inner| places[inner].verdict = Verdict::Part);
        }
    }
}

/// Where a reduction is made, what only changes it is part of it; a flag that a condition asks is switched there.
pub(super) fn parts_of_reductions(program: &Program<'_>, places: &mut [Named]) {
    for search in 0..program.searching.len() {
        let own_places: Vec<usize> =
            (0..places.len()).filter(|index| places[*index].place.search == search).collect();
        for method in ["move-count", "futility", "history"] {
            let asked: Vec<String> = own_places
                .iter()
                .map(|index| &places[*index])
                .filter(|place| {
                    place.is_site_of(method) && matches!(place.place.candidate.kind, Kind::Skip | Kind::Flag)
                })
                .flat_map(|place| place.place.facts.asked.clone())
                .collect();
            for &index in &own_places {
                let place = &mut places[index];
                if place.is_site_of(method)
                    && place.place.candidate.kind == Kind::FlagValue
                    && asked.contains(&place.place.facts.target)
                {
                    place.verdict = Verdict::Part;
                }
            }
        }
        let (shaped, others): (Vec<usize>, Vec<usize>) = own_places
            .iter()
            .filter(|index| places[**index].is_site_of("lmr"))
            .partition(|index| places[**index].shaped);
        let (tree, lexicon) = (program.searching[search].tree, program.searching[search].lexicon);
        // The other arm of a reduction is one as well: without it the first would go on to reduce.
        let is_other_arm = |places: &[Named], index: usize| {
            tree.field(places[index].place.candidate.node, "alternative").is_some_and(|alternative| {
                shaped.iter().any(|arm| tree.contains(alternative, places[*arm].place.candidate.node))
            })
        };
        if !shaped.is_empty() {
            for index in others {
                if !is_other_arm(places, index) {
                    places[index].verdict = Verdict::Part;
                }
            }
        }
        for &index in &own_places {
            let place = &mut places[index];
            let candidate = &place.place.candidate;
            let changes = || {
                tree.assignments(candidate.body).any(|(_, assigned)| {
                    program.searching[search].depths.contains(&assigned.target)
                        && lexicon.is(&assigned.target, "reduction")
                })
            };
            let of_reduction = match candidate.kind {
                Kind::Term => lexicon.is(&place.place.facts.target, "reduction"),
                Kind::Depth => place.place.facts.set.contains("in-loop") && changes(),
                _ => false,
            };
            if place.verdict == Verdict::Unnamed && of_reduction {
                (place.verdict, place.method) = (Verdict::Part, "lmr".to_owned());
            }
        }
    }
}

pub(super) fn unconditional(program: &Program<'_>, places: &mut Vec<Named>) {
    for (search, searching) in program.searching.iter().enumerate() {
        let has_condition = places
            .iter()
            .any(|place| place.place.search == search && place.is_site_of("lmr") && place.shaped);
        if searching.role != Role::Search || has_condition {
            continue;
        }
        let Some(main_loop) = searching.main_loop else { continue };
        let tree = searching.tree;
        let subtracted = subtracted(searching, main_loop);
        let (mut new, mut seen) = (Vec::new(), BTreeSet::new());
        for (id, target, value) in &searching.assignments {
            let Some(value) = value.filter(|_| tree.contains(main_loop, *id) && subtracted.contains(target))
            else {
                continue;
            };
            let plain = tree.assigned(*id).is_some_and(|assigned| matches!(assigned.operator, "=" | "init"));
            let taken =
                places.iter().any(|place| place.place.search == search && place.place.candidate.node == *id);
            if plain && !taken && !is_constant(&tree.text(value)) && seen.insert(*id) {
                new.push(site(search, *id, value, neutral(program, searching, main_loop, target), target));
            }
        }
        places.extend(new);
    }
}

/// The variables that are subtracted from the depth of searches of moves, or are called reductions.
fn subtracted(searching: &Searching<'_>, main_loop: Id) -> BTreeSet<String> {
    let (tree, lexicon) = (searching.tree, searching.lexicon);
    let mut names = BTreeSet::new();
    for (_, argument) in searching.depth_arguments.iter().filter(|(call, _)| tree.contains(main_loop, **call))
    {
        for id in tree.walk(*argument).filter(|id| tree.is(*id, Syntax::Binary) && tree.operator(*id) == "-")
        {
            let Some(right) = tree.field(id, "right") else { continue };
            let is_plain = |name: &String| {
                let name_flat = flat(name);
                !name_flat.contains("ext")
                    && !name_flat.contains("depth")
                    && !name_flat.contains("ply")
                    && name.bytes().any(|byte| byte.is_ascii_lowercase())
            };
            names.extend(tree.operands(right).into_iter().filter(is_plain));
        }
    }
    let in_loop = searching.assignments.iter().filter(|(id, ..)| tree.contains(main_loop, *id));
    names.extend(
        in_loop
            .filter(|(_, target, _)| lexicon.is(target, "reduction-name"))
            .map(|(_, target, _)| target.clone()),
    );
    names
}

/// What is subtracted where nothing is reduced: a ply, where that is within the sum of the other searches.
fn neutral(program: &Program<'_>, searching: &Searching<'_>, main_loop: Id, target: &str) -> &'static str {
    let of_function = |other: &Searching<'_>| -> Vec<String> {
        other.depth_arguments.values().map(|argument| other.tree.packed(*argument)).collect()
    };
    let everywhere: Vec<String> = program.searching.iter().flat_map(of_function).collect();
    let minus = format!("-{target}");
    let without: Vec<String> = everywhere
        .iter()
        .filter(|text| text.contains(&minus))
        .map(|text| text.replace(&minus, "").replace("-()", ""))
        .collect();
    let takes_ply =
        |text: &String| ["-1", "-(1", "-ONE_PLY", "-one_ply"].iter().any(|ply| text.contains(ply));
    let in_loop =
        searching.depth_arguments.iter().filter(|(call, _)| searching.tree.contains(main_loop, **call));
    let ends_with_ply = in_loop
        .map(|(_, argument)| searching.tree.packed(*argument))
        .any(|text| text.ends_with("-1") || text.to_ascii_uppercase().ends_with("-ONE_PLY"));
    let whole = without.iter().any(|text| everywhere.contains(text) || takes_ply(text));
    if !without.is_empty() && !whole && ends_with_ply { "1" } else { "0" }
}

fn site(search: usize, node: Id, value: Id, neutral: &'static str, target: &str) -> Named {
    let candidate = Candidate { neutral, ..plain(node, value, value, Kind::Reduction) };
    let set = BTreeSet::from(["in-loop".to_owned()]);
    let facts = Facts { set, target: target.to_owned(), ..Facts::default() };
    Named {
        place: Place { search, candidate, comments: Comments::default(), facts, around: None },
        verdict: Verdict::Site,
        method: "lmr".to_owned(),
        evidence: vec!["a reduction without a condition".to_owned()],
        points: vec![("lmr".to_owned(), 6.0)],
        shaped: true,
        worded: false,
    }
}
