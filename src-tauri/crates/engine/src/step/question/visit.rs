//! Pages that people open (URL mode). Opening one is the consent, where it is what accepts the question.

use signalbox_model::{Accept, Action, Around, InputRequest, Mode, RequestState, Timestamp, Ways};
use signalbox_store::Digest;
use url::Url;

use super::{super::Turn, Question, wording::still_asks};
use crate::Refusal;

/// A browser is being started for a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    /// Since when the page may have been open already; none where it was never opened.
    before: Option<Timestamp>,
}

/// What it means that a page has opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::step) enum Opening {
    /// The person agrees, and that is the answer.
    Agrees,
    /// The person sees it, and nothing is answered.
    Shows,
}

/// The page that a person is about to open, as its browser is started with it. The person saw this decision (`seen`) on what
/// it asked then.
pub(in crate::step) fn page_to_open(
    question: &Question,
    seen: Option<Timestamp>,
    asks: Option<Digest>,
) -> Result<String, Refusal> {
    still_asks(question, asks)?;
    let request = &question.request;
    let accepts = can_be_accepted(request);
    if !(accepts || was_accepted(request)) {
        return Err(if request.mode == Mode::Url { Refusal::Closed } else { Refusal::NoPage });
    }
    if accepts && request.decided_at() != seen {
        return Err(Refusal::AnsweredMeanwhile);
    }
    page(request)
}

/// From now on its page may be open, whatever becomes of us.
pub(in crate::step) fn begin_visit(question: &mut Question, turn: &mut Turn<'_>) {
    question.visit = Some(Visit { before: question.request.visiting_at });
    question.request.visiting_at = Some(turn.now.wall);
    turn.keep(&question.request);
}

/// What it means that its page has opened. `unanswered`: its call is made again without an answer to it.
pub(in crate::step) fn opening(request: &InputRequest, unanswered: bool) -> Result<Opening, Refusal> {
    let accepts = can_be_accepted(request);
    if !accepts && !was_accepted(request) {
        return Err(Refusal::Closed);
    }
    if !accepts || unanswered {
        return Ok(Opening::Shows);
    }
    // Without a visit it asks for another page meanwhile, which nobody has agreed to.
    request.visiting_at.map(|_| Opening::Agrees).ok_or(Refusal::Closed)
}

impl Visit {
    /// The browser did not start: the page is as open as it was before. False where it asks for another page meanwhile.
    pub(in crate::step) fn did_not_open(self, request: &mut InputRequest) -> bool {
        let is_under_way = request.visiting_at.is_some();
        if is_under_way {
            request.visiting_at = self.before;
        }
        is_under_way
    }
}

/// Whether opening its page is what accepts it.
fn can_be_accepted(request: &InputRequest) -> bool {
    Ways::of(request, Around::default()).accept == Some(Accept::Page)
}

/// Whether its page was agreed to: then it can be opened again.
fn was_accepted(request: &InputRequest) -> bool {
    let state =
        matches!(request.state, RequestState::Sending | RequestState::Answered | RequestState::Unknown);
    let accepted = request.answer.as_ref().is_some_and(|answer| answer.action == Action::Accept);
    request.mode == Mode::Url && state && accepted
}

/// The address as a browser is started with it. Other schemes start other programs, or read files.
fn page(request: &InputRequest) -> Result<String, Refusal> {
    let url = Url::parse(request.url.as_deref().ok_or(Refusal::NoPage)?).ok();
    let page = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    page.map(String::from).ok_or(Refusal::NotOfTheWeb)
}
