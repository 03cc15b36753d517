//! 10,000 live and 100,000 ended tasks in the list: until they are there, until an answer shows among them, until they stand in
//! another order.

use signalbox_demo::DemoWire;
use signalbox_tests::Figure;

use super::{SCROLL, Took, Window, percentile};
use crate::accounting::pass;
use crate::demo::{Demos, Script};
use crate::opening;
use crate::stock::{self, Stock};

/// Tasks of which each brings another message every second.
const FRESH: usize = 10;

/// Chooses an option as a person does: React hears of it by the element's own setter alone.
const CHOOSE: &str = "window.choose = (select, value) => {
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, value);
  select.dispatchEvent(new Event('change', { bubbles: true }));
}";

/// What the rows say, without their heads.
const ROWS_SHOWN: &str = "[...document.querySelectorAll('[role=rowgroup]')].at(-1).textContent";

/// All of it, in one window.
pub(super) async fn figures() -> Vec<Figure> {
    let script = Script { wire: DemoWire::Modern, servers: 1, speed: 1, chatty: true, push: false };
    let demos = Demos::start(script).await;
    let lines = demos.tasks(DemoWire::Modern, FRESH).await;
    let place = stock::place();
    let mut stock = Stock::open(place.path());
    opening::fill(&mut stock);
    for (url, ids) in &lines {
        stock.tasks(url, ids, 1_000);
    }
    stock.close();
    let window = Window::open(place).await;
    let interactive = window.interactive;
    window.now(CHOOSE).await;
    window.go("Tasks").await;
    window.until("return document.querySelector('[role=grid]') !== null && !document.body.innerText.includes('Still reading')").await;
    // They were adopted last, and so stand first.
    window.now("window.frames.listen()").await;
    pass(SCROLL).await;
    let ages: Vec<f64> = serde_json::from_value(window.now("return window.frames.heard()").await).unwrap();
    println!(
        "frames: {} rows of {:.1} ms at p50 and {:.1} at p95",
        ages.len(),
        percentile(ages.clone(), 0.5),
        percentile(ages.clone(), 0.95)
    );
    let mut slowest = Took { asked: 0.0, answered: 0.0, painted: 0.0 };
    for (group, shows) in [("server", "server-01"), ("day", "Today"), ("tool", "backup"), ("is", "Working")] {
        let act = format!("choose(document.querySelector('select[aria-label=\"Group by\"]'), {group:?})");
        let shows = format!("document.querySelector('[role=rowheader]')?.textContent.includes({shows:?})");
        slowest.meet(&window.time(&act, &shows).await);
    }
    window.now("choose(document.querySelector('select[aria-label=\"Group by\"]'), 'none')").await;
    window.until("return document.querySelector('[role=rowheader]') === null").await;
    // From the newest first to the oldest, and to those of one server.
    for column in ["Ended", "Server"] {
        let head = format!(
            "[...document.querySelectorAll('[role=columnheader]')].find((head) => head.textContent.includes({column:?}))"
        );
        let before = window.now(&format!("return {ROWS_SHOWN}")).await;
        let act = format!("{head}.querySelector('button').click()");
        let shows = format!("{ROWS_SHOWN} !== {before}");
        slowest.meet(&window.time(&act, &shows).await);
    }
    // To the tasks of one server, and back to those of all.
    for press in [
        "[...document.querySelectorAll('section[aria-label=Servers] button')].find((line) => line.textContent.includes('server-02'))",
        "document.querySelector('button[aria-label^=\"Only tasks of server-02\"]')",
    ] {
        let before = window.now(&format!("return {ROWS_SHOWN}")).await;
        let shows = format!("{ROWS_SHOWN} !== {before}");
        slowest.meet(&window.time(&format!("{press}.click()"), &shows).await);
    }
    window.app.keys("/").await;
    window.begin(false).await;
    for letter in "is:working checkout".chars() {
        window.app.keys(&letter.to_string()).await;
    }
    let typed = window.end().await;
    println!(
        "frames: {} keys of {:.1} ms at p50 and {:.1} at p95",
        typed.inputs.len(),
        percentile(typed.inputs.clone(), 0.5),
        percentile(typed.inputs.clone(), 0.95)
    );
    window.app.terminate().await;
    vec![
        Figure::under(800.0, "window: until interactive on 110,000 tasks", interactive, "ms"),
        Figure::under(
            50.0,
            "window: from a server's answer to its painted row among 110,000 tasks, p95",
            percentile(ages, 0.95),
            "ms",
        ),
        Figure::under(
            50.0,
            "window: the slowest filter, group or order over 110,000 tasks, answered",
            slowest.answered,
            "ms",
        ),
        // Behind the answer come a frame that draws it and one that shows it.
        Figure::under(
            100.0,
            "window: the slowest filter, group or order over 110,000 tasks, painted",
            slowest.painted,
            "ms",
        ),
        Figure::under(
            50.0,
            "window: typing a filter over 110,000 tasks, key to paint p95",
            percentile(typed.inputs, 0.95),
            "ms",
        ),
    ]
}
