//! Who we are to a server, asked for with each request.

use std::pin::Pin;

use http::HeaderValue;

use crate::Error;

/// The value of an `Authorization` header, on its way. Values should be marked sensitive.
pub type Authorization<'a> = Pin<Box<dyn Future<Output = Result<Option<HeaderValue>, Error>> + Send + 'a>>;

/// Who we are to a server over HTTP. It is asked before each HTTP request, also for those that take up an event stream
/// again: tokens expire.
pub trait Authorize: Send + Sync {
    /// What the next request says; none to say nothing of it (a configured header then stands).
    ///
    /// # Errors
    /// When the request had better not be sent. It fails with that error.
    fn authorization(&self) -> Authorization<'_>;

    /// Something better than `used`, which the server refused with 401 or with a 403 that holds a challenge. The request was
    /// refused at the door, so it is sent again with that, once; twice where it said nothing at first. None when there is
    /// nothing better: then the refusal is the answer ([`Error::SignInNeeded`]).
    ///
    /// # Errors
    /// When it cannot be told now. The request fails with that error.
    fn better<'a>(&'a self, used: Option<&'a HeaderValue>, challenge: Option<&'a str>) -> Authorization<'a>;
}
