//! Which programs are shown to search the same trees: those built from the same sources, and those that agreed about a unit
//! that both searched.
//!
//! Rows of two programs that nothing links are not put into one record. Left out: programs of others, whose binaries the
//! manifests name and hold to.

use crate::shards::error::Error;
use secateur_record::maker::Maker;
use std::collections::{BTreeMap, BTreeSet};

/// The makers of the rows, and what links them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    makers: BTreeMap<String, Maker>,
    /// Of each maker another one of its class, or itself.
    class: BTreeMap<String, String>,
    used: BTreeSet<String>,
}

impl Links {
    /// Adds makers that a manifest names.
    pub(crate) fn know(&mut self, makers: &[Maker]) {
        for maker in makers {
            self.class.entry(maker.id.clone()).or_insert_with(|| maker.id.clone());
            let source = &maker.build.source;
            let akin = |other: &&Maker| {
                (!source.is_empty() && other.build.source == *source)
                    || (!maker.binary.is_empty() && other.binary == maker.binary)
            };
            let akin: Vec<String> = self.makers.values().filter(akin).map(|other| other.id.clone()).collect();
            akin.iter().for_each(|other| self.link(&maker.id, other));
            self.makers.insert(maker.id.clone(), maker.clone());
        }
    }

    /// A maker made rows that are merged.
    pub(crate) fn uses(&mut self, id: &str) {
        if !self.used.contains(id) {
            self.used.insert(id.to_owned());
        }
    }

    /// Two makers agreed.
    pub(crate) fn link(&mut self, one: &str, other: &str) {
        let (one, other) = (self.root(one), self.root(other));
        self.class.insert(one, other);
    }

    fn root(&self, id: &str) -> String {
        let mut at = id;
        while let Some(next) = self.class.get(at).filter(|next| *next != at) {
            at = next;
        }
        at.to_owned()
    }

    /// All makers, by id.
    pub(crate) fn makers(&self) -> Vec<Maker> {
        self.makers.values().cloned().collect()
    }

    /// A maker in words: its program and its computer.
    pub(crate) fn words(&self, id: &str) -> String {
        let known = self.makers.get(id);
        known
            .map_or("unknown".to_owned(), |maker| format!("{} on {}", maker.program(), maker.machine_class()))
    }

    /// Whether all who made rows are linked.
    ///
    /// # Errors
    /// The first two that are not.
    pub(crate) fn prove(&self) -> Result<(), Error> {
        let mut used = self.used.iter();
        let Some(first) = used.next() else { return Ok(()) };
        match used.find(|other| self.root(other) != self.root(first)) {
            None => Ok(()),
            Some(other) => {
                let words = |id: &str| format!("{id}, {}", self.words(id));
                Err(Error::Unproven { one: words(first), other: words(other) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::machine::Build;

    fn maker(id: &str, source: &str, binary: &str) -> Maker {
        let build = Build { source: source.to_owned(), ..Build::default() };
        Maker { id: id.to_owned(), binary: binary.to_owned(), build, ..Maker::default() }
    }

    #[test]
    fn makers_are_linked_by_sources_binaries_and_agreement_and_by_nothing_else() {
        let mut links = Links::default();
        links.know(&[
            maker("d", "one", "x"),
            maker("b", "one", "y"),
            maker("c", "two", "z"),
            maker("a", "", ""),
        ]);
        links.uses("b");
        links.uses("d");
        links.prove().unwrap();
        links.uses("c");
        let error = links.prove().unwrap_err().to_string();
        assert!(error.contains("b, ") && error.contains("c, "), "{error}");
        links.link("c", "d");
        links.prove().unwrap();
        links.uses("a");
        assert!(links.prove().is_err(), "nobody knows what it is");
        links.link("a", "c");
        links.prove().unwrap();
    }
}
