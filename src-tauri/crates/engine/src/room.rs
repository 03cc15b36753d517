//! How many bytes questions have, of each task and of each server: counted when one comes, changes and goes, so that nobody
//! ever has to add them up. A long question of a task leaves what it asks to the store, and weighs the same until it is over.
//! What is over weighs next to nothing.
//!
//! Beyond its bound a new question is not taken. On the legacy wire it is refused, and in a round it ends its call.
//! Else it is looked for again when there is room, which needs no news of the server. Its task, its server and `doctor`
//! say so meanwhile. What is open, held or in doubt never makes room.
//!
//! The store has what a bare question asks (`InputRequest::is_bare`). The digest of the schema that was answered comes
//! from its row, so that the log of decisions needs nothing of it in memory.

use std::collections::VecDeque;

use signalbox_model::{Answer, CallId, Hosted, InputRequest, Json, Note, RequestId, ServerId};

use crate::by_number::ByNumber;

/// The questions in memory, and what they weigh.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Room {
    questions: ByNumber<RequestId, Share>,
    tasks: ByNumber<CallId, usize>,
    /// What is of no task.
    loose: ByNumber<ServerId, usize>,
    servers: ByNumber<ServerId, usize>,
}

/// What one question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    server: ServerId,
    call: Option<CallId>,
    bytes: usize,
    /// What the store alone has of it, in bytes.
    stored: usize,
}

/// What a question weighs now, and whose it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighed {
    pub(crate) id: RequestId,
    pub(crate) call: Option<CallId>,
    /// What it takes in memory, in bytes.
    pub(crate) bytes: usize,
    /// What the store alone has of it, in bytes; none: as much as before.
    pub(crate) stored: Option<usize>,
}

/// Questions of a task that were not taken, since there was no room for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    /// How many questions were not taken.
    pub(crate) n: u32,
    /// What the smallest of them weighs at least, in bytes: with less room than this none can be taken.
    pub(crate) least: usize,
}

/// Questions that closed unanswered: the store keeps the last of them. What was decided on stays with its decision.
#[derive(Debug, Clone, Default)]
pub(crate) struct Closed {
    /// The oldest first, with their bytes in the store.
    kept: VecDeque<(RequestId, usize)>,
    bytes: usize,
}

impl Closed {
    /// So many are kept …
    pub(crate) const MOST: usize = 1_000;
    /// … and so many bytes of them.
    pub(crate) const BYTES: usize = 16 << 20;

    /// One more has closed. Hands out those that are not kept any more.
    pub(crate) fn keep(&mut self, id: RequestId, bytes: usize) -> Vec<RequestId> {
        self.open_again(id);
        self.kept.push_back((id, bytes));
        self.bytes += bytes;
        let mut over = Vec::new();
        while self.kept.len() > Self::MOST || self.bytes > Self::BYTES {
            let Some((id, bytes)) = self.kept.pop_front() else { break };
            self.bytes -= bytes;
            over.push(id);
        }
        over
    }

    /// One is asked again.
    pub(crate) fn open_again(&mut self, id: RequestId) {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == id)
            && let Some((_, bytes)) = self.kept.remove(at)
        {
            self.bytes -= bytes;
        }
    }
}

impl Left {
    /// So many more are left, of at least so many bytes each.
    pub(crate) fn add(left: &mut Option<Self>, n: u32, bytes: usize) {
        let before = left.unwrap_or(Self { n: 0, least: bytes });
        *left = Some(Self { n: before.n.saturating_add(n), least: before.least.min(bytes) });
    }
}

impl Room {
    /// Bytes of the questions of one task, or of those of a server that are of no task …
    pub(crate) const OF_TASK: usize = 16 << 20;
    /// … and of those of one server.
    pub(crate) const OF_SERVER: usize = 128 << 20;
    /// What a question takes beside its texts, about.
    pub(crate) const EACH: usize = 1_024;

    /// A question is in memory from now on; the store alone has so many bytes of it.
    pub(crate) fn enter(&mut self, request: &InputRequest, stored: usize) {
        self.leave(request.id);
        let InputRequest { server, call, .. } = *request;
        let share = Share { server, call, bytes: weight(request), stored };
        self.questions.insert(request.id, share);
        self.add(share);
    }

    /// What a question weighs now, and whose it is. One that is not in memory weighs nothing.
    pub(crate) fn weigh(&mut self, weighed: Weighed) {
        let Weighed { id, call, bytes, stored } = weighed;
        let Some(known) = self.questions.get_mut(&id) else { return };
        let (before, now) = (*known, Share { call, bytes, stored: stored.unwrap_or(known.stored), ..*known });
        *known = now;
        if before != now {
            self.take(before);
            self.add(now);
        }
    }

    /// A question has left memory.
    pub(crate) fn leave(&mut self, id: RequestId) {
        if let Some(share) = self.questions.remove(&id) {
            self.take(share);
        }
    }

    /// Whether so many bytes more may be taken of this server, and of this task.
    pub(crate) fn has(&self, server: ServerId, call: Option<CallId>, bytes: usize) -> bool {
        let of_task = match call {
            Some(call) => self.tasks.get(&call),
            None => self.loose.get(&server),
        };
        let of_task = of_task.copied().unwrap_or(0);
        let of_server = self.servers.get(&server).copied().unwrap_or(0);
        of_task + bytes <= Self::OF_TASK && of_server + bytes <= Self::OF_SERVER
    }

    /// How many bytes more a question would take that weighed so many, instead of what it weighs now.
    pub(crate) fn more(&self, id: RequestId, bytes: usize) -> usize {
        let held = self.questions.get(&id).map_or(0, |share| share.bytes + share.stored);
        bytes.saturating_sub(held)
    }

