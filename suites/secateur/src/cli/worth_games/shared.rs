//! Shared games of `worth`: both sides lack a few methods at random, and those that are decided leave the draw.
//!
//! A round goes from one look at what games decide to the next. What is drawn in a round depends on the games of earlier rounds alone,
//! so whatever order games end in, and wherever a run is stopped, the same pairs are played.

use super::{
    AtOnce, Ended, Failure, Flags, GameRow, GameSettings, Line, MOST_METHODS, Played, further, played, round,
};
use super::{Cutting, Instant, Program, every_two, without};
use secateur_stats::decisions::{Decisions, Matched};
use secateur_stats::shared::{Lacking, draw, next_look};

/// What the first and the second side of a pair lack.
type Sides = [Vec<String>; 2];

impl Flags {
    /// Refuses more methods than games can speak of together, and shared games of a program that cannot lack two methods at once.
    pub(super) fn check_together(&self, program: &Program) -> Result<(), Failure> {
        let names = self.names(program)?;
        if (self.shared || self.margins().is_some()) && names.len() > MOST_METHODS {
            return Err(Failure::input(format!(
                "found {} methods, expected at most {MOST_METHODS} where games decide about all of them together: name some with \
                 --games-of",
                names.len()
            )));
        }
        if !self.shared {
            return Ok(());
        }
        if names.len() < 2 {
            return Err(Failure::input(
                "--shared: one method has nobody to share its games with; leave out --shared",
            ));
        }
        let both = every_two(&names).map(|two| without(&two)).collect();
        match program.possible(both).1.first() {
            None => Ok(()),
            Some((arm, why)) => Err(Failure::input(format!(
                "--shared: sides lack several methods at once, and `{arm}` cannot exist: {why}"
            ))),
        }
    }

    /// What both sides of the first so many pairs lack, all methods being undecided.
    pub(super) fn lacking(&self, program: &Program, pairs_a_method: usize) -> Result<Vec<Sides>, Failure> {
        let names = self.names(program)?;
        let mut lacking = Vec::new();
        drawn(&mut lacking, &names, Lacking::first(names.len()), pairs_a_method * names.len());
        Ok(lacking)
    }

    /// Shared games with these sides, and the program against itself where a clock decides.
    pub(super) fn shared_lines(
        &self,
        program: &Program,
        cutting: &Cutting,
        lacking: &[Sides],
    ) -> Result<Vec<Line>, Failure> {
        let (limit, pairs) = (self.limit()?, lacking.len());
        let mut settings = self.settings(program, 2 * pairs, (limit, &[]))?;
        settings.shared = self.names(program)?.into_iter().map(str::to_owned).collect();
        let shared = Line { methods: Vec::new(), settings, lacking: lacking.to_vec() };
        Ok(std::iter::once(shared).chain(self.null_run(program, cutting, pairs)?).collect())
    }

    /// Plays what is asked for and missing: round by round where games decide, until all methods are decided or the budget is spent.
    pub(super) fn play_shared(
        &self,
        program: &Program,
        games: &GameSettings<'_>,
        at_once: &AtOnce,
        until: Option<Instant>,
    ) -> Result<Vec<Played>, Failure> {
        let names = self.names(program)?;
        let budget = if self.games > 0 { self.games / 2 * names.len() } else { usize::MAX };
        let in_rounds = games.cutting.shard.is_none() && (self.margins().is_some() || budget == usize::MAX);
        let (mut lacking, mut undecided) = (Vec::new(), Lacking::first(names.len()));
        let mut last: Vec<Played> = Vec::new();
        loop {
            let pairs = if in_rounds { next_look(lacking.len()).min(budget) } else { budget };
            drawn(&mut lacking, &names, undecided, pairs);
            let lines = self.shared_lines(program, games.cutting, &lacking)?;
            let ended = match last.is_empty() {
                true => Some(round(&lines, games, at_once, until)?),
                false => further(&lines, games, at_once, until)?,
            };
            let Some(ended) = ended else { return Ok(last) };
            let is_over = pairs == budget || until.is_some_and(|until| Instant::now() >= until);
            undecided = self.undecided(&names, &lines[0], &ended[0], pairs);
            last = played(lines, ended);
            if is_over || undecided.is_empty() {
                return Ok(last);
            }
        }
    }

    /// The methods that the first so many pairs leave undecided: all of them where nobody asked for decisions.
    fn undecided(&self, names: &[&str], line: &Line, ended: &Ended, pairs: usize) -> Lacking {
        let all = Lacking::first(names.len());
        if self.margins().is_none() {
            return all;
        }
        let rows: Vec<GameRow> = ended.rows.iter().filter(|row| row.pair <= pairs).cloned().collect();
        let matched = Matched { methods: &[], settings: &line.settings, rows: &rows };
        let place = |name: &str| names.iter().position(|one| *one == name);
        Decisions::of(&[matched]).map_or(all, |decisions| decisions.undecided().filter_map(place).collect())
    }
}

/// Draws further pairs until there are so many.
fn drawn(lacking: &mut Vec<Sides>, names: &[&str], undecided: Lacking, pairs: usize) {
    let side = |side: Lacking| side.methods().map(|method| names[method].to_owned()).collect();
    // The seed is that of the match.
    lacking.extend((lacking.len()..pairs).map(|pair| draw(1, pair as u64, undecided).map(side)));
}
