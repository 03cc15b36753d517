//! What a task returned, as text. What is long or no text names the way to all of it.

use signalbox_api::{BlobView, ContentPart, ResultView, Unshown};
use signalbox_model::Json;

use super::sanitise;

/// The parts, each on lines of its own.
pub(super) fn content(result: &ResultView) -> String {
    let mut text = String::new();
    for (index, shown) in result.content.iter().enumerate() {
        text.push_str(part(shown, &format!("--result --part {}", index + 1)).trim_end_matches('\n'));
        text.push('\n');
    }
    if result.content_more > 0 {
        text.push_str(&format!("(and {} more parts: --json has them)\n", result.content_more));
    }
    if text.is_empty() {
        text = result.structured.as_ref().map_or_else(
            || elsewhere(result),
            |structured| format!("{}\n", sanitise::lines(structured.text())),
        );
    }
    text
}

/// The structured content under a heading of its own; nothing where the parts say the same, or where it stands in their place.
pub(super) fn structured(result: &ResultView) -> String {
    let is_same = |part: &ContentPart| matches!(part, ContentPart::Text { same: true, .. });
    if result.content.is_empty() || result.content.iter().any(is_same) {
        return String::new();
    }
    match &result.structured {
        Some(structured) => format!("structured content\n{}\n", sanitise::quoted(structured.text())),
        None => elsewhere(result),
    }
}

/// Where a structured content is that is too long to stand with the others. Nothing where there is none.
fn elsewhere(result: &ResultView) -> String {
    let Some(bytes) = result.structured_bytes else { return String::new() };
    format!("({bytes} bytes of structured content: --result --part structured has it)\n")
}

pub(super) fn part(part: &ContentPart, whole: &str) -> String {
    match part {
        ContentPart::Text { text, bytes, .. } => beginning(text, *bytes, whole),
        ContentPart::Blob { blob } => bytes(blob, whole),
        ContentPart::Resource { uri, text: Some(text), bytes, .. } => {
            format!("resource {}\n{}", sanitise::line(uri), beginning(text, *bytes, whole))
        }
        ContentPart::Resource { uri, blob, .. } => {
            let blob = blob.as_ref().map(|blob| bytes(blob, whole)).unwrap_or_default();
            format!("resource {}\n{blob}", sanitise::line(uri))
        }
        ContentPart::Link { uri, name, .. } => {
            let name = name.as_ref().map(|name| format!("{}: ", sanitise::line(name))).unwrap_or_default();
            format!("resource link {name}{}\n({whole} --read asks the server for it)", sanitise::line(uri))
        }
        ContentPart::Other { json: Some(json), .. } => sanitise::lines(Json::text(json)),
        ContentPart::Other { json: None, r#type, .. } => {
            format!("({}: too large to show; {whole} has it)", sanitise::line(r#type))
        }
    }
}

fn beginning(text: &str, bytes: u64, whole: &str) -> String {
    let shown = sanitise::lines(text);
    if text.len() as u64 == bytes {
        return shown;
    }
    format!("{}\n(the first {} of {bytes} bytes; {whole} has all)", shown.trim_end_matches('\n'), text.len())
}

/// What bytes are, and how to have them.
fn bytes(blob: &BlobView, whole: &str) -> String {
    if blob.unshown == Some(Unshown::Illegible) {
        return "(says that it is base64, and is none; --json has it)".to_owned();
    }
    let format = format!("{:?}", blob.format).to_lowercase();
    let size = blob.width.zip(blob.height).map(|(width, height)| format!(", {width} x {height}"));
    let claim = blob.mime_type.as_ref().map(|claim| format!(", called {}", sanitise::line(claim)));
    format!(
        "({format}{}, {} bytes{}; {whole} --out FILE writes it)",
        size.unwrap_or_default(),
        blob.bytes,
        claim.unwrap_or_default()
    )
}
