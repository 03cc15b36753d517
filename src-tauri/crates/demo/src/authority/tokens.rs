//! What an authorization server gave and takes back.

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Fields, Script};

/// The only code there ever is.
const CODE: &str = "c0de";

#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// The authorization request that the code given last is for.
    asked: Option<Fields>,
    count: usize,
    refresh: Option<String>,
    good: BTreeSet<String>,
}

impl Tokens {
    /// A code for an authorization request.
    pub(super) fn code(&mut self, asked: Fields) -> &'static str {
        self.asked = Some(asked);
        CODE
    }

    /// The answer to a token request: status and body.
    pub(super) fn grant(&mut self, fields: &Fields, resource: &str, script: &Script) -> (u16, Value) {
        let refused = |error: &str, why: &str| (400, json!({"error": error, "error_description": why}));
        if fields.get("resource").map(String::as_str) != Some(resource) {
            return refused("invalid_target", "for another server");
        }
        let kind = fields.get("grant_type").map(String::as_str).unwrap_or_default();
        match kind {
            "authorization_code" => {
                // A code is good once.
                let Some(asked) = self.asked.take() else { return refused("invalid_grant", "used") };
                let verifier = fields.get("code_verifier").map(String::as_str).unwrap_or_default();
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
                if asked.get("code_challenge") != Some(&challenge)
                    || asked.get("code_challenge_method").is_none_or(|method| method != "S256")
                {
                    return refused("invalid_grant", "PKCE");
                }
                let is_code = fields.get("code").is_some_and(|code| code == CODE);
                if !is_code || fields.get("redirect_uri") != asked.get("redirect_uri") {
                    return refused("invalid_grant", "another request");
                }
            }
            "refresh_token" => {
                if self.refresh.is_none() || self.refresh.as_ref() != fields.get("refresh_token") {
                    return refused("invalid_grant", "an old one");
                }
            }
            "client_credentials" => {}
            _ => return refused("unsupported_grant_type", kind),
        }
        self.count += 1;
        let mut access = format!("acce55-{}", self.count);
        access.push_str(&"x".repeat(script.token_bytes.saturating_sub(access.len())));
        self.good.insert(access.clone());
        let mut answer = json!({
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": script.expires_in,
            "id_token": "1dent1ty",
        });
        if script.refresh_tokens && kind != "client_credentials" {
            let refresh = format!("refre5h-{}", self.count);
            answer["refresh_token"] = json!(refresh);
            self.refresh = Some(refresh);
        }
        (200, answer)
    }

    pub(super) fn is_good(&self, token: &str) -> bool {
        self.good.contains(token)
    }

    pub(super) fn revoke(&mut self, token: &str) {
        self.good.remove(token);
        self.refresh.take_if(|refresh| refresh == token);
    }

    pub(super) fn expire(&mut self) {
        self.good.clear();
    }
}
