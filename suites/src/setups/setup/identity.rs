//! Identities: 16 hex digits that change when a number that they stand for changes, and only then.
//!
//! Numbers are hashed by name and bits, so neither formatting nor the order in a file counts, and an identity means the
//! same on every machine. An arm is what it is made of: its own methods with their parameters, the fits that they use,
//! and the host. A method that is not in it, or a new host option at its default, leaves it alone.

use super::Setup;
use crate::setups::arm::Arm;
use crate::setups::methods;
use crate::setups::numbers::Numbers;
use secateur_core::prune::{Baselines, Guards, MethodSet, Methods, SetupError};
use secateur_core::search::Options;
use secateur_positions::Fnv;
use serde::Serialize;
use toml::{Table, Value};

impl Setup {
    /// Identity of all numbers here: parameters of all methods, options, fits, evaluation.
    #[must_use]
    pub fn id(&self) -> String {
        #[derive(Serialize)]
        struct All<'a> {
            baselines: &'a Baselines,
            host: &'a Options,
            methods: &'a Numbers,
        }
        let all = All { baselines: &self.baselines, host: &self.options, methods: &self.params };
        let mut fnv = self.fnv();
        hash(&mut fnv, &value(all));
        fnv.hex()
    }

    /// Identity of an arm: of what decides its searches.
    ///
    /// # Errors
    /// A change that cannot be made, or what the first method that cannot be set up says.
    pub fn arm_id(&self, arm: &Arm) -> Result<String, SetupError> {
        let (numbers, ready) = self.equipped(arm)?;
        Ok(self.identity(&arm.set, &numbers, &ready))
    }

    /// The same of an arm that is set up: its methods, their parameters, and the two together.
    pub(crate) fn identity(&self, set: &MethodSet, numbers: &Numbers, ready: &Methods) -> String {
        let all = value(numbers);
        let mut fnv = self.fnv();
        hash(&mut fnv, &Value::Table(changed(&value(&self.options), &value(Options::default()))));
        for method in set.indices() {
            let mut form = all.get(methods::name(method)).cloned().unwrap_or(Value::Boolean(false));
            // A guard that is where it always is does not count either, so a new one changes no identity.
            if let Some(guards) = form.get("guards").map(|guards| changed(guards, &value(Guards::default())))
            {
                form.as_table_mut().map(|table| table.insert("guards".to_owned(), Value::Table(guards)));
            }
            fnv.field(methods::name(method));
            hash(&mut fnv, &form);
        }
        // Fits count where the methods are other ones without them.
        let bare = self.ready(set, numbers, &Baselines::default());
        if !bare.is_ok_and(|bare| format!("{bare:?}") == format!("{ready:?}")) {
            hash(&mut fnv, &value(&self.baselines));
        }
        fnv.hex()
    }

    /// What all identities begin with.
    fn fnv(&self) -> Fnv {
        let mut fnv = Fnv::default();
        fnv.field(&self.game).field(&self.evaluation.map_or(String::new(), |id| format!("{id:016x}")));
        fnv
    }
}

/// Numbers as TOML.
fn value(numbers: impl Serialize) -> Value {
    // Every value here has a TOML form: the same types were read from TOML.
    Value::try_from(numbers).expect("numbers have a TOML form")
}

/// The entries that are not as in `usual`.
fn changed(table: &Value, usual: &Value) -> Table {
    let entries = table.as_table().into_iter().flatten();
    let differing = entries.filter(|(name, value)| usual.get(name) != Some(value));
    differing.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Feeds a value so that different values never feed the same bytes: kind, then content, then an end mark.
fn hash(fnv: &mut Fnv, value: &Value) {
    match value {
        Value::Integer(number) => {
            fnv.bytes(b"i").bytes(&number.to_le_bytes());
        }
        Value::Float(number) => {
            fnv.bytes(b"f").bytes(&number.to_bits().to_le_bytes());
        }
        Value::Array(items) => {
            fnv.bytes(b"[");
            items.iter().for_each(|item| hash(fnv, item));
            fnv.bytes(b"]");
        }
        Value::Table(table) => {
            fnv.bytes(b"{");
            for (name, item) in table {
                fnv.field(name);
                hash(fnv, item);
            }
            fnv.bytes(b"}");
        }
        other => {
            fnv.field(&other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(setup: &Setup, arm: &str) -> String {
        setup.arm_id(&Arm::parse(arm).unwrap()).unwrap()
    }

    #[test]
    fn an_arm_is_what_it_is_made_of() {
        let usual = Setup::embedded("chess").unwrap();
        let changed = |entry: &str| usual.clone().overlaid("f".as_ref(), entry).unwrap().0;
        let other_null = changed("[methods.null-move]\nreduction = 4");
        for arm in ["none", "mpc", "futility+lmr"] {
            assert_eq!(id(&usual, arm), id(&other_null, arm), "{arm}");
        }
        for arm in ["null-move", "null-move+mpc"] {
            assert_ne!(id(&usual, arm), id(&other_null, arm), "{arm}");
        }
        let other_host = changed("[host]\ncheck-extension = false");
        assert_ne!(id(&usual, "none"), id(&other_host, "none"));
        // The same numbers in other words are the same arm.
        let reduction = usual.params.null_move.reduction;
        assert_eq!(id(&usual, "null-move"), id(&usual, &format!("null-move[reduction={reduction}]")));
        assert_ne!(id(&usual, "null-move"), id(&usual, "null-move[no-mate-guard]"));
    }

    #[test]
    fn fits_belong_to_the_arms_that_use_them() {
        let usual = Setup::embedded("chess").unwrap();
        let mut refitted = usual.clone();
        refitted.baselines.none.fits.iter_mut().for_each(|fit| fit.sigma += 1.0);
        refitted
            .baselines
            .null_move
            .iter_mut()
            .flat_map(|fitted| &mut fitted.fits)
            .for_each(|fit| fit.sigma += 1.0);
        for (arm, uses) in
            [("none", false), ("null-move", false), ("multi-cut", false), ("mpc", true), ("probcut", true)]
        {
            assert_eq!(id(&usual, arm) != id(&refitted, arm), uses, "{arm}");
        }
        // Othello has no material: its margins are fitted.
        let othello = Setup::embedded("othello").unwrap();
        let mut refitted = othello.clone();
        refitted.baselines.none.fits.iter_mut().for_each(|fit| fit.sigma += 1.0);
        assert_ne!(id(&othello, "futility"), id(&refitted, "futility"));
    }
}
