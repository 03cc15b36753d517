//! One server's account, as its connections and its owner see it.

use std::sync::Arc;

use reqwest::ClientBuilder;
use tokio::{sync::OwnedMutexGuard, time::Instant};
use url::Url;

use super::{
    Challenge, Grant, OAuthSettings, SignInError,
    error::WhySignIn,
    kept::Kept,
    redirect::{Expected, WayBack},
    renewal::{NEW, Renewal, State},
    session::Session,
};
use crate::{SecretError, SecretValue, Secrets};

/// One server's account. At most one renewal is under way at a time; all who ask meanwhile get what it brings, and it goes
/// on when nobody waits for it any more: an authorization server gives a new refresh token once.
#[derive(Clone)]
pub struct Account {
    inner: Arc<Renewal>,
}

/// How an account stands: who let it in, to what, and whether that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountState {
    /// The authorization server that let them in.
    pub issuer: String,
    /// What was granted.
    pub scopes: Vec<String>,
    /// Whether it is over, so that a person has to sign in again.
    pub over: bool,
}

/// What became of the tokens at the authorization server when somebody signed out.
#[derive(Debug, Clone)]
pub enum Revocation {
    /// There were none.
    Nothing,
    /// It forgot them.
    Done,
    /// It does not offer that: they stay valid there until they expire.
    NotOffered,
    /// It could not be asked: they stay valid there until they expire.
    Failed(SignInError),
}

impl Account {
    /// The account at the server at `url`, which `server` stands for in the secret store. `http` makes clients with the
    /// person's proxy and certificates; redirects and limits are set here.
    #[must_use]
    pub fn new(
        secrets: Arc<Secrets>,
        server: &str,
        url: Url,
        settings: OAuthSettings,
        http: impl Fn() -> ClientBuilder + Send + Sync + 'static,
    ) -> Self {
        Self { inner: Arc::new(Renewal::new(secrets, server, url, settings, Box::new(http))) }
    }

    /// The token for the next request, renewed if it is about to expire; none if nobody has signed in yet (the server
    /// may let us in all the same). A machine always gets one.
    ///
    /// # Errors
    /// [`SignInError::Needed`] when a person has to sign in again; others.
    pub async fn token(&self) -> Result<Option<SecretValue>, SignInError> {
        let mut state = self.load().await?;
        let is_person = self.inner.is_person();
        match &state.kept {
            None if is_person => return Ok(None),
            None => {}
            Some(kept) => {
                if let Some(token) = self.inner.fresh(kept).await {
                    self.inner.save(&mut state).await;
                    return Ok(Some(token));
                }
                if is_person && kept.refresh().is_none() {
                    return Err(WhySignIn::Expired.into());
                }
            }
        }
        Arc::clone(&self.inner).renewed(state, None).await.map(Some)
    }

    /// A better token than `used`, which the server refused with 401 or 403: the one that somebody else got meanwhile, or
    /// a renewed one. To be asked when a request was refused, which may then be sent again.
    ///
    /// # Errors
    /// [`SignInError::Needed`] when only a person can help; others.
    pub async fn renew(
        &self,
        used: Option<&SecretValue>,
        challenge: Option<&Challenge>,
    ) -> Result<SecretValue, SignInError> {
        let state = self.load().await?;
        let current = state.kept.as_ref().and_then(Kept::access);
        if let Some(current) = &current
            && Some(current) != used
        {
            return Ok(current.clone());
        }
        if self.inner.is_person() {
            let kept = state.kept.as_ref().ok_or(WhySignIn::Never)?;
            if let Some(challenge) = challenge.filter(|challenge| challenge.wants_more()) {
                return Err(WhySignIn::Scope { scopes: challenge.scopes.clone() }.into());
            }
            if kept.refresh().is_none() {
                return Err(if current.is_some() { WhySignIn::Rejected } else { WhySignIn::Expired }.into());
            }
        }
        // It was new, and the server did not take it: another one like it would fare no better.
        let is_new = current.is_some() && state.renewed.is_some_and(|at| at.elapsed() < NEW);
        let has = |scope| state.kept.as_ref().is_some_and(|kept| kept.scopes().contains(scope));
        let widens = challenge.is_some_and(|c| c.wants_more() && !c.scopes.iter().all(has));
        if is_new && !widens {
            return Err(WhySignIn::Rejected.into());
        }
        Arc::clone(&self.inner).renewed(state, challenge.cloned()).await
    }

