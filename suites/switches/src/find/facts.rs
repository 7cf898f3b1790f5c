//! Facts about a place: what its condition asks and what its body does, as rules name them. Each is a line here and means what it says;
//! what they amount to is in `data/rules.toml`.

use std::collections::BTreeSet;

use super::candidates::{Candidate, is_ply_apart, narrows_window, only_returns};
use super::comments::{Comments, alone_in, headline};
use super::flow::{Searching, is_turned_around};
use super::functions::Role;
use super::patterns::{
    ALPHA_WINDOW, ASKS_FIRST_MOVE, ASKS_FOR_MOVES, BETA_WINDOW, HAS_ENTRY, IS_BEST_MOVE, IS_MISSING_MOVE,
    IS_NOTHING, IS_ROOT, LACKS_MOVE, LACKS_TABLE_MOVE, LENGTH_OF_MOVES, NO_DEPTH_LEFT, ONE_PLY, PROVEN_BOUND,
    SAYS_MATE, is_table_move, named_by,
};
use super::reading::{Assigned, is_constant};
use super::{Lexicon, flat, words};
use crate::parse::{Id, Syntax};
use crate::rules::{Of, Rules, is_fact};
use crate::site::Kind;

/// A place with its facts, ready to be named.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) set: BTreeSet<String>,
    /// The identifiers of its condition, those of proven bounds left out.
    pub(crate) asked: Vec<String>,
    /// Those of its body.
    pub(crate) body: Vec<String>,
    /// The functions that its condition calls.
    pub(crate) called: Vec<String>,
    /// The variable that it assigns.
    pub(crate) target: String,
}

struct Reader<'a, 's> {
    search: &'a Searching<'s>,
    candidate: &'a Candidate,
    lexicon: &'a Lexicon<'s>,
    conjuncts: Vec<Id>,
    asked: Vec<String>,
}

/// The facts of a candidate, without those that the names of others decide.
pub(crate) fn facts(
    search: &Searching<'_>,
    candidate: &Candidate,
    comments: &Comments,
    rules: &Rules,
) -> Facts {
    let (tree, lexicon) = (search.tree, search.lexicon);
    let mut all = tree.identifiers(candidate.condition);
    all.extend(candidate.asked.map(|asked| tree.identifiers(asked)).unwrap_or_default());
    // Bounds of proven values say nothing of tables, draws or depths.
    let asked: Vec<String> = all
        .iter()
        .filter(|name| !PROVEN_BOUND.is_match(name) || lexicon.is(name, "alphabeta"))
        .cloned()
        .collect();
    let reader =
        Reader { search, candidate, lexicon, conjuncts: tree.operands_of(candidate.condition, "&&"), asked };
    let calls: Vec<Id> = [Some(candidate.condition), candidate.asked]
        .into_iter()
        .flatten()
        .flat_map(|id| tree.calls(id))
        .collect();
    let called: Vec<String> = calls.iter().map(|call| tree.callee(*call)).collect();
    // `SEE::evaluate` is an exchange and no evaluation.
    let exchanges = |call: &Id| {
        tree.field(*call, "function").is_some_and(|function| tree.is(function, Syntax::Path))
            && lexicon.any(&tree.path_of(*call), "see")
    };
    let body = tree.identifiers(candidate.body);
    let target = reader.target();
    let mut set = BTreeSet::new();
    let mut classes = |prefix: &str, names: &[String]| {
        for class in names.iter().flat_map(|name| lexicon.classes(name)) {
            set.insert(format!("{prefix}:{class}"));
        }
    };
    classes("condition", &reader.asked);
    let is_value = |name: &str| search.values.contains(name);
    if reader.asked.iter().any(|name| is_value(name)) {
        classes("condition", &["eval".to_owned()]);
    }
    if reader.asked.iter().any(|name| search.raised.contains(name)) {
        classes("condition", &["probbeta".to_owned()]);
    }
    classes("calls", &called);
    if calls.iter().any(exchanges) {
        classes("calls", &["see".to_owned()]);
    }
    classes("body", &body);
    classes("changes", &reader.changed());
    classes("value", &reader.extension_values());
    if candidate.kind != Kind::Depth {
        classes("target", std::slice::from_ref(&target));
    }
    set.insert(format!("kind:{}", candidate.kind.name()));
    set.extend(candidate.direct.iter().map(|action| format!("direct:{action}")));
    set.extend(candidate.deep.iter().map(|action| format!("deep:{action}")));
    reader.texts(comments, rules, &target, &mut set);
    let of_entry = reader.fields_of_entries();
    let table: Vec<String> = all
        .iter()
        .filter(|name| {
            (lexicon.is(name, "table") && !is_value(name)
                || search.table.contains(*name)
                || of_entry.contains(*name))
                && !lexicon.is(name, "tablebase")
        })
        .chain(called.iter().filter(|name| lexicon.is(name, "table") && !lexicon.is(name, "tablebase")))
        .cloned()
        .collect();
    let beside: Vec<&String> = reader.asked.iter().filter(|name| !table.contains(name)).collect();
    let mut fact = |name: &str, holds: bool| {
        debug_assert!(is_fact(name), "{name}");
        if holds {
            set.insert(name.to_owned());
        }
    };
    fact("table", !table.is_empty());
    fact("table-twice", table.len() > 1);
    let beside_value = beside.iter().any(|name| is_value(name));
    fact(
        "value-beside-table",
        beside_value || lexicon.any(&beside, "eval") || lexicon.any(&beside, "evalish"),
    );
    fact("margin-beside-table", beside_value || lexicon.any(&beside, "evalish"));
    reader.places(&mut fact);
    reader.conditions(&mut fact);
    reader.bodies(&mut fact);
    reader.depths(comments, &mut fact);
    Facts { set, asked: reader.asked, body, called, target }
}

