//! What a server gave for a resource, as text.

use signalbox_api::ContentPart;
use signalbox_api::command::ResourceRead;

use super::{result, sanitise};

/// Each content on lines of its own. `asked`: the options that it was asked for by.
pub(crate) fn contents(read: &ResourceRead, asked: &str) -> String {
    if read.contents.is_empty() {
        return "The server gave nothing for it.\n".to_owned();
    }
    let mut text: String = read.contents.iter().map(|part| content(part, asked) + "\n").collect();
    if read.more > 0 {
        text.push_str(&format!("(and {} more contents)\n", read.more));
    }
    text
}

fn content(part: &ContentPart, asked: &str) -> String {
    let shown = match part {
        ContentPart::Resource { uri, text: Some(text), bytes, .. } if text.len() as u64 != *bytes => format!(
            "resource {}\n{}\n(the first {} of {bytes} bytes: no more of a resource is shown)",
            sanitise::line(uri),
            sanitise::lines(text).trim_end_matches('\n'),
            text.len()
        ),
        ContentPart::Resource { uri, blob: Some(blob), .. } if blob.base64.is_none() => {
            let format = format!("{:?}", blob.format).to_lowercase();
            format!(
                "resource {}\n({format}, {} bytes: of a resource only text, pictures and sound are shown or written)",
                sanitise::line(uri),
                blob.bytes
            )
        }
        other => result::part(other, asked),
    };
    shown.trim_end_matches('\n').to_owned()
}
