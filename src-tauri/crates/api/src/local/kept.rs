//! What is read out of the payloads of a task. Its result: `result`.

use signalbox_mcp::{self as mcp, Ttl};
use signalbox_model::{Call, Json, PayloadKind, Wire};
use signalbox_store::{ReadError, Reads};

/// Payloads over this many bytes come on demand only.
pub(super) const INLINE: u64 = 1024 * 1024;

/// Whether arguments hold a secret, as far as their names and what the tool listed last tell.
pub(super) fn has_secret(reads: &Reads, call: &Call, arguments: &Json) -> Result<bool, ReadError> {
    let listed = reads.tools(call.server)?;
    let schema = listed.and_then(|listed| mcp::Tool::among(&listed, &call.tool)?.input_schema);
    let schema = schema.as_ref().map_or("{}", Json::text);
    Ok(!signalbox_forms::secrets(schema, arguments.text()).is_empty())
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
