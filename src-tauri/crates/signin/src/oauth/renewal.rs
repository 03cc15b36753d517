//! Getting a token without a person: by what is kept of a sign-in, or as a machine.

use std::{sync::Arc, time::Duration};

use rmcp::transport::auth::ClientCredentialsConfig;
use signalbox_model::Obstacle;
use tokio::{
    sync::{Mutex, OwnedMutexGuard},
    time::Instant,
};
use url::Url;

use super::{
    Challenge, Grant, Machine, OAuthSettings, Person, Proof, RegisteredClient, SignInError,
    error::WhySignIn,
    exchange::{Builder, Clients, Exchange},
    kept::Kept,
    session::{Session, manager},
    steps::Identity,
};
use crate::{SecretError, SecretValue, Secrets};

/// After a renewal that failed for want of an answer, nobody is asked again for this long.
const REST: Duration = Duration::from_secs(5);
/// A token that is refused this soon after it was given is not refused for its age.
pub(super) const NEW: Duration = Duration::from_secs(30);

/// What an account has, and how it renews it.
pub(super) struct Renewal {
    pub(super) secrets: Arc<Secrets>,
    pub(super) entry: String,
    pub(super) url: Url,
    pub(super) settings: OAuthSettings,
    pub(super) clients: Arc<Clients>,
    state: Arc<Mutex<State>>,
}

/// What is known of a sign-in. Whoever holds it may renew it.
#[derive(Default)]
pub(super) struct State {
    /// Whether the secret store was read.
    pub(super) loaded: bool,
    pub(super) kept: Option<Kept>,
    /// Whether `kept` could not be written yet.
    pub(super) unsaved: bool,
    pub(super) renewed: Option<Instant>,
    /// The last renewal, if it failed for want of an answer.
    pub(super) failed: Option<(Instant, SignInError)>,
}

impl Renewal {
    pub(super) fn new(
        secrets: Arc<Secrets>,
        server: &str,
        url: Url,
        settings: OAuthSettings,
        http: Box<Builder>,
    ) -> Self {
        let entry = secrets.sign_in_entry(server);
        Self { secrets, entry, url, settings, clients: Arc::new(Clients::new(http)), state: Arc::default() }
    }

