//! Every place in a searching function that returns, skips, reduces or extends.

use std::collections::BTreeSet;

use super::flat;
use super::flow::Searching;
use super::functions::Role;
use super::patterns::IS_NO_MOVE;
use super::reading::is_constant;
use crate::Language;
use crate::parse::{Id, Syntax, Tree};
use crate::site::Kind;

/// A place, before anything is known of its method.
pub(crate) struct Candidate {
    pub(crate) node: Id,
    /// What decides.
    pub(crate) condition: Id,
    /// What else decides: of a `case` what its `switch` asks.
    pub(crate) asked: Option<Id>,
    /// What happens.
    pub(crate) body: Id,
    pub(crate) kind: Kind,
    /// What a body does itself, and what it does anywhere below it.
    pub(crate) direct: BTreeSet<&'static str>,
    pub(crate) deep: BTreeSet<&'static str>,
    /// Of a value, what stands for it when it is off.
    pub(crate) neutral: &'static str,
    /// Of one of several reasons (`||`) in a condition: which it is of how many, and of which `if`.
    pub(crate) reason: Option<Reason>,
    /// Whether it keeps a move where it is true, so that it is true when it is off.
    pub(crate) keeps: bool,
}

/// One of several reasons in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) whole: Id,
    /// From 0.
    pub(crate) at: usize,
    pub(crate) count: usize,
}

/// Conditions within more conditions than this are not looked at: no program has them, and each would be read once for every one around it.
const DEEPEST: usize = 50;

/// In the branches of how many conditions a node is.
fn depth_of(search: &Searching<'_>, node: Id) -> usize {
    let tree = search.tree;
    let holds = |outer: &Id| {
        tree.is(*outer, Syntax::If)
            && tree.field(*outer, "consequence").is_some_and(|branch| tree.contains(branch, node))
    };
    tree.around(node).filter(holds).count()
}

/// The neutral value of terms.
const NONE: &str = "0";

pub(crate) fn candidates(search: &Searching<'_>) -> Vec<Candidate> {
    let tree = search.tree;
    let mut candidates = Vec::new();
    for node in
        tree.walk_outside(search.body(), |syntax| matches!(syntax, Syntax::Closure | Syntax::Function))
    {
        match tree.syntax(node) {
            Syntax::If if depth_of(search, node) <= DEEPEST => {
                let whole = of_if(search, node);
                candidates.extend(whole.iter().flat_map(|whole| reasons(search, whole)));
                candidates.extend(whole);
                if search.role == Role::Picker {
                    candidates.extend(keeping(search, node));
                }
            }
            Syntax::Case => candidates.extend(of_case(search, node)),
            Syntax::Arm => candidates.extend(of_arm(search, node)),
            Syntax::Call => {
                if let Some(&argument) = search.depth_arguments.get(&node) {
                    candidates.extend(choices(search, argument));
                }
            }
            _ => candidates.extend(of_assignment(search, node)),
        }
    }
    // A choice within an assignment within a branch may be found from both.
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert((candidate.node, candidate.kind)));
    candidates.sort_by_key(|candidate| candidate.node);
    candidates
}

/// A candidate of which nothing else is known.
pub(crate) fn plain(node: Id, condition: Id, body: Id, kind: Kind) -> Candidate {
    Candidate {
        node,
        condition,
        asked: None,
        body,
        kind,
        direct: BTreeSet::new(),
        deep: BTreeSet::new(),
        neutral: NONE,
        reason: None,
        keeps: false,
    }
}

/// The reasons of a condition that has several and leaves moves out: whether they are of different methods is for their names to say. What
/// returns is left alone, for the table cuts for one of several bounds.
fn reasons(search: &Searching<'_>, whole: &Candidate) -> Vec<Candidate> {
    let tree = search.tree;
    if !matches!(whole.kind, Kind::Skip | Kind::Flag) {
        return Vec::new();
    }
    let conjuncts = tree.operands_of(whole.condition, "&&").into_iter();
    let mut several = conjuncts.map(|part| tree.operands_of(part, "||")).filter(|parts| parts.len() > 1);
    let Some(parts) = several.next() else { return Vec::new() };
    let count = parts.len();
    let one = |(at, part): (usize, Id)| Candidate {
        direct: whole.direct.clone(),
        deep: whole.deep.clone(),
        reason: Some(Reason { whole: whole.node, at, count }),
        ..plain(part, part, whole.body, whole.kind)
    };
    parts.into_iter().enumerate().map(one).collect()
}

