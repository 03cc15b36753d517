//! Ways that lead elsewhere: redirects, which carry nothing along, and proxies that are not there.

use std::io::ErrorKind;
use std::net::TcpListener;

use axum::Router;
use axum::http::{StatusCode, header};
use signalbox_tests::{DemoServer, Machine, soon, text};

use crate::beside::Beside;

/// Somebody else's address. Nobody may ever connect to it.
fn elsewhere() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/collect", listener.local_addr().unwrap());
    (listener, url)
}

fn untouched(listener: &TcpListener) {
    let nobody = listener.accept().expect_err("nobody connects to where a redirect leads");
    assert_eq!(nobody.kind(), ErrorKind::WouldBlock);
}

/// A server that sends everybody elsewhere, whatever is asked.
async fn redirects(status: u16, location: String) -> String {
    let status = StatusCode::from_u16(status).unwrap();
    let router = Router::new().fallback(move || {
        let location = location.clone();
        async move { (status, [(header::LOCATION, location)]) }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn a_redirect_is_named_and_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let (listener, target) = elsewhere();
        let url = redirects(status, format!("{target}?session=secret")).await;
        let machine = Machine::new().with("CI_TOKEN", "Bearer abc");
        let beside = Beside::on(machine, &["--url", &url, "--header", "Authorization=env:CI_TOKEN"]).await;
        let failure = beside.fails(4, "not_mcp", &["redirect", &target, &status.to_string()]).await;
        assert!(
            !text(&failure, "message").contains("secret"),
            "what may be secret in it is not shown: {failure}"
        );
        let called = beside.machine.run(&["call", "odd", "echo", "--args", r#"{"text":"x"}"#]).await.exits(4);
        assert_ne!(called.document()["outcome"], "unknown", "it was certainly not sent: {called}");
        untouched(&listener);
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named() {
    let (listener, _) = elsewhere();
    let proxy = listener.local_addr().unwrap();
    drop(listener);
    let beside = Beside::with(&["--url", "http://server.invalid/mcp"]).await;
    let edit = ["server", "edit", "odd", "--proxy", &format!("http://me:pa55@{proxy}")];
    let edited = beside.machine.run(&edit).await;
    assert!(matches!(edited.code, Some(0 | 2)), "a password in it may be refused: {edited}");
    let edit = ["server", "edit", "odd", "--proxy", &format!("http://{proxy}")];
    let _ = beside.machine.run(&edit).await.ok();
    beside.fails(4, "unreachable", &["proxy", &proxy.to_string()]).await;
}

#[tokio::test]
async fn a_path_that_is_not_the_servers() {
    let demo = DemoServer::start().await;
    for path in ["/", "/mcp/", "/api", "/mcp?x=1/.."] {
        let url = demo.url().replace("/mcp", path);
        let beside = Beside::with(&["--url", &url]).await;
        let done = beside.meanwhile(beside.check()).await;
        match path {
            // A query is no other path.
            "/mcp?x=1/.." => drop(done.ok()),
            _ => {
                let failure = done.failure(4, "not_mcp");
                assert!(text(&failure, "message").contains("404"), "{failure}");
                let _ = beside.machine.run(&["server", "edit", "odd", "--url", &demo.url()]).await.ok();
                let _ = soon("the right path", beside.check()).await.ok();
            }
        }
    }
}
