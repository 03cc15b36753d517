//! Messages a person reads: short, without jargon, and never longer than a line or two whatever the server wrote.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use crate::number::plain;
use crate::quote::shorten;
use crate::spec::FieldErrorCode as Code;

/// `At least 1 character`, `At least 3 characters`
pub(crate) fn counted(prefix: &str, count: u64, one: &str) -> String {
    format!("{prefix} {count} {one}{}", if count == 1 { "" } else { "s" })
}

/// `Choose one of: a, b`
pub(crate) fn choose(labels: impl Iterator<Item = String>) -> String {
    shorten(&format!("Choose one of: {}", labels.collect::<Vec<_>>().join(", ")))
}

/// What the value must be, by type name of JSON Schema.
pub(crate) fn type_word(name: &str) -> &'static str {
    match name {
        "string" => "text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        _ => "null",
    }
}

/// Code and message of what the validator found; `None` for what says nothing about the content.
pub(crate) fn of(error: &ValidationError<'_>) -> Option<(Code, String)> {
    Some(match error.kind() {
        Kind::Type { kind } => {
            let words: Vec<_> = match kind {
                TypeKind::Single(one) => vec![type_word(one.as_str())],
                TypeKind::Multiple(many) => many.iter().map(|one| type_word(one.as_str())).collect(),
            };
            (Code::Type, format!("Must be {}", words.join(" or ")))
        }
        Kind::Minimum { limit } => (Code::TooSmall, format!("At least {}", text_of(limit))),
        Kind::Maximum { limit } => (Code::TooLarge, format!("At most {}", text_of(limit))),
        Kind::ExclusiveMinimum { limit } => (Code::TooSmall, format!("More than {}", text_of(limit))),
        Kind::ExclusiveMaximum { limit } => (Code::TooLarge, format!("Less than {}", text_of(limit))),
        Kind::MultipleOf { multiple_of } => (Code::Rule, format!("Must be a multiple of {multiple_of}")),
        Kind::MinLength { limit } => (Code::TooShort, counted("At least", *limit, "character")),
        Kind::MaxLength { limit } => (Code::TooLong, counted("At most", *limit, "character")),
        Kind::MinItems { limit } => (Code::TooFew, counted("At least", *limit, "item")),
        Kind::MaxItems { limit } => (Code::TooMany, counted("At most", *limit, "item")),
        Kind::AdditionalItems { limit } => (Code::TooMany, counted("At most", *limit as u64, "item")),
        Kind::MinProperties { limit } => (Code::TooFew, format!("At least {limit} properties")),
        Kind::MaxProperties { limit } => (Code::TooMany, format!("At most {limit} properties")),
        Kind::Pattern { pattern } => (Code::Pattern, no_match(pattern)),
        Kind::Format { format } => match crate::spec::TextFormat::named(format) {
            Some(format) => (Code::Format, format.message().to_owned()),
            None => (Code::Format, shorten(&format!("Not a valid {format}"))),
        },
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            (Code::Option, choose(options.iter().take(50).map(text_of)))
        }
        Kind::Constant { expected_value } => {
            (Code::Option, shorten(&format!("Must be {}", text_of(expected_value))))
        }
        Kind::UniqueItems => (Code::Repeated, "No item may repeat".to_owned()),
        Kind::Required { .. } => (Code::Required, "Required".to_owned()),
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } | Kind::FalseSchema => {
            (Code::Unknown, "Not allowed here".to_owned())
        }
        Kind::UnevaluatedItems { .. } => (Code::TooMany, "Too many items".to_owned()),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            (Code::Rule, "Fits none of the allowed shapes".to_owned())
        }
        Kind::OneOfMultipleValid { .. } => {
            (Code::Rule, "Fits more than one of the allowed shapes".to_owned())
        }
        Kind::Not { .. } => (Code::Rule, "A forbidden combination".to_owned()),
        Kind::Contains => (Code::Rule, "An item that is demanded is missing".to_owned()),
        Kind::PropertyNames { .. } => (Code::Rule, "A property name is not allowed".to_owned()),
        Kind::ContentEncoding { .. } | Kind::ContentMediaType { .. } | Kind::FromUtf8 { .. } => {
            (Code::Format, "Not in the declared encoding".to_owned())
        }
        Kind::Custom { message, .. } => (Code::Rule, shorten(message)),
        // The engine gave up: nothing is known about the content.
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } | Kind::Referencing(_) => {
            return None;
        }
    })
}

pub(crate) fn no_match(pattern: &str) -> String {
    shorten(&format!("Does not match the pattern {pattern}"))
}

/// A value as a person would write it: strings without quotes.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => shorten(text),
        Value::Number(number) => plain(number),
        other => shorten(&other.to_string()),
    }
}
