//! A list as somebody looks at it: the rows that a filter shows, in an order, under heads.

use std::collections::BTreeMap;

use signalbox_model::Timestamp;

use crate::{
    Filter, NarrowRow, Order, World,
    filter::Judge,
    found::Found,
    gather::{Gathered, gather},
    order::{LastDay, Place},
    part::{Part, Versions},
    sorted::Sorted,
    turns::Turns,
    world::Now,
};

/// What somebody looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    /// Which rows are shown.
    pub filter: Filter,
    /// In which order they stand.
    pub order: Order,
}

/// The rows under one head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group<Id> {
    /// The first of them, which says what they have in common.
    pub first: Id,
    /// How many there are.
    pub count: usize,
}

/// A list that is kept by what changes.
#[derive(Debug)]
pub struct Sight<L: NarrowRow> {
    query: Query,
    places: Sorted<Place<L::Id>>,
    /// How many rows each group has.
    groups: BTreeMap<i64, usize>,
    turns: Turns<L::Id>,
    world: Versions,
    id: u64,
    version: u64,
}

impl<L: NarrowRow> Sight<L> {
    /// The list of all these rows.
    pub(crate) fn new(
        id: u64,
        query: Query,
        lines: &BTreeMap<L::Id, L>,
        world: &World,
        found: &Found,
        now: &Now,
    ) -> Self {
        let judge = Judge::new(&query.filter, world, found, now);
        let Gathered { parts, turns } = gather(lines, &judge, &query.order, world);
        let mut groups = BTreeMap::new();
        for ([group, _], part) in &parts {
            *groups.entry(*group).or_default() += part.len();
        }
        let (places, world) = (Sorted::of(parts.into_values()), world.versions());
        Self { query, places, groups, turns: turns.into_iter().collect(), world, id, version: 0 }
    }

    /// The same list of all these rows, as they are now.
    pub(crate) fn anew(&mut self, lines: &BTreeMap<L::Id, L>, world: &World, found: &Found, now: &Now) {
        let version = self.version + 1;
        let query = std::mem::take(&mut self.query);
        *self = Self { version, ..Self::new(self.id, query, lines, world, found, now) };
    }

    /// Which it is: no other one has the same number.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Grows with each change of its rows, their order or what they show.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What is looked at.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// How many rows it has.
    #[must_use]
    pub fn total(&self) -> usize {
        self.places.len()
    }

    /// The ids of some of its rows, in order.
    pub fn window(&self, offset: usize, limit: usize) -> impl Iterator<Item = L::Id> {
        self.places.starting_at(offset).take(limit).map(|place| place.id)
    }

    /// Of a list that stands by id and has no groups, the rows behind a number.
    pub fn behind(&self, number: u32) -> impl Iterator<Item = L::Id> {
        self.places.behind(move |place| L::number_of(place.id) <= number).map(|place| place.id)
    }

    /// Its groups, in order: one of all rows where they have no heads.
    #[must_use]
    pub fn groups(&self) -> Vec<Group<L::Id>> {
        let mut from = 0;
        let group = |count: &usize| {
            let first = self.places.starting_at(from).next().expect("BUG: a group without a row");
            from += count;
            Group { first: first.id, count: *count }
        };
        self.groups.values().map(group).collect()
    }

    /// When the next row comes or goes, or may, although nothing changes it.
    #[must_use]
    pub fn next_turn(&self) -> Option<Timestamp> {
        self.turns.next()
    }

    /// Whether it has to be made anew, since what its rows have in common changed.
    pub(crate) fn is_outdated(&self, world: &World) -> bool {
        let Query { filter, order } = &self.query;
        let differs = |part| world.versions().differ(self.world, part);
        Part::ALL.into_iter().any(|part| differs(part) && (filter.follows(part) || order.follows(part)))
    }

    /// What its rows have in common may have changed, and none of them moves by that.
    pub(crate) fn note_world(&mut self, world: &World) {
        // Another tool is in no row that was there before.
        let shows = |part| part != Part::Tools && world.versions().differ(self.world, part);
        self.version += u64::from(Part::ALL.into_iter().any(shows));
        self.world = world.versions();
    }

    /// Takes in what became of a row.
    pub(crate) fn change(
        &mut self,
        before: Option<&L>,
        after: Option<&L>,
        world: &World,
        found: &Found,
        now: &Now,
    ) {
        let order = &self.query.order;
        let verdict = after.map(|line| Judge::new(&self.query.filter, world, found, now).of(line));
        if let Some(line) = after.or(before) {
            self.turns.set(line.id(), verdict.and_then(|verdict| verdict.until));
        }
        let mut last = LastDay::default();
        let was = before.map(|line| order.place(line, world, &mut last));
        let is = after
            .filter(|_| verdict.is_some_and(|verdict| verdict.shown))
            .map(|line| order.place(line, world, &mut last));
        let was = was.filter(|place| self.places.contains(place));
        match (was, is) {
            (None, None) => return,
            (Some(was), Some(is)) if was == is => {
                if before == after {
                    return;
                }
            }
            (was, is) => {
                if let Some(place) = was {
                    self.places.remove(&place);
                    self.uncount(place.group());
                }
                if let Some(place) = is {
                    self.places.insert(place);
                    *self.groups.entry(place.group()).or_default() += 1;
                }
            }
        }
        self.version += 1;
    }

    fn uncount(&mut self, group: i64) {
        let count = self.groups.get_mut(&group).expect("BUG: a row of a group that has none");
        *count -= 1;
        if *count == 0 {
            self.groups.remove(&group);
        }
    }

    /// The rows that may have come or gone by now.
    pub(crate) fn due(&self, now: Timestamp) -> Vec<L::Id> {
        self.turns.due(now)
    }
}
