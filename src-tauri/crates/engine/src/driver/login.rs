//! Our account at a server that wants a sign-in: one per server. It outlives the server's connections.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use http::HeaderValue;
use signalbox_mcp::{self as mcp, Authorization, Authorize, Network, Stage};
use signalbox_model::{Access, Obstacle, ServerId, SignIn};
use signalbox_signin::{
    SecretValue, Secrets,
    oauth::{
        Account, AccountState, Challenge, Grant, Machine, OAuthSettings, Person, Proof, RegisteredClient,
        Revocation, SignInError,
    },
};
use tokio::sync::watch;
use url::Url;

use super::obstacle;

/// The longest file with certificates that is read, in bytes.
const LONGEST_PEM: u64 = 4 * 1024 * 1024;

/// Who is signed in where, as far as this run had to know.
pub(super) type SignedIn = Arc<watch::Sender<BTreeMap<ServerId, AccountState>>>;

/// The account at one server. The secret store, which may ask a person to unlock it, is opened only for a server that has
/// refused us, or whose sign-in was configured.
pub(super) struct Login {
    server: ServerId,
    account: Account,
    /// Whether requests show a token from the start.
    in_use: AtomicBool,
    is_configured: bool,
    /// What the server said when it refused us last.
    challenge: Mutex<Option<Challenge>>,
    /// Whether it is in `signed_in`.
    is_told: AtomicBool,
    signed_in: SignedIn,
}

impl Login {
    pub(super) fn new(
        secrets: Arc<Secrets>,
        server: ServerId,
        url: Url,
        sign_in: &SignIn,
        network: Network,
        signed_in: SignedIn,
    ) -> Result<Self, Obstacle> {
        let settings = settings(sign_in)?;
        let is_configured = *sign_in != SignIn::default();
        let http = move || network.builder();
        // The account is configured anew. Whether somebody is signed in under the new configuration is not
        // known.
        signed_in.send_if_modified(|known| known.remove(&server).is_some());
        Ok(Self {
            server,
            account: Account::new(secrets, &server.to_string(), url, settings, http),
            in_use: AtomicBool::new(is_configured),
            is_configured,
            challenge: Mutex::default(),
            is_told: AtomicBool::new(false),
            signed_in,
        })
    }

    /// Tells who is signed in now. To be asked only once the account knows it: it must open no secret store.
    async fn tell(&self) {
        let standing = self.account.standing().await.ok().flatten().filter(|standing| !standing.over);
        self.is_told.store(standing.is_some(), Ordering::Relaxed);
        self.signed_in.send_if_modified(|known| {
            let before = match standing.clone() {
                Some(standing) => known.insert(self.server, standing),
                None => known.remove(&self.server),
            };
            before != standing
        });
    }

    fn challenge(&self) -> MutexGuard<'_, Option<Challenge>> {
        self.challenge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server has refused us since the last sign-in.
    pub(super) fn was_refused(&self) -> bool {
        self.challenge().is_some()
    }

    pub(super) async fn sign_in(&self, open: impl FnOnce(Url)) -> Result<(), SignInError> {
        let challenge = self.challenge().clone();
        Box::pin(self.account.sign_in(challenge.as_ref(), open)).await?;
        *self.challenge() = None;
        self.in_use.store(true, Ordering::Relaxed);
        self.tell().await;
        Ok(())
    }

    pub(super) async fn sign_out(&self) -> Result<Revocation, SignInError> {
        let revocation = self.account.sign_out().await?;
        self.in_use.store(self.is_configured, Ordering::Relaxed);
        self.tell().await;
        Ok(revocation)
    }
}

impl Authorize for Login {
    fn authorization(&self) -> Authorization<'_> {
        Box::pin(async {
            if !self.in_use.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let token = self.account.token().await;
            if matches!(token, Ok(Some(_))) != self.is_told.load(Ordering::Relaxed) {
                self.tell().await;
            }
            said(token)
        })
    }

    fn better<'a>(&'a self, used: Option<&'a HeaderValue>, challenge: Option<&'a str>) -> Authorization<'a> {
        Box::pin(async move {
            let used = used.and_then(SecretValue::of_bearer);
            let challenge = challenge.and_then(Challenge::parse);
            if challenge.is_some() {
                self.challenge().clone_from(&challenge);
            }
            let token = self.account.renew(used.as_ref(), challenge.as_ref()).await;
            if token.is_ok() || self.is_told.load(Ordering::Relaxed) {
                self.tell().await;
            }
            let token = said(token.map(Some))?;
            if token.is_some() {
                self.in_use.store(true, Ordering::Relaxed);
            }
            Ok(token)
        })
    }
}

fn said(token: Result<Option<SecretValue>, SignInError>) -> Result<Option<HeaderValue>, mcp::Error> {
    match token {
        Ok(token) => Ok(token.as_ref().and_then(SecretValue::bearer)),
        Err(error) => obstacle::of_token(&error).map_or(Ok(None), Err),
    }
}

fn settings(sign_in: &SignIn) -> Result<OAuthSettings, Obstacle> {
    let SignIn { client_id, client_secret, client_metadata_url, scopes, machine } = sign_in.clone();
    let grant = if machine {
        let (Some(client_id), Some(secret)) = (client_id, client_secret) else {
            return Err(Obstacle::NoClient);
        };
        Grant::Machine(Machine { client_id, proof: Proof::Secret(secret) })
    } else {
        let parse = |url: String| url.parse().map_err(|_| Obstacle::NoMetadataUrl);
        Grant::Person(Person {
            client: client_id.map(|id| RegisteredClient { id, secret: client_secret, redirect: None }),
            client_metadata_url: client_metadata_url.map(parse).transpose()?,
        })
    };
    Ok(OAuthSettings { grant, scopes, ..OAuthSettings::default() })
}

/// The way to a server as a person configured it. Files are read now.
pub(super) async fn network(access: &Access) -> Result<Network, mcp::Error> {
    let Access { ca_certificates, proxy, .. } = access;
    if ca_certificates.is_empty() && proxy.is_none() {
        return Ok(Network::default());
    }
    let unusable = |stage, obstacle: Obstacle| mcp::Error::Unreachable {
        stage,
        why: obstacle.into(),
        retry_after: None,
    };
    let proxy = proxy.as_ref().map(|url| {
        // It may hold a password, and is not repeated.
        url.parse::<Url>().map_err(|_| unusable(Stage::Address, Obstacle::NoProxyUrl))
    });
    let proxy = proxy.transpose()?;
    let files = ca_certificates.clone();
    let read = move || files.iter().map(|file| pem(Path::new(file))).collect::<Result<Vec<_>, _>>();
    let read = tokio::task::spawn_blocking(read).await;
    let stopped = |_| unusable(Stage::Tls, Obstacle::Interrupted);
    let pems = read.map_err(stopped)??;
    Network::new(pems, proxy).map_err(|error| match error {
        mcp::NetworkError::Certificates { index } => {
            let file = ca_certificates.get(index).cloned().unwrap_or_default();
            unusable(Stage::Tls, Obstacle::NoCertificates { file })
        }
        mcp::NetworkError::Proxy => unusable(Stage::Address, Obstacle::NoProxyUrl),
    })
}

fn pem(file: &Path) -> Result<Vec<u8>, mcp::Error> {
    signalbox_files::read(file, LONGEST_PEM).map_err(|error| {
        let obstacle =
            Obstacle::CertificatesUnread { file: file.display().to_string(), said: error.to_string() };
        mcp::Error::Unreachable { stage: Stage::Tls, why: obstacle.into(), retry_after: None }
    })
}
