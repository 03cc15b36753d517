//! What people and scripts want: each wish is taken to the rooms that it is about.

use signalbox_model::{Action, CallId, DecisionKind, Delivery, ServerId, Timestamp};
use signalbox_store::Write;

use super::{
    Beside, Live, Next, Turn,
    call::{Cancels, LONGEST_TASK_ID, Start},
    question::Said,
};
use crate::{
    Effect, Granted, Intent, Refusal, Token,
    state::{Before, Rooms},
};

impl Rooms {
    /// Carries out a wish, with all that follows from it; or says why not.
    pub(super) fn intent(&mut self, turn: &mut Turn<'_>, token: Token, intent: Intent) {
        let waiting = self.waiting_before();
        if let Err(refusal) = self.grant(turn, token, intent) {
            turn.reply(token, Err(refusal));
        }
        self.carry_on(turn);
        if turn.is_intent() {
            turn.also(waiting);
        }
    }

    fn grant(&mut self, turn: &mut Turn<'_>, token: Token, intent: Intent) -> Result<(), Refusal> {
        match intent {
            Intent::AddServer(server) => {
                let server = self.servers.add(turn, token, server)?;
                self.sessions.of(server);
            }
            Intent::PutServer(server) => {
                let calls = self.calls.of(server.id);
                self.servers.put(turn, token, server, calls)?;
            }
            Intent::Check(server) => self.servers.check(turn, token, server)?,
            Intent::Line(server) => {
                let line = self.servers.get(server).ok_or(Refusal::UnknownServer)?.line(turn.tuning);
                turn.reply(token, Ok(Granted::Line(line)));
            }
            Intent::List { server, list } => {
                let line = self.servers.open(server)?.line(turn.tuning);
                turn.after(Effect::List { line, list, token });
            }
            Intent::Start { server, tool, arguments, ttl_ms } => {
                let station = self.servers.open(server)?;
                let (line, wire, listed) =
                    (station.line(turn.tuning), station.server.wire, station.tool(&tool));
                let live = Live::start(turn, Start { line, wire, tool, listed, arguments, ttl_ms });
                turn.reply(token, Ok(Granted::Call(live.id())));
                self.keep(turn, live);
            }
            Intent::Track { server, task_id } => self.track(turn, token, server, task_id)?,
            Intent::FollowAll => {
                self.calls.live.values_mut().for_each(|live| live.follow(turn));
                turn.reply(token, Ok(Granted::Done));
            }
            Intent::AwaitCalls => {
                self.awaiting_calls.push(token);
                self.calls_answered(turn);
            }
            Intent::AwaitAnswer { request, decided_at, once_out } => {
                self.await_answer(turn, token, (request, decided_at), once_out);
            }
            Intent::AwaitCancel(call) => self.await_cancel(turn, token, call),
            Intent::Refresh(call) => self.refresh(turn, token, call)?,
            Intent::Cancel { call, seen } => self.cancel(turn, token, call, seen)?,
            Intent::Forget { call, server } => self.forget(turn, token, call, server),
            Intent::Answer { request, action, content, hold_ms, seen, remark, asks } => {
                self.answer(turn, token, request, Said { action, content, hold_ms, seen, remark, asks })?;
            }
            Intent::Undo { request, decided_at } => self.undo(turn, token, request, decided_at)?,
            Intent::PutAway(request) => {
                self.sessions.of(request.server).put_away(turn, *request)?;
                turn.reply(token, Ok(Granted::Done));
            }
            Intent::Snooze { request, until } => self.snooze(turn, token, request, until)?,
            Intent::TakeBackHeld => self.take_back_held(turn, token),
            Intent::BeginVisit { request, seen, asks } => {
                self.begin_visit(turn, token, request, (seen, asks))?
            }
            Intent::EndVisit { request, opened, seen, remark, asks } => {
                let consent = Said { action: Action::Accept, content: None, hold_ms: 0, seen, remark, asks };
                self.end_visit(turn, token, request, opened.then_some(consent))?
            }
            Intent::SaveDraft { request, draft } => self.save_draft(turn, token, request, draft)?,
            Intent::PutSetting { key, value, tuning } => {
                if tuning.message_limit > turn.tuning.message_limit {
                    self.sessions.all.values_mut().for_each(|session| session.forget_failures());
                }
                let before = std::mem::replace(turn.tuning, tuning);
                turn.intent(Before::Tuning(before));
                turn.write(Write::PutSetting { key, value });
                turn.reply(token, Ok(Granted::Done));
            }
            Intent::PutPreference { key, value } => {
                keep_aside(turn, token, [Write::PutSetting { key, value }])
            }
            Intent::PutTags(all) => {
                keep_aside(turn, token, all.into_iter().map(|(call, tags)| Write::PutTags { call, tags }));
            }
            Intent::PutRemark { call, text } => {
                keep_aside(turn, token, [Write::PutRemark { call, text }]);
            }
        }
        Ok(())
    }

