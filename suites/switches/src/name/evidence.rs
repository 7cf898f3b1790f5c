//! Evidence, added up: points by shape, by the headline of a comment, by identifiers. No word outvotes a shape.

use std::collections::BTreeMap;

use super::{Named, Verdict};
use crate::find::patterns::{ASKED_BEFORE, ASKED_BEHIND, METHOD_BY_NAME, NUMBER_BY_NAME};
use crate::find::{Place, Program, Role, flat, headline};
use crate::parse::Syntax;
use crate::rules::Rules;
use crate::site::Kind;

/// Fewer points are no method.
const LEAST: f64 = 4.0;
/// By the first sentence of the comment above, of one beside the condition or at the beginning of the body; by words later in it.
const ABOVE: f64 = 4.0;
const NEARBY: f64 = 3.0;
const LATER: f64 = 2.0;
const LATER_BESIDE_HEADLINE: f64 = 1.0;
/// By an identifier of the condition; if that is all the condition asks; by one in the body.
const IDENTIFIER: f64 = 3.0;
const ALONE: f64 = 2.0;
const IN_BODY: f64 = 1.0;
/// By the name of a flag, and by that of a function that is the method.
const FLAG: f64 = 5.0;
const FUNCTION: f64 = 8.0;

/// The methods whose own search a comparison within them judges.
const SEARCHING: [&str; 6] = ["null-move", "probcut", "razoring", "singular", "iir", "multi-cut"];

#[derive(Default)]
struct Points(BTreeMap<String, (f64, Vec<String>)>);

impl Points {
    fn add(&mut self, method: &str, points: f64, because: impl Into<String>) {
        let entry = self.0.entry(method.to_owned()).or_default();
        entry.0 += points;
        entry.1.push(because.into());
    }
}

pub(super) fn named(program: &Program<'_>, places: Vec<Place>, rules: &Rules) -> Vec<Named> {
    let mut named = Vec::<Named>::with_capacity(places.len());
    // Of each function the last `if` that searches to a smaller depth: what is in its `else` searches to the full one.
    let mut reducing = BTreeMap::<usize, usize>::new();
    for mut place in places {
        let tree = program.searching[place.search].tree;
        let node = place.candidate.node;
        let after = tree
            .parent(node)
            .filter(|parent| tree.is(*parent, Syntax::Else))
            .and_then(|branch| tree.parent(branch));
        let after_reduction = after.is_some_and(|outer| reducing.get(&place.search) == Some(&outer));
        // The condition that a reason is of is not around it.
        let outer = match place.candidate.reason {
            Some(_) => place.around.and_then(|whole| named[whole].place.around),
            None => place.around,
        };
        let within = std::iter::successors(outer, |outer| named[*outer].place.around)
            .find(|outer| named[*outer].verdict == Verdict::Site && !named[*outer].method.is_empty())
            .map(|outer| named[outer].method.clone());
        if let Some(method) = &within {
            place.facts.set.insert(format!("within:{method}"));
        }
        let one = name(program, place, rules, after_reduction, within.as_deref());
        if one.place.facts.set.contains("shaped-lmr") {
            reducing.insert(one.place.search, node);
        }
        named.push(one);
    }
    named
}

/// A place by itself; in a function that is a method by its name, what is no switch of that is part of it.
fn name(
    program: &Program<'_>,
    place: Place,
    rules: &Rules,
    after_reduction: bool,
    within: Option<&str>,
) -> Named {
    const PROBCUT: &str = "probcut";
    let search = &program.searching[place.search];
    let function = &search.function.name;
    let mut named = by_evidence(program, place, rules, after_reduction, within);
    if search.lexicon.is(function, "raised-beta")
        && matches!(named.verdict, Verdict::Site | Verdict::Unnamed)
        && named.method != PROBCUT
    {
        named.decide(Verdict::Part, PROBCUT, format!("in {function}"));
    }
    named
}