impl Reader<'_, '_> {
    fn has(&self, class: &str) -> bool {
        self.lexicon.any(&self.asked, class)
    }

    /// The fields that the condition asks of what the table says: `evalType` of `entry->evalType`.
    fn fields_of_entries(&self) -> BTreeSet<String> {
        let (search, tree) = (self.search, self.search.tree);
        let fields = tree.walk(self.candidate.condition).filter(|id| tree.is(*id, Syntax::Member));
        fields
            .filter_map(|id| {
                let entry = tree.field(id, "argument").or_else(|| tree.field(id, "value"))?;
                let is_entry =
                    tree.is(entry, Syntax::Identifier) && search.table.contains(&*tree.text(entry));
                tree.field(id, "field").filter(|_| is_entry).map(|field| tree.text(field).into_owned())
            })
            .collect()
    }

    /// Whether a node belongs to this `if` and to none within it: it is in its condition, or in its branch directly.
    fn is_mine(&self, id: Id) -> bool {
        let tree = self.search.tree;
        tree.is(self.candidate.node, Syntax::If)
            && (tree.nearest_if(id) == Some(self.candidate.node)
                || tree.contains(self.candidate.condition, id))
    }

    /// Whether nothing is between this `if` and a search but conditions that ask whether anything is reduced.
    fn is_mine_if_reduced(&self, id: Id) -> bool {
        let (search, tree) = (self.search, self.search.tree);
        let asks_reduction = |inner: &Id| {
            tree.condition(*inner).is_some_and(|condition| {
                let asked = tree.operands(condition);
                !asked.is_empty()
                    && asked
                        .iter()
                        .all(|name| self.lexicon.is(name, "reduction") && search.depths.contains(name))
            })
        };
        std::iter::successors(tree.nearest_if(id), |inner| tree.nearest_if(*inner))
            .find(|outer| *outer == self.candidate.node || !asks_reduction(outer))
            == Some(self.candidate.node)
    }

    /// The name of the variable that is assigned, by the candidate or around it.
    fn target(&self) -> String {
        let tree = self.search.tree;
        let around = std::iter::once(self.candidate.node)
            .chain(tree.around(self.candidate.node))
            .take_while(|id| *id > self.search.body());
        around.filter_map(|id| tree.assigned(id)).next().map(|assigned| assigned.target).unwrap_or_default()
    }

    /// The depths that the body changes.
    fn changed(&self) -> Vec<String> {
        let assignments = self.search.tree.assignments(self.candidate.body);
        assignments
            .map(|(_, assigned)| assigned.target)
            .filter(|target| self.search.depths.contains(target))
            .collect()
    }

    /// What extensions in the body are made of.
    fn extension_values(&self) -> Vec<String> {
        let tree = self.search.tree;
        let extensions = tree.assignments(self.candidate.body).filter(|(_, assigned)| {
            self.lexicon.is(&assigned.target, "extension") || self.adds_to_depth(assigned)
        });
        extensions
            .filter_map(|(_, assigned)| assigned.value)
            .flat_map(|value| tree.identifiers(value))
            .collect()
    }

