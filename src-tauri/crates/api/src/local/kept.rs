//! What is read out of the payloads of a task.
//!
//! A long result is read outside of any transaction, one at a time, and is not copied. Documents of many tasks
//! (`View::TaskEntries`) read no result.

use serde_json::value::RawValue;
use signalbox_forms::{FieldError, FieldErrorCode, Verdict};
use signalbox_mcp::{self as mcp, Ttl};
use signalbox_model::{Call, Json, PayloadKind, Wire, beginning};
use signalbox_store::{ReadError, Reads};

use crate::{ContentPart, ResultView};

/// Payloads over this many bytes come on demand only.
pub(super) const INLINE: u64 = 1024 * 1024;
/// Longest text part handed out, in bytes.
const LONGEST_PART: usize = 256 * 1024;
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

/// Whether arguments hold a secret, as far as their names and what the tool listed last tell.
pub(super) fn has_secret(reads: &Reads, call: &Call, arguments: &Json) -> Result<bool, ReadError> {
    let listed = reads.tools(call.server)?;
    let schema = listed.and_then(|listed| mcp::Tool::among(&listed, &call.tool)?.input_schema);
    let schema = schema.as_ref().map_or("{}", Json::text);
    Ok(!signalbox_forms::secrets(schema, arguments.text()).is_empty())
}

fn read(json: &Json, schema: Option<&Json>) -> ResultView {
    let view = mcp::ToolResult::read(json);
    let content = view.content.into_iter().take(MOST_PARTS).map(|part| match part.text() {
        Some(text) if part.kind == "text" => {
            ContentPart::Text { text: beginning(&text, LONGEST_PART).into_owned() }
        }
        _ => ContentPart::Other { json: whole(part.raw), r#type: part.kind },
    });
    let output = schema.and_then(|schema| verdict(schema, view.structured, view.is_error));
    let structured = view.structured.and_then(whole);
    ResultView { is_error: view.is_error, content: content.collect(), structured, output }
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

/// A part that is not too long.
fn whole(raw: &RawValue) -> Option<Json> {
    (raw.get().len() <= LONGEST_PART).then(|| raw.to_owned().into())
}

/// All that a question says which came as `raw`: of a long one the row has the beginning.
pub(super) fn message(raw: &Json, beginning: &str) -> String {
    mcp::QuestionView::whole_message(raw, beginning).into_owned()
}

/// Whether the server said that a task lives without limit, in what is kept of what it said. That there is no TTL may
/// also mean that it said nothing of it, or nothing legible.
pub(super) fn is_unlimited(reads: &Reads, call: &Call) -> Result<bool, ReadError> {
    let Some(task) = call.task.as_ref().filter(|task| task.ttl_ms.is_none()) else { return Ok(false) };
    if let Some(unlimited) = task.unlimited {
        return Ok(unlimited);
    }
    let wire = call.wire.unwrap_or(Wire::Modern);
    for kind in [PayloadKind::Last, PayloadKind::Create] {
        match reads.payload(call.id, kind) {
            Ok(Some(json)) if Ttl::read(&json, wire) == Ttl::Unlimited => return Ok(true),
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
    fn of_a_result_the_first_parts_are_shown_and_of_each_the_beginning() {
        let text = |bytes: usize| format!(r#"{{"type":"text","text":"{}"}}"#, "x".repeat(bytes));
        let parts = |parts: &[String]| {
            let json = Json::parse(format!(r#"{{"content":[{}]}}"#, parts.join(","))).unwrap();
            read(&json, None).content
        };
        let shown = parts(&[text(LONGEST_PART + 1), text(1)]);
        let [ContentPart::Text { text: long }, ContentPart::Text { text: short }] = &shown[..] else {
            panic!("{shown:?}")
        };
        assert!(long.len() <= 256 * 1024 && long.len() > 255 * 1024, "{}", long.len());
        assert_eq!(short, "x");
        let image = |bytes: usize| {
            let frame = r#"{"type":"image","data":""}"#.len();
            format!(r#"{{"type":"image","data":"{}"}}"#, "x".repeat(bytes - frame))
        };
        let shown = parts(&[image(LONGEST_PART), image(LONGEST_PART + 1)]);
        let is_whole = |part: &ContentPart| matches!(part, ContentPart::Other { json: Some(_), .. });
        assert_eq!(shown.iter().map(is_whole).collect::<Vec<_>>(), [true, false]);
        assert_eq!(parts(&vec![text(1); 201]).len(), 200);
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
