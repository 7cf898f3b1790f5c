//! The functions of a program, and which of them search: those that are given a window or a depth and come back to themselves.
//!
//! Some loops over moves are no loop of the language: a function that calls a closure for every move, and one that a loop calls for every
//! move. What searches in it is the loop, and what it returns leads to the next move or ends it.

use super::{Lexicon, flat, words};
use crate::parse::{Id, Syntax, Tree};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A function of the source.
pub(crate) struct Function {
    /// Its file: a position in the list of trees.
    pub(crate) tree: usize,
    pub(crate) node: Id,
    pub(crate) name: String,
    /// The words of each parameter.
    pub(crate) parameters: Vec<Vec<String>>,
    pub(crate) body: Id,
    /// The names of what it calls.
    pub(crate) calls: BTreeSet<String>,
}

/// What part a function has in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is given a depth and a window and comes back to itself.
    Search,
    /// It ends the search.
    Quiescence,
    /// It is on the way from one search to the next.
    Helper,
    /// It says by how much a search is deeper or less deep.
    Amount,
    /// It says which move a quiescence search tries next, and no other search asks it.
    Picker,
}

impl Function {
    pub(crate) fn has_parameter(&self, lexicon: &Lexicon<'_>, class: &str) -> bool {
        self.parameters.iter().any(|parameter| lexicon.any(parameter, class))
    }

    /// Whether it is given a window: a bound, or both in one value.
    fn has_bounds(&self, lexicon: &Lexicon<'_>) -> bool {
        self.has_parameter(lexicon, "alphabeta") || self.has_parameter(lexicon, "both-bounds")
    }
}

/// All functions with a body.
pub(crate) fn functions(trees: &[Tree]) -> Vec<Function> {
    let mut functions = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        for node in tree.walk(0).filter(|id| tree.is(*id, Syntax::Function)) {
            let Some(body) = tree.field(node, "body") else { continue };
            let (name, parameters) = name_and_parameters(tree, node);
            if name.is_empty() {
                continue;
            }
            let parameters = parameters
                .map(|list| tree.children(list).map(|child| parameter(tree, child)).collect())
                .unwrap_or_default();
            let calls = tree.calls(body).map(|call| tree.callee(call)).collect();
            functions.push(Function { tree: index, node, name, parameters, body, calls });
        }
    }
    functions
}

/// The words of a parameter: of Rust those of its name, of C its last two, for its type may have words of its own.
fn parameter(tree: &Tree, id: Id) -> Vec<String> {
    let text = tree.text(id);
    if let Some(pattern) = tree.field(id, "pattern") {
        return words(&tree.text(pattern)).into_iter().map(str::to_owned).collect();
    }
    let declared = text.split('=').next().unwrap_or_default();
    let all = words(declared);
    all[all.len().saturating_sub(2)..].iter().map(|word| (*word).to_owned()).collect()
}

fn name_and_parameters(tree: &Tree, node: Id) -> (String, Option<Id>) {
    if let Some(name) = tree.field(node, "name") {
        return (tree.text(name).into_owned(), tree.field(node, "parameters"));
    }
    let mut declarator = tree.field(node, "declarator");
    while let Some(id) = declarator.filter(|id| tree.kind(*id) != "function_declarator") {
        declarator = tree
            .field(id, "declarator")
            .or_else(|| tree.children(id).find(|child| tree.kind(*child).contains("declarator")));
    }
    let Some(declarator) = declarator else { return (String::new(), None) };
    let text =
        tree.field(declarator, "declarator").map(|name| tree.text(name).into_owned()).unwrap_or_default();
    let last = text.rsplit("::").next().unwrap_or_default();
    let name = last.split('<').next().unwrap_or_default().trim().to_owned();
    (name, tree.field(declarator, "parameters"))
}

