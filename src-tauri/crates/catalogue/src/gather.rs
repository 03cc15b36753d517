//! All rows that a list shows, gathered anew: by two threads where there are many.

use std::{
    collections::{BTreeMap, btree_map::Range},
    panic, thread,
};

use signalbox_model::Timestamp;

use crate::{
    NarrowRow, Order, World,
    filter::Judge,
    order::{LastDay, Place},
};

/// From so many rows on, a second thread saves more than it costs.
const MANY: usize = 10_000;

/// What was gathered.
pub(crate) struct Gathered<Id> {
    /// Where the rows stand, told apart by the beginnings of their places: each in order, or in two runs that are.
    pub(crate) parts: BTreeMap<[i64; 2], Vec<Place<Id>>>,
    /// Which rows come or go by time alone, and when.
    pub(crate) turns: Vec<(Id, Timestamp)>,
}

/// Gathers those of these rows that are shown.
pub(crate) fn gather<L: NarrowRow>(
    lines: &BTreeMap<L::Id, L>,
    judge: &Judge<'_>,
    order: &Order,
    world: &World,
) -> Gathered<L::Id> {
    let of = |lines: Range<'_, L::Id, L>| Gathered::of(lines.map(|(_, line)| line), judge, order, world);
    let by_one = || of(lines.range::<L::Id, _>(..));
    let Some(middle) = middle(lines) else { return by_one() };
    thread::scope(|scope| {
        let second = || of(lines.range(middle..));
        // A system that has no thread to give may have one later: nothing must fail for it.
        match thread::Builder::new().spawn_scoped(scope, second) {
            Ok(second) => {
                let first = of(lines.range(..middle));
                first.and(second.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
            }
            Err(_) => by_one(),
        }
    })
}

/// An id that about half of the rows come before; none where there are few rows.
fn middle<L: NarrowRow>(lines: &BTreeMap<L::Id, L>) -> Option<L::Id> {
    let ((first, _), (last, _)) = lines.first_key_value().zip(lines.last_key_value())?;
    let middle = L::number_of(*first).midpoint(L::number_of(*last));
    (lines.len() >= MANY).then(|| L::id_of(middle))
}

impl<Id: Copy + Ord> Gathered<Id> {
    fn of<'a, L: NarrowRow<Id = Id> + 'a>(
        lines: impl Iterator<Item = &'a L>,
        judge: &Judge<'_>,
        order: &Order,
        world: &World,
    ) -> Self {
        let (mut parts, mut turns) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
        let mut last = LastDay::default();
        for line in lines {
            let verdict = judge.of(line);
            turns.extend(verdict.until.map(|at| (line.id(), at)));
            if verdict.shown {
                let place = order.place(line, world, &mut last);
                parts.entry(place.beginning(order)).or_default().push(place);
            }
        }
        // By the thread that gathered them: what is left to do for both together is to merge two runs.
        parts.values_mut().for_each(|part| part.sort());
        Self { parts, turns }
    }

    fn and(mut self, other: Self) -> Self {
        for (beginning, mut part) in other.parts {
            self.parts.entry(beginning).or_default().append(&mut part);
        }
        self.turns.extend(other.turns);
        self
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use signalbox_model::{Call, CallId, Origin, ServerId};

    use super::*;
    use crate::{Filter, NarrowTask, found::Found, sorted::Sorted};

    #[test]
    fn two_threads_gather_what_one_does() {
        let mut world = World::new(TimeZone::UTC);
        let task = |id: u32| {
            let tool = ["deploy", "build", "test"][id as usize % 3].to_owned();
            let call =
                Call { tool, ..Call::new(CallId(id), ServerId(1), Origin::Started, Timestamp(id.into())) };
            (CallId(id), NarrowTask::new(&(&call).into(), 1, &mut world))
        };
        // Most of them by far have the low numbers: where half of the numbers are is not where half of the rows are.
        let ids = (1..12_000).chain([40_000, u32::MAX]);
        let lines: BTreeMap<_, _> = ids.map(task).collect();
        world.settle();
        let order = Order::read::<NarrowTask>("-started", "tool").unwrap();
        let filter = Filter::read::<NarrowTask>("-tool:test age<10s", &world).unwrap();
        let (found, now) = (Found::default(), world.now(Timestamp(11_500)));
        let judge = Judge::new(&filter, &world, &found, &now);
        assert_eq!(middle(&lines), Some(CallId(u32::MAX / 2 + 1)), "they are many");
        let by_two = gather(&lines, &judge, &order, &world);
        let by_one = Gathered::of(lines.values(), &judge, &order, &world);
        assert!(by_one.turns.len() > 6_000 && by_one.parts.len() == 2);
        assert_eq!(by_two.turns, by_one.turns);
        let in_order = |gathered: Gathered<CallId>| {
            let sorted = Sorted::<_>::of(gathered.parts.into_values());
            sorted.starting_at(0).copied().collect::<Vec<_>>()
        };
        assert_eq!(in_order(by_two), in_order(by_one));
    }
}