/// What a picker asks of a move before it returns it.
fn keeping(search: &Searching<'_>, node: Id) -> Vec<Candidate> {
    let tree = search.tree;
    let parts = tree.condition(node).zip(tree.field(node, "consequence"));
    let Some((condition, body)) = parts else { return Vec::new() };
    let gives_move = |id: Id| {
        let returned = tree.children(id).next().map(|value| tree.packed(value).to_lowercase());
        !IS_NO_MOVE.is_match(&returned.unwrap_or_default())
    };
    let returns = |id: Id| tree.is(id, Syntax::Return) && gives_move(id);
    let statements = tree.statements(body);
    if !statements.iter().any(|statement| returns(tree.bare(*statement))) {
        return Vec::new();
    }
    let parts = tree.operands_of(condition, "&&").into_iter();
    parts.map(|part| Candidate { keeps: true, ..plain(part, part, body, Kind::Skip) }).collect()
}

fn of_if(search: &Searching<'_>, node: Id) -> Option<Candidate> {
    let tree = search.tree;
    let (condition, body) = (tree.condition(node)?, tree.field(node, "consequence")?);
    let (direct, deep) = actions(search, body);
    let first =
        [("return", Kind::Return), ("skip", Kind::Skip), ("flag", Kind::Flag), ("depth", Kind::Depth)];
    let mut kind = first.into_iter().find(|(action, _)| direct.contains(action)).map(|(_, kind)| kind);
    if kind == Some(Kind::Return) && deep.contains("search") && !only_returns(search, body)
        || matches!(kind, Some(Kind::Depth | Kind::Flag))
            && (deep.contains("search") || deep.contains("return"))
        || kind.is_none() && !deep.is_empty()
    {
        kind = Some(Kind::Gate);
    }
    let kind = kind
        .or_else(|| neutral_branch(search, node).map(|_| Kind::Choice))
        .or_else(|| narrows_window(search, body).then_some(Kind::Gate))
        .or_else(|| direct.contains("goto").then_some(Kind::Jump))?;
    let asked = table_arm(search, node).filter(|_| kind == Kind::Return);
    Some(Candidate { asked, direct, deep, ..plain(node, condition, body, kind) })
}

/// What the `match` around a place asks the table, where the place is in one of its arms and in no branch within that.
fn table_arm(search: &Searching<'_>, node: Id) -> Option<Id> {
    let tree = search.tree;
    let closed = |id: &Id| {
        matches!(
            tree.syntax(*id),
            Syntax::If | Syntax::Loop | Syntax::Arm | Syntax::Closure | Syntax::Function
        )
    };
    let arm = tree.around(node).find(closed).filter(|outer| tree.is(*outer, Syntax::Arm))?;
    let switch = tree.around(arm).find(|outer| tree.is(*outer, Syntax::Switch))?;
    tree.field(switch, "value").filter(|asked| asks_table(search, *asked))
}

/// Whether an expression asks what the table says.
fn asks_table(search: &Searching<'_>, asked: Id) -> bool {
    search.tree.identifiers(asked).iter().any(|name| {
        search.lexicon.is(name, "table")
            || search.lexicon.is(name, "table-call")
            || search.table.contains(name)
    })
}

/// A `case` that returns by itself, of a `switch` on what the table says.
fn of_case(search: &Searching<'_>, node: Id) -> Option<Candidate> {
    let tree = search.tree;
    let value = tree.field(node, "value")?;
    let returns = tree.children(node).any(|child| tree.is(child, Syntax::Return));
    let case = plain(node, value, node, Kind::Case);
    returns.then(|| of_branch(search, "condition", case)).flatten()
}

