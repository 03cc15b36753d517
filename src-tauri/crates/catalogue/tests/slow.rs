//! A list that is kept by changes equals one that is read slowly from all calls: for any filter, order and history.
//!
//! What is slow here knows nothing of narrow rows, ranks or turns. It asks each call anew. Longer than most: it is a second way
//! to all that a list is, beside the first.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use jiff::tz::TimeZone;
use proptest::{collection::vec, option, prelude::*, sample::select};
use signalbox_catalogue::{Change, Filter, Line, NarrowTask, Order, Query, Rows, World};
use signalbox_model::{
    Call, CallId, Health, Origin, Outcome, Server, ServerId, Status, Task, Timestamp, Tracking, Transport,
    Word,
};

const HOUR: i64 = 3_600_000;
/// Noon of a day without a change of the clocks.
const BEGIN: i64 = 1_795_694_400_000;

#[derive(Debug, Clone)]
enum Asked {
    Server(&'static str),
    Tool(&'static str),
    Is(&'static str),
    Status(Status),
    Outcome(Outcome),
    Tracking(Tracking),
    Age { longer: bool, hours: i64 },
    Silent { longer: bool, hours: i64 },
    Ended { longer: bool, hours: i64 },
    Left { longer: bool, hours: i64 },
    EndedOn { yesterday: bool },
    Text(&'static str),
}

#[derive(Debug, Clone)]
struct Token {
    not: bool,
    asked: Asked,
}

impl Token {
    fn text(&self) -> String {
        let sign = |longer: &bool| if *longer { '>' } else { '<' };
        let asked = match &self.asked {
            Asked::Server(name) => format!("server:\"{name}\""),
            Asked::Tool(name) => format!("tool:{name}"),
            Asked::Is(word) => format!("is:{word}"),
            Asked::Status(status) => format!("status:{}", status.word()),
            Asked::Outcome(outcome) => format!("outcome:{}", outcome.word()),
            Asked::Tracking(tracking) => format!("tracking:{}", tracking.word()),
            Asked::Age { longer, hours } => format!("age{}{hours}h", sign(longer)),
            Asked::Silent { longer, hours } => format!("silent{}{hours}h", sign(longer)),
            Asked::Ended { longer, hours } => format!("ended{}{hours}h", sign(longer)),
            Asked::Left { longer, hours } => format!("left{}{hours}h", sign(longer)),
            Asked::EndedOn { yesterday: true } => "ended:yesterday".to_owned(),
            Asked::EndedOn { yesterday: false } => "ended:today".to_owned(),
            Asked::Text(text) => format!("\"{text}\""),
        };
        format!("{}{asked}", if self.not { "-" } else { "" })
    }

    /// Tokens of which any is enough have the same one.
    fn kind(&self) -> Option<u8> {
        match self.asked {
            _ if self.not => None,
            Asked::Server(_) => Some(0),
            Asked::Tool(_) => Some(1),
            Asked::Is(_) => Some(2),
            Asked::Status(_) => Some(3),
            Asked::Outcome(_) => Some(4),
            Asked::Tracking(_) => Some(5),
            Asked::EndedOn { .. } => Some(6),
            _ => None,
        }
    }
}

/// What rows are compared by.
type Key = (i64, String);

/// All that there is, as plain as can be.
#[derive(Debug, Default)]
struct Plain {
    calls: BTreeMap<CallId, Call>,
    servers: BTreeMap<ServerId, Server>,
    /// What full texts have beside what a row has.
    found: BTreeSet<(&'static str, CallId)>,
    now: i64,
}

impl Plain {
    fn is(call: &Call) -> &'static str {
        match (call.ended(), call.open_requests) {
            (true, _) => "ended",
            (false, 0) => "working",
            (false, _) => "needs_you",
        }
    }

    fn tracking(&self, call: &Call) -> Tracking {
        match self.servers[&call.server].health {
            _ if call.ended() || call.tracking == Tracking::Expired => call.tracking,
            Health::SignInNeeded { .. } => Tracking::SignInNeeded,
            _ => call.tracking,
        }
    }

    fn seen(call: &Call) -> Option<i64> {
        call.task.as_ref().filter(|_| !call.ended()).map(|task| task.seen_at.0)
    }

    fn expires(call: &Call) -> Option<i64> {
        call.task.as_ref().filter(|_| !call.ended())?.expires_at.map(|at| at.0)
    }

    fn holds(&self, token: &Token, call: &Call) -> bool {
        let compare = |ms: Option<i64>, longer: bool, hours: i64| {
            ms.is_some_and(|ms| if longer { ms > hours * HOUR } else { ms <= hours * HOUR })
        };
        let since = |at: Option<i64>| at.map(|at| self.now - at);
        let day = |ms: i64| ms.div_euclid(24 * HOUR);
        let asked = match &token.asked {
            Asked::Server(name) => self.servers[&call.server].name.to_lowercase() == *name,
            Asked::Tool(name) => call.tool.to_lowercase() == *name,
            Asked::Is(word) => Self::is(call) == *word,
            Asked::Status(status) => call.status == *status,
            Asked::Outcome(outcome) => call.outcome == Some(*outcome),
            Asked::Tracking(tracking) => self.tracking(call) == *tracking,
            Asked::Age { longer, hours } => compare(since(Some(call.created_at.0)), *longer, *hours),
            Asked::Silent { longer, hours } => compare(since(Self::seen(call)), *longer, *hours),
            Asked::Ended { longer, hours } => compare(since(call.ended_at.map(|at| at.0)), *longer, *hours),
            Asked::Left { longer, hours } => {
                compare(Self::expires(call).map(|at| at - self.now), *longer, *hours)
            }
            Asked::EndedOn { yesterday } => {
                let wanted = day(self.now) - i64::from(*yesterday);
                call.ended_at.is_some_and(|at| day(at.0) == wanted)
            }
            Asked::Text(text) => {
                self.found.contains(&(text, call.id))
                    || self.said(call).iter().any(|said| said.contains(text))
            }
        };
        asked != token.not
    }

    fn said(&self, call: &Call) -> Vec<String> {
        let message = call.task.as_ref().and_then(|task| task.status_message.clone());
        let outcome = call.outcome.map(|outcome| outcome.word());
        let failed = matches!(call.outcome, Some(Outcome::ToolError | Outcome::ProtocolError));
        let done = call.outcome == Some(Outcome::Ok);
        let words = [Self::is(call), call.status.word()].into_iter().chain(outcome);
        let mut said: Vec<String> =
            words.flat_map(|word| [word.to_owned(), word.replace('_', " ")]).collect();
        said.extend([call.tool.clone(), call.summary.clone(), self.servers[&call.server].name.clone()]);
        said.extend(message);
        said.extend(failed.then(|| "failed".to_owned()));
        said.extend(done.then(|| "done".to_owned()));
        said.extend((call.outcome == Some(Outcome::Unknown)).then(|| "arrival unknown".to_owned()));
        said.iter().map(|text| text.to_lowercase()).collect()
    }

    fn shown(&self, tokens: &[Token], call: &Call) -> bool {
        tokens.iter().all(|token| match token.kind() {
            None => self.holds(token, call),
            kind => tokens.iter().filter(|other| other.kind() == kind).any(|other| self.holds(other, call)),
        })
    }

    fn key(&self, name: &str, call: &Call) -> Option<Key> {
        let at = |words: &[&str], word: &str| {
            words.iter().zip(0..).find(|(known, _)| **known == word).map(|(_, place)| (place, String::new()))
        };
        let time = |ms: Option<i64>| ms.map(|ms| (ms, String::new()));
        match name {
            "server" => {
                let server = &self.servers[&call.server];
                Some((0, format!("{} {:08}", server.name.to_lowercase(), server.id.0)))
            }
            "tool" => Some((0, format!("{}\0{}", call.tool.to_lowercase(), call.tool))),
            "is" => at(&["needs_you", "working", "ended"], Self::is(call)),
            "status" => at(Status::WORDS, call.status.word()),
            "outcome" => at(Outcome::WORDS, call.outcome?.word()),
            "started" => time(Some(call.created_at.0)),
            "ended" => time(call.ended_at.map(|at| at.0)),
            "changed" => time(Self::seen(call)),
            "expires" => time(Self::expires(call)),
            "day" => time(Some(-call.created_at.0.div_euclid(24 * HOUR))),
            "id" => time(Some(call.id.0.into())),
            _ => unreachable!("{name}"),
        }
    }

    fn compare(&self, name: &str, descending: bool, one: &Call, another: &Call) -> Ordering {
        match (self.key(name, one), self.key(name, another)) {
            (Some(one), Some(another)) if descending => another.cmp(&one),
            (Some(one), Some(another)) => one.cmp(&another),
            (one, another) => another.is_some().cmp(&one.is_some()),
        }
    }

    fn list(&self, tokens: &[Token], sort: &[(&str, bool)], group: &str) -> Vec<&Call> {
        let mut calls: Vec<&Call> = self.calls.values().filter(|call| self.shown(tokens, call)).collect();
        let last = sort.last().is_some_and(|(_, descending)| *descending);
        calls.sort_by(|one, another| {
            let groups = (group != "none").then_some((group, false));
            let keys = groups.into_iter().chain(sort.iter().copied()).chain([("id", last)]);
            keys.map(|(name, descending)| self.compare(name, descending, one, another))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        });
        calls
    }
}

#[derive(Debug, Clone)]
enum Op {
    Put(Box<Call>),
    Forget(CallId),
    Server { id: ServerId, name: &'static str, away: bool },
    Found { words: &'static str, call: CallId, found: bool },
    Forgotten(&'static str),
    Wait(i64),
}

fn server(id: ServerId, name: &str, away: bool) -> Server {
    let transport = Transport::Http { url: "http://127.0.0.1:1/".to_owned(), headers: vec![] };
    let mut server = Server::new(id, name.to_owned(), transport);
    if away {
        server.health = Health::SignInNeeded { since: Timestamp(BEGIN) };
    }
    server
}

fn status() -> impl Strategy<Value = Status> {
    select(vec![Status::Working, Status::InputRequired, Status::Completed, Status::Failed])
}

fn outcome() -> impl Strategy<Value = Outcome> {
    select(vec![Outcome::Ok, Outcome::ToolError, Outcome::ProtocolError, Outcome::Expired])
}

fn tracking() -> impl Strategy<Value = Tracking> {
    select(vec![Tracking::Live, Tracking::Stalled, Tracking::Expired, Tracking::SignInNeeded])
}

fn hours() -> impl Strategy<Value = i64> {
    select(vec![0_i64, 1, 2, 12, 30])
}

fn time() -> impl Strategy<Value = Timestamp> {
    // Whole hours meet the bounds of what is asked.
    (-60_i64..10, select(vec![0_i64, 0, 1, -1, 1_234_567]))
        .prop_map(|(hours, ms)| Timestamp(BEGIN + hours * HOUR + ms))
}

fn call() -> impl Strategy<Value = Call> {
    let texts = select(vec!["", "Deploy api-gateway", "failed 3 of 40", "ÜBERSICHT done", "needs you"]);
    let task = (option::of(texts.clone()), option::of(time()), time());
    (
        (1_u32..12, 1_u32..4, select(vec!["", "deploy", "Build", "build", "test_failed"]), texts),
        (status(), option::of((outcome(), time())), tracking(), 0_u32..3, time(), option::of(task)),
    )
        .prop_map(|((id, server, tool, summary), (status, end, tracking, open, created_at, task))| {
            Call {
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
                ..Call::new(CallId(id), ServerId(server), Origin::Started, created_at)
            }
        })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => call().prop_map(|call| Op::Put(Box::new(call))),
        1 => (1_u32..12).prop_map(|id| Op::Forget(CallId(id))),
        1 => (1_u32..4, select(vec!["ci", "Dev box", "ci-2"]), any::<bool>())
            .prop_map(|(id, name, away)| Op::Server { id: ServerId(id), name, away }),
        2 => (select(TEXTS.to_vec()), 1_u32..12, any::<bool>())
            .prop_map(|(words, id, found)| Op::Found { words, call: CallId(id), found }),
        1 => select(TEXTS.to_vec()).prop_map(Op::Forgotten),
        2 => select(vec![1_i64, HOUR - 1, HOUR, HOUR + 1, 13 * HOUR]).prop_map(Op::Wait),
    ]
}

fn token() -> impl Strategy<Value = Token> {
    let longer = || (any::<bool>(), hours());
    let asked = prop_oneof![
        select(vec!["ci", "dev box", "ci-2"]).prop_map(Asked::Server),
        select(vec!["deploy", "build"]).prop_map(Asked::Tool),
        select(vec!["needs_you", "working", "ended"]).prop_map(Asked::Is),
        status().prop_map(Asked::Status),
        outcome().prop_map(Asked::Outcome),
        tracking().prop_map(Asked::Tracking),
        longer().prop_map(|(longer, hours)| Asked::Age { longer, hours }),
        longer().prop_map(|(longer, hours)| Asked::Silent { longer, hours }),
        longer().prop_map(|(longer, hours)| Asked::Ended { longer, hours }),
        longer().prop_map(|(longer, hours)| Asked::Left { longer, hours }),
        any::<bool>().prop_map(|yesterday| Asked::EndedOn { yesterday }),
        select(TEXTS.to_vec()).prop_map(Asked::Text),
        select(vec!["ci", "y"]).prop_map(Asked::Text),
    ];
    (any::<bool>(), asked).prop_map(|(not, asked)| Token { not, asked })
}

/// Words that are long enough to be looked for in full texts.
const TEXTS: [&str; 6] = ["failed", "done", "needs you", "tool error", "übersicht", "gateway"];
const SORTS: [&str; 9] =
    ["server", "tool", "is", "status", "outcome", "started", "ended", "changed", "expires"];

proptest! {
    #[test]
    fn a_list_kept_by_changes_equals_one_read_slowly(
        tokens in vec(token(), 0..4),
        sort in vec((select(SORTS.to_vec()), any::<bool>()), 0..4),
        group in select(vec!["none", "day", "server", "tool", "is", "status", "outcome"]),
        batches in vec(vec(op(), 1..6), 1..12),
    ) {
        let mut plain = Plain { now: BEGIN, ..Plain::default() };
        let mut world = World::new(TimeZone::UTC);
        for (id, name) in [(1, "ci"), (2, "Dev box"), (3, "ci-2")] {
            let server = server(ServerId(id), name, false);
            world.put_server(&server, 1);
            plain.servers.insert(server.id, server);
        }
        let texts: Vec<String> = tokens.iter().map(Token::text).collect();
        let sorts: Vec<String> =
            sort.iter().map(|(name, down)| format!("{}{name}", if *down { "-" } else { "" })).collect();
        let query = Query {
            filter: Filter::read::<NarrowTask>(&texts.join(" "), &world).unwrap(),
            order: Order::read::<NarrowTask>(&sorts.join(","), group).unwrap(),
        };
        let mut rows = Rows::default();
        rows.apply([], &mut world, Timestamp(plain.now));
        rows.sight(&query, &world, Timestamp(plain.now));
        for batch in batches {
            let (mut changes, mut searched) = (Vec::new(), Vec::new());
            for op in batch {
                match op {
                    Op::Put(call) => {
                        changes.push(Change::Put(NarrowTask::new(&(&*call).into(), 1, &mut world)));
                        plain.calls.insert(call.id, *call);
                    }
                    Op::Forget(id) => {
                        changes.push(Change::Gone(id));
                        plain.calls.remove(&id);
                    }
                    Op::Server { id, name, away } => {
                        let server = server(id, name, away);
                        world.put_server(&server, 1);
                        plain.servers.insert(id, server);
                    }
                    Op::Found { words, call, found } => {
                        searched.push((words, Some((call.0, found))));
                        if found {
                            plain.found.insert((words, call));
                        } else {
                            plain.found.remove(&(words, call));
                        }
                    }
                    Op::Forgotten(words) => {
                        searched.push((words, None));
                        plain.found.retain(|(known, _)| *known != words);
                    }
                    Op::Wait(ms) => plain.now += ms,
                }
            }
            rows.apply(changes, &mut world, Timestamp(plain.now));
            for (words, found) in searched {
                match found {
                    Some(found) => { rows.put_found(words, [found], &world, Timestamp(plain.now)); }
                    None => rows.forget_found(words),
                }
            }

            let expected = plain.list(&tokens, &sort, group);
            let ids: Vec<CallId> = expected.iter().map(|call| call.id).collect();
            let sight = rows.sight(&query, &world, Timestamp(plain.now));
            prop_assert_eq!(sight.total(), ids.len());
            let shown: Vec<CallId> = sight.window(0, usize::MAX).collect();
            prop_assert_eq!(&shown, &ids, "{} sorted by {} under {}", texts.join(" "), sorts.join(","), group);

            let mut heads: Vec<(Option<Key>, CallId, usize)> = Vec::new();
            for call in &expected {
                let key = if group == "none" { None } else { plain.key(group, call) };
                match heads.last_mut() {
                    Some((last, _, count)) if *last == key => *count += 1,
                    _ => heads.push((key, call.id, 1)),
                }
            }
            let heads: Vec<_> = heads.into_iter().map(|(_, first, count)| (first, count)).collect();
            let groups: Vec<_> = sight.groups().into_iter().map(|group| (group.first, group.count)).collect();
            prop_assert_eq!(groups, heads, "each head has its rows, and no other");
        }
    }
}

#[test]
fn a_row_that_time_alone_takes_in_says_when() {
    let mut world = World::new(TimeZone::UTC);
    world.put_server(&server(ServerId(1), "ci", false), 1);
    let query = Query {
        filter: Filter::read::<NarrowTask>("age>1h", &world).unwrap(),
        order: Order::read::<NarrowTask>("-started", "").unwrap(),
    };
    let mut rows = Rows::default();
    let call = Call::new(CallId(1), ServerId(1), Origin::Started, Timestamp(BEGIN));
    let line = NarrowTask::new(&(&call).into(), 1, &mut world);
    assert_eq!(line.id(), CallId(1));
    rows.apply([Change::Put(line)], &mut world, Timestamp(BEGIN));
    let sight = rows.sight(&query, &world, Timestamp(BEGIN));
    assert_eq!((sight.total(), sight.next_turn()), (0, Some(Timestamp(BEGIN + HOUR + 1))));
    rows.apply([], &mut world, Timestamp(BEGIN + HOUR + 1));
    let sight = rows.sight(&query, &world, Timestamp(BEGIN + HOUR + 1));
    assert_eq!(
        (sight.total(), sight.next_turn()),
        (1, None),
        "it stays, so nothing has to be looked at again"
    );
}
