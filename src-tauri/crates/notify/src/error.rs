//! What can be wrong with the notification service.

/// Why notifications do not show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotifyError {
    /// There is no session bus, over which notifications go on this system: there is no desktop.
    #[error("there is no desktop session here that could show notifications")]
    NoBus {
        /// What the platform said.
        why: String,
    },
    /// There is no notification service on this desktop.
    #[error("no notification service is running")]
    NoService {
        /// What the platform said.
        why: String,
    },
    /// The notification service refused.
    #[error("the notification service refuses notifications")]
    Failed {
        /// What the platform said.
        why: String,
    },
    /// The notification service did not answer.
    #[error("the notification service does not answer")]
    TimedOut,
}

impl NotifyError {
    /// What the platform said, for those who look into it.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::NoBus { why } | Self::NoService { why } | Self::Failed { why } => Some(why),
            Self::TimedOut => None,
        }
    }
}
