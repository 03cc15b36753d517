//! The stories. Each begins with a [`Story`].

mod answer;
mod autostart;
mod away;
mod axe;
mod background;
mod board;
mod browser;
mod cancel;
mod closing;
mod command;
mod deaths;
mod destructive;
mod first;
mod former;
mod held;
mod hostile;
mod importing;
mod keyboard;
mod legacy;
mod life;
mod links;
mod lists;
mod notifications;
mod owner;
mod pages;
mod palette;
mod places;
mod refuse;
mod resident;
mod restart;
mod results;
mod rounds;
mod safe;
mod second_start;
mod secret_answer;
mod secrets;
mod servers;
mod several;
mod sizes;
mod stack;
mod stand;
mod start;
mod survey;
mod tour;
mod tray;
mod triage;
mod trouble;
mod unknown;

use std::num::NonZeroU32;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use signalbox_demo::{Builder, Demo, Fault, ManualClock, Speed};
use signalbox_tests::window::inbox::{decided, open_question, open_questions, take_question};
use signalbox_tests::{DemoServer, signalbox};

use crate::app::App;
use crate::desktop::Desktop;
use crate::page::Page;
use crate::spot;

/// How many times faster than told the scripted server runs, so that it is looked at every 100 ms.
const SPEED: u32 = 10;

/// A desktop, and the scripted server, registered as `ci`, on whose clock time passes only when the story says so.
struct Story {
    desktop: Desktop,
    demo: DemoServer,
    clock: ManualClock,
}

impl Story {
    /// Answers go out at once: a story that is about taking them back says so by its settings.
    async fn begin() -> Self {
        Self::with(json!({ "undoMs": 0 })).await
    }

    async fn with(settings: Value) -> Self {
        Self::on(Desktop::start().await, settings).await
    }

    async fn on(desktop: Desktop, settings: Value) -> Self {
        Self::around(desktop, Demo::builder(), settings).await
    }

    /// As a window is that nobody has set up: the next question comes by itself.
    async fn at_speed() -> Self {
        let story = Self::begin().await;
        story.desktop.machine.goes_on();
        story
    }

    /// Around a scripted server as set up, but for its clock.
    async fn around(desktop: Desktop, builder: Builder, settings: Value) -> Self {
        let clock = ManualClock::at(Timestamp::now());
        let speed = Speed::times(NonZeroU32::new(SPEED).unwrap());
        let demo = DemoServer::of(builder.speed(speed).clock(clock.clone())).await;
        desktop.set(settings);
        desktop.add(&demo).await;
        Self { desktop, demo, clock }
    }

    /// Lets this much of the scenarios' time pass at the server.
    fn pass(&self, told: Duration) {
        self.clock.advance(told / SPEED);
    }

    /// Starts `deploy` from a terminal and lets it come to its question; the id of the task.
    async fn deploy(&self, service: &str) -> String {
        let task = self.desktop.call("ci", "deploy", &json!({ "service": service })).await;
        self.pass(TO_THE_APPROVAL);
        task["id"].as_str().unwrap().to_owned()
    }

    /// Registers a server as `lab` that is a program of whoever follows it.
    async fn add_program(&self) {
        let program = signalbox();
        let program = program.to_str().unwrap();
        let line = ["server", "add", "lab", "--", program, "demo", "stdio", "--speed", "instant"];
        let _ = self.desktop.machine.run(&line).await.ok();
    }

    /// Opens the window on a task that asks two questions, the one about the time before the person.
    async fn open_on_two_questions(&self) -> App {
        let app = self.desktop.open().await;
        self.desktop.call("ci", "two_questions", &json!({})).await;
        self.pass(Duration::from_secs(2));
        app.hear(&open_questions("2 open questions")).await;
        open_question(&app, "When may it happen?").await;
        app
    }

    /// Opens the window on a task that never ends.
    async fn open_on_the_queue(&self) -> App {
        // Pushed tasks are looked at so seldom that nobody could wait for it here.
        let refused = Fault::Refuse { status: 405, retry_after: None };
        self.demo.faults().next(usize::MAX, "subscriptions/listen", refused);
        let app = self.desktop.open().await;
        drop(self.desktop.call("ci", "forever", &json!({})).await);
        app.go("Tasks").await;
        app.says(&spot::entry("Tasks", "forever"), "watching the queue").await;
        app
    }

    /// A task or request as a terminal shows it.
    async fn show(&self, id: &str) -> Value {
        self.desktop.machine.run(&["show", id]).await.ok()
    }

    /// Waits until a task or request is as wished, as a terminal shows it.
    async fn shows(&self, page: &Page, id: &str, member: &str, value: &str) -> Value {
        page.until(&format!("{member} {value} of {id}"), async || {
            let document = self.show(id).await;
            (document[member] == value).then_some(document)
        })
        .await
    }
}

/// As long as `deploy` works before it asks, and a bit.
const TO_THE_APPROVAL: Duration = Duration::from_secs(8);
/// As long as `deploy` works after its approval, and a bit.
const TO_THE_END: Duration = Duration::from_secs(9);

const APPROVAL: &str = "Approve deployment to production?";
