//! Signing in where a scenario's server wants that, with a person who agrees to everything.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use signalbox_mcp::{Authorization, Authorize, Error, Stage};
use signalbox_model::Secret;
use signalbox_signin::oauth::{
    Account, Algorithm, Challenge, Grant, Machine, OAuthSettings, Person, Proof, RegisteredClient,
    SignInError,
};
use signalbox_signin::{SecretValue, Secrets};
use url::Url;

use crate::Failure;
use crate::scenario::{Context, Scenario};

/// The id by which the tool recognises a client with a metadata document. Nobody reads the document.
const METADATA_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
/// How long a person takes who only follows redirects.
const PATIENCE: Duration = Duration::from_secs(10);

/// The account at a scenario's server. Nothing of it outlives the scenario.
pub(crate) async fn of(scenario: &Scenario) -> Result<Account, Failure> {
    let secrets = Secrets::this_run("conformance");
    let Context { client_id, client_secret, private_key_pem, .. } = &scenario.context;
    let secret = kept(&secrets, client_secret).await?;
    let key = kept(&secrets, private_key_pem).await?;
    let grant = match client_id.clone() {
        Some(client_id) if scenario.machine => Grant::Machine(Machine {
            client_id,
            proof: match (key, secret) {
                (Some(key), _) => Proof::PrivateKey { key, algorithm: Algorithm::Es256 },
                (None, Some(secret)) => Proof::Secret(secret),
                (None, None) => return Err(Failure::Started("a machine's proof")),
            },
        }),
        client_id => Grant::Person(Person {
            client: client_id.map(|id| RegisteredClient { id, secret, redirect: None }),
            client_metadata_url: Some(Url::parse(METADATA_DOCUMENT).expect("BUG: a literal URL parses")),
        }),
    };
    let settings = OAuthSettings { grant, patience: PATIENCE, ..OAuthSettings::default() };
    let url = scenario.url.clone();
    Ok(Account::new(Arc::new(secrets), "server", url, settings, reqwest::Client::builder))
}

/// A value that came in the open, as the crate takes it.
async fn kept(secrets: &Secrets, value: &Option<String>) -> Result<Option<Secret>, Failure> {
    let Some(value) = value.clone() else { return Ok(None) };
    Ok(Some(secrets.keep("server", "client", SecretValue::new(value)).await?))
}

/// An account, as a connection uses it.
pub(crate) struct SignedIn(pub(crate) Account);

impl Authorize for SignedIn {
    fn authorization(&self) -> Authorization<'_> {
        Box::pin(async { header(self.0.token().await) })
    }

    fn better<'a>(&'a self, used: Option<&'a HeaderValue>, challenge: Option<&'a str>) -> Authorization<'a> {
        Box::pin(async move {
            let used = used.and_then(SecretValue::of_bearer);
            let challenge = challenge.and_then(Challenge::parse);
            header(self.0.renew(used.as_ref(), challenge.as_ref()).await.map(Some))
        })
    }
}

/// What only a person can help with is left to the server: it refuses, and says what it wants.
fn header(token: Result<Option<SecretValue>, SignInError>) -> Result<Option<HeaderValue>, Error> {
    match token {
        Ok(token) => Ok(token.as_ref().and_then(SecretValue::bearer)),
        Err(SignInError::Needed { .. }) => Ok(None),
        Err(error) => {
            let (stage, why) = (Stage::Connect, error.to_string().into());
            Err(Error::Unreachable { stage, why, retry_after: None })
        }
    }
}

/// Signs in, as the server's challenge wants it.
pub(crate) async fn sign_in(account: &Account, challenge: Option<&str>) -> Result<(), SignInError> {
    account.sign_in(challenge.and_then(Challenge::parse).as_ref(), browse).await
}

/// A browser: it follows redirects, back to us in the end. What does not come back is missed by who waits for it.
fn browse(url: Url) {
    tokio::spawn(async move {
        let browser = reqwest::Client::builder().no_proxy().build()?;
        browser.get(url).send().await
    });
}
