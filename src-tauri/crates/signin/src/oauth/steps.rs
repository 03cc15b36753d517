//! What is said to an authorization server that was found good.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderValue, Method, header};
use oauth2::{TokenResponse, basic::BasicTokenType};
use rmcp::transport::auth::{ClientCredentialsConfig, OAuthClientConfig, StoredCredentials};
use signalbox_model::Obstacle;
use tokio::{runtime::Handle, task};
use url::{Url, form_urlencoded};

use super::{
    OAuthSettings, SignInError,
    error::{WhySignIn, shown},
    kept::{self, Kept},
    session::{Session, additional},
    unlogged::unlogged,
};
use crate::SecretValue;

/// Bytes of a token that still fits a header.
const LONGEST_TOKEN: usize = 16 * 1024;

/// As whom we speak.
pub(super) struct Identity {
    pub(super) id: String,
    pub(super) secret: Option<SecretValue>,
}

impl Session {
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
        let client = unlogged(&exchange, step).await.map_err(|error| match error {
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
        let url = unlogged(&self.exchange, self.manager.get_authorization_url(&scopes)).await?;
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
        unlogged(&self.exchange, Box::pin(step)).await?;
        self.credentials().await
    }

    /// Renews what is kept.
    pub(super) async fn refresh(
        &mut self,
        kept: &Kept,
        identity: &Identity,
    ) -> Result<StoredCredentials, SignInError> {
        if self.issuer != kept.issuer {
            return Err(WhySignIn::Moved { issuer: shown(&self.issuer) }.into());
        }
        if identity.id != kept.client_id {
            return Err(WhySignIn::OtherClient.into());
        }
        let credentials = kept.credentials.clone().ok_or(WhySignIn::Expired)?;
        self.store = kept::store(credentials).await;
        self.manager.set_credential_store(self.store.clone());
        // A renewal redirects nobody; rmcp wants an address all the same.
        let redirect = self.server.clone();
        self.speak_as(identity, &redirect).await?;
        match unlogged(&self.exchange, Box::pin(self.manager.refresh_token())).await {
            Ok(_) => self.credentials().await,
            // Whatever its reason, by itself this will not work again.
            Err(SignInError::Refused { code, .. }) => Err(WhySignIn::Revoked { code }.into()),
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
                unlogged(&self.exchange, self.manager.exchange_client_credentials(&machine)).await?;
                self.credentials().await
            })
        });
        let interrupted = |_| SignInError::Unreachable { host: None, why: Obstacle::Interrupted.into() };
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
        let no_url = |_| self.malformed("an endpoint that is no URL");
        let request = self.revocation(endpoint, token, kind, identity).map_err(no_url)?;
        let answer = self.exchange.make(request).await?;
        // The official Python SDK wants the field of every client, also of one that has no secret.
        if identity.secret.is_none() && answer.status().is_client_error() && names_secret(answer.body()) {
            let empty = Identity { id: identity.id.clone(), secret: Some(SecretValue::new("")) };
            let request = self.revocation(endpoint, token, kind, &empty).map_err(no_url)?;
            self.exchange.make(request).await?;
        }
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
            Some(secret) if !secret.expose().is_empty() && !self.wants_secret_in_body() => {
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
        unlogged(&exchange, async { self.manager.configure_client(config) }).await
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
}

/// Whether an answer speaks of the field in which a client's secret goes.
fn names_secret(answer: &[u8]) -> bool {
    const FIELD: &[u8] = b"client_secret";
    answer.windows(FIELD.len()).any(|word| word == FIELD)
}
