//! One field at a terminal: what is said of it, and what a typed line means.

use std::fmt::Write;

use signalbox_forms::{Field, FieldKind, SelectOption, TextFormat};
use signalbox_model::Json;

use crate::text::sanitise;

/// The field's label, what is known of it, and its options by number.
pub(super) fn describe(field: &Field) -> String {
    let mut text = format!("\n{}", sanitise::first(&field.label));
    if !field.required {
        text.push_str(" (optional)");
    }
    if let Some(about) = &field.description {
        let _ = write!(text, "\n    {}", sanitise::line(about));
    }
    if field.secret {
        let _ = write!(text, "\n    {}", super::secret::SAID);
    }
    if let Some(rule) = rule(&field.kind) {
        let _ = write!(text, "\n    {rule}");
    }
    if let Some(other) = nothing(field) {
        let _ = write!(text, "\n    {other}");
    }
    for (at, option) in options(&field.kind).iter().enumerate() {
        let _ = write!(text, "\n    {:>2}  {}", at + 1, sanitise::line(&option.label));
    }
    text
}

/// How to say null, and an empty text, where the field takes them: leaving it out is something else. A secret is taken as typed.
fn nothing(field: &Field) -> Option<&'static str> {
    let empty = matches!(
        &field.kind,
        FieldKind::Text { min_length: None | Some(0), pattern: None, format: None, .. }
    );
    match (field.nullable, empty) {
        _ if is_as_typed(field) => None,
        (true, true) => Some(r#"null means null, "" means an empty text"#),
        (true, false) => Some("null means null"),
        (false, true) => Some(r#""" means an empty text"#),
        (false, false) => None,
    }
}

/// Whether what is typed is taken as it is: nobody sees what would become of it.
pub(super) fn is_as_typed(field: &Field) -> bool {
    field.secret && matches!(field.kind, FieldKind::Text { .. })
}

/// Whether a lone minus leaves the field out, as its prompt says.
fn leaves_out(field: &Field) -> bool {
    !field.required && (field.default.is_some() || !is_as_typed(field))
}

/// What stands before the cursor: what Enter alone means, if anything.
pub(super) fn prompt(field: &Field) -> String {
    match (&field.default, field.required) {
        (Some(default), true) => format!("  [{}] ", shown(field, default)),
        (Some(default), false) => format!("  [{}, - for none] ", shown(field, default)),
        (None, true) => "  > ".to_owned(),
        (None, false) => "  [none] ".to_owned(),
    }
}

/// A default in the words it could be typed in.
fn shown(field: &Field, default: &str) -> String {
    let text = match &field.kind {
        FieldKind::Boolean => Some(if default == "true" { "yes" } else { "no" }.to_owned()),
        FieldKind::Select { options } => {
            options.iter().find(|option| option.value == default).map(|option| option.label.clone())
        }
        FieldKind::Text { .. } => serde_json::from_str(default).ok().filter(|text: &String| !text.is_empty()),
        _ => None,
    };
    sanitise::line(text.as_deref().unwrap_or(default))
}

fn rule(kind: &FieldKind) -> Option<String> {
    let between = |least: Option<String>, most: Option<String>, what: &str| match (least, most) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}{what}")),
        (Some(least), None) => Some(format!("at least {least}{what}")),
        (None, Some(most)) => Some(format!("at most {most}{what}")),
        (None, None) => None,
    };
    let count = |count: &Option<u32>| count.map(|count| count.to_string());
    match kind {
        FieldKind::Text { format: Some(format), .. } => Some(
            match format {
                TextFormat::Email => "an e-mail address",
                TextFormat::Uri => "a URL",
                TextFormat::Date => "a date, such as 2026-01-31",
                TextFormat::DateTime => "a time, such as 2026-01-31T09:00:00Z",
            }
            .to_owned(),
        ),
        FieldKind::Text { min_length, max_length, .. } => {
            let one = max_length.or(*min_length) == Some(1);
            between(count(min_length), count(max_length), if one { " character" } else { " characters" })
        }
        FieldKind::Integer { minimum, maximum } | FieldKind::Number { minimum, maximum, .. } => {
            between(minimum.clone(), maximum.clone(), "")
        }
        FieldKind::Boolean => Some("yes or no".to_owned()),
        FieldKind::Select { .. } => Some("one of these, by number or name".to_owned()),
        FieldKind::MultiSelect { .. } => Some("any of these, by number or name, with commas".to_owned()),
        FieldKind::Json { .. } => Some("a JSON value".to_owned()),
    }
}

