//! Loops over moves that are no loop of the language: a function that calls a closure for every move, and one that a loop calls for every
//! move. What searches in it is the loop, and what it returns leads to the next move or ends it.

use super::functions::{Function, Role, searching};
use super::words::Lexicon;
use crate::parse::{Id, Syntax, Tree};

/// Takes the closures of functions that search in no loop for loops, and their returns for `continue` and `break`.
pub(crate) fn loops_in_closures(trees: &mut [Tree], functions: &[Function], lexicon: &Lexicon<'_>) {
    let (search_functions, names) = searching(functions, trees, lexicon);
    for (index, _) in search_functions {
        let function = &functions[index];
        let tree = &mut trees[function.tree];
        let searches = |tree: &Tree, id: Id| tree.calls(id).any(|call| names.contains(&tree.callee(call)));
        let has_loop = tree.walk(function.body).any(|id| tree.is(id, Syntax::Loop) && searches(tree, id));
        let is_given = |id: &Id| {
            let mut around = tree.around(*id);
            let (list, call) = (around.next(), around.next());
            tree.is(*id, Syntax::Closure)
                && call
                    .is_some_and(|call| tree.is(call, Syntax::Call) && tree.field(call, "arguments") == list)
        };
        let given: Vec<Id> =
            tree.walk(function.body).filter(|id| !has_loop && is_given(id) && searches(tree, *id)).collect();
        for closure in given {
            let returns: Vec<Id> = tree
                .walk_outside(closure, |syntax| matches!(syntax, Syntax::Closure | Syntax::Function))
                .filter(|id| tree.is(*id, Syntax::Return))
                .collect();
            if returns.is_empty() {
                continue;
            }
            tree.reread(closure, Syntax::Loop);
            returns.into_iter().for_each(|id| tree.reread(id, Syntax::Skip));
        }
    }
}

/// Takes functions that search one move, which a loop calls for every move, for loops.
pub(crate) fn loops_in_functions(trees: &mut [Tree], functions: &[Function], lexicon: &Lexicon<'_>) {
    let (search_functions, names) = searching(functions, trees, lexicon);
    let loops = |function: &Function, trees: &[Tree]| -> Vec<Id> {
        let tree = &trees[function.tree];
        let searches = |id: Id| tree.calls(id).any(|call| names.contains(&tree.callee(call)));
        tree.walk(function.body).filter(|id| tree.is(*id, Syntax::Loop) && searches(*id)).collect()
    };
    let mut of_one_move = Vec::new();
    for &(index, role) in &search_functions {
        let function = &functions[index];
        let takes_move =
            function.parameters.iter().flatten().any(|word| matches!(word.as_str(), "move" | "mv" | "mov"));
        let is_called_in_loop = || {
            search_functions.iter().any(|(other, _)| {
                let (caller, tree) = (&functions[*other], &trees[functions[*other].tree]);
                caller.name != function.name
                    && loops(caller, trees)
                        .into_iter()
                        .any(|moves| tree.calls(moves).any(|call| tree.callee(call) == function.name))
            })
        };
        if role == Role::Search && takes_move && loops(function, trees).is_empty() && is_called_in_loop() {
            of_one_move.push(index);
        }
    }
    for index in of_one_move {
        let function = &functions[index];
        let tree = &mut trees[function.tree];
        let returns: Vec<Id> = tree
            .walk_outside(function.body, |syntax| matches!(syntax, Syntax::Closure | Syntax::Function))
            .filter(|id| tree.is(*id, Syntax::Return))
            .collect();
        tree.reread(function.body, Syntax::Loop);
        returns.into_iter().for_each(|id| tree.reread(id, Syntax::Skip));
    }
}