    /// Whether an assignment adds to the depth of the node itself.
    fn adds_to_depth(&self, assigned: &Assigned) -> bool {
        assigned.operator == "+="
            && self.search.depths.contains(&assigned.target)
            && self.lexicon.is(&assigned.target, "depth")
    }

    fn texts(&self, comments: &Comments, rules: &Rules, target: &str, set: &mut BTreeSet<String>) {
        let tree = self.search.tree;
        let statements = tree.statements(self.candidate.body);
        let returned = statements
            .iter()
            .map(|statement| tree.bare(*statement))
            .find(|statement| tree.is(*statement, Syntax::Return));
        let comment = if comments.above.is_empty() { &comments.inside } else { &comments.above };
        for text in &rules.texts {
            let fits = match text.of {
                Of::Condition => text.is.fits(&tree.plain(self.candidate.condition, 400)),
                Of::Conjunct => {
                    self.conjuncts.iter().any(|conjunct| text.is.fits(&tree.plain(*conjunct, 400)))
                }
                Of::Packed => self.conjuncts.iter().any(|conjunct| text.is.fits(&tree.packed(*conjunct))),
                Of::Returned => returned.is_some_and(|returned| text.is.fits(&tree.text(returned))),
                Of::Headline => text.is.fits(&headline(comment)),
                Of::Comment => {
                    text.is.fits(&format!("{} | {} | {}", comments.above, comments.beside, comments.inside))
                }
                Of::Target => text.is.fits(target),
                Of::Function => text.is.fits(&self.search.function.name),
            };
            if fits {
                set.insert(format!("text:{}", text.fact));
            }
        }
        let names = |text: &str| {
            rules
                .methods
                .iter()
                .any(|method| method.comment.as_ref().is_some_and(|comment| comment.fits(text)))
        };
        let by_identifier = |method: &crate::rules::MethodRule| {
            method.identifier.as_ref().is_some_and(|identifier| identifier.fits(&flat(target)))
        };
        if self.candidate.kind == Kind::FlagValue && rules.methods.iter().any(by_identifier) {
            set.insert("flag-named".to_owned());
        }
        if names(&headline(comment)) {
            set.insert("headline-names-method".to_owned());
        }
    }

    /// Where the candidate is.
    fn places(&self, fact: &mut dyn FnMut(&str, bool)) {
        let (search, tree, node) = (self.search, self.search.tree, self.candidate.node);
        let in_loop = search.is_in_loop(node);
        fact("in-loop", in_loop);
        fact("in-quiescence", matches!(search.role, Role::Quiescence | Role::Picker));
        fact("in-picker", search.role == Role::Picker);
        fact("in-helper", search.role == Role::Helper);
        let root_above = std::iter::successors(tree.nearest_if(node), |id| tree.nearest_if(*id))
            .take_while(|id| *id > search.body())
            .any(|outer| {
                tree.condition(outer).is_some_and(|condition| {
                    tree.operands_of(condition, "&&").into_iter().any(|part| self.asks_root(part))
                }) && tree.field(outer, "consequence").is_some_and(|branch| tree.contains(branch, node))
            });
        fact("within-root", root_above);
        fact("behind-loop", search.main_loop.is_some_and(|main_loop| tree.start(node) > tree.end(main_loop)));
        let last = search.main_loop.and_then(|main_loop| search.searches_in(main_loop).last().copied());
        fact("behind-last-search", in_loop && last.is_some_and(|last| node > last));
        let in_main: &[Id] = search.main_loop.map_or(&[], |main_loop| search.searches_in(main_loop));
        let negated: Vec<Id> = in_main.iter().copied().filter(|call| tree.is_negated(*call)).collect();
        let searches = if negated.is_empty() { in_main } else { &negated };
        fact("before-searches", !searches.iter().any(|call| *call < node));
        let inner = tree.around(node).find(|id| matches!(tree.syntax(*id), Syntax::Loop | Syntax::Function));
        fact(
            "loop-searches",
            inner.is_some_and(|inner| tree.is(inner, Syntax::Loop) && !search.searches_in(inner).is_empty()),
        );
        fact("collects-moves", self.collects_moves());
        let holds = search.main_loop.is_some_and(|main_loop| tree.contains(self.candidate.body, main_loop));
        fact("holds-main-loop", holds && tree.statements(self.candidate.body).len() > 3);
    }

