//! Parts of a plan: some of its units, numbered as in the whole.
//!
//! Left out: which units a shard takes, which is a question of costs and of chance (`suites/src/shards`).

use super::Plan;
use crate::error::Error;
use secateur_record::manifest::Manifest;
use secateur_record::part::{Part, Take};
use std::path::Path;

impl Plan {
    /// The units of these numbers as a part of this plan, which `shard` names: `3/20`. A number that no unit has is left out.
    #[must_use]
    pub fn taken(self, shard: &str, take: Take) -> Plan {
        let part = Part {
            shard: shard.to_owned(),
            whole: self.cells_hash(),
            units: u32::try_from(self.units.len()).unwrap_or(u32::MAX),
            cells: self.len() as u64,
            take,
            ..Part::default()
        };
        let take = |number: &u32| self.units.get(*number as usize).cloned();
        let units = part.take.numbers().iter().filter_map(take).collect();
        Plan { units, part: Some(part), ..self }
    }

    /// The part of this plan that a shard was begun with; all of it for what is no shard.
    ///
    /// # Errors
    /// The shard of a plan with other cells.
    pub fn part_of(self, manifest: &Manifest, dir: &Path) -> Result<Plan, Error> {
        let Some(part) = manifest.part.as_ref().filter(|part| !part.shard.is_empty()) else {
            return Ok(self);
        };
        let expected = self.cells_hash();
        if part.whole != expected {
            let (what, found) = ("whole cells", part.whole.clone());
            return Err(secateur_record::Error::Differs { dir: dir.to_owned(), what, found, expected }.into());
        }
        Ok(self.taken(&part.shard, part.take.clone()))
    }
}
