//! The list of a page's marks: what each name computes, and the tests that its sentence rests on.
//!
//! A list is TOML, next to no prose, so that a page reads like a document: `a7.is = "quick: chess depth=8 mpc speedup_geometric
//! as within"` is a number, `a7.tests = ["first-method: lmr-null p < 0.05"]` what must be true for the sentence around it. Left
//! out: filling, which is the parent module's.

use super::{expression, names};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What stands behind one mark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The number, an [expression]; none if the sentence has tests alone.
    pub is: Option<String>,
    /// Comparisons that must all be true for the sentence.
    #[serde(default)]
    pub tests: Vec<String>,
}

/// Marks by name: those of a page, or of all pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Marks(BTreeMap<String, Mark>);

impl Marks {
    /// Reads a list.
    ///
    /// # Errors
    /// What is no list, with line and column.
    pub fn read(text: &str) -> Result<Marks, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The mark of a name.
    pub fn get(&self, name: &str) -> Option<&Mark> {
        self.0.get(name)
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Adds the marks of another page. A sentence may be on two pages; then both lists say the same of it.
    ///
    /// # Errors
    /// A name that computes one thing here and another there.
    pub fn add(&mut self, other: Marks) -> Result<(), String> {
        for (name, mark) in other.0 {
            match self.0.get(&name) {
                Some(before) if *before != mark => {
                    return Err(format!(
                        "`{name}`: another page has this name for something else; choose a new name, or make both the same"
                    ));
                }
                _ => self.0.insert(name, mark),
            };
        }
        Ok(())
    }

    /// The sources that numbers and tests name.
    pub fn sources(&self) -> BTreeSet<String> {
        let texts = self.0.values().flat_map(|mark| mark.is.iter().chain(&mark.tests));
        texts.flat_map(|text| expression::sources(text)).collect()
    }

    /// The list of `document`, whose path is `page`: its marks in the order of the text, as [`Marks::read`] reads them. `None` if it has no
    /// mark. A name that stands behind nothing is left out, which [`super::fill`] reports.
    pub fn list(&self, page: &str, document: &str) -> Option<String> {
        let mut text =
            format!("# What the marks of {page} compute, and the tests that their sentences rest on.\n");
        let mut listed = BTreeSet::new();
        let names = names(document);
        for (name, mark) in names.iter().filter_map(|name| Some((name, self.get(name)?))) {
            if listed.insert(name) {
                text += &mark.lines(name);
            }
        }
        (!listed.is_empty()).then_some(text)
    }
}

impl Mark {
    fn lines(&self, name: &str) -> String {
        let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
        let mut lines = String::new();
        if let Some(is) = &self.is {
            let _ = writeln!(lines, "{name}.is = {}", quoted(is));
        }
        match self.tests.as_slice() {
            [] => {}
            [one] => {
                let _ = writeln!(lines, "{name}.tests = [{}]", quoted(one));
            }
            several => {
                let rows: String = several.iter().map(|test| format!("    {},\n", quoted(test))).collect();
                let _ = writeln!(lines, "{name}.tests = [\n{rows}]");
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "b.is = \"run: x\"\na.is = \"run: y / other: z as .2\"\na.tests = [\"run: x > 1\", \"third: p < 0.05\"]\n";

    #[test]
    fn a_list_has_the_marks_of_its_page_in_the_order_of_the_text_and_is_read_back() {
        let marks = Marks::read(LIST).unwrap();
        assert_eq!(marks.sources(), ["other", "run", "third"].map(str::to_owned).into());
        let page = "z <!--=a-->1<!--/--> and <!--=b-->2<!--/--> and again <!--=a-->1<!--/-->\n";
        let list = marks.list("docs/A.md", page).unwrap();
        assert!(list.starts_with("# What the marks of docs/A.md compute"), "{list}");
        assert!(list.find("a.is") < list.find("b.is") && list.matches("a.is").count() == 1, "{list}");
        assert_eq!(Marks::read(&list), Ok(marks.clone()));
        let moved = marks.list("docs/A.md", "only <!--=b-->2<!--/-->").unwrap();
        assert!(!moved.contains("a."), "what left the page leaves its list: {moved}");
        assert_eq!(marks.list("docs/A.md", "prose alone"), None);
    }

    #[test]
    fn a_name_means_one_thing_on_all_pages() {
        let mut marks = Marks::read(LIST).unwrap();
        assert_eq!(marks.add(Marks::read("b.is = \"run: x\"\n").unwrap()), Ok(()));
        let error = marks.add(Marks::read("b.is = \"run: y\"\n").unwrap()).unwrap_err();
        assert!(error.starts_with("`b`: another page"), "{error}");
        assert!(Marks::read("b.iss = \"x\"\n").unwrap_err().contains("unknown field `iss`"));
    }
}
