//! Resources of the modern wire: `resources/read`.

use signalbox_model::{Breach, Json};

use super::result_type::ResultType;
use crate::{client::Client, endpoint::LONGEST_RESOURCE, error::Error, view::Fields};

impl Client {
    /// A resource, as received: read it with [`crate::resource_contents`]. Nothing but a person's act asks for one.
    ///
    /// # Errors
    /// Any but [`Error::LegacyOnly`]; [`Error::Protocol`] where the server wants something else first: nobody is asked for the
    /// sake of a look. [`Error::TooLarge`].
    pub async fn read_resource(&self, uri: &str) -> Result<Json, Error> {
        let mut request = self.request("resources/read", Some(uri), |params| params.text("uri", uri));
        request.most = Some(LONGEST_RESOURCE);
        let raw = self.send(request, self.options().request_timeout).await?;
        match ResultType::of(&Fields::lenient(raw.raw()), &raw)? {
            ResultType::Complete => Ok(raw),
            ResultType::Task | ResultType::InputRequired => {
                Err(Error::protocol(Breach::UnknownType, Some(raw)))
            }
        }
    }
}
