//! A door before the scripted server, with the authorization server that it relies on: for tests of signing in. It checks
//! what a careful one would, and keeps a journal.

mod script;
mod tokens;

use std::{
    collections::BTreeMap,
    net::Ipv4Addr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
};
use url::{Url, form_urlencoded};

use self::tokens::Tokens;
use crate::{Demo, DemoError, ServeError, Speed, http::BODY_MAX};

pub use script::Script;

/// Query, form or JSON of a request, by name, with its `Authorization` header.
pub type Fields = BTreeMap<String, String>;

/// A running one, on loopback. It ends with the runtime.
#[derive(Debug)]
pub struct Authority {
    origin: String,
    script: Mutex<Script>,
    tokens: Mutex<Tokens>,
    journal: Mutex<Vec<(String, Fields)>>,
    /// Token requests that may be answered; as many as come, by default.
    pub permits: Semaphore,
    /// The server behind it is open as long as this is.
    _open: watch::Sender<bool>,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// The server behind it could not be built.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// It could not listen.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl Authority {
    /// One before a server of its own.
    ///
    /// # Errors
    /// The server cannot be built, or no port be bound.
    pub async fn start() -> Result<Arc<Self>, AuthorityError> {
        let demo = Demo::builder().speed(Speed::INSTANT).build()?;
        Ok(Self::before(&demo).await?)
    }

    /// One before this server: [`Authority::url`] of `/mcp` leads to it.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn before(demo: &Demo) -> Result<Arc<Self>, ServeError> {
        let addr = (Ipv4Addr::LOCALHOST, 0).into();
        let failed = |source| ServeError::Bind { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(failed)?;
        let (open, opened) = watch::channel(false);
        let authority = Arc::new(Self {
            origin: format!("http://{}", listener.local_addr().map_err(failed)?),
            script: Mutex::default(),
            tokens: Mutex::default(),
            journal: Mutex::default(),
            permits: Semaphore::new(Semaphore::MAX_PERMITS),
            _open: open,
        });
        let guard = middleware::from_fn_with_state(Arc::clone(&authority), guard);
        let beside = Router::new().fallback(answer).with_state(Arc::clone(&authority));
        let router = demo.router(opened).route_layer(guard).fallback_service(beside);
        tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "the authorization server stopped");
            }
        });
        Ok(authority)
    }

    /// Where `path` of it is.
    ///
    /// # Panics
    /// When it is no path.
    #[must_use]
    pub fn url(&self, path: &str) -> Url {
        let origin = Url::parse(&self.origin).expect("BUG: an address is a URL");
        origin.join(path).expect("a path")
    }

    /// What it is to do, to be changed.
    pub fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on no access token is taken that was given until now. They can be renewed.
    pub fn expire(&self) {
        self.tokens().expire();
    }

    /// What was asked at `path`, in order.
    #[must_use]
    pub fn asked(&self, path: &str) -> Vec<Fields> {
        let journal = self.journal();
        journal.iter().filter(|(asked, _)| asked == path).map(|(_, fields)| fields.clone()).collect()
    }

    /// How many requests there were.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.journal().len()
    }

    fn journal(&self) -> MutexGuard<'_, Vec<(String, Fields)>> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn heard(&self, request: Request) -> Result<(Parts, Bytes, Fields), StatusCode> {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, BODY_MAX).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
        let fields = fields(&parts, &body);
        self.journal().push((parts.uri.path().to_owned(), fields.clone()));
        Ok((parts, body, fields))
    }

    /// What stands before the server; none lets the request through.
    fn stopped(&self, fields: &Fields) -> Option<Response> {
        let script = self.script();
        if script.bare {
            return Some(StatusCode::NOT_FOUND.into_response());
        }
        if let Some(elsewhere) = &script.elsewhere {
            return Some(sent(StatusCode::TEMPORARY_REDIRECT, elsewhere));
        }
        let shown = fields.get("Authorization").and_then(|header| header.strip_prefix("Bearer "));
        if script.open || shown.is_some_and(|token| self.tokens().is_good(token)) {
            return None;
        }
        let metadata = self.url("/.well-known/oauth-protected-resource/mcp");
        let challenge = format!("Bearer realm=\"mcp\", resource_metadata=\"{metadata}\"");
        Some((StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response())
    }

    fn of_the_server(&self) -> Response {
        let script = self.script();
        if let Some(to) = &script.redirect {
            return sent(StatusCode::FOUND, to);
        }
        let mut metadata = json!({
            "resource": script.resource.clone().unwrap_or_else(|| self.url("/mcp").into()),
            "authorization_servers": script.servers.clone().unwrap_or_else(|| json!([self.origin])),
        });
        if let Some(scopes) = &script.scopes_supported {
            metadata["scopes_supported"] = json!(scopes);
        }
        document(200, &metadata)
    }

    fn of_itself(&self) -> Response {
        let script = self.script();
        let mut metadata = json!({
            "issuer": script.issuer.clone().unwrap_or_else(|| self.origin.clone()),
            "authorization_endpoint": self.url("/authorize").as_str(),
            "token_endpoint": self.url("/token").as_str(),
            "revocation_endpoint": self.url("/revoke").as_str(),
            "response_types_supported": ["code"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "private_key_jwt"],
            "padding": "x".repeat(script.padding),
        });
        if let Some(methods) = &script.pkce {
            metadata["code_challenge_methods_supported"] = json!(methods);
        }
        if script.registration {
            metadata["registration_endpoint"] = json!(self.url("/register").as_str());
        }
        for (name, value) in script.metadata.as_object().into_iter().flatten() {
            metadata[name] = value.clone();
        }
        document(200, &metadata)
    }

    /// Sends the browser back with a code, or with a denial.
    fn authorize(&self, fields: Fields) -> Response {
        let back = fields.get("redirect_uri").and_then(|uri| Url::parse(uri).ok());
        let (Some(mut back), Some(state)) = (back, fields.get("state").cloned()) else {
            return StatusCode::BAD_REQUEST.into_response();
        };
        let script = self.script();
        back.query_pairs_mut().append_pair("state", &state);
        if let Some(iss) = &script.iss {
            back.query_pairs_mut().append_pair("iss", iss);
        }
        let code = self.tokens().code(fields);
        match script.denial {
            Some(denial) => back.query_pairs_mut().extend_pairs(form_urlencoded::parse(denial.as_bytes())),
            None => back.query_pairs_mut().append_pair("code", code),
        };
        sent(StatusCode::FOUND, back.as_str())
    }

    async fn token(&self, fields: &Fields) -> Response {
        if let Ok(permit) = self.permits.acquire().await {
            permit.forget();
        }
        let script = self.script();
        if let Some((status, body)) = &script.token_error {
            return document(*status, body);
        }
        let (status, body) = self.tokens().grant(fields, self.url("/mcp").as_str(), &script);
        document(status, &body)
    }
}

