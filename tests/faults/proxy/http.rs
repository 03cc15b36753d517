//! As much HTTP/1.1 as a proxy between two well-behaved programs on one machine needs.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};

/// A request: its head with the empty line, and its body.
pub(super) struct Message {
    head: String,
    pub(super) body: Vec<u8>,
}

/// All that a server sent on a connection.
pub(crate) struct Answer {
    /// As it came, but for the header that ends the connection.
    pub(super) bytes: Vec<u8>,
    /// The JSON-RPC message in it; none when it broke off, or holds none.
    pub(crate) message: Option<String>,
}

/// The next request; none when there is no other.
pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Message>> {
    let mut head = String::new();
    loop {
        if from.read_line(&mut head).await? == 0 {
            return Ok(None);
        }
        if head.ends_with("\r\n\r\n") {
            break;
        }
    }
    let mut body = vec![0; header(&head, "content-length").and_then(|n| n.parse().ok()).unwrap_or(0)];
    from.read_exact(&mut body).await?;
    Ok(Some(Message { head, body }))
}

impl Message {
    /// The same, on a connection that ends with the answer.
    pub(super) fn for_the_server(&self) -> Vec<u8> {
        let head = self.head.trim_end_matches("\r\n");
        [head.as_bytes(), b"\r\nconnection: close\r\n\r\n", &self.body].concat()
    }
}

/// Reads until the server ends the connection. None when it sent nothing.
pub(crate) async fn answer(from: &mut (impl AsyncRead + Unpin)) -> Option<Answer> {
    let mut bytes = Vec::new();
    // A connection that breaks leaves what came until then.
    let _ = from.read_to_end(&mut bytes).await;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end + 2].to_vec()).ok()?;
    let body = &bytes[end + 4..];
    let whole = match header(&head, "content-length").and_then(|n| n.parse::<usize>().ok()) {
        Some(length) => (body.len() == length).then(|| body.to_vec()),
        None => unchunked(body),
    };
    let message = whole.and_then(|body| message(String::from_utf8(body).ok()?));
    let kept =
        head.split_inclusive("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("connection:"));
    let bytes = [kept.collect::<String>().as_bytes(), b"\r\n", body].concat();
    Some(Answer { bytes, message })
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// A chunked body; none when it broke off.
fn unchunked(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let line = body.windows(2).position(|window| window == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&body[..line]).ok()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        let chunk = body.get(line + 2..line + 2 + size)?;
        whole.extend_from_slice(chunk);
        body = body.get(line + 2 + size + 2..)?;
    }
}

/// The last JSON document: the body itself, or the data of the last event.
fn message(body: String) -> Option<String> {
    if body.starts_with('{') {
        return Some(body);
    }
    let mut events = body.lines().filter_map(|line| line.strip_prefix("data: "));
    events.next_back().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_are_read_one_after_the_other() {
        let two = b"POST /mcp HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}POST /mcp HTTP/1.1\r\n\r\n";
        let mut from = &two[..];
        let first = read(&mut from).await.unwrap().unwrap();
        let handed = String::from_utf8(first.for_the_server()).unwrap();
        assert_eq!(handed, "POST /mcp HTTP/1.1\r\nContent-Length: 2\r\nconnection: close\r\n\r\n{}");
        assert!(read(&mut from).await.unwrap().is_some_and(|second| second.body.is_empty()));
        assert!(read(&mut from).await.unwrap().is_none());
    }

    async fn read_answer(text: &str) -> Option<Answer> {
        answer(&mut text.as_bytes()).await
    }

    #[tokio::test]
    async fn answers_are_whole_or_not() {
        let whole =
            read_answer("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nConnection: close\r\n\r\n{}").await.unwrap();
        assert_eq!(whole.message.as_deref(), Some("{}"));
        assert_eq!(whole.bytes, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "the owner may go on");
        let cut = read_answer("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}").await.unwrap();
        assert_eq!(cut.message, None, "it broke off");
        let events = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nevent: message\r\n\r\n9\r\ndata: {}\n\r\n";
        assert_eq!(read_answer(events).await.unwrap().message, None, "the last chunk is missing");
        let whole = read_answer(&format!("{events}0\r\n\r\n")).await.unwrap();
        assert_eq!(whole.message.as_deref(), Some("{}"), "events and chunks");
        assert!(read_answer("").await.is_none());
    }
}