    /// What the condition asks.
    fn conditions(&self, fact: &mut dyn FnMut(&str, bool)) {
        let (search, tree) = (self.search, self.search.tree);
        let conjuncts = &self.conjuncts;
        fact("one-conjunct", conjuncts.len() == 1);
        fact("few-conjuncts", conjuncts.len() <= 2);
        fact("condition-searches", !search.searches_in(self.candidate.condition).is_empty());
        fact("root-conjunct", conjuncts.iter().any(|part| self.asks_root(*part)));
        let depth_only = conjuncts.iter().all(|part| self.compares_depth(*part));
        fact("depth-only", depth_only);
        fact("horizon", self.is_horizon());
        fact("no-moves-left", conjuncts.len() == 1 && ASKS_FOR_MOVES.is_match(&tree.packed(conjuncts[0])));
        let operands = tree.operands(self.candidate.condition);
        let first = operands.first();
        fact(
            "score-compared",
            first.is_some_and(|name| search.scores.contains(name) && self.took_search(name)),
        );
        let asks_entry = || self.asked.iter().any(|name| search.table.contains(name));
        fact(
            "table-move",
            conjuncts.iter().any(|part| {
                let text = tree.packed(*part);
                is_table_move(&text) || IS_BEST_MOVE.is_match(&text) && asks_entry()
            }),
        );
        let lacks = |part: Id| {
            let text = tree.packed(part);
            let of_entry = || tree.identifiers(part).iter().any(|name| search.table.contains(name));
            let names_entry =
                |pattern| named_by(pattern, &text).is_some_and(|name| search.table.contains(name));
            LACKS_TABLE_MOVE.is_match(&text)
                || names_entry(&IS_NOTHING)
                || LACKS_MOVE.is_match(&text) && of_entry()
                || names_entry(&IS_MISSING_MOVE)
        };
        // `if no move { if depth > 4 { depth--; } }` asks both.
        let around = alone_in(tree, self.candidate.node).and_then(|outer| tree.condition(outer));
        let asked_around = around.map(|around| tree.operands_of(around, "&&")).unwrap_or_default();
        let mut parts = conjuncts.iter().chain(&asked_around).flat_map(|part| tree.operands_of(*part, "||"));
        fact("no-table-move", parts.any(lacks) || self.is_without_entry());
        fact("count-compared", conjuncts.iter().any(|part| self.compares_count(*part)));
        fact("alpha-and-more", self.has("alpha") && operands.len() > 1);
        let picked = tree.packed(self.candidate.condition);
        let name = picked.strip_prefix('!').unwrap_or_default();
        let is_picked = |(_, target, value): &(Id, String, Option<Id>)| {
            target == name
                && value.is_some_and(|value| {
                    tree.calls(value).any(|call| self.lexicon.is(&tree.callee(call), "pick"))
                })
        };
        fact("asks-picked-move", !name.is_empty() && search.assignments.iter().any(is_picked));
        // `!(is_pv && moves == 0)` asks that too.
        let opposite =
            conjuncts.first().filter(|part| tree.is(**part, Syntax::Unary) && tree.operator(**part) == "!");
        let inner =
            opposite.and_then(|part| tree.children(*part).next()).map(|inner| tree.operands_of(inner, "&&"));
        let first_of_all = inner
            .unwrap_or_default()
            .iter()
            .any(|part| tree.is(*part, Syntax::Binary) && ASKS_FIRST_MOVE.is_match(&tree.packed(*part)));
        fact(
            "asks-first-move",
            conjuncts.len() == 1 && (first_of_all || ASKS_FIRST_MOVE.is_match(&tree.packed(conjuncts[0]))),
        );
        let uses = |name: &String| {
            self.lexicon.is(name, "reduction")
                || search.scores.contains(name)
                || self.lexicon.is(name, "alphabeta")
        };
        let alone =
            conjuncts.len() == 1 && operands.len() == 1 && !tree.text(conjuncts[0]).contains(['<', '>', '=']);
        fact(
            "only-uses-reduction",
            !operands.is_empty()
                && operands.iter().all(|name| uses(name) || self.lexicon.is(name, "full-search"))
                || alone,
        );
        // `pv && (count == 1 || score > alpha)` searches again.
        let asks_score = |part: Id| {
            let named = tree.operands(part);
            named.iter().any(|name| search.scores.contains(name)) && self.lexicon.any(&named, "alpha")
        };
        let mut parts = conjuncts.iter().flat_map(|part| tree.operands_of(*part, "||"));
        fact("asks-score", parts.any(asks_score));
        fact("mates-before", self.mates_before());
        let is_check = |part: &Id| {
            let inner = tree.unwrapped(*part);
            matches!(tree.syntax(inner), Syntax::Identifier | Syntax::Call | Syntax::Member)
                && tree.identifiers(inner).iter().any(|name| self.lexicon.is(name, "check"))
        };
        fact("check-conjunct", conjuncts.iter().any(is_check));
    }

