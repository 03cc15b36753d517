//! A stack of questions: in what they differ.

use signalbox_api::{Stack, StackColumn};
use signalbox_model::{Action, Json, Word};

use super::table::Table;
use super::{Hue, Paint, arguments, sanitise, time};
use crate::console::Console;

/// A row for each question that gets the answer, with what it has where they differ. The desk cuts a value above 1 KiB,
/// with `…` at its end; nothing more is cut here.
pub(crate) fn differences(stack: &Stack, console: &Console) -> String {
    let now = console.now();
    let mut table = Table::new(["ID", "TASK", "EXPIRES", "DIFFERS IN"]);
    for question in &stack.questions {
        let row = &question.row;
        let expires = row.expires_at.map(|at| time::relative(at, now)).unwrap_or_default();
        let values = stack.columns.iter().zip(&question.values);
        let differs: Vec<String> =
            values.filter_map(|(column, value)| named(column, value.as_deref())).collect();
        let draft = row.has_draft.then(|| "(has a draft)".to_owned());
        let differs: Vec<String> = draft.into_iter().chain(differs).collect();
        table.row([
            (Hue::Plain, row.id.to_string()),
            (Hue::Plain, row.call.map(|call| call.to_string()).unwrap_or_default()),
            (Hue::Dim, expires),
            (Hue::Plain, differs.join("  ")),
        ]);
    }
    // It goes to stderr, which has no colours.
    table.render(None, Paint { colour: false })
}

/// A value with its name, in quotes or as JSON: it can pose as no other.
fn named(column: &StackColumn, value: Option<&str>) -> Option<String> {
    let value = value?;
    Some(match column {
        StackColumn::Message => {
            format!("message {}", sanitise::line(&serde_json::Value::from(value).to_string()))
        }
        StackColumn::Argument { name } => format!("{} {}", arguments::named(name), sanitise::line(value)),
        StackColumn::Arguments => format!("arguments {}", sanitise::line(value)),
    })
}

/// What goes out to each of them.
pub(crate) fn goes(action: Action, content: Option<&Json>, count: usize) -> String {
    let content = content.map(|json| format!(" with {}", sanitise::line(json.text()))).unwrap_or_default();
    format!("Each of these {count} gets the same answer, once: {}{content}", action.word())
}
