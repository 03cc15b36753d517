//! Pasted JSON: a configuration as other clients have them, a part of one, or a single entry.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::{Map, Value};

use super::{Pasted, PastedKind, PastedServer, Unadded, Unclear, name};
use crate::{
    NewTransport,
    import::{self, NotImported, Proposed, Skipped, Surroundings, Unreadable, entry},
};

/// What an entry of a configuration has at least one of.
const ADDRESSES: [&str; 4] = ["command", "url", "serverUrl", "httpUrl"];

pub(super) fn read(text: &str, around: Surroundings<'_>) -> Result<Pasted, Unclear> {
    // Out of a page comes often a member without the braces around it.
    let text = if text.starts_with('"') { format!("{{{text}}}") } else { text.to_owned() };
    let (proposed, skipped) = match import::read(&text, around) {
        Ok(found) => found,
        Err(Unreadable::Json(error)) => return Err(Unclear::Json(error.to_string())),
        Err(Unreadable::NoServers) => loose(&text, around)?,
    };
    Ok(Pasted {
        kind: PastedKind::Json,
        servers: proposed.into_iter().map(server).collect(),
        skipped: skipped.into_iter().map(NotImported::pasted).collect(),
    })
}

/// One entry, which may say its own name, or several by name without anything around them.
fn loose(text: &str, around: Surroundings<'_>) -> Result<(Vec<Proposed>, Vec<Skipped>), Unclear> {
    let value: Option<Value> = parse_to_serde_value(text, &ParseOptions::default()).ok();
    let Some(Value::Object(root)) = value else { return Err(Unclear::NoServers) };
    let named: Vec<(String, Value)> = if is_entry(&root) {
        vec![(said(&root).to_owned(), Value::Object(root))]
    } else if !root.is_empty() && root.values().all(|value| value.as_object().is_some_and(is_entry)) {
        root.into_iter().collect()
    } else {
        return Err(Unclear::NoServers);
    };
    let (mut proposed, mut skipped) = (Vec::new(), Vec::new());
    for (name, entry) in named {
        match entry::transport(&entry, around) {
            Ok(transport) => proposed.push(Proposed { name, transport }),
            Err(why) => skipped.push(Skipped { name, why }),
        }
    }
    Ok((proposed, skipped))
}

/// One entry out of a command of another client; its name may stand in it.
pub(super) fn entry(text: &str, around: Surroundings<'_>) -> Result<(String, NewTransport), Unadded> {
    let value: Option<Value> = parse_to_serde_value(text, &ParseOptions::default()).ok();
    let Some(Value::Object(entry)) = value else { return Err(Unadded::Json) };
    let name = said(&entry).to_owned();
    let transport = entry::transport(&Value::Object(entry), around)?;
    Ok((name, transport))
}

fn is_entry(of: &Map<String, Value>) -> bool {
    ADDRESSES.iter().any(|member| of.get(*member).is_some_and(Value::is_string))
}

fn said(entry: &Map<String, Value>) -> &str {
    entry.get("name").and_then(Value::as_str).unwrap_or_default()
}

fn server(Proposed { name, transport }: Proposed) -> PastedServer {
    let name = if name.is_empty() { name::of(&transport) } else { name };
    PastedServer { name, transport, notes: Vec::new() }
}