    /// What the body does.
    fn bodies(&self, fact: &mut dyn FnMut(&str, bool)) {
        let (search, tree, body) = (self.search, self.search.tree, self.candidate.body);
        let searches = search.searches_in(body);
        fact("searches", !searches.is_empty());
        fact("only-returns", only_returns(search, body));
        fact(
            "only-skips",
            self.candidate.kind == Kind::Gate && self.candidate.deep == BTreeSet::from(["skip"]),
        );
        fact("narrows-window", narrows_window(search, body));
        let both = tree.calls(body).chain(tree.calls(self.candidate.condition));
        // `Move::null()` is a move and `Window::null(alpha)` a window: neither makes one.
        let is_value = |call: &Id| {
            tree.field(*call, "function").is_some_and(|function| {
                tree.is(function, Syntax::Path)
                    && (tree.arguments(*call).is_empty()
                        || self.lexicon.any(&tree.identifiers(function), "both-bounds"))
            })
        };
        let is_null = |call: &Id| {
            let name = tree.callee(*call);
            let arguments = tree.given(*call);
            let makes_none =
                || self.lexicon.is(&name, "make-call") && self.lexicon.any(&arguments, "no-move");
            !search.searches.contains(call)
                && !is_value(call)
                && (self.lexicon.is(&name, "null-call")
                    || self.lexicon.any(&arguments, "null-move")
                    || makes_none())
        };
        let nulls: Vec<Id> = both.filter(is_null).collect();
        fact("any-null-move", !nulls.is_empty());
        fact("makes-null-move", nulls.iter().any(|call| self.is_mine(*call)));
        let in_inner_loop =
            |call: Id| tree.around(call).take_while(|id| *id != body).any(|id| tree.is(id, Syntax::Loop));
        fact(
            "searches-null-window",
            searches
                .iter()
                .any(|call| self.is_mine(*call) && !in_inner_loop(*call) && self.is_null_window(*call)),
        );
        let loops: Vec<Id> = tree
            .each(body, Syntax::Loop)
            .filter(|id| Some(*id) != search.main_loop && !search.searches_in(*id).is_empty())
            .collect();
        fact("any-loop-of-searches", !loops.is_empty());
        fact("loop-of-searches", loops.iter().any(|inner| self.is_mine(*inner)));
        fact("counts-cuts", loops.iter().any(|inner| self.is_mine(*inner) && self.counts_cuts(*inner)));
        let is_draw = |inner: Id| {
            let branch = tree.field(inner, "consequence");
            self.lexicon.any(&tree.asked(inner), "draw")
                && branch.is_some_and(|branch| tree.each(branch, Syntax::Return).next().is_some())
        };
        fact("holds-draws", tree.each(body, Syntax::If).any(is_draw));
        let excludes: Vec<Id> = tree
            .assignments(body)
            .filter(|(_, assigned)| assigned.operator == "=" && self.lexicon.is(&assigned.target, "excluded"))
            .map(|(id, _)| id)
            .collect();
        let helpers: Vec<Id> =
            tree.calls(body).filter(|call| self.lexicon.is(&tree.callee(*call), "singular")).collect();
        fact("excludes", !excludes.is_empty());
        fact("calls-singular", !helpers.is_empty());
        fact("excludes-directly", excludes.iter().chain(&helpers).any(|id| self.is_mine(*id)));
        let own_searches: Vec<&Id> = searches.iter().filter(|call| self.is_of_this_node(**call)).collect();
        fact("searches-itself", !own_searches.is_empty());
        fact("searches-itself-directly", own_searches.iter().any(|call| self.is_mine(**call)));
    }

    /// Whether a call searches the node itself again: neither what it returns nor its window is turned around.
    fn is_of_this_node(&self, call: Id) -> bool {
        let tree = self.search.tree;
        let turned = |argument: Id| tree.packed(argument).starts_with('-');
        tree.callee(call) == self.search.function.name
            && !tree.is_negated(call)
            && !tree.arguments(call).into_iter().any(turned)
    }

