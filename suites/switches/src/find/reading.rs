//! What a tree says, asked in the terms of a search: calls, assignments, conditions, operands.

use super::words;
use crate::parse::{Id, Syntax, Tree};

/// An assignment, a declaration with a value, or a step of one.
pub(crate) struct Assigned {
    /// The name of what is assigned: of `a[i]` that of `a`, of `s->x` that of `x`.
    pub(crate) target: String,
    /// `=`, `+=`, `++`, or `init` for a declaration.
    pub(crate) operator: &'static str,
    pub(crate) value: Option<Id>,
}

impl Tree {
    /// Identifiers below a node, in order.
    pub(crate) fn identifiers(&self, id: Id) -> Vec<String> {
        let is_name =
            |id: &Id| matches!(self.syntax(*id), Syntax::Identifier | Syntax::Field | Syntax::TypeName);
        self.walk(id).filter(is_name).map(|id| self.text(id).into_owned()).collect()
    }

    /// Identifiers of an expression without the names of functions and of what is in front of `::`.
    pub(crate) fn operands(&self, id: Id) -> Vec<String> {
        let is_operand = |id: &Id| {
            matches!(self.syntax(*id), Syntax::Identifier | Syntax::Field)
                && self.parent(*id).is_none_or(|parent| match self.syntax(parent) {
                    Syntax::Call => self.field(parent, "function") != Some(*id),
                    Syntax::Path | Syntax::Generic => false,
                    _ => true,
                })
        };
        self.walk(id).filter(is_operand).map(|id| self.text(id).into_owned()).collect()
    }

    /// Identifiers of an expression; of `s.x` and `s->x` only `x`, of `a[i]` only `a`.
    pub(crate) fn heads(&self, root: Id) -> Vec<String> {
        let in_index = |id: Id| {
            self.around(id).take_while(|outer| *outer >= root).any(|outer| {
                self.is(outer, Syntax::Index)
                    && self
                        .field(outer, "argument")
                        .or_else(|| self.children(outer).next())
                        .is_some_and(|list| !self.contains(list, id))
            })
        };
        let is_head = |id: &Id| {
            matches!(self.syntax(*id), Syntax::Identifier | Syntax::Field)
                && !in_index(*id)
                && !self.parent(*id).is_some_and(|parent| {
                    self.is(parent, Syntax::Member)
                        && self.is(*id, Syntax::Identifier)
                        && self.field(parent, "field") != Some(*id)
                })
        };
        self.walk(root).filter(is_head).map(|id| self.text(id).into_owned()).collect()
    }

    /// The name of the function that a call calls, without its object and path.
    pub(crate) fn callee(&self, call: Id) -> String {
        let mut node = self.field(call, "function");
        while let Some(id) = node {
            if matches!(self.syntax(id), Syntax::Identifier | Syntax::Field) {
                return self.text(id).into_owned();
            }
            let inner = ["field", "name", "function"].iter().find_map(|name| self.field(id, name));
            node = inner.or_else(|| self.is(id, Syntax::Paren).then(|| self.children(id).next()).flatten());
        }
        String::new()
    }

    /// The words of what a call calls, with its object and path.
    pub(crate) fn path_of(&self, call: Id) -> Vec<String> {
        let function = self.field(call, "function").map(|function| self.text(function).into_owned());
        words(&function.unwrap_or_default()).into_iter().map(str::to_owned).collect()
    }

