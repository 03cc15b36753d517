//! Servers that accept and do not answer, or hardly: nobody waits longer than they want to, and nobody else waits at all.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header;
use futures_util::{StreamExt, stream};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use signalbox_tests::{Machine, text};

use crate::beside::Beside;
#[cfg(target_os = "linux")]
use crate::floods::{MB, peak};

/// A listener that keeps every connection and does this with it.
async fn with_each<F: Future<Output = ()> + Send + 'static>(
    does: impl Fn(TcpStream) -> F + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(does(stream));
        }
    });
    format!("http://{address}/mcp")
}

/// Reads all that comes and says nothing.
async fn silence(mut stream: TcpStream) {
    let mut read = [0; 4096];
    while stream.read(&mut read).await.is_ok_and(|len| len > 0) {}
}

/// Answers whatever is asked as a modern server with no tools would, in pieces of a byte.
async fn byte_by_byte(stream: TcpStream) {
    const ANSWER: &str =
        r#""resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"tools":[]"#;
    stream.set_nodelay(true).unwrap();
    let mut stream = BufReader::new(stream);
    loop {
        let (mut line, mut len) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            if !stream.read_line(&mut line).await.is_ok_and(|len| len > 0) {
                return;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                len = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; len];
        stream.read_exact(&mut body).await.unwrap();
        let request: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let body = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{{ANSWER}}}}}"#, request["id"]);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        for byte in format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes() {
            stream.write_all(&[*byte]).await.unwrap();
            stream.flush().await.unwrap();
        }
    }
}

/// Answers everything with an event stream of comments, as fast as anybody reads.
async fn comments() -> String {
    let pour = || async {
        let pieces = stream::repeat(Bytes::from(": still here\n\n".repeat(4096))).map(Ok::<_, Infallible>);
        ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(pieces))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(pour)).await });
    url
}

#[tokio::test]
async fn a_server_that_accepts_and_never_answers() {
    let beside = Beside::with(&["--url", &with_each(silence).await]).await;
    beside.keeps_waiting().await;
    beside.ends().await;
}

#[tokio::test]
async fn several_that_never_answer_and_a_doctor_with_little_time() {
    let machine = Machine::new();
    for name in ["one", "two", "three"] {
        let _ = machine.run(&["server", "add", name, "--url", &with_each(silence).await]).await.ok();
    }
    let of_nobody = machine.run(&["doctor", "--timeout", "2"]).await.exits(8);
    let owner = machine.serve().await;
    let of_an_owner = machine.run(&["doctor", "--timeout", "2"]).await.exits(8);
    for done in [of_nobody, of_an_owner] {
        let document = done.document();
        let said = |name: &str| {
            let mut checks = document["checks"].as_array().unwrap().iter();
            checks.find(|check| check["name"] == name).map(|check| text(check, "message"))
        };
        for name in ["one", "two", "three"] {
            let silent = said(&format!("server:{name}")).unwrap_or_default();
            assert!(silent.starts_with("it did not answer within"), "{document}");
        }
        assert!(said("data_directory").is_some_and(|said| said.contains("ours alone")), "{document}");
        assert!(done.stderr.contains("the time was up"), "a person is told: {done}");
    }
    let _ = owner.terminate().await.exits(0);
}

/// One after the other, not even the second would be asked in this time.
#[tokio::test]
async fn five_that_never_answer_are_looked_at_side_by_side() {
    const NAMES: [&str; 5] = ["one", "two", "three", "four", "five"];
    let machine = Machine::new();
    let (asked, mut asks) = mpsc::unbounded_channel();
    for name in NAMES {
        let asked = asked.clone();
        let url = with_each(move |stream| {
            let asked = asked.clone();
            async move {
                let _ = asked.send(name);
                silence(stream).await;
            }
        });
        machine.add(name, &url.await).await;
    }
    let begun = Instant::now();
    let done = machine.run_plain(&["doctor", "--timeout", "5"]).await.exits(8);
    let took = begun.elapsed();
    for name in NAMES {
        let line = format!("warning  server:{name}: it did not answer within");
        assert_eq!(done.stdout.matches(&line).count(), 1, "one line of {name}: {done}");
    }
    assert!(took < Duration::from_secs(20), "far below five times what one of them may take: {took:?}");
    let mut names = BTreeSet::new();
    while let Ok(name) = asks.try_recv() {
        names.insert(name);
    }
    assert_eq!(names, BTreeSet::from(NAMES), "each was asked, while none of the others had answered");
}

#[tokio::test]
async fn a_server_that_never_begins_tls() {
    let url = with_each(silence).await.replace("http:", "https:");
    let beside = Beside::with(&["--url", &url]).await;
    beside.fails(4, "unreachable", &["cannot be reached"]).await;
    beside.ends().await;
}

#[tokio::test]
async fn a_program_that_never_answers() {
    let beside = Beside::with(&["--", "sh", "-c", "cat > /dev/null"]).await;
    beside.keeps_waiting().await;
    beside.ends().await;
}

#[tokio::test]
async fn an_answer_byte_by_byte() {
    let beside = Beside::with(&["--url", &with_each(byte_by_byte).await]).await;
    let checked = beside.meanwhile(beside.check()).await.ok();
    assert_eq!((&checked["wire"], &checked["tools"]), (&"modern".into(), &0.into()), "{checked}");
    beside.ends().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn comments_without_an_end() {
    let beside = Beside::with(&["--url", &comments().await]).await;
    beside.keeps_waiting().await;
    assert!(peak(&beside.owner) < 150 * MB, "{} MB of memory", peak(&beside.owner) / MB);
    beside.ends().await;
}