    /// Whether a loop counts how often a search reached beta.
    fn counts_cuts(&self, inner: Id) -> bool {
        let tree = self.search.tree;
        tree.each(inner, Syntax::If).any(|cut| {
            let asked = tree.condition(cut).map(|condition| tree.operands(condition)).unwrap_or_default();
            let Some(branch) = tree.field(cut, "consequence") else { return false };
            let counts = tree.assignments(branch).any(|(_, assigned)| {
                assigned.operator == "++"
                    || assigned.operator == "+="
                        && assigned.value.is_some_and(|value| is_constant(&tree.text(value)))
            });
            self.lexicon.any(&asked, "beta") && counts && tree.nearest_if(cut) == Some(self.candidate.node)
        })
    }

    /// Whether this is the `else` of the question whether the table has an entry.
    fn is_without_entry(&self) -> bool {
        let (search, tree) = (self.search, self.search.tree);
        let branch = tree.parent(self.candidate.node).filter(|parent| tree.is(*parent, Syntax::Else));
        let Some(condition) =
            branch.and_then(|branch| tree.parent(branch)).and_then(|outer| tree.condition(outer))
        else {
            return false;
        };
        let text = tree.packed(condition);
        named_by(&HAS_ENTRY, &text).is_some_and(|entry| search.table.contains(entry))
    }

    /// Whether the next loop around only keeps moves for the loop that searches them.
    fn collects_moves(&self) -> bool {
        let (search, tree, node) = (self.search, self.search.tree, self.candidate.node);
        let inner = tree.around(node).find(|id| matches!(tree.syntax(*id), Syntax::Loop | Syntax::Function));
        let keeps = |call: Id| self.lexicon.is(&tree.callee(call), "collects");
        inner.is_some_and(|inner| {
            tree.is(inner, Syntax::Loop)
                && search.searches_in(inner).is_empty()
                && search.main_loop.is_some_and(|main_loop| tree.end(inner) <= tree.start(main_loop))
                && tree.calls(inner).any(keeps)
        })
    }

    /// What happens to depths.
    fn depths(&self, comments: &Comments, fact: &mut dyn FnMut(&str, bool)) {
        let (search, tree, body) = (self.search, self.search.tree, self.candidate.body);
        let searches = search.searches_in(body);
        fact(
            "reduced-search",
            searches.iter().any(|call| {
                (self.is_mine(*call) || self.is_mine_if_reduced(*call))
                    && self.is_reduced(*call)
                    && !self.is_of_this_node(*call)
            }),
        );
        let lessens = |target: &str| {
            (search.depths.contains(target)
                || self.lexicon.is(target, "reduction")
                || flat(target).contains("depth")
                || flat(target) == "d")
                && !self.lexicon.is(target, "extension")
        };
        let reduces = tree.assignments(body).any(|(_, assigned)| lessens(&assigned.target))
            || searches.iter().any(|call| self.is_reduced(*call));
        fact("reduces", reduces);
        let all = format!("{} {} {}", comments.above, comments.beside, comments.inside).to_ascii_lowercase();
        let says = words(&all).contains(&"lmr") || all.contains("late move") || all.contains("late-move");
        fact("reduction-tested", self.has("count") || self.has("depth") || says);
        let sets = |id: Id| {
            tree.assigned(id).is_some_and(|assigned| {
                assigned.operator == "="
                    && search.depths.contains(&assigned.target)
                    && self.lexicon.is(&assigned.target, "reduction")
                    && assigned.value.is_some_and(|value| {
                        !is_constant(&tree.text(value)) && !tree.identifiers(value).contains(&assigned.target)
                    })
            })
        };
        let closed = |syntax| matches!(syntax, Syntax::If | Syntax::Loop);
        let direct = |statement: Id| {
            !closed(tree.syntax(tree.bare(statement)))
                && tree.walk_outside(tree.bare(statement), closed).any(sets)
        };
        fact("sets-reduction", tree.statements(body).into_iter().any(direct));
        let alternative = tree
            .field(self.candidate.node, "alternative")
            .filter(|_| tree.is(self.candidate.node, Syntax::If));
        let constant = |alternative: Id| {
            let statements = tree.statements(alternative);
            statements.len() == 1
                && tree
                    .assignments(statements[0])
                    .any(|(_, assigned)| assigned.value.is_some_and(|value| is_constant(&tree.text(value))))
        };
        fact("else-constant", alternative.is_some_and(constant));
        let direction = self.direction();
        fact("less-depth", direction < 0);
        fact("more-depth", direction > 0);
        let value = tree.operands(self.candidate.condition);
        let is_name = !tree
            .packed(self.candidate.condition)
            .contains(|letter: char| !letter.is_ascii_alphanumeric() && !"_.->".contains(letter));
        fact("clamps", self.clamps());
        fact("ply-apart", self.candidate.kind == Kind::Choice && is_ply_apart(tree, self.candidate.node));
        fact("adds-up", is_name && value.last().is_some_and(|name| search.depths.contains(name)));
    }

