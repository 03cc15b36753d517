//! All rows of one kind, and the lists that are looked at.

use std::collections::{BTreeMap, btree_map::Entry};

use signalbox_model::Timestamp;

use crate::{Line, Query, Sight, World, found::Found};

/// The most lists that are kept: beyond that the one goes that was looked at longest ago.
const MOST_SIGHTS: usize = 16;

/// All rows of one kind.
#[derive(Debug)]
pub struct Rows<L: Line> {
    /// By id: a list that is made anew reads them in the order in which they stand in memory, and nearly in its own.
    lines: BTreeMap<L::Id, L>,
    /// The one looked at last stands last.
    sights: Vec<Sight<L>>,
    next_sight: u64,
    found: Found,
}

impl<L: Line> Default for Rows<L> {
    fn default() -> Self {
        Self { lines: BTreeMap::new(), sights: Vec::new(), next_sight: 0, found: Found::default() }
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
    /// Each of them, by id.
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
        for sight in self.sights.iter_mut().filter(|sight| !sight.is_outdated(world)) {
            sight.note_world(world);
        }
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
            for sight in self.sights.iter_mut().filter(|sight| !sight.is_outdated(world)) {
                sight.change(before.as_ref(), after, world, &self.found, &now);
            }
        }
        for sight in &mut self.sights {
            if sight.is_outdated(world) {
                sight.anew(&self.lines, world, &self.found, &now);
            }
            for id in sight.due(now.at) {
                let line = self.lines.get(&id);
                sight.change(line, line, world, &self.found, &now);
            }
        }
    }

    /// A list. It is kept from now on.
    pub fn sight(&mut self, query: &Query, world: &World, now: Timestamp) -> &Sight<L> {
        let known = self.sights.iter().position(|sight| sight.query() == query);
        let sight = match known {
            Some(at) => self.sights.remove(at),
            None => {
                self.next_sight += 1;
                let now = world.now(now);
                Sight::new(self.next_sight, query.clone(), &self.lines, world, &self.found, &now)
            }
        };
        if self.sights.len() == MOST_SIGHTS {
            self.sights.remove(0);
        }
        self.sights.push(sight);
        self.sights.last().expect("BUG: it was pushed")
    }

    /// The list of this number; none where it is no longer kept.
    #[must_use]
    pub fn sight_of(&self, id: u64) -> Option<&Sight<L>> {
        self.sights.iter().find(|known| known.id() == id)
    }

    /// In which of the rows that were looked through, by number, the full text has these words. Whether that is new of any.
    pub fn put_found(
        &mut self,
        words: &str,
        rows: impl IntoIterator<Item = (u32, bool)>,
        world: &World,
        now: Timestamp,
    ) -> bool {
        let now = world.now(now);
        let mut is_news = false;
        for (number, found) in rows {
            if !self.found.set(words, number, found) {
                continue;
            }
            is_news = true;
            let line = self.lines.get(&L::id_of(number));
            let asking = self.sights.iter_mut().filter(|sight| sight.query().filter.asks_for(words));
            // One that is out of date is made anew, with what is found by then.
            for sight in asking.filter(|sight| !sight.is_outdated(world)) {
                sight.change(line, line, world, &self.found, &now);
            }
        }
        is_news
    }

    /// Full texts are no longer looked through for these words. Lists that ask for them are made anew.
    pub fn forget_found(&mut self, words: &str) {
        self.found.forget(words);
        self.sights.retain(|sight| !sight.query().filter.asks_for(words));
    }

    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// When a row comes or goes in some list, or may, although nothing changes it.
    #[must_use]
    pub fn next_turn(&self) -> Option<Timestamp> {
        self.sights.iter().filter_map(Sight::next_turn).min()
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::{Filter, NarrowTask};

    #[test]
    fn of_many_lists_those_stay_that_were_looked_at_last() {
        let world = World::new(TimeZone::UTC);
        let mut rows = Rows::<NarrowTask>::default();
        let mut look = |n: usize| {
            let filter = Filter::read::<NarrowTask>(&format!("t{n}"), &world).unwrap();
            let id = rows.sight(&Query { filter, ..Query::default() }, &world, Timestamp(0)).id();
            (id, rows.sights.len())
        };
        let first: Vec<u64> = (0..MOST_SIGHTS).map(|n| look(n).0).collect();
        assert_eq!(look(0), (first[0], MOST_SIGHTS), "it is the same one");
        assert_eq!(look(MOST_SIGHTS).1, MOST_SIGHTS);
        assert_eq!(look(0).0, first[0], "it was looked at of late");
        assert_ne!(look(1).0, first[1], "that one made room");
    }
}
