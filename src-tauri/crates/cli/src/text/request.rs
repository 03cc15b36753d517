//! Questions for people.

use signalbox_api::words::note;
use signalbox_api::{RequestDetail, RequestRow};
use signalbox_model::{
    Actor, Attention, CloseReason, Mode, ROOTS, RequestState, SAMPLING, Snooze, Timestamp, Word,
};

use super::answered::{content, decided_by, secrets};
use super::table::{Table, facts};
use super::{Hue, Paint, arguments, page, sanitise, time, words};
use crate::console::Console;

/// One word for where a question stands.
fn state(row: &RequestRow) -> (Hue, String) {
    let is_out = row.answer.as_ref().is_some_and(|answer| answer.sent_at.is_some());
    let word = match (row.state, row.reason) {
        (RequestState::Closed, Some(reason)) => words(&reason),
        // For the rest of its round, or for its server.
        (RequestState::Sending, _) if !is_out => "waits to be sent".to_owned(),
        _ if row.attention == Attention::Snoozed => "snoozed".to_owned(),
        (RequestState::Open, _) if row.attention == Attention::Expiring => "expires soon".to_owned(),
        (state, _) => words(&state),
    };
    let hue = match row.state {
        _ if row.stranded || row.attention == Attention::Snoozed => Hue::Dim,
        RequestState::Open | RequestState::NotTaken | RequestState::Refused | RequestState::Unknown => {
            Hue::Amber
        }
        RequestState::Answered => Hue::Green,
        RequestState::Held | RequestState::Sending => Hue::Plain,
        RequestState::Closed | RequestState::Orphaned => Hue::Dim,
    };
    (hue, word)
}

/// What is asked, in a line.
pub(crate) fn title(row: &RequestRow) -> String {
    match (row.method.as_str(), row.decided_by) {
        (SAMPLING, _) => format!("Wants a model's answer: {}", sanitise::line(&row.message)),
        (ROOTS, Some(Actor::Signalbox)) => "Signalbox said which folders it may see".to_owned(),
        (ROOTS, _) => "Wants to know which folders it may see".to_owned(),
        _ if row.message.is_empty() => format!("({})", sanitise::line(&row.method)),
        _ => sanitise::line(&row.message),
    }
}

/// The inbox: what nobody waits for any more comes last. `none` is said where a tab or a filter shows nothing.
pub(crate) fn inbox(rows: &[RequestRow], none: Option<&str>, console: &Console) -> String {
    if let Some(none) = none.filter(|_| rows.is_empty()) {
        return format!("{none}\n");
    }
    let (stranded, waiting): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(|row| row.stranded);
    let mut text = match waiting.as_slice() {
        [] if none.is_some() => String::new(),
        [] => "Nothing waits for you.\n".to_owned(),
        waiting => table(waiting, console),
    };
    if !stranded.is_empty() {
        text.push_str(
            "\nNo longer asked; `signalbox show` tells more, `signalbox put-away` puts one away:\n",
        );
        text.push_str(&table(&stranded, console));
    }
    text
}

fn table(rows: &[RequestRow], console: &Console) -> String {
    let now = console.now();
    let mut table = Table::new(["ID", "TASK", "SERVER", "TOOL", "STATE", "SINCE", "QUESTION"]);
    for row in rows {
        table.row([
            (Hue::Plain, row.id.to_string()),
            (Hue::Plain, row.call.map(|call| call.to_string()).unwrap_or_default()),
            (Hue::Plain, sanitise::line(&row.server_name)),
            (Hue::Plain, sanitise::line(&row.tool)),
            state(row),
            (Hue::Dim, time::relative(row.opened_at, now)),
            (Hue::Plain, title(row)),
        ]);
    }
    table.render(console.width(), console.paint())
}

/// One line for one change.
pub(crate) fn change(row: &RequestRow, paint: Paint) -> String {
    let (hue, word) = state(row);
    let task = row.call.map(|call| format!(" ({call})")).unwrap_or_default();
    let server = sanitise::line(&row.server_name);
    format!("{}{task}  {server}  {}  {}", row.id, paint.on(hue, &word), title(row))
}

