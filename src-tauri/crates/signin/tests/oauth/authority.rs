//! A scripted server that wants a token, with the authorization server it relies on. It checks what a careful one would,
//! and keeps a journal.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
};

use axum::{
    Router,
    body::{Bytes, to_bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::{net::TcpListener, sync::Semaphore};
use url::{Url, form_urlencoded};

pub(crate) type Fields = BTreeMap<String, String>;

/// What the server is to do; all well by default.
pub(crate) struct Script {
    /// The issuer that its metadata names, if another than itself.
    pub(crate) issuer: Option<String>,
    pub(crate) pkce: Option<Vec<&'static str>>,
    pub(crate) registration: bool,
    /// Added to the authorization server's metadata, over what is there.
    pub(crate) metadata: Value,
    pub(crate) scopes_supported: Option<Vec<&'static str>>,
    /// Where the protected-resource metadata redirects to.
    pub(crate) redirect: Option<String>,
    /// The `iss` of its authorization responses.
    pub(crate) iss: Option<String>,
    /// The query that a denied authorization comes back with.
    pub(crate) denial: Option<&'static str>,
    /// What every answer to a token request is instead.
    pub(crate) token_error: Option<(u16, Value)>,
    /// The life of its tokens, in seconds.
    pub(crate) expires_in: u64,
    pub(crate) refresh_tokens: bool,
    /// What metadata is filled up with, in bytes.
    pub(crate) padding: usize,
    /// The authorization servers that the server relies on, if not on this one.
    pub(crate) servers: Option<Value>,
    /// The resource that its metadata is of, if another.
    pub(crate) resource: Option<String>,
    /// No metadata anywhere.
    pub(crate) bare: bool,
    /// The only token that the server takes, if one.
    pub(crate) door: Option<&'static str>,
}

#[derive(Default)]
struct Issued {
    /// The challenge and redirect URI of the code given last.
    code: Option<(String, Fields)>,
    count: usize,
    refresh: Option<String>,
}

pub(crate) struct Authority {
    origin: String,
    script: Mutex<Script>,
    issued: Mutex<Issued>,
    journal: Mutex<Vec<(String, Fields)>>,
    /// Token requests that may be answered.
    pub(crate) permits: Semaphore,
}

impl Authority {
    pub(crate) async fn start() -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let authority = Arc::new(Self {
            origin: format!("http://{}", listener.local_addr().unwrap()),
            script: Mutex::new(Script {
                issuer: None,
                pkce: Some(vec!["plain", "S256"]),
                registration: true,
                metadata: json!({}),
                scopes_supported: None,
                redirect: None,
                iss: None,
                denial: None,
                token_error: None,
                expires_in: 3600,
                refresh_tokens: true,
                padding: 0,
                servers: None,
                resource: None,
                bare: false,
                door: None,
            }),
            issued: Mutex::default(),
            journal: Mutex::default(),
            permits: Semaphore::new(Semaphore::MAX_PERMITS),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&authority));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        authority
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&self.origin).unwrap().join(path).unwrap()
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }

    /// What was asked at `path`, in order.
    pub(crate) fn asked(&self, path: &str) -> Vec<Fields> {
        let journal = self.journal.lock().unwrap();
        journal.iter().filter(|(asked, _)| asked == path).map(|(_, fields)| fields.clone()).collect()
    }

    /// How many requests there were.
    pub(crate) fn requests(&self) -> usize {
        self.journal.lock().unwrap().len()
    }

    fn metadata(&self) -> Value {
        let script = self.script();
        let mut metadata = json!({
            "issuer": script.issuer.clone().unwrap_or_else(|| self.origin.clone()),
            "authorization_endpoint": self.url("/authorize"),
            "token_endpoint": self.url("/token"),
            "revocation_endpoint": self.url("/revoke"),
            "response_types_supported": ["code"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "private_key_jwt"],
        });
        let fields = metadata.as_object_mut().unwrap();
        if let Some(methods) = &script.pkce {
            fields.insert("code_challenge_methods_supported".into(), json!(methods));
        }
        if script.registration {
            fields.insert("registration_endpoint".into(), json!(self.url("/register")));
        }
        fields.insert("padding".into(), json!("x".repeat(script.padding)));
        for (name, value) in script.metadata.as_object().unwrap() {
            fields.insert(name.clone(), value.clone());
        }
        metadata
    }

    fn lets_in(&self, fields: &Fields) -> bool {
        let script = self.script();
        let shown = fields.get("Authorization").and_then(|header| header.strip_prefix("Bearer "));
        script.door.is_some() && script.door == shown
    }

    /// Sends the browser back with a code, or with a denial.
    fn authorize(&self, fields: Fields) -> Response {
        let script = self.script();
        let mut back = Url::parse(&fields["redirect_uri"]).unwrap();
        back.query_pairs_mut().append_pair("state", &fields["state"]);
        if let Some(iss) = &script.iss {
            back.query_pairs_mut().append_pair("iss", iss);
        }
        match script.denial {
            Some(denial) => back.query_pairs_mut().extend_pairs(form_urlencoded::parse(denial.as_bytes())),
            None => back.query_pairs_mut().append_pair("code", "c0de"),
        };
        self.issued.lock().unwrap().code = Some(("c0de".into(), fields));
        (StatusCode::FOUND, [(header::LOCATION, back.to_string())]).into_response()
    }

    fn token(&self, fields: &Fields) -> Response {
        let script = self.script();
        if let Some((status, body)) = &script.token_error {
            return json_of(StatusCode::from_u16(*status).unwrap(), body);
        }
        let mut issued = self.issued.lock().unwrap();
        let refused = |why: &str| {
            json_of(StatusCode::BAD_REQUEST, &json!({"error": "invalid_grant", "error_description": why}))
        };
        if fields.get("resource").map(String::as_str) != Some(self.url("/mcp").as_str()) {
            return json_of(StatusCode::BAD_REQUEST, &json!({"error": "invalid_target"}));
        }
        match fields["grant_type"].as_str() {
            "authorization_code" => {
                // A code is good once.
                let Some((code, asked)) = issued.code.take() else { return refused("used") };
                let verifier = fields.get("code_verifier").map(String::as_str).unwrap_or_default();
                if URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) != asked["code_challenge"]
                    || asked["code_challenge_method"] != "S256"
                {
                    return refused("PKCE");
                }
                if fields["code"] != code || fields["redirect_uri"] != asked["redirect_uri"] {
                    return refused("another request");
                }
            }
            "refresh_token" => {
                if issued.refresh.as_ref() != fields.get("refresh_token") {
                    return refused("an old one");
                }
            }
            "client_credentials" => {}
            _ => return json_of(StatusCode::BAD_REQUEST, &json!({"error": "unsupported_grant_type"})),
        }
        issued.count += 1;
        let mut answer = json!({
            "access_token": format!("acce55-{}", issued.count),
            "token_type": "Bearer",
            "expires_in": script.expires_in,
            "id_token": "1dent1ty",
        });
        if script.refresh_tokens && fields["grant_type"] != "client_credentials" {
            let refresh = format!("refre5h-{}", issued.count);
            answer["refresh_token"] = json!(refresh);
            issued.refresh = Some(refresh);
        }
        json_of(StatusCode::OK, &answer)
    }
}

