//! As much HTTP/1.1 as a proxy between two well-behaved programs on one machine needs.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

/// A request: its head with the empty line, and its body.
pub(crate) struct Message {
    head: String,
    pub(crate) body: Vec<u8>,
}

/// The next request; none when there is no other.
pub(crate) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Message>> {
    let Some(head) = read_head(from).await? else { return Ok(None) };
    let mut body = vec![0; header(&head, "content-length").and_then(|n| n.parse().ok()).unwrap_or(0)];
    from.read_exact(&mut body).await?;
    Ok(Some(Message { head, body }))
}

/// A head with the empty line; none when there is no whole one.
async fn read_head(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if from.read_line(&mut head).await? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(head))
}

/// Resolves when who sends requests has hung up. It sends no other before it has its answer.
pub(super) async fn hung_up(from: &mut (impl AsyncBufRead + Unpin)) {
    if from.fill_buf().await.is_ok_and(|more| !more.is_empty()) {
        std::future::pending::<()>().await;
    }
}

impl Message {
    /// `POST` and the like.
    pub(crate) fn verb(&self) -> &str {
        self.head.split(' ').next().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The same, on a connection that ends with the answer.
    pub(super) fn for_the_server(&self) -> Vec<u8> {
        let head = self.head.trim_end_matches("\r\n");
        [head.as_bytes(), b"\r\nconnection: close\r\n\r\n", &self.body].concat()
    }
}

/// What a server answers, as it comes, until it ends the connection.
pub(super) struct Coming<'a, R> {
    from: BufReader<&'a mut R>,
    head: String,
    /// What was taken of the body, as it came.
    body: Vec<u8>,
    ended: bool,
    /// Messages of its stream that were told.
    told: usize,
}

impl<'a, R: AsyncRead + Unpin> Coming<'a, R> {
    /// Reads the head. None when the server sends none.
    pub(super) async fn begin(from: &'a mut R) -> Option<Self> {
        let mut from = BufReader::new(from);
        let head = read_head(&mut from).await.ok()??;
        Some(Self { from, head, body: Vec::new(), ended: false, told: 0 })
    }

    pub(super) fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
    }

    /// The head as it came, but for the header that ends the connection.
    pub(super) fn head(&self) -> Vec<u8> {
        let lines = self.head.split_inclusive("\r\n");
        let kept = lines.filter(|line| !line.to_ascii_lowercase().starts_with("connection:"));
        kept.collect::<String>().into_bytes()
    }

    /// The next piece of the body, as it comes; none at the end. A connection that breaks leaves what came until then.
    pub(super) async fn piece(&mut self) -> Option<Vec<u8>> {
        let piece = self.from.fill_buf().await.unwrap_or_default().to_vec();
        self.from.consume(piece.len());
        self.ended |= piece.is_empty();
        (!self.ended).then_some(piece)
    }

    /// So much of the body counts as taken.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }

    /// Whether all of the body was taken.
    pub(super) fn whole(&self) -> bool {
        match self.length() {
            Some(length) => self.body.len() == length,
            None if self.chunked() => unchunked(&self.body).1,
            None => self.ended,
        }
    }

    /// The messages that are complete by now and were not before: the body itself, or the events of a stream.
    pub(super) fn messages(&mut self) -> Vec<String> {
        let data = if self.chunked() { unchunked(&self.body).0 } else { self.body.clone() };
        let text = String::from_utf8_lossy(&data);
        if text.starts_with('{') {
            let new = self.told == 0 && self.whole();
            self.told += usize::from(new);
            return new.then(|| text.into_owned()).into_iter().collect();
        }
        let mut events: Vec<&str> = text.split("\n\n").collect();
        // Empty, or an event that has not come to its end.
        events.pop();
        let new = events.get(self.told..).unwrap_or_default();
        let data = |event: &&str| {
            let lines: Vec<&str> = event.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
            (!lines.is_empty()).then(|| lines.concat())
        };
        let messages = new.iter().filter_map(data).collect();
        self.told = events.len();
        messages
    }

    fn chunked(&self) -> bool {
        header(&self.head, "transfer-encoding").is_some()
    }

    fn length(&self) -> Option<usize> {
        header(&self.head, "content-length")?.parse().ok()
    }
}

