//! `Mcp-Param-*`: arguments repeated in headers, where a tool's schema asks for it by `x-mcp-header`.

use serde_json::Value;

use crate::Demo;
use crate::protocol::{Message, Refusal};
use crate::tools;

/// Check the headers that the tool's schema asks for. `header` finds one by its name and undoes its encoding.
pub(crate) fn repeated(
    demo: &Demo,
    message: &Message,
    header: impl Fn(&str) -> Result<Option<String>, Refusal>,
) -> Result<(), Refusal> {
    let Some(tool) = tools::find(message.params["name"].as_str().unwrap_or_default()) else { return Ok(()) };
    let mut wanted = Vec::new();
    annotated(&tool.schema(*demo.0.edition.borrow()), &message.params["arguments"], &mut wanted);
    for (name, value) in wanted {
        let name = format!("Mcp-Param-{name}");
        if !repeats(header(&name)?.as_deref(), &value) {
            return Err(Refusal::Header(format!("{name} does not repeat the argument {value}")));
        }
    }
    Ok(())
}

/// Numbers are compared as such: `42.0` is repeated by `42`.
fn repeats(header: Option<&str>, value: &Value) -> bool {
    match (header, value) {
        (None, value) => value.is_null(),
        (Some(_), Value::Null) => false,
        (Some(header), Value::String(text)) => header == text,
        (Some(header), Value::Number(number)) => {
            header == number.to_string() || header.parse().is_ok_and(|header| number.as_f64() == Some(header))
        }
        (Some(header), other) => *header == *other.to_string(),
    }
}

/// The annotated properties: the name of the header and the argument, null if there is none.
fn annotated(schema: &Value, arguments: &Value, found: &mut Vec<(String, Value)>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(header) = property["x-mcp-header"].as_str() {
            found.push((header.to_owned(), arguments[name].clone()));
        }
        annotated(property, &arguments[name], found);
    }
}
