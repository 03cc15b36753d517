//! `resources/read` of the legacy wire.

use signalbox_model::Json;

use super::session::{Asking, Session};
use crate::{endpoint::LONGEST_RESOURCE, error::Error};

impl Session {
    /// A resource, as received: read it with [`crate::resource_contents`]. Nothing but a person's act asks for one.
    ///
    /// # Errors
    /// Any; [`Error::TooLarge`].
    pub async fn read_resource(&self, uri: &str) -> Result<Json, Error> {
        let asking = Asking { most: Some(LONGEST_RESOURCE), ..Asking::short("resources/read") };
        self.send(asking, |params| params.text("uri", uri), self.client().options().request_timeout).await
    }
}
