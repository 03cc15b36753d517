//! Lists of 10,000 live and 100,000 finished tasks: how long a filter, an order or a grouping takes that nobody asked for yet, and how
//! long the palette takes to find something among them.

use std::sync::Arc;
use std::time::Duration;

use signalbox_api::command::Palette;
use signalbox_api::{Desk, DeskExt as _, ListOf, ListQuery, PaletteItem, View, ViewData, look};
use signalbox_model::CallId;
use signalbox_tests::Figure;
use tokio::time::Instant;

use crate::desk::follow;
use crate::stock::{self, Stock};
use crate::{ROUNDS, best, opening};

/// Rows of one window.
const ROWS: u32 = 300;
/// What people ask, each a filter, an order and a grouping.
const ASKED: [[&str; 3]; 9] = [
    ["", "-started", "is"],
    ["failed", "", ""],
    ["is:working", "changed", ""],
    ["checkout -server:server-03", "", "server"],
    ["outcome:ok ended<12h", "-ended", "day"],
    ["age>1h silent>10m", "", ""],
    ["", "server,-ended,tool", "none"],
    ["", "tool,status", "tool"],
    ["status:completed server:server-01,server-02", "ended", "status"],
];
/// What people type into the palette: nothing yet, one letter, a tool, a part of the arguments, both, and what is nowhere.
const LOOKED_FOR: [&str; 7] = ["", "e", "deploy", "checkout", "deploy chec", "server-03 out", "qzx"];

pub(crate) async fn figures() -> Vec<Figure> {
    let place = stock::place();
    let mut stock = Stock::open(place.path());
    opening::fill(&mut stock);
    stock.close();
    let opened = follow(place.path()).await;
    let desk = opened.desk();
    let began = Instant::now();
    let all = until_whole(&desk, "tool:deploy").await;
    let whole = began.elapsed();
    println!("lists: {all} tasks are read in {whole:.1?}");

    let mut slowest: (f64, String) = (0.0, String::new());
    for [filter, sort, group] in ASKED {
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            // A server that nobody has makes it a list that nobody asked for yet.
            let query = query(&format!("{filter} -server:nobody-{round}"), sort, group);
            let began = Instant::now();
            let changes =
                desk.changes(View::Tasks { query, offset: 0, limit: ROWS }, None, Duration::ZERO).await;
            rounds.push(began.elapsed().as_secs_f64() * 1e3);
            assert!(changes.unwrap().data.is_some());
        }
        let took = best(rounds);
        println!("lists: {took:.1} ms for {filter:?} by {sort:?} under {group:?}");
        if took > slowest.0 {
            slowest = (took, format!("{filter} {sort} {group}"));
        }
    }
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let offers = look::Offers {
            list: ListOf::Tasks,
            within: String::new(),
            before: "is:ended s".into(),
            after: String::new(),
        };
        let began = Instant::now();
        let offers = desk.see(offers).await.unwrap();
        rounds.push(began.elapsed().as_secs_f64() * 1e3);
        assert!(!offers.is_empty());
    }
    let palette = palette(&desk).await;
    // It stands in every result, and in no row.
    let began = Instant::now();
    assert_eq!(until_whole(&desk, "rollback").await, opening::FINISHED);
    let searched = began.elapsed();
    opened.close().await;
    println!("lists: the slowest is {}", slowest.1);
    vec![
        Figure::under(3.0, "until 110,000 tasks can be filtered", whole.as_secs_f64(), "s"),
        Figure::under(50.0, "the slowest filter, order or group over 110,000 tasks", slowest.0, "ms"),
        Figure::under(
            10.0,
            "until 100,000 results are looked through for a word",
            searched.as_secs_f64(),
            "s",
        ),
        Figure::under(50.0, "what may be meant by a filter over 110,000 tasks", best(rounds), "ms"),
        Figure::under(30.0, "what the palette finds for a few letters among 110,000 tasks", palette, "ms"),
    ]
}

/// How long the slowest of what people look for takes in the palette, in milliseconds.
async fn palette(desk: &Arc<dyn Desk>) -> f64 {
    let recent: Vec<_> = (1..=8).map(|id| PaletteItem::Task { id: CallId(id) }).collect();
    let mut slowest: f64 = 0.0;
    for text in LOOKED_FOR {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let act = Palette { text: text.into(), own: Vec::new(), recent: recent.clone(), limit: 50 };
            let began = Instant::now();
            let found = desk.act(act).await.unwrap();
            rounds.push(began.elapsed().as_secs_f64() * 1e3);
            assert!(found.complete);
        }
        let took = best(rounds);
        println!("lists: {took:.1} ms for {text:?} in the palette");
        slowest = slowest.max(took);
    }
    slowest
}

fn query(filter: &str, sort: &str, group: &str) -> ListQuery {
    ListQuery { filter: filter.into(), sort: sort.into(), group: group.into(), ..ListQuery::default() }
}

/// How many tasks a filter shows once its list is whole.
async fn until_whole(desk: &Arc<dyn Desk>, filter: &str) -> u32 {
    let mut after = None;
    loop {
        let view = View::Tasks { query: query(filter, "", ""), offset: 0, limit: 1 };
        let changes = desk.changes(view, after, Duration::from_secs(60)).await.unwrap();
        after = Some(changes.cursor);
        if let Some(ViewData::Tasks { page }) = changes.data
            && page.complete
        {
            return page.total;
        }
    }
}
