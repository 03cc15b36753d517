//! Faults that are planted one by one, to prove that the worlds find them. Each stands where the state machine meets its
//! disk, its wire and its own memory: what it does is what the product would do with that fault in it, and the product
//! itself has no branch for any of them.

use std::cell::Cell;

use signalbox_mcp::{Error, ServerAsk, ServerNews, SessionEvent, SessionReplied, SessionReply};
use signalbox_model::{CallId, Json, RequestId, RequestState, ServerId};
use signalbox_store::Write;

use super::{
    bench::{SERVER, json, unreachable},
    disk::Disk,
};
use crate::{
    Effect, Input, Intent, Line, Now, Output, State,
    schedule::Due,
    shared::Errand,
    step::{Next, Question, Turn, Update},
};

macro_rules! faults {
    ($($fault:ident $name:literal)*) => {
        /// What is wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Fault { $($fault),* }

        impl Fault {
            /// Each of them, with its name.
            pub(crate) const ALL: &[(Self, &str)] = &[$((Self::$fault, $name)),*];
        }
    };
}

faults! {
    EffectsFirst "an effect before its commit"
    RowLost "a question's row is not written"
    CallLost "a call's row is not written"
    EntryLost "a decision is not logged"
    NobodyTold "whoever waits is not told"
    PollPermit "the permit of a poll does not come back"
    PollTwice "two polls of one task at a time"
    PollEarly "a poll before its interval"
    PollForgotten "no next poll is planned"
    ErrandPermit "the permit of an errand does not come back"
    ResultPermit "the permit of a request for a result does not come back"
    SessionNumber "the number of a session is used again"
    QuestionNumber "the number of a question is used again"
    ResentUnseen "an answer is sent again without a poll before"
    AnsweredTwice "an answer is sent twice"
    LossAcknowledged "an answer that was lost counts as acknowledged"
    LossUnsent "an answer that was lost counts as never sent"
    AnswerChanged "an answer goes out with another content"
    WrongRequest "an answer goes out to another request"
    WrongServer "an answer goes out to another server"
    UndoneAfterSending "an answer is taken back that has gone out"
    Revived "a late poll revives a task that has ended"
    WindowForgotten "an undo window does not end"
    Miscounted "the count of open questions is wrong"
    RoundIncomplete "a round goes out without one of its answers"
    RoundTwice "a round goes out twice"
    CallTwice "a call is made twice"
    CancelDropped "a wish to cancel is not sent"
    QuestionUnheard "a question of the legacy wire is not opened"
    WithdrawalUnheard "a question that was withdrawn stays open"
    EndUnheard "the end of a connection is missed"
    SessionMistaken "a new session counts as the one of before"
    NotRemembered "a resumed session does not know its requests"
    ResultChanged "a hosted task that is fetched again has another result"
}

