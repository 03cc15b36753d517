//! Which rows turn at which time although nothing changes them: `age>1h` takes a row in an hour after it was started.

use std::{
    collections::{BTreeSet, HashMap},
    hash::Hash,
};

use signalbox_model::Timestamp;

#[derive(Debug)]
pub(crate) struct Turns<Id> {
    in_order: BTreeSet<(Timestamp, Id)>,
    of: HashMap<Id, Timestamp>,
}

impl<Id: Copy + Ord + Hash> FromIterator<(Id, Timestamp)> for Turns<Id> {
    /// Of rows of which each turns once.
    fn from_iter<T: IntoIterator<Item = (Id, Timestamp)>>(turns: T) -> Self {
        let of: HashMap<Id, Timestamp> = turns.into_iter().collect();
        Self { in_order: of.iter().map(|(id, at)| (*at, *id)).collect(), of }
    }
}

impl<Id: Copy + Ord + Hash> Turns<Id> {
    /// A row turns then; or, as far as is known, never.
    pub(crate) fn set(&mut self, id: Id, at: Option<Timestamp>) {
        let before = match at {
            Some(at) => self.of.insert(id, at),
            None => self.of.remove(&id),
        };
        if before == at {
            return;
        }
        if let Some(before) = before {
            self.in_order.remove(&(before, id));
        }
        if let Some(at) = at {
            self.in_order.insert((at, id));
        }
    }

    /// When the first one turns.
    pub(crate) fn next(&self) -> Option<Timestamp> {
        self.in_order.first().map(|(at, _)| *at)
    }

    /// Those that have turned by now; each is to be set anew.
    pub(crate) fn due(&self, now: Timestamp) -> Vec<Id> {
        self.in_order.iter().take_while(|(at, _)| *at <= now).map(|(_, id)| *id).collect()
    }
}
