//! Pasted command lines and addresses.

use super::{
    Pasted, PastedKind, PastedServer, Unclear, clients,
    words::{address, program},
};
use crate::{NewSecret, NewTransport, import::Surroundings};

/// The longest command line that is read, in bytes.
const LONGEST: usize = 32 * 1024;

pub(super) fn read(text: &str, around: Surroundings<'_>) -> Result<Pasted, Unclear> {
    if text.len() > LONGEST {
        return Err(Unclear::TooLong("a command line"));
    }
    if let Some(odd) = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
        return Err(Unclear::Control(format!("U+{:04X}", u32::from(odd))));
    }
    if !text.contains(char::is_whitespace)
        && let Some(server) = address(text)?
    {
        return Ok(Pasted { kind: PastedKind::Url, servers: vec![server], skipped: Vec::new() });
    }
    let commands = commands(text)?;
    let servers =
        commands.iter().map(|words| one(words, around)).collect::<Result<Vec<(PastedKind, _)>, _>>()?;
    let is_client = servers.iter().all(|(kind, _)| *kind == PastedKind::Client);
    if servers.len() > 1 && !is_client {
        return Err(Unclear::Lines(servers.len()));
    }
    let kind = servers.first().map_or(PastedKind::Command, |(kind, _)| *kind);
    let mut servers: Vec<PastedServer> = servers.into_iter().map(|(_, server)| server).collect();
    for server in &mut servers {
        let unfilled = unfilled(&server.transport);
        server.notes.extend(unfilled);
    }
    Ok(Pasted { kind, servers, skipped: Vec::new() })
}

/// The words of each command. A line is a command of its own unless a quote or a backslash goes on in the next.
fn commands(text: &str) -> Result<Vec<Vec<String>>, Unclear> {
    let whole = || shell_words::split(unprompted(text)).map_err(|_| Unclear::Quotes);
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let split: Result<Vec<_>, _> = lines.map(|line| shell_words::split(unprompted(line))).collect();
    match split {
        Ok(commands) if commands.is_empty() => Err(Unclear::Empty),
        Ok(commands) => Ok(commands),
        Err(_) => Ok(vec![whole()?]),
    }
}

/// Without the prompt that pages show before commands.
fn unprompted(line: &str) -> &str {
    ["$ ", "% ", "> "].iter().find_map(|prompt| line.strip_prefix(prompt)).unwrap_or(line).trim()
}

fn one(words: &[String], around: Surroundings<'_>) -> Result<(PastedKind, PastedServer), Unclear> {
    if let Some(server) = clients::read(words, around)? {
        return Ok((PastedKind::Client, server));
    }
    if let [url] = words
        && let Some(server) = address(url)?
    {
        return Ok((PastedKind::Url, server));
    }
    program(words, around).map(|server| (PastedKind::Command, server))
}

/// Of values that hold a variable among other text, which only a shell would have filled in. The values are not repeated.
fn unfilled(transport: &NewTransport) -> Vec<String> {
    let (NewTransport::Http { headers: values, .. } | NewTransport::Stdio { env: values, .. }) = transport;
    let holds = |value: &NewSecret| match value {
        NewSecret::Literal { value } => value.0.contains('$'),
        NewSecret::Plain { value, .. } => value.contains('$'),
        NewSecret::Reference { .. } => false,
    };
    let odd = values.iter().filter(|(_, value)| holds(value));
    odd.map(|(name, _)| format!("{name:?} has a $ in its value, which stays as it is: no shell fills it in"))
        .collect()
}