    fn add(&mut self, Share { server, call, bytes, stored }: Share) {
        let bytes = bytes + stored;
        *self.servers.entry(server).or_default() += bytes;
        match call {
            Some(call) => *self.tasks.entry(call).or_default() += bytes,
            None => *self.loose.entry(server).or_default() += bytes,
        }
    }

    fn take(&mut self, Share { server, call, bytes, stored }: Share) {
        let bytes = bytes + stored;
        take_off(&mut self.servers, server, bytes);
        match call {
            Some(call) => take_off(&mut self.tasks, call, bytes),
            None => take_off(&mut self.loose, server, bytes),
        }
    }

    #[cfg(test)]
    pub(crate) fn of(&self, server: ServerId, call: Option<CallId>) -> usize {
        match call {
            Some(call) => self.tasks.get(&call).copied().unwrap_or(0),
            None => self.servers.get(&server).copied().unwrap_or(0),
        }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.questions.len()
    }
}

fn take_off<K: std::hash::Hash + Eq>(sums: &mut ByNumber<K, usize>, of: K, bytes: usize) {
    if let Some(sum) = sums.get_mut(&of) {
        *sum = sum.saturating_sub(bytes);
        if *sum == 0 {
            sums.remove(&of);
        }
    }
}

/// What a question holds in memory, in bytes, about.
pub(crate) fn weight(request: &InputRequest) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let json = |json: &Option<Json>| json.as_ref().map_or(0, |json| json.text().len());
    let answer = |answer: &Answer| json(&answer.content) + answer.refusal.as_ref().map_or(0, Note::size);
    let hosted = |hosted: &Hosted| {
        let ids = hosted.before.iter().chain(&hosted.waiting).map(String::len);
        hosted.task_id.len() + ids.sum::<usize>()
    };
    Room::EACH
        + request.identity.key().len()
        + request.method.len()
        + request.message.len()
        + json(&request.schema)
        + text(&request.url)
        + request.raw.text().len()
        + json(&request.draft)
        + request.answer.as_ref().map_or(0, answer)
        + request.earlier.as_ref().map_or(0, |earlier| answer(&earlier.answer))
        + request.hosted.as_ref().map_or(0, hosted)
}

#[cfg(test)]
mod tests {
    use signalbox_model::{Identity, Timestamp};

    use super::*;

    fn question(id: u32, call: u32, bytes: usize) -> InputRequest {
        let identity = Identity::Task { call: CallId(call), key: String::new() };
        let message = "x".repeat(bytes.saturating_sub(Room::EACH + "null".len()));
        InputRequest { message, ..InputRequest::new(RequestId(id), ServerId(1), identity, Timestamp(0)) }
    }

    fn weighed(call: Option<CallId>, bytes: usize, stored: Option<usize>) -> Weighed {
        Weighed { id: RequestId(8), call, bytes, stored }
    }

    #[test]
    fn what_is_of_no_task_has_the_room_of_one() {
        let mut room = Room::default();
        room.enter(&InputRequest { call: None, ..question(1, 1, Room::OF_TASK - 5) }, 0);
        assert!(room.has(ServerId(1), None, 5) && !room.has(ServerId(1), None, 6));
        assert!(room.has(ServerId(1), Some(CallId(1)), Room::OF_TASK), "a task has its own beside it");
        room.weigh(Weighed { id: RequestId(1), ..weighed(Some(CallId(1)), Room::OF_TASK, None) });
        assert!(room.has(ServerId(1), None, Room::OF_TASK), "it belongs to a task now");
        room.leave(RequestId(1));
        assert_eq!(room, Room::default(), "nothing of it stays");
    }

    #[test]
    fn a_task_and_its_server_have_room_for_so_many_bytes() {
        let mut room = Room::default();
        let has = |room: &Room, call, bytes| room.has(ServerId(1), Some(CallId(call)), bytes);
        for call in 1..=8 {
            assert!(has(&room, call, Room::OF_TASK), "task {call} has asked nothing yet");
            room.enter(&question(call, call, Room::OF_TASK), 0);
            assert!(!has(&room, call, 1), "task {call} has asked all that it may");
        }
        assert!(!has(&room, 9, 1), "the tasks of one server share its room");
        assert!(room.has(ServerId(2), Some(CallId(9)), Room::OF_TASK), "another server has room of its own");
        room.weigh(weighed(Some(CallId(8)), Room::OF_TASK - 5, None));
        assert!(has(&room, 8, 5) && has(&room, 9, 5) && !has(&room, 9, 6), "what got smaller made room");
        room.weigh(weighed(Some(CallId(9)), 7, None));
        assert_eq!(room.of(ServerId(1), Some(CallId(9))), 7, "it belongs to another");
        room.weigh(weighed(Some(CallId(9)), 3, Some(4)));
        assert_eq!(room.of(ServerId(1), Some(CallId(9))), 7, "what the store alone has counts");
        room.weigh(weighed(Some(CallId(9)), 5, None));
        assert_eq!(room.of(ServerId(1), Some(CallId(9))), 9, "also when the rest of it changes");
        let more = [5, 9, 12].map(|bytes| room.more(RequestId(8), bytes));
        assert_eq!(more, [0, 0, 3], "its own bytes are its to use again");
        assert_eq!(room.more(RequestId(9), 7), 7, "one that is not in memory has none");
        for id in 1..=8 {
            room.leave(RequestId(id));
        }
        room.weigh(weighed(None, 9, None));
        assert_eq!((room.of(ServerId(1), None), room.len()), (0, 0), "what has left weighs nothing");
        assert!(room.tasks.is_empty() && room.servers.is_empty(), "and nothing of it stays");
    }
}
