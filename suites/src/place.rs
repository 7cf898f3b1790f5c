//! A TOML file that people write, and where in it a message belongs.

use crate::error::{Unknown, fault};
use crate::setups::games;
use secateur_positions::Fault;
use secateur_record::error::from_toml;
use serde::de::DeserializeOwned;
use std::path::Path;
use toml::Spanned;

/// A file as it is read.
pub(crate) struct Place<'a> {
    /// Its path, for messages and as the base of relative paths.
    pub(crate) path: &'a Path,
    /// Its text.
    pub(crate) text: &'a str,
}

impl<'a> Place<'a> {
    /// What the file holds.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Box<Fault>> {
        from_toml(self.path, self.text, self.text)
    }

    /// What is wrong with a value.
    pub(crate) fn at<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> Box<Fault> {
        fault(self.path, self.text, value.span().start, message)
    }

    /// What is wrong with the file.
    pub(crate) fn whole(&self, message: impl Into<String>) -> Box<Fault> {
        fault(self.path, self.text, 0, message)
    }

    /// The folder that relative paths are relative to.
    pub(crate) fn folder(&self) -> &'a Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The items of a list of `what`, of which there must be one.
    pub(crate) fn filled<'v, T>(&self, what: &str, list: &'v Spanned<Vec<T>>) -> Result<&'v [T], Box<Fault>> {
        match list.get_ref().as_slice() {
            [] => Err(self.at(list, format!("found no {what}, expected at least one"))),
            items => Ok(items),
        }
    }

    /// The name of a game that is known.
    pub(crate) fn game<'v>(&self, name: &'v Spanned<String>) -> Result<&'v String, Box<Fault>> {
        let text = name.get_ref();
        match games::find(text) {
            Ok(_) => Ok(text),
            Err(_) => Err(self.at(name, Unknown::new("game", text, &games::names()).to_string())),
        }
    }
}
