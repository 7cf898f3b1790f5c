//! What conditions look like as text, without blanks: the names that programs give to moves, entries of tables and counts.

use regex_lite::Regex;
use std::sync::LazyLock;

/// `-1`, `- ONE_PLY`: the ply that was played.
pub(super) static ONE_PLY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"-\(?(1|one_?ply|ply|inc_?ply|depth_step)\)?([^0-9a-z_]|$)"));

/// A condition that asks whether there is one move.
pub(super) static ONE_REPLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(moves?|list|legal|repl(y|ies)|evasions?)\w*((\.|->)(size|len|count)(\(\))?)?==1$")
});

/// A condition that asks whether a move has less than some value in the order of moves.
pub(super) static SCORE_OF_MOVE: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"(?i)^([\w.>\-]*(move|mv)|m|\w+\[\w+\])(\.|->)(get)?_?(score|value|val)(\(\))?<",
        r"^\w*(move|mv)\w*(score|value|val|price)s?(\[[^\]]+\])+<",
    ])
});

pub(super) static LENGTH_OF_MOVES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(quiet|move|searched|played)\w*\.(len|size|count)\(\)"));

/// A part of a condition that says: this move is that of the table.
pub(super) fn is_table_move(text: &str) -> bool {
    static SAME: LazyLock<Regex> = LazyLock::new(|| {
        let table = r"[\w.>\-]*(tt|hash|table|entry|he|trans|best|en|tte)[\w.>\-]*(move|mov|mv|hashed|m)?";
        any_of(&[
            &format!(r"(?i)^\(?\*?[\w.>\-]*(move|mv|m|s)\d*==({table}|TT_?SCORE|hashed)\)?$"),
            &format!(r"^\(?({table})==[\w.>\-()]*(move|mv|m)\)?$"),
            r"^\w*(eq|same)\w*\(",
            r"^\w*(tt|hash)_?(move)?\w*==Some\(\w+\)$|^Some\(\w+\)==\w*(tt|hash)\w*$",
        ])
    });
    static TABLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(tt|hash|tab|entry|he[.-]|trans|tte)"));
    SAME.is_match(text) && TABLE.is_match(text)
}

/// A part of a condition that says: this move is the best so far, which before the first search is that of the table.
pub(super) static IS_BEST_MOVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^\(?\*?[\w.>\-]*(move|mov|mv|m)==[\w.>\-]*best_?(move|mov|mv)\)?$"));

/// A part of a condition that says that a variable is nothing.
pub(super) static IS_NOTHING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^(\w+)==[\w:]*(none|null|no_?move|empty|invalid)$"));

/// A part of a condition that says that something has no move.
pub(super) static LACKS_MOVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^!\(?[\w.>\-]+(\.|->)_?(move|mov|mv)(\(\))?\)?$"));

/// A part of a condition that says that a variable, by its name a move, is nothing.
pub(super) static IS_MISSING_MOVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^!\(?(\w*(move|mov|mv))\)?$"));

/// A condition that asks alone whether there is something.
pub(super) static HAS_ENTRY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\(*(\w+)((\.|->)(has_value|is_some)\(\)|!=(nullptr|NULL))?\)*$"));

/// A part of a condition that says: the table has no move.
pub(super) static LACKS_TABLE_MOVE: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"(?i)^![\w.>()\-]*(legal|valid)\w*\(\*?[\w.>\-]*(tt|hash|table)_?(move|mov|mv)\)$",
        r"^!\(?[\w.>\-]*(tt|hash|table|trans|entry)[\w.>\-]*(\(\)|\[\w+\])?\)?$",
        r"(tt|hash|trans|entry)[\w.>\-]*==[\w:]*(none|null|no_?move|0|empty|invalid)",
        r"(tt|hash|trans|entry|cached)[\w.]*(mov|mv)?\w*\.is_none\(\)",
    ])
});

/// A condition that asks alone whether there are moves.
pub(super) static ASKS_FOR_MOVES: LazyLock<Regex> = LazyLock::new(|| {
    any_of(&[
        r"(?i)^!?[\w.>\-]*(moves?|legal|played|count|num)\w*(\(\))?(==0|<1|<=0)?$",
        r"^!?[\w.>\-]*(\.|->)(is_)?empty\(\)$|^[\w.>\-]*(\.|->)(size|len|count)\(\)==0$|is_empty",
    ])
});

/// A condition that asks alone whether this is the first move.
pub(super) static ASKS_FIRST_MOVE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\w.>\-()!]+(==[01]|<=1|<[12]|>[01]|!=[01]|>=[12])?$"));

/// A pattern of this file.
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("{text}: {error}"))
}

/// A pattern that fits where one of these does; flags in front of the first hold for all.
fn any_of(patterns: &[&str]) -> Regex {
    pattern(&patterns.join("|"))
}

/// What the variable is called that a pattern names in a text.
pub(super) fn named_by<'t>(pattern: &Regex, text: &'t str) -> Option<&'t str> {
    Some(pattern.captures(text)?.get(1)?.as_str())
}
