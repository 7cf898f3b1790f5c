//! How the instructions of a program are counted: the part `[instructions]` of its subject file, of which everything may be
//! left out.

use serde::{Deserialize, Deserializer};

/// What of a program's work is counted, and how far its search may stray while it is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counted {
    /// The function whose instructions are counted, with all that it calls, as callgrind writes its name; `*` stands for
    /// anything. Empty: everything from the line that begins a search to its answer.
    pub symbol: String,
    /// By how much of its nodes the counted search may differ from the recorded one and still be entered, 0 to 1.
    #[serde(deserialize_with = "share")]
    pub within: f64,
    /// What it was compiled with, if its binary does not say.
    pub compiler: String,
}

/// No search has a share that is not a number.
impl Eq for Counted {}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(serde::de::Error::custom(format!("found {share}, expected a share of the nodes from 0 to 1")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_share() {
        let read = |text: &str| toml::from_str::<Counted>(text);
        assert_eq!(read("").unwrap(), Counted::default());
        assert_eq!(read("symbol = \"*search*\"\nwithin = 0.05").unwrap().within, 0.05);
        for (text, message) in [
            ("within = 1.5", "from 0 to 1"),
            ("within = nan", "from 0 to 1"),
            ("symbols = 3", "unknown field"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