fn options(kind: &FieldKind) -> &[SelectOption] {
    match kind {
        FieldKind::Select { options } | FieldKind::MultiSelect { options, .. } => options,
        _ => &[],
    }
}

/// Why a line means no value of the field.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unread {
    #[error("Required.")]
    Required,
    #[error("Neither yes nor no.")]
    NotBoolean,
    #[error("Not a number.")]
    NotNumber,
    #[error("Not JSON.")]
    NotJson,
    #[error("None of the options: {0:?}")]
    NoOption(String),
}

/// The JSON text that a line means; none leaves the field out. Numbers stay as they were typed.
pub(super) fn read(field: &Field, line: &str) -> Result<Option<String>, Unread> {
    let line = if is_as_typed(field) { line } else { line.trim() };
    match line {
        "" if field.default.is_some() => return Ok(field.default.clone()),
        "" if field.required => return Err(Unread::Required),
        "" => return Ok(None),
        "-" if leaves_out(field) => return Ok(None),
        _ if is_as_typed(field) => return Ok(Some(serde_json::Value::from(line).to_string())),
        "null" if field.nullable => return Ok(Some(line.to_owned())),
        _ => {}
    }
    let value = match &field.kind {
        // Quoted text is taken as JSON: so an empty text, a lone minus or a line end can be typed.
        FieldKind::Text { .. } if line.starts_with('"') && serde_json::from_str::<String>(line).is_ok() => {
            line.to_owned()
        }
        FieldKind::Text { .. } => serde_json::Value::from(line).to_string(),
        FieldKind::Integer { .. } | FieldKind::Number { .. } => {
            let number = line.starts_with(|c: char| c == '-' || c.is_ascii_digit());
            Json::parse(line).ok().filter(|_| number).ok_or(Unread::NotNumber)?.text().to_owned()
        }
        FieldKind::Boolean => match line.to_lowercase().as_str() {
            "y" | "yes" | "true" => "true".to_owned(),
            "n" | "no" | "false" => "false".to_owned(),
            _ => return Err(Unread::NotBoolean),
        },
        FieldKind::Select { options } => option(options, line)?.to_owned(),
        FieldKind::MultiSelect { options, .. } => {
            let chosen: Result<Vec<_>, _> = line.split(',').map(|one| option(options, one.trim())).collect();
            format!("[{}]", chosen?.join(","))
        }
        FieldKind::Json { .. } => Json::parse(line).map_err(|_| Unread::NotJson)?.text().to_owned(),
    };
    Ok(Some(value))
}

