//! What the other steps and the user receive: sites with their keys, their confidence, their notes and the place of their switch.

use std::collections::{BTreeMap, BTreeSet};

use super::settle::methods_within;
use super::{Named, Verdict};
use crate::Language;
use crate::find::{Candidate, Program, Role, Searching, is_neutral, neutral_branch};
use crate::parse::{Id, Parsed, Syntax, Tree, crate_roots};
use crate::rules::Rules;
use crate::site::{Confidence, Finding, Kind, Layout, Place, SearchFunction, Site, Survey};

/// Points from which a shape is sure, and the lead over the next method that it takes.
const SURE: f64 = 6.0;
const SURE_LEAD: f64 = 3.0;
/// Methods whose points differ by less are about the same.
const ABOUT: f64 = 1.0;
/// Letters of a condition that are shown.
const SHOWN: usize = 400;

pub(super) fn survey(parsed: &Parsed, program: &Program<'_>, places: &[Named], rules: &Rules) -> Survey {
    let mut survey = Survey { warnings: parsed.warnings.clone(), ..Survey::default() };
    for name in rules.methods() {
        if !survey.order.iter().any(|method| method == name) {
            survey.order.push(name.to_owned());
        }
    }
    survey.functions = program
        .searching
        .iter()
        .filter(|searching| !matches!(searching.role, Role::Amount | Role::Picker))
        .map(|searching| SearchFunction {
            file: searching.tree.path.clone(),
            line: searching.tree.row(searching.function.node) + 1,
            name: searching.function.name.clone(),
            quiescence: searching.role == Role::Quiescence,
        })
        .collect();
    let mut editions = BTreeMap::new();
    for tree in program.searching.iter().map(|searching| searching.tree) {
        let (crate_roots, edition) = if tree.language == Language::Rust {
            crate_roots(&tree.path, &parsed.crates, &parsed.trees)
        } else {
            (Vec::new(), 0)
        };
        editions.insert(tree.path.clone(), edition);
        survey.layouts.insert(tree.path.clone(), Layout { include_at: include_at(tree), crate_roots });
    }
    // By file and place; sites that a later step adds come to where they are.
    let mut order: Vec<usize> =
        (0..places.len()).filter(|index| places[*index].verdict != Verdict::Nothing).collect();
    let key = |index: &usize| {
        let searching = &program.searching[places[*index].place.search];
        (searching.tree.path.clone(), places[*index].place.candidate.node, *index)
    };
    order.sort_by_key(key);
    let new_id: BTreeMap<usize, usize> = order.iter().enumerate().map(|(id, index)| (*index, id)).collect();
    let mut sites = BTreeMap::<&str, usize>::new();
    for named in places.iter().filter(|named| named.verdict == Verdict::Site) {
        *sites.entry(&named.method).or_default() += 1;
    }
    let mut keys = BTreeMap::<String, usize>::new();
    for (id, &index) in order.iter().enumerate() {
        let named = &places[index];
        let searching = &program.searching[named.place.search];
        let (tree, candidate) = (searching.tree, &named.place.candidate);
        let mut condition = tree.plain(candidate.condition, SHOWN);
        if let Some(asked) = candidate.asked {
            condition = format!("{}: {condition}", tree.plain(asked, SHOWN));
        }
        let base = format!("{}:{}:{:08x}", tree.path, searching.function.name, hash(&condition));
        let count = keys.entry(base.clone()).or_default();
        *count += 1;
        survey.sites.push(Site {
            id,
            key: if *count == 1 { base } else { format!("{base}#{count}") },
            file: tree.path.clone(),
            line: tree.row(candidate.node) + 1,
            column: tree.column(candidate.node),
            function: searching.function.name.clone(),
            kind: candidate.kind,
            condition,
            finding: finding(places, index, &sites),
            evidence: if named.verdict == Verdict::Never {
                Vec::new()
            } else {
                named.evidence.iter().filter(|reason| !reason.is_empty()).cloned().collect()
            },
            notes: notes(searching, named),
            parent: named.place.around.and_then(|outer| new_id.get(&outer).copied()),
            place: place(searching, candidate, editions[&tree.path]),
        });
    }
    if survey.functions.is_empty() {
        survey.warnings.push("no function was found that is given a window (alpha, beta) or a depth and searches by calling itself".to_owned());
    }
    survey
}

