//! Tasks for people.

use std::fmt::Write;

use signalbox_api::words::note;
use signalbox_api::{HeadOf, Listing, ResultView, TaskDetail, TaskRow, TimeSpent};
use signalbox_forms::Verdict;
use signalbox_model::{Origin, Outcome, Status, Tag, Timestamp, Tracking};

use super::ending::{ending, error_data, failure, said};
use super::table::{Table, facts};
use super::timeline::timeline;
use super::{Hue, Paint, arguments, sanitise, time, words};
use crate::console::Console;

/// One word for how a task stands: the same vocabulary as in the window.
pub(crate) fn state(row: &TaskRow) -> (Hue, String) {
    if let Some(outcome) = row.outcome {
        return match outcome {
            Outcome::Ok => (Hue::Green, "done".to_owned()),
            Outcome::Cancelled => (Hue::Dim, "cancelled".to_owned()),
            Outcome::ToolError => (Hue::Red, "tool error".to_owned()),
            Outcome::ProtocolError => (Hue::Red, "failed".to_owned()),
            Outcome::Expired | Outcome::Lost => (Hue::Red, words(&outcome)),
            Outcome::Unknown => (Hue::Red, "arrival unknown".to_owned()),
        };
    }
    if row.open_requests > 0 {
        return (Hue::Amber, "needs you".to_owned());
    }
    match row.tracking {
        Tracking::Live | Tracking::Done => {}
        troubled => return (Hue::Red, words(&troubled)),
    }
    if row.cancel.is_some() {
        return (Hue::Plain, "cancel requested".to_owned());
    }
    match (row.status, &row.status_text) {
        // Its questions are answered, no longer asked, or not here yet.
        (Status::InputRequired, _) => (Hue::Plain, "waiting for input".to_owned()),
        (Status::Unknown, Some(text)) => (Hue::Plain, sanitise::line(text)),
        (status, _) => (Hue::Plain, words(&status)),
    }
}

/// The same, and how long it has needed its person.
fn aged(row: &TaskRow, now: Timestamp) -> (Hue, String) {
    let (hue, word) = state(row);
    let waits = row.waiting_since.filter(|_| row.outcome.is_none()).map(|since| now.ms_since(since));
    match waits.and_then(|ms| u64::try_from(ms).ok()) {
        Some(ms @ 1_000..) => (hue, format!("{word}, {}", time::span(ms))),
        _ => (hue, word),
    }
}

/// What the server, or else we, have to say about it.
pub(crate) fn message(row: &TaskRow) -> String {
    let note = row.note.as_ref().map(note);
    let note = note.as_deref();
    let said = row.status_message.as_deref();
    let failed = !matches!(row.outcome, None | Some(Outcome::Ok));
    let troubled = failed || !matches!(row.tracking, Tracking::Live | Tracking::Done);
    let text = if troubled { note.or(said) } else { said.or(note) };
    sanitise::line(text.unwrap_or_default())
}

/// A task list, each group under its head; `narrowed` says that a filter hides others.
pub(crate) fn list(groups: &[(Option<HeadOf>, Vec<TaskRow>)], narrowed: bool, console: &Console) -> String {
    if groups.iter().all(|(_, rows)| rows.is_empty()) {
        return if narrowed { "No task matches this filter.\n".to_owned() } else { table(&[], console) };
    }
    let group = |(head, rows): &(_, Vec<_>)| match head {
        Some(head) => format!("{} ({})\n{}\n", title(head), rows.len(), table(rows, console)),
        None => table(rows, console),
    };
    groups.iter().map(group).collect()
}

/// What stands above the rows of a group.
fn title(of: &HeadOf) -> String {
    match of {
        HeadOf::Server { name, .. } => sanitise::line(name),
        HeadOf::Tool { tool } if tool.is_empty() => "no tool".to_owned(),
        HeadOf::Tool { tool } => sanitise::line(tool),
        HeadOf::Word { word: Some(word), .. } => word.replace('_', " "),
        HeadOf::Word { key, word: None } => format!("no {key}"),
        HeadOf::Day { day } => day.clone(),
    }
}

/// The task list.
pub(crate) fn table(rows: &[TaskRow], console: &Console) -> String {
    if rows.is_empty() {
        return "There are no tasks. `signalbox call SERVER TOOL` starts one.\n".to_owned();
    }
    let now = console.now();
    let mut table = Table::new(["ID", "SERVER", "TOOL", "STATE", "STARTED", "MESSAGE"]);
    for row in rows {
        table.row([
            (Hue::Plain, row.id.to_string()),
            (Hue::Plain, sanitise::line(&row.server_name)),
            (Hue::Plain, tool(row)),
            aged(row, now),
            (Hue::Dim, time::relative(row.created_at, now)),
            (Hue::Plain, message(row)),
        ]);
    }
    table.render(console.width(), console.paint())
}

