//! Each server through our `mcp` crate alone: what it does on the wire.

mod everything;
mod python;
mod script;

use serde_json::{Value, json};
use signalbox_mcp::{
    CallOptions, CallReply, Client, Connection, Declared, Endpoint, FoundServer, Options, Remembered,
    ServerNews, ServerRequest, Session, SessionEvent, SessionEvents, SessionReply, TaskView, TaskWish,
};
use signalbox_model::Json;
use signalbox_tests::soon;

use crate::kit::{Foreign, Http, Kind, Transport};

/// A server of the legacy wire and our session with it.
struct Opened {
    foreign: Foreign,
    /// Where it listens, if it does.
    http: Option<Http>,
    client: Client,
    found: FoundServer,
    session: Session,
    events: SessionEvents,
    resumed: bool,
}

/// A client that says that it can do everything.
fn client(endpoint: Endpoint) -> Client {
    let declared = Declared { sampling: true, roots: true, host_tasks: true };
    Client::new(endpoint, Options { declared, ..Options::default() })
}

fn raw(value: &Value) -> Json {
    Json::of(value)
}

fn value(raw: &Json) -> Value {
    serde_json::from_str(raw.text()).unwrap()
}

/// The text of a result.
fn said(result: &Json) -> String {
    value(result)["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{}", result.text())).to_owned()
}

impl Opened {
    async fn new(kind: Kind, transport: Transport) -> Self {
        let foreign = Foreign::new(kind);
        let http = match transport {
            Transport::Http => Some(foreign.listen().await),
            Transport::Stdio => None,
        };
        Self::connect(foreign, http, Remembered::default()).await
    }

    async fn connect(foreign: Foreign, http: Option<Http>, remembered: Remembered) -> Self {
        let endpoint = http.as_ref().map_or_else(|| foreign.endpoint(), Http::endpoint);
        let client = client(endpoint);
        match soon("a connection", client.connect(remembered)).await.unwrap() {
            Connection::Legacy { found, session, events, resumed } => {
                Self { foreign, http, client, found, session, events, resumed }
            }
            Connection::Modern(found) => panic!("a server of the legacy wire: {found:?}"),
        }
    }

    /// We end as a crash ends us, and begin anew with what is remembered.
    async fn again(self, remembered: Remembered) -> Self {
        self.client.close().await;
        Self::connect(self.foreign, self.http, remembered).await
    }

    /// Calls a tool as a task; its id.
    async fn call(&self, tool: &str, arguments: &Value) -> String {
        let options =
            CallOptions { task: Some(TaskWish { ttl_ms: Some(600_000) }), ..CallOptions::default() };
        let called = soon(tool, self.session.call_tool(tool, &raw(arguments), options)).await.unwrap();
        match called.reply {
            CallReply::Task(task) => task.task_id.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    async fn plain(&self, tool: &str) -> Json {
        let none = raw(&json!({}));
        let called = self.session.call_tool(tool, &none, CallOptions::default());
        soon(tool, called).await.unwrap().raw
    }

    async fn task(&self, id: &str) -> TaskView {
        TaskView::read_legacy(&soon("a look", self.session.get_task(id)).await.unwrap())
    }

    /// Holds `tasks/result` until the end.
    fn held(&self, id: &str) -> tokio::task::JoinHandle<Result<Json, signalbox_mcp::Error>> {
        let (session, id) = (self.session.clone(), id.to_owned());
        tokio::spawn(async move { session.task_result(&id, None).await })
    }

    async fn event(&mut self) -> SessionEvent {
        soon("an event", self.events.next()).await.expect("the session goes on")
    }

    /// The next request of the server; what it tells before is passed over.
    async fn asked(&mut self) -> ServerRequest {
        loop {
            if let SessionEvent::Request(request) = self.event().await {
                return *request;
            }
        }
    }

    /// The next status of a task that the server tells by itself.
    async fn told(&mut self) -> TaskView {
        loop {
            if let SessionEvent::Notification(notification) = self.event().await
                && let ServerNews::TaskStatus(task) = notification.news
            {
                return task;
            }
        }
    }

    async fn reply(&self, id: &str, result: &Value) {
        let replied = soon("a reply", self.session.reply(id, SessionReply::Result(raw(result)))).await;
        assert_eq!(replied, Ok(signalbox_mcp::SessionReplied::Delivered));
    }
}

/// The result of a task that was held.
async fn result(held: tokio::task::JoinHandle<Result<Json, signalbox_mcp::Error>>) -> Json {
    soon("a result", held).await.unwrap().unwrap()
}
