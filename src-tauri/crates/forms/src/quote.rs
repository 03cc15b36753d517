//! Quotations from a schema or content: never longer than a line or two, whatever the server wrote.

/// Longest quotation from a schema or content, in characters.
const MAX_QUOTED: usize = 200;

pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
