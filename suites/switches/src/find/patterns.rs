//! What conditions look like as text, without blanks: the names that programs give to moves, entries of tables and counts.

use regex_lite::Regex;
use std::sync::LazyLock;

/// `-1`, `- ONE_PLY`: the ply that was played.
pub(super) static ONE_PLY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"-\(?(1|one_?ply|ply|inc_?ply|depth_step)\)?([^0-9a-z_]|$)"));

/// A window of width 1 around beta, turned around, among the arguments of a search; and one around alpha.
pub(super) static BETA_WINDOW: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"-beta,(-beta\+|-\(beta-1\)|1-beta)|-beta-1,|-\(beta-1\),|,1-beta,"));
pub(super) static ALPHA_WINDOW: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"-alpha-1,-alpha|-\(alpha\+1\),-alpha"));
/// A part of a condition that asks whether this is the root.
pub(super) static IS_ROOT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^((ss->)?ply|height)==0|ROOT$"));
/// A comparison of the depth that is true where none is left.
pub(super) static NO_DEPTH_LEFT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(<=?[01]|==0|<=depth|<depth_zero|<=?one_ply|<depth\([01])([^0-9]|$)"));
/// The name of a constant that bounds proven values: `TB_WIN_IN_MAX`.
pub(super) static PROVEN_BOUND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[A-Z0-9_]*(WIN|LOSS|LOSE|MATE|VALUE|SCORE|BOUND|INF|DECISIVE|EVAL)[A-Z0-9_]*$")
});
/// A statement, in small letters, that says something of mates.
pub(super) static SAYS_MATE: LazyLock<Regex> = LazyLock::new(|| pattern("mate|infinit|win_in|max_?score"));
/// A text, in small letters, that is no move.
pub(super) static IS_NO_MOVE: LazyLock<Regex> = LazyLock::new(|| pattern("^(0|false)?$|none|null|empty"));
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

/// What the name of a function has before and behind the method that it asks for, both in small letters: `can_apply_lmr`.
pub(crate) static ASKED_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| pattern("^(self|can|should|do|is|may|try|apply|allowed|allow|use)+"));
pub(crate) static ASKED_BEHIND: LazyLock<Regex> =
    LazyLock::new(|| pattern("(apply|applied|allowed|possible|ok|be|can|should)+$"));
/// Of these, the name of a method that needs nothing around it, and that of a number.
pub(crate) static METHOD_BY_NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern("prun|(cutoff|probcut|razor|razoring|nws|pvs|nws4|nwsfull)$"));
pub(crate) static NUMBER_BY_NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern("margin|offset|scale|thresh|depth|limit|divisor|value|coeff|factor|max|min|count|table|beta")
});
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
