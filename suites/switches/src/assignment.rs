//! Which site is a switch of which method: proposed by a survey, written to a TOML file, edited by its user.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::site::{Confidence, Finding, Site, Survey};

/// The file that a user edits, as a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// The files that sites are looked for in, from the folder of the source; empty where the caller knows them.
    #[serde(default)]
    pub files: Vec<String>,
    /// One entry a site that can have a switch.
    #[serde(default, rename = "site")]
    pub sites: Vec<AssignedSite>,
}

/// What is decided for one site.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignedSite {
    /// [`Site::key`].
    pub key: String,
    /// The method that it is a switch of; `""` for a switch of its own alone, `"none"` for no switch at all.
    pub method: String,
    /// For the reader: file and line when it was written.
    #[serde(default)]
    pub at: String,
    /// For the reader: the condition.
    #[serde(default)]
    pub condition: String,
}

/// Why a file of sites cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AssignmentError {
    /// It is no TOML, or not of this form.
    #[error("{0}: expected tables [[site]], each with `key` and `method`")]
    Form(String),
    /// An entry twice.
    #[error("the site \"{0}\" has two entries: remove one of them")]
    Twice(String),
    /// A method's name that cannot be one.
    #[error(
        "the site \"{key}\": \"{method}\" is no name of a method: use small letters, digits and hyphens, \"\" for no method, or \"none\" for no switch"
    )]
    Name {
        /// The site.
        key: String,
        /// What was written.
        method: String,
    },
}

/// What an assignment says of one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch<'a> {
    /// Under the switch of this method, and alone.
    Method(&'a str),
    /// Alone.
    Alone,
    /// None.
    None,
}

impl AssignedSite {
    /// What its `method` says.
    pub fn switch(&self) -> Switch<'_> {
        match self.method.as_str() {
            "none" => Switch::None,
            "" => Switch::Alone,
            method => Switch::Method(method),
        }
    }
}

impl Assignment {
    /// What a survey proposes: every site by its method, parts and unnamed ones by themselves.
    pub fn proposed(survey: &Survey) -> Assignment {
        let entry = |site: &Site| AssignedSite {
            key: site.key.clone(),
            method: site.method().unwrap_or_default().to_owned(),
            at: format!("{}:{}", site.file, site.line),
            condition: site.condition.clone(),
        };
        let files = Vec::new();
        Assignment {
            files,
            sites: survey.sites.iter().filter(|site| site.is_switchable()).map(entry).collect(),
        }
    }

    /// Reads an edited file.
    ///
    /// # Errors
    /// Where it is not of the form, names a site twice, or a method by what is no name.
    pub fn from_toml(text: &str) -> Result<Assignment, AssignmentError> {
        let assignment: Assignment = toml::from_str(text)
            .map_err(|error| AssignmentError::Form(error.to_string().trim_end().to_owned()))?;
        let mut keys = std::collections::HashSet::new();
        for site in &assignment.sites {
            if !keys.insert(&site.key) {
                return Err(AssignmentError::Twice(site.key.clone()));
            }
            let is_name = |name: &str| {
                name.starts_with(|letter: char| letter.is_ascii_lowercase())
                    && name.len() <= 40
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            };
            if !site.method.is_empty() && !is_name(&site.method) {
                return Err(AssignmentError::Name { key: site.key.clone(), method: site.method.clone() });
            }
        }
        Ok(assignment)
    }

    /// This assignment for a source that has changed: entries of sites that are there are kept, new sites get what is proposed. Also
    /// the keys whose sites are gone.
    pub fn brought_up_to(&self, survey: &Survey) -> (Assignment, Vec<String>) {
        let mut proposed = Assignment { files: self.files.clone(), ..Assignment::proposed(survey) };
        let mut old: HashMap<&str, &AssignedSite> =
            self.sites.iter().map(|site| (site.key.as_str(), site)).collect();
        for site in &mut proposed.sites {
            if let Some(decided) = old.remove(site.key.as_str()) {
                site.method.clone_from(&decided.method);
            }
        }
        let gone = self
            .sites
            .iter()
            .filter(|site| old.contains_key(site.key.as_str()))
            .map(|site| site.key.clone())
            .collect();
        (proposed, gone)
    }

    /// What is decided for each site, by its key; a site without an entry has no switch.
    pub fn switches(&self) -> HashMap<&str, Switch<'_>> {
        self.sites.iter().map(|site| (site.key.as_str(), site.switch())).collect()
    }

    /// The file for its user, with what speaks for each entry as comments. [`Assignment::from_toml`] reads it back.
    pub fn to_toml(&self, survey: &Survey) -> String {
        let by_key: HashMap<&str, &Site> =
            survey.sites.iter().map(|site| (site.key.as_str(), site)).collect();
        let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = String::from(
            "# The sites of the search that can be switched off. Edit `method` and run `subjects new --source` again: the patch follows.\n\
             # method = \"null-move\": under the switch of that method. \"\": no method, a switch of its own. \"none\": no switch.\n",
        );
        if !self.files.is_empty() {
            let files: Vec<String> = self.files.iter().map(|file| quote(file)).collect();
            let _ = writeln!(text, "files = [{}]", files.join(", "));
        }
        for entry in &self.sites {
            text.push('\n');
            if let Some(site) = by_key.get(entry.key.as_str()) {
                let why = if site.evidence.is_empty() {
                    String::new()
                } else {
                    format!(": {}", site.evidence.join("; "))
                };
                let _ = writeln!(text, "# {}{}", confidence_of(&site.finding), one_line(&why));
                for note in &site.notes {
                    let _ = writeln!(text, "# note: {}", one_line(note));
                }
            }
            let _ =
                writeln!(text, "[[site]]\nkey = {}\nmethod = {}", quote(&entry.key), quote(&entry.method));
            let _ = writeln!(text, "at = {}\ncondition = {}", quote(&entry.at), quote(&entry.condition));
        }
        text
    }
}

/// How sure a finding is, in words.
fn confidence_of(finding: &Finding) -> String {
    match finding {
        Finding::Method { confidence: Confidence::Sure, .. } => "sure".to_owned(),
        Finding::Method { confidence: Confidence::Likely, .. } => "likely".to_owned(),
        Finding::Method { confidence: Confidence::OneOf(names), .. } => {
            format!("choose one of {}", names.join(", "))
        }
        Finding::Part { method: Some(method) } => format!("part of {method}"),
        Finding::Part { method: None } => "part of the site around it".to_owned(),
        _ => "no method known".to_owned(),
    }
}

/// A text without ends of lines and other control characters.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
