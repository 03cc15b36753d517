//! A reader of server-sent events, as far as MCP needs them: the data of complete events, in order.

use std::collections::VecDeque;

/// Bytes in, events out, however the bytes were cut into chunks.
pub(super) struct Reader {
    limit: usize,
    /// The unfinished line.
    line: Vec<u8>,
    /// The data lines of the unfinished event, joined.
    data: Option<Vec<u8>>,
    /// The last chunk ended with CR: an LF that follows belongs to it.
    after_cr: bool,
    at_start: bool,
    ready: VecDeque<Vec<u8>>,
}

/// An event is larger than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl Reader {
    /// `limit` is in bytes of one event.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), data: None, after_cr: false, at_start: true, ready: VecDeque::new() }
    }

    /// Takes the next bytes of the stream.
    pub(super) fn feed(&mut self, mut chunk: &[u8]) -> Result<(), TooLarge> {
        if self.after_cr && !chunk.is_empty() {
            self.after_cr = false;
            chunk = chunk.strip_prefix(b"\n").unwrap_or(chunk);
        }
        while let Some(end) = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend_line(&chunk[..end])?;
            self.end_line();
            let (ending, rest) = (chunk[end], &chunk[end + 1..]);
            chunk = rest;
            if ending == b'\r' {
                self.after_cr = rest.is_empty();
                chunk = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
        }
        self.extend_line(chunk)
    }

    /// The data of the next complete event. An event that the stream's end cuts off never comes.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        self.ready.pop_front()
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        if self.line.len() + self.data.as_ref().map_or(0, Vec::len) + bytes.len() > self.limit {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) {
        let mut line = self.line.as_slice();
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            self.ready.extend(self.data.take());
        } else if let Some(value) = data_of(line) {
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            }
        }
        self.line.clear();
    }
}

/// The value of a `data` line; none for comments and for fields that mean nothing here (`event`, `id`, `retry`).
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let value = line.strip_prefix(b"data")?;
    match value.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None if value.is_empty() => Some(value),
        None => None,
    }
}