thread_local! {
    static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// From now on this thread's engines have this fault.
pub(crate) fn plant(fault: Option<Fault>) {
    PLANTED.set(fault);
}

pub(crate) fn is(fault: Fault) -> bool {
    PLANTED.get() == Some(fault)
}

/// What came, as far as the second half of a fault needs it.
#[derive(Debug, Default)]
pub(crate) struct Came {
    polled: Option<(ServerId, CallId)>,
    told: Option<(ServerId, (CallId, Errand))>,
    resulted: Option<(ServerId, CallId)>,
    lost: Option<CallId>,
}

/// What a fault does to what comes, and to memory before it is taken.
pub(crate) fn before(state: &mut State, input: &mut Input) -> Came {
    let mut came = Came::default();
    if PLANTED.get().is_none() {
        return came;
    }
    match &*input {
        Input::Polled { server, call, .. } => came.polled = Some((*server, *call)),
        Input::Updated { server, call, reply, .. } => {
            came.told = Some((*server, (*call, Errand::Answers)));
            came.lost = matches!(reply, Err(Error::Lost { .. })).then_some(*call);
        }
        Input::CancelSent { server, call, .. } => came.told = Some((*server, (*call, Errand::Cancel))),
        Input::Resulted { server, call, .. } => came.resulted = Some((*server, *call)),
        _ => {}
    }
    match input {
        Input::Updated { reply, .. }
            if is(Fault::LossAcknowledged) && matches!(reply, Err(Error::Lost { .. })) =>
        {
            *reply = Ok(json("{}"));
        }
        Input::Replied { reply, .. } if matches!(reply, Err(Error::Lost { .. })) => {
            if is(Fault::LossAcknowledged) {
                *reply = Ok(SessionReplied::Delivered);
            } else if is(Fault::LossUnsent) {
                *reply = Err(unreachable());
            }
        }
        Input::Heard { event, .. } => {
            let unheard = match &**event {
                SessionEvent::Request(request) => {
                    is(Fault::QuestionUnheard)
                        && matches!(request.ask, ServerAsk::Elicitation(_) | ServerAsk::Sampling)
                }
                SessionEvent::Notification(told) => {
                    is(Fault::WithdrawalUnheard) && matches!(told.news, ServerNews::Cancelled { .. })
                }
                SessionEvent::Ended(_) => is(Fault::EndUnheard),
                _ => false,
            };
            if unheard {
                *input = Input::Tick;
            } else if is(Fault::QuestionNumber) {
                state.shared.next.request = state.shared.next.request.saturating_sub(1);
            }
        }
        Input::Polled { .. } if is(Fault::QuestionNumber) => {
            state.shared.next.request = state.shared.next.request.saturating_sub(1);
        }
        Input::Connected { server, resumed, .. } => {
            if is(Fault::SessionNumber)
                && let Some(session) = state.rooms.sessions.all.get(server)
            {
                state.shared.next.session = session.n;
            }
            *resumed |= is(Fault::SessionMistaken);
        }
        Input::Intent { intent, .. } => {
            if is(Fault::UndoneAfterSending)
                && let Intent::Undo { request: id, .. } = **intent
            {
                questions(state).filter(|question| question.request.id == id).for_each(not_sent);
            }
        }
        _ => {}
    }
    came
}

/// What a fault does to what follows, and to memory after it.
pub(crate) fn after(came: &Came, state: &mut State, disk: &Disk, now: Now, out: &mut Output) {
    let Some(fault) = PLANTED.get() else { return };
    match fault {
        Fault::RowLost => lose(&mut out.writes, |write| matches!(write, Write::PutRequest(_))),
        Fault::CallLost => lose(&mut out.writes, |write| matches!(write, Write::PutCall(_))),
        Fault::EntryLost => lose(&mut out.writes, |write| matches!(write, Write::AddDecision(_))),
        Fault::NobodyTold => lose(&mut out.after_commit, |effect| matches!(effect, Effect::Reply { .. })),
        Fault::CancelDropped => {
            lose(&mut out.after_commit, |effect| matches!(effect, Effect::CancelTask { .. }));
        }
        Fault::NotRemembered => out.after_commit.retain(|effect| !matches!(effect, Effect::Remember { .. })),
        Fault::PollPermit => {
            if let Some((server, call)) = came.polled {
                state.rooms.servers.all.get_mut(&server).into_iter().for_each(|station| {
                    station.polls.under_way.insert(call, 0);
                });
            }
        }
        Fault::PollEarly => {
            if let Some((_, call)) = came.polled.filter(|(_, call)| waits_for_clock(state, *call)) {
                state.shared.schedule.set(Due::Poll(call), now.steady_ms + 1);
            }
        }
        Fault::PollForgotten => {
            came.polled.iter().for_each(|(_, call)| state.shared.schedule.clear(Due::Poll(*call)))
        }
        Fault::ErrandPermit => {
            if let Some((server, errand)) = came.told {
                state.rooms.servers.all.get_mut(&server).into_iter().for_each(|station| {
                    station.errands.under_way.insert(errand);
                });
            }
        }
        Fault::ResultPermit => {
            if let Some((server, call)) = came.resulted {
                state.rooms.sessions.all.get_mut(&server).into_iter().for_each(|session| {
                    session.held_results.under_way.insert(call, now.steady_ms);
                });
            }
        }
        Fault::ResentUnseen => {
            if let Some(live) = came.lost.and_then(|call| state.rooms.calls.live.get_mut(&call)) {
                if live.answers.update == Update::MayBeLost {
                    live.answers.update = Update::Done;
                }
                let (call, mut turn) = (live.call.id, Turn::new(&mut state.shared, now, 1));
                turn.out = std::mem::take(out);
                turn.then(Next::Deliver(call));
                state.rooms.carry_on(&mut turn);
                *out = turn.out;
            }
        }
        Fault::Revived => {
            let late = came.polled.and_then(|(_, call)| disk.calls.get(&call)).filter(|row| row.ended());
            if let Some(row) = late {
                let mut row = row.clone();
                (row.outcome, row.ended_at) = (None, None);
                out.writes.push(Write::PutCall(Box::new(row)));
            }
        }
        Fault::WindowForgotten => {
            let servers: Vec<ServerId> = state.rooms.sessions.all.keys().copied().collect();
            servers.into_iter().for_each(|server| state.shared.schedule.clear(Due::Reply(server)));
            let calls: Vec<CallId> = state.rooms.calls.live.keys().copied().collect();
            calls.into_iter().for_each(|call| state.shared.schedule.clear(Due::Send(call)));
        }
        Fault::Miscounted => {
            for write in &mut out.writes {
                let Write::PutCall(call) = write else { continue };
                call.open_requests += 1;
                if let Some(live) = state.rooms.calls.live.get_mut(&call.id) {
                    live.call.open_requests = call.open_requests;
                }
            }
        }
        Fault::AnsweredTwice | Fault::PollTwice | Fault::RoundTwice | Fault::CallTwice => {
            let again: Vec<Effect> =
                out.after_commit.iter().filter_map(|effect| again(fault, effect)).collect();
            out.after_commit.extend(again);
        }
        Fault::AnswerChanged
        | Fault::ResultChanged
        | Fault::RoundIncomplete
        | Fault::WrongRequest
        | Fault::WrongServer => {
            let other = |rpc: &str| questions_of(state).find(|other| *other != rpc);
            for effect in &mut out.after_commit {
                change(fault, effect, other);
            }
        }
        _ => {}
    }
}

fn waits_for_clock(state: &State, call: CallId) -> bool {
    let live = state.rooms.calls.live.get(&call).filter(|live| live.is_followed());
    live.is_some_and(|live| !state.rooms.servers.all[&live.call.server].is_busy_with(call))
}

fn lose<T>(from: &mut Vec<T>, is: impl Fn(&T) -> bool) {
    if let Some(at) = from.iter().position(is) {
        from.remove(at);
    }
}

fn questions(state: &mut State) -> impl Iterator<Item = &mut Question> {
    let of_calls = state.rooms.calls.live.values_mut().flat_map(|live| &mut live.questions);
    of_calls.chain(state.rooms.sessions.all.values_mut().flat_map(|session| &mut session.questions))
}

/// The ids of the requests that wait at the server of the legacy wire.
fn questions_of(state: &State) -> impl Iterator<Item = String> {
    let session = state.rooms.sessions.all.get(&SERVER);
    let waits = |question: &&Question| {
        question.request.state == RequestState::Open && question.request.hosted.is_none()
    };
    let open = session.into_iter().flat_map(|session| &session.questions).filter(waits);
    open.filter_map(|question| question.rpc.clone())
}

fn not_sent(question: &mut Question) {
    if question.request.state == RequestState::Sending
        && let Some(answer) = &mut question.request.answer
    {
        answer.sent_at = None;
    }
}

/// The same effect once more.
fn again(fault: Fault, effect: &Effect) -> Option<Effect> {
    Some(match effect {
        Effect::UpdateTask { line, call, task_id, requests, responses } if fault == Fault::AnsweredTwice => {
            Effect::UpdateTask {
                line: line.clone(),
                call: *call,
                task_id: task_id.clone(),
                requests: requests.clone(),
                responses: responses.clone(),
            }
        }
        Effect::ReplyOnWire { server, link, rpc, reply, request: request @ Some(_) }
            if fault == Fault::AnsweredTwice =>
        {
            let (rpc, reply): (String, SessionReply) = (rpc.clone(), reply.clone());
            Effect::ReplyOnWire { server: *server, link: *link, rpc, reply, request: *request }
        }
        Effect::GetTask { line, call, task_id } if fault == Fault::PollTwice => {
            Effect::GetTask { line: line.clone(), call: *call, task_id: task_id.clone() }
        }
        Effect::CallTool { line, call, tool, arguments, ttl_ms, listed, round }
            if fault == if round.is_some() { Fault::RoundTwice } else { Fault::CallTwice } =>
        {
            Effect::CallTool {
                line: line.clone(),
                call: *call,
                tool: tool.clone(),
                arguments: arguments.clone(),
                ttl_ms: *ttl_ms,
                listed: listed.clone(),
                round: round.clone(),
            }
        }
        _ => return None,
    })
}

fn change(fault: Fault, effect: &mut Effect, other: impl Fn(&str) -> Option<String>) {
    match effect {
        Effect::UpdateTask { line: Line { server, .. }, .. }
        | Effect::ReplyOnWire { server, request: Some(_), .. }
            if fault == Fault::WrongServer =>
        {
            *server = ServerId(if *server == SERVER { SERVER.0 + 1 } else { SERVER.0 });
        }
        Effect::UpdateTask { responses, .. } if fault == Fault::AnswerChanged => {
            responses.iter_mut().for_each(|(_, said)| *said = changed(said));
        }
        Effect::ReplyOnWire { rpc, reply, request, .. } => {
            let of_person: &Option<RequestId> = request;
            match (fault, reply) {
                (Fault::AnswerChanged, SessionReply::Result(said)) if of_person.is_some() => {
                    *said = changed(said)
                }
                (Fault::ResultChanged, SessionReply::Result(said)) if of_person.is_none() => {
                    *said = changed(said)
                }
                (Fault::WrongRequest, _) if of_person.is_some() => {
                    if let Some(other) = other(rpc) {
                        *rpc = other;
                    }
                }
                _ => {}
            }
        }
        Effect::CallTool { round: Some(round), .. } if fault == Fault::RoundIncomplete => {
            round.input_responses.pop();
        }
        _ => {}
    }
}

fn changed(said: &Json) -> Json {
    json(&said.text().replace("said ", "said 9"))
}
