//! The result of a tool call.

use std::borrow::Cow;

use serde_json::value::RawValue;
use signalbox_model::Json;

use super::{Blob, Fields, elements, integer, text_of};

/// The longest URI by which a resource is asked for, in bytes.
const LONGEST_URI: usize = 8 * 1024;

/// A tool's result, as far as it is legible. It may be as long as a message: nothing of it is copied.
#[derive(Debug, Clone)]
pub struct ToolResult<'a> {
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// What it has to show, in order.
    pub content: Vec<ContentBlock<'a>>,
    /// `structuredContent`, whatever its shape.
    pub structured: Option<&'a RawValue>,
}

/// One content block.
#[derive(Debug, Clone)]
pub struct ContentBlock<'a> {
    /// Its type (`text`, `image`, …), cut where it is long; empty when it gives none.
    pub kind: String,
    /// The block as received.
    pub raw: &'a RawValue,
    text: Option<&'a RawValue>,
}

/// A resource that stands in the result itself.
#[derive(Debug, Clone)]
pub struct Embedded<'a> {
    /// Where it is from; a name, nothing that is opened.
    pub uri: String,
    /// What the server says it is.
    pub mime_type: Option<String>,
    /// Its text, where it is one.
    pub text: Option<Cow<'a, str>>,
    /// Its bytes, where it has no text.
    pub blob: Option<Blob<'a>>,
}

/// A resource that the server offers to be read. All of it are the server's words.
#[derive(Debug, Clone)]
pub struct ResourceLink {
    /// What it is asked for by.
    pub uri: String,
    /// Its name.
    pub name: Option<String>,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// What kind of content it has.
    pub mime_type: Option<String>,
    /// How many bytes it has.
    pub size: Option<u64>,
}

impl<'a> Embedded<'a> {
    fn of(fields: &Fields<'a>) -> Self {
        let text = fields.some("text").and_then(text_of);
        let blob = fields.some("blob").filter(|_| text.is_none()).and_then(Blob::of);
        Self { uri: fields.quote("uri").unwrap_or_default(), mime_type: fields.quote("mimeType"), text, blob }
    }
}

/// The contents of a resource in an answer to `resources/read`, each with its text as received; of very many the first.
#[must_use]
pub fn resource_contents(raw: &Json) -> Vec<(Embedded<'_>, &RawValue)> {
    let contents = Fields::lenient(raw.raw()).some("contents");
    let each = contents.map(|raw| elements(raw).unwrap_or_else(|| vec![raw]));
    each.into_iter().flatten().map(|raw| (Embedded::of(&Fields::lenient(raw)), raw)).collect()
}

impl<'a> ToolResult<'a> {
    /// Reads what can be read; never fails as a whole. Content that is one block or one string instead of a list
    /// is a list of one.
    #[must_use]
    pub fn read(raw: &'a Json) -> Self {
        let fields = Fields::lenient(raw.raw());
        let content = fields.some("content").map(|raw| elements(raw).unwrap_or_else(|| vec![raw]));
        Self {
            is_error: fields.some("isError").is_some_and(|raw| matches!(raw.get(), "true" | "\"true\"")),
            content: content.into_iter().flatten().map(ContentBlock::of).collect(),
            structured: fields.get("structuredContent"),
        }
    }

    /// All text, one part per line.
    #[must_use]
    pub fn text(&self) -> String {
        let parts: Vec<_> = self.content.iter().filter_map(ContentBlock::text).collect();
        parts.join("\n")
    }

    /// The first line that says something; none where there is no text.
    #[must_use]
    pub fn first_line(&self) -> Option<String> {
        self.content.iter().find_map(|part| {
            part.text()?.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
        })
    }
}

impl<'a> ContentBlock<'a> {
    fn of(raw: &'a RawValue) -> Self {
        let fields = Fields::lenient(raw);
        let is_text = |raw: &&RawValue| raw.get().starts_with('"');
        let bare = Some(raw).filter(is_text);
        let kind = fields.quote("type").unwrap_or_else(|| bare.map(|_| "text".into()).unwrap_or_default());
        Self { kind, raw, text: fields.some("text").filter(is_text).or(bare) }
    }

    /// Its bytes, where it is a picture or a sound.
    #[must_use]
    pub fn blob(&self) -> Option<Blob<'a>> {
        matches!(self.kind.as_str(), "image" | "audio")
            .then(|| Fields::lenient(self.raw).some("data").and_then(Blob::of))?
    }

    /// What the server says that it is.
    #[must_use]
    pub fn mime_type(&self) -> Option<String> {
        Fields::lenient(self.raw).quote("mimeType")
    }

    /// The resource that it holds.
    #[must_use]
    pub fn embedded(&self) -> Option<Embedded<'a>> {
        let fields = Fields::lenient(self.raw);
        (self.kind == "resource")
            .then(|| fields.some("resource").map(|raw| Embedded::of(&Fields::lenient(raw))))?
    }

    /// The resource that it names. One without a URI names none.
    #[must_use]
    pub fn link(&self) -> Option<ResourceLink> {
        let fields = Fields::lenient(self.raw);
        let uri =
            fields.text("uri").filter(|uri| self.kind == "resource_link" && uri.len() <= LONGEST_URI)?;
        Some(ResourceLink {
            uri,
            name: fields.quote("name"),
            title: fields.quote("title"),
            description: fields.quote("description"),
            mime_type: fields.quote("mimeType"),
            size: fields.some("size").and_then(integer).and_then(|size| u64::try_from(size).ok()),
        })
    }

    /// Its text, where it has one. Without an escape in it, it is as it stands there.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.text.and_then(text_of)
    }
}
