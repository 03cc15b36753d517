//! The real window under load, as a person scrolls, types and waits: frames, and the time until something shows.
//!
//! WebKitGTK rounds times to whole milliseconds, so long frames are counted. What is measured runs in the page
//! (`page.js`), through WebDriver, on a display without a GPU.

pub(crate) mod board;
mod large;
pub(crate) mod scripted;

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use signalbox_demo::DemoWire;
use signalbox_model::{Identity, InputRequest, Json, Mode, RequestId, Timestamp};
use signalbox_store::Write;
use signalbox_tests::Figure;
use signalbox_tests::window::app::App;
use signalbox_tests::window::desktop::Desktop;
use tempfile::TempDir;
use tokio::time::Instant;

use crate::accounting::pass;
use crate::best;
use crate::demo::{Demos, Script};
use crate::stock::{self, Stock};

const ROWS: usize = 10_000;
const HOUR_MS: i64 = 3_600_000;
/// How long a window is scrolled.
const SCROLL: Duration = Duration::from_secs(10);
/// How often a window is opened for what it shows first.
const COLD: usize = 3;
const SERVERS: usize = 20;

/// What the page found.
#[derive(Debug, Deserialize)]
struct Frames {
    /// Times between frames, in ms.
    lengths: Vec<f64>,
    /// What a step of scrolling takes until all is drawn anew and laid out, before any of it is painted, in ms.
    works: Vec<f64>,
    /// Frames that showed a place without a row.
    blank: u32,
    /// From a key to the paint behind it, in ms.
    inputs: Vec<f64>,
}

/// How long an act takes, in ms.
#[derive(Debug, Deserialize)]
struct Took {
    /// Until the page asks for the list; 0 where it had it.
    asked: f64,
    /// Until it has the list; 0 where it had it.
    answered: f64,
    /// Until it is painted.
    painted: f64,
}

impl Took {
    /// The slower of both.
    fn meet(&mut self, other: &Self) {
        self.answered = self.answered.max(other.answered);
        self.painted = self.painted.max(other.painted);
    }
}

/// All of it.
pub(crate) async fn figures() -> Vec<Figure> {
    let mut figures = still().await;
    figures.extend(moving().await);
    figures.extend(flood().await);
    figures.extend(large::figures().await);
    figures.push(inbox().await);
    figures
}

/// 10,000 rows of which none changes, scrolled.
async fn still() -> Vec<Figure> {
    let place = stock::place();
    let mut stock = Stock::open(place.path());
    let now = stock::now();
    let server = stock.server("http://127.0.0.1:9/mcp", now);
    for n in 0..ROWS {
        let mut call = stock.call(server, &format!("still-{n}"), 5_000, now);
        call.tool = "deploy".into();
        call.summary = format!("shard {n}, staging");
        call.next_poll_at = Some(now.plus_ms(HOUR_MS));
        stock.write(vec![Write::PutCall(Box::new(call))]);
    }
    stock.close();
    let window = Window::open(place).await;
    window.go("Tasks").await;
    let frames = window.scroll().await;
    window.app.terminate().await;
    let name = |what: &str| format!("window: scrolling 10,000 still rows, {what}");
    vec![
        Figure::under(5.0, &name("frames over 20 ms"), share(&frames.lengths, 20.0), "%"),
        Figure::under(1.0, &name("frames over 34 ms"), share(&frames.lengths, 34.0), "%"),
        Figure::under(1.0, &name("frames with a blank row"), f64::from(frames.blank), ""),
        Figure::under(8.0, &name("script, style and layout p95"), percentile(frames.works, 0.95), "ms"),
    ]
}

