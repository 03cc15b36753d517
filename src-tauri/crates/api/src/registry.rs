//! What the registry of Windows has of ours is written and read in several rooms. What they share stands here.

use std::path::Path;

use windows_result::HRESULT;

/// What a key or a value that is not there is told by: `ERROR_FILE_NOT_FOUND`.
pub(crate) const NOT_THERE: HRESULT = HRESULT::from_win32(2);

/// A path as one word of a command line in the registry of Windows; none where it cannot stand there.
pub(crate) fn quoted(path: &Path) -> Option<String> {
    let text = path.to_str().filter(|text| !text.contains(|c: char| c == '"' || c.is_control()))?;
    // A backslash before a quote would make that a letter.
    let ends = text.len() - text.trim_end_matches('\\').len();
    Some(format!("\"{text}{}\"", "\\".repeat(ends)))
}
