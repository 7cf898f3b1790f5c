//! The text of an arm, taken apart: what a reader of records needs of it. What its parts mean, the suites know.

/// The arm with all methods.
pub const FULL: &str = "full";

/// The arm of all methods but these; of all of them without any.
#[must_use]
pub fn without<T: AsRef<str>>(methods: &[T]) -> String {
    if methods.is_empty() {
        return FULL.to_owned();
    }
    let left: Vec<String> = methods.iter().map(|method| format!("-{}", method.as_ref())).collect();
    format!("{FULL}[{}]", left.join(","))
}

/// The methods that an arm of [`without`] lacks.
#[must_use]
pub fn left_out_of(arm: &str) -> Vec<String> {
    let inside = arm.strip_prefix(FULL).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    let names = inside.into_iter().flat_map(|inside| inside.split(','));
    names.map(|name| name.trim_start_matches('-').to_owned()).collect()
}

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
