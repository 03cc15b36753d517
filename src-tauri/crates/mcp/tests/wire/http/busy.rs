//! Statuses that ask to wait (429, 503), with and without an answer beside.

use std::time::Duration;

use signalbox_mcp::{CallOptions, Client, Error, Options, RoundAnswers};

use super::arguments;
use crate::support::{Received, Server, response};

const ERROR: &str = r#"{"code":-32000,"message":"full","data":{"x":1.0}}"#;
const JSON: &str = "content-type: application/json\r\nretry-after: 7\r\n";

type Answer = fn(&Received) -> (&'static str, String);

/// Bodies that answer the request, and bodies that do not.
const ERRORS: [Answer; 3] = [
    |r| (JSON, r.error(ERROR)),
    |r| ("retry-after: 7\r\n", r.error(ERROR)),
    |r| ("content-type: text/event-stream\r\nretry-after: 7\r\n", format!("data: {}\n\n", r.error(ERROR))),
];
const NO_ANSWERS: [Answer; 6] = [
    |_| (JSON, String::new()),
    |_| ("content-type: text/html\r\nretry-after: 7\r\n", "<html>".into()),
    |_| (JSON, format!(r#"{{"id":null,"error":{ERROR}}}"#)),
    |_| (JSON, format!(r#"{{"error":{ERROR}}}"#)),
    |_| (JSON, format!(r#"{{"id":99,"error":{ERROR}}}"#)),
    |r| (JSON, r.error(ERROR)[..20].into()),
];

async fn client(status: u16, answer: Answer) -> Client {
    let server = Server::start(move |request| {
        let (headers, body) = answer(request);
        response(status, headers, &body)
    })
    .await;
    server.client(Options::default())
}

fn asks_to_wait(status: u16) -> Error {
    Error::Throttled { status, retry_after: Some(Duration::from_secs(7)) }
}

#[tokio::test]
async fn a_call_is_made_once_so_that_an_answer_to_it_counts() {
    for status in [429, 503] {
        for answer in ERRORS {
            let client = client(status, answer).await;
            let error =
                client.call_tool("t", &arguments(), CallOptions::default()).await.expect_err("an error");
            let Error::Rpc { code: -32000, raw, .. } = error else { panic!("{status}: {error:?}") };
            assert_eq!(raw.text(), ERROR, "kept as it came");
        }
        let client = client(status, |r| (JSON, r.result(r#"{"resultType":"task","taskId":"t"}"#))).await;
        let called = client.call_tool("t", &arguments(), CallOptions::default()).await;
        assert!(called.is_ok(), "no handle is lost: {called:?}");
    }
}

#[tokio::test]
async fn what_is_no_answer_to_the_call_is_a_wish_to_wait() {
    for status in [429, 503] {
        for answer in NO_ANSWERS {
            let client = client(status, answer).await;
            let called = client.call_tool("t", &arguments(), CallOptions::default()).await;
            assert_eq!(called, Err(asks_to_wait(status)));
        }
    }
}

#[tokio::test]
async fn who_asks_again_waits() {
    for status in [429, 503] {
        for answer in ERRORS.into_iter().chain(NO_ANSWERS) {
            let client = client(status, answer).await;
            assert_eq!(client.get_task("t").await, Err(asks_to_wait(status)), "a look ends nothing");
            assert_eq!(client.cancel_task("t").await, Err(asks_to_wait(status)));
            let round = Some(RoundAnswers { request_state: None, input_responses: Vec::new() });
            let called =
                client.call_tool("t", &arguments(), CallOptions { round, ..CallOptions::default() }).await;
            assert_eq!(called, Err(asks_to_wait(status)), "answers of people are not lost for haste");
        }
    }
}
