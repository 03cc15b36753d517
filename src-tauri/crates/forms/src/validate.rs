//! Content against a schema: everything the schema says, in the words of the fields where they have better ones.

use std::collections::HashSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use crate::budget;
use crate::check::check;
use crate::fields::fields;
use crate::keywords::pattern_options;
use crate::schema::Schema;
use crate::spec::{Field, FieldError, FieldErrorCode as Code, TextFormat, Verdict, Why};
use crate::words;

const MAX_ERRORS: usize = 100;

/// Keywords under which a lost rule can turn a fitting value into a misfit.
const INVERTING: &[&str] =
    &["oneOf", "not", "if", "then", "else", "contains", "unevaluatedProperties", "unevaluatedItems"];

/// Validates content (JSON text, an object) before it is sent. On `Ok` send that very text.
///
/// Where the schema cannot be used at all ([`crate::FormSpec::fallback`] says so) or only in part
/// ([`crate::FormSpec::notes`]), what can be checked is checked and the server decides the rest.
///
/// # Errors
/// At most 100 misfits, one per place, in the order of the fields.
pub fn validate(schema_json: &str, content_json: &str) -> Result<(), Vec<FieldError>> {
    let content = crate::json::read(content_json).map_err(|error| vec![error])?;
    let Some(members) = content.as_object() else {
        let message = "Must be an object".to_owned();
        return Err(vec![FieldError { field: None, path: String::new(), message, code: Code::Type }]);
    };
    let Ok(schema) = Schema::read(schema_json) else { return Ok(()) };

    let fields = fields(&schema).unwrap_or_default();
    let misfit = |field: &Field| match members.get(&field.name) {
        Some(value) => {
            check(&field.kind, field.nullable, value).err().map(|(code, message)| field.error(code, message))
        }
        None => field.required.then(|| field.error(Code::Required, "Required")),
    };
    let mut errors: Vec<FieldError> = fields.iter().filter_map(misfit).collect();

    // The schema decides, the field only words it better: a field reads more into an odd schema (a missing type, say)
    // than it says, and must not refuse what the schema allows. It has the last word only where the schema has none.
    let (found, unchecked) = against(&schema, &content, MAX_ERRORS);
    if !matches!(unchecked, Some(Why::TooComplex | Why::Invalid)) {
        errors.retain(|own| found.iter().any(|e| within(&e.path, &own.path) || within(&own.path, &e.path)));
    }
    let own: Vec<String> = errors.iter().map(|error| error.path.clone()).collect();
    errors.extend(found.into_iter().filter(|error| !own.iter().any(|place| within(&error.path, place))));
    errors.truncate(MAX_ERRORS);
    let order = |error: &FieldError| {
        fields.iter().position(|field| Some(&field.name) == error.field.as_ref()).unwrap_or(fields.len())
    };
    errors.sort_by_cached_key(order);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether a tool's `structuredContent` is what its `outputSchema` promises (both JSON texts; any JSON value). What is
/// larger than [`crate::MAX_CONTENT_BYTES`] is not checked.
#[must_use]
pub fn check_output(schema_json: &str, structured_json: &str) -> Verdict {
    if structured_json.len() > crate::MAX_CONTENT_BYTES {
        return Verdict::Unchecked { why: Why::TooComplex };
    }
    let structured: Value = match serde_json::from_str(structured_json) {
        Ok(value) => value,
        Err(e) => {
            let message = format!("Not valid JSON: {e}");
            let error = FieldError { field: None, path: String::new(), message, code: Code::NotJson };
            return Verdict::Invalid { errors: vec![error] };
        }
    };
    match Schema::read(schema_json) {
        Err(fallback) => Verdict::Unchecked { why: fallback.why },
        Ok(schema) => match against(&schema, &structured, MAX_ERRORS) {
            (errors, _) if !errors.is_empty() => Verdict::Invalid { errors },
            (_, Some(why)) => Verdict::Unchecked { why },
            _ => Verdict::Valid,
        },
    }
}

/// Everything the schema says about `content` (at most `most` misfits), and why that may not be everything.
pub(crate) fn against(schema: &Schema, content: &Value, most: usize) -> (Vec<FieldError>, Option<Why>) {
    let root = schema.checkable();
    if !budget::allows(&root, content) {
        return (Vec::new(), Some(Why::TooComplex));
    }
    let mut options = jsonschema::options()
        .with_draft(schema.draft)
        .offline()
        .with_pattern_options(pattern_options())
        .should_validate_formats(true)
        // Many servers mean a local time; the strict one has an offset.
        .with_format("time", |_: &str| true);
    for name in ["email", "uri", "date", "date-time"] {
        if let Some(format) = TextFormat::named(name) {
            options = options.with_format(name, move |text: &str| format.holds(text));
        }
    }
    let Ok(validator) = options.build(&root) else {
        return (Vec::new(), Some(Why::Invalid));
    };
    let mut seen = HashSet::new();
    let errors = validator
        .iter_errors(content)
        .filter(|error| !schema.lossy || !is_inverted(error))
        .take(most)
        .flat_map(|error| misfits(&error))
        .filter(|error| seen.insert(error.path.clone()))
        .take(most)
        .collect();
    (errors, schema.lossy.then_some(Why::Partial))
}

fn is_inverted(error: &ValidationError<'_>) -> bool {
    error.evaluation_path().as_str().split('/').any(|segment| INVERTING.contains(&segment))
}

fn misfits(error: &ValidationError<'_>) -> Vec<FieldError> {
    let Some((code, message)) = words::of(error) else { return Vec::new() };
    let at = error.instance_path().as_str();
    let below = |name: &str| {
        let mut path = at.to_owned();
        crate::json::push(&mut path, name);
        path
    };
    let paths = match error.kind() {
        Kind::Required { property } => vec![below(property.as_str().unwrap_or_default())],
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| below(name)).collect()
        }
        _ => vec![at.to_owned()],
    };
    let misfit =
        |path: String| FieldError { field: crate::json::top(&path), path, message: message.clone(), code };
    paths.into_iter().take(MAX_ERRORS).map(misfit).collect()
}

/// Whether `path` is `place` or lies below it (JSON pointers).
fn within(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