/// Before every route of the server.
async fn guard(State(authority): State<Arc<Authority>>, request: Request, next: Next) -> Response {
    match authority.heard(request).await {
        Err(status) => status.into_response(),
        Ok((parts, body, fields)) => match authority.stopped(&fields) {
            Some(stopped) => stopped,
            None => next.run(Request::from_parts(parts, Body::from(body))).await,
        },
    }
}

async fn answer(State(authority): State<Arc<Authority>>, request: Request) -> Response {
    let (parts, _, fields) = match authority.heard(request).await {
        Ok(heard) => heard,
        Err(status) => return status.into_response(),
    };
    if authority.script().bare {
        return StatusCode::NOT_FOUND.into_response();
    }
    match parts.uri.path() {
        "/away" => sent(StatusCode::TEMPORARY_REDIRECT, fields.get("to").map_or("/", String::as_str)),
        "/.well-known/oauth-protected-resource/mcp" => authority.of_the_server(),
        "/.well-known/oauth-authorization-server" => authority.of_itself(),
        "/register" => {
            document(201, &json!({"client_id": "registered", "redirect_uris": [], "client_name": "x"}))
        }
        "/authorize" => authority.authorize(fields),
        "/token" => authority.token(&fields).await,
        "/revoke" => {
            let refusal = authority.script().without_secret.clone();
            if let Some((status, body)) = refusal.filter(|_| !fields.contains_key("client_secret")) {
                return document(status, &body);
            }
            authority.tokens().revoke(fields.get("token").map_or("", String::as_str));
            StatusCode::OK.into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn sent(status: StatusCode, to: &str) -> Response {
    (status, [(header::LOCATION, to.to_owned())]).into_response()
}

fn document(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

fn fields(request: &Parts, body: &Bytes) -> Fields {
    let query = request.uri.query().unwrap_or_default().as_bytes();
    let mut fields: Fields = form_urlencoded::parse(query).into_owned().collect();
    let json = serde_json::from_slice::<Value>(body).ok();
    match json.as_ref().and_then(Value::as_object) {
        Some(object) => fields.extend(object.iter().map(|(name, value)| {
            (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })),
        None => fields.extend(form_urlencoded::parse(body).into_owned()),
    }
    if let Some(shown) = request.headers.get(header::AUTHORIZATION) {
        fields.insert("Authorization".into(), String::from_utf8_lossy(shown.as_bytes()).into_owned());
    }
    fields
}
