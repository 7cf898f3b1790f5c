//! What comments say of a site.

use crate::parse::{Id, Syntax, Tree};

/// The comments of a site.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// Above its statement, a blank line allowed between.
    pub(crate) above: String,
    /// Behind or within its condition.
    pub(crate) beside: String,
    /// At the beginning of its body, where nothing is above.
    pub(crate) inside: String,
}

pub(crate) fn comments_of(tree: &Tree, node: Id, body: Option<Id>) -> Comments {
    let statement = statement_of(tree, node);
    let row = tree.row(statement);
    let mut above = Vec::new();
    let mut next = ending_above(tree, tree.row(statement))
        .or_else(|| ending_above(tree, preparing_row(tree, statement, node)?))
        .or_else(|| ending_above(tree, tree.row(alone_in(tree, statement)?)));
    while let Some(index) = next {
        let comment = tree.comments()[index];
        above.insert(0, tree.text(comment).into_owned());
        let before = index.checked_sub(1).filter(|before| {
            let other = tree.comments()[*before];
            tree.starts_line(other) && tree.last_row(other) + 1 == tree.row(comment)
        });
        next = before;
    }
    let end = body.map_or(tree.last_row(node), |body| tree.row(body));
    let from = tree.comments().partition_point(|comment| tree.row(*comment) < row);
    let near = || tree.comments()[from..].iter().copied().take_while(|comment| tree.row(*comment) <= end + 1);
    let beside = near().filter(|comment| {
        let (first, starts) = (tree.row(*comment), tree.starts_line(*comment));
        first <= end
            && (!starts || first > row)
            && body.is_none_or(|body| first < tree.row(body) || first == tree.row(body) && !starts)
    });
    let beside: Vec<String> = beside.map(|comment| tree.text(comment).into_owned()).collect();
    let mut inside = Vec::new();
    if let Some(body) = body.filter(|_| above.is_empty()) {
        let statements = tree.statements(body);
        // A comment at the beginning of a body is that of a condition there, if one follows.
        let of_first = statements.len() > 1 && tree.is(tree.bare(statements[0]), Syntax::If);
        let at_beginning = |comment: &Id| {
            let row = tree.row(*comment);
            (tree.row(body)..=tree.row(body) + 1).contains(&row)
                && row > tree.row(statement)
                && (tree.contains(body, *comment) || *comment < body)
        };
        let first = near().find(at_beginning);
        inside.extend(first.filter(|_| !of_first).map(|comment| tree.text(comment).into_owned()));
    }
    Comments { above: clean(&above), beside: clean(&beside), inside: clean(&inside) }
}

/// The `if` of which a condition is all there is, so that its comment is that of both.
pub(crate) fn alone_in(tree: &Tree, statement: Id) -> Option<Id> {
    let is_alone = tree.is(tree.bare(statement), Syntax::If)
        && tree.field(tree.bare(statement), "alternative").is_none();
    let block = tree.parent(statement).filter(|block| tree.is(*block, Syntax::Block) && is_alone)?;
    let outer = tree.parent(block).filter(|outer| tree.is(*outer, Syntax::If))?;
    (tree.statements(block).len() == 1 && tree.field(outer, "consequence") == Some(block)).then_some(outer)
}

/// Where the comment of a node would be: above its statement, for an `else if` above its `else`.
fn statement_of(tree: &Tree, node: Id) -> Id {
    let mut statement = node;
    while let Some(parent) = tree.parent(statement) {
        let is_part = matches!(
            tree.syntax(parent),
            Syntax::Statement
                | Syntax::Declarator
                | Syntax::Declaration
                | Syntax::Binary
                | Syntax::Paren
                | Syntax::Assign
                | Syntax::Let
        );
        if !is_part {
            break;
        }
        statement = parent;
    }
    statement
}

/// The comment that starts its line and ends in the line above a row, or with a blank line between.
fn ending_above(tree: &Tree, row: usize) -> Option<usize> {
    let behind = tree.comments().partition_point(|comment| tree.row(*comment) < row);
    let index = behind.checked_sub(1)?;
    let comment = tree.comments()[index];
    let gap = row.checked_sub(tree.last_row(comment) + 1)?;
    // Between them there may be a blank line, and nothing else.
    let blank = gap == 0
        || gap == 1
            && tree.bytes[tree.end(comment)..]
                .split(|byte| *byte == b'\n')
                .nth(1)
                .is_some_and(|line| line.trim_ascii().is_empty());
    (tree.starts_line(comment) && blank).then_some(index)
}

/// The first line of the statements in front of a condition that work out what it asks; at most three.
fn preparing_row(tree: &Tree, statement: Id, node: Id) -> Option<usize> {
    let asked = tree.asked(node);
    let (mut first, mut before) = (None, tree.sibling_before(statement));
    for _ in 0..3 {
        let Some(id) = before else { break };
        let prepares =
            matches!(tree.syntax(id), Syntax::Declaration | Syntax::Statement | Syntax::Let | Syntax::Label)
                && tree.assignments(id).any(|(_, assigned)| asked.contains(&assigned.target));
        if !prepares {
            break;
        }
        (first, before) = (Some(tree.row(id)), tree.sibling_before(id));
    }
    first
}

fn clean(texts: &[String]) -> String {
    let lines = texts.iter().flat_map(|text| text.lines()).map(|line| {
        let line =
            line.trim_start_matches(|letter: char| letter.is_whitespace() || "/*!|+-".contains(letter));
        line.trim_end_matches(|letter: char| letter.is_whitespace() || "*/|-".contains(letter))
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The words by which a comment begins: its first sentence, without the number of a step and its Elo, at most twelve words.
pub(crate) fn headline(comment: &str) -> String {
    let mut text = comment.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let lower = text.to_ascii_lowercase();
    if let Some(title) = lower.strip_prefix("step") {
        let title = title.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
        let title = title
            .strip_prefix(|letter: char| letter.is_ascii_lowercase())
            .filter(|title| title.starts_with(['.', ':', ' ']))
            .unwrap_or(title);
        text = &text[text.len() - title.len()..];
        text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '(');
    }
    if let Some((inner, after)) = text.strip_prefix('(').and_then(|text| text.split_once(')'))
        && inner.to_ascii_lowercase().ends_with("elo")
    {
        text = after.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    }
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        let before = text[..at].chars().next_back();
        let after = text[at + letter.len_utf8()..].chars().next();
        if ".:;".contains(letter)
            && before.is_some_and(|before| before.is_alphabetic() || before == ')' || before == ']')
            && after.is_none_or(char::is_whitespace)
        {
            end = at;
            break;
        }
    }
    text[..end].split_whitespace().take(12).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_is_the_first_sentence_without_its_number() {
        for (comment, expected) in [
            ("Step 9. Null move search (~40 Elo)", "Null move search (~40 Elo)"),
            ("Step 7 (~93 elo). Null Move Pruning. If our position is good", "Null Move Pruning"),
            ("null move pruning: we give a free move", "null move pruning"),
            ("", ""),
            ("...", ""),
        ] {
            assert_eq!(headline(comment), expected, "{comment}");
        }
    }
}
