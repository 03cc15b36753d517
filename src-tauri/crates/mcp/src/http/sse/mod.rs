//! A reader of server-sent events, as far as MCP needs them: complete events in order, and where to go on after a cut.

use std::{collections::VecDeque, time::Duration};

/// Ids longer than this are no use: they could not go back in a header.
const LONGEST_ID: usize = 4096;

/// Of a line that is no data so many bytes are read.
const LONGEST_LINE: usize = 8 * 1024;

/// Bytes in, events out, however the bytes were cut into chunks.
pub(crate) struct Reader {
    limit: usize,
    /// The unfinished line.
    line: Vec<u8>,
    /// Its beginning is with the data already.
    goes_on: bool,
    /// Bytes of the unfinished event's data that were [handed on](Self::hand_on).
    handed_on: usize,
    /// The data lines of the unfinished event, joined.
    data: Option<Vec<u8>>,
    /// The name of the unfinished event.
    name: Vec<u8>,
    /// The id of the unfinished event; of the last one if it gives none.
    id: Option<String>,
    /// The id of the last event that was whole.
    last_id: Option<String>,
    retry: Option<Duration>,
    /// The last chunk ended with CR: an LF that follows belongs to it.
    after_cr: bool,
    at_start: bool,
    /// What comes is JSON, and no stream at all.
    bare: bool,
    ready: VecDeque<Event>,
}

/// A complete event that has data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its name; empty is `message`.
    pub(crate) name: Vec<u8>,
    /// Its data lines, joined.
    pub(crate) data: Vec<u8>,
}

/// An event is larger than allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Reader {
    /// `limit` is in bytes of one event.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            goes_on: false,
            handed_on: 0,
            data: None,
            name: Vec::new(),
            id: None,
            last_id: None,
            retry: None,
            after_cr: false,
            at_start: true,
            bare: false,
            ready: VecDeque::new(),
        }
    }

    /// Takes the next bytes of the stream.
    pub(crate) fn feed(&mut self, mut chunk: &[u8]) -> Result<(), TooLarge> {
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

    /// The next complete event. An event that the stream's end cuts off never comes, nor does one without data.
    pub(crate) fn next(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// Bytes of the unfinished event.
    pub(crate) fn held(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// What has come so far of the unfinished event's data: the event itself brings what follows. To be asked for only
    /// once there is no complete event.
    pub(crate) fn hand_on(&mut self) -> Vec<u8> {
        if self.goes_on {
            self.data.get_or_insert_default().append(&mut self.line);
        } else if self.is_data() && self.line.len() > LONGEST_LINE {
            self.end_line();
            if let (true, Some(data)) = (self.bare, &mut self.data) {
                // The line's end is still to come.
                data.pop();
            }
            self.goes_on = true;
        }
        let data = self.data.as_mut().map(std::mem::take).unwrap_or_default();
        self.handed_on += data.len();
        data
    }

    /// What the end of the stream completes: nothing, but for the body of a server that says events and sends JSON.
    pub(crate) fn end(&mut self) -> Option<Event> {
        if self.at_start || self.bare {
            self.end_line();
        }
        let whole = std::mem::take(&mut self.bare);
        self.data.take().filter(|_| whole).map(|data| Event { name: Vec::new(), data })
    }

    /// The id of the last complete event, if it can go back in a header.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long the server wants us to wait before we come again.
    pub(crate) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), TooLarge> {
        if self.held() + self.handed_on + bytes.len() > self.limit {
            return Err(TooLarge);
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() > LONGEST_LINE && !self.goes_on && !self.is_data() {
            self.line.truncate(LONGEST_LINE);
        }
        Ok(())
    }

    /// Whether the unfinished line is one of data.
    fn is_data(&self) -> bool {
        let line = if self.at_start { without_mark(&self.line) } else { &self.line };
        self.bare || line.starts_with(b"data:") || (self.at_start && is_bare(line))
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.goes_on) {
            let data = self.data.get_or_insert_default();
            data.append(&mut self.line);
            if self.bare {
                data.push(b'\n');
            }
            return;
        }
        let mut line = self.line.as_slice();
        if std::mem::take(&mut self.at_start) {
            line = without_mark(line);
            self.bare = is_bare(line);
        }
        if self.bare {
            let data = self.data.get_or_insert_default();
            data.extend_from_slice(line);
            data.push(b'\n');
            self.line.clear();
            return;
        }
        if line.is_empty() {
            self.last_id.clone_from(&self.id);
            let name = std::mem::take(&mut self.name);
            let begun = std::mem::take(&mut self.handed_on) > 0;
            if let Some(data) = self.data.take().filter(|data| begun || !data.is_empty()) {
                self.ready.push_back(Event { name, data });
            }
            self.line.clear();
            return;
        }
        match field(line) {
            (b"data", value) => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            },
            (b"event", value) => self.name = value.to_vec(),
            (b"id", value) if !value.contains(&0) => {
                let id = std::str::from_utf8(value).ok().filter(|id| (1..=LONGEST_ID).contains(&id.len()));
                self.id = id.map(str::to_owned);
            }
            (b"retry", value) if value.iter().all(u8::is_ascii_digit) => {
                let ms = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                self.retry = ms.map(Duration::from_millis).or(self.retry);
            }
            // A comment, or a field that means nothing.
            _ => {}
        }
        self.line.clear();
    }
}

/// Whether a line is of a body that is JSON, and no stream.
fn is_bare(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// A line's field and value.
fn field(line: &[u8]) -> (&[u8], &[u8]) {
    match line.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let value = &line[colon + 1..];
            (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
        }
        None => (line, b""),
    }
}

#[cfg(test)]
mod tests;