    /// Takes a new call into memory.
    pub(super) fn keep(&mut self, turn: &mut Turn<'_>, live: Live) {
        let id = live.id();
        self.calls.keep(turn, live);
        self.reckon(id);
    }

    fn track(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        server: ServerId,
        task_id: String,
    ) -> Result<(), Refusal> {
        let wire = self.servers.open(server)?.server.wire;
        if task_id.len() > LONGEST_TASK_ID {
            return Err(Refusal::TaskIdTooLong { most: LONGEST_TASK_ID });
        }
        if let Some(call) = self.calls.of_task(server, &task_id) {
            return Err(Refusal::Followed(call));
        }
        let live = Live::adopt(turn, server, wire, task_id);
        turn.reply(token, Ok(Granted::Call(live.id())));
        turn.then(Next::PollSoon(live.id()));
        self.keep(turn, live);
        if let Some(station) = self.servers.get_mut(server) {
            station.wake(turn);
        }
        Ok(())
    }

    fn refresh(&mut self, turn: &mut Turn<'_>, token: Token, id: CallId) -> Result<(), Refusal> {
        let Some(live) = self.calls.live.get_mut(&id) else {
            // It has ended, and is not in memory any more. This reply comes after the commit of its end.
            turn.reply(token, Ok(Granted::Done));
            return Ok(());
        };
        let station = self.servers.get(live.server()).ok_or(Refusal::UnknownServer)?;
        live.refresh(turn, token, station.is_open());
        Ok(())
    }

    fn cancel(
        &mut self,
        turn: &mut Turn<'_>,
        token: Token,
        id: CallId,
        seen: Option<Timestamp>,
    ) -> Result<(), Refusal> {
        let live = self.calls.live.get_mut(&id).ok_or(Refusal::UnknownCall)?;
        let station = self.servers.get(live.server());
        let server = Cancels {
            tasks: station.is_none_or(|station| station.lets_cancel()),
            may_make_task: station.is_none_or(|station| station.may_make_task(&live.call.tool)),
        };
        live.cancel(turn, token, seen, server)
    }

    fn forget(&mut self, turn: &mut Turn<'_>, token: Token, id: CallId, server: ServerId) {
        self.tell_of_forgetting(turn, id, server);
        let before = self.calls.live.get(&id).cloned();
        if before.as_ref().is_some_and(|live| live.call.delivery != Delivery::Answered) {
            turn.after(Effect::Abandon { call: id });
        }
        let session = self.sessions.of(server);
        turn.intent(Before::All(vec![session.before(), Before::Call(id, before)]));
        let unwanted = session.forget_questions(turn, id);
        turn.write(Write::ForgetCall(id));
        turn.log_call(DecisionKind::Forgotten, (id, server), Beside::Nothing);
        turn.reply(token, Ok(Granted::Done));
        session.wave_off(turn, unwanted);
        self.drop_call(turn, id);
    }
}

/// Keeps what nothing here follows.
fn keep_aside(turn: &mut Turn<'_>, token: Token, writes: impl IntoIterator<Item = Write>) {
    turn.intent(Before::Nothing);
    writes.into_iter().for_each(|write| turn.write(write));
    turn.reply(token, Ok(Granted::Done));
}
