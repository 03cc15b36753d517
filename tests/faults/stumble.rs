//! Why a round did not come to its end. Each is a failure of the round: either of the owner, or of the harness.

use signalbox_api::ApiError;

use crate::evidence::store::Unreadable;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Stumble {
    #[error("{0}")]
    System(#[from] std::io::Error),
    #[error("serve did not start: {0}")]
    NoOwner(String),
    #[error("the store after life {life}: {why}")]
    Unreadable { life: usize, why: Unreadable },
    #[error("{0}")]
    Desk(#[from] ApiError),
    #[error("not everything settled in {seconds} s: {left}")]
    Unsettled { seconds: u64, left: String },
    #[error("the round took longer than {0} s")]
    TooLong(u64),
    #[error("{0}")]
    Panicked(String),
}
