//! Input requests as narrow rows.

use signalbox_model::{CallId, Mode, RequestId, RequestLine, RequestState, ServerId, Timestamp, Word};

use crate::{Key, Line, Moment, Tool, World, fold};

/// What a list must know of an input request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NarrowRequest {
    id: RequestId,
    changed: u64,
    server: ServerId,
    call: Option<CallId>,
    tool: Tool,
    mode: Mode,
    state: RequestState,
    is: &'static str,
    started_at: Timestamp,
    expires_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    text: Box<str>,
}

impl NarrowRequest {
    /// What a list must know of this input request, which transaction `changed` was the last to change. Its call's `tool` and
    /// `summary` are empty where it has none.
    pub fn new(
        request: &RequestLine,
        changed: u64,
        (tool, summary): (&str, &str),
        expires_at: Option<Timestamp>,
        world: &mut World,
    ) -> Self {
        let is = is(request);
        let over = is == "over";
        Self {
            id: request.id,
            changed,
            server: request.server,
            call: request.call,
            tool: world.tool(tool),
            mode: request.mode,
            state: request.state,
            is,
            started_at: request.opened_at,
            expires_at: expires_at.filter(|_| !over),
            ended_at: request.closed_at.filter(|_| over),
            text: fold::beginnings(&[&request.message, summary]),
        }
    }

    /// The call that it is asked for.
    #[must_use]
    pub fn call(&self) -> Option<CallId> {
        self.call
    }
}

fn is(request: &RequestLine) -> &'static str {
    match request.state {
        _ if request.stranded() => "stranded",
        RequestState::Held | RequestState::Sending => "on_the_way",
        RequestState::Answered | RequestState::Closed => "over",
        RequestState::Open
        | RequestState::NotTaken
        | RequestState::Refused
        | RequestState::Orphaned
        | RequestState::Unknown => "needs_you",
    }
}

impl Line for NarrowRequest {
    type Id = RequestId;

    const WORDS: &'static [(Key, &'static [&'static str])] = &[
        (Key::Is, &["needs_you", "on_the_way", "stranded", "over"]),
        (Key::State, RequestState::WORDS),
        (Key::Mode, Mode::WORDS),
    ];

    const MOMENTS: &'static [Moment] = &[Moment::Ended, Moment::Expires];

    const OFTEN: &'static [&'static str] = &["is:needs_you", "left<10m", "age>1h", "ended:today"];

    fn id(&self) -> RequestId {
        self.id
    }

    fn number(&self) -> u32 {
        self.id.0
    }

    fn changed(&self) -> u64 {
        self.changed
    }

    fn server(&self) -> ServerId {
        self.server
    }

    fn tool(&self) -> Tool {
        self.tool
    }

    fn word(&self, key: Key, _: &World) -> Option<&'static str> {
        match key {
            Key::Is => Some(self.is),
            Key::State => Some(self.state.word()),
            Key::Mode => Some(self.mode.word()),
            Key::Server | Key::Tool | Key::Status | Key::Outcome | Key::Tracking | Key::Wire => None,
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
        ""
    }
}
