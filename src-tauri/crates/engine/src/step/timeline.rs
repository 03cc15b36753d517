//! How much a server can add to the timeline of a call: what people did, and what became of that, always has its line.

use signalbox_model::{Event, EventKind, Note};
use signalbox_store::Write;

use super::Turn;
use crate::state::Rooms;

/// What a line takes beside its text, in bytes, about.
const EACH: usize = 64;

/// What a server has added to the timeline of a call in this run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Timeline {
    lines: u32,
    bytes: usize,
}

impl Timeline {
    /// So many lines …
    pub(crate) const MOST: u32 = 10_000;
    /// … of so many bytes together.
    pub(crate) const BYTES: usize = 4 << 20;

    /// Whether there was room for another line before this one, and is now.
    fn add(&mut self, text: usize) -> (bool, bool) {
        let had_room = self.has_room();
        self.lines = self.lines.saturating_add(1);
        self.bytes = self.bytes.saturating_add(EACH + text);
        (had_room, self.has_room())
    }

    fn has_room(self) -> bool {
        self.lines < Self::MOST && self.bytes < Self::BYTES
    }
}

impl Rooms {
    /// Leaves out of this turn what servers say beyond that, and says so once.
    pub(super) fn bound_timelines(&mut self, turn: &mut Turn<'_>) {
        turn.out.writes.retain_mut(|write| {
            let Write::AddEvent(event) = write else { return true };
            if !is_of_server(event.kind) {
                return true;
            }
            // Of a call that has just ended nothing follows.
            let Some(live) = self.calls.live.get_mut(&event.call) else { return true };
            let (had_room, has_room) = live.telling.timeline.add(size(event));
            if had_room && !has_room {
                let Event { call, at, .. } = *event;
                *event =
                    Event { call, at, kind: EventKind::TimelineFull, request: None, text: None, note: None };
            }
            had_room
        });
    }
}

/// How long what stands beside its kind is, in bytes.
fn size(event: &Event) -> usize {
    event.text.as_ref().map_or(0, String::len) + event.note.as_ref().map_or(0, Note::size)
}

/// Whether a server can bring about as many of these as it likes.
fn is_of_server(kind: EventKind) -> bool {
    use EventKind::*;
    match kind {
        Status | Asked | Closed | Orphaned | Trouble | LeftOut | NoResult | TtlPassed | AnswerTimePassed
        | RequestRefused | TimelineFull | Recovered => true,
        Called | Adopted | TaskCreated | Answered | Undone | Lapsed | Acknowledged | Taken | NotTaken
        | Refused | CancelRequested | CancelAcknowledged | Ended | Unknown => false,
    }
}
