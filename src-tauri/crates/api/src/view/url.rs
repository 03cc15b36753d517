//! URLs that questions name, as hosts show them.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A URL for a careful look, with what is known from its spelling and from the server's own address. Never fetched, never
/// opened without a person's act.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct UrlView {
    /// The whole URL as received.
    pub full: String,
    /// What stands before the host.
    pub before: String,
    /// The host as it is sent, to be emphasised; empty when the URL has none.
    pub host: String,
    /// What stands behind the host.
    pub after: String,
    /// Whether it is a web address: no other is ever opened.
    pub web: bool,
    /// How the host reads, where that differs from how it is sent.
    pub reads: Option<String>,
    /// The scripts of the letters in the host, in their order there; empty where all are Latin. The top-level name does not
    /// count.
    pub scripts: Vec<String>,
    /// Whether the host is this machine.
    pub loopback: bool,
    /// The host of the server that asks, where it is another one. A program has none.
    pub server_host: Option<String>,
    /// What to be wary of.
    pub warnings: Vec<UrlWarning>,
}

/// What to be wary of in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum UrlWarning {
    /// It is no URL that a browser understands.
    Malformed,
    /// It is neither `http` nor `https`.
    NotWeb,
    /// It is `http`, and not on this machine.
    NotHttps,
    /// A user name or password stands before the host.
    UserInfo,
    /// The host has letters beyond ASCII, and is sent in punycode.
    Punycode,
    /// A label of the host has letters of several scripts that are not written together.
    MixedScript,
    /// The host is an IP address that is not of this machine, not a name.
    IpAddress,
    /// The host is spelled otherwise than it is sent: in other digits, in percent codes, in letters of another width.
    Respelled,
    /// It names another port than the usual one.
    OddPort,
}
