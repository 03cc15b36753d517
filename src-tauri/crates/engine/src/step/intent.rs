//! What people and scripts want: starting, adopting, forgetting; the rest has rooms of its own.

use signalbox_model::{
    Call, CallId, DecisionKind, Delivery, EventKind, Json, Origin, PayloadKind, ServerId, Status, Task,
    Timestamp,
};
use signalbox_store::Write;

use super::{Turn, answer::Said};
use crate::{
    Effect, Granted, Intent, Refusal, State, Token,
    state::{Before, Live, NextIds},
    summary,
    tries::Tries,
};

impl State {
    pub(super) fn intent(&mut self, turn: &mut Turn, token: Token, intent: Intent) {
        let refused = match intent {
            Intent::AddServer(server) => self.add_server(turn, token, server),
            Intent::PutServer(server) => self.put_server(turn, token, server),
            Intent::Check(server) => self.check(turn, token, server),
            Intent::Start { server, tool, arguments, ttl_ms } => {
                self.start(turn, token, server, (tool, arguments), ttl_ms)
            }
            Intent::Track { server, task_id } => self.track(turn, token, server, task_id),
            Intent::FollowAll => {
                let calls: Vec<CallId> = self.calls.keys().copied().collect();
                for call in calls {
                    self.follow(turn, call);
                }
                turn.reply(token, Ok(Granted::Done));
                Ok(())
            }
            Intent::AwaitCalls => {
                self.awaiting_calls.push(token);
                self.calls_answered(turn);
                Ok(())
            }
            Intent::AwaitAnswer { request, decided_at, once_out } => {
                self.await_answer(turn, token, (request, decided_at), once_out);
                Ok(())
            }
            Intent::AwaitCancel(call) => {
                self.await_cancel(turn, token, call);
                Ok(())
            }
            Intent::Refresh(call) => self.refresh(turn, token, call),
            Intent::Cancel { call, seen } => self.cancel(turn, token, call, seen),
            Intent::Forget { call, server } => {
                self.forget(turn, token, call, server);
                Ok(())
            }
            Intent::Answer { request, action, content, hold_ms, seen } => {
                self.answer(turn, token, request, Said { action, content, hold_ms, seen })
            }
            Intent::Undo { request, decided_at } => self.undo(turn, token, request, decided_at),
            Intent::PutAway(request) => self.put_away(turn, token, *request),
            Intent::TakeBackHeld => {
                self.take_back_held(turn, token);
                Ok(())
            }
            Intent::BeginVisit { request, seen } => self.begin_visit(turn, token, request, seen),
            Intent::EndVisit { request, opened, seen } => self.end_visit(turn, token, request, opened, seen),
            Intent::SaveDraft { request, draft } => self.save_draft(turn, token, request, draft),
            Intent::PutSetting { key, value, tuning } => {
                if tuning.message_limit > self.tuning.message_limit {
                    self.calls.values_mut().for_each(|live| live.result_tries = Tries::default());
                }
                turn.intent(Before::Tuning(std::mem::replace(&mut self.tuning, tuning)));
                turn.write(Write::PutSetting { key, value });
                turn.after(Effect::Tune(tuning));
                turn.reply(token, Ok(Granted::Done));
                Ok(())
            }
        };
        if let Err(refusal) = refused {
            turn.reply(token, Err(refusal));
        }
    }

    /// Tells those who wait for it that no call is under way. A retry that goes by itself keeps a call under way; one that
    /// waits for a person may take as long as they like, and is not waited for.
    pub(super) fn calls_answered(&mut self, turn: &mut Turn) {
        let is_under_way = |live: &Live| {
            !live.call.ended() && live.call.delivery == Delivery::Sent && live.call.open_requests == 0
        };
        if self.awaiting_calls.is_empty() || self.calls.values().any(is_under_way) {
            return;
        }
        for token in std::mem::take(&mut self.awaiting_calls) {
            turn.reply(token, Ok(Granted::Done));
        }
    }

