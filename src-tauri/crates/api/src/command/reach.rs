//! How a new or edited server is to be reached, with values that may be secret.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_model::Secret;
use zeroize::Zeroize;

/// How a new or edited server is to be reached.
#[skip_serializing_none]
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum NewTransport {
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: String,
        /// HTTP headers beside the protocol's own, each with its value.
        headers: Vec<(String, NewSecret)>,
    },
    /// A child process.
    Stdio {
        /// The program to start.
        command: String,
        /// The program's arguments.
        args: Vec<String>,
        /// Environment variables that the program gets beside the closed list, each with its value.
        env: Vec<(String, NewSecret)>,
        /// Its working directory.
        cwd: Option<String>,
    },
}

/// What reaching a server takes beside its address.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct NewAccess {
    /// Files with certificates (PEM) of authorities that are trusted for this server, beside those of the system; whole
    /// paths.
    pub ca_certificates: Vec<String>,
    /// The proxy to reach it through, as a URL without a password; none: what the environment says.
    pub proxy: Option<String>,
    /// The client that was registered at its authorization server beforehand; none: we register ourselves.
    pub client_id: Option<String>,
    /// That client's secret, where it has one.
    pub client_secret: Option<NewSecret>,
    /// The HTTPS URL of a client id metadata document to be known by.
    pub client_metadata_url: Option<String>,
    /// The scopes to ask for; none: what the server names.
    pub scopes: Vec<String>,
    /// The client signs in by itself, and nobody is asked. It needs an id and a secret.
    pub machine: bool,
}

/// A value for a header or an environment variable.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NewSecret {
    /// The value itself: goes to where secrets are kept, and nowhere else.
    Literal {
        /// The value in the clear.
        value: SecretText,
    },
    /// Kept elsewhere, or already kept by us.
    Reference {
        /// Where the value is kept.
        secret: Secret,
    },
    /// No secret: kept and shown as it is.
    Plain {
        /// The value, which everybody may see.
        value: String,
        /// The person said a second time that it is none. Without that a name that sounds like a secret is refused.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
        sure: bool,
    },
}

/// A secret on its way to where it is kept. Its debug output shows nothing, and it is wiped when dropped.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct SecretText(pub String);

impl SecretText {
    /// The secret itself, out of this wrapping.
    pub(crate) fn take(mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

impl Drop for SecretText {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText(…)")
    }
}
