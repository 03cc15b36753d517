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
