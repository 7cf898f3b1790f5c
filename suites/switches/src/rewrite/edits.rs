//! What is written into the text for one site.

use crate::place::Place;
use crate::source::Language;

/// A text to be put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Insertion {
    pub(super) at: usize,
    pub(super) text: String,
    /// Whether it ends what another began, so that it comes in front of what begins at the same place.
    pub(super) closes: bool,
}

/// How a site's two questions are written: whether it is on, and (always true) that its condition was.
pub(super) struct Questions {
    pub(super) on: String,
    pub(super) hit: String,
}

impl Questions {
    pub(super) fn of(language: Language, identifier: &str) -> Questions {
        if language == Language::Rust {
            let constant = identifier.to_ascii_uppercase();
            return Questions {
                on: format!("crate::secateur::{constant}.on()"),
                hit: format!("crate::secateur::{constant}.hit()"),
            };
        }
        Questions { on: format!("SECATEUR_ON({identifier})"), hit: format!("SECATEUR_HIT({identifier})") }
    }

    /// For a site that is gone for good, without anything that reads the environment.
    pub(super) fn never(language: Language) -> Questions {
        let (on, hit) = if language == Language::Rust { ("false", "true") } else { ("0", "1") };
        Questions { on: on.to_owned(), hit: hit.to_owned() }
    }
}

/// The insertions of a place; an error is why there are none.
pub(super) fn insertions(
    place: &Place,
    language: Language,
    ask: &Questions,
) -> Result<Vec<Insertion>, &'static str> {
    let Questions { on, hit } = ask;
    let rust = language == Language::Rust;
    let open = |at: usize, text: String| Insertion { at, text, closes: false };
    let close = |at: usize, text: String| Insertion { at, text, closes: true };
    Ok(match place {
        Place::Condition { span, brackets, first } => {
            let (left, right) = if *brackets { ("(", ")") } else { ("", "") };
            if *first {
                let mut all = vec![close(span.end, format!("{right} && {on} && {hit}"))];
                if *brackets {
                    all.insert(0, open(span.start, left.to_owned()));
                }
                all
            } else {
                vec![
                    open(span.start, format!("{on} && {left}")),
                    close(span.end, format!("{right} && {hit}")),
                ]
            }
        }
        Place::Body { span, block } if rust => {
            let (left, right) = if *block { ("", "") } else { ("{ ", " }") };
            vec![
                open(span.start, format!("{{ if {on} && {hit} {left}")),
                close(span.end, format!("{right} }}")),
            ]
        }
        Place::Body { span, .. } => vec![open(span.start, format!("if ({on} && {hit}) "))],
        Place::Option { span } => {
            vec![open(span.start, "(".to_owned()), close(span.end, format!(").filter(|_| {on} && {hit})"))]
        }
        Place::Otherwise { span } => {
            vec![open(span.start, format!("(!({on} && {hit}) || (")), close(span.end, "))".to_owned())]
        }
        Place::Value { span, neutral } if rust => {
            vec![
                open(span.start, format!("if {on} && {hit} {{ ")),
                close(span.end, format!(" }} else {{ {neutral} }}")),
            ]
        }
        Place::Value { span, neutral } => {
            vec![open(span.start, format!("({on} && {hit} ? (")), close(span.end, format!(") : {neutral})"))]
        }
        Place::Case { at } => vec![open(*at, format!("if (!({on} && {hit})) break; "))],
        Place::Guard { at } => vec![close(*at, format!(" if {on} && {hit}"))],
        Place::None { reason } => return Err(reason),
    })
}

/// A text with insertions, which are in the order of their sites: what is outside comes before what is inside.
pub(super) fn inserted(text: &[u8], insertions: &[Insertion]) -> Vec<u8> {
    let mut order: Vec<usize> = (0..insertions.len()).collect();
    // At one place: first what closes, the innermost first, then what opens, the outermost first.
    order.sort_by_key(|&index| {
        let insertion = &insertions[index];
        let nested = if insertion.closes { usize::MAX - index } else { index };
        (insertion.at, !insertion.closes, nested)
    });
    let (mut new, mut end) = (Vec::with_capacity(text.len() + insertions.len() * 40), 0);
    for index in order {
        let insertion = &insertions[index];
        let at = insertion.at.min(text.len());
        new.extend_from_slice(&text[end.min(at)..at]);
        new.extend_from_slice(insertion.text.as_bytes());
        end = at;
    }
    new.extend_from_slice(&text[end..]);
    new
}
