//! One server of a configuration: how it is reached, and what its placeholders stand for.
//!
//! A value is kept as a secret until its person says otherwise, but for a variable that changes what its program loads or
//! runs: whoever confirms the program has to see that.

use std::path::{MAIN_SEPARATOR_STR, Path};

use serde_json::{Map, Value};
use signalbox_model::{Secret, changes_what_runs, sounds_secret};

use super::{Surroundings, WhySkipped};
use crate::{NewSecret, NewTransport, SecretText};

/// What programs call the transports that we speak.
const TRANSPORTS: [&str; 6] =
    ["stdio", "http", "streamable-http", "streamableHttp", "streamable_http", "sse"];

pub(super) fn transport(entry: &Value, around: Surroundings<'_>) -> Result<NewTransport, WhySkipped> {
    let entry = entry.as_object().ok_or(WhySkipped::NoAddress)?;
    if entry.get("disabled") == Some(&Value::Bool(true)) || entry.get("enabled") == Some(&Value::Bool(false))
    {
        return Err(WhySkipped::Disabled);
    }
    if let Some(kind) = text(entry, "type")?
        && !TRANSPORTS.contains(&kind)
    {
        return Err(WhySkipped::Transport(kind.to_owned()));
    }
    if let Some(command) = text(entry, "command")? {
        return program(entry, command, around);
    }
    for member in ["url", "serverUrl", "httpUrl"] {
        if let Some(url) = text(entry, member)? {
            let url = plain(member, url, around)?;
            return Ok(NewTransport::Http { url, headers: values(entry, "headers", around)? });
        }
    }
    Err(WhySkipped::NoAddress)
}

fn program(
    entry: &Map<String, Value>,
    command: &str,
    around: Surroundings<'_>,
) -> Result<NewTransport, WhySkipped> {
    if entry.contains_key("envFile") {
        return Err(WhySkipped::EnvFile);
    }
    let args = match entry.get("args") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(args)) => args
            .iter()
            .map(|arg| plain("args", &scalar(arg).ok_or_else(|| WhySkipped::Odd("args".into()))?, around))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(WhySkipped::Odd("args".into())),
    };
    let cwd = match text(entry, "cwd")? {
        Some(cwd) => Some(whole(&plain("cwd", cwd, around)?, around)?),
        None => around.project.map(|project| project.to_string_lossy().into_owned()),
    };
    let command = plain("command", command, around)?;
    let is_path = Path::new(&command).components().count() > 1 || command.starts_with('.');
    let command = if is_path { whole(&command, around)? } else { command };
    Ok(NewTransport::Stdio { command, args, env: values(entry, "env", around)?, cwd })
}

/// A path from the root, out of one that may start in the project.
fn whole(path: &str, around: Surroundings<'_>) -> Result<String, WhySkipped> {
    if Path::new(path).is_absolute() {
        return Ok(path.to_owned());
    }
    let project = around.project.ok_or_else(|| WhySkipped::Relative(path.to_owned()))?;
    Ok(project.join(path).to_string_lossy().into_owned())
}

/// A text without secrets. It is kept in the clear, so that no variable of the environment may get into it.
fn plain(member: &str, text: &str, around: Surroundings<'_>) -> Result<String, WhySkipped> {
    let text = match text.strip_prefix("~/") {
        Some(rest) => format!("{}/{rest}", around.home.display()),
        None => text.to_owned(),
    };
    filled(&text, |placeholder| place(placeholder, around).ok_or_else(|| foreign(member, placeholder)))
}

fn values(
    entry: &Map<String, Value>,
    member: &str,
    around: Surroundings<'_>,
) -> Result<Vec<(String, NewSecret)>, WhySkipped> {
    let values = match entry.get(member) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Object(values)) => values,
        Some(_) => return Err(WhySkipped::Odd(member.to_owned())),
    };
    let known = values.iter().filter(|(_, value)| !value.is_null());
    known
        .map(|(name, value)| {
            let at = format!("{member}.{name}");
            let text = scalar(value).ok_or_else(|| WhySkipped::Odd(at.clone()))?;
            let is_shown = member == "env" && is_shown(name);
            Ok((name.clone(), secret(&at, &text, is_shown, around)?))
        })
        .collect()
}

