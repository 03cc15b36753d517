//! One typed-in text -> one value, for a terminal that asks field by field.

use serde_json::{Number, Value};

use crate::check::check;
use crate::spec::{Field, FieldError, FieldErrorCode as Code, FieldKind, SelectOption};
use crate::words::choose;

impl Field {
    /// Reads what a person typed for this field and checks it. An empty text is a value like any other here (an empty
    /// string, or an error): whether it means "leave it out" is the caller's choice.
    ///
    /// - whole numbers beyond 64 bits are refused with [`Code::NotExact`]
    /// - yes/no, y/n, true/false, on/off, 1/0 for booleans, in any case
    /// - an option by its value, its label, or its number counted from 1, in this order
    /// - several options separated by commas, or a JSON list
    /// - `null` where the field allows it and is no text
    ///
    /// # Errors
    /// The text does not fit; the error names this field.
    pub fn parse_text(&self, input: &str) -> Result<Value, FieldError> {
        let trimmed = input.trim();
        let value = if self.nullable && trimmed == "null" && !matches!(self.kind, FieldKind::Text { .. }) {
            Value::Null
        } else {
            self.read(input, trimmed).map_err(|(code, message)| self.error(code, message))?
        };
        check(&self.kind, self.nullable, &value).map_err(|(code, message)| self.error(code, message))?;
        Ok(value)
    }

    pub(crate) fn error(&self, code: Code, message: impl Into<String>) -> FieldError {
        let mut path = String::new();
        crate::json::push(&mut path, &self.name);
        FieldError { field: Some(self.name.clone()), path, message: message.into(), code }
    }

    fn read(&self, input: &str, trimmed: &str) -> Result<Value, (Code, String)> {
        match &self.kind {
            FieldKind::Text { .. } => Ok(Value::from(input)),
            FieldKind::Integer { .. } => integer(trimmed),
            FieldKind::Number { .. } => decimal(trimmed),
            FieldKind::Boolean => match trimmed.to_lowercase().as_str() {
                "y" | "yes" | "true" | "on" | "1" => Ok(Value::Bool(true)),
                "n" | "no" | "false" | "off" | "0" => Ok(Value::Bool(false)),
                _ => Err((Code::Type, "Answer yes or no".to_owned())),
            },
            FieldKind::Select { options } => option(options, trimmed),
            FieldKind::MultiSelect { options, .. } if trimmed.starts_with('[') => {
                json(trimmed).or_else(|e| {
                    // An option's label may begin with a bracket.
                    several(options, trimmed).map_err(|_| e)
                })
            }
            FieldKind::MultiSelect { options, .. } => several(options, trimmed),
            FieldKind::Json { .. } => json(trimmed),
        }
    }
}

fn integer(text: &str) -> Result<Value, (Code, String)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err((Code::Type, "Must be a whole number".to_owned()));
    }
    let signed = text.parse::<i64>().map(Number::from);
    let number = signed.or_else(|_| text.parse::<u64>().map(Number::from));
    number.map(Value::Number).map_err(|_| (Code::NotExact, "Too large to be kept exactly".to_owned()))
}

fn decimal(text: &str) -> Result<Value, (Code, String)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return integer(text);
    }
    let known = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let number = text.parse::<f64>().ok().filter(|_| known).and_then(Number::from_f64);
    number.map(Value::Number).ok_or_else(|| (Code::Type, "Must be a number".to_owned()))
}

fn json(text: &str) -> Result<Value, (Code, String)> {
    crate::json::read(text).map_err(|error| (error.code, error.message))
}

fn several(options: &[SelectOption], text: &str) -> Result<Value, (Code, String)> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| option(options, part)).collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn option(options: &[SelectOption], text: &str) -> Result<Value, (Code, String)> {
    let quoted = Value::from(text).to_string();
    let by_value = || options.iter().find(|option| option.value == text || option.value == quoted);
    let by_label = || options.iter().find(|option| option.label.to_lowercase() == text.to_lowercase());
    let by_number = || options.get(text.parse::<usize>().ok()?.checked_sub(1)?);
    let found = by_value().or_else(by_label).or_else(by_number);
    found
        .and_then(|option| serde_json::from_str(&option.value).ok())
        .ok_or_else(|| (Code::Option, choose(options.iter().take(50).map(|option| option.label.clone()))))
}