/// What a server lists and nobody follows.
pub(crate) fn listing(listing: &Listing, console: &Console) -> String {
    let mut text = String::new();
    if listing.tasks.is_empty() {
        text.push_str("All tasks that the server lists are followed already.\n");
    } else {
        let mut table = Table::new(["  TASK ID", "STATUS", "STARTED", "MESSAGE"]);
        for task in &listing.tasks {
            let started = task.created_at.map(|at| time::relative(at, console.now())).unwrap_or_default();
            table.row([
                (Hue::Plain, sanitise::first(&task.task_id)),
                (Hue::Plain, words(&task.status)),
                (Hue::Dim, started),
                (Hue::Plain, sanitise::line(task.status_message.as_deref().unwrap_or_default())),
            ]);
        }
        text.push_str(&table.render(console.width(), console.paint()));
    }
    if !listing.complete {
        text.push_str("There are more tasks than could be read at once.\n");
    }
    text
}

fn tool(row: &TaskRow) -> String {
    if row.tool.is_empty() { "(adopted)".to_owned() } else { sanitise::line(&row.tool) }
}

/// One line for one change.
pub(crate) fn change(row: &TaskRow, paint: Paint) -> String {
    let mut line = head(row, paint);
    let message = message(row);
    if !message.is_empty() {
        let _ = write!(line, "  {message}");
    }
    line
}

/// Which task it is, and how it stands.
fn head(row: &TaskRow, paint: Paint) -> String {
    let (hue, word) = state(row);
    format!("{}  {} · {}  {}", row.id, sanitise::line(&row.server_name), tool(row), paint.on(hue, &word))
}

/// What became of a wish to cancel that was granted.
pub(crate) fn cancelled(row: &TaskRow) -> &'static str {
    match &row.cancel {
        Some(wish) if wish.acknowledged_at.is_some() => "The server has the request to cancel.",
        _ if row.has_task => "The server has cancelled the task.",
        _ => "The call is given up. Nobody waits for its answer any more.",
    }
}

/// All about a task.
pub(crate) fn detail(detail: &TaskDetail, console: &Console) -> String {
    let paint = console.paint();
    let failed = failure(detail).is_some();
    let first = if failed { head(&detail.row, paint) } else { change(&detail.row, paint) };
    let mut text = format!("{first}\n{}", ending(detail));
    text.push_str(&known(detail, console.now()));
    text.push_str(&questions(detail, paint));
    text.push_str("timeline\n");
    text.push_str(&timeline(&detail.timeline, &said(detail)));
    for payload in &detail.payloads {
        if let Some(fault) = &payload.fault {
            let place = paint.on(Hue::Red, &format!("{} cannot be shown", words(&payload.kind)));
            let _ = writeln!(text, "{place}  {}", sanitise::line(&fault.message));
        }
    }
    text.push_str(&came_of_it(detail, paint));
    text
}

/// What is known of it in a word or a line each.
fn known(detail: &TaskDetail, now: Timestamp) -> String {
    let row = &detail.row;
    let at = |at: Timestamp| time::both(at, now);
    let ms = |ms: i64| u64::try_from(ms).map_or_else(|_| format!("{ms} ms"), time::exactly);
    let (begun, by) = match row.origin {
        Origin::Started => ("started", "you"),
        Origin::Adopted => ("adopted", "elsewhere"),
    };
    let before = [
        ("place", Some(sanitise::line(&detail.place))),
        ("wire", row.wire.as_ref().map(words)),
        ("task id", detail.task_id.as_deref().map(sanitise::line)),
    ];
    // Of what failed all this is said above.
    let open = failure(detail).is_none();
    let status = row.status_text.as_deref().map(sanitise::line);
    let percent = row.progress.map(|progress| format!("{}, as its server reports", part(progress.fraction)));
    let after = [
        ("status", status.or_else(|| open.then(|| words(&row.status)))),
        ("progress", percent),
        ("outcome", row.outcome.as_ref().filter(|_| open).map(words)),
        ("tracking", open.then(|| words(&row.tracking))),
        ("because", row.note.as_ref().filter(|_| open).map(|why| sanitise::line(&note(why)))),
        (begun, Some(at(row.created_at))),
        ("started by", Some(by.to_owned())),
        ("changed", Some(at(row.seen_at))),
        ("ended", row.ended_at.map(at)),
        ("expires", row.expires_at.filter(|_| row.outcome.is_none()).map(at)),
        // Looks that bring nothing new write nothing: of a time that has passed nobody can tell here which came after it.
        ("next poll", row.next_poll_at.filter(|next| row.outcome.is_none() && *next > now).map(at)),
        ("polls every", detail.poll_interval_ms.map(ms)),
        ("lives", detail.ttl_ms.map(ms).or(detail.unlimited.then(|| "without limit".to_owned()))),
    ];
    let arguments = arguments::rows(detail.arguments.as_ref());
    let all = before.into_iter().chain(arguments).chain(after).chain(spent(detail, now));
    facts(all.chain(own(detail)))
}