/// An arm of a `match` on what the table says that returns by itself.
fn of_arm(search: &Searching<'_>, node: Id) -> Option<Candidate> {
    let tree = search.tree;
    let (pattern, value) = (tree.field(node, "pattern")?, tree.field(node, "value")?);
    let returns =
        tree.statements(value).iter().any(|statement| tree.is(tree.bare(*statement), Syntax::Return));
    let arm = plain(node, pattern, value, Kind::Case);
    returns.then(|| of_branch(search, "value", arm)).flatten()
}

/// A returning branch, where what its `switch` or `match` asks (a field of that) is the table, and in no loop.
fn of_branch(search: &Searching<'_>, field: &str, branch: Candidate) -> Option<Candidate> {
    let tree = search.tree;
    let switch = tree.around(branch.node).find(|outer| tree.is(*outer, Syntax::Switch))?;
    let asked = tree.field(switch, field)?;
    let (direct, deep) = (BTreeSet::from(["return"]), BTreeSet::from(["return"]));
    (asks_table(search, asked) && !search.is_in_loop(branch.node)).then_some(Candidate {
        asked: Some(asked),
        direct,
        deep,
        ..branch
    })
}

fn of_assignment(search: &Searching<'_>, node: Id) -> Vec<Candidate> {
    let (tree, lexicon) = (search.tree, search.lexicon);
    let Some(assigned) = tree.assigned(node) else { return Vec::new() };
    let Some(value) = assigned.value.map(|value| tree.unwrapped(value)) else { return Vec::new() };
    let (target, is_depth) = (&assigned.target, search.depths.contains(&assigned.target));
    let extends = is_depth && lexicon.is(target, "extension");
    let alternatives = tree.operands_of(value, "||");
    // What asks a search under conditions is switched there, so that its search is not made either.
    let asks_search = || {
        tree.operands_of(value, "&&").len() > 1
            && !search.searches_in(value).is_empty()
            && !search.is_in_loop(node)
    };
    if matches!(assigned.operator, "=" | "init")
        && (search.flags.contains(target) && is_truth(search, value) || asks_search())
    {
        return vec![plain(node, value, value, Kind::FlagValue)];
    }
    if extends && alternatives.len() > 1 {
        return alternatives.into_iter().map(|part| plain(part, part, part, Kind::Extension)).collect();
    }
    // Being in check is a truth value that C adds to a depth as it is.
    let is_check = tree.language != Language::Rust
        && matches!(tree.syntax(value), Syntax::Identifier | Syntax::Call)
        && tree.identifiers(value).last().is_some_and(|name| lexicon.is(name, "check"));
    if extends && (is_truth(search, value) || is_check && matches!(assigned.operator, "=" | "init")) {
        return vec![plain(node, value, value, Kind::Extension)];
    }
    if extends
        && tree.is(value, Syntax::Call)
        && matches!(flat(&tree.callee(value)).as_str(), "max" | "stdmax" | "imax")
    {
        let other = |id: &Id| !is_constant(&tree.text(*id)) && !tree.operands(*id).contains(target);
        return tree
            .arguments(value)
            .into_iter()
            .filter(other)
            .map(|part| plain(part, part, part, Kind::Term))
            .collect();
    }
    if is_depth && value_holds_choice(search, value) {
        return choices(search, value);
    }
    if is_depth && tree.language == Language::Rust && tree.is(value, Syntax::Switch) {
        return arms(search, value);
    }
    if is_depth && matches!(assigned.operator, "+=" | "-=") && !is_alone_under_if(search, node) {
        return vec![plain(node, value, value, Kind::Term)];
    }
    Vec::new()
}

fn value_holds_choice(search: &Searching<'_>, value: Id) -> bool {
    search.tree.walk(value).any(|id| search.tree.is(id, Syntax::Choice))
}

/// Whether a branch of a choice between depths is what stands for no method: a number, or a ply less than the other branch.
pub(crate) fn is_neutral(tree: &Tree, choice: Id, branch: &str) -> bool {
    let last =
        |branch: &str| tree.field(choice, branch).and_then(|branch| tree.statements(branch).last().copied());
    let other = if branch == "alternative" { "consequence" } else { "alternative" };
    last(branch).is_some_and(|depth| {
        is_constant(&tree.text(depth)) || last(other).is_some_and(|more| is_ply_less(tree, depth, more))
    })
}

