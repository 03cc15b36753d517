//! Any list, any task and any question.

use proptest::{collection::vec, option, prelude::*, sample::select};
use signalbox_model::{
    Attention, Call, CallId, Identity, InputRequest, Mode, Origin, Outcome, RequestId, RequestState,
    ServerId, Status, Tags, Task, Timestamp, Tracking, Wire,
};

use super::{
    Asked, HOUR, Unit,
    token::{
        Asks, Day, Token,
        Value::{self, Begins, Quoted, Word},
    },
};

/// What lists of one kind of rows can be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    keys: &'static [(&'static str, &'static [Value])],
    lengths: &'static [&'static str],
    pub(crate) texts: &'static [&'static str],
    sorts: &'static [&'static str],
    groups: &'static [&'static str],
}

/// A server may have the short id of another one for its name.
const SERVER: &[Value] =
    &[Word("ci"), Quoted("dev box"), Begins("CI"), Begins("ci"), Word("s2"), Quoted("s2"), Word("s9")];
const TOOL: &[Value] = &[Word("deploy"), Word("BUILD"), Begins("test"), Quoted("build"), Begins("")];

pub(crate) const TASKS: Kind = Kind {
    keys: &[
        ("server", SERVER),
        ("tool", TOOL),
        ("is", &[Word("needs_you"), Word("working"), Word("ended"), Begins("w")]),
        ("status", &[Word("WORKING"), Word("failed"), Begins("c"), Word("input_required")]),
        ("outcome", &[Word("failed"), Word("ok"), Word("tool_error"), Begins("protocol"), Begins("")]),
        ("tracking", &[Word("live"), Word("sign_in_needed"), Begins("s"), Word("expired")]),
        ("wire", &[Word("modern"), Word("legacy"), Begins("l")]),
        ("origin", &[Word("started"), Word("Adopted"), Begins("a")]),
        ("tag", &[Word("Release"), Quoted("eu"), Begins("re"), Word("none"), Begins("")]),
    ],
    lengths: &["age", "silent", "ended", "left"],
    texts: &["failed", "done", "needs you", "tool error", "übersicht", "gateway", "ci", "y", "t3", "release"],
    sorts: &[
        "server", "tool", "is", "status", "outcome", "tracking", "wire", "origin", "started", "ended",
        "changed", "expires", "id",
    ],
    groups: &["none", "day", "server", "tool", "is", "status", "outcome", "tracking", "wire", "origin"],
};

pub(crate) const QUESTIONS: Kind = Kind {
    keys: &[
        ("server", SERVER),
        ("tool", TOOL),
        ("is", &[Word("waiting"), Word("Stranded"), Word("over"), Begins("o")]),
        ("state", &[Word("open"), Word("closed"), Begins("o"), Word("unknown"), Word("not_taken")]),
        ("mode", &[Word("form"), Word("url"), Begins("o")]),
        ("attention", &[Word("needs_you"), Word("Snoozed"), Begins("e"), Word("none")]),
    ],
    lengths: &["age", "ended", "left"],
    texts: &[
        "waiting",
        "connection lost",
        "not taken",
        "snoozed",
        "asked",
        "übersicht",
        "gateway",
        "ci",
        "y",
        "r3",
    ],
    sorts: &["server", "tool", "is", "state", "mode", "attention", "started", "ended", "expires", "id"],
    groups: &["none", "day", "server", "tool", "is", "state", "mode", "attention"],
};

fn token(kind: Kind, today: i64, unit: Unit) -> impl Strategy<Value = Token> {
    let word = select(kind.keys).prop_flat_map(|(key, values)| {
        vec(select(values), 1..3).prop_map(move |values| Asks::Word(key, values))
    });
    let length = (select(kind.lengths), any::<bool>(), select(vec![0_i64, 1, 2, 12, 30]))
        .prop_map(move |(name, longer, n)| Asks::Length { name, longer, n, unit });
    let on = (-3_i64..2).prop_map(move |days| Day::On(today + days));
    let day = prop_oneof![Just(Day::Today), Just(Day::Yesterday), on];
    let day = (select(vec!["started", "ended"]), day).prop_map(|(moment, day)| Asks::Day(moment, day));
    let asks = prop_oneof![5 => word, 3 => length, 2 => day, 2 => select(kind.texts).prop_map(Asks::Text)];
    (any::<bool>(), asks).prop_map(|(not, asks)| Token { not, asks })
}

