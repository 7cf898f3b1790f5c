//! What host options and whole numbers of methods may be: one list for parameter files, arms and engine options.
//!
//! The methods check what they mean (`min-depth > reduction`); here is what keeps any arithmetic with them sound and any
//! table within a machine.

use toml::Value;

/// Host options that are whole numbers, with the least and the most they may be.
const HOST: &[(&str, i64, i64)] = &[
    ("table-mib", 0, 65_536),
    ("table-min-depth", 0, DEEPEST),
    ("etc-min-depth", 0, DEEPEST),
    ("missing-from", 0, DEEPEST),
    ("aspiration", 0, 30_000),
    ("iteration-step", 1, 2),
];
/// Plies; more than any search reaches, so that it can mean never.
const DEEPEST: i64 = 100;
/// Whole numbers of methods: depths, counts and score units.
const METHODS: (i64, i64) = (-100_000, 100_000);

/// The least and the most that the whole number at `names` may be.
#[must_use]
pub fn range(names: &[String]) -> (i64, i64) {
    let host = |name: &String| HOST.iter().find(|(host_name, ..)| host_name == name);
    match names {
        [first, name, ..] if first == "host" => host(name).map_or(METHODS, |&(_, least, most)| (least, most)),
        _ => METHODS,
    }
}

/// Refuses a whole number, or one within a list, that is out of its range.
pub(crate) fn check(names: &[String], value: &Value) -> Result<(), String> {
    let (least, most) = range(names);
    match value {
        Value::Integer(number) if !(least..=most).contains(number) => {
            Err(format!("found {number}, expected {least} to {most}"))
        }
        Value::Array(items) => items.iter().try_for_each(|item| check(names, item)),
        Value::Table(table) => table.iter().try_for_each(|(name, item)| {
            let names: Vec<String> = names.iter().cloned().chain([name.clone()]).collect();
            check(&names, item).map_err(|error| format!("{name}: {error}"))
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::games;
    use crate::setups::setup::Setup;
    use secateur_core::search::Options;

    /// No option is forgotten, and whatever the build comes with is in range.
    #[test]
    fn every_whole_number_has_a_range_and_the_usual_ones_are_in_it() {
        let form = Value::try_from(Options::default()).unwrap();
        for (name, value) in form.as_table().unwrap() {
            let listed = HOST.iter().any(|(host_name, ..)| host_name == name);
            assert_eq!(listed, value.is_integer(), "{name}");
        }
        for game in games::names() {
            let setup = Setup::embedded(game).unwrap();
            let host = Value::try_from(&setup.options).unwrap();
            assert_eq!(check(&["host".to_owned()], &host), Ok(()));
            let methods = Value::try_from(&setup.params).unwrap();
            assert_eq!(check(&["methods".to_owned()], &methods), Ok(()));
        }
    }
}