/// Whether a depth is another less one: `depth - 1` of `depth`.
fn is_ply_less(tree: &Tree, depth: Id, more: Id) -> bool {
    tree.packed(tree.unwrapped(depth)) == format!("{}-1", tree.packed(tree.unwrapped(more)))
}

/// Whether the branches of a choice are depths that are a ply apart.
pub(crate) fn is_ply_apart(tree: &Tree, choice: Id) -> bool {
    let branches = ["consequence", "alternative"]
        .map(|branch| tree.field(choice, branch).and_then(|branch| tree.statements(branch).last().copied()));
    let [Some(first), Some(second)] = branches else { return false };
    is_ply_less(tree, first, second) || is_ply_less(tree, second, first)
}

/// The choices between two depths within a value, of which one stands for no method.
fn choices(search: &Searching<'_>, value: Id) -> Vec<Candidate> {
    let tree = search.tree;
    let neutral = |id: &Id| {
        tree.is(*id, Syntax::Choice)
            && ["alternative", "consequence"].iter().any(|branch| is_neutral(tree, *id, branch))
    };
    tree.walk(value)
        .filter(neutral)
        .filter_map(|id| Some(plain(id, tree.condition(id)?, id, Kind::Choice)))
        .collect()
}

/// The arms of a `match` on what a depth is made of, which stand for a number when they are off. What only takes an extension over, and
/// what is nothing, is no place.
fn arms(search: &Searching<'_>, switch: Id) -> Vec<Candidate> {
    let (tree, lexicon) = (search.tree, search.lexicon);
    let arms = tree.walk(switch).filter(|id| {
        tree.is(*id, Syntax::Arm)
            && tree.around(*id).find(|outer| tree.is(*outer, Syntax::Switch)) == Some(switch)
    });
    let all: Vec<(Id, Id, Id)> =
        arms.filter_map(|arm| Some((arm, tree.field(arm, "pattern")?, tree.field(arm, "value")?))).collect();
    let is_float = all.iter().any(|(.., value)| tree.packed(*value) == "0.0");
    let does_nothing = |value: Id| {
        let (text, operands) = (tree.packed(value), tree.operands(value));
        matches!(text.as_str(), "0" | "0.0")
            || !operands.is_empty() && operands.iter().all(|name| lexicon.is(name, "extension"))
            || !tree.is(tree.unwrapped(value), Syntax::Block)
                && tree.walk(value).any(|id| tree.is(id, Syntax::Return))
    };
    all.into_iter()
        .filter(|(.., value)| !does_nothing(*value))
        .map(|(arm, pattern, value)| Candidate {
            asked: Some(value),
            neutral: if is_float { "0.0" } else { NONE },
            ..plain(arm, pattern, value, Kind::Choice)
        })
        .collect()
}

/// What a body does: itself, and anywhere below it.
fn actions(search: &Searching<'_>, body: Id) -> (BTreeSet<&'static str>, BTreeSet<&'static str>) {
    let (tree, lexicon) = (search.tree, search.lexicon);
    let (mut direct, mut deep) = (BTreeSet::new(), BTreeSet::new());
    for statement in tree.statements(body) {
        let statement = tree.bare(statement);
        match tree.syntax(statement) {
            Syntax::Return => drop(direct.insert("return")),
            Syntax::Skip => drop(direct.insert("skip")),
            Syntax::Goto => drop(direct.insert("goto")),
            _ => {}
        }
        let closed = |syntax| matches!(syntax, Syntax::If | Syntax::Loop | Syntax::Closure | Syntax::Switch);
        if closed(tree.syntax(statement)) {
            continue;
        }
        for id in tree.walk_outside(statement, closed) {
            if changes_depth(search, id) {
                direct.insert("depth");
            }
            let sets_flag = tree.assigned(id).is_some_and(|assigned| {
                let constant = assigned.value.is_some_and(|value| is_constant(&tree.text(value)));
                search.flags.contains(&assigned.target) && assigned.operator == "=" && constant
            });
            if sets_flag || tree.is(id, Syntax::Call) && lexicon.is(&tree.callee(id), "skip-call") {
                direct.insert("flag");
            }
        }
    }
    for id in tree.walk_outside(body, |syntax| syntax == Syntax::Closure) {
        match tree.syntax(id) {
            Syntax::Return => drop(deep.insert("return")),
            Syntax::Skip
                if !tree
                    .around(id)
                    .take_while(|outer| *outer != body)
                    .any(|outer| matches!(tree.syntax(outer), Syntax::Loop | Syntax::Switch)) =>
            {
                deep.insert("skip");
            }
            _ if changes_depth(search, id) => drop(deep.insert("depth")),
            _ => {}
        }
    }
    if !search.searches_in(body).is_empty() {
        deep.insert("search");
    }
    (direct, deep)
}

