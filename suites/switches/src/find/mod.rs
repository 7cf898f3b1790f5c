//! The second step: the functions that search, the places in them that prune, reduce or extend, and facts about these.

mod candidates;
mod comments;
mod facts;
mod flow;
mod functions;
pub(crate) mod patterns;
mod reading;

use crate::parse::{Id, Syntax, Tree};
use crate::rules::Rules;
use crate::site::Kind;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

pub(crate) use self::functions::{loops_in_closures, loops_in_functions};
pub(crate) use candidates::{Candidate, is_neutral, neutral_branch, plain};
pub(crate) use comments::{Comments, headline};
pub(crate) use facts::Facts;
pub(crate) use flow::Searching;
pub(crate) use functions::{Function, Role, functions};
pub(crate) use reading::is_constant;

/// The functions of a program that search.
pub(crate) struct Program<'a> {
    pub(crate) searching: Vec<Searching<'a>>,
}

/// A place in one of them.
pub(crate) struct Place {
    /// The function: a position in [`Program::searching`].
    pub(crate) search: usize,
    pub(crate) candidate: Candidate,
    pub(crate) comments: Comments,
    pub(crate) facts: Facts,
    /// The next place in whose branch this is.
    pub(crate) around: Option<usize>,
}

pub(crate) fn program<'a>(
    trees: &'a [Tree],
    functions: &'a [Function],
    lexicon: &'a Lexicon<'a>,
) -> Program<'a> {
    let (search_functions, names) = functions::searching(functions, trees, lexicon);
    let positions = flow::depth_positions(functions, trees, &search_functions, &names, lexicon);
    let read = |&(index, role): &(usize, Role)| {
        let function = &functions[index];
        flow::searching(function, &trees[function.tree], role, &names, &positions, lexicon)
    };
    Program { searching: search_functions.iter().map(read).collect() }
}

/// All places of a program with their facts.
pub(crate) fn places(program: &Program<'_>, rules: &Rules) -> Vec<Place> {
    let mut places = Vec::new();
    for (search, searching) in program.searching.iter().enumerate() {
        let tree = searching.tree;
        let mut by_node = BTreeMap::<Id, usize>::new();
        for candidate in candidates::candidates(searching) {
            let is_depth =
                matches!(candidate.kind, Kind::Depth | Kind::Term | Kind::Extension | Kind::Choice);
            if searching.role == Role::Amount && !is_depth {
                continue;
            }
            let node = candidate.node;
            let is_if = tree.is(node, Syntax::If);
            let whole = candidate.reason.map(|reason| reason.whole);
            let has_body = is_if || whole.is_some();
            let comments =
                comments::comments_of(tree, whole.unwrap_or(node), has_body.then_some(candidate.body));
            let facts = facts::facts(searching, &candidate, &comments, rules);
            let holds = |outer: &Id| {
                tree.is(*outer, Syntax::If)
                    && tree.field(*outer, "consequence").is_some_and(|branch| tree.contains(branch, node))
            };
            let around = tree
                .around(node)
                .take_while(|outer| *outer > searching.body())
                .filter(holds)
                .find_map(|outer| by_node.get(&outer))
                .copied();
            let around = whole.and_then(|whole| by_node.get(&whole).copied()).or(around);
            if is_if {
                by_node.insert(node, places.len());
            }
            places.push(Place { search, candidate, comments, facts, around });
        }
    }
    places
}

/// The classes of identifiers that were asked for.
pub(crate) struct Lexicon<'a> {
    rules: &'a Rules,
    classes: RefCell<HashMap<String, Vec<&'a str>>>,
}

impl<'a> Lexicon<'a> {
    pub(crate) fn new(rules: &'a Rules) -> Lexicon<'a> {
        Lexicon { rules, classes: RefCell::default() }
    }

    /// The classes of an identifier.
    pub(crate) fn classes(&self, name: &str) -> Vec<&'a str> {
        if let Some(classes) = self.classes.borrow().get(name) {
            return classes.clone();
        }
        let classes = self.rules.classes_of(&flat(name));
        self.classes.borrow_mut().insert(name.to_owned(), classes.clone());
        classes
    }

    /// Whether an identifier is in a class.
    pub(crate) fn is(&self, name: &str, class: &str) -> bool {
        self.classes(name).contains(&class)
    }

    /// Whether one of several is.
    pub(crate) fn any<T: AsRef<str>>(&self, names: &[T], class: &str) -> bool {
        names.iter().any(|name| self.is(name.as_ref(), class))
    }
}

/// An identifier in small letters without underscores.
pub(crate) fn flat(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// The words of a text: what identifiers could be.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .collect()
}
