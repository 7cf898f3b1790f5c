//! Methods set up for a game: those of the house, and guests beside them.

use crate::guests::{Guest, all, index, name, read};
use crate::numbers::Numbers;
use secateur_core::prune::{
    Baselines, Calibration, METHODS, Method, MethodSet, Prune, Roster, SetupError, Switched, roster,
};
use secateur_core::search::Methods;
use secateur_core::{AnyGame, Game};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Methods of other crates for a game: a list, `(First, (Second, ()))`.
pub trait Guests<G: Game>: 'static {
    /// The methods with switches.
    type Ready: Prune<G> + Clone + Debug + Send + Sync + 'static;

    /// What is known of each, in the order of asking.
    fn list() -> Vec<Guest>;

    /// The methods set up, those that `on` names switched on.
    ///
    /// # Errors
    /// What the first method says that cannot be set up.
    fn ready(
        on: &dyn Fn(&str) -> bool,
        numbers: &Numbers,
        calibration: &Calibration,
        stages: usize,
    ) -> Result<Self::Ready, SetupError>;
}

impl<G: Game> Guests<G> for () {
    type Ready = ();

    fn list() -> Vec<Guest> {
        Vec::new()
    }

    fn ready(_: &dyn Fn(&str) -> bool, _: &Numbers, _: &Calibration, _: usize) -> Result<(), SetupError> {
        Ok(())
    }
}

impl<G: Game, M, Rest: Guests<G>> Guests<G> for (M, Rest)
where
    M: Method + Prune<G> + Clone + Debug + Send + Sync + 'static,
    M::Params: Default + Serialize + DeserializeOwned,
{
    type Ready = (Switched<M>, Rest::Ready);

    fn list() -> Vec<Guest> {
        let mut list = vec![Guest::of::<M>()];
        list.extend(Rest::list());
        list
    }

    fn ready(
        on: &dyn Fn(&str) -> bool,
        numbers: &Numbers,
        calibration: &Calibration,
        stages: usize,
    ) -> Result<Self::Ready, SetupError> {
        let params = match numbers.guest(M::NAME) {
            None => M::Params::default(),
            Some(value) => read::<M>(value).map_err(|message| SetupError { method: M::NAME, message })?,
        };
        let method = on(M::NAME).then(|| M::new(&params, calibration, stages)).transpose()?;
        let own = Switched { method, guards: M::guards(&params) };
        Ok((own, Rest::ready(on, numbers, calibration, stages)?))
    }
}

/// Methods of the house and guests in one object.
type Joined = Arc<dyn Any + Send + Sync>;
type Join = fn(Roster, MethodSet, &Numbers, &Calibration, usize) -> Result<(Joined, String), SetupError>;

/// What a game was compiled with besides the methods of the house.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    guests: Vec<Guest>,
    join: Join,
}

impl Host {
    pub(crate) fn of<G: Game, X: Guests<G>>() -> Host {
        Host { guests: X::list(), join: join::<G, X> }
    }

    /// Nothing.
    pub(crate) fn none() -> Host {
        let join: Join = |_, _, _, _, _| {
            let message = "this game was not compiled with methods of other crates".to_owned();
            Err(SetupError { method: "none", message })
        };
        Host { guests: Vec::new(), join }
    }

    /// The game, with searches for house and guests together.
    pub(crate) fn game<G: Game, X: Guests<G>>(game: G) -> AnyGame {
        AnyGame::hosting::<G, (Roster, X::Ready)>(game)
    }

    pub(crate) fn guests(&self) -> &[Guest] {
        &self.guests
    }
}

fn join<G: Game, X: Guests<G>>(
    house: Roster,
    set: MethodSet,
    numbers: &Numbers,
    calibration: &Calibration,
    stages: usize,
) -> Result<(Joined, String), SetupError> {
    let on = |name: &str| index(name).is_some_and(|index| set.contains(index));
    let guests = X::ready(&on, numbers, calibration, stages)?;
    let said = format!("{guests:?}");
    Ok((Arc::new((house, guests)), said))
}

/// The methods of an arm, set up for a game.
#[derive(Clone, Debug)]
pub struct Ready {
    house: Roster,
    /// House and guests, where a guest is on.
    joined: Option<Joined>,
    /// The guests in words, to be compared.
    said: String,
}

impl Ready {
    /// Sets up the methods of `set` with these numbers.
    ///
    /// # Errors
    /// What the first method says that cannot be set up; a guest that the game was not compiled with.
    pub(crate) fn new(
        host: &Host,
        set: MethodSet,
        numbers: &Numbers,
        baselines: &Baselines,
        stages: usize,
    ) -> Result<Ready, SetupError> {
        let house = roster(set, numbers, baselines, stages)?;
        let guests: Vec<&'static str> =
            set.indices().filter(|&index| index >= METHODS.len()).map(name).collect();
        if let Some(&method) = guests.iter().find(|guest| !host.guests.iter().any(|own| own.name == **guest))
        {
            let message = "this game was not compiled with it".to_owned();
            return Err(SetupError { method, message });
        }
        if guests.is_empty() {
            return Ok(Ready { house, joined: None, said: String::new() });
        }
        let null_move = index("null-move").is_some_and(|index| set.contains(index));
        let (joined, said) = (host.join)(house.clone(), set, numbers, baselines.choose(null_move), stages)?;
        Ok(Ready { house, joined: Some(joined), said })
    }

    /// For the searches that a run compares: all method sets cost the same.
    #[must_use]
    pub fn switched(&self) -> Methods<'_> {
        match &self.joined {
            None => Methods::Switched(&self.house),
            Some(joined) => Methods::Joined(&**joined),
        }
    }

    /// For what a method costs by itself. Guests always have their switches.
    #[must_use]
    pub fn narrowest(&self) -> Methods<'_> {
        match &self.joined {
            None => Methods::Narrowest(&self.house),
            Some(joined) => Methods::Joined(&**joined),
        }
    }

    /// The methods of the house, for a search that is compiled with them.
    #[must_use]
    pub fn house(&self) -> &Roster {
        &self.house
    }

    /// Whether both are set up alike.
    pub(crate) fn same_as(&self, other: &Ready) -> bool {
        format!("{:?}", self.house) == format!("{:?}", other.house) && self.said == other.said
    }
}

/// The probability that each method of a set promises, for those that promise one.
#[must_use]
pub fn promises(set: MethodSet, numbers: &Numbers) -> Vec<(&'static str, f64)> {
    let ours = secateur_core::prune::promises(set, numbers).into_iter().map(|(index, p)| (name(index), p));
    let guests = all().into_iter().filter(|guest| index(guest.name).is_some_and(|at| set.contains(at)));
    let theirs = guests.filter_map(|guest| {
        let value = numbers.guest(guest.name).unwrap_or(&guest.usual);
        guest.promised(value).map(|promise| (guest.name, promise))
    });
    ours.chain(theirs.collect::<Vec<_>>()).collect()
}
