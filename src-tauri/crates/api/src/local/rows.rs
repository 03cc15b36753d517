//! Records of the store as rows for hosts.

use signalbox_model::{
    Attention, Call, Json, ProgressReport, Push, RequestLine, Server, Tags, Timestamp, Tracking,
};
use signalbox_signin::oauth::AccountState;
use signalbox_store::{AllCounts, ServerCounts};

use crate::{Counts, Progress, RequestRow, ServerView, SignedIn, TabCounts, TaskGroup, TaskRow, url};

pub(super) fn count(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

pub(super) fn counts(own: &ServerCounts) -> Counts {
    Counts { needs_you: count(own.needs_you), working: count(own.working), ended: count(own.ended) }
}

pub(super) fn tabs(all: &AllCounts, arrived: u32) -> TabCounts {
    TabCounts {
        needs_you: count(all.needs_you),
        expiring: count(all.expiring),
        snoozed: count(all.snoozed),
        answered: count(all.stranded + all.settled),
        no_longer_asked: count(all.stranded),
        arrived,
    }
}

pub(super) fn sum(a: Counts, b: Counts) -> Counts {
    Counts { needs_you: a.needs_you + b.needs_you, working: a.working + b.working, ended: a.ended + b.ended }
}

pub(super) fn server(
    server: Server,
    demo: bool,
    heard_at: Option<Timestamp>,
    push: Option<Push>,
    signed_in: Option<&AccountState>,
    tools: Option<u32>,
    tasks: Counts,
) -> ServerView {
    let signed_in = signed_in
        .map(|standing| SignedIn { issuer: standing.issuer.clone(), scopes: standing.scopes.clone() });
    ServerView {
        demo,
        inbox: 0,
        connecting_since: None,
        withheld: None,
        left_out: None,
        id: server.id,
        place: server.place(),
        name: server.name,
        transport: server.transport,
        access: server.access,
        enabled: server.enabled,
        trusted: server.trusted,
        health: server.health,
        // The row may be newer, where something else was written of the server; or from the last run.
        heard_at: heard_at.max(server.heard_at),
        wire: server.wire,
        protocol_version: server.protocol_version,
        peer: server.peer,
        capabilities: server.capabilities,
        supports_tasks: server.tasks,
        roots: server.roots,
        push,
        signed_in,
        tools,
        tasks,
    }
}

pub(super) fn task(call: Call, server: &Server, tags: Tags) -> TaskRow {
    let tracking = tracking(&call, server);
    let group = if call.ended() {
        TaskGroup::Ended
    } else if call.needs_person() {
        TaskGroup::NeedsYou
    } else {
        TaskGroup::Working
    };
    let seen_at = call.task.as_ref().map_or(call.created_at, |task| task.seen_at);
    let has_task = call.task.is_some();
    let (status_message, expires_at) =
        call.task.map_or((None, None), |task| (task.status_message, task.expires_at));
    TaskRow {
        id: call.id,
        server: call.server,
        server_name: server.name.clone(),
        group,
        wire: call.wire,
        origin: call.origin,
        tool: call.tool,
        summary: call.summary,
        has_task,
        status: call.status,
        status_text: call.status_text,
        outcome: call.outcome,
        tracking,
        note: call.note,
        progress: call
            .progress
            .as_ref()
            .and_then(reported)
            .or_else(|| status_message.as_deref().and_then(progress)),
        status_message,
        created_at: call.created_at,
        seen_at,
        expires_at,
        ended_at: call.ended_at,
        next_poll_at: call.next_poll_at,
        cancel: call.cancel,
        open_requests: call.open_requests,
        waiting_since: call.waiting_since,
        tags: tags.into(),
    }
}

/// What is known of the task itself, unless its server cannot be reached at all: that is kept once, at the server.
fn tracking(call: &Call, server: &Server) -> Tracking {
    if call.ended() || call.tracking == Tracking::Expired {
        return call.tracking;
    }
    server.health.tracking().unwrap_or(call.tracking)
}

/// Progress as its server counts it (`notifications/progress`). Of what has no end nobody knows how far it is.
fn reported(report: &ProgressReport) -> Option<Progress> {
    let number = |json: &Option<Json>| json.as_ref()?.read::<f64>().ok();
    part(number(&report.progress)?, number(&report.total)?)
}

/// How much of it is done. What does not fit together is none.
fn part(done: f64, all: f64) -> Option<Progress> {
    (all > 0.0 && done >= 0.0 && done <= all).then(|| Progress { fraction: done / all })
}

/// Progress read out of a status message: `37/120`, `37 of 120`, `45 %`. What does not fit together is none.
pub(super) fn progress(message: &str) -> Option<Progress> {
    let words: Vec<&str> =
        message.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ';')).collect();
    let number = |word: &str| -> Option<f64> {
        let digits = word.trim_end_matches([',', '.', ':']).replace(',', "");
        digits.bytes().next()?.is_ascii_digit().then(|| digits.parse::<f64>().ok()).flatten()
    };
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or("");
        let found = if let Some((done, all)) = word.split_once('/') {
            number(done).zip(number(all)).and_then(|(done, all)| part(done, all))
        } else if let Some(percent) = word.trim_end_matches([',', '.', ':']).strip_suffix('%') {
            number(percent).and_then(|percent| part(percent, 100.0))
        } else if next.starts_with('%') {
            number(word).and_then(|percent| part(percent, 100.0))
        } else if next == "of" {
            let all = words.get(at + 2).copied().unwrap_or("");
            number(word).zip(number(all)).and_then(|(done, all)| part(done, all))
        } else {
            None
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

pub(super) fn request(request: &RequestLine, call: Option<&Call>, server: Option<&Server>) -> RequestRow {
    let of_call = call.and_then(|call| call.task.as_ref()?.expires_at);
    let expires_at = of_call.into_iter().chain(request.expires_at).min();
    let snoozed = request.snoozed.filter(|_| request.attention == Attention::Snoozed);
    RequestRow {
        id: request.id,
        call: request.call,
        server: request.server,
        server_name: server.map(|server| server.name.clone()).unwrap_or_default(),
        tool: call.map(|call| call.tool.clone()).unwrap_or_default(),
        summary: call.map(|call| call.summary.clone()).unwrap_or_default(),
        method: request.method.clone(),
        message: request.message.clone(),
        mode: request.mode,
        host: request.url.as_deref().and_then(url::host_of),
        visited_at: request.visited_at,
        visiting_at: request.visiting_at,
        state: request.state,
        reason: request.reason,
        opened_at: request.opened_at,
        closed_at: request.closed_at,
        expires_at,
        answer: request.answer.clone(),
        decided_by: request.decided_by(),
        stranded: request.stranded(),
        has_draft: request.has_draft,
        attention: request.attention,
        snoozed: snoozed.map(|snoozed| snoozed.until),
        returns_at: snoozed.and_then(|snoozed| snoozed.until.ends_at(expires_at)),
    }
}

#[cfg(test)]
mod tests {
    use signalbox_model::{CallId, Identity, InputRequest, Origin, RequestId, ServerId, Task};

    use super::*;

    #[test]
    fn reported_progress_counts_where_it_has_an_end() {
        let cases = [
            (Some("30"), Some("120"), Some(0.25)),
            (Some("0.5"), Some("1.0"), Some(0.5)),
            (Some("0"), Some("4"), Some(0.0)),
            (Some("7"), None, None),
            (None, Some("4"), None),
            (Some("5"), Some("4"), None),
            (Some("-1"), Some("4"), None),
            (Some("1"), Some("0"), None),
            (Some("1e999"), Some("1e999"), None),
        ];
        let json = |text: Option<&str>| text.map(|text| Json::parse(text).unwrap());
        for (progress, total, expected) in cases {
            let report = ProgressReport { progress: json(progress), total: json(total), message: None };
            let found = reported(&report).map(|progress| progress.fraction);
            assert_eq!(found, expected, "{progress:?} of {total:?}");
        }
    }

    #[test]
    fn progress_is_read_where_it_is_plain() {
        let cases = [
            ("compiled 37/120", Some(37.0 / 120.0)),
            ("step 6/9: evaluating checkpoint 41,000", Some(6.0 / 9.0)),
            ("test 812/4,031", Some(812.0 / 4031.0)),
            ("45% done", Some(0.45)),
            ("about 45 % done", Some(0.45)),
            ("3 of 4 shards", Some(0.75)),
            ("uploading", None),
            ("9/6", None),
            ("a/b", None),
            ("1/0", None),
            ("", None),
        ];
        for (message, expected) in cases {
            assert_eq!(progress(message).map(|progress| progress.fraction), expected, "{message:?}");
        }
    }

    #[test]
    fn a_question_expires_with_its_task_or_before_it() {
        let identity = Identity::Wire { session: 1, rpc: "1".to_owned() };
        let asked = |own: Option<i64>| InputRequest {
            expires_at: own.map(Timestamp),
            ..InputRequest::new(RequestId(1), ServerId(1), identity.clone(), Timestamp(1_000))
        };
        let until = |own| request(&(&asked(own)).into(), None, None).expires_at;
        assert_eq!((until(Some(61_000)), until(None)), (Some(Timestamp(61_000)), None), "as it is kept");
        let both = |own, of_task| {
            let task = Some(Task {
                task_id: "task".to_owned(),
                status_message: None,
                created_at: None,
                last_updated_at: None,
                ttl_ms: None,
                unlimited: None,
                poll_interval_ms: None,
                expires_at: Some(Timestamp(of_task)),
                seen_at: Timestamp(1),
            });
            let call = Call { task, ..Call::new(CallId(1), ServerId(1), Origin::Started, Timestamp(1)) };
            request(&(&asked(Some(own))).into(), Some(&call), None).expires_at
        };
        assert_eq!([(5, 9), (9, 5)].map(|(own, of_task)| both(own, of_task)), [Some(Timestamp(5)); 2]);
    }
}
