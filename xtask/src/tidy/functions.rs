//! A function fits a screen. Tests may tell a longer story.

use super::Breach;
use super::code::{group, is, line};
use super::rules::Rules;
use super::tree::Tree;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

pub(super) fn check(tree: &Tree, rules: &Rules) -> Vec<Breach> {
    let limit = rules.limits.function;
    let mut breaches = Vec::new();
    for source in &tree.sources {
        for function in functions(&source.code).into_iter().filter(|function| function.lines > limit) {
            let found = format!("{} lines in the body of `{}`", function.lines, function.name);
            let breach =
                Breach::new(&source.path, function.line, found, format!("at most {limit}: split it"));
            breaches.push(Breach { name: function.name, ..breach });
        }
    }
    rules.except(breaches, &rules.function)
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// Functions with their bodies, those inside of others and of macros too.
fn functions(code: &TokenStream) -> Vec<Function> {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            found.extend(functions(&group.stream()));
        }
        let Some(TokenTree::Ident(name)) = trees.get(at + 1).filter(|_| is(tree, "fn")) else { continue };
        let signature = trees[at..].iter().take_while(|tree| !is(tree, ";"));
        let body = signature.filter_map(|tree| group(Some(tree), Delimiter::Brace)).next();
        found.extend(body.map(|body| Function {
            name: name.to_string(),
            line: line(tree),
            lines: between(body),
        }));
    }
    found
}

/// Lines between the braces.
fn between(body: &Group) -> usize {
    (body.span_close().start().line - body.span_open().start().line).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::rules::rules;
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn long_bodies_are_found_wherever_they_stand() {
        let long = "{\n    1;\n    2;\n    3\n}";
        let text = format!(
            "fn short() {{\n    1;\n    2\n}}\ntrait T {{ fn none();\n fn given() {long} }}\n\
             macro_rules! m {{ () => {{ fn made() {long} }} }}\n#[cfg(test)] mod t {{ fn test() {long} }}\n\
             fn one_line(f: fn(u8) -> u8) {{ let a = 1; }}"
        );
        let tree = tree(&[("a.rs", &text), ("b/tests/c.rs", &text)]);
        let found: Vec<String> = check(&tree, &rules("")).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "a.rs:6: found 3 lines in the body of `given`, expected at most 2: split it",
                "a.rs:11: found 3 lines in the body of `made`, expected at most 2: split it"
            ]
        );
        let some = rules("[[function]]\nfile = 'a.rs'\nname = 'given'\nreason = 'r'\n");
        assert_eq!(check(&tree, &some).len(), 1);
    }
}