/// What the survey reports of a place, where each method has so many sites.
fn finding(places: &[Named], index: usize, sites: &BTreeMap<&str, usize>) -> Finding {
    let named = &places[index];
    match named.verdict {
        Verdict::Site => {
            let best = named.points.first().map_or(0.0, |(_, points)| *points);
            let rivals = || named.points.iter().filter(|(method, _)| *method != named.method);
            let near: BTreeSet<&String> =
                rivals().filter(|(_, points)| best - points < ABOUT).map(|(method, _)| method).collect();
            let lead = rivals().next().map_or(f64::INFINITY, |(_, points)| best - points);
            let confidence = if !near.is_empty() {
                Confidence::OneOf(std::iter::once(&named.method).chain(near).cloned().collect())
            } else if named.shaped
                && named.worded
                && best >= SURE
                && lead >= SURE_LEAD
                && sites.get(&*named.method) == Some(&1)
            {
                Confidence::Sure
            } else {
                Confidence::Likely
            };
            Finding::Method { name: named.method.clone(), confidence }
        }
        Verdict::Part => Finding::Part { method: (!named.method.is_empty()).then(|| named.method.clone()) },
        Verdict::Unnamed => Finding::Unnamed,
        Verdict::Holds => Finding::Holds(methods_within(places, index).into_iter().collect()),
        Verdict::Never | Verdict::Nothing => {
            Finding::Never { reason: named.evidence.first().cloned().unwrap_or_default() }
        }
    }
}

/// What a reader should know before using the switch of a site.
fn notes(searching: &Searching<'_>, named: &Named) -> Vec<String> {
    let (tree, candidate) = (searching.tree, &named.place.candidate);
    let mut notes = Vec::new();
    if tree.is(candidate.node, Syntax::If)
        && let Some(alternative) = tree.field(candidate.node, "alternative")
        && matches!(named.verdict, Verdict::Site | Verdict::Part | Verdict::Unnamed)
    {
        notes.push(format!("when it is off its else in line {} runs", tree.row(alternative) + 1));
    }
    if matches!(candidate.kind, Kind::Reduction) {
        notes.push(format!(
            "nothing makes this reduction conditional: when it is off it is {}",
            candidate.neutral
        ));
    }
    notes
}

/// Where the switch of a candidate goes.
fn place(searching: &Searching<'_>, candidate: &Candidate, edition: u32) -> Place {
    let tree = searching.tree;
    let (node, condition) = (candidate.node, candidate.condition);
    let span = tree.span(condition);
    let rust = tree.language == Language::Rust;
    let has_let =
        tree.walk(condition).any(|id| matches!(tree.syntax(id), Syntax::LetCondition | Syntax::LetChain));
    match candidate.kind {
        Kind::Case if rust => guard(tree, candidate),
        Kind::Case => tree
            .children(node)
            .find(|child| *child > condition && !tree.contains(condition, *child))
            .map_or(Place::None { reason: "an empty case" }, |first| Place::Case { at: tree.start(first) }),
        _ if candidate.keeps => Place::Otherwise { span },
        Kind::FlagValue | Kind::Extension => wrapped(tree, condition),
        Kind::Term | Kind::Reduction => Place::Value { span, neutral: candidate.neutral },
        Kind::Choice if tree.is(node, Syntax::If) => match neutral_branch(searching, node) {
            Some("then") if !has_let => guarded(searching, condition),
            Some("else") if !has_let => Place::Otherwise { span },
            _ => Place::None { reason: "its condition binds a variable that its branches need" },
        },
        Kind::Choice if tree.is(node, Syntax::Arm) => {
            Place::Value { span: tree.span(candidate.body), neutral: candidate.neutral }
        }
        Kind::Choice if is_neutral(tree, node, "alternative") => guarded(searching, condition),
        Kind::Choice => Place::Otherwise { span },
        _ => {
            let text = tree.text(node);
            let binds = tree.is(condition, Syntax::Declaration)
                || tree.kind(condition).ends_with("declaration")
                || text.starts_with("if constexpr");
            let alternatives =
                has_let && tree.is(condition, Syntax::Binary) && tree.operator(condition) == "||";
            if !(binds || has_let && (edition < 2024 || alternatives)) {
                return if has_let {
                    Place::Condition { span, brackets: false, first: false }
                } else {
                    guarded(searching, condition)
                };
            }
            if tree.field(node, "alternative").is_some() {
                if let Some(asked) = some_of(tree, condition) {
                    return Place::Option { span: tree.span(asked) };
                }
                return Place::None { reason: "its condition binds a variable, and it has an else" };
            }
            Place::Body { span: tree.span(candidate.body), block: tree.is(candidate.body, Syntax::Block) }
        }
    }
}

