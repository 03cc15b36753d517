//! One conversation with an authorization server: found, examined, and only then spoken to. It lasts for one step, so that
//! each renewal sees whom the server relies on now.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderValue, Method, header};
use oauth2::{TokenResponse, basic::BasicTokenType};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationMetadata, ClientCredentialsConfig, InMemoryCredentialStore,
    OAuthClientConfig, StoredCredentials,
};
use tokio::{runtime::Handle, task, time};
use tracing::{instrument::WithSubscriber, subscriber::NoSubscriber};
use url::{Url, form_urlencoded};

use super::{
    Challenge, OAuthSettings, SignInError,
    error::{Distrust, Why, shown},
    exchange::{Clients, Exchange, host},
    kept::{self, Kept},
};
use crate::SecretValue;

/// The longest a step may take, whatever it is answered with.
const STEP: Duration = Duration::from_secs(60);
const MOST_SCOPES: usize = 64;
/// Bytes of a token that still fits a header.
const LONGEST_TOKEN: usize = 16 * 1024;

/// As whom we speak.
pub(super) struct Identity {
    pub(super) id: String,
    pub(super) secret: Option<SecretValue>,
}

/// One conversation with an authorization server.
pub(super) struct Session {
    manager: AuthorizationManager,
    exchange: Arc<Exchange>,
    store: InMemoryCredentialStore,
    metadata: AuthorizationMetadata,
    issuer: String,
    server: Url,
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
        let mut manager = quietly(&exchange, manager(server, &exchange)).await?;
        let store = InMemoryCredentialStore::new();
        manager.set_credential_store(store.clone());
        let challenge = challenge.map(Challenge::header);
        let step = Box::pin(manager.resolve_metadata_from_challenge(challenge.as_deref()));
        let found = quietly(&exchange, step).await?;
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

    /// Registers a client of our own.
    pub(super) async fn register(
        &mut self,
        settings: &OAuthSettings,
        redirect: &Url,
        scopes: &[String],
    ) -> Result<Identity, SignInError> {
        if self.metadata.registration_endpoint.is_none() {
            return Err(SignInError::NoClient);
        }
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let exchange = Arc::clone(&self.exchange);
        let step = self.manager.register_client(&settings.client_name, redirect.as_str(), &scopes);
        let client = quietly(&exchange, step).await.map_err(|error| match error {
            // Registration that is closed to the public often has an address all the same.
            SignInError::Malformed { .. } if exchange.status().is_some_and(|s| s.is_client_error()) => {
                SignInError::NoClient
            }
            other => other,
        })?;
        Ok(Identity { id: client.client_id, secret: client.client_secret.map(SecretValue::new) })
    }

    /// Where the person has to go, and the state that comes back from there.
    pub(super) async fn begin(
        &mut self,
        identity: &Identity,
        redirect: &Url,
        scopes: &[String],
    ) -> Result<(Url, String), SignInError> {
        self.speak_as(identity, redirect).await?;
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let url = quietly(&self.exchange, self.manager.get_authorization_url(&scopes)).await?;
        let url = Url::parse(&url).map_err(|_| self.malformed("an endpoint that is no URL"))?;
        let state = url.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
        let state = state.ok_or_else(|| self.malformed("an endpoint that swallows its query"))?;
        Ok((url, state))
    }

    /// Exchanges what came back from there.
    pub(super) async fn finish(
        &self,
        code: &str,
        state: &str,
        issuer: Option<&str>,
    ) -> Result<StoredCredentials, SignInError> {
        let step = self.manager.exchange_code_for_token_with_issuer(code, state, issuer);
        quietly(&self.exchange, Box::pin(step)).await?;
        self.credentials().await
    }

    /// Renews what is kept.
    pub(super) async fn refresh(
        &mut self,
        kept: &Kept,
        identity: &Identity,
    ) -> Result<StoredCredentials, SignInError> {
        if self.issuer != kept.issuer {
            return Err(Why::Moved { issuer: shown(&self.issuer) }.into());
        }
        if identity.id != kept.client_id {
            return Err(Why::OtherClient.into());
        }
        let credentials = kept.credentials.clone().ok_or(Why::Expired)?;
        self.store = kept::store(credentials).await;
        self.manager.set_credential_store(self.store.clone());
        // A renewal redirects nobody; rmcp wants an address all the same.
        let redirect = self.server.clone();
        self.speak_as(identity, &redirect).await?;
        match quietly(&self.exchange, Box::pin(self.manager.refresh_token())).await {
            Ok(_) => self.credentials().await,
            // Whatever its reason, by itself this will not work again.
            Err(SignInError::Refused { code, .. }) => Err(Why::Revoked { code }.into()),
            Err(error) => Err(error),
        }
    }

    /// Gets a machine its token.
    pub(super) async fn grant(
        mut self,
        machine: ClientCredentialsConfig,
    ) -> Result<StoredCredentials, SignInError> {
        let usable = self.manager.validate_client_credentials_metadata(&machine);
        if usable.and_then(|()| self.manager.configure_client_credentials(&machine)).is_err() {
            return Err(SignInError::Misconfigured(
                "the authorization server does not take this kind of proof",
            ));
        }
        // rmcp's future for this must not change threads.
        let runtime = Handle::current();
        let step = task::spawn_blocking(move || {
            runtime.block_on(async {
                quietly(&self.exchange, self.manager.exchange_client_credentials(&machine)).await?;
                self.credentials().await
            })
        });
        let interrupted = |_| SignInError::Unreachable {
            host: "the authorization server".into(),
            message: "the exchange was interrupted".into(),
        };
        step.await.map_err(interrupted)?
    }

