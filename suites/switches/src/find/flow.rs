//! What the variables of a searching function are for, by their names and by what flows into them.

use std::collections::{BTreeMap, BTreeSet};

use super::functions::{Function, Role};
use super::{Lexicon, words};
use crate::parse::{Id, Syntax, Tree};

/// A function that searches, with its variables.
pub(crate) struct Searching<'a> {
    pub(crate) function: &'a Function,
    pub(crate) tree: &'a Tree,
    pub(crate) lexicon: &'a Lexicon<'a>,
    pub(crate) role: Role,
    /// The calls of searches in it.
    pub(crate) searches: Vec<Id>,
    /// The loop over moves: the widest that searches.
    pub(crate) main_loop: Option<Id>,
    /// All loops that search and are in no branch: a node may first choose depths for its moves and then search them.
    pub(crate) move_loops: Vec<Id>,
    /// Variables that make up the depth of a search.
    pub(crate) depths: BTreeSet<String>,
    /// Variables that take what a search returned.
    pub(crate) scores: BTreeSet<String>,
    /// Variables that hold what an evaluation says, by whatever name.
    pub(crate) values: BTreeSet<String>,
    /// Variables that are beta and more.
    pub(crate) raised: BTreeSet<String>,
    /// Variables that hold what the table of positions says.
    pub(crate) table: BTreeSet<String>,
    /// Variables that say whether moves are skipped.
    pub(crate) flags: BTreeSet<String>,
    /// Of calls of searches, the argument that is the depth.
    pub(crate) depth_arguments: BTreeMap<Id, Id>,
    /// What is assigned in its body, in order: the node, the name, the value.
    pub(crate) assignments: Vec<(Id, String, Option<Id>)>,
}

impl Searching<'_> {
    pub(crate) fn body(&self) -> Id {
        self.function.body
    }

    pub(crate) fn is_in_loop(&self, id: Id) -> bool {
        self.move_loops.iter().any(|moves| *moves < id && self.tree.contains(*moves, id))
    }

    /// The calls of searches below a node.
    pub(crate) fn searches_in(&self, id: Id) -> &[Id] {
        within(&self.searches, &self.tree.all(id))
    }
}

/// The part of a sorted list that is in a range.
fn within<'a>(list: &'a [Id], range: &std::ops::Range<Id>) -> &'a [Id] {
    let first = list.partition_point(|id| *id < range.start);
    &list[first..list.partition_point(|id| *id < range.end).max(first)]
}

/// The position of the depth among the arguments of each search.
pub(crate) fn depth_positions(
    functions: &[Function],
    trees: &[Tree],
    search_functions: &[(usize, Role)],
    names: &BTreeSet<String>,
    lexicon: &Lexicon<'_>,
) -> BTreeMap<String, usize> {
    let mut positions = BTreeMap::new();
    for function in functions
        .iter()
        .filter(|function| names.contains(&function.name) && function.has_parameter(lexicon, "window"))
    {
        let takes_self =
            function.parameters.first().is_some_and(|parameter| parameter.iter().any(|word| word == "self"));
        let is_depth = |(_, parameter): &(usize, &Vec<String>)| lexicon.any(parameter, "depth");
        let at: Vec<usize> = function
            .parameters
            .iter()
            .enumerate()
            .filter(is_depth)
            .map(|(index, _)| index - usize::from(takes_self && index > 0))
            .collect();
        let Some(&first) = at.first() else { continue };
        if at.len() > 1 && !positions.contains_key(&function.name) {
            // Of several the one that changes from call to call.
            let changes = search_functions.iter().find_map(|(index, _)| {
                let (caller, tree) = (&functions[*index], &trees[functions[*index].tree]);
                tree.calls(caller.body).filter(|call| tree.callee(*call) == function.name).find_map(|call| {
                    let arguments = tree.arguments(call);
                    at.iter().copied().find(|at| {
                        arguments.get(*at).is_some_and(|argument| {
                            words(&tree.text(*argument)).len() != 1
                                || tree.packed(*argument).len() != words(&tree.text(*argument))[0].len()
                        })
                    })
                })
            });
            if let Some(changing) = changes {
                positions.insert(function.name.clone(), changing);
            }
        }
        positions.entry(function.name.clone()).or_insert(first);
    }
    positions
}

