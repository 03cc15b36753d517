//! Pages that people open (URL mode).

use signalbox_model::{Accept, Action, Around, InputRequest, Mode, RequestState, Ways};
use url::Url;

use crate::Refusal;

/// Whether opening its page is what accepts it.
pub(in crate::step) fn can_be_accepted(request: &InputRequest) -> bool {
    Ways::of(request, Around::default()).accept == Some(Accept::Page)
}

/// Whether its page was agreed to: then it can be opened again.
pub(in crate::step) fn was_accepted(request: &InputRequest) -> bool {
    let state =
        matches!(request.state, RequestState::Sending | RequestState::Answered | RequestState::Unknown);
    let accepted = request.answer.as_ref().is_some_and(|answer| answer.action == Action::Accept);
    request.mode == Mode::Url && state && accepted
}

/// The address as a browser is started with it. Other schemes start other programs, or read files.
pub(in crate::step) fn page(request: &InputRequest) -> Result<String, Refusal> {
    let url = Url::parse(request.url.as_deref().ok_or(Refusal::NoPage)?).ok();
    let page = url.filter(|url| matches!(url.scheme(), "http" | "https"));
    page.map(String::from).ok_or(Refusal::NotOfTheWeb)
}