/// What a condition asks that is nothing but `let Some(x) = E`.
fn some_of(tree: &Tree, condition: Id) -> Option<Id> {
    let pattern = tree.field(condition, "pattern").filter(|_| tree.is(condition, Syntax::LetCondition))?;
    tree.field(condition, "value").filter(|_| tree.text(pattern).starts_with("Some("))
}

/// `on && C`.
fn wrapped(tree: &Tree, condition: Id) -> Place {
    Place::Condition { span: tree.span(condition), brackets: needs_brackets(tree, condition), first: false }
}

/// `on && C`, or `C && on` where `C` does something besides answering and does not search.
fn guarded(searching: &Searching<'_>, condition: Id) -> Place {
    let tree = searching.tree;
    let does_more = |id: Id| match tree.syntax(id) {
        Syntax::Assign | Syntax::Update => true,
        Syntax::Reference => {
            let text = tree.text(id);
            if tree.language == Language::Rust { text.starts_with("&mut") } else { text.starts_with('&') }
        }
        _ => false,
    };
    let first = tree.walk(condition).any(does_more) && searching.searches_in(condition).is_empty();
    Place::Condition { span: tree.span(condition), brackets: needs_brackets(tree, condition), first }
}

/// The guard of an arm of `match`, where the arms behind it take whatever it leaves; else its body, where nothing needs its value.
fn guard(tree: &Tree, candidate: &Candidate) -> Place {
    let (arm, pattern, body) = (candidate.node, candidate.condition, candidate.body);
    if let Some(condition) = tree.field(pattern, "condition") {
        return wrapped(tree, condition);
    }
    let arms = tree.parent(arm);
    let mut later = arms.into_iter().flat_map(|arms| tree.children(arms)).filter(|other| *other > arm);
    if later.any(|other| tree.field(other, "pattern").is_some_and(|pattern| tree.text(pattern) == "_")) {
        return Place::Guard { at: tree.end(pattern) };
    }
    let whole = arms.and_then(|arms| tree.parent(arms)).and_then(|whole| tree.parent(whole));
    if whole.is_some_and(|whole| tree.is(whole, Syntax::Statement)) {
        return Place::Body { span: tree.span(body), block: tree.is(body, Syntax::Block) };
    }
    Place::None {
        reason: "its match needs a value of each arm, and no other arm takes what this one would leave",
    }
}

/// Whether an expression has to stand in brackets as an operand of `&&`.
fn needs_brackets(tree: &Tree, id: Id) -> bool {
    matches!(tree.syntax(id), Syntax::Choice | Syntax::Comma | Syntax::Assign | Syntax::Range)
        || tree.is(id, Syntax::Binary)
            && !matches!(tree.operator(id), "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "and")
}

/// Behind the last `#include` in front of the first function or namespace, so that what must come first stays first.
fn include_at(tree: &Tree) -> usize {
    let first_code = tree
        .children(0)
        .find(|id| matches!(tree.syntax(*id), Syntax::Function | Syntax::Namespace))
        .unwrap_or(usize::MAX);
    let last =
        tree.children(0).filter(|id| tree.is(*id, Syntax::Include)).take_while(|id| *id < first_code).last();
    // A mark of the encoding stays the first.
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let Some(last) = last else { return if tree.bytes.starts_with(MARK) { MARK.len() } else { 0 } };
    let end = tree.end(last);
    if tree.bytes.get(end.wrapping_sub(1)) == Some(&b'\n') {
        return end;
    }
    tree.bytes[end..].iter().position(|byte| *byte == b'\n').map_or(tree.bytes.len(), |at| end + at + 1)
}

/// FNV-1a of 32 bits: small changes elsewhere leave it alone.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
