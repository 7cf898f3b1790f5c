//! The text of an arm, taken apart: what a reader of records needs of it. What its parts mean, the suites know.

/// Splits at a mark that stands outside all brackets.
#[must_use]
pub fn split(text: &str, mark: char) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |c: char| {
        depth = match c {
            '[' => depth + 1,
            ']' => depth.saturating_sub(1),
            _ => depth,
        };
        c == mark && depth == 0
    };
    text.split(outside).collect()
}

/// The method that a member of an arm is a form of: what stands before its bracket.
#[must_use]
pub fn name(member: &str) -> &str {
    member.split_once('[').map_or(member, |(name, _)| name)
}