/// What its person put on it and noted.
fn own(detail: &TaskDetail) -> [(&'static str, Option<String>); 2] {
    let tags: Vec<&str> = detail.row.tags.iter().map(Tag::as_str).collect();
    let note = detail.remark.as_deref().map(sanitise::line);
    [("tags", (!tags.is_empty()).then(|| tags.join(" "))), ("your note", note)]
}

/// How long it worked, and how long it waited for a person.
fn spent(detail: &TaskDetail, now: Timestamp) -> [(&'static str, Option<String>); 3] {
    let TimeSpent { working, waiting, unseen } = TimeSpent::of(&detail.stretches, now);
    let some = |ms: u64| (ms > 0).then(|| time::length(ms));
    [
        ("worked", some(working)),
        ("waited", some(waiting).map(|length| format!("{length} for a person"))),
        (
            "not known",
            some(unseen).map(|length| format!("{length}, since the timeline has lost its beginning")),
        ),
    ]
}

/// Its questions, and how many there are besides. Empty where it has none.
fn questions(detail: &TaskDetail, paint: Paint) -> String {
    if detail.requests.is_empty() {
        return String::new();
    }
    let mut text = "questions\n".to_owned();
    for request in &detail.requests {
        let _ = writeln!(text, "  {}", super::request::change(request, paint));
    }
    for (more, which) in [
        (detail.requests_more, "not over: `signalbox inbox`"),
        (detail.requests_closed_more, "already over: `signalbox inbox --all`"),
    ] {
        if more > 0 {
            let _ = writeln!(text, "  and {more} more {which}");
        }
    }
    text
}

/// What else of it can be asked for, once it has ended: the result by itself, and what differs from the run before.
pub(crate) fn hint(detail: &TaskDetail) -> Option<String> {
    let id = detail.row.id;
    let alone =
        detail.result.as_ref().map(|_| format!("`signalbox show {id} --result` gives the result alone."));
    let compared =
        detail.run_before.map(|run| format!("`signalbox diff {id}` compares it with {run}, the run before."));
    let said: Vec<_> = alone.into_iter().chain(compared).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// What came of it, and what is wrong with that. Empty while nothing did.
fn came_of_it(detail: &TaskDetail, paint: Paint) -> String {
    let mut text = String::new();
    let (what, end) = match (error_data(detail), &detail.error) {
        (Some(data), _) => ("error data", sanitise::lines(data)),
        (None, Some(_)) => ("error", end(detail)),
        (None, None) => ("result", end(detail)),
    };
    if !end.is_empty() {
        let _ = write!(text, "{what}\n{}", marked(&end));
    }
    let Some(result) = &detail.result else { return text };
    text.push_str(&super::result::structured(result));
    if let Some(misfit) = misfit(result) {
        let _ = writeln!(text, "{}", paint.on(Hue::Red, &sanitise::line(&misfit)));
    }
    text
}

/// What is wrong with a result that is not what its tool promises, or that cannot be compared with it.
pub(crate) fn misfit(result: &ResultView) -> Option<String> {
    match result.output.as_ref()? {
        Verdict::Valid => None,
        Verdict::Invalid { errors } => {
            let place = |path: &str| if path.is_empty() { String::new() } else { format!("{path}: ") };
            let errors: Vec<_> =
                errors.iter().map(|error| format!("{}{}", place(&error.path), error.message)).collect();
            let what = errors.join("; ");
            Some(format!(
                "The result does not fit the tool's outputSchema, as the server last listed it: {what}"
            ))
        }
        Verdict::Unchecked { why } => {
            Some(format!("The result could not be checked against the tool's outputSchema. {}", why.text()))
        }
    }
}

/// Lines of a server, each marked as that.
pub(crate) fn marked(lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("{}\n", sanitise::quoted(lines)) }
}

/// What came of it: the result's texts, or the error as JSON. Empty while there is neither.
pub(crate) fn end(detail: &TaskDetail) -> String {
    match (&detail.result, &detail.error) {
        (Some(result), _) => super::result::content(result),
        (None, Some(error)) => format!("{}\n", sanitise::lines(error.text())),
        (None, None) => String::new(),
    }
}

/// `42 %` of a part between 0 and 1. Only the whole is 100 %, and only nothing is 0 %.
pub(crate) fn part(part: f64) -> String {
    /// What a division by 100 may have lost.
    const SLACK: f64 = 1e-9;
    let whole = (part.clamp(0.0, 1.0) * 100.0 + SLACK).floor();
    if whole < 1.0 && part > 0.0 { "under 1 %".to_owned() } else { format!("{whole} %") }
}