/// All that a server sent on a connection.
pub(crate) struct Answer {
    pub(super) status: u16,
    head: String,
    /// As it came, but for the header that ends the connection.
    pub(super) bytes: Vec<u8>,
    /// Whether it did not break off.
    pub(super) whole: bool,
    /// The JSON-RPC message in it, the last of several; none when it broke off, or holds none.
    pub(crate) message: Option<String>,
}

/// Reads until the server ends the connection. None when it sent nothing.
pub(crate) async fn answer(from: &mut (impl AsyncRead + Unpin)) -> Option<Answer> {
    let mut coming = Coming::begin(from).await?;
    while let Some(piece) = coming.piece().await {
        coming.take(&piece);
    }
    let (status, whole) = (coming.status(), coming.whole());
    let message = coming.messages().pop().filter(|_| whole);
    let bytes = [coming.head(), coming.body].concat();
    Some(Answer { status, head: coming.head, bytes, whole, message })
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// What there is of a chunked body, and whether that is all.
fn unchunked(mut body: &[u8]) -> (Vec<u8>, bool) {
    let mut data = Vec::new();
    let size = |line: &[u8]| usize::from_str_radix(std::str::from_utf8(line).ok()?.trim(), 16).ok();
    while let Some(line) = body.windows(2).position(|window| window == b"\r\n") {
        let Some(size) = size(&body[..line]) else { break };
        if size == 0 {
            return (data, true);
        }
        let rest = &body[line + 2..];
        data.extend_from_slice(&rest[..size.min(rest.len())]);
        let Some(next) = rest.get(size + 2..) else { break };
        body = next;
    }
    (data, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_are_read_one_after_the_other() {
        let two = b"POST /mcp HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}GET /mcp HTTP/1.1\r\n\r\n";
        let mut from = &two[..];
        let first = read(&mut from).await.unwrap().unwrap();
        assert_eq!((first.verb(), first.header("content-length")), ("POST", Some("2")));
        let handed = String::from_utf8(first.for_the_server()).unwrap();
        assert_eq!(handed, "POST /mcp HTTP/1.1\r\nContent-Length: 2\r\nconnection: close\r\n\r\n{}");
        let second = read(&mut from).await.unwrap().unwrap();
        assert!(second.verb() == "GET" && second.body.is_empty());
        assert!(read(&mut from).await.unwrap().is_none());
        hung_up(&mut from).await;
    }

    async fn read_answer(text: &str) -> Option<Answer> {
        answer(&mut text.as_bytes()).await
    }

    #[tokio::test]
    async fn answers_are_whole_or_not() {
        let whole =
            read_answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nConnection: close\r\n\r\n{}").await.unwrap();
        assert_eq!((whole.status, whole.message.as_deref()), (200, Some("{}")));
        assert_eq!(whole.bytes, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "the owner may go on");
        let cut = read_answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}").await.unwrap();
        assert!(cut.message.is_none() && !cut.whole, "it broke off");
        let events = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nevent: message\r\n\r\n9\r\ndata: {}\n\r\n1\r\n\n\r\n";
        assert_eq!(read_answer(events).await.unwrap().message, None, "the last chunk is missing");
        let whole = read_answer(&format!("{events}0\r\n\r\n")).await.unwrap();
        assert_eq!(whole.message.as_deref(), Some("{}"), "events and chunks");
        let taken = read_answer("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        assert!(taken.whole && taken.message.is_none(), "nothing is said, and that is all");
        assert!(read_answer("").await.is_none());
    }

    #[tokio::test]
    async fn events_are_told_once_each_and_not_before_they_are_complete() {
        let mut from = &b"HTTP/1.1 200 OK\r\n\r\n"[..];
        let mut coming = Coming::begin(&mut from).await.unwrap();
        coming.take(b"id: g_0\nretry: 50\ndata:\n\nevent: message\ndata: {\"n\":1}\n\ndata: {\"n\"");
        assert_eq!(coming.messages(), ["{\"n\":1}"], "the primer says nothing, the last is cut");
        assert_eq!(coming.messages(), [""; 0]);
        coming.take(b":2}\n\n");
        assert_eq!(coming.messages(), ["{\"n\":2}"]);
    }
}