fn by_evidence(
    program: &Program<'_>,
    mut place: Place,
    rules: &Rules,
    after_reduction: bool,
    within: Option<&str>,
) -> Named {
    let search = &program.searching[place.search];
    let kind = place.candidate.kind;
    let undecided = |place| Named {
        place,
        verdict: Verdict::Unnamed,
        method: String::new(),
        evidence: Vec::new(),
        points: Vec::new(),
        shaped: false,
        worded: false,
    };
    if let Some(rule) = rules.never.iter().find(|rule| rule.when.holds(&place.facts.set)) {
        let mut named = undecided(place);
        match within.filter(|method| rule.part_within && SEARCHING.contains(method)) {
            Some("singular") if named.place.candidate.deep.contains("return") => {
                named.decide(Verdict::Part, "multi-cut", "what the search without a move found")
            }
            Some(method) => named.decide(Verdict::Part, method, "what its search found"),
            None => named.decide(
                if rule.holds { Verdict::Holds } else { Verdict::Never },
                "",
                rule.because.clone(),
            ),
        }
        return named;
    }
    if search.role == Role::Helper || search.lexicon.is(&search.function.name, "singular") {
        let method = if search.lexicon.is(&search.function.name, "singular") { "singular" } else { "" };
        let mut named = undecided(place);
        named.decide(Verdict::Part, method, format!("in {}", search.function.name));
        return named;
    }
    let mut points = Points::default();
    let mut shaped = Vec::new();
    for shape in &rules.shapes {
        if shape.method == "lmr" && points.0.get("singular").is_none_or(|(singular, _)| *singular < FUNCTION)
        {
            let facts = &mut place.facts.set;
            if !facts.contains("excludes") && !facts.contains("any-null-move") && !after_reduction {
                facts.insert("may-reduce".to_owned());
            }
        }
        if shape.when.holds(&place.facts.set) {
            points.add(&shape.method, shape.points, shape.because.clone());
            shaped.push(shape.method.clone());
            if shape.method == "lmr" && kind == Kind::Gate {
                place.facts.set.insert("shaped-lmr".to_owned());
            }
        }
    }
    let by_function = add_function(&mut points, rules, &place);
    add_words(&mut points, rules, &place);
    let fits = |method: &str| {
        let rule = rules.methods.iter().find(|rule| rule.name == method);
        by_function.as_deref() == Some(method) || rule.is_some_and(|rule| rule.fits.holds(&place.facts.set))
    };
    let mut all: Vec<(String, f64)> = points
        .0
        .iter()
        .filter(|(method, _)| fits(method))
        .map(|(method, (sum, _))| (method.clone(), *sum))
        .collect();
    // Of equal ones the first of the vocabulary.
    let order = |method: &str| rules.methods.iter().position(|rule| rule.name == method);
    all.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(order(a).cmp(&order(b))));
    let in_quiescence = matches!(search.role, Role::Quiescence | Role::Picker);
    let mut named = undecided(place);
    if let Some((best, _)) = &all.first().filter(|(_, sum)| *sum >= LEAST).cloned() {
        named.evidence = points.0[best].1.clone();
        let by_shape = shaped.iter().filter(|method| *method == best).count();
        (named.shaped, named.worded) = (by_shape > 0, named.evidence.len() > by_shape);
        named.verdict = if best == "stand-pat" { Verdict::Never } else { Verdict::Site };
        if best == "stand-pat" {
            named.evidence = vec!["the value as it is: what a quiescence search is made of".to_owned()];
        }
        let quiescence = |method: &String| {
            rules
                .methods
                .iter()
                .find(|rule| in_quiescence && rule.name == *method)
                .and_then(|rule| rule.quiescence.as_ref())
                .unwrap_or(method)
                .clone()
        };
        named.method = if named.verdict == Verdict::Site { quiescence(best) } else { String::new() };
        all.retain(|(method, _)| method != "stand-pat");
        named.points = all.iter().map(|(method, sum)| (quiescence(method), *sum)).collect();
        return named;
    }
    if kind == Kind::Gate {
        named.verdict = Verdict::Holds;
    } else if let Some((best, _)) = all.first() {
        named.evidence = vec![format!("perhaps {best}")];
    }
    named
}

