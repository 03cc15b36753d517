//! Lists of questions.

use proptest::{collection::vec, prelude::*};
use signalbox_catalogue::{NarrowRequest, World};
use signalbox_model::{RequestBrief, Server, ServerId};

use crate::{
    kept::{Full, SECOND, check, op},
    plain::{QUESTIONS, Question, Row, any_list, call, question},
    zones::Zone,
};

const BELOW: u32 = 12;

impl Full for Question {
    type Narrow = NarrowRequest;

    fn number(&self) -> u32 {
        self.request.id.0
    }

    fn server(&self) -> ServerId {
        self.request.server
    }

    fn narrow(&self, world: &mut World) -> NarrowRequest {
        let Self { request, call } = self;
        let call = call.as_ref();
        let brief = RequestBrief {
            id: request.id,
            server: request.server,
            call: request.call,
            tool: call.map(|call| call.tool.clone()).unwrap_or_default(),
            summary: call.map(|call| call.summary.clone()).unwrap_or_default(),
            mode: request.mode,
            message: request.message.clone(),
            state: request.state,
            opened_at: request.opened_at,
            closed_at: request.closed_at,
            expires_at: call.and_then(|call| call.task.as_ref()?.expires_at),
            attention: request.attention(),
            schema: None,
        };
        NarrowRequest::new(&brief, 1, world)
    }

    fn plain(&self, server: &Server) -> Row {
        Row::of_question(self, server)
    }
}

/// A question, mostly with its task.
fn asked(around: i64) -> impl Strategy<Value = Question> {
    (question(BELOW, 2, around, SECOND), call(2, around, SECOND)).prop_map(|(request, call)| {
        let call = request.call.map(|_| call);
        Question { request, call }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    #[test]
    fn a_list_of_questions_kept_by_changes_equals_one_read_slowly(
        (zone, list, history) in Zone::any().prop_flat_map(|zone| (
            Just(zone),
            any_list(QUESTIONS, zone.today(), SECOND),
            vec(vec(op(asked(zone.begin), QUESTIONS.texts, BELOW), 1..6), 1..12),
        )),
    ) {
        check(zone, &list, history)?;
    }
}
