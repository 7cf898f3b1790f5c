//! Labels: short texts that many rows share, each in memory once.
//!
//! A run of a million rows names a handful of games, suites, method sets and builds, and each position once a method set. A label
//! is four bytes; its text stays in memory until the program ends. Nothing depends on the order in which labels are made: they
//! compare, hash and print as their texts do.

use secateur_base::Fnv;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

/// A text that is in memory once; the default is the empty one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Label(u32);

/// The texts by number. Those of a chunk are as many as those of all chunks before it together, and none ever moves.
static CHUNKS: [OnceLock<Box<[OnceLock<&'static str>]>>; 32] = [const { OnceLock::new() }; 32];
/// The numbers by text: number 0 is the empty text, which is in no chunk.
static NUMBERS: LazyLock<RwLock<HashMap<&'static str, u32>>> = LazyLock::new(RwLock::default);

thread_local! {
    /// Labels that this thread made last, by a hash of their texts: the rows of a run repeat most of theirs.
    static RECENT: [Cell<Label>; 256] = const { [const { Cell::new(Label(0)) }; 256] };
}

/// The chunk of a number and the place in it.
fn place(number: u32) -> (usize, usize) {
    let chunk = number.ilog2();
    (chunk as usize, (number - (1 << chunk)) as usize)
}

impl Label {
    /// The label of a text.
    pub fn new(text: &str) -> Label {
        if text.is_empty() {
            return Label(0);
        }
        // The high bits depend on every byte.
        let place = (Fnv::default().words(text.as_bytes()).value() >> 56) as usize;
        RECENT.with(|recent| {
            let recent = &recent[place];
            if recent.get() != *text {
                let number = NUMBERS.read().unwrap_or_else(PoisonError::into_inner).get(text).copied();
                recent.set(Label(number.unwrap_or_else(|| added(text))));
            }
            recent.get()
        })
    }

    /// The text.
    pub fn as_str(&self) -> &'static str {
        if self.0 == 0 {
            return "";
        }
        let (chunk, at) = place(self.0);
        // A number is given out after its text is stored.
        CHUNKS[chunk].get().and_then(|texts| texts[at].get()).expect("the text of a label")
    }
}

/// Stores a text; its number.
fn added(text: &str) -> u32 {
    let mut numbers = NUMBERS.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(number) = numbers.get(text) {
        return *number;
    }
    let text: &'static str = Box::leak(text.into());
    let number = u32::try_from(numbers.len() + 1).expect("fewer than four thousand million texts");
    let (chunk, at) = place(number);
    let texts = CHUNKS[chunk].get_or_init(|| (0..1_usize << chunk).map(|_| OnceLock::new()).collect());
    texts[at].get_or_init(|| text);
    numbers.insert(text, number);
    number
}

impl Deref for Label {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Label {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Label {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

/// As its text, so that a map with labels is asked by texts.
impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Ord for Label {
    fn cmp(&self, other: &Label) -> Ordering {
        if self == other { Ordering::Equal } else { self.as_str().cmp(other.as_str()) }
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Label) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

macro_rules! of_texts {
    ($($text:ty),+) => {$(
        impl From<$text> for Label {
            fn from(text: $text) -> Label {
                Label::new(&text)
            }
        }

        impl PartialEq<$text> for Label {
            fn eq(&self, other: &$text) -> bool {
                **self == **other
            }
        }

        impl PartialEq<Label> for $text {
            fn eq(&self, other: &Label) -> bool {
                **self == **other
            }
        }
    )+};
}
of_texts!(&str, String, &String);

impl PartialEq<str> for Label {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<Label> for str {
    fn eq(&self, other: &Label) -> bool {
        *self == **other
    }
}

impl From<Label> for String {
    fn from(label: Label) -> String {
        label.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_its_text_in_every_thread() {
        let texts: Vec<String> = (0..3000).map(|number| format!("text {number}")).collect();
        let labels = || texts.iter().map(Label::from).collect::<Vec<_>>();
        let all = std::thread::scope(|scope| {
            [0; 4].map(|_| scope.spawn(labels)).map(|thread| thread.join().expect("no panic"))
        });
        for labels in &all {
            assert!(labels.iter().zip(&texts).all(|(label, text)| label == text && label.as_str() == text));
            assert_eq!(labels, &all[0]);
        }
        assert!(texts.windows(2).all(|pair| Label::new(&pair[0]) != Label::new(&pair[1])));
        assert_eq!((Label::default(), size_of::<Label>()), (Label::new(""), 4));
    }

    #[test]
    fn labels_are_ordered_found_and_written_as_texts() {
        let mut labels = ["b", "", "a", "ab"].map(Label::new);
        labels.sort_unstable();
        assert_eq!(labels, ["", "a", "ab", "b"].map(Label::new));
        assert_eq!(format!("{:>3}|{:?}", labels[2], labels[3]), " ab|\"b\"");
        let map = std::collections::BTreeMap::from([(labels[1], 1)]);
        assert_eq!(map.get("a"), Some(&1));
        let mapped = HashMap::from([(labels[1], 1)]);
        assert_eq!(mapped.get("a"), Some(&1));
    }
}
