//! The result of a tool call.

use std::borrow::Cow;

use serde_json::value::RawValue;
use signalbox_model::Json;

use super::{Fields, elements, text_of};

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

    /// The first line that says something, cut to so many characters; none where there is no text.
    #[must_use]
    pub fn first_line(&self, most: usize) -> Option<String> {
        self.content.iter().find_map(|part| {
            let text = part.text()?;
            let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
            Some(match line.char_indices().nth(most) {
                Some(_) => line.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
                None => line.to_owned(),
            })
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

    /// Its text, where it has one. Without an escape in it, it is as it stands there.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.text.and_then(text_of)
    }
}
