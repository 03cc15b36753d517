//! The words of a form: what the window and the command line show, and what they say when an answer does not fit.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A schema as a form.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct FormSpec {
    /// The schema's own title.
    pub title: Option<String>,
    /// The schema's own description.
    pub description: Option<String>,
    /// One field per property, in the schema's order. Empty when there is a `fallback`.
    pub fields: Vec<Field>,
    /// Why the whole content is edited as JSON instead.
    pub fallback: Option<Fallback>,
    /// What in the schema was ignored or cannot be checked here.
    pub notes: Vec<FormNote>,
    /// It asks for a secret, as [`Field::secret`] tells: in a field, or wherever else the schema declares one. Where there are no
    /// fields this alone tells before something is filled in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub secret: bool,
}

impl FormSpec {
    /// What of the schema is not understood, a sentence each: content may fit all that is checked here and still not be
    /// what the server wants. May quote the server.
    #[must_use]
    pub fn troubles(&self) -> Vec<String> {
        let unread = self.fallback.iter().filter(|fallback| fallback.why.is_unread()).map(|fallback| {
            let detail = fallback.detail.as_ref().map(|detail| format!(" ({detail})")).unwrap_or_default();
            format!("{}{detail}", fallback.why.text())
        });
        let noted = self.notes.iter().map(|note| match &note.field {
            Some(field) => format!("{field}: {}", note.message),
            None => note.message.clone(),
        });
        unread.chain(noted).collect()
    }
}

/// Why a schema is not shown as fields.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Fallback {
    /// Why there are no fields.
    pub why: Why,
    /// The offending dialect, reference or parser message. Text from the server.
    pub detail: Option<String>,
}

impl Fallback {
    pub(crate) fn new(why: Why) -> Self {
        Self { why, detail: None }
    }

    pub(crate) fn with(why: Why, detail: impl ToString) -> Self {
        Self { why, detail: Some(crate::quote::shorten(&detail.to_string())) }
    }
}

/// Why something is edited as JSON, or is not fully checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Why {
    /// The schema is not JSON, or nested beyond what is read.
    Unreadable,
    /// The schema is larger than [`crate::MAX_SCHEMA_BYTES`], or has names beyond any use.
    TooLarge,
    /// Subschemas nest deeper than [`crate::MAX_DEPTH`].
    TooDeep,
    /// More than [`crate::MAX_SUBSCHEMAS`] subschemas, or more options than [`crate::MAX_OPTIONS`].
    TooMany,
    /// Checking this content would take too long.
    TooComplex,
    /// `$schema` names a dialect we do not know.
    UnknownDialect,
    /// The schema breaks the rules of its own dialect.
    Invalid,
    /// It does not describe an object.
    NotAnObject,
    /// A reference leads nowhere, in a circle, or outside the document (never fetched).
    Reference,
    /// Alternatives (`oneOf`, `anyOf`, several types) that are more than a list of options.
    Alternatives,
    /// A nested object or a list of free values.
    Nested,
    /// Any property is allowed and none is named.
    FreeForm,
    /// Nothing says what the value is.
    Untyped,
    /// `required` names a property that the schema does not describe.
    Undeclared,
    /// Some keywords were malformed or unsupported and are not checked.
    Partial,
}

impl Why {
    /// Whether nothing of the schema is checked for this reason, as opposed to one that only rules out fields.
    fn is_unread(self) -> bool {
        match self {
            Self::Unreadable
            | Self::TooLarge
            | Self::TooDeep
            | Self::TooMany
            | Self::TooComplex
            | Self::UnknownDialect
            | Self::Invalid => true,
            Self::NotAnObject
            | Self::Reference
            | Self::Alternatives
            | Self::Nested
            | Self::FreeForm
            | Self::Untyped
            | Self::Undeclared
            | Self::Partial => false,
        }
    }

    /// The reason as a short English sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Unreadable => "The schema cannot be read",
            Self::TooLarge => "The schema is too large",
            Self::TooDeep => "The schema is nested too deeply",
            Self::TooMany => "The schema has too many parts",
            Self::TooComplex => "The schema is too complex to check",
            Self::UnknownDialect => "The schema is in an unknown dialect",
            Self::Invalid => "The schema is not valid",
            Self::NotAnObject => "The schema does not describe an object",
            Self::Reference => "The schema refers to something that is not in it",
            Self::Alternatives => "The schema allows several shapes",
            Self::Nested => "The value is an object or a list",
            Self::FreeForm => "Any properties are allowed",
            Self::Untyped => "The schema does not say what the value is",
            Self::Undeclared => "The schema requires this property but does not describe it",
            Self::Partial => "Parts of the schema cannot be checked here",
        }
    }
}

/// Something in the schema that was ignored or cannot be checked.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct FormNote {
    /// The top-level property it concerns; `None` = the schema as a whole.
    pub field: Option<String>,
    /// A short English sentence.
    pub message: String,
}