/// All about a question.
pub(crate) fn detail(detail: &RequestDetail, console: &Console) -> String {
    let (row, now) = (&detail.row, console.now());
    let answer = row.answer.as_ref();
    let mut text = format!("{}\n", change(row, console.paint()));
    let before = [
        ("place", Some(sanitise::line(&detail.place))),
        ("tool", Some(sanitise::line(&row.tool)).filter(|tool| !tool.is_empty())),
    ];
    let after = [
        ("method", Some(sanitise::line(&row.method))),
        ("asked", Some(time::both(row.opened_at, now))),
        ("closed", row.closed_at.map(|at| time::both(at, now))),
        ("expires", row.expires_at.filter(|_| row.closed_at.is_none()).map(|at| time::both(at, now))),
        ("snoozed", row.snoozed.map(|until| snoozed(until, row.returns_at, now))),
        ("answer", answer.map(|answer| answer.action.word().to_owned())),
        ("decided by", row.decided_by.map(|by| decided_by(by).to_owned())),
        ("content", answer.and_then(|a| a.content.as_ref()).map(|json| sanitise::line(json.text()))),
        ("secrets", secrets(detail)),
        ("your note", answer.and_then(|a| a.remark.as_ref()).map(|remark| sanitise::line(remark))),
        ("refusal", answer.and_then(|a| a.refusal.as_ref()).map(|why| sanitise::line(&note(why)))),
        ("url", detail.url.as_ref().map(|url| sanitise::line(&url.full))),
        ("agreed to", page::agreed_to(detail)),
        ("page", page::opened(detail, now)),
        ("draft", detail.draft.as_ref().map(|json| sanitise::line(json.text()))),
        ("note", remark(detail)),
        ("schema", detail.schema.as_ref().map(|json| sanitise::line(json.text()))),
        ("not checked", unchecked(detail)),
    ];
    let arguments = arguments::rows(detail.arguments.as_ref());
    text.push_str(&facts(before.into_iter().chain(arguments).chain(after)));
    let known = page::facts(detail);
    if !known.is_empty() {
        text.push_str("About the page that it names:\n");
        known.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    if let Some(sampling) = &detail.sampling {
        text.push_str("It would ask a model:\n");
        for line in super::sampling::lines(sampling) {
            text.push_str(&format!("  │ {line}\n"));
        }
    }
    for line in super::ways::possible(detail) {
        text.push_str(&format!("{line}\n"));
    }
    text
}

/// Until when a question was put off, in words.
pub(crate) fn snoozed(until: Snooze, returns_at: Option<Timestamp>, now: Timestamp) -> String {
    let at = returns_at.map(|at| time::both(at, now));
    match (until, at) {
        (Snooze::Change, Some(at)) => format!("until its task changes, at the latest {at}"),
        (Snooze::Change, None) => "until its task changes".to_owned(),
        (_, Some(at)) => format!("comes back {at}"),
        (_, None) => "until shortly before it expires".to_owned(),
    }
}

/// What the one word for its state leaves open.
fn remark(detail: &RequestDetail) -> Option<String> {
    match (detail.row.state, detail.row.reason) {
        (_, Some(CloseReason::Lapsed)) => {
            let but = if detail.form.as_ref().is_some_and(|form| form.secret) { BUT_SECRETS } else { "" };
            Some(format!("{LAPSED}{but}"))
        }
        (RequestState::NotTaken, _) => Some(NOT_TAKEN.to_owned()),
        _ => None,
    }
}

/// No draft has a secret: of an answer that had some the rest is left.
pub(crate) const BUT_SECRETS: &str = ", but for secrets";

/// Why an answer counts as not taken.
const NOT_TAKEN: &str = "not taken: the server acknowledged the answer, and several polls later it still asks. It may not have understood \
                         it, or need more time. `signalbox answer … --again` sends another answer";

/// Why a question is open again.
const LAPSED: &str = "the answer was not sent, because Signalbox was closed or not running when it was due. It is the draft now";

/// Of an answer that its server may have got: what it was, and that another may be the second that the server gets. None where
/// there is no such answer.
pub(crate) fn may_be_second(row: &RequestRow) -> Option<String> {
    let known = match row.state {
        RequestState::Unknown => "it is not known whether it arrived",
        // To agree to a page again says nothing new.
        RequestState::NotTaken if row.mode != Mode::Url => "the server acknowledged it but still asks",
        _ => return None,
    };
    let answer = row.answer.as_ref()?;
    let content = content(answer);
    let action = answer.action.word();
    Some(format!("{} has an answer already ({action}{content}), and {known}: the server may get two", row.id))
}

/// What stands before [`unchecked`] where it is said by itself.
pub(crate) const UNCHECKED: &str =
    "Not all of the schema can be checked here. The server decides on the rest:";

/// What of a question's schema is not understood: the server decides on that. None when all of it is.
pub(crate) fn unchecked(detail: &RequestDetail) -> Option<String> {
    let troubles = detail.form.as_ref()?.troubles();
    (!troubles.is_empty()).then(|| sanitise::line(&troubles.join("; ")))
}
