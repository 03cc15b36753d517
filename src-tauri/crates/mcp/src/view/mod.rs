//! Lenient readings of what servers send: each field is read for itself, and none can take another down.

mod blob;
mod fields;
mod number;
mod question;
mod result;
mod rpc_error;
mod sampling;
mod task;

pub use blob::{Blob, BlobFormat, BlobHeader, base64_of};
pub use question::QuestionView;
pub use result::{ContentBlock, Embedded, ResourceLink, ToolResult, resource_contents};
pub use rpc_error::RpcError;
pub use task::{TaskView, Ttl};

pub(crate) use fields::{Elements, Fields, elements, quote, text, text_of};
pub(crate) use number::integer;
pub(crate) use task::input_requests;
