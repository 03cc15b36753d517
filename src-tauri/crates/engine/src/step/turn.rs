//! One step in the making: what every room may use, what it writes, and what it leaves to be done.

use std::collections::{BTreeMap, BTreeSet};

use signalbox_model::{
    Call, CallId, Event, EventKind, InputRequest, ItemRef, Note, Outcome, RequestId, ServerId, cut,
};
use signalbox_store::{BatchKind, Write};

use super::{Beside, agenda::Next, question::Over};
use crate::{
    Effect, Granted, Notice, NoticeKind, Now, Output, Refusal, Token, Tuning, Undo,
    by_number::ByNumber,
    room::{Room, Weighed, weight},
    schedule::{Due, Schedule},
    shared::{NextIds, Place, Shared},
    state::Before,
};

/// Longer texts are cut in timelines and notices, in bytes.
pub(super) const LONGEST_TOLD: usize = 4_096;

/// One step in the making.
pub(crate) struct Turn<'s> {
    pub(crate) now: Now,
    /// Fresh randomness for jitter.
    pub(crate) seed: u64,
    pub(crate) out: Output,
    /// We had been away: what was due meanwhile is late through no fault of its own.
    pub(crate) woke: bool,
    pub(crate) schedule: &'s mut Schedule<Due>,
    /// Where each question in memory is found.
    pub(crate) places: &'s mut ByNumber<RequestId, Place>,
    pub(crate) room: &'s mut Room,
    pub(crate) long_states: &'s mut u64,
    pub(crate) next: &'s mut NextIds,
    pub(crate) tuning: &'s mut Tuning,
    pub(crate) sweep_from: &'s mut u64,
    pub(crate) kept_since: &'s mut u64,
    /// Nobody raises notifications in this run.
    pub(super) unheard: bool,
    /// What follows from what has happened so far.
    pub(super) agenda: BTreeSet<Next>,
    /// The questions that closed unanswered.
    pub(super) closed: Vec<Over>,
    /// By how many the questions of a server have become more that are not taken.
    pub(super) left: BTreeMap<ServerId, i64>,
    /// What people are told. The server's name is still to be filled in.
    pub(super) notices: Vec<Notice>,
}

impl<'s> Turn<'s> {
    pub(crate) fn new(shared: &'s mut Shared, now: Now, seed: u64) -> Self {
        let Shared { schedule, places, room, long_states, next, tuning, sweep_from, kept_since, unheard } =
            shared;
        Self {
            now,
            seed,
            out: Output::default(),
            woke: false,
            schedule,
            places,
            room,
            long_states,
            unheard: *unheard,
            next,
            tuning,
            sweep_from,
            kept_since,
            agenda: BTreeSet::new(),
            closed: Vec::new(),
            left: BTreeMap::new(),
            notices: Vec::new(),
        }
    }

    /// Leaves something to be done in this step, in the order of [`Next`].
    pub(crate) fn then(&mut self, next: Next) {
        self.agenda.insert(next);
    }

    pub(crate) fn write(&mut self, write: Write) {
        self.out.writes.push(write);
    }

    pub(crate) fn after(&mut self, effect: Effect) {
        self.out.after_commit.push(effect);
    }

    pub(crate) fn reply(&mut self, token: Token, result: Result<Granted, Refusal>) {
        self.after(Effect::Reply { token, result });
    }

    /// From now on this turn is a person's wish: when it cannot be kept it is taken back.
    pub(crate) fn intent(&mut self, before: Before) {
        self.out.kind = BatchKind::Intent;
        self.out.undo = Undo(before);
    }

    /// The wish touches this, too, which is as it was: put back before what it touched first.
    pub(super) fn also(&mut self, before: Before) {
        let first = std::mem::take(&mut self.out.undo.0);
        self.out.undo = Undo(Before::All(vec![before, first]));
    }

    /// Whether this turn is a wish that may be taken back.
    pub(crate) fn is_intent(&self) -> bool {
        self.out.kind == BatchKind::Intent
    }

    pub(crate) fn event(
        &mut self,
        call: CallId,
        kind: EventKind,
        request: Option<RequestId>,
        said: impl Into<Beside>,
    ) {
        let (text, note) = said.into().parts();
        let (text, note) = (text.map(told), note.map(|note| note.cut(LONGEST_TOLD)));
        self.write(Write::AddEvent(Event { call, at: self.now.wall, kind, request, text, note }));
    }

    /// A question is found there from now on, and is seen to.
    pub(crate) fn place(&mut self, id: RequestId, place: Place) {
        self.places.insert(id, place);
        self.then(Next::Attend(id));
    }

    /// A question is not in memory any more.
    pub(crate) fn displace(&mut self, id: RequestId) {
        self.places.remove(&id);
        self.schedule.clear(Due::Attend(id));
    }

    /// Keeps a question as it stands.
    pub(crate) fn keep(&mut self, request: &InputRequest) {
        self.write(Write::PutRequest(Box::new(request.clone())));
        let InputRequest { id, call, .. } = *request;
        self.room.weigh(Weighed { id, call, bytes: weight(request), stored: None });
        self.then(Next::Attend(id));
    }

    pub(crate) fn put(&mut self, call: &Call) {
        self.write(Write::PutCall(Box::new(call.clone())));
    }

    /// The number of a new question.
    pub(crate) fn number_question(&mut self) -> RequestId {
        RequestId(NextIds::take(&mut self.next.request))
    }

    /// So many questions of a server are left that were so many.
    pub(crate) fn count_left(&mut self, server: ServerId, before: u32, now: u32) {
        if before != now {
            *self.left.entry(server).or_default() += i64::from(now) - i64::from(before);
        }
    }

    /// Tells the person something about a call.
    pub(crate) fn notify(&mut self, call: &Call, item: ItemRef, kind: NoticeKind, text: &str) {
        self.tell(call, item, kind, call.without_handle(text));
    }

    fn tell(&mut self, call: &Call, item: ItemRef, kind: NoticeKind, text: String) {
        self.notices.push(Notice {
            item,
            server: call.server,
            server_name: String::new(),
            tool: call.tool.clone(),
            text: told(text),
            note: None,
            kind,
        });
    }

    /// Tells the person how a call ended: `text` is what its server says of that, without the task's id, and without it stands why.
    pub(crate) fn notify_end(&mut self, call: &Call, outcome: Outcome, text: String, note: Option<Note>) {
        self.tell(call, ItemRef::Call(call.id), NoticeKind::Ended(outcome), text);
        if let Some(notice) = self.notices.last_mut() {
            let masked = note.map(|note| call.note_without_handle(note));
            notice.note = masked.map(|note| note.cut(LONGEST_TOLD));
        }
    }

    /// Tells the person of a question that belongs to no call.
    pub(crate) fn notify_loose(&mut self, request: &InputRequest, kind: NoticeKind) {
        self.notices.push(Notice {
            item: ItemRef::Request(request.id),
            server: request.server,
            server_name: String::new(),
            tool: String::new(),
            text: request.message.clone(),
            note: None,
            kind,
        });
    }
}

/// A text as timelines and notices have it: what is longer stands where it came from.
pub(crate) fn told(text: String) -> String {
    cut(text, LONGEST_TOLD)
}
