//! What an error of a server means to a person: a code of the closed list and a sentence.

use signalbox_mcp::{Error, Hint, Stage};
use signalbox_model::{Note, NoteCode, Secret, Server, Transport};

/// A code and a sentence for an error of a server. What the server wrote is quoted as text.
#[must_use]
pub fn note(error: &Error) -> Note {
    let (code, message) = match error {
        Error::Rpc { code, message, .. } => {
            (NoteCode::ServerError, format!("The server answered with error {code}: {message}"))
        }
        Error::Unreachable { stage: Stage::Spawn { program }, message, .. } => {
            (NoteCode::SpawnFailed, format!("The program {program:?} could not be started: {message}"))
        }
        Error::Unreachable { stage: Stage::Secret, message, .. } => {
            (NoteCode::SecretMissing, format!("The connection lacks a secret: {message}"))
        }
        Error::Unreachable { stage: Stage::Keychain, message, .. } => {
            (NoteCode::NoKeychain, format!("The connection lacks a secret: {message}"))
        }
        Error::Unreachable { stage: Stage::Locked, message, .. } => {
            (NoteCode::SecretsLocked, format!("The connection lacks a secret: {message}"))
        }
        Error::Unreachable { stage: Stage::Discover, message, .. } => {
            (NoteCode::ProtocolError, format!("The server does not say what it is. {message}"))
        }
        Error::Unreachable { message, .. } => {
            (NoteCode::Unreachable, format!("The server cannot be reached: {message}"))
        }
        Error::Exited { code, stderr, .. } => {
            let with = code.map(|code| format!(" with code {code}")).unwrap_or_default();
            let last =
                stderr.lines().last().map(|line| format!("; it last wrote: {line}")).unwrap_or_default();
            (NoteCode::SpawnFailed, format!("The server's program ended{with}{last}"))
        }
        Error::Lost { message } => {
            (NoteCode::Lost, format!("The answer was lost ({message}). The server may have acted on it"))
        }
        Error::Timeout { ms } => {
            (NoteCode::TimedOut, format!("The server did not answer within {} s", ms / 1_000))
        }
        Error::NotMcp { status, hint, .. } => {
            let status = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
            let what = match hint {
                Hint::Page => "a web page: the URL may lack its path".to_owned(),
                Hint::Redirect { location: Some(to) } => format!("a redirect to {to}, which is not followed"),
                Hint::Redirect { location: None } => "a redirect, which is not followed".to_owned(),
                Hint::Empty => "an empty answer".to_owned(),
                Hint::Other => "something that is not MCP".to_owned(),
                Hint::Silent => "nothing that is MCP".to_owned(),
            };
            (NoteCode::NotMcp, format!("This is not an MCP server: it gave {what}{status}"))
        }
        Error::LegacyOnly { version } => {
            let version = version.as_deref().unwrap_or("an older MCP version");
            (NoteCode::LegacyOnly, format!("The server speaks only {version}, which Signalbox does not know"))
        }
        Error::SignInNeeded { status, .. } => (
            NoteCode::SignInNeeded,
            format!("The server wants a sign-in (HTTP {status}). Sign in, or give it a header with a token"),
        ),
        Error::Throttled { status, .. } => {
            (NoteCode::Throttled, format!("The server asked to slow down (HTTP {status})"))
        }
        Error::TooLarge { limit } => (
            NoteCode::TooLarge,
            format!("The server's answer is larger than the limit of {limit} bytes (a setting)"),
        ),
        Error::TooMuch { what, most } => (
            NoteCode::TooLarge,
            format!("Signalbox does not take all that the server sends: {what} has more than {most}"),
        ),
        Error::Protocol { message, .. } => {
            (NoteCode::ProtocolError, format!("The server's answer is against the specification: {message}"))
        }
        Error::Garbled { message, .. } => (
            NoteCode::Lost,
            format!("What came is no answer to this request ({message}). The server may have acted on it"),
        ),
        Error::Closed => (NoteCode::Unreachable, "The connection was closed".to_owned()),
    };
    Note { code, message }
}

/// Of a program that the person has to confirm: exactly what would be run, with the names of the variables that it is
/// given, and the values of those that are no secrets.
#[must_use]
pub fn not_trusted(server: &Server) -> Note {
    let mut message = "Its command was not confirmed yet, and is not run before".to_owned();
    if let Transport::Stdio { command, args, env, cwd } = &server.transport {
        // Quoted one by one: nobody has to guess where an argument ends, or what hides in it.
        message.push_str(&format!(": {command:?}"));
        for arg in args {
            message.push_str(&format!(" {arg:?}"));
        }
        match cwd {
            Some(cwd) => message.push_str(&format!(" in {cwd:?}")),
            None => message.push_str(" in your home directory"),
        }
        if !env.is_empty() {
            let shown = |(name, value): &(String, Secret)| match value {
                Secret::Plain { value } => format!("{name:?} = {value:?}"),
                Secret::Env { .. } | Secret::File { .. } | Secret::Keychain { .. } => format!("{name:?}"),
            };
            let given: Vec<String> = env.iter().map(shown).collect();
            message.push_str(&format!(", with the environment variables {}", given.join(", ")));
        }
    }
    Note { code: NoteCode::NotTrusted, message }
}
