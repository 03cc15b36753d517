//! What is read out of the payloads of a task.

use signalbox_forms::{FieldError, FieldErrorCode, Verdict};
use signalbox_mcp::{self as mcp, TaskView, Ttl};
use signalbox_model::{Call, Json, PayloadKind, Wire};
use signalbox_store::{ReadError, Reads};

use crate::{ContentPart, ResultView};

/// Longest text part handed out, in bytes.
const LONGEST_PART: usize = 256 * 1024;
/// Most parts handed out.
const MOST_PARTS: usize = 200;

/// A result for hosts, compared with what the tool promises of it as listed last: nothing is asked for it here.
pub(super) fn result(reads: &Reads, call: &Call, json: &Json) -> Result<ResultView, ReadError> {
    let listed = reads.tools(call.server)?;
    let schema = listed.and_then(|listed| mcp::Tool::among(&listed, &call.tool)?.output_schema);
    Ok(read(json, schema.as_ref()))
}

fn read(json: &Json, schema: Option<&Json>) -> ResultView {
    let view = mcp::ResultView::read(json);
    let content =
        view.content.into_iter().take(MOST_PARTS).map(|part| match (part.kind.as_str(), part.text) {
            ("text", Some(text)) => ContentPart::Text { text: cut(text) },
            (_, _) => {
                let json = Some(part.raw).filter(|raw| raw.text().len() <= LONGEST_PART);
                ContentPart::Other { json, r#type: part.kind }
            }
        });
    let output = schema.and_then(|schema| verdict(schema, view.structured.as_ref(), view.is_error));
    let structured = view.structured.filter(|json| json.text().len() <= LONGEST_PART);
    ResultView { is_error: view.is_error, content: content.collect(), structured, output }
}

/// Whether a result is what its tool promises. One that tells of a failure owes nothing.
fn verdict(schema: &Json, structured: Option<&Json>, is_error: bool) -> Option<Verdict> {
    match structured {
        Some(json) => Some(signalbox_forms::check_output(schema.text(), json.text())),
        None if is_error => None,
        None => {
            let message = "There is no structuredContent".to_owned();
            let error =
                FieldError { field: None, path: String::new(), message, code: FieldErrorCode::Required };
            Some(Verdict::Invalid { errors: vec![error] })
        }
    }
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST_PART {
        let end = (0..=LONGEST_PART).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Whether the server said that a task lives without limit, in what is kept of what it said. That there is no TTL may
/// also mean that it said nothing of it, or nothing legible.
pub(super) fn is_unlimited(reads: &Reads, call: &Call) -> Result<bool, ReadError> {
    if call.task.as_ref().is_none_or(|task| task.ttl_ms.is_some()) {
        return Ok(false);
    }
    let read = if call.wire == Some(Wire::Legacy) { TaskView::read_legacy } else { TaskView::read };
    for kind in [PayloadKind::Last, PayloadKind::Create] {
        match reads.payload(call.id, kind) {
            Ok(Some(json)) if read(&json).ttl == Ttl::Unlimited => return Ok(true),
            // What is damaged is told where it is shown.
            Ok(_) | Err(ReadError::PayloadFile { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let long = "é".repeat(LONGEST_PART);
        assert!(cut(long).len() <= LONGEST_PART + '…'.len_utf8());
    }

    #[test]
    fn a_result_is_compared_with_what_its_tool_promises() {
        let schema = Json::parse(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#).unwrap();
        let verdict = |result: &str, schema| read(&Json::parse(result).unwrap(), schema).output;
        assert_eq!(verdict(r#"{"structuredContent":{"n":1}}"#, Some(&schema)), Some(Verdict::Valid));
        assert_eq!(verdict(r#"{"structuredContent":{"n":"1"}}"#, None), None, "nothing was promised");
        for (result, path) in [(r#"{"structuredContent":{"n":"1"}}"#, "/n"), (r#"{"content":[]}"#, "")] {
            let Some(Verdict::Invalid { errors }) = verdict(result, Some(&schema)) else {
                panic!("{result}")
            };
            assert_eq!(errors[0].path, path, "{result}");
        }
        assert_eq!(
            verdict(r#"{"content":[],"isError":true}"#, Some(&schema)),
            None,
            "a failure owes nothing"
        );
    }
}
