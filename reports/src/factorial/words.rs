//! The interactions in plain sentences.

use super::tables::{overlap, signed};
use super::{Design, Effects, Interaction};
use crate::arm::name;
use crate::format::{ratio, share};

/// What was crossed, and what all together save.
pub(super) fn introduction(design: &Design<'_, '_>, nodes: &Effects) -> String {
    format!(
        "**{}, {}**: all {} combinations of {} on {} positions. All together have a speed-up of {}; the product of \
         their speed-ups alone is {}.",
        design.group.game,
        design.group.budget_words(),
        design.sets.len(),
        design.factors.join(", "),
        design.group.blocks.len(),
        ratio(nodes.whole.estimate.exp()),
        ratio(nodes.factors.iter().map(|factor| factor.alone.estimate).sum::<f64>().exp()),
    )
}

/// What one interaction means.
pub(super) fn sentence(design: &Design<'_, '_>, found: &Interaction) -> String {
    let (first, second) = (design.factors[found.first], design.factors[found.second]);
    let [one, two, both] = found.savings;
    let silent = [(first, one), (second, two)].into_iter().find(|(_, saving)| *saving == 0.0);
    if let Some((silent, _)) = silent.filter(|_| (one + two - both).abs() < 1e-12) {
        return format!(
            "{first} and {second}: nothing to say, because {silent} leaves the number of nodes as it is."
        );
    }
    let numbers = format!(
        "speed-ups of {} and {} alone, {} together, {} if they were independent (I = {})",
        ratio(one.exp()),
        ratio(two.exp()),
        ratio(both.exp()),
        ratio((one + two).exp()),
        signed(&found.alone),
    );
    let verdict = if found.alone.low > 0.0 {
        let part = match overlap(found.savings) {
            Some(part) if part < 1.0 => {
                let (greater, lesser) = if one >= two { (first, second) } else { (second, first) };
                format!("; {} of the saving of {lesser} is in that of {greater}", share(part))
            }
            Some(_) => "; the lesser adds nothing to the greater".to_owned(),
            None => String::new(),
        };
        format!("{first} and {second} overlap{part}")
    } else if found.alone.high < 0.0 {
        format!("{first} and {second} help each other")
    } else {
        format!("{first} and {second} are not shown to interact")
    };
    format!("{verdict}: {numbers}.{}", claim(design.group.game, first, second, found))
}

/// What Jiang & Buro (2003) wrote of null move and ProbCut in chess, beside the number.
fn claim(game: &str, first: &str, second: &str, found: &Interaction) -> String {
    let names = [name(first), name(second)];
    if game != "chess"
        || !names.contains(&"null-move")
        || !(names.contains(&"probcut") || names.contains(&"mpc"))
    {
        return String::new();
    }
    let answer = if found.alone.low > 0.0 {
        "this says so too"
    } else if found.alone.high < 0.0 {
        "this says the opposite"
    } else {
        "this does not show it"
    };
    format!(" Jiang & Buro (2003) found that the two tend to prune the same positions: {answer}.")
}