    pub(super) async fn state(&self) -> OwnedMutexGuard<State> {
        Arc::clone(&self.state).lock_owned().await
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self.settings.grant, Grant::Person(_))
    }

    /// The token of `kept` while it is not about to expire.
    pub(super) async fn fresh(&self, kept: &Kept) -> Option<SecretValue> {
        let exchange = Arc::new(Exchange::new(Arc::clone(&self.clients), &self.url));
        kept.fresh(manager(&self.url, &exchange).await).await
    }

    /// Renews in a task of its own, which is not given up with who waits for it.
    pub(super) async fn renewed(
        self: Arc<Self>,
        mut state: OwnedMutexGuard<State>,
        challenge: Option<Challenge>,
    ) -> Result<SecretValue, SignInError> {
        if let Some((at, error)) = &state.failed
            && at.elapsed() < REST
        {
            return Err(error.clone());
        }
        let renewal = tokio::spawn(async move {
            let renewed = match &self.settings.grant {
                Grant::Person(person) => Box::pin(self.refresh(&mut state, person)).await,
                Grant::Machine(machine) => {
                    Box::pin(self.grant(&mut state, machine, challenge.as_ref())).await
                }
            };
            if let Err(error @ SignInError::Unreachable { .. }) = &renewed {
                state.failed = Some((Instant::now(), error.clone()));
            }
            renewed
        });
        renewal.await.unwrap_or_else(|_| {
            Err(SignInError::Unreachable { host: None, why: Obstacle::Interrupted.into() })
        })
    }

    async fn refresh(&self, state: &mut State, person: &Person) -> Result<SecretValue, SignInError> {
        let kept = state.kept.as_ref().ok_or(WhySignIn::Never)?;
        let identity = self.identity(person, kept).await?;
        let mut session = self.again(kept).await?;
        match session.refresh(kept, &identity).await {
            Ok(credentials) => {
                let kept = Kept { credentials: Some(credentials), ..kept.clone() };
                self.take(state, kept).await
            }
            Err(error @ SignInError::Needed { .. }) => {
                // The tokens are worth nothing any more; that somebody was signed in is worth knowing.
                state.kept = Some(Kept { credentials: None, ..kept.clone() });
                state.unsaved = true;
                self.save(state).await;
                Err(error)
            }
            Err(error) => Err(error),
        }
    }

    async fn grant(
        &self,
        state: &mut State,
        machine: &Machine,
        challenge: Option<&Challenge>,
    ) -> Result<SecretValue, SignInError> {
        let granted = state.kept.as_ref().map(Kept::scopes).unwrap_or_default().to_vec();
        let session = Session::discover(&self.url, &self.clients, challenge).await?;
        let issuer = session.issuer().to_owned();
        let mut scopes = session.scopes(&self.settings.scopes, challenge, &granted).await;
        // A machine asks again instead of refreshing.
        scopes.retain(|scope| scope != "offline_access");
        let config = self.proof(machine, scopes.clone()).await?;
        let mut credentials = session.grant(config).await?;
        if credentials.granted_scopes.is_empty() {
            // Nothing said of them means that all were granted.
            credentials.granted_scopes = scopes;
        }
        let kept = Kept {
            url: self.url.clone(),
            metadata: None,
            issuer,
            client_id: machine.client_id.clone(),
            client_secret: None,
            credentials: Some(credentials),
        };
        self.take(state, kept).await
    }

    async fn proof(
        &self,
        machine: &Machine,
        scopes: Vec<String>,
    ) -> Result<ClientCredentialsConfig, SignInError> {
        let (client_id, resource) = (machine.client_id.clone(), Some(self.url.to_string()));
        Ok(match &machine.proof {
            Proof::Secret(secret) => {
                let client_secret = self.secrets.resolve(secret).await?.expose().to_owned();
                ClientCredentialsConfig::ClientSecret { client_id, client_secret, scopes, resource }
            }
            Proof::PrivateKey { key, algorithm } => ClientCredentialsConfig::PrivateKeyJwt {
                client_id,
                signing_key: self.secrets.resolve(key).await?.expose().as_bytes().to_vec(),
                signing_algorithm: (*algorithm).into(),
                token_endpoint_audience: None,
                scopes,
                resource,
            },
        })
    }

    /// Has the authorization server forget the tokens that a person got; whether it offers that.
    pub(super) async fn revoke(&self, kept: &Kept) -> Result<bool, SignInError> {
        let identity = match &self.settings.grant {
            Grant::Person(person) => self.identity(person, kept).await?,
            Grant::Machine(Machine { client_id, proof: Proof::Secret(secret) })
                if *client_id == kept.client_id =>
            {
                Identity { id: client_id.clone(), secret: Some(self.secrets.resolve(secret).await?) }
            }
            Grant::Machine(_) => self.identity(&Person::default(), kept).await?,
        };
        let session = self.again(kept).await?;
        if session.issuer() != kept.issuer {
            return Ok(false);
        }
        let mut offered = false;
        for (token, kind) in [(kept.refresh(), "refresh_token"), (kept.access(), "access_token")] {
            if let Some(token) = token {
                offered = session.revoke(&token, kind, &identity).await?;
            }
        }
        Ok(offered)
    }

    /// The authorization server of `kept`, found the way it was found then.
    async fn again(&self, kept: &Kept) -> Result<Session, SignInError> {
        let resource_metadata = kept.metadata.clone();
        let challenge = Challenge { resource_metadata, ..Challenge::default() };
        let known = challenge.resource_metadata.is_some();
        Session::discover(&kept.url, &self.clients, known.then_some(&challenge)).await
    }

    /// As whom `kept` was got.
    async fn identity(&self, person: &Person, kept: &Kept) -> Result<Identity, SignInError> {
        if let Some(client) = &person.client {
            return self.registered(client).await;
        }
        let secret = kept.client_secret.as_deref().map(SecretValue::new);
        Ok(Identity { id: kept.client_id.clone(), secret })
    }

    /// As whom to sign in, and whether we have registered that client ourselves.
    pub(super) async fn identify(
        &self,
        person: &Person,
        session: &mut Session,
        redirect: &Url,
        scopes: &[String],
    ) -> Result<(Identity, bool), SignInError> {
        if let Some(client) = &person.client {
            return Ok((self.registered(client).await?, false));
        }
        match &person.client_metadata_url {
            Some(url) if session.takes_metadata_documents() => {
                if url.scheme() != "https" || url.path() == "/" {
                    let why = "a client's metadata document needs an HTTPS URL with a path";
                    return Err(SignInError::Misconfigured(why));
                }
                Ok((Identity { id: url.to_string(), secret: None }, false))
            }
            // Each time anew: the port is another, and the authorization server may have forgotten the last one.
            _ => Ok((session.register(&self.settings, redirect, scopes).await?, true)),
        }
    }

    async fn registered(&self, client: &RegisteredClient) -> Result<Identity, SignInError> {
        let secret = match &client.secret {
            Some(secret) => Some(self.secrets.resolve(secret).await?),
            None => None,
        };
        Ok(Identity { id: client.id.clone(), secret })
    }

    /// Takes over what a renewal brought.
    async fn take(&self, state: &mut State, kept: Kept) -> Result<SecretValue, SignInError> {
        let token = kept.access().ok_or(WhySignIn::Expired)?;
        let (renewed, unsaved) = (Some(Instant::now()), self.is_person());
        *state = State { loaded: true, kept: Some(kept), unsaved, renewed, failed: None };
        self.save(state).await;
        Ok(token)
    }

    /// Writes what is not written yet. What cannot be written is used all the same, and written later: the token that it
    /// replaced is worth nothing any more.
    pub(super) async fn save(&self, state: &mut State) {
        if let Err(error) = self.write(state).await {
            tracing::warn!(%error, "what renews a sign-in cannot be kept now");
        }
    }

    pub(super) async fn write(&self, state: &mut State) -> Result<(), SecretError> {
        if let (true, Some(kept)) = (state.unsaved, &state.kept) {
            self.secrets.write(&self.entry, kept.write()).await?;
            state.unsaved = false;
        }
        Ok(())
    }
}
