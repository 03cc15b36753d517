//! How long all that tells how to reach one server may be: every owner reads it at its start, and every
//! overview carries it. Values of secrets lie elsewhere, and do not count.

use signalbox_model::{Secret, Transport};

use crate::{ApiError, Code, NewSecret, NewTransport};

/// The most bytes that a server's address, command, arguments, variables, headers and roots may have
/// together.
const LONGEST_TRANSPORT: usize = 256 * 1024;
/// How many bytes a literal value counts for, which goes to the keychain.
const ENTRY: usize = 64;

/// Refuses what is too long.
pub(super) fn check(bytes: usize) -> Result<(), ApiError> {
    if bytes <= LONGEST_TRANSPORT {
        return Ok(());
    }
    let message = "The server's address, command, arguments, variables, headers and roots have more than 256 KiB together, \
                   and are not kept: put what is long into a file that the server reads";
    Err(ApiError::new(Code::Usage, message))
}

/// The bytes of a server that is to be kept.
pub(super) fn of_new(transport: &NewTransport) -> usize {
    let value = |value: &NewSecret| match value {
        NewSecret::Reference { secret } => of_secret(secret),
        NewSecret::Plain { value, .. } => value.len(),
        NewSecret::Literal { .. } => ENTRY,
    };
    match transport {
        NewTransport::Http { url, headers } => url.len() + of_values(headers, value),
        NewTransport::Stdio { command, args, env, cwd } => {
            of_command(command, args, cwd.as_deref()) + of_values(env, value)
        }
    }
}

/// The bytes of a server that is kept already.
pub(super) fn of(transport: &Transport) -> usize {
    match transport {
        Transport::Http { url, headers } => url.len() + of_values(headers, of_secret),
        Transport::Stdio { command, args, env, cwd } => {
            of_command(command, args, cwd.as_deref()) + of_values(env, of_secret)
        }
    }
}

/// The bytes of these texts. Each counts for one more, since many empty texts are long as well.
pub(super) fn of_texts(texts: &[String]) -> usize {
    texts.iter().map(|text| text.len() + 1).sum()
}

fn of_command(command: &str, args: &[String], cwd: Option<&str>) -> usize {
    command.len() + of_texts(args) + cwd.map_or(0, str::len)
}

fn of_values<S>(values: &[(String, S)], value: impl Fn(&S) -> usize) -> usize {
    values.iter().map(|(name, secret)| name.len() + value(secret) + 1).sum()
}

fn of_secret(secret: &Secret) -> usize {
    match secret {
        Secret::Env { var: text }
        | Secret::File { path: text }
        | Secret::Keychain { entry: text }
        | Secret::Plain { value: text } => text.len(),
    }
}
