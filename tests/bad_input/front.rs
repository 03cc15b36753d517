//! What stands before the scripted server and changes what passes, further than the server's own faults go: whole texts,
//! and answers that never end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use signalbox_tests::DemoServer;
use tokio::task::JoinSet;

/// What becomes of an answer.
pub(crate) enum Answer {
    /// It comes like this.
    Text(String),
    /// So much comes instead (bytes), after this beginning, as long as anybody reads.
    Endless { kind: &'static str, begin: &'static str, bytes: u64 },
}

/// A listening front. Dropped, it listens no more.
pub(crate) struct Front {
    pub(crate) url: String,
    /// How many bytes of endless answers were handed over.
    pub(crate) poured: Arc<AtomicU64>,
    _listening: JoinSet<()>,
}

impl Front {
    /// Before this server. Requests pass through `there`; answers, with the method that was asked, through `back`.
    pub(crate) async fn before(
        demo: &DemoServer,
        there: impl Fn(String) -> String + Send + Sync + 'static,
        back: impl Fn(&str, String) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let (behind, ways) = (demo.url(), Arc::new((there, back)));
        let (client, poured) = (reqwest::Client::new(), Arc::<AtomicU64>::default());
        let counted = Arc::clone(&poured);
        let pass = move |mut headers: HeaderMap, body: String| {
            let (client, behind) = (client.clone(), behind.clone());
            let (ways, poured) = (Arc::clone(&ways), Arc::clone(&counted));
            async move {
                let body = ways.0(body);
                let request: Value = serde_json::from_str(&body).unwrap();
                headers.remove(header::CONTENT_LENGTH);
                let answer = client.post(behind).headers(headers).body(body).send().await.unwrap();
                let answer = answer.text().await.unwrap();
                let (kind, body) = match ways.1(request["method"].as_str().unwrap(), answer) {
                    Answer::Text(text) => ("application/json", Body::from(text)),
                    Answer::Endless { kind, begin, bytes } => (kind, endless(begin, bytes, poured)),
                };
                ([(header::CONTENT_TYPE, kind)], body).into_response()
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let mut listening = JoinSet::new();
        let router = Router::new().fallback(pass);
        listening.spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, poured, _listening: listening }
    }
}

fn endless(begin: &'static str, bytes: u64, poured: Arc<AtomicU64>) -> Body {
    const PIECE: u64 = 64 * 1024;
    let piece = Bytes::from(vec![b'0'; usize::try_from(PIECE).unwrap()]);
    let pieces = stream::repeat(piece).take(usize::try_from(bytes / PIECE).unwrap());
    let pieces = pieces.inspect(move |piece| {
        poured.fetch_add(piece.len() as u64, Ordering::Relaxed);
    });
    let begin = stream::once(async { Bytes::from_static(begin.as_bytes()) });
    Body::from_stream(begin.chain(pieces).map(Ok::<_, std::io::Error>))
}
