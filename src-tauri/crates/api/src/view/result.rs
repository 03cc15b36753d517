//! Results of tools. Texts are the server's.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use signalbox_forms::Verdict;
use signalbox_mcp::BlobFormat;
use signalbox_model::Json;

/// A tool's result, read leniently.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// Whether the tool said that it failed.
    pub is_error: bool,
    /// Its parts, in order; of very many the first.
    pub content: Vec<ContentPart>,
    /// How many parts there are beyond those.
    pub content_more: u32,
    /// The structured content as received, unless it is long: then it comes by [`crate::command::ResultText`].
    pub structured: Option<Json>,
    /// How many bytes the structured content has; none where there is none.
    pub structured_bytes: Option<u64>,
    /// How that compares with the `outputSchema` of the tool as listed last; none where nothing is known of one.
    pub output: Option<Verdict>,
}

/// One part of a result.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ContentPart {
    /// A part in plain text.
    Text {
        /// The text; of a long one the beginning. All of it comes by [`crate::command::ResultText`].
        text: String,
        /// How many bytes all of it has.
        bytes: u64,
        /// Whether it says in JSON what the structured content says, and nothing else.
        same: bool,
    },
    /// A picture or a sound.
    Blob {
        /// What is known of it.
        blob: BlobView,
    },
    /// A resource that stands in the result.
    Resource {
        /// Where it is from.
        uri: String,
        /// What the server says it is.
        mime_type: Option<String>,
        /// Its text; of a long one the beginning. None where it has none.
        text: Option<String>,
        /// How many bytes its text has.
        bytes: u64,
        /// What is known of its bytes, where it has no text.
        blob: Option<BlobView>,
    },
    /// A resource that the server offers to be read.
    Link {
        /// What it is asked for by.
        uri: String,
        /// Its name, for people where there is one.
        name: Option<String>,
        /// What it is.
        description: Option<String>,
        /// What kind of content it has.
        mime_type: Option<String>,
        /// How many bytes it has.
        size: Option<u64>,
    },
    /// Anything else, as JSON.
    Other {
        /// As received, unless it is long: then it comes by [`crate::command::ResultText`].
        json: Option<Json>,
        /// How many bytes it has.
        bytes: u64,
        /// Its `type` as received.
        r#type: String,
    },
}

/// Bytes of a result, and what they are.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct BlobView {
    /// How many there are.
    pub bytes: u64,
    /// What they are, by what they begin with.
    pub format: FileFormat,
    /// What the server says they are.
    pub mime_type: Option<String>,
    /// The width of a picture, in pixels.
    pub width: Option<u32>,
    /// The height of a picture, in pixels.
    pub height: Option<u32>,
    /// Why it is neither drawn nor played; none where it is.
    pub unshown: Option<Unshown>,
    /// The bytes in base64, where they are kept nowhere and can be shown.
    pub base64: Option<String>,
}

/// What bytes are, told by their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is the name of a format")]
pub enum FileFormat {
    Png,
    Jpeg,
    Gif,
    Webp,
    Svg,
    Wav,
    Mp3,
    Ogg,
    Flac,
    Pdf,
    Zip,
    Text,
    Unknown,
}

/// Why bytes are neither drawn nor played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unshown {
    /// They are no base64.
    Illegible,
    /// They are of no format that is shown.
    Format,
    /// The picture does not say how large it is.
    NoSize,
    /// The picture has more pixels than are drawn.
    Pixels,
    /// There are too many.
    Bytes,
}

impl From<BlobFormat> for FileFormat {
    fn from(format: BlobFormat) -> Self {
        match format {
            BlobFormat::Png => Self::Png,
            BlobFormat::Jpeg => Self::Jpeg,
            BlobFormat::Gif => Self::Gif,
            BlobFormat::Webp => Self::Webp,
            BlobFormat::Svg => Self::Svg,
            BlobFormat::Wav => Self::Wav,
            BlobFormat::Mp3 => Self::Mp3,
            BlobFormat::Ogg => Self::Ogg,
            BlobFormat::Flac => Self::Flac,
            BlobFormat::Pdf => Self::Pdf,
            BlobFormat::Zip => Self::Zip,
            BlobFormat::Text => Self::Text,
            BlobFormat::Unknown => Self::Unknown,
        }
    }
}