/// A function that is a method: `if let Some(score) = self.reverse_futility_pruning(...)`, `if can_apply_lmr(...)`.
fn add_function(points: &mut Points, rules: &Rules, place: &Place) -> Option<String> {
    let fits_kind = matches!(
        place.candidate.kind,
        Kind::Return | Kind::Skip | Kind::Flag | Kind::Depth | Kind::Choice | Kind::Gate
    );
    for name in place.facts.called.iter().filter(|_| fits_kind) {
        let whole = flat(name);
        let core = ASKED_BEFORE.replace(&whole, "");
        let core = &*ASKED_BEHIND.replace(&core, "");
        let is_method = core != whole || METHOD_BY_NAME.is_match(core);
        if core.is_empty() || !is_method || NUMBER_BY_NAME.is_match(&whole) {
            continue;
        }
        let gate = place.candidate.kind == Kind::Gate;
        let rule = rules.methods.iter().find(|rule| {
            (rule.name != "null-move" || core.contains("prun"))
                && rule.identifier.as_ref().is_some_and(|identifier| identifier.fits(core))
        });
        if let Some(rule) =
            rule.filter(|rule| !gate || matches!(rule.name.as_str(), "stability" | "etc" | "probcut"))
        {
            points.add(&rule.name, FUNCTION, format!("the function {name}"));
            return Some(rule.name.clone());
        }
    }
    None
}

/// What comments and identifiers say.
fn add_words(points: &mut Points, rules: &Rules, place: &Place) {
    let comments = &place.comments;
    let kind = place.candidate.kind;
    for (text, weight) in [(&comments.above, ABOVE), (&comments.beside, NEARBY), (&comments.inside, NEARBY)] {
        let first = headline(text);
        // In the order of the text: a comment names its method before it says what else there is.
        let says = |text: &str| {
            let mut named: Vec<(usize, &String)> = rules
                .methods
                .iter()
                .filter_map(|rule| Some((rule.comment.as_ref()?.place_in(text)?, &rule.name)))
                .collect();
            named.sort_by_key(|(place, _)| *place);
            named.into_iter().map(|(_, method)| method).collect::<Vec<_>>()
        };
        let head = says(&first);
        // One that names a method for each reason of a condition names them in their order.
        let reason = place.candidate.reason.filter(|reason| reason.count == head.len());
        if let Some(method) = head.get(reason.map_or(0, |reason| reason.at)) {
            points.add(method, weight, format!("its comment: \"{first}\""));
        }
        for method in says(text).into_iter().filter(|method| !head.contains(method)).take(2) {
            points.add(
                method,
                if head.is_empty() { LATER } else { LATER_BESIDE_HEADLINE },
                "a word of its comment",
            );
        }
    }
    let facts = &place.facts;
    if kind == Kind::FlagValue
        && let Some(rule) = rules.methods.iter().find(|rule| {
            rule.identifier.as_ref().is_some_and(|identifier| identifier.fits(&flat(&facts.target)))
        })
    {
        points.add(&rule.name, FLAG, format!("the name of {}", facts.target));
    }
    for rule in &rules.methods {
        let Some(identifier) = &rule.identifier else { continue };
        if let Some(name) = facts.asked.iter().find(|name| identifier.fits(&flat(name))) {
            points.add(&rule.name, IDENTIFIER, name.clone());
            if facts.asked.len() == 1 {
                points.add(&rule.name, ALONE, "nothing else is asked");
            }
        } else if matches!(kind, Kind::Gate | Kind::Return | Kind::Depth)
            && !matches!(rule.name.as_str(), "see" | "mate-distance")
            && facts.body.iter().any(|name| identifier.fits(&flat(name)))
        {
            points.add(&rule.name, IN_BODY, "a name in its body");
        }
    }
    if kind == Kind::Gate {
        // A comment at the beginning of a body may be that of the first thing in it.
        let above = headline(&comments.above);
        for (method, (sum, reasons)) in &mut points.0 {
            let by_words = reasons.iter().all(|reason| {
                reason == "a name in its body"
                    || reason == "a word of its comment"
                    || reason.starts_with("its comment")
            });
            let said_above = rules.methods.iter().any(|rule| {
                rule.name == *method && rule.comment.as_ref().is_some_and(|comment| comment.fits(&above))
            });
            if by_words && !said_above {
                *sum = sum.min(NEARBY);
            }
        }
    }
}
