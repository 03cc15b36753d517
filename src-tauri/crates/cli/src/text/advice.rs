//! What to type about an error. Messages of the desk name no command, since the window shows them, too.

use signalbox_api::{ApiError, Code};

/// What happened, and what to type about it.
pub(crate) fn advised(error: &ApiError) -> String {
    match of(error) {
        Some(advice) => format!("{}. {advice}", error.message.trim_end_matches('.')),
        None => error.message.clone(),
    }
}

fn of(error: &ApiError) -> Option<&'static str> {
    match error.code {
        Code::NotTrusted => Some("`signalbox server trust` confirms it"),
        _ => None,
    }
}
