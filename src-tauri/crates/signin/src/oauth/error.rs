//! Why there is no token, in terms of what can be done about it. No error holds a token, a code or a secret.

use std::{io, sync::Arc};

use signalbox_model::Hindrance;

use crate::SecretError;

/// Why there is no token.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SignInError {
    /// A person has to sign in: [`crate::oauth::Account::sign_in`].
    #[error("a sign-in is needed: {why}")]
    Needed {
        /// Why the tokens that we have, if any, do not do.
        why: WhySignIn,
    },
    /// The authorization server (or the server itself) does not answer, or not now. Worth trying again later.
    #[error("{} cannot be reached for the sign-in: {why}", .host.as_deref().unwrap_or("the authorization server"))]
    Unreachable {
        /// Whom we asked; none where that is not known.
        host: Option<String>,
        /// What was in the way.
        why: Hindrance,
    },
    /// The server publishes nothing of how to sign in to it.
    #[error("the server does not say how to sign in to it: it may want a header instead")]
    NotOffered,
    /// Something in it is not to be trusted: the sign-in was given up.
    #[error("the sign-in was given up: {0}")]
    Distrusted(Distrust),
    /// The authorization server lets nobody register: it must be done there, and the client's id given.
    #[error("the authorization server takes only clients registered there beforehand: give a client id")]
    NoClient,
    /// The authorization server (or the person at it) said no.
    #[error("the authorization server refused ({code}){}", .description.as_ref().map(|text| format!(": {text}")).unwrap_or_default())]
    Refused {
        /// Its error code, such as `access_denied`.
        code: String,
        /// Its own words.
        description: Option<String>,
    },
    /// What came is no answer to what was asked.
    #[error("{host} gave an answer that OAuth does not allow: {message}")]
    Malformed {
        /// Whom we asked.
        host: String,
        /// What is wrong.
        message: String,
    },
    /// Nobody finished it in the browser in time.
    #[error("nobody finished the sign-in in the browser in time")]
    TimedOut,
    /// The browser's way back to us cannot be opened: its port is taken.
    #[error("the browser's way back cannot be opened: {0}")]
    NoWayBack(Arc<io::Error>),
    /// The configuration cannot work.
    #[error("the sign-in's configuration cannot work: {0}")]
    Misconfigured(&'static str),
    /// A secret that it needs is not there, or nothing can be kept.
    #[error(transparent)]
    Secret(Arc<SecretError>),
}

/// Why a person has to sign in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WhySignIn {
    /// Nobody has yet.
    #[error("nobody has signed in yet")]
    Never,
    /// The access ended, and nothing renews it.
    #[error("it expired")]
    Expired,
    /// The authorization server takes back what it gave.
    #[error("it was revoked ({code})")]
    Revoked {
        /// The authorization server's error code.
        code: String,
    },
    /// The server does not take the token, though nothing says that it is over.
    #[error("the server does not accept it")]
    Rejected,
    /// The server wants more than was granted.
    #[error("the server asks for more rights ({})", .scopes.join(" "))]
    Scope {
        /// What it wants.
        scopes: Vec<String>,
    },
    /// The server relies on another authorization server by now.
    #[error("the server now relies on {issuer}")]
    Moved {
        /// The issuer that it names now.
        issuer: String,
    },
    /// The configured client is another by now.
    #[error("the client it was made for has changed")]
    OtherClient,
}

/// What is not to be trusted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// The authorization server gives itself out for another.
    #[error("the authorization server calls itself {received}, but was named {expected}")]
    Issuer {
        /// As it was named.
        expected: String,
        /// As it calls itself.
        received: String,
    },
    /// The authorization server does not say who it is, though it must.
    #[error("the authorization server does not say that it is {expected}")]
    NoIssuer {
        /// As it was named.
        expected: String,
    },
    /// The metadata is of another server.
    #[error("the metadata is not of this server: {message}")]
    Resource {
        /// What of the metadata does not fit the server.
        message: String,
    },
    /// No PKCE with S256, so that a stolen code could be used.
    #[error("the authorization server does not offer PKCE (S256)")]
    NoPkce,
    /// It would go over the network in the clear, or to a place that is not an authorization server's.
    #[error("{url} is neither HTTPS nor on this machine")]
    Insecure {
        /// The address that is not safe.
        url: String,
    },
    /// A redirect of ours, which is not followed.
    #[error("{from} redirects to {to}, which is not followed")]
    Redirected {
        /// The host that answered.
        from: String,
        /// The host that it named.
        to: String,
    },
    /// An answer is larger than any honest one, or there are too many.
    #[error("{host} answers with more than {limit}")]
    TooMuch {
        /// Whom we asked.
        host: String,
        /// The limit in words.
        limit: &'static str,
    },
}

impl From<SecretError> for SignInError {
    fn from(error: SecretError) -> Self {
        Self::Secret(Arc::new(error))
    }
}

impl From<Distrust> for SignInError {
    fn from(distrust: Distrust) -> Self {
        Self::Distrusted(distrust)
    }
}

impl From<WhySignIn> for SignInError {
    fn from(why: WhySignIn) -> Self {
        Self::Needed { why }
    }
}

/// A text of somebody else's, fit for one line of ours.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 300;
    let mut shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
