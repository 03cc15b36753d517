//! Lenient readings of what servers send: each field is read for itself, and none can take another down.

mod fields;
mod number;
mod question;
mod result;
mod rpc_error;
mod sampling;
mod task;

pub use question::QuestionView;
pub use result::{ContentBlock, ToolResult};
pub use rpc_error::RpcError;
pub use task::{TaskView, Ttl};

pub(crate) use fields::{Elements, Fields, elements, quote, text, text_of};
pub(crate) use number::integer;
pub(crate) use task::input_requests;
