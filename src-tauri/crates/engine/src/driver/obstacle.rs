//! What of somebody else's errors is in the way to a server.

use signalbox_mcp::{self as mcp, Stage};
use signalbox_model::{Hindrance, Obstacle};
use signalbox_signin::{SecretError, oauth::SignInError};

/// Of a secret that the configuration refers to.
pub(super) fn of_secret(error: &SecretError) -> mcp::Error {
    mcp::Error::Unreachable { stage: stage(error), why: why(error), retry_after: None }
}

/// Of a token that is to go with a request. None: only a person can help, so the server is left to refuse, and to say what
/// it wants.
pub(super) fn of_token(error: &SignInError) -> Option<mcp::Error> {
    let (stage, why) = match error {
        SignInError::Unreachable { host, why } => {
            let obstacle = Obstacle::AuthorizationFails { host: host.clone(), said: why.clone() };
            (Stage::Connect, obstacle.into())
        }
        SignInError::Secret(error) if matches!(**error, SecretError::FileLocked { .. }) => {
            (Stage::Locked, why(error))
        }
        SignInError::Secret(error) => (Stage::Keychain, why(error)),
        _ => return None,
    };
    Some(mcp::Error::Unreachable { stage, why, retry_after: None })
}

/// Of the discovery before a request. Whatever happened to it, the request itself was not sent, and what the server answered
/// to the one must not be taken for its answer to the other.
pub(super) fn before_the_request(error: mcp::Error) -> mcp::Error {
    let retry_after = error.retry_after();
    let (stage, obstacle) = match error {
        mcp::Error::Lost { why } => (Stage::Connect, Obstacle::StatementLost { said: why }),
        mcp::Error::Timeout { ms } => (Stage::Connect, Obstacle::Late { seconds: ms / 1_000 }),
        mcp::Error::Throttled { status, .. } => (Stage::Connect, Obstacle::StatementThrottled { status }),
        mcp::Error::Rpc { code, message, .. } => {
            (Stage::Discover, Obstacle::StatementRefused { error: code, said: message })
        }
        mcp::Error::Protocol { breach, .. } => (Stage::Discover, Obstacle::StatementBreaks { breach }),
        mcp::Error::Garbled { stray, .. } => (Stage::Discover, Obstacle::StatementStray { stray }),
        mcp::Error::TooLarge { limit } => {
            (Stage::Discover, Obstacle::StatementTooLarge { limit: limit as u64 })
        }
        mcp::Error::TooMuch { of, most, unit } => {
            (Stage::Discover, Obstacle::StatementTooMuch { of, most, unit })
        }
        error => return error,
    };
    mcp::Error::Unreachable { stage, why: obstacle.into(), retry_after }
}

fn stage(error: &SecretError) -> Stage {
    match error {
        SecretError::NoKeychain { .. }
        | SecretError::Locked { .. }
        | SecretError::KeychainFailed { .. }
        | SecretError::WrongPassphrase { .. }
        | SecretError::DamagedFile { .. }
        | SecretError::FileFailed { .. }
        | SecretError::NoPassphrase { .. } => Stage::Keychain,
        SecretError::FileLocked { .. } => Stage::Locked,
        SecretError::NoVariable { var } => Stage::Variable { name: var.clone() },
        SecretError::NoEntry { .. }
        | SecretError::Forgotten { .. }
        | SecretError::FileUnreadable { .. }
        | SecretError::NotUsable { .. } => Stage::Secret,
    }
}

fn why(error: &SecretError) -> Hindrance {
    let path = |path: &std::path::Path| path.display().to_string();
    let obstacle = match error {
        SecretError::NoKeychain { why } => Obstacle::NoKeychain { said: why.clone() },
        SecretError::Locked { why } => Obstacle::KeychainLocked { said: why.clone() },
        SecretError::KeychainFailed { why } => Obstacle::KeychainFailed { said: why.clone() },
        SecretError::FileLocked { file } => Obstacle::FileLocked { file: path(file) },
        SecretError::WrongPassphrase { file } => Obstacle::WrongPassphrase { file: path(file) },
        SecretError::DamagedFile { file } => Obstacle::FileDamaged { file: path(file) },
        SecretError::FileFailed { file, source } => {
            Obstacle::FileFailed { file: path(file), said: source.to_string() }
        }
        SecretError::NoEntry { entry } => Obstacle::NotKept { entry: entry.clone() },
        SecretError::Forgotten { entry } => Obstacle::NotInThisRun { entry: entry.clone() },
        SecretError::FileUnreadable { path: file, source } => {
            Obstacle::SecretUnread { file: path(file), said: source.to_string() }
        }
        SecretError::NotUsable { place, limit } => Obstacle::NoSecret { place: place.clone(), limit: *limit },
        // A stage of its own names the variable, and a passphrase is asked for by who unlocks: no connection meets them.
        SecretError::NoVariable { .. } | SecretError::NoPassphrase { .. } => return error.to_string().into(),
    };
    obstacle.into()
}
