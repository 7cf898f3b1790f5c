//! The positions of runs as texts, for the boards of the page: those of the sets that come along, and of files that are
//! still what they were.
//!
//! A record names positions and does not hold them. A set that is not there any more, or another one by now, has no boards,
//! and the page is as good without them.

use secateur_page::changes::Positions;
use secateur_positions::{Reading, resolve_as};
use secateur_record::manifest::Manifest;
use secateur_stats::runs::Runs;
use secateur_suites::games;

/// What is still there of the positions of all runs.
pub(crate) fn positions(runs: &Runs) -> Positions {
    let mut all = Positions::new();
    for manifest in &runs.manifests {
        add(manifest, &mut all);
    }
    all
}

fn add(manifest: &Manifest, all: &mut Positions) {
    for game in &manifest.game {
        let Ok(known) = games::find(&game.name) else { continue };
        for (name, hash) in &game.sets {
            // Wrong lines that were left out then are left out now.
            let reading = Reading { skip_bad: true, ..Reading::default() };
            let Ok(set) = resolve_as(&known, name, reading) else { continue };
            if set.hash == *hash {
                let entries = set.entries.into_iter();
                all.extend(entries.map(|entry| ((game.name.clone(), entry.id), entry.position)));
            }
        }
    }
}
