//! The result of a task for hosts: its parts, each with its beginning, and what it is compared with. What is long comes in
//! pieces (`pieces`).
//!
//! A long result is read outside of any transaction, one at a time, and is not copied. Documents of many tasks
//! (`View::TaskEntries`) read no result.

mod blob;
mod pieces;
mod resource;
mod same;
#[cfg(test)]
mod tests;

use serde_json::value::RawValue;
use signalbox_forms::{FieldError, FieldErrorCode, Verdict};
use signalbox_mcp as mcp;
use signalbox_model::{Call, Json, PayloadKind};
use signalbox_store::{ReadError, Reads};

use crate::{ContentPart, ResultView};
use same::Structured;

/// Longest text and longest JSON of a part handed out with the others, in bytes.
const LONGEST_PART: usize = 256 * 1024;
/// What all parts together hand out of their texts and their JSON, in bytes.
const TOGETHER: usize = 1024 * 1024;
/// Most parts handed out.
const MOST_PARTS: usize = 200;

/// The result for hosts, see [`view`].
pub(super) fn result(reads: &Reads, call: &Call) -> Result<Option<ResultView>, ReadError> {
    reads.payload(call.id, PayloadKind::Result)?.map(|json| view(reads, call, &json)).transpose()
}

/// A result for hosts, compared with what the tool promises of it as listed last: nothing is asked for it here.
pub(super) fn view(reads: &Reads, call: &Call, result: &Json) -> Result<ResultView, ReadError> {
    let listed = reads.tools(call.server)?;
    let schema = listed.and_then(|listed| mcp::Tool::among(&listed, &call.tool)?.output_schema);
    Ok(read(result, schema.as_ref()))
}

fn read(json: &Json, schema: Option<&Json>) -> ResultView {
    let view = mcp::ToolResult::read(json);
    let mut room = Room(TOGETHER);
    let output = schema.and_then(|schema| verdict(schema, view.structured, view.is_error));
    let structured = view.structured.and_then(|raw| room.json(raw));
    let said = Structured::of(view.structured);
    let content_more = u32::try_from(view.content.len().saturating_sub(MOST_PARTS)).unwrap_or(u32::MAX);
    let parts = view.content.into_iter().take(MOST_PARTS);
    ResultView {
        is_error: view.is_error,
        content: parts.map(|part| content(part, &said, &mut room)).collect(),
        content_more,
        structured,
        structured_bytes: view.structured.map(|raw| raw.get().len() as u64),
        output,
    }
}

fn content(part: mcp::ContentBlock<'_>, said: &Structured, room: &mut Room) -> ContentPart {
    if let Some(text) = part.text().filter(|_| part.kind == "text") {
        let same = said.is_said_by(&text);
        return ContentPart::Text { bytes: text.len() as u64, text: room.beginning(&text).to_owned(), same };
    }
    if let Some(bytes) = part.blob() {
        return ContentPart::Blob { blob: blob::view(bytes, part.mime_type()) };
    }
    if let Some(embedded) = part.embedded() {
        return resource::view(embedded, room);
    }
    if let Some(link) = part.link() {
        return ContentPart::Link {
            uri: link.uri,
            name: link.title.or(link.name),
            description: link.description,
            mime_type: link.mime_type,
            size: link.size,
        };
    }
    ContentPart::Other { json: room.json(part.raw), bytes: part.raw.get().len() as u64, r#type: part.kind }
}

/// Whether a result is what its tool promises. One that tells of a failure owes nothing.
fn verdict(schema: &Json, structured: Option<&RawValue>, is_error: bool) -> Option<Verdict> {
    match structured {
        Some(json) => Some(signalbox_forms::check_output(schema.text(), json.get())),
        None if is_error => None,
        None => {
            let message = "There is no structuredContent".to_owned();
            let error =
                FieldError { field: None, path: String::new(), message, code: FieldErrorCode::Required };
            Some(Verdict::Invalid { errors: vec![error] })
        }
    }
}

/// What may still be handed out, in bytes.
struct Room(usize);

impl Room {
    /// As much of a text as there is room for, up to a character's end.
    fn beginning<'a>(&mut self, text: &'a str) -> &'a str {
        let end = text.floor_char_boundary(self.0.min(LONGEST_PART));
        self.0 -= end;
        &text[..end]
    }

    /// JSON that is not too long: a part of it would be none.
    fn json(&mut self, raw: &RawValue) -> Option<Json> {
        let bytes = raw.get().len();
        (bytes <= self.0.min(LONGEST_PART)).then(|| {
            self.0 -= bytes;
            raw.to_owned().into()
        })
    }
}
