//! Instructions to a full-width depth: runs of one program each, which are then counted as runs of the bench are.

use crate::matrix::Plan;
use crate::program::{Others, ProgramArms};
use crate::speed::asked::Asked;
use crate::speed::defaults;
use crate::speed::peers;
use crate::suite::Suite;
use crate::{Error, Experiment};
use secateur_record::speed::{INSTRUCTIONS, Missing, OURS, SUITE};
use std::path::Path;

/// A run of one program whose instructions are to be counted.
#[derive(Debug)]
pub struct Counting {
    /// The name of its folder.
    pub folder: String,
    /// What it searches.
    pub plan: Plan,
}

/// The runs to be counted: this program at full width, and every peer that can be searched so; with those that cannot, and why.
///
/// # Errors
/// Positions or peers that are none.
pub fn countings(asked: &Asked) -> Result<(Vec<Counting>, Vec<Missing>), Error> {
    let (mut all, mut left) = (Vec::new(), Vec::new());
    for game in asked.games()? {
        let Some(usual) = defaults::of(&game)?.full_width else { continue };
        let depth = asked.depth.unwrap_or(if asked.smoke { usual.smoke } else { usual.depth });
        let limit = asked.limit.or(asked.smoke.then_some(1)).unwrap_or(usual.limit);
        let positions = asked.positions.clone().unwrap_or(usual.positions);
        // Names and numbers, which a TOML string and an integer can be.
        let text = format!(
            "name = \"{SUITE}\"\ndescription = \"Instructions at full width\"\n[[block]]\ngame = \"{game}\"\npositions = [{}]\n\
             limit = {limit}\nmethods = [\"none\"]\nbudgets = [{{ depth = {depth} }}]\ninstructions = true\n",
            toml::Value::from(positions.clone())
        );
        let plan = Plan::new(Suite::parse(Path::new(SUITE), &text)?)?;
        let of = |name: &str, mut plan: Plan| {
            plan.comparison = Some(asked.table());
            Counting { folder: format!("{game}-{INSTRUCTIONS}-{name}"), plan }
        };
        let mut own = vec![of(OURS, plan)];
        let (peers, missing) = peers::found(asked, &game)?;
        left.extend(missing);
        for peer in peers {
            let name = peer.name.clone();
            let plan = peer.full_width_to(depth).and_then(|arm| {
                let arms = ProgramArms::new(peers::cold(&peer), Others::Off, &[arm]);
                let arms = arms.map_err(|(_, message)| message)?;
                let experiment = Experiment::of(&game).named(SUITE).positions(&positions).limit(limit);
                experiment.program(arms).depth(depth).instructions().plan().map_err(|error| error.to_string())
            });
            match plan {
                Ok(plan) => own.push(of(&name, plan)),
                Err(why) => left.push(Missing { name, why }),
            }
        }
        // Alone there is no ratio.
        if own.len() > 1 {
            all.append(&mut own);
        }
    }
    Ok((all, left))
}