/// The functions that search, by their position, with their parts; and the names by which searches are called.
pub(crate) fn searching(
    functions: &[Function],
    trees: &[Tree],
    lexicon: &Lexicon<'_>,
) -> (Vec<(usize, Role)>, BTreeSet<String>) {
    // Only those that are given a window or a depth count on the way: a search that reads commands, which start searches, is no circle.
    let mut by_name = BTreeMap::<&str, Vec<usize>>::new();
    for (index, function) in functions.iter().enumerate() {
        if function.has_parameter(lexicon, "window") {
            by_name.entry(&function.name).or_default().push(index);
        }
    }
    let names: Vec<&str> = by_name.keys().copied().collect();
    let number: HashMap<&str, usize> =
        names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let callees = |name: &&str| {
        let calls: BTreeSet<usize> = by_name[name]
            .iter()
            .flat_map(|index| &functions[*index].calls)
            .filter_map(|call| number.get(call.as_str()).copied())
            .collect();
        calls.into_iter().collect::<Vec<_>>()
    };
    let graph: Vec<Vec<usize>> = names.iter().map(callees).collect();
    let circles = circles(&graph);
    let mut circle_of = vec![0; names.len()];
    for (index, circle) in circles.iter().enumerate() {
        for &member in circle {
            circle_of[member] = index;
        }
    }
    let is_recursive =
        |member: usize| circles[circle_of[member]].len() > 1 || graph[member].contains(&member);
    let is_core = |index: usize| {
        let function = &functions[index];
        let Some(&member) = number.get(function.name.as_str()) else { return false };
        let circle = &circles[circle_of[member]];
        is_recursive(member)
            && function.has_bounds(lexicon)
            && function
                .calls
                .iter()
                .any(|call| number.get(call.as_str()).is_some_and(|callee| circle.contains(callee)))
    };
    let cores: BTreeSet<usize> =
        by_name.values().flatten().copied().filter(|index| is_core(*index)).collect();
    let mut searched: BTreeSet<usize> =
        cores.iter().map(|index| circle_of[number[functions[*index].name.as_str()]]).collect();
    // Probes of tables search too.
    searched.retain(|circle| !circles[*circle].iter().any(|member| lexicon.is(names[*member], "not-search")));
    let search_names: BTreeSet<String> = (0..names.len())
        .filter(|member| is_recursive(*member) && searched.contains(&circle_of[*member]))
        .map(|member| names[member].to_owned())
        .collect();
    let mut search_functions = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        if !search_names.contains(&function.name) || !function.has_parameter(lexicon, "window") {
            continue;
        }
        let role = if !cores.contains(&index) {
            // Iterative deepening is no part, though its name may be that of the search: it is given no window.
            if !function.has_bounds(lexicon) {
                continue;
            }
            Role::Helper
        } else if is_quiescence(&function.name, lexicon) || !function.has_parameter(lexicon, "depth") {
            Role::Quiescence
        } else {
            Role::Search
        };
        if lexicon.any(&trees[function.tree].identifiers(function.node), "alphabeta") {
            search_functions.push((index, role));
        }
    }
    let called: BTreeSet<&str> =
        search_functions.iter().flat_map(|(index, _)| &functions[*index].calls).map(String::as_str).collect();
    let is_amount = |function: &Function| {
        called.contains(function.name.as_str())
            && !search_names.contains(&function.name)
            && (lexicon.is(&function.name, "extension") || lexicon.is(&function.name, "reduction"))
    };
    let called_by = |is: fn(Role) -> bool| -> BTreeSet<&str> {
        let callers = search_functions.iter().filter(|(_, role)| is(*role));
        callers.flat_map(|(index, _)| &functions[*index].calls).map(String::as_str).collect()
    };
    let (by_quiescence, by_others) =
        (called_by(|role| role == Role::Quiescence), called_by(|role| role != Role::Quiescence));
    let is_picker = |function: &Function| {
        let name = function.name.as_str();
        lexicon.is(name, "pick")
            && by_quiescence.contains(name)
            && !by_others.contains(name)
            && !function.has_parameter(lexicon, "window")
            && functions.iter().filter(|other| other.name == name).count() == 1
    };
    let role = |function: &Function| {
        let amount = is_amount(function).then_some(Role::Amount);
        amount.or_else(|| is_picker(function).then_some(Role::Picker))
    };
    let others: Vec<(usize, Role)> =
        functions.iter().enumerate().filter_map(|(index, function)| Some((index, role(function)?))).collect();
    search_functions.extend(others);
    (search_functions, search_names)
}

fn is_quiescence(name: &str, lexicon: &Lexicon<'_>) -> bool {
    let lower = name.to_ascii_lowercase();
    lexicon.is(name, "quiescence-name")
        || lower.starts_with("q_s")
        || lower.starts_with("qs")
        || lower.contains("_qs")
        || flat(name) == "quiesce"
}

