//! A parsed file as a list of nodes in the order of the text. What is below a node is the stretch of the list behind it, so that nothing
//! that walks a tree calls itself, however deep the tree is.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::{Parser, TreeCursor};

use crate::Language;

/// The position of a node in its tree.
pub(crate) type Id = usize;

/// What a node is, in one vocabulary for all languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Syntax {
    If,
    Loop,
    Function,
    Closure,
    Call,
    Return,
    Skip,
    Goto,
    Assign,
    Update,
    Declarator,
    Let,
    LetCondition,
    LetChain,
    Comment,
    Paren,
    Block,
    Else,
    Binary,
    Unary,
    Reference,
    Choice,
    Switch,
    Case,
    Arm,
    Identifier,
    Field,
    TypeName,
    Member,
    Index,
    Path,
    Generic,
    Statement,
    Declaration,
    Label,
    Condition,
    Comma,
    Range,
    Preprocessor,
    Include,
    Namespace,
    Parameter,
    Error,
    /// A token without a name: an operator, a keyword, a bracket.
    Token,
    Other,
}

fn syntax(kind: &str, named: bool) -> Syntax {
    if !named {
        return Syntax::Token;
    }
    match kind {
        "if_statement" | "if_expression" => Syntax::If,
        "for_statement" | "while_statement" | "do_statement" | "for_range_loop" | "for_expression"
        | "while_expression" | "loop_expression" => Syntax::Loop,
        "function_definition" | "function_item" => Syntax::Function,
        "lambda_expression" | "closure_expression" => Syntax::Closure,
        "call_expression" => Syntax::Call,
        "return_statement" | "return_expression" => Syntax::Return,
        "continue_statement" | "break_statement" | "continue_expression" | "break_expression" => Syntax::Skip,
        "goto_statement" => Syntax::Goto,
        "assignment_expression" | "compound_assignment_expr" => Syntax::Assign,
        "update_expression" => Syntax::Update,
        "init_declarator" => Syntax::Declarator,
        "let_declaration" => Syntax::Let,
        "let_condition" => Syntax::LetCondition,
        "let_chain" => Syntax::LetChain,
        "comment" | "line_comment" | "block_comment" => Syntax::Comment,
        "parenthesized_expression" => Syntax::Paren,
        "compound_statement" | "block" => Syntax::Block,
        "else_clause" => Syntax::Else,
        "binary_expression" => Syntax::Binary,
        "unary_expression" => Syntax::Unary,
        "pointer_expression" | "reference_expression" => Syntax::Reference,
        "conditional_expression" => Syntax::Choice,
        "switch_statement" | "match_expression" => Syntax::Switch,
        "case_statement" => Syntax::Case,
        "match_arm" => Syntax::Arm,
        "identifier" => Syntax::Identifier,
        "field_identifier" => Syntax::Field,
        "type_identifier" => Syntax::TypeName,
        "field_expression" => Syntax::Member,
        "subscript_expression" | "index_expression" => Syntax::Index,
        "qualified_identifier" | "scoped_identifier" => Syntax::Path,
        "template_function" | "generic_function" => Syntax::Generic,
        "expression_statement" => Syntax::Statement,
        "declaration" => Syntax::Declaration,
        "labeled_statement" => Syntax::Label,
        "condition_clause" => Syntax::Condition,
        "comma_expression" => Syntax::Comma,
        "range_expression" => Syntax::Range,
        "preproc_include" => Syntax::Include,
        "namespace_definition" => Syntax::Namespace,
        "parameter_declaration" | "parameter" | "self_parameter" | "optional_parameter_declaration" => {
            Syntax::Parameter
        }
        "ERROR" => Syntax::Error,
        _ if kind.starts_with("preproc_") => Syntax::Preprocessor,
        _ => Syntax::Other,
    }
}

#[derive(Debug)]
struct Node {
    syntax: Syntax,
    kind: &'static str,
    field: Option<&'static str>,
    parent: u32,
    /// Behind the last node that is below this one.
    end: u32,
    from: u32,
    to: u32,
    row: u32,
    last_row: u32,
}

/// A file and its nodes; node 0 is the file.
pub(crate) struct Tree {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) bytes: Vec<u8>,
    nodes: Vec<Node>,
    /// The comments, in the order of the text.
    comments: Vec<Id>,
}

/// `text` is what the parser is given, of the same length as `bytes`, which is what the file holds.
pub(super) fn parse(path: &str, text: &[u8], bytes: &[u8], language: Language) -> Option<Tree> {
    let mut parser = Parser::new();
    let grammar = match language {
        Language::C => tree_sitter_c::LANGUAGE,
        Language::Cpp => tree_sitter_cpp::LANGUAGE,
        Language::Rust => tree_sitter_rust::LANGUAGE,
        Language::Cargo => return None,
    };
    let grammar = tree_sitter::Language::from(grammar);
    parser.set_language(&grammar).ok()?;
    let parsed = parser.parse(text, None)?;
    let mut tree = Tree {
        path: path.to_owned(),
        language,
        bytes: bytes.to_vec(),
        nodes: Vec::new(),
        comments: Vec::new(),
    };
    let mut cursor = parsed.walk();
    let mut parent = u32::MAX;
    loop {
        parent = tree.enter(&cursor, parent, &grammar);
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            let end = tree.nodes.len() as u32;
            let left = parent as usize;
            tree.nodes[left].end = end;
            parent = tree.nodes[left].parent;
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return Some(tree);
            }
        }
    }
}

