//! Which classes of words an identifier is in, asked once for each.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::rules::Rules;

/// The classes of identifiers that were asked for.
pub(crate) struct Lexicon<'a> {
    rules: &'a Rules,
    classes: RefCell<HashMap<String, Vec<&'a str>>>,
}

impl<'a> Lexicon<'a> {
    pub(crate) fn new(rules: &'a Rules) -> Lexicon<'a> {
        Lexicon { rules, classes: RefCell::default() }
    }

    /// The classes of an identifier.
    pub(crate) fn classes(&self, name: &str) -> Vec<&'a str> {
        if let Some(classes) = self.classes.borrow().get(name) {
            return classes.clone();
        }
        let classes = self.rules.classes_of(&flat(name));
        self.classes.borrow_mut().insert(name.to_owned(), classes.clone());
        classes
    }

    /// Whether an identifier is in a class.
    pub(crate) fn is(&self, name: &str, class: &str) -> bool {
        self.classes(name).contains(&class)
    }

    /// Whether one of several is.
    pub(crate) fn any<T: AsRef<str>>(&self, names: &[T], class: &str) -> bool {
        names.iter().any(|name| self.is(name.as_ref(), class))
    }
}

/// An identifier in small letters without underscores.
pub(crate) fn flat(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// The words of a text: what identifiers could be.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .collect()
}
