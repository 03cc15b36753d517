//! The JSON-RPC envelope: what we send is written straight into a buffer, what comes is taken apart without parsing
//! what it carries.

mod ids;
mod read;
mod write;

pub(crate) use ids::Ids;
pub(crate) use read::{
    Malformed, Message, Own, Unasked, early_id, own_answer, own_answer_in, parts, parts_of,
};
pub(crate) use write::{Params, Request, cancelled, notification, one_line, refusal, response};

/// The message is no request that could be answered.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// The server does not know the method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The code of an error: the parameters are not what the method wants. Of `tasks/*`: the task is unknown, expired or (cancel)
/// has ended.
pub const INVALID_PARAMS: i64 = -32602;
/// What failed is not the other side's fault.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
