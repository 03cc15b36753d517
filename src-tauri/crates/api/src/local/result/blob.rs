//! What is shown of bytes, and why not.

use signalbox_mcp::{Blob, BlobFormat};

use crate::{BlobView, Unshown};

/// A larger picture is not drawn: unpacked each pixel has four bytes, whatever the file has.
const MOST_PIXELS: u64 = 25_000_000;
/// More bytes are neither drawn nor played.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

pub(super) fn view(blob: Blob<'_>, mime_type: Option<String>) -> BlobView {
    let Some(bytes) = blob.len() else {
        return BlobView {
            bytes: 0,
            format: BlobFormat::Unknown.into(),
            mime_type,
            width: None,
            height: None,
            unshown: Some(Unshown::Illegible),
            base64: None,
        };
    };
    let header = blob.header();
    BlobView {
        bytes,
        format: header.format.into(),
        mime_type,
        width: header.size.map(|(width, _)| width),
        height: header.size.map(|(_, height)| height),
        unshown: unshown(header.format, header.size, bytes),
        base64: None,
    }
}

fn unshown(format: BlobFormat, size: Option<(u32, u32)>, bytes: u64) -> Option<Unshown> {
    let Some(media_type) = format.media_type() else { return Some(Unshown::Format) };
    let is_picture = media_type.starts_with("image/");
    match size {
        None if is_picture => Some(Unshown::NoSize),
        Some((width, height)) if u64::from(width) * u64::from(height) > MOST_PIXELS => Some(Unshown::Pixels),
        _ if bytes > MOST_BYTES => Some(Unshown::Bytes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use signalbox_model::Json;

    use super::*;
    use crate::FileFormat;

    fn seen(data: &str, mime_type: &str) -> BlobView {
        let part = format!(r#"{{"type":"image","mimeType":"{mime_type}","data":"{data}"}}"#);
        let result = Json::parse(format!(r#"{{"content":[{part}]}}"#)).unwrap();
        let result = signalbox_mcp::ToolResult::read(&result);
        view(result.content[0].blob().unwrap(), result.content[0].mime_type())
    }

    fn png(width: u32, height: u32) -> String {
        let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
        signalbox_mcp::base64_of(&[b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &size[..], b"\x08\x02\0\0\0"].concat())
    }

    #[test]
    fn what_is_hostile_is_said_and_not_drawn() {
        let svg =
            signalbox_mcp::base64_of(b"<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>");
        let zip = signalbox_mcp::base64_of(b"PK\x03\x04rest");
        let cases = [
            (png(5_000, 5_000), FileFormat::Png, None),
            (png(10_000, 10_000), FileFormat::Png, Some(Unshown::Pixels)),
            (png(u32::MAX, u32::MAX), FileFormat::Png, Some(Unshown::Pixels)),
            (signalbox_mcp::base64_of(b"\x89PNG\r\n\x1a\n"), FileFormat::Png, Some(Unshown::NoSize)),
            (svg, FileFormat::Svg, Some(Unshown::Format)),
            (zip, FileFormat::Zip, Some(Unshown::Format)),
            ("!".to_owned(), FileFormat::Unknown, Some(Unshown::Illegible)),
            (String::new(), FileFormat::Unknown, Some(Unshown::Format)),
        ];
        for (data, format, unshown) in cases {
            let view = seen(&data, "image/png");
            assert_eq!((view.format, view.unshown), (format, unshown), "{data}");
        }
    }

    #[test]
    fn a_picture_has_a_bound_in_bytes() {
        let mut data = png(1, 1).trim_end_matches('=').to_owned();
        data.truncate(data.len() / 4 * 4);
        data.extend(std::iter::repeat_n('A', 23 * 1024 * 1024));
        let part =
            RawValue::from_string(format!("{{\"content\":[{{\"type\":\"image\",\"data\":\"{data}\"}}]}}"));
        let result = Json::from(part.unwrap());
        let result = signalbox_mcp::ToolResult::read(&result);
        assert_eq!(view(result.content[0].blob().unwrap(), None).unshown, Some(Unshown::Bytes));
    }
}