/// An option by its name or value, else by its number: `3` means the option called 3 where there is one.
fn option<'a>(options: &'a [SelectOption], text: &str) -> Result<&'a str, Unread> {
    let quoted = serde_json::Value::from(text).to_string();
    let named =
        |option: &&SelectOption| [text, &quoted].contains(&option.value.as_str()) || option.label == text;
    let numbered = || text.parse::<usize>().ok().and_then(|at| options.get(at.checked_sub(1)?));
    let found = options.iter().find(named).or_else(numbered);
    found.map(|option| option.value.as_str()).ok_or_else(|| Unread::NoOption(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use signalbox_forms::form_spec;

    use super::*;

    fn field(schema: &str, required: bool) -> Field {
        let required = if required { r#","required":["x"]"# } else { "" };
        let schema = format!(r#"{{"type":"object","properties":{{"x":{schema}}}{required}}}"#);
        form_spec(&schema).fields.remove(0)
    }

    #[test]
    fn lines_become_values() {
        let text = r#"{"type":"string"}"#;
        let nullable = r#"{"type":["string","null"]}"#;
        let number = r#"{"type":"number"}"#;
        let select = r#"{"type":"string","enum":["eu","us","2"]}"#;
        let multi = r#"{"type":"array","items":{"type":"string","enum":["a","b","c"]}}"#;
        let table = [
            (text, "hello", Ok(r#""hello""#)),
            (text, r#"say "hi""#, Ok(r#""say \"hi\"""#)),
            (text, r#""""#, Ok(r#""""#)),
            (text, r#""a\nb""#, Ok(r#""a\nb""#)),
            (text, "", Err(Unread::Required)),
            (text, "-", Ok(r#""-""#)),
            (text, "null", Ok(r#""null""#)),
            (nullable, "null", Ok("null")),
            (nullable, r#""null""#, Ok(r#""null""#)),
            (nullable, r#""""#, Ok(r#""""#)),
            (r#"{"type":["boolean","null"]}"#, "null", Ok("null")),
            (r#"{"type":["integer","null"]}"#, "null", Ok("null")),
            (r#"{"type":["string","null"],"enum":["eu",null]}"#, "null", Ok("null")),
            (number, "null", Err(Unread::NotNumber)),
            (number, "12345678901234567890.10", Ok("12345678901234567890.10")),
            (number, "1e3", Ok("1e3")),
            (number, "true", Err(Unread::NotNumber)),
            (number, "twelve", Err(Unread::NotNumber)),
            (r#"{"type":"boolean"}"#, "Yes", Ok("true")),
            (r#"{"type":"boolean"}"#, "n", Ok("false")),
            (r#"{"type":"boolean"}"#, "perhaps", Err(Unread::NotBoolean)),
            (select, "us", Ok(r#""us""#)),
            (select, "1", Ok(r#""eu""#)),
            (select, "2", Ok(r#""2""#)),
            (select, "0", Err(Unread::NoOption("0".to_owned()))),
            (select, "mars", Err(Unread::NoOption("mars".to_owned()))),
            (multi, "1, c", Ok(r#"["a","c"]"#)),
        ];
        for (schema, line, value) in table {
            let value = value.map(|text: &str| Some(text.to_owned()));
            assert_eq!(read(&field(schema, true), line), value, "{line:?} for {schema}");
        }
    }

    #[test]
    fn how_to_say_null_and_an_empty_text_is_said_where_they_are_taken() {
        let table = [
            (r#"{"type":"string"}"#, Some(r#""" means an empty text"#)),
            (r#"{"type":["string","null"]}"#, Some(r#"null means null, "" means an empty text"#)),
            (r#"{"type":["string","null"],"minLength":1}"#, Some("null means null")),
            (r#"{"type":["boolean","null"]}"#, Some("null means null")),
            (r#"{"type":"string","minLength":1}"#, None),
            (r#"{"type":"string","format":"email"}"#, None),
            (r#"{"type":"string","pattern":"^a"}"#, None),
            (r#"{"type":"integer"}"#, None),
            (r#"{"type":["string","null"],"title":"Password"}"#, None),
        ];
        for (schema, said) in table {
            let field = field(schema, false);
            let described = describe(&field);
            let found = described.lines().map(str::trim).find(|line| line.contains(" means "));
            assert_eq!(found, said, "{schema}");
        }
    }

    #[test]
    fn a_secret_is_as_typed_but_for_what_its_prompt_says() {
        let plain = r#"{"type":"string","title":"Password"}"#;
        let with_default = r#"{"type":"string","title":"Password","default":"changeme"}"#;
        for (schema, required, line, value) in [
            (plain, true, "-", Some(r#""-""#)),
            (plain, false, "-", Some(r#""-""#)),
            (plain, false, "", None),
            (plain, false, " null ", Some(r#"" null ""#)),
            (with_default, true, "-", Some(r#""-""#)),
            (with_default, false, "-", None),
            (with_default, false, "", Some(r#""changeme""#)),
        ] {
            let field = field(schema, required);
            if line == "-" {
                assert_eq!(prompt(&field).contains("- for none"), value.is_none(), "{schema} {required}");
            }
            assert_eq!(read(&field, line), Ok(value.map(str::to_owned)), "{line:?} for {schema} {required}");
        }
    }

    #[test]
    fn enter_alone_takes_the_default_or_leaves_out() {
        let with_default = r#"{"type":"integer","default":3}"#;
        assert_eq!(read(&field(with_default, true), ""), Ok(Some("3".to_owned())));
        assert_eq!(read(&field(with_default, false), ""), Ok(Some("3".to_owned())));
        assert_eq!(read(&field(with_default, false), "-"), Ok(None), "an optional default can be left out");
        assert_eq!(read(&field(r#"{"type":"string"}"#, false), ""), Ok(None));
    }

    #[test]
    fn defaults_are_shown_as_they_could_be_typed() {
        let table = [
            (r#"{"type":"boolean","default":true}"#, "  [yes] "),
            (r#"{"type":"string","default":"web"}"#, "  [web] "),
            (r#"{"type":"string","default":""}"#, "  [\"\"] "),
            (r#"{"type":"string","oneOf":[{"const":"eu","title":"Europe"}],"default":"eu"}"#, "  [Europe] "),
            (r#"{"type":"integer","default":3}"#, "  [3] "),
            (r#"{"type":"integer"}"#, "  > "),
        ];
        for (schema, shown) in table {
            assert_eq!(prompt(&field(schema, true)), shown, "{schema}");
        }
    }

    #[test]
    fn texts_of_the_server_cannot_act() {
        let field = field(r#"{"type":"string","title":"\u001b[2Jx","description":"a\u202eb"}"#, true);
        let said = describe(&field);
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}
