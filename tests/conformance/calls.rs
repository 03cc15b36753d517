//! Which calls to make, and with which arguments.

use serde_json::{Map, Value, json};
use signalbox_forms::{Field, FieldKind, form_spec};
use signalbox_mcp::Tool;
use signalbox_model::Json;

use crate::Scenario;

/// The tool whose schema a scenario wants back, and the one that takes it.
const SCHEMA_OF: &str = "json_schema_2020_12_tool";
const ECHO: &str = "json_schema_echo";

/// The calls of a scenario: those it names, else one of each tool.
pub(crate) fn of(scenario: &Scenario, tools: Vec<Tool>) -> Vec<(Tool, Json)> {
    if scenario.echo_schema {
        let schema =
            tools.iter().find(|tool| tool.name == SCHEMA_OF).and_then(|tool| tool.input_schema.clone());
        let arguments = schema.map(|schema| Json::of(&json!({ "schema": schema.raw() })));
        return tools.into_iter().filter(|tool| tool.name == ECHO).zip(arguments).collect();
    }
    if scenario.context.calls.is_empty() {
        return tools
            .into_iter()
            .map(|tool| {
                let arguments = tool.input_schema.as_ref().map_or_else(Map::new, filled_in);
                (tool, Json::of(&arguments))
            })
            .collect();
    }
    let named = scenario.context.calls.iter().filter_map(|call| {
        let tool = tools.iter().find(|tool| tool.name == call.name)?;
        Some((tool.clone(), call.arguments.clone().into()))
    });
    named.collect()
}

/// A form as it is proposed: every default, and something for what must be there and has none.
pub(crate) fn filled_in(schema: &Json) -> Map<String, Value> {
    let fields = form_spec(schema.text()).fields.into_iter();
    fields.filter_map(|field| Some((field.name.clone(), value(&field)?))).collect()
}

fn value(field: &Field) -> Option<Value> {
    match &field.default {
        Some(default) => serde_json::from_str(default).ok(),
        None => field.required.then(|| something(&field.kind)),
    }
}

fn something(kind: &FieldKind) -> Value {
    let first = |options: &[signalbox_forms::SelectOption]| {
        options.first().and_then(|option| serde_json::from_str::<Value>(&option.value).ok())
    };
    match kind {
        FieldKind::Text { .. } => json!("text"),
        FieldKind::Integer { .. } | FieldKind::Number { .. } => json!(1),
        FieldKind::Boolean => json!(true),
        FieldKind::Select { options } => first(options).unwrap_or_default(),
        FieldKind::MultiSelect { options, .. } => first(options).into_iter().collect(),
        FieldKind::Json { .. } => json!({}),
    }
}