    /// Asks the authorization server to forget `token`; whether it offers that.
    pub(super) async fn revoke(
        &self,
        token: &SecretValue,
        kind: &str,
        identity: &Identity,
    ) -> Result<bool, SignInError> {
        let Some(endpoint) = additional(&self.metadata, "revocation_endpoint") else { return Ok(false) };
        let request = self.revocation(endpoint, token, kind, identity);
        self.exchange.make(request.map_err(|_| self.malformed("an endpoint that is no URL"))?).await?;
        self.exchange.failure().map_or(Ok(true), Err)
    }

    fn revocation(
        &self,
        endpoint: &str,
        token: &SecretValue,
        kind: &str,
        identity: &Identity,
    ) -> Result<http::Request<Vec<u8>>, http::Error> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("token", token.expose()).append_pair("token_type_hint", kind);
        let mut request = http::Request::builder()
            .method(Method::POST)
            .uri(endpoint)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        match &identity.secret {
            Some(secret) if !self.wants_secret_in_body() => {
                let encode =
                    |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
                let basic = format!("{}:{}", encode(&identity.id), encode(secret.expose()));
                request = request.header(header::AUTHORIZATION, format!("Basic {}", STANDARD.encode(basic)));
            }
            secret => {
                form.append_pair("client_id", &identity.id);
                if let Some(secret) = secret {
                    form.append_pair("client_secret", secret.expose());
                }
            }
        }
        request.body(form.finish().into_bytes())
    }

    fn wants_secret_in_body(&self) -> bool {
        let field = "token_endpoint_auth_methods_supported";
        let methods = self.metadata.additional_fields.get(field).and_then(serde_json::Value::as_array);
        let has = |name| methods.is_some_and(|methods| methods.iter().any(|method| method == name));
        has("client_secret_post") && !has("client_secret_basic")
    }

    async fn speak_as(&mut self, identity: &Identity, redirect: &Url) -> Result<(), SignInError> {
        let mut config = OAuthClientConfig::new(&identity.id, redirect.as_str());
        if let Some(secret) = &identity.secret {
            config = config.with_client_secret(secret.expose());
        }
        let exchange = Arc::clone(&self.exchange);
        quietly(&exchange, async { self.manager.configure_client(config) }).await
    }

    /// What the last step brought, if it can be used.
    async fn credentials(&self) -> Result<StoredCredentials, SignInError> {
        let credentials = kept::taken(&self.store).await.ok_or_else(|| self.malformed("no token"))?;
        let tokens = credentials.token_response.as_ref().ok_or_else(|| self.malformed("no token"))?;
        if *tokens.token_type() != BasicTokenType::Bearer {
            return Err(self.malformed("a token that is not a bearer's"));
        }
        let token = tokens.access_token().secret();
        if token.is_empty() || token.len() > LONGEST_TOKEN || HeaderValue::from_str(token).is_err() {
            return Err(self.malformed("a token that fits no header"));
        }
        Ok(credentials)
    }

    fn malformed(&self, message: &str) -> SignInError {
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

/// Carries out a step of rmcp's: in bounded time, and without a word in any log.
async fn quietly<T>(
    exchange: &Exchange,
    step: impl Future<Output = Result<T, AuthError>>,
) -> Result<T, SignInError> {
    let step = time::timeout(STEP, step.with_subscriber(NoSubscriber::default()));
    match step.await {
        Ok(result) => result.map_err(|error| explain(error, exchange.failure())),
        Err(_) => Err(SignInError::Unreachable {
            host: "the authorization server".into(),
            message: format!("not done within {} s", STEP.as_secs()),
        }),
    }
}

/// An error of rmcp's in our terms. Its texts can quote what was answered, tokens and all: none is passed on.
fn explain(error: AuthError, failure: Option<SignInError>) -> SignInError {
    let unreadable = |message: &str| SignInError::Malformed {
        host: "the authorization server".into(),
        message: message.into(),
    };
    match error {
        AuthError::AuthorizationRequired | AuthError::TokenExpired => Why::Expired.into(),
        AuthError::TokenRefreshRejected(_) => Why::Revoked { code: "invalid_grant".into() }.into(),
        AuthError::NoAuthorizationSupport => SignInError::NotOffered,
        AuthError::PkceUnsupported => Distrust::NoPkce.into(),
        AuthError::AuthorizationServerMismatch { expected_issuer, received_issuer } => {
            Distrust::Issuer { expected: shown(&expected_issuer), received: shown(&received_issuer) }.into()
        }
        AuthError::AuthorizationServerMissingIssuer { expected_issuer } => {
            Distrust::NoIssuer { expected: shown(&expected_issuer) }.into()
        }
        AuthError::ProtectedResourceMetadataInvalid { reason, .. } => {
            Distrust::Resource { message: shown(&reason.to_string()) }.into()
        }
        AuthError::AuthorizationServersUnavailable { authorization_servers, .. } => SignInError::Malformed {
            host: shown(&authorization_servers.join(", ")),
            message: "no authorization server's metadata is there".into(),
        },
        AuthError::JwtSigningError(_) => SignInError::Misconfigured("the private key does not sign"),
        AuthError::InvalidScope(_) => unreadable("it does not give codes"),
        _ => failure.unwrap_or_else(|| unreadable("not legible")),
    }
}

fn additional<'a>(metadata: &'a AuthorizationMetadata, name: &str) -> Option<&'a str> {
    metadata.additional_fields.get(name).and_then(serde_json::Value::as_str)
}
