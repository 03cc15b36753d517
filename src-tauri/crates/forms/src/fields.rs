//! Schema -> [`FormSpec`].

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::MAX_SUBSCHEMAS;
use crate::check::check;
use crate::number;
use crate::options::{Choice, choice};
use crate::schema::Schema;
use crate::secret;
use crate::spec::{Fallback, Field, FieldError, FieldErrorCode, FieldKind, FormSpec, TextFormat, Why};
use crate::validate::against;
use crate::view::View;

/// Texts that may be this long or longer are edited on several lines.
const MULTILINE_FROM: u32 = 256;

/// The form for an elicitation's `requestedSchema` or a tool's `inputSchema`, given as JSON text. Never fails: what
/// cannot be shown is said in [`FormSpec::fallback`], in [`FieldKind::Json`] and in [`FormSpec::notes`].
#[must_use]
pub fn form_spec(schema_json: &str) -> FormSpec {
    let mut spec = FormSpec {
        title: None,
        description: None,
        fields: vec![],
        fallback: None,
        notes: vec![],
        secret: false,
    };
    let mut schema = match Schema::read(schema_json) {
        Ok(schema) => schema,
        Err(fallback) => {
            // Also where nothing is checked there are names.
            spec.secret = fallback.why != Why::TooLarge
                && serde_json::from_str(schema_json).is_ok_and(|root| secret::is_declared(&root));
            spec.fallback = Some(fallback);
            return spec;
        }
    };
    let view = View::of(&schema.root, &schema.root);
    spec.title = view.text("title").map(str::to_owned);
    spec.description = view.text("description").map(str::to_owned);
    match fields(&schema) {
        Ok(fields) => {
            spec.fields = fields;
            keep_valid_defaults(&mut schema, &mut spec.fields);
        }
        Err(fallback) => spec.fallback = Some(fallback),
    }
    spec.secret = spec.fields.iter().any(|field| field.secret) || secret::is_declared(&schema.root);
    spec.notes = schema.notes;
    spec
}

/// The fields, with their defaults as declared (valid or not).
pub(crate) fn fields(schema: &Schema) -> Result<Vec<Field>, Fallback> {
    let root = &schema.root;
    let view = View::of(root, root);
    if let Some(why) = view.obstacle {
        return Err(Fallback::new(why));
    }
    let (types, _) = view.types();
    if (!types.is_empty() && !types.contains(&"object")) || *root == Value::Bool(false) {
        return Err(Fallback::new(Why::NotAnObject));
    }
    let properties: Vec<&Map<String, Value>> = view.all("properties").filter_map(Value::as_object).collect();
    // Branches that only say which properties go together leave the fields as they are.
    let shapes = |branch: &&Value| branch.get("properties").is_some() || branch.get("$ref").is_some();
    if !view.branches.is_empty() && (properties.is_empty() || view.branches.iter().any(shapes)) {
        return Err(Fallback::new(Why::Alternatives));
    }
    let open = view.get("additionalProperties").is_some_and(|other| *other != Value::Bool(false))
        || view.get("patternProperties").is_some();
    if properties.iter().all(|map| map.is_empty()) && (open || types.is_empty()) && properties.is_empty() {
        return Err(Fallback::new(Why::FreeForm));
    }

    let required: HashSet<&str> = required_names(&view).collect();
    let mut seen = HashSet::new();
    let mut fields = Vec::new();
    for (name, node) in properties.into_iter().flatten() {
        if seen.insert(name.as_str()) {
            fields.push(field(root, name, node, required.contains(name.as_str())));
        }
    }
    for name in required_names(&view) {
        if seen.insert(name) {
            fields.push(Field {
                name: name.to_owned(),
                label: name.to_owned(),
                description: None,
                required: true,
                nullable: false,
                secret: secret::names_secret(name),
                kind: FieldKind::Json { why: Why::Undeclared },
                default: None,
            });
        }
    }
    if fields.len() > MAX_SUBSCHEMAS { Err(Fallback::new(Why::TooMany)) } else { Ok(fields) }
}

fn required_names<'a>(view: &View<'a>) -> impl Iterator<Item = &'a str> {
    view.all("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str)
}

fn field(root: &Value, name: &str, node: &Value, required: bool) -> Field {
    let view = View::of(root, node);
    let (kind, nullable) = kind(root, &view);
    Field {
        name: name.to_owned(),
        label: view.text("title").unwrap_or(name).to_owned(),
        description: view.text("description").map(str::to_owned),
        required,
        nullable,
        secret: secret::is_asked(&kind, &view, (root, node), name),
        default: view.get("default").filter(|value| !value.is_null()).map(Value::to_string),
        kind,
    }
}

/// The kind, and whether `null` is allowed beside it.
fn kind(root: &Value, view: &View<'_>) -> (FieldKind, bool) {
    let (types, null) = view.types();
    let nullable = view.nullable || null;
    if let Some(why) = view.obstacle {
        return (FieldKind::Json { why }, nullable);
    }
    match choice(view) {
        Choice::Options(options, null) if !options.is_empty() => {
            let untyped = types.is_empty();
            return (FieldKind::Select { options }, nullable || (null && untyped));
        }
        Choice::Unshowable(why) => return (FieldKind::Json { why }, nullable),
        _ => {}
    }
    let kind = match types[..] {
        [one] => typed(root, view, one),
        ["integer", "number"] | ["number", "integer"] => typed(root, view, "number"),
        [] if view.branches.is_empty() => typed(root, view, implied_type(view)),
        _ => FieldKind::Json { why: Why::Alternatives },
    };
    (kind, nullable)
}

