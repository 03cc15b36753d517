//! How a call begins: it is made, or a task from elsewhere is adopted.
//!
//! A call that is made is committed as `sent`: there is no state between *committed* and *sent*. After a crash in
//! between nobody could tell the two apart, and not sending again is the safe side.

use signalbox_mcp::Tool;
use signalbox_model::{
    Call, CallId, DecisionKind, Delivery, EventKind, Json, Origin, PayloadKind, ServerId, Status, Task,
    Timestamp, Wire,
};
use signalbox_store::Write;

use super::{
    super::{Beside, Turn},
    CallAgain, Live,
};
use crate::{Effect, Line, shared::NextIds, state::Before, summary};

/// No longer task id is followed, in bytes: every poll would carry it, and what stands before a server refuses that.
pub(in crate::step) const LONGEST_TASK_ID: usize = 8_192;

/// A call that a person wants made.
pub(in crate::step) struct Start {
    pub(in crate::step) line: Line,
    pub(in crate::step) wire: Option<Wire>,
    pub(in crate::step) tool: String,
    /// The tool as last listed.
    pub(in crate::step) listed: Option<Tool>,
    pub(in crate::step) arguments: Json,
    pub(in crate::step) ttl_ms: Option<u32>,
}

impl Live {
    pub(in crate::step) fn start(turn: &mut Turn<'_>, start: Start) -> Self {
        let Start { line, wire, tool, listed, arguments, ttl_ms } = start;
        let schema = listed.as_ref().and_then(|tool| tool.input_schema.clone());
        let id = CallId(NextIds::take(&mut turn.next.call));
        let mut call = Call::new(id, line.server, Origin::Started, turn.now.wall);
        call.wire = wire;
        call.tool.clone_from(&tool);
        call.summary = summary(&arguments);
        // Sent is written together with the intent: after a crash in between we honestly do not know.
        call.delivery = Delivery::Sent;
        turn.intent(Before::Call(id, None));
        turn.put(&call);
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Arguments, json: arguments.clone() });
        turn.event(id, EventKind::Called, None, Beside::Nothing);
        turn.log_called(&call, arguments.clone(), schema);
        let again = CallAgain { arguments: Some(arguments.clone()), ttl_ms, round: None };
        let listed = listed.map(Box::new);
        turn.after(Effect::CallTool { line, call: id, tool, arguments, ttl_ms, listed, round: None });
        Self { again: Some(Box::new(again)), ..Self::new(call) }
    }

    pub(in crate::step) fn adopt(
        turn: &mut Turn<'_>,
        server: ServerId,
        wire: Option<Wire>,
        task_id: String,
    ) -> Self {
        let id = CallId(NextIds::take(&mut turn.next.call));
        let mut call = Call::new(id, server, Origin::Adopted, turn.now.wall);
        call.wire = wire;
        call.delivery = Delivery::Answered;
        call.status = Status::Unknown;
        call.task = Some(new_task(task_id, turn.now.wall));
        turn.intent(Before::Call(id, None));
        turn.put(&call);
        turn.event(id, EventKind::Adopted, None, Beside::Nothing);
        turn.log_call(DecisionKind::Adopted, (id, server), Beside::Nothing);
        Self::new(call)
    }
}

/// A handle of which nothing is known yet.
pub(super) fn new_task(task_id: String, now: Timestamp) -> Task {
    Task {
        task_id,
        status_message: None,
        created_at: None,
        last_updated_at: None,
        ttl_ms: None,
        unlimited: Some(false),
        poll_interval_ms: None,
        expires_at: None,
        seen_at: now,
    }
}
