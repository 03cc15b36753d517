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
                events.push(String::from_utf8_lossy(&event.data).into_owned());
            }
        }
        Ok(events)
    }

    #[test]
    fn reads_the_shapes_of_streams() {
        let cases: [(&str, &[&str]); 18] = [
            ("data: a\n\n", &["a"]),
            ("data:a\n\n", &["a"]),
            ("data:  a\n\n", &[" a"]),
            ("data: a\r\n\r\n", &["a"]),
            ("data: a\r\rdata: b\r\r", &["a", "b"]),
            ("data: a\ndata: b\ndata:\n\n", &["a\nb\n"]),
            ("event: message\nid: 7\nretry: 10\ndata: a\n\n", &["a"]),
            (": comment\n\n:\r\n\r\ndata: a\n\n", &["a"]),
            ("data\n\n", &[]),
            ("data: \n\n", &[]),
            ("data\ndata\n\n", &["\n"]),
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
    fn keeps_where_to_go_on() {
        let cases: [(&str, Option<&str>, Option<u64>); 12] = [
            ("id: 7\ndata: a\n\n", Some("7"), None),
            ("id:7\nretry: 250\ndata:\n\n", Some("7"), Some(250)),
            ("id: 7\ndata: a\n", None, None),
            ("id: 7\n\ndata: a\n\n", Some("7"), None),
            ("id: 7\n\nid\ndata: a\n\n", None, None),
            ("id: 7\n\nid: 8\ndata: cut", Some("7"), None),
            ("id: 7\n\nid: a\0b\n\n", Some("7"), None),
            ("retry: soon\n", None, None),
            ("retry: 100\nretry: 1.5\n", None, Some(100)),
            ("retry: 99999999999999999999999\n", None, None),
            ("retry\n", None, None),
            (": retry: 5\nidea: 7\n\n", None, None),
        ];
        for (stream, id, retry) in cases {
            let mut reader = Reader::new(LIMIT);
            reader.feed(stream.as_bytes()).unwrap();
            assert_eq!(reader.last_id(), id, "{stream:?}");
            assert_eq!(reader.retry(), retry.map(Duration::from_millis), "{stream:?}");
        }
        let mut reader = Reader::new(2 * LONGEST_ID);
        reader.feed(format!("id: {}\n\n", "x".repeat(LONGEST_ID + 1)).as_bytes()).unwrap();
        assert_eq!(reader.last_id(), None, "an id that no header can hold");
    }

    #[test]
    fn lines_that_are_no_data_are_cut() {
        let long = "x".repeat(1 << 20);
        for line in [format!(": {long}"), format!("event: {long}"), format!("id: {long}")] {
            let mut reader = Reader::new(2 << 20);
            reader.feed(b"data: a\n").unwrap();
            line.as_bytes().chunks(4_096).for_each(|piece| reader.feed(piece).unwrap());
            assert!(reader.held() <= LONGEST_LINE + 1, "{} bytes", reader.held());
            reader.feed(b"\ndata: b\n\n").unwrap();
            let event = reader.next().unwrap();
            assert_eq!((event.data.as_slice(), reader.last_id()), (b"a\nb".as_slice(), None));
        }
    }

    #[test]
    fn what_is_handed_on_and_what_follows_are_the_event() {
        let long = "x".repeat(LONGEST_LINE * 2);
        let streams = [
            format!("data: {long}{long}\n\ndata: next\n\n"),
            format!("data:{long}\ndata: {long}\nid: 7\ndata:\ndata:  y\r\n\r\n"),
            format!("\u{FEFF}data: {long}\n\n"),
            format!("{{\"a\":\"{long}\",\n\"b\":\"{long}\"}}"),
            format!(" [\"{long}\"\n]\n"),
            format!(": {long}\ndata: {long}\n: c\n\n"),
        ];
        let read = |stream: &str, hands_on: bool| {
            let (mut reader, mut events, mut data) = (Reader::new(1 << 20), Vec::new(), Vec::new());
            for piece in stream.as_bytes().chunks(1_000) {
                reader.feed(piece).unwrap();
                while let Some(event) = reader.next() {
                    data.extend(event.data);
                    events.push(std::mem::take(&mut data));
                }
                if hands_on {
                    data.extend(reader.hand_on());
                }
            }
            if let Some(event) = reader.end() {
                data.extend(event.data);
                events.push(data);
            }
            events
        };
        for stream in streams {
            assert!(read(&stream, true) == read(&stream, false), "{:?}", &stream[..40]);
            assert!(!read(&stream, true).is_empty());
        }
        let mut reader = Reader::new(LIMIT * 100);
        let fed = std::iter::repeat_with(|| {
            let fed = reader.feed(format!("data: {}\n", "x".repeat(LIMIT)).as_bytes());
            (reader.hand_on().len() <= LIMIT + 1).then_some(fed).unwrap()
        });
        assert!(
            (99..=101).contains(&fed.take_while(Result::is_ok).count()),
            "the limit counts what was handed on"
        );
    }

    #[test]
    fn an_event_has_a_name() {
        let mut reader = Reader::new(LIMIT);
        reader.feed(b"event: endpoint\ndata: /m\n\ndata: x\n\nevent: lost\n\ndata: y\n\n").unwrap();
        let names: Vec<_> = std::iter::from_fn(|| reader.next()).map(|event| event.name).collect();
        assert_eq!(names, [b"endpoint".to_vec(), Vec::new(), Vec::new()], "a name belongs to one event");
    }

    #[test]
    fn json_under_the_name_of_a_stream_is_one_event() {
        let cases: [(&str, Option<&str>); 7] = [
            ("{\"a\":1}", Some("{\"a\":1}\n")),
            ("\u{FEFF} [\n\n1\r\n]\n", Some(" [\n\n1\n]\n\n")),
            ("{}\ndata: a\n\n", Some("{}\ndata: a\n\n\n")),
            ("data: {}\n", None),
            ("data: {}\n\n{}", None),
            ("x", None),
            ("", None),
        ];
        for (stream, expected) in cases {
            let mut reader = Reader::new(LIMIT);
            stream.as_bytes().chunks(1).for_each(|byte| reader.feed(byte).unwrap());
            while reader.next().is_some() {}
            let expected = expected.map(|data| Event { name: Vec::new(), data: data.into() });
            assert_eq!((reader.end(), reader.end()), (expected, None), "{stream:?}");
        }
        let mut reader = Reader::new(LIMIT);
        reader.feed(b"{\n").unwrap();
        assert_eq!(reader.feed(&[b'\n'; LIMIT]), Err(TooLarge), "it has a limit, too");
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