fn json_of(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

/// Query and form in one, with the `Authorization` header.
fn fields(request: &axum::http::request::Parts, body: &Bytes) -> Fields {
    let query = request.uri.query().unwrap_or_default().as_bytes().to_vec();
    let json = serde_json::from_slice::<Value>(body).ok();
    let mut fields: Fields = form_urlencoded::parse(&query).into_owned().collect();
    match json.as_ref().and_then(Value::as_object) {
        Some(object) => fields.extend(object.iter().map(|(name, value)| {
            (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })),
        None => fields.extend(form_urlencoded::parse(body).into_owned()),
    }
    if let Some(header) = request.headers.get(header::AUTHORIZATION) {
        fields.insert("Authorization".into(), header.to_str().unwrap().into());
    }
    fields
}

async fn answer(State(authority): State<Arc<Authority>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1024 * 1024).await.unwrap();
    let fields = fields(&parts, &body);
    let path = parts.uri.path().to_owned();
    authority.journal.lock().unwrap().push((path.clone(), fields.clone()));
    if authority.script().bare {
        return StatusCode::NOT_FOUND.into_response();
    }
    match path.as_str() {
        "/away" => {
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, fields["to"].clone())]).into_response()
        }
        "/mcp" if authority.lets_in(&fields) => json_of(
            StatusCode::OK,
            &json!({"jsonrpc": "2.0", "id": fields["id"].parse::<u64>().unwrap(), "result": {
                "supportedVersions": ["2026-07-28"],
                "capabilities": {},
                "serverInfo": {"name": "behind the door", "version": "1"},
            }}),
        ),
        "/mcp" => {
            let metadata = authority.url("/.well-known/oauth-protected-resource/mcp");
            let challenge = format!("Bearer realm=\"mcp\", resource_metadata=\"{metadata}\"");
            (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)]).into_response()
        }
        "/.well-known/oauth-protected-resource/mcp" => {
            let script = authority.script();
            if let Some(to) = &script.redirect {
                return (StatusCode::FOUND, [(header::LOCATION, to.clone())]).into_response();
            }
            let mut metadata = json!({
                "resource": script.resource.clone().unwrap_or_else(|| authority.url("/mcp").into()),
                "authorization_servers": script.servers.clone().unwrap_or_else(|| json!([authority.origin])),
            });
            if let Some(scopes) = &script.scopes_supported {
                metadata["scopes_supported"] = json!(scopes);
            }
            json_of(StatusCode::OK, &metadata)
        }
        "/.well-known/oauth-authorization-server" => json_of(StatusCode::OK, &authority.metadata()),
        "/register" => json_of(
            StatusCode::CREATED,
            &json!({"client_id": "registered", "redirect_uris": [], "client_name": "x"}),
        ),
        "/authorize" => authority.authorize(fields),
        "/token" => {
            authority.permits.acquire().await.unwrap().forget();
            authority.token(&fields)
        }
        "/revoke" => StatusCode::OK.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
