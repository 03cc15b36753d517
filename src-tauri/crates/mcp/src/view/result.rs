//! The result of a tool call.

use serde_json::value::RawValue;
use signalbox_model::Json;

use super::{Fields, elements, text};

/// A tool's result, as far as it is legible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultView {
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// What it has to show, in order.
    pub content: Vec<ContentPart>,
    /// `structuredContent`, whatever its shape.
    pub structured: Option<Json>,
}

/// One content block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentPart {
    /// Its type (`text`, `image`, …); empty when it gives none.
    pub kind: String,
    /// Its text, where it has one.
    pub text: Option<String>,
    /// The block as received.
    pub raw: Json,
}

impl ResultView {
    /// Reads what can be read; never fails as a whole. Content that is one block or one string instead of a list
    /// is a list of one.
    #[must_use]
    pub fn read(raw: &Json) -> Self {
        let fields = Fields::lenient(raw.raw());
        let content = fields.some("content").map(|raw| elements(raw).unwrap_or_else(|| vec![raw]));
        Self {
            is_error: fields.some("isError").is_some_and(|raw| matches!(raw.get(), "true" | "\"true\"")),
            content: content.into_iter().flatten().map(ContentPart::of).collect(),
            structured: fields.get("structuredContent").map(|raw| raw.to_owned().into()),
        }
    }

    /// All text, one part per line.
    #[must_use]
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.content.iter().filter_map(|part| part.text.as_deref()).collect();
        parts.join("\n")
    }

    /// The first line that says something, cut to so many characters; none where there is no text.
    #[must_use]
    pub fn first_line(&self, most: usize) -> Option<String> {
        let parts = self.content.iter().filter_map(|part| part.text.as_deref());
        let line = parts.flat_map(str::lines).map(str::trim).find(|line| !line.is_empty())?;
        Some(match line.char_indices().nth(most) {
            Some(_) => line.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
            None => line.to_owned(),
        })
    }
}

impl ContentPart {
    fn of(raw: &RawValue) -> Self {
        let fields = Fields::lenient(raw);
        let bare = text(raw);
        Self {
            kind: fields
                .text("type")
                .unwrap_or_else(|| bare.as_ref().map(|_| "text".into()).unwrap_or_default()),
            text: fields.text("text").or(bare),
            raw: raw.to_owned().into(),
        }
    }
}
