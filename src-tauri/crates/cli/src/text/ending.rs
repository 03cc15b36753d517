//! How a task ended, said once, with what can be done about it: as the window does.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use signalbox_api::words::note;
use signalbox_api::{ContentPart, TaskDetail};
use signalbox_model::{CallId, Outcome};

use super::{sanitise, words};

/// The outcome of one that has ended and brought no result.
pub(super) fn failure(detail: &TaskDetail) -> Option<Outcome> {
    detail.row.outcome.filter(|outcome| *outcome != Outcome::Ok)
}

/// Why it brought none, and what can be done, each on a line of its own. Empty for all others.
pub(super) fn ending(detail: &TaskDetail) -> String {
    let Some(outcome) = failure(detail) else { return String::new() };
    let why = why(detail).unwrap_or_else(|| means(outcome).to_owned());
    let message = detail.row.status_message.as_ref();
    let message = message.filter(|said| !why.contains(said.as_str()) && !returned(detail, said));
    let advice = advice(outcome, Some(detail.row.id).filter(|_| !detail.row.tool.is_empty()));
    let lines = [Some(&why), message, advice.as_ref()].into_iter().flatten();
    lines.map(|line| format!("  {}\n", sanitise::line(line))).collect()
}

/// What is known of this very task, which says more than its outcome in general; none where its result says it.
fn why(detail: &TaskDetail) -> Option<String> {
    detail.row.note.as_ref().map(note).filter(|why| !returned(detail, why))
}

fn returned(detail: &TaskDetail, said: &str) -> bool {
    let parts = detail.result.iter().flat_map(|result| &result.content);
    parts.into_iter().any(|part| matches!(part, ContentPart::Text { text, .. } if text.contains(said)))
}

/// What a timeline need not say again, since it stands above or below it.
pub(super) fn said(detail: &TaskDetail) -> Vec<String> {
    if failure(detail).is_none() {
        return Vec::new();
    }
    let row = &detail.row;
    let all = [row.note.as_ref().map(note), row.status_message.clone(), Some(words(&row.status))];
    all.into_iter().flatten().collect()
}

/// What an error has besides the code and the message that are said above, as JSON; empty where it has nothing more. None where
/// they are not said, or where there is no error.
pub(super) fn error_data(detail: &TaskDetail) -> Option<&str> {
    let (why, error) = (why(detail)?, detail.error.as_ref()?);
    let mut members: BTreeMap<String, &RawValue> = error.read().ok()?;
    let (code, message) = (members.remove("code")?, members.remove("message")?);
    let is_said =
        why.contains(code.get()) && why.contains(&serde_json::from_str::<String>(message.get()).ok()?);
    let data = members.remove("data").map_or("", RawValue::get);
    (is_said && members.is_empty()).then_some(data)
}

fn means(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "The tool returned a result.",
        Outcome::ToolError => "The tool ran and reported an error.",
        Outcome::ProtocolError => {
            "The server answered with an error, or its answer breaks the specification."
        }
        Outcome::Cancelled => "It was cancelled.",
        Outcome::Expired => "Its time to live ran out before there was a result.",
        Outcome::Lost => "The server no longer knows it.",
        Outcome::Unknown => {
            "The call was sent, but Signalbox does not know whether it arrived. It is never sent again by itself."
        }
    }
}

/// What can be done. `again`: what can be run again, which nobody can whose tool is not known.
fn advice(outcome: Outcome, again: Option<CallId>) -> Option<String> {
    let run = again.map(|id| format!("`signalbox again {id}`"));
    Some(match (outcome, run) {
        (Outcome::Ok | Outcome::Cancelled, _) | (Outcome::Expired, None) => return None,
        (Outcome::ToolError, None) => "Read what the tool says below.".to_owned(),
        (Outcome::ToolError, Some(_)) => {
            let other = again.map(|id| format!("`signalbox again {id} --args JSON`")).unwrap_or_default();
            format!("Read what the tool says below, then run it again with other arguments: {other}")
        }
        (Outcome::ProtocolError, None) => "Tell whoever runs the server.".to_owned(),
        (Outcome::ProtocolError, Some(run)) => {
            format!("Run it again: {run}. If that fails, too, tell whoever runs the server.")
        }
        (Outcome::Expired, Some(run)) => format!("Run it again if you still want its result: {run}"),
        (Outcome::Lost, None) => "Check on the server what became of it.".to_owned(),
        (Outcome::Lost, Some(run)) => {
            format!("Check on the server what became of it before you run it again: {run}")
        }
        (Outcome::Unknown, None) => "Check on the server whether it ran.".to_owned(),
        (Outcome::Unknown, Some(run)) => {
            format!("Check on the server whether it ran before you run it again: {run}")
        }
    })
}
