//! Secrets in the OS keychain, and references to secrets kept elsewhere.
//!
//! A secret's value is a [`SecretValue`] from the moment it is read until it is put on the wire. It is never part of
//! an error, a log line or debug output.

mod error;
mod keychain;
mod reference;
mod secrets;
mod value;

pub use error::SecretError;
pub use reference::parse_reference;
pub use secrets::Secrets;
pub use value::SecretValue;
