//! A store with 10,000 live and 100,000 finished tasks: from opening it to the first view of a window.

use std::time::Duration;

use signalbox_api::View;
use signalbox_model::{Event, EventKind, Json, Outcome, PayloadKind, Status, Timestamp, Tracking};
use signalbox_store::Write;
use signalbox_tests::Figure;
use tokio::time::Instant;

use crate::desk::{first_rows, follow};
use crate::stock::{self, Stock};
use crate::{ROUNDS, best};

const SERVERS: usize = 20;
const LIVE: u32 = 10_000;
/// Each has a result.
pub(crate) const FINISHED: u32 = 100_000;
/// Rows of the first view.
const ROWS: u32 = 100;
const HOUR_MS: i64 = 3_600_000;
const TOOLS: [&str; 10] =
    ["deploy", "build", "test", "lint", "migrate", "backup", "index", "crawl", "render", "train"];
const SERVICES: [&str; 9] =
    ["checkout", "search", "billing", "catalog", "gateway", "mail", "media", "reports", "accounts"];

/// Until the overview and the first rows are there.
pub(crate) async fn figure() -> Figure {
    let place = stock::place();
    let started = Instant::now();
    let mut stock = Stock::open(place.path());
    fill(&mut stock);
    stock.close();
    let size = std::fs::metadata(place.path().join("signalbox.db")).unwrap().len() / 1_000_000;
    println!("opening: {size} MB written in {:.1} s", started.elapsed().as_secs_f64());
    let mut rounds = Vec::new();
    for round in 1..=ROUNDS {
        let started = Instant::now();
        let opened = follow(place.path()).await;
        let engine = started.elapsed();
        let desk = opened.desk();
        let overview = desk.changes(View::Overview, None, Duration::ZERO).await.unwrap();
        let rows = desk.changes(first_rows(ROWS), None, Duration::ZERO).await.unwrap();
        let took = started.elapsed();
        assert!(overview.data.is_some() && rows.data.is_some());
        println!("opening {round}: engine {engine:.1?}, first view {took:.1?}");
        rounds.push(took.as_secs_f64() * 1e3);
        opened.close().await;
    }
    Figure::under(40.0, "open 10,000 live and 100,000 finished tasks, first view", best(rounds), "ms")
}

/// 10,000 live and 100,000 finished tasks at 20 servers, none of which is polled for an hour.
pub(crate) fn fill(stock: &mut Stock) {
    let now = stock::now();
    // Nobody listens there, and nobody is asked: no poll is due for an hour.
    let servers: Vec<_> = (0..SERVERS).map(|_| stock.server("http://127.0.0.1:9/mcp", now)).collect();
    let arguments =
        Json::parse(r#"{"service":"checkout","environment":"staging","version":"2.14.3"}"#).unwrap();
    let text = "Deployed checkout 2.14.3 to staging: 12 instances healthy, no rollback. ".repeat(4);
    let result =
        Json::of(&serde_json::json!({ "content": [{ "type": "text", "text": text }], "isError": false }));
    for n in 0..FINISHED + LIVE {
        let created = now.plus_ms(i64::from(n) * 1000 - HOUR_MS * 48);
        let server = servers[n as usize % SERVERS];
        let mut call = stock.call(server, &format!("{:032x}", u128::from(n) << 64 | 0x5eed), 5_000, created);
        // No order of one column is that of another, and no word is in all rows.
        call.tool = TOOLS[(n as usize * 7) % TOOLS.len()].into();
        call.summary = format!("{}, staging, 2.14.{}", SERVICES[n as usize % SERVICES.len()], n % 101);
        let id = call.id;
        let event = |at: Timestamp, kind, text: &str| {
            Write::AddEvent(Event {
                call: id,
                at,
                kind,
                request: None,
                text: Some(text.to_owned()),
                note: None,
            })
        };
        let payload = |kind, json: &Json| Write::PutPayload { call: id, kind, json: json.clone() };
        let mut writes = vec![
            payload(PayloadKind::Arguments, &arguments),
            event(created, EventKind::Called, "deploy"),
            event(created.plus_ms(200), EventKind::Status, "building image, layer 3/12"),
        ];
        if n < FINISHED {
            call.status = Status::Completed;
            call.outcome = Some(if n % 20 == 7 { Outcome::ToolError } else { Outcome::Ok });
            call.tracking = Tracking::Done;
            call.ended_at = Some(created.plus_ms(i64::from(n.wrapping_mul(2_654_435_761) % 3_600_000)));
            writes.push(payload(PayloadKind::Result, &result));
            writes.push(event(created.plus_ms(60_000), EventKind::Status, "done"));
        } else {
            call.next_poll_at = Some(now.plus_ms(HOUR_MS));
        }
        writes.insert(0, Write::PutCall(Box::new(call)));
        stock.write(writes);
    }
}
