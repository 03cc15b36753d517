//! One part of a result, whole: to be shown in pieces, saved, or opened by another program.

use std::{
    borrow::Cow,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde_json::value::RawValue;
use signalbox_mcp::{Blob, BlobFormat, BlobHeader, ToolResult};
use signalbox_model::{CallId, Json, PayloadKind};

use crate::{
    ApiError, Code, ContentPart, Desk, DeskExt as _, Home,
    command::Payload,
    home::{check_ours, make_private, storage},
    launch::launch,
    private,
};

/// Files that wait in the private directory for the programs that open them.
const MOST_OPENED: usize = 16;

/// What a part holds.
pub(crate) enum WholePart<'a> {
    /// A text, as it was meant.
    Text(Cow<'a, str>),
    /// Bytes, as they were before base64.
    Blob(Blob<'a>),
    /// Anything else, as received.
    Json(&'a RawValue),
}

/// A part by its number, from 0; the structured content without one.
pub(crate) fn whole<'a>(result: &ToolResult<'a>, part: Option<u32>) -> Option<WholePart<'a>> {
    let Some(part) = part else { return result.structured.map(WholePart::Json) };
    let block = result.content.get(usize::try_from(part).ok()?)?;
    if let Some(text) = block.text().filter(|_| block.kind == "text") {
        return Some(WholePart::Text(text));
    }
    let embedded = block.embedded();
    let text = embedded.as_ref().and_then(|resource| resource.text.clone()).map(WholePart::Text);
    let blob = || block.blob().or_else(|| embedded.as_ref()?.blob).map(WholePart::Blob);
    Some(text.or_else(blob).unwrap_or(WholePart::Json(block.raw)))
}

/// A part of a result as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFile {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// What its name ends with, by what is in it.
    pub ending: &'static str,
    /// Whether a program of this machine may open it.
    pub opens: bool,
}

impl PartFile {
    /// What a server gave for a resource; none where less than all of it came, or what is no text, picture or sound.
    #[must_use]
    pub fn read(content: &ContentPart) -> Option<Self> {
        match content {
            ContentPart::Resource { text: Some(text), bytes, .. } if text.len() as u64 == *bytes => {
                Self::of(WholePart::Text(text.into()))
            }
            ContentPart::Resource { text: None, blob: Some(blob), .. } => {
                let base64 = Json::of(blob.base64.as_ref()?);
                Self::of(WholePart::Blob(Blob::of(base64.raw())?))
            }
            ContentPart::Other { json: Some(json), .. } => Some(Self::json(json.text())),
            _ => None,
        }
    }

    fn of(whole: WholePart<'_>) -> Option<Self> {
        Some(match whole {
            WholePart::Text(text) => {
                Self { bytes: text.into_owned().into_bytes(), ending: "txt", opens: true }
            }
            WholePart::Json(raw) => Self::json(raw.get()),
            WholePart::Blob(blob) => {
                let bytes = blob.bytes()?;
                let format = BlobHeader::of(&bytes).format;
                let other = match format {
                    BlobFormat::Svg => "svg",
                    BlobFormat::Zip => "zip",
                    _ => "bin",
                };
                Self {
                    bytes,
                    ending: format.extension().unwrap_or(other),
                    opens: format.extension().is_some(),
                }
            }
        })
    }

    fn json(text: &str) -> Self {
        Self { bytes: text.as_bytes().to_owned(), ending: "json", opens: true }
    }
}

/// Which part: by its number, from 0; the structured content; or all of the result as received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichPart {
    /// A part of the content.
    Content(u32),
    /// The structured content.
    Structured,
    /// All of it.
    All,
}

/// A part of a kept result, whole.
///
/// # Errors
/// [`Code::UnknownItem`] where there is none, or where it is no base64; those of [`Payload`].
pub async fn part_file(desk: &dyn Desk, call: CallId, which: WhichPart) -> Result<PartFile, ApiError> {
    let json = result(desk, call).await?;
    file(&json, which)?.ok_or_else(|| no_such(call, &json, which))
}

/// Where a part of a kept result leads, by its number from 0: none where it is no link to a resource. Of a result with very many
/// parts it finds also those that no view has.
///
/// # Errors
/// [`Code::UnknownItem`] where there is no such part; those of [`Payload`].
pub async fn link_of(desk: &dyn Desk, call: CallId, part: u32) -> Result<Option<String>, ApiError> {
    let json = result(desk, call).await?;
    let read = ToolResult::read(&json);
    let block = usize::try_from(part).ok().and_then(|at| read.content.get(at));
    let block = block.ok_or_else(|| no_such(call, &json, WhichPart::Content(part)))?;
    Ok(block.link().map(|link| link.uri))
}

async fn result(desk: &dyn Desk, call: CallId) -> Result<Json, ApiError> {
    let json = desk.act(Payload { call, kind: PayloadKind::Result }).await?;
    json.ok_or_else(|| ApiError::new(Code::UnknownItem, format!("{call} has no result")))
}

/// There is a result, and not this part of it.
fn no_such(call: CallId, result: &Json, which: WhichPart) -> ApiError {
    let message = match (which, ToolResult::read(result).content.len()) {
        (WhichPart::Content(_), 1) => format!("The result of {call} has 1 part"),
        (WhichPart::Content(_), parts) => format!("The result of {call} has {parts} parts"),
        (WhichPart::Structured | WhichPart::All, _) => {
            format!("The result of {call} has no structured content")
        }
    };
    ApiError::new(Code::UnknownItem, message)
}