    /// Whether a variable that is beyond a number is set to a number, and nothing else: `if (r < 0) r = 0`.
    fn clamps(&self) -> bool {
        let tree = self.search.tree;
        let [part] = self.conjuncts[..] else { return false };
        let sides = ["left", "right"].map(|side| tree.field(tree.unwrapped(part), side));
        let [Some(left), Some(right)] = sides else { return false };
        let [statement] = tree.statements(self.candidate.body)[..] else { return false };
        tree.assigned(tree.bare(statement)).is_some_and(|assigned| {
            assigned.operator == "="
                && *assigned.target == *tree.packed(left)
                && is_constant(&tree.text(right))
                && assigned.value.is_some_and(|value| is_constant(&tree.text(value)))
        })
    }

    /// Whether depth grows (1) or shrinks (-1): a reduction that grows is less depth.
    fn direction(&self) -> i32 {
        let (search, tree) = (self.search, self.search.tree);
        if self.candidate.kind == Kind::Extension {
            return 1;
        }
        let from = if self.candidate.kind == Kind::Depth {
            self.candidate.body
        } else {
            std::iter::once(self.candidate.node)
                .chain(tree.around(self.candidate.node))
                .find(|id| tree.assigned(*id).is_some())
                .unwrap_or(self.candidate.node)
        };
        for (_, assigned) in tree.assignments(from) {
            if !search.depths.contains(&assigned.target) {
                continue;
            }
            let sign = if self.lexicon.is(&assigned.target, "reduction") { -1 } else { 1 };
            match assigned.operator {
                "++" | "+=" => return sign,
                "--" | "-=" => return -sign,
                "=" | "init" => {
                    let Some(value) = assigned.value else { continue };
                    let text = tree.packed(value);
                    let lessened = self.candidate.kind == Kind::Depth
                        && text.starts_with(&format!("{}-", assigned.target));
                    let reduced = self.candidate.kind == Kind::Depth
                        && text.contains('-')
                        && tree.identifiers(value).iter().any(|name| self.lexicon.is(name, "reduction"));
                    return if text.starts_with('-') || lessened || reduced { -1 } else { 1 };
                }
                _ => {}
            }
        }
        1
    }

    /// Whether the depth of a search is less by more than the ply that was played.
    fn is_reduced(&self, call: Id) -> bool {
        let Some(&argument) = self.search.depth_arguments.get(&call) else { return false };
        self.is_less(argument) || self.made_here(argument, call).is_some_and(|made| self.is_less(made))
    }

    /// Of a depth that is one variable what the branch makes it of, in front of the search.
    fn made_here(&self, argument: Id, call: Id) -> Option<Id> {
        let tree = self.search.tree;
        let name = tree.is(tree.unwrapped(argument), Syntax::Identifier).then(|| tree.text(argument))?;
        let before = tree.assignments(self.candidate.body).take_while(|(id, _)| *id < call);
        let made = before
            .filter(|(_, assigned)| assigned.target == name && matches!(assigned.operator, "=" | "init"));
        made.filter_map(|(_, assigned)| assigned.value).last()
    }

    /// Whether a depth is that of the node less more than a ply.
    fn is_less(&self, argument: Id) -> bool {
        let text = self.search.tree.packed(argument).to_ascii_lowercase();
        let one = ONE_PLY.replace_all(&text, "$2").into_owned();
        let minus = one.char_indices().any(|(at, letter)| letter == '-' && !one[at + 1..].starts_with('>'))
            || one.contains('/')
            || one.contains(">>");
        let last = self.search.tree.operands(argument);
        minus
            || last.len() == 1
                && (self.lexicon.any(&last, "reduction") || self.lexicon.any(&last, "reduced-depth"))
    }

    fn is_null_window(&self, call: Id) -> bool {
        let tree = self.search.tree;
        let text = tree
            .field(call, "arguments")
            .map(|arguments| tree.packed(arguments))
            .unwrap_or_default()
            .to_ascii_lowercase();
        if ALPHA_WINDOW.is_match(&text) {
            return tree.nearest_if(call).and_then(|id| tree.condition(id)).is_some_and(|condition| {
                let asked = tree.identifiers(condition);
                self.lexicon.any(&asked, "beta") && self.lexicon.any(&asked, "eval")
            });
        }
        BETA_WINDOW.is_match(&text)
    }