/// 1,000 of 10,000 rows changing a second, through the engine.
async fn moving() -> Vec<Figure> {
    let script = Script { wire: DemoWire::Modern, servers: SERVERS, speed: 1, chatty: true, push: false };
    let mut demos = Demos::start(script).await;
    let lines = demos.tasks(DemoWire::Modern, ROWS / SERVERS).await;
    let place = stock::place();
    // A poll comes an interval after the last one's answer, so that ten seconds would give fewer than 1,000 a second.
    stock::with_tasks(place.path(), 9_000, 9_000, &lines);
    let window = Window::open(place).await;
    window.go("Tasks").await;
    // All of them have been polled by then.
    pass(Duration::from_secs(12)).await;
    let (before, began) = (demos.received().await, Instant::now());
    let frames = window.scroll().await;
    #[expect(clippy::cast_precision_loss, reason = "thousands")]
    let rate = (demos.received().await - before) as f64 / began.elapsed().as_secs_f64();
    window.app.terminate().await;
    println!("frames: {rate:.0} rows changed a second");
    let name = |what: &str| format!("window: 1,000 of 10,000 rows changing a second, {what}");
    let mut figures = vec![
        Figure::under(5.0, &name("frames over 34 ms"), share(&frames.lengths, 34.0), "%"),
        Figure::under(100.0, &name("input to paint p95"), percentile(frames.inputs, 0.95), "ms"),
    ];
    // With fewer it is another figure.
    figures.iter_mut().for_each(|figure| figure.met &= rate >= 1_000.0);
    figures
}

/// 10,000 changes a second, out of a script.
async fn flood() -> Vec<Figure> {
    let place = stock::place();
    let desktop = desktop(&place).await;
    let desk = scripted::start(&desktop.machine, place.path()).await;
    let window = Window::on(&desktop).await;
    window.go("Tasks").await;
    let frames = window.scroll().await;
    window.app.terminate().await;
    drop(desk);
    let name = |what: &str| format!("window: 10,000 changes a second of a scripted desk, {what}");
    vec![
        Figure::under(5.0, &name("frames over 34 ms"), share(&frames.lengths, 34.0), "%"),
        Figure::under(100.0, &name("input to paint p95"), percentile(frames.inputs, 0.95), "ms"),
    ]
}

/// 10,000 open questions.
async fn inbox() -> Figure {
    let place = stock::place();
    let mut stock = Stock::open(place.path());
    let now = stock::now();
    let server = stock.server("http://127.0.0.1:9/mcp", now);
    for n in 0..u32::try_from(ROWS).unwrap() {
        let mut call = stock.call(server, &format!("asking-{n}"), 5_000, now);
        call.tool = "deploy".into();
        call.open_requests = 1;
        call.next_poll_at = Some(now.plus_ms(HOUR_MS));
        let identity = Identity::Task { call: call.id, key: "approval".into() };
        let message = format!("Approve deployment {n} to production?");
        let schema =
            serde_json::json!({ "type": "object", "properties": { "approved": { "type": "boolean" } } });
        let params = serde_json::json!({ "message": message, "requestedSchema": schema });
        let raw = Json::of(&serde_json::json!({ "method": "elicitation/create", "params": params }));
        let request = InputRequest {
            call: Some(call.id),
            method: "elicitation/create".into(),
            mode: Mode::Form,
            message,
            schema: Some(Json::of(&schema)),
            raw,
            ..InputRequest::new(RequestId(n + 1), server, identity, Timestamp(now.0 + i64::from(n)))
        };
        stock.write(vec![Write::PutCall(Box::new(call)), Write::PutRequest(Box::new(request))]);
    }
    stock.close();
    let (desktop, mut rounds) = (desktop(&place).await, Vec::new());
    for _ in 0..COLD {
        // A window of its own each time: the next one would have the rows of the last.
        let window = Window::on(&desktop).await;
        window.go("Settings").await;
        let act = "[...document.querySelectorAll('nav button')].find((place) => place.textContent.startsWith('Inbox')).click()";
        let shows = "document.querySelectorAll('[role=option]').length > 4 \
            && [...document.querySelectorAll('h1')].some((head) => head.textContent.includes('Approve'))";
        rounds.push(window.time(act, shows).await.painted);
        window.app.terminate().await;
    }
    Figure::under(100.0, "window: to the open inbox with 10,000 questions", best(rounds), "ms")
}

