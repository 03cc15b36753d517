//! How to sign in to a server, as a person configured it.

use std::time::Duration;

use rmcp::transport::JwtSigningAlgorithm;
use signalbox_model::Secret;
use url::Url;

/// How to sign in to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthSettings {
    /// Who signs in: a person or a machine.
    pub grant: Grant,
    /// The scopes to ask for. When empty: those of the server's challenge, else those its metadata names, else none.
    pub scopes: Vec<String>,
    /// What we call ourselves where we register as a client.
    pub client_name: String,
    /// How long a person may take in the browser.
    pub patience: Duration,
}

/// Who signs in to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// A person, in the browser: authorization code with PKCE.
    Person(Person),
    /// A machine, for itself: client credentials.
    Machine(Machine),
}

/// As which client a person signs in: the first of these that there is, else one that we register dynamically.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// A client registered with the authorization server beforehand.
    pub client: Option<RegisteredClient>,
    /// The HTTPS URL of a client-id metadata document, for authorization servers that take one.
    pub client_metadata_url: Option<Url>,
}

/// A client registered beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredClient {
    /// The client id that the authorization server gave out.
    pub id: String,
    /// Its secret, if it has one.
    pub secret: Option<Secret>,
    /// Its redirect URI, where the authorization server takes only the one registered: `http`, on loopback. Else a free
    /// port of 127.0.0.1 is taken.
    pub redirect: Option<Url>,
}

/// A machine's identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Its client id.
    pub client_id: String,
    /// How it proves that.
    pub proof: Proof,
}

/// How a machine proves who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A client secret.
    Secret(Secret),
    /// A signature (`private_key_jwt`).
    PrivateKey {
        /// The key in PEM (PKCS #8; RSA also PKCS #1).
        key: Secret,
        /// What it signs with.
        algorithm: Algorithm,
    },
}

/// A signature algorithm of `private_key_jwt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named by RFC 7518")]
pub enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Es256,
    Es384,
}

impl From<Algorithm> for JwtSigningAlgorithm {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Rs256 => Self::RS256,
            Algorithm::Rs384 => Self::RS384,
            Algorithm::Rs512 => Self::RS512,
            Algorithm::Es256 => Self::ES256,
            Algorithm::Es384 => Self::ES384,
        }
    }
}

impl Default for OAuthSettings {
    fn default() -> Self {
        Self {
            grant: Grant::Person(Person::default()),
            scopes: Vec::new(),
            client_name: "Signalbox".into(),
            patience: Duration::from_secs(10 * 60),
        }
    }
}
