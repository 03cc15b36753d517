//! What a person does with tasks, among 110,000 of them: finds one by a few letters, reads a long result, compares two runs, picks
//! many at once.

use serde_json::json;
use signalbox_model::{Json, Origin, Outcome, PayloadKind, Status, Tracking};
use signalbox_store::Write;
use signalbox_tests::Figure;
use signalbox_tests::window::page::ESCAPE;

use super::{Window, percentile};
use crate::opening;
use crate::stock::{self, Stock};

/// Lines of a result of about 20 MB.
const LONG: usize = 400_000;
/// Lines of a result that differs from the one before.
const COMPARED: usize = 4_000;
/// Puts a text where a person would type it now: React hears of it by the element's own setter alone.
const TYPE: &str = "window.type = (text) => {
  const field = document.activeElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}";
/// The rows of the list, without its head.
const ROWS: &str = "[...document.querySelectorAll('[role=row]')].filter((row) => row.querySelector('[role=gridcell]') !== null)";
/// What the task's pane says.
const PANE: &str = "(document.querySelector('[role=region][aria-label=Task]')?.textContent ?? '')";

/// All of it, in one window.
pub(crate) async fn figures() -> Vec<Figure> {
    let place = stock::place();
    let mut stock = Stock::open(place.path());
    opening::fill(&mut stock);
    runs(&mut stock);
    stock.close();
    let window = Window::open(place).await;
    window.now(TYPE).await;
    window.go("Tasks").await;
    window.until("return document.body.innerText.includes('report')").await;

    window.app.control('k').await;
    window.until("return document.querySelector('[role=dialog] input') !== null").await;
    window.begin(false).await;
    for letter in "backup check".chars() {
        window.app.keys(&letter.to_string()).await;
    }
    let typed = window.end().await;
    let mut found = 0.0_f64;
    for (letters, finds) in [("train", "train"), ("render staging", "render"), ("crawl mail", "crawl")] {
        let shows =
            format!("document.querySelector('[role=dialog] [role=option]')?.textContent.includes({finds:?})");
        found = found.max(window.time(&format!("type({letters:?})"), &shows).await.painted);
    }
    window.app.keys(&ESCAPE.to_string()).await;
    window.until("return document.querySelector('[role=dialog]') === null").await;

    // Behind 10,000 that are under way, and so among themselves: the longest came last, and stands first.
    window.app.keys("/").await;
    window.now("type('tool:report')").await;
    window.until(&format!("return {ROWS}.length === 3")).await;
    let row = |n: usize| format!("{ROWS}[{n}].querySelector('[role=gridcell]').click()");
    let long = window.time(&row(0), &format!("{PANE}.includes('line 40 of a long report')")).await.painted;
    window.time(&row(1), &format!("{PANE}.includes('line 40 of a short report')")).await;
    let press = format!(
        "[...document.querySelectorAll('[role=region][aria-label=Task] button')].find((button) => button.textContent.includes({:?})).click()",
        "Compare with the run before"
    );
    let compared = window
        .time(
            &press,
            "document.querySelector('[role=group][aria-label=\"Compared with the run before\"]') !== null",
        )
        .await
        .painted;
    window.app.keys("/").await;
    window.now("type('')").await;
    window
        .until("return Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) > 110_000")
        .await;
    let all = "document.querySelector('[role=grid]').dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', ctrlKey: true, bubbles: true }))";
    let picked =
        window.time(all, "document.body.innerText.includes('1,000 picked, the most at once')").await.painted;
    window.app.terminate().await;
    vec![
        Figure::under(
            50.0,
            "window: typing into the palette over 110,000 tasks, key to paint p95",
            percentile(typed.inputs, 0.95),
            "ms",
        ),
        Figure::under(100.0, "window: what the palette finds among 110,000 tasks, painted", found, "ms"),
        Figure::under(250.0, "window: a task with a result of 20 MB, to its first piece", long, "ms"),
        Figure::under(500.0, "window: compared with the run before, 4,000 lines each", compared, "ms"),
        Figure::under(250.0, "window: 1,000 of 110,000 tasks picked", picked, "ms"),
    ]
}

/// Two runs of one tool that differ in a line, and one with a result of 20 MB.
fn runs(stock: &mut Stock) {
    let now = stock::now();
    let server = stock.server("http://127.0.0.1:9/mcp", now);
    let short = |changed: &str| {
        let line = |n: usize| match n {
            2_000 => format!("changed {changed}\n"),
            _ => format!("line {n} of a short report\n"),
        };
        (0..COMPARED).map(line).collect::<String>()
    };
    let long: String =
        (0..LONG).map(|n| format!("line {n} of a long report, with so many more words\n")).collect();
    for (n, (text, arguments)) in
        [(short("before"), json!({})), (short("at line 2000"), json!({})), (long, json!({ "all": true }))]
            .into_iter()
            .enumerate()
    {
        let at = now.plus_ms(i64::try_from(n).unwrap());
        let mut call = stock.call(server, &format!("report-{n}"), 5_000, at);
        (call.origin, call.tool) = (Origin::Started, "report".into());
        (call.status, call.outcome, call.tracking) = (Status::Completed, Some(Outcome::Ok), Tracking::Done);
        call.ended_at = Some(at);
        let payload = |kind, json: Json| Write::PutPayload { call: call.id, kind, json };
        let result = json!({ "content": [{ "type": "text", "text": text }], "isError": false });
        let arguments = payload(PayloadKind::Arguments, Json::of(&arguments));
        let result = payload(PayloadKind::Result, Json::of(&result));
        stock.write(vec![Write::PutCall(Box::new(call)), arguments, result]);
    }
}
