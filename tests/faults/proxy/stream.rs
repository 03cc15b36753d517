//! Answers that come bit by bit: streams of events, and answers that are long in coming. They pass as they come, until
//! they end, are cut, or nobody reads them any more.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::Instant;

use super::fate::Fate;
use super::http::{self, Coming, Message};
use super::way::{Way, turned_away};
use crate::moment::{sleep, sleep_until};

/// A stream on which nothing comes is cut all the same, so much later.
const SILENT: Duration = Duration::from_millis(200);

/// The two sides of the owner's connection.
pub(super) struct Client<'a, R> {
    pub(super) reading: &'a mut R,
    pub(super) writing: &'a mut OwnedWriteHalf,
}

impl Way {
    /// Whether this request's answer comes bit by bit.
    pub(super) fn is_stream(&self, n: usize) -> bool {
        let sent = self.account.sent();
        match sent[n].method.as_str() {
            "GET" | "tasks/result" | "subscriptions/listen" => true,
            "tools/call" => sent[n].session.is_some() && sent[n].params["task"].is_null(),
            _ => false,
        }
    }

    /// Carries one such request; says whether the connection lives on.
    pub(super) async fn carry<R: AsyncBufRead + Unpin>(
        &self,
        request: &Message,
        n: usize,
        mut client: Client<'_, R>,
    ) -> bool {
        let listens = self.account.sent()[n].method == "subscriptions/listen";
        if listens && !self.how.pushes {
            return no_such_method(client.writing, request).await;
        }
        match self.throw_for_stream(n) {
            Fate::CutBefore => false,
            Fate::Busy => turned_away(client.writing, 503, "retry-after: 0\r\n").await,
            Fate::Slow { there, .. } => {
                sleep(there).await;
                self.flow(request, n, &mut client, None).await
            }
            Fate::Cut(after) => self.flow(request, n, &mut client, Some(Instant::now() + after)).await,
            _ => self.flow(request, n, &mut client, None).await,
        }
    }

    async fn flow<R: AsyncBufRead + Unpin>(
        &self,
        request: &Message,
        n: usize,
        client: &mut Client<'_, R>,
        cut: Option<Instant>,
    ) -> bool {
        let Ok(mut server) = TcpStream::connect(self.upstream).await else { return false };
        if server.write_all(&request.for_the_server()).await.is_err() {
            return false;
        }
        self.account.sent()[n].arrived += 1;
        let writing = &mut *client.writing;
        let flowing = async {
            let Some(mut answer) = Coming::begin(&mut server).await else { return false };
            self.answered(n, answer.status());
            if writing.write_all(&answer.head()).await.is_err() {
                return false;
            }
            while let Some(piece) = answer.piece().await {
                let last = cut.is_some_and(|at| at <= Instant::now());
                let piece = if last { &piece[..piece.len() / 2] } else { &piece };
                if writing.write_all(piece).await.is_err() {
                    return false;
                }
                answer.take(piece);
                self.account.passed(n, answer.messages());
                if last {
                    return false;
                }
            }
            answer.whole()
        };
        let silent = async {
            match cut {
                Some(at) => sleep_until(at + SILENT).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            lives = flowing => lives,
            () = http::hung_up(client.reading) => false,
            () = silent => false,
        }
    }
}

/// The answer of a server that does not push.
async fn no_such_method(client: &mut OwnedWriteHalf, request: &Message) -> bool {
    let request: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let error = json!({ "code": -32601, "message": "Method not found" });
    let body = json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }).to_string();
    let head = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length:";
    client.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await.is_ok()
}
