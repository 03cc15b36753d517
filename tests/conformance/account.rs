//! Signing in where a scenario's server wants that, with a person who agrees to everything.

use std::sync::Arc;
use std::time::Duration;

use signalbox_model::Secret;
use signalbox_signin::oauth::{
    Account, Algorithm, Challenge, Client, Grant, Machine, OAuthSettings, Person, Proof, SignInError,
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
            client: client_id.map(|id| Client { id, secret, redirect: None }),
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

/// Gets a better token than the one that the server refused, if by nothing else then by signing in.
pub(crate) async fn improve(
    account: &Account,
    refused: Option<&SecretValue>,
    challenge: Option<&str>,
) -> Result<(), Failure> {
    let challenge = challenge.and_then(Challenge::parse);
    match account.renew(refused, challenge.as_ref()).await {
        Ok(_) => Ok(()),
        Err(SignInError::Needed { .. }) => Ok(account.sign_in(challenge.as_ref(), browse).await?),
        Err(error) => Err(error.into()),
    }
}

/// A browser: it follows redirects, back to us in the end. What does not come back is missed by who waits for it.
fn browse(url: Url) {
    tokio::spawn(async move {
        let browser = reqwest::Client::builder().no_proxy().build()?;
        browser.get(url).send().await
    });
}
