//! The legacy wire, against peers that the test leads by hand.

mod asking;
mod events;
mod finding;
mod old_sse;
mod sessions;
mod streams;
mod tasks_of_ours;

use std::time::Duration;

use signalbox_mcp::{
    Client, Connection, Declared, Error, FoundServer, Options, Remembered, Session, SessionEvent,
    SessionEvents,
};
use signalbox_model::{Json, Wire};

use crate::{
    peer::{Events, Peer, soon},
    pipe::Pipe,
    support::response,
};

pub(crate) const INITIALIZED: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tasks":{"list":{},"cancel":{},
    "requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"old","version":"0.9","title":"The old one"}}"#;

pub(crate) const ALL: Declared = Declared { sampling: true, roots: true, host_tasks: true };

/// Waits that no test can feel.
pub(crate) fn swift() -> Options {
    Options {
        declared: ALL,
        reconnect_delay: Duration::from_millis(1),
        reconnect_delay_max: Duration::from_millis(2),
        ..Options::default()
    }
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).expect("the test's own JSON")
}

pub(crate) fn legacy() -> Remembered {
    Remembered { wire: Some(Wire::Legacy), session: None }
}

/// A session and what belongs to it.
pub(crate) struct Opened {
    pub(crate) client: Client,
    pub(crate) found: FoundServer,
    pub(crate) session: Session,
    pub(crate) events: SessionEvents,
    pub(crate) resumed: bool,
}

impl Opened {
    pub(crate) fn of(client: Client, connection: Result<Connection, Error>) -> Self {
        match connection {
            Ok(Connection::Legacy { found, session, events, resumed }) => {
                Self { client, found, session, events, resumed }
            }
            Ok(Connection::Modern(found)) => panic!("modern: {found:?}"),
            Err(error) => panic!("{error:?}"),
        }
    }

    /// The next event but those about the push stream.
    pub(crate) async fn event(&mut self) -> SessionEvent {
        loop {
            match soon("an event", self.events.next()).await.expect("the session goes on") {
                SessionEvent::Push(_) => {}
                event => return event,
            }
        }
    }
}

/// Connects in the background, so that the test can play the server.
pub(crate) fn connecting(
    client: &Client,
    remembered: Remembered,
) -> tokio::task::JoinHandle<Result<Connection, Error>> {
    let client = client.clone();
    tokio::spawn(async move { client.connect(remembered).await })
}

/// A session over Streamable HTTP with its push stream.
pub(crate) async fn over_http(options: Options) -> (Peer, Opened, Events) {
    let mut peer = Peer::start().await;
    let client = peer.client(options);
    let connecting = connecting(&client, legacy());
    let initialize = peer.take("initialize").await;
    let body = initialize.request.result(INITIALIZED);
    let headers =
        "content-type: application/json\r\nmcp-session-id: s-1\r\ndate: Fri, 28 Nov 2025 10:00:00 GMT\r\n";
    initialize.bytes(&response(200, headers, &body)).await;
    peer.take("notifications/initialized").await.accept().await;
    let push = peer.take("GET").await.stream().await;
    let opened = Opened::of(client, connecting.await.expect("no panic"));
    (peer, opened, push)
}

/// A session over stdio.
pub(crate) async fn over_stdio(options: Options) -> (Pipe, Opened) {
    let (mut pipe, client) = Pipe::start(options);
    let connecting = connecting(&client, legacy());
    let initialize = pipe.take("initialize").await;
    pipe.result(&initialize, &INITIALIZED.replace('\n', "")).await;
    pipe.take("notifications/initialized").await;
    let opened = Opened::of(client, connecting.await.expect("no panic"));
    (pipe, opened)
}
