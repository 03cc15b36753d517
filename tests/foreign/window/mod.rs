//! Questions of these servers answered in the real window, each to its receipt and to the end of what asked.

mod everything;
mod python;

use serde_json::{Value, json};
use signalbox_tests::window::app::App;
use signalbox_tests::window::desktop::Desktop;
use signalbox_tests::window::inbox::{decided, open_question, open_questions, send};
use signalbox_tests::window::spot;
use signalbox_tests::{said, text};

use crate::kit::{Foreign, Http, Kind, Transport};

/// A server named `foreign`, and a window that knows it. Answers go out at once.
struct Story {
    foreign: Foreign,
    desktop: Desktop,
    app: App,
    _http: Option<Http>,
}

impl Story {
    async fn begin(kind: Kind, transport: Transport) -> Self {
        let (foreign, desktop) = (Foreign::new(kind), Desktop::start().await);
        desktop.set(json!({ "undoMs": 0 }));
        let http = foreign.register(&desktop.machine, transport).await;
        let app = desktop.open().await;
        Self { foreign, desktop, app, _http: http }
    }

    /// Starts a tool from a terminal and opens its question in the window; the short id of what asks.
    async fn asks(&self, tool: &str, arguments: &Value, title: &str) -> String {
        let call = self.desktop.call("foreign", tool, arguments).await;
        self.app.hear(&open_questions("1 open question")).await;
        open_question(&self.app, title).await;
        self.app.says(&spot::region("Question"), "foreign asks").await;
        text(&call, "id").to_owned()
    }

    /// Sends what is filled in, and sees it to the receipt and to a good end of what asked, which says this; its result.
    async fn sends(&self, asker: &str, end: &str) -> String {
        send(&self.app).await;
        self.ends(asker, "accepted by you", end).await
    }

    /// Sees a decision to its receipt and to a good end of what asked, which says this; its result.
    async fn ends(&self, asker: &str, decision: &str, end: &str) -> String {
        decided(&self.app, decision).await;
        self.app.gone(&open_questions("open question")).await;
        self.app.button("Show task").await;
        self.app.says(&spot::region("Task"), end).await;
        let done = self.desktop.machine.run(&["show", asker]).await.ok();
        assert_eq!(done["outcome"], "ok", "{done}");
        said(&done).to_owned()
    }
}
