//! Input requests as narrow rows.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use signalbox_model::{Attention, Mode, RequestBrief, RequestId, RequestState, ServerId, Timestamp, Word};

use crate::{Key, Moment, NarrowRow, ToolNumber, World, fold};

/// What a list must know of an input request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NarrowRequest {
    id: RequestId,
    changed: u64,
    server: ServerId,
    tool: ToolNumber,
    mode: Mode,
    state: RequestState,
    is: &'static str,
    attention: Attention,
    started_at: Timestamp,
    expires_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    text: Box<str>,
    alike: Option<u64>,
}

impl NarrowRequest {
    /// What a list must know of this input request, which transaction `changed` was the last to change.
    pub fn new(request: &RequestBrief, changed: u64, world: &mut World) -> Self {
        let is = is(request);
        let over = is == OVER;
        Self {
            id: request.id,
            changed,
            server: request.server,
            tool: world.tool(&request.tool),
            mode: request.mode,
            state: request.state,
            is,
            attention: request.attention,
            started_at: request.opened_at,
            expires_at: request.expires_at.filter(|_| is == WAITING),
            ended_at: request.closed_at.filter(|_| over),
            text: fold::beginnings([&*request.message, &*request.summary]),
            alike: alike(request),
        }
    }

    /// A number that it has in common with the questions that are like it; none where it is like no other.
    #[must_use]
    pub fn alike(&self) -> Option<u64> {
        self.alike
    }
}

fn alike(request: &RequestBrief) -> Option<u64> {
    let schema = request.schema.filter(|_| !request.tool.is_empty())?;
    let mut hasher = DefaultHasher::new();
    (request.server, &request.tool, schema).hash(&mut hasher);
    Some(hasher.finish())
}

const WAITING: &str = "waiting";
const STRANDED: &str = "stranded";
const OVER: &str = "over";

/// As the inbox has them: what waits for a person or is on its way, what lost its connection, and the rest.
fn is(request: &RequestBrief) -> &'static str {
    match request.state {
        state if state.stranded(request.closed_at) => STRANDED,
        RequestState::Answered | RequestState::Closed => OVER,
        RequestState::Open
        | RequestState::Held
        | RequestState::Sending
        | RequestState::NotTaken
        | RequestState::Refused
        | RequestState::Orphaned
        | RequestState::Unknown => WAITING,
    }
}

impl NarrowRow for NarrowRequest {
    type Id = RequestId;

    const WORDS: &'static [(Key, &'static [&'static str])] = &[
        (Key::Is, &[WAITING, STRANDED, OVER]),
        (Key::State, RequestState::WORDS),
        (Key::Mode, Mode::WORDS),
        (Key::Attention, Attention::WORDS),
    ];

    const ALIASES: &'static [(Key, &'static str, &'static [&'static str])] = &[];

    const PLAIN: &'static [(Key, &'static [&'static str])] = &[
        (Key::Is, &[WAITING, STRANDED, OVER]),
        (Key::State, RequestState::WORDS),
        (Key::Mode, Mode::WORDS),
        // Whoever types "none" looks for no such thing.
        (Key::Attention, &["expiring", "snoozed"]),
    ];

    const MOMENTS: &'static [Moment] = &[Moment::Ended, Moment::Expires];

    const OFTEN: &'static [&'static str] = &["is:waiting", "left<10m", "age>1h", "ended:today"];

    fn id(&self) -> RequestId {
        self.id
    }

    fn number_of(RequestId(number): RequestId) -> u32 {
        number
    }

    fn id_of(number: u32) -> RequestId {
        RequestId(number)
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

    fn word(&self, key: Key, _: &World) -> Option<&'static str> {
        match key {
            Key::Is => Some(self.is),
            Key::State => Some(self.state.word()),
            Key::Mode => Some(self.mode.word()),
            Key::Attention => Some(self.attention.word()),
            Key::Server
            | Key::Tool
            | Key::Status
            | Key::Outcome
            | Key::Tracking
            | Key::Wire
            | Key::Origin
            | Key::Tag => None,
        }
    }

    fn moment(&self, moment: Moment) -> Option<Timestamp> {
        match moment {
            Moment::Started => Some(self.started_at),
            Moment::Changed => None,
            Moment::Ended => self.ended_at,
            Moment::Expires => self.expires_at,
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn also_called(&self) -> &'static str {
        match self.state {
            RequestState::Open => "needs you",
            RequestState::Held => "can be undone",
            RequestState::Orphaned => "no longer asked",
            RequestState::Unknown => "arrival unknown",
            RequestState::Sending
            | RequestState::Answered
            | RequestState::NotTaken
            | RequestState::Refused
            | RequestState::Closed => "",
        }
    }
}
