//! All rows of one kind, and the lists that are looked at.

use std::collections::{BTreeMap, btree_map::Entry};

use signalbox_model::Timestamp;

use crate::{NarrowRow, Query, Sight, World, found::Found};

/// The most lists that are kept: beyond that the one goes that was looked at longest ago. A window follows twenty saved views for
/// their counts, beside what it shows.
const MOST_SIGHTS: usize = 36;
/// How long a list is kept that nobody looks at, in ms: longer than anybody waits for a change of one that is open.
const KEPT_MS: i64 = 90_000;

/// All rows of one kind.
#[derive(Debug)]
pub struct Rows<L: NarrowRow> {
    /// By id: a list that is made anew reads them in the order in which they stand in memory, and nearly in its own.
    lines: BTreeMap<L::Id, L>,
    /// The one looked at last stands last, each with when that was.
    sights: Vec<(Timestamp, Sight<L>)>,
    next_sight: u64,
    found: Found,
}

impl<L: NarrowRow> Default for Rows<L> {
    fn default() -> Self {
        Self { lines: BTreeMap::new(), sights: Vec::new(), next_sight: 0, found: Found::default() }
    }
}

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<L: NarrowRow> {
    /// It is there, and is this.
    Put(L),
    /// It is gone.
    Gone(L::Id),
}

impl<L: NarrowRow> Rows<L> {
    /// Each of them, by id.
    pub fn iter(&self) -> impl Iterator<Item = &L> {
        self.lines.values()
    }

    /// The row with an id.
    #[must_use]
    pub fn get(&self, id: L::Id) -> Option<&L> {
        self.lines.get(&id)
    }

    /// Takes in what became of some rows, also where nothing became of any: servers and tools may have changed, and time has
    /// passed.
    pub fn apply(&mut self, changes: impl IntoIterator<Item = Change<L>>, world: &mut World, now: Timestamp) {
        world.settle();
        let world = &*world;
        self.sights.retain(|(looked_at, _)| now.ms_since(*looked_at) < KEPT_MS);
        let now = world.now(now);
        for (_, sight) in self.sights.iter_mut().filter(|(_, sight)| !sight.is_outdated(world)) {
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
            for (_, sight) in self.sights.iter_mut().filter(|(_, sight)| !sight.is_outdated(world)) {
                sight.change(before.as_ref(), after, world, &self.found, &now);
            }
        }
        for (_, sight) in &mut self.sights {
            if sight.is_outdated(world) {
                sight.anew(&self.lines, world, &self.found, &now);
            }
            for id in sight.due(now.at) {
                let line = self.lines.get(&id);
                sight.change(line, line, world, &self.found, &now);
            }
        }
    }

    /// A list. It is kept from now on, as long as somebody looks at it.
    pub fn sight(&mut self, query: &Query, world: &World, now: Timestamp) -> &Sight<L> {
        let known = self.sights.iter().position(|(_, sight)| sight.query() == query);
        let sight = match known {
            Some(at) => self.sights.remove(at).1,
            None => {
                self.next_sight += 1;
                let (id, now) = (self.next_sight, world.now(now));
                Sight::new(id, query.clone(), &self.lines, world, &self.found, &now)
            }
        };
        if self.sights.len() == MOST_SIGHTS {
            self.sights.remove(0);
        }
        self.sights.push((now, sight));
        &self.sights.last().expect("BUG: it was pushed").1
    }

    /// The list of this number; none where it is no longer kept.
    #[must_use]
    pub fn sight_of(&self, id: u64) -> Option<&Sight<L>> {
        self.sights.iter().map(|(_, sight)| sight).find(|sight| sight.id() == id)
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
            let asking = self.sights.iter_mut().map(|(_, sight)| sight);
            let asking = asking.filter(|sight| sight.query().filter.asks_for(words));
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
        self.sights.retain(|(_, sight)| !sight.query().filter.asks_for(words));
    }

    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// When a row comes or goes in some list, or may, although nothing changes it.
    #[must_use]
    pub fn next_turn(&self) -> Option<Timestamp> {
        self.sights.iter().filter_map(|(_, sight)| sight.next_turn()).min()
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use signalbox_model::{Call, CallId, Origin, ServerId};

    use super::*;
    use crate::{Filter, NarrowTask, Order};

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

    #[test]
    fn another_tool_is_no_news_of_a_list_that_has_none_of_it() {
        let mut world = World::new(TimeZone::UTC);
        let mut rows = Rows::<NarrowTask>::default();
        let task = |id, tool: &str, world: &mut World| {
            let call = Call {
                tool: tool.to_owned(),
                ..Call::new(CallId(id), ServerId(1), Origin::Started, Timestamp(0))
            };
            Change::Put(NarrowTask::new(&(&call).into(), 1, world))
        };
        let first = task(1, "deploy", &mut world);
        rows.apply([first], &mut world, Timestamp(0));
        let filter = Filter::read::<NarrowTask>("deploy", &world).unwrap();
        let words = Query { filter: filter.clone(), ..Query::default() };
        let by_tool = Query { filter, order: Order::read::<NarrowTask>("tool", "").unwrap() };
        let ids = [&words, &by_tool].map(|query| rows.sight(query, &world, Timestamp(0)).id());
        let other = task(2, "build", &mut world);
        rows.apply([other], &mut world, Timestamp(0));
        let versions = ids.map(|id| rows.sight_of(id).unwrap().version());
        assert_eq!(versions, [0, 1], "only where tools are in order, another one moves the others");
    }

    #[test]
    fn a_list_that_nobody_looks_at_is_let_go() {
        let mut world = World::new(TimeZone::UTC);
        let mut rows = Rows::<NarrowTask>::default();
        let all = Query::default();
        let id = rows.sight(&all, &world, Timestamp(0)).id();
        rows.apply([], &mut world, Timestamp(KEPT_MS - 1));
        assert!(rows.sight_of(id).is_some());
        rows.sight(&all, &world, Timestamp(KEPT_MS - 1));
        rows.apply([], &mut world, Timestamp(KEPT_MS + 1));
        assert!(rows.sight_of(id).is_some(), "somebody looked at it meanwhile");
        rows.apply([], &mut world, Timestamp(2 * KEPT_MS));
        assert!(rows.sight_of(id).is_none(), "it costs nothing at a change");
    }
}
