//! Tasks as narrow rows. A row is a call, with its task where one was made.

use signalbox_model::{
    CallBrief, CallId, Origin, Outcome, ServerId, Status, Tag, Timestamp, Tracking, Wire, Word,
};

use crate::{Key, Moment, NarrowRow, ToolNumber, World, fold};

/// What a list must know of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NarrowTask {
    id: CallId,
    changed: u64,
    server: ServerId,
    tool: ToolNumber,
    wire: Option<Wire>,
    origin: Origin,
    status: Status,
    outcome: Option<Outcome>,
    tracking: Tracking,
    needs_you: bool,
    started_at: Timestamp,
    changed_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    /// How many bytes of the text are its tags, each on a line: most rows have none, and pay nothing for them.
    tags: u16,
    text: Box<str>,
}

const IS: &[&str] = &["needs_you", "working", "ended"];

impl NarrowTask {
    /// What a list must know of this call, which transaction `changed` was the last to change.
    pub fn new(call: &CallBrief, changed: u64, world: &mut World) -> Self {
        let live = call.outcome.is_none();
        let tags = || call.tags.iter().map(Tag::as_str);
        let message = call.message.as_deref().unwrap_or_default();
        Self {
            id: call.id,
            changed,
            server: call.server,
            tool: world.tool(&call.tool),
            wire: call.wire,
            origin: call.origin,
            status: call.status,
            outcome: call.outcome,
            tracking: call.tracking,
            needs_you: live && call.open_requests > 0,
            started_at: call.created_at,
            changed_at: call.seen_at.filter(|_| live),
            expires_at: call.expires_at.filter(|_| live),
            ended_at: call.ended_at,
            // Sixteen of 32 characters: they fit.
            tags: u16::try_from(tags().map(|tag| tag.len() + 1).sum::<usize>()).unwrap_or_default(),
            text: fold::beginnings(tags().chain([&*call.summary, message])),
        }
    }

    fn is(&self) -> &'static str {
        match self.outcome {
            Some(_) => "ended",
            None if self.needs_you => "needs_you",
            None => "working",
        }
    }

    fn tracking(&self, world: &World) -> Tracking {
        if self.outcome.is_some() || self.tracking == Tracking::Expired {
            return self.tracking;
        }
        world.tracking(self.server).unwrap_or(self.tracking)
    }
}

impl NarrowRow for NarrowTask {
    type Id = CallId;

    const WORDS: &'static [(Key, &'static [&'static str])] = &[
        (Key::Is, IS),
        (Key::Status, Status::WORDS),
        (Key::Outcome, Outcome::WORDS),
        (Key::Tracking, Tracking::WORDS),
        (Key::Wire, Wire::WORDS),
        (Key::Origin, Origin::WORDS),
    ];

    const ALIASES: &'static [(Key, &'static str, &'static [&'static str])] =
        &[(Key::Outcome, "failed", &["tool_error", "protocol_error"])];

    // Of `tracking` only what is wrong: it says "done" also of a task that ended badly.
    const PLAIN: &'static [(Key, &'static [&'static str])] = &[
        (Key::Is, IS),
        (Key::Status, Status::WORDS),
        (Key::Outcome, Outcome::WORDS),
        (Key::Tracking, &["stalled", "unreachable", "sign_in_needed", "expired", "not_found"]),
    ];

    const MOMENTS: &'static [Moment] = &[Moment::Changed, Moment::Ended, Moment::Expires];

    const OFTEN: &'static [&'static str] =
        &["outcome:failed ended:today", "is:needs_you", "silent>10m", "left<10m", "ended<1h", "age>1h"];

    const TAGGED: bool = true;

    fn id(&self) -> CallId {
        self.id
    }

    fn number_of(CallId(number): CallId) -> u32 {
        number
    }

    fn id_of(number: u32) -> CallId {
        CallId(number)
    }

    fn changed(&self) -> u64 {
        self.changed
    }

    fn server(&self) -> ServerId {
        self.server
    }

    fn tool(&self) -> ToolNumber {
        self.tool
    }

    fn word(&self, key: Key, world: &World) -> Option<&'static str> {
        match key {
            Key::Is => Some(self.is()),
            Key::Status => Some(self.status.word()),
            Key::Outcome => self.outcome.map(Word::word),
            Key::Tracking => Some(self.tracking(world).word()),
            Key::Wire => self.wire.map(Word::word),
            Key::Origin => Some(self.origin.word()),
            Key::Server | Key::Tool | Key::State | Key::Mode | Key::Attention | Key::Tag => None,
        }
    }

    fn moment(&self, moment: Moment) -> Option<Timestamp> {
        match moment {
            Moment::Started => Some(self.started_at),
            Moment::Changed => self.changed_at,
            Moment::Ended => self.ended_at,
            Moment::Expires => self.expires_at,
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        // The last one has no line behind it where there is no other text.
        let end = usize::from(self.tags).min(self.text.len());
        self.text[..end].split_terminator('\n')
    }

    /// "failed" finds all that went wrong: also a tool that said so, whose task was completed by its server.
    fn also_called(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Ok) => "done",
            Some(Outcome::ToolError | Outcome::ProtocolError) => "failed",
            Some(Outcome::Unknown) => "arrival unknown",
            Some(Outcome::Cancelled | Outcome::Expired | Outcome::Lost) | None => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_stays_narrow() {
        assert_eq!(
            size_of::<NarrowTask>(),
            104,
            "100,000 of them are in memory, each with its text beside it"
        );
    }
}
