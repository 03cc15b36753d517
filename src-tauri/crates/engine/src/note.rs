//! What an error of a server comes to: a reason with its values. Hosts have the words.

use signalbox_mcp::{Error, Hint, Stage};
use signalbox_model::{Gave, Hindrance, Note, Reason, Secret, Server, Transport, Unconfirmed, Variable};

/// What an error of a server comes to.
#[must_use]
pub fn note(error: &Error) -> Note {
    reason(error).into()
}

fn reason(error: &Error) -> Reason {
    match error {
        Error::Rpc { code, message, .. } => Reason::ErrorAnswer { error: *code, said: message.clone() },
        Error::Unreachable { stage, why, .. } => unreachable(stage, why.clone()),
        Error::Exited { code, stderr, .. } => {
            Reason::ProgramEnded { exit: *code, wrote: stderr.lines().last().map(str::to_owned) }
        }
        Error::Lost { why } => Reason::AnswerLost { said: why.clone() },
        Error::Timeout { ms } => Reason::NoAnswer { seconds: ms / 1_000 },
        Error::NotMcp { status, hint, .. } => not_mcp(hint, *status),
        Error::LegacyOnly { version } => Reason::LegacyOnly { version: version.clone() },
        Error::SignInNeeded { status, .. } => Reason::SignInNeeded { status: *status },
        Error::Throttled { status, .. } => Reason::Throttled { status: *status },
        Error::TooLarge { limit } => Reason::TooLarge { limit: *limit as u64 },
        Error::TooMuch { of, most, unit } => Reason::MoreThanTaken { of: *of, most: *most, unit: *unit },
        Error::Protocol { breach, .. } => Reason::BreaksSpecification { breach: breach.clone() },
        Error::Garbled { stray, .. } => Reason::NotTheAnswer { stray: *stray },
        Error::Closed => Reason::Closed,
    }
}

fn unreachable(stage: &Stage, said: Hindrance) -> Reason {
    match stage {
        Stage::Spawn { program } => Reason::NotStarted { program: program.clone(), said },
        Stage::Secret => Reason::SecretMissing { said },
        Stage::Variable { name } => Reason::VariableNotSet { name: name.clone() },
        Stage::Dns => Reason::HostNotFound { said },
        Stage::Keychain => Reason::NoKeychain { said },
        Stage::Locked => Reason::SecretsLocked { said },
        Stage::Discover => Reason::NoDiscovery { said },
        Stage::Address | Stage::Connect | Stage::Tls | Stage::Proxy | Stage::Session => {
            Reason::Unreachable { said }
        }
    }
}

fn not_mcp(hint: &Hint, status: Option<u16>) -> Reason {
    let (gave, to) = match hint {
        Hint::Page => (Gave::Page, None),
        Hint::Redirect { location } => (Gave::Redirect, location.clone()),
        Hint::Empty => (Gave::Empty, None),
        Hint::Other => (Gave::Other, None),
        Hint::Silent => (Gave::Silent, None),
    };
    Reason::NotMcp { gave, to, status }
}

/// Of a program that the person has to confirm: exactly what would be run, with the names of the variables that it is
/// given, and the values of those that are no secrets.
#[must_use]
pub fn not_trusted(server: &Server) -> Note {
    let of = match &server.transport {
        Transport::Stdio { command, args, env, cwd } => Unconfirmed {
            command: std::iter::once(command).chain(args).cloned().collect(),
            cwd: cwd.clone(),
            variables: env.iter().map(shown).collect(),
        },
        Transport::Http { url, .. } => {
            Unconfirmed { command: vec![url.clone()], cwd: None, variables: Vec::new() }
        }
    };
    Reason::NotTrusted(Box::new(of)).into()
}

fn shown((name, value): &(String, Secret)) -> Variable {
    let value = match value {
        Secret::Plain { value } => Some(value.clone()),
        Secret::Env { .. } | Secret::File { .. } | Secret::Keychain { .. } => None,
    };
    Variable { name: name.clone(), value }
}