/// The strongly connected components of a graph (Kosaraju), without recursion.
fn circles(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); graph.len()];
    for (caller, callees) in graph.iter().enumerate() {
        callees.iter().for_each(|callee| callers[*callee].push(caller));
    }
    let mut seen = vec![false; graph.len()];
    let order: Vec<usize> = (0..graph.len()).flat_map(|root| reached(graph, root, &mut seen)).collect();
    let mut seen = vec![false; graph.len()];
    let circles = order.into_iter().rev().map(|root| reached(&callers, root, &mut seen));
    circles.filter(|circle| !circle.is_empty()).collect()
}

/// The nodes that are reached from one and were not seen before, each behind those that are reached from it.
fn reached(graph: &[Vec<usize>], root: usize, seen: &mut [bool]) -> Vec<usize> {
    let (mut nodes, mut open) = (Vec::new(), Vec::new());
    let mut enter = |node: usize, open: &mut Vec<(usize, usize)>| {
        if !std::mem::replace(&mut seen[node], true) {
            open.push((node, 0));
        }
    };
    enter(root, &mut open);
    while let Some((node, next)) = open.pop() {
        if let Some(&child) = graph[node].get(next) {
            open.push((node, next + 1));
            enter(child, &mut open);
        } else {
            nodes.push(node);
        }
    }
    nodes
}

/// Takes the closures of functions that search in no loop for loops, and their returns for `continue` and `break`.
pub(crate) fn loops_in_closures(trees: &mut [Tree], functions: &[Function], lexicon: &Lexicon<'_>) {
    let (search_functions, names) = searching(functions, trees, lexicon);
    for (index, _) in search_functions {
        let function = &functions[index];
        let tree = &mut trees[function.tree];
        if searching_loops(tree, function, &names).next().is_some() {
            continue;
        }
        let is_passed = |id: &Id| {
            let mut around = tree.around(*id);
            let (list, call) = (around.next(), around.next());
            call.is_some_and(|call| tree.is(call, Syntax::Call) && tree.field(call, "arguments") == list)
        };
        let passed: Vec<Id> = tree
            .each(function.body, Syntax::Closure)
            .filter(|id| is_passed(id) && searches(tree, *id, &names))
            .collect();
        for closure in passed {
            if !returns(tree, closure).is_empty() {
                take_for_loop(tree, closure);
            }
        }
    }
}

/// Takes functions that search one move, which a loop calls for every move, for loops.
pub(crate) fn loops_in_functions(trees: &mut [Tree], functions: &[Function], lexicon: &Lexicon<'_>) {
    let (search_functions, names) = searching(functions, trees, lexicon);
    let mut of_one_move = Vec::new();
    for &(index, role) in &search_functions {
        let function = &functions[index];
        let takes_move =
            function.parameters.iter().flatten().any(|word| matches!(word.as_str(), "move" | "mv" | "mov"));
        let is_called_in_loop = || {
            search_functions.iter().any(|(other, _)| {
                let (caller, tree) = (&functions[*other], &trees[functions[*other].tree]);
                let is_called = |moves: Id| tree.calls(moves).any(|call| tree.callee(call) == function.name);
                caller.name != function.name && searching_loops(tree, caller, &names).any(is_called)
            })
        };
        let has_loop = || searching_loops(&trees[function.tree], function, &names).next().is_some();
        if role == Role::Search && takes_move && !has_loop() && is_called_in_loop() {
            of_one_move.push(index);
        }
    }
    for index in of_one_move {
        take_for_loop(&mut trees[functions[index].tree], functions[index].body);
    }
}

/// Whether a search is called below a node.
fn searches(tree: &Tree, id: Id, names: &BTreeSet<String>) -> bool {
    tree.calls(id).any(|call| names.contains(&tree.callee(call)))
}

/// The loops of a function that search.
fn searching_loops<'t>(
    tree: &'t Tree,
    function: &Function,
    names: &'t BTreeSet<String>,
) -> impl Iterator<Item = Id> + 't {
    tree.each(function.body, Syntax::Loop).filter(|id| searches(tree, *id, names))
}

/// The returns of a function or closure itself.
fn returns(tree: &Tree, body: Id) -> Vec<Id> {
    tree.walk_outside(body, |syntax| matches!(syntax, Syntax::Closure | Syntax::Function))
        .filter(|id| tree.is(*id, Syntax::Return))
        .collect()
}

/// Takes a body for a loop, and its returns for `continue` and `break`.
fn take_for_loop(tree: &mut Tree, body: Id) {
    let returns = returns(tree, body);
    tree.reread(body, Syntax::Loop);
    returns.into_iter().for_each(|id| tree.reread(id, Syntax::Skip));
}
