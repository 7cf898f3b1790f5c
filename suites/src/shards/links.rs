//! Which programs are shown to search the same trees: those built from the same sources, and those that agreed about a unit
//! that both searched.
//!
//! Rows of two programs that nothing links are not put into one record. Left out: programs of others, whose binaries the
//! manifests name and hold to.

use crate::shards::error::Error;
use secateur_record::build::Build;
use std::collections::{BTreeMap, BTreeSet};

/// The builds of the rows, and what links them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    builds: BTreeMap<String, Build>,
    /// Of each build another one of its class, or itself.
    class: BTreeMap<String, String>,
    used: BTreeSet<String>,
}

impl Links {
    /// Adds builds that a manifest names.
    pub(crate) fn know(&mut self, builds: &[Build]) {
        for build in builds {
            self.class.entry(build.id.clone()).or_insert_with(|| build.id.clone());
            let source = &build.compiled.source;
            let akin = |other: &&Build| {
                (!source.is_empty() && other.compiled.source == *source)
                    || (!build.binary.is_empty() && other.binary == build.binary)
            };
            let akin: Vec<String> = self.builds.values().filter(akin).map(|other| other.id.clone()).collect();
            akin.iter().for_each(|other| self.link(&build.id, other));
            self.builds.insert(build.id.clone(), build.clone());
        }
    }

    /// A build made rows that are merged.
    pub(crate) fn uses(&mut self, id: &str) {
        if !self.used.contains(id) {
            self.used.insert(id.to_owned());
        }
    }

    /// Two builds agreed.
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

    /// All builds, by id.
    pub(crate) fn builds(&self) -> Vec<Build> {
        self.builds.values().cloned().collect()
    }

    /// A build in words: its program and its computer.
    pub(crate) fn words(&self, id: &str) -> String {
        let build = self.builds.get(id);
        build
            .map_or("unknown".to_owned(), |build| format!("{} on {}", build.program(), build.machine_class()))
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
                let build_words = |id: &str| format!("{id}, {}", self.words(id));
                Err(Error::Unproven { one: build_words(first), other: build_words(other) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::machine::Compilation;

    fn build(id: &str, source: &str, binary: &str) -> Build {
        let compiled = Compilation { source: source.to_owned(), ..Compilation::default() };
        Build { id: id.to_owned(), binary: binary.to_owned(), compiled, ..Build::default() }
    }

    #[test]
    fn builds_are_linked_by_sources_binaries_and_agreement_and_by_nothing_else() {
        let mut links = Links::default();
        links.know(&[
            build("d", "one", "x"),
            build("b", "one", "y"),
            build("c", "two", "z"),
            build("a", "", ""),
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