/// One property of the schema's object, as a field.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The property's name; may contain anything.
    pub name: String,
    /// The title, or else the name.
    pub label: String,
    /// The schema's description of it. Text from the server.
    pub description: Option<String>,
    /// The property must be present.
    pub required: bool,
    /// `null` is a valid value.
    pub nullable: bool,
    /// It asks for what only its owner should know, or has such in it, by `format: password`, `writeOnly`, a name or a title: a
    /// password, a key, a token, a card number, a code for one use. A server must ask for such things by a page of its own (URL
    /// mode). Its value is masked wherever it is shown, and kept only until it is delivered. Never of yes and no, nor of choices.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<bool>"))]
    pub secret: bool,
    /// What is entered.
    pub kind: FieldKind,
    /// The default as JSON text. Present only when it is valid itself.
    pub default: Option<String>,
}

/// What is entered into a field. Numbers are JSON number texts, so that none goes through a double.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type")]
pub enum FieldKind {
    /// A text of any characters.
    Text {
        /// Least number of characters (Unicode scalar values).
        min_length: Option<u32>,
        /// Greatest number of characters.
        max_length: Option<u32>,
        /// ECMA-262 regular expression, not anchored. A text from the server: never run it in the window.
        pattern: Option<String>,
        /// A format that is checked.
        format: Option<TextFormat>,
        /// Long texts are expected.
        multiline: bool,
    },
    /// A whole number. Limits are inclusive.
    Integer {
        /// The least value, as a JSON number; none without a limit.
        minimum: Option<String>,
        /// The greatest value, as a JSON number; none without a limit.
        maximum: Option<String>,
    },
    /// A number, whole or not.
    Number {
        /// The least value, as a JSON number; none without a limit.
        minimum: Option<String>,
        /// The greatest value, as a JSON number; none without a limit.
        maximum: Option<String>,
        /// `minimum` itself is not allowed.
        exclusive_minimum: bool,
        /// `maximum` itself is not allowed.
        exclusive_maximum: bool,
    },
    /// True or false.
    Boolean,
    /// One of several values.
    Select {
        /// The values, in the schema's order.
        options: Vec<SelectOption>,
    },
    /// A list of distinct values out of several.
    MultiSelect {
        /// The values, in the schema's order.
        options: Vec<SelectOption>,
        /// The fewest choices that are valid; none without a limit.
        min_items: Option<u32>,
        /// The most choices that are valid; none without a limit.
        max_items: Option<u32>,
    },
    /// Any JSON value, checked against the schema.
    Json {
        /// Why it is not shown in a more specific way.
        why: Why,
    },
}

/// A value to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SelectOption {
    /// The value as JSON text (`"\"eu\""` for the string `eu`).
    pub value: String,
    /// What to show.
    pub label: String,
}

/// The formats of the restricted schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum TextFormat {
    /// An email address: `local@domain`
    Email,
    /// An absolute RFC 3986 URI.
    Uri,
    /// A full date: `2026-01-31`
    Date,
    /// RFC 3339 with offset: `2026-01-31T09:00:00Z`
    DateTime,
}

/// Why content does not fit, for one place in it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(optional_fields))]
#[error("{}{message}", field.as_ref().map(|f| format!("{f}: ")).unwrap_or_default())]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// The top-level property; `None` = the content as a whole.
    pub field: Option<String>,
    /// JSON pointer into the content. For a missing or unknown property: where it would be or is.
    pub path: String,
    /// Short English, for a person.
    pub message: String,
    /// What to decide by.
    pub code: FieldErrorCode,
}

/// The kinds of misfit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FieldErrorCode {
    /// Not JSON, or too large or too deep to read.
    NotJson,
    /// The same property twice.
    Duplicate,
    /// A whole number that would be changed on its way (beyond 64 bits).
    NotExact,
    /// A required property is missing.
    Required,
    /// A value of another type.
    Type,
    /// Too few characters.
    TooShort,
    /// Too many characters.
    TooLong,
    /// Below the minimum.
    TooSmall,
    /// Above the maximum.
    TooLarge,
    /// Too few items or properties.
    TooFew,
    /// Too many items or properties.
    TooMany,
    /// Not in the declared format.
    Format,
    /// Does not match the pattern.
    Pattern,
    /// None of the options.
    Option,
    /// The same item twice.
    Repeated,
    /// A property that is not allowed.
    Unknown,
    /// Another rule of the schema.
    Rule,
}

/// How a value compares with a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "type")]
pub enum Verdict {
    /// Everything in the schema holds.
    Valid,
    /// Something does not hold.
    Invalid {
        /// At most 100.
        errors: Vec<FieldError>,
    },
    /// Nothing wrong was found, but not all of the schema could be checked.
    Unchecked {
        /// Why not all could be checked.
        why: Why,
    },
}
