//! What a server gets for an answer: a result, or an error that is a no.

use signalbox_mcp::SessionReply;
use signalbox_model::InputRequest;

use crate::effect::response;

/// The error code of a no to a request that has no other shape for a no.
pub(super) const DECLINED: i64 = -1;

/// The reply that carries an answer. A no to a question that is no elicitation has no shape of its own: it is
/// an error.
pub(super) fn reply_of(request: &InputRequest) -> SessionReply {
    match response(request) {
        Some(result) => SessionReply::Result(result),
        None => SessionReply::Error { code: DECLINED, message: "The person declined".to_owned() },
    }
}
