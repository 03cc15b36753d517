//! JSON-RPC error objects.

use serde_json::value::RawValue;
use signalbox_model::Json;

use super::{Fields, integer, quote, text};

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RpcError {
    /// The code; 0 when it is not legible.
    pub code: i64,
    /// The server's text, or the beginning of it where it is longer than 4 KiB; empty when it gives none.
    pub message: String,
    /// More, in a shape of the server's choice.
    pub data: Option<Json>,
    /// The error as received.
    pub raw: Json,
}

impl RpcError {
    /// Reads an error object; a bare string is its message.
    #[must_use]
    pub fn read(raw: &Json) -> Self {
        Self::of(raw.raw())
    }

    pub(crate) fn of(raw: &RawValue) -> Self {
        let fields = Fields::lenient(raw);
        Self {
            code: fields.some("code").and_then(integer).unwrap_or(0),
            message: fields.text("message").or_else(|| text(raw)).map(quote).unwrap_or_default(),
            data: fields.json("data"),
            raw: raw.to_owned().into(),
        }
    }
}
