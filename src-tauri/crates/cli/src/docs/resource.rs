//! The document of a resource that was read.

use serde::Serialize;
use serde_with::skip_serializing_none;
use signalbox_api::command::ResourceRead;
use signalbox_api::{ContentPart, Raw};

/// The document of `show --read`: `contents[]{uri mimeType text bytes blob} more`. Of a long text `text` is the beginning, and
/// `bytes` how long all of it is; `blob` is base64, of pictures and sound alone. What is neither stands there as it came. `more` is
/// how many contents there are beyond these, absent where there are none.
#[skip_serializing_none]
#[derive(Serialize)]
pub(crate) struct Read<'a> {
    contents: Vec<Content<'a>>,
    more: Option<u32>,
}

#[skip_serializing_none]
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    #[serde(rename_all = "camelCase")]
    Resource {
        uri: &'a str,
        mime_type: Option<&'a str>,
        text: Option<&'a str>,
        bytes: u64,
        blob: Option<&'a str>,
    },
    Other(Option<Raw>),
}

impl<'a> From<&'a ResourceRead> for Read<'a> {
    fn from(ResourceRead { contents, more }: &'a ResourceRead) -> Self {
        Self {
            contents: contents.iter().map(Content::from).collect(),
            more: Some(*more).filter(|more| *more > 0),
        }
    }
}

impl<'a> From<&'a ContentPart> for Content<'a> {
    fn from(part: &'a ContentPart) -> Self {
        match part {
            ContentPart::Resource { uri, mime_type, text, bytes, blob } => Self::Resource {
                uri,
                mime_type: mime_type.as_deref(),
                text: text.as_deref(),
                bytes: blob.as_ref().map_or(*bytes, |blob| blob.bytes),
                blob: blob.as_ref().and_then(|blob| blob.base64.as_deref()),
            },
            ContentPart::Other { json, .. } => Self::Other(json.clone().map(Raw)),
            // A server gives nothing else for a resource.
            ContentPart::Text { .. } | ContentPart::Blob { .. } | ContentPart::Link { .. } => {
                Self::Other(None)
            }
        }
    }
}
