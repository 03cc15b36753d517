//! One server, spoken to.
//!
//! The future of a request is kept as small as what it needs: whatever is seldom on its way is boxed, since thousands
//! of requests may be under way.

use std::{pin::pin, sync::Arc, time::Duration};

use http::{HeaderName, HeaderValue};
use signalbox_model::Json;
use tokio_util::sync::CancellationToken;

use crate::{
    Authorize,
    endpoint::{Endpoint, Options},
    error::Error,
    flight::Flight,
    http::{Http, is_valid, mirrored},
    modern::meta,
    rpc::{Ids, Params, Request},
    stdio::{KeptBack, Stdio},
};

/// A client of one server. Cheap to clone; connects with its first request. When the last clone is dropped a child
/// is ended in the background: [`Client::close`] waits for that.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    options: Options,
    flight: Flight,
    /// `_meta`, serialised once.
    meta: String,
    ids: Arc<Ids>,
    /// Cancelled by [`Client::close`].
    closed: CancellationToken,
    transport: Transport,
}

pub(crate) enum Transport {
    Http(Arc<Http>),
    Stdio(Box<Stdio>),
}

impl Client {
    /// A client that has not connected yet.
    #[must_use]
    pub fn new(endpoint: Endpoint, options: Options) -> Self {
        let flight = Flight::new(&options.room, options.message_limit);
        let transport = match endpoint {
            Endpoint::Http { url, headers } => {
                Transport::Http(Arc::new(Http::new(url, headers, flight.clone(), &options)))
            }
            Endpoint::Stdio { program, args, env, cwd } => {
                Transport::Stdio(Box::new(Stdio::new(program, args, env, cwd, flight.clone(), &options)))
            }
        };
        Self(Arc::new(Inner {
            meta: meta(&options),
            options,
            flight,
            ids: Arc::default(),
            closed: CancellationToken::new(),
            transport,
        }))
    }

    /// Has each HTTP request say who we are. To be called before the first one, once; a child process is not asked to
    /// believe us.
    pub fn authorize_with(&self, authorize: Arc<dyn Authorize>) {
        if let Transport::Http(http) = &self.0.transport {
            http.authorize_with(authorize);
        }
    }

    /// Has a secret masked wherever the server repeats it, as it comes: one of 8 characters and more. To be called before
    /// the first request; what [`Self::authorize_with`] tells is masked by itself.
    pub fn mask(&self, secret: &str) {
        self.0.flight.mask().learn(secret);
    }

    /// Has no child be given those variables of ours that are meant for others. To be called before the first request,
    /// once; of no meaning over HTTP.
    pub fn keep_back(&self, kept_back: Arc<KeptBack>) {
        if let Transport::Stdio(stdio) = &self.0.transport {
            stdio.keep_back(kept_back);
        }
    }

    /// Ends the connection: a child gets its input closed, then the wish and then the order to terminate, each with
    /// [`Options::close_grace`]. Every later request is [`Error::Closed`]. Sessions over HTTP stay at their servers:
    /// [`crate::Session::end`] ends one.
    pub async fn close(&self) {
        self.0.closed.cancel();
        if let Transport::Stdio(stdio) = &self.0.transport {
            stdio.close().await;
        }
    }

    /// Ends what is being closed, or will be, at once: a child is killed. Nobody waits for it any more.
    pub fn hurry(&self) {
        if let Transport::Stdio(stdio) = &self.0.transport {
            stdio.hurry();
        }
    }

    /// The last lines a child wrote to its standard error, and what it wrote to its standard output that is no
    /// message. Bounded by [`Options::stderr_limit`]; empty on HTTP.
    #[must_use]
    pub fn stderr_tail(&self) -> Vec<String> {
        match &self.0.transport {
            Transport::Http(_) => Vec::new(),
            Transport::Stdio(stdio) => stdio.tail(),
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.options
    }

    pub(crate) fn flight(&self) -> &Flight {
        &self.0.flight
    }

    pub(crate) fn transport(&self) -> &Transport {
        &self.0.transport
    }

    /// Cancelled when the client is closed.
    pub(crate) fn closing(&self) -> &CancellationToken {
        &self.0.closed
    }

    /// # Errors
    /// [`Error::Closed`].
    pub(crate) fn usable(&self) -> Result<(), Error> {
        if self.0.closed.is_cancelled() { Err(Error::Closed) } else { Ok(()) }
    }

    pub(crate) fn ids(&self) -> &Arc<Ids> {
        &self.0.ids
    }

    pub(crate) fn fresh_id(&self) -> u64 {
        self.0.ids.fresh()
    }

    /// From now on no id is one that an earlier run can have used.
    pub(crate) fn leave_former_ids(&self) {
        self.0.ids.go_beyond(self.0.options.ids_above);
    }

    /// A request under a fresh id.
    pub(crate) fn request<'a>(
        &self,
        method: &'static str,
        name: Option<&'a str>,
        params: impl FnOnce(Params) -> Params,
    ) -> Request<'a> {
        let id = self.fresh_id();
        let body = params(Params::new(id, method).ready("_meta", &self.0.meta)).finish();
        Request { id, method, name, mirrored: Vec::new(), once: false, most: None, body }
    }

    /// Sends a request once and waits for its answer, at most `limit`.
    pub(crate) async fn send(&self, request: Request<'_>, limit: Duration) -> Result<Json, Error> {
        self.usable()?;
        let (method, most) = (request.method, request.most);
        // Pinned where it is: it is large.
        let answer = pin!(async {
            match &self.0.transport {
                Transport::Http(http) => http.request(request).await,
                Transport::Stdio(stdio) => stdio.request(request.id, request.body).await,
            }
        });
        let answer = tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| Err(Error::timeout(limit)));
        let answer = within(answer, most);
        if let Err(error) = &answer {
            tracing::debug!(method, sent = ?error.sent(), "request without a result");
        }
        answer
    }

    /// Whether a tool with this schema can be called on our transport as the specification wants it.
    pub(crate) fn can_mirror(&self, schema: &Json) -> bool {
        matches!(self.0.transport, Transport::Stdio(_)) || is_valid(schema)
    }

    /// The headers which a tool's schema wants of its arguments, on the transport that has headers.
    pub(crate) fn mirror(&self, schema: &Json, arguments: &Json) -> Vec<(HeaderName, HeaderValue)> {
        match &self.0.transport {
            Transport::Http(_) => mirrored(schema, arguments),
            Transport::Stdio(_) => Vec::new(),
        }
    }
}

/// An answer, if it has no more bytes than it may. Where it shared a channel with others it could not be cut off before.
pub(crate) fn within(answer: Result<Json, Error>, most: Option<usize>) -> Result<Json, Error> {
    match (&answer, most) {
        (Ok(json) | Err(Error::Rpc { raw: json, .. }), Some(most)) if json.text().len() > most => {
            Err(Error::TooLarge { limit: most })
        }
        _ => answer,
    }
}