    /// Lets a person sign in: `open` is given the address to show in their browser. Dropping the future gives it up. For a
    /// machine it gets a token.
    ///
    /// # Errors
    /// Why nobody is signed in now.
    pub async fn sign_in(
        &self,
        challenge: Option<&Challenge>,
        open: impl FnOnce(Url),
    ) -> Result<(), SignInError> {
        let inner = &self.inner;
        let state = self.load().await?;
        let Grant::Person(person) = &inner.settings.grant else {
            return Arc::clone(inner).renewed(state, challenge.cloned()).await.map(|_| ());
        };
        let granted = state.kept.as_ref().map(|kept| kept.scopes().to_vec()).unwrap_or_default();
        drop(state);
        // A secret store that does not open is told before the person goes through it all.
        inner.secrets.read(&inner.entry).await?;

        let mut session = Box::pin(Session::discover(&inner.url, &inner.clients, challenge)).await?;
        session.require_pkce()?;
        let scopes = session.scopes(&inner.settings.scopes, challenge, &granted).await;
        let registered = person.client.as_ref().and_then(|client| client.redirect.as_ref());
        let way = WayBack::open(registered).await?;
        let (identity, ours) = Box::pin(inner.identify(person, &mut session, way.uri(), &scopes)).await?;
        let (url, secret) = session.begin(&identity, way.uri(), &scopes).await?;
        open(url);
        let expected = Expected { state: secret.clone(), issuer: session.issuer().to_owned() };
        let answer = Box::pin(way.answer(expected, inner.settings.patience)).await?;

        // From here on no renewal of what was there before may come between.
        let mut state = inner.state().await;
        let credentials = session.finish(&answer.code, &secret, answer.issuer.as_deref()).await?;
        let kept = Kept {
            url: inner.url.clone(),
            metadata: challenge.and_then(|challenge| challenge.resource_metadata.clone()),
            issuer: session.issuer().to_owned(),
            client_id: identity.id,
            client_secret: identity.secret.filter(|_| ours).map(|secret| secret.expose().to_owned()),
            credentials: Some(credentials),
        };
        let renewed = Some(Instant::now());
        *state = State { loaded: true, kept: Some(kept), unsaved: true, renewed, failed: None };
        Ok(inner.write(&mut state).await?)
    }

    /// Forgets the tokens, and asks the authorization server to forget them too.
    ///
    /// # Errors
    /// When they cannot be deleted here; then nothing else was done.
    pub async fn sign_out(&self) -> Result<Revocation, SignInError> {
        let mut state = self.load().await?;
        let inner = &self.inner;
        // A person's tokens stay kept when the way to sign in, or the address, becomes another: they end here all the same.
        let document = match inner.secrets.read(&inner.entry).await {
            Ok(document) => document.and_then(|document| Kept::of_any(&document)),
            Err(SecretError::NoKeychain { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        match inner.secrets.erase(&inner.entry).await {
            Ok(()) | Err(SecretError::NoKeychain { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let known = std::mem::replace(&mut *state, State { loaded: true, ..State::default() }).kept;
        let (persons, machines) =
            if inner.is_person() { (known.or(document), None) } else { (document, known) };
        let has_token = |kept: &Kept| kept.access().is_some();
        let Some(kept) = persons.filter(has_token) else {
            // A machine gets another whenever it wants one.
            let machines = machines.filter(has_token);
            return Ok(machines.map_or(Revocation::Nothing, |_| Revocation::NotOffered));
        };
        Ok(match Box::pin(inner.revoke(&kept)).await {
            Ok(true) => Revocation::Done,
            Ok(false) => Revocation::NotOffered,
            Err(error) => Revocation::Failed(error),
        })
    }

    /// Who is signed in, without asking anybody.
    ///
    /// # Errors
    /// When the secret store does not open.
    pub async fn standing(&self) -> Result<Option<AccountState>, SignInError> {
        let state = self.load().await?;
        Ok(state.kept.as_ref().map(|kept| AccountState {
            issuer: kept.issuer.clone(),
            scopes: kept.scopes().to_vec(),
            over: kept.credentials.is_none(),
        }))
    }

    /// What is known, read from the secret store when first needed.
    async fn load(&self) -> Result<OwnedMutexGuard<State>, SignInError> {
        let mut state = self.inner.state().await;
        if !state.loaded && self.inner.is_person() {
            match self.inner.secrets.read(&self.inner.entry).await {
                Ok(document) => {
                    state.kept = document.and_then(|document| Kept::read(&document, &self.inner.url));
                    state.loaded = true;
                }
                // What cannot be kept cannot have been kept either; perhaps it can later.
                Err(SecretError::NoKeychain { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(state)
    }
}