    /// A node and all below it that are this.
    pub(crate) fn each(&self, id: Id, syntax: Syntax) -> impl Iterator<Item = Id> + '_ {
        self.walk(id).filter(move |id| self.is(*id, syntax))
    }

    /// The calls below a node.
    pub(crate) fn calls(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.each(id, Syntax::Call)
    }

    /// Identifiers of the arguments of a call.
    pub(crate) fn given(&self, call: Id) -> Vec<String> {
        self.field(call, "arguments").map(|arguments| self.identifiers(arguments)).unwrap_or_default()
    }

    /// Identifiers of the condition of an `if`.
    pub(crate) fn asked(&self, id: Id) -> Vec<String> {
        self.condition(id).map(|condition| self.identifiers(condition)).unwrap_or_default()
    }

    /// The arguments of a call.
    pub(crate) fn arguments(&self, call: Id) -> Vec<Id> {
        self.field(call, "arguments").map(|arguments| self.children(arguments).collect()).unwrap_or_default()
    }

    /// Whether a call stands behind a minus.
    pub(crate) fn is_negated(&self, call: Id) -> bool {
        let outer = self.around(call).find(|id| {
            !self.is(*id, Syntax::Paren) && !matches!(self.kind(*id), "try_expression" | "await_expression")
        });
        outer.is_some_and(|outer| self.is(outer, Syntax::Unary) && self.operator(outer) == "-")
    }

    /// An expression without the brackets around it.
    pub(crate) fn unwrapped(&self, mut id: Id) -> Id {
        while self.is(id, Syntax::Paren) {
            let Some(inner) = self.children(id).next() else { return id };
            id = inner;
        }
        id
    }

    /// The expression of a statement that is one.
    pub(crate) fn bare(&self, id: Id) -> Id {
        if self.is(id, Syntax::Statement) { self.children(id).next().unwrap_or(id) } else { id }
    }

    /// The statements of a body: those of a block, or the one that it is. Those within conditions of the preprocessor are its own.
    pub(crate) fn statements(&self, id: Id) -> Vec<Id> {
        match self.syntax(id) {
            Syntax::Block => self
                .children(id)
                .flat_map(|child| {
                    if self.is(child, Syntax::Preprocessor) {
                        self.children(child).collect()
                    } else {
                        vec![child]
                    }
                })
                .collect(),
            Syntax::Else => self.children(id).last().map(|last| self.statements(last)).unwrap_or_default(),
            _ => vec![id],
        }
    }

    /// The operands of a chain of one operator, `&&` or `||`, whatever brackets are around parts of it.
    pub(crate) fn operands_of(&self, id: Id, operator: &str) -> Vec<Id> {
        let word = if operator == "&&" { "and" } else { "or" };
        let (mut operands, mut open) = (Vec::new(), vec![id]);
        while let Some(next) = open.pop() {
            let next = self.unwrapped(next);
            let parts: Vec<Id> = match self.syntax(next) {
                Syntax::Binary if [operator, word].contains(&self.operator(next)) => {
                    [self.field(next, "left"), self.field(next, "right")].into_iter().flatten().collect()
                }
                Syntax::LetChain if operator == "&&" => self.children(next).collect(),
                _ => {
                    operands.push(next);
                    continue;
                }
            };
            open.extend(parts.into_iter().rev());
        }
        operands
    }

    /// The condition of an `if`, without its brackets.
    pub(crate) fn condition(&self, id: Id) -> Option<Id> {
        let condition = self.field(id, "condition")?;
        match self.syntax(condition) {
            Syntax::Condition => self.field(condition, "value"),
            Syntax::Paren => self.children(condition).next().or(Some(condition)),
            _ => Some(condition),
        }
    }

    /// What a node itself assigns.
    pub(crate) fn assigned(&self, id: Id) -> Option<Assigned> {
        let last_name = |field: &str| {
            self.field(id, field).and_then(|field| self.identifiers(field).pop()).unwrap_or_default()
        };
        Some(match self.syntax(id) {
            Syntax::Assign => {
                let token = self.operator(id);
                let operator = if token.ends_with('=') { token } else { "=" };
                Assigned {
                    target: self.field(id, "left").map(|left| self.base(left)).unwrap_or_default(),
                    operator,
                    value: self.field(id, "right"),
                }
            }
            Syntax::Update => Assigned {
                target: self.field(id, "argument").map(|argument| self.base(argument)).unwrap_or_default(),
                operator: if self.operator(id) == "++" { "++" } else { "--" },
                value: None,
            },
            Syntax::Declarator => {
                Assigned { target: last_name("declarator"), operator: "init", value: self.field(id, "value") }
            }
            Syntax::Let => {
                Assigned { target: last_name("pattern"), operator: "init", value: self.field(id, "value") }
            }
            _ => return None,
        })
    }

    /// All assignments below a node.
    pub(crate) fn assignments(&self, id: Id) -> impl Iterator<Item = (Id, Assigned)> + '_ {
        self.walk(id).filter_map(|id| Some((id, self.assigned(id)?)))
    }

    /// The name of what an expression on the left of an assignment is.
    pub(crate) fn base(&self, left: Id) -> String {
        let mut node = Some(left);
        while let Some(id) = node {
            node = match self.syntax(id) {
                Syntax::Identifier | Syntax::Field => return self.text(id).into_owned(),
                Syntax::Index => self.field(id, "argument").or_else(|| self.children(id).next()),
                Syntax::Member => self.field(id, "field"),
                Syntax::Path => self.children(id).last(),
                _ => self.children(id).next(),
            };
        }
        String::new()
    }

    /// The `if` whose branch (not whose condition or `else`) a node is in.
    pub(crate) fn nearest_if(&self, id: Id) -> Option<Id> {
        self.around(id).find(|outer| {
            self.is(*outer, Syntax::If)
                && !["condition", "alternative"]
                    .iter()
                    .any(|name| self.field(*outer, name).is_some_and(|field| self.contains(field, id)))
        })
    }

    /// A text without comments, blanks drawn together, at most this many letters.
    pub(crate) fn plain(&self, id: Id, most: usize) -> String {
        let (mut text, mut at) = (String::new(), self.start(id));
        let first = self.comments().partition_point(|comment| *comment < id);
        for &comment in self.comments()[first..].iter().take_while(|comment| self.contains(id, **comment)) {
            text.push_str(&String::from_utf8_lossy(&self.bytes[at..self.start(comment).max(at)]));
            text.push(' ');
            at = self.end(comment);
        }
        text.push_str(&String::from_utf8_lossy(&self.bytes[at.min(self.end(id))..self.end(id)]));
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if joined.chars().count() <= most {
            joined
        } else {
            joined.chars().take(most - 1).chain(['…']).collect()
        }
    }

    /// A text without comments and blanks.
    pub(crate) fn packed(&self, id: Id) -> String {
        self.plain(id, usize::MAX).split_whitespace().collect()
    }
}

/// Whether a text is a number or a truth value.
pub(crate) fn is_constant(text: &str) -> bool {
    let text = text.trim();
    let number = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        || matches!(text, "true" | "false" | "TRUE" | "FALSE" | "True" | "False")
}
