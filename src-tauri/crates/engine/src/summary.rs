//! A call's arguments in a few words, for lists.

use serde_json::Value;
use signalbox_model::Json;

/// Longest summary, in characters.
const LIMIT: usize = 200;

/// The values of the arguments, in order, at most 200 characters. Server and person may both read it: plain text.
/// What is more than one word stands in quotes: no value may pose as several.
#[must_use]
pub fn summary(arguments: &Json) -> String {
    let mut text = String::new();
    if let Ok(Value::Object(members)) = arguments.read::<Value>() {
        for value in members.values() {
            let word = match value {
                Value::Null => continue,
                Value::String(word) if is_one_word(word) => word.clone(),
                other => other.to_string(),
            };
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&word);
            if text.len() > LIMIT * 4 {
                break;
            }
        }
    }
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = clean.clone().take(LIMIT).collect();
    if clean.count() > LIMIT {
        short.pop();
        short.push('…');
    }
    short
}

fn is_one_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_order_and_bounded() {
        let cases = [
            (r#"{"service":"api-gateway","version":"4.18.2","dry":false}"#, "api-gateway 4.18.2 false"),
            (r#"{"ids":[1,2],"none":null}"#, "[1,2]"),
            (r#"{"text":"a\nb"}"#, r#""a\nb""#),
            (
                r#"{"service":"api-gateway region: eu-west","version":"1"}"#,
                r#""api-gateway region: eu-west" 1"#,
            ),
            (r#"{"service":"a\" \"b","version":""}"#, r#""a\" \"b" """#),
            ("{}", ""),
            ("[1]", ""),
        ];
        for (arguments, expected) in cases {
            assert_eq!(summary(&Json::parse(arguments).unwrap()), expected, "{arguments}");
        }
        let long = format!(r#"{{"text":"{}"}}"#, "é".repeat(100_000));
        assert_eq!(summary(&Json::parse(long).unwrap()).chars().count(), LIMIT);
    }
}