fn file(json: &Json, which: WhichPart) -> Result<Option<PartFile>, ApiError> {
    let part = match which {
        WhichPart::All => return Ok(Some(PartFile::json(json.text()))),
        WhichPart::Structured => None,
        WhichPart::Content(part) => Some(part),
    };
    let illegible = || ApiError::new(Code::UnknownItem, "This part says that it is base64, and is none");
    whole(&ToolResult::read(json), part).map(|whole| PartFile::of(whole).ok_or_else(illegible)).transpose()
}

/// Opens a part in the program that this machine has for it: only ever after a person's act. The program gets a copy in a
/// directory of ours, under a name that is ours, too.
///
/// # Errors
/// [`Code::Usage`] for what is opened by nothing: what could be run, or hold something that could. Those of [`part_file`], and
/// where no copy can be made or no program started.
pub async fn open_part(desk: &dyn Desk, home: &Home, call: CallId, which: WhichPart) -> Result<(), ApiError> {
    let file = part_file(desk, call, which).await?;
    if !file.opens {
        let message =
            "Signalbox opens pictures, sound, text and PDF documents. This is none of them: it can be saved";
        return Err(ApiError::new(Code::Usage, message));
    }
    let name = match which {
        WhichPart::Content(part) => format!("{call}-{}.{}", part.saturating_add(1), file.ending),
        WhichPart::Structured | WhichPart::All => format!("{call}.{}", file.ending),
    };
    let dir = home.dir().join("opened");
    let opened = tokio::task::spawn_blocking(move || {
        let path = copied(&dir, &name, &file.bytes)?;
        launch(&path).map_err(|error| {
            tracing::warn!(%error, "no program could be started for a part of a result");
            let message = "No program could be started for it. Save it and open it yourself";
            ApiError::new(Code::Usage, message)
        })
    });
    opened.await.unwrap_or_else(|_| Err(ApiError::new(Code::Internal, "Opening it ended early")))
}

fn copied(dir: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, ApiError> {
    make_private(dir)?;
    check_ours(dir)?;
    let path = dir.join(name);
    let written = || -> io::Result<()> {
        make_room(dir)?;
        // Whoever has the older copy open keeps it.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        private::open(OpenOptions::new().write(true).create_new(true), &path)?.write_all(bytes)
    };
    written().map_err(|error| storage(&path, &error))?;
    Ok(path)
}

/// The copies that were made first go.
fn make_room(dir: &Path) -> io::Result<()> {
    let mut copies: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        copies.push((entry.metadata()?.modified().unwrap_or(SystemTime::UNIX_EPOCH), entry.path()));
    }
    copies.sort();
    let surplus = (copies.len() + 1).saturating_sub(MOST_OPENED);
    copies.into_iter().take(surplus).try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &str = r#"{"content":[{"type":"text","text":"a\nb"},
        {"type":"image","mimeType":"image/png","data":"UEsDBA=="},
        {"type":"image","mimeType":"text/html","data":"iVBORw0KGgo="},
        {"type":"resource","resource":{"uri":"file:///x.sh","text":"rm"}},
        {"type":"image","data":"?"},
        {"type":"new","n":1.0}],"structuredContent":{"n":9007199254740993}}"#;

    fn part(which: WhichPart) -> Option<(Vec<u8>, &'static str, bool)> {
        let json = Json::parse(RESULT).unwrap();
        file(&json, which).unwrap().map(|file| (file.bytes, file.ending, file.opens))
    }

    #[test]
    fn a_part_is_what_its_bytes_are_and_not_what_its_server_calls_it() {
        let content = |number| part(WhichPart::Content(number));
        assert_eq!(content(0), Some((b"a\nb".to_vec(), "txt", true)));
        assert_eq!(
            content(1),
            Some((b"PK\x03\x04".to_vec(), "zip", false)),
            "a zip that is called a picture"
        );
        assert_eq!(
            content(2),
            Some((b"\x89PNG\r\n\x1a\n".to_vec(), "png", true)),
            "a picture that is called a page"
        );
        assert_eq!(content(3), Some((b"rm".to_vec(), "txt", true)), "a script is a text");
        assert_eq!(content(5), Some((br#"{"type":"new","n":1.0}"#.to_vec(), "json", true)));
        assert_eq!(content(6), None);
        assert_eq!(part(WhichPart::Structured), Some((br#"{"n":9007199254740993}"#.to_vec(), "json", true)));
        assert_eq!(part(WhichPart::All), Some((RESULT.as_bytes().to_vec(), "json", true)));
        let json = Json::parse(RESULT).unwrap();
        assert!(file(&json, WhichPart::Content(4)).unwrap_err().message.contains("base64"));
    }

    #[test]
    fn copies_for_other_programs_are_few_and_ours_alone() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("opened");
        for number in 0..40 {
            let path = copied(&dir, &format!("t{number}-1.txt"), b"old").unwrap();
            assert_eq!(fs::read(path).unwrap(), b"old");
        }
        assert_eq!(fs::read_dir(&dir).unwrap().count(), MOST_OPENED);
        let path = copied(&dir, "t39-1.txt", b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o777, 0o700);
        }
    }
}
