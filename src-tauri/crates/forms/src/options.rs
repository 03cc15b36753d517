//! The options of a select, in every spelling: `enum`, `enum` with `enumNames`, `oneOf` / `anyOf` of titled constants,
//! a lone `const`.

use serde_json::Value;

use crate::MAX_OPTIONS;
use crate::spec::{SelectOption, Why};
use crate::view::View;
use crate::words::text_of;

/// What a view offers to choose from.
pub(crate) enum Choice {
    /// It is no choice.
    Free,
    /// The options, and whether `null` is one more.
    Options(Vec<SelectOption>, bool),
    /// Too many to show.
    Unshowable(Why),
}

pub(crate) fn choice(view: &View<'_>) -> Choice {
    let titled = titled(view);
    let values: Vec<&Value> = match (view.get("enum"), &titled, view.get("const")) {
        // Both must hold, so only what is in both can be chosen.
        (Some(Value::Array(list)), Some(titled), _) => {
            list.iter().filter(|value| titled.iter().any(|(other, _)| other == value)).collect()
        }
        (Some(Value::Array(list)), None, _) => list.iter().collect(),
        (_, Some(titled), _) => titled.iter().map(|(value, _)| *value).collect(),
        (_, None, Some(value)) => vec![value],
        _ => return Choice::Free,
    };
    if values.len() > MAX_OPTIONS {
        return Choice::Unshowable(Why::TooMany);
    }
    let names = view.get("enumNames").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let null = values.iter().any(|value| value.is_null());
    let options = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !value.is_null())
        .map(|(index, value)| {
            let title = match &titled {
                Some(titled) => titled.iter().find(|(other, _)| other == value).and_then(|(_, title)| *title),
                None => names.get(index).and_then(Value::as_str),
            };
            let label = title.filter(|title| !title.trim().is_empty()).map(str::to_owned);
            SelectOption { value: value.to_string(), label: label.unwrap_or_else(|| text_of(value)) }
        })
        .collect();
    Choice::Options(options, null)
}

/// The branches as constants with titles; `None` when there are none or one of them is no constant.
fn titled<'a>(view: &View<'a>) -> Option<Vec<(&'a Value, Option<&'a str>)>> {
    if view.branches.is_empty() || view.branches.len() > MAX_OPTIONS {
        return None;
    }
    let constant = |branch: &'a Value| {
        let value = branch.get("const").or_else(|| match branch.get("enum")?.as_array()?.as_slice() {
            [only] => Some(only),
            _ => None,
        })?;
        Some((value, branch.get("title").and_then(Value::as_str)))
    };
    view.branches.iter().map(|branch| constant(branch)).collect()
}
