//! Anything that names a server, pasted where one is added: a URL, a command line, JSON, or the command by which another
//! client adds a server. It is read as data: no shell runs it, nothing is fetched, and nobody's consent is in it.
//!
//! For the window the variables of this machine are not looked up.

mod clients;
mod json;
mod line;
mod name;
#[cfg(test)]
mod tests;
mod words;

use serde::{Deserialize, Serialize};
use signalbox_model::sounds_secret;

use super::{NotImported, Surroundings};
use crate::{NewSecret, NewTransport};
pub use clients::Unadded;

/// The longest text that is read, in bytes.
const LONGEST: usize = 1024 * 1024;

/// What a pasted text means.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Pasted {
    /// What it was taken for.
    pub kind: PastedKind,
    /// The servers in it.
    pub servers: Vec<PastedServer>,
    /// Those in it that cannot be added, and why.
    pub skipped: Vec<NotImported>,
}

/// What a pasted text was taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PastedKind {
    /// The address of a server.
    Url,
    /// A program with its arguments.
    Command,
    /// A configuration, or one entry of one.
    Json,
    /// The command by which another client adds a server, such as `claude mcp add`.
    Client,
}

/// A server in a pasted text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct PastedServer {
    /// Its name there, or one that its address suggests; empty where nothing does.
    pub name: String,
    /// How it is reached. A value in the clear is a secret until a person says otherwise, but for variables that change what
    /// its program loads or runs.
    pub transport: NewTransport,
    /// What was left out or is taken another way than a shell would, in sentences.
    pub notes: Vec<String>,
}

/// Why a pasted text names no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// There is nothing.
    #[error("There is nothing to read: paste a URL, a command line, JSON, or a `claude mcp add` command")]
    Empty,
    /// More than anybody would type.
    #[error("This is too long for {0}")]
    TooLong(&'static str),
    /// A character that no command line holds.
    #[error("This holds a control character ({0}), which no command line or address has")]
    Control(String),
    /// A quote without its end.
    #[error("A quote in this is opened and not closed")]
    Quotes,
    /// More than one command.
    #[error("These are {0} lines: paste one command at a time")]
    Lines(usize),
    /// Variables, and nothing to run.
    #[error("This sets variables, but names no program")]
    NoProgram,
    /// An address that is none of ours.
    #[error("An address that begins with {0:?} is not spoken: a server's begins with http:// or https://")]
    Scheme(String),
    /// An address with a password in it, which would be kept in the clear.
    #[error("This address holds a user name or a password: leave it out, and put it into a header instead")]
    Credentials,
    /// Like JSON, but not JSON. What stands there is not repeated.
    #[error("This is not JSON: {0}")]
    Json(String),
    /// JSON without servers.
    #[error("This JSON names no server: it has no `mcpServers`, no `servers`, no `command` and no `url`")]
    NoServers,
    /// A page, and no text of one.
    #[error(
        "This is a web page or XML, and names no server: paste the command or the JSON that stands on it"
    )]
    Markup,
    /// A command of another client which is not one that adds a server.
    #[error("This command of {client} cannot be read: {why}")]
    Client {
        /// The program's name.
        client: String,
        /// What is odd about it.
        why: Unadded,
    },
}

/// Reads a pasted text.
///
/// # Errors
/// When it names no server.
pub fn read(text: &str, around: Surroundings<'_>) -> Result<Pasted, Unclear> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let text = unfenced(text.trim());
    match text.chars().next() {
        None => Err(Unclear::Empty),
        _ if text.len() > LONGEST => Err(Unclear::TooLong("a configuration")),
        Some('{' | '[' | '"') => json::read(text, around),
        Some('/') if text.starts_with("//") || text.starts_with("/*") => json::read(text, around),
        Some('<') => Err(Unclear::Markup),
        Some(_) => line::read(text, around),
    }
}

/// Without the fence that Markdown puts around code.
fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let code = inside.and_then(|inside| inside.split_once('\n')).map(|(_language, code)| code);
    let word =
        text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).filter(|word| !word.contains('`'));
    code.or(word).unwrap_or(text).trim()
}

impl PastedServer {
    /// The headers or variables whose values stand in it in the clear and are named as secrets are.
    #[must_use]
    pub fn secrets(&self) -> Vec<&str> {
        let (NewTransport::Http { headers: values, .. } | NewTransport::Stdio { env: values, .. }) =
            &self.transport;
        let literal = values.iter().filter(|(_, value)| matches!(value, NewSecret::Literal { .. }));
        literal.map(|(name, _)| name.as_str()).filter(|name| sounds_secret(name)).collect()
    }
}
