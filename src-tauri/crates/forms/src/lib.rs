//! Elicitation and tool schemas become a [`FormSpec`], and answers are validated against the schema before they
//! are sent. Pure: no I/O, no clock, no network.
//!
//! Schemas and contents come from outside and may be hostile: both are bounded in bytes, depth and work, patterns run
//! on a linear-time engine, and references are followed inside the document only. What cannot be shown as a field is
//! edited as JSON, and what cannot be checked is said ([`FormSpec::notes`], [`Verdict::Unchecked`]), never ignored.
//!
//! Content enters as JSON text and is never rewritten here: the caller sends the very text that was validated.

mod budget;
mod check;
mod fields;
mod format;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod json;
mod keywords;
mod number;
mod options;
mod quote;
mod schema;
mod secret;
mod spec;
mod text;
mod validate;
mod view;
mod words;

pub use fields::form_spec;
pub use json::members;
pub use secret::{SecretAt, names_secret, replaced, secrets, values_at, without_secrets};
pub use spec::{
    Fallback, Field, FieldError, FieldErrorCode, FieldKind, FormNote, FormSpec, SelectOption, TextFormat,
    Verdict, Why,
};
pub use validate::{check_output, validate};

/// Largest schema that is read, in bytes.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// Largest content that is validated, in bytes.
pub const MAX_CONTENT_BYTES: usize = 1 << 20;
/// Most subschemas in one schema, references included.
pub const MAX_SUBSCHEMAS: usize = 1_000;
/// Deepest subschema below the root, and longest chain of references for one field.
pub const MAX_DEPTH: usize = 32;
/// Most options a select offers; more are edited as JSON.
pub const MAX_OPTIONS: usize = 1_000;
