//! A person with a browser, and accounts.

use std::sync::Arc;

use signalbox_demo::authority::Authority;
use signalbox_signin::{
    SecretValue, Secrets,
    oauth::{Account, Challenge, Grant, OAuthSettings, Person, RegisteredClient, SignInError},
};
use tokio::sync::oneshot;
use url::Url;

pub(crate) struct Rig {
    pub(crate) authority: Arc<Authority>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) account: Account,
}

/// What the browser showed last.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Rig {
    pub(crate) async fn start() -> Self {
        Self::with(OAuthSettings::default()).await
    }

    pub(crate) async fn with(settings: OAuthSettings) -> Self {
        let authority = Authority::start().await.unwrap();
        let secrets = Arc::new(Secrets::this_run("home"));
        let account = account(&secrets, authority.url("/mcp"), settings);
        Self { authority, secrets, account }
    }

    pub(crate) async fn sign_in(&self) -> Result<Page, SignInError> {
        self.sign_in_with(None).await
    }

    pub(crate) async fn sign_in_with(&self, challenge: Option<&Challenge>) -> Result<Page, SignInError> {
        let (shown, page) = oneshot::channel();
        self.account
            .sign_in(challenge, |url| {
                tokio::spawn(async move { shown.send(browse(url).await).unwrap() });
            })
            .await?;
        Ok(page.await.unwrap())
    }

    pub(crate) async fn token(&self) -> Result<String, SignInError> {
        Ok(self.account.token().await?.expect("somebody is signed in").expose().to_owned())
    }
}

pub(crate) fn account(secrets: &Arc<Secrets>, url: Url, settings: OAuthSettings) -> Account {
    Account::new(Arc::clone(secrets), "s1", url, settings, reqwest::Client::builder)
}

pub(crate) fn as_client(client: RegisteredClient) -> OAuthSettings {
    let person = Person { client: Some(client), ..Person::default() };
    OAuthSettings { grant: Grant::Person(person), ..OAuthSettings::default() }
}

pub(crate) fn value(text: &str) -> SecretValue {
    SecretValue::new(text)
}

/// Follows the authorization server back to us, as a browser does.
pub(crate) async fn browse(url: Url) -> Page {
    let back = where_to(url).await;
    visit(back).await
}

/// Where the authorization server sends the browser.
pub(crate) async fn where_to(url: Url) -> Url {
    let response = client().get(url).send().await.unwrap();
    assert_eq!(response.status(), 302, "the authorization server sends the browser back");
    Url::parse(response.headers()["location"].to_str().unwrap()).unwrap()
}

pub(crate) async fn visit(url: Url) -> Page {
    let response = client().get(url).send().await.unwrap();
    assert_eq!(response.headers()["content-security-policy"], "default-src 'none'");
    Page { status: response.status().as_u16(), text: response.text().await.unwrap() }
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}