impl Tree {
    fn enter(&mut self, cursor: &TreeCursor<'_>, parent: u32, grammar: &tree_sitter::Language) -> u32 {
        let node = cursor.node();
        let id = self.nodes.len() as u32;
        let syntax = syntax(node.kind(), node.is_named());
        if syntax == Syntax::Comment {
            self.comments.push(id as usize);
        }
        let end = node.end_position();
        self.nodes.push(Node {
            syntax,
            kind: node.kind(),
            field: cursor.field_id().and_then(|field| grammar.field_name_for_id(field.get())),
            parent,
            end: id + 1,
            from: node.start_byte() as u32,
            to: node.end_byte() as u32,
            row: node.start_position().row as u32,
            // Some comments take the end of their line with them.
            last_row: if end.column == 0 && end.row > node.start_position().row {
                end.row - 1
            } else {
                end.row
            } as u32,
        });
        id
    }

    pub(crate) fn syntax(&self, id: Id) -> Syntax {
        self.nodes[id].syntax
    }

    pub(crate) fn is(&self, id: Id, syntax: Syntax) -> bool {
        self.nodes[id].syntax == syntax
    }

    /// Takes a node for something else than its grammar does.
    pub(crate) fn reread(&mut self, id: Id, syntax: Syntax) {
        self.nodes[id].syntax = syntax;
    }

    /// As the grammar calls it.
    pub(crate) fn kind(&self, id: Id) -> &'static str {
        self.nodes[id].kind
    }

    pub(crate) fn span(&self, id: Id) -> Range<usize> {
        self.nodes[id].from as usize..self.nodes[id].to as usize
    }

    pub(crate) fn start(&self, id: Id) -> usize {
        self.nodes[id].from as usize
    }

    pub(crate) fn end(&self, id: Id) -> usize {
        self.nodes[id].to as usize
    }

    /// From 0.
    pub(crate) fn row(&self, id: Id) -> usize {
        self.nodes[id].row as usize
    }

    pub(crate) fn last_row(&self, id: Id) -> usize {
        self.nodes[id].last_row as usize
    }

    pub(crate) fn text(&self, id: Id) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[self.span(id)])
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        let parent = self.nodes[id].parent;
        (parent != u32::MAX).then_some(parent as usize)
    }

    /// The nodes around one, the nearest first.
    pub(crate) fn around(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// A node and all below it, named or not, in the order of the text.
    pub(crate) fn all(&self, id: Id) -> Range<Id> {
        id..self.nodes[id].end as usize
    }

    /// A node and all named below it.
    pub(crate) fn walk(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.all(id).filter(|id| self.nodes[*id].syntax != Syntax::Token)
    }

    /// A node and all named below it, without what is below nodes that `closed` is true of (the first node is always open).
    pub(crate) fn walk_outside<'a>(
        &'a self,
        id: Id,
        closed: impl Fn(Syntax) -> bool + 'a,
    ) -> impl Iterator<Item = Id> + 'a {
        let end = self.nodes[id].end as usize;
        let mut next = id;
        std::iter::from_fn(move || {
            while next < end {
                let current = next;
                let shut = current != id && closed(self.nodes[current].syntax);
                next = if shut { self.nodes[current].end as usize } else { current + 1 };
                if !shut && self.nodes[current].syntax != Syntax::Token {
                    return Some(current);
                }
            }
            None
        })
    }

    pub(crate) fn contains(&self, outer: Id, inner: Id) -> bool {
        self.all(outer).contains(&inner)
    }

    fn every_child(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.nodes[id].end as usize;
        let first = (id + 1 < end).then_some(id + 1);
        std::iter::successors(first, move |child| {
            Some(self.nodes[*child].end as usize).filter(|next| *next < end)
        })
    }

    /// The named children without comments.
    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.every_child(id)
            .filter(|child| !matches!(self.nodes[*child].syntax, Syntax::Token | Syntax::Comment))
    }

    pub(crate) fn field(&self, id: Id, name: &str) -> Option<Id> {
        self.every_child(id).find(|child| self.nodes[*child].field == Some(name))
    }

    /// The operator of an expression, or nothing.
    pub(crate) fn operator(&self, id: Id) -> &'static str {
        let token = self
            .field(id, "operator")
            .or_else(|| self.every_child(id).find(|child| self.is(*child, Syntax::Token)));
        token.map_or("", |token| self.nodes[token].kind)
    }

    /// The named sibling in front of a node, comments included.
    pub(crate) fn sibling_before(&self, id: Id) -> Option<Id> {
        let siblings = self.every_child(self.parent(id)?).take_while(|sibling| *sibling < id);
        siblings.filter(|sibling| !self.is(*sibling, Syntax::Token)).last()
    }

    pub(crate) fn comments(&self) -> &[Id] {
        &self.comments
    }

    /// Whether nothing but blanks is in front of a node in its line.
    pub(crate) fn starts_line(&self, id: Id) -> bool {
        self.bytes[..self.start(id)]
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .all(u8::is_ascii_whitespace)
    }

    /// The column of a node in bytes, from 1.
    pub(crate) fn column(&self, id: Id) -> usize {
        self.bytes[..self.start(id)].iter().rev().take_while(|byte| **byte != b'\n').count() + 1
    }

    /// The lines of the longest stretch that could not be parsed.
    pub(crate) fn longest_error(&self) -> usize {
        let errors = self.nodes.iter().filter(|node| node.syntax == Syntax::Error);
        errors.map(|node| (node.last_row - node.row) as usize).max().unwrap_or(0)
    }
}
