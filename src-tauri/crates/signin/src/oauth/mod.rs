//! Signing in to a server with OAuth 2.1: by a person in their browser, or as a machine.
//!
//! An [`Account`] is what one server's connection needs. Before each request it asks [`Account::token`]; when the server
//! answers 401 or 403 it reads the [`Challenge`] and asks [`Account::renew`] once, and resends with what that gives.
//! [`SignInError::Needed`] is for a person, who then uses [`Account::sign_in`]. (`tests/oauth/connection.rs` joins the two to a
//! client of `mcp`.)
//!
//! The protocol is rmcp's `AuthorizationManager`; nobody else links it. What comes from the network is hostile: every
//! exchange goes through `exchange`, every document through `session`. rmcp logs codes and tokens at some levels, so
//! nothing of it is ever logged (`unlogged`), and none of its error texts is passed on.

mod account;
mod challenge;
mod error;
mod exchange;
mod kept;
mod redirect;
mod renewal;
mod session;
mod settings;
mod steps;
mod unlogged;

pub use account::{Account, AccountState, Revocation};
pub use challenge::Challenge;
pub use error::{Distrust, SignInError, WhySignIn};
pub use settings::{Algorithm, Grant, Machine, OAuthSettings, Person, Proof, RegisteredClient};
