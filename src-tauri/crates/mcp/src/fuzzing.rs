//! What holds for all bytes a server can send. Called by the fuzz targets (`tests/fuzz`), and on their seeds by the
//! tests; no part of the program.

use serde_json::Value;
use signalbox_model::{Json, Part, Wire};

use crate::{
    endpoint::Options,
    error::Error,
    http::Reader,
    legacy,
    paging::List,
    rpc::{self, Message},
    tool::Tool,
    view::{QuestionView, RpcError, TaskView, ToolResult, Ttl},
};

/// Reads bytes as messages, and everything that messages can carry.
///
/// # Panics
/// Where something does not hold.
pub fn message(bytes: &[u8]) {
    let message = Message::read(bytes);
    agrees_with_the_tree(bytes, message.as_ref().ok());
    if let Ok(Message::Answer { id, .. }) = message {
        early_ids_are_no_guesses(bytes, id);
    }
    for message in rpc::parts(bytes).into_iter().flatten() {
        match message {
            Message::Answer { outcome: Ok(result), .. } => {
                is_kept(bytes, &result);
                read_all(&result);
            }
            Message::Answer { outcome: Err(error), .. } => {
                is_kept(bytes, &error.raw);
                let _ = Error::from(error).meaning();
            }
            Message::Unasked(unasked) => {
                assert!(unasked.method.chars().count() <= 64, "a method is cut");
                is_kept(bytes, &unasked.raw);
                let _ = unasked.subscription();
                read_all(&unasked.raw);
                legacy::read_all(&unasked);
            }
        }
    }
    let _ = rpc::own_answer_in(bytes, 1);
}

/// Where a tree can be built of the bytes, it says the same.
fn agrees_with_the_tree(bytes: &[u8], message: Option<&Message>) {
    let Ok(Value::Object(tree)) = serde_json::from_slice(bytes) else { return };
    let some = |name: &str| tree.get(name).filter(|value| !value.is_null());
    let tree_of = |json: &Json| json.read::<Value>().expect("a part of what is JSON is JSON");
    match message {
        Some(Message::Answer { outcome: Err(error), .. }) => {
            assert_eq!(Some(&tree_of(&error.raw)), some("error"));
        }
        Some(Message::Answer { outcome: Ok(result), .. }) => {
            assert_eq!((Some(&tree_of(result)), some("error")), (tree.get("result"), None));
        }
        Some(Message::Unasked(unasked)) => {
            let method = tree["method"].as_str().expect("a method is text");
            assert!(method.starts_with(&unasked.method), "{method}");
            assert_eq!((some("error"), some("result")), (None, None), "these make an answer");
        }
        None => {
            let any = some("error").is_some() || tree.contains_key("result");
            assert!(!any && !tree.get("method").is_some_and(Value::is_string), "a message is refused");
        }
    }
}

/// What came is never rewritten.
fn is_kept(bytes: &[u8], part: &Json) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(text.contains(part.text()), "a part is not as received");
    }
}

/// The beginning of an answer names its id, or none.
fn early_ids_are_no_guesses(bytes: &[u8], id: Option<u64>) {
    // A member that is there twice, or written with escapes, is another story.
    let plain = !bytes.contains(&b'\\') && bytes.windows(4).filter(|name| name == b"\"id\"").count() == 1;
    for cut in [bytes.len() / 3, bytes.len() / 2, bytes.len()] {
        if let Some(early) = rpc::early_id(&bytes[..cut]).filter(|_| plain) {
            assert_eq!(Some(early), id, "the first {cut} bytes name another id");
        }
    }
}

fn read_all(raw: &Json) {
    assert_eq!(Ttl::read(raw, Wire::Modern), TaskView::read(raw).ttl, "read alone it is the same");
    assert_eq!(Ttl::read(raw, Wire::Legacy), TaskView::read_legacy(raw).ttl);
    let (_, _) = (ToolResult::read(raw).text(), QuestionView::read(raw));
    let _ = RpcError::read(raw);
    let mut list = List::new("tools", Part::Tools, &Options::default(), Tool::read);
    if list.take(Ok(raw.clone())).is_ok() {
        for tool in list.whole().unwrap_or_default() {
            let _ = tool.task_support();
            let _ = tool.input_schema.as_ref().map(crate::http::is_valid);
        }
    }
}

/// Reads bytes as an event stream that comes in pieces: the first byte says how large.
///
/// # Panics
/// Where something does not hold.
pub fn events(bytes: &[u8]) {
    const LIMIT: usize = 512;
    let Some((size, stream)) = bytes.split_first() else { return };
    let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let (mut reader, mut events) = (Reader::new(LIMIT), Vec::new());
        for piece in pieces {
            reader.feed(piece).ok()?;
            events.extend(std::iter::from_fn(|| reader.next()).map(|event| (event.name, event.data)));
        }
        let last_id = reader.last_id().map(str::to_owned);
        Some((events, last_id, reader.retry(), reader.end()))
    };
    let in_pieces = read(&mut stream.chunks(usize::from(*size).max(1)));
    assert_eq!(in_pieces, read(&mut std::iter::once(stream)), "pieces make a difference");
    if let Some((events, _, _, at_end)) = in_pieces {
        let expected = by_the_book(stream);
        assert_eq!((events, at_end.is_some()), (expected.clone().unwrap_or_default(), expected.is_none()));
    }
}

/// Events by the letter of the specification, from a stream that is whole: names and data. None for what is no stream
/// but JSON.
fn by_the_book(stream: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let stream = stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream);
    let first = stream.split(|byte| b"\r\n".contains(byte)).next().unwrap_or_default();
    if matches!(first.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return None;
    }
    let (mut events, mut name, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let mut lines = lines(stream);
    lines.pop(); // What the end of the stream cuts off.
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let value = line.get(colon + 1..).unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &line[..colon] {
            b"" if line.is_empty() => {
                data.pop();
                let event = (std::mem::take(&mut name), std::mem::take(&mut data));
                events.extend(Some(event).filter(|(_, data)| !data.is_empty()));
            }
            b"event" => name = value.to_vec(),
            b"data" => data.extend(value.iter().chain(b"\n")),
            _ => {}
        }
    }
    Some(events)
}

/// Cut at CR LF, LF and CR.
fn lines(stream: &[u8]) -> Vec<&[u8]> {
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    while at < stream.len() {
        let length = match &stream[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        if length > 0 {
            lines.push(&stream[start..at]);
            start = at + length;
        }
        at += length.max(1);
    }
    lines.push(&stream[start..]);
    lines
}

#[cfg(test)]
mod tests {
    #[test]
    fn hold_on_the_seeds() {
        for (name, target) in [("message", super::message as fn(&[u8])), ("events", super::events)] {
            let folder = format!("{}/../../../tests/fuzz/seeds/{name}", env!("CARGO_MANIFEST_DIR"));
            let seeds: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
            assert!(seeds.len() > 5, "{name}: the seeds are where they are expected");
            for seed in seeds {
                target(&std::fs::read(seed.unwrap().path()).unwrap());
            }
        }
    }
}