/// A desktop whose programs have this data directory.
async fn desktop(place: &TempDir) -> Desktop {
    let mut desktop = Desktop::without_notifications().await;
    desktop.machine = desktop.machine.with("SIGNALBOX_HOME", place.path());
    desktop
}

/// A window on a data directory.
struct Window {
    app: App,
    /// From the start of its program until it was interactive, in ms.
    interactive: f64,
    /// What was made for this one alone: it stays as long.
    _own: Option<(Desktop, TempDir)>,
}

impl Window {
    async fn open(place: TempDir) -> Self {
        let desktop = desktop(&place).await;
        let Self { app, interactive, .. } = Self::on(&desktop).await;
        Self { app, interactive, _own: Some((desktop, place)) }
    }

    async fn on(desktop: &Desktop) -> Self {
        let started = Instant::now();
        let app = App::start(desktop, &[]).await;
        let interactive = started.elapsed().as_secs_f64() * 1e3;
        app.resize(1280, 800).await;
        let window = Self { app, interactive, _own: None };
        window.now(include_str!("page.js")).await;
        window
    }

    async fn go(&self, place: &str) {
        self.app.go(place).await;
    }

    /// What a script returns.
    async fn now(&self, script: &str) -> Value {
        self.app.0.execute(script, Vec::new()).await.unwrap()
    }

    async fn until(&self, script: &str) {
        self.app.until(script, async || (self.now(script).await == true).then_some(())).await;
    }

    async fn begin(&self, scrolls: bool) {
        self.now(&format!("window.frames.begin({scrolls})")).await;
    }

    async fn end(&self) -> Frames {
        serde_json::from_value(self.now("return window.frames.end()").await).unwrap()
    }

    /// Scrolls, and presses a key now and then.
    async fn scroll(&self) -> Frames {
        self.until("return document.querySelectorAll('[role=row]').length > 4").await;
        self.begin(true).await;
        let began = Instant::now();
        while began.elapsed() < SCROLL {
            pass(Duration::from_millis(200)).await;
            // It does nothing: what is measured is how soon the page comes to it, and paints.
            self.app.keys("x").await;
        }
        let frames = self.end().await;
        println!(
            "frames: {} of {:.1} ms at p50 and {:.1} at p95; script, style and layout {:.1} and {:.1}; {} inputs of {:.1} at p95",
            frames.lengths.len(),
            percentile(frames.lengths.clone(), 0.5),
            percentile(frames.lengths.clone(), 0.95),
            percentile(frames.works.clone(), 0.5),
            percentile(frames.works.clone(), 0.95),
            frames.inputs.len(),
            percentile(frames.inputs.clone(), 0.95),
        );
        frames
    }

    /// From an act to what shows it.
    async fn time(&self, act: &str, shows: &str) -> Took {
        self.now(&format!("window.frames.time(() => {{ {act} }}, () => {shows})")).await;
        self.until("return window.frames.took !== null").await;
        let took: Took = serde_json::from_value(self.now("return window.frames.took").await).unwrap();
        println!(
            "frames: {:.0} ms until asked, {:.0} until answered, {:.0} until painted, for {act}",
            took.asked, took.answered, took.painted
        );
        took
    }
}

/// How many are above this, in percent.
#[expect(clippy::cast_precision_loss, reason = "thousands")]
fn share(times: &[f64], above: f64) -> f64 {
    let long = times.iter().filter(|time| **time > above).count();
    100.0 * long as f64 / times.len() as f64
}

/// No number where nothing was measured, which is a miss.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "thousands"
)]
fn percentile(mut times: Vec<f64>, part: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(((times.len() as f64 - 1.0).max(0.0) * part) as usize).copied().unwrap_or(f64::NAN)
}