/// Whether a node changes a variable that is depth, and no field of something, whose depth may be anything.
fn changes_depth(search: &Searching<'_>, id: Id) -> bool {
    let (tree, lexicon) = (search.tree, search.lexicon);
    let Some(assigned) = tree.assigned(id) else { return false };
    if assigned.operator == "init" || !search.depths.contains(&assigned.target) {
        return false;
    }
    let left = tree.field(id, "left").or_else(|| tree.field(id, "argument"));
    left.is_none_or(|left| match tree.syntax(left) {
        Syntax::Identifier | Syntax::Paren | Syntax::Reference => true,
        _ => tree
            .identifiers(left)
            .iter()
            .any(|name| lexicon.is(name, "reduction") || lexicon.is(name, "extension")),
    })
}

/// Whether a body draws the window in: how some programs use what the table says.
pub(crate) fn narrows_window(search: &Searching<'_>, body: Id) -> bool {
    let (tree, lexicon) = (search.tree, search.lexicon);
    tree.assignments(body)
        .any(|(_, assigned)| assigned.operator != "init" && lexicon.is(&assigned.target, "alphabeta"))
}

pub(crate) fn only_returns(search: &Searching<'_>, body: Id) -> bool {
    let statements = search.tree.statements(body);
    statements.len() == 1 && search.tree.is(search.tree.bare(statements[0]), Syntax::Return)
}

fn is_truth(search: &Searching<'_>, value: Id) -> bool {
    match search.tree.syntax(value) {
        Syntax::Binary => matches!(
            search.tree.operator(value),
            "&&" | "||" | "<" | ">" | "<=" | ">=" | "==" | "!=" | "and" | "or"
        ),
        Syntax::Unary => search.tree.operator(value) == "!",
        _ => false,
    }
}

/// Whether an assignment is the only statement of an `if`, which is then the site.
fn is_alone_under_if(search: &Searching<'_>, node: Id) -> bool {
    let tree = search.tree;
    let mut outer = tree.parent(node);
    if let Some(statement) = outer.filter(|id| tree.is(*id, Syntax::Statement)) {
        outer = tree.parent(statement);
    }
    if let Some(block) = outer.filter(|id| tree.is(*id, Syntax::Block) && tree.statements(*id).len() == 1) {
        outer = tree.parent(block);
    }
    outer.is_some_and(|id| matches!(tree.syntax(id), Syntax::If | Syntax::Else))
}

/// Which branch of `let r = if c { x } else { y }` is neutral, where `r` is a depth: `then` if the condition is to be false when the site
/// is off.
pub(crate) fn neutral_branch(search: &Searching<'_>, node: Id) -> Option<&'static str> {
    let tree = search.tree;
    let holder = tree.parent(node)?;
    let assigned = tree.assigned(holder).filter(|assigned| assigned.value == Some(node))?;
    if !search.depths.contains(&assigned.target) {
        return None;
    }
    if is_neutral(tree, node, "alternative") {
        return Some("then");
    }
    let otherwise = tree.field(node, "alternative").is_some() && is_neutral(tree, node, "consequence");
    otherwise.then_some("else")
}