/// Whether the value of a variable is kept in the clear, so that it is seen before its program is confirmed.
fn is_shown(name: &str) -> bool {
    changes_what_runs(name) && !sounds_secret(name)
}

/// The value of a variable as it stands in a configuration.
pub(super) fn of_variable(name: &str, text: String) -> NewSecret {
    kept(text, is_shown(name))
}

fn kept(text: String, is_shown: bool) -> NewSecret {
    if is_shown {
        NewSecret::Plain { value: text, sure: false }
    } else {
        NewSecret::Literal { value: SecretText(text) }
    }
}

/// A value: a reference where it is one variable, and else what it says.
fn secret(
    member: &str,
    text: &str,
    is_shown: bool,
    around: Surroundings<'_>,
) -> Result<NewSecret, WhySkipped> {
    let only =
        text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).filter(|only| !only.contains("${"));
    if let Some(only) = only
        && place(only, around).is_none()
        && let Some((var, default)) = variable(only)
        && (default.is_none() || around.var.is_some_and(|value| value(var).is_some()))
    {
        return Ok(NewSecret::Reference { secret: Secret::Env { var: var.to_owned() } });
    }
    let value = filled(text, |placeholder| {
        if let Some(place) = place(placeholder, around) {
            return Ok(place);
        }
        let (var, default) = variable(placeholder).ok_or_else(|| foreign(member, placeholder))?;
        let (member, variable) = (member.to_owned(), var.to_owned());
        let Some(known) = around.var else { return Err(WhySkipped::Mixed { member, variable }) };
        match (known(var), default) {
            (Some(_), _) if is_shown && sounds_secret(var) => Err(WhySkipped::Exposed { member, variable }),
            (Some(value), _) => Ok(value),
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => Err(WhySkipped::Unset { member, variable }),
        }
    })?;
    Ok(kept(value, is_shown))
}

/// `text` with every `${…}` replaced.
fn filled(
    text: &str,
    mut value: impl FnMut(&str) -> Result<String, WhySkipped>,
) -> Result<String, WhySkipped> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((placeholder, after)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push_str(&value(placeholder)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// What a placeholder stands for that is no secret.
fn place(placeholder: &str, around: Surroundings<'_>) -> Option<String> {
    match placeholder {
        "userHome" | "HOME" | "env:HOME" => Some(around.home.to_string_lossy().into_owned()),
        "workspaceFolder" => around.project.map(|project| project.to_string_lossy().into_owned()),
        "pathSeparator" | "/" => Some(MAIN_SEPARATOR_STR.to_owned()),
        _ => None,
    }
}

/// The variable of `NAME`, `NAME:-default` and `env:NAME`.
fn variable(placeholder: &str) -> Option<(&str, Option<&str>)> {
    let named = placeholder.strip_prefix("env:").unwrap_or(placeholder);
    let (name, default) = match named.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (named, None),
    };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // Without a prefix what is not written like a variable is something of that program, such as `workspaceFolder`.
    let is_ours = named.len() < placeholder.len() || !name.chars().any(|c| c.is_ascii_lowercase());
    (is_name && is_ours).then_some((name, default))
}

fn foreign(member: &str, placeholder: &str) -> WhySkipped {
    WhySkipped::Placeholder { member: member.to_owned(), placeholder: format!("${{{placeholder}}}") }
}

fn text<'a>(entry: &'a Map<String, Value>, member: &str) -> Result<Option<&'a str>, WhySkipped> {
    match entry.get(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(WhySkipped::Odd(member.to_owned())),
    }
}

/// A text, also where somebody left out its quotes.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
