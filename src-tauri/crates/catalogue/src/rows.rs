//! All rows of one kind, and the lists that are looked at.

use std::collections::{HashMap, hash_map::Entry};

use signalbox_model::Timestamp;

use crate::{Line, Query, Sight, World};

/// The most lists that are kept: beyond that the one goes that was looked at longest ago.
const MOST_SIGHTS: usize = 16;

/// All rows of one kind.
#[derive(Debug)]
pub struct Rows<L: Line> {
    lines: HashMap<L::Id, L>,
    /// The one looked at last stands last.
    sights: Vec<Sight<L>>,
}

impl<L: Line> Default for Rows<L> {
    fn default() -> Self {
        Self { lines: HashMap::new(), sights: Vec::new() }
    }
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<L: Line> {
    /// It is there, and is this.
    Put(L),
    /// It is gone.
    Gone(L::Id),
}

impl<L: Line> Rows<L> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Each of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &L> {
        self.lines.values()
    }

    /// A row.
    #[must_use]
    pub fn get(&self, id: L::Id) -> Option<&L> {
        self.lines.get(&id)
    }

    /// Takes in what became of some rows, also where nothing became of any: servers and tools may have changed, and time has
    /// passed.
    pub fn apply(&mut self, changes: impl IntoIterator<Item = Change<L>>, world: &mut World, now: Timestamp) {
        world.settle();
        let world = &*world;
        let now = world.now(now);
        let outdated = |sight: &Sight<L>| sight.is_outdated(world);
        let (anew, mut kept): (Vec<_>, Vec<_>) =
            self.sights.drain(..).enumerate().partition(|(_, sight)| outdated(sight));
        for change in changes {
            let (before, after) = match change {
                Change::Put(line) => {
                    let id = line.id();
                    match self.lines.entry(id) {
                        Entry::Occupied(mut entry) => (Some(entry.insert(line)), Some(id)),
                        Entry::Vacant(entry) => {
                            entry.insert(line);
                            (None, Some(id))
                        }
                    }
                }
                Change::Gone(id) => (self.lines.remove(&id), None),
            };
            let after = after.and_then(|id| self.lines.get(&id));
            for (_, sight) in &mut kept {
                sight.change(before.as_ref(), after, world, &now);
            }
        }
        for (_, sight) in &mut kept {
            for id in sight.due(now.at) {
                let line = self.lines.get(&id);
                sight.change(line, line, world, &now);
            }
        }
        let anew = anew.into_iter().map(|(at, sight)| {
            let query = sight.query().clone();
            (at, Sight::new(query, self.lines.values(), world, &now))
        });
        let mut sights: Vec<_> = kept.into_iter().chain(anew).collect();
        sights.sort_unstable_by_key(|(at, _)| *at);
        self.sights = sights.into_iter().map(|(_, sight)| sight).collect();
    }

    /// A list. It is kept from now on.
    pub fn sight(&mut self, query: &Query, world: &World, now: Timestamp) -> &Sight<L> {
        let known = self.sights.iter().position(|sight| sight.query() == query);
        let sight = match known {
            Some(at) => self.sights.remove(at),
            None => Sight::new(query.clone(), self.lines.values(), world, &world.now(now)),
        };
        if self.sights.len() == MOST_SIGHTS {
            self.sights.remove(0);
        }
        self.sights.push(sight);
        self.sights.last().expect("BUG: it was pushed")
    }

    /// When a row comes or goes in some list, or may, although nothing changes it.
    #[must_use]
    pub fn next_turn(&self) -> Option<Timestamp> {
        self.sights.iter().filter_map(Sight::next_turn).min()
    }
}