    fn start(
        &mut self,
        turn: &mut Turn,
        token: Token,
        server: ServerId,
        (tool, arguments): (String, Json),
        ttl_ms: Option<u32>,
    ) -> Result<(), Refusal> {
        let station = self.open_station(server)?;
        let (line, wire) = (station.line(), station.server.wire);
        let listed = station.tools.as_ref().and_then(|tools| tools.named(&tool));
        let schema = listed.as_ref().and_then(|tool| tool.input_schema.clone());
        let id = CallId(NextIds::take(&mut self.next.call));
        let mut call = Call::new(id, server, Origin::Started, turn.now.wall);
        call.wire = wire;
        call.tool.clone_from(&tool);
        call.summary = summary(&arguments);
        // Sent is written together with the intent: after a crash in between we honestly do not know.
        call.delivery = Delivery::Sent;
        turn.intent(Before::Call(id, None));
        turn.put(&call);
        turn.write(Write::PutPayload { call: id, kind: PayloadKind::Arguments, json: arguments.clone() });
        turn.event(id, EventKind::Called, None, None);
        turn.log_called(&call, arguments.clone(), schema.clone());
        turn.reply(token, Ok(Granted::Call(id)));
        let live = Live { arguments: Some(arguments.clone()), wished_ttl_ms: ttl_ms, ..Live::new(call) };
        turn.after(Effect::CallTool {
            line,
            call: id,
            tool,
            arguments,
            ttl_ms,
            listed: listed.map(Box::new),
            round: None,
        });
        self.keep(live);
        Ok(())
    }

    fn track(
        &mut self,
        turn: &mut Turn,
        token: Token,
        server: ServerId,
        task_id: String,
    ) -> Result<(), Refusal> {
        let wire = self.open_station(server)?.server.wire;
        if task_id.len() > LONGEST_TASK_ID {
            return Err(Refusal::TaskIdTooLong { most: LONGEST_TASK_ID });
        }
        let followed = self.calls.values().find(|live| {
            live.call.server == server && live.call.task.as_ref().is_some_and(|task| task.task_id == task_id)
        });
        if let Some(live) = followed {
            return Err(Refusal::Followed(live.call.id));
        }
        let id = CallId(NextIds::take(&mut self.next.call));
        let mut call = Call::new(id, server, Origin::Adopted, turn.now.wall);
        call.wire = wire;
        call.delivery = Delivery::Answered;
        call.status = Status::Unknown;
        call.task = Some(new_task(task_id, turn.now.wall));
        turn.intent(Before::Call(id, None));
        turn.put(&call);
        turn.event(id, EventKind::Adopted, None, None);
        turn.log_call(DecisionKind::Adopted, (id, server), None);
        turn.reply(token, Ok(Granted::Call(id)));
        self.keep(Live::new(call));
        self.plan_first_look(turn, id);
        self.wake(turn, server);
        Ok(())
    }

    fn forget(&mut self, turn: &mut Turn, token: Token, id: CallId, server: ServerId) {
        self.tell_of_forgetting(turn, id, server);
        let before = self.calls.get(&id).map(|live| Box::new(live.clone()));
        if before.as_ref().is_some_and(|live| live.call.delivery != Delivery::Answered) {
            turn.after(Effect::Abandon { call: id });
        }
        let (questions, unwanted) = self.forget_on_wire(id, server);
        turn.intent(Before::Forgotten(id, server, before, questions));
        turn.write(Write::ForgetCall(id));
        turn.log_call(DecisionKind::Forgotten, (id, server), None);
        turn.reply(token, Ok(Granted::Done));
        self.wave_off(turn, server, unwanted);
        self.let_go(turn, id);
        self.drop_call(turn, id);
    }
}

/// No longer task id is followed, in bytes: every look would carry it, and what stands before a server refuses that.
pub(super) const LONGEST_TASK_ID: usize = 8_192;

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