/// The type that the other keywords are about, where `type` is missing.
fn implied_type(view: &View<'_>) -> &'static str {
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| view.get(keyword).is_some());
    if has(&["minLength", "maxLength", "pattern", "format"]) {
        "string"
    } else if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
        "number"
    } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
        "array"
    } else if has(&["properties", "additionalProperties", "patternProperties"]) {
        "object"
    } else {
        ""
    }
}

fn typed(root: &Value, view: &View<'_>, name: &str) -> FieldKind {
    match name {
        "string" => {
            let format = view.text("format").and_then(TextFormat::named);
            let max_length = size(view, "maxLength");
            FieldKind::Text {
                min_length: size(view, "minLength").filter(|least| *least > 0),
                max_length,
                pattern: view.text("pattern").map(str::to_owned),
                format,
                multiline: format.is_none() && max_length.is_some_and(|most| most >= MULTILINE_FROM),
            }
        }
        "integer" => integer(view),
        "number" => decimal(view),
        "boolean" => FieldKind::Boolean,
        "array" => match view.get("items").map(|items| choice(&View::of(root, items))) {
            Some(Choice::Options(options, false)) if !options.is_empty() => FieldKind::MultiSelect {
                options,
                min_items: size(view, "minItems").filter(|least| *least > 0),
                max_items: size(view, "maxItems"),
            },
            Some(Choice::Unshowable(why)) => FieldKind::Json { why },
            _ => FieldKind::Json { why: Why::Nested },
        },
        "object" => FieldKind::Json { why: Why::Nested },
        _ => FieldKind::Json { why: Why::Untyped },
    }
}

/// A count; beyond 32 bits it limits nothing that can be typed.
fn size(view: &View<'_>, keyword: &str) -> Option<u32> {
    view.get(keyword)?.as_u64().map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

fn integer(view: &View<'_>) -> FieldKind {
    let limit = |keyword| view.get(keyword).and_then(Value::as_number);
    let above = limit("exclusiveMinimum").and_then(number::floor).map(|n| n + 1);
    let below = limit("exclusiveMaximum").and_then(number::ceil).map(|n| n - 1);
    let minimum = limit("minimum").and_then(number::ceil).into_iter().chain(above).max();
    let maximum = limit("maximum").and_then(number::floor).into_iter().chain(below).min();
    FieldKind::Integer { minimum: minimum.map(|n| n.to_string()), maximum: maximum.map(|n| n.to_string()) }
}

fn decimal(view: &View<'_>) -> FieldKind {
    let tighter = |inclusive: &str, exclusive: &str, loose| {
        let inclusive = view.get(inclusive).and_then(Value::as_number);
        let exclusive = view.get(exclusive).and_then(Value::as_number);
        match (inclusive, exclusive) {
            (Some(i), Some(e)) if number::compare(e, i) == loose => (Some(i), false),
            (_, Some(e)) => (Some(e), true),
            (i, None) => (i, false),
        }
    };
    let (minimum, exclusive_minimum) = tighter("minimum", "exclusiveMinimum", std::cmp::Ordering::Less);
    let (maximum, exclusive_maximum) = tighter("maximum", "exclusiveMaximum", std::cmp::Ordering::Greater);
    FieldKind::Number {
        minimum: minimum.map(number::plain),
        maximum: maximum.map(number::plain),
        exclusive_minimum,
        exclusive_maximum,
    }
}

/// Drops each default that its own field would refuse: a form must not open with an error the person did not make.
fn keep_valid_defaults(schema: &mut Schema, fields: &mut [Field]) {
    let mut defaults = Map::new();
    let mut refused = HashSet::new();
    for field in &mut *fields {
        let Some(text) = &field.default else { continue };
        // Read exactly: a default beyond 64 bits has been through a double already.
        match crate::json::read(text) {
            Ok(value) if check(&field.kind, field.nullable, &value).is_ok() && !is_rounded(field, &value) => {
                if let (FieldKind::Integer { .. }, Value::Number(number)) = (&field.kind, &value) {
                    field.default = Some(number::plain(number));
                }
                defaults.insert(field.name.clone(), value);
            }
            _ => {
                refused.insert(field.name.clone());
            }
        }
    }
    if !defaults.is_empty() {
        // Every required field without a default is missing here, and that says nothing about the others.
        let (errors, _) = against(schema, &Value::Object(defaults), 10 * MAX_SUBSCHEMAS);
        let missing = |error: &FieldError| {
            error.code == FieldErrorCode::Required && error.path.matches('/').count() == 1
        };
        refused.extend(errors.into_iter().filter(|error| !missing(error)).filter_map(|error| error.field));
    }
    for field in fields.iter_mut().filter(|field| refused.contains(&field.name)) {
        field.default = None;
        let mut at = "/properties".to_owned();
        crate::json::push(&mut at, &field.name);
        schema.note(&at, "The default does not fit its own field and was ignored", false);
    }
}

/// A whole number that was too large for 64 bits and is not what the server wrote.
fn is_rounded(field: &Field, value: &Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    matches!(field.kind, FieldKind::Integer { .. })
        && value.is_f64()
        && value.as_f64().is_some_and(|f| f.abs() > EXACT)
}