    fn asks_root(&self, part: Id) -> bool {
        let tree = self.search.tree;
        let text = tree.packed(part);
        let first = tree.operands(tree.unwrapped(part)).into_iter().next();
        !text.starts_with('!')
            && (first.is_some_and(|name| self.lexicon.is(&name, "root")) || IS_ROOT.is_match(&text))
    }

    fn compares_depth(&self, part: Id) -> bool {
        let tree = self.search.tree;
        let part = tree.unwrapped(part);
        let (Some(left), Some(right)) = (tree.field(part, "left"), tree.field(part, "right")) else {
            return false;
        };
        let plain = |id: Id| {
            let text = tree.text(id);
            let name = words(&text).len() == 1 && words(&text)[0].len() == text.len();
            is_constant(&text)
                || name
                    && (self.lexicon.is(&text, "depth")
                        || text.bytes().all(|byte| !byte.is_ascii_lowercase())
                        || flat(&text).contains("ply"))
        };
        tree.is(part, Syntax::Binary)
            && matches!(tree.operator(part), "<" | "<=" | "==" | ">" | ">=")
            && plain(left)
            && plain(right)
            && self.lexicon.any(&tree.identifiers(part), "depth")
    }

    /// Only depth, or depth and being in check; where a quiescence search returns, any depth is its last one.
    fn is_horizon(&self) -> bool {
        let tree = self.search.tree;
        let (plain, others): (Vec<Id>, Vec<Id>) =
            self.conjuncts.iter().partition(|part| self.compares_depth(**part));
        let is_limit = self.search.role == Role::Quiescence && self.candidate.kind == Kind::Return;
        let ends = |part: &Id| is_limit || NO_DEPTH_LEFT.is_match(&tree.packed(*part));
        let checks = |part: &Id| {
            let asked = tree.identifiers(*part);
            self.lexicon.any(&asked, "check") || self.lexicon.any(&asked, "leaf-ply")
        };
        let judges = |part: &Id| {
            let asked = tree.identifiers(*part);
            self.lexicon.any(&asked, "alphabeta") || self.lexicon.any(&asked, "evalish")
        };
        plain.iter().any(ends) && others.iter().all(|part| checks(part) && !judges(part))
    }

    fn compares_count(&self, part: Id) -> bool {
        let tree = self.search.tree;
        tree.operands_of(part, "||").into_iter().any(|part| {
            let length = LENGTH_OF_MOVES.is_match(&tree.packed(part));
            tree.is(part, Syntax::Binary)
                && matches!(tree.operator(part), ">" | ">=" | "<" | "<=")
                && (length
                    || ["left", "right"]
                        .iter()
                        .filter_map(|side| tree.field(part, side))
                        .any(|side| self.lexicon.any(&tree.heads(side), "count")))
        })
    }

    /// Whether the last assignment of a variable before the candidate takes what a search returned.
    fn took_search(&self, name: &str) -> bool {
        let (search, tree, node) = (self.search, self.search.tree, self.candidate.node);
        let before = search.assignments.iter().rev().find(|(id, target, value)| {
            target == name && value.is_some() && *id < node && tree.end(*id) <= tree.start(node)
        });
        let Some((_, _, Some(value))) = before else { return true };
        let made_of = tree.identifiers(*value);
        !search.searches_in(*value).is_empty()
            || is_turned_around(tree, *value, self.lexicon)
            || made_of.iter().any(|part| part == name || search.scores.contains(part))
            || is_constant(&tree.text(*value))
    }

    /// Whether the statements in front of the candidate draw the window in to mates.
    fn mates_before(&self) -> bool {
        let tree = self.search.tree;
        let statement = tree.parent(self.candidate.node).filter(|parent| tree.is(*parent, Syntax::Statement));
        let mut before = tree.sibling_before(statement.unwrap_or(self.candidate.node));
        for _ in 0..6 {
            let Some(id) = before.filter(|id| {
                matches!(
                    tree.syntax(*id),
                    Syntax::Statement | Syntax::Declaration | Syntax::Let | Syntax::Comment | Syntax::If
                )
            }) else {
                return false;
            };
            let text = tree.text(id).to_ascii_lowercase();
            if SAYS_MATE.is_match(&text) && (text.contains("alpha") || text.contains("beta")) {
                return true;
            }
            before = tree.sibling_before(id);
        }
        false
    }
}
