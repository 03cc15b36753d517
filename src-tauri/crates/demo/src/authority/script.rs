//! What an authorization server is to do.

use serde_json::{Value, json};

/// What the authorization server and its server are to do; all well by default.
#[derive(Debug)]
pub struct Script {
    /// Whether the server lets everybody in, token or not.
    pub open: bool,
    /// Where the server sends every request on to, instead of answering it.
    pub elsewhere: Option<String>,
    /// The issuer that the metadata names, if another than itself.
    pub issuer: Option<String>,
    /// The ways of PKCE that the metadata names.
    pub pkce: Option<Vec<&'static str>>,
    /// Whether clients can register.
    pub registration: bool,
    /// Added to the authorization server's metadata, over what is there.
    pub metadata: Value,
    /// The scopes that the server names.
    pub scopes_supported: Option<Vec<&'static str>>,
    /// Where the protected-resource metadata redirects to.
    pub redirect: Option<String>,
    /// The `iss` of its authorization responses.
    pub iss: Option<String>,
    /// The query that a denied authorization comes back with.
    pub denial: Option<&'static str>,
    /// What every answer to a token request is instead: status and body.
    pub token_error: Option<(u16, Value)>,
    /// What a revocation is answered with that has no field `client_secret`: status and body.
    pub without_secret: Option<(u16, Value)>,
    /// The life of its tokens, in seconds. They are taken after it, too: only the client counts.
    pub expires_in: u64,
    /// How many bytes its access tokens have at least.
    pub token_bytes: usize,
    /// Whether it gives refresh tokens to people.
    pub refresh_tokens: bool,
    /// What metadata is filled up with, in bytes.
    pub padding: usize,
    /// The authorization servers that the server relies on, if not on this one.
    pub servers: Option<Value>,
    /// The resource that its metadata is of, if another.
    pub resource: Option<String>,
    /// No metadata anywhere.
    pub bare: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            open: false,
            elsewhere: None,
            issuer: None,
            pkce: Some(vec!["plain", "S256"]),
            registration: true,
            metadata: json!({}),
            scopes_supported: None,
            redirect: None,
            iss: None,
            denial: None,
            token_error: None,
            without_secret: None,
            expires_in: 3600,
            token_bytes: 0,
            refresh_tokens: true,
            padding: 0,
            servers: None,
            resource: None,
            bare: false,
        }
    }
}
