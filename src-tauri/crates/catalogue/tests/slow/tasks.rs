//! Lists of tasks.

use proptest::{collection::vec, prelude::*};
use signalbox_catalogue::{NarrowTask, World};
use signalbox_model::{CallBrief, Server, ServerId};

use crate::{
    kept::{Full, SECOND, check, op},
    plain::{Row, TASKS, Tagged, any_list, call, tags},
    zones::Zone,
};

const BELOW: u32 = 12;

impl Full for Tagged {
    type Narrow = NarrowTask;

    fn number(&self) -> u32 {
        self.call.id.0
    }

    fn server(&self) -> ServerId {
        self.call.server
    }

    fn narrow(&self, world: &mut World) -> NarrowTask {
        let brief = CallBrief { tags: self.tags.clone(), ..(&self.call).into() };
        NarrowTask::new(&brief, 1, world)
    }

    fn plain(&self, server: &Server) -> Row {
        Row::of_call(self, server)
    }
}

fn tagged(around: i64) -> impl Strategy<Value = Tagged> {
    (call(BELOW, around, SECOND), tags()).prop_map(|(call, tags)| Tagged { call, tags })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    #[test]
    fn a_list_of_tasks_kept_by_changes_equals_one_read_slowly(
        (zone, asked, history) in Zone::any().prop_flat_map(|zone| (
            Just(zone),
            any_list(TASKS, zone.today(), SECOND),
            vec(vec(op(tagged(zone.begin), TASKS.texts, BELOW), 1..6), 1..12),
        )),
    ) {
        check(zone, &asked, history)?;
    }
}
