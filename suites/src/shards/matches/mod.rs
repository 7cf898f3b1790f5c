//! Matches in pieces: which pairs of games a shard plays. What its shards are together `merge.rs` makes.
//!
//! The atom is the pair: one opening with both colours. Pairs cost alike, so they are dealt round, in an order by hash that
//! spreads neighbours; it depends on the number of the pair and of the shards alone. One pair in [`EVERY`] is played by two
//! shards where the games repeat. Left out: sequential tests, which look at the games in their order.

mod merge;

pub use merge::merge;

use crate::shards::error::Error;
use crate::shards::shard::{EVERY, Shard};
use secateur_base::hash::mixed;
use secateur_record::part::{Part, Take};
use secateur_record::play::{MatchSettings, PlayerSpec};

/// The pairs of a match that a shard plays.
///
/// # Errors
/// A match with a sequential test, or with fewer pairs than shards.
pub fn cut(settings: &MatchSettings, shard: Shard) -> Result<Part, Error> {
    if settings.sprt.is_some() {
        return Err(Error::Usage(
            "--shard with --sprt: a sequential test ends a match by the games so far and cannot be cut; play a fixed number of \
             games in shards, or the test in one piece"
                .to_owned(),
        ));
    }
    let pairs = u32::try_from(settings.games / 2).unwrap_or(u32::MAX);
    if shard.of > pairs {
        return Err(Error::Usage(format!(
            "found {} shards of {pairs} pairs of games, expected no more shards than pairs",
            shard.of
        )));
    }
    let mut order: Vec<(u64, u32)> = (1..=pairs).map(|pair| (mixed(u64::from(pair)), pair)).collect();
    order.sort_unstable();
    let repeats = settings.limit.repeats()
        && [&settings.first, &settings.second]
            .iter()
            .all(|player| matches!(player, PlayerSpec::Methods { .. }));
    let shard_index = shard.number - 1;
    let take = (0..).zip(&order).filter_map(|(at, (hash, pair))| {
        let is_double = repeats && shard.of > 1 && hash % EVERY == 0;
        let is_mine = at % shard.of == shard_index || is_double && (at + 1) % shard.of == shard_index;
        is_mine.then_some(*pair)
    });
    Ok(Part {
        shard: shard.to_string(),
        units: pairs,
        cells: u64::from(pairs) * 2,
        take: Take::of(take.collect()),
        ..Part::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(games: usize, first: &str) -> MatchSettings {
        let text = format!(
            "game = \"othello\"\ngames = {games}\nseed = 1\nlimit = \"depth 2\"\nmargin-ms = 9\nhash-mib = 1\n[adjudication]\n\
             [first]\n{first}\n[second]\nkind = \"methods\"\nmethods = \"none\"\n"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn pairs_are_dealt_once_and_planted_doubles_twice() {
        let repeatable = settings(2000, "kind = \"methods\"\nmethods = \"mpc\"");
        let mut planted = Vec::new();
        for shards in [2, 7, 1000] {
            let mut times = vec![0; 1001];
            let parts: Vec<Part> =
                (1..=shards).map(|number| cut(&repeatable, Shard { number, of: shards }).unwrap()).collect();
            parts.iter().flat_map(|part| part.take.numbers()).for_each(|pair| times[*pair as usize] += 1);
            assert!(times[0] == 0 && times[1..].iter().all(|times| (1..=2).contains(times)));
            planted.push((1..=1000).filter(|pair| times[*pair] == 2).collect::<Vec<_>>());
            let sizes = parts.iter().map(|part| part.take.numbers().len());
            assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1000 / EVERY as usize + 1);
        }
        assert!(planted.windows(2).all(|two| two[0] == two[1]), "which pairs does not depend on the shards");
        assert!((8..=24).contains(&planted[0].len()), "{} of 1,000", planted[0].len());
        let other = settings(2000, "kind = \"engine\"\ncommand = \"x\"");
        let parts = (1..=2).map(|number| cut(&other, Shard { number, of: 2 }).unwrap());
        assert_eq!(parts.map(|part| part.take.numbers().len()).sum::<usize>(), 1000, "nobody repeats them");
    }

    #[test]
    fn a_sequential_test_and_too_many_shards_are_refused() {
        let shard = Shard { number: 1, of: 2 };
        let two_games = settings(2, "kind = \"methods\"\nmethods = \"mpc\"");
        assert!(cut(&two_games, shard).unwrap_err().to_string().contains("no more shards than pairs"));
        let test = MatchSettings { games: 20, sprt: Some([0.0, 5.0]), ..two_games };
        assert!(cut(&test, shard).unwrap_err().to_string().contains("a sequential test"));
    }
}
