//! Which paths and addresses may be kept, whatever they are for.

use std::path::Path;

use url::Url;

use crate::{ApiError, Code};

/// Whoever connects may run in any folder: a host makes paths absolute, it alone knows what they are relative to.
pub(super) fn good_path(what: &str, path: &str) -> Result<(), ApiError> {
    if Path::new(path).is_absolute() {
        return Ok(());
    }
    Err(ApiError::new(Code::Usage, format!("{path:?} cannot be {what}: give the whole path")))
}

/// Whether a URL names somebody, or a password. It must not be kept then, since it is shown in clear.
pub(super) fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}
