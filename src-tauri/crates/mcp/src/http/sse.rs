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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1024;

    fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<String>, TooLarge> {
        let mut reader = Reader::new(LIMIT);
        let mut events = Vec::new();
        for chunk in chunks {
            reader.feed(chunk)?;
            while let Some(event) = reader.next() {
                events.push(String::from_utf8_lossy(&event).into_owned());
            }
        }
        Ok(events)
    }

    #[test]
    fn reads_the_shapes_of_streams() {
        let cases: [(&str, &[&str]); 17] = [
            ("data: a\n\n", &["a"]),
            ("data:a\n\n", &["a"]),
            ("data:  a\n\n", &[" a"]),
            ("data: a\r\n\r\n", &["a"]),
            ("data: a\r\rdata: b\r\r", &["a", "b"]),
            ("data: a\ndata: b\ndata:\n\n", &["a\nb\n"]),
            ("event: message\nid: 7\nretry: 10\ndata: a\n\n", &["a"]),
            (": comment\n\n:\r\n\r\ndata: a\n\n", &["a"]),
            ("data\n\n", &[""]),
            ("data: \n\n", &[""]),
            ("event: ping\n\n", &[]),
            ("database: x\n\n", &[]),
            ("\u{FEFF}data: a\n\n", &["a"]),
            ("data: a\n\n\u{FEFF}data: b\n\n", &["a"]),
            ("data: a\n", &[]),
            ("data: a\n\ndata: cut", &["a"]),
            ("", &[]),
        ];
        for (stream, expected) in cases {
            assert_eq!(events([stream.as_bytes()]).unwrap(), expected, "{stream:?}");
            let bytes = stream.as_bytes().chunks(1);
            assert_eq!(events(bytes).unwrap(), expected, "{stream:?} byte by byte");
        }
    }

    #[test]
    fn an_event_has_a_limit_but_a_stream_has_none() {
        let line = format!("data: {}\n", "x".repeat(200));
        assert_eq!(events([line.repeat(6).as_bytes()]), Err(TooLarge), "many lines of one event");
        assert_eq!(events([vec![b'x'; LIMIT + 1].as_slice()]), Err(TooLarge), "a line without an end");
        let many = format!("{line}\n").repeat(100);
        assert_eq!(events([many.as_bytes()]).unwrap().len(), 100);
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_events(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["data: a", "data:", "data: é", ": c", "id: 1", "\n", "\r", "\r\n", "\n\n", "x"]),
                0..40,
            ),
            cuts in prop::collection::vec(1_usize..7, 1..40),
        ) {
            let stream = pieces.concat().into_bytes();
            let mut chunks = Vec::new();
            let (mut rest, mut cuts) = (stream.as_slice(), cuts.iter().cycle());
            while !rest.is_empty() {
                let (chunk, behind) = rest.split_at((*cuts.next().unwrap()).min(rest.len()));
                chunks.push(chunk);
                rest = behind;
            }
            prop_assert_eq!(events(chunks), events([stream.as_slice()]));
        }

        #[test]
        fn no_bytes_make_it_panic(chunks: Vec<Vec<u8>>) {
            let _ = events(chunks.iter().map(Vec::as_slice));
        }
    }
}
