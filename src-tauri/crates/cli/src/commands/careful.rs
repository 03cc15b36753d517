//! What is refused before an answer goes, and what takes a second word from its person.

use std::time::Duration;

use signalbox_api::{ApiError, Code, DeskExt as _, Detail, RequestDetail, command};
use signalbox_model::{Action, Timestamp};

use super::Context;
use crate::{ask, console::Console, text, text::sanitise};

/// How long an answer waits for a server to list its tools.
const LISTING: Duration = Duration::from_secs(10);

/// Refuses what cannot be said to this question, before anybody is asked for more.
pub(super) fn possible(
    detail: &RequestDetail,
    action: Action,
    again: bool,
    now: Timestamp,
) -> Result<(), ApiError> {
    let (id, ways) = (detail.row.id, detail.ways);
    if let Some(settled) = ways.settled {
        let message = text::ways::settled(detail, settled, again, now);
        let stands = detail.row.answer.as_ref().map(Detail::from);
        return Err(ApiError { detail: stands, ..ApiError::new(Code::AlreadyClosed, message) });
    }
    let why = match action {
        Action::Accept if ways.accept.is_none() => {
            "Signalbox does not know how to accept this; --decline is possible"
        }
        Action::Cancel if ways.dismiss.is_none() => "this cannot be dismissed; --decline is possible",
        _ => return Ok(()),
    };
    Err(ApiError::new(Code::NotPossible, format!("{id} cannot be answered like this: {why}")))
}

/// Refuses what may be a second answer unless that is wanted: whoever answers may have seen the question unanswered.
pub(super) fn once(detail: &RequestDetail, is_wanted: bool) -> Result<(), ApiError> {
    match text::request::may_be_second(&detail.row).filter(|_| !is_wanted) {
        None => Ok(()),
        Some(why) => {
            let message = format!(
                "{why}. `signalbox show {}` tells more; --again sends another answer all the same",
                detail.row.id
            );
            let error = ApiError::new(Code::AnsweredMeanwhile, message);
            Err(ApiError { detail: detail.row.answer.as_ref().map(Detail::from), ..error })
        }
    }
}

/// Refuses to agree to a page that its task asks for again and again, unless that is wanted: the person at the terminal, or
/// `--again`, says so a second time.
pub(super) async fn once_more(
    context: &Context<'_>,
    detail: &RequestDetail,
    action: Action,
    is_wanted: bool,
) -> Result<(), ApiError> {
    let often = text::page::asked_too_often(detail).filter(|_| action == Action::Accept && !is_wanted);
    let Some(often) = often else { return Ok(()) };
    let why = format!("{}: {often}", detail.row.id);
    said_twice(context, &why, ask::agrees_again, "--again agrees to it").await
}

/// Refuses a yes that a tool gets which says that it may destroy something, or of which nobody could learn whether it does,
/// unless that is wanted: the person at the terminal, or `--destructive`, says so a second time.
pub(super) async fn destroys(
    context: &Context<'_>,
    detail: &RequestDetail,
    action: Action,
    is_wanted: bool,
) -> Result<(), ApiError> {
    if action != Action::Accept || is_wanted {
        return Ok(());
    }
    let Some(why) = caution(context, detail).await else { return Ok(()) };
    let why = format!("{}: {why}", detail.row.id);
    said_twice(context, &why, ask::accepts_still, "--destructive accepts it").await
}

/// Why a yes takes a second word; none where it takes none. A server that has not listed the tool yet is asked. Where it cannot
/// be, nobody knows whether the tool is harmless.
pub(super) async fn caution(context: &Context<'_>, detail: &RequestDetail) -> Option<String> {
    if detail.destructive {
        return Some(text::DESTROYS.to_owned());
    }
    if !detail.unlisted {
        return None;
    }
    let ask = command::Tool { server: detail.row.server.to_string(), tool: detail.row.tool.clone() };
    let unknown = |why: &str| Some(format!("{} ({})", text::MAY_DESTROY, sanitise::line(why)));
    match tokio::time::timeout(LISTING, context.desk.act(ask)).await {
        Ok(Ok(tool)) => tool.destructive.then(|| text::DESTROYS.to_owned()),
        // A tool that its server does not list says nothing.
        Ok(Err(error)) if error.code == Code::UnknownTool => None,
        Ok(Err(error)) => unknown(error.message.trim_end_matches('.')),
        Err(_) => unknown("its server has not answered yet"),
    }
}

/// Asks the person at the terminal a second time. Where there is none, or they do not want to, an error says what else would do.
async fn said_twice(
    context: &Context<'_>,
    why: &str,
    is_wanted: impl AsyncFnOnce(&Console) -> bool,
    instead: &str,
) -> Result<(), ApiError> {
    if context.console.has_person() {
        context.console.say(&format!("{why}."));
        if is_wanted(context.console).await {
            return Ok(());
        }
    }
    let message = format!("{why}. Nothing was sent; {instead} all the same");
    Err(ApiError::new(Code::InputNeeded, message))
}
