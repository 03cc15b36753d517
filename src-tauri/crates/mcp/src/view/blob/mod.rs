//! Bytes that a server sends as base64: what they are by what they begin with, never by what the server says of them.

mod format;
mod size;

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::value::RawValue;

pub use format::BlobFormat;

use super::text_of;

/// What is looked at of the bytes to tell their format and size. An honest picture says its size long before.
const HEADER: usize = 256 * 1024;

/// Some leave the padding out, or what the last digits have too much.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Bytes as base64, which are read only where somebody needs them.
#[derive(Debug, Clone, Copy)]
pub struct Blob<'a> {
    base64: &'a RawValue,
}

/// What is known of bytes by their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlobHeader {
    /// What they are.
    pub format: BlobFormat,
    /// Width and height of a picture in pixels, where it says them.
    pub size: Option<(u32, u32)>,
}

impl BlobHeader {
    /// Looks at the beginning of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let format = BlobFormat::of(bytes);
        Self { format, size: size::of(format, bytes) }
    }
}

impl<'a> Blob<'a> {
    /// None where it is no string.
    #[must_use]
    pub fn of(raw: &'a RawValue) -> Option<Self> {
        raw.get().starts_with('"').then_some(Self { base64: raw })
    }

    /// How many bytes they are; none where this is no base64.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        let digits = self.digits();
        let digits = digits.trim_end_matches('=');
        let legible = digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
        (legible && digits.len() % 4 != 1).then_some(digits.len() as u64 * 3 / 4)
    }

    /// Whether it has no bytes, or is no base64.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len().is_none_or(|len| len == 0)
    }

    /// What its beginning says.
    #[must_use]
    pub fn header(&self) -> BlobHeader {
        let digits = self.digits();
        let beginning = digits.get(..HEADER / 3 * 4).unwrap_or(&digits);
        BlobHeader::of(&LENIENT.decode(beginning).unwrap_or_default())
    }

    /// All of it; none where this is no base64.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        LENIENT.decode(&*self.digits()).ok()
    }

    /// The digits without the line breaks that mail has in them.
    fn digits(&self) -> std::borrow::Cow<'a, str> {
        let text = text_of(self.base64).unwrap_or_default();
        match text.contains(|char: char| char.is_ascii_whitespace()) {
            true => text.split_ascii_whitespace().collect::<String>().into(),
            false => text,
        }
    }
}

/// Bytes as base64 of the standard alphabet, with nothing else in it.
#[must_use]
pub fn base64_of(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn base64_is_read_as_servers_write_it() {
        for (json, bytes) in [
            (r#""aGVsbG8=""#, Some(&b"hello"[..])),
            (r#""aGVsbG8""#, Some(b"hello")),
            (r#""aGVs\nbG8=\n""#, Some(b"hello")),
            (r#""""#, Some(b"")),
            (r#""a""#, None),
            (r#""not base64!""#, None),
        ] {
            let raw = raw(json);
            let blob = Blob::of(&raw).unwrap();
            assert_eq!(blob.bytes().as_deref(), bytes, "{json}");
            assert_eq!(blob.len(), bytes.map(|bytes| bytes.len() as u64), "{json}");
        }
        assert!(Blob::of(&raw("7")).is_none());
    }

    #[test]
    fn a_header_is_read_of_the_beginning_and_of_nothing_more() {
        let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x27\x10\0\0\x27\x10\x08\x02\0\0\0".to_vec();
        picture.resize(HEADER * 2, 0);
        let raw = raw(&format!("\"{}!\"", base64_of(&picture)));
        let header = Blob::of(&raw).unwrap().header();
        assert_eq!(header, BlobHeader { format: BlobFormat::Png, size: Some((10_000, 10_000)) });
    }
}
