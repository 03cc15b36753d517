//! A list that is kept by changes equals one that is read slowly from all rows: for any filter, order and history, of tasks and
//! of questions, and wherever days begin.

mod kept;
mod plain;
mod questions;
mod tasks;
mod zones;

use jiff::tz::TimeZone;
use signalbox_catalogue::{Change, Filter, NarrowRow, NarrowTask, Order, Query, Rows, World};
use signalbox_model::{Call, CallId, Origin, ServerId, Timestamp};

use crate::kept::server;

#[test]
fn a_row_that_time_alone_takes_in_says_when() {
    const BEGIN: i64 = 1_795_694_400_000;
    let mut world = World::new(TimeZone::UTC);
    world.put_server(&server(ServerId(1), "ci", false), 1);
    let query = Query {
        filter: Filter::read::<NarrowTask>("age>10s", &world).unwrap(),
        order: Order::read::<NarrowTask>("-started", "").unwrap(),
    };
    let mut rows = Rows::default();
    let call = Call::new(CallId(1), ServerId(1), Origin::Started, Timestamp(BEGIN));
    let line = NarrowTask::new(&(&call).into(), 1, &mut world);
    assert_eq!(line.id(), CallId(1));
    rows.apply([Change::Put(line)], &mut world, Timestamp(BEGIN));
    let sight = rows.sight(&query, &world, Timestamp(BEGIN));
    assert_eq!((sight.total(), sight.next_turn()), (0, Some(Timestamp(BEGIN + 10_001))));
    rows.apply([], &mut world, Timestamp(BEGIN + 10_001));
    let sight = rows.sight(&query, &world, Timestamp(BEGIN + 10_001));
    assert_eq!(
        (sight.total(), sight.next_turn()),
        (1, None),
        "it stays, so nothing has to be looked at again"
    );
}
