//! Ids of requests: never one that an earlier run may have used where that matters, and small ones where it does not.

use signalbox_mcp::{
    CallOptions, Connection, Options, Remembered, SavedSession, Subscription, SubscriptionFilter,
};
use signalbox_model::Wire;

use crate::{
    legacy::{INITIALIZED, Opened, connecting, json, over_http, swift},
    peer::{Peer, soon},
    pipe::Pipe,
};

/// As late in time as ids made of the clock can be written as doubles.
const LATE: u64 = (1 << 53) - 1_000;
const MODERN: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28"]}"#;

fn late() -> Options {
    Options { ids_above: LATE, ..swift() }
}

#[tokio::test]
async fn on_the_modern_wire_no_call_has_an_id_of_an_earlier_run() {
    let mut peer = Peer::start().await;
    let client = peer.client(late());
    let finding = connecting(&client, Remembered::default());
    let discover = peer.take("server/discover").await;
    assert_eq!(discover.request.body["id"], 1, "a server of whichever wire can read that");
    discover.result(MODERN).await;
    assert!(matches!(finding.await.unwrap(), Ok(Connection::Modern(_))));
    let calling =
        tokio::spawn(async move { client.call_tool("t", &json("{}"), CallOptions::default()).await });
    let call = peer.take("tools/call").await;
    assert_eq!(call.request.body["id"], LATE + 1);
    call.result(r#"{"content":[]}"#).await;
    assert!(calling.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_session_begins_with_small_ids_and_goes_on_with_others() {
    let (mut peer, opened, _push) = over_http(late()).await;
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    let look = peer.take("tasks/get").await;
    assert_eq!(look.request.body["id"], 2, "after initialize: nobody else has asked in this session");
    look.result("{}").await;
    assert!(looking.await.unwrap().is_ok());

    let mut peer = Peer::start().await;
    let client = peer.client(late());
    let session = Some(SavedSession { id: "s-1".into(), initialized: json(INITIALIZED) });
    let resuming = connecting(&client, Remembered { wire: Some(Wire::Legacy), session });
    let ping = peer.take("ping").await;
    assert_eq!(ping.request.body["id"], LATE + 1);
    ping.result("{}").await;
    let _push = peer.take("GET").await.stream().await;
    let opened = Opened::of(client, resuming.await.unwrap());
    let session = opened.session.clone();
    let looking = tokio::spawn(async move { session.get_task("t").await });
    let look = peer.take("tasks/get").await;
    assert_eq!(look.request.body["id"], LATE + 2);
    // As a server writes it that knows only doubles.
    look.status(200, &format!(r#"{{"id":{:e},"result":{{}}}}"#, LATE + 2)).await;
    assert!(looking.await.unwrap().is_ok(), "as large as it is, it is found");
}

#[tokio::test]
async fn a_server_that_cannot_read_long_ids_gets_short_ones() {
    let saved = || Some(SavedSession { id: "s-1".into(), initialized: json(INITIALIZED) });
    let mut peer = Peer::start().await;
    let client = peer.client(late());
    let resuming = connecting(&client, Remembered { wire: Some(Wire::Legacy), session: saved() });
    let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}"#;
    peer.take("ping").await.status(200, refusal).await;
    let again = peer.take("ping").await;
    assert_eq!(again.request.body["id"], 1);
    again.result("{}").await;
    let _push = peer.take("GET").await.stream().await;
    assert!(Opened::of(client, resuming.await.unwrap()).resumed, "the session is not given up for that");

    let mut peer = Peer::start().await;
    let client = peer.client(late());
    let resuming = connecting(&client, Remembered { wire: Some(Wire::Legacy), session: saved() });
    peer.take("ping").await.status(404, "").await;
    let initialize = peer.take("initialize").await;
    assert_eq!(initialize.request.body["id"], 1, "in a new session no id is used yet");
    initialize.result(INITIALIZED).await;
    peer.take("notifications/initialized").await.accept().await;
    peer.take("GET").await.status(405, "").await;
    assert!(!Opened::of(client, resuming.await.unwrap()).resumed);
}

#[tokio::test]
async fn what_names_a_request_names_it_by_its_large_id_too() {
    let (mut pipe, client) = Pipe::start(late());
    let finding = connecting(&client, Remembered::default());
    let discover = pipe.take("server/discover").await;
    pipe.result(&discover, MODERN).await;
    assert!(matches!(finding.await.unwrap(), Ok(Connection::Modern(_))));

    let (caller, listener) = (client.clone(), client.clone());
    let calling =
        tokio::spawn(async move { caller.call_tool("t", &json("{}"), CallOptions::default()).await });
    assert_eq!(pipe.take("tools/call").await["id"], LATE + 1);
    calling.abort();
    let cancelled = pipe.take("notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], LATE + 1);

    let wanted = SubscriptionFilter { task_ids: vec!["t".into()], tools_list_changed: false };
    let listening: tokio::task::JoinHandle<Result<Subscription, _>> =
        tokio::spawn(async move { listener.listen(&wanted).await });
    let id = pipe.take("subscriptions/listen").await["id"].clone();
    assert_eq!(id, LATE + 2);
    pipe.say(&format!(
        r#"{{"method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{"taskIds":["t"]}},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    ))
    .await;
    let subscription = soon("the acknowledgement", listening).await.unwrap().unwrap();
    assert_eq!(subscription.granted().task_ids, ["t"]);
}
