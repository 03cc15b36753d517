//! A value against its field: the checks with the friendliest messages.

use std::collections::HashSet;

use serde_json::{Number, Value};

use crate::keywords::pattern_matches;
use crate::number;
use crate::spec::{FieldErrorCode as Code, FieldKind, SelectOption};
use crate::words::{choose, counted, no_match, text_of};

type Checked = Result<(), (Code, String)>;

pub(crate) fn check(kind: &FieldKind, nullable: bool, value: &Value) -> Checked {
    if nullable && value.is_null() {
        return Ok(());
    }
    match kind {
        FieldKind::Text { min_length, max_length, pattern, format, .. } => {
            let Some(text) = value.as_str() else { return Err(wrong_type("string")) };
            let length = text.chars().count() as u64;
            at_least(length, *min_length, "character", Code::TooShort)?;
            at_most(length, *max_length, "character", Code::TooLong)?;
            if let Some(format) = format.filter(|format| !format.holds(text)) {
                return Err((Code::Format, format.message().to_owned()));
            }
            match pattern {
                // An unsupported pattern is noted in the form and left to the server.
                Some(pattern) if pattern_matches(pattern, text) == Some(false) => {
                    Err((Code::Pattern, no_match(pattern)))
                }
                _ => Ok(()),
            }
        }
        FieldKind::Integer { minimum, maximum } => {
            let Some(entered) = value.as_number().and_then(number::integer) else {
                return Err(wrong_type("integer"));
            };
            let limit = |text: &Option<String>| text.as_ref()?.parse::<i128>().ok();
            if let Some(least) = limit(minimum).filter(|least| entered < *least) {
                return Err((Code::TooSmall, format!("At least {least}")));
            }
            if let Some(most) = limit(maximum).filter(|most| entered > *most) {
                return Err((Code::TooLarge, format!("At most {most}")));
            }
            Ok(())
        }
        FieldKind::Number { minimum, maximum, exclusive_minimum, exclusive_maximum } => {
            let Some(entered) = value.as_number() else { return Err(wrong_type("number")) };
            let against = |text: &Option<String>| {
                let limit: Number = serde_json::from_str(text.as_ref()?).ok()?;
                Some((number::compare(entered, &limit), text.clone().unwrap_or_default()))
            };
            match against(minimum) {
                Some((order, limit)) if *exclusive_minimum && order.is_le() => {
                    return Err((Code::TooSmall, format!("More than {limit}")));
                }
                Some((order, limit)) if order.is_lt() => {
                    return Err((Code::TooSmall, format!("At least {limit}")));
                }
                _ => {}
            }
            match against(maximum) {
                Some((order, limit)) if *exclusive_maximum && order.is_ge() => {
                    Err((Code::TooLarge, format!("Less than {limit}")))
                }
                Some((order, limit)) if order.is_gt() => Err((Code::TooLarge, format!("At most {limit}"))),
                _ => Ok(()),
            }
        }
        FieldKind::Boolean => {
            if value.is_boolean() {
                Ok(())
            } else {
                Err(wrong_type("boolean"))
            }
        }
        FieldKind::Select { options } => one_of(options, value),
        FieldKind::MultiSelect { options, min_items, max_items } => {
            let Some(chosen) = value.as_array() else { return Err(wrong_type("array")) };
            chosen.iter().try_for_each(|one| one_of(options, one))?;
            let mut seen = HashSet::new();
            if let Some(twice) = chosen.iter().find(|one| !seen.insert(one.to_string())) {
                return Err((Code::Repeated, format!("Chosen twice: {}", text_of(twice))));
            }
            at_least(chosen.len() as u64, *min_items, "choice", Code::TooFew)?;
            at_most(chosen.len() as u64, *max_items, "choice", Code::TooMany)
        }
        FieldKind::Json { .. } => Ok(()),
    }
}

fn one_of(options: &[SelectOption], value: &Value) -> Checked {
    let same = |option: &SelectOption| {
        serde_json::from_str::<Value>(&option.value).is_ok_and(|other| match (&other, value) {
            (Value::Number(a), Value::Number(b)) => number::compare(a, b).is_eq(),
            (a, b) => a == b,
        })
    };
    if options.iter().any(same) {
        return Ok(());
    }
    Err((Code::Option, choose(options.iter().take(50).map(named))))
}

/// The value, since that is what content holds, with its title where it has one.
fn named(option: &SelectOption) -> String {
    let value =
        serde_json::from_str(&option.value).map_or_else(|_| option.value.clone(), |value| text_of(&value));
    if value == option.label { value } else { format!("{value} ({})", option.label) }
}

fn wrong_type(name: &str) -> (Code, String) {
    (Code::Type, format!("Must be {}", crate::words::type_word(name)))
}

fn at_least(count: u64, least: Option<u32>, one: &str, code: Code) -> Checked {
    match least.map(u64::from).filter(|least| count < *least) {
        Some(least) => Err((code, counted("At least", least, one))),
        None => Ok(()),
    }
}

fn at_most(count: u64, most: Option<u32>, one: &str, code: Code) -> Checked {
    match most.map(u64::from).filter(|most| count > *most) {
        Some(most) => Err((code, counted("At most", most, one))),
        None => Ok(()),
    }
}
