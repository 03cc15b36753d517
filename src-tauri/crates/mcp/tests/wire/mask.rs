//! A secret of ours that a server repeats comes in masked, wherever it stands.

use std::sync::Arc;

use http::HeaderValue;
use signalbox_mcp::{Authorization, Authorize, CallOptions, Error, Options, Pushed, SubscriptionFilter};
use signalbox_model::Json;

use crate::{
    peer::{Peer, soon},
    support::{Server, ok_json},
};

const SECRET: &str = "tok-12/345678";

/// Says who we are with one token, or the other.
struct Tokens;

impl Authorize for Tokens {
    fn authorization(&self) -> Authorization<'_> {
        Box::pin(async { Ok(Some(HeaderValue::from_static("Bearer first-token"))) })
    }

    fn better<'a>(&'a self, _: Option<&'a HeaderValue>, _: Option<&'a str>) -> Authorization<'a> {
        Box::pin(async { Ok(Some(HeaderValue::from_static("Bearer second-token"))) })
    }
}

#[tokio::test]
async fn over_http_in_bodies_events_and_errors() {
    let mut peer = Peer::start().await;
    let client = peer.client(Options::default());
    client.mask(&format!("Bearer {SECRET}"));
    let look = || {
        let client = client.clone();
        tokio::spawn(async move { client.get_task("t").await })
    };
    let said = format!(r#"{{"statusMessage":"you are {SECRET}","n":12345678}}"#);
    let masked = r#"{"statusMessage":"you are [redacted]","n":12345678}"#;
    let body = look();
    peer.take("tasks/get").await.result(&said).await;
    assert_eq!(soon("an answer", body).await.unwrap().unwrap().text(), masked);

    let event = look();
    let asked = peer.take("tasks/get").await;
    let answer = asked.request.result(r#"{"statusMessage":"you are tok\u002d12\/345678","n":12345678}"#);
    let (half, rest) = answer.split_at(answer.find("2d12").unwrap());
    let mut stream = asked.stream().await;
    stream.write(&format!("data: {half}")).await;
    stream.write(&format!("{rest}\n\n")).await;
    assert_eq!(soon("an answer", event).await.unwrap().unwrap().text(), masked, "however it came in pieces");

    let error = look();
    let asked = peer.take("tasks/get").await;
    let refusal =
        asked.request.error(&format!(r#"{{"code":-1,"message":"no {SECRET}","data":["{SECRET}"]}}"#));
    asked.status(400, &refusal).await;
    let Err(Error::Rpc { message, data, raw, .. }) = soon("an error", error).await.unwrap() else {
        panic!("an error");
    };
    assert_eq!((message.as_str(), data.unwrap().text()), ("no [redacted]", r#"["[redacted]"]"#));
    assert!(!raw.text().contains("345678"));

    let pushed = {
        let client = client.clone();
        let wanted = SubscriptionFilter { task_ids: vec!["t".into()], tools_list_changed: false };
        tokio::spawn(async move {
            let mut subscription = client.listen(&wanted).await.unwrap();
            subscription.next().await
        })
    };
    let mut stream = peer.take("subscriptions/listen").await.stream().await;
    let granted = r#"{"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["t"]}}}"#;
    stream.message(granted).await;
    stream
        .message(&format!(r#"{{"method":"notifications/tasks","params":{{"taskId":"t","x":"{SECRET}"}}}}"#))
        .await;
    let Some(Pushed::Task { raw, .. }) = soon("a push", pushed).await.unwrap() else { panic!("a task") };
    assert_eq!(raw.text(), r#"{"taskId":"t","x":"[redacted]"}"#);
}

#[tokio::test]
async fn the_tokens_of_a_sign_in_both_of_them() {
    let server = Server::start(|request| {
        let token = request.headers["authorization"].clone();
        if token.contains("first") {
            return crate::support::response(401, "www-authenticate: Bearer\r\n", "");
        }
        ok_json(&request.result(&format!(r#"["{token}","first-token","second-token","typed-by-me"]"#)))
    })
    .await;
    let client = server.client(Options::default());
    client.authorize_with(Arc::new(Tokens));
    let arguments = Json::parse(r#"{"text":"typed-by-me"}"#).unwrap();
    let called = client.call_tool("t", &arguments, CallOptions::default()).await;
    let Err(Error::Protocol { raw: Some(raw), .. }) = called else { panic!("no object: {called:?}") };
    assert_eq!(raw.text(), r#"["[redacted]","[redacted]","[redacted]","typed-by-me"]"#);
}

#[cfg(unix)]
#[tokio::test]
async fn over_stdio_in_lines_of_either_stream() {
    let script = format!(
        r#"read -r line; echo 'no message: {SECRET}'; echo 'trouble: {SECRET}' >&2
        printf '{{"jsonrpc":"2.0","id":1,"result":{{"x":"%s"}}}}\n' '{SECRET}'; read -r line"#
    );
    let endpoint = signalbox_mcp::Endpoint::Stdio {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script],
        env: Vec::new(),
        cwd: None,
    };
    let client = signalbox_mcp::Client::new(endpoint, Options::default());
    client.mask(SECRET);
    let answer = soon("an answer", client.get_task("t")).await.unwrap();
    assert_eq!(answer.text(), r#"{"x":"[redacted]"}"#);
    client.close().await;
    let mut tail = client.stderr_tail();
    tail.sort();
    assert_eq!(tail, ["no message: [redacted]", "trouble: [redacted]"]);
}
