//! Secrets in the OS keychain or in what a person chose in its place ([`Keeping`]), references to secrets kept elsewhere,
//! and signing in to servers ([`oauth`]).
//!
//! A secret's value is a [`SecretValue`] from the moment it is read until it is put on the wire. It is never part of
//! an error, a log line or debug output.

mod encrypted;
mod error;
mod keychain;
pub mod oauth;
mod passphrase;
mod reference;
mod secret_move;
mod secrets;
mod value;
mod vault;

pub use error::SecretError;
pub use passphrase::Passphrase;
pub use reference::parse_reference;
pub use secret_move::{Moved, SecretMove};
pub use secrets::Secrets;
pub use value::SecretValue;
pub use vault::Keeping;