/// Any list of such rows. Today is counted from 1970.
pub(crate) fn any_list(kind: Kind, today: i64, unit: Unit) -> impl Strategy<Value = Asked> {
    let tokens = |most| vec(token(kind, today, unit), 0..most);
    (tokens(4), tokens(3), vec((select(kind.sorts), any::<bool>()), 0..5), select(kind.groups))
        .prop_map(|(tokens, within, sort, group)| Asked { tokens, within, sort, group })
}

/// Some time around another one, of that day or one before. Whole units meet the bounds of what is asked, and whole hours those
/// of days.
fn time(around: i64, unit: Unit) -> impl Strategy<Value = Timestamp> {
    let ms = select(vec![0_i64, 0, 1, -1, 345]);
    (-60_i64..10, ms, select(vec![0_i64, 0, 0, 23, 24, 25, 48]))
        .prop_map(move |(n, ms, hours)| Timestamp(around + n * unit.ms + ms - hours * HOUR))
}

fn text() -> impl Strategy<Value = &'static str> {
    select(vec!["", "Deploy api-gateway", "failed 3 of 40", "ÜBERSICHT done", "needs you"])
}

/// Any task of any number below this one.
pub(crate) fn call(below: u32, around: i64, unit: Unit) -> impl Strategy<Value = Call> {
    let tools = select(vec!["", "deploy", "Build", "build", "test_failed"]);
    let statuses = vec![
        Status::Working,
        Status::InputRequired,
        Status::Completed,
        Status::Failed,
        Status::Cancelled,
        Status::Unknown,
    ];
    let outcomes =
        vec![Outcome::Ok, Outcome::ToolError, Outcome::ProtocolError, Outcome::Expired, Outcome::Unknown];
    let tracking =
        vec![Tracking::Live, Tracking::Stalled, Tracking::Expired, Tracking::SignInNeeded, Tracking::Done];
    let end = option::of((select(outcomes), time(around, unit)));
    let task = option::of((option::of(text()), option::of(time(around, unit)), time(around, unit)));
    let wire = option::of(select(vec![Wire::Modern, Wire::Legacy]));
    let origin = select(vec![Origin::Started, Origin::Adopted]);
    (
        (1..below, 1_u32..4, tools, text(), wire, origin),
        (select(statuses), end, select(tracking), 0_u32..3, time(around, unit), task),
    )
        .prop_map(
            |((id, server, tool, summary, wire, origin), (status, end, tracking, open, created_at, task))| {
                Call {
                    wire,
                    tool: tool.to_owned(),
                    summary: summary.to_owned(),
                    status,
                    outcome: end.map(|(outcome, _)| outcome),
                    ended_at: end.map(|(_, at)| at),
                    tracking,
                    open_requests: open,
                    task: task.map(|(message, expires_at, seen_at)| Task {
                        task_id: format!("secret-{id}"),
                        status_message: message.map(str::to_owned),
                        created_at: None,
                        last_updated_at: None,
                        ttl_ms: None,
                        unlimited: None,
                        poll_interval_ms: None,
                        expires_at,
                        seen_at,
                    }),
                    ..Call::new(CallId(id), ServerId(server), origin, created_at)
                }
            },
        )
}

/// Any tags of a task.
pub(crate) fn tags() -> impl Strategy<Value = Tags> {
    select(vec!["", "", "eu", "release", "eu release", "re rebuild übersicht"]).prop_map(Tags::read)
}

/// Any question of any number below this one, of any task below another, or of none.
pub(crate) fn question(
    below: u32,
    calls: u32,
    around: i64,
    unit: Unit,
) -> impl Strategy<Value = InputRequest> {
    let modes = vec![Mode::Form, Mode::Url, Mode::Other];
    let wants = vec![Attention::NeedsYou, Attention::Expiring, Attention::Snoozed];
    (
        (1..below, 1_u32..4, option::of((1..calls).prop_map(CallId)), select(modes), text()),
        (
            select(RequestState::ALL.to_vec()),
            select(wants),
            time(around, unit),
            option::of(time(around, unit)),
        ),
    )
        .prop_map(|((id, server, call, mode, message), (state, wants, opened_at, closed_at))| {
            // One of its own: a question that is the same as another one is refused.
            let identity = Identity::Wire { session: 1, rpc: id.to_string() };
            InputRequest {
                call,
                mode,
                message: message.to_owned(),
                state,
                wants,
                closed_at,
                ..InputRequest::new(RequestId(id), ServerId(server), identity, opened_at)
            }
        })
}
