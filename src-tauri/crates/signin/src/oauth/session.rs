//! One conversation with an authorization server: found, examined, and only then spoken to. It lasts for one step, so that
//! each renewal sees whom the server relies on now.

use std::sync::Arc;

use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, InMemoryCredentialStore,
};
use url::Url;

use super::{
    Challenge, SignInError,
    error::{Distrust, shown},
    exchange::{Clients, Exchange, host},
    unlogged::unlogged,
};

const MOST_SCOPES: usize = 64;

/// One conversation with an authorization server.
pub(super) struct Session {
    pub(super) manager: AuthorizationManager,
    pub(super) exchange: Arc<Exchange>,
    /// What the last step brought.
    pub(super) store: InMemoryCredentialStore,
    pub(super) metadata: AuthorizationMetadata,
    pub(super) issuer: String,
    pub(super) server: Url,
}

impl Session {
    /// Finds the authorization server that `server` relies on.
    pub(super) async fn discover(
        server: &Url,
        clients: &Arc<Clients>,
        challenge: Option<&Challenge>,
    ) -> Result<Self, SignInError> {
        let exchange = Arc::new(Exchange::new(Arc::clone(clients), server));
        exchange.admit(server)?;
        let mut manager = unlogged(&exchange, manager(server, &exchange)).await?;
        let store = InMemoryCredentialStore::new();
        manager.set_credential_store(store.clone());
        let challenge = challenge.map(Challenge::header);
        let step = Box::pin(manager.resolve_metadata_from_challenge(challenge.as_deref()));
        let found = unlogged(&exchange, step).await?;
        // Addresses that nobody published are guesses, and nobody answers for them.
        if !found.source.is_discovered() {
            return Err(SignInError::NotOffered);
        }
        let metadata = found.metadata;
        let malformed =
            |message: &str| SignInError::Malformed { host: host(server), message: message.into() };
        let issuer = metadata.issuer.clone().ok_or_else(|| malformed("no issuer"))?;
        let revocation = additional(&metadata, "revocation_endpoint");
        let endpoints = [Some(metadata.authorization_endpoint.as_str()), Some(&metadata.token_endpoint)];
        let optional = [metadata.registration_endpoint.as_deref(), revocation];
        for endpoint in endpoints.into_iter().chain(optional).flatten() {
            exchange.admit(&Url::parse(endpoint).map_err(|_| malformed("an endpoint that is no URL"))?)?;
        }
        manager.set_metadata(metadata.clone());
        Ok(Self { manager, exchange, store, metadata, issuer, server: server.clone() })
    }

    /// Who the authorization server is.
    pub(super) fn issuer(&self) -> &str {
        &self.issuer
    }

    /// # Errors
    /// When the authorization server does not say that it checks PKCE.
    pub(super) fn require_pkce(&self) -> Result<(), SignInError> {
        let methods = self.metadata.code_challenge_methods_supported.as_deref().unwrap_or_default();
        if methods.iter().any(|method| method == "S256") { Ok(()) } else { Err(Distrust::NoPkce.into()) }
    }

    /// Which scopes to ask for. What was granted before stays when the server wants more.
    pub(super) async fn scopes(
        &self,
        configured: &[String],
        challenge: Option<&Challenge>,
        granted: &[String],
    ) -> Vec<String> {
        let wanted = match challenge.filter(|challenge| challenge.wants_more()) {
            Some(challenge) => [granted, &challenge.scopes].concat(),
            None => Vec::new(),
        };
        let base = match configured {
            [] if !wanted.is_empty() => Vec::new(),
            [] => self.manager.select_initial_scopes(&[]).await,
            configured => configured.to_vec(),
        };
        let mut scopes: Vec<String> = Vec::new();
        for scope in base.into_iter().chain(wanted) {
            let legible = !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic());
            if legible && scopes.len() < MOST_SCOPES && !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        // Without it many give no refresh token.
        let offline = self.metadata.scopes_supported.iter().flatten().any(|scope| scope == "offline_access");
        if offline && !scopes.is_empty() && !scopes.iter().any(|scope| scope == "offline_access") {
            scopes.push("offline_access".into());
        }
        scopes
    }

    /// Whether the authorization server takes the URL of a metadata document as a client's id.
    pub(super) fn takes_metadata_documents(&self) -> bool {
        let supported = self.metadata.additional_fields.get("client_id_metadata_document_supported");
        supported.and_then(serde_json::Value::as_bool).unwrap_or(false)
    }

    pub(super) fn malformed(&self, message: &str) -> SignInError {
        SignInError::Malformed { host: shown(&self.issuer), message: message.into() }
    }
}

/// rmcp's part, which reaches the network only through `exchange`.
pub(super) async fn manager(
    server: &Url,
    exchange: &Arc<Exchange>,
) -> Result<AuthorizationManager, AuthError> {
    AuthorizationManager::new_with_oauth_http_client(server.clone(), Arc::clone(exchange) as _).await
}

pub(super) fn additional<'a>(metadata: &'a AuthorizationMetadata, name: &str) -> Option<&'a str> {
    metadata.additional_fields.get(name).and_then(serde_json::Value::as_str)
}
