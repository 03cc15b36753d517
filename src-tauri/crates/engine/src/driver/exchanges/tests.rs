//! What is remembered, and that it has a bound.

use signalbox_model::{Json, NoteCode};

use super::{log::Log, *};

const CALL: CallId = CallId(1);
const SINCE: Timestamp = Timestamp(0);

fn exchanges() -> Exchanges {
    Exchanges::new(Clock::start())
}

fn state(text: &str) -> Json {
    Json::of(&text)
}

fn line(n: i64, brought: Brought) -> Exchange {
    let at = Timestamp(n);
    Exchange { method: TaskMethod::Get, times: 1, first_at: at, at, took_ms: Some(1), bytes: None, brought }
}

/// What the lines brought, with how many times.
fn brought(log: &RequestLog) -> Vec<(Brought, u32)> {
    log.exchanges.iter().map(|exchange| (exchange.brought, exchange.times)).collect()
}

#[tokio::test(start_paused = true)]
async fn polls_that_bring_nothing_are_one_counted_line() {
    let exchanges = exchanges();
    for text in ["a", "a", "a", "b", "b"] {
        let mut asking = exchanges.asks(CALL, TaskMethod::Get);
        tokio::time::advance(std::time::Duration::from_secs(5)).await;
        asking.goes_out();
        tokio::time::advance(std::time::Duration::from_millis(20)).await;
        asking.came(Ok(&state(text)));
    }
    let log = exchanges.of(CALL);
    let expected = [(Brought::News, 1), (Brought::Same, 2), (Brought::News, 1), (Brought::Same, 1)];
    assert_eq!(brought(&log), expected);
    let took = log.exchanges.iter().all(|exchange| exchange.took_ms == Some(20));
    assert!(took, "what it waited for before it went out was ours: {:?}", log.exchanges);
    let states: Vec<_> = log.states.iter().map(|state| state.json.text()).collect();
    assert_eq!(states, [r#""a""#, r#""b""#], "and each state is kept once");
}

#[test]
fn errors_that_are_alike_are_one_line_and_others_are_not() {
    let exchanges = exchanges();
    let fails = |error: mcp::Error| exchanges.asks(CALL, TaskMethod::Get).came(Err(&error));
    let raw = Json::parse(r#"{"code":-32603,"message":"no"}"#).unwrap();
    let refused =
        || mcp::Error::Rpc { code: -32_603, message: "no".to_owned(), data: None, raw: raw.clone() };
    fails(mcp::Error::Timeout { ms: 30_000 });
    fails(mcp::Error::Timeout { ms: 30_000 });
    fails(refused());
    fails(mcp::Error::Throttled { status: 429, retry_after: None });
    let log = exchanges.of(CALL);
    let error = |code, number| Brought::Error { code, number };
    let expected = [
        (error(NoteCode::TimedOut, None), 2),
        (error(NoteCode::ServerError, Some(-32_603)), 1),
        (error(NoteCode::Throttled, Some(429)), 1),
    ];
    assert_eq!(brought(&log), expected);
    let bytes: Vec<_> = log.exchanges.iter().map(|exchange| exchange.bytes).collect();
    assert_eq!(bytes, [None, Some(30), None], "no answer has no size");
}

#[test]
fn an_answer_is_a_line_of_its_own_and_no_state() {
    let exchanges = exchanges();
    for method in [TaskMethod::Call, TaskMethod::Update, TaskMethod::Update, TaskMethod::Cancel] {
        exchanges.asks(CALL, method).came(Ok(&state("{}")));
    }
    exchanges.told(CALL, &state("told"));
    let log = exchanges.of(CALL);
    let methods: Vec<_> = log.exchanges.iter().map(|exchange| exchange.method).collect();
    use TaskMethod::{Call, Cancel, Told, Update};
    assert_eq!(methods, [Call, Update, Update, Cancel, Told]);
    assert_eq!(log.exchanges[4].took_ms, None, "nobody waited for what is told");
    assert_eq!(log.states.len(), 1, "an acknowledgement is no state of the task");
}

#[test]
fn who_watches_hears_of_what_came_and_of_nothing_else() {
    let exchanges = exchanges();
    let moved = exchanges.moved();
    exchanges.told(CALL, &state("a"));
    assert!(!moved.has_changed().unwrap(), "nobody looks at it");
    exchanges.watch(CALL);
    exchanges.told(CallId(2), &state("a"));
    assert!(!moved.has_changed().unwrap(), "nor at the other one");
    exchanges.told(CALL, &state("b"));
    assert!(moved.has_changed().unwrap());
}

#[test]
fn of_a_watched_call_more_is_kept_and_what_is_let_go_is_counted() {
    let mut log = Log::default();
    for n in 0..30 {
        log.add(CALL, line(n, Brought::News));
    }
    let before = log.of(CALL, SINCE);
    assert_eq!((before.exchanges.len(), before.left_out), (20, 10));
    for n in 30..300 {
        log.add(CALL, line(n, Brought::News));
    }
    let watched = log.of(CALL, SINCE);
    assert_eq!((watched.exchanges.len(), watched.left_out), (200, 100));
    assert_eq!(watched.exchanges[199].at, Timestamp(299), "the last ones stay");
}

#[test]
fn as_many_are_watched_as_may_be_and_the_one_looked_at_last_stays() {
    let mut log = Log::default();
    log.watch(CALL);
    for n in 0..50 {
        log.add(CALL, line(n, Brought::News));
    }
    for other in 2..=64 {
        log.watch(CallId(other));
    }
    log.watch(CALL);
    log.watch(CallId(65));
    assert_eq!(log.of(CALL, SINCE).exchanges.len(), 50, "somebody looked at it since");
    for other in 66..=200 {
        log.watch(CallId(other));
    }
    let given_way = log.of(CALL, SINCE);
    assert_eq!((given_way.exchanges.len(), given_way.left_out), (20, 30));
}

#[test]
fn to_look_at_numbers_that_nobody_has_leaves_nothing_behind() {
    let mut log = Log::default();
    for call in 0..10_000 {
        assert!(log.of(CallId(call), SINCE).exchanges.is_empty());
    }
    assert!(log.calls() <= 64, "{}", log.calls());
}

#[test]
fn the_last_states_are_kept_within_their_bytes() {
    let mut log = Log::default();
    let mut digest = 0;
    let mut tell = |log: &mut Log, call, bytes: usize| {
        digest += 1;
        log.state(call, line(0, Brought::News), digest, &state(&"x".repeat(bytes - 2)));
    };
    log.watch(CALL);
    for _ in 0..30 {
        tell(&mut log, CALL, 100);
    }
    assert_eq!(log.of(CALL, SINCE).states.len(), 20);
    for _ in 0..3 {
        tell(&mut log, CALL, 100 * 1024);
    }
    assert_eq!(log.of(CALL, SINCE).states.len(), 2, "256 KiB have room for no third");
    tell(&mut log, CALL, 300 * 1024);
    assert!(
        log.of(CALL, SINCE).states.is_empty(),
        "the last state is too large, and an older one is not the last"
    );
    for _ in 0..50 {
        tell(&mut log, CallId(2), 100 * 1024);
    }
    tell(&mut log, CallId(3), 100);
    let bytes = |log: &RequestLog| log.states.iter().map(|state| state.json.text().len()).sum::<usize>();
    assert_eq!(bytes(&log.of(CallId(3), SINCE)), 100);
    assert_eq!(
        bytes(&log.of(CallId(2), SINCE)),
        200 * 1024,
        "of one that was not watched, what fits once it is"
    );
}

#[test]
fn of_very_many_calls_the_lines_are_bounded_together() {
    let mut log = Log::default();
    for call in 0..30_000 {
        for n in 0..20 {
            log.add(CallId(call), line(n, Brought::News));
        }
    }
    assert!(log.count() <= 400_000, "{}", log.count());
    assert!(log.of(CallId(0), SINCE).exchanges.is_empty(), "the oldest call has given way");
    assert_eq!(log.of(CallId(29_999), SINCE).exchanges.len(), 20);
}
