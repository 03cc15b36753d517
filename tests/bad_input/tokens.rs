//! A token that expired or was revoked: its server's tasks wait for a better one, nobody else's do.

use std::fs;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::future::join_all;
use serde_json::Value;
use signalbox_tests::{DemoServer, Machine, text};

use crate::beside::Beside;

/// A door before the scripted server: it lets in who shows the token of the day, and refuses others like this.
struct Door {
    url: String,
    token: Arc<Mutex<&'static str>>,
    demo: DemoServer,
}

impl Door {
    async fn refusing(status: u16, challenge: Option<&'static str>) -> Self {
        let demo = DemoServer::start().await;
        let token = Arc::new(Mutex::new("Bearer old"));
        let (behind, today, client) = (demo.url(), Arc::clone(&token), reqwest::Client::new());
        let status = StatusCode::from_u16(status).unwrap();
        let door = move |mut headers: HeaderMap, body: String| {
            let (behind, client) = (behind.clone(), client.clone());
            let shown =
                headers.get(header::AUTHORIZATION).is_some_and(|shown| shown == *today.lock().unwrap());
            async move {
                if !shown {
                    let challenge = challenge.map(|challenge| [(header::WWW_AUTHENTICATE, challenge)]);
                    return (status, challenge.map_or_else(HeaderMap::new, said)).into_response();
                }
                if body.contains("subscriptions/listen") {
                    return StatusCode::METHOD_NOT_ALLOWED.into_response();
                }
                headers.remove(header::CONTENT_LENGTH);
                let answer = client.post(behind).headers(headers).body(body).send().await.unwrap();
                (answer.status(), answer.text().await.unwrap()).into_response()
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let router = Router::new().fallback(door);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, token, demo }
    }
}

fn said(headers: [(header::HeaderName, &'static str); 1]) -> HeaderMap {
    headers.into_iter().map(|(name, value)| (name, value.parse().unwrap())).collect()
}

/// Waits until the task is like this.
async fn tracked(machine: &Machine, task: &Value, tracking: &str) {
    let mut watch = machine.start(&["watch", text(task, "id")]);
    watch.until(tracking, |line| line["task"]["tracking"] == tracking).await;
}

#[tokio::test]
async fn tasks_wait_for_a_better_token_and_go_on_with_it() {
    let refusals =
        [(401, None), (401, Some("Bearer error=\"invalid_token\"")), (403, Some("Bearer")), (403, None)];
    join_all(refusals.map(|(status, challenge)| async move {
        let door = Door::refusing(status, challenge).await;
        let machine = Machine::new();
        let header = format!("Authorization=@{}", machine.file("token", "Bearer old\n"));
        let beside = Beside::on(machine, &["--url", &door.url, "--header", &header]).await;
        let machine = &beside.machine;
        let asked =
            machine.run(&["call", "odd", "deploy", "--args", r#"{"service":"web"}"#, "--no-input"]).await;
        let asked = asked.exits(3).document();

        *door.token.lock().unwrap() = "Bearer new";
        beside.meanwhile(tracked(machine, &asked, "sign_in_needed")).await;
        let failure = beside.check().await.failure(5, "sign_in_needed");
        assert_eq!(failure["retry"], "after_fix", "a person has to do something: {failure}");
        let listed = machine.run(&["server", "list"]).await.ok();
        let states: Vec<_> =
            listed["servers"].as_array().unwrap().iter().map(|s| &s["health"]["state"]).collect();
        assert_eq!(states, ["ok", "sign_in_needed"], "good, odd: {listed}");

        // An answer meanwhile is kept, and delivered once the token is there.
        let answer = ["answer", text(&asked["inputRequests"][0], "id"), "--accept", "--content"];
        let content = r#"{"approved":true,"rollout":"gradual"}"#;
        let queued = machine.run(&[answer.as_slice(), &[content]].concat()).await;
        assert!(matches!(queued.code, Some(4 | 5)), "{status}: kept, not delivered: {queued}");
        fs::write(machine.path("token"), "Bearer new").unwrap();
        let _ = beside.check().await.ok();
        let _ = machine.run(&["watch", text(&asked, "id")]).await.exits(0);
        let done = machine.run(&["show", text(&asked, "id")]).await.ok();
        assert_eq!(done["outcome"], "ok", "{status}: {done}");
        assert_eq!(door.demo.taken("approval").len(), 1, "{status}: once");
        beside.ends().await;
    }))
    .await;
}