/// Reads a function that searches.
pub(crate) fn searching<'a>(
    function: &'a Function,
    tree: &'a Tree,
    role: Role,
    names: &BTreeSet<String>,
    positions: &BTreeMap<String, usize>,
    lexicon: &'a Lexicon<'a>,
) -> Searching<'a> {
    let body = function.body;
    let calls: Vec<Id> = tree.calls(body).collect();
    let searches: Vec<Id> =
        calls.iter().copied().filter(|call| names.contains(&tree.callee(*call))).collect();
    let assignments: Vec<_> =
        tree.assignments(body).map(|(id, assigned)| (id, assigned.target, assigned.value)).collect();
    let mut read = Searching {
        function,
        tree,
        lexicon,
        role,
        searches,
        main_loop: None,
        move_loops: Vec::new(),
        depths: BTreeSet::new(),
        scores: BTreeSet::new(),
        values: BTreeSet::new(),
        raised: BTreeSet::new(),
        table: BTreeSet::new(),
        flags: BTreeSet::new(),
        depth_arguments: BTreeMap::new(),
        assignments,
    };
    let loops: Vec<Id> =
        tree.each(body, Syntax::Loop).filter(|id| !read.searches_in(*id).is_empty()).collect();
    // Of equally wide ones the first.
    read.main_loop = loops.iter().copied().max_by_key(|id| (tree.span(*id).len(), std::cmp::Reverse(*id)));
    let in_branch =
        |id: &Id| tree.around(*id).take_while(|outer| *outer > body).any(|outer| tree.is(outer, Syntax::If));
    read.move_loops = loops.into_iter().filter(|id| Some(*id) == read.main_loop || !in_branch(id)).collect();
    for &call in &read.searches {
        let arguments = tree.arguments(call);
        if let Some(&argument) = positions.get(&tree.callee(call)).and_then(|at| arguments.get(*at)) {
            read.depth_arguments.insert(call, argument);
            read.depths
                .extend(tree.operands(argument).into_iter().filter(|name| !lexicon.is(name, "not-depth")));
        }
    }
    for _ in 0..2 {
        for (_, target, value) in &read.assignments {
            if let Some(value) = value.filter(|_| read.depths.contains(target)) {
                let made_of = tree
                    .operands(value)
                    .into_iter()
                    .filter(|name| lexicon.is(name, "depth-part") && !lexicon.is(name, "not-depth"));
                read.depths.extend(made_of);
            }
        }
    }
    // By name: extensions and reductions are depth even where the flow is not seen.
    for (_, target, _) in &read.assignments {
        if lexicon.is(target, "depth-name")
            && (!lexicon.is(target, "not-depth") || super::flat(target).contains("exten"))
        {
            read.depths.insert(target.clone());
        }
    }
    for (_, target, value) in &read.assignments {
        if lexicon.is(target, "flag") {
            read.flags.insert(target.clone());
        }
        let Some(value) = *value else { continue };
        if !read.searches_in(value).is_empty() || is_turned_around(tree, value, lexicon) {
            read.scores.insert(target.clone());
        }
        // A value that was kept in the table is a value.
        let is_probe = |call: &Id| {
            let name = tree.callee(*call);
            lexicon.is(&name, "table-call")
                && !lexicon.is(&name, "eval")
                && !lexicon.any(&tree.path_of(*call), "tablebase")
        };
        // What is chosen between the table and an evaluation is a value too.
        let is_value = lexicon.is(target, "eval")
            || lexicon.is(target, "value-name")
                && matches!(tree.syntax(tree.unwrapped(value)), Syntax::Choice | Syntax::If);
        if !is_value && within(&calls, &tree.all(value)).iter().any(is_probe) {
            read.table.insert(target.clone());
        }
    }
    let is_evaluation = |call: &Id| {
        let name = tree.callee(*call);
        lexicon.is(&name, "eval") && !lexicon.is(&name, "table-call") && !lexicon.is(&name, "from-table")
    };
    // What begins as an evaluation stays one, though the table may improve it.
    let is_eval = |value: Id| {
        let value = tree.unwrapped(value);
        tree.is(value, Syntax::Identifier)
            && lexicon.is(&tree.text(value), "eval")
            && !lexicon.is(&tree.text(value), "table")
    };
    let is_other =
        |name: &str| ["value-name", "window", "not-value"].iter().any(|class| lexicon.is(name, class));
    let values = read.assignments.iter().filter(|(_, target, value)| {
        !is_other(target)
            && !read.scores.contains(target)
            && value.is_some_and(|value| {
                is_eval(value) || within(&calls, &tree.all(value)).iter().any(is_evaluation)
            })
    });
    read.values = values.map(|(_, target, _)| target.clone()).filter(|name| !name.is_empty()).collect();
    let is_raised = |value: Id| {
        let value = tree.unwrapped(value);
        let left = tree.field(value, "left").filter(|left| tree.is(*left, Syntax::Identifier));
        tree.is(value, Syntax::Binary)
            && tree.operator(value) == "+"
            && left.is_some_and(|left| lexicon.is(&tree.text(left), "beta"))
    };
    let raised = read.assignments.iter().filter(|(.., value)| value.is_some_and(is_raised));
    read.raised = raised.map(|(_, target, _)| target.clone()).collect();
    for id in tree.walk(function.node) {
        match tree.syntax(id) {
            Syntax::Declaration | Syntax::Parameter if is_entry(tree, id, lexicon) => {
                let names = tree
                    .children(id)
                    .skip(1)
                    .map(|child| tree.base(tree.field(child, "declarator").unwrap_or(child)));
                read.table.extend(names.filter(|name| !name.is_empty()));
            }
            Syntax::LetCondition => {
                let Some(value) = tree.field(id, "value") else { continue };
                let names = tree.identifiers(value);
                if lexicon.any(&names, "table") || names.iter().any(|name| lexicon.is(name, "table-call")) {
                    let bound = tree.field(id, "pattern").map(|pattern| tree.identifiers(pattern));
                    let is_variable = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase());
                    read.table.extend(bound.into_iter().flatten().filter(is_variable));
                }
            }
            Syntax::Call if lexicon.is(&tree.callee(id), "pick") => {
                read.flags.extend(tree.given(id).into_iter().filter(|name| lexicon.is(name, "flag")));
            }
            _ => {}
        }
    }
    // What is taken from an entry as it is, but for values.
    let of_entry = |value: Id| {
        let value = tree.unwrapped(value);
        tree.is(value, Syntax::Member)
            && tree.field(value, "argument").or_else(|| tree.field(value, "value")).is_some_and(|entry| {
                tree.is(entry, Syntax::Identifier) && read.table.contains(&*tree.text(entry))
            })
    };
    let is_value =
        |target: &str| ["eval", "value-name", "depth"].iter().any(|class| lexicon.is(target, class));
    let taken =
        read.assignments.iter().filter(|(_, target, value)| !is_value(target) && value.is_some_and(of_entry));
    let taken: Vec<String> = taken.map(|(_, target, _)| target.clone()).collect();
    read.table.extend(taken);
    read
}

/// Whether a declaration is of a type that holds what the table says.
fn is_entry(tree: &Tree, declaration: Id, lexicon: &Lexicon<'_>) -> bool {
    tree.field(declaration, "type")
        .is_some_and(|kind| words(&tree.text(kind)).iter().any(|word| lexicon.is(word, "table-type")))
}

/// Whether a value is what a call returned that was given a window, with a minus in front of it or by a name of searches: a
/// search too, be it one of fixed depth.
pub(crate) fn is_turned_around(tree: &Tree, value: Id, lexicon: &Lexicon<'_>) -> bool {
    let value = tree.unwrapped(value);
    let minus = tree.is(value, Syntax::Unary) && tree.operator(value) == "-";
    let call = if minus { tree.children(value).next().map(|call| tree.unwrapped(call)) } else { Some(value) };
    let Some(call) = call.filter(|call| tree.is(*call, Syntax::Call)) else { return false };
    (minus || lexicon.is(&tree.callee(call), "search-name")) && lexicon.any(&tree.given(call), "alphabeta")
}
