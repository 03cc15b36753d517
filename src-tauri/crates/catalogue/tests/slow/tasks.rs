//! Lists of tasks.

use proptest::{collection::vec, prelude::*};
use signalbox_catalogue::{NarrowTask, World};
use signalbox_model::{Call, Server, ServerId};

use crate::{
    kept::{Full, SECOND, check, op},
    plain::{Row, TASKS, any_list, call},
    zones::Zone,
};

const BELOW: u32 = 12;

impl Full for Call {
    type Narrow = NarrowTask;

    fn number(&self) -> u32 {
        self.id.0
    }

    fn server(&self) -> ServerId {
        self.server
    }

    fn narrow(&self, world: &mut World) -> NarrowTask {
        NarrowTask::new(&self.into(), 1, world)
    }

    fn plain(&self, server: &Server) -> Row {
        Row::of_call(self, server)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    #[test]
    fn a_list_of_tasks_kept_by_changes_equals_one_read_slowly(
        (zone, asked, history) in Zone::any().prop_flat_map(|zone| (
            Just(zone),
            any_list(TASKS, zone.today(), SECOND),
            vec(vec(op(call(BELOW, zone.begin, SECOND), TASKS.texts, BELOW), 1..6), 1..12),
        )),
    ) {
        check(zone, &asked, history)?;
    }
}
