//! What is kept of a sign-in, as one document in the secret store. It is bound to the server's URL and to the
//! authorization server: for another of either it counts for nothing.

use oauth2::TokenResponse;
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, CredentialStore, InMemoryCredentialStore, StoredCredentials,
    VendorExtraTokenFields,
};
use serde::{Deserialize, Serialize};
use tracing::{instrument::WithSubscriber, subscriber::NoSubscriber};
use url::Url;

use crate::SecretValue;

/// What is kept of a sign-in. No `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The server that it is for.
    pub(super) url: Url,
    /// Where the server said its metadata is: it may be found nowhere else.
    pub(super) metadata: Option<String>,
    /// The authorization server that gave it.
    pub(super) issuer: String,
    /// The id of the client that it was given to.
    pub(super) client_id: String,
    /// That client's secret, if it is one that we registered.
    pub(super) client_secret: Option<String>,
    /// None when it is over and a person has to sign in again.
    pub(super) credentials: Option<StoredCredentials>,
}

impl Kept {
    /// Reads what was kept, if it is for `url`.
    pub(super) fn read(document: &SecretValue, url: &Url) -> Option<Self> {
        Self::of_any(document).filter(|kept| kept.url == *url)
    }

    /// Reads what was kept, whatever it is for: only to take it back.
    pub(super) fn of_any(document: &SecretValue) -> Option<Self> {
        serde_json::from_str(document.expose()).ok()
    }

    pub(super) fn write(&self) -> SecretValue {
        SecretValue::new(serde_json::to_string(self).expect("BUG: text, numbers and lists are JSON"))
    }

    /// The access token, whatever its age.
    pub(super) fn access(&self) -> Option<SecretValue> {
        let tokens = self.credentials.as_ref()?.token_response.as_ref()?;
        Some(SecretValue::new(tokens.access_token().secret()))
    }

    /// The refresh token.
    pub(super) fn refresh(&self) -> Option<SecretValue> {
        let tokens = self.credentials.as_ref()?.token_response.as_ref()?;
        tokens.refresh_token().map(|token| SecretValue::new(token.secret()))
    }

    /// What was granted, as far as we were told.
    pub(super) fn scopes(&self) -> &[String] {
        self.credentials.as_ref().map_or(&[], |credentials| &credentials.granted_scopes)
    }

    /// The access token while it is not about to expire. rmcp reads the clock for it; without a client it asks nobody.
    pub(super) async fn fresh(
        &self,
        manager: Result<AuthorizationManager, AuthError>,
    ) -> Option<SecretValue> {
        let mut manager = manager.ok()?;
        manager.set_credential_store(store(self.credentials.clone()?).await);
        let token = manager.get_access_token().with_subscriber(NoSubscriber::default());
        token.await.ok().map(SecretValue::new)
    }
}

/// A store for one step of rmcp's, with `credentials` in it. It is read afterwards.
pub(super) async fn store(credentials: StoredCredentials) -> InMemoryCredentialStore {
    let store = InMemoryCredentialStore::new();
    // Memory does not fail.
    let _ = store.save(credentials).await;
    store
}

/// What a step left in its store, without what only fills it (identity tokens and the like).
pub(super) async fn taken(store: &InMemoryCredentialStore) -> Option<StoredCredentials> {
    let mut credentials = store.load().await.ok()??;
    credentials.token_response.as_mut()?.set_extra_fields(VendorExtraTokenFields::default());
    Some(credentials)
}
